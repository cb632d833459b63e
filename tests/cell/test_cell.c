#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* setresuid */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cell/cell.h"
#include "cell/cell_start.h"
#include "net/child.h"
#include "net/process_tree.h"

#include "sanitized.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY   65534
#define PATIENCE ((TimeUs)60 * 1000 * 1000) /* a machine may be busy */
#define TREE_MAX 64

/* A folder with a secret in it, a cell that hides it, and one child in that cell. */
typedef struct Run {
    Loop *loop;
    Timer *limit;
    Cell *cell;
    Child *child;
    Timer *look;
    int tree[TREE_MAX]; /* of the child, when `wanted` of them were there */
    size_t wanted;
    bool stop_then; /* child_stop when the tree is complete */
    int ended;
    ChildEnd how;
    char folder[64];
    char secret[96];
} Run;

static void on_ended(void *user, ChildEnd how, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->ended++;
    run->how = how;
    loop_stop(run->loop);
}

static void give_up(void *user, TimeUs now)
{
    (void)now;
    loop_stop(((Run *)user)->loop);
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));
    const char *hidden[] = {run->folder, NULL};

    assert_non_null(run);
    snprintf(run->folder, sizeof(run->folder), "/tmp/warg-cell-XXXXXX");
    assert_non_null(mkdtemp(run->folder));
    assert_int_equal(chmod(run->folder, 0755), 0);
    snprintf(run->secret, sizeof(run->secret), "%s/secret", run->folder);
    int fd = open(run->secret, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_true(fd >= 0 && write(fd, "seed 7\n", 7) == 7);
    close(fd);
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, give_up, run, &run->limit, NULL), 0);
    assert_int_equal(cell_new(hidden, 022, NULL, &run->cell, NULL), 0);
    *state = run;
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;

    loop_free(run->loop);
    cell_free(run->cell);
    unlink(run->secret);
    rmdir(run->folder);
    mem_free(run);
    return 0;
}

/* False, with the reason printed, where this machine has no cells. */
static bool has_cells(const Run *run)
{
    Str lack = cell_lack(run->cell);

    if (lack.len)
        print_message("no cells here: %.*s\n", STR_ARG(lack));
    return lack.len == 0;
}

static void start(Run *run, const char *command)
{
    const ChildPlan plan = {.command = command, .front = cell_front(run->cell)};
    Err err = {0};

    if (child_start(run->loop, &plan, on_ended, run, &run->child, &err))
        fail_msg("%s", err.msg);
}

static void wait_for_end(Run *run)
{
    timer_at(run->limit, loop_now() + PATIENCE, false);
    loop_run(run->loop);
    assert_int_equal(run->ended, 1);
}

/* The child's last lines are exactly `text`. */
static void prints(Run *run, const char *command, const char *text)
{
    start(run, command);
    wait_for_end(run);
    Str lines = child_last_lines(run->child);
    if (!str_eq(lines, str_of(text)))
        fail_msg("expected '%s', found '%.*s'", text, STR_ARG(lines));
}

/* ---- what is seen ---- */

static void a_hidden_folder_is_empty_inside_and_as_it_was_outside(void **state)
{
    Run *run = *state;
    char command[256];

    if (!has_cells(run))
        skip();
    snprintf(command, sizeof(command), "ls -A %s; cat %s/secret 2>/dev/null; echo over",
             run->folder, run->folder);
    prints(run, command, "over");
    assert_int_equal(access(run->secret, R_OK), 0);
}

static void what_is_hidden_can_not_be_uncovered(void **state)
{
    Run *run = *state;
    char command[1024];

    if (!has_cells(run))
        skip();
    snprintf(
        command, sizeof(command),
        "umount %s 2>/dev/null; umount -l %s 2>/dev/null; mount -t proc proc /mnt 2>/dev/null; "
        "unshare -Urm sh -c 'umount %s; cat %s/secret' 2>/dev/null; "
        "cat %s/secret /proc/1/root%s 2>/dev/null; echo over",
        run->folder, run->folder, run->folder, run->folder, run->folder, run->secret);
    prints(run, command, "over");
}

