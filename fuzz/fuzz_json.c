/* fuzz_json.c - a string of any bytes is written as valid UTF-8 without bare control characters. */
#include "base/json.h"
#include "base/utf8.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int ascii = 0; ascii < 2; ascii++) {
        CLEANUP(buf_done) Buf out = {0};

        json_quote(&out, (Str){(const char *)data, size}, ascii);
        assert(!buf_failed(&out) && out.len >= 2 && utf8_valid(buf_str(&out)));
        for (size_t i = 0; i < out.len; i++) {
            unsigned char byte = (unsigned char)out.bytes[i];
            assert(byte >= 0x20 && (!ascii || byte < 0x80));
        }
    }
    return 0;
}
