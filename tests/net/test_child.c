#define _GNU_SOURCE /* memmem, pipe2 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/child.h"
#include "net/fd_socket.h"
#include "net/tcp.h"

#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE ((TimeUs)100 * 1000 * 1000) /* a machine may be busy, or stand still */

/* One child, its end, and a folder for its files. */
typedef struct Run {
    Loop *loop;
    Child *child;
    Timer *limit;
    int ended;
    bool free_when_ended;
    struct Talk *talk; /* what its front says */
    ChildEnd how;
    char folder[64];
    char output[96];
} Run;

static void on_ended(void *user, ChildEnd how, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->ended++;
    run->how = how;
    timer_stop(run->limit);
    loop_stop(run->loop);
    if (run->free_when_ended)
        run->child = child_free(run->child);
}

static void give_up(void *user, TimeUs now)
{
    (void)now;
    loop_stop(((Run *)user)->loop);
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));

    assert_non_null(run);
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, give_up, run, &run->limit, NULL), 0);
    snprintf(run->folder, sizeof(run->folder), "/tmp/warg-child-XXXXXX");
    assert_non_null(mkdtemp(run->folder));
    snprintf(run->output, sizeof(run->output), "%s/output", run->folder);
    *state = run;
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;
    char path[128];

    loop_free(run->loop);
    static const char *const names[] = {"output", "other", "pids"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s/%s", run->folder, names[i]);
        unlink(path);
    }
    rmdir(run->folder);
    mem_free(run);
    return 0;
}

static void start(Run *run, const char *command)
{
    ChildPlan plan = {.command = command,
                      .folder = run->folder,
                      .output_path = run->output,
                      .output_limit = 1000000};
    Err err = {0};

    if (child_start(run->loop, &plan, on_ended, run, &run->child, &err))
        fail_msg("%s", err.msg);
    assert_true(child_running(run->child));
    assert_true(child_pid(run->child) > 1);
}

/* Runs the loop until the child has ended. */
static void run_to_end(Run *run)
{
    timer_at(run->limit, loop_now() + PATIENCE, false);
    loop_run(run->loop);
    assert_int_equal(run->ended, 1);
    assert_true(!run->child || !child_running(run->child));
}

/* Runs the loop until `path` in the folder has something in it. */
typedef struct Waiting {
    Run *run;
    Timer *timer;
    const char *name;
    TimeUs limit;
} Waiting;

static size_t file_size(const Run *run, const char *name)
{
    struct stat info;
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", run->folder, name);
    return stat(path, &info) ? 0 : (size_t)info.st_size;
}

static void look(void *user, TimeUs now)
{
    Waiting *waiting = user;

    (void)now;
    if (file_size(waiting->run, waiting->name) || loop_now() > waiting->limit)
        loop_stop(waiting->run->loop);
    else
        timer_at(waiting->timer, loop_now() + 1000, false);
}

static void run_until_file(Run *run, const char *name)
{
    Waiting waiting = {.run = run, .name = name, .limit = loop_now() + PATIENCE};

    assert_int_equal(timer_new(run->loop, look, &waiting, &waiting.timer, NULL), 0);
    timer_at(waiting.timer, 0, false);
    loop_run(run->loop);
    timer_free(waiting.timer);
    assert_true(file_size(run, name) > 0);
}

static void read_file(const Run *run, const char *name, char *ret_text, size_t size)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", run->folder, name);
    FILE *in = fopen(path, "re");
    assert_non_null(in);
    size_t n = fread(ret_text, 1, size - 1, in);
    ret_text[n] = '\0';
    fclose(in);
}

static void assert_output(const Run *run, const char *want)
{
    char text[4096];

    read_file(run, "output", text, sizeof(text));
    assert_string_equal(text, want);
}

static void assert_last(const Run *run, const char *want)
{
    Str last = child_last_lines(run->child);

    assert_int_equal(last.len, strlen(want));
    assert_memory_equal(last.bytes, want, last.len);
}

static void assert_end_text(ChildEnd how, const char *want)
{
    CLEANUP(buf_done) Buf text = {0};

    child_end_print(how, &text);
    assert_string_equal(buf_cstr(&text), want);
}

