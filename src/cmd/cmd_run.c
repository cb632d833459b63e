/* cmd_run.c - `warg run`: plays a contest, from a handful of games among built-in agents to stages
 *             of sets with outside agents, and says who won. */
#include "cli/pages_arg.h"
#include "cmd/cell_arg.h"
#include "cmd/chance_arg.h"
#include "cmd/cmd.h"
#include "cmd/ruleset_arg.h"
#include "contest/agent_model.h"
#include "contest/agent_spec.h"
#include "contest/contest_file.h"
#include "contest/contest_run.h"
#include "contest/starter_file.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "disk/result_folder.h"
#include "match/table_room.h"
#include "net/interrupt.h"
#include "net/loop.h"
#include "results/results.h"
#include "results/results_build.h"
#include "serve/pages_thread.h"
#include "show/run_forecast.h"
#include "show/standings_output.h"
#include "show/terminal.h"
#include "show/trial_text.h"
#include "thinker/model_bots.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    RULES,
    PLAYERS,
    GAMES,
    SETS,
    MIN_GAMES,
    GAMES_PER_SET,
    AGENT,
    ROLES,
    PAIRING,
    STARTER,
    OUT,
    OPEN_RESULTS,
    PROMPTS,
    RESUME,
    TABLES,
    CELL,
    DRY_RUN,
    LIKE,
    PRICES,
    OWN_SHARE,
    OPINIONS,
    TIME_LIMIT,
    STARTUP,
    ON_FAULT,
    SPRT,
    CHALLENGER,
    SEED,
    REPLAY,
    ANSWERS,
    GAME,
    STAGE,
    COMMIT_SEED,
    JOBS,
    LOG_DIR,
    GZIP,
    NO_EXCHANGE,
    LEDGER,
    PAGES,
    PAGES_END = PAGES + PAGES_OPTION_COUNT - 1,
    OPERATOR_FILE,
    FORMAT,
    QUIET,
    LANGUAGE,
};
static const Option options[] = {
    [RULES] = {"rules", 'r', OPTION_TEXT, "NAME|FILE", "ruleset; see 'warg rules list'",
               "aiwolf-2021", 0, 0},
    [PLAYERS] = {"players", 'n', OPTION_UINT, "N",
                 "seats at the table; without it as many as agents, or as usual with these rules",
                 NULL, PLAYERS_MIN, SEAT_MAX},
    [GAMES] = {"games", 'g', OPTION_UINT, "N", "games to play, in sets of 100", "100", 1,
               STAGE_GAMES_MAX},
    [SETS] = {"sets", 0, OPTION_UINT, "N", "sets to play, in place of --games", NULL, 1,
              STAGE_GAMES_MAX / 100},
    [MIN_GAMES] = {"min-games", 0, OPTION_UINT, "N",
                   "as many sets as give every agent so many games, in place of --games", NULL, 1,
                   STAGE_GAMES_MAX},
    [GAMES_PER_SET] = {"games-per-set", 0, OPTION_UINT, "N",
                       "games in which agents keep seats and processes, in place of the rules'",
                       NULL, 1, 1000000},
    [AGENT] =
        {"agent", 'a', OPTION_LIST, "SPEC",
         "who plays: bot:KIND*COPIES,name=NAME, where COPIES and NAME may be left out; "
         "llm:URL,model=MODEL*COPIES,name=NAME,persona=TEXT, a language model, or llm:demo; or "
         "name=NAME,env=VARIABLE,cmd=COMMAND, a program to start, with {host}, {port} and {name} "
         "filled in; or "
         "FILE.yml with a list; give it again for more; seats left over go to bot:sample, "
         "in natural language to bot:talker",
         NULL, 0, 0},
    [ROLES] = {"roles", 0, OPTION_LIST, "NAME=ROLE", "an agent that always gets this role", NULL, 0,
               0},
    [PAIRING] = {"pairing", 0, OPTION_CHOICE, "random|rotate|all-pairs",
                 "who sits together, when there are more agents than seats; with rotate and "
                 "all-pairs also who gets which role",
                 "random", 0, 0},
    [STARTER] = {"starter", 0, OPTION_TEXT, "FILE",
                 "agents, games and rules from a configuration of the old starters", NULL, 0, 0},
    [OUT] = {"out", 'o', OPTION_TEXT, "DIR",
             "keep everything there: journal, logs, faults, results, what agents print, report",
             NULL, 0, 0},
    [OPEN_RESULTS] = {"open-results", 0, OPTION_FLAG, NULL,
                      "let others on this machine read --out and --log-dir", NULL, 0, 0},
    [PROMPTS] = MODEL_SET_PROMPTS_ROW,
    [RESUME] = {"resume", 0, OPTION_FLAG, NULL, "go on with what --out holds", NULL, 0, 0},
    [TABLES] =
        {"tables", 0, OPTION_TEXT, "K|auto",
         "tables with outside agents at the same time; auto: as many as the machine has room "
         "for",
         "1", 0, 0},
    [CELL] = CELL_OPTION_ROW,
    [DRY_RUN] = {"dry-run", 0, OPTION_FLAG, NULL,
                 "play nothing: say how many games it would be, and what language models would "
                 "take, in requests, tokens and money",
                 NULL, 0, 0},
    [LIKE] = {"like", 0, OPTION_TEXT, "DIR", "with --dry-run: reckon from the games of this folder",
              NULL, 0, 0},
    [PRICES] = {"prices", 0, OPTION_TEXT, "FILE",
                "what tokens of models cost, as config/prices.yml", NULL, 0, 0},
    [OWN_SHARE] = {"own-share", 0, OPTION_UINT, "PERCENT",
                   "of a language model's decisions that have to be its own, else it is warned "
                   "of, and the exit status is 5; without it the contest file's own_share, or 90",
                   NULL, 1, 100},
    [OPINIONS] = MODEL_OPINIONS_ROW("language models"),
    [TIME_LIMIT] = {"time-limit", 0, OPTION_DURATION, "TIME",
                    "for an outside agent's answer, in place of the rules'", NULL, 1, 3600000},
    [STARTUP] = {"startup-limit", 0, OPTION_DURATION, "TIME",
                 "for an outside agent to connect, and for its first answer", "5s", 1, 3600000},
    [ON_FAULT] = {"on-fault", 0, OPTION_CHOICE, "substitute|forfeit-set|abort-game|restart",
                  "when an outside agent fails", "substitute", 0, 0},
    [SPRT] = {"sprt", 0, OPTION_TEXT, "elo0=0,elo1=20,alpha=0.05,beta=0.05",
              "play until it is clear whether the challenger is better, by a sequential test; up "
              "to --games, --sets or --min-games, else to a million games",
              NULL, 0, 0},
    [CHALLENGER] = {"challenger", 0, OPTION_TEXT, "NAME", "the agent that --sprt tests", NULL, 0,
                    0},
    [SEED] =
        {"seed", 's', OPTION_UINT, "S",
         "for trials: decides all chance, and the same number gives the same games, but for "
         "what models and other programs say. Who guesses it knows all roles; without it a key "
         "of 256 bits is drawn",
         NULL, 0, UINT64_MAX},
    [REPLAY] = {"replay", 0, OPTION_TEXT, "SEED|KEY|DIR",
                "the same games again: by a seed, by a published key, or by those of a folder of "
                "--out; old:SEED for a seed of a build that had no keys",
                NULL, 0, 0},
    [ANSWERS] = {"answers-from", 0, OPTION_TEXT, "DIR",
                 "the same games again, with the answers that the language models of this folder "
                 "of --out gave: no request is sent; --log-dir gets the same logs byte for byte",
                 NULL, 0, 0},
    [GAME] = {"game", 0, OPTION_UINT, "N", "with --replay: only this game, numbered from 0", NULL,
              0, STAGE_GAMES_MAX - 1},
    [STAGE] = {"stage", 0, OPTION_TEXT, "NAME",
               "with --game: the stage it is of; without it the first", NULL, 0, 0},
    [COMMIT_SEED] = {"commit-seed", 0, OPTION_FLAG, NULL,
                     "print a commitment to the key before the games and the key after them; not "
                     "with --seed",
                     NULL, 0, 0},
    [JOBS] = {"jobs", 'j', OPTION_UINT, "J",
              "threads for games among built-in agents; 0 = one per processor", "0", 0, JOBS_MAX},
    [LOG_DIR] = {"log-dir", 'l', OPTION_TEXT, "DIR", "write an AIWolf game log per game there",
                 NULL, 0, 0},
    [GZIP] = {"gzip", 'z', OPTION_FLAG, NULL, "compress the logs", NULL, 0, 0},
    [LEDGER] = {"ledger", 0, OPTION_TEXT, "ORIGIN",
                "with --out: keep a signed list of what the journal says, under a name such as "
                "example.org/warg/cup2027; its checkpoint is for many hands to keep",
                NULL, 0, 0},
    [PAGES] = PAGES_OPTION_ROWS("games of agents that are programs or models"),
    [OPERATOR_FILE] = {"operator-file", 0, OPTION_TEXT, "FILE",
                       "with --web: holds the operator's secret, which opens running games; made "
                       "when missing; without it one is drawn and printed",
                       NULL, 0, 0},
    [NO_EXCHANGE] = {"no-exchange", 0, OPTION_FLAG, NULL,
                     "--out does not keep what each outside agent was asked and answered, with "
                     "times",
                     NULL, 0, 0},
    [FORMAT] = {"format", 'f', OPTION_CHOICE, "table|json|csv", "form of the result", "table", 0,
                0},
    [QUIET] = {"quiet", 'q', OPTION_FLAG, NULL,
               "no progress line, no notes, and no line of the key without --commit-seed", NULL, 0,
               0},
    [LANGUAGE] = {"language", 0, OPTION_CHOICE, "en|ja", "of the table", "en", 0, 0},
};

