#include "match/hall.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "disk/disk_call.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>

#include "match/table.h"
#include "match/table_room.h"
#include "seat/agent_command.h"
#include "seat/child_program.h"
#include "seat/conn_link.h"
#include "seat/started_agent.h"

#define PROGRESS_US    (100 * 1000)
#define ROOM_US        (1000 * 1000)
#define NO_LIMIT_US    ((TimeUs)366 * 24 * 3600 * 1000 * 1000) /* an answer may take a year */
#define NAME_WHEN_NONE "anonymous"

/* Somebody who has connected and waits: for its name to come, then for a table. */
typedef struct Waiter {
    Hall *hall;
    AiwolfAgent *agent;
    PlanAgent plan; /* its name, when it has come */
    bool named;
    struct Waiter *next;
} Waiter;

/* The way of one outside agent to its seat. */
typedef struct Place {
    struct HallTable *at;
    SeatNo seat;
    PlanAgent plan;
    StartedAgent *started; /* NULL: it comes by itself */
} Place;

/* A table with what the hall has opened for it. */
typedef struct HallTable {
    Hall *hall;
    Table *table; /* NULL when its set is over and processes are still to end */
    uint64_t set;
    Place places[SEAT_MAX + 1];
    bool started;
    bool over; /* nobody was told yet: its model players are still to tell of their decisions */
    struct HallTable *next;
} HallTable;

struct Hall {
    const HallPlan *plan;
    const StageRun *run;
    Loop *loop;
    Listener *listener; /* serve */
    Timer *progress;
    Timer *names; /* when a waiter's name is overdue */
    HallTable *tables;
    Waiter *waiters; /* in the order in which they came */
    uint32_t open_tables;
    uint32_t most_tables;
    TimeUs room_at; /* when one may look again whether there is room for a further table */
    uint64_t next_set;
    uint64_t sets_over;
    uint64_t games_done;
    uint64_t asks;
    Patience limits;
    ChildDoor programs;
    Buf scratch;
    bool stopping;
    bool ended; /* that is told from the timer */
    Err err;
};

static void open_tables(Hall *hall);
static void seat_waiters(Hall *hall);

/* ---- ending ---- */

/* `over` is told from the timer, so that the hall can be freed there. */
static void end_hall(Hall *hall)
{
    hall->ended = true;
    timer_at(hall->progress, loop_now(), false);
}

/* The first error ends everything; so does an interrupt, without one. */
static void stop_all(Hall *hall, const Err *err)
{
    if (err && err->code && !hall->err.code)
        hall->err = *err;
    hall->stopping = true;
    for (HallTable *at = hall->tables; at; at = at->next)
        if (at->table)
            table_stop(at->table);
    end_hall(hall);
}

void hall_stop(Hall *hall)
{
    stop_all(hall, NULL);
}

static void note_text(Hall *hall, const Buf *text)
{
    if (hall->plan->note && !buf_failed(text))
        hall->plan->note(hall->plan->user, buf_str(text));
}

/* Of the stage; at->set counts from the first of the tables of this size. */
static uint64_t set_number(const HallTable *at)
{
    return at->hall->run->set_base + at->set;
}

static void hall_table_free(HallTable *at)
{
    if (at->table) {
        at->hall->asks += table_asks(at->table);
        at->hall->open_tables--;
    }
    at->table = table_free(at->table);
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        started_agent_free(at->places[seat].started);
    mem_free(at);
}

static void tell_over(HallTable *at)
{
    const HallPlan *plan = at->hall->plan;

    at->over = false;
    if (plan->set_over)
        plan->set_over(plan->user, set_number(at));
}

static void forget_table(HallTable *gone)
{
    HallTable **at = &gone->hall->tables;

    if (gone->over)
        tell_over(gone);
    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    hall_table_free(gone);
}

/* Also when its end is not told yet: what it printed last is still being read. */
static bool place_runs(const Place *place)
{
    return place->started && started_agent_runs(place->started);
}

static bool has_processes(const HallTable *at)
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
static void stop_when_done(Hall *hall)
{
    const HallPlan *plan = hall->plan;
    bool more = plan->serve ? plan->sets == 0 || hall->sets_over < plan->sets
                            : hall->next_set < stage_run_end_set(hall->run);

    if (!hall->tables && !more)
        end_hall(hall);
}

/* ---- what tables report ---- */

