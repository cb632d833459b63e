#define _GNU_SOURCE /* nftw */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/served.h"

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
    assert_int_equal(get(run, "/realtime/games.json", OPERATOR), 200);
    assert_true(body_has(run, id) && body_has(run, stem));
    snprintf(path, sizeof(path), "/realtime/%s.jsonl", stem);
    assert_int_equal(get(run, path, NULL), 404);
    assert_int_equal(get(run, path, OPERATOR), 200);
    assert_true(body_has(run, "終了"));
    assert_true(body_has(run, "SEER"));
    static const char *const masked[] = {"/realtime", "/realtime/masked", "/masked/realtime"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s/%s.jsonl", masked[i], id);
        assert_int_equal(get(run, path, NULL), 200);
        assert_true(body_has(run, "終了"));
        assert_false(body_has(run, "SEER"));
    }
    assert_int_equal(get(run, "/metrics", NULL), 200);
    assert_true(body_has(run, "\nwarg_nlp_games_begun_total 1\n"));
}

/* A viewer reads on what the list names. */
static void the_last_game_is_shown_to_its_end_by_a_server_that_stays(void **state)
{
    Run *run = *state;

    run->config->realtime_delay_ms = 500;
    run->games = 1;
    open_server(run);
    for (unsigned i = 1; i <= AGENTS; i++)
        connect_agent(run, i);
    while (!run->over)
        go_on(run);
    do
        assert_int_equal(get(run, "/realtime/games.json", NULL), 200);
    while (!body_has(run, "filename"));
    char id[32] = "", path[64];
    assert_int_equal(sscanf(buf_cstr(&run->body), "[{\"id\":\"%31[^\"]", id), 1);
    snprintf(path, sizeof(path), "/realtime/%s.jsonl", id);
    do
        assert_int_equal(get(run, path, NULL), 200);
    while (!body_has(run, "終了"));
    assert_int_equal(get(run, "/realtime/games.json", NULL), 200);
    assert_true(body_has(run, id));
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
        unsigned status = get(run, nowhere[i], OPERATOR);
        if (status != 404 && status != 400)
            fail_msg("%s: %u", nowhere[i], status);
    }
    assert_int_equal(get(run, "/ws", NULL), 400); /* no upgrade */
    assert_int_equal(get(run, "/api/v1/games?state=odd", NULL), 400);
}

/* A page that asks every second is one line a minute. */
static void who_runs_the_server_is_told_once_of_a_page_that_may_not_read(void **state)
{
    Run *run = *state;
    char url[96];
    const char *headers[] = {"Origin: http://viewer.example:5173", NULL};
    const HttpAsk ask = {.method = "GET",
                         .url = url,
                         .headers = headers,
                         .timeout_ms = 30000,
                         .answer_bytes = 1 << 20};
    HttpCall *call;

    open_server(run);
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/realtime/games.json", server_port(run->server));
    for (int i = 0; i < 2; i++) {
        run->answered = false;
        assert_int_equal(http_call(run->http, &ask, on_answer, run, &call, NULL), 0);
        while (!run->answered)
            go_on(run);
        assert_int_equal(run->status, 200);
        usleep(1200 * 1000); /* other refusals would be told again */
    }
    const char *told = strstr(buf_cstr(&run->notes), "may not read here");
    assert_non_null(told);
    assert_non_null(strstr(told, "warg.origins: [\"http://viewer.example:5173\"]"));
    assert_null(strstr(told + 1, "may not read here"));
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
    server_drain(run->server, loop_now());
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
        EACH(the_last_game_is_shown_to_its_end_by_a_server_that_stays),
        EACH(only_what_is_there_can_be_fetched),
        EACH(who_runs_the_server_is_told_once_of_a_page_that_may_not_read),
        EACH(viewers_need_a_receiver_token_when_authentication_is_on),
        EACH(a_drained_server_sends_away_who_waits_and_who_comes),
    };

    RUN_FOR_ALL_LOOPS(tests)
}
