/* test_table.c - one game at its table: chairs and their clocks, who fails and who comes back,
 * sessions at any time, logs.
 *
 * Source: docs/spec/nlp-division.md 3 to 6, 8, 10 with their targets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nlp/round.h"

#include "base/rng.h"

#include <signal.h>
#include <sys/resource.h>

static Round *five(void **state)
{
    Round *round = *state;

    rules_for(round, "default_5", "");
    sit(round, "VVSPW");
    return round;
}

static Round *anytime(void **state)
{
    Round *round = *state;

    rules_for(round, "freeform_5", "");
    sit(round, "VVSPW");
    return round;
}

/* ---- the usual course ---- */

static void a_game_goes_from_initialize_to_finish(void **state)
{
    CLEANUP(buf_done) Buf names = {0};
    CLEANUP(buf_done) Buf log = {0};
    Round *round = five(state);

    to_the_end(round);
    for (SeatNo seat = 1; seat <= 5; seat++) {
        const json_t *finish = last_packet(round, seat);
        assert_true(str_starts(str_of(sent_from(round, seat, 0, &names)),
                               STR("INITIALIZE DAILY_INITIALIZE TALK DAILY_FINISH ")));
        assert_string_equal(request_of(finish), "FINISH");
        assert_int_equal(json_object_size(info_of(finish, "role_map")), 5);
        assert_int_equal(count_sent(round, seat, "FINISH"), 1);
        assert_null(round->peers[seat].owes);
        assert_false(nlp_table_chair(round->table, seat)->state == CHAIR_OUT);
        assert_int_equal(nlp_table_chair(round->table, seat)->counts.failures, 0);
        assert_int_equal(nlp_table_chair(round->table, seat)->counts.sent, sent_count(round, seat));
    }
    assert_false(nlp_table_aborted(round->table) || nlp_table_day_limit(round->table));
    assert_true(nlp_table_deadline(round->table) == TIME_US_NEVER);
    read_log(round, ".log", &log);
    assert_true(has(&log, ",result,") && log.bytes[log.len - 1] == '\n');
    read_log(round, ".json", &log);
    json_t *json = json_loadb(log.bytes, log.len, 0, NULL);
    assert_true(strcmp(json_string_value(json_object_get(json, "win_side")), "NONE") != 0);
    json_decref(json);
}

static void after_the_end_nothing_more_happens(void **state)
{
    Round *round = five(state);

    to_the_end(round);
    size_t sent = sent_count(round, 1);
    nlp_table_message(round->table, 1, STR("hello"), round->now);
    nlp_table_gone(round->table, 1, round->now);
    assert_false(nlp_table_rejoin(round->table, 1, &round->peers[1], round->now));
    nlp_table_tick(round->table, round->now + SECOND);
    nlp_table_abort(round->table, round->now);
    assert_int_equal(sent_count(round, 1), sent);
    assert_false(nlp_table_aborted(round->table));
}

/* As on a bench of another thread: two that write into one buffer would mix their packets. */
static void a_table_that_was_handed_over_leaves_the_scratch_of_before_alone(void **state)
{
    Round *round = five(state);
    TableScratch *before = &round->scratch, after = {0};

    assert_true(until_owed(round, "TALK", 0));
    nlp_table_settle(round->table, &after, NULL);
    buf_clear(&before->packet);
    buf_clear(&before->masked);
    buf_clear(&before->lines);
    buf_clear(&before->text);
    to_the_end(round);
    assert_int_equal(before->packet.len + before->masked.len + before->lines.len + before->text.len,
                     0);
    assert_true(after.packet.len > 0 && after.text.len > 0);
    nlp_table_settle(round->table, before, NULL);
    nlp_table_scratch_done(&after);
}

static void votes_are_asked_side_by_side_and_logged_in_the_order_of_seats(void **state)
{
    static const SeatNo order[] = {4, 2, 5, 1, 3};
    CLEANUP(buf_done) Buf log = {0};
    Round *round = five(state);
    char line[34];

    assert_true(until_owed(round, "VOTE", 0));
    assert_string_equal(owing(round, "VOTE", line), "12345");
    for (int i = 0; i < 5; i++)
        reply(round, order[i], order[i] == 1 ? "Agent[02]\n" : "Agent[01]");
    read_log(round, ".log", &log);
    assert_true(has(&log, "1,vote,1,2\n1,vote,2,1\n1,vote,3,1\n1,vote,4,1\n1,vote,5,1\n"
                          "1,execute,1,VILLAGER\n"));
}

static void the_remaining_count_includes_the_utterance_that_is_asked_for(void **state)
{
    Round *round = five(state);
    SeatNo first = SEAT_NONE;

    for (SeatNo seat = 1; seat <= 5; seat++)
        first = owes(round, seat, "TALK") ? seat : first;
    assert_int_equal(info_int(last_packet(round, first), "remain_count"), 4);
    assert_int_equal(info_int(last_packet(round, first), "remain_skip"), 0);
    assert_null(info_of(last_packet(round, first), "remain_length"));
    reply(round, first, "hello");
    while (!owes(round, first, "TALK"))
        for (SeatNo seat = 1; seat <= 5; seat++)
            if (seat != first && owes(round, seat, "TALK"))
                reply(round, seat, "hello");
    assert_int_equal(info_int(last_packet(round, first), "remain_count"), 3);
    assert_true(until_owed(round, "VOTE", 0));
    assert_null(info_of(last_packet(round, 1), "remain_count")); /* no session is running */
}

