/* test_model_session.c - whole sessions with models on the seats, in simulated time: their answers
 * come by a script, without a server, a socket or a clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "llm_script.h"

#include "maw/maw_table.h"

#include <time.h>

#define PLAYERS 6
#define SECOND  ((TimeUs)1000 * 1000)

typedef struct Run {
    Alarms alarms;
    LlmScript script;
    LlmEndpoint *endpoint;
    MawTable *table;
    Buf record;
} Run;

/* ---- what the models say ---- */

static void decide(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    Str target = llm_script_target(script, body);

    if (target.len)
        snprintf(ret->say, sizeof(ret->say),
                 "{\"action\":\"vote\",\"target\":\"%.*s\",\"reason\":\"number %zu\"}",
                 STR_ARG(target), number);
    else
        snprintf(ret->say, sizeof(ret->say), "{\"action\":\"listen\"}");
}

/* Talks as often as it votes, and takes a second or four. */
static void play_along(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    ret->after = SECOND + rng_below(&script->rng, 3000) * 1000;
    if (strstr(body, "\"speak\"") && rng_below(&script->rng, 2))
        snprintf(ret->say, sizeof(ret->say),
                 "{\"action\":\"speak\",\"message\":\"Thought %zu is worth %u of that.\"}", number,
                 rng_below(&script->rng, 1000));
    else
        decide(script, body, number, ret);
}

static void come_too_late(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    decide(script, body, number, ret);
    ret->after = 3600 * SECOND;
}

/* The first two requests are refused for a while. */
static void be_busy_first(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    play_along(script, body, number, ret);
    ret->after = SECOND;
    if (number < 2) {
        ret->status = 429;
        ret->retry_after_s = 7;
    }
}

/* ---- a session ---- */

static void on_event(void *user, Str json)
{
    Run *run = user;

    buf_add(&run->record, json);
    buf_add_char(&run->record, '\n');
}

/* Without answers: the demo model. */
static void open_run(Run *run, uint64_t seed, unsigned models,
                     void (*answer)(LlmScript *, const char *, size_t, LlmScriptAnswer *))
{
    const LlmEndpointSetup endpoint = {
        .url = "http://nowhere.test/v1", .model = "m1", .temperature = -1, .parallel = PLAYERS};
    Ruleset rules;
    Err err = {0};

    *run = (Run){.script = {.answer = answer, .rng = rng_new(seed)}};
    run->script.alarms = &run->alarms;
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    MawTableSetup setup = {.rules = &rules,
                           .options = maw_options_default(),
                           .id = STR("test"),
                           .domain = STR("maw.test"),
                           .chance = maw_chance_of_seed(seed),
                           .pace = maw_pace(&rules, false),
                           .alarms = &run->alarms,
                           .event = on_event,
                           .user = run};
    if (llm_endpoint_new(&run->alarms, llm_script_carrier(&run->script), &endpoint, &run->endpoint,
                         &err) ||
        maw_table_new(&setup, &run->table, &err))
        fail_msg("%s", err.msg);
    const MawModel model = {.endpoint = answer ? run->endpoint : NULL, .language = LLM_ENGLISH};
    for (unsigned i = 0; i < PLAYERS; i++)
        assert_int_equal(i < models ? maw_table_add_model(run->table, &model, NULL)
                                    : maw_table_add_bot(run->table, MAW_BOT_TALKER, NULL),
                         0);
}

static void close_run(Run *run)
{
    maw_table_free(run->table);
    llm_endpoint_free(run->endpoint);
    assert_int_equal(run->script.open, 0);
    assert_int_equal(alarms_next(&run->alarms), TIME_US_NEVER);
    buf_done(&run->record);
}

static void play(Run *run)
{
    Err err = {0};

    if (maw_table_play(run->table, &err))
        fail_msg("%s", err.msg);
    assert_true(maw_session_over(maw_table_session(run->table)));
}

static void play_new(Run *run, uint64_t seed, unsigned models,
                     void (*answer)(LlmScript *, const char *, size_t, LlmScriptAnswer *))
{
    open_run(run, seed, models, answer);
    play(run);
}

static size_t count(const Run *run, const char *part)
{
    size_t times = 0;

    for (const char *at = buf_cstr(&run->record); (at = strstr(at, part)); at++)
        times++;
    return times;
}

static TimeUs cpu_time(void)
{
    struct timespec used;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (TimeUs)used.tv_sec * SECOND + used.tv_nsec / 1000;
}

/* ---- tests ---- */

