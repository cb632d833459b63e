/* What an operator does to a hall: whether it can be done now, what will come of it in words, and
 * doing it. An act is in the journal first. Who is left out waits in a list of its own, so that all
 * that match agents look at who may play only. */
#include "nlp/hall_state.h"

#include <inttypes.h>

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static Running *find_running(const NlpHall *hall, Str id)
{
    Running *running = hall->running;

    while (running && !str_eq(str_of(running->id), id))
        running = running->next;
    return running;
}

/* It has ended, and waits for the disk. */
static bool is_unwritten(const NlpHall *hall, const Running *wanted)
{
    const Running *running = hall->unwritten;

    while (running && running != wanted)
        running = running->next_unwritten;
    return running != NULL;
}

/* ---- hold, go on ---- */

static int check_hold(const NlpHall *hall, Buf *would, Err *err)
{
    const uint32_t games = hall->counts.games;

    if (operator_acts_held(hall->acts))
        return err_set(err, ERR_RULE, "it is held already: no game begins");
    buf_printf(would,
               "no further game begins until 'go-on', agents wait; %" PRIu32
               " running game%s go%s on "
               "to the end, and the server does not end by itself meanwhile",
               games, plural(games), games == 1 ? "es" : "");
    return 0;
}

static int check_go_on(const NlpHall *hall, Buf *would, Err *err)
{
    if (!operator_acts_held(hall->acts))
        return err_set(err, ERR_RULE, "it is not held: games begin");
    buf_printf(would, "games begin again; %" PRIu32 " agent%s wait%s", hall->waiting.count,
               plural(hall->waiting.count), hall->waiting.count == 1 ? "s" : "");
    if (nlp_hall_complete(hall))
        buf_add(would, STR(". All is played: the server ends"));
    return 0;
}

/* ---- teams ---- */

/* Of how many running games it has a seat. */
static uint32_t count_games(const NlpHall *hall, Str team)
{
    uint32_t count = 0;

    for (const Running *running = hall->running; running; running = running->next)
        for (SeatNo seat = 1; seat <= running->count; seat++)
            if (running->tokens[seat] && str_eq(running->look.seats[seat].team, team)) {
                count++;
                break;
            }
    return count;
}

static uint32_t count_waiting(const AgentList *list, Str team)
{
    uint32_t count = 0;

    for (const NlpAgent *agent = list->first; agent; agent = agent->next)
        count += str_eq(agent->team, team);
    return count;
}

/* The team's index in the schedule, or -1. */
static int32_t scheduled_team(const NlpHall *hall, Str team)
{
    for (uint32_t i = 0; hall->history && i < history_plan(hall->history)->team_count; i++) {
        Str name = history_team_name(hall->history, i);
        if (name.bytes && str_eq(name, team))
            return (int32_t)i;
    }
    return -1;
}

/* Scheduled matches with this team; *ret_left: those that nobody who is left out then has. */
static uint32_t count_matches(const NlpHall *hall, int32_t team, uint32_t *ret_left)
{
    uint32_t count = 0;

    *ret_left = 0;
    for (uint32_t i = 0; i < history_scheduled_count(hall->history); i++) {
        const HistoryMatch *match = history_scheduled(hall->history, i);
        bool has = false;
        for (unsigned k = 0; k < match->count; k++)
            has |= match->teams[k] == team;
        count += has;
        *ret_left += !has && !history_is_skipped(hall->history, match);
    }
    return count;
}

static void add_matches(const NlpHall *hall, Str team, bool out, Buf *would)
{
    uint32_t left;
    const uint32_t count = count_matches(hall, scheduled_team(hall, team), &left);

    buf_printf(would, ", and its scheduled matches (%" PRIu32 ") are %s", count,
               out ? "skipped" : "to be played");
    if (out && left == 0 && !history_plan(hall->history)->infinite_loop)
        buf_add(would, STR(". No other match is left: the server ends, unless it is held"));
}

static bool is_known_team(const NlpHall *hall, Str team)
{
    TeamStatus status;

    return scheduled_team(hall, team) >= 0 || count_waiting(&hall->waiting, team) ||
           count_games(hall, team) || team_health_find(hall->health, team, 0, &status);
}

