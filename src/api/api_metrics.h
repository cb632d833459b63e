/* api_metrics.h - how figures of /metrics are called.
 *
 * For:    who has one to add (ApiSite.measure).
 * Memory: none is kept.
 * Thread: the loop's.
 * Source: docs/contest-api.md, "The server".
 *
 * They are sums over the whole server: none has a name of a contest, a team or a person, an
 * address, or how a game ended.
 */
#ifndef WARG_API_API_METRICS_H
#define WARG_API_API_METRICS_H

#include "base/metric_text.h"

/* One without labels: `name` stands behind "warg_". */
void api_metric(Buf *out, const char *name, MetricKind kind, const char *help, uint64_t value);

#endif
