#include "nlp/table_state.h"

/* Somebody living is in `states`, a set of 1 << ChairState. */
static bool lives_in(const Table *table, unsigned states)
{
    for (SeatSet left = game_alive(table->game); left; left &= left - 1)
        if (states & 1u << table->places[seat_first(left)].chair.state)
            return true;
    return false;
}

/* With nobody there who could be asked the days would fly by, up to the last one there is: the
 * game waits for who may still come back. */
static bool waits_for_return(const Table *table)
{
    return !game_over(table->game) && !table->aborted && game_winner(table->game) == SIDE_NONE &&
           !lives_in(table, 1u << CHAIR_IDLE | 1u << CHAIR_ASKED | 1u << CHAIR_PROBED);
}

/* Events as far as the game gets without a reply. */
static void follow_game(Table *table)
{
    Event event;

    while (!waits_for_return(table) && game_next_event(table->game, &event))
        table_hear(table, &event);
    if (!waits_for_return(table) || lives_in(table, 1u << CHAIR_AWAY))
        return;
    table->aborted = true;
    game_abort(table->game);
    table_drain(table);
}

static void finish_game(Table *table)
{
    bool complete = !table->log_failed; /* the game log ends with the result */
    Err err = {0};

    table_tell_all(table, NLP_FINISH);
    table->over = true;
    if (json_log_close(TAKE(table->json_log),
                       table->log_failed ? SIDE_NONE : game_winner(table->game),
                       table->config->sync_logs, &err))
        table_log_trouble(table, &err);
    if (complete && table->log_failed && table->game_log) /* the match is played again */
        line_file_take_back(table->game_log);
    if (line_file_close(TAKE(table->game_log), table->config->sync_logs, &err))
        table_log_trouble(table, &err);
}

/* ---- asks ---- */

static bool seat_in_errored(const Table *table, SeatNo seat)
{
    return seat >= 1 && seat <= table->count && table->places[seat].chair.state == CHAIR_OUT;
}

static void give_answer(Table *table, SeatNo seat, Answer *answer)
{
    /* In the reference nobody can be meant who has failed (4.5) */
    if (table->config->strict && seat_in_errored(table, answer->target))
        answer->target = SEAT_NONE;
    game_answer(table->game, seat, answer, NULL);
}

static void ask_bot(Table *table, const Ask *ask)
{
    const NlpPlace *place = &table->places[ask->seat];
    Answer answer = {.kind = ask->kind};

    place->kind->answer(place->bot, ask, game_view(table->game, ask->seat), &answer);
    answer.kind = ask->kind;
    if (answer.lapse && ask->standing)
        return;
    if (!ask->standing) { /* an utterance of a session is logged when it was judged */
        table_put_packet(table, ask->seat, nlp_request_for(ask->kind), NULL,
                         &table->scratch->packet);
        Str said = answer.text;
        if (ask->kind >= ASK_VOTE && answer.target <= table->count && answer.target)
            said = table->seats[answer.target].name;
        table_log_entry(table, table->seats[ask->seat].name, buf_str(&table->scratch->packet),
                        table->now, said, NULL);
    }
    give_answer(table, ask->seat, &answer);
}

/* Puts what is not asked yet. True when something was answered at once. */
static bool put_asks(Table *table)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(table->game, asks);
    bool answered = false;

    for (size_t i = 0; i < count; i++) {
        NlpPlace *place = &table->places[asks[i].seat];
        if (asks[i].standing || place->ask_number == asks[i].number + 1)
            continue;
        place->ask_number = asks[i].number + 1;
        if (place->kind) {
            ask_bot(table, &asks[i]);
            answered = true;
        } else {
            chair_ask(&place->chair, &asks[i], game_view(table->game, asks[i].seat), table->now);
        }
    }
    return answered;
}

/* The game goes on as far as it can without a reply or time. */
void table_run(Table *table)
{
    if (table->over)
        return;
    do {
        do {
            follow_game(table);
        } while (!game_over(table->game) && !table->held && put_asks(table));
        if (game_over(table->game)) {
            finish_game(table);
            return;
        }
    } while (!table_flush_logs(table)); /* that ends the game */
}

/* The request of a seat is over. `error` NULL: it was answered by `response`. */
static void log_request(Table *table, NlpPlace *place, Str response, const char *error)
{
    table_log_entry(table, table->seats[place->seat].name, buf_str(&place->request),
                    place->chair.clock.sent_at, response, error);
    buf_done(&place->request); /* an idle chair keeps no memory */
}

/* ---- participants that fail ---- */

