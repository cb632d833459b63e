#define _GNU_SOURCE /* nftw */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <unistd.h>

#include "net/http_client.h"
#include "net/web_client.h"
#include "nlp/server.h"
#include "wire/jwt.h"

#define AGENTS 5
#define SECRET "a secret of the tests"
/* A test that hangs is stopped by this. */
#define TOO_LONG_US ((TimeUs)60 * 1000 * 1000)

struct Run;

/* A participant that says hello and points at the first who lives. */
typedef struct Agent {
    struct Run *run;
    unsigned number;
    WebClient *client;
    unsigned packets;
    unsigned status;
    uint16_t code;
    bool ended;
} Agent;

typedef struct Run {
    char top[64];
    char dirs[3][96];
    Config *config;
    Loop *loop;
    Timer *limit;
    HttpClient *http;
    Server *server;
    Agent agents[AGENTS + 1];
    unsigned ended; /* agents */
    bool over;
    bool too_long;
    bool answered;
    unsigned status; /* of the last answer */
    Buf body;
} Run;

/* ---- surroundings ---- */

static int remove_entry(const char *path, const struct stat *entry, int kind, struct FTW *at)
{
    (void)entry, (void)kind, (void)at;
    return remove(path);
}

static const char *no_env(void *user, const char *name)
{
    (void)user;
    return strcmp(name, "SECRET_KEY") == 0 ? SECRET : NULL;
}

static void on_limit(void *user)
{
    Run *run = user;

    run->too_long = true;
    loop_stop(run->loop);
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));
    const char *source = getenv("WARG_SOURCE");
    char path[4096];
    Err err = {0};

    *state = run;
    snprintf(run->top, sizeof(run->top), "/tmp/warg-server-XXXXXX");
    if (!source || !mkdtemp(run->top))
        return -1;
    snprintf(path, sizeof(path), "%s/config/nlp/default_en_5.yml", source);
    if (config_load(path, no_env, NULL, NULL, &run->config, &err) || loop_new(&run->loop, &err) ||
        timer_new(run->loop, on_limit, run, &run->limit, &err) ||
        http_client_new(run->loop, &run->http, &err))
        return -1;
    for (int i = 0; i < 3; i++)
        snprintf(run->dirs[i], sizeof(run->dirs[i]), "%s/%d", run->top, i);
    run->config->port = 0;
    run->config->host = "127.0.0.1";
    run->config->matching.self_match = true;
    run->config->game_logger.output_dir = run->dirs[0];
    run->config->json_logger.output_dir = run->dirs[1];
    run->config->realtime.output_dir = run->dirs[2];
    run->config->realtime_delay_ms = 0;
    timer_at(run->limit, loop_now() + TOO_LONG_US, false);
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;

    for (int i = 0; i <= AGENTS; i++)
        web_client_free(run->agents[i].client);
    http_client_free(run->http);
    server_free(run->server);
    loop_free(run->loop);
    config_free(run->config);
    buf_done(&run->body);
    nftw(run->top, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    mem_free(run);
    return 0;
}

static void on_over(void *user)
{
    Run *run = user;

    run->over = true;
    loop_stop(run->loop);
}

static void open_server(Run *run)
{
    const ServerSetup setup = {.config = run->config, .seed = 1, .over = on_over, .user = run};
    Err err = {0};

    if (server_open(run->loop, &setup, &run->server, &err))
        fail_msg("%s", err.msg);
}

/* Runs the loop until something stops it. */
static void go_on(Run *run)
{
    loop_run(run->loop);
    assert_false(run->too_long);
}

/* ---- requests ---- */

static void on_answer(void *user, const HttpAnswer *answer)
{
    Run *run = user;

    run->answered = true;
    run->status = answer->status;
    buf_clear(&run->body);
    buf_add(&run->body, answer->body);
    loop_stop(run->loop);
}

/* The status of GET `path`; the body is in run->body. */
static unsigned get(Run *run, const char *path, const char *token)
{
    char url[512];
    char header[JWT_BYTES_MAX];
    const char *headers[] = {header, NULL};
    HttpAsk ask = {.method = "GET",
                   .url = url,
                   .headers = token ? headers : NULL,
                   .timeout_ms = 30000,
                   .answer_bytes = 1 << 20};
    HttpCall *call;

    snprintf(url, sizeof(url), "http://127.0.0.1:%u%s", server_port(run->server), path);
    snprintf(header, sizeof(header), "Authorization: Bearer %s", token ? token : "");
    run->answered = false;
    assert_int_equal(http_call(run->http, &ask, on_answer, run, &call, NULL), 0);
    while (!run->answered)
        go_on(run);
    return run->status;
}

