/* cmd_serve.c - `warg serve aiwolf`: waits for agents of the protocol division and plays sets with
 *               them. Its sister `warg serve nlp` is in serve_nlp.c. */
#include "cmd/chance_arg.h"
#include "cmd/cmd.h"
#include "cmd/ruleset_arg.h"
#include "cmd/serve_nlp.h"
#include "contest/agent_spec.h"
#include "contest/out_folder.h"
#include "disk/result_folder.h"
#include "match/agent_cell.h"
#include "match/draw_chance.h"
#include "match/hall.h"
#include "match/table_room.h"
#include "net/interrupt.h"
#include "show/standings_output.h"
#include "show/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

/* Files that are open beside connections: journal, database, a log, what the loop needs. */
#define OTHER_FILES 64

enum {
    HOST,
    PORT,
    PLAYERS,
    GAMES,
    RULES,
    AGENT,
    TABLES,
    ONCE,
    SETS,
    OUT,
    OPEN_RESULTS,
    RESUME,
    GZIP,
    TIME_LIMIT,
    STARTUP,
    ON_FAULT,
    CONNECTIONS,
    LINE_BYTES,
    QUEUE_BYTES,
    SEED,
    FORMAT,
    QUIET,
};
static const Option aiwolf_options[] = {
    [HOST] = {"host", 0, OPTION_TEXT, "ADDRESS",
              "address to listen on; '*' for every one: then anybody who reaches it can play",
              "127.0.0.1", 0, 0},
    [PORT] = {"port", 'p', OPTION_UINT, "PORT", "port to listen on; 0 = any free one", "10000", 0,
              65535},
    [PLAYERS] = {"players", 'n', OPTION_UINT, "N",
                 "seats at a table; without it as usual with "
                 "these rules",
                 NULL, PLAYERS_MIN, SEAT_MAX},
    [GAMES] = {"games", 'g', OPTION_UINT, "N", "games of a set; without it as the rules say", NULL,
               1, 1000000},
    [RULES] = {"rules", 'r', OPTION_TEXT, "NAME|FILE", "ruleset; see 'warg rules list'",
               "aiwolf-2021", 0, 0},
    [AGENT] =
        {"agent", 'a', OPTION_LIST, "SPEC",
         "who sits at every table: built-in bots, bot:KIND*COPIES,name=NAME; language models, "
         "llm:SPEC; programs, cmd=COMMAND; the server waits for the others",
         NULL, 0, 0},
    [TABLES] = {"tables", 0, OPTION_TEXT, "K|auto",
                "tables at the same time; auto: as many as the machine has room for", "1", 0, 0},
    [ONCE] = {"once", 0, OPTION_FLAG, NULL, "stop after one set (after K with --tables)", NULL, 0,
              0},
    [SETS] = {"sets", 0, OPTION_UINT, "N", "stop after N sets", NULL, 1, 1000000},
    [OUT] = {"out", 'o', OPTION_TEXT, "DIR",
             "keep everything there: journal, logs, faults, results, report", NULL, 0, 0},
    [OPEN_RESULTS] = {"open-results", 0, OPTION_FLAG, NULL, "let others on this machine read --out",
                      NULL, 0, 0},
    [RESUME] = {"resume", 0, OPTION_FLAG, NULL,
                "go on with what --out holds: agents of unfinished sets are expected back, by name",
                NULL, 0, 0},
    [GZIP] = {"gzip", 'z', OPTION_FLAG, NULL, "compress the logs", NULL, 0, 0},
    [TIME_LIMIT] = {"time-limit", 0, OPTION_DURATION, "TIME",
                    "for an answer, in place of the rules'", NULL, 1, 3600000},
    [STARTUP] = {"startup-limit", 0, OPTION_DURATION, "TIME",
                 "for an agent's name and for its first answer", "5s", 1, 3600000},
    [ON_FAULT] = {"on-fault", 0, OPTION_CHOICE, "substitute|forfeit-set|abort-game|restart",
                  "when an agent fails", "substitute", 0, 0},
    [CONNECTIONS] = {"max-connections", 0, OPTION_UINT, "N",
                     "connections open at once; more are closed at once", "2048", 1, 100000},
    [LINE_BYTES] = {"max-line", 0, OPTION_UINT, "BYTES", "longest line taken from an agent",
                    "65536", 64, 16777216},
    [QUEUE_BYTES] = {"max-unread", 0, OPTION_UINT, "BYTES",
                     "most that may wait for an agent that does not read", "1048576", 4096,
                     1073741824},
    [SEED] = {"seed", 's', OPTION_UINT, "S",
              "for trials: decides all chance of the server. Who guesses it, agents by their own "
              "roles, knows all roles; without it a key of 256 bits is drawn",
              NULL, 0, UINT64_MAX},
    [FORMAT] = {"format", 'f', OPTION_CHOICE, "table|json|csv", "form of a set's result", "table",
                0, 0},
    [QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "print results only", NULL, 0, 0},
};

