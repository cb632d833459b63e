/* test_table.c - tables of the protocol division without sockets, in simulated time: a thousand
 * games whose programs answer, are late, say what nobody asked for, or are gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/table.h"

#include "base/mem.h"
#include "base/rng.h"
#include "net/loop.h"

#include <string.h>

#define MS            1000
#define PLAYERS       5
#define PROGRAMS      3 /* the others are bots */
#define GAMES_PER_SET 5
#define SETS          50 /* with each way of taking faults: 1,000 games */

struct Room;

/* A program that comes by itself, and what it is about to do. */
typedef struct Program {
    struct Room *room;
    SeatNo seat;
    AiwolfAgent *agent; /* on its way to its seat */
    void *ears;         /* who hears it */
    Alarm alarm;
    const char *word; /* NULL: it goes */
    bool open;
    bool dead; /* it says nothing any more */
} Program;

typedef struct Room {
    Alarms alarms;
    TimeUs now;
    Rng rng;
    uint32_t trouble; /* of 1000 requests so many go wrong */
    Plan plan;
    StageRun run;
    PlanAgent seats[PLAYERS + 1];
    SetTable *table;
    Patience patience;
    Buf scratch;
    Program programs[PLAYERS + 1];
    uint64_t games;
    uint64_t aborted;
    uint64_t fatal;               /* faults that cost a seat */
    uint32_t faults[FAULT_COUNT]; /* of the game under way, and before it */
    SeatSet fell;                 /* in this game */
    SeatSet down;                 /* since they were started last */
    bool started;
    bool in_game;
    bool over;
} Room;

/* ---- programs ---- */

static void program_send(void *peer, Str packet)
{
    static const char *const asks[] = {"\"TALK\"",   "\"WHISPER\"", "\"VOTE\"",
                                       "\"DIVINE\"", "\"GUARD\"",   "\"ATTACK\""};
    Program *program = peer;
    Room *room = program->room;
    CLEANUP(buf_done) Buf text = {0};
    uint32_t delay = rng_below(&room->rng, 90);

    assert_true(program->open);
    buf_add(&text, packet);
    program->word = strstr(buf_cstr(&text), "\"NAME\"") ? "ann" : NULL;
    for (size_t i = 0; i < 6 && !program->word; i++)
        if (strstr(buf_cstr(&text), asks[i]))
            program->word = i < 2 ? "Over" : "{\"agentIdx\":2}";
    if (!program->word || program->dead)
        return;
    if (rng_below(&room->rng, 1000) < room->trouble)
        switch (rng_below(&room->rng, 5)) {
        case 0:
            program->dead = true;
            return;
        case 1:
            program->word = NULL;
            break;
        case 2:
            program->word = "what nobody can read";
            break;
        case 3: /* it may have to wait, or not */
            delay += 100;
            break;
        default:
            delay += 60;
            break;
        }
    alarm_at(&program->alarm, room->now + (TimeUs)delay * MS, false);
}

static void program_close(void *peer)
{
    Program *program = peer;

    assert_true(program->open);
    program->open = false;
    alarm_stop(&program->alarm);
}

static const LinkKind program_link = {.send = program_send, .close = program_close};

static void on_program(void *user, TimeUs now)
{
    Program *program = user;
    Room *room = program->room;

    room->now = now;
    if (!program->word)
        aiwolf_agent_ears.lost(program->ears, FAULT_DISCONNECT, STR(""), now);
    else {
        aiwolf_agent_ears.heard(program->ears, str_of(program->word), now, now);
        if (program->open && rng_below(&room->rng, 4000) < room->trouble)
            aiwolf_agent_ears.heard(program->ears, STR("and more"), now, now);
    }
}

static void start_when_complete(Room *room)
{
    if (set_table_missing(room->table))
        return;
    if (room->started)
        set_table_play_on(room->table, room->now);
    else
        set_table_start(room->table, room->now);
    room->started = true;
}

static void on_named(void *user)
{
    Program *program = user;

    set_table_seat(program->room->table, program->seat, TAKE(program->agent));
    start_when_complete(program->room);
}

static void on_answered(void *user, const Answer *answer, TimeUs at)
{
    (void)user, (void)answer, (void)at;
    fail_msg("nothing was asked");
}