static void no_process_of_others_is_seen(void **state)
{
    Run *run = *state;

    if (!has_cells(run))
        skip();
    prints(run, "cat /proc/1/comm; cat /proc/[0-9]*/comm | grep -c test_cell", "warg-cell\n0");
    assert_true(process_tree_read(getpid(), run->tree, TREE_MAX) > 0); /* which we see */
}

/* In a mount namespace of its own, where proc is mounted at a second place too. */
static void look_at_second_proc(const char *folder)
{
    const char *hidden[] = {NULL};
    char command[160];
    Run run = {0};

    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("proc", folder, "proc", 0, NULL) || cell_new(hidden, 022, NULL, &run.cell, NULL))
        _exit(77);
    snprintf(command, sizeof(command), "[ $(ls -d %s/[0-9]* | wc -l) -lt 9 ] && cat %s/1/comm",
             folder, folder);
    const ChildPlan plan = {.command = command, .front = cell_front(run.cell)};
    if (loop_new(&run.loop, NULL) || timer_new(run.loop, give_up, &run, &run.limit, NULL) ||
        child_start(run.loop, &plan, on_ended, &run, &run.child, NULL))
        _exit(12);
    timer_at(run.limit, loop_now() + PATIENCE, false);
    loop_run(run.loop);
    _exit(str_eq(child_last_lines(run.child), STR("warg-cell")) ? 0 : 13);
}

