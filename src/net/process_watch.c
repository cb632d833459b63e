#include "net/process_watch.h"

#include "base/mem.h"
#include "net/loop.h"
#include "net/timed_wait.h"

#include <signal.h>
#include <stdio.h>

#define EVERY_US    50000
#define SHARE       10 /* of the time, looking takes one part at most */
#define WAIT_MAX_US 900000
#define SEEN_MAX    256
#define TEXT_BYTES  208

typedef struct Seen {
    ProcessSight what;
    uint64_t mark;
    char text[TEXT_BYTES];
} Seen;

struct ProcessWatch {
    pthread_t thread;
    pthread_mutex_t mutex; /* for all below */
    pthread_cond_t woken;
    bool ends;
    int root;
    uint16_t own_port;
    uint64_t mark;
    ProcessUse most;
    size_t count;
    Seen seen[SEEN_MAX];
};

/* ---- one look ---- */

/* With the mutex held. */
static void keep_seen(ProcessWatch *watch, ProcessSight what, const char *text)
{
    for (size_t i = 0; i < watch->count; i++)
        if (watch->seen[i].what == what && strcmp(watch->seen[i].text, text) == 0)
            return;
    if (watch->count == SEEN_MAX)
        return;
    Seen *seen = &watch->seen[watch->count++];
    *seen = (Seen){.what = what, .mark = watch->mark};
    memcpy(seen->text, text, strlen(text) + 1);
}

static void on_seen(void *user, ProcessSight what, Str text)
{
    ProcessWatch *watch = user;
    char bytes[TEXT_BYTES];

    snprintf(bytes, sizeof(bytes), "%.*s", STR_ARG(text));
    pthread_mutex_lock(&watch->mutex);
    keep_seen(watch, what, bytes);
    pthread_mutex_unlock(&watch->mutex);
}

static uint32_t most_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void keep_use(ProcessUse *most, const ProcessUse *use)
{
    if (!most->pid)
        most->pid = use->pid;
    most->processes = most_u32(most->processes, use->processes);
    most->threads = most_u32(most->threads, use->threads);
    most->files = most_u32(most->files, use->files);
    if (use->peak_kib > most->peak_kib)
        most->peak_kib = use->peak_kib;
}

void process_watch_look(ProcessWatch *watch)
{
    const ProcessWitness witness = {on_seen, watch};
    ProcessUse use;

    pthread_mutex_lock(&watch->mutex);
    const int root = watch->root;
    const uint16_t own_port = watch->own_port;
    pthread_mutex_unlock(&watch->mutex);
    if (!root || !process_use_read(root, own_port, &witness, &use))
        return;
    pthread_mutex_lock(&watch->mutex);
    keep_use(&watch->most, &use);
    pthread_mutex_unlock(&watch->mutex);
}

/* ---- again and again ---- */

static TimeUs wait_behind(TimeUs took)
{
    TimeUs wait = took * (SHARE - 1);

    if (wait < EVERY_US)
        wait = EVERY_US;
    return wait > WAIT_MAX_US ? WAIT_MAX_US : wait;
}

static void *look_again_and_again(void *user)
{
    ProcessWatch *watch = user;

    pthread_mutex_lock(&watch->mutex);
    while (!watch->ends) {
        pthread_mutex_unlock(&watch->mutex);
        const TimeUs began = loop_now();
        process_watch_look(watch);
        const TimeUs took = loop_now() - began;
        pthread_mutex_lock(&watch->mutex);
        if (!watch->ends)
            timed_wait(&watch->woken, &watch->mutex, wait_behind(took));
    }
    pthread_mutex_unlock(&watch->mutex);
    return NULL;
}

/* ---- life ---- */

int process_watch_new(ProcessWatch **ret_watch, Err *err)
{
    ProcessWatch *watch = mem_new(sizeof(*watch));
    sigset_t all, before;

    if (!watch)
        return err_set(err, ERR_MEMORY, "out of memory");
    pthread_mutex_init(&watch->mutex, NULL);
    pthread_cond_init(&watch->woken, NULL);
    sigfillset(&all); /* signals are for the main thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(&watch->thread, NULL, look_again_and_again, watch);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc) {
        pthread_cond_destroy(&watch->woken);
        pthread_mutex_destroy(&watch->mutex);
        mem_free(watch);
        return err_set(err, ERR_IO, "can't start a thread: %s", strerror(rc));
    }
    *ret_watch = watch;
    return 0;
}

ProcessWatch *process_watch_free(ProcessWatch *watch)
{
    if (!watch)
        return NULL;
    pthread_mutex_lock(&watch->mutex);
    watch->ends = true;
    pthread_cond_signal(&watch->woken);
    pthread_mutex_unlock(&watch->mutex);
    pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->woken);
    pthread_mutex_destroy(&watch->mutex);
    return mem_free(watch);
}

void process_watch_aim(ProcessWatch *watch, int root, uint16_t own_port)
{
    pthread_mutex_lock(&watch->mutex);
    watch->root = root;
    watch->own_port = own_port;
    pthread_mutex_unlock(&watch->mutex);
}

void process_watch_mark(ProcessWatch *watch, uint64_t mark)
{
    pthread_mutex_lock(&watch->mutex);
    watch->mark = mark;
    pthread_mutex_unlock(&watch->mutex);
}

/* ---- what was seen ---- */

ProcessUse process_watch_use(ProcessWatch *watch)
{
    pthread_mutex_lock(&watch->mutex);
    const ProcessUse most = watch->most;
    pthread_mutex_unlock(&watch->mutex);
    return most;
}

void process_watch_tell(ProcessWatch *watch,
                        void (*seen)(void *user, ProcessSight what, Str text, uint64_t mark),
                        void *user)
{
    pthread_mutex_lock(&watch->mutex);
    for (size_t i = 0; i < watch->count; i++)
        seen(user, watch->seen[i].what, str_of(watch->seen[i].text), watch->seen[i].mark);
    watch->count = 0;
    watch->most = (ProcessUse){0};
    pthread_mutex_unlock(&watch->mutex);
}
