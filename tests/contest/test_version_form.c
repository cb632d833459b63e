/* Which program of a tree is started, and by which words; what is missing is answered by what is
 * there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contest/version_form.h"

#include "archive/remark.h"

#include "base/mem.h"
#include "disk/folder.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char tree[64], platform_folder[64];
static VersionPlatform platform;

static int set_up(void **state)
{
    (void)state;
    platform = (VersionPlatform){0};
    snprintf(tree, sizeof(tree), "/tmp/warg-form-XXXXXX");
    snprintf(platform_folder, sizeof(platform_folder), "/tmp/warg-platform-XXXXXX");
    return mkdtemp(tree) && mkdtemp(platform_folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return folder_remove(tree, NULL) || folder_remove(platform_folder, NULL);
}

static void put(const char *folder, const char *name, Str bytes, unsigned mode)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/%s", folder, name);
    assert_int_equal(folder_make_for(buf_cstr(&path), NULL), 0);
    FILE *file = fopen(buf_cstr(&path), "we");
    assert_non_null(file);
    fwrite(bytes.bytes, 1, bytes.len, file);
    fclose(file);
    assert_int_equal(chmod(buf_cstr(&path), mode), 0);
}

static void put_file(const char *name)
{
    put(tree, name, STR("x"), 0444);
}

static int find(const char *language, const char *entry, Plan *plan, PlanAgent *agent, Err *err)
{
    const VersionForm form = {.tree = tree,
                              .team = STR("team_foo"),
                              .language = str_of(language),
                              .entry = str_of(entry),
                              .platform = &platform};

    return version_form_agent(&form, plan, agent, err);
}

static void starts(const char *language, const char *entry, const char *profile,
                   const char *command)
{
    CLEANUP(plan_done) Plan plan = {0};
    PlanAgent agent = {0};
    Err err = {0};

    assert_int_equal(plan_init(&plan, NULL), 0);
    if (find(language, entry, &plan, &agent, &err))
        fail_msg("%s", err.msg);
    assert_string_equal(agent.command, command);
    assert_string_equal(agent.profile, profile);
    assert_string_equal(agent.folder, tree);
    assert_string_equal(agent.name, "team_foo");
    assert_true(agent.own_folder);
}

static void is_refused(const char *language, const char *entry, const char *sentence)
{
    CLEANUP(plan_done) Plan plan = {0};
    PlanAgent agent = {0};
    Err err = {0};
    FileRemark remark;

    assert_int_equal(plan_init(&plan, NULL), 0);
    assert_int_equal(find(language, entry, &plan, &agent, &err), ERR_RULE);
    assert_string_equal(err.msg, sentence);
    assert_true(remark_read(str_of(sentence), &remark)); /* it is said in Japanese, too */
}

#define WORDS " -h {host} -p {port} -n {name}"

static void python_starts_in_the_folder_of_its_script(void **state)
{
    (void)state;
    put_file("start.py");
    starts("python", "start.py", "python", "python3 -B -X utf8 'start.py'" WORDS);
    put_file("team_foo/start.py"); /* R21's form stands before the other */
    starts("python", "start.py", "python",
           "cd 'team_foo' && exec python3 -B -X utf8 'start.py'" WORDS);
    put_file(".deps/numpy/__init__.py");
    starts("python", "start.py", "python",
           "cd 'team_foo' && PYTHONPATH=../.deps exec python3 -B -X utf8 'start.py'" WORDS);
    put_file("other.py");
    starts("python", "other.py", "python",
           "PYTHONPATH=.deps exec python3 -B -X utf8 'other.py'" WORDS);
}

static void what_is_missing_is_answered_by_what_is_there(void **state)
{
    char name[16];

    (void)state;
    is_refused("python", "a.py",
               "'a.py', at the root or in 'team_foo/', is not there; there is: -");
    put_file("b.py");
    put_file("team_foo/c.py");
    is_refused("python", "a.py",
               "'a.py', at the root or in 'team_foo/', is not there; there is: b.py, team_foo/; "
               "team_foo/c.py");
    for (int i = 0; i < 14; i++) {
        snprintf(name, sizeof(name), "d%02d.txt", i);
        put_file(name);
    }
    is_refused("java", "Player",
               "the jar is not there; there is: b.py, d00.txt, d01.txt, d02.txt, d03.txt, d04.txt, "
               "d05.txt, d06.txt, d07.txt, d08.txt, d09.txt, d10.txt, … (+4); team_foo/c.py");
    is_refused("rust", "a", "language: 'rust' is none of java, dotnet, python and native");
}

static void names_are_one_word_of_the_shell(void **state)
{
    (void)state;
    put_file("x';touch evil;'.py");
    starts("python", "x';touch evil;'.py", "python",
           "python3 -B -X utf8 'x'\\'';touch evil;'\\''.py'" WORDS);
    put(tree, "$(evil)", STR("#!/bin/true\n"), 0555);
    starts("native", "$(evil)", "native", "'./$(evil)'" WORDS);
}

