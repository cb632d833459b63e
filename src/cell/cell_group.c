#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* O_CLOEXEC */
#endif
#include "cell/cell_group.h"

#include "base/banned.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME         "warg-cell-" /* of a group; then the number of the process that made it */
#define OWN_NAME     "warg-own"   /* of the group that whoever starts cells goes into */
#define TEXT_BYTES   4096
#define REMOVE_TRIES 50
#define OWN_THREADS  1 /* the first process of the cell is in the group, too */

/* ---- files of a group ---- */

static bool write_to(const char *folder, const char *name, const char *text)
{
    char path[GROUP_PATH + 64];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const size_t bytes = strlen(text);
    const bool written = write(file, text, bytes) == (ssize_t)bytes;
    close(file);
    return written;
}

static bool write_number(const char *folder, const char *name, uint64_t number)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, number);
    return write_to(folder, name, text);
}

static bool read_from(const char *folder, const char *name, char ret_text[static TEXT_BYTES])
{
    char path[GROUP_PATH + 64];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const ssize_t count = read(file, ret_text, TEXT_BYTES - 1);
    close(file);
    ret_text[count > 0 ? count : 0] = '\0';
    return count > 0;
}

/* The number behind `key` in a text of lines "key number"; 0 = it isn't there. */
static uint64_t number_of_key(const char *text, const char *key)
{
    const size_t bytes = strlen(key);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, bytes) == 0 && line[bytes] == ' ')
            return strtoull(line + bytes, NULL, 10);
    }
    return 0;
}

/* ---- where groups can be made ---- */

/* A line of /proc/self/mountinfo that is about control groups. */
typedef struct GroupMount {
    char root[GROUP_PATH];  /* which of its groups is mounted */
    char place[GROUP_PATH]; /* where */
    bool two;               /* version 2 */
    char options[256];      /* of version 1: its controllers among them */
} GroupMount;

static bool read_mount(const char *line, GroupMount *ret)
{
    char kind[32];
    const char *behind = strstr(line, " - ");

    if (!behind || sscanf(line, "%*s %*s %*s %511s %511s", ret->root, ret->place) != 2 ||
        sscanf(behind, " - %31s %*s %255s", kind, ret->options) != 2)
        return false;
    ret->two = strcmp(kind, "cgroup2") == 0;
    return ret->two || strcmp(kind, "cgroup") == 0;
}

static bool has_word(const char *list, const char *word)
{
    const size_t bytes = strlen(word);

    for (const char *at = list; (at = strstr(at, word)); at += bytes)
        if ((at == list || at[-1] == ',' || at[-1] == ' ') &&
            (at[bytes] == '\0' || at[bytes] == ',' || at[bytes] == ' ' || at[bytes] == '\n'))
            return true;
    return false;
}

/* Our own group, by /proc/self/cgroup: of version 2 the line "0::PATH", else the one that names the
 * controller. */
static bool find_own(const char *controller, char ret_path[static GROUP_PATH])
{
    char line[TEXT_BYTES];
    FILE *groups = fopen("/proc/self/cgroup", "re");
    bool found = false;

    while (groups && !found && fgets(line, sizeof(line), groups)) {
        char *list = strchr(line, ':');
        char *path = list ? strchr(list + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        found = controller ? has_word(list + 1, controller) : list[1] == '\0';
        if (found)
            snprintf(ret_path, GROUP_PATH, "%s", path);
    }
    if (groups)
        fclose(groups);
    return found;
}

/* Where a group is in the tree of files; false when that part is not mounted. */
static bool place_group(const GroupMount *mount, const char *group,
                        char ret_place[static GROUP_PATH])
{
    const size_t root = strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root);

    if (strncmp(group, mount->root, root) != 0)
        return false;
    const char *rest = group + root;
    const int n =
        snprintf(ret_place, GROUP_PATH, "%s%s", mount->place, strcmp(rest, "/") == 0 ? "" : rest);
    return n > 0 && n < GROUP_PATH;
}

/* Whether a group can be made there: by making one. */
static bool can_make(const char *place, const char *file)
{
    char path[GROUP_PATH + 64];
    struct stat info;

    snprintf(path, sizeof(path), "%s/" NAME "%d-try", place, (int)getpid());
    if (mkdir(path, 0755) && errno != EEXIST)
        return false;
    char name[GROUP_PATH + 128];
    snprintf(name, sizeof(name), "%s/%s", path, file);
    const bool good = stat(name, &info) == 0;
    rmdir(path);
    return good;
}

