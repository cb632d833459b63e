#include "cli/session_line.h"

#include "base/id_source.h"
#include "base/mem.h"
#include "cli/session_command.h"
#include "disk/key_file.h"
#include "disk/secret.h"
#include "show/maw_leaderboard.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#define MODEL_KINDS    16
#define SESSION_ID_MAX 64

const Option session_line_options[SESSION_OPTION_COUNT] = {
    [SESSION_PLAYERS] = {"players", 'n', OPTION_UINT, "N",
                         "seats; without it as usual with these rules", NULL, PLAYERS_MIN,
                         SEAT_MAX},
    [SESSION_ROUNDS] = {"rounds", 'g', OPTION_UINT, "N",
                        "rounds of the session; points add up; default: as the rules say, 1", NULL,
                        1, 10000},
    [SESSION_RULES] = {"rules", 'r', OPTION_TEXT, "FILE",
                       "the table's rules, as config/maw/maw.yml; without it the document's", NULL,
                       0, 0},
    [SESSION_BOTS] = {"bots", 0, OPTION_UINT, "N",
                      "seats for built-in bots; default: all that are left, with --xmpp none", NULL,
                      0, SEAT_MAX},
    [SESSION_BOT] = {"bot", 0, OPTION_CHOICE, "random|talker", "what the bots are", "talker", 0, 0},
    [SESSION_LLM] = {"llm", 0, OPTION_LIST, "N|SPEC[*N]",
                     "seats for language models: how many on --llm-url, or of which kind: demo, or "
                     "URL,model=NAME,persona=TEXT; without *N those that are left, shared evenly",
                     NULL, 0, 0},
    [SESSION_LLM_URL] = {"llm-url", 0, OPTION_TEXT, "URL|demo",
                         "the models' server; demo needs none, and says phrases out of a table",
                         "demo", 0, 0},
    [SESSION_LLM_MODEL] = {"llm-model", 0, OPTION_TEXT, "NAME", "what the server is asked for",
                           "llama3.1:8b", 0, 0},
    [SESSION_LLM_API] = {"llm-api", 0, OPTION_CHOICE, "openai|ollama|anthropic",
                         "the server's interface", "openai", 0, 0},
    [SESSION_COST] = {"llm-cost", 0, OPTION_UINT, "CENTS",
                      "what a million tokens costs: the end says what the session did", NULL, 1,
                      10000000},
    [SESSION_BUDGET] =
        {"llm-budget", 0, OPTION_TEXT, "MONEY|TOKENSt",
         "what the models may cost together: 2.50 in the currency of --llm-prices, or "
         "200000t tokens; near its end they are asked less, behind it rules decide",
         NULL, 0, 0},
    [SESSION_PRICES] = {"llm-prices", 0, OPTION_TEXT, "FILE",
                        "what tokens of models cost, as config/prices.yml", NULL, 0, 0},
    [SESSION_AGENT] =
        {"agent", 'a', OPTION_LIST, "SPEC",
         "an AIWolf agent of the protocol division, a seat each: name=NAME,copies=N,"
         "folder=DIR,env=VARIABLE,cmd=COMMAND, a program to start, with {host}, {port} and "
         "{name} filled "
         "in; or FILE.yml with a list",
         NULL, 0, 0},
    [SESSION_TIME_LIMIT] =
        {"time-limit", 0, OPTION_DURATION, "TIME",
         "for an AIWolf agent's answer; default: 10s, less where phases are short", NULL, 1,
         3600000},
    [SESSION_STARTUP] = {"startup-limit", 0, OPTION_DURATION, "TIME",
                         "for an AIWolf agent to connect, and for its first answer", "5s", 1,
                         3600000},
    [SESSION_LANGUAGE] =
        {"language", 0, OPTION_CHOICE, "en|ja",
         "of the rooms' system lines, of bots and models, and of what you are told; "
         "default: as the rules say, en",
         NULL, 0, 0},
    [SESSION_XMPP] =
        {"xmpp", 'x', OPTION_TEXT, "DOMAIN",
         "let players come over the XMPP server of this domain; free seats wait for them", NULL, 0,
         0},
    [SESSION_COMPONENT] = {"component", 0, OPTION_TEXT, "DOMAIN",
                           "with --xmpp: our own domain there; default: maw. in front of its", NULL,
                           0, 0},
    [SESSION_SECRET_ENV] = {"secret-env", 0, OPTION_TEXT, "VARIABLE",
                            "the environment variable that holds the component's secret",
                            "WARG_XMPP_SECRET", 0, 0},
    [SESSION_SECRET_FILE] = {"secret-file", 0, OPTION_TEXT, "FILE",
                             "a file whose first line is the component's secret", NULL, 0, 0},
    [SESSION_HOST] = {"host", 0, OPTION_TEXT, "HOST",
                      "where the server takes components; the link is not encrypted", "127.0.0.1",
                      0, 0},
    [SESSION_PORT] = {"port", 'p', OPTION_UINT, "PORT", "its port for components", "5347", 1,
                      65535},
    [SESSION_LOBBY] =
        {"lobby", 0, OPTION_DURATION, "TIME",
         "how long to wait for players; then bots take what is free; default: as the rules "
         "say, for ever",
         NULL, 1000, 86400000},
    [SESSION_DAY_S] = {"day-s", 0, OPTION_UINT, "SECONDS",
                       "length of a day, in place of the rules'", NULL, 1, 86400},
    [SESSION_NIGHT_S] = {"night-s", 0, OPTION_UINT, "SECONDS",
                         "length of a night, in place of the rules'", NULL, 1, 86400},
    [SESSION_SEED] =
        {"seed", 's', OPTION_TEXT, "S|KEY",
         "decides all chance: among bots the same seed and --id give the same bytes; a number "
         "is for trials, for it can be guessed; without it a key is drawn, and told at the end",
         NULL, 0, 0},
    [SESSION_ID] =
        {"id", 0, OPTION_TEXT, "ID",
         "the session's name in messages and files: letters, digits and ._-; it says nothing of "
         "the seed; without it a random one",
         NULL, 0, 0},
    [SESSION_OUT] = {"out", 'o', OPTION_TEXT, "DIR",
                     "keep everything there: record, what was said in each room, leaderboard", NULL,
                     0, 0},
    [SESSION_RESUME] =
        {"resume", 0, OPTION_TEXT, "DIR",
         "go on with the session whose --out folder this is, and whose game master was killed: "
         "options and seats are those of the first time, and all who played are waited for",
         NULL, 0, 0},
    [SESSION_WAIT] = {"wait", 0, OPTION_DURATION, "TIME",
                      "with --resume: wait so long for those who played; who is missing then is "
                      "absent",
                      "2m", 1000, 86400000},
    [SESSION_OPEN_RESULTS] = {"open-results", 0, OPTION_FLAG, NULL,
                              "let others on this machine read --out", NULL, 0, 0},
    [SESSION_EARLIER] = {"context-load", 0, OPTION_TEXT, "DIR",
                         "what the models remember of an earlier session: its --out folder", NULL,
                         0, 0},
    [SESSION_PROMPTS] = {"record-prompts", 0, OPTION_FLAG, NULL,
                         "keep every request to a model as it was sent, in prompts/ of --out: all "
                         "that its seat knew",
                         NULL, 0, 0},
    [SESSION_OPINIONS] =
        {"opinions", 0, OPTION_CHOICE, "off|day|line",
         "ask models by day whom they would vote for and how sure they are: once, or between "
         "lines; only the record knows, and the end says what it was worth",
         NULL, 0, 0},
    [SESSION_LIVE] = LIVE_OPTION_ROWS("rounds", " and the night's rooms"),
    [SESSION_PAGES] = PAGES_OPTION_ROWS("rounds"),
    [SESSION_JSON] = {"json", 'j', OPTION_FLAG, NULL,
                      "print the leaderboard as JSON, and no course", NULL, 0, 0},
    [SESSION_QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "print the leaderboard only", NULL, 0, 0},
    [SESSION_ME] = {"me", 'm', OPTION_TEXT, "NAME", "a seat for you, at this terminal", NULL, 0, 0},
    [SESSION_PLAIN] = {"plain", 0, OPTION_FLAG, NULL,
                       "with --me: lines only, for pipes and screen readers", NULL, 0, 0},
    [SESSION_REAL_TIME] =
        {"real-time", 0, OPTION_FLAG, NULL,
         "by the clock, also without a model; else time jumps from event to event", NULL, 0, 0},
    [SESSION_OPERATOR] =
        {"operator", 0, OPTION_FLAG, NULL,
         "lines that you type are commands: /pause, /resume, /extend 60, /end, /kick NAME, "
         "/who, /quit, /help; by the clock",
         NULL, 0, 0},
    [SESSION_ANSWERS] =
        {"answers-from", 0, OPTION_TEXT, "DIR",
         "play the session of this --out folder again, with the answers that its models gave: no "
         "request is sent, and the record is the same byte for byte; with the options that it was "
         "played with, --seed and --id are known",
         NULL, 0, 0},
};

