/* test_asked.c - players whose decisions an agent elsewhere makes: a person's, a model's, a name;
 * and what becomes of the player when that agent gives nothing.
 *
 * Source: docs/spec/maw.md 2.3, 2.5, 5.6; seed 002 tables 14 to 16. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "llm/seat.h"
#include "maw/driver.h"
#include "wire/maw_message.h"

#include <stdlib.h>

#define SECOND ((TimeUs)1000 * 1000)
#define TEXT   12000
#define KEPT   200

typedef struct Sent {
    char to[TEXT], body[TEXT], reply_with[100], id[100];
} Sent;

/* A player, its driver, and who is asked; time jumps from deadline to deadline. */
typedef struct Bench {
    Alarms alarms;
    TimeUs now;
    MawAsked *asked;
    MawPlayer *player;
    MawDriver *driver;
    LlmSeat *seat;
    Sent *sent;
    unsigned count;
    unsigned seen; /* of them, by the test */
    char name[100];
    unsigned named, decisions;
    LlmSource source;
    LlmDecision decision;
} Bench;

static void on_send(void *user, const MawStanza *stanza)
{
    Bench *bench = user;

    assert_true(bench->count < KEPT);
    Sent *sent = &bench->sent[bench->count++];
    snprintf(sent->to, TEXT, "%.*s", STR_ARG(stanza->to));
    snprintf(sent->body, TEXT, "%.*s", STR_ARG(stanza->body));
    snprintf(sent->reply_with, 100, "%.*s", STR_ARG(stanza->reply_with));
    snprintf(sent->id, 100, "%.*s", STR_ARG(stanza->id));
}

static void on_news(void *user, const MawNews *news, TimeUs now)
{
    Bench *bench = user;

    if (bench->driver)
        maw_driver_news(bench->driver, news, now);
}

static void on_heard(void *user, const MawStanza *stanza, MawType type, TimeUs now)
{
    maw_asked_heard(((Bench *)user)->asked, stanza, type, now);
}

static void bench_open(Bench *bench, MawAsks kind)
{
    const MawAskedSetup setup = {.alarms = &bench->alarms,
                                 .jid = STR("bo@home.test/x"),
                                 .interface = STR("ai@home.test"),
                                 .kind = kind,
                                 .seed = 3,
                                 .send = on_send,
                                 .user = bench};
    const MawPlayerSetup player = {.jid = STR("bo@home.test/x"),
                                   .game_master = STR("gm@maw.test"),
                                   .name = STR("Bo"),
                                   .client = STR("test"),
                                   .out = {on_send, on_news, on_heard, bench},
                                   .now = SECOND};
    const MawPace pace = {.min_us = SECOND, .max_us = 2 * SECOND, .last_call_us = 10 * SECOND};

    bench->now = SECOND;
    bench->sent = calloc(KEPT, sizeof(Sent));
    assert_non_null(bench->sent);
    assert_int_equal(maw_asked_new(&setup, &bench->asked, NULL), 0);
    assert_int_equal(maw_player_new(&player, &bench->player, NULL), 0);
    maw_asked_take(bench->asked, bench->player);
    if (kind == ASKS_MODEL) {
        const LlmSeatSetup seat = {.endpoint = maw_asked_endpoint(bench->asked), .seed = 1};
        assert_int_equal(llm_seat_new(&bench->alarms, &seat, &bench->seat, NULL), 0);
        assert_int_equal(
            maw_model_driver_new(bench->seat, LLM_ENGLISH, &pace, 1, &bench->driver, NULL), 0);
    } else {
        assert_int_equal(maw_user_driver_new(bench->asked, 1, &bench->driver, NULL), 0);
    }
    maw_driver_take(bench->driver, bench->player);
}

static void bench_close(Bench *bench)
{
    maw_driver_free(bench->driver);
    llm_seat_free(bench->seat);
    maw_player_free(bench->player);
    maw_asked_free(bench->asked);
    free(bench->sent);
}

#define BENCH(name, kind)                                                                          \
    CLEANUP(bench_close) Bench name = {0};                                                         \
    bench_open(&name, kind)

