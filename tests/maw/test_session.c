/* The course of a session: lobby, rounds, phases, points, absence. Refusals are in
 * test_session_answers.c. */
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
    assert_int_equal(maw_session_deadline(table->session), 1000000 + 10000 * 1000);
    pass(table, 10000);
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

/* ---- a phase's end ---- */

static void a_majority_ends_the_day_in_the_one_order(void **state)
{
    Table *table = *state;
    int dead, wolf0, other;

    begin(table, 6);
    dead = villager(table, 0);
    other = villager(table, 1);
    wolf0 = wolf(table, 0);
    forget(table);
    execute(table, dead);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
    assert_course(table, dead, "vote_result kill phase_change announce_open");
    assert_course(table, wolf0,
                  wolf0 < dead || wolf0 < 5 ? "vote_accepted vote_result phase_change announce_open"
                                            : "vote_result phase_change announce_open");
    assert_course(table, other, "vote_accepted vote_result phase_change");
    assert_got(table, other, MAW_VOTE_RESULT, "\"status\":\"executed\"");
    assert_got(table, other, MAW_VOTE_RESULT, "\"phase\":\"day\"");
    assert_got(table, other, MAW_VOTE_RESULT, name_of(dead));
    assert_got(table, other, MAW_VOTE_RESULT, "\"votes\":{");
    assert_got(table, dead, MAW_KILL, "\"cause\":\"executed\"");
    assert_got(table, other, MAW_PHASE_CHANGE, "\"new_phase\":\"night\"");
    assert_got(table, other, MAW_PHASE_CHANGE, "\"phase_no\":2");
    assert_string_equal(got(table, wolf0, MAW_ANNOUNCE_OPEN)->from, HIDEOUT);
    assert_has(read_room(table, wolf0, HIDEOUT, 0), "was executed. Role: Villager.");
}

/* Everything that is sent, to whomever, in the order of A16; the record comes before. */
static void the_order_holds_across_players_and_record(void **state)
{
    Table *table = *state;
    int victim;
    MawType last = MAW_NO_TYPE;
    static const MawType order[] = {MAW_VOTE_ACCEPTED, MAW_VOTE_RESULT,   MAW_KILL,
                                    MAW_PHASE_CHANGE,  MAW_ANNOUNCE_OPEN, MAW_NEW_MESSAGES};
    size_t at = 0;

    begin(table, 6);
    pass(table, 300000);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
    victim = villager(table, 0);
    for (int p = 0; p < 6; p++)
        send(table, p, VILLAGE, "{\"type\":\"subscribe\"}");
    vote(table, wolf(table, 0), victim);
    forget(table);
    buf_clear(&table->record);
    vote(table, wolf(table, 1), victim);
    for (size_t i = 0; i < table->count; i++) {
        MawType type = table->caught[i].type;
        if (type == last)
            continue;
        while (at < sizeof(order) / sizeof(order[0]) && order[at] != type)
            at++;
        if (at == sizeof(order) / sizeof(order[0]))
            fail_msg("%s came too late", maw_type_name(type));
        last = type;
    }
    assert_int_equal(last, MAW_NEW_MESSAGES);
    assert_got(table, victim, MAW_NEW_MESSAGES, "was murdered during the night.");
    const char *record = buf_cstr(&table->record);
    const char *end = strstr(record, "\"event\":\"phase_end\"");
    const char *phase = strstr(record, "\"event\":\"phase\",");
    assert_true(end && phase && end < phase);
    assert_has(end, "\"status\":\"murdered\"");
}

static void at_night_only_the_name_of_the_murdered_is_told(void **state)
{
    Table *table = *state;
    int victim, other;

    begin(table, 6);
    pass(table, 300000);
    victim = villager(table, 0);
    other = villager(table, 1);
    forget(table);
    murder(table, victim);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_got(table, victim, MAW_KILL, "\"cause\":\"murdered\"");
    assert_got(table, other, MAW_VOTE_RESULT, "\"status\":\"murdered\"");
    assert_has_not(got(table, other, MAW_VOTE_RESULT)->body, "votes");
    assert_has_not(read_room(table, other, VILLAGE, 0), "Villager.");
    assert_has(read_room(table, other, VILLAGE, 0), "was murdered during the night.");
    assert_got(table, other, MAW_PHASE_CHANGE, "\"day\":2");
}

