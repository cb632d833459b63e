/* soak_play.h - participants in the soak, and strangers: what they say, and what goes wrong with
 *               them.
 *
 * For:    test_soak.c.
 * Memory: none of its own.
 * Thread: the test's.
 * Source: docs/spec/nlp-division.md 1.2 to 1.4, 3, 6, 10.
 */
#ifndef WARG_TESTS_NLP_SOAK_PLAY_H
#define WARG_TESTS_NLP_SOAK_PLAY_H

#include <jansson.h>

#include "nlp/soak_check.h"

/* ---- words ---- */

static const char *const soak_teams[] = {
    "kanolab",
    "a,b",
    "\xE4\xBA\xBA\xE7\x8B\xBC",
    "quote\"s",
    "back\\slash",
    "per%cent",
    "a b",
    "{teams}",
    "../up",
    "'single'",
    "\xF0\x9F\x90\xBA",
    "x_y",
    "UPPER",
    "upper",
    "semi;colon",
    "<tag>",
    "$HOME",
    "-dash",
    ".dot",
    "tail ",
};

static const char *const soak_words[] = {
    "Over",
    "Skip",
    "Over",
    "Skip",
    "I think it is not me.",
    "\xE5\x8D\xA0\xE3\x81\x84\xE5\xB8\xAB CO\xE3\x80\x82",
    "one\ntwo\nthree",
    "a,b,c",
    "\r\n",
    "",
    " ",
    "@Agent[02] what do you say?",
    "{\"request\":\"NAME\"}",
    "ForceSkip",
    "over",
    "\x01\x02\x7F",
    "\xE2\x80\xA8line separator\xE2\x80\xA9",
    "1,talk,0,0,1,Over",
    "5,result,2,0,VILLAGER",
};

static inline void add_words(Soak *soak, Buf *out)
{
    unsigned count = (unsigned)(sizeof(soak_words) / sizeof(soak_words[0]));

    buf_add(out, str_of(soak_words[rng_below(&soak->rng, count)]));
    if (rng_below(&soak->rng, 200) == 0)
        for (unsigned i = between(&soak->rng, 1, 400); i > 0; i--)
            buf_add(out, STR("very long words, and "));
    if (rng_below(&soak->rng, 200) == 0)
        buf_add_char(out, '\0');
}

static inline void add_garbage(Soak *soak, Buf *out)
{
    for (unsigned i = rng_below(&soak->rng, 80); i > 0; i--)
        buf_add_char(out, (char)rng_below(&soak->rng, 256));
}

/* ---- sending ---- */

/* A client's text, some time from now, behind what it is to send before. */
static inline void send_later(Conn *conn, Str text, TimeUs after)
{
    Soak *soak = conn->soak;
    TimeUs at = soak->now + after;

    agenda_add(
        &soak->agenda,
        (SoakEvent){
            .at = at, .kind = SOAK_SEND, .conn = conn, .bytes = copy_bytes(text), .len = text.len});
}

static inline void send_in_order(Conn *conn, Str text, TimeUs after)
{
    Soak *soak = conn->soak;

    conn->reply_at = conn->reply_at > soak->now + after ? conn->reply_at : soak->now + after;
    send_later(conn, text, conn->reply_at - soak->now);
}

static inline void leave_later(Conn *conn, TimeUs after)
{
    agenda_add(&conn->soak->agenda,
               (SoakEvent){.at = conn->soak->now + after, .kind = SOAK_LEAVE, .conn = conn});
}

static inline void on_send(Conn *conn, Str text)
{
    Soak *soak = conn->soak;
    CLEANUP(buf_done) Buf frames = {0};
    CLEANUP(buf_done) Buf spoiled = {0};

    if (!conn->peer_open || conn->hole)
        return;
    if (conn_fault(conn, NET_BAD_UTF8)) {
        buf_add(&spoiled, text);
        add_garbage(soak, &spoiled);
        text = buf_str(&spoiled);
    }
    if (conn_fault(conn, NET_HUGE)) {
        add_head(&frames, 0x82, true, rng_next(&soak->rng) >> between(&soak->rng, 1, 42));
        buf_add(&frames, text);
    } else if (conn_fault(conn, NET_PROTOCOL)) {
        add_wrong(&frames, (Stranger)between(&soak->rng, STRANGER_UNMASKED, STRANGER_BAD_CLOSE));
    } else if (conn_fault(conn, NET_BINARY)) {
        add_frame(&frames, 0x82, true, text);
    } else if (conn_fault(conn, NET_FRAGMENTED)) {
        add_fragments(&frames, &soak->rng, text);
    } else {
        websocket_send(conn->peer, text, &frames);
    }
    send_up(conn, buf_str(&frames));
}