/* ---- late replies, health checks ---- */

/* docs/spec/nlp-division.md 12.7, row 7. */
static void who_answers_70_s_late_is_alive_in_the_next_phase(void **state)
{
    CLEANUP(buf_done) Buf log = {0};
    Round *round = five(state);

    assert_true(until_owed(round, "VOTE", 0));
    TimeUs asked = round->now;
    for (SeatNo seat = 2; seat <= 5; seat++)
        reply(round, seat, seat == 2 ? "Agent[04]" : "Agent[02]");
    go_to(round, (double)asked / 1e6 + 64.999);
    assert_true(owes(round, 1, "VOTE"));
    wait_s(round, 0.001);
    assert_true(owes(round, 1, "NAME"));
    wait_s(round, 5);
    nlp_table_message(round->table, 1, STR("Agent[05]"), round->now);
    assert_int_equal(nlp_table_chair(round->table, 1)->counts.strays, 1);
    reply(round, 1, "kano1\n\n");
    assert_int_equal(nlp_table_chair(round->table, 1)->counts.failures, 1);
    assert_true(owes(round, 3, "DIVINE"));
    assert_true(until_owed(round, "TALK", 0) || nlp_table_over(round->table));
    assert_false(nlp_table_chair(round->table, 1)->state == CHAIR_OUT || round->peers[1].dropped);
    read_log(round, ".log", &log);
    assert_false(has(&log, "1,vote,1,"));
    assert_true(has(&log, "1,execute,2,"));
}

static void talk_without_a_reply_is_skip_and_the_seat_goes_on(void **state)
{
    Round *round = five(state);
    SeatNo late = SEAT_NONE;

    for (SeatNo seat = 1; seat <= 5; seat++)
        late = owes(round, seat, "TALK") ? seat : late;
    wait_s(round, 65);
    assert_true(owes(round, late, "NAME"));
    reply_any(round, late);
    const Talk *talk = &game_view(nlp_table_game(round->table), 1)->talk->items[0];
    assert_true(talk->skip && talk->seat == late);
    assert_true(until_owed(round, "VOTE", 0));
    assert_true(owes(round, late, "VOTE"));
}

static void who_fails_the_health_check_is_dropped_and_errored_when_its_time_is_over(void **state)
{
    Round *round = five(state);

    assert_true(until_owed(round, "VOTE", 0));
    for (SeatNo seat = 2; seat <= 5; seat++)
        reply_any(round, seat);
    wait_s(round, 65);
    nlp_table_message(round->table, 1, STR("kano"), round->now); /* not its name */
    nlp_table_message(round->table, 1, STR("kano2"), round->now);
    wait_s(round, 119.9);
    assert_false(round->peers[1].dropped);
    wait_s(round, 0.1);
    assert_true(round->peers[1].dropped);
    assert_int_equal(round->peers[1].code, CLOSE_NO_ANSWER);
    assert_null(nlp_table_peer(round->table, 1));
    assert_int_equal(nlp_table_away_seat(round->table, STR("kano1")), 1);
    assert_true(owes(round, 3, "DIVINE")); /* the vote is over without it */
    wait_s(round, 59.9);
    assert_false(nlp_table_chair(round->table, 1)->state == CHAIR_OUT);
    wait_s(round, 0.1);
    assert_true(nlp_table_chair(round->table, 1)->state == CHAIR_OUT);
    assert_true(has(&round->notes, "errored game=01JZ0000000000000000000000 day=1 seat=1"));
    assert_int_equal(nlp_table_away_seat(round->table, STR("kano1")), SEAT_NONE);
}

/* 1.4: LF anywhere is removed, nothing else. */
static void a_vote_is_a_name_byte_for_byte_but_for_line_ends(void **state)
{
    CLEANUP(buf_done) Buf log = {0};
    Round *round = five(state);

    assert_true(until_owed(round, "VOTE", 0));
    reply(round, 1, "Age\nnt[03]\n");
    reply(round, 2, "Agent[03] ");
    reply(round, 3, "agent[01]");
    reply(round, 4, "\"Agent[03]\"");
    reply(round, 5, "");
    read_log(round, ".log", &log);
    assert_true(has(&log, "1,vote,1,3\n1,execute,3,SEER\n"));
    assert_int_equal(nlp_table_chair(round->table, 2)->counts.failures,
                     0); /* answered, if in vain */
}

/* ---- coming back ---- */

static void one_that_comes_back_gets_initialize_and_the_history_of_the_day_anew(void **state)
{
    CLEANUP(buf_done) Buf names = {0};
    Round *round = five(state);

    assert_true(until_owed(round, "VOTE", 0)); /* day 1: all said Over */
    vanish(round, 3);
    assert_int_equal(nlp_table_away_seat(round->table, STR("kano3")), 3);
    assert_int_equal(nlp_table_away_seat(round->table, STR("kano2")), SEAT_NONE);
    wait_s(round, 30);
    size_t before = sent_count(round, 3);
    assert_true(nlp_table_rejoin(round->table, 3, &round->peers[3], round->now));
    assert_string_equal(sent_from(round, 3, before, &names), "INITIALIZE DAILY_INITIALIZE");
    assert_int_equal(info_int(packet_at(round, 3, before), "day"), 1);
    assert_non_null(json_object_get(packet_at(round, 3, before), "setting"));
    assert_non_null(info_of(packet_at(round, 3, before), "divine_result"));
    assert_int_equal(nlp_table_chair(round->table, 3)->counts.returned, 1);
    assert_false(nlp_table_chair(round->table, 3)->state == CHAIR_OUT);
    static const SeatNo others[] = {1, 2, 4, 5};
    for (int i = 0; i < 4; i++)
        reply(round, others[i], "Agent[02]");
    assert_true(owes(round, 3, "DIVINE")); /* it is asked again from the next request on */
    assert_int_equal(count_sent(round, 3, "DAILY_FINISH"), 2);
    to_the_end(round);
    assert_string_equal(request_of(last_packet(round, 3)), "FINISH");
}

