#include "seat/aiwolf_agent.h"

#include "seat/peer.h"

#include <string.h>

#define LIMIT   ((TimeUs)100 * MS)
#define GRACE   ((TimeUs)50 * MS)
#define STARTUP ((TimeUs)5000 * MS)

/* An agent without a socket, asked what seat 1 of a real game is asked. */
typedef struct Desk {
    AiwolfAgent *agent;
    Peer peer;
    Game *game;
    Buf scratch;
    Buf told; /* "named; answered TEXT; disconnect at TALK; " */
    TimeUs now;
    int64_t elapsed; /* of the last fault */
    int64_t waited;
} Desk;

static void on_named(void *user)
{
    Desk *desk = user;

    buf_printf(&desk->told, "named; ");
}

static void on_answered(void *user, const Answer *answer, TimeUs at)
{
    Desk *desk = user;

    (void)at;
    buf_printf(&desk->told, "answered %.*s; ", (int)answer->text.len, answer->text.bytes);
}

static void on_failed(void *user, const Fault *fault)
{
    Desk *desk = user;

    assert_true(fault->fatal);
    desk->elapsed = fault->elapsed_us;
    desk->waited = fault->waited_us;
    buf_printf(&desk->told, "%s at '%s' %.*s; ", fault_kind_name(fault->kind), fault->request,
               (int)fault->bytes.len, fault->bytes.bytes);
}

static void on_counted(void *user, const Fault *fault)
{
    Desk *desk = user;

    assert_false(fault->fatal);
    buf_printf(&desk->told, "counted %s; ", fault_kind_name(fault->kind));
}

static const AiwolfAgentEvents desk_events = {on_named, on_answered, on_failed, on_counted};

static void desk_open_by(Desk *desk, const LinkKind *kind)
{
    static const Patience limits = {.answer = LIMIT,
                                    .grace = GRACE,
                                    .first_game_grace = 4 * GRACE,
                                    .startup = STARTUP,
                                    .forgives = true};

    *desk = (Desk){.now = (TimeUs)1000 * MS, .peer.turn = 1};
    desk->game = begun_game("aiwolf-2021");
    assert_int_equal(
        aiwolf_agent_new(&limits, &desk_events, desk, &desk->scratch, &desk->agent, NULL), 0);
    aiwolf_agent_open(desk->agent, (Link){kind, &desk->peer}, desk->now);
}

static void desk_done(Desk *desk)
{
    bool failed = aiwolf_agent_failed(desk->agent);

    assert_int_equal(desk->peer.closed, failed);
    aiwolf_agent_free(desk->agent);
    peer_done(&desk->peer);
    game_free(desk->game);
    buf_done(&desk->scratch);
    buf_done(&desk->told);
}

/* A message comes in a new turn, `ms` after the last thing that happened. */
static void desk_say(Desk *desk, const char *text, int ms)
{
    desk->now += (TimeUs)ms * MS;
    desk->peer.turn++;
    aiwolf_agent_ears.heard(desk->agent, str_of(text), desk->now, desk->now);
}

static void desk_ask(Desk *desk, AskKind kind)
{
    const Ask ask = {.seat = 1, .kind = kind};

    aiwolf_agent_ask(desk->agent, &ask, game_view(desk->game, 1), desk->now);
}

/* Time passes, in which a timer does all that is due in time. */
static void desk_wait(Desk *desk, int ms)
{
    TimeUs end = desk->now + (TimeUs)ms * MS;

    while (aiwolf_agent_deadline(desk->agent) <= end) {
        if (desk->now < aiwolf_agent_deadline(desk->agent))
            desk->now = aiwolf_agent_deadline(desk->agent);
        aiwolf_agent_due(desk->agent, desk->now);
    }
    desk->now = end;
}

static void expect_told(Desk *desk, const char *told)
{
    assert_string_equal(buf_cstr(&desk->told), told);
    buf_clear(&desk->told);
}

/* An agent that has said its name. */
static void desk_open(Desk *desk)
{
    desk_open_by(desk, &local_peer);
    desk_say(desk, "team", 10);
    expect_told(desk, "named; ");
    aiwolf_agent_begin_game(desk->agent, 1);
}

/* One in its second game that has answered before. */
static void desk_open_awake(Desk *desk)
{
    desk_open(desk);
    desk_ask(desk, ASK_TALK);
    desk_say(desk, "Skip", 1);
    expect_told(desk, "answered Skip; ");
    aiwolf_agent_begin_game(desk->agent, 2);
}

