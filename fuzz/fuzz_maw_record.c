/* fuzz_maw_record.c - any bytes as a session's record: a verdict with a line, or ok; and a
 * transcript, or an error. */
#include "maw/session_replay.h"
#include "show/maw_show.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(buf_done) Buf out = {0};
    Str record = {(const char *)data, size};
    MawShowOptions options = {.seat = size % 2 ? STR("Ann") : (Str){0}};
    MawReplayVerdict verdict;
    Err err = {0};

    assert(maw_record_replay(record, &verdict, &err) == 0);
    assert(verdict.ok == (verdict.line == 0));
    assert(verdict.ok == !verdict.reason[0]);
    assert(!verdict.ok || !verdict.truncated);
    if (maw_show(record, &options, &out, &err))
        assert(err.msg[0]);
    return 0;
}
