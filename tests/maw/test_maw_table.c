/* test_maw_table.c - a table whose players don't come, go away in the middle, or come back: in
 * simulated time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/maw_table.h"

#include <stdlib.h>

#define PLAYERS 6
#define SECOND  ((TimeUs)1000 * 1000)

typedef struct Desk {
    Alarms alarms;
    MawTable *table;
    MawPlayer *player; /* who is there, and says nothing */
    char jid[64];
    Alarm away, back;
    bool is_away;
    Buf record;
} Desk;

static void on_event(void *user, Str json)
{
    Desk *desk = user;

    buf_add(&desk->record, json);
    buf_add_char(&desk->record, '\n');
}

static void on_news(void *user, const MawNews *news, TimeUs now)
{
    (void)user;
    (void)news;
    (void)now;
}

/* ---- the way to the player ---- */

static void on_stanza(void *user, const MawStanza *stanza, TimeUs now)
{
    const Desk *desk = user;

    assert_false(desk->is_away);
    maw_player_receive(desk->player, stanza, now);
}

static void go_away(void *user, TimeUs now)
{
    Desk *desk = user;

    desk->is_away = true;
    maw_house_remove(maw_table_house(desk->table), str_of(desk->jid));
    maw_player_link(desk->player, false, now);
}

static void come_back(void *user, TimeUs now)
{
    Desk *desk = user;

    desk->is_away = false;
    assert_int_equal(
        maw_house_add(maw_table_house(desk->table), str_of(desk->jid), on_stanza, desk, NULL), 0);
    maw_player_link(desk->player, true, now);
    maw_table_stir(desk->table);
}

/* ---- the table ---- */

static MawOptions some_options(void)
{
    MawOptions options = maw_options_default();

    options.players = PLAYERS;
    return options;
}

static void open_desk(Desk *desk, const MawOptions *options, unsigned bots, bool player)
{
    Ruleset rules;

    *desk = (Desk){0};
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    MawTableSetup setup = {.rules = &rules,
                           .options = *options,
                           .id = STR("test"),
                           .domain = STR("maw.test"),
                           .chance = maw_chance_of_seed(8),
                           .pace = maw_pace(&rules, false),
                           .fill = MAW_BOT_TALKER,
                           .alarms = &desk->alarms,
                           .event = on_event,
                           .user = desk};
    assert_int_equal(maw_table_new(&setup, &desk->table, NULL), 0);
    alarm_init(&desk->away, &desk->alarms, go_away, desk);
    alarm_init(&desk->back, &desk->alarms, come_back, desk);
    if (player)
        assert_int_equal(
            maw_table_add_player(desk->table, STR("Zoe"), on_news, desk, &desk->player, NULL), 0);
    for (unsigned i = 0; i < bots; i++)
        assert_int_equal(maw_table_add_bot(desk->table, MAW_BOT_TALKER, NULL), 0);
}

static void close_desk(Desk *desk)
{
    alarm_stop(&desk->away);
    alarm_stop(&desk->back);
    maw_table_free(desk->table);
    buf_done(&desk->record);
}

static void play(Desk *desk)
{
    Err err = {0};

    if (maw_table_play(desk->table, &err))
        fail_msg("%s", err.msg);
    assert_true(maw_session_over(maw_table_session(desk->table)));
}

/* The player goes and, unless that is 0, comes back then. */
static void play_with_absence(Desk *desk, TimeUs away, TimeUs back)
{
    const MawOptions options = some_options();
    MawStanding standing;

    open_desk(desk, &options, PLAYERS - 1, true);
    const MawSession *session = maw_table_session(desk->table);
    TimeUs now = 0;
    while (!maw_session_standing(session, PLAYERS - 1, &standing)) { /* until all have joined */
        maw_table_stir(desk->table);
        assert_true(alarms_play(&desk->alarms, &now));
    }
    for (uint32_t i = 0; maw_session_standing(session, i, &standing); i++)
        if (str_eq(standing.name, STR("Zoe")))
            snprintf(desk->jid, sizeof(desk->jid), "%.*s", STR_ARG(standing.jid));
    alarm_at(&desk->away, away, false);
    alarm_at(&desk->back, back ? back : TIME_US_NEVER, false);
    play(desk);
}

