/* Clocks that stand still, and the operator. */
#include "maw/table.h"

/* ---- the link and the operator ---- */

static void clocks_stop_while_the_link_is_down(void **state)
{
    Table *table = *state;

    begin(table, 6);
    pass(table, 100000);
    maw_session_link(table->session, false, table->now);
    assert_int_equal(maw_session_deadline(table->session), table->now + 5000000);
    wait_ms(table, 600000);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_int_equal(maw_session_deadline(table->session), TIME_US_NEVER);
    forget(table);
    maw_session_link(table->session, true, table->now);
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"seconds\":195");
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"phase_no\":1");
    wait_ms(table, 194999);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    wait_ms(table, 1);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
}

static void no_round_begins_and_nobody_leaves_while_the_link_is_down(void **state)
{
    Table *table = *state;
    MawStanding standing;

    table->options.rejoin_ms = 20000;
    open_session(table);
    for (int p = 0; p < 5; p++)
        join(table, p);
    bounce_player(table, 0);
    maw_session_link(table->session, false, table->now);
    wait_ms(table, 100000);
    assert_true(standing_of(table, 0, &standing) && standing.absent);
    join(table, 5); /* from this process */
    say(table, 0, LOBBY, "here");
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    maw_session_link(table->session, true, table->now);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"seconds\":300");
}

static const char *const acts[] = {
    "{\"type\":\"vote\",\"target\":\"Bob\"}",
    "{\"type\":\"chat\",\"message\":\"hello\"}",
    "{\"type\":\"whisper\",\"to\":\"Bob\",\"text\":\"psst\"}",
    "{\"type\":\"query_role\",\"target\":\"Bob\"}",
};

static void a_drained_session_ends_behind_the_round_that_is_played(void **state)
{
    Table *table = *state;

    table->options.rounds = 3;
    begin(table, 6);
    maw_session_drain(table->session, table->now);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    for (int p = 0; p < 6; p++)
        send(table, p, MASTER, "{\"type\":\"leave\"}");
    assert_int_equal(maw_session_state(table->session), MAW_OVER);
    assert_int_equal(maw_session_round(table->session), 1);
    assert_has(buf_cstr(&table->record), "\"act\":\"drain\"");
    assert_has(buf_cstr(&table->record), "No further round is played.");
}

static void a_session_that_is_drained_in_its_lobby_is_over(void **state)
{
    Table *table = *state;

    open_session(table);
    join(table, 0);
    maw_session_drain(table->session, table->now);
    assert_int_equal(maw_session_state(table->session), MAW_OVER);
    assert_int_equal(maw_session_round(table->session), 0);
}

static void the_lobby_is_not_over_before_anybody_could_come(void **state)
{
    Table *table = *state;

    table->options.lobby_ms = 3000;
    table->options.fill = FILL_BOTS;
    open_session(table);
    maw_session_link(table->session, false, table->now); /* the server is not up yet */
    pass(table, 60000);
    assert_int_equal(table->filled, 0);
    maw_session_link(table->session, true, table->now);
    pass(table, 2900);
    assert_int_equal(table->filled, 0);
    pass(table, 200);
    assert_int_equal(table->filled, table->options.players);
}

static void nobody_acts_while_the_link_is_down(void **state)
{
    Table *table = *state;

    table->options.whispers = WHISPERS_DAY;
    begin(table, 6);
    for (int p = 0; p < 3; p++)
        vote(table, p, 5); /* one more would be a majority */
    maw_session_link(table->session, false, table->now);
    forget(table);
    wait_ms(table, 5000);
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"seconds\":295");
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"paused\":true");
    assert_has_not(got(table, 0, MAW_PHASE_CHANGE)->body, "deadline");
    assert_has(read_room(table, 0, VILLAGE, 0), "System: The game waits: some players are out");
    vote(table, 3, 5);
    assert_refused(table, ACT_REFUSE, "paused");
    for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
        send(table, 0, MASTER, acts[i]);
        assert_refused(table, ACT_REFUSE, "paused");
    }
    say(table, 0, VILLAGE, "hello");
    assert_refused(table, ACT_REFUSE, "paused");
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_has_not(read_room(table, 0, VILLAGE, 0), "hello");
    wait_ms(table, 60000);
    maw_session_link(table->session, true, table->now);
    assert_has_not(got(table, 0, MAW_PHASE_CHANGE)->body, "paused");
    assert_has(read_room(table, 0, VILLAGE, 0), "System: The game goes on.");
    say(table, 0, VILLAGE, "hello");
    assert_has(read_room(table, 0, VILLAGE, 0), "Ann: hello");
    vote(table, 3, 5);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
    assert_false(is_alive(table, 5));
}

