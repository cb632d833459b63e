/* exchange_show.h - an exchange record for reading: who was asked what, and answered what when.
 *
 * For:    `warg log exchange`.
 * Memory: an ExchangeShow owns its table; exchange_show_done frees.
 * Thread: one at a time.
 * Source: record/exchange.h.
 *
 * A table of all seats; of one seat, request by request with the packets that it was sent; or JSON,
 * a line for each ask.
 */
#ifndef WARG_SHOW_EXCHANGE_SHOW_H
#define WARG_SHOW_EXCHANGE_SHOW_H

#include "contest/exchange_folder.h"
#include "show/text_table.h"

/* Zeroed at first; the first line is the caller's. */
typedef struct ExchangeShow {
    SeatNo seat; /* only this one; SEAT_NONE = all */
    bool json, japanese;
    TextTable table;
    Buf out;
} ExchangeShow;

/* Reads the record of `what` (exchange_folder_find) into `show->out`. Where its key is known the
 * game is played again, which gives the packets, and `ret` is what came of that; else `ret_played`
 * is false. Errors: those of exchange_folder_find and of reading; ERR_USAGE for a seat that is
 * none. */
int exchange_show_read(ExchangeShow *show, const char *what, bool *ret_played, ExchangeFinding *ret,
                       Err *err);
void exchange_show_done(ExchangeShow *show); /* also for CLEANUP */

/* Appends a line of what came of one record: "cup/exchange/003.jsonl.gz: line 17: ...". */
void exchange_finding_write(const char *dir, const char *path, const ExchangeFinding *finding,
                            bool json, Buf *out);
/* "20 exchange records: 19 give their logs, 1 not". */
void exchange_counts_write(const ExchangeCounts *counts, Buf *out);

#endif
