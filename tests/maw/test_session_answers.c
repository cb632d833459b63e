/* What a session refuses and ignores: docs/spec/maw.md 2.4 and 4, for the game master and the
 * rooms. */
#include "maw/table.h"

/* ---- people of a round, for tables ---- */

/* In a body or a sender: $V $U living villagers, $W $X living wolves, $D a dead villager, $S a
 * stranger; in a body they stand for names, and @V for JIDs. */
typedef struct Cast {
    int villager[2];
    int wolf[2];
    int dead;
} Cast;

static int cast_player(const Cast *cast, char letter)
{
    switch (letter) {
    case 'V':
        return cast->villager[0];
    case 'U':
        return cast->villager[1];
    case 'W':
        return cast->wolf[0];
    case 'X':
        return cast->wolf[1];
    case 'D':
        return cast->dead;
    default:
        return 15;
    }
}

static const char *cast_body(const Cast *cast, const char *body, char *text, size_t room)
{
    size_t used = 0;

    for (; *body && used + 64 < room; body++) {
        char jid[64];
        if ((*body == '$' || *body == '@') && body[1] >= 'A' && body[1] <= 'Z') {
            int player = cast_player(cast, body[1]);
            used += (size_t)snprintf(text + used, room - used, "%s",
                                     *body == '$' ? name_of(player) : jid_of(player, jid));
            body++;
        } else {
            text[used++] = *body;
        }
    }
    text[used] = '\0';
    return text;
}

typedef enum When { LOBBY_OPEN, BY_DAY, BY_NIGHT, AFTERWARDS } When;

/* Nine players; one villager is dead, on the second day or in the second night. */
static Cast prepare(Table *table, When when)
{
    Cast cast = {.dead = -1};

    table->options.players = 9;
    table->options.rounds = 2;
    open_session(table);
    if (when == LOBBY_OPEN) {
        for (int p = 0; p < 8; p++)
            join(table, p);
        return (Cast){{0, 1}, {2, 3}, 4};
    }
    for (int p = 0; p < 9; p++)
        join(table, p);
    cast.dead = villager(table, 0);
    pass(table, 300000);
    murder(table, cast.dead);
    for (int n = 0; n < 2; n++) {
        cast.villager[n] = villager(table, n);
        cast.wolf[n] = wolf(table, n);
    }
    if (when == BY_NIGHT)
        pass(table, 300000);
    if (when == AFTERWARDS)
        maw_session_stop(table->session, "Enough.", table->now);
    pass(table, 10000);
    return cast;
}

typedef struct Row {
    When when;
    char who;
    const char *to;
    const char *body;
    MawAct act;
    const char *code; /* NULL: nothing at all is answered */
    const char *also; /* in the answer too */
} Row;

#define CHAT        "{\"type\":\"chat\",\"message\":\"hello\"}"
#define VOTE(name)  "{\"type\":\"vote\",\"target\":\"" name "\"}"
#define FETCH       "{\"type\":\"get_new_messages\",\"index\":0}"
#define NOT_READ    ACT_NOT_UNDERSTOOD
#define WHISPER(to) "{\"type\":\"whisper\",\"to\":\"" to "\",\"text\":\"psst\"}"

static void check_rows(Table *table, const Row *rows, size_t count)
{
    char from[64], text[4096], id[24];

    for (size_t i = 0; i < count; i++) {
        const Row *row = &rows[i];
        Cast cast = prepare(table, row->when);
        forget(table);
        MawStanza stanza = {
            .from = row->who == 'S' ? STR("stranger@elsewhere/x")
                                    : str_of(jid_of(cast_player(&cast, row->who), from)),
            .to = str_of(row->to),
            .id = STR("the-id"),
            .act = ACT_REQUEST,
            .conversation_id = STR("talk-7"),
            .reply_with = STR("question-7"),
            .has_body = true,
            .body = str_of(cast_body(&cast, row->body, text, sizeof(text))),
        };
        maw_session_receive(table->session, &stanza, table->now);
        snprintf(id, sizeof(id), "row %zu", i);
        if (row->code && table->count == 0)
            fail_msg("%s: nothing was answered to %s; expected %s", id, text, row->code);
        if (!row->code && table->count > 0)
            fail_msg("%s: %s was answered to %s", id, table->caught[0].body, text);
        if (row->code) {
            const Caught *answer = &table->caught[0];
            assert_int_equal(table->count, 1);
            assert_string_equal(answer->from, row->to);
            assert_int_equal(str_eq(str_of(answer->to), stanza.from), 1);
            assert_string_equal(answer->in_reply_to, "question-7");
            assert_string_equal(answer->conversation_id, "talk-7");
            assert_refused(table, row->act, row->code);
            if (row->also) {
                char also[256];
                assert_has(answer->body, cast_body(&cast, row->also, also, sizeof(also)));
            }
        }
        table->session = maw_session_free(table->session);
    }
}

