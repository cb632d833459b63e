/* public_address.h - whether an address is one that everybody can reach.
 *
 * For:    requests to URLs that strangers have given (net/http_client.h): they may not be led to
 *         services of this machine, of its network, or to a cloud's metadata.
 * Memory: none.
 * Thread: pure.
 * Source: RFC 6890 and the IANA registries of special-purpose addresses.
 */
#ifndef WARG_NET_PUBLIC_ADDRESS_H
#define WARG_NET_PUBLIC_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

struct sockaddr;

/* False too for families that are no Internet's. An IPv4 address in IPv6 counts as what it is. */
bool public_address(const struct sockaddr *address, size_t bytes);

#endif
