/* job_judge.h - jobs of the kind `judge`: models rate sheets.
 *
 * For:    runner/job_kinds.c.
 * Memory: none is kept.
 * Thread: the job's process.
 * Source: docs/spec/contest-operations.md 10.3.
 *
 *   {"kind":"judge","contest":"cup","budget_tokens":20000000,"items":[...]}   judging/judge_items.h
 *
 *   ask -> it can't be used -> asked once more with the error named -> asked anew, up to 5 times
 *       -> the sheet stays empty, and is counted
 *
 * A server that does not answer costs no try: behind a few in a row its model is asked no more in
 * this job, and the rest of its sheets is put again. A model that will not answer (its key, its
 * name) is asked once; the job fails with what was said, and what others gave is there. None keeps
 * others from being asked. When the budget is spent the sheets that are left stay empty.
 */
#ifndef WARG_RUNNER_JOB_JUDGE_H
#define WARG_RUNNER_JOB_JUDGE_H

#include "runner/runner.h"

/* Members of the result: "rated", "empty", "left", "tokens", "addressed":[{"sheet","names":[..]}]
 * (seats that spoke to the judge). */
int job_judge(const JobPlace *place, const json_t *job, Json *result, Err *err);

#endif
