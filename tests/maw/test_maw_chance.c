/* test_maw_chance.c - what a MAW session tells of itself leads to no role; what was dealt before is
 * dealt so still.
 *
 * Source: docs/spec/models.md 4.7; docs/spec/contest-operations.md 11.2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/id_source.h"
#include "maw/maw_chance.h"
#include "rng_backwards.h"

#include <inttypes.h>
#include <string.h>

#define SESSIONS 100
#define SEATS    6

/* Seats in the order in which the game draws them. */
static void deal_of(const MawChance *session, uint32_t round, uint8_t *ret)
{
    Chance chance = maw_chance_round(session, round);
    uint8_t left[SEATS] = {0, 1, 2, 3, 4, 5};

    for (uint8_t i = 0; i < SEATS; i++) {
        ChanceQuestion question = {.kind = CHANCE_DEAL, .candidates = left, .count = SEATS - i};
        uint8_t drawn = ret[i] = chance_choose(&chance, &question);
        uint8_t *at = memchr(left, drawn, SEATS);
        memmove(at, at + 1, (size_t)(left + SEATS - 1 - at));
    }
}

static MawChance chance_before(uint64_t seed)
{
    MawChance chance;
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, seed);
    assert_true(maw_chance_read(str_of(text), MAW_SEED_OF_TABLE, &chance));
    return chance;
}

/* The seed of which a session's id was made. */
static uint64_t seed_of(const char *id)
{
    uint64_t made = 0;

    for (int i = 0; i < 16; i++) {
        assert_non_null(strchr("0123456789abcdef", id[i]));
        made = made << 4 | (uint64_t)(strchr("0123456789abcdef", id[i]) - "0123456789abcdef");
    }
    return backwards_derive(backwards_derive(made, (uint64_t)'i' | (uint64_t)'d' << 8), 2);
}

/* Whether the roles of round 1 can be had from the id, which is told before roles are dealt. */
static bool is_found(const char *id, const MawChance *session)
{
    uint64_t seed = seed_of(id);
    const MawChance guesses[] = {chance_before(seed), maw_chance_of_seed(seed)};
    uint8_t roles[SEATS], guessed[SEATS];

    deal_of(session, 1, roles);
    for (size_t i = 0; i < 2; i++) {
        deal_of(&guesses[i], 1, guessed);
        if (memcmp(roles, guessed, SEATS) == 0)
            return true;
    }
    return false;
}

static void before_the_id_gave_every_role(void **state)
{
    (void)state;
    assert_true(seed_of("a7a0be6792a3b03a") == 20261122);
    for (uint64_t i = 0; i < SESSIONS; i++) {
        uint64_t seed = rng_derive(1, i);
        MawChance session = chance_before(seed);
        char id[ID_HEX_BYTES];
        snprintf(id, sizeof(id), "%016" PRIx64, rng_derive_text(seed, STR("id")));
        assert_true(is_found(id, &session));
    }
}

/* By luck one deal of 720 is guessed: with two guesses for each of 100 sessions 3 of them are found
 * in less than one of 300 runs, and the ids are fixed here. */
static void now_the_id_gives_none(void **state)
{
    IdSource ids = id_source_of_test(1);
    unsigned found = 0;

    (void)state;
    for (uint64_t i = 0; i < SESSIONS; i++) {
        MawChance session = maw_chance_of_seed(rng_derive(1, i));
        char id[ID_HEX_BYTES];
        assert_int_equal(id_source_hex(&ids, id, NULL), 0);
        found += is_found(id, &session);
    }
    assert_in_range(found, 0, 2);
}

/* Bots and their pauses are watched: their seeds, turned round, are neither the session's nor each
 * other's. */
static void nothing_at_the_table_leads_to_the_deal_or_to_another_seat(void **state)
{
    MawChance session = maw_chance_of_seed(20261122);
    uint64_t seeds[20];

    (void)state;
    for (uint64_t i = 0; i < 20; i++)
        seeds[i] = i < 10 ? maw_chance_seed(&session, STR("driver"), i)
                          : maw_chance_seed(&session, STR("agent"), i - 10);
    for (size_t i = 0; i < 20; i++)
        for (uint64_t n = 0; n < 20; n++) {
            uint64_t parent = backwards_derive(seeds[i], n);
            assert_true(parent != 20261122);
            for (size_t j = 0; j < 20; j++)
                for (uint64_t m = 0; i != j && m < 20; m++)
                    assert_true(rng_derive(parent, m) != seeds[j] &&
                                rng_derive(seeds[i], m) != seeds[j]);
        }
}

static void rounds_of_a_session_and_sessions_differ(void **state)
{
    Chance all[12];

    (void)state;
    for (uint32_t i = 0; i < 12; i++) {
        MawChance session = maw_chance_of_seed(i / 6);
        all[i] = maw_chance_round(&session, 1 + i % 6);
        for (uint32_t j = 0; j < i; j++)
            assert_memory_not_equal(&all[i], &all[j], sizeof(all[i]));
    }
}

static void seeds_are_numbers_or_keys(void **state)
{
    static const char key[] = "00112233445566778899AABBCCDDEEFF00112233445566778899aabbccddeeff";
    static const char *const bad[] = {"", "-1", "x", "18446744073709551616", "0011gg"};
    MawChance chance;

    (void)state;
    assert_true(maw_chance_read(STR("18446744073709551615"), MAW_SEED_OF_KEY, &chance));
    assert_string_equal(chance.seed, "18446744073709551615");
    assert_true(maw_chance_read(str_of(key), MAW_SEED_OF_KEY, &chance));
    assert_string_equal(chance.seed,
                        "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff");
    assert_false(maw_chance_read(str_of(key), MAW_SEED_OF_TABLE, &chance));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(maw_chance_read(str_of(bad[i]), MAW_SEED_OF_KEY, &chance));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_id_gave_every_role),
        cmocka_unit_test(now_the_id_gives_none),
        cmocka_unit_test(nothing_at_the_table_leads_to_the_deal_or_to_another_seat),
        cmocka_unit_test(rounds_of_a_session_and_sessions_differ),
        cmocka_unit_test(seeds_are_numbers_or_keys),
    };

    return cmocka_run_group_tests_name("the chance of a MAW session", tests, NULL, NULL);
}
