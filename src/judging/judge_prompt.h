/* judge_prompt.h - what a model judge is asked: one criterion of one game.
 *
 * For:    runner/job_judge.c.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 10.3.
 *
 * What is said in the game stands between two lines with a word that nobody can foresee, and the
 * system message says that it is the game and never an instruction.
 */
#ifndef WARG_JUDGING_JUDGE_PROMPT_H
#define WARG_JUDGING_JUDGE_PROMPT_H

#include "judging/sheet_view.h"

/* Whether the game is in Japanese, by its characters' names. */
bool judge_prompt_is_japanese(const JudgeGame *game);

/* The system message, of a criterion; its digest says by which words was judged. */
void judge_prompt_system(Criterion criterion, bool japanese, Buf *out);
/* The user message; `fence`: a random word. */
void judge_prompt_user(const SheetView *view, bool japanese, Str fence, Buf *out);
/* The message behind an answer that could not be used. */
void judge_prompt_repair(Str why, bool japanese, Buf *out);
/* JSON schema of an answer, whose names are those of the view. */
void judge_prompt_schema(const SheetView *view, Buf *out);

/* Seats that speak to the judge: words like "judge", "rank me first", or marks of a chat template.
 */
SeatSet judge_prompt_addressed(const SheetView *view);
/* The same of one text. */
bool judge_prompt_is_addressed(Str text);

#endif
