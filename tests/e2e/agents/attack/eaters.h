/* eaters.h - attacks by taking all of something; asked for by name only.
 *
 * For:     attack.c; see try.h. --mib, --count and --seconds say how much; what is left over ends
 * by itself. Memory:  as much as it gets. Thread:  the main one and, in thread-bomb, as many as it
 * gets. Source:  docs/spec/contest-operations.md 6.2, 6.4; O20, O21.
 */
#ifndef ATTACK_EATERS_H
#define ATTACK_EATERS_H

#include "try.h"

/* Touches memory, a MiB at a time; 0 when it got all. */
static void eat(Try *t, int fd)
{
    int flags = fd >= 0     ? MAP_SHARED
                : t->number ? MAP_SHARED | MAP_ANONYMOUS
                            : MAP_PRIVATE | MAP_ANONYMOUS;

    for (int i = 0; i < t->given->mib; i++) {
        if (fd >= 0 && ftruncate(fd, (off_t)(i + 1) << 20) != 0) {
            refuse(t, "%s at %d MiB", error_word(errno), i);
            return;
        }
        char *piece =
            mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, flags, fd, fd >= 0 ? (off_t)i << 20 : 0);

        if (piece == MAP_FAILED) {
            refuse(t, "%s at %d MiB", error_word(errno), i);
            return;
        }
        for (int k = 0; k < 1 << 20; k += 4096)
            piece[k] = 1;
    }
    reach(t, "%d MiB", t->given->mib);
}

static void eat_memory(Try *t)
{
    eat(t, -1);
}

static void eat_heap(Try *t)
{
    for (int i = 0; i < t->given->mib; i++) {
        volatile char *piece = malloc(1 << 20);

        if (!piece) {
            refuse(t, "%s at %d MiB", error_word(errno), i);
            return;
        }
        for (int k = 0; k < 1 << 20; k += 4096)
            piece[k] = 1;
    }
    reach(t, "%d MiB", t->given->mib);
}

static void eat_memfd(Try *t)
{
    int fd = memfd_create("attack", MFD_CLOEXEC);

    if (fd < 0) {
        refuse_error(t);
        return;
    }
    eat(t, fd);
    close(fd);
}

static void eat_files(Try *t)
{
    struct rlimit limit;
    int count = 0;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    while (count < t->given->count && open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
        count++;
    if (count == t->given->count)
        reach(t, "%d descriptors", count);
    else
        refuse(t, "%s at %d", error_word(errno), count);
    for (int fd = 3 + count + 16; fd > 2; fd--)
        if (!t->given->game)
            close(fd);
}

/* Children that stay: who ends the agent ends them too. */
static void fork_bomb(Try *t)
{
    int count = 0;

    for (; count < t->given->count; count++) {
        pid_t pid = fork();

        if (pid < 0)
            break;
        if (pid == 0) {
            for (int sig = 1; sig < 32; sig++)
                signal(sig, sig == SIGALRM ? SIG_DFL : SIG_IGN);
            alarm((unsigned)t->given->seconds);
            for (;;)
                pause();
        }
    }
    if (count > 0)
        reach(t, "%d processes", count);
    refuse_error(t);
}

static void *stay(void *given)
{
    (void)given;
    for (;;)
        pause();
    return NULL;
}

static void thread_bomb(Try *t)
{
    int count = 0, error = 0;
    sigset_t before;
    pthread_attr_t small;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    block_signals(&before);
    for (; count < t->given->count; count++) {
        pthread_t thread;

        error = pthread_create(&thread, &small, stay, NULL);
        if (error)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&small);
    if (count == t->given->count)
        reach(t, "%d threads", count);
    else
        refuse(t, "%s at %d", error_word(error), count);
}

static void flood_output(Try *t)
{
    static char line[1024];

    memset(line, 'x', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\n';
    for (int64_t left = (int64_t)t->given->mib << 20; left > 0;) {
        ssize_t n = write(1, line, sizeof(line));

        if (n < 0 && errno != EINTR && errno != EAGAIN) {
            refuse_error(t);
            return;
        }
        left -= n > 0 ? n : 0;
    }
    reach(t, "%d MiB", t->given->mib);
}

static void burn(Try *t)
{
    volatile uint64_t sum = 0;

    for (int64_t until = now_ms() + (int64_t)t->given->seconds * 1000; now_ms() < until;)
        for (int i = 0; i < 100000; i++)
            sum = sum + (uint64_t)i;
    reach(t, "%d s", t->given->seconds);
}

static void stop_self(Try *t)
{
    raise(SIGSTOP);
    reach(t, "stopped and went on");
}

static void hold(Try *t)
{
    for (int64_t until = now_ms() + (int64_t)t->given->seconds * 1000; now_ms() < until;)
        wait_ms(50);
    reach(t, "%d s", t->given->seconds);
}

/* In the third generation: a program with the mark among its words, which stays. */
static void become_daemon(const Try *t)
{
    char seconds[16], mark[64], option[] = "--only", what[] = "hold", length[] = "--seconds",
                                word[] = "--mark", program[] = "attack";
    char *const words[] = {program, option, what, length, seconds, word, mark, NULL};

    snprintf(seconds, sizeof(seconds), "%d", t->given->seconds);
    snprintf(mark, sizeof(mark), "%s", t->given->mark);
    for (int fd = 0; fd < 3; fd++)
        close(fd);
    for (int sig = 1; sig < 32; sig++)
        signal(sig, SIG_IGN);
    execv(t->given->exe, words);
    _exit(127);
}

static void daemons(Try *t)
{
    int count = 0;

    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();

        if (pid < 0) {
            refuse_error(t);
            return;
        }
        if (pid == 0) {
            setsid();
            pid_t second = fork();

            if (second == 0)
                become_daemon(t);
            _exit(second > 0 ? 7 : 0);
        }
        count += WEXITSTATUS(reap(pid)) == 7;
    }
    if (count > 0)
        reach(t, "%d daemons", count);
    refuse(t, "no daemon");
}

#endif
