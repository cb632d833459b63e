/* test_rules_vote.c - the execution vote: each rule both ways.
 *
 * Source: docs/spec/protocol-division.md 3.5 and 4 (rows 10, 11); docs/spec/nlp-division.md 4.3,
 *         4.5. */
#include "play.h"

/* A table at the first execution vote. */
static Play *voting(Play *play, const char *letters)
{
    seats(play, letters);
    until(play, ASK_VOTE);
    forget(play);
    return play;
}

static Play *voting_by(void **state, const char *preset, const char *letters)
{
    Play *play = *state;

    rules_of(play, preset);
    return voting(play, letters);
}

static SeatNo executed(const Play *play)
{
    return last(play, EVENT_EXECUTE)->seat;
}

/* ---- rounds ---- */

static void there_is_no_vote_on_day_0(void **state)
{
    Play *play = voting_by(state, "aiwolf-2021", "VVVSW");

    assert_int_equal(game_day(play->game), 1);
    play = voting_by(state, "nlp-turn", "VVVSW");
    assert_int_equal(game_day(play->game), 1);
}

static void who_has_most_votes_is_executed_without_another_ballot(void **state)
{
    Play *play = voting_by(state, "aiwolf-2021", "VVVSW");

    assert_seats(asked(play, ASK_VOTE), "12345");
    votes(play, "23222");
    assert_int_equal(executed(play), 2);
    assert_false(is_alive(play, 2));
    assert_string_equal(ballot(play, EVENT_VOTE, 0), "1>2 2>3 3>2 4>2 5>2");
    assert_int_equal(play->drawn[CHANCE_EXECUTE], 0);
}

static void votes_are_told_together_after_the_last_one_in_seat_order(void **state)
{
    Play *play = voting_by(state, "aiwolf-2021", "VVVSW");
    static const SeatNo arrival[] = {5, 3, 1, 2};

    for (int i = 0; i < 4; i++) {
        vote(play, arrival[i], 4);
        assert_int_equal(play->count, 0);
        assert_int_equal(view_of(play, 1)->latest_votes->count, 0);
    }
    vote(play, 4, 1);
    assert_string_equal(ballot(play, EVENT_VOTE, 0), "1>4 2>4 3>4 4>1 5>4");
}

static void a_tie_gives_one_revote_in_which_everybody_may_vote_for_anybody(void **state)
{
    Play *play = voting_by(state, "aiwolf-2021", "VVVSW");
    Ask ask;

    assert_true(game_first_ask(play->game, &ask));
    assert_false(ask.revote);
    uint32_t number = ask.number;
    votes(play, "21213");
    assert_seats(asked(play, ASK_VOTE), "12345");
    assert_true(game_first_ask(play->game, &ask));
    assert_true(ask.revote);
    assert_true(ask.number > number);
    assert_int_equal(view_of(play, 1)->latest_votes->count, 5);
    votes(play, "55551");
    assert_int_equal(executed(play), 5);
    assert_string_equal(ballot(play, EVENT_VOTE, 1), "1>5 2>5 3>5 4>5 5>1");
}

static void a_tie_in_the_last_ballot_is_decided_by_chance_among_its_top(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021");
    play->pick[CHANCE_EXECUTE] = 5;
    voting(play, "VVVSW");
    votes(play, "21213");
    votes(play, "54514");
    assert_seats(play->among[CHANCE_EXECUTE], "45");
    assert_int_equal(executed(play), 5);
}

static void a_tie_in_the_last_ballot_can_spare_everybody(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->vote.tie = TIE_NOBODY;
    voting(play, "VVVSW");
    votes(play, "21213");
    votes(play, "54514");
    assert_int_equal(executed(play), SEAT_NONE);
    assert_int_equal(play->drawn[CHANCE_EXECUTE], 0);
    assert_seats(game_alive(play->game), "12345");
}

static void the_number_of_ballots_is_a_rule(void **state)
{
    Play *play = *state;

    for (int rounds = 1; rounds <= 4; rounds++) {
        rules_of(play, "aiwolf-2021")->vote.rounds = rounds;
        voting(play, "VVVSW");
        for (int i = 0; i < rounds; i++) {
            assert_seats(asked(play, ASK_VOTE), "12345");
            votes(play, "21213");
        }
        assert_int_equal(asked(play, ASK_VOTE), 0);
        assert_int_equal(events(play, EVENT_VOTE), 5 * rounds);
    }
}

static void without_ballots_nobody_is_asked_or_executed(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn")->vote.rounds = 0;
    play->rules.end.max_day = 3;
    voting(play, "VVVSW");
    assert_int_equal(events(play, EVENT_EXECUTE), 0);
    assert_int_equal(events(play, EVENT_VOTE), 0);
}

