#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* unshare */
#endif
#include "cell/cell_start.h"

#include "base/banned.h"
#include "cell/cell_process.h"
#include "cell/cell_why.h"
#include "cell/strict_front.h"
#include "cell/strict_order.h"
#include "net/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_BYTES   4096
#define LINE_BYTES   (2 * PATH_BYTES)
#define PROCS_MAX    16
#define EXEC_FAILED  127 /* as a shell says it */
#define TRIES        40  /* for namespaces, when there are too many at the moment */
#define TRY_EVERY_MS 50
#define FEW          "32" /* namespaces of a kind that may be made within a cell */
#define HIDE         "--hide="

/* A set of capabilities is two words of 32 bits. */
#define BIT(capability) ((uint64_t)1 << (capability))

typedef struct Start {
    char **hidden; /* the first of the arguments --hide=... */
    int hidden_count;
    char **program; /* NULL-terminated; NULL = only a probe */
    bool plain;
    bool probe;
} Start;

/* ---- namespaces ---- */

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    size_t bytes = strlen(text);

    if (fd < 0)
        return false;
    bool written = write(fd, text, bytes) == (ssize_t)bytes;
    close(fd);
    return written;
}

/* The same user and group inside as outside; no others are known there. */
static bool write_maps(uid_t uid, gid_t gid, Why *why)
{
    char text[64];

    if (!write_file("/proc/self/setgroups", "deny") && errno != ENOENT)
        return step_failed(why, "write", "/proc/self/setgroups");
    snprintf(text, sizeof(text), "%u %u 1", (unsigned)uid, (unsigned)uid);
    if (!write_file("/proc/self/uid_map", text))
        return step_failed(why, "write", "/proc/self/uid_map");
    snprintf(text, sizeof(text), "%u %u 1", (unsigned)gid, (unsigned)gid);
    return write_file("/proc/self/gid_map", text) ||
           step_failed(why, "write", "/proc/self/gid_map");
}

/* So that nobody in the cell takes all that its user may have: then no other agent could be
 * started. Only in a user namespace of our own; in that of the system it would hold for all. */
static void limit_namespaces(void)
{
    static const char *const limits[] = {
        "/proc/sys/user/max_user_namespaces", "/proc/sys/user/max_mnt_namespaces",
        "/proc/sys/user/max_pid_namespaces",  "/proc/sys/user/max_net_namespaces",
        "/proc/sys/user/max_ipc_namespaces",  "/proc/sys/user/max_uts_namespaces",
        "/proc/sys/user/max_time_namespaces", "/proc/sys/user/max_cgroup_namespaces"};

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
        write_file(limits[i], FEW); /* an older kernel has not all of them */
}

/* Root makes them as it is; others in a user namespace of their own. */
static bool leave_namespaces_once(Why *why)
{
    const uid_t uid = geteuid();
    const gid_t gid = getegid();

    if (uid == 0 && unshare(CLONE_NEWNS | CLONE_NEWPID) == 0)
        return true;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID))
        return step_failed(why, "new namespaces", NULL);
    if (!write_maps(uid, gid, why))
        return false;
    limit_namespaces();
    return true;
}

/* The limit of namespaces may be reached for a moment. */
static bool leave_namespaces(Why *why)
{
    for (int tries = 1; !leave_namespaces_once(why); tries++) {
        if (tries == TRIES || (why->error != ENOSPC && why->error != EUSERS &&
                               why->error != EAGAIN && why->error != ENOMEM))
            return false;
        poll(NULL, 0, TRY_EVERY_MS);
    }
    return true;
}

/* ---- files ---- */

/* mountinfo writes blanks and their like as \040. */
static void undo_escapes(char *text)
{
    char *out = text;

    for (const char *in = text; *in; in++) {
        if (in[0] == '\\' && in[1] && in[2] && in[3]) {
            *out++ = (char)((in[1] - '0') * 64 + (in[2] - '0') * 8 + (in[3] - '0'));
            in += 3;
        } else {
            *out++ = *in;
        }
    }
    *out = '\0';
}

