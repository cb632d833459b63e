#include "serve/live.h"

#include "net/web.h"
#include "net/web_gate.h"
#include "record/game_record.h"
#include "record/nlp_log.h"
#include "serve/api.h"
#include "serve/event_stream.h"
#include "serve/realtime.h"
#include "serve/refusals.h"
#include "serve/server_routes.h"

#include <inttypes.h>
#include <unistd.h>

#define CHORES_US ((TimeUs)1000 * 1000)
#define STUCK_US  ((TimeUs)30 * 1000000) /* who has not read for so long is closed */
#define JSON_TYPE "application/json"

/* What the public is told next, and what it then knows of the game. */
typedef struct Told {
    struct Told *next;
    TimeUs due;
    uint16_t day;
    SeatSet alive;
    bool over; /* the last one */
    Buf packet;
} Told;

typedef struct LiveGame {
    struct LiveGame *next;
    uint64_t number;
    char id[24];
    char agents[SEAT_MAX + 1][AGENT_NAME_MAX + 1];
    char names[SEAT_MAX + 1][AGENT_NAME_MAX + 1]; /* in the game */
    NlpSeat seats[SEAT_MAX + 1];
    NlpGame status; /* its texts are the ones above */
    NlpLogWriter writer;
    NlpLogWriter masked_writer;
    Buf held; /* events that the village is told of later: ballots, an execution */
    Buf last; /* for who comes late */
    Buf last_masked;
    EventStreams readers;
    EventStreams public_readers;
    Told *told_first; /* what waits for the delay */
    Told *told_last;
    Told known;             /* what was told last; `over`: that it is over is told */
    bool shown;             /* it was told that there is such a game */
    RealtimeGame *realtime; /* NULL = none */
} LiveGame;

struct Live {
    LiveSetup setup;
    WebServer *web;     /* NULL = no HTTP */
    Realtime *realtime; /* NULL = no files */
    Timer *chores;
    LiveGame *games; /* the latest first */
    size_t finished;
    Refusals refusals;
    Buf body;
    Buf packet;
    Buf masked;
    Buf event;
    WebHeader headers[1];
    WebGate gate;
    char own_name[256];
};

/* ---- games ---- */

static Told *told_free(Told *told)
{
    buf_done(&told->packet);
    return mem_free(told);
}

static LiveGame *live_game_free(LiveGame *game)
{
    while (game->readers.first)
        event_stream_free(game->readers.first);
    while (game->public_readers.first)
        event_stream_free(game->public_readers.first);
    while (game->told_first) {
        Told *told = game->told_first;
        game->told_first = told->next;
        told_free(told);
    }
    nlp_log_done(&game->writer);
    nlp_log_done(&game->masked_writer);
    buf_done(&game->last);
    buf_done(&game->last_masked);
    buf_done(&game->held);
    return mem_free(game);
}

static LiveGame *find_game(const Live *live, uint64_t number)
{
    LiveGame *game = live->games;

    while (game && (game->number != number || game->status.finished))
        game = game->next;
    return game;
}

static LiveGame *find_id(const Live *live, Str id, bool full)
{
    LiveGame *game = live->games;

    while (game && (!str_eq(str_of(game->id), id) || !(full || game->shown)))
        game = game->next;
    return game;
}

static void name_seats(LiveGame *game, SeatNo count, const Str *agents, const Str *names)
{
    for (SeatNo seat = 1; seat <= count; seat++) {
        NlpSeatStatus *status = &game->status.seats[seat];
        snprintf(game->agents[seat], sizeof(game->agents[seat]), "%.*s", STR_ARG(agents[seat]));
        if (names)
            snprintf(game->names[seat], sizeof(game->names[seat]), "%.*s", STR_ARG(names[seat]));
        else
            snprintf(game->names[seat], sizeof(game->names[seat]), "Agent[%02u]", seat);
        game->seats[seat] = (NlpSeat){.original = str_of(game->agents[seat]),
                                      .team = str_of(game->agents[seat]),
                                      .name = str_of(game->names[seat])};
        *status = (NlpSeatStatus){.team = str_of(game->agents[seat]),
                                  .original = str_of(game->agents[seat]),
                                  .name = str_of(game->names[seat]),
                                  .alive = true,
                                  .told_alive = true};
    }
}

