#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show/terminal.h"

#include <stdio.h>

static char written[256];

/* What `write` prints to a stream that a Progress owns. */
static Progress on_stream(FILE *stream)
{
    return (Progress){.stream = stream, .on = true};
}

static void progress_is_rate_limited_and_erased(void **state)
{
    FILE *stream = fmemopen(written, sizeof(written), "w");
    Progress progress = on_stream(stream);

    (void)state;
    progress_show(&progress, 1000, STR("one"));
    progress_show(&progress, 1050, STR("too early"));
    progress_show(&progress, 1100, STR("two"));
    progress_end(&progress);
    progress_end(&progress);
    fclose(stream);
    assert_string_equal(written, "\rone\033[K\rtwo\033[K\r\033[K");
}

static void progress_that_is_off_writes_nothing(void **state)
{
    FILE *stream = fmemopen(written, sizeof(written), "w");
    Progress progress = {.stream = stream};

    (void)state;
    progress_show(&progress, 1000, STR("one"));
    progress_end(&progress);
    assert_int_equal(ftell(stream), 0);
    fclose(stream);
}

static void what_is_no_terminal_gets_no_colours(void **state)
{
    FILE *file = tmpfile();

    (void)state;
    assert_non_null(file);
    assert_false(terminal_is(file));
    assert_false(terminal_colors(file, COLOR_AUTO));
    assert_true(terminal_colors(file, COLOR_ALWAYS));
    assert_false(terminal_colors(file, COLOR_NEVER));
    assert_int_equal(terminal_width(file), 80);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_is_rate_limited_and_erased),
        cmocka_unit_test(progress_that_is_off_writes_nothing),
        cmocka_unit_test(what_is_no_terminal_gets_no_colours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
