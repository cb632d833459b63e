/* team_metrics.h - what each team has done on a server since it started, for Prometheus.
 *
 * For:    serve/server.c and serve/aiwolf_door.c, which add each game when it is over, and print it
 *         for operators only.
 * Memory: a TeamMetrics owns copies of names.
 * Thread: one at a time.
 * Source: docs/nlp.md, "Monitoring"; Prometheus' text format, version 0.0.4.
 *
 * Games are added when they are over, and as a whole: a number that grows in the night would tell
 * who has something to do there. Seats of ours, built-in bots, are left out. Series are bounded:
 * the teams beyond TEAM_METRICS_MAX share one name.
 */
#ifndef WARG_STATS_TEAM_METRICS_H
#define WARG_STATS_TEAM_METRICS_H

#include "base/buf.h"
#include "record/game_record.h"

#define TEAM_METRICS_MAX 200
/* What the teams beyond are called. */
#define TEAM_METRICS_OTHERS "(others)"

typedef struct TeamMetrics TeamMetrics;

TeamMetrics *team_metrics_new(void);                  /* NULL: no memory */
TeamMetrics *team_metrics_free(TeamMetrics *metrics); /* takes NULL, returns NULL */

/* A game that is over. Without memory for a new team it counts for the others. */
void team_metrics_add(TeamMetrics *metrics, const GameRecord *record);

/* Appends all series; their names begin with `prefix`, "warg_nlp_". */
void team_metrics_print(const TeamMetrics *metrics, const char *prefix, Buf *out);

/* Appends a text as the value of a label, without its quotes. */
void team_metrics_escape(Str text, Buf *out);

#endif
