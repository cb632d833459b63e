#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/maw_rounds.h"

#include <stdio.h>

#define BEGIN "{\"seq\":0,\"t_ms\":0,\"event\":\"session\",\"id\":\"abc\"}\n"
#define SEATS                                                                                      \
    "{\"t_ms\":0,\"event\":\"seat\",\"name\":\"Ann\",\"kind\":\"llm\",\"model\":\"m7\"}\n"         \
    "{\"t_ms\":0,\"event\":\"seat\",\"name\":\"Bob\",\"kind\":\"bot:random\"}\n"
#define ROUND                                                                                      \
    "{\"seq\":2,\"event\":\"start_game\",\"players\":[]}\n"                                        \
    "{\"seq\":3,\"event\":\"line\",\"text\":\"\\\"event\\\":\\\"end_game\\\"\"}\n"                 \
    "{\"seq\":4,\"event\":\"revote\"}\n"                                                           \
    "{\"seq\":5,\"event\":\"phase_end\",\"phase\":\"day\",\"target\":\"Bob\"}\n"                   \
    "{\"seq\":6,\"event\":\"phase_end\",\"phase\":\"night\"}\n"                                    \
    "{\"seq\":7,\"event\":\"phase_end\",\"phase\":\"day\",\"target\":\"Cat\"}\n"                   \
    "{\"seq\":8,\"event\":\"end_game\",\"winner\":\"VILLAGER\",\"reason\":\"win\",\"days\":2,"     \
    "\"players\":[{\"name\":\"Ann\",\"role\":\"Seer\",\"points\":3},"                              \
    "{\"name\":\"Bob\",\"role\":\"Villager\",\"points\":-1},"                                      \
    "{\"name\":\"Cat\",\"role\":\"Werewolf\",\"points\":0}]}\n"

typedef struct Heard {
    int rounds;
    uint64_t last;
} Heard;

static int hear(void *user, const GameRecord *round, Err *err)
{
    Heard *heard = user;
    const GameResult *result = &round->result;
    (void)err;

    heard->rounds++;
    heard->last = round->game;
    assert_int_equal(round->division, DIVISION_MAW);
    assert_int_equal(round->reason, END_WIN);
    assert_int_equal(result->winner, SIDE_VILLAGER);
    assert_int_equal(result->seat_count, 3);
    assert_int_equal(result->last_day, 2);
    assert_int_equal(result->execution_days, 2);
    assert_int_equal(result->revote_days, 1);
    assert_int_equal(result->attacks, 1);
    assert_int_equal(result->attack_kills, 0);
    assert_true(str_eq(result->names[1], STR("Ann")) && result->roles[1] == ROLE_SEER);
    assert_true(result->roles[2] == ROLE_VILLAGER && result->roles[3] == ROLE_WEREWOLF);
    assert_int_equal(result->points[1], 3);
    assert_int_equal(result->points[2], -1);
    assert_int_equal(round->seats[1].kind, SEAT_MODEL);
    assert_true(str_eq(round->seats[1].model, STR("m7")));
    assert_int_equal(round->seats[2].kind, SEAT_BOT);
    assert_int_equal(round->seats[3].kind, SEAT_AGENT);
    return 0;
}

static void each_round_that_ended_is_a_game(void **state)
{
    Heard heard = {0};
    Err err = {0};
    (void)state;

    assert_true(maw_record_is(STR(BEGIN)));
    assert_int_equal(maw_rounds_read(STR(BEGIN SEATS ROUND ROUND), hear, &heard, &err), 0);
    assert_int_equal(heard.rounds, 2);
    assert_int_equal(heard.last, 1);
}

static void a_round_that_did_not_end_is_none(void **state)
{
    Heard heard = {0};
    const Str whole = STR(BEGIN SEATS ROUND);
    (void)state;

    /* Cut anywhere: no round, the round, or an error of the last line. */
    for (size_t len = 0; len + 2 < whole.len; len++) {
        Err err = {0};
        int rc = maw_rounds_read(str_part(whole, 0, len), hear, &heard, &err);
        assert_true(rc == 0 || err.line > 0);
        assert_int_equal(heard.rounds, 0);
    }
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    Heard heard = {0};
    Err err = {0};
    (void)state;

    assert_int_equal(maw_rounds_read(STR(BEGIN "{\"seq\":1,\"event\":\"end_game\",\"players\":[{"
                                               "\"name\":\"Ann\",\"role\":\"Fool\"}],"
                                               "\"reason\":\"win\",\"winner\":\"VILLAGER\"}\n"),
                                     hear, &heard, &err),
                     ERR_SYNTAX);
    assert_int_equal(err.line, 2);
    assert_non_null(strstr(err.msg, "line 2: "));
    assert_int_equal(heard.rounds, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_round_that_ended_is_a_game),
        cmocka_unit_test(a_round_that_did_not_end_is_none),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
