#include "llm_server.h"

#include "llm/endpoint_text.h"

#define CALLS  24
#define SECOND 1000000

/* ---- one endpoint and one server ---- */

typedef struct Told {
    struct Run *run;
    LlmCall *call;
    int times;
    LlmOutcome outcome;
    Buf text;
    Buf why;
    uint32_t prompt_tokens, answer_tokens, retries;
    LlmTokens lost;
    TimeUs latency, when;
    size_t place; /* as which it was told, from 0 */
} Told;

typedef struct Run {
    Loop *loop;
    HttpClient *http;
    LlmEndpoint *endpoint;
    LlmEndpointSetup setup;
    LlmServer server;
    Timer *limit;
    bool timed_out;
    size_t wanted;
    size_t told_count;
    Told told[CALLS];
    LlmCall *also_cancel;
    bool free_endpoint;
} Run;

static void on_limit(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->timed_out = true;
    loop_stop(run->loop);
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));

    stub_no_proxy();
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, on_limit, run, &run->limit, NULL), 0);
    assert_int_equal(http_client_new(run->loop, &run->http, NULL), 0);
    run->setup = (LlmEndpointSetup){.model = "m1", .temperature = -1, .retry_ms = 20, .seed = 1};
    *state = run;
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;

    llm_endpoint_free(run->endpoint);
    loop_free(run->loop);
    llm_server_end(&run->server);
    for (size_t i = 0; i < CALLS; i++) {
        buf_done(&run->told[i].text);
        buf_done(&run->told[i].why);
    }
    mem_free(run);
    return 0;
}

/* Begins the server with these steps, and the endpoint. */
static void begin(Run *run, const LlmServerStep *steps, size_t count)
{
    Err err = {0};

    run->server.steps = steps;
    run->server.step_count = count;
    llm_server_begin(&run->server);
    if (!run->setup.url)
        run->setup.url = run->server.url;
    if (llm_endpoint_new(loop_alarms(run->loop), http_client_carrier(run->http), &run->setup,
                         &run->endpoint, &err))
        fail_msg("%s", err.msg);
}
#define BEGIN(run, steps) begin((run), (steps), sizeof(steps) / sizeof((steps)[0]))

static void on_told(void *user, const LlmAnswer *answer, TimeUs now)
{
    Told *told = user;
    Run *run = told->run;

    (void)now;
    told->times++;
    told->outcome = answer->outcome;
    buf_add(&told->text, answer->text);
    buf_add(&told->why, answer->why);
    told->prompt_tokens = answer->prompt_tokens;
    told->answer_tokens = answer->answer_tokens;
    told->retries = answer->retries;
    told->lost = answer->lost;
    told->latency = answer->latency;
    told->when = loop_now();
    told->place = run->told_count++;
    llm_call_cancel(told->call); /* does no harm in here */
    llm_call_cancel(run->also_cancel);
    run->also_cancel = NULL;
    if (run->free_endpoint)
        run->endpoint = llm_endpoint_free(run->endpoint);
    if (run->told_count >= run->wanted)
        loop_stop(run->loop);
}

static Told *ask_for(Run *run, size_t number, bool urgent, TimeUs within)
{
    LlmAsk ask = {.messages = STR("[{\"role\":\"user\",\"content\":\"hello\"}]"),
                  .schema = STR("{\"type\":\"object\"}"),
                  .urgent = urgent,
                  .deadline = loop_now() + within};
    Told *told = &run->told[number];

    told->run = run;
    assert_int_equal(llm_ask(run->endpoint, &ask, on_told, told, &told->call, NULL), 0);
    assert_int_equal(told->times, 0); /* never from inside */
    return told;
}

static void wait_for(Run *run, size_t wanted)
{
    run->wanted = wanted;
    if (run->told_count < wanted) {
        timer_at(run->limit, loop_now() + 100 * SECOND, false);
        loop_run(run->loop);
        timer_stop(run->limit);
    }
    assert_false(run->timed_out);
    for (size_t i = 0; i < CALLS; i++)
        assert_true(run->told[i].times <= 1);
}

static Told *ask_once(Run *run, TimeUs within)
{
    Told *told = ask_for(run, run->told_count, false, within);

    wait_for(run, run->told_count + 1);
    return told;
}

static void has(const Buf *text, const char *part)
{
    if (!strstr(buf_cstr(text), part))
        fail_msg("no '%s' in: %s", part, buf_cstr(text));
}

/* ---- answers ---- */

