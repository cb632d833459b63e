#define _GNU_SOURCE /* memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/completion.h"
#include "cmd/cmd.h"

/* The options of a command's tables and those of its page are the same. A command with a page of
 * its own has it in man/warg-NAME.1.scd, verbs in sections "## NAME VERB"; the others are named in
 * man/warg.1.scd and have no options. */

/* The text of man/`name`.1.scd, empty when there is none. */
static void read_page(const char *name, Buf *ret_text)
{
    const char *source = getenv("WARG_SOURCE");
    char path[4096];
    char block[4096];
    size_t n;

    if (!source)
        fail_msg("WARG_SOURCE is not set: run the test through ./dev test");
    snprintf(path, sizeof(path), "%s/man/%s.1.scd", source, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    while ((n = fread(block, 1, sizeof(block), file)) > 0)
        buf_add(ret_text, (Str){block, n});
    fclose(file);
}

static bool starts_with(Str line, const char *text)
{
    return str_starts(line, str_of(text));
}

/* The lines of the section of a verb; the whole page for a command without verbs. */
static Str section_of(Str page, const char *command)
{
    char heading[80];

    if (!strchr(command, ' '))
        return page;
    snprintf(heading, sizeof(heading), "## %s", command);
    while (page.len) {
        Str line = str_cut(&page, '\n');
        if (!str_eq(line, str_of(heading)))
            continue;
        Str section = {page.bytes, 0};
        while (page.len && !starts_with(page, "#")) {
            str_cut(&page, '\n');
            section.len = (size_t)(page.bytes - section.bytes);
        }
        return section;
    }
    fail_msg("the page has no section '%s'", heading);
    return (Str){0};
}

/* The long name in a line "*-g*, *--games* _N_" of a page, empty for any other line. */
static Str option_of(Str line)
{
    if (starts_with(line, "*-") && line.len > 6 && line.bytes[3] == '*')
        line = str_part(line, 6, line.len); /* "*-g*, " */
    if (!starts_with(line, "*--"))
        return (Str){0};
    line = str_part(line, 3, line.len);
    return str_cut(&line, '*');
}

/* As "*-g*, *--games*", or "*--games*" for one without a letter. */
static void every_option_is_described(const Usage *usage, Str section)
{
    for (size_t i = 0; i < usage->option_count; i++) {
        const Option *option = &usage->options[i];
        char letter[] = {'*', '-', option->letter, '*', ',', ' ', '\0'};
        char entry[80];
        bool found = false;

        snprintf(entry, sizeof(entry), "%s*--%s*", option->letter ? letter : "", option->name);
        for (Str rest = section; rest.len && !found;)
            found = starts_with(str_cut(&rest, '\n'), entry);
        if (!found)
            fail_msg("the page of '%s' lacks a line that starts with %s", usage->command, entry);
    }
}

static void every_description_is_of_an_option(const Usage *usage, Str section)
{
    while (section.len) {
        Str name = option_of(str_cut(&section, '\n'));
        bool found = name.len == 0 || str_eq(name, STR("help"));
        for (size_t i = 0; i < usage->option_count && !found; i++)
            found = str_eq(name, str_of(usage->options[i].name));
        if (!found)
            fail_msg("the page of '%s' describes --%.*s, which it hasn't", usage->command,
                     STR_ARG(name));
    }
}

static void pages_and_tables_have_the_same_options(void **state)
{
    (void)state;
    for (const Cmd *cmd = cmd_all(); cmd->name; cmd++) {
        CLEANUP(buf_done) Buf page = {0};
        char name[80];

        snprintf(name, sizeof(name), "warg-%s", cmd->name);
        read_page(name, &page);
        for (const Usage *usage = cmd->usages; usage->command; usage++) {
            if (page.len == 0) {
                if (usage->option_count > 0)
                    fail_msg("'%s' has options but no page man/%s.1.scd", cmd->name, name);
                continue;
            }
            Str section = section_of(buf_str(&page), usage->command);
            every_option_is_described(usage, section);
            every_description_is_of_an_option(usage, section);
        }
    }
}

static void the_first_page_names_every_command(void **state)
{
    CLEANUP(buf_done) Buf page = {0};

    (void)state;
    read_page("warg", &page);
    for (const Cmd *cmd = cmd_all(); cmd->name; cmd++) {
        for (const Usage *usage = cmd->usages; usage->command; usage++) {
            char entry[80];
            snprintf(entry, sizeof(entry), "*%s*", usage->command);
            if (!strstr(buf_cstr(&page), entry))
                fail_msg("man/warg.1.scd does not name '%s'", usage->command);
        }
    }
}

/* A fallback that is no value of its option would stop the program when it is read. */
static void tables_are_well_formed(void **state)
{
    (void)state;
    for (const Cmd *cmd = cmd_all(); cmd->name; cmd++) {
        for (const Usage *usage = cmd->usages; usage->command; usage++) {
            char *line[] = {(char[]){"x"}, NULL};
            CLEANUP(options_done) Options given = {0};
            size_t name_len = strlen(cmd->name);

            assert_memory_equal(usage->command, cmd->name, name_len);
            assert_int_equal(options_parse(usage, 1, line, &given, NULL), 1);
            for (size_t i = 0; i < usage->option_count; i++) {
                const Option *option = &usage->options[i];
                assert_non_null(option->name);
                assert_non_null(option->help);
                assert_int_equal(option->value_name == NULL, option->kind == OPTION_FLAG);
                /* -h is help; the contests start agents with `-h HOST`. */
                assert_true(option->letter != 'h' || strcmp(option->name, "host") == 0);
                options_number(&given, i);
                for (size_t j = 0; j < i; j++) {
                    assert_string_not_equal(option->name, usage->options[j].name);
                    assert_true(!option->letter || option->letter != usage->options[j].letter);
                }
            }
        }
    }
}

static void statuses_tell_the_kinds_of_failure_apart(void **state)
{
    (void)state;
    assert_int_equal(cmd_exit(0), EXIT_OK);
    assert_int_equal(cmd_exit(1), EXIT_DISAGREE);
    assert_int_equal(cmd_exit(ERR_USAGE), EXIT_USAGE);
    assert_int_equal(cmd_exit(ERR_IO), EXIT_INPUT);
    assert_int_equal(cmd_exit(ERR_SYNTAX), EXIT_INPUT);
    assert_int_equal(cmd_exit(ERR_MEMORY), EXIT_INTERNAL);
    assert_int_equal(cmd_exit(EXIT_NOT_OWN), 5);
    assert_int_equal(cmd_exit(EXIT_NOT_RANKED), 6);
    assert_int_equal(cmd_exit(EXIT_WAITING), 7);
}

static void of_two_statuses_the_higher_wins_and_each_has_a_word(void **state)
{
    CLEANUP(buf_done) Buf help = {0};
    (void)state;

    assert_int_equal(exit_status_of_both(EXIT_NOT_OWN, EXIT_NOT_RANKED), EXIT_NOT_RANKED);
    assert_int_equal(exit_status_of_both(EXIT_NOT_OWN, EXIT_DISAGREE), EXIT_NOT_OWN);
    assert_int_equal(exit_status_of_both(EXIT_OK, EXIT_DISAGREE), EXIT_DISAGREE);
    assert_string_equal(exit_status_word(EXIT_OK), "ok");
    assert_string_equal(exit_status_word(EXIT_NOT_OWN), "decisions-not-own");
    assert_string_equal(exit_status_word(EXIT_NOT_RANKED), "agent-not-ranked");
    options_help(&cmd_run_usage[0], &help);
    assert_non_null(strstr(buf_cstr(&help), "\n  6  an agent never played"));
    buf_clear(&help);
    options_help(&cmd_lang_usage[0], &help);
    assert_null(strstr(buf_cstr(&help), "\n  6  "));
}

/* As often as there are options of that name, or once for all. */
static void script_has(Str script, const char *before, const char *name, const char *shell)
{
    char word[100];

    snprintf(word, sizeof(word), "%s%s", before, name);
    if (!memmem(script.bytes, script.len, word, strlen(word)))
        fail_msg("the completion of %s lacks '%s'", shell, word);
}

static void every_shell_completes_every_command_verb_and_option(void **state)
{
    static const struct {
        const char *name, *option;
        void (*write)(const Cmd *cmds, Buf *out);
    } shells[] = {{"bash", "--", completion_bash},
                  {"zsh", "--", completion_zsh},
                  {"fish", "-l ", completion_fish}};

    (void)state;
    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        shells[i].write(cmd_all(), &out);
        Str script = buf_str(&out);
        for (const Cmd *cmd = cmd_all(); cmd->name; cmd++) {
            script_has(script, "", cmd->name, shells[i].name);
            for (const Usage *usage = cmd->usages; usage->command; usage++) {
                const char *verb = strrchr(usage->command, ' ');
                script_has(script, "", verb ? verb + 1 : usage->command, shells[i].name);
                for (size_t k = 0; k < usage->option_count; k++)
                    script_has(script, shells[i].option, usage->options[k].name, shells[i].name);
            }
        }
    }
}

static void a_mistyped_command_gets_the_nearest_name(void **state)
{
    Err err = {0};

    (void)state;
    assert_int_equal(cmd_unknown(STR("vresion"), &err), ERR_USAGE);
    assert_string_equal(err.msg, "warg has no command 'vresion': did you mean 'version'?");
    assert_null(cmd_find(STR("vresion")));
    assert_string_equal(cmd_find(STR("version"))->name, "version");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_and_tables_have_the_same_options),
        cmocka_unit_test(the_first_page_names_every_command),
        cmocka_unit_test(tables_are_well_formed),
        cmocka_unit_test(statuses_tell_the_kinds_of_failure_apart),
        cmocka_unit_test(of_two_statuses_the_higher_wins_and_each_has_a_word),
        cmocka_unit_test(every_shell_completes_every_command_verb_and_option),
        cmocka_unit_test(a_mistyped_command_gets_the_nearest_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
