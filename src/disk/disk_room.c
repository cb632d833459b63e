#include "disk/disk_room.h"

#include "base/buf.h"
#include "disk/disk_call.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define PIECE_BYTES ((size_t)64 * 1024)

int disk_room_look(DiskRoom *room, bool *ret_changed, Err *err)
{
    const bool before = room->low;
    struct statvfs disk;
    int rc = 0;

    room->free = room->whole = 0;
    if (statvfs(room->data, &disk)) {
        room->low = true;
        rc = disk_error(err, "look at the disk of", room->data);
    } else {
        room->whole = (uint64_t)disk.f_blocks * disk.f_frsize;
        room->reserve = room->whole / 1000 * room->reserve_permil;
        if (room->reserve < room->reserve_bytes)
            room->reserve = room->reserve_bytes;
        room->free = (uint64_t)disk.f_bavail * disk.f_frsize;
        room->low = room->free <= room->reserve || (before && room->free < 2 * room->reserve);
    }
    if (ret_changed)
        *ret_changed = before != room->low;
    return rc;
}

/* Written, not only made long: its blocks are taken. */
static int fill_ballast(const char *path, Err *err)
{
    static const char zeros[PIECE_BYTES];
    int fd = disk_open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    int rc = 0;

    if (fd < 0)
        return errno == EEXIST ? 0 : disk_error(err, "make", path);
    for (uint64_t bytes = 0; bytes < DISK_ROOM_BALLAST && rc == 0; bytes += PIECE_BYTES)
        if (disk_write(fd, (Str){zeros, PIECE_BYTES}))
            rc = disk_error(err, "write", path);
    if (rc == 0 && disk_sync(fd))
        rc = disk_error(err, "write", path);
    if (disk_close(fd) && rc == 0)
        rc = disk_error(err, "write", path);
    if (rc)
        (void)disk_remove(path);
    return rc;
}

int disk_room_keep(const DiskRoom *room, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat about;

    buf_printf(&path, "%s/" DISK_ROOM_FILE, room->data);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "disk: out of memory");
    const bool there = lstat(buf_cstr(&path), &about) == 0;
    if (there && room->free < DISK_ROOM_LAST && disk_remove(buf_cstr(&path)))
        return disk_error(err, "remove", buf_cstr(&path));
    if (!there && !room->low && room->free > room->reserve + 2 * DISK_ROOM_BALLAST)
        return fill_ballast(buf_cstr(&path), err);
    return 0;
}
