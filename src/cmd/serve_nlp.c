/* `warg serve nlp`: the server of the natural-language division; also its checks of configurations
 * (--check) and what operators do with a schedule (-a, -r). */
#include "cmd/serve_nlp.h"

#include "base/utf8.h"
#include "cmd/cmd.h"
#include "cmd/serve_beside.h"
#include "disk/result_folder.h"
#include "net/interrupt.h"
#include "serve/nlp_key.h"
#include "serve/operator_token.h"
#include "serve/serve_guests.h"
#include "serve/server.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SERVERS_MAX 64
/* Files that are open beside connections. */
#define OTHER_FILES 128
/* What a connection may cost: itself, and its share of a game's four files. */
#define FILES_EACH      2
#define CONNECTIONS_MAX 20000

const Option serve_nlp_options[NLP_OPTION_COUNT] = {
    [NLP_CONFIG] = {"config", 'c', OPTION_LIST, "FILE",
                    "configuration; ./default.yml when nothing is said; one server for each", NULL,
                    0, 0},
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
    [NLP_OPERATOR_FILE] = {"operator-file", 0, OPTION_TEXT, "FILE",
                           "holds the operator's token, which opens running games; made when "
                           "missing; without it one is drawn and printed",
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

typedef struct Serving Serving;

/* One configuration and its server. */
typedef struct Division {
    Serving *serving;
    Config *config;
    Server *server;
    Guests *guests; /* NULL without --fill-with */
    NlpKey key;
    ResultJournal *results; /* NULL = no logs are kept, or another server's is shared */
} Division;

struct Serving {
    Loop *loop;
    TlsServer *tls;
    Division divisions[SERVERS_MAX];
    size_t count;
    Beside *beside;
    Buf operator_token;
    unsigned signals; /* that came */
    Exit status;      /* what guests that are models come to */
    bool stay;
    bool quiet;
};

/* ---- words ---- */

/* A line for people who watch: the time, the port when there are several, the text. */
static void say(const Division *division, const char *text, size_t bytes)
{
    time_t now = time(NULL);
    struct tm date = {0};
    char stamp[32];
    char port[16] = "";
    CLEANUP(buf_done) Buf line = {0};

    gmtime_r(&now, &date);
    strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &date);
    if (division->serving->count > 1 && division->server)
        snprintf(port, sizeof(port), "[%u] ", server_port(division->server));
    buf_printf(&line, "%s %s", stamp, port);
    utf8_add_printable((Str){text, bytes}, SIZE_MAX, &line); /* peers have a part in it */
    buf_add_char(&line, '\n');
    fwrite(line.bytes, 1, line.len, stderr);
}

static void say_text(const Division *division, const Buf *text)
{
    say(division, buf_cstr(text), text->len);
}

static void on_note(void *user, Str line)
{
    const Division *division = user;

    if (!division->serving->quiet)
        say(division, line.bytes, line.len);
}

/* ---- configurations ---- */

/* What config_load hands to both of its callbacks. */
typedef struct Reading {
    DotEnv *env;
    const char *path;
} Reading;

static const char *reading_env(void *user, const char *name)
{
    const Reading *reading = user;

    return dotenv_get(reading->env, name);
}

static void reading_warning(void *user, unsigned line, const char *text)
{
    const Reading *reading = user;

    fprintf(stderr, "warg: config '%s': %s (line %u)\n", reading->path, text, line);
}

static int load(const Options *given, DotEnv *env, const char *path, Config **ret_config, Err *err)
{
    Reading reading = {env, path};
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

static void free_divisions(Serving *serving)
{
    for (size_t i = 0; i < serving->count; i++) {
        Division *division = &serving->divisions[i];
        division->guests = guests_free(division->guests);
        division->server = server_free(division->server);
        division->config = config_free(division->config);
        nlp_key_done(&division->key);
    }
    for (size_t i = 0; i < serving->count; i++) /* shared: none is in use any more */
        serving->divisions[i].results = result_journal_free(serving->divisions[i].results);
}

static bool is_there(const char *path)
{
    return path && path[0] && access(path, F_OK) == 0;
}

static int load_all(Serving *serving, const Options *given, DotEnv *env, Err *err)
{
    const char *path = options_item(given, NLP_CONFIG, 0);

    for (size_t i = 0; i == 0 || path; path = options_item(given, NLP_CONFIG, ++i)) {
        if (i == SERVERS_MAX)
            return err_set(err, ERR_LIMIT, "at most %d configurations", SERVERS_MAX);
        Division *division = &serving->divisions[serving->count];
        if (!path && !is_there("./default.yml"))
            return err_set(err, ERR_USAGE,
                           "no configuration is named, and ./default.yml is not there; "
                           "name one with -c FILE");
        int rc = load(given, env, path ? path : "./default.yml", &division->config, err);
        if (rc)
            return rc;
        division->serving = serving;
        serving->count++;
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

static int check_together(const Serving *serving, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < serving->count && rc == 0; i++) {
        rc = check_secret(serving->divisions[i].config, err);
        for (size_t j = 0; j < i && rc == 0; j++)
            rc = check_pair(serving->divisions[j].config, serving->divisions[i].config, err);
    }
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

static int check_all(const Serving *serving, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < serving->count && rc == 0; i++)
        rc = check_one(serving->divisions[i].config, err);
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

static int analyse(const Serving *serving, bool json, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < serving->count && rc == 0; i++) {
        CLEANUP(history_freep) History *history = NULL;
        CLEANUP(buf_done) Buf text = {0};
        const Config *config = serving->divisions[i].config;
        rc = load_schedule(config, &history, err);
        if (rc == 0)
            rc = history_analyse(history, config->game_logger.output_dir, json, &text, err);
        if (rc == 0)
            fwrite(text.bytes, 1, text.len, stdout);
    }
    return rc;
}

static int reduce(const Options *given, DotEnv *env, Err *err)
{
    const char *paths[2] = {options_text(given, NLP_SOURCE), options_text(given, NLP_DESTINATION)};
    CLEANUP(config_freep) Config *source = NULL;
    CLEANUP(config_freep) Config *destination = NULL;
    CLEANUP(history_freep) History *played = NULL;
    CLEANUP(history_freep) History *reduced = NULL;
    uint32_t removed = 0;
    int lock = -1;

    if (!paths[0] || !paths[1])
        return err_set(err, ERR_USAGE, "-r needs -s FILE and -d FILE");
    int rc = load(given, env, paths[0], &source, err);
    if (rc == 0)
        rc = load(given, env, paths[1], &destination, err);
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

/* ---- while it runs ---- */

static bool all_over(const Serving *serving)
{
    for (size_t i = 0; i < serving->count; i++)
        if (!server_over(serving->divisions[i].server))
            return false;
    return true;
}

static void stop_when_over(Serving *serving)
{
    bool stays = serving->stay && !serving->signals;

    if (all_over(serving) && !stays && (!serving->beside || beside_has_ended(serving->beside)))
        loop_stop(serving->loop);
}

/* Where the decisions of guests came from. */
static void say_guests(const Division *division)
{
    CLEANUP(buf_done) Buf counted = {0};
    CLEANUP(buf_done) Buf line = {0};
    ModelCounts counts = {0};

    if (!division->guests)
        return;
    guests_count(division->guests, &counts);
    model_counts_write(&counts, &counted);
    division->serving->status =
        exit_status_of_both(division->serving->status, model_counts_status(&counts));
    buf_add(&line, STR("guests: "));
    buf_add(&line, str_trim(buf_str(&counted)));
    say_text(division, &line);
}

/* With it everybody can deal the games again that were played here. */
static void publish_key(Division *division)
{
    NlpKey *key = &division->key;
    CLEANUP(buf_done) Buf line = {0};
    char hex[KEY_HEX_BYTES];
    Err err = {0};

    if (key->given)
        return;
    bool in_file = key->secret.len > 0;
    key_to_hex(&key->key, hex);
    if (nlp_key_publish(key, &err))
        buf_printf(&line, "the key stays where it is: %s", err.msg);
    else
        buf_printf(&line, "the key of all that was drawn here: %s",
                   in_file ? buf_cstr(&key->published) : hex);
    say_text(division, &line);
}

/* The last word on a server; the same sentence begins wherever a tournament is complete. */
static void on_over(void *user)
{
    Division *division = user;
    NlpCounts counts = server_counts(division->server);
    CLEANUP(buf_done) Buf line = {0};

    if (server_complete(division->server) && counts.planned)
        buf_printf(&line, "tournament complete: %" PRIu32 " of %" PRIu32 " matches played",
                   counts.ended, counts.planned);
    else if (server_complete(division->server))
        buf_printf(&line, "complete: %" PRIu64 " games decided",
                   counts.games_begun - counts.games_aborted);
    else if (division->serving->signals > 1)
        buf_printf(&line, "aborted; %" PRIu64 " games without a winner", counts.games_aborted);
    else if (counts.planned)
        buf_printf(&line, "drained: %" PRIu32 " of %" PRIu32 " matches played", counts.ended,
                   counts.planned);
    else
        buf_printf(&line, "drained: %" PRIu64 " games played", counts.games_begun);
    say_guests(division);
    publish_key(division);
    say_text(division, &line);
    stop_when_over(division->serving);
}

static void on_guests_wanted(void *user, Str team, SeatNo count)
{
    const Division *division = user;

    guests_call(division->guests, team, count);
}

static int open_guests(Division *division, const Options *given, Err *err)
{
    const KeyRoot root = key_root(&division->key.key);
    const Config *config = division->config;
    const GuestsSetup setup = {.spec = options_text(given, NLP_FILL_WITH),
                               .host = config->host,
                               .secret_key = config->authentication ? config->secret_key : STR(""),
                               .key = key_derive(&root, STR("guests")),
                               .note = on_note,
                               .user = division};

    return setup.spec ? guests_new(division->serving->loop, &setup, &division->guests, err) : 0;
}

static void on_signal(void *user, int signal_number)
{
    Serving *serving = user;

    (void)signal_number;
    serving->signals++;
    interrupt_raise(); /* for the command beside */
    for (size_t i = 0; i < serving->count; i++) {
        if (serving->signals == 1)
            server_drain(serving->divisions[i].server);
        else
            server_abort(serving->divisions[i].server);
    }
    stop_when_over(serving);
}

static void on_beside_ended(void *user)
{
    const Serving *serving = user;

    loop_wake(serving->loop);
}

/* The command beside has ended. Before any game has begun here that is a failed start of both; a
 * contest that goes on is not stopped for it. */
static void on_woken(void *user)
{
    Serving *serving = user;
    uint64_t begun = 0;

    if (!serving->beside || !beside_has_ended(serving->beside))
        return;
    for (size_t i = 0; i < serving->count; i++)
        begun += server_counts(serving->divisions[i].server).games_begun;
    if (begun == 0)
        loop_stop(serving->loop);
    else
        stop_when_over(serving);
}

static int watch_signals(Serving *serving, Err *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    int rc = 0;

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]) && rc == 0; i++) {
        struct sigaction before;
        sigaction(signals[i], NULL, &before);
        if (signals[i] != SIGHUP || before.sa_handler != SIG_IGN) /* nohup has asked for it */
            rc = loop_signal(serving->loop, signals[i], on_signal, serving, err);
    }
    return rc;
}

/* Lets the process open as many files as the system allows: how many connections each server may
 * have then. */
static uint32_t allowed_connections(const Serving *serving)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files))
        return 0;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    if (getrlimit(RLIMIT_NOFILE, &files))
        return 0;
    uint64_t each = files.rlim_cur > 2 * OTHER_FILES ? files.rlim_cur - OTHER_FILES : OTHER_FILES;
    each /= FILES_EACH * serving->count;
    return each > CONNECTIONS_MAX ? CONNECTIONS_MAX : each ? (uint32_t)each : 1;
}

