#include "site/clock.h"

#include "base/mem.h"
#include "site/clock_effects.h"
#include "site/clock_facts.h"
#include "site/clock_follow.h"
#include "site/clock_play.h"
#include "site/clock_remind.h"
#include "site/job.h"
#include "site/trail.h"

#define STEPS_MAX   (LIFE_STATES + 1) /* of one contest in one tick */
#define HOUR_MS     INT64_C(3600000)
#define FORGET_ROWS 1000

/* The file of a contest, read once for each text of it. */
typedef struct ReadRules {
    struct ReadRules *next;
    int64_t contest;
    Buf digest;
    bool good;
    Err why;
    SiteRules rules;
} ReadRules;

struct SiteClock {
    ClockSetup setup;
    ReadRules *read;
    SpoolWatch watch;
    SpoolRunner runner;
    RetryWaits waits;
    int64_t swept_ms; /* when tokens and addresses were looked at */
};

static void read_rules_free(ReadRules *read)
{
    contest_rules_done(&read->rules);
    buf_done(&read->digest);
    mem_free(read);
}

int site_clock_new(const ClockSetup *setup, SiteClock **ret_clock, Err *err)
{
    SiteClock *clock = mem_new(sizeof(*clock));

    if (!clock)
        return err_set(err, ERR_MEMORY, "clock: out of memory");
    clock->setup = *setup;
    clock->waits.now = setup->now;
    clock->swept_ms = INT64_MIN;
    *ret_clock = clock;
    return 0;
}

SiteClock *site_clock_free(SiteClock *clock)
{
    if (!clock)
        return NULL;
    while (clock->read) {
        ReadRules *next = clock->read->next;
        read_rules_free(clock->read);
        clock->read = next;
    }
    spool_runner_done(&clock->runner);
    return mem_free(clock);
}

void site_clock_freep(SiteClock **clock)
{
    *clock = site_clock_free(*clock);
}

/* ---- files ---- */

static void read_again(SiteClock *clock, const Contest *contest, ReadRules *read)
{
    contest_rules_done(&read->rules);
    read->rules = (SiteRules){0};
    read->why = (Err){0};
    buf_clear(&read->digest);
    buf_add(&read->digest, buf_str(&contest->digest));
    read->good = contest_rules_read(buf_str(&contest->file), clock->setup.folder, &read->rules,
                                    &read->why) == 0;
}

static int find_rules(SiteClock *clock, const Contest *contest, ReadRules **ret_read, Err *err)
{
    ReadRules *read = clock->read;

    while (read && read->contest != contest->id)
        read = read->next;
    if (!read) {
        read = mem_new(sizeof(*read));
        if (!read)
            return err_set(err, ERR_MEMORY, "clock: out of memory");
        read->contest = contest->id;
        read->next = clock->read;
        clock->read = read;
    }
    if (!str_eq(buf_str(&read->digest), buf_str(&contest->digest)))
        read_again(clock, contest, read);
    *ret_read = read;
    return 0;
}

/* ---- one contest ---- */

static int start_turn(SiteClock *clock, const Contest *contest, const ContestActor *actor,
                      int64_t now_ms, ClockTurn *turn, Err *err)
{
    ReadRules *read = NULL;
    int rc = find_rules(clock, contest, &read, err);

    *turn = (ClockTurn){.setup = &clock->setup,
                        .contest = contest,
                        .rules = rc == 0 && read->good ? &read->rules : NULL,
                        .runner = &clock->runner,
                        .actor = actor,
                        .waits = &clock->waits,
                        .now_ms = now_ms};
    return rc;
}

/* What follows; a file that can't be read has no dates. */
static int find_step(const ClockTurn *turn, LifeStep *ret_step, LifeFacts *ret_facts, Err *err)
{
    const ClockSetup *setup = turn->setup;
    LifeFacts facts = {0};
    LifePlan plan = {0};
    int rc = 0;

    if (turn->rules)
        contest_rules_life(turn->rules, &plan);
    for (size_t i = 0; i < LIFE_DATES && !turn->rules; i++)
        plan.dates[i] = LIFE_NO_DATE;
    if (turn->rules && setup->facts)
        rc = setup->facts(setup->facts_user, turn->contest, turn->rules, turn->now_ms, &facts, err);
    else if (turn->rules)
        rc = clock_facts(turn, &facts, err);
    facts.paused = turn->contest->paused;
    bool asked = false;
    if (rc == 0)
        rc = contest_asked(setup->db, turn->contest->id, turn->contest->state, &asked, err);
    facts.asked = facts.asked || asked;
    if (rc)
        return rc;
    *ret_step = life_step(turn->contest->state, &plan, &facts, turn->now_ms);
    if (!turn->rules && ret_step->why != LIFE_ENDED)
        ret_step->why = LIFE_BAD_FILE;
    if (ret_facts)
        *ret_facts = facts;
    return 0;
}

/* A transition, as one transaction. */
typedef struct ClockMove {
    const ClockTurn *turn;
    LifeState to;
    bool effects; /* else only the state changes: back, or cancelled */
    bool holds;   /* behind it the contest is paused */
    bool moved;
} ClockMove;

