/* test_rules_rooms.c - MAW's village and hideout: talk and an open ballot at once.
 *
 * Source: docs/spec/maw.md 1: G1 to G26, A1 to A40 as far as the engine has them. */
#include "play.h"

static Play *maw(void **state, const char *letters)
{
    Play *play = *state;

    rules_of(play, "maw");
    seats(play, letters);
    return play;
}

/* The village sleeps, the wolves are in the hideout. */
static Play *hideout(void **state, const char *letters)
{
    Play *play = maw(state, letters);

    tick(play, 300000);
    forget(play);
    return play;
}

static void a_third_of_the_players_are_wolves_and_all_others_villagers(void **state)
{
    static const uint8_t wolves[3][13] = {
        {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4},
        {0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4},
        {0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4},
    };
    Play *play = *state;
    uint8_t counts[ROLE_COUNT];

    Ruleset *rules = rules_of(play, "maw");
    for (int rule = WOLVES_FLOOR; rule <= WOLVES_CEIL; rule++)
        for (int players = 3; players <= 12; players++) {
            rules->wolves = rule;
            assert_int_equal(ruleset_roles(rules, players, counts, NULL), 0);
            assert_int_equal(counts[ROLE_WEREWOLF], wolves[rule - 1][players]);
            assert_int_equal(counts[ROLE_VILLAGER], players - wolves[rule - 1][players]);
        }
    assert_int_equal(ruleset_roles(rules, 2, counts, NULL), ERR_RULE);
    assert_int_equal(ruleset_roles(rules, 30, counts, NULL), 0);
    assert_int_equal(ruleset_roles(rules, 31, counts, NULL), ERR_RULE);
}

static void one_of_the_others_may_be_a_seer(void **state)
{
    Play *play = *state;
    uint8_t counts[ROLE_COUNT];

    Ruleset *rules = rules_of(play, "maw");
    rules->seers = 1;
    assert_int_equal(ruleset_roles(rules, 6, counts, NULL), 0);
    assert_int_equal(counts[ROLE_WEREWOLF], 2);
    assert_int_equal(counts[ROLE_SEER], 1);
    assert_int_equal(counts[ROLE_VILLAGER], 3);
}

/* A7, tie: revote. */
static void a_tie_may_be_voted_on_again_among_the_tied(void **state)
{
    Play *play = *state;

    Ruleset *rules = rules_of(play, "maw");
    rules->vote.rounds = 2;
    rules->vote.revote_ms = 20000;
    seats(play, "VVVVWW");
    vote(play, 1, 2);
    vote(play, 2, 1);
    vote(play, 3, 2);
    vote(play, 4, 1);
    forget(play);
    tick(play, 300000);
    assert_int_equal(events(play, EVENT_EXECUTE), 0);
    assert_int_equal(last(play, EVENT_PHASE)->round, 1);
    assert_int_equal(last(play, EVENT_PHASE)->until, 320000);
    assert_int_equal(try_answer(play, 5, (Answer){.kind = ASK_VOTE, .target = 3}), ERR_RULE);
    vote(play, 5, 1);
    tick(play, 319999);
    assert_int_equal(events(play, EVENT_EXECUTE), 0);
    tick(play, 320000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 1);
}

static void a_second_tie_executes_nobody(void **state)
{
    Play *play = *state;

    Ruleset *rules = rules_of(play, "maw");
    rules->vote.rounds = 2;
    seats(play, "VVVVWW");
    vote(play, 1, 2);
    vote(play, 2, 1);
    tick(play, 300000);
    vote(play, 1, 2);
    vote(play, 2, 1);
    tick(play, 330000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, SEAT_NONE);
}

static void the_first_phase_is_a_day_in_the_village_for_all(void **state)
{
    Play *play = maw(state, "VVVVWW");

    assert_int_equal(game_day(play->game), 1);
    assert_seats(asked(play, ASK_TALK), "123456");
    assert_seats(asked(play, ASK_VOTE), "123456");
    assert_int_equal(last(play, EVENT_PHASE)->action, ACTION_VILLAGE);
    assert_int_equal(last(play, EVENT_PHASE)->until, 300000);
    assert_int_equal(view_of(play, 1)->last_dead_count, 0);
}