#define check_all(table, rows) check_rows(table, rows, sizeof(rows) / sizeof(rows[0]))

/* ---- rows 5 to 11 ---- */

static void what_can_not_be_read_is_not_understood(void **state)
{
    static const Row rows[] = {
        {BY_DAY, 'V', MASTER, "hello", NOT_READ, "bad-json", "\"of\":null"},
        {BY_DAY, 'V', MASTER, "[1]", NOT_READ, "bad-json", NULL},
        {BY_DAY, 'V', VILLAGE, "{\"type\":\"chat\",\"type\":\"vote\"}", NOT_READ, "bad-json", NULL},
        {BY_DAY, 'V', MASTER, "{\"target\":\"$W\"}", NOT_READ, "no-type", NULL},
        {BY_DAY, 'V', MASTER, "{\"type\":7}", NOT_READ, "no-type", NULL},
        {BY_DAY, 'V', MASTER, "{\"type\":\"dance\"}", NOT_READ, "unknown-type", NULL},
        {BY_DAY, 'V', MASTER, "{\"type\":\"get_input\"}", NOT_READ, "unknown-type", NULL},
        {BY_DAY, 'V', MASTER, "{\"type\":\"vote\"}", NOT_READ, "bad-field", "\"of\":\"vote\""},
        {BY_DAY, 'V', MASTER, "{\"type\":\"vote\",\"target\":7}", NOT_READ, "bad-field", "target"},
        {BY_DAY, 'V', VILLAGE, "{\"type\":\"chat\"}", NOT_READ, "bad-field", "message"},
        {LOBBY_OPEN, 'S', MASTER, "{\"type\":\"join_lobby\"}", NOT_READ, "bad-field", NULL},
        {LOBBY_OPEN, 'S', MASTER, "?", NOT_READ, "bad-json", NULL},
    };

    check_all(*state, rows);
}

static void strangers_may_only_join(void **state)
{
    static const Row rows[] = {
        {BY_DAY, 'S', MASTER, VOTE("$V"), ACT_REFUSE, "not-joined", NULL},
        {BY_DAY, 'S', VILLAGE, CHAT, ACT_REFUSE, "not-joined", NULL},
        {BY_DAY, 'S', HIDEOUT, FETCH, ACT_REFUSE, "not-joined", NULL},
        {BY_DAY, 'S', MASTER, "{\"type\":\"kill\"}", ACT_REFUSE, "not-joined", NULL},
        {BY_DAY, 'S', MASTER, "{\"type\":\"observe\"}", ACT_REFUSE, "not-authorised", NULL},
        {BY_DAY, '?', MASTER, VOTE("$V"), ACT_REFUSE, NULL, NULL}, /* a JID of ours */
    };

    check_all(*state, rows);
}

static void what_the_game_master_says_nobody_else_may(void **state)
{
    static const Row rows[] = {
        {BY_DAY, 'V', MASTER, "{\"type\":\"kill\"}", ACT_REFUSE, "not-authorised", NULL},
        {BY_DAY, 'V', MASTER, "{\"type\":\"assign_role\",\"role\":\"Villager\"}", ACT_REFUSE,
         "not-authorised", NULL},
        {BY_DAY, 'V', VILLAGE, "{\"type\":\"open_room\",\"room_name\":\"Village\",\"players\":[]}",
         ACT_REFUSE, "not-authorised", NULL},
        {BY_DAY, 'W', HIDEOUT, "{\"type\":\"close_room\"}", ACT_REFUSE, "not-authorised", NULL},
        {BY_DAY, 'V', MASTER, "{\"type\":\"end_game\",\"winning_team\":\"Villagers\"}", ACT_REFUSE,
         "not-authorised", NULL},
    };

    check_all(*state, rows);
}

