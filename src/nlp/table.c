#include "nlp/table_state.h"

static void finish_game(NlpTable *table)
{
    bool complete = !table->log_failed; /* the game log ends with the result */
    Err err = {0};

    table->over = true;
    if (json_log_close(TAKE(table->json_log),
                       table->log_failed ? SIDE_NONE : game_winner(table->core.game),
                       table->config->sync_logs, &err))
        nlp_table_log_trouble(table, &err);
    if (complete && table->log_failed && table->game_log) /* the match is played again */
        line_file_take_back(table->game_log);
    if (line_file_close(TAKE(table->game_log), table->config->sync_logs, &err))
        nlp_table_log_trouble(table, &err);
}

/* An open session goes on while something is spoken. */
static void tell_pause(NlpTable *table)
{
    const bool paused = (table->core.held && !table->room) || table_waits(&table->core);
    const TimeMs until = table->room ? game_deadline(table->core.game) : TIME_NEVER;

    if (!table->out.paused || paused == table->told_paused)
        return;
    table->told_paused = paused;
    table->out.paused(table->out.user, paused, table->room_whispers ? ACTION_WHISPER : ACTION_TALK,
                      until == TIME_NEVER ? TIME_US_NEVER : table->began + 1000 * until,
                      table->core.now);
}

/* The game goes on as far as it can without a reply or time. */
void nlp_table_run(NlpTable *table)
{
    if (table->over)
        return;
    do {
        if (table_run(&table->core)) {
            finish_game(table);
            return;
        }
    } while (!nlp_table_flush_logs(table)); /* that ends the game */
    tell_pause(table);
}

/* ---- what is asked and answered ---- */

static bool seat_in_errored(const NlpTable *table, SeatNo seat)
{
    return seat >= 1 && seat <= table->core.count &&
           table->core.places[seat].chair.state == CHAIR_OUT;
}

static void on_judge(void *user, SeatNo seat, Answer *answer)
{
    const NlpTable *table = user;

    (void)seat;
    /* In the reference nobody can be meant who has failed (4.5) */
    if (table->config->strict && seat_in_errored(table, answer->target))
        answer->target = SEAT_NONE;
}

static void log_bot(NlpTable *table, SeatNo seat, const Answer *answer)
{
    Str said = answer->text;

    nlp_table_put_packet(table, seat, nlp_request_for(answer->kind), NULL, &table->scratch->packet);
    if (answer->kind >= ASK_VOTE && answer->target <= table->core.count && answer->target)
        said = table->seats[answer->target].name;
    nlp_table_log_entry(table, table->seats[seat].name, buf_str(&table->scratch->packet),
                        table->core.now, said, NULL);
}

static void on_exchange(void *user, const TableExchange *exchange)
{
    NlpTable *table = user;
    NlpPlace *place = &table->places[exchange->seat];
    const TablePlace *at = &table->core.places[exchange->seat];

    if (at->kind) {
        log_bot(table, exchange->seat, exchange->answer);
        return;
    }
    nlp_table_log_entry(
        table, table->seats[exchange->seat].name, buf_str(&place->request), at->chair.clock.sent_at,
        exchange->error ? STR("") : buf_str(&table->scratch->text), exchange->error);
    buf_done(&place->request); /* an idle chair keeps no memory */
}

/* ---- participants that fail ---- */

static void on_left(void *user, SeatNo seat, const char *why)
{
    nlp_table_note(user, "away", seat, why);
}

static void on_out(void *user, SeatNo seat)
{
    NlpTable *table = user;

    table->writer.errored |= seat_bit(seat);
    table->masked_writer.errored |= seat_bit(seat);
    nlp_table_note(table, "errored", seat, NULL);
}

void nlp_table_gone(NlpTable *table, SeatNo seat, TimeUs now)
{
    table->core.now = now;
    chair_close(&table->core.places[seat].chair);
    if (table->over)
        return;
    table_lose(&table->core, seat, "the connection was lost");
    nlp_table_run(table);
}

bool nlp_table_is_away(const NlpTable *table, SeatNo seat, Str original)
{
    return table->core.places[seat].chair.state == CHAIR_AWAY &&
           str_eq(table->seats[seat].original, original);
}

SeatNo nlp_table_away_seat(const NlpTable *table, Str original)
{
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        if (nlp_table_is_away(table, seat, original))
            return seat;
    return SEAT_NONE;
}

bool nlp_table_has_away(const NlpTable *table)
{
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        if (table->core.places[seat].chair.state == CHAIR_AWAY)
            return !table->over;
    return false;
}

/* What a session has seen so far, for one who comes back to it. */
static void retell_room(NlpTable *table, SeatNo seat)
{
    const View *view = game_view(table->core.game, seat);
    const TalkLog *log = table->room_whispers ? view->whisper : view->talk;
    SeatSet all = table->room_seats;

    table->room_seats = seat_bit(seat);
    nlp_table_tell_room(
        table, table->room_whispers ? NLP_WHISPER_PHASE_START : NLP_TALK_PHASE_START, NULL);
    for (uint32_t i = 0; i < log->count; i++)
        nlp_table_tell_room(table,
                            table->room_whispers ? NLP_WHISPER_BROADCAST : NLP_TALK_BROADCAST,
                            &log->items[i]);
    table->room_seats = all;
}

