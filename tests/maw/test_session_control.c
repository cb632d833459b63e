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
    maw_session_kick(table->session, STR("Zed"), table->now);
    assert_has(buf_cstr(&table->notes), "nobody is called 'Zed'");
    maw_session_stop(table->session, "The operator wants it so.", table->now);
    assert_true(maw_session_over(table->session));
    assert_got(table, 0, MAW_SESSION_END, "The operator wants it so.");
    assert_int_equal(maw_session_deadline(table->session), TIME_US_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(clocks_stop_while_the_link_is_down),
        table_test(no_round_begins_and_nobody_leaves_while_the_link_is_down),
        table_test(nobody_acts_while_the_link_is_down),
        table_test(who_leaves_meanwhile_leaves_when_the_game_goes_on),
        table_test(who_comes_back_meanwhile_is_told_that_the_game_waits),
        table_test(a_short_loss_of_the_link_is_not_noticed),
        table_test(the_operator_ends_phases_kicks_and_stops),
    };

    return cmocka_run_group_tests_name("clocks and operator of a session", tests, NULL, NULL);
}
