/* Who is absent, comes back, leaves. */
#include "maw/table.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(who_can_not_be_reached_is_absent_and_may_come_back),
        table_test(who_does_not_come_back_is_dead_by_leaving),
        table_test(who_leaves_by_night_is_told_of_in_the_morning),
        table_test(two_who_are_absent_leave_in_the_order_in_which_they_went),
        table_test(a_departure_can_end_the_round),
        table_test(a_seat_that_was_left_is_free_after_the_round),
        table_test(a_round_waits_for_who_is_absent_in_the_lobby),
        table_test(a_lost_client_gives_way_to_another_of_the_account),
        table_test(the_seat_goes_to_the_client_that_joined_last),
        table_test(who_asks_for_lines_from_elsewhere_is_told_there),
    };

    return cmocka_run_group_tests_name("presence in a session", tests, NULL, NULL);
}
