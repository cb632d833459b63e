/* Who is absent, comes back, leaves. */
#include "maw/table.h"

#include "maw/session_replay.h"

/* ---- absence ---- */

static void who_can_not_be_reached_is_absent_and_may_come_back(void **state)
{
    Table *table = *state;
    MawStanding standing;

    begin(table, 6);
    vote(table, 1, 2);
    bounce_player(table, 1);
    assert_true(standing_of(table, 1, &standing) && standing.absent && standing.alive);
    assert_has(read_room(table, 0, VILLAGE, 0), "Bob votes for nobody."); /* A14 */
    forget(table);
    pass(table, 59999);
    assert_course(table, 1, "");
    say(table, 1, VILLAGE, "I am back");
    assert_true(standing_of(table, 1, &standing) && !standing.absent);
    assert_course(table, 1, "start_game assign_role phase_change announce_open");
    assert_got(table, 1, MAW_PHASE_CHANGE, "\"seconds\":241");
    assert_has(read_room(table, 0, VILLAGE, 0), "Bob: I am back");
    vote(table, 1, 2);
    assert_got(table, 1, MAW_VOTE_ACCEPTED, "p02@maw.test");
}

static void who_does_not_come_back_is_dead_by_leaving(void **state)
{
    Table *table = *state;

    begin(table, 6);
    vote(table, 0, 1);
    bounce_player(table, 1);
    assert_int_equal(maw_session_deadline(table->session), 1000000 + 60000000);
    pass(table, 60000);
    assert_false(is_alive(table, 1));
    assert_has(read_room(table, 0, VILLAGE, 0), "Bob has left the game.");
    assert_has(read_room(table, 0, VILLAGE, 0), "Ann votes for nobody.");
    forget(table);
    join(table, 1); /* to watch, and for the next round */
    assert_got(table, 1, MAW_KILL, "\"cause\":\"left\"");
    say(table, 1, VILLAGE, "hello");
    assert_refused(table, ACT_REFUSE, "dead");
}

static void who_leaves_by_night_is_told_of_in_the_morning(void **state)
{
    Table *table = *state;
    int gone;

    begin(table, 6);
    pass(table, 300000);
    gone = villager(table, 0);
    send(table, gone, MASTER, "{\"type\":\"leave\"}");
    assert_got(table, gone, MAW_KILL, "\"cause\":\"left\"");
    assert_has(read_room(table, wolf(table, 0), HIDEOUT, 0), "has left the game.");
    pass(table, 120000);
    assert_has(read_room(table, villager(table, 1), VILLAGE, 0), "has left the game.");
}

/* A leaver could tell the others: while they play it learns nothing, and who stays learns all at
 * the end. Who has come back to watch is told then, too. */
static void who_leaves_is_told_no_roles_while_others_play(void **state)
{
    Table *table = *state;

    begin(table, 6);
    int gone = villager(table, 0), back = villager(table, 1), stays = villager(table, 2);
    forget(table);
    send(table, gone, MASTER, "{\"type\":\"leave\"}");
    send(table, back, MASTER, "{\"type\":\"leave\"}");
    assert_course(table, gone, "kill");
    sendf(table, gone, MASTER, "{\"type\":\"query_role\",\"target\":\"%s\"}",
          name_of(wolf(table, 0)));
    assert_has_not(course(table, gone), "role_answer");
    join(table, back);
    for (size_t i = 0; i < table->count; i++)
        if (table->caught[i].player == gone || table->caught[i].player == back)
            assert_has_not(table->caught[i].body, "Werewolf");
    forget(table);
    int wolves[] = {wolf(table, 0), wolf(table, 1)};
    execute(table, wolves[0]);
    pass(table, 120000);
    execute(table, wolves[1]);
    assert_course(table, gone, "");
    assert_got(table, back, MAW_END_GAME, "Werewolf");
    assert_got(table, stays, MAW_END_GAME, "Werewolf");
}

static size_t waits_told(const Table *table)
{
    size_t count = 0;

    for (const char *at = buf_cstr(&table->record); (at = strstr(at, "Waiting for players")); at++)
        count++;
    return count;
}