/* ---- before it runs ---- */

static void say_listening(const Division *division)
{
    const Config *config = division->config;
    bool any = strcmp(config->host, "*") == 0 || strcmp(config->host, "0.0.0.0") == 0 ||
               strcmp(config->host, "::") == 0 || config->host[0] == '\0';
    bool six = !any && strchr(config->host, ':') != NULL;
    NlpCounts counts = server_counts(division->server);
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "listening on %s://%s%s%s:%u/ws", division->serving->tls ? "wss" : "ws",
               six ? "[" : "", any ? "127.0.0.1" : config->host, six ? "]" : "",
               server_port(division->server));
    if (any)
        buf_printf(&line, " and every other address of this machine");
    buf_printf(&line, " (%s, %d players, ", config->path, (int)config->agent_count);
    if (division->key.given)
        buf_add(&line, buf_str(&division->key.shown));
    else
        buf_printf(&line, "drawn key%s%s", division->key.secret.len ? " in " : "",
                   buf_cstr(&division->key.secret));
    if (config->matching.is_optimize)
        buf_printf(&line, ", %" PRIu32 " of %" PRIu32 " matches played", counts.ended,
                   counts.planned);
    buf_add_char(&line, ')');
    say_text(division, &line);
}

static void say_text_of(const Division *division, const char *text)
{
    say(division, text, strlen(text));
}

