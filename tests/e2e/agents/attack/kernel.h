/* kernel.h - attacks by calls of the kernel that no agent needs.
 *
 * For:     attack.c; see try.h. Each has a form that changes nothing where it is let through.
 * Memory:  nothing is kept.
 * Thread:  the main one.
 * Source:  docs/spec/contest-operations.md 6.5.
 */
#ifndef ATTACK_KERNEL_H
#define ATTACK_KERNEL_H

#include "try.h"

#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/mempolicy.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <linux/userfaultfd.h>
#include <mqueue.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/ipc.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/statvfs.h>
#include <sys/swap.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#if defined(__x86_64__) || defined(__i386__)
#    include <sys/io.h>
#endif

#define NO_FILE "/nonexistent-attack"

static bool judge_fd(Try *t, long fd, const char *what)
{
    if (!judge(t, fd, what))
        return false;
    close((int)fd);
    return true;
}

/* ---- mounts, roots, namespaces ---- */

static void mount_new(Try *t)
{
    judge_through(t, mount("none", t->given->folder, "nosuchfs", 0, NULL), "mount");
}

static void umount_any(Try *t)
{
    judge_through(t, umount2(t->given->folder, UMOUNT_NOFOLLOW), "umount");
}

/* What may only be read is made writable, but for that as it was. */
static void remount(Try *t)
{
    static const char *const others[] = {"/", "/agent", "/usr", "/tmp"};
    const unsigned long kept = ST_NOSUID | ST_NODEV | ST_NOEXEC | ST_NOATIME | ST_NODIRATIME;
    struct statvfs info;

    judge_through(t, mount(NULL, t->given->folder, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL),
                  "remount");
    for (size_t i = 0; i < COUNT(others) && !t->given->control; i++)
        if (statvfs(others[i], &info) == 0 && (info.f_flag & ST_RDONLY))
            judge_through(
                t, mount(NULL, others[i], NULL, MS_REMOUNT | MS_BIND | (info.f_flag & kept), NULL),
                others[i]);
}

static void fs_open(Try *t)
{
    judge_fd(t, syscall(SYS_fsopen, "tmpfs", 0), "a file system");
}

static void fs_pick(Try *t)
{
    judge_fd(t, syscall(SYS_fspick, AT_FDCWD, "/", 0), "the file system of /");
}

static void fs_mount(Try *t)
{
    judge_through(t, syscall(SYS_fsmount, -1, 0, 0), "fsmount");
}

static void open_tree_clone(Try *t)
{
    judge_fd(t, syscall(SYS_open_tree, AT_FDCWD, "/", 1 /* OPEN_TREE_CLONE */), "a copy of /");
}

static void mount_move(Try *t)
{
    judge_through(t, syscall(SYS_move_mount, -1, "", -1, "", 0), "move_mount");
}

static void mount_attributes(Try *t)
{
    uint64_t attributes[4] = {0};

    judge_through(t, syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, attributes, sizeof(attributes)),
                  "mount_setattr");
}

static void pivot(Try *t)
{
    judge_through(t, syscall(SYS_pivot_root, ".", "."), "pivot_root");
}

static void enter_root(Try *t)
{
    judge(t, chroot("."), "another root");
}

static void change_root(Try *t)
{
    apart(t, enter_root);
}

/* Out of a root by a folder above it: as far up as .. leads. */
static void escape_root(Try *t)
{
    struct stat root, now;

    stat("/", &root);
    if (mkdir("attack.jail", 0700) != 0 && errno != EEXIST) {
        refuse_error(t);
        return;
    }
    if (chroot("attack.jail") != 0) {
        refuse_error(t);
    } else {
        for (int i = 0; i < 64; i++)
            if (chdir("..") != 0)
                break;
        if (chroot(".") == 0 && stat("/", &now) == 0)
            reach(t, now.st_ino == root.st_ino ? "out of a root" : "another root");
    }
    rmdir("attack.jail");
}

static void root_escape(Try *t)
{
    char jail[PATH_MAX];

    apart(t, escape_root);
    snprintf(jail, sizeof(jail), "%.4000s/attack.jail", t->given->folder);
    rmdir("attack.jail");
    rmdir(jail);
}

static void leave(Try *t)
{
    judge(t, unshare((int)t->number), "a namespace of its own");
}

/* The row's number: the flags. */
static void unshare_flags(Try *t)
{
    apart(t, leave);
}

