/* test_interface.c - an interface agent: whom it answers, what it refuses, once, in time; and what
 * a model's text becomes.
 *
 * Source: docs/spec/maw.md 2.4, 2.5, 3, 4; seed 002 tables 10, 11, 17, 19. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/interface_text.h"

#define SECOND ((TimeUs)1000 * 1000)
#define TEXT   400
#define BO     "bo@home.test/spade"

typedef struct Bench {
    MawInterface *interface;
    TimeUs now;
    unsigned sent, asked, expired, told, noted;
    char to[TEXT], body[TEXT], in_reply_to[TEXT], conversation[TEXT], thread[TEXT];
    MawAct act;
    bool name, named;
    uint32_t targets;
    char messages[TEXT], target[TEXT], phase[TEXT];
    TimeUs ends, told_at;
    char told_from[TEXT], told_body[TEXT];
} Bench;

static void copy(char *to, Str text)
{
    snprintf(to, TEXT, "%.*s", STR_ARG(text));
}

static void on_send(void *user, const MawStanza *stanza)
{
    Bench *bench = user;

    bench->sent++;
    bench->act = stanza->act;
    copy(bench->to, stanza->to);
    copy(bench->body, stanza->body);
    copy(bench->in_reply_to, stanza->in_reply_to);
    copy(bench->conversation, stanza->conversation_id);
    copy(bench->thread, stanza->thread);
}

static void on_asked(void *user, const MawQuestion *question, TimeUs now)
{
    Bench *bench = user;

    (void)now;
    bench->asked++;
    bench->name = question->name;
    bench->named = question->named;
    bench->targets = question->target_count;
    bench->ends = question->ends;
    copy(bench->messages, question->messages);
    copy(bench->phase, question->phase);
    copy(bench->target, question->target_count ? question->targets[0] : STR(""));
}

static void on_expired(void *user, TimeUs now)
{
    (void)now;
    ((Bench *)user)->expired++;
}

static void on_told(void *user, const MawStanza *stanza, TimeUs at, TimeUs now)
{
    Bench *bench = user;

    (void)now;
    bench->told++;
    bench->told_at = at;
    copy(bench->told_from, stanza->from);
    copy(bench->told_body, stanza->body);
}

static void on_note(void *user, Str line)
{
    (void)line;
    ((Bench *)user)->noted++;
}

static void bench_open(Bench *bench, MawInterfaceKind kind, const char *owner)
{
    const MawInterfaceSetup setup = {
        .kind = kind,
        .owner = str_of(owner),
        .nonce = 9,
        .out = {on_send, on_asked, on_expired, on_told, on_note, bench}};

    assert_int_equal(maw_interface_new(&setup, &bench->interface, NULL), 0);
}

static void bench_close(Bench *bench)
{
    maw_interface_free(bench->interface);
}

#define BENCH(name, kind, owner)                                                                   \
    CLEANUP(bench_close) Bench name = {.now = SECOND};                                             \
    bench_open(&name, kind, owner)

static void hear_named(Bench *bench, const char *from, const char *reply_with, const char *body)
{
    const MawStanza stanza = {.from = str_of(from),
                              .type = STANZA_CHAT,
                              .act = ACT_REQUEST,
                              .reply_with = str_of(reply_with),
                              .conversation_id = STR("c1"),
                              .thread = STR("t1"),
                              .has_body = true,
                              .body = str_of(body)};

    maw_interface_receive(bench->interface, &stanza, bench->now);
}

static void hear(Bench *bench, const char *from, const char *body)
{
    hear_named(bench, from, "", body);
}

static bool answer_chat(Bench *bench, const char *text)
{
    MawMessage answer = maw_message(MAW_CHAT);

    answer.message = str_of(text);
    return maw_interface_answer(bench->interface, &answer);
}

#define ASK     "{\"type\":\"get_input\"}"
#define ASK_TOO "{\"type\":\"get_action\"}"
#define ASK_CHAT                                                                                   \
    "{\"type\":\"get_input\",\"completions\":{\"model\":\"llama3.1\",\"messages\":[{\"role\":"     \
    "\"system\",\"content\":\"g\"},{\"role\":\"user\",\"content\":\"Bo: hi\"}]}}"

static void a_question_is_answered_in_the_document_s_form(void **state)
{
    (void)state;
    BENCH(bench, INTERFACE_USER, "bo@home.test");
    hear_named(&bench, BO, "p1-4", ASK_TOO);
    assert_int_equal(bench.asked, 1);
    assert_true(answer_chat(&bench, "I think Player3 is guilty!"));
    assert_string_equal(bench.to, BO);
    assert_string_equal(bench.body,
                        "{\"type\":\"chat\",\"message\":\"I think Player3 is guilty!\"}");
    assert_int_equal(bench.act, ACT_REQUEST);
    assert_string_equal(bench.in_reply_to, "p1-4");
    assert_string_equal(bench.conversation, "c1");
    assert_string_equal(bench.thread, "t1");
    assert_false(answer_chat(&bench, "again")); /* one answer to each */
    assert_int_equal(bench.sent, 1);
}

