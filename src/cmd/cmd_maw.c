/* cmd_maw.c - `warg maw`: a session of MAW in this process, among bots, language models, you, and
 * with --xmpp whoever comes over an XMPP server. */
#include "base/id_source.h"
#include "cmd/cmd.h"
#include "disk/folder.h"
#include "disk/key_file.h"
#include "disk/result_folder.h"
#include "disk/secret.h"
#include "llm/llm_arg.h"
#include "match/agent_cell.h"
#include "maw/maw_agents.h"
#include "maw/maw_config.h"
#include "maw/maw_table.h"
#include "maw/maw_xmpp.h"
#include "net/interrupt.h"
#include "person/maw_terminal.h"
#include "show/maw_console.h"
#include "show/maw_course.h"
#include "show/maw_leaderboard.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PLAYERS_USUAL  6 /* with fewer the game says little: docs/spec/maw.md G1 */
#define COMPONENT_PORT 5347
#define MODEL_KINDS    16
#define SESSION_ID_MAX 64

enum {
    PLAYERS,
    ROUNDS,
    RULES,
    BOTS,
    BOT,
    LLM,
    LLM_URL,
    LLM_MODEL,
    LLM_API,
    COST,
    AGENT,
    TIME_LIMIT,
    STARTUP,
    ME,
    PLAIN,
    LANGUAGE,
    XMPP,
    COMPONENT,
    SECRET_ENV,
    SECRET_FILE,
    HOST,
    PORT,
    LOBBY,
    DAY_S,
    NIGHT_S,
    SEED,
    ID,
    OUT,
    OPEN_RESULTS,
    EARLIER,
    REAL_TIME,
    OPERATOR,
    JSON,
    QUIET,
};
static const Option options[] = {
    [PLAYERS] = {"players", 'n', OPTION_UINT, "N", "seats; without it as usual with these rules",
                 NULL, PLAYERS_MIN, SEAT_MAX},
    [ROUNDS] = {"rounds", 'g', OPTION_UINT, "N",
                "rounds of the session; points add up; default: as the rules say, 1", NULL, 1,
                10000},
    [RULES] = {"rules", 'r', OPTION_TEXT, "FILE",
               "the table's rules, as config/maw/maw.yml; without it the document's", NULL, 0, 0},
    [BOTS] = {"bots", 0, OPTION_UINT, "N",
              "seats for built-in bots; default: all that are left, with --xmpp none", NULL, 0,
              SEAT_MAX},
    [BOT] = {"bot", 0, OPTION_CHOICE, "random|talker", "what the bots are", "talker", 0, 0},
    [LLM] = {"llm", 0, OPTION_LIST, "N|SPEC[*N]",
             "seats for language models: how many on --llm-url, or of which kind: demo, or "
             "URL,model=NAME,persona=TEXT; without *N those that are left, shared evenly",
             NULL, 0, 0},
    [LLM_URL] = {"llm-url", 0, OPTION_TEXT, "URL|demo",
                 "the models' server; demo needs none, and says phrases out of a table", "demo", 0,
                 0},
    [LLM_MODEL] = {"llm-model", 0, OPTION_TEXT, "NAME", "what the server is asked for",
                   "llama3.1:8b", 0, 0},
    [LLM_API] = {"llm-api", 0, OPTION_CHOICE, "openai|ollama", "the server's interface", "openai",
                 0, 0},
    [COST] = {"llm-cost", 0, OPTION_UINT, "CENTS",
              "what a million tokens costs: the end says what the session did", NULL, 1, 10000000},
    [AGENT] = {"agent", 'a', OPTION_LIST, "SPEC",
               "an AIWolf agent of the protocol division, a seat each: name=NAME,copies=N,"
               "folder=DIR,env=VARIABLE,cmd=COMMAND, a program to start, with {host}, {port} and "
               "{name} filled "
               "in; or FILE.yml with a list",
               NULL, 0, 0},
    [TIME_LIMIT] = {"time-limit", 0, OPTION_DURATION, "TIME",
                    "for an AIWolf agent's answer; default: 10s, less where phases are short", NULL,
                    1, 3600000},
    [STARTUP] = {"startup-limit", 0, OPTION_DURATION, "TIME",
                 "for an AIWolf agent to connect, and for its first answer", "5s", 1, 3600000},
    [ME] = {"me", 'm', OPTION_TEXT, "NAME", "a seat for you, at this terminal", NULL, 0, 0},
    [PLAIN] = {"plain", 0, OPTION_FLAG, NULL, "with --me: lines only, for pipes and screen readers",
               NULL, 0, 0},
    [LANGUAGE] = {"language", 0, OPTION_CHOICE, "en|ja",
                  "of the rooms' system lines, of bots and models, and of what you are told; "
                  "default: as the rules say, en",
                  NULL, 0, 0},
    [XMPP] = {"xmpp", 'x', OPTION_TEXT, "DOMAIN",
              "let players come over the XMPP server of this domain; free seats wait for them",
              NULL, 0, 0},
    [COMPONENT] = {"component", 0, OPTION_TEXT, "DOMAIN",
                   "with --xmpp: our own domain there; default: maw. in front of its", NULL, 0, 0},
    [SECRET_ENV] = {"secret-env", 0, OPTION_TEXT, "VARIABLE",
                    "the environment variable that holds the component's secret",
                    "WARG_XMPP_SECRET", 0, 0},
    [SECRET_FILE] = {"secret-file", 0, OPTION_TEXT, "FILE",
                     "a file whose first line is the component's secret", NULL, 0, 0},
    [HOST] = {"host", 0, OPTION_TEXT, "HOST",
              "where the server takes components; the link is not encrypted", "127.0.0.1", 0, 0},
    [PORT] = {"port", 'p', OPTION_UINT, "PORT", "its port for components", "5347", 1, 65535},
    [LOBBY] = {"lobby", 0, OPTION_DURATION, "TIME",
               "how long to wait for players; then bots take what is free; default: as the rules "
               "say, for ever",
               NULL, 1000, 86400000},
    [DAY_S] = {"day-s", 0, OPTION_UINT, "SECONDS", "length of a day, in place of the rules'", NULL,
               1, 86400},
    [NIGHT_S] = {"night-s", 0, OPTION_UINT, "SECONDS", "length of a night, in place of the rules'",
                 NULL, 1, 86400},
    [SEED] =
        {"seed", 's', OPTION_TEXT, "S|KEY",
         "decides all chance: among bots the same seed and --id give the same bytes; a number "
         "is for trials, for it can be guessed; without it a key is drawn, and told at the end",
         NULL, 0, 0},
    [ID] = {"id", 0, OPTION_TEXT, "ID",
            "the session's name in messages and files: letters, digits and ._-; it says nothing of "
            "the seed; without it a random one",
            NULL, 0, 0},
    [OUT] = {"out", 'o', OPTION_TEXT, "DIR",
             "keep everything there: record, what was said in each room, leaderboard", NULL, 0, 0},
    [OPEN_RESULTS] = {"open-results", 0, OPTION_FLAG, NULL, "let others on this machine read --out",
                      NULL, 0, 0},
    [EARLIER] = {"context-load", 0, OPTION_TEXT, "DIR",
                 "what the models remember of an earlier session: its --out folder", NULL, 0, 0},
    [REAL_TIME] = {"real-time", 0, OPTION_FLAG, NULL,
                   "by the clock, also without a model; else time jumps from event to event", NULL,
                   0, 0},
    [OPERATOR] =
        {"operator", 0, OPTION_FLAG, NULL,
         "lines that you type are commands: /pause, /resume, /extend 60, /end, /kick NAME, "
         "/who, /quit, /help; by the clock",
         NULL, 0, 0},
    [JSON] = {"json", 'j', OPTION_FLAG, NULL, "print the leaderboard as JSON, and no course", NULL,
              0, 0},
    [QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "print the leaderboard only", NULL, 0, 0},
};