static void enter(Try *t)
{
    static const char *const paths[] = {"/proc/1/ns/net", "/proc/1/ns/mnt", "/proc/self/ns/uts",
                                        "/proc/self/ns/net"};

    for (size_t i = 0; i < COUNT(paths); i++) {
        int fd = open(paths[i], O_RDONLY | O_CLOEXEC);

        if (fd < 0)
            refuse_error(t);
        else if (judge(t, setns(fd, 0), paths[i]) && i < 2)
            break;
        if (fd >= 0)
            close(fd);
    }
    int fd = (int)syscall(SYS_pidfd_open, getppid() > 0 ? getppid() : getpid(), 0);

    if (fd >= 0) {
        judge(t, setns(fd, CLONE_NEWUTS), "that of the parent");
        close(fd);
    }
    if (setns(-1, 0) != 0 && errno == EBADF)
        reach(t, "let through to EBADF");
}

static void enter_namespaces(Try *t)
{
    apart(t, enter);
}

/* ---- programs in the kernel, and ways past a filter ---- */

static void bpf_map(Try *t)
{
    union bpf_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.map_type = BPF_MAP_TYPE_ARRAY;
    attr.key_size = attr.value_size = 4;
    attr.max_entries = 1;
    judge_fd(t, syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr)), "a map");
}

static void perf_event(Try *t)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
                                   .size = sizeof(attr),
                                   .config = PERF_COUNT_SW_TASK_CLOCK,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};

    judge_fd(t, syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC), "a counter");
}

static void user_fault(Try *t)
{
    judge_fd(t, syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY), "faults of its own");
}

static void uring(Try *t)
{
    struct io_uring_params params;

    memset(&params, 0, sizeof(params));
    judge_fd(t, syscall(SYS_io_uring_setup, 1, &params), "a ring");
}

static void uring_others(Try *t)
{
    judge_through(t, syscall(SYS_io_uring_enter, -1, 0, 0, 0, NULL, 0), "io_uring_enter");
    judge_through(t, syscall(SYS_io_uring_register, -1, 0, NULL, 0), "io_uring_register");
}

static void aio(Try *t)
{
    unsigned long context = 0;

    if (judge(t, syscall(SYS_io_setup, 1, &context), "asynchronous files"))
        syscall(SYS_io_destroy, context);
}

static void key_add(Try *t)
{
    judge(t, syscall(SYS_add_key, "user", "attack", "x", 1, KEY_SPEC_PROCESS_KEYRING), "a key");
}

static void key_request(Try *t)
{
    judge_through(t, syscall(SYS_request_key, "user", "attack-none", NULL, 0), "request_key");
}

static void key_control(Try *t)
{
    judge(t, syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1), "a keyring");
}

static struct sock_filter allow_all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};

static void filter_by(Try *t)
{
    struct sock_fprog program = {.len = 1, .filter = allow_all};

    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (t->number < 0)
        judge(t, prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), "a filter of its own");
    else
        judge(t, syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, t->number, &program),
              "a filter of its own");
}

/* The row's number: the flags; -1: by prctl. */
static void filter(Try *t)
{
    apart(t, filter_by);
}

/* ---- the machine ---- */

static void kexec(Try *t)
{
    judge_through(t, syscall(SYS_kexec_load, 0, 0, NULL, 0xffffUL), "kexec_load");
}

static void module_init(Try *t)
{
    judge_through(t, syscall(SYS_init_module, NULL, 0, ""), "init_module");
}

static void module_init_fd(Try *t)
{
    judge_through(t, syscall(SYS_finit_module, -1, "", 0), "finit_module");
}

static void module_delete(Try *t)
{
    judge_through(t, syscall(SYS_delete_module, "nonexistent_attack", O_NONBLOCK), "delete_module");
}

/* With numbers that no command has. */
static void reboot_machine(Try *t)
{
    judge_through(t, syscall(SYS_reboot, 0x1234, 0x1234, 0, NULL), "reboot");
}

static void swap_on(Try *t)
{
    judge_through(t, swapon(NO_FILE, 0), "swapon");
}

static void swap_off(Try *t)
{
    judge_through(t, swapoff(NO_FILE), "swapoff");
}

static void accounting(Try *t)
{
    judge_through(t, acct(NO_FILE), "acct");
}

