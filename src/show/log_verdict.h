/* log_verdict.h - what was found out about the log in a file, of any division.
 *
 * For:    `warg log`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: record/log_check.h.
 */
#ifndef WARG_SHOW_LOG_VERDICT_H
#define WARG_SHOW_LOG_VERDICT_H

#include "record/log_check.h"

/* Appends the text of a log, or of the record of a MAW session, which may be longer than any log.
 * Errors: as log_file_read. */
int log_verdict_read(const char *path, Buf *text, Err *err);

/* Judges it; `text` is room for it. What is no log is a verdict. The record of a session is ok by
 * the rules in it alone, or not; a log of natural language that has its JSON log beside it
 * (game/X.log, json/X.json) when that tells the same game. Errors: ERR_IO, and those of log_check.
 */
int log_verdict_of(const char *path, const LogCheckOptions *options, Buf *text, LogVerdict *ret,
                   Err *err);

/* One object on a line. */
void log_verdict_json(const char *path, const LogVerdict *verdict, Buf *out);

#endif
