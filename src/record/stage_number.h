/* stage_number.h - the number of a stage in journals, logs and results: its place in the plan, and
 * for extra rounds that settle a tie at its end one that tells both.
 *
 * For:    contest_run, which plays them; out_folder and results, which read them.
 * Memory: plain values.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 8.4 (up to 10 extra rounds).
 *
 *     number = stage + STAGES_MAX * round      round 0 is the stage itself
 */
#ifndef WARG_RECORD_STAGE_NUMBER_H
#define WARG_RECORD_STAGE_NUMBER_H

#include <stdint.h>

#define STAGES_MAX        16
#define STAGE_ROUNDS_MAX  10u
#define STAGE_NUMBERS_MAX (STAGES_MAX * (STAGE_ROUNDS_MAX + 1))

static inline uint32_t stage_number(uint32_t stage, uint32_t round)
{
    return stage + STAGES_MAX * round;
}

/* The stage that a number belongs to, and its extra round; 0 = the stage itself. */
static inline uint32_t stage_of_number(uint32_t number)
{
    return number % STAGES_MAX;
}

static inline uint32_t round_of_number(uint32_t number)
{
    return number / STAGES_MAX;
}

#endif
