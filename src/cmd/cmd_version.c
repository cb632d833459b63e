#include "cmd/cmd.h"

#include <stdio.h>

const Usage cmd_version_usage[] = {
    {"version", "", "Prints the version of warg.", NULL, 0, NULL, NULL, NULL},
    {0},
};

int cmd_version(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(cmd_version_usage, argc, argv, &given, err);

    if (go <= 0)
        return go;
    printf("warg %s\n", WARG_VERSION);
    return 0;
}