static void one_that_comes_back_by_day_hears_what_was_said_before(void **state)
{
    Round *round = five(state);
    SeatNo first = SEAT_NONE;

    for (SeatNo seat = 1; seat <= 5; seat++)
        first = owes(round, seat, "TALK") ? seat : first;
    reply(round, first, "one");
    vanish(round, first);
    for (int said = 1; said < 5; said++)
        for (SeatNo seat = 1; seat <= 5; seat++)
            if (owes(round, seat, "TALK") && said < 4) {
                reply(round, seat, "two");
                break;
            }
    assert_true(nlp_table_rejoin(round->table, first, &round->peers[first], round->now));
    while (!owes(round, first, "TALK"))
        for (SeatNo seat = 1; seat <= 5; seat++)
            if (seat != first && owes(round, seat, "TALK"))
                reply(round, seat, "three");
    const json_t *history = json_object_get(last_packet(round, first), "talk_history");
    assert_true(json_array_size(history) >= 5);
    const json_t *own = json_array_get(history, 0);
    assert_string_equal(json_string_value(json_object_get(own, "text")), "one");
    assert_int_equal(json_integer_value(json_object_get(own, "idx")), 0);
}

static void only_an_away_seat_is_taken_back_and_only_in_time(void **state)
{
    Round *round = five(state);

    assert_true(until_owed(round, "VOTE", 0));
    assert_false(nlp_table_rejoin(round->table, 2, &round->peers[2], round->now));
    vanish(round, 1);
    wait_s(round, 59);
    assert_true(nlp_table_rejoin(round->table, 1, &round->peers[1], round->now));
    assert_false(nlp_table_rejoin(round->table, 1, &round->peers[1], round->now));
    vanish(round, 1); /* the time begins anew */
    wait_s(round, 59.9);
    assert_int_equal(nlp_table_away_seat(round->table, STR("kano1")), 1);
    wait_s(round, 0.2);
    assert_int_equal(nlp_table_away_seat(round->table, STR("kano1")), SEAT_NONE);
    assert_false(nlp_table_rejoin(round->table, 1, &round->peers[1], round->now));
    assert_true(nlp_table_chair(round->table, 1)->state == CHAIR_OUT);
}

static void without_a_time_to_come_back_who_leaves_is_errored_at_once(void **state)
{
    Round *round = *state;

    rules_for(round, "default_5", "")->rejoin_ms = 0;
    sit(round, "VVSPW");
    vanish(round, 2);
    assert_true(nlp_table_chair(round->table, 2)->state == CHAIR_OUT);
    assert_false(nlp_table_rejoin(round->table, 2, &round->peers[2], round->now));
}

static void in_a_session_at_any_time_who_comes_back_hears_it_again(void **state)
{
    CLEANUP(buf_done) Buf names = {0};
    Round *round = anytime(state);

    nlp_table_message(round->table, 1, STR("one"), round->now);
    nlp_table_message(round->table, 2, STR("two"), round->now);
    vanish(round, 1);
    nlp_table_message(round->table, 3, STR("three"), round->now);
    size_t before = sent_count(round, 1);
    assert_true(nlp_table_rejoin(round->table, 1, &round->peers[1], round->now));
    assert_string_equal(sent_from(round, 1, before, &names),
                        "INITIALIZE DAILY_INITIALIZE TALK_PHASE_START TALK_BROADCAST "
                        "TALK_BROADCAST TALK_BROADCAST");
    const json_t *third = json_object_get(last_packet(round, 1), "new_talk");
    assert_string_equal(json_string_value(json_object_get(third, "text")), "three");
    assert_int_equal(info_int(last_packet(round, 1), "remain_count"), 3);
    nlp_table_message(round->table, 1, STR("four"), round->now);
    assert_int_equal(game_view(nlp_table_game(round->table), 1)->talk->count, 4);
    assert_int_equal(count_sent(round, 2, "TALK_PHASE_START"), 1);
}

/* ---- who has failed ---- */

static Round *with_seat_1_errored(void **state, bool strict)
{
    Round *round = *state;

    Config *config = rules_for(round, "default_5", "");
    config->rejoin_ms = 0;
    config->strict = strict;
    sit(round, "VVSPW");
    vanish(round, 1);
    assert_true(nlp_table_chair(round->table, 1)->state == CHAIR_OUT);
    return round;
}

