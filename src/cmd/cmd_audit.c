/* cmd_audit.c - `warg audit` and `warg bundle`: proof for everybody.
 * docs/spec/contest-operations.md 11.5. */
#include "audit/audit.h"
#include "audit/audit_output.h"
#include "audit/bundle.h"
#include "cmd/cmd.h"
#include "disk/key_file.h"
#include "net/interrupt.h"
#include "net/loop.h"
#include "show/terminal.h"

#include <inttypes.h>
#include <stdio.h>

enum { GAMES, JSON, LANG, QUIET };
static const Option audit_options[] = {
    [GAMES] = {"games", 'g', OPTION_UINT, "N",
               "play only so many games again, drawn now; without it all", NULL, 1, 1000000000},
    [JSON] = {"json", 0, OPTION_FLAG, NULL, "print the verdicts as JSON", NULL, 0, 0},
    [LANG] = {"lang", 0, OPTION_CHOICE, "en|ja", "language of the verdicts", "en", 0, 0},
    [QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "no progress line", NULL, 0, 0},
};

enum { OUT };
static const Option bundle_options[] = {
    [OUT] = {"out", 'o', OPTION_TEXT, "DIR", "the folder to make; without it DIR-bundle", NULL, 0,
             0},
};

const Usage cmd_audit_usage[] = {
    {"audit", "DIR",
     "Checks that what a contest's folder, or its published bundle, says follows from what was\n"
     "committed to before, and from what agents were asked and answered: keys, seats, roles, "
     "every\n"
     "game's log and result, faults, ranks. Needs no network. Each step says what it looked at, "
     "or\n"
     "the first contradiction with file and line.",
     OPTIONS(audit_options),
     "warg audit cup\n"
     "warg audit cup-bundle --games 200\n"
     "warg audit cup-bundle --json\n",
     "something contradicts", NULL},
    {0},
};

const Usage cmd_bundle_usage[] = {
    {"bundle", "DIR",
     "Makes what can be published of a contest that is over, so that anybody can check it: "
     "journal,\n"
     "logs, exchange records, faults, ranking, a list of all files; without secrets, commands of\n"
     "agents, addresses and what programs printed. The same folder gives the same bytes each time.",
     OPTIONS(bundle_options),
     "warg bundle cup\n"
     "warg bundle cup --out public/cup2027\n",
     "the bundle was made, and something in it contradicts", NULL},
    {0},
};

static bool show_progress(void *user, uint64_t done, uint64_t games)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "%" PRIu64 " of %" PRIu64 " games", done, games);
    if (!buf_failed(&line))
        progress_show(user, loop_now() / 1000, buf_str(&line));
    return !interrupt_came();
}

static int audit_folder(const char *dir, const Options *given, Progress *progress,
                        AuditReport *report, Err *err)
{
    Interrupt interrupt;
    Key pick;
    const AuditSetup setup = {.dir = dir,
                              .games = given ? options_number(given, GAMES) : 0,
                              .pick = &pick,
                              .progress = show_progress,
                              .user = progress};
    int rc = key_draw(&pick, err);

    if (rc)
        return rc;
    interrupt_watch(&interrupt);
    rc = audit_run(&setup, report, err);
    progress_end(progress);
    interrupt_done(&interrupt);
    return rc;
}

static int print_report(const AuditReport *report, bool json, bool japanese, Err *err)
{
    CLEANUP(buf_done) Buf out = {0};

    if (json)
        audit_write_json(report, &out);
    else
        audit_write(report, japanese, &out);
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    fputs(buf_cstr(&out), stdout);
    return audit_holds(report) ? 0 : EXIT_DISAGREE;
}

int cmd_audit(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    AuditReport report;
    int go = options_parse(&cmd_audit_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "audit: name one folder");
    Progress progress = progress_new(options_has(&given, QUIET));
    int rc = audit_folder(given.arguments[0], &given, &progress, &report, err);
    return rc ? rc
              : print_report(&report, options_has(&given, JSON), options_number(&given, LANG) == 1,
                             err);
}

int cmd_bundle(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf out = {0};
    AuditReport report;
    int go = options_parse(&cmd_bundle_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "bundle: name one folder");
    Str dir = str_of(given.arguments[0]);
    while (dir.len > 1 && dir.bytes[dir.len - 1] == '/')
        dir.len--;
    if (options_text(&given, OUT))
        buf_printf(&out, "%s", options_text(&given, OUT));
    else
        buf_printf(&out, "%.*s-bundle", STR_ARG(dir));
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "bundle: out of memory");
    int rc = bundle_write(&(BundleSetup){given.arguments[0], buf_cstr(&out)}, err);
    Progress progress = progress_new(false);
    if (rc == 0)
        rc = audit_folder(buf_cstr(&out), NULL, &progress, &report, err);
    if (rc)
        return rc;
    printf("%s is made; what a check of it says:\n\n", buf_cstr(&out));
    return print_report(&report, false, false, err);
}