static size_t count(const Desk *desk, const char *part)
{
    size_t times = 0;

    for (const char *at = buf_cstr(&desk->record); (at = strstr(at, part)); at++)
        times++;
    return times;
}

/* When this stands in the record first. */
static TimeUs time_of(const Desk *desk, const char *event)
{
    const char *at = strstr(buf_cstr(&desk->record), event);

    assert_non_null(at);
    while (at > desk->record.bytes && strncmp(at, "\"t_ms\":", 7) != 0)
        at--;
    return strtoll(at + 7, NULL, 10) * 1000;
}

/* It is noticed when something is to be said to it: the same game tells when. */
static TimeUs noticed(void)
{
    Desk desk;

    play_with_absence(&desk, 30 * SECOND, 0);
    TimeUs at = time_of(&desk, "\"event\":\"absent\"");
    close_desk(&desk);
    return at;
}

/* ---- tests ---- */

static void a_table_that_waits_for_players_for_ever_says_how_many_are_missing(void **state)
{
    const MawOptions options = some_options();
    Err err = {0};
    Desk desk;

    (void)state;
    open_desk(&desk, &options, 2, false);
    assert_int_equal(maw_table_play(desk.table, &err), ERR_RULE);
    assert_string_equal(err.msg, "nothing more can happen: 2 players are here, 6 are wanted");
    maw_table_stir(desk.table); /* it is over */
    assert_true(alarms_next(&desk.alarms) == TIME_US_NEVER);
    close_desk(&desk);
}

static void who_does_not_come_in_time_is_not_waited_for(void **state)
{
    MawOptions options = some_options();
    Desk desk;

    (void)state;
    options.lobby_ms = 60000;
    open_desk(&desk, &options, 2, false);
    play(&desk);
    assert_int_equal(maw_table_now(desk.table) / SECOND, 60);
    assert_int_equal(count(&desk, "The lobby did not fill."), 1);
    close_desk(&desk);
}

static void bots_take_the_seats_of_who_does_not_come(void **state)
{
    MawOptions options = some_options();
    Desk desk;

    (void)state;
    options.lobby_ms = 60000;
    options.fill = FILL_BOTS;
    open_desk(&desk, &options, 0, true);
    play(&desk);
    assert_int_equal(count(&desk, "\"kind\":\"bot:talker\""), PLAYERS - 1);
    assert_int_equal(count(&desk, "\"kind\":\"player\""), 1);
    assert_true(maw_table_now(desk.table) > 60 * SECOND);
    close_desk(&desk);
}

static void who_goes_away_in_the_middle_is_absent_and_then_gone(void **state)
{
    Desk desk;

    (void)state;
    play_with_absence(&desk, 30 * SECOND, 0);
    assert_int_equal(count(&desk, "\"event\":\"absent\""), 1);
    assert_int_equal(count(&desk, "\"event\":\"back\""), 0);
    assert_int_equal(count(&desk, "\"event\":\"expired\""), 1);
    assert_int_equal(time_of(&desk, "\"event\":\"expired\"") -
                         time_of(&desk, "\"event\":\"absent\""),
                     60 * SECOND);
    close_desk(&desk);
}

static void who_comes_back_in_time_plays_on(void **state)
{
    Desk desk;

    (void)state;
    play_with_absence(&desk, 30 * SECOND, noticed() + 59 * SECOND);
    assert_int_equal(count(&desk, "\"event\":\"absent\""), 1);
    assert_int_equal(count(&desk, "\"event\":\"back\""), 1);
    assert_int_equal(count(&desk, "\"event\":\"expired\""), 0);
    close_desk(&desk);
}

static void absence_plays_twice_alike(void **state)
{
    Desk one, two;

    (void)state;
    TimeUs back = noticed() + 20 * SECOND;
    play_with_absence(&one, 30 * SECOND, back);
    play_with_absence(&two, 30 * SECOND, back);
    assert_int_equal(count(&one, "\"event\":\"back\""), 1);
    assert_string_equal(buf_cstr(&one.record), buf_cstr(&two.record));
    close_desk(&one);
    close_desk(&two);
}

