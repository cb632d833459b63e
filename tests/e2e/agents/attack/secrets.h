/* secrets.h - attacks on what an agent may not see: the host, the contest's folders, other
 * processes.
 *
 * For:     attack.c; see try.h. Names are told, never contents.
 * Memory:  nothing is kept.
 * Thread:  the main one.
 * Source:  docs/spec/contest-operations.md 6.2, 6.4.
 */
#ifndef ATTACK_SECRETS_H
#define ATTACK_SECRETS_H

#include "try.h"

#include <sys/auxv.h>
#include <sys/inotify.h>
#include <sys/utsname.h>

extern char **environ;

/* The row's word has the paths, with blanks between. */
static void read_paths(Try *t)
{
    char paths[256], *rest = NULL;

    snprintf(paths, sizeof(paths), "%s", t->word);
    for (char *path = strtok_r(paths, " ", &rest); path; path = strtok_r(NULL, " ", &rest)) {
        if (can_read(path))
            reach(t, "%s", path);
        else
            refuse_error(t);
    }
}

/* They are opened only: what is read of some is gone for others. */
static void open_paths(Try *t)
{
    char paths[256], *rest = NULL;

    snprintf(paths, sizeof(paths), "%s", t->word);
    for (char *path = strtok_r(paths, " ", &rest); path; path = strtok_r(NULL, " ", &rest)) {
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

        if (judge(t, fd, path))
            close(fd);
    }
}

/* Folders that may be there, when there is nothing in them. */
static void list_paths(Try *t)
{
    char paths[256], *rest = NULL;

    snprintf(paths, sizeof(paths), "%s", t->word);
    for (char *path = strtok_r(paths, " ", &rest); path; path = strtok_r(NULL, " ", &rest)) {
        int entries = folder_entries(path);

        if (entries > 0)
            reach(t, "%s", path);
        else if (entries < 0)
            refuse_error(t);
    }
    refuse(t, "empty");
}

/* Who has an account on the host. */
static void accounts(Try *t)
{
    static const char *const paths[] = {"/etc/passwd", "/etc/group"};
    char text[4096];

    for (size_t i = 0; i < COUNT(paths); i++) {
        int lines = 0;

        if (read_some(paths[i], text, sizeof(text)) < 0)
            refuse_error(t);
        else
            for (const char *at = text; (at = strchr(at, '\n')); at++)
                lines++;
        if (lines > 1)
            reach(t, "%s of the host", paths[i]);
    }
    refuse(t, "one line");
}

/* ---- the test's own secrets ---- */

static void secrets_behind(Try *t, const char *prefix)
{
    char path[PATH_MAX];

    for (int i = 0; i < t->given->secret_count; i++) {
        snprintf(path, sizeof(path), "%.1000s%.3000s", prefix, t->given->secrets[i]);
        if (can_read(path))
            reach(t, "%.100s", path);
        else
            refuse_error(t);
    }
}

/* Behind the row's word; where it has *, by each process that is not the own. */
static void read_secrets(Try *t)
{
    char prefix[64];
    pid_t pids[SECRETS_MAX + 2];

    if (t->given->secret_count == 0) {
        skip(t, "no --secret");
        return;
    }
    if (!strchr(t->word, '*')) {
        secrets_behind(t, t->word);
        return;
    }
    int count = foreign_processes(t, pids), length = (int)strcspn(t->word, "*");

    if (own_first(t))
        pids[count++] = 1;
    for (int i = 0; i < count; i++) {
        snprintf(prefix, sizeof(prefix), "%.*s%d%s", length, t->word, pids[i],
                 t->word + length + 1);
        secrets_behind(t, prefix);
    }
}

/* By its last name, from where others stand. */
static void secrets_beside(Try *t)
{
    char path[PATH_MAX];
    pid_t pids[SECRETS_MAX + 2];
    int count = foreign_processes(t, pids);

    if (t->given->secret_count == 0) {
        skip(t, "no --secret");
        return;
    }
    if (own_first(t))
        pids[count++] = 1;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < t->given->secret_count; k++) {
            const char *slash = strrchr(t->given->secrets[k], '/');

            snprintf(path, sizeof(path), "/proc/%d/cwd/%.3000s", pids[i], slash ? slash + 1 : "");
            if (can_read(path))
                reach(t, "%.100s", path);
            else
                refuse_error(t);
        }
}