const Usage cmd_maw_usage[] = {
    {"maw", "",
     "Plays a session of MAW, werewolf in open rooms against the clock: everybody talks and votes\n"
     "at any time, rounds follow each other, points add up. Seats are built-in bots, language\n"
     "models (--llm), AIWolf agents (--agent), you (--me), and with --xmpp whoever joins over an\n"
     "XMPP server: SPADE agents, 'warg join', people. Among bots time is simulated, and a session\n"
     "is over at once.\n"
     "Ctrl-C ends it: what was played so far counts, and the exit status is 130.",
     OPTIONS(options),
     "warg maw --players 6 --rounds 3\n"
     "warg maw --me Ann --llm demo --rules config/maw/maw-human.yml\n"
     "warg maw --llm 5 --llm-url http://localhost:11434/v1 --llm-model llama3.1:8b --me Ann\n"
     "warg maw --llm 'http://localhost:11434/v1,model=llama3.1,persona=a grumpy baker' --bots 5\n"
     "warg maw --players 8 --seed 7 --out monday\n"
     "WARG_XMPP_SECRET=secret warg maw --xmpp localhost --rounds 3 --lobby 2m\n"
     "warg maw --agent 'name=alice,copies=3,cmd=python3 start.py -h {host} -p {port}' --me Ann\n"
     "warg maw --rounds 100 --bot random --json\n",
     NULL, NULL},
    {0},
};

