/* test_hall_acts.c - what operators do to a hall of the protocol division, in simulated time.
 *
 * Source: docs/nlp.md, "An operator acts"; match/hall.h. */
#include "match/hall_sim.h"
#include "prop.h"

typedef struct Stand {
    Sim sim;
    OperatorActs *acts;
} Stand;

/* So many sets are wanted, of two visitors, two more that may come, and three bots. */
static void stand_open(Stand *stand, uint64_t seed, uint64_t wanted)
{
    static const char *const names[] = {"good ann", "good bo"};

    sim_open(&stand->sim, seed, 5, 1000);
    assert_int_equal(operator_acts_new(&stand->acts, NULL), 0);
    stand->sim.acts = stand->acts;
    stand->sim.wanted = wanted;
    stand->sim.tells = true;
    for (int i = 0; i < 3; i++)
        sim_agent(&stand->sim, "bot", false);
    for (size_t i = 0; i < 2; i++)
        sim_visitor(&stand->sim, names[i]);
}

static void stand_close(Stand *stand)
{
    sim_close(&stand->sim);
    operator_acts_free(stand->acts);
}

/* As the door does it: it is kept before it takes effect. */
static int try_act(Stand *stand, const OperatorAct *act, Err *err)
{
    CLEANUP(buf_done) Buf would = {0};
    int rc = hall_act_check(stand->sim.hall, act, &would, err);

    if (rc)
        return rc;
    assert_true(would.len > 0);
    assert_int_equal(operator_acts_add(stand->acts, act, NULL), 0);
    if (act->target == ACT_OF_SET)
        assert_int_equal(played_make_void(&stand->sim.played, act->number, NULL), 0);
    hall_act(stand->sim.hall, act, stand->sim.now);
    return 0;
}

static OperatorAct act_of(OperatorActKind kind)
{
    return (OperatorAct){.kind = kind, .by = STR("operator")};
}

static OperatorAct act_of_set(OperatorActKind kind, uint64_t set)
{
    OperatorAct act = act_of(kind);

    act.target = ACT_OF_SET;
    act.number = set;
    return act;
}

static OperatorAct act_of_team(OperatorActKind kind, const char *team)
{
    OperatorAct act = act_of(kind);

    act.team = str_of(team);
    return act;
}

static void do_act(Stand *stand, OperatorAct act)
{
    Err err = {0};

    if (try_act(stand, &act, &err))
        fail_msg("%s", err.msg);
}

static void refuse_act(Stand *stand, OperatorAct act, ErrCode code, const char *why)
{
    Err err = {0};

    assert_int_equal(try_act(stand, &act, &err), code);
    assert_string_equal(err.msg, why);
}

static void play_for(Stand *stand, TimeUs time)
{
    const TimeUs end = stand->sim.now + time;

    while (!stand->sim.over && stand->sim.now < end)
        sim_step(&stand->sim);
}

/* ---- one by one ---- */

static void held_no_further_game_of_a_set_begins(void **state)
{
    Stand stand;

    (void)state;
    stand_open(&stand, 1, 1);
    sim_begin(&stand.sim, true);
    refuse_act(&stand, act_of(ACT_GO_ON), ERR_RULE, "it is not held: games begin");
    assert_true(sim_play_until(&stand.sim, "begins 0:"));
    do_act(&stand, act_of(ACT_HOLD));
    refuse_act(&stand, act_of(ACT_HOLD), ERR_RULE, "it is held already: no game begins");
    play_for(&stand, 7200 * SIM_SECOND);
    assert_int_equal(stand.sim.games, 1); /* the one that had begun */
    do_act(&stand, act_of(ACT_GO_ON));
    sim_play_to_end(&stand.sim);
    assert_int_equal(stand.sim.games, 2);
    assert_int_equal(stand.sim.fatal, 0); /* nobody's time runs meanwhile */
    stand_close(&stand);
}

static void held_no_set_begins_and_the_hall_does_not_end(void **state)
{
    Stand stand;

    (void)state;
    stand_open(&stand, 2, 1);
    sim_begin(&stand.sim, true);
    do_act(&stand, act_of(ACT_HOLD));
    play_for(&stand, 3600 * SIM_SECOND);
    assert_int_equal(stand.sim.games, 0);
    do_act(&stand, act_of(ACT_GO_ON));
    assert_true(sim_play_until(&stand.sim, "game 0;"));
    while (stand.sim.games < 2)
        sim_step(&stand.sim);
    do_act(&stand, act_of(ACT_HOLD));
    play_for(&stand, 3600 * SIM_SECOND);
    assert_false(stand.sim.over);
    do_act(&stand, act_of_set(ACT_VOID, 0)); /* there is time for that */
    do_act(&stand, act_of(ACT_GO_ON));
    sim_play_to_end(&stand.sim);
    assert_int_equal(stand.sim.games, 4);
    stand_close(&stand);
}

