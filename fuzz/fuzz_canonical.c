/* fuzz_canonical.c - any bytes as a canonical object: what is taken is UTF-8 without control
 * characters, its members are found, and written anew it is the same. */
#include "proof/canonical.h"

#include "base/utf8.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One member of a text that the writer sorts: the input, cut at its lines, as names and values. */
static void write_members(Str text)
{
    CLEANUP(canonical_done) Canonical out = {0};
    Str line;

    canonical_open(&out, '{');
    while (text.len) {
        Str piece = str_cut(&text, '\n');
        canonical_key(&out, str_part(piece, 0, piece.len / 2));
        canonical_put_text(&out, str_part(piece, piece.len / 2, piece.len));
    }
    canonical_close(&out);
    if (canonical_end(&out, &line, NULL) == 0)
        assert(canonical_check(line, NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(buf_done) Buf text = {0};
    Str line = {(const char *)data, size}, value;
    Err err = {0};
    int rc = canonical_check(line, &err);

    assert(rc == 0 || err.code == (ErrCode)rc);
    assert(rc != ERR_SYNTAX || (err.column >= 1 && err.column <= size + 1));
    if (rc == 0) {
        assert(utf8_valid(line));
        for (size_t i = 0; i < size; i++)
            assert(data[i] >= 0x20);
        if (canonical_member(line, STR("a"), &value) && canonical_text(value, &text)) {
            CLEANUP(canonical_done) Canonical out = {0};
            Str again;
            canonical_open(&out, '{');
            canonical_key(&out, STR("a"));
            canonical_put_text(&out, buf_str(&text));
            canonical_close(&out);
            assert(canonical_end(&out, &again, NULL) == 0);
            assert(str_eq(str_part(again, 5, again.len - 6), value));
        }
    }
    write_members(line);
    return 0;
}
