/* What operators do to a hall that serves: whether it can be done now, what will come of it in
 * words, and doing it. A set is the least that is played again: its seats are dealt for all of its
 * games. */
#include "match/hall_state.h"

#include <inttypes.h>

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* The table at which a set is played; NULL when it is none, or over. */
static HallTable *find_table(const Hall *hall, uint64_t set)
{
    HallTable *at = hall->tables;

    while (at && (!at->table || at->ended || hall_set_number(at) != set))
        at = at->next;
    return at;
}

static uint32_t count_tables(const Hall *hall)
{
    uint32_t count = 0;

    for (const HallTable *at = hall->tables; at; at = at->next)
        count += at->table && at->started;
    return count;
}

/* ---- hold, go on ---- */

static int check_hold(const Hall *hall, Buf *would, Err *err)
{
    const uint32_t tables = count_tables(hall);

    if (hall_is_held(hall))
        return err_set(err, ERR_RULE, "it is held already: no game begins");
    buf_printf(would,
               "no further game begins until 'go-on', agents wait; the game%s at %" PRIu32
               " table%s go%s "
               "on to the end, and the server does not end by itself meanwhile",
               plural(tables), tables, plural(tables), tables == 1 ? "es" : "");
    return 0;
}

static int check_go_on(const Hall *hall, Buf *would, Err *err)
{
    if (!hall_is_held(hall))
        return err_set(err, ERR_RULE, "it is not held: games begin");
    buf_add(would, STR("games begin again"));
    return 0;
}

/* ---- agents ---- */

static bool is_named(const PlanAgent *agent, Str name)
{
    return str_eq(str_of(agent->name), name);
}

static uint32_t count_waiting(const Hall *hall, Str name)
{
    uint32_t count = 0;

    for (const HallGuest *guest = hall->guests; guest; guest = guest->next)
        count += guest->state == GUEST_WAITING && is_named(&guest->plan, name);
    return count;
}

/* Seats that it has, at tables where games are to come. */
static uint32_t count_seats(const Hall *hall, Str name)
{
    uint32_t count = 0;

    for (const HallTable *at = hall->tables; at; at = at->next)
        for (SeatNo seat = 1; at->table && seat <= set_table_seat_count(at->table); seat++)
            count += set_table_has_agent(at->table, seat) &&
                     str_eq(set_table_name(at->table, seat), name);
    return count;
}

static bool is_of_the_house(const Hall *hall, Str name)
{
    for (uint32_t i = 0; i < hall->plan->bot_count; i++)
        if (is_named(&hall->plan->bots[i], name))
            return true;
    return false;
}

static bool has_played(const Hall *hall, Str name)
{
    const Played *played = hall->run ? hall->run->played : NULL;

    for (uint64_t set = 0; played && set < played->set_count; set++)
        for (SeatNo seat = 1; seat <= played->sets[set].count; seat++)
            if (str_eq(str_of(played->sets[set].names[seat]), name))
                return true;
    return false;
}

static int check_leave_out(const Hall *hall, Str name, Buf *would, Err *err)
{
    const uint32_t waiting = count_waiting(hall, name);
    const uint32_t seats = count_seats(hall, name);

    if (operator_acts_is_out(hall->plan->acts, name))
        return err_set(err, ERR_RULE, "agent '%.*s' is left out already", STR_ARG(name));
    if (is_of_the_house(hall, name))
        return err_set(err, ERR_RULE,
                       "agent '%.*s' is started by the server for each set: start the server "
                       "without it",
                       STR_ARG(name));
    if (!waiting && !seats && !has_played(hall, name))
        return err_set(err, ERR_USAGE, "no agent '%.*s' was here", STR_ARG(name));
    buf_printf(
        would,
        "no set begins with agent '%.*s' any more; %" PRIu32 " connection%s of it may wait, and "
        "%" PRIu32 " seat%s that it has %s played on to the end of the set",
        STR_ARG(name), waiting, plural(waiting), seats, plural(seats), seats == 1 ? "is" : "are");
    return 0;
}

static int check_let_in(const Hall *hall, Str name, Buf *would, Err *err)
{
    if (!operator_acts_is_out(hall->plan->acts, name))
        return err_set(err, ERR_RULE, "agent '%.*s' is not left out", STR_ARG(name));
    buf_printf(would, "agent '%.*s' plays again; %" PRIu32 " connection%s of it wait",
               STR_ARG(name), count_waiting(hall, name), plural(count_waiting(hall, name)));
    return 0;
}

static int check_disconnect(const Hall *hall, Str name, Buf *would, Err *err)
{
    const uint32_t waiting = count_waiting(hall, name);
    const uint32_t seats = count_seats(hall, name);

    if (waiting + seats == 0)
        return err_set(err, ERR_USAGE, "no agent '%.*s' is connected", STR_ARG(name));
    buf_printf(would,
               "%" PRIu32 " connection%s of agent '%.*s' %s closed; of these %" PRIu32
               " ha%s a seat, "
               "which is a fault of the agent, as any loss is",
               waiting + seats, plural(waiting + seats), STR_ARG(name),
               waiting + seats == 1 ? "is" : "are", seats, seats == 1 ? "s" : "ve");
    return 0;
}

