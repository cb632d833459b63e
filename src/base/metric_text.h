/* metric_text.h - figures in the text form that Prometheus reads.
 *
 * For:    servers that have /metrics.
 * Memory: appends to a Buf of the caller's, which says whether that failed.
 * Thread: any.
 * Source: "Exposition formats", version 0.0.4, of the Prometheus documentation.
 *
 *     # HELP PREFIXNAME What it is.
 *     # TYPE PREFIXNAME gauge
 *     PREFIXNAME 7
 *     PREFIXNAME{LABEL="VALUE"} 7
 *
 * Names end with their unit (_bytes, _seconds), those of counters with _total.
 */
#ifndef WARG_BASE_METRIC_TEXT_H
#define WARG_BASE_METRIC_TEXT_H

#include "base/buf.h"

typedef enum MetricKind { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM } MetricKind;

/* What the lines of a metric have alike; texts are borrowed. */
typedef struct Metric {
    const char *prefix;
    const char *name;
    MetricKind kind;
    const char *help; /* one line without a backslash */
} Metric;

/* The two lines in front of its values. */
void metric_head(Buf *out, const Metric *metric);
/* A value. `label`: NULL = none; else `word` is its value, one of ours: it is printed as it is. */
void metric_value(Buf *out, const Metric *metric, const char *label, const char *word,
                  uint64_t value);
/* A metric that has one value: both of the above. */
void metric_put(Buf *out, const Metric *metric, uint64_t value);

#endif
