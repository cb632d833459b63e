/* contest_cell.h - the key `cell` of a contest file: how programs are to be confined.
 *
 * For:    contest/contest_file.h.
 * Memory: texts are the plan's.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 3.2, 6.4, 18.
 *
 *     cell: strict                         short for {level: strict}
 *     cell: {memory: 2GiB, cpu: 1h}        strict, as without a level only strict ones have these
 *     cell: {level: light, output: 4MiB}
 */
#ifndef WARG_CONTEST_CONTEST_CELL_H
#define WARG_CONTEST_CONTEST_CELL_H

#include "base/yaml.h"
#include "match/plan.h"

/* Into plan->cell, and `output` into plan->limits. Folders are seen from `folder` (NULL or "" =
 * here). Errors: with line and column. */
int contest_cell_read(const YamlNode *node, const char *folder, Plan *plan, Err *err);

#endif
