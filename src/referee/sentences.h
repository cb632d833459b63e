/* sentences.h - the utterances of a game, each parsed once for all who listen.
 *
 * For:    who hands answers to a game of the protocol division: the referee and tables.
 * Memory: all is reserved in sentences_init, parsing allocates nothing. A parsed sentence is there
 *         until the next day.
 * Thread: one at a time.
 * Source: guide: design, "An utterance is parsed at most once".
 */
#ifndef WARG_REFEREE_SENTENCES_H
#define WARG_REFEREE_SENTENCES_H

#include "base/arena.h"
#include "base/err.h"
#include "game/game.h"

typedef struct Sentences {
    Arena kept;
    Arena judged;  /* one sentence, forgotten when the next comes */
    bool listened; /* a bot sits at the table */
    uint16_t day;
} Sentences;

/* Zero it first. Errors: ERR_MEMORY; sentences_done is due either way. */
int sentences_init(Sentences *sentences, Err *err);
void sentences_done(Sentences *sentences);
/* A game begins; `listened`: somebody reads what was parsed. */
void sentences_begin(Sentences *sentences, bool listened, uint16_t day);
/* What was said on another day is gone. */
void sentences_turn(Sentences *sentences, uint16_t day);
/* Fills in_language and sentence of an utterance; any other answer, and a lapse, stays. */
void sentences_parse(Sentences *sentences, Answer *answer);
/* False for an utterance, parsed before, that is outside the protocol language; an empty one is
 * not. */
bool sentences_allow(const Answer *answer);

#endif
