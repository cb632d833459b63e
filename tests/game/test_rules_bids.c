/* test_rules_bids.c - talk.order: bids: who wants it most speaks, and nobody hears of bids.
 *
 * Source: docs/spec/models.md 1.8.
 */
#include "play.h"

#include "game/bid.h"

static void by_bids(TalkRules *talk)
{
    talk->order = ORDER_BIDS;
    talk->max_turns = 6;
}

/* Stands at the first bids of day 1. */
static Play *bidding(void **state, const char *letters)
{
    Play *play = *state;

    by_bids(&rules_of(play, "aiwolf-2021")->talk);
    seats(play, letters);
    until(play, ASK_BID);
    forget(play);
    return play;
}

/* One digit a seat, in seat order; '-': a lapse; ' ': it is not asked. */
static void bids(Play *play, const char *text)
{
    for (SeatNo seat = 1; text[seat - 1]; seat++) {
        char c = text[seat - 1];
        if (c == ' ')
            continue;
        Answer answer = {
            .kind = ASK_BID, .lapse = c == '-', .bid = (uint8_t)(c == '-' ? 0 : c - '0')};
        assert_int_equal(try_answer(play, seat, answer), 0);
    }
}

static void who_wants_it_most_speaks(void **state)
{
    Play *play = bidding(state, "VVSWP");

    assert_seats(asked(play, ASK_BID), "12345");
    assert_seats(asked(play, ASK_TALK), "");
    bids(play, "01310");
    assert_seats(asked(play, ASK_TALK), "3");
    assert_seats(asked(play, ASK_BID), "");
    say(play, 3, "hello");
    assert_seats(asked(play, ASK_BID), "12345");
    bids(play, "01304");
    assert_seats(asked(play, ASK_TALK), "5");
    say(play, 5, "me");
    assert_string_equal(play->heard, "3:hello 5:me");
}

static void of_equals_who_spoke_least_speaks_and_then_chance_decides(void **state)
{
    Play *play = bidding(state, "VVSWP");

    play->pick[CHANCE_TALK_NEXT] = 4;
    bids(play, "33300");
    assert_seats(play->among[CHANCE_TALK_NEXT], "123");
    say(play, 1, "a");
    bids(play, "33300");
    assert_seats(play->among[CHANCE_TALK_NEXT], "23");
    say(play, 2, "b");
    bids(play, "33300");
    assert_seats(play->among[CHANCE_TALK_NEXT], "3");
    say(play, 3, "c");
    bids(play, "34300");
    say(play, 2, "more is more, however often it spoke");
    assert_int_equal(view_of(play, 1)->talk->count, 4);
}

static void a_lapse_counts_as_two_and_more_than_four_as_four(void **state)
{
    Play *play = bidding(state, "VVSWP");

    bids(play, "1-110");
    say(play, 2, "a");
    bids(play, "9--41");
    assert_seats(play->among[CHANCE_TALK_NEXT], "14");
    say(play, 1, "b");
}

static void when_nobody_wants_to_the_session_is_over(void **state)
{
    Play *play = bidding(state, "VVSWP");

    bids(play, "10000");
    say(play, 1, "a");
    bids(play, "00000");
    assert_seats(asked(play, ASK_BID), "");
    assert_seats(asked(play, ASK_TALK), "");
    assert_seats(asked(play, ASK_VOTE), "12345");
}

static void a_turn_is_one_utterance(void **state)
{
    Play *play = bidding(state, "VVSWP");

    for (int i = 0; i < 6; i++) {
        assert_seats(asked(play, ASK_VOTE), "");
        bids(play, "40000");
        say(play, 1, "again");
    }
    assert_seats(asked(play, ASK_VOTE), "12345");
}

static void who_has_nothing_left_is_not_asked(void **state)
{
    Play *play = *state;
    TalkRules *talk = &rules_of(play, "aiwolf-2021")->talk;

    by_bids(talk);
    talk->max_per_agent = 1;
    seats(play, "VVSWP");
    until(play, ASK_BID);
    bids(play, "40000");
    say(play, 1, "a");
    assert_seats(asked(play, ASK_BID), "2345");
}

