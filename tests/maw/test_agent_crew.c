/* test_agent_crew.c - AIWolf agents at a MAW table that don't come, die at the start, die in the
 * middle, or speak up again: in simulated time, without a process and a socket. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/agent_crew.h"

#define PLAYERS 6
#define AGENTS  2
#define SECOND  ((TimeUs)1000 * 1000)
#define NEVER   UINT32_MAX

typedef struct Desk Desk;

/* A program that is none. */
typedef struct Program {
    Desk *desk;
    uint32_t number;
    Alarm alarm; /* its next answer */
    Answer answer;
    uint32_t asked;
    uint32_t dies_at;  /* the ask that it does not answer */
    bool speaks_again; /* after it has failed */
    bool dropped;
    bool stopped;
} Program;

struct Desk {
    Alarms alarms;
    TimeUs now;
    Plan plan;
    PlanAgent agents[AGENTS];
    Program programs[AGENTS];
    AgentCrew *crew;
    MawTable *table;
    unsigned came; /* times that all had */
    Buf notes;
    Buf record;
    Buf printed;
};

/* ---- programs ---- */

static Answer answer_to(const Ask *ask, const View *view)
{
    Answer answer = {.kind = ask->kind, .text = STR("Over")};

    for (SeatNo seat = 1; seat <= view->seat_count && !answer.target; seat++)
        if (seat != view->seat && (view->alive & seat_bit(seat)) &&
            view->roles[seat] != ROLE_WEREWOLF)
            answer.target = seat;
    return answer;
}

static void on_ask(void *user, uint32_t number, const Ask *ask, const View *view, TimeUs now)
{
    Desk *desk = user;
    Program *program = &desk->programs[number];

    (void)now;
    assert_false(program->dropped); /* who has failed is asked nothing */
    program->answer = answer_to(ask, view);
    alarm_soon(&program->alarm);
}

static void on_alarm(void *user, TimeUs now)
{
    Program *program = user;
    AgentCrew *crew = program->desk->crew;
    const Fault fault = {.kind = FAULT_DISCONNECT, .fatal = true, .request = "VOTE"};

    if (program->dropped || program->asked++ != program->dies_at) {
        agent_crew_answered(crew, program->number, &program->answer, now);
        return;
    }
    agent_crew_failed(crew, program->number, &fault, now);
    agent_crew_failed(crew, program->number, &fault, now); /* its process has ended, too */
    if (program->speaks_again)
        alarm_at(&program->alarm, now + SECOND, false);
}

static void on_tell(void *user, uint32_t number, AiwolfRequest request, const View *view)
{
    const Desk *desk = user;

    (void)request;
    assert_non_null(view);
    assert_false(desk->programs[number].dropped);
}

static void on_drop(void *user, uint32_t number, bool stop, TimeUs now)
{
    Program *program = &((Desk *)user)->programs[number];

    (void)now;
    assert_false(program->dropped); /* once */
    program->dropped = true;
    program->stopped = stop;
}

static void on_all_came(void *user)
{
    ((Desk *)user)->came++;
}

static void on_note(void *user, Str line)
{
    Desk *desk = user;

    buf_add(&desk->notes, line);
    buf_add_char(&desk->notes, '\n');
}

static void on_event(void *user, Str json)
{
    Desk *desk = user;

    buf_add(&desk->record, json);
    buf_add_char(&desk->record, '\n');
}

/* ---- the desk ---- */

static int set_up(void **state)
{
    Desk *desk = mem_new(sizeof(*desk));
    const AgentCrewSetup setup = {.limit = SECOND,
                                  .startup = 10 * SECOND,
                                  .out = {.ask = on_ask,
                                          .tell = on_tell,
                                          .drop = on_drop,
                                          .all_came = on_all_came,
                                          .note = on_note,
                                          .user = desk}};

    desk->plan = (Plan){.agents = desk->agents, .agent_count = AGENTS};
    for (uint32_t i = 0; i < AGENTS; i++) {
        desk->programs[i] = (Program){.desk = desk, .number = i, .dies_at = NEVER};
        snprintf(desk->agents[i].name, sizeof(desk->agents[i].name), "%s", i ? "bo" : "ann");
        alarm_init(&desk->programs[i].alarm, &desk->alarms, on_alarm, &desk->programs[i]);
    }
    *state = desk;
    return agent_crew_new(&setup, &desk->plan, &desk->crew, NULL);
}

static int tear_down(void **state)
{
    Desk *desk = *state;

    maw_table_free(desk->table);
    agent_crew_free(desk->crew);
    buf_done(&desk->notes);
    buf_done(&desk->record);
    buf_done(&desk->printed);
    mem_free(desk);
    return 0;
}

static void come(Desk *desk, uint32_t number)
{
    agent_crew_named(desk->crew, number);
}

/* A session of agents and bots to its end. */
static void play(Desk *desk)
{
    Ruleset rules;
    Err err = {0};

    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    MawTableSetup setup = {.rules = &rules,
                           .options = maw_options_default(),
                           .id = STR("test"),
                           .domain = STR("maw.test"),
                           .chance = maw_chance_of_seed(4),
                           .pace = maw_pace(&rules, false),
                           .alarms = &desk->alarms,
                           .now = desk->now,
                           .event = on_event,
                           .note = on_note,
                           .user = desk};
    assert_int_equal(maw_table_new(&setup, &desk->table, NULL), 0);
    assert_int_equal(
        agent_crew_seat(desk->crew, desk->table, &rules, &setup.pace, &setup.chance, AGENTS, NULL),
        0);
    for (unsigned i = AGENTS; i < PLAYERS; i++)
        assert_int_equal(maw_table_add_bot(desk->table, MAW_BOT_TALKER, NULL), 0);
    if (maw_table_play(desk->table, &err))
        fail_msg("%s", err.msg);
    agent_crew_dismiss(desk->crew);
    agent_crew_print(desk->crew, false, &desk->printed);
}

