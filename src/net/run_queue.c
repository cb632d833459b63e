#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* SCHED_IDLE */
#endif
#include "net/run_queue.h"

#include "base/mem.h"
#include "base/str.h"
#include "net/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define PIDS_MAX     64
#define THREADS_MAX  4096
#define LIST_OLD_US  (30 * 1000 * 1000)
#define LOOK_OLD_US  (100 * 1000) /* what ran within this time is not waiting all the time */
#define PATH_ROOM    64
#define STAT_ROOM    512
#define NS_IN_A_US   1000
#define NS_MAX       ((uint64_t)INT64_MAX)
#define THREADS_ROOM 16

typedef struct Thread {
    int pid;
    int tid;
    int64_t cpu_ns;
    int64_t delay_ns;
} Thread;

/* Those of one look, in the order of processes and, as /proc has them, of their numbers. */
typedef struct Threads {
    Thread *list;
    size_t count;
    size_t room;
} Threads;

struct RunQueue {
    int pids[PIDS_MAX];       /* pids[0] is the program */
    int64_t cpu_ns[PIDS_MAX]; /* of each process at run_queue_begin, ended threads included */
    size_t pid_count;
    TimeUs listed_at;
    Threads first; /* at run_queue_begin */
    Threads last;  /* at the last look */
    TimeUs last_at;
    bool begun;
};

RunQueue *run_queue_new(int pid)
{
    RunQueue *queue = mem_new(sizeof(*queue));

    if (queue)
        queue->pids[0] = pid;
    return queue;
}

RunQueue *run_queue_free(RunQueue *queue)
{
    if (!queue)
        return NULL;
    mem_free(queue->first.list);
    mem_free(queue->last.list);
    return mem_free(queue);
}

/* ---- reading /proc ---- */

/* The bytes of a small file into `room`; empty when it can't be read. */
static Str file_text(const char *path, char room[static STAT_ROOM])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t bytes = fd < 0 ? 0 : read(fd, room, STAT_ROOM);

    if (fd >= 0)
        close(fd);
    return (Str){room, bytes > 0 ? (size_t)bytes : 0};
}

static bool read_thread(int pid, int tid, Thread *ret_thread)
{
    char path[PATH_ROOM], room[STAT_ROOM];
    uint64_t cpu = 0, delay = 0;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", pid, tid);
    Str text = file_text(path, room);
    if (!str_to_uint(str_cut(&text, ' '), NS_MAX, &cpu) ||
        !str_to_uint(str_cut(&text, ' '), NS_MAX, &delay))
        return false;
    *ret_thread = (Thread){pid, tid, (int64_t)cpu, (int64_t)delay};
    return true;
}

static bool add_thread(Threads *threads, const Thread *thread)
{
    if (threads->count == threads->room) {
        size_t room = threads->room ? 2 * threads->room : THREADS_ROOM;
        Thread *list = room > THREADS_MAX ? NULL : mem_resize(threads->list, room, sizeof(*list));
        if (!list)
            return false;
        threads->list = list;
        threads->room = room;
    }
    threads->list[threads->count++] = *thread;
    return true;
}

static void add_process(int pid, Threads *threads)
{
    char path[PATH_ROOM];
    const struct dirent *entry;
    uint64_t tid;
    Thread thread;
    bool room = true;

    snprintf(path, sizeof(path), "/proc/%d/task", pid);
    DIR *folder = opendir(path);
    while (room && folder && (entry = readdir(folder)))
        if (str_to_uint(str_of(entry->d_name), INT32_MAX, &tid) &&
            read_thread(pid, (int)tid, &thread))
            room = add_thread(threads, &thread);
    if (folder)
        closedir(folder);
}

/* The threads of the processes that are looked at, as they are now. */
static void read_threads(const RunQueue *queue, Threads *threads)
{
    threads->count = 0;
    for (size_t i = 0; i < queue->pid_count; i++)
        add_process(queue->pids[i], threads);
}

/* What a process has used of processors, threads that have ended included; 0 when it is gone. */
static int64_t process_cpu_ns(int pid)
{
    clockid_t clock;
    struct timespec used;

    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used))
        return 0;
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

