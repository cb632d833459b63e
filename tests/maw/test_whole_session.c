#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "game/ruleset.h"
#include "maw/driver.h"
#include "maw/house.h"

#define PLAYERS 6
#define ROUNDS  3
#define SECOND  ((TimeUs)1000 * 1000)

typedef struct Hall Hall;

typedef struct Seat {
    Hall *hall;
    char jid[32];
    MawPlayer *player;
    MawDriver *driver;
} Seat;

/* A session in this process, whose time jumps. */
struct Hall {
    MawSession *session;
    MawHouse *house;
    Seat seats[PLAYERS];
    TimeUs now;
    Buf record;
    uint64_t sent; /* by players */
    int64_t points_told;
    unsigned rounds_ended;
    uint64_t asleep_sent;
};

static void on_send(void *user, const MawStanza *stanza)
{
    maw_house_post(((Hall *)user)->house, stanza);
}

static void on_record(void *user, Str json)
{
    Hall *hall = user;

    buf_add(&hall->record, json);
    buf_add_char(&hall->record, '\n');
}

static void on_session_stanza(void *user, const MawStanza *stanza, TimeUs now)
{
    maw_session_receive(((Hall *)user)->session, stanza, now);
}

static void on_seat_stanza(void *user, const MawStanza *stanza, TimeUs now)
{
    maw_player_receive(((Seat *)user)->player, stanza, now);
}

static bool is_act(Str body)
{
    static const char *const acts[] = {"\"chat\"", "\"vote\"", "\"whisper\"", "\"query_role\""};
    char text[600];

    snprintf(text, sizeof(text), "%.*s", STR_ARG(body));
    for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
        if (strstr(text, acts[i]))
            return true;
    return false;
}

static void on_seat_send(void *user, const MawStanza *stanza)
{
    Seat *seat = user;
    /* A player that is being made sends nothing. */
    const MawKnown *known = maw_player_known(seat->player);

    if (is_act(stanza->body)) {
        assert_int_equal(known->state, PLAYER_AWAKE); /* the dead never act, the sleeping neither */
        assert_true(known->alive);
    }
    seat->hall->sent++;
    maw_house_post(seat->hall->house, stanza);
}

static void on_seat_news(void *user, const MawNews *news, TimeUs now)
{
    Seat *seat = user;

    if (news->kind == NEWS_ROUND_END && seat == &seat->hall->seats[0])
        seat->hall->rounds_ended++;
    assert_int_not_equal(news->kind, NEWS_ABSENT);
    maw_driver_news(seat->driver, news, now);
}

static void open_session(Hall *hall, uint64_t seed)
{
    static const char *const nodes[] = {"gm", "lobby", "village", "hideout"};
    Ruleset rules;
    MawOptions options = maw_options_default();
    Err err = {0};

    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    options.players = PLAYERS;
    options.rounds = ROUNDS;
    MawSessionSetup setup = {
        .rules = &rules,
        .options = options,
        .id = STR("test"),
        .domain = STR("maw.test"),
        .chance = maw_chance_of_seed(seed),
        .out = {.send = on_send, .record = on_record, .user = hall},
    };
    assert_int_equal(maw_house_new(&hall->house, NULL), 0);
    if (maw_session_new(&setup, &hall->session, &err))
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
        char jid[32];
        snprintf(jid, sizeof(jid), "%s@maw.test", nodes[i]);
        assert_int_equal(maw_house_add(hall->house, str_of(jid), on_session_stanza, hall, NULL), 0);
    }
}

static void open_seat(Hall *hall, unsigned number, MawBot bot, uint64_t seed)
{
    static const char *const names[PLAYERS] = {"Ann", "Bo", "Cy", "Di", "Ed", "Flo"};
    const MawPace pace = {.min_us = 2 * SECOND, .max_us = 8 * SECOND, .last_call_us = 20 * SECOND};
    Seat *seat = &hall->seats[number];

    seat->hall = hall;
    snprintf(seat->jid, sizeof(seat->jid), "p%02u@maw.test", number + 1);
    MawPlayerSetup setup = {
        .jid = str_of(seat->jid),
        .game_master = STR("gm@maw.test"),
        .name = str_of(names[number]),
        .out = {.send = on_seat_send, .news = on_seat_news, .user = seat},
    };
    assert_int_equal(maw_player_new(&setup, &seat->player, NULL), 0);
    assert_int_equal(
        maw_bot_driver_new(bot, LLM_ENGLISH, &pace, seed + number, &seat->driver, NULL), 0);
    maw_driver_take(seat->driver, seat->player);
    assert_int_equal(maw_house_add(hall->house, str_of(seat->jid), on_seat_stanza, seat, NULL), 0);
}

