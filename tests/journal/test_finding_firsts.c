#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "disk/log_file.h"
#include "journal/finding_firsts.h"
#include "record/stage_number.h"

#include <stdlib.h>
#include <unistd.h>

enum { AGENTS = 40, STAGES = 3, LINES = 3000 };

static void the_first_three_of_each_kind_are_kept_in_their_order(void **state)
{
    static unsigned wanted[STAGES][AGENTS][FINDING_RULES][FINDING_FIRSTS_KEPT];
    static unsigned count[STAGES][AGENTS][FINDING_RULES];
    CLEANUP(finding_firsts_done) FindingFirsts firsts = {0};
    CLEANUP(buf_done) Buf text = {0};
    char dir[] = "/tmp/test-firsts-XXXXXX", path[64], name[16];
    Rng rng = rng_new(7);
    (void)state;

    for (unsigned line = 1; line <= LINES; line++) {
        const uint32_t stage = rng_below(&rng, STAGES), agent = rng_below(&rng, AGENTS);
        const FindingRule rule = (FindingRule)rng_below(&rng, FINDING_RULES);
        snprintf(name, sizeof(name), "agent %u", agent);
        if (rng_below(&rng, 20) == 0) { /* a total is no evidence */
            const FindingTotal total = {rule, str_of(name), 500};
            finding_line_write_total(0, stage, line, &total, &text);
            continue;
        }
        const FindingNote note = {.finding = {rule, STR("connect 8.8.8.8:53"), 1},
                                  .agent = str_of(name),
                                  .stage = stage_number(stage, rng_below(&rng, 2)),
                                  .set = line,
                                  .game = line,
                                  .seat = 1,
                                  .in_game = line % 2};
        finding_line_write(line, &note, &text);
        if (count[stage][agent][rule] < FINDING_FIRSTS_KEPT)
            wanted[stage][agent][rule][count[stage][agent][rule]] = line;
        count[stage][agent][rule]++;
    }
    buf_add(&text, STR("{\"torn")); /* it is being written */
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/" FINDINGS_FILE, dir);
    assert_int_equal(log_file_write(path, buf_str(&text), NULL), 0);
    assert_int_equal(finding_firsts_read(dir, &firsts, NULL), 0);
    for (uint32_t stage = 0; stage < STAGES; stage++)
        for (uint32_t agent = 0; agent < AGENTS; agent++)
            for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++) {
                snprintf(name, sizeof(name), "agent %u", agent);
                const FindingFirst *first = finding_firsts_of(&firsts, stage, str_of(name), rule);
                for (unsigned i = 0; i < FINDING_FIRSTS_KEPT && i < count[stage][agent][rule];
                     i++) {
                    assert_non_null(first);
                    assert_int_equal(first->line, wanted[stage][agent][rule][i]);
                    assert_int_equal(first->at_ms, first->line);
                    assert_int_equal(first->in_game, first->line % 2);
                    first = finding_firsts_next(&firsts, first);
                }
                assert_null(first);
            }
    assert_null(finding_firsts_of(&firsts, 0, STR("nobody"), FINDING_NETWORK));
    unlink(path);
    rmdir(dir);
}

static void a_damaged_line_is_named_with_its_file(void **state)
{
    CLEANUP(finding_firsts_done) FindingFirsts firsts = {0};
    char dir[] = "/tmp/test-firsts-XXXXXX", path[64];
    Err err = {0};
    (void)state;

    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/" FINDINGS_FILE, dir);
    assert_int_equal(log_file_write(path, STR("{}\n"), NULL), 0);
    assert_int_equal(finding_firsts_read(dir, &firsts, &err), ERR_SYNTAX);
    assert_int_equal(err.line, 1);
    assert_non_null(strstr(err.msg, FINDINGS_FILE));
    unlink(path);
    rmdir(dir);
}

static void where_there_is_no_file_there_are_none(void **state)
{
    CLEANUP(finding_firsts_done) FindingFirsts firsts = {0};
    (void)state;

    assert_int_equal(finding_firsts_read("/no/such/folder", &firsts, NULL), 0);
    assert_null(finding_firsts_of(&firsts, 0, STR("a"), FINDING_NETWORK));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_three_of_each_kind_are_kept_in_their_order),
        cmocka_unit_test(a_damaged_line_is_named_with_its_file),
        cmocka_unit_test(where_there_is_no_file_there_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
