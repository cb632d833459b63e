#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "seat/bot_call.h"

/* ---- a server on the same loop: each connection gets the lines of its script, then an end ---- */

typedef struct Visit {
    struct Door *door;
    Conn *conn;
} Visit;

typedef struct Door {
    Loop *loop;
    Listener *listener;
    const char *const *scripts; /* of the connections in order; NULL = hang up, listen no more */
    size_t accepted;
    Visit visits[8];
    Buf heard;
} Door;

static void visit_line(void *user, Str line, TimeUs at, TimeUs now)
{
    Visit *visit = user;

    (void)at;
    (void)now;
    buf_add(&visit->door->heard, line);
    buf_add_char(&visit->door->heard, '|');
    visit->conn = conn_close(visit->conn);
}

static void visit_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    Visit *visit = user;

    (void)now;
    (void)how, (void)partial;
    visit->conn = NULL;
}

static void on_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    static const ConnEvents events = {.line = visit_line, .ended = visit_ended};
    const ConnLimits limits = {.line_bytes = 1000, .queued_bytes = 100000};
    Door *door = user;
    Visit *visit = &door->visits[door->accepted];
    const char *script = door->scripts[door->accepted++];

    (void)peer;
    (void)now;
    *visit = (Visit){door, conn};
    conn_attach(conn, &events, visit, &limits);
    if (script)
        conn_send(conn, str_of(script));
    if (!script || !strstr(script, "NAME")) /* no answer will come */
        visit->conn = conn_close(conn);
    if (!door->scripts[door->accepted])
        door->listener = listener_close(door->listener);
}

/* How a call goes that meets these scripts, ended by NULL. */
static int call_with(const char *const scripts[], bool repeat, Door *door, Err *err)
{
    BotCallPlan plan = {.bot = {.kind = bot_kind(STR("random")), .name = "bob"},
                        .host = "127.0.0.1",
                        .wait = 300000,
                        .repeat = repeat};
    BotCall *call = NULL;

    *door = (Door){.scripts = scripts};
    assert_int_equal(loop_new(&door->loop, err), 0);
    assert_int_equal(
        tcp_listen(door->loop, "127.0.0.1", 0, on_accepted, door, &door->listener, err), 0);
    plan.port = listener_port(door->listener);
    if (!scripts[0])
        door->listener = listener_close(door->listener);
    assert_int_equal(bot_call_new(door->loop, &plan, loop_now(), &call, err), 0);
    loop_run(door->loop);
    int rc = bot_call_result(call, err);
    bot_call_free(call);
    loop_free(door->loop);
    return rc;
}

#define PACKET(name) "{\"request\":\"" name "\"}\n"
#define GAME                                                                                       \
    "{\"request\":\"INITIALIZE\",\"gameInfo\":{\"agent\":1,\"day\":0,\"roleMap\":{\"1\":"          \
    "\"VILLAGER\"},\"statusMap\":{\"1\":\"ALIVE\",\"2\":\"ALIVE\",\"3\":\"ALIVE\"}}}\n"

static const char whole[] = GAME PACKET("FINISH") PACKET("NAME") GAME PACKET("FINISH");
static const char half[] = GAME PACKET("DAILY_INITIALIZE");

static void expect(const char *const scripts[], bool repeat, size_t connections, int wanted,
                   const char *about)
{
    Door door;
    Err err = {0};

    assert_int_equal(call_with(scripts, repeat, &door, &err), wanted);
    assert_int_equal(door.accepted, connections);
    if (!strstr(err.msg, about))
        fail_msg("expected '%s' in: %s", about, err.msg);
    buf_done(&door.heard);
}

static void the_end_is_in_order_behind_finish_only(void **state)
{
    (void)state;
    expect((const char *const[]){whole, NULL}, false, 1, 0, "");
    expect((const char *const[]){half, NULL}, false, 1, ERR_IO,
           "before the game was over, behind DAILY_INITIALIZE");
    expect((const char *const[]){"", NULL}, false, 1, ERR_IO, "without a word");
    expect((const char *const[]){PACKET("NAME"), NULL}, false, 1, ERR_IO, "behind NAME");
}

static void a_line_that_is_no_packet_ends_the_call_for_good(void **state)
{
    (void)state;
    expect((const char *const[]){"hello\n", NULL}, true, 1, ERR_SYNTAX, "not JSON");
}

static void nobody_there_is_said_after_the_wait(void **state)
{
    (void)state;
    expect((const char *const[]){NULL}, false, 0, ERR_IO, "is the server running?");
    expect((const char *const[]){NULL}, true, 0, ERR_IO, "is the server running?");
}

static void repeat_calls_until_nobody_is_there(void **state)
{
    (void)state;
    expect((const char *const[]){whole, half, whole, NULL}, true, 3, 0, "");
    expect((const char *const[]){whole, half, NULL}, true, 2, ERR_IO, "behind DAILY_INITIALIZE");
    /* The set before counts when the server takes a name for the next and goes. */
    expect((const char *const[]){whole, PACKET("NAME"), NULL}, true, 2, 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_in_order_behind_finish_only),
        cmocka_unit_test(a_line_that_is_no_packet_ends_the_call_for_good),
        cmocka_unit_test(nobody_there_is_said_after_the_wait),
        cmocka_unit_test(repeat_calls_until_nobody_is_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
