/* fuzz_line_reader.c - however the bytes are cut, the lines are those of a splitter that sees them
 * all at once.
 *
 * The first two bytes are the limit (up to 255) and the seed of the cuts.
 */
#include "base/mem.h"
#include "base/rng.h"
#include "net/line_reader.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bytes in front of the first line end; all when there is none. */
static size_t line_bytes(Str all)
{
    size_t at = 0;

    while (at < all.len && all.bytes[at] != '\n' && all.bytes[at] != '\r')
        at++;
    return at;
}

/* What the lines of `all` are: "[line]" each, then "!" for one that is too long or the rest. */
static void split_naively(Str all, size_t limit, Buf *out)
{
    size_t len = 0;

    while ((len = line_bytes(all)) <= limit && len < all.len) {
        bool both = str_starts(str_part(all, len, 2), STR("\r\n"));

        buf_add_char(out, '[');
        buf_add(out, str_part(all, 0, len));
        buf_add_char(out, ']');
        all = str_part(all, len + (both ? 2 : 1), SIZE_MAX);
    }
    buf_add(out, len > limit ? STR("!") : all);
}

static void split_in_pieces(Str all, size_t limit, Rng *rng, Buf *out)
{
    LineReader reader;
    Str line;
    int got = 0;

    line_reader_init(&reader, limit);
    while (all.len && got >= 0) {
        size_t n = 1 + rng_below(rng, rng_below(rng, 2) ? 3 : (uint32_t)all.len);
        Str piece = str_part(all, 0, n);
        char *copy = mem_new(piece.len); /* to notice a reader that holds on to it */

        assert(copy);
        memcpy(copy, piece.bytes, piece.len);
        line_reader_feed(&reader, (Str){copy, piece.len});
        while ((got = line_reader_next(&reader, &line, NULL)) > 0) {
            buf_add_char(out, '[');
            buf_add(out, line);
            buf_add_char(out, ']');
        }
        mem_free(copy);
        all = str_part(all, piece.len, SIZE_MAX);
    }
    buf_add(out, got < 0 ? STR("!") : line_reader_rest(&reader));
    line_reader_done(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    CLEANUP(buf_done) Buf want = {0};
    CLEANUP(buf_done) Buf got = {0};
    Str all = {(const char *)data + 2, size - 2};
    Rng rng = rng_new(data[1]);

    split_naively(all, data[0], &want);
    split_in_pieces(all, data[0], &rng, &got);
    assert(str_eq(buf_str(&want), buf_str(&got)));
    return 0;
}