static int serve_aiwolf(int argc, char **argv, Err *err);

const Usage cmd_serve_usage[] = {
    {"serve aiwolf", "",
     "Waits for agents of the AIWolf protocol division on TCP, plays a set of games with them,\n"
     "prints the table, and waits for the next. Agents written for the contest server play\n"
     "unchanged; one that crashes, hangs or talks nonsense is played on by a substitute.\n"
     "Listens on this machine only, unless --host says otherwise. Ctrl-C ends it: games under\n"
     "way do not count.",
     OPTIONS(aiwolf_options),
     "warg serve aiwolf --players 5 --once\n"
     "warg serve aiwolf --players 15 --games 100 --out monday --tables 4\n"
     "warg serve aiwolf --agent 'bot:sample*4' --out trial    # one agent against four bots\n"
     "warg serve aiwolf --players 5 --time-limit 1m \\\n"
     "    --agent 'llm:http://localhost:11434/v1,model=llama3.1*4'     # ... against four models\n"
     "warg serve aiwolf --players 15 --out monday --tables 4 --resume\n",
     NULL, serve_aiwolf},
    {"serve nlp", "[-- aiwolf OPTION...]",
     "Waits for agents of the natural-language division on WebSockets (/ws) and plays games with\n"
     "them as the configurations say: the files of the contest's own server are read unchanged.\n"
     "With matching.is_optimize it plays a schedule, which is continued after a restart. The API,\n"
     "live data and metrics are on the same port.\n"
     "The first SIGTERM or Ctrl-C drains it: games under way are played to their end. The second\n"
     "one ends them. Behind '--' goes the line of a 'serve aiwolf' in the same process.",
     serve_nlp_options, NLP_OPTION_COUNT,
     "warg serve nlp -c default_5.yml\n"
     "warg serve nlp -c main_5.yml -c main_9.yml --tls-cert cert.pem --tls-key key.pem\n"
     "warg serve nlp -c default_5.yml --check\n"
     "warg serve nlp -c default_5.yml --fill-with llm:http://localhost:11434/v1,model=llama3.1\n"
     "warg serve nlp -c main_5.yml -a\n"
     "warg serve nlp -c default_5.yml -- aiwolf --port 10000 --players 5\n",
     NULL, serve_nlp},
    {0},
};

/* The results of a set, from its first game until it is told. */
typedef struct ServedSet {
    uint64_t set;
    Standings standings;
    bool over;
    uint64_t written_at; /* games that must be on disk before it is told */
    struct ServedSet *next;
} ServedSet;

typedef struct Serve {
    Plan plan;
    StageRun stage;
    OutFolder folder;
    HallPlan hall;
    Cell *cell; /* of agents that we start; NULL = none */
    ServedSet *sets;
    bool fresh_key; /* the one before was published */
    uint64_t games; /* finished now */
    uint64_t begun; /* 1 + the highest number of a set that was begun */
    StandingsForm form;
    Exit status; /* what the sets that were told come to */
    bool quiet;
    Progress progress;
} Serve;

/* ---- while it runs ---- */