static void without_votes_or_with_a_tie_nobody_dies(void **state)
{
    Table *table = *state;

    begin(table, 6);
    forget(table);
    pass(table, 300000);
    assert_got(table, 0, MAW_VOTE_RESULT, "\"target\":null,\"status\":\"none\"");
    pass(table, 120000);
    assert_got(table, 0, MAW_VOTE_RESULT, "\"status\":\"none\"");
    assert_got(table, 0, MAW_VOTE_RESULT, "\"phase\":\"night\"");
    vote(table, 0, 1);
    vote(table, 1, 0);
    forget(table);
    pass(table, 300000);
    assert_got(table, 0, MAW_VOTE_RESULT, "\"status\":\"tie\"");
    assert_got(table, 0, MAW_VOTE_RESULT, "\"votes\":{\"Ann\":\"Bob\",\"Bob\":\"Ann\"}");
}

static void a_tie_can_be_voted_on_again_among_the_tied(void **state)
{
    Table *table = *state;

    table->rules.vote.rounds = 2;
    table->rules.vote.revote_ms = 30000;
    begin(table, 6);
    vote(table, 0, 1);
    vote(table, 1, 0);
    forget(table);
    pass(table, 300000);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_course(table, 2, "phase_change announce_open");
    assert_got(table, 2, MAW_PHASE_CHANGE, "\"phase_no\":1,\"seconds\":30");
    assert_got(table, 2, MAW_ANNOUNCE_OPEN, "\"targets\":[\"Ann\",\"Bob\"]");
    assert_has(read_room(table, 2, VILLAGE, 0), "Vote again, for one of these: Ann, Bob.");
    vote(table, 2, 3);
    assert_refused(table, ACT_REFUSE, "bad-target");
    assert_has(table->caught[table->count - 1].body, "\"allowed\":[\"Ann\",\"Bob\"]");
    vote(table, 2, 1);
    assert_has_not(got(table, 2, MAW_VOTE_ACCEPTED)->body, "previous");
    forget(table);
    pass(table, 30000);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
    assert_got(table, 1, MAW_KILL, "executed");
    assert_got(table, 2, MAW_VOTE_RESULT, "\"votes\":{\"Cyd\":\"Bob\"}");
}

static void a_silent_ballot_is_not_told(void **state)
{
    Table *table = *state;

    table->rules.vote.visible = false;
    begin(table, 6);
    vote(table, 0, 1);
    assert_has_not(read_room(table, 2, VILLAGE, 0), "votes for");
    forget(table);
    pass(table, 300000);
    assert_got(table, 2, MAW_VOTE_RESULT, "\"status\":\"executed\"");
    assert_has_not(got(table, 2, MAW_VOTE_RESULT)->body, "\"votes\"");
}

static void votes_are_announced_changed_and_withdrawn(void **state)
{
    Table *table = *state;

    begin(table, 6);
    vote(table, 0, 1);
    assert_got(table, 0, MAW_VOTE_ACCEPTED, "\"target\":\"p01@maw.test\"");
    assert_int_equal(got(table, 0, MAW_VOTE_ACCEPTED)->act, ACT_AGREE);
    vote(table, 0, 2);
    assert_got(table, 0, MAW_VOTE_ACCEPTED, "\"previous\":\"p01@maw.test\"");
    send(table, 0, VILLAGE, "{\"type\":\"vote\",\"target\":null}"); /* the room takes it too */
    assert_got(table, 0, MAW_VOTE_ACCEPTED, "\"target\":null");
    assert_has(
        read_room(table, 3, VILLAGE, 0),
        "Ann votes for Bob.\",\"System: Ann votes for Cyd.\",\"System: Ann votes for nobody.");
    forget(table);
    pass(table, 300000);
    assert_got(table, 0, MAW_VOTE_RESULT, "\"status\":\"none\"");
}

