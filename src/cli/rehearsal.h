/* rehearsal.h - a date out of a file, so that a whole contest can be rehearsed in an hour.
 *
 * For:    `warg contest serve --clock`, `warg contest runner --clock`.
 * Memory: none.
 * Thread: any.
 * Source: docs/spec/contest-operations.md, O1: a contest in simulated dates.
 */
#ifndef WARG_CLI_REHEARSAL_H
#define WARG_CLI_REHEARSAL_H

#include <stdbool.h>
#include <stdint.h>

/* The file's text as a date, base/date_text.h; false when it is none now. */
bool rehearsal_read(const char *path, int64_t *ret_ms);

#endif
