/* line_edit.h - one line that is being typed: keys come in as a terminal sends them.
 *
 * For:    the prompt of terminal/screen_full.c. Pure: no terminal, no clock.
 * Memory: a LineEdit owns its line and its history.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 6.1; ECMA-48 and xterm for what keys send; bracketed paste: xterm,
 *         "Bracketed Paste Mode".
 *
 * The line is valid UTF-8 without control characters, whatever comes in: what is pasted too, where
 * ends of lines become blanks. Left, Right, Home, End, Delete, Backspace, Up, Down, Ctrl-A B D E F
 * H K N P U W, Alt-B, Alt-F and Ctrl with Left and Right do what they do in shells.
 */
#ifndef WARG_TERMINAL_LINE_EDIT_H
#define WARG_TERMINAL_LINE_EDIT_H

#include "base/buf.h"
#include "base/err.h"

#define LINE_EDIT_BYTES_MAX   4096
#define LINE_EDIT_HISTORY_MAX 100

typedef struct LineEdit LineEdit;

typedef enum LineEvent {
    LINE_MORE,      /* all bytes are used */
    LINE_CHANGED,   /* the text or the cursor */
    LINE_ENTERED,   /* line_edit_entered has it; the line is empty again */
    LINE_COMPLETE,  /* Tab: line_edit_complete, with the names that there are */
    LINE_PAGE_UP,   /* look at older lines */
    LINE_PAGE_DOWN, /* at newer ones */
    LINE_REDRAW,    /* Ctrl-L */
    LINE_INTERRUPT, /* Ctrl-C */
    LINE_END,       /* Ctrl-D in an empty line */
    LINE_REFUSED,   /* the line is full, or the key does nothing here: beep */
} LineEvent;

int line_edit_new(LineEdit **ret_edit, Err *err); /* ERR_MEMORY */
LineEdit *line_edit_free(LineEdit *edit);
void line_edit_freep(LineEdit **edit);

/* Bytes as the terminal sent them, borrowed until line_edit_next returns LINE_MORE. */
void line_edit_feed(LineEdit *edit, Str bytes);
LineEvent line_edit_next(LineEdit *edit);

/* The line and where in it the cursor stands, in bytes; borrowed until the next event. */
Str line_edit_text(const LineEdit *edit);
size_t line_edit_cursor(const LineEdit *edit);
/* The line of the last LINE_ENTERED; borrowed until the next event. */
Str line_edit_entered(const LineEdit *edit);

/* The word before the cursor becomes the only name that begins like it (upper and lower case of
 * ASCII are the same), with a blank behind; of several, as much of it as they share. Returns how
 * many there are; several are appended to `choices` with blanks between. */
uint32_t line_edit_complete(LineEdit *edit, const Str *names, uint32_t count, Buf *choices);

#endif
