/* fuzz_nlp_log_results.c - any bytes as a game log for `-a`: what is counted adds up. */
#include "nlp/log_results.h"

#include "base/mem.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(log_results_done) LogResults results = {0};
    uint32_t seats = 0;

    assert(log_results_add(&results, (Str){(const char *)data, size}, NULL) == 0);
    for (uint32_t i = 0; i < results.count; i++) {
        const RoleResults *all = &results.teams[i].roles[ROLE_NONE];
        assert(all->games == all->wins + all->losses + all->no_result);
        assert(all->errors <= all->games && all->games > 0);
        seats += all->games;
    }
    assert(seats <= SEAT_MAX && results.games == (seats > 0));
    return 0;
}
