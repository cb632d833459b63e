#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contest/agent_check.h"

#include <stdlib.h>

/* One of which all is well so far. */
static AgentCheck *new_check(void)
{
    AgentCheck *check = calloc(1, sizeof(*check));

    assert_non_null(check);
    check->limits = (CheckLimits){.memory_kib = 1000,
                                  .threads = 10,
                                  .files = 20,
                                  .output_bytes = 1000,
                                  .answer_ms = 100,
                                  .one_thread = true};
    buf_add(&check->name, STR("foo"));
    agent_check_named(check, PLAY_DIALOGUE_5, STR("foo\r"), 41000);
    for (CheckPlay play = 0; play < CHECK_PLAYS; play++) {
        check->plays[play].begun = check->plays[play].complete = true;
        check->plays[play].planned = check->plays[play].games = 5;
    }
    durations_add(&check->times, 300);
    check->games = 100;
    return check;
}

static void free_check(AgentCheck *check)
{
    agent_check_done(check);
    free(check);
}

static void assert_only(AgentCheck *check, CheckStep step, CheckVerdict verdict, CheckAdvice advice)
{
    agent_check_judge(check);
    for (CheckStep other = 0; other < CHECK_STEPS; other++) {
        const CheckResult *result = &check->results[other];
        if (result->verdict != (other == step ? verdict : CHECK_OK))
            fail_msg("%s is %s", check_step_name(other), check_verdict_name(result->verdict));
    }
    if (step < CHECK_STEPS)
        assert_int_equal(check->results[step].advice, advice);
    assert_int_equal(check->passed, verdict != CHECK_FAIL);
    free_check(check);
}

static void an_agent_of_which_nothing_is_seen_passes(void **state)
{
    (void)state;
    assert_only(new_check(), CHECK_STEPS, CHECK_OK, ADVICE_NONE);
}

static void who_does_not_connect_is_not_tried_any_further(void **state)
{
    const Fault late = {.kind = FAULT_TIMEOUT, .fatal = true, .request = "NAME"};
    AgentCheck *check = calloc(1, sizeof(*check));

    (void)state;
    agent_check_fault(check, PLAY_DIALOGUE_5, 0, &late, false);
    agent_check_judge(check);
    assert_int_equal(check->results[CHECK_START].verdict, CHECK_FAIL);
    assert_int_equal(check->results[CHECK_START].advice, ADVICE_CONNECT);
    for (CheckStep step = CHECK_NAME; step < CHECK_STEPS; step++)
        assert_int_equal(check->results[step].verdict, CHECK_SKIPPED);
    assert_false(check->passed);
    free_check(check);
}

static void another_name_warns_or_refuses(void **state)
{
    (void)state;
    for (int refuses = 0; refuses < 2; refuses++) {
        AgentCheck *check = new_check();
        buf_clear(&check->said);
        buf_add(&check->said, STR("bar"));
        check->limits.name_refuses = refuses;
        assert_only(check, CHECK_NAME, refuses ? CHECK_FAIL : CHECK_WARN, ADVICE_NAME);
    }
}

static void a_player_class_of_the_platform_warns(void **state)
{
    AgentCheck *check = new_check();

    (void)state;
    agent_check_command(check, STR("java -cp a.jar X -c com.example.Foo -n {name}"));
    assert_string_equal(check->player_class, "");
    agent_check_command(check, STR("java -cp a.jar X -c org.aiwolf.sample.Foo -n {name}"));
    assert_string_equal(check->player_class, "org.aiwolf.sample.Foo");
    check->player_class[0] = '\0';
    agent_check_command(check,
                        STR("java -cp 'a.jar:lib/b.jar' X -c 'org.aiwolf.sample.Bar' -n {name}"));
    assert_string_equal(check->player_class, "org.aiwolf.sample.Bar"); /* as versions are started */
    assert_only(check, CHECK_NAME, CHECK_WARN, ADVICE_PLAYER_CLASS);
}

