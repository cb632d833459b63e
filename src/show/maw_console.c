#include "show/maw_console.h"

#include "base/duration_text.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "net/input.h"
#include "person/person_text.h"
#include "show/maw_console_words.h"
#include "show/text_table.h"
#include "terminal/screen_plain.h"

#include <stdio.h>

#define SHOWN_CHARS 60 /* of a word that was not understood */

struct MawConsole {
    MawConsoleSetup setup;
    TimeUs now; /* of the line that is read */
    Input *input;
    PlainInput typed;
    Buf line;
};

/* ---- answers ---- */

static void say_word(const MawConsole *console, ConsoleWord word, const char *one, const char *two)
{
    CLEANUP(buf_done) Buf line = {0};

    person_fill(console_word(word, console->setup.language == LLM_JAPANESE),
                (Str[]){str_of(one), str_of(two)}, 2, &line);
    if (!buf_failed(&line))
        console->setup.say(console->setup.user, buf_str(&line));
}

static void say_plain(const MawConsole *console, ConsoleWord word)
{
    say_word(console, word, "", "");
}

/* A number as text, in the caller's room. */
#define NUMBER_ROOM 24
static const char *number_text(long long number, char room[static NUMBER_ROOM])
{
    snprintf(room, NUMBER_ROOM, "%lld", number);
    return room;
}

static MawSession *session_of(const MawConsole *console)
{
    return maw_table_session(console->setup.table);
}

static TimeUs now_of(const MawConsole *console)
{
    return console->now;
}

static long long seconds_left(const MawConsole *console)
{
    TimeMs left = maw_session_left(session_of(console));

    return left == TIME_NEVER ? 0 : (long long)(left + 999) / 1000;
}

/* ---- commands ---- */

static void do_pause(MawConsole *console, Str rest)
{
    (void)rest;
    if (maw_session_pause(session_of(console), now_of(console)))
        say_plain(console, CONSOLE_PAUSED);
    else
        say_plain(console, CONSOLE_PAUSED_ALREADY);
}

static void do_resume(MawConsole *console, Str rest)
{
    (void)rest;
    if (!maw_session_resume(session_of(console), now_of(console)))
        say_plain(console, CONSOLE_NOT_PAUSED);
    else if (maw_session_paused(session_of(console)))
        say_plain(console, CONSOLE_WAITS_FOR_LINK);
    else
        say_plain(console, CONSOLE_RESUMED);
}

static void do_extend(MawConsole *console, Str rest)
{
    uint64_t number = 0, ms = 0;

    if (str_to_uint(rest, (uint64_t)MAW_EXTEND_MAX / 1000, &number))
        ms = number * 1000;
    else if (!duration_text_read(rest, &ms))
        ms = 0;
    if (ms == 0 || ms > (uint64_t)MAW_EXTEND_MAX)
        say_plain(console, CONSOLE_EXTEND_WHAT);
    else if (!maw_session_extend(session_of(console), (TimeMs)ms, now_of(console)))
        say_plain(console, CONSOLE_EXTEND_NOTHING);
    else
        say_word(console, CONSOLE_LEFT, number_text(seconds_left(console), (char[NUMBER_ROOM]){0}),
                 "");
}

static void do_end(MawConsole *console, Str rest)
{
    (void)rest;
    if (maw_session_end_phase(session_of(console), now_of(console)))
        say_plain(console, CONSOLE_ENDED);
    else if (maw_session_paused(session_of(console)))
        say_plain(console, CONSOLE_END_PAUSED);
    else
        say_plain(console, CONSOLE_END_NOTHING);
}

static void say_near(const MawConsole *console, ConsoleWord word, const char *shown, Str near)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_add(&text, near);
    say_word(console, word, shown, buf_failed(&text) ? "" : buf_cstr(&text));
}

static void do_kick(MawConsole *console, Str rest)
{
    Suggest suggest = {.word = rest};
    CLEANUP(buf_done) Buf shown = {0};
    CLEANUP(buf_done) Buf name = {0}; /* of who never played nothing is left behind */
    MawStanding standing;

    buf_add(&name, maw_session_name(session_of(console), rest));
    if (maw_session_kick(session_of(console), buf_str(&name), now_of(console))) {
        bool later = maw_session_paused(session_of(console)) &&
                     maw_session_left(session_of(console)) != TIME_NEVER;
        say_word(console, later ? CONSOLE_REMOVED_LATER : CONSOLE_REMOVED, buf_cstr(&name), "");
        return;
    }
    for (uint32_t i = 0; maw_session_standing(session_of(console), i, &standing); i++)
        suggest_offer(&suggest, standing.name);
    Str near = suggest_best(&suggest);
    utf8_add_printable(rest, SHOWN_CHARS, &shown);
    if (name.len)
        say_word(console, CONSOLE_GONE_ALREADY, buf_cstr(&name), "");
    else if (near.len)
        say_near(console, CONSOLE_KICK_NEAR, buf_cstr(&shown), near);
    else
        say_word(console, CONSOLE_KICK_NOBODY, buf_cstr(&shown), "");
}

