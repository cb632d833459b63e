#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "record/aiwolf_log.h"
#include "record/game_record.h"
#include "record/log_game.h"
#include "record/log_reason.h"

/* Five seats on day 2: 1 is the seer, 2 was executed on day 1, 3 died in the night behind it, 4 is
 * the wolf and 5 the bodyguard. */
static LogGame five_seats(void)
{
    return (LogGame){
        .seat_count = 5,
        .roles = {0, ROLE_SEER, ROLE_VILLAGER, ROLE_VILLAGER, ROLE_WEREWOLF, ROLE_BODYGUARD}};
}

static LogPast second_day(const LogGame *log)
{
    const Event events[] = {
        {.kind = EVENT_DAY, .day = 1},
        {.kind = EVENT_EXECUTE, .seat = SEAT_NONE, .day = 1},
        {.kind = EVENT_EXECUTE, .seat = 2, .day = 1},
        {.kind = EVENT_DEATH, .seat = 3, .day = 1},
        {.kind = EVENT_DEATH, .seat = 2, .day = 2}, /* dead already */
        {.kind = EVENT_DAY, .day = 2},
    };
    LogPast past = {.log = log};

    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
        log_past_event(&past, &events[i]);
    return past;
}

static LogLine line_of(const char *text)
{
    LogLine line = {0};
    Err err = {0};

    if (aiwolf_log_read_line(str_of(text), &line, &err))
        fail_msg("%s: %s", text, err.msg);
    return line;
}

static void reason_is(const char *expected, const char *found, const char *foreign,
                      const char *reason)
{
    CLEANUP(buf_done) Buf out = {0};
    const LogGame log = five_seats();
    const LogPast past = second_day(&log);
    const LogLine wanted = line_of(expected), got = line_of(found);

    log_reason_line(&past, &wanted, &got, str_of(found), str_of(foreign), &out);
    assert_string_equal(buf_cstr(&out), reason);
}

/* ---- what goes on ---- */

static void who_died_when_and_how_is_remembered(void **state)
{
    const LogGame log = five_seats();
    const LogPast past = second_day(&log);

    (void)state;
    assert_int_equal(past.day, 2);
    assert_int_equal(past.dead, seat_bit(2) | seat_bit(3));
    assert_int_equal(past.death[2], DEATH_EXECUTED);
    assert_int_equal(past.died_on[2], 1);
    assert_int_equal(past.death[3], DEATH_NIGHT);
    assert_int_equal(past.died_on[3], 1);
    assert_int_equal(past.death[4], DEATH_NONE);
}

static void take_talk(LogPast *past, EventKind kind, Talk talk)
{
    const Event event = {.kind = kind, .talk = &talk};

    log_past_event(past, &event);
}

static void skips_in_a_row_and_utterances_are_counted_by_session(void **state)
{
    LogPast past = {0};
    const Event talk = {.kind = EVENT_PHASE, .action = ACTION_TALK};
    const Event whisper = {.kind = EVENT_PHASE, .action = ACTION_WHISPER};
    const Event vote = {.kind = EVENT_PHASE, .action = ACTION_EXECUTION};

    (void)state;
    take_talk(&past, EVENT_TALK, (Talk){.seat = 4});
    take_talk(&past, EVENT_TALK, (Talk){.seat = 4, .skip = true});
    take_talk(&past, EVENT_TALK, (Talk){.seat = 4, .skip = true});
    take_talk(&past, EVENT_TALK, (Talk){.seat = 4, .over = true});
    take_talk(&past, EVENT_WHISPER, (Talk){.seat = 4, .skip = true});
    take_talk(&past, EVENT_WHISPER, (Talk){.seat = 4});
    take_talk(&past, EVENT_WHISPER, (Talk){.seat = 4});
    assert_int_equal(past.said[0][4], 1);
    assert_int_equal(past.skips[0][4], 2);
    assert_int_equal(past.said[1][4], 2);
    assert_int_equal(past.skips[1][4], 0);
    take_talk(&past, EVENT_WHISPER, (Talk){.seat = 4, .skip = true});
    log_past_event(&past, &vote);
    assert_int_equal(past.said[0][4], 1);
    log_past_event(&past, &talk);
    assert_true(past.said[0][4] == 0 && past.skips[0][4] == 0 && past.said[1][4] == 2 &&
                past.skips[1][4] == 1);
    log_past_event(&past, &whisper);
    assert_true(past.said[1][4] == 0 && past.skips[1][4] == 0);
}

