/* exchange_line.h - one line of an exchange record as text.
 *
 * For:    record/exchange.c, which writes records, exchange_read.c, which compares.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: record/exchange.h says what the lines look like.
 */
#ifndef WARG_RECORD_EXCHANGE_LINE_H
#define WARG_RECORD_EXCHANGE_LINE_H

#include "record/exchange.h"

/* Microseconds in the last place of t and w. */
#define EXCHANGE_T_US 10
#define EXCHANGE_W_US 100

void exchange_write_header(const ExchangeHeader *header, Buf *out);
void exchange_write_entry(const ExchangeEntry *entry, Buf *out);
void exchange_write_end(EndReason reason, uint64_t asks, Buf *out);

#endif
