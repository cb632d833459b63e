/* Tests of the rules by which the contest servers of 2016 and 2017 differ: each with it and
 * without it. Their logs (tests/record) are replayed by these rules line by line. */
#include "game/play.h"

/* ---- vote.effect ---- */

static void the_executed_are_dead_at_once_or_in_the_morning(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021");
    seats(play, "SVWVVWV");
    until(play, ASK_VOTE);
    votes(play, "3133333");
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 3);
    assert_false(is_alive(play, 3));
    until(play, ASK_ATTACK);
    assert_seats(asked(play, ASK_ATTACK), "6");

    rules_of(play, "aiwolf-2021")->vote.effect = EFFECT_MORNING;
    seats(play, "SVWVVWV");
    until(play, ASK_VOTE);
    votes(play, "3133333");
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 3);
    assert_true(is_alive(play, 3));
    until(play, ASK_ATTACK);
    assert_seats(asked(play, ASK_ATTACK), "36"); /* it still names one, ... */
    attacks(play, "..2..4.");
    assert_int_equal(last(play, EVENT_ATTACK)->target, 4); /* ... which does not count */
    until_day(play, 2);
    assert_false(is_alive(play, 3));
}

static void who_is_executed_in_the_morning_can_still_divine_but_not_guard(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->vote.effect = EFFECT_MORNING;
    seats(play, "SBWVVV");
    until(play, ASK_VOTE);
    votes(play, "211111");
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 1);
    until(play, ASK_DIVINE);
    assert_seats(asked(play, ASK_DIVINE), "1");

    seats(play, "SBWVVV");
    until(play, ASK_VOTE);
    votes(play, "212222");
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 2);
    until(play, ASK_ATTACK);
    assert_int_equal(events(play, EVENT_GUARD), 0);
    assert_seats(asked(play, ASK_GUARD), "");
}

static void the_execution_can_wait_for_the_attack_votes(void **state)
{
    Play *play = *state;
    Ruleset *rules = rules_of(play, "aiwolf-2021");

    rules->vote.effect = EFFECT_ATTACK;
    rules->attack.rounds = 1;
    seats(play, "SVWVVWV");
    until(play, ASK_VOTE);
    votes(play, "2122222");
    assert_int_equal(events(play, EVENT_EXECUTE), 0);
    until(play, ASK_ATTACK);
    assert_int_equal(events(play, EVENT_EXECUTE), 0);
    attacks(play, "..2..2.");
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 2);
    assert_int_equal(last(play, EVENT_ATTACK)->target, SEAT_NONE); /* it met the executed */
    assert_true(find_event(play, EVENT_EXECUTE, 0) < find_event(play, EVENT_ATTACK, 0));
}

static void the_late_execution_needs_a_single_attack_ballot(void **state)
{
    Play *play = *state;
    Ruleset *rules = rules_of(play, "aiwolf-2021");
    Err err = {0};

    rules->vote.effect = EFFECT_ATTACK;
    assert_int_equal(ruleset_check(rules, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "attack.rounds: 1"));
}

/* ---- talk ---- */

static void over_by_all_can_end_a_session_in_mid_turn(void **state)
{
    Play *play = *state;

    for (int at_once = 0; at_once < 2; at_once++) {
        rules_of(play, "aiwolf-2021")->talk.over_at_once = at_once == 1;
        seats(play, "SVWVV");
        until(play, ASK_TALK);
        say(play, 1, "Over");
        say(play, 2, "VOTE Agent[01]");
        say(play, 3, "Over");
        say(play, 4, "Over");
        say(play, 5, "Over");
        say(play, 1, "Over"); /* the second turn: only seat 2 has spoken since it said Over */
        assert_seats(asked(play, ASK_TALK), "2");
        say(play, 2, "Over"); /* now all have said Over since the last other word */
        if (at_once)
            assert_seats(asked(play, ASK_VOTE), "12345");
        else
            assert_seats(asked(play, ASK_TALK), "3");
    }
}

/* All have said Over once, but not all since somebody said something else. */
static void another_word_takes_back_the_overs_before_it(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->talk.over_at_once = true;
    seats(play, "SVWVV");
    until(play, ASK_TALK);
    for (SeatNo seat = 1; seat <= 4; seat++)
        say(play, seat, "Over");
    say(play, 5, "VOTE Agent[01]");
    for (SeatNo seat = 1; seat <= 4; seat++) {
        assert_true(seat_in(asked(play, ASK_TALK), seat));
        say(play, seat, "Over");
    }
    assert_seats(asked(play, ASK_TALK), "5"); /* the four are behind the word, it is before them */
    say(play, 5, "VOTE Agent[02]");
    say(play, 1, "VOTE Agent[02]");
    for (SeatNo seat = 2; seat <= 5; seat++)
        say(play, seat, "Over");
    assert_seats(asked(play, ASK_TALK), "1"); /* its Overs were before its word */
    say(play, 1, "Over");
    assert_seats(asked(play, ASK_VOTE), "12345");
    /* Each day has Overs of its own. */
    votes(play, "22222");
    until_day(play, 2);
    until(play, ASK_TALK);
    SeatNo first = seat_first(asked(play, ASK_TALK));
    say(play, first, "Over");
    assert_int_equal(asked(play, ASK_VOTE), 0);
}

static void wolves_can_whisper_after_every_talk_turn(void **state)
{
    Play *play = *state;

    for (int after_turn = 0; after_turn < 2; after_turn++) {
        rules_of(play, "aiwolf-2021")->talk.whisper_after_turn = after_turn == 1;
        seats(play, "SVWVVWV");
        until_day(play, 1);
        until(play, ASK_TALK);
        for (SeatNo seat = 1; seat <= 7; seat++)
            say(play, seat, "Skip");
        if (after_turn)
            assert_int_equal(seat_count_of(asked(play, ASK_WHISPER)), 1);
        else
            assert_int_equal(seat_count_of(asked(play, ASK_TALK)), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        play_test(the_executed_are_dead_at_once_or_in_the_morning),
        play_test(who_is_executed_in_the_morning_can_still_divine_but_not_guard),
        play_test(the_execution_can_wait_for_the_attack_votes),
        play_test(the_late_execution_needs_a_single_attack_ballot),
        play_test(over_by_all_can_end_a_session_in_mid_turn),
        play_test(another_word_takes_back_the_overs_before_it),
        play_test(wolves_can_whisper_after_every_talk_turn),
    };

    return cmocka_run_group_tests_name("rules of old servers", tests, NULL, NULL);
}
