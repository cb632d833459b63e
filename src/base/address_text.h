/* address_text.h - addresses of people without the part that tells one person from the next.
 *
 * For:    the trail and the logins of a contest site, logs of its tracks' servers.
 * Memory: texts are appended to the caller's.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 16.5 (/24 and /48).
 */
#ifndef WARG_BASE_ADDRESS_TEXT_H
#define WARG_BASE_ADDRESS_TEXT_H

#include "base/buf.h"

/* Appends an address without its last part and without a port: 192.0.2.77 and 192.0.2.77:8080 are
 * 192.0.2.0, 2001:db8:1:2::3 and [2001:db8:1:2::3]:8080 are 2001:db8:1::, and 2001:db8::7 is
 * 2001:db8::. What is no address is appended as it is. */
void address_text_cut(Str address, Buf *out);

/* Appends a line of a server's log, with what follows each " address=" up to a blank cut. */
void address_text_cut_line(Str line, Buf *out);

#endif
