/* Requests: the routes of spec/nlp-division.md 1.1, tokens of viewers (1.3), files. */
#include "nlp/api.h"
#include "nlp/server_state.h"
#include "wire/jwt.h"

#include <fcntl.h>
#include <unistd.h>

#define JSON_TYPE  "application/json"
#define PLAIN_TYPE "text/plain; charset=utf-8"
#define GAMES_PATH "/api/v1/games/"

/* A request that is being answered. */
typedef struct Visit {
    Server *server;
    WebConn *conn;
    const WebRequest *request;
    Str rest; /* of the path, behind the route's */
    Api api;
} Visit;

static void reply_json(Visit *visit, unsigned status)
{
    Buf *body = &visit->server->body;

    if (buf_failed(body))
        web_reply(visit->conn, 503, NULL, STR(""));
    else
        web_reply(visit->conn, status, JSON_TYPE, buf_str(body));
}

static void refuse(Visit *visit, unsigned status, const char *why)
{
    buf_clear(&visit->server->body);
    api_error(&visit->server->body, why);
    reply_json(visit, status);
}

/* ---- tokens ---- */

Str server_token(const WebRequest *request, Buf *value)
{
    Str token = web_query(request, "token", value);

    if (token.len)
        return token;
    token = web_header(request, "Authorization");
    if (str_starts(token, STR("Bearer ")))
        token = str_part(token, strlen("Bearer "), token.len);
    return token;
}

/* Whether the viewer may have this; answers 401 with an empty body otherwise. */
static bool is_viewer(Visit *visit)
{
    const Config *config = visit->server->setup.config;
    CLEANUP(buf_done) Buf value = {0};
    JwtClaims claims;

    if (!config->authentication)
        return true;
    Str token = server_token(visit->request, &value);
    if (token.len &&
        jwt_check(token, config->secret_key, visit->api.now_ms / 1000, &claims, NULL) == 0 &&
        str_eq(str_of(claims.role), STR("RECEIVER")))
        return true;
    web_reply(visit->conn, 401, NULL, STR(""));
    return false;
}

/* ---- files ---- */

/* A name inside a directory, and nothing that leads out of it or to a hidden file. */
static bool is_plain_name(Str name)
{
    return name.len > 0 && name.len <= 255 && name.bytes[0] != '.' &&
           !memchr(name.bytes, '/', name.len) && !memchr(name.bytes, '\\', name.len) &&
           !memchr(name.bytes, '\0', name.len);
}

static bool ends_with(Str name, Str end)
{
    return name.len > end.len && str_eq(str_part(name, name.len - end.len, end.len), end);
}

