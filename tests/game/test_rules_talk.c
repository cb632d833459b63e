/* test_rules_talk.c - exchange, order, turns, allowances, whispers: each rule both ways.
 *
 * Source: docs/spec/protocol-division.md 3.3, 3.4 and 4 (rows 1 to 5, 7 to 9);
 *         docs/spec/nlp-division.md 5.1.
 */
#include "play.h"

/* ---- row 1: exchange ---- */

static void in_2021_each_speaker_has_heard_what_was_said_before(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VVSWP");

    assert_seats(asked(play, ASK_TALK), "1");
    say(play, 1, "first");
    assert_seats(asked(play, ASK_TALK), "2");
    assert_int_equal(view_of(play, 2)->talk->count, 1);
    assert_true(str_eq(view_of(play, 2)->talk->items[0].text, STR("first")));
    assert_string_equal(play->heard, "1:first");
}

static void in_2019_a_turn_is_revealed_when_it_is_over(void **state)
{
    Play *play = talking(state, "aiwolf-2019", "VVSWP");

    assert_seats(asked(play, ASK_TALK), "12345");
    for (SeatNo seat = 1; seat < 5; seat++) {
        say(play, seat, "word");
        assert_int_equal(view_of(play, 5)->talk->count, 0);
        assert_int_equal(view_of(play, 5)->talk_left[seat], 10);
        assert_string_equal(play->heard, "");
    }
    say(play, 5, "word");
    assert_string_equal(play->heard, "1:word 2:word 3:word 4:word 5:word");
    assert_int_equal(view_of(play, 5)->talk->count, 5);
}

static void in_2019_order_within_a_turn_is_drawn_and_not_that_of_arrival(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2019");
    play->order[CHANCE_TALK_NEXT] = 1;
    seats(play, "VVSWP");
    until(play, ASK_TALK);
    static const SeatNo arrival[] = {3, 1, 5, 2, 4};
    for (int i = 0; i < 5; i++)
        say(play, arrival[i], "a");
    assert_string_equal(play->heard, "5:a 4:a 3:a 2:a 1:a");
}

static void servers_differ_for_whispers_in_the_same_way(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2019");
    seats(play, "VVVSWWV");
    until(play, ASK_WHISPER);
    assert_seats(asked(play, ASK_WHISPER), "56");
    rules_of(play, "aiwolf-2021");
    seats(play, "VVVSWWV");
    until(play, ASK_WHISPER);
    assert_seats(asked(play, ASK_WHISPER), "5");
}

/* ---- row 2: order ---- */

static void order_is_shuffled_every_turn(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VVSWP");

    for (SeatNo seat = 1; seat <= 5; seat++)
        say(play, seat, "a");
    play->order[CHANCE_TALK_NEXT] = 1;
    /* the first of the next turn was drawn already */
    for (int i = 0; i < 5; i++)
        all_say(play, "b");
    assert_string_equal(play->heard, "1:a 2:a 3:a 4:a 5:a 1:b 5:b 4:b 3:b 2:b");
}

static void session_order(TalkRules *talk)
{
    talk->order = ORDER_SESSION;
}

static void order_can_be_shuffled_once_a_session(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VVSWP", session_order);

    play->order[CHANCE_TALK_NEXT] = 1;
    for (int i = 0; i < 10; i++)
        all_say(play, "a");
    assert_string_equal(play->heard, "1:a 2:a 3:a 4:a 5:a 1:a 2:a 3:a 4:a 5:a");
    assert_int_equal(play->drawn[CHANCE_TALK_NEXT], 5);
}

static void natural_language_keeps_one_order_per_session_and_draws_another_next_day(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn");
    play->pick[CHANCE_TALK_NEXT] = 4;
    seats(play, "VVSWP");
    until(play, ASK_TALK);
    forget(play);
    for (int i = 0; i < 10; i++)
        all_say(play, "a");
    assert_string_equal(play->heard, "4:a 1:a 2:a 3:a 5:a 4:a 1:a 2:a 3:a 5:a");
    play->pick[CHANCE_TALK_NEXT] = 2;
    until_day(play, 1);
    assert_seats(asked(play, ASK_TALK), "2");
}

/* ---- row 3: utterances ---- */

static void two_each(TalkRules *talk)
{
    talk->max_per_agent = 2;
}

static void two_each_in_silence(TalkRules *talk)
{
    talk->max_per_agent = 2;
    talk->spent_says_over = false;
}

