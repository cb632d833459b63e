/* disk_faults.h - the door of disk/disk_call.h over a disk that fails where a test wants it.
 *
 * For:    unit tests, which include it once, and tests/disk_faults.c, the same for the whole
 *         program. It takes the place of disk_call.o: its system calls are the ones below, so that
 *         the door's own loops are tested too. No other program can be made to fail: there is
 *         nothing to switch.
 * Thread: any; a call is counted under a mutex.
 * Source: docs/decisions.md, "One door to the disk"; SQLite's test VFS. */
#ifndef WARG_TESTS_DISK_FAULTS_H
#define WARG_TESTS_DISK_FAULTS_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DISK_OPEN = 1,
    DISK_WRITE = 2,
    DISK_CUT = 4,
    DISK_SYNC = 8,
    DISK_CLOSE = 16,
    DISK_RENAME = 32,
    DISK_REMOVE = 64,
    DISK_FOLDER = 128,
    DISK_ANY = 255,
    DISK_FULL = DISK_OPEN | DISK_WRITE | DISK_FOLDER /* what needs room */
};

/* Call `at` of these kinds fails, from 1; 0 = none. `for_ever`: all behind it too. A write takes
 * half of its bytes first, as on a disk that is full in the middle of them. */
typedef struct DiskFault {
    int kinds;
    unsigned at;
    bool for_ever;
    int why; /* errno; 0: the process is killed there, as by kill -9 */
} DiskFault;

static struct {
    pthread_mutex_t mutex;
    DiskFault fault;
    unsigned calls; /* of the kinds of `fault` */
    unsigned failed;
    const char *only;   /* calls for files with this in their name; NULL = all */
    bool (*also)(void); /* asked of each call, with errno; NULL = nobody */
    char first[300];    /* the first that failed: KIND NAME */
} faulty_disk = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local bool write_is_torn; /* half is written, the rest fails */
static _Thread_local int torn_why;

static void disk_fault_set(DiskFault fault)
{
    pthread_mutex_lock(&faulty_disk.mutex);
    faulty_disk.fault = fault;
    faulty_disk.calls = faulty_disk.failed = 0;
    faulty_disk.first[0] = '\0';
    pthread_mutex_unlock(&faulty_disk.mutex);
}

static inline void disk_fault_only(const char *only)
{
    faulty_disk.only = only;
}

static const char *faulty_name(int kind)
{
    static const char *const names[] = {"open",  "write",  "cut",    "sync",
                                        "close", "rename", "remove", "folder"};
    unsigned i = 0;

    while (kind >> (i + 1))
        i++;
    return names[i];
}

/* The path, or else that of the open file. */
static const char *faulty_path(const char *path, int fd, char name[static 256])
{
    char link[64];

    if (path)
        return path;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, name, 255);
    name[n > 0 ? n : 0] = '\0';
    return name;
}

static void faulty_note(int kind, const char *path, int fd)
{
    char name[256];

    snprintf(faulty_disk.first, sizeof(faulty_disk.first), "%s %s", faulty_name(kind),
             faulty_path(path, fd, name));
}

static bool faulty_is_meant(const DiskFault *fault, int kind, const char *path, int fd)
{
    char name[256];

    return fault->kinds & kind &&
           (!faulty_disk.only || strstr(faulty_path(path, fd, name), faulty_disk.only));
}

/* Counts a call; true, with errno, when it is to fail. */
static bool faulty_call(int kind, const char *path, int fd)
{
    pthread_mutex_lock(&faulty_disk.mutex);
    const DiskFault fault = faulty_disk.fault;
    unsigned number = faulty_is_meant(&fault, kind, path, fd) ? ++faulty_disk.calls : 0;
    bool fails = fault.at && (number == fault.at || (fault.for_ever && number > fault.at));
    if (fails && faulty_disk.failed++ == 0)
        faulty_note(kind, path, fd);
    pthread_mutex_unlock(&faulty_disk.mutex);
    if (fails && !fault.why)
        raise(SIGKILL);
    if (fails)
        errno = fault.why;
    return fails || (faulty_disk.also && faulty_disk.also());
}

static int faulty_open(const char *path, int flags, mode_t mode)
{
    return faulty_call(DISK_OPEN, path, -1) ? -1 : open(path, flags, mode);
}

/* How many of `bytes` are written now; 0 when this write fails. */
static size_t faulty_bytes(int fd, size_t bytes)
{
    if (write_is_torn) {
        write_is_torn = false;
        errno = torn_why;
        return 0;
    }
    if (!faulty_call(DISK_WRITE, NULL, fd))
        return bytes;
    torn_why = errno;
    write_is_torn = bytes > 1 && torn_why != EINTR;
    return bytes > 1 && write_is_torn ? bytes / 2 : 0;
}

static ssize_t faulty_write(int fd, const void *bytes, size_t n)
{
    size_t taken = faulty_bytes(fd, n);

    return taken ? write(fd, bytes, taken) : -1;
}

static ssize_t faulty_pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    size_t taken = faulty_bytes(fd, n);

    return taken ? pwrite(fd, bytes, taken, at) : -1;
}

static int faulty_ftruncate(int fd, off_t bytes)
{
    return faulty_call(DISK_CUT, NULL, fd) ? -1 : ftruncate(fd, bytes);
}

/* Nothing is brought to the real disk: nobody pulls its plug, and thousands of turns take minutes.
 */
static int faulty_sync(int fd)
{
    return faulty_call(DISK_SYNC, NULL, fd) ? -1 : 0;
}

/* The descriptor is gone either way. */
static int faulty_close(int fd)
{
    bool fails = faulty_call(DISK_CLOSE, NULL, fd);
    int why = errno;
    int rc = close(fd);

    if (fails)
        errno = why;
    return fails ? -1 : rc;
}

static int faulty_rename(const char *from, const char *to)
{
    return faulty_call(DISK_RENAME, to, -1) ? -1 : rename(from, to);
}

static int faulty_renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    return faulty_call(DISK_RENAME, to, -1) ? -1 : renameat(from_folder, from, to_folder, to);
}

static int faulty_unlinkat(int folder, const char *name, int flags)
{
    return faulty_call(DISK_REMOVE, name, -1) ? -1 : unlinkat(folder, name, flags);
}

static int faulty_mkdir(const char *path, mode_t mode)
{
    return faulty_call(DISK_FOLDER, path, -1) ? -1 : mkdir(path, mode);
}

#define open(path, flags, mode)       faulty_open(path, flags, mode)
#define write(fd, bytes, n)           faulty_write(fd, bytes, n)
#define pwrite(fd, bytes, n, at)      faulty_pwrite(fd, bytes, n, at)
#define ftruncate(fd, bytes)          faulty_ftruncate(fd, bytes)
#define fsync(fd)                     faulty_sync(fd)
#define fdatasync(fd)                 faulty_sync(fd)
#define close(fd)                     faulty_close(fd)
#define rename(from, to)              faulty_rename(from, to)
#define renameat(a, from, b, to)      faulty_renameat(a, from, b, to)
#define unlinkat(folder, name, flags) faulty_unlinkat(folder, name, flags)
#define mkdir(path, mode)             faulty_mkdir(path, mode)
#include "disk/disk_call.c" /* NOLINT(bugprone-suspicious-include): with these calls */
#undef open
#undef write
#undef pwrite
#undef ftruncate
#undef fsync
#undef fdatasync
#undef close
#undef rename
#undef renameat
#undef unlinkat
#undef mkdir

#endif
