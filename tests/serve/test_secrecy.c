/* test_secrecy.c - who may read what of a server: no byte of a running game's secrets goes to who
 * is no operator.
 *
 * Source: docs/spec/web.md 4.2 (rules 3, 5 and 7), 11.6: a game is played and all bytes of all
 *         routes are searched. */
#define _GNU_SOURCE /* nftw */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/served.h"
#include "serve/server_routes.h"

/* ---- the table ---- */

static void each_route_says_who_reads_it(void **state)
{
    bool answered[PAGE_COUNT] = {false};
    const ServerRoute *route;

    (void)state;
    for (size_t i = 0; (route = server_route(i)); i++) {
        if (route->reader == READER_UNSTATED)
            fail_msg("%s does not say who may read it", route->path);
        answered[route->page] = true;
    }
    for (int page = 0; page < PAGE_COUNT; page++)
        assert_true(answered[page]);
}

static void a_page_is_shown_as_far_as_its_reader_may_see_it(void **state)
{
    static const struct {
        RouteReader reader;
        RouteView views[3]; /* of a stranger, the public, an operator */
    } cases[] = {
        {READER_UNSTATED, {ROUTE_NOTHING, ROUTE_NOTHING, ROUTE_NOTHING}},
        {READER_AGENT, {ROUTE_FULL, ROUTE_FULL, ROUTE_FULL}},
        {READER_ANYONE, {ROUTE_MASKED, ROUTE_MASKED, ROUTE_FULL}},
        {READER_WATCHER, {ROUTE_TOKEN, ROUTE_MASKED, ROUTE_FULL}},
        {READER_OPERATOR, {ROUTE_TOKEN, ROUTE_NOTHING, ROUTE_FULL}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (Visitor visitor = VISITOR_STRANGER; visitor <= VISITOR_OPERATOR; visitor++)
            assert_int_equal(server_route_view(cases[i].reader, visitor), cases[i].views[visitor]);
}

/* --delay and --names hidden are of no use when the port's other pages tell it all. */
static void what_the_pages_keep_back_the_other_routes_do_too(void **state)
{
    static const char *const games[] = {"/api/v1/games", "/api/v1/games/x", "/api/v1/games/x/log",
                                        "/api/v1/games/x/json"};
    static const char *const streams[] = {"/api/v1/games/x/events",
                                          "/realtime/games.json",
                                          "/realtime/masked/x",
                                          "/masked/realtime/x",
                                          "/tts/x/y",
                                          "/api/v1/progress",
                                          "/metrics"};
    static const char *const others[] = {"/ws", "/api/v1/healthz", "/api/v1/ruleset"};
    Str parts[ROUTE_PARTS];

    (void)state;
    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
        RoutePage page = server_route_find(str_of(games[i]), parts)->page;
        assert_true(server_route_kept_back(page, true, false));
        assert_true(server_route_kept_back(page, false, true));
        assert_false(server_route_kept_back(page, false, false));
    }
    for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
        RoutePage page = server_route_find(str_of(streams[i]), parts)->page;
        assert_true(server_route_kept_back(page, true, false));
        assert_false(server_route_kept_back(page, false, true));
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(
            server_route_kept_back(server_route_find(str_of(others[i]), parts)->page, true, true));
}

static void a_path_is_found_with_what_its_stars_stand_for(void **state)
{
    static const struct {
        const char *path;
        RoutePage page;
        const char *parts[ROUTE_PARTS];
    } cases[] = {
        {"/ws", PAGE_AGENT, {"", ""}},
        {"/realtime/masked/x", PAGE_REALTIME_MASKED, {"x", ""}},
        {"/realtime/masked", PAGE_REALTIME, {"masked", ""}},
        {"/realtime/a/b", PAGE_REALTIME, {"a/b", ""}},
        {"/tts/a/b", PAGE_SPEECH, {"a", "b"}},
        {"/api/v1/teams/a/b", PAGE_TEAM, {"a/b", ""}},
        {"/api/v1/games/x", PAGE_GAME, {"x", ""}},
        {"/api/v1/games/x/events", PAGE_GAME_EVENTS, {"x", ""}},
        {"/api/v1/games/x/log", PAGE_GAME_LOG, {"x", ""}},
        {"/api/v1/games/x/logs", PAGE_GAME, {"x/logs", ""}},
    };
    static const char *const nowhere[] = {
        "",       "/",       "ws",        "/ws/",           "/wsx",          "/realtime/",
        "/tts/a", "/tts//b", "/metrics/", "/api/v1/games/", "/api/v1/teams/"};
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Str parts[ROUTE_PARTS] = {STR(""), STR("")};
        const ServerRoute *route = server_route_find(str_of(cases[i].path), parts);
        if (!route || route->page != cases[i].page)
            fail_msg("%s is another page", cases[i].path);
        for (size_t k = 0; k < ROUTE_PARTS; k++)
            assert_true(str_eq(parts[k], str_of(cases[i].parts[k])));
    }
    for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
        Str parts[ROUTE_PARTS] = {STR(""), STR("")};
        if (server_route_find(str_of(nowhere[i]), parts))
            fail_msg("'%s' is a page", nowhere[i]);
    }
}