static void who_has_failed_stays_alive_and_can_be_executed(void **state)
{
    CLEANUP(buf_done) Buf log = {0};
    Round *round = with_seat_1_errored(state, false);
    char line[34];

    assert_true(until_owed(round, "VOTE", 0));
    assert_string_equal(owing(round, "VOTE", line), "2345");
    const json_t *status = info_of(last_packet(round, 2), "status_map");
    assert_string_equal(json_string_value(json_object_get(status, "Agent[01]")), "ALIVE");
    for (SeatNo seat = 2; seat <= 5; seat++)
        reply(round, seat, "Agent[01]");
    assert_false(lives(round, 1));
    read_log(round, ".log", &log);
    assert_true(has(&log, "1,status,1,VILLAGER,ALIVE,kano1,Agent[01]"));
    assert_true(has(&log, "1,execute,1,VILLAGER"));
    NlpGame game;
    nlp_table_look(round->table, &game);
    assert_true(game.seats[1].errored && !game.seats[1].alive && !game.seats[2].errored);
}

static void who_has_failed_can_be_divined_and_attacked(void **state)
{
    CLEANUP(buf_done) Buf log = {0};
    Round *round = with_seat_1_errored(state, false);

    assert_true(until_owed(round, "VOTE", 0));
    for (SeatNo seat = 2; seat <= 5; seat++)
        reply(round, seat, "Agent[04]");
    reply(round, 3, "Agent[01]");
    assert_true(owes(round, 5, "ATTACK"));
    reply(round, 5, "Agent[01]");
    assert_false(lives(round, 1));
    read_log(round, ".log", &log);
    assert_true(has(&log, "1,divine,3,1,HUMAN"));
    assert_true(has(&log, "1,attack,1,true"));
}

/* [Q] 4.5, behind its switch. */
static void with_strict_who_has_failed_can_not_be_meant(void **state)
{
    CLEANUP(buf_done) Buf log = {0};
    Round *round = with_seat_1_errored(state, true);

    assert_true(until_owed(round, "VOTE", 0));
    for (SeatNo seat = 2; seat <= 5; seat++)
        reply(round, seat, seat == 2 ? "Agent[04]" : "Agent[01]");
    read_log(round, ".log", &log);
    assert_true(has(&log, "1,vote,2,4\n1,execute,4,"));
    assert_true(has(&log, "1,status,1,VILLAGER,,kano1,Agent[01]"));
    assert_true(lives(round, 1));
}

/* 4.4: max(1, floor(n * ratio)) failed seats end the game when the phase is over. */
static void one_of_five_ends_the_game_when_the_configuration_says_02(void **state)
{
    CLEANUP(buf_done) Buf log = {0};
    Round *round = *state;

    Config *config = rules_for(round, "default_5", "  max_continue_error_ratio: 0.2\n");
    assert_int_equal(config->abort_at, 1);
    sit(round, "VVSPW");
    vanish(round, 1);
    wait_s(round, 60);
    assert_false(nlp_table_over(round->table)); /* the phase goes on */
    to_the_end(round);
    assert_true(nlp_table_aborted(round->table));
    assert_int_equal(game_day(nlp_table_game(round->table)), 1);
    for (SeatNo seat = 2; seat <= 5; seat++) {
        assert_int_equal(count_sent(round, seat, "VOTE"), 0);
        assert_int_equal(count_sent(round, seat, "DAILY_FINISH"), 1);
        assert_string_equal(request_of(last_packet(round, seat)), "FINISH");
    }
    read_log(round, ".log", &log);
    assert_true(has(&log, "1,result,4,1,NONE\n"));
    assert_true(has(&log, "1,status,1,VILLAGER,ALIVE,"));
}

static void without_a_ratio_the_game_goes_on_while_anybody_plays(void **state)
{
    Round *round = *state;

    Config *config = rules_for(round, "default_5", "");
    assert_int_equal(config->abort_at, 5);
    config->rejoin_ms = 0;
    sit(round, "VVSPW");
    for (SeatNo seat = 1; seat <= 3; seat++)
        vanish(round, seat);
    assert_false(nlp_table_aborted(round->table));
    to_the_end(round);
    assert_false(nlp_table_aborted(round->table));
    assert_int_not_equal(game_winner(nlp_table_game(round->table)), SIDE_NONE);
}

static void when_all_are_gone_the_game_is_aborted_at_once(void **state)
{
    CLEANUP(buf_done) Buf log = {0};
    Round *round = *state;

    rules_for(round, "default_5", "")->rejoin_ms = 0;
    sit(round, "VVSPW");
    for (SeatNo seat = 1; seat <= 5; seat++)
        vanish(round, seat);
    assert_true(nlp_table_over(round->table) && nlp_table_aborted(round->table));
    read_log(round, ".json", &log);
    json_t *json = json_loadb(log.bytes, log.len, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(json, "win_side")), "NONE");
    json_decref(json);
}

/* 6.3, target. */
static void who_leaves_when_its_character_is_dead_does_not_count(void **state)
{
    Round *round = *state;

    Config *config = rules_for(round, "default_5", "");
    config->abort_at = 1;
    config->rejoin_ms = 0;
    sit(round, "VVSPW");
    assert_true(until_owed(round, "VOTE", 0));
    for (SeatNo seat = 1; seat <= 5; seat++)
        reply(round, seat, "Agent[02]");
    assert_false(lives(round, 2));
    vanish(round, 2);
    assert_true(nlp_table_chair(round->table, 2)->state == CHAIR_OUT);
    to_the_end(round);
    assert_false(nlp_table_aborted(round->table));
}

