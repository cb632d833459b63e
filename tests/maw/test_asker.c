/* test_asker.c - a player's questions to its interface agent: whose answer counts, to which
 * question, how often, and what an interface can do at most. Each of these is an attack.
 *
 * Source: docs/spec/maw.md 2.5, 3, 4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/asker.h"

#include <stdlib.h>

#define SECOND ((TimeUs)1000 * 1000)
#define KEPT   700
#define TEXT   300
#define AI     "ai@home.test"

typedef struct Letter {
    char to[TEXT], body[TEXT], id[TEXT], reply_with[TEXT], thread[TEXT], in_reply_to[TEXT];
    MawAct act;
} Letter;

typedef struct Bench {
    MawAsker *asker;
    TimeUs now;
    Letter *letters;
    unsigned sent, answered, noted;
    AskedOutcome outcome;
    MawType type; /* MAW_NO_TYPE: no message */
    char said[TEXT], code[TEXT], note[TEXT];
} Bench;

static void copy(char *to, Str text)
{
    snprintf(to, TEXT, "%.*s", STR_ARG(text));
}

static void on_send(void *user, const MawStanza *stanza)
{
    Bench *bench = user;
    Letter *letter = &bench->letters[bench->sent++ % KEPT];

    copy(letter->to, stanza->to);
    copy(letter->body, stanza->body);
    copy(letter->id, stanza->id);
    copy(letter->reply_with, stanza->reply_with);
    copy(letter->in_reply_to, stanza->in_reply_to);
    copy(letter->thread, stanza->thread);
    letter->act = stanza->act;
}

static void on_answered(void *user, const MawAnswered *answered, TimeUs now)
{
    Bench *bench = user;

    (void)now;
    bench->answered++;
    bench->outcome = answered->outcome;
    bench->type = answered->message ? answered->message->type : MAW_NO_TYPE;
    copy(bench->said, answered->message && answered->message->type == MAW_CHAT
                          ? answered->message->message
                          : answered->body);
    copy(bench->code, answered->code);
}

static void on_note(void *user, Str line)
{
    Bench *bench = user;

    bench->noted++;
    copy(bench->note, line);
}

static Bench bench_new(void)
{
    Bench bench = {.now = SECOND, .letters = calloc(KEPT, sizeof(Letter))};

    assert_non_null(bench.letters);
    return bench;
}

static void bench_open(Bench *bench, MawAsks kind, const char *interface)
{
    const MawAskerSetup setup = {.jid = STR("bo@home.test/x"),
                                 .interface = str_of(interface),
                                 .kind = kind,
                                 .nonce = 7,
                                 .send = on_send,
                                 .answered = on_answered,
                                 .note = on_note,
                                 .user = bench};
    Err err = {0};

    assert_int_equal(maw_asker_new(&setup, &bench->asker, &err), 0);
}

#define BENCH(name, kind, interface)                                                               \
    CLEANUP(bench_close) Bench name = bench_new();                                                 \
    bench_open(&name, kind, interface)

static void bench_close(Bench *bench)
{
    maw_asker_free(bench->asker);
    free(bench->letters);
}

/* Asks for an action, and returns what was sent. */
static const Letter *ask(Bench *bench)
{
    MawMessage question = maw_message(MAW_GET_INPUT);

    question.purpose = STR("action");
    maw_asker_ask(bench->asker, &question, bench->now, bench->now + 60 * SECOND);
    return &bench->letters[(bench->sent - 1) % KEPT];
}

static bool hear(Bench *bench, const char *from, MawAct act, const char *in_reply_to,
                 const char *body)
{
    const MawStanza stanza = {.from = str_of(from),
                              .to = STR("bo@home.test"),
                              .type = STANZA_CHAT,
                              .act = act,
                              .in_reply_to = str_of(in_reply_to),
                              .has_body = true,
                              .body = str_of(body)};

    return maw_asker_receive(bench->asker, &stanza, bench->now);
}

#define CHAT "{\"type\":\"chat\",\"message\":\"hello\"}"

