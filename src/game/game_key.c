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

/* Two words that nobody knows: one seat's seed fits every value of the first, with some value of
 * the second. */
uint64_t game_key_bot_seed(const GameKey *key, SeatNo seat)
{
    if (key->old)
        return rng_derive(game_key_seed(key), seat);
    return rng_derive(key_word(&key->key, 1), seat) ^ key_word(&key->key, 2);
}
