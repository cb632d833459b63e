#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "sanitized.h"
#include "web/search_index.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- documents ---- */

static const char *const words[] = {
    "人狼", "村人", "占い師", "霊媒師", "騎士", "狂人",      "怪しい",   "信じる", "投票", "昨日",
    "今日", "発言", "処刑",   "襲撃",   "白",   "黒",        "思います", "ですね", "なぜ", "グレー",
    "CO",   "ok",   "the",    "wolf",   "seer", "Agent[03]", "カタカナ", "です。", "！",   "🐺",
};
#define WORDS (sizeof(words) / sizeof(words[0]))

/* A game of `lines` lines, in the form that record/game_doc.h writes. */
static void write_document(Rng *rng, unsigned lines, const char *status, const char *extra,
                           Buf *out)
{
    static const char *const roles[] = {"WEREWOLF", "SEER", "VILLAGER", "VILLAGER", "POSSESSED"};
    Json json = json_over(out);

    buf_clear(out);
    json_open(&json, '{');
    json_add_str(&json, "format", STR("warg-game"));
    json_add_str(&json, "status", str_of(status));
    json_key(&json, STR("seats"));
    json_open(&json, '[');
    for (unsigned seat = 1; seat <= 5; seat++) {
        char name[32];
        snprintf(name, sizeof(name), "Agent[%02u]", seat);
        json_open(&json, '{');
        json_add_uint(&json, "seat", seat);
        json_add_str(&json, "name", str_of(name));
        snprintf(name, sizeof(name), "team%u", seat);
        json_add_str(&json, "agent", str_of(name));
        json_close(&json);
    }
    json_close(&json);
    json_key(&json, STR("events"));
    json_open(&json, '[');
    for (unsigned i = 0; i < lines; i++) {
        CLEANUP(buf_done) Buf text = {0};
        char anchor[24];
        for (unsigned count = 2 + rng_below(rng, 8); count > 0; count--)
            buf_add(&text, str_of(words[rng_below(rng, WORDS - 6)]));
        if (i == 0)
            buf_add(&text, str_of(extra));
        snprintf(anchor, sizeof(anchor), "d%ut%u", 1 + i / 100, i % 100);
        json_open(&json, '{');
        json_add_uint(&json, "n", i);
        json_add_str(&json, "a", str_of(anchor));
        json_add_str(&json, "kind", i % 50 == 49 ? STR("whisper") : STR("talk"));
        json_add_uint(&json, "day", 1 + i / 100);
        json_add_uint(&json, "seat", 1 + i % 5);
        json_add_str(&json, "text", buf_str(&text));
        if (i % 20 == 19)
            json_add_str(&json, "quiet", STR("skip"));
        json_close(&json);
    }
    for (unsigned seat = 1; seat <= 5; seat++) {
        json_open(&json, '{');
        json_add_str(&json, "a", STR("end"));
        json_add_str(&json, "kind", STR("reveal"));
        json_add_uint(&json, "seat", seat);
        json_add_str(&json, "role", str_of(roles[seat - 1]));
        json_close(&json);
    }
    json_close(&json);
    json_close(&json);
    assert_false(buf_failed(out));
}

static void add_game(SearchIndex *index, unsigned number, Str document)
{
    char name[32];
    Err err = {0};

    snprintf(name, sizeof(name), "cup.%04u", number);
    const SearchGame game = {str_of(name), number % 2 ? STR("odd") : STR("even"), number, 1};
    if (search_index_add(index, &game, document, &err))
        fail_msg("%s", err.msg);
}

static SearchIndex *make_index(unsigned games, unsigned lines, const char *extra)
{
    SearchIndex *index = NULL;
    CLEANUP(buf_done) Buf document = {0};
    Rng rng = rng_new(5);
    Err err = {0};

    if (search_index_open(NULL, &index, &err) || search_index_begin(index, &err))
        fail_msg("%s", err.msg);
    for (unsigned i = 0; i < games; i++) {
        write_document(&rng, lines, "finished", extra, &document);
        add_game(index, i, buf_str(&document));
    }
    assert_int_equal(search_index_commit(index, NULL), 0);
    return index;
}

static SearchAsk ask_for(const char *query)
{
    return (SearchAsk){.query = str_of(query),
                       .day = -1,
                       .talk = true,
                       .names = true,
                       .agents = true,
                       .until_ms = INT64_MAX};
}

static size_t find(SearchIndex *index, const SearchAsk *ask, SearchHits *hits)
{
    Err err = {0};

    search_hits_done(hits);
    if (search_index_find(index, ask, hits, &err))
        fail_msg("'%.*s': %s", STR_ARG(ask->query), err.msg);
    return hits->count;
}

