#define _GNU_SOURCE /* memmem */
/* test_hall_door.c - the protocol division's hall on a loop that it shares with its agents: who
 * comes, who leaves, who is seated. One thread, no process, no sleep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/hall_door.h"

#include "base/mem.h"
#include "net/tcp.h"

#include <inttypes.h>

#define WHILE_US ((TimeUs)20 * 1000 * 1000) /* how long something may take on a busy machine */
#define VISITORS 12

struct House;

/* A program that comes by itself. */
typedef struct Visitor {
    struct House *house;
    Conn *conn; /* NULL when it is gone */
    const char *name;
    bool leaves; /* when it is asked for its name */
    bool mute;   /* says its name, and nothing more */
    unsigned requests;
} Visitor;

typedef struct House {
    Loop *loop;
    Timer *limit;
    Plan plan;
    StageRun run;
    HallPlan hall_plan;
    HallDoorPlan door_plan;
    HallDoor *hall;
    Visitor visitors[VISITORS];
    unsigned visitor_count;
    Buf told; /* "begins 0: ann bo; game 0; over 0; " */
    const char *until;
    bool over;
} House;

/* ---- what the hall says ---- */

static void house_told(House *house)
{
    if (house->until && strstr(buf_cstr(&house->told), house->until))
        loop_stop(house->loop);
}

static int on_set_begins(void *user, uint64_t set, SeatNo count, const Str *names, Err *err)
{
    House *house = user;

    (void)err;
    buf_printf(&house->told, "begins %" PRIu64 ":", set);
    for (SeatNo seat = 1; seat <= count; seat++)
        buf_printf(&house->told, " %.*s", STR_ARG(names[seat]));
    buf_add(&house->told, STR("; "));
    house_told(house);
    return 0;
}

static int on_finished(void *user, const GameRecord *record, Str log, Err *err)
{
    House *house = user;

    (void)log, (void)err;
    buf_printf(&house->told, "game %" PRIu64 "; ", record->game);
    house_told(house);
    return 0;
}

static int on_finished_badly(void *user, const GameRecord *record, Str log, Err *err)
{
    (void)user, (void)record, (void)log;
    return err_set(err, ERR_IO, "the disk is full");
}

static void on_set_over(void *user, uint64_t set)
{
    House *house = user;

    buf_printf(&house->told, "over %" PRIu64 "; ", set);
    house_told(house);
}

static void on_fault(void *user, uint64_t set, uint64_t game, Str agent, const Fault *fault)
{
    House *house = user;

    (void)set, (void)game;
    buf_printf(&house->told, "%.*s: %s; ", STR_ARG(agent), fault_kind_name(fault->kind));
    house_told(house);
}

static void on_over(void *user, TimeUs now)
{
    House *house = user;

    (void)now;
    house->over = true;
    loop_stop(house->loop);
}

static void on_limit(void *user, TimeUs now)
{
    (void)user;
    (void)now;
    fail_msg("too long");
}

/* ---- visitors ---- */

static Str visitor_answer(const Visitor *visitor, Str line)
{
    static const char *const silent[] = {"\"INITIALIZE\"", "\"DAILY_INITIALIZE\"",
                                         "\"DAILY_FINISH\"", "\"FINISH\""};
    const char *text = line.bytes;

    if (memmem(text, line.len, "\"NAME\"", strlen("\"NAME\"")))
        return str_of(visitor->name);
    for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
        if (memmem(text, line.len, silent[i], strlen(silent[i])))
            return STR("");
    if (memmem(text, line.len, "\"TALK\"", strlen("\"TALK\"")) ||
        memmem(text, line.len, "\"WHISPER\"", strlen("\"WHISPER\"")))
        return STR("Over");
    return STR("{\"agentIdx\":1}");
}

static void on_line(void *user, Str line, TimeUs at, TimeUs now)
{
    Visitor *visitor = user;
    CLEANUP(buf_done) Buf answer = {0};
    Str text = visitor_answer(visitor, line);

    (void)at;
    (void)now;
    if (visitor->leaves) {
        visitor->conn = conn_close(visitor->conn);
        loop_stop(visitor->house->loop);
        return;
    }
    if (text.len == 0 || (visitor->mute && visitor->requests))
        return;
    visitor->requests++;
    buf_add(&answer, text);
    buf_add_char(&answer, '\n');
    conn_send(visitor->conn, buf_str(&answer));
}

static void on_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    Visitor *visitor = user;

    (void)now;
    (void)how, (void)partial;
    visitor->conn = NULL;
}

