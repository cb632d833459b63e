/* files.h - attacks on what may not be written: every way to make, change or remove a file.
 *
 * For:     attack.c; see try.h. What stands beside the program as victim.txt may be lost.
 * Memory:  nothing is kept; what could be made is removed again.
 * Thread:  the main one.
 * Source:  docs/spec/contest-operations.md 6.4, 6.5.
 */
#ifndef ATTACK_FILES_H
#define ATTACK_FILES_H

#include "try.h"

#include <linux/openat2.h>
#include <mqueue.h>
#include <semaphore.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <utime.h>

/* linux/fs.h has them, and names that sys/mount.h has too. */
#define GET_INODE_FLAGS _IOR('f', 1, long)
#define SET_INODE_FLAGS _IOW('f', 2, long)

#ifndef SYS_fchmodat2
#    define SYS_fchmodat2 452
#endif
#ifndef SYS_setxattrat
#    define SYS_setxattrat 463
#endif

/* Where a file might be made, besides the program's own folder. */
static const char *const places[] = {"/tmp", "/var/tmp", "/dev/shm", "/dev",  "/",    "/usr",
                                     "/etc", "/agent",   "/run",     "/proc", "/sys", "."};

static void name_in(const char *folder, char ret_path[static PATH_MAX])
{
    snprintf(ret_path, PATH_MAX, "%.3900s/attack.%d.tmp", folder, getpid());
}

static void victim_of(const Try *t, char ret_path[static PATH_MAX])
{
    snprintf(ret_path, PATH_MAX, "%.3900s/victim.txt", t->given->folder);
}

static int close_ok(int fd)
{
    return fd < 0 ? -1 : close(fd);
}

/* ---- by place ---- */

static void write_in(Try *t, const char *folder)
{
    char path[PATH_MAX];

    name_in(folder, path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (judge(t, fd, folder)) {
        unlink(path);
        close(fd);
    }
}

/* The row's word is the folder. */
static void write_place(Try *t)
{
    write_in(t, t->word);
}

static void write_own(Try *t)
{
    write_in(t, t->given->folder);
    write_in(t, "/agent");
    write_in(t, ".");
}

static void write_system(Try *t)
{
    static const char *const folders[] = {"/bin", "/lib", "/sbin", "/boot", "/opt",
                                          "/var", "/srv", "/mnt",  "/root", "/home",
                                          "/sys", "/run", "/proc", "/dev",  "/usr/bin"};

    for (size_t i = 0; i < COUNT(folders); i++)
        write_in(t, folders[i]);
}

/* ---- ways to make something: each returns -1 and errno, or has removed it again ---- */

static int way_open_rdonly_creat(const char *path)
{
    return close_ok(open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0600));
}

