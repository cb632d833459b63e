/* test_maw_chats.c - people with an ordinary chat client at a table, in simulated time: what they
 * type, and what they read. Source: docs/spec/models.md 4.6. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "person/maw_chats.h"

#include <stdlib.h>

#define SECOND  ((TimeUs)1000 * 1000)
#define ANN     "Ann@example.org/phone"
#define STEPS   200000
#define MASTER  "gm@maw.test"
#define VILLAGE "village@maw.test"

typedef struct Desk {
    Alarms alarms;
    MawTable *table;
    MawChats *chats;
    TimeUs now;
    Buf read;   /* what Ann reads, the newest */
    Buf all;    /* ... and ever */
    Buf leaked; /* JSON that went out to her */
    Buf record;
    char from[64]; /* the address of what she read last */
    unsigned messages;
} Desk;

static void on_event(void *user, Str json)
{
    Desk *desk = user;

    buf_add(&desk->record, json);
    buf_add_char(&desk->record, '\n');
}

static void on_words(void *user, const MawStanza *stanza)
{
    Desk *desk = user;

    assert_true(stanza->plain);
    assert_true(str_eq(stanza->to, STR("ann@example.org")));
    assert_true(stanza->body.len > 0 && stanza->body.bytes[0] != '{');
    snprintf(desk->from, sizeof(desk->from), "%.*s", STR_ARG(stanza->from));
    desk->messages++;
    buf_add(&desk->read, stanza->body);
    buf_add_char(&desk->read, '\n');
    buf_add(&desk->all, stanza->body);
    buf_add_char(&desk->all, '\n');
}

static void on_link(void *user, const MawStanza *stanza)
{
    buf_add(&((Desk *)user)->leaked, stanza->body);
}

static void open_table(Desk *desk, unsigned bots, unsigned players, LlmLanguage language)
{
    MawOptions options = maw_options_default();
    Ruleset rules;

    *desk = (Desk){.now = SECOND};
    options.players = players;
    options.language = language;
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    MawTableSetup setup = {.rules = &rules,
                           .options = options,
                           .id = STR("test"),
                           .domain = STR("maw.test"),
                           .chance = maw_chance_of_seed(8),
                           .pace = maw_pace(&rules, true),
                           .alarms = &desk->alarms,
                           .now = desk->now,
                           .event = on_event,
                           .user = desk};
    assert_int_equal(maw_table_new(&setup, &desk->table, NULL), 0);
    maw_house_link(maw_table_house(desk->table), on_link, desk);
    for (unsigned i = 0; i < bots; i++)
        assert_int_equal(maw_table_add_bot(desk->table, MAW_BOT_TALKER, NULL), 0);
    const MawChatsSetup chats = {.table = desk->table,
                                 .alarms = &desk->alarms,
                                 .language =
                                     language == LLM_JAPANESE ? PERSON_JAPANESE : PERSON_ENGLISH,
                                 .send = on_words,
                                 .user = desk};
    assert_int_equal(maw_chats_new(&chats, &desk->chats, NULL), 0);
    maw_table_begin(desk->table, NULL, NULL);
}

static void open_desk(Desk *desk, unsigned bots, LlmLanguage language)
{
    open_table(desk, bots, bots + 1, language);
}

static void close_desk(Desk *desk)
{
    assert_int_equal(desk->leaked.len, 0);
    maw_chats_free(desk->chats);
    maw_table_free(desk->table);
    buf_done(&desk->read);
    buf_done(&desk->all);
    buf_done(&desk->leaked);
    buf_done(&desk->record);
}

/* To the next alarm. */
static void step(Desk *desk)
{
    TimeUs next = alarms_next(&desk->alarms);

    assert_true(next != TIME_US_NEVER);
    if (next != TIME_US_PAST)
        desk->now = next > desk->now ? next : desk->now + 1000;
    alarms_ring(&desk->alarms, desk->now);
}

static void await_words(Desk *desk, const char *words)
{
    for (unsigned i = 0; i < STEPS; i++) {
        if (strstr(buf_cstr(&desk->read), words))
            return;
        if (maw_session_over(maw_table_session(desk->table)))
            break;
        step(desk);
    }
    fail_msg("not told: '%s', but: %s", words, buf_cstr(&desk->read));
}

static bool receive(Desk *desk, const char *to, const char *text)
{
    const MawStanza stanza = {.from = STR(ANN),
                              .to = str_of(to),
                              .id = STR("x1"),
                              .type = STANZA_CHAT,
                              .has_body = true,
                              .body = str_of(text)};

    buf_clear(&desk->read);
    return maw_chats_receive(desk->chats, &stanza, desk->now);
}

