#include "runner/workshop.h"

#include "base/mem.h"
#include "cell/cell.h"
#include "cell/cell_news.h"
#include "cell/cell_tally.h"
#include "cell/strict_order.h"
#include "disk/disk_call.h"
#include "net/loop.h"
#include "seat/agent_environment.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define GRACE_MS 500

void workshop_end_done(WorkshopEnd *end)
{
    buf_done(&end->output);
}

/* One run. */
typedef struct Work {
    const Workshop *shop;
    WorkshopEnd *end;
    Loop *loop;
    Child *child;
    bool begun; /* its cell was made, */
    bool used;  /* ... and has come to its end in order */
} Work;

static void on_told(void *user, Str message, int take_descriptor, TimeUs now)
{
    Work *work = user;
    CellNews news;

    (void)now;
    if (take_descriptor >= 0)
        close(take_descriptor); /* nobody is to come to its game */
    if (!cell_news_read(message, &news))
        return;
    work->begun |= news.kind == NEWS_BEGUN;
    work->used |= news.kind == NEWS_USED;
}

static void on_ended(void *user, ChildEnd how, TimeUs now)
{
    Work *work = user;

    (void)now;
    work->end->how = how;
    cell_tally_end(cell_fate_of(work->begun, work->used, &how));
    loop_stop(work->loop);
}

static void on_late(void *user, TimeUs now)
{
    Work *work = user;

    (void)now;
    work->end->late = true;
    child_stop(work->child, GRACE_MS);
}

/* What it printed, up to what is kept. */
static int read_log(const Workshop *shop, Buf *out, Err *err)
{
    char piece[4096];
    ssize_t n = 1;
    int fd = disk_open(shop->log, O_RDONLY | O_NOFOLLOW, 0);

    if (fd < 0)
        return errno == ENOENT ? 0 : disk_error(err, "open", shop->log);
    while (n > 0 && out->len < WORKSHOP_OUTPUT) {
        n = read(fd, piece, sizeof(piece));
        if (n > 0)
            buf_add(out, (Str){piece, (size_t)n});
        if (n < 0 && errno == EINTR)
            n = 1;
    }
    const int failed = errno;
    (void)disk_close(fd);
    if (n < 0)
        return err_set(err, ERR_IO, "read '%s': %s", shop->log, strerror(failed));
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "cells: out of memory") : 0;
}

static int run_child(Work *work, const ChildPlan *plan, Err *err)
{
    Timer *timer = NULL;
    int rc = child_start(work->loop, plan, on_ended, work, &work->child, err);

    if (rc)
        return rc;
    cell_tally_start();
    rc = timer_new(work->loop, on_late, work, &timer, err);
    if (rc) {
        cell_tally_end(CELL_ENDED);
        return rc;
    }
    timer_in(timer, (TimeUs)work->shop->seconds * 1000 * 1000);
    loop_run(work->loop);
    timer_free(timer);
    if (!work->begun || (!work->used && !work->end->late)) {
        const Str why = child_last_lines(work->child);
        return err_set(
            err, ERR_IO, "a cell could not be made: %.*s",
            STR_ARG(why.len ? str_part(why, 0, 300) : STR("it was killed from outside")));
    }
    return 0;
}

static int run_in_cell(Work *work, const Cell *cell, Err *err)
{
    const Workshop *shop = work->shop;
    const CellTenant tenant = {shop->folder, ORDER_PORT, cell_profile(STR("native"))};
    CLEANUP(cell_front_done) CellFront front = {0};
    CLEANUP(mem_freep)
    const char **environment = agent_environment_strict(NULL, shop->environment, "/agent");
    int rc = environment ? cell_front_for(cell, &tenant, &front, err)
                         : err_set(err, ERR_MEMORY, "cells: out of memory");

    if (rc)
        return rc;
    const ChildPlan plan = {.command = shop->command,
                            .folder = shop->folder,
                            .output_path = shop->log,
                            .output_limit = WORKSHOP_OUTPUT,
                            .input_path = shop->input,
                            .environment = environment,
                            .front = &front.front,
                            .told = on_told};
    rc = run_child(work, &plan, err);
    child_free(work->child);
    return rc;
}

int workshop_run(const Workshop *shop, WorkshopEnd *ret_end, Err *err)
{
    Work work = {.shop = shop, .end = ret_end};
    Cell *cell = NULL;

    *ret_end = (WorkshopEnd){0};
    (void)disk_remove(shop->log);
    int rc = cell_new_strict(&shop->wish, shop->own_verb, NULL, &cell, err);
    if (rc == 0)
        rc = loop_new(&work.loop, err);
    if (rc == 0)
        rc = run_in_cell(&work, cell, err);
    loop_free(work.loop);
    cell_free(cell);
    if (rc == 0)
        rc = read_log(shop, &ret_end->output, err);
    if (rc)
        workshop_end_done(ret_end);
    return rc;
}
