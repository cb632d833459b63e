/* cmd_contest.c - `warg contest`: what organisers and participants do beside the games.
 * docs/spec/contest-operations.md 8.5, 11.1. */
#include "base/key.h"
#include "cli/contest_check.h"
#include "cli/contest_runner.h"
#include "cli/contest_serve.h"
#include "cmd/cmd.h"
#include "contest/rulings.h"
#include "disk/key_file.h"
#include "net/loop.h"

#include <stdio.h>

static int contest_findings(int argc, char **argv, Err *err);
static int contest_rule(int argc, char **argv, Err *err);
static int contest_lot(int argc, char **argv, Err *err);
static int contest_serve_site(int argc, char **argv, Err *err);
static int contest_try(int argc, char **argv, Err *err);
static int contest_run_jobs(int argc, char **argv, Err *err);

enum { JSON };
static const Option findings_options[] = {
    [JSON] = {"json", 0, OPTION_FLAG, NULL, "print the findings as JSON", NULL, 0, 0},
};

enum { REASON };
static const Option rule_options[] = {
    [REASON] = {"reason", 'r', OPTION_TEXT, "TEXT", "why; published with the ruling", NULL, 0, 0},
};

enum { CLOCK };
static const Option serve_options[] = {
    [CLOCK] = {"clock", 0, OPTION_TEXT, "FILE",
               "a file that holds the date, for rehearsals: dates fire as it goes on", NULL, 0, 0},
};

const Usage cmd_contest_usage[] = {
    {"contest lot", "NAME [LOT]",
     "Makes a lot for the agent NAME: what it gives to the chance of a stage, so that nobody, the\n"
     "organiser included, knows the key of the stage before the programs are fixed. Send the\n"
     "entry to the organiser before, and keep the lot secret until all programs are fixed.\n"
     "With LOT, prints its entry: so anybody checks a lot that was opened.",
     NULL, 0,
     "warg contest lot alice\n"
     "warg contest lot alice 00b1...  # the entry of a lot\n",
     NULL, contest_lot},
    {"contest findings", "DIR",
     "Lists what the rules of conduct of a contest are about: who, how often, what follows from\n"
     "the contest file, and what was ruled.",
     OPTIONS(findings_options), "warg contest findings cup\n", NULL, contest_findings},
    {"contest rule", "DIR N dismiss|warn|eliminate",
     "Rules on finding N of 'warg contest findings': a line of the journal, with its reason, and\n"
     "never a change of a result. Who is eliminated is not ranked, and plays no later stage. A "
     "later\n"
     "ruling on the same finding takes the place of an earlier one.",
     OPTIONS(rule_options),
     "warg contest rule cup 0 eliminate --reason 'opened a connection in 40 games'\n"
     "warg contest rule cup 0 dismiss --reason 'the machine was out of memory'\n",
     NULL, contest_rule},
    {"contest serve", "DIR",
     "Serves the contest site of DIR/server.yml: its API, its pages, its clock, until it gets\n"
     "SIGINT or SIGTERM. See docs/contest-api.md.",
     OPTIONS(serve_options), "warg contest serve site\n", NULL, contest_serve_site},
    {"contest check", "FILE", contest_check_text, contest_check_options, CONTEST_CHECK_OPTIONS,
     contest_check_examples, "the file is refused", contest_try},
    {"contest runner", "DIR", contest_runner_text, contest_runner_options, CONTEST_RUNNER_OPTIONS,
     contest_runner_examples, NULL, contest_run_jobs},
    {0},
};

static int contest_serve_site(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(&cmd_contest_usage[3], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "contest serve: name the site's folder");
    const ContestServe serve = {given.arguments[0], options_text(&given, CLOCK), loop_date_ms};
    return contest_serve(&serve, err);
}

static int contest_try(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(&cmd_contest_usage[4], argc, argv, &given, err);

    return go <= 0 ? go : contest_check(&given, CMD_START_AGENT, err);
}

static int contest_run_jobs(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(&cmd_contest_usage[5], argc, argv, &given, err);

    return go <= 0 ? go : contest_runner(&given, CMD_START_AGENT, err);
}

static int contest_lot(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(&cmd_contest_usage[0], argc, argv, &given, err);
    PlanAgent agent;
    char hex[KEY_HEX_BYTES];
    Key lot;

    if (go <= 0)
        return go;
    if (given.argument_count < 1 || given.argument_count > 2)
        return err_set(err, ERR_USAGE, "expected the name of an agent, and maybe its lot");
    const bool drawn = given.argument_count == 1;
    int rc = plan_agent_name(&agent, str_of(given.arguments[0]), err);
    if (rc == 0 && drawn)
        rc = key_draw(&lot, err);
    else if (rc == 0 && !key_from_hex(str_of(given.arguments[1]), &lot))
        rc = err_set(err, ERR_USAGE, "a lot is 64 hexadecimal digits");
    if (rc)
        return rc;
    key_to_hex(&lot, hex);
    if (drawn)
        printf("lot:   %s  (secret until the programs are fixed)\n", hex);
    const Key entry = key_of_lot_entry(str_of(agent.name), &lot);
    key_to_hex(&entry, hex);
    printf("entry: %s\n", hex);
    return 0;
}

static int contest_findings(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(ruling_folder_done) RulingFolder folder = {0};
    CLEANUP(buf_done) Buf out = {0};
    int go = options_parse(&cmd_contest_usage[1], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "contest findings: name one folder");
    int rc = ruling_folder_open(&folder, given.arguments[0], err);
    if (rc)
        return rc;
    ruling_folder_write(&folder, options_has(&given, JSON), &out);
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    fputs(out.len ? buf_cstr(&out) : "no finding\n", stdout);
    return 0;
}

static int contest_rule(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(ruling_folder_done) RulingFolder folder = {0};
    int go = options_parse(&cmd_contest_usage[2], argc, argv, &given, err);
    uint64_t number = 0;

    if (go <= 0)
        return go;
    if (given.argument_count != 3 || !str_to_uint(str_of(given.arguments[1]), UINT32_MAX, &number))
        return err_set(err, ERR_USAGE,
                       "contest rule: expected a folder, the number of a finding and a decision");
    const RulingDecision decision = ruling_of(str_of(given.arguments[2]));
    const Str reason =
        str_trim(str_of(options_has(&given, REASON) ? options_text(&given, REASON) : ""));
    if (decision == RULING_COUNT)
        return err_set(err, ERR_USAGE, "contest rule: '%s' is none of dismiss, warn, eliminate",
                       given.arguments[2]);
    if (!reason.len)
        return err_set(err, ERR_USAGE, "contest rule: give --reason, it is published");
    int rc = ruling_folder_open(&folder, given.arguments[0], err);
    return rc ? rc
              : ruling_folder_rule(&folder, (uint32_t)number, decision, reason, loop_date_ms(),
                                   err);
}

int cmd_contest(int argc, char **argv, Err *err)
{
    if (argc > 1 && strcmp(argv[1], CONTEST_JOB) == 0)
        return contest_job(argc - 1, argv + 1, CMD_START_AGENT, err);
    return options_run_verb("contest", cmd_contest_usage, argc, argv, err);
}
