/* terminal.h - what the terminal can do, and a progress line on it.
 *
 * For:    commands and main. Nothing below cmd prints.
 * Memory: plain values.
 * Thread: main thread.
 * Source: NO_COLOR (no-color.org), TERM=dumb; ECMA-48 for the two sequences used.
 */
#ifndef WARG_SHOW_TERMINAL_H
#define WARG_SHOW_TERMINAL_H

#include "base/str.h"

#include <stdio.h>

/* In the order of the option "--color auto|always|never". */
typedef enum ColorMode {
    COLOR_AUTO,
    COLOR_ALWAYS,
    COLOR_NEVER,
} ColorMode;

/* True when `stream` is a terminal. */
bool terminal_is(FILE *stream);

/* True when `stream` should get colours: COLOR_AUTO means a terminal that is not dumb, unless the
 * environment has a NO_COLOR that is not empty. */
bool terminal_colors(FILE *stream, ColorMode mode);

/* Columns of the terminal behind `stream`; 80 when it is none or doesn't say. */
unsigned terminal_width(FILE *stream);

/* A line such as "42 of 100 games" that is written over and over, and only on a terminal. */
typedef struct Progress {
    FILE *stream;
    bool on;
    bool shown;
    int64_t next_ms; /* nothing is written before */
} Progress;

/* Progress on stderr: off when that is no terminal, or when `quiet`. */
Progress progress_new(bool quiet);

/* Shows `text` in place of the line before; at most ten times a second, so call it freely. */
void progress_show(Progress *progress, int64_t now_ms, Str text);

/* Erases the line. Call it before printing anything else, and at the end. */
void progress_end(Progress *progress);

#endif
