#include "cmd/bot_nlp.h"

#include "base/rng.h"
#include "cli/bot_kind_arg.h"
#include "cli/seed_arg.h"
#include "cmd/cmd.h"
#include "seat/nlp_call.h"
#include "show/terminal.h"
#include "thinker/model_bots.h"

#include <assert.h>
#include <inttypes.h>
#include <signal.h>

enum {
    URL,
    TEAM,
    NUM,
    TOKEN,
    KIND,
    LLM,
    LANGUAGE,
    TIME_LIMIT,
    RECORD,
    PROMPTS,
    ANSWERS,
    BUDGET,
    PRICES,
    OPINIONS,
    GAMES,
    RECONNECT,
    RETRY,
    THINK,
    SEED,
    CA,
    FAULT,
    FAULT_RATE,
    LATE,
    QUIET,
    OPTION_END,
};
const Option bot_nlp_options[BOT_NLP_OPTION_COUNT] = {
    [URL] = {"url", 'u', OPTION_TEXT, "URL", "where the server is, ws:// or wss://",
             "ws://127.0.0.1:8080/ws", 0, 0},
    [TEAM] = {"team", 't', OPTION_TEXT, "NAME", "the team; its bots are called NAME1, NAME2, ...",
              "warg", 0, 0},
    [NUM] = {"num", 'n', OPTION_UINT, "N", "how many bots connect", "1", 1, 10000},
    [TOKEN] = {"token", 0, OPTION_TEXT, "TOKEN", "for a server with authentication; see warg token",
               NULL, 0, 0},
    [KIND] = {"kind", 'k', OPTION_TEXT, "KIND",
              "which bot plays: talker, talker-en, talker-ja, random", "talker", 0, 0},
    [LLM] = {"llm", 0, OPTION_TEXT, "SPEC",
             "a language model plays: URL,model=NAME,persona=TEXT, or demo; see warg-llm(1)", NULL,
             0, 0},
    [LANGUAGE] = {"language", 0, OPTION_CHOICE, MODEL_LANGUAGES,
                  "with --llm: which it speaks; auto: Japanese where names are", "auto", 0, 0},
    [TIME_LIMIT] = {"time-limit", 0, OPTION_DURATION, "TIME",
                    "with --llm: how long an answer may take, in place of what the server says",
                    NULL, 1, 3600000},
    [RECORD] = MODEL_RECORD_ROW("--llm"),
    [PROMPTS] = MODEL_PROMPTS_ROW,
    [ANSWERS] = MODEL_ANSWERS_ROW("--llm"),
    [BUDGET] = MODEL_BUDGET_ROW("--llm"),
    [PRICES] = MODEL_PRICES_ROW,
    [OPINIONS] = MODEL_OPINIONS_ROW("--llm"),
    [GAMES] = {"games", 'g', OPTION_UINT, "N",
               "games for each bot: it connects again after each; default: 1, without end with "
               "--reconnect",
               NULL, 1, UINT64_MAX},
    [RECONNECT] = {"reconnect", 'r', OPTION_FLAG, NULL,
                   "try again when the server refuses or a connection breaks off", NULL, 0, 0},
    [RETRY] = {"retry", 0, OPTION_DURATION, "TIME", "with --reconnect: when to try again", "15s",
               10, 86400000},
    [THINK] = {"think", 0, OPTION_DURATION, "TIME",
               "longest pause between two thoughts where anybody may speak at any time; with --llm "
               "8s when nothing is said",
               "1s", 0, 600000},
    [SEED] = {"seed", 's', OPTION_UINT, "S",
              "decides all chance of the bots; without it a random one", NULL, 0, UINT64_MAX},
    [CA] = {"ca", 0, OPTION_TEXT, "FILE",
            "for wss:// the certificates to trust, PEM; without it the system's", NULL, 0, 0},
    [FAULT] = {"fault", 0, OPTION_CHOICE, "none|silent|late|garbage|drop",
               "for testing servers: what the bots do wrong", "none", 0, 0},
    [FAULT_RATE] = {"fault-rate", 0, OPTION_UINT, "PERCENT", "at how many of the requests", "5", 0,
                    100},
    [LATE] = {"late", 0, OPTION_DURATION, "TIME", "how late a late reply is", "70s", 0, 86400000},
    [QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "say nothing of single games and refusals", NULL, 0,
               0},
};
static_assert((int)OPTION_END == BOT_NLP_OPTION_COUNT, "as the header says");

