#include "cli/rehearsal.h"

#include "base/date_text.h"

#include <stdio.h>

#define CLOCK_BYTES 64

bool rehearsal_read(const char *path, int64_t *ret_ms)
{
    char text[CLOCK_BYTES];
    FILE *file = fopen(path, "re");

    if (!file)
        return false;
    const size_t bytes = fread(text, 1, sizeof(text), file);
    fclose(file);
    return date_text_read(str_trim((Str){text, bytes}), ret_ms);
}
