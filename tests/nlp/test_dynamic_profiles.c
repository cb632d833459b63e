#include "http_stub.h"

#include "base/json.h"
#include "nlp/dynamic_profiles.h"
#include "nlp/profile_ask.h"
#include "wire/json_read.h"

static const ConfigPair encoding[] = {
    {{"age", 3}, {"\xe5\xb9\xb4\xe9\xbd\xa2", 6}},
    {{"gender", 6}, {"Gender", 6}},
};
static const ProfileKeys keys = {encoding, 2};
static const Str avatars[] = {
    {"http://a/1.png", 14}, {"http://a/2.png", 14}, {"http://a/3.png", 14}, {"http://a/4.png", 14}};

/* ---- the pure part ---- */

static int name_check(const char *name, Err *err)
{
    static const Str taken[] = {{"Minato", 6}, {"\xe3\x82\xb5\xe3\x82\xaf\xe3\x83\xa9", 9}};

    return profile_name_check(str_of(name), (ProfileNames){taken, 2}, err);
}

static void names_that_would_confuse_a_game_are_refused(void **state)
{
    static const char right_to_left[] = {'A', 'n', 'n', '\xe2', '\x80', '\xae', '\0'};
    static const char *const bad[] = {
        "",
        "A B",
        " Ann",
        "Ann\n",
        "Ann\t",
        "Ann,Bob",
        "@Ann",
        "Ann/Bob",
        "Ann:",
        "Ann\x7f",
        "Ann\x01",
        "Ann\xe3\x80\x80Z", /* U+3000, a wide blank */
        "Ann\xc2\xa0Z",     /* no-break space */
        "Ann\xe2\x80\xa8Z", /* line separator */
        "Ann\xe2\x80\x8b",  /* zero width space */
        right_to_left,
        "Ann\xef\xbc\x8c", /* wide comma */
        "Ann\xe3\x80\x81", /* Japanese comma */
        "Ann\xef\xbc\xa0", /* wide @ */
        "Ann\xff",         /* not UTF-8 */
        "Minato",          /* taken */
        "minato",          /* the same for readers */
        "Mina",            /* the beginning of a taken one */
        "Minatomo",        /* a taken one is its beginning */
        "\xe3\x82\xb5",    /* the same in Japanese */
        "0123456789012345678901234567890123456789",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        Err err = {0};

        if (name_check(bad[i], &err) != ERR_RULE)
            fail_msg("number %zu, '%s', is taken", i, bad[i]);
        assert_true(str_starts(str_of(err.msg), STR("name: ")));
    }
}

static void other_names_are_taken(void **state)
{
    static const char *const good[] = {"Ann",        "O'Hara",
                                       "Jean-Luc",   "\xe3\x82\xbf\xe3\x82\xaf\xe3\x83\x9f",
                                       "Zo\xc3\xab", "Misaki"};

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_int_equal(name_check(good[i], NULL), 0);
}

/* An answer of a model that wrote `content`. */
static void write_answer(Str content, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_key(&json, STR("choices"));
    json_open(&json, '[');
    json_open(&json, '{');
    json_key(&json, STR("message"));
    json_open(&json, '{');
    json_key(&json, STR("content"));
    json_put_str(&json, content);
    json_close(&json);
    json_close(&json);
    json_close(&json);
    json_close(&json);
}

static int read_content(const char *content, Buf *name, Buf *text, Err *err)
{
    CLEANUP(buf_done) Buf answer = {0};

    write_answer(str_of(content), &answer);
    return profile_answer_read(buf_str(&answer), keys, name, text, err);
}

static void a_character_becomes_a_profile_string(void **state)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    assert_int_equal(read_content("{\"gender\":\"x\\n- Bob: y\\u0007 z\",\"name\":\" Ann \","
                                  "\"age\":\"10\",\"more\":1}",
                                  &name, &text, NULL),
                     0);
    assert_string_equal(buf_cstr(&name), "Ann");
    assert_string_equal(buf_cstr(&text), "\xe5\xb9\xb4\xe9\xbd\xa2: 10\nGender: x - Bob: y z");
}

