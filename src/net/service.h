/* service.h - where a domain's service listens: DNS, waited for in a thread of libuv's.
 *
 * For:    net/xmpp_client.c.
 * Memory: see the functions.
 * Thread: the loop's.
 * Source: RFC 2782 (SRV), RFC 6120 3.2.
 */
#ifndef WARG_NET_SERVICE_H
#define WARG_NET_SERVICE_H

#include "net/loop.h"

#define SERVICE_ADDRESSES_MAX 16
#define SERVICE_RECORDS_MAX   16

typedef struct ServiceLookup ServiceLookup;

typedef struct ServiceAddress {
    char host[64]; /* an IP address as text */
    uint16_t port;
} ServiceAddress;

typedef struct ServiceWanted {
    const char *service; /* "_xmpp-client._tcp": asked for when neither host nor port is given */
    const char *domain;
    const char *host; /* NULL: the domain's */
    uint16_t port;    /* 0: by DNS, else fallback_port */
    uint16_t fallback_port;
} ServiceWanted;

/* Where one SRV record points. */
typedef struct ServiceRecord {
    char host[256];
    uint16_t priority, weight, port;
} ServiceRecord;

/* In the order in which they are to be tried; `count` 0: `why`, for people. Borrowed. */
typedef void ServiceFound(void *user, const ServiceAddress *addresses, unsigned count,
                          const char *why);

/* Calls `found` from the loop, once; then the lookup is gone. `wanted` is copied.
 * Errors: ERR_MEMORY. */
int service_find(Loop *loop, const ServiceWanted *wanted, ServiceFound *found, void *user,
                 ServiceLookup **ret_lookup, Err *err);
/* `found` isn't called any more; loop_free waits until DNS has answered or given up. Takes NULL,
 * returns NULL. */
ServiceLookup *service_forget(ServiceLookup *lookup);

/* The usable records of a DNS answer, in the order in which they are to be tried: how many, 0 if it
 * can't be read. For service_find, tests and fuzzing. */
unsigned service_read_answer(Str answer, ServiceRecord records[SERVICE_RECORDS_MAX]);

#endif