/* docs/spec/maw.md 7.1: by the operator. The phases behind it are as long as always. */
static void a_room_can_stay_open_for_longer(void **state)
{
    Play *play = maw(state, "VVVVWW");

    tick(play, 299999);
    assert_int_equal(game_extend(play->game, 60000, NULL), 0);
    assert_int_equal(game_deadline(play->game), 360000);
    tick(play, 359999);
    assert_seats(asked(play, ASK_VOTE), "123456");
    tick(play, 360000);
    assert_int_equal(last(play, EVENT_PHASE)->action, ACTION_HIDEOUT);
    assert_int_equal(last(play, EVENT_PHASE)->until, 480000);
}

static void without_an_open_room_there_is_nothing_to_extend(void **state)
{
    Play *play = maw(state, "VVW");

    vote(play, 1, 3);
    vote(play, 2, 3); /* the end */
    assert_true(game_over(play->game));
    assert_int_equal(game_extend(play->game, 60000, NULL), ERR_RULE);
}

static void village_talk_is_free_and_has_no_keywords(void **state)
{
    Play *play = maw(state, "VVVVWW");

    forget(play);
    say(play, 2, "Over");
    say(play, 2, "Skip");
    say(play, 2, "hello");
    say(play, 1, "hi");
    assert_string_equal(play->heard, "2:Over 2:Skip 2:hello 1:hi");
    assert_seats(asked(play, ASK_TALK), "123456");
}

static void a_vote_is_public_and_may_be_changed_and_withdrawn(void **state)
{
    Play *play = maw(state, "VVVVWW");

    vote(play, 1, 2);
    assert_int_equal(last(play, EVENT_STANDING)->target, 2);
    assert_seats(last(play, EVENT_STANDING)->known_to, "123456");
    assert_int_equal(view_of(play, 3)->standing_votes[1], 2);
    vote(play, 1, 3);
    assert_int_equal(view_of(play, 3)->standing_votes[1], 3);
    vote(play, 1, SEAT_NONE);
    assert_int_equal(last(play, EVENT_STANDING)->target, SEAT_NONE);
    assert_int_equal(view_of(play, 3)->standing_votes[1], SEAT_NONE);
    assert_int_equal(events(play, EVENT_STANDING), 3);
    vote(play, 1, SEAT_NONE); /* nothing new is nothing told */
    assert_int_equal(events(play, EVENT_STANDING), 3);
    tick(play, 300000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, SEAT_NONE);
    assert_int_equal(events(play, EVENT_VOTE), 0);
}

static void a_silent_ballot_is_known_to_the_voter_only(void **state)
{
    Play *play = *state;

    rules_of(play, "maw")->vote.visible = false;
    seats(play, "VVVVWW");
    vote(play, 1, 2);
    assert_seats(last(play, EVENT_STANDING)->known_to, "1");
    for (SeatNo seat = 1; seat <= 6; seat++)
        assert_null(view_of(play, seat)->standing_votes);
    tick(play, 300000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 2);
    assert_int_equal(last(play, EVENT_VOTE)->known_to, 0);
    attacks(play, "....1");
    /* wolves always tell each other, and the dead read every room (A18, A19) */
    assert_seats(last(play, EVENT_STANDING)->known_to, "256");
}

static void more_than_half_of_the_living_ends_the_day_at_once(void **state)
{
    Play *play = maw(state, "VVVVWW");

    for (SeatNo seat = 1; seat <= 3; seat++)
        vote(play, seat, 5);
    assert_int_not_equal(asked(play, ASK_VOTE), 0); /* 3 of 6 is not more than half */
    vote(play, 4, 5);
    assert_int_equal(asked(play, ASK_VOTE), 0);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 5);
    assert_string_equal(ballot(play, EVENT_VOTE, 0), "1>5 2>5 3>5 4>5");
    assert_int_equal(last(play, EVENT_EXECUTE)->time, 0);
}

static void majority_counts_the_absent_too(void **state)
{
    Play *play = maw(state, "VVVVWW");

    away(play, 6);
    away(play, 4);
    for (SeatNo seat = 1; seat <= 3; seat++)
        vote(play, seat, 5);
    assert_int_not_equal(asked(play, ASK_VOTE), 0);
}

static void a_departure_is_a_death_and_can_make_a_majority(void **state)
{
    Play *play = maw(state, "VVVVVWW");

    for (SeatNo seat = 1; seat <= 3; seat++)
        vote(play, seat, 6);
    leave(play, 4);
    assert_int_not_equal(asked(play, ASK_VOTE), 0); /* 3 of 6 */
    leave(play, 5);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 6); /* 3 of 5 */
}

