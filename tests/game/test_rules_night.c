/* test_rules_night.c - divination, guard, attack, medium, fox: each rule both ways.
 *
 * Source: docs/spec/protocol-division.md 3.6 and 4 (rows 12 to 17); docs/spec/nlp-division.md 4.3.
 */
#include "play.h"

/* A table at this ask of the night of day `day`. */
static Play *night(Play *play, const char *letters, AskKind kind, unsigned day)
{
    seats(play, letters);
    until_day(play, day);
    until(play, kind);
    forget(play);
    return play;
}

static Play *night_by(void **state, const char *preset, const char *letters, AskKind kind,
                      unsigned day)
{
    Play *play = *state;

    rules_of(play, preset);
    /* whoever is executed without votes is the last seat */
    play->order[CHANCE_EXECUTE] = play->order[CHANCE_VOTE] = 1;
    return night(play, letters, kind, day);
}

/* ---- row 12 ---- */

static void roles_of_the_dead_stay_hidden_until_the_end(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "SVVWVVV", ASK_ATTACK, 1);

    attack(play, 4, 2);
    assert_false(is_alive(play, 7));
    assert_false(is_alive(play, 2));
    for (SeatNo seat = 1; seat <= 7; seat++)
        for (SeatNo other = 1; other <= 7; other++)
            assert_int_equal(view_of(play, seat)->roles[other],
                             seat == other ? game_role(play->game, other) : ROLE_NONE);
    until_day(play, 99);
    assert_true(view_of(play, 1)->over);
    for (SeatNo other = 1; other <= 7; other++)
        assert_int_equal(view_of(play, 1)->roles[other], game_role(play->game, other));
    assert_int_equal(events(play, EVENT_REVEAL), 7);
}

static void wolves_and_freemasons_know_each_other(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021");
    seats(play, "XXWWVVV");
    assert_int_equal(view_of(play, 1)->roles[2], ROLE_FREEMASON);
    assert_int_equal(view_of(play, 4)->roles[3], ROLE_WEREWOLF);
    assert_int_equal(view_of(play, 4)->roles[1], ROLE_NONE);
    assert_seats(nth(play, EVENT_ROLE, 0)->known_to, "12");
    assert_seats(nth(play, EVENT_ROLE, 2)->known_to, "34");
    assert_seats(nth(play, EVENT_ROLE, 4)->known_to, "5");
}

/* ---- row 13: attack ---- */

static void the_attack_vote_has_one_revote_and_then_chance(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "VVVSWWVV", ASK_ATTACK, 1);

    assert_seats(asked(play, ASK_ATTACK), "56");
    play->pick[CHANCE_ATTACK] = 4;
    attacks(play, "....12..");
    assert_seats(asked(play, ASK_ATTACK), "56");
    attacks(play, "....34..");
    assert_seats(play->among[CHANCE_ATTACK], "34");
    assert_int_equal(last(play, EVENT_ATTACK)->target, 4);
    assert_true(last(play, EVENT_ATTACK)->killed);
    assert_string_equal(ballot(play, EVENT_ATTACK_VOTE, 0), "5>1 6>2");
    assert_string_equal(ballot(play, EVENT_ATTACK_VOTE, 1), "5>3 6>4");
    assert_null(strstr(course(play), "whisper"));
}

static void an_undecided_attack_can_spare_everybody(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->attack.tie = TIE_NOBODY;
    night(play, "VVVSWWVV", ASK_ATTACK, 1);
    attacks(play, "....23..");
    attacks(play, "....23..");
    assert_int_equal(last(play, EVENT_ATTACK)->target, SEAT_NONE);
    assert_int_equal(play->drawn[CHANCE_ATTACK], 0);
}

static void the_number_of_attack_ballots_is_a_rule(void **state)
{
    Play *play = *state;

    for (int rounds = 0; rounds <= 3; rounds++) {
        rules_of(play, "aiwolf-2021")->attack.rounds = rounds;
        seats(play, "VVVSWWVV");
        until_day(play, 1);
        until(play, ASK_ATTACK);
        assert_int_equal(events(play, EVENT_ATTACK), 0);
        if (rounds == 0) {
            assert_false(game_day(play->game) == 1); /* nobody was ever asked */
            continue;
        }
        for (int i = 0; i < rounds; i++)
            attacks(play, "....23..");
        assert_int_equal(asked(play, ASK_ATTACK), 0);
        assert_int_equal(events(play, EVENT_ATTACK), 1);
    }
}

