/* test_rules_skip.c - Skip, Over, foreign, empty and missing answers: each rule both ways.
 *
 * Source: docs/spec/protocol-division.md 3.3 and 4 (rows 6, 19); docs/spec/nlp-division.md 5.2. */
#include "play.h"

/* ---- row 6: Skip ---- */

static void the_third_skip_in_a_row_is_over_and_so_is_every_further_one(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    for (int i = 0; i < 4; i++) {
        say(play, 1, "Skip");
        say(play, 2, "a");
        say(play, 3, "Over");
    }
    say(play, 1, "word");
    say(play, 2, "a");
    say(play, 3, "Over");
    say(play, 1, "Skip");
    assert_string_equal(play->heard,
                        "1:Skip 2:a 3:Over 1:Skip 2:a 3:Over 1:Over 2:a 3:Over 1:Over 2:a 3:Over "
                        "1:word 2:a 3:Over 1:Skip");
    assert_int_equal(view_of(play, 1)->talk_left[1], 9);
}

static void all_skip(TalkRules *talk)
{
    talk->skip_rule = SKIP_ALL;
}

static void one_who_skips_beside_one_who_is_over_ends_after_three_turns(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    while (asked(play, ASK_TALK)) {
        say(play, 1, "Skip");
        say(play, 2, "Over");
        say(play, 3, "Over");
    }
    assert_int_equal(events(play, EVENT_TALK), 9);
}

static void by_the_literal_rule_the_same_runs_to_the_last_turn(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VSW", all_skip);

    while (asked(play, ASK_TALK)) {
        say(play, 1, "Skip");
        say(play, 2, "Over");
        say(play, 3, "Over");
    }
    assert_int_equal(events(play, EVENT_TALK), 60);
}

static void by_the_literal_rule_three_turns_of_skips_end_it_and_stay_skips(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VSW", all_skip);

    for (int i = 0; i < 6; i++)
        all_say(play, "Skip");
    all_say(play, "a"); /* begins the count anew */
    for (int i = 0; i < 2; i++)
        all_say(play, "Skip");
    for (int i = 0; i < 9; i++) {
        assert_int_not_equal(asked(play, ASK_TALK), 0);
        all_say(play, "Skip");
    }
    assert_int_equal(asked(play, ASK_TALK), 0);
    assert_int_equal(events(play, EVENT_TALK), 18);
    for (unsigned i = 0; i < 18; i++)
        assert_int_equal(nth(play, EVENT_TALK, i)->talk->skip, i != 6);
}

static void no_skips(TalkRules *talk)
{
    talk->max_skip = 0;
}

static void without_tolerance_every_skip_is_over(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VSW", no_skips);

    all_say(play, "Skip");
    assert_string_equal(play->heard, "1:Over");
    assert_true(last(play, EVENT_TALK)->talk->over);
    assert_false(last(play, EVENT_TALK)->talk->skip);
}

static void skips_cost(TalkRules *talk)
{
    talk->skip_costs = true;
}

static void a_skip_costs_nothing_or_one_utterance(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    say(play, 1, "Skip");
    assert_int_equal(view_of(play, 1)->talk_left[1], 10);
    play = talking_with(state, "aiwolf-2021", "VSW", skips_cost);
    say(play, 1, "Skip");
    assert_int_equal(view_of(play, 1)->talk_left[1], 9);
}

/* ---- exact comparison ---- */

static void skip_and_over_with_a_blank_are_ordinary_and_cost_one(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    say(play, 1, " Over");
    say(play, 2, "Skip ");
    assert_string_equal(play->heard, "1: Over 2:Skip ");
    assert_int_equal(view_of(play, 1)->talk_left[1], 9);
    assert_int_equal(view_of(play, 1)->talk_left[2], 9);
    assert_false(nth(play, EVENT_TALK, 0)->talk->over);
    assert_false(nth(play, EVENT_TALK, 1)->talk->skip);
}