static void the_answer_of_the_interface_counts_and_ends_the_question(void **state)
{
    (void)state;
    BENCH(bench, ASKS_USER, AI);
    const Letter *letter = ask(&bench);

    assert_string_equal(letter->to, AI);
    assert_int_equal(letter->act, ACT_REQUEST);
    assert_non_null(strstr(letter->body, "\"type\":\"get_input\""));
    assert_true(letter->reply_with[0] && letter->id[0]);
    assert_true(hear(&bench, AI "/spade", ACT_REQUEST, letter->reply_with, CHAT));
    assert_int_equal(bench.answered, 1);
    assert_int_equal(bench.outcome, ASKED_ANSWERED);
    assert_int_equal(bench.type, MAW_CHAT);
    assert_string_equal(bench.said, "hello");
    assert_false(maw_asker_is_open(bench.asker));
}

static void strangers_are_nobody(void **state)
{
    static const char *const strangers[] = {"eve@home.test", "ai@other.test", "gm@maw.test",
                                            "ai2@home.test", "bo@home.test",  ""};

    (void)state;
    BENCH(bench, ASKS_USER, AI);
    const Letter *letter = ask(&bench);
    for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++)
        assert_false(hear(&bench, strangers[i], ACT_REQUEST, letter->reply_with, CHAT));
    assert_int_equal(bench.answered, 0);
    assert_true(maw_asker_is_open(bench.asker));
}

static void of_a_full_address_no_other_client_counts(void **state)
{
    (void)state;
    BENCH(bench, ASKS_USER, AI "/desk");
    const Letter *letter = ask(&bench);

    assert_string_equal(letter->to, AI "/desk");
    assert_true(hear(&bench, AI "/thief", ACT_REQUEST, letter->reply_with, CHAT));
    assert_true(hear(&bench, AI, ACT_REQUEST, letter->reply_with, CHAT));
    assert_int_equal(bench.answered, 0);
    assert_int_equal(bench.noted, 1);
    assert_true(hear(&bench, "AI@Home.Test/desk", ACT_REQUEST, letter->reply_with, CHAT));
    assert_int_equal(bench.answered, 1);
}

static void an_answer_counts_once(void **state)
{
    (void)state;
    BENCH(bench, ASKS_USER, AI);
    const Letter *letter = ask(&bench);

    for (int i = 0; i < 5; i++)
        hear(&bench, AI, ACT_REQUEST, letter->reply_with, CHAT);
    hear(&bench, AI, ACT_REQUEST, "", CHAT);
    assert_int_equal(bench.answered, 1);
    assert_int_equal(maw_asker_ignored(bench.asker), 5);
    assert_int_equal(bench.noted, 1); /* of each kind once */
}

static void an_answer_to_an_older_question_is_late(void **state)
{
    char old[TEXT];

    (void)state;
    BENCH(bench, ASKS_USER, AI);
    snprintf(old, sizeof(old), "%s", ask(&bench)->reply_with);
    ask(&bench);
    hear(&bench, AI, ACT_REQUEST, old, CHAT);
    hear(&bench, AI, ACT_REQUEST, "made-up", CHAT);
    assert_int_equal(bench.answered, 0);
    assert_non_null(strstr(bench.note, "was over"));
    maw_asker_cancel(bench.asker);
    hear(&bench, AI, ACT_REQUEST, bench.letters[1].reply_with, CHAT);
    assert_int_equal(bench.answered, 0);
}

/* SPADE's make_reply keeps all metadata, the thread among them, and has no in-reply-to. */
static void an_answer_may_name_its_question_as_spade_does(void **state)
{
    (void)state;
    BENCH(bench, ASKS_MODEL, AI);
    MawStanza stanza = {.from = STR(AI "/spade"),
                        .type = STANZA_CHAT,
                        .act = ACT_REQUEST,
                        .has_body = true,
                        .body = STR(CHAT)};
    char old[TEXT];

    snprintf(old, sizeof(old), "%s", ask(&bench)->reply_with);
    const Letter *letter = ask(&bench);
    stanza.reply_with = str_of(old);
    maw_asker_receive(bench.asker, &stanza, bench.now);
    stanza.reply_with = (Str){0};
    stanza.thread = str_of(old);
    maw_asker_receive(bench.asker, &stanza, bench.now);
    assert_int_equal(bench.answered, 0);
    stanza.thread = str_of(letter->thread);
    maw_asker_receive(bench.asker, &stanza, bench.now);
    assert_int_equal(bench.answered, 1);
}

