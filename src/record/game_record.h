/* game_record.h - all that is kept of one game beside its log: result, faults, answer times.
 *
 * For:    the journal, and through it standings, ratings, results.db and the report.
 * Memory: a plain value, large (tens of KiB); `result.names` borrow what their maker says.
 * Thread: any.
 * Source: docs/spec/protocol-division.md 6.3 (games with a failed seat are marked), 8.
 */
#ifndef WARG_RECORD_GAME_RECORD_H
#define WARG_RECORD_GAME_RECORD_H

#include "base/durations.h"
#include "game/game.h"
#include "record/fault.h"

#define AGENT_NAME_MAX  64         /* bytes */
#define STAGE_GAMES_MAX 1000000000 /* games of a stage */

/* What one game came to. */
typedef struct GameResult {
    SeatNo seat_count;
    Side winner;             /* SIDE_NONE: a draw or an aborted game */
    uint16_t last_day;       /* the day of the result line */
    uint16_t revote_days;    /* days on which the vote was held more than once */
    uint16_t execution_days; /* days with a vote */
    uint16_t attacks;        /* nights with an attack, on nobody too */
    uint16_t attack_kills;   /* those that killed */
    Role roles[SEAT_MAX + 1];
    int32_t points[SEAT_MAX + 1]; /* of a ruleset that scores; else 0 */
    Str names[SEAT_MAX + 1];      /* borrowed for the call */
} GameResult;

/* What an agent did in one game. */
typedef struct SeatRecord {
    bool failed;  /* a substitute had the seat, from the start or from some request on */
    bool outside; /* an agent over a wire; a built-in bot has no faults and no times */
    uint32_t faults[FAULT_COUNT];
    uint32_t excesses;  /* answers over the limit, those within the grace included */
    uint32_t excused;   /* of these: beyond the grace too, but it had to wait so long */
    uint32_t waited_ms; /* what those over the limit had to wait, in all (seat/patience.h) */
    Durations times;    /* of its answers */
} SeatRecord;

typedef struct GameRecord {
    uint32_t stage;      /* of the contest, from 0 */
    uint64_t set;        /* of the stage, from 0 */
    uint64_t game;       /* of the stage, from 0: also the number of its log */
    int64_t ended_at_ms; /* since 1970, UTC */
    EndReason reason;
    char log[64];      /* path of its log in the folder, "logs/000.log.gz"; empty = none */
    GameResult result; /* names[1..seat_count]: the agents on the seats */
    SeatRecord seats[SEAT_MAX + 1];
} GameRecord;

#define END_REASON_COUNT (END_ABORTED + 1)

/* "win", "max_day", "idle", "aborted". */
const char *end_reason_name(EndReason reason);

/* True and the reason of this name; false for any other text. */
bool end_reason_of(Str name, EndReason *ret_reason);

#endif