static void an_abort_from_outside_ends_a_game_with_whole_logs(void **state)
{
    CLEANUP(buf_done) Buf log = {0};
    Round *round = five(state);

    assert_true(until_owed(round, "VOTE", 0));
    nlp_table_abort(round->table, round->now);
    assert_true(nlp_table_over(round->table) && nlp_table_aborted(round->table));
    for (SeatNo seat = 1; seat <= 5; seat++)
        assert_string_equal(request_of(last_packet(round, seat)), "FINISH");
    read_log(round, ".log", &log);
    assert_true(has(&log, ",NONE\n"));
    read_log(round, ".json", &log);
    json_t *json = json_loadb(log.bytes, log.len, 0, NULL);
    assert_non_null(json);
    json_decref(json);
}

/* ---- sessions at any time ---- */

static void say(Round *round, SeatNo seat, const char *text)
{
    nlp_table_message(round->table, seat, str_of(text), round->now);
}

static uint32_t talks(const Round *round)
{
    return game_view(nlp_table_game(round->table), 1)->talk->count;
}

static bool session_is_open(const Round *round)
{
    return count_sent(round, 1, "TALK_PHASE_START") > count_sent(round, 1, "TALK_PHASE_END");
}

static void an_utterance_goes_to_all_with_what_each_has_left(void **state)
{
    Round *round = anytime(state);

    assert_true(session_is_open(round));
    say(round, 2, "  hello\n");
    for (SeatNo seat = 1; seat <= 5; seat++) {
        const json_t *packet = last_packet(round, seat);
        const json_t *talk = json_object_get(packet, "new_talk");
        assert_string_equal(request_of(packet), "TALK_BROADCAST");
        assert_string_equal(json_string_value(json_object_get(talk, "text")), "hello");
        assert_int_equal(info_int(packet, "remain_count"), seat == 2 ? 3 : 4);
        assert_int_equal(info_int(packet, "remain_skip"), 0);
    }
    assert_int_equal(round->utterances, 1);
    say(round, 2, " \n ");
    assert_int_equal(talks(round), 1);
}

static void the_session_ends_when_all_who_are_there_have_finished(void **state)
{
    Round *round = anytime(state);

    for (SeatNo seat = 1; seat <= 4; seat++)
        say(round, seat, "Over");
    assert_true(session_is_open(round));
    vanish(round, 5); /* nobody waits for a ghost */
    assert_false(session_is_open(round));
    assert_int_equal(info_int(last_packet(round, 3), "day"), 0);
    assert_true(owes(round, 3, "DIVINE"));
    assert_true(round->now == 0);
}

static void the_session_ends_with_its_time(void **state)
{
    Round *round = anytime(state);

    go_to(round, 599.999);
    assert_true(session_is_open(round));
    go_to(round, 600);
    assert_false(session_is_open(round));
}

static void a_silence_can_end_the_session(void **state)
{
    Round *round = *state;

    rules_for(round, "freeform_5", "")->rules.talk.silence_ms = 30000;
    sit(round, "VVSPW");
    wait_s(round, 20);
    say(round, 1, "hello");
    wait_s(round, 29.9);
    assert_true(session_is_open(round));
    wait_s(round, 0.1);
    assert_false(session_is_open(round));
}

static void who_talks_too_fast_is_not_heard(void **state)
{
    Round *round = *state;

    rules_for(round, "freeform_5", "")->rate_per_minute = 6;
    sit(round, "VVSPW");
    say(round, 1, "one");
    say(round, 1, "two");
    say(round, 2, "three");
    assert_int_equal(talks(round), 2);
    wait_s(round, 9.9);
    say(round, 1, "four");
    assert_int_equal(talks(round), 2);
    wait_s(round, 0.1);
    say(round, 1, "five");
    assert_int_equal(talks(round), 3);
    say(round, 1, "Over\n"); /* is not held against anybody */
    assert_int_equal(talks(round), 4);
}

/* 10.5: the sample agent sends what it made while the session was open. */
static void what_is_said_behind_the_end_is_no_vote(void **state)
{
    CLEANUP(buf_done) Buf log = {0};
    Round *round = anytime(state);

    go_to(round, 600);
    assert_true(owes(round, 3, "DIVINE"));
    say(round, 1, "too late");
    say(round, 3, "too late, too");
    assert_int_equal(nlp_table_chair(round->table, 1)->counts.strays, 1);
    assert_int_equal(nlp_table_chair(round->table, 3)->counts.strays, 1);
    assert_true(owes(round, 3, "DIVINE"));
    reply(round, 3, "Agent[05]");
    assert_int_equal(game_day(nlp_table_game(round->table)), 1);
    read_log(round, ".log", &log);
    assert_true(has(&log, "0,divine,3,5,WEREWOLF\n"));
    assert_int_equal(talks(round), 0);
    assert_int_equal(nlp_table_chair(round->table, 3)->counts.failures, 0);
}

static void who_says_no_name_in_time_lives_on(void **state)
{
    Round *round = anytime(state);

    go_to(round, 600);
    say(round, 3, "I divine nobody");
    wait_s(round, 65);
    assert_true(owes(round, 3, "NAME"));
    reply_any(round, 3);
    assert_int_equal(game_day(nlp_table_game(round->table)), 1);
    assert_false(nlp_table_chair(round->table, 3)->state == CHAIR_OUT);
}

