#define _GNU_SOURCE /* memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cell/cell_news.h"

#include "prop.h"

#include <string.h>

static bool news_are_equal(const CellNews *a, const CellNews *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == NEWS_FOUND)
        return a->finding.rule == b->finding.rule && a->finding.count == b->finding.count &&
               str_eq(a->finding.text, b->finding.text);
    return a->kind != NEWS_USED ||
           (a->use.cpu_ms == b->use.cpu_ms && a->use.peak_kib == b->use.peak_kib &&
            a->use.threads == b->use.threads);
}

/* Written and read again it is the same, and its line is `line`. */
static void is_written(const CellNews *news, const char *line)
{
    char text[CELL_NEWS_BYTES];
    CellNews again;
    const size_t bytes = cell_news_write(news, text);

    assert_int_equal(bytes, strlen(line));
    assert_memory_equal(text, line, bytes);
    assert_true(cell_news_read((Str){text, bytes}, &again));
    assert_true(news_are_equal(news, &again));
}

static void each_kind_is_a_line_that_is_read_again(void **state)
{
    (void)state;
    is_written(&(CellNews){.kind = NEWS_LISTENS}, "listens");
    is_written(&(CellNews){.kind = NEWS_BEGUN}, "begun");
    is_written(&(CellNews){.kind = NEWS_USED, .use = {71, 20480, 3}}, "used 71 20480 3");
    is_written(&(CellNews){.kind = NEWS_USED, .use = {UINT64_MAX, UINT64_MAX, UINT32_MAX}},
               "used 18446744073709551615 18446744073709551615 4294967295");
    is_written(
        &(CellNews){.kind = NEWS_FOUND, .finding = {FINDING_NETWORK, STR("connect 8.8.8.8:53"), 1}},
        "found network 1 connect 8.8.8.8:53");
    is_written(&(CellNews){.kind = NEWS_FOUND, .finding = {FINDING_OUTPUT, STR(""), UINT32_MAX}},
               "found output 4294967295 ");
}

static void hostile_text_becomes_printable(void **state)
{
    static const char hostile[] = "open a\nused 1 2 3\x80\x00\\\x7f\t";
    const Str text = {hostile, sizeof(hostile) - 1};
    char line[CELL_NEWS_BYTES];
    CellNews again;

    (void)state;
    const size_t bytes =
        cell_news_write(&(CellNews){.kind = NEWS_FOUND, .finding = {FINDING_WRITE, text, 1}}, line);
    assert_true(cell_news_read((Str){line, bytes}, &again));
    assert_true(str_eq(again.finding.text, STR("open a\\x0aused 1 2 3\\x80\\x00\\x5c\\x7f\\x09")));
}

static void a_text_is_cut_at_its_limit_and_never_within_an_escape(void **state)
{
    char text[FINDING_TEXT_MAX + 50], line[CELL_NEWS_BYTES];
    CellNews again;

    (void)state;
    memset(text, '\n', sizeof(text));
    for (size_t lead = 0; lead < 5; lead++) {
        memset(text, 'a', lead);
        const CellNews news = {.kind = NEWS_FOUND,
                               .finding = {FINDING_PROCESS, {text, sizeof(text)}, UINT32_MAX}};
        assert_true(cell_news_read((Str){line, cell_news_write(&news, line)}, &again));
        assert_in_range(again.finding.text.len, FINDING_TEXT_MAX - 3, FINDING_TEXT_MAX);
        assert_int_equal((again.finding.text.len - lead) % 4, 0);
    }
}

