/* ledger.h - the public list of what happened in a contest, to which one can only append.
 *
 * For:    who runs a contest writes it; who reads it needs to trust nobody.
 * Memory: a Ledger owns its file; an entry's members are copied.
 * Thread: one at a time.
 * Source: docs/spec/contest-operations.md 11.3, O37.
 *
 * DIR/ledger.jsonl has a canonical JSON object a line, with n, at, type and what belongs to the
 * type; the first also says the key that checks signatures. DIR/checkpoint signs how many lines
 * there are and the root of their tree. DIR/secret/ledger is the key that signs, 0600.
 *
 *     ledger_begin(ledger, "game");
 *     ledger_text(ledger, "winner", STR("VILLAGER"));
 *     ledger_number(ledger, "game", 312);
 *     rc = ledger_end(ledger, now_ms, &err);      members in any order: they are sorted
 *     ...
 *     rc = ledger_checkpoint(ledger, &err);
 *
 * What is on disk when the process or the machine dies at any moment: a checkpoint is written when
 * all of its lines are on disk, so that it never signs more than there is. A line behind it may be
 * missing, or torn, and is cut off then. A ledger that is shorter than its checkpoint, or begins
 * with other lines, was changed by somebody: nothing goes on with it.
 */
#ifndef WARG_PROOF_LEDGER_H
#define WARG_PROOF_LEDGER_H

#include "proof/canonical.h"
#include "proof/ledger_read.h"

#define LEDGER_FILE            "ledger.jsonl"
#define LEDGER_CHECKPOINT_FILE "checkpoint"
#define LEDGER_KEY_NAME        "ledger" /* in DIR/secret */

typedef struct Ledger Ledger;

/* Begins a ledger: its key, unless there is one already, an empty file, a checkpoint of nothing.
 * `origin`: HOST/warg/CONTEST. Errors: ERR_USAGE when there is a ledger; ERR_RULE for the origin;
 * ERR_IO, ERR_SYNTAX (a key file that holds none), ERR_MEMORY. */
int ledger_create(const char *dir, Str origin, Ledger **ret_ledger, Err *err);

/* Whether DIR has a ledger. An empty file without a checkpoint is none: whoever began it was killed
 * before anything was signed, and ledger_create begins it anew. Errors: ERR_MEMORY. */
int ledger_find(const char *dir, bool *ret_there, Err *err);

/* Goes on with one. A torn line behind the last is cut off. Errors: ERR_USAGE when another process
 * writes it; ERR_RULE when it is not what its checkpoint and key say, ERR_SYNTAX, both with the
 * line; ERR_IO, ERR_LIMIT, ERR_MEMORY. */
int ledger_open(const char *dir, Ledger **ret_ledger, Err *err);

/* The same, and what its checkpoint does not sign is cut off: for who has all lines elsewhere, and
 * appends them again. Behind a sync that failed a disk may have lost what can still be read. */
int ledger_open_signed(const char *dir, Ledger **ret_ledger, Err *err);

/* An entry is begun, gets its members, and is ended; what is wrong with one is told at its end.
 * `n`, `at`, `type` and the first one's `key` come by themselves. */
void ledger_begin(Ledger *ledger, const char *type);
void ledger_text(Ledger *ledger, const char *name, Str text);
void ledger_number(Ledger *ledger, const char *name, int64_t number);
void ledger_bool(Ledger *ledger, const char *name, bool value);
/* For members that hold lists: canonical_key() and what follows, on the entry that was begun. */
Canonical *ledger_members(Ledger *ledger);
/* Appends it. `at_ms`: now, since 1970; a clock that was put back writes the last time again.
 * Errors: those of canonical_end, and nothing is appended; ERR_LIMIT; ERR_IO, which stops the
 * ledger: all that follows gives the same error. */
int ledger_end(Ledger *ledger, int64_t at_ms, Err *err);

/* Appends a line that was made before, without its newline: the next entry, with its own `n`, `at`,
 * `type` and in the first one the key of this ledger. For who keeps entries elsewhere first, such
 * as in a database whose transaction they belong to. Errors, and nothing is appended: those of
 * ledger_reader_feed; ERR_RULE for another key; ERR_IO as ledger_end. */
int ledger_append(Ledger *ledger, Str line, Err *err);

/* Brings all lines to disk, then signs them. Errors: ERR_IO, which stops the ledger; ERR_MEMORY. */
int ledger_checkpoint(Ledger *ledger, Err *err);

uint64_t ledger_size(const Ledger *ledger);
MerkleHash ledger_root(const Ledger *ledger);
const NoteVerifier *ledger_verifier(const Ledger *ledger);
/* How many entries the last checkpoint signs. */
uint64_t ledger_signed_size(const Ledger *ledger);

/* Signs what was appended since the last checkpoint, and closes. Takes NULL. Errors: what stopped
 * it. */
int ledger_close(Ledger *ledger, Err *err);
/* Closes, and signs nothing. Takes NULL. */
void ledger_free(Ledger *ledger);

/* ---- reading ---- */

/* What a folder holds. Zero it first; `reader.hear` and `user` may be set. */
typedef struct LedgerLook {
    LedgerReader reader;
    Buf text; /* of the checkpoint's file */
    SignedNote note;
    Checkpoint checkpoint;
} LedgerLook;

void ledger_look_done(LedgerLook *look); /* also for CLEANUP */

/* Reads the checkpoint alone. Errors: as ledger_open. */
int ledger_look_checkpoint(const char *dir, LedgerLook *look, Err *err);

/* Reads checkpoint and ledger and says whether all holds: each line, the tree, and the signature by
 * the key of the first entry (of an empty ledger there is none to check). Needs no secret, and
 * changes nothing. A torn line is left in reader.part.
 * Errors: as ledger_open. */
int ledger_look(const char *dir, LedgerLook *look, Err *err);

#endif
