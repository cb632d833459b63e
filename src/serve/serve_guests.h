/* serve_guests.h - language models that take empty seats of `warg serve nlp`.
 *
 * For:    serve_nlp.c, --fill-with.
 * Memory: a Guests owns its players and their connections; the setup's texts are borrowed.
 * Thread: the loop's.
 * Source: docs/spec/nlp-division.md 2.2 (target: --fill), 1.3 (tokens).
 *
 * They come as all others do, by a WebSocket, with a name and a token: the server does not know
 * them. Each plays one game; who is not seated within some seconds goes.
 *
 * When games are played again (serve/nlp_replay.c) none connects: packets and moves are brought to
 * each by its number, and what it says is handed to `says`.
 */
#ifndef WARG_SERVE_SERVE_GUESTS_H
#define WARG_SERVE_SERVE_GUESTS_H

#include "base/key.h"
#include "nlp/hall.h"
#include "nlp/hall_moves.h"
#include "record/game_record.h"
#include "thinker/model_agent.h"

typedef struct Guests Guests;

typedef struct GuestsSetup {
    const char *spec;   /* llm/llm_arg.h */
    const char *record; /* a folder, as in ModelBots; NULL = nothing is kept of them */
    bool record_prompts;
    const char *budget, *prices; /* as in ModelBots */
    LlmOpinions opinions;        /* where the spec has none */
    const char *host;            /* where the server listens, as configured */
    Str secret_key;              /* signs their tokens; empty: none are wanted */
    ModelLanguage language;
    Key key;          /* of all their chance */
    DateMs *date;     /* of their tokens */
    HallMoves *moves; /* gets what they hear and when they move; borrowed; NULL = nobody */
    /* A folder whose answers they give again; NULL = none. With it, and only then: */
    const char *answers;
    void (*says)(void *user, uint32_t number, Str text);
    /* A line for people. */
    void (*note)(void *user, Str line);
    void *user;
} GuestsSetup;

/* `loop` is NULL with `answers`. Errors: those of model_bots_open. */
int guests_new(Loop *loop, const GuestsSetup *setup, Guests **ret_guests, Err *err);
Guests *guests_free(Guests *guests);
void guests_set_port(Guests *guests, uint16_t port);

/* So many come, of this team, or each of a team of its own when it is empty. */
void guests_call(Guests *guests, Str team, uint32_t count, TimeUs now);
/* When one of them plays at this seat: what it is and how it has decided in its game, which is
 * over. The model's name is borrowed for the life of the Guests. */
void guests_record(const Guests *guests, const NlpGame *game, SeatNo seat, SeatRecord *own);
void guests_count(const Guests *guests, ModelCounts *counts);
/* ServerSetup.guest_of: by a number that only this process knows. */
uint32_t guests_number_of(const Guests *guests, Str words);

/* ---- with `answers` ---- */

/* It takes a packet; its connection has come: `packet` is empty. Errors: those of nlp_bot_packet;
 * ERR_RULE when no such guest was called, or an answer does not fit. */
int guests_hear(Guests *guests, uint32_t number, Str packet, TimeUs at, Err *err);
/* Errors: the same. */
int guests_move(Guests *guests, uint32_t number, ModelMove move, TimeUs at, Err *err);
int guests_leave(Guests *guests, uint32_t number, Err *err);
/* Whether all answers were given. Errors: those of model_agent_replayed. */
int guests_replayed(const Guests *guests, Err *err);

#endif
