#include "cli/contest_check.h"

#include "api/api_client.h"
#include "base/exit_status.h"
#include "base/mem.h"
#include "disk/folder.h"
#include "disk/regular_file.h"
#include "disk/result_folder.h"
#include "net/interrupt.h"
#include "net/loop.h"
#include "runner/version_work.h"
#include "show/terminal.h"
#include "show/version_report.h"
#include "site/team.h"
#include "site/version_rules.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#define CONTEST_BYTES ((size_t)1 << 20) /* of a contest file */

enum {
    LANGUAGE,
    ENTRY,
    TEAM,
    CONTEST,
    GAMES,
    JAVA_LIB,
    STARTER,
    WHEELS,
    CELL,
    JSON_OUT,
    QUIET,
    WORDS,
};

const Option contest_check_options[CONTEST_CHECK_OPTIONS] = {
    [LANGUAGE] = {"language", 'l', OPTION_CHOICE, "java|dotnet|python|native",
                  "what it is written for", NULL, 0, 0},
    [ENTRY] = {"entry", 'e', OPTION_TEXT, "NAME",
               "the player's class, the script or the program, without a folder", NULL, 0, 0},
    [TEAM] = {"team", 't', OPTION_TEXT, "NAME", "the team, which is the name it is given", "team",
              0, 0},
    [CONTEST] = {"contest", 'c', OPTION_TEXT, "FILE|URL",
                 "the contest file, or the contest's URL: limits, cells and games are as it says",
                 NULL, 0, 0},
    [GAMES] = {"games", 'g', OPTION_UINT, "N", "games of a set; 20, or as the contest says", NULL,
               1, CHECK_GAMES_MAX},
    [JAVA_LIB] = {"java-lib", 0, OPTION_TEXT, "DIR", "the platform's jars", NULL, 0, 0},
    [STARTER] = {"starter", 0, OPTION_TEXT, "FILE", "the platform's starter of .NET", NULL, 0, 0},
    [WHEELS] = {"wheels", 0, OPTION_TEXT, "DIR", "wheels that requirements are taken from", NULL, 0,
                0},
    [CELL] = {"cell", 0, OPTION_CHOICE, "strict|namespaces|filter", "which cells", "strict", 0, 0},
    [JSON_OUT] = {"json", 0, OPTION_FLAG, NULL, "print the report as JSON", NULL, 0, 0},
    [QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "no progress line", NULL, 0, 0},
    [WORDS] = {"words", 0, OPTION_CHOICE, "en|ja", "language of the advice", "en", 0, 0},
};

const char contest_check_text[] =
    "Tries a file as the server of a contest does before it takes a version: unpacks it, builds\n"
    "what its requirements.txt asks for, starts it in a strict cell, and plays with it in every\n"
    "role, in sets, and once more. Prints a verdict for each step, and what to change. Its report\n"
    "is the server's but for times.";

const char contest_check_examples[] =
    "warg contest check team_foo.zip --language python --entry start.py --team team_foo\n"
    "warg contest check foo.jar --language java --entry org.example.Player --team foo \\\n"
    "    --contest cup.yml\n"
    "warg contest check foo.zip -l native -e foo -t foo --contest "
    "https://contest.example.org/cup\n";

/* ---- what a contest says ---- */

static int read_file(const char *path, Buf *out, Err *err)
{
    char piece[4096];
    ssize_t n = 1;
    int fd = -1;
    int rc = regular_file_open(path, &fd, err);

    while (rc == 0 && n > 0 && out->len <= CONTEST_BYTES) {
        n = read(fd, piece, sizeof(piece));
        if (n < 0 && errno != EINTR)
            rc = err_set(err, ERR_IO, "read '%s': %s", path, strerror(errno));
        if (n > 0)
            buf_add(out, (Str){piece, (size_t)n});
    }
    if (fd >= 0)
        close(fd);
    return rc;
}

/* Folders of a contest file are seen from where it lies. */
static void folder_of(const char *path, Buf *out)
{
    const char *slash = strrchr(path, '/');

    if (slash)
        buf_add(out, (Str){path, (size_t)(slash - path)});
    else
        buf_add_char(out, '.');
}

