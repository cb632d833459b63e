/* game_record.h - all that is kept of one game of any division beside its log: result, faults,
 *                 answer times, who sat there.
 *
 * For:    the journal, and through it standings, ratings, results.db and the report.
 * Memory: a plain value, large (tens of KiB). It owns all but the names of seats (`names`, `team`,
 *         `model`): they are borrowed from whoever plays the game, until the call that hands the
 *         record on returns. A reader of a journal borrows them for the listener's call. To own
 *         them would cost each game of bots a copy of names that are the same for a whole set.
 * Thread: any.
 * Source: docs/spec/protocol-division.md 6.3 (games with a failed seat are marked), 8;
 *         docs/spec/nlp-division.md 2.7; docs/spec/maw.md 3.
 *
 * Who fills it: result and days table/table.c (built-in bots on threads: game_recorder.h and
 * match/threads.c), a seat's faults and times seat/chair.c; the rest match/table.c,
 * nlp/table_record.c at the end of a game, and in MAW maw/session_result.c and maw/seats_result.c
 * at the end of a round.
 */
#ifndef WARG_RECORD_GAME_RECORD_H
#define WARG_RECORD_GAME_RECORD_H

#include "base/digest.h"
#include "base/durations.h"
#include "base/model_figures.h"
#include "game/game.h"
#include "record/answer_times.h"
#include "record/fault.h"
#include "record/finding.h"
#include "record/seat_play.h"

#define AGENT_NAME_MAX  64                     /* bytes */
#define MODEL_NAME_MAX  100                    /* bytes */
#define GAME_ID_MAX     95                     /* bytes */
#define GAME_LOG_MAX    255                    /* bytes */
#define STAGE_GAMES_MAX 1000000000             /* games of a stage */
#define SEAT_FIGURE_MAX INT64_C(1000000000000) /* decisions and tokens: a million games add up */

typedef enum GameDivision {
    DIVISION_AIWOLF, /* the protocol division */
    DIVISION_NLP,    /* natural language */
    DIVISION_MAW,
    DIVISION_COUNT,
} GameDivision;

/* Who decides for a seat. */
typedef enum SeatKind {
    SEAT_BOT,    /* one of ours */
    SEAT_AGENT,  /* a program of somebody's */
    SEAT_MODEL,  /* a language model that we ask */
    SEAT_PERSON, /* at our terminal */
    SEAT_KIND_COUNT,
} SeatKind;

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
    bool has_play; /* somebody won, and how seats played was counted; never before the end */
    SeatPlay play[SEAT_MAX + 1];
} GameResult;

/* How seats play a game, so far: record/play_meter.h. */
typedef struct PlayMeter {
    SeatSet seats; /* those whose roles were told */
    SeatSet wolves;
    SeatSet dead;
    SeatSet voted;     /* today */
    SeatSet with_mate; /* of these: werewolves with another one alive */
    uint16_t executions;
    uint16_t wolf_executions;
    bool wolf_first; /* the first of them was a werewolf's */
    Role roles[SEAT_MAX + 1];
    SeatNo ballots[SEAT_MAX + 1]; /* of those who voted: the last one */
    SeatPlay play[SEAT_MAX + 1];
} PlayMeter;

/* What an agent did in one game. */
typedef struct SeatRecord {
    bool failed;  /* a substitute had the seat, from the start or from some request on */
    bool outside; /* an agent over a wire; a built-in bot has no faults and no times */
    SeatKind kind;
    Str team;  /* whose agent it is, where teams are counted and not agents; empty = its own */
    Str model; /* which one, where that is known */
    uint32_t faults[FAULT_COUNT];
    uint32_t excesses;  /* answers over the limit, those within the grace included */
    uint32_t excused;   /* of these: beyond the grace too, but it had to wait so long */
    uint32_t waited_ms; /* what those over the limit had to wait, in all (seat/answer_clock.h) */
    Durations times;    /* of its answers */
    AnswerTimes answers[ASK_COUNT];   /* the same by what was asked, for monitoring: no journal
                                       * has it */
    uint32_t findings[FINDING_RULES]; /* what its program was found at, by rules */
    /* Of a model. Which one plays in the protocol division, and what it decided in games that were
     * given up, a note of the journal says at the end of its set (stats/decision_sheet.h). */
    uint64_t decisions;
    uint64_t own; /* of these: the model's; a rule took the others */
    ModelFigures figures;
} SeatRecord;

