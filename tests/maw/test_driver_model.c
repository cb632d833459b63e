/* test_driver_model.c - a language model on a seat of a MAW table: what it is shown of an earlier
 * round.
 *
 * Source: docs/spec/models.md 4.2. */
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
    const MawPlayerSetup player = {.jid = STR("p1@maw.test"),
                                   .game_master = STR("gm@maw.test"),
                                   .name = STR("Ann"),
                                   .client = STR("test"),
                                   .poll_us = 50000,
                                   .out = {send_nowhere, on_player_news, bench},
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
    tell(bench, "gm@maw.test", "{\"type\":\"end_game\",\"winning_team\":\"Villagers\"}");
    llm_seat_hear(bench->seat, STR("System: YAK was a wolf"), false);
    size_t before = llm_server_asked(&bench->server);
    start_round(bench, 2);
    run_until(bench, before + 1);
    const char *first = bench->server.order[before]->body.bytes;
    if (!strstr(first, "Round 1: you were Villager"))
        fail_msg("%s", first);
    assert_non_null(strstr(first, "Round 2 begins"));
    assert_null(strstr(first, "ZEBRA"));
    assert_null(strstr(first, "YAK"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_round_shows_nothing_of_the_last_one_but_how_it_ended,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests_name("a model on a seat", tests, NULL, NULL);
}