const Usage cmd_run_usage[] = {
    {"run", "[CONTEST.yml]",
     "Plays games and prints who won: among built-in agents, and with programs that speak the\n"
     "protocol division's wire, which it starts and stops. A contest file holds agents, rules,\n"
     "stages and limits; what it says counts, then.\n"
     "Ctrl-C ends it early: the games played so far are counted, and the exit status is 130.\n"
     "With --out nothing is lost even to a power cut: --resume goes on.",
     OPTIONS(options),
     "warg run --players 15 --games 1000\n"
     "warg run --agent 'bot:sample*4 bot:random' --roles random=WEREWOLF --seed 7\n"
     "warg run --agent 'name=alice,cmd=python3 agent.py -h {host} -p {port} -n {name}' \\\n"
     "    --agent 'bot:sample*4' --games 100 --out monday\n"
     "warg run --agent 'llm:http://localhost:11434/v1,model=llama3.1' --time-limit 1m --games 5\n"
     "warg run --rules maw --players 6 --games 500 --format json\n"
     "warg run contest.yml --out cup\n"
     "warg run contest.yml --out cup --resume\n"
     "warg run contest.yml --replay cup --game 138 --log-dir again\n"
     "warg run contest.yml --answers-from cup --log-dir again  # no model is asked anything\n"
     "warg run --agent 'bot:sample*4 bot:random,name=bob' --sprt elo0=0,elo1=20 "
     "--challenger bob\n",
     "--sprt did not find the challenger better: H0 was accepted, or nothing was decided", NULL},
    {0},
};