static void an_answer_of_another_shape_is_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "[]",
        "text",
        "{\"name\":\"A\",\"age\":\"1\"}",
        "{\"name\":\"A\",\"age\":\"1\",\"gender\":2}",
        "{\"name\":\"A\",\"age\":\"1\",\"gender\":\"\"}",
        "{\"name\":\"A\",\"age\":\"1\",\"gen",
        "{\"age\":\"1\",\"gender\":\"2\"}",
    };
    static const char *const worse[] = {"",
                                        "{}",
                                        "[]",
                                        "{\"choices\":[]}",
                                        "{\"choices\":[{\"message\":{\"content\":null}}]}",
                                        "no",
                                        "{\"choices\":{}}"};
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(read_content(bad[i], &name, &text, NULL), ERR_SYNTAX);
    for (size_t i = 0; i < sizeof(worse) / sizeof(worse[0]); i++)
        assert_int_equal(profile_answer_read(str_of(worse[i]), keys, &name, &text, NULL),
                         ERR_SYNTAX);
}

static void a_value_that_is_too_long_is_refused(void **state)
{
    CLEANUP(buf_done) Buf content = {0};
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    buf_add(&content, STR("{\"name\":\"A\",\"gender\":\"g\",\"age\":\""));
    for (int i = 0; i <= PROFILE_VALUE_MAX; i++)
        buf_add(&content, STR("1"));
    buf_add(&content, STR("\"}"));
    assert_int_equal(read_content(buf_cstr(&content), &name, &text, NULL), ERR_LIMIT);
}

static void the_request_wants_strict_structured_output(void **state)
{
    ConfigDynamic config = {
        .prompt = STR("Make \"one\"."), .model = STR("gpt-4o-mini"), .max_tokens = 300};
    Str taken[] = {STR("Ann"), STR("Bob")};
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    profile_ask_write(&config, keys, avatars[0], (ProfileNames){taken, 2}, &out);
    assert_string_equal(
        buf_cstr(&out),
        "{\"model\":\"gpt-4o-mini\",\"max_tokens\":300,\"messages\":[{\"role\":\"user\","
        "\"content\":[{\"type\":\"text\",\"text\":\"Make \\\"one\\\".\"},"
        "{\"type\":\"text\",\"text\":\"These names are taken; choose another one: Ann, Bob\"},"
        "{\"type\":\"image_url\",\"image_url\":{\"url\":\"http://a/1.png\"}}]}],"
        "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"character\","
        "\"strict\":true,\"schema\":{\"type\":\"object\",\"properties\":{"
        "\"name\":{\"type\":\"string\"},"
        "\"age\":{\"type\":\"string\",\"description\":\"\xe5\xb9\xb4\xe9\xbd\xa2\"},"
        "\"gender\":{\"type\":\"string\",\"description\":\"Gender\"}},"
        "\"required\":[\"name\",\"age\",\"gender\"],\"additionalProperties\":false}}}}");
}

/* ---- with an endpoint ---- */

typedef struct Run {
    Loop *loop;
    HttpClient *http;
    Timer *limit;
    Stub stub;
    char url[64];
    ConfigDynamic config;
    DynamicPlan plan;
    DynamicProfiles *profiles;
    const char *const *names; /* of the answers, in the order of the requests; under the lock */
    size_t next;
    unsigned status;
    bool hang;
    int done;
    Err err;
    const ConfigProfile *got;
    bool free_when_done;
    bool timed_out;
} Run;

static void serve(void *user, const StubAsk *ask, StubAnswer *ret)
{
    Run *run = user;
    CLEANUP(buf_done) Buf content = {0};

    (void)ask;
    ret->status = run->status;
    ret->hang = run->hang;
    if (!run->names || !run->names[run->next]) {
        buf_add(&ret->body, STR("{\"error\":\"no more\"}"));
        return;
    }
    Json json = json_over(&content);
    json_open(&json, '{');
    json_key(&json, STR("name"));
    json_put_str(&json, str_of(run->names[run->next++]));
    json_key(&json, STR("age"));
    json_put_str(&json, STR("10"));
    json_key(&json, STR("gender"));
    json_put_str(&json, STR("g"));
    json_close(&json);
    write_answer(buf_str(&content), &ret->body);
}

static void on_limit(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->timed_out = true;
    loop_stop(run->loop);
}

