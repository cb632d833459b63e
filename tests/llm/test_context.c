#include "scenes.h"

#include "llm/context.h"

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of the test's own; the file in it goes with it. */
typedef struct Place {
    char folder[64];
    char path[96];
} Place;

static int make_place(void **state)
{
    static Place place;

    memset(&place, 0, sizeof(place));
    snprintf(place.folder, sizeof(place.folder), "/tmp/warg-context-XXXXXX");
    if (!mkdtemp(place.folder))
        return -1;
    snprintf(place.path, sizeof(place.path), "%s/a.context.jsonl", place.folder);
    *state = &place;
    return 0;
}

static int remove_place(void **state)
{
    const Place *place = *state;

    unlink(place->path);
    return rmdir(place->folder);
}

static LlmContext *new_context(void)
{
    LlmContext *context = NULL;

    assert_int_equal(llm_context_new(&context, NULL), 0);
    return context;
}

static void add(LlmContext *context, LlmRole role, LlmEntryKind kind, const char *text)
{
    assert_int_equal(llm_context_add(context, role, kind, str_of(text), 1, 2, 1700000000123, NULL),
                     0);
}

/* The messages of a request as "role:content|role:content". */
static const char *messages(LlmContext *context, const char *news, Buf *out)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_clear(out);
    llm_context_write(context, STR("GUIDE"), str_of(news), STR(""), &text);
    json_t *array = json_loadb(text.bytes, text.len, JSON_REJECT_DUPLICATES, NULL);
    assert_true(json_is_array(array));
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *entry = json_array_get(array, i);
        buf_printf(out, "%s%s:%s", i ? "|" : "", json_string_value(json_object_get(entry, "role")),
                   json_string_value(json_object_get(entry, "content")));
    }
    json_decref(array);
    return buf_cstr(out);
}

static void put_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

static const char *get_file(const char *path, Buf *out)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);

    assert_true(file >= 0);
    buf_clear(out);
    assert_true(buf_reserve(out, 65536));
    ssize_t n = read(file, out->bytes, 65535);
    close(file);
    assert_true(n >= 0);
    out->len = (size_t)n;
    out->bytes[n] = '\0';
    return out->bytes;
}

static void a_request_is_guide_entries_and_news(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    LlmContext *context = new_context();

    (void)state;
    assert_string_equal(messages(context, "", &out), "system:GUIDE|user:...");
    add(context, LLM_USER, ENTRY_TALK, "Bo: \"Hi\"\nCy: {}");
    add(context, LLM_ASSISTANT, ENTRY_TALK, "Hello.");
    assert_string_equal(messages(context, "Bo: So?", &out),
                        "system:GUIDE|user:Bo: \"Hi\"\nCy: {}|assistant:Hello.|user:Bo: So?");
    add(context, LLM_USER, ENTRY_FACT, "Dee was executed.");
    assert_string_equal(messages(context, "", &out),
                        "system:GUIDE|user:Bo: \"Hi\"\nCy: {}|assistant:Hello.|"
                        "user:Dee was executed.");
    llm_context_free(context);
}

static void a_new_round_keeps_a_line_for_each_past_one(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    LlmContext *context = new_context();

    (void)state;
    add(context, LLM_USER, ENTRY_FACT, "I am a wolf.");
    assert_int_equal(llm_context_new_round(context, STR("Round 1: wolves won."), NULL), 0);
    add(context, LLM_USER, ENTRY_TALK, "Bo: Hi.");
    assert_int_equal(llm_context_new_round(context, STR("Round 2: village won."), NULL), 0);
    assert_string_equal(messages(context, "N", &out),
                        "system:GUIDE|user:Round 1: wolves won.\nRound 2: village won.\nN");
    llm_context_free(context);
}

static void tokens_are_estimated_and_corrected_by_the_server(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    LlmContext *context = new_context();

    (void)state;
    assert_int_equal(llm_context_tokens(context), 0);
    llm_context_counted(context, 500);              /* nothing was asked yet */
    add(context, LLM_USER, ENTRY_TALK, "12345678"); /* 8 / 4 + 4 */
    assert_int_equal(llm_context_tokens(context), 6);
    add(context, LLM_USER, ENTRY_TALK, "人狼"); /* 6 / 3 + 4 */
    assert_int_equal(llm_context_tokens(context), 12);
    /* GUIDE 2 + 4, news 1 + 4: the request is 23 by our estimate; the server says twice that. */
    messages(context, "news", &out);
    llm_context_counted(context, 46);
    assert_int_equal(llm_context_tokens(context), 24);
    llm_context_counted(context, 23); /* the second time: halfway */
    assert_int_equal(llm_context_tokens(context), 18);
    llm_context_counted(context, 0);
    assert_int_equal(llm_context_tokens(context), 18);
    for (int i = 0; i < 30; i++)
        llm_context_counted(context, UINT32_MAX);
    assert_in_range(llm_context_tokens(context), 40, 48); /* at most four times */
    llm_context_free(context);
}

