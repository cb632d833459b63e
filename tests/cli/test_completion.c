/* test_completion.c - the scripts for a small table of commands stand in tests/golden, byte for
 * byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cli/completion.h"

static const Option plain_options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value_name = "DIR",
     .help = "where to, it's said\nin two lines. And more"},
    {.name = "rules", .kind = OPTION_TEXT, .value_name = "NAME|FILE", .help = "by which rules"},
    {.name = "format",
     .letter = 'f',
     .kind = OPTION_CHOICE,
     .value_name = "table|json",
     .help = "form [of the result]: a choice"},
    {.name = "agent",
     .letter = 'a',
     .kind = OPTION_LIST,
     .value_name = "SPEC",
     .help = "who plays"},
    {.name = "quiet", .letter = 'q', .kind = OPTION_FLAG, .help = "say $nothing \\ at all."},
};
static const Option verb_options[] = {
    {.name = "games", .kind = OPTION_UINT, .value_name = "N", .help = "how many"},
};
static const Usage plain_usages[] = {
    {.command = "play", .arguments = "[FILE.yml]", .summary = "s", OPTIONS(plain_options)}, {0}};
static const Usage verb_usages[] = {
    {.command = "tell more",
     .arguments = "DIR...",
     .summary = "Tells more. Much more.",
     OPTIONS(verb_options)},
    {.command = "tell less", .arguments = "", .summary = "Tells less: it's short", NULL, 0},
    {0}};
static const Usage shell_usages[] = {{.command = "shell", .arguments = "bash|zsh", .summary = "s"},
                                     {0}};
static const Cmd cmds[] = {{"play", NULL, "plays, and it's fun", plain_usages},
                           {"tell", NULL, "tells [all]", verb_usages},
                           {"shell", NULL, "for a shell", shell_usages},
                           {0}};

static void same_as_golden(void (*write)(const Cmd *cmds, Buf *out), const char *name)
{
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(buf_done) Buf golden = {0};
    char path[4096], block[4096];
    const char *source = getenv("WARG_SOURCE");
    size_t n;

    assert_non_null(source);
    snprintf(path, sizeof(path), "%s/tests/golden/%s", source, name);
    write(cmds, &out);
    FILE *file = fopen(path, getenv("WARG_GOLDEN") ? "w+" : "r");
    assert_non_null(file);
    if (getenv("WARG_GOLDEN"))
        fwrite(out.bytes, 1, out.len, file);
    rewind(file);
    while ((n = fread(block, 1, sizeof(block), file)) > 0)
        buf_add(&golden, (Str){block, n});
    fclose(file);
    assert_string_equal(buf_cstr(&out), buf_cstr(&golden));
}

static void the_script_of_bash_is_the_golden_one(void **state)
{
    (void)state;
    same_as_golden(completion_bash, "completion.bash");
}

static void the_script_of_zsh_is_the_golden_one(void **state)
{
    (void)state;
    same_as_golden(completion_zsh, "completion.zsh");
}

static void the_script_of_fish_is_the_golden_one(void **state)
{
    (void)state;
    same_as_golden(completion_fish, "completion.fish");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_script_of_bash_is_the_golden_one),
        cmocka_unit_test(the_script_of_zsh_is_the_golden_one),
        cmocka_unit_test(the_script_of_fish_is_the_golden_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