/* Who may see the roles of running games. */
static void say_readers(const Division *division, bool in_file)
{
    const Config *config = division->config;
    CLEANUP(buf_done) Buf line = {0};

    if (config->open)
        say_text_of(division, "WARNING: warg.open is true: everybody who reaches this port, "
                              "participants too, can read the roles of running games");
    else if (config->authentication && config->realtime_open && config->realtime.enable)
        say_text_of(division, "WARNING: warg.realtime_open is true: everybody who reaches this "
                              "port, participants too, can read the roles of running games below "
                              "/realtime/ (/realtime/masked/ has none)");
    if (config->open || config->authentication || in_file)
        return;
    buf_printf(&line,
               "operator's token: %s (with it, as 'Authorization: Bearer TOKEN', roles and "
               "teams of running games can be read)",
               buf_cstr(&division->serving->operator_token));
    say_text(division, &line);
}

/* Given by the command, by the configuration, or drawn. */
static int choose_key(Division *division, const Options *given, Err *err)
{
    const Config *config = division->config;
    const Serving *serving = division->serving;
    const char *seed = options_text(given, NLP_SEED);
    NlpKey *key = &division->key;

    if (seed) {
        int rc = nlp_key_read(seed, key, err);
        nlp_key_number(key, (size_t)(division - serving->divisions));
        return rc;
    }
    return config->seed_set ? nlp_key_of_seed(config->seed, key, err) : nlp_key_draw(key, err);
}