/* ---- coming and going ---- */

static inline void connect_later(Soak *soak, Client *client, TimeUs after)
{
    agenda_add(&soak->agenda,
               (SoakEvent){.at = soak->now + after, .kind = SOAK_CONNECT, .client = client});
}

static inline TimeUs away_time(Soak *soak)
{
    TimeUs window = SECOND_US * soak->plan.rejoin_s;

    if (fault(soak, NET_AWAY_HOURS))
        return some_time(soak, 1800 * SECOND_US, 6 * 3600 * SECOND_US);
    if (fault(soak, NET_AWAY_LONG))
        return some_time(soak, window, window + 300 * SECOND_US);
    return some_time(soak, 1000, window > SECOND_US ? window : SECOND_US);
}

static inline void count_close(Soak *soak, uint16_t code)
{
    static const uint16_t codes[7] = {1000, 1001, 1002, 1008, 1009, 4001, 4002};
    unsigned i = 0;

    while (i < 7 && codes[i] != code)
        i++;
    soak->totals->close_codes[i]++;
}

/* The client knows that its connection is gone; code 0: no close frame came. */
static inline void peer_lost(Conn *conn, uint16_t code)
{
    Soak *soak = conn->soak;
    Client *client = conn->client;

    if (!conn->peer_open)
        return;
    conn->peer_open = false;
    if (code)
        count_close(soak, code);
    if (!client && conn->expected && code && code != CLOSE_GOING_AWAY)
        soak_check(soak, code == conn->expected, "a stranger was told %u; expected %u", code,
                   conn->expected);
    if (!client || client->conn != conn)
        return;
    client->conn = NULL;
    soak_check(soak, code != CLOSE_UNKNOWN_TEAM, "a team of the schedule is not known");
    connect_later(soak, client,
                  code == CLOSE_NORMAL ? some_time(soak, 1000, soak->plan.rest_s * SECOND_US)
                                       : away_time(soak));
}

static inline void on_leave(Conn *conn, bool politely)
{
    Soak *soak = conn->soak;

    if (!conn->peer_open || conn->hole)
        return;
    if (politely) {
        CLEANUP(buf_done) Buf frame = {0};
        websocket_close(conn->peer, rng_below(&soak->rng, 2) ? 1000 : 1001, STR("bye"), &frame);
        send_up(conn, buf_str(&frame));
    }
    send_up_fin(conn, rng_below(&soak->rng, 2) ? 0 : some_time(soak, 1000, 5 * SECOND_US));
    peer_lost(conn, 0);
}

/* Nothing gets through any more. The client notices, and comes again; the server may not. */
static inline void open_hole(Conn *conn)
{
    Soak *soak = conn->soak;
    Client *client = conn->client;

    conn->hole = true;
    if (conn_fault(conn, NET_HOLE_SEEN))
        send_up_fin(conn, some_time(soak, SECOND_US, 3600 * SECOND_US));
    if (client && client->conn == conn) {
        client->conn = NULL;
        connect_later(soak, client, away_time(soak));
    }
}

static inline void open_conn(Soak *soak, Conn *conn, Str token)
{
    Err err = {0};

    soak->totals->connections++;
    soak->expected_open++;
    if (nlp_hall_opened(soak->hall, conn, token, "127.0.0.1:40000", soak->now, &conn->agent, &err))
        soak_fail(soak, "no connection: %s", err.msg);
}

