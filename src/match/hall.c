#include "match/hall_state.h"

#include "base/mem.h"
#include "match/table_room.h"

#define PROGRESS_US (100 * 1000)
#define NO_LIMIT_US ((TimeUs)366 * 24 * 3600 * 1000 * 1000) /* an answer may take a year */

/* ---- ending ---- */

/* `over` is told from the alarm, so that the hall can be freed there. */
static void end_hall(Hall *hall)
{
    hall->ended = true;
    alarm_soon(&hall->progress);
}

void hall_fail(Hall *hall, const Err *err)
{
    if (err && err->code && !hall->err.code)
        hall->err = *err;
    hall->stopping = true;
    for (HallTable *at = hall->tables; at; at = at->next)
        if (at->table)
            set_table_stop(at->table);
    end_hall(hall);
}

void hall_stop(Hall *hall)
{
    hall_fail(hall, NULL);
}

void hall_say(const Hall *hall, const Buf *text)
{
    if (hall->plan->note && !buf_failed(text))
        hall->plan->note(hall->plan->user, buf_str(text));
}

uint64_t hall_set_number(const HallTable *at)
{
    return at->hall->run->set_base + at->set;
}

static void hall_table_free(HallTable *at)
{
    hall_live_ends(at, true, at->hall->now);
    if (at->table) {
        at->hall->asks += set_table_asks(at->table);
        at->hall->open_tables--;
    }
    at->table = set_table_free(at->table);
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        started_agent_free(at->places[seat].started);
    mem_free(at);
}

static void tell_over(HallTable *at)
{
    const HallPlan *plan = at->hall->plan;

    at->over = false;
    if (plan->set_over)
        plan->set_over(plan->user, hall_set_number(at));
}

static void forget_table(HallTable *gone)
{
    HallTable **at = &gone->hall->tables;

    if (gone->over)
        tell_over(gone);
    if (gone->played)
        hall_tell_findings_over(gone);
    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    hall_table_free(gone);
}

/* Also when its end is not told yet: what it printed last is still being read. */
static bool has_programs(const HallTable *at)
{
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        if (place_runs(&at->places[seat]))
            return true;
    return false;
}

/* Whether a model player has not told of its decisions yet. */
static bool has_thinkers(const HallTable *at)
{
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        if (at->places[seat].plan.tells && place_runs(&at->places[seat]))
            return true;
    return false;
}

/* Everything was played and everybody has gone. */
void hall_stop_when_done(Hall *hall)
{
    const HallPlan *plan = hall->plan;
    bool more = plan->serve ? plan->sets == 0 || hall->sets_over < plan->sets
                            : hall->next_set < stage_run_end_set(hall->run);

    if (!hall->tables && !more && !hall_is_held(hall))
        end_hall(hall);
}

void hall_leave_table(HallTable *at)
{
    Hall *hall = at->hall;

    if (at->table || has_programs(at))
        return;
    forget_table(at);
    hall_stop_when_done(hall);
}

/* ---- what tables report ---- */

static int on_finished(void *user, SetTable *table, const GameRecord *record, Str log, Err *err)
{
    HallTable *at = user;
    Hall *hall = at->hall;
    const HallPlan *plan = hall->plan;

    hall->games_done++;
    int rc = hall->run->finished ? hall->run->finished(hall->run->user, record, log, err) : 0;
    if (plan->game_ends)
        plan->game_ends(plan->user, record, set_table_now(table));
    hall_live_ends(at, record->reason == END_ABORTED, set_table_now(table));
    return rc;
}

static void on_table_decided(void *user, SeatNo seat, SeatRecord *own)
{
    hall_take_decisions(&((HallTable *)user)->places[seat], own);
}

static void on_fault(void *user, SetTable *table, uint64_t game, const Fault *fault)
{
    HallTable *at = user;
    const HallPlan *plan = at->hall->plan;
    StartedAgent *started = at->places[fault->seat].started;

    if (plan->fault)
        plan->fault(plan->user, hall_set_number(at), game, set_table_name(table, fault->seat),
                    fault);
    hall_live_fault(at, fault, set_table_now(table));
    if (fault->fatal && started)
        started_agent_fail(started, fault->kind == FAULT_DISCONNECT, set_table_now(table));
}

