/* contest_serve.h - `warg contest serve DIR`: a contest site's server, until it is told to end.
 *
 * For:    src/cmd/cmd_contest.c.
 * Memory: none is kept.
 * Thread: main thread.
 * Source: docs/spec/contest-operations.md 14, 16.1.
 */
#ifndef WARG_CLI_CONTEST_SERVE_H
#define WARG_CLI_CONTEST_SERVE_H

#include "base/err.h"
#include "base/time_us.h"

typedef struct ContestServe {
    const char *folder; /* of server.yml */
    const char *clock;  /* a file that holds the date, for rehearsals; or NULL */
    DateMs *date;       /* else this is it: loop_date_ms */
    DateOf *date_of;    /* loop_date_of, for pages of games */
} ContestServe;

/* Serves until SIGINT or SIGTERM. Prints where it listens. Errors: those of server_file_load,
 * api_server_open, tls_server_new. */
int contest_serve(const ContestServe *serve, Err *err);

#endif
