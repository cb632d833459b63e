#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* F_OFD_SETLK */
#endif
#include "spool/spool_folder.h"

#include "disk/disk_call.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void name_list_done(NameList *list)
{
    for (size_t i = 0; i < list->count; i++)
        mem_free(list->names[i]);
    mem_free(list->names);
    *list = (NameList){0};
}

static int add_name(NameList *list, const char *name, Err *err)
{
    const size_t bytes = strlen(name) + 1;
    char *copy = mem_new(bytes);

    if (copy && list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 16;
        char **more = mem_resize(list->names, room, sizeof(*more));
        if (more) {
            list->names = more;
            list->room = room;
        }
    }
    if (!copy || list->count == list->room) {
        mem_free(copy);
        return err_set(err, ERR_MEMORY, "spool: out of memory");
    }
    memcpy(copy, name, bytes);
    list->names[list->count++] = copy;
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int name_list_read(NameList *list, const char *folder, Err *err)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    int rc = 0;

    if (!dir)
        return disk_error(err, "read", folder);
    while (rc == 0 && (entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            rc = add_name(list, entry->d_name, err);
    closedir(dir);
    if (rc == 0 && list->count)
        qsort(list->names, list->count, sizeof(*list->names), by_name);
    return rc;
}

int path_join(Buf *path, const char *folder, const char *name, const char *rest, Err *err)
{
    buf_clear(path);
    buf_printf(path, "%s/%s%s%s", folder, name, rest ? "/" : "", rest ? rest : "");
    return buf_failed(path) ? err_set(err, ERR_MEMORY, "spool: out of memory") : 0;
}

bool path_is_there(const char *path)
{
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Of an open file, not of a process: a test, or a runner, may look at its own. */
static struct flock whole_file(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

int lock_take(const char *path, int *ret_lock, Err *err)
{
    struct flock wish = whole_file();
    int fd = disk_open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);

    *ret_lock = -1;
    if (fd < 0)
        return disk_error(err, "open", path);
    if (fcntl(fd, F_OFD_SETLK, &wish) == 0) {
        *ret_lock = fd;
        return 0;
    }
    const int why = errno;
    disk_close(fd);
    if (why == EAGAIN || why == EACCES)
        return 0;
    errno = why;
    return disk_error(err, "lock", path);
}

bool lock_is_taken(const char *path)
{
    struct flock wish = whole_file();
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

    if (fd < 0)
        return false;
    const bool taken = fcntl(fd, F_OFD_GETLK, &wish) == 0 && wish.l_type != F_UNLCK;
    disk_close(fd);
    return taken;
}