static void say(Serve *serve, Str text)
{
    if (serve->quiet)
        return;
    progress_end(&serve->progress);
    fprintf(stderr, "%.*s\n", STR_ARG(text));
}

static ServedSet *find_set(Serve *serve, uint64_t set)
{
    ServedSet *found = serve->sets;

    while (found && found->set != set)
        found = found->next;
    return found;
}

static ServedSet *add_set(Serve *serve, uint64_t set)
{
    ServedSet *served = mem_new(sizeof(*served));

    if (!served)
        return NULL;
    served->set = set;
    served->next = serve->sets;
    serve->sets = served;
    return served;
}

/* Games of a set that is resumed count in its table. */
static int on_played_game(void *user, const GameRecord *record, Err *err)
{
    Serve *serve = user;
    ServedSet *served = find_set(serve, record->set);

    if (!served)
        served = add_set(serve, record->set);
    return served ? standings_add_record(&served->standings, record, err)
                  : err_set(err, ERR_MEMORY, "set: out of memory");
}

/* Sets that were played to their end before have been told. */
static void forget_complete_sets(Serve *serve)
{
    uint64_t games = (uint64_t)serve->plan.stages[0].games_per_set;

    for (ServedSet **at = &serve->sets; *at;) {
        ServedSet *served = *at;
        if (served->standings.games < games) {
            at = &served->next;
            continue;
        }
        *at = served->next;
        standings_done(&served->standings);
        mem_free(served);
    }
}

static int on_set_begins(void *user, uint64_t set, SeatNo count, const Str *names, Err *err)
{
    Serve *serve = user;
    CLEANUP(buf_done) Buf line = {0};

    if (!find_set(serve, set) && !add_set(serve, set))
        return err_set(err, ERR_MEMORY, "set: out of memory");
    if (set >= serve->begun)
        serve->begun = set + 1;
    buf_printf(&line, "set %" PRIu64 " begins:", set);
    for (SeatNo seat = 1; seat <= count; seat++)
        buf_printf(&line, " %.*s", STR_ARG(names[seat]));
    say(serve, buf_str(&line));
    return serve->folder.journal ? journal_add_set(serve->folder.journal, 0, set, count, names, err)
                                 : 0;
}

static int on_finished(void *user, const GameRecord *record, Str log, Err *err)
{
    Serve *serve = user;
    ServedSet *served = find_set(serve, record->set);
    int rc = 0;

    if (serve->folder.journal)
        rc = journal_add_game(serve->folder.journal, record, log, err);
    if (rc == 0 && served)
        rc = standings_add_record(&served->standings, record, err);
    serve->games++;
    return rc;
}

static void on_set_over(void *user, uint64_t set)
{
    Serve *serve = user;
    ServedSet *served = find_set(serve, set);

    if (!served)
        return;
    served->over = true;
    served->written_at = serve->games;
}

static void on_fault(void *user, uint64_t set, uint64_t game, Str agent, const Fault *fault)
{
    Serve *serve = user;
    CLEANUP(buf_done) Buf line = {0};

    if (serve->folder.journal)
        journal_add_fault(serve->folder.journal, 0, set, game, agent, fault, NULL);
    if (!fault->fatal)
        return;
    buf_printf(&line, "set %" PRIu64 ", game %" PRIu64 ": agent %.*s failed: ", set, game,
               STR_ARG(agent));
    fault_print(fault, &line);
    say(serve, buf_str(&line));
}

static void on_decided(void *user, uint64_t set, Str agent, const DecisionSheet *sheet)
{
    Serve *serve = user;
    CLEANUP(buf_done) Buf text = {0};
    const DecisionNote note = {.set = set, .agent = agent, .sheet = *sheet};
    const Conduct conduct = {.decisions = sheet->decisions, .own = sheet->own};
    ServedSet *served = find_set(serve, set);

    if (served) {
        standings_add_conduct(&served->standings, agent, &conduct, NULL);
        standings_set_model(&served->standings, agent, &sheet->model, NULL);
    }
    decision_note_write(&note, &text);
    if (serve->folder.journal)
        journal_add_note(serve->folder.journal, buf_str(&text), NULL);
    if (decisions_are_own(sheet->own, sheet->decisions))
        return;
    say(serve, buf_str(&text));
    serve->status = exit_status_of_both(serve->status, sheet->own ? EXIT_NOT_OWN : EXIT_NOT_RANKED);
}

