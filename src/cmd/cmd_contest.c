/* cmd_contest.c - `warg contest`: what organisers and participants do beside the games.
 * docs/spec/contest-operations.md 8.5, 11.1. */
#include "base/key.h"
#include "cli/contest_api.h"
#include "cli/contest_check.h"
#include "cli/contest_runner.h"
#include "cli/contest_serve.h"
#include "cli/contest_site.h"
#include "cmd/cmd.h"
#include "disk/key_file.h"
#include "match/plan.h"
#include "net/loop.h"

#include <stdio.h>

static int contest_site(int argc, char **argv, Err *err);
static int contest_lot(int argc, char **argv, Err *err);
static int contest_serve_site(int argc, char **argv, Err *err);
static int contest_try(int argc, char **argv, Err *err);
static int contest_far(int argc, char **argv, Err *err);
static int contest_run_jobs(int argc, char **argv, Err *err);

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
    {"contest serve", "DIR",
     "Serves the contest site of DIR/server.yml: its API, its pages, its clock, until it gets\n"
     "SIGINT or SIGTERM. See docs/contest-api.md.",
     OPTIONS(serve_options), "warg contest serve site\n", NULL, contest_serve_site},
    {"contest check", "FILE", contest_check_text, contest_check_options, CONTEST_CHECK_OPTIONS,
     contest_check_examples, "the file is refused", contest_try},
    {"contest submit", "FILE", contest_submit_text, contest_submit_options, CONTEST_SUBMIT_OPTIONS,
     contest_submit_examples, "the version is refused", contest_far},
    {"contest environment", "", contest_environment_text, contest_environment_options,
     CONTEST_ENVIRONMENT_OPTIONS, contest_environment_examples, NULL, contest_far},
    {"contest token", "", contest_token_text, contest_token_options, CONTEST_TOKEN_OPTIONS,
     contest_token_examples, NULL, contest_far},
    {"contest runner", "DIR", contest_runner_text, contest_runner_options, CONTEST_RUNNER_OPTIONS,
     contest_runner_examples, NULL, contest_run_jobs},
    {"contest init", "DIR",
     "Makes a contest site out of a folder: its data folder and its store, and server.yml with\n"
     "comments; one that is there already is taken as it is, so write it first for PostgreSQL.\n"
     "Prints a link by which the first who opens it becomes the admin.",
     NULL, 0, "warg contest init site\n", NULL, contest_site},
    {"contest new", "FILE", "Makes a contest, a draft, out of a contest file.",
     OPTIONS(site_options), "warg contest new cup.yml --site site\n", NULL, contest_site},
    {"contest amend", "NAME FILE",
     "Another contest file in the place of the one in force. Texts and future dates change "
     "freely,\n"
     "the rest with a reason, of which all teams are told.",
     OPTIONS(site_reason_options),
     "warg contest amend cup cup.yml --reason 'the limit was a slip'\n", NULL, contest_site},
    {"contest list", "", "Lists the contests of a site.", OPTIONS(site_look_options),
     "warg contest list --site site\n", NULL, contest_site},
    {"contest status", "NAME", "Says how a contest stands, and what it waits for.",
     OPTIONS(site_look_options), "warg contest status cup\n", NULL, contest_site},
    {"contest open", "NAME", "Opens a draft, whatever its date: teams may register.",
     OPTIONS(site_reason_options), "warg contest open cup\n", NULL, contest_site},
    {"contest freeze", "NAME", "Closes submissions now: what plays is fixed.",
     OPTIONS(site_reason_options), "warg contest freeze cup\n", NULL, contest_site},
    {"contest start", "NAME", "Starts the next stage, whatever its date.",
     OPTIONS(site_reason_options), "warg contest start cup\n", NULL, contest_site},
    {"contest next", "NAME",
     "Goes on to the next state, whatever its date, as soon as all it needs is there.",
     OPTIONS(site_reason_options), "warg contest next cup\n", NULL, contest_site},
    {"contest back", "NAME", "Goes back one state, with a reason, while nothing was revealed.",
     OPTIONS(site_reason_options), "warg contest back cup --reason 'the upload was down'\n", NULL,
     contest_site},
    {"contest pause", "NAME", "Has a contest stand still: no date leads on, no game begins.",
     OPTIONS(site_reason_options), "warg contest pause cup --reason 'the hall has no power'\n",
     NULL, contest_site},
    {"contest resume", "NAME", "Has it go on.", OPTIONS(site_reason_options),
     "warg contest resume cup\n", NULL, contest_site},
    {"contest cancel", "NAME", "Ends a contest that was not published, for good.",
     OPTIONS(site_reason_options), "warg contest cancel cup --reason 'two teams registered'\n",
     NULL, contest_site},
    {"contest round", "NAME", "Plays a testing round now.", OPTIONS(site_options),
     "warg contest round cup\n", NULL, contest_site},
    {"contest team", "NAME list|approve|withdraw [TEAM]",
     "Lists the teams of a contest, lets one in that waits, or takes one out.",
     OPTIONS(site_options), "warg contest team cup list\nwarg contest team cup approve wits\n",
     NULL, contest_site},
    {"contest announce", "NAME TEXT", "Tells all teams something.", OPTIONS(site_announce_options),
     "warg contest announce cup 'The final begins at noon' --japanese '決勝は正午からです'\n", NULL,
     contest_site},
    {"contest findings", "NAME|DIR",
     "Lists what the rules of conduct of a contest are about: who, how often, what follows from\n"
     "the contest file, and what was ruled. DIR: a folder of 'warg run --out', without a site.",
     OPTIONS(site_look_options), "warg contest findings cup\n", NULL, contest_site},
    {"contest rule", "NAME|DIR N dismiss|warn|eliminate|close",
     "Rules on finding N of 'warg contest findings': a line of the journal, with its reason, and\n"
     "never a change of a result. Who is eliminated is not ranked, and plays no later stage. A\n"
     "later ruling on the same finding takes the place of an earlier one. 'ruling:N close' is for "
     "a\n"
     "ruling that could not be carried out, as 'contest findings' of a site says.",
     OPTIONS(site_reason_options),
     "warg contest rule cup 0 eliminate --reason 'opened a connection in 40 games'\n"
     "warg contest rule cup 0 dismiss --reason 'the machine was out of memory'\n",
     NULL, contest_site},
    {"contest invite", "admin | NAME organiser|judge",
     "Prints a link that works once: for an admin of the site, or somebody who organises or "
     "judges\n"
     "a contest.",
     OPTIONS(site_options), "warg contest invite cup judge\n", NULL, contest_site},
    {"contest reset", "LOGIN", "Prints a link by which an account gets a new password.",
     OPTIONS(site_options), "warg contest reset ann\n", NULL, contest_site},
    {"contest migrate", "[DIR]", "Brings the store of a site up to date with this program.",
     OPTIONS(site_check_options), "warg contest migrate site --check\n", "it is not up to date",
     contest_site},
    {"contest doctor", "[DIR]",
     "Looks at a site: its folders, store, ledgers, contest files, disk, cells, mail, processes.",
     OPTIONS(site_options), "warg contest doctor site\n", "something is bad", contest_site},
    {"contest backup", "[SITE] TO",
     "Copies a site, also while it runs, into the new folder TO: its store, ledgers, secrets, "
     "what\n"
     "teams have sent, journals and logs. Whoever has the copy has all secrets.",
     OPTIONS(site_options), "warg contest backup /backups/monday --site site\n", NULL,
     contest_site},
    {"contest restore", "[SITE] FROM",
     "Fills the empty data folder and store of server.yml out of a backup, and checks every "
     "ledger.",
     OPTIONS(site_options), "warg contest restore /backups/monday --site new\n", NULL,
     contest_site},
    {"contest bundle", "NAME",
     "Makes what is published of a contest that is over, and checks it as 'warg audit' does.",
     OPTIONS(site_bundle_options), "warg contest bundle cup2027 --out public/cup2027\n",
     "something in it contradicts", contest_site},
    {"contest sheets", "NAME",
     "Says how far the judges of a natural-language contest are. With --csv their open sheets "
     "come\n"
     "as a table for paper and forms; with --read what is filled in there is handed in.",
     OPTIONS(site_sheets_options),
     "warg contest sheets cup >sheets.csv --csv\nwarg contest sheets cup --read sheets.csv\n", NULL,
     contest_site},
    {"contest judge", "NAME",
     "Says how models judge: how near to people, to themselves, and whether places count.",
     OPTIONS(site_options), "warg contest judge cup\n", NULL, contest_site},
    {"contest scores", "NAME",
     "Prints win rates and judges' totals of a track, agents A and B apart and together.",
     OPTIONS(site_scores_options),
     "warg contest scores cup --track turn5\nwarg contest scores cup --csv\n", NULL, contest_site},
    {"contest probe", "",
     "Tries what this machine has for strict cells, and whether it is what cell.require says.",
     OPTIONS(site_look_options), "warg contest probe --site site\n",
     "this machine lacks what is required", contest_site},
    {0},
};

