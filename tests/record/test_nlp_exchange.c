/* test_nlp_exchange.c - the JSON log of a natural-language game against its game log: games that
 * the reference server wrote, as they are and changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/logs.h"
#include "record/nlp_exchange.h"
#include "sanitized.h"

#include <stdio.h>

/* Both logs of one game. */
typedef struct Logs {
    Buf json;
    Buf log;
} Logs;

static void logs_done(Logs *logs)
{
    buf_done(&logs->json);
    buf_done(&logs->log);
}

static const char *const names[] = {"05p-abort-01",
                                    "05p-abort-02",
                                    "05p-badvotes-01",
                                    "05p-badvotes-02",
                                    "05p-badvotes-03",
                                    "05p-cut-01",
                                    "05p-cut-02",
                                    "05p-late-01",
                                    "05p-late-02",
                                    "05p-leave-01",
                                    "05p-leave-02",
                                    "05p-limits-01",
                                    "05p-limits-02",
                                    "05p-limits-03",
                                    "05p-limits-04",
                                    "05p-novote-01",
                                    "05p-novote-02",
                                    "05p-peragent-01",
                                    "05p-peragent-02",
                                    "05p-peragent-03",
                                    "05p-pertalk-01",
                                    "05p-pertalk-02",
                                    "05p-pertalk-03",
                                    "05p-plain-01",
                                    "05p-plain-02",
                                    "05p-plain-03",
                                    "05p-plain-04",
                                    "05p-plain-05",
                                    "05p-plain-06",
                                    "05p-recover-01",
                                    "05p-recover-02",
                                    "05p-silent-01",
                                    "05p-silent-02",
                                    "05p-words-01",
                                    "05p-words-02",
                                    "05p-words-03",
                                    "09p-plain-01",
                                    "09p-plain-02",
                                    "09p-plain-03",
                                    "09p-plain-04",
                                    "09p-strict-01",
                                    "09p-strict-02",
                                    "09p-strict-03",
                                    "13p-plain-01",
                                    "13p-plain-02",
                                    "13p-plain-03",
                                    "13p-teams-01",
                                    "13p-teams-02",
                                    "next-05p-free-01",
                                    "next-05p-free-02",
                                    "next-05p-free-03",
                                    "next-05p-free-04",
                                    "next-05p-free-cut-01",
                                    "next-05p-free-leave-01",
                                    "next-05p-free-limits-01",
                                    "next-05p-free-limits-02",
                                    "next-05p-pertalk-01",
                                    "next-05p-turn-01",
                                    "next-05p-turn-02",
                                    "next-09p-free-01",
                                    "next-09p-free-02",
                                    "next-09p-turn-01",
                                    "next-13p-free-01",
                                    "next-13p-turn-01"};
#define COUNT (sizeof(names) / sizeof(names[0]))

static void read_logs(size_t number, Logs *ret)
{
    CLEANUP(buf_done) Buf name = {0};

    buf_printf(&name, "nlp-wire/%s.game.log.gz", names[number]);
    assert_int_equal(logs_read(buf_cstr(&name), &ret->log, NULL), 0);
    buf_clear(&name);
    buf_printf(&name, "nlp-wire/%s.log.json.gz", names[number]);
    assert_int_equal(logs_read(buf_cstr(&name), &ret->json, NULL), 0);
}

static LogFinding check(Str json, Str log)
{
    LogFinding finding;
    Err err = {0};

    if (nlp_exchange_check(json, log, &finding, &err))
        fail_msg("%s", err.msg);
    assert_true(finding.ok == (finding.line == 0));
    return finding;
}

/* The text with line `number` (from 1) in another form; "" leaves it out. */
static void change_line(Str text, unsigned number, Str line, Buf *out)
{
    buf_clear(out);
    for (unsigned at = 1; text.len; at++) {
        Str own = str_cut(&text, '\n');
        if (at != number) {
            buf_add(out, own);
            buf_add_char(out, '\n');
        } else
            buf_add(out, line);
    }
}

static unsigned count_lines(Str text)
{
    unsigned count = 0;

    for (; text.len; count++)
        str_cut(&text, '\n');
    return count;
}

static void logs_of_one_game_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        CLEANUP(logs_done) Logs logs = {0};
        read_logs(i, &logs);
        LogFinding finding = check(buf_str(&logs.json), buf_str(&logs.log));
        if (!finding.ok)
            fail_msg("%s: line %u: %s", names[i], finding.line, finding.reason);
    }
}

static void logs_of_two_games_do_not(void **state)
{
    CLEANUP(logs_done) Logs one = {0};
    CLEANUP(logs_done) Logs other = {0};

    (void)state;
    read_logs(0, &one);
    read_logs(1, &other);
    assert_false(check(buf_str(&one.json), buf_str(&other.log)).ok);
    assert_false(check(buf_str(&other.json), buf_str(&one.log)).ok);
}

