/* screen_full.h - draws a Screen on a terminal, with ncurses.
 *
 * For:    terminal/screen.c. It only draws: keys are read by net/input.h and line_edit.h.
 * Memory: a FullScreen owns nothing of what it draws.
 * Thread: main thread: ncurses and the terminal's state are the process's.
 * Source: docs/spec/maw.md 6.1; ncurses 6.4; NO_COLOR (no-color.org).
 */
#ifndef WARG_TERMINAL_SCREEN_FULL_H
#define WARG_TERMINAL_SCREEN_FULL_H

#include "base/err.h"
#include "terminal/screen.h"

typedef struct FullScreen FullScreen;

typedef struct ShownLine {
    Buf text; /* clean, with its mark */
    ScreenStyle style;
} ShownLine;

/* All that is to be seen. */
typedef struct ScreenContents {
    ShownLine *lines; /* a ring of `room`: lines[first] is the oldest */
    uint32_t room;
    uint32_t first;
    uint32_t count;
    size_t scrolled; /* rows back from the newest */
    Str status;
    Str countdown; /* at the end of the status line; never cut */
    const Buf *tally;
    uint32_t tally_count;
    Str prompt;
    Str typed;
    size_t cursor; /* in `typed`, in bytes */
} ScreenContents;

/* Takes the terminal over. Errors: ERR_IO when it is none, or of no known kind; ERR_MEMORY. One at
 * a time in a process. */
int full_open(int input, int output, FullScreen **ret_full, Err *err);
/* The terminal is as it was before. Takes NULL, returns NULL. */
FullScreen *full_close(FullScreen *full);

/* Draws what has changed. `scrolled` is cut to what there is. */
void full_draw(FullScreen *full, ScreenContents *contents);
/* All of it, from an empty terminal, of the size that it has now. */
void full_redraw(FullScreen *full, ScreenContents *contents);
void full_beep(FullScreen *full);
/* Rows that a line takes, and rows of a page of the log. */
size_t full_rows_of(const FullScreen *full, const ScreenContents *contents, Str text);
size_t full_page(const FullScreen *full);

#endif
