#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* pipe2, CLONE_ */
#endif
#include "cell/strict_front.h"

#include "base/banned.h"
#include "cell/cell_group.h"
#include "cell/cell_news.h"
#include "cell/cell_process.h"
#include "cell/cell_why.h"
#include "cell/strict_inside.h"
#include "cell/strict_rules.h"
#include "cell/witness.h"
#include "net/child.h"
#include "net/fd_socket.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MS      50 /* how often memory and threads are looked at, where no group limits them */
#define COUNT_MS     1000 /* how often threads' names are read, and counts are told */
#define TEXT_BYTES   256
#define FIRST_SLOT   60000
#define SLOTS        4000
#define ANSWERS_MAX  2000 /* in a second, at once */
#define SLOT_TRIES   200
#define SLOT_NAME    "warg-cell-user-"
#define THREADS_READ 4096
#define LEFT_TRIES   100 /* of 1 ms, for what a cell without namespaces has left behind */

typedef struct Front {
    const StrictOrder *order;
    Witness witness;
    CellGroup group;
    pid_t first; /* of the cell; at `filter` the program */
    int socket;  /* to the cell; -1 = it has said all */
    int signals;
    int program; /* its pidfd; -1 = not known yet */
    bool told_begin;
    bool ended;    /* its status is known */
    bool unwanted; /* nobody wants it any more */
    bool looks;    /* at memory and threads, since nothing else limits them */
    int status;
    uint64_t peak_kib;
    uint32_t peak_threads;
    uint32_t answers; /* since answers_from */
    int64_t answers_from;
} Front;

/* ---- whom it runs as ---- */

/* A number of users that no other cell has at the moment: the name of a socket is taken as long as
 * we live. Drawn, so that the number tells nothing of the seat. */
static bool take_user(uid_t *ret_user, Why *why)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    uint32_t drawn = 0;

    int lock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    for (int tries = 0; lock >= 0 && tries < SLOT_TRIES; tries++) {
        if (getrandom(&drawn, sizeof(drawn), 0) != (ssize_t)sizeof(drawn))
            break;
        *ret_user = FIRST_SLOT + drawn % SLOTS;
        const int n = snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, SLOT_NAME "%u",
                               (unsigned)*ret_user);
        if (bind(lock, (const struct sockaddr *)&name,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)) == 0)
            return true; /* it stays open */
    }
    return step_failed(why, "an unused number of users", NULL);
}

static bool write_map(pid_t of, const char *name, const char *text)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)of, name);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool written = write(file, text, strlen(text)) == (ssize_t)strlen(text);
    close(file);
    return written;
}

static bool write_maps(pid_t of, uid_t inside, Why *why)
{
    char text[48];

    if (!write_map(of, "setgroups", "deny"))
        return step_failed(why, "groups of the user", NULL);
    snprintf(text, sizeof(text), "%u %u 1", (unsigned)inside, (unsigned)geteuid());
    if (!write_map(of, "uid_map", text))
        return step_failed(why, "map of users", NULL);
    snprintf(text, sizeof(text), "%u %u 1", (unsigned)inside, (unsigned)getegid());
    return write_map(of, "gid_map", text) || step_failed(why, "map of groups", NULL);
}

/* ---- its start ---- */

