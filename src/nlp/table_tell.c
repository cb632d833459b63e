/* What a table tells: packets to its participants, logs, broadcasts, and the sessions in which
 * anybody speaks at any time. */
#include "nlp/table_state.h"

/* How long a bot waits in a speak-anytime session before it wants to say something again. */
#define BOT_PAUSE_MIN_MS 300
#define BOT_PAUSE_MAX_MS 1500

/* A game's logs are behind it by at most so much: a write for each reply would be a fifth of the
 * server's time under load. The end of a game is written at once. */
#define LOG_LAG_US    ((TimeUs)100 * 1000)
#define LOG_LAG_BYTES ((size_t)64 * 1024)

static int64_t unix_ms(const NlpTable *table, TimeUs at)
{
    return table->unix_ms_at_zero ? *table->unix_ms_at_zero + at / 1000
                                  : table->began_unix_ms + (at - table->began) / 1000;
}

void nlp_table_note(const NlpTable *table, const char *what, SeatNo seat, const char *why)
{
    char line[256];

    snprintf(line, sizeof(line), "%s game=%s day=%u seat=%u name=%.*s%s%s", what, table->id,
             game_day(table->core.game), seat,
             STR_ARG(str_part(table->seats[seat].original, 0, 64)), why ? " " : "", why ? why : "");
    table->out.note(table->out.user, str_of(line));
}

/* ---- logs ---- */

/* A game whose log can't be written is no evidence: it ends, and its match is played again. */
void nlp_table_log_trouble(NlpTable *table, const Err *err)
{
    char line[ERR_TEXT_MAX + 96];

    if (table->log_failed)
        return;
    table->log_failed = true;
    snprintf(line, sizeof(line), "log-failed game=%s: %s; the game is aborted", table->id,
             err->msg);
    table->out.note(table->out.user, str_of(line));
    table_abort(&table->core);
}

void nlp_table_lose_record(NlpTable *table, const Err *err)
{
    nlp_table_log_trouble(table, err);
}

void nlp_table_on_fault(void *user, SeatNo seat, const Fault *fault)
{
    NlpTable *table = user;
    Fault own = *fault;

    own.seat = seat;
    own.day = (uint16_t)game_day(table->core.game);
    own.fatal = false; /* the seat is lost later, if at all, and that is no fault */
    if (table->out.fault)
        table->out.fault(table->out.user, table, &own);
}

static void was_logged(NlpTable *table, size_t bytes)
{
    table->unflushed += bytes;
    if (table->flush_at == TIME_US_NEVER)
        table->flush_at = table->core.now + LOG_LAG_US;
}

void nlp_table_log_entry(NlpTable *table, Str agent, Str request, TimeUs asked_at, Str response,
                         const char *error)
{
    JsonEntry entry = {.agent = agent,
                       .request = request,
                       .request_unix_ms = unix_ms(table, asked_at),
                       .response_unix_ms = unix_ms(table, table->core.now),
                       .response = response,
                       .error = str_of(error)};

    if (!table->json_log || table->log_failed)
        return;
    json_log_put(table->json_log, &entry);
    was_logged(table, request.len + response.len);
}

bool nlp_table_flush_logs(NlpTable *table)
{
    Err err = {0};

    if (table->core.now < table->flush_at && table->unflushed < LOG_LAG_BYTES)
        return true;
    table->flush_at = TIME_US_NEVER;
    table->unflushed = 0;
    if (table->log_failed || ((!table->json_log || json_log_flush(table->json_log, &err) == 0) &&
                              (!table->game_log || line_file_flush(table->game_log, &err) == 0)))
        return true;
    nlp_table_log_trouble(table, &err);
    return false;
}

static void log_event(NlpTable *table, const Event *event)
{
    table->writer.began_unix_ms = table->masked_writer.began_unix_ms = unix_ms(table, table->began);
    nlp_log_follow(&table->writer, event);
    nlp_log_follow(&table->masked_writer, event);
    buf_clear(&table->scratch->lines);
    nlp_log_event(&table->writer, event, &table->scratch->lines);
    if (table->scratch->lines.len && table->game_log && !table->log_failed) {
        line_file_put(table->game_log, buf_str(&table->scratch->lines));
        was_logged(table, table->scratch->lines.len);
    }
    buf_clear(&table->scratch->packet);
    buf_clear(&table->scratch->masked);
    bool full = nlp_broadcast_event(&table->writer, event, &table->scratch->packet);
    bool masked = nlp_broadcast_event(&table->masked_writer, event, &table->scratch->masked);
    if (full || masked)
        table->out.broadcast(table->out.user, table, buf_str(&table->scratch->packet),
                             buf_str(&table->scratch->masked));
}

/* ---- packets ---- */

void nlp_table_put_packet(NlpTable *table, SeatNo seat, NlpRequest request, const Talk *news,
                          Buf *out)
{
    buf_clear(out);
    nlp_speaker_write(&table->places[seat].speaker, request, game_view(table->core.game, seat),
                      news, out);
}

static void place_send(void *peer, Str packet)
{
    const NlpPlace *place = peer;

    place->table->out.send(place->peer, packet);
}

/* Its connection is the hall's. */
static void place_close(void *peer)
{
    ((NlpPlace *)peer)->peer = NULL;
}

static const LinkKind place_link = {.send = place_send, .close = place_close};

void nlp_table_seat_peer(NlpPlace *place, void *peer)
{
    place->peer = peer;
    if (peer)
        chair_seat(&place->table->core.places[place->seat].chair, (Link){&place_link, place});
}

