/* serve_guests.h - language models that take empty seats of `warg serve nlp`.
 *
 * For:    serve_nlp.c, --fill-with.
 * Memory: a Guests owns its players and their connections; the setup's texts are borrowed.
 * Thread: the loop's.
 * Source: docs/spec/nlp-division.md 2.2 (target: --fill), 1.3 (tokens).
 *
 * They come as all others do, by a WebSocket, with a name and a token: the server does not know
 * them. Each plays one game; who is not seated within some seconds goes.
 */
#ifndef WARG_SERVE_SERVE_GUESTS_H
#define WARG_SERVE_SERVE_GUESTS_H

#include "base/key.h"
#include "record/game_record.h"
#include "thinker/model_agent.h"

typedef struct Guests Guests;

typedef struct GuestsSetup {
    const char *spec;   /* llm/llm_arg.h */
    const char *record; /* a folder, as in ModelBots; NULL = nothing is kept of them */
    bool record_prompts;
    const char *host; /* where the server listens, as configured */
    Str secret_key;   /* signs their tokens; empty: none are wanted */
    ModelLanguage language;
    Key key;      /* of all their chance */
    DateMs *date; /* of their tokens */
    /* A line for people. */
    void (*note)(void *user, Str line);
    void *user;
} GuestsSetup;

/* Errors: those of model_bots_open. */
int guests_new(Loop *loop, const GuestsSetup *setup, Guests **ret_guests, Err *err);
Guests *guests_free(Guests *guests);
void guests_set_port(Guests *guests, uint16_t port);

/* So many come, of this team, or each of a team of its own when it is empty. */
void guests_call(Guests *guests, Str team, uint32_t count, TimeUs now);
/* When one of them plays under this name: what it is and how it has decided in its game. The
 * model's name is borrowed for the life of the Guests. */
void guests_record(const Guests *guests, Str name, SeatRecord *own);
void guests_count(const Guests *guests, ModelCounts *counts);

#endif
