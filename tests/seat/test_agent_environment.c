#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "seat/agent_environment.h"

#include "base/mem.h"

static const char *const ours[] = {
    "PATH=/usr/bin", "OPENAI_API_KEY=secret", "HOME=/h/a", "LANG=C.UTF-8", "TZ=UTC", "PWD=/here",
    "JAVA_HOME=/j",  "WARG_XMPP_SECRET=s",    "PATHS=no",  "EMPTY=",       NULL};

/* The texts, blanks between. */
static void environment_is(const char *env, const char *const *from, const char *expected)
{
    CLEANUP(mem_freep) const char **list = agent_environment_of(env, from);
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

/* That of a strict cell, blanks between, with ours in the process. */
static void strict_environment_is(const char *env, const char *const *runtime, const char *expected)
{
    CLEANUP(mem_freep) const char **list = agent_environment_strict(env, runtime, "/agent");
    CLEANUP(buf_done) Buf text = {0};

    assert_non_null(list);
    for (size_t i = 0; list[i]; i++)
        buf_printf(&text, "%s%s", i ? " " : "", list[i]);
    assert_string_equal(buf_cstr(&text), expected);
}

#define STRICT                                                                                     \
    "HOME=/agent PATH=/usr/bin:/bin USER=agent LANG=C.UTF-8 TZ=UTC OMP_NUM_THREADS=1 "             \
    "OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1"

static void in_a_strict_cell_it_is_exactly_this_and_the_runtimes(void **state)
{
    static const char *const none[] = {NULL};
    static const char *const python[] = {"PYTHONUNBUFFERED=1", "PYTHONDONTWRITEBYTECODE=1", NULL};

    (void)state;
    assert_int_equal(setenv("WARG_TEST_SECRET", "s", 1), 0);
    assert_int_equal(setenv("HOME", "/srv/organiser", 1), 0);
    strict_environment_is(NULL, none, STRICT);
    strict_environment_is(NULL, python, STRICT " PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1");
}

static void in_a_strict_cell_what_is_named_comes_behind_and_replaces_nothing(void **state)
{
    static const char *const python[] = {"PYTHONUNBUFFERED=1", NULL};

    (void)state;
    assert_int_equal(setenv("WARG_TEST_GIVEN", "a b", 1), 0);
    assert_int_equal(setenv("PYTHONUNBUFFERED", "0", 1), 0);
    strict_environment_is("WARG_TEST_GIVEN HOME PATH PYTHONUNBUFFERED WARG_TEST_NOT_SET", python,
                          STRICT " PYTHONUNBUFFERED=1 WARG_TEST_GIVEN=a b");
    strict_environment_is("*", python, STRICT " PYTHONUNBUFFERED=1"); /* not all of ours */
}

static void what_was_left_out_is_told_by_name_only(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    agent_environment_add_left_out("JAVA_HOME", ours, &out);
    assert_string_equal(buf_cstr(&out), "EMPTY, OPENAI_API_KEY, PATHS, WARG_XMPP_SECRET");
    buf_clear(&out);
    agent_environment_add_left_out("*", ours, &out);
    assert_int_equal(out.len, 0);
}

static void of_many_names_the_first_are_told_and_how_many_more(void **state)
{
    static const char name[] = "VARIABLE_OF_TWENTY_5=1";
    const char *many[101];
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    for (size_t i = 0; i < 100; i++)
        many[i] = name;
    many[100] = NULL;
    agent_environment_add_left_out(NULL, many, &out);
    assert_in_range(out.len, 300, 450);
    assert_non_null(strstr(buf_cstr(&out), " more"));
}

static void one_whose_program_was_not_found_gets_no_list(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    bool hinted = false;

    (void)state;
    assert_int_equal(setenv("WARG_TEST_LEFT_OUT", "1", 1), 0);
    agent_environment_add_hint(NULL, (ChildEnd){.status = 127}, &hinted, &out);
    agent_environment_add_hint(NULL, (ChildEnd){.status = 126}, &hinted, &out);
    assert_int_equal(out.len, 0);
    assert_false(hinted);
}

static void the_names_are_listed_once_a_run(void **state)
{
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    bool hinted = false;

    (void)state;
    assert_int_equal(setenv("WARG_TEST_LEFT_OUT", "1", 1), 0);
    agent_environment_add_hint(NULL, (ChildEnd){.status = 1}, &hinted, &first);
    agent_environment_add_hint(NULL, (ChildEnd){.status = 1}, &hinted, &second);
    assert_non_null(strstr(buf_cstr(&first), "name it with env=NAME"));
    assert_null(strstr(buf_cstr(&second), "these variables"));
    assert_non_null(strstr(buf_cstr(&second), "env=NAME"));
}

static void names_are_checked(void **state)
{
    static const char *const bad[] = {"", "A B", "A=1", "1A", "A-B", "**", "\xe5\xb1\xb1"};
    CLEANUP(buf_done) Buf names = {0};

    (void)state;
    assert_int_equal(agent_environment_add_name(STR("FOO_1"), &names, NULL), 0);
    assert_int_equal(agent_environment_add_name(STR("*"), &names, NULL), 0);
    assert_string_equal(buf_cstr(&names), "FOO_1 *");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        Err err = {0};
        assert_int_equal(agent_environment_add_name(str_of(bad[i]), &names, &err), ERR_USAGE);
        assert_non_null(strstr(err.msg, "env=NAME"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_gets_four_variables_and_no_key),
        cmocka_unit_test(a_variable_that_is_named_comes_too),
        cmocka_unit_test(a_star_is_all_of_them),
        cmocka_unit_test(an_environment_without_anything_is_one_too),
        cmocka_unit_test(in_a_strict_cell_it_is_exactly_this_and_the_runtimes),
        cmocka_unit_test(in_a_strict_cell_what_is_named_comes_behind_and_replaces_nothing),
        cmocka_unit_test(what_was_left_out_is_told_by_name_only),
        cmocka_unit_test(of_many_names_the_first_are_told_and_how_many_more),
        cmocka_unit_test(one_whose_program_was_not_found_gets_no_list),
        cmocka_unit_test(the_names_are_listed_once_a_run),
        cmocka_unit_test(names_are_checked),
    };

    return cmocka_run_group_tests_name("environments of agents", tests, NULL, NULL);
}
