#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/measures.h"

#define MUST_BE(measure, role, wanted_count, wanted_of)                                            \
    do {                                                                                           \
        const MeasureShare share = measure_share(&sums, measure, role);                            \
        assert_int_equal(share.count, wanted_count);                                               \
        assert_int_equal(share.of, wanted_of);                                                     \
    } while (0)

/* A seer of two games, a villager, a werewolf and a possessed, by the order of PlayCount: votes,
 * for wolves, with a mate, on wolves' days, hits, executions, wolves', firsts, wolves', survived,
 * true claim, false claim. */
static PlaySums make_sums(void)
{
    PlaySums sums = {0};

    play_sums_add(&sums, ROLE_SEER, &(SeatPlay){.of = {3, 2, 0, 2, 1, 4, 2, 1, 1, 1, 1, 0}});
    play_sums_add(&sums, ROLE_SEER, &(SeatPlay){.of = {1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0}});
    play_sums_add(&sums, ROLE_VILLAGER, &(SeatPlay){.of = {2, 1, 0, 1, 0, 3, 1, 1, 0, 0, 0, 1}});
    play_sums_add(&sums, ROLE_WEREWOLF, &(SeatPlay){.of = {4, 1, 3, 2, 1, 4, 2, 1, 1, 1, 0, 1}});
    play_sums_add(&sums, ROLE_POSSESSED, &(SeatPlay){.of = {5, 5, 0, 5, 5, 5, 5, 1, 1, 1, 0, 0}});
    return sums;
}

static void shares_are_those_of_the_roles_that_a_measure_is_for(void **state)
{
    const PlaySums sums = make_sums();

    (void)state;
    MUST_BE(MEASURE_VILLAGE_VOTES, ROLE_NONE, 3, 6); /* not the possessed's */
    MUST_BE(MEASURE_HITS, ROLE_NONE, 1, 3);
    MUST_BE(MEASURE_EXECUTIONS, ROLE_NONE, 3, 8);
    MUST_BE(MEASURE_FIRST_EXECUTIONS, ROLE_NONE, 1, 3);
    MUST_BE(MEASURE_WOLVES_VOTES, ROLE_NONE, 1, 3);
    MUST_BE(MEASURE_SURVIVAL, ROLE_NONE, 3, 5);
    MUST_BE(MEASURE_KEY_SURVIVAL, ROLE_NONE, 1, 2);
    MUST_BE(MEASURE_TRUE_CLAIMS, ROLE_NONE, 2, 5);
    MUST_BE(MEASURE_FALSE_CLAIMS, ROLE_NONE, 2, 5);
    MUST_BE(MEASURE_VILLAGE_VOTES, ROLE_SEER, 2, 4);
    MUST_BE(MEASURE_VILLAGE_VOTES, ROLE_WEREWOLF, 0, 0);
    MUST_BE(MEASURE_WOLVES_VOTES, ROLE_SEER, 0, 0);
    MUST_BE(MEASURE_KEY_SURVIVAL, ROLE_VILLAGER, 0, 0);
    MUST_BE(MEASURE_SURVIVAL, ROLE_POSSESSED, 1, 1);
}

static void shares_of_roles_add_up_to_that_of_all(void **state)
{
    const PlaySums sums = make_sums();

    (void)state;
    for (Measure measure = 0; measure < MEASURE_COUNT; measure++) {
        uint64_t count = 0, of = 0;
        for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
            count += measure_share(&sums, measure, role).count;
            of += measure_share(&sums, measure, role).of;
        }
        MUST_BE(measure, ROLE_NONE, count, of);
    }
}

static void json_has_the_measures_of_which_there_is_something(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    PlaySums sums = {0};
    Json json = json_over(&text);

    (void)state;
    json_open(&json, '{');
    measures_put_json(&sums, &json);
    play_sums_add(&sums, ROLE_POSSESSED, &(SeatPlay){.of = {2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}});
    measures_put_json(&sums, &json);
    json_close(&json);
    assert_string_equal(
        buf_cstr(&text),
        "{\"measures\":{"
        "\"survival\":{\"count\":1,\"of\":1,\"rate\":1.000000,\"low\":0.206549,\"high\":1.000000},"
        "\"true_claims\":{\"count\":0,\"of\":1,\"rate\":0.000000,\"low\":0.000000,\"high\":"
        "0.793451},"
        "\"false_claims\":{\"count\":0,\"of\":1,\"rate\":0.000000,\"low\":0.000000,\"high\":"
        "0.793451}}}");
}

static void each_measure_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (Measure a = 0; a < MEASURE_COUNT; a++) {
        assert_true(measure_name(a)[0] != '\0');
        for (Measure b = 0; b < a; b++)
            assert_string_not_equal(measure_name(a), measure_name(b));
    }
    assert_string_equal(measure_name(MEASURE_COUNT), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_those_of_the_roles_that_a_measure_is_for),
        cmocka_unit_test(shares_of_roles_add_up_to_that_of_all),
        cmocka_unit_test(json_has_the_measures_of_which_there_is_something),
        cmocka_unit_test(each_measure_has_a_name_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
