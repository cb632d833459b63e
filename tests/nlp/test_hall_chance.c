/* test_hall_chance.c - what one game has shown leads to no other game, and to nothing it hides.
 *
 * Source: docs/spec/contest-operations.md 11.2. The attack turns every step of base/rng.h round,
 *         and is first tried on the derivation that it was made for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nlp/hall_chance.h"
#include "rng_backwards.h"

#include <string.h>

#define GAMES 20
#define SEATS 13

/* ---- games of today and of before ---- */

typedef struct Shown {
    Rng rng;             /* the state of a generator that all could watch */
    uint8_t deal[SEATS]; /* what is to be found */
} Shown;

static void deal_of(Chance chance, uint8_t *ret)
{
    uint8_t left[SEATS];

    for (uint8_t i = 0; i < SEATS; i++)
        left[i] = i;
    for (uint8_t i = 0; i < SEATS; i++) {
        ChanceQuestion question = {.kind = CHANCE_DEAL, .candidates = left, .count = SEATS - i};
        uint8_t drawn = ret[i] = chance_choose(&chance, &question);
        uint8_t *at = memchr(left, drawn, SEATS);
        memmove(at, at + 1, (size_t)(left + SEATS - 1 - at));
    }
}

static Shown game_before(uint64_t seed, uint64_t number)
{
    uint64_t own = rng_derive(seed, number);
    Shown shown = {.rng = rng_new(own)};

    deal_of(chance_from_seed(rng_derive(own, 1)), shown.deal);
    return shown;
}

static Shown game_now(const HallChance *chance, uint64_t number)
{
    HallGameChance game = hall_chance_game(chance, number);
    Shown shown = {.rng = game.seats};

    deal_of(game.chance, shown.deal);
    return shown;
}

/* How many deals of all games follow from what game 1 has shown. */
static unsigned found_from(const Shown games[static GAMES])
{
    uint64_t own = backwards_mix(games[0].rng.state[0]);
    uint64_t words[9] = {own};
    unsigned found = 0;

    for (int i = 0; i < 4; i++) {
        words[1 + i] = games[0].rng.state[i];
        words[5 + i] = backwards_mix(games[0].rng.state[i]) - (uint64_t)i * BACKWARDS_STEP;
    }
    for (uint64_t g = 0; g < GAMES; g++) {
        bool right = false;
        for (int w = 0; w < 9; w++)
            for (uint64_t n = 0; n <= 4; n++) {
                uint64_t seeds[2] = {backwards_derive(words[w], n), words[w]};
                for (int s = 0; s < 2; s++) {
                    Key key = key_of_seed(seeds[s]);
                    HallChance chance = hall_chance(&key);
                    Shown before = game_before(seeds[s], g + 1), now = game_now(&chance, g + 1);
                    right |= memcmp(before.deal, games[g].deal, SEATS) == 0 ||
                             memcmp(now.deal, games[g].deal, SEATS) == 0;
                }
            }
        found += right;
    }
    return found;
}

static void before_one_game_gave_all_the_others(void **state)
{
    Shown games[GAMES];

    (void)state;
    for (uint64_t g = 0; g < GAMES; g++)
        games[g] = game_before(UINT64_C(0x123456789ABCDEF0), g + 1);
    assert_int_equal(found_from(games), GAMES);
}

static void one_game_gives_no_other_and_not_its_own_deal(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        Key key = key_of_seed(UINT64_C(0x123456789ABCDEF0) + seed);
        HallChance chance = hall_chance(&key);
        Shown games[GAMES];
        for (uint64_t g = 0; g < GAMES; g++)
            games[g] = game_now(&chance, g + 1);
        assert_int_equal(found_from(games), 0);
    }
}

/* No generator is another one: equal ones would show what the other hides. */
static void every_purpose_has_a_generator_of_its_own(void **state)
{
    Key key = key_of_seed(5);
    HallChance chance = hall_chance(&key);
    Rng all[3 + 3 * GAMES];
    size_t count = 0;

    (void)state;
    all[count++] = chance.matching;
    all[count++] = hall_chance_schedule(&chance);
    all[count++] = hall_chance_schedule(&chance);
    for (uint64_t g = 1; g <= GAMES; g++) {
        HallGameChance game = hall_chance_game(&chance, g);
        all[count++] = game.seats;
        all[count++] = game.characters;
        all[count++] = key_rng(&game.bots);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(&all[i], &all[j], sizeof(all[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_one_game_gave_all_the_others),
        cmocka_unit_test(one_game_gives_no_other_and_not_its_own_deal),
        cmocka_unit_test(every_purpose_has_a_generator_of_its_own),
    };

    return cmocka_run_group_tests_name("the chance of a hall", tests, NULL, NULL);
}
