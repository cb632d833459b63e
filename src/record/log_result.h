/* log_result.h - what one logged game came to, for the standings.
 *
 * For:    `warg log stats`. Takes the log at its word; log_check judges it.
 * Memory: the names borrow the log's text.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 5; docs/spec/nlp-division.md 2.1 (teams), 8.2, 11.3.
 */
#ifndef WARG_RECORD_LOG_RESULT_H
#define WARG_RECORD_LOG_RESULT_H

#include "record/game_record.h"
#include "record/log_game.h"

/* In the natural-language division the names are those of the teams, and only decided games count.
 * Errors: ERR_SYNTAX, with the line, for a line that can't be read and for a log that does not
 * end in a result; ERR_RULE for a game of the natural-language division without a winner. */
int log_result(const LogGame *log, GameResult *ret, Err *err);

#endif