static void faults_are_of_the_step_in_which_they_happen(void **state)
{
    static const struct {
        FaultKind kind;
        CheckPlay play;
        bool first;
        CheckStep step;
        CheckAdvice advice;
    } rows[] = {
        {FAULT_DISCONNECT, PLAY_DIALOGUE_15, false, CHECK_DIALOGUE, ADVICE_CRASH},
        {FAULT_DISCONNECT, PLAY_SET_5, true, CHECK_SET, ADVICE_ONE_GAME},
        {FAULT_EARLY, PLAY_SET_15, false, CHECK_SET, ADVICE_EXTRA},
        {FAULT_MALFORMED, PLAY_DIALOGUE_5, false, CHECK_DIALOGUE, ADVICE_MALFORMED},
        {FAULT_VIOLATION, PLAY_REPEAT, false, CHECK_REPEAT, ADVICE_SENTENCE},
        {FAULT_TIMEOUT, PLAY_SET_5, false, CHECK_TIME, ADVICE_LATE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const Fault fault = {.kind = rows[i].kind, .request = "TALK", .elapsed_us = 200000};
        AgentCheck *check = new_check();
        agent_check_fault(check, rows[i].play, 3, &fault, rows[i].first);
        assert_int_equal(check->marks[rows[i].step].lines, 1);
        assert_only(check, rows[i].step, CHECK_FAIL, rows[i].advice);
    }
}

static void the_same_evidence_stands_once(void **state)
{
    const Fault fault = {.kind = FAULT_VIOLATION, .request = "TALK", .bytes = STR("hello")};
    AgentCheck *check = new_check();

    (void)state;
    for (uint64_t game = 0; game < 10; game++)
        agent_check_fault(check, PLAY_SET_5, game, &fault, false);
    assert_int_equal(check->marks[CHECK_SET].bad, 10);
    assert_int_equal(check->marks[CHECK_SET].lines, 1);
    free_check(check);
}

static void a_timeout_that_had_to_wait_is_ours(void **state)
{
    Fault fault = {.kind = FAULT_TIMEOUT, .request = "TALK", .elapsed_us = 1000000};
    AgentCheck *check = new_check();

    (void)state;
    agent_check_fault(check, PLAY_SET_5, 0, &fault, false);
    assert_int_equal(check->ours.len, 0);
    fault.waited_us = 900000;
    agent_check_fault(check, PLAY_SET_5, 0, &fault, false);
    assert_true(check->ours.len > 0);
    free_check(check);
}

static void answers_within_the_grace_warn_and_too_many_fail(void **state)
{
    AgentCheck *check = new_check();

    (void)state;
    check->excesses = 20;
    assert_only(check, CHECK_TIME, CHECK_WARN, ADVICE_LATE);
    check = new_check();
    check->excesses = 21;
    assert_only(check, CHECK_TIME, CHECK_FAIL, ADVICE_LATE);
}

static void targets_are_legal_as_the_agent_knows_it(void **state)
{
    static const struct {
        AskKind kind;
        SeatNo target;
        bool legal;
    } rows[] = {
        {ASK_VOTE, 2, true},   {ASK_VOTE, 1, false},  {ASK_VOTE, 3, false},   {ASK_VOTE, 0, false},
        {ASK_VOTE, 6, false},  {ASK_DIVINE, 0, true}, {ASK_DIVINE, 3, false}, {ASK_GUARD, 3, true},
        {ASK_GUARD, 1, false}, {ASK_ATTACK, 2, true}, {ASK_ATTACK, 4, false}, {ASK_TALK, 0, true},
    };
    Ruleset rules;

    (void)state;
    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    View view = {.rules = &rules, .seat = 1, .seat_count = 5, .alive = 0x36, .day = 2};
    view.roles[4] = ROLE_WEREWOLF;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const Answer answer = {.kind = rows[i].kind, .target = rows[i].target};
        AgentCheck *check = new_check();
        agent_check_answer(check, PLAY_DIALOGUE_5, 0, &answer, &view);
        assert_int_equal(check->plays[PLAY_DIALOGUE_5].asked[rows[i].kind], 1);
        if (rows[i].legal)
            assert_only(check, CHECK_STEPS, CHECK_OK, ADVICE_NONE);
        else
            assert_only(check, CHECK_DIALOGUE, CHECK_FAIL, ADVICE_ILLEGAL);
    }
}

static void findings_come_from_anywhere_and_strikes_fail(void **state)
{
    static const struct {
        CheckRule rule;
        CheckVerdict verdict;
        CheckAdvice advice;
    } rows[] = {
        {RULE_NETWORK, CHECK_FAIL, ADVICE_NETWORK}, {RULE_WRITE, CHECK_FAIL, ADVICE_WRITE},
        {RULE_PROCESS, CHECK_FAIL, ADVICE_PROCESS}, {RULE_THREAD, CHECK_WARN, ADVICE_THREAD},
        {RULE_ERROR, CHECK_WARN, ADVICE_ERROR},     {RULE_MEMORY, CHECK_FAIL, ADVICE_MEMORY},
        {RULE_OUTPUT, CHECK_WARN, ADVICE_OUTPUT},   {RULE_OTHER, CHECK_WARN, ADVICE_OTHER},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        AgentCheck *check = new_check();
        for (int times = 0; times < 2; times++)
            agent_check_finding(check, rows[i].rule, STR("connect 8.8.8.8:53\x1b"), PLAY_SET_5, 3,
                                1);
        assert_int_equal(check->finding_count, 1);
        assert_string_equal(check->findings[0].text, "connect 8.8.8.8:53\xEF\xBF\xBD");
        assert_only(check, CHECK_CONDUCT, rows[i].verdict, rows[i].advice);
    }
}

