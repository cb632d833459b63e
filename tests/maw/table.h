/* table.h - a MAW session with people who are not there: they join, act, and what they are told is
 *           caught.
 *
 * For:    tests of maw/session.h. Players are numbers from 0; their names are Ann, Bob, Cyd ...
 * Memory: table_new in the test's setup, table_free in its teardown; all that was caught is in it.
 * Thread: the test's.
 *
 * Roles are drawn; wolf() and villager() say who got which.
 */
#ifndef WARG_TESTS_MAW_TABLE_H
#define WARG_TESTS_MAW_TABLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "maw/session.h"
#include "wire/maw_message.h"

#define TABLE_CAUGHT  20000
#define TABLE_PLAYERS 30
#define MASTER        "gm@maw.test"
#define LOBBY         "lobby@maw.test"
#define VILLAGE       "village@maw.test"
#define HIDEOUT       "hideout@maw.test"
#define GRAVEYARD     "graveyard@maw.test"

typedef struct Caught {
    int player; /* who was sent it; -1: a stranger */
    MawAct act;
    MawType type;
    char *from;
    char *to;
    char *id;
    char *thread;
    char *in_reply_to;
    char *conversation_id;
    char *body;
} Caught;

typedef struct Table {
    Ruleset rules;
    MawOptions options;
    uint64_t seed;
    MawSession *session;
    TimeUs now;
    unsigned ids;
    const char *thread; /* of what is sent; NULL = none */
    const char *id;     /* likewise; NULL = a new one each time */
    const char *reply_with;
    MawAct act; /* ACT_NONE = request */
    Caught caught[TABLE_CAUGHT];
    size_t count;
    Buf record; /* lines */
    Buf room_lines;
    Buf notes;
    unsigned filled;
    char line[65536]; /* what course() and the like return */
} Table;

/* ---- players ---- */

static inline const char *name_of(int player)
{
    static const char *const names[] = {"Ann", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal",
                                        "Ida", "Joe", "Kim", "Leo", "Mia", "Ned", "Oda", "Pia"};

    assert_true(player >= 0 && player < 16);
    return names[player];
}

static inline const char *jid_of(int player, char *text)
{
    snprintf(text, 64, "p%02d@maw.test", player);
    return text;
}

static inline int player_of(Str jid)
{
    uint64_t number;

    if (jid.len < 4 || jid.bytes[0] != 'p' ||
        !str_to_uint(str_part(jid, 1, 2), TABLE_PLAYERS, &number))
        return -1;
    return (int)number;
}

/* ---- catching ---- */

static inline char *table_copy(Str text)
{
    char *copy = mem_new(text.len + 1);

    assert_non_null(copy);
    if (text.len)
        memcpy(copy, text.bytes, text.len);
    return copy;
}

static inline void table_catch(void *user, const MawStanza *stanza)
{
    Table *table = user;
    MawMessage message;
    MawRefusal why;

    assert_true(table->count < TABLE_CAUGHT);
    Caught *caught = &table->caught[table->count++];
    assert_int_equal(stanza->type, STANZA_CHAT);
    assert_true(maw_session_is_address(table->session, stanza->from));
    *caught = (Caught){.player = player_of(stanza->to),
                       .act = stanza->act,
                       .from = table_copy(stanza->from),
                       .to = table_copy(stanza->to),
                       .id = table_copy(stanza->id),
                       .thread = table_copy(stanza->thread),
                       .in_reply_to = table_copy(stanza->in_reply_to),
                       .conversation_id = table_copy(stanza->conversation_id),
                       .body = table_copy(stanza->body)};
    if (!maw_message_read(stanza->body, &message, &why))
        fail_msg("sent a bad body: %s: %s", caught->body, why.text);
    caught->type = message.type;
    maw_message_done(&message);
}

static inline void maw_table_record(void *user, Str json)
{
    Table *table = user;

    buf_add(&table->record, json);
    buf_add_char(&table->record, '\n');
}

static inline void table_room_line(void *user, const char *room, unsigned round, unsigned phase_no,
                                   Str name, Str text)
{
    Table *table = user;

    buf_printf(&table->room_lines, "%s %u-%u %.*s: %.*s\n", room, round, phase_no, STR_ARG(name),
               STR_ARG(text));
}

static inline void table_note(void *user, Str line)
{
    Table *table = user;

    buf_add(&table->notes, line);
    buf_add_char(&table->notes, '\n');
}

static inline void table_fill(void *user, unsigned missing)
{
    ((Table *)user)->filled += missing;
}

