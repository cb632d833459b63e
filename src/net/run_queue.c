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

#define PIDS_MAX    64
#define THREADS_MAX 4096
#define LIST_OLD_US (30 * 1000 * 1000)
#define LIST_NEW_US                                                                                \
    (25 * 1000) /* many looks at one answer read the machine's processes this often */
#define LOOK_OLD_US  (100 * 1000) /* what ran within this time is not waiting all the time */
#define PATH_ROOM    64
#define STAT_ROOM    512
#define NS_IN_A_US   1000
#define NS_IN_A_S    INT64_C(1000000000)
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

/* What processes have used of processors, with their ended threads and the children that they have
 * waited for. */
typedef struct Used {
    int pids[PIDS_MAX];
    int64_t ns[PIDS_MAX];
    size_t count;
} Used;

struct RunQueue {
    int pids[PIDS_MAX]; /* pids[0] is the program */
    size_t pid_count;   /* more than PIDS_MAX: they are not all there */
    TimeUs listed_at;
    Used used;     /* at run_queue_begin */
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

/* The words of a stat file behind the name, which may hold blanks and brackets: `R 1 ...`. */
static Str behind_name(Str text)
{
    size_t at = text.len;

    while (at && text.bytes[at - 1] != ')')
        at--;
    return at ? str_part(text, at + 1, SIZE_MAX) : (Str){0};
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

/* The threads of the processes that were there at run_queue_begin, as they are now. */
static void read_threads(const RunQueue *queue, Threads *threads)
{
    threads->count = 0;
    for (size_t i = 0; i < queue->used.count; i++)
        add_process(queue->used.pids[i], threads);
}

/* What the children that a process has waited for had used, and theirs: words 16 and 17 of its
 * /proc/PID/stat, of which the third is the first behind the name. */
static int64_t ended_ns(int pid)
{
    char path[PATH_ROOM], room[STAT_ROOM];
    uint64_t user = 0, kernel = 0;
    long ticks = sysconf(_SC_CLK_TCK);

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    Str text = behind_name(file_text(path, room));
    for (int word = 3; word < 16; word++)
        str_cut(&text, ' ');
    if (ticks <= 0 || !str_to_uint(str_cut(&text, ' '), INT32_MAX, &user) ||
        !str_to_uint(str_cut(&text, ' '), INT32_MAX, &kernel))
        return 0;
    return (int64_t)(user + kernel) * (NS_IN_A_S / ticks);
}

/* What a process has used of processors, threads and children that have ended included; 0 when it
 * is gone. */
static int64_t process_cpu_ns(int pid)
{
    clockid_t clock;
    struct timespec used;

    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used))
        return 0;
    return (int64_t)used.tv_sec * NS_IN_A_S + used.tv_nsec + ended_ns(pid);
}

/* Whether the kernel would run it if there were a processor. */
static bool can_run(const Thread *thread)
{
    char path[PATH_ROOM], room[STAT_ROOM];

    snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", thread->pid, thread->tid);
    return str_starts(behind_name(file_text(path, room)), STR("R"));
}

/* Whether it keeps to fewer processors than this program, from which it has inherited them: who
 * does not use one that is free has chosen to wait. */
static bool is_narrowed(const Thread *thread)
{
    cpu_set_t own, its, both;

    if (sched_getaffinity(0, sizeof(own), &own) ||
        sched_getaffinity(thread->tid, sizeof(its), &its))
        return false;
    CPU_AND(&both, &own, &its);
    return !CPU_EQUAL(&both, &own);
}

/* Whether it was made less urgent than this program. */
static bool is_lowered(const Thread *thread)
{
    int policy = sched_getscheduler(thread->tid);

    return policy == SCHED_IDLE || policy == SCHED_BATCH ||
           getpriority(PRIO_PROCESS, (id_t)thread->tid) > getpriority(PRIO_PROCESS, 0);
}

/* Whether its waits are of its own making. */
static bool waits_by_choice(const Thread *thread)
{
    return is_lowered(thread) || is_narrowed(thread);
}

/* ---- looks ---- */

/* Lists the processes when the list is older than `old`: finding them means reading all that the
 * machine has. */
static void list_processes(RunQueue *queue, TimeUs old)
{
    TimeUs now = loop_now();

    if (queue->pid_count && now - queue->listed_at < old)
        return;
    queue->pid_count = process_tree_read(queue->pids[0], queue->pids, PIDS_MAX);
    queue->listed_at = now;
}

static size_t listed_threads(const RunQueue *queue)
{
    return queue->pid_count < PIDS_MAX ? queue->pid_count : PIDS_MAX;
}

bool run_queue_begin(RunQueue *queue)
{
    Used *used = &queue->used;

    list_processes(queue, LIST_OLD_US);
    used->count = listed_threads(queue);
    for (size_t i = 0; i < used->count; i++) {
        used->pids[i] = queue->pids[i];
        used->ns[i] = process_cpu_ns(queue->pids[i]);
    }
    read_threads(queue, &queue->first);
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
static bool thread_waits(const RunQueue *queue, const Thread *thread, const Thread *before,
                         TimeUs now)
{
    bool fresh = queue->last_at && now - queue->last_at < LOOK_OLD_US;
    bool ran = before && (before->cpu_ns != thread->cpu_ns || before->delay_ns != thread->delay_ns);

    return !(fresh && ran) && can_run(thread);
}

/* What a process had used at run_queue_begin; 0 = it was not there, so all that it has used since
 * it began counts. */
static int64_t used_before(const Used *used, int pid)
{
    for (size_t i = 0; i < used->count; i++)
        if (used->pids[i] == pid)
            return used->ns[i];
    return 0;
}

/* What the tree has used. Who was in it then and has ended is in its parent's figure. */
static TimeUs cpu_since(const RunQueue *queue)
{
    int64_t ns = 0;

    for (size_t i = 0; i < listed_threads(queue); i++) {
        int64_t used = process_cpu_ns(queue->pids[i]) - used_before(&queue->used, queue->pids[i]);
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

        if (waits_by_choice(thread))
            continue;
        look.delay = delay > look.delay ? delay : look.delay;
        look.waiting = look.waiting || thread_waits(queue, thread, last, at);
    }
    list_processes(queue, LIST_NEW_US);
    look.cpu = cpu_since(queue);
    if (queue->pid_count > PIDS_MAX) /* what the others use is not known */
        look = (RunQueueLook){.cpu = look.cpu};
    mem_free(queue->last.list);
    queue->last = now;
    queue->last_at = at;
    *ret_look = look;
    return now.count > 0;
}