static void strangers_are_not_answered_and_are_said_once(void **state)
{
    static const char *const strangers[] = {"eve@home.test/x", "bo@other.test/x", "home.test", "",
                                            "gm@maw.test"};

    (void)state;
    for (int kind = INTERFACE_USER; kind <= INTERFACE_MODEL; kind++) {
        BENCH(bench, (MawInterfaceKind)kind, "bo@home.test");
        for (size_t i = 0; i < 40; i++)
            hear(&bench, strangers[i % 5], i % 3 == 0 ? ASK : i % 3 == 1 ? ASK_CHAT : "nonsense");
        assert_int_equal(bench.sent, 0);
        assert_int_equal(bench.asked, 0);
        assert_int_equal(bench.noted, 5); /* each once */
    }
}

static void a_full_address_is_one_client_and_a_bare_one_all(void **state)
{
    (void)state;
    BENCH(full, INTERFACE_USER, "bo@home.test/spade");
    hear(&full, "bo@home.test/thief", ASK);
    hear(&full, "bo@home.test", ASK);
    assert_int_equal(full.asked, 0);
    assert_int_equal(full.noted, 1);
    hear(&full, "BO@home.test/spade", ASK);
    assert_int_equal(full.asked, 1);
    BENCH(bare, INTERFACE_USER, "bo@home.test");
    hear(&bare, "bo@home.test/one", ASK);
    hear(&bare, "bo@home.test/two", ASK);
    assert_int_equal(bare.asked, 2);
    answer_chat(&bare, "x");
    assert_string_equal(bare.to, "bo@home.test/two"); /* who asked */
}

static void of_a_domain_the_first_that_asks_is_the_only_one(void **state)
{
    (void)state;
    BENCH(bench, INTERFACE_USER, "maw.test");
    hear(&bench, "p03@other.test", ASK);
    hear(&bench, "p03@maw.test", "nonsense");
    assert_string_equal(maw_interface_player(bench.interface).bytes, "");
    hear(&bench, "p03@maw.test", ASK);
    hear(&bench, "p04@maw.test", ASK);
    assert_int_equal(bench.asked, 1);
    assert_true(str_eq(maw_interface_player(bench.interface), STR("p03@maw.test")));
}

/* Tables 10 and 11: the player is a bot; the player is a human. */
static void each_kind_is_for_its_kind_of_player(void **state)
{
    (void)state;
    BENCH(model, INTERFACE_MODEL, "bo@home.test");
    hear_named(&model, BO, "p1", ASK);
    assert_int_equal(model.asked, 0);
    assert_int_equal(model.act, ACT_REFUSE);
    assert_non_null(strstr(model.body, "\"of\":\"get_input\",\"code\":\"not-a-bot\""));
    assert_string_equal(model.in_reply_to, "p1");
    hear(&model, BO, ASK_CHAT);
    assert_int_equal(model.asked, 1);
    assert_string_equal(model.messages,
                        "[{\"role\":\"system\",\"content\":\"g\"},{\"role\":\"user\","
                        "\"content\":\"Bo: hi\"}]");
    BENCH(user, INTERFACE_USER, "bo@home.test");
    hear(&user, BO, ASK_CHAT);
    assert_int_equal(user.asked, 0);
    assert_int_equal(user.act, ACT_REFUSE);
    assert_non_null(strstr(user.body, "\"code\":\"not-a-human\""));
}