static int check_leave_out(const NlpHall *hall, Str team, Buf *would, Err *err)
{
    const uint32_t games = count_games(hall, team);
    const uint32_t waiting = count_waiting(&hall->waiting, team);

    if (operator_acts_is_out(hall->acts, team))
        return err_set(err, ERR_RULE, "team '%.*s' is left out already", STR_ARG(team));
    if (!is_known_team(hall, team))
        return err_set(err, ERR_USAGE, "no team '%.*s' was here", STR_ARG(team));
    buf_printf(would,
               "no game begins with team '%.*s' any more; %" PRIu32
               " agent%s of it may wait, %" PRIu32 " running game%s of it go%s on to the end",
               STR_ARG(team), waiting, plural(waiting), games, plural(games),
               games == 1 ? "es" : "");
    if (hall->history)
        add_matches(hall, team, true, would);
    return 0;
}

static int check_let_in(const NlpHall *hall, Str team, Buf *would, Err *err)
{
    if (!operator_acts_is_out(hall->acts, team))
        return err_set(err, ERR_RULE, "team '%.*s' is not left out", STR_ARG(team));
    buf_printf(would, "team '%.*s' plays again; %" PRIu32 " agent%s of it wait", STR_ARG(team),
               count_waiting(&hall->left_out, team), plural(count_waiting(&hall->left_out, team)));
    if (hall->history)
        add_matches(hall, team, false, would);
    return 0;
}

/* ---- games ---- */

/* What the journal says of a game that is to be void. */
typedef struct Looked {
    const NlpHall *hall;
    Buf *would;
    uint64_t number;
    bool found;
    bool is_void;
} Looked;

static int look_at_record(void *user, const GameRecord *record, Err *err)
{
    Looked *looked = user;
    const GameResult *result = &record->result;

    (void)err;
    looked->found = true;
    looked->number = record->game;
    looked->is_void = record->is_void;
    buf_clear(looked->would);
    buf_printf(looked->would, "game %s (%s, seats:", record->id,
               result->winner == SIDE_NONE ? "no winner" : side_name(result->winner));
    for (SeatNo seat = 1; seat <= result->seat_count; seat++)
        buf_printf(looked->would, " %.*s", STR_ARG(result->names[seat]));
    buf_printf(looked->would, ") counts for nobody%s",
               looked->hall->history ? ", its match is played again" : "");
    return 0;
}

static int check_void(const NlpHall *hall, OperatorAct *act, Buf *would, Err *err)
{
    const Running *running = find_running(hall, act->id);
    Looked looked = {.hall = hall, .would = would};

    if (running)
        return err_set(err, ERR_RULE, "game %s is not over and on disk: 'end' ends it",
                       running->id);
    if (!hall->setup.results)
        return err_set(err, ERR_RULE,
                       "no journal is kept here, so no game can be made void: game_logger or "
                       "json_logger is off in the configuration");
    int rc = result_journal_game(hall->setup.results, act->id, look_at_record, &looked, err);
    if (rc)
        return rc;
    if (!looked.found)
        return err_set(err, ERR_USAGE, "the journal has no game '%.*s'", STR_ARG(act->id));
    if (looked.is_void)
        return err_set(err, ERR_RULE, "game %.*s is void already", STR_ARG(act->id));
    act->number = looked.number;
    return 0;
}

static int check_end(const NlpHall *hall, OperatorAct *act, Buf *would, Err *err)
{
    const Running *running = find_running(hall, act->id);

    if (!running)
        return err_set(err, ERR_USAGE, "no game '%.*s' is running", STR_ARG(act->id));
    if (is_unwritten(hall, running))
        return err_set(err, ERR_RULE, "game %s has ended already", running->id);
    act->number = running->result;
    buf_printf(would, "game %s ends now without a winner and counts for nobody%s", running->id,
               running->scheduled ? "; its match is planned again" : "");
    return 0;
}

/* ---- agents ---- */

/* Whether the game has a connection of this name, or had one that may come back. */
static bool sits_there(const Running *running, SeatNo seat, Str name)
{
    const SeatSet away = atomic_load_explicit(&running->shown.away, memory_order_relaxed);
    const SeatSet out = atomic_load_explicit(&running->shown.errored, memory_order_relaxed);

    return running->tokens[seat] && !seat_in(away | out, seat) &&
           str_eq(running->look.seats[seat].original, name);
}

static uint32_t count_seats(const NlpHall *hall, Str name)
{
    uint32_t count = 0;

    for (const Running *running = hall->running; running; running = running->next)
        for (SeatNo seat = 1; seat <= running->count; seat++)
            count += sits_there(running, seat, name);
    return count;
}

static bool has_name(const NlpAgent *agent, Str name)
{
    return agent && agent->name && str_eq(str_of(agent->name), name);
}

