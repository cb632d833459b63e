/* A session behind the replay of its record: who played is called and waited for, and nobody else
 * gets a seat. docs/spec/models.md 4.5. */
#include "table.h"

#include "maw/session_replay.h"

#define GUESTS 4
#define WAIT   60000

static const char *guest(int number, const char *device, char *text)
{
    snprintf(text, 64, "o%d@example.org/%s", number, device);
    return text;
}

static void say_as(Table *table, int number, const char *device, const char *to, const char *body)
{
    char jid[64];

    send_from(table, guest(number, device, jid), to, body);
}

static void join_as(Table *table, int number, const char *device, const char *name)
{
    char body[128];

    snprintf(body, sizeof(body), "{\"type\":\"join_lobby\",\"player_name\":\"%s\"}", name);
    say_as(table, number, device, MASTER, body);
}

static void come_back(Table *table, int number)
{
    join_as(table, number, "x", name_of(number));
}

/* A round of guests has begun. */
static void begin_guests(Table *table)
{
    table->options.players = GUESTS;
    table->options.rounds = 3;
    table->options.absent_after_ms = 0;
    open_session(table);
    for (int i = 0; i < GUESTS; i++)
        join_as(table, i, "x", name_of(i));
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    pass(table, 20000);
    forget(table);
    buf_clear(&table->record);
}

static void go_on(Table *table)
{
    maw_session_continue(table->session, 1700000099000, WAIT, table->now);
}

/* What a guest was sent of this type. */
static size_t sent(const Table *table, int number, const char *device, MawType type,
                   const char *part)
{
    char jid[64];
    size_t found = 0;

    guest(number, device, jid);
    for (size_t i = 0; i < table->count; i++)
        found += strcmp(table->caught[i].to, jid) == 0 && table->caught[i].type == type &&
                 strstr(table->caught[i].body, part);
    return found;
}

static size_t recorded(const Table *table, const char *part)
{
    size_t found = 0;

    for (Str rest = buf_str(&table->record); rest.len;) {
        size_t at;
        found += str_find(str_cut(&rest, '\n'), str_of(part), &at);
    }
    return found;
}

static bool is_wolf(const Table *table, int number)
{
    MawStanding standing;
    char jid[64];

    guest(number, "x", jid);
    for (uint32_t i = 0; maw_session_standing(table->session, i, &standing); i++)
        if (str_eq(standing.jid, jid_bare(str_of(jid))))
            return standing.role == ROLE_WEREWOLF;
    return false;
}

/* ---- who is waited for ---- */

static void guests_are_called_and_the_clock_waits(void **state)
{
    Table *table = *state;
    const char *vote = "{\"type\":\"vote\",\"target\":\"Ann\"}";

    begin_guests(table);
    TimeMs left = maw_session_left(table->session);
    go_on(table);
    assert_true(maw_session_paused(table->session));
    for (int i = 0; i < GUESTS; i++) {
        assert_int_equal(sent(table, i, "x", MAW_ERROR, "not-joined"), 1);
        assert_int_equal(sent(table, i, "x", MAW_PHASE_CHANGE, "paused"), 1);
    }
    for (size_t i = 0; i < table->count; i++) { /* neither roles nor the seed */
        assert_null(strstr(table->caught[i].body, "Werewol"));
        assert_null(strstr(table->caught[i].body, "Villager"));
        assert_null(strstr(table->caught[i].body, "seed"));
    }
    wait_ms(table, 10000);
    come_back(table, 1);
    come_back(table, 2);
    come_back(table, 3);
    say_as(table, 1, "x", MASTER, vote);
    assert_int_equal(sent(table, 1, "x", MAW_ERROR, "paused"), 1);
    assert_true(maw_session_paused(table->session));
    forget(table);
    come_back(table, 0);
    assert_false(maw_session_paused(table->session));
    assert_int_equal(sent(table, 2, "x", MAW_PHASE_CHANGE, "seconds"), 1);
    assert_int_equal(maw_session_left(table->session), left);
    say_as(table, 1, "x", MASTER, vote);
    assert_int_equal(sent(table, 1, "x", MAW_VOTE_ACCEPTED, "target"), 1);
    assert_int_equal(recorded(table, "\"absent\""), 0);
}

static void who_is_not_back_in_time_is_absent(void **state)
{
    Table *table = *state;

    begin_guests(table);
    go_on(table);
    for (int i = 0; i < GUESTS - 1; i++)
        come_back(table, i);
    wait_ms(table, WAIT - 1);
    assert_true(maw_session_paused(table->session));
    wait_ms(table, 1);
    assert_false(maw_session_paused(table->session));
    assert_int_equal(recorded(table, "\"event\":\"absent\""), 1);
    assert_int_equal(recorded(table, "\"event\":\"expired\""), 0);
    wait_ms(table, table->options.rejoin_ms);
    assert_int_equal(recorded(table, "\"event\":\"expired\""), 1);
    assert_int_equal(recorded(table, "\"event\":\"left\""), 1);
}

/* By night villagers have nothing to say, and are no less there. */
static void who_sleeps_is_not_absent(void **state)
{
    Table *table = *state;

    begin_guests(table);
    while (maw_session_state(table->session) != MAW_NIGHT)
        wait_ms(table, 1000);
    go_on(table);
    for (int i = 0; i < GUESTS; i++)
        if (is_wolf(table, i))
            come_back(table, i);
    wait_ms(table, WAIT);
    assert_false(maw_session_paused(table->session));
    assert_int_equal(recorded(table, "\"event\":\"absent\""), 0);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
}

