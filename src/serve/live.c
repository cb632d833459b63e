#include "serve/live.h"

#include "net/web.h"
#include "net/web_gate.h"
#include "record/game_record.h"
#include "record/nlp_log.h"
#include "serve/api.h"
#include "serve/event_stream.h"
#include "serve/server_routes.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#define CHORES_US  ((TimeUs)1000 * 1000)
#define REFUSED_US ((TimeUs)1000 * 1000)  /* a page can ask as often as it likes */
#define STUCK_US   ((TimeUs)30 * 1000000) /* who has not read for so long is closed */
#define JSON_TYPE  "application/json"

typedef struct LiveGame {
    struct LiveGame *next;
    uint64_t number;
    char id[24];
    char agents[SEAT_MAX + 1][AGENT_NAME_MAX + 1];
    char names[SEAT_MAX + 1][16]; /* in the game */
    NlpSeat seats[SEAT_MAX + 1];
    NlpGame status; /* its texts are the ones above */
    NlpLogWriter writer;
    NlpLogWriter masked_writer;
    Buf held; /* events that the village is told of later: ballots, an execution */
    Buf last; /* for who comes late */
    Buf last_masked;
    EventStreams readers;
} LiveGame;

struct Live {
    LiveSetup setup;
    WebServer *web;
    Timer *chores;
    LiveGame *games; /* the latest first */
    size_t finished;
    TimeUs refused_at; /* a line told of it */
    Buf body;
    Buf packet;
    Buf masked;
    Buf event;
    WebHeader headers[1];
    WebGate gate;
    char own_name[256];
};

static int64_t wall_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- games ---- */

