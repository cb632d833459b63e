/* ledger_read.h - the lines of a ledger, checked one after the other as their bytes come.
 *
 * For:    who goes on with a ledger, who audits one, the fuzzer.
 * Memory: a LedgerReader owns the line that has begun; entries are borrowed for the call. No entry
 *         is kept.
 * Thread: pure; one at a time.
 * Source: docs/spec/contest-operations.md 11.3.
 */
#ifndef WARG_PROOF_LEDGER_READ_H
#define WARG_PROOF_LEDGER_READ_H

#include "proof/signed_note.h"

#define LEDGER_LINE_MAX ((size_t)1024 * 1024) /* bytes, without the newline */

typedef struct LedgerEntry {
    uint64_t n;
    int64_t at_ms;
    Str type; /* with its quotes */
    Str line;
    MerkleHash leaf;
} LedgerEntry;

/* A negative value ends the reading. */
typedef int LedgerEntryFn(void *user, const LedgerEntry *entry, Err *err);

/* What entries from the first on come to. */
typedef struct LedgerExtent {
    MerkleTree tree;
    uint64_t bytes; /* of their lines */
    int64_t last_at_ms;
} LedgerExtent;

/* Open; zero it, then set the first three if they are wanted. */
typedef struct LedgerReader {
    LedgerEntryFn *hear;
    void *user;
    uint64_t mark; /* what so many entries come to is wanted */

    LedgerExtent marked; /* once there are `mark` entries, of which there is one */
    MerkleTree tree;
    int64_t last_at_ms;
    uint64_t bytes;        /* of whole lines */
    Buf part;              /* what stands behind them: a torn line, when no more comes */
    NoteVerifier verifier; /* as the first entry says */
} LedgerReader;

void ledger_reader_done(LedgerReader *reader); /* also for CLEANUP */

/* Errors, with the line: ERR_SYNTAX for one that is not canonical, numbered, dated not before the
 * last and of a type, or a first one without the key; ERR_LIMIT, ERR_MEMORY, those of `hear`. */
int ledger_reader_feed(LedgerReader *reader, Str bytes, Err *err);

/* Whether `line`, without its newline, can be the next; nothing is taken. `ret_entry` borrows it;
 * `ret_first_verifier` is filled by the first entry alone, whose key it is.
 * Errors: as ledger_reader_feed. */
int ledger_reader_judge(const LedgerReader *reader, Str line, LedgerEntry *ret_entry,
                        NoteVerifier *ret_first_verifier, Err *err);

/* Whether what was read begins with what the checkpoint signs; `mark` was its size.
 * Errors: ERR_RULE for a ledger that is shorter, or another. */
int ledger_reader_compare(const LedgerReader *reader, const Checkpoint *checkpoint, Err *err);

#endif