bool nlp_table_rejoin(NlpTable *table, SeatNo seat, void *peer, TimeUs now)
{
    NlpPlace *place = &table->places[seat];

    table->core.now = now;
    if (table->over || table->core.places[seat].chair.state != CHAIR_AWAY)
        return false;
    /* Where all were away the game stood still, and goes on now, with this seat: what happens until
     * it is asked is no news to it before INITIALIZE. */
    table_return(&table->core, seat);
    nlp_table_seat_peer(place, peer);
    place->speaker.cursor = (NlpCursor){0, 0};
    nlp_table_note(table, "rejoined", seat, NULL);
    nlp_table_tell(table, seat, NLP_INITIALIZE);
    nlp_table_tell(table, seat, NLP_DAILY_INITIALIZE);
    if (table->room && seat_in(table->room_seats, seat))
        retell_room(table, seat);
    nlp_table_run(table);
    return true;
}

/* ---- replies ---- */

/* A message without a request: an utterance when a session is open, else nothing. */
static void on_utterance(NlpTable *table, SeatNo seat, Str text)
{
    NlpPlace *place = &table->places[seat];
    int32_t rate = table->config->rate_per_minute;

    if (!table->room || !game_is_asked(table->core.game, seat, nlp_table_room_ask(table))) {
        table->core.places[seat].chair.counts.strays++;
        return;
    }
    bool over = str_eq(str_trim(text), STR("Over")); /* is always taken, or all would wait for it */
    if (rate > 0 && !over && table->core.now - place->said_at < 60000000 / rate)
        return;
    buf_clear(&table->scratch->text);
    buf_add(&table->scratch->text, text);
    for (size_t i = 0; i < table->scratch->text.len && !table->config->strict;
         i++) /* 1.4, target */
        if (table->scratch->text.bytes[i] == '\n')
            table->scratch->text.bytes[i] = ' ';
    Answer answer = {.kind = nlp_table_room_ask(table), .text = buf_str(&table->scratch->text)};
    if (game_answer(table->core.game, seat, &answer, NULL) == 0)
        place->said_at = table->core.now;
}

static void on_stray(void *user, SeatNo seat, Str text)
{
    NlpTable *table = user;
    Chair *chair = &table->core.places[seat].chair;

    if (chair->state == CHAIR_IDLE)
        on_utterance(table, seat, text);
    else
        chair->counts.strays++;
}

void nlp_table_message(NlpTable *table, SeatNo seat, Str text, TimeUs now)
{
    nlp_table_tick(table, now);
    if (table->over)
        return;
    table_hear(&table->core, seat, text, table->core.now);
    nlp_table_run(table);
}

const TableDivision nlp_division = {.event = nlp_table_on_event,
                                    .tell = nlp_table_on_tell,
                                    .asked = nlp_table_on_asked,
                                    .exchange = on_exchange,
                                    .judge = on_judge,
                                    .fault = nlp_table_on_fault,
                                    .left = on_left,
                                    .out = on_out,
                                    .stray = on_stray};

/* ---- time ---- */

/* A bot's next word in an open session. */
static void bot_speaks(NlpTable *table, SeatNo seat)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(table->core.game, asks);

    table->places[seat].bot_at = TIME_US_NEVER;
    for (size_t i = 0; i < count; i++)
        if (asks[i].seat == seat && asks[i].standing) {
            table->places[seat].bot_at = nlp_table_bot_pause(table);
            table_ask_bot(&table->core, &asks[i]);
            return;
        }
}

static TimeUs seat_deadline(const NlpTable *table, SeatNo seat)
{
    const TablePlace *at = &table->core.places[seat];

    return at->kind ? table->places[seat].bot_at : chair_deadline(&at->chair);
}

static void on_deadline(NlpTable *table, SeatNo seat)
{
    void *peer = table->places[seat].peer;

    if (table->core.places[seat].kind)
        bot_speaks(table, seat);
    else if (table_due(&table->core, seat, "no reply and no answer to NAME in time"))
        table->out.drop(peer, CLOSE_NO_ANSWER, "no answer to NAME in time");
}

void nlp_table_tick(NlpTable *table, TimeUs now)
{
    if (table->over)
        return;
    if (now > table->core.now)
        table->core.now = now;
    if (!table_waits(&table->core))
        game_tick(table->core.game, game_ms(table, table->core.now));
    nlp_table_run(table);
    for (SeatNo seat = 1; seat <= table->core.count && !table->over; seat++) {
        if (seat_deadline(table, seat) > table->core.now)
            continue;
        on_deadline(table, seat);
        nlp_table_run(table);
    }
}

TimeUs nlp_table_deadline(const NlpTable *table)
{
    TimeUs first = table->flush_at;

    if (table->over)
        return TIME_US_NEVER;
    if (game_deadline(table->core.game) != TIME_NEVER && !table_waits(&table->core))
        first = table->began + 1000 * game_deadline(table->core.game);
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        if (seat_deadline(table, seat) < first)
            first = seat_deadline(table, seat);
    return first;
}

void nlp_table_go_on(NlpTable *table, TimeUs now)
{
    table->core.held = false;
    nlp_table_tick(table, now);
}

void nlp_table_abort(NlpTable *table, TimeUs now)
{
    if (table->over)
        return;
    table->core.now = now;
    table->core.held = false;
    table_abort(&table->core);
    nlp_table_run(table);
}
