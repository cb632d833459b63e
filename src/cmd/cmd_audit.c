/* cmd_audit.c - `warg audit` and `warg bundle`: proof for everybody.
 * docs/spec/contest-operations.md 11.5. */
#include "audit/audit.h"
#include "audit/audit_output.h"
#include "audit/bundle.h"
#include "audit/rerun_output.h"
#include "cmd/cmd.h"
#include "disk/key_file.h"
#include "net/interrupt.h"
#include "net/loop.h"
#include "seat/agent_command.h"
#include "show/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

enum { GAMES, KEY, CHECKPOINT, RERUN, SETS, JSON, LANG, QUIET };

#define CHECKPOINTS_MAX 64
static const Option audit_options[] = {
    [GAMES] = {"games", 'g', OPTION_UINT, "N",
               "play only so many games again, drawn now; without it all", NULL, 1, 1000000000},
    [KEY] = {"key", 0, OPTION_TEXT, "VERIFIER",
             "its ledger must be signed by this key, as NAME+DIGITS+BASE64", NULL, 0, 0},
    [CHECKPOINT] = {"checkpoint", 0, OPTION_LIST, "FILE",
                    "its ledger must begin with what this checkpoint signs, as somebody has kept "
                    "it; give it again for more",
                    NULL, 0, 0},
    [RERUN] = {"rerun", 0, OPTION_LIST, "NAME=COMMAND",
               "start this program, with {host}, {port} and {name} filled in, ask it what agent "
               "NAME was asked, and show the first answer that differs; give it again for more",
               NULL, 0, 0},
    [SETS] = {"sets", 0, OPTION_UINT, "N",
              "with --rerun: only so many sets of each agent, drawn now; without it all", NULL, 1,
              1000000000},
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
     "warg audit cup-bundle --json\n"
     "warg audit cup-bundle --checkpoint from-a-mail.txt --checkpoint from-a-friend.txt\n"
     "warg audit cup-bundle --rerun 'alice=python3 agent.py -h {host} -p {port} -n {name}'\n",
     "something contradicts, or an answer differs", NULL},
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
    Key pick;
    const char *kept[CHECKPOINTS_MAX];
    AuditSetup setup = {.dir = dir,
                        .games = given ? options_number(given, GAMES) : 0,
                        .pick = &pick,
                        .key = given ? options_text(given, KEY) : NULL,
                        .checkpoints = kept,
                        .progress = show_progress,
                        .user = progress};
    int rc = key_draw(&pick, err);

    while (given && setup.checkpoint_count < CHECKPOINTS_MAX &&
           (kept[setup.checkpoint_count] =
                options_item(given, CHECKPOINT, setup.checkpoint_count)) != NULL)
        setup.checkpoint_count++;
    if (rc == 0)
        rc = audit_run(&setup, report, err);
    progress_end(progress);
    return rc;
}

/* ---- programs that are asked again ---- */

typedef struct Reruns {
    RerunAgent agents[RERUN_AGENTS_MAX];
    uint32_t count;
    RerunVerdict verdicts[RERUN_AGENTS_MAX];
    Buf names; /* of the agents, each with a NUL */
} Reruns;

static void reruns_done(Reruns *reruns)
{
    buf_done(&reruns->names);
}

static int check_command(Str name, Str command, Err *err)
{
    Str word, near;

    if (!name.len || !command.len)
        return err_set(err, ERR_USAGE,
                       "--rerun: expected NAME=COMMAND, as in "
                       "--rerun 'alice=python3 agent.py -h {host} -p {port}'");
    if (agent_command_find_slip(command, &word, &near))
        return err_set(err, ERR_USAGE,
                       "--rerun %.*s: nothing is filled in for '{%.*s}' in its command; did you "
                       "mean '{%.*s}'?",
                       STR_ARG(name), STR_ARG(word), STR_ARG(near));
    if (!agent_command_has_port(command))
        return err_set(err, ERR_USAGE,
                       "--rerun %.*s: its command has no {port}, without which the program can't "
                       "know where to connect to",
                       STR_ARG(name));
    return 0;
}

