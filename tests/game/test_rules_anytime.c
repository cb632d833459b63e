/* test_rules_anytime.c - talk at any time until the clock says so.
 *
 * Source: docs/spec/nlp-division.md 10. */
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
    assert_int_equal(view_of(play, 2)->talk_left[2] + view_of(play, 3)->talk_left[3], 0);
    assert_seats(asked(play, ASK_TALK), "2345"); /* their own Over would still be taken */
    assert_string_equal(play->heard, "1:Over 2:Over 3:Over");
}

static void the_last_text_is_taken_when_all_others_have_said_theirs_and_over(void **state)
{
    Play *play = anytime(state);

    for (SeatNo seat = 1; seat <= 4; seat++) {
        for (int i = 0; i < 4; i++)
            say(play, seat, "a");
        say(play, seat, "Over");
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(try_say(play, ASK_TALK, 5, "a"), 0);
    assert_int_equal(asked(play, ASK_TALK), 0);
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

/* docs/spec/nlp-division.md 5.5: 0 for each agent. */
static void a_session_in_which_nobody_may_speak_is_left_out(void **state)
{
    Play *play = *state;

    Ruleset *rules = rules_of(play, "nlp-anytime");
    rules->talk.max_per_agent = 0;
    seats(play, "VVVSW");
    assert_int_equal(asked(play, ASK_TALK), 0);
    assert_int_equal(events(play, EVENT_TALK), 0);
    assert_seats(asked(play, ASK_DIVINE), "4");
}

/* docs/spec/nlp-division.md 10.2, 10.3: Over is always accepted, once. */
static void an_own_over_is_taken_behind_one_that_the_rules_made(void **state)
{
    Play *play = anytime(state);

    say(play, 1, "Skip"); /* max_skip 0 */
    assert_int_equal(view_of(play, 1)->talk_left[1], 0);
    assert_seats(asked(play, ASK_TALK), "12345");
    assert_int_equal(try_say(play, ASK_TALK, 1, "a"), ERR_LIMIT);
    assert_int_equal(try_say(play, ASK_TALK, 1, "Skip"), ERR_LIMIT);
    say(play, 1, "Over");
    assert_seats(asked(play, ASK_TALK), "2345");
    assert_int_equal(try_say(play, ASK_TALK, 1, "Over"), ERR_RULE);
    assert_string_equal(play->heard, "1:Over 1:Over");
}

static void who_has_an_over_of_the_rules_only_keeps_nobody_waiting(void **state)
{
    Play *play = anytime(state);

    for (SeatNo seat = 1; seat <= 5; seat++)
        say(play, seat, "Skip");
    assert_int_equal(asked(play, ASK_TALK), 0);
    assert_int_equal(events(play, EVENT_PHASE_END), 1);
}

/* Published logs: a text of which the limits leave nothing is Over, too. */
static void a_text_cut_to_nothing_is_an_over_of_the_rules(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-anytime")->talk.length.base_length = 0;
    seats(play, "VVVSW");
    forget(play);
    say(play, 1, "hello");
    assert_string_equal(play->heard, "1:Over");
    assert_seats(asked(play, ASK_TALK), "12345");
    assert_int_equal(view_of(play, 1)->talk_left[1], 0);
    play->rules.talk.empty_is_final = false; /* the later server: it costs one */
    seats(play, "VVVSW");
    forget(play);
    say(play, 1, "hello");
    say(play, 1, "hello");
    assert_int_equal(view_of(play, 1)->talk_left[1], 2);
    assert_string_equal(play->heard, "1:Over 1:Over");
    assert_int_equal(try_say(play, ASK_TALK, 1, "Over"), 0);
    assert_seats(asked(play, ASK_TALK), "2345");
}

/* 10.3: the reference records a client's ForceSkip as a Skip that costs no Skip. */
static void force_skip_can_be_free_at_any_time(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-anytime")->talk.force_skip_is_free = true;
    seats(play, "VVVSW");
    forget(play);
    say(play, 1, "ForceSkip");
    say(play, 1, "ForceSkip");
    assert_int_equal(view_of(play, 1)->talk_left[1], 2);
    say(play, 1, "Skip");
    assert_string_equal(play->heard, "1:Skip 1:Skip 1:Over");
    assert_true(nth(play, EVENT_TALK, 0)->talk->skip);
}

/* 10.2, steps 4b and 5: length silences, but only a count of 0 finishes. */
static void who_has_used_up_its_length_only_is_still_waited_for(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-anytime")->talk.length = (LengthRules){
        .per_talk = LIMIT_NONE, .per_agent = 4, .base_length = 0, .mention_length = 0};
    seats(play, "VVVSW");
    forget(play);
    for (SeatNo seat = 2; seat <= 5; seat++)
        say(play, seat, "Over");
    say(play, 1, "abcdef");
    assert_string_equal(play->heard, "2:Over 3:Over 4:Over 5:Over 1:abcd");
    assert_seats(asked(play, ASK_TALK), "1");
    assert_int_equal(view_of(play, 1)->talk_left[1], 3);
    assert_int_equal(try_say(play, ASK_TALK, 1, "x"), ERR_LIMIT);
    assert_int_equal(events(play, EVENT_PHASE_END), 0);
    say(play, 1, "Over");
    assert_int_equal(events(play, EVENT_PHASE_END), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        play_test(everybody_may_speak_at_any_time_until_time_is_up),
        play_test(time_never_goes_back),
        play_test(a_session_in_which_nobody_may_speak_is_left_out),
        play_test(each_has_its_quota_and_over_is_accepted_beyond_it),
        play_test(over_is_final_at_any_time_and_skip_is_over),
        play_test(the_last_text_is_taken_when_all_others_have_said_theirs_and_over),
        play_test(over_that_is_not_final_is_bounded),
        play_test(blank_messages_are_ignored_and_blanks_at_both_ends_removed),
        play_test(the_session_ends_when_all_are_finished),
        play_test(the_session_ends_when_the_last_unfinished_leaves),
        play_test(one_that_comes_back_goes_on_with_what_it_has_left),
        play_test(a_long_silence_can_end_a_session),
        play_test(without_a_silence_limit_the_whole_time_is_waited_for),
        play_test(whispers_stay_in_turns_while_talk_is_at_any_time),
        play_test(fewer_than_two_who_are_there_do_not_open_a_session),
        play_test(an_own_over_is_taken_behind_one_that_the_rules_made),
        play_test(who_has_an_over_of_the_rules_only_keeps_nobody_waiting),
        play_test(a_text_cut_to_nothing_is_an_over_of_the_rules),
        play_test(force_skip_can_be_free_at_any_time),
        play_test(who_has_used_up_its_length_only_is_still_waited_for),
    };

    return cmocka_run_group_tests_name("rules of talk at any time", tests, NULL, NULL);
}