/* ---- what nobody can do ---- */

static void who_can_not_act_is_named_with_the_cause(void **state)
{
    (void)state;
    reason_is("2,vote,1,4", "2,vote,6,4", "", "seat 6 votes, but there are only 5 seats");
    reason_is("2,vote,1,4", "2,vote,2,4", "", "seat 2 votes after it was executed on day 1");
    reason_is("2,whisper,0,0,4,Over", "2,whisper,0,0,1,Over", "",
              "seat 1 whispers, but it is a SEER");
    reason_is("2,attackVote,4,1", "2,attackVote,5,1", "",
              "seat 5 votes for an attack, but it is a BODYGUARD");
    reason_is("2,divine,1,4,WEREWOLF", "2,divine,4,1,HUMAN", "",
              "seat 4 divines, but it is a WEREWOLF");
    reason_is("2,guard,5,1,SEER", "2,guard,1,5,BODYGUARD", "", "seat 1 guards, but it is a SEER");
}

static void who_can_not_be_named_is_told_with_the_cause(void **state)
{
    (void)state;
    reason_is("2,vote,1,4", "2,vote,1,6", "",
              "seat 1 votes for seat 6, but there are only 5 seats");
    reason_is("2,vote,1,4", "2,vote,1,1", "",
              "seat 1 votes for seat 1, but nobody may vote for itself");
    reason_is("2,attackVote,4,1", "2,attackVote,4,4", "",
              "seat 4 votes for an attack on seat 4, but that is a wolf");
    reason_is("2,attack,1,true", "2,attack,4,true", "", "seat 4 is attacked, but that is a wolf");
}

/* ---- lines that should be others ---- */