static void only_a_hundred_findings_are_kept(void **state)
{
    AgentCheck *check = new_check();

    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        CLEANUP(buf_done) Buf text = {0};
        buf_printf(&text, "connect 10.0.0.1:%u", i);
        agent_check_finding(check, RULE_NETWORK, buf_str(&text), PLAY_SET_5, i, 1);
    }
    assert_int_equal(check->finding_count, CHECK_FINDINGS_MAX);
    assert_int_equal(check->found[RULE_NETWORK], 300);
    free_check(check);
}

static void stack_traces_in_what_it_prints_are_findings(void **state)
{
    AgentCheck *check = new_check();

    (void)state;
    agent_check_output(check, PLAY_SET_5, 99,
                       STR("thinking\nTraceback (most recent call last):\n  File \"a.py\"\n"
                           "    x()\nIndexError: list index out of range\nthinking\n"));
    agent_check_output(
        check, PLAY_SET_15, 50,
        STR("Exception in thread \"main\" java.lang.NullPointerException\n\tat A\n"));
    assert_int_equal(check->finding_count, 2);
    assert_string_equal(check->findings[0].text,
                        "line 2 of its output: Traceback (most recent call last): IndexError: list "
                        "index out of range");
    assert_int_equal(check->peak_output, 99);
    assert_only(check, CHECK_CONDUCT, CHECK_WARN, ADVICE_ERROR);
}

static void from_four_fifths_of_a_limit_on_it_warns(void **state)
{
    static const struct {
        ProcessUse use;
        CheckVerdict verdict;
        CheckAdvice advice;
    } rows[] = {
        {{.pid = 1, .threads = 1, .files = 4, .peak_kib = 799}, CHECK_OK, ADVICE_NONE},
        {{.pid = 1, .threads = 1, .files = 4, .peak_kib = 800}, CHECK_WARN, ADVICE_MEMORY},
        {{.pid = 1, .threads = 1, .files = 4, .peak_kib = 1001}, CHECK_FAIL, ADVICE_MEMORY},
        {{.pid = 1, .threads = 8, .files = 4, .peak_kib = 1}, CHECK_WARN, ADVICE_THREADS},
        {{.pid = 1, .threads = 11, .files = 4, .peak_kib = 900}, CHECK_FAIL, ADVICE_THREADS},
        {{.pid = 1, .threads = 1, .files = 21, .peak_kib = 1}, CHECK_FAIL, ADVICE_FILES},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        AgentCheck *check = new_check();
        agent_check_use(check, PLAY_SET_5, &rows[i].use);
        assert_only(check, CHECK_RESOURCES, rows[i].verdict, rows[i].advice);
    }
}

static void a_file_that_stays_is_seen_in_two_steps(void **state)
{
    AgentCheck *check = new_check();

    (void)state;
    agent_check_left(check, STR("home/memo.txt"));
    agent_check_judge(check);
    assert_int_equal(check->results[CHECK_CONDUCT].verdict, CHECK_FAIL);
    assert_int_equal(check->results[CHECK_REPEAT].verdict, CHECK_FAIL);
    assert_int_equal(check->results[CHECK_REPEAT].advice, ADVICE_WRITE);
    assert_false(check->passed);
    free_check(check);
}

static void what_was_not_played_to_its_end_warns(void **state)
{
    AgentCheck *check = new_check();

    (void)state;
    check->plays[PLAY_SET_15].complete = false;
    assert_only(check, CHECK_SET, CHECK_WARN, ADVICE_CUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_of_which_nothing_is_seen_passes),
        cmocka_unit_test(who_does_not_connect_is_not_tried_any_further),
        cmocka_unit_test(another_name_warns_or_refuses),
        cmocka_unit_test(a_player_class_of_the_platform_warns),
        cmocka_unit_test(faults_are_of_the_step_in_which_they_happen),
        cmocka_unit_test(the_same_evidence_stands_once),
        cmocka_unit_test(a_timeout_that_had_to_wait_is_ours),
        cmocka_unit_test(answers_within_the_grace_warn_and_too_many_fail),
        cmocka_unit_test(targets_are_legal_as_the_agent_knows_it),
        cmocka_unit_test(findings_come_from_anywhere_and_strikes_fail),
        cmocka_unit_test(only_a_hundred_findings_are_kept),
        cmocka_unit_test(stack_traces_in_what_it_prints_are_findings),
        cmocka_unit_test(from_four_fifths_of_a_limit_on_it_warns),
        cmocka_unit_test(a_file_that_stays_is_seen_in_two_steps),
        cmocka_unit_test(what_was_not_played_to_its_end_warns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