/* Seats for models of one kind. */
typedef struct ModelSeats {
    LlmSpec spec;
    uint32_t count; /* 0 = all that are left */
} ModelSeats;

/* All that a session needs. */
typedef struct MawRun {
    const Options *given;
    MawConfig config;
    MawChance chance;
    unsigned umask; /* as it was, for programs that are started */
    bool quiet;
    bool over; /* the session is; who plays on a whole screen reads its end and leaves */
    Loop *loop;
    Plan plan; /* its agents are those of --agent */
    MawAgents *agents;
    Cell *cell; /* which they run in; NULL = none */
    LlmModels *models;
    ModelSeats kinds[MODEL_KINDS];
    size_t kind_count;
    MawTable *table;
    MawTerminal *person;
    MawXmpp *xmpp;
    MawConsole *console;
    Timer *person_timer;
    Buf secret;
    Buf component;
    Buf text;
    Err problem;
} MawRun;

/* ---- what is asked for ---- */

static int read_rules(MawRun *run, Err *err)
{
    const Options *given = run->given;
    MawOptions *options_of = &run->config.options;
    int rc = 0;

    maw_config_default(&run->config);
    if (options_has(given, RULES) && strcmp(options_text(given, RULES), "maw") != 0)
        rc = maw_config_load(options_text(given, RULES), &run->config, err);
    if (rc)
        return rc;
    if (options_has(given, PLAYERS))
        options_of->players = (uint32_t)options_number(given, PLAYERS);
    if (options_has(given, ROUNDS))
        options_of->rounds = (uint32_t)options_number(given, ROUNDS);
    if (options_has(given, LANGUAGE))
        run->config.options.language =
            options_number(given, LANGUAGE) == 1 ? LLM_JAPANESE : LLM_ENGLISH;
    if (options_has(given, DAY_S))
        run->config.rules.talk.duration_ms = (int32_t)options_number(given, DAY_S) * 1000;
    if (options_has(given, NIGHT_S))
        run->config.rules.whisper.duration_ms = (int32_t)options_number(given, NIGHT_S) * 1000;
    if (options_has(given, LOBBY)) {
        options_of->lobby_ms = (TimeMs)options_number(given, LOBBY);
        options_of->fill = FILL_BOTS;
    }
    return maw_config_check(&run->config, err);
}

static uint32_t player_count(const MawRun *run)
{
    return run->config.options.players;
}

/* One --llm: a number, or a spec with how many behind a '*'. */
static int read_models(MawRun *run, Str text, Err *err)
{
    ModelSeats *seats = &run->kinds[run->kind_count];
    uint64_t count = 0;

    if (run->kind_count == MODEL_KINDS)
        return err_set(err, ERR_USAGE, "--llm is given more than %d times", MODEL_KINDS);
    run->kind_count++;
    if (str_to_uint(text, SEAT_MAX, &count)) {
        CLEANUP(buf_done) Buf spec = {0};
        const char *url = options_text(run->given, LLM_URL);
        buf_add(&spec, str_of(url));
        if (strcmp(url, "demo") != 0)
            buf_printf(&spec, ",model=%s,api=%s", options_text(run->given, LLM_MODEL),
                       options_number(run->given, LLM_API) == 1 ? "ollama" : "openai");
        seats->count = (uint32_t)count;
        if (count == 0)
            run->kind_count--;
        return llm_spec_read(buf_str(&spec), &seats->spec, err);
    }
    for (size_t at = text.len; at > 0; at--)
        if (text.bytes[at - 1] == '*' &&
            str_to_uint(str_part(text, at, text.len), SEAT_MAX, &count) && count > 0) {
            seats->count = (uint32_t)count;
            text = str_part(text, 0, at - 1);
            break;
        }
    return llm_spec_read(text, &seats->spec, err);
}

