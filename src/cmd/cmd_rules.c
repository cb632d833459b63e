/* cmd_rules.c - `warg rules`: the rulesets, as a list and as files. */
#include "cli/ruleset_arg.h"
#include "cmd/cmd.h"
#include "show/text_table.h"

#include <stdio.h>

enum { LIST_FORMAT };
static const Option list_options[] = {
    [LIST_FORMAT] = {"format", 0, OPTION_CHOICE, "table|json|csv", "form of the list", "table", 0,
                     0},
};

static int list_command(int argc, char **argv, Err *err);
static int show_command(int argc, char **argv, Err *err);

const Usage cmd_rules_usage[] = {
    {"rules list", "", "Lists the rulesets.", OPTIONS(list_options), "warg rules list\n", NULL,
     list_command},
    {"rules show", "NAME|FILE",
     "Prints a ruleset with a comment for every rule. The output is a file that --rules accepts:\n"
     "change a rule, give the file to 'warg run', and play by it.",
     NULL, 0,
     "warg rules show aiwolf-2021 > house.yml\n"
     "warg run --rules house.yml --games 100\n",
     NULL, show_command},
    {0},
};

int cmd_rules(int argc, char **argv, Err *err)
{
    return options_run_verb("rules", cmd_rules_usage, argc, argv, err);
}

/* "5, 9, 13" or "3-18". */
static void add_players(const Ruleset *rules, Buf *out)
{
    const char *comma = "";

    for (int32_t n = PLAYERS_MIN; n <= SEAT_MAX; n++) {
        uint8_t counts[ROLE_COUNT];
        int32_t first = n;
        if (ruleset_roles(rules, n, counts, NULL))
            continue;
        while (n < SEAT_MAX && ruleset_roles(rules, n + 1, counts, NULL) == 0)
            n++;
        buf_printf(out, "%s%d", comma, (int)first);
        if (n > first)
            buf_printf(out, "-%d", (int)n);
        comma = ", ";
    }
}

static int list_command(int argc, char **argv, Err *err)
{
    static const char *const columns[] = {"name", "players", "title", NULL};
    CLEANUP(options_done) Options given = {0};
    CLEANUP(text_table_done) TextTable table = {.columns = columns};
    CLEANUP(buf_done) Buf out = {0};
    int go = options_parse(&cmd_rules_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    for (size_t i = 0; ruleset_preset_name(i); i++) {
        CLEANUP(buf_done) Buf players = {0};
        Ruleset rules;
        int rc = ruleset_preset(str_of(ruleset_preset_name(i)), &rules, err);
        if (rc)
            return rc;
        add_players(&rules, &players);
        text_table_text(&table, str_of(rules.name));
        text_table_text(&table, buf_str(&players));
        text_table_text(&table, str_of(rules.title));
    }
    text_table_write(&table, (TableForm)options_number(&given, LIST_FORMAT), &out);
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "rules list: out of memory");
    fputs(buf_cstr(&out), stdout);
    return 0;
}

static int show_command(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf out = {0};
    Ruleset rules;
    int go = options_parse(&cmd_rules_usage[1], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "expected one ruleset, found %d", given.argument_count);
    int rc = ruleset_arg(given.arguments[0], &rules, err);
    if (rc)
        return rc;
    ruleset_print(&rules, &out);
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "rules show: out of memory");
    fputs(buf_cstr(&out), stdout);
    return 0;
}