static int read_contest(const char *path, CellLevel level, VersionTerms *terms, Err *err)
{
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf folder = {0};
    int rc = read_file(path, &text, err);

    folder_of(path, &folder);
    if (rc == 0)
        rc = contest_rules_read(buf_str(&text), buf_cstr(&folder), &rules, err);
    if (rc) {
        err_wrap(err, "contest file '%s': ", path);
        return rc;
    }
    return version_rules_terms(&rules, level, terms, err);
}

/* Places of the platform are the server's own, and named here by other options. */
static int ask_contest(const char *url, VersionTerms *terms, Err *err)
{
    CLEANUP(api_client_freep) ApiClient *client = NULL;
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf site = {0};
    CLEANUP(buf_done) Buf path = {0};
    Str whole = str_of(url);
    size_t slash = 0;

    while (whole.len && whole.bytes[whole.len - 1] == '/')
        whole.len--;
    if (!str_find_last(whole, '/', &slash))
        return err_set(err, ERR_USAGE, "'%s' is no contest's URL", url);
    buf_add(&site, str_part(whole, 0, slash));
    buf_printf(&path, "contests/%.*s/environment", STR_ARG(str_part(whole, slash + 1, whole.len)));
    const ApiClientSetup setup = {.url = buf_cstr(&site)};
    int rc = api_client_open(&setup, &client, err);
    if (rc == 0)
        rc = api_ask(client, "GET", buf_cstr(&path), (Str){0}, &reply, err);
    if (rc == 0 && !json_is_map(json_get(reply.json, "terms")))
        rc = err_set(err, ERR_SYNTAX, "'%s' does not say what it asks of versions", url);
    return rc ? rc : version_terms_read(json_get(reply.json, "terms"), terms, err);
}

static bool is_url(const char *text)
{
    return str_starts(str_of(text), STR("http://")) || str_starts(str_of(text), STR("https://"));
}

/* A folder or file of the platform that was named here. */
static int take_path(const Options *given, size_t option, Buf *out, Err *err)
{
    const char *path = options_text(given, option);
    char whole[PATH_MAX];

    if (!path)
        return 0;
    if (!realpath(path, whole))
        return err_set(err, ERR_IO, "'%s': %s", path, strerror(errno));
    buf_clear(out);
    buf_add(out, str_of(whole));
    return 0;
}

static int read_terms(const Options *given, VersionTerms *terms, Err *err)
{
    static const CellLevel levels[] = {CELL_STRICT, CELL_NAMESPACES, CELL_FILTER};
    const char *contest = options_text(given, CONTEST);
    const CellLevel level = levels[options_number(given, CELL)];
    int rc = 0;

    version_terms_init(terms);
    terms->cell.level = level;
    if (contest)
        rc = is_url(contest) ? ask_contest(contest, terms, err)
                             : read_contest(contest, level, terms, err);
    if (options_has(given, CELL))
        terms->cell.level = level;
    if (options_has(given, GAMES))
        terms->games = (uint32_t)options_number(given, GAMES);
    terms->japanese = options_number(given, WORDS) == 1;
    if (rc == 0)
        rc = take_path(given, JAVA_LIB, &terms->java_lib, err);
    if (rc == 0)
        rc = take_path(given, STARTER, &terms->dotnet_starter, err);
    return rc ? rc : take_path(given, WHEELS, &terms->python_wheels, err);
}

/* ---- the work ---- */

typedef struct Showing {
    Progress progress;
} Showing;

static bool show_progress(void *user, const char *step, uint64_t done, uint64_t games, TimeUs now)
{
    Showing *showing = user;
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "%s: %" PRIu64 " of %" PRIu64 " games", step, done, games);
    progress_show(&showing->progress, now / 1000, buf_str(&line));
    return !interrupt_came();
}

