/* version.h - what a team hands in: received, unpacked, checked, played, and which of them plays.
 *
 * For:    the site's doors, the handlers of jobs' results, the clock.
 * Memory: a Version owns its texts; version_done frees them.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 2 (states), 5, 3.2 (`submit`).
 *
 *   RECEIVED -> UNPACKED -> BUILT -> CHECKING -> PASSED -> ACTIVE <-> SUSPENDED
 *
 *   RECEIVED -> UNPACKED  [version_advance]   the archive is a tree; its digest is known
 *   UNPACKED -> BUILT     [version_advance]   what it asks for is there
 *   BUILT    -> CHECKING  [version_advance]   its check is under way
 *   CHECKING -> PASSED    [version_advance]   and ACTIVE at once while the contest takes versions
 *   any of the first four -> REFUSED          with the reason
 *   ACTIVE   -> RETIRED                       a newer one became active, or the team chose another
 *   ACTIVE  <-> SUSPENDED [version_suspend, version_activate]
 *
 * At most one version of a team is ACTIVE. While the contest is OPEN, and for finalists in
 * REVISION, it changes with each that passes; version_freeze fixes it, and then it is the one that
 * plays for the contest.
 */
#ifndef WARG_SITE_VERSION_H
#define WARG_SITE_VERSION_H

#include "base/buf.h"
#include "store/db.h"

typedef enum VersionState {
    VERSION_RECEIVED,
    VERSION_UNPACKED,
    VERSION_BUILT,
    VERSION_CHECKING,
    VERSION_PASSED,
    VERSION_ACTIVE,
    VERSION_SUSPENDED,
    VERSION_RETIRED,
    VERSION_REFUSED,
    VERSION_STATES,
} VersionState;

#define VERSION_ENTRY_BYTES 255  /* at most */
#define VERSION_NOTE_BYTES  2000 /* at most */

/* Of the contest file: `submit`. */
typedef struct VersionRules {
    Str languages;             /* "java dotnet", blanks between; empty = all that there are */
    uint32_t versions_per_day; /* in 24 hours; 0 = as many as one likes */
    uint32_t keep;             /* files of so many versions of a team are kept; 0 = of all */
} VersionRules;

typedef struct VersionSetup {
    int64_t team;
    Str language; /* "java", "dotnet", "python", "native" */
    Str entry;    /* class, script or program; may be empty for .NET */
    Str note;
    int64_t account; /* who sends it; 0 = the server itself */
    bool finalist;   /* of the team: in REVISION only finalists hand in */
} VersionSetup;

typedef struct Version {
    int64_t id, team, contest, number, bytes, account, at;
    VersionState state;
    Buf team_name, language, entry, note;
    Buf blob;   /* SHA-256 of the file; empty = it has not come yet */
    Buf tree;   /* digest of what it was unpacked to, 64 digits; empty = not known */
    Buf why;    /* of REFUSED and SUSPENDED */
    Buf report; /* JSON of the check, docs/spec/contest-operations.md 7; empty = none yet */
} Version;

void version_done(Version *version); /* also for CLEANUP; a zeroed one is fine */

/* ---- taking ---- */

/* A new version without a file. Errors: ERR_RULE: the contest takes none now, the team does not
 * play, the language is none of the contest's, an entry that can't be one, versions_per_day; those
 * of the store. */
int version_receive(Db *db, const VersionSetup *setup, const VersionRules *rules, int64_t now_ms,
                    int64_t *ret_id, int64_t *ret_number, Err *err);

/* Its file has come; in the caller's transaction, in which its first job is put
 * (site/version_jobs.h). `ret_drops` (may be NULL) gets, a line each, the digests of files that
 * `keep` lets go: of older versions of the team which are REFUSED or RETIRED, and nobody else's.
 * Errors: ERR_RULE: it has one already. */
int version_has_file(Db *db, int64_t id, Str sha256, uint64_t bytes, const VersionRules *rules,
                     Buf *ret_drops, Err *err);

/* ---- what jobs find ---- */

typedef struct VersionStep {
    VersionState from, to;
    Str tree;   /* with UNPACKED */
    Str why;    /* with REFUSED */
    Str report; /* with PASSED and REFUSED by the check; may be empty */
} VersionStep;

/* From a state to the next; `ret_moved` is false when it was not `from` (it was taken over
 * already). PASSED becomes ACTIVE where the contest takes versions. In the caller's transaction.
 * Errors: those of the store; ERR_RULE for a step that is none. */
int version_advance(Db *db, int64_t id, const VersionStep *step, bool *ret_moved, Err *err);

/* Other teams of the contest which have a version of the same tree, a line each; appended. What an
 * organiser is told of. Errors: those of the store. */
int version_twins(Db *db, int64_t id, Buf *out, Err *err);

/* ---- which one plays ---- */

/* The team chooses: PASSED or RETIRED becomes ACTIVE while the contest takes versions; a SUSPENDED
 * one only by an organiser, at any time. Errors: ERR_RULE. */
int version_activate(Db *db, int64_t id, bool organiser, Err *err);

/* ACTIVE -> SUSPENDED, with the reason; the team plays with none until another one passes. Errors:
 * ERR_RULE: it is not active. */
int version_suspend(Db *db, int64_t id, Str why, Err *err);

typedef struct VersionFreeze {
    uint32_t ready; /* teams that have one */
    Buf without;    /* names of teams without one, a line each */
} VersionFreeze;

void version_freeze_done(VersionFreeze *freeze);

/* Fixes what plays: of each team that is IN the active version, or where there is none the last
 * that passed and is not suspended. Teams without one are OUT when `out`. In the caller's
 * transaction; twice changes nothing. */
int version_freeze(Db *db, int64_t contest, bool out, VersionFreeze *ret_freeze, Err *err);

/* ---- looking ---- */

/* Errors: ERR_RULE when there is none. */
int version_find(Db *db, int64_t id, Version *ret_version, Err *err);

/* The active one of a team; `ret_there` is false when it has none. */
int version_of_team(Db *db, int64_t team, Version *ret_version, bool *ret_there, Err *err);

/* Those of a team, newest first; the reports are left out. */
int version_each(Db *db, int64_t team, int (*hear)(void *user, const Version *version, Err *err),
                 void *user, Err *err);

/* How many of a contest are on their way (RECEIVED with a file, UNPACKED, BUILT, CHECKING). */
int version_waiting(Db *db, int64_t contest, uint32_t *ret_count, Err *err);

/* "RECEIVED"; "" for VERSION_STATES. */
const char *version_state_name(VersionState state);
bool version_state_of(Str name, VersionState *ret_state);

/* Whether a version may go from a state to another one. Pure. */
bool version_may_go(VersionState from, VersionState to);

#endif
