/* `warg serve nlp`: a line of options for servers of the natural-language division; also its checks
 * of configurations (--check) and what operators do with a schedule (-a, -r). */
#include "cmd/serve_nlp.h"

#include "cmd/cmd.h"
#include "disk/folder.h"
#include "disk/result_folder.h"
#include "serve/nlp_replay.h"
#include "serve/operator_token.h"
#include "show/terminal.h"
#include "thinker/model_bots.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define ROOMS_OF_LINE 16

const Option serve_nlp_options[NLP_OPTION_COUNT] = {
    [NLP_CONFIG] =
        {"config", 'c', OPTION_LIST, "FILE",
         "configuration, as FILE; ./default.yml when nothing is said; one server for each", NULL, 0,
         0},
    [NLP_CHECK] = {"check", 0, OPTION_FLAG, NULL,
                   "say whether the configurations can be played, and listen nowhere", NULL, 0, 0},
    [NLP_HOST] = {"host", 0, OPTION_TEXT, "ADDRESS",
                  "address to listen on, in place of the configuration's", NULL, 0, 0},
    [NLP_PORT] = {"port", 'p', OPTION_UINT, "PORT",
                  "port to listen on, in place of the configuration's; 0 = any free one", NULL, 0,
                  65535},
    [NLP_TLS_CERT] = {"tls-cert", 0, OPTION_TEXT, "FILE",
                      "certificate chain (PEM): agents connect with wss://", NULL, 0, 0},
    [NLP_TLS_KEY] = {"tls-key", 0, OPTION_TEXT, "FILE", "its private key (PEM)", NULL, 0, 0},
    [NLP_ENV] = {"env", 0, OPTION_TEXT, "FILE", "file with SECRET_KEY=... and the like", ".env", 0,
                 0},
    [NLP_FILL] = {"fill", 0, OPTION_FLAG, NULL,
                  "seat built-in bots where agents are missing, some time after the first came",
                  NULL, 0, 0},
    [NLP_FILL_AFTER] = {"fill-after", 0, OPTION_DURATION, "TIME", "the time for --fill; implies it",
                        "30s", 0, 86400000},
    [NLP_FILL_WITH] = {"fill-with", 0, OPTION_TEXT, "SPEC",
                       "language models for --fill, in place of bots: llm:URL,model=NAME, or "
                       "llm:demo; implies it",
                       NULL, 0, 0},
    [NLP_RECORD] = MODEL_RECORD_ROW("--fill-with"),
    [NLP_PROMPTS] = MODEL_PROMPTS_ROW,
    [NLP_ANSWERS] = MODEL_ANSWERS_ROW("--fill-with"),
    [NLP_LOG_DIR] = {"log-dir", 0, OPTION_TEXT, "DIR",
                     "with --answers-from: a new folder for the logs of these games, which are not "
                     "written where they are",
                     NULL, 0, 0},
    [NLP_OPINIONS] = MODEL_OPINIONS_ROW("--fill-with"),
    [NLP_BUDGET] = MODEL_BUDGET_ROW("--fill-with"),
    [NLP_PRICES] = MODEL_PRICES_ROW,
    [NLP_OPERATOR_FILE] = {"operator-file", 0, OPTION_TEXT, "FILE",
                           "holds the operator's token, which opens running games; made when "
                           "missing; without it one is drawn and printed",
                           NULL, 0, 0},
    [NLP_PAGES] = PAGES_OPTION_ROWS("games"),
    [NLP_ROOM] = {"room", 0, OPTION_LIST, "WORDS",
                  "with --web: a room in which people play in their browsers, among bots: "
                  "'players=5 people=3 start=60s'; link and QR code are printed",
                  NULL, 0, 0},
    [NLP_OPEN_RESULTS] = {"open-results", 0, OPTION_FLAG, NULL,
                          "let others on this machine read the logs, roles and all", NULL, 0, 0},
    [NLP_GAMES] = {"games", 0, OPTION_UINT, "N", "stop after N decided games of each server", NULL,
                   1, UINT64_MAX},
    [NLP_SEED] =
        {"seed", 0, OPTION_TEXT, "S|KEY",
         "decides matching, seats and roles: a number, for trials (agents can guess it, and "
         "with it all roles), or a key that was drawn; without it the configuration's, or "
         "a drawn one",
         NULL, 0, 0},
    [NLP_LOOPS] =
        {"loops", 0, OPTION_UINT, "N",
         "games are played on N threads, where one core is not enough; the same games and "
         "logs with any number",
         "1", 1, HALL_BENCHES_MAX},
    [NLP_STAY] = {"stay", 0, OPTION_FLAG, NULL,
                  "go on serving API and files when the tournament is complete, until a signal",
                  NULL, 0, 0},
    [NLP_ANALYSE] = {"analyse", 'a', OPTION_FLAG, NULL,
                     "print how often each team plays and has played each role, and exit", NULL, 0,
                     0},
    [NLP_JSON] = {"json", 0, OPTION_FLAG, NULL, "with -a: as JSON", NULL, 0, 0},
    [NLP_REDUCE] = {"reduce", 'r', OPTION_FLAG, NULL,
                    "take from the schedule of -d what that of -s has played, and exit", NULL, 0,
                    0},
    [NLP_SOURCE] = {"source", 's', OPTION_TEXT, "FILE", "configuration for -r", NULL, 0, 0},
    [NLP_DESTINATION] = {"destination", 'd', OPTION_TEXT, "FILE", "configuration for -r", NULL, 0,
                         0},
    [NLP_QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "print only where it listens, and the end",
                   NULL, 0, 0},
    [NLP_VERSION] = {"version", 'v', OPTION_FLAG, NULL, "print the version and exit", NULL, 0, 0},
};

