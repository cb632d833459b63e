#include "cell/cell_news.h"

#include "base/banned.h"

#include <inttypes.h>

static const char *const words[] = {[NEWS_LISTENS] = "listens",
                                    [NEWS_BEGUN] = "begun",
                                    [NEWS_FOUND] = "found",
                                    [NEWS_USED] = "used"};

/* Appends what is printable of a text that somebody else made. */
static size_t add_printable(Str text, char *line, size_t used, size_t most)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.bytes[i];
        const bool plain = c >= ' ' && c < 0x7F && c != '\\';
        if (used + (plain ? 1 : 4) > most)
            break;
        if (plain) {
            line[used++] = (char)c;
            continue;
        }
        line[used++] = '\\';
        line[used++] = 'x';
        line[used++] = digits[c >> 4];
        line[used++] = digits[c & 15];
    }
    return used;
}

size_t cell_news_write(const CellNews *news, char ret_line[static CELL_NEWS_BYTES])
{
    const char *word = words[news->kind];
    int n;

    if (news->kind == NEWS_FOUND)
        n = snprintf(ret_line, CELL_NEWS_BYTES, "%s %s %" PRIu32 " ", word,
                     finding_rule_name(news->finding.rule), news->finding.count);
    else if (news->kind == NEWS_USED)
        n = snprintf(ret_line, CELL_NEWS_BYTES, "%s %" PRIu64 " %" PRIu64 " %" PRIu32, word,
                     news->use.cpu_ms, news->use.peak_kib, news->use.threads);
    else
        n = snprintf(ret_line, CELL_NEWS_BYTES, "%s", word);
    const size_t used = (size_t)n;
    return news->kind == NEWS_FOUND
               ? add_printable(news->finding.text, ret_line, used, used + FINDING_TEXT_MAX)
               : used;
}

/* ---- reading ---- */

static bool take_number(Str *rest, uint64_t most, uint64_t *ret)
{
    return str_to_uint(str_cut(rest, ' '), most, ret);
}

static bool read_finding(Str rest, Finding *ret)
{
    uint64_t count = 0;

    ret->rule = finding_rule_of(str_cut(&rest, ' '));
    if (ret->rule == FINDING_RULES || !take_number(&rest, UINT32_MAX, &count) || count == 0 ||
        rest.len > FINDING_TEXT_MAX)
        return false;
    for (size_t i = 0; i < rest.len; i++)
        if (rest.bytes[i] < ' ' || rest.bytes[i] > '~')
            return false;
    ret->count = (uint32_t)count;
    ret->text = rest;
    return true;
}

static bool read_use(Str rest, CellUse *ret)
{
    uint64_t threads = 0;

    if (!take_number(&rest, UINT64_MAX, &ret->cpu_ms) ||
        !take_number(&rest, UINT64_MAX, &ret->peak_kib) ||
        !take_number(&rest, UINT32_MAX, &threads) || rest.len)
        return false;
    ret->threads = (uint32_t)threads;
    return true;
}

bool cell_news_read(Str line, CellNews *ret_news)
{
    Str rest = line, word = str_cut(&rest, ' ');
    CellNews news = {0};

    for (CellNewsKind kind = NEWS_LISTENS; kind <= NEWS_USED; kind++) {
        if (!str_eq(word, str_of(words[kind])))
            continue;
        news.kind = kind;
        if ((kind == NEWS_FOUND && !read_finding(rest, &news.finding)) ||
            (kind == NEWS_USED && !read_use(rest, &news.use)) || (kind <= NEWS_BEGUN && rest.len))
            return false;
        *ret_news = news;
        return true;
    }
    return false;
}