/* What would do nothing is a mistake, as a --xmpp that was forgotten. */
static int check_companions(const Options *given, Err *err)
{
    static const struct {
        size_t which, with;
    } rows[] = {{LOBBY, XMPP}, {COMPONENT, XMPP}, {SECRET_ENV, XMPP}, {SECRET_FILE, XMPP},
                {HOST, XMPP},  {PORT, XMPP},      {PLAIN, ME}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (options_has(given, rows[i].which) && !options_has(given, rows[i].with))
            return err_set(err, ERR_USAGE, "--%s without --%s does nothing",
                           options[rows[i].which].name, options[rows[i].with].name);
    return 0;
}

static int read_agents(MawRun *run, Err *err)
{
    const char *text;
    int rc = options_has(run->given, AGENT) ? plan_init(&run->plan, err) : 0;

    for (size_t i = 0; rc == 0 && (text = options_item(run->given, AGENT, i)); i++)
        rc = maw_agents_read(str_of(text), &run->plan, err);
    return rc;
}

/* Seats that are spoken for: who takes what is left is decided in take_seats. */
static int check_seats(const MawRun *run, Err *err)
{
    uint64_t bots = options_number(run->given, BOTS), machines = run->plan.agent_count;
    uint32_t players = player_count(run), me = options_has(run->given, ME);
    uint32_t rest = 0; /* kinds of models that share all that is left */

    if (me && options_has(run->given, OPERATOR))
        return err_set(err, ERR_USAGE,
                       "--operator and --me exclude each other: an operator sees every role and "
                       "ends phases, which no player may");
    for (size_t i = 0; i < run->kind_count; i++) {
        machines += run->kinds[i].count;
        rest += run->kinds[i].count == 0;
    }
    uint64_t taken = bots + machines + me;
    const char *problem =
        me ? maw_session_name_problem(str_of(options_text(run->given, ME))) : NULL;
    if (problem) /* else the player would take another name, unasked */
        return err_set(err, ERR_USAGE, "--me '%s' can't be a name: %s",
                       options_text(run->given, ME), problem);
    if (taken > players)
        return err_set(err, ERR_USAGE, "%" PRIu64 " players for %" PRIu32 " seats", taken, players);
    if (rest > players - taken)
        return err_set(err, ERR_USAGE,
                       "%" PRIu32 " kinds of models share %" PRIu64
                       " seats: each needs one; say how many with --llm 'SPEC*N', or take more "
                       "--players",
                       rest, players - taken);
    if (options_has(run->given, BOTS) && taken < players && !rest && !options_has(run->given, XMPP))
        return err_set(err, ERR_USAGE,
                       "%" PRIu64 " players do not fill %" PRIu32
                       " seats: leave --bots out to have bots on all that are left",
                       taken, players);
    return 0;
}

/* A folder that is not there would be an earlier session that nobody remembers. */
static int check_earlier(const MawRun *run, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    const char *folder = options_text(run->given, EARLIER);

    if (!options_has(run->given, EARLIER))
        return 0;
    if (!run->kind_count)
        return err_set(err, ERR_USAGE, "--context-load is for models: give --llm too");
    buf_printf(&path, "%s/contexts", folder);
    if (buf_failed(&path) || access(buf_cstr(&path), R_OK | X_OK))
        return err_set(err, ERR_IO,
                       "--context-load '%s': expected the --out folder of a session that had "
                       "models, with contexts/ in it: %s",
                       folder, strerror(errno));
    return 0;
}

static int read_secret(MawRun *run, Err *err)
{
    if (!options_has(run->given, XMPP))
        return 0;
    if (options_has(run->given, COMPONENT))
        buf_add(&run->component, str_of(options_text(run->given, COMPONENT)));
    else
        buf_printf(&run->component, "maw.%s", options_text(run->given, XMPP));
    return secret_find(options_text(run->given, SECRET_FILE), options_text(run->given, SECRET_ENV),
                       "the component's secret", "--secret-env or --secret-file", &run->secret,
                       err);
}

static MawPace table_pace(const MawRun *run)
{
    return maw_pace(&run->config.rules,
                    options_has(run->given, ME) || options_has(run->given, XMPP));
}

/* ---- what is told ---- */

static void on_event(void *user, Str event)
{
    MawRun *run = user;

    if (run->quiet || run->person) /* a player sees what its seat sees */
        return;
    buf_clear(&run->text);
    maw_course(event, options_has(run->given, XMPP), run->config.options.language == LLM_JAPANESE,
               &run->text);
    if (run->text.len && !buf_failed(&run->text)) {
        fwrite(run->text.bytes, 1, run->text.len, stdout);
        if (run->loop)
            fflush(stdout); /* as it happens */
    }
}

static void on_note(void *user, Str line)
{
    MawRun *run = user;

    if (run->person)
        maw_terminal_note(run->person, line);
    else
        fprintf(stderr, "warg maw: %.*s\n", STR_ARG(line));
}

static void print_leaderboard(MawRun *run)
{
    buf_clear(&run->text);
    if (options_has(run->given, JSON)) {
        maw_table_leaderboard(run->table, &run->text);
        buf_add_char(&run->text, '\n');
    } else {
        if (!run->quiet)
            buf_add_char(&run->text, '\n');
        maw_leaderboard_write(run->table, run->config.options.language,
                              options_number(run->given, COST), &run->text);
        if (run->agents)
            maw_agents_print(run->agents, run->config.options.language == LLM_JAPANESE, &run->text);
    }
    if (!buf_failed(&run->text))
        fwrite(run->text.bytes, 1, run->text.len, stdout);
    if (!options_has(run->given, SEED) && !options_has(run->given, JSON))
        fprintf(stderr, "seed: %s; the same roles again: the same options and --seed %s\n",
                run->chance.seed, run->chance.seed);
}

/* ---- who plays ---- */

/* What the programs run in; it hides the folder of the results, which has to be there for that. */
static int make_cell(MawRun *run, Err *err)
{
    const char *out = options_text(run->given, OUT);
    const AgentCellSetup setup = {.own_verb = CMD_START_AGENT, .umask = run->umask};
    CLEANUP(buf_done) Buf notes = {0};
    int rc = out ? folder_make(str_of(out), err) : 0;

    if (rc == 0)
        rc = agent_cell_new(&setup, out, &run->plan, &run->cell, &notes, err);
    for (Str rest = buf_str(&notes); rest.len && rc == 0;)
        on_note(run, str_cut(&rest, '\n'));
    return rc;
}

/* Programs are started, and all have come before the table is opened: nobody waits in the lobby for
 * an interpreter. An answer takes at most half of the time between the last call for a vote and the
 * phase's end: a rule can still vote for who has given none. */
static int start_agents(MawRun *run, Err *err)
{
    MawAgentsSetup setup = {.loop = run->loop,
                            .now = loop_now(),
                            .limit = table_pace(run).last_call_us / 2,
                            .startup = (TimeUs)options_number(run->given, STARTUP) * 1000,
                            .out = options_text(run->given, OUT),
                            .note = on_note,
                            .user = run};

    if (run->plan.agent_count == 0)
        return 0;
    if (options_has(run->given, TIME_LIMIT))
        setup.limit = (TimeUs)options_number(run->given, TIME_LIMIT) * 1000;
    int rc = make_cell(run, err);
    setup.cell = run->cell;
    if (rc == 0)
        rc = maw_agents_start(&setup, &run->plan, &run->agents, err);
    return rc ? rc : maw_agents_wait(run->agents, err);
}

static void on_person_timer(void *user)
{
    MawRun *run = user;

    maw_terminal_tick(run->person, loop_now());
    maw_table_stir(run->table);
    timer_at(run->person_timer, maw_terminal_deadline(run->person), false);
}

static void on_person_news(void *user, const MawNews *news, TimeUs now)
{
    MawRun *run = user;

    maw_terminal_news(run->person, news, now);
    timer_at(run->person_timer, maw_terminal_deadline(run->person), false);
}

static void on_person_acted(void *user)
{
    MawRun *run = user;

    maw_table_stir(run->table);
    timer_at(run->person_timer, maw_terminal_deadline(run->person), false);
}

/* The others are machines or far away: without the person nobody watches. */
static void on_person_left(void *user)
{
    MawRun *run = user;

    if (run->over)
        loop_stop(run->loop);
    maw_table_stop(run->table, "the player at the terminal has left", loop_now());
}

static int seat_person(MawRun *run, Err *err)
{
    MawPlayer *player = NULL;
    MawTerminalSetup setup = {
        .plain = options_has(run->given, PLAIN),
        .language = run->config.options.language == LLM_JAPANESE ? PERSON_JAPANESE : PERSON_ENGLISH,
        .acted = on_person_acted,
        .left = on_person_left,
        .user = run};

    if (!options_has(run->given, ME))
        return 0;
    int rc = timer_new(run->loop, on_person_timer, run, &run->person_timer, err);
    if (rc == 0)
        rc = maw_terminal_new(run->loop, &setup, &run->person, err);
    if (rc == 0)
        rc = maw_table_add_player(run->table, str_of(options_text(run->given, ME)), on_person_news,
                                  run, &player, err);
    if (rc == 0)
        maw_terminal_take(run->person, player);
    return rc;
}

static int seat_models(MawRun *run, uint32_t *left, Err *err)
{
    LlmLanguage language = run->config.options.language;
    int rc = run->kind_count ? llm_models_new(run->loop, &run->models, err) : 0;

    uint32_t sharing = 0, rest = *left;
    for (size_t i = 0; i < run->kind_count; i++) {
        sharing += run->kinds[i].count == 0;
        rest -= run->kinds[i].count; /* they fit: check_seats */
    }
    for (size_t i = 0; i < run->kind_count && rc == 0; i++) {
        const ModelSeats *kind = &run->kinds[i];
        LlmEndpoint *endpoint = NULL;
        rc = llm_models_endpoint(run->models, &kind->spec, &endpoint, err);
        uint32_t count = kind->count;
        if (count == 0 &&
            sharing > 0) { /* an even share of what is left, the first ones the more */
            count = (rest + sharing - 1) / sharing;
            rest -= count;
            sharing--;
        }
        for (; count > 0 && *left > 0 && rc == 0; count--, (*left)--)
            rc = maw_table_add_model(run->table, endpoint, language, str_of(kind->spec.persona),
                                     err);
    }
    return rc;
}

static int take_seats(MawRun *run, Err *err)
{
    MawBot bot = options_number(run->given, BOT) == 0 ? MAW_BOT_RANDOM : MAW_BOT_TALKER;
    uint32_t left = player_count(run), bots = (uint32_t)options_number(run->given, BOTS);
    int rc = seat_person(run, err);

    left -= options_has(run->given, ME);
    if (left < bots)
        return err_set(err, ERR_USAGE, "%" PRIu32 " bots do not fit", bots);
    left -= bots;
    if (rc == 0 && run->agents) {
        const MawPace pace = table_pace(run);
        rc = maw_agents_seat(run->agents, run->table, &run->config.rules, &pace, &run->chance, err);
        left -= run->plan.agent_count; /* they fit: check_seats */
    }
    if (rc == 0)
        rc = seat_models(run, &left, err);
    if (!options_has(run->given, BOTS) && !options_has(run->given, XMPP))
        bots = left;
    for (uint32_t i = 0; i < bots && rc == 0; i++)
        rc = maw_table_add_bot(run->table, bot, err);
    return rc;
}

/* Beside the course on stdout, which may be read by a program. */
static void on_answer(void *user, Str line)
{
    (void)user;
    fprintf(stderr, "%.*s\n", STR_ARG(line));
}

static void on_quit(void *user)
{
    const MawRun *run = user;

    maw_table_stop(run->table, "the operator has ended the session", loop_now());
}

static int open_console(MawRun *run, Err *err)
{
    MawConsoleSetup setup = {.table = run->table,
                             .language = run->config.options.language,
                             .say = on_answer,
                             .quit = on_quit,
                             .user = run};

    if (!options_has(run->given, OPERATOR))
        return 0;
    return maw_console_new(run->loop, STDIN_FILENO, &setup, &run->console, err);
}

static void on_refused(void *user, const char *why)
{
    MawRun *run = user;

    err_set(&run->problem, ERR_IO, "the XMPP server refuses %s: %s", buf_cstr(&run->component),
            why);
    maw_table_stop(run->table, "the XMPP server refuses this component", loop_now());
}

static int open_xmpp(MawRun *run, Err *err)
{
    MawXmppSetup setup = {.host = options_text(run->given, HOST),
                          .port = (uint16_t)options_number(run->given, PORT),
                          .component = buf_str(&run->component),
                          .secret = buf_str(&run->secret),
                          .seed = maw_chance_seed(&run->chance, STR("waits"), 0),
                          .table = run->table,
                          .note = on_note,
                          .refused = on_refused,
                          .user = run};

    if (!options_has(run->given, XMPP))
        return 0;
    int rc = maw_xmpp_new(run->loop, &setup, &run->xmpp, err);
    if (rc == 0) /* until it is up for the first time */
        maw_session_link(maw_table_session(run->table), false, loop_now());
    return rc;
}

/* ---- the session ---- */

static int64_t unix_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A key of 256 bits when nobody chose one. */
static int choose_seed(MawRun *run, Err *err)
{
    const char *given = options_text(run->given, SEED);
    Key key;

    if (given)
        return maw_chance_read(str_of(given), MAW_SEED_OF_KEY, &run->chance)
                   ? 0
                   : err_set(err, ERR_USAGE,
                             "--seed: expected a number from 0 to 18446744073709551615, or a key "
                             "of 64 hexadecimal digits, found '%s'",
                             given);
    int rc = key_draw(&key, err);
    if (rc == 0)
        run->chance = maw_chance_of_key(&key);
    return rc;
}

/* Everybody reads it, before roles are dealt: it has nothing to do with the seed. */
static int choose_id(const MawRun *run, Buf *ret_id, Err *err)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    const char *given = options_text(run->given, ID);
    IdSource ids = {0};
    char drawn[ID_HEX_BYTES];

    if (given && (!given[0] || strlen(given) > SESSION_ID_MAX || given[strspn(given, allowed)]))
        return err_set(err, ERR_USAGE, "--id: expected 1 to %d letters, digits and ._-, found '%s'",
                       SESSION_ID_MAX, given);
    int rc = given ? 0 : id_source_hex(&ids, drawn, err);
    if (rc)
        return rc;
    buf_add(ret_id, str_of(given ? given : drawn));
    return buf_failed(ret_id) ? err_set(err, ERR_MEMORY, "session: out of memory") : 0;
}