/* The kernel takes a moment to notice that who was in it is gone. */
static void remove_one(const char *group, int tries)
{
    while (group[0] && rmdir(group) && errno == EBUSY && --tries > 0)
        poll(NULL, 0, 1);
}

/* Groups of cells whose makers were killed. */
static void sweep_groups(const char *place, int tries)
{
    DIR *folder = opendir(place);
    const struct dirent *entry;
    char path[GROUP_PATH + 300];

    while (folder && (entry = readdir(folder))) {
        if (strncmp(entry->d_name, NAME, strlen(NAME)) != 0)
            continue;
        const long maker = strtol(entry->d_name + strlen(NAME), NULL, 10);
        if (maker > 0 && kill((pid_t)maker, 0) && errno == ESRCH) {
            snprintf(path, sizeof(path), "%s/%s", place, entry->d_name);
            remove_one(path, tries); /* refused while somebody is in it */
        }
    }
    if (folder)
        closedir(folder);
}

/* All that is in the group goes into one below it: only one without processes hands limits on. */
static bool leave_group(const char *place)
{
    char own[GROUP_PATH + 16], list[TEXT_BYTES];

    snprintf(own, sizeof(own), "%s/" OWN_NAME, place);
    if (mkdir(own, 0755) && errno != EEXIST)
        return false;
    if (!read_from(place, "cgroup.procs", list))
        return true;
    for (char *rest = NULL, *number = strtok_r(list, "\n", &rest); number;
         number = strtok_r(NULL, "\n", &rest))
        if (!write_to(own, "cgroup.procs", number))
            return false;
    return true;
}

static bool find_two(const GroupMount *mount, GroupPlaces *places)
{
    char group[GROUP_PATH], place[GROUP_PATH], text[TEXT_BYTES];

    if (!find_own(NULL, group))
        return false;
    /* A second run in the same unit is in the group that the first one has made. */
    const size_t own =
        strlen(group) > strlen("/" OWN_NAME) ? strlen(group) - strlen("/" OWN_NAME) : 0;
    if (own && strcmp(group + own, "/" OWN_NAME) == 0)
        group[own] = '\0';
    if (!place_group(mount, group, place) || !read_from(place, "cgroup.controllers", text) ||
        !has_word(text, "memory") || !has_word(text, "pids"))
        return false;
    if (!read_from(place, "cgroup.subtree_control", text) || !has_word(text, "memory") ||
        !has_word(text, "pids")) {
        if (!leave_group(place) || !write_to(place, "cgroup.subtree_control", "+memory +pids"))
            return false;
    }
    if (!can_make(place, "memory.max"))
        return false;
    snprintf(places->memory, sizeof(places->memory), "%s", place);
    snprintf(places->processes, sizeof(places->processes), "%s", place);
    places->one = true;
    return true;
}

static void find_one(const GroupMount *mount, const char *controller, const char *file,
                     char ret_place[static GROUP_PATH])
{
    char group[GROUP_PATH], place[GROUP_PATH];

    if (ret_place[0] || !has_word(mount->options, controller) || !find_own(controller, group) ||
        !place_group(mount, group, place) || !can_make(place, file))
        return;
    snprintf(ret_place, GROUP_PATH, "%s", place);
}

void group_places_find(GroupPlaces *ret_places)
{
    char line[TEXT_BYTES];
    GroupMount mount;
    FILE *mounts = fopen("/proc/self/mountinfo", "re");

    *ret_places = (GroupPlaces){.one = false};
    while (mounts && !ret_places->one && fgets(line, sizeof(line), mounts)) {
        if (!read_mount(line, &mount))
            continue;
        if (mount.two && find_two(&mount, ret_places))
            break;
        if (mount.two)
            continue;
        find_one(&mount, "memory", "memory.limit_in_bytes", ret_places->memory);
        find_one(&mount, "pids", "pids.max", ret_places->processes);
    }
    if (mounts)
        fclose(mounts);
    group_places_sweep(ret_places);
}

void group_places_sweep(const GroupPlaces *places)
{
    if (places->memory[0])
        sweep_groups(places->memory, REMOVE_TRIES);
    if (places->processes[0] && !places->one)
        sweep_groups(places->processes, REMOVE_TRIES);
}

/* ---- a group ---- */