static int move_in_transaction(Db *db, void *user, Err *err)
{
    ClockMove *move = user;
    const ClockTurn *turn = move->turn;
    const ContestMove step = {turn->contest->id, turn->contest->state, move->to, turn->actor};
    int rc = move->effects ? clock_effects(turn, move->to, err) : 0;

    if (rc == 0)
        rc = contest_move(db, &step, &move->moved, err);
    if (rc == 0 && !move->moved)
        rc = err_set(err, ERR_RULE, "another process moves this contest: only one may");
    if (rc == 0 && move->holds)
        rc = contest_set_paused(db, turn->contest->id, true, turn->actor, err);
    return rc;
}

/* Behind a commit. */
static int flush_all(SiteClock *clock, int64_t now_ms, Err *err)
{
    int rc = 0;

    if (clock->setup.ledger)
        rc = site_ledger_flush(clock->setup.ledger, clock->setup.db, now_ms, err);
    if (rc == 0 && clock->setup.spool)
        rc = jobs_flush(clock->setup.db, clock->setup.spool, err);
    return rc;
}

static int run_move(SiteClock *clock, ClockMove *move, Err *err)
{
    int rc = db_transaction(clock->setup.db, move_in_transaction, move, err);

    return rc ? rc : flush_all(clock, move->turn->now_ms, err);
}

static int make_move(SiteClock *clock, const ClockTurn *turn, LifeState to, Err *err)
{
    ClockMove move = {.turn = turn, .to = to, .effects = true};

    return run_move(clock, &move, err);
}

static int remind_in_transaction(Db *db, void *user, Err *err)
{
    (void)db;
    return clock_remind(user, err);
}

/* One transition at most; `ret_more`: look again. */
static int step_contest(SiteClock *clock, int64_t id, int64_t now_ms, bool *ret_more, Err *err)
{
    const ContestActor by_clock = {.account = TRAIL_SERVER, .now_ms = now_ms};
    CLEANUP(contest_done) Contest contest = {0};
    ClockTurn turn;
    LifeStep step;
    int rc = contest_get(clock->setup.db, id, &contest, err);

    *ret_more = false;
    if (rc || !contest.id)
        return rc;
    /* What is played behind the last free byte can't be kept. */
    contest.paused |= clock->setup.room && clock->setup.room->low;
    rc = start_turn(clock, &contest, &by_clock, now_ms, &turn, err);
    if (rc == 0 && turn.rules)
        rc = clock_follow(&turn, err);
    if (rc == 0 && turn.rules)
        rc = clock_play_follow(&turn, err);
    if (rc == 0)
        rc = find_step(&turn, &step, NULL, err);
    if (rc)
        return rc;
    if (step.why == LIFE_GOES) {
        *ret_more = true;
        return make_move(clock, &turn, step.to, err);
    }
    if (turn.rules)
        rc = db_transaction(clock->setup.db, remind_in_transaction, &turn, err);
    return rc ? rc : clock_tell_waiting(&turn, &step, err);
}

typedef struct ClockTick {
    SiteClock *clock;
    int64_t now_ms;
    Err first; /* what went wrong first */
} ClockTick;

static int tick_contest(void *user, const Contest *contest, Err *err)
{
    ClockTick *tick = user;
    bool more = true;
    Err why = {0};
    int rc = contest_write_file(tick->clock->setup.data, contest, &why);

    (void)err;
    for (int i = 0; i < STEPS_MAX && more && rc == 0; i++)
        rc = step_contest(tick->clock, contest->id, tick->now_ms, &more, &why);
    if (rc && tick->first.code == ERR_OK) {
        tick->first = why;
        err_wrap(&tick->first, "contest '%s': ", buf_cstr(&contest->name));
    }
    return 0;
}

/* What has no contest, each hour. */
static int sweep_server(SiteClock *clock, int64_t now_ms, Err *err)
{
    int64_t changed = 0;

    if (clock->swept_ms != INT64_MIN && now_ms - clock->swept_ms < HOUR_MS &&
        now_ms >= clock->swept_ms)
        return 0;
    int rc = clock_remind_tokens(clock->setup.db, now_ms, err);
    if (rc == 0)
        rc = trail_forget(clock->setup.db, now_ms, FORGET_ROWS, &changed, err);
    if (rc || changed < FORGET_ROWS) /* else there are more */
        clock->swept_ms = now_ms;
    return rc;
}

static int look_at_runner(SiteClock *clock, int64_t now_ms, Err *err)
{
    SpoolRunner now = {0};
    int rc = spool_runner_look(&clock->watch, clock->setup.data, now_ms, &now, err);

    if (rc)
        return rc;
    spool_runner_done(&clock->runner);
    clock->runner = now;
    return 0;
}

