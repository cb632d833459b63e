#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/agent_cell.h"

#include <unistd.h>

static void a_plan_that_starts_nobody_needs_no_cell(void **state)
{
    const AgentCellSetup setup = {.umask = 022};
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(buf_done) Buf notes = {0};
    PlanAgent agent = {.name = "s", .bot = bot_kind(STR("sample"))};
    Cell *cell = (Cell *)&plan;

    (void)state;
    assert_int_equal(plan_init(&plan, NULL), 0);
    assert_int_equal(plan_add_agent(&plan, &agent, NULL), 0);
    assert_int_equal(agent_cell_new(&setup, "/nowhere", &plan, &cell, &notes, NULL), 0);
    assert_null(cell);
    assert_int_equal(notes.len, 0);
}

static void who_gets_everything_or_sits_among_the_results_is_told_of(void **state)
{
    const AgentCellSetup setup = {.umask = 022};
    char folder[] = "/tmp/warg-agent-cell-XXXXXX";
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(buf_done) Buf notes = {0};
    CLEANUP(cell_freep) Cell *cell = NULL;
    PlanAgent all = {.name = "all", .command = "true", .env = "*"};
    PlanAgent inside = {.name = "inside", .command = "true", .env = "PATH WARG_NOT_SET"};

    (void)state;
    assert_non_null(mkdtemp(folder));
    inside.folder = folder;
    assert_int_equal(plan_init(&plan, NULL), 0);
    assert_int_equal(plan_add_agent(&plan, &all, NULL), 0);
    assert_int_equal(plan_add_agent(&plan, &inside, NULL), 0);
    assert_int_equal(agent_cell_new(&setup, folder, &plan, &cell, &notes, NULL), 0);
    rmdir(folder);
    assert_non_null(strstr(buf_cstr(&notes), "agent all gets the whole environment"));
    assert_non_null(strstr(buf_cstr(&notes), "agent inside is to get WARG_NOT_SET"));
    assert_null(strstr(buf_cstr(&notes), "is to get PATH"));
    if (cell_lack(cell).len) {
        assert_non_null(strstr(buf_cstr(&notes), "this machine gives no namespaces"));
        print_message("no cells here: %.*s\n", STR_ARG(cell_lack(cell)));
        skip();
    }
    assert_non_null(strstr(buf_cstr(&notes), "agent inside runs in the folder of the results"));
    assert_non_null(strstr(buf_cstr(&notes), "does not find files of its own"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_that_starts_nobody_needs_no_cell),
        cmocka_unit_test(who_gets_everything_or_sits_among_the_results_is_told_of),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
