/* fuzz_service.c - whatever DNS answers, the records that are taken have a name and a port, and are
 * in order.
 */
#include "net/service.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ServiceRecord records[SERVICE_RECORDS_MAX];
    unsigned count = service_read_answer((Str){(const char *)data, size}, records);

    assert(count <= SERVICE_RECORDS_MAX);
    for (unsigned i = 0; i < count; i++) {
        assert(records[i].host[0] && records[i].port);
        assert(memchr(records[i].host, '\0', sizeof(records[i].host)));
        assert(i == 0 || records[i - 1].priority <= records[i].priority);
    }
    return 0;
}