static void who_has_nothing_left_is_not_asked_and_counts_as_over(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VSW", two_each);

    say(play, 1, "a");
    say(play, 2, "Skip");
    say(play, 3, "Over");
    say(play, 1, "b");
    assert_int_equal(view_of(play, 2)->talk_left[1], 0);
    assert_int_equal(view_of(play, 2)->talk_left[2], 2);
    say(play, 2, "Skip");
    say(play, 3, "Over");
    assert_seats(asked(play, ASK_TALK), "2");
    assert_string_equal(play->heard, "1:a 2:Skip 3:Over 1:b 2:Skip 3:Over 1:Over");
    say(play, 2, "Over");
    say(play, 3, "Over");
    assert_int_equal(asked(play, ASK_TALK), 0);
}

static void who_has_nothing_left_can_be_left_out_silently(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VSW", two_each_in_silence);

    for (int i = 0; i < 2; i++) {
        say(play, 1, "a");
        say(play, 2, "Skip");
        say(play, 3, "Skip");
    }
    assert_seats(asked(play, ASK_TALK), "2");
    say(play, 2, "a");
    assert_string_equal(play->heard, "1:a 2:Skip 3:Skip 1:a 2:Skip 3:Skip 2:a");
}

static void ten_utterances_are_the_limit_of_all_aiwolf_presets_of_the_protocol(void **state)
{
    static const char *const presets[] = {"aiwolf-2019", "aiwolf-2021", "aiwolf-server"};

    for (int i = 0; i < 3; i++) {
        Play *play = talking(state, presets[i], "VSW");
        while (asked(play, ASK_TALK))
            all_say(play, "a");
        assert_int_equal(events(play, EVENT_TALK), 33); /* and a turn of nothing but Over */
        assert_true(str_eq(last(play, EVENT_TALK)->talk->text, STR("Over")));
        assert_int_equal(last(play, EVENT_TALK)->talk->turn, 10);
        assert_int_equal(last(play, EVENT_TALK)->talk->idx, 32);
    }
}

static void a_session_without_limit_of_utterances_ends_with_its_turns(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021")->talk.max_per_agent = LIMIT_NONE;
    seats(play, "VSW");
    until(play, ASK_TALK);
    forget(play);
    while (asked(play, ASK_TALK))
        all_say(play, "a");
    assert_int_equal(events(play, EVENT_TALK), 60);
}

/* ---- row 4: turns ---- */

static void three_turns(TalkRules *talk)
{
    talk->max_turns = 3;
}

static void no_turns(TalkRules *talk)
{
    talk->max_turns = 0;
}

static void a_session_ends_with_its_last_turn(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VSW", three_turns);

    for (int i = 0; i < 9; i++)
        all_say(play, "a");
    assert_int_equal(events(play, EVENT_TALK), 9);
    assert_int_equal(last(play, EVENT_TALK)->talk->turn, 2);
    assert_int_equal(asked(play, ASK_TALK), 0);
    assert_seats(asked(play, ASK_VOTE), "123");
}

static void without_turns_there_is_no_session(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VSW", no_turns);

    assert_true(game_over(play->game));
    assert_int_equal(events(play, EVENT_TALK), 0);
}

static void twenty_turns_of_skipping_wolves_are_the_limit(void **state)
{
    Play *play = *state;

    Ruleset *rules = rules_of(play, "aiwolf-2021");
    rules->talk.max_skip = 100;
    seats(play, "VSW");
    until(play, ASK_TALK);
    forget(play);
    while (asked(play, ASK_TALK))
        all_say(play, "Skip");
    assert_int_equal(events(play, EVENT_TALK), 60);
}

/* ---- row 5: Over ---- */

static void a_turn_of_nothing_but_over_ends_the_session(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    all_say(play, "Over");
    all_say(play, "Over");
    all_say(play, "Skip");
    assert_seats(asked(play, ASK_TALK), "1");
    for (int i = 0; i < 3; i++)
        all_say(play, "Over");
    assert_int_equal(asked(play, ASK_TALK), 0);
    assert_int_equal(events(play, EVENT_TALK), 6);
}

static void over_is_not_final_in_the_protocol_division(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    say(play, 1, "Over");
    say(play, 2, "a");
    say(play, 3, "a");
    say(play, 1, "back again");
    assert_string_equal(play->heard, "1:Over 2:a 3:a 1:back again");
    assert_int_equal(view_of(play, 1)->talk_left[1], 9);
}