typedef struct Run {
    Plan plan;
    ContestRun contest;
    AgentCellSetup cell;
    Trial trial;       /* contest.trial is this one, or NULL */
    LlmPrices *prices; /* NULL: no costs */
    Progress progress;
    int64_t started_ms;
    uint32_t stage; /* whose progress is shown */
    uint64_t stage_before;
    OutFolder replayed; /* the folder of --replay */
    ContestGame only;   /* contest.only is this one, or NULL */
    const char *log_dir;
    PagesArg pages_arg;
    PagesThread *pages; /* NULL = none */
    Spent spent;        /* by language models, since this command began */
    Buf failed;         /* names of agents that have failed, each once, with a comma between */
    bool quiet;
    bool japanese;
} Run;

/* ---- while it runs ---- */

/* Without --out: the log alone, into --log-dir. */
static int write_log(void *user, const GameRecord *record, Str log, Err *err)
{
    const Run *run = user;
    CLEANUP(buf_done) Buf path = {0};
    const char *name = strchr(record->log, '/');

    if (!run->log_dir || !name)
        return 0;
    buf_printf(&path, "%s%s", run->log_dir, name);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "log path: out of memory");
    int rc = run->plan.stage_count > 1 ? folder_make_for(buf_cstr(&path), err) : 0;
    return rc ? rc : log_file_write(buf_cstr(&path), log, err);
}

/* With --out: what its models took. On the thread of the hall. */
static void count_spent(void *user, const GameRecord *record)
{
    Run *run = user;

    run_spent_add(&run->spent, &run->plan, record);
}

static bool show_progress(void *user, uint32_t stage, uint64_t done, uint64_t games, TimeUs at)
{
    Run *run = user;
    int64_t now = at / 1000;

    if (stage != run->stage || run->started_ms == 0) {
        run->stage = stage;
        run->started_ms = now;
        run->stage_before = done;
    }
    double seconds = (double)(now - run->started_ms) / 1000.0;
    uint64_t played = done - run->stage_before;
    if (played > 0 && seconds > 0.2) {
        CLEANUP(buf_done) Buf line = {0};
        double rate = (double)played / seconds;
        if (run->plan.stage_count > 1)
            buf_printf(&line, "%s%s: ", run->plan.stages[stage_of_number(stage)].name,
                       round_of_number(stage) ? ", extra round" : "");
        buf_printf(&line, "%" PRIu64 " of %s%" PRIu64 " games, %.*f games/s, ", done,
                   run->contest.trial ? "at most " : "", games, rate < 10 ? 1 : 0, rate);
        if (run->contest.trial)
            trial_write_progress(run->contest.trial, &line);
        else
            buf_printf(&line, "%.0f s left", (double)(games - done) / rate);
        run_spent_write(&run->spent, run->prices, games - done, &line);
        progress_show(&run->progress, now, buf_str(&line));
    }
    return !interrupt_came();
}

static void show_note(void *user, Str text)
{
    Run *run = user;

    progress_end(&run->progress);
    fprintf(stderr, "%.*s\n", STR_ARG(text));
}