static void natural_language_has_one_ballot_by_default(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "VVVSW");

    votes(play, "21213");
    assert_int_equal(asked(play, ASK_VOTE), 0);
    assert_int_equal(play->drawn[CHANCE_EXECUTE], 1);
}

/* ---- invalid votes ---- */

static void an_invalid_vote_becomes_a_random_one_for_another_living_agent(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021");
    play->order[CHANCE_VOTE] = 1;
    voting(play, "VVVSW");
    votes(play, "19-00"); /* itself, unknown, missing, nobody, nobody */
    assert_int_equal(play->drawn[CHANCE_VOTE], 5);
    assert_seats(play->among[CHANCE_VOTE], "1234"); /* for seat 5 */
    assert_string_equal(ballot(play, EVENT_VOTE, 0), "1>5 2>5 3>5 4>5 5>4");
}

static void a_vote_for_the_dead_is_invalid(void **state)
{
    Play *play = voting_by(state, "aiwolf-2021", "VVVVSWP");

    votes(play, "2122222");
    until(play, ASK_ATTACK);
    attack(play, 6, 1);
    until(play, ASK_VOTE);
    forget(play);
    assert_seats(asked(play, ASK_VOTE), "34567");
    votes(play, "..12333");
    assert_seats(play->among[CHANCE_VOTE], "3567"); /* for seat 4 */
    assert_string_equal(ballot(play, EVENT_VOTE, 0), "3>4 4>3 5>3 6>3 7>3");
}

static void invalid_votes_can_be_dropped(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "VVVSW");

    votes(play, "29-01");
    assert_int_equal(play->drawn[CHANCE_VOTE], 0);
    assert_string_equal(ballot(play, EVENT_VOTE, 0), "1>2 5>1");
}

static void without_a_valid_vote_nobody_is_executed(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "VVVSW");

    votes(play, "9-900");
    assert_int_equal(executed(play), SEAT_NONE);
    assert_seats(game_alive(play->game), "12345");
}

static void voting_for_oneself_counts_where_it_is_allowed(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "VVVSW");

    votes(play, "11---");
    assert_int_equal(executed(play), 1);
    assert_string_equal(ballot(play, EVENT_VOTE, 0), "1>1 2>1");
    rules_of(play, "nlp-turn")->vote.self_vote = false;
    voting(play, "VVVSW");
    votes(play, "12---");
    assert_string_equal(ballot(play, EVENT_VOTE, 0), "");
    assert_int_equal(executed(play), SEAT_NONE);
}

static void too_few_votes_for_the_first_execute_nobody(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn")->vote.min_votes = 3;
    voting(play, "VVVSW");
    votes(play, "22---");
    assert_int_equal(executed(play), SEAT_NONE);
    voting(play, "VVVSW");
    votes(play, "2222-");
    assert_int_equal(executed(play), 2);
}

static void just_as_many_votes_as_are_needed_execute(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn")->vote.min_votes = 3;
    voting(play, "VVVSW");
    votes(play, "2-22-");
    assert_int_equal(executed(play), 2);
}

/* ---- who sees what ---- */

static void votes_are_shown_to_all_until_the_next_day_is_over(void **state)
{
    Play *play = voting_by(state, "aiwolf-2021", "VVVVSWP");

    votes(play, "2122222");
    assert_seats(last(play, EVENT_VOTE)->known_to, "1234567");
    assert_int_equal(view_of(play, 1)->latest_votes->count, 7);
    assert_int_equal(view_of(play, 1)->votes->count, 0);
    until_day(play, 2);
    assert_int_equal(view_of(play, 1)->latest_votes->count, 0);
    assert_int_equal(view_of(play, 1)->votes->count, 7);
    assert_int_equal(view_of(play, 1)->votes->day, 1);
    assert_int_equal(view_of(play, 1)->votes->items[1].voter, 2);
    assert_int_equal(view_of(play, 1)->votes->items[1].target, 1);
}

static void votes_can_be_hidden(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->vote.visible = false;
    voting(play, "VVVVSWP");
    votes(play, "2122222");
    assert_int_equal(last(play, EVENT_VOTE)->known_to, 0);
    assert_int_equal(view_of(play, 6)->latest_votes->count, 0);
    until_day(play, 2);
    assert_int_equal(view_of(play, 6)->votes->count, 0);
}