static void what_the_model_says_comes_back_with_its_tokens(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}"}};
    Run *run = *state;

    run->setup.key = "sk-secret";
    run->setup.temperature = 0.7;
    BEGIN(run, steps);
    Told *told = ask_once(run, 5 * SECOND);
    assert_int_equal(told->outcome, LLM_ANSWERED);
    assert_string_equal(buf_cstr(&told->text), "{\"action\":\"listen\"}");
    assert_int_equal(told->prompt_tokens, 100);
    assert_int_equal(told->answer_tokens, 20);
    assert_int_equal(told->retries, 0);
    assert_true(told->latency > 0 && told->latency < 5 * SECOND);
    assert_string_equal(
        buf_cstr(&run->server.order[0]->all) + run->server.order[0]->head.len + 2,
        "{\"model\":\"m1\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}],"
        "\"stream\":false,\"max_tokens\":300,\"temperature\":0.70,"
        "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"decision\","
        "\"strict\":false,\"schema\":{\"type\":\"object\"}}}}");
    assert_true(str_eq(run->server.order[0]->target, STR("/chat/completions")));
    has(&run->server.order[0]->all, "Authorization: Bearer sk-secret\r\n");
    assert_string_equal(llm_endpoint_model(run->endpoint), "m1");
}

static void ollama_is_asked_in_its_own_way(void **state)
{
    static const LlmServerStep steps[] = {{.say = "hm", .prompt_tokens = 7}};
    Run *run = *state;

    run->setup.api = LLM_OLLAMA;
    run->setup.num_ctx = 4096;
    BEGIN(run, steps);
    Told *told = ask_once(run, 5 * SECOND);
    assert_int_equal(told->outcome, LLM_ANSWERED);
    assert_string_equal(buf_cstr(&told->text), "hm");
    assert_int_equal(told->prompt_tokens, 7);
    assert_int_equal(told->answer_tokens, 20);
    assert_true(str_eq(run->server.order[0]->target, STR("/api/chat")));
    assert_true(llm_server_heard(&run->server, 0, "\"format\":{\"type\":\"object\"}"));
    assert_true(llm_server_heard(&run->server, 0, "\"num_ctx\":4096,\"num_predict\":300"));
    assert_true(llm_server_heard(&run->server, 0, "\"truncate\":false"));
    assert_false(strstr(buf_cstr(&run->server.order[0]->all), "Authorization"));
}

/* ---- what passes ---- */

static void failures_that_pass_are_tried_again(void **state)
{
    static const LlmServerStep steps[] = {
        {.status = 500, .body = "oops"},
        {.how = SERVE_CLOSE},
        {.how = SERVE_CUT, .say = "a long answer that is cut in the middle of it"},
        {.say = "fine"},
    };
    Run *run = *state;

    BEGIN(run, steps);
    Told *told = ask_once(run, 10 * SECOND);
    assert_int_equal(told->outcome, LLM_ANSWERED);
    assert_string_equal(buf_cstr(&told->text), "fine");
    assert_int_equal(told->retries, 3);
    assert_int_equal(llm_server_asked(&run->server), 4);
}

static void a_busy_server_is_tried_three_times_more(void **state)
{
    static const LlmServerStep steps[] = {
        {.status = 429, .body = "{\"error\":{\"message\":\"slow down\"}}"}, {.status = 503}};
    Run *run = *state;

    BEGIN(run, steps);
    Told *told = ask_once(run, 10 * SECOND);
    assert_int_equal(told->outcome, LLM_BUSY);
    assert_int_equal(told->retries, 3);
    assert_int_equal(llm_server_asked(&run->server), 4);
    has(&told->why, "status 503");
}

static void the_waits_grow_and_are_not_all_the_same(void **state)
{
    static const LlmServerStep steps[] = {{.status = 503}, {.status = 503}, {.say = "fine"}};
    Run *run = *state;
    TimeUs start = loop_now();

    run->setup.retry_ms = 100;
    BEGIN(run, steps);
    Told *told = ask_once(run, 10 * SECOND);
    assert_int_equal(told->outcome, LLM_ANSWERED);
    assert_true(told->when - start >= 225000); /* 100 and 200 ms, a quarter less */
}

static void retry_after_is_kept(void **state)
{
    static const LlmServerStep steps[] = {{.status = 429, .retry_after_s = 1}, {.say = "fine"}};
    Run *run = *state;
    TimeUs start = loop_now();

    BEGIN(run, steps);
    Told *told = ask_once(run, 10 * SECOND);
    assert_int_equal(told->outcome, LLM_ANSWERED);
    assert_true(told->when - start >= SECOND);
}