struct SessionLine {
    Options given;
    MawConfig config;
    MawChance chance;
    Plan plan; /* its agents are those of --agent */
    MawModelSeats kinds[MODEL_KINDS];
    size_t kind_count;
    MawComponent component;
    Buf domain; /* of it */
    Buf secret;
    Buf id;
    Buf command;            /* command.json of --out */
    SessionCommand earlier; /* with --resume */
    MawClock *clock;        /* of --answers-from; NULL = none */
    LiveArg live;
    PagesArg pages;
};

/* ---- what is asked for ---- */

/* Also of what needs a terminal, which a line of `warg serve` does not take. */
static bool has_own(const Options *given, size_t which)
{
    return which < given->usage->option_count && options_has(given, which);
}

/* A line of `warg serve` may name the rules' file by itself. */
static const char *rules_file(const Options *given)
{
    return given->argument_count ? given->arguments[0] : options_text(given, SESSION_RULES);
}

static int read_rules(SessionLine *line, Err *err)
{
    const Options *given = &line->given;
    const char *rules = rules_file(given);
    MawOptions *options_of = &line->config.options;
    int rc = 0;

    if (line->earlier.began) {
        /* Who is asked elsewhere does not stand in the record. */
        maw_config_default(&line->config);
        if (rules && strcmp(rules, "maw") != 0)
            rc = maw_config_load(rules, &line->config, err);
        line->config.rules = line->earlier.head.rules;
        line->config.options = line->earlier.head.options;
        return rc;
    }
    maw_config_default(&line->config);
    if (rules && strcmp(rules, "maw") != 0)
        rc = maw_config_load(rules, &line->config, err);
    if (rc)
        return rc;
    if (options_has(given, SESSION_PLAYERS))
        options_of->players = (uint32_t)options_number(given, SESSION_PLAYERS);
    if (options_has(given, SESSION_ROUNDS))
        options_of->rounds = (uint32_t)options_number(given, SESSION_ROUNDS);
    if (options_has(given, SESSION_LANGUAGE))
        line->config.options.language =
            options_number(given, SESSION_LANGUAGE) == 1 ? LLM_JAPANESE : LLM_ENGLISH;
    if (options_has(given, SESSION_OPINIONS))
        options_of->opinions = (LlmOpinions)options_number(given, SESSION_OPINIONS);
    if (options_has(given, SESSION_DAY_S))
        line->config.rules.talk.duration_ms = (int32_t)options_number(given, SESSION_DAY_S) * 1000;
    if (options_has(given, SESSION_NIGHT_S))
        line->config.rules.whisper.duration_ms =
            (int32_t)options_number(given, SESSION_NIGHT_S) * 1000;
    if (options_has(given, SESSION_LOBBY)) {
        options_of->lobby_ms = (TimeMs)options_number(given, SESSION_LOBBY);
        options_of->fill = FILL_BOTS;
    }
    return maw_config_check(&line->config, err);
}