static void what_is_no_line_is_refused(void **state)
{
    static const char *const bad[] = {
        "",
        " ",
        "listen",
        "listens x",
        "begun 1",
        "Begun",
        "begun\n",
        "found",
        "found network",
        "found network 0 a",
        "found network -1 a",
        "found network 4294967296 a",
        "found nothing 1 a",
        "found network 1 a\tb",
        "found network 1 \x80",
        "found network 1 a\n",
        "used",
        "used 1 2",
        "used 1 2 3 4",
        "used 1 2 ",
        "used  1 2 3",
        "used 1 2 4294967296",
        "used 18446744073709551616 2 3",
        "used +1 2 3",
    };
    char lengthy[64 + FINDING_TEXT_MAX] = "found network 1 ";
    const size_t begin = strlen(lengthy);

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CellNews news = {.kind = NEWS_BEGUN};
        if (cell_news_read(str_of(bad[i]), &news))
            fail_msg("'%s' was read", bad[i]);
        assert_int_equal(news.kind, NEWS_BEGUN); /* as it was */
    }
    memset(lengthy + begin, 'a', FINDING_TEXT_MAX + 1);
    CellNews news;
    assert_true(cell_news_read((Str){lengthy, begin + FINDING_TEXT_MAX}, &news));
    assert_false(cell_news_read((Str){lengthy, begin + FINDING_TEXT_MAX + 1}, &news));
}

/* ---- properties ---- */

static uint64_t draw_number(Rng *rng)
{
    return rng_next(rng) >> rng_below(rng, 64);
}

static CellNews draw_news(Rng *rng, char *room, unsigned size)
{
    CellNews news = {.kind = (CellNewsKind)rng_below(rng, NEWS_USED + 1)};

    for (unsigned i = 0; i < size; i++)
        room[i] = (char)(rng_below(rng, 2) ? rng_below(rng, 256) : 'a' + rng_below(rng, 26));
    if (news.kind == NEWS_FOUND)
        news.finding = (Finding){(FindingRule)rng_below(rng, FINDING_RULES),
                                 {room, size},
                                 1 + rng_below(rng, UINT32_MAX)};
    else if (news.kind == NEWS_USED)
        news.use = (CellUse){draw_number(rng), draw_number(rng), (uint32_t)draw_number(rng)};
    return news;
}

/* What is read is written to the same bytes: nothing else stands for it. */
static bool everything_written_is_read_and_stands(Rng *rng, unsigned size)
{
    char room[512], line[CELL_NEWS_BYTES], second[CELL_NEWS_BYTES];
    CellNews news = draw_news(rng, room, size), again;

    const size_t bytes = cell_news_write(&news, line);
    if (bytes > sizeof(line) || memchr(line, '\n', bytes) ||
        !cell_news_read((Str){line, bytes}, &again) || again.kind != news.kind)
        return false;
    if (news.kind != NEWS_FOUND)
        return news_are_equal(&news, &again);
    return again.finding.rule == news.finding.rule && again.finding.count == news.finding.count &&
           cell_news_write(&again, second) <= sizeof(second);
}

/* Bytes that are almost a line: one of ours with some changed. */
static bool any_bytes_are_read_or_refused(Rng *rng, unsigned size)
{
    char room[512], line[CELL_NEWS_BYTES], second[CELL_NEWS_BYTES];
    CellNews news = draw_news(rng, room, size), again;
    size_t bytes = cell_news_write(&news, line);

    for (unsigned i = rng_below(rng, 4); i > 0; i--)
        line[rng_below(rng, (uint32_t)bytes)] = (char)rng_below(rng, 256);
    if (rng_below(rng, 4) == 0)
        bytes = rng_below(rng, (uint32_t)bytes + 1);
    if (!cell_news_read((Str){line, bytes}, &again))
        return true;
    if (again.kind == NEWS_FOUND && (again.finding.rule >= FINDING_RULES || !again.finding.count ||
                                     again.finding.text.len > FINDING_TEXT_MAX))
        return false;
    return cell_news_write(&again, second) <= sizeof(second);
}

static void whatever_is_written_is_read(void **state)
{
    (void)state;
    prop_check(everything_written_is_read_and_stands, 20000, 300);
}

static void whatever_comes_is_read_or_refused(void **state)
{
    (void)state;
    prop_check(any_bytes_are_read_or_refused, 20000, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_a_line_that_is_read_again),
        cmocka_unit_test(hostile_text_becomes_printable),
        cmocka_unit_test(a_text_is_cut_at_its_limit_and_never_within_an_escape),
        cmocka_unit_test(what_is_no_line_is_refused),
        cmocka_unit_test(whatever_is_written_is_read),
        cmocka_unit_test(whatever_comes_is_read_or_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