static void an_own_over_is_taken_behind_a_skip(void **state)
{
    Round *round = anytime(state);

    say(round, 1, "Skip");
    assert_int_equal(info_int(last_packet(round, 1), "remain_count"), 0);
    say(round, 1, "more");
    assert_int_equal(talks(round), 1);
    say(round, 1, "Over");
    assert_int_equal(talks(round), 2);
    say(round, 1, "Over");
    assert_int_equal(talks(round), 2);
    assert_true(game_view(nlp_table_game(round->table), 1)->talk->items[1].over);
    assert_int_equal(round->utterances, 0); /* nothing to speak aloud */
}

static void a_line_end_in_an_utterance_becomes_a_blank(void **state)
{
    CLEANUP(buf_done) Buf log = {0};
    Round *round = anytime(state);

    say(round, 1, "one\ntwo,three\n");
    const json_t *talk = json_object_get(last_packet(round, 2), "new_talk");
    assert_string_equal(json_string_value(json_object_get(talk, "text")), "one two,three");
    read_log(round, ".log", &log);
    assert_true(has(&log, "0,talk,0,0,1,one two,three,1795296000\n"));
}

static void an_agent_that_is_away_in_a_session_hears_nothing(void **state)
{
    Round *round = anytime(state);

    vanish(round, 1);
    size_t before = sent_count(round, 1);
    say(round, 2, "hello");
    say(round, 1, "a ghost");
    assert_int_equal(sent_count(round, 1), before);
    assert_int_equal(talks(round), 1);
}

/* ---- broadcasts, bots, speech ---- */

static void masked_broadcasts_tell_no_role_and_nothing_of_the_night(void **state)
{
    Round *round = *state;
    static const char *const secrets[] = {"\"role\"", "VILLAGER", "SEER", "POSSESSED", "BODYGUARD",
                                          "MEDIUM",   "占い",     "護衛", "囁き"};

    rules_for(round, "default_9", "");
    sit(round, "VVVSPWWMB");
    assert_true(until_owed(round, "VOTE", 0));
    assert_true(has(&round->broadcasts, "\"role\":\"WEREWOLF\"") && round->masked.len > 0);
    for (int day = 1; day < 3 && until_owed(round, "TALK", 0); day++)
        until_owed(round, "VOTE", 0);
    nlp_table_abort(round->table, round->now); /* a winner is told to all */
    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++)
        if (has(&round->masked, secrets[i]))
            fail_msg("a masked packet has %s", secrets[i]);
    assert_false(has(&round->masked, "WEREWOLF"));
    Str rest = buf_str(&round->masked);
    for (json_int_t idx = 1; rest.len; idx++) {
        Str line = str_cut(&rest, '\n');
        json_t *packet = json_loadb(line.bytes, line.len, 0, NULL);
        assert_int_equal(json_integer_value(json_object_get(packet, "idx")), idx);
        json_decref(packet);
    }
}

static void bots_play_a_game_at_once(void **state)
{
    CLEANUP(buf_done) Buf log = {0};
    Round *round = *state;

    rules_for(round, "default_5", "");
    sit(round, "vvspw");
    assert_true(nlp_table_over(round->table));
    assert_int_not_equal(game_winner(nlp_table_game(round->table)), SIDE_NONE);
    read_log(round, ".log", &log);
    assert_true(has(&log, ",result,") && has(&log, ",talk,"));
}

static void bots_and_participants_play_together(void **state)
{
    static const char *const configs[] = {"default_5", "freeform_5"};
    Round *round = *state;

    for (int i = 0; i < 2; i++) {
        rules_for(round, configs[i], "");
        sit(round, "VvsPw");
        to_the_end(round);
        assert_false(nlp_table_aborted(round->table));
        assert_int_not_equal(game_winner(nlp_table_game(round->table)), SIDE_NONE);
        assert_string_equal(request_of(last_packet(round, 1)), "FINISH");
        assert_null(nlp_table_peer(round->table, 2));
        remove_folder(round->folder);
        mkdir(round->folder, 0700);
    }
}

/* Nobody plays any more but bots: the game is not waited for, nor aborted. */
static void when_the_last_participant_leaves_bots_finish_the_game(void **state)
{
    Round *round = *state;

    rules_for(round, "default_5", "")->rejoin_ms = 0;
    sit(round, "Vvspw");
    vanish(round, 1);
    to_the_end(round);
    assert_true(nlp_table_over(round->table));
}

static void a_game_waits_for_the_speech_of_an_utterance(void **state)
{
    Round *round = five(state);
    char line[34];

    round->hold = true;
    assert_int_equal(strlen(owing(round, "TALK", line)), 1);
    SeatNo first = (SeatNo)(line[0] - '0');
    assert_false(round->paused);
    reply(round, first, "hello");
    assert_string_equal(owing(round, "TALK", line), "");
    assert_true(round->paused);
    wait_s(round, 100);
    assert_string_equal(owing(round, "TALK", line), "");
    nlp_table_go_on(round->table, round->now);
    assert_false(round->paused);
    assert_int_equal(strlen(owing(round, "TALK", line)), 1);
    SeatNo second = (SeatNo)(line[0] - '0');
    reply(round, second, "Over"); /* is not spoken */
    assert_int_equal(strlen(owing(round, "TALK", line)), 1);
    reply(round, (SeatNo)(line[0] - '0'), "again");
    nlp_table_abort(round->table, round->now); /* not even speech keeps a game from its end */
    assert_true(nlp_table_over(round->table));
    round->hold = false;
}