static int on_finished(void *user, Table *table, const GameRecord *record, Str log, Err *err)
{
    const HallTable *at = user;
    Hall *hall = at->hall;

    (void)table;
    hall->games_done++;
    return hall->run->finished ? hall->run->finished(hall->run->user, record, log, err) : 0;
}

static void on_fault(void *user, Table *table, uint64_t game, const Fault *fault)
{
    HallTable *at = user;
    const HallPlan *plan = at->hall->plan;
    StartedAgent *started = at->places[fault->seat].started;

    if (plan->fault)
        plan->fault(plan->user, set_number(at), game, table_name(table, fault->seat), fault);
    if (fault->fatal && started)
        started_agent_fail(started, fault->kind == FAULT_DISCONNECT, loop_now());
}

static void on_begins(void *user, Table *table, uint64_t game)
{
    const HallTable *at = user;
    const HallPlan *plan = at->hall->plan;
    const SeatNo count = table_seat_count(table);
    Str names[SEAT_MAX + 1] = {{0}};

    for (SeatNo seat = 1; seat <= count; seat++)
        names[seat] = table_name(table, seat);
    plan->game_begins(plan->user, game, count, names);
}

static void on_heard(void *user, Table *table, uint64_t game, const Event *event)
{
    const HallTable *at = user;

    (void)table;
    at->hall->plan->heard(at->hall->plan->user, game, event);
}

static void dismiss_places(HallTable *at)
{
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        if (at->places[seat].started)
            started_agent_dismiss(at->places[seat].started, loop_now());
}

static void on_table_over(void *user, Table *table, const Err *err)
{
    HallTable *at = user;
    Hall *hall = at->hall;

    if (err->code) {
        stop_all(hall, err);
        return;
    }
    if (hall->stopping)
        return;
    hall->asks += table_asks(table);
    hall->open_tables--;
    hall->sets_over++;
    at->table = table_free(table);
    at->over = true;
    if (!has_thinkers(at))
        tell_over(at);
    if (has_processes(at))
        dismiss_places(at);
    else
        forget_table(at);
    open_tables(hall);
    stop_when_done(hall);
}

static bool on_restart(void *user, Table *table, SeatNo seat);

/* Events are told only where somebody may watch. */
static TableEvents table_events(const HallPlan *plan)
{
    return (TableEvents){.finished = on_finished,
                         .fault = on_fault,
                         .begins = plan->game_begins ? on_begins : NULL,
                         .heard = plan->heard ? on_heard : NULL,
                         .restart = on_restart,
                         .over = on_table_over};
}

/* ---- tables ---- */

static void start_when_complete(HallTable *at)
{
    Hall *hall = at->hall;
    Str names[SEAT_MAX + 1] = {{0}};
    Err err = {0};

    if (table_missing(at->table))
        return;
    if (at->started) { /* programs that were started anew are here */
        table_play_on(at->table, loop_now());
        return;
    }
    at->started = true;
    SeatNo count = table_seat_count(at->table);
    for (SeatNo seat = 1; seat <= count; seat++)
        names[seat] = table_name(at->table, seat);
    if (hall->plan->set_begins &&
        hall->plan->set_begins(hall->plan->user, set_number(at), count, names, &err))
        stop_all(hall, &err);
    else
        table_start(at->table, loop_now());
}