static void threads_of_other_rounds_and_sessions_are_stale(void **state)
{
    static const struct {
        const char *thread;
        bool stale;
    } rows[] = {
        {"maw-t-0", true}, {"maw-t-2", true},  {"maw-u-1", true},   {"maw-t-1", false},
        {"maw-1", false},  {"my own", false},  {"", false},         {"maw-t-", false},
        {"maw--1", false}, {"maw-t-x", false}, {"maw-a-b-1", true},
    };
    Table *table = *state;

    begin(table, 6);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        table->thread = rows[i].thread;
        forget(table);
        vote(table, 0, (int)(i % 2) + 1);
        if (rows[i].stale)
            assert_refused(table, ACT_REFUSE, "stale");
        else
            assert_got(table, 0, MAW_VOTE_ACCEPTED, "target");
    }
    table->thread = "maw-u-9"; /* a player of another life may come back */
    forget(table);
    join(table, 0);
    assert_got(table, 0, MAW_JOIN_CONFIRMED, "Ann");
}

/* ---- row 14: joining ---- */

static void names_are_words(void **state)
{
    static const struct {
        const char *name;
        const char *code; /* NULL: fine */
    } rows[] = {
        {"Bob", NULL},
        {"b-2_X", NULL},
        {"\xE3\x82\xA2\xE3\x83\xB3", NULL},        /* katakana */
        {"\xC3\x89va", NULL},                      /* a letter with accent, in one */
        {"123456789012345678901234", NULL},        /* 24 */
        {"1234567890123456789012345", "bad-name"}, /* 25 */
        {"", "bad-name"},
        {"a b", "bad-name"},
        {"a:b", "bad-name"},
        {"a@b", "bad-name"},
        {"a/b", "bad-name"},
        {"a.b", "bad-name"},
        {"E\xCC\x81va", "bad-name"},      /* the accent apart */
        {"a\xE2\x80\x8B", "bad-name"},    /* nothing to see */
        {"\xE3\x80\x80", "bad-name"},     /* a wide blank */
        {"\xF0\x9F\x90\xBA", "bad-name"}, /* a wolf's face */
        {"\xEF\xBC\x9A", "bad-name"},     /* a wide colon */
        {"System", "bad-name"},
        {"sYSTEM", "bad-name"},
        {"gm", "bad-name"},
        {"Nobody", "bad-name"},
        {"Ann", "name-taken"},
        {"aNN", "name-taken"},
        {"\xC3\x96zil", "name-taken"},
        {"\xC3\xB6ZIL", "name-taken"},
    };
    Table *table = *state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        open_session(table);
        join(table, 0);
        send(table, 1, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"\xC3\xB6zil\"}");
        forget(table);
        sendf(table, 2, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"%s\"}", rows[i].name);
        if (rows[i].code)
            assert_refused(table, ACT_REFUSE, rows[i].code);
        else
            assert_got(table, 2, MAW_JOIN_CONFIRMED, rows[i].name);
        table->session = maw_session_free(table->session);
    }
}

static void a_table_can_be_full_or_running(void **state)
{
    Table *table = *state;

    table->options.rounds = 2;
    begin(table, 3);
    join(table, 3);
    assert_refused(table, ACT_REFUSE, "running");
    send(table, 3, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"a b\"}");
    assert_refused(table, ACT_REFUSE, "bad-name"); /* comes first */
    execute(table, wolf(table, 0));
    join(table, 3);
    assert_refused(table, ACT_REFUSE, "full");
}

/* ---- rows 15 to 18 ---- */

