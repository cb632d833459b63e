/* cmd_log.c - `warg log`: checks, counts and shows logs of the AIWolf servers, both divisions', and
 *             records of MAW sessions.
 *
 * For:    organisers who want to know whether a log is genuine, and everybody who reads one.
 * Memory: one buffer for one log at a time.
 * Thread: main thread.
 * Source: docs/spec/protocol-division.md 5; docs/spec/nlp-division.md 8; docs/spec/maw.md 9;
 *         record/log_check.h says what legal means, maw/session_replay.h what a record must be.
 */
#include "base/utf8.h"
#include "cli/ruleset_arg.h"
#include "cmd/cmd.h"
#include "cmd/log_doc.h"
#include "cmd/log_exchange.h"
#include "cmd/log_games.h"
#include "cmd/results_arg.h"
#include "disk/log_file.h"
#include "maw/session_replay.h"
#include "net/loop.h"
#include "record/log_check.h"
#include "record/log_known.h"
#include "record/log_result.h"
#include "show/log_verdict.h"
#include "show/maw_show.h"
#include "show/minds_show.h"
#include "show/standings_output.h"
#include "show/terminal.h"
#include "web/mind_swing.h"

enum { CHECK_RULES, CHECK_JSON, CHECK_QUIET };
static const Option check_options[] = {
    [CHECK_RULES] =
        {"rules", 'r', OPTION_TEXT, "NAME|FILE",
         "the ruleset the games were played with; without it all that are known are tried", NULL, 0,
         0},
    [CHECK_JSON] = {"json", 0, OPTION_FLAG, NULL, "one JSON object a line", NULL, 0, 0},
    [CHECK_QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "only logs that are not ok", NULL, 0, 0},
};

enum { STATS_FORMAT };
static const Option stats_options[] = {
    [STATS_FORMAT] = {"format", 'f', OPTION_CHOICE, "table|json|csv", "form of the result", "table",
                      0, 0},
};

enum { MINDS_NAME, MINDS_GAME, MINDS_ALL, MINDS_SWING, MINDS_JSON };
static const Option minds_options[] = {
    [MINDS_NAME] = {"name", 0, OPTION_TEXT, "NAME",
                    "only of this player, or of files with this in their path", NULL, 0, 0},
    [MINDS_GAME] = {"game", 'g', OPTION_UINT, "N",
                    "only of this game of a set, or round of a session, from 1", NULL, 1,
                    UINT32_MAX},
    [MINDS_ALL] = {"all", 'a', OPTION_FLAG, NULL,
                   "whole texts, with the model's reasoning and its answers as they came", NULL, 0,
                   0},
    [MINDS_SWING] = {"swing", 0, OPTION_FLAG, NULL,
                     "in place of decisions a table of all games that are over: how often the "
                     "votes that models would cast (--opinions) swing after whose lines",
                     NULL, 0, 0},
    [MINDS_JSON] = {"json", 0, OPTION_FLAG, NULL,
                    "one object a line, as it is kept; with --swing a list of its rows", NULL, 0,
                    0},
};

enum { SHOW_SEAT, SHOW_REVEAL, SHOW_COLOR, SHOW_LANG, SHOW_HTML };
static const Option show_options[] = {
    [SHOW_SEAT] = {"seat", 's', OPTION_TEXT, "N|NAME",
                   "only what this seat could know; of a MAW session the player's name", NULL, 0,
                   0},
    [SHOW_REVEAL] = {"reveal", 0, OPTION_FLAG, NULL, "with --seat: show all roles at the end", NULL,
                     0, 0},
    [SHOW_COLOR] = {"color", 0, OPTION_CHOICE, "auto|always|never",
                    "colours; auto means on a terminal", "auto", 0, 0},
    [SHOW_LANG] = {"lang", 0, OPTION_CHOICE, "en|ja", "language of the headings", "en", 0, 0},
    [SHOW_HTML] = {"html", 0, OPTION_FLAG, NULL, "as an HTML file: what 'warg export' does", NULL,
                   0, 0},
};

static int check_command(int argc, char **argv, Err *err);
static int stats_command(int argc, char **argv, Err *err);
static int show_command(int argc, char **argv, Err *err);
static int show_minds(int argc, char **argv, Err *err);
static int list_games(int argc, char **argv, Err *err);
static int show_exchange(int argc, char **argv, Err *err);
static int print_doc(int argc, char **argv, Err *err);
static int print_text(Buf *out, Err *err);