static void without_a_link_nobody_is_late(void **state)
{
    Table *table = *state;

    begin_guests(table);
    maw_session_link(table->session, false, table->now);
    go_on(table);
    assert_int_equal(sent(table, 0, "x", MAW_ERROR, "not-joined"), 0);
    wait_ms(table, 10 * WAIT);
    assert_true(maw_session_paused(table->session));
    maw_session_link(table->session, true, table->now);
    assert_int_equal(sent(table, 0, "x", MAW_ERROR, "not-joined"), 1);
    wait_ms(table, WAIT - 1);
    assert_true(maw_session_paused(table->session));
    for (int i = 0; i < GUESTS; i++)
        come_back(table, i);
    assert_false(maw_session_paused(table->session));
    assert_int_equal(recorded(table, "\"event\":\"absent\""), 0);
}

static void the_next_round_waits_too(void **state)
{
    Table *table = *state;

    begin_guests(table);
    while (maw_session_state(table->session) != MAW_END_PHASE)
        wait_ms(table, 1000);
    go_on(table);
    uint32_t round = maw_session_round(table->session);
    for (int i = 1; i < GUESTS; i++)
        come_back(table, i);
    wait_ms(table, WAIT / 2);
    assert_int_equal(maw_session_round(table->session), round);
    come_back(table, 0);
    wait_ms(table, table->options.scores_ms);
    assert_int_equal(maw_session_round(table->session), round + 1);
}

/* The operator had stopped the clocks: that the players are back is not his word. */
static void an_operators_pause_stays(void **state)
{
    Table *table = *state;

    begin_guests(table);
    assert_true(maw_session_pause(table->session, table->now));
    go_on(table);
    for (int i = 0; i < GUESTS; i++)
        come_back(table, i);
    wait_ms(table, 2 * WAIT);
    assert_true(maw_session_paused(table->session));
    assert_true(maw_session_resume(table->session, table->now));
    assert_false(maw_session_paused(table->session));
}

/* ---- who gets a seat back ---- */

static void a_seat_is_its_accounts_alone(void **state)
{
    Table *table = *state;

    begin_guests(table);
    go_on(table);
    for (int i = 1; i < GUESTS; i++)
        come_back(table, i);
    forget(table);
    join_as(table, 9, "x", "Ann"); /* another account with the name */
    assert_int_equal(sent(table, 9, "x", MAW_ERROR, "name-taken"), 1);
    join_as(table, 9, "x", "Zed");
    assert_int_equal(sent(table, 9, "x", MAW_ERROR, "running"), 1);
    say_as(table, 9, "x", MASTER, "{\"type\":\"vote\",\"target\":\"Bob\"}");
    assert_int_equal(sent(table, 9, "x", MAW_ERROR, "not-joined"), 1);
    send_from(table, "o0@example.net/x", MASTER,
              "{\"type\":\"join_lobby\",\"player_name\":\"Ann\"}"); /* of another server */
    assert_true(maw_session_paused(table->session));
    assert_int_equal(sent(table, 9, "x", MAW_ASSIGN_ROLE, ""), 0);
    forget(table);
    join_as(table, 0, "elsewhere", "Somebody"); /* the account, another client, any name */
    assert_int_equal(sent(table, 0, "elsewhere", MAW_JOIN_CONFIRMED, "\"Ann\""), 1);
    assert_int_equal(sent(table, 0, "elsewhere", MAW_ASSIGN_ROLE, ""), 1);
    assert_false(maw_session_paused(table->session));
    for (int i = 1; i < GUESTS; i++)
        assert_int_equal(sent(table, i, "x", MAW_ASSIGN_ROLE, ""), 0);
}

/* ---- the record ---- */

static void what_was_gone_on_with_replays(void **state)
{
    Table *table = *state;
    MawReplayVerdict verdict;

    table->options.players = GUESTS;
    table->options.absent_after_ms = 0;
    open_session(table);
    for (int i = 0; i < GUESTS; i++)
        join_as(table, i, "x", name_of(i));
    for (int turn = 0; turn < 6; turn++) {
        wait_ms(table, 7000);
        if (turn % 3 == 1)
            maw_session_link(table->session, false, table->now);
        go_on(table);
        if (turn % 3 == 1)
            maw_session_link(table->session, true, table->now);
        for (int i = turn % 2; i < GUESTS && turn < 5; i++)
            come_back(table, i);
        wait_ms(table, turn % 2 ? WAIT : 100);
        come_back(table, 0);
    }
    assert_int_equal(maw_record_replay(buf_str(&table->record), &verdict, NULL), 0);
    if (!verdict.ok && !verdict.truncated)
        fail_msg("line %u: %s", verdict.line, verdict.reason);
    assert_int_equal(recorded(table, "\"event\":\"resumed\""), 6);
    assert_int_equal(recorded(table, "2023-11-14T22:14:59.000Z"), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(guests_are_called_and_the_clock_waits),
        table_test(who_is_not_back_in_time_is_absent),
        table_test(who_sleeps_is_not_absent),
        table_test(without_a_link_nobody_is_late),
        table_test(the_next_round_waits_too),
        table_test(an_operators_pause_stays),
        table_test(a_seat_is_its_accounts_alone),
        table_test(what_was_gone_on_with_replays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