static bool body_has(const Run *run, const char *text)
{
    return strstr(buf_cstr(&run->body), text) != NULL;
}

/* ---- agents ---- */

static Str first_alive(Str packet)
{
    const char *at = memmem(packet.bytes, packet.len, "\"status_map\":{", 14);
    Str rest = at ? str_part(packet, (size_t)(at - packet.bytes) + 14, packet.len) : (Str){0};

    while (rest.len && rest.bytes[0] != '}') {
        Str entry = str_cut(&rest, '"'); /* what is before the name */
        entry = str_cut(&rest, '"');
        if (str_starts(rest, STR(":\"ALIVE\"")))
            return entry;
        str_cut(&rest, '"');
        str_cut(&rest, '"');
    }
    return STR("nobody");
}

static void on_packet(void *user, Str text, TimeUs at)
{
    Agent *agent = user;
    char name[32];

    (void)at;
    agent->packets++;
    const char *request = memmem(text.bytes, text.len, "\"request\":\"", 11);
    assert_non_null(request);
    Str kind = str_part(text, (size_t)(request - text.bytes) + 11, text.len);
    kind = str_cut(&kind, '"');
    snprintf(name, sizeof(name), "kanolab%u\n", agent->number);
    if (str_eq(kind, STR("NAME")))
        web_client_send(agent->client, str_of(name));
    else if (str_eq(kind, STR("TALK")) || str_eq(kind, STR("WHISPER")))
        web_client_send(agent->client, STR("Over\n"));
    else if (str_eq(kind, STR("VOTE")) || str_eq(kind, STR("DIVINE")) ||
             str_eq(kind, STR("GUARD")) || str_eq(kind, STR("ATTACK")))
        web_client_send(agent->client, first_alive(text));
}

static void on_end(void *user, unsigned status, uint16_t code, Str why)
{
    Agent *agent = user;

    (void)why;
    agent->status = status;
    agent->code = code;
    agent->ended = true;
    if (++agent->run->ended >= AGENTS || agent->number == 0)
        loop_stop(agent->run->loop);
}

static void on_opened(void *user)
{
    (void)user;
}

static void connect_agent(Run *run, unsigned number)
{
    static const WebClientEvents events = {
        .opened = on_opened, .message = on_packet, .ended = on_end};
    Agent *agent = &run->agents[number];
    char url[64];

    *agent = (Agent){.run = run, .number = number};
    snprintf(url, sizeof(url), "ws://127.0.0.1:%u/ws", server_port(run->server));
    assert_int_equal(web_client_open(run->loop, url, NULL, &events, agent, &agent->client, NULL),
                     0);
}

/* ---- tests ---- */

static void a_game_is_played_and_can_be_looked_at_from_all_sides(void **state)
{
    Run *run = *state;
    char id[32] = "";
    char stem[160] = "";
    char path[256];

    open_server(run);
    for (unsigned i = 1; i <= AGENTS; i++)
        connect_agent(run, i);
    go_on(run);
    for (unsigned i = 1; i <= AGENTS; i++) {
        assert_int_equal(run->agents[i].code, 1000);
        assert_true(run->agents[i].packets > 5);
    }
    assert_int_equal(get(run, "/api/v1/games", NULL), 200);
    assert_string_equal(buf_cstr(&run->body), "{\"games\":[]}");
    assert_int_equal(get(run, "/api/v1/games?state=finished", NULL), 200);
    assert_int_equal(sscanf(buf_cstr(&run->body), "{\"games\":[{\"id\":\"%31[^\"]", id), 1);
    assert_int_equal(
        sscanf(strstr(buf_cstr(&run->body), "\"filename\""), "\"filename\":\"%159[^\"]", stem), 1);
    snprintf(path, sizeof(path), "/api/v1/games/%s/log", id);
    assert_int_equal(get(run, path, NULL), 200);
    assert_true(body_has(run, ",result,"));
    snprintf(path, sizeof(path), "/api/v1/games/%s/json", id);
    assert_int_equal(get(run, path, NULL), 200);
    assert_true(body_has(run, "\"win_side\":\"VILLAGER\"") ||
                body_has(run, "\"win_side\":\"WEREWOLF\""));
    snprintf(path, sizeof(path), "/api/v1/games/%s/events", id);
    assert_int_equal(get(run, path, NULL), 204); /* it is over */
    assert_int_equal(get(run, "/realtime/games.json", NULL), 200);
    assert_true(body_has(run, id));
    snprintf(path, sizeof(path), "/realtime/%s.jsonl", stem);
    assert_int_equal(get(run, path, NULL), 200);
    assert_true(body_has(run, "終了"));
    assert_true(body_has(run, "SEER"));
    static const char *const masked[] = {"/realtime/masked", "/masked/realtime"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof(path), "%s/%s.jsonl", masked[i], stem);
        assert_int_equal(get(run, path, NULL), 200);
        assert_true(body_has(run, "終了"));
        assert_false(body_has(run, "SEER"));
    }
    assert_int_equal(get(run, "/metrics", NULL), 200);
    assert_true(body_has(run, "\nwarg_nlp_games_begun_total 1\n"));
}