static void free_seats_are_told_once_when_the_lobby_waits(void **state)
{
    Table *table = *state;

    table->options.players = 3;
    open_session(table);
    join(table, 0);
    pass(table, 4999);
    assert_int_equal(waits_told(table), 0);
    pass(table, 1);
    assert_has(buf_cstr(&table->record), "Waiting for players: 2 of 3 seats free.");
    join(table, 1);
    pass(table, 3600000);
    assert_int_equal(waits_told(table), 1);
    assert_has(buf_cstr(&table->room_lines), "seats free");
    join(table, 2);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
}

static void how_long_the_lobby_waits_is_told(void **state)
{
    Table *table = *state;

    table->options.players = 3;
    table->options.lobby_ms = 45000;
    table->options.fill = FILL_BOTS;
    open_session(table);
    pass(table, 5000);
    assert_has(buf_cstr(&table->record), "3 of 3 seats free, bots take them in 40 seconds.");
    maw_session_free(table->session);
    table->options.fill = FILL_NONE;
    table->options.language = LLM_JAPANESE;
    open_session(table);
    pass(table, 5000);
    assert_has(buf_cstr(&table->record), "空席 3/3)。40 秒後にセッションを終えます。");
    pass(table, 40000);
    assert_true(maw_session_over(table->session));
}

/* A full lobby between rounds, and somebody goes. */
static void who_leaves_a_full_lobby_is_waited_for(void **state)
{
    Table *table = *state;

    table->options.rounds = 2;
    begin(table, 3);
    execute(table, wolf(table, 0));
    assert_int_equal(maw_session_state(table->session), MAW_END_PHASE);
    pass(table, 1000);
    assert_int_equal(waits_told(table), 0);
    send(table, 0, MASTER, "{\"type\":\"leave\"}");
    pass(table, 5000);
    assert_int_equal(waits_told(table), 1);
    assert_has(buf_cstr(&table->record), "Waiting for players: 1 of 3 seats free.");
}

/* The lobby waits for who is absent until its time is over; then the seat becomes free. */
static void a_seat_that_becomes_free_late_is_filled(void **state)
{
    Table *table = *state;

    table->options.rounds = 2;
    table->options.lobby_ms = 20000;
    table->options.rejoin_ms = 60000;
    table->options.fill = FILL_BOTS;
    begin(table, 3);
    execute(table, wolf(table, 0));
    assert_int_equal(maw_session_state(table->session), MAW_END_PHASE);
    bounce_player(table, 0);
    pass(table, 59999); /* a full lobby, without one of its players */
    assert_int_equal(table->filled, 0);
    pass(table, 1);
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    pass(table, 20000);
    assert_int_equal(table->filled, 1);
    join(table, 3);
    assert_int_equal(maw_session_round(table->session), 2);
    maw_session_stop(table->session, "enough", table->now);
    MawReplayVerdict verdict = {0};
    assert_int_equal(maw_record_replay(buf_str(&table->record), &verdict, NULL), 0);
    if (!verdict.ok)
        fail_msg("line %u: %s", verdict.line, verdict.reason);
}

/* A seat of who was sent away in a round is free after it; bots take it when the lobby's time is
 * over. Without such a time they never come (A31). */
static void the_seat_of_who_was_sent_away_is_filled(void **state)
{
    Table *table = *state;

    table->options.rounds = 2;
    table->options.lobby_ms = 20000;
    table->options.fill = FILL_BOTS;
    begin(table, 4);
    assert_true(maw_session_kick(table->session, str_of(name_of(villager(table, 0))), table->now));
    execute(table, wolf(table, 0));
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    pass(table, 19999);
    assert_int_equal(table->filled, 0);
    pass(table, 1);
    assert_int_equal(table->filled, 1);
    join(table, 4);
    assert_int_equal(maw_session_round(table->session), 2);
}

/* Else nobody could take the seat, and the next round never began. */
static void whose_leaving_ends_the_round_leaves_a_free_seat(void **state)
{
    Table *table = *state;
    int gone;

    table->options.rounds = 2;
    begin(table, 3); /* one wolf */
    gone = wolf(table, 0);
    send(table, gone, MASTER, "{\"type\":\"leave\"}");
    assert_got(table, gone, MAW_END_GAME, "Villagers");
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    pass(table, 0);
    assert_has(buf_cstr(&table->record), "Waiting for players: 1 of 3 seats free.");
    pass(table, 10000);
    assert_int_equal(maw_session_round(table->session), 1);
    join(table, 3);
    assert_int_equal(maw_session_round(table->session), 2);
    maw_session_stop(table->session, "enough", table->now);
    MawReplayVerdict verdict = {0};
    assert_int_equal(maw_record_replay(buf_str(&table->record), &verdict, NULL), 0);
    if (!verdict.ok)
        fail_msg("line %u: %s", verdict.line, verdict.reason);
}