/* The mount point in a line of mountinfo, its fifth word, when proc is mounted there. */
static char *proc_place(char *line)
{
    char *place = line;

    if (!strstr(line, " - proc "))
        return NULL;
    for (int word = 0; word < 4 && place; word++) {
        place = strchr(place, ' ');
        place = place ? place + 1 : NULL;
    }
    if (!place)
        return NULL;
    place[strcspn(place, " ")] = '\0';
    undo_escapes(place);
    return place;
}

/* Where else proc is mounted; what is mounted within our /proc are parts of it. The list is read to
 * its end before anything is done: what is mounted meanwhile would be in it, too, without end. */
static int find_other_procs(char (*places)[PATH_BYTES])
{
    char line[LINE_BYTES];
    FILE *mounts = fopen("/proc/self/mountinfo", "re");
    int count = 0;

    while (mounts && count < PROCS_MAX && fgets(line, sizeof(line), mounts)) {
        const char *place = proc_place(line);
        if (place && strcmp(place, "/proc") != 0 && strncmp(place, "/proc/", 6) != 0)
            snprintf(places[count++], PATH_BYTES, "%s", place);
    }
    if (mounts)
        fclose(mounts);
    return count;
}

/* Another /proc, of a tree for chroot for example, shows what ours does not any more. One that
 * can't be covered stays: whoever made it reachable has shown all processes to everybody. */
static void cover_other_procs(void)
{
    char places[PROCS_MAX][PATH_BYTES];

    for (int count = find_other_procs(places), i = 0; i < count; i++)
        mount("/proc", places[i], NULL, MS_BIND | MS_REC, NULL);
}

/* What is mounted at `place` and below it can be read only, within the cell. */
static void make_read_only(const char *place)
{
    struct mount_attr wanted = {.attr_set = MOUNT_ATTR_RDONLY};

    if (mount_setattr(AT_FDCWD, place, AT_RECURSIVE, &wanted, sizeof(wanted)) == 0)
        return;
    mount(NULL, place, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC,
          NULL);
}

/* Settings of the whole machine that root could change by writing: what is run when a program
 * crashes, how much of the machine a group of processes gets. What isn't there needs no cover. */
static void protect_settings(void)
{
    static const char *const files[] = {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq",
                                        "/proc/bus", "/proc/fs"};

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (mount(files[i], files[i], NULL, MS_BIND, NULL) == 0)
            make_read_only(files[i]);
    make_read_only("/sys");
}

/* --hide=DEVICE:INODE:FOLDER; false for anything else. */
static bool read_hidden(const char *argument, struct stat *ret_info, const char **ret_folder)
{
    char *end = NULL;

    ret_info->st_dev = strtoull(argument + strlen(HIDE), &end, 10);
    if (*end != ':')
        return false;
    ret_info->st_ino = strtoull(end + 1, &end, 10);
    *ret_folder = end + 1;
    return *end == ':' && end[1] == '/';
}

/* The folder of this name may be another one by now: whoever may write above it can move it away,
 * and put one in its place. What is compared is what is covered: its descriptor. */
static bool cover_folder(const char *argument, Why *why)
{
    struct stat wanted, found;
    const char *folder = NULL;
    char place[32];

    if (!read_hidden(argument, &wanted, &folder))
        return step_failed(why, "read", argument);
    int fd = open(folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &found))
        return step_failed(why, "cover", folder);
    if (found.st_dev != wanted.st_dev || found.st_ino != wanted.st_ino) {
        *why = (Why){.what = "cover",
                     .path = folder,
                     .advice = "it was moved, or another folder has its name"};
        return false;
    }
    snprintf(place, sizeof(place), "/proc/self/fd/%d", fd);
    if (mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY,
              "mode=0755,size=4k"))
        return step_failed(why, "cover", folder);
    close(fd);
    return true;
}

/* The next process of the cell gets this number, so that no two agents have the same: they share
 * /tmp, and make names and chance of their number (Java: /tmp/hsperfdata_USER/NUMBER). Nobody needs
 * it, and some kernels can't. */
