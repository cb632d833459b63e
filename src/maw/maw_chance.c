#include "maw/maw_chance.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

MawChance maw_chance_of_key(const Key *key)
{
    MawChance chance = {.of = MAW_SEED_OF_KEY, .root = key_root(key)};

    key_to_hex(key, chance.seed);
    return chance;
}

MawChance maw_chance_of_seed(uint64_t seed)
{
    const Key key = key_of_seed(seed);
    MawChance chance = {.of = MAW_SEED_OF_KEY, .root = key_root(&key)};

    snprintf(chance.seed, sizeof(chance.seed), "%" PRIu64, seed);
    return chance;
}

bool maw_chance_read(Str seed, MawSeedOf of, MawChance *ret)
{
    uint64_t number;
    Key key;

    if (str_to_uint(seed, UINT64_MAX, &number)) {
        *ret = maw_chance_of_seed(number);
        ret->of = of;
        ret->number = number;
        return true;
    }
    if (of != MAW_SEED_OF_KEY || !key_from_hex(seed, &key))
        return false;
    *ret = maw_chance_of_key(&key);
    return true;
}

Chance maw_chance_round(const MawChance *chance, uint32_t round)
{
    uint64_t number = chance->number;

    if (chance->of == MAW_SEED_OF_KEY) {
        const Key key = key_derive_number(&chance->root, STR("round"), round);
        return chance_from_key(&key);
    }
    if (chance->of == MAW_SEED_OF_TABLE)
        number = rng_derive_text(number, STR("session"));
    return chance_from_seed(rng_derive(number, round));
}

Rng maw_chance_rng(const MawChance *chance, Str purpose)
{
    const Key key = key_derive(&chance->root, purpose);

    assert(chance->of == MAW_SEED_OF_KEY);
    return key_rng(&key);
}

uint64_t maw_chance_seed(const MawChance *chance, Str purpose, uint64_t number)
{
    const Key key = key_derive_number(&chance->root, purpose, number);

    assert(chance->of == MAW_SEED_OF_KEY);
    return key_seed(&key);
}
