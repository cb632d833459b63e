/* kinds.h - the built-in bots, one per file; only bot.c and tests include this.
 *
 * For:    the table in bot.c.
 * Memory: constants.
 * Thread: any.
 * Source: bot.h.
 */
#ifndef WARG_BOT_KINDS_H
#define WARG_BOT_KINDS_H

#include "bot/bot.h"

extern const BotKind bot_random;
extern const BotKind bot_sample;
extern const BotKind bot_talker;
extern const BotKind bot_talker_en;
extern const BotKind bot_talker_ja;

#endif