static void over_final(TalkRules *talk)
{
    talk->over_is_final = true;
}

static void over_can_be_final(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VSW", over_final);

    say(play, 1, "Over");
    assert_int_equal(view_of(play, 1)->talk_left[1], 0);
    say(play, 2, "a");
    say(play, 3, "a");
    assert_seats(asked(play, ASK_TALK), "2");
}

static void over_neither_counts_as_skip_nor_forgives_one(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");
    static const char *const texts[] = {"Skip", "Over", "Skip", "Over", "Skip"};

    for (int i = 0; i < 5; i++) {
        say(play, 1, texts[i]);
        say(play, 2, "a");
        say(play, 3, "Over");
    }
    assert_string_equal(play->heard, "1:Skip 2:a 3:Over 1:Over 2:a 3:Over 1:Skip 2:a 3:Over "
                                     "1:Over 2:a 3:Over 1:Over 2:a 3:Over");
}

/* ---- rows 7, 8, 9: whispers and day 0 ---- */

static void whispers_have_limits_of_their_own(void **state)
{
    Play *play = *state;

    Ruleset *rules = rules_of(play, "aiwolf-2021");
    rules->whisper.max_per_agent = 1;
    rules->whisper.max_turns = 3;
    seats(play, "VVVSWWV");
    until(play, ASK_WHISPER);
    forget(play);
    assert_int_equal(view_of(play, 5)->whisper_left[5], 1);
    whisper(play, 5, "a");
    whisper(play, 6, "Skip");
    whisper(play, 6, "Skip");
    whisper(play, 6, "Skip");
    assert_string_equal(play->heard_whisper,
                        "5:a 6:Skip 5:Over 6:Skip 5:Over 6:Over"); /* the third Skip */
    assert_int_equal(asked(play, ASK_WHISPER), 0);
    assert_int_equal(view_of(play, 5)->talk_left[5], 10);
}

static void there_is_no_talk_on_day_0_unless_the_phases_say_so(void **state)
{
    Play *play = *state;

    Ruleset *rules = rules_of(play, "aiwolf-2021");
    seats(play, "VSW");
    until(play, ASK_TALK);
    assert_int_equal(game_day(play->game), 1);
    rules->day.phases[0].except_day = DAY_ANY;
    seats(play, "VSW");
    until(play, ASK_TALK);
    assert_int_equal(game_day(play->game), 0);
}

static void talk_on_day_0_is_the_rule_of_natural_language(void **state)
{
    Play *play = talking(state, "nlp-turn", "VVSWP");

    assert_int_equal(game_day(play->game), 0);
}

static void wolves_whisper_before_the_divination_on_day_0_and_after_it_later(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021");
    seats(play, "VVVSWWVB");
    until_day(play, 1);
    assert_string_equal(course(play),
                        "ROLE DAY NIGHT PHASE:whisper WHISPER END-OF:whisper PHASE:divine "
                        "DAY PHASE:talk");
    forget(play);
    until_day(play, 2);
    assert_string_equal(course(play),
                        "TALK END-OF:talk NIGHT PHASE:execution VOTE EXECUTE "
                        "PHASE:divine PHASE:whisper WHISPER END-OF:whisper PHASE:guard "
                        "PHASE:attack ATTACK DEATH DAY PHASE:talk");
}

static void natural_language_whispers_in_the_morning_and_evening_of_day_0(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn");
    seats(play, "VVVSWWVBM");
    until_day(play, 1);
    assert_string_equal(course(play),
                        "ROLE DAY PHASE:whisper WHISPER END-OF:whisper PHASE:talk TALK "
                        "END-OF:talk NIGHT PHASE:whisper WHISPER END-OF:whisper PHASE:divine "
                        "DAY PHASE:talk");
}

static void a_lone_wolf_does_not_whisper_unless_one_is_enough(void **state)
{
    Play *play = *state;

    Ruleset *rules = rules_of(play, "aiwolf-2021");
    seats(play, "VVVSW");
    until_day(play, 3);
    assert_int_equal(events(play, EVENT_WHISPER), 0);
    assert_null(strstr(course(play), "whisper"));
    rules->whisper.min_participants = 1;
    seats(play, "VVVSW");
    until(play, ASK_WHISPER);
    assert_seats(asked(play, ASK_WHISPER), "5");
}