static void say_phase(MawConsole *console)
{
    const MawSession *session = session_of(console);
    bool paused = maw_session_paused(session);
    char round[NUMBER_ROOM];

    if (maw_session_left(session) == TIME_NEVER) {
        say_plain(console, paused ? CONSOLE_LOBBY_PAUSED : CONSOLE_LOBBY);
        return;
    }
    bool night = maw_session_state(session) == MAW_NIGHT;
    say_word(console,
             night ? (paused ? CONSOLE_NIGHT_PAUSED : CONSOLE_NIGHT)
                   : (paused ? CONSOLE_DAY_PAUSED : CONSOLE_DAY),
             number_text(maw_session_round(session), round),
             number_text(seconds_left(console), (char[NUMBER_ROOM]){0}));
}

static ConsoleWord word_of(Role role)
{
    if (role == ROLE_NONE)
        return CONSOLE_NO_ROLE;
    return role == ROLE_WEREWOLF ? CONSOLE_WEREWOLF
           : role == ROLE_SEER   ? CONSOLE_SEER
                                 : CONSOLE_VILLAGER;
}

/* Between rounds nobody has a role, and nobody is dead. */
static void add_row(const MawConsole *console, const MawStanding *standing, TextTable *table)
{
    bool phase = maw_session_left(session_of(console)) != TIME_NEVER;
    bool plays = phase && standing->seated && standing->role != ROLE_NONE;
    bool japanese = console->setup.language == LLM_JAPANESE;
    ConsoleWord state = !standing->seated  ? CONSOLE_GONE
                        : standing->absent ? CONSOLE_ABSENT
                                           : CONSOLE_THERE;

    if (plays && !standing->alive)
        state = CONSOLE_DEAD;
    text_table_text(table, standing->name);
    text_table_text(table,
                    str_of(console_word(word_of(plays ? standing->role : ROLE_NONE), japanese)));
    text_table_text(table, str_of(console_word(state, japanese)));
    text_table_int(table, standing->points);
    text_table_text(table, str_of(maw_table_kind(console->setup.table, standing->jid)));
}

static void do_who(MawConsole *console, Str rest)
{
    static const char *const columns[2][6] = {
        {"name", "role", "state", "points", "kind", NULL},
        {"名前", "役職", "状態", "得点", "種類", NULL},
    };
    CLEANUP(text_table_done)
    TextTable table = {.columns = columns[console->setup.language == LLM_JAPANESE]};
    CLEANUP(buf_done) Buf text = {0};
    MawStanding standing;

    (void)rest;
    say_phase(console);
    for (uint32_t i = 0; maw_session_standing(session_of(console), i, &standing); i++)
        add_row(console, &standing, &table);
    text_table_write(&table, TABLE_ALIGNED, &text);
    if (buf_failed(&text)) {
        say_plain(console, CONSOLE_NO_MEMORY);
        return;
    }
    for (Str lines = buf_str(&text); lines.len;)
        console->setup.say(console->setup.user, str_cut(&lines, '\n'));
}

static void do_quit(MawConsole *console, Str rest)
{
    (void)rest;
    console->setup.quit(console->setup.user, now_of(console));
}

static void do_help(MawConsole *console, Str rest);

static const struct {
    const char *name;
    ConsoleWord value; /* CONSOLE_NO_VALUE: takes none */
    ConsoleWord help;
    void (*run)(MawConsole *console, Str rest);
} commands[] = {
    {"/pause", CONSOLE_NO_VALUE, CONSOLE_HELP_PAUSE, do_pause},
    {"/resume", CONSOLE_NO_VALUE, CONSOLE_HELP_RESUME, do_resume},
    {"/extend", CONSOLE_SECONDS, CONSOLE_HELP_EXTEND, do_extend},
    {"/end", CONSOLE_NO_VALUE, CONSOLE_HELP_END, do_end},
    {"/kick", CONSOLE_NAME, CONSOLE_HELP_KICK, do_kick},
    {"/who", CONSOLE_NO_VALUE, CONSOLE_HELP_WHO, do_who},
    {"/quit", CONSOLE_NO_VALUE, CONSOLE_HELP_QUIT, do_quit},
    {"/help", CONSOLE_NO_VALUE, CONSOLE_HELP_HELP, do_help},
};
#define COMMANDS      (sizeof(commands) / sizeof(commands[0]))
#define VALUE_COLUMNS 8 /* of "SECONDS", and one between */

