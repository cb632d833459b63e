/* maw_rounds.h - the rounds that the record of a MAW session tells of, as games.
 *
 * For:    standings and reports of folders that have a record and no journal.
 * Memory: nothing is kept; a record is borrowed for the call.
 * Thread: pure.
 * Source: docs/spec/maw.md 9; maw/session_record.c says which events there are.
 */
#ifndef WARG_RECORD_MAW_ROUNDS_H
#define WARG_RECORD_MAW_ROUNDS_H

#include "record/game_record.h"

#define MAW_RECORD_BYTES_MAX ((size_t)256 * 1024 * 1024)
#define MAW_RECORD_LINE_MAX  ((size_t)1024 * 1024)

/* Whether a text is meant to be such a record, whole or damaged. */
bool maw_record_is(Str text);

/* A negative value ends the reading with that error. */
typedef int MawRoundFn(void *user, const GameRecord *round, Err *err);

/* Tells of each round that was played to its end, or aborted; `game` is its number in the session,
 * from 0. A round that the record does not see end is none.
 * Errors: ERR_SYNTAX, with the line; ERR_MEMORY; those of `hear`. */
int maw_rounds_read(Str text, MawRoundFn *hear, void *user, Err *err);

#endif
