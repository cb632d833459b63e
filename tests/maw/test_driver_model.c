/* test_driver_model.c - a language model on a seat of a MAW table: what it is shown of an earlier
 * round, and when it is asked.
 *
 * Source: docs/spec/models.md 1.8, 4.2. */
#include "llm_server.h"

#include "maw/driver.h"
#include "wire/maw_message.h"

typedef struct Bench {
    LlmServer server;
    Loop *loop;
    HttpClient *http;
    LlmEndpoint *endpoint;
    LlmSeat *seat;
    MawDriver *driver;
    MawPlayer *player;
    size_t wanted; /* requests */
    Timer *timer;
    TimeUs began;
    TimeUs end;
} Bench;

static void send_nowhere(void *user, const MawStanza *stanza)
{
    (void)user;
    (void)stanza;
}

static void on_player_news(void *user, const MawNews *news, TimeUs now)
{
    Bench *bench = user;

    maw_driver_news(bench->driver, news, now);
}

static void on_timer(void *user, TimeUs now)
{
    Bench *bench = user;

    (void)now;
    maw_player_tick(bench->player, loop_now());
    maw_driver_tick(bench->driver, loop_now());
    if (llm_server_asked(&bench->server) >= bench->wanted || loop_now() > bench->end)
        loop_stop(bench->loop);
    else
        timer_at(bench->timer, loop_now() + 20000, false);
}

/* Until the model has been asked so often. */
static void run_until(Bench *bench, size_t asked)
{
    bench->wanted = asked;
    bench->end = loop_now() + (TimeUs)60 * 1000000;
    timer_at(bench->timer, loop_now(), false);
    loop_run(bench->loop);
    assert_true(llm_server_asked(&bench->server) >= asked);
}

static void tell(Bench *bench, const char *from, const char *body)
{
    MawStanza stanza = {.from = str_of(from),
                        .to = STR("p1@maw.test"),
                        .type = STANZA_CHAT,
                        .act = ACT_INFORM,
                        .has_body = true,
                        .thread = STR("maw-t-1"),
                        .body = str_of(body)};

    maw_player_receive(bench->player, &stanza, loop_now());
}

static int set_up(void **state)
{
    static const LlmServerStep listens[] = {{.say = "{\"action\":\"listen\"}"}};
    const MawPace pace = {.min_us = 1000, .max_us = 50000, .last_call_us = 1000};
    Bench *bench = mem_new(sizeof(*bench));
    Err err = {0};

    stub_no_proxy();
    *state = bench;
    bench->server.steps = listens;
    bench->server.step_count = 1;
    llm_server_begin(&bench->server);
    char url[96];
    snprintf(url, sizeof(url), "%s/v1", bench->server.url);
    const LlmEndpointSetup setup = {.url = url, .model = "m", .temperature = -1};
    if (loop_new(&bench->loop, &err) || http_client_new(bench->loop, &bench->http, &err) ||
        llm_endpoint_new(loop_alarms(bench->loop), http_client_carrier(bench->http), &setup,
                         &bench->endpoint, &err) ||
        timer_new(bench->loop, on_timer, bench, &bench->timer, &err))
        return -1;
    const LlmSeatSetup seat = {.endpoint = bench->endpoint};
    const MawPlayerSetup player = {
        .jid = STR("p1@maw.test"),
        .game_master = STR("gm@maw.test"),
        .name = STR("Ann"),
        .client = STR("test"),
        .poll_us = 50000,
        .out = {.send = send_nowhere, .news = on_player_news, .user = bench},
        .now = loop_now()};
    if (llm_seat_new(loop_alarms(bench->loop), &seat, &bench->seat, &err) ||
        maw_model_driver_new(bench->seat, LLM_ENGLISH, &pace, 1, &bench->driver, &err) ||
        maw_player_new(&player, &bench->player, &err))
        return -1;
    maw_driver_take(bench->driver, bench->player);
    return 0;
}

static int tear_down(void **state)
{
    Bench *bench = *state;

    maw_driver_free(bench->driver);
    maw_player_free(bench->player);
    llm_seat_free(bench->seat);
    llm_endpoint_free(bench->endpoint);
    http_client_free(bench->http);
    loop_free(bench->loop);
    llm_server_end(&bench->server);
    mem_free(bench);
    return 0;
}

static void start_round(Bench *bench, unsigned round)
{
    char body[400];

    snprintf(body, sizeof(body),
             "{\"type\":\"start_game\",\"total_players\":3,\"round\":%u,\"rounds\":2,\"wolves\":1,"
             "\"players\":[{\"jid\":\"p1@maw.test\",\"name\":\"Ann\"},{\"jid\":\"p2@maw.test\","
             "\"name\":\"Bo\"},{\"jid\":\"p3@maw.test\",\"name\":\"Cy\"}]}",
             round);
    tell(bench, "gm@maw.test", body);
    tell(bench, "gm@maw.test", "{\"type\":\"assign_role\",\"role\":\"Villager\"}");
    tell(bench, "gm@maw.test",
         "{\"type\":\"phase_change\",\"new_phase\":\"day\",\"day\":1,\"phase_no\":1,"
         "\"seconds\":300}");
}