static inline void forget(Table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        Caught *caught = &table->caught[i];
        mem_free(caught->from);
        mem_free(caught->to);
        mem_free(caught->id);
        mem_free(caught->thread);
        mem_free(caught->in_reply_to);
        mem_free(caught->conversation_id);
        mem_free(caught->body);
    }
    table->count = 0;
}

/* ---- beginning and end ---- */

static inline int table_setup(void **state)
{
    Table *table = mem_new(sizeof(*table));

    if (!table || ruleset_preset(STR("maw"), &table->rules, NULL))
        return -1;
    table->options = maw_options_default();
    table->seed = 1;
    *state = table;
    return 0;
}

static inline int table_teardown(void **state)
{
    Table *table = *state;

    forget(table);
    maw_session_free(table->session);
    buf_done(&table->record);
    buf_done(&table->room_lines);
    buf_done(&table->notes);
    *state = mem_free(table);
    return 0;
}

#define table_test(name) cmocka_unit_test_setup_teardown(name, table_setup, table_teardown)

static inline int table_try(Table *table, Err *err)
{
    MawSessionSetup setup = {
        .rules = &table->rules,
        .options = table->options,
        .id = STR("t"),
        .domain = STR("maw.test"),
        .chance = maw_chance_of_seed(table->seed),
        .now = table->now = 1000000,
        .unix_ms = 1700000000000,
        .out = {table_catch, maw_table_record, table_room_line, table_fill, table_note, table,
                NULL},
    };

    return maw_session_new(&setup, &table->session, err);
}

static inline void open_session(Table *table)
{
    Err err = {0};

    if (table_try(table, &err))
        fail_msg("%s", err.msg);
}

/* ---- acting ---- */

static inline void send_from(Table *table, const char *from, const char *to, const char *body)
{
    char id[24];
    MawStanza stanza = {.from = str_of(from),
                        .to = str_of(to),
                        .type = STANZA_CHAT,
                        .act = table->act == ACT_NONE ? ACT_REQUEST : table->act,
                        .has_body = true,
                        .body = str_of(body)};

    snprintf(id, sizeof(id), "c%u", table->ids++);
    stanza.id = str_of(table->id ? table->id : id);
    stanza.thread = str_of(table->thread);
    stanza.reply_with = str_of(table->reply_with);
    maw_session_receive(table->session, &stanza, table->now);
}

static inline void send(Table *table, int player, const char *to, const char *body)
{
    char jid[64];

    send_from(table, jid_of(player, jid), to, body);
}

