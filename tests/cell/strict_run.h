/* strict_run.h - one program in a strict cell, with all that is told of it.
 *
 * For:    tests of strict cells: cell_new_strict, cell_front_for and child_start as
 *         seat/child_program.c puts them together. Each test of a group is run at the level that
 *         `strict_level` says.
 * Memory: a StrictRun is made and freed by set_up and tear_down.
 * Thread: the test's.
 * Source: none.
 */
#ifndef WARG_TESTS_CELL_STRICT_RUN_H
#define WARG_TESTS_CELL_STRICT_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cell/cell.h"
#include "cell/cell_news.h"
#include "cell/cell_start.h"
#include "cell/strict_order.h"
#include "net/child.h"
#include "net/tcp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY   65534
#define PATIENCE ((TimeUs)60 * 1000 * 1000) /* a machine may be busy */
#define SECOND   ((TimeUs)1000 * 1000)      /* 20 times what spec 17 and 18 allow */
#define MIB      ((uint64_t)1 << 20)

/* Of all tests that are run at the moment. */
static CellLevel strict_level;

typedef struct StrictRun {
    Loop *loop;
    Timer *limit;
    Cell *cell;
    CellWish wish;
    const CellProfile *profile;
    const char *const *environment;
    uint64_t output_limit;
    char folder[64]; /* the program's, with tenant in it */
    char own[64];    /* ours: nobody else reads it */
    char output[96];

    Listener *listener;
    Conn *conn;
    Buf lines; /* of its game, each with a '|' behind it */
    int conns;
    Child *child;
    Buf findings; /* "RULE TEXT\n", or "RULE and N more\n" */
    CellUse use;
    bool begun;
    bool used;
    int cuts;
    int ended;
    ChildEnd how;
    char text[16384]; /* its output */
    bool (*done)(const struct StrictRun *run);
    Timer *look;
} StrictRun;

/* ---- its game ---- */

static void strict_on_line(void *user, Str line, TimeUs at, TimeUs now)
{
    StrictRun *run = user;

    (void)at;
    (void)now;
    buf_add(&run->lines, line);
    buf_add_char(&run->lines, '|');
}

static void strict_on_conn_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    (void)how;
    (void)partial;
    (void)now;
    ((StrictRun *)user)->conn = NULL;
}

static void strict_on_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    static const ConnEvents events = {.line = strict_on_line, .ended = strict_on_conn_ended};
    static const ConnLimits limits = {.line_bytes = 1000, .queued_bytes = 10000};
    StrictRun *run = user;

    (void)peer;
    (void)now;
    run->conns++;
    if (run->conn) {
        conn_close(conn);
        return;
    }
    run->conn = conn;
    conn_attach(conn, &events, run, &limits);
}

/* ---- what is told ---- */

static void strict_on_told(void *user, Str message, int take_descriptor, TimeUs now)
{
    StrictRun *run = user;
    CellNews news;

    (void)now;
    if (!cell_news_read(message, &news))
        fail_msg("told '%.*s'", STR_ARG(message));
    assert_int_equal(take_descriptor >= 0, news.kind == NEWS_LISTENS);
    if (news.kind == NEWS_LISTENS)
        assert_int_equal(tcp_listen_on(run->loop, take_descriptor, strict_on_accepted, run,
                                       &run->listener, NULL),
                         0);
    run->begun |= news.kind == NEWS_BEGUN;
    if (news.kind == NEWS_USED) {
        run->used = true;
        run->use = news.use;
    }
    if (news.kind != NEWS_FOUND)
        return;
    buf_printf(&run->findings, "%s ", finding_rule_name(news.finding.rule));
    if (news.finding.text.len)
        buf_printf(&run->findings, "%.*s\n", STR_ARG(news.finding.text));
    else
        buf_printf(&run->findings, "and %u more\n", (unsigned)news.finding.count);
}

static void strict_on_cut(void *user, TimeUs now)
{
    (void)now;
    ((StrictRun *)user)->cuts++;
}

static void strict_on_ended(void *user, ChildEnd how, TimeUs now)
{
    StrictRun *run = user;

    (void)now;
    run->ended++;
    run->how = how;
    loop_stop(run->loop);
}

static void strict_give_up(void *user, TimeUs now)
{
    (void)now;
    loop_stop(((StrictRun *)user)->loop);
}

