#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "contest/conducts.h"
#include "contest/finding_watch.h"

#define GAMES 10u

/* One game of bob, who did each thing so often as the rule's number and one says, and ann, who did
 * nothing. */
static void add_game(Conducts *conducts, uint32_t stage)
{
    CLEANUP(mem_freep) GameRecord *record = mem_new(sizeof(*record));
    SeatRecord *bob = &record->seats[1];

    record->stage = stage;
    record->result.seat_count = 2;
    record->result.names[1] = STR("bob");
    record->result.names[2] = STR("ann");
    bob->outside = record->seats[2].outside = true;
    bob->faults[FAULT_TIMEOUT] = 1;
    bob->excesses = 1;
    bob->excused = 1;
    bob->faults[FAULT_VIOLATION] = 2;
    bob->faults[FAULT_DISCONNECT] = 3;
    bob->faults[FAULT_MALFORMED] = 3;
    bob->faults[FAULT_EARLY] = 1;
    for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++)
        bob->findings[rule] = CONDUCT_NETWORK + rule + 1;
    assert_int_equal(conducts_add_game(conducts, record, NULL), 0);
}

static Conducts ten_games(uint32_t stage)
{
    Conducts conducts = {0};

    for (unsigned game = 0; game < GAMES; game++)
        add_game(&conducts, stage);
    return conducts;
}

static void each_rule_counts_what_records_say_of_it(void **state)
{
    (void)state;
    for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++) {
        CLEANUP(conducts_done) Conducts conducts = ten_games(0);
        PlanConduct rules = {.given = true, .confirm = true, .strikes = 1000};
        ConductFinding finding;
        rules.rules[rule].action = CONDUCT_STRIKE;
        assert_true(conducts_finding(&conducts, &rules, 0, &finding));
        assert_string_equal(finding.conduct->agent, "bob");
        assert_int_equal(finding.rule, rule);
        assert_int_equal(finding.count, GAMES * (rule + 1));
        assert_int_equal(finding.conduct->games, GAMES);
        assert_int_equal(finding.action, CONDUCT_STRIKE);
        assert_int_equal(finding.ruled, RULING_COUNT);
        assert_false(conducts_finding(&conducts, &rules, 1, &finding));
        assert_int_equal(conduct_finding_rule(rule), rule < CONDUCT_NETWORK
                                                         ? FINDING_RULES
                                                         : (FindingRule)(rule - CONDUCT_NETWORK));
        if (rule >= CONDUCT_NETWORK)
            assert_string_equal(conduct_rule_name(rule),
                                finding_rule_name(conduct_finding_rule(rule)));
    }
}

static void each_action_follows_and_what_is_allowed_is_left_out(void **state)
{
    (void)state;
    for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++) {
        CLEANUP(conducts_done) Conducts conducts = ten_games(0);
        PlanConduct rules = {.given = true, .confirm = true, .strikes = 3};
        ConductFinding finding;
        assert_false(conducts_finding(&conducts, &rules, 0, &finding)); /* only noted */
        rules.rules[rule].action = CONDUCT_ELIMINATE;
        assert_true(conducts_finding(&conducts, &rules, 0, &finding));
        assert_int_equal(finding.action, CONDUCT_ELIMINATE);
        rules.rules[rule].action = CONDUCT_STRIKE; /* enough of them */
        assert_true(conducts_finding(&conducts, &rules, 0, &finding));
        assert_int_equal(finding.action, CONDUCT_ELIMINATE);
        for (uint32_t more = 0; more < 2; more++) { /* just so many, and one less */
            rules.strikes = GAMES * (rule + 1) + more;
            assert_true(conducts_finding(&conducts, &rules, 0, &finding));
            assert_int_equal(finding.action, more ? CONDUCT_STRIKE : CONDUCT_ELIMINATE);
        }
        rules.strikes = 3;
        rules.rules[rule].after = 100 * (rule + 1); /* in 100 games: not more than that */
        assert_false(conducts_finding(&conducts, &rules, 0, &finding));
        rules.rules[rule].after--;
        assert_true(conducts_finding(&conducts, &rules, 0, &finding));
        assert_int_equal(finding.action, CONDUCT_STRIKE); /* one more than is allowed */
    }
}