static void on_note(void *user, Str text)
{
    say(user, text);
}

static void tell_set(Serve *serve, ServedSet *served)
{
    CLEANUP(buf_done) Buf out = {0};

    progress_end(&serve->progress);
    standings_rank(&served->standings, 0);
    const StandingsView view = {
        .form = serve->form, .color = terminal_colors(stdout, COLOR_AUTO), .set = &served->set};
    standings_write(&served->standings, &view, &out);
    serve->status = exit_status_of_both(serve->status, standings_status(&served->standings));
    fputs(buf_cstr(&out), stdout);
    if (serve->form == STANDINGS_TABLE)
        putchar('\n');
    fflush(stdout);
}

/* Sets that are over and on disk are told, in the order in which they began. */
static void tell_sets(Serve *serve, uint64_t written)
{
    while (true) {
        ServedSet **first = NULL;
        for (ServedSet **at = &serve->sets; *at; at = &(*at)->next)
            if ((*at)->over && (*at)->written_at <= written)
                first = at; /* the list has the latest set in front */
        if (!first)
            return;
        ServedSet *served = *first;
        *first = served->next;
        tell_set(serve, served);
        standings_done(&served->standings);
        mem_free(served);
    }
}

static bool on_progress(void *user, uint64_t done)
{
    Serve *serve = user;
    CLEANUP(buf_done) Buf line = {0};
    uint64_t written = serve->folder.journal ? journal_games_written(serve->folder.journal) : done;

    tell_sets(serve, written);
    if (serve->sets) {
        buf_printf(&line, "%" PRIu64 " games played", written);
        progress_show(&serve->progress, loop_now() / 1000, buf_str(&line));
    }
    return !interrupt_came();
}

/* Missing agents of the sets that were under way, for the person who starts them. */
static void say_expected(Serve *serve)
{
    const Played *played = &serve->folder.played[0];
    CLEANUP(buf_done) Buf line = {0};
    uint32_t drawn[SEAT_MAX + 1];

    for (uint64_t set = 0; set < played->set_count; set++) {
        const PlayedSet *before = played_set(played, set);
        if (!before->seated || before->games >= (uint64_t)serve->plan.stages[0].games_per_set)
            continue;
        buf_clear(&line);
        buf_printf(&line,
                   "set %" PRIu64 " goes on behind %" PRIu32 " games, when these are back:", set,
                   before->games);
        draw_seats(&serve->stage.draw, set, drawn); /* the first of the drawn are built-in */
        for (SeatNo seat = 1; seat <= before->count; seat++)
            if (!seat_in(before->failed, seat) && drawn[seat] >= serve->plan.agent_count)
                buf_printf(&line, " %s", before->names[seat]);
        say(serve, buf_str(&line));
    }
}

static void on_listening(void *user, uint16_t port)
{
    Serve *serve = user;
    CLEANUP(buf_done) Buf line = {0};
    CLEANUP(buf_done) Buf warning = {0};
    uint32_t wanted = (uint32_t)serve->plan.stages[0].players - serve->plan.agent_count;

    agent_spec_warn(&serve->plan, &warning);
    if (warning.len)
        say(serve, buf_str(&warning));
    buf_printf(&line, "listening on %s:%u; a table takes %" PRIu32 " agent%s", serve->hall.host,
               port, wanted, wanted == 1 ? "" : "s");
    say(serve, buf_str(&line));
    say_expected(serve);
}

/* ---- before it runs ---- */

