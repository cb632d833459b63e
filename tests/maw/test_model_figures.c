/* test_model_figures.c - what whole sessions ask of models: how much of a request the server has
 * read before, how many tokens, how often. In simulated time, so that the figures are those of any
 * machine.
 *
 * Source: docs/spec/models.md 1.1, 1.2, 1.8, L2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "llm_meter.h"
#include "llm_script.h"

#include "maw/maw_table.h"

#define SECOND ((TimeUs)1000 * 1000)

typedef struct Run {
    Alarms alarms;
    LlmScript script;
    LlmEndpoint *endpoint;
    LlmMeter meter;
    MawTable *table;
    unsigned talk, vote; /* percent */
    bool clumsy;         /* some answers can't be used */
} Run;

/* ---- what the models say ---- */

/* The same models at every table: a twelfth, or half, of what they do is speaking, a twelfth or a
 * quarter voting; the rest listening. An answer takes up to a second. */
static void play_along(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    Run *run = (Run *)(void *)((char *)script - offsetof(Run, script));
    static const char *const looks[] = {"odd", "calm", "loud", "quiet", "strange"};
    static const char *const whens[] = {"before", "today", "just now", "in the morning"};
    Str target = llm_script_target(script, body);
    bool speaks = strstr(body, "\"enum\":[\"speak\"") != NULL;
    uint32_t chance = rng_below(&script->rng, 100);

    llm_meter_take(&run->meter, body);
    ret->after = SECOND / 10 + rng_below(&script->rng, 900) * 1000;
    if (run->clumsy && rng_below(&script->rng, 10) == 0)
        snprintf(ret->say, sizeof(ret->say), "I would rather not say.}{");
    else if (speaks && chance < run->talk)
        snprintf(ret->say, sizeof(ret->say),
                 "{\"thought\":\"Somebody is odd.\",\"action\":\"speak\",\"message\":\"Number %zu "
                 "looks %s to me after what was said %s.\"}",
                 number, looks[rng_below(&script->rng, 5)], whens[rng_below(&script->rng, 4)]);
    else if (target.len && (chance < run->talk + run->vote || !speaks))
        snprintf(ret->say, sizeof(ret->say),
                 "{\"thought\":\"A vote.\",\"action\":\"vote\",\"target\":\"%.*s\",\"reason\":"
                 "\"number %zu\"}",
                 STR_ARG(target), number);
    else
        snprintf(ret->say, sizeof(ret->say), "{\"thought\":\"I wait.\",\"action\":\"listen\"}");
}

/* ---- a session ---- */

typedef struct Session {
    unsigned players, rounds;
    int32_t day_s, night_s;
    LlmLanguage language;
    bool noisy, clumsy;
    uint64_t seed;
} Session;

static void open_run(Run *run, const Session *session)
{
    const LlmEndpointSetup endpoint = {.url = "http://nowhere.test/v1",
                                       .model = "m1",
                                       .temperature = -1,
                                       .parallel = session->players};
    Ruleset rules;
    Err err = {0};

    *run = (Run){.script = {.answer = play_along, .rng = rng_new(session->seed)},
                 .meter = {.round_mark = session->language == LLM_JAPANESE ? "第" : "Round "},
                 .talk = session->noisy ? 50 : 12,
                 .vote = session->noisy ? 25 : 12,
                 .clumsy = session->clumsy};
    run->script.alarms = &run->alarms;
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    rules.talk.duration_ms = session->day_s * 1000;
    rules.whisper.duration_ms = session->night_s * 1000;
    MawTableSetup setup = {.rules = &rules,
                           .options = maw_options_default(),
                           .id = STR("test"),
                           .domain = STR("maw.test"),
                           .chance = maw_chance_of_seed(session->seed),
                           .pace = maw_pace(&rules, false),
                           .alarms = &run->alarms};
    setup.options.players = session->players;
    setup.options.rounds = session->rounds;
    setup.options.language = session->language;
    if (llm_endpoint_new(&run->alarms, llm_script_carrier(&run->script), &endpoint, &run->endpoint,
                         &err) ||
        maw_table_new(&setup, &run->table, &err))
        fail_msg("%s", err.msg);
    const MawModel model = {.endpoint = run->endpoint, .language = session->language};
    for (unsigned i = 0; i < session->players; i++)
        assert_int_equal(maw_table_add_model(run->table, &model, NULL), 0);
}

static void close_run(Run *run)
{
    maw_table_free(run->table);
    llm_endpoint_free(run->endpoint);
    llm_meter_done(&run->meter);
}

static void play_session(Run *run, const Session *session)
{
    Err err = {0};

    open_run(run, session);
    if (maw_table_play(run->table, &err))
        fail_msg("%s", err.msg);
}