/* ---- a game ---- */

/* What names somebody; and what is a role, but for pages that list all roles of the rules. */
static const char *const names[] = {"kanolab"};
static const char *const roles[] = {"SEER",      "WEREWOLF", "POSSESSED", "VILLAGER",
                                    "BODYGUARD", "\"role\"", "whisper",   "divine"};

static void assert_no_secret(const Run *run, const char *path, bool role_words)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (body_has(run, names[i]))
            fail_msg("%s has %s: %s", path, names[i], buf_cstr(&run->body));
    for (size_t i = 0; !role_words && i < sizeof(roles) / sizeof(roles[0]); i++)
        if (body_has(run, roles[i]))
            fail_msg("%s has %s: %s", path, roles[i], buf_cstr(&run->body));
}

/* All agents have come, and one of them has been asked this. */
static void play_until(Run *run, const char *request)
{
    run->hold = request;
    run->held = NULL;
    for (unsigned i = 1; i <= AGENTS; i++)
        if (!run->agents[i].client)
            connect_agent(run, i);
    while (!run->held)
        go_on(run);
}

static void play_on(Run *run)
{
    char answer[40];

    snprintf(answer, sizeof(answer), "%s\n", run->held->owes);
    web_client_send(run->held->client, str_of(answer));
}

/* Of the game that runs, by what an operator is told. */
static void find_game(Run *run, char id[static 32], char stem[static 160])
{
    assert_int_equal(get(run, "/api/v1/games", OPERATOR), 200);
    assert_true(body_has(run, "\"role\":\"SEER\"") && body_has(run, "\"team_name\":\"kanolab\""));
    assert_int_equal(sscanf(buf_cstr(&run->body), "{\"games\":[{\"id\":\"%31[^\"]", id), 1);
    assert_int_equal(
        sscanf(strstr(buf_cstr(&run->body), "\"filename\""), "\"filename\":\"%159[^\"]", stem), 1);
    assert_non_null(strstr(stem, "kanolab"));
}

/* A path of this route that leads to what there is. */
static void make_path(const ServerRoute *route, const char *id, const char *name, Buf *path)
{
    const char *parts[ROUTE_PARTS] = {id, name};
    bool files = route->page == PAGE_REALTIME || route->page == PAGE_REALTIME_MASKED;
    size_t star = files ? 1 : 0;

    buf_clear(path);
    for (const char *at = route->path; *at; at++)
        if (*at == '*')
            buf_add(path, str_of(parts[star++]));
        else
            buf_add_char(path, *at);
}

static void look_at_all(Run *run, const char *id, const char *stem)
{
    CLEANUP(buf_done) Buf path = {0};
    const ServerRoute *route;
    char of_id[64], of_stem[200];

    snprintf(of_id, sizeof(of_id), "%s.jsonl", id);
    snprintf(of_stem, sizeof(of_stem), "%s.jsonl", stem);
    const char *const files[] = {"games.json", of_id, of_stem, "playlist.m3u8"};
    for (size_t i = 0; (route = server_route(i)); i++)
        for (size_t k = 0; k < sizeof(files) / sizeof(files[0]); k++) {
            make_path(route, id, files[k], &path);
            if (route->page == PAGE_GAME_EVENTS)
                continue; /* has no end yet: see below */
            unsigned status = get(run, buf_cstr(&path), NULL);
            assert_true(status != 401 && status < 500);
            bool role_words = route->page == PAGE_RULESET || route->page == PAGE_PROGRESS ||
                              route->page == PAGE_METRICS;
            assert_no_secret(run, buf_cstr(&path), role_words);
            bool for_operators = route->reader == READER_OPERATOR || route->page == PAGE_GAME_LOG ||
                                 route->page == PAGE_GAME_JSON;
            assert_int_equal(status == 403, for_operators);
        }
}

