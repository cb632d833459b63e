/* spool_cells.h - what became of the cells of a job, and of all that a runner has done.
 *
 * For:    a job's process, which tells its runner; the runner, which tells the server
 *         (spool_status.h).
 * Memory: plain values.
 * Thread: one at a time for each folder.
 * Source: docs/spec/contest-operations.md 13 (/metrics).
 *
 * DIR/spool/run/JOB/cells, and "cells" of DIR/spool/runner.json:
 *
 *     {"started":12,"ended":9,"not_made":0,"killed":1,"failed":2}
 *
 * The last three are parts of `ended`. What says anything else is not believed.
 */
#ifndef WARG_SPOOL_SPOOL_CELLS_H
#define WARG_SPOOL_SPOOL_CELLS_H

#include "base/err.h"
#include "base/json.h"

#include <stdint.h>

typedef struct json_t json_t;

typedef struct SpoolCells {
    uint64_t started, ended;
    uint64_t not_made; /* this machine could not make them */
    uint64_t killed;   /* from outside */
    uint64_t failed;   /* their programs did, by themselves */
} SpoolCells;

/* Whole or not at all. `folder`: the job's. Errors: ERR_IO, ERR_MEMORY. */
int spool_cells_tell(const char *folder, const SpoolCells *cells, Err *err);
/* What a job's process told last. Errors: ERR_IO when it has told nothing; ERR_LIMIT
 * for more than a job can have; those of spool_cells_read, ERR_MEMORY. */
int spool_cells_look(const char *folder, SpoolCells *ret_cells, Err *err);
/* Before a job's process begins: what another one told of its own is none of its. */
void spool_cells_forget(const char *folder);

void spool_cells_add(SpoolCells *sum, const SpoolCells *more);

/* As an object, behind a key or where a value stands. */
void spool_cells_put(const SpoolCells *cells, Json *json);
/* `ret_cells` is all 0 for NULL. Errors: ERR_SYNTAX for what is no such object, or can't be so. */
int spool_cells_read(const json_t *object, SpoolCells *ret_cells, Err *err);

#endif
