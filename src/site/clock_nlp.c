#include "site/clock_nlp.h"

#include "site/judging_turn.h"
#include "site/track.h"
#include "site/track_qualify.h"

static TrackTurn track_turn(const ClockTurn *turn)
{
    return (TrackTurn){.db = turn->setup->db,
                       .home = clock_home(turn),
                       .rules = turn->rules,
                       .state = turn->contest->state,
                       .paused = turn->contest->paused,
                       .spool = turn->setup->spool,
                       .host = turn->setup->listen_host,
                       .port = turn->setup->listen_port,
                       .waits = turn->waits,
                       .now_ms = turn->now_ms};
}

static JudgingTurn judging_turn(const ClockTurn *turn)
{
    return (JudgingTurn){.db = turn->setup->db,
                         .home = clock_home(turn),
                         .rules = turn->rules,
                         .waits = turn->waits,
                         .now_ms = turn->now_ms};
}

int clock_nlp_follow(const ClockTurn *turn, Err *err)
{
    const TrackTurn tracks = track_turn(turn);
    const JudgingTurn judging = judging_turn(turn);
    int rc = 0;

    if (!turn->rules || !turn->rules->natural_language)
        return 0;
    if (turn->contest->state >= LIFE_OPEN && turn->contest->state <= LIFE_JUDGING)
        rc = track_follow(&tracks, err);
    if (rc == 0 && turn->contest->state == LIFE_JUDGING && !turn->contest->paused)
        rc = judging_follow(&judging, err);
    return rc;
}

int clock_nlp_facts(const ClockTurn *turn, LifeFacts *facts, Err *err)
{
    const TrackTurn tracks = track_turn(turn);
    const JudgingTurn judging = judging_turn(turn);
    int rc = 0;

    if (!turn->rules->natural_language)
        return 0;
    if (turn->contest->state != LIFE_OPEN) /* there nothing waits for it, and it takes a while */
        rc = track_ready(&tracks, &facts->teams_ready, err);
    if (rc == 0 && turn->contest->state == LIFE_FINAL)
        rc = track_over(&tracks, &facts->stage_over, err);
    if (rc == 0 && turn->contest->state == LIFE_JUDGING)
        rc = judging_missing(&judging, &facts->sheets_missing, err);
    return rc;
}

int clock_nlp_freeze(const ClockTurn *turn, LifeState to, Err *err)
{
    const TrackTurn tracks = track_turn(turn);

    (void)to;
    return turn->rules->natural_language ? track_qualify(&tracks, err) : 0;
}

int clock_nlp_publish(const ClockTurn *turn, LifeState to, Err *err)
{
    const JudgingTurn judging = judging_turn(turn);

    (void)to;
    return turn->rules->natural_language ? judging_publish(&judging, err) : 0;
}