/* What is the last of its kind on a day may be unknown to a JSON log; nothing else. */
static void a_line_that_is_gone_or_stands_twice_is_found(void **state)
{
    const unsigned few = sanitized_step(3);
    unsigned lines = 0, lived = 0;

    (void)state;
    for (size_t i = 0; i < COUNT; i += 13) {
        CLEANUP(logs_done) Logs logs = {0};
        CLEANUP(buf_done) Buf bad = {0};
        read_logs(i, &logs);
        const Str log = buf_str(&logs.log);
        const unsigned count = count_lines(log);
        for (unsigned line = 1; line <= count; line += (1 + line / 20) * few) {
            change_line(log, line, STR(""), &bad);
            lines++;
            lived += check(buf_str(&logs.json), buf_str(&bad)).ok;
        }
    }
    assert_true(lines > 100 / few);
    assert_true(lived * 20 <= lines);
}

/* The first line of a kind, with a byte of its last field but one changed. */
static void every_kind_of_line_is_compared(void **state)
{
    static const struct {
        const char *find;
        const char *put;
    } changes[] = {
        {",SEER,ALIVE,", ",VILLAGER,ALIVE,"},
        {",ALIVE,", ",DEAD,"},
        {",talk,0,0,", ",talk,0,1,"},
        {",talk,1,", ",talk,9,"},
        {",vote,1,", ",vote,2,"},
        {",execute,", ",execute,1"},
        {",divine,", ",divine,1"},
        {",attack,", ",attack,9"},
        {",result,", ",result,1"},
        {",VILLAGER\n", ",WEREWOLF\n"},
        {",attackVote,", ",vote,"},
    };
    const unsigned few = sanitized_step(4);
    unsigned changed = 0;

    (void)state;
    for (size_t i = 0; i < COUNT; i += few) {
        CLEANUP(logs_done) Logs logs = {0};
        read_logs(i, &logs);
        const Str log = buf_str(&logs.log);
        for (size_t k = 0; k < sizeof(changes) / sizeof(changes[0]); k++) {
            CLEANUP(buf_done) Buf bad = {0};
            const Str find = str_of(changes[k].find);
            size_t at;
            if (!str_find(log, find, &at))
                continue;
            changed++;
            buf_add(&bad, str_part(log, 0, at));
            buf_add(&bad, str_of(changes[k].put));
            buf_add(&bad, str_part(log, at + find.len, log.len));
            LogFinding finding = check(buf_str(&logs.json), buf_str(&bad));
            if (finding.ok)
                fail_msg("%s: '%s' for '%s'", names[i], changes[k].put, changes[k].find);
        }
    }
    assert_true(changed > 5 * COUNT / few);
}

static void a_finding_names_the_line_and_what_should_stand_there(void **state)
{
    CLEANUP(logs_done) Logs logs = {0};
    CLEANUP(buf_done) Buf bad = {0};

    (void)state;
    read_logs(0, &logs);
    Str rest = buf_str(&logs.log);
    unsigned line = 1;
    Str own = str_cut(&rest, '\n');
    for (size_t at; !str_find(own, STR(",vote,"), &at); line++)
        own = str_cut(&rest, '\n');
    CLEANUP(buf_done) Buf put = {0};
    CLEANUP(buf_done) Buf expected = {0};
    const char last = own.bytes[own.len - 1];
    buf_printf(&put, "%.*s%c\n", (int)own.len - 1, own.bytes, last == '1' ? '2' : '1');
    change_line(buf_str(&logs.log), line, buf_str(&put), &bad);
    LogFinding finding = check(buf_str(&logs.json), buf_str(&bad));
    buf_printf(&expected, "'%.*s', but by the JSON log it is '%.*s'", (int)put.len - 1,
               buf_cstr(&put), STR_ARG(own));
    assert_int_equal(finding.line, line);
    assert_string_equal(finding.reason, buf_cstr(&expected));
}

static void what_is_no_log_is_a_finding(void **state)
{
    CLEANUP(logs_done) Logs logs = {0};

    (void)state;
    read_logs(0, &logs);
    assert_false(check(STR("{}"), buf_str(&logs.log)).ok);
    assert_false(check(STR(""), buf_str(&logs.log)).ok);
    assert_false(check(buf_str(&logs.json), STR("")).ok);
    assert_false(check(buf_str(&logs.json), STR("0,status")).ok);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_of_one_game_agree),
        cmocka_unit_test(logs_of_two_games_do_not),
        cmocka_unit_test(a_line_that_is_gone_or_stands_twice_is_found),
        cmocka_unit_test(every_kind_of_line_is_compared),
        cmocka_unit_test(a_finding_names_the_line_and_what_should_stand_there),
        cmocka_unit_test(what_is_no_log_is_a_finding),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