static void do_help(MawConsole *console, Str rest)
{
    bool japanese = console->setup.language == LLM_JAPANESE;

    (void)rest;
    for (size_t i = 0; i < COMMANDS; i++) {
        CLEANUP(buf_done) Buf line = {0};
        Str value = str_of(console_word(commands[i].value, japanese));
        size_t width = utf8_width(value);
        buf_printf(&line, "%-7s %.*s%*s %s", commands[i].name, STR_ARG(value),
                   (int)(width < VALUE_COLUMNS ? VALUE_COLUMNS - width : 0), "",
                   console_word(commands[i].help, japanese));
        if (!buf_failed(&line))
            console->setup.say(console->setup.user, buf_str(&line));
    }
}

static void not_understood(const MawConsole *console, Str word)
{
    Suggest suggest = {.word = word};
    CLEANUP(buf_done) Buf shown = {0};

    for (size_t i = 0; i < COMMANDS; i++)
        suggest_offer(&suggest, str_of(commands[i].name));
    Str near = suggest_best(&suggest);
    utf8_add_printable(word, SHOWN_CHARS, &shown);
    if (near.len)
        say_near(console, CONSOLE_COMMAND_NEAR, buf_cstr(&shown), near);
    else
        say_word(console, CONSOLE_COMMAND_UNKNOWN, buf_cstr(&shown), "");
}

void maw_console_entered(MawConsole *console, Str line, TimeUs now)
{
    Str rest = str_trim(line), word = str_cut(&rest, ' ');

    console->now = now;
    rest = str_trim(rest);
    if (word.len == 0)
        return;
    for (size_t i = 0; i < COMMANDS; i++) {
        if (!str_eq(word, str_of(commands[i].name)))
            continue;
        bool takes = commands[i].value != CONSOLE_NO_VALUE;
        if (!takes && rest.len)
            say_word(console, CONSOLE_TAKES_NONE, commands[i].name, "");
        else if (takes && !rest.len)
            say_word(console, CONSOLE_EXPECTED, commands[i].name,
                     console_word(commands[i].value, console->setup.language == LLM_JAPANESE));
        else
            commands[i].run(console, rest);
        maw_table_stir(console->setup.table);
        return;
    }
    not_understood(console, word);
}

/* ---- lines ---- */

static void take_line(MawConsole *console, bool too_long, TimeUs now)
{
    if (too_long)
        say_plain(console, CONSOLE_LONG);
    else
        maw_console_entered(console, buf_str(&console->line), now);
}

static void on_bytes(void *user, Str bytes, TimeUs at)
{
    MawConsole *console = user;
    bool too_long;

    while (plain_line(&console->typed, &bytes, &console->line, &too_long))
        take_line(console, too_long, at);
}

static void on_ended(void *user, TimeUs at)
{
    MawConsole *console = user;
    bool too_long;

    if (plain_rest(&console->typed, &console->line, &too_long))
        take_line(console, too_long, at);
    if (maw_session_resume(session_of(console), at)) { /* nobody else could */
        say_plain(console, CONSOLE_INPUT_ENDED);
        maw_table_stir(console->setup.table);
    }
}

/* ---- life ---- */

int maw_console_new(Loop *loop, int descriptor, const MawConsoleSetup *setup, MawConsole **ret,
                    Err *err)
{
    static const InputEvents events = {on_bytes, on_ended};
    MawConsole *console = mem_new(sizeof(*console));

    if (!console)
        return err_set(err, ERR_MEMORY, "console: out of memory");
    console->setup = *setup;
    int rc = loop ? input_open(loop, descriptor, &events, console, &console->input, err) : 0;
    if (rc) {
        maw_console_free(console);
        return rc;
    }
    *ret = console;
    return 0;
}

MawConsole *maw_console_free(MawConsole *console)
{
    if (!console)
        return NULL;
    input_close(console->input);
    plain_input_done(&console->typed);
    buf_done(&console->line);
    return mem_free(console);
}
