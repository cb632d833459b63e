/* fuzz_cell_news.c - any bytes are a message of warg-cell that is written to a line of the same
 * meaning, or none; nothing that is read has a sign in it that a terminal would act on. */
#include "cell/cell_news.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(const CellNews *news)
{
    char line[CELL_NEWS_BYTES];
    CellNews again;
    const size_t bytes = cell_news_write(news, line);

    assert(bytes <= sizeof(line) && cell_news_read((Str){line, bytes}, &again));
    assert(again.kind == news->kind);
    if (news->kind == NEWS_USED)
        assert(memcmp(&again.use, &news->use, sizeof(again.use)) == 0);
    if (news->kind != NEWS_FOUND)
        return;
    assert(again.finding.rule == news->finding.rule && again.finding.count == news->finding.count);
    /* A backslash is written as an escape itself, and the text may be cut for it. */
    if (!memchr(news->finding.text.bytes, '\\', news->finding.text.len))
        assert(str_eq(again.finding.text, news->finding.text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CellNews news;

    if (!cell_news_read((Str){(const char *)data, size}, &news))
        return 0;
    assert(news.kind <= NEWS_USED);
    if (news.kind == NEWS_FOUND) {
        assert(news.finding.rule < FINDING_RULES && news.finding.count > 0);
        assert(news.finding.text.len <= FINDING_TEXT_MAX);
        for (size_t i = 0; i < news.finding.text.len; i++)
            assert(news.finding.text.bytes[i] >= ' ' && news.finding.text.bytes[i] <= '~');
    }
    check_again(&news);
    return 0;
}
