/* Who watches a session is told what is public, and that late. */
#include "maw/table.h"

#include "maw/session_replay.h"

#define ZOE "zoe@else.test/web"

static void observe(Table *table, const char *from)
{
    send_from(table, from, MASTER, "{\"type\":\"observe\"}");
}

/* The types of what was sent to an address, in order. */
static const char *course_of(Table *table, const char *to)
{
    size_t used = 0;

    table->line[0] = '\0';
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->caught[i].to, to) == 0)
            used += (size_t)snprintf(table->line + used, sizeof(table->line) - used, "%s%s",
                                     used ? " " : "", maw_type_name(table->caught[i].type));
    return table->line;
}

/* All bodies that were sent to an address. */
static const char *told_to(Table *table, const char *to)
{
    size_t used = 0;

    table->line[0] = '\0';
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->caught[i].to, to) == 0)
            used += (size_t)snprintf(table->line + used, sizeof(table->line) - used, "%s\n",
                                     table->caught[i].body);
    return table->line;
}

static void begin_watched(Table *table)
{
    table->options.spectators = 1;
    begin(table, 6);
    observe(table, ZOE);
}

static void nobody_watches_unless_the_table_wants_it(void **state)
{
    Table *table = *state;

    begin(table, 6);
    forget(table);
    observe(table, ZOE);
    assert_refused(table, ACT_REFUSE, "not-authorised");
    execute(table, 5);
    assert_string_equal(course_of(table, ZOE), "error");
}

static void who_watches_is_told_what_is_going_on(void **state)
{
    Table *table = *state;

    table->options.spectators = 1;
    table->options.players = 6;
    open_session(table);
    observe(table, ZOE);
    assert_int_equal(table->caught[table->count - 1].act, ACT_AGREE);
    assert_string_equal(course_of(table, ZOE), "observe"); /* in the lobby nothing goes on */
    for (int p = 0; p < 6; p++)
        join(table, p);
    assert_string_equal(course_of(table, ZOE), "observe start_game phase_change");
    assert_has_not(told_to(table, ZOE), "role");
    forget(table);
    observe(table, "zoe@else.test/other"); /* once more, from elsewhere: the same seat */
    assert_string_equal(course_of(table, "zoe@else.test/other"), "observe start_game phase_change");
}

static void lines_of_the_day_are_told_when_it_is_over(void **state)
{
    Table *table = *state;

    begin_watched(table);
    forget(table);
    say(table, 0, VILLAGE, "I am no wolf.");
    wait_ms(table, 100000);
    vote(table, 0, 5);
    assert_string_equal(course_of(table, ZOE), "");
    execute(table, 5);
    assert_string_equal(course_of(table, ZOE), "new_messages vote_result phase_change");
    assert_has(told_to(table, ZOE), "\"messages\":[\"Ann: I am no wolf.\",");
    assert_has(told_to(table, ZOE), "\"System: Ann votes for Fay.\"");
    assert_has(told_to(table, ZOE), "\"open\":false");
    assert_has(told_to(table, ZOE), "\"status\":\"executed\",\"name\":\"Fay\"");
    assert_has(told_to(table, ZOE), "\"new_phase\":\"night\"");
}

static void the_night_is_told_by_its_result_only(void **state)
{
    Table *table = *state;

    begin_watched(table);
    execute(table, villager(table, 3));
    forget(table);
    say(table, wolf(table, 0), HIDEOUT, "Whom do we take?");
    int victim = villager(table, 0);
    murder(table, victim);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_string_equal(course_of(table, ZOE), "vote_result phase_change");
    assert_has(told_to(table, ZOE), "\"status\":\"murdered\"");
    assert_has_not(told_to(table, ZOE), "Whom do we take");
    forget(table);
    execute(table, villager(table, 0));
    assert_has(told_to(table, ZOE), "was murdered during the night.");
    assert_has_not(told_to(table, ZOE), "Whom do we take");
}

static void points_are_told_and_no_roles(void **state)
{
    Table *table = *state;

    begin_watched(table);
    forget(table);
    execute(table, wolf(table, 0));
    maw_session_end_phase(table->session, table->now);
    execute(table, wolf(table, 0));
    assert_true(maw_session_over(table->session));
    assert_has(told_to(table, ZOE), "\"type\":\"end_game\",\"winning_team\":\"Villagers\"");
    assert_has(told_to(table, ZOE), "\"points\":4");
    assert_has(told_to(table, ZOE), "\"type\":\"session_end\"");
    assert_has_not(told_to(table, ZOE), "Werewolf\"");
    assert_has_not(told_to(table, ZOE), "\"roles\"");
    assert_has_not(told_to(table, ZOE), "Hideout");
    assert_has_not(told_to(table, ZOE), "announce_open");
    assert_got(table, 0, MAW_END_GAME, "\"roles\""); /* the players are told */
    observe(table, "yan@else.test");
    assert_refused(table, ACT_REFUSE, "running");
}

