#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judging/judge_score.h"
#include "wire/json_read.h"

#include <math.h>

static const Str teams[] = {{"a", 1}, {"b", 1}, {"c", 1}};

/* Three seats of three teams; team t sits at seat t + 1. */
#define GAME(is_calibration)                                                                       \
    {                                                                                              \
        .seat_count = 3, .calibration = (is_calibration), .team = { 0, 0, 1, 2 }                   \
    }
#define SHEET(of_game, of_rater, letter, number, ra, rb, rc)                                       \
    {                                                                                              \
        .game = (of_game), .rater = (of_rater), .criterion = (letter), .repeat = (number),         \
        .rank = {0, (ra), (rb), (rc)}, .order = {                                                  \
            1,                                                                                     \
            2,                                                                                     \
            3                                                                                      \
        }                                                                                          \
    }

static json_t *score_of(const ScoreInput *input)
{
    CLEANUP(buf_done) Buf out = {0};
    Json json = json_over(&out);
    json_t *read = NULL;
    Err err = {0};

    json_open(&json, '{');
    if (judge_score_write(input, &json, &err))
        fail_msg("%s", err.msg);
    json_close(&json);
    if (json_read(buf_str(&out), out.len, &read, &err))
        fail_msg("%s in %s", err.msg, buf_cstr(&out));
    return read;
}

static double real_of(const json_t *object, const char *key)
{
    double value = (double)NAN;

    if (json_get(object, key))
        json_as_real(json_get(object, key), &value);
    return value;
}

static const json_t *team_of(const json_t *list, const char *team)
{
    for (size_t i = 0; i < json_count(list); i++)
        if (str_eq(json_text(json_at(list, i), "team"), str_of(team)))
            return json_at(list, i);
    return NULL;
}

static const json_t *criterion_in(const json_t *scores, const char *letter)
{
    return json_get(json_get(scores, "criteria"), letter);
}

static void a_hand_made_table_has_its_scores(void **state)
{
    static const ScoreGame games[] = {GAME(false), GAME(false), GAME(true)};
    static const ScoreRater raters[] = {{{"J1", 2}, false}, {{"J2", 2}, false}, {{"m", 1}, true}};
    static const ScoreSheet sheets[] = {
        /* game 0: J1 abc, J2 acb; the model bac twice */
        SHEET(0, 0, CRITERION_A, 0, 1, 2, 3), SHEET(0, 1, CRITERION_A, 0, 1, 3, 2),
        SHEET(0, 2, CRITERION_A, 0, 2, 1, 3), SHEET(0, 2, CRITERION_A, 1, 2, 1, 3),
        /* game 1: J1 abc; the model abc, then cba */
        SHEET(1, 0, CRITERION_A, 0, 1, 2, 3), SHEET(1, 2, CRITERION_A, 0, 1, 2, 3),
        SHEET(1, 2, CRITERION_A, 1, 3, 2, 1),
        /* calibration: no score */
        SHEET(2, 0, CRITERION_A, 0, 3, 2, 1), SHEET(2, 1, CRITERION_A, 0, 3, 2, 1),
        /* C, by J2 alone */
        SHEET(0, 1, CRITERION_C, 0, 3, 1, 2)};
    const ScoreInput input = {games, 3, raters, 3, sheets, 10, teams, NULL, 3, (double)NAN};
    json_t *scores = score_of(&input);
    const json_t *a = criterion_in(scores, "A"), *people = json_get(a, "people");
    const json_t *model = json_at(json_get(a, "models"), 0);
    (void)state;

    /* team b: game 0 (0.5 + 1) / 2, game 1 0.5: mean 0.625 */
    assert_float_equal(real_of(team_of(people, "a"), "score"), 0, 1e-6);
    assert_float_equal(real_of(team_of(people, "b"), "score"), 0.625, 1e-6);
    assert_float_equal(real_of(team_of(people, "c"), "score"), 0.875, 1e-6);
    assert_float_equal(real_of(team_of(people, "c"), "place"), 3, 1e-6);
    assert_int_equal(json_number(team_of(people, "b"), "seats"), 2);
    assert_float_equal(real_of(team_of(people, "b"), "low"), 0.5, 1e-6); /* game 1 twice */
    assert_float_equal(real_of(team_of(people, "b"), "high"), 0.75, 1e-6);
    /* W: game 0: 123, 132: sums 2, 5, 5: S = 6: 12 * 6 / (4 * 24) = 0.75; game 2: 1 */
    assert_float_equal(real_of(a, "w"), 0.875, 1e-6);
    /* the model: game 0 0.5, 0, 1; game 1 all 0.5 */
    const json_t *own = json_get(model, "teams");
    assert_float_equal(real_of(team_of(own, "a"), "score"), 0.5, 1e-6);
    assert_float_equal(real_of(team_of(own, "b"), "score"), 0.25, 1e-6);
    /* tau-b: only game 0 says something: (0, 0.75, 0.75) with (0.5, 0, 1): pairs ab -1, ac 1, bc
     * tied: 0 */
    assert_float_equal(real_of(model, "tau"), 0, 1e-6);
    /* repeats: game 0 the same (1), game 1 opposite (0) */
    assert_float_equal(real_of(model, "repeat_w"), 0.5, 1e-6);
    /* places 0, 0.5, 1; mean ranks there: (0.5+0.5+0+1)/4 = 0.5, (0+0+0.5+0.5)/4, (1+1+1+0)/4 */
    assert_float_equal(real_of(model, "position"), 0.25, 1e-6);
    /* totals of people: A 1, 2, 3; C 3, 1, 2: means 2, 1.5, 2.5 */
    const json_t *total = json_get(json_get(scores, "totals"), "people");
    assert_float_equal(real_of(team_of(total, "a"), "total"), 2, 1e-6);
    assert_float_equal(real_of(team_of(total, "b"), "total"), 1.5, 1e-6);
    assert_float_equal(real_of(team_of(total, "b"), "place"), 1, 1e-6);
    json_done(scores);
}