static void a_text_is_recorded_exactly_as_it_came(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    say(play, 1, "  ESTIMATE  Agent[02]   SEER ");
    assert_string_equal(play->heard, "1:  ESTIMATE  Agent[02]   SEER ");
}

static void no_keywords(TalkRules *talk)
{
    talk->keywords = false;
}

static void skip_and_over_can_be_words_like_any_other(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VSW", no_keywords);

    say(play, 1, "Over");
    say(play, 2, "Skip");
    assert_int_equal(view_of(play, 1)->talk_left[1], 9);
    assert_int_equal(view_of(play, 1)->talk_left[2], 9);
    assert_false(nth(play, EVENT_TALK, 0)->talk->over);
    assert_false(nth(play, EVENT_TALK, 1)->talk->skip);
}

/* ---- row 19: foreign sentences, empty and missing answers ---- */

static void no_validation(TalkRules *talk)
{
    talk->validate = false;
}

static void a_sentence_outside_the_language_becomes_skip(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    babble(play, 1, "hello world");
    babble(play, 2, "OVER");
    babble(play, 3, "skip");
    assert_string_equal(play->heard, "1:Skip 2:Skip 3:Skip");
    assert_int_equal(view_of(play, 1)->talk_left[1], 10);
}

static void without_validation_every_sentence_is_taken(void **state)
{
    Play *play = talking_with(state, "aiwolf-2021", "VSW", no_validation);

    babble(play, 1, "hello world");
    assert_string_equal(play->heard, "1:hello world");
    assert_int_equal(view_of(play, 1)->talk_left[1], 9);
}

static void foreign_sentences_use_up_the_skips(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    for (int i = 0; i < 3; i++) {
        babble(play, 1, "?");
        say(play, 2, "a");
        say(play, 3, "Over");
    }
    assert_string_equal(play->heard, "1:Skip 2:a 3:Over 1:Skip 2:a 3:Over 1:Over 2:a 3:Over");
}

static void an_empty_answer_is_skip_in_the_protocol_and_over_in_natural_language(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    say(play, 1, "");
    assert_string_equal(play->heard, "1:Skip");
    play = talking(state, "nlp-turn", "VVSWP");
    say(play, 1, "");
    assert_string_equal(play->heard, "1:Over");
    assert_int_equal(view_of(play, 1)->talk_left[1], 0);
}

static void a_missing_answer_is_over_in_contests_and_skip_in_the_server(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    lapse(play, ASK_TALK, 1);
    assert_string_equal(play->heard, "1:Over");
    play = talking(state, "aiwolf-2019", "VSW");
    lapse(play, ASK_TALK, 1);
    lapse(play, ASK_TALK, 2);
    lapse(play, ASK_TALK, 3);
    assert_string_equal(play->heard, "1:Over 2:Over 3:Over");
    play = talking(state, "aiwolf-server", "VSW");
    lapse(play, ASK_TALK, 1);
    assert_string_equal(play->heard, "1:Skip");
}

static void a_text_longer_than_the_guard_is_skip_or_cut_at_a_character(void **state)
{
    char text[64];

    memset(text, 'x', 63);
    text[63] = '\0';
    memcpy(text + 15, "人", 3); /* the guard's 16th byte is its first */
    Play *play = *state;
    Ruleset *rules = rules_of(play, "aiwolf-2021");
    rules->talk.max_bytes = 16;
    seats(play, "VSW");
    until(play, ASK_TALK);
    forget(play);
    say(play, 1, text);
    assert_string_equal(play->heard, "1:Skip");
    rules->talk.validate = false;
    seats(play, "VSW");
    until(play, ASK_TALK);
    forget(play);
    say(play, 1, text);
    assert_string_equal(play->heard, "1:xxxxxxxxxxxxxxx");
}

/* ---- docs/spec/nlp-division.md 5.2, the table, and 5.1 ---- */

static void a_deliberate_skip_ends_the_day_of_a_natural_language_agent(void **state)
{
    Play *play = talking(state, "nlp-turn", "VVSWP");

    say(play, 1, "Skip");
    assert_string_equal(play->heard, "1:Over");
    assert_int_equal(view_of(play, 1)->talk_left[1], 0);
    say(play, 2, "ForceSkip");
    assert_string_equal(play->heard, "1:Over 2:Over");
}

