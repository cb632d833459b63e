#include "cmd/maw_console.h"

#include "base/duration_text.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "cmd/table.h"
#include "net/input.h"
#include "terminal/screen_plain.h"

#include <stdarg.h>

#define SHOWN_CHARS 60 /* of a word that was not understood */

struct MawConsole {
    MawConsoleSetup setup;
    Input *input;
    PlainInput typed;
    Buf line;
};

/* ---- answers ---- */

static void say(const MawConsole *console, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(const MawConsole *console, const char *format, ...)
{
    char line[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    console->setup.say(console->setup.user, str_of(line));
}

static MawSession *session_of(const MawConsole *console)
{
    return maw_table_session(console->setup.table);
}

static TimeUs now_of(const MawConsole *console)
{
    return maw_table_now(console->setup.table);
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
        say(console, "paused: clocks stand still and nobody can act; /resume goes on");
    else
        say(console, "you have paused it already; /resume goes on");
}

static void do_resume(MawConsole *console, Str rest)
{
    (void)rest;
    if (!maw_session_resume(session_of(console), now_of(console)))
        say(console, "you have not paused it");
    else if (maw_session_paused(session_of(console)))
        say(console, "it goes on when the XMPP server is back");
    else
        say(console, "the game goes on");
}

static void do_extend(MawConsole *console, Str rest)
{
    uint64_t number = 0, ms = 0;

    if (str_to_uint(rest, (uint64_t)MAW_EXTEND_MAX / 1000, &number))
        ms = number * 1000;
    else if (!duration_text_read(rest, &ms))
        ms = 0;
    if (ms == 0 || ms > (uint64_t)MAW_EXTEND_MAX)
        say(console, "/extend: expected seconds, or a time as 90s or 2m, of at most a day");
    else if (!maw_session_extend(session_of(console), (TimeMs)ms, now_of(console)))
        say(console, "/extend: no phase is going on");
    else
        say(console, "the phase has %lld seconds left", seconds_left(console));
}

static void do_end(MawConsole *console, Str rest)
{
    (void)rest;
    if (maw_session_end_phase(session_of(console), now_of(console)))
        say(console, "the phase is ended; votes count as they stood");
    else if (maw_session_paused(session_of(console)))
        say(console, "/end: the game is paused; /resume first");
    else
        say(console, "/end: no phase is going on");
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
        say(console, "%s is removed%s", buf_cstr(&name), later ? " when the game goes on" : "");
        return;
    }
    for (uint32_t i = 0; maw_session_standing(session_of(console), i, &standing); i++)
        suggest_offer(&suggest, standing.name);
    Str near = suggest_best(&suggest);
    utf8_add_printable(rest, SHOWN_CHARS, &shown);
    if (name.len)
        say(console, "/kick: %s is gone already", buf_cstr(&name));
    else if (near.len)
        say(console, "/kick: nobody is called '%s'; did you mean %.*s?", buf_cstr(&shown),
            STR_ARG(near));
    else
        say(console, "/kick: nobody is called '%s'; /who lists them", buf_cstr(&shown));
}

static void say_phase(MawConsole *console)
{
    const MawSession *session = session_of(console);
    bool night = maw_session_state(session) == MAW_NIGHT;

    if (maw_session_left(session) == TIME_NEVER)
        say(console, "The lobby is open%s.", maw_session_paused(session) ? ", paused" : "");
    else
        say(console, "Round %u, %s, %lld seconds left%s.", maw_session_round(session),
            night ? "night" : "day", seconds_left(console),
            maw_session_paused(session) ? ", paused" : "");
}

static const char *word_of(Role role)
{
    if (role == ROLE_NONE)
        return "-";
    return role == ROLE_WEREWOLF ? "Werewolf" : role == ROLE_SEER ? "Seer" : "Villager";
}

/* Between rounds nobody has a role, and nobody is dead. */
static void add_row(const MawConsole *console, const MawStanding *standing, Table *table)
{
    bool phase = maw_session_left(session_of(console)) != TIME_NEVER;
    bool plays = phase && standing->seated && standing->role != ROLE_NONE;
    Str state = !standing->seated ? STR("gone") : standing->absent ? STR("absent") : STR("there");

    if (plays && !standing->alive)
        state = STR("dead");
    table_text(table, standing->name);
    table_text(table, str_of(word_of(plays ? standing->role : ROLE_NONE)));
    table_text(table, state);
    table_int(table, standing->points);
    table_text(table, str_of(maw_table_kind(console->setup.table, standing->jid)));
}

static void do_who(MawConsole *console, Str rest)
{
    static const char *const columns[] = {"name", "role", "state", "points", "kind", NULL};
    CLEANUP(table_done) Table table = {.columns = columns};
    CLEANUP(buf_done) Buf text = {0};
    MawStanding standing;

    (void)rest;
    say_phase(console);
    for (uint32_t i = 0; maw_session_standing(session_of(console), i, &standing); i++)
        add_row(console, &standing, &table);
    table_write(&table, TABLE_ALIGNED, &text);
    if (buf_failed(&text)) {
        say(console, "/who: out of memory");
        return;
    }
    for (Str lines = buf_str(&text); lines.len;)
        console->setup.say(console->setup.user, str_cut(&lines, '\n'));
}

static void do_quit(MawConsole *console, Str rest)
{
    (void)rest;
    console->setup.quit(console->setup.user);
}

static void do_help(MawConsole *console, Str rest);

static const struct {
    const char *name;
    const char *value; /* NULL: takes none */
    const char *help;
    void (*run)(MawConsole *console, Str rest);
} commands[] = {
    {"/pause", NULL, "clocks stand still, and nobody can act", do_pause},
    {"/resume", NULL, "the game goes on", do_resume},
    {"/extend", "SECONDS", "this phase lasts longer", do_extend},
    {"/end", NULL, "this phase is over; votes count as they stand", do_end},
    {"/kick", "NAME", "removes a player, for the whole session", do_kick},
    {"/who", NULL, "who plays what, and who is there", do_who},
    {"/quit", NULL, "ends the session", do_quit},
    {"/help", NULL, "this list", do_help},
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void do_help(MawConsole *console, Str rest)
{
    (void)rest;
    for (size_t i = 0; i < COMMANDS; i++)
        say(console, "%-7s %-8s %s", commands[i].name, commands[i].value ? commands[i].value : "",
            commands[i].help);
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
        say(console, "'%s' is no command; did you mean %.*s?", buf_cstr(&shown), STR_ARG(near));
    else
        say(console, "'%s' is no command; /help lists them", buf_cstr(&shown));
}

void maw_console_entered(MawConsole *console, Str line)
{
    Str rest = str_trim(line), word = str_cut(&rest, ' ');

    rest = str_trim(rest);
    if (word.len == 0)
        return;
    for (size_t i = 0; i < COMMANDS; i++) {
        if (!str_eq(word, str_of(commands[i].name)))
            continue;
        if (!commands[i].value && rest.len)
            say(console, "%s takes no value", commands[i].name);
        else if (commands[i].value && !rest.len)
            say(console, "%s: expected %s", commands[i].name, commands[i].value);
        else
            commands[i].run(console, rest);
        maw_table_stir(console->setup.table);
        return;
    }
    not_understood(console, word);
}

/* ---- lines ---- */

static void take(MawConsole *console, bool too_long)
{
    if (too_long)
        say(console, "that line is too long");
    else
        maw_console_entered(console, buf_str(&console->line));
}

static void on_bytes(void *user, Str bytes, TimeUs at)
{
    MawConsole *console = user;
    bool too_long;

    (void)at;
    while (plain_line(&console->typed, &bytes, &console->line, &too_long))
        take(console, too_long);
}

static void on_ended(void *user, TimeUs at)
{
    MawConsole *console = user;
    bool too_long;

    (void)at;
    if (plain_rest(&console->typed, &console->line, &too_long))
        take(console, too_long);
    if (maw_session_resume(session_of(console), now_of(console))) { /* nobody else could */
        say(console, "there are no more commands: the game goes on");
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
