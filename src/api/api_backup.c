/* A backup over the API, made by a worker while the site runs. docs/contest-api.md */
#include "api/api_handlers.h"
#include "base/date_text.h"
#include "base/mem.h"
#include "disk/folder.h"
#include "site/backup.h"

typedef struct BackupJob {
    WorkJob job; /* the first member: web/work.h */
    ApiVisit *visit;
    Buf folder;
    BackupSetup setup;
    Err err;
} BackupJob;

static void free_job(BackupJob *job)
{
    if (job->visit)
        job->visit->site->backups--;
    buf_done(&job->folder);
    mem_free(job);
}

static void run_job(WorkJob *work)
{
    BackupJob *job = (BackupJob *)work;

    site_backup(&job->setup, &job->err);
}

/* The folder is in `detail`, empty when there is none. */
static int answer_backup(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);

    (void)err;
    if (!visit->detail.len)
        return api_refuse(visit, REFUSE_UNAVAILABLE, NULL, NULL);
    visit->status = 201;
    json_open(&json, '{');
    json_add_str(&json, "folder", buf_str(&visit->detail));
    json_close(&json);
    return 0;
}

static void end_job(WorkJob *work, TimeUs now)
{
    BackupJob *job = (BackupJob *)work;
    ApiVisit *visit = job->visit;

    visit->now = now;
    visit->then = answer_backup;
    if (job->err.code == ERR_OK)
        buf_add(&visit->detail, buf_str(&job->folder));
    free_job(job);
    visit->site->go_on(visit);
}

static void drop_job(WorkJob *work)
{
    BackupJob *job = (BackupJob *)work;
    ApiVisit *visit = job->visit;

    free_job(job);
    api_visit_done(visit);
    mem_free(visit);
}

/* FOLDER/backups/2026-11-26T12-34-56: a name that sorts, without a colon. */
static void name_folder(const ApiVisit *visit, Buf *out)
{
    char room[DATE_TEXT_ROOM];
    Str date = date_text_write(visit->now_ms, room);

    buf_printf(out, "%s/backups/", visit->site->settings->folder);
    for (size_t i = 0; i < date.len && date.bytes[i] != '.'; i++)
        buf_add_char(out, date.bytes[i] == ':' ? '-' : date.bytes[i]);
}

int api_backup(ApiVisit *visit, Err *err)
{
    BackupJob *job = mem_new(sizeof(*job));
    int rc = 0;

    if (!job)
        return err_set(err, ERR_MEMORY, "backup: out of memory");
    name_folder(visit, &job->folder);
    rc = folder_make_for(buf_cstr(&job->folder), err);
    job->setup = (BackupSetup){.store = visit->site->store,
                               .data = visit->site->settings->data,
                               .folder = buf_cstr(&job->folder),
                               .now_ms = visit->now_ms};
    if (rc == 0)
        job->visit = api_visit_keep(visit);
    if (rc == 0 && !job->visit)
        rc = err_set(err, ERR_MEMORY, "backup: out of memory");
    if (rc) {
        free_job(job);
        return rc;
    }
    job->visit->site->backups++;
    job->job = (WorkJob){.run = run_job, .done = end_job, .drop = drop_job};
    work_add_chore(job->visit->site->work, &job->job);
    return API_LATER;
}
