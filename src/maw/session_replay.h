/* session_replay.h - a session's record, read: how the session was made, and whether it replays.
 *
 * For:    `warg log check`, `warg log show`; maw/maw_table.c, which goes on where a record ends.
 * Memory: texts are borrowed for the call, a MawReplay's for its life; results are plain values.
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
#include "maw/session.h"
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

/* A date of a record, "2026-05-01T18:00:00.000Z"; false for another text; -1 for an empty one: a
 * time that has no such form. */
bool maw_record_date(Str text, int64_t *ret_unix_ms);

/* Plays the record again. What is wrong with it is a verdict, not an error.
 * Errors: ERR_LIMIT for more than MAW_RECORD_BYTES_MAX; ERR_MEMORY. */
int maw_record_replay(Str text, MawReplayVerdict *ret, Err *err);

/* The same step by step, on a session of the caller's: it is made as the head says, and tells all
 * that it records to maw_replay_heard; then each step does a line once more. */
typedef struct MawReplay MawReplay;

/* `text`: whole lines. Errors: those of maw_record_head; ERR_LIMIT, ERR_MEMORY. */
int maw_replay_new(Str text, MawReplay **ret_replay, Err *err);
MawReplay *maw_replay_free(MawReplay *replay); /* takes NULL */
const MawRecordHead *maw_replay_head(const MawReplay *replay);
/* The last time and the last round that it names, before the first step. */
void maw_replay_end(const MawReplay *replay, TimeMs *ret_last, uint32_t *ret_round);
/* What the session has written; false: it follows from the record and stands behind its end. */
bool maw_replay_heard(MawReplay *replay, Str json);
/* The next line; false behind the last one, or when one differs. `began`: the session's beginning.
 * *ret_table: the line when it is one that the table has added, else empty. */
bool maw_replay_step(MawReplay *replay, MawSession *session, TimeUs began, Str *ret_table);
/* Behind the last step. Errors: ERR_SYNTAX, with the line, when the session is another one. */
int maw_replay_check(const MawReplay *replay, Err *err);

#endif