/* Names hold no comma. */
static void note_failed(Run *run, Str agent)
{
    Str rest = buf_str(&run->failed);

    while (rest.len)
        if (str_eq(str_trim(str_cut(&rest, ',')), agent))
            return;
    buf_printf(&run->failed, "%s%.*s", run->failed.len ? ", " : "", STR_ARG(agent));
}

/* The faults that end an agent's play; those that are only counted stand in faults.jsonl. */
static void show_fault(void *user, uint32_t stage, uint64_t set, uint64_t game, Str agent,
                       const Fault *fault)
{
    Run *run = user;
    CLEANUP(buf_done) Buf line = {0};

    (void)stage;
    if (!fault->fatal)
        return;
    note_failed(run, agent);
    buf_printf(&line, "set %" PRIu64 ", game %" PRIu64 ": agent %.*s failed: ", set, game,
               STR_ARG(agent));
    fault_print(fault, &line);
    show_note(run, buf_str(&line));
}

/* Between two stages: who goes on. */
static void show_stage(void *user, uint32_t stage, const Standings *standings)
{
    Run *run = user;
    CLEANUP(buf_done) Buf out = {0};

    if (stage + 1 == run->plan.stage_count || run->quiet)
        return;
    const StandingsView view = {.color = terminal_colors(stderr, COLOR_AUTO),
                                .japanese = run->japanese,
                                .stage = run->plan.stages[stage].name};
    standings_write(standings, &view, &out);
    progress_end(&run->progress);
    fprintf(stderr, "%s\n", buf_cstr(&out));
}

/* ---- before it runs ---- */

/* A new folder, or one without logs: the logs of two sets must not be taken for one. */
static int make_log_dir(const char *path, Err *err)
{
    CLEANUP(log_list_done) LogList found = {0};

    int rc = folder_make(str_of(path), err);

    if (rc)
        return rc;
    log_list_add(&found, path, NULL); /* its only error that matters here is "no logs" */
    if (found.count > 0)
        return err_set(err, ERR_USAGE,
                       "the folder '%s' holds logs already; give a new one, or remove them", path);
    return 0;
}

/* As many sets as a trial may take; pairs meet equally often. */
static uint64_t trial_sets(const Plan *plan, const PlanStage *stage)
{
    uint64_t sets = TRIAL_GAMES_MAX / (uint64_t)stage->games_per_set;
    uint64_t round = stage->pairing == PAIRING_ALL_PAIRS && plan->agent_count > 1
                         ? (uint64_t)plan->agent_count * (plan->agent_count - 1)
                         : 1;

    return sets > round ? sets - sets % round : round;
}

/* Who plays where nobody is named: one that speaks as these rules want it. */
static Str default_bot(const Ruleset *rules)
{
    bool free_text = !rules->talk.validate && rules->talk.keywords;

    return free_text ? STR("bot:talker") : STR("bot:sample");
}

/* The only stage of a plan that comes from the command line. */
static int make_stage(const Options *given, Plan *plan, Err *err)
{
    PlanStage stage = plan_default_stage(plan);
    bool pool =
        options_has(given, PAIRING) || options_has(given, SETS) || options_has(given, MIN_GAMES);
    int rc = 0;

    if (options_has(given, PLAYERS))
        stage.players = (int32_t)options_number(given, PLAYERS);
    else if (plan->agent_count > 0 && !pool && plan->agent_count <= SEAT_MAX)
        stage.players = (int32_t)plan->agent_count;
    stage.pairing = (Pairing)options_number(given, PAIRING);
    if (options_has(given, GAMES_PER_SET))
        stage.games_per_set = (int32_t)options_number(given, GAMES_PER_SET);
    if (options_has(given, MIN_GAMES))
        stage.min_games = options_number(given, MIN_GAMES);
    if (options_has(given, SETS))
        stage.sets = options_number(given, SETS);
    else if (options_has(given, MIN_GAMES)) {
        stage.sets = 0;
    } else if (options_has(given, SPRT) && !options_has(given, GAMES)) {
        stage.sets = trial_sets(plan, &stage);
    } else {
        uint64_t per_set = (uint64_t)stage.games_per_set;
        stage.games = options_number(given, GAMES);
        stage.sets = (stage.games + per_set - 1) / per_set;
    }
    if (plan->agent_count > (uint32_t)stage.players && !pool)
        return err_set(err, ERR_USAGE,
                       "%u agents for %d players; --sets or --min-games draws tables from them",
                       plan->agent_count, (int)stage.players);
    while (rc == 0 && stage.pairing != PAIRING_ALL_PAIRS &&
           plan->agent_count < (uint32_t)stage.players)
        rc = agent_spec_add(plan, default_bot(&plan->rules), err);
    return rc ? rc : plan_add_stage(plan, &stage, err);
}