static void on_trouble(Live *live, const char *what)
{
    live->setup.note(live->setup.user, str_of(what));
}

/* Numbers come again when a server does, and files stay. */
static void begin_files(Live *live, LiveGame *game)
{
    CLEANUP(buf_done) Buf stem = {0};
    Err err = {0};

    if (!live->realtime)
        return;
    buf_printf(&stem, "%s-%" PRIx64, game->id, (uint64_t)game->status.began_unix_ms);
    if (realtime_begin(live->realtime, buf_str(&stem), buf_str(&stem), &game->realtime, &err))
        on_trouble(live, err.msg);
}

/* ---- what the public is told ---- */

static void take_told(Live *live, LiveGame *game, Told *told, TimeUs now)
{
    game->shown = true;
    game->known.day = told->day;
    game->known.alive = told->alive;
    game->known.over = told->over;
    if (told->packet.len) {
        buf_clear(&game->last_masked);
        buf_add(&game->last_masked, buf_str(&told->packet));
        event_streams_hand(&game->public_readers, STR(""), buf_str(&told->packet), now);
    }
    while (told->over && game->public_readers.first) {
        event_stream_end(game->public_readers.first, now);
        event_stream_free(game->public_readers.first);
    }
    live->finished += told->over;
}

static void tell_due(Live *live, LiveGame *game, TimeUs now)
{
    while (game->told_first && game->told_first->due <= now) {
        Told *told = game->told_first;
        game->told_first = told->next;
        take_told(live, game, told, now);
        told_free(told);
    }
}

/* Without memory the public misses a packet. */
static void tell_public(Live *live, LiveGame *game, const Event *event, Str packet, TimeUs now)
{
    const Told *before = game->told_first ? game->told_last : &game->known;

    if (event && packet.len == 0 && before->day == event->day &&
        before->alive == game->masked_writer.alive)
        return;
    Told *told = mem_new(sizeof(*told));
    if (!told)
        return;
    told->due = now + live->setup.delay;
    told->day = event ? event->day : game->status.day;
    told->alive = game->masked_writer.alive;
    told->over = game->status.finished;
    buf_add(&told->packet, packet);
    *(game->told_first ? &game->told_last->next : &game->told_first) = told;
    game->told_last = told;
    if (live->setup.delay == 0)
        tell_due(live, game, told->due);
}

void live_begins(Live *live, uint64_t number, SeatNo count, const Str *agents, const Str *names,
                 TimeUs now)
{
    LiveGame *game = mem_new(sizeof(*game));

    if (!game)
        return;
    game->number = number;
    snprintf(game->id, sizeof(game->id), "%06" PRIu64, number);
    name_seats(game, count, agents, names);
    game->status.id = game->status.stem = str_of(game->id);
    game->status.number = (uint32_t)number + 1;
    game->status.seat_count = count;
    game->status.began_unix_ms = live->setup.date_of(now);
    nlp_log_begin(&game->writer, game->status.id, game->seats, count, game->status.began_unix_ms);
    nlp_log_begin(&game->masked_writer, game->status.id, game->seats, count,
                  game->status.began_unix_ms);
    game->masked_writer.masked = true;
    game->next = live->games;
    live->games = game;
    begin_files(live, game);
    tell_public(live, game, NULL, STR(""), now);
}

/* ---- events ---- */

/* The files have a delay of their own. */
static void tell_files(Live *live, const LiveGame *game, Str packet, Str masked, TimeUs now)
{
    if (game->realtime)
        realtime_add(live->realtime, game->realtime, packet, masked, now, live->setup.date_of(now));
}

static void tell_operators(Live *live, LiveGame *game, Str packet, TimeUs now)
{
    if (packet.len == 0)
        return;
    buf_clear(&game->last);
    game->last.failed = false;
    buf_add(&game->last, packet);
    tell_files(live, game, packet, STR(""), now);
    event_streams_hand(&game->readers, packet, STR(""), now);
}