int site_clock_tick(SiteClock *clock, int64_t now_ms, Err *err)
{
    ClockTick tick = {.clock = clock, .now_ms = now_ms};
    int rc = look_at_runner(clock, now_ms, err);

    if (rc == 0)
        rc = contest_each(clock->setup.db, tick_contest, &tick, err);
    if (rc == 0)
        rc = sweep_server(clock, now_ms, err);
    if (rc == 0)
        rc = flush_all(clock, now_ms, err);
    if (rc == 0 && tick.first.code != ERR_OK) {
        if (err && err->code == ERR_OK)
            *err = tick.first;
        return (int)tick.first.code;
    }
    return rc;
}

const SpoolRunner *site_clock_runner(const SiteClock *clock)
{
    return &clock->runner;
}

int site_clock_look(SiteClock *clock, const Contest *contest, int64_t now_ms, LifeStep *ret_step,
                    LifeFacts *ret_facts, Err *err)
{
    const ContestActor nobody = {.now_ms = now_ms};
    ClockTurn turn;
    int rc = look_at_runner(clock, now_ms, err);

    if (rc == 0)
        rc = start_turn(clock, contest, &nobody, now_ms, &turn, err);
    return rc ? rc : find_step(&turn, ret_step, ret_facts, err);
}

/* ---- organisers ---- */

/* Something of the stage that would be played again has been told already. */
static int check_back(const ClockTurn *turn, LifeState to, Err *err)
{
    LifePlan plan;
    LifeState before;
    Db *db = turn->setup->db;

    if (!turn->rules)
        return err_set(err, ERR_RULE, "the contest file can't be read");
    contest_rules_life(turn->rules, &plan);
    if (!life_back(turn->contest->state, &plan, &before) || before != to)
        return err_set(err, ERR_RULE, "%s does not lead to %s",
                       life_state_name(turn->contest->state), life_state_name(to));
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT count(*) FROM ledger WHERE contest = ?1 AND line LIKE"
                      " '%\"type\":\"reveal\"%'",
                      &query, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    rc = db_step(query, err);
    if (rc == 1 && db_int(query, 0) > 0)
        rc = err_set(err, ERR_RULE, "a secret has been revealed: what was played with it stays");
    return rc < 0 ? rc : 0;
}

static int ask_other(SiteClock *clock, const ClockTurn *turn, LifeState to, Err *err)
{
    ClockMove move = {.turn = turn, .to = to};
    LifePlan plan;
    int rc = 0;

    if (!turn->actor->reason.len)
        return err_set(err, ERR_RULE, "reason: say why; it is published");
    if (to == LIFE_CANCELLED && !life_may_cancel(turn->contest->state))
        rc = err_set(err, ERR_RULE, "a contest that is %s can't be cancelled",
                     life_state_name(turn->contest->state));
    else if (to != LIFE_CANCELLED)
        rc = check_back(turn, to, err);
    if (rc == 0 && to != LIFE_CANCELLED) { /* else the clock would lead on in its next turn */
        contest_rules_life(turn->rules, &plan);
        move.holds = life_is_due(to, &plan, turn->now_ms);
    }
    return rc ? rc : run_move(clock, &move, err);
}

/* Asked for, and as far as it goes now. */
static int ask_next(SiteClock *clock, const Contest *contest, const ClockTurn *turn, LifeStep *step,
                    Err *err)
{
    int rc = contest_ask(clock->setup.db, contest->id, contest->state, err);

    if (rc == 0)
        rc = find_step(turn, step, NULL, err);
    if (rc || step->why != LIFE_GOES)
        return rc;
    return make_move(clock, turn, step->to, err);
}

/* How it stands now: it may be held by a pause. */
static int look_again(SiteClock *clock, int64_t id, int64_t now_ms, LifeStep *ret_step, Err *err)
{
    CLEANUP(contest_done) Contest contest = {0};
    int rc = contest_get(clock->setup.db, id, &contest, err);

    return rc ? rc : site_clock_look(clock, &contest, now_ms, ret_step, NULL, err);
}

int site_clock_ask(SiteClock *clock, int64_t id, LifeState to, const ContestActor *actor,
                   LifeStep *ret_step, Err *err)
{
    CLEANUP(contest_done) Contest contest = {0};
    LifeStep step = {0};
    ClockTurn turn;
    int rc = contest_get(clock->setup.db, id, &contest, err);

    if (rc == 0 && !contest.id)
        rc = err_set(err, ERR_RULE, "there is no such contest");
    if (rc == 0)
        rc = look_at_runner(clock, actor->now_ms, err);
    if (rc == 0)
        rc = start_turn(clock, &contest, actor, actor->now_ms, &turn, err);
    if (rc == 0)
        rc = find_step(&turn, &step, NULL, err);
    if (rc)
        return rc;
    if (to == step.to && to != contest.state)
        rc = ask_next(clock, &contest, &turn, &step, err);
    else
        rc = ask_other(clock, &turn, to, err);
    if (rc == 0)
        *ret_step =
            to == step.to ? step : (LifeStep){.from = contest.state, .to = to, .why = LIFE_GOES};
    if (rc == 0 && to != step.to && to != LIFE_CANCELLED)
        rc = look_again(clock, id, actor->now_ms, ret_step, err);
    return rc;
}