/* ---- transitions ---- */

static void a_new_agent_is_asked_for_its_name_and_is_ready_then(void **state)
{
    Desk desk;

    (void)state;
    desk_open_by(&desk, &local_peer);
    assert_non_null(strstr(buf_cstr(&desk.peer.sent), "\"NAME\""));
    assert_true(aiwolf_agent_deadline(desk.agent) != TIME_US_NEVER);
    desk_wait(&desk, 4000);
    desk_say(&desk, "team", 0);
    expect_told(&desk, "named; ");
    assert_true(str_eq(aiwolf_agent_name(desk.agent), STR("team")));
    assert_true(aiwolf_agent_deadline(desk.agent) == TIME_US_NEVER);
    desk_done(&desk);
}

static void a_ready_agent_is_asked_and_is_ready_when_it_has_answered(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk);
    for (int i = 0; i < 3; i++) {
        desk_ask(&desk, ASK_TALK);
        assert_non_null(strstr(buf_cstr(&desk.peer.sent), "\"TALK\""));
        assert_true(aiwolf_agent_deadline(desk.agent) != TIME_US_NEVER);
        desk_say(&desk, "Skip", 7);
        expect_told(&desk, "answered Skip; ");
        assert_true(aiwolf_agent_deadline(desk.agent) == TIME_US_NEVER);
    }
    assert_int_equal(durations_count(&aiwolf_agent_chair(desk.agent)->times), 3);
    assert_int_equal(durations_max(&aiwolf_agent_chair(desk.agent)->times), 7 * MS);
    assert_int_equal(aiwolf_agent_chair(desk.agent)->counts.excesses, 0);
    aiwolf_agent_begin_game(desk.agent, 2);
    desk_done(&desk);
}

static void what_is_told_is_sent_and_awaits_nothing(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk);
    aiwolf_agent_tell(desk.agent, AIWOLF_FINISH, game_view(desk.game, 1));
    assert_non_null(strstr(buf_cstr(&desk.peer.sent), "\"FINISH\""));
    assert_true(aiwolf_agent_deadline(desk.agent) == TIME_US_NEVER);
    desk_done(&desk);
}

static void a_failed_agent_is_sent_nothing_and_tells_nothing(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk);
    aiwolf_agent_fail(desk.agent, FAULT_DISCONNECT, STR("its process has ended"), desk.now);
    expect_told(&desk, "disconnect at '' its process has ended; ");
    assert_true(desk.peer.closed); /* what is sent now would be found */
    desk_ask(&desk, ASK_TALK);
    aiwolf_agent_tell(desk.agent, AIWOLF_FINISH, game_view(desk.game, 1));
    aiwolf_agent_fail(desk.agent, FAULT_DISCONNECT, STR(""), desk.now);
    desk_wait(&desk, 100000);
    expect_told(&desk, "");
    desk_done(&desk);
}

/* ---- faults ---- */

static void no_name_in_time_is_a_timeout(void **state)
{
    Desk desk;

    (void)state;
    desk_open_by(&desk, &local_peer);
    desk_wait(&desk, 4999);
    expect_told(&desk, "");
    desk_wait(&desk, 1);
    expect_told(&desk, "timeout at 'NAME' ; ");
    assert_int_equal(desk.elapsed, STARTUP);
    desk_done(&desk);
}

static void no_answer_within_limit_and_grace_is_a_timeout(void **state)
{
    Desk desk;

    (void)state;
    desk_open_awake(&desk);
    desk_ask(&desk, ASK_VOTE);
    desk_wait(&desk, 149);
    expect_told(&desk, "");
    desk_wait(&desk, 1);
    expect_told(&desk, "timeout at 'VOTE' ; ");
    assert_int_equal(desk.elapsed, LIMIT + GRACE);
    desk_done(&desk);
}

static void an_answer_within_the_grace_is_an_excess_and_taken(void **state)
{
    Desk desk;

    (void)state;
    desk_open_awake(&desk);
    desk_ask(&desk, ASK_TALK);
    desk_wait(&desk, 100);
    desk_say(&desk, "Over", 50);
    expect_told(&desk, "answered Over; ");
    assert_int_equal(aiwolf_agent_chair(desk.agent)->counts.excesses, 1);
    assert_int_equal(aiwolf_agent_chair(desk.agent)->counts.excused, 0);
    desk_done(&desk);
}

