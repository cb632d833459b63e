/* contest.h - the contests of a server: made, found, amended, moved from state to state.
 *
 * For:    the site's doors, its clock, `warg contest`.
 * Memory: a Contest owns its texts; contest_done frees them.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 2, 3.2.
 *
 * The store has the text of the contest file that is in force; DATA/contests/NAME/contest.yml is a
 * copy for the runner, written behind the commit (contest_write_file), and again at start.
 */
#ifndef WARG_SITE_CONTEST_H
#define WARG_SITE_CONTEST_H

#include "site/contest_rules.h"
#include "store/db.h"

#define CONTEST_NONE 0

typedef struct Contest {
    int64_t id;
    Buf name, file, digest; /* digest: SHA-256 of the file, hexadecimal */
    LifeState state;
    bool paused;
    int64_t changed_ms; /* since when it is in this state */
} Contest;

void contest_done(Contest *contest); /* also for CLEANUP */

/* Who changes something, and where from. */
typedef struct ContestActor {
    int64_t account; /* TRAIL_SERVER: the clock */
    Str address;
    Str reason; /* may be empty where none is asked for */
    int64_t now_ms;
} ContestActor;

/* A contest in DRAFT, out of its file. `folder`: see contest_rules.h. Errors: those of
 * contest_rules_read; ERR_RULE for a name that is taken; the store's. */
int contest_make(Db *db, Str text, const char *folder, const ContestActor *actor, int64_t *ret_id,
                 Err *err);

/* `id` is CONTEST_NONE when there is none. */
int contest_find(Db *db, Str name, Contest *ret_contest, Err *err);
int contest_get(Db *db, int64_t id, Contest *ret_contest, Err *err);
/* All, by their names. What `hear` returns but 0 ends it. */
int contest_each(Db *db, int (*hear)(void *user, const Contest *contest, Err *err), void *user,
                 Err *err);

/* Another file in its place. In DRAFT all may change. Later, texts and future dates; the rest with
 * a reason, of which all teams are told. Never: name, division, the names of stages, a date that is
 * over; from a stage's first counted game on the rules, the stages, and when it stops. Both digests
 * go into the ledger. One transaction. Errors: ERR_RULE that says what is not to be changed. */
int contest_amend(Db *db, int64_t id, Str text, const char *folder, const ContestActor *actor,
                  Err *err);
/* The same for dates alone: keys and texts as in the file. */
typedef struct ContestDate {
    Str key, value;
} ContestDate;
int contest_amend_dates(Db *db, int64_t id, const ContestDate *dates, size_t count,
                        const char *folder, const ContestActor *actor, Err *err);

/* Stands still, or goes on; twice changes nothing. With its length in the ledger. One transaction.
 * Errors: ERR_RULE in a state that can't be paused, or without a reason. */
int contest_set_paused(Db *db, int64_t id, bool paused, const ContestActor *actor, Err *err);

/* A word to all teams, in one transaction with the trail. `japanese` may be empty. */
int contest_announce(Db *db, int64_t id, Str english, Str japanese, const ContestActor *actor,
                     Err *err);

/* From one state to another: the row, the trail, what organisers and teams are told, the ledger, in
 * the caller's transaction. `ret_moved` is false, and nothing changed, when it was not in `from`.
 */
typedef struct ContestMove {
    int64_t contest;
    LifeState from, to;
    const ContestActor *actor;
} ContestMove;
int contest_move(Db *db, const ContestMove *move, bool *ret_moved, Err *err);

/* What an organiser has asked for and is still to come: the state that is to be left. */
int contest_ask(Db *db, int64_t id, LifeState from, Err *err);
int contest_asked(Db *db, int64_t id, LifeState from, bool *ret_asked, Err *err);

/* Writes DATA/contests/NAME/contest.yml where it says something else, and makes its folders.
 * Errors: ERR_IO. */
int contest_write_file(const char *data, const Contest *contest, Err *err);

#endif
