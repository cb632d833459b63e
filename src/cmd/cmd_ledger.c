/* cmd_ledger.c - `warg ledger`: whether a ledger holds, and proofs from it. */
#include "cmd/cmd.h"
#include "show/ledger_output.h"

enum { CHECKPOINT, CONSISTENCY, JSON, KEY, PROVE, SIZE };
static const Option options[] = {
    [CHECKPOINT] = {"checkpoint", 0, OPTION_TEXT, "FILE",
                    "a checkpoint from elsewhere with which the ledger must agree", NULL, 0, 0},
    [CONSISTENCY] = {"consistency", 0, OPTION_UINT, "N",
                     "prove that the ledger begins with what its first N entries were", NULL, 0, 0},
    [JSON] = {"json", 0, OPTION_FLAG, NULL, "print JSON", NULL, 0, 0},
    [KEY] = {"key", 0, OPTION_TEXT, "VERIFIER",
             "the key that must have signed; without it the one in the first entry", NULL, 0, 0},
    [PROVE] = {"prove", 0, OPTION_UINT, "N", "prove that entry N, from 0, is in the ledger", NULL,
               0, 0},
    [SIZE] = {"size", 0, OPTION_UINT, "N",
              "the proof is of the first N entries; without it of those that are signed", NULL, 1,
              0},
};
const Usage cmd_ledger_usage[] = {
    {"ledger", "DIR",
     "Checks the ledger of a folder: every line, the root of the tree, the signature of its\n"
     "checkpoint, and that it agrees with a checkpoint that somebody kept. Needs no secret.",
     OPTIONS(options),
     "warg ledger cup\n"
     "warg ledger cup --checkpoint mailed.txt --key example.org/warg/cup2027+60d9c4ac+AQOh...\n"
     "warg ledger cup --prove 311 --json\n",
     "the ledger does not hold", NULL},
    {0},
};

int cmd_ledger(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf out = {0};
    int go = options_parse(&cmd_ledger_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "ledger: name one folder");
    if (options_has(&given, PROVE) && options_has(&given, CONSISTENCY))
        return err_set(err, ERR_USAGE, "ledger: give --prove or --consistency, not both");
    const LedgerAsk ask = {options_has(&given, JSON),           options_has(&given, PROVE),
                           options_number(&given, PROVE),       options_has(&given, CONSISTENCY),
                           options_number(&given, CONSISTENCY), options_number(&given, SIZE),
                           options_text(&given, CHECKPOINT),    options_text(&given, KEY)};
    int rc = ledger_output(given.arguments[0], &ask, &out, err);
    if (rc >= 0)
        fwrite(buf_cstr(&out), 1, out.len, stdout);
    return rc;
}