static Visitor *visit(House *house, const char *name)
{
    static const ConnEvents events = {.line = on_line, .ended = on_ended};
    const ConnLimits limits = {1 << 16, 1 << 20};
    Visitor *visitor = &house->visitors[house->visitor_count++];

    assert_true(house->visitor_count <= VISITORS);
    *visitor = (Visitor){.house = house, .name = name};
    assert_int_equal(tcp_connect(house->loop, "127.0.0.1", hall_door_port(house->hall), &events,
                                 visitor, &limits, &visitor->conn, NULL),
                     0);
    return visitor;
}

/* Goes on until this was told. */
static void run_until(House *house, const char *what)
{
    house->until = what;
    if (!strstr(buf_cstr(&house->told), what))
        loop_run(house->loop);
    house->until = NULL;
    if (!strstr(buf_cstr(&house->told), what))
        fail_msg("'%s' was not told: %s", what, buf_cstr(&house->told));
}

static void run_to_end(House *house)
{
    while (!house->over)
        loop_run(house->loop);
}

/* ---- surroundings ---- */

static int set_up(void **state)
{
    House *house = mem_new(sizeof(*house));

    *state = house;
    if (!house || loop_new(&house->loop, NULL) || plan_init(&house->plan, NULL) ||
        timer_new(house->loop, on_limit, house, &house->limit, NULL))
        return -1;
    timer_at(house->limit, loop_now() + WHILE_US, false);
    house->plan.rules.contest.time_limit_ms = 10000;
    return 0;
}

static int tear_down(void **state)
{
    House *house = *state;

    for (unsigned i = 0; i < house->visitor_count; i++)
        conn_close(house->visitors[i].conn);
    hall_door_free(house->hall);
    loop_free(house->loop);
    plan_done(&house->plan);
    buf_done(&house->told);
    mem_free(house);
    return 0;
}

/* A table of five, so many of them bots, for so many sets of two games. */
static void open_house(House *house, uint32_t bots, uint64_t sets)
{
    PlanStage stage = plan_default_stage(&house->plan);

    stage.players = 5;
    stage.games_per_set = 2;
    stage.sets = 10;
    assert_int_equal(plan_add_stage(&house->plan, &stage, NULL), 0);
    for (uint32_t i = 0; i < bots; i++) {
        PlanAgent bot = {.bot = bot_kind(STR("sample"))};
        plan_agent_name(&bot, STR("bot"), NULL);
        assert_int_equal(plan_add_agent(&house->plan, &bot, NULL), 0);
    }
    house->run = (StageRun){.plan = &house->plan,
                            .date = loop_date_ms,
                            .draw = draw_of_seed(&house->plan.stages[0], &house->plan.rules, 5, 1),
                            .finished = house->run.finished ? house->run.finished : on_finished,
                            .user = house};
    house->hall_plan = (HallPlan){.run = &house->run,
                                  .tables = 1,
                                  .serve = true,
                                  .sets = sets,
                                  .bots = house->plan.agents,
                                  .bot_count = bots,
                                  .set_begins = on_set_begins,
                                  .set_over = on_set_over,
                                  .fault = on_fault,
                                  .over = on_over,
                                  .user = house};
    house->door_plan = (HallDoorPlan){.hall = &house->hall_plan, .host = "127.0.0.1"};
    assert_int_equal(hall_door_new(house->loop, &house->door_plan, &house->hall, NULL), 0);
    assert_int_equal(hall_door_open(house->hall, loop_now(), NULL), 0);
}

static size_t times_told(const House *house, const char *what)
{
    size_t count = 0;

    for (const char *at = buf_cstr(&house->told); (at = strstr(at, what)); at++)
        count++;
    return count;
}

/* ---- tests ---- */

static void a_set_is_played_with_who_has_come(void **state)
{
    House *house = *state;
    uint64_t asks = 0;

    open_house(house, 3, 1);
    visit(house, "ann");
    visit(house, "bo");
    run_to_end(house);
    assert_int_equal(hall_result(hall_door_hall(house->hall), &asks, NULL), 0);
    assert_true(asks > 20);
    assert_string_equal(strstr(buf_cstr(&house->told), "game"), "game 0; game 1; over 0; ");
    assert_non_null(strstr(buf_cstr(&house->told), " ann"));
    assert_non_null(strstr(buf_cstr(&house->told), " bo"));
    assert_int_equal(times_told(house, " bot"), 3);
}

