/* small_disk.h - a folder on a small file system of its own, which fills up.
 *
 * For:    unit tests of what happens on a full disk; include it first: unshare wants _GNU_SOURCE.
 * Memory: the kernel's; the folder is /tmp/warg-NAME-XXXXXX, and empty for everybody but the test.
 * Thread: the test's, before it has others.
 * Source: docs/spec/contest-operations.md 16.2, O43.
 */
#ifndef WARG_TESTS_SMALL_DISK_H
#define WARG_TESTS_SMALL_DISK_H

#define _GNU_SOURCE /* unshare */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

typedef struct SmallDisk {
    char path[64];
    bool there; /* false: this machine lets nobody mount a file system */
} SmallDisk;

/* In a mount namespace of this process. `options`: of tmpfs. 0, or -1 when there is not even a
 * folder, as cmocka wants it of a set-up. */
static inline int small_disk_begin(SmallDisk *disk, const char *name, const char *options)
{
    snprintf(disk->path, sizeof(disk->path), "/tmp/warg-%s-XXXXXX", name);
    if (!mkdtemp(disk->path))
        return -1;
    disk->there = unshare(CLONE_NEWNS) == 0 &&
                  mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                  mount("warg", disk->path, "tmpfs", 0, options) == 0;
    return 0;
}

static inline int small_disk_end(SmallDisk *disk)
{
    if (disk->there)
        umount(disk->path);
    return rmdir(disk->path);
}

/* Ends the test where it could not be had. */
static inline void small_disk_need(const SmallDisk *disk)
{
    if (disk->there)
        return;
    fprintf(stderr, "skipped: this machine lets nobody mount a file system\n");
    skip();
}

#endif