static void tell(Live *live, LiveGame *game, const Event *event, bool masked, TimeUs now)
{
    NlpLogWriter *writer = masked ? &game->masked_writer : &game->writer;
    Buf *packet = masked ? &live->masked : &live->packet;

    buf_clear(packet);
    packet->failed = false;
    nlp_log_follow(writer, event);
    if (!nlp_broadcast_event(writer, event, packet) || buf_failed(packet))
        buf_clear(packet);
    if (masked) {
        tell_files(live, game, STR(""), buf_str(packet), now);
        tell_public(live, game, event, buf_str(packet), now);
    } else {
        tell_operators(live, game, buf_str(packet), now);
    }
}

/* In some rules the village hears of an execution in the morning only. */
static bool is_told_later(const LiveGame *game, const Event *event)
{
    const SeatSet all = seat_all(game->status.seat_count);

    return event->kind == EVENT_EXECUTE && (event->known_to & all) != all;
}

/* What the night brings is told in the morning, also that somebody has left. */
static bool is_of_night(const LiveGame *game, const Event *event)
{
    return event->kind == EVENT_DEATH && game->writer.night;
}

static bool is_held(const Live *live, const LiveGame *game, const Event *event)
{
    return event->kind == EVENT_VOTE || is_told_later(game, event) || is_of_night(game, event) ||
           (live->setup.rooms && event->kind == EVENT_TALK);
}

/* What is held is told, and then this. */
static bool is_end_of_holding(const Live *live, const Event *event)
{
    return event->kind == EVENT_EXECUTE || event->kind == EVENT_DAY || event->kind == EVENT_END ||
           (live->setup.rooms && event->kind == EVENT_NIGHT);
}

/* A talk is the engine's for the call only. */
typedef struct Held {
    Event event;
    Talk talk;
    size_t text_bytes; /* behind it */
} Held;

static void hold_event(LiveGame *game, const Event *event)
{
    Held held = {.event = *event};

    if (event->kind == EVENT_TALK) {
        held.talk = *event->talk;
        held.text_bytes = event->talk->text.len;
    }
    buf_add(&game->held, (Str){(const char *)&held, sizeof(held)});
    if (held.text_bytes)
        buf_add(&game->held, held.talk.text);
}

static void tell_held(Live *live, LiveGame *game, TimeMs time, TimeUs now)
{
    Str rest = buf_str(&game->held);

    while (rest.len >= sizeof(Held) && !buf_failed(&game->held)) {
        Held held;
        memcpy(&held, rest.bytes, sizeof(held));
        held.talk.text = str_part(rest, sizeof(held), held.text_bytes);
        held.event.talk = &held.talk;
        held.event.time = time;
        tell(live, game, &held.event, true, now);
        rest = str_part(rest, sizeof(held) + held.text_bytes, rest.len);
    }
    buf_clear(&game->held);
    game->held.failed = false;
}

/* Agents hear of ballots with what they are asked or told next, and their sum is the execution; so
 * readers hear of both together, when the village does. */
static void tell_masked(Live *live, LiveGame *game, const Event *event, TimeUs now)
{
    if (is_held(live, game, event)) {
        hold_event(game, event);
        return;
    }
    if (is_end_of_holding(live, event))
        tell_held(live, game, event->time, now);
    tell(live, game, event, true, now);
}

static void note_event(LiveGame *game, const Event *event)
{
    NlpGame *status = &game->status;

    if (event->kind == EVENT_DAY)
        status->day = event->day;
    if (event->kind == EVENT_END)
        status->winner = event->winner;
    if (event->kind == EVENT_ROLE || event->kind == EVENT_REVEAL)
        status->seats[event->seat].role = event->role;
    for (SeatNo seat = 1; seat <= status->seat_count; seat++)
        status->seats[seat].alive = seat_in(game->writer.alive, seat);
}

void live_heard(Live *live, uint64_t number, const Event *event, TimeUs now)
{
    LiveGame *game = find_game(live, number);
    Event timed = *event;

    if (!game)
        return;
    /* the engine knows no clock */
    timed.time = live->setup.date_of(now) - game->status.began_unix_ms;
    tell(live, game, &timed, false, now);
    tell_masked(live, game, &timed, now);
    note_event(game, &timed);
}

