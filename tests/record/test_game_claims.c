#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/lang.h"
#include "record/game_claims.h"

#define SEATS 15

static const struct {
    const char *text;
    SeatNo speaker;
    const char *json;
} sentences[] = {
    {"COMINGOUT Agent[03] SEER", 3,
     "{\"says\":[{\"kind\":\"COMINGOUT\",\"target\":3,\"role\":\"SEER\"}],"
     "\"plain\":{\"en\":\"claims to be the seer\",\"ja\":\"占い師だと名乗る\"}}"},
    /* of another: said, and it is told of whom */
    {"COMINGOUT Agent[04] MEDIUM", 3,
     "{\"says\":[{\"kind\":\"COMINGOUT\",\"target\":4,\"role\":\"MEDIUM\"}],"
     "\"plain\":{\"en\":\"declares that Agent[04] is the medium\","
     "\"ja\":\"Agent[04]が霊媒師だと告げる\"}}"},
    /* seat 3 has divined nothing */
    {"BECAUSE (DAY 1 (Agent[11] DIVINED Agent[13] WEREWOLF)) (VOTE Agent[13])", 3,
     "{\"says\":[{\"kind\":\"VOTE\",\"target\":13}],"
     "\"plain\":{\"en\":\"because (on day 1 Agent[11] divined Agent[13] and found a werewolf), "
     "Agent[03] will vote for "
     "Agent[13]\",\"ja\":\"（1日目にAgent[11]は占いでAgent[13]を人狼と判定した）"
     "ので、Agent[13]に投票する\"}}"},
    /* and seat 11 has, when it says so itself */
    {"BECAUSE (DAY 1 (DIVINED Agent[13] WEREWOLF)) (VOTE Agent[13])", 11,
     "{\"says\":[{\"kind\":\"DIVINED\",\"target\":13,\"species\":\"WEREWOLF\",\"day\":1},"
     "{\"kind\":\"VOTE\",\"target\":13}],"
     "\"plain\":{\"en\":\"because (on day 1 Agent[11] divined Agent[13] and found a werewolf), "
     "Agent[11] will vote for Agent[13]\",\"ja\":\"（1日目に占いでAgent[13]を人狼と判定した）ので、"
     "Agent[13]に投票する\"}}"},
    {"Agent[05] DIVINED Agent[02] HUMAN", 5,
     "{\"says\":[{\"kind\":\"DIVINED\",\"target\":2,\"species\":\"HUMAN\"}],"
     "\"plain\":{\"en\":\"divined Agent[02] and found a human\","
     "\"ja\":\"占いでAgent[02]を人間と判定した\"}}"},
    {"Agent[05] DIVINED Agent[02] HUMAN", 6,
     "{\"plain\":{\"en\":\"Agent[05] divined Agent[02] and found a human\","
     "\"ja\":\"Agent[05]は占いでAgent[02]を人間と判定した\"}}"},
    /* not, either, asked for, asked: nothing is claimed */
    {"NOT (ESTIMATE Agent[02] WEREWOLF)", 1,
     "{\"plain\":{\"en\":\"it is not true that Agent[01] thinks that Agent[02] is a werewolf\","
     "\"ja\":\"Agent[02]を人狼だと考えるということはない\"}}"},
    {"XOR (ESTIMATE Agent[02] WEREWOLF) (VOTE Agent[03])", 1,
     "{\"plain\":{\"en\":\"either Agent[01] thinks that Agent[02] is a werewolf or Agent[01] will "
     "vote for Agent[03], but not both\","
     "\"ja\":\"Agent[02]を人狼だと考えるか、Agent[03]に投票するかのどちらか一方だけが成り立つ\"}}"},
    {"REQUEST Agent[02] (VOTE Agent[03])", 1,
     "{\"plain\":{\"en\":\"asks Agent[02] to vote for Agent[03]\","
     "\"ja\":\"Agent[02]に、Agent[03]に投票するよう求める\"}}"},
    {"REQUEST Agent[02] (NOT (VOTE Agent[03]))", 1,
     "{\"plain\":{\"en\":\"asks Agent[02] not to vote for Agent[03]\","
     "\"ja\":\"Agent[02]に、Agent[03]に投票することのないよう求める\"}}"},
    {"REQUEST Agent[02] (Agent[04] VOTE Agent[03])", 1,
     "{\"plain\":{\"en\":\"asks Agent[02] to see to it that Agent[04] will vote for Agent[03]\","
     "\"ja\":\"Agent[02]に、Agent[04]はAgent[03]に投票するようにしてほしいと求める\"}}"},
    {"INQUIRE Agent[02] (VOTE ANY)", 1,
     "{\"plain\":{\"en\":\"asks Agent[02] what stands for ANY in: Agent[02] will vote for ANY\","
     "\"ja\":\"Agent[02]に、「Agent[02]はANYに投票する」のANYに何が入るか尋ねる\"}}"},
    {"INQUIRE Agent[02] (VOTE Agent[04])", 1,
     "{\"plain\":{\"en\":\"asks Agent[02] whether Agent[02] will vote for Agent[04]\","
     "\"ja\":\"Agent[02]に、Agent[02]はAgent[04]に投票するかどうか尋ねる\"}}"},
    /* one for each target; other roles are no estimate that anybody looks for */
    {"AND (ESTIMATE Agent[02] WEREWOLF) (ESTIMATE Agent[03] POSSESSED) (ESTIMATE Agent[02] "
     "WEREWOLF) (ESTIMATE Agent[04] VILLAGER)",
     1,
     "{\"says\":[{\"kind\":\"ESTIMATE\",\"target\":2,\"role\":\"WEREWOLF\"},"
     "{\"kind\":\"ESTIMATE\",\"target\":3,\"role\":\"POSSESSED\"}],\"plain\":{\"en\":"
     "\"Agent[01] thinks that Agent[02] is a werewolf and Agent[01] thinks that Agent[03] is the "
     "possessed and Agent[01] thinks that Agent[02] is a werewolf and Agent[01] thinks that "
     "Agent[04] is a "
     "villager\",\"ja\":\"Agent[02]を人狼だと考える、かつAgent[03]を狂人だと考える、"
     "かつAgent[02]を人狼だと考える、かつAgent[04]を村人だと考える\"}}"},
    {"AGREE TALK day2 ID:14", 1,
     "{\"says\":[{\"kind\":\"AGREE\",\"about\":\"d2t14\"}],\"plain\":{\"en\":\"agrees with talk 14 "
     "of day 2\",\"ja\":\"2日目の発言14に賛成する\"}}"},
    {"IDENTIFIED Agent[09] HUMAN", 1,
     "{\"says\":[{\"kind\":\"IDENTIFIED\",\"target\":9,\"species\":\"HUMAN\"}],"
     "\"plain\":{\"en\":\"identified Agent[09] as a "
     "human\",\"ja\":\"霊媒でAgent[09]を人間と判定した\"}}"},
    {"GUARDED Agent[09]", 1,
     "{\"says\":[{\"kind\":\"GUARDED\",\"target\":9}],\"plain\":{\"en\":\"guarded Agent[09]\","
     "\"ja\":\"Agent[09]を護衛した\"}}"},
    /* nobody of this game */
    {"VOTE Agent[16]", 1,
     "{\"plain\":{\"en\":\"will vote for Agent[16]\",\"ja\":\"Agent[16]に投票する\"}}"},
    {"VOTE ANY", 1, "{\"plain\":{\"en\":\"will vote for some agent\",\"ja\":\"誰かに投票する\"}}"},
    {"no sentence", 1, "{}"},
    {"", 1, "{}"},
};