/* A packet without reply. It is logged for who does not get it, too (8.3). */
void nlp_table_tell(NlpTable *table, SeatNo seat, NlpRequest request)
{
    Chair *chair = &table->core.places[seat].chair;

    chair_tell(chair, (int)request, game_view(table->core.game, seat));
    nlp_table_log_entry(table, table->seats[seat].name, buf_str(chair->scratch), table->core.now,
                        STR(""), chair_is_gone(chair) ? "the connection is lost" : NULL);
}

void nlp_table_on_tell(void *user, SeatNo seat, Tell what)
{
    static const NlpRequest requests[] = {[TELL_GAME] = NLP_INITIALIZE,
                                          [TELL_DAY] = NLP_DAILY_INITIALIZE,
                                          [TELL_NIGHT] = NLP_DAILY_FINISH,
                                          [TELL_END] = NLP_FINISH};

    nlp_table_tell(user, seat, requests[what]);
}

/* A bot speaks at once: nobody sees that it was asked. */
void nlp_table_on_asked(void *user, const Ask *ask)
{
    const NlpTable *table = user;

    if (ask->kind == ASK_TALK && table->out.asked && !table->core.places[ask->seat].kind)
        table->out.asked(table->out.user, ask->seat, table->core.now);
}

/* ---- speak-anytime sessions (10.2) ---- */

/* A packet of the session goes to its participants, and one entry into the JSON log. */
void nlp_table_tell_room(NlpTable *table, NlpRequest request, const Talk *news)
{
    for (SeatSet left = table->room_seats; left; left &= left - 1) {
        SeatNo seat = seat_first(left);
        if (!table->places[seat].peer)
            continue;
        nlp_table_put_packet(table, seat, request, news, &table->scratch->packet);
        chair_send(&table->core.places[seat].chair, buf_str(&table->scratch->packet));
    }
}

static void log_room(NlpTable *table, const char *name, Str agent, Str response)
{
    char request[32];

    snprintf(request, sizeof(request), "\"%s\"", name);
    nlp_table_log_entry(table, agent, str_of(request), table->core.now, response, NULL);
}

TimeUs nlp_table_bot_pause(NlpTable *table)
{
    return table->core.now +
           1000 * (BOT_PAUSE_MIN_MS +
                   (TimeUs)rng_below(&table->bot_pauses, BOT_PAUSE_MAX_MS - BOT_PAUSE_MIN_MS));
}

AskKind nlp_table_room_ask(const NlpTable *table)
{
    return table->room_whispers ? ASK_WHISPER : ASK_TALK;
}

static void open_room(NlpTable *table, const Event *event)
{
    table->room = true;
    table->room_whispers = event->action == ACTION_WHISPER;
    table->room_seats = 0;
    for (SeatNo seat = 1; seat <= table->core.count; seat++) {
        if (!game_is_asked(table->core.game, seat, nlp_table_room_ask(table)))
            continue;
        table->room_seats |= seat_bit(seat);
        table->places[seat].said_at = -TIME_US_NEVER / 2;
        if (table->core.places[seat].kind)
            table->places[seat].bot_at = nlp_table_bot_pause(table);
    }
    NlpRequest request = table->room_whispers ? NLP_WHISPER_PHASE_START : NLP_TALK_PHASE_START;
    nlp_table_tell_room(table, request, NULL);
    log_room(table, nlp_request_name(request), STR(""), STR(""));
}

static void close_room(NlpTable *table)
{
    NlpRequest request = table->room_whispers ? NLP_WHISPER_PHASE_END : NLP_TALK_PHASE_END;

    nlp_table_tell_room(table, request, NULL);
    log_room(table, nlp_request_name(request), STR(""), STR(""));
    table->room = false;
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        if (table->core.places[seat].kind)
            table->places[seat].bot_at = TIME_US_NEVER;
}

static void tell_utterance(NlpTable *table, const Event *event)
{
    const Talk *talk = event->talk;

    if (table->room) {
        log_room(table, table->room_whispers ? "WHISPER" : "TALK", table->seats[talk->seat].name,
                 talk->text);
        nlp_table_tell_room(
            table, table->room_whispers ? NLP_WHISPER_BROADCAST : NLP_TALK_BROADCAST, talk);
    }
    /* Anybody may listen: a whisper is spoken only where all is open. */
    if (event->kind == EVENT_WHISPER && !table->config->open)
        return;
    if (!talk->skip && !talk->over && table->out.utterance &&
        table->out.utterance(table->out.user, table, talk->seat, talk->text))
        table->core.held = true;
}

/* ---- events ---- */

static void begin_day(NlpTable *table)
{
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        table->places[seat].speaker.cursor = (NlpCursor){0, 0};
}

void nlp_table_on_event(void *user, const Event *event)
{
    NlpTable *table = user;

    log_event(table, event);
    if (table->out.heard)
        table->out.heard(table->out.user, event, table->core.now);
    switch (event->kind) {
    case EVENT_DAY:
        begin_day(table);
        break;
    case EVENT_PHASE:
        if (event->until != TIME_NEVER)
            open_room(table, event);
        break;
    case EVENT_PHASE_END:
        if (table->room)
            close_room(table);
        break;
    case EVENT_TALK:
    case EVENT_WHISPER:
        tell_utterance(table, event);
        break;
    case EVENT_ROLE:
    case EVENT_STANDING:
    case EVENT_VOTE:
    case EVENT_EXECUTE:
    case EVENT_NIGHT:
    case EVENT_DIVINE:
    case EVENT_GUARD:
    case EVENT_ATTACK_VOTE:
    case EVENT_ATTACK:
    case EVENT_IDENTIFY:
    case EVENT_DEATH:
    case EVENT_END:
    case EVENT_REVEAL:
    case EVENT_SCORE:
    case EVENT_BID:
        break;
    }
}