static void votes_for_one_who_left_are_removed_and_their_owners_told(void **state)
{
    Play *play = maw(state, "VVVVWW");

    vote(play, 1, 2);
    vote(play, 3, 2);
    vote(play, 2, 4);
    forget(play);
    leave(play, 2);
    assert_int_equal(last(play, EVENT_DEATH)->seat, 2);
    assert_int_equal(events(play, EVENT_STANDING), 2);
    assert_int_equal(nth(play, EVENT_STANDING, 0)->seat, 1);
    assert_int_equal(nth(play, EVENT_STANDING, 1)->seat, 3);
    assert_int_equal(nth(play, EVENT_STANDING, 1)->target, SEAT_NONE);
    assert_int_equal(view_of(play, 1)->standing_votes[2], SEAT_NONE);
    assert_seats(asked(play, ASK_VOTE), "13456");
    tick(play, 300000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, SEAT_NONE);
}

static void an_absent_player_may_talk_and_vote_again_when_back(void **state)
{
    Play *play = maw(state, "VVVVWW");

    away(play, 1);
    assert_seats(asked(play, ASK_VOTE), "23456");
    assert_seats(asked(play, ASK_TALK), "23456");
    back(play, 1);
    assert_seats(asked(play, ASK_VOTE), "123456");
    assert_seats(asked(play, ASK_TALK), "123456");
    tick(play, 300000);
    away(play, 5);
    back(play, 5);
    away(play, 1);
    back(play, 1);
    assert_seats(asked(play, ASK_ATTACK), "56");
    assert_seats(asked(play, ASK_WHISPER), "56");
    assert_int_equal(asked(play, ASK_VOTE) | asked(play, ASK_TALK), 0);
}

static void when_time_is_up_a_single_vote_executes_unless_more_are_needed(void **state)
{
    Play *play = maw(state, "VVVVWW");

    vote(play, 1, 2);
    tick(play, 300000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 2);
    rules_of(play, "maw")->vote.min_votes = 2;
    seats(play, "VVVVWW");
    vote(play, 1, 2);
    tick(play, 300000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, SEAT_NONE);
}

static void just_as_many_votes_as_are_needed_execute_when_time_is_up(void **state)
{
    Play *play = *state;

    rules_of(play, "maw")->vote.min_votes = 2;
    seats(play, "VVVVWW");
    vote(play, 1, 2);
    vote(play, 3, 2);
    tick(play, 300000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 2);
}

static void a_tie_when_time_is_up_executes_nobody_or_a_random_one(void **state)
{
    Play *play = maw(state, "VVVVWW");

    votes(play, "2121..");
    tick(play, 300000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, SEAT_NONE);
    assert_int_equal(events(play, EVENT_VOTE), 4);
    rules_of(play, "maw")->vote.tie = TIE_RANDOM;
    play->pick[CHANCE_EXECUTE] = 2;
    seats(play, "VVVVWW");
    votes(play, "2121..");
    tick(play, 300000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 2);
}

static void odd_votes_are_refused_with_the_list_of_valid_targets(void **state)
{
    Play *play = maw(state, "VVVVVVWWW");
    Err err = {0};

    leave(play, 2);
    assert_int_equal(game_answer(play->game, 1, &(Answer){.kind = ASK_VOTE, .target = 1}, &err),
                     ERR_RULE);
    assert_string_equal(err.msg, "seat 1 can't vote for 1; it may vote for: 3 4 5 6 7 8 9");
    assert_int_equal(try_answer(play, 1, (Answer){.kind = ASK_VOTE, .target = 2}), ERR_RULE);
    assert_int_equal(try_answer(play, 1, (Answer){.kind = ASK_VOTE, .target = 10}), ERR_RULE);
    assert_int_equal(try_answer(play, 1, (Answer){.kind = ASK_VOTE, .target = 255}), ERR_RULE);
    assert_int_equal(events(play, EVENT_STANDING), 0);
    tick(play, 300000);
    err = (Err){0};
    assert_int_equal(game_answer(play->game, 7, &(Answer){.kind = ASK_ATTACK, .target = 8}, &err),
                     ERR_RULE);
    assert_string_equal(err.msg, "seat 7 can't vote for 8; it may vote for: 1 3 4 5 6");
}

static void self_votes_can_be_allowed(void **state)
{
    Play *play = *state;

    rules_of(play, "maw")->vote.self_vote = true;
    seats(play, "VVVVWW");
    vote(play, 1, 1);
    tick(play, 300000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 1);
}