struct ServeNlp {
    Options given;
    DotEnv *env;
    Config *configs[DOORS_MAX];
    size_t count;
    TlsServer *tls; /* NULL = none */
    Buf operator_token;
    Buf log_json, log_schedule; /* paths below --log-dir */
    PagesArg pages;
    const char *rooms[ROOMS_OF_LINE + 1]; /* words of each; ends with NULL */
};

/* ---- configurations ---- */

/* What config_load hands to both of its callbacks. */
typedef struct ConfigReading {
    DotEnv *env;
    const char *path;
} ConfigReading;

static const char *reading_env(void *user, const char *name)
{
    const ConfigReading *reading = user;

    return dotenv_get(reading->env, name);
}

static void reading_warning(void *user, unsigned line, const char *text)
{
    const ConfigReading *reading = user;

    fprintf(stderr, "warg: config '%s': %s (line %u)\n", reading->path, text, line);
}

static int load_config(const Options *given, DotEnv *env, const char *path, Config **ret_config,
                       Err *err)
{
    ConfigReading reading = {env, path};
    Config *config = NULL;
    int rc = config_load(path, reading_env, reading_warning, &reading, &config, err);

    if (rc)
        return rc;
    if (options_has(given, NLP_HOST))
        config->host = options_text(given, NLP_HOST);
    if (options_has(given, NLP_PORT))
        config->port = (uint16_t)options_number(given, NLP_PORT);
    *ret_config = config;
    return 0;
}

static bool is_there(const char *path)
{
    return path && path[0] && access(path, F_OK) == 0;
}

/* The one of this number: behind -c, then those without; NULL behind the last. */
static const char *config_path(const ServeNlp *line, size_t number)
{
    size_t options = 0;

    while (options_item(&line->given, NLP_CONFIG, options))
        options++;
    if (number < options)
        return options_item(&line->given, NLP_CONFIG, number);
    number -= options;
    return number < (size_t)line->given.argument_count ? line->given.arguments[number] : NULL;
}

