/* test_key_table.c - tables of keys: reading, what is wrong and where, zero values, printing. */
#include "prop.h"

#include "base/key_table.h"

typedef struct Table {
    int32_t players;
    uint16_t port;
    uint64_t games;
    int64_t pause_ms;
    uint32_t grace_ms;
    int32_t tie;
    bool open;
    int32_t twice;
    bool nested;
} Table;

static int read_twice(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    const Table *table = reading->target;
    int32_t *twice = key_place(reading, key);
    int64_t number;
    int rc = key_read_number(reading, node, 0, 100, &number, err);

    if (rc == 0)
        *twice = 2 * (int32_t)number + table->players;
    return rc;
}

static void print_twice(const KeyRow *key, const void *target, Buf *out)
{
    buf_printf(out, "%s: %d # by itself\n", key->path, ((const Table *)target)->twice / 2);
}

static const char *const tie_words[] = {"extra", "all", "lot", NULL};

static const KeyRow rows[] = {
    {"players", KEY_NUMBER, KEY_AT(Table, players), .min = 5, .max = 30, .help = "how many"},
    {"port", KEY_NUMBER, KEY_AT(Table, port), .max = 65535},
    {"games", KEY_NUMBER, KEY_AT(Table, games), .max = INT64_MAX, .zero = "7"},
    {"pause", KEY_SECONDS, KEY_AT(Table, pause_ms), .max = 60},
    {"grace", KEY_TIME, KEY_AT(Table, grace_ms), .min = 1, .max = 5000},
    {"twice", KEY_OWN, KEY_AT(Table, twice), .read = read_twice, .print = print_twice},
    {"vote.tie", KEY_WORD, KEY_AT(Table, tie), .words = tie_words, .help = "who goes on"},
    {"vote.open", KEY_FLAG, KEY_AT(Table, open)},
    {"vote.last.nested", KEY_FLAG, KEY_AT(Table, nested)},
};

static const KeyTable table = KEY_TABLE(rows, NULL);

static int read_text(const KeyTable *by, const char *text, Table *target, void *user, Err *err)
{
    CLEANUP(arena_done) Arena arena = arena_new(65536);
    const YamlNode *root;

    assert_int_equal(yaml_read(str_of(text), &arena, &root, err), 0);
    KeyReading reading = {.table = by, .target = target, .user = user};
    return key_table_read(&reading, root, err);
}

static void assert_refused(const char *text, ErrCode code, unsigned line, unsigned column,
                           const char *message)
{
    Table target = {0};
    Err err = {0};

    assert_int_equal(read_text(&table, text, &target, NULL, &err), code);
    assert_string_equal(err.msg, message);
    assert_int_equal(err.line, line);
    assert_int_equal(err.column, column);
}

static void every_kind_goes_to_its_member(void **state)
{
    Table target = {0};

    (void)state;
    assert_int_equal(read_text(&table,
                               "vote: {open: true, tie: lot, last: {nested: true}}\ntwice: 3\n"
                               "port: 65535\ngames: 9223372036854775807\npause: 60\ngrace: 2s\n"
                               "players: 9\n",
                               &target, NULL, NULL),
                     0);
    assert_int_equal(target.players, 9);
    assert_int_equal(target.port, 65535);
    assert_true(target.games == INT64_MAX);
    assert_int_equal(target.pause_ms, 60000);
    assert_int_equal(target.grace_ms, 2000);
    assert_int_equal(target.tie, 2);
    assert_true(target.open && target.nested);
}

static void rows_are_read_in_the_order_of_the_table(void **state)
{
    Table target = {0};

    (void)state;
    assert_int_equal(read_text(&table, "twice: 3\nplayers: 9\n", &target, NULL, NULL), 0);
    assert_int_equal(target.twice, 15);
}

static void what_is_not_there_stays_as_it_was(void **state)
{
    Table target = {.players = 11, .open = true, .games = 3};

    (void)state;
    assert_int_equal(read_text(&table, "", &target, NULL, NULL), 0);
    assert_int_equal(target.players, 11);
    assert_true(target.open);
}

static void zero_means_what_the_row_says(void **state)
{
    Table target = {0};

    (void)state;
    assert_int_equal(read_text(&table, "port: 1", &target, NULL, NULL), 0);
    assert_int_equal(target.games, 7);
    assert_int_equal(read_text(&table, "games: 0", &target, NULL, NULL), 0);
    assert_int_equal(target.games, 7);
    assert_int_equal(read_text(&table, "games: 2", &target, NULL, NULL), 0);
    assert_int_equal(target.games, 2);
}

static void what_is_wrong_is_told_with_its_place_and_what_is_right(void **state)
{
    (void)state;
    assert_refused("port: 1\nplayers: 31", ERR_SYNTAX, 2, 10,
                   "key 'players': expected a number from 5 to 30, but got '31'");
    assert_refused("players: '9'", ERR_SYNTAX, 1, 10,
                   "key 'players': expected a number from 5 to 30, but got '9'");
    assert_refused("grace: 6s", ERR_SYNTAX, 1, 8,
                   "key 'grace': expected a duration such as 500ms, 10s, 2m or 1h, from 1ms to "
                   "5s, but got '6s'");
    assert_refused("vote: {open: yes}", ERR_SYNTAX, 1, 14,
                   "key 'open': expected true or false, but got 'yes'");
    assert_refused("vote: {tie: lott}", ERR_RULE, 1, 13,
                   "key 'vote.tie': 'lott' is none of extra, all, lot; did you mean 'lot'?");
    assert_refused("vote: {tie: [lot]}", ERR_SYNTAX, 1, 13,
                   "key 'tie': expected a text, but got a list");
    assert_refused("vote: 3", ERR_SYNTAX, 1, 7, "key 'vote': expected a map, but got '3'");
    assert_refused("- 3", ERR_SYNTAX, 1, 1, "expected a map, but got a list");
}

