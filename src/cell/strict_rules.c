#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* O_PATH */
#endif
#include "cell/strict_rules.h"

#include "base/banned.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Rights of later versions than the headers of some distributions know. */
#define RIGHTS_1    ((UINT64_C(1) << 13) - 1) /* EXECUTE ... MAKE_SYM */
#define RIGHT_REFER (UINT64_C(1) << 13)       /* version 2 */
#define RIGHT_CUT   (UINT64_C(1) << 14)       /* TRUNCATE, version 3 */
#define RIGHT_IOCTL (UINT64_C(1) << 15)       /* IOCTL_DEV, version 5 */
#define NET_BOTH    UINT64_C(3)               /* BIND_TCP, CONNECT_TCP, version 4 */
#define SCOPE_BOTH  UINT64_C(3)               /* abstract sockets, signals, version 6 */

#define EXECUTE    (UINT64_C(1) << 0)
#define WRITE_FILE (UINT64_C(1) << 1)
#define READ_FILE  (UINT64_C(1) << 2)
#define READ_DIR   (UINT64_C(1) << 3)
#define REMOVE     (UINT64_C(3) << 4)                    /* REMOVE_DIR, REMOVE_FILE */
#define MAKE       (UINT64_C(1) << 7 | UINT64_C(1) << 8) /* MAKE_DIR, MAKE_REG */

/* As the kernel has it since version 6; earlier ones take its beginning. */
typedef struct RulesetAttributes {
    uint64_t files;
    uint64_t net;
    uint64_t scoped;
} RulesetAttributes;

int strict_rules_version(void)
{
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return version > 0 ? (int)version : 0;
}

static uint64_t rights_of(int version)
{
    uint64_t rights = RIGHTS_1;

    rights |= version >= 2 ? RIGHT_REFER : 0;
    rights |= version >= 3 ? RIGHT_CUT : 0;
    rights |= version >= 5 ? RIGHT_IOCTL : 0;
    return rights;
}

static size_t bytes_of(int version)
{
    if (version >= 6)
        return sizeof(RulesetAttributes);
    return version >= 4 ? offsetof(RulesetAttributes, scoped) : offsetof(RulesetAttributes, net);
}

/* What isn't there needs no rule. */
static bool allow_path(int rules, const char *path, uint64_t rights, Why *why)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = rights};
    struct stat info;

    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0 || fstat(rule.parent_fd, &info)) {
        if (rule.parent_fd >= 0)
            close(rule.parent_fd);
        return true;
    }
    if (!S_ISDIR(info.st_mode))
        rule.allowed_access &= ~READ_DIR;
    const long rc = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
    return rc == 0 || step_failed(why, "Landlock", path);
}

/* What runtimes read beside their own files. Of /proc what tells of this machine; not the
 * list of processes. */
static const char *const usual[] = {
    "/usr",
    "/bin",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/alternatives",
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/mono",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/ssl/openssl.cnf",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/filesystems",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/kernel/threads-max",
    "/proc/sys/vm/max_map_count",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
};

/* Of its own process. Not all of it: its `net` is that of the whole machine, and so is that of each
 * of its threads. */
static const char *const of_itself[] = {
    "/proc/self/auxv",   "/proc/self/cgroup",    "/proc/self/cmdline", "/proc/self/comm",
    "/proc/self/fd",     "/proc/self/fdinfo",    "/proc/self/limits",  "/proc/self/maps",
    "/proc/self/mounts", "/proc/self/mountinfo", "/proc/self/smaps",   "/proc/self/stat",
    "/proc/self/statm",  "/proc/self/status",
};

static bool allow_all(int rules, uint64_t known, const StrictOrder *order, Why *why)
{
    const uint64_t fill =
        READ_FILE | READ_DIR | WRITE_FILE | REMOVE | MAKE | RIGHT_REFER | RIGHT_CUT;
    const uint64_t look = EXECUTE | READ_FILE | READ_DIR;
    bool good = allow_path(rules, order->folder, look, why) &&
                allow_path(rules, "/dev/null", READ_FILE | WRITE_FILE, why);

    for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]) && good; i++)
        good = allow_path(rules, usual[i], look, why);
    for (size_t i = 0; i < sizeof(of_itself) / sizeof(of_itself[0]) && good; i++)
        good = allow_path(rules, of_itself[i], READ_FILE | READ_DIR, why);
    for (size_t i = 0; i < order->read_count && good; i++)
        good = allow_path(rules, order->read[i], look, why);
    return good && (!order->write || allow_path(rules, order->write, fill & known, why));
}

bool strict_rules_enter(const StrictOrder *order, Why *why)
{
    const int version = strict_rules_version();
    const RulesetAttributes wanted = {
        .files = rights_of(version), .net = NET_BOTH, .scoped = SCOPE_BOTH};

    if (!version)
        return step_failed(why, "Landlock", NULL);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &wanted, bytes_of(version), 0);
    if (rules < 0)
        return step_failed(why, "Landlock", NULL);
    bool good = allow_all(rules, wanted.files, order, why);
    if (good && syscall(SYS_landlock_restrict_self, rules, 0))
        good = step_failed(why, "Landlock", NULL);
    close(rules);
    return good;
}
