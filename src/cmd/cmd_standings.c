/* cmd_standings.c - `warg standings`: who won how often in a contest that was kept, and who failed.
 *
 * For:    organisers and teams, during a contest and after it.
 * Memory: all of the command's.
 * Thread: main thread.
 * Source: docs/spec/protocol-division.md 8.4 (what counts), 6.3 (faults).
 */
#include "base/suggest.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "cmd/results_arg.h"
#include "results/results_build.h"
#include "show/faults_output.h"
#include "show/groups_output.h"
#include "show/measures_output.h"
#include "show/paired_output.h"
#include "show/ratings_output.h"
#include "show/sessions_output.h"
#include "show/standings_output.h"
#include "show/standings_words.h"
#include "show/terminal.h"
#include "show/trial_text.h"
#include "stats/decision_sheet.h"

#include <sys/stat.h>

enum {
    FORMAT,
    STAGE,
    RATINGS,
    FAULTS,
    BY,
    MEASURES,
    PAIRED,
    SESSIONS,
    PRICES,
    OWN_SHARE,
    SPRT,
    CHALLENGER,
    REBUILD,
    LANG
};
static const Option options[] = {
    [FORMAT] = {"format", 'f', OPTION_CHOICE, "table|json|csv", "form of the result", "table", 0,
                0},
    [STAGE] = {"stage", 's', OPTION_TEXT, "NAME|N",
               "only this stage, by its name or its number from 0", NULL, 0, 0},
    [RATINGS] = {"ratings", 0, OPTION_FLAG, NULL,
                 "how strong each agent is, whatever roles and companions it drew, beside its "
                 "winning rate",
                 NULL, 0, 0},
    [FAULTS] = {"faults", 0, OPTION_FLAG, NULL,
                "what outside agents did wrong and how long they took, instead of who won", NULL, 0,
                0},
    [BY] = {"by", 0, OPTION_CHOICE, "model|team|kind|agent",
            "a line for each model, team, kind of player or agent: rates, points, tokens, own "
            "decisions, answer times, faults",
            NULL, 0, 0},
    [MEASURES] = {"measures", 0, OPTION_FLAG, NULL,
                  "measures of play, in all roles and by role: votes for wolves, executions "
                  "of wolves, survival, claims; for each agent, or with --by for each "
                  "model, team or kind of player",
                  NULL, 0, 0},
    [PAIRED] = {"paired", 0, OPTION_FLAG, NULL,
                "each two agents over the games in which both had the same roles, seats and chance "
                "(a stage with blocks): the difference of their rates, with an interval",
                NULL, 0, 0},
    [SESSIONS] = {"sessions", 0, OPTION_FLAG, NULL,
                  "MAW sessions: rounds, winners, points of each player, who decided for it", NULL,
                  0, 0},
    [PRICES] = {"prices", 0, OPTION_TEXT, "FILE",
                "what tokens of models cost, as config/prices.yml: costs, and costs per win, in "
                "the table of "
                "--by model, and of each agent in JSON and CSV",
                NULL, 0, 0},
    [OWN_SHARE] = {"own-share", 0, OPTION_UINT, "PERCENT",
                   "of a model's decisions that have to be its own, else it is warned of, and the "
                   "exit status is 5; without it the contest's, or 90",
                   NULL, 1, 100},
    [SPRT] = {"sprt", 0, OPTION_TEXT, "elo0=0,elo1=20,alpha=0.05,beta=0.05",
              "say also whether these games show that the challenger is better, by the test of "
              "'warg run --sprt'",
              NULL, 0, 0},
    [CHALLENGER] = {"challenger", 0, OPTION_TEXT, "NAME", "the agent or team that --sprt tests",
                    NULL, 0, 0},
    [REBUILD] = {"rebuild", 0, OPTION_FLAG, NULL,
                 "make results.db anew from the journal, also when it seems to be up to date", NULL,
                 0, 0},
    [LANG] = {"lang", 0, OPTION_CHOICE, "en|ja", "language of the tables", "en", 0, 0},
};

