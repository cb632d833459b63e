/* audit_served.h - a folder of `warg serve aiwolf --out`: agents came by themselves, so that its
 * plan does not say who played, and each time that it was gone on with may have a key of its own.
 *
 * For:    audit.c, bundle.c.
 * Memory: borrows what it is given.
 * Thread: one.
 * Source: serve/aiwolf_door.h; docs/spec/contest-operations.md 11.5.
 *
 * Where built-in bots sit and what each game deals follow from the key; who has the other seats is
 * what the journal says at the beginning of a set. A key is published when every set that was begun
 * is played to its end, and not before.
 */
#ifndef WARG_AUDIT_AUDIT_SERVED_H
#define WARG_AUDIT_AUDIT_SERVED_H

#include "audit/audit.h"
#include "audit/audit_index.h"
#include "match/stage_run.h"

typedef struct AuditServed {
    const AuditIndex *index;
    Plan *plan; /* gets the keys, one after the other */
    AuditReport *report;
    /* Looks at a game of the stage, whose key is known. */
    int (*game)(void *user, const StageRun *stage, AuditLine *line, Err *err);
    void *user;
    uint64_t closed; /* games whose key is not published */
} AuditServed;

/* Whether the plan is that of a server: sets without end, and seats that nobody is named for. */
bool audit_served_is(const Plan *plan);
/* Whether it can be played. Errors: ERR_RULE, ERR_USAGE. */
int audit_served_check_plan(const Plan *plan, Err *err);

/* Keys against what they were committed to by, and games behind their publication. */
void audit_served_chance(const AuditServed *served);
/* Sets and games. Errors: ERR_IO, ERR_MEMORY, those of `game`. */
int audit_served_games(AuditServed *served, Err *err);

/* Appends the ranking of all that a journal holds; returns how many agents there are. Errors: those
 * of journal_read. */
int audit_served_ranking(const char *dir, const Plan *plan, Buf *out, uint32_t *ret_agents,
                         Err *err);

#endif