static size_t count_of(SearchIndex *index, const char *query)
{
    CLEANUP(search_hits_done) SearchHits hits = {0};
    const SearchAsk ask = ask_for(query);

    find(index, &ask, &hits);
    return hits.total;
}

static const char *text_at(const SearchHits *hits, uint32_t at)
{
    return hits->texts.bytes + at;
}

/* ---- terms ---- */

static void a_text_is_cut_into_pairs_and_words(void **state)
{
    static const struct {
        const char *text, *pairs;
    } cases[] = {
        {"", ""},
        {"村人", " 村人 人"},
        {"村", " 村"},
        {"I am 人狼。ok", " i am 人狼 狼。 。 ok"},
        {"Agent[03]", " agent 03"},
        {"a村b", " a 村 b"},
        {"\xFF村\xFF", " 村"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf pairs = {0};
        search_pairs(str_of(cases[i].text), &pairs);
        assert_string_equal(buf_cstr(&pairs), cases[i].pairs);
    }
}

/* How many lines hold the text, counted by hand. */
static size_t count_by_hand(unsigned games, unsigned lines, const char *part, const char *extra)
{
    CLEANUP(buf_done) Buf document = {0};
    Rng rng = rng_new(5);
    size_t count = 0;

    for (unsigned i = 0; i < games; i++) {
        write_document(&rng, lines, "finished", extra, &document);
        Str rest = buf_str(&document);
        size_t at;
        while (str_find(rest, STR("\"kind\":\"talk\""), &at)) {
            rest = str_part(rest, at + 5, rest.len);
            Str event = rest;
            size_t end;
            if (str_find(rest, STR("}"), &end))
                event = str_part(rest, 0, end);
            size_t text, quiet;
            if (!str_find(event, STR("\"text\":\""), &text) ||
                str_find(event, STR("\"quiet\""), &quiet))
                continue;
            count += str_find(str_part(event, text + 8, event.len), str_of(part), &quiet);
        }
    }
    return count;
}

static void parts_of_any_length_are_found(void **state)
{
    /* All of it; a word of two letters stands for itself, ASCII words of two are begun by it. */
    static const char *const parts[] = {"人狼",     "村人", "占い師", "い師", "師",       "怪しい",
                                        "思います", "グレ", "ですね", "白黒", "人狼村人", "なぜ怪"};
    SearchIndex *index = make_index(20, 60, "");

    (void)state;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        size_t wanted = count_by_hand(20, 60, parts[i], "");
        if (count_of(index, parts[i]) != wanted || (wanted == 0 && i < 9))
            fail_msg("'%s': %zu in place of %zu", parts[i], count_of(index, parts[i]), wanted);
    }
    assert_int_equal(count_of(index, "ありません"), 0);
    assert_int_equal(count_of(index, "鬼畜"), 0);
    search_index_free(index);
}

static void several_terms_are_all_there(void **state)
{
    SearchIndex *index = make_index(3, 20, "");
    CLEANUP(buf_done) Buf document = {0};
    Rng rng = rng_new(1);

    (void)state;
    write_document(&rng, 1, "finished", "xyzzy 孤独 plugh", &document);
    add_game(index, 77, buf_str(&document));
    assert_int_equal(count_of(index, "xyzzy"), 1);
    assert_int_equal(count_of(index, "XYZZY plugh"), 1);
    assert_int_equal(count_of(index, "孤独 xyzzy"), 1);
    assert_int_equal(count_of(index, "孤独\xE3\x80\x80plugh"), 1); /* a wide blank */
    assert_int_equal(count_of(index, "孤独 nothing"), 0);
    assert_int_equal(count_of(index, "xy"), 1);
    assert_int_equal(count_of(index, "zy"), 0); /* no word begins so */
    assert_int_equal(count_of(index, "孤"), 1);
    assert_int_equal(count_of(index, "独"), 1);
    search_index_free(index);
}