#define CELL_USER 1000 /* in a namespace of users */
#define SPACES                                                                                     \
    (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

static pid_t clone_first(uint64_t spaces)
{
    struct clone_args arguments = {.flags = spaces, .exit_signal = SIGCHLD};

    return (pid_t)syscall(SYS_clone3, &arguments, sizeof(arguments));
}

/* Whether the numbers of users that cells take are known here: in a namespace of users with few of
 * them they are not. */
static bool has_slots(void)
{
    char line[80], *rest;
    FILE *map = fopen("/proc/self/uid_map", "re");
    bool found = false;

    while (map && !found && fgets(line, sizeof(line), map)) { /* inside, outside, how many */
        const unsigned long inside = strtoul(line, &rest, 10);
        strtoul(rest, &rest, 10);
        const unsigned long count = strtoul(rest, NULL, 10);
        found = inside <= FIRST_SLOT && inside + count >= FIRST_SLOT + SLOTS;
    }
    if (map)
        fclose(map);
    return found;
}

/* Whether we can give a program a number of users of its own. */
static bool changes_users(void)
{
    return geteuid() == 0 && prctl(PR_CAPBSET_READ, CAP_SETUID, 0, 0, 0) == 1 && has_slots();
}

/* Whether we may do what root may; a root of a container may not. */
static bool has_rights(void)
{
    return changes_users() && prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) == 1;
}

static bool no_namespaces(Why *why)
{
    step_failed(why, "new namespaces", NULL);
    if (why->error == ENOSPC || why->error == EUSERS)
        why->advice = "user.max_user_namespaces is 0, or so many are in use";
    else if (why->error == EPERM || why->error == EACCES)
        why->advice = "kernel.unprivileged_userns_clone, AppArmor or a container's rules forbid it";
    return false;
}

/* The first process, of namespaces of its own; as root with those of its own rights, else with a
 * namespace of users. */
static bool start_first(Front *front, InsidePlan *plan, Why *why)
{
    pid_t first = -1;
    bool own_users = !has_rights();

    if (!own_users) {
        if (!take_user(&plan->user, why))
            return false;
        plan->changes_user = true;
        first = clone_first(SPACES);
        own_users = first < 0 && errno == EPERM;
    }
    if (own_users) {
        plan->user = CELL_USER;
        plan->changes_user = false;
        first = clone_first(SPACES | CLONE_NEWUSER);
    }
    if (first == 0)
        inside_first(plan);
    if (first < 0)
        return no_namespaces(why);
    front->first = first;
    return (!own_users || write_maps(first, CELL_USER, why)) &&
           cell_group_take(&front->group, first, why);
}

