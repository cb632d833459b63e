#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show/text_table.h"

static const char *const columns[] = {"agent", "wins", "rate", NULL};

static void fill(TextTable *table)
{
    text_table_text(table, STR("人狼"));
    text_table_uint(table, 5);
    text_table_real(table, 0.5, 3);
    text_table_text(table, STR("bob, \"b\""));
    text_table_int(table, -12);
    text_table_real(table, 12.25, 1);
}

static void written(TableForm form, const char *expected)
{
    CLEANUP(text_table_done) TextTable table = {.columns = columns};
    CLEANUP(buf_done) Buf out = {0};

    fill(&table);
    text_table_write(&table, form, &out);
    assert_false(buf_failed(&out));
    assert_string_equal(buf_cstr(&out), expected);
}

static void columns_are_aligned_also_behind_wide_characters(void **state)
{
    (void)state;
    written(TABLE_ALIGNED, "agent     wins   rate\n"
                           "人狼         5  0.500\n"
                           "bob, \"b\"   -12   12.2\n");
}

static void json_is_a_list_of_objects(void **state)
{
    (void)state;
    written(TABLE_JSON, "[{\"agent\":\"人狼\",\"wins\":5,\"rate\":0.500},\n"
                        " {\"agent\":\"bob, \\\"b\\\"\",\"wins\":-12,\"rate\":12.2}]\n");
}

static void csv_quotes_what_needs_it(void **state)
{
    (void)state;
    written(TABLE_CSV, "agent,wins,rate\n人狼,5,0.500\n\"bob, \"\"b\"\"\",-12,12.2\n");
}

static void a_cell_of_csv_is_no_formula(void **state)
{
    static const char *const texts[] = {
        "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "a=b", "=HYPERLINK(\"x\")", "-", "'=1"};
    static const char *const name[] = {"=name", NULL};
    CLEANUP(text_table_done) TextTable table = {.columns = name};
    CLEANUP(buf_done) Buf out = {0};
    (void)state;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        text_table_text(&table, str_of(texts[i]));
    text_table_int(&table, -12);
    text_table_write(&table, TABLE_CSV, &out);
    assert_string_equal(buf_cstr(&out), "'=name\n'=1+1\n'+1\n'-1\n'@SUM(A1)\n'\t=1\n\"'\r=1\"\n"
                                        "a=b\n\"'=HYPERLINK(\"\"x\"\")\"\n-\n'=1\n-12\n");
}

static void a_number_that_is_missing_is_none_in_every_form(void **state)
{
    static const char *const wanted[] = {"agent  wins  rate\nbob       -     -\n",
                                         "[{\"agent\":\"bob\",\"wins\":null,\"rate\":null}]\n",
                                         "agent,wins,rate\nbob,,\n"};
    (void)state;

    for (int form = TABLE_ALIGNED; form <= TABLE_CSV; form++) {
        CLEANUP(text_table_done) TextTable table = {.columns = columns};
        CLEANUP(buf_done) Buf out = {0};
        text_table_text(&table, STR("bob"));
        text_table_none(&table);
        text_table_none(&table);
        text_table_write(&table, (TableForm)form, &out);
        assert_string_equal(buf_cstr(&out), wanted[form]);
    }
}

static void a_table_without_rows_is_its_head(void **state)
{
    CLEANUP(text_table_done) TextTable table = {.columns = columns};
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    text_table_write(&table, TABLE_ALIGNED, &out);
    text_table_write(&table, TABLE_JSON, &out);
    assert_string_equal(buf_cstr(&out), "agent  wins  rate\n[]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_aligned_also_behind_wide_characters),
        cmocka_unit_test(json_is_a_list_of_objects),
        cmocka_unit_test(csv_quotes_what_needs_it),
        cmocka_unit_test(a_cell_of_csv_is_no_formula),
        cmocka_unit_test(a_number_that_is_missing_is_none_in_every_form),
        cmocka_unit_test(a_table_without_rows_is_its_head),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