/* One bot with the name that it goes by. */
typedef struct Caller {
    struct Crowd *crowd;
    NlpCall *call;
    ModelAgent *agent; /* with --llm */
    Buf name;
    uint64_t broken; /* connections that failed */
} Caller;

typedef struct Crowd {
    Loop *loop;
    TlsTrust *trust;
    ModelBots models;
    bool modelled;
    Caller *items;
    size_t count;
    bool quiet;
    bool stopped; /* by a signal */
    Progress progress;
} Crowd;

static void crowd_done(Crowd *crowd)
{
    for (size_t i = 0; i < crowd->count; i++) {
        nlp_call_free(crowd->items[i].call);
        model_agent_free(crowd->items[i].agent);
        buf_done(&crowd->items[i].name);
    }
    mem_free(crowd->items);
    model_bots_done(&crowd->models);
    loop_free(crowd->loop);
    tls_trust_free(crowd->trust);
}

/* ---- what is told ---- */

static void show_progress(Crowd *crowd)
{
    uint64_t games = 0;
    size_t in[NLP_CALL_OVER + 1] = {0};
    char line[160];

    for (size_t i = 0; i < crowd->count; i++) {
        if (!crowd->items[i].call)
            continue;
        games += nlp_bot_games(nlp_call_bot(crowd->items[i].call));
        in[nlp_call_state(crowd->items[i].call)]++;
    }
    snprintf(line, sizeof(line), "%" PRIu64 " games; %zu bots connected, %zu to try again", games,
             in[NLP_CALL_PLAYING], in[NLP_CALL_WAITING]);
    progress_show(&crowd->progress, loop_now() / 1000, str_of(line));
}

static void on_opened(void *user, NlpCall *call)
{
    (void)call;
    show_progress(((Caller *)user)->crowd);
}

static void on_played(void *user, NlpCall *call)
{
    Caller *caller = user;
    Crowd *crowd = caller->crowd;
    const NlpBot *bot = nlp_call_bot(call);
    const View *view = nlp_bot_view(bot);
    Side winner = view->winner;

    if (!crowd->quiet) {
        progress_end(&crowd->progress);
        printf("%s: game %" PRIu64 ", day %u: %s; was %s%s%s\n", nlp_call_name(call),
               nlp_bot_games(bot), view->day,
               winner == SIDE_VILLAGER   ? "villagers win"
               : winner == SIDE_WEREWOLF ? "werewolves win"
                                         : "nobody wins",
               role_name(view->role), seat_in(view->alive, view->seat) ? "" : ", dead",
               winner == SIDE_NONE               ? ""
               : winner == role_side(view->role) ? ", won"
                                                 : ", lost");
        fflush(stdout);
    }
    show_progress(crowd);
}

static void on_failed(void *user, NlpCall *call, const char *why, bool again)
{
    Caller *caller = user;
    Crowd *crowd = caller->crowd;

    caller->broken++;
    if (again && !crowd->quiet) { /* an end is told by the exit */
        progress_end(&crowd->progress);
        fprintf(stderr, "%s: %s; trying again\n", nlp_call_name(call), why);
    }
    show_progress(crowd);
}

static void print_summary(const Crowd *crowd)
{
    uint64_t games = 0, decided = 0, won = 0, broken = 0;

    for (size_t i = 0; i < crowd->count && crowd->items[i].call; i++) {
        const NlpBot *bot = nlp_call_bot(crowd->items[i].call);
        printf("%s: %" PRIu64 " %s, %" PRIu64 " won\n", buf_cstr(&crowd->items[i].name),
               nlp_bot_games(bot), nlp_bot_games(bot) == 1 ? "game" : "games", nlp_bot_wins(bot));
        games += nlp_bot_games(bot);
        decided += nlp_bot_decided(bot);
        won += nlp_bot_wins(bot);
        broken += crowd->items[i].broken;
    }
    if (crowd->count > 1)
        printf("together: %" PRIu64 " games, %" PRIu64 " of them decided, %" PRIu64 " won; %" PRIu64
               " connections failed\n",
               games, decided, won, broken);
}