static void at_night_the_village_is_closed_and_the_hideout_open(void **state)
{
    Play *play = hideout(state, "VVVVWW");

    assert_seats(asked(play, ASK_WHISPER), "56");
    assert_seats(asked(play, ASK_ATTACK), "56");
    assert_int_equal(asked(play, ASK_TALK) | asked(play, ASK_VOTE), 0);
    assert_int_equal(try_say(play, ASK_TALK, 1, "hello?"), ERR_RULE);
    assert_int_equal(try_say(play, ASK_WHISPER, 1, "hello?"), ERR_RULE);
    assert_int_equal(game_deadline(play->game), 420000);
    whisper(play, 5, "number one");
    assert_seats(last(play, EVENT_WHISPER)->known_to, "56");
    assert_int_equal(view_of(play, 6)->whisper->count, 1);
    assert_int_equal(view_of(play, 1)->whisper->count, 0);
}

static void votes_do_not_survive_a_phase(void **state)
{
    Play *play = maw(state, "VVVVWW");

    vote(play, 5, 1);
    tick(play, 300000);
    for (SeatNo seat = 1; seat <= 6; seat++)
        assert_int_equal(view_of(play, 6)->standing_votes[seat], SEAT_NONE);
    tick(play, 420000);
    for (SeatNo seat = 1; seat <= 6; seat++)
        assert_int_equal(view_of(play, 6)->standing_votes[seat], SEAT_NONE);
    tick(play, 720000);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, SEAT_NONE);
}

static void unanimous_wolves_murder_at_once(void **state)
{
    Play *play = hideout(state, "VVVVWW");

    attack(play, 5, 1);
    assert_seats(last(play, EVENT_STANDING)->known_to, "56");
    assert_int_equal(view_of(play, 6)->standing_votes[5], 1);
    assert_null(view_of(play, 1)->standing_votes);
    attack(play, 6, 2);
    assert_int_not_equal(asked(play, ASK_ATTACK), 0);
    attack(play, 6, 1);
    assert_int_equal(asked(play, ASK_ATTACK), 0);
    assert_true(last(play, EVENT_ATTACK)->killed);
    assert_int_equal(last(play, EVENT_DEATH)->seat, 1);
    assert_seats(last(play, EVENT_DEATH)->known_to, "123456");
    assert_int_equal(game_day(play->game), 2);
    assert_int_equal(view_of(play, 2)->last_dead[0], 1);
    assert_seats(asked(play, ASK_VOTE), "23456");
}

static void without_unanimity_nobody_dies_when_time_is_up(void **state)
{
    Play *play = hideout(state, "VVVVWW");

    attack(play, 5, 1);
    tick(play, 420000);
    assert_int_equal(last(play, EVENT_ATTACK)->target, SEAT_NONE);
    assert_int_equal(events(play, EVENT_DEATH), 0);
    play = hideout(state, "VVVVWW");
    attacks(play, "....12");
    tick(play, 420000);
    assert_int_equal(last(play, EVENT_ATTACK)->target, SEAT_NONE);
}

static void a_lone_wolf_decides_with_its_first_vote(void **state)
{
    Play *play = hideout(state, "VVVVW");

    attack(play, 5, 3);
    assert_int_equal(last(play, EVENT_DEATH)->seat, 3);
    assert_int_equal(game_day(play->game), 2);
}

static void a_wolf_that_leaves_can_make_the_others_unanimous(void **state)
{
    Play *play = hideout(state, "VVVVVVWWW");

    attack(play, 7, 1);
    attack(play, 8, 1);
    leave(play, 9);
    assert_true(last(play, EVENT_ATTACK)->killed);
}

static void wolves_know_their_team_also_its_dead(void **state)
{
    Play *play = maw(state, "VVVVVVWWW");

    for (SeatNo seat = 1; seat <= 5; seat++)
        vote(play, seat, 7);
    assert_false(is_alive(play, 7));
    assert_int_equal(view_of(play, 8)->roles[7], ROLE_WEREWOLF);
    assert_int_equal(view_of(play, 1)->roles[7], ROLE_NONE); /* the role is not announced */
    assert_seats(last(play, EVENT_EXECUTE)->known_to, "123456789");
}

static void the_dead_see_every_room_or_what_they_saw_alive(void **state)
{
    Play *play = maw(state, "VVVVWW");

    votes(play, ".1111");
    whisper(play, 5, "secret");
    assert_seats(last(play, EVENT_WHISPER)->known_to, "156");
    assert_int_equal(view_of(play, 1)->whisper->count, 1);
    assert_int_equal(asked(play, ASK_WHISPER), set("56"));
    rules_of(play, "maw")->secrecy.ghosts_see = GHOSTS_OWN;
    seats(play, "VVVVWW");
    votes(play, ".1111");
    whisper(play, 5, "secret");
    assert_seats(last(play, EVENT_WHISPER)->known_to, "56");
    assert_int_equal(view_of(play, 1)->whisper->count, 0);
}