static void assert_frugal(const LlmMeter *meter, const Session *session)
{
    assert_true(meter->compared > 20);
    assert_int_equal(meter->equal_roles, 0);
    assert_int_equal(meter->empty, 0);
    assert_int_equal(meter->changed, 0);
    assert_int_equal(meter->burdened, 0);
    assert_true(meter->beginnings <= (size_t)session->rounds * session->players);
    assert_int_equal(meter->low, 0);
    assert_true(llm_meter_share(meter) >= 0.85);
}

/* ---- tests ---- */

static void most_of_a_request_has_been_read_before(void **state)
{
    static const Session sessions[] = {
        {.players = 6, .rounds = 2, .day_s = 120, .night_s = 60, .seed = 5},
        {.players = 6,
         .rounds = 2,
         .day_s = 120,
         .night_s = 60,
         .seed = 5,
         .language = LLM_JAPANESE},
        {.players = 8, .rounds = 1, .day_s = 300, .night_s = 120, .seed = 6, .noisy = true},
        {.players = 12, .rounds = 1, .day_s = 60, .night_s = 30, .seed = 7},
        {.players = 12,
         .rounds = 1,
         .day_s = 60,
         .night_s = 30,
         .seed = 7,
         .language = LLM_JAPANESE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(sessions) / sizeof(sessions[0]); i++) {
        Run run;
        play_session(&run, &sessions[i]);
        assert_frugal(&run.meter, &sessions[i]);
        close_run(&run);
    }
}

/* What is left out goes in big steps: between them nothing is read anew. */
static void shortening_is_rare(void **state)
{
    const Session session = {
        .players = 12, .rounds = 1, .day_s = 300, .night_s = 120, .seed = 8, .noisy = true};
    Run run;

    (void)state;
    play_session(&run, &session);
    assert_frugal(&run.meter, &session);
    assert_true(run.meter.requests > 300);
    assert_true(run.meter.shortened > 0);
    assert_true(run.meter.shortened * 20 < run.meter.requests);
    close_run(&run);
}

/* An answer that must be mended costs one request more, and leaves nothing behind. */
static void repairs_leave_the_beginning_as_it_is(void **state)
{
    const Session session = {
        .players = 6, .rounds = 1, .day_s = 120, .night_s = 60, .seed = 9, .clumsy = true};
    Run run;

    (void)state;
    play_session(&run, &session);
    assert_true(run.meter.repairs > 2);
    assert_frugal(&run.meter, &session);
    close_run(&run);
}

/* ---- side by side ---- */

typedef struct Figures {
    size_t requests, equal_roles, empty;
    uint64_t tokens;
    double share; /* of a request that stands in the next one of its player */
    long long seconds;
} Figures;

/* docs/spec/models.md, measured on commit a210400 over six seats. */
static const Figures then = {513, 507, 148, 740024, 0.10, 191};

static void print_figures(const char *what, const Figures *figures)
{
    printf("%-10s %8zu %16zu %13zu %9llu %7.0f %% %9lld\n", what, figures->requests,
           figures->equal_roles, figures->empty, (unsigned long long)figures->tokens,
           100 * figures->share, figures->seconds);
}

/* Tokens of as long a session as the other one. */
static uint64_t tokens_for(const Figures *figures, long long seconds)
{
    return figures->tokens * (uint64_t)seconds / (uint64_t)figures->seconds;
}

/* The session of those days: six seats, phases of 40 and 20 s, models that mostly listen. */
static void a_session_takes_less_than_a_third_of_what_it_took(void **state)
{
    const Session session = {.players = 6, .rounds = 2, .day_s = 40, .night_s = 20, .seed = 5};
    Run run;

    (void)state;
    play_session(&run, &session);
    const LlmMeter *meter = &run.meter;
    const Figures now = {meter->requests,        meter->equal_roles,
                         meter->empty,           llm_meter_tokens(meter),
                         llm_meter_share(meter), (long long)(maw_table_now(run.table) / SECOND)};
    printf("%-10s %8s %16s %13s %9s %9s %9s\n", "", "requests", "two equal roles", "nothing new",
           "tokens", "prefix", "seconds");
    print_figures("a210400", &then);
    print_figures("now", &now);
    assert_true(now.seconds > 60);
    assert_int_equal(now.equal_roles, 0);
    assert_int_equal(now.empty, 0);
    assert_true(now.share >= 0.80);
    assert_true(3 * tokens_for(&now, then.seconds) <= then.tokens);
    assert_frugal(meter, &session);
    close_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_of_a_request_has_been_read_before),
        cmocka_unit_test(shortening_is_rare),
        cmocka_unit_test(repairs_leave_the_beginning_as_it_is),
        cmocka_unit_test(a_session_takes_less_than_a_third_of_what_it_took),
    };

    return cmocka_run_group_tests_name("what sessions ask of models", tests, NULL, NULL);
}
