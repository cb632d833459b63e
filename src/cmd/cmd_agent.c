/* cmd_agent.c - `warg agent`: an agent before a contest. docs/spec/contest-operations.md 7. */
#include "cli/cell_arg.h"
#include "cmd/cmd.h"
#include "contest/agent_spec.h"
#include "contest/check_run.h"
#include "disk/result_folder.h"
#include "net/interrupt.h"
#include "net/loop.h"
#include "show/agent_check_output.h"
#include "show/terminal.h"

#include <inttypes.h>

enum {
    AGENT,
    GAMES,
    CELL,
    NAME,
    TIME_LIMIT,
    STARTUP,
    MEMORY,
    THREADS,
    FILES,
    JSON_OUT,
    QUIET,
    LANGUAGE,
};
static const Option check_options[] = {
    [AGENT] = {"agent", 'a', OPTION_TEXT, "SPEC",
               "who is tried: name=NAME,folder=DIR,cmd=COMMAND, a program to start, with {host}, "
               "{port} and {name} filled in",
               NULL, 0, 0},
    [GAMES] = {"games", 'g', OPTION_UINT, "N", "games of a set", "20", 1, CHECK_GAMES_MAX},
    [CELL] = CELL_OPTION_ROW,
    [NAME] = {"name", 0, OPTION_CHOICE, "warn|refuse",
              "what follows when it says another name than the one it was given", "warn", 0, 0},
    [TIME_LIMIT] = {"time-limit", 0, OPTION_DURATION, "TIME",
                    "for an answer, in place of the rules' 100 ms", NULL, 1, 3600000},
    [STARTUP] = {"startup-limit", 0, OPTION_DURATION, "TIME",
                 "to connect, and for the first answer", "5s", 1, 3600000},
    [MEMORY] = {"memory", 0, OPTION_UINT, "MIB", "memory that it may use", "1024", 1, 1048576},
    [THREADS] = {"threads", 0, OPTION_UINT, "N", "threads that it may have", "64", 1, 100000},
    [FILES] = {"files", 0, OPTION_UINT, "N", "descriptors that it may have open", "256", 4, 100000},
    [JSON_OUT] = {"json", 0, OPTION_FLAG, NULL, "print the report as JSON", NULL, 0, 0},
    [QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "no progress line and no notes", NULL, 0, 0},
    [LANGUAGE] = {"language", 0, OPTION_CHOICE, "en|ja", "of the report", "en", 0, 0},
};

static int agent_check(int argc, char **argv, Err *err);

const Usage cmd_agent_usage[] = {
    {"agent check", "",
     "Tries an agent of the protocol division as an organiser does before a contest, in about a\n"
     "minute: its start and name, a game in every role at tables of 5 and 15, sets with built-in\n"
     "bots, its times, what it does that is forbidden, what it uses, and a second process. Prints\n"
     "a verdict for each step, and what to change.",
     OPTIONS(check_options),
     "warg agent check --agent 'name=foo,cmd=./foo -h {host} -p {port} -n {name}'\n"
     "warg agent check --agent 'name=foo,folder=foo,cmd=python3 -B start.py -h {host} -p {port} -n "
     "{name}' \\\n"
     "    --games 100 --name refuse\n"
     "warg agent check --agent 'name=foo,cmd=./foo -h {host} -p {port} -n {name}' --json\n",
     "the agent is refused", agent_check},
    {0},
};

typedef struct Showing {
    Progress progress;
    bool quiet;
} Showing;

static bool show_progress(void *user, CheckPlay play, uint64_t done, uint64_t games, TimeUs now)
{
    Showing *showing = user;
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "%s: %" PRIu64 " of %" PRIu64 " games",
               check_step_name(agent_check_step_of(play)), done, games);
    progress_show(&showing->progress, now / 1000, buf_str(&line));
    return !interrupt_came();
}

static void show_note(void *user, Str text)
{
    Showing *showing = user;

    progress_end(&showing->progress);
    if (!showing->quiet)
        fprintf(stderr, "%.*s\n", STR_ARG(text));
}

/* The agent is the first, and only, of `plan`. */
static int read_agent(const Options *given, Plan *plan, Err *err)
{
    CLEANUP(buf_done) Buf warning = {0};
    const char *spec = options_text(given, AGENT);
    int rc = plan_init(plan, err);

    if (rc == 0 && !spec)
        rc = err_set(err, ERR_USAGE, "agent check: expected --agent SPEC");
    if (rc == 0)
        rc = agent_spec_add(plan, str_of(spec), err);
    if (rc == 0 && (plan->agent_count != 1 || plan->agents[0].bot || plan->agents[0].tells))
        rc = err_set(err, ERR_USAGE,
                     "agent check tries one program: --agent 'name=NAME,cmd=COMMAND'");
    if (rc == 0)
        rc = agent_spec_check_program(plan, &plan->agents[0], err);
    agent_spec_warn(plan, &warning);
    if (rc == 0 && warning.len)
        fprintf(stderr, "%s\n", buf_cstr(&warning));
    return rc;
}

static CheckLimits limits_of(const Options *given)
{
    return (CheckLimits){.memory_kib = options_number(given, MEMORY) * 1024,
                         .threads = (uint32_t)options_number(given, THREADS),
                         .files = (uint32_t)options_number(given, FILES),
                         .output_bytes = UINT64_C(1) << 20,
                         .answer_ms = options_has(given, TIME_LIMIT)
                                          ? (uint32_t)options_number(given, TIME_LIMIT)
                                          : 0,
                         .name_refuses = options_number(given, NAME) == 1};
}

/* The limits of the check are those of a strict cell. */
static CellWish wish_of(const Options *given)
{
    CellWish wish = cell_wish_default();

    cell_arg(given, CELL, &wish);
    wish.memory_bytes = options_number(given, MEMORY) << 20;
    wish.threads = (uint32_t)options_number(given, THREADS);
    wish.files = (uint32_t)options_number(given, FILES);
    return wish;
}

static int agent_check(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(agent_check_done) AgentCheck check = {0};
    CLEANUP(buf_done) Buf out = {0};
    Interrupt interrupt;
    int go = options_parse(&cmd_agent_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    int rc = read_agent(&given, &plan, err);
    if (rc)
        return rc;
    const bool japanese = options_number(&given, LANGUAGE) == 1, quiet = options_has(&given, QUIET);
    Showing showing = {progress_new(quiet), quiet};
    const AgentCellSetup cell = {.own_verb = CMD_START_AGENT, .umask = result_folder_begin(false)};
    const CheckRun run = {.agent = &plan.agents[0],
                          .games = (uint32_t)options_number(&given, GAMES),
                          .limits = limits_of(&given),
                          .wish = wish_of(&given),
                          .startup_ms = (uint32_t)options_number(&given, STARTUP),
                          .cell = &cell,
                          .now = loop_now,
                          .date = loop_date_ms,
                          .progress = show_progress,
                          .note = show_note,
                          .user = &showing};
    interrupt_watch(&interrupt);
    rc = check_run(&run, &check, err);
    progress_end(&showing.progress);
    interrupt_done(&interrupt);
    if (rc)
        return rc;
    if (options_has(&given, JSON_OUT))
        agent_check_write_json(&check, japanese, &out);
    else
        agent_check_write_text(&check, japanese, &out);
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "agent check: out of memory");
    fputs(buf_cstr(&out), stdout);
    return check.passed ? EXIT_OK : EXIT_DISAGREE;
}

int cmd_agent(int argc, char **argv, Err *err)
{
    return options_run_verb("agent", cmd_agent_usage, argc, argv, err);
}
