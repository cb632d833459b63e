/* life.h - the life of a contest: which state follows, when, and what it waits for.
 *
 * For:    a contest site: its clock, `warg contest status`, the organiser's page.
 * Memory: plain values.
 * Thread: pure: the time is an argument.
 * Source: docs/spec/contest-operations.md 2.
 *
 *   DRAFT > OPEN > FROZEN > PRELIMINARY > REVISION > FINAL > JUDGING > APPEALS > PUBLISHED >
 * ARCHIVED
 *
 *   A contest without a preliminary goes from FROZEN to FINAL, one without judges from FINAL to
 * APPEALS. Any before PUBLISHED may become CANCELLED. A paused contest goes nowhere.
 */
#ifndef WARG_SITE_LIFE_H
#define WARG_SITE_LIFE_H

#include "base/buf.h"

typedef enum LifeState {
    LIFE_DRAFT,
    LIFE_OPEN,
    LIFE_FROZEN,
    LIFE_PRELIMINARY,
    LIFE_REVISION,
    LIFE_FINAL,
    LIFE_JUDGING,
    LIFE_APPEALS,
    LIFE_PUBLISHED,
    LIFE_ARCHIVED,
    LIFE_CANCELLED,
    LIFE_STATES,
} LifeState;

/* Moments of a contest file, Unix time in milliseconds. */
typedef enum LifeDate {
    DATE_OPENS,
    DATE_SUBMISSION_CLOSES,
    DATE_PRELIMINARY, /* the first round, or the final's where there is no preliminary */
    DATE_REVISION_CLOSES,
    DATE_JUDGING_CLOSES,
    DATE_APPEALS_CLOSE,
    DATE_RETENTION_ENDS,
    LIFE_DATES,
} LifeDate;

/* A date that the file does not have. */
#define LIFE_NO_DATE INT64_MIN

/* What the contest file says. */
typedef struct LifePlan {
    bool preliminary;
    bool judges;
    int64_t dates[LIFE_DATES];
} LifePlan;

/* What is so now. */
typedef struct LifeFacts {
    bool paused;
    bool asked;            /* an organiser wants the next state, whatever the date */
    bool file_good;        /* and its rules can be played */
    uint32_t teams_ready;  /* with a version that passed, or qualified */
    uint32_t teams_needed; /* for one table; with bots on empty seats 1 */
    bool lots_settled;     /* all are opened, or their window is over */
    bool runner_alive;
    bool cell_met;    /* the runner's cells are what the contest requires */
    bool stage_over;  /* the stop rule is reached, and no round is under way */
    bool cut_is_tied; /* and nothing has decided it yet */
    uint32_t sheets_missing;
    uint32_t appeals_open;
    bool bundle_proven; /* `warg audit` finds that it follows */
} LifeFacts;

typedef enum LifeWhy {
    LIFE_GOES,     /* to `to`, now */
    LIFE_WAITS,    /* for a date */
    LIFE_ASKED,    /* for an organiser: the file has no date for it */
    LIFE_PAUSED,   /* for `resume` */
    LIFE_HELD,     /* likewise, and the date that leads on is over: it would at once */
    LIFE_BAD_FILE, /* and so on: what is missing */
    LIFE_FEW_TEAMS,
    LIFE_LOTS,
    LIFE_NO_RUNNER,
    LIFE_WEAK_CELL,
    LIFE_PLAYS,
    LIFE_TIED,
    LIFE_SHEETS,
    LIFE_APPEALED,
    LIFE_UNPROVEN,
    LIFE_ENDED, /* nothing follows */
    LIFE_WHYS,
} LifeWhy;

typedef struct LifeStep {
    LifeState from, to; /* the same when nothing follows */
    LifeWhy why;
    int64_t date;   /* of LIFE_WAITS */
    uint32_t count; /* how many are missing: teams, sheets, appeals */
} LifeStep;

/* What follows now, or why nothing does. At most one step: who gets LIFE_GOES asks again behind it,
 * so that overdue dates are reached in order. */
LifeStep life_step(LifeState state, const LifePlan *plan, const LifeFacts *facts, int64_t now_ms);

/* The state before, to which an organiser may go back with a reason: one step, and neither behind
 * the opening (what was committed then stays) nor from where something has been published. False:
 * there is none. */
bool life_back(LifeState state, const LifePlan *plan, LifeState *ret_state);
/* Whether the date that leads on from a state is over: who goes back there would be led on at once.
 */
bool life_is_due(LifeState state, const LifePlan *plan, int64_t now_ms);
/* Whether what the date of this key leads to is still to come; false for a key that leads nowhere.
 */
bool life_date_is_ahead(LifeState state, Str key);
bool life_may_cancel(LifeState state);
bool life_may_pause(LifeState state);

/* "PRELIMINARY"; "" for LIFE_STATES. */
const char *life_state_name(LifeState state);
bool life_state_of(Str name, LifeState *ret_state);

/* Why it stands as it does, a sentence: "waits for submission_closes in 3 d 4 h". */
void life_sentence(const LifeStep *step, int64_t now_ms, bool japanese, Buf *out);

/* A length of time, its two largest units: "3 d 4 h"; what is below 0 is 0 s. */
void life_rest(int64_t ms, bool japanese, Buf *out);

#endif
