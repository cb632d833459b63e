/* fuzz_lang.c - any bytes as an utterance: read, written, read again, explained, expanded.
 *
 * What must hold: a valid text has a canonical text of at most LANG_TEXT_MAX bytes that is
 * printable ASCII; reading that again gives an equal sentence with the same text, unless an
 * operator without contents is in it ("AND " can't be read back) or it has grown over the limit; a
 * reason names a column of the text; a failure takes nothing from the arena.
 */
#include "lang/vectors.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool has_empty_operator(const Sentence *sentence)
{
    if (lang_is_operator(sentence->kind) && !sentence->child)
        return true;
    for (const Sentence *content = sentence->child; content; content = content->next)
        if (has_empty_operator(content))
            return true;
    return false;
}

static void check_again(const Sentence *sentence, Str canonical)
{
    char text[LANG_TEXT_MAX];
    Arena arena = arena_new(LANG_ARENA_BYTES(canonical.len));
    const Sentence *again = NULL;

    if (canonical.len <= LANG_BYTES_MAX && !has_empty_operator(sentence)) {
        assert(lang_parse(canonical, &arena, &again, NULL) == 0);
        assert(lang_equal(sentence, again));
        assert(lang_is_strict(canonical, again));
        assert(lang_write(again, text, sizeof(text)) == canonical.len);
        assert(memcmp(text, canonical.bytes, canonical.len) == 0);
    }
    arena_done(&arena);
}

static void check_meaning(const Sentence *sentence)
{
    const LangWorld world = {.seats = seat_all(5), .roles = 1u << ROLE_SEER | 1u << ROLE_WEREWOLF};
    Arena arena = arena_new(512 * sizeof(Sentence) + 16);
    Buf out = {0};
    const Sentence *expanded = NULL;
    Err err = {0};

    lang_explain(sentence, 1, &out);
    lang_plain(sentence, 1, LANG_ENGLISH, &out);
    lang_plain(sentence, 2, LANG_JAPANESE, &out);
    lang_json(sentence, LANG_UNSPEC, &out);
    assert(!buf_failed(&out));
    if (lang_expand(sentence, 1, &world, &arena, 512, &expanded, &err) == 0)
        assert(lang_write(expanded, NULL, 0) > 0);
    else
        assert(err.code == ERR_LIMIT && arena.used == 0);
    arena_clear(&arena);
    expanded = lang_copy(&arena, sentence, LANG_UNSPEC);
    assert(!expanded || lang_equal(sentence, expanded));
    buf_done(&out);
    arena_done(&arena);
}

/* The same bytes as rows of a vector file. */
static void check_vectors(Str text)
{
    VectorRow row = {0};
    Buf plain = {0};
    char escaped[64];
    Err err = {0};

    if (vectors_row(text, 2, VECTORS_CANONICAL, &row, &err) != 0)
        assert(err.line == 2);
    vectors_row_done(&row);
    lang_escape(text, escaped, sizeof(escaped));
    assert(lang_unescape(str_of(escaped), &plain, NULL) == 0);
    buf_done(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char text[LANG_TEXT_MAX];
    Str input = {(const char *)bytes, size};
    Arena arena = arena_new(LANG_ARENA_BYTES(size));
    const Sentence *sentence = NULL;
    Err err = {0};

    check_vectors(input);
    int status = lang_parse(input, &arena, &sentence, &err);
    if (status == 0) {
        size_t len = lang_write(sentence, text, sizeof(text));
        assert(len < sizeof(text));
        for (size_t i = 0; i < len; i++)
            assert(text[i] >= ' ' && text[i] <= '~');
        check_again(sentence, (Str){text, len});
        check_meaning(sentence);
    } else {
        assert(status == ERR_SYNTAX || status == ERR_LIMIT);
        assert(err.code == (ErrCode)status && err.column >= 1 && err.column <= size + 1);
        assert(arena.used == 0);
        assert(lang_parse(input, &arena, &sentence, NULL) == status);
    }
    arena_done(&arena);
    return 0;
}
