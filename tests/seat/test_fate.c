#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "seat/fate.h"

static void a_game_with_a_substitute_plays_on_whoever_is_out(void **state)
{
    const Fate fate = {.aborts_at = FATE_NEVER, .ends_at = FATE_NEVER};

    (void)state;
    assert_int_equal(fate_of(&fate, 1, true), FATE_PLAY_ON);
    assert_int_equal(fate_of(&fate, 5, false), FATE_PLAY_ON);
}

static void a_game_is_over_at_once_or_behind_its_phase_with_so_many_out(void **state)
{
    const Fate fate = {.aborts_at = 3, .ends_at = 2};

    (void)state;
    assert_int_equal(fate_of(&fate, 1, true), FATE_PLAY_ON);
    assert_int_equal(fate_of(&fate, 2, true), FATE_END_BEHIND_PHASE);
    assert_int_equal(fate_of(&fate, 3, true), FATE_ABORT);
}

static void a_game_that_needs_somebody_is_over_when_nobody_is_there(void **state)
{
    const Fate fate = {.aborts_at = FATE_NEVER, .ends_at = 5, .needs_somebody = true};

    (void)state;
    assert_int_equal(fate_of(&fate, 0, true), FATE_PLAY_ON);
    assert_int_equal(fate_of(&fate, 0, false), FATE_ABORT); /* who is out was dead before */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_with_a_substitute_plays_on_whoever_is_out),
        cmocka_unit_test(a_game_is_over_at_once_or_behind_its_phase_with_so_many_out),
        cmocka_unit_test(a_game_that_needs_somebody_is_over_when_nobody_is_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
