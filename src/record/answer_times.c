#include "record/answer_times.h"

#include <stddef.h>

const uint32_t answer_step_ms[ANSWER_STEPS] = {10,   50,   100,   250,   500,  1000,
                                               2500, 5000, 10000, 30000, 60000};

void answer_times_add(AnswerTimes *times, uint64_t us)
{
    size_t step = 0;

    while (step < ANSWER_STEPS && us > (uint64_t)answer_step_ms[step] * 1000)
        step++;
    times->counts[step]++;
    times->sum_us += us;
}

void answer_times_merge(AnswerTimes *times, const AnswerTimes *other)
{
    times->sum_us += other->sum_us;
    for (size_t step = 0; step <= ANSWER_STEPS; step++)
        times->counts[step] += other->counts[step];
}

uint64_t answer_times_count(const AnswerTimes *times)
{
    uint64_t count = 0;

    for (size_t step = 0; step <= ANSWER_STEPS; step++)
        count += times->counts[step];
    return count;
}
