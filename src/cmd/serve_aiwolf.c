/* `warg serve aiwolf`: a line of options for tables of the protocol division. */
#include "cmd/serve_aiwolf.h"

#include "cli/cell_arg.h"
#include "cli/chance_arg.h"
#include "cli/ruleset_arg.h"
#include "cmd/cmd.h"
#include "contest/agent_model.h"
#include "contest/agent_spec.h"
#include "match/plan_cell.h"
#include "match/table_room.h"
#include "thinker/model_bots.h"

const Option serve_aiwolf_options[AIWOLF_OPTION_COUNT] = {
    [AIWOLF_HOST] =
        {"host", 0, OPTION_TEXT, "ADDRESS",
         "address to listen on; '*' for every one: then anybody who reaches it can play",
         "127.0.0.1", 0, 0},
    [AIWOLF_PORT] = {"port", 'p', OPTION_UINT, "PORT", "port to listen on; 0 = any free one",
                     "10000", 0, 65535},
    [AIWOLF_PLAYERS] = {"players", 'n', OPTION_UINT, "N",
                        "seats at a table; without it as usual with "
                        "these rules",
                        NULL, PLAYERS_MIN, SEAT_MAX},
    [AIWOLF_GAMES] = {"games", 'g', OPTION_UINT, "N", "games of a set; without it as the rules say",
                      NULL, 1, 1000000},
    [AIWOLF_RULES] = {"rules", 'r', OPTION_TEXT, "NAME|FILE", "ruleset; see 'warg rules list'",
                      "aiwolf-2021", 0, 0},
    [AIWOLF_AGENT] =
        {"agent", 'a', OPTION_LIST, "SPEC",
         "who sits at every table: built-in bots, bot:KIND*COPIES,name=NAME; language models, "
         "llm:SPEC; programs, cmd=COMMAND; the server waits for the others",
         NULL, 0, 0},
    [AIWOLF_OPINIONS] = MODEL_OPINIONS_ROW("--agent llm:SPEC"),
    [AIWOLF_TABLES] = {"tables", 0, OPTION_TEXT, "K|auto",
                       "tables at the same time; auto: as many as the machine has room for", "1", 0,
                       0},
    [AIWOLF_CELL] = CELL_OPTION_ROW,
    [AIWOLF_ONCE] = {"once", 0, OPTION_FLAG, NULL, "stop after one set (after K with --tables)",
                     NULL, 0, 0},
    [AIWOLF_SETS] = {"sets", 0, OPTION_UINT, "N", "stop after N sets", NULL, 1, 1000000},
    [AIWOLF_OUT] = {"out", 'o', OPTION_TEXT, "DIR",
                    "keep everything there: journal, logs, faults, results, report", NULL, 0, 0},
    [AIWOLF_OPEN_RESULTS] = {"open-results", 0, OPTION_FLAG, NULL,
                             "let others on this machine read --out", NULL, 0, 0},
    [AIWOLF_PROMPTS] = MODEL_SET_PROMPTS_ROW,
    [AIWOLF_RESUME] =
        {"resume", 0, OPTION_FLAG, NULL,
         "go on with what --out holds: agents of unfinished sets are expected back, by name", NULL,
         0, 0},
    [AIWOLF_GZIP] = {"gzip", 'z', OPTION_FLAG, NULL, "compress the logs", NULL, 0, 0},
    [AIWOLF_NO_EXCHANGE] = {"no-exchange", 0, OPTION_FLAG, NULL,
                            "don't keep what each agent was asked and answered, with times", NULL,
                            0, 0},
    [AIWOLF_TIME_LIMIT] = {"time-limit", 0, OPTION_DURATION, "TIME",
                           "for an answer, in place of the rules'", NULL, 1, 3600000},
    [AIWOLF_STARTUP] = {"startup-limit", 0, OPTION_DURATION, "TIME",
                        "for an agent's name and for its first answer", "5s", 1, 3600000},
    [AIWOLF_ON_FAULT] = {"on-fault", 0, OPTION_CHOICE, "substitute|forfeit-set|abort-game|restart",
                         "when an agent fails", "substitute", 0, 0},
    [AIWOLF_CONNECTIONS] = {"max-connections", 0, OPTION_UINT, "N",
                            "connections open at once; more are closed at once", "2048", 1, 100000},
    [AIWOLF_LINE_BYTES] = {"max-line", 0, OPTION_UINT, "BYTES", "longest line taken from an agent",
                           "65536", 64, 16777216},
    [AIWOLF_QUEUE_BYTES] = {"max-unread", 0, OPTION_UINT, "BYTES",
                            "most that may wait for an agent that does not read", "1048576", 4096,
                            1073741824},
    [AIWOLF_SEED] =
        {"seed", 's', OPTION_UINT, "S",
         "for trials: decides all chance of the server. Who guesses it, agents by their own "
         "roles, knows all roles; without it a key of 256 bits is drawn",
         NULL, 0, UINT64_MAX},
    [AIWOLF_FORMAT] = {"format", 'f', OPTION_CHOICE, "table|json|csv", "form of a set's result",
                       "table", 0, 0},
    [AIWOLF_LIVE] = LIVE_OPTION_ROWS("games", ""),
    [AIWOLF_PAGES] = PAGES_OPTION_ROWS("games"),
    [AIWOLF_QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "print results only", NULL, 0, 0},
};