static void a_second_proc_shows_no_process_of_others(void **state)
{
    Run *run = *state;
    int status = 0;

    if (!has_cells(run))
        skip();
    int child = fork();
    if (child == 0)
        look_at_second_proc(run->folder);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("proc can't be mounted here\n");
        skip();
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Java makes a file in /tmp of its number, others a seed; in their cells all would be number 2. */
static void no_two_programs_have_the_same_number(void **state)
{
    Run *run = *state;
    char number[32];

    if (!has_cells(run))
        skip();
    if (access("/proc/sys/kernel/ns_last_pid", W_OK)) {
        print_message("this kernel gives numbers as it likes\n");
        skip();
    }
    start(run, "echo $$");
    snprintf(number, sizeof(number), "%d", child_pid(run->child));
    wait_for_end(run);
    assert_true(str_eq(child_last_lines(run->child), str_of(number)));
}

static void nothing_else_is_different(void **state)
{
    Run *run = *state;
    char command[256], expected[128], here[64] = "/";

    if (!has_cells(run))
        skip();
    assert_non_null(getcwd(here, sizeof(here)));
    snprintf(command, sizeof(command),
             "pwd; id -u; umask; ls -d /etc/passwd; test -w /dev/null; "
             "echo $?; readlink /proc/self/fd/3 /proc/self/fd/4");
    snprintf(expected, sizeof(expected), "%s\n%u\n0022\n/etc/passwd\n0", here, geteuid());
    prints(run, command, expected);
}

static void descriptors_that_were_left_open_are_not_handed_on(void **state)
{
    Run *run = *state;
    int folder = open(run->folder, O_RDONLY | O_DIRECTORY);
    char command[96];

    assert_true(folder > 3);
    assert_int_equal(dup2(folder, 77), 77);
    snprintf(command, sizeof(command),
             "ls /proc/self/fd/77 /proc/self/fd/%d 2>/dev/null; echo over", folder);
    prints(run, command, "over");
    close(folder);
    close(77);
}

static void what_sets_up_the_machine_is_read_only(void **state)
{
    Run *run = *state;

    if (!has_cells(run))
        skip();
    /* It is there, and not something else in its place. */
    prints(run,
           "[ \"$(cat /proc/sys/kernel/osrelease)\" = \"$(uname -r)\" ] || echo another; "
           "for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/pid_max; do "
           "[ -e $f ] || echo no $f; (exec 3<>$f) 2>/dev/null && echo open $f; done; "
           "mkdir /sys/fs/cgroup/*/warg-test /sys/fs/cgroup/warg-test 2>/dev/null && echo made; "
           "echo over",
           "over");
}

static void root_keeps_what_ordinary_programs_need(void **state)
{
    Run *run = *state;

    if (!has_cells(run))
        skip();
    /* CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID NET_BIND_SERVICE */
    prints(run, "sed -n 's/^CapBnd:.//p' /proc/self/status", "00000000000004fb");
}

static void it_leads_a_session_of_its_own(void **state)
{
    Run *run = *state;

    if (!has_cells(run))
        skip();
    prints(run,
           "cut -d ' ' -f 1,5,6 /proc/self/stat | { read pid group session; "
           "[ $group = $session ] && [ $group = $$ ] && echo leads; }",
           "leads");
}

/* ---- how it ends ---- */

static void it_ends_with_the_programs_status(void **state)
{
    Run *run = *state;

    start(run, "exit 3");
    wait_for_end(run);
    assert_int_equal(run->how.status, 3);
    assert_int_equal(run->how.signal_number, 0);
}

static void it_ends_with_the_programs_signal(void **state)
{
    Run *run = *state;

    start(run, "kill -SEGV $$");
    wait_for_end(run);
    assert_int_equal(run->how.signal_number, SIGSEGV);
}

static void a_stop_reaches_the_program_and_what_it_started(void **state)
{
    Run *run = *state;

    start(run, "trap 'echo heard; exit 5' TERM; echo ready; while :; do sleep 0.01; done");
    while (child_last_lines(run->child).len == 0) {
        timer_at(run->limit, loop_now() + 10 * 1000, false);
        loop_run(run->loop);
    }
    child_stop(run->child, 60 * 1000);
    wait_for_end(run);
    assert_int_equal(run->how.status, 5);
    assert_true(run->how.asked);
}

static void look_at_tree(void *user, TimeUs now)
{
    Run *run = user;
    size_t count = process_tree_read(child_pid(run->child), run->tree, TREE_MAX);

    (void)now;
    if (count < run->wanted)
        timer_at(run->look, loop_now() + 10 * 1000, false);
    else
        loop_stop(run->loop);
}

/* Runs until the child has so many processes. */
static void wait_for_tree(Run *run, size_t wanted)
{
    run->wanted = wanted;
    assert_int_equal(timer_new(run->loop, look_at_tree, run, &run->look, NULL), 0);
    timer_at(run->look, loop_now(), false);
    timer_at(run->limit, loop_now() + PATIENCE, false);
    loop_run(run->loop);
    assert_int_not_equal(run->tree[0], 0);
}

static void all_of_the_tree_are_gone(const Run *run)
{
    TimeUs until = loop_now() + PATIENCE;

    for (size_t i = 0; i < run->wanted; i++)
        while (kill(run->tree[i], 0) == 0 && loop_now() < until)
            usleep(1000);
    for (size_t i = 0; i < run->wanted; i++)
        assert_int_equal(kill(run->tree[i], 0), -1);
}

static void a_daemon_in_a_session_of_its_own_ends_with_it(void **state)
{
    Run *run = *state;

    if (!has_cells(run))
        skip();
    /* Launcher, first process, shell, two daemons: one adopted, with a sleep each. */
    start(run, "setsid sh -c 'sleep 1000; :' >/dev/null & (setsid sleep 1000 >/dev/null &) ; "
               "read line </dev/zero");
    wait_for_tree(run, 6);
    kill(run->tree[2], SIGKILL);
    wait_for_end(run);
    assert_int_equal(run->how.signal_number, SIGKILL);
    all_of_the_tree_are_gone(run);
}

static void freeing_the_child_ends_all_in_the_cell(void **state)
{
    Run *run = *state;

    if (!has_cells(run))
        skip();
    start(run, "setsid sleep 1000 & trap '' TERM; sleep 1000; :");
    wait_for_tree(run, 5);
    run->child = child_free(run->child);
    run->loop = loop_free(run->loop);
    all_of_the_tree_are_gone(run);
    assert_int_equal(loop_new(&run->loop, NULL), 0); /* for tear_down */
}

/* ---- where it can't be had, and as somebody without rights ---- */

static void a_folder_that_is_not_there_is_named(void **state)
{
    const char *hidden[] = {"/nowhere/at/all", NULL};
    Cell *cell = NULL;
    Err err = {0};

    (void)state;
    assert_int_equal(cell_new(hidden, 022, NULL, &cell, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "/nowhere/at/all"));
    assert_null(cell);
}

static void what_lies_in_a_hidden_folder_is_known(void **state)
{
    Run *run = *state;
    char sibling[80];

    if (!has_cells(run))
        skip();
    assert_true(cell_hides(run->cell, run->folder));
    assert_true(cell_hides(run->cell, run->secret));
    assert_false(cell_hides(run->cell, "/tmp"));
    snprintf(sibling, sizeof(sibling), "%s2", run->folder);
    assert_int_equal(mkdir(sibling, 0700), 0);
    assert_false(cell_hides(run->cell, sibling));
    rmdir(sibling);
}

/* Two folders, the upper one with a name that can be changed; what is hidden is the lower one. */
static void what_was_moved_away_is_not_seen_by_the_next_one(void **state)
{
    Run *run = *state;
    char upper[80], moved[80], lower[96], command[512];

    if (!has_cells(run))
        skip();
    snprintf(upper, sizeof(upper), "%s/upper", run->folder);
    snprintf(moved, sizeof(moved), "%s/moved", run->folder);
    snprintf(lower, sizeof(lower), "%s/lower", upper);
    const char *hidden[] = {lower, NULL};
    assert_int_equal(mkdir(upper, 0700) | mkdir(lower, 0700), 0);
    cell_free(run->cell);
    assert_int_equal(cell_new(hidden, 022, NULL, &run->cell, NULL), 0);
    snprintf(command, sizeof(command), "mv %s %s && mkdir -p %s && echo moved", upper, moved,
             lower);
    prints(run, command, "moved");
    run->ended = 0;
    child_free(run->child);
    snprintf(command, sizeof(command), "echo it was started; ls %s/lower", moved);
    start(run, command);
    wait_for_end(run);
    Str lines = child_last_lines(run->child);
    assert_int_equal(run->how.status, CELL_FAILED);
    assert_non_null(memmem(lines.bytes, lines.len, lower, strlen(lower)));
    assert_non_null(memmem(lines.bytes, lines.len, "was moved", 9));
    assert_null(memmem(lines.bytes, lines.len, "it was started", 14));
    snprintf(command, sizeof(command), "rm -r %s %s", upper, moved);
    assert_int_equal(system(command), 0);
}

static bool put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && write(fd, text, strlen(text)) > 0;

    if (fd >= 0)
        close(fd);
    return written;
}

