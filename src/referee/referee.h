/* referee.h - plays whole games of built-in bots: hands asks to the seats, answers to the game,
 *             events to a recorder.
 *
 * For:    game sets of built-in bots in this process, benches and tests; a table with outside
 *         agents is table/table.h. Each utterance is parsed once (sentences.h).
 * Memory: a Referee owns its game, its bots' memories and the day's parsed sentences; all is
 *         reserved in referee_new, playing allocates nothing.
 * Thread: one at a time; referees share nothing.
 * Source: guide: design, "referee" and "An utterance is parsed at most once".
 */
#ifndef WARG_REFEREE_REFEREE_H
#define WARG_REFEREE_REFEREE_H

#include "bot/bot.h"
#include "game/game_key.h"
#include "game/recorder.h"

typedef struct Referee Referee;

/* A referee for a table of `players`; kinds[1..players] sit in these seats.
 * Errors: as game_new. */
int referee_new(const Ruleset *rules, int32_t players, const BotKind *const kinds[],
                Referee **ret_referee, Err *err);
Referee *referee_free(Referee *referee);
void referee_freep(Referee **referee);

/* Another kind of bot takes this seat from the next game on. Allocates nothing. */
void referee_seat(Referee *referee, SeatNo seat, const BotKind *kind);

/* Plays one game to its end. The game's chance and that of the bots come from `key` alone.
 * `setup` may be NULL, and so may `recorder`.
 * Errors: ERR_RULE when the fixed roles do not fit. */
int referee_play(Referee *referee, const GameSetup *setup, const GameKey *key,
                 const Recorder *recorder, Err *err);

/* Asks that were answered since the referee was made. */
uint64_t referee_asks(const Referee *referee);

/* The game that was played last, for reading. */
const Game *referee_game(const Referee *referee);

#endif
