#include "table/table.h"

#include <assert.h>

#include "base/mem.h"

/* ---- making ---- */

int table_new(Table *table, const Ruleset *rules, SeatNo count, Err *err)
{
    table->count = count;
    table->places = mem_new((count + 1u) * sizeof(*table->places));
    if (!table->places)
        return err_set(err, ERR_MEMORY, "new table: out of memory");
    return game_new(rules, count, &table->game, err);
}

void table_done(Table *table)
{
    for (SeatNo seat = 1; table->places && seat <= table->count; seat++)
        mem_free(table->places[seat].bot);
    table->places = mem_free(table->places);
    game_free(table->game);
    table->game = NULL;
}

int table_seat_bot(Table *table, SeatNo seat, const BotKind *kind, Err *err)
{
    TablePlace *place = &table->places[seat];

    place->kind = kind;
    place->bot = mem_new(kind->bytes);
    return place->bot ? 0 : err_set(err, ERR_MEMORY, "new table: out of memory");
}

int table_begin(Table *table, const GameSetup *setup, Chance chance, Err *err)
{
    table->told_game = table->told_end = table->held = table->aborted = false;
    table->result = (GameResult){.seat_count = table->count};
    table->reason = END_ABORTED;
    table->days = RESULT_DAYS_NONE;
    for (SeatNo seat = 1; seat <= table->count; seat++) {
        table->places[seat].ask_number = 0;
        table->places[seat].asked = false;
    }
    return game_start(table->game, setup, chance, err);
}

/* ---- who is there ---- */

/* Somebody living is in `states`, a set of 1 << ChairState. */
static bool lives_in(const Table *table, unsigned states)
{
    for (SeatSet left = game_alive(table->game); left; left &= left - 1)
        if (states & 1u << table->places[seat_first(left)].chair.state)
            return true;
    return false;
}

bool table_waits(const Table *table)
{
    return !table->fate.substitutes && !game_over(table->game) && !table->aborted &&
           game_winner(table->game) == SIDE_NONE &&
           !lives_in(table, 1u << CHAIR_IDLE | 1u << CHAIR_ASKED | 1u << CHAIR_PROBED);
}

/* ---- events ---- */

static void tell_all(Table *table, Tell what)
{
    for (SeatNo seat = 1; seat <= table->count; seat++)
        table->division->tell(table->user, seat, what);
}

/* Who is told of a day or night hears it before he is asked anything in it; until that first ask
 * nothing changes in a view. */
void table_event(Table *table, const Event *event)
{
    game_result_hear(&table->result, &table->reason, &table->days, event);
    table->division->event(table->user, event);
    if (event->kind == EVENT_NIGHT)
        tell_all(table, TELL_NIGHT);
    if (event->kind != EVENT_DAY)
        return;
    if (!table->told_game)
        tell_all(table, TELL_GAME);
    table->told_game = true;
    tell_all(table, TELL_DAY);
}

static void drain_events(Table *table)
{
    Event event;

    while (game_next_event(table->game, &event))
        table_event(table, &event);
}

void table_abort(Table *table)
{
    table->aborted = true;
    game_abort(table->game);
}

void table_follow(Table *table)
{
    Event event;

    while (!table_waits(table) && game_next_event(table->game, &event))
        table_event(table, &event);
    if (!table_waits(table) || lives_in(table, 1u << CHAIR_AWAY))
        return;
    table_abort(table); /* nobody will come back */
    drain_events(table);
}

/* ---- asks ---- */

static void give_answer(Table *table, SeatNo seat, Answer *answer)
{
    table->division->judge(table->user, seat, answer);
    game_answer(table->game, seat, answer, table->err);
}

static void tell_exchange(Table *table, SeatNo seat, const Answer *answer, const char *error)
{
    const TableExchange exchange = {.seat = seat, .answer = answer, .error = error};

    if (table->division->exchange)
        table->division->exchange(table->user, &exchange);
}

void table_ask_bot(Table *table, const Ask *ask)
{
    const TablePlace *place = &table->places[ask->seat];
    Answer answer = {.kind = ask->kind};

    place->kind->answer(place->bot, ask, game_view(table->game, ask->seat), &answer);
    answer.kind = ask->kind;
    if (answer.lapse && ask->standing)
        return;
    if (!ask->standing) /* an utterance of a session is told when it was judged */
        tell_exchange(table, ask->seat, &answer, NULL);
    give_answer(table, ask->seat, &answer);
}

/* True when it was answered at once. */
static bool put_ask(Table *table, const Ask *ask)
{
    TablePlace *place = &table->places[ask->seat];

    if (ask->standing || place->ask_number == ask->number + 1)
        return false;
    place->ask_number = ask->number + 1;
    if (table->division->asked)
        table->division->asked(table->user, ask);
    if (place->kind) {
        table_ask_bot(table, ask);
        return true;
    }
    if (table->fate.substitutes && chair_is_gone(&place->chair)) {
        give_answer(table, ask->seat, &(Answer){.kind = ask->kind, .lapse = true});
        return true;
    }
    if (ask->kind == ASK_BID && !place->chair.bids) {
        give_answer(table, ask->seat, &(Answer){.kind = ask->kind, .lapse = true});
        return true;
    }
    place->asked = true;
    chair_ask(&place->chair, ask, game_view(table->game, ask->seat), table->now);
    return false;
}

/* Asks that are open together are independent: answering them one after the other is as good as
 * side by side. True when something was answered at once. */
static bool put_asks(Table *table)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(table->game, asks);
    bool answered = false;

    for (size_t i = 0; i < count; i++)
        answered |= put_ask(table, &asks[i]);
    return answered;
}