static void time_that_is_over_is_said_once(void **state)
{
    (void)state;
    for (int kind = INTERFACE_USER; kind <= INTERFACE_MODEL; kind++) {
        BENCH(bench, (MawInterfaceKind)kind, "bo@home.test");
        hear_named(&bench, BO, "q1",
                   kind == INTERFACE_USER
                       ? "{\"type\":\"get_input\",\"seconds\":10}"
                       : "{\"type\":\"get_input\",\"seconds\":10,\"completions\":{\"messages\":[{"
                         "\"role\":\"user\",\"content\":\"x\"}]}}");
        TimeUs due = maw_interface_deadline(bench.interface);
        assert_true(due > bench.now + 9 * SECOND && due < bench.now + 10 * SECOND);
        maw_interface_tick(bench.interface, due - 1);
        assert_int_equal(bench.sent, 0);
        maw_interface_tick(bench.interface, due);
        assert_int_equal(bench.act, ACT_FAILURE);
        assert_non_null(strstr(bench.body, kind == INTERFACE_USER ? "\"code\":\"user-timeout\""
                                                                  : "\"code\":\"model-timeout\""));
        assert_string_equal(bench.in_reply_to, "q1");
        assert_int_equal(bench.expired, 1);
        maw_interface_tick(bench.interface, due + SECOND);
        assert_false(answer_chat(&bench, "late"));
        assert_int_equal(bench.sent, 1);
    }
}

static void a_person_who_is_told_no_time_has_it_a_model_a_minute(void **state)
{
    (void)state;
    BENCH(user, INTERFACE_USER, "bo@home.test");
    hear(&user, BO, ASK);
    assert_int_equal(maw_interface_deadline(user.interface), TIME_US_NEVER);
    BENCH(model, INTERFACE_MODEL, "bo@home.test");
    hear(&model, BO, ASK_CHAT);
    assert_int_equal(maw_interface_deadline(model.interface), model.now + 60 * SECOND);
}

static void the_same_question_gets_the_same_answer_and_a_newer_one_takes_its_place(void **state)
{
    (void)state;
    BENCH(bench, INTERFACE_USER, "bo@home.test");
    hear_named(&bench, BO, "q1", ASK);
    hear_named(&bench, BO, "q1", ASK); /* sent twice */
    assert_int_equal(bench.asked, 1);
    answer_chat(&bench, "one");
    hear_named(&bench, BO, "q1", ASK);
    assert_int_equal(bench.asked, 1);
    assert_int_equal(bench.sent, 2);
    assert_non_null(strstr(bench.body, "one"));
    hear_named(&bench, BO, "q2", ASK);
    hear_named(&bench, BO, "q3", ASK);
    assert_int_equal(bench.expired, 1); /* q2 */
    answer_chat(&bench, "three");
    assert_string_equal(bench.in_reply_to, "q3");
    assert_int_equal(bench.sent, 3);
}

static void a_completion_that_is_none_is_refused(void **state)
{
    static const char *const wrong[] = {"{}",
                                        "{\"messages\":{}}",
                                        "{\"messages\":[]}",
                                        "{\"messages\":[\"x\"]}",
                                        "{\"messages\":[{\"role\":\"user\"}]}",
                                        "{\"messages\":[{\"role\":\"user\",\"content\":7}]}"};

    (void)state;
    BENCH(bench, INTERFACE_MODEL, "bo@home.test");
    hear(&bench, BO, ASK_CHAT);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char body[TEXT];
        snprintf(body, sizeof(body), "{\"type\":\"get_input\",\"completions\":%s}", wrong[i]);
        hear(&bench, BO, body);
        assert_int_equal(bench.asked, 1);
        assert_int_equal(bench.act, ACT_NOT_UNDERSTOOD);
        assert_non_null(strstr(bench.body, "bad-field"));
        assert_false(maw_interface_is_open(bench.interface));
    }
    assert_int_equal(bench.expired, 1); /* the first one's answer is of no use any more */
}

/* Tools, images, another model: nothing of that is for our server. */
static void of_a_completion_only_roles_and_texts_are_passed_on(void **state)
{
    (void)state;
    BENCH(bench, INTERFACE_MODEL, "bo@home.test");
    hear(&bench, BO,
         "{\"type\":\"get_input\",\"completions\":{\"model\":\"gpt\",\"tools\":[1],\"messages\":[{"
         "\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"a\",\"images\":[\"b\"]}]}}");
    assert_string_equal(bench.messages, "[{\"role\":\"user\",\"content\":\"a\"}]");
}