static void the_dead_and_the_sleeping_do_not_act(void **state)
{
    static const Row rows[] = {
        {BY_DAY, 'D', MASTER, VOTE("$V"), ACT_REFUSE, "dead", NULL},
        {BY_DAY, 'D', VILLAGE, VOTE("$V"), ACT_REFUSE, "dead", NULL},
        {BY_DAY, 'D', VILLAGE, CHAT, ACT_REFUSE, "dead", NULL},
        {BY_DAY, 'D', MASTER, CHAT, ACT_REFUSE, "dead", NULL},
        {BY_NIGHT, 'D', MASTER, CHAT, ACT_REFUSE, "dead", NULL},
        {BY_NIGHT, 'D', HIDEOUT, CHAT, ACT_REFUSE, "not-member", NULL},
        {BY_NIGHT, 'V', MASTER, CHAT, ACT_REFUSE, "asleep", NULL},
        {BY_NIGHT, 'V', VILLAGE, CHAT, ACT_REFUSE, "asleep", NULL},
        {BY_NIGHT, 'V', MASTER, VOTE("$U"), ACT_REFUSE, "asleep", NULL},
        {BY_NIGHT, 'V', HIDEOUT, CHAT, ACT_REFUSE, "not-member", NULL},
        {BY_DAY, 'V', HIDEOUT, CHAT, ACT_REFUSE, "not-member", NULL},
        {BY_NIGHT, 'V', HIDEOUT, VOTE("$U"), ACT_REFUSE, "not-member", NULL},
        {BY_DAY, 'V', HIDEOUT, VOTE("$U"), ACT_REFUSE, "not-member", NULL},
        {BY_NIGHT, 'V', HIDEOUT, FETCH, ACT_REFUSE, "not-member", NULL},
        {BY_DAY, 'V', HIDEOUT, FETCH, ACT_REFUSE, "not-member", NULL},
        {BY_NIGHT, 'V', HIDEOUT, "{\"type\":\"subscribe\"}", ACT_REFUSE, "not-member", NULL},
        {LOBBY_OPEN, 'V', HIDEOUT, FETCH, ACT_REFUSE, "not-member", NULL},
        {LOBBY_OPEN, 'V', VILLAGE, FETCH, ACT_REFUSE, "not-member", NULL},
        {LOBBY_OPEN, 'V', HIDEOUT, CHAT, ACT_REFUSE, "not-member", NULL},
    };

    check_all(*state, rows);
}

static void closed_rooms_and_phases_that_are_over_take_nothing(void **state)
{
    static const Row rows[] = {
        {BY_DAY, 'W', HIDEOUT, CHAT, ACT_REFUSE, "closed", NULL},
        {BY_DAY, 'W', HIDEOUT, VOTE("$V"), ACT_REFUSE, "closed", NULL},
        {BY_NIGHT, 'W', VILLAGE, CHAT, ACT_REFUSE, "closed", NULL},
        {BY_NIGHT, 'W', VILLAGE, VOTE("$V"), ACT_REFUSE, "closed", NULL},
        {BY_DAY, 'V', LOBBY, CHAT, ACT_REFUSE, "closed", NULL},
        {BY_DAY, 'V', LOBBY, VOTE("$W"), ACT_REFUSE, "closed", NULL},
        {LOBBY_OPEN, 'V', VILLAGE, CHAT, ACT_REFUSE, "closed", NULL},
        {LOBBY_OPEN, 'V', MASTER, VOTE("$U"), ACT_REFUSE, "no-phase", NULL},
        {LOBBY_OPEN, 'V', MASTER, "{\"type\":\"show_score\"}", ACT_REFUSE, "no-round-yet", NULL},
        {AFTERWARDS, 'V', MASTER, VOTE("$U"), ACT_REFUSE, "no-phase", NULL},
        {AFTERWARDS, 'V', LOBBY, CHAT, ACT_REFUSE, "no-phase", NULL},
        {AFTERWARDS, 'V', MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"x\"}", ACT_REFUSE,
         "running", NULL},
    };

    check_all(*state, rows);
}

