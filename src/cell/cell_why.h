/* cell_why.h - what went wrong while a cell was made, for whoever started it.
 *
 * For:    warg-cell; needs nothing but libc.
 * Memory: texts are borrowed.
 * Thread: any.
 * Source: none.
 */
#ifndef WARG_CELL_CELL_WHY_H
#define WARG_CELL_CELL_WHY_H

#include <stdbool.h>

#define CELL_FAILED 125 /* exit status: the cell could not be made; stderr says why */

typedef struct Why {
    const char *what;
    const char *path;   /* may be NULL */
    int error;          /* of errno; 0 = none */
    const char *advice; /* in place of the error's text, or behind it; may be NULL */
} Why;

/* Takes errno. Returns false. */
bool step_failed(Why *why, const char *what, const char *path);

/* Tells it, and that the program was not started, on standard error; for a probe, whose reason
 * becomes part of a line of our caller's, on standard output. Returns CELL_FAILED. */
int tell_why(const Why *why, bool probe);

#endif
