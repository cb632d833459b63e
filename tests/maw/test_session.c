/* The lobby of a session, and its record. Refusals are in test_session_answers.c. */
#include "maw/table.h"

/* ---- the lobby ---- */

static void who_joins_is_confirmed_and_told_where_the_rooms_are(void **state)
{
    Table *table = *state;

    open_session(table);
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    table->reply_with = "q1";
    join(table, 0);
    const Caught *caught = got(table, 0, MAW_JOIN_CONFIRMED);
    assert_int_equal(caught->act, ACT_INFORM);
    assert_string_equal(caught->from, MASTER);
    assert_string_equal(caught->in_reply_to, "q1");
    assert_string_equal(caught->thread, "maw-t-0");
    assert_has(caught->body, "\"player_name\":\"Ann\"");
    assert_has(caught->body, "\"players\":[\"Ann\"]");
    assert_has(caught->body, "\"total_players\":6");
    assert_has(caught->body, "\"lobby\":\"" LOBBY "\"");
    assert_has(caught->body, "\"hideout\":\"" HIDEOUT "\"");
    assert_course(table, 0, "join_confirmed announce_open");
    assert_has(read_room(table, 0, LOBBY, 0), "Ann has joined: 1 of 6.");
}

static void joining_twice_changes_nothing(void **state)
{
    Table *table = *state;
    char jid[64];
    MawStanding standing;

    open_session(table);
    join(table, 0);
    forget(table);
    join(table, 0);
    assert_got(table, 0, MAW_JOIN_CONFIRMED, "\"players\":[\"Ann\"]");
    snprintf(jid, sizeof(jid), "%s", "P00@MAW.test/phone"); /* the same account */
    send_from(table, jid, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"Other\"}");
    assert_has(table->caught[table->count - 2].body, "\"player_name\":\"Ann\"");
    assert_string_equal(table->caught[table->count - 2].to, jid);
    assert_true(maw_session_standing(table->session, 0, &standing));
    assert_false(maw_session_standing(table->session, 1, &standing));
}

static void a_full_lobby_begins_a_round(void **state)
{
    Table *table = *state;

    begin(table, 6);
    assert_int_equal(maw_session_round(table->session), 1);
    assert_course(table, 5,
                  "join_confirmed announce_open start_game assign_role phase_change "
                  "announce_open");
    assert_got(table, 0, MAW_START_GAME, "\"total_players\":6");
    assert_got(table, 0, MAW_START_GAME, "\"round\":1,\"rounds\":1,\"wolves\":2");
    assert_got(table, 0, MAW_START_GAME, "{\"jid\":\"p05@maw.test\",\"name\":\"Fay\"}");
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"new_phase\":\"day\"");
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"phase_no\":1");
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"seconds\":300");
    assert_got(table, 0, MAW_PHASE_CHANGE, "\"deadline\":\"2023-11-14T22:18:20.000Z\"");
    assert_got(table, 0, MAW_ANNOUNCE_OPEN, "\"room_name\":\"Village\"");
    assert_string_equal(got(table, 0, MAW_ANNOUNCE_OPEN)->from, VILLAGE);
    assert_string_equal(got(table, 0, MAW_PHASE_CHANGE)->thread, "maw-t-1");
}

static void wolves_are_told_their_team_and_villagers_nothing(void **state)
{
    Table *table = *state;
    char mate[64], part[128];

    begin(table, 6);
    jid_of(wolf(table, 1), mate);
    snprintf(part, sizeof(part), "\"teammates\":[\"%s\"]", mate);
    assert_got(table, wolf(table, 0), MAW_ASSIGN_ROLE, "\"role\":\"Werewolf\"");
    assert_got(table, wolf(table, 0), MAW_ASSIGN_ROLE, part);
    for (int n = 0; n < 4; n++)
        assert_string_equal(got(table, villager(table, n), MAW_ASSIGN_ROLE)->body,
                            "{\"type\":\"assign_role\",\"role\":\"Villager\"}");
}

static void the_same_seed_and_order_give_the_same_roles(void **state)
{
    Table *table = *state;
    int first, second;

    begin(table, 6);
    first = wolf(table, 0) * 10 + wolf(table, 1);
    forget(table);
    maw_session_free(table->session);
    begin(table, 6);
    second = wolf(table, 0) * 10 + wolf(table, 1);
    assert_int_equal(first, second);
}

