/* serve_aiwolf.h - a line `aiwolf OPTION...` of `warg serve`.
 *
 * For:    cmd_serve.c alone.
 * Memory: a ServeAiwolf owns its plan; free it behind the doors.
 * Thread: main thread.
 * Source: docs/spec/protocol-division.md 8.1.
 */
#ifndef WARG_CMD_SERVE_AIWOLF_H
#define WARG_CMD_SERVE_AIWOLF_H

#include "cli/live_arg.h"
#include "cli/pages_arg.h"
#include "serve/doors.h"

enum {
    AIWOLF_HOST,
    AIWOLF_PORT,
    AIWOLF_PLAYERS,
    AIWOLF_GAMES,
    AIWOLF_RULES,
    AIWOLF_AGENT,
    AIWOLF_OPINIONS,
    AIWOLF_TABLES,
    AIWOLF_CELL,
    AIWOLF_ONCE,
    AIWOLF_SETS,
    AIWOLF_OUT,
    AIWOLF_OPEN_RESULTS,
    AIWOLF_PROMPTS,
    AIWOLF_RESUME,
    AIWOLF_GZIP,
    AIWOLF_NO_EXCHANGE,
    AIWOLF_TIME_LIMIT,
    AIWOLF_STARTUP,
    AIWOLF_ON_FAULT,
    AIWOLF_CONNECTIONS,
    AIWOLF_LINE_BYTES,
    AIWOLF_QUEUE_BYTES,
    AIWOLF_SEED,
    AIWOLF_FORMAT,
    AIWOLF_LIVE, /* the first of LIVE_OPTION_COUNT */
    AIWOLF_LIVE_END = AIWOLF_LIVE + LIVE_OPTION_COUNT - 1,
    AIWOLF_PAGES, /* the first of PAGES_OPTION_COUNT */
    AIWOLF_PAGES_END = AIWOLF_PAGES + PAGES_OPTION_COUNT - 1,
    AIWOLF_QUIET,
    AIWOLF_OPTION_COUNT,
};

extern const Option serve_aiwolf_options[AIWOLF_OPTION_COUNT];

typedef struct ServeAiwolf ServeAiwolf;

/* Reads it. Returns 1 = go on, 0 = help was printed, or an error of the line. */
int serve_aiwolf_read(int argc, char **argv, ServeAiwolf **ret_line, Err *err);
ServeAiwolf *serve_aiwolf_free(ServeAiwolf *line); /* takes NULL */

bool serve_aiwolf_opens_results(const ServeAiwolf *line);
/* ERR_USAGE when both would write the same folder. */
int serve_aiwolf_check_beside(const ServeAiwolf *line, const ServeAiwolf *other, Err *err);

/* What a line can't know by itself. */
typedef struct ServeAiwolfBeside {
    unsigned umask; /* that agents get */
    bool several;   /* there are other such lines */
    DoorWords words;
} ServeAiwolfBeside;

/* Opens its port. Errors: those of doors_add_aiwolf. */
int serve_aiwolf_add(ServeAiwolf *line, const ServeAiwolfBeside *beside, Doors *doors, Err *err);
/* Says it when the plan's seed can be guessed; once doors_prepare has found it. */
void serve_aiwolf_warn(const ServeAiwolf *line);

#endif
