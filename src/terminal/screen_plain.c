#include "terminal/screen_plain.h"

#include "terminal/clean.h"
#include "terminal/line_edit.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* A reader that takes nothing for so long is gone. */
#define WAIT_MS 5000

static void begin_input(PlainInput *input, Str bytes)
{
    if (bytes.len && bytes.bytes[bytes.len - 1] == '\0') /* never part of a text */
        bytes.len--;
    if (input->too_long || input->begun.len + bytes.len > LINE_EDIT_BYTES_MAX)
        input->too_long = true;
    else
        buf_add(&input->begun, bytes);
}

static void finish_line(PlainInput *input, Buf *line, bool *ret_too_long)
{
    buf_clear(line);
    *ret_too_long = input->too_long || buf_failed(&input->begun);
    if (!*ret_too_long) {
        CLEANUP(buf_done) Buf clean = {0};
        clean_line(buf_str(&input->begun), &clean);
        buf_add(line, str_trim(buf_str(&clean)));
    }
    buf_clear(&input->begun);
    input->too_long = false;
}

bool plain_line(PlainInput *input, Str *bytes, Buf *line, bool *ret_too_long)
{
    const char *end = bytes->len ? memchr(bytes->bytes, '\n', bytes->len) : NULL;

    if (!end) {
        begin_input(input, *bytes);
        *bytes = STR("");
        return false;
    }
    size_t len = (size_t)(end - bytes->bytes);
    begin_input(input, str_part(*bytes, 0, len));
    *bytes = str_part(*bytes, len + 1, SIZE_MAX);
    finish_line(input, line, ret_too_long);
    return true;
}

bool plain_rest(PlainInput *input, Buf *line, bool *ret_too_long)
{
    if (!input->begun.len && !input->too_long)
        return false;
    finish_line(input, line, ret_too_long);
    return true;
}

void plain_input_done(PlainInput *input)
{
    buf_done(&input->begun);
}

bool plain_write(int descriptor, Str bytes)
{
    while (bytes.len) {
        ssize_t n = write(descriptor, bytes.bytes, bytes.len);

        if (n > 0) {
            bytes = str_part(bytes, (size_t)n, SIZE_MAX);
        } else if (n < 0 && errno == EAGAIN) {
            struct pollfd wait = {.fd = descriptor, .events = POLLOUT};
            if (poll(&wait, 1, WAIT_MS) == 0)
                return false;
        } else if (n == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}
