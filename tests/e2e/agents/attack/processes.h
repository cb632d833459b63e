/* processes.h - attacks by starting programs, and on the processes of others.
 *
 * For:     attack.c; see try.h. A signal that is sent is 0; what is set is what it was before.
 * Memory:  nothing is kept.
 * Thread:  the main one, and those that an attack starts and ends.
 * Source:  docs/spec/contest-operations.md 6.2, 6.5.
 */
#ifndef ATTACK_PROCESSES_H
#define ATTACK_PROCESSES_H

#include "try.h"

#include <linux/ioprio.h>
#include <linux/kcmp.h>
#include <linux/sched.h>
#include <spawn.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

extern char **environ;

/* ---- starting a process ---- */

static void judge_child(Try *t, pid_t pid, const char *what)
{
    if (judge(t, pid, what))
        reap(pid);
}

static void fork_libc(Try *t)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    judge_child(t, pid, "a process");
}

static void fork_raw(Try *t)
{
#ifdef SYS_fork
    pid_t pid = (pid_t)syscall(SYS_fork);

    if (pid == 0)
        _exit(0);
    judge_child(t, pid, "a process");
#else
    skip(t, "not on this processor");
#endif
}

static void vfork_libc(Try *t)
{
    pid_t pid = vfork();

    if (pid == 0)
        _exit(0);
    judge_child(t, pid, "a process");
}

static int nothing(void *with)
{
    (void)with;
    return 0;
}

/* The row's number: the flags. With CLONE_VM it runs on a stack of its own. */
static void clone_libc(Try *t)
{
    static char stack[65536] __attribute__((aligned(16)));
    sigset_t before;

    block_signals(&before);
    pid_t pid = clone(nothing, stack + sizeof(stack), (int)t->number, NULL);
    int error = errno;

    wait_ms(pid > 0 ? 5 : 0); /* a thread without a handle: its stack stays */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    if (judge(t, pid, (t->number & CLONE_THREAD) ? "a thread" : "a process") &&
        !(t->number & (CLONE_THREAD | CLONE_PARENT)))
        reap(pid);
}

/* The row's number: the flags, of which the kernel reads 32 bits. */
static void clone_raw(Try *t)
{
#if defined(__x86_64__) || defined(__aarch64__)
    pid_t pid = (pid_t)syscall(SYS_clone, t->number, 0, NULL, NULL, 0);

    if (pid == 0)
        _exit(0);
    judge_child(t, pid, "a process");
#else
    skip(t, "not on this processor");
#endif
}

/* The row's number: the flags. */
static void clone3_raw(Try *t)
{
    struct clone_args args = {.flags = (uint64_t)t->number, .exit_signal = SIGCHLD};
    pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

    if (pid == 0)
        _exit(0);
    judge_child(t, pid, "a process");
}

static void spawn(Try *t)
{
    char *const words[] = {(char[]){"true"}, NULL};
    pid_t pid;
    int error = posix_spawn(&pid, "/bin/true", NULL, NULL, words, environ);

    errno = error;
    judge_child(t, error ? -1 : pid, "a program");
}

static void system_shell(Try *t)
{
    int status = system("exit 7");

    if (WIFEXITED(status) && WEXITSTATUS(status) == 7)
        reach(t, "a shell");
    else
        refuse_error(t);
}

static void popen_shell(Try *t)
{
    char line[16] = "";
    FILE *pipe = popen("echo shell", "re");

    if (!pipe) {
        refuse_error(t);
        return;
    }
    if (fgets(line, sizeof(line), pipe) && strcmp(line, "shell\n") == 0)
        reach(t, "a shell");
    pclose(pipe);
    refuse(t, "no answer");
}

/* Out of the session and away from the parent; the third generation ends at once. */
static void daemonize(Try *t)
{
    pid_t pid = fork();

    if (pid == 0) {
        setsid();
        _exit(fork() >= 0 ? 7 : 0);
    }
    if (pid < 0)
        refuse_error(t);
    else if (WEXITSTATUS(reap(pid)) == 7)
        reach(t, "a daemon");
    else
        refuse(t, "no daemon");
}

static void *thread_work(void *with)
{
    return with;
}

static void start_thread(Try *t)
{
    sigset_t before;
    pthread_t thread;

    block_signals(&before);
    int error = pthread_create(&thread, NULL, thread_work, NULL);

    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0)
        pthread_join(thread, NULL);
    errno = error;
    judge(t, error ? -1 : 0, "a thread");
}

/* ---- signals ---- */

/* kill(0, ...) would be the own group: who has no parent to be seen has nobody to signal. */
static void kill_parent(Try *t)
{
    if (own_first(t))
        refuse(t, "no parent of the host");
    else
        judge(t, kill(getppid(), 0), "the parent");
}