static void on_stream(void *user, const HttpAnswer *answer)
{
    Run *run = user;

    buf_clear(&run->stream);
    buf_add(&run->stream, answer->body);
}

static HttpCall *read_events(Run *run, const char *id)
{
    char url[128];
    HttpAsk ask = {.method = "GET", .url = url, .timeout_ms = 60000, .answer_bytes = 1 << 20};
    HttpCall *call;

    snprintf(url, sizeof(url), "http://127.0.0.1:%u/api/v1/games/%s/events",
             server_port(run->server), id);
    assert_int_equal(http_call(run->http, &ask, on_stream, run, &call, NULL), 0);
    return call;
}

static void play_to_the_end(Run *run)
{
    play_on(run);
    while (run->ended < AGENTS)
        go_on(run);
}

static void without_authentication_no_route_has_a_role_or_a_team_of_a_running_game(void **state)
{
    Run *run = *state;
    char id[32] = "", stem[160] = "", path[96];

    open_server(run);
    connect_agent(run, 1); /* who waits is told to operators only */
    assert_int_equal(get(run, "/api/v1/waiting", NULL), 403);
    assert_no_secret(run, "waiting", false);
    play_until(run, "DIVINE");
    find_game(run, id, stem);
    look_at_all(run, id, stem);
    read_events(run, id);
    play_to_the_end(run);
    while (!run->stream.len)
        assert_int_equal(get(run, "/api/v1/healthz", NULL), 200);
    buf_clear(&run->body);
    buf_add(&run->body, buf_str(&run->stream));
    assert_true(body_has(run, "event: broadcast") && body_has(run, "トーク"));
    const char *end = strstr(buf_cstr(&run->body), "終了"); /* names the winner */
    assert_non_null(end);
    run->body.bytes[end - run->body.bytes] = '\0';
    assert_no_secret(run, "events", false);
    snprintf(path, sizeof(path), "/api/v1/games/%s/log", id);
    assert_int_equal(get(run, path, NULL), 200); /* the game is over: all may know all */
    assert_true(body_has(run, "SEER") && body_has(run, "kanolab"));
    snprintf(path, sizeof(path), "/api/v1/games/%s", id);
    assert_int_equal(get(run, path, NULL), 200);
    assert_true(body_has(run, "\"role\":\"SEER\""));
}

static void an_operator_sees_all_of_a_running_game(void **state)
{
    static const char *const ends[] = {"", "/log", "/json"};
    Run *run = *state;
    char id[32] = "", stem[160] = "", path[256];

    open_server(run);
    play_until(run, "DIVINE");
    find_game(run, id, stem);
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "/api/v1/games/%s%s", id, ends[i]);
        assert_int_equal(get(run, path, OPERATOR), 200);
        assert_true(i || body_has(run, "\"role\":\"WEREWOLF\""));
        assert_int_equal(get(run, path, OPERATOR "x"), i ? 403 : 200);
        assert_no_secret(run, path, false);
    }
    snprintf(path, sizeof(path), "/api/v1/games?token=%s",
             "an%20operator's%20token,%20quite%20long");
    assert_int_equal(get(run, path, NULL), 200);
    assert_true(body_has(run, "\"role\":\"WEREWOLF\""));
    snprintf(path, sizeof(path), "/realtime/%s.jsonl", stem);
    assert_int_equal(get(run, path, OPERATOR), 200);
    assert_true(body_has(run, "\"role\":\"WEREWOLF\""));
    assert_int_equal(get(run, "/api/v1/waiting", OPERATOR), 200);
    play_to_the_end(run);
}

