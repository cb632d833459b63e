/* merkle.h - the hash tree over a list that only grows, and proofs about it.
 *
 * For:    a ledger: one hash stands for all entries; an entry is shown to be in it, and a ledger to
 *         begin with what it was before, by a few hashes.
 * Memory: plain values. A tree that grows keeps a hash for each bit of its size, no leaves.
 * Thread: pure.
 * Source: RFC 9162 2.1: leaf SHA-256(00 entry), node SHA-256(01 left right).
 */
#ifndef WARG_PROOF_MERKLE_H
#define WARG_PROOF_MERKLE_H

#include "base/digest.h"

/* Of hashes in a proof: one for each level of the highest tree, and one more. */
#define MERKLE_PATH_MAX 65

typedef struct MerkleHash {
    unsigned char bytes[SHA256_BYTES];
} MerkleHash;

bool merkle_equal(const MerkleHash *a, const MerkleHash *b);

MerkleHash merkle_leaf(Str entry);

/* ---- a tree that grows ---- */

/* Open; zero it first. */
typedef struct MerkleTree {
    uint64_t size;
    MerkleHash whole[64]; /* of the whole trees in it, the largest first: a bit of `size` each */
} MerkleTree;

void merkle_add(MerkleTree *tree, const MerkleHash *leaf);
/* Of nothing: SHA-256 of nothing. */
MerkleHash merkle_root(const MerkleTree *tree);

/* ---- over leaves that are there ---- */

MerkleHash merkle_root_of(const MerkleHash *leaves, uint64_t size);

/* A proof: hashes in the order in which they are needed. */
typedef struct MerklePath {
    unsigned count;
    MerkleHash hashes[MERKLE_PATH_MAX];
} MerklePath;

/* That leaf `index` is in the tree of `size` leaves; index < size is asserted. RFC 9162 2.1.3.1. */
void merkle_prove_inclusion(const MerkleHash *leaves, uint64_t size, uint64_t index,
                            MerklePath *ret_path);
/* That the tree of `size` leaves begins with those of the tree of `before`; before <= size is
 * asserted. Empty when either proves itself: none before, or as many. RFC 9162 2.1.4.1. */
void merkle_prove_consistency(const MerkleHash *leaves, uint64_t before, uint64_t size,
                              MerklePath *ret_path);

/* Whether a proof holds. RFC 9162 2.1.3.2, 2.1.4.2. Of a tree of nothing nothing is asked but its
 * root. */
bool merkle_inclusion_holds(const MerkleHash *leaf, uint64_t index, uint64_t size,
                            const MerklePath *path, const MerkleHash *root);
bool merkle_consistency_holds(uint64_t before, const MerkleHash *root_before, uint64_t size,
                              const MerkleHash *root, const MerklePath *path);

#endif
