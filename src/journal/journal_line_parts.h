/* journal_line_parts.h - what both halves of journal_line.h know of a line.
 *
 * For:    journal_line.c, which writes, and journal_line_read.c.
 * Memory: none.
 * Thread: pure.
 * Source: journal/journal.h.
 */
#ifndef WARG_JOURNAL_JOURNAL_LINE_PARTS_H
#define WARG_JOURNAL_JOURNAL_LINE_PARTS_H

#include "journal/journal_line.h"

/* What is written. 1: games of the protocol division only, without `division`, `ruleset`, `began`
 * and what kind of player a seat has. */
#define VERSION     2
#define VERSION_MIN 1

/* What stands behind the bytes that the CRC is of: ,"crc":"01234567"} */
#define CRC_HEAD  ",\"crc\":\""
#define CRC_BYTES (sizeof(CRC_HEAD) - 1 + 8 + 2)

/* Of all versions equally long: the plan stands behind it. */
#define PLAN_HEAD     "{\"record\":\"plan\",\"version\":2,\"plan\":"
#define PLAN_HEAD_OLD "{\"record\":\"plan\",\"version\":1,\"plan\":"

/* The reader gets back exactly what was written, so nothing may be written that it refuses. Errors:
 * ERR_RULE, ERR_LIMIT. */
int journal_line_check_name(SeatNo seat, Str name, Err *err);
/* A JSON object on one line. */
bool journal_line_is_object(Str text);
/* Who plays there, beside the agent's name. */
int journal_line_check_player(SeatNo seat, const SeatRecord *own, Err *err);
/* A path inside the folder: neither absolute nor with a part "..". */
bool journal_line_is_inside(Str path);

#endif