/* Where the decisions came from. */
static Exit print_models(const Crowd *crowd)
{
    CLEANUP(buf_done) Buf line = {0};
    ModelCounts counts = {0};

    for (size_t i = 0; i < crowd->count; i++)
        if (crowd->items[i].agent)
            model_agent_count(crowd->items[i].agent, &counts);
    if (!crowd->modelled)
        return EXIT_OK;
    model_counts_write(&counts, &line);
    fputs(buf_cstr(&line), stdout);
    return model_counts_status(&counts);
}

/* ---- the crowd ---- */

static void on_signal(void *user, int signal_number, TimeUs now)
{
    Crowd *crowd = user;

    (void)now;
    (void)signal_number;
    if (crowd->stopped) /* the second one waits for nobody */
        loop_stop(crowd->loop);
    crowd->stopped = true;
    for (size_t i = 0; i < crowd->count; i++)
        if (crowd->items[i].call)
            nlp_call_hang_up(crowd->items[i].call);
}

static int check_team(const char *team, Err *err)
{
    Str whole = nlp_team_of(str_of(team));

    if (whole.len == 0 || whole.len < strlen(team))
        return err_set(err, ERR_USAGE,
                       "the name of a team can't be empty nor end in digits, as '%s' does: digits "
                       "number the bots",
                       team);
    for (size_t i = 0; i < whole.len; i++)
        if ((unsigned char)team[i] < ' ')
            return err_set(err, ERR_USAGE, "the name of a team can't have control characters");
    return 0;
}

static int make_plan(const Options *given, NlpCallPlan *plan, Err *err)
{
    bool reconnect = options_has(given, RECONNECT);
    NlpFault fault = (NlpFault)options_number(given, FAULT);

    *plan = (NlpCallPlan){
        .url = options_text(given, URL),
        .token = options_text(given, TOKEN),
        .games = options_has(given, GAMES) ? options_number(given, GAMES) : !reconnect,
        .reconnect = reconnect,
        .again = (TimeUs)options_number(given, RETRY) * 1000,
        .think = (TimeUs)options_number(given, THINK) * 1000,
        .fault = fault,
        .fault_percent = fault ? (unsigned)options_number(given, FAULT_RATE) : 0,
        .late = (TimeUs)options_number(given, LATE) * 1000,
        .events = {.opened = on_opened, .played = on_played, .failed = on_failed}};
    bool model = options_has(given, LLM);
    int rc = check_team(options_text(given, TEAM), err);

    if (rc == 0 && model && options_has(given, KIND))
        rc = err_set(err, ERR_USAGE, "either --kind or --llm");
    if (rc == 0 && !model && (options_has(given, LANGUAGE) || options_has(given, TIME_LIMIT)))
        rc = err_set(err, ERR_USAGE, "--language and --time-limit go with --llm");
    if (model)
        plan->bot.thinker = model_agent_thinker();
    else if (rc == 0)
        rc = bot_kind_arg(str_of(options_text(given, KIND)), &plan->bot.kind, err);
    if (rc == 0)
        rc = seed_arg(options_has(given, SEED), options_number(given, SEED), &plan->bot.seed, err);
    return rc;
}

static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    const Caller *caller = user;

    nlp_call_answer(caller->call, ask, answer);
    if (model_agent_replayed(caller->agent, false, NULL)) /* told at the end */
        loop_stop(caller->crowd->loop);
}

static void say_budget(void *user, Str line)
{
    (void)user;
    fprintf(stderr, "%.*s\n", STR_ARG(line));
}

static int open_models(const Options *given, Crowd *crowd, Err *err)
{
    ModelAgentSetup *setup = &crowd->models.setup;

    if (!options_has(given, LLM))
        return options_has(given, RECORD) || options_has(given, ANSWERS) ||
                       options_has(given, OPINIONS) || options_has(given, BUDGET)
                   ? err_set(err, ERR_USAGE,
                             "--record-minds, --answers-from, --opinions and --llm-budget go with "
                             "--llm")
                   : 0;
    crowd->modelled = true;
    crowd->models.record = options_text(given, RECORD);
    crowd->models.record_prompts = options_has(given, PROMPTS);
    crowd->models.answers = options_text(given, ANSWERS);
    crowd->models.budget = options_text(given, BUDGET);
    crowd->models.prices = options_text(given, PRICES);
    crowd->models.tell = say_budget;
    crowd->models.opinions = (LlmOpinions)options_number(given, OPINIONS);
    setup->language = (ModelLanguage)options_number(given, LANGUAGE);
    if (options_has(given, TIME_LIMIT))
        setup->limit = (TimeUs)options_number(given, TIME_LIMIT) * 1000;
    if (options_has(given, THINK)) {
        setup->pause_max = (TimeUs)options_number(given, THINK) * 1000 + 1; /* 0 says nothing */
        setup->pause_min = setup->pause_max * 3 / 10 + 1;
    }
    return model_bots_open(crowd->loop, options_text(given, LLM), &crowd->models, err);
}