static void claims_are_the_speakers_own(void **state)
{
    Arena arena = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));

    (void)state;
    for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        Json json = json_over(&out);
        json_open(&json, '{');
        claims_put_sentence(str_of(sentences[i].text), sentences[i].speaker, SEATS, &arena, NULL,
                            &json);
        json_close(&json);
        if (strcmp(buf_cstr(&out), sentences[i].json) != 0)
            fail_msg("'%s' gives\n%s\nnot\n%s", sentences[i].text, buf_cstr(&out),
                     sentences[i].json);
    }
    arena_done(&arena);
}

/* ---- natural language ---- */

static void only_votes_in_the_fixed_form_are_read(void **state)
{
    static const struct {
        const char *text;
        SeatNo target;
    } rows[] = {
        {"I will vote for Mio.", 2},       {"I will vote for Mio", 0},
        {"Today I will vote for Mio.", 0}, {"I will vote for Mio and Ken.", 0},
        {"I will not vote for Mio.", 0},   {"Mioさんに投票します。", 2},
        {"Mioさんに投票しません。", 0},    {"I will vote for Ana.", 0}, /* herself */
        {"I will vote for Mi.", 3},        {"", 0},
    };
    const DocSeat seats[] = {
        {0}, {.name = STR("Ana")}, {.name = STR("Mio")}, {.name = STR("Mi")}, {.name = STR("")}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        CLEANUP(buf_done) Buf wanted = {0};
        Json json = json_over(&out);
        json_open(&json, '{');
        claims_put_vote(str_of(rows[i].text), 1, seats, 4, &json);
        json_close(&json);
        if (rows[i].target)
            buf_printf(&wanted, "{\"says\":[{\"kind\":\"VOTE\",\"target\":%u}]}", rows[i].target);
        else
            buf_add(&wanted, STR("{}"));
        assert_string_equal(buf_cstr(&out), buf_cstr(&wanted));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_are_the_speakers_own),
        cmocka_unit_test(only_votes_in_the_fixed_form_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
