/* store_faults.c - SQLite's files over a disk that fails, in warg-faults: a VFS in front of the
 * usual one, which is asked for nothing else. Writes, cuts, syncs, openings and removals fail as
 * season_page.h says.
 * Source: SQLite's documentation, "The SQLite OS Interface or VFS"; its own test VFS. */
#include "season_page.h"

#include <errno.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>

/* An open file: ours in front, that of the usual VFS behind it. */
typedef struct FaultyFile {
    sqlite3_file base;
    _Alignas(sqlite3_int64) char inner[]; /* SQLite gives room for that */
} FaultyFile;

static sqlite3_vfs *usual;

static sqlite3_file *inner_file(sqlite3_file *file)
{
    return (sqlite3_file *)(void *)((FaultyFile *)(void *)file)->inner;
}

static int failed_write(void)
{
    return errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

/* A call of the usual VFS with the file behind this one. */
#define INNER(file, method, ...) inner_file(file)->pMethods->method(__VA_ARGS__)

static int faulty_close(sqlite3_file *file)
{
    int rc = INNER(file, xClose, inner_file(file));

    file->pMethods = NULL;
    return rc;
}

static int faulty_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 at)
{
    return INNER(file, xRead, inner_file(file), bytes, count, at);
}

/* Half of it is written first, as on a disk that is full in the middle. */
static int faulty_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at)
{
    if (!season_page_fails(true))
        return INNER(file, xWrite, inner_file(file), bytes, count, at);
    const int why = failed_write();
    (void)INNER(file, xWrite, inner_file(file), bytes, count / 2, at);
    return why;
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 bytes)
{
    return season_page_fails(true) ? SQLITE_IOERR_TRUNCATE
                                   : INNER(file, xTruncate, inner_file(file), bytes);
}

/* Nothing is brought to the real disk: nobody pulls its plug. */
static int faulty_sync(sqlite3_file *file, int flags)
{
    (void)file, (void)flags;
    return season_page_fails(true) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int faulty_size(sqlite3_file *file, sqlite3_int64 *ret_bytes)
{
    return INNER(file, xFileSize, inner_file(file), ret_bytes);
}

static int faulty_lock(sqlite3_file *file, int level)
{
    return INNER(file, xLock, inner_file(file), level);
}

static int faulty_unlock(sqlite3_file *file, int level)
{
    return INNER(file, xUnlock, inner_file(file), level);
}

static int faulty_reserved(sqlite3_file *file, int *ret)
{
    return INNER(file, xCheckReservedLock, inner_file(file), ret);
}

static int faulty_control(sqlite3_file *file, int what, void *argument)
{
    return INNER(file, xFileControl, inner_file(file), what, argument);
}

static int faulty_sector(sqlite3_file *file)
{
    return INNER(file, xSectorSize, inner_file(file));
}

static int faulty_device(sqlite3_file *file)
{
    return INNER(file, xDeviceCharacteristics, inner_file(file));
}

static int faulty_shm_map(sqlite3_file *file, int page, int bytes, int extend, void volatile **ret)
{
    return INNER(file, xShmMap, inner_file(file), page, bytes, extend, ret);
}

static int faulty_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return INNER(file, xShmLock, inner_file(file), offset, count, flags);
}

static void faulty_shm_barrier(sqlite3_file *file)
{
    INNER(file, xShmBarrier, inner_file(file));
}

static int faulty_shm_unmap(sqlite3_file *file, int remove)
{
    return INNER(file, xShmUnmap, inner_file(file), remove);
}

static int faulty_fetch(sqlite3_file *file, sqlite3_int64 at, int bytes, void **ret)
{
    return INNER(file, xFetch, inner_file(file), at, bytes, ret);
}

static int faulty_unfetch(sqlite3_file *file, sqlite3_int64 at, void *page)
{
    return INNER(file, xUnfetch, inner_file(file), at, page);
}

static const sqlite3_io_methods methods = {.iVersion = 3,
                                           .xClose = faulty_close,
                                           .xRead = faulty_read,
                                           .xWrite = faulty_write,
                                           .xTruncate = faulty_truncate,
                                           .xSync = faulty_sync,
                                           .xFileSize = faulty_size,
                                           .xLock = faulty_lock,
                                           .xUnlock = faulty_unlock,
                                           .xCheckReservedLock = faulty_reserved,
                                           .xFileControl = faulty_control,
                                           .xSectorSize = faulty_sector,
                                           .xDeviceCharacteristics = faulty_device,
                                           .xShmMap = faulty_shm_map,
                                           .xShmLock = faulty_shm_lock,
                                           .xShmBarrier = faulty_shm_barrier,
                                           .xShmUnmap = faulty_shm_unmap,
                                           .xFetch = faulty_fetch,
                                           .xUnfetch = faulty_unfetch};

static int faulty_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags,
                       int *ret_flags)
{
    (void)vfs;
    file->pMethods = NULL;
    if ((flags & SQLITE_OPEN_CREATE) && season_page_fails(true))
        return SQLITE_CANTOPEN;
    int rc = usual->xOpen(usual, name, inner_file(file), flags, ret_flags);
    if (inner_file(file)->pMethods)
        file->pMethods = &methods;
    return rc;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    return season_page_fails(true) ? SQLITE_IOERR_DELETE : usual->xDelete(usual, name, sync);
}

/* The constructor of tests/disk_faults.c calls it. */
void store_faults_begin(void);

void store_faults_begin(void)
{
    static sqlite3_vfs faulty;

    if (!season_page() || sqlite3_initialize() != SQLITE_OK)
        return;
    usual = sqlite3_vfs_find(NULL);
    faulty = *usual;
    faulty.pNext = NULL;
    faulty.zName = "faulty";
    faulty.szOsFile += (int)offsetof(FaultyFile, inner);
    faulty.xOpen = faulty_open;
    faulty.xDelete = faulty_delete;
    sqlite3_vfs_register(&faulty, 1);
}
