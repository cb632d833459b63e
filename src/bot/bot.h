/* bot.h - built-in agents: each a function of ask and view, with a memory of its own.
 *
 * For:    in-process seats of `warg run`, substitutes, and later bots behind every wire. A bot
 *         sees views only; it touches no clock, file or socket.
 * Memory: the caller gives each bot instance a block of kind->bytes, cleared or not; a bot
 *         allocates nothing.
 * Thread: the game's.
 * Source: guide: design, rooms.
 */
#ifndef WARG_BOT_BOT_H
#define WARG_BOT_BOT_H

#include "game/game.h"

typedef struct Bot Bot; /* each kind's own struct begins where this points */

typedef struct BotKind {
    const char *name; /* "random", as in `--agent bot:random` */
    const char *about;
    size_t bytes; /* of one instance's memory */
    /* A game begins. All chance of the bot comes from `seed`. */
    void (*start)(Bot *bot, const View *view, uint64_t seed);
    /* Fills `ret_answer` (kind is set already, all else zero). A text is borrowed until the next
     * call with this bot; it need not be parsed: the referee does that, once for all. */
    void (*answer)(Bot *bot, const Ask *ask, const View *view, Answer *ret_answer);
} BotKind;

/* The bot of this name, or NULL. Constant. */
const BotKind *bot_kind(Str name);

/* The kinds in listing order; NULL beyond the last. */
const BotKind *bot_kind_at(size_t index);

#endif