/* What a model thought in the night is not said by day, though its answer names no question. */
static void a_model_that_names_no_question_answers_in_order(void **state)
{
    (void)state;
    BENCH(bench, ASKS_MODEL, AI);
    ask(&bench);
    maw_asker_cancel(bench.asker); /* the night ended */
    bench.now += 10 * SECOND;
    ask(&bench);
    hear(&bench, AI, ACT_NONE, "", "let us kill Bo");
    assert_int_equal(bench.answered, 0);
    hear(&bench, AI, ACT_NONE, "", "good morning");
    assert_int_equal(bench.answered, 1);
    assert_string_equal(bench.said, "good morning");
    ask(&bench);
    maw_asker_cancel(bench.asker);
    hear(&bench, "eve@home.test", ACT_NONE, "", "x");
    bench.now += 1;
    ask(&bench);
    bench.now += 200 * SECOND; /* so late it does not come any more */
    ask(&bench);
    hear(&bench, AI, ACT_NONE, "", "late");
    assert_int_equal(bench.answered, 1);
    hear(&bench, AI, ACT_NONE, "", "now");
    assert_int_equal(bench.answered, 2);
}

static void nothing_by_the_end_is_a_timeout(void **state)
{
    (void)state;
    BENCH(bench, ASKS_USER, AI);
    const Letter *letter = ask(&bench);

    assert_int_equal(maw_asker_deadline(bench.asker), bench.now + 5 * SECOND);
    maw_asker_tick(bench.asker, bench.now + 5 * SECOND); /* it may have been lost */
    assert_int_equal(bench.sent, 2);
    assert_string_equal(bench.letters[1].body, letter->body);
    assert_string_equal(bench.letters[1].reply_with, letter->reply_with);
    hear(&bench, AI, ACT_AGREE, letter->reply_with, "{}");
    assert_int_equal(maw_asker_deadline(bench.asker), bench.now + 60 * SECOND);
    maw_asker_tick(bench.asker, bench.now + 59 * SECOND);
    assert_int_equal(bench.answered, 0);
    maw_asker_tick(bench.asker, bench.now + 60 * SECOND);
    assert_int_equal(bench.answered, 1);
    assert_int_equal(bench.outcome, ASKED_TIMEOUT);
    hear(&bench, AI, ACT_REQUEST, letter->reply_with, CHAT);
    assert_int_equal(bench.answered, 1);
    assert_int_equal(maw_asker_deadline(bench.asker), TIME_US_NEVER);
}

static void errors_say_what_became_of_the_question(void **state)
{
    static const struct {
        const char *code;
        MawAct act;
        AskedOutcome outcome;
    } rows[] = {
        {"user-timeout", ACT_FAILURE, ASKED_TIMEOUT},
        {"model-timeout", ACT_FAILURE, ASKED_TIMEOUT},
        {"model-error", ACT_FAILURE, ASKED_FAILED},
        {"internal", ACT_FAILURE, ASKED_FAILED},
        {"not-a-bot", ACT_REFUSE, ASKED_REFUSED},
        {"not-a-human", ACT_REFUSE, ASKED_REFUSED},
        {"not-a-human", ACT_REQUEST, ASKED_REFUSED},
        {"bad-field", ACT_NOT_UNDERSTOOD, ASKED_FAILED},
    };

    (void)state;
    for (int kind = ASKS_USER; kind <= ASKS_MODEL; kind++)
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            BENCH(bench, (MawAsks)kind, AI);
            const Letter *letter = ask(&bench);
            char body[TEXT];
            snprintf(body, sizeof(body),
                     "{\"type\":\"error\",\"of\":\"get_input\",\"code\":\"%s\"}", rows[i].code);
            hear(&bench, AI, rows[i].act, letter->reply_with, body);
            assert_int_equal(bench.answered, 1);
            assert_int_equal(bench.outcome, rows[i].outcome);
            assert_string_equal(bench.code, rows[i].code);
            assert_int_equal(bench.sent, 1); /* an error is never answered */
        }
}

