/* judge_records.h - all that model judges were asked and have answered, in one file that only
 *                   grows: what is in it is asked by nobody again.
 *
 * For:    runner/job_judge.c; published with the contest.
 * Memory: a JudgeRecords is freed by judge_records_free; texts are its own.
 * Thread: the job's.
 * Source: docs/spec/contest-operations.md 10.3: "prompt digest, order, raw answer, tokens, model as
 *         reported are kept and published; a restart asks nothing twice".
 *
 *   contests/NAME/judging/answers.jsonl, a line an answer, on disk before the next is asked
 *   {"sheet":17,"track":"turn5","criterion":"C","model":"http://...","repeat":0,"order":[3,1,2],
 *    "ask":0,"system":"sha256...","prompt":"sha256...","served":"llama3.1:8b","answer":"...",
 *    "tokens":[812,143],"good":false,"why":"Mei is not ranked"}
 */
#ifndef WARG_RUNNER_JUDGE_RECORDS_H
#define WARG_RUNNER_JUDGE_RECORDS_H

#include "judging/judging_store.h"

typedef struct JudgeRecords JudgeRecords;

/* What is known of a sheet. */
typedef struct JudgeKnown {
    int64_t sheet;
    uint32_t asked; /* so often, with and without use */
    bool good;      /* `answer` is the one that counts */
    Buf answer;     /* the last one, as it came */
    Buf why;        /* it could not be used */
} JudgeKnown;

/* One answer. Borrowed. */
typedef struct JudgeRecord {
    const SheetRow *row;
    Str system, prompt; /* as they were sent */
    Str served, answer;
    uint32_t prompt_tokens, answer_tokens;
    bool good;
    Str why;
} JudgeRecord;

/* Reads what is there; a line that a crash has cut off is left behind. Errors: ERR_IO, ERR_SYNTAX,
 * ERR_MEMORY. */
int judge_records_open(const char *path, JudgeRecords **ret_records, Err *err);
JudgeRecords *judge_records_free(JudgeRecords *records); /* takes NULL */

/* Of this sheet, made if need be; valid until the next call. NULL: no memory. */
JudgeKnown *judge_records_of(JudgeRecords *records, int64_t sheet);
/* Adds an answer; on disk when it returns. Errors: ERR_IO, ERR_MEMORY. */
int judge_records_add(JudgeRecords *records, const JudgeRecord *record, Err *err);
/* Of all answers, read and written. */
uint64_t judge_records_tokens(const JudgeRecords *records);

#endif
