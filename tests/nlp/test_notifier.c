#include "http_stub.h"

#include "nlp/notice_rule.h"
#include "nlp/notifier.h"
#include "wire/json_read.h"

#define SECOND ((TimeUs)1000000)

/* ---- the rule, without a network ---- */

static ConfigNotifier plain_config(void)
{
    return (ConfigNotifier){.enable = true,
                            .timeout_ms = 10000,
                            .min_interval_ms = 1000,
                            .events = NOTICE_ALL,
                            .stall_ms = 600000,
                            .milestone_every = 10};
}

static void only_the_kinds_of_the_list_are_wanted(void **state)
{
    ConfigNotifier config = plain_config();

    (void)state;
    config.events = NOTICE_ABORT | NOTICE_STALL;
    NoticeRule rule = notice_rule_new(&config);
    assert_true(notice_wanted(&rule, NOTICE_ABORT));
    assert_true(notice_wanted(&rule, NOTICE_STALL));
    assert_false(notice_wanted(&rule, NOTICE_QUARANTINE));
    assert_false(notice_wanted(&rule, NOTICE_MILESTONE));
    config.events = 0; /* an empty list means all */
    rule = notice_rule_new(&config);
    assert_true(notice_wanted(&rule, NOTICE_QUARANTINE));
}

static void two_notices_are_the_interval_apart(void **state)
{
    ConfigNotifier config = plain_config();
    NoticeRule rule = notice_rule_new(&config);

    (void)state;
    assert_true(notice_free_at(&rule) <= 0);
    notice_sent(&rule, 5 * SECOND);
    assert_int_equal(notice_free_at(&rule), 6 * SECOND);
}

static void every_tenth_decided_game_is_a_milestone(void **state)
{
    ConfigNotifier config = plain_config();
    NoticeRule rule = notice_rule_new(&config);

    (void)state;
    assert_int_equal(notice_progress(&rule, 0, 0, true, 0), 0);
    assert_int_equal(notice_progress(&rule, 9, 2, true, 0), 0);
    assert_int_equal(notice_progress(&rule, 10, 2, true, 0), 10);
    assert_int_equal(notice_progress(&rule, 10, 1, true, 0), 0);
    assert_int_equal(notice_progress(&rule, 19, 1, true, 0), 0);
    assert_int_equal(notice_progress(&rule, 43, 1, true, 0), 40);
    config.milestone_every = 0;
    rule = notice_rule_new(&config);
    notice_progress(&rule, 0, 0, true, 0);
    assert_int_equal(notice_progress(&rule, 100, 0, true, 0), 0);
}

static void games_of_an_earlier_run_are_no_milestone(void **state)
{
    ConfigNotifier config = plain_config();
    NoticeRule rule = notice_rule_new(&config);

    (void)state;
    assert_int_equal(notice_progress(&rule, 57, 0, true, 0), 0);
    assert_int_equal(notice_progress(&rule, 60, 0, true, 0), 60);
}

static void a_stall_is_told_once(void **state)
{
    ConfigNotifier config = plain_config();
    NoticeRule rule = notice_rule_new(&config);

    (void)state;
    assert_int_equal(notice_stall_at(&rule), TIME_US_NEVER);
    notice_progress(&rule, 0, 0, true, 5 * SECOND);
    assert_int_equal(notice_stall_at(&rule), 605 * SECOND);
    notice_progress(&rule, 0, 0, true, 50 * SECOND); /* somebody came or went: still a stall */
    assert_false(notice_stall_due(&rule, 605 * SECOND - 1));
    assert_true(notice_stall_due(&rule, 605 * SECOND));
    assert_false(notice_stall_due(&rule, 2000 * SECOND));
    notice_progress(&rule, 0, 0, true, 2000 * SECOND);
    assert_int_equal(notice_stall_at(&rule), TIME_US_NEVER);
}

static void a_game_ends_a_stall_and_the_next_one_is_told_again(void **state)
{
    ConfigNotifier config = plain_config();
    NoticeRule rule = notice_rule_new(&config);

    (void)state;
    notice_progress(&rule, 0, 0, true, 0);
    assert_true(notice_stall_due(&rule, 700 * SECOND));
    notice_progress(&rule, 0, 1, true, 800 * SECOND);
    assert_int_equal(notice_stall_at(&rule), TIME_US_NEVER);
    assert_false(notice_stall_due(&rule, 5000 * SECOND)); /* however long it takes */
    notice_progress(&rule, 1, 0, true, 5000 * SECOND);
    assert_false(notice_stall_due(&rule, 5599 * SECOND));
    assert_true(notice_stall_due(&rule, 5600 * SECOND));
    notice_progress(&rule, 2, 0, true, 6000 * SECOND); /* one began and ended in between */
    assert_int_equal(notice_stall_at(&rule), 6600 * SECOND);
}

