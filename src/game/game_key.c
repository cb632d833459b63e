#include "game/game_key.h"

GameKey game_key_old(uint64_t seed)
{
    GameKey key = {.old = true};

    for (size_t i = 0; i < 8; i++)
        key.key.bytes[i] = (unsigned char)(seed >> (8 * (7 - i)));
    return key;
}

uint64_t game_key_seed(const GameKey *key)
{
    return key_seed(&key->key);
}

Chance game_key_chance(const GameKey *key)
{
    return key->old ? chance_from_seed(rng_derive(game_key_seed(key), 0))
                    : chance_from_key(&key->key);
}

/* The sum of two permutations that nobody knows: the seed of one seat fits every value of the one,
 * with some value of the other. */
uint64_t game_key_bot_seed(const GameKey *key, SeatNo seat)
{
    if (key->old)
        return rng_derive(game_key_seed(key), seat);
    const Rng words = key_rng(&key->key);
    return rng_derive(words.state[1], seat) + rng_derive(words.state[2], seat);
}
