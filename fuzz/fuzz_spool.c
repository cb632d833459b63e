/* fuzz_spool.c - any bytes as a job, and as what a runner tells of itself: reading must end in
 * peace, and what was read of a job is what a file may be called by. */
#include "spool/spool_head.h"
#include "spool/spool_status.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Str text = {(const char *)data, size};
    SpoolRunner runner;
    SpoolHead head;

    if (spool_head_read(text, &head, NULL) == 0) {
        assert(spool_id_is(str_of(head.job)) && !strchr(head.job, '/'));
        assert(head.turn < SPOOL_CLASSES && head.kind[0]);
    }
    if (spool_runner_read(text, &runner, NULL) == 0) {
        const SpoolCells *cells = &runner.cells;
        assert(cells->ended <= cells->started);
        assert(cells->not_made + cells->killed + cells->failed <= cells->ended);
        spool_runner_done(&runner);
    }
    return 0;
}