static void votes_are_for_others_who_live(void **state)
{
    static const Row rows[] = {
        {BY_DAY, 'V', MASTER, VOTE("Zoe"), ACT_REFUSE, "bad-target", "\"allowed\":["},
        {BY_DAY, 'V', MASTER, VOTE(""), ACT_REFUSE, "bad-target", "\"$W\""},
        {BY_DAY, 'V', MASTER, VOTE("$D"), ACT_REFUSE, "dead-target", "\"$X\""},
        {BY_DAY, 'V', MASTER, VOTE("@D"), ACT_REFUSE, "dead-target", NULL},
        {BY_DAY, 'V', MASTER, VOTE("$V"), ACT_REFUSE, "self-target", "\"$U\""},
        {BY_DAY, 'V', VILLAGE, VOTE("@V/phone"), ACT_REFUSE, "self-target", NULL},
        {BY_NIGHT, 'W', MASTER, VOTE("$X"), ACT_REFUSE, "wrong-team", "\"$V\""},
        {BY_NIGHT, 'W', HIDEOUT, VOTE("@X"), ACT_REFUSE, "wrong-team", NULL},
        {BY_NIGHT, 'W', MASTER, VOTE("$W"), ACT_REFUSE, "self-target", NULL},
        {BY_NIGHT, 'W', MASTER, VOTE("$D"), ACT_REFUSE, "dead-target", NULL},
    };

    check_all(*state, rows);
}

static void lines_have_something_in_them_and_an_end(void **state)
{
    static const Row rows[] = {
        {BY_DAY, 'V', VILLAGE, "{\"type\":\"chat\",\"message\":\"\"}", ACT_REFUSE, "empty", NULL},
        {BY_DAY, 'V', VILLAGE, "{\"type\":\"chat\",\"message\":\" \\n\\t \"}", ACT_REFUSE, "empty",
         NULL},
        {BY_DAY, 'V', VILLAGE, "{\"type\":\"chat\",\"message\":\"\\u0007\\u200b\"}", ACT_REFUSE,
         "empty", NULL},
    };
    Table *table = *state;
    char text[502];

    check_all(table, rows);
    begin(table, 6);
    memset(text, 'x', 501);
    text[501] = '\0';
    say(table, 0, VILLAGE, text);
    assert_refused(table, ACT_REFUSE, "too-long");
    assert_has(table->caught[table->count - 1].body, "this one has 501");
    text[500] = '\0';
    say(table, 0, VILLAGE, text);
    say(table, 1, VILLAGE, " a\\r\\nb\\u0007\\u202ec\\ud83d\\udc3a ");
    assert_has(read_room(table, 2, VILLAGE, 1), "Bob: a bc\xF0\x9F\x90\xBA\"");
}

static void a_room_that_is_full_of_lines_takes_no_more(void **state)
{
    Table *table = *state;

    table->rules.talk.max_lines = 3;
    begin(table, 6);
    for (int p = 0; p < 4; p++)
        say(table, p, VILLAGE, "a");
    assert_refused(table, ACT_REFUSE, "closed");
    assert_has(table->caught[table->count - 1].body, "no place for more lines");
}

static void whispers_have_their_rules(void **state)
{
    static const Row off[] = {
        {BY_DAY, 'V', MASTER, WHISPER("$W"), ACT_REFUSE, "not-authorised", NULL},
    };
    static const Row day[] = {
        {LOBBY_OPEN, 'V', MASTER, WHISPER("$W"), ACT_REFUSE, "no-phase", NULL},
        {BY_DAY, 'D', MASTER, WHISPER("$W"), ACT_REFUSE, "dead", NULL},
        {BY_DAY, 'V', MASTER, WHISPER("$D"), ACT_REFUSE, "dead-target", NULL},
        {BY_DAY, 'V', MASTER, WHISPER("$V"), ACT_REFUSE, "self-target", NULL},
        {BY_DAY, 'V', MASTER, WHISPER("Zoe"), ACT_REFUSE, "bad-target", NULL},
        {BY_DAY, 'V', MASTER, "{\"type\":\"whisper\",\"to\":\"$W\",\"text\":\"\"}", ACT_REFUSE,
         "empty", NULL},
        {BY_NIGHT, 'V', MASTER, WHISPER("$U"), ACT_REFUSE, "asleep", NULL},
        {BY_NIGHT, 'W', MASTER, WHISPER("$V"), ACT_REFUSE, "no-phase", NULL},
    };
    Table *table = *state;

    check_all(table, off);
    table->options.whispers = WHISPERS_DAY;
    check_all(table, day);
    begin(table, 6);
    send(table, 0, MASTER, WHISPER("Bob"));
    pass(table, 9999);
    send(table, 0, MASTER, WHISPER("Bob"));
    assert_refused(table, ACT_REFUSE, "rate-limited");
    forget(table);
    pass(table, 1);
    send(table, 0, MASTER, WHISPER("Bob"));
    assert_int_equal(count_of(table, 1, MAW_WHISPER), 1);
}

