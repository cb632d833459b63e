/* localhost.h - whether a host's name is this machine by its name alone.
 *
 * For:    whoever resolves names: such a one is the loopback address always, without asking DNS or
 *         /etc/hosts, which a fresh system may not have.
 * Memory: none.
 * Thread: any.
 * Source: RFC 6761 6.3: "localhost." and names within it, which applications may know themselves.
 */
#ifndef WARG_BASE_LOCALHOST_H
#define WARG_BASE_LOCALHOST_H

#include "base/str.h"

/* "localhost", "maw.localhost", in letters of any case, with the root's dot or without. Give
 * getaddrinfo NULL in its place, without AI_PASSIVE: then it names the loopback addresses. */
bool localhost_names(Str host);

#endif
