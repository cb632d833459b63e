/* test_rules_end.c - who wins and when it is looked for; the last day; wishes; aborted games.
 *
 * Source: docs/spec/protocol-division.md 3.1, 3.2, 3.7; docs/spec/nlp-division.md 4.1, 4.2, 4.4;
 *         docs/spec/maw.md G21, G23, G24, A25. */
#include "play.h"

static Play *voting_by(void **state, const char *preset, const char *letters)
{
    Play *play = *state;

    rules_of(play, preset);
    seats(play, letters);
    until(play, ASK_VOTE);
    forget(play);
    return play;
}

/* ---- when ---- */

static void in_the_protocol_division_a_decided_night_goes_on_without_attack(void **state)
{
    Play *play = voting_by(state, "aiwolf-2021", "BVVSWVVV");

    votes(play, "55551555");
    assert_false(game_over(play->game));
    assert_seats(asked(play, ASK_DIVINE), "4");
    name(play, ASK_DIVINE, 4, 1);
    assert_seats(asked(play, ASK_GUARD), "1");
    name(play, ASK_GUARD, 1, 2);
    assert_int_equal(events(play, EVENT_ATTACK), 0);
    assert_winner(play, SIDE_VILLAGER, END_WIN);
    assert_int_equal(last(play, EVENT_END)->day, 2);
    assert_int_equal(view_of(play, 1)->day, 2);
    assert_int_equal(view_of(play, 4)->divined.target, 1);
    assert_int_equal(view_of(play, 1)->executed, 5);
}

static void in_natural_language_an_execution_that_decides_ends_the_game_at_once(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "BVVSWVVVV");

    votes(play, "555515555");
    assert_winner(play, SIDE_VILLAGER, END_WIN);
    assert_int_equal(events(play, EVENT_DIVINE) + events(play, EVENT_GUARD), 0);
    assert_int_equal(view_of(play, 1)->day, 2);
    assert_int_equal(view_of(play, 1)->executed, 5);
}

static void in_the_protocol_division_parity_by_execution_is_followed_by_the_attack(void **state)
{
    Play *play = voting_by(state, "aiwolf-2021", "VSW");

    votes(play, "211");
    assert_seats(asked(play, ASK_DIVINE), "2");
    lapse(play, ASK_DIVINE, 2);
    assert_seats(asked(play, ASK_ATTACK), "3");
    attack(play, 3, 2);
    assert_winner(play, SIDE_WEREWOLF, END_WIN);
    assert_int_equal(last(play, EVENT_END)->humans, 0);
    assert_int_equal(last(play, EVENT_END)->wolves, 1);
}

static void in_natural_language_parity_by_execution_is_the_end(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "VVSW");

    votes(play, "2111");
    assert_false(game_over(play->game)); /* 2 to 1 */
    play = voting_by(state, "nlp-turn", "VSW");
    votes(play, "211");
    assert_winner(play, SIDE_WEREWOLF, END_WIN);
    assert_int_equal(last(play, EVENT_END)->humans, 1);
}

static void a_game_that_is_decided_from_the_start_ends_before_day_0(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021");
    seats(play, "VVV");
    assert_winner(play, SIDE_VILLAGER, END_WIN);
    assert_int_equal(events(play, EVENT_DAY), 0);
    seats(play, "WWV");
    assert_winner(play, SIDE_WEREWOLF, END_WIN);
}

static void
a_natural_language_village_without_wolves_is_one_talk_with_its_daily_finish(void **state)
{
    Play *play = *state;

    Ruleset *rules = rules_of(play, "nlp-turn");
    rules->day.phases[0] = rules->day.phases[1]; /* the morning whisper would end it, too */
    rules->day.count = 1;
    seats(play, "VVVVV");
    until_day(play, 9);
    assert_string_equal(course(play), "ROLE DAY PHASE:talk TALK END-OF:talk NIGHT END REVEAL");
}

static void the_half_days_turn_is_told_once_a_day(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn")->end.max_day = 3;
    seats(play, "VVVVSW");
    until_day(play, 99);
    assert_int_equal(events(play, EVENT_NIGHT), events(play, EVENT_DAY));
    assert_true(events(play, EVENT_DAY) >= 3);
}

