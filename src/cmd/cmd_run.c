/* cmd_run.c - `warg run`: plays a contest, from a handful of games among built-in agents to stages
 *             of sets with outside agents, and says who won. */
#include "cli/chance_arg.h"
#include "cli/run_options.h"
#include "cmd/cmd.h"
#include "contest/agent_model.h"
#include "contest/contest_run.h"
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

const Usage cmd_run_usage[] = {
    {"run", "[CONTEST.yml]",
     "Plays games and prints who won: among built-in agents, and with programs that speak the\n"
     "protocol division's wire, which it starts and stops. A contest file holds agents, rules,\n"
     "stages and limits; what it says counts, then.\n"
     "Ctrl-C ends it early: the games played so far are counted, and the exit status is 130.\n"
     "With --out nothing is lost even to a power cut: --resume goes on.",
     run_options, RUN_OPTION_COUNT,
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

static int choose_chance(const Options *given, Run *run, Err *err)
{
    const char *replay = options_text(given, RUN_REPLAY);

    if (options_has(given, RUN_ANSWERS) &&
        (options_has(given, RUN_OUT) || options_has(given, RUN_GAME)))
        return err_set(err, ERR_USAGE,
                       "--answers-from plays whole sets for a look at them; leave --%s out "
                       "(--log-dir keeps their logs)",
                       options_has(given, RUN_OUT) ? "out" : "game");
    if (options_has(given, RUN_ANSWERS) && !replay && !options_has(given, RUN_SEED))
        replay = options_text(given, RUN_ANSWERS);
    const ChanceArg chance = {.seed_given = options_has(given, RUN_SEED),
                              .seed = options_number(given, RUN_SEED),
                              .replay = replay,
                              .commit = options_has(given, RUN_COMMIT_SEED)};

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
    const char *stage = options_text(given, RUN_STAGE);
    ContestGame *only = &run->only;

    if (!options_has(given, RUN_GAME))
        return stage ? err_set(err, ERR_USAGE, "--stage says where --game N is; give that too") : 0;
    if (!options_has(given, RUN_REPLAY) && !options_has(given, RUN_SEED))
        return err_set(err, ERR_USAGE, "--game plays one game again; give --replay too");
    if (options_has(given, RUN_OUT) || options_has(given, RUN_SPRT))
        return err_set(
            err, ERR_USAGE,
            "--game plays one game, for a look at it; leave --%s out (--log-dir keeps its "
            "log)",
            options_has(given, RUN_OUT) ? "out" : "sprt");
    *only = (ContestGame){.game = options_number(given, RUN_GAME),
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
    const char *sprt = options_text(given, RUN_SPRT);
    const char *challenger = options_text(given, RUN_CHALLENGER);

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
    int rc = run_plan_of_options(given, &run->plan, err);

    run->log_dir = options_text(given, RUN_LOG_DIR);
    run->quiet = options_has(given, RUN_QUIET);
    run->japanese = options_number(given, RUN_LANGUAGE) == 1;
    run->contest = (ContestRun){.plan = &run->plan,
                                .now = loop_now,
                                .date = loop_date_ms,
                                .out = options_text(given, RUN_OUT),
                                .answers = options_text(given, RUN_ANSWERS),
                                .prompts = options_has(given, RUN_PROMPTS),
                                .resume = options_has(given, RUN_RESUME),
                                .gzip = options_has(given, RUN_GZIP),
                                .exchange = !options_has(given, RUN_NO_EXCHANGE),
                                .ledger = options_text(given, RUN_LEDGER),
                                .jobs = (uint32_t)options_number(given, RUN_JOBS),
                                .finished = write_log,
                                .counted = count_spent,
                                .progress = show_progress,
                                .fault = show_fault,
                                .note = show_note,
                                .stage_over = show_stage,
                                .user = run};
    run->cell = (AgentCellSetup){.own_verb = CMD_START_AGENT,
                                 .umask = result_folder_begin(options_has(given, RUN_OPEN_RESULTS)),
                                 .logs = run->log_dir};
    run->contest.cell = &run->cell;
    run->contest.logs = run->contest.out || run->log_dir;
    if (run->contest.jobs == 0)
        run->contest.jobs = processors();
    if (rc == 0)
        rc = llm_prices_load(options_text(given, RUN_PRICES), &run->prices, err);
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
    if (rc == 0 && !options_has(given, RUN_OPEN_RESULTS))
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
    if (!options_has(given, RUN_OPERATOR_FILE))
        return 0;
    if (!options_has(given, RUN_PAGES + PAGES_WEB))
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
        rc = pages_arg_read(given, RUN_PAGES, STR(""), options_text(given, RUN_OPERATOR_FILE),
                            false, &run->pages_arg, err);
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
    pages_thread_write_address(run->pages, options_has(given, RUN_OPERATOR_FILE), &line);
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
    const char *dir = options_text(given, RUN_LIKE);
    int rc = run_plan_of_options(given, &plan, err);

    if (rc == 0)
        rc = llm_prices_load(options_text(given, RUN_PRICES), &prices, err);
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
    if (options_has(&given, RUN_DRY_RUN))
        return forecast_run(&given, err);
    CLEANUP(run_done) Run *run = mem_new(sizeof(*run));
    if (!run)
        return err_set(err, ERR_MEMORY, "run: out of memory");
    int rc = make_run(&given, run, err);
    bool commit = options_has(&given, RUN_COMMIT_SEED);
    StandingsForm form = (StandingsForm)options_number(&given, RUN_FORMAT);
    /* JSON and CSV have stdout to themselves. */
    FILE *beside = commit && form == STANDINGS_TABLE ? stdout : stderr;
    if (rc == 0)
        rc = open_pages(&given, run, err);
    if (rc)
        return rc;
    if (commit && run->plan.chance == PLAN_CHANCE_KEY)
        chance_print_commitment(beside, &run->plan);
    if (!run->quiet && !options_has(&given, RUN_REPLAY) && !options_has(&given, RUN_ANSWERS))
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
