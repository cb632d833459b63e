#include "cli/run_options.h"

#include "cli/cell_arg.h"
#include "cli/ruleset_arg.h"
#include "contest/agent_model.h"
#include "contest/agent_spec.h"
#include "contest/contest_file.h"
#include "contest/starter_file.h"
#include "match/table_room.h"
#include "match/threads.h"
#include "show/trial_text.h"
#include "thinker/model_bots.h"

#include <stdio.h>

const Option run_options[RUN_OPTION_COUNT] = {
    [RUN_RULES] = {"rules", 'r', OPTION_TEXT, "NAME|FILE", "ruleset; see 'warg rules list'",
                   "aiwolf-2021", 0, 0},
    [RUN_PLAYERS] =
        {"players", 'n', OPTION_UINT, "N",
         "seats at the table; without it as many as agents, or as usual with these rules", NULL,
         PLAYERS_MIN, SEAT_MAX},
    [RUN_GAMES] = {"games", 'g', OPTION_UINT, "N", "games to play, in sets of 100", "100", 1,
                   STAGE_GAMES_MAX},
    [RUN_SETS] = {"sets", 0, OPTION_UINT, "N", "sets to play, in place of --games", NULL, 1,
                  STAGE_GAMES_MAX / 100},
    [RUN_MIN_GAMES] = {"min-games", 0, OPTION_UINT, "N",
                       "as many sets as give every agent so many games, in place of --games", NULL,
                       1, STAGE_GAMES_MAX},
    [RUN_GAMES_PER_SET] = {"games-per-set", 0, OPTION_UINT, "N",
                           "games in which agents keep seats and processes, in place of the rules'",
                           NULL, 1, 1000000},
    [RUN_AGENT] =
        {"agent", 'a', OPTION_LIST, "SPEC",
         "who plays: bot:KIND*COPIES,name=NAME, where COPIES and NAME may be left out; "
         "llm:URL,model=MODEL*COPIES,name=NAME,persona=TEXT, a language model, or llm:demo; or "
         "name=NAME,env=VARIABLE,cmd=COMMAND, a program to start, with {host}, {port} and {name} "
         "filled in; or "
         "FILE.yml with a list; give it again for more; seats left over go to bot:sample, "
         "in natural language to bot:talker",
         NULL, 0, 0},
    [RUN_ROLES] = {"roles", 0, OPTION_LIST, "NAME=ROLE", "an agent that always gets this role",
                   NULL, 0, 0},
    [RUN_PAIRING] = {"pairing", 0, OPTION_CHOICE, "random|rotate|all-pairs",
                     "who sits together, when there are more agents than seats; with rotate and "
                     "all-pairs also who gets which role",
                     "random", 0, 0},
    [RUN_STARTER] = {"starter", 0, OPTION_TEXT, "FILE",
                     "agents, games and rules from a configuration of the old starters", NULL, 0,
                     0},
    [RUN_OUT] = {"out", 'o', OPTION_TEXT, "DIR",
                 "keep everything there: journal, logs, faults, results, what agents print, report",
                 NULL, 0, 0},
    [RUN_OPEN_RESULTS] = {"open-results", 0, OPTION_FLAG, NULL,
                          "let others on this machine read --out and --log-dir", NULL, 0, 0},
    [RUN_PROMPTS] = MODEL_SET_PROMPTS_ROW,
    [RUN_RESUME] = {"resume", 0, OPTION_FLAG, NULL, "go on with what --out holds", NULL, 0, 0},
    [RUN_TABLES] =
        {"tables", 0, OPTION_TEXT, "K|auto",
         "tables with outside agents at the same time; auto: as many as the machine has room "
         "for",
         "1", 0, 0},
    [RUN_CELL] = CELL_OPTION_ROW,
    [RUN_DRY_RUN] = {"dry-run", 0, OPTION_FLAG, NULL,
                     "play nothing: say how many games it would be, and what language models would "
                     "take, in requests, tokens and money",
                     NULL, 0, 0},
    [RUN_LIKE] = {"like", 0, OPTION_TEXT, "DIR",
                  "with --dry-run: reckon from the games of this folder", NULL, 0, 0},
    [RUN_PRICES] = {"prices", 0, OPTION_TEXT, "FILE",
                    "what tokens of models cost, as config/prices.yml", NULL, 0, 0},
    [RUN_OWN_SHARE] =
        {"own-share", 0, OPTION_UINT, "PERCENT",
         "of a language model's decisions that have to be its own, else it is warned "
         "of, and the exit status is 5; without it the contest file's own_share, or 90",
         NULL, 1, 100},
    [RUN_OPINIONS] = MODEL_OPINIONS_ROW("language models"),
    [RUN_TIME_LIMIT] = {"time-limit", 0, OPTION_DURATION, "TIME",
                        "for an outside agent's answer, in place of the rules'", NULL, 1, 3600000},
    [RUN_STARTUP] = {"startup-limit", 0, OPTION_DURATION, "TIME",
                     "for an outside agent to connect, and for its first answer", "5s", 1, 3600000},
    [RUN_ON_FAULT] = {"on-fault", 0, OPTION_CHOICE, "substitute|forfeit-set|abort-game|restart",
                      "when an outside agent fails", "substitute", 0, 0},
    [RUN_SPRT] =
        {"sprt", 0, OPTION_TEXT, "elo0=0,elo1=20,alpha=0.05,beta=0.05",
         "play until it is clear whether the challenger is better, by a sequential test; up "
         "to --games, --sets or --min-games, else to a million games",
         NULL, 0, 0},
    [RUN_CHALLENGER] = {"challenger", 0, OPTION_TEXT, "NAME", "the agent that --sprt tests", NULL,
                        0, 0},
    [RUN_SEED] =
        {"seed", 's', OPTION_UINT, "S",
         "for trials: decides all chance, and the same number gives the same games, but for "
         "what models and other programs say. Who guesses it knows all roles; without it a key "
         "of 256 bits is drawn",
         NULL, 0, UINT64_MAX},
    [RUN_REPLAY] =
        {"replay", 0, OPTION_TEXT, "SEED|KEY|DIR",
         "the same games again: by a seed, by a published key, or by those of a folder of "
         "--out; old:SEED for a seed of a build that had no keys",
         NULL, 0, 0},
    [RUN_ANSWERS] =
        {"answers-from", 0, OPTION_TEXT, "DIR",
         "the same games again, with the answers that the language models of this folder "
         "of --out gave: no request is sent; --log-dir gets the same logs byte for byte",
         NULL, 0, 0},
    [RUN_GAME] = {"game", 0, OPTION_UINT, "N", "with --replay: only this game, numbered from 0",
                  NULL, 0, STAGE_GAMES_MAX - 1},
    [RUN_STAGE] = {"stage", 0, OPTION_TEXT, "NAME",
                   "with --game: the stage it is of; without it the first", NULL, 0, 0},
    [RUN_COMMIT_SEED] =
        {"commit-seed", 0, OPTION_FLAG, NULL,
         "print a commitment to the key before the games and the key after them; not "
         "with --seed",
         NULL, 0, 0},
    [RUN_JOBS] = {"jobs", 'j', OPTION_UINT, "J",
                  "threads for games among built-in agents; 0 = one per processor", "0", 0,
                  JOBS_MAX},
    [RUN_LOG_DIR] = {"log-dir", 'l', OPTION_TEXT, "DIR", "write an AIWolf game log per game there",
                     NULL, 0, 0},
    [RUN_GZIP] = {"gzip", 'z', OPTION_FLAG, NULL, "compress the logs", NULL, 0, 0},
    [RUN_LEDGER] = {"ledger", 0, OPTION_TEXT, "ORIGIN",
                    "with --out: keep a signed list of what the journal says, under a name such as "
                    "example.org/warg/cup2027; its checkpoint is for many hands to keep",
                    NULL, 0, 0},
    [RUN_PAGES] = PAGES_OPTION_ROWS("games of agents that are programs or models"),
    [RUN_OPERATOR_FILE] =
        {"operator-file", 0, OPTION_TEXT, "FILE",
         "with --web: holds the operator's secret, which opens running games; made "
         "when missing; without it one is drawn and printed",
         NULL, 0, 0},
    [RUN_NO_EXCHANGE] = {"no-exchange", 0, OPTION_FLAG, NULL,
                         "--out does not keep what each outside agent was asked and answered, with "
                         "times",
                         NULL, 0, 0},
    [RUN_FORMAT] = {"format", 'f', OPTION_CHOICE, "table|json|csv", "form of the result", "table",
                    0, 0},
    [RUN_QUIET] = {"quiet", 'q', OPTION_FLAG, NULL,
                   "no progress line, no notes, and no line of the key without --commit-seed", NULL,
                   0, 0},
    [RUN_LANGUAGE] = {"language", 0, OPTION_CHOICE, "en|ja", "of the table", "en", 0, 0},
};

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
    bool pool = options_has(given, RUN_PAIRING) || options_has(given, RUN_SETS) ||
                options_has(given, RUN_MIN_GAMES);
    int rc = 0;

    if (options_has(given, RUN_PLAYERS))
        stage.players = (int32_t)options_number(given, RUN_PLAYERS);
    else if (plan->agent_count > 0 && !pool && plan->agent_count <= SEAT_MAX)
        stage.players = (int32_t)plan->agent_count;
    stage.pairing = (Pairing)options_number(given, RUN_PAIRING);
    if (options_has(given, RUN_GAMES_PER_SET))
        stage.games_per_set = (int32_t)options_number(given, RUN_GAMES_PER_SET);
    if (options_has(given, RUN_MIN_GAMES))
        stage.min_games = options_number(given, RUN_MIN_GAMES);
    if (options_has(given, RUN_SETS))
        stage.sets = options_number(given, RUN_SETS);
    else if (options_has(given, RUN_MIN_GAMES)) {
        stage.sets = 0;
    } else if (options_has(given, RUN_SPRT) && !options_has(given, RUN_GAMES)) {
        stage.sets = trial_sets(plan, &stage);
    } else {
        uint64_t per_set = (uint64_t)stage.games_per_set;
        stage.games = options_number(given, RUN_GAMES);
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
    int rc = ruleset_arg(options_text(given, RUN_RULES), &plan->rules, err);

    for (size_t i = 0; rc == 0 && options_item(given, RUN_AGENT, i); i++)
        rc = agent_spec_add(plan, str_of(options_item(given, RUN_AGENT, i)), err);
    return rc ? rc : make_stage(given, plan, err);
}

