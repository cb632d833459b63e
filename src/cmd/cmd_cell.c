/* cmd_cell.c - `warg cell`: what this machine has for programs of strangers. */
#include "cell/cell.h"
#include "cmd/cmd.h"
#include "show/cell_output.h"

enum { JSON, LANGUAGE, REQUIRE };
static const Option options[] = {
    [JSON] = {"json", 0, OPTION_FLAG, NULL, "print JSON", NULL, 0, 0},
    [LANGUAGE] = {"language", 0, OPTION_CHOICE, "en|ja", "of the text", "en", 0, 0},
    [REQUIRE] = {"require", 0, OPTION_CHOICE, "strict|namespaces|filter",
                 "exit with 1 when this machine lacks it", "strict", 0, 0},
};

static int probe_run(int argc, char **argv, Err *err);

const Usage cmd_cell_usage[] = {
    {"cell probe", "",
     "Tries what this machine has for strict cells, in which programs of strangers reach their\n"
     "game and nothing else: both levels, how limits are held, and how to get more. Changes\n"
     "nothing.",
     OPTIONS(options),
     "warg cell probe\n"
     "warg cell probe --require namespaces --json\n"
     "sudo -u contest warg cell probe\n",
     "this machine lacks what is required", probe_run},
    {0},
};

static int probe_run(int argc, char **argv, Err *err)
{
    static const CellLevel required[] = {CELL_STRICT, CELL_NAMESPACES, CELL_FILTER};
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf out = {0};
    CellProbe probe = {0};
    int go = options_parse(&cmd_cell_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count)
        return err_set(err, ERR_USAGE, "cell probe: takes no arguments");
    int rc = cell_try_levels(CMD_START_AGENT, &probe, err);
    if (rc)
        return rc;
    if (options_has(&given, JSON))
        cell_output_json(&probe, &out);
    else
        cell_output_text(&probe, options_number(&given, LANGUAGE) == 1, &out);
    fwrite(buf_cstr(&out), 1, out.len, stdout);
    return cell_probe_has(&probe, required[options_number(&given, REQUIRE)], NULL) ? 0 : 1;
}

int cmd_cell(int argc, char **argv, Err *err)
{
    return options_run_verb("cell", cmd_cell_usage, argc, argv, err);
}