struct ServeAiwolf {
    Options given;
    Plan plan;
    LiveArg live;
    PagesArg pages;
};

static int make_plan(const Options *given, Plan *plan, Err *err)
{
    int rc = plan_init(plan, err);

    if (rc == 0)
        rc = ruleset_arg(options_text(given, AIWOLF_RULES), &plan->rules, err);
    for (size_t i = 0; rc == 0 && options_item(given, AIWOLF_AGENT, i); i++)
        rc = agent_spec_add(plan, str_of(options_item(given, AIWOLF_AGENT, i)), err);
    if (rc)
        return rc;
    if (options_has(given, AIWOLF_OPINIONS))
        rc = agent_model_opinions(plan, (LlmOpinions)options_number(given, AIWOLF_OPINIONS), err);
    if (rc)
        return rc;
    rc = table_room_read(str_of(options_text(given, AIWOLF_TABLES)), &plan->tables, err);
    if (rc)
        return rc;
    PlanStage stage = plan_default_stage(plan);
    if (options_has(given, AIWOLF_PLAYERS))
        stage.players = (int32_t)options_number(given, AIWOLF_PLAYERS);
    else
        stage.players = plan->rules.players;
    if (options_has(given, AIWOLF_GAMES))
        stage.games_per_set = (int32_t)options_number(given, AIWOLF_GAMES);
    stage.sets = STAGE_GAMES_MAX / (uint64_t)stage.games_per_set;
    stage.games = stage.sets * (uint64_t)stage.games_per_set;
    if (options_has(given, AIWOLF_TIME_LIMIT))
        plan->rules.contest.time_limit_ms = plan->rules.contest.time_limit_told_ms =
            (int32_t)options_number(given, AIWOLF_TIME_LIMIT);
    plan->on_fault = (OnFault)options_number(given, AIWOLF_ON_FAULT);
    plan->limits.startup_ms = (uint32_t)options_number(given, AIWOLF_STARTUP);
    plan->limits.connections = (uint32_t)options_number(given, AIWOLF_CONNECTIONS);
    plan->limits.line_bytes = (uint32_t)options_number(given, AIWOLF_LINE_BYTES);
    plan->limits.queue_bytes = (uint32_t)options_number(given, AIWOLF_QUEUE_BYTES);
    if (ruleset_is_timed(&plan->rules))
        return err_set(err, ERR_USAGE,
                       "rules %s have timed rooms, which this protocol has no requests for",
                       plan->rules.name);
    uint8_t counts[ROLE_COUNT];
    rc = ruleset_roles(&plan->rules, stage.players, counts, err);
    for (uint32_t i = 0; i < plan->agent_count && rc == 0; i++)
        if (!plan->agents[i].bot && !plan->agents[i].command)
            rc = err_set(err, ERR_USAGE,
                         "agent %s has no command to start it with; the server waits for as many "
                         "as there are seats left, without naming them",
                         plan->agents[i].name);
    if (rc == 0 && plan->agent_count >= (uint32_t)stage.players)
        rc = err_set(err, ERR_USAGE, "%u bots leave no seat for an agent at a table of %d",
                     plan->agent_count, (int)stage.players);
    cell_arg(given, AIWOLF_CELL, &plan->cell);
    if (rc == 0)
        rc = plan_check_cell(plan, err);
    if (rc == 0)
        rc = plan_add_stage(plan, &stage, err);
    const ChanceArg chance = {.seed_given = options_has(given, AIWOLF_SEED),
                              .seed = options_number(given, AIWOLF_SEED)};
    return rc ? rc : chance_arg(&chance, plan, NULL, err);
}