/* Who else waits for that server is told at once when it can't wait for so long. */
static void a_pause_that_was_asked_for_is_everybodys(void **state)
{
    static const LlmServerStep steps[] = {{.status = 429, .retry_after_s = 60}};
    Run *run = *state;
    TimeUs start = loop_now();

    BEGIN(run, steps);
    assert_int_equal(ask_once(run, 40 * SECOND)->outcome, LLM_BUSY);
    for (size_t i = 1; i < 5; i++)
        ask_for(run, i, true, 40 * SECOND);
    wait_for(run, 5);
    for (size_t i = 1; i < 5; i++) {
        assert_int_equal(run->told[i].outcome, LLM_BUSY);
        has(&run->told[i].why, "has asked for a pause");
    }
    assert_int_equal(llm_server_asked(&run->server), 1);
    assert_true(loop_now() - start < 40 * SECOND);
}

/* Or it would never be spent. */
static void a_server_that_tells_no_tokens_uses_up_a_budget_all_the_same(void **state)
{
    static const LlmServerStep steps[] = {
        {.body =
             "{\"choices\":[{\"message\":{\"content\":\"0123456789012345678901234567890123456789"
             "\"},\"finish_reason\":\"stop\"}]}"}};
    Run *run = *state;
    LlmBudget *budget = NULL;

    assert_int_equal(llm_budget_new(STR("20t"), NULL, &budget, NULL), 0);
    run->setup.budget = budget;
    BEGIN(run, steps);
    Told *first = ask_for(run, 0, true, 5 * SECOND);
    wait_for(run, 1);
    assert_int_equal(first->outcome, LLM_ANSWERED);
    assert_int_equal(first->prompt_tokens + first->answer_tokens, 0); /* what is told is kept */
    Told *second = ask_for(run, 1, true, 5 * SECOND);
    wait_for(run, 2);
    assert_int_equal(second->outcome, LLM_SPENT);
    run->endpoint = llm_endpoint_free(run->endpoint);
    llm_budget_free(budget);
}

/* 20 tokens an answer and 100 a prompt: near the end every second line is asked for, and all votes.
 */
static void a_budget_makes_it_ask_less_and_then_nobody(void **state)
{
    static const LlmServerStep steps[] = {{.say = "x"}};
    Run *run = *state;
    LlmBudget *budget = NULL;

    assert_int_equal(llm_budget_new(STR("1000t"), NULL, &budget, NULL), 0);
    llm_budget_add(budget, STR("m1"), 800, 0, 0);
    run->setup.budget = budget;
    BEGIN(run, steps);
    Told *first = ask_once(run, 5 * SECOND);
    assert_int_equal(first->outcome, LLM_SPENT);
    has(&first->why, "near the budget's end: 800 of 1000 tokens");
    assert_int_equal(ask_once(run, 5 * SECOND)->outcome, LLM_ANSWERED);
    Told *vote = ask_for(run, 2, true, 5 * SECOND);
    wait_for(run, 3);
    assert_int_equal(vote->outcome, LLM_ANSWERED); /* 1040 are spent */
    vote = ask_for(run, 3, true, 5 * SECOND);
    wait_for(run, 4);
    assert_int_equal(vote->outcome, LLM_SPENT);
    has(&vote->why, "the budget is spent: 1040 of 1000 tokens");
    assert_int_equal(llm_server_asked(&run->server), 2);
    run->endpoint = llm_endpoint_free(run->endpoint);
    llm_budget_free(budget);
}

static void no_wait_goes_beyond_the_deadline(void **state)
{
    static const LlmServerStep steps[] = {{.status = 429, .retry_after_s = 60}};
    Run *run = *state;
    TimeUs start = loop_now();

    BEGIN(run, steps);
    Told *told = ask_once(run, 40 * SECOND);
    assert_int_equal(told->outcome, LLM_BUSY);
    assert_true(told->when - start < 40 * SECOND); /* said at once: nothing is to be hoped for */
}

static void what_is_no_answer_of_a_model_is_told_in_the_end(void **state)
{
    static const LlmServerStep steps[] = {
        {.body = "<html>hello</html>"}, {.body = "{\"choices\":[]}"}, {.body = "[]"}, {.body = ""}};
    Run *run = *state;

    BEGIN(run, steps);
    Told *told = ask_once(run, 10 * SECOND);
    assert_int_equal(told->outcome, LLM_BROKEN);
    assert_int_equal(llm_server_asked(&run->server), 4);
    has(&told->why, "not JSON");
}

static void a_model_that_says_nothing_is_told(void **state)
{
    static const LlmServerStep steps[] = {
        {.body = "{\"choices\":[{\"message\":{\"content\":null}}]}"}};
    Run *run = *state;

    BEGIN(run, steps);
    Told *told = ask_once(run, 10 * SECOND);
    assert_int_equal(told->outcome, LLM_BROKEN);
    assert_string_equal(buf_cstr(&told->why), "the model said nothing");
    assert_int_equal(llm_server_asked(&run->server), 1);
}

