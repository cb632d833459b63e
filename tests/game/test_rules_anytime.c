/* test_rules_anytime.c - talk at any time until the clock says so.
 *
 * Source: spec/nlp-division.md 10. */
#include "play.h"

static Play *anytime(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-anytime");
    seats(play, "VVVSW");
    forget(play);
    return play;
}

static void everybody_may_speak_at_any_time_until_time_is_up(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-anytime");
    seats(play, "VVVSW");
    assert_seats(asked(play, ASK_TALK), "12345");
    assert_int_equal(last(play, EVENT_PHASE)->until, 600000);
    assert_int_equal(game_deadline(play->game), 600000);
    tick(play, 1000);
    say(play, 3, "a");
    say(play, 3, "b");
    say(play, 1, "c");
    assert_string_equal(play->heard, "3:a 3:b 1:c");
    assert_int_equal(last(play, EVENT_TALK)->talk->time, 1000);
    assert_int_equal(nth(play, EVENT_TALK, 1)->talk->turn, 1);
    assert_int_equal(nth(play, EVENT_TALK, 2)->talk->turn, 0);
    assert_int_equal(nth(play, EVENT_TALK, 2)->talk->idx, 2);
    tick(play, 599999);
    assert_int_not_equal(asked(play, ASK_TALK), 0);
    tick(play, 600000);
    assert_int_equal(asked(play, ASK_TALK), 0);
    assert_int_equal(events(play, EVENT_PHASE_END), 1);
}

static void time_never_goes_back(void **state)
{
    Play *play = anytime(state);

    tick(play, 5000);
    tick(play, 1000);
    say(play, 1, "a");
    assert_int_equal(last(play, EVENT_TALK)->time, 5000);
}

static void each_has_its_quota_and_over_is_accepted_beyond_it(void **state)
{
    Play *play = anytime(state);

    for (int i = 0; i < 4; i++)
        say(play, 1, "a");
    assert_int_equal(view_of(play, 1)->talk_left[1], 0);
    assert_int_equal(try_say(play, ASK_TALK, 1, "b"), ERR_LIMIT);
    assert_int_equal(try_say(play, ASK_TALK, 1, "Skip"), ERR_LIMIT);
    assert_int_equal(try_say(play, ASK_TALK, 1, "Over"), 0);
    assert_string_equal(play->heard, "1:a 1:a 1:a 1:a 1:Over");
}

static void over_is_final_at_any_time_and_skip_is_over(void **state)
{
    Play *play = anytime(state);

    say(play, 1, "Over");
    assert_seats(asked(play, ASK_TALK), "2345");
    assert_int_equal(try_say(play, ASK_TALK, 1, "a"), ERR_RULE);
    say(play, 2, "Skip");
    say(play, 3, "ForceSkip");
    assert_seats(asked(play, ASK_TALK), "45");
    assert_string_equal(play->heard, "1:Over 2:Over 3:Over");
}

static void over_that_is_not_final_is_bounded(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-anytime")->talk.over_is_final = false;
    seats(play, "VVVSW");
    int said = 0;
    while (try_say(play, ASK_TALK, 1, "Over") == 0)
        said++;
    assert_int_equal(said, 25);
    assert_int_equal(try_say(play, ASK_TALK, 1, "Over"), ERR_LIMIT);
}

static void blank_messages_are_ignored_and_blanks_at_both_ends_removed(void **state)
{
    Play *play = anytime(state);

    say(play, 1, "");
    say(play, 1, " \n\t ");
    say(play, 1, "\xE3\x80\x80"); /* an ideographic space */
    lapse(play, ASK_TALK, 1);
    assert_int_equal(view_of(play, 1)->talk_left[1], 4);
    say(play, 1, " \xE3\x80\x80 a b \xE3\x80\x80\n");
    say(play, 2, " Over ");
    assert_string_equal(play->heard, "1:a b 2:Over");
}

