/* rate_address.h - the part of an address that one person may be taken to have.
 *
 * For:    limits by address (base/rate_table.h).
 * Memory: the caller's.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 4: of IPv6 a /64, as a line is given.
 */
#ifndef WARG_NET_RATE_ADDRESS_H
#define WARG_NET_RATE_ADDRESS_H

#include "base/str.h"

#define RATE_ADDRESS_BYTES 48

/* An IPv4 address whole, of an IPv6 address the first 64 bits, IPv4 in IPv6 as IPv4. What is no
 * address stays as it is, cut. */
void rate_address(Str address, char ret_text[static RATE_ADDRESS_BYTES]);

#endif