static void on_begins(void *user, SetTable *table, uint64_t game)
{
    HallTable *at = user;
    const HallPlan *plan = at->hall->plan;
    const SeatNo count = set_table_seat_count(table);
    Str names[SEAT_MAX + 1] = {{0}};

    hall_live_begins(at, game, set_table_now(table));
    if (!plan->game_begins)
        return;
    for (SeatNo seat = 1; seat <= count; seat++)
        names[seat] = set_table_name(table, seat);
    plan->game_begins(plan->user, game, count, names, set_table_now(table));
}

static void on_heard(void *user, SetTable *table, uint64_t game, const Event *event)
{
    const HallTable *at = user;
    const HallPlan *plan = at->hall->plan;

    if (plan->heard)
        plan->heard(plan->user, game, event, set_table_now(table));
    hall_live_heard(at, event, set_table_now(table));
}

/* A bot speaks at once: nobody sees that it was asked. */
static void on_asked(void *user, SetTable *table, const Ask *ask)
{
    const HallTable *at = user;

    if (ask->kind == ASK_TALK && !at->places[ask->seat].plan.bot)
        hall_live_asked(at, ask->seat, set_table_now(table));
}

static void on_answered(void *user, SetTable *table, uint64_t game, SeatNo seat,
                        const Answer *answer, const View *view)
{
    const HallPlan *plan = ((const HallTable *)user)->hall->plan;

    plan->answered(plan->user, game, set_table_name(table, seat), answer, view);
}

static void dismiss_places(HallTable *at)
{
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        if (at->places[seat].started)
            started_agent_dismiss(at->places[seat].started, at->hall->now);
}

static void on_table_over(void *user, SetTable *table, const Err *err)
{
    HallTable *at = user;
    Hall *hall = at->hall;

    hall->now = set_table_now(table);
    if (err->code) {
        hall_fail(hall, err);
        return;
    }
    if (hall->stopping)
        return;
    hall->asks += set_table_asks(table);
    hall->open_tables--;
    hall->sets_over += !at->ended;
    at->table = set_table_free(table);
    at->over = at->played = true;
    if (!has_thinkers(at))
        tell_over(at);
    if (has_programs(at))
        dismiss_places(at);
    else
        forget_table(at);
    hall_open_tables(hall);
    hall_stop_when_done(hall);
}

static bool on_restart(void *user, SetTable *table, SeatNo seat)
{
    const HallTable *at = user;
    const Place *place = &at->places[seat];

    if (!place->started)
        return false;
    started_agent_again(place->started, set_table_now(table));
    return true;
}

static bool on_holds(void *user)
{
    const HallTable *at = user;

    return hall_is_held(at->hall);
}

/* Events are told only where somebody may watch. */
static TableEvents table_events(const HallPlan *plan)
{
    return (TableEvents){.finished = on_finished,
                         .decided = on_table_decided,
                         .fault = on_fault,
                         .begins = plan->game_begins || plan->live ? on_begins : NULL,
                         .heard = plan->heard || plan->live ? on_heard : NULL,
                         .asked = plan->live ? on_asked : NULL,
                         .answered = plan->answered ? on_answered : NULL,
                         .restart = on_restart,
                         .holds = plan->acts ? on_holds : NULL,
                         .over = on_table_over};
}

/* ---- tables ---- */

void hall_start_when_complete(HallTable *at)
{
    Hall *hall = at->hall;
    Str names[SEAT_MAX + 1] = {{0}};
    Err err = {0};

    if (set_table_missing(at->table))
        return;
    if (!at->started && hall_is_held(hall)) /* hall_act comes back here */
        return;
    if (at->started) { /* programs that were started anew are here */
        set_table_play_on(at->table, hall->now);
        return;
    }
    at->started = true;
    SeatNo count = set_table_seat_count(at->table);
    for (SeatNo seat = 1; seat <= count; seat++)
        names[seat] = set_table_name(at->table, seat);
    if (hall->plan->set_begins &&
        hall->plan->set_begins(hall->plan->user, hall_set_number(at), count, names, &err))
        hall_fail(hall, &err);
    else
        set_table_start(at->table, hall->now);
}

