/* pg_server.h - a real PostgreSQL server for tests: on a socket in a temporary folder, on no
 * network.
 *
 * For:    tests and benches of what has a store. Include it before our own headers.
 * Memory: a folder under /tmp and a process, until pg_server_done. The process gets SIGKILL when
 * the thread that started it ends in any way. Thread: the test's. Source:
 * docs/spec/contest-operations.md 12, O41. PostgreSQL refuses to run as root: then it is the user
 * nobody, to whom the folder belongs.
 */
#ifndef WARG_TESTS_PG_SERVER_H
#define WARG_TESTS_PG_SERVER_H

#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PG_SERVER_READY_SECONDS 120
#define PG_SERVER_NOBODY        65534

typedef struct PgServer {
    char programs[128]; /* where initdb and postgres are */
    char folder[64];
    char connection[160]; /* for db_open_server */
    pid_t pid;            /* 0: not running */
} PgServer;

/* In a child: a program as who may own a database, its output in the folder's log. */
static inline void pg_server_become(const PgServer *server, const char *program, char *const argv[])
{
    char path[256];
    int log;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (geteuid() == 0 &&
        (setgroups(0, NULL) || setgid(PG_SERVER_NOBODY) || setuid(PG_SERVER_NOBODY)))
        _exit(126);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a change of user clears it */
    if (chdir(server->folder))
        _exit(126);
    log = open("log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0)
        _exit(126);
    setenv("LC_ALL", "C", 1);
    setenv("TZ", "UTC", 1);
    snprintf(path, sizeof(path), "%s/%s", server->programs, program);
    execv(path, argv);
    _exit(127);
}

static inline pid_t pg_server_spawn(const PgServer *server, const char *program, char *const argv[])
{
    pid_t pid = fork();

    if (pid == 0)
        pg_server_become(server, program, argv);
    return pid;
}

static inline void pg_server_done(PgServer *server)
{
    char command[128];

    if (server->pid > 0) {
        kill(server->pid, SIGQUIT); /* at once: nothing of it is kept */
        waitpid(server->pid, NULL, 0);
        server->pid = 0;
    }
    if (server->folder[0]) {
        snprintf(command, sizeof(command), "rm -rf '%s'", server->folder);
        if (system(command))
            fprintf(stderr, "left: %s\n", server->folder);
        server->folder[0] = '\0';
    }
}

/* Its own file says so; the socket is there earlier. */
static inline bool pg_server_is_ready(const PgServer *server)
{
    char path[128], line[128];
    bool ready = false;

    snprintf(path, sizeof(path), "%s/db/postmaster.pid", server->folder);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof(line), file))
        ready |= strncmp(line, "ready", strlen("ready")) == 0;
    if (file)
        fclose(file);
    return ready;
}

/* False where PostgreSQL isn't installed: the test is skipped then. Any other trouble prints the
 * server's log and aborts. */
static inline bool pg_server_start(PgServer *server)
{
    char *const make[] = {(char[]){"initdb"}, (char[]){"-D"},         (char[]){"db"},
                          (char[]){"-A"},     (char[]){"trust"},      (char[]){"-U"},
                          (char[]){"warg"},   (char[]){"-E"},         (char[]){"UTF8"},
                          (char[]){"-N"},     (char[]){"--locale=C"}, NULL};
    char *const run[] = {(char[]){"postgres"},
                         (char[]){"-D"},
                         (char[]){"db"},
                         (char[]){"-k"},
                         server->folder,
                         (char[]){"-c"},
                         (char[]){"listen_addresses="},
                         (char[]){"-c"},
                         (char[]){"fsync=off"},
                         NULL};
    glob_t found;
    int status = 1;

    *server = (PgServer){0};
    bool there = glob("/usr/lib/postgresql/*/bin", 0, NULL, &found) == 0;
    if (there)
        snprintf(server->programs, sizeof(server->programs), "%s",
                 found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    if (!there) {
        fprintf(stderr, "skipped: PostgreSQL isn't installed (postgresql-15)\n");
        return false;
    }
    snprintf(server->folder, sizeof(server->folder), "/tmp/warg-pg-XXXXXX");
    if (!mkdtemp(server->folder) ||
        (geteuid() == 0 && chown(server->folder, PG_SERVER_NOBODY, PG_SERVER_NOBODY)))
        abort();
    pid_t maker = pg_server_spawn(server, "initdb", make);
    if (maker > 0)
        waitpid(maker, &status, 0);
    if (status == 0)
        server->pid = pg_server_spawn(server, "postgres", run);
    snprintf(server->connection, sizeof(server->connection), "host=%s user=warg dbname=postgres",
             server->folder);
    for (int i = 0; status == 0 && i < PG_SERVER_READY_SECONDS * 50; i++) {
        const struct timespec pause = {.tv_nsec = 20 * 1000000};
        if (pg_server_is_ready(server))
            return true;
        if (waitpid(server->pid, &status, WNOHANG) != 0)
            break;
        nanosleep(&pause, NULL);
    }
    fprintf(stderr, "PostgreSQL does not start; its log is in %s/log\n", server->folder);
    abort();
}

#endif
