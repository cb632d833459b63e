/* agent_cell.h - the cell that the agents of a plan run in.
 *
 * For:    the commands that start agents.
 * Memory: the caller's.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.1 (others' folders and processes).
 */
#ifndef WARG_MATCH_AGENT_CELL_H
#define WARG_MATCH_AGENT_CELL_H

#include "cell/cell.h"
#include "match/plan.h"

typedef struct AgentCellSetup {
    const char *own_verb; /* of the running program, as in cell_new; NULL = none */
    unsigned umask;       /* that agents have */
    const char *logs;     /* a folder to hide beside that of the results; NULL = none */
    /* Folders of others in this process, which are hidden too; ends with NULL; NULL = none. */
    const char *const *others;
} AgentCellSetup;

/* The cell for the agents of a plan: the results in `out` (NULL = none) are hidden, and our own
 * memory is closed from now on (cell_guard_self). As strict as the plan wants it; NULL when the
 * plan starts nobody or wants none. Appends to
 * `notes` a line for each thing that the organiser should know: that there are no cells and why,
 * whose folder is hidden from itself, who gets the whole environment. Errors: those of cell_new. */
int agent_cell_new(const AgentCellSetup *setup, const char *out, const Plan *plan, Cell **ret_cell,
                   Buf *notes, Err *err);

/* Which programs of a plan: of users too, or those of others only, not `llm:` which is our own. */
typedef enum AgentPrograms { PROGRAMS_ALL, PROGRAMS_FOREIGN } AgentPrograms;

/* Whether the plan starts one. */
bool agent_cell_wanted(const Plan *plan, AgentPrograms which);

#endif
