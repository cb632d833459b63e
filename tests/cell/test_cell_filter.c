#define _GNU_SOURCE /* syscall */
/* The filter alone, without a cell around it: what the kernel makes of it. Each call is made by a
 * child that has installed it; whom the filter asks is this test, which lets nothing through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cell/cell_filter.h"

#include "cell/cell_calls.h"
#include "net/fd_socket.h"
#include "prop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS_MAX 512
#define ASKED     EXFULL /* which no kernel says to such a call: the filter has asked us */
#define ABOVE     UINT64_C(0xDEADBEEF00000000)
#define NEG       UINT64_MAX

/* A call, and what is to come of it: an error, 0 for success. */
typedef struct Try {
    const char *name;
    long number;
    uint64_t arguments[6];
    int error;
} Try;

/* Results, written by the child. */
typedef struct Tried {
    volatile size_t count;
    volatile int errors[CALLS_MAX];
} Tried;

/* ---- the child ---- */

static int install(int file)
{
    static struct sock_filter room[BPF_MAXINSNS];
    struct stat info;

    if (fstat(file, &info) || (size_t)info.st_size > sizeof(room) ||
        pread(file, room, (size_t)info.st_size, 0) != info.st_size)
        return -1;
    const struct sock_fprog program = {
        .len = (unsigned short)((size_t)info.st_size / sizeof(room[0])), .filter = room};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                        &program);
}

static _Noreturn void try_all(int file, int end, const Try *tries, size_t count, Tried *tried)
{
    setsid(); /* what is let through by mistake hangs up no terminal of ours */
    const int asked = install(file);
    if (asked < 0 || !fd_socket_send(end, "n", 1, asked))
        _exit(77);
    for (size_t i = 0; i < count; i++) {
        const uint64_t *with = tries[i].arguments;
        const long rc =
            syscall(tries[i].number, with[0], with[1], with[2], with[3], with[4], with[5]);
        tried->errors[i] = rc == -1 ? errno : 0;
        tried->count = i + 1;
    }
    _exit(0);
}

/* ---- this side ---- */

