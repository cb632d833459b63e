/* finding.h - a noticed breach: something that a program tried and that its rules forbid.
 *
 * For:    cells (cell/witness.h), which see it; games' records, conduct, reports.
 * Memory: a plain value; the text is borrowed.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.6, 8.5.
 */
#ifndef WARG_RECORD_FINDING_H
#define WARG_RECORD_FINDING_H

#include "base/str.h"
#include "game/role.h"

typedef enum FindingRule {
    FINDING_NETWORK, /* a connection to something else than its game */
    FINDING_WRITE,   /* a file */
    FINDING_PROCESS, /* another program or process */
    FINDING_THREAD,  /* a thread that its runtime does not have by itself */
    FINDING_MEMORY,  /* ended at its limit */
    FINDING_OUTPUT,  /* more printed than is kept */
    FINDING_NAME,    /* another name than its own; no cell sees that, but who asks for it */
    FINDING_RULES,
} FindingRule;

#define FINDING_TEXT_MAX 200 /* bytes, printable */
#define FINDINGS_KEPT    100 /* of a rule and a set, one by one; all are counted */

typedef struct Finding {
    FindingRule rule;
    Str text;       /* "connect 8.8.8.8:53", "fork, refused"; empty: beyond those kept */
    uint32_t count; /* 1; more of what is only counted */
} Finding;

/* A finding with its place. Borrowed. */
typedef struct FindingNote {
    Finding finding;
    Str agent;
    uint32_t stage; /* by stage_number */
    uint64_t set;
    uint64_t game; /* with `in_game` */
    SeatNo seat;
    uint16_t day; /* of the game at that moment; 0 = before it or between two */
    bool in_game; /* it is counted in that game; else it came behind the last of its set */
    bool listed;  /* among those that are kept one by one */
} FindingNote;

/* Of a rule, an agent and a set: more than were kept one by one. */
typedef struct FindingTotal {
    FindingRule rule;
    Str agent;
    uint64_t seen; /* since its program was first started in this run */
} FindingTotal;

/* "network", "write", ... */
const char *finding_rule_name(FindingRule rule);
/* FINDING_RULES for a name that is none. */
FindingRule finding_rule_of(Str name);

#endif