/* --games in place of the number in the file; a set is as the starter played it. */
static int plan_of_starter(const Options *given, const char *path, Plan *plan, Err *err)
{
    StarterSettings settings;
    int rc = starter_file_load(path, plan, &settings, err);

    if (rc || !options_has(given, RUN_GAMES))
        return rc;
    plan->stages[0].games = options_number(given, RUN_GAMES);
    if (settings.kind != STARTER_PLAYERS)
        plan->stages[0].games_per_set = (int32_t)plan->stages[0].games;
    return 0;
}

/* Only what decides nothing may stand beside a contest file. */
static int no_option_beside(const Options *given, const char *what, Err *err)
{
    static const int decided[] = {RUN_RULES,     RUN_PLAYERS,       RUN_GAMES, RUN_SETS,
                                  RUN_MIN_GAMES, RUN_GAMES_PER_SET, RUN_AGENT, RUN_PAIRING};

    for (size_t i = 0; i < sizeof(decided) / sizeof(decided[0]); i++)
        if (decided[i] == RUN_GAMES && options_has(given, RUN_STARTER))
            continue; /* so many in place of the file's */
        else if (options_has(given, (size_t)decided[i]))
            return err_set(err, ERR_USAGE, "%s says this itself; leave --%s out", what,
                           run_options[decided[i]].name);
    return 0;
}

