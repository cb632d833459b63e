#define _GNU_SOURCE /* memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cell/profile.h"

#include "base/mem.h"
#include "cell/strict_order.h"
#include "cell/witness.h"

#include <string.h>

static const char *const names[] = {"java", "python", "mono", "dotnet", "native"};

#define NAMES (sizeof(names) / sizeof(names[0]))

static void runs_with(const char *command, const char *name)
{
    const CellProfile *profile = cell_profile_of_command(str_of(command));

    if (strcmp(profile->name, name) != 0)
        fail_msg("'%s' is of '%s', not of '%s'", command, profile->name, name);
}

static void each_runtime_is_found_by_its_name_and_others_are_not(void **state)
{
    CLEANUP(buf_done) Buf all = {0};

    (void)state;
    for (size_t i = 0; i < NAMES; i++)
        assert_string_equal(cell_profile(str_of(names[i]))->name, names[i]);
    assert_null(cell_profile(STR("")));
    assert_null(cell_profile(STR("Java")));
    assert_null(cell_profile(STR("python3")));
    cell_profile_names(&all);
    assert_string_equal(buf_cstr(&all), "java, python, mono, dotnet, native");
}

static void a_command_is_known_by_its_first_word(void **state)
{
    (void)state;
    runs_with("java -cp a B", "java");
    runs_with("  /usr/lib/jvm/bin/java -version", "java");
    runs_with("exec java -version", "java");
    runs_with("python3 agent.py", "python");
    runs_with("exec  /usr/bin/python3.11 agent.py", "python");
    runs_with("env python3 agent.py", "python");
    runs_with("LANG=C A=b /usr/bin/python3 agent.py", "python");
    runs_with("./agent.py -h x", "python");
    runs_with("./a=b/agent", "native");
    runs_with("python3.8 agent.py", "native");
    runs_with("mono a.dll", "mono");
    runs_with("dotnet a.dll", "dotnet");
    runs_with("./java/agent", "native");
    runs_with("./agent java", "native");
    runs_with("LANG=C LC_ALL=C java -cp a B", "java");
    runs_with("env -u X java -cp a B", "native");
    runs_with("/usr/bin/env X=1 python3 agent.py", "python");
    runs_with("exec env X=1 mono a.exe", "mono");
    runs_with("./start.py -h 127.0.0.1", "python");
    runs_with("./start-a=b.sh", "native");
    runs_with("X=1", "native");
    runs_with("", "native");
}

static void a_script_of_the_shell_hides_what_it_starts(void **state)
{
    (void)state;
    assert_true(cell_profile_is_hidden(STR("sh run.sh -h {host}")));
    assert_true(cell_profile_is_hidden(STR("X=1 exec ./run.sh")));
    assert_true(cell_profile_is_hidden(STR("/bin/bash -c 'java A'")));
    assert_false(cell_profile_is_hidden(STR("java -cp run.sh A")));
    assert_false(cell_profile_is_hidden(STR("./agent")));
    assert_false(cell_profile_is_hidden(STR("")));
}

static void command_is(const char *name, const char *entry, const char *text)
{
    CLEANUP(buf_done) Buf out = {0};

    cell_profile_command(cell_profile(str_of(name)), entry, &out);
    assert_string_equal(buf_cstr(&out), text);
}

static void a_command_has_its_entry_and_keeps_the_games_own_words(void **state)
{
    (void)state;
    command_is("native", "agent", "./'agent' -h {host} -p {port} -n {name}");
    command_is("python", "a b.py", "python3 -B -X utf8 'a b.py' -h {host} -p {port} -n {name}");
    command_is("native", "it's; rm", "./'it'\\''s; rm' -h {host} -p {port} -n {name}");
    command_is("java", "org.A",
               "java -XX:+UseSerialGC -XX:CICompilerCount=2 "
               "-XX:-UseDynamicNumberOfCompilerThreads -XX:-UsePerfData -cp '*:.' "
               "org.aiwolf.common.bin.ClientStarter -h {host} -p {port} -c 'org.A' -n {name}");
}

