#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/api.h"

/* A hall that is what a test says: the functions that api.c looks through, and no other. */
struct NlpHall {
    NlpCounts counts;
    bool draining;
    bool complete;
    bool scheduled;
    uint32_t game_count;
    NlpGame games[3];
    uint32_t waiting_count;
    NlpWaiting waiting[2];
    uint32_t awaited_count;
    TeamHealth *health;
    OperatorActs *acts;
};

NlpCounts nlp_hall_counts(const NlpHall *hall)
{
    return hall->counts;
}

NlpCounts nlp_hall_counts_ended(const NlpHall *hall)
{
    return hall->counts;
}

const OperatorActs *nlp_hall_acts(const NlpHall *hall)
{
    return hall->acts;
}

bool nlp_hall_draining(const NlpHall *hall)
{
    return hall->draining;
}

bool nlp_hall_complete(const NlpHall *hall)
{
    return hall->complete;
}

bool nlp_hall_waiting_at(const NlpHall *hall, uint32_t index, NlpWaiting *ret)
{
    if (index >= hall->waiting_count)
        return false;
    *ret = hall->waiting[index];
    return true;
}

bool nlp_hall_awaited_at(const NlpHall *hall, uint32_t index, Str *ret_team)
{
    if (index >= hall->awaited_count)
        return false;
    *ret_team = STR("sUper_IL");
    return true;
}

bool nlp_hall_game_at(const NlpHall *hall, uint32_t index, NlpGame *ret)
{
    if (index >= hall->game_count)
        return false;
    *ret = hall->games[index];
    return true;
}

bool nlp_hall_game_find(const NlpHall *hall, Str id, NlpGame *ret)
{
    for (uint32_t i = 0; nlp_hall_game_at(hall, i, ret); i++)
        if (str_eq(ret->id, id))
            return true;
    return false;
}

const TeamHealth *nlp_hall_health(const NlpHall *hall)
{
    return hall->health;
}

/* Only whether there is one is asked. */
const History *nlp_hall_history(const NlpHall *hall)
{
    return hall->scheduled ? (const History *)(const void *)hall : NULL;
}

typedef struct Fixture {
    Config config;
    NlpHall hall;
    Api api;
    Buf out;
} Fixture;

static NlpGame game(const char *id, bool finished)
{
    NlpGame made = {.id = str_of(id),
                    .number = 7,
                    .day = 2,
                    .finished = finished,
                    .winner = finished ? SIDE_WEREWOLF : SIDE_NONE,
                    .began_unix_ms = 1778646866500,
                    .ended_unix_ms = finished ? 1778646999000 : 0,
                    .stem = STR("1778646866_a_b"),
                    .seat_count = 2};

    made.seats[1] = (NlpSeatStatus){.team = STR("a"),
                                    .original = STR("a1"),
                                    .name = STR("Mio"),
                                    .role = ROLE_SEER,
                                    .alive = true};
    made.seats[2] = (NlpSeatStatus){.team = STR("b"),
                                    .original = STR("b\"1"),
                                    .name = STR("Ken"),
                                    .role = ROLE_WEREWOLF,
                                    .errored = true};
    return made;
}

static int set_up(void **state)
{
    Fixture *fixture = mem_new(sizeof(*fixture));

    fixture->config.agent_count = 5;
    fixture->config.rules.end.max_day = LIMIT_NONE;
    fixture->config.rules.vote.visible = true;
    fixture->config.rules.roles.counts[5][ROLE_WEREWOLF] = 1;
    fixture->config.role_named[ROLE_WEREWOLF] = true;
    fixture->config.role_named[ROLE_BODYGUARD] = true;
    fixture->config.game_logger.enable = true;
    fixture->hall.games[0] = game("RUNNING", false);
    fixture->hall.games[1] = game("FINISHED", true);
    fixture->hall.game_count = 2;
    fixture->api = (Api){.config = &fixture->config,
                         .hall = &fixture->hall,
                         .now_ms = 1778647000000,
                         .began_ms = 1778640000000,
                         .http_open = 3};
    *state = fixture;
    return operator_acts_new(&fixture->hall.acts, NULL);
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;

    team_health_free(fixture->hall.health);
    operator_acts_free(fixture->hall.acts);
    buf_done(&fixture->out);
    mem_free(fixture);
    return 0;
}

static void is(Fixture *fixture, const char *text)
{
    assert_string_equal(buf_cstr(&fixture->out), text);
    buf_clear(&fixture->out);
}

static void has(Fixture *fixture, const char *text)
{
    if (!strstr(buf_cstr(&fixture->out), text))
        fail_msg("no '%s' in: %s", text, buf_cstr(&fixture->out));
}

