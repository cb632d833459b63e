#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "seat/conn_link.h"

#include "base/mem.h"
#include "seat/aiwolf_agent.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define WHILE_US ((TimeUs)20 * 1000 * 1000) /* how long something may take on a busy machine */

/* An agent at the end of a connection, asked what seat 1 of a real game is asked. */
typedef struct Desk {
    Loop *loop;
    Listener *listener;
    AiwolfAgent *agent;
    Timer *clock;
    Game *game;
    Buf scratch;
    Buf told; /* "named; answered TEXT; disconnect at TALK; " */
    TimeUs give_up;
    Patience limits;
    int fd; /* the program's end */
    int wanted;
    int events;
} Desk;

static void count_event(Desk *desk)
{
    if (++desk->events >= desk->wanted)
        loop_stop(desk->loop);
}

static void on_named(void *user)
{
    Desk *desk = user;

    buf_printf(&desk->told, "named; ");
    count_event(desk);
}

static void on_answered(void *user, const Answer *answer, TimeUs at)
{
    Desk *desk = user;

    (void)at;
    buf_printf(&desk->told, "answered %.*s; ", (int)answer->text.len, answer->text.bytes);
    count_event(desk);
}

static void on_failed(void *user, const Fault *fault)
{
    Desk *desk = user;

    buf_printf(&desk->told, "%s at '%s'; ", fault_kind_name(fault->kind), fault->request);
    count_event(desk);
}

static void on_counted(void *user, const Fault *fault)
{
    (void)user;
    (void)fault;
}

static const AiwolfAgentEvents desk_events = {on_named, on_answered, on_failed, on_counted};

static void on_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    const ConnLimits limits = {.line_bytes = 65536, .queued_bytes = 1 << 20};
    Desk *desk = user;
    Link link = {0};

    (void)peer;
    (void)now;
    assert_int_equal(
        aiwolf_agent_new(&desk->limits, &desk_events, desk, &desk->scratch, &desk->agent, NULL), 0);
    assert_int_equal(conn_link_open(conn, &limits, 0, &aiwolf_agent_ears, desk->agent, &link, NULL),
                     0);
    aiwolf_agent_open(desk->agent, link, loop_now());
}

/* What a table's timer does. */
static void on_clock(void *user, TimeUs now)
{
    Desk *desk = user;

    (void)now;
    if (loop_now() > desk->give_up)
        loop_stop(desk->loop);
    else
        timer_at(desk->clock, loop_now() + 1000, false);
    if (desk->agent)
        aiwolf_agent_due(desk->agent, loop_now());
}

/* Runs the loop until `count` more things were told. */
static void desk_wait(Desk *desk, int count)
{
    desk->wanted = desk->events + count;
    desk->give_up = loop_now() + WHILE_US;
    timer_at(desk->clock, loop_now(), false);
    loop_run(desk->loop);
    assert_int_equal(desk->events, desk->wanted);
}

/* Runs the loop for a while in which nothing is told. */
static void desk_run(Desk *desk, TimeUs time)
{
    desk->wanted = desk->events + 1;
    desk->give_up = loop_now() + time;
    timer_at(desk->clock, loop_now(), false);
    loop_run(desk->loop);
    assert_int_equal(desk->events, desk->wanted - 1);
}

