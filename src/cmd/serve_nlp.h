/* serve_nlp.h - `warg serve nlp`, for the table of verbs in cmd_serve.c.
 *
 * For:    cmd_serve.c alone.
 * Memory: a constant table.
 * Thread: main thread.
 * Source: docs/spec/nlp-division.md 2.7.
 */
#ifndef WARG_CMD_SERVE_NLP_H
#define WARG_CMD_SERVE_NLP_H

#include "cmd/options.h"

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
    NLP_OPERATOR_FILE,
    NLP_OPEN_RESULTS,
    NLP_GAMES,
    NLP_SEED,
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

int serve_nlp(int argc, char **argv, Err *err);

#endif
