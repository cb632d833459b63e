/* own_address.h - the address under which other machines of the same network reach this one.
 *
 * For:    links and QR codes that telephones open; requests that may not come back to this machine.
 * Memory: the caller's.
 * Thread: any.
 * Source: getifaddrs(3); RFC 1918, 3927, 4291.
 */
#ifndef WARG_NET_OWN_ADDRESS_H
#define WARG_NET_OWN_ADDRESS_H

#include <stdbool.h>

struct sockaddr;

#define OWN_ADDRESS_BYTES 64

/* The best of the addresses of all interfaces that are up, "192.0.2.7"; false when there is none
 * but those of the machine itself. */
bool own_address(char ret_address[static OWN_ADDRESS_BYTES]);

/* How good an address of an interface is for that: more is better, 0 = it is none. */
int own_address_rank(const char *interface, const char *address);

/* Whether it is an address of an interface of this machine, also of one that everybody can reach:
 * what listens there may be closed to the outside, and is open to us. An IPv4 address in IPv6
 * counts as what it is. True when that can't be said. */
bool own_address_has(const struct sockaddr *address);

/* "", "*", "0.0.0.0", "::": every address of this machine. */
bool own_address_is_any(const char *host);

#endif