/* In a user namespace of its own, where namespaces are used up once the cell was tried. */
static void start_without_namespaces(const char *folder)
{
    const char *hidden[] = {folder, NULL};
    char command[128];
    Run run = {0};

    if (unshare(CLONE_NEWUSER) || !put("/proc/self/uid_map", "0 0 1") ||
        cell_new(hidden, 022, NULL, &run.cell, NULL) || cell_lack(run.cell).len ||
        !put("/proc/sys/user/max_mnt_namespaces", "0"))
        _exit(77);
    snprintf(command, sizeof(command), "cat %s/secret", folder);
    const ChildPlan plan = {.command = command, .front = cell_front(run.cell)};
    if (loop_new(&run.loop, NULL) || timer_new(run.loop, give_up, &run, &run.limit, NULL) ||
        child_start(run.loop, &plan, on_ended, &run, &run.child, NULL))
        _exit(12);
    timer_at(run.limit, loop_now() + PATIENCE, false);
    loop_run(run.loop);
    Str lines = child_last_lines(run.child);
    if (run.how.status != CELL_FAILED || !memmem(lines.bytes, lines.len, "namespaces", 10))
        _exit(13);
    _exit(memmem(lines.bytes, lines.len, "seed", 4) ? 14 : 0);
}

static void where_namespaces_run_out_nothing_is_started_uncovered(void **state)
{
    Run *run = *state;
    int status = 0;

    if (!has_cells(run))
        skip();
    int child = fork();
    if (child == 0)
        start_without_namespaces(run->folder);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("namespaces can't be limited here\n");
        skip();
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* In a process of its own. What is wrong is its exit status. */
static void play_unprivileged(const char *folder)
{
    const char *hidden[] = {folder, NULL};
    char path[32];
    Run run = {0};

    if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
        setresuid(NOBODY, NOBODY, NOBODY))
        _exit(10);
    cell_guard_self();
    snprintf(path, sizeof(path), "/proc/%d/environ", getppid());
    if (cell_new(hidden, 022, NULL, &run.cell, NULL))
        _exit(11);
    if (cell_lack(run.cell).len) {
        fprintf(stderr, "no cells for nobody: %.*s\n", STR_ARG(cell_lack(run.cell)));
        _exit(77);
    }
    const ChildPlan plan = {.command = "cat /proc/self/environ >/dev/null && exit 42",
                            .front = cell_front(run.cell)};
    if (loop_new(&run.loop, NULL) || timer_new(run.loop, give_up, &run, &run.limit, NULL) ||
        child_start(run.loop, &plan, on_ended, &run, &run.child, NULL))
        _exit(12);
    timer_at(run.limit, loop_now() + PATIENCE, false);
    loop_run(run.loop);
    /* Our own environment is closed to others of our user, who would need to trace us. */
    int other = fork();
    if (other == 0) {
        snprintf(path, sizeof(path), "/proc/%d/environ", getppid());
        _exit(open(path, O_RDONLY) >= 0 ? 1 : 0);
    }
    int status = 1;
    waitpid(other, &status, 0);
    _exit(run.how.status == 42 && status == 0 ? 0 : 13);
}