/* Beside the logs: who keeps those keeps it too. A server that can't write goes on. */
static void keep_key(Division *division)
{
    const Config *config = division->config;
    const ConfigLogger *logger = config->json_logger.enable   ? &config->json_logger
                                 : config->game_logger.enable ? &config->game_logger
                                                              : NULL;
    CLEANUP(buf_done) Buf line = {0};
    Err err = {0};

    if (nlp_key_keep(&division->key, logger ? logger->output_dir : NULL, &err) == 0)
        return;
    buf_printf(&line, "the key is not kept, and is lost when the server is killed: %s", err.msg);
    say_text(division, &line);
}

/* Logs of running games hold roles, and agents may run on this machine. */
static void close_folders(const Serving *serving)
{
    for (size_t i = 0; i < serving->count; i++) {
        const Config *config = serving->divisions[i].config;
        if (config->game_logger.enable)
            result_folder_close(config->game_logger.output_dir);
        if (config->json_logger.enable)
            result_folder_close(config->json_logger.output_dir);
        if (config->realtime.enable)
            result_folder_close(config->realtime.output_dir);
    }
}

/* Where results are kept: beside the logs that tell them. */
static const char *results_folder(const Config *config)
{
    return config->game_logger.enable   ? config->game_logger.output_dir
           : config->json_logger.enable ? config->json_logger.output_dir
                                        : NULL;
}