static void only_the_seer_asks_for_roles(void **state)
{
    static const Row rows[] = {
        {BY_DAY, 'V', MASTER, "{\"type\":\"query_role\",\"target\":\"$W\"}", ACT_REFUSE,
         "not-authorised", NULL},
        {LOBBY_OPEN, 'V', MASTER, "{\"type\":\"query_role\",\"target\":\"$W\"}", ACT_REFUSE,
         "no-phase", NULL},
    };
    Table *table = *state;
    int seer;

    check_all(table, rows);
    table->rules.wolves = WOLVES_TABLE;
    table->rules.roles.present[6] = true;
    table->rules.roles.counts[6][ROLE_WEREWOLF] = 2;
    table->rules.roles.counts[6][ROLE_SEER] = 1;
    table->rules.roles.counts[6][ROLE_VILLAGER] = 3;
    begin(table, 6);
    seer = with_role(table, ROLE_SEER, 0);
    sendf(table, seer, MASTER, "{\"type\":\"query_role\",\"target\":\"%s\"}", name_of(seer));
    assert_refused(table, ACT_REFUSE, "self-target");
    pass(table, 300000);
    sendf(table, seer, MASTER, "{\"type\":\"query_role\",\"target\":\"%s\"}",
          name_of(wolf(table, 0)));
    assert_refused(table, ACT_REFUSE, "asleep");
    murder(table, seer);
    sendf(table, seer, MASTER, "{\"type\":\"query_role\",\"target\":\"%s\"}",
          name_of(wolf(table, 0)));
    assert_refused(table, ACT_REFUSE, "dead");
}

static void push_can_be_off(void **state)
{
    Table *table = *state;

    table->options.push = false;
    begin(table, 6);
    send(table, 0, VILLAGE, "{\"type\":\"subscribe\"}");
    assert_refused(table, ACT_REFUSE, "not-authorised");
}

/* ---- rows 1 to 4, 8, 12, 13 ---- */

static void some_stanzas_are_not_answered_at_all(void **state)
{
    Table *table = *state;
    MawStanza good = {.from = STR("p00@maw.test"),
                      .to = STR(MASTER),
                      .id = STR("i"),
                      .act = ACT_REQUEST,
                      .has_body = true,
                      .body = STR("nonsense")};

    begin(table, 6);
    for (int i = 0; i < 11; i++) {
        MawStanza stanza = good;
        if (i == 0)
            stanza.type = STANZA_OTHER;
        else if (i == 1)
            stanza.has_body = false;
        else if (i == 2)
            stanza.body = STR("");
        else if (i == 3)
            stanza.from = STR(VILLAGE);
        else if (i == 4)
            stanza.from = STR(MASTER "/x");
        else if (i == 5)
            stanza.act = ACT_REFUSE;
        else if (i == 6)
            stanza.act = ACT_FAILURE;
        else if (i == 7)
            stanza.act = ACT_NOT_UNDERSTOOD;
        else if (i == 8)
            stanza.body = STR("{\"type\":\"error\",\"of\":\"kill\",\"code\":\"x\",\"text\":\"y\"}");
        else if (i == 9)
            stanza.body = STR("{\"type\":\"vote\",\"target\":\"\xFF\"}");
        else
            stanza.from = STR("maw.test");
        forget(table);
        maw_session_receive(table->session, &stanza, table->now);
        if (table->count)
            fail_msg("case %d was answered: %s", i, table->caught[0].body);
    }
    forget(table);
    maw_session_receive(table->session, &good, table->now);
    assert_refused(table, ACT_NOT_UNDERSTOOD, "bad-json");
}

static void a_wrong_act_is_taken_and_noted_once(void **state)
{
    Table *table = *state;

    begin(table, 6);
    table->act = ACT_INFORM; /* as SPADE's make_reply copies it */
    vote(table, 0, 1);
    vote(table, 0, 2);
    assert_got(table, 0, MAW_VOTE_ACCEPTED, "p02@maw.test");
    assert_string_equal(buf_cstr(&table->notes),
                        "Ann says vote with the act inform; expected request\n");
}

