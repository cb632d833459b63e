/* test_llm_arg.c - model players as options name them.
 *
 * Source: docs/spec/models.md 1.3 to 1.7. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "llm/llm_arg.h"

#include <stdlib.h>
#include <unistd.h>

#define URL "http://127.0.0.1:9/v1,model=m"

static void every_part_is_read(void **state)
{
    LlmSpec spec;
    Err err = {0};

    (void)state;
    if (llm_spec_read(STR("llm:" URL ",api=anthropic,json=none,max-tokens=100,think=off,"
                          "temperature=0.7,top-p=0.95,seed=0,stop=</s>,stop=END,context=9000,"
                          "num-ctx=4096,parallel=3,rpm=50,tpm=40000,timeout=90s,connect=500ms,"
                          "ca=ca.pem,proxy=http://127.0.0.1:3128,header=X-Title: a game,"
                          "header-env=api-key:VAR,header-file=X-Token:f.txt,"
                          "persona=calm, dry, exact"),
                      &spec, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(spec.api, LLM_ANTHROPIC);
    assert_true(spec.top_p > 0.94 && spec.top_p < 0.96);
    assert_true(spec.seeded);
    assert_int_equal(spec.sampling_seed, 0);
    assert_int_equal(spec.stop_count, 2);
    assert_string_equal(spec.stops[1], "END");
    assert_int_equal(spec.context, 9000);
    assert_int_equal(spec.rpm, 50);
    assert_int_equal(spec.tpm, 40000);
    assert_int_equal(spec.timeout_ms, 90000);
    assert_int_equal(spec.connect_ms, 500);
    assert_string_equal(spec.ca_file, "ca.pem");
    assert_string_equal(spec.proxy, "http://127.0.0.1:3128");
    assert_int_equal(spec.header_count, 3);
    assert_string_equal(spec.headers[0].name, "X-Title");
    assert_string_equal(spec.headers[0].value, "a game");
    assert_int_equal(spec.headers[1].from, HEADER_ENV);
    assert_int_equal(spec.headers[2].from, HEADER_FILE);
    assert_string_equal(spec.persona, "calm, dry, exact");
}

static void what_can_not_be_is_refused_without_its_secret(void **state)
{
    static const char *const bad[] = {
        URL ",top-p=0",
        URL ",top-p=1.1",
        URL ",top-p=x",
        URL ",seed=-1",
        URL ",seed=x",
        URL ",stop=",
        URL ",rpm=0",
        URL ",tpm=x",
        URL ",timeout=5",
        URL ",timeout=2h",
        URL ",context=0",
        URL ",api=gemini",
        URL ",header=X",
        URL ",header=X:",
        URL ",header=:y",
        URL ",header=Host:y",
        URL ",headers=X:y",
        URL ",header=a b:c",
        URL ",stop=a,stop=b,stop=c,stop=d,stop=e",
        URL ",header=api-key:s3cr3t",
        URL ",header=Authorization:Bearer s3cr3t",
        URL ",header=Cookie:s3cr3t",
        URL ",header=X-Auth-Token:s3cr3t",
        URL ",proxy=http://me:s3cr3t@127.0.0.1:1",
        "http://me:s3cr3t@192.0.2.1/v1,model=m",
        "http://192.0.2.1/v1?Api_Key=s3cr3t,model=m",
        "http://192.0.2.1/v1?api-version=1&access_token=s3cr3t,model=m",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        LlmSpec spec;
        Err err = {0};
        if (llm_spec_read(str_of(bad[i]), &spec, &err) != ERR_USAGE)
            fail_msg("'%s' is taken", bad[i]);
        assert_null(strstr(err.msg, "s3cr3t"));
    }
}

/* ---- endpoints ---- */

typedef struct Run {
    Loop *loop;
    LlmModels *models;
} Run;

static int set_up(void **state)
{
    static Run run;

    unsetenv("OPENAI_API_KEY");
    assert_int_equal(loop_new(&run.loop, NULL), 0);
    assert_int_equal(llm_models_new(run.loop, &run.models, NULL), 0);
    *state = &run;
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;

    llm_models_free(run->models);
    loop_free(run->loop);
    return 0;
}