static void nothing_stalls_when_no_game_is_awaited(void **state)
{
    ConfigNotifier config = plain_config();
    NoticeRule rule = notice_rule_new(&config);

    (void)state;
    notice_progress(&rule, 0, 0, true, 0);
    notice_progress(&rule, 0, 0, false, 10 * SECOND);
    assert_int_equal(notice_stall_at(&rule), TIME_US_NEVER);
    config.stall_ms = 0;
    rule = notice_rule_new(&config);
    notice_progress(&rule, 0, 0, true, 0);
    assert_int_equal(notice_stall_at(&rule), TIME_US_NEVER);
}

/* ---- with a webhook ---- */

typedef struct Run {
    Loop *loop;
    HttpClient *http;
    ConfigNotifier config;
    Notifier *notifier;
    Timer *limit;
    Timer *looker;
    Stub stub;
    char url[64];
    unsigned status; /* what the webhook says; under the stub's lock */
    bool hang;
    size_t want;
    bool timed_out;
    int flushed;
    Buf noted;
} Run;

static void serve(void *user, const StubAsk *ask, StubAnswer *ret)
{
    Run *run = user;

    (void)ask;
    ret->status = run->status;
    ret->hang = run->hang;
    buf_add(&ret->body, run->status == 200 ? STR("ok") : STR("no_service\n"));
}

static void on_limit(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->timed_out = true;
    loop_stop(run->loop);
}

static uint64_t ended(const Run *run)
{
    NotifierCounts counts = notifier_counts(run->notifier);

    return counts.sent + counts.failed;
}

static void on_look(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    if (ended(run) >= run->want)
        loop_stop(run->loop);
    else
        timer_at(run->looker, loop_now() + 1000, false);
}

static void on_note(void *user, Str line)
{
    Run *run = user;

    buf_add(&run->noted, line);
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));

    stub_no_proxy();
    assert_non_null(run);
    run->status = 200;
    stub_begin(&run->stub, serve, run);
    snprintf(run->url, sizeof(run->url), "http://127.0.0.1:%u/services/T/B/x", run->stub.port);
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, on_limit, run, &run->limit, NULL), 0);
    assert_int_equal(timer_new(run->loop, on_look, run, &run->looker, NULL), 0);
    assert_int_equal(http_client_new(run->loop, &run->http, NULL), 0);
    run->config = plain_config();
    run->config.min_interval_ms = 0;
    run->config.webhook_url = run->url;
    *state = run;
    return 0;
}

/* How the webhook answers from now on. */
static void serve_with(Run *run, unsigned status, bool hang)
{
    pthread_mutex_lock(&run->stub.lock);
    run->status = status;
    run->hang = hang;
    pthread_mutex_unlock(&run->stub.lock);
}

static void begin(Run *run)
{
    Err err = {0};

    if (notifier_new(loop_alarms(run->loop), run->http, &run->config, on_note, run, &run->notifier,
                     &err))
        fail_msg("%s", err.msg);
}

static int tear_down(void **state)
{
    Run *run = *state;

    notifier_free(run->notifier);
    loop_free(run->loop);
    stub_end(&run->stub);
    buf_done(&run->noted);
    mem_free(run);
    return 0;
}

/* Until `count` notices were sent or failed. */
static void wait_for(Run *run, size_t count)
{
    run->want = count;
    timer_at(run->limit, loop_now() + 100 * SECOND, false);
    timer_at(run->looker, 0, false);
    loop_run(run->loop);
    assert_false(run->timed_out);
}

/* The value of a key of the notice number `index`, in `out`. */
static const char *said(Run *run, size_t index, const char *key, Buf *out)
{
    json_t *json;
    Str text;

    buf_clear(out);
    assert_int_equal(json_read(stub_asked(&run->stub, index)->body, 100000, &json, NULL), 0);
    if (json_as_str(json_get(json, key), &text))
        buf_add(out, text);
    json_done(json);
    return buf_cstr(out);
}

static void a_notice_goes_to_the_webhook(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    run->config.username = STR("warg");
    run->config.icon_emoji = STR(":wolf:");
    begin(run);
    notifier_say(run->notifier, NOTICE_ABORT, STR("game 1 \"was\" aborted\n<!channel> & so"),
                 loop_now());
    wait_for(run, 1);
    assert_string_equal(said(run, 0, "text", &text),
                        "game 1 \"was\" aborted\n&lt;!channel&gt; &amp; so");
    assert_string_equal(said(run, 0, "username", &text), "warg");
    assert_string_equal(said(run, 0, "icon_emoji", &text), ":wolf:");
    const StubAsk *ask = stub_asked(&run->stub, 0);
    assert_true(str_eq(ask->method, STR("POST")));
    assert_true(str_eq(ask->target, STR("/services/T/B/x")));
    assert_true(str_eq(stub_header(ask, "Content-Type:"), STR("application/json")));
    assert_int_equal(notifier_counts(run->notifier).sent, 1);
}