static int open_table(MawRun *run, Err *err)
{
    CLEANUP(buf_done) Buf id = {0};
    int rc = choose_id(run, &id, err);

    if (rc)
        return rc;
    MawTableSetup setup = {
        .rules = &run->config.rules,
        .options = run->config.options,
        .id = buf_str(&id),
        .domain = run->component.len ? buf_str(&run->component) : STR("maw.localhost"),
        .chance = run->chance,
        .out = options_text(run->given, OUT),
        .earlier = options_text(run->given, EARLIER),
        .pace = table_pace(run),
        .fill = MAW_BOT_TALKER,
        .alarms = run->loop ? loop_alarms(run->loop) : NULL,
        .now = run->loop ? loop_now() : 0,
        .unix_ms = run->loop ? unix_now_ms() : 0,
        .event = on_event,
        .note = on_note,
        .user = run,
    };

    if (player_count(run) < PLAYERS_USUAL)
        on_note(run, STR("with fewer than 6 players there is little to find out"));
    return maw_table_new(&setup, &run->table, err);
}

static void on_signal(void *user, int signal_number)
{
    const MawRun *run = user;

    (void)signal_number;
    if (run->over || !run->table)
        loop_stop(run->loop);
    if (run->table)
        maw_table_stop(run->table, "interrupted", loop_now());
}