/* Puts %s into a body. */
static inline void sendf(Table *table, int player, const char *to, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static inline void sendf(Table *table, int player, const char *to, const char *format, ...)
{
    char body[8192];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(body, sizeof(body), format, arguments);
    va_end(arguments);
    send(table, player, to, body);
}

static inline void join(Table *table, int player)
{
    sendf(table, player, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"%s\"}",
          name_of(player));
}

static inline void vote(Table *table, int player, int target)
{
    sendf(table, player, MASTER, "{\"type\":\"vote\",\"target\":\"%s\"}", name_of(target));
}

static inline void say(Table *table, int player, const char *room, const char *text)
{
    sendf(table, player, room, "{\"type\":\"chat\",\"message\":\"%s\"}", text);
}

static inline void bounce(Table *table, const char *from, const char *id)
{
    MawStanza stanza = {.from = str_of(from),
                        .to = STR(MASTER),
                        .id = str_of(id),
                        .type = STANZA_ERROR,
                        .error_condition = STR("service-unavailable")};

    maw_session_receive(table->session, &stanza, table->now);
}

static inline void bounce_player(Table *table, int player)
{
    char jid[64];

    bounce(table, jid_of(player, jid), "m0");
}

static inline void pass(Table *table, TimeMs ms)
{
    table->now += ms * 1000;
    maw_session_tick(table->session, table->now);
}

/* Ticks at every deadline until `ms` have passed. */
static inline void wait_ms(Table *table, TimeMs ms)
{
    TimeUs until = table->now + ms * 1000;

    while (maw_session_deadline(table->session) <= until) {
        TimeUs due = maw_session_deadline(table->session);
        if (due > table->now)
            table->now = due;
        maw_session_tick(table->session, table->now);
    }
    table->now = until;
    maw_session_tick(table->session, table->now);
}

/* A round of `players` players has begun. */
static inline void begin(Table *table, unsigned players)
{
    table->options.players = players;
    open_session(table);
    for (unsigned p = 0; p < players; p++)
        join(table, (int)p);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
}

/* ---- looking ---- */

static inline bool standing_of(Table *table, int player, MawStanding *ret)
{
    for (uint32_t i = 0; maw_session_standing(table->session, i, ret); i++)
        if (player_of(ret->jid) == player)
            return true;
    return false;
}

/* The `n`-th player of this role who lives. */
static inline int with_role(Table *table, Role role, int n)
{
    MawStanding standing;

    for (int p = 0; p < TABLE_PLAYERS; p++)
        if (standing_of(table, p, &standing) && standing.role == role && standing.alive && n-- == 0)
            return p;
    fail_msg("there is no such %s", role_name(role));
    return -1;
}

static inline int wolf(Table *table, int n)
{
    return with_role(table, ROLE_WEREWOLF, n);
}

static inline int villager(Table *table, int n)
{
    return with_role(table, ROLE_VILLAGER, n);
}

static inline bool is_alive(Table *table, int player)
{
    MawStanding standing;

    return standing_of(table, player, &standing) && standing.alive;
}

/* All living players vote for one. */
static inline void execute(Table *table, int target)
{
    MawState before = maw_session_state(table->session);

    for (int p = 0; p < TABLE_PLAYERS; p++)
        if (p != target && is_alive(table, p) && maw_session_state(table->session) == before)
            vote(table, p, target);
}

static inline void murder(Table *table, int target)
{
    MawStanding standing;

    for (int p = 0; p < TABLE_PLAYERS; p++)
        if (standing_of(table, p, &standing) && standing.role == ROLE_WEREWOLF && standing.alive &&
            maw_session_state(table->session) == MAW_NIGHT)
            vote(table, p, target);
}

/* The last stanza of a type to a player; one without texts when there is none. */
static inline const Caught *got(const Table *table, int player, MawType type)
{
    static char none[1];
    static const Caught nothing = {.from = none,
                                   .to = none,
                                   .id = none,
                                   .thread = none,
                                   .in_reply_to = none,
                                   .conversation_id = none,
                                   .body = none};

    for (size_t i = table->count; i > 0; i--)
        if (table->caught[i - 1].player == player && table->caught[i - 1].type == type)
            return &table->caught[i - 1];
    return &nothing;
}

static inline size_t count_of(const Table *table, int player, MawType type)
{
    size_t count = 0;

    for (size_t i = 0; i < table->count; i++)
        count += table->caught[i].player == player && table->caught[i].type == type;
    return count;
}

/* The types of what a player was sent, in order: "vote_result phase_change". */
static inline const char *course(Table *table, int player)
{
    size_t used = 0;

    table->line[0] = '\0';
    for (size_t i = 0; i < table->count; i++)
        if (table->caught[i].player == player)
            used += (size_t)snprintf(table->line + used, sizeof(table->line) - used, "%s%s",
                                     used ? " " : "", maw_type_name(table->caught[i].type));
    return table->line;
}

#define assert_course(table, player, expected) assert_string_equal(course(table, player), expected)

static inline void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in '%s'", part, text);
}

static inline void assert_has_not(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is in '%s'", part, text);
}

/* The player was sent a message of this type with this in it, last of that type. */
static inline void assert_got(const Table *table, int player, MawType type, const char *part)
{
    const Caught *caught = got(table, player, type);

    if (caught->type == MAW_NO_TYPE)
        fail_msg("player %d was sent no %s with %s", player, maw_type_name(type), part);
    else
        assert_has(caught->body, part);
}

/* What was sent last is a refusal of this act and code. */
static inline void assert_refused(const Table *table, MawAct act, const char *code)
{
    char part[64];

    if (table->count == 0)
        fail_msg("nothing was sent; expected %s", code);
    const Caught *last = &table->caught[table->count - 1];
    snprintf(part, sizeof(part), "\"code\":\"%s\"", code);
    if (last->type != MAW_ERROR)
        fail_msg("expected %s, but got %s", code, last->body);
    assert_has(last->body, part);
    assert_int_equal(last->act, act);
}

/* What a player reads in a room from an index on: the messages, as JSON. */
static inline const char *read_room(Table *table, int player, const char *room, int64_t index)
{
    sendf(table, player, room, "{\"type\":\"get_new_messages\",\"index\":%lld}", (long long)index);
    assert_true(table->count > 0);
    const Caught *last = &table->caught[table->count - 1];
    return last->body;
}

#endif
