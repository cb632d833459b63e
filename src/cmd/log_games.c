#include "cmd/log_games.h"

#include "cmd/results_arg.h"
#include "journal/journal.h"
#include "results/results.h"
#include "show/game_list.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { AGENT, ROLE, WON, LOST, FAULTS, JSON, LANGUAGE };
const Option log_games_options[LOG_GAMES_OPTION_COUNT] = {
    [AGENT] = {"agent", 'a', OPTION_TEXT, "NAME", "only games in which this agent played", NULL, 0,
               0},
    [ROLE] = {"role", 'r', OPTION_CHOICE,
              "VILLAGER|SEER|MEDIUM|BODYGUARD|WEREWOLF|POSSESSED|FREEMASON|FOX",
              "with --agent: only games in which it had this role", NULL, 0, 0},
    [WON] = {"won", 0, OPTION_FLAG, NULL, "with --agent: only games that it won", NULL, 0, 0},
    [LOST] = {"lost", 0, OPTION_FLAG, NULL, "with --agent: only games that it did not win", NULL, 0,
              0},
    [FAULTS] = {"faults", 0, OPTION_FLAG, NULL,
                "only games in which an agent, or that of --agent, did something wrong or a "
                "substitute played on for it",
                NULL, 0, 0},
    [JSON] = {"json", 0, OPTION_FLAG, NULL, "one JSON object a line", NULL, 0, 0},
    [LANGUAGE] = {"language", 0, OPTION_CHOICE, "en|ja", "of the table", "en", 0, 0},
};

/* ---- what is asked for ---- */

static int read_wanted(const Options *given, GameList *list, Err *err)
{
    static const int of_an_agent[] = {ROLE, WON, LOST};

    if (given->argument_count == 0)
        return err_set(err, ERR_USAGE, "log list: name a folder, that of 'warg run --out'");
    for (size_t i = 0; i < sizeof(of_an_agent) / sizeof(of_an_agent[0]); i++)
        if (options_has(given, (size_t)of_an_agent[i]) && !options_has(given, AGENT))
            return err_set(err, ERR_USAGE, "--%s is about one agent: name it with --agent",
                           log_games_options[of_an_agent[i]].name);
    if (options_has(given, WON) && options_has(given, LOST))
        return err_set(err, ERR_USAGE, "no game is both --won and --lost");
    list->agent = str_of(options_text(given, AGENT));
    if (options_has(given, ROLE))
        list->role = role_of(str_of(options_text(given, ROLE)));
    list->won = options_has(given, WON);
    list->lost = options_has(given, LOST);
    list->faults = options_has(given, FAULTS);
    list->json = options_has(given, JSON);
    list->japanese = options_number(given, LANGUAGE) == 1;
    game_list_begin(list);
    return 0;
}

/* ---- folders ---- */

static int on_game(void *user, const GameRecord *record, Err *err)
{
    return game_list_add(user, record, err);
}

static int on_log(void *user, const char *path, const GameRecord *record, Err *err)
{
    (void)path;
    return game_list_add(user, record, err);
}

static void on_left_out(void *user, Str why)
{
    GameList *list = user;

    list->left_out++;
    results_arg_left_out(why);
}

/* Whether both lead to the same folder. */
static bool same_folder(const char *a, const char *b)
{
    struct stat one, other;

    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static int hear_folder(GameList *list, const char *dir, Err *err)
{
    const JournalListener listener = {.game = on_game, .user = list};
    const LogFolderListener logs = {on_log, on_left_out, list, &list->prints};
    struct stat about;
    uint64_t games;

    list->dir = dir;
    if (journal_exists(dir))
        return journal_read(dir, &listener, NULL, err);
    if (stat(dir, &about) == 0 && S_ISDIR(about.st_mode) &&
        log_folder_read(dir, &logs, &games, NULL) == 0)
        return 0;
    return err_set(err, ERR_USAGE,
                   "'%s' holds no " JOURNAL_FILE
                   ", which tells who played, and no logs; the folder "
                   "of 'warg run --out' does",
                   dir);
}

/* The folder of a journal or a database that was named itself; the path is cut there. */
static char *folder_of(char *path)
{
    char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;

    if (strcmp(name, JOURNAL_FILE) != 0 && strcmp(name, RESULTS_FILE) != 0)
        return path;
    if (!slash)
        path[0] = '.';
    path[!slash || slash == path ? 1 : slash - path] = '\0';
    return path;
}

/* A folder that was named before adds nothing. */
static int hear_folders(GameList *list, const Options *given, Err *err)
{
    int rc = 0;

    list->several = given->argument_count > 1;
    for (int i = 0; rc == 0 && i < given->argument_count; i++) {
        bool before = false;
        given->arguments[i] = folder_of(given->arguments[i]);
        for (int k = 0; k < i; k++)
            before = before || same_folder(given->arguments[k], given->arguments[i]);
        if (!before)
            rc = hear_folder(list, given->arguments[i], err);
    }
    return rc;
}

/* ---- the verb ---- */

int log_games(const Usage *usage, int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(game_list_done) GameList list = {0};
    int rc = options_parse(usage, argc, argv, &given, err);

    if (rc <= 0)
        return rc;
    rc = read_wanted(&given, &list, err);
    if (rc)
        return rc;
    rc = hear_folders(&list, &given, err);
    if (rc == 0)
        rc = game_list_check_agent(&list, err);
    if (rc == 0)
        rc = game_list_write(&list, err);
    if (rc)
        return rc;
    fwrite(buf_cstr(&list.out), 1, list.out.len, stdout);
    return list.left_out ? EXIT_DISAGREE : EXIT_OK;
}