static int way_open_excl(const char *path)
{
    return close_ok(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

static int way_creat(const char *path)
{
#ifdef SYS_creat
    return close_ok((int)syscall(SYS_creat, path, 0600));
#else
    return close_ok(creat(path, 0600));
#endif
}

static int way_openat2(const char *path)
{
    struct open_how how = {.flags = O_WRONLY | O_CREAT, .mode = 0600};

    return close_ok((int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how)));
}

static int way_mkdir(const char *path)
{
    return mkdir(path, 0700);
}

static int way_symlink(const char *path)
{
    return symlink("/etc/shadow", path);
}

static int way_mknod_file(const char *path)
{
    return mknod(path, S_IFREG | 0600, 0);
}

static int way_mknod_device(const char *path)
{
    return mknod(path, S_IFCHR | 0600, makedev(1, 3));
}

static int way_mkfifo(const char *path)
{
    return mkfifo(path, 0600);
}

static int way_bind(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -1;
    snprintf(address.sun_path, sizeof(address.sun_path), "%.100s", path);
    int result = bind(fd, (struct sockaddr *)&address, sizeof(address)), error = errno;

    close(fd);
    errno = error;
    return result;
}

/* The row's number is the way; it is tried at every place. */
static void make(Try *t)
{
    static int (*const ways[])(const char *path) = {
        way_open_rdonly_creat, way_open_excl,  way_creat,        way_openat2, way_mkdir,
        way_symlink,           way_mknod_file, way_mknod_device, way_mkfifo,  way_bind};
    char path[PATH_MAX];

    for (size_t i = 0; i <= COUNT(places); i++) {
        const char *place = i < COUNT(places) ? places[i] : t->given->folder;

        name_in(place, path);
        /* A relative path is shorter than what a socket's address has room for. */
        if (judge(t, ways[t->number](path), place))
            remove(path);
    }
}

static void tmpfile_flag(Try *t)
{
    for (size_t i = 0; i <= COUNT(places); i++) {
        const char *place = i < COUNT(places) ? places[i] : t->given->folder;

        judge(t, close_ok(open(place, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)), place);
    }
}

/* ---- ways to change what is there: the file, its name, what is said of it ---- */

static int change_open(const char *path, long flags)
{
    return close_ok(open(path, (int)flags | O_CLOEXEC));
}

static int change_open_raw(const char *path, long flags)
{
#ifdef SYS_open
    return close_ok((int)syscall(SYS_open, path, flags | O_CLOEXEC, 0));
#else
    return change_open(path, flags);
#endif
}

static int change_open_high(const char *path, long flags)
{
    return close_ok((int)syscall(SYS_openat, AT_FDCWD, path, (1L << 32) | flags | O_CLOEXEC, 0));
}

static int change_openat2(const char *path, long flags)
{
    struct open_how how = {.flags = (uint64_t)flags};

    return close_ok((int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how)));
}

/* By the link of a descriptor that may only read. */
static int change_reopen(const char *path, long flags)
{
    char link[64];
    int fd = open(path, (flags & O_PATH) ? O_PATH | O_CLOEXEC : O_RDONLY | O_CLOEXEC), again;

    if (fd < 0)
        return -1;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    again = open(link, O_WRONLY | O_CLOEXEC);
    int error = errno;

    close(fd);
    errno = error;
    return close_ok(again);
}

static int change_truncate(const char *path, long with)
{
    struct stat info;

    (void)with;
    return truncate(path, stat(path, &info) == 0 ? info.st_size : 0);
}

static mode_t mode_of(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 ? info.st_mode & 07777 : 0600;
}

static int change_chmod(const char *path, long with)
{
    (void)with;
    return chmod(path, mode_of(path));
}

static int change_fchmod(const char *path, long with)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), result = fd < 0 ? -1 : fchmod(fd, mode_of(path));
    int error = errno;

    (void)with;
    if (fd >= 0)
        close(fd);
    errno = error;
    return result;
}

static int change_fchmodat2(const char *path, long with)
{
    (void)with;
    return (int)syscall(SYS_fchmodat2, AT_FDCWD, path, mode_of(path), 0);
}

static int change_chown(const char *path, long with)
{
    (void)with;
    return chown(path, getuid(), (gid_t)-1);
}

static int change_fchown(const char *path, long with)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC),
        result = fd < 0 ? -1 : fchown(fd, getuid(), (gid_t)-1);
    int error = errno;

    (void)with;
    if (fd >= 0)
        close(fd);
    errno = error;
    return result;
}

static int change_lchown(const char *path, long with)
{
    (void)with;
    return lchown(path, getuid(), (gid_t)-1);
}

static int change_utime(const char *path, long with)
{
    (void)with;
    return utime(path, NULL);
}

static int change_utimensat(const char *path, long with)
{
    (void)with;
    return utimensat(AT_FDCWD, path, NULL, 0);
}

static int change_futimens(const char *path, long with)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), result = fd < 0 ? -1 : futimens(fd, NULL);
    int error = errno;

    (void)with;
    if (fd >= 0)
        close(fd);
    errno = error;
    return result;
}

static int change_setxattr(const char *path, long with)
{
    (void)with;
    if (setxattr(path, "user.attack", "x", 1, 0) != 0)
        return -1;
    return removexattr(path, "user.attack");
}

