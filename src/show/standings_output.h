/* standings_output.h - standings as a table for people, as JSON and as CSV.
 *
 * For:    `warg run`, `warg serve aiwolf`, `warg standings` and `warg log stats`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: stats/standings.h says what the figures mean.
 */
#ifndef WARG_SHOW_STANDINGS_OUTPUT_H
#define WARG_SHOW_STANDINGS_OUTPUT_H

#include "base/buf.h"
#include "base/exit_status.h"
#include "llm/prices.h"
#include "results/results_groups.h"
#include "results/results_unowned.h"
#include "stats/standings.h"
#include "stats/trial.h"

/* In the order of the option "--format table|json|csv". */
typedef enum StandingsForm {
    STANDINGS_TABLE,
    STANDINGS_JSON,
    STANDINGS_CSV,
} StandingsForm;

/* How standings are shown, and what the games were. Zero but for what is known. */
typedef struct StandingsView {
    StandingsForm form;
    bool color;          /* the table */
    bool japanese;       /* the table */
    double games_per_s;  /* 0 = nobody measured */
    const char *stage;   /* whose games these are; NULL = there is only one, or none is known */
    const uint64_t *set; /* the only set whose games these are; NULL = all */
    const Exit *status;  /* what the command ends with, for JSON; NULL = that of these standings */
    const LlmPrices *prices; /* of tokens, for tables of models; NULL = no costs */
    const GroupTable *costs; /* with prices: what each agent has taken; costs are in JSON and CSV */
    const UnownedTable *unowned; /* sets that are not counted: not in CSV; NULL = none are known */
    const Trial *trial; /* what an A/B test came to: a line under the table, a member "sprt" in
                           JSON, nothing in CSV; NULL = none */
} StandingsView;

/* Appends the standings in the order in which standings_rank left them. What was not an agent's own
 * play (substituted games, violations, faults) stands beside its rank: in the table when there is
 * any, in JSON and CSV always. */
void standings_write(const Standings *standings, const StandingsView *view, Buf *out);

/* Appends who is not ranked, and why, a line each behind an empty one; nothing when all are. */
void standings_write_not_ranked(const Standings *standings, bool japanese, Buf *out);

/* EXIT_NOT_RANKED when an agent is not ranked, EXIT_NOT_OWN when less than own_share of a model
 * player's decisions were its own, else EXIT_OK. */
Exit standings_status(const Standings *standings);

#endif
