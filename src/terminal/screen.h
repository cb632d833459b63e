/* screen.h - a person at a terminal: lines that come while one is being typed.
 *
 * For:    `warg maw --me`, `warg join --me`, `warg play`.
 * Memory: a Screen owns its history of lines.
 * Thread: the loop's.
 * Source: docs/spec/maw.md 6.1; seed 002 1.3, 3.3.
 *
 * Three ways, chosen by itself: FULL on a terminal (ncurses: history that scrolls, tally, status
 * line, prompt), PLAIN with --plain, TERM=dumb or without a terminal: one line out for each thing,
 * one command in for each line; no escape sequences, no cursor.
 *
 * What is shown tells its style without colours: "* " in front of what happens, "! " of what
 * concerns me, "> " of what I said. A Screen may be freed in its callbacks.
 */
#ifndef WARG_TERMINAL_SCREEN_H
#define WARG_TERMINAL_SCREEN_H

#include "base/buf.h"
#include "net/loop.h"

typedef struct Screen Screen;

typedef enum ScreenStyle {
    STYLE_LINE,   /* what others say: "Name: text" */
    STYLE_MINE,   /* what I said */
    STYLE_SYSTEM, /* what happens */
    STYLE_ALERT,  /* concerns me: death, a refused line; rings the bell */
} ScreenStyle;

typedef struct ScreenSetup {
    bool plain; /* also without a terminal */
    int input;  /* descriptors: 0 and 1; no input: -1 */
    int output;
    /* Each line goes there, without its end, in place of `output`; plain, lines come from the
     * caller as if they were typed, and no loop is needed (NULL). NULL: `output`. */
    void (*told)(void *user, Str line);
    /* A whole line that was entered, without its end; empty ones are not told. It is UTF-8 without
     * control characters, of at most 4096 bytes. */
    void (*entered)(void *user, Str line, TimeUs now);
    /* End of input, Ctrl-C twice, SIGTERM or SIGHUP: the person leaves. Called once. */
    void (*left)(void *user, TimeUs now);
    /* Names that Tab completes, into ret[0..63]; may be NULL. */
    uint32_t (*names)(void *user, Str *ret);
    /* Shown at the first Ctrl-C; NULL: in English. */
    const char *leave_question;
    void *user;
} ScreenSetup;

int screen_new(Loop *loop, const ScreenSetup *setup, Screen **ret_screen, Err *err);
/* The terminal is as it was before. Takes NULL. Also called on the way out of a crash by atexit. */
Screen *screen_free(Screen *screen);

bool screen_is_plain(const Screen *screen);
/* Whether lines are typed and not read from a pipe or file, where they may all be there at once. */
bool screen_is_typed(const Screen *screen);
/* In `left`: whether only the input has ended, as a script does whose person does not want to
 * leave before the game is over. */
bool screen_input_ended(const Screen *screen);
/* A line; control characters are taken out, long ones are folded at the width, by UTF-8. */
void screen_line(Screen *screen, ScreenStyle style, Str line);
/* The line that is always there: phase, whom I may speak to; `until`: a countdown is shown. In
 * plain mode it is a line when the text changes. */
void screen_status(Screen *screen, Str status, TimeUs until, TimeUs now);
/* Who has votes from whom, a line each; FULL shows it beside the log, PLAIN not. */
void screen_tally(Screen *screen, const Str *lines, uint32_t count);
void screen_prompt(Screen *screen, Str prompt);

#endif
