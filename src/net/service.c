#include "net/service.h"

#include "base/localhost.h"
#include "base/mem.h"
#include "net/uv_loop.h"

#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <stdlib.h>

#define ANSWER_BYTES 4096 /* of a DNS answer */

struct ServiceLookup {
    uv_work_t work;
    ServiceWanted wanted; /* its texts are in `texts` */
    char *texts;
    ServiceFound *found; /* NULL: forgotten */
    void *user;
    ServiceAddress addresses[SERVICE_ADDRESSES_MAX];
    unsigned count;
    char why[256];
};

/* ---- in the thread ---- */

/* The lower priority first; of equal ones, the heavier. RFC 2782 lets chance decide by weight, for
 * many clients of one service; the few players of a game are no load. */
static int by_priority(const void *a, const void *b)
{
    const ServiceRecord *x = a;
    const ServiceRecord *y = b;

    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    return (x->weight < y->weight) - (x->weight > y->weight);
}

/* False: what DNS says there can't be read, or says "not here" (a target of "."). */
static bool read_record(ns_msg *message, int index, ServiceRecord *ret)
{
    enum { PRIORITY = 0, WEIGHT = 2, PORT = 4, TARGET = 6 }; /* where they stand, RFC 2782 */
    ns_rr rr;

    if (ns_parserr(message, ns_s_an, index, &rr) || ns_rr_type(rr) != ns_t_srv ||
        ns_rr_rdlen(rr) <= TARGET)
        return false;
    const unsigned char *data = ns_rr_rdata(rr);
    *ret = (ServiceRecord){.priority = (uint16_t)ns_get16(data + PRIORITY),
                           .weight = (uint16_t)ns_get16(data + WEIGHT),
                           .port = (uint16_t)ns_get16(data + PORT)};
    return dn_expand(ns_msg_base(*message), ns_msg_end(*message), data + TARGET, ret->host,
                     sizeof(ret->host)) > 0 &&
           ret->host[0] && strcmp(ret->host, ".") != 0 && ret->port;
}

unsigned service_read_answer(Str answer, ServiceRecord records[SERVICE_RECORDS_MAX])
{
    ns_msg message;
    unsigned count = 0;

    if (answer.len > ANSWER_BYTES ||
        ns_initparse((const unsigned char *)answer.bytes, (int)answer.len, &message))
        return 0;
    for (int i = 0; i < ns_msg_count(message, ns_s_an) && count < SERVICE_RECORDS_MAX; i++)
        count += read_record(&message, i, &records[count]);
    qsort(records, count, sizeof(records[0]), by_priority);
    return count;
}

static unsigned find_records(const ServiceWanted *wanted, ServiceRecord *records)
{
    unsigned char answer[ANSWER_BYTES];
    struct __res_state state = {0};

    if (res_ninit(&state))
        return 0;
    int n = res_nquerydomain(&state, wanted->service, wanted->domain, ns_c_in, ns_t_srv, answer,
                             sizeof(answer));
    res_nclose(&state);
    return n > 0 ? service_read_answer((Str){(const char *)answer, (size_t)n}, records) : 0;
}

static void add_addresses(ServiceLookup *lookup, const char *host, uint16_t port)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    bool here = localhost_names(str_of(host));
    int code = getaddrinfo(here ? NULL : host, here ? "0" : NULL, &hints, &list);

    if (code)
        snprintf(lookup->why, sizeof(lookup->why), "%.200s: %s", host, gai_strerror(code));
    for (struct addrinfo *at = list; at && lookup->count < SERVICE_ADDRESSES_MAX;
         at = at->ai_next) {
        ServiceAddress *address = &lookup->addresses[lookup->count];

        address->port = port;
        lookup->count += getnameinfo(at->ai_addr, at->ai_addrlen, address->host,
                                     sizeof(address->host), NULL, 0, NI_NUMERICHOST) == 0;
    }
    if (list)
        freeaddrinfo(list);
}

static void look_up(uv_work_t *work)
{
    ServiceLookup *lookup = HOLDER(work, ServiceLookup, work);
    const ServiceWanted *wanted = &lookup->wanted;
    ServiceRecord records[SERVICE_RECORDS_MAX];
    bool given = wanted->host || wanted->port || localhost_names(str_of(wanted->domain));
    unsigned count = given ? 0 : find_records(wanted, records);

    for (unsigned i = 0; i < count; i++)
        add_addresses(lookup, records[i].host, records[i].port);
    if (!lookup->count)
        add_addresses(lookup, wanted->host ? wanted->host : wanted->domain,
                      wanted->port ? wanted->port : wanted->fallback_port);
}

/* ---- in the loop ---- */

static ServiceLookup *lookup_free(ServiceLookup *lookup)
{
    mem_free(lookup->texts);
    return mem_free(lookup);
}

static void after_lookup(uv_work_t *work, int status)
{
    ServiceLookup *lookup = HOLDER(work, ServiceLookup, work);

    (void)status; /* nobody cancels it */
    if (lookup->found)
        lookup->found(lookup->user, lookup->addresses, lookup->count, lookup->why);
    lookup_free(lookup);
}

/* Copies `text` to `at`, where there is room for it; what stands behind it is next. */
static char *keep_text(const char *text, char *at, const char **ret)
{
    if (!text)
        return at;
    size_t n = strlen(text) + 1;
    memcpy(at, text, n);
    *ret = at;
    return at + n;
}

int service_find(Loop *loop, const ServiceWanted *wanted, ServiceFound *found, void *user,
                 ServiceLookup **ret_lookup, Err *err)
{
    ServiceLookup *lookup = mem_new(sizeof(*lookup));
    size_t bytes = strlen(wanted->service) + strlen(wanted->domain) + 2 +
                   (wanted->host ? strlen(wanted->host) + 1 : 0);

    if (lookup)
        lookup->texts = mem_new(bytes);
    if (!lookup || !lookup->texts) {
        mem_free(lookup);
        return err_set(err, ERR_MEMORY, "look up %s: out of memory", wanted->domain);
    }
    lookup->wanted = *wanted;
    lookup->found = found;
    lookup->user = user;
    char *at = keep_text(wanted->service, lookup->texts, &lookup->wanted.service);
    at = keep_text(wanted->domain, at, &lookup->wanted.domain);
    keep_text(wanted->host, at, &lookup->wanted.host);
    uv_queue_work(&loop->uv, &lookup->work, look_up, after_lookup);
    *ret_lookup = lookup;
    return 0;
}

ServiceLookup *service_forget(ServiceLookup *lookup)
{
    if (lookup)
        lookup->found = NULL;
    return NULL;
}
