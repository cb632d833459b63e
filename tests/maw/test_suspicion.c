#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/suspicion.h"

enum {
    ANN, /* me */
    BO,
    CY,
    DI,
    ED,
    FLO,
    PEOPLE,
};

static LlmScene scene_of(uint32_t wolves)
{
    static const char *const names[PEOPLE] = {"Ann", "Bo", "Cy", "Di", "Ed", "Flo"};
    LlmScene scene = {.me = str_of(names[ANN]), .wolves = wolves, .seat_count = PEOPLE};

    for (int i = 0; i < PEOPLE; i++)
        scene.seats[i] = (LlmSeatSeen){.name = str_of(names[i]), .alive = true};
    return scene;
}

static void quarrel(Suspicion *suspicion, uint32_t a, uint32_t b)
{
    suspicion_note(suspicion, a, b);
    suspicion_note(suspicion, b, a);
}

static void without_a_word_all_others_are_suspected_alike(void **state)
{
    LlmScene scene = scene_of(2);
    Suspicion nothing = {0};
    uint64_t weights[LLM_SEATS_MAX];

    (void)state;
    suspicion_weigh(&nothing, &scene, true, weights);
    assert_true(weights[ANN] == 0 && weights[BO] > 0);
    for (int i = CY; i < PEOPLE; i++)
        assert_true(weights[i] == weights[BO]);
    suspicion_weigh(&nothing, &scene, false, weights);
    assert_true(weights[ANN] > 0 && weights[ANN] == weights[BO]);
    suspicion_note(&nothing, LLM_SEATS_MAX, BO); /* nobody's words count for nobody */
    suspicion_note(&nothing, BO, LLM_SEATS_MAX);
    suspicion_weigh(&nothing, &scene, true, weights);
    assert_true(weights[BO] == weights[CY]);
}

static void who_quarrels_is_suspected_less(void **state)
{
    LlmScene scene = scene_of(2);
    Suspicion suspicion = {0};
    uint64_t weights[LLM_SEATS_MAX];

    (void)state;
    quarrel(&suspicion, BO, CY);
    suspicion_note(&suspicion, DI, BO);
    suspicion_weigh(&suspicion, &scene, true, weights);
    assert_true(weights[BO] < weights[CY]);
    assert_true(weights[CY] < weights[DI]);
    assert_true(weights[DI] < weights[ED]);
    assert_true(weights[ED] == weights[FLO]);
    for (int i = 0; i < 100; i++) /* the same words again say no more */
        quarrel(&suspicion, BO, CY);
    uint64_t before = weights[BO];
    suspicion_weigh(&suspicion, &scene, true, weights);
    assert_true(weights[BO] == before);
}

static void deaths_and_roles_say_something(void **state)
{
    LlmScene scene = scene_of(2);
    Suspicion nothing = {0};
    uint64_t weights[LLM_SEATS_MAX];

    (void)state;
    scene.seats[BO].alive = scene.seats[CY].alive = scene.seats[DI].alive = false;
    scene.seats[BO].cause = STR("murdered");
    scene.seats[CY].cause = scene.seats[DI].cause = STR("executed");
    suspicion_weigh(&nothing, &scene, true, weights);
    assert_true(weights[BO] == 0);
    assert_true(weights[CY] > 0 && weights[CY] == weights[DI]);
    assert_true(weights[ED] > weights[CY]); /* Cy and Di alone are impossible: the round goes on */

    scene = scene_of(2);
    scene.seats[BO].role = STR("Villager");
    scene.seats[CY].role = STR("Werewolf");
    suspicion_weigh(&nothing, &scene, true, weights);
    assert_true(weights[BO] == 0);
    assert_true(weights[CY] > 3 * weights[DI] && weights[DI] > 0);
    suspicion_weigh(&nothing, &scene, false, weights); /* what only Ann knows */
    assert_true(weights[BO] == weights[CY]);
}

static void tables_of_any_size_are_weighed(void **state)
{
    static const uint32_t wolves[] = {0, 1, 3, 10, 30, 64};
    Suspicion suspicion = {0};
    uint64_t weights[LLM_SEATS_MAX];
    LlmScene scene = {.me = STR("a"), .seat_count = 30};
    char names[30][2];

    (void)state;
    for (unsigned i = 0; i < 30; i++) {
        names[i][0] = (char)('a' + i);
        names[i][1] = '\0';
        scene.seats[i] = (LlmSeatSeen){.name = str_of(names[i]), .alive = true};
        quarrel(&suspicion, i, (i + 1) % 30);
    }
    for (size_t i = 0; i < sizeof(wolves) / sizeof(wolves[0]); i++) {
        scene.wolves = wolves[i];
        suspicion_weigh(&suspicion, &scene, true, weights);
        assert_true(weights[0] == 0 && weights[15] > 0);
    }
    scene.seat_count = 1; /* nobody but me */
    suspicion_weigh(&suspicion, &scene, true, weights);
    assert_true(weights[0] == 0);
    scene.seat_count = 0;
    suspicion_weigh(&suspicion, &scene, true, weights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_word_all_others_are_suspected_alike),
        cmocka_unit_test(who_quarrels_is_suspected_less),
        cmocka_unit_test(deaths_and_roles_say_something),
        cmocka_unit_test(tables_of_any_size_are_weighed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
