#include "net/process_tree.h"

#include "base/mem.h"
#include "base/str.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define FIRST_ROOM 256
#define STAT_BYTES 512 /* the parent is the fourth word, behind a name of at most 64 bytes */

typedef struct Process {
    int pid;
    int parent;
} Process;

typedef struct Processes {
    Process *list;
    size_t count;
    size_t room;
} Processes;

/* The parent in a line of /proc/PID/stat: `17 (name) S 1 ...`; the name may hold blanks and
 * brackets, so its end is the last bracket. -1 = it is not such a line. */
static int parent_in(Str line)
{
    uint64_t parent = 0;
    size_t at = line.len;

    while (at && line.bytes[at - 1] != ')')
        at--;
    Str rest = str_part(line, at + strlen(" S "), SIZE_MAX);
    if (!at || !str_to_uint(str_cut(&rest, ' '), INT32_MAX, &parent))
        return -1;
    return (int)parent;
}

static int parent_of(int pid)
{
    char path[32], line[STAT_BYTES];

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t bytes = read(fd, line, sizeof(line));
    close(fd);
    return bytes > 0 ? parent_in((Str){line, (size_t)bytes}) : -1;
}

static bool add_process(Processes *all, Process process)
{
    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : FIRST_ROOM;
        Process *more = mem_resize(all->list, room, sizeof(*more));
        if (!more)
            return false;
        all->list = more;
        all->room = room;
    }
    all->list[all->count++] = process;
    return true;
}

/* All processes that /proc shows with a number of at least `first`; false when memory is out. */
static bool read_all(Processes *all, int first)
{
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    uint64_t number;
    bool room = true;

    while (room && folder && (entry = readdir(folder))) {
        if (!str_to_uint(str_of(entry->d_name), INT32_MAX, &number) || (int)number < first)
            continue;
        const Process process = {.pid = (int)number, .parent = parent_of((int)number)};
        if (process.parent >= 0)
            room = add_process(all, process);
    }
    if (folder)
        closedir(folder);
    return room;
}

static bool is_listed(const Processes *all, int pid)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].pid == pid)
            return true;
    return false;
}

/* Where /proc is mounted with hidepid, users see nothing there of processes that they may not
 * trace: the two in front of a program in a cell are such ones. What they have started names its
 * parent all the same, and whose group that one is in may be asked. Only for a root that leads a
 * group. */
static bool add_hidden(Processes *all, int root)
{
    const size_t seen = all->count;

    if (is_listed(all, root) || getpgid(root) != root)
        return true;
    bool room = add_process(all, (Process){.pid = root, .parent = 0});
    for (size_t i = 0; room && i < seen; i++) {
        const int parent = all->list[i].parent;
        if (parent > 0 && !is_listed(all, parent) && getpgid(parent) == root)
            room = add_process(all, (Process){.pid = parent, .parent = root});
    }
    return room;
}

/* Brings list[i] to the end of the tree, which stands in front. */
static void take_in(Processes *all, size_t *tree, size_t i)
{
    const Process process = all->list[i];

    all->list[i] = all->list[*tree];
    all->list[(*tree)++] = process;
}

/* Sorts the tree to the front, parents before children; how many it has. */
static size_t gather_children(Processes *all, int root)
{
    size_t tree = 0;

    for (size_t i = 0; i < all->count && !tree; i++)
        if (all->list[i].pid == root)
            take_in(all, &tree, i);
    for (size_t parent = 0; parent < tree; parent++)
        for (size_t i = tree; i < all->count; i++)
            if (all->list[i].parent == all->list[parent].pid)
                take_in(all, &tree, i);
    return tree;
}

static size_t read_tree(int root, int first, int *ret_pids, size_t room)
{
    Processes all = {0};
    size_t tree = read_all(&all, first) && add_hidden(&all, root) ? gather_children(&all, root) : 0;

    for (size_t i = 0; i < tree && i < room; i++)
        ret_pids[i] = all.list[i].pid;
    mem_free(all.list);
    return tree;
}

size_t process_tree_read(int root, int *ret_pids, size_t room)
{
    return read_tree(root, 0, ret_pids, room);
}

size_t process_tree_read_young(int root, int *ret_pids, size_t room)
{
    return read_tree(root, root, ret_pids, room);
}