static void the_session_ends_when_all_are_finished(void **state)
{
    Play *play = anytime(state);

    for (SeatNo seat = 1; seat <= 3; seat++)
        say(play, seat, "Over");
    for (int i = 0; i < 4; i++)
        say(play, 4, "a");
    for (int i = 0; i < 3; i++)
        say(play, 5, "b");
    assert_int_not_equal(asked(play, ASK_TALK), 0);
    say(play, 5, "b");
    assert_int_equal(asked(play, ASK_TALK), 0);
    assert_int_equal(events(play, EVENT_PHASE_END), 1);
}

static void the_session_ends_when_the_last_unfinished_leaves(void **state)
{
    Play *play = anytime(state);

    for (SeatNo seat = 1; seat <= 4; seat++)
        say(play, seat, "Over");
    away(play, 5);
    assert_int_equal(asked(play, ASK_TALK), 0);
    play = anytime(state);
    for (SeatNo seat = 2; seat <= 5; seat++)
        say(play, seat, "Over");
    leave(play, 1);
    assert_int_equal(asked(play, ASK_TALK), 0);
}

static void one_that_comes_back_goes_on_with_what_it_has_left(void **state)
{
    Play *play = anytime(state);

    say(play, 1, "a");
    say(play, 2, "Over");
    away(play, 1);
    away(play, 2);
    assert_seats(asked(play, ASK_TALK), "345");
    back(play, 1);
    back(play, 2); /* its Over was final */
    assert_seats(asked(play, ASK_TALK), "1345");
    assert_int_equal(view_of(play, 1)->talk_left[1], 3);
}

static void a_long_silence_can_end_a_session(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-anytime")->talk.silence_ms = 5000;
    seats(play, "VVVSW");
    assert_int_equal(game_deadline(play->game), 5000);
    tick(play, 3000);
    say(play, 1, "a");
    assert_int_equal(game_deadline(play->game), 8000);
    tick(play, 7999);
    assert_int_not_equal(asked(play, ASK_TALK), 0);
    tick(play, 8000);
    assert_int_equal(asked(play, ASK_TALK), 0);
}

static void without_a_silence_limit_the_whole_time_is_waited_for(void **state)
{
    Play *play = anytime(state);

    say(play, 1, "a");
    tick(play, 599999);
    assert_seats(asked(play, ASK_TALK), "12345");
}

static void whispers_stay_in_turns_while_talk_is_at_any_time(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-anytime");
    seats(play, "VVVSWWVVV");
    assert_seats(asked(play, ASK_WHISPER), "5");
}

static void fewer_than_two_who_are_there_do_not_open_a_session(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-anytime");
    seats(play, "VVVSW");
    tick(play, 600000);
    static const SeatNo leaving[] = {5, 3, 2, 4}; /* the seer last: it is asked */
    for (int i = 0; i < 4; i++)
        away(play, leaving[i]);
    assert_seats(asked(play, ASK_VOTE), "1");
    assert_int_equal(last(play, EVENT_PHASE)->action, ACTION_EXECUTION);
    assert_int_equal(events(play, EVENT_PHASE_END), 1); /* that of day 0 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        play_test(everybody_may_speak_at_any_time_until_time_is_up),
        play_test(time_never_goes_back),
        play_test(each_has_its_quota_and_over_is_accepted_beyond_it),
        play_test(over_is_final_at_any_time_and_skip_is_over),
        play_test(over_that_is_not_final_is_bounded),
        play_test(blank_messages_are_ignored_and_blanks_at_both_ends_removed),
        play_test(the_session_ends_when_all_are_finished),
        play_test(the_session_ends_when_the_last_unfinished_leaves),
        play_test(one_that_comes_back_goes_on_with_what_it_has_left),
        play_test(a_long_silence_can_end_a_session),
        play_test(without_a_silence_limit_the_whole_time_is_waited_for),
        play_test(whispers_stay_in_turns_while_talk_is_at_any_time),
        play_test(fewer_than_two_who_are_there_do_not_open_a_session),
    };

    return cmocka_run_group_tests_name("rules of talk at any time", tests, NULL, NULL);
}
