/* sheet_csv.h - sheets on paper and in forms: a table out of the store, and back.
 *
 * For:    `warg contest sheets NAME --csv`, `--read FILE`.
 * Memory: appends to the caller's Buf.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 10.2; RFC 4180.
 *
 *   sheet,judge,track,criterion,calibration,place,name,rank,score,reason
 *
 * A line a seat, in the order of its sheet, by characters' names alone; `judge` is J1, J2 ... Who
 * fills it in writes rank (or score) and reason. Read back, each sheet whose seats all have what
 * the scale wants is handed in; what was handed in before stays.
 */
#ifndef WARG_JUDGING_SHEET_CSV_H
#define WARG_JUDGING_SHEET_CSV_H

#include "judging/judging_store.h"

/* Sheets of people that are open. `home`: the contest's folder. Errors: those of judge_game_load
 * and the store. */
int sheet_csv_write(Db *db, int64_t contest, const char *home, Buf *out, Err *err);

/* In one transaction. `ret_taken`: sheets that were handed in now. Errors: ERR_SYNTAX with the
 * line; ERR_RULE for a sheet that is none of this contest, ranks that are none, or when judging is
 * over: nothing has changed then. */
int sheet_csv_read(Db *db, int64_t contest, const char *home, SheetScale scale, Str text,
                   int64_t now_ms, uint32_t *ret_taken, Err *err);

/* The next field of a record, unquoted into `field`, which is cleared before. *ret_last: the record
 * ends behind it. False at a quote that is not closed. */
bool csv_cut_field(Str *rest, Buf *field, bool *ret_last);

#endif