static LlmEndpoint *endpoint_of(Run *run, const char *text)
{
    LlmEndpoint *endpoint = NULL;
    LlmSpec spec;
    Err err = {0};

    assert_int_equal(llm_spec_read(str_of(text), &spec, NULL), 0);
    if (llm_models_endpoint(run->models, &spec, &endpoint, &err))
        fail_msg("%s", err.msg);
    return endpoint;
}

static void the_same_way_of_asking_is_one_endpoint(void **state)
{
    Run *run = *state;
    LlmEndpoint *first = endpoint_of(run, URL ",persona=calm");

    assert_ptr_equal(endpoint_of(run, URL ",persona=wild"), first);
    assert_ptr_not_equal(endpoint_of(run, URL ",top-p=0.5"), first);
    assert_ptr_not_equal(endpoint_of(run, URL ",seed=1"), first);
    assert_ptr_not_equal(endpoint_of(run, URL ",stop=x"), first);
    assert_ptr_not_equal(endpoint_of(run, URL ",json=none"), first);
    assert_ptr_not_equal(endpoint_of(run, URL ",header=X-A:b"), first);
    assert_ptr_not_equal(endpoint_of(run, URL ",timeout=9s"), first);
}

static void a_window_that_was_named_is_the_endpoints(void **state)
{
    Run *run = *state;

    assert_int_equal(llm_endpoint_window(endpoint_of(run, URL)), 0);
    assert_int_equal(llm_endpoint_window(endpoint_of(run, URL ",context=9000")), 9000);
    assert_int_equal(llm_endpoint_window(endpoint_of(run, URL ",api=ollama")), 8192);
    assert_int_equal(llm_endpoint_window(endpoint_of(run, URL ",api=ollama,num-ctx=4096")), 4096);
    assert_int_equal(llm_endpoint_window(endpoint_of(run, URL ",api=anthropic")), 200000);
}

static void a_budget_of_money_needs_a_price_of_each_model(void **state)
{
    Run *run = *state;
    char path[] = "/tmp/warg-test-prices-XXXXXX";
    int fd = mkstemp(path);
    LlmEndpoint *endpoint = NULL;
    LlmSpec spec;
    Err err = {0};

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "models:\n  m: {in: 1, out: 1}\n", 29), 29);
    close(fd);
    assert_int_equal(llm_models_budget(run->models, "1.00", NULL, NULL, NULL, NULL), ERR_USAGE);
    assert_int_equal(llm_models_budget(run->models, "1.00", path, NULL, NULL, NULL), 0);
    unlink(path);
    assert_non_null(endpoint_of(run, URL));
    assert_int_equal(llm_spec_read(STR("http://127.0.0.1:9,model=other"), &spec, NULL), 0);
    assert_int_equal(llm_models_endpoint(run->models, &spec, &endpoint, &err), ERR_USAGE);
    assert_non_null(strstr(err.msg, "'other'"));
}

static void secrets_of_headers_come_from_outside(void **state)
{
    Run *run = *state;
    LlmEndpoint *endpoint = NULL;
    LlmSpec spec;
    Err err = {0};

    unsetenv("WARG_TEST_HEADER");
    assert_int_equal(llm_spec_read(STR(URL ",header-env=api-key:WARG_TEST_HEADER"), &spec, NULL),
                     0);
    assert_int_equal(llm_models_endpoint(run->models, &spec, &endpoint, &err), ERR_USAGE);
    assert_non_null(strstr(err.msg, "WARG_TEST_HEADER"));
    setenv("WARG_TEST_HEADER", "s3cr3t\nX-Other: 1", 1);
    if (llm_models_endpoint(run->models, &spec, &endpoint, &err) == 0)
        fail_msg("a value with a line end is taken");
    assert_null(strstr(err.msg, "s3cr3t"));
    setenv("WARG_TEST_HEADER", "s3cr3t", 1);
    assert_int_equal(llm_models_endpoint(run->models, &spec, &endpoint, &err), 0);
    unsetenv("WARG_TEST_HEADER");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_is_read),
        cmocka_unit_test(what_can_not_be_is_refused_without_its_secret),
        TEST(the_same_way_of_asking_is_one_endpoint),
        TEST(a_window_that_was_named_is_the_endpoints),
        TEST(a_budget_of_money_needs_a_price_of_each_model),
        TEST(secrets_of_headers_come_from_outside),
    };

    return cmocka_run_group_tests_name("model players as options name them", tests, NULL, NULL);
}
