/* nlp_bot.h - a built-in bot as an agent of the natural-language division: the server's packets go
 *             in, replies come out.
 *
 * For:    seat/nlp_call.c, which puts it on a connection.
 * Memory: an NlpBot owns its client, its bot and its reply.
 * Thread: pure; one at a time.
 * Source: docs/spec/nlp-division.md 1.4, 3, 6.2, 10.
 *
 * All chance of a game comes from the seed of the plan, the name, and the number of its game: with
 * the same seed on the server too, the same game can be played again.
 */
#ifndef WARG_SEAT_NLP_BOT_H
#define WARG_SEAT_NLP_BOT_H

#include "bot/bot.h"
#include "seat/thinker.h"
#include "wire/nlp_client.h"

typedef struct NlpBot NlpBot;

typedef struct NlpBotPlan {
    const BotKind *kind;
    const Thinker *thinker; /* not NULL: it plays, and `kind` is not looked at */
    void *thinker_user;
    const char *name; /* the answer to NAME; borrowed for the bot's life */
    uint64_t seed;
} NlpBotPlan;

int nlp_bot_new(const NlpBotPlan *plan, NlpBot **ret_bot, Err *err); /* ERR_MEMORY */
NlpBot *nlp_bot_free(NlpBot *bot);
void nlp_bot_freep(NlpBot **bot);

/* A new connection: what was under way on the one before it is forgotten. */
void nlp_bot_connected(NlpBot *bot);

/* The connection is gone: a thinker need not think on. */
void nlp_bot_lost(NlpBot *bot);

/* A packet of the server. *ret_reply is the reply, or empty when none is due or a thinker has been
 * asked; borrowed until the next call.
 * Errors: those of nlp_client_packet; the bot has not heard that packet then. */
int nlp_bot_packet(NlpBot *bot, Str packet, TimeUs now, Str *ret_reply, Err *err);

/* The reply that says this answer of a thinker; borrowed until the next call. */
Str nlp_bot_reply(NlpBot *bot, const Ask *ask, const Answer *answer);

/* Whether it may speak in a speak-anytime session now: one is open, and it has not said Over.
 * Never for a thinker, which was told by a standing ask. */
bool nlp_bot_may_speak(const NlpBot *bot);
/* What it says there now; empty = nothing yet, ask again after a while. Until its last utterance
 * has come back from the server it waits, for some asks. */
Str nlp_bot_speak(NlpBot *bot);

/* The last packet, NLP_REQUEST_COUNT before the first of a connection. */
NlpRequest nlp_bot_last(const NlpBot *bot);

/* The game as it knows it; NULL before the first. Borrowed until the next packet. */
const View *nlp_bot_view(const NlpBot *bot);

/* Games that were finished, how many of them had a winner, and how many this bot's side has won. */
uint64_t nlp_bot_games(const NlpBot *bot);
uint64_t nlp_bot_decided(const NlpBot *bot);
uint64_t nlp_bot_wins(const NlpBot *bot);

#endif
