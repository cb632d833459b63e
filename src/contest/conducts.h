/* conducts.h - what agents did that a contest has rules for: counts of each stage, what follows
 * from the rules, and what somebody ruled.
 *
 * For:    contest_run, `warg contest findings` and `rule`, audits.
 * Memory: a Conducts owns its list.
 * Thread: one at a time.
 * Source: docs/spec/contest-operations.md 8.5.
 *
 * A rule has an action: note, strike, eliminate. So many strikes in a stage, or an action
 * "eliminate", propose an elimination. With `confirm` somebody rules on each proposal; else it is
 * carried out. Extra rounds count for the stage that they belong to.
 */
#ifndef WARG_CONTEST_CONDUCTS_H
#define WARG_CONTEST_CONDUCTS_H

#include "journal/journal.h"
#include "match/plan.h"

/* One agent in one stage. */
typedef struct AgentConduct {
    char agent[AGENT_NAME_MAX + 1];
    uint32_t stage;
    uint64_t games;
    uint64_t counts[CONDUCT_RULES];
    RulingDecision ruled[CONDUCT_RULES]; /* RULING_COUNT: not */
    bool gone;                           /* eliminated by somebody's word alone */
} AgentConduct;

/* Zero it first. */
typedef struct Conducts {
    AgentConduct *items;
    size_t count;
    size_t room;
} Conducts;

void conducts_done(Conducts *conducts); /* also for CLEANUP */

/* A void game counts for nobody, here too. Errors: ERR_MEMORY. */
int conducts_add_game(Conducts *conducts, const GameRecord *record, Err *err);
/* Takes out again what a game that was counted has added. Errors: ERR_MEMORY. */
int conducts_take_out_game(Conducts *conducts, const GameRecord *record, Err *err);
int conducts_add_ruling(Conducts *conducts, const JournalRuling *ruling, Err *err);

/* That of an agent in a stage, made when there is none; NULL without memory. Borrowed until the
 * next is made, or findings are asked for. */
AgentConduct *conducts_of(Conducts *conducts, uint32_t stage, Str agent);

/* What follows from a rule of an agent: a note where it is not broken. Strikes together eliminate.
 */
ConductAction conduct_action(const AgentConduct *conduct, const PlanConduct *rules,
                             ConductRule rule);

/* Something that a rule of the plan is about. */
typedef struct ConductFinding {
    const AgentConduct *conduct;
    ConductRule rule;
    uint64_t count;
    ConductAction action; /* strikes together eliminate, too: then the last of them has it */
    RulingDecision ruled; /* RULING_COUNT: not */
} ConductFinding;

/* The findings of all stages in their order: stages, names, rules. `number` counts from 0. Returns
 * false behind the last. What only notes is none. */
bool conducts_finding(Conducts *conducts, const PlanConduct *rules, uint32_t number,
                      ConductFinding *ret);

/* CONDUCT_RULES for any other word. */
ConductRule conduct_rule_of(Str name);

/* The rule of findings that a rule of conduct is about; FINDING_RULES: it is about none. */
FindingRule conduct_finding_rule(ConductRule rule);

/* Whether a ruling under this name needs nothing that the games show: a team has withdrawn
 * ("withdraw"), or an organiser says why ("other"). */
bool conduct_is_word(Str rule);

/* Whether the agent is eliminated in the stage or was before it. */
bool conducts_eliminated(const Conducts *conducts, uint32_t stage, Str agent);

#endif