static void name_and_emoji_are_left_out_when_they_are_not_set(void **state)
{
    Run *run = *state;

    begin(run);
    notifier_say(run->notifier, NOTICE_ABORT, STR("x"), loop_now());
    wait_for(run, 1);
    assert_true(str_eq(stub_asked(&run->stub, 0)->body, STR("{\"text\":\"x\"}")));
}

static void notices_keep_their_order_and_their_distance(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    run->config.min_interval_ms = 30;
    begin(run);
    TimeUs start = loop_now();
    notifier_say(run->notifier, NOTICE_ABORT, STR("one"), start);
    notifier_say(run->notifier, NOTICE_QUARANTINE, STR("two"), start);
    notifier_say(run->notifier, NOTICE_ABORT, STR("three"), start);
    wait_for(run, 3);
    assert_true(loop_now() - start >= 60000);
    assert_string_equal(said(run, 0, "text", &text), "one");
    assert_string_equal(said(run, 1, "text", &text), "two");
    assert_string_equal(said(run, 2, "text", &text), "three");
}

static void what_the_queue_has_no_room_for_is_dropped_and_counted(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    begin(run);
    for (int i = 0; i < 1 + NOTIFIER_QUEUE_MAX + 5; i++) /* one is on its way */
        notifier_say(run->notifier, NOTICE_ABORT, STR("x"), loop_now());
    assert_int_equal(notifier_counts(run->notifier).dropped, 5);
    wait_for(run, 1 + NOTIFIER_QUEUE_MAX);
    assert_int_equal(stub_count(&run->stub), 1 + NOTIFIER_QUEUE_MAX);
    assert_string_equal(said(run, 0, "text", &text), "x");
    assert_string_equal(said(run, 1, "text", &text), "x\n(5 earlier notices were dropped)");
    assert_string_equal(said(run, 2, "text", &text), "x");
}

static void kinds_that_are_not_wanted_stay_away(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    run->config.events = NOTICE_ABORT;
    begin(run);
    notifier_say(run->notifier, NOTICE_QUARANTINE, STR("quarantine"), loop_now());
    notifier_say(run->notifier, NOTICE_ABORT, STR("abort"), loop_now());
    wait_for(run, 1);
    assert_string_equal(said(run, 0, "text", &text), "abort");
    assert_int_equal(stub_count(&run->stub), 1);
}

static void without_a_webhook_nothing_happens(void **state)
{
    Run *run = *state;

    run->config.webhook_url = NULL;
    begin(run);
    notifier_say(run->notifier, NOTICE_ABORT, STR("x"), loop_now());
    notifier_progress(run->notifier, 0, 0, STR(""), STR("nobody"), 0);
    loop_run(run->loop); /* nothing is set */
    assert_int_equal(stub_count(&run->stub), 0);
}

static void a_webhook_that_refuses_is_noted_and_the_next_notice_goes_out(void **state)
{
    Run *run = *state;

    begin(run);
    serve_with(run, 404, false);
    notifier_say(run->notifier, NOTICE_ABORT, STR("x"), loop_now());
    wait_for(run, 1);
    assert_int_equal(notifier_counts(run->notifier).failed, 1);
    assert_string_equal(buf_cstr(&run->noted), "notice not sent: status 404: no_service");
    serve_with(run, 200, false);
    notifier_say(run->notifier, NOTICE_ABORT, STR("y"), loop_now());
    wait_for(run, 2);
    assert_int_equal(notifier_counts(run->notifier).sent, 1);
}

static void a_webhook_that_hangs_runs_into_the_time_limit(void **state)
{
    Run *run = *state;

    serve_with(run, 200, true);
    run->config.timeout_ms = 30;
    begin(run);
    notifier_say(run->notifier, NOTICE_ABORT, STR("x"), loop_now());
    wait_for(run, 1);
    assert_string_equal(buf_cstr(&run->noted), "notice not sent: no answer within 30 ms");
}

static void a_bad_address_fails_without_harm(void **state)
{
    Run *run = *state;

    run->config.webhook_url = "file:///etc/passwd";
    begin(run);
    for (int i = 0; i < 3; i++)
        notifier_say(run->notifier, NOTICE_ABORT, STR("x"), loop_now());
    assert_int_equal(notifier_counts(run->notifier).failed, 3);
}