static void a_message_that_comes_twice_counts_once(void **state)
{
    Table *table = *state;

    begin(table, 6);
    table->id = "same";
    vote(table, 0, 1);
    table->id = NULL;
    vote(table, 0, 2);
    forget(table);
    table->id = "same";
    table->reply_with = "again";
    vote(table, 0, 1);
    assert_int_equal(table->count, 1);
    assert_got(table, 0, MAW_VOTE_ACCEPTED, "\"target\":\"p01@maw.test\"");
    assert_string_equal(table->caught[0].in_reply_to, "again");
    assert_has_not(read_room(table, 1, VILLAGE, 2), "votes for Bob");
    table->id = NULL;
    table->reply_with = "token";
    say(table, 1, VILLAGE, "once");
    say(table, 1, VILLAGE, "once");
    table->reply_with = NULL;
    assert_has(read_room(table, 2, VILLAGE, 2), "\"messages\":[\"Bob: once\"]");
    table->id = "same"; /* of another sender it is another message */
    vote(table, 3, 1);
    assert_got(table, 3, MAW_VOTE_ACCEPTED, "p01@maw.test");
}

static void reading_twice_is_answered_anew(void **state)
{
    Table *table = *state;

    begin(table, 6);
    table->id = "same";
    assert_has(read_room(table, 0, VILLAGE, 0), "\"messages\":[]");
    table->id = NULL;
    say(table, 1, VILLAGE, "new");
    table->id = "same";
    assert_has(read_room(table, 0, VILLAGE, 0), "\"messages\":[\"Bob: new\"]");
}

static void three_lines_at_once_and_one_a_second(void **state)
{
    Table *table = *state;

    begin(table, 6);
    for (int i = 0; i < 3; i++)
        say(table, 0, VILLAGE, "x");
    forget(table);
    say(table, 0, VILLAGE, "x");
    assert_refused(table, ACT_REFUSE, "rate-limited");
    forget(table);
    say(table, 0, VILLAGE, "x"); /* one such answer in five seconds */
    assert_int_equal(table->count, 0);
    say(table, 1, VILLAGE, "y"); /* each seat has its own */
    vote(table, 0, 1);           /* no line */
    assert_got(table, 0, MAW_VOTE_ACCEPTED, "target");
    pass(table, 1000);
    forget(table);
    say(table, 0, VILLAGE, "z");
    assert_int_equal(table->count, 0);
    assert_has(read_room(table, 2, VILLAGE, 0), "Ann: z");
}

static void a_flood_of_messages_is_cut_off(void **state)
{
    Table *table = *state;
    size_t answers;

    begin(table, 6);
    forget(table);
    for (int i = 0; i < 500; i++)
        vote(table, 0, 1 + i % 2);
    answers = count_of(table, 0, MAW_VOTE_ACCEPTED);
    assert_true(answers >= 20 && answers <= 100);
    assert_int_equal(count_of(table, 0, MAW_ERROR), 1);
    forget(table);
    for (int i = 0; i < 500; i++)
        send_from(table, "stranger@elsewhere", MASTER, "?");
    assert_true(table->count > 0 && table->count <= 20);
    forget(table);
    send_from(table, "another@elsewhere", MASTER, "?"); /* pays nothing for it */
    assert_int_equal(table->count, 1);
}

/* A session that the document alone describes: request and inform, no extension. */
static void a_document_only_player_plays_a_whole_round(void **state)
{
    Table *table = *state;

    table->options.players = 3;
    open_session(table);
    for (int p = 0; p < 3; p++)
        sendf(table, p, MASTER, "{\"type\":\"join_game\",\"player_name\":\"Player%d\"}", p);
    assert_got(table, 0, MAW_START_GAME, "\"total_players\":3");
    send(table, 0, VILLAGE, "{\"type\":\"player_action\",\"action\":\"chat\",\"message\":\"hi\"}");
    table->act = ACT_INFORM; /* C6 */
    send(table, 1, VILLAGE, "{\"type\":\"get_new_messages\"}");
    assert_got(table, 1, MAW_NEW_MESSAGES, "[\"Player0: hi\"]");
    table->act = ACT_NONE;
    int wolf0 = wolf(table, 0);
    for (int p = 0; p < 3; p++)
        if (p != wolf0)
            sendf(table, p, VILLAGE, "{\"type\":\"vote\",\"target\":\"p%02d@maw.test\"}", wolf0);
    assert_got(table, 1, MAW_END_GAME, "\"winning_team\":\"Villagers\"");
}