/* An entry is text and nothing else: its braces are no words of ours. */
static void braces_of_an_entry_stay(void **state)
{
    (void)state;
    command_is("native", "{heap}{entry}", "./'{heap}{entry}' -h {host} -p {port} -n {name}");
}

/* A runtime would take a part of the machine's memory, which may be more than its cell has. */
static void a_heap_is_three_quarters_of_what_the_cell_gives(void **state)
{
    CLEANUP(mem_freep)
    const char **java = cell_profile_environment(cell_profile(STR("java")), (uint64_t)1 << 30);
    CLEANUP(mem_freep)
    const char **dotnet = cell_profile_environment(cell_profile(STR("dotnet")), (uint64_t)1 << 30);
    CLEANUP(mem_freep)
    const char **python = cell_profile_environment(cell_profile(STR("python")), 0);
    bool limited = false;

    (void)state;
    assert_string_equal(java[0], "JAVA_TOOL_OPTIONS=-Xmx768m");
    assert_null(java[1]);
    for (size_t i = 0; dotnet[i]; i++)
        limited |= strcmp(dotnet[i], "DOTNET_GCHeapHardLimit=30000000") == 0;
    assert_true(limited);
    assert_string_equal(python[0], "PYTHONUNBUFFERED=1");
}

static size_t count_list(const char *const *list)
{
    size_t count = 0;

    while (list[count])
        count++;
    return count;
}

static void what_a_profile_lists_fits_into_an_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        const CellProfile *profile = cell_profile(str_of(names[i]));
        assert_true(count_list(profile->noise) <= PROFILE_LISTED_MAX);
        assert_true(count_list(profile->usual) <= PROFILE_LISTED_MAX);
        for (size_t word = 0; profile->usual[word]; word++) /* as the kernel cuts them */
            assert_true(strlen(profile->usual[word]) <= 15);
        for (size_t word = 0; profile->environment[word]; word++)
            assert_non_null(strchr(profile->environment[word], '='));
    }
    assert_true(PROFILE_LISTED_MAX <= ORDER_LISTED_MAX);
}

static bool is_noise(const char *name, const char *text)
{
    const CellProfile *profile = cell_profile(str_of(name));

    return witness_is_listed(profile->noise, count_list(profile->noise), text);
}

static void noise_is_what_a_runtime_does_by_itself_and_nothing_more(void **state)
{
    (void)state;
    assert_true(is_noise("java", "open for writing /tmp/hsperfdata_agent/2"));
    assert_false(is_noise("java", "connect [::1]:10001"));
    assert_false(is_noise("java", "connect 127.0.0.1:10001"));
    assert_true(is_noise("java", "open for writing /agent/hs_err_pid2.log"));
    assert_false(is_noise("java", "open for writing /tmp/memo"));
    assert_true(is_noise("mono", "open for writing /dev/shm/mono.2"));
    assert_false(is_noise("mono", "open for writing /tmp/memo"));
    assert_true(is_noise("mono", "send to an address of family 16")); /* NETLINK_ROUTE */
    assert_false(is_noise("mono", "send to 192.0.2.1:53"));
    assert_true(is_noise("python", "mkdir /agent/__pycache__"));
    assert_true(is_noise("python", "open for writing /agent/__pycache__/a.cpython-311.pyc.1396"));
    assert_false(is_noise("python", "open for writing /agent/memo.py"));
    assert_false(is_noise("python", "mkdir /agent/memo"));
    assert_false(is_noise("native", "open for writing /tmp/memo"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_runtime_is_found_by_its_name_and_others_are_not),
        cmocka_unit_test(a_command_is_known_by_its_first_word),
        cmocka_unit_test(a_script_of_the_shell_hides_what_it_starts),
        cmocka_unit_test(a_command_has_its_entry_and_keeps_the_games_own_words),
        cmocka_unit_test(braces_of_an_entry_stay),
        cmocka_unit_test(a_heap_is_three_quarters_of_what_the_cell_gives),
        cmocka_unit_test(what_a_profile_lists_fits_into_an_order),
        cmocka_unit_test(noise_is_what_a_runtime_does_by_itself_and_nothing_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
