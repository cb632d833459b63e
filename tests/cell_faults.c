/* cell_faults.c - a program that stands in the place of warg-cell and executes it with one system
 *                 call that always fails.
 *
 * For:    tests/e2e/cell-faults.sh. In the folder that this program is in, `fault` has the name of
 *         the call and the error's number, and `real` is the true warg-cell.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <limits.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int give_up(const char *what)
{
    fprintf(stderr, "cell_faults: %s\n", what);
    return 99;
}

int main(int argc, char **argv)
{
    char path[PATH_MAX] = "", name[64];
    unsigned error = 0;
    const ssize_t bytes = readlink("/proc/self/exe", path, sizeof(path) - 16);

    (void)argc;
    if (bytes <= 0 || !strrchr(path, '/'))
        return give_up("its own place");
    char *end = strrchr(path, '/') + 1;
    snprintf(end, 8, "fault");
    FILE *file = fopen(path, "re");
    if (!file || fscanf(file, "%63s %u", name, &error) != 2)
        return give_up("no fault");
    fclose(file);
    snprintf(end, 8, "real");
    const int number = seccomp_syscall_resolve_name(name);
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    /* Root needs no promise about new privileges; without it a program keeps its own. */
    if (!filter || number < 0 ||
        (geteuid() == 0 && seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0)) ||
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(error), number, 0) || seccomp_load(filter))
        return give_up(name);
    execv(path, argv);
    return give_up("execv");
}