/* The document has no key for the index. */
static void without_an_index_reading_goes_on(void **state)
{
    Table *table = *state;

    begin(table, 5);
    for (int i = 0; i < 3; i++) {
        char line[16];
        snprintf(line, sizeof(line), "line %d", i);
        say(table, 0, VILLAGE, line);
        forget(table);
        send(table, 1, VILLAGE, "{\"type\":\"get_new_messages\"}");
        snprintf(line, sizeof(line), "\"Ann: line %d\"", i);
        assert_got(table, 1, MAW_NEW_MESSAGES, line);
        send(table, 1, VILLAGE, "{\"type\":\"get_new_messages\"}");
        assert_got(table, 1, MAW_NEW_MESSAGES, "\"messages\":[]");
        wait_ms(table, 2000);
    }
    /* Another life of that player begins anew: what is kept still is sent. */
    forget(table);
    join(table, 1);
    send(table, 1, VILLAGE, "{\"type\":\"get_new_messages\",\"index\":0}");
    assert_got(table, 1, MAW_NEW_MESSAGES, "\"next\":3");
}

/* Nor one for `next`: "the index of the last message received" is a count of lines. */
static void who_counts_lines_gets_each_once(void **state)
{
    Table *table = *state;

    begin(table, 7);
    say(table, 0, VILLAGE, "one");
    say(table, 0, VILLAGE, "two"); /* nobody reads them before the night */
    execute(table, villager(table, 0));
    murder(table, villager(table, 1));
    int reader = villager(table, 2);
    forget(table);
    send(table, reader, VILLAGE, "{\"type\":\"get_new_messages\",\"index\":0}");
    assert_got(table, reader, MAW_NEW_MESSAGES, "was murdered during the night.\"]");
    say(table, reader, VILLAGE, "three");
    forget(table);
    send(table, reader, VILLAGE, "{\"type\":\"get_new_messages\",\"index\":1}");
    assert_got(table, reader, MAW_NEW_MESSAGES, ": three\"]");
    say(table, reader, VILLAGE, "four");
    forget(table);
    send(table, reader, VILLAGE, "{\"type\":\"get_new_messages\",\"index\":2}");
    assert_got(table, reader, MAW_NEW_MESSAGES, ": four\"]");
    assert_int_equal(strstr(got(table, reader, MAW_NEW_MESSAGES)->body, ": three") != NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(what_can_not_be_read_is_not_understood),
        table_test(strangers_may_only_join),
        table_test(what_the_game_master_says_nobody_else_may),
        table_test(threads_of_other_rounds_and_sessions_are_stale),
        table_test(names_are_words),
        table_test(a_table_can_be_full_or_running),
        table_test(the_dead_and_the_sleeping_do_not_act),
        table_test(closed_rooms_and_phases_that_are_over_take_nothing),
        table_test(votes_are_for_others_who_live),
        table_test(lines_have_something_in_them_and_an_end),
        table_test(a_room_that_is_full_of_lines_takes_no_more),
        table_test(whispers_have_their_rules),
        table_test(only_the_seer_asks_for_roles),
        table_test(push_can_be_off),
        table_test(some_stanzas_are_not_answered_at_all),
        table_test(a_wrong_act_is_taken_and_noted_once),
        table_test(a_message_that_comes_twice_counts_once),
        table_test(reading_twice_is_answered_anew),
        table_test(three_lines_at_once_and_one_a_second),
        table_test(a_flood_of_messages_is_cut_off),
        table_test(a_document_only_player_plays_a_whole_round),
        table_test(without_an_index_reading_goes_on),
        table_test(who_counts_lines_gets_each_once),
    };

    return cmocka_run_group_tests_name("a session's answers", tests, NULL, NULL);
}
