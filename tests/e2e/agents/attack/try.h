/* try.h - one attack, tried: what it was given, what it reached, and how that is told.
 *
 * For:     the parts of attack.c, which are the headers of this folder: one row an attack, one
 * function a row. Memory:  a Try is the caller's; `apart` keeps one in memory that it shares with a
 * process of its own. Thread:  the main one; helpers that an attack starts have all signals
 * blocked. Source:  docs/spec/contest-operations.md 6.
 */
#ifndef ATTACK_TRY_H
#define ATTACK_TRY_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECRETS_MAX 32
#define PIDS_MAX    4096
#define COUNT(a)    (sizeof(a) / sizeof((a)[0]))

/* What the command line says. */
typedef struct Given {
    const char *host, *name, *only, *but;
    int port;
    const char *host_abstract, *host_socket;
    int host_port;
    const char *secrets[SECRETS_MAX];
    int secret_count;
    pid_t host_pids[SECRETS_MAX];
    int host_pid_count;
    bool outside; /* may send something to addresses that are not loopback */
    bool control; /* not confined: what can't be taken back is done by a process apart */
    bool game, list;
    int seconds, mib, count; /* for what eats */
    const char *mark;        /* a word in the command line of daemons */
    char folder[PATH_MAX];   /* where this program is */
    char exe[PATH_MAX];
    int open_fd; /* the first descriptor above 2 that was open at the start; -1: none */
} Given;

typedef struct Try {
    const Given *given;
    const char *word; /* of the row */
    long number;
    char reached[200]; /* "" = nothing */
    char reason[100];  /* the first refusal */
    bool skipped;
} Try;

typedef enum Kind { NETWORK, FILES, SECRETS, PROCESSES, KERNEL, EXTRA, EATER } Kind;

typedef struct Attack {
    const char *name;
    Kind kind;
    void (*run)(Try *t);
    const char *word;
    long number;
} Attack;

/* ---- what is told ---- */

/* It got somewhere: a hole. What is said of several is joined. */
__attribute__((format(printf, 2, 3))) static void reach(Try *t, const char *format, ...)
{
    size_t used = strlen(t->reached);
    va_list args;

    if (used > 0 && used + 3 < sizeof(t->reached)) {
        memcpy(t->reached + used, ", ", 3);
        used += 2;
    }
    va_start(args, format);
    vsnprintf(t->reached + used, sizeof(t->reached) - used, format, args);
    va_end(args);
}

/* The first reason stays. */
__attribute__((format(printf, 2, 3))) static void refuse(Try *t, const char *format, ...)
{
    va_list args;

    if (t->reason[0])
        return;
    va_start(args, format);
    vsnprintf(t->reason, sizeof(t->reason), format, args);
    va_end(args);
}

static void skip(Try *t, const char *why)
{
    refuse(t, "%s", why);
    t->skipped = true;
}

static const char *error_word(int error)
{
    const char *name = strerrorname_np(error);

    return name ? name : "unknown";
}

static void refuse_error(Try *t)
{
    refuse(t, "%s", error_word(errno));
}

/* A call that must fail: what succeeds is a hole. */
static bool judge(Try *t, long result, const char *what)
{
    if (result < 0)
        refuse_error(t);
    else
        reach(t, "%s", what);
    return result >= 0;
}

static bool is_refusal(int error)
{
    return error == EPERM || error == EACCES || error == ENOSYS || error == EAFNOSUPPORT ||
           error == EROFS;
}

/* A call in a form that can do no harm, which fails behind the check of rights: any other error
 * than a refusal says that it was let through. */
static void judge_through(Try *t, long result, const char *what)
{
    if (result >= 0)
        reach(t, "%s", what);
    else if (is_refusal(errno))
        refuse_error(t);
    else
        reach(t, "%s, let through to %s", what, error_word(errno));
}

/* ---- what attacks share ---- */

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void wait_ms(int ms)
{
    poll(NULL, 0, ms);
}

