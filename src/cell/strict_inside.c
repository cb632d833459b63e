#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* setresuid, close_range */
#endif
#include "cell/strict_inside.h"

#include "base/banned.h"
#include "cell/cell_process.h"
#include "cell/cell_why.h"
#include "cell/strict_rules.h"
#include "cell/strict_view.h"
#include "net/fd_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOST_NAME    "agent"
#define BACKLOG      16
#define LOCKED_BYTES 65536
#define EXEC_FAILED  127 /* as a shell says it */
#define FIRST_CLOSED 3

/* Since Linux 5.19: who asked is not woken by a signal that does not end it, so that a runtime that
 * lives by signals gets its answer. */
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#    define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

static _Noreturn void end_failed(const InsidePlan *plan, const Why *why)
{
    _exit(tell_why(why, plan->order->probe));
}

static bool send_letter(const InsidePlan *plan, char letter, int descriptor)
{
    return fd_socket_send(plan->socket, &letter, 1, descriptor);
}

/* ---- its network ---- */

static bool raise_loopback(Why *why)
{
    struct ifreq request = {.ifr_name = "lo"};
    int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (any < 0)
        return step_failed(why, "loopback", NULL);
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    bool good = ioctl(any, SIOCSIFFLAGS, &request) == 0 || step_failed(why, "loopback", NULL);
    close(any);
    return good;
}

/* A socket belongs to the network that it was made in, whoever holds it. */
static bool hand_listener(const InsidePlan *plan, Why *why)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons(plan->order->port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (listener < 0 || bind(listener, (const struct sockaddr *)&address, sizeof(address)) ||
        listen(listener, BACKLOG))
        return step_failed(why, "the game's socket", NULL);
    const bool sent = send_letter(plan, 'l', listener);
    close(listener);
    return sent || step_failed(why, "the game's socket", NULL);
}

/* ---- limits and privileges ---- */

static void limit(int resource, uint64_t most)
{
    const struct rlimit wanted = {.rlim_cur = most, .rlim_max = most};
    struct rlimit now;

    /* Lower is always allowed; what is lower already stays. */
    if (getrlimit((__rlimit_resource_t)resource, &now) == 0 && now.rlim_max < most)
        return;
    setrlimit((__rlimit_resource_t)resource, &wanted);
}

static void enter_limits(const InsidePlan *plan)
{
    const StrictOrder *order = plan->order;
    /* By a signal that says why; who ignores it is killed. */
    const struct rlimit cpu = {.rlim_cur = order->cpu_seconds,
                               .rlim_max = (rlim_t)order->cpu_seconds + 1};

    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, order->write && order->write_bytes > order->writable_bytes
                            ? order->write_bytes
                            : order->writable_bytes);
    limit(RLIMIT_MEMLOCK, LOCKED_BYTES);
    limit(RLIMIT_MSGQUEUE, 0);
    limit(RLIMIT_RTPRIO, 0);
    /* Who has its number of users alone: of others' signals it would be the limit, too. */
    if (plan->changes_user || !order->filter)
        limit(RLIMIT_SIGPENDING, 1024);
    if (order->files)
        limit(RLIMIT_NOFILE, order->files);
    if (order->cpu_seconds)
        setrlimit(RLIMIT_CPU, &cpu);
    if (plan->limits_memory && order->memory_bytes)
        limit(RLIMIT_DATA, order->memory_bytes);
    if (plan->limits_threads && order->threads)
        limit(RLIMIT_NPROC, (uint64_t)order->threads + !order->filter);
}

static bool drop_capabilities(Why *why)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &header, none) == 0 || step_failed(why, "drop capabilities", NULL);
}

static void drop_bounds(void)
{
    for (unsigned long i = 0; i < 64; i++)
        prctl(PR_CAPBSET_DROP, i, 0, 0, 0); /* without rights over them there are none to get */
}

static bool change_user(const InsidePlan *plan, Why *why)
{
    if (!plan->changes_user)
        return true;
    return (setgroups(0, NULL) == 0 && setresgid(plan->user, plan->user, plan->user) == 0 &&
            setresuid(plan->user, plan->user, plan->user) == 0) ||
           step_failed(why, "change of user", NULL);
}

/* ---- the filter ---- */

static bool read_filter(int file, struct sock_fprog *ret_program, Why *why)
{
    static struct sock_filter room[BPF_MAXINSNS];
    struct stat info;

    if (fstat(file, &info) || info.st_size <= 0 || (size_t)info.st_size > sizeof(room) ||
        pread(file, room, (size_t)info.st_size, 0) != info.st_size)
        return step_failed(why, "filter of system calls", NULL);
    ret_program->filter = room;
    ret_program->len = (unsigned short)((size_t)info.st_size / sizeof(room[0]));
    return true;
}