static void two_who_are_absent_leave_in_the_order_in_which_they_went(void **state)
{
    Table *table = *state;

    begin(table, 6);
    bounce_player(table, 3);
    pass(table, 10);
    bounce_player(table, 1);
    pass(table, 70000);
    const char *lines = read_room(table, 0, VILLAGE, 0);
    const char *first = strstr(lines, "Dan has left"), *second = strstr(lines, "Bob has left");
    assert_true(first && second && first < second);
}

static void a_departure_can_end_the_round(void **state)
{
    Table *table = *state;
    int wolf0;

    begin(table, 3);
    wolf0 = wolf(table, 0);
    forget(table);
    send(table, wolf0, MASTER, "{\"type\":\"leave\"}");
    assert_true(maw_session_over(table->session));
    assert_course(table, wolf0, "kill vote_result end_game announce_open session_end");
    assert_got(table, villager(table, 0), MAW_END_GAME, "Villagers");
}

static void a_seat_that_was_left_is_free_after_the_round(void **state)
{
    Table *table = *state;
    int gone;

    table->options.rounds = 2;
    begin(table, 4);
    gone = villager(table, 0);
    send(table, gone, MASTER, "{\"type\":\"leave\"}");
    execute(table, wolf(table, 0));
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    join(table, gone); /* the same one takes it again */
    wait_ms(table, 5000);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_int_equal(maw_session_round(table->session), 2);
}

static void a_round_waits_for_who_is_absent_in_the_lobby(void **state)
{
    Table *table = *state;

    open_session(table);
    for (int p = 0; p < 5; p++)
        join(table, p);
    bounce_player(table, 0);
    join(table, 5);
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    say(table, 0, LOBBY, "here");
    wait_ms(table, 1);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
}

static void a_lost_client_gives_way_to_another_of_the_account(void **state)
{
    Table *table = *state;
    MawStanding standing;

    table->options.players = 3;
    open_session(table);
    join(table, 0);
    join(table, 1);
    send_from(table, "p02@maw.test/a", MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"Cyd\"}");
    assert_string_equal(got(table, 2, MAW_START_GAME)->to, "p02@maw.test/a");
    forget(table);
    bounce(table, "p02@maw.test/a", "m1");
    assert_true(standing_of(table, 2, &standing) && !standing.absent);
    assert_string_equal(got(table, 2, MAW_START_GAME)->to, "p02@maw.test");
    bounce(table, "p02@maw.test/a", "m2"); /* what was on its way to the lost one */
    assert_true(standing_of(table, 2, &standing) && !standing.absent);
    bounce(table, "p02@maw.test", "x7"); /* no message of ours */
    bounce(table, "p02@maw.test", "m999999");
    assert_true(standing_of(table, 2, &standing) && !standing.absent);
    bounce(table, "p02@maw.test", "m3");
    assert_true(standing_of(table, 2, &standing) && standing.absent);
}