static int plan_of_options(const Options *given, Plan *plan, Err *err)
{
    int rc = ruleset_arg(options_text(given, RULES), &plan->rules, err);

    for (size_t i = 0; rc == 0 && options_item(given, AGENT, i); i++)
        rc = agent_spec_add(plan, str_of(options_item(given, AGENT, i)), err);
    return rc ? rc : make_stage(given, plan, err);
}

/* --games in place of the number in the file; a set is as the starter played it. */
static int plan_of_starter(const Options *given, const char *path, Plan *plan, Err *err)
{
    StarterSettings settings;
    int rc = starter_file_load(path, plan, &settings, err);

    if (rc || !options_has(given, GAMES))
        return rc;
    plan->stages[0].games = options_number(given, GAMES);
    if (settings.kind != STARTER_PLAYERS)
        plan->stages[0].games_per_set = (int32_t)plan->stages[0].games;
    return 0;
}

/* Only what decides nothing may stand beside a contest file. */
static int no_option_beside(const Options *given, const char *what, Err *err)
{
    static const int decided[] = {RULES,     PLAYERS,       GAMES, SETS,
                                  MIN_GAMES, GAMES_PER_SET, AGENT, PAIRING};

    for (size_t i = 0; i < sizeof(decided) / sizeof(decided[0]); i++)
        if (decided[i] == GAMES && options_has(given, STARTER))
            continue; /* so many in place of the file's */
        else if (options_has(given, (size_t)decided[i]))
            return err_set(err, ERR_USAGE, "%s says this itself; leave --%s out", what,
                           options[decided[i]].name);
    return 0;
}

static int make_plan(const Options *given, Plan *plan, Err *err)
{
    CLEANUP(buf_done) Buf warning = {0};
    const char *starter = options_text(given, STARTER);
    int rc = plan_init(plan, err);

    if (rc == 0 && (given->argument_count > 1 || (given->argument_count && starter)))
        rc = err_set(err, ERR_USAGE, "one contest file, or --starter");
    if (rc == 0 && (given->argument_count || starter))
        rc = no_option_beside(given, starter ? "the starter's file" : "the contest file", err);
    if (rc)
        return rc;
    if (given->argument_count)
        rc = contest_file_load(given->arguments[0], plan, err);
    else if (starter)
        rc = plan_of_starter(given, starter, plan, err);
    else
        rc = plan_of_options(given, plan, err);
    for (size_t i = 0; rc == 0 && options_item(given, ROLES, i); i++)
        rc = agent_spec_fix_role(plan, str_of(options_item(given, ROLES, i)), err);
    if (options_has(given, TIME_LIMIT))
        plan->rules.contest.time_limit_ms = plan->rules.contest.time_limit_told_ms =
            (int32_t)options_number(given, TIME_LIMIT);
    if (options_has(given, STARTUP))
        plan->limits.startup_ms = (uint32_t)options_number(given, STARTUP);
    if (options_has(given, OWN_SHARE))
        plan->own_share = (uint32_t)options_number(given, OWN_SHARE);
    if (options_has(given, ON_FAULT))
        plan->on_fault = (OnFault)options_number(given, ON_FAULT);
    cell_arg(given, CELL, &plan->cell);
    if (rc == 0 && options_has(given, OPINIONS))
        rc = agent_model_opinions(plan, (LlmOpinions)options_number(given, OPINIONS), err);
    if (rc == 0 && options_has(given, TABLES))
        rc = table_room_read(str_of(options_text(given, TABLES)), &plan->tables, err);
    for (uint32_t i = 0; i < plan->agent_count && rc == 0; i++)
        if (!plan->agents[i].bot)
            rc = agent_spec_check_program(plan, &plan->agents[i], err);
    agent_model_needs_own(plan, options_has(given, SPRT));
    agent_spec_warn(plan, &warning);
    if (rc == 0 && warning.len)
        fprintf(stderr, "%s\n", buf_cstr(&warning));
    return rc ? rc : plan_check(plan, err);
}

static int choose_chance(const Options *given, Run *run, Err *err)
{
    const char *replay = options_text(given, REPLAY);

    if (options_has(given, ANSWERS) && (options_has(given, OUT) || options_has(given, GAME)))
        return err_set(err, ERR_USAGE,
                       "--answers-from plays whole sets for a look at them; leave --%s out "
                       "(--log-dir keeps their logs)",
                       options_has(given, OUT) ? "out" : "game");
    if (options_has(given, ANSWERS) && !replay && !options_has(given, SEED))
        replay = options_text(given, ANSWERS);
    const ChanceArg chance = {.seed_given = options_has(given, SEED),
                              .seed = options_number(given, SEED),
                              .replay = replay,
                              .commit = options_has(given, COMMIT_SEED)};

    return chance_arg(&chance, &run->plan, &run->replayed, err);
}