static void budget_of_one(TalkRules *talk)
{
    talk->max_skip = 1;
}

static void a_budget_of_skips_is_refilled_by_other_talk(void **state)
{
    Play *play = talking_with(state, "nlp-turn", "VVSWP", budget_of_one);
    static const char *const texts[] = {"Skip", "hello", "ForceSkip", "Skip"};

    for (int i = 0; i < 4; i++) {
        say(play, 1, texts[i]);
        assert_int_equal(view_of(play, 1)->talk_left[1], 3 - i);
        if (i < 3)
            for (SeatNo seat = 2; seat <= 5; seat++)
                say(play, seat, "a");
    }
    assert_string_equal(play->heard,
                        "1:Skip 2:a 3:a 4:a 5:a 1:hello 2:a 3:a 4:a 5:a 1:Skip 2:a 3:a 4:a 5:a "
                        "1:Over");
}

static void a_missing_reply_is_skip_costs_one_and_no_skip(void **state)
{
    Play *play = talking_with(state, "nlp-turn", "VVSWP", budget_of_one);

    lapse(play, ASK_TALK, 1);
    assert_string_equal(play->heard, "1:Skip");
    assert_int_equal(view_of(play, 1)->talk_left[1], 3);
    for (SeatNo seat = 2; seat <= 5; seat++)
        say(play, seat, "Over");
    say(play, 1, "Skip");
    assert_int_equal(view_of(play, 1)->talk_left[1], 2);
    say(play, 1, "Skip");
    assert_string_equal(play->heard, "1:Skip 2:Over 3:Over 4:Over 5:Over 1:Skip 1:Over");
}

static void force_skip_is_a_word_in_the_protocol_division(void **state)
{
    Play *play = talking(state, "aiwolf-2021", "VSW");

    babble(play, 1, "ForceSkip");
    assert_string_equal(play->heard, "1:Skip");
    say(play, 2, "ForceSkip");
    assert_string_equal(play->heard, "1:Skip 2:ForceSkip");
}

static void over_with_anything_else_is_ordinary_text(void **state)
{
    Play *play = talking(state, "nlp-turn", "VVSWP");

    say(play, 1, "Over.");
    say(play, 2, "I have nothing. Over");
    say(play, 3, "over");
    assert_string_equal(play->heard, "1:Over. 2:I have nothing. Over 3:over");
    assert_int_equal(view_of(play, 1)->talk_left[2], 3);
}

static void who_is_over_is_left_out_of_later_rounds_until_nobody_speaks(void **state)
{
    Play *play = talking(state, "nlp-turn", "VVSWP");

    say(play, 1, "Over");
    for (SeatNo seat = 2; seat <= 5; seat++)
        say(play, seat, "a");
    assert_seats(asked(play, ASK_TALK), "2");
    for (int i = 0; i < 12; i++)
        all_say(play, "b");
    assert_int_equal(asked(play, ASK_TALK), 0);
    assert_int_equal(events(play, EVENT_TALK), 17);
    assert_int_equal(last(play, EVENT_TALK)->talk->turn, 3);
}

static void per_day_limits_rounds(TalkRules *talk)
{
    talk->max_turns = 2;
}

static void rounds_and_not_utterances_are_counted(void **state)
{
    Play *play = talking_with(state, "nlp-turn", "VVSWP", per_day_limits_rounds);

    while (asked(play, ASK_TALK))
        all_say(play, "a");
    assert_int_equal(events(play, EVENT_TALK), 10);
}

static void long_talk_is_cut_and_counted_without_blanks(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn")->talk.length.base_length = 5;
    seats(play, "VVSWP");
    until(play, ASK_TALK);
    forget(play);
    say(play, 1, "a b c d e f");
    say(play, 2, "   ");
    assert_string_equal(play->heard, "1:a b c d e 2:   ");
}