static void nobody_is_seated_before_there_are_enough(void **state)
{
    House *house = *state;

    open_house(house, 2, 1);
    visit(house, "ann");
    visit(house, "bo");
    Visitor *gone = visit(house, "cy");
    gone->leaves = true;
    loop_run(house->loop);
    assert_null(gone->conn);
    assert_int_equal(house->told.len, 0);
    visit(house, "di");
    run_until(house, "begins 0:");
    assert_non_null(strstr(buf_cstr(&house->told), " di"));
    assert_null(strstr(buf_cstr(&house->told), " cy"));
}

static void who_leaves_is_played_on_by_a_substitute(void **state)
{
    House *house = *state;

    open_house(house, 4, 1);
    Visitor *ann = visit(house, "ann");
    ann->mute = true;
    run_until(house, "begins 0:");
    ann->conn = conn_close(ann->conn);
    run_to_end(house);
    assert_int_equal(hall_result(hall_door_hall(house->hall), NULL, NULL), 0);
    assert_int_equal(times_told(house, "ann: disconnect"), 1);
    assert_int_equal(times_told(house, "game "), 2);
}

static void who_comes_behind_a_set_sits_in_the_next(void **state)
{
    House *house = *state;

    open_house(house, 4, 2);
    visit(house, "ann");
    run_until(house, "over 0;");
    visit(house, "bo, jr.");
    run_to_end(house);
    assert_int_equal(times_told(house, "begins 1:"), 1);
    assert_int_equal(times_told(house, " bo_ jr."), 1);
    assert_int_equal(times_told(house, "over 1;"), 1);
}

static void of_two_who_come_at_once_one_waits(void **state)
{
    House *house = *state;

    open_house(house, 4, 2);
    visit(house, "ann");
    visit(house, "bo");
    run_to_end(house);
    assert_int_equal(times_told(house, " ann"), 1);
    assert_int_equal(times_told(house, " bo;") + times_told(house, " bo "), 1);
    assert_int_equal(times_told(house, "game "), 4);
}

static void a_stopped_hall_is_over_without_an_error(void **state)
{
    House *house = *state;

    open_house(house, 4, 0);
    Visitor *ann = visit(house, "ann");
    ann->mute = true;
    run_until(house, "begins 0:");
    hall_stop(hall_door_hall(house->hall));
    assert_false(house->over); /* it is told from the loop */
    run_to_end(house);
    assert_int_equal(hall_result(hall_door_hall(house->hall), NULL, NULL), 0);
    assert_int_equal(times_told(house, "game "), 0);
}

static void what_can_not_be_kept_ends_the_hall(void **state)
{
    House *house = *state;
    Err err = {0};

    house->run.finished = on_finished_badly;
    open_house(house, 4, 0);
    visit(house, "ann");
    run_to_end(house);
    assert_int_equal(hall_result(hall_door_hall(house->hall), NULL, &err), ERR_IO);
    assert_string_equal(err.msg, "the disk is full");
}

static void two_halls_share_a_loop(void **state)
{
    House *house = *state;
    HallDoorPlan other = {0};
    HallDoor *beside = NULL;

    open_house(house, 4, 1);
    other = house->door_plan;
    assert_int_equal(hall_door_new(house->loop, &other, &beside, NULL), 0);
    assert_int_not_equal(hall_door_port(beside), hall_door_port(house->hall));
    assert_int_equal(hall_door_open(beside, loop_now(), NULL), 0);
    visit(house, "ann");
    run_to_end(house);
    assert_int_equal(times_told(house, "over 0;"), 1);
    hall_door_free(beside);
}

static void a_port_in_use_is_known_before_anything_begins(void **state)
{
    House *house = *state;
    HallDoor *second = NULL;
    Err err = {0};

    open_house(house, 4, 1);
    HallDoorPlan plan = house->door_plan;
    plan.port = hall_door_port(house->hall);
    assert_int_equal(hall_door_new(house->loop, &plan, &second, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "in use"));
    assert_null(second);
}

#define HALL_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HALL_TEST(a_set_is_played_with_who_has_come),
        HALL_TEST(nobody_is_seated_before_there_are_enough),
        HALL_TEST(who_leaves_is_played_on_by_a_substitute),
        HALL_TEST(who_comes_behind_a_set_sits_in_the_next),
        HALL_TEST(of_two_who_come_at_once_one_waits),
        HALL_TEST(a_stopped_hall_is_over_without_an_error),
        HALL_TEST(what_can_not_be_kept_ends_the_hall),
        HALL_TEST(two_halls_share_a_loop),
        HALL_TEST(a_port_in_use_is_known_before_anything_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
