#include "web/work.h"

#include "base/mem.h"
#include "net/mailbox.h"

#include <pthread.h>

/* Jobs in the order in which they came. */
typedef struct JobQueue {
    WorkJob *first;
    WorkJob *last;
    unsigned count;
} JobQueue;

struct Work {
    pthread_mutex_t mutex;
    pthread_cond_t some; /* something waits, or it is over */
    /* Under the mutex: */
    JobQueue waiting;
    JobQueue chores;
    unsigned begun; /* threads: the first ones are for jobs */
    unsigned job_threads;
    JobQueue finished; /* of which the loop has not heard */
    bool over;
    /* The loop's own: */
    Loop *loop;
    Mailbox *box;
    pthread_t threads[8];
    unsigned thread_count;
};

static void queue_add(JobQueue *queue, WorkJob *job)
{
    job->next = NULL;
    if (queue->last)
        queue->last->next = job;
    else
        queue->first = job;
    queue->last = job;
    queue->count++;
}

static WorkJob *queue_take(JobQueue *queue)
{
    WorkJob *job = queue->first;

    if (!job)
        return NULL;
    queue->first = job->next;
    if (!queue->first)
        queue->last = NULL;
    queue->count--;
    return job;
}

/* ---- threads ---- */

/* Waits for one of the queue; NULL: it is over. */
static WorkJob *wait_for_job(Work *work, JobQueue *queue)
{
    WorkJob *job = NULL;

    pthread_mutex_lock(&work->mutex);
    while (!work->over) {
        job = queue_take(queue);
        if (job)
            break;
        pthread_cond_wait(&work->some, &work->mutex);
    }
    pthread_mutex_unlock(&work->mutex);
    return job;
}

static void *run_thread(void *user)
{
    Work *work = user;
    WorkJob *job;

    pthread_mutex_lock(&work->mutex);
    JobQueue *queue = work->begun++ < work->job_threads ? &work->waiting : &work->chores;
    pthread_mutex_unlock(&work->mutex);
    while ((job = wait_for_job(work, queue))) {
        job->run(job);
        pthread_mutex_lock(&work->mutex);
        queue_add(&work->finished, job);
        pthread_mutex_unlock(&work->mutex);
        CLEANUP(buf_done) Buf letter = {0};
        buf_add_char(&letter, '!'); /* without memory it is heard of with the next */
        (void)mailbox_put(work->box, &letter);
    }
    return NULL;
}

/* ---- the loop ---- */

static void on_letter(void *user, Str letter, TimeUs now)
{
    Work *work = user;
    WorkJob *job;

    (void)letter;
    do {
        pthread_mutex_lock(&work->mutex);
        job = queue_take(&work->finished);
        pthread_mutex_unlock(&work->mutex);
        if (job)
            job->done(job, now);
    } while (job);
}

/* Not before there is something to do: most servers are looked at by nobody. Whether any runs. */
static bool start_threads(Work *work)
{
    const unsigned most = sizeof(work->threads) / sizeof(work->threads[0]);

    while (work->thread_count < 2 * work->job_threads && work->thread_count < most &&
           pthread_create(&work->threads[work->thread_count], NULL, run_thread, work) == 0)
        work->thread_count++;
    return work->thread_count > 0;
}

int work_open(Loop *loop, unsigned threads, Work **ret_work, Err *err)
{
    Work *work = mem_new(sizeof(*work));

    if (!work)
        return err_set(err, ERR_MEMORY, "workers: out of memory");
    work->loop = loop;
    pthread_mutex_init(&work->mutex, NULL);
    pthread_cond_init(&work->some, NULL);
    int rc = mailbox_new(loop, on_letter, work, &work->box, err);
    work->job_threads = threads;
    if (rc) {
        work_free(work);
        return rc;
    }
    *ret_work = work;
    return 0;
}

static void drop_all(JobQueue *queue)
{
    WorkJob *job;

    while ((job = queue_take(queue)))
        job->drop(job);
}

Work *work_free(Work *work)
{
    if (!work)
        return NULL;
    pthread_mutex_lock(&work->mutex);
    work->over = true;
    pthread_cond_broadcast(&work->some);
    pthread_mutex_unlock(&work->mutex);
    for (unsigned i = 0; i < work->thread_count; i++)
        pthread_join(work->threads[i], NULL);
    mailbox_free(work->box);
    drop_all(&work->finished);
    drop_all(&work->waiting);
    drop_all(&work->chores);
    pthread_cond_destroy(&work->some);
    pthread_mutex_destroy(&work->mutex);
    return mem_free(work);
}

bool work_add(Work *work, WorkJob *job)
{
    bool room = start_threads(work);

    pthread_mutex_lock(&work->mutex);
    room = room && work->waiting.count < WORK_WAITING;
    if (room)
        queue_add(&work->waiting, job);
    pthread_cond_broadcast(&work->some); /* threads of both kinds wait for it */
    pthread_mutex_unlock(&work->mutex);
    return room;
}

static void add_always(Work *work, JobQueue *queue, WorkJob *job)
{
    (void)start_threads(work); /* else it waits for the next job */
    pthread_mutex_lock(&work->mutex);
    queue_add(queue, job);
    pthread_cond_broadcast(&work->some); /* threads of both kinds wait for it */
    pthread_mutex_unlock(&work->mutex);
}

void work_add_counted(Work *work, WorkJob *job)
{
    add_always(work, &work->waiting, job);
}

void work_add_chore(Work *work, WorkJob *job)
{
    add_always(work, &work->chores, job);
}

unsigned work_waiting(Work *work)
{
    pthread_mutex_lock(&work->mutex);
    unsigned count = work->waiting.count;
    pthread_mutex_unlock(&work->mutex);
    return count;
}