static uint32_t player_count(const SessionLine *line)
{
    return line->config.options.players;
}

/* One --llm: a number, or a spec with how many behind a '*'. */
static int read_models(SessionLine *line, Str text, Err *err)
{
    const Options *given = &line->given;
    MawModelSeats *seats = &line->kinds[line->kind_count];
    uint64_t count = 0;

    if (line->kind_count == MODEL_KINDS)
        return err_set(err, ERR_USAGE, "--llm is given more than %d times", MODEL_KINDS);
    line->kind_count++;
    if (str_to_uint(text, SEAT_MAX, &count)) {
        CLEANUP(buf_done) Buf spec = {0};
        const char *url = options_text(given, SESSION_LLM_URL);
        buf_add(&spec, str_of(url));
        if (strcmp(url, "demo") != 0)
            buf_printf(&spec, ",model=%s,api=%s", options_text(given, SESSION_LLM_MODEL),
                       options_number(given, SESSION_LLM_API) == 0   ? "openai"
                       : options_number(given, SESSION_LLM_API) == 1 ? "ollama"
                                                                     : "anthropic");
        if (count == 0)
            return err_set(err, ERR_USAGE, "--llm 0: a model without a seat; leave it out");
        seats->count = (uint32_t)count;
        return llm_spec_read(buf_str(&spec), &seats->spec, err);
    }
    for (size_t at = text.len; at > 0; at--)
        if (text.bytes[at - 1] == '*' &&
            str_to_uint(str_part(text, at, text.len), SEAT_MAX, &count) && count > 0) {
            seats->count = (uint32_t)count;
            text = str_part(text, 0, at - 1);
            break;
        }
    int rc = llm_spec_read(text, &seats->spec, err);
    return rc == 0 && seats->spec.manner.opinions
               ? err_set(err, ERR_USAGE, "--llm: at a table of MAW --opinions asks all models")
               : rc;
}

