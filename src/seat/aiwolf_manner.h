/* aiwolf_manner.h - how the protocol division speaks with one agent.
 *
 * For:    chairs of that division.
 * Memory: an AiwolfSpeaker is a chair's `self`; zero it first, aiwolf_speaker_done empties it.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 1.4, 2, 6.3: one line a packet, one line an answer; what
 *         answers nothing is a fault, and who does not answer is not asked again.
 */
#ifndef WARG_SEAT_AIWOLF_MANNER_H
#define WARG_SEAT_AIWOLF_MANNER_H

#include "seat/manner.h"
#include "wire/aiwolf_packet.h"

typedef struct AiwolfSpeaker {
    AiwolfCursor cursor;
    Buf text; /* of the last utterance, when its bytes had to be changed */
} AiwolfSpeaker;

void aiwolf_speaker_done(AiwolfSpeaker *speaker);

/* What it tells is an AiwolfRequest. */
extern const Manner aiwolf_manner;

#endif
