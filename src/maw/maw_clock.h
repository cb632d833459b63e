/* maw_clock.h - when a table acted and its models' answers came, so that a session by the clock can
 * be played again.
 *
 * For:    maw_table.c, which keeps it; cli/session_line.c, which reads it for --answers-from.
 * Memory: a MawClock owns its file and texts.
 * Thread: one at a time.
 * Source: docs/spec/models.md 2: the same record byte for byte.
 *
 *     {"format":"warg-clock","version":1,"id":"monday","seed":"7","began_us":123,
 *      "unix_ms":1795372145658,"others":false}
 *     {"t_us":1000200}                   the table did what was due
 *     {"t_us":1204417,"seat":"p03"}      this seat took an answer, or its time was over
 *     {"t_us":9000000,"stop":"interrupted"}   somebody ended the session; "drain": after this round
 *     {"t_us":9000000,"resumed":true}    it was gone on with; what came behind that is kept nowhere
 *
 * Times are since the session's beginning, in the order in which these things happened. Everything
 * else of a session among bots and models follows from its seed and the answers (llm/answers.h).
 */
#ifndef WARG_MAW_MAW_CLOCK_H
#define WARG_MAW_MAW_CLOCK_H

#include "base/err.h"
#include "base/time_us.h"

typedef struct MawClock MawClock;

#define MAW_CLOCK_SEED_MAX 64
#define MAW_CLOCK_ID_MAX   64

typedef struct MawClockHead {
    char id[MAW_CLOCK_ID_MAX + 1];
    char seed[MAW_CLOCK_SEED_MAX + 1];
    TimeUs began;    /* as the table's time: ids of messages begin with it */
    int64_t unix_ms; /* the same by the calendar */
    bool others;     /* people, agents or an operator had a part in it, of which nothing is here */
} MawClockHead;

typedef enum MawMoveKind {
    MOVE_TABLE,
    MOVE_SEAT,
    MOVE_STOP,
    MOVE_DRAIN,
    MOVE_RESUMED,
} MawMoveKind;

typedef struct MawMove {
    MawMoveKind kind;
    TimeUs at;     /* as the table's time: MawClockHead.began is added */
    Str text;      /* the seat, or why it was stopped; until the next is asked for */
    unsigned line; /* of the file */
} MawMove;

/* Writes a new file, which only its owner can read. Errors: ERR_IO (also when it is there already),
 * ERR_MEMORY. */
int maw_clock_keep(const char *path, const MawClockHead *head, MawClock **ret_clock, Err *err);
/* Errors: ERR_IO; ERR_SYNTAX with file and line; ERR_MEMORY. */
int maw_clock_load(const char *path, MawClock **ret_clock, Err *err);
/* The same of a text in memory; `name` is what errors call it. */
int maw_clock_read(Str text, const char *name, MawClock **ret_clock, Err *err);
/* A last line for a session that is gone on with, at the time of the line before; nothing where
 * there is no file, or it has that line. Half a line at its end is cut off. Errors: ERR_IO,
 * ERR_MEMORY, ERR_LIMIT. */
int maw_clock_resumed(const char *path, Err *err);
MawClock *maw_clock_free(MawClock *clock); /* takes NULL, returns NULL */

/* `text` as in MawMove. A disk that fails ends the file: then the session can't be played again. */
void maw_clock_add(MawClock *clock, MawMoveKind kind, Str text, TimeUs at);

const MawClockHead *maw_clock_head(const MawClock *clock);
const char *maw_clock_name(const MawClock *clock);
/* The next of those that were read; false behind the last. */
bool maw_clock_next(MawClock *clock, MawMove *ret_move);

#endif
