#include "llm_server.h"

#include "cmd/cmd.h"

#include <fcntl.h>
#include <sys/stat.h>

/* `warg llm check` against a server, with what it prints. */

typedef struct Run {
    LlmServer server;
    Buf out;
    Err err;
    const char *refused; /* a word of requests that the server does not take */
    const char *say;     /* what the model always says; NULL: a decision that fits */
    unsigned status;     /* of every answer, unless 0 */
    bool thinks;         /* and has no answer unless it is told not to think */
} Run;

/* A server as Ollama's or an OpenAI-compatible one. */
static void serve(void *user, const LlmServerAsk *ask, size_t number, LlmServerStep *step)
{
    const Run *run = user;

    (void)number;
    if (run->status) {
        *step = (LlmServerStep){.status = run->status,
                                .body = "{\"error\":{\"message\":\"no, sk-secret\"}}"};
    } else if (str_starts(ask->target, STR("/v1/models"))) {
        *step = (LlmServerStep){.body = "{\"data\":[{\"id\":\"m1\",\"max_model_len\":16384}]}"};
    } else if (str_starts(ask->target, STR("/api/show"))) {
        *step = (LlmServerStep){.body = "{\"model_info\":{\"llama.context_length\":131072}}"};
    } else if (run->refused && strstr(ask->body.bytes, run->refused)) {
        *step =
            (LlmServerStep){.status = 400, .body = "{\"error\":\"response_format: schema, no\"}"};
    } else if (run->thinks && !strstr(ask->body.bytes, "\"reasoning_effort\":\"none\"")) {
        *step = (LlmServerStep){
            .body = "{\"choices\":[{\"finish_reason\":\"length\",\"message\":{\"content\":\"\","
                    "\"reasoning_content\":\"Let me see\"}}]}"};
    } else {
        step->say = run->say;
        if (!run->say)
            step->say = "{\"action\":\"vote\",\"target\":\"Bo\",\"reason\":\"he asks\"}";
    }
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));

    stub_no_proxy();
    unsetenv("OPENAI_API_KEY");
    run->server.choose = serve;
    run->server.user = run;
    llm_server_begin(&run->server);
    *state = run;
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;

    llm_server_end(&run->server);
    buf_done(&run->out);
    mem_free(run);
    return 0;
}

/* Runs `warg llm check` with arguments up to NULL; `url_end` is put behind the server's address.
 * Standard output goes into a file in the meantime. */
static int check(Run *run, const char *url_end, const char *const *more)
{
    char url[128], bytes[4096];
    char *argv[24] = {(char *)(uintptr_t) "llm", (char *)(uintptr_t) "check", url};
    int argc = 3;
    size_t n;
    FILE *file = tmpfile();

    assert_non_null(file);
    snprintf(url, sizeof(url), "%s%s", run->server.url, url_end);
    for (; more && *more; more++)
        argv[argc++] = (char *)(uintptr_t)*more;
    fflush(stdout);
    int before = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    run->err = (Err){0};
    int rc = cmd_llm(argc, argv, &run->err);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    rewind(file);
    buf_clear(&run->out);
    while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
        buf_add(&run->out, (Str){bytes, n});
    fclose(file);
    return rc;
}
#define CHECK(run, url_end, ...)                                                                   \
    check((run), (url_end), (const char *const[]){"--model", "m1", __VA_ARGS__, NULL})

static void has(const Run *run, const char *text)
{
    if (!strstr(buf_cstr(&run->out), text))
        fail_msg("no '%s' in: %s%s", text, buf_cstr(&run->out), run->err.msg);
}

static void a_good_server_is_said_to_be_one(void **state)
{
    Run *run = *state;

    assert_int_equal(CHECK(run, "/v1", "--timeout", "10s"), 0);
    has(run, "it answers\n");
    has(run, "JSON by schema    works\n");
    has(run, "JSON as object    works\n");
    has(run, "no JSON mode      works\n");
    has(run, "context           16384 tokens\n");
    has(run, "the model: vote Bo\n");
    has(run, "3 of 3 decisions are the model's; ");
    assert_null(strstr(buf_cstr(&run->out), "next step"));
    assert_int_equal(llm_server_asked(&run->server), 9); /* three of them about itself */
}

static void it_is_told_as_json_too(void **state)
{
    Run *run = *state;

    assert_int_equal(CHECK(run, "", "--api", "ollama", "--json"), 0);
    has(run, "{\"usable\":true,\"model\":\"m1\",\"answers\":true,\"error\":\"\","
             "\"trouble\":\"none\",\"advice\":\"\",\"served_model\":\"\",\"habits\":[],\"modes\":{"
             "\"schema\":true,\"object\":true,\"none\":true},\"best\":\"schema\","
             "\"context\":131072,\"decisions\":[{\"source\":\"model\",\"seconds\":");
    has(run, "\"action\":\"vote\",\"message\":\"\",\"target\":\"Bo\"}");
    has(run, "\"prompt_tokens\":300,\"answer_tokens\":60}\n");
}

static void modes_that_do_not_work_are_named(void **state)
{
    Run *run = *state;

    run->refused = "schema\":";
    assert_int_equal(CHECK(run, "/v1", "--language", "en"), 0);
    has(run, "JSON by schema    the server does not take it\n");
    has(run, "JSON as object    works\n");
    assert_int_equal(CHECK(run, "/v1", "--language", "ja"), 0);
    has(run, "JSON (スキーマ)   サーバーが受け付けない\n");
    has(run, "JSON (形だけ)     使える\n");
    run->refused = "response_format";
    assert_int_equal(CHECK(run, "/v1", "--json"), 0);
    has(run, "\"modes\":{\"schema\":false,\"object\":false,\"none\":true},\"best\":\"none\"");
}

