/* test_maw_door.c - a door with a MAW session: who gets which seats, and how it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/maw_door.h"

#include <stdlib.h>
#include <unistd.h>

#define MS ((TimeUs)1000)

/* A door with what it tells its caller. */
typedef struct Stand {
    Loop *loop; /* NULL: time is simulated */
    MawConfig config;
    Plan plan;
    MawDoorSetup setup;
    MawDoor *door;
    Buf events, notes;
    unsigned ended, over;
    int seat_error; /* what the caller's own seats come to */
    Alarm alarm;
} Stand;

static int on_seat(void *user, MawTable *table, Err *err)
{
    const Stand *stand = user;

    if (stand->seat_error)
        return err_set(err, stand->seat_error, "no seat of ours");
    for (uint32_t i = 0; i < stand->setup.people; i++)
        assert_int_equal(maw_table_add_bot(table, MAW_BOT_RANDOM, err), 0);
    return 0;
}

static void on_event(void *user, Str json)
{
    Stand *stand = user;

    buf_add(&stand->events, json);
    buf_add_char(&stand->events, '\n');
}

static void on_note(void *user, Str line)
{
    Stand *stand = user;

    buf_add(&stand->notes, line);
    buf_add_char(&stand->notes, '\n');
}

static void on_ended(void *user)
{
    Stand *stand = user;

    assert_int_equal(stand->over, 0);
    assert_non_null(maw_door_table(stand->door));
    stand->ended++;
}

static void on_over(void *user)
{
    Stand *stand = user;

    assert_true(maw_door_over(stand->door));
    stand->over++;
    loop_stop(stand->loop);
}

static void stand_init(Stand *stand, bool real)
{
    *stand = (Stand){0};
    maw_config_default(&stand->config);
    assert_int_equal(plan_init(&stand->plan, NULL), 0);
    if (real)
        assert_int_equal(loop_new(&stand->loop, NULL), 0);
    stand->setup = (MawDoorSetup){.config = &stand->config,
                                  .chance = maw_chance_of_seed(3),
                                  .id = STR("test"),
                                  .plan = &stand->plan,
                                  .bot = MAW_BOT_TALKER,
                                  .ears = {on_seat, on_event, on_note, on_ended, stand},
                                  .date_of = loop_date_of,
                                  .over = on_over,
                                  .user = stand};
}

static void stand_open(Stand *stand)
{
    assert_int_equal(maw_door_new(stand->loop, &stand->setup, &stand->door, NULL), 0);
    assert_false(maw_door_over(stand->door));
    assert_false(maw_door_has_begun(stand->door));
    assert_null(maw_door_live(stand->door));
}

static void stand_done(Stand *stand)
{
    maw_door_free(stand->door);
    if (stand->loop)
        alarm_stop(&stand->alarm);
    loop_free(stand->loop);
    plan_done(&stand->plan);
    buf_done(&stand->events);
    buf_done(&stand->notes);
}

static unsigned count(const Buf *text, const char *part)
{
    unsigned times = 0;

    for (const char *at = buf_cstr(text); (at = strstr(at, part)); at++)
        times++;
    return times;
}

/* ---- seats ---- */

static void bots_on_all_seats_play_to_the_end(void **state)
{
    Stand stand;
    Err err = {0};

    (void)state;
    stand_init(&stand, false);
    stand.setup.bots_fill = true;
    stand_open(&stand);
    assert_false(maw_door_starts(stand.door));
    assert_true(str_eq(maw_door_name(stand.door), STR("maw.localhost")));
    assert_int_equal(maw_door_play(stand.door, &err), 0);
    assert_true(maw_door_over(stand.door));
    assert_true(maw_door_has_begun(stand.door));
    assert_int_equal(maw_door_result(stand.door, &err), EXIT_OK);
    assert_int_equal(count(&stand.events, "\"kind\":\"bot:talker\""), 6);
    assert_string_equal(buf_cstr(&stand.notes), "");
    stand_done(&stand);
}

/* Plays with `bots` talkers, `people` of the caller's and demo models of these kinds: so many
 * talkers and models sit there then. */
static void play_with(uint32_t bots, bool fill, uint32_t people, const uint32_t *kinds,
                      size_t kind_count, unsigned talkers, unsigned models)
{
    MawModelSeats seats[3] = {0};
    Stand stand;
    Err err = {0};

    stand_init(&stand, false);
    for (size_t i = 0; i < kind_count; i++)
        seats[i] = (MawModelSeats){.spec = {.demo = true}, .count = kinds[i]};
    stand.setup.models = seats;
    stand.setup.model_kinds = kind_count;
    stand.setup.bots = bots;
    stand.setup.bots_fill = fill;
    stand.setup.people = people;
    stand_open(&stand);
    if (maw_door_play(stand.door, &err) || maw_door_result(stand.door, &err) > EXIT_NOT_OWN)
        fail_msg("%s", err.msg);
    assert_int_equal(count(&stand.events, "\"kind\":\"bot:talker\""), talkers);
    assert_int_equal(count(&stand.events, "\"kind\":\"bot:random\""), people);
    assert_int_equal(count(&stand.events, "\"kind\":\"model:demo\""), models);
    stand_done(&stand);
}