/* Bots of the same process hear no more than agents behind a wire, who have the text alone. */
static void of_what_was_cut_nobody_has_the_sentence(void **state)
{
    static const char sentence[] = "stands for what was parsed";
    const struct Sentence *parsed = (const void *)sentence;
    Play *play = *state;

    rules_of(play, "nlp-turn")->talk.length.base_length = 12;
    seats(play, "VVSWP");
    until(play, ASK_TALK);
    forget(play);
    try_answer(play, 1,
               (Answer){.kind = ASK_TALK, .text = STR("VOTE Agent[02]"), .sentence = parsed});
    try_answer(play, 2, (Answer){.kind = ASK_TALK, .text = STR("AGREE"), .sentence = parsed});
    assert_string_equal(play->heard, "1:VOTE Agent[02 2:AGREE");
    assert_null(nth(play, EVENT_TALK, 0)->talk->sentence);
    assert_ptr_equal(nth(play, EVENT_TALK, 1)->talk->sentence, parsed);
}

static void who_has_used_up_its_length_is_not_asked_again(void **state)
{
    Play *play = *state;

    Ruleset *rules = rules_of(play, "nlp-turn");
    rules->talk.length = (LengthRules){
        .per_talk = LIMIT_NONE, .per_agent = 4, .base_length = 2, .mention_length = 2};
    seats(play, "VVSWP");
    until(play, ASK_TALK);
    forget(play);
    say(play, 1, "abcdefgh");
    for (SeatNo seat = 2; seat <= 5; seat++)
        say(play, seat, "a");
    assert_string_equal(play->heard, "1:abcdef 2:a 3:a 4:a 5:a");
    assert_seats(asked(play, ASK_TALK), "2");
}

static void without_a_limit_of_length_nothing_is_cut(void **state)
{
    Play *play = *state;

    Ruleset *rules = rules_of(play, "nlp-turn");
    rules->talk.length = (LengthRules){.per_talk = LIMIT_NONE,
                                       .per_agent = LIMIT_NONE,
                                       .base_length = LIMIT_NONE,
                                       .mention_length = LIMIT_NONE};
    seats(play, "VVSWP");
    until(play, ASK_TALK);
    forget(play);
    say(play, 1, "0123456789012345678901234567890123456789012345678901234567890123456789");
    assert_int_equal(last(play, EVENT_TALK)->talk->text.len, 70);
}

/* docs/spec/nlp-division.md 5.2, the cell marked [V]: A ends the agent's day, C takes one
 * utterance. */
static void an_empty_text_ends_the_day_or_costs_one_utterance(void **state)
{
    Play *play = *state;

    for (int final = 0; final < 2; final++) {
        rules_of(play, "nlp-turn")->talk.empty_is_final = final;
        seats(play, "VVSWP");
        until(play, ASK_TALK);
        forget(play);
        say(play, 1, "");
        assert_int_equal(view_of(play, 1)->talk_left[1], final ? 0 : 3);
        for (SeatNo seat = 2; seat <= 5; seat++)
            say(play, seat, "a");
        assert_seats(asked(play, ASK_TALK), final ? "2" : "1");
        assert_string_equal(play->heard, "1:Over 2:a 3:a 4:a 5:a");
    }
}

static void an_empty_text_refills_the_budget_of_skips(void **state)
{
    Play *play = *state;

    TalkRules *talk = &rules_of(play, "nlp-turn")->talk;
    talk->empty_is_final = false;
    talk->max_skip = 1;
    seats(play, "VVSWP");
    until(play, ASK_TALK);
    forget(play);
    static const char *const words[] = {"Skip", "", "Skip", "Skip"};
    for (int i = 0; i < 4; i++) {
        say(play, 1, words[i]);
        for (SeatNo seat = 2; seat <= 5 && i < 3; seat++)
            say(play, seat, "a");
    }
    assert_string_equal(play->heard, "1:Skip 2:a 3:a 4:a 5:a 1:Over 2:a 3:a 4:a 5:a "
                                     "1:Skip 2:a 3:a 4:a 5:a 1:Over");
}

