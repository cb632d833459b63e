#include "runner/runner.h"

#include "base/mem.h"
#include "cell/cell.h"
#include "disk/disk_room.h"
#include "match/table_room.h"
#include "net/child.h"
#include "net/loop.h"
#include "spool/spool_cells.h"
#include "spool/spool_status.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#define LOOK_US        ((TimeUs)200 * 1000)
#define BEAT_US        ((TimeUs)1000 * 1000)
#define PLACE_MS       100 /* between two looks at another runner's place */
#define PLACE_TRIES    300
#define GRACE_MS       20000u /* of a job that is asked to end, before it is killed */
#define WORKS_MAX      32
#define STAGES_AT_ONCE 16
#define WORDS_MAX      8
#define HOLD_US        ((TimeUs)60 * 1000000)
#define SHORT_BYTES    ((uint64_t)4 << 30) /* with more than that free no disk was full */

typedef struct Runner Runner;

/* A job under way; a slot without one has no child. */
typedef struct Work {
    Runner *runner;
    SpoolJob job;
    Child *child;
    int64_t since_ms;
    SpoolCells cells; /* as its process told last */
    bool no_room;     /* it was asked to end as the disk is full */
} Work;

struct Runner {
    const RunnerSetup *setup;
    Spool *spool;
    Loop *loop;
    Timer *look;
    int lock;
    Buf level, layers;
    SpoolCells cells; /* of jobs whose process has ended */
    uint64_t beat;
    TimeUs told;
    Work works[WORKS_MAX];
    DiskRoom room; /* below its reserve nothing is begun, and what plays ends behind its game */
    TimeUs held[SPOOL_CLASSES]; /* until when nothing of these is begun: it found the disk full */
    bool ending;
    Err err; /* what ended it */
};

/* ---- what it tells of itself ---- */

static void put_work(Json *json, const Work *work)
{
    json_open(json, '{');
    json_add_str(json, "job", str_of(work->job.head.job));
    json_add_str(json, "kind", str_of(work->job.head.kind));
    json_add_str(json, "contest", str_of(work->job.head.contest));
    json_add_str(json, "stage", str_of(work->job.head.stage));
    json_add_int(json, "since", work->since_ms);
    json_close(json);
}

/* What a job's process says that fewer have started than it said before is not believed. */
static void look_at_work(Work *work)
{
    SpoolCells cells;

    if (spool_cells_look(buf_cstr(&work->job.folder), &cells, NULL) == 0 &&
        cells.started >= work->cells.started && cells.ended >= work->cells.ended)
        work->cells = cells;
}

/* Its process has ended, and with it all its cells. */
static void count_work(Work *work)
{
    look_at_work(work);
    work->cells.ended = work->cells.started;
    spool_cells_add(&work->runner->cells, &work->cells);
    work->cells = (SpoolCells){0};
}

static SpoolCells count_cells(Runner *runner)
{
    SpoolCells sum = runner->cells;

    for (size_t i = 0; i < WORKS_MAX; i++)
        if (runner->works[i].child) {
            look_at_work(&runner->works[i]);
            spool_cells_add(&sum, &runner->works[i].cells);
        }
    return sum;
}

static int tell_state(Runner *runner, Err *err)
{
    CLEANUP(spool_runner_done)
    SpoolRunner told = {.beat = ++runner->beat,
                        .tables = table_room_most(runner->setup->tables),
                        .cells = count_cells(runner)};
    Json json = json_over(&told.jobs);

    buf_add(&told.level, buf_str(&runner->level));
    buf_add(&told.layers, buf_str(&runner->layers));
    json_open(&json, '[');
    for (size_t i = 0; i < WORKS_MAX; i++)
        if (runner->works[i].child)
            put_work(&json, &runner->works[i]);
    json_close(&json);
    if (buf_failed(&told.jobs) || buf_failed(&told.level) || buf_failed(&told.layers))
        return err_set(err, ERR_MEMORY, "runner: out of memory");
    return spool_runner_tell(runner->setup->data, &told, runner->setup->date(), err);
}

/* What its cells are: tried once. A machine that has none tells so, and the server's clock waits.
 */
static int look_at_cells(Runner *runner, Err *err)
{
    CellProbe probe = {0};
    CellLevel level;
    int rc = cell_try_levels(runner->setup->own_verb, &probe, err);

    if (rc)
        return rc;
    const bool strict = cell_probe_has(&probe, CELL_STRICT, &level);
    buf_add(&runner->level, str_of(cell_level_name(strict ? level : CELL_NONE)));
    if (!strict)
        buf_printf(&runner->layers, "%s; %s", probe.namespaces.why, probe.filter.why);
    return buf_failed(&runner->level) || buf_failed(&runner->layers)
               ? err_set(err, ERR_MEMORY, "runner: out of memory")
               : 0;
}

/* ---- jobs as processes ---- */

static void stop_runner(Runner *runner)
{
    timer_stop(runner->look);
    loop_stop(runner->loop);
}

