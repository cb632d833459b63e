#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digest.h"
#include "disk/tree_digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Tree {
    char dir[64];
} Tree;

static int make_tree(void **state)
{
    static Tree tree;

    snprintf(tree.dir, sizeof(tree.dir), "/tmp/warg-tree-XXXXXX");
    *state = &tree;
    return mkdtemp(tree.dir) ? 0 : -1;
}

static int drop_tree(void **state)
{
    const Tree *tree = *state;
    char command[128];

    snprintf(command, sizeof(command), "rm -rf '%s'", tree->dir);
    return system(command); /* NOLINT(cert-env33-c): of a test */
}

static void put_file(const Tree *tree, const char *name, const char *text, mode_t mode)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", tree->dir, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

static void put_folder(const Tree *tree, const char *name)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", tree->dir, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static Key digest(const Tree *tree)
{
    Err err = {0};
    Key key = {{0}};

    if (tree_digest(tree->dir, &key, &err))
        fail_msg("%s", err.msg);
    return key;
}

static bool is_same(Key a, Key b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/* docs/spec/contest-operations.md 5.2. */
static void the_digest_is_that_of_the_lines_of_all_files(void **state)
{
    const Tree *tree = *state;
    char a[SHA256_HEX_BYTES], b[SHA256_HEX_BYTES], hex[SHA256_HEX_BYTES], text[512];
    Key expected;

    put_folder(tree, "a");
    put_file(tree, "a/b", "one", 0640);
    put_file(tree, "a.b", "two\n", 0700);
    assert_int_equal(sha256_hex(STR("one"), a, NULL), 0);
    assert_int_equal(sha256_hex(STR("two\n"), b, NULL), 0);
    /* '.' comes before '/': the order is that of whole paths. */
    int n = snprintf(text, sizeof(text), "a.b%c0555%c4%c%s\na/b%c0444%c3%c%s\n", 0, 0, 0, b, 0, 0,
                     0, a);
    assert_int_equal(sha256_hex((Str){text, (size_t)n}, hex, NULL), 0);
    assert_true(key_from_hex(str_of(hex), &expected));
    assert_true(is_same(digest(tree), expected));
}

static void every_change_of_a_file_is_seen_but_what_interpreters_leave(void **state)
{
    const Tree *tree = *state;
    char link[256], moved[256], from[256];

    put_file(tree, "agent.py", "print(1)", 0644);
    Key before = digest(tree);
    put_file(tree, "agent.py", "print(2)", 0644);
    assert_false(is_same(before, digest(tree)));
    put_file(tree, "agent.py", "print(1)", 0755);
    assert_false(is_same(before, digest(tree)));
    put_file(tree, "agent.py", "print(1)", 0600); /* no mode that matters */
    assert_true(is_same(before, digest(tree)));
    put_folder(tree, "__pycache__");
    put_file(tree, "__pycache__/agent.pyc", "x", 0644);
    assert_true(is_same(before, digest(tree)));
    snprintf(link, sizeof(link), "%s/data", tree->dir);
    assert_int_equal(symlink("agent.py", link), 0);
    Key linked = digest(tree);
    assert_false(is_same(before, linked));
    unlink(link);
    assert_int_equal(symlink("other", link), 0);
    assert_false(is_same(linked, digest(tree)));
    unlink(link);
    snprintf(from, sizeof(from), "%s/agent.py", tree->dir);
    snprintf(moved, sizeof(moved), "%s/agent2.py", tree->dir);
    assert_int_equal(rename(from, moved), 0);
    assert_false(is_same(before, digest(tree)));
}

static void what_is_no_file_is_refused(void **state)
{
    const Tree *tree = *state;
    char path[256];
    Err err = {0};
    Key key;

    snprintf(path, sizeof(path), "%s/fifo", tree->dir);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(tree_digest(tree->dir, &key, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "'fifo' is no file"));
    snprintf(path, sizeof(path), "%s/absent", tree->dir);
    assert_int_equal(tree_digest(path, &key, NULL), ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_digest_is_that_of_the_lines_of_all_files, make_tree,
                                        drop_tree),
        cmocka_unit_test_setup_teardown(every_change_of_a_file_is_seen_but_what_interpreters_leave,
                                        make_tree, drop_tree),
        cmocka_unit_test_setup_teardown(what_is_no_file_is_refused, make_tree, drop_tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