static uint32_t count_listed(const AgentList *list, Str name)
{
    uint32_t count = 0;

    for (const NlpAgent *agent = list->first; agent; agent = agent->next)
        count += has_name(agent, name);
    return count;
}

/* One of those whose match waits for characters; NULL = none. */
static NlpAgent *find_matched(const NlpHall *hall, bool (*wanted)(const NlpAgent *, Str), Str what)
{
    for (const Matched *matched = hall->matched; matched; matched = matched->next)
        for (SeatNo seat = 1; seat <= matched->party.count; seat++) {
            NlpAgent *agent = matched->party.agents[seat];
            if (agent && wanted(agent, what))
                return agent;
        }
    return NULL;
}

static int check_disconnect(const NlpHall *hall, Str name, Buf *would, Err *err)
{
    const uint32_t seats = count_seats(hall, name);
    const uint32_t waiting =
        count_listed(&hall->waiting, name) + count_listed(&hall->left_out, name) +
        count_listed(&hall->returning, name) + (find_matched(hall, has_name, name) != NULL);

    if (seats + waiting == 0)
        return err_set(err, ERR_USAGE, "no agent '%.*s' is connected", STR_ARG(name));
    buf_printf(would,
               "%" PRIu32 " connection%s of agent '%.*s' %s closed; of these %" PRIu32
               " ha%s a seat, which may be taken back as after any loss",
               seats + waiting, plural(seats + waiting), STR_ARG(name),
               seats + waiting == 1 ? "is" : "are", seats, seats == 1 ? "s" : "ve");
    return 0;
}

/* ---- checking ---- */

static int check_act(const NlpHall *hall, OperatorAct *act, Buf *would, Err *err)
{
    switch (act->kind) {
    case ACT_HOLD:
        return check_hold(hall, would, err);
    case ACT_GO_ON:
        return check_go_on(hall, would, err);
    case ACT_LEAVE_OUT:
        return check_leave_out(hall, act->team, would, err);
    case ACT_LET_IN:
        return check_let_in(hall, act->team, would, err);
    case ACT_VOID:
        return check_void(hall, act, would, err);
    case ACT_END:
        return check_end(hall, act, would, err);
    case ACT_DISCONNECT:
        return check_disconnect(hall, act->agent, would, err);
    case ACT_KINDS:
        break;
    }
    return err_set(err, ERR_RULE, "no such act");
}

int nlp_hall_act_check(const NlpHall *hall, const OperatorAct *act, OperatorAct *ret_act,
                       Buf *would, Err *err)
{
    OperatorAct own = *act;

    if (act->target == ACT_OF_SET)
        return err_set(err, ERR_RULE, "games of this division are in no sets: name a 'game'");
    if (hall->draining)
        return err_set(err, ERR_RULE, "the server is shutting down");
    int rc = check_act(hall, &own, would, err);
    if (rc == 0 && buf_failed(would))
        rc = err_set(err, ERR_MEMORY, "out of memory");
    if (rc == 0)
        *ret_act = own;
    return rc;
}

/* ---- doing ---- */

/* Behind a change of who is left out: all who wait go to the list where they belong now. */
static void sort_waiting(NlpHall *hall)
{
    AgentList lists[] = {hall->waiting, hall->left_out};

    hall->waiting = hall->left_out = (AgentList){0};
    for (size_t i = 0; i < 2; i++)
        for (NlpAgent *agent = lists[i].first, *next; agent; agent = next) {
            next = agent->next;
            hall_queue(hall, agent);
        }
}

static bool is_left_out(const NlpAgent *agent, Str unused)
{
    (void)unused;
    return operator_acts_is_out(agent->hall->acts, agent->team);
}

/* Their matches begin no more; all of them wait again. */
static void unmatch_left_out(NlpHall *hall)
{
    NlpAgent *agent;

    while ((agent = find_matched(hall, is_left_out, STR("")))) {
        hall_unmatch(hall, agent);
        hall_queue(hall, agent);
    }
}

void hall_follow_acts(NlpHall *hall, TimeUs now)
{
    const uint64_t total = operator_acts_total(hall->acts);

    if (total == hall->acts_seen)
        return;
    hall->acts_seen = total;
    hall_skip_matches(hall);
    unmatch_left_out(hall);
    sort_waiting(hall);
    hall->held_back = true; /* matches may be there that nobody looked for */
    hall_tell_complete(hall);
    hall_match(hall, now);
}

