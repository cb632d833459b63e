#include "base/metric_text.h"

#include <inttypes.h>

static const char *const kinds[] = {
    [METRIC_COUNTER] = "counter", [METRIC_GAUGE] = "gauge", [METRIC_HISTOGRAM] = "histogram"};

void metric_head(Buf *out, const Metric *metric)
{
    buf_printf(out, "# HELP %s%s %s\n# TYPE %s%s %s\n", metric->prefix, metric->name, metric->help,
               metric->prefix, metric->name, kinds[metric->kind]);
}

void metric_value(Buf *out, const Metric *metric, const char *label, const char *word,
                  uint64_t value)
{
    buf_printf(out, "%s%s", metric->prefix, metric->name);
    if (label)
        buf_printf(out, "{%s=\"%s\"}", label, word);
    buf_printf(out, " %" PRIu64 "\n", value);
}

void metric_put(Buf *out, const Metric *metric, uint64_t value)
{
    metric_head(out, metric);
    metric_value(out, metric, NULL, NULL, value);
}
