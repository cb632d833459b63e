/* Rooms: lines and who reads them; whispers, the Seer, what is revealed. */
#include "maw/table.h"

/* ---- rooms ---- */

static void lines_are_read_by_index_and_pushed_to_subscribers(void **state)
{
    Table *table = *state;

    begin(table, 6);
    say(table, 0, VILLAGE, "one");
    send(table, 1, VILLAGE, "{\"type\":\"subscribe\"}");
    assert_got(table, 1, MAW_NEW_MESSAGES, "\"messages\":[\"Ann: one\"]");
    forget(table);
    say(table, 2, VILLAGE, "two\\nlines");
    assert_course(table, 2, "");
    assert_got(table, 1, MAW_NEW_MESSAGES, "\"messages\":[\"Cyd: two lines\"]");
    assert_got(table, 1, MAW_NEW_MESSAGES, "\"first\":1");
    assert_got(table, 1, MAW_NEW_MESSAGES, "\"next\":2");
    assert_got(table, 1, MAW_NEW_MESSAGES, "\"from\":\"p02@maw.test\"");
    assert_got(table, 1, MAW_NEW_MESSAGES, "\"kind\":\"chat\"");
    assert_string_equal(got(table, 1, MAW_NEW_MESSAGES)->from, VILLAGE);
    send(table, 1, VILLAGE, "{\"type\":\"unsubscribe\"}");
    forget(table);
    say(table, 2, MASTER, "three");
    assert_int_equal(count_of(table, 1, MAW_NEW_MESSAGES), 0);
    assert_has(read_room(table, 3, VILLAGE, 1), "[\"Cyd: two lines\",\"Cyd: three\"]");
    assert_has(read_room(table, 3, VILLAGE, 99), "\"messages\":[]");
    send(table, 3, VILLAGE, "2"); /* as the first version of the document's program asks */
    assert_got(table, 3, MAW_NEW_MESSAGES, "[\"Cyd: three\"]");
}

static void many_long_lines_come_in_several_parts(void **state)
{
    Table *table = *state;
    char text[501];
    MawMessage message;
    MawRefusal why;
    int64_t index = 0;
    unsigned parts = 0, lines = 0;

    table->options.line_rate_ms = 0;
    begin(table, 6);
    memset(text, 'x', 500);
    text[500] = '\0';
    for (int i = 0; i < 120; i++) {
        pass(table, 100);
        say(table, i % 6, VILLAGE, text);
    }
    for (; index < 120; parts++) {
        const char *body = read_room(table, 0, VILLAGE, index);
        assert_true(strlen(body) < 60000);
        assert_true(maw_message_read(str_of(body), &message, &why));
        assert_int_equal(message.first, index);
        lines += message.line_count;
        index = message.next;
        maw_message_done(&message);
    }
    assert_int_equal(lines, 120);
    assert_true(parts > 1);
}

static void the_dead_read_every_room_or_only_what_they_could(void **state)
{
    Table *table = *state;
    int dead;

    begin(table, 6);
    dead = villager(table, 0);
    execute(table, dead);
    say(table, wolf(table, 0), HIDEOUT, "secret");
    assert_has(read_room(table, dead, HIDEOUT, 0), "secret");
    forget(table);
    maw_session_free(table->session);
    table->rules.secrecy.ghosts_see = GHOSTS_OWN;
    begin(table, 6);
    dead = villager(table, 0);
    execute(table, dead);
    forget(table);
    say(table, wolf(table, 0), HIDEOUT, "secret");
    read_room(table, dead, HIDEOUT, 0);
    assert_refused(table, ACT_REFUSE, "not-member");
    assert_has(read_room(table, dead, VILLAGE, 0),
               "\"messages\":["); /* the last lines of the day */
}

static void the_dead_have_a_room_of_their_own_when_the_table_wants_it(void **state)
{
    Table *table = *state;
    int dead;

    table->options.graveyard = true;
    begin(table, 6);
    dead = villager(table, 0);
    say(table, dead, GRAVEYARD, "boo");
    assert_refused(table, ACT_REFUSE, "not-member");
    execute(table, dead);
    assert_string_equal(got(table, dead, MAW_ANNOUNCE_OPEN)->body[0] ? "x" : "", "x");
    pass(table, 5000);
    say(table, dead, GRAVEYARD, "so I was right");
    assert_has(read_room(table, dead, GRAVEYARD, 0), "so I was right");
    read_room(table, villager(table, 0), GRAVEYARD, 0);
    assert_refused(table, ACT_REFUSE, "not-member");
}

/* ---- whispers and the Seer ---- */

static void whispers_go_from_one_living_player_to_another(void **state)
{
    Table *table = *state;

    table->options.whispers = WHISPERS_DAY;
    begin(table, 6);
    forget(table);
    send(table, 0, MASTER, "{\"type\":\"whisper\",\"to\":\"Bob\",\"text\":\"psst\"}");
    assert_int_equal(table->count, 1);
    assert_got(table, 1, MAW_WHISPER, "\"from\":\"p00@maw.test\",\"text\":\"psst\"");
    assert_int_equal(got(table, 1, MAW_WHISPER)->act, ACT_INFORM);
    assert_has(read_room(table, 2, VILLAGE, 0), "Ann whispers to Bob.");
    assert_has_not(read_room(table, 2, VILLAGE, 0), "psst");
}