/* That which has been over for longest. */
static void forget_oldest(Live *live)
{
    LiveGame **oldest = NULL;

    for (LiveGame **at = &live->games; *at; at = &(*at)->next)
        if ((*at)->known.over &&
            (!oldest || (*at)->status.ended_unix_ms <= (*oldest)->status.ended_unix_ms))
            oldest = at;
    if (!oldest)
        return;
    LiveGame *gone = *oldest;
    *oldest = gone->next;
    live_game_free(gone);
    live->finished--;
}

static void end_game(Live *live, LiveGame *game, bool aborted, TimeUs now)
{
    game->status.finished = true;
    game->status.aborted = aborted;
    game->status.ended_unix_ms = live->setup.date_of(now);
    while (game->readers.first) {
        event_stream_end(game->readers.first, now);
        event_stream_free(game->readers.first);
    }
    if (game->realtime)
        realtime_end(live->realtime, game->realtime, now);
    game->realtime = NULL;
    tell_public(live, game, NULL, STR(""), now);
    if (live->finished > LIVE_FINISHED_MAX)
        forget_oldest(live);
}

void live_ends(Live *live, uint64_t number, bool aborted, TimeUs now)
{
    LiveGame *game = find_game(live, number);

    if (game)
        end_game(live, game, aborted, now);
}

void live_make_void(Live *live, uint64_t first, uint64_t count, TimeUs now)
{
    for (uint64_t number = first; number < first + count; number++) {
        LiveGame *running = find_game(live, number);
        if (running)
            end_game(live, running, true, now);
    }
    for (LiveGame *game = live->games; game; game = game->next)
        game->status.made_void |= game->number >= first && game->number - first < count;
}

static LiveGame *find_running(const Live *live)
{
    LiveGame *game = live->games;

    while (game && game->status.finished)
        game = game->next;
    return game;
}

void live_ends_all(Live *live, TimeUs now)
{
    for (LiveGame *game; (game = find_running(live));)
        end_game(live, game, true, now);
}

/* ---- requests ---- */

static void reply_json(Live *live, WebConn *conn, unsigned status)
{
    if (buf_failed(&live->body))
        web_reply(conn, 503, NULL, STR(""));
    else
        web_reply(conn, status, JSON_TYPE, buf_str(&live->body));
}

static void refuse(Live *live, WebConn *conn, unsigned status, const char *why)
{
    buf_clear(&live->body);
    api_error(&live->body, why);
    reply_json(live, conn, status);
}

/* A seat's agent is an operator's to know; and so are the roles of a game that was given up,
 * because
 * --resume plays it again with the same ones. */
static void put_game(Json *json, const LiveGame *game, bool full)
{
    NlpGame status = game->status;
    const bool over = full ? status.finished : game->known.over;
    const ApiGame shown = {.game = &status, .masked = !full && (!over || status.aborted)};

    for (SeatNo seat = 1; !full && seat <= status.seat_count; seat++) {
        status.seats[seat].team = status.seats[seat].original = STR("");
        status.seats[seat].told_alive = seat_in(game->known.alive, seat);
    }
    if (!full)
        status.day = game->known.day;
    status.finished = over;
    api_put_game(json, &shown);
}

static bool is_listed(const LiveGame *game, ApiGames which, bool full)
{
    const bool over = full ? game->status.finished : game->known.over;

    return (full || game->shown) && (which == API_ALL || over == (which == API_FINISHED));
}

static void reply_games(Live *live, WebConn *conn, const WebRequest *request, bool full)
{
    CLEANUP(buf_done) Buf value = {0};
    ApiGames which;

    if (!api_games_of(web_query(request, "state", &value), &which)) {
        refuse(live, conn, 400, "state is running, finished or all");
        return;
    }
    Json json = json_over(&live->body);
    json_open(&json, '{');
    json_key(&json, STR("games"));
    json_open(&json, '[');
    for (const LiveGame *game = live->games; game; game = game->next)
        if (is_listed(game, which, full))
            put_game(&json, game, full);
    json_close(&json);
    json_close(&json);
    reply_json(live, conn, 200);
}