static void a_model_that_talks_nonsense_can_not_play(void **state)
{
    Run *run = *state;

    run->say = "{\"action\":\"vote\",\"target\":\"the moon\"}";
    assert_int_equal(CHECK(run, "/v1", "--json"), EXIT_DISAGREE);
    has(run, "\"usable\":false");
    has(run, "\"source\":\"fallback\"");
    has(run, "\"advice\":\"take a larger model");
}

static void what_is_wrong_is_said_with_the_next_step(void **state)
{
    static const struct {
        unsigned status;
        const char *says;
    } cases[] = {{401, "--key-env"}, {404, "ends as the server wants"}, {418, "--api"}};
    Run *run = *state;

    setenv("WARG_TEST_KEY", "sk-secret", 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        run->status = cases[i].status;
        assert_int_equal(CHECK(run, "/v1", "--key-env", "WARG_TEST_KEY"), EXIT_DISAGREE);
        has(run, "no answer: status ");
        has(run, "next step: ");
        has(run, cases[i].says);
        assert_null(strstr(buf_cstr(&run->out), "sk-secret"));
    }
    unsetenv("WARG_TEST_KEY");
}

static void the_key_comes_from_the_environment_or_a_file(void **state)
{
    Run *run = *state;
    char path[] = "/tmp/warg-test-key-XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "sk-of-file\n", 11), 11);
    close(fd);
    run->status = 400;
    setenv("OPENAI_API_KEY", "sk-of-default", 1);
    setenv("WARG_TEST_KEY", "sk-named", 1);
    CHECK(run, "/v1", "--json"); /* on this machine it is given */
    CHECK(run, "/v1", "--key-env", "WARG_TEST_KEY");
    CHECK(run, "/v1", "--key-env", "WARG_TEST_KEY", "--key-file", path);
    unsetenv("OPENAI_API_KEY");
    unsetenv("WARG_TEST_KEY");
    unlink(path);
    static const char *const keys[] = {"Bearer sk-of-default\r", "Bearer sk-named\r",
                                       "Bearer sk-of-file\r"};
    assert_int_equal(llm_server_asked(&run->server), 6); /* of itself, and a question, each time */
    for (size_t i = 0; i < 6; i++)
        assert_non_null(strstr(buf_cstr(&run->server.order[i]->all), keys[i / 2]));

    assert_int_equal(CHECK(run, "/v1", "--key-env", "WARG_TEST_KEY"), ERR_USAGE);
    assert_non_null(strstr(run->err.msg, "WARG_TEST_KEY"));
    assert_int_equal(CHECK(run, "/v1", "--key-file", path), ERR_IO);
    assert_int_equal(CHECK(run, "/v1", "--key-file", "/dev/null"), ERR_SYNTAX);
}

static void a_server_that_hangs_costs_no_more_than_the_timeout(void **state)
{
    static const LlmServerStep steps[] = {{.how = SERVE_HANG}};
    Run *run = *state;

    run->server.choose = NULL;
    run->server.steps = steps;
    run->server.step_count = 1;
    assert_int_equal(CHECK(run, "/v1", "--timeout", "300ms"), EXIT_DISAGREE);
    has(run, "no answer: no answer");
    has(run, "--timeout");
}

static void what_can_not_be_tried_is_refused(void **state)
{
    Run *run = *state;

    assert_int_equal(check(run, "/v1", NULL), ERR_USAGE); /* without a model */
    assert_int_equal(CHECK(run, "/v1?key=1", "--json"), ERR_USAGE);
    assert_int_equal(CHECK(run, "/v1", "http://other"), ERR_USAGE);
    assert_int_equal(CHECK(run, "/v1", "--api", "none"), ERR_USAGE);
    assert_int_equal(llm_server_asked(&run->server), 0);
}

/* It is asked once more with more tokens; what is left is told with the next step. */
static void a_model_that_only_thinks_is_named_with_what_helps(void **state)
{
    Run *run = *state;

    run->thinks = true;
    assert_int_not_equal(CHECK(run, "/v1", "--timeout", "10s"), 0);
    has(run, "the model said nothing: its tokens were used up by thinking (finish_reason: length)");
    has(run, "next step: the model thinks for longer than it may write: --think off");
    assert_non_null(strstr(run->server.order[1]->body.bytes, "\"max_tokens\":300"));
    assert_non_null(strstr(run->server.order[2]->body.bytes, "\"max_tokens\":4396"));
    assert_int_equal(CHECK(run, "/v1", "--timeout", "10s", "--think", "off"), 0);
    has(run, "3 of 3 decisions are the model's");
    assert_int_equal(CHECK(run, "/v1", "--think", "deeply"), ERR_USAGE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_model_that_only_thinks_is_named_with_what_helps),
        TEST(a_good_server_is_said_to_be_one),
        TEST(it_is_told_as_json_too),
        TEST(modes_that_do_not_work_are_named),
        TEST(a_model_that_talks_nonsense_can_not_play),
        TEST(what_is_wrong_is_said_with_the_next_step),
        TEST(the_key_comes_from_the_environment_or_a_file),
        TEST(a_server_that_hangs_costs_no_more_than_the_timeout),
        TEST(what_can_not_be_tried_is_refused),
    };
    return cmocka_run_group_tests_name("llm check", tests, NULL, NULL);
}