static bool start_program(Front *front, InsidePlan *plan, Why *why)
{
    if (changes_users()) {
        if (!take_user(&plan->user, why))
            return false;
        plan->changes_user = true;
    } else if (strict_rules_version() < 3) {
        errno = ENOSYS;
        return step_failed(why, "Landlock of version 3, or root", NULL);
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    /* Of the same user that many other processes may be: then one counts by looking. */
    plan->limits_threads &= plan->changes_user;
    int ends[2]; /* it waits there until it is in its group */
    if (pipe2(ends, O_CLOEXEC))
        return step_failed(why, "start of a process", NULL);
    front->first = fork();
    if (front->first == 0) {
        char go;
        close(ends[1]);
        if (read(ends[0], &go, 1) != 1)
            _exit(CELL_FAILED);
        inside_program(plan);
    }
    close(ends[0]);
    bool good = front->first > 0 || step_failed(why, "start of a process", NULL);
    good = good && cell_group_take(&front->group, front->first, why);
    good = good && (write(ends[1], "g", 1) == 1 || step_failed(why, "start of a process", NULL));
    close(ends[1]);
    if (good) {
        front->witness.program = front->first;
        front->program = (int)syscall(SYS_pidfd_open, front->first, 0);
    }
    return good;
}

/* ---- what is told ---- */

static void tell(const Front *front, const CellNews *news, int descriptor)
{
    char line[CELL_NEWS_BYTES];

    fd_socket_send(front->witness.told, line, cell_news_write(news, line), descriptor);
}

static void tell_begin(Front *front)
{
    if (front->told_begin)
        return;
    front->told_begin = true;
    tell(front, &(CellNews){.kind = NEWS_BEGUN}, -1);
}

/* The number of a process behind a pidfd, as we see it. */
static pid_t process_of_handle(int handle)
{
    char path[64], text[512];

    snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", handle);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    const ssize_t count = read(file, text, sizeof(text) - 1);
    close(file);
    text[count > 0 ? count : 0] = '\0';
    const char *line = strstr(text, "\nPid:");
    return line ? (pid_t)strtol(line + strlen("\nPid:"), NULL, 10) : 0;
}

/* One message of the cell. */
static void hear_letter(Front *front, const char *bytes, size_t count, int descriptor)
{
    switch (bytes[0]) {
    case 'l':
        tell(front, &(CellNews){.kind = NEWS_LISTENS}, descriptor);
        break;
    case 'n':
        front->witness.asked = descriptor;
        tell_begin(front);
        return;
    case 'a':
        front->program = descriptor;
        front->witness.program = process_of_handle(descriptor);
        return;
    case 'e':
        if (count == 1 + sizeof(front->status)) {
            memcpy(&front->status, bytes + 1, sizeof(front->status));
            front->ended = true;
        }
        break;
    default:
        break;
    }
    if (descriptor >= 0)
        close(descriptor);
}

static void hear_cell(Front *front)
{
    char bytes[FD_SOCKET_BYTES];
    size_t count;
    int descriptor;
    FdSocketState state;

    while ((state = fd_socket_receive(front->socket, bytes, &count, &descriptor)) ==
           FD_SOCKET_MESSAGE)
        hear_letter(front, bytes, count, descriptor);
    if (state == FD_SOCKET_OVER) {
        close(front->socket);
        front->socket = -1;
    }
}

/* ---- looking ---- */

/* The number behind "NAME:" of /proc/PID/status. */
static uint64_t status_number(const char *status, const char *name)
{
    const char *line = strstr(status, name);

    return line ? strtoull(line + strlen(name), NULL, 10) : 0;
}

static void kill_program(const Front *front)
{
    if (front->program >= 0)
        syscall(SYS_pidfd_send_signal, front->program, SIGKILL, NULL, 0);
}

#define STATUS_BYTES 4096

static void read_status(const char *path, char ret_status[static STATUS_BYTES])
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t count = file < 0 ? 0 : read(file, ret_status, STATUS_BYTES - 1);

    if (file >= 0)
        close(file);
    ret_status[count > 0 ? count : 0] = '\0';
}

/* Memory of the program in KiB: what it has in it, the tables for that, what was swapped out. One
 * whose first thread has ended is asked by another one: of that the kernel tells none. */
static uint64_t memory_of(pid_t program, const char *status)
{
    char path[64], of_thread[STATUS_BYTES];
    DIR *threads = NULL;
    const struct dirent *entry;

    if (!strstr(status, "\nVmRSS:")) {
        snprintf(path, sizeof(path), "/proc/%d/task", (int)program);
        threads = opendir(path);
        for (int i = 0; i < 16 && threads && (entry = readdir(threads)); i++) {
            snprintf(path, sizeof(path), "/proc/%d/task/%.16s/status", (int)program, entry->d_name);
            read_status(path, of_thread);
            status = strstr(of_thread, "\nVmRSS:") ? of_thread : status;
        }
    }
    const uint64_t kib = status_number(status, "\nVmRSS:") + status_number(status, "\nVmPTE:") +
                         status_number(status, "\nVmSwap:");
    if (threads)
        closedir(threads);
    return kib;
}

static void look_at_use(Front *front)
{
    char path[48], status[STATUS_BYTES], text[TEXT_BYTES];

    if (!front->witness.program || front->ended)
        return;
    snprintf(path, sizeof(path), "/proc/%d/status", (int)front->witness.program);
    read_status(path, status);
    const uint64_t kib = memory_of(front->witness.program, status);
    const uint32_t threads = (uint32_t)status_number(status, "\nThreads:");
    front->peak_kib = kib > front->peak_kib ? kib : front->peak_kib;
    front->peak_threads = threads > front->peak_threads ? threads : front->peak_threads;
    if (!front->group.memory[0] && front->order->memory_bytes &&
        kib > front->order->memory_bytes / 1024) {
        snprintf(text, sizeof(text), "ended at %llu MiB",
                 (unsigned long long)(front->order->memory_bytes >> 20));
        witness_find_end(&front->witness, FINDING_MEMORY, text);
        kill_program(front);
    }
    if (!front->group.processes[0] && front->order->threads && threads > front->order->threads) {
        witness_find_end(&front->witness, FINDING_THREAD, "more threads than allowed");
        kill_program(front);
    }
}