static TimeUs earlier(TimeUs a, TimeUs b)
{
    return a < b ? a : b;
}

/* Everything that is due; returns when something is due next. */
static TimeUs settle(Hall *hall)
{
    TimeUs next;

    do {
        maw_session_tick(hall->session, hall->now);
        maw_house_deliver(hall->house, hall->now);
        next = maw_session_deadline(hall->session);
        for (unsigned i = 0; i < PLAYERS; i++) {
            maw_player_tick(hall->seats[i].player, hall->now);
            maw_driver_tick(hall->seats[i].driver, hall->now);
            maw_house_deliver(hall->house, hall->now);
        }
        for (unsigned i = 0; i < PLAYERS; i++) {
            next = earlier(next, maw_player_deadline(hall->seats[i].player));
            next = earlier(next, maw_driver_deadline(hall->seats[i].driver));
        }
    } while (next <= hall->now && !maw_session_over(hall->session));
    return next;
}

static Hall *play(MawBot bot, uint64_t seed)
{
    Hall *hall = calloc(1, sizeof(*hall));

    assert_non_null(hall);
    open_session(hall, seed);
    for (unsigned i = 0; i < PLAYERS; i++)
        open_seat(hall, i, bot, seed * 100);
    for (unsigned step = 0; !maw_session_over(hall->session); step++) {
        TimeUs next = settle(hall);
        assert_true(step < 100000);
        if (maw_session_over(hall->session))
            break;
        assert_true(next > hall->now && next != TIME_US_NEVER);
        hall->now = next;
    }
    maw_house_deliver(hall->house, hall->now);
    assert_false(buf_failed(&hall->record));
    return hall;
}

static void hall_free(Hall *hall)
{
    for (unsigned i = 0; i < PLAYERS; i++) {
        maw_driver_free(hall->seats[i].driver);
        maw_player_free(hall->seats[i].player);
    }
    maw_session_free(hall->session);
    maw_house_free(hall->house);
    buf_done(&hall->record);
    free(hall);
}

static unsigned count_of(const Hall *hall, const char *what)
{
    unsigned count = 0;

    for (const char *at = buf_cstr(&hall->record); (at = strstr(at, what)); at++)
        count++;
    return count;
}

static void six_bots_play_three_rounds_and_the_leaderboard_adds_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Hall *hall = play(seed % 2 ? MAW_BOT_TALKER : MAW_BOT_RANDOM, seed);
        uint32_t villagers = maw_session_rounds_won(hall->session, SIDE_VILLAGER);
        uint32_t wolves = maw_session_rounds_won(hall->session, SIDE_WEREWOLF);
        uint32_t draws = maw_session_rounds_won(hall->session, SIDE_NONE);
        MawStanding standing, before = {.points = INT64_MAX};
        int64_t sum = 0;
        uint32_t count = 0, won = 0;

        assert_int_equal(villagers + wolves + draws, ROUNDS);
        assert_int_equal(hall->rounds_ended, ROUNDS);
        for (; maw_session_standing(hall->session, count, &standing); count++) {
            sum += standing.points;
            won += standing.rounds_won;
            assert_true(standing.points <= before.points);
            before = standing;
            /* The players were told the same. */
            for (unsigned i = 0; i < PLAYERS; i++) {
                const MawKnown *known = maw_player_known(hall->seats[i].player);
                assert_int_equal(known->state, PLAYER_OVER);
                for (uint32_t p = 0; p < known->player_count; p++)
                    if (str_eq(known->players[p].name, standing.name))
                        assert_int_equal(known->players[p].points, standing.points);
            }
        }
        assert_int_equal(count, PLAYERS);
        /* Two wolves get four points each; four villagers one to four each. */
        assert_int_equal(won, 2 * wolves + 4 * villagers);
        assert_true(sum >= 8 * (int64_t)wolves + 4 * (int64_t)villagers);
        assert_true(sum <= 8 * (int64_t)wolves + 16 * (int64_t)villagers);
        hall_free(hall);
    }
}

