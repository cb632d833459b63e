#include "api/api_password.h"

#include "base/mem.h"

typedef struct PasswordJob {
    WorkJob job; /* the first member: web/work.h */
    ApiVisit *visit;
    Buf password, hash;
    bool makes;
    int rc;
} PasswordJob;

/* Overwritten, for memory that was freed is seen again. */
static void forget_password(Buf *password)
{
    if (password->bytes)
        explicit_bzero(password->bytes, password->len);
    buf_done(password);
}

static void free_job(PasswordJob *job)
{
    job->visit->site->passwords--;
    forget_password(&job->password);
    buf_done(&job->hash);
    mem_free(job);
}

static void run_job(WorkJob *work)
{
    PasswordJob *job = (PasswordJob *)work;

    if (job->makes)
        job->rc = password_hash(buf_str(&job->password), job->visit->password.hash, NULL);
    else
        job->visit->password.matches =
            password_matches(buf_str(&job->password), buf_str(&job->hash));
}

static int say_unavailable(ApiVisit *visit, Err *err)
{
    (void)err;
    return api_refuse(visit, REFUSE_UNAVAILABLE, NULL, NULL);
}

static void end_job(WorkJob *work, TimeUs now)
{
    PasswordJob *job = (PasswordJob *)work;
    ApiVisit *visit = job->visit;

    visit->now = now;
    visit->now_ms = api_site_now_ms(visit->site);
    if (job->rc)
        visit->then = say_unavailable;
    free_job(job);
    visit->site->go_on(visit);
}

static void drop_job(WorkJob *work)
{
    PasswordJob *job = (PasswordJob *)work;
    ApiVisit *visit = job->visit;

    free_job(job);
    api_visit_done(visit);
    mem_free(visit);
}

static int add_job(ApiVisit *visit, Str password, Str hash, bool makes, ApiHandler *then)
{
    ApiSite *site = visit->site;
    PasswordJob *job = NULL;

    if (site->passwords < API_PASSWORDS_WAITING + WORK_THREADS)
        job = mem_new(sizeof(*job));
    if (job) {
        buf_add(&job->password, password);
        buf_add(&job->hash, hash);
        job->visit =
            buf_failed(&job->password) || buf_failed(&job->hash) ? NULL : api_visit_keep(visit);
    }
    if (!job || !job->visit) {
        if (job) {
            forget_password(&job->password);
            buf_done(&job->hash);
            mem_free(job);
        }
        visit->retry_s = 2;
        return api_refuse(visit, REFUSE_UNAVAILABLE, NULL, NULL);
    }
    job->job = (WorkJob){.run = run_job, .done = end_job, .drop = drop_job};
    job->makes = makes;
    job->visit->then = then;
    site->passwords++;
    work_add_counted(site->work, &job->job);
    return API_LATER;
}

int api_password_check(ApiVisit *visit, Str password, Str hash, ApiHandler *then, Err *err)
{
    (void)err;
    snprintf(visit->password.checked, sizeof(visit->password.checked), "%.*s", STR_ARG(hash));
    return add_job(visit, password, hash, false, then);
}

int api_password_make(ApiVisit *visit, Str password, ApiHandler *then, Err *err)
{
    (void)err;
    return add_job(visit, password, (Str){"", 0}, true, then);
}