static void targets_are_found_by_jid_name_and_beginning(void **state)
{
    static const struct {
        const char *target;
        const char *found;
    } rows[] = {
        {"p01@maw.test", "p01@maw.test"}, {"P01@MAW.TEST/x", "p01@maw.test"},
        {"Bobby", "p01@maw.test"},        {"bOBBY", "p01@maw.test"},
        {"Bob", "p01@maw.test"},          {"bobb", "p01@maw.test"},
        {"cyd", "p02@maw.test"},
    };
    Table *table = *state;

    table->options.players = 3;
    open_session(table);
    join(table, 0);
    send(table, 1, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"Bobby\"}");
    join(table, 2);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char part[64];
        sendf(table, 0, MASTER, "{\"type\":\"vote\",\"target\":\"%s\"}", rows[i].target);
        snprintf(part, sizeof(part), "\"target\":\"%s\"", rows[i].found);
        assert_got(table, 0, MAW_VOTE_ACCEPTED, part);
    }
    forget(table);
    send(table, 0, MASTER, "{\"type\":\"vote\",\"target\":\"bo\"}"); /* too short */
    assert_refused(table, ACT_REFUSE, "bad-target");
}

static void an_early_night_is_held_back_when_the_table_wants_it(void **state)
{
    Table *table = *state;
    int victim;

    table->options.night_min_ms = 10000;
    begin(table, 6);
    pass(table, 300000);
    victim = villager(table, 0);
    pass(table, 2000);
    forget(table);
    murder(table, victim);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT_COUNT);
    assert_int_equal(count_of(table, victim, MAW_KILL), 0);
    assert_true(is_alive(table, victim));
    assert_int_equal(maw_session_deadline(table->session), 1000000 + 310000000LL);
    say(table, wolf(table, 0), HIDEOUT, "well done");
    assert_refused(table, ACT_REFUSE, "closed");
    vote(table, wolf(table, 0), villager(table, 1));
    assert_refused(table, ACT_REFUSE, "no-phase");
    send(table, villager(table, 2), MASTER, "{\"type\":\"leave\"}"); /* waits, too */
    assert_true(is_alive(table, villager(table, 2)));
    pass(table, 8000);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_got(table, victim, MAW_KILL, "murdered");
    assert_got(table, wolf(table, 0), MAW_PHASE_CHANGE, "\"seconds\":300");
    wait_ms(table, 1000);
    assert_has(read_room(table, wolf(table, 0), VILLAGE, 0), "has left the game.");
}

static void warnings_come_at_half_time_thirty_and_ten_seconds(void **state)
{
    Table *table = *state;

    begin(table, 6);
    wait_ms(table, 299999);
    assert_has(read_room(table, 0, VILLAGE, 0),
               "[\"System: 150 seconds left.\",\"System: 30 seconds left.\","
               "\"System: 10 seconds left.\"]");
    wait_ms(table, 1 + 60000);
    assert_has(read_room(table, wolf(table, 0), HIDEOUT, 0), "60 seconds left.");
}

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

/* ---- points ---- */

