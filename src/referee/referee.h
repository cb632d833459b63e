/* referee.h - plays whole games: hands asks to the seats, answers to the game, events to a
 *             recorder.
 *
 * For:    game sets of built-in bots in this process, benches and tests; a table with outside
 *         agents is table/table.h. A bot answers at once, an outside player when it likes; whoever
 *         brings its answers keeps its clock. Each utterance is parsed once (sentences.h).
 * Memory: a Referee owns its game, its bots' memories and the day's parsed sentences; all is
 *         reserved in referee_new, playing allocates nothing.
 * Thread: one at a time; referees share nothing.
 * Source: guide: design, "referee" and "An utterance is parsed at most once".
 *
 * With bots only:           referee_play(…).
 * With outside players:     referee_begin(…); referee_go(…) until it says that the game is over,
 *                           again after every referee_answer.
 */
#ifndef WARG_REFEREE_REFEREE_H
#define WARG_REFEREE_REFEREE_H

#include "bot/bot.h"
#include "game/game_key.h"
#include "game/recorder.h"

typedef struct Referee Referee;

/* What a player is told without being asked. */
typedef enum Tell {
    TELL_GAME,  /* a game begins: roles are dealt */
    TELL_DAY,   /* a day begins */
    TELL_NIGHT, /* its second half begins */
    TELL_END,   /* the game is over and all roles are known */
} Tell;

/* A player who is not in this process: a connection, a person. Views are borrowed for the call;
 * nothing of the referee may be called from inside. */
typedef struct Player {
    /* Asks. True when `ret_answer` (zero but for its kind) is the answer already, for a seat that
     * has nobody to ask; false when it will come by referee_answer. */
    bool (*ask)(void *user, const Ask *ask, const View *view, Answer *ret_answer);
    void (*tell)(void *user, Tell what, const View *view);
    void *user;
} Player;

/* A referee for a table of `players`; kinds[1..players] sit in these seats.
 * Errors: as game_new. */
int referee_new(const Ruleset *rules, int32_t players, const BotKind *const kinds[],
                Referee **ret_referee, Err *err);
Referee *referee_free(Referee *referee);
void referee_freep(Referee **referee);

/* Another kind of bot takes this seat from the next game on. Allocates nothing. */
void referee_seat(Referee *referee, SeatNo seat, const BotKind *kind);

/* A player takes this seat from the next game on; `player` is copied. */
void referee_seat_player(Referee *referee, SeatNo seat, const Player *player);

/* Plays one game to its end. The game's chance and that of the bots come from `key` alone.
 * `setup` may be NULL, and so may `recorder`.
 * Errors: ERR_RULE when the fixed roles do not fit. */
int referee_play(Referee *referee, const GameSetup *setup, const GameKey *key,
                 const Recorder *recorder, Err *err);

/* Begins a game for referee_go, in which `recorder` (copied, may be NULL) hears every event.
 * Errors: as referee_play. */
int referee_begin(Referee *referee, const GameSetup *setup, const GameKey *key,
                  const Recorder *recorder, Err *err);

/* Plays on until players have to answer or the game is over: 0 = waits for answers, 1 = over.
 * Errors: ERR_RULE for rules with timed rooms, which need a clock. */
int referee_go(Referee *referee, Err *err);

/* The answer of a player to its open ask; referee_go has to be called then. in_language and
 * sentence are found here; *ret_in_language (may be NULL) is false for a sentence outside the
 * protocol language, an empty one excepted.
 * Errors: ERR_RULE when the seat is not asked that. */
int referee_answer(Referee *referee, SeatNo seat, const Answer *answer, bool *ret_in_language,
                   Err *err);

/* Ends the game now, without a winner; referee_go then gives 1. */
void referee_abort(Referee *referee);

/* Asks that were answered since the referee was made. */
uint64_t referee_asks(const Referee *referee);

/* The game that was played last, for reading. */
const Game *referee_game(const Referee *referee);

#endif