static int open_loop(MawRun *run, Err *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    bool real = options_has(run->given, REAL_TIME) || run->kind_count ||
                options_has(run->given, ME) || options_has(run->given, XMPP) ||
                options_has(run->given, OPERATOR) || run->plan.agent_count;
    int rc = real ? loop_new(&run->loop, err) : 0;

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]) && run->loop && rc == 0; i++)
        rc = loop_signal(run->loop, signals[i], on_signal, run, err);
    return rc;
}

/* The loop runs once more, for their processes alone. */
static void dismiss_agents(MawRun *run)
{
    if (!run->agents)
        return;
    fflush(stdout); /* nobody waits for them to read it */
    run->xmpp = maw_xmpp_free(run->xmpp);
    run->person_timer = timer_free(run->person_timer);
    maw_agents_dismiss(run->agents, loop_now());
}

static int play_session(MawRun *run, Err *err)
{
    Interrupt interrupt;
    bool watched = !run->loop;
    Err ended = {0}; /* what stopped the session says more than that it was stopped */

    if (watched)
        interrupt_watch(&interrupt);
    int rc = run->loop ? maw_table_run(run->table, run->loop, &ended)
                       : maw_table_play(run->table, &ended);
    if (watched)
        interrupt_done(&interrupt);
    run->over = true;
    if (rc == 0 && run->person && maw_terminal_is_full(run->person)) {
        run->xmpp = maw_xmpp_free(run->xmpp);
        loop_run(run->loop);
    }
    run->console = maw_console_free(run->console);
    run->person = maw_terminal_free(run->person); /* the screen is a plain terminal again */
    if (run->problem.code) { /* why the table was stopped: says more than that it was */
        *err = run->problem;
        return run->problem.code;
    }
    if (rc == 0 || rc == ERR_INTERRUPTED)
        print_leaderboard(run);
    dismiss_agents(run);
    bool japanese = run->config.options.language == LLM_JAPANESE && !options_has(run->given, JSON);
    if (rc == ERR_INTERRUPTED && japanese)
        return err_set(err, rc, "途中で終わりました%s",
                       options_text(run->given, OUT) ? "。そこまでの記録は完全です" : "");
    if (rc)
        return err_set(err, ended.code, "%s", ended.msg);
    if (run->agents && !maw_agents_have_played(run->agents))
        return EXIT_NOT_RANKED;
    return maw_table_models_decide(run->table) ? EXIT_OK : EXIT_NOT_OWN;
}

