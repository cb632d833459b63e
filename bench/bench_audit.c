/* bench_audit.c - what it costs to check a contest: GAMES games of 15 players, one of them a
 * program, so that every game has an exchange record and is played again from it.
 *
 * Usage: bench_audit WARG DIR [GAMES]      DIR is on the disk to be measured; a folder is made in
 * it, and removed
 * Method: wall and processor time of `warg audit` from its start to its end, and the most memory
 * that it held (getrusage); once, files as the contest left them. docs/spec/contest-operations.md
 * 17: 10,000 games in 60 s and 256 MiB.
 */
#define _GNU_SOURCE /* wait4 */
#include "disk/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GAMES_PER_SET 100

static double wall_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* Its exit status; what it prints is dropped. */
static int run(const char *const *words, struct rusage *ret_usage)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nowhere, STDOUT_FILENO);
        execv(words[0], (char *const *)(const void *)words);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, ret_usage) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static int play(const char *warg, const char *out, unsigned sets)
{
    char agent[1024], count[16];
    struct rusage usage;

    snprintf(agent, sizeof(agent),
             "name=x,cmd=exec '%s' bot aiwolf --host {host} --port {port} --name {name} --seed 1",
             warg);
    snprintf(count, sizeof(count), "%u", sets);
    const char *const words[] = {warg,       "run",
                                 "-q",       "--players",
                                 "15",       "--games-per-set",
                                 "100",      "--sets",
                                 count,      "--commit-seed",
                                 "--out",    out,
                                 "--tables", "8",
                                 "--ledger", "localhost/warg/bench",
                                 "--agent",  "bot:sample*14",
                                 "--agent",  agent,
                                 NULL};
    return run(words, &usage);
}

static int measure(const char *warg, const char *out, unsigned games)
{
    const char *const words[] = {warg, "audit", "-q", out, NULL};
    struct rusage usage;
    double start = wall_seconds();
    int status = play(warg, out, games / GAMES_PER_SET);

    if (status) {
        fprintf(stderr, "bench_audit: the contest ended with status %d\n", status);
        return 1;
    }
    const double played = wall_seconds() - start;
    start = wall_seconds();
    status = run(words, &usage);
    const double wall = wall_seconds() - start;
    if (status) {
        fprintf(stderr, "bench_audit: the audit ended with status %d\n", status);
        return 1;
    }
    printf(
        "audit of %u games of 15 (played in %.0f s): %.1f s, %.1f s of processor time, %.0f MiB\n",
        games, played, wall, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
        (double)usage.ru_maxrss / 1024);
    return 0;
}

int main(int argc, char **argv)
{
    const unsigned games = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 10000;
    char dir[256], out[300];

    if (argc < 3 || games < GAMES_PER_SET || games % GAMES_PER_SET) {
        fprintf(stderr, "Usage: bench_audit WARG DIR [GAMES]   (a multiple of %d)\n",
                GAMES_PER_SET);
        return 2;
    }
    snprintf(dir, sizeof(dir), "%s/bench-audit-XXXXXX", argv[2]);
    if (!mkdtemp(dir)) {
        fprintf(stderr, "bench_audit: '%s' can't be written\n", dir);
        return 1;
    }
    snprintf(out, sizeof(out), "%s/cup", dir);
    int status = measure(argv[1], out, games);
    folder_remove(dir, NULL);
    return status;
}