static void who_is_left_out_waits(void **state)
{
    Stand stand;

    (void)state;
    stand_open(&stand, 3, 1);
    sim_begin(&stand.sim, true);
    refuse_act(&stand, act_of_team(ACT_LEAVE_OUT, "nobody"), ERR_USAGE,
               "no agent 'nobody' was here");
    refuse_act(&stand, act_of_team(ACT_LEAVE_OUT, "bot"), ERR_RULE,
               "agent 'bot' is started by the server for each set: start the server without it");
    do_act(&stand, act_of(ACT_HOLD));
    play_for(&stand, 120 * SIM_SECOND);
    do_act(&stand, act_of_team(ACT_LEAVE_OUT, "good bo"));
    do_act(&stand, act_of(ACT_GO_ON));
    play_for(&stand, 3600 * SIM_SECOND);
    assert_int_equal(stand.sim.games, 0);
    assert_true(stand.sim.visitors[1].mouth.open);
    sim_visitor(&stand.sim, "good cy");
    sim_play_to_end(&stand.sim);
    assert_int_equal(stand.sim.games, 2);
    assert_int_equal(sim_times(&stand.sim, "good bo"), 0);
    stand_close(&stand);
}

static void sets_and_who_waits_can_be_seen(void **state)
{
    Stand stand;
    Str names[SEAT_MAX + 1];
    Str name;
    uint64_t set;
    SeatNo count;

    (void)state;
    stand_open(&stand, 8, 1);
    sim_visitor(&stand.sim, "good cy");
    sim_begin(&stand.sim, true);
    assert_false(hall_set_at(stand.sim.hall, 0, &set, &count, names));
    assert_true(sim_play_until(&stand.sim, "begins 0:"));
    assert_true(hall_set_at(stand.sim.hall, 0, &set, &count, names));
    assert_int_equal(set, 0);
    assert_int_equal(count, 5);
    assert_false(hall_set_at(stand.sim.hall, 1, &set, &count, names));
    play_for(&stand, 30 * SIM_SECOND);
    assert_true(hall_waiting_at(stand.sim.hall, 0, &name));
    assert_true(str_starts(name, STR("good ")));
    assert_false(hall_waiting_at(stand.sim.hall, 1, &name));
    stand_close(&stand);
}

static void a_set_that_is_ended_is_played_again(void **state)
{
    Stand stand;

    (void)state;
    stand_open(&stand, 4, 1);
    sim_begin(&stand.sim, true);
    refuse_act(&stand, act_of_set(ACT_END, 0), ERR_USAGE, "no set 0 was begun");
    assert_true(sim_play_until(&stand.sim, "game 0;"));
    refuse_act(&stand, act_of_set(ACT_VOID, 0), ERR_RULE, "set 0 is not over: 'end' ends it");
    do_act(&stand, act_of_set(ACT_END, 0));
    refuse_act(&stand, act_of_set(ACT_END, 0), ERR_RULE, "set 0 is void already");
    sim_play_to_end(&stand.sim);
    assert_int_equal(stand.sim.games, 3);
    assert_int_equal(sim_times(&stand.sim, "game 1;"), 0);
    assert_int_equal(sim_times(&stand.sim, "begins 1:"), 1);
    stand_close(&stand);
}

/* Behind a kill, too. */
static void a_set_that_was_ended_is_not_gone_on_with(void **state)
{
    Stand stand;

    (void)state;
    stand_open(&stand, 5, 2);
    sim_begin(&stand.sim, true);
    assert_true(sim_play_until(&stand.sim, "game 0;"));
    do_act(&stand, act_of_set(ACT_END, 0));
    sim_kill(&stand.sim);
    sim_begin(&stand.sim, true);
    sim_play_to_end(&stand.sim);
    assert_int_equal(sim_times(&stand.sim, "game 1;"), 0);
    assert_int_equal(stand.sim.games, 5);
    stand_close(&stand);
}

static void an_agent_is_disconnected_wherever_it_is(void **state)
{
    Stand stand;
    OperatorAct act = act_of(ACT_DISCONNECT);

    (void)state;
    stand_open(&stand, 6, 1);
    sim_visitor(&stand.sim, "bad cy");
    stand.sim.visitors[0].stays_away = true;
    sim_begin(&stand.sim, true);
    act.agent = STR("bad cy");
    refuse_act(&stand, act, ERR_USAGE, "no agent 'bad cy' is connected");
    assert_true(sim_play_until(&stand.sim, "begins 0:"));
    do_act(&stand, act);
    assert_false(stand.sim.visitors[2].mouth.open);
    sim_play_to_end(&stand.sim);
    assert_int_equal(sim_times(&stand.sim, "bad cy: disconnect"), 1);
    assert_int_equal(stand.sim.games, 2); /* a substitute has its seat */
    stand_close(&stand);
}