static int load_all(ServeNlp *line, Err *err)
{
    const char *path = config_path(line, 0);

    for (size_t i = 0; i == 0 || path; path = config_path(line, ++i)) {
        if (i == DOORS_MAX)
            return err_set(err, ERR_LIMIT, "at most %d configurations", DOORS_MAX);
        if (!path && !is_there("./default.yml"))
            return err_set(err, ERR_USAGE,
                           "no configuration is named, and ./default.yml is not there; "
                           "name one with -c FILE");
        int rc = load_config(&line->given, line->env, path ? path : "./default.yml",
                             &line->configs[line->count], err);
        if (rc)
            return rc;
        line->count++;
    }
    return 0;
}

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Two servers that would write the same file, or listen on the same port. */
static int check_pair(const Config *a, const Config *b, Err *err)
{
    if (a->port && a->port == b->port && same_text(a->host, b->host))
        return err_set(err, ERR_RULE, "'%s' and '%s' have the same port, %u", a->path, b->path,
                       a->port);
    if (a->matching.is_optimize && b->matching.is_optimize &&
        same_text(a->matching.output_path, b->matching.output_path))
        return err_set(err, ERR_RULE,
                       "'%s' and '%s' have the same matching.output_path, %s: each needs a "
                       "schedule of its own",
                       a->path, b->path, a->matching.output_path);
    if (a->realtime.enable && b->realtime.enable &&
        same_text(a->realtime.output_dir, b->realtime.output_dir))
        return err_set(err, ERR_RULE,
                       "'%s' and '%s' have the same realtime_broadcaster.output_dir, %s: each "
                       "needs a games.json of its own",
                       a->path, b->path, a->realtime.output_dir);
    return 0;
}

static int check_secret(const Config *config, Err *err)
{
    if (!config->authentication || config->secret_key.len)
        return 0;
    return err_set(err, ERR_USAGE,
                   "'%s' has server.authentication.enable, but there is no SECRET_KEY in the "
                   "environment or the file of --env: nobody could be let in",
                   config->path);
}

static int check_together(const ServeNlp *line, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < line->count && rc == 0; i++) {
        rc = check_secret(line->configs[i], err);
        for (size_t j = 0; j < i && rc == 0; j++)
            rc = check_pair(line->configs[j], line->configs[i], err);
    }
    return rc;
}

int serve_nlp_check_beside(const ServeNlp *line, const ServeNlp *other, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < line->count; i++)
        for (size_t j = 0; j < other->count && rc == 0; j++)
            rc = check_pair(line->configs[i], other->configs[j], err);
    return rc;
}

/* --check: also what would be read later. */
static int check_one(const Config *config, Err *err)
{
    CLEANUP(history_freep) History *history = NULL;
    const char *schedule = config->matching.output_path;

    if (config->matching.is_optimize && is_there(schedule)) {
        int rc = history_load(schedule, &history, err);
        if (rc)
            return rc;
    }
    printf("%s: good; %d players, %s, port %u", config->path, (int)config->agent_count,
           config->rules.talk.exchange == EXCHANGE_ANYTIME ? "speak-anytime" : "turn-based",
           config->port);
    if (config->matching.is_optimize)
        printf(", schedule of %d teams", (int)config->matching.team_count);
    else
        printf(", %s", config->matching.self_match ? "self match" : "different teams");
    if (config->authentication)
        printf(", tokens");
    if (history)
        printf(", %" PRIu32 " of %" PRIu32 " matches played", history_ended_count(history),
               history_ended_count(history) + history_scheduled_count(history));
    printf("\n");
    return 0;
}

static int check_all(const ServeNlp *line, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < line->count && rc == 0; i++)
        rc = check_one(line->configs[i], err);
    return rc;
}

/* ---- schedules: -a, -r ---- */

static int load_schedule(const Config *config, History **ret_history, Err *err)
{
    if (!config->matching.output_path || !config->matching.output_path[0])
        return err_set(err, ERR_RULE, "'%s' has no matching.output_path: there is no schedule",
                       config->path);
    if (!is_there(config->matching.output_path))
        return err_set(
            err, ERR_IO,
            "'%s': no schedule is there yet; a server with matching.is_optimize writes it "
            "when it starts",
            config->matching.output_path);
    return history_load(config->matching.output_path, ret_history, err);
}

