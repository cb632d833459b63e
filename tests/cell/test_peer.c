#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/peer.h"

#include "cell/cell.h"
#include "net/child.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE ((TimeUs)60 * 1000 * 1000)

/* A listener, who has come to it, and processes that come. */
typedef struct Run {
    Loop *loop;
    Timer *limit;
    Listener *listener;
    Conn *conn;
    Child *child;
    int ended;
} Run;

static void on_line(void *user, Str line, TimeUs at, TimeUs now)
{
    (void)user;
    (void)line;
    (void)at;
    (void)now;
}

static void on_conn_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    (void)how;
    (void)partial;
    (void)now;
    ((Run *)user)->conn = NULL;
}

static void on_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    Run *run = user;
    const ConnEvents events = {.line = on_line, .ended = on_conn_ended};
    const ConnLimits limits = {100, 100};

    (void)peer;
    (void)now;
    run->conn = conn;
    conn_attach(conn, &events, run, &limits);
    loop_stop(run->loop);
}

static void give_up(void *user, TimeUs now)
{
    (void)now;
    loop_stop(((Run *)user)->loop);
}

static void on_child_ended(void *user, ChildEnd how, TimeUs now)
{
    (void)how;
    (void)now;
    ((Run *)user)->ended++;
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));

    assert_non_null(run);
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, give_up, run, &run->limit, NULL), 0);
    assert_int_equal(tcp_listen(run->loop, "127.0.0.1", 0, on_accepted, run, &run->listener, NULL),
                     0);
    *state = run;
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;

    loop_free(run->loop);
    mem_free(run);
    return 0;
}

/* Runs `command`, with the port in place of %u, in a cell or not, until it has connected. */
static void call(Run *run, const Cell *cell, const char *before, const char *behind)
{
    char command[512];
    Err err = {0};

    snprintf(command, sizeof(command), "%sexec 3<>/dev/tcp/127.0.0.1/%u; read x <&3%s", before,
             listener_port(run->listener), behind);
    const ChildPlan plan = {.command = command, .front = cell ? cell_front(cell) : NULL};
    if (child_start(run->loop, &plan, on_child_ended, run, &run->child, &err))
        fail_msg("%s", err.msg);
    timer_at(run->limit, loop_now() + PATIENCE, false);
    loop_run(run->loop);
    assert_non_null(run->conn);
}

static void a_connection_of_the_program_is_its_own(void **state)
{
    Run *run = *state;

    call(run, NULL, "bash -c '", "'");
    assert_int_equal(peer_owner(run->conn, child_pid(run->child)), PEER_OURS);
}

static void a_connection_of_a_childs_child_is_too(void **state)
{
    Run *run = *state;

    call(run, NULL, "sh -c 'setsid bash -c \"", "\"; :'; :");
    assert_int_equal(peer_owner(run->conn, child_pid(run->child)), PEER_OURS);
    assert_int_not_equal(peer_process(run->conn), child_pid(run->child));
}

static void one_from_a_cell_is_too(void **state)
{
    Run *run = *state;
    const char *hidden[] = {NULL};
    Cell *cell = NULL;

    assert_int_equal(cell_new(hidden, 022, NULL, &cell, NULL), 0);
    if (cell_lack(cell).len) {
        print_message("no cells here: %.*s\n", STR_ARG(cell_lack(cell)));
        cell_free(cell);
        skip();
    }
    call(run, cell, "bash -c '(", ") & wait'");
    assert_int_equal(peer_owner(run->conn, child_pid(run->child)), PEER_OURS);
    run->child = child_free(run->child);
    cell_free(cell);
}

static void one_of_somebody_else_is_not(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};
    int other = fork();

    if (other == 0) {
        pause();
        _exit(0);
    }
    call(run, NULL, "exec bash -c '", "'");
    assert_int_equal(peer_owner(run->conn, other), PEER_OTHER);
    assert_int_equal(peer_process(run->conn), child_pid(run->child));
    peer_print_process(peer_process(run->conn), &text);
    assert_non_null(strstr(buf_cstr(&text), "(bash)"));
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
}

static void one_that_nobody_holds_any_more_is_nobodys(void **state)
{
    Run *run = *state;

    call(run, NULL, "exec bash -c '", "'");
    int pid = child_pid(run->child);
    kill(pid, SIGKILL);
    for (TimeUs until = loop_now() + PATIENCE; !run->ended && loop_now() < until;) {
        timer_at(run->limit, loop_now() + 10 * 1000, false);
        conn_pause(run->conn);
        loop_run(run->loop);
    }
    assert_int_equal(peer_owner(run->conn, getpid()), PEER_OTHER);
    assert_int_equal(peer_process(run->conn), 0);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_connection_of_the_program_is_its_own),
        CASE(a_connection_of_a_childs_child_is_too),
        CASE(one_from_a_cell_is_too),
        CASE(one_of_somebody_else_is_not),
        CASE(one_that_nobody_holds_any_more_is_nobodys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
