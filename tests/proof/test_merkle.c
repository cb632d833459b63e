#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proof/merkle.h"

#define SIZES 200

static MerkleHash leaves[SIZES + 1];
static MerkleHash roots[SIZES + 1];

/* RFC 9162 2.1.1, word by word: the largest power of two below the size parts the list. */
static MerkleHash root_by_the_book(const MerkleHash *from, size_t size)
{
    MerkleHash hash;
    size_t left = 1;

    if (size == 1)
        return from[0];
    while (2 * left < size)
        left *= 2;
    MerkleHash a = root_by_the_book(from, left), b = root_by_the_book(from + left, size - left);
    const Str parts[] = {STR("\1"), {(char *)a.bytes, 32}, {(char *)b.bytes, 32}};
    sha256_texts(parts, 3, hash.bytes);
    return hash;
}

static int fill_leaves(void **state)
{
    (void)state;
    for (unsigned i = 0; i <= SIZES; i++) {
        char text[16];
        snprintf(text, sizeof(text), "entry %u", i);
        leaves[i] = merkle_leaf(str_of(text));
    }
    roots[0] = merkle_root_of(leaves, 0);
    for (unsigned size = 1; size <= SIZES; size++)
        roots[size] = root_by_the_book(leaves, size);
    return 0;
}

