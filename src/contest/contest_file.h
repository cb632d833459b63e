/* contest_file.h - a contest described in a YAML file: rules, agents, stages, limits.
 *
 * For:    `warg run FILE`, `--agent FILE.yml` (only its list of agents).
 * Memory: fills the caller's Plan; on an error the plan is half filled, drop it with plan_done.
 * Thread: any, each with its own plan.
 * Source: docs/contest.md; docs/spec/protocol-division.md 8.
 *
 * A key that is not known is refused with its place and the nearest known one. Folders, and a file
 * of rules, are named relative to the folder that the file itself is in.
 */
#ifndef WARG_CONTEST_CONTEST_FILE_H
#define WARG_CONTEST_CONTEST_FILE_H

#include "match/plan.h"

#define CONTEST_BYTES_MAX ((size_t)256 * 1024)

/* Reads the file into `plan`, made by plan_init. What the file does not say stays as it is in the
 * plan; without `stages` there is one, called "final". The caller asks plan_check afterwards, when
 * all agents are there.
 * Errors: ERR_IO; ERR_SYNTAX, ERR_RULE, ERR_USAGE, ERR_LIMIT with the file's name in front, line
 * and column. */
int contest_file_load(const char *path, Plan *plan, Err *err);

/* Adds the agents of a file that has nothing but a list of agents, with or without `agents:` above
 * it. Errors: as above. */
int contest_file_agents(Plan *plan, Str path, Err *err);

/* The same for texts. `folder` is what relative names start from: "" = the current folder, NULL =
 * no file can be named in this text. */
int contest_text_load(Str text, const char *folder, Plan *plan, Err *err);
int contest_text_agents(Str text, const char *folder, Plan *plan, Err *err);

#endif
