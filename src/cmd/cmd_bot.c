/* cmd_bot.c - `warg bot`: our bots, and language models, as agents of somebody's server. The verb
 *             `nlp` is bot_nlp.c. */
#include "base/rng.h"
#include "cli/bot_kind_arg.h"
#include "cli/seed_arg.h"
#include "cmd/bot_nlp.h"
#include "cmd/cmd.h"
#include "seat/bot_call.h"
#include "thinker/model_bots.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    HOST,
    PORT,
    NAME,
    ROLE,
    BOT,
    LLM,
    LANGUAGE,
    TIME_LIMIT,
    RECORD,
    PROMPTS,
    ANSWERS,
    BUDGET,
    PRICES,
    OPINIONS,
    COUNT,
    SEED,
    WAIT,
    REPEAT,
    TELL,
};
static const Option aiwolf_options[] = {
    [HOST] = {"host", 'h', OPTION_TEXT, "HOST", "where the server is", "127.0.0.1", 0, 0},
    [PORT] = {"port", 'p', OPTION_UINT, "PORT", "its port", "10000", 1, 65535},
    [NAME] = {"name", 'n', OPTION_TEXT, "NAME",
              "what the bot calls itself, NAME1, NAME2 and so on with --count; without it as the "
              "kind of bot",
              NULL, 0, 0},
    [ROLE] = {"role", 'r', OPTION_CHOICE,
              "none|VILLAGER|SEER|MEDIUM|BODYGUARD|WEREWOLF|POSSESSED|FREEMASON|FOX",
              "the role to wish for, if the server asks", "none", 0, 0},
    [BOT] = {"bot", 'b', OPTION_TEXT, "KIND", "which bot plays: sample, random", "sample", 0, 0},
    [LLM] = {"llm", 0, OPTION_TEXT, "SPEC",
             "a language model plays: URL,model=NAME,persona=TEXT, or demo; see warg-llm(1)", NULL,
             0, 0},
    [LANGUAGE] = {"language", 0, OPTION_CHOICE, MODEL_LANGUAGES, "with --llm: of its prompts",
                  "auto", 0, 0},
    [TIME_LIMIT] = {"time-limit", 0, OPTION_DURATION, "TIME",
                    "with --llm: how long an answer may take, in place of what the server says",
                    NULL, 1, 3600000},
    [RECORD] = MODEL_RECORD_ROW("--llm"),
    [PROMPTS] = MODEL_PROMPTS_ROW,
    [ANSWERS] = MODEL_ANSWERS_ROW("--llm"),
    [BUDGET] = MODEL_BUDGET_ROW("--llm"),
    [PRICES] = MODEL_PRICES_ROW,
    [OPINIONS] = MODEL_OPINIONS_ROW("--llm"),
    [COUNT] = {"count", 'c', OPTION_UINT, "N", "how many bots connect", "1", 1, 10000},
    [SEED] = {"seed", 's', OPTION_UINT, "S",
              "decides all chance of the bots; without it a random one", NULL, 0, UINT64_MAX},
    [WAIT] = {"wait", 'w', OPTION_DURATION, "TIME", "how long to try to connect", "10s", 0,
              86400000},
    [REPEAT] = {"repeat", 0, OPTION_FLAG, NULL,
                "connect again when the server ends the connection, until it is gone for as long "
                "as --wait says",
                NULL, 0, 0},
    [TELL] = {"tell", 0, OPTION_FLAG, NULL,
              "with --llm: before each answer but talk, print how it has decided so far, as who "
              "started it wants to know",
              NULL, 0, 0},
};

static int bot_aiwolf(int argc, char **argv, Err *err);

const Usage cmd_bot_usage[] = {
    {"bot aiwolf", "",
     "Plays on a server of the AIWolf protocol division with built-in bots, one connection each,\n"
     "until the server ends it, and prints how many games each has won. Understands -h HOST,\n"
     "-p PORT and -n NAME, as contests start agents; so -h is no help here.\n"
     "The same seed and the same packet at the start of a game give the same play.\n"
     "With --llm a language model plays, and a rule where it does not answer in time.",
     OPTIONS(aiwolf_options),
     "warg bot aiwolf -h localhost -p 10000 -n team\n"
     "warg bot aiwolf --count 14 --name sparring    # fill a table for an agent of yours\n"
     "warg bot aiwolf --count 15 --repeat --seed 7  # set after set, while the server runs\n"
     "warg bot aiwolf --llm http://localhost:11434/v1,model=llama3.1 -p 10000\n",
     NULL, bot_aiwolf},
    {"bot nlp", "",
     "Plays on a server of the natural-language division with built-in bots that speak English or\n"
     "Japanese, one connection each, as NAME1 to NAMEn; one connection plays one game. Says after\n"
     "every game who has won, and at the end how many games each bot has played and won.\n"
     "With --llm a language model plays, and a rule where it does not answer in time.",
     BOT_NLP_OPTIONS,
     "warg bot nlp --team sparring -n 5                 # one game among themselves\n"
     "warg bot nlp --team sparring -n 4 --games 20      # for an agent of yours\n"
     "warg bot nlp --url wss://example.org/ws --team sparring --token \"$TOKEN\" --reconnect\n"
     "warg bot nlp --team wits --llm 'http://localhost:11434/v1,model=llama3.1,persona=a baker'\n"
     "warg bot nlp --team noisy -n 5 --reconnect --fault garbage --fault-rate 5\n",
     NULL, bot_nlp},
    {0},
};

