/* Requests: what the pages of server_routes.h answer; files. */
#include "serve/api.h"
#include "serve/server_routes.h"
#include "serve/server_state.h"

#include <fcntl.h>
#include <unistd.h>

#define JSON_TYPE  "application/json"
#define PLAIN_TYPE "text/plain; charset=utf-8"

#define FOR_OPERATORS                                                                              \
    "give the operator's token, which the server printed when it started or which is in the file " \
    "of --operator-file, as 'Authorization: Bearer TOKEN'; warg.open: true in the configuration "  \
    "lets everybody see all"

/* A request that is being answered. */
typedef struct Visit {
    Server *server;
    WebConn *conn;
    const WebRequest *request;
    Str parts[ROUTE_PARTS]; /* of the path: server_route_find */
    Visitor visitor;
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

static void refuse_visit(Visit *visit, unsigned status, const char *why)
{
    buf_clear(&visit->server->body);
    api_error(&visit->server->body, why);
    reply_json(visit, status);
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
        refuse_visit(visit, 404, "no such file");
        return;
    }
    web_reply_file(visit->conn, file, type);
    close(file);
}

static void reply_realtime(Visit *visit, bool masked)
{
    const Config *config = visit->server->setup.config;
    Str name = visit->parts[0];
    bool is_list = str_eq(name, STR("games.json"));

    if (!config->realtime.enable || !is_plain_name(name) ||
        (!is_list && !ends_with(name, STR(".jsonl"))))
        refuse_visit(visit, 404, "no such file");
    else if (!masked || config->realtime_masked)
        reply_file(visit, config->realtime.output_dir, masked ? "masked/" : "", name, "",
                   is_list ? JSON_TYPE : PLAIN_TYPE);
    else if (str_starts(visit->request->path, STR("/realtime/masked/")) ||
             str_starts(visit->request->path, STR("/masked/")))
        refuse_visit(visit, 404, "no such file: warg.realtime_masked is off in the configuration");
    else
        refuse_visit(
            visit, 403,
            "these files hold every role: set warg.realtime_masked: true, or " FOR_OPERATORS);
}

static void on_realtime(Visit *visit)
{
    reply_realtime(visit, !visit->api.full);
}

static void on_realtime_masked(Visit *visit)
{
    reply_realtime(visit, true);
}

