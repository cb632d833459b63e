/* fuzz_system_line.c - any bytes as a line of the system in a room of MAW: what is read can be
 * written in each language. */
#include "maw/system_line.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Str text = {(const char *)data, size};
    Str arguments[SYSTEM_ARGUMENTS] = {{0}};
    SystemLine line;

    if (!system_line_read(text, &line, arguments))
        return 0;
    assert(line < SYSTEM_LINES);
    for (unsigned language = 0; language < 2; language++) {
        CLEANUP(buf_done) Buf again = {0};
        Str read[SYSTEM_ARGUMENTS] = {{0}};
        SystemLine other;
        system_line_write(line, (LlmLanguage)language, arguments, &again);
        assert(!buf_failed(&again));
        if (system_line_read(buf_str(&again), &other, read))
            assert(other < SYSTEM_LINES);
    }
    return 0;
}
