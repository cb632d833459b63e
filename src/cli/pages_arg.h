/* pages_arg.h - the options of pages beside games that are played: --web and what goes with it.
 *
 * For:    `warg run`, `warg maw`, lines of `warg serve`.
 * Memory: a PagesArg owns the texts of its setup; pages_arg_done frees them.
 * Thread: main thread.
 * Source: docs/spec/web.md 3, 4.2, 11.1, 11.2.
 */
#ifndef WARG_CLI_PAGES_ARG_H
#define WARG_CLI_PAGES_ARG_H

#include "cli/options.h"
#include "serve/live_pages.h"

#define PAGES_NAMES_MAX 16

/* Where they stand in a command's table, behind its `first`. */
enum { PAGES_WEB, PAGES_DELAY, PAGES_NAMES, PAGES_PUBLIC_HOST, PAGES_OPTION_COUNT };

/* Their rows: [FIRST] = PAGES_OPTION_ROWS(…). */
/* clang-format off */
#define PAGES_OPTION_ROWS(games)                                                                   \
    {"web", 0, OPTION_TEXT, "[ADDRESS:]PORT",                                                      \
     "pages there, on which " games " are watched in a browser while they are played, and "        \
     "afterwards; 0 = any free port",                                                              \
     NULL, 0, 0},                                                                                  \
    {"delay", 0, OPTION_DURATION, "TIME",                                                          \
     "on the pages: who is no operator sees all so much later",                                     \
     NULL, 0, 86400000},                                                                           \
    {"names", 0, OPTION_CHOICE, "end|shown|hidden",                                                \
     "on the pages: whether everybody is told which agent sits where: at the end, of a game or of " \
     "the sets in which seats stay; while they are played too; or never",                          \
     "end", 0, 0},                                                                                 \
    {"public-host", 0, OPTION_LIST, "NAME",                                                        \
     "a further name by which browsers may reach the pages; again for more",                       \
     NULL, 0, 0}
/* clang-format on */

/* Zeroed before use; not to be copied. */
typedef struct PagesArg {
    LivePagesSetup setup; /* but for `date_of`, `note`, `user` */
    Buf host;
    Buf token;
    Str names[PAGES_NAMES_MAX];
} PagesArg;

/* `token`: the operator's, when another option has it already; else it is that of
 * `operator_file`, or drawn. `always`: without --web there are pages, too, on a port that is there
 * anyway. Errors: ERR_USAGE; those of operator_token. */
int pages_arg_read(const Options *given, size_t first, Str token, const char *operator_file,
                   bool always, PagesArg *ret, Err *err);
void pages_arg_done(PagesArg *arg);

#endif
