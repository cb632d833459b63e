/* cmd_export.c - `warg export`: games as HTML files. */
#include "cmd/cmd.h"
#include "net/loop.h"
#include "web/export.h"

#include <stdio.h>

enum { VIEW, LANG, NAMES, OUTPUT };
static const Option options[] = {
    [VIEW] = {"view", 0, OPTION_TEXT, "all|public|seat:N",
              "what is in the file: all, with a switch that hides roles; what everybody was told; "
              "what one seat knew",
              "all", 0, 0},
    [LANG] = {"lang", 0, OPTION_CHOICE, "en|ja|both", "language of the page; both: the reader's",
              "both", 0, 0},
    [NAMES] = {"names", 0, OPTION_CHOICE, "shown|hidden",
               "whether the file says which agent played on which seat", "shown", 0, 0},
    [OUTPUT] = {"output", 'o', OPTION_TEXT, "FILE.html|DIR",
                "where to write; without it a file of the log's name where you are", NULL, 0, 0},
};
const Usage cmd_export_usage[] = {
    {"export", "FILE|DIR",
     "Writes a game as one HTML file that needs nothing beside it, no network either: to be sent\n"
     "by mail, or put on any server. The record of a MAW session gives one file with all rounds.\n"
     "A folder, of a contest or of logs, gives a folder with a file for each game, and with the\n"
     "report of a contest; name it with --output.",
     OPTIONS(options),
     "warg export results/logs/000.log.gz\n"
     "warg export --view public --names hidden game.log -o game.html\n"
     "warg export results -o archive\n",
     "a game of a folder was left out, because its log is not there or can't be read", NULL},
    {0},
};

static void say_left_out(void *user, Str why)
{
    (void)user;
    fprintf(stderr, "left out: %.*s\n", STR_ARG(why));
}

int cmd_export(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf what = {0};
    ExportSetup setup = {.left_out = say_left_out};
    int go = options_parse(&cmd_export_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "export: name one log, record or folder");
    if (!game_doc_view_of(str_of(options_text(&given, VIEW)), &setup.view))
        return err_set(err, ERR_USAGE, "--view: expected all, public or seat:N, but got '%s'",
                       options_text(&given, VIEW));
    setup.view.sealed = setup.view.kind != DOC_VIEW_ALL; /* who has it may not know who was what */
    setup.view.names = options_number(&given, NAMES) == 0;
    setup.language = (ExportLanguage)options_number(&given, LANG);
    int rc = export_path(&setup, given.arguments[0], options_text(&given, OUTPUT), loop_date_ms(),
                         &what, err);
    if (rc >= 0)
        fputs(buf_cstr(&what), stdout);
    return rc;
}