static void wolves_can_whisper_before_an_attack_revote(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->attack.whisper_before_revote = true;
    night(play, "VVVSWWVV", ASK_ATTACK, 1);
    attacks(play, "....23..");
    assert_seats(asked(play, ASK_WHISPER), "5");
    assert_int_equal(view_of(play, 5)->whisper_left[5], 10);
    whisper(play, 5, "take 3");
    until(play, ASK_ATTACK);
    assert_seats(asked(play, ASK_ATTACK), "56");
    attacks(play, "....33..");
    assert_int_equal(last(play, EVENT_ATTACK)->target, 3);
}

static void a_wolf_that_names_nobody_valid_has_no_vote(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "VVVSWWVV", ASK_ATTACK, 1);

    assert_false(is_alive(play, 8));
    attacks(play, "....28..");
    assert_string_equal(ballot(play, EVENT_ATTACK_VOTE, 0), "5>2");
    assert_int_equal(last(play, EVENT_ATTACK)->target, 2);
    assert_int_equal(play->drawn[CHANCE_ATTACK], 0);
}

static void when_no_wolf_names_a_human_all_humans_are_candidates(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "VVVSWWVV", ASK_ATTACK, 1);

    attacks(play, "....-6..");
    assert_seats(asked(play, ASK_ATTACK), "56");
    attacks(play, "....65..");
    assert_string_equal(ballot(play, EVENT_ATTACK_VOTE, 1), "");
    assert_seats(play->among[CHANCE_ATTACK], "12347");
    assert_int_not_equal(last(play, EVENT_ATTACK)->target, SEAT_NONE);
}

static void when_no_wolf_names_a_human_nobody_can_be_attacked(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->attack.no_vote = NO_VOTE_NOBODY;
    night(play, "VVVSWWVV", ASK_ATTACK, 1);
    attacks(play, "....-6..");
    attacks(play, "....-6..");
    assert_int_equal(last(play, EVENT_ATTACK)->target, SEAT_NONE);
    assert_int_equal(play->drawn[CHANCE_ATTACK], 0);
}

static void a_vote_for_a_wolf_is_recorded_in_natural_language_but_never_counts(void **state)
{
    Play *play = night_by(state, "nlp-turn", "VVVSWWWVV", ASK_ATTACK, 1);

    attacks(play, "....662..");
    assert_string_equal(ballot(play, EVENT_ATTACK_VOTE, 0), "5>6 6>6 7>2");
    assert_int_equal(last(play, EVENT_ATTACK)->target, 2);
}

static void a_wolf_that_names_itself_is_recorded_only_where_that_is_allowed(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn")->attack.self_vote = false;
    night(play, "VVVSWWWVV", ASK_ATTACK, 1);
    attacks(play, "....662..");
    assert_string_equal(ballot(play, EVENT_ATTACK_VOTE, 0), "5>6 7>2");
    play->rules.attack.vote_for_wolf = false;
    play->rules.attack.self_vote = true;
    night(play, "VVVSWWWVV", ASK_ATTACK, 1);
    attacks(play, "....662..");
    assert_string_equal(ballot(play, EVENT_ATTACK_VOTE, 0), "7>2");
}

static void only_wolves_see_the_attack_and_its_votes(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "VVVSWWVV", ASK_ATTACK, 1);

    attacks(play, "....12..");
    assert_int_equal(view_of(play, 5)->latest_attack_votes->count, 2);
    assert_int_equal(view_of(play, 4)->latest_attack_votes->count, 0);
    attacks(play, "....22..");
    assert_seats(last(play, EVENT_ATTACK_VOTE)->known_to, "56");
    assert_seats(last(play, EVENT_ATTACK)->known_to, "56");
    assert_seats(last(play, EVENT_DEATH)->known_to, "12345678");
    assert_int_equal(view_of(play, 5)->attack_votes->count, 2);
    assert_int_equal(view_of(play, 5)->attacked, 2);
    assert_int_equal(view_of(play, 4)->attack_votes->count, 0);
    assert_int_equal(view_of(play, 4)->attacked, SEAT_NONE);
    for (SeatNo seat = 1; seat <= 8; seat++) {
        assert_int_equal(view_of(play, seat)->last_dead_count, 1);
        assert_int_equal(view_of(play, seat)->last_dead[0], 2);
    }
}

