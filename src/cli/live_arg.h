/* live_arg.h - the options of live data: --http and what goes with it, --realtime.
 *
 * For:    lines of `warg serve`.
 * Memory: a LiveArg owns the texts of its setup; live_arg_done frees them.
 * Thread: main thread.
 * Source: docs/spec/web.md 4.2, 11.1.
 */
#ifndef WARG_CLI_LIVE_ARG_H
#define WARG_CLI_LIVE_ARG_H

#include "cli/options.h"
#include "serve/live.h"

#define LIVE_NAMES_MAX 16

/* Where they stand in a command's table, behind its `first`. */
enum {
    LIVE_HTTP,
    LIVE_HTTP_NAME,
    LIVE_HTTP_DELAY,
    LIVE_REALTIME,
    LIVE_OPERATOR_FILE,
    LIVE_OPTION_COUNT,
};

/* Their rows: [FIRST] = LIVE_OPTION_ROWS(…). `games`: what is watched; `hidden`: what is left out
 * of it beside the roles. */
/* clang-format off */
#define LIVE_OPTION_ROWS(games, hidden)                                                            \
    {"http", 0, OPTION_TEXT, "[ADDRESS:]PORT",                                                     \
     games " can be watched there while they are played: list and event streams, without roles"    \
     hidden "; 0 = any free port",                                                                 \
     NULL, 0, 0},                                                                                  \
    {"http-name", 0, OPTION_LIST, "NAME",                                                          \
     "with --http: a further name by which browsers may reach it; again for more",                 \
     NULL, 0, 0},                                                                                  \
    {"http-delay", 0, OPTION_DURATION, "TIME",                                                     \
     "with --http or --realtime: who has no operator's token is told so much later, and the "      \
     "files lag by it",                                                                            \
     NULL, 0, 86400000},                                                                           \
    {"realtime", 0, OPTION_TEXT, "DIR",                                                            \
     "keep the files there that a viewer polls, as the natural-language division's; without "      \
     "roles in DIR/masked",                                                                        \
     NULL, 0, 0},                                                                                  \
    {"operator-file", 0, OPTION_TEXT, "FILE",                                                      \
     "with --web or --http: holds the operator's token, which opens running " games "; made when missing; " \
     "without it one is drawn and printed",                                                        \
     NULL, 0, 0}
/* clang-format on */

/* Zeroed before use; not to be copied. */
typedef struct LiveArg {
    LiveSetup setup; /* but for `note` and `user` */
    Buf host;
    Buf token;
    Str names[LIVE_NAMES_MAX];
} LiveArg;

/* `has_pages`: --operator-file may be for these. Errors: ERR_USAGE; those of operator_token. */
int live_arg_read(const Options *given, size_t first, bool has_pages, LiveArg *ret, Err *err);
/* "8080", "0.0.0.0:8080", "[::1]:8080", of --`option`. Errors: ERR_USAGE. */
int live_arg_address(const char *option, const char *text, Buf *ret_host, uint16_t *ret_port,
                     Err *err);
void live_arg_done(LiveArg *arg);

#endif
