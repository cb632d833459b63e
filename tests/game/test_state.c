/* test_state.c - the drawing in game/state.h is of the machine that is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

static void read_source(const char *name, Buf *out)
{
    char path[512];
    char some[4096];
    size_t n;

    snprintf(path, sizeof(path), "%s/src/game/%s", getenv("WARG_SOURCE"), name);
    FILE *file = fopen(path, "re");
    if (!file)
        fail_msg("no '%s'", path);
    while ((n = fread(some, 1, sizeof(some), file)) > 0)
        buf_add(out, (Str){some, n});
    fclose(file);
}

/* Whether a function of this name is defined: its name and '(' in a line that begins at its edge.
 */
static bool is_defined(Str code, Str name)
{
    while (code.len) {
        Str line = str_cut(&code, '\n');
        for (size_t at = 1; at + name.len < line.len && isalpha((unsigned char)line.bytes[0]); at++)
            if (str_eq(str_part(line, at, name.len), name) && line.bytes[at + name.len] == '(' &&
                (line.bytes[at - 1] == ' ' || line.bytes[at - 1] == '*') &&
                line.bytes[line.len - 1] != ';')
                return true;
    }
    return false;
}

static bool has_state(Str header, Str name)
{
    CLEANUP(buf_done) Buf wanted = {0};

    buf_printf(&wanted, "    STATE_%.*s,", STR_ARG(name));
    while (header.len)
        if (str_eq(str_cut(&header, '\n'), buf_str(&wanted)))
            return true;
    return false;
}

/* A line "FROM -> TO [function] why", behind its " *   "; false when it is none. */
static bool read_transition(Str line, Str *ret_from, Str *ret_to, Str *ret_function)
{
    if (!str_starts(line, STR(" *   ")) || !memchr(line.bytes, '[', line.len))
        return false;
    line = str_part(line, 5, line.len);
    *ret_from = str_trim(str_cut(&line, '-'));
    str_cut(&line, ' ');
    *ret_to = str_trim(str_cut(&line, '['));
    *ret_function = str_cut(&line, ']');
    return true;
}

static void states_and_functions_of_the_drawing_are_those_of_the_code(void **state)
{
    static const char *const files[] = {"game.c", "deal.c", "day.c", "end.c"};
    CLEANUP(buf_done) Buf header = {0};
    CLEANUP(buf_done) Buf code = {0};
    Str from, to, function;
    unsigned transitions = 0;

    (void)state;
    read_source("state.h", &header);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        read_source(files[i], &code);
    Str rest = buf_str(&header);
    while (rest.len) {
        if (!read_transition(str_cut(&rest, '\n'), &from, &to, &function))
            continue;
        transitions++;
        if (!has_state(buf_str(&header), from) || !has_state(buf_str(&header), to))
            fail_msg("no such state: %.*s -> %.*s", STR_ARG(from), STR_ARG(to));
        if (!is_defined(buf_str(&code), function))
            fail_msg("no such function: %.*s", STR_ARG(function));
    }
    assert_int_equal(transitions, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_and_functions_of_the_drawing_are_those_of_the_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