static void the_attacked_counts_as_living_for_others_until_the_morning(void **state)
{
    Play *play = *state;

    /* an attack before the divination of the same night */
    Ruleset *rules = rules_of(play, "aiwolf-2021");
    rules->night.phases[0] = rules->night.phases[5];
    rules->night.phases[0].except_day = DAY_ANY;
    rules->night.count = 3;
    seats(play, "VVVSWVV");
    until(play, ASK_ATTACK);
    attack(play, 5, 1);
    assert_seats(asked(play, ASK_DIVINE), "4");
    assert_true(seat_in(view_of(play, 4)->alive, 1));
    assert_int_equal(events(play, EVENT_DEATH), 0);
}

/* ---- rows 14, 15: seer and medium ---- */

static void the_seer_divines_from_day_0_and_learns_it_in_the_morning(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "VVVSWWVV", ASK_DIVINE, 0);

    name(play, ASK_DIVINE, 4, 5);
    assert_int_equal(events(play, EVENT_DIVINE), 1);
    assert_seats(last(play, EVENT_DIVINE)->known_to, "4");
    assert_int_equal(game_day(play->game), 1);
    assert_int_equal(view_of(play, 4)->divined.target, 5);
    assert_int_equal(view_of(play, 4)->divined.result, SPECIES_WEREWOLF);
    assert_int_equal(view_of(play, 4)->divined.day, 1);
    assert_int_equal(view_of(play, 4)->divined.agent, 4);
    assert_int_equal(view_of(play, 1)->divined.target, SEAT_NONE);
    until_day(play, 2);
    assert_int_equal(view_of(play, 4)->divined.target, SEAT_NONE);
}

static void possessed_and_fox_look_human_and_the_fox_dies_of_it(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "PVFSWVV", ASK_DIVINE, 0);

    name(play, ASK_DIVINE, 4, 1);
    assert_int_equal(view_of(play, 4)->divined.result, SPECIES_HUMAN);
    until(play, ASK_DIVINE);
    forget(play);
    name(play, ASK_DIVINE, 4, 3);
    assert_true(is_alive(play, 3)); /* until the morning */
    until(play, ASK_ATTACK);
    attack(play, 5, 2);
    assert_int_equal(last(play, EVENT_DIVINE)->species, SPECIES_HUMAN);
    assert_int_equal(events(play, EVENT_DEATH), 2);
    assert_int_equal(nth(play, EVENT_DEATH, 0)->seat, 3); /* the curse first */
    assert_int_equal(view_of(play, 1)->last_dead_count, 2);
    assert_int_equal(view_of(play, 1)->last_dead[0], 3);
    assert_int_equal(view_of(play, 1)->last_dead[1], 2);
}

static void an_attack_on_the_fox_fails(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "PVFSWVV", ASK_ATTACK, 1);

    attack(play, 5, 3);
    assert_int_equal(last(play, EVENT_ATTACK)->target, 3);
    assert_false(last(play, EVENT_ATTACK)->killed);
    assert_true(is_alive(play, 3));
    assert_int_equal(view_of(play, 5)->attacked, 3);
}

static void divining_the_executed_gives_no_result(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "VVVSWWVV", ASK_DIVINE, 1);

    assert_false(is_alive(play, 8));
    name(play, ASK_DIVINE, 4, 8);
    assert_int_equal(events(play, EVENT_DIVINE), 0);
    until_day(play, 2);
    assert_int_equal(view_of(play, 4)->divined.target, SEAT_NONE);
}

static void divining_nobody_the_unknown_or_nothing_gives_no_result(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "VVVSWWVV", ASK_DIVINE, 0);

    name(play, ASK_DIVINE, 4, 0);
    until(play, ASK_DIVINE);
    name(play, ASK_DIVINE, 4, 200);
    until(play, ASK_DIVINE);
    lapse(play, ASK_DIVINE, 4);
    assert_int_equal(events(play, EVENT_DIVINE), 0);
}

static void the_seer_may_divine_itself_in_the_protocol_division_only(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "VVVSWWVV", ASK_DIVINE, 0);

    name(play, ASK_DIVINE, 4, 4);
    assert_int_equal(view_of(play, 4)->divined.result, SPECIES_HUMAN);
    play = night_by(state, "nlp-turn", "VVVSWWVVV", ASK_DIVINE, 0);
    name(play, ASK_DIVINE, 4, 4);
    assert_int_equal(events(play, EVENT_DIVINE), 0);
}

