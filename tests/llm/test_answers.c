/* Answers that are kept and given again: nothing of them is lost, and what does not fit is told
 * with file and line. */
#include "scenes.h"

#include "llm/answers.h"

#include <sys/stat.h>
#include <unistd.h>

#define LATE "{\"question\":2,\"task\":\"vote\",\"outcome\":\"late\"}\n"

typedef struct Place {
    char folder[64];
    char path[96];
} Place;

static int make_place(void **state)
{
    static Place place;

    memset(&place, 0, sizeof(place));
    snprintf(place.folder, sizeof(place.folder), "/tmp/warg-answers-XXXXXX");
    if (!mkdtemp(place.folder))
        return -1;
    snprintf(place.path, sizeof(place.path), "%s/p01.jsonl", place.folder);
    *state = &place;
    return 0;
}

static int remove_place(void **state)
{
    const Place *place = *state;

    unlink(place->path);
    return rmdir(place->folder);
}

static const LlmAnswer whole = {
    .outcome = LLM_ANSWERED,
    .text = {"{\"action\":\"speak\"}\n\x01", 20},
    .model = {"fickle \"1\"", 10},
    .why = {"why", 3},
    .reasoning = {"\xe4\xba\xba\xe7\x8b\xbc", 6},
    .finish = {"stop", 4},
    .prompt_tokens = 1,
    .cached_tokens = 2,
    .answer_tokens = 3,
    .reasoning_tokens = 4294967295,
    .lost = {.prompt = 5, .cached = 6, .answer = 7, .reasoning = 8},
    .retries = 9,
    .latency = 1234567,
};

static void assert_same(const LlmAnswer *a, const LlmAnswer *b)
{
    const Str texts[2][5] = {{a->text, a->model, a->why, a->reasoning, a->finish},
                             {b->text, b->model, b->why, b->reasoning, b->finish}};

    assert_int_equal(a->outcome, b->outcome);
    for (size_t i = 0; i < 5; i++)
        assert_true(str_eq(texts[0][i], texts[1][i]));
    assert_int_equal(a->prompt_tokens, b->prompt_tokens);
    assert_int_equal(a->cached_tokens, b->cached_tokens);
    assert_int_equal(a->answer_tokens, b->answer_tokens);
    assert_int_equal(a->reasoning_tokens, b->reasoning_tokens);
    assert_memory_equal(&a->lost, &b->lost, sizeof(a->lost));
    assert_int_equal(a->retries, b->retries);
    assert_int_equal(a->latency, b->latency);
}

