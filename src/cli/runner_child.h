/* runner_child.h - the runner of a contest site as a child of its server: started, and again when
 * it ends.
 *
 * For:    src/cli/contest_serve.c, for `runner: inside` of server.yml.
 * Memory: a RunnerChild owns its process.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 3.1, 16.1.
 */
#ifndef WARG_CLI_RUNNER_CHILD_H
#define WARG_CLI_RUNNER_CHILD_H

#include "net/loop.h"

typedef struct RunnerChild RunnerChild;

/* `folder`: of server.yml; `clock` as in ContestServe. Errors: ERR_IO, ERR_MEMORY. */
int runner_child_start(Loop *loop, const char *folder, const char *clock, RunnerChild **ret_runner,
                       Err *err);
/* It gives back what it does, and is not started again; `ended` is called when it is gone, at once
 * where it is gone already. */
void runner_child_stop(RunnerChild *runner, void (*ended)(void *user), void *user);
/* Killed, if it is there still. Takes NULL, returns NULL. */
RunnerChild *runner_child_free(RunnerChild *runner);

#endif
