/* maw_names.h - names for seats of MAW: one list for bots and models, so that they betray nothing.
 *
 * For:    maw/maw_table.c; interface agents (maw_name_in).
 * Memory: constant texts.
 * Thread: pure.
 * Source: docs/spec/maw.md A33 (what a name may be), A39.
 */
#ifndef WARG_MAW_MAW_NAMES_H
#define WARG_MAW_MAW_NAMES_H

#include "base/buf.h"

#define MAW_NAMES 72

/* 0..MAW_NAMES-1. */
const char *maw_name(unsigned number);

/* A name out of what a model said: its first word of letters, at most 16, with a capital. Appended
 * to `out` and returned; empty when there is none. Source: docs/spec/maw.md 5.6. */
Str maw_name_in(Str text, Buf *out);

#endif
