/* test_game_recorder.c - what a record says of one game after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "record/game_recorder.h"

static void hear(GameRecorder *recorder, Event event)
{
    const Recorder listener = game_recorder_listener(recorder);

    listener.event(listener.user, &event);
}

static void hear_game(GameRecorder *recorder)
{
    hear(recorder, (Event){.kind = EVENT_ROLE, .seat = 1, .role = ROLE_SEER});
    hear(recorder, (Event){.kind = EVENT_VOTE, .day = 1, .seat = 1, .target = 2});
    hear(recorder, (Event){.kind = EVENT_VOTE, .day = 1, .seat = 2, .target = 1});
    hear(recorder, (Event){.kind = EVENT_VOTE, .day = 1, .round = 1, .seat = 1, .target = 2});
    hear(recorder, (Event){.kind = EVENT_VOTE, .day = 1, .round = 1, .seat = 2, .target = 1});
    hear(recorder, (Event){.kind = EVENT_ATTACK, .day = 1, .target = 1, .killed = true});
    hear(recorder, (Event){.kind = EVENT_VOTE, .day = 2, .seat = 1, .target = 2});
    hear(recorder, (Event){.kind = EVENT_ATTACK, .day = 2, .target = 1});
    hear(recorder,
         (Event){.kind = EVENT_END, .day = 3, .winner = SIDE_VILLAGER, .reason = END_WIN});
    hear(recorder, (Event){.kind = EVENT_REVEAL, .day = 3, .seat = 2, .role = ROLE_WEREWOLF});
    hear(recorder, (Event){.kind = EVENT_SCORE, .day = 3, .seat = 2, .points = 7});
}

static void a_record_counts_votes_revotes_and_attacks(void **state)
{
    CLEANUP(game_recorder_done) GameRecorder recorder = {0};
    const GameResult *result = &recorder.record.result;

    (void)state;
    game_recorder_begin(&recorder, 2, false);
    assert_int_equal(recorder.record.reason, END_ABORTED);
    hear_game(&recorder);
    assert_int_equal(result->seat_count, 2);
    assert_int_equal(result->execution_days, 2);
    assert_int_equal(result->revote_days, 1);
    assert_int_equal(result->attacks, 2);
    assert_int_equal(result->attack_kills, 1);
    assert_int_equal(result->winner, SIDE_VILLAGER);
    assert_int_equal(result->last_day, 3);
    assert_int_equal(recorder.record.reason, END_WIN);
    assert_int_equal(result->roles[2], ROLE_WEREWOLF);
    assert_int_equal(result->points[2], 7);
    assert_int_equal(recorder.log.len, 0);
}

static void nothing_of_a_game_is_left_in_the_next(void **state)
{
    CLEANUP(game_recorder_done) GameRecorder recorder = {0};
    const GameResult *result = &recorder.record.result;

    (void)state;
    game_recorder_begin(&recorder, 2, true);
    snprintf(recorder.record.log, sizeof(recorder.record.log), "logs/0.log.gz");
    hear_game(&recorder);
    assert_true(recorder.log.len > 0);
    game_recorder_begin(&recorder, 3, false);
    assert_int_equal(result->seat_count, 3);
    assert_int_equal(result->winner, SIDE_NONE);
    assert_int_equal(result->last_day + result->execution_days + result->revote_days, 0);
    assert_int_equal(result->attacks + result->attack_kills, 0);
    assert_int_equal(result->points[2], 0);
    assert_int_equal(recorder.record.reason, END_ABORTED);
    assert_string_equal(recorder.record.log, "");
    assert_int_equal(recorder.log.len, 0);
    hear(&recorder, (Event){.kind = EVENT_VOTE, .day = 2, .round = 1, .seat = 1, .target = 2});
    assert_int_equal(result->execution_days, 1);
    assert_int_equal(result->revote_days, 1);
    assert_int_equal(recorder.log.len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_counts_votes_revotes_and_attacks),
        cmocka_unit_test(nothing_of_a_game_is_left_in_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