static void hash_is(MerkleHash hash, const char *hex)
{
    char text[2 * SHA256_BYTES + 1];

    for (unsigned i = 0; i < SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", hash.bytes[i]);
    assert_string_equal(text, hex);
}

static void the_roots_are_those_of_the_appendix(void **state)
{
    MerkleHash abc[] = {merkle_leaf(STR("a")), merkle_leaf(STR("b")), merkle_leaf(STR("c"))};

    (void)state;
    hash_is(merkle_root_of(NULL, 0),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    hash_is(merkle_root_of(abc, 3),
            "36642e73c2540ab121e3a6bf9545b0a24982cd830eb13d3cd19de3ce6c021ec1");
}

static void a_tree_that_grows_has_the_root_of_its_leaves_at_each_size(void **state)
{
    MerkleTree tree = {0};

    (void)state;
    for (unsigned size = 0; size <= SIZES; size++) {
        MerkleHash root = merkle_root(&tree);
        assert_true(merkle_equal(&root, &roots[size]));
        assert_int_equal(tree.size, size);
        merkle_add(&tree, &leaves[size]);
    }
}

static void each_leaf_of_each_size_is_proved_and_no_other(void **state)
{
    (void)state;
    for (unsigned size = 1; size <= SIZES; size++) {
        for (unsigned i = 0; i < size; i++) {
            MerklePath path;
            merkle_prove_inclusion(leaves, size, i, &path);
            assert_true(path.count <= 8);
            assert_true(merkle_inclusion_holds(&leaves[i], i, size, &path, &roots[size]));
            assert_false(merkle_inclusion_holds(&leaves[i + 1], i, size, &path, &roots[size]));
            assert_false(merkle_inclusion_holds(&leaves[i], size, size, &path, &roots[size]));
            if (size > 1)
                assert_false(merkle_inclusion_holds(&leaves[i], i ^ 1, size, &path, &roots[size]));
            path.count++;
            path.hashes[path.count - 1] = roots[1];
            assert_false(merkle_inclusion_holds(&leaves[i], i, size, &path, &roots[size]));
        }
    }
}

static void each_size_is_proved_to_begin_with_each_before_it(void **state)
{
    (void)state;
    for (unsigned size = 0; size <= SIZES; size++) {
        for (unsigned before = 0; before <= size; before++) {
            MerklePath path;
            merkle_prove_consistency(leaves, before, size, &path);
            assert_true(path.count <= 9);
            assert_true(
                merkle_consistency_holds(before, &roots[before], size, &roots[size], &path));
            assert_false(merkle_consistency_holds(before, &leaves[0], size, &roots[size], &path) &&
                         before > 1);
            if (size)
                assert_false(
                    merkle_consistency_holds(before, &roots[before], size, &leaves[SIZES], &path) &&
                    before > 0);
            path.hashes[path.count++] = roots[1];
            assert_false(
                merkle_consistency_holds(before, &roots[before], size, &roots[size], &path));
        }
    }
}

/* A fork: the newer tree has another entry where the older one was. */
static void one_other_entry_is_proved_by_nothing(void **state)
{
    MerkleHash other[SIZES];

    (void)state;
    memcpy(other, leaves, sizeof(other));
    other[5] = merkle_leaf(STR("changed"));
    for (unsigned size = 6; size <= 70; size++) {
        MerkleHash forked = merkle_root_of(other, size);
        for (unsigned before = 6; before <= size; before++) {
            MerklePath path;
            merkle_prove_consistency(other, before, size, &path);
            assert_false(merkle_consistency_holds(before, &roots[before], size, &forked, &path));
            merkle_prove_consistency(leaves, before, size, &path);
            assert_false(merkle_consistency_holds(before, &roots[before], size, &forked, &path));
        }
    }
}

static void each_bit_of_a_proof_counts(void **state)
{
    MerklePath path;

    (void)state;
    merkle_prove_inclusion(leaves, 111, 70, &path);
    for (unsigned i = 0; i < path.count * 256; i++) {
        path.hashes[i / 256].bytes[i / 8 % 32] ^= (unsigned char)(1 << i % 8);
        assert_false(merkle_inclusion_holds(&leaves[70], 70, 111, &path, &roots[111]));
        path.hashes[i / 256].bytes[i / 8 % 32] ^= (unsigned char)(1 << i % 8);
    }
    merkle_prove_consistency(leaves, 71, 111, &path);
    for (unsigned i = 0; i < path.count * 256; i++) {
        path.hashes[i / 256].bytes[i / 8 % 32] ^= (unsigned char)(1 << i % 8);
        assert_false(merkle_consistency_holds(71, &roots[71], 111, &roots[111], &path));
        path.hashes[i / 256].bytes[i / 8 % 32] ^= (unsigned char)(1 << i % 8);
    }
}

/* A proof that is longer than any tree is high, and sizes that no list has. */
static void absurd_sizes_are_refused(void **state)
{
    MerklePath path = {.count = MERKLE_PATH_MAX};

    (void)state;
    assert_false(merkle_inclusion_holds(&leaves[0], 0, UINT64_MAX, &path, &roots[1]));
    assert_false(merkle_inclusion_holds(&leaves[0], UINT64_MAX - 1, UINT64_MAX, &path, &roots[1]));
    assert_false(merkle_consistency_holds(UINT64_MAX - 1, &roots[1], UINT64_MAX, &roots[2], &path));
    path.count = MERKLE_PATH_MAX + 1;
    assert_false(merkle_inclusion_holds(&leaves[0], 0, 1, &path, &roots[1]));
    assert_false(merkle_consistency_holds(1, &roots[1], 2, &roots[2], &path));
    path.count = 0;
    assert_false(merkle_inclusion_holds(&leaves[0], 0, 0, &path, &roots[0]));
    assert_false(merkle_consistency_holds(3, &roots[3], 2, &roots[2], &path));
    assert_false(merkle_consistency_holds(3, &roots[3], 4, &roots[4], &path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_roots_are_those_of_the_appendix),
        cmocka_unit_test(a_tree_that_grows_has_the_root_of_its_leaves_at_each_size),
        cmocka_unit_test(each_leaf_of_each_size_is_proved_and_no_other),
        cmocka_unit_test(each_size_is_proved_to_begin_with_each_before_it),
        cmocka_unit_test(one_other_entry_is_proved_by_nothing),
        cmocka_unit_test(each_bit_of_a_proof_counts),
        cmocka_unit_test(absurd_sizes_are_refused),
    };

    return cmocka_run_group_tests(tests, fill_leaves, NULL);
}
