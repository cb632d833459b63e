/* fuzz_durations.c - any bytes give an error, or a histogram that is printed and read alike. */
#include "base/durations.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(buf_done) Buf buf = {0};
    Durations durations, again;
    Err err = {0};
    int status = durations_read((Str){(const char *)data, size}, &durations, &err);

    if (status) {
        assert(err.code == (ErrCode)status && err.msg[0]);
        return 0;
    }
    assert(durations_quantile(&durations, 1000) == durations_max(&durations));
    durations_print(&durations, &buf);
    assert(durations_read(buf_str(&buf), &again, NULL) == 0);
    assert(memcmp(&durations, &again, sizeof(again)) == 0);
    return 0;
}