static void what_is_no_question_is_not_understood_and_seldom_said(void **state)
{
    (void)state;
    BENCH(bench, INTERFACE_USER, "bo@home.test");
    for (int i = 0; i < 5; i++)
        hear(&bench, BO, "{\"type\":\"join_lobby\",\"player_name\":\"x\"}");
    assert_int_equal(bench.sent, 1);
    assert_int_equal(bench.act, ACT_NOT_UNDERSTOOD);
    bench.now += 60 * SECOND;
    hear(&bench, BO, "{\"type\":\"error\",\"of\":null,\"code\":\"x\"}");
    assert_int_equal(bench.sent, 1); /* an error is never answered */
    hear(&bench, BO, "nonsense");
    assert_int_equal(bench.sent, 2);
    assert_non_null(strstr(bench.body, "bad-json"));
}

/* GetName comes first, and the document has no word for it: table 16. */
static void who_knows_only_the_document_asks_for_its_name_first(void **state)
{
    MawMessage name = maw_message(MAW_NAME);

    (void)state;
    name.player_name = STR("Ann");
    BENCH(bench, INTERFACE_USER, "bo@home.test");
    hear_named(&bench, BO, "q1", ASK);
    assert_true(bench.name && !bench.named);
    maw_interface_answer(bench.interface, &name);
    assert_string_equal(bench.body, "{\"type\":\"chat\",\"message\":\"Ann\"}");
    hear_named(&bench, BO, "q2", ASK);
    assert_false(bench.name);
    BENCH(ours, INTERFACE_USER, "bo@home.test");
    hear_named(&ours, BO, "q1",
               "{\"type\":\"get_input\",\"purpose\":\"action\",\"phase\":\"night\","
               "\"targets\":[\"Cy\",\"Di\"],\"seconds\":5}");
    assert_false(ours.name);
    assert_int_equal(ours.targets, 2);
    assert_string_equal(ours.target, "Cy");
    assert_string_equal(ours.phase, "night");
    hear_named(&ours, BO, "q2", "{\"type\":\"get_input\",\"purpose\":\"name\"}");
    maw_interface_answer(ours.interface, &name);
    assert_string_equal(ours.body, "{\"type\":\"name\",\"name\":\"Ann\"}");
}

/* ---- what its player was told ---- */

/* Of 4 and 9 it is said that those before them are gone. */
static void told(Bench *bench, const char *from, int index, int ago)
{
    char body[TEXT];

    snprintf(body, sizeof(body),
             "{\"type\":\"told\",\"index\":%d,%s\"from\":\"gm@maw.test\",\"act\":\"inform\","
             "\"ago\":%d,\"body\":{\"type\":\"kill\"}}",
             index, index == 4 || index == 9 ? "\"first\":0," : "", ago);
    hear(bench, from, body);
}

static void a_player_of_ours_is_asked_to_tell_what_it_was_told(void **state)
{
    (void)state;
    BENCH(bench, INTERFACE_USER, "bo@home.test");
    bench.now = 100 * SECOND;
    hear(&bench, BO, ASK);
    assert_int_equal(bench.sent, 0); /* who knows only the document is not puzzled by it */
    hear(&bench, BO, "{\"type\":\"get_input\",\"purpose\":\"action\"}");
    assert_int_equal(bench.sent, 1);
    assert_string_equal(bench.body, "{\"type\":\"subscribe\",\"index\":0}");
    told(&bench, BO, 4, 3);
    assert_int_equal(bench.told, 1);
    assert_int_equal(bench.told_at, bench.now - 3 * SECOND);
    assert_string_equal(bench.told_from, "gm@maw.test");
    assert_string_equal(bench.told_body, "{\"type\":\"kill\"}");
    told(&bench, BO, 4, 0);
    told(&bench, BO, 3, 0);
    assert_int_equal(bench.told, 1); /* once */
    told(&bench, "eve@home.test", 5, 0);
    assert_int_equal(bench.told, 1);
    bench.now += 10 * SECOND;
    told(&bench, BO, 7, 0); /* two are missing */
    assert_int_equal(bench.told, 1);
    assert_string_equal(bench.body, "{\"type\":\"subscribe\",\"index\":5}");
    told(&bench, BO, 5, 0);
    told(&bench, BO, 6, 0);
    assert_int_equal(bench.told, 3);
    told(&bench, BO, 9, 0);
    assert_int_equal(bench.told, 4);
    told(&bench, BO, 0, 0); /* its player was started anew */
    told(&bench, BO, 1, 0);
    assert_int_equal(bench.told, 6);
}