static void a_link_is_not_followed(void **state)
{
    CLEANUP(buf_done) Buf path = {0};

    (void)state;
    buf_printf(&path, "%s/start.py", tree);
    assert_int_equal(symlink("/etc/passwd", buf_cstr(&path)), 0);
    CLEANUP(plan_done) Plan plan = {0};
    PlanAgent agent = {0};
    assert_int_equal(plan_init(&plan, NULL), 0);
    assert_int_equal(find("python", "start.py", &plan, &agent, NULL), ERR_RULE);
}

static void of_java_the_platform_stands_in_front_and_jars_follow_by_name(void **state)
{
    CLEANUP(buf_done) Buf command = {0};

    (void)state;
    put_file("agent.jar");
    put_file("lib/b.jar");
    put_file("lib/a.jar");
    put_file("lib/note.txt");
    put(platform_folder, "z.jar", STR("x"), 0444);
    put(platform_folder, "c.jar", STR("x"), 0444);
    platform.java_lib = platform_folder;
    buf_printf(&command,
               "java -XX:+UseSerialGC -XX:CICompilerCount=2 "
               "-XX:-UseDynamicNumberOfCompilerThreads -XX:-UsePerfData -cp "
               "'%s/c.jar:%s/z.jar:agent.jar:lib/a.jar:lib/b.jar' "
               "org.aiwolf.common.bin.ClientStarter -h {host} -p {port} -c 'org.x.P' -n {name}",
               platform_folder, platform_folder);
    starts("java", "org.x.P", "java", buf_cstr(&command));
}

static void jars_of_the_platform_are_known_by_name(void **state)
{
    static const char *const theirs[] = {"aiwolf-client-0.6.3.jar", "lib/aiwolf-common.jar",
                                         "aiwolf-server.jar", "a/b/aiwolf-viewer-1.jar",
                                         "jsonic-1.3.10.jar"};
    static const char *const others[] = {"aiwolf-sample.jar",   "jsonic.jar",
                                         "aiwolf-client.txt",   "my-aiwolf-client.jar",
                                         "aiwolf-client/x.jar", ".jar"};

    (void)state;
    for (size_t i = 0; i < sizeof(theirs) / sizeof(theirs[0]); i++)
        assert_true(version_form_is_platform_jar(str_of(theirs[i])));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(version_form_is_platform_jar(str_of(others[i])));
}

static void dotnet_needs_a_starter_or_is_a_program(void **state)
{
    (void)state;
    put_file("team_foo.dll");
    is_refused("dotnet", "", "this contest has no starter for .NET: its file names none");
    platform.dotnet_starter = "/srv/platform/Starter.exe";
    starts("dotnet", "", "mono", "mono '/srv/platform/Starter.exe' 'team_foo.dll'" WORDS);
    platform.dotnet_starter = "/srv/platform/starter.dll";
    starts("dotnet", "team_foo.dll", "dotnet",
           "dotnet '/srv/platform/starter.dll' 'team_foo.dll'" WORDS);
    put(tree, "run", STR("x"), 0555);
    starts("dotnet", "run", "dotnet", "'./run'" WORDS);
    is_refused("dotnet", "bar.dll",
               "'bar.dll' at the root is not there; there is: run, team_foo.dll");
}

static void a_native_program_is_one_of_this_machine(void **state)
{
    (void)state;
    put(tree, "text", STR("hello"), 0555);
    is_refused("native", "text", "'text' is no program of Linux: neither ELF nor '#!'");
    put(tree, "team_foo/run", STR("#!/bin/sh\n"), 0555);
    starts("native", "run", "native", "'./team_foo/run'" WORDS);
    char elf[64] = "\x7f"
                   "ELF\x01\x01\x01";
    put(tree, "old", (Str){elf, sizeof(elf)}, 0555);
    is_refused("native", "old",
               "'old' is a program of another kind of machine (ELF machine 0, 32 bits)");
}

static void cells_show_what_of_the_platform_a_language_needs(void **state)
{
    CLEANUP(plan_done) Plan plan = {0};

    (void)state;
    platform = (VersionPlatform){"/srv/platform/java", "/srv/net/starter.dll", "/srv/wheels"};
    assert_int_equal(plan_init(&plan, NULL), 0);
    assert_int_equal(version_form_show(&platform, STR("java"), &plan, NULL), 0);
    assert_int_equal(version_form_show(&platform, STR("dotnet"), &plan, NULL), 0);
    assert_int_equal(version_form_show(&platform, STR("java"), &plan, NULL), 0);
    assert_int_equal(version_form_show(&platform, STR("python"), &plan, NULL), 0);
    assert_int_equal(plan.cell.read_count, 2);
    assert_string_equal(plan.cell.read[0], "/srv/platform/java");
    assert_string_equal(plan.cell.read[1], "/srv/net");
}

int main(void)
{
#define IN_TREE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_TREE(python_starts_in_the_folder_of_its_script),
        IN_TREE(what_is_missing_is_answered_by_what_is_there),
        IN_TREE(names_are_one_word_of_the_shell),
        IN_TREE(a_link_is_not_followed),
        IN_TREE(of_java_the_platform_stands_in_front_and_jars_follow_by_name),
        IN_TREE(jars_of_the_platform_are_known_by_name),
        IN_TREE(dotnet_needs_a_starter_or_is_a_program),
        IN_TREE(a_native_program_is_one_of_this_machine),
        IN_TREE(cells_show_what_of_the_platform_a_language_needs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
