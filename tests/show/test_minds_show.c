/* test_minds_show.c - decisions for the terminal: what a hostile file says stays text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show/minds_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every text of a decision is a sequence that would clear the screen; C1 codes stand as one
 * character of UTF-8. */
#define BAD "\\u001b[2J\\u009b1m\\r\\u202e"

static const char lines[] =
    "{\"type\":\"seat\",\"model\":\"" BAD "\",\"server\":\"" BAD "\",\"persona\":\"" BAD "\"}\n"
    "{\"type\":\"decision\",\"round\":1,\"phase_no\":1,\"name\":\"" BAD "\",\"task\":\"" BAD
    "\",\"source\":\"" BAD "\",\"action\":\"" BAD "\",\"target\":\"" BAD "\",\"message\":\"" BAD
    "\",\"reason\":\"" BAD "\",\"suppressed\":\"" BAD "\",\"line\":\"" BAD "\",\"flagged\":\"" BAD
    "\",\"why\":\"" BAD "\",\"thought\":\"" BAD "\",\"reasoning\":\"" BAD "\",\"answer\":\"" BAD
    "\",\"finish\":\"" BAD "\",\"first\":{\"wrong\":\"" BAD "\",\"answer\":\"" BAD "\"}}\n"
    "{\"type\":\"decision\",\"round\":1,\"action\":\"vote\",\"target\":\"" BAD "\"}\n";

static void a_hostile_file_writes_no_control_character(void **state)
{
    char path[] = "minds-\033[2J-XXXXXX";
    const int file = mkstemp(path);
    MindsShow show = {.all = true};
    (void)state;

    assert_true(file >= 0);
    assert_int_equal(write(file, lines, strlen(lines)), (ssize_t)strlen(lines));
    close(file);
    const int rc = minds_show_file(&show, path, NULL);
    unlink(path);
    assert_int_equal(rc, 0);
    assert_int_equal(show.decisions, 2);
    assert_true(show.out.len > 0);
    const Str out = buf_str(&show.out);
    size_t at;
    for (size_t i = 0; i < out.len; i++)
        assert_true(out.bytes[i] == '\n' || ((unsigned char)out.bytes[i] >= ' '));
    assert_false(str_find(out, STR("\xC2\x9B"), &at));
    assert_false(str_find(out, STR("\xE2\x80\xAE"), &at));
    buf_done(&show.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hostile_file_writes_no_control_character),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