static int read_line(ServeAiwolf *line, Err *err)
{
    const Options *given = &line->given;
    int rc = make_plan(given, &line->plan, err);

    if (rc == 0 && options_has(given, AIWOLF_RESUME) && !options_text(given, AIWOLF_OUT))
        rc = err_set(err, ERR_USAGE, "--resume needs --out");
    if (rc == 0 && options_has(given, AIWOLF_ONCE) && options_has(given, AIWOLF_SETS))
        rc = err_set(err, ERR_USAGE, "--once is --sets 1; give one of them");
    if (rc == 0)
        rc = live_arg_read(given, AIWOLF_LIVE, options_has(given, AIWOLF_PAGES + PAGES_WEB),
                           &line->live, err);
    return rc ? rc
              : pages_arg_read(given, AIWOLF_PAGES, line->live.setup.operator_token,
                               options_text(given, AIWOLF_LIVE + LIVE_OPERATOR_FILE), false,
                               &line->pages, err);
}

int serve_aiwolf_read(int argc, char **argv, ServeAiwolf **ret_line, Err *err)
{
    ServeAiwolf *line = mem_new(sizeof(*line));

    if (!line)
        return err_set(err, ERR_MEMORY, "serve: out of memory");
    int go = options_parse(&cmd_serve_usage[0], argc, argv, &line->given, err);
    int rc = go > 0 ? read_line(line, err) : go;
    if (go <= 0 || rc) {
        serve_aiwolf_free(line);
        return rc;
    }
    *ret_line = line;
    return 1;
}

ServeAiwolf *serve_aiwolf_free(ServeAiwolf *line)
{
    if (!line)
        return NULL;
    plan_done(&line->plan);
    live_arg_done(&line->live);
    pages_arg_done(&line->pages);
    options_done(&line->given);
    return mem_free(line);
}

bool serve_aiwolf_opens_results(const ServeAiwolf *line)
{
    return options_has(&line->given, AIWOLF_OPEN_RESULTS);
}

int serve_aiwolf_check_beside(const ServeAiwolf *line, const ServeAiwolf *other, Err *err)
{
    const char *out = options_text(&line->given, AIWOLF_OUT);
    const char *theirs = options_text(&other->given, AIWOLF_OUT);

    if (out && theirs && strcmp(out, theirs) == 0)
        return err_set(err, ERR_USAGE, "two lines have --out %s: each needs a folder of its own",
                       out);
    return 0;
}

int serve_aiwolf_add(ServeAiwolf *line, const ServeAiwolfBeside *beside, Doors *doors, Err *err)
{
    const Options *given = &line->given;
    const AiwolfDoorSetup setup = {
        .plan = &line->plan,
        .host = options_text(given, AIWOLF_HOST),
        .port = (uint16_t)options_number(given, AIWOLF_PORT),
        .sets = options_has(given, AIWOLF_ONCE) ? table_room_most(line->plan.tables)
                                                : options_number(given, AIWOLF_SETS),
        .out = options_text(given, AIWOLF_OUT),
        .record_prompts = options_has(given, AIWOLF_PROMPTS),
        .resume = options_has(given, AIWOLF_RESUME),
        .open_results = options_has(given, AIWOLF_OPEN_RESULTS),
        .gzip = options_has(given, AIWOLF_GZIP),
        .exchange = !options_has(given, AIWOLF_NO_EXCHANGE),
        .cell = {.own_verb = CMD_START_AGENT, .umask = beside->umask},
        .form = (StandingsForm)options_number(given, AIWOLF_FORMAT),
        .live = line->live.setup,
        .pages = line->pages.setup,
        .token_is_kept = options_has(given, AIWOLF_LIVE + LIVE_OPERATOR_FILE),
        .quiet = options_has(given, AIWOLF_QUIET),
        .several = beside->several,
        .words = beside->words,
    };

    return doors_add_aiwolf(doors, &setup, err);
}

void serve_aiwolf_warn(const ServeAiwolf *line)
{
    if (!options_has(&line->given, AIWOLF_QUIET))
        chance_warn_of_guess(&line->plan);
}