static void elimination_is_the_end_and_parity_an_option(void **state)
{
    Play *play = maw(state, "VVW");

    votes(play, "2.2");
    assert_false(game_over(play->game)); /* 1 to 1 */
    attack(play, 3, 1);
    assert_winner(play, SIDE_WEREWOLF, END_WIN);
    rules_of(play, "maw")->end.goal = GOAL_PARITY;
    seats(play, "VVW");
    votes(play, "2.2");
    assert_winner(play, SIDE_WEREWOLF, END_WIN);
}

static void the_last_wolfs_execution_ends_the_round_at_once(void **state)
{
    Play *play = maw(state, "VVVW");

    forget(play);
    votes(play, "444");
    assert_winner(play, SIDE_VILLAGER, END_WIN);
    assert_string_equal(course(play), "STAND END-OF:village VOTE EXECUTE END REVEAL SCORE");
}

static void order_of_events_at_a_phases_end_is_fixed(void **state)
{
    Play *play = maw(state, "VVVVWW");

    forget(play);
    votes(play, ".1111");
    assert_string_equal(course(play), "STAND END-OF:village VOTE EXECUTE NIGHT PHASE:hideout");
    forget(play);
    attacks(play, "....22");
    assert_string_equal(course(play), "STAND END-OF:hideout AVOTE ATTACK DEATH DAY PHASE:village");
}

static void a_murder_that_decides_is_told_before_the_end(void **state)
{
    Play *play = maw(state, "VVW");

    votes(play, "2.2");
    forget(play);
    attack(play, 3, 1);
    assert_string_equal(course(play), "STAND END-OF:hideout AVOTE ATTACK DEATH END REVEAL SCORE");
}

static void six_phases_without_a_death_are_a_draw(void **state)
{
    Play *play = maw(state, "VVVVWW");

    for (int i = 0; i < 5; i++)
        tick(play, game_deadline(play->game));
    assert_false(game_over(play->game));
    tick(play, game_deadline(play->game));
    assert_winner(play, SIDE_NONE, END_IDLE);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(nth(play, EVENT_SCORE, i)->points, 0);
}

static void a_death_begins_the_count_of_idle_phases_anew(void **state)
{
    Play *play = maw(state, "VVVVVVWW");

    for (int i = 0; i < 4; i++)
        tick(play, game_deadline(play->game));
    vote(play, 1, 2);
    tick(play, game_deadline(play->game));
    for (int i = 0; i < 5; i++)
        tick(play, game_deadline(play->game));
    assert_false(game_over(play->game));
}

static void the_last_day_is_a_draw(void **state)
{
    Play *play = *state;

    rules_of(play, "maw")->end.max_idle_phases = 0;
    seats(play, "VVVVWW");
    until_day(play, 99);
    assert_winner(play, SIDE_NONE, END_MAX_DAY);
    assert_int_equal(events(play, EVENT_DAY), 20);
}

static void each_wolf_gets_the_villagers_of_the_start(void **state)
{
    Play *play = maw(state, "VVVVWW");

    static const int32_t points[] = {0, 0, 0, 0, 4, 4};

    votes(play, "5555.."); /* the dead wolf wins too */
    attack(play, 6, 1);
    votes(play, ".44..4");
    attack(play, 6, 2);
    vote(play, 6, 3);
    tick(play, game_deadline(play->game));
    assert_winner(play, SIDE_WEREWOLF, END_WIN);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(nth(play, EVENT_SCORE, i)->points, points[i]);
}

static void each_villager_gets_the_survivors(void **state)
{
    Play *play = maw(state, "VVVVW");

    votes(play, ".111");
    attack(play, 5, 2);
    votes(play, "..55");
    assert_winner(play, SIDE_VILLAGER, END_WIN);
    static const int32_t points[] = {2, 2, 2, 2, 0};
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(nth(play, EVENT_SCORE, i)->seat, i + 1);
        assert_int_equal(nth(play, EVENT_SCORE, i)->points, points[i]);
    }
}

