#include "cli/runner_child.h"

#include "base/mem.h"
#include "net/child.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define AGAIN_US       ((TimeUs)2 * 1000000) /* one that ends at once must not be started without end */
#define GRACE_MS       10000                 /* jobs under way are given back */
#define PATH_MAX_BYTES 4096

struct RunnerChild {
    Loop *loop;
    Child *child;
    Timer *again;
    char program[PATH_MAX_BYTES];
    const char *folder, *clock;
    bool stopping;
    void (*ended)(void *user);
    void *user;
};

static int start_runner(RunnerChild *runner, Err *err);

static void on_again(void *user, TimeUs now)
{
    RunnerChild *runner = user;
    Err err = {0};

    (void)now;
    if (!runner->stopping && start_runner(runner, &err)) {
        fprintf(stderr, "runner: %s\n", err.msg);
        timer_in(runner->again, AGAIN_US);
    }
}

static void on_ended(void *user, ChildEnd how, TimeUs now)
{
    RunnerChild *runner = user;
    CLEANUP(buf_done) Buf end = {0};
    Str last = child_last_lines(runner->child);

    (void)now;
    if (runner->stopping) {
        runner->child = child_free(runner->child);
        if (runner->ended)
            runner->ended(runner->user);
        return;
    }
    child_end_print(how, &end);
    fprintf(stderr, "runner: %s; it is started again: %.*s\n", buf_cstr(&end), STR_ARG(last));
    runner->child = child_free(runner->child);
    timer_in(runner->again, AGAIN_US);
}

static int start_runner(RunnerChild *runner, Err *err)
{
    char self[24];
    const char *words[] = {runner->program, "contest",     "runner",
                           runner->folder,  "--server",    self,
                           "--clock",       runner->clock, NULL};
    ChildPlan plan = {.arguments = words};

    snprintf(self, sizeof(self), "%d", (int)getpid());
    if (!runner->clock)
        words[6] = NULL;
    return child_start(runner->loop, &plan, on_ended, runner, &runner->child, err);
}

int runner_child_start(Loop *loop, const char *folder, const char *clock, RunnerChild **ret_runner,
                       Err *err)
{
    RunnerChild *runner = mem_new(sizeof(*runner));
    ssize_t bytes;

    if (!runner)
        return err_set(err, ERR_MEMORY, "runner: out of memory");
    *runner = (RunnerChild){.loop = loop, .folder = folder, .clock = clock};
    bytes = readlink("/proc/self/exe", runner->program, sizeof(runner->program) - 1);
    int rc = bytes > 0 ? timer_new(loop, on_again, runner, &runner->again, err)
                       : err_set(err, ERR_IO, "runner: our own program: %s", strerror(errno));
    if (rc == 0)
        rc = start_runner(runner, err);
    if (rc) {
        runner_child_free(runner);
        return rc;
    }
    *ret_runner = runner;
    return 0;
}

void runner_child_stop(RunnerChild *runner, void (*ended)(void *user), void *user)
{
    runner->stopping = true;
    runner->ended = ended;
    runner->user = user;
    timer_stop(runner->again);
    if (runner->child)
        child_stop(runner->child, GRACE_MS);
    else
        ended(user);
}

RunnerChild *runner_child_free(RunnerChild *runner)
{
    if (!runner)
        return NULL;
    child_free(runner->child);
    timer_free(runner->again);
    return mem_free(runner);
}
