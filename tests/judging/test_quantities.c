#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judging/quantities.h"

#define HEAD                                                                                       \
    "0,status,1,SEER,ALIVE,a1,Mio\n0,status,2,VILLAGER,ALIVE,b1,ミナト\n"                       \
    "0,status,3,WEREWOLF,ALIVE,c1,May\n0,status,4,VILLAGER,ALIVE,d1,Mayor\n"                       \
    "0,status,5,POSSESSED,ALIVE,e1,Ken\n"

static void measure_log(const char *log, SeatQuantities ret[static SEAT_MAX + 1])
{
    CLEANUP(judge_game_done) JudgeGame game = {0};
    Err err = {0};

    if (judge_game_read(str_of(log), STR(""), &game, &err) || quantities_measure(&game, ret, &err))
        fail_msg("%s", err.msg);
}

static void a_line_said_again_is_repeated(void **state)
{
    SeatQuantities all[SEAT_MAX + 1];
    (void)state;

    measure_log(
        HEAD "1,talk,0,0,1,I trust nobody here today.,1778646866\n"
             "1,talk,1,0,2,I trust nobody here today.,1778646867\n"    /* somebody else's */
             "1,talk,2,1,1,I TRUST nobody   here, today!,1778646868\n" /* folded */
             "1,talk,3,1,2,I trust Mio.,1778646869\n"
             "1,talk,4,2,1,Let us wait for what the seer found out tonight I say.,1778646870\n"
             "2,talk,0,0,1,Let us wait for what the seer found out tonight I say so.,1778646871\n"
             "2,talk,1,0,2,Skip,1778646872\n"
             "2,talk,2,1,2,Over,1778646873\n"
             "2,talk,3,1,2,Over,1778646874\n",
        all);
    assert_int_equal(all[1].utterances, 4);
    assert_int_equal(all[1].passes, 0);
    assert_int_equal(all[1].repeated, 2); /* one equal, one with 0.9 of its trigrams */
    assert_int_equal(all[2].utterances, 5);
    assert_int_equal(all[2].passes, 3);
    assert_int_equal(all[2].repeated, 0); /* Skip and Over are no lines */
    assert_float_equal(quantity_share(all[1].repeated, all[1].utterances), 0.5, 0);
    assert_float_equal(quantity_share(0, 0), 0, 0);
}

static void a_name_that_nobody_has_is_unknown(void **state)
{
    SeatQuantities all[SEAT_MAX + 1];
    (void)state;

    measure_log(HEAD "1,talk,0,0,1,@Mayor and @May I trust you.,1778646866\n"
                     "1,talk,1,0,1,@Bob what do you say?,1778646867\n"
                     "1,talk,2,0,1,write to me a@b.org @ home,1778646868\n"
                     "1,talk,3,0,2,@タクミ さんはどう思いますか,1778646869\n"
                     "1,talk,4,0,2,ミナトさんとタクミさんが怪しい,1778646870\n"
                     "1,talk,5,0,2,ミナトさんは静かだった。メイドさんは言い過ぎ,1778646871\n"
                     "1,talk,6,0,2,皆さん、おはよう。ゲームを始めよう,1778646872\n",
                all);
    assert_int_equal(all[1].unknown, 1);
    assert_int_equal(all[2].unknown, 3);
}

static void a_mention_is_answered_at_the_next_turn(void **state)
{
    SeatQuantities all[SEAT_MAX + 1];
    (void)state;

    measure_log(HEAD "1,talk,0,0,1,@May why so quiet?,1778646866\n"
                     "1,talk,1,0,3,Mio I only listen.,1778646867\n" /* answered */
                     "1,talk,2,1,1,@Mayor and you?,1778646868\n"
                     "1,talk,3,1,4,I said all.,1778646869\n"          /* not */
                     "1,talk,4,1,4,Mio is right.,1778646870\n"        /* too late */
                     "1,talk,5,2,1,@Ken what about you?,1778646871\n" /* has no turn today */
                     "2,talk,0,0,5,Mio asked me.,1778646872\n"
                     "2,talk,1,0,3,@May is what they call me.,1778646873\n", /* to itself */
                all);
    assert_int_equal(all[3].mentioned, 1);
    assert_int_equal(all[3].answered, 1);
    assert_int_equal(all[4].mentioned, 1);
    assert_int_equal(all[4].answered, 0);
    assert_int_equal(all[5].mentioned, 0);
    assert_int_equal(all[1].mentioned, 0);
}