static void in_turns_force_skip_is_skip_whatever_it_costs_at_any_time(void **state)
{
    Play *play = *state;

    rules_of(play, "nlp-turn")->talk.force_skip_is_free = true;
    seats(play, "VVSWP");
    until(play, ASK_TALK);
    forget(play);
    say(play, 1, "ForceSkip");
    assert_string_equal(play->heard, "1:Over");
}

/* 5.3: the rules differ in which of several mentions opens the second allowance. */
static void the_rule_of_mentions_reaches_the_talk(void **state)
{
    static const char *const heard[] = {"3: @Maya  wxyz", "3: @May a wxyz", "3:@Maya wx @Jo "};
    Play *play = *state;

    play->setup.names[1] = STR("Jo");
    play->setup.names[2] = STR("May");
    play->setup.names[3] = STR("Ann");
    play->setup.names[4] = STR("Maya");
    play->setup.names[5] = STR("Bob");
    play->pick[CHANCE_TALK_NEXT] = 3;
    for (int kind = MENTION_LONGEST; kind <= MENTION_LOWEST; kind++) {
        TalkRules *talk = &rules_of(play, "nlp-turn")->talk;
        talk->length.mention = kind;
        talk->length.base_length = 8;
        talk->length.mention_length = 4 + (kind == MENTION_SEAT);
        seats(play, "VVSWP");
        until(play, ASK_TALK);
        forget(play);
        say(play, 3, kind == MENTION_LOWEST ? "@Maya wx@Jo" : "@Maya wxyz@Jo");
        assert_string_equal(play->heard, heard[kind]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        play_test(the_third_skip_in_a_row_is_over_and_so_is_every_further_one),
        play_test(one_who_skips_beside_one_who_is_over_ends_after_three_turns),
        play_test(by_the_literal_rule_the_same_runs_to_the_last_turn),
        play_test(by_the_literal_rule_three_turns_of_skips_end_it_and_stay_skips),
        play_test(without_tolerance_every_skip_is_over),
        play_test(a_skip_costs_nothing_or_one_utterance),
        play_test(skip_and_over_with_a_blank_are_ordinary_and_cost_one),
        play_test(a_text_is_recorded_exactly_as_it_came),
        play_test(skip_and_over_can_be_words_like_any_other),
        play_test(a_sentence_outside_the_language_becomes_skip),
        play_test(without_validation_every_sentence_is_taken),
        play_test(foreign_sentences_use_up_the_skips),
        play_test(an_empty_answer_is_skip_in_the_protocol_and_over_in_natural_language),
        play_test(a_missing_answer_is_over_in_contests_and_skip_in_the_server),
        play_test(a_text_longer_than_the_guard_is_skip_or_cut_at_a_character),
        play_test(a_deliberate_skip_ends_the_day_of_a_natural_language_agent),
        play_test(a_budget_of_skips_is_refilled_by_other_talk),
        play_test(a_missing_reply_is_skip_costs_one_and_no_skip),
        play_test(force_skip_is_a_word_in_the_protocol_division),
        play_test(over_with_anything_else_is_ordinary_text),
        play_test(who_is_over_is_left_out_of_later_rounds_until_nobody_speaks),
        play_test(rounds_and_not_utterances_are_counted),
        play_test(long_talk_is_cut_and_counted_without_blanks),
        play_test(of_what_was_cut_nobody_has_the_sentence),
        play_test(who_has_used_up_its_length_is_not_asked_again),
        play_test(without_a_limit_of_length_nothing_is_cut),
        play_test(an_empty_text_ends_the_day_or_costs_one_utterance),
        play_test(an_empty_text_refills_the_budget_of_skips),
        play_test(in_turns_force_skip_is_skip_whatever_it_costs_at_any_time),
        play_test(the_rule_of_mentions_reaches_the_talk),
    };

    return cmocka_run_group_tests_name("rules of Skip and Over", tests, NULL, NULL);
}
