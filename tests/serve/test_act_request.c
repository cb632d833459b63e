#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/act_request.h"

static void acts_are_read_with_what_belongs_to_them(void **state)
{
    CLEANUP(act_request_done) ActRequest asked = {0};

    (void)state;
    assert_int_equal(
        act_request_read(STR("{\"act\":\"void\",\"game\":\"01M8\",\"why\":\"a \\u2615\","
                             "\"by\":\"Ann\",\"confirm\":\"ab\"}"),
                         &asked, NULL),
        0);
    assert_int_equal(asked.act.kind, ACT_VOID);
    assert_int_equal(asked.act.target, ACT_OF_GAME);
    assert_true(str_eq(asked.act.id, STR("01M8")) && str_eq(asked.act.by, STR("Ann")));
    assert_true(str_eq(asked.act.why, STR("a \xE2\x98\x95")) && str_eq(asked.confirm, STR("ab")));
    act_request_done(&asked);
    assert_int_equal(act_request_read(STR("{\"act\":\"end\",\"set\":3}"), &asked, NULL), 0);
    assert_int_equal(asked.act.target, ACT_OF_SET);
    assert_int_equal(asked.act.number, 3);
    assert_true(str_eq(asked.act.by, STR("operator")) && asked.confirm.len == 0);
    act_request_done(&asked);
    assert_int_equal(act_request_read(STR("{\"act\":\"let-in\",\"team\":\"\"}"), &asked, NULL), 0);
    assert_true(asked.act.team.bytes && asked.act.team.len == 0); /* a name like others */
}

static void assert_refused(Str body, ErrCode code, const char *why)
{
    ActRequest asked = {0};
    Err err = {0};

    assert_int_equal(act_request_read(body, &asked, &err), code);
    assert_string_equal(err.msg, why);
    assert_null(asked.json);
}

static void what_is_no_act_is_refused_and_says_why(void **state)
{
    char large[ACT_REQUEST_MAX + 2];

    (void)state;
    memset(large, ' ', sizeof(large));
    assert_refused((Str){large, sizeof(large)}, ERR_LIMIT, "an act has at most 4096 bytes");
    assert_refused(STR(""), ERR_SYNTAX, "the body is no JSON object");
    assert_refused(STR("[]"), ERR_SYNTAX, "the body is no JSON object");
    assert_refused(STR("{\"act\":\"hold\",\"force\":1}"), ERR_SYNTAX, "'force' is not known here");
    assert_refused(STR("{\"act\":1}"), ERR_SYNTAX, "'act' is no text");
    assert_refused(STR("{}"), ERR_SYNTAX,
                   "'act' is hold, go-on, leave-out, let-in, void, end or disconnect");
    assert_refused(STR("{\"act\":\"void\",\"game\":\"\"}"), ERR_SYNTAX,
                   "either 'game' is the id of a game, or 'set' a number");
    assert_refused(STR("{\"act\":\"void\",\"game\":\"a\",\"set\":1}"), ERR_SYNTAX,
                   "either 'game' is the id of a game, or 'set' a number");
    assert_refused(STR("{\"act\":\"void\",\"set\":-1}"), ERR_SYNTAX, "'set' is no number of a set");
    assert_refused(STR("{\"act\":\"hold\",\"team\":\"a\"}"), ERR_RULE, "'hold' has no 'team'");
    assert_refused(STR("{\"act\":\"leave-out\",\"team\":\"a\\u0000b\"}"), ERR_RULE,
                   "a name has 1 to 255 bytes of UTF-8 without control characters");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acts_are_read_with_what_belongs_to_them),
        cmocka_unit_test(what_is_no_act_is_refused_and_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