static void set_next_number(int number)
{
    char text[16];

    snprintf(text, sizeof(text), "%d", number - 1);
    write_file("/proc/sys/kernel/ns_last_pid", text);
}

/* In the first process of the cell: what is mounted here is seen only here. */
static bool change_view(const Start *start, int number, Why *why)
{
    const unsigned long closed = MS_NOSUID | MS_NODEV | MS_NOEXEC;

    /* What is mounted outside later comes in; nothing goes out. */
    if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL))
        return step_failed(why, "mount", "/");
    if (mount("proc", "/proc", "proc", closed, NULL))
        return step_failed(why, "mount", "/proc");
    set_next_number(number);
    protect_settings();
    cover_other_procs();
    for (int i = 0; i < start->hidden_count; i++)
        if (!cover_folder(start->hidden[i], why))
            return false;
    return true;
}

/* ---- the agent ---- */

/* What ordinary programs of root need. With others it could uncover what is covered, look into our
 * memory or at others' packets, or take the processors for itself. */
static const int wanted_capabilities[] = {
    CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID,
    CAP_KILL,  CAP_SETGID,       CAP_SETUID, CAP_NET_BIND_SERVICE};

static bool drop_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};
    uint64_t keep = 0;

    for (size_t i = 0; i < sizeof(wanted_capabilities) / sizeof(wanted_capabilities[0]); i++)
        keep |= BIT(wanted_capabilities[i]);
    for (int i = 0; i < 64; i++) /* those that the kernel does not know: EINVAL */
        if (!(keep & BIT(i)) && prctl(PR_CAPBSET_DROP, i, 0, 0, 0) && errno != EINVAL)
            return false;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (syscall(SYS_capget, &header, sets))
        return false;
    for (int word = 0; word < _LINUX_CAPABILITY_U32S_3; word++) {
        const uint32_t kept = (uint32_t)(keep >> (32 * word));
        sets[word].effective &= kept;
        sets[word].permitted &= kept;
        sets[word].inheritable &= kept;
    }
    return syscall(SYS_capset, &header, sets) == 0;
}

static void block_all_signals(sigset_t *ret_all)
{
    sigfillset(ret_all);
    sigprocmask(SIG_SETMASK, ret_all, NULL);
}

static _Noreturn void execute_program(char **program)
{
    if (!program) /* a probe ends before */
        _exit(CELL_FAILED);
    execvp(program[0], program);
    fprintf(stderr, "%s: %s\n", program[0], strerror(errno));
    _exit(EXEC_FAILED);
}

/* ---- the first process of the cell ---- */

/* Waits for who has ended. The agent's status goes to `report`. False when nobody is left. */
static bool reap_children(int agent, int *report)
{
    int status, pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid != agent || *report < 0)
            continue;
        if (write(*report, &status, sizeof(status)) < 0)
            return false; /* nobody wants to know: the end is near */
        close(*report);
        *report = -1;
    }
    return pid == 0;
}

/* Lives until all others have ended or the lifeline is closed. What is left then is killed. */
static _Noreturn void keep_cell(int agent, int report, int signals)
{
    struct pollfd wanted[] = {{.fd = signals, .events = POLLIN}, {.fd = CHILD_LIFELINE}};
    struct signalfd_siginfo about;

    while (true) {
        if (poll(wanted, 2, -1) < 0 && errno != EINTR)
            _exit(1);
        if (wanted[1].revents)
            _exit(0);
        if (!(wanted[0].revents & POLLIN) || read(signals, &about, sizeof(about)) < 0)
            continue;
        if (about.ssi_signo != SIGCHLD)
            kill(-agent, (int)about.ssi_signo);
        else if (!reap_children(agent, &report))
            _exit(0);
    }
}

