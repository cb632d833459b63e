#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* open_tree, mount_setattr */
#endif
#include "cell/strict_view.h"

#include "base/banned.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NEW_ROOT "/proc" /* there on every system; what is mounted there is only seen here */

/* Something that is shown: taken before the new root covers where it is. */
typedef struct Shown {
    int tree; /* -1 = it isn't there */
    char at[PATH_MAX];
    bool folder;
} Shown;

#define SHOWN_MAX 48

typedef struct View {
    Shown shown[SHOWN_MAX];
    size_t count;
} View;

/* ---- taking ---- */

/* What is there, seen from `root`, to be shown at `at`. What isn't there is passed over. */
static bool take(View *view, const char *root, const char *name, const char *at, bool needed,
                 uint64_t attributes, Why *why)
{
    struct mount_attr wanted = {.attr_set = attributes};
    Shown *shown = &view->shown[view->count];
    char path[PATH_MAX];
    struct stat info;

    const int n = snprintf(path, sizeof(path), "%s%s", root ? root : "", name);
    if (n <= 0 || (size_t)n >= sizeof(path) || view->count == SHOWN_MAX) {
        errno = ENAMETOOLONG;
        return step_failed(why, "view", name);
    }
    if (stat(path, &info))
        return !needed || step_failed(why, "view", path);
    shown->tree = open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    if (shown->tree < 0)
        return step_failed(why, "view", path);
    if (mount_setattr(shown->tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &wanted, sizeof(wanted)))
        return step_failed(why, "view", path);
    shown->folder = S_ISDIR(info.st_mode);
    snprintf(shown->at, sizeof(shown->at), "%s", at);
    view->count++;
    return true;
}

static bool take_all(View *view, const StrictOrder *order, Why *why)
{
    static const char *const system[] = {"/usr",   "/bin",   "/sbin",  "/lib",
                                         "/lib32", "/lib64", "/libx32"};
    static const char *const settings[] = {"/etc/ld.so.cache",     "/etc/alternatives",
                                           "/etc/java-11-openjdk", "/etc/java-17-openjdk",
                                           "/etc/java-21-openjdk", "/etc/mono",
                                           "/etc/localtime",       "/etc/ssl/openssl.cnf"};
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"};
    const uint64_t closed = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    bool good = true;

    for (size_t i = 0; i < sizeof(system) / sizeof(system[0]) && good; i++)
        good = take(view, order->root, system[i], system[i], false, closed, why);
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]) && good; i++)
        good = take(view, order->root, settings[i], settings[i], false, closed, why);
    /* A device that is only read can still be written to: what is closed is its file. */
    for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]) && good; i++)
        good = take(view, NULL, devices[i], devices[i], true,
                    MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC, why);
    for (size_t i = 0; i < order->read_count && good; i++)
        good = take(view, NULL, order->read[i], order->read[i], true, closed, why);
    good = good && take(view, NULL, order->folder, "/agent", true, closed, why);
    /* Behind the others: it may lie in one of them. */
    return good &&
           (!order->write || take(view, NULL, order->write, order->write, true,
                                  MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC, why));
}

/* ---- putting ---- */

/* Folders above `path`, which begins with a '/', seen from where we are; and `path` itself. */
static bool make_place(const char *path, bool folder, Why *why)
{
    char part[PATH_MAX];

    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof(part), "%.*s", (int)(slash - path - 1), path + 1);
        if (mkdir(part, 0755) && errno != EEXIST)
            return step_failed(why, "view", path);
    }
    if (folder)
        return mkdir(path + 1, 0755) == 0 || errno == EEXIST || step_failed(why, "view", path);
    int file = open(path + 1, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0)
        return step_failed(why, "view", path);
    close(file);
    return true;
}

static bool put_all(const View *view, Why *why)
{
    for (size_t i = 0; i < view->count; i++) {
        const Shown *shown = &view->shown[i];
        if (!make_place(shown->at, shown->folder, why))
            return false;
        if (move_mount(shown->tree, "", AT_FDCWD, shown->at + 1, MOVE_MOUNT_F_EMPTY_PATH))
            return step_failed(why, "view", shown->at);
        close(shown->tree);
    }
    return true;
}

static bool write_settings(const char *name, const char *text, Why *why)
{
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    const size_t bytes = strlen(text);

    if (file < 0)
        return step_failed(why, "view", name);
    const bool written = write(file, text, bytes) == (ssize_t)bytes;
    close(file);
    return written || step_failed(why, "view", name);
}

/* One user, one host, no server of names: a foreign name is looked for at 127.0.0.1, where nobody
 * answers. */
static bool write_names(uid_t user, Why *why)
{
    char passwd[128], group[64];

    snprintf(passwd, sizeof(passwd), "agent:x:%u:%u:agent:/agent:/bin/sh\n", (unsigned)user,
             (unsigned)user);
    snprintf(group, sizeof(group), "agent:x:%u:\n", (unsigned)user);
    return make_place("/etc", true, why) && write_settings("etc/passwd", passwd, why) &&
           write_settings("etc/group", group, why) &&
           write_settings("etc/hosts", "127.0.0.1 localhost agent\n::1 localhost\n", why) &&
           write_settings("etc/hostname", "agent\n", why) &&
           write_settings("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n",
                          why);
}

static bool make_links(Why *why)
{
    static const char *const links[][2] = {{"/proc/self/fd", "dev/fd"},
                                           {"/proc/self/fd/0", "dev/stdin"},
                                           {"/proc/self/fd/1", "dev/stdout"},
                                           {"/proc/self/fd/2", "dev/stderr"}};

    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
        if (symlink(links[i][0], links[i][1]))
            return step_failed(why, "view", links[i][1]);
    return true;
}

/* What can't be written is not even there to be filled: a tmpfs of this size counts as memory. */
static bool make_tmp(const StrictOrder *order, Why *why)
{
    char options[80];

    if (!make_place("/tmp", true, why))
        return false;
    if (!order->writable_bytes)
        return true;
    snprintf(options, sizeof(options), "mode=1777,size=%llu,nr_inodes=%llu",
             (unsigned long long)order->writable_bytes,
             (unsigned long long)order->writable_bytes / 4096 + 16);
    return mount("tmpfs", "tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options) == 0 ||
           step_failed(why, "view", "/tmp");
}

static bool make_proc(Why *why)
{
    return make_place("/proc", true, why) &&
           (mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, NULL) ==
                0 ||
            step_failed(why, "view", "/proc"));
}

/* The root that we have now is ours no more. */
static bool change_root(Why *why)
{
    struct mount_attr closed = {.attr_set =
                                    MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};

    if (syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH) || chdir("/"))
        return step_failed(why, "change of root", NULL);
    return mount_setattr(AT_FDCWD, "/", 0, &closed, sizeof(closed)) == 0 ||
           step_failed(why, "view", "/");
}

bool strict_view_enter(const StrictOrder *order, uid_t user, Why *why)
{
    static View view;

    umask(022);
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
        return step_failed(why, "mount", "/");
    if (!take_all(&view, order, why))
        return false;
    if (mount("tmpfs", NEW_ROOT, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=256k") ||
        chdir(NEW_ROOT))
        return step_failed(why, "view", NULL);
    return put_all(&view, why) && make_links(why) && write_names(user, why) &&
           make_tmp(order, why) && make_proc(why) && change_root(why);
}
