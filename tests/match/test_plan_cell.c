#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/plan_cell.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static Plan strict_plan(void)
{
    Plan plan;

    assert_int_equal(plan_init(&plan, NULL), 0);
    plan.cell.level = CELL_STRICT;
    return plan;
}

static void add(Plan *plan, const char *name, const char *folder)
{
    PlanAgent agent = {.command = "x {port}", .folder = folder, .own_folder = folder != NULL};

    assert_int_equal(plan_agent_name(&agent, str_of(name), NULL), 0);
    assert_int_equal(plan_add_agent(plan, &agent, NULL), 0);
}

static void assert_refused(const Plan *plan, const char *message)
{
    Err err = {0};

    assert_int_equal(plan_check_cell(plan, &err), ERR_USAGE);
    if (!strstr(err.msg, message))
        fail_msg("'%s' is not in '%s'", message, err.msg);
}

static void without_programs_of_others_every_level_can_be_played(void **state)
{
    CLEANUP(plan_done) Plan plan = strict_plan();
    const PlanAgent bot = {.name = "bot", .bot = bot_kind(STR("sample"))};
    const PlanAgent model = {.name = "demo", .command = "ours", .tells = true};
    const PlanAgent guest = {.name = "guest"};
    (void)state;

    assert_int_equal(plan_check_cell(&plan, NULL), 0);
    assert_int_equal(plan_add_agent(&plan, &bot, NULL), 0);
    assert_int_equal(plan_add_agent(&plan, &model, NULL), 0);
    assert_int_equal(plan_add_agent(&plan, &guest, NULL), 0);
    assert_int_equal(plan_check_cell(&plan, NULL), 0);
}

static void a_program_needs_a_folder_only_in_strict_cells(void **state)
{
    CLEANUP(plan_done) Plan plan = strict_plan();
    (void)state;

    add(&plan, "alice", NULL);
    assert_refused(&plan, "agent alice: in a strict cell it sees nothing but its own folder; say "
                          "which with folder=DIR");
    plan.cell.level = CELL_FILTER;
    assert_refused(&plan, "agent alice:");
    plan.cell.level = CELL_LIGHT;
    assert_int_equal(plan_check_cell(&plan, NULL), 0);
    plan.cell.level = CELL_NONE;
    assert_int_equal(plan_check_cell(&plan, NULL), 0);
}

static void nobody_sees_the_folder_of_another_agent(void **state)
{
    CLEANUP(plan_done) Plan plan = strict_plan();
    (void)state;

    add(&plan, "alice", "/no/such/agents/alice/");
    add(&plan, "alice", "/no/such/agents/alice");
    add(&plan, "bob", "/no/such/agents/alice2");
    add(&plan, "carol", "/no/such/agents/alice"); /* she shares it */
    Err err = {0};
    if (plan_check_cell(&plan, &err))
        fail_msg("%s", err.msg);
    add(&plan, "dave", "/no/such/agents");
    assert_refused(&plan, "agent dave: in a strict cell it sees all of its folder "
                          "'/no/such/agents', and that of agent alice lies in there");
}

static void a_link_hides_no_folder(void **state)
{
    CLEANUP(plan_done) Plan plan = strict_plan();
    char top[] = "/tmp/test-plan-cell-XXXXXX";
    char inner[64], link[64];
    (void)state;

    assert_non_null(mkdtemp(top));
    snprintf(inner, sizeof(inner), "%s/bob", top);
    snprintf(link, sizeof(link), "%s-link", top);
    assert_int_equal(mkdir(inner, 0700), 0);
    assert_int_equal(symlink(top, link), 0);
    add(&plan, "alice", link);
    add(&plan, "bob", inner);
    assert_refused(&plan, "that of agent bob lies in there");
    unlink(link);
    rmdir(inner);
    rmdir(top);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_programs_of_others_every_level_can_be_played),
        cmocka_unit_test(a_program_needs_a_folder_only_in_strict_cells),
        cmocka_unit_test(nobody_sees_the_folder_of_another_agent),
        cmocka_unit_test(a_link_hides_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
