/* appeal.h - appeals of teams: against a finding, a game or a rank; what the server has about it;
 * what comes of it.
 *
 * For:    the API's appeals.
 * Memory: none is kept.
 * Thread: the store's. All in the caller's transaction, but appeal_gather.
 * Source: docs/spec/contest-operations.md 8.6, O27.
 *
 * What is granted dismisses a finding or makes a game void, for everybody; the ranking follows. A
 * set is played anew by making its games void while the stage goes on: the rounds to come make up
 * for them. Nobody edits results: there is no function for it.
 */
#ifndef WARG_SITE_APPEAL_H
#define WARG_SITE_APPEAL_H

#include "base/json.h"
#include "site/contest_home.h"
#include "store/db.h"

#define APPEAL_TEXT_MAX 8000 /* bytes */

typedef enum AppealAbout { APPEAL_FINDING, APPEAL_GAME, APPEAL_RANK, APPEAL_ABOUTS } AppealAbout;

/* "finding", "game", "rank"; APPEAL_ABOUTS for any other word. */
AppealAbout appeal_about_of(Str word);

/* `object`: the number of the finding or game in the store; 0 with APPEAL_RANK. Errors: ERR_RULE
 * with the field: not the team's, one is open about it already. */
int appeal_make(Db *db, int64_t team, AppealAbout about, int64_t object, Str text, int64_t now_ms,
                int64_t *ret_id, Err *err);

/* Adds what the server has: of a game its log, exchange record, digests and times of the team's
 * seats, and whether the record gives the log. Plays it again: not on every request. While the
 * import does not know yet where the game stands, nothing is added. */
int appeal_gather(Db *db, const ContestHome *home, int64_t appeal, Err *err);
/* One of the contest that has no evidence yet; 0 = none. */
int appeal_next_to_gather(Db *db, int64_t contest, int64_t *ret_appeal, Err *err);

/* Closes it. Granted: the finding is dismissed, or the game is void (`whole_set`: all of its set).
 * Errors: ERR_RULE: it is closed, or about a game of a stage that others followed from. */
int appeal_close(Db *db, int64_t appeal, bool grant, bool whole_set, Str answer, int64_t account,
                 int64_t now_ms, Err *err);

/* The contest and team of an appeal; 0 and 0 for none. */
int appeal_owner(Db *db, int64_t appeal, int64_t *ret_contest, int64_t *ret_team, Err *err);
int appeals_open(Db *db, int64_t contest, uint32_t *ret_count, Err *err);
/* An array of {"id","team","about","object","text","state","opened","closed"?,"answer"?,
 * "evidence"?}; of one team, or with 0 of all. */
int appeals_write(Db *db, int64_t contest, int64_t team, Json *json, Err *err);

#endif