/* In an own cell the kernel takes the signal and does nothing. */
static void kill_first(Try *t)
{
    if (own_first(t))
        refuse(t, "the first of the own cell");
    else
        judge(t, kill(1, 0), "the first process");
}

static int signal_zero(pid_t pid)
{
    return kill(pid, 0);
}

static void kill_foreign(Try *t)
{
    each_foreign(t, signal_zero);
}

/* How many processes take a signal, by trying all numbers, whether they are listed or not. */
static int signalled(const Try *t)
{
    int count = 0;

    for (pid_t pid = 1; pid < 70000; pid++)
        if (pid != getpid() && !(pid == 1 && own_first(t)) && kill(pid, 0) == 0 &&
            syscall(SYS_tgkill, getpid(), pid, 0) != 0)
            count++;
    return count;
}

static void kill_sweep(Try *t)
{
    int count = signalled(t);

    if (count > 0)
        reach(t, "%d processes take a signal", count);
    refuse(t, "nobody");
}

/* The kernel says that all is well when there is somebody to refuse: only both together tell. */
static void kill_all(Try *t)
{
    if (kill(-1, 0) != 0)
        refuse_error(t);
    else if (signalled(t) > 0)
        reach(t, "all that take a signal");
    refuse(t, "nobody");
}

static void kill_group(Try *t)
{
    if (getpgrp() != getpid())
        reach(t, "in the group of process %d", getpgrp());
    if (getsid(0) != getpid())
        reach(t, "in the session of process %d", getsid(0));
    refuse(t, "a session of its own");
}

static int signal_pidfd(pid_t pid)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);

    if (fd < 0)
        return -1;
    int result = (int)syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0), error = errno;

    close(fd);
    errno = error;
    return result;
}

static void kill_pidfd(Try *t)
{
    each_foreign(t, signal_pidfd);
}

static int signal_queue(pid_t pid)
{
    return sigqueue(pid, 0, (union sigval){.sival_int = 0});
}

static void kill_queue(Try *t)
{
    each_foreign(t, signal_queue);
}

static int signal_thread(pid_t pid)
{
    return (int)syscall(SYS_tgkill, pid, pid, 0);
}

static void kill_thread(Try *t)
{
    each_foreign(t, signal_thread);
}

/* ---- other people's memory and descriptors ---- */

static void trace_me(Try *t)
{
    judge(t, ptrace(PTRACE_TRACEME, 0, NULL, NULL), "traced by the parent");
}

static void ptrace_me(Try *t)
{
    apart(t, trace_me);
}

/* A traced process goes on, and is let go when the tracer ends; the first one of a machine is left
 * alone. */
static int seize(pid_t pid)
{
    errno = EPERM;
    if (pid == 1)
        return -1;
    return (int)ptrace(PTRACE_SEIZE, pid, NULL, NULL);
}

static void seize_each(Try *t)
{
    each_foreign(t, seize);
}

static void ptrace_foreign(Try *t)
{
    apart(t, seize_each);
    /* Whom it may trace or not, the call itself is refused. */
    if (ptrace(PTRACE_SEIZE, 0x7ffffff0, NULL, NULL) != 0 && errno == ESRCH)
        reach(t, "let through to ESRCH");
}

/* An address where nothing is: the check of rights comes first. */
static int read_memory(pid_t pid)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)16, 1};

    if (process_vm_readv(pid, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT)
        return 0;
    return -1;
}

static int write_memory(pid_t pid)
{
    char byte = 0;
    struct iovec here = {&byte, 1}, there = {(void *)16, 1};

    if (process_vm_writev(pid, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT)
        return 0;
    return -1;
}

static void vm_read(Try *t)
{
    each_foreign(t, read_memory);
    judge(t, read_memory(getpid()), "itself");
}

static void vm_write(Try *t)
{
    each_foreign(t, write_memory);
    judge(t, write_memory(getpid()), "itself");
}

static int take_descriptor(pid_t pid)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    int taken = fd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, fd, 0, 0), error = errno;

    if (fd >= 0)
        close(fd);
    if (taken >= 0)
        close(taken);
    errno = error;
    return taken;
}

static void pidfd_get(Try *t)
{
    each_foreign(t, take_descriptor);
    judge(t, take_descriptor(getpid()), "itself");
}

static int compare(pid_t pid)
{
    return (int)syscall(SYS_kcmp, getpid(), pid, KCMP_VM, 0, 0);
}

static void kcmp_foreign(Try *t)
{
    each_foreign(t, compare);
    judge(t, compare(getpid()), "itself");
}

/* ---- other people's time and limits: what is set is what was there ---- */

