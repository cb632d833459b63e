/* maw_names.h - names for seats of MAW: one list for bots and models, so that they betray nothing.
 *
 * For:    maw/maw_table.c.
 * Memory: constant texts.
 * Thread: pure.
 * Source: docs/spec/maw.md A33 (what a name may be), A39.
 */
#ifndef WARG_MAW_MAW_NAMES_H
#define WARG_MAW_MAW_NAMES_H

#define MAW_NAMES 72

/* 0..MAW_NAMES-1. */
const char *maw_name(unsigned number);

#endif
