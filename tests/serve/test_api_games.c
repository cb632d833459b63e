/* test_api_games.c - what the server answers to who asks how things are, from games that are
 * played.
 *
 * Source: docs/spec/nlp-division.md 1.1; Prometheus' text format 0.0.4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>

#include "nlp/lobby.h"
#include "serve/api.h"

static Api api_of(const Lobby *lobby)
{
    return (Api){.full = true,
                 .config = lobby->config,
                 .hall = lobby->hall,
                 .now_ms = BEGAN_MS + lobby->now / 1000,
                 .began_ms = BEGAN_MS,
                 .http_open = 3,
                 .streams_open = 2};
}

/* Reads and clears. */
static json_t *read_body(Buf *body)
{
    json_error_t error;

    assert_false(buf_failed(body));
    json_t *json = json_loadb(body->bytes, body->len, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        fail_msg("%s: %.*s", error.text, STR_ARG(buf_str(body)));
    buf_clear(body);
    return json;
}

static json_t *at(const json_t *json, const char *key)
{
    json_t *value = json_object_get(json, key);

    if (!value)
        fail_msg("there is no key %s", key);
    return value;
}

static const char *text_at(const json_t *json, const char *key)
{
    const char *text = json_string_value(at(json, key));

    assert_non_null(text);
    return text;
}

static long int_at(const json_t *json, const char *key)
{
    assert_true(json_is_integer(at(json, key)));
    return (long)json_integer_value(at(json, key));
}

/* The keys of an object, in alphabetical order. */
static const char *keys_of(const json_t *object, Buf *out)
{
    const char *names[64];
    const char *key;
    json_t *value;
    size_t n = 0;

    json_object_foreach ((json_t *)(uintptr_t)object, key, value) {
        size_t i = n++;
        for (; i > 0 && strcmp(names[i - 1], key) > 0; i--)
            names[i] = names[i - 1];
        names[i] = key;
    }
    buf_clear(out);
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%s", i ? " " : "", names[i]);
    return buf_cstr(out);
}

/* ---- the server ---- */

static void health_and_readiness_say_how_it_is(void **state)
{
    CLEANUP(buf_done) Buf body = {0};
    Lobby *lobby = *state;

    lobby_open(lobby);
    Api api = api_of(lobby);
    api_health(&body);
    json_t *json = read_body(&body);
    assert_string_equal(text_at(json, "status"), "ok");
    assert_true(text_at(json, "version")[0] != '\0');
    json_decref(json);
    assert_int_equal(api_ready(&api, &body), 200);
    json = read_body(&body);
    assert_string_equal(text_at(json, "status"), "ready");
    json_decref(json);
    nlp_hall_drain(lobby->hall, 0);
    assert_int_equal(api_ready(&api, &body), 503);
    json = read_body(&body);
    assert_string_equal(text_at(json, "status"), "draining");
    json_decref(json);
}

static void the_ruleset_is_told_as_configured(void **state)
{
    CLEANUP(buf_done) Buf body = {0};
    CLEANUP(buf_done) Buf keys = {0};
    Lobby *lobby = *state;

    lobby_open(lobby);
    Api api = api_of(lobby);
    api_ruleset(&api, &body);
    json_t *json = read_body(&body);
    assert_string_equal(keys_of(json, &keys),
                        "agent_count is_optimize max_day roles self_match vote_visibility");
    assert_int_equal(int_at(json, "agent_count"), 5);
    assert_int_equal(int_at(json, "max_day"), -1);
    assert_true(json_is_true(at(json, "vote_visibility")));
    assert_true(json_is_false(at(json, "is_optimize")));
    assert_true(json_is_true(at(json, "self_match")));
    assert_string_equal(keys_of(at(json, "roles"), &keys),
                        "BODYGUARD MEDIUM POSSESSED SEER VILLAGER WEREWOLF");
    assert_int_equal(int_at(at(json, "roles"), "VILLAGER"), 2);
    assert_int_equal(int_at(at(json, "roles"), "MEDIUM"), 0);
    json_decref(json);
}

static void an_error_is_an_object(void **state)
{
    CLEANUP(buf_done) Buf body = {0};
    (void)state;

    api_error(&body, "no \"such\"\nthing");
    json_t *json = read_body(&body);
    assert_string_equal(text_at(json, "error"), "no \"such\"\nthing");
    json_decref(json);
}

/* ---- teams ---- */

static void teams_are_404_while_team_health_is_off_or_unknown(void **state)
{
    CLEANUP(buf_done) Buf body = {0};
    Lobby *lobby = *state;

    lobby_open(lobby);
    guest_come(lobby, "a1");
    Api api = api_of(lobby);
    assert_int_equal(api_teams(&api, &body), 404);
    json_decref(read_body(&body));
    assert_int_equal(api_team(&api, STR("a"), &body), 404);
    json_t *json = read_body(&body);
    assert_true(strlen(text_at(json, "error")) > 0);
    json_decref(json);
    lobby->config->health.enable = true;
    assert_int_equal(api_team(&api, STR("b"), &body), 404);
    json_decref(read_body(&body));
    assert_int_equal(api_team(&api, STR("a"), &body), 200);
    json_decref(read_body(&body));
}

static void a_team_is_told_with_all_its_keys(void **state)
{
    CLEANUP(buf_done) Buf body = {0};
    CLEANUP(buf_done) Buf keys = {0};
    Lobby *lobby = *state;

    lobby->config->health.enable = true;
    lobby->config->health.min_games = 1;
    lobby->config->rejoin_ms = 0;
    lobby->config->abort_at = 1;
    lobby_open_scheduled(lobby, 3);
    lobby->now = 7 * SECOND;
    teams_come(lobby, 5);
    guest_leave(lobby->guests[4]);
    lobby_play(lobby);
    Api api = api_of(lobby);
    assert_int_equal(api_teams(&api, &body), 200);
    json_t *json = read_body(&body);
    assert_string_equal(keys_of(json, &keys), "progress teams");
    assert_int_equal(int_at(at(json, "progress"), "done"), 0);
    assert_int_equal(int_at(at(json, "progress"), "total"), 3);
    assert_int_equal(json_array_size(at(json, "teams")), 5);
    const json_t *good = json_array_get(at(json, "teams"), 0);
    const json_t *bad = json_array_get(at(json, "teams"), 4);
    assert_string_equal(keys_of(good, &keys),
                        "aborted_games active_games failure_rate fatal_games games last_seen "
                        "quarantine_count quarantined request_errors requests team weight");
    assert_string_equal(text_at(good, "team"), "a");
    assert_int_equal(int_at(good, "games"), 1);
    assert_int_equal(int_at(good, "fatal_games"), 0);
    assert_int_equal(int_at(good, "active_games"), 0);
    assert_int_equal(int_at(good, "last_seen"), BEGAN_MS / 1000 + 7);
    assert_true(json_is_true(at(bad, "quarantined")));
    assert_true(int_at(bad, "quarantined_until") > BEGAN_MS / 1000);
    assert_int_equal(int_at(bad, "fatal_games"), 1);
    assert_true(json_is_real(at(bad, "failure_rate")) || json_is_integer(at(bad, "failure_rate")));
    json_decref(json);
}

/* ---- games ---- */

static void a_running_game_is_told_and_found_by_its_id(void **state)
{
    CLEANUP(buf_done) Buf body = {0};
    CLEANUP(buf_done) Buf keys = {0};
    Lobby *lobby = *state;

    lobby_open(lobby);
    for (int i = 0; i < 5; i++)
        guest_come(lobby, "a%犬\"1");
    Api api = api_of(lobby);
    api_games(&api, API_RUNNING, &body);
    json_t *json = read_body(&body);
    assert_int_equal(json_array_size(at(json, "games")), 1);
    const json_t *game = json_array_get(at(json, "games"), 0);
    assert_string_equal(text_at(game, "id"), lobby->first_id);
    assert_int_equal(strlen(text_at(game, "id")), 26);
    assert_true(json_is_false(at(game, "finished")));
    assert_string_equal(text_at(game, "win_side"), "NONE");
    assert_int_equal(int_at(game, "day"), 0);
    assert_int_equal(json_array_size(at(game, "agents")), 5);
    const json_t *agent = json_array_get(at(game, "agents"), 4);
    assert_string_equal(keys_of(agent, &keys),
                        "alive errored game_name idx original_name role team_name");
    assert_int_equal(int_at(agent, "idx"), 5);
    assert_string_equal(text_at(agent, "original_name"), "a%犬\"1");
    assert_string_equal(text_at(agent, "team_name"), "a%犬\"");
    assert_string_equal(text_at(agent, "game_name"), "Agent[05]");
    assert_string_equal(keys_of(at(game, "status_by_agent"), &keys), "1 2 3 4 5");
    assert_string_equal(text_at(at(game, "status_by_agent"), "3"), "ALIVE");
    json_decref(json);
    assert_int_equal(api_game(&api, str_of(lobby->first_id), &body), 200);
    json = read_body(&body);
    assert_string_equal(text_at(json, "id"), lobby->first_id);
    json_decref(json);
    assert_int_equal(api_game(&api, STR("01JZ0000000000000000000000"), &body), 404);
    json_decref(read_body(&body));
    assert_int_equal(api_game(&api, STR(""), &body), 404);
    json_decref(read_body(&body));
}

static size_t games_listed(const Lobby *lobby, ApiGames which)
{
    CLEANUP(buf_done) Buf body = {0};
    Api api = api_of(lobby);

    api_games(&api, which, &body);
    json_t *json = read_body(&body);
    size_t count = json_array_size(at(json, "games"));
    json_decref(json);
    return count;
}

static void finished_games_stay_visible_with_their_logs(void **state)
{
    CLEANUP(buf_done) Buf body = {0};
    Lobby *lobby = *state;
    ApiGames which;

    lobby->config->game_logger = lobby->config->json_logger =
        (ConfigLogger){true, lobby->folder, "{game_id}"};
    lobby_open(lobby);
    for (int i = 0; i < 10; i++)
        guest_come(lobby, "a1");
    lobby_play(lobby);
    lobby->now += SECOND;
    for (int i = 0; i < 5; i++)
        guest_come(lobby, "b1");
    assert_true(api_games_of(STR(""), &which) && which == API_RUNNING);
    assert_true(api_games_of(STR("running"), &which) && which == API_RUNNING);
    assert_true(api_games_of(STR("finished"), &which) && which == API_FINISHED);
    assert_true(api_games_of(STR("all"), &which) && which == API_ALL);
    assert_false(api_games_of(STR("some"), &which));
    assert_int_equal(games_listed(lobby, API_RUNNING), 1);
    assert_int_equal(games_listed(lobby, API_FINISHED), 2);
    assert_int_equal(games_listed(lobby, API_ALL), 3);
    Api api = api_of(lobby);
    assert_int_equal(api_game(&api, str_of(lobby->first_id), &body), 200);
    json_t *game = read_body(&body);
    assert_true(json_is_true(at(game, "finished")));
    assert_true(json_is_false(at(game, "aborted")));
    assert_true(strcmp(text_at(game, "win_side"), "NONE") != 0);
    assert_int_equal(int_at(game, "number"), 1);
    assert_int_equal(int_at(game, "began"), BEGAN_MS / 1000);
    assert_true(int_at(game, "ended") >= int_at(game, "began"));
    assert_string_equal(text_at(game, "filename"), lobby->first_id);
    char link[96];
    snprintf(link, sizeof(link), "/api/v1/games/%s/log", lobby->first_id);
    assert_string_equal(text_at(game, "log"), link);
    snprintf(link, sizeof(link), "/api/v1/games/%s/json", lobby->first_id);
    assert_string_equal(text_at(game, "json"), link);
    json_decref(game);
}

/* ---- who waits, how far it is ---- */

static void who_waits_and_who_is_awaited_is_told(void **state)
{
    CLEANUP(buf_done) Buf body = {0};
    Lobby *lobby = *state;

    lobby_open_scheduled(lobby, 2);
    teams_come(lobby, 5);
    lobby_play(lobby);
    lobby->now = 9 * SECOND;
    guest_come(lobby, "b1");
    guest_come(lobby, "d2");
    Api api = api_of(lobby);
    api_waiting(&api, &body);
    json_t *json = read_body(&body);
    assert_int_equal(json_array_size(at(json, "waiting")), 2);
    const json_t *first = json_array_get(at(json, "waiting"), 0);
    assert_string_equal(text_at(first, "name"), "b1");
    assert_string_equal(text_at(first, "team"), "b");
    assert_string_equal(text_at(first, "address"), "192.0.2.1");
    assert_int_equal(int_at(first, "since"), BEGAN_MS / 1000 + 9);
    assert_int_equal(json_array_size(at(json, "awaited")), 3);
    assert_string_equal(json_string_value(json_array_get(at(json, "awaited"), 1)), "c");
    json_decref(json);
}

static void progress_ends_with_complete(void **state)
{
    CLEANUP(buf_done) Buf body = {0};
    Lobby *lobby = *state;

    lobby_open_scheduled(lobby, 2);
    for (long game = 0; game <= 2; game++) {
        Api api = api_of(lobby);
        api_progress(&api, &body);
        json_t *json = read_body(&body);
        assert_int_equal(json_is_true(at(json, "complete")), game == 2);
        assert_true(json_is_false(at(json, "draining")));
        assert_int_equal(int_at(at(json, "schedule"), "done"), game);
        assert_int_equal(int_at(at(json, "schedule"), "total"), 2);
        assert_int_equal(int_at(json, "begun"), game);
        assert_int_equal(int_at(json, "running") + int_at(json, "connected"), 0);
        const json_t *ended = at(json, "ended");
        assert_int_equal(int_at(ended, "VILLAGER") + int_at(ended, "WEREWOLF"), game);
        assert_int_equal(int_at(ended, "NONE") + int_at(ended, "aborted"), 0);
        json_decref(json);
        teams_come(lobby, game < 2 ? 5 : 0);
        lobby_play(lobby);
    }
    Api api = api_of(lobby);
    assert_int_equal(api_ready(&api, &body), 200);
    json_t *json = read_body(&body);
    assert_true(json_is_true(at(json, "complete")));
    json_decref(json);
}

/* ---- metrics ---- */

static bool is_name(Str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.bytes[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
        if (!letter && !(i > 0 && c >= '0' && c <= '9'))
            return false;
    }
    return text.len > 0;
}

/* name{label="value"} 12 */
static void check_sample(Str line, Str family)
{
    uint64_t value;
    Str name = line;
    Str labels = {0};

    name.len = 0;
    while (name.len < line.len && line.bytes[name.len] != '{' && line.bytes[name.len] != ' ')
        name.len++;
    Str rest = str_part(line, name.len, SIZE_MAX);
    if (rest.bytes[0] == '{') {
        rest = str_part(rest, 1, SIZE_MAX);
        labels = str_cut(&rest, '}');
        Str label = str_cut(&labels, '=');
        assert_true(is_name(label));
        assert_true(labels.len >= 2 && labels.bytes[0] == '"' &&
                    labels.bytes[labels.len - 1] == '"');
    }
    assert_true(rest.len > 1 && rest.bytes[0] == ' ');
    assert_true(str_to_uint(str_part(rest, 1, SIZE_MAX), UINT64_MAX, &value));
    if (!is_name(name) || !str_eq(name, family))
        fail_msg("a sample of %.*s in the family %.*s", STR_ARG(name), STR_ARG(family));
}

static uint64_t metric_of(Str text, const char *name)
{
    size_t n = strlen(name);

    while (text.len) {
        Str line = str_cut(&text, '\n');
        uint64_t value;
        if (str_starts(line, str_of(name)) && line.len > n && line.bytes[n] == ' ' &&
            str_to_uint(str_part(line, n + 1, SIZE_MAX), UINT64_MAX, &value))
            return value;
    }
    fail_msg("no metric %s", name);
    return 0;
}

static void metrics_are_of_prometheus_text_format(void **state)
{
    CLEANUP(buf_done) Buf body = {0};
    CLEANUP(buf_done) Buf seen = {0};
    Lobby *lobby = *state;
    Str family = {0};
    unsigned samples = 0;

    lobby_open(lobby);
    for (int i = 0; i < 6; i++)
        guest_come(lobby, "a1");
    lobby_play(lobby);
    Api api = api_of(lobby);
    api_metrics(&api, &body);
    assert_true(body.len > 0 && body.bytes[body.len - 1] == '\n');
    Str rest = buf_str(&body);
    while (rest.len) {
        Str line = str_cut(&rest, '\n');
        if (str_starts(line, STR("# HELP "))) {
            char key[128];
            assert_true(samples > 0 || !family.len); /* the family before has its samples */
            line = str_part(line, 7, SIZE_MAX);
            family = str_cut(&line, ' ');
            assert_true(is_name(family) && line.len > 0);
            snprintf(key, sizeof(key), " %.*s ", STR_ARG(family));
            assert_null(strstr(buf_cstr(&seen), key)); /* each family once */
            buf_add(&seen, str_of(key));
            samples = 0;
        } else if (str_starts(line, STR("# TYPE "))) {
            line = str_part(line, 7, SIZE_MAX);
            assert_true(str_eq(str_cut(&line, ' '), family) && samples == 0);
            bool counter = str_eq(line, STR("counter"));
            assert_true(counter || str_eq(line, STR("gauge")));
            Str end = str_part(family, family.len > 6 ? family.len - 6 : 0, 6);
            assert_int_equal(counter, str_eq(end, STR("_total")));
        } else {
            check_sample(line, family);
            samples++;
        }
    }
    Str text = buf_str(&body);
    assert_int_equal(metric_of(text, "warg_nlp_start_time_seconds"), BEGAN_MS / 1000);
    assert_int_equal(metric_of(text, "warg_nlp_connections_total"), 6);
    assert_int_equal(metric_of(text, "warg_nlp_agents_open"), 1);
    assert_int_equal(metric_of(text, "warg_nlp_agents_waiting"), 1);
    assert_int_equal(metric_of(text, "warg_nlp_http_connections_open"), 3);
    assert_int_equal(metric_of(text, "warg_nlp_event_streams_open"), 2);
    assert_int_equal(metric_of(text, "warg_nlp_games_begun_total"), 1);
    assert_int_equal(metric_of(text, "warg_nlp_games_running"), 0);
    assert_int_equal(metric_of(text, "warg_nlp_games_ended_total{winner=\"VILLAGER\"}") +
                         metric_of(text, "warg_nlp_games_ended_total{winner=\"WEREWOLF\"}"),
                     1);
    assert_int_equal(metric_of(text, "warg_nlp_games_ended_total{winner=\"ABORTED\"}"), 0);
    assert_true(metric_of(text, "warg_nlp_requests_total") >
                metric_of(text, "warg_nlp_replies_total"));
    assert_int_equal(metric_of(text, "warg_nlp_complete"), 0);
}

#define lobby_test(name) cmocka_unit_test_setup_teardown(name, lobby_new, lobby_free)

int main(void)
{
    const struct CMUnitTest tests[] = {
        lobby_test(health_and_readiness_say_how_it_is),
        lobby_test(the_ruleset_is_told_as_configured),
        cmocka_unit_test(an_error_is_an_object),
        lobby_test(teams_are_404_while_team_health_is_off_or_unknown),
        lobby_test(a_team_is_told_with_all_its_keys),
        lobby_test(a_running_game_is_told_and_found_by_its_id),
        lobby_test(finished_games_stay_visible_with_their_logs),
        lobby_test(who_waits_and_who_is_awaited_is_told),
        lobby_test(progress_ends_with_complete),
        lobby_test(metrics_are_of_prometheus_text_format),
    };

    return cmocka_run_group_tests_name("the API of natural language", tests, NULL, NULL);
}
