#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* memfd_create */
#endif
#include "cell/cell_filter.h"

#include "base/mem.h"
#include "cell/cell_calls.h"
#include "disk/disk_call.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/fsverity.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef F_OFD_SETLK
#    define F_OFD_SETLK  37
#    define F_OFD_SETLKW 38
#endif

#define INT_BITS UINT64_C(0xFFFFFFFF)
#define NEWEST_CALL                                                                                \
    450 /* set_mempolicy_home_node, of Linux 5.17: the last that libseccomp 2.5 knows */
#define SOCKET_IOCTL  UINT64_C(0x8900) /* SIOCGIFCONF and its like: the second byte */
#define SOCKET_IOCTLS UINT64_C(0xFFFFFF00)
#define TYPE_BITS     UINT64_C(0xF) /* of a socket's type; the others are flags */

/* ---- what is refused whatever its arguments ---- */

/* Names, because libseccomp knows them for every processor; what a processor or this libseccomp
 * does not know is passed over. */
static const char *const forbidden[] = {
    /* other processes, their memory, their descriptors */
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "process_madvise",
    "process_mrelease",
    /* what is seen of files, and where */
    "mount", "umount", "umount2", "mount_setattr", "fsopen", "fsconfig", "fsmount", "fspick",
    "open_tree", "move_mount", "pivot_root", "chroot", "open_by_handle_at", "name_to_handle_at",
    "setns", "unshare",
    /* the kernel itself */
    "bpf", "perf_event_open", "userfaultfd", "kexec_load", "kexec_file_load", "init_module",
    "finit_module", "delete_module", "reboot", "swapon", "swapoff", "acct", "quotactl",
    "quotactl_fd", "syslog", "personality", "seccomp", "lookup_dcookie", "iopl", "ioperm",
    "vhangup", "sethostname", "setdomainname", "nfsservctl", "_sysctl", "sysfs", "sync", "syncfs",
    "uselib", "ustat",
    /* clocks */
    "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime",
    /* ways from one cell to another */
    "keyctl", "add_key", "request_key", "shmget", "shmat", "shmctl", "shmdt", "semget", "semop",
    "semctl", "semtimedop", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink",
    "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr", "fanotify_init",
    "fanotify_mark", "inotify_init", "inotify_init1", "inotify_add_watch",
    /* memory that no limit counts, and where memory lies */
    "memfd_create", "memfd_secret", "vmsplice", "mbind", "set_mempolicy", "migrate_pages",
    "move_pages", "set_mempolicy_home_node"};

/* As if the kernel were older: libraries then take what a filter can look at. */
static const char
    *const unknown[] = {"io_uring_setup", "io_uring_enter", "io_uring_register", "io_setup",
                        "io_submit",      "io_getevents",   "io_pgetevents",     "io_cancel",
                        "io_destroy", /* of which the whole machine has a number */
                        "clone3",         "flock"};

static const char *const beneath[] = {"openat2"}; /* which a filter can't look into */

/* Without namespaces these reach others. */
static const char *const reaching[] = {"setpriority", "pidfd_send_signal", "ioprio_set",
                                       "pidfd_open",  "setfsuid",          "setfsgid"};

/* ---- adding rules ---- */

/* A filter that is being made; the first error stays. */
typedef struct FilterMaking {
    scmp_filter_ctx context;
    const CellFilterPlan *plan;
    int code;
} FilterMaking;

static void add_rule(FilterMaking *making, uint32_t action, const char *name, unsigned count,
                     const struct scmp_arg_cmp *conditions)
{
    const int number = seccomp_syscall_resolve_name(name);

    if (making->code || number == __NR_SCMP_ERROR || number < 0)
        return;
    making->code = seccomp_rule_add_array(making->context, action, number, count, conditions);
}

static void refuse_when(FilterMaking *making, const char *name, struct scmp_arg_cmp condition,
                        int error)
{
    add_rule(making, SCMP_ACT_ERRNO((uint32_t)error), name, 1, &condition);
}

static struct scmp_arg_cmp is_int(unsigned argument, uint64_t value)
{
    return SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, INT_BITS, value);
}

static struct scmp_arg_cmp has_bits(unsigned argument, uint64_t mask, uint64_t value)
{
    return SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, mask, value);
}

