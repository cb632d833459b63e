#include "cmd/log_games.h"

#include "cmd/results_arg.h"
#include "show/game_folders.h"

#include <stdio.h>

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

static void on_left_out(void *user, Str why)
{
    (void)user;
    results_arg_left_out(why);
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
    const GameFolders folders = {.left_out = on_left_out};
    rc = game_folders_hear(&list, given.arguments, (size_t)given.argument_count, &folders, err);
    if (rc == 0)
        rc = game_list_check_agent(&list, err);
    if (rc == 0)
        rc = game_list_write(&list, err);
    if (rc)
        return rc;
    fwrite(buf_cstr(&list.out), 1, list.out.len, stdout);
    return list.left_out ? EXIT_DISAGREE : EXIT_OK;
}