static void many_lines_come_in_several_parts(void **state)
{
    Table *table = *state;
    char text[600];

    table->options.line_rate_ms = 0;
    begin_watched(table);
    memset(text, 'x', 490);
    text[490] = '\0';
    for (int i = 0; i < 120; i++) {
        pass(table, 100);
        say(table, i % 6, VILLAGE, text);
    }
    forget(table);
    maw_session_end_phase(table->session, table->now);
    size_t parts = 0;
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->caught[i].to, ZOE) == 0 && table->caught[i].type == MAW_NEW_MESSAGES) {
            parts++;
            assert_true(strlen(table->caught[i].body) < 160000);
        }
    assert_true(parts > 1);
}

static void seats_for_spectators_are_few_and_become_free(void **state)
{
    Table *table = *state;

    begin_watched(table);
    observe(table, "yan@else.test");
    assert_refused(table, ACT_REFUSE, "full");
    send_from(table, "yan@else.test", MASTER, "{\"type\":\"leave\"}");
    assert_refused(table, ACT_REFUSE, "not-joined");
    observe(table, "p00@maw.test/second");
    assert_refused(table, ACT_REFUSE, "not-authorised"); /* has a seat */
    send_from(table, ZOE, MASTER, "{\"type\":\"chat\",\"message\":\"boo\"}");
    assert_refused(table, ACT_REFUSE, "not-joined");
    forget(table);
    send_from(table, ZOE, MASTER, "{\"type\":\"leave\"}");
    assert_int_equal(table->count, 0);
    observe(table, "yan@else.test");
    assert_int_equal(table->caught[0].act, ACT_AGREE);
    bounce(table, "yan@else.test", "m999999"); /* not ours */
    observe(table, ZOE);
    assert_refused(table, ACT_REFUSE, "full");
    bounce(table, "yan@else.test", "m1");
    forget(table);
    observe(table, ZOE);
    assert_int_equal(table->caught[0].act, ACT_AGREE);
}

static void who_watched_may_play(void **state)
{
    Table *table = *state;

    table->options.spectators = 1;
    table->options.players = 3;
    open_session(table);
    observe(table, ZOE);
    join(table, 0);
    join(table, 1);
    send_from(table, ZOE, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"Zoe\"}");
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_has(told_to(table, ZOE), "assign_role");
    observe(table, "yan@else.test"); /* its place is free again */
    assert_string_equal(course_of(table, "yan@else.test"), "observe start_game phase_change");
}

static void a_spectator_asks_for_the_points(void **state)
{
    Table *table = *state;

    table->options.rounds = 2;
    begin_watched(table);
    send_from(table, ZOE, MASTER, "{\"type\":\"show_score\"}");
    assert_refused(table, ACT_REFUSE, "no-round-yet");
    send_from(table, "yan@else.test", MASTER, "{\"type\":\"show_score\"}");
    assert_refused(table, ACT_REFUSE, "not-joined");
}

static void who_floods_is_not_answered(void **state)
{
    Table *table = *state;

    begin_watched(table);
    pass(table, 60000);
    forget(table);
    for (int i = 0; i < 50; i++)
        observe(table, ZOE);
    assert_int_equal(table->count, 3 * 10); /* a burst of ten */
}

static void a_session_with_spectators_replays(void **state)
{
    Table *table = *state;
    MawReplayVerdict verdict;

    begin_watched(table);
    say(table, 0, VILLAGE, "hello");
    execute(table, 5);
    bounce(table, ZOE, "m1");
    observe(table, "yan@else.test");
    observe(table, ZOE);
    send_from(table, "yan@else.test", MASTER, "{\"type\":\"leave\"}");
    maw_session_stop(table->session, "enough", table->now);
    assert_int_equal(maw_record_replay(buf_str(&table->record), &verdict, NULL), 0);
    if (!verdict.ok)
        fail_msg("line %u: %s", verdict.line, verdict.reason);
    assert_has(buf_cstr(&table->record), "\"spectators\":1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(nobody_watches_unless_the_table_wants_it),
        table_test(who_watches_is_told_what_is_going_on),
        table_test(lines_of_the_day_are_told_when_it_is_over),
        table_test(the_night_is_told_by_its_result_only),
        table_test(points_are_told_and_no_roles),
        table_test(many_lines_come_in_several_parts),
        table_test(seats_for_spectators_are_few_and_become_free),
        table_test(who_watched_may_play),
        table_test(a_spectator_asks_for_the_points),
        table_test(who_floods_is_not_answered),
        table_test(a_session_with_spectators_replays),
    };

    return cmocka_run_group_tests_name("who watches a session", tests, NULL, NULL);
}
