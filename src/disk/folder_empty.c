#include "disk/folder_empty.h"

#include "base/id_source.h"
#include "disk/disk_call.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* A folder on its way out. */
typedef struct Emptying {
    int top;
    uint32_t left; /* names that may be taken yet */
    uint32_t seen; /* in this pass */
    int rc;        /* of what went wrong first */
    Err *err;
    IdSource ids;
} Emptying;

static void note_error(Emptying *emptying, const char *what, const char *name)
{
    if (emptying->rc == 0)
        emptying->rc = disk_error(emptying->err, what, name);
}

/* To the top, under a name that nobody can have made there before: one that is in the way could be
 * so in each turn. */
static void move_up(Emptying *emptying, int from, const char *name)
{
    char id[ID_HEX_BYTES];
    int rc = id_source_hex(&emptying->ids, id, emptying->rc ? NULL : emptying->err);

    if (rc && emptying->rc == 0)
        emptying->rc = rc;
    else if (rc == 0 && disk_rename_in(from, name, emptying->top, id))
        note_error(emptying, "move", name);
}

static void empty_inner(Emptying *emptying, const char *name);

static void take_name(Emptying *emptying, int folder, const char *name)
{
    if (disk_remove_in(folder, name, 0) == 0 || errno == ENOENT)
        return;
    if (errno != EISDIR && errno != EPERM)
        note_error(emptying, "remove", name);
    else if (folder == emptying->top)
        empty_inner(emptying, name);
    else
        move_up(emptying, folder, name);
}

/* All names of one folder, once. */
static void take_names(Emptying *emptying, int folder, const char *name)
{
    const int list = disk_open_beneath(folder, ".", O_RDONLY | O_DIRECTORY, 0);
    DIR *dir = list < 0 ? NULL : fdopendir(list);
    const struct dirent *entry;

    if (!dir) {
        note_error(emptying, "list", name);
        if (list >= 0)
            (void)disk_close(list);
        return;
    }
    while (emptying->left && (entry = readdir(dir))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        emptying->left--;
        emptying->seen++;
        take_name(emptying, folder, entry->d_name);
    }
    closedir(dir);
}

/* One that is not empty yet is taken again in the next pass. */
static void empty_inner(Emptying *emptying, const char *name)
{
    const int folder = disk_open_beneath(emptying->top, name, O_RDONLY | O_DIRECTORY, 0);

    if (folder < 0) {
        note_error(emptying, "open the folder", name);
        return;
    }
    take_names(emptying, folder, name);
    (void)disk_close(folder);
    if (disk_remove_in(emptying->top, name, AT_REMOVEDIR) && errno != ENOTEMPTY && errno != EEXIST)
        note_error(emptying, "remove", name);
}

int folder_empty(int folder, uint32_t *budget, bool *ret_empty, Err *err)
{
    Emptying emptying = {.top = folder, .left = *budget, .seen = 1, .err = err};

    while (emptying.seen && emptying.left && emptying.rc == 0) {
        emptying.seen = 0;
        take_names(&emptying, folder, ".");
    }
    *ret_empty = emptying.rc == 0 && !emptying.seen;
    *budget = emptying.left;
    return emptying.rc;
}