static void an_open_server_shows_all_to_everybody(void **state)
{
    Run *run = *state;
    char path[256];

    run->config->open = true;
    open_server(run);
    play_until(run, "DIVINE");
    assert_int_equal(get(run, "/api/v1/games", NULL), 200);
    assert_true(body_has(run, "\"role\":\"WEREWOLF\"") && body_has(run, "kanolab"));
    snprintf(path, sizeof(path), "/realtime/games.json");
    assert_int_equal(get(run, path, NULL), 200);
    assert_true(body_has(run, "kanolab"));
    play_to_the_end(run);
}

/* The number behind this name. */
static long metric(Run *run, const char *name)
{
    assert_int_equal(get(run, "/metrics", NULL), 200);
    const char *at = strstr(buf_cstr(&run->body), name);
    assert_non_null(at);
    return strtol(at + strlen(name), NULL, 10);
}

/* What is counted of games: all between these two. */
static void put_counts(Run *run, Buf *out)
{
    assert_int_equal(get(run, "/metrics", NULL), 200);
    const char *from = strstr(buf_cstr(&run->body), "warg_nlp_requests_total ");
    const char *to = from ? strstr(from, "warg_nlp_rejoins_total ") : NULL;
    assert_non_null(to);
    buf_clear(out);
    buf_add(out, (Str){from, (size_t)(to - from)});
}

static void numbers_do_not_grow_while_somebody_acts_in_the_night(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf before = {0};
    CLEANUP(buf_done) Buf after = {0};

    open_server(run);
    play_until(run, "DIVINE");
    assert_int_equal(metric(run, "\nwarg_nlp_requests_total "), 0);
    put_counts(run, &before);
    play_on(run);
    play_until(run, "TALK"); /* the night is over */
    put_counts(run, &after);
    assert_string_equal(buf_cstr(&after), buf_cstr(&before));
    web_client_send(run->held->client, STR("Over\n"));
    while (run->ended < AGENTS)
        go_on(run);
    assert_true(metric(run, "\nwarg_nlp_requests_total ") > 0);
}

static void without_a_masked_stream_realtime_files_are_for_operators(void **state)
{
    Run *run = *state;

    run->config->realtime_masked = false;
    open_server(run);
    assert_int_equal(get(run, "/realtime/games.json", NULL), 403);
    assert_true(body_has(run, "warg.realtime_masked"));
    assert_int_equal(get(run, "/realtime/masked/games.json", NULL), 404);
    assert_int_equal(get(run, "/realtime/games.json", OPERATOR), 200);
}

static void a_receivers_token_is_none_without_authentication(void **state)
{
    Run *run = *state;
    const JwtClaims receiver = {.role = "RECEIVER"};
    CLEANUP(buf_done) Buf token = {0};

    assert_int_equal(jwt_make(&receiver, 1, STR(SECRET), &token, NULL), 0);
    open_server(run);
    assert_int_equal(get(run, "/api/v1/waiting", buf_cstr(&token)), 403);
    assert_true(body_has(run, "--operator-file") && body_has(run, "warg.open"));
    run->config->authentication = true;
    assert_int_equal(get(run, "/api/v1/waiting", buf_cstr(&token)), 200);
    assert_int_equal(get(run, "/api/v1/waiting", OPERATOR), 200);
    assert_int_equal(get(run, "/api/v1/waiting", NULL), 401);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_route_says_who_reads_it),
        cmocka_unit_test(a_page_is_shown_as_far_as_its_reader_may_see_it),
        cmocka_unit_test(what_the_pages_keep_back_the_other_routes_do_too),
        cmocka_unit_test(a_path_is_found_with_what_its_stars_stand_for),
        EACH(without_authentication_no_route_has_a_role_or_a_team_of_a_running_game),
        EACH(an_operator_sees_all_of_a_running_game),
        EACH(an_open_server_shows_all_to_everybody),
        EACH(numbers_do_not_grow_while_somebody_acts_in_the_night),
        EACH(without_a_masked_stream_realtime_files_are_for_operators),
        EACH(a_receivers_token_is_none_without_authentication),
    };

    RUN_FOR_ALL_LOOPS(tests)
}