/* Names of threads that its runtime does not have. */
static void count_threads(Front *front)
{
    char path[64], name[40], text[TEXT_BYTES];
    DIR *folder;
    const struct dirent *entry;
    uint32_t threads = 0;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)front->witness.program);
    front->witness.census = false;
    if (!front->witness.program || front->ended || !(folder = opendir(path)))
        return;
    while ((entry = readdir(folder)) && threads < THREADS_READ) {
        if (entry->d_name[0] == '.')
            continue;
        threads++;
        snprintf(path, sizeof(path), "/proc/%d/task/%.16s/comm", (int)front->witness.program,
                 entry->d_name);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        const ssize_t count = file < 0 ? 0 : read(file, name, sizeof(name) - 1);
        if (file >= 0)
            close(file);
        name[count > 0 ? count - 1 : 0] = '\0'; /* without its line end */
        if (!name[0] || !front->order->usual_count ||
            witness_is_listed(front->order->usual, front->order->usual_count, name))
            continue;
        snprintf(text, sizeof(text), "thread %s", name);
        witness_find(&front->witness, FINDING_THREAD, text);
    }
    closedir(folder);
    front->peak_threads = threads > front->peak_threads ? threads : front->peak_threads;
}

/* ---- its end ---- */

/* All that a cell without namespaces has left: who was adopted by us. */
static void kill_left_behind(void)
{
    char path[64], list[4096];

    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    for (int tries = 0; tries < LEFT_TRIES; tries++) {
        if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
            return;
        int file = open(path, O_RDONLY | O_CLOEXEC);
        const ssize_t count = file < 0 ? 0 : read(file, list, sizeof(list) - 1);
        if (file >= 0)
            close(file);
        list[count > 0 ? count : 0] = '\0';
        for (char *rest = NULL, *number = strtok_r(list, " ", &rest); number;
             number = strtok_r(NULL, " ", &rest))
            kill((pid_t)strtol(number, NULL, 10), SIGKILL);
        poll(NULL, 0, 1);
    }
}