/* Gone, or a zombie that only its parent, who is not us, can remove. */
static bool is_gone(int pid)
{
    char path[64];
    char text[512];

    if (kill(pid, 0) && errno == ESRCH)
        return true;
    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    FILE *in = fopen(path, "re");
    if (!in)
        return true;
    size_t n = fread(text, 1, sizeof(text) - 1, in);
    fclose(in);
    text[n] = '\0';
    const char *behind = strrchr(text, ')');
    return n == 0 || (behind && (behind[2] == 'Z' || behind[2] == 'X'));
}

/* Waits for a process that was killed: the kernel takes a moment. */
static void assert_gone(int pid)
{
    TimeUs limit = loop_now() + PATIENCE;

    while (!is_gone(pid) && loop_now() < limit)
        sched_yield();
    assert_true(is_gone(pid));
}

/* ---- tests ---- */

static void an_exit_status_and_the_output_are_kept(void **state)
{
    Run *run = *state;

    start(run, "echo to stdout; echo to stderr >&2; exit 3");
    run_to_end(run);
    assert_int_equal(run->how.status, 3);
    assert_int_equal(run->how.signal_number, 0);
    assert_false(run->how.asked);
    assert_output(run, "to stdout\nto stderr\n");
    assert_last(run, "to stdout\nto stderr");
    assert_end_text(run->how, "exit status 3");
}

static void a_signal_is_reported_as_one(void **state)
{
    Run *run = *state;

    start(run, "kill -SEGV $$");
    run_to_end(run);
    assert_int_equal(run->how.status, 0);
    assert_int_equal(run->how.signal_number, SIGSEGV);
    assert_false(run->how.asked);
    assert_end_text(run->how, "killed by signal 11 (Segmentation fault)");
    assert_end_text((ChildEnd){.status = 139},
                    "exit status 139 (as after signal 11, Segmentation fault)");
    assert_end_text((ChildEnd){.status = 255}, "exit status 255");
}

static void one_program_takes_the_place_of_the_shell(void **state)
{
    Run *run = *state;

    start(run, " sleep 1000");
    kill(child_pid(run->child), SIGSEGV); /* not the shell: it would exit with a status */
    run_to_end(run);
    assert_int_equal(run->how.signal_number, SIGSEGV);
}

static void builtins_assignments_and_lists_are_left_to_the_shell(void **state)
{
    static const struct {
        const char *command;
        const char *output;
        int status;
    } cases[] = {
        {"exit 4", "", 4},
        {"WORD=a sh -c 'echo $WORD'", "a\n", 0},
        {"cd / && pwd", "/\n", 0},
        {"printf 'a\\nb\\n' | wc -l | tr -d ' '", "2\n", 0},
        {"/bin/echo \"a  b\" 'c;d'", "a  b c;d\n", 0},
        {"echo $PYTHONUNBUFFERED", "1\n", 0},
        {"cat", "", 0}, /* stdin is empty */
        {"", "", 0},
        {"echo x > /dev/stdout", "x\n", 0}, /* a pipe, not a socket */
    };
    Run *run = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        unlink(run->output);
        run->ended = 0;
        start(run, cases[i].command);
        run_to_end(run);
        assert_int_equal(run->how.status, cases[i].status);
        assert_output(run, cases[i].output);
        run->child = child_free(run->child);
    }
}

static void a_command_that_does_not_exist_says_so(void **state)
{
    Run *run = *state;

    start(run, "no-such-program-here --port 1");
    run_to_end(run);
    assert_int_equal(run->how.status, 127);
    Str last = child_last_lines(run->child);
    assert_non_null(memmem(last.bytes, last.len, "no-such-program-here", 20));
}

static void arguments_reach_a_program_without_a_shell(void **state)
{
    static const char *const arguments[] = {"printf", "%s|", "a b", "$(id)", "'\"*", "", NULL};
    Run *run = *state;
    ChildPlan plan = {.arguments = arguments, .output_path = run->output, .output_limit = 1000};
    char text[200];

    assert_int_equal(child_start(run->loop, &plan, on_ended, run, &run->child, NULL), 0);
    run_to_end(run);
    assert_int_equal(run->how.status, 0);
    read_file(run, "output", text, sizeof(text));
    assert_string_equal(text, "a b|$(id)|'\"*||");
}