/* What would do nothing is a mistake, as a --xmpp that was forgotten. */
static int check_companions(const Options *given, Err *err)
{
    static const struct {
        size_t which, with;
    } rows[] = {{SESSION_LOBBY, SESSION_XMPP},      {SESSION_COMPONENT, SESSION_XMPP},
                {SESSION_SECRET_ENV, SESSION_XMPP}, {SESSION_SECRET_FILE, SESSION_XMPP},
                {SESSION_HOST, SESSION_XMPP},       {SESSION_PORT, SESSION_XMPP},
                {SESSION_PLAIN, SESSION_ME},        {SESSION_WAIT, SESSION_RESUME}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (has_own(given, rows[i].which) && !has_own(given, rows[i].with))
            return err_set(err, ERR_USAGE, "--%s without --%s does nothing",
                           session_line_options[rows[i].which].name,
                           session_line_options[rows[i].with].name);
    return 0;
}

static int read_agents(SessionLine *line, Err *err)
{
    const Options *given = &line->given;
    const char *text;
    int rc = options_has(given, SESSION_AGENT) ? plan_init(&line->plan, err) : 0;

    for (size_t i = 0; rc == 0 && (text = options_item(given, SESSION_AGENT, i)); i++)
        rc = maw_agents_read(str_of(text), &line->plan, err);
    return rc;
}

/* Seats that are spoken for: who takes what is left is decided in take_seats. */
static int check_seats(const SessionLine *line, Err *err)
{
    const Options *given = &line->given;
    uint64_t bots = options_number(given, SESSION_BOTS);
    uint64_t machines = line->plan.agent_count + line->config.asked_count;
    uint32_t players = player_count(line), me = has_own(given, SESSION_ME);
    uint32_t rest = 0; /* kinds of models that share all that is left */

    if (me && has_own(given, SESSION_OPERATOR))
        return err_set(err, ERR_USAGE,
                       "--operator and --me exclude each other: an operator sees every role and "
                       "ends phases, which no player may");
    if (line->config.asked_count && !options_has(given, SESSION_XMPP))
        return err_set(
            err, ERR_USAGE,
            "ask_users, ask_models: interface agents are asked over an XMPP server: give "
            "--xmpp");
    for (size_t i = 0; i < line->kind_count; i++) {
        machines += line->kinds[i].count;
        rest += line->kinds[i].count == 0;
    }
    uint64_t taken = bots + machines + me;
    const char *problem =
        me ? maw_session_name_problem(str_of(options_text(given, SESSION_ME))) : NULL;
    if (problem) /* else the player would take another name, unasked */
        return err_set(err, ERR_USAGE, "--me '%s' can't be a name: %s",
                       options_text(given, SESSION_ME), problem);
    if (taken > players)
        return err_set(err, ERR_USAGE, "%" PRIu64 " players for %" PRIu32 " seats", taken, players);
    if (rest > players - taken)
        return err_set(err, ERR_USAGE,
                       "%" PRIu32 " kinds of models share %" PRIu64
                       " seats: each needs one; say how many with --llm 'SPEC*N', or take more "
                       "--players",
                       rest, players - taken);
    if (options_has(given, SESSION_BOTS) && taken < players && !rest &&
        !options_has(given, SESSION_XMPP))
        return err_set(err, ERR_USAGE,
                       "%" PRIu64 " players do not fill %" PRIu32
                       " seats: leave --bots out to have bots on all that are left",
                       taken, players);
    return 0;
}

/* A folder that is not there would be an earlier session that nobody remembers. */
static int check_earlier(const SessionLine *line, Err *err)
{
    const Options *given = &line->given;
    CLEANUP(buf_done) Buf path = {0};
    const char *folder = options_text(given, SESSION_EARLIER);

    if (!options_has(given, SESSION_EARLIER))
        return 0;
    if (!line->kind_count)
        return err_set(err, ERR_USAGE, "--context-load is for models: give --llm too");
    buf_printf(&path, "%s/contexts", folder);
    if (buf_failed(&path) || access(buf_cstr(&path), R_OK | X_OK))
        return err_set(err, ERR_IO,
                       "--context-load '%s': expected the --out folder of a session that had "
                       "models, with contexts/ in it: %s",
                       folder, strerror(errno));
    return 0;
}

static int check_prompts(const SessionLine *line, Err *err)
{
    const Options *given = &line->given;

    if (!options_has(given, SESSION_PROMPTS))
        return 0;
    if (!line->kind_count || !options_has(given, SESSION_OUT))
        return err_set(
            err, ERR_USAGE,
            "--record-prompts keeps requests to models in a folder: give --llm and --out");
    return 0;
}

/* Who plays, and what only a clock could bring about. */
static bool has_others(const SessionLine *line)
{
    const Options *given = &line->given;

    return has_own(given, SESSION_ME) || has_own(given, SESSION_OPERATOR) ||
           options_has(given, SESSION_XMPP) || line->plan.agent_count;
}

static bool has_watchers(const Options *given)
{
    return options_has(given, SESSION_LIVE + LIVE_HTTP) ||
           options_has(given, SESSION_PAGES + PAGES_WEB) ||
           options_has(given, SESSION_LIVE + LIVE_REALTIME);
}

static int check_replay(const SessionLine *line, const char *folder, Err *err)
{
    if (has_others(line) || has_own(&line->given, SESSION_REAL_TIME) || has_watchers(&line->given))
        return err_set(err, ERR_USAGE,
                       "--answers-from plays again what models and bots did, at once: leave out "
                       "--me, --agent, --xmpp, --operator, --real-time, and what is to be watched");
    return line->clock && maw_clock_head(line->clock)->others
               ? err_set(err, ERR_RULE,
                         "people, agents or an operator had a part in the session in '%s': what "
                         "they did can't be played again",
                         folder)
               : 0;
}

/* The seed and the name of the session come from there. */
static int read_answers(SessionLine *line, Err *err)
{
    const Options *given = &line->given;
    CLEANUP(buf_done) Buf path = {0};

    if (!has_own(given, SESSION_ANSWERS))
        return 0;
    const char *folder = options_text(given, SESSION_ANSWERS);
    buf_printf(&path, "%s/answers/clock.jsonl", folder);
    int rc = check_replay(line, folder, err);
    if (rc == 0 && access(buf_cstr(&path), F_OK))
        return err_set(err, ERR_IO,
                       "--answers-from '%s': expected the --out folder of a session that had "
                       "models, with answers/clock.jsonl in it: %s",
                       folder, strerror(errno));
    if (rc == 0)
        rc = maw_clock_load(buf_cstr(&path), &line->clock, err);
    return rc ? rc : check_replay(line, folder, err);
}

static int read_secret(SessionLine *line, Err *err)
{
    const Options *given = &line->given;

    if (!options_has(given, SESSION_XMPP))
        return 0;
    if (options_has(given, SESSION_COMPONENT))
        buf_add(&line->domain, str_of(options_text(given, SESSION_COMPONENT)));
    else
        buf_printf(&line->domain, "maw.%s", options_text(given, SESSION_XMPP));
    int rc = secret_find(options_text(given, SESSION_SECRET_FILE),
                         options_text(given, SESSION_SECRET_ENV), "the component's secret",
                         "--secret-env or --secret-file", &line->secret, err);
    line->component = (MawComponent){.host = options_text(given, SESSION_HOST),
                                     .port = (uint16_t)options_number(given, SESSION_PORT),
                                     .domain = buf_str(&line->domain),
                                     .secret = buf_str(&line->secret)};
    return rc;
}

/* A key of 256 bits when nobody chose one. */
static int choose_seed(SessionLine *line, Err *err)
{
    const char *given = options_text(&line->given, SESSION_SEED);
    Key key;

    if (line->earlier.began) {
        line->chance = line->earlier.head.chance;
        return 0;
    }
    if (!given && line->clock)
        given = maw_clock_head(line->clock)->seed;
    if (given)
        return maw_chance_read(str_of(given), MAW_SEED_OF_KEY, &line->chance)
                   ? 0
                   : err_set(err, ERR_USAGE,
                             "--seed: expected a number from 0 to 18446744073709551615, or a key "
                             "of 64 hexadecimal digits, found '%s'",
                             given);
    int rc = key_draw(&key, err);
    if (rc == 0)
        line->chance = maw_chance_of_key(&key);
    return rc;
}

/* Everybody reads it, before roles are dealt: it has nothing to do with the seed. */
static int choose_id(SessionLine *line, Err *err)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    const char *given = options_text(&line->given, SESSION_ID);
    IdSource ids = {0};
    char drawn[ID_HEX_BYTES];

    if (!given && line->clock)
        given = maw_clock_head(line->clock)->id;
    if (given && (!given[0] || strlen(given) > SESSION_ID_MAX || given[strspn(given, allowed)]))
        return err_set(err, ERR_USAGE, "--id: expected 1 to %d letters, digits and ._-, found '%s'",
                       SESSION_ID_MAX, given);
    if (line->earlier.began)
        given = line->earlier.head.id;
    int rc = given ? 0 : id_source_hex(&ids, drawn, err);
    if (rc)
        return rc;
    buf_add(&line->id, str_of(given ? given : drawn));
    return buf_failed(&line->id) ? err_set(err, ERR_MEMORY, "session: out of memory") : 0;
}

