/* session_replay.h - a session's record, read: how the session was made, and whether it replays.
 *
 * For:    `warg log check`, `warg log show`.
 * Memory: texts are borrowed for the call; results are plain values.
 * Thread: pure.
 * Source: docs/spec/maw.md 9; what a record has, and why it replays exactly: maw/session_record.c.
 *
 * A new session is made as the record's first line says, what the record says was done is done once
 * more at its time, and every line that the new session then writes must be the line that stands
 * there, byte by byte. Lines that the table adds (who has which seat, a model's decisions) and how
 * many messages of a flood were dropped are read and not compared: nothing follows from them.
 */
#ifndef WARG_MAW_SESSION_REPLAY_H
#define WARG_MAW_SESSION_REPLAY_H

#include "maw/maw_chance.h"
#include "maw/maw_setup.h"
#include "record/maw_rounds.h"

#define MAW_RECORD_NAME_MAX 384 /* of an address */
#define MAW_RECORD_WORD_MAX 64  /* of an identity, a program */

/* How a session was made: its record's first line. Open for reading. */
typedef struct MawRecordHead {
    Ruleset rules;
    MawOptions options;
    char program[MAW_RECORD_WORD_MAX + 1]; /* "warg 0.1.0": what wrote it */
    char id[MAW_RECORD_WORD_MAX + 1];
    char suffix[MAW_RECORD_NAME_MAX + 1];
    char domain[MAW_RECORD_NAME_MAX + 1];
    MawChance chance;
    int64_t unix_ms;
} MawRecordHead;

typedef struct MawReplayVerdict {
    bool ok;
    bool truncated; /* not ok, but only because the record stops before the session's end */
    unsigned line;  /* 1-based: the first that differs, or the one that is cut off; 0 = none */
    char reason[ERR_TEXT_MAX]; /* of what is not ok: safe for a terminal */
    bool other_program;        /* another version of this program wrote it */
    uint32_t rounds;           /* that were begun, as far as it was played again */
} MawReplayVerdict;

/* Reads a record's first line, without its end.
 * Errors: ERR_SYNTAX, ERR_LIMIT, ERR_RULE (rules that can't be played), ERR_MEMORY. */
int maw_record_head(Str line, MawRecordHead *ret_head, Err *err);

/* Plays the record again. What is wrong with it is a verdict, not an error.
 * Errors: ERR_LIMIT for more than MAW_RECORD_BYTES_MAX; ERR_MEMORY. */
int maw_record_replay(Str text, MawReplayVerdict *ret, Err *err);

#endif