static void a_program_that_does_not_exist_is_refused(void **state)
{
    static const char *const arguments[] = {"/nonexistent/warg", NULL};
    Run *run = *state;
    ChildPlan plan = {.arguments = arguments};
    Err err = {0};

    assert_int_equal(child_start(run->loop, &plan, on_ended, run, &run->child, &err), ERR_IO);
    assert_string_equal(err.msg, "start of '/nonexistent/warg': no such file or directory");
    loop_run(run->loop);
    assert_int_equal(run->ended, 0);
}

static void a_folder_or_file_that_does_not_exist_is_refused(void **state)
{
    Run *run = *state;
    char folder[128];
    char want[256];
    Err err = {0};

    snprintf(folder, sizeof(folder), "%s/none", run->folder);
    ChildPlan plan = {.command = "true", .folder = folder};
    assert_int_equal(child_start(run->loop, &plan, on_ended, run, &run->child, &err), ERR_IO);
    snprintf(want, sizeof(want), "folder '%s': No such file or directory", folder);
    assert_string_equal(err.msg, want);

    err = (Err){0};
    snprintf(folder, sizeof(folder), "%s/none/output", run->folder);
    plan = (ChildPlan){.command = "true", .output_path = folder};
    assert_int_equal(child_start(run->loop, &plan, on_ended, run, &run->child, &err), ERR_IO);
    snprintf(want, sizeof(want), "output file '%s': No such file or directory", folder);
    assert_string_equal(err.msg, want);

    err = (Err){0};
    start(run, ": >output");
    run_to_end(run);
    plan = (ChildPlan){.command = "true", .folder = run->output};
    assert_int_equal(child_start(run->loop, &plan, on_ended, run, &run->child, &err), ERR_IO);
    assert_int_equal(run->ended, 1);
}

static void it_runs_in_its_folder_and_without_an_output_file(void **state)
{
    Run *run = *state;
    char text[128];
    ChildPlan plan = {.command = "pwd -P | tee other", .folder = run->folder};

    assert_int_equal(child_start(run->loop, &plan, on_ended, run, &run->child, NULL), 0);
    run_to_end(run);
    read_file(run, "other", text, sizeof(text));
    assert_non_null(strstr(text, strrchr(run->folder, '/')));
    assert_int_equal(file_size(run, "output"), 0);
    assert_int_equal(child_last_lines(run->child).len, strlen(text) - 1);
}

static void the_file_is_cut_at_its_limit_and_the_last_lines_go_on(void **state)
{
    Run *run = *state;
    ChildPlan plan = {.command = "i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done",
                      .output_path = run->output,
                      .output_limit = 21};

    assert_int_equal(child_start(run->loop, &plan, on_ended, run, &run->child, NULL), 0);
    run_to_end(run);
    assert_output(run, "line 0\nline 1\nline 2\n[output cut at 21 bytes]\n");
    Str last = child_last_lines(run->child);
    assert_true(str_starts(last, STR("line 4990\n")));
}

static void the_line_of_the_cut_stands_alone(void **state)
{
    Run *run = *state;
    ChildPlan plan = {
        .command = "echo 12345; echo 67890", .output_path = run->output, .output_limit = 8};

    assert_int_equal(child_start(run->loop, &plan, on_ended, run, &run->child, NULL), 0);
    run_to_end(run);
    assert_output(run, "12345\n67\n[output cut at 8 bytes]\n");
    run->child = child_free(run->child);

    /* Another child's output is appended and has its own limit; just as much is not cut. */
    run->ended = 0;
    plan.command = "echo 1234567";
    assert_int_equal(child_start(run->loop, &plan, on_ended, run, &run->child, NULL), 0);
    run_to_end(run);
    assert_output(run, "12345\n67\n[output cut at 8 bytes]\n1234567\n");
}

static void the_last_ten_lines_are_at_most_two_thousand_bytes(void **state)
{
    Run *run = *state;

    start(run, "i=0; while [ $i -lt 50000 ]; do echo $i; i=$((i+1)); done; printf end");
    run_to_end(run);
    assert_last(run, "49991\n49992\n49993\n49994\n49995\n49996\n49997\n49998\n49999\nend");
    run->child = child_free(run->child);

    run->ended = 0; /* ten lines of 300 bytes: six fit whole */
    start(run, "for i in 0 1 2 3 4 5 6 7 8 9; do printf '%0299d\\n' $i; done");
    run_to_end(run);
    Str last = child_last_lines(run->child);
    assert_int_equal(last.len, 6 * 300 - 1);
    assert_int_equal(last.bytes[298], '4');
    assert_int_equal(last.bytes[last.len - 1], '9');
    run->child = child_free(run->child);

    run->ended = 0; /* one line without end, of characters of three bytes */
    start(run, "i=0; while [ $i -lt 3000 ]; do printf '\\343\\201\\202'; i=$((i+1)); done");
    run_to_end(run);
    last = child_last_lines(run->child);
    assert_in_range(last.len, 1990, 2000);
    assert_int_equal(last.len % 3, 0);
    assert_int_equal((unsigned char)last.bytes[0], 0343);
    run->child = child_free(run->child);

    run->ended = 0;
    start(run, "true");
    run_to_end(run);
    assert_int_equal(child_last_lines(run->child).len, 0);
}

