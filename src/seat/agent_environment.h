/* agent_environment.h - the environment of an agent that we start.
 *
 * For:    seat/child_program.h; who reads `env=NAME`; notes about it.
 * Memory: the caller's; each function says so.
 * Thread: any, as long as nobody changes our own environment.
 * Source: docs/spec/contest-operations.md 6.4 (an exact environment); man/warg-run.1.scd, env=NAME.
 *
 * Keys and passwords of whoever runs a contest stand in the environment, so agents get PATH, HOME,
 * LANG and TZ, what `env=NAME` names, and PYTHONUNBUFFERED=1, without which the last words of a
 * Python program that crashes are lost. `env=*` is all.
 *
 * `env` is everywhere the names that an agent gets besides the usual ones, a blank between, or "*";
 * NULL = none.
 */
#ifndef WARG_SEAT_AGENT_ENVIRONMENT_H
#define WARG_SEAT_AGENT_ENVIRONMENT_H

#include "net/child.h"

/* Takes a name of `env=NAME`, or `*`, in `names`. Errors: ERR_USAGE for what is no name of a
 * variable. */
int agent_environment_add_name(Str name, Buf *names, Err *err);
bool agent_environment_is_all(const char *env);
/* Cuts the next name off that is not set here, as far as there is one: else it is empty. */
Str agent_environment_next_unset(Str *rest);

/* The environment, ours being `from` ("NAME=VALUE", NULL-terminated). One block on the heap, for
 * mem_free; the texts in it are borrowed. NULL when memory is out. */
const char **agent_environment_of(const char *env, const char *const *from);
/* That of a strict cell: always the same, but for what the runtime wants (`runtime`, "NAME=VALUE",
 * NULL-terminated) and what `env` names, from our own; "*" counts for nothing. One block, and the
 * only thing that is the caller's. docs/spec/contest-operations.md 6.4 */
const char **agent_environment_strict(const char *env, const char *const *runtime,
                                      const char *home);
/* The same from our own. */
const char **agent_environment_own(const char *env);

/* Appends the names of variables of `from` that it did not get, sorted, a comma between, nothing
 * when there are none; of many the first ones and how many more. What every shell sets by itself is
 * not among them. */
void agent_environment_add_left_out(const char *env, const char *const *from, Buf *out);
/* A line of it, begun by a line end, with our own: for an agent that died so at its start. Nothing
 * when its program was not found or could not be run. `hinted` is of all agents of a run: the names
 * are given once, after that the line is short. */
void agent_environment_add_hint(const char *env, ChildEnd how, bool *hinted, Buf *out);
/* The same for an agent in a strict cell, which has a view of its own too: what there is, once. */
void agent_environment_add_strict_hint(ChildEnd how, bool *hinted, Buf *out);

#endif