const Usage cmd_standings_usage[] = {
    {"standings", "DIR|DB|LOG...",
     "Says who won how often in a contest: of its folder, also while it is being played, or of a\n"
     "results.db. In a folder results.db is made when it is not there or the journal has grown.\n"
     "A folder without a journal is read as one of logs: of both AIWolf divisions, records of "
     "MAW;\n"
     "a log by its own name, too.\n"
     "Several make one table: agents of the same name are one, and no game counts twice.\n"
     "Beside the rate by which agents are ranked stand the contest's three: overall (Macro), wins "
     "/\n"
     "games; mean over roles (Micro), of the win rates in the roles played; weighted by roles\n"
     "(Weighted Micro), that mean with each role counted as often as it has seats in the games.",
     OPTIONS(options),
     "warg standings contest\n"
     "warg standings --stage final --format csv contest\n"
     "warg standings --ratings contest\n"
     "warg standings --faults contest/results.db\n"
     "warg standings --by model nlp-logs maw-sessions\n"
     "warg standings --measures --by model contest\n"
     "warg standings --measures contest/logs/000.log\n"
     "warg standings --sessions maw-sessions\n"
     "warg standings monday tuesday old-logs\n",
     "a log was left out, because it has no result or can't be read; --sprt did not find the "
     "challenger better",
     NULL},
    {0},
};

/* Microseconds as milliseconds. */
static void write_stage_heading(const ResultsStage *stage, bool japanese, Buf *out)
{
    if (!stage->name[0])
        return;
    buf_add(out, str_of(standings_word(japanese, SAY_STAGE)));
    utf8_add_printable(str_of(stage->name), RESULTS_NAME_MAX, out);
    buf_add(out, STR("\n\n"));
}

/* What is asked for. */
typedef struct Wish {
    StandingsView how;
    GroupBy by;
    const SprtTest *test; /* NULL = none */
    Str challenger;
    uint32_t own_share; /* 0 = the contest's */
} Wish;

/* One stage in one of the tables. Returns its status, or an error. */
typedef int ShowStage(Db *db, const ResultsStage *stage, const Wish *wish, Buf *out, Err *err);

static int show_faults(Db *db, const ResultsStage *stage, const Wish *wish, Buf *out, Err *err)
{
    const StandingsView *how = &wish->how;
    CLEANUP(fault_table_done) FaultTable faults = {0};
    int rc = results_faults(db, stage->number, &faults, err);

    if (rc)
        return rc;
    if (how->form == STANDINGS_TABLE)
        write_stage_heading(stage, how->japanese, out);
    if (faults.count == 0 && how->form == STANDINGS_TABLE)
        buf_add(out, how->japanese
                         ? STR("外部のエージェントはいません("
                               "組み込みのボットには違反も応答時間もありません)。\n")
                         : STR("no outside agents: built-in bots have no faults and no times\n"));
    else
        faults_write(&faults, (TableForm)how->form, how->japanese, out);
    return 0;
}

static int show_ratings(Db *db, const ResultsStage *stage, const Wish *wish, Buf *out, Err *err)
{
    if (wish->how.form == STANDINGS_TABLE)
        write_stage_heading(stage, wish->how.japanese, out);
    return ratings_write(db, stage, &wish->how, out, err);
}

static int show_groups(Db *db, const ResultsStage *stage, const Wish *wish, Buf *out, Err *err)
{
    CLEANUP(group_table_done) GroupTable groups = {0};
    int rc = results_groups(db, stage->number, wish->by, &groups, err);

    if (rc)
        return rc;
    if (wish->how.form == STANDINGS_TABLE)
        write_stage_heading(stage, wish->how.japanese, out);
    groups_write(&groups, wish->by, &wish->how, out);
    return 0;
}

static int show_measures(Db *db, const ResultsStage *stage, const Wish *wish, Buf *out, Err *err)
{
    CLEANUP(group_table_done) GroupTable groups = {0};
    int rc = results_groups(db, stage->number, wish->by, &groups, err);

    if (rc)
        return rc;
    if (wish->how.form == STANDINGS_TABLE)
        write_stage_heading(stage, wish->how.japanese, out);
    measures_write(&groups, wish->by, &wish->how, out);
    return 0;
}

static int show_paired(Db *db, const ResultsStage *stage, const Wish *wish, Buf *out, Err *err)
{
    CLEANUP(pair_table_done) PairTable pairs = {0};
    int rc = results_paired(db, stage->number, &pairs, err);

    if (rc)
        return rc;
    if (wish->how.form == STANDINGS_TABLE)
        write_stage_heading(stage, wish->how.japanese, out);
    paired_write(&pairs, &wish->how, out);
    return 0;
}

static int show_sessions(Db *db, const ResultsStage *stage, const Wish *wish, Buf *out, Err *err)
{
    CLEANUP(session_table_done) SessionTable sessions = {0};
    int rc = results_sessions(db, stage->number, &sessions, err);

    if (rc == 0)
        sessions_write(&sessions, &wish->how, out);
    return rc;
}

/* ---- standings ---- */

/* Where errors of models' servers are written. */
typedef struct ErrorsOut {
    Buf *out;
    uint32_t own_share;
    bool japanese;
} ErrorsOut;