static int change_fsetxattr(const char *path, long with)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int result = fd < 0 ? -1 : fsetxattr(fd, "user.attack", "x", 1, 0), error = errno;

    (void)with;
    if (result == 0)
        fremovexattr(fd, "user.attack");
    if (fd >= 0)
        close(fd);
    errno = error;
    return result;
}

static int change_setxattrat(const char *path, long with)
{
    struct {
        uint64_t value;
        uint32_t size, flags;
    } args = {(uint64_t)(uintptr_t) "x", 1, 0};

    (void)with;
    if (syscall(SYS_setxattrat, AT_FDCWD, path, 0, "user.attack", &args, sizeof(args)) != 0)
        return -1;
    return removexattr(path, "user.attack");
}

static int change_inode_flags(const char *path, long with)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), flags = 0, result = -1;

    (void)with;
    if (fd >= 0 && ioctl(fd, GET_INODE_FLAGS, &flags) == 0)
        result = ioctl(fd, SET_INODE_FLAGS, &flags);
    int error = errno;

    if (fd >= 0)
        close(fd);
    errno = error;
    return result;
}

static int change_rename(const char *path, long with)
{
    char other[PATH_MAX];

    (void)with;
    snprintf(other, sizeof(other), "%.4000s.moved", path);
    if (rename(path, other) != 0)
        return -1;
    return rename(other, path);
}

static int change_renameat2(const char *path, long with)
{
    char other[PATH_MAX];

    (void)with;
    snprintf(other, sizeof(other), "%.4000s.moved", path);
    if (syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, RENAME_NOREPLACE) != 0)
        return -1;
    return rename(other, path);
}

static int change_link(const char *path, long with)
{
    char other[PATH_MAX];

    (void)with;
    snprintf(other, sizeof(other), "%.4000s.linked", path);
    if (link(path, other) != 0)
        return -1;
    return unlink(other);
}

/* Removes the file, and makes it anew where it can. */
static int change_unlink(const char *path, long with)
{
    (void)with;
    if (unlink(path) != 0)
        return -1;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

    if (fd >= 0 && write(fd, "victim\n", 7) == 7)
        close(fd);
    return 0;
}

/* A mapping that may only be read, written past its rights through the own memory. */
static int change_self_mem(const char *path, long with)
{
    int file = open(path, O_RDONLY | O_CLOEXEC),
        memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    char *page = file < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0), now = 0;
    int result = -1, error;

    (void)with;
    if (memory < 0) {
        error = errno;
    } else if (page == MAP_FAILED) {
        error = ENOENT;
    } else {
        char was = page[0];

        error = pwrite(memory, "#", 1, (off_t)(uintptr_t)page) < 0 ? errno : EPERM;
        if (pread(file, &now, 1, 0) == 1 && now != was)
            result = 0;
    }
    if (page != MAP_FAILED)
        munmap(page, 4096);
    if (file >= 0)
        close(file);
    if (memory >= 0)
        close(memory);
    errno = error;
    return result;
}

typedef struct Change {
    const char *name;
    int (*run)(const char *path, long with);
    long with;
} Change;

/* The row's word is the beginning of the names of ways; each is tried on the file beside the
 * program and, in a cell, on others. */
