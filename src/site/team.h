/* team.h - teams of a contest: founded, joined, left, withdrawn.
 *
 * For:    the site's doors and `warg contest team`.
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 2; names: docs/spec/nlp-division.md 2.1.
 *
 * A person is in at most one team of a contest, and a team has one captain at least as long as it
 * has members. Whether the contest takes teams now is its life's business (site/life.h), who may
 * ask may.h's.
 */
#ifndef WARG_SITE_TEAM_H
#define WARG_SITE_TEAM_H

#include "store/db.h"

#define TEAM_NONE       0
#define TEAM_NAME_BYTES 32 /* at most */

typedef enum TeamState {
    TEAM_WAITING,   /* for an organiser to approve it */
    TEAM_IN,        /* plays */
    TEAM_WITHDRAWN, /* by itself */
    TEAM_OUT,       /* no version, or no source in time, or by a ruling */
    TEAM_STATES,
} TeamState;

typedef struct TeamSetup {
    int64_t contest;
    bool natural_language; /* there a name may not end in a digit: agents are NAME1, NAME2 ... */
    bool approve;          /* it waits for an organiser */
    Str name;
    Str affiliation; /* may be empty */
    int64_t captain; /* an account */
} TeamSetup;

/* Whether a team can have this name. Errors: ERR_RULE with what is wrong. */
int team_judge_name(Str name, bool natural_language, Err *err);

/* Errors: ERR_RULE: the name can't be one, or is taken (letters of either case), or the captain is
 * in a team of this contest already; those of the store. */
int team_found(Db *db, const TeamSetup *setup, int64_t now_ms, int64_t *ret_team, Err *err);

/* Errors: ERR_RULE: in a team of this contest already, a judge with sheets of it (whose teams'
 * games were kept from whom was settled when they were drawn), `members_max` are there, or the team
 * has withdrawn or is out. */
int team_join(Db *db, int64_t team, int64_t account, uint32_t members_max, Err *err);

/* Who leaves as the last withdraws the team. Errors: ERR_RULE: no member, or the only captain of
 * others. */
int team_leave(Db *db, int64_t team, int64_t account, Err *err);

/* Errors: ERR_RULE: no member. */
int team_set_captain(Db *db, int64_t team, int64_t account, bool captain, Err *err);

/* From a state to another one; `ret_changed` is false when it was not `from`. */
int team_move(Db *db, int64_t team, TeamState from, TeamState to, bool *ret_changed, Err *err);

/* The team of this name in a contest, TEAM_NONE. */
int team_find(Db *db, int64_t contest, Str name, int64_t *ret_team, Err *err);
/* The team of an account in a contest, TEAM_NONE. */
int team_of_account(Db *db, int64_t contest, int64_t account, int64_t *ret_team, Err *err);
/* What an account is to a team: IS_MEMBER, IS_CAPTAIN (site/may.h), or 0. */
int team_relations(Db *db, int64_t team, int64_t account, unsigned *ret_relations, Err *err);

/* Whether it has got into the final, and that it has, in the caller's transaction. */
int team_is_finalist(Db *db, int64_t team, bool *ret_finalist, Err *err);
int team_set_finalist(Db *db, int64_t team, bool finalist, Err *err);

/* "IN", as the store has it; "" for TEAM_STATES. */
const char *team_state_name(TeamState state);

#endif
