#include "net/line_reader.h"

void line_reader_init(LineReader *reader, size_t limit)
{
    *reader = (LineReader){.limit = limit};
}

void line_reader_done(LineReader *reader)
{
    buf_done(&reader->begun);
    reader->fed = (Str){0};
    reader->given = false;
}

void line_reader_feed(LineReader *reader, Str bytes)
{
    reader->fed = bytes;
}

static Str without_cr(Str line)
{
    if (line.len && line.bytes[line.len - 1] == '\r')
        line.len--;
    return line;
}

static int too_long(const LineReader *reader, Err *err)
{
    return err_set(err, ERR_LIMIT, "a line of more than %zu bytes", reader->limit);
}

/* Gives back the memory of a line that was handed out: an idle connection keeps none. */
static void forget_given(LineReader *reader)
{
    if (reader->given)
        buf_done(&reader->begun);
    reader->given = false;
}

/* Keeps what came of a line. The CR of its end may be one byte over the limit. */
static int keep(LineReader *reader, Str bytes, Err *err)
{
    size_t most = reader->limit < SIZE_MAX ? reader->limit + 1 : SIZE_MAX;

    if (bytes.len > most || reader->begun.len > most - bytes.len)
        return too_long(reader, err);
    buf_add(&reader->begun, bytes);
    if (buf_failed(&reader->begun))
        return err_set(err, ERR_MEMORY, "line: out of memory");
    if (without_cr(buf_str(&reader->begun)).len > reader->limit)
        return too_long(reader, err);
    return 0;
}

int line_reader_next(LineReader *reader, Str *ret_line, Err *err)
{
    forget_given(reader);
    if (!reader->fed.len)
        return 0;

    const char *end = memchr(reader->fed.bytes, '\n', reader->fed.len);
    size_t len = end ? (size_t)(end - reader->fed.bytes) : reader->fed.len;
    Str piece = str_part(reader->fed, 0, len);

    reader->fed = str_part(reader->fed, end ? len + 1 : len, SIZE_MAX);
    if (!end || reader->begun.len) {
        int code = keep(reader, piece, err);
        if (code)
            return code;
        if (!end)
            return 0;
        reader->given = true;
        piece = buf_str(&reader->begun);
    }
    piece = without_cr(piece);
    if (piece.len > reader->limit)
        return too_long(reader, err);
    *ret_line = piece;
    return 1;
}

bool line_reader_has_more(const LineReader *reader)
{
    return reader->fed.len > 0 || (reader->begun.len > 0 && !reader->given);
}

Str line_reader_rest(const LineReader *reader)
{
    return without_cr(reader->given ? (Str){"", 0} : buf_str(&reader->begun));
}
