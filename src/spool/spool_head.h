/* spool_head.h - what is on top of a job: which one it is, what it asks for, when its turn comes.
 *
 * For:    the spool, the runner.
 * Memory: a SpoolHead is plain; its texts are copied into it.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 16.1.
 *
 *     {"job":"01J...","kind":"play","contest":"cup2027","stage":"preliminary", ...}
 */
#ifndef WARG_SPOOL_SPOOL_HEAD_H
#define WARG_SPOOL_SPOOL_HEAD_H

#include "base/err.h"

#define SPOOL_ID_MAX    64 /* of 0-9 A-Z a-z and '-' */
#define SPOOL_WORD_MAX  64 /* bytes of a kind, of a contest's or a stage's name */
#define SPOOL_JOB_MAX   ((size_t)1024 * 1024) /* bytes of job.json */
#define SPOOL_STAGE_TRY "testing"             /* the stage of rounds that do not count */

/* In the order in which their turn comes. */
typedef enum SpoolClass {
    SPOOL_NLP,     /* a window of the natural-language division: agents wait for it */
    SPOOL_STAGE,   /* games that count */
    SPOOL_CHECK,   /* unpack, build, check: a team waits for it; a table is kept for these */
    SPOOL_TESTING, /* rounds that do not count */
    SPOOL_REST,
    SPOOL_CLASSES,
} SpoolClass;

#define SPOOL_ANY ((1u << SPOOL_CLASSES) - 1)

typedef struct SpoolHead {
    char job[SPOOL_ID_MAX + 1];
    char kind[SPOOL_WORD_MAX + 1];
    char contest[SPOOL_WORD_MAX + 1]; /* "" = of no contest */
    char stage[SPOOL_WORD_MAX + 1];   /* "" = of none */
    SpoolClass turn;
} SpoolHead;

/* Whether a text can name a job; it becomes a file's name. */
bool spool_id_is(Str id);

/* Errors: ERR_SYNTAX that says what is wrong; ERR_LIMIT, ERR_MEMORY. */
int spool_head_read(Str job_json, SpoolHead *ret_head, Err *err);

#endif
