/* fuzz_plan.c - any bytes are a plan that says the same when it is written again, or an error. */
#include "match/plan_read.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Str text = {(const char *)data, size};
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(buf_done) Buf again = {0};
    Err err = {0};

    assert(plan_init(&plan, NULL) == 0);
    int rc = plan_read(text, &plan, &err);
    if (rc) {
        assert(err.code == (ErrCode)rc && err.msg[0]);
        return 0;
    }
    plan_json(&plan, &again);
    assert(plan_same(text, buf_str(&again)));
    return 0;
}
