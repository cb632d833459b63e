/* nlp_check.h - whether a game log of the natural-language division could come from a legal game.
 *
 * For:    log_check, which asks the engine about logs of the other division.
 * Memory: the log is borrowed; a finding is a plain value.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 4, 5.1, 8.2, 10.2.
 *
 * This is no replay. What the engine would need to play such a game again is not in its log: how
 * long and how often one may speak, how many ballots are held, whether one may vote for oneself
 * differ from contest to contest, an invalid or missing answer leaves no line, and the older
 * servers' errored seats are no targets. So the lines themselves are judged, by all that holds
 * under every configuration with the standard phases: who sits where and lives, the order of days
 * and lines, who may speak, vote, divine, guard, attack and whom, idx and turn of utterances,
 * whether somebody with the most votes of the last ballot was executed or attacked, whether the
 * guard saved, when the game must end and who has won. A ruleset adds its own limits.
 */
#ifndef WARG_RECORD_NLP_CHECK_H
#define WARG_RECORD_NLP_CHECK_H

#include "record/log_replay.h"

/* What came of it; line and reason as in LogFinding. */
typedef struct NlpFinding {
    bool ok;
    bool truncated;       /* the log stops before its result */
    bool no_attack_votes; /* an attack has no attackVote lines, as the server of 2024 wrote it */
    bool anytime;         /* utterances are numbered as in a speak-anytime session (10.2) */
    unsigned line;
    char reason[LOG_REASON_MAX];
} NlpFinding;

/* Judges a log of LOG_FORM_NLP. `rules` may be NULL. */
void nlp_check(const LogGame *log, const Ruleset *rules, NlpFinding *ret);

#endif
