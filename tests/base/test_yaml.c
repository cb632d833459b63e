#include "prop.h"

#include "base/buf.h"
#include "base/yaml.h"

static Arena arena;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new(4 * YAML_BYTES_MAX);
    return arena.block ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

static const YamlNode *good(const char *text)
{
    const YamlNode *root = NULL;
    Err err = {0};

    arena_clear(&arena);
    if (yaml_read(str_of(text), &arena, &root, &err) != 0)
        fail_msg("%s (line %u, column %u)", err.msg, err.line, err.column);
    return root;
}

static void refused(const char *text, ErrCode code, unsigned line, unsigned column, const char *msg)
{
    const YamlNode *root = NULL;
    Err err = {0};

    arena_clear(&arena);
    assert_int_equal(yaml_read(str_of(text), &arena, &root, &err), code);
    assert_null(root);
    assert_non_null(strstr(err.msg, msg));
    assert_int_equal(err.line, line);
    assert_int_equal(err.column, column);
}

static void a_map_keeps_keys_values_and_places(void **state)
{
    const YamlNode *root = good("# rules\nname: five\nroles:\n  SEER: 1\n  WEREWOLF: 1\n"
                                "days: [1, 2]\n");
    int64_t count = 0;
    Str name;

    (void)state;
    assert_int_equal(root->kind, YAML_MAP);
    assert_int_equal(root->count, 3);
    assert_int_equal(yaml_str(yaml_get(root, "name"), &name, NULL), 0);
    assert_true(str_eq(name, STR("five")));
    const YamlNode *wolf = yaml_get(yaml_get(root, "roles"), "WEREWOLF");
    assert_non_null(wolf);
    assert_int_equal(wolf->line, 5);
    assert_int_equal(wolf->column, 13);
    assert_int_equal(wolf->key_column, 3);
    assert_int_equal(yaml_int(wolf, 0, 9, &count, NULL), 0);
    assert_int_equal(count, 1);
    const YamlNode *days = yaml_get(root, "days");
    assert_int_equal(days->kind, YAML_LIST);
    assert_int_equal(days->count, 2);
    assert_true(str_eq(days->first->next->text, STR("2")));
    assert_null(days->first->next->next);
    assert_null(yaml_get(root, "nothing"));
    assert_null(yaml_get(days, "name"));
}

static void keys_are_in_the_order_of_the_text(void **state)
{
    const YamlNode *node = good("z: 1\na: 2\nm: 3\n")->first;

    (void)state;
    assert_true(str_eq(node->key, STR("z")));
    assert_true(str_eq(node->next->key, STR("a")));
    assert_true(str_eq(node->next->next->key, STR("m")));
    assert_null(node->next->next->next);
}

static void quotes_and_blocks_are_remembered(void **state)
{
    const YamlNode *root = good("a: plain\nb: 'no'\nc: \"tab\\t人\"\nd: |\n  two\n  lines\ne:\n");

    (void)state;
    assert_false(yaml_get(root, "a")->quoted);
    assert_true(yaml_get(root, "b")->quoted);
    assert_true(str_eq(yaml_get(root, "c")->text, STR("tab\t人")));
    assert_true(str_eq(yaml_get(root, "d")->text, STR("two\nlines\n")));
    assert_int_equal(yaml_get(root, "e")->text.len, 0);
}

static void an_empty_text_is_an_empty_map(void **state)
{
    (void)state;
    assert_int_equal(good("")->kind, YAML_MAP);
    assert_int_equal(good("# nothing\n")->count, 0);
}

static void what_we_leave_out_of_yaml_is_refused_with_its_place(void **state)
{
    (void)state;
    refused("a: &x 1\nb: 2\n", ERR_SYNTAX, 1, 4, "anchors");
    refused("a: *x\n", ERR_SYNTAX, 1, 4, "aliases");
    refused("a: !!int 1\n", ERR_SYNTAX, 1, 4, "tags");
    refused("a: 1\n---\nb: 2\n", ERR_SYNTAX, 2, 1, "one document");
    refused("? [1, 2]\n: 3\n", ERR_SYNTAX, 1, 3, "key");
    refused("x: &a [1]\n", ERR_SYNTAX, 1, 4, "anchors");
}

static void a_key_that_comes_twice_is_refused(void **state)
{
    (void)state;
    refused("a: 1\nb:\n  c: 1\n  c: 2\n", ERR_SYNTAX, 4, 3,
            "key 'c' is here twice, first in line 3");
    good("a: 1\nb:\n  a: 1\n");
}

static void broken_text_is_refused_with_its_place(void **state)
{
    (void)state;
    refused("a: [1, 2\nb: 3\n", ERR_SYNTAX, 2, 2, "expected");
    refused("a: 1\n\tb: 2\n", ERR_SYNTAX, 2, 1, "YAML: ");
    refused("a: \"\xFF\"\n", ERR_SYNTAX, 0, 0, "UTF-8");
}

static void depth_is_limited(void **state)
{
    (void)state;
    good("[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]");
    refused("[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", ERR_LIMIT, 1, 17, "16 levels");
}