static struct scmp_arg_cmp is_not(unsigned argument, uint64_t value)
{
    return SCMP_CMP64(argument, SCMP_CMP_NE, value, 0);
}

static struct scmp_arg_cmp is_above(unsigned argument, uint64_t value)
{
    return SCMP_CMP64(argument, SCMP_CMP_GT, value, 0);
}

static void refuse_option(FilterMaking *making, struct scmp_arg_cmp level, struct scmp_arg_cmp name)
{
    const struct scmp_arg_cmp both[] = {level, name};

    add_rule(making, SCMP_ACT_ERRNO(EPERM), "setsockopt", 2, both);
}

static void refuse_named(FilterMaking *making, const char *const *names, size_t count, int error)
{
    for (size_t i = 0; i < count; i++)
        add_rule(making, SCMP_ACT_ERRNO((uint32_t)error), names[i], 0, NULL);
}

#define REFUSE_NAMED(making, names, error)                                                         \
    refuse_named(making, names, sizeof(names) / sizeof((names)[0]), error)

/* ---- what is refused by its arguments ---- */

static void refuse_locks(FilterMaking *making)
{
    static const uint64_t commands[] = {F_SETLK,    F_SETLKW,    F_OFD_SETLK, F_OFD_SETLKW,
                                        F_SETLEASE, F_NOTIFY,    F_SETOWN,    F_SETOWN_EX,
                                        F_SETSIG,   F_SETPIPE_SZ};

    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        refuse_when(making, "fcntl", is_int(1, commands[i]), EPERM);
}

/* What a program could do to outlive us, or to its own limits. */
static void refuse_settings(FilterMaking *making)
{
    static const uint64_t options[] = {PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_MM};

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        refuse_when(making, "prctl", is_int(0, options[i]), EPERM);
    /* The witness could not take its socket any more, which looks like a fault of this machine. */
    if (making->plan->filter_level)
        refuse_when(making, "prctl", is_int(0, PR_SET_DUMPABLE), EPERM);
}

/* All families above the internet's but AF_NETLINK, and of that all protocols but the first. */
static void refuse_but_routes(FilterMaking *making)
{
    const struct scmp_arg_cmp others[] = {has_bits(0, INT_BITS, AF_NETLINK),
                                          is_not(2, NETLINK_ROUTE)};

    for (uint64_t family = AF_INET6 + 1; family < AF_NETLINK; family++)
        refuse_when(making, "socket", is_int(0, family), EAFNOSUPPORT);
    refuse_when(making, "socket", is_above(0, AF_NETLINK), EAFNOSUPPORT);
    add_rule(making, SCMP_ACT_ERRNO(EPROTONOSUPPORT), "socket", 2, others);
}

/* Families beyond the internet's: packets, the kernel, virtual machines. */
static void refuse_sockets(FilterMaking *making)
{
    if (making->plan->routes)
        refuse_but_routes(making);
    else
        refuse_when(making, "socket", is_above(0, AF_INET6), EAFNOSUPPORT);
    refuse_when(making, "socketpair", is_above(0, AF_INET6), EAFNOSUPPORT);
    if (!making->plan->filter_level)
        return;
    /* Only streams of TCP, which the host connects. */
    for (uint64_t family = 0; family < AF_INET6; family++)
        if (family != AF_INET)
            refuse_when(making, "socket", is_int(0, family), EAFNOSUPPORT);
    for (uint64_t type = 0; type <= TYPE_BITS; type++)
        if (type != SOCK_STREAM)
            refuse_when(making, "socket", has_bits(1, TYPE_BITS, type), EPERM);
    refuse_when(making, "socket", is_above(2, 6), EPROTONOSUPPORT);
    for (uint64_t protocol = 1; protocol < 6; protocol++)
        refuse_when(making, "socket", is_int(2, protocol), EPROTONOSUPPORT);
}

/* A connection that is made by sending, past `connect`. */
static void refuse_fast_open(FilterMaking *making)
{
    refuse_when(making, "sendto", has_bits(3, MSG_FASTOPEN, MSG_FASTOPEN), EPERM);
    refuse_when(making, "sendmsg", has_bits(2, MSG_FASTOPEN, MSG_FASTOPEN), EPERM);
    refuse_when(making, "sendmmsg", has_bits(3, MSG_FASTOPEN, MSG_FASTOPEN), EPERM);
}