static void the_check_can_be_moved_to_nights_in_natural_language(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn")->end.check = END_AFTER_NIGHT;
    seats(play, "BVVSWVVVV");
    until(play, ASK_VOTE);
    votes(play, "555515555");
    assert_seats(asked(play, ASK_DIVINE), "4");
}

static void the_check_can_be_made_after_every_death(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->end.check = END_AFTER_DEATH;
    seats(play, "VVVSW");
    until(play, ASK_VOTE);
    leave(play, 5);
    assert_winner(play, SIDE_VILLAGER, END_WIN);
}

/* ---- who ---- */

static void possessed_counts_as_human_and_wins_with_the_wolves(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021");
    seats(play, "VPPVW");
    until(play, ASK_VOTE);
    votes(play, "44421");
    attack(play, 5, 1);
    assert_false(game_over(play->game)); /* two possessed to one wolf */
    until(play, ASK_VOTE);
    votes(play, ".32.2");
    attack(play, 5, 3);
    assert_winner(play, SIDE_WEREWOLF, END_WIN);
    assert_int_equal(role_side(ROLE_POSSESSED), SIDE_WEREWOLF);
}

static void a_living_fox_wins_instead_of_either_side(void **state)
{
    Play *play = voting_by(state, "aiwolf-2021", "FVVVW");

    votes(play, "55551");
    assert_winner(play, SIDE_OTHERS, END_WIN);
    play = voting_by(state, "aiwolf-2021", "FVVW");
    votes(play, "2322");
    attack(play, 4, 3);
    assert_winner(play, SIDE_OTHERS, END_WIN);
}

/* Everybody leaves during the first talk. */
static Play *emptied(void **state, int32_t goal)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->end.goal = goal;
    seats(play, "VVW");
    until(play, ASK_TALK);
    for (SeatNo seat = 1; seat <= 3; seat++)
        leave(play, seat);
    return play;
}

static void with_nobody_left_the_order_of_the_tests_decides(void **state)
{
    assert_winner(emptied(state, GOAL_PARITY), SIDE_VILLAGER, END_WIN);
    assert_winner(emptied(state, GOAL_PARITY_WOLF_FIRST), SIDE_WEREWOLF, END_WIN);
}

static void with_nobody_left_elimination_is_a_draw(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->end =
        (EndRules){.check = END_AFTER_DEATH, .goal = GOAL_ELIMINATION, .max_day = 2};
    seats(play, "VVW");
    until(play, ASK_TALK);
    leave(play, 1);
    leave(play, 2);
    assert_winner(play, SIDE_WEREWOLF, END_WIN);
}

static void elimination_goes_on_where_parity_ends(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->end.goal = GOAL_ELIMINATION;
    seats(play, "VVVSW");
    until(play, ASK_VOTE);
    votes(play, "21111");
    lapse(play, ASK_DIVINE, 4);
    attack(play, 5, 2);
    assert_false(game_over(play->game)); /* 2 to 1 */
    until(play, ASK_VOTE);
    votes(play, "..433");
    lapse(play, ASK_DIVINE, 4);
    attack(play, 5, 4);
    assert_winner(play, SIDE_WEREWOLF, END_WIN);
}

/* ---- the last day ---- */

static void the_last_day_allowed_ends_the_game_without_a_winner(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn")->end.max_day = 2;
    seats(play, "VVVSWVVVV");
    until_day(play, 99);
    assert_winner(play, SIDE_NONE, END_MAX_DAY);
    assert_int_equal(events(play, EVENT_DAY), 3);
    assert_int_equal(game_day(play->game), 3);
    rules_of(play, "nlp-turn");
    seats(play, "VVVSWVVVV");
    until_day(play, 5);
    assert_false(game_over(play->game));
}

static void the_last_phase_of_the_last_day_may_decide(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn")->end.max_day = 1;
    seats(play, "VVSW");
    until(play, ASK_VOTE);
    votes(play, "----");
    lapse(play, ASK_DIVINE, 3);
    attack(play, 4, 1);
    assert_winner(play, SIDE_NONE, END_MAX_DAY);
    seats(play, "VSW");
    until(play, ASK_VOTE);
    votes(play, "---");
    lapse(play, ASK_DIVINE, 2);
    attack(play, 3, 1);
    assert_winner(play, SIDE_WEREWOLF, END_WIN);
}