static int make_plan(const Options *given, Serve *serve, Err *err)
{
    Plan *plan = &serve->plan;
    int rc = plan_init(plan, err);

    if (rc == 0)
        rc = ruleset_arg(options_text(given, RULES), &plan->rules, err);
    for (size_t i = 0; rc == 0 && options_item(given, AGENT, i); i++)
        rc = agent_spec_add(plan, str_of(options_item(given, AGENT, i)), err);
    if (rc)
        return rc;
    rc = table_room_read(str_of(options_text(given, TABLES)), &plan->tables, err);
    if (rc)
        return rc;
    PlanStage stage = plan_default_stage(plan);
    if (options_has(given, PLAYERS))
        stage.players = (int32_t)options_number(given, PLAYERS);
    else
        stage.players = plan->rules.players;
    if (options_has(given, GAMES))
        stage.games_per_set = (int32_t)options_number(given, GAMES);
    stage.sets = STAGE_GAMES_MAX / (uint64_t)stage.games_per_set;
    stage.games = stage.sets * (uint64_t)stage.games_per_set;
    if (options_has(given, TIME_LIMIT))
        plan->rules.contest.time_limit_ms = plan->rules.contest.time_limit_told_ms =
            (int32_t)options_number(given, TIME_LIMIT);
    plan->on_fault = (OnFault)options_number(given, ON_FAULT);
    plan->limits.startup_ms = (uint32_t)options_number(given, STARTUP);
    plan->limits.connections = (uint32_t)options_number(given, CONNECTIONS);
    plan->limits.line_bytes = (uint32_t)options_number(given, LINE_BYTES);
    plan->limits.queue_bytes = (uint32_t)options_number(given, QUEUE_BYTES);
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
    if (rc == 0)
        rc = plan_add_stage(plan, &stage, err);
    const ChanceArg chance = {.seed_given = options_has(given, SEED),
                              .seed = options_number(given, SEED)};
    return rc ? rc : chance_arg(&chance, plan, NULL, err);
}

/* What the agents that we start run in. */
static int make_cell(const Options *given, Serve *serve, unsigned mask, Err *err)
{
    const AgentCellSetup setup = {.own_verb = CMD_START_AGENT, .umask = mask};
    CLEANUP(buf_done) Buf notes = {0};
    int rc =
        agent_cell_new(&setup, options_text(given, OUT), &serve->plan, &serve->cell, &notes, err);

    if (rc == 0 && notes.len)
        say(serve, str_trim(buf_str(&notes)));
    return rc;
}

static int make_serve(const Options *given, Serve *serve, Err *err)
{
    const char *out = options_text(given, OUT);
    int rc = make_plan(given, serve, err);

    if (rc == 0 && options_has(given, RESUME) && !out)
        rc = err_set(err, ERR_USAGE, "--resume needs --out");
    if (rc == 0 && options_has(given, ONCE) && options_has(given, SETS))
        rc = err_set(err, ERR_USAGE, "--once is --sets 1; give one of them");
    serve->folder.played_game = on_played_game;
    serve->folder.user = serve;
    serve->quiet = options_has(given, QUIET);
    serve->progress = progress_new(serve->quiet);
    const bool open = options_has(given, OPEN_RESULTS);
    const unsigned mask = result_folder_begin(open);
    if (rc == 0 && out && !open)
        result_folder_close(out);
    if (rc == 0 && out)
        rc = out_folder_open(&serve->folder, out, options_has(given, RESUME), &serve->plan, err);
    if (rc == 0)
        rc = make_cell(given, serve, mask, err);
    if (rc == 0)
        forget_complete_sets(serve);
    serve->fresh_key = serve->folder.published; /* what comes now must not be known to anybody */
    if (rc == 0 && serve->fresh_key)
        rc = out_folder_next_key(&serve->folder, &serve->plan, err);
    serve->begun = serve->folder.played[0].set_count;
    const Plan *plan = &serve->plan;
    serve->form = (StandingsForm)options_number(given, FORMAT);
    serve->stage = (StageRun){
        .plan = plan,
        .draw = draw_of_plan(plan, 0, serve->folder.part, (uint32_t)plan->stages[0].players),
        .played = &serve->folder.played[0],
        .logs = out != NULL,
        .gzip = options_has(given, GZIP),
        .finished = on_finished,
        .progress = on_progress,
        .user = serve};
    serve->hall = (HallPlan){.run = &serve->stage,
                             .host = options_text(given, HOST),
                             .port = (uint16_t)options_number(given, PORT),
                             .tables = plan->tables,
                             .serve = true,
                             .sets = options_has(given, ONCE) ? table_room_most(plan->tables)
                                                              : options_number(given, SETS),
                             .out = out,
                             .cell = serve->cell,
                             .bots = plan->agents,
                             .bot_count = plan->agent_count,
                             .listening = on_listening,
                             .set_begins = on_set_begins,
                             .set_over = on_set_over,
                             .note = on_note,
                             .decided = on_decided,
                             .fault = on_fault,
                             .user = serve};
    return rc;
}