/* Of the server of a model that did not decide itself. */
static int say_error(void *user, const ResultsDecisions *decisions, Err *err)
{
    const DecisionSheet *sheet = &decisions->sheet;
    const ErrorsOut *to = user;
    Buf *out = to->out;

    (void)err;
    if (decisions_reach(sheet->own, sheet->decisions, to->own_share) || !sheet->error[0])
        return 0;
    buf_add(out, to->japanese ? STR("\n") : STR("\nthe last error of the server of "));
    utf8_add_printable(decisions->agent, AGENT_NAME_MAX, out);
    buf_add(out, to->japanese ? STR(" のサーバーの最後のエラー: ") : STR(": "));
    buf_add(out, str_of(sheet->error));
    buf_add_char(out, '\n');
    return 0;
}

static void trial_freep(Trial **trial)
{
    if (*trial)
        trial_done(*trial);
    *trial = mem_free(*trial);
}

/* CSV has no place for it. */
static void say_trial(const Trial *trial, const Standings *standings, bool japanese)
{
    CLEANUP(buf_done) Buf line = {0};

    trial_write_line(trial, standings, japanese, &line);
    fputs(buf_cstr(&line), stderr);
}

/* The challenger sat in these games, and not alone. */
static int check_challenger(const Standings *standings, Str name, Err *err)
{
    Suggest near = {.word = name};

    for (uint32_t i = 0; i < standings->count; i++)
        suggest_offer(&near, str_of(standings->agents[i].name));
    Str best = suggest_best(&near);
    if (!standings_find(standings, name))
        return err_set(err, ERR_USAGE, "no agent of these games is called '%.*s'%s%.*s%s",
                       STR_ARG(str_part(name, 0, 64)), best.len ? "; did you mean '" : "",
                       STR_ARG(best), best.len ? "'?" : "");
    if (standings->count < 2)
        return err_set(err, ERR_USAGE,
                       "every agent is called '%.*s'; the test compares it with others",
                       STR_ARG(name));
    return 0;
}

/* The test of one stage, into `trial`, which the caller ends. */
static int try_stage(Db *db, const ResultsStage *stage, const Wish *wish,
                     const Standings *standings, Trial *trial, Err *err)
{
    int rc = check_challenger(standings, wish->challenger, err);

    if (rc)
        return rc;
    trial_init(trial, wish->test, wish->challenger);
    rc = results_trial(db, stage->number, trial, err);
    return rc == ERR_LIMIT ? err_wrap(err, "these games are too different for one test: ") : rc;
}

static int show_standings(Db *db, const ResultsStage *stage, const Wish *wish, Buf *out, Err *err)
{
    CLEANUP(standings_done) Standings standings = {0};
    CLEANUP(trial_freep) Trial *trial = wish->test ? mem_new(sizeof(*trial)) : NULL;
    int rc = results_standings(db, stage->number, &standings, err);

    if (rc == 0 && wish->test)
        rc = trial ? try_stage(db, stage, wish, &standings, trial, err)
                   : err_set(err, ERR_MEMORY, "standings: out of memory");
    if (rc)
        return rc;
    standings.own_share = wish->own_share ? wish->own_share : standings.own_share;
    ErrorsOut errors = {out, standings.own_share, wish->how.japanese};
    StandingsView view = wish->how;
    CLEANUP(group_table_done) GroupTable costs = {0};
    if (view.prices && view.form != STANDINGS_TABLE)
        rc = results_groups(db, stage->number, GROUP_BY_TEAM, &costs, err);
    if (rc)
        return rc;
    view.costs = view.prices && view.form != STANDINGS_TABLE ? &costs : NULL;
    view.trial = trial;
    CLEANUP(unowned_table_done) UnownedTable unowned = {0};
    rc = results_unowned(db, stage->number, &unowned, err);
    if (rc)
        return rc;
    view.unowned = &unowned;
    view.stage = stage->name[0] ? stage->name : NULL;
    standings_rank(&standings, stage->min_games);
    Exit status = standings_status(&standings);
    if (trial && trial->sprt.state != SPRT_ACCEPT_H1)
        status = exit_status_of_both(status, EXIT_DISAGREE);
    standings_write(&standings, &view, out);
    rc = view.form == STANDINGS_TABLE
             ? results_decisions(db, stage->number, say_error, &errors, err)
             : 0;
    if (rc == 0 && trial && view.form == STANDINGS_CSV)
        say_trial(trial, &standings, view.japanese);
    return rc ? rc : (int)status;
}

/* The stage that was asked for; else the last one, and those before it where `all` asks for them,
 * each for itself: games of different stages are never added together. */
