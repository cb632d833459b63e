/* nlp_manner.h - how the natural-language division speaks with one participant.
 *
 * For:    chairs of that division.
 * Memory: an NlpSpeaker is a chair's `self`; it borrows all it holds.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 1.4, 3.7, 4.5, 6.2: who does not answer is asked for its
 *         name; what answers nothing is thrown away.
 */
#ifndef WARG_SEAT_NLP_MANNER_H
#define WARG_SEAT_NLP_MANNER_H

#include "seat/manner.h"
#include "wire/nlp_packet.h"

typedef struct NlpSpeaker {
    NlpGameText text;
    NlpCursor cursor;
    Str original;     /* its own name */
    const Str *names; /* in the game, names[1..count] */
    SeatNo count;
    bool strict; /* as the reference does it */
    bool timed;  /* with speak-anytime sessions: what is said in one may come behind it */
    Buf *said;   /* what it said last, read; one for many of them */
} NlpSpeaker;

/* Appends one packet; `news`: the utterance of a broadcast, else NULL. */
void nlp_speaker_write(NlpSpeaker *speaker, NlpRequest request, const View *view, const Talk *news,
                       Buf *out);

/* What it tells is an NlpRequest. */
extern const Manner nlp_manner;

#endif
