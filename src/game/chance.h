/* chance.h - the one door through which chance comes into a game.
 *
 * For:    dealing roles, speaking order, ties, random votes. A key decides, or a script that
 *         stands in for it, so that a log or a recorded session plays through the same engine.
 *         What all see, what few see and the deal have streams of their own: who works out a
 *         whole stream from what it saw knows nothing of the others.
 * Memory: plain value; a script is borrowed. As secret as the game.
 * Thread: one at a time.
 * Source: guide: design, "Chance and time come in through one door each";
 *         docs/spec/contest-operations.md 11.2.
 */
#ifndef WARG_GAME_CHANCE_H
#define WARG_GAME_CHANCE_H

#include "base/key.h"
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

/* Where a choice comes from. */
typedef enum ChanceStream {
    CHANCE_STREAM_DEAL,   /* the deal, and whose wish is granted */
    CHANCE_STREAM_PUBLIC, /* what all see: the order of talk, ties of the village's votes */
    CHANCE_STREAM_HIDDEN, /* what few see: the order of whispers, replaced votes, ties of attacks */
    CHANCE_STREAM_COUNT,
} ChanceStream;

typedef struct Chance {
    Rng streams[CHANCE_STREAM_COUNT];
    KeyRoot root;        /* what a stream is made from when it is first drawn from */
    uint8_t made;        /* bit s: streams[s] is there */
    bool one_stream;     /* as before there were keys: streams[0] is for everything */
    ChanceScript script; /* NULL: the streams decide */
    void *user;
    bool script_failed;
} Chance;

/* The streams are HMAC(key, "deal" | "public" | "hidden"). */
Chance chance_from_key(const Key *key);
/* One stream for everything, which the seed gives and which gives the seed: for games of earlier
 * builds (game/game_key.h) and for tests. */
Chance chance_from_seed(uint64_t seed);
Chance chance_from_script(ChanceScript script, void *user);

ChanceStream chance_stream_of(ChanceKind kind);

/* The generator that decides questions of this kind. Not for a script. */
Rng *chance_rng(Chance *chance, ChanceKind kind);

/* One of the candidates: uniformly at random, or as the script says. */
uint8_t chance_choose(Chance *chance, const ChanceQuestion *question);

#endif