static void desk_say(const Desk *desk, const char *text)
{
    assert_int_equal(send(desk->fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* Asks for the first talk of a game. */
static void desk_ask(Desk *desk)
{
    const Ask ask = {.seat = 1, .kind = ASK_TALK};

    aiwolf_agent_ask(desk->agent, &ask, game_view(desk->game, 1), loop_now());
}

static void desk_open(Desk *desk, TimeUs limit)
{
    Ruleset rules;
    Event event;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    *desk = (Desk){.limits = {.answer = limit, .startup = WHILE_US, .forgives = true}};
    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    assert_int_equal(game_new(&rules, 5, &desk->game, NULL), 0);
    assert_int_equal(game_start(desk->game, NULL, chance_from_seed(1), NULL), 0);
    while (game_next_event(desk->game, &event))
        ;
    assert_int_equal(loop_new(&desk->loop, NULL), 0);
    assert_int_equal(timer_new(desk->loop, on_clock, desk, &desk->clock, NULL), 0);
    assert_int_equal(
        tcp_listen(desk->loop, "127.0.0.1", 0, on_accepted, desk, &desk->listener, NULL), 0);
    address.sin_port = htons(listener_port(desk->listener));
    desk->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(desk->fd, (struct sockaddr *)&address, sizeof(address)), 0);
}

/* With an agent that has said its name. */
static void desk_open_named(Desk *desk, TimeUs limit)
{
    desk_open(desk, limit);
    desk_say(desk, "team\n");
    desk_wait(desk, 1);
    assert_string_equal(buf_cstr(&desk->told), "named; ");
    buf_clear(&desk->told);
}

static void desk_done(Desk *desk)
{
    aiwolf_agent_free(desk->agent);
    desk->loop = loop_free(desk->loop);
    game_free(desk->game);
    buf_done(&desk->scratch);
    buf_done(&desk->told);
    close(desk->fd);
}

/* ---- line ends, and connections that are half closed ---- */

static void any_line_end_of_java_ends_an_answer(void **state)
{
    static const char *const ends[] = {"Skip\n", "Skip\r\n", "Skip\r", "Skip\r\n"};
    Desk desk;

    (void)state;
    desk_open_named(&desk, WHILE_US);
    aiwolf_agent_begin_game(desk.agent, 1);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        desk_ask(&desk);
        desk_say(&desk, ends[i]);
        desk_wait(&desk, 1);
    }
    assert_string_equal(buf_cstr(&desk.told),
                        "answered Skip; answered Skip; answered Skip; answered Skip; ");
    desk_done(&desk);
}

static void an_lf_that_comes_late_belongs_to_the_answer_before_it(void **state)
{
    Desk desk;

    (void)state;
    desk_open_named(&desk, WHILE_US);
    aiwolf_agent_begin_game(desk.agent, 1);
    desk_ask(&desk);
    desk_say(&desk, "Over\r");
    desk_wait(&desk, 1);
    desk_say(&desk, "\n");
    desk_ask(&desk);
    desk_say(&desk, "Skip\r\n");
    desk_wait(&desk, 1);
    assert_string_equal(buf_cstr(&desk.told), "answered Over; answered Skip; ");
    desk_done(&desk);
}

static void a_last_answer_without_line_end_counts_and_the_next_request_is_a_disconnect(void **state)
{
    Desk desk;
    CLEANUP(buf_done) Buf seen = {0};

    (void)state;
    desk_open_named(&desk, WHILE_US);
    aiwolf_agent_begin_game(desk.agent, 1);
    desk_ask(&desk);
    desk_say(&desk, "Over");
    shutdown(desk.fd, SHUT_WR);
    desk_wait(&desk, 1);
    assert_string_equal(buf_cstr(&desk.told), "answered Over; ");
    assert_false(aiwolf_agent_failed(desk.agent));
    /* It may read what needs no answer: here the game may end without fault. */
    aiwolf_agent_tell(desk.agent, AIWOLF_FINISH, game_view(desk.game, 1));
    while (!strstr(buf_cstr(&seen), "FINISH")) {
        char piece[4096];
        ssize_t n = recv(desk.fd, piece, sizeof(piece), 0);
        assert_true(n > 0);
        buf_add(&seen, (Str){piece, (size_t)n});
    }

    desk_ask(&desk);
    assert_string_equal(buf_cstr(&desk.told), "answered Over; "); /* not from inside */
    desk_wait(&desk, 1);
    assert_string_equal(buf_cstr(&desk.told), "answered Over; disconnect at 'TALK'; ");
    desk_done(&desk);
}

static void an_end_while_an_answer_is_awaited_is_a_disconnect_at_once(void **state)
{
    Desk desk;

    (void)state;
    desk_open_named(&desk, WHILE_US);
    aiwolf_agent_begin_game(desk.agent, 1);
    desk_ask(&desk);
    shutdown(desk.fd, SHUT_WR);
    desk_wait(&desk, 1);
    assert_string_equal(buf_cstr(&desk.told), "disconnect at 'TALK'; ");
    desk_done(&desk);
}

static void an_agent_that_ends_before_its_game_is_gone(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk, WHILE_US);
    desk_say(&desk, "team");
    shutdown(desk.fd, SHUT_WR);
    desk_wait(&desk, 2);
    assert_string_equal(buf_cstr(&desk.told), "named; disconnect at ''; ");
    desk_done(&desk);
}