static void on_done(void *user, const ConfigProfile *profiles, const Err *err, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->done++;
    run->got = profiles;
    if (err)
        run->err = *err;
    if (run->free_when_done)
        run->profiles = dynamic_profiles_free(run->profiles);
    loop_stop(run->loop);
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));

    stub_no_proxy();
    assert_non_null(run);
    run->status = 200;
    stub_begin(&run->stub, serve, run);
    snprintf(run->url, sizeof(run->url), "http://127.0.0.1:%u/v1/", run->stub.port);
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, on_limit, run, &run->limit, NULL), 0);
    assert_int_equal(http_client_new(run->loop, &run->http, NULL), 0);
    run->config = (ConfigDynamic){.enable = true,
                                  .prompt = STR("p"),
                                  .attempts = 3,
                                  .model = STR("m"),
                                  .max_tokens = 300,
                                  .avatars = avatars,
                                  .avatar_count = 4,
                                  .endpoint = run->url,
                                  .api_key = "secret"};
    run->plan = (DynamicPlan){.config = &run->config,
                              .encoding = encoding,
                              .encoding_count = 2,
                              .agent_count = 3,
                              .seed = 7};
    *state = run;
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;

    dynamic_profiles_free(run->profiles);
    loop_free(run->loop);
    stub_end(&run->stub);
    mem_free(run);
    return 0;
}

static void serve_with(Run *run, const char *const *names, unsigned status, bool hang)
{
    pthread_mutex_lock(&run->stub.lock);
    run->names = names;
    run->status = status;
    run->hang = hang;
    pthread_mutex_unlock(&run->stub.lock);
}

static void begin(Run *run)
{
    Err err = {0};

    if (dynamic_profiles_begin(run->loop, run->http, &run->plan, on_done, run, &run->profiles,
                               &err))
        fail_msg("%s", err.msg);
    assert_int_equal(run->done, 0);
}

static void begin_and_wait(Run *run)
{
    begin(run);
    timer_at(run->limit, loop_now() + 100000000, false);
    loop_run(run->loop);
    timer_stop(run->limit);
    assert_false(run->timed_out);
    assert_int_equal(run->done, 1);
}

static bool has_name(const Run *run, const char *name)
{
    for (uint32_t i = 0; i < run->plan.agent_count; i++) {
        if (str_eq(run->got[i].name, str_of(name)))
            return true;
    }
    return false;
}

static void a_game_gets_its_characters(void **state)
{
    static const char *const names[] = {"Ann", "Bob", "Eve", NULL};
    Run *run = *state;

    serve_with(run, names, 200, false);
    begin_and_wait(run);
    assert_non_null(run->got);
    assert_true(has_name(run, "Ann") && has_name(run, "Bob") && has_name(run, "Eve"));
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(str_eq(run->got[i].text, STR("\xe5\xb9\xb4\xe9\xbd\xa2: 10\nGender: g")));
        assert_int_equal(run->got[i].voice_id, -1);
        for (uint32_t j = 0; j < i; j++)
            assert_false(str_eq(run->got[i].avatar_url, run->got[j].avatar_url));
    }
    const StubAsk *asked = stub_asked(&run->stub, 0);
    assert_true(str_eq(asked->target, STR("/v1/chat/completions")));
    assert_true(str_eq(stub_header(asked, "Authorization:"), STR("Bearer secret")));
    assert_int_equal(stub_count(&run->stub), 3);
}

static void without_a_key_none_is_sent(void **state)
{
    static const char *const names[] = {"Ann", "Bob", "Eve", NULL};
    Run *run = *state;

    run->config.api_key = NULL;
    serve_with(run, names, 200, false);
    begin_and_wait(run);
    assert_non_null(run->got);
    assert_int_equal(stub_header(stub_asked(&run->stub, 0), "Authorization:").len, 0);
}

static void the_avatars_follow_from_the_seed(void **state)
{
    static const char *const names[] = {"Ann", "Bob", "Eve", "Joe", "Pam", "Zed", NULL};
    Run *run = *state;
    Str first[3];

    serve_with(run, names, 200, false);
    begin_and_wait(run);
    for (uint32_t i = 0; i < 3; i++)
        first[i] = run->got[i].avatar_url;
    dynamic_profiles_free(run->profiles);
    run->done = 0;
    begin_and_wait(run);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(str_eq(run->got[i].avatar_url, first[i]));
}

static void a_seat_whose_name_is_taken_or_bad_is_asked_again(void **state)
{
    static const char *const names[] = {"Ann", "Ann", "A B", "Bob", "Eve", NULL};
    Run *run = *state;

    serve_with(run, names, 200, false);
    begin_and_wait(run);
    assert_non_null(run->got);
    assert_true(has_name(run, "Ann") && has_name(run, "Bob") && has_name(run, "Eve"));
    assert_int_equal(stub_count(&run->stub), 5);
}

