/* nlp_replay.h - games of the natural-language division that models have played in, once more: from
 * what came into their hall and the answers that were kept of the models' servers.
 *
 * For:    `warg serve nlp --answers-from`.
 * Memory: what the setup points to is borrowed for the call.
 * Thread: the caller's.
 * Source: docs/spec/models.md 2: the same record byte for byte.
 *
 * No port is opened, no request sent, no clock read: what is written has the times of then. What
 * agents of others have said is in the file of moves (nlp/hall_moves.h); what models say follows
 * from their answers, and the first decision that is another one ends it.
 */
#ifndef WARG_SERVE_NLP_REPLAY_H
#define WARG_SERVE_NLP_REPLAY_H

#include "base/exit_status.h"
#include "nlp/config.h"
#include "serve/door_words.h"

/* Beside the answers in the folder of --record-minds. */
#define NLP_MOVES_FILE "hall.jsonl"

typedef struct NlpReplaySetup {
    Config *config;      /* as then, but where its logs go: they may not be there already */
    const char *answers; /* the folder of --record-minds */
    const char *spec;    /* of the models, as then */
    bool quiet;
    DoorWords words;
} NlpReplaySetup;

/* Returns an exit status: EXIT_NOT_OWN as of the server. Errors: those of hall_moves_load,
 * guests_new, nlp_hall_new, result_journal_open; ERR_RULE, with file and line, when it does not
 * fit: another configuration, other models, an answer that was changed. */
int nlp_replay(const NlpReplaySetup *setup, Err *err);

#endif
