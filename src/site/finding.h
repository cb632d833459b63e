/* finding.h - what teams' programs were noticed for: from the journal into the store, answered by
 * their team, ruled on by an organiser.
 *
 * For:    the API's findings and rulings; the clock; play_follow.h brings them.
 * Memory: none is kept.
 * Thread: the store's. All in the caller's transaction.
 * Source: docs/spec/contest-operations.md 8.5, O26.
 *
 *   NOTED -> STRIKE -> PROPOSED (so many strikes, or an action "eliminate") -> ANSWERED -> RULED
 *
 * One finding of a team, a rule and a stage, whose count grows. Each step is an entry `finding`,
 * each decision an entry `ruling` of the ledger. No result is edited: a ruling becomes a line of
 * the journal of contests/NAME/play when nobody plays there (ruling.h), and what follows from
 * the journal follows from it.
 */
#ifndef WARG_SITE_FINDING_H
#define WARG_SITE_FINDING_H

#include "base/json.h"
#include "contest/conducts.h"
#include "site/contest_home.h"
#include "store/db.h"

typedef struct json_t json_t;

/* The rule of a seat that speaks to the judges: docs/spec/contest-operations.md 10.3. */
#define FINDING_JUDGE "judge"

#define FINDING_ANSWER_MAX 4000 /* bytes */

typedef enum FindingState {
    FINDING_NOTED,
    FINDING_STRIKE,
    FINDING_PROPOSED,
    FINDING_ANSWERED,
    FINDING_RULED,
    FINDING_STATES,
} FindingState;

/* "PROPOSED", as the store has it; "" for FINDING_STATES. */
const char *finding_state_name(FindingState state);

/* What was counted of a team in a stage under a rule. Borrowed. */
typedef struct FindingCount {
    int64_t contest;
    Str team; /* its agents' name; nothing happens when the contest has no such team */
    uint32_t stage;
    Str stage_name;
    Str rule;             /* of conduct_rule_name, or FINDING_JUDGE */
    ConductAction action; /* what follows from it */
    uint64_t count, games;
    Str text;               /* of the first, in words; may be empty */
    const json_t *evidence; /* new ones: an array of objects, each with "sha256" */
} FindingCount;

#define FINDING_EVIDENCE_MAX 3 /* kept */

/* Brings one that is there to what counts without games that became void; one that waits for a
 * ruling may no longer do so. */
int finding_recount(Db *db, const FindingCount *count, Err *err);

/* Makes the finding or brings it up to date; what is new of its state goes into the ledger. */
int finding_count(Db *db, const FindingCount *count, int64_t now_ms, Err *err);

/* The journal has a ruling on a finding. One that nobody here has made followed from rules that
 * carry themselves out (`confirm: false`): it becomes a row as an organiser's is, and the team is
 * told. A ruling on what is no finding is left alone. */
int finding_ruled(Db *db, int64_t contest, const JournalRuling *ruling, int64_t now_ms, Err *err);

/* What the team has to say to a finding that is not ruled yet. Errors: ERR_RULE with the field. */
int finding_answer(Db *db, int64_t finding, Str text, int64_t now_ms, Err *err);

/* Decides; another decision later takes its place, as long as no stage behind it has begun.
 * `appeal`: the one that is granted by it, 0 = none. Errors: ERR_RULE with the field; also when the
 * last ruling says the same for the same reason, and no appeal has asked for another. */
int finding_rule(Db *db, int64_t finding, int64_t appeal, RulingDecision decision, Str reason,
                 int64_t account, int64_t now_ms, Err *err);

/* The contest and the team (0 = it is gone) of a finding; 0 and 0 for none. */
int finding_owner(Db *db, int64_t finding, int64_t *ret_contest, int64_t *ret_team, Err *err);

/* An array of objects {"id","team","stage","rule","state","count","games","at","text",
 * "evidence":[...],"answer"?,"decision"?,"reason"?}; of one team, or with 0 of all. */
int findings_write(Db *db, int64_t contest, int64_t team, Json *json, Err *err);
/* How many wait for a ruling, and since when (0 = none). */
int findings_waiting(Db *db, int64_t contest, uint32_t *ret_count, int64_t *ret_oldest_ms,
                     Err *err);

#endif