/* Who plays here, or is started here, could read the operator's token, and with it all roles. */
static int read_live(SessionLine *line, Err *err)
{
    const Options *given = &line->given;
    const bool has_pages = options_has(given, SESSION_PAGES + PAGES_WEB);

    if (options_has(given, SESSION_LIVE + LIVE_HTTP) && has_own(given, SESSION_ME))
        return err_set(err, ERR_USAGE,
                       "--http and --me exclude each other: who plays would be shown the "
                       "operator's token; serve the table with 'warg serve maw'");
    if (has_pages && has_own(given, SESSION_ME) &&
        !options_has(given, SESSION_LIVE + LIVE_OPERATOR_FILE))
        return err_set(err, ERR_USAGE,
                       "who plays would be shown the operator's secret: give --operator-file too");
    if (options_has(given, SESSION_LIVE + LIVE_OPERATOR_FILE) && line->plan.agent_count)
        return err_set(err, ERR_USAGE,
                       "agents that are started here could read the file of --operator-file, and "
                       "with it all roles: leave it out, the token is printed then");
    int rc = live_arg_read(given, SESSION_LIVE, has_pages, &line->live, err);
    return rc ? rc
              : pages_arg_read(given, SESSION_PAGES, line->live.setup.operator_token,
                               options_text(given, SESSION_LIVE + LIVE_OPERATOR_FILE), false,
                               &line->pages, err);
}