static void phases_without_a_death_can_end_in_a_draw(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn")->end.max_idle_phases = 20;
    seats(play, "VVVSW");
    until_day(play, 99);
    assert_winner(play, SIDE_NONE, END_IDLE);
}

static void a_game_in_which_nobody_ever_dies_still_ends(void **state)
{
    CLEANUP(game_freep) Game *game = NULL;
    Play *play = *state;
    Event event;

    Ruleset *rules = rules_of(play, "aiwolf-2021");
    rules->day.count = rules->night.count = 0;
    assert_int_equal(game_new(rules, 5, &game, NULL), 0);
    assert_int_equal(game_start(game, NULL, chance_from_seed(1), NULL), 0);
    while (game_next_event(game, &event))
        ;
    assert_true(game_over(game));
    assert_int_equal(game_winner(game), SIDE_NONE);
}

/* ---- aborted games ---- */

static void an_aborted_game_is_over_without_a_winner_at_any_time(void **state)
{
    static const AskKind kinds[] = {ASK_ROLE,   ASK_TALK,  ASK_VOTE,
                                    ASK_DIVINE, ASK_GUARD, ASK_ATTACK};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        Play *play = *state;
        rules_of(play, "aiwolf-server");
        seats(play, "VBVSWVV");
        until(play, kinds[i]);
        assert_int_not_equal(asked(play, kinds[i]), 0);
        game_abort(play->game);
        listen(play);
        assert_winner(play, SIDE_NONE, END_ABORTED);
        assert_int_equal(asked(play, kinds[i]), 0);
        size_t count = play->count;
        game_abort(play->game);
        listen(play);
        assert_int_equal(play->count, count);
    }
}

/* ---- row 24: wishes ---- */

static void agents_may_wish_for_a_role_where_the_rules_say_so(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021");
    seats(play, "VVVSW");
    assert_int_equal(asked(play, ASK_ROLE), 0);
    rules_of(play, "aiwolf-server");
    seats(play, "VVVSW");
    assert_seats(asked(play, ASK_ROLE), "12345");
    assert_int_equal(events(play, EVENT_ROLE), 0);
    assert_int_equal(view_of(play, 1)->role, ROLE_NONE);
}

static void a_seat_cannot_leave_before_roles_are_dealt_or_after_the_end_or_twice(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-server");
    seats(play, "VVVSW");
    assert_int_equal(game_remove(play->game, 1, NULL), ERR_RULE);
    until(play, ASK_TALK);
    assert_int_equal(game_remove(play->game, 0, NULL), ERR_RULE);
    assert_int_equal(game_remove(play->game, 6, NULL), ERR_RULE);
    assert_int_equal(game_remove(play->game, 200, NULL), ERR_RULE);
    leave(play, 1);
    assert_int_equal(game_remove(play->game, 1, NULL), ERR_RULE);
    game_abort(play->game);
    listen(play);
    assert_int_equal(game_remove(play->game, 2, NULL), ERR_RULE);
    assert_int_equal(game_set_away(play->game, 6, true, NULL), ERR_RULE);
}

static void an_answer_to_nothing_asked_is_an_error_that_says_so(void **state)
{
    Play *play = voting_by(state, "aiwolf-2021", "VVVSW");
    Err err = {0};

    assert_int_equal(game_answer(play->game, 1, &(Answer){.kind = ASK_TALK}, &err), ERR_RULE);
    assert_string_equal(err.msg, "seat 1 is not asked for a talk");
    vote(play, 1, 2);
    assert_int_equal(try_answer(play, 1, (Answer){.kind = ASK_VOTE, .target = 3}), ERR_RULE);
    assert_int_equal(try_answer(play, 77, (Answer){.kind = ASK_VOTE, .target = 3}), ERR_RULE);
    assert_int_equal(try_answer(play, 2, (Answer){.kind = (AskKind)99}), ERR_RULE);
}

