#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

static void pieces_are_aligned_and_apart(void **state)
{
    Arena arena = arena_new(1000);
    char *before = NULL;

    (void)state;
    for (size_t n = 1; n < 20; n++) {
        char *piece = arena_take(&arena, n);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
        if (before)
            assert_true(piece >= before + n - 1);
        memset(piece, 0xAB, n);
        before = piece;
    }
    arena_done(&arena);
}

static void a_full_arena_gives_null_and_stays_usable(void **state)
{
    Arena arena = arena_new(64);

    (void)state;
    assert_null(arena_take(&arena, 65));
    assert_null(arena_take(&arena, SIZE_MAX));
    assert_non_null(arena_take(&arena, 48));
    assert_non_null(arena_take(&arena, 16));
    assert_null(arena_take(&arena, 1));
    arena_done(&arena);
}

static void clearing_gives_the_same_memory_again(void **state)
{
    Arena arena = arena_new(64);

    (void)state;
    void *first = arena_take(&arena, 64);
    arena_clear(&arena);
    assert_ptr_equal(arena_take(&arena, 64), first);
    arena_done(&arena);
}

static void an_arena_over_odd_bytes_still_aligns(void **state)
{
    _Alignas(max_align_t) char bytes[64];
    Arena arena = arena_over(bytes + 1, sizeof(bytes) - 1);

    (void)state;
    char *piece = arena_take(&arena, 8);
    assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
    assert_true(piece >= bytes && piece + 8 <= bytes + sizeof(bytes));
    arena_done(&arena);
}

static void an_arena_without_memory_is_just_full(void **state)
{
    Arena arena = arena_new(0);

    (void)state;
    assert_null(arena_take(&arena, 1));
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_and_apart),
        cmocka_unit_test(a_full_arena_gives_null_and_stays_usable),
        cmocka_unit_test(clearing_gives_the_same_memory_again),
        cmocka_unit_test(an_arena_over_odd_bytes_still_aligns),
        cmocka_unit_test(an_arena_without_memory_is_just_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
