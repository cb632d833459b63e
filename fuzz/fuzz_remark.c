/* fuzz_remark.c - any sentence: what is found in it is a part of it, and written anew it is the
 * same; in the other language nothing of it is lost but words. */
#include "archive/remark.h"

#include "base/mem.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Str sentence = {(const char *)data, size};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf japanese = {0};
    FileRemark remark;

    remark_say(sentence, true, &japanese);
    if (!remark_read(sentence, &remark)) {
        assert(str_eq(buf_str(&japanese), sentence));
        return 0;
    }
    remark_write(remark.code, remark.values, &text);
    assert(str_eq(buf_str(&text), sentence));
    return 0;
}