/* ---- sets ---- */

static bool is_void(const Hall *hall, uint64_t set)
{
    const Played *played = hall->run ? hall->run->played : NULL;
    const PlayedSet *before = played ? played_set(played, set) : NULL;
    OperatorAct act;

    for (uint32_t i = 0; operator_acts_at(hall->plan->acts, i, &act); i++)
        if ((act.kind == ACT_VOID || act.kind == ACT_END) && act.number == set)
            return true;
    return before && before->is_void;
}

static int check_set(const Hall *hall, const OperatorAct *act, Err *err)
{
    if (act->target != ACT_OF_SET)
        return err_set(
            err, ERR_RULE,
            "a game of this division is played in a set, in which seats are dealt for all: "
            "name a 'set'");
    if (act->number >= hall->next_set)
        return err_set(err, ERR_USAGE, "no set %" PRIu64 " was begun", act->number);
    if (is_void(hall, act->number))
        return err_set(err, ERR_RULE, "set %" PRIu64 " is void already", act->number);
    return 0;
}

static int check_void(const Hall *hall, const OperatorAct *act, Buf *would, Err *err)
{
    int rc = check_set(hall, act, err);

    if (rc)
        return rc;
    if (find_table(hall, act->number))
        return err_set(err, ERR_RULE, "set %" PRIu64 " is not over: 'end' ends it", act->number);
    buf_printf(would, "set %" PRIu64 " counts for nobody, and one more set is played, by who comes",
               act->number);
    return 0;
}

static int check_end(const Hall *hall, const OperatorAct *act, Buf *would, Err *err)
{
    int rc = check_set(hall, act, err);

    if (rc)
        return rc;
    if (!find_table(hall, act->number))
        return err_set(err, ERR_RULE, "set %" PRIu64 " is over: 'void' makes it void", act->number);
    buf_printf(would,
               "set %" PRIu64
               " ends now, its agents are sent away, none of its games counts, and one "
               "more set is played, by who comes",
               act->number);
    return 0;
}

/* ---- checking ---- */

int hall_act_check(const Hall *hall, const OperatorAct *act, Buf *would, Err *err)
{
    if (hall->stopping || hall->ended)
        return err_set(err, ERR_RULE, "the server is shutting down");
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

/* ---- doing ---- */

/* Tables stay in the list until their alarms. */
static void release_tables(Hall *hall)
{
    for (HallTable *at = hall->tables; at; at = at->next) {
        if (!at->table)
            continue;
        if (at->started)
            set_table_release(at->table, hall->now);
        else
            hall_start_when_complete(at);
    }
}

static void end_set(Hall *hall, uint64_t set)
{
    HallTable *at = find_table(hall, set);

    if (!at)
        return;
    at->ended = true;
    set_table_stop(at->table);
}

static void disconnect_guests(Hall *hall, Str name)
{
    for (HallGuest *guest = hall->guests, *next; guest; guest = next) {
        next = guest->next;
        if (guest->state == GUEST_WAITING && is_named(&guest->plan, name))
            aiwolf_agent_fail(guest->agent, FAULT_DISCONNECT, STR("disconnected by the operator"),
                              hall->now); /* which frees both */
    }
}

static void disconnect_seats(Hall *hall, Str name)
{
    for (HallTable *at = hall->tables; at; at = at->next)
        for (SeatNo seat = 1; at->table && seat <= set_table_seat_count(at->table); seat++)
            if (str_eq(set_table_name(at->table, seat), name))
                set_table_disconnect(at->table, seat, hall->now);
}

void hall_act(Hall *hall, const OperatorAct *act, TimeUs now)
{
    hall->now = now;
    switch (act->kind) {
    case ACT_GO_ON:
        release_tables(hall);
        break;
    case ACT_VOID:
        hall->sets_over -= hall->sets_over > 0;
        break;
    case ACT_END:
        end_set(hall, act->number);
        break;
    case ACT_DISCONNECT:
        disconnect_guests(hall, act->agent);
        disconnect_seats(hall, act->agent);
        break;
    case ACT_HOLD:
    case ACT_LEAVE_OUT:
    case ACT_LET_IN:
    case ACT_KINDS:
        break;
    }
    hall_open_tables(hall);
    hall_stop_when_done(hall);
}

/* ---- looking ---- */

bool hall_set_at(const Hall *hall, uint32_t index, uint64_t *ret_set, SeatNo *ret_count,
                 Str ret_names[static SEAT_MAX + 1])
{
    const HallTable *at = hall->tables;

    while (at && (!at->table || at->ended || index-- > 0))
        at = at->next;
    if (!at)
        return false;
    *ret_set = hall_set_number(at);
    *ret_count = set_table_seat_count(at->table);
    for (SeatNo seat = 1; seat <= *ret_count; seat++)
        ret_names[seat] = set_table_name(at->table, seat);
    return true;
}

bool hall_waiting_at(const Hall *hall, uint32_t index, Str *ret_name)
{
    const HallGuest *guest = hall->guests;

    while (guest && (guest->state != GUEST_WAITING || index-- > 0))
        guest = guest->next;
    if (guest)
        *ret_name = str_of(guest->plan.name);
    return guest != NULL;
}