static size_t count(const Buf *text, const char *part)
{
    size_t times = 0;

    for (const char *at = buf_cstr(text); (at = strstr(at, part)); at++)
        times++;
    return times;
}

/* ---- tests ---- */

static void agents_that_come_play_to_the_end(void **state)
{
    Desk *desk = *state;

    come(desk, 0);
    assert_int_equal(desk->came, 0);
    come(desk, 1);
    assert_int_equal(desk->came, 1);
    assert_true(agent_crew_all_came(desk->crew));
    play(desk);
    assert_true(desk->programs[0].asked > 0 && desk->programs[1].asked > 0);
    assert_true(agent_crew_has_played(desk->crew));
    assert_int_equal(count(&desk->record, "\"event\":\"fault\""), 0);
    assert_int_equal(count(&desk->printed, "failed"), 0);
    assert_int_equal(count(&desk->record, "\"kind\":\"agent:ann\""), 1);
}

static void who_does_not_come_has_failed_when_the_time_to_start_is_over(void **state)
{
    Desk *desk = *state;

    come(desk, 0);
    agent_crew_not_started(desk->crew, 1, FAULT_TIMEOUT, STR("it did not connect and say its name"),
                           0);
    assert_int_equal(desk->came, 1);
    assert_true(agent_crew_has_failed(desk->crew, 1));
    assert_false(agent_crew_has_failed(desk->crew, 0));
    assert_true(desk->programs[1].dropped && desk->programs[1].stopped);
    assert_int_equal(count(&desk->notes, "agent bo failed: "), 1);
    assert_int_equal(count(&desk->notes, "it did not connect and say its name"), 1);
    assert_int_equal(count(&desk->notes, "timeout at NAME after 10000.0 ms"), 1);
}

static void who_dies_at_the_start_has_its_seat_played_by_a_rule(void **state)
{
    Desk *desk = *state;

    come(desk, 0);
    agent_crew_not_started(desk->crew, 1, FAULT_DISCONNECT, STR("its process has ended"), 0);
    assert_int_equal(desk->came, 1);
    assert_false(desk->programs[1].stopped); /* it is gone */
    play(desk);
    assert_int_equal(desk->programs[1].asked, 0);
    assert_false(agent_crew_has_played(desk->crew));
    assert_int_equal(count(&desk->record, "\"kind\":\"agent:bo\""), 1);
    assert_int_equal(count(&desk->printed, "; a rule decided "), 1);
}

static void who_dies_in_the_middle_is_played_on_by_a_rule_and_the_record_says_so(void **state)
{
    Desk *desk = *state;

    desk->programs[1].dies_at = 3;
    come(desk, 0);
    come(desk, 1);
    play(desk);
    assert_int_equal(desk->programs[1].asked, 4);
    assert_true(agent_crew_has_failed(desk->crew, 1));
    assert_true(agent_crew_has_played(desk->crew));
    assert_int_equal(count(&desk->record, "\"event\":\"fault\""), 1);
    assert_int_equal(count(&desk->record, "\"fault\":\"disconnect\",\"request\":\"VOTE\""), 1);
    assert_int_equal(count(&desk->notes, "agent bo failed"), 1);
    assert_int_equal(count(&desk->printed, "; failed: "), 1);
    assert_false(agent_crew_has_failed(desk->crew, 0));
}

static void who_speaks_up_again_after_it_has_failed_is_not_heard(void **state)
{
    Desk *desk = *state;
    CLEANUP(buf_done) Buf silent = {0};

    desk->programs[1].dies_at = 3;
    come(desk, 0);
    come(desk, 1);
    play(desk);
    buf_add(&silent, buf_str(&desk->record));
    void *again;
    assert_int_equal(set_up(&again), 0);
    Desk *other = again;
    other->programs[1].dies_at = 3;
    other->programs[1].speaks_again = true;
    come(other, 0);
    come(other, 1);
    play(other);
    assert_string_equal(buf_cstr(&other->record), buf_cstr(&silent));
    tear_down(&again);
}

static void after_the_session_their_end_is_no_fault(void **state)
{
    Desk *desk = *state;
    const Fault fault = {.kind = FAULT_DISCONNECT, .fatal = true, .request = ""};

    come(desk, 0);
    come(desk, 1);
    play(desk);
    agent_crew_failed(desk->crew, 0, &fault, 0);
    assert_false(agent_crew_has_failed(desk->crew, 0));
    assert_int_equal(desk->notes.len, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(agents_that_come_play_to_the_end),
        TEST(who_does_not_come_has_failed_when_the_time_to_start_is_over),
        TEST(who_dies_at_the_start_has_its_seat_played_by_a_rule),
        TEST(who_dies_in_the_middle_is_played_on_by_a_rule_and_the_record_says_so),
        TEST(who_speaks_up_again_after_it_has_failed_is_not_heard),
        TEST(after_the_session_their_end_is_no_fault),
    };

    return cmocka_run_group_tests_name("a crew of agents", tests, NULL, NULL);
}