static void a_ruling_holds_for_its_stage_and_those_behind_it(void **state)
{
    (void)state;
    for (RulingDecision decision = RULING_DISMISS; decision < RULING_COUNT; decision++) {
        CLEANUP(conducts_done) Conducts conducts = ten_games(1);
        const bool out = decision == RULING_ELIMINATE;
        PlanConduct rules = {.given = true, .confirm = true, .strikes = 3};
        ConductFinding finding;
        const JournalRuling ruling = {.stage = 1,
                                      .agent = STR("bob"),
                                      .rule = STR("network"),
                                      .decision = decision,
                                      .reason = STR("seen")};
        rules.rules[CONDUCT_NETWORK].action = CONDUCT_ELIMINATE;
        assert_int_equal(conducts_add_ruling(&conducts, &ruling, NULL), 0);
        assert_true(conducts_finding(&conducts, &rules, 0, &finding));
        assert_int_equal(finding.ruled, decision);
        assert_false(conducts_eliminated(&conducts, 0, STR("bob")));
        assert_int_equal(conducts_eliminated(&conducts, 1, STR("bob")), out);
        assert_int_equal(conducts_eliminated(&conducts, 2, STR("bob")), out);
        assert_false(conducts_eliminated(&conducts, 2, STR("ann")));
    }
}

static void strikes_that_were_dismissed_do_not_add_up(void **state)
{
    CLEANUP(conducts_done) Conducts conducts = ten_games(0);
    PlanConduct rules = {.given = true, .confirm = true, .strikes = 100};
    const JournalRuling ruling = {
        .agent = STR("bob"), .rule = STR("network"), .decision = RULING_DISMISS};
    ConductFinding finding;
    (void)state;

    rules.rules[CONDUCT_NETWORK].action = CONDUCT_STRIKE; /* 50 */
    rules.rules[CONDUCT_WRITE].action = CONDUCT_STRIKE;   /* 60 */
    assert_true(conducts_finding(&conducts, &rules, 1, &finding));
    assert_int_equal(finding.action, CONDUCT_ELIMINATE);
    assert_int_equal(conducts_add_ruling(&conducts, &ruling, NULL), 0);
    assert_true(conducts_finding(&conducts, &rules, 1, &finding));
    assert_int_equal(finding.action, CONDUCT_STRIKE);
}

/* ---- while games are played ---- */

static void the_first_of_each_rule_and_agent_is_told(void **state)
{
    CLEANUP(finding_watch_done) FindingWatch watch = {0};
    CLEANUP(buf_done) Buf line = {0};
    FindingNote note = {.finding = {FINDING_NETWORK, STR("connect 8.8.8.8:53"), 1},
                        .agent = STR("bob"),
                        .set = 3,
                        .game = 17,
                        .in_game = true};
    (void)state;

    finding_watch_add(&watch, NULL, 0, &note, &line);
    assert_string_equal(buf_cstr(&line),
                        "set 3, game 17: agent bob tried what is forbidden: connect "
                        "8.8.8.8:53 (network)");
    buf_clear(&line);
    finding_watch_add(&watch, NULL, 0, &note, &line);
    assert_int_equal(line.len, 0);
    note.finding.rule = FINDING_WRITE;
    note.in_game = false;
    finding_watch_add(&watch, NULL, 0, &note, &line);
    assert_string_equal(buf_cstr(&line), "set 3, behind its games: agent bob tried what is "
                                         "forbidden: connect 8.8.8.8:53 (write)");
    buf_clear(&line);
    note.agent = STR("bo");
    finding_watch_add(&watch, NULL, 0, &note, &line);
    assert_true(line.len > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_counts_what_records_say_of_it),
        cmocka_unit_test(each_action_follows_and_what_is_allowed_is_left_out),
        cmocka_unit_test(a_ruling_holds_for_its_stage_and_those_behind_it),
        cmocka_unit_test(strikes_that_were_dismissed_do_not_add_up),
        cmocka_unit_test(the_first_of_each_rule_and_agent_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