static void the_villages_prize_is_the_number_of_survivors(void **state)
{
    Table *table = *state;
    MawStanding standing;
    int wolves[2], murdered;

    begin(table, 6);
    wolves[0] = wolf(table, 0);
    wolves[1] = wolf(table, 1);
    murdered = villager(table, 0);
    execute(table, wolves[0]);
    murder(table, murdered);
    forget(table);
    execute(table, wolves[1]);
    assert_true(maw_session_over(table->session));
    assert_int_equal(maw_session_rounds_won(table->session, SIDE_VILLAGER), 1);
    for (int p = 0; p < 6; p++) {
        bool wolf_side = p == wolves[0] || p == wolves[1];
        assert_true(standing_of(table, p, &standing));
        assert_int_equal(standing.points, wolf_side ? 0 : 3);
        assert_int_equal(standing.rank, wolf_side ? 5 : 1);
        assert_int_equal(standing.rounds_won, wolf_side ? 0 : 1);
    }
    assert_course(table, wolves[1], "vote_result kill end_game announce_open session_end");
    assert_got(table, 0, MAW_END_GAME, "\"winning_team\":\"Villagers\"");
    assert_got(table, 0, MAW_END_GAME, "\"days\":2");
    assert_got(table, 0, MAW_END_GAME, "\"last\":true");
    assert_got(table, 0, MAW_END_GAME, "\"p00@maw.test\":\"");
    assert_got(table, 0, MAW_END_GAME, "\"points\":3");
    assert_got(table, 0, MAW_SESSION_END, "\"points\":3");
}

static void the_wolves_prize_is_the_number_of_villagers_at_the_start(void **state)
{
    Table *table = *state;
    MawStanding standing;

    table->options.rounds = 2;
    begin(table, 3);
    int wolf0 = wolf(table, 0);
    pass(table, 300000);
    murder(table, villager(table, 0));
    pass(table, 300000);
    murder(table, villager(table, 0));
    assert_int_equal(maw_session_rounds_won(table->session, SIDE_WEREWOLF), 1);
    assert_true(standing_of(table, wolf0, &standing));
    assert_int_equal(standing.points, 2);
    assert_int_equal(standing.rank, 1);
    assert_has(read_room(table, 0, LOBBY, 0), "Round 1 of 2 is over: the Werewolves have won.");
    assert_has(read_room(table, 0, LOBBY, 0), "Points: 1. ");
    assert_int_equal(maw_session_state(table->session), MAW_END_PHASE);
}

static void the_dead_score_or_not(void **state)
{
    Table *table = *state;
    MawStanding standing;
    int dead;

    table->options.score_dead = false;
    begin(table, 4);
    dead = villager(table, 0);
    pass(table, 300000);
    murder(table, dead);
    int wolf0 = wolf(table, 0);
    execute(table, wolf0);
    assert_true(maw_session_over(table->session));
    assert_true(standing_of(table, dead, &standing));
    assert_int_equal(standing.points, 0);
    assert_int_equal(standing.rounds_won, 1);
    for (int p = 0; p < 4; p++)
        if (p != dead && p != wolf0) {
            assert_true(standing_of(table, p, &standing));
            assert_int_equal(standing.points, 2);
        }
}

static void six_idle_phases_are_a_draw_without_points(void **state)
{
    Table *table = *state;
    MawStanding standing;

    begin(table, 6);
    wait_ms(table, 3 * 420000);
    assert_true(maw_session_over(table->session));
    assert_got(table, 0, MAW_END_GAME, "\"winning_team\":\"None\"");
    assert_int_equal(maw_session_rounds_won(table->session, SIDE_NONE), 1);
    assert_true(maw_session_standing(table->session, 0, &standing));
    assert_int_equal(standing.points, 0);
    assert_has(buf_cstr(&table->room_lines), "nobody has won.");
}

static void points_add_up_over_rounds_and_scores_are_shown(void **state)
{
    Table *table = *state;
    MawStanding standing;
    int64_t sum = 0;

    table->options.rounds = 3;
    begin(table, 4);
    send(table, 0, MASTER, "{\"type\":\"show_score\"}");
    assert_refused(table, ACT_REFUSE, "no-round-yet");
    for (unsigned round = 1; round <= 3; round++) {
        assert_int_equal(maw_session_round(table->session), round);
        assert_int_equal(maw_session_state(table->session), MAW_DAY);
        assert_got(table, 0, MAW_PHASE_CHANGE, "\"phase_no\":1");
        execute(table, wolf(table, 0));
        if (round < 3) {
            assert_int_equal(maw_session_state(table->session), MAW_END_PHASE);
            send(table, 0, MASTER, "{\"type\":\"show_score\"}");
            assert_got(table, 0, MAW_SCORES, "\"rounds_won\":");
            wait_ms(table, 5000);
        }
    }
    assert_true(maw_session_over(table->session));
    for (uint32_t i = 0; maw_session_standing(table->session, i, &standing); i++)
        sum += standing.points;
    assert_int_equal(sum, 3 * 3 * 3);
    send(table, 0, MASTER, "{\"type\":\"show_score\"}");
    assert_got(table, 0, MAW_SCORES, "\"round\":3");
    join(table, 7);
    assert_refused(table, ACT_REFUSE, "running");
}

