/* cmd_web.c - `warg web`: pages of what some paths hold. */
#include "base/yaml.h"
#include "cmd/cmd.h"
#include "disk/log_file.h"
#include "serve/rooms_door.h"
#include "serve/web_door.h"
#include "show/terminal.h"

#include <stdio.h>

#define NAMES_MAX      16
#define ROOMS_MADE_MAX 16

enum { HOST, PORT, OPERATOR_FILE, PUBLIC_HOST, NAMES, PRICES, ROOM, FILL_WITH, EMBED, ASSETS };
static const Option options[] = {
    [HOST] = {"host", 0, OPTION_TEXT, "ADDRESS",
              "where to listen; 0.0.0.0 is every address of this machine", "127.0.0.1", 0, 0},
    [PORT] = {"port", 'p', OPTION_UINT, "N", "port; 0 takes a free one", "8090", 0, 65535},
    [OPERATOR_FILE] = {"operator-file", 0, OPTION_TEXT, "FILE",
                       "holds the operator's secret; made when it is missing. Without it one is "
                       "drawn at each start",
                       NULL, 0, 0},
    [PUBLIC_HOST] = {"public-host", 0, OPTION_LIST, "NAME",
                     "another name of this server, as that of a proxy in front of it", NULL, 0, 0},
    [NAMES] = {"names", 0, OPTION_CHOICE, "shown|hidden",
               "whether others than operators are told which agent played on which seat", "shown",
               0, 0},
    [PRICES] = {"prices", 0, OPTION_TEXT, "FILE",
                "what tokens of models cost, as config/prices.yml; without it no cost is shown",
                NULL, 0, 0},
    [ROOM] = {"room", 0, OPTION_LIST, "WORDS",
              "a room in which people play in their browsers, among bots: 'players=5 people=3 "
              "start=60s'; its link and QR code are printed; again for more",
              NULL, 0, 0},
    [FILL_WITH] = {"fill-with", 0, OPTION_TEXT, "SPEC",
                   "with --room: language models that rooms may have with fill=SPEC: "
                   "llm:URL,model=NAME, or llm:demo",
                   NULL, 0, 0},
    [EMBED] = {"embed", 0, OPTION_TEXT, "ORIGIN", "pages of this origin may hold ours in a frame",
               NULL, 0, 0},
    [ASSETS] = {"assets", 0, OPTION_TEXT, "DIR",
                "script and style of this folder in place of the program's own: for who changes "
                "the pages",
                NULL, 0, 0},
};
const Usage cmd_web_usage[] = {
    {"web", "[PATH...]",
     "Serves pages of the games that the paths hold, to be looked at in a browser: log files,\n"
     "folders of logs, folders of 'warg run --out' and 'warg serve', records of MAW sessions.\n"
     "With --room people play, too. Nothing is written but results.db of a contest and search.db,\n"
     "an index; both can be removed. Ctrl-C ends it.",
     OPTIONS(options),
     "warg web results\n"
     "warg web game.log.gz\n"
     "warg web --host 0.0.0.0 --operator-file operator.key spring autumn\n"
     "warg web --host 0.0.0.0 --room 'division=maw players=8 people=5 start=60s'\n",
     NULL, NULL},
    {0},
};

static void say_line(void *user, Str line)
{
    (void)user;
    fprintf(stderr, "warg: %.*s\n", STR_ARG(line));
}

static void print_words(void *user, Str words)
{
    (void)user;
    printf("%.*s", STR_ARG(words));
    fflush(stdout);
}

int cmd_web(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    Str names[NAMES_MAX];
    WebDoorSetup setup = {
        .site = {.public_hosts = names, .date_of = loop_date_of, .note = say_line}};
    int go = options_parse(&cmd_web_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    const char *rooms[ROOMS_MADE_MAX + 1] = {NULL};
    for (size_t i = 0; i < ROOMS_MADE_MAX; i++)
        rooms[i] = options_item(&given, ROOM, i);
    if (options_item(&given, ROOM, ROOMS_MADE_MAX))
        return err_set(err, ERR_USAGE, "at most %d --room", ROOMS_MADE_MAX);
    if (given.argument_count == 0 && !rooms[0])
        return err_set(err, ERR_USAGE, "web: name at least one log or folder, or --room");
    if (options_has(&given, FILL_WITH) && !rooms[0])
        return err_set(err, ERR_USAGE, "--fill-with goes with --room");
    const char *name;
    while (setup.site.public_host_count < NAMES_MAX &&
           (name = options_item(&given, PUBLIC_HOST, setup.site.public_host_count)))
        names[setup.site.public_host_count++] = str_of(name);
    setup.site.paths =
        (CatalogueSetup){(const char *const *)given.arguments, (size_t)given.argument_count};
    setup.site.host = options_text(&given, HOST);
    setup.site.embed = str_of(options_text(&given, EMBED));
    setup.site.assets = options_text(&given, ASSETS);
    setup.site.names_hidden = options_number(&given, NAMES) == 1;
    setup.port = (uint16_t)options_number(&given, PORT);
    setup.operator_file = options_text(&given, OPERATOR_FILE);
    setup.terminal = terminal_is(stdout);
    setup.words = print_words;
    setup.rooms = rooms;
    setup.model = options_text(&given, FILL_WITH);
    LlmPrices *prices = NULL;
    int rc = llm_prices_load(options_text(&given, PRICES), &prices, err);
    setup.site.prices = prices;
    if (rc == 0)
        rc = (rooms[0] ? rooms_door_serve : web_door_serve)(&setup, loop_now(), err);
    llm_prices_free(prices);
    return rc;
}