static inline void on_connect(Soak *soak, Client *client, bool twin)
{
    if (!soak->hall) { /* refused: again in a while */
        connect_later(soak, client, some_time(soak, SECOND_US, 30 * SECOND_US));
        return;
    }
    if (client->conn && !twin)
        return;
    Conn *conn = conn_new(soak, client);
    client->conn = conn;
    bool bad = soak->plan.auth && conn_fault(conn, NET_BAD_TOKEN);
    open_conn(soak, conn, buf_str(bad ? &client->bad_token : &client->token));
}

/* ---- packets ---- */

static inline NlpRequest request_of(Str packet)
{
    const Str key = STR("\"request\":\"");
    Str rest = packet;

    while (rest.len && !str_starts(rest, key)) {
        rest = str_part(rest, 1, rest.len);
        const char *next = memchr(rest.bytes, '"', rest.len);
        rest = next ? str_part(rest, (size_t)(next - rest.bytes), rest.len) : STR("");
    }
    rest = str_part(rest, key.len, rest.len);
    return nlp_request_of(str_cut(&rest, '"'));
}

static inline void take_names(Conn *conn, Str packet)
{
    Soak *soak = conn->soak;
    json_t *json = json_loadb(packet.bytes, packet.len, JSON_ALLOW_NUL, NULL);
    const json_t *info = json_object_get(json, "info");
    const json_t *setting = json_object_get(json, "setting");
    const char *name;
    json_t *value;

    soak_check(soak, json_is_object(setting) && json_is_object(info), "INITIALIZE lacks something");
    conn->name_count = 0;
    json_object_foreach (json_object_get(info, "status_map"), name, value)
        if (conn->name_count < SEAT_MAX)
            snprintf(conn->names[conn->name_count++], sizeof(conn->names[0]), "%s", name);
    soak_check(soak, conn->name_count == soak->plan.seats, "INITIALIZE tells of %u agents",
               conn->name_count);
    json_decref(json);
}

/* Every packet is one of the requests that there are; some are read by our own client. */
static inline NlpRequest look_at(Conn *conn, Str packet)
{
    Soak *soak = conn->soak;
    NlpRequest request = request_of(packet);
    NlpRequest read = request;
    Err err = {0};

    soak_check(soak, request != NLP_REQUEST_COUNT, "no request: %.*s",
               STR_ARG(str_part(packet, 0, 300)));
    if (conn->reader && nlp_client_packet(conn->reader, packet, &read, &err))
        soak_fail(soak, "a packet can't be read: %s: %.*s", err.msg,
                  STR_ARG(str_part(packet, 0, 600)));
    soak_check(soak, read == request, "a packet is read as another");
    return request;
}

static inline void add_answer(Conn *conn, NlpRequest request, Buf *out)
{
    Soak *soak = conn->soak;

    if (conn_fault(conn, NET_GARBAGE))
        add_garbage(soak, out);
    else if (request == NLP_TALK || request == NLP_WHISPER)
        add_words(soak, out);
    else if (conn->name_count)
        buf_add(out, str_of(conn->names[rng_below(&soak->rng, conn->name_count)]));
}

static inline void on_ask(Conn *conn, NlpRequest request)
{
    Soak *soak = conn->soak;
    CLEANUP(buf_done) Buf answer = {0};
    TimeUs most = SECOND_US * soak->plan.action_s;
    TimeUs think = some_time(soak, 500, most / 8);
    TimeUs over = most + SECOND_US * soak->plan.acceptable_s;

    if (conn->dead || conn_fault(conn, NET_MUTE))
        return;
    conn->dead = conn_fault(conn, NET_DEAD);
    add_answer(conn, request, &answer);
    if (conn_fault(conn, NET_LATE)) {
        think = some_time(soak, over - SECOND_US,
                          over + SECOND_US * (soak->plan.response_s + soak->plan.action_s));
        if (rng_below(&soak->rng, 2)) { /* it answers NAME meanwhile */
            send_later(conn, buf_str(&answer), think);
            return;
        }
    }
    send_in_order(conn, buf_str(&answer), think);
    if (conn_fault(conn, NET_DOUBLE))
        send_in_order(conn, buf_str(&answer), some_time(soak, 0, 60 * SECOND_US));
}