/* Options of a socket that is to reach this machine alone, and at once: which network card it
 * takes, what it sends before it is connected, what it takes for an answer. What runtimes set is
 * left. */
static void refuse_options(FilterMaking *making)
{
    static const struct {
        uint64_t level;
        uint8_t usual[12]; /* ended by 0 */
        uint64_t most;     /* none above is usual */
    } levels[] = {
        {SOL_SOCKET,
         {SO_REUSEADDR, SO_SNDBUF, SO_RCVBUF, SO_KEEPALIVE, SO_OOBINLINE, SO_LINGER, SO_REUSEPORT,
          SO_RCVLOWAT, SO_RCVTIMEO, SO_SNDTIMEO, 0},
         SO_SNDTIMEO},
        {IPPROTO_IP, {IP_TOS, 0}, IP_TOS},
        {IPPROTO_TCP,
         {TCP_NODELAY, TCP_CORK, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_QUICKACK,
          TCP_USER_TIMEOUT, 0},
         TCP_USER_TIMEOUT},
        {IPPROTO_IPV6, {IPV6_V6ONLY, IPV6_TCLASS, 0}, IPV6_TCLASS},
    };
    uint64_t level = 0;

    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        for (uint64_t name = 0; name < levels[i].most; name++)
            if (!memchr(levels[i].usual, (int)name, sizeof(levels[i].usual)) || name == 0)
                refuse_option(making, is_int(1, levels[i].level), is_int(2, name));
        refuse_option(making, is_int(1, levels[i].level), is_above(2, levels[i].most));
    }
    for (; level <= IPPROTO_IPV6; level++)
        if (level != SOL_SOCKET && level != IPPROTO_IP && level != IPPROTO_TCP &&
            level != IPPROTO_IPV6)
            refuse_when(making, "setsockopt", is_int(1, level), EPERM);
    refuse_when(making, "setsockopt", is_above(1, IPPROTO_IPV6), EPERM);
}

/* Clocks of other processes, by which one can see who is asked in the night. Those of the own
 * threads have bit 2. */
static void refuse_clocks(FilterMaking *making)
{
    static const char *const calls[] = {"clock_gettime", "clock_getres", "clock_nanosleep",
                                        "timer_create"};

    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        refuse_when(making, calls[i], has_bits(0, UINT64_C(0x80000004), UINT64_C(0x80000000)),
                    EINVAL);
}

/* Of others of the same user: how they run, and with which limits. */
static void refuse_others(FilterMaking *making)
{
    static const char *const by_process[] = {"sched_setscheduler", "sched_setparam",
                                             "sched_setattr", "sched_setaffinity"};

    static const uint64_t attributes[] = {FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR,
                                          FS_IOC_ENABLE_VERITY}; /* of files of the same user */

    refuse_options(making);
    refuse_clocks(making);
    REFUSE_NAMED(making, reaching, EPERM);
    for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
        refuse_when(making, "ioctl", is_int(1, attributes[i]), EPERM);
    /* Its memory closed to us, who read what it asks for and take its socket. */
    refuse_when(making, "prctl", is_int(0, PR_SET_DUMPABLE), EPERM);
    /* Addresses of this machine. */
    refuse_when(making, "ioctl", has_bits(1, SOCKET_IOCTLS, SOCKET_IOCTL), EPERM);
    for (size_t i = 0; i < sizeof(by_process) / sizeof(by_process[0]); i++)
        refuse_when(making, by_process[i], is_not(0, 0), EPERM);
}

/* ---- what the witness is asked ---- */

static void ask_when(FilterMaking *making, const CellCall *call, struct scmp_arg_cmp condition)
{
    add_rule(making, SCMP_ACT_NOTIFY, call->name, 1, &condition);
}

static void ask_open(FilterMaking *making, const CellCall *call)
{
    for (uint64_t mode = O_WRONLY; mode <= O_ACCMODE; mode++)
        ask_when(making, call, has_bits(call->flags, O_ACCMODE, mode));
    ask_when(making, call, has_bits(call->flags, O_CREAT | O_ACCMODE, O_CREAT));
    ask_when(making, call, has_bits(call->flags, O_TRUNC | O_CREAT | O_ACCMODE, O_TRUNC));
}