/* Three of six have voted for one: of five that is a majority. */
static void who_leaves_meanwhile_leaves_when_the_game_goes_on(void **state)
{
    Table *table = *state;
    MawStanding standing;

    begin(table, 6);
    for (int p = 0; p < 3; p++)
        vote(table, p, 5);
    maw_session_link(table->session, false, table->now);
    wait_ms(table, 5000);
    send(table, 4, MASTER, "{\"type\":\"leave\"}");
    wait_ms(table, 100000);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_true(is_alive(table, 4));
    bounce_player(table, 3);
    assert_true(standing_of(table, 3, &standing) && standing.absent && standing.alive);
    wait_ms(table, 100000);
    maw_session_link(table->session, true, table->now);
    assert_false(is_alive(table, 4));
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
    assert_true(is_alive(table, 3)); /* it has its whole time to come back from now on */
    wait_ms(table, 59999);
    assert_true(is_alive(table, 3));
    wait_ms(table, 1);
    assert_false(is_alive(table, 3));
}

static void who_comes_back_meanwhile_is_told_that_the_game_waits(void **state)
{
    Table *table = *state;

    begin(table, 6);
    maw_session_link(table->session, false, table->now);
    wait_ms(table, 5000);
    forget(table);
    join(table, 2);
    assert_got(table, 2, MAW_PHASE_CHANGE, "\"paused\":true");
    assert_got(table, 2, MAW_ANNOUNCE_OPEN, "Village");
}

static void a_short_loss_of_the_link_is_not_noticed(void **state)
{
    Table *table = *state;

    begin(table, 6);
    forget(table);
    maw_session_link(table->session, false, table->now);
    pass(table, 4999);
    maw_session_link(table->session, true, table->now);
    assert_int_equal(table->count, 0);
    wait_ms(table, 300000 - 4999);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
}

static void the_operator_ends_phases_kicks_and_stops(void **state)
{
    Table *table = *state;

    begin(table, 6);
    vote(table, 0, 1);
    maw_session_end_phase(table->session, table->now);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
    assert_false(is_alive(table, 1));
    assert_has(buf_cstr(&table->record), "\"event\":\"operator\",\"act\":\"end_phase\"");
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"seconds\":120");
    maw_session_kick(table->session, STR("Cyd"), table->now);
    assert_false(is_alive(table, 2));
    join(table, 2);
    assert_refused(table, ACT_REFUSE, "not-authorised");
    assert_false(maw_session_kick(table->session, STR("Zed"), table->now));
    assert_false(maw_session_kick(table->session, STR("Cyd"), table->now)); /* is gone already */
    maw_session_stop(table->session, "The operator wants it so.", table->now);
    assert_true(maw_session_over(table->session));
    assert_got(table, 0, MAW_SESSION_END, "The operator wants it so.");
    assert_int_equal(maw_session_deadline(table->session), TIME_US_NEVER);
}

static void the_operator_stops_the_clocks_and_lets_them_go_on(void **state)
{
    Table *table = *state;

    begin(table, 6);
    pass(table, 100000);
    assert_false(maw_session_resume(table->session, table->now));
    forget(table);
    assert_true(maw_session_pause(table->session, table->now));
    assert_false(maw_session_pause(table->session, table->now));
    assert_true(maw_session_paused(table->session));
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"paused\":true");
    assert_has(read_room(table, 0, VILLAGE, 0), "System: The game waits: the operator");
    wait_ms(table, 3600000);
    vote(table, 0, 1);
    assert_refused(table, ACT_REFUSE, "paused");
    assert_false(maw_session_end_phase(table->session, table->now));
    assert_int_equal(maw_session_left(table->session), 200000);
    assert_true(maw_session_resume(table->session, table->now));
    assert_false(maw_session_paused(table->session));
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"seconds\":200");
    wait_ms(table, 199999);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    wait_ms(table, 1);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
    assert_has(buf_cstr(&table->record), "\"event\":\"operator\",\"act\":\"pause\"");
    assert_has(buf_cstr(&table->record), "\"event\":\"operator\",\"act\":\"resume\"");
}

static void a_pause_holds_the_lobby_too(void **state)
{
    Table *table = *state;

    table->options.players = 3;
    open_session(table);
    assert_true(maw_session_pause(table->session, table->now));
    for (int p = 0; p < 3; p++)
        join(table, p);
    say(table, 0, LOBBY, "when does it begin?"); /* no phase that could end */
    assert_has(read_room(table, 1, LOBBY, 0), "Ann: when does it begin?");
    wait_ms(table, 600000);
    assert_int_equal(maw_session_left(table->session), TIME_NEVER);
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    maw_session_resume(table->session, table->now);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
}