typedef struct GameRecord {
    GameDivision division;
    char ruleset[RULESET_NAME_MAX]; /* "aiwolf-2021"; empty = not told (journals of version 1) */
    char id[GAME_ID_MAX + 1];       /* of a division whose games have one; else empty */
    bool is_void;                   /* its match is played again: no result of it counts */
    bool is_ruled_void;             /* ... as somebody ruled of a game that was over: so it counts
                                     * for min_games, and for nothing else */
    uint32_t stage;                 /* of the contest, from 0 */
    uint64_t set;                   /* of the stage, from 0 */
    uint64_t game;                  /* of the stage, from 0: also the number of its log */
    uint64_t deal;                  /* in blocks (match/pairing.h): 1 + its number in the stage's
                                     * part; 0 = no other game has the same deal */
    int64_t began_at_ms;            /* since 1970, UTC; 0 = not told */
    int64_t ended_at_ms;
    EndReason reason;
    /* Path of its log in the folder, "logs/000.log.gz"; empty = none. */
    char log[GAME_LOG_MAX + 1];
    /* With outside agents of the protocol division: what they were asked and answered
     * (record/exchange.h), borrowed as the names; empty = it is not kept, or was read from a
     * journal. */
    Str exchange;
    /* SHA-256 of the log's and the exchange record's text; empty = not told. */
    char log_sha256[SHA256_HEX_BYTES];
    char exchange_sha256[SHA256_HEX_BYTES];
    GameResult result; /* names[1..seat_count]: the agents on the seats */
    SeatRecord seats[SEAT_MAX + 1];
} GameRecord;

/* As much of a name as a record keeps, whole characters: names of natural language and MAW may be
 * longer. */
static inline Str game_record_name(Str name)
{
    size_t len = name.len < AGENT_NAME_MAX ? name.len : AGENT_NAME_MAX;

    while (len > 0 && len < name.len && ((unsigned char)name.bytes[len] & 0xC0) == 0x80)
        len--;
    return str_part(name, 0, len);
}

/* Whom the result of a seat counts for: its team, or else its agent. */
static inline Str game_record_counted(const GameRecord *record, SeatNo seat)
{
    return record->seats[seat].team.len ? record->seats[seat].team : record->result.names[seat];
}

/* Whether its result counts: a natural-language game without a winner counts for nobody
 * (docs/spec/nlp-division.md 11.3), in the other divisions it is played and not won. */
static inline bool game_record_counts(const GameRecord *record)
{
    return !record->is_void &&
           (record->division != DIVISION_NLP || record->result.winner != SIDE_NONE);
}

/* Whether an agent played that is none of ours. */
static inline bool game_record_has_outside(const GameRecord *record)
{
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        if (record->seats[seat].outside)
            return true;
    return false;
}

/* "aiwolf", "nlp", "maw"; DIVISION_COUNT for any other name. */
const char *game_division_name(GameDivision division);
GameDivision game_division_of(Str name);

/* "bot", "agent", "model", "person"; SEAT_KIND_COUNT for any other name. */
const char *seat_kind_name(SeatKind kind);
SeatKind seat_kind_of(Str name);

#define END_REASON_COUNT (END_ABORTED + 1)

/* "win", "max_day", "idle", "aborted". */
const char *end_reason_name(EndReason reason);

/* True and the reason of this name; false for any other text. */
bool end_reason_of(Str name, EndReason *ret_reason);

#endif