static void somebody_without_rights_has_cells_and_is_not_looked_into(void **state)
{
    Run *run = *state;
    int status = 0;

    if (geteuid() != 0 || SANITIZED || !has_cells(run)) {
        print_message("to become another user, root is needed, and no sanitizer\n");
        skip();
    }
    if (access("/proc/self/exe", X_OK) == 0) {
        int child = fork();
        if (child == 0)
            play_unprivileged(run->folder);
        waitpid(child, &status, 0);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_hidden_folder_is_empty_inside_and_as_it_was_outside),
        CASE(what_is_hidden_can_not_be_uncovered),
        CASE(no_process_of_others_is_seen),
        CASE(a_second_proc_shows_no_process_of_others),
        CASE(no_two_programs_have_the_same_number),
        CASE(nothing_else_is_different),
        CASE(descriptors_that_were_left_open_are_not_handed_on),
        CASE(what_sets_up_the_machine_is_read_only),
        CASE(root_keeps_what_ordinary_programs_need),
        CASE(where_namespaces_run_out_nothing_is_started_uncovered),
        CASE(it_leads_a_session_of_its_own),
        CASE(it_ends_with_the_programs_status),
        CASE(it_ends_with_the_programs_signal),
        CASE(a_stop_reaches_the_program_and_what_it_started),
        CASE(a_daemon_in_a_session_of_its_own_ends_with_it),
        CASE(freeing_the_child_ends_all_in_the_cell),
        CASE(a_folder_that_is_not_there_is_named),
        CASE(what_lies_in_a_hidden_folder_is_known),
        CASE(what_was_moved_away_is_not_seen_by_the_next_one),
        CASE(somebody_without_rights_has_cells_and_is_not_looked_into),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