static void the_oldest_talk_goes_first_and_facts_stay(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    LlmContext *context = new_context();

    (void)state;
    add(context, LLM_USER, ENTRY_FACT, "You are a villager.");
    add(context, LLM_USER, ENTRY_TALK, "Bo: the first line of talk, quite a long one");
    add(context, LLM_ASSISTANT, ENTRY_TALK, "the second line of talk, also quite a long one");
    add(context, LLM_USER, ENTRY_FACT, "Dee was executed.");
    add(context, LLM_USER, ENTRY_TALK, "Cy: the third line");
    uint32_t all = llm_context_tokens(context);
    assert_int_equal(llm_context_truncate(context, all, STR("x")), 0);
    assert_int_equal(llm_context_truncate(context, all - 1, STR("Bo spoke")), 1);
    assert_true(llm_context_tokens(context) < all);
    assert_string_equal(messages(context, "N", &out),
                        "system:GUIDE|user:You are a villager.\nearlier: Bo spoke|assistant:"
                        "the second line of talk, also quite a long one|user:Dee was executed.\n"
                        "Cy: the third line\nN");
    /* Again: one entry stands for all that went. */
    assert_int_equal(llm_context_truncate(context, 1, STR("")), 2);
    assert_string_equal(messages(context, "N", &out),
                        "system:GUIDE|user:You are a villager.\nearlier: ...\n"
                        "Dee was executed.\nN");
    assert_int_equal(llm_context_truncate(context, 1, STR("")), 0); /* only facts are left */
    llm_context_free(context);
}

static void a_long_summary_is_cut_at_a_character(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    LlmContext *context = new_context();

    (void)state;
    add(context, LLM_USER, ENTRY_TALK,
        "a line of talk that is longer than what is asked for, by far");
    assert_int_equal(llm_context_truncate(context, 10, STR("人狼が二人いるらしい")), 1);
    assert_string_equal(messages(context, "N", &out), "system:GUIDE|user:earlier: 人狼が\nN");
    llm_context_free(context);
}

static void what_is_saved_is_loaded(void **state)
{
    const Place *place = *state;
    CLEANUP(buf_done) Buf before = {0};
    CLEANUP(buf_done) Buf after = {0};
    LlmContext *context = new_context();

    add(context, LLM_USER, ENTRY_TALK, "not saved");
    assert_int_equal(llm_context_save(context, place->path, NULL), 0);
    assert_int_equal(llm_context_new_round(context, STR("Round 1: \"won\"."), NULL), 0);
    add(context, LLM_USER, ENTRY_TALK, "Bo: 人狼\nwith \\ and \x01");
    assert_int_equal(
        llm_context_add(context, LLM_ASSISTANT, ENTRY_FACT, (Str){"a\0b", 3}, 1, 2, -5, NULL), 0);
    /* At once: nobody has closed it yet. */
    assert_non_null(
        strstr(get_file(place->path, &after),
               "{\"role\":\"user\",\"kind\":\"talk\",\"content\":\"Bo: 人狼\\nwith \\\\ "
               "and \\u0001\",\"round\":1,\"phase_no\":2,\"t\":1700000000123}\n"));
    LlmContext *again = new_context();
    assert_int_equal(llm_context_load(again, place->path, NULL), 0);
    assert_int_equal(llm_context_tokens(again), llm_context_tokens(context));
    llm_context_write(context, STR("G"), STR("N"), STR(""), &before);
    buf_clear(&after);
    llm_context_write(again, STR("G"), STR("N"), STR(""), &after);
    assert_string_equal(buf_cstr(&before), buf_cstr(&after));
    llm_context_free(context);
    llm_context_free(again);
}

#define NUMBERS ",\"round\":1,\"phase_no\":1,\"t\":1}"
#define GOOD    "{\"role\":\"user\",\"kind\":\"talk\",\"content\":\"one\"" NUMBERS

static void a_damaged_last_line_is_dropped_and_cut_off(void **state)
{
    static const char *const ends[] = {GOOD "\n{\"role\":\"user\",\"ki", GOOD "\n\x01\x02\n",
                                       GOOD "\n{}\n\n", GOOD "\n", GOOD};
    const Place *place = *state;
    CLEANUP(buf_done) Buf out = {0};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        LlmContext *context = new_context();

        put_file(place->path, ends[i]);
        assert_int_equal(llm_context_load(context, place->path, NULL), 0);
        assert_string_equal(messages(context, "N", &out), "system:GUIDE|user:one\nN");
        assert_int_equal(llm_context_save(context, place->path, NULL), 0);
        add(context, LLM_USER, ENTRY_TALK, "two");
        llm_context_free(context);
        context = new_context();
        assert_int_equal(llm_context_load(context, place->path, NULL), 0);
        assert_string_equal(messages(context, "N", &out), "system:GUIDE|user:one\ntwo\nN");
        llm_context_free(context);
    }
}