static LiveGame *live_game_free(LiveGame *game)
{
    while (game->readers.first)
        event_stream_free(game->readers.first);
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

static const LiveGame *find_id(const Live *live, Str id)
{
    const LiveGame *game = live->games;

    while (game && !str_eq(str_of(game->id), id))
        game = game->next;
    return game;
}

static void name_seats(LiveGame *game, SeatNo count, const Str *names)
{
    for (SeatNo seat = 1; seat <= count; seat++) {
        NlpSeatStatus *status = &game->status.seats[seat];
        snprintf(game->agents[seat], sizeof(game->agents[seat]), "%.*s", STR_ARG(names[seat]));
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

void live_begins(Live *live, uint64_t number, SeatNo count, const Str *names)
{
    LiveGame *game = mem_new(sizeof(*game));

    if (!game)
        return;
    game->number = number;
    snprintf(game->id, sizeof(game->id), "%06" PRIu64, number);
    name_seats(game, count, names);
    game->status.id = game->status.stem = str_of(game->id);
    game->status.number = (uint32_t)number + 1;
    game->status.seat_count = count;
    game->status.began_unix_ms = wall_ms();
    nlp_log_begin(&game->writer, game->status.id, game->seats, count, game->status.began_unix_ms);
    nlp_log_begin(&game->masked_writer, game->status.id, game->seats, count,
                  game->status.began_unix_ms);
    game->masked_writer.masked = true;
    game->next = live->games;
    live->games = game;
}

/* ---- events ---- */

static void keep_last(Buf *last, const Buf *packet)
{
    if (packet->len == 0)
        return;
    buf_clear(last);
    last->failed = false;
    buf_add(last, buf_str(packet));
}

static void tell(Live *live, LiveGame *game, const Event *event, bool masked)
{
    NlpLogWriter *writer = masked ? &game->masked_writer : &game->writer;
    Buf *packet = masked ? &live->masked : &live->packet;

    buf_clear(packet);
    nlp_log_follow(writer, event);
    if (!nlp_broadcast_event(writer, event, packet) || buf_failed(packet)) {
        buf_clear(packet);
        packet->failed = false;
        return;
    }
    keep_last(masked ? &game->last_masked : &game->last, packet);
    event_streams_hand(&game->readers, masked ? STR("") : buf_str(packet),
                       masked ? buf_str(packet) : STR(""), loop_now());
}

/* In some rules the village hears of an execution in the morning only. */
static bool is_told_later(const LiveGame *game, const Event *event)
{
    const SeatSet all = seat_all(game->status.seat_count);

    return event->kind == EVENT_EXECUTE && (event->known_to & all) != all;
}

static bool is_dawn(const Event *event)
{
    return event->kind == EVENT_DEATH || event->kind == EVENT_DAY || event->kind == EVENT_END;
}

static void tell_held(Live *live, LiveGame *game, TimeMs time)
{
    for (size_t at = 0; at + sizeof(Event) <= game->held.len; at += sizeof(Event)) {
        Event event;
        memcpy(&event, game->held.bytes + at, sizeof(event));
        event.time = time;
        tell(live, game, &event, true);
    }
    buf_clear(&game->held);
}

/* Agents hear of ballots with what they are asked or told next, and their sum is the execution; so
 * readers hear of both together, when the village does. */
static void tell_masked(Live *live, LiveGame *game, const Event *event)
{
    if (event->kind == EVENT_VOTE || is_told_later(game, event)) {
        buf_add(&game->held, (Str){(const char *)event, sizeof(*event)});
        return;
    }
    if (event->kind == EVENT_EXECUTE || is_dawn(event))
        tell_held(live, game, event->time);
    tell(live, game, event, true);
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
    for (SeatNo seat = 1; seat <= status->seat_count; seat++) {
        status->seats[seat].alive = seat_in(game->writer.alive, seat);
        status->seats[seat].told_alive = seat_in(game->masked_writer.alive, seat);
    }
}

void live_heard(Live *live, uint64_t number, const Event *event)
{
    LiveGame *game = find_game(live, number);
    Event timed = *event;

    if (!game)
        return;
    timed.time = wall_ms() - game->status.began_unix_ms; /* the engine knows no clock */
    tell(live, game, &timed, false);
    tell_masked(live, game, &timed);
    note_event(game, &timed);
}

/* That which has been over for longest. */
static void forget_oldest(Live *live)
{
    LiveGame **oldest = NULL;

    for (LiveGame **at = &live->games; *at; at = &(*at)->next)
        if ((*at)->status.finished &&
            (!oldest || (*at)->status.ended_unix_ms <= (*oldest)->status.ended_unix_ms))
            oldest = at;
    if (!oldest)
        return;
    LiveGame *gone = *oldest;
    *oldest = gone->next;
    live_game_free(gone);
    live->finished--;
}

static void end_game(Live *live, LiveGame *game, bool aborted)
{
    game->status.finished = true;
    game->status.aborted = aborted;
    game->status.ended_unix_ms = wall_ms();
    while (game->readers.first) {
        event_stream_end(game->readers.first, loop_now());
        event_stream_free(game->readers.first);
    }
    if (++live->finished > LIVE_FINISHED_MAX)
        forget_oldest(live);
}

void live_ends(Live *live, uint64_t number, bool aborted)
{
    LiveGame *game = find_game(live, number);

    if (game)
        end_game(live, game, aborted);
}

static LiveGame *find_running(const Live *live)
{
    LiveGame *game = live->games;

    while (game && game->status.finished)
        game = game->next;
    return game;
}

void live_ends_all(Live *live)
{
    for (LiveGame *game; (game = find_running(live));)
        end_game(live, game, true);
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
    const ApiGame shown = {.game = &status,
                           .masked = !full && (!status.finished || status.aborted)};

    for (SeatNo seat = 1; !full && seat <= status.seat_count; seat++)
        status.seats[seat].team = status.seats[seat].original = STR("");
    api_put_game(json, &shown);
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
        if (which == API_ALL || game->status.finished == (which == API_FINISHED))
            put_game(&json, game, full);
    json_close(&json);
    json_close(&json);
    reply_json(live, conn, 200);
}

static void reply_game(Live *live, WebConn *conn, Str id, bool full)
{
    const LiveGame *game = find_id(live, id);

    if (!game) {
        refuse(live, conn, 404, "no such game is running, or was played of late");
        return;
    }
    Json json = json_over(&live->body);
    put_game(&json, game, full);
    reply_json(live, conn, 200);
}

static void reply_events(Live *live, WebConn *conn, Str id, bool full)
{
    const LiveGame *found = find_id(live, id);
    LiveGame *game = found ? find_game(live, found->number) : NULL;

    if (!found) {
        refuse(live, conn, 404, "no such game is running, or was played of late");
        return;
    }
    if (!game) {
        web_reply(conn, 204, NULL, STR("")); /* tells an EventSource not to come again */
        return;
    }
    EventStream *stream = event_stream_new(&game->readers, conn, !full, NULL, &live->event);
    if (!stream)
        web_reply(conn, 503, NULL, STR(""));
    else
        event_stream_hand(stream, buf_str(full ? &game->last : &game->last_masked), loop_now());
}

static bool wants_masked(const WebRequest *request)
{
    CLEANUP(buf_done) Buf value = {0};

    return str_eq(web_query(request, "masked", &value), STR("1"));
}

static void answer(Live *live, WebConn *conn, const WebRequest *request)
{
    const VisitorRules rules = {.operator_token = live->setup.operator_token};
    const bool full = visitor_of(&rules, request, wall_ms() / 1000) == VISITOR_OPERATOR;
    Str parts[ROUTE_PARTS] = {STR(""), STR("")};
    const ServerRoute *route = server_route_find(request->path, parts);
    const Page page = route ? route->page : PAGE_COUNT;

    if (page == PAGE_HEALTH) {
        api_health(&live->body);
        reply_json(live, conn, 200);
    } else if (page == PAGE_GAMES) {
        reply_games(live, conn, request, full);
    } else if (page == PAGE_GAME) {
        reply_game(live, conn, parts[0], full);
    } else if (page == PAGE_GAME_EVENTS) {
        reply_events(live, conn, parts[0], full && !wants_masked(request));
    } else {
        refuse(live, conn, 404, "nothing is here; /api/v1/games has the games");
    }
}

static void on_request(void *user, WebConn *conn, const WebRequest *request)
{
    Live *live = user;

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

static void on_closed(void *socket, WebEnd how, uint16_t code)
{
    (void)how, (void)code;
    event_stream_free(socket);
}

static void on_refused(void *user, const char *peer, Str why)
{
    Live *live = user;
    CLEANUP(buf_done) Buf line = {0};
    TimeUs now = loop_now();

    if (live->refused_at && now - live->refused_at < REFUSED_US)
        return;
    live->refused_at = now;
    buf_printf(&line, "refused address=%s: %.*s", peer, STR_ARG(why));
    live->setup.note(live->setup.user, buf_str(&line));
}

static void on_chores(void *user)
{
    Live *live = user;

    for (LiveGame *game = live->games; game; game = game->next) {
        event_streams_drop_stuck(&game->readers, loop_now() - STUCK_US);
        event_streams_chore(&game->readers, loop_now());
    }
    timer_at(live->chores, loop_now() + CHORES_US, false);
}

/* ---- life ---- */

static void make_gate(Live *live)
{
    if (gethostname(live->own_name, sizeof(live->own_name) - 1))
        live->own_name[0] = '\0';
    live->headers[0] = (WebHeader){STR("Server"), STR("warg/" WARG_VERSION)};
    live->gate = (WebGate){.names = {str_of(live->own_name), str_of(live->setup.host)},
                           .hosts_key = "--http",
                           .origins_key = "--http"};
}

int live_open(Loop *loop, const LiveSetup *setup, Live **ret_live, Err *err)
{
    static const WebEvents events = {
        .request = on_request, .message = on_message, .closed = on_closed, .refused = on_refused};
    WebLimits limits = web_default_limits;
    Live *live = mem_new(sizeof(*live));

    if (!live)
        return err_set(err, ERR_MEMORY, "live data: out of memory");
    live->setup = *setup;
    make_gate(live);
    limits.connections = LIVE_CONNECTIONS;
    const WebSetup web = {.host = setup->host,
                          .port = setup->port,
                          .limits = &limits,
                          .headers = live->headers,
                          .header_count = 1,
                          .events = &events,
                          .user = live};
    int rc = timer_new(loop, on_chores, live, &live->chores, err);
    if (rc == 0)
        rc = web_listen(loop, &web, &live->web, err);
    if (rc) {
        live_free(live);
        return rc;
    }
    web_set_gate(live->web, &live->gate);
    timer_at(live->chores, loop_now() + CHORES_US, false);
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
    buf_done(&live->body);
    buf_done(&live->packet);
    buf_done(&live->masked);
    buf_done(&live->event);
    return mem_free(live);
}

uint16_t live_port(const Live *live)
{
    return web_port(live->web);
}