/* ---- late answers ---- */

/* An agent that may take 100 ms for an answer and has given its first one. */
static void desk_open_awake(Desk *desk)
{
    desk_open_named(desk, 100 * 1000);
    aiwolf_agent_begin_game(desk->agent, 1);
    desk_ask(desk);
    desk_say(desk, "Skip\n");
    desk_wait(desk, 1);
    assert_string_equal(buf_cstr(&desk->told), "answered Skip; ");
    buf_clear(&desk->told);
    aiwolf_agent_begin_game(desk->agent, 2);
}

static void an_answer_that_waited_for_this_program_is_in_time(void **state)
{
    Desk desk;

    (void)state;
    for (int tries = 0; tries < 20; tries++) {
        desk_open_awake(&desk);
        desk_ask(&desk);
        TimeUs asked = loop_now();
        desk_say(&desk, "Over\n");
        bool in_time = loop_now() - asked < 90 * 1000; /* else this test was stopped itself */
        poll(NULL, 0, 300);
        desk_wait(&desk, 1);
        in_time = in_time && strcmp(buf_cstr(&desk.told), "answered Over; ") == 0 &&
                  aiwolf_agent_chair(desk.agent)->counts.excesses == 0;
        desk_done(&desk);
        if (in_time)
            return;
    }
    fail_msg("an answer in time was late");
}

static void no_answer_is_a_timeout(void **state)
{
    Desk desk;

    (void)state;
    desk_open_awake(&desk);
    desk_ask(&desk);
    desk_say(&desk, "Ov"); /* half a one is none */
    desk_wait(&desk, 1);
    assert_string_equal(buf_cstr(&desk.told), "timeout at 'TALK'; ");
    desk_done(&desk);
}

static void the_first_game_has_more_grace(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk, 100 * 1000);
    desk.limits.first_game_grace = WHILE_US;
    desk_say(&desk, "team\n");
    desk_wait(&desk, 1);
    aiwolf_agent_begin_game(desk.agent, 1);
    for (int i = 0; i < 2; i++) { /* the first answer of all has the time to start up anyway */
        desk_ask(&desk);
        if (i)
            desk_run(&desk, 300 * 1000);
        desk_say(&desk, "Skip\n");
        desk_wait(&desk, 1);
    }
    assert_true(aiwolf_agent_chair(desk.agent)->counts.excesses >= 1);
    assert_int_equal(aiwolf_agent_chair(desk.agent)->counts.excused, 0);
    aiwolf_agent_begin_game(desk.agent, 2);
    desk_ask(&desk);
    desk_wait(&desk, 1);
    assert_string_equal(buf_cstr(&desk.told),
                        "named; answered Skip; answered Skip; timeout at 'TALK'; ");
    desk_done(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_line_end_of_java_ends_an_answer),
        cmocka_unit_test(an_lf_that_comes_late_belongs_to_the_answer_before_it),
        cmocka_unit_test(
            a_last_answer_without_line_end_counts_and_the_next_request_is_a_disconnect),
        cmocka_unit_test(an_end_while_an_answer_is_awaited_is_a_disconnect_at_once),
        cmocka_unit_test(an_agent_that_ends_before_its_game_is_gone),
        cmocka_unit_test(an_answer_that_waited_for_this_program_is_in_time),
        cmocka_unit_test(no_answer_is_a_timeout),
        cmocka_unit_test(the_first_game_has_more_grace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
