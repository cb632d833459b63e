#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "stats/team_metrics.h"

static GameRecord *game_of(Str first, Str second)
{
    GameRecord *record = mem_new(sizeof(*record));

    record->division = DIVISION_NLP;
    record->result.seat_count = 2;
    record->result.winner = SIDE_VILLAGER;
    record->result.names[1] = STR("a1");
    record->result.names[2] = STR("b1");
    record->result.roles[1] = ROLE_SEER;
    record->result.roles[2] = ROLE_WEREWOLF;
    record->seats[1].team = first;
    record->seats[2].team = second;
    record->seats[1].outside = record->seats[2].outside = true;
    return record;
}

static void assert_has(const Buf *out, const char *line)
{
    if (!strstr(buf_cstr(out), line))
        fail_msg("no '%s' in:\n%s", line, buf_cstr(out));
}

static void teams_are_counted_with_their_seats_faults_and_answers(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    TeamMetrics *metrics = team_metrics_new();
    GameRecord *record = game_of(STR("a"), STR("b"));

    (void)state;
    record->seats[2].failed = true;
    record->seats[2].faults[FAULT_TIMEOUT] = 3;
    answer_times_add(&record->seats[1].answers[ASK_DIVINE], 60000);
    answer_times_add(&record->seats[1].answers[ASK_DIVINE], 100000);
    answer_times_add(&record->seats[1].answers[ASK_DIVINE], 61000000);
    team_metrics_add(metrics, record);
    record->is_void = true;
    team_metrics_add(metrics, record);
    team_metrics_print(metrics, "warg_x_", &out);
    assert_has(&out, "# TYPE warg_x_team_games_total counter\n");
    assert_has(&out, "\nwarg_x_team_games_total{team=\"a\"} 2\n");
    assert_has(&out, "\nwarg_x_team_seats_total{team=\"a\",result=\"won\"} 1\n");
    assert_has(&out, "\nwarg_x_team_seats_total{team=\"b\",result=\"lost\"} 1\n");
    assert_has(&out, "\nwarg_x_team_seats_total{team=\"b\",result=\"void\"} 1\n");
    assert_has(&out, "\nwarg_x_team_failed_seats_total{team=\"b\"} 2\n");
    assert_has(&out, "\nwarg_x_team_faults_total{team=\"b\",kind=\"timeout\"} 6\n");
    assert_has(&out, "# TYPE warg_x_team_answer_seconds histogram\n");
    assert_has(&out, "_bucket{team=\"a\",request=\"DIVINE\",le=\"0.05\"} 0\n");
    assert_has(&out, "_bucket{team=\"a\",request=\"DIVINE\",le=\"0.1\"} 4\n");
    assert_has(&out, "_bucket{team=\"a\",request=\"DIVINE\",le=\"60\"} 4\n");
    assert_has(&out, "_bucket{team=\"a\",request=\"DIVINE\",le=\"+Inf\"} 6\n");
    assert_has(&out, "_sum{team=\"a\",request=\"DIVINE\"} 122.320000\n");
    assert_has(&out, "_count{team=\"a\",request=\"DIVINE\"} 6\n");
    assert_null(strstr(buf_cstr(&out), "request=\"TALK\"")); /* nobody was asked */
    assert_null(strstr(buf_cstr(&out), TEAM_METRICS_OTHERS));
    mem_free(record);
    team_metrics_free(metrics);
}

static void a_team_against_itself_has_one_game_of_many_seats(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    TeamMetrics *metrics = team_metrics_new();
    GameRecord *record = game_of(STR("a"), STR("a"));

    (void)state;
    team_metrics_add(metrics, record);
    record->seats[1].outside = record->seats[2].outside = false; /* bots are nobody's */
    team_metrics_add(metrics, record);
    team_metrics_print(metrics, "", &out);
    assert_has(&out, "\nteam_games_total{team=\"a\"} 1\n");
    assert_has(&out, "\nteam_seats_total{team=\"a\",result=\"won\"} 1\n");
    assert_has(&out, "\nteam_seats_total{team=\"a\",result=\"lost\"} 1\n");
    mem_free(record);
    team_metrics_free(metrics);
}

static void names_are_escaped(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    team_metrics_escape(STR("a\"b\\c\nd\x01\xFF\xE4\xBA\xBA"), &out);
    assert_string_equal(buf_cstr(&out), "a\\\"b\\\\c\\nd\xEF\xBF\xBD\xEF\xBF\xBD\xE4\xBA\xBA");
}

static void teams_beyond_the_limit_share_a_name(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    TeamMetrics *metrics = team_metrics_new();
    char name[24];
    unsigned lines = 0;

    (void)state;
    for (unsigned i = 0; i < TEAM_METRICS_MAX + 7; i++) {
        snprintf(name, sizeof(name), "team%u", i);
        GameRecord *record = game_of(str_of(name), STR("team0"));
        team_metrics_add(metrics, record);
        mem_free(record);
    }
    GameRecord *liar = game_of(STR(TEAM_METRICS_OTHERS), STR("team0")); /* no line is there twice */
    team_metrics_add(metrics, liar);
    mem_free(liar);
    team_metrics_print(metrics, "", &out);
    assert_has(&out, "\nteam_games_total{team=\"(others)\"} 8\n");
    for (const char *at = buf_cstr(&out); (at = strstr(at, "\nteam_games_total{")); at++)
        lines++;
    assert_int_equal(lines, TEAM_METRICS_MAX + 1);
    team_metrics_free(metrics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(teams_are_counted_with_their_seats_faults_and_answers),
        cmocka_unit_test(a_team_against_itself_has_one_game_of_many_seats),
        cmocka_unit_test(names_are_escaped),
        cmocka_unit_test(teams_beyond_the_limit_share_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