/* A reply that is asked for once more was paid for too. */
static void what_a_lost_reply_cost_is_told(void **state)
{
    static const LlmServerStep steps[] = {
        {.body = "{\"choices\":[{\"message\":{\"content\":\"\",\"reasoning\":\"hm\"},"
                 "\"finish_reason\":\"length\"}],\"usage\":{\"prompt_tokens\":50,"
                 "\"completion_tokens\":300,\"prompt_tokens_details\":{\"cached_tokens\":40},"
                 "\"completion_tokens_details\":{\"reasoning_tokens\":300}}}"},
        {.say = "fine"}};
    Run *run = *state;

    BEGIN(run, steps);
    Told *told = ask_once(run, 10 * SECOND);
    assert_int_equal(told->outcome, LLM_ANSWERED);
    assert_int_equal(told->prompt_tokens, 100);
    assert_int_equal(told->lost.prompt, 50);
    assert_int_equal(told->lost.cached, 40);
    assert_int_equal(told->lost.answer, 300);
    assert_int_equal(told->lost.reasoning, 300);
}

/* ---- what does not pass ---- */

static void a_denied_key_is_not_tried_again_nor_told(void **state)
{
    static const LlmServerStep steps[] = {
        {.status = 401, .body = "{\"error\":{\"message\":\"Incorrect API key: sk-secret\\n\"}}"}};
    Run *run = *state;

    run->setup.key = "sk-secret";
    BEGIN(run, steps);
    Told *told = ask_once(run, 5 * SECOND);
    assert_int_equal(told->outcome, LLM_DENIED);
    assert_string_equal(buf_cstr(&told->why), "status 401: Incorrect API key: *** ");
    Told *next = ask_once(run, 5 * SECOND); /* it is not asked for nothing */
    assert_int_equal(next->outcome, LLM_DENIED);
    assert_int_equal(llm_server_asked(&run->server), 1);
}

static void an_absent_model_is_denied(void **state)
{
    static const LlmServerStep steps[] = {
        {.status = 404, .body = "{\"error\":\"model 'm1' not found\"}"}};
    Run *run = *state;

    run->setup.api = LLM_OLLAMA;
    BEGIN(run, steps);
    Told *told = ask_once(run, 5 * SECOND);
    assert_int_equal(told->outcome, LLM_DENIED);
    has(&told->why, "model 'm1' not found");
}

static void a_context_that_does_not_fit_is_told(void **state)
{
    static const LlmServerStep steps[] = {
        {.status = 400,
         .body = "{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"too much\"}}"},
        {.status = 500,
         .body = "{\"error\":{\"type\":\"exceed_context_size_error\",\"n_ctx\":4096}}"},
        {.status = 400, .body = "{\"error\":\"prompt too long; exceeded max context length\"}"},
    };
    Run *run = *state;

    BEGIN(run, steps);
    for (int i = 0; i < 3; i++)
        assert_int_equal(ask_once(run, 5 * SECOND)->outcome, LLM_TOO_LONG);
    assert_int_equal(llm_server_asked(&run->server), 3);
}

static void any_other_refusal_is_told_at_once(void **state)
{
    static const LlmServerStep steps[] = {
        {.status = 400, .body = "{\"detail\":[{\"loc\":[\"body\"],\"msg\":\"bad words\"}]}"},
        {.status = 302}};
    Run *run = *state;

    BEGIN(run, steps);
    Told *told = ask_once(run, 5 * SECOND);
    assert_int_equal(told->outcome, LLM_BROKEN);
    has(&told->why, "status 400: bad words");
    assert_int_equal(ask_once(run, 5 * SECOND)->outcome, LLM_BROKEN); /* not followed */
    assert_int_equal(llm_server_asked(&run->server), 2);
}

/* ---- JSON modes ---- */

/* A server that takes no schema, or no JSON mode at all. */
static void serve_less(void *user, const LlmServerAsk *ask, size_t number, LlmServerStep *step)
{
    const char *refused = user;

    (void)number;
    if (!strstr(ask->body.bytes, refused))
        return;
    step->say = NULL;
    step->status = 400;
    step->body = "{\"error\":{\"message\":\"response_format is not supported\"}}";
}