static void step(Bench *bench, TimeUs to)
{
    bench->now = to;
    alarms_ring(&bench->alarms, to);
    maw_player_tick(bench->player, to);
    maw_driver_tick(bench->driver, to);
    alarms_ring(&bench->alarms, to);
}

static void pass(Bench *bench, TimeUs time)
{
    for (TimeUs end = bench->now + time; bench->now < end;)
        step(bench, bench->now + SECOND / 20);
}

static void tell(Bench *bench, const char *from, MawAct act, const char *reply, const char *body)
{
    const MawStanza stanza = {.from = str_of(from),
                              .to = STR("bo@home.test/x"),
                              .type = STANZA_CHAT,
                              .act = act,
                              .in_reply_to = str_of(reply),
                              .thread = str_eq(str_of(reply), STR("")) ? STR("maw-a-1") : (Str){0},
                              .has_body = true,
                              .body = str_of(body)};

    if (!maw_asked_receive(bench->asked, &stanza, bench->now))
        maw_player_receive(bench->player, &stanza, bench->now);
    alarms_ring(&bench->alarms, bench->now);
}

#define GM        "gm@maw.test"
#define SAY(body) tell(&bench, GM, ACT_INFORM, "", body)

static void begin_round(Bench *bench, const char *role)
{
    char body[TEXT];

    tell(bench, GM, ACT_INFORM, "",
         "{\"type\":\"start_game\",\"total_players\":3,\"round\":1,\"wolves\":1,\"players\":[{"
         "\"jid\":"
         "\"bo@home.test\",\"name\":\"Bo\"},{\"jid\":\"cy@home.test\",\"name\":\"Cy\"},{\"jid\":"
         "\"di@home.test\",\"name\":\"Di\"}]}");
    snprintf(body, sizeof(body), "{\"type\":\"assign_role\",\"role\":\"%s\"}", role);
    tell(bench, GM, ACT_INFORM, "", body);
}

static void begin_phase(Bench *bench, const char *phase, int number)
{
    char body[TEXT];

    snprintf(body, sizeof(body),
             "{\"type\":\"phase_change\",\"new_phase\":\"%s\",\"phase_no\":%d,\"seconds\":60}",
             phase, number);
    tell(bench, GM, ACT_INFORM, "", body);
    tell(
        bench, phase[0] == 'd' ? "village@maw.test" : "hideout@maw.test", ACT_INFORM, "",
        phase[0] == 'd'
            ? "{\"type\":\"announce_open\",\"room_name\":\"Village\",\"players\":[\"bo@home.test\","
              "\"cy@home.test\",\"di@home.test\"]}"
            : "{\"type\":\"announce_open\",\"room_name\":\"Hideout\",\"players\":[\"bo@home.test\"]"
              "}");
}

/* The next that was sent since with this in it; NULL. */
static const Sent *next_sent(Bench *bench, const char *part)
{
    while (bench->seen < bench->count) {
        const Sent *sent = &bench->sent[bench->seen++];
        if (strstr(sent->body, part))
            return sent;
    }
    return NULL;
}

static const Sent *next_question(Bench *bench)
{
    const Sent *sent = next_sent(bench, "\"get_input\"");

    if (sent)
        assert_string_equal(sent->to, "ai@home.test");
    return sent;
}

/* ---- a person ---- */

static void a_person_is_asked_again_and_again_while_the_room_is_open(void **state)
{
    (void)state;
    BENCH(bench, ASKS_USER);
    begin_round(&bench, "Villager");
    pass(&bench, SECOND);
    assert_null(next_question(&bench)); /* in no room yet */
    begin_phase(&bench, "day", 1);
    pass(&bench, SECOND);
    const Sent *question = next_question(&bench);
    assert_non_null(question);
    assert_non_null(strstr(question->body, "\"purpose\":\"action\",\"targets\":[\"Cy\",\"Di\"],"
                                           "\"phase\":\"day\",\"seconds\":"));
    assert_null(strstr(question->body, "completions")); /* of a person */
    assert_null(next_question(&bench));                 /* one at a time */
    tell(&bench, "ai@home.test/u", ACT_REQUEST, question->reply_with,
         "{\"type\":\"chat\",\"message\":\"I am here.\"}");
    const Sent *line = next_sent(&bench, "I am here.");
    assert_string_equal(line->to, "village@maw.test");
    for (int i = 0; i < 3; i++) { /* also twice in a row, into a silent room */
        pass(&bench, SECOND);
        question = next_question(&bench);
        assert_non_null(question);
        tell(&bench, "ai@home.test/u", ACT_REQUEST, question->reply_with,
             "{\"type\":\"vote\",\"target\":\"Cy\"}");
        const Sent *vote = next_sent(&bench, "\"vote\"");
        assert_string_equal(vote->to, GM);
        assert_non_null(strstr(vote->body, "cy@home.test"));
    }
}