static void reply_file(Visit *visit, const char *dir, const char *sub, Str name, const char *suffix,
                       const char *type)
{
    Buf *path = &visit->server->value;

    buf_clear(path);
    buf_printf(path, "%s/%s%.*s%s", dir && dir[0] ? dir : ".", sub, STR_ARG(name), suffix);
    int file = buf_failed(path)
                   ? -1
                   : open(buf_cstr(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        refuse(visit, 404, "no such file");
        return;
    }
    web_reply_file(visit->conn, file, type);
    close(file);
}

static void reply_realtime(Visit *visit, Str name, bool masked)
{
    const Config *config = visit->server->setup.config;
    bool is_list = str_eq(name, STR("games.json"));
    if (!config->realtime.enable || (masked && !config->realtime_masked) || !is_plain_name(name) ||
        (!is_list && !ends_with(name, STR(".jsonl")))) {
        refuse(visit, 404, "no such file");
        return;
    }
    if (masked || config->realtime_open || is_viewer(visit))
        reply_file(visit, config->realtime.output_dir, masked ? "masked/" : "", name, "",
                   is_list ? JSON_TYPE : PLAIN_TYPE);
}

static void on_realtime(Visit *visit)
{
    bool masked = str_starts(visit->rest, STR("masked/"));

    reply_realtime(visit, str_part(visit->rest, masked ? strlen("masked/") : 0, visit->rest.len),
                   masked);
}

/* A viewer puts /realtime/ behind the address that it is given: this is .../masked. */
static void on_masked(Visit *visit)
{
    reply_realtime(visit, visit->rest, true);
}

/* /tts/<game_id>/playlist.m3u8 and segment_*.ts: never behind a token. */
static void on_speech(Visit *visit)
{
    const ConfigSpeech *speech = &visit->server->setup.config->speech;
    Str name = visit->rest;
    Str game = str_cut(&name, '/');
    bool is_list = ends_with(name, STR(".m3u8"));
    char folder[64];

    if (!speech->enable || !is_plain_name(game) || game.len > 40 || !is_plain_name(name) ||
        (!is_list && !ends_with(name, STR(".ts")))) {
        refuse(visit, 404, "no such file");
        return;
    }
    snprintf(folder, sizeof(folder), "%.*s/", STR_ARG(game));
    reply_file(visit, speech->segment_dir, folder, name, "",
               is_list ? "application/vnd.apple.mpegurl" : "video/mp2t");
}

/* ---- API ---- */

static void on_health(Visit *visit)
{
    api_health(&visit->server->body);
    reply_json(visit, 200);
}

static void on_ready(Visit *visit)
{
    reply_json(visit, api_ready(&visit->api, &visit->server->body));
}

static void on_ruleset(Visit *visit)
{
    api_ruleset(&visit->api, &visit->server->body);
    reply_json(visit, 200);
}

static void on_progress(Visit *visit)
{
    api_progress(&visit->api, &visit->server->body);
    reply_json(visit, 200);
}

static void on_waiting(Visit *visit)
{
    api_waiting(&visit->api, &visit->server->body);
    reply_json(visit, 200);
}

static void on_teams(Visit *visit)
{
    reply_json(visit, api_teams(&visit->api, &visit->server->body));
}

static void on_team(Visit *visit)
{
    reply_json(visit, api_team(&visit->api, visit->rest, &visit->server->body));
}

static void on_games(Visit *visit)
{
    CLEANUP(buf_done) Buf value = {0};
    ApiGames which;

    if (!api_games_of(web_query(visit->request, "state", &value), &which)) {
        refuse(visit, 400, "state is running, finished or all");
        return;
    }
    api_games(&visit->api, which, &visit->server->body);
    reply_json(visit, 200);
}

static void on_metrics(Visit *visit)
{
    api_metrics(&visit->api, &visit->server->body);
    web_reply(visit->conn, 200, "text/plain; version=0.0.4; charset=utf-8",
              buf_str(&visit->server->body));
}

static bool wants_masked(const WebRequest *request)
{
    CLEANUP(buf_done) Buf value = {0};

    return str_eq(web_query(request, "masked", &value), STR("1"));
}

static void on_events(Visit *visit, Str id)
{
    Server *server = visit->server;
    bool masked = wants_masked(visit->request);
    NlpGame game;

    if (!masked && !is_viewer(visit))
        return;
    if (!nlp_hall_game_find(server->hall, id, &game)) {
        refuse(visit, 404, "no such game is running, or was played of late");
        return;
    }
    Played *played = game.finished ? NULL : server_game(server, id);
    if (played)
        events_begin(server, visit->conn, played, masked);
    else
        web_reply(visit->conn, 204, NULL, STR("")); /* tells an EventSource not to come again */
}

static void on_game_file(Visit *visit, Str id, const ConfigLogger *logger, const char *suffix,
                         const char *type)
{
    NlpGame game;

    if (!logger->enable || !nlp_hall_game_find(visit->server->hall, id, &game) ||
        !is_plain_name(game.stem))
        refuse(visit, 404, "no such game has a log here");
    else
        reply_file(visit, logger->output_dir, "", game.stem, suffix, type);
}

/* /api/v1/games/{id}, and what is below it. */
static void on_game(Visit *visit)
{
    const Config *config = visit->server->setup.config;
    Str what = visit->rest;
    Str id = str_cut(&what, '/');
    bool deeper = id.len < visit->rest.len;

    if (deeper && str_eq(what, STR("events"))) {
        on_events(visit, id);
        return;
    }
    if (!is_viewer(visit))
        return;
    if (!deeper)
        reply_json(visit, api_game(&visit->api, id, &visit->server->body));
    else if (str_eq(what, STR("log")))
        on_game_file(visit, id, &config->game_logger, ".log", PLAIN_TYPE);
    else if (str_eq(what, STR("json")))
        on_game_file(visit, id, &config->json_logger, ".json", JSON_TYPE);
    else
        refuse(visit, 404, "a game has events, log and json");
}

static void on_agent(Visit *visit)
{
    server_take_agent(visit->server, visit->conn, visit->request);
}

/* ---- routes ---- */

/* To add a route: a function above, a row here, a line in docs/nlp.md. */
typedef struct Route {
    const char *path; /* ends in '/': with whatever is behind it */
    bool guarded;     /* a viewer's token is needed; the function may ask for one itself */
    void (*answer)(Visit *visit);
} Route;

static const Route routes[] = {
    {"/ws", false, on_agent},
    {"/realtime/", false, on_realtime},
    {"/masked/realtime/", false, on_masked},
    {"/tts/", false, on_speech},
    {"/api/v1/healthz", false, on_health},
    {"/api/v1/readyz", false, on_ready},
    {"/api/v1/ruleset", false, on_ruleset},
    {"/api/v1/progress", false, on_progress},
    {"/metrics", false, on_metrics},
    {"/api/v1/waiting", true, on_waiting},
    {"/api/v1/teams", true, on_teams},
    {"/api/v1/teams/", true, on_team},
    {"/api/v1/games", true, on_games},
    {GAMES_PATH, false, on_game},
};

static const Route *find_route(Str path, Str *ret_rest)
{
    for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
        Str route = str_of(routes[i].path);
        bool open_end = route.len && route.bytes[route.len - 1] == '/';
        if (!str_starts(path, route) || (open_end ? path.len == route.len : path.len > route.len))
            continue;
        *ret_rest = str_part(path, route.len, path.len);
        return &routes[i];
    }
    return NULL;
}

void server_request(void *user, WebConn *conn, const WebRequest *request)
{
    Server *server = user;
    Visit visit = {.server = server, .conn = conn, .request = request};

    server_time(server, loop_now());
    visit.api = (Api){.config = server->setup.config,
                      .hall = server->hall,
                      .now_ms = server_unix_ms(server),
                      .began_ms = server->began_ms,
                      .http_open = web_open_count(server->web),
                      .streams_open = server->reader_count};
    buf_clear(&server->body);
    const Route *route = find_route(request->path, &visit.rest);
    if (!route)
        refuse(&visit, 404, "nothing is here; agents connect to /ws");
    else if (!str_eq(request->method, STR("GET")) && !str_eq(request->method, STR("HEAD")))
        refuse(&visit, 405, "only GET is known here");
    else if (!route->guarded || is_viewer(&visit))
        route->answer(&visit);
}
