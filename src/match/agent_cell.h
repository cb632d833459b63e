/* agent_cell.h - what an agent that we start is given: its environment, and the cell it runs in.
 *
 * For:    the hall (match/hall.h), tables of MAW, and the commands that make a cell for them.
 * Memory: the caller's; each function says so.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.4 (an exact environment), 6.1 (others' folders and
 *         processes); man/warg-run.1.scd, env=NAME.
 *
 * Keys and passwords of whoever runs a contest stand in the environment, so agents get PATH, HOME,
 * LANG and TZ, what `env=NAME` names, and PYTHONUNBUFFERED=1, without which the last words of a
 * Python program that crashes are lost. `env=*` is all.
 */
#ifndef WARG_MATCH_AGENT_CELL_H
#define WARG_MATCH_AGENT_CELL_H

#include "match/plan.h"
#include "net/cell.h"
#include "net/child.h"

typedef struct AgentCellSetup {
    const char *own_verb; /* of the running program, as in cell_new; NULL = none */
    unsigned umask;       /* that agents have */
    const char *logs;     /* a folder to hide beside that of the results; NULL = none */
} AgentCellSetup;

/* The cell for the agents of a plan: the results in `out` (NULL = none) are hidden, and our own
 * memory is closed from now on (cell_guard_self). NULL when the plan starts nobody. Appends to
 * `notes` a line for each thing that the organiser should know: that there are no cells and why,
 * whose folder is hidden from itself, who gets the whole environment. Errors: those of cell_new. */
int agent_cell_new(const AgentCellSetup *setup, const char *out, const Plan *plan, Cell **ret_cell,
                   Buf *notes, Err *err);

/* Takes a name of `env=NAME`, or `*`, in `names`, where they stand with a blank between. Errors:
 * ERR_USAGE for what is no name of a variable. */
int agent_cell_add_name(Str name, Buf *names, Err *err);

/* The environment, ours being `from` ("NAME=VALUE", NULL-terminated). One block on the heap, for
 * mem_free; the texts in it are borrowed. NULL when memory is out. */
const char **agent_cell_environment(const PlanAgent *agent, const char *const *from);
/* The same from our own. */
const char **agent_cell_own_environment(const PlanAgent *agent);

/* Appends the names of variables of `from` that it did not get, sorted, a comma between, nothing
 * when there are none; of many the first ones and how many more. What every shell sets by itself is
 * not among them. */
void agent_cell_add_left_out(const PlanAgent *agent, const char *const *from, Buf *out);
/* A line of it, begun by a line end, with our own: for an agent that died so at its start. Nothing
 * when its program was not found or could not be run. */
void agent_cell_add_hint(const PlanAgent *agent, ChildEnd how, Buf *out);

#endif