static void has_not(Fixture *fixture, const char *text)
{
    if (strstr(buf_cstr(&fixture->out), text))
        fail_msg("'%s' in: %s", text, buf_cstr(&fixture->out));
}

static void a_server_is_ready_until_it_drains(void **state)
{
    Fixture *fixture = *state;

    api_health(&fixture->out);
    is(fixture, "{\"status\":\"ok\",\"version\":\"" WARG_VERSION "\"}");
    assert_int_equal(api_ready(&fixture->api, &fixture->out), 200);
    is(fixture, "{\"status\":\"ready\"}");
    fixture->hall.draining = true;
    assert_int_equal(api_ready(&fixture->api, &fixture->out), 503);
    is(fixture, "{\"status\":\"draining\"}");
}

static void a_complete_tournament_says_so_everywhere(void **state)
{
    Fixture *fixture = *state;

    fixture->hall.complete = true;
    api_ready(&fixture->api, &fixture->out);
    is(fixture, "{\"status\":\"ready\",\"complete\":true}");
    api_progress(&fixture->api, &fixture->out);
    has(fixture, "{\"complete\":true,");
    api_metrics(&fixture->api, &fixture->out);
    has(fixture, "\nwarg_nlp_complete 1\n");
}

static void the_ruleset_has_the_roles_that_the_configuration_names(void **state)
{
    Fixture *fixture = *state;

    api_ruleset(&fixture->api, &fixture->out);
    is(fixture, "{\"agent_count\":5,\"max_day\":-1,\"vote_visibility\":true,\"is_optimize\":false,"
                "\"self_match\":false,\"roles\":{\"BODYGUARD\":0,\"WEREWOLF\":1}}");
}

static void teams_are_404_while_team_health_is_off(void **state)
{
    Fixture *fixture = *state;

    assert_int_equal(api_teams(&fixture->api, &fixture->out), 404);
    has(fixture, "\"error\"");
    assert_int_equal(api_team(&fixture->api, STR("a"), &fixture->out), 404);
}

static void teams_are_listed_with_the_progress_of_the_schedule(void **state)
{
    Fixture *fixture = *state;
    ConfigHealth *health = &fixture->config.health;

    *health = (ConfigHealth){.enable = true,
                             .window = 20,
                             .min_games = 3,
                             .score_request_error = 1,
                             .score_fatal = 3,
                             .score_abort = 1,
                             .weight_floor = 0.1,
                             .quarantine_rate = 0.5,
                             .quarantine_ms = 1800000};
    assert_int_equal(team_health_new(health, &fixture->hall.health, NULL), 0);
    team_health_seen(fixture->hall.health, STR("a"), 1778646000000);
    assert_int_equal(api_teams(&fixture->api, &fixture->out), 200);
    has(fixture, "{\"teams\":[{\"team\":\"a\",\"games\":0,");
    has(fixture, "\"last_seen\":1778646000");
    has_not(fixture, "progress");
    has_not(fixture, "quarantined_until");
    buf_clear(&fixture->out);
    fixture->hall.scheduled = true;
    fixture->hall.counts = (NlpCounts){.ended = 3, .planned = 8, .scheduled = 5};
    api_teams(&fixture->api, &fixture->out);
    has(fixture, "\"progress\":{\"done\":3,\"total\":8}");
    buf_clear(&fixture->out);
    assert_int_equal(api_team(&fixture->api, STR("a"), &fixture->out), 200);
    has(fixture, "{\"team\":\"a\",");
    assert_int_equal(api_team(&fixture->api, STR("nobody"), &fixture->out), 404);
}

static void running_games_are_listed_unless_others_are_asked_for(void **state)
{
    Fixture *fixture = *state;
    ApiGames which;

    assert_true(api_games_of(STR(""), &which));
    api_games(&fixture->api, which, &fixture->out);
    has(fixture, "{\"games\":[{\"id\":\"RUNNING\",\"day\":2,\"finished\":false,");
    has_not(fixture, "FINISHED");
    buf_clear(&fixture->out);
    assert_true(api_games_of(STR("finished"), &which));
    api_games(&fixture->api, which, &fixture->out);
    has(fixture, "{\"games\":[{\"id\":\"FINISHED\"");
    has_not(fixture, "RUNNING");
    buf_clear(&fixture->out);
    assert_true(api_games_of(STR("all"), &which));
    api_games(&fixture->api, which, &fixture->out);
    has(fixture, "RUNNING");
    has(fixture, "FINISHED");
    assert_false(api_games_of(STR("some"), &which));
}

