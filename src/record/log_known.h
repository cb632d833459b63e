/* log_known.h - who could know what stands in a line of a game log.
 *
 * For:    `warg log show`, game documents.
 * Memory: plain values; the log is borrowed for the call.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 2.5 (who sees what); docs/spec/nlp-division.md 4.
 */
#ifndef WARG_RECORD_LOG_KNOWN_H
#define WARG_RECORD_LOG_KNOWN_H

#include "record/log_game.h"

/* The seats that play this role. */
SeatSet log_with_role(const LogGame *log, Role role);

/* Who may know each line, into ret_known[0..log->count-1], by role alone: for logs that no replay
 * explains. */
void log_known_guess(const LogGame *log, SeatSet *ret_known);

/* The same as the game tells when it is played again; by role where no replay explains the log, or
 * there is none. Errors: those of log_check. */
int log_known(Str text, const LogGame *log, SeatSet *ret_known, Err *err);

#endif