static void an_answer_behind_the_grace_is_a_timeout_with_what_came(void **state)
{
    Desk desk;

    (void)state;
    desk_open_awake(&desk);
    desk_ask(&desk, ASK_TALK);
    desk_wait(&desk, 20); /* the first look */
    desk_say(&desk, "Over", 131);
    expect_told(&desk, "timeout at 'TALK' Over; ");
    desk_done(&desk);
}

static void the_first_answer_has_the_time_to_start_up(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk);
    desk_ask(&desk, ASK_TALK);
    desk_wait(&desk, 4000);
    desk_say(&desk, "Over", 0);
    expect_told(&desk, "answered Over; ");
    desk_done(&desk);
}

static void the_first_game_has_more_grace(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk);
    desk_ask(&desk, ASK_TALK);
    desk_say(&desk, "Over", 0);
    desk_ask(&desk, ASK_TALK);
    desk_wait(&desk, 299);
    desk_say(&desk, "Over", 1);
    expect_told(&desk, "answered Over; answered Over; ");
    desk_ask(&desk, ASK_TALK);
    desk_wait(&desk, 300);
    expect_told(&desk, "timeout at 'TALK' ; ");
    desk_done(&desk);
}

static void what_its_threads_had_to_wait_is_added(void **state)
{
    Desk desk;

    (void)state;
    desk_open_awake(&desk);
    desk.peer.seen = true;
    desk_ask(&desk, ASK_TALK);
    desk_wait(&desk, 20);
    desk.peer.look = (RunQueueLook){.cpu = 10 * MS, .delay = 100 * MS};
    desk_wait(&desk, 130);
    expect_told(&desk, "");
    desk_say(&desk, "Over", 60);
    expect_told(&desk, "answered Over; ");
    assert_int_equal(aiwolf_agent_chair(desk.agent)->counts.excesses, 1);
    assert_int_equal(aiwolf_agent_chair(desk.agent)->counts.excused, 1);
    assert_true(aiwolf_agent_chair(desk.agent)->counts.waited >= 100 * MS);

    desk.peer.look = (RunQueueLook){0};
    desk_ask(&desk, ASK_TALK);
    desk_wait(&desk, 150);
    expect_told(&desk, "timeout at 'TALK' ; ");
    assert_int_equal(desk.waited, 0);
    desk_done(&desk);
}

static void bytes_that_are_there_when_time_is_up_get_a_last_look(void **state)
{
    Desk desk;

    (void)state;
    desk_open_awake(&desk);
    desk_ask(&desk, ASK_TALK);
    desk.peer.input = true;
    desk_wait(&desk, 150);
    expect_told(&desk, ""); /* read late, but it came in time */
    desk.peer.turn++;
    aiwolf_agent_ears.heard(desk.agent, STR("Over"), desk.now - 100 * MS, desk.now);
    expect_told(&desk, "answered Over; ");

    desk_ask(&desk, ASK_TALK); /* half a line is none */
    desk_wait(&desk, 151);
    expect_told(&desk, "timeout at 'TALK' ; ");
    desk_done(&desk);
}

static void a_line_that_nobody_asked_for_is_early(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk);
    desk_say(&desk, "hello", 5);
    expect_told(&desk, "early at '' hello; ");
    desk_done(&desk);
}

static void a_second_line_behind_an_answer_is_early(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk);
    desk_ask(&desk, ASK_TALK);
    desk.peer.more = true;
    desk_say(&desk, "Over", 5);
    expect_told(&desk, "early at 'TALK' Over; ");
    desk_done(&desk);
}

static void a_line_of_the_turn_in_which_it_was_asked_had_come_before(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk);
    desk_ask(&desk, ASK_TALK);
    aiwolf_agent_ears.heard(desk.agent, STR("Over"), desk.now, desk.now);
    expect_told(&desk, "early at 'TALK' Over; ");
    desk_done(&desk);
}

static void bytes_before_a_request_are_early_without_a_packet_and_not_from_inside(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk);
    buf_clear(&desk.peer.sent);
    desk.peer.more = true;
    desk_ask(&desk, ASK_TALK);
    assert_int_equal(desk.peer.sent.len, 0);
    expect_told(&desk, "");
    desk_wait(&desk, 0);
    expect_told(&desk, "early at 'TALK' ; ");
    desk_done(&desk);
}

static void a_peer_of_which_nothing_is_known_can_answer_in_any_turn(void **state)
{
    Desk desk;

    (void)state;
    desk_open_by(&desk, &far_peer);
    desk.peer.more = true; /* nobody asks */
    aiwolf_agent_ears.heard(desk.agent, STR("team"), desk.now, desk.now);
    aiwolf_agent_begin_game(desk.agent, 1);
    desk_ask(&desk, ASK_TALK);
    aiwolf_agent_ears.heard(desk.agent, STR("Over"), desk.now, desk.now);
    expect_told(&desk, "named; answered Over; ");
    desk_done(&desk);
}