static void whispers_by_night_are_told_to_nobody_else(void **state)
{
    Table *table = *state;

    table->options.whispers = WHISPERS_ALWAYS;
    begin(table, 6);
    pass(table, 300000);
    int from = villager(table, 0), to = villager(table, 1);
    forget(table);
    sendf(table, from, MASTER, "{\"type\":\"whisper\",\"to\":\"%s\",\"text\":\"psst\"}",
          name_of(to));
    assert_int_equal(table->count, 1);
    assert_got(table, to, MAW_WHISPER, "psst");
    assert_has_not(read_room(table, wolf(table, 0), HIDEOUT, 0), "whispers");
}

static void a_seer_asks_for_one_role_a_day(void **state)
{
    Table *table = *state;
    int seer;

    table->rules.wolves = WOLVES_TABLE;
    table->rules.roles.present[6] = true;
    table->rules.roles.counts[6][ROLE_WEREWOLF] = 2;
    table->rules.roles.counts[6][ROLE_SEER] = 1;
    table->rules.roles.counts[6][ROLE_VILLAGER] = 3;
    begin(table, 6);
    seer = with_role(table, ROLE_SEER, 0);
    assert_got(table, seer, MAW_ASSIGN_ROLE, "\"role\":\"Seer\"");
    forget(table);
    sendf(table, seer, MASTER, "{\"type\":\"query_role\",\"target\":\"%s\"}",
          name_of(wolf(table, 0)));
    assert_int_equal(table->count, 1);
    assert_got(table, seer, MAW_ROLE_ANSWER, "\"role\":\"Werewolf\"");
    sendf(table, seer, MASTER, "{\"type\":\"query_role\",\"target\":\"%s\"}",
          name_of(wolf(table, 1)));
    assert_refused(table, ACT_REFUSE, "used-up");
    pass(table, 300000);
    pass(table, 120000);
    sendf(table, seer, MASTER, "{\"type\":\"query_role\",\"target\":\"%s\"}",
          name_of(villager(table, 0)));
    assert_got(table, seer, MAW_ROLE_ANSWER, "\"role\":\"Villager\"");
}

static void roles_are_revealed_as_the_table_says(void **state)
{
    static const struct {
        MawReveal village;
        MawReveal hideout;
        const char *morning;
        const char *night;
    } rows[] = {
        {REVEAL_NONE, REVEAL_NONE, NULL, "was executed.\""},
        {REVEAL_TEAM, REVEAL_TEAM, "was a Villager.", "Role: Villager."},
        {REVEAL_ROLE, REVEAL_ROLE, "was a Seer.", "Role: Seer."},
    };
    Table *table = *state;

    table->rules.wolves = WOLVES_TABLE;
    table->rules.roles.present[6] = true;
    table->rules.roles.counts[6][ROLE_WEREWOLF] = 2;
    table->rules.roles.counts[6][ROLE_SEER] = 1;
    table->rules.roles.counts[6][ROLE_VILLAGER] = 3;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        table->options.reveal_village = rows[i].village;
        table->options.reveal_hideout = rows[i].hideout;
        begin(table, 6);
        execute(table, with_role(table, ROLE_SEER, 0));
        assert_has(read_room(table, wolf(table, 0), HIDEOUT, 0), rows[i].night);
        pass(table, 120000);
        const char *lines = read_room(table, villager(table, 0), VILLAGE, 0);
        if (rows[i].morning)
            assert_has(lines, rows[i].morning);
        else
            assert_has_not(lines, "was a ");
        forget(table);
        table->session = maw_session_free(table->session);
    }
}

static void the_rooms_speak_the_tables_language(void **state)
{
    Table *table = *state;

    table->options.language = LLM_JAPANESE;
    begin(table, 6);
    int victim = villager(table, 0), voter = villager(table, 1);
    sendf(table, voter, MASTER, "{\"type\":\"vote\",\"target\":\"%s\"}", name_of(victim));
    assert_has(read_room(table, voter, VILLAGE, 0), " に投票しました。");
    execute(table, victim);
    assert_has(read_room(table, wolf(table, 0), HIDEOUT, 0), "が処刑されました。役職: 村人。");
    assert_has(buf_cstr(&table->record), "\"language\":\"ja\"");
    assert_has(buf_cstr(&table->record), "\"status\":\"executed\""); /* the wire's words stay */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(lines_are_read_by_index_and_pushed_to_subscribers),
        table_test(many_long_lines_come_in_several_parts),
        table_test(the_dead_read_every_room_or_only_what_they_could),
        table_test(the_dead_have_a_room_of_their_own_when_the_table_wants_it),
        table_test(whispers_go_from_one_living_player_to_another),
        table_test(whispers_by_night_are_told_to_nobody_else),
        table_test(a_seer_asks_for_one_role_a_day),
        table_test(roles_are_revealed_as_the_table_says),
        table_test(the_rooms_speak_the_tables_language),
    };

    return cmocka_run_group_tests_name("rooms of a session", tests, NULL, NULL);
}
