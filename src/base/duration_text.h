/* duration_text.h - lengths of time as people write them: 500ms, 10s, 2m, 1h.
 *
 * For:    options of the command line and configuration files.
 * Memory: none.
 * Thread: any.
 * Source: house rule: a length of time has its unit, in names and in texts.
 */
#ifndef WARG_BASE_DURATION_TEXT_H
#define WARG_BASE_DURATION_TEXT_H

#include "base/str.h"

/* A whole number and one of ms, s, m, h, without a blank between: true and its milliseconds.
 * False for any other text, and for what is more than INT64_MAX milliseconds. */
bool duration_text_read(Str text, uint64_t *ret_ms);

#endif