static void an_unknown_key_is_told_first_with_the_nearest(void **state)
{
    (void)state;
    assert_refused("players: x\nvote: {last: {nestd: true}}", ERR_SYNTAX, 2, 15,
                   "unknown key 'nestd': did you mean 'nested'?");
    assert_refused("zzz: 1", ERR_SYNTAX, 1, 1, "unknown key 'zzz'");
}

static bool is_null(const YamlNode *node)
{
    return node->kind == YAML_SCALAR && str_eq(node->text, STR("null"));
}

static int note_unknown(const KeyReading *reading, const char *section, const YamlNode *node,
                        const Suggest *near, Err *err)
{
    (void)near, (void)err;
    buf_printf(reading->user, "%s/%.*s ", section, STR_ARG(node->key));
    return 0;
}

static int refuse_value(const KeyReading *reading, const YamlNode *node, const char *expected,
                        Err *err)
{
    return err_set_at(err, ERR_RULE, node->line, 0, "%s: %s", reading->path, expected);
}

static void a_format_may_have_a_manner_of_its_own(void **state)
{
    static const KeyManner manner = {
        .is_missing = is_null, .unknown = note_unknown, .mismatch = refuse_value};
    static const KeyTable own = KEY_TABLE(rows, &manner);
    CLEANUP(buf_done) Buf notes = {0};
    Table target = {.players = 8};
    Err err = {0};

    (void)state;
    assert_int_equal(
        read_text(&own, "players: null\nvote: null\nvotes: 1\ngames: null", &target, &notes, NULL),
        0);
    assert_int_equal(target.players, 8);
    assert_int_equal(target.games, 7);
    assert_int_equal(read_text(&own, "vote: {last: {x: 1}}", &target, &notes, NULL), 0);
    assert_string_equal(buf_cstr(&notes), "/votes vote.last/x ");
    assert_int_equal(read_text(&own, "vote: {last: {nested: 1}}", &target, &notes, &err), ERR_RULE);
    assert_string_equal(err.msg, "vote.last.nested: true or false");
}

static void a_table_is_printed_as_it_is_read(void **state)
{
    const Table shown = {.players = 9, .games = 5, .pause_ms = 4000, .grace_ms = 20, .tie = 1};
    CLEANUP(buf_done) Buf out = {0};
    Table again = {0};

    (void)state;
    key_table_print(&(KeyTable){.keys = rows, .count = 8}, &shown, &out);
    assert_string_equal(buf_cstr(&out), "players: 9                       # how many\n"
                                        "port: 0\n"
                                        "games: 5\n"
                                        "pause: 4\n"
                                        "grace: 20ms\n"
                                        "twice: 0 # by itself\n"
                                        "\n"
                                        "vote:\n"
                                        "  tie: all                       # extra|all|lot - who "
                                        "goes on\n"
                                        "  open: false\n");
    assert_int_equal(read_text(&table, buf_cstr(&out), &again, NULL, NULL), 0);
    assert_int_equal(again.pause_ms, 4000);
    assert_int_equal(again.grace_ms, 20);
    assert_int_equal(again.tie, 1);
}

static void a_value_may_come_without_a_map(void **state)
{
    Table target = {0};
    const KeyReading reading = {.table = &table, .target = &target};
    YamlNode node = {.kind = YAML_SCALAR, .key = STR("port"), .text = STR("80"), .line = 4};
    const KeyRow *row;
    Err err = {0};

    (void)state;
    assert_int_equal(key_table_find(&reading, &node, &row, NULL), 0);
    assert_int_equal(key_table_read_row(&reading, row, &node, NULL), 0);
    assert_int_equal(target.port, 80);
    node.key = STR("prot");
    assert_int_equal(key_table_find(&reading, &node, &row, &err), ERR_SYNTAX);
    assert_string_equal(err.msg, "unknown key 'prot': did you mean 'port'?");
}

static void all_members_become_zero(void **state)
{
    Table target = {.players = 1, .port = 2, .open = true, .nested = true, .tie = 1};
    const Table nothing = {0};

    (void)state;
    key_table_zero(&table, &target);
    assert_int_equal(target.players, nothing.players);
    assert_int_equal(target.port, 0);
    assert_int_equal(target.tie, 0);
    assert_false(target.open || target.nested);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_goes_to_its_member),
        cmocka_unit_test(rows_are_read_in_the_order_of_the_table),
        cmocka_unit_test(what_is_not_there_stays_as_it_was),
        cmocka_unit_test(zero_means_what_the_row_says),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place_and_what_is_right),
        cmocka_unit_test(an_unknown_key_is_told_first_with_the_nearest),
        cmocka_unit_test(a_format_may_have_a_manner_of_its_own),
        cmocka_unit_test(a_table_is_printed_as_it_is_read),
        cmocka_unit_test(a_value_may_come_without_a_map),
        cmocka_unit_test(all_members_become_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