static void stopping_asks_first_and_kills_after_the_grace(void **state)
{
    Run *run = *state;

    start(run, "sleep 1000");
    child_stop(run->child, 60000);
    run_to_end(run);
    assert_int_equal(run->how.signal_number, SIGTERM);
    assert_true(run->how.asked);
    run->child = child_free(run->child);

    run->ended = 0;
    start(run, "trap '' TERM; echo > other; sleep 1000");
    run_until_file(run, "other");
    TimeUs begin = loop_now();
    child_stop(run->child, 50);
    child_stop(run->child, 60000); /* the earlier one holds */
    run_to_end(run);
    assert_true(loop_now() - begin >= 50000);
    assert_int_equal(run->how.signal_number, SIGKILL);
    assert_true(run->how.asked);
}

static void others_of_the_group_have_the_grace_too(void **state)
{
    Run *run = *state;

    /* The shell dies of SIGTERM at once; what it started needs a moment for its last words. */
    start(run, "sh -c 'trap \"sleep 0.4; echo saved; exit\" TERM; echo > other;"
               "while :; do sleep 0.05; done' & wait");
    run_until_file(run, "other");
    child_stop(run->child, 10000);
    run_to_end(run);
    Str last = child_last_lines(run->child);
    assert_true(last.len >= 5);
    assert_memory_equal(last.bytes + last.len - 5, "saved", 5);
    assert_int_equal(run->how.signal_number, SIGTERM);
}

static void a_process_left_behind_does_not_hold_the_end_and_is_killed(void **state)
{
    Run *run = *state;
    char text[64];

    start(run, "sleep 1000 & echo $! > pids; echo bye");
    TimeUs begin = loop_now();
    run_to_end(run);
    assert_in_range(loop_now() - begin, 150000, PATIENCE);
    assert_int_equal(run->how.status, 0);
    assert_last(run, "bye");
    read_file(run, "pids", text, sizeof(text));
    assert_gone((int)strtol(text, NULL, 10));
}

/* A child whose grandchildren ignore SIGTERM, one of them with its output elsewhere. */
static const char stubborn[] =
    "trap '' TERM; (trap '' TERM; sleep 1000) & one=$!;"
    "(trap '' TERM HUP; exec sleep 1000 >/dev/null 2>&1) & echo $one $! > other;"
    "mv other pids; wait";

static void freeing_kills_grandchildren_that_ignore_sigterm(void **state)
{
    Run *run = *state;
    char text[64];
    char *end;

    for (int asked = 0; asked < 2; asked++) {
        unlink(run->output);
        start(run, stubborn);
        run_until_file(run, "pids");
        read_file(run, "pids", text, sizeof(text));
        int leader = child_pid(run->child);
        int one = (int)strtol(text, &end, 10);
        int two = (int)strtol(end, NULL, 10);
        assert_true(one > 1 && two > 1);
        if (asked)
            child_stop(run->child, 60000);
        assert_false(is_gone(leader) || is_gone(one) || is_gone(two));
        run->child = child_free(run->child);
        loop_run(run->loop);
        assert_true(kill(leader, 0) && errno == ESRCH); /* and waited for */
        assert_gone(one);
        assert_gone(two);
        assert_int_equal(run->ended, 0);
        char path[128];
        snprintf(path, sizeof(path), "%s/pids", run->folder);
        unlink(path);
    }
}

static void freeing_when_only_the_grandchildren_live_kills_them(void **state)
{
    Run *run = *state;
    char text[64];

    start(run, "(trap '' TERM; sleep 1000) & echo $! > pids; kill -KILL $$");
    run_until_file(run, "pids");
    int leader = child_pid(run->child);
    while (!is_gone(leader))
        sched_yield();
    read_file(run, "pids", text, sizeof(text));
    int other = (int)strtol(text, NULL, 10);
    assert_false(is_gone(other));
    run->child = child_free(run->child);
    assert_gone(other);
}