/* Q_SYNC of all: what everybody may. */
static void quota(Try *t)
{
    judge_through(t, syscall(SYS_quotactl, 0x80000100U, NULL, 0, NULL), "quotactl");
#ifdef SYS_quotactl_fd
    judge_through(t, syscall(SYS_quotactl_fd, -1, 0, 0, NULL), "quotactl_fd");
#endif
}

static void kernel_log(Try *t)
{
    char bytes[64];

    judge(t, klogctl(10, NULL, 0), "its size");
    judge(t, klogctl(3, bytes, sizeof(bytes)), "its text");
}

/* Nothing at all is set, but the right to set it is asked for. */
static void time_of_day(Try *t)
{
    judge_through(t, syscall(SYS_settimeofday, NULL, NULL), "settimeofday");
}

/* A time that there is not. */
static void clock_set(Try *t)
{
    struct timespec never = {.tv_sec = 0, .tv_nsec = -1};

    judge_through(t, syscall(SYS_clock_settime, CLOCK_REALTIME, &never), "clock_settime");
}

/* A tick that there is not. */
static void clock_adjust(Try *t)
{
    struct timex now = {.modes = ADJ_TICK, .tick = 0};

    judge_through(t, syscall(SYS_adjtimex, &now), "adjtimex");
    now = (struct timex){.modes = ADJ_TICK, .tick = 0};
    judge_through(t, syscall(SYS_clock_adjtime, CLOCK_REALTIME, &now), "clock_adjtime");
}

static void personality_set(Try *t)
{
    int before = personality(0xffffffff);

    if (judge(t, personality(ADDR_NO_RANDOMIZE | (before > 0 ? (unsigned)before : 0)),
              "fixed addresses"))
        personality((unsigned long)(before > 0 ? before : 0));
}

static void name_host(Try *t)
{
    struct utsname names;

    if (uname(&names) != 0)
        refuse_error(t);
    else {
        judge(t, sethostname(names.nodename, strlen(names.nodename)), "sethostname");
        judge(t, setdomainname(names.domainname, strlen(names.domainname)), "setdomainname");
    }
}

static void ports(Try *t)
{
#if defined(__x86_64__) || defined(__i386__)
    if (judge(t, iopl(3), "all ports"))
        iopl(0);
    if (judge(t, ioperm(0x80, 1, 1), "a port"))
        ioperm(0x80, 1, 0);
#else
    skip(t, "not on this processor");
#endif
}

/* ---- what several processes share ---- */

static void shm_sysv(Try *t)
{
    int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);

    if (judge(t, id, "shared memory"))
        shmctl(id, IPC_RMID, NULL);
}

static void msg_sysv(Try *t)
{
    int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);

    if (judge(t, id, "a queue"))
        msgctl(id, IPC_RMID, NULL);
}

static void sem_sysv(Try *t)
{
    int id = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);

    if (judge(t, id, "a semaphore"))
        semctl(id, 0, IPC_RMID);
}

static void mq_posix(Try *t)
{
    mqd_t queue = mq_open("/attack-queue", O_RDWR | O_CREAT, 0600, NULL);

    if (judge(t, queue, "a queue")) {
        mq_unlink("/attack-queue");
        mq_close(queue);
    }
}

/* On a file that is there for all, else on the own. The row's number: the command. */
static void lock_file(Try *t)
{
    struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    const char *const paths[] = {"/usr/bin/env", t->given->exe};

    for (size_t i = 0; i < COUNT(paths); i++) {
        int fd = open(paths[i], O_RDONLY | O_CLOEXEC);

        if (fd < 0)
            refuse_error(t);
        else
            judge_fd(t, syscall(SYS_fcntl, fd, t->number, &whole) == 0 ? fd : -1, paths[i]);
    }
}

static void lease(Try *t)
{
    int fd = open(t->given->exe, O_RDONLY | O_CLOEXEC);

    if (judge(t, fd < 0 ? -1 : fcntl(fd, F_SETLEASE, F_RDLCK), "a lease"))
        fcntl(fd, F_SETLEASE, F_UNLCK);
    if (fd >= 0)
        close(fd);
}

