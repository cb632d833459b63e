#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/opinion_score.h"

static void assert_brier(const OpinionScore *score, double wanted)
{
    double brier = opinion_score_brier(score);

    if (fabs(brier - wanted) > 1e-12)
        fail_msg("%.6f, not %.6f", brier, wanted);
}

static void single_opinions(void **state)
{
    static const struct {
        uint32_t percent;
        bool was_wolf;
        double brier;
    } rows[] = {
        {100, true, 0},    {0, false, 0},    {100, false, 1},   {0, true, 1},   {50, true, 0.25},
        {50, false, 0.25}, {70, true, 0.09}, {70, false, 0.49}, {250, true, 0}, {250, false, 1},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        OpinionScore score = {0};
        opinion_score_add(&score, rows[i].percent, rows[i].was_wolf);
        assert_brier(&score, rows[i].brier);
        assert_int_equal(score.hits, rows[i].was_wolf);
    }
}

/* Four days of rain forecasts by hand: 0.9 rain, 0.6 rain, 0.3 dry, 0.8 dry:
 * (0.01 + 0.16 + 0.09 + 0.64) / 4 = 0.225. */
static void several_are_averaged(void **state)
{
    OpinionScore score = {0}, first = {0};
    (void)state;

    opinion_score_add(&first, 90, true);
    opinion_score_add(&first, 60, true);
    opinion_score_add(&score, 30, false);
    opinion_score_add(&score, 80, false);
    assert_brier(&score, 0.365);
    opinion_score_join(&score, &first);
    assert_int_equal(score.count, 4);
    assert_int_equal(score.hits, 2);
    assert_brier(&score, 0.225);
}

/* By hand: four opinions, in the bands of 30, 60, 80 and 90 percent. */
static void what_records_have_is_the_whole_score(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);
    OpinionScore score = {0};
    ModelFigures figures = {0};
    (void)state;

    opinion_score_add(&score, 30, false);
    opinion_score_add(&score, 69, true);
    opinion_score_add(&score, 80, false);
    opinion_score_add(&score, 100, true);
    opinion_score_put(&score, &figures);
    assert_string_equal(model_figure_name(FIGURE_SAID + 3), "said_30");
    assert_string_equal(model_figure_name(FIGURE_SAID_WOLVES + 9), "wolves_90");
    assert_int_equal(figures.of[FIGURE_SAID + 3], 1);
    assert_int_equal(figures.of[FIGURE_SAID_WOLVES + 6], 1);
    assert_int_equal(figures.of[FIGURE_OPINION_OFF], 900 + 31 * 31 + 6400);
    const OpinionScore again = opinion_score_of(&figures);
    assert_memory_equal(&again, &score, sizeof(score));
    json_open(&json, '{');
    opinion_score_write(&score, &json);
    json_close(&json);
    assert_non_null(strstr(buf_cstr(&text), "{\"count\":4,\"wolves\":2,\"brier\":0.2065,"));
    assert_non_null(strstr(buf_cstr(&text), "{\"from\":60,\"to\":69,\"opinions\":1,\"wolves\":1}"));
    assert_non_null(
        strstr(buf_cstr(&text), "{\"from\":90,\"to\":100,\"opinions\":1,\"wolves\":1}"));
}

static void without_opinions_there_is_none(void **state)
{
    const OpinionScore none = {0};
    (void)state;

    assert_int_equal(none.count, 0);
    assert_brier(&none, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_opinions),
        cmocka_unit_test(several_are_averaged),
        cmocka_unit_test(what_records_have_is_the_whole_score),
        cmocka_unit_test(without_opinions_there_is_none),
    };

    return cmocka_run_group_tests_name("opinions' scores", tests, NULL, NULL);
}