static int show_stages(Db *db, int64_t stage, bool all, ShowStage *show, const Wish *wish, Buf *out,
                       Err *err)
{
    ResultsStage stages[STAGE_NUMBERS_MAX];
    uint32_t count = 0;
    Exit status = EXIT_OK;
    int rc = results_stages(db, stages, &count, err);

    for (uint32_t i = count; rc == 0 && i-- > 0;) {
        if (stage >= 0 ? stages[i].number != stage : !all && i + 1 < count)
            continue;
        buf_add(out, out->len ? STR("\n") : (Str){0});
        rc = show(db, &stages[i], wish, out, err);
        status = rc > 0 ? exit_status_of_both(status, (Exit)rc) : status;
        rc = rc > 0 ? 0 : rc;
    }
    if (rc == 0 && out->len == 0) /* nothing was played: a table without rows */
        rc = show(db, &(ResultsStage){.number = stage < 0 ? 0 : stage}, wish, out, err);
    return rc ? rc : (int)status;
}

static int rebuild_results(const char *path, Err *err)
{
    struct stat about;

    if (stat(path, &about) == 0 && !S_ISDIR(about.st_mode))
        return err_set(err, ERR_USAGE,
                       "--rebuild needs the folder of the contest, and '%s' is a "
                       "file",
                       path);
    return results_build(path, err);
}

static int check_tables(const Options *given, Err *err)
{
    static const size_t others[] = {RATINGS, FAULTS, PAIRED, SESSIONS};
    int tables = options_has(given, BY) || options_has(given, MEASURES);

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        tables += options_has(given, others[i]);
    if (tables > 1)
        return err_set(err, ERR_USAGE,
                       "--ratings, --faults, --by, --measures, --paired and --sessions are tables "
                       "of their own; give one of them (--measures may have --by)");
    if (options_has(given, SPRT) != options_has(given, CHALLENGER))
        return err_set(err, ERR_USAGE,
                       options_has(given, SPRT)
                           ? "--sprt needs --challenger NAME, the agent that is tested"
                           : "--challenger needs --sprt, the test that it is put to");
    if (options_has(given, SPRT) && tables)
        return err_set(err, ERR_USAGE, "--sprt stands below the standings; leave the other out");
    return 0;
}

static ShowStage *table_of(const Options *given)
{
    return options_has(given, RATINGS)    ? show_ratings
           : options_has(given, FAULTS)   ? show_faults
           : options_has(given, MEASURES) ? show_measures
           : options_has(given, BY)       ? show_groups
           : options_has(given, PAIRED)   ? show_paired
           : options_has(given, SESSIONS) ? show_sessions
                                          : show_standings;
}

int cmd_standings(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(db_closep) Db *db = NULL;
    CLEANUP(llm_prices_freep) LlmPrices *prices = NULL;
    Exit left_out = EXIT_OK;
    int64_t stage = -1;
    int rc = options_parse(&cmd_standings_usage[0], argc, argv, &given, err);

    if (rc <= 0)
        return rc;
    rc = check_tables(&given, err);
    SprtTest test;
    if (rc == 0 && options_has(&given, SPRT))
        rc = sprt_parse(str_of(options_text(&given, SPRT)), &test, err);
    for (int i = 0; rc == 0 && i < given.argument_count && options_has(&given, REBUILD); i++)
        rc = rebuild_results(given.arguments[i], err);
    if (rc == 0)
        rc = llm_prices_load(options_text(&given, PRICES), &prices, err);
    if (rc == 0)
        rc = results_arg_open(&given, &db, &left_out, err);
    if (rc == 0 && options_has(&given, STAGE))
        rc = results_stage(db, str_of(options_text(&given, STAGE)), &stage, err);
    uint64_t form = options_number(&given, FORMAT);
    Wish wish = {.how = {.form = (StandingsForm)form,
                         .color = terminal_colors(stdout, COLOR_AUTO),
                         .prices = prices,
                         .japanese = options_number(&given, LANG) == 1},
                 .by = GROUP_BY_TEAM};
    if (options_has(&given, OWN_SHARE))
        wish.own_share = (uint32_t)options_number(&given, OWN_SHARE);
    if (options_has(&given, BY))
        wish.by = (GroupBy)options_number(&given, BY);
    if (options_has(&given, SPRT)) {
        wish.test = &test;
        wish.challenger = str_of(options_text(&given, CHALLENGER));
    }
    const bool all = wish.how.form == STANDINGS_TABLE && !options_has(&given, RATINGS) &&
                     !options_has(&given, SPRT);
    if (rc == 0)
        rc = show_stages(db, stage, all, table_of(&given), &wish, &out, err);
    if (rc < 0)
        return rc;
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "standings: out of memory");
    fwrite(buf_cstr(&out), 1, out.len, stdout);
    return (int)exit_status_of_both((Exit)rc, left_out);
}