/* One bot with the name that it goes by. */
typedef struct Caller {
    Loop *loop;
    BotCall *call;
    ModelAgent *agent; /* with --llm */
    Buf name;
    bool tells;
} Caller;

typedef struct Callers {
    Loop *loop;
    ModelBots models;
    bool modelled;
    bool tells;
    Caller *items;
    size_t count;
    BotCallPlan plan;
    bool told; /* that they wait */
} Callers;

static void callers_done(Callers *callers)
{
    for (size_t i = 0; i < callers->count; i++) {
        bot_call_free(callers->items[i].call);
        model_agent_free(callers->items[i].agent);
        buf_done(&callers->items[i].name);
    }
    mem_free(callers->items);
    model_bots_done(&callers->models);
    loop_free(callers->loop);
}

static int make_plan(const Options *given, BotCallPlan *plan, Err *err)
{
    *plan = (BotCallPlan){.host = options_text(given, HOST),
                          .port = (uint16_t)options_number(given, PORT),
                          .wait = (TimeUs)options_number(given, WAIT) * 1000,
                          .repeat = options_has(given, REPEAT),
                          .bot = {.wish = role_of(str_of(options_text(given, ROLE)))}};
    bool model = options_has(given, LLM);
    int rc = 0;

    if (model && options_has(given, BOT))
        return err_set(err, ERR_USAGE, "either --bot or --llm");
    if (!model && (options_has(given, LANGUAGE) || options_has(given, TIME_LIMIT)))
        return err_set(err, ERR_USAGE, "--language and --time-limit go with --llm");
    if (!model && options_has(given, TELL))
        return err_set(err, ERR_USAGE, "--tell goes with --llm");
    if (model)
        plan->bot.thinker = model_agent_thinker();
    else
        rc = bot_kind_arg(str_of(options_text(given, BOT)), &plan->bot.kind, err);
    if (rc)
        return rc;
    plan->bot.name = options_text(given, NAME) ? options_text(given, NAME)
                     : model                   ? "model"
                                               : plan->bot.kind->name;
    return seed_arg(options_has(given, SEED), options_number(given, SEED), &plan->bot.seed, err);
}

/* No game ends with talk. */
static void tell_so_far(const Caller *caller)
{
    CLEANUP(buf_done) Buf line = {0};
    ModelCounts counts = {0};

    model_agent_count(caller->agent, &counts);
    model_counts_write_so_far(&counts, &line);
    fputs(buf_cstr(&line), stdout);
    fflush(stdout);
}

static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    const Caller *caller = user;

    if (caller->tells && ask->kind != ASK_TALK)
        tell_so_far(caller);
    bot_call_answer(caller->call, answer);
    if (model_agent_replayed(caller->agent, false, NULL)) /* told at the end */
        loop_stop(caller->loop);
}

static void say_budget(void *user, Str line)
{
    (void)user;
    fprintf(stderr, "%.*s\n", STR_ARG(line));
}

static int open_models(const Options *given, Callers *callers, Err *err)
{
    ModelAgentSetup *setup = &callers->models.setup;

    if (!options_has(given, LLM))
        return options_has(given, RECORD) || options_has(given, ANSWERS) ||
                       options_has(given, OPINIONS) || options_has(given, BUDGET)
                   ? err_set(err, ERR_USAGE,
                             "--record-minds, --answers-from, --opinions and --llm-budget go with "
                             "--llm")
                   : 0;
    callers->modelled = true;
    callers->tells = options_has(given, TELL);
    callers->models.record = options_text(given, RECORD);
    callers->models.record_prompts = options_has(given, PROMPTS);
    callers->models.answers = options_text(given, ANSWERS);
    callers->models.budget = options_text(given, BUDGET);
    callers->models.prices = options_text(given, PRICES);
    callers->models.tell = say_budget;
    callers->models.opinions = (LlmOpinions)options_number(given, OPINIONS);
    setup->protocol = true;
    setup->language = (ModelLanguage)options_number(given, LANGUAGE);
    if (options_has(given, TIME_LIMIT))
        setup->limit = (TimeUs)options_number(given, TIME_LIMIT) * 1000;
    return model_bots_open(callers->loop, options_text(given, LLM), &callers->models, err);
}

