/* judge_answer.h - what a model judge has answered, and whether it is a ranking.
 *
 * For:    runner/job_judge.c.
 * Memory: reasons are copied into the answer; judge_answer_done frees them.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 10.3: "exactly these names, ranks a permutation of 1..n,
 *         lines that exist".
 */
#ifndef WARG_JUDGING_JUDGE_ANSWER_H
#define WARG_JUDGING_JUDGE_ANSWER_H

#include "judging/sheet_view.h"

#define JUDGE_ANSWER_BYTES ((size_t)256 * 1024)

typedef struct JudgeAnswer {
    uint32_t rank[SEAT_MAX + 1];
    uint32_t score[SEAT_MAX + 1]; /* 0 = none */
    Str reason[SEAT_MAX + 1];     /* parts of `reasons`, cut to 400 characters */
    Buf reasons;
} JudgeAnswer;

void judge_answer_done(JudgeAnswer *answer);

/* Reads the JSON object of an answer; what stands before and behind it (a fence, a word) is passed
 * over. Zero `ret_answer` before. Errors: ERR_SYNTAX, ERR_RULE with what is wrong, for the model to
 * read; ERR_MEMORY. */
int judge_answer_read(Str text, const SheetView *view, JudgeAnswer *ret_answer, Err *err);

/* The answer of the built-in model: who repeats itself, passes or names strangers least is best;
 * of equals, who is shown first. */
void judge_answer_demo(const SheetView *view, Buf *out);

#endif
