/* cmd_report.c - `warg report`: the results of a folder as one HTML page. */
#include "cmd/cmd.h"
#include "cmd/results_arg.h"
#include "disk/log_file.h"
#include "results/report.h"
#include "results/results.h"
#include "show/standings_output.h"

#include <errno.h>
#include <sys/stat.h>

enum { LANG, OUTPUT, TITLE, PRICES, OWN_SHARE };
static const Option options[] = {
    [LANG] = {"lang", 0, OPTION_CHOICE, "en|ja", "language of the page", "en", 0, 0},
    [OUTPUT] = {"output", 'o', OPTION_TEXT, "FILE",
                "where to write; without it report.html beside the results", NULL, 0, 0},
    [TITLE] = {"title", 't', OPTION_TEXT, "TEXT", "heading of the page", NULL, 0, 0},
    [PRICES] = {"prices", 0, OPTION_TEXT, "FILE",
                "what tokens of models cost, as config/prices.yml: costs, and costs per win, in "
                "the table of models",
                NULL, 0, 0},
    [OWN_SHARE] = {"own-share", 0, OPTION_UINT, "PERCENT",
                   "of a model's decisions that have to be its own, else it is warned of, and the "
                   "exit status is 5; without it the contest's, or 90",
                   NULL, 1, 100},
};
const Usage cmd_report_usage[] = {
    {"report", "DIR|FILE...",
     "Writes the results of a folder with a journal, of a database file or of a folder of logs as\n"
     "one HTML page: standings with intervals, roles, head to head, faults, games, and the rates\n"
     "over time. Several make one page, as in 'warg standings'; it goes where --output says.",
     OPTIONS(options),
     "warg report results\n"
     "warg report results --lang ja --title 'Spring contest' --output spring.html\n"
     "warg report monday tuesday --output both.html\n",
     "a log was left out, because it has no result or can't be read", NULL},
    {0},
};

/* The folder of a path; "." for a plain name. */
static Str folder_of(Str path)
{
    size_t len = path.len;

    while (len > 0 && path.bytes[len - 1] != '/')
        len--;
    while (len > 1 && path.bytes[len - 1] == '/')
        len--;
    return len ? str_part(path, 0, len) : STR(".");
}

/* Whether both are the same folder, whatever way they are written. */
static bool same_folder(const char *a, const char *b)
{
    struct stat one, other;

    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* Where the results lie and where the page goes. */
typedef struct Places {
    Buf dir;
    Buf output;
    Buf output_dir;
} Places;

static void places_done(Places *places)
{
    buf_done(&places->dir);
    buf_done(&places->output);
    buf_done(&places->output_dir);
}

static int find_places(const char *results, const char *output, Places *places, Err *err)
{
    struct stat status;

    if (stat(results, &status) != 0)
        return err_set(err, ERR_IO, "can't read '%s': %s", results, strerror(errno));
    Str dir = S_ISDIR(status.st_mode) ? str_of(results) : folder_of(str_of(results));
    buf_printf(&places->dir, "%.*s", STR_ARG(dir));
    if (output)
        buf_printf(&places->output, "%s", output);
    else
        buf_printf(&places->output, "%s/" REPORT_FILE, buf_cstr(&places->dir));
    dir = folder_of(buf_str(&places->output));
    buf_printf(&places->output_dir, "%.*s", STR_ARG(dir));
    if (buf_failed(&places->dir) || buf_failed(&places->output) || buf_failed(&places->output_dir))
        return err_set(err, ERR_MEMORY, "report: out of memory");
    return 0;
}

/* What the standings of all stages end with: a page hides it no more than `warg standings` does. */
static int all_standings_status(Db *db, uint32_t own_share, Err *err)
{
    ResultsStage stages[STAGE_NUMBERS_MAX];
    uint32_t count = 0;
    Exit status = EXIT_OK;
    int rc = results_stages(db, stages, &count, err);

    for (uint32_t i = 0; rc == 0 && i < count; i++) {
        CLEANUP(standings_done) Standings standings = {0};
        rc = results_standings(db, stages[i].number, &standings, err);
        if (rc)
            break;
        standings.own_share = own_share;
        standings_rank(&standings, stages[i].min_games);
        status = exit_status_of_both(status, standings_status(&standings));
    }
    return rc ? rc : (int)status;
}

int cmd_report(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(places_done) Places places = {0};
    CLEANUP(db_closep) Db *db = NULL;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf html = {0};
    CLEANUP(llm_prices_freep) LlmPrices *prices = NULL;
    Exit left_out = EXIT_OK;
    int go = options_parse(&cmd_report_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count == 0)
        return err_set(err, ERR_USAGE, "report: name at least one folder or database");
    if (given.argument_count > 1 && !options_has(&given, OUTPUT))
        return err_set(
            err, ERR_USAGE,
            "of several folders nobody knows where the page goes: name it with --output");
    int rc = find_places(given.arguments[0], options_text(&given, OUTPUT), &places, err);
    if (rc == 0)
        rc = results_arg_open(&given, &db, &left_out, err);
    if (rc == 0)
        rc = llm_prices_load(options_text(&given, PRICES), &prices, err);
    if (rc == 0)
        rc = report_data_read_all(db, &data, err);
    if (rc)
        return rc;
    if (options_has(&given, OWN_SHARE))
        for (ReportData *stage = &data; stage; stage = stage->before)
            stage->own_share = (uint32_t)options_number(&given, OWN_SHARE);
    const ReportOptions page = {
        .language = (ReportLanguage)options_number(&given, LANG),
        .title = str_of(options_text(&given, TITLE)),
        .link_logs = given.argument_count == 1 &&
                     same_folder(buf_cstr(&places.dir), buf_cstr(&places.output_dir)),
        .prices = prices};
    rc = report_write(&data, &page, &html, err);
    if (rc)
        return rc;
    rc = log_file_write(buf_cstr(&places.output), buf_str(&html), err);
    rc = rc ? rc : all_standings_status(db, data.own_share, err);
    return rc < 0 ? rc : (int)exit_status_of_both((Exit)rc, left_out);
}