int hall_add_table(Hall *hall, uint64_t set, const PlanAgent *const agents[], HallTable **ret_table,
                   Err *err)
{
    const TableEvents events = table_events(hall->plan);
    HallTable *at = mem_new(sizeof(*at));

    if (!at)
        return err_set(err, ERR_MEMORY, "new table: out of memory");
    at->hall = hall;
    at->set = set;
    int rc =
        set_table_new(hall->doors.alarms, hall->run, set, agents, &events, at, &at->table, err);
    if (rc) {
        mem_free(at);
        return rc;
    }
    for (SeatNo seat = 1; seat <= set_table_seat_count(at->table); seat++) {
        at->places[seat].at = at;
        at->places[seat].seat = seat;
        at->places[seat].plan = *agents[seat];
    }
    HallTable **last = &hall->tables;
    while (*last)
        last = &(*last)->next;
    *last = at;
    hall->open_tables++;
    *ret_table = at;
    return 0;
}

/* ---- the whole ---- */

static void on_progress(void *user, TimeUs now)
{
    Hall *hall = user;

    hall->now = now;
    if (hall->ended) {
        hall->plan->over(hall->plan->user, now);
        return;
    }
    if (hall->run->progress && !hall->run->progress(hall->run->user, hall->games_done, now))
        hall_fail(hall, NULL);
    else
        alarm_at(&hall->progress, now + PROGRESS_US, false);
    if (hall->plan->tables == PLAN_TABLES_AUTO) /* there may be room now */
        hall_open_tables(hall);
}

int hall_new(const HallPlan *plan, const HallDoors *doors, Hall **ret_hall, Err *err)
{
    Hall *hall = mem_new(sizeof(*hall));

    if (!hall)
        return err_set(err, ERR_MEMORY, "hall: out of memory");
    hall->plan = plan;
    hall->doors = *doors;
    alarm_init(&hall->progress, doors->alarms, on_progress, hall);
    alarm_init(&hall->names, doors->alarms, hall_names_due, hall);
    *ret_hall = hall;
    return 0;
}

static Patience limits_of_plan(const Plan *plan)
{
    TimeUs limit = (TimeUs)plan->rules.contest.time_limit_ms * 1000;

    return (Patience){.answer = limit ? limit : NO_LIMIT_US, /* 0 = none */
                      .grace = (TimeUs)plan->rules.contest.time_limit_grace_ms * 1000,
                      .first_game_grace = (TimeUs)plan->limits.first_game_grace_ms * 1000,
                      .startup = (TimeUs)plan->limits.startup_ms * 1000,
                      .forgives = true};
}

int hall_open(Hall *hall, TimeUs now, Err *err)
{
    const HallPlan *plan = hall->plan;

    hall->now = now;
    hall->run = plan->run;
    hall->next_set = plan->run->first_set;
    hall->most_tables = table_room_most(plan->tables);
    hall->limits = limits_of_plan(plan->run->plan);
    int rc = plan->serve ? hall_expect_back(hall, err) : 0;
    if (rc)
        return rc;
    if (plan->serve && plan->listening)
        plan->listening(plan->user);
    alarm_at(&hall->progress, now + PROGRESS_US, false);
    hall_open_tables(hall);
    hall_stop_when_done(hall);
    return 0;
}

int hall_result(const Hall *hall, uint64_t *ret_asks, Err *err)
{
    uint64_t asks = hall->asks;

    for (const HallTable *at = hall->tables; at; at = at->next)
        asks += at->table ? set_table_asks(at->table) : 0;
    if (ret_asks)
        *ret_asks = asks;
    if (hall->err.code && err)
        *err = hall->err;
    return hall->err.code;
}

Hall *hall_free(Hall *hall)
{
    if (!hall)
        return NULL;
    while (hall->tables)
        forget_table(hall->tables);
    while (hall->guests) {
        aiwolf_agent_free(hall->guests->agent);
        hall_remove_guest(hall->guests);
    }
    alarm_stop(&hall->progress);
    alarm_stop(&hall->names);
    buf_done(&hall->scratch);
    return mem_free(hall);
}