static void a_person_is_not_asked_asleep_and_dead(void **state)
{
    (void)state;
    BENCH(bench, ASKS_USER);
    begin_round(&bench, "Villager");
    begin_phase(&bench, "day", 1);
    pass(&bench, SECOND);
    const Sent *question = next_question(&bench);
    assert_non_null(question);
    SAY("{\"type\":\"phase_change\",\"new_phase\":\"night\",\"phase_no\":2,\"seconds\":30}");
    pass(&bench, 2 * SECOND);
    assert_null(next_question(&bench));
    tell(&bench, "ai@home.test/u", ACT_REQUEST, question->reply_with,
         "{\"type\":\"chat\",\"message\":\"late\"}");
    assert_null(next_sent(&bench, "late"));
    begin_phase(&bench, "day", 3);
    pass(&bench, SECOND);
    assert_non_null(next_question(&bench));
    SAY("{\"type\":\"kill\",\"cause\":\"executed\"}");
    pass(&bench, 10 * SECOND);
    assert_null(next_question(&bench));
}

static void what_a_wolf_types_by_night_is_never_said_by_day(void **state)
{
    (void)state;
    BENCH(bench, ASKS_USER);
    begin_round(&bench, "Werewolf");
    begin_phase(&bench, "night", 1);
    pass(&bench, SECOND);
    const Sent *question = next_question(&bench);
    assert_non_null(question);
    char night[100];
    snprintf(night, sizeof(night), "%s", question->reply_with);
    begin_phase(&bench, "day", 2);
    pass(&bench, SECOND);
    assert_non_null(next_question(&bench));
    tell(&bench, "ai@home.test/u", ACT_REQUEST, night,
         "{\"type\":\"chat\",\"message\":\"kill Cy\"}");
    assert_null(next_sent(&bench, "kill Cy"));
}

static void errors_leave_the_player_idle_and_it_asks_later(void **state)
{
    static const struct {
        const char *code;
        MawAct act;
        bool again; /* in this phase */
    } rows[] = {{"user-timeout", ACT_FAILURE, true},
                {"internal", ACT_FAILURE, true},
                {"not-a-human", ACT_REFUSE, false}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        BENCH(bench, ASKS_USER);
        char body[TEXT];
        begin_round(&bench, "Villager");
        begin_phase(&bench, "day", 1);
        pass(&bench, SECOND);
        const Sent *question = next_question(&bench);
        assert_non_null(question);
        snprintf(body, sizeof(body), "{\"type\":\"error\",\"of\":\"get_input\",\"code\":\"%s\"}",
                 rows[i].code);
        tell(&bench, "ai@home.test/u", rows[i].act, question->reply_with, body);
        unsigned before = bench.count;
        pass(&bench, 5 * SECOND);
        assert_null(next_sent(&bench, "get_input"));
        assert_true(bench.count - before < 10); /* idle: it fetches lines, and that is all */
        pass(&bench, 20 * SECOND);
        assert_int_equal(next_question(&bench) != NULL, rows[i].again);
        begin_phase(&bench, "day", 3);
        pass(&bench, SECOND);
        assert_non_null(next_question(&bench));
    }
}