/* --stage: by its name, or its number from 0. */
static int find_stage(const Plan *plan, const char *text, uint32_t *ret_stage, Err *err)
{
    uint64_t number = 0;

    for (uint32_t i = 0; i < plan->stage_count; i++)
        if (strcmp(plan->stages[i].name, text) == 0) {
            *ret_stage = i;
            return 0;
        }
    if (!str_to_uint(str_of(text), UINT32_MAX, &number) || number >= plan->stage_count)
        return err_set(err, ERR_USAGE, "--stage: no stage is called '%s'", text);
    *ret_stage = (uint32_t)number;
    return 0;
}

/* What --game and --stage ask for, if they do. */
static int choose_game(const Options *given, Run *run, Err *err)
{
    const char *stage = options_text(given, STAGE);
    ContestGame *only = &run->only;

    if (!options_has(given, GAME))
        return stage ? err_set(err, ERR_USAGE, "--stage says where --game N is; give that too") : 0;
    if (!options_has(given, REPLAY) && !options_has(given, SEED))
        return err_set(err, ERR_USAGE, "--game plays one game again; give --replay too");
    if (options_has(given, OUT) || options_has(given, SPRT))
        return err_set(
            err, ERR_USAGE,
            "--game plays one game, for a look at it; leave --%s out (--log-dir keeps its "
            "log)",
            options_has(given, OUT) ? "out" : "sprt");
    *only = (ContestGame){.game = options_number(given, GAME),
                          .before = run->replayed.dir ? &run->replayed : NULL};
    int rc = stage ? find_stage(&run->plan, stage, &only->stage, err) : 0;
    if (rc == 0 && only->stage > 0 && !only->before)
        rc = err_set(err, ERR_USAGE,
                     "who plays in stage '%s' follows from the games before it; give --replay DIR, "
                     "the folder in which they are",
                     run->plan.stages[only->stage].name);
    run->contest.only = only;
    return rc;
}

/* What --sprt and --challenger ask for, if they do. */
static int make_trial(const Options *given, Run *run, Err *err)
{
    const char *sprt = options_text(given, SPRT);
    const char *challenger = options_text(given, CHALLENGER);

    if (!sprt && !challenger)
        return 0;
    if (!challenger)
        return err_set(err, ERR_USAGE, "--sprt needs --challenger NAME, the agent that is tested");
    if (!sprt)
        return err_set(err, ERR_USAGE, "--challenger needs --sprt, the test that it is put to");
    int rc = trial_of_options(sprt, challenger, &run->plan, &run->trial, err);
    if (rc == 0)
        run->contest.trial = &run->trial;
    return rc;
}

static uint32_t processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);

    if (count < 1)
        return 1;
    return count > JOBS_MAX ? JOBS_MAX : (uint32_t)count;
}

static int make_run(const Options *given, Run *run, Err *err)
{
    int rc = make_plan(given, &run->plan, err);

    run->log_dir = options_text(given, LOG_DIR);
    run->quiet = options_has(given, QUIET);
    run->japanese = options_number(given, LANGUAGE) == 1;
    run->contest = (ContestRun){.plan = &run->plan,
                                .now = loop_now,
                                .date = loop_date_ms,
                                .out = options_text(given, OUT),
                                .answers = options_text(given, ANSWERS),
                                .prompts = options_has(given, PROMPTS),
                                .resume = options_has(given, RESUME),
                                .gzip = options_has(given, GZIP),
                                .exchange = !options_has(given, NO_EXCHANGE),
                                .ledger = options_text(given, LEDGER),
                                .jobs = (uint32_t)options_number(given, JOBS),
                                .finished = write_log,
                                .counted = count_spent,
                                .progress = show_progress,
                                .fault = show_fault,
                                .note = show_note,
                                .stage_over = show_stage,
                                .user = run};
    run->cell = (AgentCellSetup){.own_verb = CMD_START_AGENT,
                                 .umask = result_folder_begin(options_has(given, OPEN_RESULTS)),
                                 .logs = run->log_dir};
    run->contest.cell = &run->cell;
    run->contest.logs = run->contest.out || run->log_dir;
    if (run->contest.jobs == 0)
        run->contest.jobs = processors();
    if (rc == 0)
        rc = llm_prices_load(options_text(given, PRICES), &run->prices, err);
    if (rc == 0)
        rc = choose_chance(given, run, err);
    if (rc == 0)
        rc = choose_game(given, run, err);
    if (rc == 0)
        rc = make_trial(given, run, err);
    if (rc == 0 && run->log_dir && run->contest.out)
        rc = err_set(err, ERR_USAGE, "--out keeps the logs too; leave --log-dir out");
    if (rc == 0 && run->contest.gzip && !run->contest.logs)
        rc = err_set(err, ERR_USAGE, "--gzip needs --log-dir or --out");
    if (rc == 0 && run->contest.ledger && !run->contest.out)
        rc = err_set(err, ERR_USAGE, "--ledger needs --out");
    if (rc == 0 && run->contest.prompts && !run->contest.out)
        rc = err_set(err, ERR_USAGE, "--record-prompts needs --out");
    if (rc == 0 && run->contest.resume && !run->contest.out)
        rc = err_set(err, ERR_USAGE, "--resume needs --out");
    if (rc == 0 && run->log_dir)
        rc = make_log_dir(run->log_dir, err);
    if (rc == 0 && !options_has(given, OPEN_RESULTS))
        result_folder_close(run->contest.out ? run->contest.out : run->log_dir);
    return rc;
}