static void a_game_shows_its_seats_and_links_to_the_logs_that_are_kept(void **state)
{
    Fixture *fixture = *state;

    assert_int_equal(api_game(&fixture->api, STR("FINISHED"), &fixture->out), 200);
    is(fixture,
       "{\"id\":\"FINISHED\",\"day\":2,\"finished\":true,\"win_side\":\"WEREWOLF\",\"agents\":["
       "{\"idx\":1,\"team_name\":\"a\",\"original_name\":\"a1\",\"game_name\":\"Mio\","
       "\"role\":\"SEER\",\"alive\":true,\"errored\":false},"
       "{\"idx\":2,\"team_name\":\"b\",\"original_name\":\"b\\\"1\",\"game_name\":\"Ken\","
       "\"role\":\"WEREWOLF\",\"alive\":false,\"errored\":true}],"
       "\"status_by_agent\":{\"1\":\"ALIVE\",\"2\":\"DEAD\"},\"number\":7,\"aborted\":false,"
       "\"began\":1778646866,\"ended\":1778646999,\"filename\":\"1778646866_a_b\","
       "\"log\":\"/api/v1/games/FINISHED/log\"}");
    assert_int_equal(api_game(&fixture->api, STR("OTHER"), &fixture->out), 404);
    has(fixture, "\"error\"");
}

static void who_waits_and_who_is_awaited_is_told(void **state)
{
    Fixture *fixture = *state;

    api_waiting(&fixture->api, &fixture->out);
    is(fixture, "{\"waiting\":[],\"awaited\":[]}");
    fixture->hall.waiting_count = fixture->hall.awaited_count = 1;
    fixture->hall.waiting[0] = (NlpWaiting){.name = STR("a1"),
                                            .team = STR("a"),
                                            .address = "127.0.0.1:4",
                                            .since_unix_ms = 1778646866999};
    api_waiting(&fixture->api, &fixture->out);
    is(fixture, "{\"waiting\":[{\"name\":\"a1\",\"team\":\"a\",\"address\":\"127.0.0.1:4\","
                "\"since\":1778646866}],\"awaited\":[\"sUper_IL\"]}");
}

static void progress_counts_games_and_the_schedule_if_there_is_one(void **state)
{
    Fixture *fixture = *state;

    fixture->hall.counts = (NlpCounts){.open = 7,
                                       .waiting = 2,
                                       .games = 1,
                                       .games_begun = 9,
                                       .games_won = {1, 4, 3},
                                       .ended = 3,
                                       .planned = 8,
                                       .scheduled = 5};
    api_progress(&fixture->api, &fixture->out);
    is(fixture, "{\"complete\":false,\"draining\":false,\"connected\":7,\"waiting\":2,"
                "\"running\":1,\"begun\":9,\"ended\":{\"VILLAGER\":4,\"WEREWOLF\":3,\"NONE\":1,"
                "\"aborted\":0}}");
    fixture->hall.scheduled = true;
    api_progress(&fixture->api, &fixture->out);
    has(fixture, "\"schedule\":{\"done\":3,\"total\":8}");
}

/* Each sample has HELP and TYPE lines before it, and is NAME VALUE or NAME{LABELS} VALUE. */
static void metrics_are_prometheus_text(void **state)
{
    Fixture *fixture = *state;
    char described[80] = "";
    unsigned samples = 0;

    fixture->hall.counts.games_won[SIDE_VILLAGER] = 4;
    api_metrics(&fixture->api, &fixture->out);
    has(fixture, "\nwarg_nlp_games_ended_total{winner=\"VILLAGER\"} 4\n");
    has(fixture, "\nwarg_nlp_http_connections_open 3\n");
    for (Str rest = buf_str(&fixture->out); rest.len;) {
        Str line = str_cut(&rest, '\n');
        Str name = line;
        if (str_starts(line, STR("# TYPE "))) {
            name = str_part(line, 7, line.len);
            name = str_cut(&name, ' ');
            snprintf(described, sizeof(described), "%.*s", STR_ARG(name));
        } else if (!str_starts(line, STR("# HELP "))) {
            size_t length = strcspn(line.bytes, "{ ");
            assert_true(str_eq(str_part(line, 0, length), str_of(described)));
            samples++;
        }
    }
    assert_in_range(samples, 20, 60);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        EACH(a_server_is_ready_until_it_drains),
        EACH(a_complete_tournament_says_so_everywhere),
        EACH(the_ruleset_has_the_roles_that_the_configuration_names),
        EACH(teams_are_404_while_team_health_is_off),
        EACH(teams_are_listed_with_the_progress_of_the_schedule),
        EACH(running_games_are_listed_unless_others_are_asked_for),
        EACH(a_game_shows_its_seats_and_links_to_the_logs_that_are_kept),
        EACH(who_waits_and_who_is_awaited_is_told),
        EACH(progress_counts_games_and_the_schedule_if_there_is_one),
        EACH(metrics_are_prometheus_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
