#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/process_use.h"

#include "base/buf.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ThreadSanitizer has a thread of its own in each program, and one more where a fork came before a
 * thread. */
#if defined(__SANITIZE_THREAD__)
#    define OWN_THREADS 1
#elif defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define OWN_THREADS 1
#    endif
#endif
#ifndef OWN_THREADS
#    define OWN_THREADS 0
#endif

/* What was seen, a line each: "2 /tmp/x". */
static void note_sight(void *user, ProcessSight what, Str text)
{
    buf_printf(user, "%d %.*s\n", (int)what, STR_ARG(text));
}

static bool has_line(const Buf *seen, ProcessSight what, const char *text)
{
    CLEANUP(buf_done) Buf line = {0};
    size_t at;

    buf_printf(&line, "%d %s", (int)what, text);
    return str_find(buf_str(seen), buf_str(&line), &at);
}

static _Atomic bool named;

static void *sleep_for_ever(void *user)
{
    (void)user;
    prctl(PR_SET_NAME, "pool-1-thread-1");
    named = true;
    while (true)
        pause();
    return NULL;
}

/* What a child of ours does before it waits to be killed; it writes a byte when that is done. */
typedef void Deed(const char *path);

static int start_child(Deed *deed, const char *path)
{
    int ends[2];
    char byte;

    assert_int_equal(pipe(ends), 0);
    int pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        deed(path);
        if (write(ends[1], "x", 1) != 1)
            _exit(1);
        close(ends[1]);
        while (true)
            pause();
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return pid;
}

static void end_child(int pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void do_nothing(const char *path)
{
    (void)path;
}

static void write_file(const char *path)
{
    if (open(path, O_WRONLY) < 0)
        _exit(1);
}

static void read_file(const char *path)
{
    if (open(path, O_RDONLY) < 0)
        _exit(1);
}

static void start_thread(const char *path)
{
    pthread_t thread;

    (void)path;
    if (pthread_create(&thread, NULL, sleep_for_ever, NULL))
        _exit(1);
    while (!named)
        usleep(1000);
}

static void start_process(const char *path)
{
    int ends[2];
    char byte;

    (void)path;
    if (pipe(ends))
        _exit(1);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "the-child");
        close(ends[0]);
        close(ends[1]); /* told: nobody else has it open */
        while (true)
            pause();
    }
    close(ends[1]);
    if (read(ends[0], &byte, 1))
        _exit(1);
    close(ends[0]);
}

static void open_port(const char *path)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    (void)path;
    if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 1))
        _exit(1);
}

/* What is seen of a child that does `deed`. */
static ProcessUse look_at(Deed *deed, const char *path, uint16_t own_port, Buf *seen)
{
    const ProcessWitness witness = {note_sight, seen};
    ProcessUse use = {0};
    int pid = start_child(deed, path);

    assert_true(process_use_read(pid, own_port, &witness, &use));
    assert_int_equal(use.pid, pid);
    end_child(pid);
    return use;
}

static void a_quiet_program_is_one_process_with_one_thread(void **state)
{
    CLEANUP(buf_done) Buf seen = {0};

    (void)state;
    const ProcessUse use = look_at(do_nothing, "", 0, &seen);
    assert_int_equal(use.processes, 1);
    assert_int_equal(use.threads, 1 + OWN_THREADS);
    assert_true(use.files >= 3);
    assert_true(use.peak_kib > 0);
    assert_false(has_line(&seen, SIGHT_PROCESS, ""));
    assert_true(OWN_THREADS || !has_line(&seen, SIGHT_THREAD, ""));
}

static void who_has_ended_is_not_seen(void **state)
{
    ProcessUse use;

    (void)state;
    int pid = start_child(do_nothing, "");
    end_child(pid);
    assert_false(process_use_read(pid, 0, NULL, &use));
    assert_false(process_use_read(0, 0, NULL, &use));
}

static void a_file_that_is_written_is_seen_and_one_that_is_read_is_not(void **state)
{
    CLEANUP(buf_done) Buf seen = {0};
    char path[] = "/tmp/warg-use-XXXXXX";
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    close(fd); /* or the child has it, too */
    look_at(read_file, path, 0, &seen);
    assert_false(has_line(&seen, SIGHT_WRITES, path));
    look_at(write_file, path, 0, &seen);
    assert_true(has_line(&seen, SIGHT_WRITES, path));
    unlink(path);
}

static void threads_and_processes_are_counted_and_named(void **state)
{
    CLEANUP(buf_done) Buf seen = {0};

    (void)state;
    const uint32_t threads = look_at(start_thread, "", 0, &seen).threads;
    assert_true(threads == 2 || (OWN_THREADS && threads > 2));
    assert_true(has_line(&seen, SIGHT_THREAD, "pool-1-thread-1"));
    assert_int_equal(look_at(start_process, "", 0, &seen).processes, 2);
    assert_true(has_line(&seen, SIGHT_PROCESS, "the-child ("));
}

static void a_port_that_is_listened_on_is_seen(void **state)
{
    CLEANUP(buf_done) Buf seen = {0};

    (void)state;
    look_at(open_port, "", 1, &seen);
    assert_true(has_line(&seen, SIGHT_NETWORK, "tcp port "));
}

static void lines_of_proc_net_are_read_and_nothing_else_is(void **state)
{
    SocketLine line = {0};

    (void)state;
    assert_true(process_use_socket_line(
        "tcp",
        STR("   3: 0100007F:9C40 08080808:0035 01 00000000:00000000 00:00000000 00000000  1000  "
            "      0 4711 1 0000000000000000 20 4 30 10 -1\n"),
        &line));
    assert_int_equal(line.inode, 4711);
    assert_int_equal(line.port, 53);
    assert_string_equal(line.text, "tcp 8.8.8.8:53");
    assert_true(process_use_socket_line(
        "udp6",
        STR("1: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 07 "
            "00000000:00000000 00:00000000 00000000 0 0 12 2 x"),
        &line));
    assert_string_equal(line.text, "udp6 port 80, open for others");
    assert_false(
        process_use_socket_line("tcp", STR("  sl  local_address rem_address   st"), &line));
    assert_false(
        process_use_socket_line("tcp", STR("1: zz00007F:0050 0100007F:0050 1 2 3 4 5 6 7"), &line));
    assert_false(process_use_socket_line("tcp", STR(""), &line));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quiet_program_is_one_process_with_one_thread),
        cmocka_unit_test(who_has_ended_is_not_seen),
        cmocka_unit_test(a_file_that_is_written_is_seen_and_one_that_is_read_is_not),
        cmocka_unit_test(threads_and_processes_are_counted_and_named),
        cmocka_unit_test(a_port_that_is_listened_on_is_seen),
        cmocka_unit_test(lines_of_proc_net_are_read_and_nothing_else_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