static void notify(Try *t)
{
    int fd = open(t->given->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (judge(t, fd < 0 ? -1 : fcntl(fd, F_NOTIFY, DN_ACCESS), "news of a folder"))
        fcntl(fd, F_NOTIFY, 0);
    if (fd >= 0)
        close(fd);
}

static void lock_flock(Try *t)
{
    int fd = open("/usr/bin/env", O_RDONLY | O_CLOEXEC);

    judge(t, fd < 0 ? -1 : flock(fd, LOCK_SH | LOCK_NB), "a lock");
    if (fd >= 0)
        close(fd);
}

static void fanotify(Try *t)
{
    judge_fd(t, syscall(SYS_fanotify_init, FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY),
             "news of files");
}

static void numa(Try *t)
{
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned long node = 1;

    judge_through(t, syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0), "set_mempolicy");
    judge_through(t, syscall(SYS_mbind, page, 4096, MPOL_DEFAULT, NULL, 0, 0), "mbind");
    judge_through(t, syscall(SYS_migrate_pages, getpid(), 2, &node, &node), "migrate_pages");
    judge_through(t, syscall(SYS_move_pages, getpid(), 0, NULL, NULL, NULL, 0), "move_pages");
    munmap(page, 4096);
}

/* ---- rights ---- */

static void become_user(Try *t)
{
    judge(t, setuid(0), "setuid");
    judge(t, setresuid(0, 0, 0), "setresuid");
    judge(t, setreuid(0, 0), "setreuid");
    setfsuid(0);
    if (setfsuid(0) == 0)
        reach(t, "setfsuid");
}

static void become_group(Try *t)
{
    judge(t, setgid(0), "setgid");
    judge(t, setresgid(0, 0, 0), "setresgid");
    judge(t, setregid(0, 0), "setregid");
    setfsgid(0);
    if (setfsgid(0) == 0)
        reach(t, "setfsgid");
}

static void become_member(Try *t)
{
    gid_t groups[] = {0};

    judge(t, syscall(SYS_setgroups, 1, groups), "setgroups");
}

static void set_user(Try *t)
{
    apart(t, become_user);
}

static void set_group(Try *t)
{
    apart(t, become_group);
}

static void set_groups(Try *t)
{
    apart(t, become_member);
}

static void take_capabilities(Try *t)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{1U << CAP_SYS_ADMIN, 1U << CAP_SYS_ADMIN, 0},
                                             {0, 0, 0}};

    judge(t, syscall(SYS_capset, &header, data), "CAP_SYS_ADMIN");
}

static void capabilities(Try *t)
{
    apart(t, take_capabilities);
}

static void ambient(Try *t)
{
    judge(t, prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN, 0, 0),
          "an ambient capability");
}

static void raise_ambient(Try *t)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];

    if (syscall(SYS_capget, &header, data) == 0) {
        data[0].inheritable |= 1U << CAP_SYS_ADMIN;
        syscall(SYS_capset, &header, data);
    }
    ambient(t);
}

static void ambient_capability(Try *t)
{
    apart(t, raise_ambient);
}

/* Another command line, another program behind /proc/PID/exe. The heap's begin stays where it is.
 */
static void memory_map(Try *t)
{
    judge(t, prctl(PR_SET_MM, PR_SET_MM_START_BRK, sbrk(0), 0, 0), "other marks of memory");
    if (prctl(PR_SET_MM, PR_SET_MM_EXE_FILE, -1, 0, 0) != 0 && !is_refusal(errno))
        reach(t, "let through to %s", error_word(errno));
}

static void death_signal(Try *t)
{
    int before = 0;

    prctl(PR_GET_PDEATHSIG, &before);
    judge(t, prctl(PR_SET_PDEATHSIG, 0), "no signal at the end of the parent");
    prctl(PR_SET_PDEATHSIG, before);
}

static void dumpable(Try *t)
{
    int before = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);

    judge(t, prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "can be read by others of its user");
    prctl(PR_SET_DUMPABLE, before, 0, 0, 0);
}

static void subreaper(Try *t)
{
    judge(t, prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "takes over orphans");
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}

/* ---- calls of other architectures: who makes them is killed ---- */

static void call_32_bit(Try *t)
{
#ifdef __x86_64__
    long result = 20; /* getpid */

    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    errno = (int)-result;
    judge(t, result, "a call of 32 bits");
#else
    skip(t, "not on this processor");
#endif
}

static void call_x32(Try *t)
{
#ifdef __x86_64__
    judge(t, syscall(0x40000000 | SYS_getpid), "a call of x32");
#else
    skip(t, "not on this processor");
#endif
}

#endif
