#include "cmd/cmd.h"

#include <stdio.h>

const Usage cmd_help_usage[] = {
    {"help", "[COMMAND [VERB]]", "Explains warg, or one of its commands.", NULL, 0,
     "warg help\nwarg help version\n", NULL, NULL},
    {0},
};

static void print_overview(void)
{
    printf("warg %s runs the game of Werewolf for machines and people.\n\n"
           "Usage: warg COMMAND [OPTION...] [ARGUMENT...]\n\nCommands:\n",
           WARG_VERSION);
    for (const Cmd *cmd = cmd_all(); cmd->name; cmd++)
        printf("  %-12s %s\n", cmd->name, cmd->summary);
    printf("\n'warg COMMAND --help' lists the options of a command, 'man warg' tells more.\n"
           "\nExit status: 0 success, 1 a check found a disagreement, 2 wrong command line,\n"
           "3 an input can't be read or an output can't be written, 4 no memory or our mistake,\n"
           "5 less than 90 %% of a model's decisions were its own, 6 an agent is not ranked,\n"
           "130 ended early by Ctrl-C.\n");
}

int cmd_help(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(cmd_help_usage, argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count == 0) {
        print_overview();
        return 0;
    }
    const Cmd *cmd = cmd_find(str_of(given.arguments[0]));
    if (!cmd)
        return cmd_unknown(str_of(given.arguments[0]), err);

    /* `warg help lang check` is `warg lang check --help`. */
    char help[] = "--help";
    char *line[4] = {given.arguments[0]};
    int count = 1;
    if (given.argument_count > 1)
        line[count++] = given.arguments[1];
    line[count++] = help;
    return cmd->run(count, line, err);
}