/* Whether the kernel would run it if there were a processor: the letter behind the name, which may
 * hold blanks and brackets. */
static bool can_run(const Thread *thread)
{
    char path[PATH_ROOM], room[STAT_ROOM];

    snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", thread->pid, thread->tid);
    Str text = file_text(path, room);
    size_t at = text.len;
    while (at && text.bytes[at - 1] != ')')
        at--;
    return at && str_starts(str_part(text, at, SIZE_MAX), STR(" R"));
}

/* Whether it was made less urgent than this program: then its waits are of its own making. */
static bool is_lowered(const Thread *thread)
{
    int policy = sched_getscheduler(thread->tid);

    return policy == SCHED_IDLE || policy == SCHED_BATCH ||
           getpriority(PRIO_PROCESS, (id_t)thread->tid) > getpriority(PRIO_PROCESS, 0);
}

/* ---- looks ---- */

/* Processes come and go seldom, and finding them means reading all that the machine has. */
static void list_processes(RunQueue *queue)
{
    TimeUs now = loop_now();

    if (queue->pid_count && now - queue->listed_at < LIST_OLD_US)
        return;
    size_t count = process_tree_read(queue->pids[0], queue->pids, PIDS_MAX);
    queue->pid_count = count < PIDS_MAX ? count : PIDS_MAX;
    queue->listed_at = now;
}

bool run_queue_begin(RunQueue *queue)
{
    list_processes(queue);
    read_threads(queue, &queue->first);
    for (size_t i = 0; i < queue->pid_count; i++)
        queue->cpu_ns[i] = process_cpu_ns(queue->pids[i]);
    queue->last.count = 0;
    queue->last_at = 0;
    queue->begun = queue->first.count > 0;
    return queue->begun;
}

/* The same thread in another look, NULL = it was not there. Both are in one order, so it is looked
 * for from `*at` on first. */
static const Thread *find_thread(const Threads *threads, const Thread *thread, size_t *at)
{
    for (size_t n = 0; n < threads->count; n++) {
        size_t i = (*at + n) % threads->count;
        const Thread *other = &threads->list[i];
        if (other->tid == thread->tid && other->pid == thread->pid) {
            *at = i + 1;
            return other;
        }
    }
    return NULL;
}

/* Whether it waits for a processor, as far as this look and the last one tell. */
static bool waits(const RunQueue *queue, const Thread *thread, const Thread *before, TimeUs now)
{
    bool fresh = queue->last_at && now - queue->last_at < LOOK_OLD_US;
    bool ran = before && (before->cpu_ns != thread->cpu_ns || before->delay_ns != thread->delay_ns);

    return !(fresh && ran) && can_run(thread);
}

static TimeUs cpu_since(const RunQueue *queue)
{
    int64_t ns = 0;

    for (size_t i = 0; i < queue->pid_count; i++) {
        int64_t used = process_cpu_ns(queue->pids[i]) - queue->cpu_ns[i];
        ns += used > 0 ? used : 0;
    }
    return ns / NS_IN_A_US;
}

bool run_queue_since(RunQueue *queue, RunQueueLook *ret_look)
{
    Threads now = {0};
    TimeUs at = loop_now();
    RunQueueLook look = {0};
    size_t in_first = 0, in_last = 0;

    if (!queue->begun)
        return false;
    read_threads(queue, &now);
    for (size_t i = 0; i < now.count; i++) {
        const Thread *thread = &now.list[i];
        const Thread *before = find_thread(&queue->first, thread, &in_first);
        const Thread *last = find_thread(&queue->last, thread, &in_last);
        TimeUs delay = (thread->delay_ns - (before ? before->delay_ns : 0)) / NS_IN_A_US;

        if (delay > look.delay && !is_lowered(thread))
            look.delay = delay;
        look.waiting = look.waiting || (waits(queue, thread, last, at) && !is_lowered(thread));
    }
    look.cpu = cpu_since(queue);
    mem_free(queue->last.list);
    queue->last = now;
    queue->last_at = at;
    *ret_look = look;
    return now.count > 0;
}