static void seer_bodyguard_and_wolves_learn_of_the_execution_at_once(void **state)
{
    Play *play = voting_by(state, "aiwolf-2021", "VMBSWWPV");

    votes(play, "21111111");
    assert_seats(last(play, EVENT_EXECUTE)->known_to, "3456");
    for (SeatNo seat = 1; seat <= 8; seat++) {
        bool told = seat_in(set("3456"), seat);
        assert_int_equal(view_of(play, seat)->executed_today, told ? 1 : SEAT_NONE);
        assert_int_equal(seat_in(view_of(play, seat)->alive, 1), !told);
    }
    until_day(play, 2);
    for (SeatNo seat = 1; seat <= 8; seat++) {
        assert_int_equal(view_of(play, seat)->executed, 1);
        assert_int_equal(view_of(play, seat)->executed_today, SEAT_NONE);
        assert_false(seat_in(view_of(play, seat)->alive, 1));
    }
}

static void an_execution_can_be_told_to_everybody_at_once(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "VMBSWWPVV");

    votes(play, "211111111");
    assert_seats(last(play, EVENT_EXECUTE)->known_to, "123456789");
    for (SeatNo seat = 1; seat <= 9; seat++)
        assert_int_equal(view_of(play, seat)->executed_today, 1);
}

static void nobody_executed_is_told_too(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->vote.tie = TIE_NOBODY;
    voting(play, "VVVSW");
    votes(play, "21213");
    votes(play, "21213");
    until_day(play, 2);
    assert_int_equal(view_of(play, 1)->executed, SEAT_NONE);
}

/* ---- seats that are away ---- */

static void an_away_seat_is_not_asked_but_can_be_voted_for(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn");
    seats(play, "VVVSW");
    away(play, 2);
    until(play, ASK_VOTE);
    assert_seats(asked(play, ASK_VOTE), "1345");
    assert_true(is_alive(play, 2));
    votes(play, "2.222");
    assert_int_equal(executed(play), 2);
}

static void a_vote_given_before_going_away_counts(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "VVVSW");

    vote(play, 1, 3);
    away(play, 1);
    votes(play, ".----");
    assert_string_equal(ballot(play, EVENT_VOTE, 0), "1>3");
    assert_int_equal(executed(play), 3);
}

static void the_vote_of_one_who_leaves_is_lost_and_votes_for_it_are_invalid(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "VVVVVSW");

    vote(play, 1, 3);
    vote(play, 2, 1);
    leave(play, 1);
    assert_int_equal(last(play, EVENT_DEATH)->seat, 1);
    assert_seats(last(play, EVENT_DEATH)->known_to, "1234567");
    votes(play, "..-----");
    assert_string_equal(ballot(play, EVENT_VOTE, 0), "");
}

static void nobody_waits_for_a_seat_that_goes_away(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "VVVSW");

    votes(play, "3.443");
    assert_int_equal(play->count, 0);
    away(play, 2);
    assert_string_equal(ballot(play, EVENT_VOTE, 0), "1>3 3>4 4>4 5>3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        play_test(there_is_no_vote_on_day_0),
        play_test(who_has_most_votes_is_executed_without_another_ballot),
        play_test(votes_are_told_together_after_the_last_one_in_seat_order),
        play_test(a_tie_gives_one_revote_in_which_everybody_may_vote_for_anybody),
        play_test(a_tie_in_the_last_ballot_is_decided_by_chance_among_its_top),
        play_test(a_tie_in_the_last_ballot_can_spare_everybody),
        play_test(the_number_of_ballots_is_a_rule),
        play_test(without_ballots_nobody_is_asked_or_executed),
        play_test(natural_language_has_one_ballot_by_default),
        play_test(an_invalid_vote_becomes_a_random_one_for_another_living_agent),
        play_test(a_vote_for_the_dead_is_invalid),
        play_test(invalid_votes_can_be_dropped),
        play_test(without_a_valid_vote_nobody_is_executed),
        play_test(voting_for_oneself_counts_where_it_is_allowed),
        play_test(too_few_votes_for_the_first_execute_nobody),
        play_test(just_as_many_votes_as_are_needed_execute),
        play_test(votes_are_shown_to_all_until_the_next_day_is_over),
        play_test(votes_can_be_hidden),
        play_test(seer_bodyguard_and_wolves_learn_of_the_execution_at_once),
        play_test(an_execution_can_be_told_to_everybody_at_once),
        play_test(nobody_executed_is_told_too),
        play_test(an_away_seat_is_not_asked_but_can_be_voted_for),
        play_test(a_vote_given_before_going_away_counts),
        play_test(the_vote_of_one_who_leaves_is_lost_and_votes_for_it_are_invalid),
        play_test(nobody_waits_for_a_seat_that_goes_away),
    };

    return cmocka_run_group_tests_name("rules of the vote", tests, NULL, NULL);
}