static void reply_game(Live *live, WebConn *conn, Str id, bool full)
{
    const LiveGame *game = find_id(live, id, full);

    if (!game) {
        refuse(live, conn, 404, "no such game is running, or was played of late");
        return;
    }
    Json json = json_over(&live->body);
    put_game(&json, game, full);
    reply_json(live, conn, 200);
}

/* `masked`: what the public is told, for whoever asks. */
static void reply_events(Live *live, WebConn *conn, Str id, bool masked, TimeUs now)
{
    LiveGame *game = find_id(live, id, !masked);

    if (!game) {
        refuse(live, conn, 404, "no such game is running, or was played of late");
        return;
    }
    if (masked ? game->known.over : game->status.finished) {
        web_reply(conn, 204, NULL, STR("")); /* tells an EventSource not to come again */
        return;
    }
    EventStream *stream = event_stream_new(masked ? &game->public_readers : &game->readers, conn,
                                           masked, NULL, &live->event);
    if (!stream)
        web_reply(conn, 503, NULL, STR(""));
    else
        event_stream_hand(stream, buf_str(masked ? &game->last_masked : &game->last), now);
}

static void reply_metrics(Live *live, WebConn *conn, bool full)
{
    if (!live->setup.metrics) {
        refuse(live, conn, 404, "nothing is here; /api/v1/games has the games");
    } else if (!full) {
        refuse(live, conn, 403, "this is for operators: give the operator's token");
    } else {
        live->setup.metrics(live->setup.user, &live->body);
        web_reply(conn, buf_failed(&live->body) ? 503 : 200,
                  "text/plain; version=0.0.4; charset=utf-8", buf_str(&live->body));
    }
}

static bool wants_masked(const WebRequest *request)
{
    CLEANUP(buf_done) Buf value = {0};

    return str_eq(web_query(request, "masked", &value), STR("1"));
}

static void answer(Live *live, WebConn *conn, const WebRequest *request)
{
    CLEANUP(buf_done) Buf value = {0};
    const VisitorRules rules = {.operator_token = live->setup.operator_token};
    const bool full =
        visitor_of(&rules, request, live->setup.date_of(request->now) / 1000) == VISITOR_OPERATOR;
    Str parts[ROUTE_PARTS] = {STR(""), STR("")};
    const ServerRoute *route = server_route_find(request->path, parts);
    const RoutePage page = route ? route->page : PAGE_COUNT;

    if (!full && visitor_token(request, &value).len) {
        refuse(live, conn, 401,
               "this is not the operator's token; without one you see what the "
               "village is told");
    } else if (page == PAGE_HEALTH) {
        api_health(&live->body);
        reply_json(live, conn, 200);
    } else if (page == PAGE_METRICS) {
        reply_metrics(live, conn, full);
    } else if (page == PAGE_GAMES) {
        reply_games(live, conn, request, full);
    } else if (page == PAGE_GAME) {
        reply_game(live, conn, parts[0], full);
    } else if (page == PAGE_GAME_EVENTS) {
        reply_events(live, conn, parts[0], !full || wants_masked(request), request->now);
    } else {
        refuse(live, conn, 404, "nothing is here; /api/v1/games has the games");
    }
}

static void on_request(void *user, WebConn *conn, const WebRequest *request)
{
    Live *live = user;

    if (live->setup.desk && operator_desk_request(live->setup.desk, conn, request))
        return;
    buf_clear(&live->body);
    if (!str_eq(request->method, STR("GET")) && !str_eq(request->method, STR("HEAD")))
        refuse(live, conn, 405, "only GET is known here");
    else
        answer(live, conn, request);
}

static void on_message(void *socket, Str text, TimeUs at)
{
    (void)socket, (void)text, (void)at; /* nobody is upgraded */
}

static void on_closed(void *socket, WebEnd how, uint16_t code, TimeUs now)
{
    (void)how, (void)code, (void)now;
    event_stream_free(socket);
}

static void on_refused(void *user, const char *peer, Str why, TimeUs now)
{
    Live *live = user;
    CLEANUP(buf_done) Buf line = {0};

    if (refusals_tell(&live->refusals, peer, why, now, &line))
        live->setup.note(live->setup.user, buf_str(&line));
}

