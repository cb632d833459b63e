/* ledger_output.h - what a ledger holds, whether all of it does, and proofs from it.
 *
 * For:    `warg ledger`.
 * Memory: appends to the caller's Buf.
 * Thread: main thread.
 * Source: docs/spec/contest-operations.md 11.3; proof/ledger.h.
 */
#ifndef WARG_SHOW_LEDGER_OUTPUT_H
#define WARG_SHOW_LEDGER_OUTPUT_H

#include "base/buf.h"
#include "base/err.h"

/* What is asked of a ledger. */
typedef struct LedgerAsk {
    bool json;
    bool prove;
    uint64_t entry; /* that is proved to be in it */
    bool consistency;
    uint64_t before;        /* the size with which it is proved to begin */
    uint64_t size;          /* of which proofs are; 0 = what the checkpoint signs */
    const char *checkpoint; /* a file from elsewhere with which it must agree, or NULL */
    const char *key;        /* the verifier key by which it must be signed, or NULL */
} LedgerAsk;

/* Returns 0, or EXIT_DISAGREE when something does not hold, which stands in `out` then. Errors:
 * ERR_IO, ERR_LIMIT, ERR_MEMORY; ERR_USAGE for what is no key, and for an entry or a size that the
 * ledger doesn't have. */
int ledger_output(const char *dir, const LedgerAsk *ask, Buf *out, Err *err);

#endif