static void a_target_line_without_a_target_is_counted_and_taken(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk);
    desk_ask(&desk, ASK_VOTE);
    desk_say(&desk, "nobody in particular", 5);
    expect_told(&desk, "counted malformed; answered ; ");
    assert_false(aiwolf_agent_failed(desk.agent));
    desk_done(&desk);
}

static void a_lost_connection_is_the_fault_that_its_door_calls_it(void **state)
{
    static const FaultKind kinds[] = {FAULT_DISCONNECT, FAULT_MALFORMED, FAULT_TIMEOUT};

    (void)state;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        CLEANUP(buf_done) Buf expected = {0};
        Desk desk;

        desk_open(&desk);
        desk_ask(&desk, ASK_TALK);
        aiwolf_agent_ears.lost(desk.agent, kinds[i], STR("Ov"), desk.now + 3 * MS);
        buf_printf(&expected, "%s at 'TALK' Ov; ", fault_kind_name(kinds[i]));
        expect_told(&desk, buf_cstr(&expected));
        assert_int_equal(desk.elapsed, 3 * MS);
        desk_done(&desk);
    }
}

static void who_has_ended_its_side_fails_when_it_is_asked_again(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk);
    aiwolf_agent_ears.shut(desk.agent, desk.now);
    expect_told(&desk, "");
    aiwolf_agent_tell(desk.agent, AIWOLF_FINISH, game_view(desk.game, 1));
    assert_non_null(strstr(buf_cstr(&desk.peer.sent), "\"FINISH\""));
    desk_ask(&desk, ASK_TALK);
    expect_told(&desk, "");
    desk_wait(&desk, 0);
    expect_told(&desk, "disconnect at 'TALK' ; ");
    desk_done(&desk);
}

static void who_ends_its_side_before_its_game_or_while_it_is_asked_fails_at_once(void **state)
{
    Desk desk;

    (void)state;
    desk_open_by(&desk, &local_peer);
    desk_say(&desk, "team", 10);
    aiwolf_agent_ears.shut(desk.agent, desk.now);
    expect_told(&desk, "named; disconnect at '' ; ");
    desk_done(&desk);

    desk_open(&desk);
    desk_ask(&desk, ASK_TALK);
    aiwolf_agent_ears.shut(desk.agent, desk.now);
    expect_told(&desk, "disconnect at 'TALK' ; ");
    desk_done(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_agent_is_asked_for_its_name_and_is_ready_then),
        cmocka_unit_test(a_ready_agent_is_asked_and_is_ready_when_it_has_answered),
        cmocka_unit_test(what_is_told_is_sent_and_awaits_nothing),
        cmocka_unit_test(a_failed_agent_is_sent_nothing_and_tells_nothing),
        cmocka_unit_test(no_name_in_time_is_a_timeout),
        cmocka_unit_test(no_answer_within_limit_and_grace_is_a_timeout),
        cmocka_unit_test(an_answer_within_the_grace_is_an_excess_and_taken),
        cmocka_unit_test(an_answer_behind_the_grace_is_a_timeout_with_what_came),
        cmocka_unit_test(the_first_answer_has_the_time_to_start_up),
        cmocka_unit_test(the_first_game_has_more_grace),
        cmocka_unit_test(what_its_threads_had_to_wait_is_added),
        cmocka_unit_test(bytes_that_are_there_when_time_is_up_get_a_last_look),
        cmocka_unit_test(a_line_that_nobody_asked_for_is_early),
        cmocka_unit_test(a_second_line_behind_an_answer_is_early),
        cmocka_unit_test(a_line_of_the_turn_in_which_it_was_asked_had_come_before),
        cmocka_unit_test(bytes_before_a_request_are_early_without_a_packet_and_not_from_inside),
        cmocka_unit_test(a_peer_of_which_nothing_is_known_can_answer_in_any_turn),
        cmocka_unit_test(a_target_line_without_a_target_is_counted_and_taken),
        cmocka_unit_test(a_lost_connection_is_the_fault_that_its_door_calls_it),
        cmocka_unit_test(who_has_ended_its_side_fails_when_it_is_asked_again),
        cmocka_unit_test(who_ends_its_side_before_its_game_or_while_it_is_asked_fails_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
