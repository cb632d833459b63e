/* fuzz_llm_context.c - any bytes as lines of a model's context that was saved: what is read is
 * written as a line that is read alike. */
#include "base/mem.h"
#include "llm/context_line.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_again(const Entry *entry)
{
    CLEANUP(buf_done) Buf line = {0};
    CLEANUP(buf_done) Buf again = {0};
    Entry read = {0};

    entry_write(entry, &line);
    assert(line.len > 0 && line.bytes[line.len - 1] == '\n');
    assert(entry_read(str_part(buf_str(&line), 0, line.len - 1), &read, NULL) == 0);
    entry_write(&read, &again);
    assert(str_eq(buf_str(&line), buf_str(&again)));
    mem_free(read.content);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str rest = {(const char *)data, size};

    while (rest.len) {
        Entry entry = {0};
        Err err = {0};
        int rc = entry_read(str_cut(&rest, '\n'), &entry, &err);
        assert(rc == 0 || (err.code == (ErrCode)rc && err.msg[0]));
        if (rc == 0) {
            write_again(&entry);
            mem_free(entry.content);
        }
    }
    return 0;
}
