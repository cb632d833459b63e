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
    if (reader->after_cr && bytes.len) {
        reader->after_cr = false;
        bytes = str_part(bytes, bytes.bytes[0] == '\n' ? 1 : 0, SIZE_MAX);
    }
    reader->fed = bytes;
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

/* Keeps what came of a line. */
static int keep_bytes(LineReader *reader, Str bytes, Err *err)
{
    if (bytes.len > reader->limit || reader->begun.len > reader->limit - bytes.len)
        return too_long(reader, err);
    buf_add(&reader->begun, bytes);
    return buf_failed(&reader->begun) ? err_set(err, ERR_MEMORY, "line: out of memory") : 0;
}

/* Takes the bytes up to the next line end from `fed`, and the line end too. False: there is none,
 * and they are all that is left. */
static bool take_piece(LineReader *reader, Str *ret_piece)
{
    const Str fed = reader->fed;
    const char *lf = memchr(fed.bytes, '\n', fed.len);
    size_t len = lf ? (size_t)(lf - fed.bytes) : fed.len;
    const char *cr = memchr(fed.bytes, '\r', len);

    if (cr)
        len = (size_t)(cr - fed.bytes);
    *ret_piece = str_part(fed, 0, len);
    reader->fed = str_part(fed, lf || cr ? len + 1 : len, SIZE_MAX);
    if (cr && !reader->fed.len)
        reader->after_cr = true;
    else if (cr && lf == cr + 1)
        reader->fed = str_part(reader->fed, 1, SIZE_MAX);
    return lf || cr;
}

int line_reader_next(LineReader *reader, Str *ret_line, Err *err)
{
    Str piece;

    forget_given(reader);
    if (!reader->fed.len)
        return 0;

    bool ended = take_piece(reader, &piece);
    if (!ended || reader->begun.len) {
        int code = keep_bytes(reader, piece, err);
        if (code)
            return code;
        if (!ended)
            return 0;
        reader->given = true;
        piece = buf_str(&reader->begun);
    }
    if (piece.len > reader->limit)
        return too_long(reader, err);
    *ret_line = piece;
    return 1;
}

bool line_reader_last(LineReader *reader, Str *ret_line)
{
    if (reader->given || !reader->begun.len)
        return false;
    reader->given = true;
    *ret_line = buf_str(&reader->begun);
    return true;
}

bool line_reader_has_more(const LineReader *reader)
{
    return reader->fed.len > 0 || (reader->begun.len > 0 && !reader->given);
}

Str line_reader_rest(const LineReader *reader)
{
    return reader->given ? (Str){"", 0} : buf_str(&reader->begun);
}