const Usage cmd_log_usage[] = {
    {"log check", "FILE|DIR...",
     "Plays each logged game again and says by which rules it is legal, or which line is the "
     "first\n"
     "that no legal game could have written. The record of a MAW session (session.jsonl) is "
     "played\n"
     "again by the rules and the seed that stand in it. In a folder of --out every game's "
     "exchange\n"
     "record is played again, with the key, and has to give its log byte for byte.",
     OPTIONS(check_options),
     "warg log check 000.log\n"
     "warg log check --rules aiwolf-2021 logs/\n"
     "warg log check monday/session.jsonl\n",
     "a log is not legal", check_command},
    {"log stats", "FILE|DIR...",
     "Counts who won how often, and in which role; in the natural-language division by teams.",
     OPTIONS(stats_options), "warg log stats --format csv logs/\n",
     "a log was left out, because it has no result or can't be read", stats_command},
    {"log show", "FILE|DIR",
     "Shows one game for reading, day by day; a MAW session, round by round.",
     OPTIONS(show_options),
     "warg log show --seat 3 000.log\n"
     "warg log show --seat Elena monday\n",
     NULL, show_command},
    {"log list", "DIR...",
     "Lists the games of folders that 'warg run --out' or 'warg serve aiwolf --out' keeps, or of\n"
     "logs, with the paths of their logs: who won, what went wrong, what became of one agent.",
     LOG_GAMES_OPTIONS,
     "warg log list cup --faults\n"
     "warg log list cup --agent alice --lost --role WEREWOLF\n"
     "warg log list cup --agent alice --lost --json | jq -r .log\n",
     "a log was left out, because it has no result or can't be read", list_games},
    {"log exchange", "DIR/GAME|FILE",
     "Shows what each seat of a game was asked and answered, with times, from the exchange record\n"
     "that 'warg run --out' keeps. Once the key is known the packets that agents were sent are "
     "made\n"
     "again from it: with --seat and --json they are shown.",
     LOG_EXCHANGE_OPTIONS,
     "warg log exchange cup/312\n"
     "warg log exchange cup/312 --seat 3\n"
     "warg log exchange cup/exchange/312.jsonl.gz --json | jq 'select(.ms > 50)'\n",
     "the record contradicts itself or its key", show_exchange},
    {"log doc", "FILE",
     "Prints one game as the document that the web pages show: its events in order, filtered for\n"
     "one view, as JSON (docs/spec/web.md 4).",
     LOG_DOC_OPTIONS,
     "warg log doc 000.log\n"
     "warg log doc --view seat:3 000.log | jq '.events[] | select(.kind == \"divine\")'\n"
     "warg log doc --round 2 monday/session.jsonl\n",
     NULL, print_doc},
    {"log minds", "FILE|DIR...",
     "Shows what language models decided: of a session of MAW (session.jsonl), of a folder of\n"
     "'warg run --out', of a folder of --record-minds. A decision has who decided (the model, "
     "the\n"
     "model at its second try, a rule), time, tokens, what came of it and why it was changed.",
     OPTIONS(minds_options),
     "warg log minds evening --name Elena\n"
     "warg log minds cup/minds --game 2 --all\n"
     "warg log minds guests --json | jq 'select(.source == \"fallback\") | .why'\n"
     "warg log minds cup --swing\n",
     "with --swing: a game was left out, because its log can't be read", show_minds},
    {0},
};

int cmd_log(int argc, char **argv, Err *err)
{
    return options_run_verb("log", cmd_log_usage, argc, argv, err);
}

static void on_left_out(void *user, Str why)
{
    (void)user;
    results_arg_left_out(why);
}

/* Whose words moved the models that listened. */
static int show_swing(const Options *given, Err *err)
{
    CLEANUP(mind_swings_done) MindSwings swings = {.on_left_out = on_left_out};
    CLEANUP(buf_done) Buf out = {0};
    const CatalogueSetup paths = {(const char *const *)given->arguments,
                                  (size_t)given->argument_count};

    if (options_has(given, MINDS_NAME) || options_has(given, MINDS_GAME) ||
        options_has(given, MINDS_ALL))
        return err_set(err, ERR_USAGE, "log minds: --swing goes with no option but --json");
    int rc = mind_swing_collect(&swings, &paths, loop_date_ms(), err);
    if (rc)
        return rc;
    if (swings.count == 0)
        fputs("no two opinions are kept there of a game that is over, between which one seat alone "
              "spoke\n",
              stderr);
    if (swings.count || options_has(given, MINDS_JSON))
        mind_swing_write(&swings, options_has(given, MINDS_JSON) ? TABLE_JSON : TABLE_ALIGNED,
                         &out);
    rc = print_text(&out, err);
    return rc == 0 && swings.left_out ? EXIT_DISAGREE : rc;
}

