#include "cmd/serve_beside.h"

#include "base/mem.h"

#include <pthread.h>

struct Beside {
    pthread_t thread;
    int (*command)(int argc, char **argv, Err *err);
    int argc;
    char **argv;
    void (*ended)(void *user);
    void *user;
    int returned;
    Err err;
    pthread_mutex_t lock; /* around `over` */
    bool over;
};

static void *run(void *user)
{
    Beside *beside = user;

    beside->returned = beside->command(beside->argc, beside->argv, &beside->err);
    pthread_mutex_lock(&beside->lock);
    beside->over = true;
    pthread_mutex_unlock(&beside->lock);
    beside->ended(beside->user);
    return NULL;
}

int beside_start(int (*command)(int argc, char **argv, Err *err), int argc, char **argv,
                 void (*ended)(void *user), void *user, Beside **ret_beside, Err *err)
{
    Beside *beside = mem_new(sizeof(*beside));

    if (!beside)
        return err_set(err, ERR_MEMORY, "serve: out of memory");
    beside->command = command;
    beside->argc = argc;
    beside->argv = argv;
    beside->ended = ended;
    beside->user = user;
    pthread_mutex_init(&beside->lock, NULL);
    int failed = pthread_create(&beside->thread, NULL, run, beside);
    if (failed) {
        pthread_mutex_destroy(&beside->lock);
        mem_free(beside);
        return err_set(err, ERR_IO, "can't start a thread: %s", strerror(failed));
    }
    *ret_beside = beside;
    return 0;
}

bool beside_has_ended(Beside *beside)
{
    pthread_mutex_lock(&beside->lock);
    bool over = beside->over;
    pthread_mutex_unlock(&beside->lock);
    return over;
}

int beside_join(Beside *beside, Err *ret_err)
{
    if (!beside)
        return 0;
    pthread_join(beside->thread, NULL);
    int returned = beside->returned;
    if (returned < 0 && ret_err)
        *ret_err = beside->err;
    pthread_mutex_destroy(&beside->lock);
    mem_free(beside);
    return returned;
}
