/* check_bot.h - the players at the table of an agent that is tried: they say and do what agents
 *               stumble over.
 *
 * For:    the step `dialogue` of `warg agent check`, with the agent on seat 1.
 * Memory: as every bot (bot/bot.h).
 * Thread: the game's.
 * Source: docs/spec/contest-operations.md 7: every role, revotes, whispers, dead targets, 20 turns.
 *
 * They speak in every other turn, so that a day has its 20 turns, and each sentence is one of a
 * list with all that the language has; half of them vote for the agent and half for somebody else,
 * so that the vote is a tie unless the agent decides it, and in the revote not for the agent, who
 * so lives on; wolves disagree at first, too.
 */
#ifndef WARG_CONTEST_CHECK_BOT_H
#define WARG_CONTEST_CHECK_BOT_H

#include "bot/bot.h"

#define CHECK_BOT_AGENT     ((SeatNo)1) /* the seat of the agent that is tried */
#define CHECK_BOT_SENTENCES 24
#define CHECK_BOT_TEXT      256 /* bytes, of a sentence with its NUL */

extern const BotKind check_bot;

/* Sentence `number` of the list, as seat `me` says it of two others, one of them dead if anybody
 * is. Returns its length. */
size_t check_bot_sentence(unsigned number, SeatNo me, SeatNo other, SeatNo dead,
                          char ret_text[static CHECK_BOT_TEXT]);

#endif
