/* fuzz_aiwolf_answer.c - any line is an answer that a game can take, and comes out as one line.
 * What is no bid is a lapse: it counts as one that was not made. */
#include "base/utf8.h"
#include "wire/aiwolf_answer.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte chooses the ask. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(buf_done) Buf storage = {0};
    CLEANUP(buf_done) Buf out = {0};
    Answer answer, again;

    if (size == 0)
        return 0;
    AskKind kind = (AskKind)(data[0] % ASK_COUNT);
    aiwolf_answer_read(kind, (Str){(const char *)data + 1, size - 1}, &storage, &answer);
    assert(!buf_failed(&storage) && answer.kind == kind && (!answer.lapse || kind == ASK_BID));
    assert(answer.target <= SEAT_MAX && answer.wish < ROLE_COUNT && utf8_valid(answer.text));

    aiwolf_answer_write(&answer, &out);
    assert(!buf_failed(&out) && out.len > 0 && out.bytes[out.len - 1] == '\n');
    Str line = str_part(buf_str(&out), 0, out.len - 1);
    assert(!line.len ||
           (!memchr(line.bytes, '\n', line.len) && !memchr(line.bytes, '\r', line.len)));
    buf_clear(&storage);
    assert(aiwolf_answer_read(kind, line, &storage, &again));
    assert(again.target == answer.target && again.wish == answer.wish);
    return 0;
}
