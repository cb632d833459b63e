/* answer_times.h - how long answers took, in the few fixed steps that monitoring has.
 *
 * For:    seat/chair.c, which counts each answer by what was asked; stats/team_metrics.h. For
 *         tables and quantiles there is base/durations.h.
 * Memory: a plain value of 56 bytes; zeroed it is empty.
 * Thread: pure.
 * Source: Prometheus' histograms: a step counts what took no longer than it.
 */
#ifndef WARG_RECORD_ANSWER_TIMES_H
#define WARG_RECORD_ANSWER_TIMES_H

#include <stdint.h>

#define ANSWER_STEPS 11

/* The upper edges: 10 ms to a minute. */
extern const uint32_t answer_step_ms[ANSWER_STEPS];

typedef struct AnswerTimes {
    uint64_t sum_us;
    uint32_t counts[ANSWER_STEPS + 1]; /* the last: what took longer */
} AnswerTimes;

void answer_times_add(AnswerTimes *times, uint64_t us);
void answer_times_merge(AnswerTimes *times, const AnswerTimes *other);
uint64_t answer_times_count(const AnswerTimes *times);

#endif