static void after_the_last_attempt_the_game_takes_static_profiles(void **state)
{
    static const char *const names[] = {"Ann", "Ann", "Ann", "Ann", "Ann", "Ann", "Ann", NULL};
    Run *run = *state;

    serve_with(run, names, 200, false);
    begin_and_wait(run);
    assert_null(run->got);
    assert_int_equal(run->err.code, ERR_RULE);
    assert_string_equal(run->err.msg, "characters of a model, after 3 tries: name: 'Ann' clashes "
                                      "with 'Ann'");
}

static void a_wrong_key_is_not_tried_again(void **state)
{
    Run *run = *state;

    run->plan.agent_count = 1;
    serve_with(run, NULL, 401, false);
    begin_and_wait(run);
    assert_null(run->got);
    assert_string_equal(
        run->err.msg, "characters of a model, after 1 tries: status 401: {\"error\":\"no more\"}");
    assert_int_equal(stub_count(&run->stub), 1);
}

static void a_busy_endpoint_is_tried_again(void **state)
{
    Run *run = *state;

    run->plan.agent_count = 1;
    serve_with(run, NULL, 503, false);
    begin_and_wait(run);
    assert_null(run->got);
    assert_int_equal(stub_count(&run->stub), 3);
}

static void an_endpoint_that_hangs_delays_a_game_only_so_long(void **state)
{
    Run *run = *state;

    run->plan.limit_ms = 40;
    run->config.attempts = 1000000;
    serve_with(run, NULL, 200, true);
    begin_and_wait(run);
    assert_null(run->got);
    assert_int_equal(run->err.code < 0, 1);
}

static void the_object_may_be_freed_in_done_and_before(void **state)
{
    static const char *const names[] = {"Ann", "Bob", "Eve", NULL};
    Run *run = *state;

    begin(run);
    run->profiles = dynamic_profiles_free(run->profiles);
    loop_run(run->loop);
    assert_int_equal(run->done, 0);

    run->free_when_done = true;
    serve_with(run, names, 200, false);
    begin_and_wait(run);
    assert_null(run->profiles);
}

static void a_plan_that_cannot_be_is_refused(void **state)
{
    Run *run = *state;
    Err err = {0};

    run->plan.agent_count = 5; /* four avatars */
    assert_int_equal(dynamic_profiles_begin(run->loop, run->http, &run->plan, on_done, run,
                                            &run->profiles, &err),
                     ERR_RULE);
    assert_string_equal(err.msg, "dynamic_profile.avatars: 4 for 5 seats");
    run->plan.agent_count = 0;
    assert_int_equal(dynamic_profiles_begin(run->loop, run->http, &run->plan, on_done, run,
                                            &run->profiles, NULL),
                     ERR_RULE);
    run->plan.agent_count = 3;
    run->config.api_key = "a\r\nX-Evil: 1";
    assert_int_equal(dynamic_profiles_begin(run->loop, run->http, &run->plan, on_done, run,
                                            &run->profiles, NULL),
                     ERR_USAGE);
    run->config.api_key = "k";
    run->config.endpoint = "file:///etc";
    assert_int_equal(dynamic_profiles_begin(run->loop, run->http, &run->plan, on_done, run,
                                            &run->profiles, NULL),
                     ERR_USAGE);
    loop_run(run->loop);
    assert_int_equal(run->done, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_would_confuse_a_game_are_refused),
        cmocka_unit_test(other_names_are_taken),
        cmocka_unit_test(a_character_becomes_a_profile_string),
        cmocka_unit_test(an_answer_of_another_shape_is_refused),
        cmocka_unit_test(a_value_that_is_too_long_is_refused),
        cmocka_unit_test(the_request_wants_strict_structured_output),
        TEST(a_game_gets_its_characters),
        TEST(without_a_key_none_is_sent),
        TEST(the_avatars_follow_from_the_seed),
        TEST(a_seat_whose_name_is_taken_or_bad_is_asked_again),
        TEST(after_the_last_attempt_the_game_takes_static_profiles),
        TEST(a_wrong_key_is_not_tried_again),
        TEST(a_busy_endpoint_is_tried_again),
        TEST(an_endpoint_that_hangs_delays_a_game_only_so_long),
        TEST(the_object_may_be_freed_in_done_and_before),
        TEST(a_plan_that_cannot_be_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
