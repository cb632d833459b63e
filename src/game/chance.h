/* chance.h - the one door through which chance comes into a game.
 *
 * For:    dealing roles, speaking order, ties, random votes. A seed decides, or a script that
 *         stands in for it, so that a log or a recorded session plays through the same engine.
 * Memory: plain value; a script is borrowed.
 * Thread: one at a time.
 * Source: guide: design, "Chance and time come in through one door each".
 */
#ifndef WARG_GAME_CHANCE_H
#define WARG_GAME_CHANCE_H

#include "base/rng.h"
#include "game/role.h"

/* What is being decided. */
typedef enum ChanceKind {
    CHANCE_DEAL,         /* the role of `seat`: candidates are Role values, with repetitions */
    CHANCE_WISHER,       /* which seat's role wish is granted next */
    CHANCE_TALK_NEXT,    /* who speaks next in this turn (or session) */
    CHANCE_WHISPER_NEXT, /* who whispers next */
    CHANCE_VOTE,         /* the vote of `seat`, which gave no valid one */
    CHANCE_EXECUTE,      /* who of those with the most votes is executed */
    CHANCE_ATTACK,       /* who of those with the most attack votes is attacked */
} ChanceKind;

typedef struct ChanceQuestion {
    ChanceKind kind;
    uint32_t day;
    SeatNo seat;               /* whom it concerns, or SEAT_NONE */
    const uint8_t *candidates; /* seats or roles, count of them, at least one */
    uint32_t count;
} ChanceQuestion;

/* Answers a question with an index into its candidates. An index out of range is an error that
 * the game remembers (game_script_failed); it then goes on with index 0. */
typedef uint32_t (*ChanceScript)(void *user, const ChanceQuestion *question);

typedef struct Chance {
    Rng rng;
    ChanceScript script; /* NULL: the seed decides */
    void *user;
    bool script_failed;
} Chance;

Chance chance_from_seed(uint64_t seed);
Chance chance_from_script(ChanceScript script, void *user);

/* One of the candidates: uniformly at random, or as the script says. */
uint8_t chance_choose(Chance *chance, const ChanceQuestion *question);

#endif