static void answer_all(int asked)
{
    union {
        struct seccomp_notif notice;
        char room[512];
    } own;
    struct pollfd wanted = {.fd = asked, .events = POLLIN};

    while (poll(&wanted, 1, -1) > 0 && wanted.revents & POLLIN) {
        memset(&own, 0, sizeof(own));
        if (ioctl(asked, SECCOMP_IOCTL_NOTIF_RECV, &own.notice))
            continue;
        struct seccomp_notif_resp answer = {.id = own.notice.id, .error = -ASKED};
        ioctl(asked, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
}

/* Makes the calls under the filter of the plan; how the child ended. The test is skipped where no
 * filter can ask. */
static int try_under(const CellFilterPlan *plan, const Try *tries, size_t count, Tried *ret_tried)
{
    Tried *tried =
        mmap(NULL, sizeof(*tried), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char bytes[FD_SOCKET_BYTES];
    int file = -1, ends[2], status = 0, asked = -1;
    size_t got;
    Err err = {0};

    assert_true(tried != MAP_FAILED && count <= CALLS_MAX);
    if (cell_filter_make(plan, &file, &err))
        fail_msg("%s", err.msg);
    assert_true(fd_socket_pair(ends));
    const pid_t child = fork();
    if (child == 0)
        try_all(file, ends[1], tries, count, tried);
    close(ends[1]);
    close(file);
    fcntl(ends[0], F_SETFL, 0);
    if (fd_socket_receive(ends[0], bytes, &got, &asked) == FD_SOCKET_MESSAGE)
        answer_all(asked);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(ends[0]);
    if (asked < 0) {
        munmap(tried, sizeof(*tried));
        print_message("a filter can't be asked about here: skipped\n");
        skip();
    }
    close(asked);
    memcpy(ret_tried, tried, sizeof(*tried));
    munmap(tried, sizeof(*tried));
    return status;
}

static const CellFilterPlan outer = {.see_threads = true};
static const CellFilterPlan inner = {.filter_level = true, .see_threads = true};

static void gives(const CellFilterPlan *plan, const Try *tries, size_t count)
{
    static Tried tried;
    const int status = try_under(plan, tries, count, &tried);

    for (size_t i = 0; i < tried.count; i++)
        if (tried.errors[i] != tries[i].error)
            fail_msg("%s (%zu) gave %s, not %s", tries[i].name, i, strerrorname_np(tried.errors[i]),
                     strerrorname_np(tries[i].error));
    assert_int_equal(tried.count, count);
    assert_int_equal(status, 0);
}

#define COUNT(tries)      (sizeof(tries) / sizeof((tries)[0]))
#define GIVES(plan, list) gives(&(plan), list, COUNT(list))

#define CALL(name, error, ...)                                                                     \
    {                                                                                              \
#        name, SYS_##name, {__VA_ARGS__ }, error                                                   \
    }
#define REFUSED(name)  CALL(name, EPERM, NEG, NEG, NEG, NEG, NEG, NEG)
#define NOT_HERE(name) CALL(name, ENOSYS, NEG, NEG, NEG, NEG, NEG, NEG)

/* ---- whatever the arguments ---- */

static const Try forbidden[] = {
    REFUSED(ptrace), REFUSED(process_vm_readv), REFUSED(process_vm_writev), REFUSED(pidfd_getfd),
    REFUSED(kcmp), REFUSED(process_madvise), REFUSED(mount), REFUSED(umount2), REFUSED(fsopen),
    REFUSED(fsconfig), REFUSED(fsmount), REFUSED(fspick), REFUSED(open_tree), REFUSED(move_mount),
    REFUSED(pivot_root), REFUSED(chroot), REFUSED(open_by_handle_at), REFUSED(name_to_handle_at),
    REFUSED(setns), REFUSED(unshare), REFUSED(bpf), REFUSED(perf_event_open), REFUSED(userfaultfd),
    REFUSED(kexec_load), REFUSED(init_module), REFUSED(finit_module), REFUSED(delete_module),
    REFUSED(reboot), REFUSED(swapon), REFUSED(swapoff), REFUSED(acct), REFUSED(quotactl),
    REFUSED(syslog), REFUSED(personality), REFUSED(seccomp), REFUSED(vhangup), REFUSED(sethostname),
    REFUSED(setdomainname), REFUSED(settimeofday), REFUSED(clock_settime), REFUSED(clock_adjtime),
    REFUSED(adjtimex), REFUSED(keyctl), REFUSED(add_key), REFUSED(request_key), REFUSED(shmget),
    REFUSED(shmat), REFUSED(shmctl), REFUSED(shmdt), REFUSED(semget), REFUSED(semop),
    REFUSED(semctl), REFUSED(semtimedop), REFUSED(msgget), REFUSED(msgsnd), REFUSED(msgrcv),
    REFUSED(msgctl), REFUSED(mq_open), REFUSED(mq_unlink), REFUSED(mq_timedsend),
    REFUSED(mq_timedreceive), REFUSED(mq_notify), REFUSED(mq_getsetattr), REFUSED(fanotify_init),
    REFUSED(fanotify_mark), REFUSED(memfd_create), REFUSED(mbind), REFUSED(set_mempolicy),
    REFUSED(migrate_pages), REFUSED(move_pages),
    /* As if the kernel were older. */
    NOT_HERE(io_uring_setup), NOT_HERE(io_uring_enter), NOT_HERE(io_uring_register),
    NOT_HERE(clone3), NOT_HERE(openat2), NOT_HERE(flock)};

static void what_is_forbidden_is_refused_at_both_levels(void **state)
{
    (void)state;
    GIVES(outer, forbidden);
    GIVES(inner, forbidden);
}

static void calls_of_newer_kernels_are_not_there(void **state)
{
    static const uint64_t newer[] = {451, 452, 453, 462, 463, 500, 1000, 0x3FFFFFFF};
    Try tries[COUNT(newer) + 1];

    (void)state;
    for (size_t i = 0; i < COUNT(newer); i++)
        tries[i] = (Try){"newer", (long)newer[i], {NEG, NEG, NEG, NEG, NEG, NEG}, ENOSYS};
    tries[COUNT(newer)] = (Try){"of 5.17", 450, {NEG, NEG, NEG, NEG, NEG, NEG}, EPERM};
    GIVES(outer, tries);
    GIVES(inner, tries);
}

#ifdef __x86_64__
/* Numbers of the x32 ABI: the same calls by other numbers. */
static void no_call_gets_through_by_the_numbers_of_another_abi(void **state)
{
    static const Try tries[] = {{"x32 getpid", 0x40000000 | SYS_getpid, {0}, ENOSYS},
                                {"x32 fork", 0x40000000 | SYS_fork, {0}, ENOSYS},
                                {"x32 open", 0x40000000 | SYS_open, {0}, ENOSYS}};

    (void)state;
    GIVES(outer, tries);
    GIVES(inner, tries);
}

/* As 32-bit programs call, where the same numbers mean something else. */
static void a_call_of_32_bits_ends_the_program(void **state)
{
    int status = 0;

    (void)state;
    for (int level = 0; level < 2; level++) {
        int file = -1;
        assert_int_equal(cell_filter_make(&(CellFilterPlan){.filter_level = level}, &file, NULL),
                         0);
        const pid_t child = fork();
        if (child == 0) {
            long number = 20; /* getpid */
            if (install(file) < 0)
                _exit(77);
            __asm__ volatile("int $0x80" : "+a"(number) : : "memory", "r8", "r9", "r10", "r11");
            _exit(1);
        }
        close(file);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) {
            print_message("this kernel knows no calls of 32 bits: skipped\n");
            skip();
        }
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGSYS);
    }
}
#endif

/* ---- by their arguments ---- */

/* What a kernel says that was asked: the filter let it through. */
static void ordinary_calls_are_let_through(void **state)
{
    static const Try tries[] = {CALL(getpid, 0, 0),
                                CALL(read, EBADF, NEG),
                                CALL(close, EBADF, NEG),
                                CALL(fcntl, EBADF, NEG, F_GETFL),
                                CALL(fcntl, EBADF, NEG, F_GETLK),
                                CALL(prctl, 0, PR_GET_DUMPABLE),
                                CALL(ioctl, EBADF, NEG, 0x5401),
                                CALL(socket, EINVAL, AF_INET, 15, 0),
                                CALL(sendto, EBADF, NEG, 0, 0, 0, 0, 0),
                                CALL(recvmsg, EBADF, NEG),
                                CALL(futex, ENOSYS, 0, 127),
                                CALL(execve, EFAULT, NEG),
                                CALL(sched_setaffinity, EFAULT, 0, 8, NEG),
                                CALL(mmap, EINVAL, 0, 0)};
    Try some[COUNT(tries)];
    size_t count = 0;

    (void)state;
    GIVES(outer, tries);
    for (size_t i = 0; i < COUNT(tries); i++)
        if (tries[i].number != SYS_socket)
            some[count++] = tries[i];
    gives(&inner, some, count);
}

static void locks_leases_and_ties_are_refused_whatever_stands_above(void **state)
{
    static const uint64_t commands[] = {F_SETLK,  F_SETLKW, 37,          38,      F_SETLEASE,
                                        F_NOTIFY, F_SETOWN, F_SETOWN_EX, F_SETSIG};
    static const uint64_t options[] = {PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_MM};
    Try tries[2 * (COUNT(commands) + COUNT(options))];
    size_t count = 0;

    (void)state;
    for (int above = 0; above < 2; above++) {
        for (size_t i = 0; i < COUNT(commands); i++)
            tries[count++] = (Try)CALL(fcntl, EPERM, NEG, commands[i] | (above ? ABOVE : 0), NEG);
        for (size_t i = 0; i < COUNT(options); i++)
            tries[count++] = (Try)CALL(prctl, EPERM, options[i] | (above ? ABOVE : 0), NEG, NEG);
    }
    gives(&outer, tries, count);
    gives(&inner, tries, count);
}

static void sockets_are_those_of_the_internet(void **state)
{
    static const Try both[] = {
        CALL(socket, EAFNOSUPPORT, 16, SOCK_RAW, 0),       /* netlink */
        CALL(socket, EAFNOSUPPORT, 17, SOCK_RAW, 0),       /* packets */
        CALL(socket, EAFNOSUPPORT, 38, SOCK_SEQPACKET, 0), /* the kernel's cryptography */
        CALL(socket, EAFNOSUPPORT, 40, SOCK_STREAM, 0),    /* of virtual machines */
        CALL(socket, EAFNOSUPPORT, ABOVE | 16, SOCK_RAW, 0),
        CALL(socketpair, EAFNOSUPPORT, 40, SOCK_STREAM, 0, NEG)};
    static const Try at_filter[] = {
        CALL(socket, EAFNOSUPPORT, AF_UNIX, SOCK_STREAM, 0),
        CALL(socket, EPERM, AF_INET6, SOCK_DGRAM, 0), /* streams are had: a JVM takes them */
        CALL(socket, EAFNOSUPPORT, UINT64_C(0x100000001), SOCK_STREAM, 0), /* AF_UNIX */
        CALL(socket, EAFNOSUPPORT, UINT64_C(0x10000000A), SOCK_STREAM, 0), /* AF_INET6 */
        CALL(socket, EPERM, AF_INET, SOCK_DGRAM, 0),
        CALL(socket, EPERM, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
        CALL(socket, EPERM, AF_INET, SOCK_RAW, 0),
        CALL(socket, EPERM, AF_INET, ABOVE | SOCK_DGRAM, 0),
        CALL(socket, EPROTONOSUPPORT, AF_INET, SOCK_STREAM, 1),
        CALL(socket, EPROTONOSUPPORT, AF_INET, SOCK_STREAM, 132), /* SCTP */
        CALL(socket, EPROTONOSUPPORT, AF_INET, SOCK_STREAM, 262), /* MPTCP */
        CALL(socket, EPROTONOSUPPORT, AF_INET, SOCK_STREAM, ABOVE | 132),
        CALL(socket, EPROTONOSUPPORT, AF_INET, SOCK_STREAM, ABOVE | 2),
        CALL(socket, 0, AF_INET, SOCK_STREAM, 0),
        CALL(socket, 0, AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 6),
        CALL(sendto, EPERM, NEG, 0, 0, MSG_FASTOPEN, 0, 0),
        CALL(sendto, EPERM, NEG, 0, 0, ABOVE | MSG_FASTOPEN, 0, 0),
        CALL(sendmsg, EPERM, NEG, 0, MSG_FASTOPEN | MSG_NOSIGNAL),
        CALL(sendmmsg, EPERM, NEG, 0, 0, ABOVE | MSG_FASTOPEN)};

    (void)state;
    GIVES(outer, both);
    gives(&inner, &both[3], 1); /* of the others the type is what is refused */
    GIVES(inner, at_filter);
}

static void others_of_the_same_user_are_out_of_reach_without_namespaces(void **state)
{
    static const Try at_filter[] = {REFUSED(inotify_init1),
                                    REFUSED(inotify_add_watch),
                                    REFUSED(setpriority),
                                    REFUSED(pidfd_send_signal),
                                    REFUSED(ioprio_set),
                                    REFUSED(pidfd_open),
                                    REFUSED(setfsuid),
                                    CALL(prlimit64, EPERM, 1, 0, 0, 0),
                                    CALL(prlimit64, EPERM, ABOVE | 1, 0, 0, 0),
                                    CALL(prlimit64, 0, 0, 0, 0, 0),
                                    CALL(sched_setaffinity, EPERM, 1, 0, 0),
                                    CALL(sched_setscheduler, EPERM, 1, 0, 0),
                                    CALL(ioctl, EPERM, NEG, FS_IOC_SETFLAGS),
                                    CALL(ioctl, EPERM, NEG, ABOVE | FS_IOC_SETFLAGS),
                                    CALL(ioctl, EPERM, NEG, ABOVE | FS_IOC_FSSETXATTR),
                                    CALL(ioctl, EPERM, NEG, 0x8912),
                                    CALL(ioctl, EPERM, NEG, ABOVE | 0x8927),
                                    CALL(prctl, EPERM, PR_SET_DUMPABLE, 0),
                                    CALL(prctl, EPERM, ABOVE | PR_SET_DUMPABLE, 1)};

    (void)state;
    GIVES(inner, at_filter);
}

/* ---- what is asked ---- */

static void opens_are_asked_about_when_they_are_for_writing(void **state)
{
    static const struct {
        uint64_t flags;
        bool asked;
    } opens[] = {{O_RDONLY, false},
                 {O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, false},
                 {O_RDONLY | O_DIRECTORY, false},
                 {O_RDONLY | O_APPEND, false},
                 {O_PATH, false},
                 {ABOVE | O_RDONLY, false},
                 {O_WRONLY, true},
                 {O_RDWR, true},
                 {O_ACCMODE, true},
                 {O_WRONLY | O_CREAT, true},
                 {O_RDONLY | O_CREAT, true},
                 {O_RDONLY | O_TRUNC, true},
                 {O_RDONLY | O_CREAT | O_TRUNC, true},
                 {O_RDWR | O_CREAT | O_TRUNC | O_EXCL, true},
                 {O_WRONLY | O_APPEND | O_CLOEXEC, true},
                 {O_TMPFILE | O_RDWR, true},
                 {ABOVE | O_WRONLY, true},
                 {ABOVE | O_CREAT, true},
                 {ABOVE | O_TRUNC, true}};
    Try tries[2 * COUNT(opens)];
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(opens); i++) {
        const int error = opens[i].asked ? ASKED : EFAULT;
        tries[count++] = (Try)CALL(openat, error, (uint64_t)AT_FDCWD, NEG, opens[i].flags, 0600);
#ifdef SYS_open
        tries[count++] = (Try)CALL(open, error, NEG, opens[i].flags, 0600);
#endif
    }
    gives(&outer, tries, count);
    gives(&inner, tries, count);
}

/* Whether arguments decide it; those have tests of their own. */
static bool is_by_arguments(const CellCall *call)
{
    return call->kind == CALL_OPEN || call->kind == CALL_CLONE || call->kind == CALL_SEND;
}

static void all_others_of_the_table_are_asked_whatever_their_arguments(void **state)
{
    static Tried tried;
    size_t all = 0, count = 0;
    const CellCall *calls = cell_calls(&all);
    Try tries[CALLS_MAX] = {{0}};
    bool of_filter[CALLS_MAX];

    (void)state;
    for (size_t i = 0; i < all; i++) {
        if (is_by_arguments(&calls[i]))
            continue;
        of_filter[count] = cell_call_is_of_filter(&calls[i]);
        tries[count++] = (Try){calls[i].name, calls[i].number, {NEG, NEG, NEG, NEG, NEG}, ASKED};
    }
    assert_true(count > 30);
    gives(&inner, tries, count);
    assert_int_equal(try_under(&outer, tries, count, &tried), 0);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(tried.errors[i] == ASKED, !of_filter[i]);
}

static void another_process_is_always_asked_about(void **state)
{
    static const Try tries[] = {
#ifdef SYS_fork
        CALL(fork, ASKED, 0),
        CALL(vfork, ASKED, 0),
#endif
        CALL(clone, ASKED, SIGCHLD),
        CALL(clone, ASKED, CLONE_VM | CLONE_VFORK | SIGCHLD),
        CALL(clone, ASKED, ABOVE | SIGCHLD),
        CALL(clone, ASKED, CLONE_NEWUSER | SIGCHLD)};

    (void)state;
    GIVES(outer, tries);
    GIVES(inner, tries);
    const CellFilterPlan forbidding = {.forbid_threads = true};
    GIVES(forbidding, tries);
}

/* With flags that the kernel refuses, so that none is begun where it is let through. */
static void threads_are_seen_refused_or_let_be_as_it_is_planned(void **state)
{
    static const struct {
        CellFilterPlan plan;
        int error;
    } plans[] = {{{.see_threads = true}, ASKED},
                 {{.forbid_threads = true}, EAGAIN},
                 {{.forbid_threads = true, .see_threads = true}, EAGAIN},
                 {{.filter_level = true, .forbid_threads = true}, EAGAIN},
                 {{.filter_level = true, .see_threads = true}, ASKED},
                 {{.see_threads = false}, EINVAL}};

    (void)state;
    for (size_t i = 0; i < COUNT(plans); i++) {
        const Try tries[] = {CALL(clone, plans[i].error, CLONE_THREAD),
                             CALL(clone, plans[i].error, ABOVE | CLONE_THREAD)};
        GIVES(plans[i].plan, tries);
    }
}

static void sending_to_an_address_is_asked_about_where_there_are_datagrams(void **state)
{
    static const Try outside[] = {CALL(sendto, ASKED, NEG, 0, 0, 0, 1, 16),
                                  CALL(sendto, ASKED, NEG, 0, 0, 0, UINT64_C(0x100000000), 16),
                                  CALL(sendto, EBADF, NEG, 0, 0, 0, 0, 16)};
    static const Try inside[] = {CALL(sendto, EBADF, NEG, 0, 0, 0, 1, 16)};

    (void)state;
    GIVES(outer, outside);
    GIVES(inner, inside);
}

/* ---- its file ---- */

static void nobody_changes_the_file_of_a_filter(void **state)
{
    int file = -1;

    (void)state;
    assert_int_equal(cell_filter_make(&outer, &file, NULL), 0);
    assert_int_equal(fcntl(file, F_GETFD), FD_CLOEXEC);
    assert_int_equal(pwrite(file, "x", 1, 0), -1);
    assert_int_equal(ftruncate(file, 0), -1);
    assert_int_equal(ftruncate(file, 1 << 20), -1);
    struct stat info;
    assert_int_equal(fstat(file, &info), 0);
    assert_int_equal((size_t)info.st_size % sizeof(struct sock_filter), 0);
    assert_in_range((size_t)info.st_size / sizeof(struct sock_filter), 50, BPF_MAXINSNS);
    close(file);
}

/* ---- any bits above an int ---- */

/* Of calls whose deciding argument is an int, which the kernel cuts to 32 bits: what stands above
 * changes nothing, or makes it stricter. */
static void bits_above_an_int_never_make_a_filter_milder(void **state)
{
    static const Try plain[] = {CALL(fcntl, EPERM, NEG, F_SETLK),
                                CALL(prctl, EPERM, PR_SET_PDEATHSIG),
                                CALL(openat, ASKED, (uint64_t)AT_FDCWD, 0, O_WRONLY),
                                CALL(openat, ASKED, (uint64_t)AT_FDCWD, 0, O_CREAT)};
    static const unsigned which[] = {1, 0, 2, 2};
    Rng rng = rng_new(prop_env("WARG_PROP_SEED", 1));
    Try tries[CALLS_MAX] = {{0}};

    (void)state;
    for (size_t i = 0; i < CALLS_MAX; i++) {
        tries[i] = plain[i % 4];
        tries[i].arguments[which[i % 4]] |= rng_next(&rng) << 32;
    }
    gives(&outer, tries, CALLS_MAX);
    gives(&inner, tries, CALLS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_forbidden_is_refused_at_both_levels),
        cmocka_unit_test(calls_of_newer_kernels_are_not_there),
#ifdef __x86_64__
        cmocka_unit_test(no_call_gets_through_by_the_numbers_of_another_abi),
        cmocka_unit_test(a_call_of_32_bits_ends_the_program),
#endif
        cmocka_unit_test(ordinary_calls_are_let_through),
        cmocka_unit_test(locks_leases_and_ties_are_refused_whatever_stands_above),
        cmocka_unit_test(sockets_are_those_of_the_internet),
        cmocka_unit_test(others_of_the_same_user_are_out_of_reach_without_namespaces),
        cmocka_unit_test(opens_are_asked_about_when_they_are_for_writing),
        cmocka_unit_test(all_others_of_the_table_are_asked_whatever_their_arguments),
        cmocka_unit_test(another_process_is_always_asked_about),
        cmocka_unit_test(threads_are_seen_refused_or_let_be_as_it_is_planned),
        cmocka_unit_test(sending_to_an_address_is_asked_about_where_there_are_datagrams),
        cmocka_unit_test(nobody_changes_the_file_of_a_filter),
        cmocka_unit_test(bits_above_an_int_never_make_a_filter_milder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