/* docs/spec/nlp-division.md 4.2, 4.4: too many have failed. */
static void an_end_that_is_wanted_comes_when_the_phase_is_over(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "BVVSWVVVV");

    game_end_after_phase(play->game);
    listen(play);
    assert_false(game_over(play->game));
    votes(play, "222222221"); /* the phase goes on to its end */
    assert_winner(play, SIDE_NONE, END_ABORTED);
    assert_int_equal(last(play, EVENT_EXECUTE)->seat, 2);
    assert_false(is_alive(play, 2));
    assert_int_equal(events(play, EVENT_DIVINE) + events(play, EVENT_GUARD), 0);
    assert_int_equal(last(play, EVENT_END)->day, 2);
}

/* 4.4: the abort is tested before the winner. */
static void an_end_that_is_wanted_hides_a_decision_of_the_same_phase(void **state)
{
    Play *play = voting_by(state, "nlp-turn", "BVVSWVVVV");

    game_end_after_phase(play->game);
    votes(play, "555515555");
    assert_winner(play, SIDE_NONE, END_ABORTED);
}

/* 4.2, target: DAILY_FINISH is still sent, and no phase of the night begins. */
static void an_end_that_is_wanted_by_day_still_tells_the_night(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn");
    seats(play, "VVSWP");
    until(play, ASK_TALK);
    game_end_after_phase(play->game);
    forget(play);
    while (asked(play, ASK_TALK))
        all_say(play, "Over");
    assert_winner(play, SIDE_NONE, END_ABORTED);
    assert_string_equal(course(play), "TALK END-OF:talk NIGHT END REVEAL");
    seats(play, "VVSWP"); /* nothing is left of it in the next game */
    until(play, ASK_DIVINE);
    assert_false(game_over(play->game));
}

/* Reads events one by one and compares the day of each with what seats can see at that moment. */
static void views_are_of_the_day_of_the_event(Play *play, const char *letters, bool abort)
{
    Event event;
    Ask ask;
    unsigned nights = 0;

    seats(play, letters);
    for (int calls = 0; calls < 2000 && !game_over(play->game); calls++) {
        while (game_next_event(play->game, &event)) {
            if (event.kind == EVENT_NIGHT || event.kind == EVENT_DAY || event.kind == EVENT_TALK)
                for (SeatNo seat = 1; seat <= game_seat_count(play->game); seat++)
                    assert_int_equal(view_of(play, seat)->day, event.day);
            if (event.kind == EVENT_NIGHT && nights++ == 0 && abort)
                game_end_after_phase(play->game);
        }
        if (!game_first_ask(play->game, &ask))
            continue;
        Answer answer = {.kind = ask.kind, .text = STR("Over")};
        answer.target = seat_first(game_alive(play->game));
        game_answer(play->game, ask.seat, &answer, NULL);
    }
    if (!game_over(play->game) || !nights)
        fail_msg("%s: over %d, %u nights, day %u", letters, game_over(play->game), nights,
                 game_day(play->game));
}

static void whoever_reads_that_night_falls_sees_the_day_it_ends(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn");
    views_are_of_the_day_of_the_event(play, "VVSWP", false);
    views_are_of_the_day_of_the_event(play, "VVSWP", true);
    play->rules.day.phases[0] = play->rules.day.phases[1];
    play->rules.day.count = 1;
    views_are_of_the_day_of_the_event(play, "VVV", false); /* decided by day: no wolf */
    play->rules.night.count = 0;                           /* a night without asks */
    play->rules.end.max_day = 2;
    views_are_of_the_day_of_the_event(play, "VVVWP", false);
    rules_of(play, "aiwolf-2021");
    views_are_of_the_day_of_the_event(play, "VVSWP", false);
}

/* ---- days without a death ---- */

/* A day in which nobody is executed and the wolf names nobody. */
static void quiet_day(Play *play, SeatNo wolf, const char *no_votes)
{
    until(play, ASK_VOTE);
    votes(play, no_votes);
    until(play, ASK_ATTACK);
    lapse(play, ASK_ATTACK, wolf);
}

static void rules_of_quiet_days(Play *play, int32_t max_idle_days)
{
    Ruleset *rules = rules_of(play, "nlp-turn");

    rules->end.max_idle_days = max_idle_days;
    rules->vote.tie = TIE_NOBODY;
    rules->attack.no_vote = NO_VOTE_NOBODY;
    seats(play, "VVVVWVVVV");
}