static int contest_serve_site(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(options_usage(cmd_contest_usage, argv[0]), argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "contest serve: name the site's folder");
    const ContestServe serve = {given.arguments[0], options_text(&given, CLOCK), loop_date_ms,
                                loop_date_of};
    return contest_serve(&serve, err);
}

/* What is asked of a site by its URL. */
static int contest_far(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(options_usage(cmd_contest_usage, argv[0]), argc, argv, &given, err);

    if (go <= 0)
        return go;
    return contest_api_run(str_of(argv[0]), &given, err);
}

static int contest_try(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(options_usage(cmd_contest_usage, argv[0]), argc, argv, &given, err);

    return go <= 0 ? go : contest_check(&given, CMD_START_AGENT, err);
}

static int contest_run_jobs(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(options_usage(cmd_contest_usage, argv[0]), argc, argv, &given, err);

    return go <= 0 ? go : contest_runner(&given, CMD_START_AGENT, err);
}

static int contest_lot(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(options_usage(cmd_contest_usage, argv[0]), argc, argv, &given, err);
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

/* All that work on a site. */
static int contest_site(int argc, char **argv, Err *err)
{
    return contest_site_run(cmd_contest_usage, argc, argv, loop_date_ms, CMD_START_AGENT, err);
}

int cmd_contest(int argc, char **argv, Err *err)
{
    if (argc > 1 && strcmp(argv[1], CONTEST_JOB) == 0)
        return contest_job(argc - 1, argv + 1, CMD_START_AGENT, err);
    return options_run_verb("contest", cmd_contest_usage, argc, argv, err);
}
