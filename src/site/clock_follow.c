#include "site/clock_follow.h"

#include "site/clock_final.h"
#include "site/clock_nlp.h"
#include "site/clock_proof.h"
#include "site/clock_round.h"
#include "site/lot.h"
#include "site/secret.h"

typedef int ClockFollow(const ClockTurn *turn, Err *err);

static int settle_lots(const ClockTurn *turn, Str stage, Err *err)
{
    LotsState lots = {0};
    bool settled = false;
    int rc = lots_state(turn->setup->db, turn->contest->id, stage, &lots, err);

    if (rc || !lots.closed || lots.settled)
        return rc;
    return lots_settle(turn->setup->db, turn->contest->id, stage, turn->now_ms, &settled, err);
}

static int settle_stage_lots(const ClockTurn *turn, Err *err)
{
    return turn->rules->natural_language
               ? 0
               : settle_lots(turn, clock_stage_name(turn, clock_stage(turn)), err);
}

static int settle_judging_lots(const ClockTurn *turn, Err *err)
{
    return settle_lots(turn, STR(SECRET_EVALUATION), err);
}

static const struct {
    LifeState state;
    ClockFollow *act;
} follows[] = {
    {LIFE_OPEN, clock_round_tell_testing},  {LIFE_REVISION, clock_round_tell_testing},
    {LIFE_REVISION, clock_final_remind},    {LIFE_FROZEN, settle_stage_lots},
    {LIFE_PRELIMINARY, clock_proof_follow}, {LIFE_REVISION, clock_proof_follow},
    {LIFE_FINAL, settle_stage_lots},        {LIFE_FINAL, clock_proof_follow},
    {LIFE_JUDGING, clock_proof_follow},     {LIFE_JUDGING, settle_judging_lots},
    {LIFE_APPEALS, clock_proof_follow},     {LIFE_APPEALS, clock_proof_publish},
    {LIFE_PUBLISHED, clock_proof_close},
};

static int follow_in_transaction(Db *db, void *user, Err *err)
{
    const ClockTurn *turn = user;
    int rc = 0;

    (void)db;
    for (size_t i = 0; i < sizeof(follows) / sizeof(follows[0]) && rc == 0; i++)
        if (follows[i].state == turn->contest->state)
            rc = follows[i].act(turn, err);
    return rc ? rc : clock_nlp_follow(turn, err);
}

int clock_follow(const ClockTurn *turn, Err *err)
{
    ClockTurn copy = *turn;

    return turn->contest->paused
               ? clock_nlp_follow(turn, err) /* its servers end */
               : db_transaction(turn->setup->db, follow_in_transaction, &copy, err);
}