static void a_hostile_question_is_one(void **state)
{
    static const char *const questions[] = {
        "\"",
        "\"\"\"",
        "'",
        "' OR 1=1 --",
        "NEAR(a b)",
        "text:abc",
        "abc*",
        "^abc",
        "a AND",
        "NOT",
        "-abc",
        "(",
        "abc OR def",
        "{a b}:c",
        "*",
        "%",
        "_",
        "\\",
        "\x01\x02",
        "\xFF\xFE\xFD",
        "\xE4\xBA",
        "; DROP TABLE line;",
        "\xF0\x9F\x90\xBA",
        "\xE2\x80\xAE",
        "a\nb\tc",
    };
    SearchIndex *index = make_index(3, 20, "");
    CLEANUP(search_hits_done) SearchHits hits = {0};
    char longest[8192];
    Err err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
        count_of(index, questions[i]);
    SearchAsk ask = ask_for("");
    ask.query = (Str){"abc\0def", 7};
    assert_int_equal(find(index, &ask, &hits), 0);
    memset(longest, '"', sizeof(longest));
    ask.query = (Str){longest, SEARCH_QUERY_BYTES};
    assert_int_equal(find(index, &ask, &hits), 0);
    ask.query = (Str){longest, sizeof(longest)};
    assert_int_equal(search_index_find(index, &ask, &hits, &err), ERR_LIMIT);
    Rng rng = rng_new(3);
    for (unsigned i = 0; i < sanitized_share(2000); i++) {
        size_t len = rng_below(&rng, 40);
        for (size_t b = 0; b < len; b++)
            longest[b] = "\"'*()^:-+ANDORNEAR \xE4\xBA\xBA\xE7\x8B\xBC"[rng_below(&rng, 25)];
        ask.query = (Str){longest, len};
        find(index, &ask, &hits);
    }
    assert_true(count_of(index, "人狼") > 0); /* all is still there */
    search_index_free(index);
}

/* ---- filters ---- */

static void filters_leave_out_the_rest(void **state)
{
    SearchIndex *index = make_index(10, 250, "");
    CLEANUP(search_hits_done) SearchHits hits = {0};
    SearchAsk ask = ask_for("人狼");

    (void)state;
    size_t all = count_of(index, "人狼"), parts = 0;
    for (int32_t day = 1; day <= 3; day++) {
        ask.day = day;
        ask.from = 0;
        find(index, &ask, &hits);
        parts += hits.total;
        for (size_t i = 0; i < hits.count; i++)
            assert_int_equal(hits.items[i].day, day);
    }
    assert_int_equal(parts, all);
    ask = ask_for("人狼");
    ask.contest = STR("odd");
    find(index, &ask, &hits);
    for (size_t i = 0; i < hits.count; i++)
        assert_true(text_at(&hits, hits.items[i].game)[7] % 2 == 1); /* "cup.0003" */
    ask.contest = STR("none");
    assert_int_equal(find(index, &ask, &hits), 0);
    ask = ask_for("人狼");
    ask.role = ROLE_SEER;
    assert_true(find(index, &ask, &hits) > 0);
    for (size_t i = 0; i < hits.count; i++)
        assert_int_equal(hits.items[i].seat, 2);
    ask = ask_for("人狼");
    ask.team = STR("team4");
    assert_true(find(index, &ask, &hits) > 0);
    for (size_t i = 0; i < hits.count; i++)
        assert_int_equal(hits.items[i].seat, 4);
    ask = ask_for("人狼");
    ask.until_ms = 3;
    assert_true(find(index, &ask, &hits) > 0);
    for (size_t i = 0; i < hits.count; i++)
        assert_true(hits.items[i].at_ms <= 3);
    search_index_free(index);
}

static void who_played_is_found_only_where_names_are_shown(void **state)
{
    SearchIndex *index = make_index(4, 20, "");
    CLEANUP(search_hits_done) SearchHits hits = {0};
    SearchAsk ask = ask_for("team3");

    (void)state;
    assert_int_equal(find(index, &ask, &hits), 4);
    assert_string_equal(text_at(&hits, hits.items[0].agent), "team3");
    ask.agents = false;
    assert_int_equal(find(index, &ask, &hits), 0);
    ask = ask_for("Agent[03]");
    ask.agents = false;
    ask.talk = false;
    assert_int_equal(find(index, &ask, &hits), 4);
    assert_string_equal(text_at(&hits, hits.items[0].agent), "");
    ask.team = STR("team3"); /* it would tell which seat */
    assert_int_equal(find(index, &ask, &hits), 0);
    search_index_free(index);
}

static void pages_follow_each_other(void **state)
{
    SearchIndex *index = make_index(10, 250, "");
    CLEANUP(search_hits_done) SearchHits all = {0};
    SearchAsk ask = ask_for("村人");
    size_t seen = 0;
    int64_t before = INT64_MAX;

    (void)state;
    for (;;) {
        find(index, &ask, &all);
        for (size_t i = ask.from; i < all.count && i < ask.from + SEARCH_HITS; i++, seen++) {
            assert_true(all.items[i].at_ms <= before); /* newest first */
            before = all.items[i].at_ms;
        }
        if (all.count <= ask.from + SEARCH_HITS)
            break;
        ask.from += SEARCH_HITS;
    }
    assert_int_equal(seen, count_of(index, "村人"));
    assert_true(seen > 200);
    search_index_free(index);
}