/* Once for all of them: ten seconds in which nothing is seen look like a program that hangs. */
static void on_waiting(void *user)
{
    Callers *callers = user;
    const BotCallPlan *plan = &callers->plan;

    if (!callers->told)
        fprintf(stderr, "nobody answers at %s:%u; trying for %" PRId64 " s (--wait)\n", plan->host,
                plan->port, plan->wait / 1000000);
    callers->told = true;
}

static int call_all(size_t count, Callers *callers, Err *err)
{
    const BotCallPlan *plan = &callers->plan;
    const char *name = plan->bot.name;
    BotCallPlan one = *plan;
    int rc = 0;

    callers->items = mem_new(count * sizeof(*callers->items));
    if (!callers->items)
        return err_set(err, ERR_MEMORY, "bots: out of memory");
    one.waiting = on_waiting;
    one.user = callers;
    while (rc == 0 && callers->count < count) {
        Caller *caller = &callers->items[callers->count++];
        caller->loop = callers->loop;
        buf_add(&caller->name, str_of(name));
        if (count > 1)
            buf_add_uint(&caller->name, callers->count);
        one.bot.name = buf_cstr(&caller->name);
        caller->tells = callers->tells;
        if (callers->modelled)
            rc = model_bots_add(&callers->models, one.bot.name,
                                rng_derive(plan->bot.seed, callers->count), on_answer, caller,
                                &caller->agent, err);
        one.bot.thinker_user = caller->agent;
        if (rc == 0)
            rc = bot_call_new(callers->loop, &one, loop_now(), &caller->call, err);
    }
    return rc;
}

/* The first that failed speaks for all. */
static int result_of(const Callers *callers, Err *err)
{
    size_t failed = 0;
    int rc = 0;

    for (size_t i = 0; i < callers->count; i++) {
        Err own = {0};
        int one = bot_call_result(callers->items[i].call, &own);
        if (one && callers->count > 1)
            err_wrap(&own, "%s: ", buf_cstr(&callers->items[i].name));
        if (one && failed++ == 0)
            rc = err_set_at(err, one, own.line, own.column, "%s", own.msg);
    }
    if (failed > 1)
        err_wrap(err, "%zu of %zu bots failed; ", failed, callers->count);
    for (size_t i = 0; rc == 0 && i < callers->count && callers->items[i].agent; i++)
        rc = model_agent_replayed(callers->items[i].agent, true, err);
    return rc;
}

static void print_games(const Callers *callers)
{
    for (size_t i = 0; i < callers->count; i++) {
        const AiwolfBot *bot = bot_call_bot(callers->items[i].call);
        if (aiwolf_bot_games(bot))
            printf("%s: %" PRIu64 " games, %" PRIu64 " won\n", buf_cstr(&callers->items[i].name),
                   aiwolf_bot_games(bot), aiwolf_bot_wins(bot));
    }
}

/* Where the decisions came from. */
static Exit print_models(const Callers *callers)
{
    CLEANUP(buf_done) Buf line = {0};
    ModelCounts counts = {0};

    for (size_t i = 0; i < callers->count; i++)
        if (callers->items[i].agent)
            model_agent_count(callers->items[i].agent, &counts);
    if (!callers->modelled)
        return EXIT_OK;
    model_counts_write(&counts, &line);
    model_counts_write_sheet(&counts, &line);
    fputs(buf_cstr(&line), stdout);
    return model_counts_status(&counts);
}

static int bot_aiwolf(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(callers_done) Callers callers = {0};
    int go = options_parse(&cmd_bot_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    int rc = make_plan(&given, &callers.plan, err);
    if (rc == 0)
        rc = loop_new(&callers.loop, err);
    if (rc == 0)
        rc = open_models(&given, &callers, err);
    if (rc == 0)
        rc = call_all(options_number(&given, COUNT), &callers, err);
    if (rc)
        return rc;
    loop_run(callers.loop);
    print_games(&callers);
    Exit status = print_models(&callers);
    rc = result_of(&callers, err);
    return rc ? rc : (int)status;
}

int cmd_bot(int argc, char **argv, Err *err)
{
    return options_run_verb("bot", cmd_bot_usage, argc, argv, err);
}
