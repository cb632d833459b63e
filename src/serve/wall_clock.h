/* wall_clock.h - which wall-clock time belongs to a time of the loop, when the clock is set.
 *
 * For:    serve/server.c; what it anchors: logs, tokens, times that the API tells.
 * Memory: a plain number.
 * Thread: pure.
 * Source: clock_gettime(2): CLOCK_MONOTONIC, which loops count by, is not set and stands still
 *         while the machine sleeps. An anchor that is taken once is wrong after either.
 */
#ifndef WARG_SERVE_WALL_CLOCK_H
#define WARG_SERVE_WALL_CLOCK_H

#include "net/loop.h"

/* What two readings of the clocks may differ by without anybody having set one. */
#define WALL_CLOCK_STEP_MS 100

/* The Unix time in milliseconds of TimeUs 0. `anchor` is what it was so far, `unix_ms` the wall
 * clock's time at `now`: the anchor stays, unless the clock was set by WALL_CLOCK_STEP_MS or more.
 */
static inline int64_t wall_clock_anchor(int64_t anchor, int64_t unix_ms, TimeUs now)
{
    int64_t renewed = unix_ms - now / 1000;
    int64_t step = renewed - anchor;

    return step >= WALL_CLOCK_STEP_MS || step <= -WALL_CLOCK_STEP_MS ? renewed : anchor;
}

#endif