static void end_if_too_many(Table *table)
{
    int32_t errored = 0;

    for (SeatNo seat = 1; seat <= table->count; seat++)
        errored += table->places[seat].chair.state == CHAIR_OUT && !table->places[seat].died_before;
    FateEnd end = fate_of(&table->fate, errored, lives_in(table, ~(1u << CHAIR_OUT)));
    table->aborted |= end != FATE_PLAY_ON;
    if (end == FATE_ABORT)
        game_abort(table->game);
    else if (end == FATE_END_BEHIND_PHASE)
        game_end_after_phase(table->game);
}

/* Its chair is OUT. */
static void become_errored(Table *table, SeatNo seat)
{
    table->writer.errored |= seat_bit(seat);
    table->masked_writer.errored |= seat_bit(seat);
    table_note(table, "errored", seat, NULL);
    end_if_too_many(table);
}

/* Nobody is there any more; its chair is AWAY or OUT. */
static void become_away(Table *table, SeatNo seat, ChairCame came, const ChairReport *report,
                        const char *why)
{
    NlpPlace *place = &table->places[seat];

    table_fault(table, seat, &report->fault);
    if (report->asked)
        log_request(table, place, STR(""), why);
    place->died_before = !seat_in(game_alive(table->game), seat);
    table_note(table, "away", seat, why);
    game_set_away(table->game, seat, true, NULL);
    if (came == CAME_OUT)
        become_errored(table, seat);
}

void table_gone(Table *table, SeatNo seat, TimeUs now)
{
    Chair *chair = &table->places[seat].chair;
    ChairReport report;

    table->now = now;
    chair_close(chair);
    if (table->over || chair_is_gone(chair))
        return;
    follow_game(table);
    ChairCame came = chair_lose(chair, FAULT_DISCONNECT, STR(""), table->now, &report);
    become_away(table, seat, came, &report, "the connection was lost");
    table_run(table);
}

bool table_is_away(const Table *table, SeatNo seat, Str original)
{
    return table->places[seat].chair.state == CHAIR_AWAY &&
           str_eq(table->seats[seat].original, original);
}

SeatNo table_away_seat(const Table *table, Str original)
{
    for (SeatNo seat = 1; seat <= table->count; seat++)
        if (table_is_away(table, seat, original))
            return seat;
    return SEAT_NONE;
}

bool table_has_away(const Table *table)
{
    for (SeatNo seat = 1; seat <= table->count; seat++)
        if (table->places[seat].chair.state == CHAIR_AWAY)
            return !table->over;
    return false;
}

/* What a session has seen so far, for one who comes back to it. */
static void retell_room(Table *table, SeatNo seat)
{
    const View *view = game_view(table->game, seat);
    const TalkLog *log = table->room_whispers ? view->whisper : view->talk;
    SeatSet all = table->room_seats;

    table->room_seats = seat_bit(seat);
    table_tell_room(table, table->room_whispers ? NLP_WHISPER_PHASE_START : NLP_TALK_PHASE_START,
                    NULL);
    for (uint32_t i = 0; i < log->count; i++)
        table_tell_room(table, table->room_whispers ? NLP_WHISPER_BROADCAST : NLP_TALK_BROADCAST,
                        &log->items[i]);
    table->room_seats = all;
}

bool table_rejoin(Table *table, SeatNo seat, void *peer, TimeUs now)
{
    NlpPlace *place = &table->places[seat];

    table->now = now;
    if (table->over || place->chair.state != CHAIR_AWAY)
        return false;
    /* Where all were away the game stood still, and goes on now, with this seat: what happens until
     * it is asked is no news to it before INITIALIZE. */
    game_set_away(table->game, seat, false, NULL);
    chair_return(&place->chair);
    follow_game(table);
    table_seat_peer(place, peer);
    place->speaker.cursor = (NlpCursor){0, 0};
    table_note(table, "rejoined", seat, NULL);
    table_tell(table, seat, NLP_INITIALIZE);
    table_tell(table, seat, NLP_DAILY_INITIALIZE);
    if (table->room && seat_in(table->room_seats, seat))
        retell_room(table, seat);
    table_run(table);
    return true;
}

/* ---- replies ---- */

static void on_reply(Table *table, SeatNo seat, ChairReport *report)
{
    log_request(table, &table->places[seat], buf_str(&table->scratch->text), NULL);
    give_answer(table, seat, &report->answer);
    table_run(table);
}

/* The request failed but its participant lives (6.2). */
static void on_lapse(Table *table, SeatNo seat, ChairReport *report)
{
    table_fault(table, seat, &report->fault);
    log_request(table, &table->places[seat], STR(""), "no reply in time");
    give_answer(table, seat, &report->answer);
    table_run(table);
}