static void serve_done(Serve **serve)
{
    if (!*serve)
        return;
    while ((*serve)->sets) {
        ServedSet *served = (*serve)->sets;
        (*serve)->sets = served->next;
        standings_done(&served->standings);
        mem_free(served);
    }
    out_folder_done(&(*serve)->folder);
    cell_free((*serve)->cell);
    plan_done(&(*serve)->plan);
    *serve = mem_free(*serve);
}

/* Lets the process open as many files as the system allows. Where these are too few, fewer
 * connections are taken: else whoever opens enough of them keeps logs from being written. */
static void make_room_for_connections(Serve *serve)
{
    CLEANUP(buf_done) Buf line = {0};
    uint32_t *connections = &serve->plan.limits.connections;
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files))
        return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= (rlim_t)*connections + OTHER_FILES)
        return;
    uint32_t fit = files.rlim_cur > 2 * OTHER_FILES ? (uint32_t)files.rlim_cur - OTHER_FILES
                                                    : (uint32_t)files.rlim_cur / 2;
    buf_printf(&line,
               "at most %" PRIu32 " connections, not %" PRIu32 ": the system allows %" PRIu64
               " open files (raise 'ulimit -n')",
               fit, *connections, (uint64_t)files.rlim_cur);
    say(serve, buf_str(&line));
    *connections = fit;
}

/* The key of what was played, once nothing of it is left to be played: with a set under way it
 * would tell the roles of the games that --resume goes on with. */
static int publish(Serve *serve, Err *err)
{
    uint64_t games = serve->folder.games_before + serve->games;

    if (serve->plan.chance != PLAN_CHANCE_KEY || games == 0 ||
        (serve->games == 0 && serve->fresh_key))
        return 0;
    if (games == serve->begun * (uint64_t)serve->plan.stages[0].games_per_set)
        return out_folder_publish(&serve->folder, &serve->plan, err);
    say(serve,
        STR("the key stays secret, because a set is not complete; --resume goes on with it"));
    return 0;
}

/* ---- command ---- */

static int serve_aiwolf(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(&cmd_serve_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    CLEANUP(serve_done) Serve *serve = mem_new(sizeof(*serve));
    if (!serve)
        return err_set(err, ERR_MEMORY, "serve: out of memory");
    int rc = make_serve(&given, serve, err);
    if (rc)
        return rc;
    make_room_for_connections(serve);
    if (!serve->quiet)
        chance_warn_of_guess(&serve->plan);
    Interrupt interrupt;
    interrupt_watch(&interrupt);
    rc = hall_play(&serve->hall, NULL, err);
    interrupt_done(&interrupt);
    progress_end(&serve->progress);
    if (rc == 0 && serve->folder.journal)
        rc = publish(serve, err);
    if (serve->folder.journal) {
        int closed = out_folder_close(&serve->folder, false, serve->games, rc ? NULL : err);
        rc = rc ? rc : closed;
    }
    if (rc == 0)
        tell_sets(serve, UINT64_MAX);
    if (rc == 0 && interrupt_came())
        return err_set(err, ERR_INTERRUPTED, "ended; %" PRIu64 " games were played", serve->games);
    return rc ? rc : (int)serve->status;
}

int cmd_serve(int argc, char **argv, Err *err)
{
    return options_run_verb("serve", cmd_serve_usage, argc, argv, err);
}