/* Servers that log into one folder share its journal. */
static int open_results(Serving *serving, Division *division, ResultJournal **ret_results, Err *err)
{
    const char *dir = results_folder(division->config);

    if (!dir)
        return 0;
    for (const Division *other = serving->divisions; other < division; other++)
        if (other->results && same_text(results_folder(other->config), dir)) {
            *ret_results = other->results;
            return 0;
        }
    int rc = result_journal_open(dir, &division->config->rules, &division->results, err);
    *ret_results = division->results;
    return rc;
}

static int open_servers(Serving *serving, const Options *given, Err *err)
{
    uint32_t connections = allowed_connections(serving);
    int rc = 0;

    for (size_t i = 0; i < serving->count && rc == 0; i++) {
        Division *division = &serving->divisions[i];
        const Config *config = division->config;
        ResultJournal *results = NULL;
        rc = choose_key(division, given, err);
        if (rc == 0)
            rc = open_results(serving, division, &results, err);
        if (rc)
            return rc;
        ServerSetup setup = {
            .config = config,
            .tls = serving->tls,
            .operator_token = buf_str(&serving->operator_token),
            .fill = options_has(given, NLP_FILL) || options_has(given, NLP_FILL_AFTER) ||
                    options_has(given, NLP_FILL_WITH),
            .fill_after = (TimeUs)options_number(given, NLP_FILL_AFTER) * 1000,
            .key = division->key.key,
            .games = options_has(given, NLP_GAMES) ? options_number(given, NLP_GAMES) : 0,
            .results = results,
            .connections = connections,
            .guests = options_has(given, NLP_FILL_WITH) ? on_guests_wanted : NULL,
            .note = on_note,
            .over = on_over,
            .user = division,
        };
        rc = open_guests(division, given, err);
        if (rc)
            return rc;
        rc = server_open(serving->loop, &setup, &division->server, err);
        if (rc)
            err_wrap(err, "config '%s': ", config->path);
        else {
            keep_key(division);
            say_listening(division);
            say_readers(division, options_has(given, NLP_OPERATOR_FILE));
            if (division->guests)
                guests_set_port(division->guests, server_port(division->server));
        }
    }
    return rc;
}

static int start_beside(Serving *serving, const Options *given, char **line, Err *err)
{
    if (given->argument_count == 0)
        return 0;
    for (int i = 0; i < given->argument_count; i++)
        line[i + 1] = given->arguments[i];
    int rc = loop_on_wake(serving->loop, on_woken, serving, err);
    if (rc)
        return rc;
    return beside_start(cmd_serve, given->argument_count + 1, line, on_beside_ended, serving,
                        &serving->beside, err);
}

static int run(Serving *serving, Err *err)
{
    Err other = {0};

    loop_run(serving->loop);
    interrupt_raise();
    int beside = beside_join(serving->beside, &other);
    serving->beside = NULL;
    if (beside < 0 && other.code != ERR_INTERRUPTED)
        return err_set(err, other.code, "%s", other.msg);
    for (size_t i = 0; i < serving->count; i++)
        if (serving->signals > 1 && server_counts(serving->divisions[i].server).games_aborted)
            return err_set(err, ERR_INTERRUPTED, "aborted by a second signal; logs are complete");
    return (int)serving->status;
}