static void run_done(MawRun *run)
{
    maw_console_free(run->console);
    maw_terminal_free(run->person);
    maw_xmpp_free(run->xmpp);
    maw_table_free(run->table);
    maw_agents_free(run->agents);
    cell_free(run->cell);
    plan_done(&run->plan);
    llm_models_free(run->models);
    loop_free(run->loop);
    buf_done(&run->secret);
    buf_done(&run->component);
    buf_done(&run->text);
}

int cmd_maw(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(&cmd_maw_usage[0], argc, argv, &given, err);
    CLEANUP(run_done) MawRun run = {.given = &given};

    if (go <= 0)
        return go;
    run.umask = result_folder_begin(options_has(&given, OPEN_RESULTS));
    if (options_text(&given, OUT) && !options_has(&given, OPEN_RESULTS))
        result_folder_close(options_text(&given, OUT));
    run.quiet = options_has(&given, QUIET) || options_has(&given, JSON);
    int rc = check_companions(&given, err);
    const char *models;
    if (rc == 0)
        rc = read_rules(&run, err);
    for (size_t i = 0; rc == 0 && (models = options_item(&given, LLM, i)); i++)
        rc = read_models(&run, str_of(models), err);
    if (rc == 0)
        rc = read_agents(&run, err);
    if (rc == 0)
        rc = check_seats(&run, err);
    if (rc == 0)
        rc = check_earlier(&run, err);
    if (rc == 0)
        rc = read_secret(&run, err);
    if (rc == 0)
        rc = choose_seed(&run, err);
    if (rc == 0)
        rc = open_loop(&run, err);
    if (rc == 0)
        rc = start_agents(&run, err);
    if (rc == 0)
        rc = open_table(&run, err);
    if (rc == 0)
        rc = take_seats(&run, err);
    if (rc == 0)
        rc = open_xmpp(&run, err);
    if (rc == 0)
        rc = open_console(&run, err);
    return rc ? rc : play_session(&run, err);
}