static void the_same_seed_gives_the_same_record(void **state)
{
    Hall *one = play(MAW_BOT_TALKER, 5);
    Hall *two = play(MAW_BOT_TALKER, 5);
    Hall *other = play(MAW_BOT_TALKER, 6);

    (void)state;
    assert_true(one->record.len > 1000);
    assert_true(str_eq(buf_str(&one->record), buf_str(&two->record)));
    assert_false(str_eq(buf_str(&one->record), buf_str(&other->record)));
    hall_free(one);
    hall_free(two);
    hall_free(other);
}

static void nothing_that_our_players_send_is_refused(void **state)
{
    Hall *hall = play(MAW_BOT_TALKER, 9);

    (void)state;
    assert_int_equal(count_of(hall, "\"outcome\":\"refused\""), 0);
    assert_int_equal(count_of(hall, "\"event\":\"start_game\""), ROUNDS);
    assert_true(count_of(hall, "\"event\":\"vote\"") > 2 * ROUNDS);
    assert_true(hall->sent > 20);
    hall_free(hall);
}

static void wolves_find_to_each_other_and_nights_are_not_idle(void **state)
{
    unsigned nights = 0, murders = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        Hall *hall = play(MAW_BOT_RANDOM, seed);
        nights += count_of(hall, "\"event\":\"phase\",\"phase\":\"night\"");
        murders += count_of(hall, "\"status\":\"murdered\"");
        hall_free(hall);
    }
    assert_true(nights > 10);
    assert_true(murders * 10 >= nights * 9);
}

/* Everything that is due until then. */
static void play_until(Hall *hall, TimeUs until)
{
    while (hall->now < until) {
        TimeUs next = settle(hall);
        hall->now = earlier(next, until);
    }
    settle(hall);
}

/* While the link is down a table of bots has nothing to do, sends nothing, and then goes on. */
static void bots_wait_while_the_game_does(void **state)
{
    Hall *hall = calloc(1, sizeof(*hall));

    (void)state;
    assert_non_null(hall);
    open_session(hall, 3);
    for (unsigned i = 0; i < PLAYERS; i++)
        open_seat(hall, i, MAW_BOT_TALKER, 300);
    play_until(hall, 6 * SECOND);
    maw_session_link(hall->session, false, hall->now);
    play_until(hall, hall->now + 5 * SECOND);
    assert_true(maw_player_known(hall->seats[0].player)->paused);
    MawState state_then = maw_session_state(hall->session);
    uint64_t sent = hall->sent;
    assert_int_equal(settle(hall), TIME_US_NEVER);
    hall->now += 1000 * SECOND;
    settle(hall);
    assert_int_equal(hall->sent, sent);
    assert_int_equal(maw_session_state(hall->session), state_then);
    maw_session_link(hall->session, true, hall->now);
    settle(hall);
    assert_false(maw_player_known(hall->seats[0].player)->paused);
    /* Not all at once. */
    assert_int_equal(count_of(hall, "\"event\":\"retime\""), 1);
    TimeUs first = settle(hall);
    assert_true(first > hall->now);
    for (unsigned step = 0; !maw_session_over(hall->session) && step < 100000; step++)
        hall->now = settle(hall);
    assert_true(maw_session_over(hall->session));
    assert_int_equal(count_of(hall, "\"outcome\":\"refused\""), 0);
    hall_free(hall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_bots_play_three_rounds_and_the_leaderboard_adds_up),
        cmocka_unit_test(the_same_seed_gives_the_same_record),
        cmocka_unit_test(nothing_that_our_players_send_is_refused),
        cmocka_unit_test(bots_wait_while_the_game_does),
        cmocka_unit_test(wolves_find_to_each_other_and_nights_are_not_idle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