/* Both have to be gone before it goes on. */
static void the_operator_and_the_link_stop_the_clocks_together(void **state)
{
    Table *table = *state;

    begin(table, 6);
    maw_session_pause(table->session, table->now);
    maw_session_link(table->session, false, table->now);
    wait_ms(table, 60000);
    assert_true(maw_session_resume(table->session, table->now));
    assert_true(maw_session_paused(table->session));
    wait_ms(table, 60000);
    maw_session_pause(table->session, table->now);
    maw_session_link(table->session, true, table->now);
    assert_true(maw_session_paused(table->session));
    wait_ms(table, 60000);
    forget(table);
    maw_session_resume(table->session, table->now);
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"seconds\":300");
    wait_ms(table, 299999);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    wait_ms(table, 1);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
}

static void the_operator_gives_a_phase_more_time(void **state)
{
    Table *table = *state;

    table->options.players = 6;
    open_session(table);
    assert_false(maw_session_extend(table->session, 60000, table->now)); /* no phase */
    for (int p = 0; p < 6; p++)
        join(table, p);
    assert_false(maw_session_extend(table->session, 0, table->now));
    assert_false(maw_session_extend(table->session, MAW_EXTEND_MAX + 1, table->now));
    wait_ms(table, 280000); /* thirty seconds was told */
    forget(table);
    assert_true(maw_session_extend(table->session, 60000, table->now));
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"phase_no\":1,\"seconds\":80");
    assert_has(read_room(table, 0, VILLAGE, 0), "more time: 80 seconds are left.");
    wait_ms(table, 50000);
    const char *first = strstr(buf_cstr(&table->room_lines), "30 seconds left.");
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "30 seconds left.")); /* once more */
    wait_ms(table, 29999);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    wait_ms(table, 1);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
    assert_int_equal(maw_session_left(table->session), 120000); /* the night is not longer */
    assert_has(buf_cstr(&table->record), "\"event\":\"operator\",\"act\":\"extend\",\"ms\":60000");
}

static void who_is_kicked_in_a_pause_leaves_when_the_game_goes_on(void **state)
{
    Table *table = *state;

    begin(table, 6);
    maw_session_pause(table->session, table->now);
    assert_true(maw_session_kick(table->session, STR("Cyd"), table->now));
    assert_true(is_alive(table, 2));
    join(table, 2);
    assert_refused(table, ACT_REFUSE, "not-authorised");
    maw_session_resume(table->session, table->now);
    assert_false(is_alive(table, 2));
}

static void a_session_that_is_over_has_no_operator(void **state)
{
    Table *table = *state;

    begin(table, 6);
    maw_session_stop(table->session, "enough", table->now);
    forget(table);
    assert_false(maw_session_pause(table->session, table->now));
    assert_false(maw_session_resume(table->session, table->now));
    assert_false(maw_session_extend(table->session, 1000, table->now));
    assert_false(maw_session_end_phase(table->session, table->now));
    assert_false(maw_session_kick(table->session, STR("Ann"), table->now));
    assert_int_equal(table->count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(clocks_stop_while_the_link_is_down),
        table_test(no_round_begins_and_nobody_leaves_while_the_link_is_down),
        table_test(the_lobby_is_not_over_before_anybody_could_come),
        table_test(a_drained_session_ends_behind_the_round_that_is_played),
        table_test(a_session_that_is_drained_in_its_lobby_is_over),
        table_test(nobody_acts_while_the_link_is_down),
        table_test(who_leaves_meanwhile_leaves_when_the_game_goes_on),
        table_test(who_comes_back_meanwhile_is_told_that_the_game_waits),
        table_test(a_short_loss_of_the_link_is_not_noticed),
        table_test(the_operator_ends_phases_kicks_and_stops),
        table_test(the_operator_stops_the_clocks_and_lets_them_go_on),
        table_test(a_pause_holds_the_lobby_too),
        table_test(the_operator_and_the_link_stop_the_clocks_together),
        table_test(the_operator_gives_a_phase_more_time),
        table_test(who_is_kicked_in_a_pause_leaves_when_the_game_goes_on),
        table_test(a_session_that_is_over_has_no_operator),
    };

    return cmocka_run_group_tests_name("clocks and operator of a session", tests, NULL, NULL);
}