static void a_line_of_another_kind_is_told_with_the_one_that_is_expected(void **state)
{
    static const struct {
        const char *expected;
        const char *noun;
    } cases[] = {
        {"2,status,1,SEER,ALIVE,a", "the status line of seat 1 on day 2"},
        {"2,talk,3,0,1,Over", "talk number 3 of day 2"},
        {"2,whisper,4,0,4,Over", "whisper number 4 of day 2"},
        {"2,vote,1,4", "the vote of seat 1"},
        {"2,execute,5,BODYGUARD", "the execution of seat 5"},
        {"2,divine,1,4,WEREWOLF", "the divination of seat 1"},
        {"2,guard,5,1,SEER", "the guard of seat 5"},
        {"2,attackVote,4,1", "the attack vote of seat 4"},
        {"2,attack,1,true", "the attack on seat 1 (killed)"},
        {"2,attack,1,false", "the attack on seat 1 (not killed)"},
        {"2,attack,-1,true", "an attack on nobody"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char reason[200];
        const char *found = "3,result,2,1,WEREWOLF";
        snprintf(reason, sizeof(reason), "%s is expected, found '%s'", cases[i].noun, found);
        reason_is(cases[i].expected, found, "", reason);
    }
    reason_is("2,result,2,1,WEREWOLF", "2,vote,1,4", "",
              "the result of the game on day 2 is expected, found '2,vote,1,4'");
    reason_is("2,vote,1,4", "2,vote,4,1", "", "the vote of seat 1 is expected, found '2,vote,4,1'");
}

static void a_status_line_is_compared_part_by_part(void **state)
{
    (void)state;
    reason_is("2,status,1,SEER,ALIVE,a", "2,status,4,WEREWOLF,ALIVE,d", "",
              "the status line of seat 1 is expected, found that of seat 4");
    reason_is("2,status,1,SEER,ALIVE,a", "2,status,1,MEDIUM,ALIVE,a", "",
              "seat 1 is listed as MEDIUM, but its role is SEER");
    reason_is("2,status,2,VILLAGER,DEAD,b", "2,status,2,VILLAGER,ALIVE,b", "",
              "seat 2 is listed as ALIVE, but it was executed on day 1");
    reason_is("2,status,1,SEER,ALIVE,a", "2,status,1,SEER,DEAD,a", "",
              "seat 1 is listed as DEAD, but nothing has killed it");
    reason_is("2,status,1,SEER,ALIVE,a", "2,status,1,SEER,ALIVE,b", "",
              "seat 1 is named 'b', but was 'a'");
}

static void an_utterance_is_compared_part_by_part(void **state)
{
    (void)state;
    reason_is("2,talk,3,1,1,Over", "2,talk,4,1,1,Over", "",
              "talk number 3 is expected, found number 4");
    reason_is("2,talk,3,1,1,Over", "2,talk,3,2,1,Over", "", "turn 1 is expected, found turn 2");
    reason_is("2,talk,3,1,1,Over", "2,talk,3,1,4,Over", "",
              "seat 4 talks, but it has already had its place in turn 1");
    reason_is("2,talk,3,1,1,Over", "2,talk,3,1,1,Skip", "",
              "Skip number 1 in a row of seat 1 would have been recorded as Over");
    reason_is("2,talk,3,1,1,Over", "2,talk,3,1,1,VOTE Agent[04]", "",
              "seat 1 says 'VOTE Agent[04]', but has used up its 0 utterances: Over is expected");
    reason_is("2,talk,3,1,1,Skip", "2,talk,3,1,1,hello", "not a verb",
              "sentence outside the language: 'hello': not a verb");
    reason_is("2,talk,3,1,1,VOTE Agent[04]", "2,talk,3,1,1,VOTE Agent[05]", "",
              "from byte 1 of the text on 'VOTE Agent[04]' is expected, found 'VOTE Agent[05]'");
}

static void long_texts_are_shown_from_a_little_before_where_they_differ(void **state)
{
    static const char forty[] = "1234567890123456789012345678901234567890";
    char expected[200], found[200], reason[400];

    (void)state;
    snprintf(expected, sizeof(expected), "2,talk,3,1,1,ab%sX", forty);
    snprintf(found, sizeof(found), "2,talk,3,1,1,ab%sY", forty);
    snprintf(reason, sizeof(reason), "from byte 3 of the text on '%sX' is expected, found '%sY'",
             forty, forty);
    reason_is(expected, found, "", reason);
    snprintf(expected, sizeof(expected), "2,talk,3,1,1,a人%.39sX", forty);
    snprintf(found, sizeof(found), "2,talk,3,1,1,a人%.39sY", forty);
    snprintf(reason, sizeof(reason),
             "from byte 2 of the text on '人%.39sX' is expected, found '人%.39sY'", forty, forty);
    reason_is(expected, found, "", reason);
}

static void a_night_is_compared_part_by_part(void **state)
{
    (void)state;
    reason_is("2,execute,5,BODYGUARD", "2,execute,4,WEREWOLF", "",
              "seat 4 is executed, but does not have the most votes");
    reason_is("2,execute,5,BODYGUARD", "2,execute,5,SEER", "",
              "seat 5 is executed as SEER, but its role is BODYGUARD");
    reason_is("2,divine,1,4,WEREWOLF", "2,divine,1,4,HUMAN", "",
              "seat 4 is divined as HUMAN, but its role is WEREWOLF");
    reason_is("2,divine,1,4,WEREWOLF", "2,divine,1,5,HUMAN", "",
              "the divination of seat 1 is expected, found '2,divine,1,5,HUMAN'");
    reason_is("2,guard,5,1,SEER", "2,guard,5,1,MEDIUM", "",
              "seat 1 is guarded as MEDIUM, but its role is SEER");
    reason_is("2,guard,5,1,SEER", "2,guard,5,4,WEREWOLF", "",
              "the guard of seat 5 is expected, found '2,guard,5,4,WEREWOLF'");
    reason_is("2,attack,1,false", "2,attack,1,true", "",
              "seat 1 is killed, but it was guarded or can't be killed");
    reason_is("2,attack,1,true", "2,attack,1,false", "",
              "seat 1 survives the attack, but nobody guarded it");
    reason_is("2,attack,1,true", "2,attack,5,true", "",
              "seat 5 is attacked, but does not have the most attack votes");
    reason_is("2,attack,1,true", "2,attack,-1,true", "",
              "the attack on seat 1 (killed) is expected, found '2,attack,-1,true'");
}

static void a_result_is_compared_part_by_part(void **state)
{
    (void)state;
    reason_is("2,result,2,1,WEREWOLF", "2,result,3,1,WEREWOLF", "",
              "the result counts humans and wolves as 3 and 1, but 2 and 1 are alive");
    reason_is("2,result,2,1,WEREWOLF", "2,result,2,0,WEREWOLF", "",
              "the result counts humans and wolves as 2 and 0, but 2 and 1 are alive");
    reason_is("2,result,2,1,WEREWOLF", "2,result,2,1,VILLAGER", "",
              "the winner is WEREWOLF, found VILLAGER");
}

static void where_a_log_stops_is_told_with_its_phase(void **state)
{
    static const struct {
        const char *last;
        const char *next;
        const char *where;
    } cases[] = {
        {"2,vote,1,4", "2,execute,4,WEREWOLF", "day 2 before the execution"},
        {"2,vote,1,4", "2,talk,3,1,1,Over", "day 2 in the talk phase"},
        {"2,vote,1,4", "2,whisper,3,1,1,Over", "day 2 in the whisper phase"},
        {"2,vote,1,4", "2,vote,4,1", "day 2 in the vote"},
        {"2,vote,1,4", "2,divine,1,4,WEREWOLF", "day 2 before the divination"},
        {"2,vote,1,4", "2,guard,5,1,SEER", "day 2 before the guard"},
        {"2,vote,1,4", "2,attackVote,4,1", "day 2 in the attack vote"},
        {"2,vote,1,4", "2,attack,1,true", "day 2 before the attack"},
        {"2,vote,1,4", "2,result,2,1,WEREWOLF", "day 2 before the result"},
        {"2,vote,1,4", "3,vote,4,1", "day 2 among the status lines"},
    };
    LogGame log = five_seats();

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        char wanted[200];
        LogLine lines[2] = {line_of("1,vote,1,4"), line_of(cases[i].last)};
        const LogLine next = line_of(cases[i].next);
        log.lines = lines;
        log.count = 2;
        const LogPast past = second_day(&log);
        log_reason_truncated(&past, &next, &out);
        snprintf(wanted, sizeof(wanted), "truncated: the log stops on %s, without a result line",
                 cases[i].where);
        assert_string_equal(buf_cstr(&out), wanted);
    }
}

