/* Whoever sends too much: what is answered, what is recorded, and that the record replays. */
#include "maw/table.h"

#include "maw/session_replay.h"

static size_t records_of(const Table *table, const char *what)
{
    size_t count = 0;

    for (const char *at = buf_cstr(&table->record); (at = strstr(at, what)); at++)
        count++;
    return count;
}

static void assert_replays(Table *table)
{
    MawReplayVerdict verdict;

    maw_session_stop(table->session, "enough", table->now);
    assert_int_equal(maw_record_replay(buf_str(&table->record), &verdict, NULL), 0);
    if (!verdict.ok)
        fail_msg("line %u: %s", verdict.line, verdict.reason);
}

/* Ten seconds of a message a millisecond from Bob, who gets so many answers; returns by how many
 * bytes the record has grown. */
static size_t flood(Table *table, const char *to, const char *body)
{
    size_t before = table->record.len;

    forget(table);
    for (int i = 0; i < 10000; i++) {
        pass(table, 1);
        send(table, 1, to, body);
    }
    return table->record.len - before;
}

static void floods_of_all_kinds_leave_a_short_record(void **state)
{
    static const char *const bodies[] = {
        "nonsense",
        "{\"type\":\"dance\"}",
        "{\"type\":\"kill\"}",
        "{\"type\":\"vote\",\"target\":\"Nobody\"}",
        "{\"type\":\"chat\",\"message\":\"\"}",
        "{\"type\":\"error\",\"code\":\"x\"}",
        "{\"type\":\"get_new_messages\",\"index\":0}",
        "{\"type\":\"join_lobby\",\"player_name\":\"Bob\"}",
    };
    Table *table = *state;

    begin(table, 6);
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        size_t grown = flood(table, MASTER, bodies[i]);
        if (grown > 100000) /* without a limit it would be three million */
            fail_msg("%s: %zu bytes in ten seconds", bodies[i], grown);
        assert_true(table->count < 1500);
        pass(table, 10000);
    }
    assert_true(records_of(table, "\"event\":\"dropped\"") > 0);
    assert_has(buf_cstr(&table->record), "\"event\":\"dropped\",\"jid\":\"p01@maw.test\","
                                         "\"name\":\"Bob\",\"messages\":");
    assert_replays(table);
}

static void the_same_message_again_and_again_is_a_flood(void **state)
{
    Table *table = *state;

    begin(table, 6);
    table->id = "same";
    assert_true(flood(table, MASTER, "{\"type\":\"vote\",\"target\":\"Ann\"}") < 100000);
    assert_int_equal(records_of(table, "\"event\":\"vote\""), 1);
    assert_replays(table);
}

/* A hundred kilobytes each, ten a second, are a megabyte a second. */
static void long_bodies_count_for_more(void **state)
{
    Table *table = *state;
    CLEANUP(buf_done) Buf body = {0};

    begin(table, 6);
    buf_add(&body, STR("{\"type\":\"vote\",\"target\":\"Ann\",\"more\":\""));
    while (body.len < 100000)
        buf_add_char(&body, 'x');
    buf_add(&body, STR("\"}"));
    size_t before = table->record.len;
    for (int i = 0; i < 200; i++) {
        pass(table, 100);
        send(table, 1, MASTER, buf_cstr(&body));
    }
    size_t grown = table->record.len - before;
    assert_true(grown > 100000);
    assert_true(grown < 1000000);
    assert_replays(table);
}

/* The others notice nothing, and who stops is heard again soon. */
static void a_flood_is_its_senders_own_trouble(void **state)
{
    Table *table = *state;

    begin(table, 6);
    flood(table, MASTER, "nonsense");
    assert_has(buf_cstr(&table->record), "\"code\":\"rate-limited\"");
    assert_int_equal(count_of(table, 0, MAW_ERROR), 0);
    vote(table, 0, 2);
    assert_got(table, 0, MAW_VOTE_ACCEPTED, "p02@maw.test");
    pass(table, 200);
    vote(table, 1, 2);
    assert_got(table, 1, MAW_VOTE_ACCEPTED, "p02@maw.test");
}

/* Thirty refused messages at once are no flood yet, and the answer says what was wrong. */
static void some_mistakes_are_no_flood(void **state)
{
    Table *table = *state;

    begin(table, 6);
    pass(table, 10000);
    for (int i = 0; i < 30; i++) {
        send(table, 1, MASTER, "nonsense");
        assert_refused(table, ACT_NOT_UNDERSTOOD, "bad-json");
    }
    send(table, 1, MASTER, "nonsense");
    assert_refused(table, ACT_REFUSE, "rate-limited");
}

/* An error is never answered, not even to say that there are too many. */
static void a_flood_of_errors_is_not_answered(void **state)
{
    Table *table = *state;

    begin(table, 6);
    flood(table, MASTER, "{\"type\":\"error\",\"of\":null,\"code\":\"x\"}");
    assert_int_equal(table->count, 0);
}

/* Lines that were dropped for the lines' own limit are counted, not recorded one by one. */
static void dropped_lines_are_counted(void **state)
{
    Table *table = *state;

    begin(table, 6);
    flood(table, VILLAGE, "{\"type\":\"chat\",\"message\":\"buy\"}");
    assert_true(records_of(table, "\"event\":\"dropped\"") < 30);
    assert_true(records_of(table, "\"text\":\"buy\"") <= 13);
    assert_replays(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(floods_of_all_kinds_leave_a_short_record),
        table_test(the_same_message_again_and_again_is_a_flood),
        table_test(long_bodies_count_for_more),
        table_test(a_flood_is_its_senders_own_trouble),
        table_test(some_mistakes_are_no_flood),
        table_test(a_flood_of_errors_is_not_answered),
        table_test(dropped_lines_are_counted),
    };

    return cmocka_run_group_tests_name("floods", tests, NULL, NULL);
}