/* A message without a request: an utterance when a session is open, else nothing. */
static void on_utterance(Table *table, SeatNo seat, Str text)
{
    NlpPlace *place = &table->places[seat];
    int32_t rate = table->config->rate_per_minute;

    if (!table->room || !game_is_asked(table->game, seat, table_room_ask(table))) {
        place->chair.counts.strays++;
        return;
    }
    bool over = str_eq(str_trim(text), STR("Over")); /* is always taken, or all would wait for it */
    if (rate > 0 && !over && table->now - place->said_at < 60000000 / rate)
        return;
    buf_clear(&table->scratch->text);
    buf_add(&table->scratch->text, text);
    for (size_t i = 0; i < table->scratch->text.len && !table->config->strict;
         i++) /* 1.4, target */
        if (table->scratch->text.bytes[i] == '\n')
            table->scratch->text.bytes[i] = ' ';
    Answer answer = {.kind = table_room_ask(table), .text = buf_str(&table->scratch->text)};
    if (game_answer(table->game, seat, &answer, NULL) == 0)
        place->said_at = table->now;
    table_run(table);
}

static void on_stray(Table *table, SeatNo seat, Str text)
{
    Chair *chair = &table->places[seat].chair;

    if (chair->state == CHAIR_IDLE)
        on_utterance(table, seat, text);
    else
        chair->counts.strays++;
}

void table_message(Table *table, SeatNo seat, Str text, TimeUs now)
{
    ChairReport report;

    table_tick(table, now);
    if (table->over)
        return;
    switch (chair_hear(&table->places[seat].chair, text, table->now, table->now, &report)) {
    case CAME_STRAY:
        on_stray(table, seat, text);
        break;
    case CAME_ANSWER:
        on_reply(table, seat, &report);
        break;
    case CAME_LAPSE:
        on_lapse(table, seat, &report);
        break;
    case CAME_NOTHING:
    case CAME_NAME: /* it was known when it came; and nothing that it says is a fault */
    case CAME_AWAY:
    case CAME_OUT:
        break;
    }
}

/* ---- time ---- */

/* A bot's next word in an open session. */
static void bot_speaks(Table *table, SeatNo seat)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(table->game, asks);

    table->places[seat].bot_at = TIME_US_NEVER;
    for (size_t i = 0; i < count; i++)
        if (asks[i].seat == seat && asks[i].standing) {
            table->places[seat].bot_at = table_bot_pause(table);
            ask_bot(table, &asks[i]);
            return;
        }
}

static TimeUs seat_deadline(const Table *table, SeatNo seat)
{
    const NlpPlace *place = &table->places[seat];

    return place->kind ? place->bot_at : chair_deadline(&place->chair);
}

static void on_deadline(Table *table, SeatNo seat)
{
    NlpPlace *place = &table->places[seat];
    void *peer = place->peer;
    ChairReport report;

    if (place->kind) {
        bot_speaks(table, seat);
        return;
    }
    ChairCame came = chair_due(&place->chair, table->now, &report);
    if (report.at_fault) {
        become_away(table, seat, came, &report, "no reply and no answer to NAME in time");
        table->out.drop(peer, CLOSE_NO_ANSWER, "no answer to NAME in time");
    } else if (came == CAME_OUT)
        become_errored(table, seat);
}

void table_tick(Table *table, TimeUs now)
{
    if (table->over)
        return;
    if (now > table->now)
        table->now = now;
    if (!waits_for_return(table))
        game_tick(table->game, game_ms(table, table->now));
    table_run(table);
    for (SeatNo seat = 1; seat <= table->count && !table->over; seat++) {
        if (seat_deadline(table, seat) > table->now)
            continue;
        on_deadline(table, seat);
        table_run(table);
    }
}

TimeUs table_deadline(const Table *table)
{
    TimeUs first = table->flush_at;

    if (table->over)
        return TIME_US_NEVER;
    if (game_deadline(table->game) != TIME_NEVER && !waits_for_return(table))
        first = table->began + 1000 * game_deadline(table->game);
    for (SeatNo seat = 1; seat <= table->count; seat++)
        if (seat_deadline(table, seat) < first)
            first = seat_deadline(table, seat);
    return first;
}

void table_go_on(Table *table, TimeUs now)
{
    table->held = false;
    table_tick(table, now);
}

void table_abort(Table *table, TimeUs now)
{
    if (table->over)
        return;
    table->now = now;
    table->aborted = true;
    table->held = false;
    game_abort(table->game);
    table_run(table);
}