static void games_have_no_ids_here(void **state)
{
    Stand stand;
    OperatorAct act = act_of(ACT_END);

    (void)state;
    stand_open(&stand, 7, 1);
    sim_begin(&stand.sim, true);
    act.target = ACT_OF_GAME;
    act.id = STR("01M8");
    refuse_act(&stand, act, ERR_RULE,
               "a game of this division is played in a set, in which seats are dealt for all: name "
               "a 'set'");
    stand_close(&stand);
}

/* ---- at random ---- */

static void act_at_random(Stand *stand, Rng *rng)
{
    static const char *const names[] = {"good ann", "good bo", "good cy", "bad di"};
    const uint64_t set = rng_below(rng, 6);
    OperatorAct disconnect = act_of(ACT_DISCONNECT);

    disconnect.agent = STR("bad di"); /* a fault of it */
    const OperatorAct acts[] = {
        act_of(ACT_HOLD),
        act_of(ACT_GO_ON),
        act_of(ACT_GO_ON),
        act_of_team(ACT_LEAVE_OUT, names[rng_below(rng, 4)]),
        act_of_team(ACT_LET_IN, names[rng_below(rng, 4)]),
        act_of_team(ACT_LET_IN, names[rng_below(rng, 4)]),
        act_of_set(ACT_VOID, set),
        act_of_set(ACT_END, set),
        disconnect,
    };
    Err err = {0};
    int rc = try_act(stand, &acts[rng_below(rng, sizeof(acts) / sizeof(acts[0]))], &err);
    if (rc != 0 && rc != ERR_RULE && rc != ERR_USAGE)
        fail_msg("%s", err.msg);
}

static void let_all_in(Stand *stand)
{
    Str team;
    char name[64];

    if (operator_acts_held(stand->acts))
        do_act(stand, act_of(ACT_GO_ON));
    while (operator_acts_out_at(stand->acts, 0, &team)) {
        snprintf(name, sizeof(name), "%.*s", STR_ARG(team));
        do_act(stand, act_of_team(ACT_LET_IN, name));
    }
}

/* Sets that count: whole, and not void. */
static uint64_t counted_sets(const Sim *sim)
{
    uint64_t count = 0;

    for (uint64_t set = 0; set < sim->played.set_count; set++)
        count += sim->played.sets[set].games == 2 && !sim->played.sets[set].is_void;
    return count;
}

static bool as_many_sets_count_as_are_wanted(Rng *rng, unsigned size)
{
    const uint64_t wanted = 3;
    Stand stand;

    stand_open(&stand, rng_next(rng), wanted);
    stand.sim.tells = false;
    stand.sim.trouble = 3;
    stand.sim.plan.on_fault = rng_below(rng, 2) ? ON_FAULT_RESTART : ON_FAULT_SUBSTITUTE;
    sim_visitor(&stand.sim, "good cy");
    sim_visitor(&stand.sim, "bad di");
    sim_begin(&stand.sim, true);
    for (unsigned step = 0; step < size && !stand.sim.over; step++) {
        act_at_random(&stand, rng);
        play_for(&stand, (TimeUs)rng_below(rng, 900) * SIM_SECOND);
        if (rng_below(rng, 10) == 0) {
            sim_kill(&stand.sim);
            sim_begin(&stand.sim, true);
        }
    }
    if (!stand.sim.over)
        let_all_in(&stand);
    play_for(&stand, 500000 * SIM_SECOND);
    bool good = stand.sim.over && counted_sets(&stand.sim) == wanted;
    stand_close(&stand);
    return good;
}

static void whatever_operators_do_as_many_sets_count_as_are_wanted(void **state)
{
    (void)state;
    prop_check(as_many_sets_count_as_are_wanted, 40, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_no_further_game_of_a_set_begins),
        cmocka_unit_test(held_no_set_begins_and_the_hall_does_not_end),
        cmocka_unit_test(who_is_left_out_waits),
        cmocka_unit_test(sets_and_who_waits_can_be_seen),
        cmocka_unit_test(a_set_that_is_ended_is_played_again),
        cmocka_unit_test(a_set_that_was_ended_is_not_gone_on_with),
        cmocka_unit_test(an_agent_is_disconnected_wherever_it_is),
        cmocka_unit_test(games_have_no_ids_here),
        cmocka_unit_test(whatever_operators_do_as_many_sets_count_as_are_wanted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