static void freeing_the_loop_kills_and_waits(void **state)
{
    Run *run = *state;

    start(run, stubborn);
    run_until_file(run, "pids");
    int pid = child_pid(run->child);
    loop_free(run->loop);
    assert_true(kill(pid, 0) && errno == ESRCH);
    assert_int_equal(run->ended, 0);
    run->loop = NULL;
}

static void a_child_may_be_freed_in_its_end(void **state)
{
    Run *run = *state;

    run->free_when_ended = true;
    start(run, "true");
    run_to_end(run);
    assert_null(run->child);
}

static void accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    (void)user;
    (void)conn;
    (void)peer;
    (void)now;
}

static void line(void *user, Str text, TimeUs at, TimeUs now)
{
    (void)user;
    (void)text;
    (void)at;
    (void)now;
}

static void conn_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    (void)user;
    (void)how;
    (void)partial;
    (void)now;
}

static void nothing_open_here_is_open_there(void **state)
{
    static const ConnEvents events = {.line = line, .ended = conn_ended};
    static const ConnLimits limits = {.line_bytes = 10, .queued_bytes = 10};
    Run *run = *state;
    Listener *listener;
    Conn *conn;

    assert_int_equal(tcp_listen(run->loop, "127.0.0.1", 0, accepted, NULL, &listener, NULL), 0);
    assert_int_equal(tcp_connect(run->loop, "127.0.0.1", listener_port(listener), &events, NULL,
                                 &limits, &conn, NULL),
                     0);
    ChildPlan other = {.command = "sleep 1000", .output_path = run->output, .output_limit = 10};
    Child *sleeper;
    assert_int_equal(child_start(run->loop, &other, on_ended, run, &sleeper, NULL), 0);
    start(run,
          "ls -l /proc/self/fd | sed -n 's/.* \\([0-9]*\\) -> \\([a-z/]*\\).*/\\1 \\2/p' | sort");
    run_to_end(run);
    child_free(sleeper);
    conn_close(conn);
    /* What the test was started with may be inherited; ours are sockets, pipes and the file. */
    char text[4096];
    read_file(run, "output", text, sizeof(text));
    assert_null(strstr(text, "socket"));
    assert_null(strstr(text, "anon_inode"));
    assert_null(strstr(text, "warg-child"));
    assert_non_null(strstr(text, "0 /dev/null\n"));
    assert_non_null(strstr(text, "1 pipe\n"));
    assert_non_null(strstr(text, "2 pipe\n"));
}

static void signals_are_as_in_a_new_program(void **state)
{
    Run *run = *state;
    sigset_t all;
    sigset_t old;
    char text[4096];

    signal(SIGHUP, SIG_IGN);
    sigemptyset(&all);
    sigaddset(&all, SIGUSR1);
    sigprocmask(SIG_BLOCK, &all, &old);
    start(run, "grep -E '^Sig(Blk|Ign):' /proc/self/status");
    run_to_end(run);
    sigprocmask(SIG_SETMASK, &old, NULL);
    signal(SIGHUP, SIG_DFL);
    read_file(run, "output", text, sizeof(text));
    assert_non_null(strstr(text, "SigBlk:\t0000000000000000"));
    /* Below 32: SIGPIPE, which the loop ignores here, is among them. */
    assert_non_null(strstr(text, "SigIgn:\t"));
    assert_memory_equal(strstr(text, "SigIgn:\t") + 16, "00000000", 8);
}

/* ---- more printed than is kept ---- */

typedef struct Cut {
    Run run; /* first: it is the user of the child */
    int cuts;
    int ended_when_cut;
} Cut;

static void on_cut(void *user, TimeUs now)
{
    Cut *cut = user;

    (void)now;
    cut->cuts++;
    cut->ended_when_cut = cut->run.ended;
}

