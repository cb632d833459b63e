/* Tests of QR codes for a terminal. That readers understand them is shown by tests/e2e/room.sh,
 * where zbarimg is installed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "show/qr_text.h"

#define SIDE_MAX 100

/* The modules that a reader sees: true = dark. Returns the side, border included. */
static int modules_of(Str text, bool colors, bool modules[SIDE_MAX][SIDE_MAX])
{
    int y = 0, width = 0;

    while (text.len) {
        Str line = str_cut(&text, '\n');
        int x = 0;
        if (colors) {
            assert_true(str_starts(line, STR("\x1b[30;47m")));
            line = str_part(line, 8, line.len - 8 - 4);
        }
        while (line.len) {
            uint32_t c = utf8_next(&line);
            bool upper = c == 0x2588 || c == 0x2580, lower = c == 0x2588 || c == 0x2584;
            assert_true(c == ' ' || upper || lower);
            modules[y][x] = upper == colors;
            modules[y + 1][x] = lower == colors;
            x++;
        }
        assert_true(width == 0 || x == width);
        width = x;
        y += 2;
    }
    assert_true(y == width || y == width + 1);
    return width;
}

static bool is_finder(bool modules[SIDE_MAX][SIDE_MAX], int left, int top)
{
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 7; x++) {
            bool ring = x == 0 || y == 0 || x == 6 || y == 6;
            bool middle = x >= 2 && x <= 4 && y >= 2 && y <= 4;
            if (modules[top + y][left + x] != (ring || middle))
                return false;
        }
    return true;
}

static void a_code_has_its_corners_and_a_light_border(void **state)
{
    static const char *const texts[] = {"a", "http://192.0.2.7:8090/web/r/K7MPQR",
                                        "http://[2001:db8::7]:8090/web/r/K7MPQR?lang=ja"};

    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (int colors = 0; colors < 2; colors++) {
            CLEANUP(buf_done) Buf out = {0};
            bool modules[SIDE_MAX][SIDE_MAX] = {{false}};
            assert_int_equal(qr_text_write(str_of(texts[i]), colors, 0, &out, NULL), 0);
            int side = modules_of(buf_str(&out), colors, modules);
            assert_true((side - 8) % 4 == 1);
            for (int k = 0; k < side; k++)
                for (int b = 0; b < 4; b++)
                    assert_false(modules[b][k] || modules[k][b] || modules[side - 1 - b][k] ||
                                 modules[k][side - 1 - b]);
            assert_true(is_finder(modules, 4, 4));
            assert_true(is_finder(modules, side - 11, 4));
            assert_true(is_finder(modules, 4, side - 11));
            assert_false(is_finder(modules, side - 11, side - 11));
        }
}

static void both_ways_of_drawing_are_the_same_code(void **state)
{
    CLEANUP(buf_done) Buf plain = {0};
    CLEANUP(buf_done) Buf colored = {0};
    static bool first[SIDE_MAX][SIDE_MAX], second[SIDE_MAX][SIDE_MAX];

    (void)state;
    assert_int_equal(qr_text_write(STR("http://192.0.2.7/"), false, 0, &plain, NULL), 0);
    assert_int_equal(qr_text_write(STR("http://192.0.2.7/"), true, 0, &colored, NULL), 0);
    int side = modules_of(buf_str(&plain), false, first);
    assert_int_equal(modules_of(buf_str(&colored), true, second), side);
    for (int y = 0; y < side; y++)
        assert_memory_equal(first[y], second[y], (size_t)side);
}

static void what_is_too_long_is_refused(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    char text[QR_TEXT_BYTES_MAX + 1];

    (void)state;
    memset(text, 'a', sizeof(text));
    assert_int_equal(qr_text_write((Str){text, sizeof(text)}, false, 0, &out, NULL), ERR_LIMIT);
    assert_int_equal(qr_text_write(STR(""), false, 0, &out, NULL), ERR_LIMIT);
    assert_int_equal(out.len, 0);
    assert_int_equal(qr_text_write((Str){text, QR_TEXT_BYTES_MAX}, false, 2, &out, NULL), 0);
    assert_true(str_starts(buf_str(&out), STR("  ")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_code_has_its_corners_and_a_light_border),
        cmocka_unit_test(both_ways_of_drawing_are_the_same_code),
        cmocka_unit_test(what_is_too_long_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