static void size_is_limited(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    const YamlNode *root = NULL;
    Err err = {0};

    (void)state;
    for (size_t i = 0; i <= YAML_BYTES_MAX; i++)
        buf_add_char(&text, '#');
    assert_int_equal(yaml_read(buf_str(&text), &arena, &root, &err), ERR_LIMIT);
    assert_string_equal(err.msg, "YAML: the text is larger than 1 MiB");
}

static void a_map_has_a_limited_number_of_keys(void **state)
{
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    for (unsigned i = 0; i <= YAML_KEYS_MAX; i++)
        buf_printf(&text, "k%u: 1\n", i);
    refused(buf_cstr(&text), ERR_LIMIT, YAML_KEYS_MAX + 1, 1, "4096 keys");
}

static void a_full_arena_is_an_error_with_a_place(void **state)
{
    char bytes[300];
    Arena small = arena_over(bytes, sizeof(bytes));
    const YamlNode *root = NULL;
    Err err = {0};

    (void)state;
    assert_int_equal(yaml_read(STR("a: 1\nb: 2\nc: 3\n"), &small, &root, &err), ERR_MEMORY);
    assert_null(root);
    assert_in_range(err.line, 1, 3);
}

static void a_wrong_type_names_the_key_and_what_was_expected(void **state)
{
    const YamlNode *root = good("n: x\nflag: yes\nq: '5'\nlist: [a, 12]\nbig: 10\n");
    int64_t number = 77;
    bool flag = true;
    Str text;
    Err err = {0};

    (void)state;
    assert_int_equal(yaml_int(yaml_get(root, "n"), 1, 9, &number, &err), ERR_SYNTAX);
    assert_string_equal(err.msg, "key 'n': expected a number from 1 to 9, but got 'x'");
    assert_int_equal(err.line, 1);
    assert_int_equal(err.column, 4);
    err = (Err){0};
    assert_int_equal(yaml_bool(yaml_get(root, "flag"), &flag, &err), ERR_SYNTAX);
    assert_string_equal(err.msg, "key 'flag': expected true or false, but got 'yes'");
    err = (Err){0};
    assert_int_equal(yaml_str(yaml_get(root, "list"), &text, &err), ERR_SYNTAX);
    assert_string_equal(err.msg, "key 'list': expected a text, but got a list");
    err = (Err){0};
    assert_int_equal(yaml_int(yaml_get(root, "list")->first, 1, 9, &number, &err), ERR_SYNTAX);
    assert_string_equal(err.msg, "expected a number from 1 to 9, but got 'a'");
    err = (Err){0};
    assert_int_equal(yaml_expect(yaml_get(root, "n"), YAML_MAP, &err), ERR_SYNTAX);
    assert_string_equal(err.msg, "key 'n': expected a map, but got 'x'");
    assert_int_equal(yaml_int(yaml_get(root, "q"), 1, 9, &number, NULL), ERR_SYNTAX);
    assert_int_equal(yaml_int(yaml_get(root, "big"), 1, 9, &number, NULL), ERR_SYNTAX);
    assert_int_equal(number, 77);
    assert_true(flag);
}

/* Whatever the text, reading it ends with a tree or with an error that has a sentence. */
static bool any_text_gives_a_tree_or_an_error(Rng *rng, unsigned size)
{
    static const char *const pieces[] = {"a",  ": ", "\n", "  ", "- ",  "[", "]",    "{",     "}",
                                         ", ", "'",  "\"", "|",  "# c", "&", "\xFF", "---\n", "?"};
    CLEANUP(buf_done) Buf text = {0};
    const YamlNode *root = NULL;
    Err err = {0};

    for (unsigned i = 0; i < size; i++)
        buf_add(&text, str_of(pieces[rng_below(rng, sizeof(pieces) / sizeof(pieces[0]))]));
    arena_clear(&arena);
    int status = yaml_read(buf_str(&text), &arena, &root, &err);
    return status == 0 ? root != NULL : !root && err.code == (ErrCode)status && err.msg[0];
}

static void reading_always_ends_well(void **state)
{
    (void)state;
    prop_check(any_text_gives_a_tree_or_an_error, 3000, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_keeps_keys_values_and_places),
        cmocka_unit_test(keys_are_in_the_order_of_the_text),
        cmocka_unit_test(quotes_and_blocks_are_remembered),
        cmocka_unit_test(an_empty_text_is_an_empty_map),
        cmocka_unit_test(what_we_leave_out_of_yaml_is_refused_with_its_place),
        cmocka_unit_test(a_key_that_comes_twice_is_refused),
        cmocka_unit_test(broken_text_is_refused_with_its_place),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(size_is_limited),
        cmocka_unit_test(a_map_has_a_limited_number_of_keys),
        cmocka_unit_test(a_full_arena_is_an_error_with_a_place),
        cmocka_unit_test(a_wrong_type_names_the_key_and_what_was_expected),
        cmocka_unit_test(reading_always_ends_well),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