static void a_session_of_models_plays_twice_alike(void **state)
{
    Run one, two, other;

    (void)state;
    play_new(&one, 11, PLAYERS, play_along);
    play_new(&two, 11, PLAYERS, play_along);
    assert_true(one.record.len > 10000);
    assert_string_equal(buf_cstr(&one.record), buf_cstr(&two.record)); /* with all its times */
    assert_int_equal(maw_table_now(one.table), maw_table_now(two.table));
    play_new(&other, 12, PLAYERS, play_along);
    assert_string_not_equal(buf_cstr(&one.record), buf_cstr(&other.record));
    close_run(&one);
    close_run(&two);
    close_run(&other);
}

static void simulated_time_costs_little_of_the_processors(void **state)
{
    TimeUs began = cpu_time();
    Run run;

    (void)state;
    play_new(&run, 3, PLAYERS, play_along);
    TimeUs used = cpu_time() - began;
    assert_true(maw_table_now(run.table) > 100 * SECOND);
    assert_true(used < maw_table_now(run.table) / 10);
    close_run(&run);
}

static void models_and_bots_sit_at_one_table(void **state)
{
    LlmFigures figures;
    Run run;

    (void)state;
    play_new(&run, 5, 2, play_along);
    assert_true(maw_table_figures(run.table, &figures));
    assert_true(figures.by_model > 10);
    assert_true(figures.lines > 0 && figures.votes > 0);
    assert_int_equal(count(&run, "\"kind\":\"model\""), 2);
    assert_int_equal(count(&run, "\"kind\":\"bot:talker\""), PLAYERS - 2);
    /* what they are stands there once */
    assert_int_equal(count(&run, "\"kind\":\"model\",\"model\":\"m1\",\"server\":\"http://"), 2);
    assert_int_equal(count(&run, "\"prompt_version\":\""), 2);
    assert_true(count(&run, "\"source\":\"model\"") > 10);
    assert_true(maw_table_models_decide(run.table));
    close_run(&run);
}

static void what_comes_behind_the_phases_end_is_decided_by_a_rule(void **state)
{
    LlmFigures figures;
    Run run;

    (void)state;
    play_new(&run, 7, PLAYERS, come_too_late);
    assert_true(maw_table_figures(run.table, &figures));
    assert_int_equal(figures.by_model, 0);
    assert_true(figures.fallbacks > 0);
    assert_int_equal(count(&run, "\"source\":\"fallback\""), figures.fallbacks);
    assert_int_equal(count(&run, "\"source\":\"model\""), 0);
    assert_true(count(&run, "\"outcome\":\"unreachable\"") > 0);
    assert_true(count(&run, "no answer in time") > 0);
    assert_false(maw_table_models_decide(run.table));
    close_run(&run);
}

static void the_time_that_a_busy_server_asks_for_is_waited(void **state)
{
    LlmFigures figures;
    Run run;

    (void)state;
    play_new(&run, 9, 1, be_busy_first);
    assert_true(maw_table_figures(run.table, &figures));
    assert_int_equal(figures.retries, 2);
    /* a second until the answer, and seven as it says */
    assert_int_equal(run.script.times[1] - run.script.times[0], 8 * SECOND);
    assert_int_equal(run.script.times[2] - run.script.times[1], 8 * SECOND);
    const char *first = strstr(buf_cstr(&run.record), "\"event\":\"decision\"");
    assert_non_null(first);
    assert_non_null(strstr(
        first, "\"took_ms\":17000,\"requests\":1,\"retries\":2,\"tries\":3,\"latency_ms\":1000"));
    close_run(&run);
}

static void the_demo_model_plays_twice_alike_too(void **state)
{
    Run one, two;

    (void)state;
    play_new(&one, 2, PLAYERS, NULL);
    play_new(&two, 2, PLAYERS, NULL);
    assert_true(count(&one, "\"source\":\"demo\"") > 10);
    assert_string_equal(buf_cstr(&one.record), buf_cstr(&two.record));
    close_run(&one);
    close_run(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_of_models_plays_twice_alike),
        cmocka_unit_test(simulated_time_costs_little_of_the_processors),
        cmocka_unit_test(models_and_bots_sit_at_one_table),
        cmocka_unit_test(what_comes_behind_the_phases_end_is_decided_by_a_rule),
        cmocka_unit_test(the_time_that_a_busy_server_asks_for_is_waited),
        cmocka_unit_test(the_demo_model_plays_twice_alike_too),
    };

    return cmocka_run_group_tests_name("sessions of models", tests, NULL, NULL);
}