static void test_what_is_kept_is_given(void **state)
{
    const Place *place = *state;
    const LlmAnswer spent = {.outcome = LLM_SPENT};
    const LlmAnswer *got = &spent;
    LlmAnswers *answers = NULL;
    struct stat info;

    assert_int_equal(llm_answers_keep(place->path, &answers, NULL), 0);
    assert_false(llm_answers_are_given(answers));
    llm_answers_add(answers, 1, STR("talk"), &whole);
    llm_answers_add(answers, 1, STR("talk"), &spent);
    llm_answers_add(answers, 3, STR("vote"), NULL);
    assert_int_equal(llm_answers_failed(answers, NULL), 0);
    llm_answers_free(answers);
    assert_int_equal(stat(place->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);

    assert_int_equal(llm_answers_load(place->path, &answers, NULL), 0);
    assert_true(llm_answers_are_given(answers));
    assert_true(llm_answers_has(answers, 1));
    assert_int_equal(llm_answers_take(answers, 1, STR("talk"), &got, NULL), 0);
    assert_same(got, &whole);
    assert_int_equal(llm_answers_take(answers, 1, STR("talk"), &got, NULL), 0);
    assert_same(got, &spent);
    assert_false(llm_answers_has(answers, 2)); /* it was cancelled */
    assert_int_equal(llm_answers_end(answers, NULL), ERR_RULE);
    assert_int_equal(llm_answers_take(answers, 3, STR("vote"), &got, NULL), 0);
    assert_null(got);
    assert_int_equal(llm_answers_end(answers, NULL), 0);
    llm_answers_free(answers);
}

static void check_wrong(uint32_t question, Str task, const char *expected)
{
    LlmAnswers *answers = NULL;
    const LlmAnswer *got = &whole;
    Err err = {0};

    assert_int_equal(llm_answers_read(STR(LATE), "p01.jsonl", &answers, NULL), 0);
    assert_int_equal(llm_answers_take(answers, question, task, &got, &err), ERR_RULE);
    assert_string_equal(err.msg, expected);
    assert_ptr_equal(got, &whole);
    assert_int_equal(llm_answers_failed(answers, NULL), ERR_RULE); /* it stays */
    assert_int_equal(llm_answers_take(answers, 2, STR("vote"), &got, NULL), ERR_RULE);
    llm_answers_free(answers);
}

static void test_another_game(void **state)
{
    (void)state;
    check_wrong(
        2, STR("talk"),
        "p01.jsonl:1: the answer to question 2 (vote), but question 2 (talk) is asked: this "
        "is not the same game");
    check_wrong(
        3, STR("vote"),
        "p01.jsonl:1: the answer to question 2 (vote), but question 3 (vote) is asked: this "
        "is not the same game");
}

static void test_too_few(void **state)
{
    (void)state;
    LlmAnswers *answers = NULL;
    const LlmAnswer *got = NULL;
    Err err = {0};

    assert_int_equal(llm_answers_read((Str){0}, "p01.jsonl", &answers, NULL), 0);
    assert_int_equal(llm_answers_take(answers, 1, STR("vote"), &got, &err), ERR_RULE);
    assert_string_equal(err.msg, "p01.jsonl: ends after 0 answers, but question 1 (vote) is asked");
    llm_answers_free(answers);
}

static void test_damaged(void **state)
{
    static const struct {
        const char *text;
        const char *expected;
    } rows[] = {
        {LATE "{\"question\":3", "p01.jsonl:2: no kept answer: the line is cut off"},
        {LATE "[]\n", "p01.jsonl:2: no kept answer: expected an object"},
        {"{\"task\":\"vote\",\"outcome\":\"late\"}\n", "'question' is not there"},
        {"{\"question\":1,\"outcome\":\"lost\"}\n", "'outcome' is not one of its words"},
        {"{\"question\":1,\"outcome\":\"answered\",\"tokens\":[1,2,3]}\n",
         "'tokens' is not a list of four numbers"},
        {"\n", "p01.jsonl:1: no kept answer: "},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        LlmAnswers *answers = NULL;
        Err err = {0};
        assert_int_equal(llm_answers_read(str_of(rows[i].text), "p01.jsonl", &answers, &err),
                         ERR_SYNTAX);
        assert_non_null(strstr(err.msg, rows[i].expected));
        assert_null(answers);
    }
}

/* What was sent and never answered is counted again. */
static void test_unanswered(void **state)
{
    const Place *place = *state;
    LlmAnswers *answers = NULL;

    assert_int_equal(llm_answers_keep(place->path, &answers, NULL), 0);
    llm_answers_add_unanswered(answers, 2, 1);
    llm_answers_add(answers, 3, STR("vote"), &whole);
    llm_answers_add_unanswered(answers, 5, 3);
    llm_answers_free(answers);
    assert_int_equal(llm_answers_load(place->path, &answers, NULL), 0);
    for (uint32_t question = 1; question < 7; question++)
        assert_int_equal(llm_answers_take_unanswered(answers, question), question == 2   ? 1
                                                                         : question == 5 ? 3
                                                                                         : 0);
    assert_true(llm_answers_has(answers, 3));
    llm_answers_free(answers);
}

/* A decision that is another one is told, the first only; what it took may differ. */
static void test_decisions_are_compared(void **state)
{
    static const char kept[] =
        "{\"type\":\"decision\",\"task\":\"talk\",\"source\":\"model\",\"action\":\"speak\","
        "\"message\":\"a\",\"took_ms\":7}\n" LATE
        "{\"type\":\"decision\",\"task\":\"vote\",\"source\":\"fallback\",\"target\":\"Ann\"}\n";
    LlmAnswers *answers = NULL;
    Err err = {0};

    (void)state;
    assert_int_equal(llm_answers_read(str_of(kept), "p01.jsonl", &answers, NULL), 0);
    llm_answers_compare(answers, STR("{\"task\":\"talk\",\"source\":\"model\",\"action\":\"speak\","
                                     "\"message\":\"a\",\"took_ms\":9}"));
    assert_int_equal(llm_answers_failed(answers, NULL), 0);
    llm_answers_compare(answers,
                        STR("{\"task\":\"vote\",\"source\":\"fallback\",\"target\":\"Bob\"}"));
    assert_int_equal(llm_answers_failed(answers, &err), ERR_RULE);
    assert_string_equal(err.msg, "p01.jsonl:3: decision 2 (vote) is another one: its target was "
                                 "'Ann' and is 'Bob' now: this is not the same game");
    llm_answers_compare(answers, STR("{\"task\":\"guard\"}")); /* more than there were */
    llm_answers_free(answers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_kept_is_given, make_place, remove_place),
        cmocka_unit_test(test_another_game),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test_setup_teardown(test_unanswered, make_place, remove_place),
        cmocka_unit_test(test_decisions_are_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