static void the_seat_goes_to_the_client_that_joined_last(void **state)
{
    static const char *const acts[] = {
        "{\"type\":\"vote\",\"target\":\"Ann\"}",
        "{\"type\":\"chat\",\"message\":\"hello\"}",
        "{\"type\":\"get_new_messages\",\"index\":0}",
        "{\"type\":\"leave\"}",
    };
    Table *table = *state;

    table->options.players = 3;
    open_session(table);
    join(table, 0);
    join(table, 1);
    send_from(table, "p02@maw.test/a", MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"Cyd\"}");
    forget(table);
    send_from(table, "p02@maw.test/b", MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"Cyd\"}");
    assert_string_equal(table->caught[0].to, "p02@maw.test/a");
    assert_int_equal(table->caught[0].act, ACT_REFUSE);
    assert_has(table->caught[0].body, "\"of\":null,\"code\":\"replaced\"");
    assert_has(table->caught[0].body, "p02@maw.test/a has lost its seat");
    assert_string_equal(got(table, 2, MAW_START_GAME)->to, "p02@maw.test/b");
    for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
        send_from(table, "p02@maw.test/a", i == 1 ? VILLAGE : MASTER, acts[i]);
        assert_refused(table, ACT_REFUSE, "replaced");
        assert_string_equal(table->caught[table->count - 1].to, "p02@maw.test/a");
    }
    send_from(table, "p02@maw.test/b", MASTER, acts[0]);
    assert_got(table, 2, MAW_VOTE_ACCEPTED, "p00@maw.test");
    /* It may have it back. */
    send_from(table, "p02@maw.test/a", MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"Cyd\"}");
    assert_string_equal(got(table, 2, MAW_START_GAME)->to, "p02@maw.test/a");
    send_from(table, "p02@maw.test/b", MASTER, acts[0]);
    assert_refused(table, ACT_REFUSE, "replaced");
    send_from(table, "p02@maw.test/a", VILLAGE, acts[1]);
    assert_has(read_room(table, 0, VILLAGE, 0), "Cyd: hello");
}

/* An agent that was started again and knows nothing of joining twice. */
static void who_asks_for_lines_from_elsewhere_is_told_there(void **state)
{
    Table *table = *state;

    table->options.players = 3;
    open_session(table);
    join(table, 0);
    join(table, 1);
    send_from(table, "p02@maw.test/a", MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"Cyd\"}");
    send_from(table, "p02@maw.test/b", VILLAGE, "{\"type\":\"get_new_messages\",\"index\":0}");
    assert_string_equal(got(table, 2, MAW_NEW_MESSAGES)->to, "p02@maw.test/b");
    maw_session_end_phase(table->session, table->now);
    assert_string_equal(got(table, 2, MAW_VOTE_RESULT)->to, "p02@maw.test/b");
    /* That one is gone: whoever is there of the account is told, and heard. */
    bounce(table, "p02@maw.test/b", "m1");
    assert_string_equal(got(table, 2, MAW_START_GAME)->to, "p02@maw.test");
    maw_session_end_phase(table->session, table->now);
    send_from(table, "p02@maw.test/a", MASTER, "{\"type\":\"vote\",\"target\":\"Ann\"}");
    assert_got(table, 2, MAW_VOTE_ACCEPTED, "p00@maw.test");
}

/* ---- silence ---- */

#define ZOE "zoe@else.test/x"

static void join_zoe(Table *table)
{
    send_from(table, ZOE, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"Zoe\"}");
}

static MawStanding zoe(const Table *table)
{
    MawStanding standing = {0};

    for (uint32_t i = 0; maw_session_standing(table->session, i, &standing); i++)
        if (str_eq(standing.name, STR("Zoe")))
            return standing;
    fail_msg("Zoe is not there");
    return standing;
}

static void begin_with_zoe(Table *table, TimeMs absent_after_ms)
{
    table->options.absent_after_ms = absent_after_ms;
    table->options.players = 6;
    open_session(table);
    for (int p = 0; p < 5; p++)
        join(table, p);
    join_zoe(table);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
}

static void who_is_silent_for_long_is_absent(void **state)
{
    Table *table = *state;
    MawStanding standing;

    begin_with_zoe(table, 100000);
    wait_ms(table, 99999);
    assert_false(zoe(table).absent);
    wait_ms(table, 1);
    assert_true(zoe(table).absent);
    assert_has(buf_cstr(&table->record), "\"event\":\"absent\",\"jid\":\"zoe@else.test\"");
    assert_true(standing_of(table, 0, &standing) && !standing.absent); /* lives here */
    wait_ms(table, 59999);
    assert_true(zoe(table).alive);
    wait_ms(table, 1);
    assert_false(zoe(table).alive);
    assert_has(read_room(table, 0, VILLAGE, 0), "Zoe has left the game.");
}

