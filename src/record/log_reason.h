/* log_reason.h - says in English why a log line can't follow the lines before it.
 *
 * For:    log_replay only; the words are apart from the machine.
 * Memory: plain values, borrowed for the call.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 3 and 5.
 */
#ifndef WARG_RECORD_LOG_REASON_H
#define WARG_RECORD_LOG_REASON_H

#include "record/log_replay.h"

typedef enum LogDeath {
    DEATH_NONE,
    DEATH_EXECUTED,
    DEATH_NIGHT,
} LogDeath;

/* What happened so far, as far as reasons mention it. */
typedef struct LogPast {
    const LogGame *log;
    uint16_t day; /* the one that is going on */
    SeatSet dead;
    uint8_t death[SEAT_MAX + 1]; /* LogDeath */
    uint16_t died_on[SEAT_MAX + 1];
    uint32_t said[2][SEAT_MAX + 1];  /* talk, whisper: ordinary utterances of the session */
    uint32_t skips[2][SEAT_MAX + 1]; /* Skips in a row */
} LogPast;

/* Brings `past` up to date with an event that agrees with the log. */
void log_past_event(LogPast *past, const Event *event);

/* Appends the reason why `found`, the line `raw`, stands where the game gives `expected`.
 * `foreign` tells what is wrong with found's sentence, or is empty. */
void log_reason_line(const LogPast *past, const LogLine *expected, const LogLine *found, Str raw,
                     Str foreign, Buf *out);

/* Appends "truncated: the log stops on day 3 in the talk phase, without a result line".
 * `next` is the line that the game would write next. */
void log_reason_truncated(const LogPast *past, const LogLine *next, Buf *out);

#endif