static void a_server_without_schemas_gets_none(void **state)
{
    Run *run = *state;

    run->server.choose = serve_less;
    run->server.user = (void *)(uintptr_t) "schema\"";
    begin(run, NULL, 0);
    assert_int_equal(llm_endpoint_json(run->endpoint), LLM_JSON_SCHEMA);
    assert_int_equal(ask_once(run, 5 * SECOND)->outcome, LLM_ANSWERED);
    assert_int_equal(llm_endpoint_json(run->endpoint), LLM_JSON_OBJECT);
    size_t asked = llm_server_asked(&run->server);
    assert_true(llm_server_heard(&run->server, asked - 1,
                                 "\"response_format\":{\"type\":\"json_object\"}"));
    assert_int_equal(ask_once(run, 5 * SECOND)->outcome, LLM_ANSWERED);
    assert_int_equal(llm_server_asked(&run->server), asked + 1); /* for good */
}

static void a_server_without_json_gets_plain_requests(void **state)
{
    Run *run = *state;

    run->server.choose = serve_less;
    run->server.user = (void *)(uintptr_t) "response_format";
    begin(run, NULL, 0);
    Told *told = ask_once(run, 5 * SECOND);
    assert_int_equal(told->outcome, LLM_ANSWERED);
    assert_int_equal(told->retries, 0); /* nothing was waited for */
    assert_int_equal(llm_endpoint_json(run->endpoint), LLM_JSON_NONE);
}

static void older_llama_servers_get_the_schema_beside(void **state)
{
    Run *run = *state;

    run->server.choose = serve_less;
    run->server.user = (void *)(uintptr_t) "json_schema";
    begin(run, NULL, 0);
    assert_int_equal(ask_once(run, 5 * SECOND)->outcome, LLM_ANSWERED);
    assert_int_equal(llm_endpoint_json(run->endpoint), LLM_JSON_SCHEMA);
    assert_true(llm_server_heard(&run->server, 1,
                                 "{\"type\":\"json_object\",\"schema\":{\"type\":\"object\"}}"));
}

static void names_that_a_model_does_not_know_are_changed(void **state)
{
    static const LlmServerStep steps[] = {
        {.status = 400, .body = "{\"error\":{\"message\":\"use 'max_completion_tokens'\"}}"},
        {.status = 400, .body = "{\"error\":{\"message\":\"no\",\"param\":\"temperature\"}}"},
        {.say = "fine"},
    };
    Run *run = *state;

    run->setup.temperature = 0.5;
    BEGIN(run, steps);
    assert_int_equal(ask_once(run, 5 * SECOND)->outcome, LLM_ANSWERED);
    assert_true(llm_server_heard(&run->server, 2, "\"max_completion_tokens\":300"));
    assert_false(llm_server_heard(&run->server, 2, "temperature"));
    assert_int_equal(llm_endpoint_json(run->endpoint), LLM_JSON_SCHEMA);
}

/* ---- time ---- */

static void nothing_is_later_than_its_deadline(void **state)
{
    static const LlmServerStep steps[] = {{.how = SERVE_HANG},
                                          {.how = SERVE_DRIBBLE, .say = "slow"},
                                          {.delay_ms = 60000, .say = "late"}};
    Run *run = *state;
    Told *told[3];
    TimeUs start = loop_now();

    run->setup.parallel = 3;
    BEGIN(run, steps);
    for (size_t i = 0; i < 3; i++)
        told[i] = ask_for(run, i, false, 300000);
    wait_for(run, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(told[i]->outcome, LLM_UNREACHABLE);
        assert_in_range(told[i]->when - start, 295000, 30 * SECOND);
    }
}

static void who_waits_for_a_slot_keeps_the_deadline_too(void **state)
{
    static const LlmServerStep steps[] = {{.how = SERVE_HANG}};
    Run *run = *state;

    run->setup.parallel = 1;
    BEGIN(run, steps);
    ask_for(run, 0, false, SECOND);
    Told *second = ask_for(run, 1, false, 200000);
    wait_for(run, 1);
    assert_int_equal(second->outcome, LLM_UNREACHABLE);
    has(&second->why, "other requests wait");
    wait_for(run, 2);
    assert_int_equal(llm_server_asked(&run->server), 1);
}

static void a_deadline_that_has_passed_is_told_at_once(void **state)
{
    static const LlmServerStep steps[] = {{.say = "x"}};
    Run *run = *state;

    BEGIN(run, steps);
    assert_int_equal(ask_once(run, -SECOND)->outcome, LLM_UNREACHABLE);
    assert_int_equal(llm_server_asked(&run->server), 0);
}

static void no_proxy_stands_before_this_machine(void **state)
{
    static const LlmServerStep steps[] = {{.say = "x"}};
    Run *run = *state;

    setenv("http_proxy", "http://127.0.0.1:9", 1); /* nobody is there */
    BEGIN(run, steps);
    Told *told = ask_once(run, 5 * SECOND);
    unsetenv("http_proxy");
    assert_int_equal(told->outcome, LLM_ANSWERED);
}

/* ---- order ---- */