static void a_bad_line_in_the_middle_is_told_and_nothing_changes(void **state)
{
    static const char *const bad[] = {
        "nonsense",
        "[]",
        "{\"role\":\"king\",\"kind\":\"talk\",\"content\":\"\"" NUMBERS,
        "{\"role\":\"user\",\"kind\":\"x\",\"content\":\"\"" NUMBERS,
        "{\"role\":\"user\",\"kind\":\"talk\"" NUMBERS,
        "{\"role\":\"user\",\"kind\":\"talk\",\"content\":\"\",\"round\":-1,\"t\":1}",
        "{\"role\":\"user\",\"kind\":\"talk\",\"content\":\"\",\"round\":1,\"phase_no\":1}",
    };
    const Place *place = *state;
    CLEANUP(buf_done) Buf text = {0};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        LlmContext *context = new_context();
        Err err = {0};

        add(context, LLM_USER, ENTRY_TALK, "before");
        buf_clear(&text);
        buf_printf(&text, GOOD "\n%s\n" GOOD "\n", bad[i]);
        put_file(place->path, buf_cstr(&text));
        assert_int_equal(llm_context_load(context, place->path, &err), ERR_SYNTAX);
        assert_int_equal(err.line, 2);
        assert_non_null(strstr(err.msg, "line 2"));
        assert_string_equal(messages(context, "N", &text), "system:GUIDE|user:before\nN");
        err = (Err){0};
        assert_int_equal(llm_context_save(context, place->path, &err), ERR_SYNTAX);
        llm_context_free(context);
    }
}

static void what_cannot_be_opened_or_written_is_told(void **state)
{
    const Place *place = *state;
    LlmContext *context = new_context();
    Err err = {0};

    assert_int_equal(llm_context_load(context, place->path, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "No such file"));
    err = (Err){0};
    assert_int_equal(llm_context_save(context, place->folder, &err), ERR_IO);
    err = (Err){0};
    assert_int_equal(llm_context_load(context, place->folder, &err), ERR_IO);
    if (access("/dev/full", W_OK) == 0) {
        err = (Err){0};
        assert_int_equal(llm_context_save(context, "/dev/full", &err), ERR_IO);
        assert_string_equal(err.msg, "context '/dev/full' is not a file");
    }
    llm_context_free(context);
}

static void a_full_disk_is_told_once_and_costs_no_memory(void **state)
{
    const Place *place = *state;
    CLEANUP(buf_done) Buf out = {0};
    LlmContext *context = new_context();
    struct rlimit old, small;
    Err err = {0};

    assert_int_equal(llm_context_save(context, place->path, NULL), 0);
    add(context, LLM_USER, ENTRY_TALK, "one");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){100, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int rc = llm_context_add(context, LLM_USER, ENTRY_TALK, STR("two"), 1, 1, 1, &err);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(rc, ERR_IO);
    assert_non_null(strstr(err.msg, "File too large"));
    add(context, LLM_USER, ENTRY_TALK, "three"); /* the file is given up */
    assert_string_equal(messages(context, "N", &out), "system:GUIDE|user:one\ntwo\nthree\nN");
    llm_context_free(context);
    context = new_context();
    assert_int_equal(llm_context_load(context, place->path, NULL), 0);
    assert_string_equal(messages(context, "N", &out), "system:GUIDE|user:one\nN");
    llm_context_free(context);
}

static void limits_are_kept(void **state)
{
    LlmContext *context = new_context();
    CLEANUP(buf_done) Buf text = {0};
    Err err = {0};

    (void)state;
    for (int i = 0; i < 300 * 1024 / 8; i++)
        buf_add(&text, STR("12345678"));
    assert_int_equal(llm_context_add(context, LLM_USER, ENTRY_TALK, buf_str(&text), 1, 1, 1, &err),
                     ERR_LIMIT);
    assert_int_equal(llm_context_tokens(context), 0);
    for (int i = 0; i < 1000; i++)
        add(context, LLM_USER, ENTRY_TALK, "line");
    assert_int_equal(llm_context_tokens(context), 5000);
    assert_true(llm_context_truncate(context, 100, (Str){0}) > 970);
    assert_true(llm_context_tokens(context) <= 100);
    llm_context_free(context);
    assert_null(llm_context_free(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_guide_entries_and_news),
        cmocka_unit_test(a_new_round_keeps_a_line_for_each_past_one),
        cmocka_unit_test(tokens_are_estimated_and_corrected_by_the_server),
        cmocka_unit_test(the_oldest_talk_goes_first_and_facts_stay),
        cmocka_unit_test(a_long_summary_is_cut_at_a_character),
        cmocka_unit_test_setup_teardown(what_is_saved_is_loaded, make_place, remove_place),
        cmocka_unit_test_setup_teardown(a_damaged_last_line_is_dropped_and_cut_off, make_place,
                                        remove_place),
        cmocka_unit_test_setup_teardown(a_bad_line_in_the_middle_is_told_and_nothing_changes,
                                        make_place, remove_place),
        cmocka_unit_test_setup_teardown(what_cannot_be_opened_or_written_is_told, make_place,
                                        remove_place),
        cmocka_unit_test_setup_teardown(a_full_disk_is_told_once_and_costs_no_memory, make_place,
                                        remove_place),
        cmocka_unit_test(limits_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