/* A table for a set, with `agents` by seat. */
static int add_table(Hall *hall, uint64_t set, const PlanAgent *const agents[],
                     HallTable **ret_table, Err *err)
{
    const TableEvents events = table_events(hall->plan);
    HallTable *at = mem_new(sizeof(*at));

    if (!at)
        return err_set(err, ERR_MEMORY, "new table: out of memory");
    at->hall = hall;
    at->set = set;
    int rc =
        table_new(loop_alarms(hall->loop), hall->run, set, agents, &events, at, &at->table, err);
    if (rc) {
        mem_free(at);
        return rc;
    }
    for (SeatNo seat = 1; seat <= table_seat_count(at->table); seat++) {
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

/* ---- agents that we start ---- */

static void on_place_named(void *user, AiwolfAgent *take_agent)
{
    const Place *place = user;

    table_seat(place->at->table, place->seat, take_agent);
    start_when_complete(place->at);
}

static void on_place_failed(void *user, const Fault *fault, TimeUs now)
{
    const Place *place = user;

    (void)now;
    table_fail_seat(place->at->table, place->seat, fault, loop_now());
    start_when_complete(place->at);
}

static void on_place_ended(void *user, TimeUs now)
{
    const Place *place = user;
    const HallPlan *plan = place->at->hall->plan;
    DecisionSheet sheet;

    (void)now;
    if (place->plan.tells && plan->decided &&
        decision_sheet_find(started_agent_last_lines(place->started), &sheet))
        plan->decided(plan->user, set_number(place->at), str_of(place->plan.name), &sheet);
}

static void on_place_gone(void *user, TimeUs now)
{
    HallTable *at = ((Place *)user)->at;
    Hall *hall = at->hall;

    (void)now;
    if (at->table || has_processes(at))
        return;
    forget_table(at);
    stop_when_done(hall);
}

/* For the organiser. */
static void on_place_note(void *user, StartedNote what, Str note)
{
    const Place *place = user;
    CLEANUP(buf_done) Buf text = {0};

    if (what == STARTED_NOTE_STRANGER)
        buf_printf(&text, "set %" PRIu64 ": ", place->at->set);
    else
        buf_printf(&text, "set %" PRIu64 ", ", set_number(place->at));
    buf_add(&text, note);
    note_text(place->at->hall, &text);
}

static void on_place_broken(void *user, const Err *err)
{
    stop_all(((Place *)user)->at->hall, err);
}

static const StartedAgentEvents place_events = {.named = on_place_named,
                                                .failed = on_place_failed,
                                                .ended = on_place_ended,
                                                .gone = on_place_gone,
                                                .note = on_place_note,
                                                .broken = on_place_broken};

static bool on_restart(void *user, Table *table, SeatNo seat)
{
    const HallTable *at = user;
    const Place *place = &at->places[seat];

    (void)table;
    if (!place->started)
        return false;
    started_agent_again(place->started, loop_now());
    return true;
}

/* OUT/agents/NAME/SET-SEAT.txt; as a folder's name see agent_command_add_file_name. */
static int output_path(const Hall *hall, const Place *place, Buf *out, Err *err)
{
    const char *name = place->plan.name;

    buf_printf(out, "%s/agents", hall->plan->out);
    if (disk_make_folder(buf_cstr(out), 0777) && errno != EEXIST)
        return disk_error(err, "can't make the folder", buf_cstr(out));
    buf_add_char(out, '/');
    agent_command_add_file_name(name, out);
    if (disk_make_folder(buf_cstr(out), 0777) && errno != EEXIST)
        return disk_error(err, "can't make the folder", buf_cstr(out));
    buf_printf(out, "/%" PRIu32 "-%04" PRIu64 "-%02u.txt", hall->run->stage, set_number(place->at),
               place->seat);
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "output path: out of memory") : 0;
}

/* What it prints goes to a file of its own. */
static int start_agent(Place *place, Err *err)
{
    Hall *hall = place->at->hall;
    CLEANUP(buf_done) Buf path = {0};
    int rc = hall->plan->out ? output_path(hall, place, &path, err) : 0;

    if (rc)
        return rc;
    const StartedAgentSetup setup = {.door = child_door(&hall->programs),
                                     .alarms = loop_alarms(hall->loop),
                                     .limits = &hall->limits,
                                     .scratch = &hall->scratch,
                                     .plan = {.name = place->plan.name,
                                              .command = place->plan.command,
                                              .folder = place->plan.folder,
                                              .env = place->plan.env,
                                              .output = hall->plan->out ? buf_cstr(&path) : NULL,
                                              .output_limit = hall->run->plan->limits.output_bytes},
                                     .events = place_events,
                                     .user = place};
    return started_agent_new(&setup, loop_now(), &place->started, err);
}

/* The agents of the next set, each started on a port of its own. */
static int open_set(Hall *hall, uint64_t set, Err *err)
{
    const StageRun *run = hall->run;
    const PlanAgent *agents[SEAT_MAX + 1] = {0};
    uint32_t drawn[SEAT_MAX + 1];
    HallTable *at = NULL;

    draw_seats(&run->draw, set, drawn);
    for (int32_t seat = 1; seat <= run->draw.stage->players; seat++)
        agents[seat] = &run->agents[drawn[seat]];
    int rc = add_table(hall, set, agents, &at, err);
    if (rc)
        return rc;
    for (SeatSet left = table_missing(at->table); left && rc == 0; left &= left - 1)
        rc = start_agent(&at->places[seat_first(left)], err);
    if (rc == 0)
        start_when_complete(at);
    return rc;
}

/* Whether all games of the set are on disk. */
static bool set_is_played(const Hall *hall, uint64_t set)
{
    const StageRun *run = hall->run;
    const PlayedSet *before = run->played ? played_set(run->played, set) : NULL;
    uint64_t per_set = (uint64_t)run->draw.stage->games_per_set;
    uint64_t games = draw_games(&run->draw) - set * per_set;

    if (before && before->failed && run->plan->on_fault == ON_FAULT_FORFEIT_SET)
        return true;
    return before && before->games >= (games < per_set ? games : per_set);
}

/* Whether every open table has its agents, which then have their memory. */
static bool all_started(const Hall *hall)
{
    for (const HallTable *at = hall->tables; at; at = at->next)
        if (at->table && !at->started)
            return false;
    return true;
}

/* With PLAN_TABLES_AUTO the machine is asked before each further table. */
static bool has_room(Hall *hall)
{
    if (hall->open_tables == 0 || hall->plan->tables != PLAN_TABLES_AUTO)
        return hall->open_tables < hall->most_tables;
    if (hall->open_tables >= hall->most_tables || loop_now() < hall->room_at || !all_started(hall))
        return false;
    hall->room_at = loop_now() + ROOM_US;
    const TableRoomLook look = table_room_look(hall->open_tables);
    return table_room_has(&look);
}

static void open_tables(Hall *hall)
{
    Err err = {0};

    if (hall->plan->serve) {
        seat_waiters(hall);
        return;
    }
    while (!hall->stopping && hall->next_set < stage_run_end_set(hall->run) && has_room(hall)) {
        uint64_t set = hall->next_set++;
        if (!set_is_played(hall, set) && open_set(hall, set, &err))
            stop_all(hall, &err);
    }
}

/* ---- agents that come by themselves ---- */

static void remove_waiter(Waiter *gone)
{
    Waiter **at = &gone->hall->waiters;

    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    mem_free(gone);
}

/* A name stands in logs and tables: one line of printable text without commas. */
static void clean_name(Str name, PlanAgent *agent)
{
    CLEANUP(buf_done) Buf clean = {0};

    utf8_add_printable(str_trim(name), AGENT_NAME_MAX, &clean);
    for (size_t i = 0; i < clean.len; i++)
        if (clean.bytes[i] == ',')
            clean.bytes[i] = '_';
    size_t bytes = clean.len;
    if (bytes > AGENT_NAME_MAX) { /* whole characters only */
        bytes = AGENT_NAME_MAX;
        while (bytes > 0 && ((unsigned char)clean.bytes[bytes] & 0xC0) == 0x80)
            bytes--;
    }
    if (buf_failed(&clean) || plan_agent_name(agent, str_part(buf_str(&clean), 0, bytes), NULL))
        plan_agent_name(agent, STR(NAME_WHEN_NONE), NULL);
}

/* A seat of an unfinished set that waits for an agent of this name. */
static bool seat_returned(Hall *hall, Waiter *waiter)
{
    for (HallTable *at = hall->tables; at; at = at->next) {
        SeatSet left = at->table ? table_missing(at->table) : 0;
        for (; left; left &= left - 1) {
            SeatNo seat = seat_first(left);
            if (at->places[seat].plan.command || /* it comes by a port of its own */
                !str_eq(table_name(at->table, seat), str_of(waiter->plan.name)))
                continue;
            table_seat(at->table, seat, TAKE(waiter->agent));
            remove_waiter(waiter);
            start_when_complete(at);
            return true;
        }
    }
    return false;
}

static uint32_t named_count(const Hall *hall)
{
    uint32_t count = 0;

    for (const Waiter *waiter = hall->waiters; waiter; waiter = waiter->next)
        count += waiter->named;
    return count;
}

/* Those of a served set that do not come by themselves. */
static int start_own_agents(HallTable *at, Err *err)
{
    int rc = 0;

    for (SeatSet left = table_missing(at->table); left && rc == 0; left &= left - 1) {
        Place *place = &at->places[seat_first(left)];
        if (place->plan.command)
            rc = start_agent(place, err);
    }
    if (rc == 0)
        start_when_complete(at);
    return rc;
}

/* The first who came and the built-in bots, in a drawn order. */
static int open_served_set(Hall *hall, uint64_t set, Err *err)
{
    const StageRun *run = hall->run;
    const int32_t players = run->draw.stage->players;
    const PlanAgent *agents[SEAT_MAX + 1] = {0};
    Waiter *comers[SEAT_MAX + 1] = {0};
    uint32_t drawn[SEAT_MAX + 1];
    HallTable *at = NULL;
    uint32_t count = hall->plan->bot_count;

    for (Waiter *waiter = hall->waiters; waiter && count < (uint32_t)players; waiter = waiter->next)
        if (waiter->named)
            comers[count++] = waiter;
    draw_seats(&run->draw, set, drawn);
    for (int32_t seat = 1; seat <= players; seat++)
        agents[seat] = drawn[seat] < hall->plan->bot_count ? &hall->plan->bots[drawn[seat]]
                                                           : &comers[drawn[seat]]->plan;
    int rc = add_table(hall, set, agents, &at, err);
    if (rc)
        return rc;
    for (int32_t seat = 1; seat <= players; seat++) {
        Waiter *waiter = comers[drawn[seat]];
        if (!waiter)
            continue;
        table_seat(at->table, (SeatNo)seat, TAKE(waiter->agent));
        remove_waiter(waiter);
    }
    return start_own_agents(at, err);
}

static void seat_waiters(Hall *hall)
{
    const HallPlan *plan = hall->plan;
    uint32_t wanted = (uint32_t)hall->run->draw.stage->players - plan->bot_count;
    Err err = {0};

    while (!hall->stopping && named_count(hall) >= wanted &&
           (plan->sets == 0 || hall->sets_over + hall->open_tables < plan->sets) &&
           has_room(hall)) {
        if (open_served_set(hall, hall->next_set++, &err))
            stop_all(hall, &err);
    }
}

static void on_waiter_named(void *user)
{
    Waiter *waiter = user;
    Hall *hall = waiter->hall;

    waiter->named = true;
    clean_name(aiwolf_agent_name(waiter->agent), &waiter->plan);
    if (!seat_returned(hall, waiter))
        seat_waiters(hall);
}

static void on_waiter_failed(void *user, const Fault *fault)
{
    Waiter *waiter = user;

    (void)fault; /* it had no seat: nobody is hurt but itself */
    aiwolf_agent_free(waiter->agent);
    remove_waiter(waiter);
}

static void on_waiter_answered(void *user, const Answer *answer, TimeUs at)
{
    (void)user; /* nothing was asked yet */
    (void)answer;
    (void)at;
}

static void on_waiter_counted(void *user, const Fault *fault)
{
    (void)user;
    (void)fault;
}

static const AiwolfAgentEvents waiter_events = {on_waiter_named, on_waiter_answered,
                                                on_waiter_failed, on_waiter_counted};

/* Somebody has connected and is asked for its name. */
static int meet_waiter(Waiter *waiter, Conn *take_conn)
{
    Hall *hall = waiter->hall;
    Link link = {0};

    if (aiwolf_agent_new(&hall->limits, &waiter_events, waiter, &hall->scratch, &waiter->agent,
                         NULL)) {
        conn_close(take_conn);
        return ERR_MEMORY;
    }
    if (conn_link_open(take_conn, &hall->programs.limits, 0, &aiwolf_agent_ears, waiter->agent,
                       &link, NULL)) {
        waiter->agent = aiwolf_agent_free(waiter->agent);
        return ERR_MEMORY;
    }
    aiwolf_agent_open(waiter->agent, link, loop_now());
    return 0;
}

static void on_accepted(void *user, Conn *conn, const char *peer)
{
    Hall *hall = user;
    Waiter *waiter = mem_new(sizeof(*waiter));

    (void)peer;
    if (!waiter) {
        conn_close(conn);
        return;
    }
    waiter->hall = hall;
    if (meet_waiter(waiter, conn)) {
        mem_free(waiter);
        return;
    }
    Waiter **last = &hall->waiters;
    while (*last)
        last = &(*last)->next;
    *last = waiter;
    timer_at(hall->names, aiwolf_agent_deadline(waiter->agent), true);
}

/* Those whose names are overdue go. */
static void on_names_due(void *user)
{
    Hall *hall = user;
    TimeUs now = loop_now();
    TimeUs next = TIME_US_NEVER;

    for (Waiter *waiter = hall->waiters, *after; waiter; waiter = after) {
        after = waiter->next;
        aiwolf_agent_due(waiter->agent, now); /* which may be its end, or move its deadline */
    }
    for (const Waiter *waiter = hall->waiters; waiter; waiter = waiter->next)
        if (aiwolf_agent_deadline(waiter->agent) < next)
            next = aiwolf_agent_deadline(waiter->agent);
    if (next != TIME_US_NEVER)
        timer_at(hall->names, next, false);
}

/* Tables for the sets that were begun before and not played to their end: their agents are
 * expected back, by name; built-in bots sit down at once. */
static int expect_back(Hall *hall, Err *err)
{
    const StageRun *run = hall->run;
    const Played *played = run->played;
    int rc = 0;

    for (uint64_t set = 0; played && set < played->set_count && rc == 0; set++) {
        const PlayedSet *before = played_set(played, set);
        const PlanAgent *agents[SEAT_MAX + 1] = {0};
        PlanAgent named[SEAT_MAX + 1] = {0};
        uint32_t drawn[SEAT_MAX + 1];
        HallTable *at = NULL;

        hall->next_set = set + 1;
        if (!before->seated || set_is_played(hall, set)) {
            hall->sets_over++;
            continue;
        }
        if (before->count != run->draw.stage->players)
            return err_set(err, ERR_USAGE, "set %" PRIu64 " has %u seats, not %d", set,
                           before->count, (int)run->draw.stage->players);
        draw_seats(&run->draw, set, drawn); /* as open_served_set: an agent may bear a bot's name */
        for (SeatNo seat = 1; seat <= before->count; seat++) {
            clean_name(str_of(before->names[seat]), &named[seat]);
            agents[seat] =
                drawn[seat] < hall->plan->bot_count ? &hall->plan->bots[drawn[seat]] : &named[seat];
        }
        rc = add_table(hall, set, agents, &at, err);
        if (rc == 0)
            rc = start_own_agents(at, err);
    }
    return rc;
}

/* ---- the whole ---- */

static void on_progress(void *user)
{
    Hall *hall = user;

    if (hall->ended) {
        hall->plan->over(hall->plan->user);
        return;
    }
    if (hall->run->progress && !hall->run->progress(hall->run->user, hall->games_done))
        stop_all(hall, NULL);
    else
        timer_at(hall->progress, loop_now() + PROGRESS_US, false);
    if (hall->plan->tables == PLAN_TABLES_AUTO) /* there may be room now */
        open_tables(hall);
}

int hall_new(Loop *loop, const HallPlan *plan, Hall **ret_hall, Err *err)
{
    Hall *hall = mem_new(sizeof(*hall));

    if (!hall)
        return err_set(err, ERR_MEMORY, "hall: out of memory");
    hall->plan = plan;
    hall->loop = loop;
    int rc = timer_new(loop, on_progress, hall, &hall->progress, err);
    if (rc == 0)
        rc = timer_new(loop, on_names_due, hall, &hall->names, err);
    if (rc == 0 && plan->serve)
        rc = tcp_listen(loop, plan->host, plan->port, on_accepted, hall, &hall->listener, err);
    if (rc) {
        hall_free(hall);
        return rc;
    }
    *ret_hall = hall;
    return 0;
}

uint16_t hall_port(const Hall *hall)
{
    return listener_port(hall->listener);
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

int hall_open(Hall *hall, Err *err)
{
    const HallPlan *plan = hall->plan;
    int rc = 0;

    hall->run = plan->run;
    hall->next_set = plan->run->first_set;
    hall->most_tables = table_room_most(plan->tables);
    hall->limits = limits_of_plan(plan->run->plan);
    hall->programs = (ChildDoor){
        .loop = hall->loop,
        .host = plan->host,
        .cell = plan->cell,
        .limits = {plan->run->plan->limits.line_bytes, plan->run->plan->limits.queue_bytes}};
    if (plan->serve) {
        listener_set_limit(hall->listener, hall->run->plan->limits.connections);
        rc = expect_back(hall, err);
    }
    if (rc)
        return rc;
    if (plan->serve && plan->listening)
        plan->listening(plan->user, listener_port(hall->listener));
    timer_at(hall->progress, loop_now() + PROGRESS_US, false);
    open_tables(hall);
    stop_when_done(hall);
    return 0;
}

int hall_result(const Hall *hall, uint64_t *ret_asks, Err *err)
{
    uint64_t asks = hall->asks;

    for (const HallTable *at = hall->tables; at; at = at->next)
        asks += at->table ? table_asks(at->table) : 0;
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
    while (hall->waiters) {
        aiwolf_agent_free(hall->waiters->agent);
        remove_waiter(hall->waiters);
    }
    listener_close(hall->listener);
    timer_free(hall->progress);
    timer_free(hall->names);
    buf_done(&hall->scratch);
    return mem_free(hall);
}