static int make_void(void *user, const GameRecord *record, Err *err)
{
    NlpHall *hall = user;
    bool again;

    (void)err;
    hall_replay_match(hall, record, &again);
    if (hall_remember_void(hall, str_of(record->id)))
        hall->counts.games_void++;
    return 0;
}

/* It is in the journal: what can't be done now is done when the server starts again. */
static void void_game(NlpHall *hall, Str id, TimeUs now)
{
    Err err = {0};

    if (result_journal_game(hall->setup.results, id, make_void, hall, &err))
        hall_note(hall, str_of(err.msg));
    if (hall->history)
        hall_save_history(hall, now);
}

static void end_game(NlpHall *hall, Str id, TimeUs now)
{
    Running *running = find_running(hall, id);

    if (!running)
        return;
    running->ended_by_operator = true;
    hall_give_task(hall, &(Task){.kind = TASK_ABORT, .running = running}, now);
}

static void refuse_listed(NlpHall *hall, const AgentList *list, Str name)
{
    for (NlpAgent *agent = list->first, *next; agent; agent = next) {
        next = agent->next;
        if (!has_name(agent, name))
            continue;
        if (agent->state == AGENT_RETURNING) {
            agent_list_drop(&hall->returning, agent);
            hall_take_off_way(hall, agent);
            hall_queue(hall, agent);
        }
        hall_refuse(hall, agent, CLOSE_BY_OPERATOR, "disconnected by the operator");
    }
}

static bool is_there(const NlpHall *hall, const Running *wanted)
{
    const Running *running = hall->running;

    while (running && running != wanted)
        running = running->next;
    return running != NULL;
}

/* A name sits once at a table, unless names need not be unique. The game may end by it. */
static void close_seats(NlpHall *hall, Running *running, Str name, TimeUs now)
{
    const SeatNo count = running->count;

    if (is_unwritten(hall, running))
        return;
    for (SeatNo seat = 1; seat <= count && is_there(hall, running); seat++)
        if (sits_there(running, seat, name))
            hall_give_task(hall, &(Task){.kind = TASK_CLOSE, .running = running, .seat = seat},
                           now);
}

static void disconnect(NlpHall *hall, Str name, TimeUs now)
{
    NlpAgent *agent;

    while ((agent = find_matched(hall, has_name, name))) {
        hall_unmatch(hall, agent);
        hall_queue(hall, agent);
    }
    refuse_listed(hall, &hall->waiting, name);
    refuse_listed(hall, &hall->left_out, name);
    refuse_listed(hall, &hall->returning, name);
    for (Running *running = hall->running, *next; running; running = next) {
        next = running->next;
        close_seats(hall, running, name, now);
    }
}

static void note_act(const NlpHall *hall, const OperatorAct *act)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "operator act=%s", operator_act_name(act->kind));
    if (act->id.len)
        buf_printf(&line, " game=%.*s", STR_ARG(act->id));
    if (act->team.bytes)
        buf_printf(&line, " team=%.*s", STR_ARG(act->team));
    if (act->agent.bytes)
        buf_printf(&line, " agent=%.*s", STR_ARG(act->agent));
    buf_printf(&line, " by=%.*s%s%.*s", STR_ARG(act->by), act->why.len ? ": " : "",
               STR_ARG(act->why));
    hall_note(hall, buf_str(&line));
}

static int keep_act(NlpHall *hall, const OperatorAct *act, Err *err)
{
    return hall->setup.results ? result_journal_act(hall->setup.results, act, err)
                               : operator_acts_add(hall->own_acts, act, err);
}

int nlp_hall_act(NlpHall *hall, const OperatorAct *act, TimeUs now, Err *err)
{
    CLEANUP(buf_done) Buf would = {0};
    OperatorAct own;
    int rc = operator_act_check(act, err);

    if (rc == 0)
        rc = nlp_hall_act_check(hall, act, &own, &would, err);
    if (rc)
        return rc;
    own.at_ms = hall_unix_ms(hall, now);
    rc = keep_act(hall, &own, err);
    if (rc)
        return rc;
    note_act(hall, &own);
    if (own.kind == ACT_VOID)
        void_game(hall, own.id, now);
    if (own.kind == ACT_END)
        end_game(hall, own.id, now);
    if (own.kind == ACT_DISCONNECT)
        disconnect(hall, own.agent, now);
    hall_follow_acts(hall, now);
    return 0;
}

const OperatorActs *nlp_hall_acts(const NlpHall *hall)
{
    return hall->acts;
}

const ResultJournal *nlp_hall_results(const NlpHall *hall)
{
    return hall->setup.results;
}