/* What makes the session is what it was. */
static int check_resume(const Options *given, Err *err)
{
    static const size_t fixed[] = {
        SESSION_PLAYERS, SESSION_ROUNDS,    SESSION_RULES,     SESSION_BOTS,     SESSION_BOT,
        SESSION_LLM,     SESSION_LLM_URL,   SESSION_LLM_MODEL, SESSION_LLM_API,  SESSION_AGENT,
        SESSION_XMPP,    SESSION_COMPONENT, SESSION_LANGUAGE,  SESSION_LOBBY,    SESSION_DAY_S,
        SESSION_NIGHT_S, SESSION_SEED,      SESSION_ID,        SESSION_OUT,      SESSION_EARLIER,
        SESSION_ME,      SESSION_REAL_TIME, SESSION_ANSWERS,   SESSION_OPINIONS,
    };

    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
        if (has_own(given, fixed[i]))
            return err_set(err, ERR_USAGE,
                           "--resume and --%s exclude each other: the session is what it was made "
                           "as",
                           session_line_options[fixed[i]].name);
    if (given->argument_count)
        return err_set(err, ERR_USAGE,
                       "--resume and '%s' exclude each other: the session has its rules",
                       given->arguments[0]);
    return 0;
}

static int read_line(SessionLine *line, Err *err)
{
    const char *models;
    int rc = check_companions(&line->given, err);

    if (rc == 0)
        rc = read_rules(line, err);
    for (size_t i = 0; rc == 0 && (models = options_item(&line->given, SESSION_LLM, i)); i++)
        rc = read_models(line, str_of(models), err);
    if (rc == 0)
        rc = read_agents(line, err);
    if (rc == 0)
        rc = check_seats(line, err);
    if (rc == 0)
        rc = check_earlier(line, err);
    if (rc == 0)
        rc = check_prompts(line, err);
    if (rc == 0)
        rc = read_answers(line, err);
    if (rc == 0)
        rc = read_secret(line, err);
    if (rc == 0)
        rc = choose_seed(line, err);
    if (rc == 0)
        rc = read_live(line, err);
    return rc ? rc : choose_id(line, err);
}