/* ---- pages ---- */

/* On the thread of the pages. */
static void show_page_line(void *user, Str line)
{
    const Run *run = user;

    if (!run->quiet)
        fprintf(stderr, "%.*s\n", STR_ARG(line));
}

/* An agent that we start reads what is not hidden from it. */
static int check_operator_file(const Options *given, const Run *run, Err *err)
{
    if (!options_has(given, OPERATOR_FILE))
        return 0;
    if (!options_has(given, PAGES + PAGES_WEB))
        return err_set(err, ERR_USAGE, "--operator-file goes with --web");
    if (agent_cell_wanted(&run->plan, PROGRAMS_FOREIGN))
        return err_set(err, ERR_USAGE,
                       "agents that are started here could read the file of --operator-file, and "
                       "with it all roles: leave it out, the secret is printed then");
    return 0;
}

static int open_pages(const Options *given, Run *run, Err *err)
{
    LivePagesSetup *setup = &run->pages_arg.setup;
    CLEANUP(buf_done) Buf line = {0};
    int rc = check_operator_file(given, run, err);

    if (rc == 0)
        rc = pages_arg_read(given, PAGES, STR(""), options_text(given, OPERATOR_FILE), false,
                            &run->pages_arg, err);
    if (rc || !setup->host)
        return rc;
    setup->seats_stay = true;
    setup->prices = run->prices;
    setup->date_of = loop_date_of;
    setup->note = show_page_line;
    setup->user = run;
    rc = pages_thread_open(setup, run->contest.out, loop_now(), &run->pages, err);
    if (rc)
        return rc;
    run->contest.live = pages_thread_sink(run->pages);
    pages_thread_write_address(run->pages, options_has(given, OPERATOR_FILE), &line);
    fprintf(stderr, "%s\n", buf_cstr(&line));
    return 0;
}

/* ---- command ---- */

/* --dry-run */
static int forecast_run(const Options *given, Err *err)
{
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(llm_prices_freep) LlmPrices *prices = NULL;
    CLEANUP(db_closep) Db *like = NULL;
    CLEANUP(buf_done) Buf out = {0};
    const char *dir = options_text(given, LIKE);
    int rc = make_plan(given, &plan, err);

    if (rc == 0)
        rc = llm_prices_load(options_text(given, PRICES), &prices, err);
    if (rc == 0 && dir)
        rc = results_open(dir, &like, err);
    if (rc == 0)
        rc = run_forecast_write(&plan, like, prices, &out, err);
    if (rc == 0)
        fputs(buf_cstr(&out), stdout);
    return rc;
}

static int play_contest(Run *run, ContestResult *result, double *ret_games_per_s, Err *err)
{
    Interrupt interrupt;
    interrupt_watch(&interrupt);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int rc = contest_run(&run->contest, result, err);
    clock_gettime(CLOCK_MONOTONIC, &end);
    progress_end(&run->progress);
    interrupt_done(&interrupt);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    *ret_games_per_s = seconds > 0 ? (double)result->games_now / seconds : 0;
    return rc;
}

static uint64_t all_games(const Plan *plan)
{
    uint64_t games = 0;

    for (uint32_t stage = 0; stage < plan->stage_count; stage++)
        for (uint32_t part = 0; part < plan_stage_parts(&plan->stages[stage]); part++) {
            const PlanStage size = plan_stage_part(&plan->stages[stage], part);
            const Draw draw = draw_of_seed(&size, &plan->rules, plan_stage_agents(plan, stage), 0);
            games += draw_games(&draw);
        }
    return games;
}

/* What all stages say of who is ranked and who decided. */
static Exit status_of(const ContestResult *result)
{
    return exit_status_of_both(result->not_ranked || result->halted ? EXIT_NOT_RANKED : EXIT_OK,
                               result->not_own ? EXIT_NOT_OWN : EXIT_OK);
}

/* What happened, after what came of it is printed. */
static int contest_outcome(const Run *run, const ContestResult *result, int rc, Err *err)
{
    uint64_t games = all_games(&run->plan);

    if (rc) /* a log could not be written: what was played until then is told all the same */
        return err_wrap(err, "ended after %" PRIu64 " of %" PRIu64 " games: ", result->games,
                        games);
    const Exit status = status_of(result);
    if (result->halted)
        return (int)status;
    if (result->waiting)
        return EXIT_WAITING;
    if (result->complete && run->contest.trial && run->trial.sprt.state != SPRT_ACCEPT_H1)
        return (int)exit_status_of_both(status, EXIT_DISAGREE);
    if (result->complete)
        return (int)status;
    return err_set(err, ERR_INTERRUPTED, "interrupted after %" PRIu64 " of %" PRIu64 " games%s",
                   result->games, games,
                   run->contest.out ? "; the same command with --resume goes on" : "");
}

