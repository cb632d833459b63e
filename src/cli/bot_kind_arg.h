/* bot_kind_arg.h - a kind of built-in bot, by its name.
 *
 * For:    the verbs of `warg bot`.
 * Memory: constants.
 * Thread: any.
 * Source: bot/bot.h.
 */
#ifndef WARG_CLI_BOT_KIND_ARG_H
#define WARG_CLI_BOT_KIND_ARG_H

#include "base/err.h"
#include "bot/bot.h"

/* Errors: ERR_USAGE with the nearest name. */
int bot_kind_arg(Str name, const BotKind **ret_kind, Err *err);

#endif