static int serve(Serving *serving, const Options *given, Err *err)
{
    char **line CLEANUP(mem_freep) = mem_new(((size_t)given->argument_count + 2) * sizeof(char *));
    const char *cert = options_text(given, NLP_TLS_CERT);
    const char *key = options_text(given, NLP_TLS_KEY);
    char name[] = "serve";

    if (!line)
        return err_set(err, ERR_MEMORY, "serve: out of memory");
    line[0] = name;
    result_folder_begin(options_has(given, NLP_OPEN_RESULTS));
    if (!options_has(given, NLP_OPEN_RESULTS))
        close_folders(serving);
    int rc = cert ? tls_server_new(cert, key, &serving->tls, err) : 0;
    if (rc == 0)
        rc = loop_new(&serving->loop, err);
    if (rc == 0)
        rc = operator_token(options_text(given, NLP_OPERATOR_FILE), &serving->operator_token, err);
    if (rc == 0)
        rc = watch_signals(serving, err);
    if (rc == 0)
        rc = open_servers(serving, given, err);
    if (rc == 0)
        rc = start_beside(serving, given, line, err);
    return rc ? rc : run(serving, err);
}

/* ---- command ---- */

static int check_line(const Options *given, Err *err)
{
    bool beside = given->argument_count > 0;

    if (beside && strcmp(given->arguments[0], "aiwolf") != 0)
        return err_set(err, ERR_USAGE,
                       "unexpected '%s': a configuration goes behind -c; behind '--' goes the "
                       "line of another server, 'aiwolf ...'",
                       given->arguments[0]);
    if (options_has(given, NLP_TLS_CERT) != options_has(given, NLP_TLS_KEY))
        return err_set(err, ERR_USAGE, "--tls-cert and --tls-key go together");
    if (options_number(given, NLP_PORT) && options_item(given, NLP_CONFIG, 1))
        return err_set(err, ERR_USAGE, "--port with several configurations: which one's?");
    if (options_has(given, NLP_FILL_WITH) && options_has(given, NLP_TLS_CERT))
        return err_set(err, ERR_USAGE,
                       "--fill-with does not go with --tls-cert: start 'warg bot nlp --llm'");
    if (options_has(given, NLP_JSON) && !options_has(given, NLP_ANALYSE))
        return err_set(err, ERR_USAGE, "--json goes with -a");
    return 0;
}

static void serving_done(Serving **serving)
{
    if (!*serving)
        return;
    free_divisions(*serving);
    buf_done(&(*serving)->operator_token);
    loop_free((*serving)->loop);
    tls_server_free((*serving)->tls);
    *serving = mem_free(*serving);
}

static void env_done(DotEnv **env)
{
    *env = dotenv_free(*env);
}

int serve_nlp(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(&cmd_serve_usage[1], argc, argv, &given, err);
    CLEANUP(env_done) DotEnv *env = NULL;
    CLEANUP(serving_done) Serving *serving = mem_new(sizeof(*serving));

    if (go <= 0)
        return go;
    if (!serving)
        return err_set(err, ERR_MEMORY, "serve: out of memory");
    if (options_has(&given, NLP_VERSION)) {
        printf("warg %s\n", WARG_VERSION);
        return 0;
    }
    serving->stay = options_has(&given, NLP_STAY);
    serving->quiet = options_has(&given, NLP_QUIET);
    int rc = check_line(&given, err);
    if (rc == 0)
        rc = dotenv_load(options_text(&given, NLP_ENV), &env, err);
    if (rc)
        return rc;
    if (options_has(&given, NLP_REDUCE))
        return reduce(&given, env, err);
    rc = load_all(serving, &given, env, err);
    if (rc == 0 && options_has(&given, NLP_ANALYSE))
        return analyse(serving, options_has(&given, NLP_JSON), err);
    if (rc == 0)
        rc = check_together(serving, err);
    if (rc)
        return rc;
    return options_has(&given, NLP_CHECK) ? check_all(serving, err) : serve(serving, &given, err);
}