/* ---- a model's text ---- */

static void check_text(const char *said, bool with_targets, bool name, const char *expected)
{
    CLEANUP(interface_text_done) InterfaceText text = {0};
    CLEANUP(buf_done) Buf body = {0};
    static const Str targets[] = {{"Bo", 2}, {"Cy", 2}};
    const MawQuestion question = {.named = with_targets || name,
                                  .name = name,
                                  .targets = targets,
                                  .target_count = with_targets ? 2 : 0};
    MawMessage answer;
    Err wrong = {0};
    int rc = interface_text_read(str_of(said), &question, LLM_ENGLISH, &text, &answer, &wrong);

    if (!expected) {
        assert_int_not_equal(rc, 0);
        assert_true(wrong.msg[0]);
        return;
    }
    if (rc)
        fail_msg("%s: %s", said, wrong.msg);
    maw_message_write(&answer, &body);
    if (strcmp(buf_cstr(&body), expected) != 0)
        fail_msg("%s: %s", said, buf_cstr(&body));
}

static void a_models_text_becomes_an_answer(void **state)
{
    (void)state;
    check_text("{\"type\": \"chat\", \"message\": \"Hello.\"}", true, false,
               "{\"type\":\"chat\",\"message\":\"Hello.\"}");
    check_text("{\"action\":\"speak\",\"thought\":\"secret\",\"message\":\"Hello.\"}", true, false,
               "{\"type\":\"chat\",\"message\":\"Hello.\"}");
    check_text("listen", true, false, "{\"type\":\"listen\"}");
    check_text("{\"action\":\"vote\",\"target\":\"cy\"}", true, false,
               "{\"type\":\"vote\",\"target\":\"Cy\"}");
    check_text("{\"action\":\"vote\",\"target\":\"Xerxes\"}", true, false, NULL);
    check_text("{\"type\":\"vote\",\"target\":\"player2@localhost\"}", false, false,
               "{\"type\":\"vote\",\"target\":\"player2@localhost\"}");
    check_text("{\"vote\": \"Player3\"}", false, false,
               "{\"type\":\"vote\",\"target\":\"Player3\"}");
    check_text("Good morning, village.", false, false,
               "{\"type\":\"chat\",\"message\":\"Good morning, village.\"}");
    check_text("My name is clara!", true, true, "{\"type\":\"name\",\"name\":\"My\"}");
    check_text("**clara**", true, true, "{\"type\":\"name\",\"name\":\"Clara\"}");
    check_text("{\"type\":\"name\",\"name\":\"clara\"}", true, true,
               "{\"type\":\"name\",\"name\":\"Clara\"}");
    check_text("123", true, true, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_is_answered_in_the_document_s_form),
        cmocka_unit_test(strangers_are_not_answered_and_are_said_once),
        cmocka_unit_test(a_full_address_is_one_client_and_a_bare_one_all),
        cmocka_unit_test(of_a_domain_the_first_that_asks_is_the_only_one),
        cmocka_unit_test(each_kind_is_for_its_kind_of_player),
        cmocka_unit_test(time_that_is_over_is_said_once),
        cmocka_unit_test(a_person_who_is_told_no_time_has_it_a_model_a_minute),
        cmocka_unit_test(the_same_question_gets_the_same_answer_and_a_newer_one_takes_its_place),
        cmocka_unit_test(a_completion_that_is_none_is_refused),
        cmocka_unit_test(of_a_completion_only_roles_and_texts_are_passed_on),
        cmocka_unit_test(what_is_no_question_is_not_understood_and_seldom_said),
        cmocka_unit_test(who_knows_only_the_document_asks_for_its_name_first),
        cmocka_unit_test(a_player_of_ours_is_asked_to_tell_what_it_was_told),
        cmocka_unit_test(a_models_text_becomes_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
