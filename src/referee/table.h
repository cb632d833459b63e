/* table.h - plays whole games among built-in bots, in this process and without a clock.
 *
 * For:    `warg run`, benches and tests: hands asks to bots, answers to the game, events to a
 *         recorder. Timed rooms run on simulated time. Each utterance is parsed once, here.
 * Memory: a Table owns its game, its bots' memories and the day's parsed sentences; all is
 *         reserved in table_new, playing allocates nothing.
 * Thread: one at a time; tables share nothing.
 * Source: guide: design, "An utterance is parsed at most once".
 */
#ifndef WARG_REFEREE_TABLE_H
#define WARG_REFEREE_TABLE_H

#include "bot/bot.h"

typedef struct Table Table;

/* Hears every event of a game, in order. `event` is borrowed for the call. */
typedef struct Recorder {
    void (*event)(void *user, const Event *event);
    void *user;
} Recorder;

/* A table for `players` players; kinds[1..players] sit in these seats.
 * Errors: as game_new. */
int table_new(const Ruleset *rules, int32_t players, const BotKind *const kinds[],
              Table **ret_table, Err *err);
Table *table_free(Table *table);
void table_freep(Table **table);

/* Another kind of bot takes this seat from the next game on. Allocates nothing. */
void table_seat(Table *table, SeatNo seat, const BotKind *kind);

/* Plays one game to its end. The game's chance and that of the bots come from `seed` alone.
 * `setup` may be NULL, and so may `recorder`.
 * Errors: ERR_RULE when the fixed roles do not fit. */
int table_play(Table *table, const GameSetup *setup, uint64_t seed, const Recorder *recorder,
               Err *err);

/* Asks that were answered since the table was made. */
uint64_t table_asks(const Table *table);

/* The game that was played last, for reading. */
const Game *table_game(const Table *table);

#endif
