/* game_recorder.h - listens to one game and makes its record and its log.
 *
 * For:    everything that plays games of a set: threads with bots, tables with outside agents.
 * Memory: the caller's struct, which owns the log's buffer; it is large, keep it for many games.
 * Thread: one at a time.
 * Source: docs/spec/protocol-division.md 5 (log), 8.4 (what counts).
 */
#ifndef WARG_RECORD_GAME_RECORDER_H
#define WARG_RECORD_GAME_RECORDER_H

#include "game/recorder.h"
#include "record/aiwolf_log.h"
#include "record/game_record.h"

/* What a result is counted with, from one event of a game to the next. */
typedef struct ResultDays {
    uint16_t last_vote_day;
    uint16_t last_revote_day;
    PlayMeter meter;
} ResultDays;
#define RESULT_DAYS_NONE ((ResultDays){.last_vote_day = UINT16_MAX, .last_revote_day = UINT16_MAX})

/* Adds an event: what it says of the result, but names; result, reason and days are those of the
 * game so far. */
void game_result_hear(GameResult *result, EndReason *reason, ResultDays *days, const Event *event);

/* Open for `record`, whose set, game and log name the caller fills, and `log`. Zero it first. */
typedef struct GameRecorder {
    GameRecord record;
    Buf log; /* the aiwolf log so far; empty when it is not wanted */
    AiwolfLogWriter writer;
    bool wants_log;
    ResultDays days;
} GameRecorder;

/* Begins a game: the record's names stay, faults and times of `seats` too when there can't be any
 * (bots only); everything else is cleared. */
void game_recorder_begin(GameRecorder *recorder, SeatNo seat_count, bool wants_log);

/* What the referee calls. */
Recorder game_recorder_listener(GameRecorder *recorder);

void game_recorder_done(GameRecorder *recorder); /* also for CLEANUP */

#endif