static void readers_chores(EventStreams *readers, TimeUs now)
{
    event_streams_drop_stuck(readers, now - STUCK_US);
    event_streams_chore(readers, now);
}

static void files_chores(Live *live, TimeUs now)
{
    Err err = {0};

    if (!live->realtime)
        return;
    realtime_tick(live->realtime, now, live->setup.date_of(now));
    if (realtime_trouble(live->realtime, &err))
        on_trouble(live, err.msg);
}

static void on_chores(void *user, TimeUs now)
{
    Live *live = user;

    for (LiveGame *game = live->games; game; game = game->next) {
        tell_due(live, game, now);
        readers_chores(&game->readers, now);
        readers_chores(&game->public_readers, now);
    }
    while (live->finished > LIVE_FINISHED_MAX)
        forget_oldest(live);
    files_chores(live, now);
    timer_at(live->chores, now + CHORES_US, false);
}

/* ---- life ---- */

static void make_gate(Live *live)
{
    if (gethostname(live->own_name, sizeof(live->own_name) - 1))
        live->own_name[0] = '\0';
    live->headers[0] = (WebHeader){STR("Server"), STR("warg/" WARG_VERSION)};
    live->gate = (WebGate){.hosts = live->setup.names,
                           .host_count = live->setup.name_count,
                           .names = {str_of(live->own_name), str_of(live->setup.host)},
                           .hosts_key = "--http-name",
                           .origins_key = "--http-name"};
}

static int listen_for_readers(Live *live, Loop *loop, Err *err)
{
    static const WebEvents events = {
        .request = on_request, .message = on_message, .closed = on_closed, .refused = on_refused};
    WebLimits limits = web_default_limits;

    make_gate(live);
    limits.connections = LIVE_CONNECTIONS;
    const WebSetup web = {.host = live->setup.host,
                          .port = live->setup.port,
                          .limits = &limits,
                          .headers = live->headers,
                          .header_count = 1,
                          .events = &events,
                          .user = live};
    int rc = web_listen(loop, &web, &live->web, err);

    if (rc == 0)
        web_set_gate(live->web, &live->gate);
    return rc;
}

int live_open(Loop *loop, const LiveSetup *setup, Live **ret_live, Err *err)
{
    Live *live = mem_new(sizeof(*live));
    const RealtimeSetup files = {.dir = setup->realtime, .delay = setup->delay, .masked = true};

    if (!live)
        return err_set(err, ERR_MEMORY, "live data: out of memory");
    live->setup = *setup;
    int rc = timer_new(loop, on_chores, live, &live->chores, err);
    if (rc == 0 && setup->host)
        rc = listen_for_readers(live, loop, err);
    if (rc == 0 && setup->realtime)
        rc = realtime_open(&files, &live->realtime, err);
    if (rc) {
        live_free(live);
        return rc;
    }
    timer_in(live->chores, CHORES_US);
    *ret_live = live;
    return 0;
}

Live *live_free(Live *live)
{
    if (!live)
        return NULL;
    web_free(live->web); /* calls nobody */
    timer_free(live->chores);
    while (live->games) {
        LiveGame *game = live->games;
        live->games = game->next;
        live_game_free(game);
    }
    realtime_free(live->realtime);
    refusals_done(&live->refusals);
    buf_done(&live->body);
    buf_done(&live->packet);
    buf_done(&live->masked);
    buf_done(&live->event);
    return mem_free(live);
}

uint16_t live_port(const Live *live)
{
    return live->web ? web_port(live->web) : 0;
}

void live_write_address(const Live *live, bool token_is_kept, Buf *out)
{
    const LiveSetup *setup = &live->setup;
    const bool six = strchr(setup->host, ':') != NULL;

    buf_printf(out, "games can be watched at http://%s%s%s:%u/api/v1/games", six ? "[" : "",
               setup->host, six ? "]" : "", live_port(live));
    if (!token_is_kept)
        buf_printf(out,
                   "; operator's token: %.*s (with it, as 'Authorization: Bearer TOKEN', roles and "
                   "agents of running games can be read)",
                   STR_ARG(setup->operator_token));
}