static void who_leaves_the_lobby_makes_place_for_another(void **state)
{
    Table *table = *state;

    open_session(table);
    for (int p = 0; p < 5; p++)
        join(table, p);
    send(table, 1, MASTER, "{\"type\":\"leave\"}");
    assert_has(read_room(table, 0, LOBBY, 0), "Bob has left: 4 of 6.");
    join(table, 5);
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    send(table, 6, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"bob\"}"); /* name is free */
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
}

static void people_talk_in_the_lobby_until_the_round_begins(void **state)
{
    Table *table = *state;

    open_session(table);
    join(table, 0);
    join(table, 1);
    say(table, 0, LOBBY, "hello");
    say(table, 1, MASTER, "hi"); /* to the game master: passed on */
    assert_has(read_room(table, 1, LOBBY, 0), "\"Ann: hello\",\"Bob: hi\"");
}

static void a_lobby_that_does_not_fill_is_given_up_or_filled(void **state)
{
    Table *table = *state;

    table->options.lobby_ms = 10000;
    open_session(table);
    join(table, 0);
    pass(table, 5000); /* what it waits for is told */
    assert_int_equal(maw_session_deadline(table->session), 1000000 + 10000 * 1000);
    pass(table, 5000);
    assert_true(maw_session_over(table->session));
    assert_got(table, 0, MAW_SESSION_END, "did not fill");
    forget(table);
    maw_session_free(table->session);
    table->options.fill = FILL_BOTS;
    open_session(table);
    join(table, 0);
    pass(table, 10000);
    assert_int_equal(table->filled, 5);
    assert_false(maw_session_over(table->session));
    for (int p = 1; p < 6; p++)
        join(table, p);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
}

static void odd_tables_are_refused(void **state)
{
    Table *table = *state;
    Err err = {0};

    table->options.players = 2;
    assert_int_equal(table_try(table, &err), ERR_RULE);
    assert_has(err.msg, "3 to 30 players");
    table->options.players = 31;
    assert_int_equal(table_try(table, NULL), ERR_RULE);
    table->options.players = 6;
    table->options.rounds = 0;
    assert_int_equal(table_try(table, NULL), ERR_RULE);
    table->options.rounds = 1;
    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &table->rules, NULL), 0);
    err = (Err){0};
    assert_int_equal(table_try(table, &err), ERR_RULE);
    assert_has(err.msg, "not for MAW");
}

/* ---- the record ---- */

static void the_record_begins_with_the_configuration_and_has_all_lines(void **state)
{
    Table *table = *state;

    begin(table, 4);
    say(table, 0, VILLAGE, "hello");
    execute(table, wolf(table, 0));
    const char *record = buf_cstr(&table->record);
    assert_true(str_starts(str_of(record), STR("{\"seq\":0,\"t_ms\":0,\"round\":0,"
                                               "\"phase_no\":0,\"event\":\"session\",")));
    assert_has(record, "\"seed\":\"1\"");
    assert_has(record,
               "\"event\":\"start_game\",\"players\":[{\"seat\":1,\"jid\":\"p00@maw.test\"");
    assert_has(record, "\"event\":\"line\",\"room\":\"Village\",\"index\":0,\"name\":\"Ann\","
                       "\"text\":\"hello\"");
    assert_has(record, "\"event\":\"end_game\",\"winner\":\"VILLAGER\",\"reason\":\"win\"");
    assert_has(record, "\"points\":3,\"total\":3");
    assert_has(buf_cstr(&table->room_lines), "Village 1-1 Ann: hello\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(who_joins_is_confirmed_and_told_where_the_rooms_are),
        table_test(joining_twice_changes_nothing),
        table_test(a_full_lobby_begins_a_round),
        table_test(wolves_are_told_their_team_and_villagers_nothing),
        table_test(the_same_seed_and_order_give_the_same_roles),
        table_test(who_leaves_the_lobby_makes_place_for_another),
        table_test(people_talk_in_the_lobby_until_the_round_begins),
        table_test(a_lobby_that_does_not_fill_is_given_up_or_filled),
        table_test(odd_tables_are_refused),
        table_test(the_record_begins_with_the_configuration_and_has_all_lines),
    };

    return cmocka_run_group_tests_name("a session's lobby and record", tests, NULL, NULL);
}