/* Whether the disk is so full that no job could keep what it does. */
static bool is_full(Runner *runner)
{
    (void)disk_room_look(&runner->room, NULL, NULL);
    return runner->room.low;
}

/* An error of the spool ends the runner: what is on disk is read again by the next one. On a disk
 * that is full it waits. */
static void fail_runner(Runner *runner, const Err *err)
{
    if (is_full(runner))
        return;
    if (!runner->err.code)
        runner->err = *err;
    stop_runner(runner);
}

static bool is_idle(const Runner *runner)
{
    for (size_t i = 0; i < WORKS_MAX; i++)
        if (runner->works[i].child)
            return false;
    return true;
}

static bool has_result(const SpoolJob *job)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/result.json", buf_cstr(&job->folder));
    return !buf_failed(&path) && access(buf_cstr(&path), F_OK) == 0;
}

/* A job that found the disk full has freed what it wrote: its kind waits, or it would find the same
 * again and again. Whether it was the disk: on one with much room something else is full. */
static bool hold_kind(Runner *runner, const Work *work, TimeUs now)
{
    const TimeUs hold = runner->setup->hold ? runner->setup->hold : HOLD_US;

    runner->held[work->job.head.turn] = now + hold;
    return is_full(runner) || runner->room.free < SHORT_BYTES;
}

/* Without a result: asked to end by us, or without room on the disk, it goes on later; else it
 * died, and the next who takes it counts that. */
static int take_back(Work *work, ChildEnd how, TimeUs now, Err *err)
{
    Runner *runner = work->runner;

    if (has_result(&work->job))
        return spool_finish(runner->spool, &work->job, (Str){0}, err);
    const bool found_full = how.status == RUNNER_DISK_FULL && hold_kind(runner, work, now);
    if (runner->ending || work->no_room || found_full)
        return spool_give_back(runner->spool, &work->job, err);
    return 0;
}

static void on_ended(void *user, ChildEnd how, TimeUs now)
{
    Work *work = user;
    Runner *runner = work->runner;
    Err err = {0};

    count_work(work);
    int rc = take_back(work, how, now, &err);

    spool_job_done(&work->job);
    work->child = child_free(work->child);
    if (rc)
        fail_runner(runner, &err);
    if (runner->ending && is_idle(runner))
        stop_runner(runner);
}

static int start_child(Work *work, Err *err)
{
    const RunnerSetup *setup = work->runner->setup;
    CLEANUP(buf_done) Buf log = {0};
    const char *words[WORDS_MAX + 3] = {NULL};
    size_t count = 0;

    while (count < WORDS_MAX && setup->start[count]) {
        words[count] = setup->start[count];
        count++;
    }
    words[count++] = setup->data;
    words[count] = work->job.head.job;
    buf_printf(&log, "%s/log", buf_cstr(&work->job.folder));
    if (buf_failed(&log))
        return err_set(err, ERR_MEMORY, "runner: out of memory");
    const ChildPlan plan = {
        .arguments = words, .output_path = buf_cstr(&log), .output_limit = (uint64_t)1024 * 1024};
    return child_start(work->runner->loop, &plan, on_ended, work, &work->child, err);
}

static Work *free_work(Runner *runner)
{
    for (size_t i = 0; i < WORKS_MAX; i++)
        if (!runner->works[i].child)
            return &runner->works[i];
    return NULL;
}

/* Which jobs may begin beside those under way. A contest has one stage at a time, so that all of
 * them play; of checks one is always under way, more where there is room. */
static unsigned classes_beside(const Runner *runner)
{
    unsigned running[SPOOL_CLASSES] = {0}, all = 0, classes = 1u << SPOOL_NLP;

    for (size_t i = 0; i < WORKS_MAX; i++)
        if (runner->works[i].child) {
            running[runner->works[i].job.head.turn]++;
            all++;
        }
    if (all + 2 >= WORKS_MAX)
        return 0;
    const unsigned tables = table_room_most(runner->setup->tables);
    if (running[SPOOL_STAGE] < STAGES_AT_ONCE)
        classes |= 1u << SPOOL_STAGE;
    if (running[SPOOL_CHECK] == 0 ||
        running[SPOOL_STAGE] + running[SPOOL_CHECK] + running[SPOOL_TESTING] < tables)
        classes |= 1u << SPOOL_CHECK;
    if (running[SPOOL_TESTING] == 0)
        classes |= 1u << SPOOL_TESTING;
    if (running[SPOOL_REST] == 0)
        classes |= 1u << SPOOL_REST;
    return classes;
}

static unsigned classes_now(const Runner *runner, TimeUs now)
{
    unsigned classes = classes_beside(runner);

    for (unsigned class = 0; class < SPOOL_CLASSES; class ++)
        if (now < runner->held[class])
            classes &= ~(1u << class);
    return classes;
}