/* CSV has no place for it. */
static void say_trial(const Run *run, const Standings *standings)
{
    CLEANUP(buf_done) Buf line = {0};

    trial_write_line(run->contest.trial, standings, run->japanese, &line);
    fputs(buf_cstr(&line), stderr);
}

/* What `--tables auto` comes to here. */
static void say_tables(void)
{
    CLEANUP(buf_done) Buf line = {0};

    table_room_write(&line);
    fprintf(stderr, "%s\n", buf_cstr(&line));
}

/* What became of the games of an agent that failed. */
static const char *failed_words(const Run *run)
{
    if (run->plan.on_fault == ON_FAULT_FORFEIT_SET)
        return run->japanese ? "セットを没収されたエージェント (残りのゲームは行われません)"
                             : "sets forfeited, with the rest of their games not played, by";
    return run->japanese ? "代役がプレイしたエージェント" : "a substitute played on for";
}

static void say_failed(const Run *run, FILE *stream)
{
    const char *out = run->contest.out;

    if (!run->failed.len)
        return;
    fprintf(stream, "\n%s: %s", failed_words(run), buf_cstr(&run->failed));
    if (out && run->japanese)
        fprintf(stream, " (詳しくは 'warg standings %s --faults')", out);
    else if (out)
        fprintf(stream, " (see 'warg standings %s --faults')", out);
    fputc('\n', stream);
}

/* A key with which games are still to be played is told to nobody. */
static void print_again(const Run *run, const ContestResult *result, FILE *stream)
{
    if (result->complete || !run->contest.out)
        chance_print_again(stream, &run->plan);
    else
        fprintf(stream, "the key stays secret until the contest is played to its end\n");
}

static void run_done(Run **run)
{
    if (*run) {
        pages_thread_free((*run)->pages);
        pages_arg_done(&(*run)->pages_arg);
        plan_done(&(*run)->plan), buf_done(&(*run)->failed);
        trial_done(&(*run)->trial);
        llm_prices_freep(&(*run)->prices);
        out_folder_done(&(*run)->replayed);
    }
    *run = mem_free(*run);
}

int cmd_run(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(contest_result_done) ContestResult result = {0};
    CLEANUP(buf_done) Buf out = {0};
    int go = options_parse(&cmd_run_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (options_has(&given, DRY_RUN))
        return forecast_run(&given, err);
    CLEANUP(run_done) Run *run = mem_new(sizeof(*run));
    if (!run)
        return err_set(err, ERR_MEMORY, "run: out of memory");
    int rc = make_run(&given, run, err);
    bool commit = options_has(&given, COMMIT_SEED);
    StandingsForm form = (StandingsForm)options_number(&given, FORMAT);
    /* JSON and CSV have stdout to themselves. */
    FILE *beside = commit && form == STANDINGS_TABLE ? stdout : stderr;
    if (rc == 0)
        rc = open_pages(&given, run, err);
    if (rc)
        return rc;
    if (commit && run->plan.chance == PLAN_CHANCE_KEY)
        chance_print_commitment(beside, &run->plan);
    if (!run->quiet && !options_has(&given, REPLAY) && !options_has(&given, ANSWERS))
        chance_warn_of_guess(&run->plan);
    if (!run->quiet && run->plan.tables == PLAN_TABLES_AUTO)
        say_tables();

    double games_per_s = 0;
    run->progress = progress_new(run->quiet);
    rc = play_contest(run, &result, &games_per_s, err);
    run->pages = pages_thread_free(run->pages);
    if (rc && result.standings.games == 0)
        return rc;
    const Exit status = status_of(&result);
    const StandingsView view = {.form = form,
                                .color = terminal_colors(stdout, COLOR_AUTO),
                                .japanese = run->japanese,
                                .status = &status,
                                .games_per_s = games_per_s,
                                .stage = run->plan.stage_count > 1 || given.argument_count
                                             ? run->plan.stages[result.stage].name
                                             : NULL,
                                .trial = run->contest.trial};
    standings_write(&result.standings, &view, &out);
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "run: out of memory");
    fputs(buf_cstr(&out), stdout);
    if (run->contest.trial && form == STANDINGS_CSV && !run->quiet)
        say_trial(run, &result.standings);
    say_failed(run, form == STANDINGS_TABLE ? stdout : stderr);
    if (commit || (!run->plan.seed_given && !run->quiet))
        print_again(run, &result, beside);
    return contest_outcome(run, &result, rc, err);
}