/* ---- the words of game_record.h ---- */

static void words_of_a_record_are_read_as_they_are_written(void **state)
{
    static const char *const divisions[] = {"aiwolf", "nlp", "maw"};
    static const char *const kinds[] = {"bot", "agent", "model", "person"};
    EndReason reason = END_REASON_COUNT;

    (void)state;
    for (unsigned i = 0; i < DIVISION_COUNT; i++) {
        assert_string_equal(game_division_name((GameDivision)i), divisions[i]);
        assert_int_equal(game_division_of(str_of(divisions[i])), i);
    }
    assert_string_equal(game_division_name(DIVISION_COUNT), "");
    assert_int_equal(game_division_of(STR("xmpp")), DIVISION_COUNT);
    for (unsigned i = 0; i < SEAT_KIND_COUNT; i++) {
        assert_string_equal(seat_kind_name((SeatKind)i), kinds[i]);
        assert_int_equal(seat_kind_of(str_of(kinds[i])), i);
    }
    assert_string_equal(seat_kind_name(SEAT_KIND_COUNT), "");
    assert_int_equal(seat_kind_of(STR("robot")), SEAT_KIND_COUNT);
    for (unsigned i = 0; i < END_REASON_COUNT; i++) {
        assert_true(end_reason_of(str_of(end_reason_name((EndReason)i)), &reason));
        assert_int_equal(reason, i);
    }
    assert_string_equal(end_reason_name(END_MAX_DAY), "max_day");
    assert_string_equal(end_reason_name(END_REASON_COUNT), "");
    assert_false(end_reason_of(STR("lost"), &reason));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_died_when_and_how_is_remembered),
        cmocka_unit_test(skips_in_a_row_and_utterances_are_counted_by_session),
        cmocka_unit_test(who_can_not_act_is_named_with_the_cause),
        cmocka_unit_test(who_can_not_be_named_is_told_with_the_cause),
        cmocka_unit_test(a_line_of_another_kind_is_told_with_the_one_that_is_expected),
        cmocka_unit_test(a_status_line_is_compared_part_by_part),
        cmocka_unit_test(an_utterance_is_compared_part_by_part),
        cmocka_unit_test(long_texts_are_shown_from_a_little_before_where_they_differ),
        cmocka_unit_test(a_night_is_compared_part_by_part),
        cmocka_unit_test(a_result_is_compared_part_by_part),
        cmocka_unit_test(where_a_log_stops_is_told_with_its_phase),
        cmocka_unit_test(words_of_a_record_are_read_as_they_are_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