/* Prints `bytes` bytes in lines of ten, of which 1,000 are kept. How often a cut was told. */
static int cuts_of(Run *run, int bytes)
{
    Cut cut = {.run = *run};
    char command[128];
    ChildPlan plan = {
        .command = command, .output_path = run->output, .output_limit = 1000, .cut = on_cut};

    unlink(run->output);
    snprintf(command, sizeof(command),
             "i=0; while [ $i -lt %d ]; do echo 123456789; i=$((i+10)); done", bytes);
    assert_int_equal(timer_new(run->loop, give_up, &cut.run, &cut.run.limit, NULL), 0);
    assert_int_equal(child_start(run->loop, &plan, on_ended, &cut.run, &cut.run.child, NULL), 0);
    run_to_end(&cut.run);
    child_free(cut.run.child);
    timer_free(cut.run.limit);
    assert_int_equal(cut.ended_when_cut, 0);
    return cut.cuts;
}

static void a_cut_of_the_output_is_told_once_and_before_the_end(void **state)
{
    assert_int_equal(cuts_of(*state, 1000), 0);
    assert_int_equal(cuts_of(*state, 1010), 1);
    assert_int_equal(cuts_of(*state, 100000), 1);
}

/* ---- a program in front that talks ---- */

/* This test's own program is the front; its words are FRONT, what it does, and the command. */
#define FRONT "front-of-test_child"

static void say(const char *text, int descriptor)
{
    if (!fd_socket_send(CHILD_LIFELINE, text, strlen(text), descriptor))
        _exit(9);
}

static void say_numbers(int count)
{
    char text[16];

    for (int i = 1; i <= count; i++) {
        snprintf(text, sizeof(text), "%d", i);
        say(text, -1);
    }
}

static void hand_over(int count)
{
    for (int i = 0; i < count; i++) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC))
            _exit(8);
        say("pipe", ends[1]);
        close(ends[0]);
        close(ends[1]);
    }
}

static void say_what_the_file_has(void)
{
    char text[64];
    const ssize_t count = pread(CHILD_FILE, text, sizeof(text) - 1, 0);

    text[count > 0 ? count : 0] = '\0';
    say(count > 0 ? text : "no file", -1);
}

/* Until it is told that its time is over. */
static _Noreturn void wait_for_dismissal(bool deaf)
{
    char bytes[FD_SOCKET_BYTES];
    size_t count;
    int descriptor;

    signal(SIGTERM, SIG_IGN);
    say("waits", -1);
    while (fd_socket_receive(CHILD_LIFELINE, bytes, &count, &descriptor) != FD_SOCKET_OVER)
        continue;
    say("tidied", -1);
    while (deaf)
        pause();
    _exit(11);
}

/* Two words before the command. */
static int be_front(char **words)
{
    char block[FD_SOCKET_BYTES + 1] = "too long";
    const char *what = words[1];

    if (strcmp(what, "numbers") == 0)
        say_numbers(200);
    else if (strcmp(what, "descriptors") == 0)
        hand_over(100);
    else if (strcmp(what, "file") == 0)
        say_what_the_file_has();
    else if (strcmp(what, "long") == 0)
        fd_socket_send(CHILD_LIFELINE, block, sizeof(block), STDIN_FILENO);
    else if (strcmp(what, "waits") == 0 || strcmp(what, "deaf") == 0)
        wait_for_dismissal(strcmp(what, "deaf") == 0);
    while (strcmp(what, "flood") == 0)
        say("once more", -1);
    say("about to begin", -1);
    if (strcmp(what, "dies") == 0)
        kill(getpid(), SIGKILL);
    execv(words[2], words + 2);
    return 7;
}

/* What was told. */
typedef struct Talk {
    Run *run;
    Buf text; /* messages, a '|' behind each */
    int count;
    int descriptors;
    int ended_when_told;
    int free_at; /* message; 0 = never */
} Talk;

static void on_told(void *user, Str message, int take_descriptor, TimeUs now)
{
    Talk *talk = ((Run *)user)->talk;

    (void)now;
    talk->count++;
    talk->ended_when_told = talk->run->ended;
    if (talk->text.len < 4096) {
        buf_add(&talk->text, message);
        buf_add_char(&talk->text, '|');
    }
    if (take_descriptor >= 0) {
        talk->descriptors++;
        close(take_descriptor);
    }
    if (talk->count == talk->free_at) {
        talk->run->child = child_free(talk->run->child);
        loop_stop(talk->run->loop);
    }
}