int run_plan_of_options(const Options *given, Plan *plan, Err *err)
{
    CLEANUP(buf_done) Buf warning = {0};
    const char *starter = options_text(given, RUN_STARTER);
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
    for (size_t i = 0; rc == 0 && options_item(given, RUN_ROLES, i); i++)
        rc = agent_spec_fix_role(plan, str_of(options_item(given, RUN_ROLES, i)), err);
    if (options_has(given, RUN_TIME_LIMIT))
        plan->rules.contest.time_limit_ms = plan->rules.contest.time_limit_told_ms =
            (int32_t)options_number(given, RUN_TIME_LIMIT);
    if (options_has(given, RUN_STARTUP))
        plan->limits.startup_ms = (uint32_t)options_number(given, RUN_STARTUP);
    if (options_has(given, RUN_OWN_SHARE))
        plan->own_share = (uint32_t)options_number(given, RUN_OWN_SHARE);
    if (options_has(given, RUN_ON_FAULT))
        plan->on_fault = (OnFault)options_number(given, RUN_ON_FAULT);
    cell_arg(given, RUN_CELL, &plan->cell);
    if (rc == 0 && options_has(given, RUN_OPINIONS))
        rc = agent_model_opinions(plan, (LlmOpinions)options_number(given, RUN_OPINIONS), err);
    if (rc == 0 && options_has(given, RUN_TABLES))
        rc = table_room_read(str_of(options_text(given, RUN_TABLES)), &plan->tables, err);
    for (uint32_t i = 0; i < plan->agent_count && rc == 0; i++)
        if (!plan->agents[i].bot)
            rc = agent_spec_check_program(plan, &plan->agents[i], err);
    agent_model_needs_own(plan, options_has(given, RUN_SPRT));
    agent_spec_warn(plan, &warning);
    if (rc == 0 && warning.len)
        fprintf(stderr, "%s\n", buf_cstr(&warning));
    return rc ? rc : plan_check(plan, err);
}