static void an_executed_wolf_does_not_whisper_any_more(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021");
    seats(play, "VVVVSWWW");
    until(play, ASK_VOTE);
    votes(play, "66666166");
    until(play, ASK_WHISPER);
    assert_seats(asked(play, ASK_WHISPER), "7");
    whisper(play, 7, "a");
    assert_seats(asked(play, ASK_WHISPER), "8");
    whisper(play, 8, "a");
    assert_seats(asked(play, ASK_WHISPER), "7");
}

static void whispers_reach_wolves_only_and_start_afresh_each_session(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021");
    seats(play, "VVVSWWV");
    until(play, ASK_WHISPER);
    whisper(play, 5, "secret");
    assert_seats(last(play, EVENT_WHISPER)->known_to, "56");
    assert_int_equal(view_of(play, 6)->whisper->count, 1);
    for (SeatNo seat = 1; seat <= 7; seat++)
        if (seat != 5 && seat != 6)
            assert_int_equal(view_of(play, seat)->whisper->count, 0);
    assert_null(view_of(play, 1)->whisper_left);
    assert_int_equal(view_of(play, 6)->whisper_left[5], 9);
    until_day(play, 1);
    until(play, ASK_WHISPER);
    assert_int_equal(view_of(play, 6)->whisper_left[5], 10);
    assert_int_equal(view_of(play, 6)->whisper->count, 0);
}

static void two_more(TalkRules *talk)
{
    talk->min_participants = 2;
}

static void a_talk_needs_its_least_number_of_participants(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VSW", two_more);

    assert_seats(asked(play, ASK_TALK), "1");
    seats(play, "VSW");
    away(play, 1);
    away(play, 2);
    until(play, ASK_VOTE);
    assert_int_equal(events(play, EVENT_TALK), 0);
}

static void idx_counts_the_day_and_turn_the_session(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-2021");
    seats(play, "VSW");
    until(play, ASK_TALK);
    all_say(play, "a");
    all_say(play, "a");
    all_say(play, "a");
    all_say(play, "a");
    const Talk *talk = last(play, EVENT_TALK)->talk;
    assert_int_equal(talk->idx, 3);
    assert_int_equal(talk->turn, 1);
    assert_int_equal(talk->day, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        play_test(in_2021_each_speaker_has_heard_what_was_said_before),
        play_test(in_2019_a_turn_is_revealed_when_it_is_over),
        play_test(in_2019_order_within_a_turn_is_drawn_and_not_that_of_arrival),
        play_test(servers_differ_for_whispers_in_the_same_way),
        play_test(order_is_shuffled_every_turn),
        play_test(order_can_be_shuffled_once_a_session),
        play_test(natural_language_keeps_one_order_per_session_and_draws_another_next_day),
        play_test(who_has_nothing_left_is_not_asked_and_counts_as_over),
        play_test(who_has_nothing_left_can_be_left_out_silently),
        play_test(ten_utterances_are_the_limit_of_all_aiwolf_presets_of_the_protocol),
        play_test(a_session_without_limit_of_utterances_ends_with_its_turns),
        play_test(a_session_ends_with_its_last_turn),
        play_test(without_turns_there_is_no_session),
        play_test(twenty_turns_of_skipping_wolves_are_the_limit),
        play_test(a_turn_of_nothing_but_over_ends_the_session),
        play_test(over_is_not_final_in_the_protocol_division),
        play_test(over_can_be_final),
        play_test(over_neither_counts_as_skip_nor_forgives_one),
        play_test(whispers_have_limits_of_their_own),
        play_test(there_is_no_talk_on_day_0_unless_the_phases_say_so),
        play_test(talk_on_day_0_is_the_rule_of_natural_language),
        play_test(wolves_whisper_before_the_divination_on_day_0_and_after_it_later),
        play_test(natural_language_whispers_in_the_morning_and_evening_of_day_0),
        play_test(a_lone_wolf_does_not_whisper_unless_one_is_enough),
        play_test(an_executed_wolf_does_not_whisper_any_more),
        play_test(whispers_reach_wolves_only_and_start_afresh_each_session),
        play_test(a_talk_needs_its_least_number_of_participants),
        play_test(idx_counts_the_day_and_turn_the_session),
    };

    return cmocka_run_group_tests_name("rules of talk", tests, NULL, NULL);
}
