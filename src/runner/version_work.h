/* version_work.h - what is done with a file that a team has handed in, until it may play: unpacked,
 *                  built, checked. The server's jobs and a participant at home do the same.
 *
 * For:    jobs of the kinds unpack, build and check (runner/job_version.c); `warg contest check`.
 * Memory: a VersionWork owns its texts; version_work_done frees them.
 * Thread: main thread; runs loops of its own.
 * Source: docs/spec/contest-operations.md 5, 7; O12 to O15.
 *
 *   FILE --unpack--> tree --build--> tree with .deps --check--> report
 *
 * Each piece adds its step to the report. What the team has to change is `refused`, a sentence; an
 * error is ours, and says nothing of the version.
 */
#ifndef WARG_RUNNER_VERSION_WORK_H
#define WARG_RUNNER_VERSION_WORK_H

#include "base/time_us.h"
#include "contest/check_run.h"
#include "contest/version_terms.h"

/* Where it is done. Borrowed. */
typedef struct WorkPlace {
    const char *trees;    /* folder of trees by their digest; made when missing */
    const char *scratch;  /* a folder of ours, for what is under way; empty at first */
    const char *program;  /* warg's, which unpacks in a cell; NULL = the running one */
    const char *own_verb; /* of the running program, for cells */
    unsigned umask;       /* that agents have */
    DateMs *date;
    TimeUs (*now)(void);
    /* Hears how it gets on; false ends it. NULL = none. */
    bool (*progress)(void *user, const char *step, uint64_t done, uint64_t games, TimeUs now);
    void *user;
} WorkPlace;

typedef struct VersionWork {
    int64_t version; /* id at the server; 0 = none */
    int64_t number;
    Buf team, language, entry;
    VersionTerms terms;
    Buf tree;     /* 64 digits; empty = not unpacked yet */
    Buf steps;    /* of the report: objects of JSON, commas between */
    Buf warnings; /* a line each */
    Buf refused;  /* why; empty = it is not */
    Buf report;   /* JSON, docs/spec/contest-operations.md 7; when it was refused or checked */
} VersionWork;

void version_work_done(VersionWork *work); /* also for CLEANUP */

/* Reads a job's text: {"version","number","team","language","entry","tree","steps","warnings",
 * "terms"}. Errors: ERR_SYNTAX, ERR_LIMIT, ERR_MEMORY. */
int version_work_read(const json_t *job, VersionWork *ret_work, Err *err);
/* The members that a next job, or the server, takes over: those above but `terms`, and "refused"
 * and "report". Into an open object. */
void version_work_write(const VersionWork *work, Json *json);

/* `file`: the blob. */
int version_work_unpack(const WorkPlace *place, const char *file, VersionWork *work, Err *err);
/* What its requirements ask for. */
int version_work_build(const WorkPlace *place, VersionWork *work, Err *err);
/* Plays with it, in strict cells. Also ERR_INTERRUPTED. */
int version_work_check(const WorkPlace *place, VersionWork *work, Err *err);

#endif