static int show_minds(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(log_list_done) LogList list = {.lines = true};
    int rc = options_parse(&cmd_log_usage[6], argc, argv, &given, err);

    if (rc <= 0)
        return rc;
    MindsShow show = {.name = options_text(&given, MINDS_NAME),
                      .game =
                          options_has(&given, MINDS_GAME) ? options_number(&given, MINDS_GAME) : 0,
                      .all = options_has(&given, MINDS_ALL),
                      .json = options_has(&given, MINDS_JSON)};
    rc = given.argument_count ? 0 : err_set(err, ERR_USAGE, "log minds: name a file or a folder");
    if (rc == 0 && options_has(&given, MINDS_SWING))
        return show_swing(&given, err);
    for (int i = 0; i < given.argument_count && rc == 0; i++)
        rc = log_list_add(&list, given.arguments[i], err);
    for (size_t i = 0; i < list.count && rc == 0; i++) {
        rc = minds_show_file(&show, list.paths[i], err);
        fwrite(buf_cstr(&show.out), 1, show.out.len, stdout);
        buf_clear(&show.out);
    }
    if (rc == 0 && show.decisions == 0)
        fprintf(stderr, "no decision of a language model is kept there%s\n",
                show.name || show.game ? " that is asked for" : "");
    buf_done(&show.out);
    return rc;
}

static int list_games(int argc, char **argv, Err *err)
{
    return log_games(&cmd_log_usage[3], argc, argv, err);
}

static int show_exchange(int argc, char **argv, Err *err)
{
    return log_exchange(&cmd_log_usage[4], argc, argv, err);
}

static int print_doc(int argc, char **argv, Err *err)
{
    return log_doc(&cmd_log_usage[5], argc, argv, err);
}

/* ---- what the verbs share ---- */

static int list_logs(const Options *given, LogList *list, Err *err)
{
    int rc = 0;

    if (given->argument_count == 0)
        return err_set(err, ERR_USAGE, "%s: name at least one file or directory",
                       given->usage->command);
    for (int i = 0; i < given->argument_count && rc == 0; i++)
        rc = log_list_add(list, given->arguments[i], err);
    return rc;
}

/* Prints what `out` holds and empties it. */
static int print_text(Buf *out, Err *err)
{
    if (buf_failed(out))
        return err_set(err, ERR_MEMORY, "no memory for the output");
    fwrite(buf_cstr(out), 1, out->len, stdout);
    buf_clear(out);
    return 0;
}

/* A preset, or a file, which is then called by its own name and not by the preset's that it
 * begins with. */
static int load_rules(const char *text, Ruleset *ret_rules, Err *err)
{
    int rc = ruleset_arg(text, ret_rules, err);

    if (rc == 0 && strcmp(text, ret_rules->name) != 0) {
        const char *slash = strrchr(text, '/');
        snprintf(ret_rules->name, sizeof(ret_rules->name), "%.*s", RULESET_NAME_MAX - 1,
                 slash ? slash + 1 : text);
    }
    return rc;
}

static void show_progress(Progress *progress, size_t done, size_t all)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "%zu of %zu logs", done, all);
    progress_show(progress, loop_now() / 1000, buf_str(&text));
}

/* ---- check ---- */

/* How many logs are how. */
typedef struct Counts {
    size_t ok;
    size_t differing; /* ok, but by the rules of an older server */
    size_t truncated;
    size_t bad;
    size_t unreadable;
} Counts;

static void count_verdict(const LogVerdict *verdict, Counts *counts)
{
    counts->ok += verdict->ok;
    counts->differing += verdict->ok && verdict->differences;
    counts->truncated += !verdict->ok && verdict->truncated;
    counts->bad += !verdict->ok && !verdict->truncated;
}

