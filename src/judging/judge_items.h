/* judge_items.h - a model judge's sheet in a job, and what it gave, as JSON.
 *
 * For:    site/judging_turn.c, which puts the job and takes ratings over; runner/job_judge.c.
 * Memory: texts are borrowed.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 10.3.
 *
 *   {"sheet":17,"track":"turn5","criterion":"C","model":"demo","repeat":0,"order":[3,1,2],
 *    "folder":"tracks/turn5/main/logs","log":"01M8....log"}
 *
 *   out/ratings.jsonl, a line a sheet; no ranking: the model gave none that could be used
 *   {"sheet":17,"ranking":[{"seat":3,"rank":1,"score":5,"reason":"..."}]}
 */
#ifndef WARG_JUDGING_JUDGE_ITEMS_H
#define WARG_JUDGING_JUDGE_ITEMS_H

#include "judging/judging_store.h"

typedef struct json_t json_t;

#define JUDGE_RATINGS_FILE "ratings.jsonl"

void judge_item_write(const SheetRow *row, Json *json);
/* Texts of `ret_row` are copied. Errors: ERR_SYNTAX, ERR_MEMORY. */
int judge_item_read(const json_t *json, SheetRow *ret_row, Err *err);

#endif