static void a_table_that_was_left_early_is_over_though_its_loop_goes_on(void **state)
{
    CLEANUP(loop_freep) Loop *loop = NULL;
    const MawOptions options = some_options();
    Ruleset rules;
    Desk desk = {0};

    (void)state;
    assert_int_equal(loop_new(&loop, NULL), 0);
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    MawTableSetup setup = {.rules = &rules,
                           .options = options,
                           .id = STR("test"),
                           .domain = STR("maw.test"),
                           .chance = maw_chance_of_seed(8),
                           .alarms = loop_alarms(loop),
                           .now = loop_now(),
                           .event = on_event,
                           .user = &desk};
    assert_int_equal(maw_table_new(&setup, &desk.table, NULL), 0);
    for (unsigned i = 0; i < PLAYERS; i++)
        assert_int_equal(maw_table_add_bot(desk.table, MAW_BOT_TALKER, NULL), 0);
    loop_stop(loop); /* before it has begun */
    maw_table_begin(desk.table, NULL, NULL);
    loop_run(loop);
    assert_int_equal(maw_table_end(desk.table, NULL), 0);
    size_t told = desk.record.len;
    loop_run(loop);
    assert_int_equal(desk.record.len, told);
    maw_table_free(desk.table);
    buf_done(&desk.record);
}

/* The first question that leaves the house. */
static void on_left(void *user, const MawStanza *stanza)
{
    Buf *thread = user;

    if (!thread->len && str_eq(stanza->to, STR("ai@home.test")))
        buf_add(thread, stanza->thread);
}

static void ask_an_interface(uint64_t seed, Buf *thread)
{
    Alarms alarms = {0};
    Desk desk = {0};
    const MawOptions options = some_options();
    Ruleset rules;

    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    MawTableSetup setup = {.rules = &rules,
                           .options = options,
                           .id = STR("test"),
                           .domain = STR("maw.test"),
                           .chance = maw_chance_of_seed(seed),
                           .alarms = &alarms,
                           .now = 5 * SECOND,
                           .event = on_event,
                           .user = &desk};
    assert_int_equal(maw_table_new(&setup, &desk.table, NULL), 0);
    maw_house_link(maw_table_house(desk.table), on_left, thread);
    assert_int_equal(maw_table_add_asked(desk.table, ASKS_MODEL, STR("ai@home.test"), NULL), 0);
    for (unsigned i = 1; i < PLAYERS; i++)
        assert_int_equal(maw_table_add_bot(desk.table, MAW_BOT_TALKER, NULL), 0);
    maw_table_begin(desk.table, NULL, NULL);
    for (TimeUs now = setup.now; !thread->len;)
        assert_true(alarms_play(&alarms, &now));
    maw_table_free(desk.table);
    buf_done(&desk.record);
}

/* Whoever has a seed that can be guessed would find it by a token that comes from it, and with it
 * all roles. */
static void what_an_interface_is_sent_says_nothing_of_the_seed(void **state)
{
    CLEANUP(buf_done) Buf one = {0};
    CLEANUP(buf_done) Buf other = {0};
    (void)state;

    ask_an_interface(8, &one);
    ask_an_interface(9, &other);
    assert_true(one.len > 0);
    assert_string_equal(buf_cstr(&one), buf_cstr(&other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_that_waits_for_players_for_ever_says_how_many_are_missing),
        cmocka_unit_test(who_does_not_come_in_time_is_not_waited_for),
        cmocka_unit_test(bots_take_the_seats_of_who_does_not_come),
        cmocka_unit_test(who_goes_away_in_the_middle_is_absent_and_then_gone),
        cmocka_unit_test(who_comes_back_in_time_plays_on),
        cmocka_unit_test(absence_plays_twice_alike),
        cmocka_unit_test(what_an_interface_is_sent_says_nothing_of_the_seed),
        cmocka_unit_test(a_table_that_was_left_early_is_over_though_its_loop_goes_on),
    };

    return cmocka_run_group_tests_name("a table", tests, NULL, NULL);
}