static void on_failed(void *user, const Fault *fault)
{
    Program *program = user;

    program->agent = aiwolf_agent_free(program->agent);
    set_table_fail_seat(program->room->table, program->seat, fault, program->room->now);
    start_when_complete(program->room);
}

static void on_counted(void *user, const Fault *fault)
{
    (void)user, (void)fault;
}

static const AiwolfAgentEvents door_events = {on_named, on_answered, on_failed, on_counted};

static void start_program(Room *room, SeatNo seat)
{
    Program *program = &room->programs[seat];

    alarm_stop(&program->alarm);
    *program = (Program){.room = room, .seat = seat, .open = true};
    alarm_init(&program->alarm, &room->alarms, on_program, program);
    room->down &= ~seat_bit(seat);
    assert_int_equal(aiwolf_agent_new(&room->patience, &door_events, program, &room->scratch,
                                      &program->agent, NULL),
                     0);
    program->ears = program->agent;
    aiwolf_agent_open(program->agent, (Link){&program_link, program}, room->now);
}

/* ---- what the table tells ---- */

static int on_finished(void *user, SetTable *table, const GameRecord *record, Str log, Err *err)
{
    Room *room = user;
    uint32_t faults[FAULT_COUNT] = {0};

    (void)table, (void)log, (void)err;
    room->in_game = false;
    room->games++;
    room->aborted += record->reason == END_ABORTED;
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        const SeatRecord *own = &record->seats[seat];
        assert_int_equal(own->outside, seat <= PROGRAMS);
        assert_int_equal(own->failed, seat_in(room->down, seat));
        assert_true(durations_max(&own->times) <= 150 * MS);
        assert_true(own->excesses <= durations_count(&own->times));
        for (FaultKind kind = 0; kind < FAULT_COUNT; kind++)
            faults[kind] += own->faults[kind];
    }
    assert_memory_equal(faults, room->faults, sizeof(faults));
    if (room->plan.on_fault == ON_FAULT_ABORT_GAME)
        assert_int_equal(record->reason == END_ABORTED, room->fell != 0);
    if (room->plan.on_fault == ON_FAULT_SUBSTITUTE || room->plan.on_fault == ON_FAULT_RESTART)
        assert_int_not_equal(record->reason, END_ABORTED);
    memset(room->faults, 0, sizeof(room->faults));
    room->fell = 0;
    return 0;
}

static void on_begins(void *user, SetTable *table, uint64_t game)
{
    (void)table, (void)game;
    ((Room *)user)->in_game = true;
}

static void on_fault(void *user, SetTable *table, uint64_t game, const Fault *fault)
{
    Room *room = user;

    (void)table, (void)game;
    room->faults[fault->kind]++;
    room->fatal += fault->fatal;
    assert_true(fault->seat >= 1 && fault->seat <= PROGRAMS);
    assert_false(fault->fatal && seat_in(room->down, fault->seat));
    if (!fault->fatal)
        return;
    room->down |= seat_bit(fault->seat);
    if (room->in_game) /* a fault before the first one, or between two, aborts none */
        room->fell |= seat_bit(fault->seat);
}

static bool on_restart(void *user, SetTable *table, SeatNo seat)
{
    Room *room = user;

    (void)table;
    start_program(room, seat);
    return true;
}

static void on_over(void *user, SetTable *table, const Err *err)
{
    Room *room = user;

    assert_int_equal(err->code, 0);
    assert_false(room->over);
    room->over = true;
    room->table = set_table_free(table);
}

static const TableEvents table_events = {.finished = on_finished,
                                         .begins = on_begins,
                                         .fault = on_fault,
                                         .restart = on_restart,
                                         .over = on_over};

/* ---- surroundings ---- */

static void open_room(Room *room, OnFault on_fault_rule, uint32_t trouble)
{
    *room = (Room){
        .now = (TimeUs)1000 * MS,
        .rng = rng_new(1000 + on_fault_rule),
        .trouble = trouble,
        .patience = {.answer = 100 * MS, .grace = 50 * MS, .startup = 150 * MS, .forgives = true}};
    assert_int_equal(plan_init(&room->plan, NULL), 0);
    room->plan.on_fault = on_fault_rule;
    PlanStage stage = plan_default_stage(&room->plan);
    stage.players = PLAYERS;
    stage.games_per_set = GAMES_PER_SET;
    stage.sets = SETS;
    assert_int_equal(plan_add_stage(&room->plan, &stage, NULL), 0);
    room->run =
        (StageRun){.plan = &room->plan,
                   .date = loop_date_ms,
                   .draw = draw_of_seed(&room->plan.stages[0], &room->plan.rules, PLAYERS, 1)};
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        if (seat > PROGRAMS)
            room->seats[seat].bot = bot_kind(STR("sample"));
        else
            room->seats[seat].command = "started";
        plan_agent_name(&room->seats[seat], STR("somebody"), NULL);
    }
}