static void a_seer_attacked_tonight_learns_its_result_and_an_executed_one_has_none(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "VVVVWWVS", ASK_ATTACK, 1);

    assert_false(is_alive(play, 8));
    assert_int_equal(events(play, EVENT_DIVINE), 0);
    play = night_by(state, "aiwolf-2021", "SVVVWWVV", ASK_DIVINE, 1);
    name(play, ASK_DIVINE, 1, 5);
    until(play, ASK_ATTACK);
    attacks(play, "....11..");
    assert_false(is_alive(play, 1));
    assert_int_equal(view_of(play, 1)->divined.target, 5);
}

static void the_medium_learns_the_species_of_the_executed_next_morning(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "MVVSWVVW", ASK_ATTACK, 1);

    assert_int_equal(view_of(play, 1)->identified.target, SEAT_NONE);
    attack(play, 5, 1); /* a dead medium still learns it */
    assert_int_equal(view_of(play, 1)->identified.target, 8);
    assert_int_equal(view_of(play, 1)->identified.result, SPECIES_WEREWOLF);
    assert_int_equal(view_of(play, 1)->identified.day, 2);
    assert_seats(last(play, EVENT_IDENTIFY)->known_to, "1");
    assert_int_equal(view_of(play, 2)->identified.target, SEAT_NONE);
}

static void without_an_execution_the_medium_learns_nothing(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->vote.tie = TIE_NOBODY;
    seats(play, "MVVSWVVW");
    until_day(play, 1);
    until(play, ASK_VOTE);
    votes(play, "21212121");
    votes(play, "21212121");
    until_day(play, 2);
    assert_int_equal(events(play, EVENT_IDENTIFY), 0);
    assert_int_equal(view_of(play, 1)->identified.target, SEAT_NONE);
}

/* ---- rows 16, 17: bodyguard ---- */

static void a_guarded_agent_survives_and_the_bodyguard_learns_only_whom_it_guarded(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "BVVSWVVV", ASK_GUARD, 1);

    assert_seats(asked(play, ASK_GUARD), "1");
    name(play, ASK_GUARD, 1, 2);
    assert_seats(last(play, EVENT_GUARD)->known_to, "1");
    attack(play, 5, 2);
    assert_false(last(play, EVENT_ATTACK)->killed);
    assert_true(is_alive(play, 2));
    assert_int_equal(events(play, EVENT_DEATH), 0);
    for (SeatNo seat = 1; seat <= 8; seat++) {
        assert_int_equal(view_of(play, seat)->last_dead_count, 0);
        assert_int_equal(view_of(play, seat)->guarded, seat == 1 ? 2 : SEAT_NONE);
        assert_int_equal(view_of(play, seat)->attacked, seat == 5 ? 2 : SEAT_NONE);
    }
    until(play, ASK_GUARD);
    name(play, ASK_GUARD, 1, 2); /* the same again */
    attack(play, 5, 2);
    assert_true(is_alive(play, 2));
}

static void there_is_no_guard_and_no_attack_on_day_0(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "BVVSWVVV", ASK_DIVINE, 0);

    name(play, ASK_DIVINE, 4, 1);
    assert_int_equal(game_day(play->game), 1);
    assert_int_equal(events(play, EVENT_GUARD) + events(play, EVENT_ATTACK), 0);
}

static void guarding_oneself_is_invalid(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "BVVSWVVV", ASK_GUARD, 1);

    name(play, ASK_GUARD, 1, 1);
    assert_int_equal(events(play, EVENT_GUARD), 0);
    attack(play, 5, 1);
    assert_false(is_alive(play, 1));
}

static void guarding_the_dead_is_recorded_in_the_protocol_division_only(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "BVVSWVVV", ASK_GUARD, 1);

    assert_false(is_alive(play, 8));
    name(play, ASK_GUARD, 1, 8);
    assert_int_equal(last(play, EVENT_GUARD)->target, 8);
    attack(play, 5, 2);
    assert_int_equal(view_of(play, 1)->guarded, 8);
    play = night_by(state, "nlp-turn", "BVVSWVVVV", ASK_VOTE, 1);
    votes(play, "888888889");
    name(play, ASK_DIVINE, 4, 1);
    name(play, ASK_GUARD, 1, 8);
    assert_int_equal(events(play, EVENT_GUARD), 0);
}