/* `number` is that of the process that was started, outside: while it lives nobody else has it. */
static _Noreturn void run_first(const Start *start, int number, int report)
{
    sigset_t all;
    Why why = {0};

    if (!change_view(start, number, &why))
        _exit(tell_why(&why, start->probe));
    if (start->probe)
        _exit(0);
    block_all_signals(&all);
    int signals = signalfd(-1, &all, SFD_CLOEXEC);
    int agent = signals < 0 ? -1 : fork();
    if (agent < 0)
        _exit(tell_why(&(Why){.what = "start of a process", .error = errno}, start->probe));
    if (agent == 0) {
        setsid();
        take_all_signals();
        if (!drop_capabilities())
            _exit(tell_why(&(Why){.what = "drop capabilities", .error = errno}, start->probe));
        execute_program(start->program);
    }
    let_go_of_output();
    keep_cell(agent, report, signals);
}

/* ---- the process that was started ---- */

static int start_cell(const Start *start)
{
    const int number = getpid();
    sigset_t all;
    int report[2], status, ended;

    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* nobody in the cell looks into us */
    block_all_signals(&all);
    if (pipe2(report, O_CLOEXEC))
        return tell_why(&(Why){.what = "pipe", .error = errno}, start->probe);
    int first = fork();
    if (first < 0)
        return tell_why(&(Why){.what = "start of a process", .error = errno}, start->probe);
    if (first == 0)
        run_first(start, number, report[1]);
    close(report[1]);
    if (!start->probe) {
        close(CHILD_LIFELINE);
        let_go_of_output();
        if (read(report[0], &status, sizeof(status)) == (ssize_t)sizeof(status))
            end_as(status);
    }
    do
        ended = waitpid(first, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        return CELL_FAILED;
    end_as(status);
}

static int start_plain(const Start *start)
{
    take_all_signals();
    execute_program(start->program);
}

/* ---- arguments ---- */

static bool read_option(char **argument, Start *start)
{
    static const char mask[] = "--umask=";
    struct stat info;
    const char *folder;

    if (strncmp(*argument, HIDE, strlen(HIDE)) == 0) {
        if (!read_hidden(*argument, &info, &folder))
            return false;
        if (!start->hidden_count++)
            start->hidden = argument;
    } else if (strncmp(*argument, mask, strlen(mask)) == 0) {
        umask((mode_t)strtoul(*argument + strlen(mask), NULL, 8) & 0777);
    } else if (strcmp(*argument, "--plain") == 0) {
        start->plain = true;
    } else if (strcmp(*argument, "--probe") == 0) {
        start->probe = true;
    } else {
        return false;
    }
    return true;
}

static bool read_arguments(int argc, char **argv, Start *start)
{
    int at = 1;

    for (; at < argc && strcmp(argv[at], "--") != 0; at++)
        if (!read_option(&argv[at], start))
            return false;
    if (at + 1 < argc)
        start->program = argv + at + 1;
    return start->probe ? !start->program : start->program != NULL;
}

/* What whoever called warg had open is none of an agent's business: with a folder's descriptor it
 * could go into what is hidden. */
static void close_all_behind(int last)
{
    if (close_range((unsigned)last + 1, UINT_MAX, 0) == 0)
        return;
    for (int fd = last + 1, end = (int)sysconf(_SC_OPEN_MAX); fd < end; fd++)
        close(fd); /* a kernel without close_range */
}

int cell_start(int argc, char **argv)
{
    Start start = {0};
    Why why = {0};

    prctl(PR_SET_NAME, CHILD_FRONT_NAME, 0, 0, 0); /* we may have been started by a descriptor */
    const bool strict = strict_order_is(argv + 1);
    close_all_behind(strict ? CHILD_FILE : CHILD_LIFELINE);
    if (strict)
        return strict_front(argv, 1);
    if (!read_arguments(argc, argv, &start)) {
        fputs("warg-cell: this program is started by warg, for agents; see 'warg help run'\n",
              stderr);
        return CELL_FAILED;
    }
    fcntl(CHILD_LIFELINE, F_SETFD, FD_CLOEXEC); /* it is ours, not the program's */
    if (start.plain)
        return start_plain(&start);
    /* Never plain here: an agent could bring that about for another. */
    return leave_namespaces(&why) ? start_cell(&start) : tell_why(&why, start.probe);
}