static inline void on_name(Conn *conn)
{
    Soak *soak = conn->soak;
    const Client *client = conn->client;
    CLEANUP(buf_done) Buf name = {0};

    if (conn->dead || (!conn->named && conn_fault(conn, NET_NAMELESS)))
        return;
    buf_add(&name, str_of(client->name));
    if (rng_below(&soak->rng, 10) == 0)
        buf_add_char(&name, '\n');
    /* At first a frame that is spoiled would be another name, and another team. */
    if (conn->named) {
        send_in_order(conn, buf_str(&name), some_time(soak, 500, 2 * SECOND_US));
        return;
    }
    CLEANUP(buf_done) Buf frame = {0};
    add_frame(&frame, 0x81, true, buf_str(&name));
    send_up(conn, buf_str(&frame));
    conn->named = true;
}

/* Words, some of them after the end, then perhaps Over. */
static inline void on_session(Conn *conn)
{
    Soak *soak = conn->soak;
    TimeUs duration = SECOND_US * soak->plan.duration_s;
    unsigned count = rng_below(&soak->rng, soak->plan.per_agent + 2);

    if (conn->dead)
        return;
    for (unsigned i = 0; i < count; i++) {
        CLEANUP(buf_done) Buf words = {0};
        add_words(soak, &words);
        send_later(conn, buf_str(&words), some_time(soak, 1000, duration + duration / 8));
    }
    if (rng_below(&soak->rng, 4))
        send_later(conn, STR("Over"), some_time(soak, duration / 2, duration));
}

/* What happens to a connection while a packet comes. */
static inline bool comes_through(Conn *conn)
{
    Soak *soak = conn->soak;

    if (conn_fault(conn, NET_HOLE)) {
        open_hole(conn);
        return false;
    }
    if (conn_fault(conn, NET_DROP)) {
        on_leave(conn, false);
        return false;
    }
    if (conn_fault(conn, NET_CLOSE))
        leave_later(conn, some_time(soak, 0, 10 * SECOND_US));
    if (conn->named && conn_fault(conn, NET_UNASKED)) { /* before, it would be a name, and a team */
        CLEANUP(buf_done) Buf words = {0};
        add_words(soak, &words);
        send_later(conn, buf_str(&words), some_time(soak, 0, 10 * SECOND_US));
    }
    return true;
}

static inline void on_packet(Conn *conn, Str packet)
{
    NlpRequest request = look_at(conn, packet);

    if (!conn->client || !comes_through(conn))
        return;
    switch (request) {
    case NLP_NAME:
        on_name(conn);
        break;
    case NLP_INITIALIZE:
        take_names(conn, packet);
        if (conn_fault(conn, NET_TWIN))
            agenda_add(&conn->soak->agenda,
                       (SoakEvent){.at = conn->soak->now + some_time(conn->soak, 0, 60 * SECOND_US),
                                   .kind = SOAK_TWIN,
                                   .client = conn->client});
        break;
    case NLP_TALK:
    case NLP_WHISPER:
    case NLP_VOTE:
    case NLP_DIVINE:
    case NLP_GUARD:
    case NLP_ATTACK:
        on_ask(conn, request);
        break;
    case NLP_TALK_PHASE_START:
    case NLP_WHISPER_PHASE_START:
        on_session(conn);
        break;
    case NLP_DAILY_INITIALIZE:
    case NLP_DAILY_FINISH:
    case NLP_FINISH:
    case NLP_TALK_PHASE_END:
    case NLP_TALK_BROADCAST:
    case NLP_WHISPER_PHASE_END:
    case NLP_WHISPER_BROADCAST:
    case NLP_BID: /* never sent to who has not asked for it */
    case NLP_REQUEST_COUNT:
        break;
    }
}

