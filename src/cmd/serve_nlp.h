/* serve_nlp.h - a line `nlp OPTION...` of `warg serve`.
 *
 * For:    cmd_serve.c alone.
 * Memory: a ServeNlp owns its configurations, its token and TLS; free it behind the doors.
 * Thread: main thread.
 * Source: docs/spec/nlp-division.md 2.7.
 */
#ifndef WARG_CMD_SERVE_NLP_H
#define WARG_CMD_SERVE_NLP_H

#include "cli/options.h"
#include "cli/pages_arg.h"
#include "serve/doors.h"

enum {
    NLP_CONFIG,
    NLP_CHECK,
    NLP_HOST,
    NLP_PORT,
    NLP_TLS_CERT,
    NLP_TLS_KEY,
    NLP_ENV,
    NLP_FILL,
    NLP_FILL_AFTER,
    NLP_FILL_WITH,
    NLP_RECORD,
    NLP_PROMPTS,
    NLP_ANSWERS,
    NLP_LOG_DIR,
    NLP_BUDGET,
    NLP_PRICES,
    NLP_OPINIONS,
    NLP_OPERATOR_FILE,
    NLP_PAGES, /* the first of PAGES_OPTION_COUNT */
    NLP_PAGES_END = NLP_PAGES + PAGES_OPTION_COUNT - 1,
    NLP_ROOM,
    NLP_OPEN_RESULTS,
    NLP_GAMES,
    NLP_SEED,
    NLP_LOOPS,
    NLP_STAY,
    NLP_ANALYSE,
    NLP_JSON,
    NLP_REDUCE,
    NLP_SOURCE,
    NLP_DESTINATION,
    NLP_QUIET,
    NLP_VERSION,
    NLP_OPTION_COUNT,
};

extern const Option serve_nlp_options[NLP_OPTION_COUNT];

typedef struct ServeNlp ServeNlp;

/* Reads it and its configurations. Returns 1 = go on, 0 = help or the version was printed, or an
 * error of the line or of a configuration. */
int serve_nlp_read(int argc, char **argv, ServeNlp **ret_line, Err *err);
ServeNlp *serve_nlp_free(ServeNlp *line); /* takes NULL */

/* --check, -a, -r, --answers-from: nothing is served. */
bool serve_nlp_looks_only(const ServeNlp *line);
int serve_nlp_look(ServeNlp *line, Err *err);

size_t serve_nlp_count(const ServeNlp *line); /* of configurations */
bool serve_nlp_stays(const ServeNlp *line);
bool serve_nlp_opens_results(const ServeNlp *line);
/* ERR_RULE when servers of both would write the same file, or listen on the same port. */
int serve_nlp_check_beside(const ServeNlp *line, const ServeNlp *other, Err *err);

/* What a line can't know by itself. */
typedef struct ServeNlpBeside {
    size_t before;        /* servers of lines before it */
    size_t servers;       /* of all lines */
    uint32_t connections; /* of each server */
    DoorWords words;
} ServeNlpBeside;

/* Opens its servers. Errors: those of doors_add_nlp, operator_token and tls_server_new. */
int serve_nlp_add(ServeNlp *line, const ServeNlpBeside *beside, Doors *doors, Err *err);

#endif
