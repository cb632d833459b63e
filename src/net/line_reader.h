/* line_reader.h - cuts a stream of bytes into lines.
 *
 * For:    line protocols. Pure: bytes come in as they arrive, whole lines go out.
 * Memory: the caller's struct; keeps only the bytes of a line that is not complete yet. A line that
 *         lies whole in the bytes fed is handed out without being copied.
 * Thread: one at a time.
 * Source: docs/spec/protocol-division.md 1.2, 6.2: LF, CR LF and a lone CR end a line, as for
 *         Java's BufferedReader.readLine; there is no limit on the wire, so one is set here.
 */
#ifndef WARG_NET_LINE_READER_H
#define WARG_NET_LINE_READER_H

#include "base/buf.h"
#include "base/err.h"

/* Open, so that it lives inside a connection. Touch it through functions. */
typedef struct LineReader {
    Buf begun;     /* the start of a line whose end has not come */
    size_t limit;  /* bytes of a line without its end */
    Str fed;       /* what is left of the bytes fed last, borrowed from the caller */
    bool given;    /* `begun` holds a line that was handed out */
    bool after_cr; /* a CR ended the bytes fed last: an LF in front of the next belongs to it */
} LineReader;

void line_reader_init(LineReader *reader, size_t limit);
void line_reader_done(LineReader *reader);

/* Bytes that arrived, borrowed until the next feed; call line_reader_next until it gives 0. */
void line_reader_feed(LineReader *reader, Str bytes);

/* The next whole line, without its end, borrowed until the next call with this reader. 1 = a line,
 * 0 = needs more bytes.
 * Errors: ERR_LIMIT for a line longer than the limit, ERR_MEMORY; the reader is of no use then. */
int line_reader_next(LineReader *reader, Str *ret_line, Err *err);

/* When no byte will follow: the line whose end has not come, if there is one, borrowed until the
 * next call with this reader. */
bool line_reader_last(LineReader *reader, Str *ret_line);

/* Whether bytes have come behind the last line. */
bool line_reader_has_more(const LineReader *reader);

/* When line_reader_next gave 0: the bytes of the line whose end has not come, borrowed until the
 * next call with this reader. */
Str line_reader_rest(const LineReader *reader);

#endif
