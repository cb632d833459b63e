/* finding_firsts.h - the first findings of each agent, rule and stage: as evidence.
 *
 * For:    who shows or rules on findings: `warg contest findings`, results.db, the report.
 * Memory: a FindingFirsts owns its list. Zero it first.
 * Thread: one at a time.
 * Source: docs/spec/contest-operations.md 8.5: evidence has file, line, time.
 */
#ifndef WARG_JOURNAL_FINDING_FIRSTS_H
#define WARG_JOURNAL_FINDING_FIRSTS_H

#include "journal/finding_line.h"
#include "record/game_record.h"

#define FINDING_FIRSTS_KEPT 3 /* of an agent, a rule and a stage with its extra rounds */

typedef struct FindingFirst {
    char agent[AGENT_NAME_MAX + 1];
    FindingRule rule;
    uint32_t stage; /* by stage_number */
    unsigned line;  /* of the file */
    uint64_t set;
    uint64_t game; /* with `in_game` */
    uint16_t day;
    SeatNo seat;
    bool in_game;
    int64_t at_ms;
    char text[FINDING_TEXT_MAX + 1];
    uint32_t next; /* 1 + index of the next of its kind; 0 = none */
} FindingFirst;

typedef struct FindingFirsts {
    FindingFirst *items; /* in the order of the file */
    uint32_t count;
    uint32_t room;
    uint32_t *places; /* hash table of kinds: 1 + index of the first; 0 = free */
    uint32_t place_count;
} FindingFirsts;

void finding_firsts_done(FindingFirsts *firsts); /* also for CLEANUP */

/* Of DIR/findings.jsonl; empty when there is none. Errors: as finding_lines_read. */
int finding_firsts_read(const char *dir, FindingFirsts *firsts, Err *err);

/* The first of an agent in a stage (0 to STAGES_MAX - 1; its extra rounds count with it), and the
 * next one; NULL = there is none. */
const FindingFirst *finding_firsts_of(const FindingFirsts *firsts, uint32_t stage, Str agent,
                                      FindingRule rule);
const FindingFirst *finding_firsts_next(const FindingFirsts *firsts, const FindingFirst *first);

#endif
