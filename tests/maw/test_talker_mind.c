/* What a talker holds against somebody, after a few lines, votes and deaths that are made up: above
 * all who contradicts itself, or another one that claims the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/talker_mind.h"

enum {
    ANN, /* me */
    BO,
    CY,
    DI,
    ED,
    FLO,
    PEOPLE,
};

static const char *const names[PEOPLE] = {"Ann", "Bo", "Cy", "Di", "Ed", "Flo"};

static LlmScene scene_of_all(void)
{
    LlmScene scene = {.me = str_of(names[ANN]), .wolves = 2, .seat_count = PEOPLE};

    for (int i = 0; i < PEOPLE; i++)
        scene.seats[i] = (LlmSeatSeen){.name = str_of(names[i]), .alive = true};
    return scene;
}

static void say(TalkerMind *mind, uint32_t who, Phrase phrase, uint32_t a, uint32_t b)
{
    PhraseRead read = {.wording = {.phrase = phrase},
                       .a = a == NO_PLACE ? SEAT_NONE : (SeatNo)(a + 1),
                       .b = b == NO_PLACE ? SEAT_NONE : (SeatNo)(b + 1)};

    mind_hear(mind, who, ANN, &read, NULL, 0);
}

/* Words of a person, that are understood so. */
static void mean(TalkerMind *mind, uint32_t who, Meaning meaning, uint32_t about)
{
    Understood heard = {meaning, (SeatNo)(about + 1)};

    mind_hear(mind, who, ANN, NULL, &heard, 1);
}

/* Whether this is among the reasons to suspect `whom`: each is given once, until none is left. */
static bool has_reason(const TalkerMind *before, const LlmScene *scene, uint32_t whom, Phrase why,
                       uint32_t b)
{
    TalkerMind mind = *before;
    TalkerReason reason;
    uint64_t values[LLM_SEATS_MAX];
    Rng rng = rng_new(1);

    mind_weigh(&mind, scene, ANN, true, 1, values);
    while (mind_find_reason(&mind, scene, ANN, whom, values, &rng, &reason)) {
        if (reason.why == why && reason.b == b)
            return true;
        mind_note_given(&mind, reason.why, whom, reason.b);
    }
    return false;
}

static uint64_t weigh_one(const TalkerMind *mind, const LlmScene *scene, uint32_t whom)
{
    uint64_t values[LLM_SEATS_MAX];

    mind_weigh(mind, scene, ANN, true, 1, values);
    return values[whom];
}

static void who_turns_on_whom_it_stood_up_for_is_told_so(void **state)
{
    LlmScene scene = scene_of_all();
    TalkerMind mind = {0}, steady = {0};

    (void)state;
    mind_enter_phase(&mind, 1, 1, false);
    mind_enter_phase(&steady, 1, 1, false);
    say(&mind, BO, PHRASE_VOUCH, CY, NO_PLACE);
    assert_false(has_reason(&mind, &scene, BO, PHRASE_TURNED, CY));
    say(&mind, BO, PHRASE_FIRST, CY, NO_PLACE);
    say(&steady, BO, PHRASE_FIRST, CY, NO_PLACE);
    assert_true(has_reason(&mind, &scene, BO, PHRASE_TURNED, CY));
    assert_false(has_reason(&steady, &scene, BO, PHRASE_TURNED, CY));
    assert_true(weigh_one(&mind, &scene, BO) > weigh_one(&steady, &scene, BO));
    mind_enter_phase(&mind, 1, 2, false); /* it is not forgotten the day after */
    assert_true(has_reason(&mind, &scene, BO, PHRASE_TURNED, CY));
    mind_enter_phase(&mind, 2, 1, false); /* in another round roles are others */
    assert_false(has_reason(&mind, &scene, BO, PHRASE_TURNED, CY));
}

static void to_think_better_of_somebody_is_no_contradiction(void **state)
{
    LlmScene scene = scene_of_all();
    TalkerMind mind = {0};

    (void)state;
    mind_enter_phase(&mind, 1, 1, false);
    say(&mind, BO, PHRASE_FIRST, CY, NO_PLACE);
    say(&mind, BO, PHRASE_VOUCH, CY, NO_PLACE);
    assert_false(has_reason(&mind, &scene, BO, PHRASE_TURNED, CY));
}