static void bots_are_on_what_people_and_models_leave(void **state)
{
    (void)state;
    play_with(5, false, 1, NULL, 0, 5, 0);
    play_with(0, true, 2, NULL, 0, 4, 0);
    play_with(0, true, 1, (uint32_t[]){2}, 1, 3, 2);
    play_with(0, true, 0, (uint32_t[]){1, 2}, 2, 3, 3);
}

/* Who reads the table from the first seat on must not find the people there. */
static void people_sit_between_others_at_drawn_places(void **state)
{
    unsigned seen[6] = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        Stand stand;
        stand_init(&stand, false);
        stand.setup.chance = maw_chance_of_seed(seed);
        stand.setup.bots_fill = true;
        stand.setup.people = 1;
        stand_open(&stand);
        assert_int_equal(maw_door_play(stand.door, NULL), 0);
        const char *person = strstr(buf_cstr(&stand.events), "\"kind\":\"bot:random\"");
        assert_non_null(person);
        unsigned before = 0;
        for (const char *at = buf_cstr(&stand.events);
             (at = strstr(at, "\"kind\":\"bot:talker\"")) && at < person; at++)
            before++;
        assert_in_range(before, 0, 5);
        seen[before]++;
        stand_done(&stand);
    }
    for (unsigned place = 0; place < 6; place++) /* 10 each, give or take */
        assert_in_range(seen[place], 2, 24);
}

static void models_without_a_number_share_what_is_left(void **state)
{
    (void)state;
    play_with(2, false, 0, (uint32_t[]){0}, 1, 2, 4);
    play_with(1, false, 0, (uint32_t[]){0, 0}, 2, 1, 5);
    play_with(0, false, 1, (uint32_t[]){0, 1, 0}, 3, 0, 5);
    play_with(0, true, 0, (uint32_t[]){0}, 1, 0, 6);
}

static void bots_that_do_not_fit_are_refused(void **state)
{
    Stand stand;
    Err err = {0};

    (void)state;
    stand_init(&stand, false);
    stand.setup.bots = 6;
    stand.setup.people = 1;
    stand_open(&stand);
    assert_int_equal(maw_door_play(stand.door, &err), ERR_USAGE);
    assert_string_equal(err.msg, "6 bots do not fit");
    stand_done(&stand);
}

static void seats_of_the_caller_that_fail_end_it_before_it_begins(void **state)
{
    Stand stand;
    Err err = {0};

    (void)state;
    stand_init(&stand, false);
    stand.setup.bots_fill = true;
    stand.seat_error = ERR_LIMIT;
    stand_open(&stand);
    assert_int_equal(maw_door_play(stand.door, &err), ERR_LIMIT);
    assert_string_equal(err.msg, "no seat of ours");
    assert_false(maw_door_has_begun(stand.door));
    stand_done(&stand);
}

static void a_table_that_does_not_fill_is_the_sessions_error(void **state)
{
    Stand stand;
    Err err = {0};

    (void)state;
    stand_init(&stand, false);
    stand.setup.bots = 4;
    stand_open(&stand);
    assert_int_equal(maw_door_play(stand.door, &err), 0);
    assert_int_equal(maw_door_result(stand.door, NULL), ERR_RULE);
    assert_int_equal(maw_door_result(stand.door, &err), ERR_RULE);
    assert_string_equal(err.msg, "nothing more can happen: 4 players are here, 6 are wanted");
    stand_done(&stand);
}

static void fewer_players_than_usual_are_told_of(void **state)
{
    Stand stand;

    (void)state;
    stand_init(&stand, false);
    stand.config.options.players = 5;
    assert_int_equal(maw_config_check(&stand.config, NULL), 0);
    stand.setup.bots_fill = true;
    stand_open(&stand);
    assert_int_equal(maw_door_play(stand.door, NULL), 0);
    assert_string_equal(buf_cstr(&stand.notes),
                        "with fewer than 6 players there is little to find out\n");
    stand_done(&stand);
}

/* ---- in real time ---- */

static void stop_it(void *user, TimeUs now)
{
    const Stand *stand = user;

    maw_door_stop(stand->door, "enough", now);
}

static void drain_it(void *user, TimeUs now)
{
    const Stand *stand = user;

    maw_door_drain(stand->door, now);
}