/* What she types is taken; what follows of it at once is told. */
static void type_line(Desk *desk, const char *text)
{
    assert_true(receive(desk, MASTER, text));
    for (int i = 0; i < 20 && alarms_next(&desk->alarms) == TIME_US_PAST; i++)
        step(desk);
}

#define assert_read(desk, text)                                                                    \
    do {                                                                                           \
        if (!strstr(buf_cstr(&(desk)->read), (text)))                                              \
            fail_msg("expected '%s' in: %s", (text), buf_cstr(&(desk)->read));                     \
    } while (false)

static void assert_recorded(const Desk *desk, const char *part)
{
    if (!strstr(buf_cstr(&desk->record), part))
        fail_msg("expected '%s' in the record", part);
}

/* Somebody who may be voted for. */
static void some_other(Desk *desk, char name[static 64])
{
    const char *at;

    type_line(desk, "/vote");
    at = strstr(buf_cstr(&desk->read), "/vote needs a name: ");
    assert_non_null(at);
    at += strlen("/vote needs a name: ");
    snprintf(name, 64, "%.*s", (int)strcspn(at, ",\n"), at);
}

/* ---- tests ---- */

static void a_stranger_is_told_in_plain_words_what_this_is(void **state)
{
    Desk desk;

    (void)state;
    open_desk(&desk, 2, LLM_ENGLISH);
    type_line(&desk, "Hello, who are you?");
    assert_read(&desk, "This is a game of Werewolf. /join NAME takes a seat");
    type_line(&desk, "/help");
    assert_read(&desk, "/vote NAME");
    assert_string_equal(desk.from, MASTER);
    close_desk(&desk);
}

/* Two who answer each other must come to an end. */
static void strangers_are_not_answered_without_end(void **state)
{
    Desk desk;

    (void)state;
    open_desk(&desk, 2, LLM_ENGLISH);
    for (int i = 0; i < 1000; i++)
        assert_true(receive(&desk, MASTER, "hello"));
    assert_in_range(desk.messages, 1, 10);
    close_desk(&desk);
}

static void a_round_can_be_played_by_chat_alone(void **state)
{
    char name[64], vote[96], wanted[128];
    Desk desk;

    (void)state;
    open_desk(&desk, 3, LLM_ENGLISH);
    type_line(&desk, "/join Annie");
    assert_read(&desk, "You are in the lobby as Annie.");
    await_words(&desk, "Day 1");
    type_line(&desk, "/role");
    assert_read(&desk, "Your role: ");
    type_line(&desk, "I trust nobody here.");
    assert_recorded(&desk, "\"room\":\"Village\",");
    assert_recorded(&desk, "I trust nobody here.");
    assert_null(strstr(buf_cstr(&desk.read), "I trust nobody here.")); /* she has typed it */
    some_other(&desk, name);
    snprintf(vote, sizeof(vote), "/vote %s", name);
    type_line(&desk, vote);
    snprintf(wanted, sizeof(wanted), "You vote for %s.", name);
    assert_read(&desk, wanted);
    type_line(&desk, "/vote Nobody");
    assert_read(&desk, "is not the name of one of them");
    type_line(&desk, "/wolves now");
    assert_read(&desk, "Not sent: ");
    while (!maw_session_over(maw_table_session(desk.table)))
        step(&desk);
    for (int i = 0; i < 20 && alarms_next(&desk.alarms) != TIME_US_NEVER; i++)
        step(&desk);
    assert_non_null(strstr(buf_cstr(&desk.all), "Round 1 of 1 is over"));
    assert_non_null(strstr(buf_cstr(&desk.all), "The session is over."));
    close_desk(&desk);
}

static void a_wolf_speaks_to_wolves_by_night(void **state)
{
    bool was_wolf = false;

    (void)state;
    for (unsigned bots = 3; bots < 20 && !was_wolf; bots++) {
        Desk desk;
        open_desk(&desk, bots, LLM_ENGLISH);
        type_line(&desk, "/join Annie");
        await_words(&desk, "Day 1");
        type_line(&desk, "/role");
        was_wolf = strstr(buf_cstr(&desk.read), "Werewolf") != NULL;
        type_line(&desk, "/wolves by day");
        assert_read(&desk, was_wolf ? "the hideout is closed by day" : "only the werewolves");
        while (was_wolf && !strstr(buf_cstr(&desk.all), "Night 1")) {
            step(&desk);
            was_wolf = !strstr(buf_cstr(&desk.all), "You are dead"); /* executed by day */
        }
        if (was_wolf) {
            type_line(&desk, "/wolves Eat the loud one.");
            assert_recorded(&desk, "\"room\":\"Hideout\"");
            assert_recorded(&desk, "Eat the loud one.");
        }
        assert_null(strstr(buf_cstr(&desk.record), "by day"));
        close_desk(&desk);
    }
    assert_true(was_wolf);
}