static bool make_one(const char *place, char ret_group[static GROUP_PATH], Why *why)
{
    const int n = snprintf(ret_group, GROUP_PATH, "%s/" NAME "%d", place, (int)getpid());

    if (n > 0 && n < GROUP_PATH && mkdir(ret_group, 0755) == 0)
        return true;
    step_failed(why, "control group", place);
    ret_group[0] = '\0';
    return false;
}

/* Each cell removes what killed ones before it have left, so that nothing heaps up in a long run.
 */
static void sweep_places(const StrictOrder *order)
{
    if (order->memory_group)
        sweep_groups(order->memory_group, 1);
    if (order->process_group && !order->one_group)
        sweep_groups(order->process_group, 1);
}

/* Swap counts as memory, or there is none of it: a limit that can be passed by swapping is none. */
static bool limit_memory(const CellGroup *group, uint64_t bytes)
{
    if (group->one) {
        write_number(group->memory, "memory.swap.max", 0); /* a kernel without swap has none */
        write_number(group->memory, "memory.oom.group", 1);
        return write_number(group->memory, "memory.max", bytes);
    }
    if (!write_number(group->memory, "memory.limit_in_bytes", bytes))
        return false;
    write_number(group->memory, "memory.memsw.limit_in_bytes", bytes);
    return true;
}

/* False with errno. */
static bool open_doors(CellGroup *group)
{
    const char *const folders[] = {group->memory, group->processes};
    char path[GROUP_PATH + 64];

    for (int i = 0; i < 2; i++) {
        if (!folders[i][0])
            continue;
        snprintf(path, sizeof(path), "%s/tasks", folders[i]);
        const int door = open(path, O_WRONLY | O_CLOEXEC);
        if (door < 0)
            return false;
        group->doors[group->door_count++] = door;
    }
    return true;
}

static void close_doors(CellGroup *group)
{
    while (group->door_count > 0)
        close(group->doors[--group->door_count]);
}

bool cell_group_make(const StrictOrder *order, CellGroup *ret_group, Why *why)
{
    CellGroup group = {.one = order->one_group};

    sweep_places(order);
    if (order->memory_group && !make_one(order->memory_group, group.memory, why))
        return false;
    if (order->process_group && group.one)
        memcpy(group.processes, group.memory, sizeof(group.processes));
    else if (order->process_group && !make_one(order->process_group, group.processes, why)) {
        cell_group_remove(&group);
        return false;
    }
    if ((group.memory[0] && order->memory_bytes && !limit_memory(&group, order->memory_bytes)) ||
        (group.processes[0] && order->threads &&
         !write_number(group.processes, "pids.max",
                       (uint64_t)order->threads + (order->filter ? 0 : OWN_THREADS)))) {
        step_failed(why, "limits of the control group", group.memory);
        cell_group_remove(&group);
        return false;
    }
    if (!group.one && !open_doors(&group)) {
        step_failed(why, "control group", group.memory);
        cell_group_remove(&group);
        return false;
    }
    *ret_group = group;
    return true;
}

bool cell_group_take(CellGroup *group, pid_t process, Why *why)
{
    close_doors(group); /* the process has its own */
    return !group->one || write_number(group->memory, "cgroup.procs", (uint64_t)process) ||
           step_failed(why, "control group", group->memory);
}

bool cell_group_enter(const CellGroup *group, Why *why)
{
    for (int i = 0; i < group->door_count; i++) {
        if (write(group->doors[i], "0", 1) != 1)
            return step_failed(why, "control group", i ? group->processes : group->memory);
        close(group->doors[i]);
    }
    return true;
}

uint64_t cell_group_peak_kib(const CellGroup *group)
{
    char text[TEXT_BYTES];

    if (!group->memory[0] ||
        !read_from(group->memory, group->one ? "memory.peak" : "memory.max_usage_in_bytes", text))
        return 0;
    return strtoull(text, NULL, 10) / 1024;
}

bool cell_group_overran(const CellGroup *group)
{
    char text[TEXT_BYTES];

    return group->memory[0] &&
           read_from(group->memory, group->one ? "memory.events" : "memory.oom_control", text) &&
           number_of_key(text, "oom_kill") > 0;
}

void cell_group_remove(CellGroup *group)
{
    close_doors(group);
    remove_one(group->memory, REMOVE_TRIES);
    if (!group->one)
        remove_one(group->processes, REMOVE_TRIES);
}