static void of_a_user_only_an_action_is_an_answer(void **state)
{
    static const char *const wrong[] = {"hello",
                                        "{}",
                                        "{\"type\":\"join_lobby\",\"player_name\":\"x\"}",
                                        "{\"type\":\"kill\"}",
                                        "{\"type\":\"leave\"}",
                                        "[]"};

    (void)state;
    BENCH(bench, ASKS_USER, AI);
    const Letter *letter = ask(&bench);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        hear(&bench, AI, ACT_REQUEST, letter->reply_with, wrong[i]);
    assert_int_equal(bench.answered, 0);
    assert_true(maw_asker_is_open(bench.asker));
    assert_int_equal(bench.sent, 2); /* it is told, and not for each */
    assert_int_equal(bench.letters[1].act, ACT_NOT_UNDERSTOOD);
    hear(&bench, AI, ACT_AGREE, letter->reply_with, "{}"); /* it will */
    hear(&bench, AI, ACT_REQUEST, letter->reply_with,
         "{\"type\":\"player_action\",\"action\":\"vote\",\"target\":\"Bo\"}");
    assert_int_equal(bench.type, MAW_VOTE);
}

static void a_models_text_is_the_askers_to_read(void **state)
{
    (void)state;
    BENCH(bench, ASKS_MODEL, AI);
    const Letter *letter = ask(&bench);

    hear(&bench, AI, ACT_REQUEST, letter->reply_with, "{\"action\":\"speak\",\"message\":\"hi\"}");
    assert_int_equal(bench.outcome, ASKED_ANSWERED);
    assert_int_equal(bench.type, MAW_NO_TYPE);
    assert_string_equal(bench.said, "{\"action\":\"speak\",\"message\":\"hi\"}");
}

static void an_answer_that_is_too_long_is_none(void **state)
{
    CLEANUP(buf_done) Buf body = {0};

    (void)state;
    for (int kind = ASKS_USER; kind <= ASKS_MODEL; kind++) {
        BENCH(bench, (MawAsks)kind, AI);
        const Letter *letter = ask(&bench);
        buf_clear(&body);
        buf_add(&body, STR("{\"type\":\"chat\",\"message\":\""));
        while (body.len < MAW_ANSWER_BYTES_MAX)
            buf_add_char(&body, 'x');
        buf_add(&body, STR("\"}"));
        hear(&bench, AI, ACT_REQUEST, letter->reply_with, buf_cstr(&body));
        assert_int_equal(bench.answered, 0);
        assert_true(maw_asker_is_open(bench.asker));
        assert_non_null(strstr(bench.note, "too long"));
    }
}

static void a_question_that_comes_back_says_that_nobody_is_there(void **state)
{
    (void)state;
    BENCH(bench, ASKS_USER, AI);
    const Letter *letter = ask(&bench);
    MawStanza stanza = {.from = STR(AI), .id = STR("m1"), .type = STANZA_ERROR};

    maw_asker_receive(bench.asker, &stanza, bench.now);
    assert_int_equal(bench.answered, 0); /* not this question */
    stanza.id = str_of(letter->id);
    stanza.from = STR("eve@home.test");
    assert_false(maw_asker_receive(bench.asker, &stanza, bench.now));
    stanza.from = STR(AI);
    maw_asker_receive(bench.asker, &stanza, bench.now);
    assert_int_equal(bench.outcome, ASKED_GONE);
}

/* ---- what it is shown ---- */

static void tell(Bench *bench, const char *from, MawType type, const char *body)
{
    const MawStanza stanza = {.from = str_of(from),
                              .type = STANZA_CHAT,
                              .act = ACT_INFORM,
                              .thread = STR("maw-a-1"),
                              .has_body = true,
                              .body = str_of(body)};

    maw_asker_tell(bench->asker, &stanza, type, bench->now);
}

static void nobody_is_shown_what_the_player_was_told_but_its_interface_that_asks(void **state)
{
    (void)state;
    BENCH(bench, ASKS_USER, AI);
    tell(&bench, "gm@maw.test", MAW_ASSIGN_ROLE,
         "{\"type\":\"assign_role\",\"role\":\"Werewolf\"}");
    assert_int_equal(bench.sent, 0);
    hear(&bench, "eve@home.test", ACT_REQUEST, "", "{\"type\":\"subscribe\",\"index\":0}");
    assert_int_equal(bench.sent, 0);
    bench.now += 3 * SECOND;
    hear(&bench, AI "/desk", ACT_REQUEST, "", "{\"type\":\"subscribe\",\"index\":0}");
    assert_int_equal(bench.sent, 1);
    assert_string_equal(bench.letters[0].to, AI "/desk");
    assert_string_equal(
        bench.letters[0].body,
        "{\"type\":\"told\",\"index\":0,\"from\":\"gm@maw.test\",\"act\":\"inform\","
        "\"thread\":\"maw-a-1\",\"ago\":3,\"body\":{\"type\":\"assign_role\",\"role\":"
        "\"Werewolf\"}}");
    tell(&bench, "gm@maw.test", MAW_KILL, "{\"type\":\"kill\"}");
    assert_int_equal(bench.sent, 2); /* as it comes */
    tell(&bench, "gm@maw.test", MAW_JOIN_LOBBY, "{\"type\":\"error\",\"of\":\"join_lobby\"}");
    assert_int_equal(bench.sent, 2); /* not a matter of who decides */
    hear(&bench, AI, ACT_REQUEST, "", "{\"type\":\"subscribe\",\"index\":1}");
    assert_int_equal(bench.sent, 3); /* from where it was */
    hear(&bench, AI, ACT_REQUEST, "", "{\"type\":\"unsubscribe\"}");
    tell(&bench, "gm@maw.test", MAW_KILL, "{\"type\":\"kill\"}");
    assert_int_equal(bench.sent, 3);
    assert_int_equal(bench.answered, 0);
}