static void the_win_rate_is_one_more_place_when_it_is_asked_for(void **state)
{
    static const ScoreGame games[] = {GAME(false)};
    static const ScoreRater raters[] = {{{"J1", 2}, false}};
    static const ScoreSheet sheets[] = {SHEET(0, 0, CRITERION_A, 0, 1, 2, 3)};
    static const double rates[] = {0.2, 0.6, 0.4};
    const ScoreInput input = {games, 1, raters, 1, sheets, 1, teams, rates, 3, (double)NAN};
    json_t *scores = score_of(&input);
    const json_t *total = json_get(json_get(scores, "totals"), "people");
    (void)state;

    assert_float_equal(real_of(team_of(total, "a"), "total"), 2, 1e-6);   /* 1, 3 */
    assert_float_equal(real_of(team_of(total, "b"), "total"), 1.5, 1e-6); /* 2, 1 */
    json_done(scores);
}

static void a_model_below_min_tau_is_kept_out(void **state)
{
    static const ScoreGame games[] = {GAME(false)};
    static const ScoreRater raters[] = {{{"J1", 2}, false}, {{"m", 1}, true}, {{"n", 1}, true}};
    static const ScoreSheet sheets[] = {SHEET(0, 0, CRITERION_A, 0, 1, 2, 3),
                                        SHEET(0, 1, CRITERION_A, 0, 3, 2, 1),
                                        SHEET(0, 2, CRITERION_A, 0, 1, 2, 3)};
    const ScoreInput input = {games, 1, raters, 3, sheets, 3, teams, NULL, 3, 0.3};
    json_t *scores = score_of(&input);
    const json_t *models = json_get(criterion_in(scores, "A"), "models");
    const json_t *totals = json_get(json_get(scores, "totals"), "models");
    bool out = false;
    (void)state;

    assert_float_equal(real_of(json_at(models, 0), "tau"), -1, 1e-6);
    assert_true(json_as_bool(json_get(json_at(models, 0), "kept_out"), &out) && out);
    assert_true(json_as_bool(json_get(json_at(models, 1), "kept_out"), &out) && !out);
    assert_int_equal(json_count(json_get(json_at(totals, 0), "teams")), 0);
    assert_int_equal(json_count(json_get(json_at(totals, 1), "teams")), 3);
    json_done(scores);
}

static void scores_are_ranked_with_ties(void **state)
{
    static const ScoreGame games[] = {GAME(false)};
    static const ScoreRater raters[] = {{{"J1", 2}, false}};
    static const ScoreSheet sheets[] = {
        {.criterion = CRITERION_B, .score = {0, 5, 3, 3}, .order = {3, 2, 1}}};
    const ScoreInput input = {games, 1, raters, 1, sheets, 1, teams, NULL, 3, (double)NAN};
    json_t *scores = score_of(&input);
    const json_t *people = json_get(criterion_in(scores, "B"), "people");
    (void)state;

    assert_float_equal(real_of(team_of(people, "a"), "score"), 0, 1e-6);
    assert_float_equal(real_of(team_of(people, "b"), "score"), 0.75, 1e-6); /* rank 2.5 of 3 */
    assert_float_equal(real_of(team_of(people, "c"), "place"), 2.5, 1e-6);
    json_done(scores);
}

static void nothing_rated_is_nothing_said(void **state)
{
    const ScoreInput input = {NULL, 0, NULL, 0, NULL, 0, teams, NULL, 3, (double)NAN};
    json_t *scores = score_of(&input);
    (void)state;

    assert_true(json_is_map(json_get(scores, "criteria")));
    json_done(scores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_made_table_has_its_scores),
        cmocka_unit_test(the_win_rate_is_one_more_place_when_it_is_asked_for),
        cmocka_unit_test(a_model_below_min_tau_is_kept_out),
        cmocka_unit_test(scores_are_ranked_with_ties),
        cmocka_unit_test(nothing_rated_is_nothing_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