static void only_what_is_there_can_be_fetched(void **state)
{
    static const char *const nowhere[] = {
        "/",
        "/realtime/",
        "/realtime/0.log",
        "/realtime/.hidden.jsonl",
        "/realtime/%2e%2e%2fx.jsonl",
        "/realtime/masked/masked/games.json",
        "/masked/realtime/masked/games.json",
        "/tts/a/playlist.m3u8",
        "/api/v1/games/x/log",
        "/api/v1/games/x/events",
        "/api/v1/teams/x",
        "/api/v1/healthz/",
        "/metricsx",
    };
    Run *run = *state;

    open_server(run);
    for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
        unsigned status = get(run, nowhere[i], NULL);
        if (status != 404 && status != 400)
            fail_msg("%s: %u", nowhere[i], status);
    }
    assert_int_equal(get(run, "/ws", NULL), 400); /* no upgrade */
    assert_int_equal(get(run, "/api/v1/games?state=odd", NULL), 400);
}

static void viewers_need_a_receiver_token_when_authentication_is_on(void **state)
{
    static const char *const guarded[] = {"/api/v1/games",          "/api/v1/waiting",
                                          "/api/v1/teams",          "/api/v1/games/x",
                                          "/api/v1/games/x/events", "/realtime/games.json"};
    static const char *const open[] = {"/api/v1/healthz", "/api/v1/readyz",
                                       "/api/v1/ruleset", "/api/v1/progress",
                                       "/metrics",        "/realtime/masked/games.json"};
    Run *run = *state;
    const JwtClaims receiver = {.role = "RECEIVER"};
    const JwtClaims player = {.role = "PLAYER", .team = "kanolab"};
    CLEANUP(buf_done) Buf viewers = {0};
    CLEANUP(buf_done) Buf players = {0};
    CLEANUP(buf_done) Buf query = {0};

    assert_int_equal(jwt_make(&receiver, 1, STR(SECRET), &viewers, NULL), 0);
    assert_int_equal(jwt_make(&player, 1, STR(SECRET), &players, NULL), 0);
    run->config->authentication = true;
    open_server(run);
    for (size_t i = 0; i < sizeof(guarded) / sizeof(guarded[0]); i++) {
        assert_int_equal(get(run, guarded[i], NULL), 401);
        assert_int_equal(run->body.len, 0);
        assert_int_equal(get(run, guarded[i], "nonsense"), 401);
        assert_int_equal(get(run, guarded[i], buf_cstr(&players)), 401);
        assert_int_not_equal(get(run, guarded[i], buf_cstr(&viewers)), 401);
    }
    for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
        assert_int_equal(get(run, open[i], NULL), 200);
    buf_printf(&query, "/api/v1/games?token=%s", buf_cstr(&viewers));
    assert_int_equal(get(run, buf_cstr(&query), NULL), 200);
    run->config->realtime_open = true;
    assert_int_equal(get(run, "/realtime/games.json", NULL), 200);
}

static void a_drained_server_sends_away_who_waits_and_who_comes(void **state)
{
    Run *run = *state;

    open_server(run);
    connect_agent(run, 0); /* stops the loop when it ends */
    while (!run->agents[0].packets)
        assert_int_equal(get(run, "/api/v1/readyz", NULL), 200);
    server_drain(run->server);
    assert_int_equal(get(run, "/api/v1/readyz", NULL), 503);
    while (!run->over || !run->agents[0].ended)
        go_on(run);
    assert_true(server_over(run->server));
    assert_int_equal(run->agents[0].code, 1001);
    web_client_free(run->agents[0].client);
    connect_agent(run, 0);
    while (!run->agents[0].ended)
        go_on(run);
    assert_int_equal(run->agents[0].status, 503);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        EACH(a_game_is_played_and_can_be_looked_at_from_all_sides),
        EACH(only_what_is_there_can_be_fetched),
        EACH(viewers_need_a_receiver_token_when_authentication_is_on),
        EACH(a_drained_server_sends_away_who_waits_and_who_comes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
