/* fuzz_sprt.c - any text of --sprt is an error or a test that can be made. */
#include "stats/sprt.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SprtTest test;
    Err err = {0};
    int status = sprt_parse((Str){(const char *)data, size}, &test, &err);

    if (status) {
        assert(err.code == (ErrCode)status && err.msg[0]);
        return 0;
    }
    assert(test.elo0 < test.elo1 && test.alpha > 0 && test.alpha < 0.5);
    assert(test.beta > 0 && test.beta < 0.5);
    Sprt sprt;
    sprt_init(&sprt, &test, 0);
    assert(sprt.lower < 0 && sprt.upper > 0);
    return 0;
}
