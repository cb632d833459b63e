#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/agent_cell.h"

#include <unistd.h>

static const char *const ours[] = {
    "PATH=/usr/bin", "OPENAI_API_KEY=secret", "HOME=/h/a", "LANG=C.UTF-8", "TZ=UTC", "PWD=/here",
    "JAVA_HOME=/j",  "WARG_XMPP_SECRET=s",    "PATHS=no",  "EMPTY=",       NULL};

/* The texts, blanks between. */
static void environment_is(const char *env, const char *const *from, const char *expected)
{
    const PlanAgent agent = {.name = "a", .env = env};
    CLEANUP(mem_freep) const char **list = agent_cell_environment(&agent, from);
    CLEANUP(buf_done) Buf text = {0};

    assert_non_null(list);
    for (size_t i = 0; list[i]; i++)
        buf_printf(&text, "%s%s", i ? " " : "", list[i]);
    assert_string_equal(buf_cstr(&text), expected);
}

static void an_agent_gets_four_variables_and_no_key(void **state)
{
    (void)state;
    environment_is(NULL, ours, "PATH=/usr/bin HOME=/h/a LANG=C.UTF-8 TZ=UTC PYTHONUNBUFFERED=1");
}

static void a_variable_that_is_named_comes_too(void **state)
{
    (void)state;
    environment_is("JAVA_HOME EMPTY NOT_SET", ours,
                   "PATH=/usr/bin HOME=/h/a LANG=C.UTF-8 TZ=UTC JAVA_HOME=/j EMPTY= "
                   "PYTHONUNBUFFERED=1");
}

static void a_star_is_all_of_them(void **state)
{
    static const char *const few[] = {"A=1", "PYTHONUNBUFFERED=0", "B=2", NULL};

    (void)state;
    environment_is("*", few, "A=1 PYTHONUNBUFFERED=0 B=2");
}

static void an_environment_without_anything_is_one_too(void **state)
{
    static const char *const none[] = {NULL};

    (void)state;
    environment_is(NULL, none, "PYTHONUNBUFFERED=1");
}

static void what_was_left_out_is_told_by_name_only(void **state)
{
    const PlanAgent agent = {.name = "a", .env = "JAVA_HOME"};
    const PlanAgent all = {.name = "a", .env = "*"};
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    agent_cell_add_left_out(&agent, ours, &out);
    assert_string_equal(buf_cstr(&out), "EMPTY, OPENAI_API_KEY, PATHS, WARG_XMPP_SECRET");
    buf_clear(&out);
    agent_cell_add_left_out(&all, ours, &out);
    assert_int_equal(out.len, 0);
}

static void of_many_names_the_first_are_told_and_how_many_more(void **state)
{
    static const PlanAgent agent = {.name = "a"};
    static const char name[] = "VARIABLE_OF_TWENTY_5=1";
    const char *many[101];
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    for (size_t i = 0; i < 100; i++)
        many[i] = name;
    many[100] = NULL;
    agent_cell_add_left_out(&agent, many, &out);
    assert_in_range(out.len, 300, 450);
    assert_non_null(strstr(buf_cstr(&out), " more"));
}

static void one_whose_program_was_not_found_gets_no_list(void **state)
{
    static const PlanAgent agent = {.name = "a"};
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    assert_int_equal(setenv("WARG_TEST_LEFT_OUT", "1", 1), 0);
    agent_cell_add_hint(&agent, (ChildEnd){.status = 127}, &out);
    agent_cell_add_hint(&agent, (ChildEnd){.status = 126}, &out);
    assert_int_equal(out.len, 0);
    agent_cell_add_hint(&agent, (ChildEnd){.status = 1}, &out);
    assert_non_null(strstr(buf_cstr(&out), "env=NAME"));
}

static void names_are_checked(void **state)
{
    static const char *const bad[] = {"", "A B", "A=1", "1A", "A-B", "**", "\xe5\xb1\xb1"};
    CLEANUP(buf_done) Buf names = {0};

    (void)state;
    assert_int_equal(agent_cell_add_name(STR("FOO_1"), &names, NULL), 0);
    assert_int_equal(agent_cell_add_name(STR("*"), &names, NULL), 0);
    assert_string_equal(buf_cstr(&names), "FOO_1 *");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        Err err = {0};
        assert_int_equal(agent_cell_add_name(str_of(bad[i]), &names, &err), ERR_USAGE);
        assert_non_null(strstr(err.msg, "env=NAME"));
    }
}

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
        cmocka_unit_test(an_agent_gets_four_variables_and_no_key),
        cmocka_unit_test(a_variable_that_is_named_comes_too),
        cmocka_unit_test(a_star_is_all_of_them),
        cmocka_unit_test(an_environment_without_anything_is_one_too),
        cmocka_unit_test(what_was_left_out_is_told_by_name_only),
        cmocka_unit_test(of_many_names_the_first_are_told_and_how_many_more),
        cmocka_unit_test(one_whose_program_was_not_found_gets_no_list),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(a_plan_that_starts_nobody_needs_no_cell),
        cmocka_unit_test(who_gets_everything_or_sits_among_the_results_is_told_of),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