static void strict_look(void *user, TimeUs now)
{
    StrictRun *run = user;

    (void)now;
    if (run->done && run->done(run))
        loop_stop(run->loop);
    else
        timer_in(run->look, 2000);
}

/* ---- its folder ---- */

/* The folder of this test's own program, where tenant and warg-cell are. */
static inline void strict_build_folder(char ret_folder[static PATH_MAX])
{
    const ssize_t bytes = readlink("/proc/self/exe", ret_folder, PATH_MAX - 1);

    assert_true(bytes > 0);
    ret_folder[bytes] = '\0';
    *strrchr(ret_folder, '/') = '\0';
}

static inline void strict_copy(const char *from, const char *to)
{
    char block[65536];
    ssize_t n;
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);

    if (in < 0 || out < 0)
        fail_msg("copy of '%s': %s", from, strerror(errno));
    while ((n = read(in, block, sizeof(block))) > 0)
        assert_int_equal(write(out, block, (size_t)n), n);
    close(in);
    close(out);
}

static inline void strict_remove(const char *folder)
{
    char path[PATH_MAX];
    DIR *entries = opendir(folder);
    const struct dirent *entry;

    while (entries && (entry = readdir(entries))) {
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (entries)
        closedir(entries);
    rmdir(folder);
}

/* ---- life ---- */

static const char *const strict_environment[] = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", NULL};

/* Sets all up but the cell. */
static inline void strict_open(StrictRun *run)
{
    char tenant[PATH_MAX], copy[96];

    *run = (StrictRun){.wish = cell_wish_default(),
                       .profile = cell_profile(STR("native")),
                       .environment = strict_environment,
                       .output_limit = 10 * MIB};
    run->wish.level = strict_level;
    snprintf(run->folder, sizeof(run->folder), "/tmp/warg-tenant-XXXXXX");
    snprintf(run->own, sizeof(run->own), "/tmp/warg-strict-XXXXXX");
    assert_non_null(mkdtemp(run->folder));
    assert_non_null(mkdtemp(run->own));
    assert_int_equal(chmod(run->folder, 0755), 0);
    strict_build_folder(tenant);
    strncat(tenant, "/tenant", sizeof(tenant) - strlen(tenant) - 1);
    snprintf(copy, sizeof(copy), "%s/tenant", run->folder);
    strict_copy(tenant, copy);
    snprintf(run->output, sizeof(run->output), "%s/output", run->own);
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, strict_give_up, run, &run->limit, NULL), 0);
    assert_int_equal(timer_new(run->loop, strict_look, run, &run->look, NULL), 0);
}

static inline void strict_close(StrictRun *run)
{
    loop_free(run->loop);
    cell_free(run->cell);
    buf_done(&run->findings);
    buf_done(&run->lines);
    strict_remove(run->folder);
    strict_remove(run->own);
}

static inline int strict_set_up(void **state)
{
    StrictRun *run = mem_new(sizeof(*run));

    assert_non_null(run);
    strict_open(run);
    *state = run;
    return 0;
}

static inline int strict_tear_down(void **state)
{
    strict_close(*state);
    mem_free(*state);
    return 0;
}

/* ---- running ---- */

/* With the cell that `wish` wants, unless there is one already. */
static inline void strict_make_cell(StrictRun *run)
{
    Err err = {0};

    if (!run->cell && cell_new_strict(&run->wish, NULL, NULL, &run->cell, &err))
        fail_msg("%s", err.msg);
}

static inline int strict_try_start(StrictRun *run, const char *command, Err *err)
{
    CellTenant tenant = {.folder = run->folder, .profile = run->profile};
    CLEANUP(cell_front_done) CellFront front = {0};

    strict_make_cell(run);
    if (cell_level(run->cell) == CELL_FILTER) {
        if (!run->listener)
            assert_int_equal(tcp_listen(run->loop, "127.0.0.1", 0, strict_on_accepted, run,
                                        &run->listener, NULL),
                             0);
        tenant.port = listener_port(run->listener);
    }
    int rc = cell_front_for(run->cell, &tenant, &front, err);
    if (rc)
        return rc;
    const ChildPlan plan = {.command = command,
                            .output_path = run->output,
                            .output_limit = run->output_limit,
                            .environment = run->environment,
                            .front = &front.front,
                            .told = strict_on_told,
                            .cut = strict_on_cut};
    return child_start(run->loop, &plan, strict_on_ended, run, &run->child, err);
}