static void ask_clone(FilterMaking *making, const CellCall *call)
{
    ask_when(making, call, has_bits(0, CLONE_THREAD, 0));
    if (making->plan->forbid_threads)
        refuse_when(making, call->name, has_bits(0, CLONE_THREAD, CLONE_THREAD), EAGAIN);
    else if (making->plan->see_threads)
        ask_when(making, call, has_bits(0, CLONE_THREAD, CLONE_THREAD));
}

static void ask_call(FilterMaking *making, const CellCall *call)
{
    if (cell_call_is_of_filter(call) && !making->plan->filter_level)
        return;
    switch (call->kind) {
    case CALL_OPEN:
        ask_open(making, call);
        break;
    case CALL_CLONE:
        ask_clone(making, call);
        break;
    case CALL_SEND: /* without an address it goes where the socket is connected */
        if (!making->plan->filter_level)
            ask_when(making, call, is_not(call->argument, 0));
        break;
    case CALL_START:
    case CALL_CONNECT:
    case CALL_BIND:
    case CALL_CREATE:
    case CALL_CHANGE:
    case CALL_SIGNAL:
        add_rule(making, SCMP_ACT_NOTIFY, call->name, 0, NULL);
        break;
    }
}

static void make_rules(FilterMaking *making)
{
    size_t count = 0;
    const CellCall *calls = cell_calls(&count);

    REFUSE_NAMED(making, forbidden, EPERM);
    REFUSE_NAMED(making, unknown, ENOSYS);
    if (!making->plan->fills)
        REFUSE_NAMED(making, beneath, ENOSYS);
    refuse_locks(making);
    refuse_settings(making);
    refuse_sockets(making);
    refuse_fast_open(making);
    refuse_when(making, "prlimit64", is_not(0, 0), EPERM); /* of other processes of its user */
    /* Shared memory that is no longer mapped is nobody's, and still there. */
    if (making->plan->counts_memory)
        refuse_when(making, "mmap",
                    has_bits(3, MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS), ENOMEM);
    if (making->plan->filter_level)
        refuse_others(making);
    for (size_t i = 0; i < count; i++)
        ask_call(making, &calls[i]);
}

/* ---- the file ---- */

/* A file of memory that nobody can change; -1 with errno. */
static int seal_file(int file)
{
    if (fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) &&
        errno != EINVAL)
        return -1;
    return 0;
}

/* What came to the kernel after libseccomp was made is as if it were not there: nobody has looked
 * whether it is another way to do what is refused (chmod by fchmodat2). Stands before the rest. */
static int write_newer(int file)
{
    const struct sock_filter newer[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, NEWEST_CALL, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };

    return disk_write(file, (Str){(const char *)newer, sizeof(newer)}) ? -errno : 0;
}

static int write_filter(scmp_filter_ctx context, int *ret_file, Err *err)
{
    int file = memfd_create("filter", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (file < 0)
        return err_set(err, ERR_IO, "filter of system calls: %s", strerror(errno));
    int code = write_newer(file);
    if (code == 0)
        code = seccomp_export_bpf(context, file);
    if (code == 0 && seal_file(file))
        code = -errno;
    if (code) {
        close(file);
        return err_set(err, ERR_IO, "filter of system calls: %s", strerror(-code));
    }
    *ret_file = file;
    return 0;
}

int cell_filter_make(const CellFilterPlan *plan, int *ret_file, Err *err)
{
    FilterMaking making = {.context = seccomp_init(SCMP_ACT_ALLOW), .plan = plan};

    if (!making.context)
        return err_set(err, ERR_MEMORY, "filter of system calls: out of memory");
    /* Of another kind of processor, as 32-bit programs call: nothing of it was looked at. */
    making.code = seccomp_attr_set(making.context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    /* As a tree: what is called most often has rules, too. */
    if (making.code == 0)
        making.code = seccomp_attr_set(making.context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    make_rules(&making);
    int rc = making.code
                 ? err_set(err, ERR_IO, "filter of system calls: %s", strerror(-making.code))
                 : write_filter(making.context, ret_file, err);
    seccomp_release(making.context);
    return rc;
}