/* Anybody may listen at /tts/. */
static void a_whisper_is_spoken_only_where_all_is_open(void **state)
{
    Round *round = *state;
    char line[34];

    for (int open = 0; open < 2; open++) {
        rules_for(round, "default_13", "")->open = open;
        sit(round, "VVVVVVSPWWWMB");
        round->utterances = 0;
        assert_true(until_owed(round, "WHISPER", 0));
        owing(round, "WHISPER", line);
        assert_int_equal(strlen(line), 1);
        reply(round, (SeatNo)(line[0] - '0'), "let us attack the seer");
        assert_int_equal(round->utterances, open);
        assert_true(until_owed(round, "TALK", 0));
        owing(round, "TALK", line);
        reply(round, (SeatNo)(line[0] - '0'), "good morning");
        assert_int_equal(round->utterances, open + 1);
        nlp_table_abort(round->table, round->now);
    }
}

/* ---- logs that fail ---- */

static void a_game_without_a_place_for_its_log_is_aborted_and_says_so(void **state)
{
    Round *round = *state;
    char path[128];

    Config *config = rules_for(round, "default_5", "");
    snprintf(path, sizeof(path), "%s/file", round->folder);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fclose(file);
    config->game_logger.output_dir = path;
    sit(round, "VVSPW");
    assert_true(nlp_table_log_failed(round->table) && nlp_table_over(round->table));
    assert_true(nlp_table_aborted(round->table));
    assert_true(has(&round->notes, "log-failed game=01JZ") && has(&round->notes, path));
    for (SeatNo seat = 1; seat <= 5; seat++)
        assert_string_equal(request_of(last_packet(round, seat)), "FINISH");
}

static bool has_log(Round *round, const char *suffix)
{
    char path[256];
    NlpGame game;

    nlp_table_look(round->table, &game);
    snprintf(path, sizeof(path), "%s/%.*s%s", round->folder, STR_ARG(game.stem), suffix);
    return access(path, F_OK) == 0;
}

/* As on a full disk: no file may grow beyond `limit` bytes. Returns whether a log failed. */
static bool play_on_small_disk(Round *round, rlim_t limit)
{
    CLEANUP(buf_done) Buf log = {0};
    struct rlimit old;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    sit(round, "VVSPW");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, old.rlim_max}), 0);
    until_owed(round, "", 0);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    assert_true(nlp_table_over(round->table));
    bool failed = nlp_table_log_failed(round->table);
    /* A game counts when its logs are whole, and only then */
    assert_int_equal(nlp_table_aborted(round->table), failed);
    assert_int_equal(has(&round->notes, "log-failed"), failed);
    for (SeatNo seat = 1; seat <= 5; seat++)
        assert_string_equal(request_of(last_packet(round, seat)), "FINISH");
    read_log(round, ".json", &log); /* what is there is whole */
    json_t *json = json_loadb(log.bytes, log.len, 0, NULL);
    assert_non_null(json);
    json_decref(json);
    buf_clear(&log);
    if (has_log(round, ".log")) { /* there is none of nothing */
        read_log(round, ".log", &log);
        assert_true(log.len > 0 && log.bytes[log.len - 1] == '\n');
    }
    assert_true(failed || has(&log, ",result,"));
    remove_folder(round->folder);
    mkdir(round->folder, 0700);
    return failed;
}

static void a_log_that_can_not_grow_ends_the_game_in_order(void **state)
{
    Round *round = *state;
    unsigned failed = 0;
    unsigned whole = 0;

    rules_for(round, "default_5", "");
    for (rlim_t limit = 2000; limit < 120000; limit += limit / 32) {
        bool now = play_on_small_disk(round, limit);
        failed += now;
        whole += !now;
    }
    assert_true(failed > 10 && whole > 3);
}

#define round_test(name) cmocka_unit_test_setup_teardown(name, round_new, round_free)

/* ---- games of random faults ---- */

#define RANDOM_GAMES 1000

static void check_chairs(const Round *round)
{
    for (SeatNo seat = 1; seat <= round->count; seat++)
        chair_check(nlp_table_chair(round->table, seat));
}

/* What somebody does who owes a reply; a silent one may still say its name. */
static void owe_random(Round *round, SeatNo seat, Rng *rng, SeatSet *silent)
{
    switch (rng_below(rng, 60)) {
    case 0:
        vanish(round, seat);
        break;
    case 1:
    case 2:
        *silent |= seat_bit(seat);
        break;
    case 3:
        nlp_table_message(round->table, seat, STR("kano"), round->now);
        break;
    default:
        *silent &= ~seat_bit(seat);
        reply_any(round, seat);
        break;
    }
}

static void come_back(Round *round, SeatNo seat)
{
    char name[16];

    snprintf(name, sizeof(name), "kano%u", seat);
    if (nlp_table_away_seat(round->table, str_of(name)) != seat)
        return;
    round->peers[seat].dropped = false;
    round->peers[seat].owes = NULL;
    assert_true(nlp_table_rejoin(round->table, seat, &round->peers[seat], round->now));
}

