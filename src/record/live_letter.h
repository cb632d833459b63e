/* live_letter.h - what a LiveSink is told, as bytes that can wait or travel, and be told again.
 *
 * For:    games whose listener is on another loop or thread, or hears of them later.
 * Memory: a LiveLetter is its owner's, who frees its bytes; texts are copied into them.
 * Thread: one at a time; a letter may be read on another thread than it was written on.
 * Source: docs/spec/web.md 5.1 ("Delay"), 12.
 *
 * A letter is structs of this program, one behind the other, each with its texts: it never leaves
 * the process.
 */
#ifndef WARG_RECORD_LIVE_LETTER_H
#define WARG_RECORD_LIVE_LETTER_H

#include "record/live_sink.h"

/* Zeroed before use. After buf_failed(&letter->bytes) what was told last may be missing. */
typedef struct LiveLetter {
    Buf bytes;
} LiveLetter;

/* A sink that writes all it is told behind what is in the letter. The letter is borrowed. */
LiveSink live_letter_sink(LiveLetter *letter);

/* Tells `sink` the first thing of `rest`, `later` after it was told first: times of clocks are
 * shifted so. Cuts it off; false when there is none. */
bool live_letter_tell(Str *rest, const LiveSink *sink, TimeUs later);
/* The first thing of a letter that is not empty: when it was told, of which game, and whether it is
 * that game's beginning or end. */
typedef struct LiveFirst {
    TimeUs at;
    Str id;
    bool begins, ends;
    size_t bytes; /* that it takes */
} LiveFirst;
LiveFirst live_letter_first(Str rest);

#endif