static inline void peer_reads(Conn *conn, Str bytes)
{
    Soak *soak = conn->soak;
    CLEANUP(buf_done) Buf out = {0};
    Str message;

    if (!conn->peer_open || conn->hole)
        return;
    websocket_feed(conn->peer, bytes);
    while (conn->peer_open && !conn->hole) {
        WebSocketEvent event = websocket_next(conn->peer, &message, &out);
        switch (event) {
        case WEBSOCKET_MESSAGE:
            on_packet(conn, message);
            break;
        case WEBSOCKET_CLOSED:
            peer_lost(conn, websocket_code(conn->peer));
            return;
        case WEBSOCKET_BROKEN:
        case WEBSOCKET_NO_MEMORY:
            soak_fail(soak, "the server sends a wrong frame: %.*s",
                      STR_ARG(websocket_reason(conn->peer)));
        case WEBSOCKET_MORE:
        default:
            return;
        }
    }
}

/* ---- strangers ---- */

static inline void add_bad_name(Soak *soak, Buf *out)
{
    switch (rng_below(&soak->rng, 4)) {
    case 0:
        for (int i = 0; i < 129; i++)
            buf_add_char(out, 'x');
        break;
    case 1:
        buf_add(out, STR("with\ttab"));
        break;
    case 2:
        buf_add(out, STR("\n"));
        break;
    default:
        buf_add(out, STR("two\nlines"));
        break;
    }
}

static inline uint16_t add_stranger(Soak *soak, Stranger what, bool full, Buf *out)
{
    CLEANUP(buf_done) Buf name = {0};

    switch (what) {
    case STRANGER_SILENT:
        return CLOSE_NO_NAME;
    case STRANGER_HALF:
        add_frame(out, 0x81, true, STR("half of it"));
        out->len -= 5;
        return CLOSE_NO_NAME;
    case STRANGER_BAD_NAME:
        add_bad_name(soak, &name);
        add_frame(out, 0x81, true, buf_str(&name));
        return CLOSE_NO_NAME;
    case STRANGER_NEW_TEAM:
    case STRANGER_NO_TOKEN:
        if (!soak->plan.auth && !full) /* it would play */
            return CLOSE_NO_NAME;
        buf_printf(&name, "nobody-%c7", 'a' + (char)rng_below(&soak->rng, 26));
        add_frame(out, 0x81, true, buf_str(&name));
        return soak->plan.auth ? CLOSE_BAD_TOKEN : CLOSE_UNKNOWN_TEAM;
    case STRANGER_FLOOD:
        for (int i = 0; i < 5; i++) {
            size_t bytes = 300000;
            char *flood = mem_new(bytes);
            add_frame(out, i ? 0 : 1, true, (Str){flood, bytes});
            mem_free(flood);
        }
        return WEBSOCKET_TOO_BIG;
    case STRANGER_NOISE:
        add_garbage(soak, out);
        return 0;
    case STRANGER_GONE:
        return 0;
    case STRANGER_UNMASKED:
    case STRANGER_RESERVED:
    case STRANGER_OPCODE:
    case STRANGER_CONTINUATION:
    case STRANGER_LONG_PING:
    case STRANGER_BAD_CLOSE:
    case STRANGER_HUGE:
    case STRANGER_COUNT:
        break;
    }
    return add_wrong(out, what);
}

static inline void on_stranger(Soak *soak)
{
    Stranger what = (Stranger)rng_below(&soak->rng, STRANGER_COUNT);
    CLEANUP(buf_done) Buf bytes = {0};

    agenda_add(&soak->agenda,
               (SoakEvent){.at = soak->now + some_time(soak, 5 * SECOND_US, 600 * SECOND_US),
                           .kind = SOAK_STRANGER});
    if (!soak->hall || (what == STRANGER_FLOOD && rng_below(&soak->rng, 20)))
        return;
    soak->totals->faults[NET_STRANGER]++;
    const History *history = nlp_hall_history(soak->hall);
    bool full = history && history_team_known(history) == soak->plan.teams;
    Conn *conn = conn_new(soak, NULL);
    conn->expected = add_stranger(soak, what, full, &bytes);
    open_conn(soak, conn, rng_below(&soak->rng, 2) ? STR("") : STR("not.a.token"));
    send_up(conn, buf_str(&bytes));
    if (what == STRANGER_GONE)
        on_leave(conn, rng_below(&soak->rng, 2));
}

#endif
