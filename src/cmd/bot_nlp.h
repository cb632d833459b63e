/* bot_nlp.h - the verb `warg bot nlp`; its row is in cmd_bot.c.
 *
 * For:    cmd_bot.c.
 * Memory: constant table.
 * Thread: main thread.
 * Source: docs/spec/nlp-division.md 12.4.
 */
#ifndef WARG_CMD_BOT_NLP_H
#define WARG_CMD_BOT_NLP_H

#include "base/err.h"
#include "cli/options.h"

#define BOT_NLP_OPTION_COUNT 24
extern const Option bot_nlp_options[BOT_NLP_OPTION_COUNT];
/* For the row's Usage. */
#define BOT_NLP_OPTIONS bot_nlp_options, BOT_NLP_OPTION_COUNT

/* As cmd_bot's verb. */
int bot_nlp(int argc, char **argv, Err *err);

#endif
