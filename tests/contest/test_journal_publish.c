/* test_journal_publish.c - what of a journal's lines is published. tests/e2e/audit.sh looks at
 * whole bundles, fuzz/fuzz_publish.c at any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "contest/journal_publish.h"

#include <string.h>

/* What is published of a line that begins so; its end is made here. */
static int publish(const char *text, unsigned number, Buf *out, Err *err)
{
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    CLEANUP(buf_done) Buf line = {0};

    assert_non_null(scratch);
    buf_clear(out);
    buf_add(&line, str_of(text));
    assert_int_equal(journal_line_seal(&line, NULL), 0);
    return journal_publish_line(str_part(buf_str(&line), 0, line.len - 1), number, scratch, out,
                                err);
}

static void notes_of_the_contest_are_published_and_those_of_the_machine_are_not(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    assert_int_equal(
        publish("{\"record\":\"note\",\"text\":\"cut behind stage a: x go on\"", 5, &out, NULL), 0);
    assert_non_null(strstr(buf_cstr(&out), "cut behind stage a"));
    assert_int_equal(
        publish("{\"record\":\"note\",\"text\":\"a connection from 10.0.0.7\"", 5, &out, NULL), 0);
    assert_int_equal(out.len, 0);
    assert_int_equal(
        publish("{\"text\":\"a connection from 10.0.0.7\",\"record\":\"note\"", 5, &out, NULL), 0);
    assert_int_equal(out.len, 0);
}

static void a_line_that_can_not_be_read_is_not_published(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    Err err = {0};

    (void)state;
    assert_int_equal(publish("{\"record\":\"secret\",\"key\":\"0\"", 7, &out, &err), ERR_SYNTAX);
    assert_int_equal(err.line, 7);
    assert_int_equal(out.len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_of_the_contest_are_published_and_those_of_the_machine_are_not),
        cmocka_unit_test(a_line_that_can_not_be_read_is_not_published),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
