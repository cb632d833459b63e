/* id_source.h - ids that are told to anybody: of sessions, threads, games.
 *
 * For:    MAW's session ids, the natural-language division's ULIDs, and whatever else leaves the
 *         program as a name that nobody should be able to compute.
 * Memory: plain value.
 * Thread: one at a time.
 * Source: getrandom(2). Ids never come from a game's seed: rng.h can be turned round, and who sees
 *         an id would see the roles (docs/spec/models.md 4.7). Ulids: docs/spec/nlp-division.md
 *         3.3.
 *
 * A test that compares bytes takes a source of its own, which has nothing to do with any seed. What
 * was told is kept in the record, so that nothing has to be drawn again: what is played again gets
 * its ULIDs from there.
 */
#ifndef WARG_BASE_ID_SOURCE_H
#define WARG_BASE_ID_SOURCE_H

#include "base/err.h"
#include "base/rng.h"

#define ID_HEX_BYTES  17 /* 16 digits and the NUL: 64 bits, as MAW's session ids have */
#define ID_ULID_BYTES 27 /* 26 letters and the NUL */

/* {0}: the kernel's. */
typedef struct IdSource {
    bool of_test;
    Rng rng; /* of a test's */
    /* ULIDs that were told once, one behind the other, and are told again; borrowed. Behind the
     * last one they are the kernel's. */
    Str told;
} IdSource;

/* For tests: the same ids each time. */
IdSource id_source_of_test(uint64_t number);

/* The next id; on failure nothing is written. Errors: ERR_IO when the kernel gives no bytes. */
int id_source_hex(IdSource *ids, char ret_id[static ID_HEX_BYTES], Err *err);
/* 48 bits of the time in milliseconds since 1970 and 80 of chance, in Crockford's base 32. */
int id_source_ulid(IdSource *ids, uint64_t unix_ms, char ret_id[static ID_ULID_BYTES], Err *err);

#endif