static int analyse_logs(const ServeNlp *line, bool json, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < line->count && rc == 0; i++) {
        CLEANUP(history_freep) History *history = NULL;
        CLEANUP(buf_done) Buf text = {0};
        const Config *config = line->configs[i];
        rc = load_schedule(config, &history, err);
        if (rc == 0)
            rc = history_analyse(history, config->game_logger.output_dir, json, &text, err);
        if (rc == 0)
            fwrite(text.bytes, 1, text.len, stdout);
    }
    return rc;
}

static int reduce_history(const ServeNlp *line, Err *err)
{
    const Options *given = &line->given;
    DotEnv *env = line->env;
    const char *paths[2] = {options_text(given, NLP_SOURCE), options_text(given, NLP_DESTINATION)};
    CLEANUP(config_freep) Config *source = NULL;
    CLEANUP(config_freep) Config *destination = NULL;
    CLEANUP(history_freep) History *played = NULL;
    CLEANUP(history_freep) History *reduced = NULL;
    uint32_t removed = 0;
    int lock = -1;

    if (!paths[0] || !paths[1])
        return err_set(err, ERR_USAGE, "-r needs -s FILE and -d FILE");
    int rc = load_config(given, env, paths[0], &source, err);
    if (rc == 0)
        rc = load_config(given, env, paths[1], &destination, err);
    if (rc == 0)
        rc = load_schedule(source, &played, err);
    if (rc == 0 && is_there(destination->matching.output_path))
        rc = history_lock(destination->matching.output_path, &lock, err);
    if (rc == 0)
        rc = load_schedule(destination, &reduced, err);
    if (rc == 0)
        rc = history_reduce(reduced, played, &removed, err);
    if (rc == 0)
        rc = history_save(reduced, destination->matching.output_path, err);
    if (rc == 0)
        printf("%" PRIu32 " matches taken from %s; %" PRIu32 " are left\n", removed,
               destination->matching.output_path, history_scheduled_count(reduced));
    if (destination)
        history_unlock(destination->matching.output_path, lock);
    return rc;
}

/* ---- --answers-from ---- */

/* Nothing of what was written then is touched. */
static int move_logs(ServeNlp *line, Config *config, Err *err)
{
    const char *dir = options_text(&line->given, NLP_LOG_DIR);

    if (is_there(dir))
        return err_set(err, ERR_USAGE, "'%s' is there already: --log-dir makes a new folder", dir);
    buf_printf(&line->log_json, "%s/json", dir);
    buf_printf(&line->log_schedule, "%s/schedule.json", dir);
    if (buf_failed(&line->log_json) || buf_failed(&line->log_schedule))
        return err_set(err, ERR_MEMORY, "serve: out of memory");
    config->game_logger.output_dir = dir;
    config->json_logger.output_dir = buf_cstr(&line->log_json);
    config->matching.output_path = buf_cstr(&line->log_schedule);
    return folder_make(str_of(dir), err);
}

static void say_line(void *user, Str text)
{
    (void)user;
    fprintf(stderr, "%.*s\n", STR_ARG(text));
}

static int play_again(ServeNlp *line, Err *err)
{
    const Options *given = &line->given;
    const NlpReplaySetup setup = {.config = line->configs[0],
                                  .answers = options_text(given, NLP_ANSWERS),
                                  .spec = options_text(given, NLP_FILL_WITH),
                                  .quiet = options_has(given, NLP_QUIET),
                                  .words = {.say = say_line}};

    result_folder_begin(options_has(given, NLP_OPEN_RESULTS));
    int rc = move_logs(line, line->configs[0], err);
    return rc ? rc : nlp_replay(&setup, err);
}

bool serve_nlp_looks_only(const ServeNlp *line)
{
    return options_has(&line->given, NLP_ANSWERS) || options_has(&line->given, NLP_CHECK) ||
           options_has(&line->given, NLP_ANALYSE) || options_has(&line->given, NLP_REDUCE);
}