static void who_is_heard_of_is_not_absent_and_comes_back_by_anything(void **state)
{
    Table *table = *state;

    begin_with_zoe(table, 100000);
    wait_ms(table, 90000);
    send_from(table, ZOE, VILLAGE, "{\"type\":\"get_new_messages\",\"index\":0}");
    wait_ms(table, 90000);
    assert_false(zoe(table).absent);
    wait_ms(table, 10000);
    assert_true(zoe(table).absent);
    forget(table);
    send_from(table, ZOE, MASTER, "nonsense");
    assert_false(zoe(table).absent);
    bool told = false;
    for (size_t i = 0; i < table->count; i++)
        told = told ||
               (strcmp(table->caught[i].to, ZOE) == 0 && table->caught[i].type == MAW_PHASE_CHANGE);
    assert_true(told);
    wait_ms(table, 99999);
    assert_false(zoe(table).absent);
    wait_ms(table, 1);
    assert_true(zoe(table).absent);
}

/* Nights count for who is awake: a day of 300 seconds, a night of 120. */
static void the_sleeping_need_not_be_heard_of(void **state)
{
    Table *table = *state;

    for (table->seed = 1; table->seed < 20; table->seed++) {
        begin_with_zoe(table, 350000);
        bool wolf = zoe(table).role == ROLE_WEREWOLF;
        wait_ms(table, 349999);
        assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
        assert_false(zoe(table).absent);
        wait_ms(table, 1);
        assert_int_equal(zoe(table).absent, wolf);
        wait_ms(table, 50000 + 20000 + 49999); /* it is day 2 */
        if (!wolf)
            assert_false(zoe(table).absent);
        wait_ms(table, 1);
        assert_true(zoe(table).absent);
        forget(table);
        maw_session_free(table->session);
        table->session = NULL;
    }
}

static void a_pause_is_no_silence(void **state)
{
    Table *table = *state;

    begin_with_zoe(table, 100000);
    wait_ms(table, 50000);
    maw_session_pause(table->session, table->now);
    wait_ms(table, 500000);
    maw_session_resume(table->session, table->now);
    wait_ms(table, 49999);
    assert_false(zoe(table).absent);
    wait_ms(table, 1);
    assert_true(zoe(table).absent);
}

static void silence_may_mean_nothing(void **state)
{
    Table *table = *state;

    begin_with_zoe(table, 0);
    wait_ms(table, 900000);
    assert_false(zoe(table).absent);
}

static void silence_replays(void **state)
{
    Table *table = *state;
    MawReplayVerdict verdict;

    begin_with_zoe(table, 100000);
    wait_ms(table, 120000);
    send_from(table, ZOE, MASTER, "nonsense");
    wait_ms(table, 300000);
    maw_session_stop(table->session, "enough", table->now);
    assert_int_equal(maw_record_replay(buf_str(&table->record), &verdict, NULL), 0);
    if (!verdict.ok)
        fail_msg("line %u: %s", verdict.line, verdict.reason);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(who_can_not_be_reached_is_absent_and_may_come_back),
        table_test(who_does_not_come_back_is_dead_by_leaving),
        table_test(who_leaves_by_night_is_told_of_in_the_morning),
        table_test(who_leaves_is_told_no_roles_while_others_play),
        table_test(free_seats_are_told_once_when_the_lobby_waits),
        table_test(how_long_the_lobby_waits_is_told),
        table_test(who_leaves_a_full_lobby_is_waited_for),
        table_test(a_seat_that_becomes_free_late_is_filled),
        table_test(the_seat_of_who_was_sent_away_is_filled),
        table_test(whose_leaving_ends_the_round_leaves_a_free_seat),
        table_test(two_who_are_absent_leave_in_the_order_in_which_they_went),
        table_test(a_departure_can_end_the_round),
        table_test(a_seat_that_was_left_is_free_after_the_round),
        table_test(a_round_waits_for_who_is_absent_in_the_lobby),
        table_test(a_lost_client_gives_way_to_another_of_the_account),
        table_test(the_seat_goes_to_the_client_that_joined_last),
        table_test(who_asks_for_lines_from_elsewhere_is_told_there),
        table_test(who_is_silent_for_long_is_absent),
        table_test(who_is_heard_of_is_not_absent_and_comes_back_by_anything),
        table_test(the_sleeping_need_not_be_heard_of),
        table_test(a_pause_is_no_silence),
        table_test(silence_may_mean_nothing),
        table_test(silence_replays),
    };

    return cmocka_run_group_tests_name("presence in a session", tests, NULL, NULL);
}