static void change(Try *t)
{
    static const Change ways[] = {
        {"open-write", change_open, O_WRONLY},
        {"open-rdwr", change_open, O_RDWR},
        {"open-append", change_open, O_WRONLY | O_APPEND},
        {"open-raw", change_open_raw, O_WRONLY},
        {"open-raw-rdwr", change_open_raw, O_RDWR},
        {"open-high", change_open_high, O_WRONLY},
        {"openat2-write", change_openat2, O_RDWR},
        {"reopen-fd", change_reopen, 0},
        {"reopen-path", change_reopen, O_PATH},
        {"truncate", change_truncate, 0},
        {"chmod", change_chmod, 0},
        {"chmod-fd", change_fchmod, 0},
        {"chmod-at2", change_fchmodat2, 0},
        {"chown", change_chown, 0},
        {"chown-fd", change_fchown, 0},
        {"chown-link", change_lchown, 0},
        {"utimes", change_utime, 0},
        {"utimes-at", change_utimensat, 0},
        {"utimes-fd", change_futimens, 0},
        {"setxattr", change_setxattr, 0},
        {"setxattr-fd", change_fsetxattr, 0},
        {"setxattr-at", change_setxattrat, 0},
        {"inode-flags", change_inode_flags, 0},
        {"rename", change_rename, 0},
        {"rename-at2", change_renameat2, 0},
        {"link", change_link, 0},
        {"self-mem", change_self_mem, 0},
    };
    static const char *const others[] = {"/usr/share/common-licenses/GPL-3", "/etc/passwd",
                                         "/etc/hosts"};
    char victim[PATH_MAX];
    size_t length = strlen(t->word);

    victim_of(t, victim);
    for (size_t i = 0; i < COUNT(ways); i++) {
        bool asked = strncmp(ways[i].name, t->word, length) == 0 &&
                     (ways[i].name[length] == '\0' || ways[i].name[length] == '-');

        if (!asked)
            continue;
        judge(t, ways[i].run(victim, ways[i].with), ways[i].name);
        for (size_t k = 0; k < COUNT(others) && strncmp(t->word, "open", 4) == 0; k++)
            judge(t, ways[i].run(others[k], ways[i].with), others[k]);
    }
}

/* What takes the content away: the file beside the program only. */
static void destroy(Try *t)
{
    char victim[PATH_MAX];

    victim_of(t, victim);
    if (strcmp(t->word, "unlink") == 0) {
        judge(t, change_unlink(victim, 0), victim);
        return;
    }
    int fd = open(victim, (int)t->number | O_TRUNC | O_CLOEXEC);

    if (judge(t, fd, victim)) {
        close(fd);
        fd = open(victim, O_WRONLY | O_CLOEXEC);
        if (fd < 0 || write(fd, "victim\n", 7) < 0)
            reach(t, "emptied");
        if (fd >= 0)
            close(fd);
    }
}

static void remove_folder(Try *t)
{
    char path[PATH_MAX];

    name_in(t->given->folder, path);
    mkdir(path, 0700);
    judge(t, rmdir(path), "a folder removed");
}

/* ---- files that are no files ---- */

static void write_proc_sys(Try *t)
{
    static const char *const paths[] = {"/proc/sys/kernel/core_pattern",
                                        "/proc/sys/kernel/hostname",
                                        "/proc/sys/kernel/ns_last_pid",
                                        "/proc/sys/kernel/modprobe",
                                        "/proc/sys/vm/overcommit_memory",
                                        "/proc/sys/vm/drop_caches",
                                        "/proc/sys/net/ipv4/ip_unprivileged_port_start",
                                        "/proc/sys/net/ipv4/ping_group_range",
                                        "/proc/sys/user/max_user_namespaces",
                                        "/proc/sys/fs/mqueue/msg_max",
                                        "/proc/sysrq-trigger",
                                        "/proc/irq/default_smp_affinity",
                                        "/proc/1/oom_score_adj",
                                        "/proc/1/comm",
                                        "/proc/self/setgroups",
                                        "/proc/self/uid_map",
                                        "/proc/self/gid_map"};

    for (size_t i = 0; i < COUNT(paths); i++) {
        int fd = open(paths[i], O_WRONLY | O_CLOEXEC);

        /* Some can be opened by everybody, and written with rights only. */
        if (fd < 0)
            refuse_error(t);
        else if (strstr(paths[i], "/self/"))
            judge(t, write(fd, "0 0 1\n", 6), paths[i]);
        else if (strstr(paths[i], "ns_last_pid"))
            judge(t, dprintf(fd, "%d\n", getpid()), paths[i]);
        else
            reach(t, "%s", paths[i]);
        if (fd >= 0)
            close(fd);
    }
}

/* To be spared where memory is short; back at once where it works. */
static void oom_score(Try *t)
{
    char score[16];
    int fd = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, score, sizeof(score));

    if (n <= 0) {
        refuse_error(t);
    } else if (judge(t, pwrite(fd, "-999", 4, 0), "the last to be killed")) {
        if (pwrite(fd, score, (size_t)n, 0) < 0)
            reach(t, "for ever");
    }
    if (fd >= 0)
        close(fd);
}