static void play_random(Round *round, Rng *rng)
{
    SeatSet silent = 0;

    for (int steps = 0; steps < 20000 && !nlp_table_over(round->table); steps++) {
        SeatNo seat = (SeatNo)(1 + rng_below(rng, round->count));
        bool named = owes(round, seat, "NAME") && rng_below(rng, 3) > 0;
        if (rng_below(rng, 20) == 0)
            come_back(round, seat);
        else if (round->peers[seat].owes && (named || !seat_in(silent, seat)))
            owe_random(round, seat, rng, &silent);
        else if (rng_below(rng, 10) == 0)
            go_to(round, (double)nlp_table_deadline(round->table) / 1e6);
        check_chairs(round);
    }
    assert_true(nlp_table_over(round->table));
}

static void check_record(const Round *round)
{
    uint32_t faults[FAULT_COUNT] = {0};
    GameRecord *record = mem_new(sizeof(*record));

    assert_non_null(record);
    nlp_table_record(round->table, record);
    for (SeatNo seat = 1; seat <= round->count; seat++) {
        const Chair *chair = nlp_table_chair(round->table, seat);
        const SeatRecord *own = &record->seats[seat];
        assert_int_equal(own->failed, chair->state == CHAIR_OUT);
        assert_int_equal(durations_count(&own->times), chair->counts.answers);
        assert_int_equal(chair->counts.answers + chair->counts.failures + chair->asked,
                         chair->counts.requests);
        for (FaultKind kind = 0; kind < FAULT_COUNT; kind++)
            faults[kind] += own->faults[kind];
    }
    assert_memory_equal(faults, round->faults, sizeof(faults));
    mem_free(record);
}

static void a_thousand_games_of_random_faults_come_to_their_ends(void **state)
{
    Round *round = *state;
    Rng rng = rng_new(20261123);
    unsigned aborted = 0;
    unsigned faults = 0;

    Config *config = rules_for(round, "default_5", "");
    config->game_logger.enable = config->json_logger.enable = false;
    for (int game = 0; game < RANDOM_GAMES; game++) {
        sit(round, "VVSPW");
        play_random(round, &rng);
        check_record(round);
        aborted += nlp_table_aborted(round->table);
        faults += round->faults[FAULT_TIMEOUT] + round->faults[FAULT_DISCONNECT];
    }
    assert_in_range(aborted, 1, RANDOM_GAMES - 1);
    assert_true(faults > RANDOM_GAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        round_test(a_game_goes_from_initialize_to_finish),
        round_test(a_table_that_was_handed_over_leaves_the_scratch_of_before_alone),
        round_test(after_the_end_nothing_more_happens),
        round_test(votes_are_asked_side_by_side_and_logged_in_the_order_of_seats),
        round_test(the_remaining_count_includes_the_utterance_that_is_asked_for),
        round_test(who_answers_70_s_late_is_alive_in_the_next_phase),
        round_test(talk_without_a_reply_is_skip_and_the_seat_goes_on),
        round_test(who_fails_the_health_check_is_dropped_and_errored_when_its_time_is_over),
        round_test(a_vote_is_a_name_byte_for_byte_but_for_line_ends),
        round_test(one_that_comes_back_gets_initialize_and_the_history_of_the_day_anew),
        round_test(one_that_comes_back_by_day_hears_what_was_said_before),
        round_test(only_an_away_seat_is_taken_back_and_only_in_time),
        round_test(without_a_time_to_come_back_who_leaves_is_errored_at_once),
        round_test(in_a_session_at_any_time_who_comes_back_hears_it_again),
        round_test(who_has_failed_stays_alive_and_can_be_executed),
        round_test(who_has_failed_can_be_divined_and_attacked),
        round_test(with_strict_who_has_failed_can_not_be_meant),
        round_test(one_of_five_ends_the_game_when_the_configuration_says_02),
        round_test(without_a_ratio_the_game_goes_on_while_anybody_plays),
        round_test(when_all_are_gone_the_game_is_aborted_at_once),
        round_test(who_leaves_when_its_character_is_dead_does_not_count),
        round_test(an_abort_from_outside_ends_a_game_with_whole_logs),
        round_test(an_utterance_goes_to_all_with_what_each_has_left),
        round_test(the_session_ends_when_all_who_are_there_have_finished),
        round_test(the_session_ends_with_its_time),
        round_test(a_silence_can_end_the_session),
        round_test(who_talks_too_fast_is_not_heard),
        round_test(what_is_said_behind_the_end_is_no_vote),
        round_test(who_says_no_name_in_time_lives_on),
        round_test(an_own_over_is_taken_behind_a_skip),
        round_test(a_line_end_in_an_utterance_becomes_a_blank),
        round_test(an_agent_that_is_away_in_a_session_hears_nothing),
        round_test(masked_broadcasts_tell_no_role_and_nothing_of_the_night),
        round_test(bots_play_a_game_at_once),
        round_test(bots_and_participants_play_together),
        round_test(when_the_last_participant_leaves_bots_finish_the_game),
        round_test(a_game_waits_for_the_speech_of_an_utterance),
        round_test(a_whisper_is_spoken_only_where_all_is_open),
        round_test(a_game_without_a_place_for_its_log_is_aborted_and_says_so),
        round_test(a_log_that_can_not_grow_ends_the_game_in_order),
        round_test(a_thousand_games_of_random_faults_come_to_their_ends),
    };

    return cmocka_run_group_tests_name("a table of natural language", tests, NULL, NULL);
}