static int check_logs(const LogList *list, const LogCheckOptions *options, bool json, bool quiet,
                      Counts *counts, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf out = {0};
    Progress progress = progress_new(list->count < 20 || terminal_is(stdout));
    int rc = 0;

    for (size_t i = 0; i < list->count && rc == 0; i++) {
        LogVerdict verdict;
        show_progress(&progress, i, list->count);
        Err unreadable = {0};
        rc = log_verdict_of(list->paths[i], options, &text, &verdict, &unreadable);
        if (rc && (rc != ERR_IO || list->count == 1)) {
            rc = err_set(err, (ErrCode)rc, "%s", unreadable.msg);
            break;
        }
        if (rc) { /* one that can't be read hides none of the others */
            verdict = (LogVerdict){.line = 1};
            snprintf(verdict.reason, sizeof(verdict.reason), "%s", unreadable.msg);
            counts->unreadable++;
        } else {
            count_verdict(&verdict, counts);
        }
        if (quiet && verdict.ok) {
            rc = 0;
            continue;
        }
        if (json) {
            log_verdict_json(list->paths[i], &verdict, &out);
        } else {
            utf8_add_printable(str_of(list->paths[i]), SIZE_MAX, &out);
            buf_add(&out, STR(": "));
            log_verdict_print(&verdict, &out);
            buf_add_char(&out, '\n');
        }
        rc = print_text(&out, err);
    }
    progress_end(&progress);
    return rc;
}

static void print_counts(const LogList *list, const Counts *counts)
{
    printf("%zu logs: %zu ok", list->count, counts->ok);
    if (counts->differing)
        printf(" (%zu of them by other rules than today's)", counts->differing);
    if (counts->truncated)
        printf(", %zu truncated", counts->truncated);
    printf(", %zu not legal\n", counts->bad);
}

static int check_command(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(log_list_done) LogList list = {0};
    LogCheckOptions options = {0};
    Counts counts = {0};
    Ruleset rules;
    int rc = options_parse(&cmd_log_usage[0], argc, argv, &given, err);

    if (rc <= 0)
        return rc;
    rc = list_logs(&given, &list, err);
    if (rc == 0 && options_has(&given, CHECK_RULES)) {
        rc = load_rules(options_text(&given, CHECK_RULES), &rules, err);
        options.rules = &rules;
    }
    bool json = options_has(&given, CHECK_JSON);
    if (rc == 0)
        rc = check_logs(&list, &options, json, options_has(&given, CHECK_QUIET), &counts, err);
    if (rc)
        return rc;
    if (list.count > 1 && !json)
        print_counts(&list, &counts);
    bool records_ok;
    rc = log_exchange_check(&given, json, options_has(&given, CHECK_QUIET), &records_ok, err);
    if (rc)
        return rc;
    if (counts.unreadable)
        return err_set(err, ERR_IO, "%zu of %zu logs can't be read", counts.unreadable, list.count);
    return counts.ok == list.count && records_ok ? 0 : 1;
}

/* ---- stats ---- */

static int add_log(const char *path, Buf *text, Standings *standings, Err *err)
{
    CLEANUP(log_game_done) LogGame log = {0};
    GameResult result;

    buf_clear(text);
    int rc = log_verdict_read(path, text, err);
    if (rc)
        return rc;
    if (maw_record_is(buf_str(text)))
        return err_set(err, ERR_RULE,
                       "%s: the record of a MAW session: its points are in leaderboard.json beside "
                       "it, and are not added up with games'",
                       path);
    rc = log_game_read(buf_str(text), &log, err);
    if (rc == 0)
        rc = log_result(&log, &result, err);
    if (rc == 0)
        rc = standings_add_game(standings, &result, err);
    if (rc)
        err_wrap(err, "%s: ", path);
    return rc;
}

static void say_left_out(const Err *why)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_add(&line, STR("left out: "));
    utf8_add_printable(str_of(why->msg), ERR_TEXT_MAX, &line);
    fprintf(stderr, "%s\n", buf_cstr(&line));
}