static void block_signals(sigset_t *ret_before)
{
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, ret_before);
}

/* Waits for a child for at most two seconds, then kills it. Returns its status, -1 if there is
 * none. */
static int reap(pid_t pid)
{
    int64_t until = now_ms() + 2000;
    int status = -1;

    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (now_ms() > until)
            kill(pid, SIGKILL);
        wait_ms(1);
    }
    return status;
}

/* Does work in a process of its own where nothing is confined, because it can't be taken back;
 * where no process may be started, the tried one is this one. */
static void apart(Try *t, void (*work)(Try *t))
{
    Try *shared = MAP_FAILED;
    pid_t pid = -1;

    if (t->given->control)
        shared =
            mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED) {
        *shared = *t;
        pid = fork();
    }
    if (pid < 0) {
        work(t);
    } else if (pid == 0) {
        for (int sig = 1; sig < 32; sig++)
            signal(sig, SIG_DFL);
        work(shared);
        _exit(0);
    } else {
        int status = reap(pid);

        *t = *shared;
        if (WIFSIGNALED(status))
            refuse(t, "ended by signal %d", WTERMSIG(status));
    }
    if (shared != MAP_FAILED)
        munmap(shared, sizeof(*shared));
}

/* Whether the first process that is seen is that of an own cell. */
static bool own_first(const Try *t)
{
    return !t->given->control && getppid() <= 1;
}

static bool pid_listed(const pid_t *pids, int count, pid_t pid)
{
    for (int i = 0; i < count; i++)
        if (pids[i] == pid)
            return true;
    return false;
}

/* The processes that /proc lists, without this one. */
static int listed_processes(pid_t ret_pids[static PIDS_MAX])
{
    DIR *dir = opendir("/proc");
    int count = 0;

    if (!dir)
        return 0;
    for (struct dirent *entry; (entry = readdir(dir)) && count < PIDS_MAX;) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

        if (pid > 0 && pid != getpid())
            ret_pids[count++] = pid;
    }
    closedir(dir);
    return count;
}

/* Processes that an agent has no business with: its parent, the first, and what the test names;
 * without the first of its own cell, which is nobody's business but the agent's. */
static int foreign_processes(const Try *t, pid_t ret_pids[static SECRETS_MAX + 2])
{
    int count = 0;

    if (!own_first(t)) {
        ret_pids[count++] = getppid();
        if (getppid() != 1)
            ret_pids[count++] = 1;
    }
    for (int i = 0; i < t->given->host_pid_count; i++)
        if (!pid_listed(ret_pids, count, t->given->host_pids[i]))
            ret_pids[count++] = t->given->host_pids[i];
    return count;
}

/* Calls `way` for each foreign process; its success is a hole. */
static void each_foreign(Try *t, int (*way)(pid_t pid))
{
    pid_t pids[SECRETS_MAX + 2];
    int count = foreign_processes(t, pids);

    if (count == 0)
        refuse(t, "nobody else");
    for (int i = 0; i < count; i++) {
        if (way(pids[i]) >= 0)
            reach(t, "process %d", pids[i]);
        else
            refuse_error(t);
    }
}

/* Reads what fits of a file and ends it with a zero; -1 if it can't be read. */
static ssize_t read_some(const char *path, char *ret_text, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n;

    if (fd < 0)
        return -1;
    n = read(fd, ret_text, room - 1);
    close(fd);
    ret_text[n > 0 ? n : 0] = '\0';
    return n;
}

/* How many entries a folder shows; -1 if none can be seen. */
static int folder_entries(const char *path)
{
    DIR *dir = opendir(path);
    int count = 0;

    if (!dir)
        return -1;
    for (struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

/* A file can be read, or a folder listed. */
static bool can_read(const char *path)
{
    char byte[2];
    struct stat info;

    if (stat(path, &info) != 0)
        return false;
    return S_ISDIR(info.st_mode) ? folder_entries(path) >= 0 : read_some(path, byte, 2) >= 0;
}

#endif
