#include "proof/merkle.h"

#include <assert.h>

bool merkle_equal(const MerkleHash *a, const MerkleHash *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

static Str bytes_of(const MerkleHash *hash)
{
    return (Str){(const char *)hash->bytes, sizeof(hash->bytes)};
}

MerkleHash merkle_leaf(Str entry)
{
    const Str parts[] = {{"\0", 1}, entry};
    MerkleHash hash = {0};

    sha256_texts(parts, 2, hash.bytes);
    return hash;
}

static MerkleHash node(const MerkleHash *left, const MerkleHash *right)
{
    const Str parts[] = {STR("\1"), bytes_of(left), bytes_of(right)};
    MerkleHash hash = {0};

    sha256_texts(parts, 3, hash.bytes);
    return hash;
}

static MerkleHash nothing(void)
{
    MerkleHash hash = {0};

    sha256_texts(NULL, 0, hash.bytes);
    return hash;
}

/* ---- a tree that grows ---- */

void merkle_add(MerkleTree *tree, const MerkleHash *leaf)
{
    unsigned count = (unsigned)__builtin_popcountll(tree->size);
    MerkleHash hash = *leaf;

    for (uint64_t rest = tree->size; rest & 1; rest >>= 1)
        hash = node(&tree->whole[--count], &hash);
    tree->whole[count] = hash;
    tree->size++;
}

MerkleHash merkle_root(const MerkleTree *tree)
{
    unsigned count = (unsigned)__builtin_popcountll(tree->size);

    if (count == 0)
        return nothing();
    MerkleHash hash = tree->whole[--count];
    while (count > 0)
        hash = node(&tree->whole[--count], &hash);
    return hash;
}

/* ---- over leaves that are there ---- */

MerkleHash merkle_root_of(const MerkleHash *leaves, uint64_t size)
{
    MerkleTree tree = {0};

    for (uint64_t i = 0; i < size; i++)
        merkle_add(&tree, &leaves[i]);
    return merkle_root(&tree);
}

/* The largest power of two below `size`, which is above 1: where its tree parts. */
static uint64_t split_of(uint64_t size)
{
    return UINT64_C(1) << (63 - __builtin_clzll(size - 1));
}

static void add_hash(MerklePath *path, MerkleHash hash)
{
    assert(path->count < MERKLE_PATH_MAX);
    path->hashes[path->count++] = hash;
}

static void turn_around(MerklePath *path)
{
    for (unsigned i = 0; i < path->count / 2; i++) {
        MerkleHash other = path->hashes[path->count - 1 - i];
        path->hashes[path->count - 1 - i] = path->hashes[i];
        path->hashes[i] = other;
    }
}

/* From the root down, so that the nearest to the leaf comes last, and is then turned around. */
void merkle_prove_inclusion(const MerkleHash *leaves, uint64_t size, uint64_t index,
                            MerklePath *ret_path)
{
    assert(index < size);
    ret_path->count = 0;
    while (size > 1) {
        uint64_t left = split_of(size);
        if (index < left) {
            add_hash(ret_path, merkle_root_of(leaves + left, size - left));
            size = left;
        } else {
            add_hash(ret_path, merkle_root_of(leaves, left));
            leaves += left;
            index -= left;
            size -= left;
        }
    }
    turn_around(ret_path);
}

void merkle_prove_consistency(const MerkleHash *leaves, uint64_t before, uint64_t size,
                              MerklePath *ret_path)
{
    bool known = true; /* who checks has the root of these leaves: it is the older one */

    assert(before <= size);
    ret_path->count = 0;
    if (before == 0)
        return;
    while (before < size) {
        uint64_t left = split_of(size);
        if (before <= left) {
            add_hash(ret_path, merkle_root_of(leaves + left, size - left));
            size = left;
        } else {
            add_hash(ret_path, merkle_root_of(leaves, left));
            leaves += left;
            before -= left;
            size -= left;
            known = false;
        }
    }
    if (!known)
        add_hash(ret_path, merkle_root_of(leaves, size));
    turn_around(ret_path);
}

bool merkle_inclusion_holds(const MerkleHash *leaf, uint64_t index, uint64_t size,
                            const MerklePath *path, const MerkleHash *root)
{
    MerkleHash hash = *leaf;

    if (index >= size || path->count > MERKLE_PATH_MAX)
        return false;
    uint64_t at = index, last = size - 1;
    for (unsigned i = 0; i < path->count; i++) {
        if (last == 0)
            return false;
        if (at & 1 || at == last) {
            hash = node(&path->hashes[i], &hash);
            while (!(at & 1) && at) {
                at >>= 1;
                last >>= 1;
            }
        } else {
            hash = node(&hash, &path->hashes[i]);
        }
        at >>= 1;
        last >>= 1;
    }
    return last == 0 && merkle_equal(&hash, root);
}

/* Both roots of what the hashes of a path make, from the leaf up. */
static bool path_leads_to(uint64_t at, uint64_t last, MerkleHash old, const MerkleHash *hashes,
                          unsigned count, const MerkleHash *root_before, const MerkleHash *root)
{
    MerkleHash new = old;

    for (unsigned i = 0; i < count; i++) {
        if (last == 0)
            return false;
        if (at & 1 || at == last) {
            old = node(&hashes[i], &old);
            new = node(&hashes[i], &new);
            while (!(at & 1) && at) {
                at >>= 1;
                last >>= 1;
            }
        } else {
            new = node(&new, &hashes[i]);
        }
        at >>= 1;
        last >>= 1;
    }
    return last == 0 && merkle_equal(&old, root_before) && merkle_equal(&new, root);
}

bool merkle_consistency_holds(uint64_t before, const MerkleHash *root_before, uint64_t size,
                              const MerkleHash *root, const MerklePath *path)
{
    MerkleHash none = nothing();

    if (before > size || path->count > MERKLE_PATH_MAX)
        return false;
    if (before == size)
        return path->count == 0 && merkle_equal(root_before, root);
    if (before == 0)
        return path->count == 0 && merkle_equal(root_before, &none);
    uint64_t at = before - 1, last = size - 1;
    while (at & 1) {
        at >>= 1;
        last >>= 1;
    }
    /* A power of two is a whole tree of the newer one: its root is not sent. */
    bool whole = (before & (before - 1)) == 0;
    if (!whole && path->count == 0)
        return false;
    return path_leads_to(at, last, whole ? *root_before : path->hashes[0],
                         path->hashes + (whole ? 0 : 1), path->count - (whole ? 0u : 1u),
                         root_before, root);
}