static void people_and_models_contradict_themselves_too(void **state)
{
    LlmScene scene = scene_of_all();
    TalkerMind mind = {0};

    (void)state;
    mind_enter_phase(&mind, 1, 1, false);
    mean(&mind, DI, MEANS_HUMAN, ED);
    mean(&mind, DI, MEANS_HUMAN, DI);
    mean(&mind, DI, MEANS_DOUBT, ED);
    assert_true(has_reason(&mind, &scene, DI, PHRASE_TURNED, ED));
    mean(&mind, FLO, MEANS_DOUBT, CY); /* says one, and votes for another */
    mind_note_vote(&mind, FLO, BO);
    assert_false(has_reason(&mind, &scene, FLO, PHRASE_CONTRADICTS, CY));
    mind_note_end(&mind, &scene, STR("executed"), ED);
    mind_enter_phase(&mind, 1, 1, true);
    mind_enter_phase(&mind, 1, 2, false);
    assert_true(has_reason(&mind, &scene, FLO, PHRASE_CONTRADICTS, CY));
    assert_false(has_reason(&mind, &scene, FLO, PHRASE_CONTRADICTS, BO));
}

static void two_seers_who_say_opposite_things_are_told_so(void **state)
{
    LlmScene scene = scene_of_all();
    TalkerMind mind = {0};

    (void)state;
    mind_enter_phase(&mind, 1, 1, false);
    say(&mind, BO, PHRASE_SEER_HUMAN, DI, NO_PLACE);
    say(&mind, CY, PHRASE_SEER_HUMAN, ED, NO_PLACE);
    assert_false(has_reason(&mind, &scene, BO, PHRASE_CLASH, CY));
    assert_false(has_reason(&mind, &scene, CY, PHRASE_CLASH, BO));
    say(&mind, CY, PHRASE_SEER_WOLF, DI, NO_PLACE);
    /* Against the one who is believed less. */
    assert_true(has_reason(&mind, &scene, BO, PHRASE_CLASH, CY) !=
                has_reason(&mind, &scene, CY, PHRASE_CLASH, BO));
}

static void a_murder_refutes_who_called_the_victim_a_wolf(void **state)
{
    LlmScene scene = scene_of_all();
    TalkerMind mind = {0};

    (void)state;
    mind_enter_phase(&mind, 1, 1, false);
    say(&mind, BO, PHRASE_SEER_WOLF, DI, NO_PLACE);
    mind_note_end(&mind, &scene, STR("executed"), ED);
    mind_enter_phase(&mind, 1, 1, true);
    uint64_t before = weigh_one(&mind, &scene, BO);
    mind_note_end(&mind, &scene, STR("murdered"), DI);
    scene.seats[DI].alive = false;
    scene.seats[DI].cause = STR("murdered");
    mind_enter_phase(&mind, 1, 2, false);
    assert_true(has_reason(&mind, &scene, BO, PHRASE_REFUTED, DI));
    assert_true(weigh_one(&mind, &scene, BO) > before);
    for (uint32_t i = CY; i < PEOPLE; i++)
        assert_true(i == DI || weigh_one(&mind, &scene, BO) > weigh_one(&mind, &scene, i));
}

static void people_are_given_time_to_speak(void **state)
{
    LlmScene scene = scene_of_all();
    TalkerMind mind = {0};

    (void)state;
    mind_enter_phase(&mind, 1, 1, false);
    for (uint32_t i = CY; i < PEOPLE; i++)
        say(&mind, i, PHRASE_HELLO, NO_PLACE, NO_PLACE);
    assert_true(has_reason(&mind, &scene, BO, PHRASE_SILENT, NO_PLACE));
    mind.patient = true;
    assert_false(has_reason(&mind, &scene, BO, PHRASE_SILENT, NO_PLACE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_turns_on_whom_it_stood_up_for_is_told_so),
        cmocka_unit_test(to_think_better_of_somebody_is_no_contradiction),
        cmocka_unit_test(people_and_models_contradict_themselves_too),
        cmocka_unit_test(two_seers_who_say_opposite_things_are_told_so),
        cmocka_unit_test(a_murder_refutes_who_called_the_victim_a_wolf),
        cmocka_unit_test(people_are_given_time_to_speak),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
