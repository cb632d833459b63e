#include "nlp/table_state.h"

/* A program that breaks at its first packet and starts anew at once would come back without end. */
#define RETURNS_MAX 5

/* Somebody living is in `states`, a set of 1 << ChairState. */
static bool lives_in(const Table *table, unsigned states)
{
    for (SeatSet left = game_alive(table->game); left; left &= left - 1)
        if (states & 1u << table->chairs[seat_first(left)].state)
            return true;
    return false;
}

/* With nobody there who could be asked the days would fly by, up to the last one there is: the
 * game waits for who may still come back. */
static bool waits_for_return(const Table *table)
{
    return !game_over(table->game) && !table->aborted && game_winner(table->game) == SIDE_NONE &&
           !lives_in(table, 1u << CHAIR_IDLE | 1u << CHAIR_ASKED | 1u << CHAIR_CHECKED);
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
    return seat >= 1 && seat <= table->count && table->chairs[seat].state == CHAIR_ERRORED;
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
    Chair *chair = &table->chairs[ask->seat];
    Answer answer = {.kind = ask->kind};

    chair->kind->answer(chair->bot, ask, game_view(table->game, ask->seat), &answer);
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

static void ask_participant(Table *table, const Ask *ask)
{
    Chair *chair = &table->chairs[ask->seat];

    table_put_packet(table, ask->seat, nlp_request_for(ask->kind), NULL, &chair->request);
    chair->state = CHAIR_ASKED;
    chair->asked = ask->kind;
    chair->asked_at = table->now;
    chair->deadline =
        table->now + 1000 * ((TimeUs)table->config->action_ms + table->config->acceptable_ms);
    chair->tally.requests++;
    table_send(table, ask->seat, buf_str(&chair->request));
}

/* Puts what is not asked yet. True when something was answered at once. */
static bool put_asks(Table *table)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(table->game, asks);
    bool answered = false;

    for (size_t i = 0; i < count; i++) {
        Chair *chair = &table->chairs[asks[i].seat];
        if (asks[i].standing || chair->ask_number == asks[i].number + 1)
            continue;
        chair->ask_number = asks[i].number + 1;
        if (chair->kind) {
            ask_bot(table, &asks[i]);
            answered = true;
        } else if (!chair_is_gone(chair)) {
            ask_participant(table, &asks[i]);
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

/* The request of a chair is over. `error` NULL: it was answered by `response`. */
static void end_request(Table *table, SeatNo seat, Str response, const char *error)
{
    Chair *chair = &table->chairs[seat];

    chair->state = CHAIR_IDLE;
    chair->deadline = TIME_US_NEVER;
    chair->tally.failures += error != NULL;
    chair->tally.replies += error == NULL;
    chair->tally.excesses += table->now - chair->asked_at > 1000 * (TimeUs)table->config->action_ms;
    if (!error)
        durations_add(&table->times[seat], (uint64_t)(table->now - chair->asked_at));
    table_log_entry(table, table->seats[seat].name, buf_str(&chair->request), chair->asked_at,
                    response, error);
    buf_done(&chair->request); /* an idle chair keeps no memory */
}

/* The request failed but its participant lives (6.2). */
static void lapse_seat(Table *table, SeatNo seat, const char *error)
{
    AskKind kind = table->chairs[seat].asked;

    table_fault(table, seat, FAULT_TIMEOUT, true);
    end_request(table, seat, STR(""), error);
    give_answer(table, seat, &(Answer){.kind = kind, .lapse = true});
}

/* ---- participants that fail ---- */

static void end_if_too_many(Table *table)
{
    int32_t errored = 0;

    for (SeatNo seat = 1; seat <= table->count; seat++)
        errored += table->chairs[seat].state == CHAIR_ERRORED && !table->chairs[seat].died_before;
    if (!lives_in(table, ~(1u << CHAIR_ERRORED))) {
        table->aborted = true;
        game_abort(table->game);
    } else if (errored >= table->config->abort_at) {
        table->aborted = true;
        game_end_after_phase(table->game);
    }
}

static void become_errored(Table *table, SeatNo seat)
{
    Chair *chair = &table->chairs[seat];

    chair->state = CHAIR_ERRORED;
    chair->deadline = TIME_US_NEVER;
    chair->tally.errored = true;
    table->writer.errored |= seat_bit(seat);
    table->masked_writer.errored |= seat_bit(seat);
    table_note(table, "errored", seat, NULL);
    end_if_too_many(table);
}

/* Nobody is there any more; for a while the seat is kept. */
static void become_away(Table *table, SeatNo seat, FaultKind kind, const char *why)
{
    Chair *chair = &table->chairs[seat];
    bool asked = chair->state == CHAIR_ASKED || chair->state == CHAIR_CHECKED;

    table_fault(table, seat, kind, asked);
    if (asked)
        end_request(table, seat, STR(""), why);
    follow_game(table);
    chair->peer = NULL;
    chair->died_before = !seat_in(game_alive(table->game), seat);
    chair->state = CHAIR_AWAY;
    chair->deadline = table->now + 1000 * table->config->rejoin_ms;
    table_note(table, "away", seat, why);
    game_set_away(table->game, seat, true, NULL);
    if (table->config->rejoin_ms == 0 || chair->returns >= RETURNS_MAX)
        become_errored(table, seat);
}

void table_gone(Table *table, SeatNo seat, TimeUs now)
{
    table->now = now;
    table->chairs[seat].peer = NULL;
    if (table->over || chair_is_gone(&table->chairs[seat]))
        return;
    become_away(table, seat, FAULT_DISCONNECT, "the connection was lost");
    table_run(table);
}

bool table_is_away(const Table *table, SeatNo seat, Str original)
{
    return table->chairs[seat].state == CHAIR_AWAY && str_eq(table->seats[seat].original, original);
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
        if (table->chairs[seat].state == CHAIR_AWAY)
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
    Chair *chair = &table->chairs[seat];

    table->now = now;
    if (table->over || chair->state != CHAIR_AWAY)
        return false;
    /* Where all were away the game stood still, and goes on now, with this seat: what happens until
     * it is asked is no news to it before INITIALIZE. */
    game_set_away(table->game, seat, false, NULL);
    chair->state = CHAIR_IDLE;
    chair->deadline = TIME_US_NEVER;
    follow_game(table);
    chair->peer = peer;
    chair->cursor = (NlpCursor){0, 0};
    chair->tally.rejoined++;
    chair->returns++;
    table_note(table, "rejoined", seat, NULL);
    table_tell(table, seat, NLP_INITIALIZE);
    table_tell(table, seat, NLP_DAILY_INITIALIZE);
    if (table->room && seat_in(table->room_seats, seat))
        retell_room(table, seat);
    table_run(table);
    return true;
}

/* ---- replies ---- */

/* Names are told apart from what comes too late of a speak-anytime session; elsewhere the first
 * reply counts, whatever it is (6.2, target). */
static bool is_straggler(const Table *table, const Chair *chair, SeatNo target)
{
    return chair->asked >= ASK_VOTE && target == SEAT_NONE &&
           ruleset_is_timed(&table->config->rules) && !table->config->strict;
}

static void on_reply(Table *table, SeatNo seat, Str text)
{
    Chair *chair = &table->chairs[seat];
    Answer answer = {.kind = chair->asked};

    nlp_reply_text(text, &table->scratch->text);
    if (chair->asked >= ASK_VOTE) {
        const Str *names = game_view(table->game, seat)->names;
        answer.target = nlp_reply_target(buf_str(&table->scratch->text), names, table->count);
        if (is_straggler(table, chair, answer.target)) {
            chair->tally.late++;
            return;
        }
    } else {
        answer.text = buf_str(&table->scratch->text);
    }
    end_request(table, seat, buf_str(&table->scratch->text), NULL);
    give_answer(table, seat, &answer);
    table_run(table);
}

static void on_check(Table *table, SeatNo seat, Str text)
{
    if (!str_eq(nlp_name_text(text), table->seats[seat].original)) {
        table->chairs[seat].tally.late++;
        return;
    }
    lapse_seat(table, seat, "no reply in time");
    table_run(table);
}

/* A message without a request: an utterance when a session is open, else nothing. */
static void on_utterance(Table *table, SeatNo seat, Str text)
{
    Chair *chair = &table->chairs[seat];
    int32_t rate = table->config->rate_per_minute;

    if (!table->room || !game_is_asked(table->game, seat, table_room_ask(table))) {
        chair->tally.late++;
        return;
    }
    bool over = str_eq(str_trim(text), STR("Over")); /* is always taken, or all would wait for it */
    if (rate > 0 && !over && table->now - chair->said_at < 60000000 / rate)
        return;
    buf_clear(&table->scratch->text);
    buf_add(&table->scratch->text, text);
    for (size_t i = 0; i < table->scratch->text.len && !table->config->strict;
         i++) /* 1.4, target */
        if (table->scratch->text.bytes[i] == '\n')
            table->scratch->text.bytes[i] = ' ';
    Answer answer = {.kind = table_room_ask(table), .text = buf_str(&table->scratch->text)};
    if (game_answer(table->game, seat, &answer, NULL) == 0)
        chair->said_at = table->now;
    table_run(table);
}

void table_message(Table *table, SeatNo seat, Str text, TimeUs now)
{
    table_tick(table, now);
    if (table->over)
        return;
    table->chairs[seat].returns = 0;
    switch (table->chairs[seat].state) {
    case CHAIR_IDLE:
        on_utterance(table, seat, text);
        break;
    case CHAIR_ASKED:
        on_reply(table, seat, text);
        break;
    case CHAIR_CHECKED:
        on_check(table, seat, text);
        break;
    case CHAIR_AWAY:
    case CHAIR_ERRORED:
        break;
    }
}

/* ---- time ---- */

/* A bot's next word in an open session. */
static void bot_speaks(Table *table, SeatNo seat)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(table->game, asks);

    table->chairs[seat].deadline = TIME_US_NEVER;
    for (size_t i = 0; i < count; i++)
        if (asks[i].seat == seat && asks[i].standing) {
            table->chairs[seat].deadline = table_bot_pause(table);
            ask_bot(table, &asks[i]);
            return;
        }
}

static void on_deadline(Table *table, SeatNo seat)
{
    Chair *chair = &table->chairs[seat];

    switch (chair->state) {
    case CHAIR_ASKED:
        chair->state = CHAIR_CHECKED;
        chair->deadline = table->now + 1000 * (TimeUs)table->config->response_ms;
        table_put_packet(table, seat, NLP_NAME, NULL, &table->scratch->packet);
        table_send(table, seat, buf_str(&table->scratch->packet));
        break;
    case CHAIR_CHECKED: {
        void *peer = chair->peer;
        become_away(table, seat, FAULT_TIMEOUT, "no reply and no answer to NAME in time");
        table->out.drop(peer, CLOSE_NO_ANSWER, "no answer to NAME in time");
        break;
    }
    case CHAIR_AWAY:
        become_errored(table, seat);
        break;
    case CHAIR_IDLE:
        if (chair->kind)
            bot_speaks(table, seat);
        break;
    case CHAIR_ERRORED:
        break;
    }
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
        if (table->chairs[seat].deadline > table->now)
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
        if (table->chairs[seat].deadline < first)
            first = table->chairs[seat].deadline;
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