static void watch_secrets(Try *t)
{
    char path[PATH_MAX];
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

    if (t->given->secret_count == 0)
        skip(t, "no --secret");
    else if (fd < 0)
        refuse_error(t);
    for (int i = 0; i < t->given->secret_count && fd >= 0; i++) {
        snprintf(path, sizeof(path), "%.4000s", t->given->secrets[i]);
        judge(t, inotify_add_watch(fd, path, IN_ALL_EVENTS), path);
        *strrchr(path, '/') = '\0';
        judge(t, inotify_add_watch(fd, path[0] ? path : "/", IN_ALL_EVENTS), path);
    }
    if (fd >= 0)
        close(fd);
}

/* Whether one of the secrets' folders is named in a text. */
static bool names_secret(const Try *t, const char *text)
{
    char folder[PATH_MAX];

    for (int i = 0; i < t->given->secret_count; i++) {
        snprintf(folder, sizeof(folder), "%.4000s", t->given->secrets[i]);
        *strrchr(folder, '/') = '\0';
        if (folder[0] && strstr(text, folder))
            return true;
    }
    return false;
}

/* Names of the host's folders in what a process can see of itself. */
static void host_paths(Try *t)
{
    static const char *const paths[] = {"/proc/self/mountinfo", "/proc/self/maps",
                                        "/proc/self/mounts", "/proc/self/cgroup", "/proc/cmdline"};
    static char text[1 << 20];
    const char *program = (const char *)(uintptr_t)getauxval(AT_EXECFN);

    if (t->given->secret_count == 0) {
        skip(t, "no --secret");
        return;
    }
    for (size_t i = 0; i < COUNT(paths); i++)
        if (read_some(paths[i], text, sizeof(text)) > 0 && names_secret(t, text))
            reach(t, "%s", paths[i]);
    if (program && names_secret(t, program))
        reach(t, "AT_EXECFN");
    if (names_secret(t, t->given->exe))
        reach(t, "/proc/self/exe");
    if (getcwd(text, sizeof(text)) && names_secret(t, text))
        reach(t, "the working folder");
    refuse(t, "no name");
}

/* ---- other processes, by /proc ---- */

static void process_list(Try *t)
{
    static pid_t pids[PIDS_MAX];
    int count = listed_processes(pids), others = 0;

    for (int i = 0; i < count; i++)
        others += pids[i] != 1 || !own_first(t);
    if (others > 0)
        reach(t, "%d other processes are seen", others);
    refuse(t, "nobody else");
}

/* The row's word is a file or a folder (with / at its end) of a process. */
static void process_files(Try *t)
{
    static pid_t pids[PIDS_MAX];
    char path[64];
    int count = listed_processes(pids), reached = 0;

    for (int i = 0; i < t->given->host_pid_count && count < PIDS_MAX; i++)
        pids[count++] = t->given->host_pids[i];
    for (int i = 0; i < count; i++) {
        bool own = pids[i] == 1 && own_first(t), found;

        snprintf(path, sizeof(path), "/proc/%d/%s", pids[i], t->word);
        if (t->word[strlen(t->word) - 1] == '/') {
            found = folder_entries(path) >= 0;
        } else {
            char byte[65536];
            ssize_t n = read_some(path, byte, sizeof(byte));

            /* The own first process has a command line, and a memory without an address zero. */
            found = n > 0 && (!own || strcmp(t->word, "cmdline") != 0 || names_secret(t, byte));
        }
        reached += found;
        if (!found)
            refuse_error(t);
    }
    if (reached > 0)
        reach(t, "%s of %d processes", t->word, reached);
    refuse(t, "nobody else");
}