static void an_over_of_all_since_the_last_word_ends_it(void **state)
{
    Play *play = bidding(state, "VVWS");

    bids(play, "4000");
    say(play, 1, "Over");
    bids(play, "0400");
    say(play, 2, "Over");
    bids(play, "0040");
    say(play, 3, "Over");
    assert_seats(asked(play, ASK_VOTE), "");
    bids(play, "0004");
    say(play, 4, "Over");
    assert_seats(asked(play, ASK_VOTE), "1234");
}

static void who_is_away_neither_bids_nor_speaks(void **state)
{
    Play *play = bidding(state, "VVSWP");

    bids(play, "42");
    away(play, 3);
    away(play, 1);
    assert_seats(asked(play, ASK_BID), "45");
    bids(play, "   11");
    assert_seats(asked(play, ASK_TALK), "2");
    away(play, 2);
    assert_seats(asked(play, ASK_BID), "45");
}

static void no_seat_ever_hears_of_a_bid(void **state)
{
    Play *play = bidding(state, "VVSWP");

    bids(play, "01310");
    say(play, 3, "hello");
    unsigned told = 0;
    for (size_t i = 0; i < play->count; i++) {
        if (play->events[i].kind != EVENT_BID)
            continue;
        told++;
        assert_int_equal(play->events[i].known_to, 0);
    }
    assert_int_equal(told, 5);
}

static void bids_are_for_talk_one_after_the_other(void **state)
{
    Play *play = *state;
    Ruleset *rules = rules_of(play, "aiwolf-2019");
    Err err = {0};

    rules->talk.order = ORDER_BIDS; /* 2019: a turn revealed together */
    assert_int_equal(ruleset_check(rules, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "talk.order: bids"));
    rules = rules_of(play, "aiwolf-2021");
    rules->whisper.order = ORDER_BIDS;
    assert_int_equal(ruleset_check(rules, &err), ERR_RULE);
    rules = rules_of(play, "aiwolf-2021");
    rules->talk.order = ORDER_BIDS;
    assert_int_equal(ruleset_check(rules, &err), 0);
    rules->talk.whisper_after_turn = true;
    assert_int_equal(ruleset_check(rules, &err), ERR_RULE);
}

static void a_bid_is_a_digit_and_a_reason_behind_it_is_nobodys(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int bid; /* -1: a lapse */
    } rows[] = {{"3", 3},
                {" 0 nothing to say", 0},
                {"4: I was named", 4},
                {"7", 4},
                {"10", 4},
                {"", -1},
                {"much", -1},
                {"-1", -1},
                {"\n", -1}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Answer answer;
        assert_int_equal(bid_read(str_of(rows[i].text), &answer), rows[i].bid >= 0);
        assert_int_equal(answer.lapse, rows[i].bid < 0);
        assert_int_equal(bid_of(&answer), rows[i].bid < 0 ? BID_UNSAID : rows[i].bid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        play_test(who_wants_it_most_speaks),
        play_test(of_equals_who_spoke_least_speaks_and_then_chance_decides),
        play_test(a_lapse_counts_as_two_and_more_than_four_as_four),
        play_test(when_nobody_wants_to_the_session_is_over),
        play_test(a_turn_is_one_utterance),
        play_test(who_has_nothing_left_is_not_asked),
        play_test(an_over_of_all_since_the_last_word_ends_it),
        play_test(who_is_away_neither_bids_nor_speaks),
        play_test(no_seat_ever_hears_of_a_bid),
        play_test(bids_are_for_talk_one_after_the_other),
        cmocka_unit_test(a_bid_is_a_digit_and_a_reason_behind_it_is_nobodys),
    };

    return cmocka_run_group_tests_name("rules of bids", tests, NULL, NULL);
}
