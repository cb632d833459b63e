/* job_run.c - a job's process: reads what is to be done, does it, writes what came of it. */
#include "base/buf.h"
#include "cell/cell_tally.h"
#include "net/interrupt.h"
#include "runner/runner.h"
#include "spool/spool_cells.h"
#include "wire/json_read.h"

#include <errno.h>
#include <stdatomic.h>

static JobDo *find_kind(Str kind)
{
    for (const JobKind *row = job_kinds; row->kind; row++)
        if (str_eq(kind, str_of(row->kind)))
            return row->act;
    return NULL;
}

/* What failed because the disk was full has not failed: it goes on when there is room again. */
static bool was_disk_full(ErrCode code, const Err *why)
{
    return code == ERR_IO && strstr(why->msg, strerror(ENOSPC));
}

/* An open object gets what the kind says; on an error it is thrown away. ERR_IO, and no result:
 * the disk is full. */
static int do_kind(const JobPlace *place, const json_t *job, Buf *text, Err *err)
{
    JobDo *act = find_kind(json_text(job, "kind"));
    Json json = json_over(text);
    Err why = {0};
    int rc = 0;

    json_open(&json, '{');
    json_add_bool(&json, "ok", true);
    json_add_bool(&json, "stopped", false);
    const size_t head = text->len;
    if (act)
        rc = act(place, job, &json, &why);
    else
        rc = err_set(&why, ERR_RULE, "this runner knows no job of that kind");
    if (rc == 0 && !buf_failed(text) && !spool_is_stopped(place->folder)) {
        json_close(&json);
        return 0;
    }
    if (was_disk_full((ErrCode)rc, &why))
        return err_set(err, ERR_IO, "%s", why.msg);
    if (rc == 0 && !buf_failed(text)) { /* it may have come to its end all the same: that is kept */
        CLEANUP(buf_done) Buf tail = {0};
        json_close(&json);
        buf_add(&tail, str_part(buf_str(text), head, text->len));
        buf_clear(text);
        buf_printf(text, "{\"ok\":true,\"stopped\":true%s", buf_cstr(&tail));
        return 0;
    }
    buf_done(text);
    json = json_over(text);
    json_open(&json, '{');
    json_add_bool(&json, "ok", false);
    json_add_bool(&json, "ours", true);
    json_add_str(&json, "why", rc ? str_of(why.msg) : STR("out of memory"));
    json_close(&json);
    return 0;
}

static int do_job(const JobPlace *place, Str job_json, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    json_t *job = NULL;
    int rc = json_read(job_json, SPOOL_JOB_MAX, &job, err);

    if (rc == 0)
        rc = do_kind(place, job, &text, err);
    json_done(job);
    if (rc)
        return rc;
    if (interrupt_came() && !spool_is_stopped(place->folder))
        return 0; /* no result: the next runner goes on with it */
    return buf_failed(&text) ? err_set(err, ERR_MEMORY, "job: out of memory")
                             : spool_write_result(place->folder, buf_str(&text), err);
}

/* One thread writes, also what others have counted meanwhile: nobody's game waits for a disk but
 * its own. What can't be written is missing from the figures, and no more. */
static void tell_cells(void *user)
{
    static atomic_int changes;
    const JobPlace *place = user;
    int seen = 1;

    if (atomic_fetch_add(&changes, 1) > 0)
        return;
    do {
        seen = atomic_load(&changes);
        const CellTally tally = cell_tally();
        const uint64_t died = tally.ended[CELL_NOT_MADE] + tally.ended[CELL_KILLED] +
                              tally.ended[CELL_PROGRAM_FAILED];
        const SpoolCells cells = {.started = tally.started,
                                  .ended = tally.ended[CELL_ENDED] + died,
                                  .not_made = tally.ended[CELL_NOT_MADE],
                                  .killed = tally.ended[CELL_KILLED],
                                  .failed = tally.ended[CELL_PROGRAM_FAILED]};
        (void)spool_cells_tell(place->folder, &cells, NULL);
    } while (atomic_fetch_sub(&changes, seen) != seen);
}

int runner_do_job(const JobPlace *place, Str job_json, Err *err)
{
    JobPlace told = *place;
    Err why = {0};

    cell_tally_hear(tell_cells, &told);
    int rc = do_job(place, job_json, &why);
    cell_tally_hear(NULL, NULL);

    if (rc)
        err_set(err, (ErrCode)rc, "%s", why.msg);
    return rc && was_disk_full((ErrCode)rc, &why) ? RUNNER_DISK_FULL : rc;
}