static int take_one(Runner *runner, TimeUs now, bool *ret_more, Err *err)
{
    Work *work = free_work(runner);
    SpoolJob job;
    int rc = work ? spool_take(runner->spool, classes_now(runner, now), &job, ret_more, err) : 0;

    if (rc || !work || !*ret_more)
        return rc;
    *work = (Work){.runner = runner, .job = job, .since_ms = runner->setup->date()};
    spool_cells_forget(buf_cstr(&job.folder));
    rc = start_child(work, err);
    if (rc == 0)
        return 0;
    spool_job_done(&work->job);
    return rc;
}

static void stop_children(Runner *runner)
{
    for (size_t i = 0; i < WORKS_MAX; i++)
        if (runner->works[i].child)
            child_stop(runner->works[i].child, GRACE_MS);
}

static void stop_for_room(Runner *runner)
{
    for (size_t i = 0; i < WORKS_MAX; i++)
        runner->works[i].no_room = runner->works[i].child != NULL;
    stop_children(runner);
}

/* Jobs under way are asked to end; the last one ends the runner. */
static void end_runner(Runner *runner)
{
    runner->ending = true;
    stop_children(runner);
    if (is_idle(runner))
        stop_runner(runner);
}

/* A server's child whose server is gone: what is in the spool is done, and no more comes. */
static bool is_over(const Runner *runner)
{
    const RunnerSetup *setup = runner->setup;

    if (runner->ending || !setup->server || getppid() == setup->server)
        return false;
    return is_idle(runner) || spool_is_asked_for_place(setup->data);
}

static void on_look(void *user, TimeUs now)
{
    Runner *runner = user;
    Err err = {0};
    bool more = !runner->ending && !is_full(runner);
    int rc = 0;

    if (runner->room.low)
        stop_for_room(runner);
    while (rc == 0 && more) {
        more = false;
        rc = take_one(runner, now, &more, &err);
    }
    if (rc == 0 && now - runner->told >= BEAT_US) {
        runner->told = now;
        rc = tell_state(runner, &err);
    }
    if (rc)
        fail_runner(runner, &err);
    if (runner->err.code)
        return;
    timer_in(runner->look, LOOK_US);
    if (is_over(runner))
        end_runner(runner);
}

static void on_signal(void *user, int signal_number, TimeUs now)
{
    (void)signal_number;
    (void)now;
    end_runner(user);
}

/* ---- the runner ---- */

static int become_runner(Runner *runner, Err *err)
{
    const struct timespec pause = {.tv_nsec = PLACE_MS * 1000000};
    const RunnerSetup *setup = runner->setup;
    Err own = {0};
    int asking = -1;
    int rc = spool_become_runner(setup->data, &runner->lock, &own);

    if (rc == ERR_USAGE && setup->server && spool_ask_for_place(setup->data, &asking, NULL) == 0)
        for (int i = 0; asking >= 0 && i < PLACE_TRIES && rc == ERR_USAGE; i++) {
            nanosleep(&pause, NULL);
            own = (Err){0};
            rc = getppid() == setup->server ? spool_become_runner(setup->data, &runner->lock, &own)
                                            : err_set(&own, ERR_INTERRUPTED, "the server is gone");
        }
    if (asking >= 0)
        close(asking);
    return rc ? err_set(err, (ErrCode)rc, "%s", own.msg) : 0;
}

static int open_runner(Runner *runner, Err *err)
{
    const char *data = runner->setup->data;
    int rc = spool_open(data, &runner->spool, err);

    if (rc == 0)
        rc = become_runner(runner, err);
    if (rc == 0)
        rc = look_at_cells(runner, err);
    if (rc == 0)
        rc = loop_new(&runner->loop, err);
    if (rc == 0)
        rc = loop_signal(runner->loop, SIGTERM, on_signal, runner, err);
    if (rc == 0)
        rc = loop_signal(runner->loop, SIGINT, on_signal, runner, err);
    if (rc == 0)
        rc = timer_new(runner->loop, on_look, runner, &runner->look, err);
    return rc ? rc : tell_state(runner, err);
}

static void close_runner(Runner *runner)
{
    for (size_t i = 0; i < WORKS_MAX; i++) {
        runner->works[i].child = child_free(runner->works[i].child);
        if (runner->works[i].runner)
            spool_job_done(&runner->works[i].job);
    }
    loop_free(runner->loop);
    spool_close(runner->spool);
    buf_done(&runner->level);
    buf_done(&runner->layers);
    if (runner->lock >= 0)
        close(runner->lock);
}

int runner_run(const RunnerSetup *setup, Err *err)
{
    Runner *runner = mem_new(sizeof(*runner));

    if (!runner)
        return err_set(err, ERR_MEMORY, "runner: out of memory");
    *runner = (Runner){
        .setup = setup, .room = {.data = setup->data, .reserve_bytes = DISK_ROOM_LAST}, .lock = -1};
    int rc = open_runner(runner, err);
    if (rc == 0) {
        timer_in(runner->look, 0);
        loop_run(runner->loop);
        rc = runner->err.code;
        if (rc)
            err_set(err, (ErrCode)rc, "%s", runner->err.msg);
    }
    close_runner(runner);
    mem_free(runner);
    return rc;
}