static void a_person_that_is_not_there_yet_is_asked_when_it_is(void **state)
{
    (void)state;
    BENCH(bench, ASKS_USER);
    begin_round(&bench, "Villager");
    begin_phase(&bench, "day", 1);
    pass(&bench, SECOND);
    const Sent *question = next_question(&bench);
    const MawStanza bounce = {
        .from = STR("ai@home.test"), .id = str_of(question->id), .type = STANZA_ERROR};
    assert_true(maw_asked_receive(bench.asked, &bounce, bench.now));
    pass(&bench, 2 * SECOND);
    assert_null(next_question(&bench));
    pass(&bench, 10 * SECOND);
    assert_non_null(next_question(&bench));
}

/* ---- a model ---- */

static void on_decided(void *user, const LlmDecision *decision, LlmSource source, TimeUs now)
{
    Bench *bench = user;

    (void)now;
    bench->decisions++;
    bench->decision = *decision;
    bench->source = source;
}

static const Sent *ask_model(Bench *bench)
{
    LlmScene scene;

    maw_scene(bench->player, LLM_ENGLISH, bench->now, &scene);
    assert_int_equal(llm_seat_ask(bench->seat, &scene, bench->now, bench->now + 40 * SECOND,
                                  on_decided, bench, NULL),
                     0);
    alarms_ring(&bench->alarms, bench->now);
    alarms_ring(&bench->alarms, bench->now + 1);
    return next_question(bench);
}

static void a_model_is_asked_with_the_chat_to_be_completed(void **state)
{
    (void)state;
    BENCH(bench, ASKS_MODEL);
    begin_round(&bench, "Villager");
    begin_phase(&bench, "day", 1);
    const Sent *question = ask_model(&bench);
    assert_non_null(question);
    assert_true(strncmp(question->body,
                        "{\"type\":\"get_input\",\"completions\":{\"model\":\"llama3.1\","
                        "\"messages\":[{\"role\":\"system\",\"content\":\"",
                        90) == 0);
    tell(&bench, "ai@home.test/m", ACT_REQUEST, question->reply_with,
         "{\"type\":\"vote\",\"target\":\"Cy\"}");
    assert_int_equal(bench.decisions, 1);
    assert_int_equal(bench.source, SOURCE_MODEL);
    assert_string_equal(bench.decision.target, "Cy");
    question = ask_model(&bench); /* our own form, as the guide asks for it */
    tell(&bench, "ai@home.test/m", ACT_REQUEST, question->reply_with,
         "{\"action\":\"speak\",\"message\":\"Good morning.\"}");
    assert_string_equal(bench.decision.message, "Good morning.");
    question = ask_model(&bench); /* and one that can't be used is repaired, once */
    tell(&bench, "ai@home.test/m", ACT_REQUEST, question->reply_with,
         "{\"type\":\"vote\",\"target\":\"Zo\"}");
    for (int i = 2; i < 5; i++)
        alarms_ring(&bench.alarms, bench.now + i);
    question = next_question(&bench);
    assert_non_null(strstr(question->body, "can't be used"));
    tell(&bench, "ai@home.test/m", ACT_REQUEST, question->reply_with,
         "{\"type\":\"vote\",\"target\":\"Di\"}");
    assert_int_equal(bench.source, SOURCE_REPAIRED);
}

static void without_a_model_s_answer_a_rule_decides_in_time(void **state)
{
    static const struct {
        const char *code;
        MawAct act;
    } rows[] = {{"model-timeout", ACT_FAILURE},
                {"model-error", ACT_FAILURE},
                {"not-a-bot", ACT_REFUSE},
                {NULL, ACT_NONE}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        BENCH(bench, ASKS_MODEL);
        char body[TEXT];
        begin_round(&bench, "Villager");
        begin_phase(&bench, "day", 1);
        TimeUs began = bench.now;
        const Sent *question = ask_model(&bench);
        for (TimeUs at = began; at < began + 41 * SECOND && !bench.decisions; at += SECOND / 10) {
            bench.now = at;
            if (rows[i].code && question) {
                snprintf(body, sizeof(body),
                         "{\"type\":\"error\",\"of\":\"get_input\",\"code\":\"%s\"}", rows[i].code);
                tell(&bench, "ai@home.test/m", rows[i].act, question->reply_with, body);
            }
            alarms_ring(&bench.alarms, at);
            question = next_question(&bench);
        }
        assert_int_equal(bench.decisions, 1);
        assert_int_equal(bench.source, SOURCE_FALLBACK);
    }
}