/* Ends what is left; true when its first process ended by itself with CELL_FAILED. */
static bool end_cell(Front *front)
{
    int status = 0;
    pid_t ended;

    if (front->ended || front->told_begin || front->unwanted || front->witness.broken)
        kill(front->first, SIGKILL);
    do
        ended = waitpid(front->first, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (front->socket >= 0)
        hear_cell(front);
    if (front->order->filter && ended == front->first && !front->ended) {
        front->status = status;
        front->ended = true;
    }
    if (front->order->filter)
        kill_left_behind();
    return !front->ended && WIFEXITED(status) && WEXITSTATUS(status) == CELL_FAILED;
}

static void tell_end(Front *front)
{
    struct rusage usage;
    CellUse use = {.threads = front->peak_threads};

    if (cell_group_overran(&front->group))
        witness_find_end(&front->witness, FINDING_MEMORY, "killed at its limit of memory");
    witness_tell_counts(&front->witness);
    if (getrusage(RUSAGE_CHILDREN, &usage) == 0) {
        use.cpu_ms = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
                     (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
        use.peak_kib = (uint64_t)usage.ru_maxrss;
    }
    const uint64_t of_group = cell_group_peak_kib(&front->group);
    use.peak_kib = of_group ? of_group : use.peak_kib;
    tell(front, &(CellNews){.kind = NEWS_USED, .use = use}, -1);
}

/* ---- while it runs ---- */

static bool has_first_ended(const Front *front)
{
    siginfo_t about = {0};

    return waitid(P_PID, (id_t)front->first, &about, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           about.si_pid == front->first;
}

/* Signals go on to the program. False when the cell's first process has ended. */
static bool take_signal(const Front *front)
{
    struct signalfd_siginfo about;

    while (read(front->signals, &about, sizeof(about)) == (ssize_t)sizeof(about)) {
        if (about.ssi_signo == SIGCHLD) {
            if (has_first_ended(front))
                return false;
        } else if (front->program >= 0) {
            syscall(SYS_pidfd_send_signal, front->program, (int)about.ssi_signo, NULL, 0);
        }
    }
    return true;
}

static int64_t clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What is due by the clock; returns how long nothing is. */
static int look_around(Front *front, int64_t *next_look, int64_t *next_count)
{
    const int64_t now = clock_ms();

    if (front->looks && now >= *next_look) {
        look_at_use(front);
        *next_look = now + LOOK_MS;
    }
    if (now >= *next_count) {
        if (front->witness.census)
            count_threads(front);
        witness_tell_counts(&front->witness);
        *next_count = now + (front->witness.census ? LOOK_MS : COUNT_MS);
    } else if (front->witness.census && *next_count > now + LOOK_MS) {
        *next_count = now + LOOK_MS; /* when they have their names */
    }
    const int64_t next = front->looks && *next_look < *next_count ? *next_look : *next_count;
    return (int)(next > now ? next - now : 0);
}

/* Answers cost us the processor's time and the program next to nothing: beyond so many in a second
 * each waits. */
static void pace_answers(Front *front)
{
    const int64_t now = clock_ms();

    if (now >= front->answers_from + 1000) {
        front->answers_from = now;
        front->answers = 0;
    }
    if (++front->answers > ANSWERS_MAX)
        poll(NULL, 0, 1);
}

/* Nothing is due while nobody looks and nothing is to be counted. */
static bool has_due(const Front *front)
{
    if (front->looks || front->witness.census)
        return true;
    for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++)
        if (front->witness.silent[rule])
            return true;
    return false;
}

/* Until the program has ended, the cell has, or nobody wants it any more. */
static void watch(Front *front)
{
    int64_t next_look = 0, next_count = clock_ms() + COUNT_MS;

    while (!front->ended && !front->witness.broken) {
        struct pollfd wanted[] = {{.fd = front->witness.told, .events = POLLIN},
                                  {.fd = front->signals, .events = POLLIN},
                                  {.fd = front->socket, .events = POLLIN},
                                  {.fd = front->witness.asked, .events = POLLIN}};
        const int wait = has_due(front) ? look_around(front, &next_look, &next_count) : -1;
        if (poll(wanted, 4, wait) < 0 && errno != EINTR)
            front->witness.broken = true;
        if (front->witness.broken)
            return; /* what it told of is not to be trusted */
        if (wanted[2].revents && front->socket >= 0)
            hear_cell(front);
        /* The first process of a cell holds its end as long as it lives. */
        if (front->socket < 0 && !front->order->filter)
            return;
        if (wanted[0].revents) { /* nobody writes there: it is closed */
            front->unwanted = true;
            return;
        }
        if (wanted[3].revents & POLLIN)
            pace_answers(front);
        if (wanted[3].revents & POLLIN ? !witness_answer(&front->witness) : wanted[3].revents)
            front->witness.asked = -1; /* nobody is left who could ask */
        if (wanted[1].revents && !take_signal(front))
            return;
    }
}

/* Descriptors that are sent count for all of a user's processes against the limit of who sends: a
 * program of another cell must not be able to use that up. */
static void raise_files(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

static bool block_signals(Front *front, Why *why)
{
    sigset_t all;

    sigfillset(&all);
    if (sigprocmask(SIG_SETMASK, &all, NULL))
        return step_failed(why, "signals", NULL);
    front->signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    return front->signals >= 0 || step_failed(why, "signals", NULL);
}

static bool start_cell(Front *front, InsidePlan *plan, Why *why)
{
    int ends[2];

    if (!cell_group_make(front->order, &front->group, why))
        return false;
    plan->limits_memory = !front->group.memory[0];
    plan->limits_threads = !front->group.processes[0];
    front->looks = plan->limits_memory || plan->limits_threads;
    if (!fd_socket_pair(ends))
        return step_failed(why, "socket", NULL);
    front->socket = ends[0];
    plan->socket = ends[1];
    const bool good =
        front->order->filter ? start_program(front, plan, why) : start_first(front, plan, why);
    close(ends[1]);
    return good && (front->order->filter || fd_socket_send(front->socket, "g", 1, -1) ||
                    step_failed(why, "socket", NULL));
}

/* A probe has nobody to tell. */
static int end_probe(Front *front)
{
    const bool failed = end_cell(front);

    cell_group_remove(&front->group);
    if (failed)
        return CELL_FAILED; /* it has said why */
    return front->ended && WIFEXITED(front->status) ? WEXITSTATUS(front->status) : CELL_FAILED;
}

/* They stand one behind the other, as the kernel has put them there. */
static size_t words_bytes(char *const *words)
{
    const char *end = words[0];

    for (size_t i = 0; words[i]; i++)
        end = words[i] + strlen(words[i]) + 1;
    return (size_t)(end - words[0]);
}

/* The words on the heap: those of the command line are wiped in the cell. */
static char **copy_words(char **words)
{
    size_t count = 0;

    while (words[count])
        count++;
    const size_t bytes = count ? words_bytes(words) : 0;
    char **copy = malloc((count + 1) * sizeof(*copy) + bytes);
    if (!copy)
        return NULL;
    char *text = (char *)(copy + count + 1);
    if (count)
        memcpy(text, words[0], bytes);
    for (size_t i = 0; i < count; i++)
        copy[i] = text + (words[i] - words[0]);
    copy[count] = NULL;
    return copy;
}

int strict_front(char **words, int first)
{
    StrictOrder order;
    Front front = {.order = &order, .socket = -1, .program = -1};
    InsidePlan plan = {
        .order = &order, .group = &front.group, .filter = CHILD_FILE, .front = getpid()};
    Why why = {0};
    char **copy = copy_words(words + first);

    if (!copy || !strict_order_read(copy, &order))
        return tell_why(&(Why){.what = "an order that can not be read"}, false);
    front.witness = (Witness){.order = &order, .asked = -1, .told = CHILD_LIFELINE};
    fcntl(CHILD_LIFELINE, F_SETFD, FD_CLOEXEC);
    fcntl(CHILD_FILE, F_SETFD, FD_CLOEXEC);
    plan.words = words[0];
    plan.word_bytes = words_bytes(words);
    raise_files();
    if (!block_signals(&front, &why) || !start_cell(&front, &plan, &why)) {
        if (front.first > 0) {
            kill(front.first, SIGKILL);
            waitpid(front.first, NULL, 0);
        }
        cell_group_remove(&front.group);
        return tell_why(&why, order.probe);
    }
    if (!order.probe)
        let_go_of_output();
    close(CHILD_FILE);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* not before: whom we made would be closed to us */
    watch(&front);
    if (order.probe)
        return end_probe(&front);
    const bool failed = end_cell(&front) || front.witness.broken;
    if (!front.witness.broken) /* else who started it knows by that that it was not the program */
        tell_end(&front);
    cell_group_remove(&front.group);
    if (front.unwanted && !front.ended && !failed)
        end_as(SIGKILL); /* which is how we have ended it */
    if (failed || !front.ended)
        return CELL_FAILED;
    end_as(front.status);
}