static int count_open(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;

    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void start_behind(Run *run, Talk *talk, const char *what, int file)
{
    const char *const words[] = {FRONT, what, NULL};
    const ChildFront front = {
        .program = "/proc/self/exe", .words = words, .file = file, .talks = true};
    const ChildPlan plan = {.command = talk ? "exit 5" : "sleep 0.4; exit 5",
                            .output_path = run->output,
                            .output_limit = 1000,
                            .front = &front,
                            .told = talk ? on_told : NULL};
    Err err = {0};

    run->ended = 0;
    run->talk = talk;
    if (talk)
        talk->run = run;
    if (child_start(run->loop, &plan, on_ended, run, &run->child, &err))
        fail_msg("%s", err.msg);
}

static void what_a_front_says_is_told_in_order_and_before_its_end(void **state)
{
    Run *run = *state;
    Talk talk = {0};

    start_behind(run, &talk, "numbers", -1);
    run_to_end(run);
    assert_int_equal(run->how.status, 5); /* it ended as the command did */
    assert_int_equal(talk.count, 201);
    assert_int_equal(talk.ended_when_told, 0);
    assert_memory_equal(talk.text.bytes, "1|2|3|4|", 8);
    assert_non_null(strstr(buf_cstr(&talk.text), "|199|200|about to begin|"));
    buf_done(&talk.text);
}

static void descriptors_that_it_hands_over_are_the_callees_and_do_not_leak(void **state)
{
    Run *run = *state;
    Talk talk = {0};

    start_behind(run, &talk, "descriptors", -1); /* the first child opens some for the loop */
    run_to_end(run);
    run->child = child_free(run->child);
    loop_run(run->loop);
    const int before = count_open();
    start_behind(run, &talk, "descriptors", -1);
    run_to_end(run);
    assert_int_equal(talk.descriptors, 200);
    run->child = child_free(run->child);
    loop_run(run->loop);
    assert_int_equal(count_open(), before);
    buf_done(&talk.text);
}

static double own_seconds(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void messages_that_nobody_hears_are_dropped_and_do_not_spin_the_loop(void **state)
{
    Run *run = *state;

    start_behind(run, NULL, "descriptors", -1);
    run_to_end(run);
    run->child = child_free(run->child);
    loop_run(run->loop);
    const int before = count_open();
    const double begin = own_seconds();
    start_behind(run, NULL, "descriptors", -1);
    run_to_end(run);
    assert_true(own_seconds() - begin < 0.2); /* half of the time that it took */
    run->child = child_free(run->child);
    loop_run(run->loop);
    assert_int_equal(count_open(), before);
}

static void a_front_gets_a_file_when_it_has_one_to_get(void **state)
{
    Run *run = *state;
    char path[128];
    Talk talk = {0};

    snprintf(path, sizeof(path), "%s/other", run->folder);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(write(file, "an order", 8), 8);
    start_behind(run, &talk, "file", file);
    run_to_end(run);
    assert_string_equal(buf_cstr(&talk.text), "an order|about to begin|");
    run->child = child_free(run->child);
    buf_clear(&talk.text);
    start_behind(run, &talk, "file", -1);
    run_to_end(run);
    assert_string_equal(buf_cstr(&talk.text), "no file|about to begin|");
    close(file);
    buf_done(&talk.text);
}

static void a_front_that_dies_is_an_end_behind_its_last_words(void **state)
{
    Run *run = *state;
    Talk talk = {0};

    start_behind(run, &talk, "dies", -1);
    run_to_end(run);
    assert_int_equal(run->how.signal_number, SIGKILL);
    assert_false(run->how.asked);
    assert_string_equal(buf_cstr(&talk.text), "about to begin|");
    buf_done(&talk.text);
}

static void what_is_no_message_is_passed_over(void **state)
{
    Run *run = *state;
    Talk talk = {0};

    start_behind(run, &talk, "long", -1);
    run_to_end(run);
    assert_int_equal(run->how.status, 5);
    assert_string_equal(buf_cstr(&talk.text), "about to begin|");
    buf_done(&talk.text);
}

static void a_front_that_floods_does_not_hold_the_loop(void **state)
{
    Run *run = *state;
    Talk talk = {0};

    start_behind(run, &talk, "flood", -1);
    for (int turn = 0; turn < 5 || (talk.count <= 64 && turn < 3000); turn++) {
        timer_at(run->limit, loop_now() + 20000, false);
        loop_run(run->loop); /* the timer goes off among the messages */
    }
    assert_int_equal(run->ended, 0);
    assert_true(talk.count > 64);
    assert_true(child_running(run->child));
    const int pid = child_pid(run->child);
    child_stop(run->child, 60000);
    run_to_end(run);
    assert_int_equal(run->how.signal_number, SIGTERM);
    run->child = child_free(run->child);
    assert_gone(pid);
    buf_done(&talk.text);
}

static void a_front_is_told_that_its_time_is_over_and_killed_when_it_stays(void **state)
{
    Run *run = *state;

    for (int deaf = 0; deaf < 2; deaf++) {
        Talk talk = {0};
        start_behind(run, &talk, deaf ? "deaf" : "waits", -1);
        while (talk.count == 0) {
            timer_at(run->limit, loop_now() + 5000, false);
            loop_run(run->loop);
        }
        child_stop(run->child, 20);
        run_to_end(run);
        assert_true(run->how.asked);
        assert_string_equal(buf_cstr(&talk.text), "waits|tidied|");
        assert_int_equal(run->how.status, deaf ? 0 : 11);
        assert_int_equal(run->how.signal_number, deaf ? SIGKILL : 0);
        run->child = child_free(run->child);
        buf_done(&talk.text);
    }
}

static void a_child_may_be_freed_in_what_it_is_told(void **state)
{
    Run *run = *state;

    for (int at = 1; at <= 201; at += 50) { /* the last one comes with its end, or before */
        Talk talk = {.free_at = at};
        start_behind(run, &talk, "numbers", -1);
        timer_at(run->limit, loop_now() + PATIENCE, false);
        loop_run(run->loop);
        assert_null(run->child);
        timer_stop(run->limit);
        loop_run(run->loop);
        assert_int_equal(talk.count, at);
        assert_int_equal(run->ended, 0);
        buf_done(&talk.text);
    }
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[0], FRONT) == 0)
        return be_front(argv);
#define CHILD_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CHILD_TEST(an_exit_status_and_the_output_are_kept),
        CHILD_TEST(a_signal_is_reported_as_one),
        CHILD_TEST(one_program_takes_the_place_of_the_shell),
        CHILD_TEST(builtins_assignments_and_lists_are_left_to_the_shell),
        CHILD_TEST(a_command_that_does_not_exist_says_so),
        CHILD_TEST(arguments_reach_a_program_without_a_shell),
        CHILD_TEST(a_program_that_does_not_exist_is_refused),
        CHILD_TEST(a_folder_or_file_that_does_not_exist_is_refused),
        CHILD_TEST(it_runs_in_its_folder_and_without_an_output_file),
        CHILD_TEST(the_file_is_cut_at_its_limit_and_the_last_lines_go_on),
        CHILD_TEST(the_line_of_the_cut_stands_alone),
        CHILD_TEST(the_last_ten_lines_are_at_most_two_thousand_bytes),
        CHILD_TEST(stopping_asks_first_and_kills_after_the_grace),
        CHILD_TEST(others_of_the_group_have_the_grace_too),
        CHILD_TEST(a_process_left_behind_does_not_hold_the_end_and_is_killed),
        CHILD_TEST(freeing_kills_grandchildren_that_ignore_sigterm),
        CHILD_TEST(freeing_when_only_the_grandchildren_live_kills_them),
        CHILD_TEST(freeing_the_loop_kills_and_waits),
        CHILD_TEST(a_child_may_be_freed_in_its_end),
        CHILD_TEST(nothing_open_here_is_open_there),
        CHILD_TEST(signals_are_as_in_a_new_program),
        CHILD_TEST(a_cut_of_the_output_is_told_once_and_before_the_end),
        CHILD_TEST(what_a_front_says_is_told_in_order_and_before_its_end),
        CHILD_TEST(descriptors_that_it_hands_over_are_the_callees_and_do_not_leak),
        CHILD_TEST(messages_that_nobody_hears_are_dropped_and_do_not_spin_the_loop),
        CHILD_TEST(a_front_gets_a_file_when_it_has_one_to_get),
        CHILD_TEST(a_front_that_dies_is_an_end_behind_its_last_words),
        CHILD_TEST(what_is_no_message_is_passed_over),
        CHILD_TEST(a_front_that_floods_does_not_hold_the_loop),
        CHILD_TEST(a_front_is_told_that_its_time_is_over_and_killed_when_it_stays),
        CHILD_TEST(a_child_may_be_freed_in_what_it_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
