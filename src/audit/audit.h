/* audit.h - whether all that a contest's folder, or its published bundle, says follows from what
 * was committed to before and from what was sent and answered.
 *
 * For:    `warg audit`; `warg bundle`, which asks before it publishes.
 * Memory: an AuditReport is a plain value.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 11.5.
 *
 * Nothing that was written down as a result is believed: keys have to be those of their
 * commitments, seats and roles those of the keys, logs what comes out when keys and answers are
 * played again, results those of the logs, ranks those of the results. The journal's checksums find
 * damage; what somebody changed on purpose they don't, so nothing rests on them.
 */
#ifndef WARG_AUDIT_AUDIT_H
#define WARG_AUDIT_AUDIT_H

#include "base/err.h"
#include "base/key.h"

typedef enum AuditStep {
    AUDIT_FILES,    /* the manifest of a bundle: every file is there, as it was, and no other */
    AUDIT_LEDGER,   /* its tree, its signature; its entries are about these lines of the journal */
    AUDIT_JOURNAL,  /* can be read; its plan can be played; what is in which order */
    AUDIT_CHANCE,   /* commitments, lots, beacons, keys */
    AUDIT_SEATS,    /* every set */
    AUDIT_GAMES,    /* every game, or as many as were asked for */
    AUDIT_FAULTS,   /* faults.jsonl is what the games' lines say */
    AUDIT_FINDINGS, /* findings.jsonl is what the games' lines and those of sets' ends say */
    AUDIT_CONDUCT,  /* rulings are about what the rules of the contest are about */
    AUDIT_RANKING,  /* rates, ranks, who went on, lots among the tied */
    AUDIT_SITE,     /* of a contest site: commitments, lots, programs, rulings in its ledger */
    AUDIT_JUDGING,  /* in natural language: which sheets, whose, ratings, scores */
    AUDIT_STEPS,
} AuditStep;

typedef enum AuditState {
    AUDIT_NOT_REACHED,
    AUDIT_ABSENT, /* there is nothing of it here; `text` says why */
    AUDIT_HOLDS,
    AUDIT_CONTRADICTED,
} AuditState;

typedef struct AuditVerdict {
    AuditState state;
    uint64_t count;          /* what was looked at */
    char file[256];          /* of the first contradiction, in the folder; may be empty */
    unsigned line;           /* of it, from 1; 0 = none */
    char text[ERR_TEXT_MAX]; /* of what holds: what is to be said of it besides; may be empty */
} AuditVerdict;

typedef struct AuditReport {
    AuditVerdict steps[AUDIT_STEPS];
    uint64_t games;  /* in the journal */
    uint32_t agents; /* names */
    bool over;       /* the contest was played to its end */
    bool late_test;  /* which test ends it was told behind games: nothing shows that it was not
                      * chosen to fit */
} AuditReport;

typedef struct AuditSetup {
    const char *dir;
    uint64_t games; /* so many, drawn by `pick`, are played again; 0 = all */
    const Key *pick;
    const char *key;                /* the verifier key of its ledger, as somebody knows it; may be
                                     * NULL */
    const char *const *checkpoints; /* files that somebody kept: it has to begin as they say */
    size_t checkpoint_count;
    /* Games that were looked at, of how many; may be NULL. False ends the audit. */
    bool (*progress)(void *user, uint64_t done, uint64_t games);
    void *user;
} AuditSetup;

/* Looks. A contradiction is a verdict, no error; each step has its first.
 * Errors: ERR_IO when there is nothing to look at, ERR_MEMORY, ERR_INTERRUPTED. */
int audit_run(const AuditSetup *setup, AuditReport *ret_report, Err *err);

/* Whether nothing was contradicted. */
bool audit_holds(const AuditReport *report);

/* "files", "journal", ... */
const char *audit_step_name(AuditStep step);

#endif