static void so_many_days_without_a_death_can_end_in_a_draw(void **state)
{
    Play *play = *state;

    rules_of_quiet_days(play, 2);
    quiet_day(play, 5, "---------");
    assert_false(game_over(play->game));
    assert_int_equal(game_day(play->game), 2); /* day 0 was none of them */
    quiet_day(play, 5, "---------");
    assert_winner(play, SIDE_NONE, END_IDLE);
    assert_int_equal(game_day(play->game), 3);
}

static void without_the_rule_quiet_days_go_on(void **state)
{
    Play *play = *state;

    rules_of_quiet_days(play, 0);
    for (int day = 1; day <= 9; day++)
        quiet_day(play, 5, "---------");
    assert_false(game_over(play->game));
    assert_int_equal(game_day(play->game), 10);
}

/* By day and by night, and the count begins anew behind it. */
static void a_death_begins_the_count_of_quiet_days_anew(void **state)
{
    Play *play = *state;

    rules_of_quiet_days(play, 2);
    quiet_day(play, 5, "---------");
    until(play, ASK_VOTE);
    votes(play, "---------");
    attack(play, 5, 9);
    assert_false(game_over(play->game));
    quiet_day(play, 5, "--------");
    until(play, ASK_VOTE);
    votes(play, "88888888");
    until(play, ASK_ATTACK);
    lapse(play, ASK_ATTACK, 5);
    assert_false(game_over(play->game));
    quiet_day(play, 5, "-------");
    assert_false(game_over(play->game));
    quiet_day(play, 5, "-------");
    assert_winner(play, SIDE_NONE, END_IDLE);
}

/* A program plays many games with one Game. */
static void the_next_game_counts_its_own_quiet_days(void **state)
{
    Play *play = *state;

    rules_of_quiet_days(play, 2);
    quiet_day(play, 5, "---------");
    seats(play, "VVVVWVVVV");
    quiet_day(play, 5, "---------");
    assert_false(game_over(play->game));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        play_test(in_the_protocol_division_a_decided_night_goes_on_without_attack),
        play_test(in_natural_language_an_execution_that_decides_ends_the_game_at_once),
        play_test(in_the_protocol_division_parity_by_execution_is_followed_by_the_attack),
        play_test(in_natural_language_parity_by_execution_is_the_end),
        play_test(a_game_that_is_decided_from_the_start_ends_before_day_0),
        play_test(a_natural_language_village_without_wolves_is_one_talk_with_its_daily_finish),
        play_test(the_half_days_turn_is_told_once_a_day),
        play_test(the_check_can_be_moved_to_nights_in_natural_language),
        play_test(the_check_can_be_made_after_every_death),
        play_test(possessed_counts_as_human_and_wins_with_the_wolves),
        play_test(a_living_fox_wins_instead_of_either_side),
        play_test(with_nobody_left_the_order_of_the_tests_decides),
        play_test(with_nobody_left_elimination_is_a_draw),
        play_test(elimination_goes_on_where_parity_ends),
        play_test(the_last_day_allowed_ends_the_game_without_a_winner),
        play_test(the_last_phase_of_the_last_day_may_decide),
        play_test(phases_without_a_death_can_end_in_a_draw),
        play_test(a_game_in_which_nobody_ever_dies_still_ends),
        play_test(so_many_days_without_a_death_can_end_in_a_draw),
        play_test(without_the_rule_quiet_days_go_on),
        play_test(a_death_begins_the_count_of_quiet_days_anew),
        play_test(the_next_game_counts_its_own_quiet_days),
        play_test(an_aborted_game_is_over_without_a_winner_at_any_time),
        play_test(agents_may_wish_for_a_role_where_the_rules_say_so),
        play_test(a_seat_cannot_leave_before_roles_are_dealt_or_after_the_end_or_twice),
        play_test(an_answer_to_nothing_asked_is_an_error_that_says_so),
        play_test(an_end_that_is_wanted_comes_when_the_phase_is_over),
        play_test(an_end_that_is_wanted_hides_a_decision_of_the_same_phase),
        play_test(an_end_that_is_wanted_by_day_still_tells_the_night),
        play_test(whoever_reads_that_night_falls_sees_the_day_it_ends),
    };

    return cmocka_run_group_tests_name("rules of the end", tests, NULL, NULL);
}