int serve_nlp_look(ServeNlp *line, Err *err)
{
    if (options_has(&line->given, NLP_ANSWERS))
        return play_again(line, err);
    if (options_has(&line->given, NLP_REDUCE))
        return reduce_history(line, err);
    if (options_has(&line->given, NLP_ANALYSE))
        return analyse_logs(line, options_has(&line->given, NLP_JSON), err);
    return check_all(line, err);
}

/* ---- the line ---- */

/* What is kept of models, and given again. */
static int check_minds(const Options *given, size_t configs, Err *err)
{
    const bool records = options_has(given, NLP_RECORD), again = options_has(given, NLP_ANSWERS);

    if ((records || again || options_has(given, NLP_OPINIONS)) &&
        !options_has(given, NLP_FILL_WITH))
        return err_set(err, ERR_USAGE,
                       "--record-minds, --answers-from and --opinions go with --fill-with");
    if (options_has(given, NLP_BUDGET) && !options_has(given, NLP_FILL_WITH))
        return err_set(err, ERR_USAGE, "--llm-budget goes with --fill-with");
    if ((records || again) && configs > 1)
        return err_set(err, ERR_USAGE,
                       "--record-minds and --answers-from go with one configuration: give each "
                       "a line of its own, behind '--'");
    if (records && again)
        return err_set(err, ERR_USAGE, "--answers-from keeps nothing: leave --record-minds out");
    if (again != options_has(given, NLP_LOG_DIR))
        return err_set(err, ERR_USAGE, "--answers-from and --log-dir go together");
    return 0;
}

static int check_line(const Options *given, Err *err)
{
    size_t configs = (size_t)given->argument_count;

    while (options_item(given, NLP_CONFIG, configs - (size_t)given->argument_count))
        configs++;
    if (options_has(given, NLP_TLS_CERT) != options_has(given, NLP_TLS_KEY))
        return err_set(err, ERR_USAGE, "--tls-cert and --tls-key go together");
    if (options_number(given, NLP_PORT) && configs > 1)
        return err_set(err, ERR_USAGE, "--port with several configurations: which one's?");
    if (options_has(given, NLP_FILL_WITH) && options_has(given, NLP_TLS_CERT))
        return err_set(err, ERR_USAGE,
                       "--fill-with does not go with --tls-cert: start 'warg bot nlp --llm'");
    if (options_has(given, NLP_JSON) && !options_has(given, NLP_ANALYSE))
        return err_set(err, ERR_USAGE, "--json goes with -a");
    return check_minds(given, configs, err);
}

static int read_line(ServeNlp *line, Err *err)
{
    const Options *given = &line->given;
    int rc = check_line(given, err);

    if (rc == 0)
        rc = dotenv_load(options_text(given, NLP_ENV), &line->env, err);
    if (rc || options_has(given, NLP_REDUCE))
        return rc;
    rc = load_all(line, err);
    if (rc || options_has(given, NLP_ANALYSE))
        return rc;
    return check_together(line, err);
}

int serve_nlp_read(int argc, char **argv, ServeNlp **ret_line, Err *err)
{
    ServeNlp *line = mem_new(sizeof(*line));

    if (!line)
        return err_set(err, ERR_MEMORY, "serve: out of memory");
    int go = options_parse(&cmd_serve_usage[1], argc, argv, &line->given, err);
    if (go > 0 && options_has(&line->given, NLP_VERSION)) {
        printf("warg %s\n", WARG_VERSION);
        go = 0;
    }
    int rc = go > 0 ? read_line(line, err) : go;
    if (go <= 0 || rc) {
        serve_nlp_free(line);
        return rc;
    }
    *ret_line = line;
    return 1;
}

ServeNlp *serve_nlp_free(ServeNlp *line)
{
    if (!line)
        return NULL;
    for (size_t i = 0; i < line->count; i++)
        config_free(line->configs[i]);
    tls_server_free(line->tls);
    buf_done(&line->operator_token);
    buf_done(&line->log_json);
    buf_done(&line->log_schedule);
    pages_arg_done(&line->pages);
    dotenv_free(line->env);
    options_done(&line->given);
    return mem_free(line);
}