static void stalls_and_milestones_are_told(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    run->config.stall_ms = 20;
    begin(run);
    TimeUs now = loop_now();
    notifier_progress(run->notifier, 0, 1, STR(""), STR(""), now);
    notifier_progress(run->notifier, 10, 2, STR("; 1 aborted"), STR(""), now);
    wait_for(run, 1);
    assert_string_equal(said(run, 0, "text", &text), "10 games are decided, 2 running; 1 aborted.");
    notifier_progress(run->notifier, 12, 0, STR("; 2 aborted"), STR("Connected: a. Missing: b."),
                      loop_now());
    wait_for(run, 2);
    assert_string_equal(said(run, 1, "text", &text),
                        "No game is running and none has begun for 0 s; 12 decided so far; 2 "
                        "aborted. "
                        "Connected: a. Missing: b.");
    notifier_progress(run->notifier, 12, 0, STR(""), STR("Connected: nobody."), loop_now());
    timer_stop(run->limit);
    loop_run(run->loop); /* told once: no timer is left */
    assert_int_equal(stub_count(&run->stub), 2);
}

static void on_flushed(void *user)
{
    Run *run = user;

    run->flushed++;
    loop_stop(run->loop);
}

static void the_last_notices_go_out_without_the_interval(void **state)
{
    Run *run = *state;

    run->config.min_interval_ms = 3600000;
    begin(run);
    notifier_say(run->notifier, NOTICE_ABORT, STR("one"), loop_now());
    notifier_say(run->notifier, NOTICE_ABORT, STR("two"), loop_now());
    notifier_say(run->notifier, NOTICE_MILESTONE, STR("The server stops."), loop_now());
    notifier_flush(run->notifier, 20000, on_flushed, run, loop_now());
    loop_run(run->loop);
    assert_int_equal(run->flushed, 1);
    assert_int_equal(notifier_counts(run->notifier).sent, 3);
}

static void the_end_does_not_wait_longer_than_its_limit(void **state)
{
    Run *run = *state;

    serve_with(run, 200, true);
    begin(run);
    notifier_say(run->notifier, NOTICE_ABORT, STR("one"), loop_now());
    notifier_say(run->notifier, NOTICE_ABORT, STR("two"), loop_now());
    notifier_flush(run->notifier, 20, on_flushed, run, loop_now());
    loop_run(run->loop);
    assert_int_equal(run->flushed, 1);
    assert_int_equal(notifier_counts(run->notifier).dropped, 2);
    notifier_say(run->notifier, NOTICE_ABORT, STR("three"), loop_now());
    loop_run(run->loop);
    assert_int_equal(run->flushed, 1);
}

static void a_long_notice_is_cut_between_characters(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf long_text = {0};

    buf_add(&long_text, STR("x"));
    for (int i = 0; i < NOTIFIER_TEXT_MAX; i++)
        buf_add(&long_text, STR("\xe3\x81\x82"));
    begin(run);
    notifier_say(run->notifier, NOTICE_ABORT, buf_str(&long_text), loop_now());
    wait_for(run, 1);
    said(run, 0, "text", &text);
    assert_int_equal(text.len, NOTIFIER_TEXT_MAX - 2);
    assert_true(str_starts(buf_str(&long_text), buf_str(&text)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_kinds_of_the_list_are_wanted),
        cmocka_unit_test(two_notices_are_the_interval_apart),
        cmocka_unit_test(every_tenth_decided_game_is_a_milestone),
        cmocka_unit_test(games_of_an_earlier_run_are_no_milestone),
        cmocka_unit_test(a_stall_is_told_once),
        cmocka_unit_test(a_game_ends_a_stall_and_the_next_one_is_told_again),
        cmocka_unit_test(nothing_stalls_when_no_game_is_awaited),
        TEST(a_notice_goes_to_the_webhook),
        TEST(name_and_emoji_are_left_out_when_they_are_not_set),
        TEST(notices_keep_their_order_and_their_distance),
        TEST(what_the_queue_has_no_room_for_is_dropped_and_counted),
        TEST(kinds_that_are_not_wanted_stay_away),
        TEST(without_a_webhook_nothing_happens),
        TEST(a_webhook_that_refuses_is_noted_and_the_next_notice_goes_out),
        TEST(a_webhook_that_hangs_runs_into_the_time_limit),
        TEST(a_bad_address_fails_without_harm),
        TEST(stalls_and_milestones_are_told),
        TEST(the_last_notices_go_out_without_the_interval),
        TEST(the_end_does_not_wait_longer_than_its_limit),
        TEST(a_long_notice_is_cut_between_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