/* A seat is free yet. */
static void who_waits_in_the_lobby_speaks_there(void **state)
{
    Desk desk;

    (void)state;
    open_table(&desk, 2, 4, LLM_ENGLISH);
    type_line(&desk, "/join Annie");
    assert_read(&desk, "You are in the lobby as Annie.");
    type_line(&desk, "Who else comes?");
    assert_recorded(&desk, "\"room\":\"Lobby\"");
    assert_recorded(&desk, "Who else comes?");
    close_desk(&desk);
}

static void in_japanese_all_is_japanese(void **state)
{
    Desk desk;

    (void)state;
    open_desk(&desk, 2, LLM_JAPANESE);
    type_line(&desk, "こんにちは");
    assert_read(&desk, "人狼ゲームの卓です");
    type_line(&desk, "/join 花子");
    assert_read(&desk, "花子 としてロビーに入りました。");
    await_words(&desk, "1日目");
    type_line(&desk, "/help");
    assert_read(&desk, "夜、人狼だけに話す");
    type_line(&desk, "/role");
    assert_read(&desk, "あなたの役職: ");
    close_desk(&desk);
}

static void a_seat_that_is_not_to_be_had_is_refused_in_words(void **state)
{
    Desk desk;

    (void)state;
    open_table(&desk, 3, 3, LLM_ENGLISH);
    for (int i = 0; i < 10; i++)
        step(&desk);
    type_line(&desk, "/join Annie");
    assert_read(&desk, "You have no seat. Round 1 of 1 is going on.");
    type_line(&desk, "hello");
    assert_read(&desk, "This is a game of Werewolf.");
    close_desk(&desk);
}

/* Her phone is off: for the session she is absent; when she types again she is back. */
static void who_is_not_there_is_absent_until_the_next_line(void **state)
{
    Desk desk;

    (void)state;
    open_desk(&desk, 3, LLM_ENGLISH);
    type_line(&desk, "/join");
    assert_read(&desk, "You are in the lobby as Ann.");
    await_words(&desk, "Day 1");
    const MawStanza error = {.from = STR(ANN),
                             .to = STR(MASTER),
                             .id = STR("t1"),
                             .type = STANZA_ERROR,
                             .error_condition = STR("service-unavailable")};
    assert_true(maw_chats_receive(desk.chats, &error, desk.now));
    unsigned before = desk.messages;
    for (int i = 0; i < 20; i++)
        step(&desk);
    assert_recorded(&desk, "\"event\":\"absent\"");
    assert_int_equal(desk.messages, before);
    type_line(&desk, "Here I am again.");
    assert_recorded(&desk, "\"event\":\"back\"");
    assert_read(&desk, "Connected again.");
    close_desk(&desk);
}

/* An agent's messages are the session's, also of an account that has just chatted. */
static void json_is_not_for_chats(void **state)
{
    MawStanza stanza = {.from = STR(ANN),
                        .to = STR(MASTER),
                        .type = STANZA_CHAT,
                        .act = ACT_REQUEST,
                        .has_body = true,
                        .body = STR("no JSON, but an act")};
    Desk desk;

    (void)state;
    open_desk(&desk, 2, LLM_ENGLISH);
    assert_false(maw_chats_receive(desk.chats, &stanza, desk.now));
    assert_false(receive(&desk, MASTER, "{\"type\":\"join_lobby\"}"));
    assert_false(receive(&desk, "p01@maw.test", "hello"));
    assert_int_equal(desk.messages, 0);
    close_desk(&desk);
}

static void who_leaves_can_come_back(void **state)
{
    Desk desk;

    (void)state;
    open_table(&desk, 2, 4, LLM_ENGLISH);
    type_line(&desk, "/join Annie");
    type_line(&desk, "/quit");
    assert_read(&desk, "You have left.");
    type_line(&desk, "hello");
    assert_read(&desk, "This is a game of Werewolf.");
    type_line(&desk, "/join Annie");
    assert_read(&desk, "You are in the lobby as Annie.");
    close_desk(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stranger_is_told_in_plain_words_what_this_is),
        cmocka_unit_test(strangers_are_not_answered_without_end),
        cmocka_unit_test(a_round_can_be_played_by_chat_alone),
        cmocka_unit_test(a_wolf_speaks_to_wolves_by_night),
        cmocka_unit_test(who_waits_in_the_lobby_speaks_there),
        cmocka_unit_test(in_japanese_all_is_japanese),
        cmocka_unit_test(a_seat_that_is_not_to_be_had_is_refused_in_words),
        cmocka_unit_test(who_is_not_there_is_absent_until_the_next_line),
        cmocka_unit_test(json_is_not_for_chats),
        cmocka_unit_test(who_leaves_can_come_back),
    };

    return cmocka_run_group_tests_name("chats", tests, NULL, NULL);
}