static int stats_command(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(log_list_done) LogList list = {0};
    CLEANUP(standings_done) Standings standings = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf out = {0};
    int rc = options_parse(&cmd_log_usage[1], argc, argv, &given, err);

    if (rc <= 0)
        return rc;
    rc = list_logs(&given, &list, err);
    Progress progress = progress_new(list.count < 20);
    size_t left_out = 0;
    for (size_t i = 0; i < list.count && rc == 0; i++) {
        Err wrong = {0};
        show_progress(&progress, i, list.count);
        rc = add_log(list.paths[i], &text, &standings, &wrong);
        if (rc == 0)
            continue;
        if (rc == ERR_MEMORY || list.count == 1)
            rc = err_set_at(err, (ErrCode)rc, wrong.line, wrong.column, "%s", wrong.msg);
        else { /* one unfinished game hides none of the others */
            progress_end(&progress);
            say_left_out(&wrong);
            left_out++;
            rc = 0;
        }
    }
    progress_end(&progress);
    if (rc)
        return rc;
    standings_rank(&standings, 0);
    const StandingsView view = {.form = (StandingsForm)options_number(&given, STATS_FORMAT),
                                .color = terminal_colors(stdout, COLOR_AUTO)};
    standings_write(&standings, &view, &out);
    rc = print_text(&out, err);
    return rc == 0 && left_out > 0 ? 1 : rc;
}

/* ---- show ---- */

static int show_session(Str record, const Options *given, Err *err)
{
    CLEANUP(buf_done) Buf out = {0};
    MawShowOptions options = {
        .seat = str_of(options_text(given, SHOW_SEAT)),
        .color = terminal_colors(stdout, (ColorMode)options_number(given, SHOW_COLOR)),
        .language = (ShowLanguage)options_number(given, SHOW_LANG),
    };
    int rc = maw_show(record, &options, &out, err);

    return rc ? rc : print_text(&out, err);
}

/* The number of a seat; 0 = all seats. */
static int seat_wanted(const LogGame *log, const Options *given, SeatNo *ret_seat, Err *err)
{
    uint64_t seat = 0;

    if (options_has(given, SHOW_SEAT) &&
        (!str_to_uint(str_of(options_text(given, SHOW_SEAT)), SEAT_MAX, &seat) || seat == 0 ||
         seat > log->seat_count))
        return err_set(err, ERR_USAGE, "--seat %s: the game has the seats 1 to %u",
                       options_text(given, SHOW_SEAT), log->seat_count);
    *ret_seat = (SeatNo)seat;
    return 0;
}

static int show_log(const LogGame *log, Str text, const Options *given, Err *err)
{
    Substitute substitutes[SEAT_MAX + 1];
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(mem_freep) SeatSet *known = mem_new((log->count + 1) * sizeof(*known));
    ShowOptions options = {
        .reveal = options_has(given, SHOW_REVEAL),
        .color = terminal_colors(stdout, (ColorMode)options_number(given, SHOW_COLOR)),
        .language = (ShowLanguage)options_number(given, SHOW_LANG),
    };

    if (!known)
        return err_set(err, ERR_MEMORY, "no memory for a game of %zu lines", log->count);
    log_substitutes_find(given->arguments[0], substitutes);
    options.substitutes = substitutes;
    int rc = seat_wanted(log, given, &options.seat, err);
    if (rc == 0)
        rc = log_known(text, log, known, err);
    if (rc)
        return rc;
    log_show(log, known, &options, &out);
    return print_text(&out, err);
}

/* A folder stands for the session in it. */
static int read_shown(const char *path, Buf *text, Err *err)
{
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf inside = {0};

    buf_printf(&record, "%s/session.jsonl", path);
    if (log_file_read(buf_cstr(&record), MAW_RECORD_BYTES_MAX, &inside, NULL) == 0) {
        *text = inside;
        inside = (Buf){0};
        return 0;
    }
    return log_verdict_read(path, text, err);
}

static int show_command(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(log_game_done) LogGame log = {0};
    CLEANUP(buf_done) Buf text = {0};
    int rc = options_parse(&cmd_log_usage[2], argc, argv, &given, err);

    if (rc <= 0)
        return rc;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "log show: name one file or session's directory");
    char *path = given.arguments[0];
    char *words[] = {argv[0], path, NULL};
    if (options_has(&given, SHOW_HTML))
        return cmd_export(2, words, err);
    rc = read_shown(path, &text, err);
    if (rc)
        return rc;
    if (maw_record_is(buf_str(&text))) {
        rc = show_session(buf_str(&text), &given, err);
        return rc && rc != ERR_USAGE ? err_wrap(err, "%s: ", path) : rc;
    }
    rc = log_game_read(buf_str(&text), &log, err);
    if (rc)
        return err_wrap(err, "%s: line %u: ", path, err->line);
    return show_log(&log, buf_str(&text), &given, err);
}