static void devices(Try *t)
{
    static const char *const paths[] = {
        "/dev/mem",          "/dev/kmem",     "/dev/port",     "/dev/kvm",   "/dev/fuse",
        "/dev/net/tun",      "/dev/kmsg",     "/dev/sda",      "/dev/vda",   "/dev/loop0",
        "/dev/loop-control", "/dev/ptmx",     "/dev/pts/ptmx", "/dev/pts/0", "/dev/tty0",
        "/dev/console",      "/dev/tty",      "/dev/hpet",     "/dev/rtc0",  "/dev/userfaultfd",
        "/dev/vsock",        "/dev/dri/card0"};

    for (size_t i = 0; i < COUNT(paths); i++)
        judge(t, close_ok(open(paths[i], O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)), paths[i]);
}

static void shm_file(Try *t)
{
    int fd = shm_open("/attack-shm", O_RDWR | O_CREAT, 0600);

    if (judge(t, fd, "shared memory by name")) {
        shm_unlink("/attack-shm");
        close(fd);
    }
}

static void sem_file(Try *t)
{
    sem_t *sem = sem_open("/attack-sem", O_CREAT, 0600, 1);

    if (sem == SEM_FAILED) {
        refuse_error(t);
        return;
    }
    reach(t, "a semaphore by name");
    sem_unlink("/attack-sem");
    sem_close(sem);
}

/* A file by its number, past all folders. */
static void by_handle(Try *t)
{
    static const char *const paths[] = {"/", "/usr", "/etc", "."};
    struct {
        struct file_handle head;
        char bytes[MAX_HANDLE_SZ];
    } handle;

    for (size_t i = 0; i < COUNT(paths); i++) {
        int mount_id, folder = open(paths[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        handle.head.handle_bytes = MAX_HANDLE_SZ;
        if (folder < 0 || name_to_handle_at(AT_FDCWD, paths[i], &handle.head, &mount_id, 0) != 0)
            refuse_error(t);
        else
            judge(t, close_ok(open_by_handle_at(folder, &handle.head, O_RDONLY | O_CLOEXEC)),
                  paths[i]);
        if (folder >= 0)
            close(folder);
    }
}

static void memfd(Try *t)
{
    int fd = memfd_create("attack", MFD_CLOEXEC);

    if (fd < 0)
        refuse_error(t);
    else
        judge(t, write(fd, "x", 1), "a file in memory");
    if (fd >= 0)
        close(fd);
}

static void memfd_secret_memory(Try *t)
{
#ifdef SYS_memfd_secret
    int fd = (int)syscall(SYS_memfd_secret, 0);

    judge(t, fd, "a secret file in memory");
    if (fd >= 0)
        close(fd);
#else
    skip(t, "not in these headers");
#endif
}

/* A program that was never on a disk: what is in memory is this one, which then lists its attacks.
 */
static void memfd_exec(Try *t)
{
    char *const words[] = {(char[]){"attack"}, (char[]){"--nothing"}, NULL}, *none[] = {NULL};
    int from = open(t->given->exe, O_RDONLY | O_CLOEXEC), fd = memfd_create("attack", MFD_CLOEXEC);
    char bytes[65536];

    if (from < 0 || fd < 0) {
        refuse_error(t);
    } else {
        for (ssize_t n; (n = read(from, bytes, sizeof(bytes))) > 0;)
            if (write(fd, bytes, (size_t)n) != n)
                break;
        pid_t pid = fork();

        if (pid == 0) {
            execveat(fd, "", words, none, AT_EMPTY_PATH);
            _exit(127);
        }
        if (pid < 0)
            refuse_error(t);
        else if (reap(pid) == 0)
            reach(t, "a program in memory");
        else
            refuse(t, "not started");
    }
    if (from >= 0)
        close(from);
    if (fd >= 0)
        close(fd);
}

#endif