static int read_reruns(const Options *given, Reruns *reruns, Err *err)
{
    const char *text;
    int rc = 0;

    for (size_t i = 0; rc == 0 && (text = options_item(given, RERUN, i)); i++) {
        Str command = str_of(text);
        const Str name = str_cut(&command, '=');
        rc = check_command(name, command, err);
        if (rc == 0 && i == RERUN_AGENTS_MAX)
            rc = err_set(err, ERR_LIMIT, "--rerun: at most %d agents", RERUN_AGENTS_MAX);
        if (rc)
            break;
        reruns->agents[reruns->count++].command = command.bytes;
        buf_add(&reruns->names, name);
        buf_add_char(&reruns->names, '\0');
    }
    if (rc == 0 && reruns->count == 0 && options_has(given, SETS))
        return err_set(err, ERR_USAGE, "--sets needs --rerun");
    const char *name = buf_cstr(&reruns->names);
    for (uint32_t i = 0; i < reruns->count; i++, name += strlen(name) + 1)
        reruns->agents[i].name = name;
    return rc == 0 && buf_failed(&reruns->names) ? err_set(err, ERR_MEMORY, "audit: out of memory")
                                                 : rc;
}

static bool show_sets(void *user, const char *name, uint64_t done, uint64_t sets, TimeUs now)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "%s: %" PRIu64 " of %" PRIu64 " sets", name, done, sets);
    if (!buf_failed(&line))
        progress_show(user, now / 1000, buf_str(&line));
    return !interrupt_came();
}

/* A program that could read the record could give what stands there. */
static int open_cell(const char *dir, bool quiet, Cell **ret_cell, Err *err)
{
    const char *const hidden[] = {dir, NULL};
    const mode_t mask = umask(0);

    umask(mask);
    int rc = cell_new(hidden, mask, CMD_START_AGENT, ret_cell, err);
    if (rc == 0 && cell_lack(*ret_cell).len && !quiet)
        fprintf(stderr,
                "the program can read the recorded answers: this machine gives no namespaces "
                "(%.*s)\n",
                STR_ARG(cell_lack(*ret_cell)));
    return rc;
}

static int run_again(const char *dir, const Options *given, Progress *progress, Reruns *reruns,
                     Err *err)
{
    CLEANUP(cell_freep) Cell *cell = NULL;
    Key pick;
    RerunSetup setup = {.dir = dir,
                        .agents = reruns->agents,
                        .count = reruns->count,
                        .sets = options_number(given, SETS),
                        .pick = &pick,
                        .host = "127.0.0.1",
                        .progress = show_sets,
                        .user = progress};
    int rc = key_draw(&pick, err);

    if (rc == 0)
        rc = open_cell(dir, options_has(given, QUIET), &cell, err);
    setup.cell = cell;
    if (rc == 0)
        rc = rerun_run(&setup, reruns->verdicts, err);
    progress_end(progress);
    return rc;
}

/* ---- the commands ---- */

static int print_report(const AuditReport *report, const Reruns *reruns, bool json, bool japanese,
                        Err *err)
{
    CLEANUP(buf_done) Buf out = {0};

    if (json)
        audit_write_json(report, reruns->verdicts, reruns->count, &out);
    else {
        audit_write(report, japanese, &out);
        rerun_write(reruns->verdicts, reruns->count, japanese, &out);
    }
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    fputs(buf_cstr(&out), stdout);
    return audit_holds(report) && rerun_holds(reruns->verdicts, reruns->count) ? 0 : EXIT_DISAGREE;
}

int cmd_audit(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(reruns_done) Reruns reruns = {0};
    AuditReport report;
    Interrupt interrupt;
    int go = options_parse(&cmd_audit_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "audit: name one folder");
    int rc = read_reruns(&given, &reruns, err);
    if (rc)
        return rc;
    Progress progress = progress_new(options_has(&given, QUIET));
    interrupt_watch(&interrupt);
    rc = audit_folder(given.arguments[0], &given, &progress, &report, err);
    if (rc == 0 && reruns.count)
        rc = run_again(given.arguments[0], &given, &progress, &reruns, err);
    interrupt_done(&interrupt);
    return rc ? rc
              : print_report(&report, &reruns, options_has(&given, JSON),
                             options_number(&given, LANG) == 1, err);
}

int cmd_bundle(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf out = {0};
    AuditReport report;
    Interrupt interrupt;
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
    int rc = bundle_write(&(BundleSetup){.dir = given.arguments[0], .out = buf_cstr(&out)}, err);
    if (rc)
        return rc;
    Progress progress = progress_new(false);
    interrupt_watch(&interrupt);
    rc = audit_folder(buf_cstr(&out), NULL, &progress, &report, err);
    interrupt_done(&interrupt);
    if (rc)
        return rc;
    printf("%s is made; what a check of it says:\n\n", buf_cstr(&out));
    return print_report(&report, &(Reruns){0}, false, false, err);
}