static void between_rounds_a_seat_can_change_hands_and_points_stay(void **state)
{
    Table *table = *state;
    MawStanding standing;
    int gone;

    table->options.rounds = 2;
    begin(table, 3);
    int wolf0 = wolf(table, 0);
    gone = villager(table, 0);
    execute(table, wolf0);
    send(table, gone, MASTER, "{\"type\":\"leave\"}");
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    wait_ms(table, 60000);
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    forget(table);
    sendf(table, 9, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"%s\"}", name_of(gone));
    assert_refused(table, ACT_REFUSE, "name-taken"); /* the name belongs to who has points */
    join(table, 9);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_int_equal(maw_session_round(table->session), 2);
    assert_true(standing_of(table, gone, &standing));
    assert_int_equal(standing.points, 2);
}

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
        table_test(a_majority_ends_the_day_in_the_one_order),
        table_test(the_order_holds_across_players_and_record),
        table_test(at_night_only_the_name_of_the_murdered_is_told),
        table_test(without_votes_or_with_a_tie_nobody_dies),
        table_test(a_tie_can_be_voted_on_again_among_the_tied),
        table_test(a_silent_ballot_is_not_told),
        table_test(votes_are_announced_changed_and_withdrawn),
        table_test(targets_are_found_by_jid_name_and_beginning),
        table_test(an_early_night_is_held_back_when_the_table_wants_it),
        table_test(warnings_come_at_half_time_thirty_and_ten_seconds),
        table_test(lines_are_read_by_index_and_pushed_to_subscribers),
        table_test(many_long_lines_come_in_several_parts),
        table_test(the_dead_read_every_room_or_only_what_they_could),
        table_test(the_dead_have_a_room_of_their_own_when_the_table_wants_it),
        table_test(the_villages_prize_is_the_number_of_survivors),
        table_test(the_wolves_prize_is_the_number_of_villagers_at_the_start),
        table_test(the_dead_score_or_not),
        table_test(six_idle_phases_are_a_draw_without_points),
        table_test(points_add_up_over_rounds_and_scores_are_shown),
        table_test(between_rounds_a_seat_can_change_hands_and_points_stay),
        table_test(who_can_not_be_reached_is_absent_and_may_come_back),
        table_test(who_does_not_come_back_is_dead_by_leaving),
        table_test(who_leaves_by_night_is_told_of_in_the_morning),
        table_test(two_who_are_absent_leave_in_the_order_in_which_they_went),
        table_test(a_departure_can_end_the_round),
        table_test(a_seat_that_was_left_is_free_after_the_round),
        table_test(a_round_waits_for_who_is_absent_in_the_lobby),
        table_test(a_lost_client_gives_way_to_another_of_the_account),
        table_test(clocks_stop_while_the_link_is_down),
        table_test(no_round_begins_and_nobody_leaves_while_the_link_is_down),
        table_test(a_short_loss_of_the_link_is_not_noticed),
        table_test(the_operator_ends_phases_kicks_and_stops),
        table_test(whispers_go_from_one_living_player_to_another),
        table_test(whispers_by_night_are_told_to_nobody_else),
        table_test(a_seer_asks_for_one_role_a_day),
        table_test(roles_are_revealed_as_the_table_says),
        table_test(the_record_begins_with_the_configuration_and_has_all_lines),
    };

    return cmocka_run_group_tests_name("a session", tests, NULL, NULL);
}