static int do_all(const WorkPlace *place, const char *file, VersionWork *work, Err *err)
{
    int rc = version_work_unpack(place, file, work, err);

    if (rc == 0 && !work->refused.len)
        rc = version_work_build(place, work, err);
    if (rc == 0 && !work->refused.len)
        rc = version_work_check(place, work, err);
    return rc;
}

/* A folder of ours that goes away. */
static int make_place(Buf *top, Buf *trees, Buf *scratch, Err *err)
{
    const char *parent = getenv("TMPDIR");

    buf_printf(top, "%s/warg-version-XXXXXX", parent && parent[0] ? parent : "/tmp");
    if (buf_failed(top))
        return err_set(err, ERR_MEMORY, "contest check: out of memory");
    if (!mkdtemp(top->bytes)) {
        int rc =
            err_set(err, ERR_IO, "can't make the folder '%s': %s", top->bytes, strerror(errno));
        buf_done(top);
        return rc;
    }
    buf_printf(trees, "%s/trees", top->bytes);
    buf_printf(scratch, "%s/work", top->bytes);
    return folder_make(buf_str(scratch), err);
}

static int print_report(const Options *given, const VersionWork *work, Err *err)
{
    CLEANUP(buf_done) Buf out = {0};
    int rc = 0;

    if (options_has(given, JSON_OUT))
        buf_printf(&out, "%s\n", buf_cstr(&work->report));
    else
        rc = version_report_write_text(buf_str(&work->report), &out, err);
    if (rc)
        return rc;
    fputs(buf_cstr(&out), stdout);
    return version_report_passed(buf_str(&work->report)) ? (int)EXIT_OK : (int)EXIT_DISAGREE;
}

static int check_file(const Options *given, const char *own_verb, VersionWork *work, Err *err)
{
    CLEANUP(buf_done) Buf top = {0};
    CLEANUP(buf_done) Buf trees = {0};
    CLEANUP(buf_done) Buf scratch = {0};
    Showing showing = {progress_new(options_has(given, QUIET))};
    Interrupt interrupt;
    const unsigned mask = result_folder_begin(false);
    int rc = make_place(&top, &trees, &scratch, err);

    if (rc == 0) {
        const WorkPlace place = {.trees = buf_cstr(&trees),
                                 .scratch = buf_cstr(&scratch),
                                 .own_verb = own_verb,
                                 .umask = mask,
                                 .date = loop_date_ms,
                                 .now = loop_now,
                                 .progress = show_progress,
                                 .user = &showing};
        interrupt_watch(&interrupt);
        rc = do_all(&place, given->arguments[0], work, err);
        progress_end(&showing.progress);
        interrupt_done(&interrupt);
    }
    if (top.len)
        folder_remove(buf_cstr(&top), NULL);
    return rc;
}

static int read_version(const Options *given, VersionWork *work, Err *err)
{
    static const char *const names[] = {"java", "dotnet", "python", "native"};

    if (given->argument_count != 1)
        return err_set(err, ERR_USAGE, "contest check: name one file");
    if (!options_has(given, LANGUAGE))
        return err_set(err, ERR_USAGE, "contest check: expected --language");
    buf_add(&work->language, str_of(names[options_number(given, LANGUAGE)]));
    buf_add(&work->entry, str_of(options_text(given, ENTRY)));
    buf_add(&work->team, str_of(options_text(given, TEAM)));
    if (!work->entry.len && options_number(given, LANGUAGE) != 1)
        return err_set(err, ERR_USAGE, "contest check: expected --entry");
    if (memchr(buf_cstr(&work->entry), '/', work->entry.len))
        return err_set(err, ERR_USAGE, "contest check: --entry has no folder");
    int rc = team_judge_name(buf_str(&work->team), false, err);
    return rc ? rc : read_terms(given, &work->terms, err);
}

int contest_check(const Options *given, const char *own_verb, Err *err)
{
    CLEANUP(version_work_done) VersionWork work = {0};
    int rc = read_version(given, &work, err);

    if (rc == 0)
        rc = check_file(given, own_verb, &work, err);
    return rc ? rc : print_report(given, &work, err);
}