/* ---- a name ---- */

static void on_named(void *user, Str name, TimeUs now)
{
    Bench *bench = user;

    (void)now;
    bench->named++;
    snprintf(bench->name, sizeof(bench->name), "%.*s", STR_ARG(name));
}

static void a_name_is_asked_for_three_times_at_most(void **state)
{
    static const char *const wrong[] = {"a b", "System", "name@domain"};

    (void)state;
    for (int good = 0; good < 3; good++) {
        BENCH(bench, ASKS_USER);
        maw_asked_name(bench.asked, false, bench.now, bench.now + 60 * SECOND, on_named, &bench);
        for (int i = 0; i < 3; i++) {
            char body[TEXT];
            const Sent *question = next_question(&bench);
            if (!question)
                break;
            assert_non_null(strstr(question->body, "\"purpose\":\"name\""));
            snprintf(body, sizeof(body), "{\"type\":\"%s\",\"%s\":\"%s\"}", i ? "chat" : "name",
                     i ? "message" : "name", i == good ? "Ann" : wrong[i]);
            tell(&bench, "ai@home.test", ACT_REQUEST, question->reply_with, body);
        }
        assert_int_equal(bench.named, 1);
        assert_string_equal(bench.name, "Ann");
    }
    BENCH(bench, ASKS_USER);
    maw_asked_name(bench.asked, false, bench.now, bench.now + 60 * SECOND, on_named, &bench);
    for (int i = 0; i < 3; i++)
        tell(&bench, "ai@home.test", ACT_REQUEST, next_question(&bench)->reply_with,
             "{\"type\":\"name\",\"name\":\"no name!\"}");
    assert_int_equal(bench.named, 1);
    assert_string_equal(bench.name, "");
}

static void a_models_name_is_the_word_it_says(void **state)
{
    (void)state;
    BENCH(bench, ASKS_MODEL);
    maw_asked_name(bench.asked, false, bench.now, bench.now + 60 * SECOND, on_named, &bench);
    const Sent *question = next_question(&bench);
    assert_non_null(
        strstr(question->body, "\"completions\":{\"model\":\"llama3.1\",\"messages\":["));
    tell(&bench, "ai@home.test", ACT_REQUEST, question->reply_with, "\"wilhelmina\" it is");
    assert_string_equal(bench.name, "Wilhelmina");
}

static void an_interface_that_comes_later_is_asked_for_a_name_then(void **state)
{
    (void)state;
    BENCH(bench, ASKS_USER);
    maw_asked_name(bench.asked, false, bench.now, bench.now + 30 * SECOND, on_named, &bench);
    for (int i = 0; i < 3; i++) {
        const Sent *question = next_question(&bench);
        assert_non_null(question);
        const MawStanza bounce = {
            .from = STR("ai@home.test"), .id = str_of(question->id), .type = STANZA_ERROR};
        maw_asked_receive(bench.asked, &bounce, bench.now);
        pass(&bench, 6 * SECOND);
    }
    assert_int_equal(bench.named, 0);
    pass(&bench, 20 * SECOND);
    assert_int_equal(bench.named, 1);
    assert_string_equal(bench.name, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_is_asked_again_and_again_while_the_room_is_open),
        cmocka_unit_test(a_person_is_not_asked_asleep_and_dead),
        cmocka_unit_test(what_a_wolf_types_by_night_is_never_said_by_day),
        cmocka_unit_test(errors_leave_the_player_idle_and_it_asks_later),
        cmocka_unit_test(a_person_that_is_not_there_yet_is_asked_when_it_is),
        cmocka_unit_test(a_model_is_asked_with_the_chat_to_be_completed),
        cmocka_unit_test(without_a_model_s_answer_a_rule_decides_in_time),
        cmocka_unit_test(a_name_is_asked_for_three_times_at_most),
        cmocka_unit_test(a_models_name_is_the_word_it_says),
        cmocka_unit_test(an_interface_that_comes_later_is_asked_for_a_name_then),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
