/* rerun.h - an agent's own program is asked once more what it was asked in a contest: the first
 * answer that differs from the recorded one.
 *
 * For:    `warg audit --rerun`. Who holds every key can forge an answer and all that follows from
 *         it; the program that is said to have given it can't be forged.
 * Memory: verdicts are the caller's, plain values.
 * Thread: one; it runs an event loop of its own.
 * Source: docs/spec/contest-operations.md 8.5, last paragraph.
 *
 * Per set one program, as in the contest. Where it fails there, or a substitute played, nothing is
 * sent any more; where it was started anew so it is here. A contest that was gone on with
 * (--resume) has started programs anew in the middle of a set, which no file tells: an answer that
 * differs is looked at again with a program that is started anew at that game.
 */
#ifndef WARG_AUDIT_RERUN_H
#define WARG_AUDIT_RERUN_H

#include "audit/rerun_play.h"
#include "base/key.h"
#include "cell/cell.h"

#define RERUN_AGENTS_MAX 16

typedef struct RerunAgent {
    const char *name;
    const char *command; /* with {host}, {port}, {name} */
} RerunAgent;

typedef struct RerunSetup {
    const char *dir;
    const RerunAgent *agents;
    uint32_t count; /* at most RERUN_AGENTS_MAX */
    uint64_t sets;  /* so many of each agent, drawn by `pick`; 0 = all */
    const Key *pick;
    const char *host; /* where programs connect to */
    const Cell *cell; /* what they run in; NULL = in none */
    /* About ten times a second: sets that are done, of how many. False ends it. May be NULL. */
    bool (*progress)(void *user, const char *name, uint64_t done, uint64_t sets, TimeUs now);
    void *user;
} RerunSetup;

typedef enum RerunState {
    RERUN_NOTHING, /* nothing was given again; `text` says why */
    RERUN_SAME,
    RERUN_DIFFERS,
    RERUN_BROKEN, /* a record can't be played: file, line, `text` */
} RerunState;

typedef struct RerunVerdict {
    const char *name; /* of the setup */
    RerunState state;
    uint64_t answers; /* that are the same */
    uint64_t sets;    /* in which something was asked; with seats at one table twice, twice */
    uint64_t games;   /* likewise */
    uint64_t anew;    /* times that only a program that was started anew gave the same */
    char file[GAME_LOG_MAX + 1];
    uint64_t set;
    uint64_t game;
    RerunDifference difference;
    char text[ERR_TEXT_MAX];
} RerunVerdict;

/* Errors: those of reading a folder of --out; ERR_USAGE for a name of which no set is kept;
 * ERR_IO, ERR_MEMORY, ERR_INTERRUPTED. No program is left. */
int rerun_run(const RerunSetup *setup, RerunVerdict ret_verdicts[], Err *err);

/* Whether no answer differs, and every record could be played. */
bool rerun_holds(const RerunVerdict verdicts[], uint32_t count);

#endif
