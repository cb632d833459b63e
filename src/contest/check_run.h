/* check_run.h - tries an agent of the protocol division as an organiser would before a contest:
 * plays with it what contest/agent_check.h judges.
 *
 * For:    `warg agent check`.
 * Memory: borrows the run; the AgentCheck is the caller's.
 * Thread: main thread; runs loops of its own until it is over.
 * Source: docs/spec/contest-operations.md 7.
 *
 *     dialogue   one game in each role at tables of 5 and 15, against contest/check_bot.h; a
 * program that fails is started anew set        a set at each size among built-in bots, one program
 * for each repeat     a set of 5 again, with another program; what it leaves in its folder is seen
 * then
 *
 * The same games each time: chance comes from a fixed seed.
 */
#ifndef WARG_CONTEST_CHECK_RUN_H
#define WARG_CONTEST_CHECK_RUN_H

#include "base/time_us.h"
#include "contest/agent_check.h"
#include "match/agent_cell.h"

#define CHECK_GAMES_MAX 1000

typedef struct CheckRun {
    const PlanAgent *agent; /* who is tried */
    uint32_t games;         /* of a set */
    CheckLimits limits; /* one_thread follows from the command; answer_ms 0 = as the rules say */
    uint32_t startup_ms;
    const AgentCellSetup *cell;
    CellWish wish; /* which cell */
    TimeUs (*now)(void);
    DateMs *date;
    /* About ten times a second. False ends it. */
    bool (*progress)(void *user, CheckPlay play, uint64_t done, uint64_t games, TimeUs now);
    /* What the organiser should know of cells. */
    void (*note)(void *user, Str text);
    void *user;
} CheckRun;

/* Plays all and judges. What broke by our fault is played again, at most three times in all, and is
 * an error then. Errors: ERR_IO, ERR_MEMORY, ERR_INTERRUPTED. */
int check_run(const CheckRun *run, AgentCheck *ret_check, Err *err);

#endif