static inline void strict_start(StrictRun *run, const char *command)
{
    Err err = {0};

    if (strict_try_start(run, command, &err))
        fail_msg("%s", err.msg);
}

static inline void strict_read_output(StrictRun *run)
{
    int file = open(run->output, O_RDONLY | O_CLOEXEC);
    const ssize_t count = file < 0 ? 0 : read(file, run->text, sizeof(run->text) - 1);

    run->text[count > 0 ? count : 0] = '\0';
    if (file >= 0)
        close(file);
}

static inline void strict_wait(StrictRun *run)
{
    timer_at(run->limit, loop_now() + PATIENCE, false);
    if (!run->ended)
        loop_run(run->loop);
    timer_stop(run->limit);
    strict_read_output(run);
    if (!run->ended)
        fail_msg("it has not ended; it printed '%s'", run->text);
}

/* Runs the loop until `done`. */
static inline void strict_until(StrictRun *run, bool (*done)(const StrictRun *run))
{
    run->done = done;
    timer_in(run->look, 0);
    timer_at(run->limit, loop_now() + PATIENCE, false);
    loop_run(run->loop);
    timer_stop(run->limit);
    timer_stop(run->look);
    strict_read_output(run);
    if (!done(run))
        fail_msg("in vain; it printed '%s', found was '%s'", run->text, buf_cstr(&run->findings));
}

static inline bool strict_is_ready(const StrictRun *run)
{
    Str lines = child_last_lines(run->child);

    return lines.len >= 5 && memcmp(lines.bytes + lines.len - 5, "ready", 5) == 0;
}

/* To its end, in a cell of its own. */
static inline void strict_run(StrictRun *run, const char *command)
{
    strict_start(run, command);
    strict_wait(run);
}

static inline void strict_again(StrictRun *run)
{
    run->child = child_free(run->child);
    run->listener = listener_close(run->listener);
    run->conn = conn_close(run->conn);
    run->ended = run->conns = run->cuts = 0;
    run->begun = run->used = false;
    buf_clear(&run->findings);
    buf_clear(&run->lines);
    unlink(run->output);
}

static inline void strict_prints(StrictRun *run, const char *command, const char *text)
{
    strict_run(run, command);
    if (strcmp(run->text, text) != 0)
        fail_msg("'%s' printed '%s', not '%s'", command, run->text, text);
}

/* A whole line of the output. */
static inline void strict_has_line(const StrictRun *run, const char *line)
{
    const size_t bytes = strlen(line);

    for (const char *at = run->text; (at = strstr(at, line)); at += bytes)
        if ((at == run->text || at[-1] == '\n') && (at[bytes] == '\n' || !at[bytes]))
            return;
    fail_msg("no line '%s' in '%s'", line, run->text);
}

static inline bool strict_found(const StrictRun *run, const char *finding)
{
    Buf *findings = (Buf *)(uintptr_t)&run->findings; /* ends it with a NUL, which is no change */

    return strstr(buf_cstr(findings), finding) != NULL;
}

static inline void strict_has_finding(const StrictRun *run, const char *finding)
{
    if (!strict_found(run, finding))
        fail_msg("'%s' was not found, but '%.*s'", finding, STR_ARG(buf_str(&run->findings)));
}

static inline void strict_has_no_finding(const StrictRun *run)
{
    if (run->findings.len)
        fail_msg("found was '%.*s'", STR_ARG(buf_str(&run->findings)));
}

/* ---- what is left ---- */

/* Whether a process has the word in its command line. Of what is no process any more there is
 * none. */
static inline bool strict_word_lives(const char *word)
{
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    char path[300], line[4096];
    bool found = false;

    assert_non_null(folder);
    while (!found && (entry = readdir(folder))) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        snprintf(path, sizeof(path), "/proc/%s/cmdline", entry->d_name);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        const ssize_t count = file < 0 ? 0 : read(file, line, sizeof(line));
        if (file >= 0)
            close(file);
        found = count > 0 && memmem(line, (size_t)count, word, strlen(word)) != NULL;
    }
    closedir(folder);
    return found;
}

/* Fails when the word lives on; `most`: how long it may. */
static inline void strict_word_is_gone(const char *word, TimeUs most)
{
    const TimeUs until = loop_now() + most;

    while (strict_word_lives(word) && loop_now() < until)
        usleep(1000);
    assert_false(strict_word_lives(word));
}