/* Begins it, and calls `then` a little later; returns how the session ended. */
static int begin_and(Stand *stand, void (*then)(void *user, TimeUs now), Err *err)
{
    stand_open(stand);
    alarm_init(&stand->alarm, loop_alarms(stand->loop), then, stand);
    alarm_at(&stand->alarm, loop_now() + 50 * MS, false);
    assert_int_equal(maw_door_begin(stand->door, loop_now(), err), 0);
    loop_run(stand->loop);
    assert_int_equal(stand->over, 1);
    maw_door_stop(stand->door, "once more", loop_now()); /* nothing is left to be stopped */
    maw_door_drain(stand->door, loop_now());
    assert_int_equal(stand->over, 1);
    return maw_door_result(stand->door, err);
}

static void a_session_that_is_stopped_says_so(void **state)
{
    Stand stand;
    Err err = {0};

    (void)state;
    stand_init(&stand, true);
    stand.setup.bots_fill = true;
    assert_int_equal(begin_and(&stand, stop_it, &err), ERR_INTERRUPTED);
    assert_string_equal(err.msg, "ended early");
    assert_int_equal(stand.ended, 1);
    assert_true(maw_door_has_begun(stand.door));
    assert_int_equal(count(&stand.events, "\"why\":\"enough\""), 1);
    stand_done(&stand);
}

static void a_lobby_that_is_drained_is_over_without_an_error(void **state)
{
    Stand stand;
    Err err = {0};

    (void)state;
    stand_init(&stand, true);
    stand.setup.bots = 2;
    assert_int_equal(begin_and(&stand, drain_it, &err), EXIT_OK);
    assert_int_equal(stand.ended, 1);
    assert_false(maw_door_has_begun(stand.door));
    stand_done(&stand);
}

/* Whether `part` stands in a file of `folder`. */
static bool found_in(const char *folder, const char *part)
{
    CLEANUP(buf_done) Buf command = {0};

    buf_printf(&command, "grep -rqF '%s' '%s'", part, folder);
    return system(buf_cstr(&command)) == 0;
}

static void rounds_are_seen_in_realtime_files_while_they_are_played(void **state)
{
    char folder[] = "/tmp/warg-door-XXXXXX";
    CLEANUP(buf_done) Buf command = {0};
    Stand stand;
    Err err = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    stand_init(&stand, true);
    stand.setup.bots_fill = true;
    stand.setup.live.realtime = folder;
    assert_int_equal(maw_door_new(stand.loop, &stand.setup, &stand.door, NULL), 0);
    assert_non_null(maw_door_live(stand.door));
    alarm_init(&stand.alarm, loop_alarms(stand.loop), stop_it, &stand);
    alarm_at(&stand.alarm, loop_now() + 200 * MS, false);
    assert_int_equal(maw_door_begin(stand.door, loop_now(), &err), 0);
    loop_run(stand.loop);
    assert_true(maw_door_has_begun(stand.door));
    assert_true(found_in(folder, "000000"));
    assert_true(found_in(folder, "bot:talker"));
    stand_done(&stand);
    buf_printf(&command, "rm -r '%s'", folder);
    assert_int_equal(system(buf_cstr(&command)), 0);
}

/* Says nothing for as long as the test takes. */
static void add_mute_agent(Stand *stand)
{
    const PlanAgent agent = {.name = "mute", .command = "sleep 60"};

    assert_int_equal(plan_add_agent(&stand->plan, &agent, NULL), 0);
    stand->setup.startup = 20 * 1000 * MS;
    stand->setup.bots_fill = true;
}

static void while_agents_are_awaited_it_can_be_stopped(void **state)
{
    static void (*const ways[])(void *, TimeUs) = {stop_it, drain_it};

    (void)state;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        Stand stand;
        Err err = {0};
        stand_init(&stand, true);
        add_mute_agent(&stand);
        int rc = begin_and(&stand, ways[i], &err);
        assert_true(maw_door_starts(stand.door));
        assert_non_null(maw_door_agents(stand.door));
        assert_null(maw_door_table(stand.door));
        assert_int_equal(stand.ended, 0);
        if (ways[i] == stop_it) {
            assert_int_equal(rc, ERR_INTERRUPTED);
            assert_string_equal(err.msg, "ended before all agents had come");
        } else {
            assert_int_equal(rc, EXIT_OK);
        }
        stand_done(&stand);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bots_on_all_seats_play_to_the_end),
        cmocka_unit_test(bots_are_on_what_people_and_models_leave),
        cmocka_unit_test(people_sit_between_others_at_drawn_places),
        cmocka_unit_test(models_without_a_number_share_what_is_left),
        cmocka_unit_test(bots_that_do_not_fit_are_refused),
        cmocka_unit_test(seats_of_the_caller_that_fail_end_it_before_it_begins),
        cmocka_unit_test(a_table_that_does_not_fill_is_the_sessions_error),
        cmocka_unit_test(fewer_players_than_usual_are_told_of),
        cmocka_unit_test(a_session_that_is_stopped_says_so),
        cmocka_unit_test(a_lobby_that_is_drained_is_over_without_an_error),
        cmocka_unit_test(rounds_are_seen_in_realtime_files_while_they_are_played),
        cmocka_unit_test(while_agents_are_awaited_it_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