static void what_is_no_hit_of_the_village_is_not_there(void **state)
{
    SearchIndex *index = NULL;
    CLEANUP(buf_done) Buf document = {0};
    Rng rng = rng_new(9);

    (void)state;
    assert_int_equal(search_index_open(NULL, &index, NULL), 0);
    write_document(&rng, 10, "running", "abracadabra", &document);
    add_game(index, 1, buf_str(&document));
    assert_int_equal(count_of(index, "abracadabra"), 0);
    const SearchGame game = {STR("x"), STR(""), 0, 0};
    assert_int_equal(search_index_add(index, &game, STR("{\"status\""), NULL), ERR_SYNTAX);
    search_index_free(index);
}

/* ---- games that come, change and go ---- */

static bool is_even(void *user, Str name)
{
    (void)user;
    return (name.bytes[name.len - 1] - '0') % 2 == 0;
}

static void games_come_change_and_go(void **state)
{
    SearchIndex *index = make_index(4, 20, "first");
    CLEANUP(buf_done) Buf document = {0};
    Rng rng = rng_new(2);
    uint64_t games = 0, lines = 0;
    bool has = false;

    (void)state;
    assert_int_equal(search_index_has(index, STR("cup.0001"), 1, &has, NULL), 0);
    assert_true(has);
    assert_int_equal(search_index_has(index, STR("cup.0001"), 2, &has, NULL), 0);
    assert_false(has);
    assert_int_equal(count_of(index, "first"), 4);
    write_document(&rng, 20, "finished", "second", &document);
    add_game(index, 1, buf_str(&document));
    assert_int_equal(count_of(index, "first"), 3);
    assert_int_equal(count_of(index, "second"), 1);
    assert_int_equal(search_index_keep(index, is_even, NULL, NULL), 0);
    assert_int_equal(count_of(index, "second"), 0);
    assert_int_equal(count_of(index, "first"), 2);
    assert_int_equal(search_index_count(index, &games, &lines, NULL), 0);
    assert_int_equal(games, 2);
    search_index_free(index);
}

static void an_index_in_a_file_is_kept(void **state)
{
    char dir[] = "warg-search-XXXXXX", path[64];
    SearchIndex *index = NULL;
    CLEANUP(buf_done) Buf document = {0};
    Rng rng = rng_new(2);

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/" SEARCH_FILE, dir);
    assert_int_equal(search_index_open(path, &index, NULL), 0);
    assert_true(search_index_is_kept(index));
    write_document(&rng, 20, "finished", "keepsake", &document);
    add_game(index, 1, buf_str(&document));
    search_index_free(index);
    assert_int_equal(search_index_open(path, &index, NULL), 0);
    assert_int_equal(count_of(index, "keepsake"), 1);
    search_index_free(index);
    unlink(path);
    /* What is there and is none of ours stays as it is. */
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("somebody's notes\n", file);
    fclose(file);
    assert_int_equal(search_index_open(path, &index, NULL), 0);
    assert_false(search_index_is_kept(index));
    search_index_free(index);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_size, 17);
    unlink(path);
    rmdir(dir);
}

/* ---- time ---- */

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* docs/spec/web.md, W16: in 200 ms; a build with checks is given five times as long. */
static void a_word_of_two_letters_in_a_thousand_games_takes_little_time(void **state)
{
    static const char *const questions[] = {"人狼", "占い",        "師",        "ok",  "怪しい",
                                            "孤独", "人狼 怪しい", "Agent[03]", "白黒"};
    double began = seconds();
    SearchIndex *index = make_index(sanitized_share(1000), 150, "");
    CLEANUP(search_hits_done) SearchHits hits = {0};

    (void)state;
    print_message("games of 150 lines added in %.2f s\n", seconds() - began);
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        const SearchAsk ask = ask_for(questions[i]);
        began = seconds();
        find(index, &ask, &hits);
        double took = seconds() - began;
        print_message("'%s': %zu hits of %llu%s in %.1f ms\n", questions[i], hits.count,
                      (unsigned long long)hits.total, hits.is_more ? " and more" : "", 1000 * took);
        assert_true(took < 1);
    }
    search_index_free(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_cut_into_pairs_and_words),
        cmocka_unit_test(parts_of_any_length_are_found),
        cmocka_unit_test(several_terms_are_all_there),
        cmocka_unit_test(a_hostile_question_is_one),
        cmocka_unit_test(filters_leave_out_the_rest),
        cmocka_unit_test(who_played_is_found_only_where_names_are_shown),
        cmocka_unit_test(pages_follow_each_other),
        cmocka_unit_test(what_is_no_hit_of_the_village_is_not_there),
        cmocka_unit_test(games_come_change_and_go),
        cmocka_unit_test(an_index_in_a_file_is_kept),
        cmocka_unit_test(a_word_of_two_letters_in_a_thousand_games_takes_little_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