static int same_priority(pid_t pid)
{
    errno = 0;
    int priority = getpriority(PRIO_PROCESS, (id_t)pid);

    return errno ? -1 : setpriority(PRIO_PROCESS, (id_t)pid, priority);
}

static int same_affinity(pid_t pid)
{
    cpu_set_t cpus;

    if (sched_getaffinity(pid, sizeof(cpus), &cpus) != 0)
        return -1;
    return sched_setaffinity(pid, sizeof(cpus), &cpus);
}

static int same_scheduler(pid_t pid)
{
    struct sched_param param;
    int policy = sched_getscheduler(pid);

    if (policy < 0 || sched_getparam(pid, &param) != 0)
        return -1;
    return sched_setscheduler(pid, policy, &param);
}

static int same_io_priority(pid_t pid)
{
    long priority = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, pid);

    return priority < 0 ? -1 : (int)syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, pid, priority);
}

static int see_limits(pid_t pid)
{
    struct rlimit limit;

    return prlimit(pid, RLIMIT_NOFILE, NULL, &limit);
}

static int (*const foreign_ways[])(pid_t pid) = {same_priority, same_affinity, same_scheduler,
                                                 same_io_priority, see_limits};

/* The row's number is the way. */
static void adjust_foreign(Try *t)
{
    each_foreign(t, foreign_ways[t->number]);
}

/* The same with the first process of the own cell, which counts and ends it. */
static void adjust_first(Try *t)
{
    static const char *const names[] = {"priority", "processors", "scheduler", "io priority",
                                        "limits"};

    for (size_t i = 0; i < COUNT(foreign_ways); i++)
        judge(t, foreign_ways[i](1), names[i]);
}

static void nice_up(Try *t)
{
    int before = getpriority(PRIO_PROCESS, 0);

    if (judge(t, setpriority(PRIO_PROCESS, 0, before - 1), "before others"))
        setpriority(PRIO_PROCESS, 0, before);
}

static void realtime(Try *t)
{
    struct sched_param now = {.sched_priority = 1}, before = {0};

    if (judge(t, sched_setscheduler(0, SCHED_FIFO, &now), "before all others"))
        sched_setscheduler(0, SCHED_OTHER, &before);
}

/* ---- own limits ---- */

typedef struct Limit {
    const char *name;
    int resource;
    rlim_t most; /* by 6.4; RLIM_INFINITY: whatever the contest gives */
} Limit;

static const Limit limits[] = {
    {"files", RLIMIT_NOFILE, 256},
    {"core", RLIMIT_CORE, 1}, /* 1 ends a core that goes to a program, too */
    {"file size", RLIMIT_FSIZE, RLIM_INFINITY},
    {"locked memory", RLIMIT_MEMLOCK, 65536},
    {"queues", RLIMIT_MSGQUEUE, 0},
    {"processor time", RLIMIT_CPU, 7201},
    {"processes", RLIMIT_NPROC, RLIM_INFINITY},
    {"data", RLIMIT_DATA, RLIM_INFINITY},
    {"priority", RLIMIT_NICE, 0},
    {"realtime", RLIMIT_RTPRIO, 0},
};

static void limits_are_set(Try *t)
{
    for (size_t i = 0; i < COUNT(limits); i++) {
        struct rlimit limit;

        if (limits[i].most != RLIM_INFINITY && getrlimit(limits[i].resource, &limit) == 0 &&
            (limit.rlim_max > limits[i].most || limit.rlim_cur > limits[i].most))
            reach(t, "%s", limits[i].name);
    }
    refuse(t, "all set");
}

static void raise_limits(Try *t)
{
    for (size_t i = 0; i < COUNT(limits); i++) {
        struct rlimit before, more;

        if (getrlimit(limits[i].resource, &before) != 0 || before.rlim_max == RLIM_INFINITY)
            continue;
        more = before;
        more.rlim_max++;
        if (judge(t, setrlimit(limits[i].resource, &more), limits[i].name))
            setrlimit(limits[i].resource, &before);
    }
    refuse(t, "nothing to raise");
}

/* A crash must not write a file somewhere. */
static void core_dump(Try *t)
{
    struct rlimit before, more;

    getrlimit(RLIMIT_CORE, &before);
    more = (struct rlimit){before.rlim_max, before.rlim_max};
    if (setrlimit(RLIMIT_CORE, &more) != 0)
        refuse_error(t);
    else if (more.rlim_cur > 1)
        reach(t, "a core of any size");
    setrlimit(RLIMIT_CORE, &before);
    refuse(t, "no core");
}

static void lock_memory(Try *t)
{
    size_t size = 1 << 20;
    char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED) {
        refuse_error(t);
        return;
    }
    judge(t, mlock(pages, size), "1 MiB that is never swapped");
    munmap(pages, size);
}

#endif