static int open_crowd(const Options *given, size_t count, Crowd *crowd, Err *err)
{
    bool tls = str_starts(str_of(options_text(given, URL)), STR("wss:"));
    int rc = loop_new(&crowd->loop, err);

    if (rc == 0 && tls)
        rc = tls_trust_new(options_text(given, CA), &crowd->trust, err);
    if (rc == 0)
        rc = loop_signal(crowd->loop, SIGINT, on_signal, crowd, err);
    if (rc == 0)
        rc = loop_signal(crowd->loop, SIGTERM, on_signal, crowd, err);
    if (rc == 0)
        rc = open_models(given, crowd, err);
    if (rc == 0 && !(crowd->items = mem_new(count * sizeof(*crowd->items))))
        rc = err_set(err, ERR_MEMORY, "bots: out of memory");
    return rc;
}

static int call_all(const NlpCallPlan *plan, const char *team, size_t count, Crowd *crowd, Err *err)
{
    NlpCallPlan one = *plan;
    int rc = 0;

    one.trust = crowd->trust;
    while (rc == 0 && crowd->count < count) {
        Caller *caller = &crowd->items[crowd->count++];
        caller->crowd = crowd;
        buf_add(&caller->name, str_of(team));
        buf_add_uint(&caller->name, crowd->count);
        if (buf_failed(&caller->name))
            return err_set(err, ERR_MEMORY, "bots: out of memory");
        one.bot.name = buf_cstr(&caller->name);
        one.bot.seed = rng_derive(plan->bot.seed, crowd->count);
        one.user = caller;
        if (crowd->modelled)
            rc = model_bots_add(&crowd->models, one.bot.name, one.bot.seed, on_answer, caller,
                                &caller->agent, err);
        one.bot.thinker_user = caller->agent;
        if (rc == 0)
            rc = nlp_call_new(crowd->loop, &one, &caller->call, err);
    }
    return rc;
}

/* The first that failed speaks for all. */
static int result_of(const Crowd *crowd, Err *err)
{
    size_t failed = 0;
    int rc = 0;

    for (size_t i = 0; i < crowd->count; i++) {
        Err own = {0};
        int one = nlp_call_result(crowd->items[i].call, &own);
        if (one && failed++ == 0)
            rc = err_set(err, one, "%s: %s", buf_cstr(&crowd->items[i].name), own.msg);
    }
    if (failed > 1)
        err_wrap(err, "%zu of %zu bots failed; ", failed, crowd->count);
    for (size_t i = 0; rc == 0 && i < crowd->count && crowd->items[i].agent; i++)
        rc = model_agent_replayed(crowd->items[i].agent, true, err);
    if (rc == 0 && crowd->stopped)
        rc = err_set(err, ERR_INTERRUPTED, "ended by a signal");
    return rc;
}

int bot_nlp(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(crowd_done) Crowd crowd = {0};
    NlpCallPlan plan;
    int go = options_parse(&cmd_bot_usage[1], argc, argv, &given, err);

    if (go <= 0)
        return go;
    size_t count = options_number(&given, NUM);
    int rc = make_plan(&given, &plan, err);
    if (rc == 0)
        rc = open_crowd(&given, count, &crowd, err);
    if (rc == 0) {
        crowd.quiet = options_has(&given, QUIET);
        crowd.progress = progress_new(crowd.quiet);
        rc = call_all(&plan, options_text(&given, TEAM), count, &crowd, err);
    }
    if (rc)
        return rc;
    loop_run(crowd.loop);
    progress_end(&crowd.progress);
    print_summary(&crowd);
    Exit status = print_models(&crowd);
    rc = result_of(&crowd, err);
    return rc ? rc : (int)status;
}
