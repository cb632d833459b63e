/* blind_text.h - a text without what would tell a judge whose agent is speaking.
 *
 * For:    sheets and prompts.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 10.1: "always blind", O31.
 *
 * An agent may say its team's name, or that of another one it has met. Where such a name, or that
 * of a team without -A or -B, stands as a word of its own, in letters of either case or of full
 * width, with any hyphen or underscore in place of another, with signs in between that nobody sees,
 * with or without a number behind it, a mark stands in its place.
 */
#ifndef WARG_JUDGING_BLIND_TEXT_H
#define WARG_JUDGING_BLIND_TEXT_H

#include "judging/judge_game.h"

#define BLIND_MARK "[...]"

/* Appends `text` without the names of the game's teams. A character's name, or a role's, stays even
 * if a team is called so. */
void blind_text(const JudgeGame *game, Str text, Buf *out);

#endif