size_t serve_nlp_count(const ServeNlp *line)
{
    return line->count;
}

bool serve_nlp_stays(const ServeNlp *line)
{
    return options_has(&line->given, NLP_STAY);
}

bool serve_nlp_opens_results(const ServeNlp *line)
{
    return options_has(&line->given, NLP_OPEN_RESULTS);
}

/* Logs of running games hold roles, and agents may run on this machine. */
static void close_folders(const ServeNlp *line)
{
    for (size_t i = 0; i < line->count; i++) {
        const Config *config = line->configs[i];
        if (config->game_logger.enable)
            result_folder_close(config->game_logger.output_dir);
        if (config->json_logger.enable)
            result_folder_close(config->json_logger.output_dir);
        if (config->realtime.enable)
            result_folder_close(config->realtime.output_dir);
    }
}

/* Each server has pages of its own. */
static int read_pages(ServeNlp *line, Err *err)
{
    int rc = pages_arg_read(&line->given, NLP_PAGES, buf_str(&line->operator_token), NULL, true,
                            &line->pages, err);

    for (size_t i = 0; options_item(&line->given, NLP_ROOM, i) && rc == 0; i++) {
        if (i == ROOMS_OF_LINE || !line->pages.setup.host)
            rc = err_set(err, ERR_USAGE, "--room goes with --web, at most %d times", ROOMS_OF_LINE);
        else
            line->rooms[i] = options_item(&line->given, NLP_ROOM, i);
    }
    if (rc == 0 && line->pages.setup.port && line->count > 1)
        rc = err_set(err, ERR_USAGE, "several servers can't have one port for pages: --web 0");
    return rc;
}

int serve_nlp_add(ServeNlp *line, const ServeNlpBeside *beside, Doors *doors, Err *err)
{
    const Options *given = &line->given;
    const char *cert = options_text(given, NLP_TLS_CERT);

    if (!options_has(given, NLP_OPEN_RESULTS))
        close_folders(line);
    int rc = cert ? tls_server_new(cert, options_text(given, NLP_TLS_KEY), &line->tls, err) : 0;
    if (rc == 0)
        rc = operator_token(options_text(given, NLP_OPERATOR_FILE), &line->operator_token, err);
    if (rc == 0)
        rc = read_pages(line, err);
    for (size_t i = 0; i < line->count && rc == 0; i++) {
        const NlpDoorSetup setup = {
            .config = line->configs[i],
            .tls = line->tls,
            .operator_token = buf_str(&line->operator_token),
            .token_is_kept = options_has(given, NLP_OPERATOR_FILE),
            .seed = options_text(given, NLP_SEED),
            .number = beside->before + i,
            .fill = options_has(given, NLP_FILL) || options_has(given, NLP_FILL_AFTER) ||
                    options_has(given, NLP_FILL_WITH),
            .fill_after = (TimeUs)options_number(given, NLP_FILL_AFTER) * 1000,
            .fill_with = options_text(given, NLP_FILL_WITH),
            .record_minds = options_text(given, NLP_RECORD),
            .record_prompts = options_has(given, NLP_PROMPTS),
            .budget = options_text(given, NLP_BUDGET),
            .prices = options_text(given, NLP_PRICES),
            .opinions = (LlmOpinions)options_number(given, NLP_OPINIONS),
            .games = options_has(given, NLP_GAMES) ? options_number(given, NLP_GAMES) : 0,
            .loops = (unsigned)options_number(given, NLP_LOOPS),
            .pages = line->pages.setup,
            .rooms = line->rooms,
            .terminal = terminal_is(stdout),
            .quiet = options_has(given, NLP_QUIET),
            .several = beside->servers > 1,
            .connections = beside->connections,
            .now = loop_now(),
            .words = beside->words,
        };
        rc = doors_add_nlp(doors, &setup, err);
    }
    return rc;
}