static void grams_are_words_and_characters(void **state)
{
    SeatQuantities all[SEAT_MAX + 1];
    (void)state;

    measure_log(HEAD "1,talk,0,0,1,The cat and the dog.,1778646866\n"
                     "1,talk,1,0,1,the cat!,1778646867\n"
                     "1,talk,2,0,2,はいはい,1778646868\n",
                all);
    assert_int_equal(all[1].grams[0], 7); /* the cat and the dog | the cat */
    assert_int_equal(all[1].distinct[0], 4);
    assert_int_equal(all[1].grams[1], 5); /* none goes over the end of a line */
    assert_int_equal(all[1].distinct[1], 4);
    assert_int_equal(all[2].grams[0], 4);
    assert_int_equal(all[2].distinct[0], 2);
    assert_int_equal(all[2].grams[1], 3);
    assert_int_equal(all[2].distinct[1], 2);
}

static void a_vote_follows_a_suspicion_of_the_day(void **state)
{
    SeatQuantities all[SEAT_MAX + 1];
    (void)state;

    measure_log(HEAD "1,talk,0,0,1,I suspect Ken.,1778646866\n"
                     "1,talk,1,0,2,Kenさんが怪しい,1778646867\n"
                     "1,talk,2,0,3,Kennys and Bobken look suspicious,1778646868\n"
                     "1,vote,1,5\n1,vote,2,3\n1,vote,3,5\n"
                     "1,vote,1,5\n1,vote,2,5\n1,vote,3,5\n" /* the second ballot counts */
                     "2,talk,0,0,1,Good morning.,1778646869\n"
                     "2,talk,1,0,5,I vote for Mayor.,1778646870\n"
                     "2,vote,1,5\n2,vote,5,3\n",
                all);
    assert_int_equal(all[5].suspects, 0); /* May is not in Mayor */
    assert_int_equal(all[1].votes, 2);
    assert_int_equal(all[1].suspects, 1);
    assert_int_equal(all[2].votes, 1);
    assert_int_equal(all[2].suspects, 1);
    assert_int_equal(all[3].votes, 1);
    assert_int_equal(all[3].suspects, 0);
}

static void cut_lines_are_those_that_had_more(void **state)
{
    static const char json[] =
        "{\"agents\":[],\"entries\":["
        "{\"agent\":\"Mio\",\"request\":\"{\\\"request\\\":\\\"TALK\\\"}\",\"response\":\"abcdefgh "
        "i\"},"
        "{\"agent\":\"Mio\",\"request\":\"{\\\"request\\\":\\\"VOTE\\\"}\",\"response\":\"Ken\"},"
        "{\"agent\":\"Mio\",\"request\":\"{\\\"request\\\":\\\"TALK\\\"}\",\"response\":\"x @Ken "
        "y\"},"
        "{\"agent\":\"Mio\",\"request\":\"{\\\"request\\\":\\\"TALK\\\"}\",\"error\":\"late\"},"
        "{\"agent\":\"May\",\"request\":\"\\\"TALK\\\"\",\"response\":\"free\"}],"
        "\"game_id\":\"x\",\"win_side\":\"NONE\"}";
    static const char log[] = HEAD "1,talk,0,0,1,abcde,1778646866\n"
                                   "1,talk,1,0,1,x  @Ken  y,1778646867\n"
                                   "1,talk,2,0,1,Skip,1778646868\n"
                                   "1,talk,3,0,3,free,1778646869\n";
    CLEANUP(judge_game_done) JudgeGame game = {0};
    SeatQuantities all[SEAT_MAX + 1];
    Err err = {0};
    (void)state;

    if (judge_game_read(str_of(log), str_of(json), &game, &err) ||
        quantities_measure(&game, all, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(all[1].cut, 1);
    assert_int_equal(all[3].cut, 0);
}

static void a_json_log_that_is_none_is_an_error(void **state)
{
    static const char *const texts[] = {"[",
                                        "{\"entries\":[{\"agent\":\"Mio\",\"request\":\"{\"}]}"};
    (void)state;

    for (size_t i = 0; i < 2; i++) {
        CLEANUP(judge_game_done) JudgeGame game = {0};
        Err err = {0};
        assert_int_equal(judge_game_read(STR(HEAD "1,talk,0,0,1,hello there,1778646866\n"),
                                         str_of(texts[i]), &game, &err),
                         ERR_SYNTAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_said_again_is_repeated),
        cmocka_unit_test(a_name_that_nobody_has_is_unknown),
        cmocka_unit_test(a_mention_is_answered_at_the_next_turn),
        cmocka_unit_test(grams_are_words_and_characters),
        cmocka_unit_test(a_vote_follows_a_suspicion_of_the_day),
        cmocka_unit_test(cut_lines_are_those_that_had_more),
        cmocka_unit_test(a_json_log_that_is_none_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
