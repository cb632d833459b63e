#include "runner/job_version.h"

#include "base/key.h"
#include "base/mem.h"
#include "disk/folder.h"
#include "runner/version_work.h"
#include "wire/json_read.h"

#include <stdlib.h>

/* A job under way. */
typedef struct Working {
    const JobPlace *place;
    const json_t *job;
    Buf trees, scratch, blob;
    VersionWork work;
} Working;

static void working_done(Working *working)
{
    buf_done(&working->trees);
    buf_done(&working->scratch);
    buf_done(&working->blob);
    version_work_done(&working->work);
}

static bool on_progress(void *user, const char *step, uint64_t done, uint64_t games, TimeUs now)
{
    const Working *working = user;

    (void)step;
    (void)done;
    (void)games;
    (void)now;
    return !job_place_stopped(working->place);
}

/* The digest of the job becomes a path. */
static int find_blob(Working *working, Err *err)
{
    const Str blob = json_text(working->job, "blob");
    const Str folder = str_part(blob, 0, 2);
    Key digest;

    if (!key_from_hex(blob, &digest))
        return err_set(err, ERR_SYNTAX, "the job names no file");
    buf_printf(&working->blob, "%s/blobs/%.*s/%.*s", working->place->data, STR_ARG(folder),
               STR_ARG(blob));
    return buf_failed(&working->blob) ? err_set(err, ERR_MEMORY, "job: out of memory") : 0;
}

static int begin_work(Working *working, Err *err)
{
    buf_printf(&working->trees, "%s/trees", working->place->data);
    buf_printf(&working->scratch, "%s/work", working->place->folder);
    if (buf_failed(&working->trees) || buf_failed(&working->scratch))
        return err_set(err, ERR_MEMORY, "job: out of memory");
    int rc = folder_make(buf_str(&working->scratch), err);
    return rc ? rc : version_work_read(working->job, &working->work, err);
}

typedef enum Piece { PIECE_UNPACK, PIECE_BUILD, PIECE_CHECK } Piece;

static int do_piece(Working *working, Piece piece, Err *err)
{
    const JobPlace *job = working->place;
    const WorkPlace place = {.trees = buf_cstr(&working->trees),
                             .scratch = buf_cstr(&working->scratch),
                             .own_verb = job->own_verb,
                             .umask = job->umask,
                             .date = job->date,
                             .now = job->now,
                             .progress = on_progress,
                             .user = working};

    switch (piece) {
    case PIECE_UNPACK:
        return version_work_unpack(&place, buf_cstr(&working->blob), &working->work, err);
    case PIECE_BUILD:
        return version_work_build(&place, &working->work, err);
    case PIECE_CHECK:
        return version_work_check(&place, &working->work, err);
    }
    return 0;
}

static int do_job(const JobPlace *place, const json_t *job, Piece piece, Json *result, Err *err)
{
    CLEANUP(working_done) Working working = {.place = place, .job = job};
    Err own = {0};
    int rc = begin_work(&working, err);

    if (rc == 0 && piece == PIECE_UNPACK)
        rc = find_blob(&working, err);
    if (rc)
        return rc;
    /* What a killed check leaves is in the job's folder, which goes away. */
    if (setenv("TMPDIR", buf_cstr(&working.scratch), 1))
        return err_set(err, ERR_MEMORY, "job: out of memory");
    rc = do_piece(&working, piece, &own);
    folder_remove(buf_cstr(&working.scratch), NULL);
    if (rc == ERR_INTERRUPTED) {
        json_add_bool(result, "stopped", true);
        return 0;
    }
    if (rc)
        return err_set(err, (ErrCode)rc, "%s", own.msg);
    version_work_write(&working.work, result);
    return 0;
}

int job_unpack(const JobPlace *place, const json_t *job, Json *result, Err *err)
{
    return do_job(place, job, PIECE_UNPACK, result, err);
}

int job_build(const JobPlace *place, const json_t *job, Json *result, Err *err)
{
    return do_job(place, job, PIECE_BUILD, result, err);
}

int job_check(const JobPlace *place, const json_t *job, Json *result, Err *err)
{
    return do_job(place, job, PIECE_CHECK, result, err);
}