/* Of a session that is gone on with: its first line, and what is said now. */
static int read_given(SessionLine *line, const Usage *usage, int argc, char **argv, Err *err)
{
    int go = options_parse(usage, argc, argv, &line->given, err);

    if (go <= 0)
        return go;
    if (!options_has(&line->given, SESSION_RESUME)) {
        session_command_write(argc, argv, &line->command);
        return go;
    }
    const char *dir = options_text(&line->given, SESSION_RESUME);
    int rc = check_resume(&line->given, err);
    if (rc == 0)
        rc = session_command_read(dir, argc, argv, &line->earlier, err);
    if (rc)
        return rc;
    options_done(&line->given);
    line->given = (Options){0};
    return options_parse(usage, line->earlier.argc, line->earlier.argv, &line->given, err);
}

int session_line_read(const Usage *usage, int argc, char **argv, SessionLine **ret_line, Err *err)
{
    CLEANUP(session_line_freep) SessionLine *line = mem_new(sizeof(*line));

    if (!line)
        return err_set(err, ERR_MEMORY, "session: out of memory");
    int go = read_given(line, usage, argc, argv, err);
    int rc = go > 0 ? read_line(line, err) : go;
    if (go <= 0 || rc)
        return rc;
    *ret_line = TAKE(line);
    return 1;
}

SessionLine *session_line_free(SessionLine *line)
{
    if (!line)
        return NULL;
    plan_done(&line->plan);
    maw_clock_free(line->clock);
    buf_done(&line->domain);
    buf_done(&line->secret);
    buf_done(&line->id);
    buf_done(&line->command);
    session_command_done(&line->earlier);
    live_arg_done(&line->live);
    pages_arg_done(&line->pages);
    options_done(&line->given);
    return mem_free(line);
}