static void a_round_without_points_tells_none(void **state)
{
    Play *play = *state;

    rules_of(play, "maw")->end.score = SCORE_NONE;
    seats(play, "VVVW");
    votes(play, "444");
    assert_winner(play, SIDE_VILLAGER, END_WIN);
    assert_int_equal(events(play, EVENT_SCORE), 0);
}

static void when_both_sides_leave_the_round_is_a_draw(void **state)
{
    Play *play = maw(state, "VVW");

    leave(play, 1);
    leave(play, 3); /* one villager is left */
    assert_winner(play, SIDE_VILLAGER, END_WIN);
    assert_int_equal(nth(play, EVENT_SCORE, 0)->points, 1);
}

static void a_silent_room_is_still_open_until_its_time(void **state)
{
    Play *play = *state;

    rules_of(play, "maw")->talk.silence_ms = 1000;
    seats(play, "VVVVWW");
    assert_int_equal(game_deadline(play->game), 300000);
}

static void a_line_longer_than_allowed_is_cut(void **state)
{
    Play *play = maw(state, "VVVVWW");
    char text[600];

    memset(text, 'x', sizeof(text));
    text[599] = '\0';
    say(play, 1, text);
    assert_int_equal(last(play, EVENT_TALK)->talk->text.len, 500);
}

static void a_room_has_a_most_number_of_lines(void **state)
{
    Play *play = *state;

    rules_of(play, "maw")->talk.max_lines = 3;
    seats(play, "VVVVWW");
    forget(play);
    for (int i = 0; i < 3; i++)
        say(play, 1, "a");
    assert_int_equal(try_say(play, ASK_TALK, 2, "a"), ERR_LIMIT);
    assert_int_equal(events(play, EVENT_TALK), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        play_test(a_third_of_the_players_are_wolves_and_all_others_villagers),
        play_test(the_first_phase_is_a_day_in_the_village_for_all),
        play_test(a_room_can_stay_open_for_longer),
        play_test(without_an_open_room_there_is_nothing_to_extend),
        play_test(village_talk_is_free_and_has_no_keywords),
        play_test(a_vote_is_public_and_may_be_changed_and_withdrawn),
        play_test(a_silent_ballot_is_known_to_the_voter_only),
        play_test(more_than_half_of_the_living_ends_the_day_at_once),
        play_test(majority_counts_the_absent_too),
        play_test(a_departure_is_a_death_and_can_make_a_majority),
        play_test(votes_for_one_who_left_are_removed_and_their_owners_told),
        play_test(an_absent_player_may_talk_and_vote_again_when_back),
        play_test(when_time_is_up_a_single_vote_executes_unless_more_are_needed),
        play_test(just_as_many_votes_as_are_needed_execute_when_time_is_up),
        play_test(a_tie_when_time_is_up_executes_nobody_or_a_random_one),
        play_test(one_of_the_others_may_be_a_seer),
        play_test(a_tie_may_be_voted_on_again_among_the_tied),
        play_test(a_second_tie_executes_nobody),
        play_test(odd_votes_are_refused_with_the_list_of_valid_targets),
        play_test(self_votes_can_be_allowed),
        play_test(at_night_the_village_is_closed_and_the_hideout_open),
        play_test(votes_do_not_survive_a_phase),
        play_test(unanimous_wolves_murder_at_once),
        play_test(without_unanimity_nobody_dies_when_time_is_up),
        play_test(a_lone_wolf_decides_with_its_first_vote),
        play_test(a_wolf_that_leaves_can_make_the_others_unanimous),
        play_test(wolves_know_their_team_also_its_dead),
        play_test(the_dead_see_every_room_or_what_they_saw_alive),
        play_test(elimination_is_the_end_and_parity_an_option),
        play_test(the_last_wolfs_execution_ends_the_round_at_once),
        play_test(order_of_events_at_a_phases_end_is_fixed),
        play_test(a_murder_that_decides_is_told_before_the_end),
        play_test(six_phases_without_a_death_are_a_draw),
        play_test(a_death_begins_the_count_of_idle_phases_anew),
        play_test(the_last_day_is_a_draw),
        play_test(each_wolf_gets_the_villagers_of_the_start),
        play_test(each_villager_gets_the_survivors),
        play_test(a_round_without_points_tells_none),
        play_test(when_both_sides_leave_the_round_is_a_draw),
        play_test(a_silent_room_is_still_open_until_its_time),
        play_test(a_line_longer_than_allowed_is_cut),
        play_test(a_room_has_a_most_number_of_lines),
    };

    return cmocka_run_group_tests_name("rules of rooms", tests, NULL, NULL);
}