static void process_memory(Try *t)
{
    static pid_t pids[PIDS_MAX];
    char path[64];
    int count = listed_processes(pids), reached = 0;

    for (int i = 0; i < t->given->host_pid_count && count < PIDS_MAX; i++)
        pids[count++] = t->given->host_pids[i];
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof(path), "/proc/%d/mem", pids[i]);
        int fd = open(path, O_RDONLY | O_CLOEXEC);

        if (fd < 0)
            refuse_error(t);
        else
            close(fd);
        reached += fd >= 0;
    }
    if (reached > 0)
        reach(t, "memory of %d processes", reached);
    refuse(t, "nobody else");
}

/* A file that another process has open, by its descriptor; held only, because to open some does
 * something. */
static void process_descriptors(Try *t)
{
    static pid_t pids[PIDS_MAX];
    char path[64];
    int count = listed_processes(pids), reached = 0;

    for (int i = 0; i < count; i++)
        for (int fd = 0; fd < 64; fd++) {
            snprintf(path, sizeof(path), "/proc/%d/fd/%d", pids[i], fd);
            int again = open(path, O_PATH | O_CLOEXEC);

            if (again >= 0)
                close(again);
            else
                refuse_error(t);
            reached += again >= 0;
        }
    if (reached > 0)
        reach(t, "%d descriptors", reached);
    refuse(t, "nobody else");
}

/* ---- what the start left, and what the surroundings tell ---- */

static void open_descriptors(Try *t)
{
    if (t->given->open_fd >= 0)
        reach(t, "descriptor %d was open at the start", t->given->open_fd);
    refuse(t, "three");
}

static void standard_input(Try *t)
{
    struct stat input, null;

    if (fstat(0, &input) != 0)
        refuse(t, "closed");
    else if (stat("/dev/null", &null) == 0 && S_ISCHR(input.st_mode) &&
             input.st_rdev == null.st_rdev)
        refuse(t, "nothing to read");
    else
        reach(t, "something else than /dev/null");
}

static void environment(Try *t)
{
    static const char *const allowed[] = {"PATH",
                                          "PWD",
                                          "HOME",
                                          "USER",
                                          "LANG",
                                          "TZ",
                                          "OMP_NUM_THREADS",
                                          "OPENBLAS_NUM_THREADS",
                                          "MKL_NUM_THREADS"};

    for (char **variable = environ; *variable; variable++) {
        size_t length = strcspn(*variable, "="), i = 0;

        while (i < COUNT(allowed) &&
               (strlen(allowed[i]) != length || strncmp(allowed[i], *variable, length) != 0))
            i++;
        if (i == COUNT(allowed))
            reach(t, "%.*s", (int)length, *variable);
    }
    refuse(t, "the list only");
}

static void host_name(Try *t)
{
    struct utsname names;
    char text[256];

    if (uname(&names) != 0)
        refuse_error(t);
    else if (strcmp(names.nodename, "agent") != 0)
        reach(t, "the name of the host");
    else if (strcmp(names.domainname, "(none)") != 0 && names.domainname[0])
        reach(t, "the name of the domain");
    if (read_some("/etc/hostname", text, sizeof(text)) > 0 &&
        strncmp(text, "agent", strcspn(text, "\n")) != 0)
        reach(t, "/etc/hostname");
    refuse(t, "agent");
}

/* What is left of root: user, groups, capabilities, the way back to them. */
static void privileges(Try *t)
{
    static const char *const wanted[] = {"CapInh:\t0000000000000000",
                                         "CapPrm:\t0000000000000000",
                                         "CapEff:\t0000000000000000",
                                         "CapAmb:\t0000000000000000",
                                         "NoNewPrivs:\t1",
                                         "Seccomp:\t2"};
    char text[8192];

    if (getuid() == 0 || geteuid() == 0 || getgid() == 0 || getegid() == 0)
        reach(t, "root");
    if (getgroups(0, NULL) > 0)
        reach(t, "groups");
    if (read_some("/proc/self/status", text, sizeof(text)) > 0)
        for (size_t i = 0; i < COUNT(wanted); i++)
            if (!strstr(text, wanted[i]))
                reach(t, "not %.*s", (int)strcspn(wanted[i], "\t"), wanted[i]);
    refuse(t, "none");
}

#endif