void session_line_freep(SessionLine **line)
{
    *line = session_line_free(*line);
}

/* ---- what is made of it ---- */

const Options *session_line_given(const SessionLine *line)
{
    return &line->given;
}

bool session_line_is_japanese(const SessionLine *line)
{
    return line->config.options.language == LLM_JAPANESE;
}

bool session_line_is_real(const SessionLine *line)
{
    const Options *given = &line->given;

    return has_own(given, SESSION_REAL_TIME) || (line->kind_count && !line->clock) ||
           has_others(line) || has_watchers(given);
}

void session_line_setup(const SessionLine *line, unsigned umask, MawDoorSetup *ret_setup)
{
    const Options *given = &line->given;

    *ret_setup = (MawDoorSetup){
        .config = &line->config,
        .chance = line->chance,
        .id = buf_str(&line->id),
        .plan = &line->plan,
        .limit = (TimeUs)options_number(given, SESSION_TIME_LIMIT) * 1000,
        .startup = (TimeUs)options_number(given, SESSION_STARTUP) * 1000,
        .cell = {.umask = umask},
        .models = line->kinds,
        .model_kinds = line->kind_count,
        .budget = options_text(given, SESSION_BUDGET),
        .prices = options_text(given, SESSION_PRICES),
        .bots = (uint32_t)options_number(given, SESSION_BOTS),
        .bot = options_number(given, SESSION_BOT) == 0 ? MAW_BOT_RANDOM : MAW_BOT_TALKER,
        .bots_fill = !options_has(given, SESSION_BOTS) && !options_has(given, SESSION_XMPP),
        .people = has_own(given, SESSION_ME),
        .component = options_has(given, SESSION_XMPP) ? &line->component : NULL,
        .out = options_text(given, SESSION_OUT),
        .earlier = options_text(given, SESSION_EARLIER),
        .record_prompts = options_has(given, SESSION_PROMPTS),
        .command = buf_str(&line->command),
        .resume = options_has(given, SESSION_RESUME),
        .wait_ms = (TimeMs)options_number(given, SESSION_WAIT),
        .clock = line->clock,
        .answers = has_own(given, SESSION_ANSWERS) ? options_text(given, SESSION_ANSWERS) : NULL,
        .others = has_others(line),
        .live = line->live.setup,
        .pages = line->pages.setup,
    };
}

void session_line_write_live(const SessionLine *line, const MawDoor *door, Buf *out)
{
    const bool is_kept = options_has(&line->given, SESSION_LIVE + LIVE_OPERATOR_FILE);
    const bool has_http =
        maw_door_live(door) && options_has(&line->given, SESSION_LIVE + LIVE_HTTP);

    if (has_http)
        live_write_address(maw_door_live(door), is_kept, out);
    if (has_http && maw_door_pages(door))
        buf_add_char(out, '\n');
    if (maw_door_pages(door))
        live_pages_write_address(maw_door_pages(door), is_kept, out);
}

/* ---- what came of it ---- */

void session_line_write(const SessionLine *line, const MawDoor *door, Buf *out)
{
    const Options *given = &line->given;
    const MawTable *table = maw_door_table(door);

    if (options_has(given, SESSION_JSON)) {
        maw_table_leaderboard(table, out);
        buf_add_char(out, '\n');
        return;
    }
    if (!options_has(given, SESSION_QUIET))
        buf_add_char(out, '\n');
    maw_leaderboard_write(table, line->config.options.language, options_number(given, SESSION_COST),
                          out);
    if (maw_door_agents(door))
        maw_agents_print(maw_door_agents(door), session_line_is_japanese(line), out);
}

void session_line_write_seed(const SessionLine *line, Buf *out)
{
    if (!options_has(&line->given, SESSION_SEED) && !options_has(&line->given, SESSION_JSON))
        buf_printf(out, "seed: %s; the same roles again: the same options and --seed %s",
                   line->chance.seed, line->chance.seed);
}