/* Behind this nothing that it refuses can be done here any more. */
static bool enter_filter(const InsidePlan *plan, Why *why)
{
    struct sock_fprog program;
    const unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;

    if (!read_filter(plan->filter, &program, why))
        return false;
    long asked = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                         flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program);
    if (asked < 0 && errno == EINVAL)
        asked = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (asked < 0)
        return step_failed(why, "filter of system calls", NULL);
    const bool sent = send_letter(plan, 'n', (int)asked);
    close((int)asked);
    return sent || step_failed(why, "witness", NULL);
}

/* ---- the program ---- */

/* It ends with us; the change of user has undone what was said of that before. */
static bool tie_to_parent(const InsidePlan *plan, Why *why)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
        return step_failed(why, "tie to its parent", NULL);
    if (plan->order->filter && getppid() != plan->front)
        _exit(CELL_FAILED);
    return true;
}

static bool enter_folder(const InsidePlan *plan, Why *why)
{
    const char *folder = plan->order->filter ? plan->order->folder : "/agent";

    if (chdir(folder) == 0 && access(".", R_OK | X_OK) == 0)
        return true;
    step_failed(why, "its folder", plan->order->folder);
    why->advice = "the cell's user must be able to read it: chmod -R a+rX";
    return false;
}

static bool prepare(const InsidePlan *plan, Why *why)
{
    if (plan->changes_user)
        drop_bounds();
    return change_user(plan, why) && tie_to_parent(plan, why) && enter_folder(plan, why) &&
           drop_capabilities(why) &&
           (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 || step_failed(why, "privileges", NULL)) &&
           (!plan->order->filter || strict_rules_enter(plan->order, why));
}

_Noreturn void inside_program(const InsidePlan *plan)
{
    char **program = plan->order->program;
    Why why = {0};

    setsid();
    take_all_signals();
    umask(022);
    if ((plan->order->filter && !cell_group_enter(plan->group, &why)) || !prepare(plan, &why))
        end_failed(plan, &why);
    if (!enter_filter(plan, &why))
        end_failed(plan, &why);
    /* Behind the last descriptor that is sent: how many may be under way, of all processes of a
     * user, is a matter of the sender's limit of files, and others may have used that up. */
    enter_limits(plan);
    if (plan->order->probe)
        _exit(0);
    syscall(SYS_close_range, FIRST_CLOSED, UINT_MAX, 0);
    execvp(program[0], program);
    dprintf(STDERR_FILENO, "%s: %s\n", program[0], strerror(errno));
    _exit(EXEC_FAILED);
}

/* ---- the first process ---- */

/* Others read a command line, and what stands before the program is ours. */
static void wipe_words(const InsidePlan *plan)
{
    memset(plan->words, 0, plan->word_bytes);
}

/* The program's end is told; all that is left in the cell ends with us. */
static _Noreturn void keep_program(const InsidePlan *plan, pid_t program)
{
    char message[1 + sizeof(int)] = "e";
    int status = 0;
    pid_t ended;

    do
        ended = waitpid(-1, &status, 0);
    while (ended != program && (ended >= 0 || errno == EINTR));
    memcpy(message + 1, &status, sizeof(status));
    fd_socket_send(plan->socket, message, sizeof(message), -1);
    _exit(0);
}

static bool wait_for_front(const InsidePlan *plan)
{
    char bytes[FD_SOCKET_BYTES];
    size_t count;
    int descriptor;

    if (fd_socket_receive(plan->socket, bytes, &count, &descriptor) != FD_SOCKET_MESSAGE)
        return false;
    if (descriptor >= 0)
        close(descriptor);
    return bytes[0] == 'g';
}

_Noreturn void inside_first(const InsidePlan *plan)
{
    Why why = {0};

    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || !wait_for_front(plan))
        _exit(CELL_FAILED);
    if (!cell_group_enter(plan->group, &why))
        end_failed(plan, &why);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* nobody in the cell looks into us */
    if (sethostname(HOST_NAME, strlen(HOST_NAME)))
        _exit(tell_why(&(Why){.what = "name of the host", .error = errno}, plan->order->probe));
    wipe_words(plan);
    if (!raise_loopback(&why) || !hand_listener(plan, &why) ||
        !strict_view_enter(plan->order, plan->user, &why))
        end_failed(plan, &why);
    const pid_t program = fork();
    if (program == 0)
        inside_program(plan);
    const int handle = program < 0 ? -1 : (int)syscall(SYS_pidfd_open, program, 0);
    if (handle < 0 || !send_letter(plan, 'a', handle)) {
        step_failed(&why, "start of a process", NULL);
        end_failed(plan, &why);
    }
    close(handle);
    close(plan->filter);
    drop_capabilities(&why);
    let_go_of_output();
    keep_program(plan, program);
}