static void an_executed_bodyguard_guards_nobody(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "VVVSWVVB", ASK_ATTACK, 1);

    assert_false(is_alive(play, 8));
    assert_int_equal(events(play, EVENT_GUARD), 0);
    attack(play, 5, 2);
    assert_false(is_alive(play, 2));
}

static void a_bodyguard_that_leaves_after_guarding_protects_nobody(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "BVVSWVVV", ASK_GUARD, 1);

    name(play, ASK_GUARD, 1, 2);
    leave(play, 1);
    attack(play, 5, 2);
    assert_true(last(play, EVENT_ATTACK)->killed);
}

/* ---- absence ---- */

static void an_away_wolf_is_not_waited_for_and_can_still_be_executed(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn");
    seats(play, "VVVSWWVVV");
    until_day(play, 1);
    away(play, 5);
    until(play, ASK_ATTACK);
    assert_seats(asked(play, ASK_ATTACK), "6");
    assert_int_equal(events(play, EVENT_WHISPER), 4); /* those of day 0 only */
}

static void an_attack_ends_when_the_last_wolf_leaves(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "VVVSWVVV", ASK_ATTACK, 1);

    leave(play, 5);
    assert_int_equal(events(play, EVENT_ATTACK), 0);
    assert_winner(play, SIDE_VILLAGER, END_WIN);
    assert_int_equal(events(play, EVENT_DEATH), 1);
}

static void a_cursed_fox_that_leaves_dies_once(void **state)
{
    Play *play = night_by(state, "aiwolf-2021", "PVFSWVV", ASK_DIVINE, 0);

    until(play, ASK_VOTE);
    votes(play, "7777771");
    name(play, ASK_DIVINE, 4, 3);
    leave(play, 3);
    attack(play, 5, 1);
    assert_int_equal(events(play, EVENT_DEATH), 2);
    assert_int_equal(view_of(play, 1)->last_dead_count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        play_test(roles_of_the_dead_stay_hidden_until_the_end),
        play_test(wolves_and_freemasons_know_each_other),
        play_test(the_attack_vote_has_one_revote_and_then_chance),
        play_test(an_undecided_attack_can_spare_everybody),
        play_test(the_number_of_attack_ballots_is_a_rule),
        play_test(wolves_can_whisper_before_an_attack_revote),
        play_test(a_wolf_that_names_nobody_valid_has_no_vote),
        play_test(when_no_wolf_names_a_human_all_humans_are_candidates),
        play_test(when_no_wolf_names_a_human_nobody_can_be_attacked),
        play_test(a_vote_for_a_wolf_is_recorded_in_natural_language_but_never_counts),
        play_test(a_wolf_that_names_itself_is_recorded_only_where_that_is_allowed),
        play_test(only_wolves_see_the_attack_and_its_votes),
        play_test(the_attacked_counts_as_living_for_others_until_the_morning),
        play_test(the_seer_divines_from_day_0_and_learns_it_in_the_morning),
        play_test(possessed_and_fox_look_human_and_the_fox_dies_of_it),
        play_test(an_attack_on_the_fox_fails),
        play_test(divining_the_executed_gives_no_result),
        play_test(divining_nobody_the_unknown_or_nothing_gives_no_result),
        play_test(the_seer_may_divine_itself_in_the_protocol_division_only),
        play_test(a_seer_attacked_tonight_learns_its_result_and_an_executed_one_has_none),
        play_test(the_medium_learns_the_species_of_the_executed_next_morning),
        play_test(without_an_execution_the_medium_learns_nothing),
        play_test(a_guarded_agent_survives_and_the_bodyguard_learns_only_whom_it_guarded),
        play_test(there_is_no_guard_and_no_attack_on_day_0),
        play_test(guarding_oneself_is_invalid),
        play_test(guarding_the_dead_is_recorded_in_the_protocol_division_only),
        play_test(an_executed_bodyguard_guards_nobody),
        play_test(a_bodyguard_that_leaves_after_guarding_protects_nobody),
        play_test(an_away_wolf_is_not_waited_for_and_can_still_be_executed),
        play_test(an_attack_ends_when_the_last_wolf_leaves),
        play_test(a_cursed_fox_that_leaves_dies_once),
    };

    return cmocka_run_group_tests_name("rules of the night", tests, NULL, NULL);
}