static void a_models_interface_learns_of_the_end_alone(void **state)
{
    (void)state;
    BENCH(bench, ASKS_MODEL, AI);
    hear(&bench, AI, ACT_REQUEST, "", "{\"type\":\"subscribe\"}");
    tell(&bench, "gm@maw.test", MAW_ASSIGN_ROLE,
         "{\"type\":\"assign_role\",\"role\":\"Werewolf\"}");
    assert_int_equal(bench.sent, 0);
    tell(&bench, "gm@maw.test", MAW_SESSION_END, "{\"type\":\"session_end\"}");
    assert_int_equal(bench.sent, 1);
}

/* A round, and no more than there is room for. */
static void what_is_kept_to_be_shown_has_an_end(void **state)
{
    CLEANUP(buf_done) Buf line = {0};

    (void)state;
    BENCH(bench, ASKS_USER, AI);
    tell(&bench, "gm@maw.test", MAW_JOIN_CONFIRMED, "{\"type\":\"join_confirmed\"}");
    tell(&bench, "gm@maw.test", MAW_START_GAME, "{\"type\":\"start_game\",\"total_players\":1}");
    tell(&bench, "gm@maw.test", MAW_KILL, "{\"type\":\"kill\"}");
    tell(&bench, "gm@maw.test", MAW_START_GAME, "{\"type\":\"start_game\",\"total_players\":2}");
    buf_add(&line, STR("{\"type\":\"new_messages\",\"messages\":[\""));
    for (int i = 0; i < 4000; i++)
        buf_add_char(&line, 'x');
    buf_add(&line, STR("\"]}"));
    for (int i = 0; i < 600; i++) /* more than two megabytes */
        tell(&bench, "v@maw.test", MAW_NEW_MESSAGES, buf_cstr(&line));
    hear(&bench, AI, ACT_REQUEST, "", "{\"type\":\"subscribe\",\"index\":0}");
    assert_true(bench.sent > 100 && bench.sent < 140);
    assert_non_null(strstr(bench.letters[0].body, "join_confirmed"));
    assert_non_null(strstr(bench.letters[1].body, "\"total_players\":2"));
    assert_non_null(strstr(bench.letters[2].body, "new_messages"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_of_the_interface_counts_and_ends_the_question),
        cmocka_unit_test(strangers_are_nobody),
        cmocka_unit_test(of_a_full_address_no_other_client_counts),
        cmocka_unit_test(an_answer_counts_once),
        cmocka_unit_test(an_answer_to_an_older_question_is_late),
        cmocka_unit_test(an_answer_may_name_its_question_as_spade_does),
        cmocka_unit_test(a_model_that_names_no_question_answers_in_order),
        cmocka_unit_test(nothing_by_the_end_is_a_timeout),
        cmocka_unit_test(errors_say_what_became_of_the_question),
        cmocka_unit_test(of_a_user_only_an_action_is_an_answer),
        cmocka_unit_test(a_models_text_is_the_askers_to_read),
        cmocka_unit_test(an_answer_that_is_too_long_is_none),
        cmocka_unit_test(a_question_that_comes_back_says_that_nobody_is_there),
        cmocka_unit_test(nobody_is_shown_what_the_player_was_told_but_its_interface_that_asks),
        cmocka_unit_test(a_models_interface_learns_of_the_end_alone),
        cmocka_unit_test(what_is_kept_to_be_shown_has_an_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