bool table_run(Table *table)
{
    do {
        table_follow(table);
    } while (!game_over(table->game) && !table->held && put_asks(table));
    if (!game_over(table->game))
        return false;
    if (!table->told_end)
        tell_all(table, TELL_END);
    table->told_end = true;
    return true;
}

/* ---- who is gone, and what that leads to ---- */

static int32_t out_count(const Table *table)
{
    int32_t out = 0;

    for (SeatNo seat = 1; seat <= table->count; seat++)
        out += table->places[seat].chair.state == CHAIR_OUT &&
               !(table->fate.spares_dead && table->places[seat].died_before);
    return out;
}

/* Its chair is OUT. */
static FateEnd become_out(Table *table, SeatNo seat)
{
    if (table->division->out)
        table->division->out(table->user, seat);
    FateEnd end = fate_of(&table->fate, out_count(table), lives_in(table, ~(1u << CHAIR_OUT)));
    table->aborted |= end != FATE_PLAY_ON;
    if (end == FATE_ABORT)
        game_abort(table->game);
    else if (end == FATE_END_BEHIND_PHASE)
        game_end_after_phase(table->game);
    return end;
}

/* Nobody is there any more; its chair is AWAY or OUT. */
static void become_away(Table *table, SeatNo seat, ChairCame came, const ChairReport *report,
                        const char *why)
{
    TablePlace *place = &table->places[seat];
    Answer lapse = {.kind = place->chair.kind, .lapse = true};
    bool asked = place->asked;

    place->asked = false;
    table->division->fault(table->user, seat, &report->fault);
    if (asked)
        tell_exchange(table, seat, &lapse, why);
    place->died_before = !seat_in(game_alive(table->game), seat);
    table->division->left(table->user, seat, why);
    if (!table->fate.substitutes)
        game_set_away(table->game, seat, true, NULL);
    FateEnd end = came == CAME_OUT ? become_out(table, seat) : FATE_PLAY_ON;
    if (asked && table->fate.substitutes && end != FATE_ABORT)
        give_answer(table, seat, &lapse);
}

void table_lose(Table *table, SeatNo seat, const char *why)
{
    Chair *chair = &table->places[seat].chair;
    ChairReport report;

    if (chair_is_gone(chair))
        return;
    table_follow(table);
    ChairCame came = chair_lose(chair, FAULT_DISCONNECT, STR(""), table->now, &report);
    become_away(table, seat, came, &report, why);
}

void table_return(Table *table, SeatNo seat)
{
    game_set_away(table->game, seat, false, NULL);
    chair_return(&table->places[seat].chair);
    table_follow(table);
}

/* ---- what comes ---- */

static void take_answer(Table *table, SeatNo seat, const ChairReport *report, const char *error)
{
    Answer answer = report->answer;

    table->places[seat].asked = false;
    if (report->at_fault)
        table->division->fault(table->user, seat, &report->fault);
    tell_exchange(table, seat, &answer, error);
    give_answer(table, seat, &answer);
    if (table->division->judged)
        table->division->judged(table->user, seat, &answer);
}

void table_came(Table *table, SeatNo seat, ChairCame came, const ChairReport *report, Str text,
                const char *why)
{
    switch (came) {
    case CAME_STRAY:
        table->division->stray(table->user, seat, text);
        break;
    case CAME_ANSWER:
        take_answer(table, seat, report, NULL);
        break;
    case CAME_LAPSE: /* the request failed but its participant lives */
        take_answer(table, seat, report, "no reply in time");
        break;
    case CAME_AWAY:
    case CAME_OUT:
        if (report->at_fault)
            become_away(table, seat, came, report, why);
        else
            become_out(table, seat); /* it was AWAY for too long */
        break;
    case CAME_NOTHING:
    case CAME_NAME: /* it was known when it came; and nothing that it says is a fault */
        break;
    }
}

void table_hear(Table *table, SeatNo seat, Str text, TimeUs at)
{
    ChairReport report;
    ChairCame came = chair_hear(&table->places[seat].chair, text, at, table->now, &report);

    table_came(table, seat, came, &report, text, "");
}

bool table_due(Table *table, SeatNo seat, const char *why)
{
    ChairReport report;
    ChairCame came = chair_due(&table->places[seat].chair, table->now, &report);

    table_came(table, seat, came, &report, STR(""), why);
    return report.at_fault;
}

/* ---- looking ---- */

TimeUs table_deadline(const Table *table)
{
    TimeUs first = TIME_US_NEVER;

    for (SeatNo seat = 1; seat <= table->count; seat++) {
        TimeUs own = chair_deadline(&table->places[seat].chair);
        first = own < first ? own : first;
    }
    return first;
}

bool table_has_open_asks(const Table *table)
{
    for (SeatNo seat = 1; seat <= table->count; seat++)
        if (table->places[seat].asked)
            return true;
    return false;
}

void table_record(const Table *table, GameRecord *ret_record)
{
    Str names[SEAT_MAX + 1];

    memcpy(names, ret_record->result.names, sizeof(names));
    ret_record->result = table->result;
    memcpy(ret_record->result.names, names, sizeof(names));
    ret_record->reason = table->reason;
    for (SeatNo seat = 1; seat <= table->count; seat++) {
        const TablePlace *place = &table->places[seat];
        SeatRecord *own = &ret_record->seats[seat];
        ret_record->result.roles[seat] = game_role(table->game, seat);
        own->outside = place->kind == NULL;
        if (own->outside)
            chair_record(&place->chair, own);
    }
}

void table_check(const Table *table)
{
    for (SeatNo seat = 1; seat <= table->count; seat++) {
        const TablePlace *place = &table->places[seat];
        chair_check(&place->chair);
        assert(!place->kind || place->chair.state == CHAIR_IDLE);
        assert(!place->asked || !chair_is_gone(&place->chair));
    }
}
