/* aiwolf_bot.h - a built-in bot as an agent of the protocol division: the server's lines go in,
 *                answers come out. Also a thinker, whose answers come later.
 *
 * For:    `warg bot aiwolf` (seat/bot_call.h brings the lines).
 * Memory: an AiwolfBot owns its client, its bot and its answer.
 * Thread: pure; one at a time.
 * Source: docs/spec/protocol-division.md 1.4, 9 (checklist for agents).
 *
 * All chance of a game comes from the seed of the plan and the bytes of the game's INITIALIZE
 * packet, nothing else: not the games before it, not the process. A server that is killed and
 * resumed, or a bot that is started again, sees the same play. Two games that begin with the same
 * packet begin with the same chance, and part when the bot hears different things.
 */
#ifndef WARG_SEAT_AIWOLF_BOT_H
#define WARG_SEAT_AIWOLF_BOT_H

#include "bot/bot.h"
#include "seat/thinker.h"
#include "wire/aiwolf_client.h"

typedef struct AiwolfBot AiwolfBot;

typedef struct AiwolfBotPlan {
    const BotKind *kind;
    const Thinker *thinker; /* not NULL: it plays, and `kind` is not looked at */
    void *thinker_user;
    const char *name; /* the answer to NAME; borrowed for the bot's life */
    Role wish;        /* the answer to ROLE; ROLE_NONE = no wish */
    uint64_t seed;
} AiwolfBotPlan;

int aiwolf_bot_new(const AiwolfBotPlan *plan, AiwolfBot **ret_bot, Err *err); /* ERR_MEMORY */
AiwolfBot *aiwolf_bot_free(AiwolfBot *bot);
void aiwolf_bot_freep(AiwolfBot **bot);

/* A line of the server, without its line end. *ret_answer is the answer with its LF, or empty when
 * none is due or a thinker has been asked; borrowed until the next call.
 * Errors: those of aiwolf_client_packet; the bot is of no more use then, as it can't know what it
 * has missed. */
int aiwolf_bot_line(AiwolfBot *bot, Str line, TimeUs now, Str *ret_answer, Err *err);
/* The connection is gone: a thinker need not think on. */
void aiwolf_bot_lost(AiwolfBot *bot);

/* Whether the last line was FINISH, so that the end of the connection is in order (6.3, point 8).
 */
bool aiwolf_bot_finished(const AiwolfBot *bot);

/* What the last line was, AIWOLF_REQUEST_COUNT before the first. */
AiwolfRequest aiwolf_bot_last(const AiwolfBot *bot);

/* Games that were finished, and how many of them this bot's side has won. */
uint64_t aiwolf_bot_games(const AiwolfBot *bot);
uint64_t aiwolf_bot_wins(const AiwolfBot *bot);

#endif