/* /tts/<game_id>/playlist.m3u8 and segment_*.ts: never behind a token. */
static void on_speech(Visit *visit)
{
    const ConfigSpeech *speech = &visit->server->setup.config->speech;
    Str game = visit->parts[0];
    Str name = visit->parts[1];
    bool is_list = ends_with(name, STR(".m3u8"));
    char folder[64];

    if (!speech->enable || !is_plain_name(game) || game.len > 40 || !is_plain_name(name) ||
        (!is_list && !ends_with(name, STR(".ts")))) {
        refuse_visit(visit, 404, "no such file");
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
    reply_json(visit, api_team(&visit->api, visit->parts[0], &visit->server->body));
}

static void on_games(Visit *visit)
{
    CLEANUP(buf_done) Buf value = {0};
    ApiGames which;

    if (!api_games_of(web_query(visit->request, "state", &value), &which)) {
        refuse_visit(visit, 400, "state is running, finished or all");
        return;
    }
    api_games(&visit->api, which, &visit->server->body);
    reply_json(visit, 200);
}

static void on_metrics(Visit *visit)
{
    api_metrics(&visit->api, &visit->server->body);
    if (visit->visitor == VISITOR_OPERATOR)
        team_metrics_print(visit->server->teams, "warg_nlp_", &visit->server->body);
    web_reply(visit->conn, 200, "text/plain; version=0.0.4; charset=utf-8",
              buf_str(&visit->server->body));
}

static bool wants_masked(const WebRequest *request)
{
    CLEANUP(buf_done) Buf value = {0};

    return str_eq(web_query(request, "masked", &value), STR("1"));
}

static void on_events(Visit *visit)
{
    Server *server = visit->server;
    Str id = visit->parts[0];
    bool masked = wants_masked(visit->request);
    NlpGame game;

    if (!masked && visit->visitor == VISITOR_STRANGER) {
        web_reply(visit->conn, 401, NULL, STR(""));
        return;
    }
    if (!nlp_hall_game_find(server->hall, id, &game)) {
        refuse_visit(visit, 404, "no such game is running, or was played of late");
        return;
    }
    ServedGame *played = game.finished ? NULL : server_game(server, id);
    if (played)
        events_begin(server, visit->conn, played, masked || !visit->api.full);
    else
        web_reply(visit->conn, 204, NULL, STR("")); /* tells an EventSource not to come again */
}

static void reply_game_file(Visit *visit, const ConfigLogger *logger, const char *suffix,
                            const char *type)
{
    NlpGame game;

    if (!logger->enable || !nlp_hall_game_find(visit->server->hall, visit->parts[0], &game) ||
        !is_plain_name(game.stem))
        refuse_visit(visit, 404, "no such game has a log here");
    else if (!game.finished && !visit->api.full)
        refuse_visit(visit, 403,
                     "the game is running, and its logs hold every role: come again when it "
                     "is over, or " FOR_OPERATORS);
    else
        reply_file(visit, logger->output_dir, "", game.stem, suffix, type);
}

static void on_game_log(Visit *visit)
{
    reply_game_file(visit, &visit->server->setup.config->game_logger, ".log", PLAIN_TYPE);
}

static void on_game_json(Visit *visit)
{
    reply_game_file(visit, &visit->server->setup.config->json_logger, ".json", JSON_TYPE);
}

static void on_game(Visit *visit)
{
    reply_json(visit, api_game(&visit->api, visit->parts[0], &visit->server->body));
}

static void on_agent(Visit *visit)
{
    server_take_agent(visit->server, visit->conn, visit->request);
}

/* ---- operators ---- */

static int check_act(void *user, const OperatorAct *act, Buf *would, Err *err)
{
    const Server *server = user;
    OperatorAct own;

    return nlp_hall_act_check(server->hall, act, &own, would, err);
}

static int do_act(void *user, const OperatorAct *act, TimeUs now, Err *err)
{
    Server *server = user;
    int rc = nlp_hall_act(server->hall, act, server_time(server, now), err);

    server_moved(server, (HallMove){.kind = HALL_OTHER});
    server_heard(server);
    return rc;
}

static const OperatorActs *list_acts(void *user)
{
    const Server *server = user;

    return nlp_hall_acts(server->hall);
}

static const char *journal_folder(void *user)
{
    const Server *server = user;
    const ResultJournal *results = nlp_hall_results(server->hall);

    return results ? result_journal_dir(results) : NULL;
}

int server_open_desk(Server *server, Err *err)
{
    const Config *config = server->setup.config;
    const DeskSetup setup = {
        .loop = server->loop,
        .operator_token = server->setup.operator_token,
        .gate = &server->gate,
        /* The journal, and the logs that it names, are beside game logs where there are any. */
        .json_logs = config->game_logger.enable && config->json_logger.enable
                         ? config->json_logger.output_dir
                         : NULL,
        .hall = {.check = check_act,
                 .act = do_act,
                 .acts = list_acts,
                 .journal = journal_folder,
                 .user = server},
    };

    int rc = operator_desk_new(&setup, &server->desk, err);
    if (rc == 0)
        live_pages_set_desk(server->setup.pages, server->desk);
    return rc;
}

/* ---- routes ---- */

static void (*const answers[PAGE_COUNT])(Visit *visit) = {
    [PAGE_AGENT] = on_agent,
    [PAGE_REALTIME] = on_realtime,
    [PAGE_REALTIME_MASKED] = on_realtime_masked,
    [PAGE_SPEECH] = on_speech,
    [PAGE_HEALTH] = on_health,
    [PAGE_READY] = on_ready,
    [PAGE_RULESET] = on_ruleset,
    [PAGE_PROGRESS] = on_progress,
    [PAGE_METRICS] = on_metrics,
    [PAGE_WAITING] = on_waiting,
    [PAGE_TEAMS] = on_teams,
    [PAGE_TEAM] = on_team,
    [PAGE_GAMES] = on_games,
    [PAGE_GAME] = on_game,
    [PAGE_GAME_EVENTS] = on_events,
    [PAGE_GAME_LOG] = on_game_log,
    [PAGE_GAME_JSON] = on_game_json,
};

static Visitor who_asks(const Visit *visit, RoutePage page)
{
    const ServerSetup *setup = &visit->server->setup;
    const Config *config = setup->config;
    const VisitorRules rules = {
        .authentication = config->authentication,
        .secret_key = config->secret_key,
        .operator_token = setup->operator_token,
        /* Where authentication is off, nothing is masked but running games: no reason to open. */
        .open = config->open ||
                (page == PAGE_REALTIME && config->authentication && config->realtime_open),
    };

    return visitor_of(&rules, visit->request, visit->api.now_ms / 1000);
}

static void answer_page(Visit *visit, const ServerRoute *route)
{
    const LivePages *pages = visit->server->setup.pages;

    visit->visitor = who_asks(visit, route->page);
    visit->api.late = live_pages_delayed(pages) && visit->visitor != VISITOR_OPERATOR;
    if (visit->visitor != VISITOR_OPERATOR &&
        server_route_kept_back(route->page, live_pages_delayed(pages),
                               live_pages_names_hidden(pages))) {
        refuse_visit(
            visit, 403,
            "with --delay and --names hidden games, and how many there were, are shown below "
            "/web/ only; "
            "for operators: " FOR_OPERATORS);
        return;
    }
    switch (server_route_view(route->reader, visit->visitor)) {
    case ROUTE_NOTHING:
        refuse_visit(visit, 403, "this is for operators: " FOR_OPERATORS);
        break;
    case ROUTE_TOKEN:
        web_reply(visit->conn, 401, NULL, STR(""));
        break;
    case ROUTE_FULL:
        visit->api.full = true;
        answers[route->page](visit);
        break;
    case ROUTE_MASKED:
        answers[route->page](visit);
        break;
    }
}

void server_request(void *user, WebConn *conn, const WebRequest *request)
{
    Server *server = user;
    Visit visit = {.server = server, .conn = conn, .request = request};

    WebSite *site = live_pages_site(server->setup.pages);

    server_time(server, request->now);
    if (site && web_site_request(site, conn, request))
        return;
    visit.api = (Api){.config = server->setup.config,
                      .hall = server->hall,
                      .now_ms = server_unix_ms(server),
                      .began_ms = server->began_ms,
                      .http_open = web_open_count(server->web),
                      .streams_open = server->reader_count};
    if (operator_desk_request(server->desk, conn, request))
        return;
    buf_clear(&server->body);
    const ServerRoute *route = server_route_find(request->path, visit.parts);
    if (!route)
        refuse_visit(&visit, 404, "nothing is here; agents connect to /ws");
    else if (!str_eq(request->method, STR("GET")) && !str_eq(request->method, STR("HEAD")))
        refuse_visit(&visit, 405, "only GET is known here");
    else
        answer_page(&visit, route);
}