static void close_room(Room *room)
{
    for (SeatNo seat = 1; seat <= PROGRAMS; seat++)
        aiwolf_agent_free(room->programs[seat].agent);
    set_table_free(room->table);
    buf_done(&room->scratch);
    plan_done(&room->plan);
}

static void play_set(Room *room, uint64_t set)
{
    const PlanAgent *agents[SEAT_MAX + 1] = {0};

    room->over = room->started = room->in_game = false;
    room->fell = room->down = 0;
    memset(room->faults, 0, sizeof(room->faults));
    for (SeatNo seat = 1; seat <= PLAYERS; seat++)
        agents[seat] = &room->seats[seat];
    assert_int_equal(set_table_new(&room->alarms, &room->run, set, agents, &table_events, room,
                                   &room->table, NULL),
                     0);
    for (SeatNo seat = 1; seat <= PROGRAMS; seat++)
        start_program(room, seat);
    while (!room->over) {
        /* The door's own alarms: a program that does not say its name. */
        for (SeatNo seat = 1; seat <= PROGRAMS; seat++)
            if (room->programs[seat].agent)
                aiwolf_agent_due(room->programs[seat].agent, room->now);
        if (!room->over && !alarms_play(&room->alarms, &room->now))
            room->now += MS;
    }
    for (SeatNo seat = 1; seat <= PROGRAMS; seat++)
        assert_false(room->programs[seat].open); /* everybody was let go */
}

/* ---- tests ---- */

static void without_faults_every_game_of_a_set_has_its_times(void **state)
{
    Room room;

    (void)state;
    open_room(&room, ON_FAULT_SUBSTITUTE, 0);
    play_set(&room, 0);
    assert_int_equal(room.games, GAMES_PER_SET);
    assert_int_equal(room.fatal, 0);
    close_room(&room);
}

static void a_thousand_games_of_random_faults_come_to_their_ends(void **state)
{
    uint64_t fatal = 0;

    (void)state;
    for (OnFault rule = 0; rule < ON_FAULT_COUNT; rule++) {
        Room room;

        open_room(&room, rule, 20);
        for (uint64_t set = 0; set < SETS; set++)
            play_set(&room, set);
        fatal += room.fatal;
        if (rule == ON_FAULT_FORFEIT_SET)
            assert_true(room.games >= SETS && room.games < (uint64_t)SETS * GAMES_PER_SET);
        else
            assert_int_equal(room.games, (uint64_t)SETS * GAMES_PER_SET);
        if (rule == ON_FAULT_SUBSTITUTE || rule == ON_FAULT_RESTART)
            assert_int_equal(room.aborted, 0);
        else
            assert_true(room.aborted > 0);
        close_room(&room);
    }
    assert_true(fatal > 200);
}

static void a_table_that_is_stopped_is_over_soon_and_plays_no_more(void **state)
{
    Room room;

    (void)state;
    open_room(&room, ON_FAULT_SUBSTITUTE, 0);
    const PlanAgent *agents[SEAT_MAX + 1] = {0};
    for (SeatNo seat = 1; seat <= PLAYERS; seat++)
        agents[seat] = &room.seats[seat];
    assert_int_equal(
        set_table_new(&room.alarms, &room.run, 0, agents, &table_events, &room, &room.table, NULL),
        0);
    for (SeatNo seat = 1; seat <= PROGRAMS; seat++)
        start_program(&room, seat);
    while (!room.started)
        assert_true(alarms_play(&room.alarms, &room.now));
    set_table_stop(room.table);
    assert_false(room.over); /* not from inside */
    while (!room.over)
        assert_true(alarms_play(&room.alarms, &room.now));
    assert_int_equal(room.games, 0);
    close_room(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_faults_every_game_of_a_set_has_its_times),
        cmocka_unit_test(a_thousand_games_of_random_faults_come_to_their_ends),
        cmocka_unit_test(a_table_that_is_stopped_is_over_soon_and_plays_no_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
