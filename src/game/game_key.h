/* game_key.h - the key of one game, and what its chance and its bots get of it.
 *
 * For:    whoever begins a game.
 * Memory: plain value. As secret as the game.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 11.2.
 *
 * The 32 bytes are
 *
 *     0..7    the game's seed as it is printed
 *     8..23   what the built-in bots' seeds come from: one bot's seed gives no other's
 *     24..31  nothing
 *
 * and as a whole, by HMAC, what the streams of game/chance.h come from: who knows what the bots got
 * still lacks half of the key.
 */
#ifndef WARG_GAME_GAME_KEY_H
#define WARG_GAME_GAME_KEY_H

#include "game/chance.h"

typedef struct GameKey {
    Key key;
    bool old; /* a game of a build before there were keys: the first 8 bytes are its seed */
} GameKey;

/* A game as builds played it that had no keys: one seed of 64 bits gave everything. Only for
 * journals of theirs. */
GameKey game_key_old(uint64_t seed);

/* What is printed, and stands in records. */
uint64_t game_key_seed(const GameKey *key);

Chance game_key_chance(const GameKey *key);

/* The seed of the bot on `seat`. */
uint64_t game_key_bot_seed(const GameKey *key, SeatNo seat);

#endif
