/* scores_public.h - scores.json as everybody may read it: of a model its name, not where it runs.
 *
 * For:    GET contests/C/scores.
 * Memory: `out` is the caller's; nothing is kept.
 * Thread: pure.
 * Source: docs/contest-api.md; docs/spec/contest-operations.md 10.4.
 *
 *   "http://10.0.0.5/v1,model=llama3,key-file=/k"  llama3
 *   another one that is called so                  llama3 (2)
 *   "demo"                                         demo
 *   what says no name                              model
 */
#ifndef WARG_JUDGING_SCORES_PUBLIC_H
#define WARG_JUDGING_SCORES_PUBLIC_H

#include "base/buf.h"

/* Copies the file's text with the values of "model" changed. More than SHEETS_MODELS_MAX different
 * ones, which no contest has, are all "model". */
void scores_public(Str scores, Buf *out);

#endif