static void only_so_many_are_asked_at_a_time(void **state)
{
    static const LlmServerStep steps[] = {{.say = "x", .delay_ms = 30}};
    Run *run = *state;

    BEGIN(run, steps);
    for (size_t i = 0; i < 8; i++)
        ask_for(run, i, false, 10 * SECOND);
    wait_for(run, 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(run->told[i].outcome, LLM_ANSWERED);
    assert_int_equal(run->server.most_running, 2);
}

static void votes_come_before_talk_and_else_the_oldest_first(void **state)
{
    static const LlmServerStep steps[] = {{.say = "x", .delay_ms = 50}, {.say = "x"}};
    static const size_t order[] = {0, 3, 5, 1, 2, 4};
    Run *run = *state;

    run->setup.parallel = 1;
    BEGIN(run, steps);
    for (size_t i = 0; i < 6; i++) {
        ask_for(run, i, i == 3 || i == 5, 10 * SECOND);
        while (i == 0 && llm_server_asked(&run->server) == 0) {
            timer_at(run->limit, loop_now() + 5000, false); /* lets the first one go out */
            loop_run(run->loop);
            run->timed_out = false;
        }
    }
    wait_for(run, 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(run->told[order[i]].place, i);
}

/* ---- the circuit ---- */

static void five_failures_open_the_circuit_and_one_answer_closes_it(void **state)
{
    static const LlmServerStep steps[] = {{.status = 500}, {.status = 500}, {.status = 500},
                                          {.status = 500}, {.status = 500}, {.say = "back"}};
    Run *run = *state;

    run->setup.circuit_ms = 2000;
    BEGIN(run, steps);
    assert_int_equal(ask_once(run, 5 * SECOND)->outcome, LLM_UNREACHABLE); /* 4 failures */
    Told *fifth = ask_once(run, 5 * SECOND);
    assert_int_equal(fifth->outcome, LLM_UNREACHABLE);
    has(&fifth->why, "5 times in a row: status 500");
    assert_int_equal(llm_server_asked(&run->server), 5);

    TimeUs before = loop_now();
    assert_int_equal(ask_once(run, 5 * SECOND)->outcome, LLM_UNREACHABLE);
    assert_true(loop_now() - before < 2 * SECOND);
    assert_int_equal(llm_server_asked(&run->server), 5); /* it was not asked */

    timer_at(run->limit, before + 2100000, false);
    loop_run(run->loop);
    run->timed_out = false;
    size_t first = run->told_count;
    for (size_t i = 0; i < 4; i++)
        ask_for(run, first + i, false, 5 * SECOND);
    wait_for(run, first + 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(run->told[first + i].outcome, LLM_ANSWERED);
    assert_int_equal(llm_server_asked(&run->server), 9);
}

static void a_server_that_is_not_there_is_told_soon(void **state)
{
    Run *run = *state;
    char url[64];
    int fd = llm_server_nobody(url);

    run->setup.url = url;
    begin(run, NULL, 0);
    for (size_t i = 0; i < 12; i++)
        ask_for(run, i, i % 2, 60 * SECOND);
    TimeUs before = loop_now();
    wait_for(run, 12);
    close(fd);
    assert_true(loop_now() - before < 30 * SECOND);
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal(run->told[i].outcome, LLM_UNREACHABLE);
        has(&run->told[i].why, "Connection refused");
    }
}

/* ---- ends ---- */

static void a_cancelled_question_is_not_answered_and_gives_its_slot(void **state)
{
    static const LlmServerStep steps[] = {{.how = SERVE_HANG}, {.say = "x"}};
    Run *run = *state;

    run->setup.parallel = 1;
    BEGIN(run, steps);
    Told *first = ask_for(run, 0, false, 10 * SECOND);
    while (llm_server_asked(&run->server) == 0) {
        timer_at(run->limit, loop_now() + 5000, false);
        loop_run(run->loop);
        run->timed_out = false;
    }
    Told *second = ask_for(run, 1, false, 10 * SECOND);
    llm_call_cancel(first->call);
    llm_call_cancel(NULL);
    wait_for(run, 1);
    assert_int_equal(first->times, 0);
    assert_int_equal(second->outcome, LLM_ANSWERED);
}

static void an_answer_may_cancel_another_question(void **state)
{
    Run *run = *state;
    char url[64];
    int fd = llm_server_nobody(url);

    run->setup.url = url;
    begin(run, NULL, 0);
    ask_for(run, 0, false, -1);
    Told *second = ask_for(run, 1, false, -1);
    run->also_cancel = second->call;
    ask_for(run, 2, false, -1);
    wait_for(run, 2);
    close(fd);
    assert_int_equal(second->times, 0);
}

static void an_answer_may_free_the_endpoint(void **state)
{
    static const LlmServerStep steps[] = {{.say = "x"}, {.how = SERVE_HANG}};
    Run *run = *state;

    BEGIN(run, steps);
    run->free_endpoint = true;
    for (size_t i = 0; i < 4; i++)
        ask_for(run, i, false, 10 * SECOND);
    wait_for(run, 1);
    assert_int_equal(run->told_count, 1);
}

static void what_is_no_server_is_refused(void **state)
{
    static const char *const urls[] = {"",           "localhost:11434",   "ftp://x",     "http://",
                                       "http:///v1", "http://x/v1?key=1", "http://x/a b"};
    Run *run = *state;
    LlmEndpointSetup setup = run->setup;
    Err err = {0};

    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        setup.url = urls[i];
        assert_int_equal(llm_endpoint_new(loop_alarms(run->loop), http_client_carrier(run->http),
                                          &setup, &run->endpoint, NULL),
                         ERR_USAGE);
    }
    setup.url = "http://x";
    setup.model = "";
    assert_int_equal(llm_endpoint_new(loop_alarms(run->loop), http_client_carrier(run->http),
                                      &setup, &run->endpoint, NULL),
                     ERR_USAGE);
    setup.model = "m";
    setup.key = "two\r\nlines";
    assert_int_equal(llm_endpoint_new(loop_alarms(run->loop), http_client_carrier(run->http),
                                      &setup, &run->endpoint, &err),
                     ERR_USAGE);
    assert_null(strstr(err.msg, "two"));
    assert_null(run->endpoint);
}

/* ---- texts ---- */

static void addresses_are_taken_as_people_write_them(void **state)
{
    static const struct {
        LlmApi api;
        const char *base;
        const char *url;
    } cases[] = {
        {LLM_OPENAI, "http://h:1/v1", "http://h:1/v1/chat/completions"},
        {LLM_OPENAI, "http://h:1/v1//", "http://h:1/v1/chat/completions"},
        {LLM_OPENAI, "https://h/v1/chat/completions", "https://h/v1/chat/completions"},
        {LLM_OLLAMA, "http://h:1", "http://h:1/api/chat"},
        {LLM_OLLAMA, "http://h:1/v1/", "http://h:1/api/chat"},
        {LLM_OLLAMA, "http://h:1/api/chat", "http://h:1/api/chat"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf url = {0};
        assert_int_equal(
            llm_url_write(cases[i].api, str_of(cases[i].base), LLM_PATH_CHAT, &url, NULL), 0);
        assert_string_equal(buf_cstr(&url), cases[i].url);
    }
    assert_true(llm_url_is_local(STR("http://localhost:11434/v1")));
    assert_true(llm_url_is_local(STR("http://127.0.0.1/v1")));
    assert_true(llm_url_is_local(STR("http://[::1]:80/")));
    assert_false(llm_url_is_local(STR("http://localhost.example.org/")));
    assert_false(llm_url_is_local(STR("http://example.org/localhost")));
}

static void any_text_can_be_an_answer(void **state)
{
    static const char *const bodies[] = {"",
                                         "null",
                                         "7",
                                         "[[[[",
                                         "{\"choices\":{}}",
                                         "{\"choices\":[{}]}",
                                         "{\"choices\":[{\"message\":[]}],\"usage\":9}",
                                         "{\"message\":{\"content\":{}}}",
                                         "{\"error\":null}",
                                         "{\"error\":[]}",
                                         "{\"error\":{\"message\":7}}",
                                         "{\"detail\":[7,{\"loc\":7}]}",
                                         "{\"message\":\"\\u0000\"}",
                                         "\xFF\xFE"};

    (void)state;
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        for (unsigned status = 100; status < 600; status++) {
            for (LlmApi api = LLM_OPENAI; api <= LLM_ANTHROPIC; api++) {
                LlmDialect dialect = {.api = api}, sent = dialect;
                LlmReply reply = {0};
                llm_reply_read(status, str_of(bodies[i]), &sent, NULL, &dialect, &reply);
                assert_int_not_equal(reply.verdict, VERDICT_ANSWER);
                assert_true(reply.why.len > 0 && reply.why.len < 2000);
                llm_reply_done(&reply);
            }
        }
    }
}

static void an_error_in_mid_stream_is_one(void **state)
{
    LlmDialect dialect = {.api = LLM_OLLAMA}, sent = dialect;
    LlmReply reply = {0};

    (void)state;
    llm_reply_read(200, STR("{\"error\":\"it broke\",\"message\":{\"content\":\"x\"}}"), &sent,
                   NULL, &dialect, &reply);
    assert_int_equal(reply.verdict, VERDICT_AGAIN);
    has(&reply.why, "it broke");
    llm_reply_done(&reply);
}

static uint32_t context_told(LlmApi api, const char *body)
{
    LlmAbout about = {0};

    llm_about_read(api, str_of(body), STR("m"), &about);
    llm_about_done(&about);
    return about.context;
}

static void the_context_is_found_where_it_is_told(void **state)
{
    (void)state;
    assert_int_equal(context_told(LLM_OLLAMA, "{\"model_info\":{\"general.x\":1,"
                                              "\"llama.context_length\":131072}}"),
                     131072);
    assert_int_equal(context_told(LLM_OPENAI, "{\"data\":[{\"id\":\"o\",\"max_model_len\":1},"
                                              "{\"id\":\"m\",\"max_model_len\":4096}]}"),
                     4096);
    assert_int_equal(context_told(LLM_OPENAI, "{\"data\":[{\"id\":\"m\",\"meta\":{\"n_ctx\":9}}]}"),
                     9);
    assert_int_equal(context_told(LLM_OPENAI, "{\"data\":[{\"id\":\"m\"}]}"), 0);
    assert_int_equal(
        context_told(LLM_ANTHROPIC, "{\"data\":[{\"id\":\"m\",\"max_input_tokens\":200000}]}"),
        200000);
    assert_int_equal(context_told(LLM_OLLAMA, "junk"), 0);
}

/* A model that was made for less is not asked to read more; a large one not for all of it. */
static void as_much_context_is_asked_for_as_the_model_has(void **state)
{
    static const struct {
        const char *body;
        uint32_t num_ctx;
    } rows[] = {
        {"{\"model_info\":{\"llama.context_length\":2048}}", 2048},
        {"{\"model_info\":{\"llama.context_length\":131072}}", 16384},
        {"{\"parameters\":\"stop \\\"x\\\"\\nnum_ctx                        4096\","
         "\"model_info\":{\"llama.context_length\":131072}}",
         4096},
        {"{}", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        LlmAbout about = {0};
        llm_about_read(LLM_OLLAMA, str_of(rows[i].body), STR("m"), &about);
        assert_int_equal(llm_about_num_ctx(&about), rows[i].num_ctx);
        llm_about_done(&about);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_the_model_says_comes_back_with_its_tokens),
        TEST(ollama_is_asked_in_its_own_way),
        TEST(failures_that_pass_are_tried_again),
        TEST(a_busy_server_is_tried_three_times_more),
        TEST(the_waits_grow_and_are_not_all_the_same),
        TEST(retry_after_is_kept),
        TEST(a_pause_that_was_asked_for_is_everybodys),
        TEST(a_budget_makes_it_ask_less_and_then_nobody),
        TEST(a_server_that_tells_no_tokens_uses_up_a_budget_all_the_same),
        TEST(no_wait_goes_beyond_the_deadline),
        TEST(what_is_no_answer_of_a_model_is_told_in_the_end),
        TEST(a_model_that_says_nothing_is_told),
        TEST(what_a_lost_reply_cost_is_told),
        TEST(a_denied_key_is_not_tried_again_nor_told),
        TEST(an_absent_model_is_denied),
        TEST(a_context_that_does_not_fit_is_told),
        TEST(any_other_refusal_is_told_at_once),
        TEST(a_server_without_schemas_gets_none),
        TEST(a_server_without_json_gets_plain_requests),
        TEST(older_llama_servers_get_the_schema_beside),
        TEST(names_that_a_model_does_not_know_are_changed),
        TEST(nothing_is_later_than_its_deadline),
        TEST(who_waits_for_a_slot_keeps_the_deadline_too),
        TEST(a_deadline_that_has_passed_is_told_at_once),
        TEST(no_proxy_stands_before_this_machine),
        TEST(only_so_many_are_asked_at_a_time),
        TEST(votes_come_before_talk_and_else_the_oldest_first),
        TEST(five_failures_open_the_circuit_and_one_answer_closes_it),
        TEST(a_server_that_is_not_there_is_told_soon),
        TEST(a_cancelled_question_is_not_answered_and_gives_its_slot),
        TEST(an_answer_may_cancel_another_question),
        TEST(an_answer_may_free_the_endpoint),
        TEST(what_is_no_server_is_refused),
        cmocka_unit_test(addresses_are_taken_as_people_write_them),
        cmocka_unit_test(any_text_can_be_an_answer),
        cmocka_unit_test(an_error_in_mid_stream_is_one),
        cmocka_unit_test(the_context_is_found_where_it_is_told),
        cmocka_unit_test(as_much_context_is_asked_for_as_the_model_has),
    };
    return cmocka_run_group_tests_name("a model's server", tests, NULL, NULL);
}