static void a_new_round_shows_nothing_of_the_last_one_but_how_it_ended(void **state)
{
    Bench *bench = *state;

    tell(
        bench, "gm@maw.test",
        "{\"type\":\"join_confirmed\",\"player_name\":\"Ann\",\"players\":[],\"total_players\":3}");
    start_round(bench, 1);
    run_until(bench, 1);
    llm_seat_hear(bench->seat, STR("Bo: ZEBRA, the last word of the first round"), false);
    tell(bench, "gm@maw.test",
         "{\"type\":\"end_game\",\"winning_team\":\"Villagers\",\"scores\":[{\"player\":"
         "\"p1@maw.test\",\"name\":\"Ann\",\"points\":3,\"rounds_won\":1}],\"round\":1}");
    llm_seat_hear(bench->seat, STR("System: YAK was a wolf"), false);
    size_t before = llm_server_asked(&bench->server);
    start_round(bench, 2);
    run_until(bench, before + 1);
    const char *first = bench->server.order[before]->body.bytes;
    if (!strstr(first, "Round 1: you were Villager"))
        fail_msg("%s", first);
    assert_non_null(strstr(first, "Round 2 begins"));
    assert_non_null(strstr(first, "Points so far: Ann 3, Bo 0, Cy 0"));
    assert_null(strstr(first, "ZEBRA"));
    assert_null(strstr(first, "YAK"));
    assert_null(strstr(first, "Round 1 begins"));
    assert_null(strstr(first, "\"assistant\"")); /* nor what it answered then */
}

/* ---- when it is asked ---- */

static void happens(Bench *bench, MawNewsKind kind, const char *name, const char *text)
{
    const MawNews news = {.kind = kind, .name = str_of(name), .text = str_of(text)};

    maw_driver_news(bench->driver, &news, loop_now());
}

/* Many pauses long; nobody asks. */
static void nothing_is_asked(Bench *bench)
{
    size_t asked = llm_server_asked(&bench->server);

    bench->wanted = asked + 1;
    bench->end = loop_now() + 400000;
    timer_at(bench->timer, loop_now(), false);
    loop_run(bench->loop);
    assert_int_equal(llm_server_asked(&bench->server), asked);
}

static void it_is_asked_when_it_has_heard_something_and_else_not(void **state)
{
    static const struct {
        MawNewsKind kind;
        const char *name, *text;
        bool asked;
    } rows[] = {
        {NEWS_SYSTEM, "", "Bo votes for Cy.", false},
        {NEWS_TALLY, "Bo", "Cy", false},  /* nobody spoke */
        {NEWS_TALLY, "Ann", "Cy", false}, /* that was itself */
        {NEWS_LINE, "Bo", "I wonder who is silent.", true},
        {NEWS_TALLY, "Bo", "Ann", true}, /* a vote for it */
        {NEWS_WHISPER, "Cy", "Trust me.", true},
        {NEWS_LINE, "Cy", "Ann, what do you think?", true},
        {NEWS_REFUSED, "", "one line a second", true},
    };
    Bench *bench = *state;

    tell(
        bench, "gm@maw.test",
        "{\"type\":\"join_confirmed\",\"player_name\":\"Ann\",\"players\":[],\"total_players\":3}");
    start_round(bench, 1);
    run_until(bench, 1); /* a phase begins */
    nothing_is_asked(bench);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        size_t before = llm_server_asked(&bench->server);
        happens(bench, rows[i].kind, rows[i].name, rows[i].text);
        if (rows[i].asked)
            run_until(bench, before + 1);
        nothing_is_asked(bench); /* and once is enough */
    }
}

/* Who was spoken to is asked after the shortest pause, others after one by chance. */
static void who_is_spoken_to_is_asked_soon(void **state)
{
    Bench *bench = *state;

    tell(
        bench, "gm@maw.test",
        "{\"type\":\"join_confirmed\",\"player_name\":\"Ann\",\"players\":[],\"total_players\":3}");
    start_round(bench, 1);
    run_until(bench, 1);
    nothing_is_asked(bench);
    assert_int_equal(maw_driver_deadline(bench->driver),
                     maw_player_known(bench->player)->phase_ends - 1000); /* the last call */
    happens(bench, NEWS_LINE, "Bo", "Ann is odd.");
    assert_true(maw_driver_deadline(bench->driver) < loop_now());
}

static void the_pace_is_twice_a_bots_or_as_told(void **state)
{
    const MawPace bots = {.min_us = 2000, .max_us = 8000, .last_call_us = 9000};
    const LlmManner usual = {0}, told = {.ask_min_ms = 4, .ask_max_ms = 12};
    MawPace pace = maw_model_pace(&bots, &usual, false);

    (void)state;
    assert_int_equal(pace.min_us, 4000);
    assert_int_equal(pace.max_us, 16000);
    assert_int_equal(pace.last_call_us, 9000);
    assert_int_equal(maw_model_pace(&bots, &usual, true).max_us, 8000); /* a table of phrases */
    pace = maw_model_pace(&bots, &told, true);
    assert_int_equal(pace.min_us, 4000);
    assert_int_equal(pace.max_us, 12000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_round_shows_nothing_of_the_last_one_but_how_it_ended,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_is_asked_when_it_has_heard_something_and_else_not,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_is_spoken_to_is_asked_soon, set_up, tear_down),
        cmocka_unit_test(the_pace_is_twice_a_bots_or_as_told),
    };

    return cmocka_run_group_tests_name("a model on a seat", tests, NULL, NULL);
}