/* Whether a group of the front with this number is there. */
static inline bool strict_group_lives(int front)
{
    char path[GROUP_PATH + 64];
    GroupPlaces places;

    group_places_find(&places);
    snprintf(path, sizeof(path), "%s/warg-cell-%d", places.memory, front);
    if (places.memory[0] && access(path, F_OK) == 0)
        return true;
    snprintf(path, sizeof(path), "%s/warg-cell-%d", places.processes, front);
    return places.processes[0] && access(path, F_OK) == 0;
}

/* ---- groups of tests ---- */

/* What namespaces need, tried by this test itself: a mount and a proc of its own. */
static inline _Noreturn void strict_try_namespaces(void)
{
    const int rights = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    int status = 1;

    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    if ((geteuid() != 0 || unshare(rights)) && unshare(CLONE_NEWUSER | rights))
        _exit(1);
    const pid_t child = fork();
    if (child == 0)
        _exit(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
              mount("tmpfs", "/tmp", "tmpfs", 0, NULL) || mount("proc", "/proc", "proc", 0, NULL));
    waitpid(child, &status, 0);
    _exit(status != 0);
}

/* Whether the kernel has all that the level needs, whatever warg-cell says. */
static inline bool strict_ought_to_be(CellLevel level)
{
    uint16_t sizes[3]; /* struct seccomp_notif_sizes */
    const long landlock = syscall(SYS_landlock_create_ruleset, NULL, 0, 1U);
    int status = 1;

    if (syscall(SYS_seccomp, 3U /* GET_NOTIF_SIZES */, 0, sizes))
        return false;
    if (level == CELL_FILTER)
        return landlock >= (geteuid() == 0 ? 1 : 3);
    const pid_t child = fork();
    if (child == 0)
        strict_try_namespaces();
    waitpid(child, &status, 0);
    return status == 0;
}

/* 1 = the level is there, 0 = this machine can't have it, and why was printed, -1 = it could, and
 * warg-cell is broken. */
static inline int strict_has_level(CellLevel level)
{
    CellProbe probe = {.landlock = 0};
    Err err = {0};
    const int rc = cell_try_levels(NULL, &probe, &err);

    if (rc == 0 && cell_probe_has(&probe, level, NULL))
        return 1;
    const bool broken = rc || strict_ought_to_be(level);
    print_message("no cells of the level '%s' here: %s: %s\n", cell_level_name(level),
                  rc                     ? err.msg
                  : level == CELL_FILTER ? probe.filter.why
                                         : probe.namespaces.why,
                  broken ? "but there should be" : "skipped");
    return broken ? -1 : 0;
}

static inline int strict_run_group(const char *name, CellLevel level,
                                   const struct CMUnitTest *tests, size_t count)
{
    char whole[120];

    strict_level = level;
    snprintf(whole, sizeof(whole), "%s, %s, user %u", name, cell_level_name(level),
             (unsigned)geteuid());
    const int has = strict_has_level(level);
    return has > 0 ? _cmocka_run_group_tests(whole, tests, count, NULL, NULL) : -has;
}

static inline int strict_run_levels(const char *name, const struct CMUnitTest *tests, size_t count)
{
    return strict_run_group(name, CELL_NAMESPACES, tests, count) +
           strict_run_group(name, CELL_FILTER, tests, count);
}

/* At both levels, and as root once more as nobody, in a process of its own. */
static inline int strict_run_all(const char *name, const struct CMUnitTest *tests, size_t count)
{
    char program[PATH_MAX];
    int status = 0;

    fflush(stdout);
    const pid_t child = geteuid() == 0 ? fork() : -1;
    if (child == 0) {
        if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
            setresuid(NOBODY, NOBODY, NOBODY))
            _exit(1);
        strict_build_folder(program);
        if (access(program, R_OK | X_OK)) {
            print_message("nobody can't read the folder of the build: skipped\n");
            _exit(0);
        }
        const int failed = strict_run_levels(name, tests, count);
        fflush(stdout);
        _exit(failed ? 1 : 0);
    }
    if (child > 0)
        waitpid(child, &status, 0);
    else
        print_message("to become another user, root is needed: skipped\n");
    return strict_run_levels(name, tests, count) + (status != 0);
}

#endif
