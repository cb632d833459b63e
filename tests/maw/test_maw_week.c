/* test_maw_week.c - a week of sessions on a simulated clock, in which everything goes wrong that
 * can go wrong with players: they are cut off and do or don't notice, leave, flood, hang, start
 * anew, are thrown out; strangers write; the operator pauses, prolongs, ends phases; the link
 * breaks.
 *
 * Four of eight seats have no part in any of that: nothing may happen to them. Every round has one
 * result, every session plays all its rounds, and nothing waits for ever.
 *
 * WARG_WEEK_SEED=n plays another week. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <malloc.h>

#include "base/rng.h"
#include "game/ruleset.h"
#include "maw/driver.h"
#include "maw/house.h"
#include "sanitized.h"

#define SEATS       8
#define CALM        4 /* the first of them: here, and never in trouble */
#define ROUNDS      12
#define KICKS_MAX   3
#define SECOND      ((TimeUs)1000 * 1000)
#define WEEK        (7 * 86400 * SECOND)
#define ROUND_BOUND (24 * 3600 * SECOND) /* a round that takes longer hangs */

typedef enum Trouble {
    WEEK_CUT,
    WEEK_HANG,
    WEEK_FLOOD,
    WEEK_LEAVE,
    WEEK_ANEW,
    WEEK_KICK,
    WEEK_STRANGER,
    WEEK_LINK,
    WEEK_PAUSE,
    WEEK_EXTEND,
    WEEK_END_PHASE,
    WEEK_STOP,
    WEEK_COUNT,
} Trouble;

typedef struct Week Week;

typedef struct Seat {
    Week *week;
    unsigned number;
    unsigned lives; /* addresses it had: who is thrown out comes under another */
    char jid[40];
    MawPlayer *player;
    MawDriver *driver;
    bool cut;     /* nothing comes through */
    bool bounces; /* its server says so */
    bool noticed; /* it knows */
    TimeUs cut_until;
    TimeUs hangs_until;
    TimeUs back_at; /* when a seat that is out comes again; TIME_US_NEVER = it is there */
} Seat;

struct Week {
    uint64_t seed;
    Rng rng;
    TimeUs now;
    MawSession *session;
    MawHouse *house;
    Seat seats[SEATS];
    TimeUs trouble_at;
    TimeUs link_until; /* 0 = it is up */
    TimeUs pause_until;
    unsigned kicks;
    bool stopped;
    unsigned results; /* of this session */
    unsigned ends;    /* as its record says */
    TimeUs result_at;
    int64_t points;
    /* Of all. */
    uint64_t digest;
    uint64_t sessions;
    uint64_t rounds;
    uint64_t failed; /* seats of who left before the end */
    uint64_t troubles[WEEK_COUNT];
};

__attribute__((format(printf, 2, 3), noreturn)) static void week_fail(const Week *week,
                                                                      const char *format, ...)
{
    char text[600];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    fail_msg("WARG_WEEK_SEED=%" PRIu64 ", session %" PRIu64 ", at %.3f s: %s", week->seed,
             week->sessions, (double)week->now / 1e6, text);
    abort();
}

#define week_check(week, holds, ...)                                                               \
    do {                                                                                           \
        if (!(holds))                                                                              \
            week_fail((week), __VA_ARGS__);                                                        \
    } while (0)

static uint32_t draw(Week *week, uint32_t count)
{
    return rng_below(&week->rng, count);
}

/* Between the two, often near the lower one. */
static TimeUs some_time(Week *week, TimeUs from, TimeUs to)
{
    TimeUs span = (to - from) >> draw(week, 6);

    return from + (TimeUs)(rng_next(&week->rng) % (uint64_t)(span + 1));
}

static TimeUs earlier(TimeUs a, TimeUs b)
{
    return a < b ? a : b;
}

static Seat *seat_of(Week *week, Str jid)
{
    for (unsigned i = 0; i < SEATS; i++)
        if (str_eq(str_of(week->seats[i].jid), jid))
            return &week->seats[i];
    return NULL;
}

static bool is_calm(const Seat *seat)
{
    return seat && seat->number < CALM;
}

/* ---- what the session says ---- */

static void on_send(void *user, const MawStanza *stanza)
{
    maw_house_post(((Week *)user)->house, stanza);
}

static bool says(Str json, const char *part)
{
    return strstr(json.bytes, part) != NULL; /* it is terminated */
}

/* Nothing happens to who did nothing. */
static void on_record(void *user, Str json)
{
    static const char *const bad[] = {
        "\"event\":\"absent\"",  "\"event\":\"expired\"",    "\"event\":\"left\"",
        "\"event\":\"dropped\"", "\"event\":\"left_lobby\"", "\"event\":\"bounce\"",
        "\"event\":\"kick\"",    "\"outcome\":\"refused\"",
    };
    Week *week = user;
    char from[64];

    week->digest = rng_derive_text(week->digest, json);
    week->ends += says(json, "\"event\":\"end_game\"");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        for (unsigned calm = 0; says(json, bad[i]) && calm < CALM; calm++) {
            snprintf(from, sizeof(from), ":\"%s\"", week->seats[calm].jid);
            week_check(week, !says(json, from), "a seat without fault: %.*s", STR_ARG(json));
        }
}

static void check_points(Week *week, const GameRecord *record)
{
    int64_t sum = 0, wolves = 0;

    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        sum += record->result.points[seat];
        wolves += record->result.roles[seat] == ROLE_WEREWOLF;
    }
    if (record->result.winner == SIDE_WEREWOLF)
        week_check(week, sum == wolves * (SEATS - wolves), "the wolves' points are others");
    if (record->result.winner == SIDE_NONE)
        week_check(week, sum == 0, "points for nobody's round");
    week->points += sum;
}

static void on_result(void *user, GameRecord *record, const Str *jids)
{
    Week *week = user;

    week_check(week, record->game == week->results, "round %u has result %" PRIu64, week->results,
               record->game);
    week_check(week, record->result.seat_count == SEATS, "a round of %u seats",
               record->result.seat_count);
    week->results++;
    week->rounds++;
    week->result_at = week->now;
    for (SeatNo seat = 1; seat <= SEATS; seat++) {
        week->failed += record->seats[seat].failed;
        if (!is_calm(seat_of(week, jids[seat])))
            continue;
        week_check(week, !record->seats[seat].failed, "%.*s is said to have failed",
                   STR_ARG(jids[seat]));
        for (FaultKind kind = 0; kind < FAULT_COUNT; kind++)
            week_check(week, record->seats[seat].faults[kind] == 0, "%.*s is blamed",
                       STR_ARG(jids[seat]));
    }
    check_points(week, record);
}

static void on_session_stanza(void *user, const MawStanza *stanza, TimeUs now)
{
    maw_session_receive(((Week *)user)->session, stanza, now);
}

/* ---- seats ---- */

static void on_seat_stanza(void *user, const MawStanza *stanza, TimeUs now)
{
    Seat *seat = user;
    const MawStanza answer = {.from = stanza->to,
                              .to = stanza->from,
                              .id = stanza->id,
                              .type = STANZA_ERROR,
                              .error_condition = STR("recipient-unavailable")};

    if (!seat->cut)
        maw_player_receive(seat->player, stanza, now);
    else if (seat->bounces && stanza->type != STANZA_ERROR)
        maw_house_post(seat->week->house, &answer);
}

static void on_seat_send(void *user, const MawStanza *stanza)
{
    Seat *seat = user;

    if (!seat->cut)
        maw_house_post(seat->week->house, stanza);
}

static void on_seat_news(void *user, const MawNews *news, TimeUs now)
{
    const Seat *seat = user;

    maw_driver_news(seat->driver, news, now);
}

static void open_seat(Week *week, Seat *seat)
{
    static const char *const names[SEATS] = {"Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hu"};
    const MawPace pace = {
        .min_us = 10 * SECOND, .max_us = 60 * SECOND, .last_call_us = 30 * SECOND};
    char name[32];
    bool first = !seat->jid[0];

    snprintf(seat->jid, sizeof(seat->jid), "p%02u-%u@%s", seat->number, seat->lives,
             is_calm(seat) ? "maw.test" : "else.test");
    snprintf(name, sizeof(name), "%s%u", names[seat->number], seat->lives);
    MawPlayerSetup setup = {.jid = str_of(seat->jid),
                            .game_master = STR("gm@maw.test"),
                            .name = str_of(name),
                            .out = {.send = on_seat_send, .news = on_seat_news, .user = seat},
                            .now = week->now};
    assert_int_equal(maw_player_new(&setup, &seat->player, NULL), 0);
    assert_int_equal(maw_bot_driver_new(draw(week, 2) ? MAW_BOT_TALKER : MAW_BOT_RANDOM,
                                        LLM_ENGLISH, &pace, rng_next(&week->rng), &seat->driver,
                                        NULL),
                     0);
    maw_driver_take(seat->driver, seat->player);
    seat->back_at = TIME_US_NEVER;
    if (first || !maw_house_has(week->house, str_of(seat->jid)))
        assert_int_equal(maw_house_add(week->house, str_of(seat->jid), on_seat_stanza, seat, NULL),
                         0);
}

static void close_seat(Seat *seat)
{
    seat->driver = maw_driver_free(seat->driver);
    seat->player = maw_player_free(seat->player);
}

static void cut_seat(Seat *seat, TimeUs until)
{
    seat->cut = true;
    seat->cut_until = until;
    seat->bounces = draw(seat->week, 2);
    seat->noticed = draw(seat->week, 2);
    if (seat->noticed)
        maw_player_link(seat->player, false, seat->week->now);
}

static void mend_seat(Seat *seat)
{
    seat->cut = false;
    seat->cut_until = TIME_US_NEVER;
    if (seat->noticed)
        maw_player_link(seat->player, true, seat->week->now);
}

/* Its program starts anew, and knows nothing. */
static void restart_seat(Seat *seat)
{
    close_seat(seat);
    seat->cut = false;
    seat->cut_until = TIME_US_NEVER;
    seat->hangs_until = 0;
    open_seat(seat->week, seat);
}

/* ---- trouble ---- */

static void send_raw(Week *week, const char *from, const char *to, const char *body)
{
    const MawStanza stanza = {.from = str_of(from),
                              .to = str_of(to),
                              .id = STR("x"),
                              .type = STANZA_CHAT,
                              .act = ACT_REQUEST,
                              .has_body = true,
                              .body = str_of(body)};

    maw_house_post(week->house, &stanza);
}

static const char *draw_body(Week *week)
{
    static const char *const bodies[] = {
        "{\"type\":\"chat\",\"message\":\"again and again\"}",
        "{\"type\":\"vote\",\"target\":\"Ann0\"}",
        "{\"type\":\"vote\",\"target\":null}",
        "{\"type\":\"show_score\"}",
        "{\"type\":\"kill\"}",
        "{\"type\":\"query_role\",\"target\":\"Bo0\"}",
        "{\"type\":\"get_new_messages\",\"index\":0}",
        "{\"type\":\"end_game\",\"winning_team\":\"Villagers\"}",
        "{\"type\":",
        "\xFF\xFE",
        "",
    };

    return bodies[draw(week, sizeof(bodies) / sizeof(bodies[0]))];
}

static void flood(Week *week, const Seat *seat)
{
    static const char *const rooms[] = {"gm@maw.test", "village@maw.test", "hideout@maw.test",
                                        "lobby@maw.test"};
    unsigned count = 10 + draw(week, 150);
    const char *body = draw_body(week);

    for (unsigned i = 0; i < count; i++)
        send_raw(week, seat->jid, rooms[draw(week, 4)], draw(week, 4) ? body : draw_body(week));
}

static void write_as_stranger(Week *week)
{
    static const char *const strangers[] = {"nobody@else.test/1", "gm@else.test", "p00-0@else.test",
                                            "\xE7\x8B\xBC@else.test"};
    const char *from = strangers[draw(week, 4)];

    if (draw(week, 3) == 0)
        send_raw(week, from, "gm@maw.test", "{\"type\":\"observe\"}");
    send_raw(week, from, "village@maw.test", draw_body(week));
}

static void kick_seat(Week *week, Seat *seat)
{
    const MawKnown *known = maw_player_known(seat->player);

    if (week->kicks >= KICKS_MAX || !maw_session_kick(week->session, known->me, week->now))
        return;
    week->kicks++;
    maw_house_deliver(week->house, week->now);
    maw_house_remove(week->house, str_of(seat->jid));
    close_seat(seat);
    seat->lives++;
    open_seat(week, seat);
}

static void pause_session(Week *week)
{
    if (maw_session_pause(week->session, week->now))
        week->pause_until = week->now + some_time(week, SECOND, 3600 * SECOND);
}

/* All who are outside are cut off with it. */
static void break_link(Week *week)
{
    if (week->link_until)
        return;
    week->link_until = week->now + some_time(week, SECOND, 1200 * SECOND);
    maw_session_link(week->session, false, week->now);
    for (unsigned i = CALM; i < SEATS; i++) {
        cut_seat(&week->seats[i], week->link_until);
        week->seats[i].bounces = false;
    }
}

static void make_trouble(Week *week)
{
    Trouble what = (Trouble)draw(week, WEEK_COUNT);
    Seat *seat = &week->seats[CALM + draw(week, SEATS - CALM)];

    week->trouble_at = week->now + some_time(week, 5 * SECOND, 900 * SECOND);
    week->troubles[what]++;
    switch (what) {
    case WEEK_CUT:
        if (!seat->cut)
            cut_seat(seat, week->now + some_time(week, SECOND, 1800 * SECOND));
        break;
    case WEEK_HANG:
        seat->hangs_until = week->now + some_time(week, SECOND, 1800 * SECOND);
        break;
    case WEEK_FLOOD:
        flood(week, seat);
        break;
    case WEEK_LEAVE:
        maw_player_leave(seat->player, week->now);
        break;
    case WEEK_ANEW:
        restart_seat(seat);
        break;
    case WEEK_KICK:
        kick_seat(week, seat);
        break;
    case WEEK_STRANGER:
        write_as_stranger(week);
        break;
    case WEEK_LINK:
        break_link(week);
        break;
    case WEEK_PAUSE:
        pause_session(week);
        break;
    case WEEK_EXTEND:
        maw_session_extend(week->session, 1 + (TimeMs)draw(week, 600000), week->now);
        break;
    case WEEK_END_PHASE:
        maw_session_end_phase(week->session, week->now);
        break;
    case WEEK_STOP:
        if (draw(week, 20))
            break;
        week->stopped = true;
        maw_session_stop(week->session, "Enough.", week->now);
        break;
    case WEEK_COUNT:
        break;
    }
}

static void end_trouble(Week *week)
{
    if (week->link_until && week->now >= week->link_until) {
        week->link_until = 0;
        maw_session_link(week->session, true, week->now);
    }
    if (week->now >= week->pause_until) {
        week->pause_until = TIME_US_NEVER;
        maw_session_resume(week->session, week->now);
    }
    for (unsigned i = CALM; i < SEATS; i++) {
        Seat *seat = &week->seats[i];
        if (seat->cut && week->now >= seat->cut_until)
            mend_seat(seat);
        if (week->now >= seat->back_at)
            restart_seat(seat);
        else if (maw_player_known(seat->player)->state == PLAYER_OVER &&
                 seat->back_at == TIME_US_NEVER)
            seat->back_at = week->now + some_time(week, 5 * SECOND, 600 * SECOND);
    }
}

/* ---- time ---- */

static void seat_tick(const Seat *seat)
{
    const Week *week = seat->week;

    if (week->now < seat->hangs_until)
        return;
    maw_player_tick(seat->player, week->now);
    maw_driver_tick(seat->driver, week->now);
    maw_house_deliver(week->house, week->now);
}

static TimeUs seat_deadline(const Seat *seat)
{
    TimeUs at = earlier(maw_player_deadline(seat->player), maw_driver_deadline(seat->driver));

    if (at < seat->hangs_until)
        at = seat->hangs_until;
    if (seat->cut)
        at = earlier(at, seat->cut_until);
    return earlier(at, seat->back_at);
}

static TimeUs next_time(const Week *week)
{
    TimeUs next = earlier(maw_session_deadline(week->session), week->trouble_at);

    next = earlier(next, week->pause_until);
    if (week->link_until)
        next = earlier(next, week->link_until);
    for (unsigned i = 0; i < SEATS; i++)
        next = earlier(next, seat_deadline(&week->seats[i]));
    return next;
}

/* All that is due now. */
static void settle(Week *week)
{
    unsigned turns = 0;

    do {
        week_check(week, turns++ < 1000, "time does not go on");
        maw_session_tick(week->session, week->now);
        maw_house_deliver(week->house, week->now);
        end_trouble(week);
        for (unsigned i = 0; i < SEATS; i++)
            seat_tick(&week->seats[i]);
        if (week->now >= week->trouble_at)
            make_trouble(week);
        maw_house_deliver(week->house, week->now);
        maw_session_tick(week->session, week->now);
        maw_session_check(week->session);
    } while (next_time(week) <= week->now && !maw_session_over(week->session));
}

/* ---- a session ---- */

static void open_session(Week *week)
{
    static const char *const nodes[] = {"gm", "lobby", "village", "hideout", "graveyard"};
    Ruleset rules;
    MawOptions options = maw_options_default();
    Err err = {0};

    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    options.players = SEATS;
    options.rounds = ROUNDS;
    options.scores_ms = 60000;
    options.absent_after_ms = draw(week, 2) ? 300000 : 60000;
    options.graveyard = draw(week, 2);
    options.spectators = draw(week, 3);
    options.whispers = (MawWhispers)draw(week, 3);
    options.night_min_ms = draw(week, 2) ? 20000 : 0;
    MawSessionSetup setup = {
        .rules = &rules,
        .options = options,
        .id = STR("week"),
        .domain = STR("maw.test"),
        .chance = maw_chance_of_seed(rng_next(&week->rng)),
        .now = week->now,
        .unix_ms = INT64_C(1700000000000),
        .out = {.send = on_send, .record = on_record, .result = on_result, .user = week},
    };
    assert_int_equal(maw_house_new(&week->house, NULL), 0);
    if (maw_session_new(&setup, &week->session, &err))
        week_fail(week, "%s", err.msg);
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
        char jid[32];
        snprintf(jid, sizeof(jid), "%s@maw.test", nodes[i]);
        assert_int_equal(maw_house_add(week->house, str_of(jid), on_session_stanza, week, NULL), 0);
    }
}

static void begin_session(Week *week)
{
    week->sessions++;
    week->kicks = week->results = week->ends = 0;
    week->points = 0;
    week->stopped = false;
    week->link_until = 0;
    week->pause_until = TIME_US_NEVER;
    week->result_at = week->now;
    week->trouble_at = week->now + some_time(week, 0, 600 * SECOND);
    open_session(week);
    for (unsigned i = 0; i < SEATS; i++) {
        week->seats[i] = (Seat){.week = week, .number = i, .cut_until = TIME_US_NEVER};
        open_seat(week, &week->seats[i]);
    }
}

static void check_end(Week *week)
{
    MawStanding standing;
    int64_t points = 0;
    uint32_t rounds = 0;

    for (Side side = 0; side <= SIDE_WEREWOLF; side++)
        rounds += maw_session_rounds_won(week->session, side);
    for (uint32_t i = 0; maw_session_standing(week->session, i, &standing); i++)
        points += standing.points;
    week_check(week, week->results == week->ends, "%u results of %u rounds", week->results,
               week->ends);
    week_check(week, rounds == week->results, "%u rounds are won, %u have results", rounds,
               week->results);
    week_check(week, week->stopped || rounds == ROUNDS, "over after %u rounds", rounds);
    week_check(week, points == week->points, "%" PRId64 " points on the board, %" PRId64 " given",
               points, week->points);
}

static void end_session(Week *week)
{
    maw_house_deliver(week->house, week->now);
    check_end(week);
    for (unsigned i = 0; i < SEATS; i++)
        close_seat(&week->seats[i]);
    week->session = maw_session_free(week->session);
    week->house = maw_house_free(week->house);
}

static void play_session(Week *week)
{
    begin_session(week);
    settle(week);
    while (!maw_session_over(week->session)) {
        TimeUs next = next_time(week);
        week_check(week, next != TIME_US_NEVER && next > week->now, "nothing happens any more");
        week_check(week, next - week->result_at < ROUND_BOUND, "a round does not end");
        week->now = next;
        settle(week);
    }
    end_session(week);
}

/* ---- the tests ---- */

static uint64_t week_seed(void)
{
    uint64_t seed;

    return str_to_uint(str_of(getenv("WARG_WEEK_SEED")), UINT64_MAX, &seed) ? seed : 1;
}

static void who_does_nothing_wrong_has_a_quiet_week(void **state)
{
    Week week = {.seed = week_seed()};
    size_t least = 0;

    (void)state;
    week.rng = rng_new(week.seed);
    while (week.now < (SANITIZED ? WEEK / 7 : WEEK)) {
        play_session(&week);
        size_t heap = mallinfo2().uordblks;
        least = week.sessions == 1 ? heap : least;
        if (!SANITIZED)
            week_check(&week, heap <= least + 262144, "%zu bytes in use, %zu after the first", heap,
                       least);
    }
    printf("%.1f days, %" PRIu64 " sessions, %" PRIu64 " rounds, %" PRIu64 " seats left early;",
           (double)week.now / 86400e6, week.sessions, week.rounds, week.failed);
    for (unsigned i = 0; i < WEEK_COUNT; i++)
        printf(" %" PRIu64, week.troubles[i]);
    printf("\n");
    for (unsigned i = 0; i < WEEK_COUNT; i++)
        assert_true(week.troubles[i] > 0);
    assert_true(week.failed > 0);
}

static void trouble_is_the_same_with_the_same_seed(void **state)
{
    Week first = {.seed = 3}, second = {.seed = 3};

    (void)state;
    first.rng = second.rng = rng_new(3);
    play_session(&first);
    play_session(&second);
    assert_true(first.digest == second.digest);
    assert_true(first.now == second.now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_does_nothing_wrong_has_a_quiet_week),
        cmocka_unit_test(trouble_is_the_same_with_the_same_seed),
    };

    return cmocka_run_group_tests_name("a week of sessions", tests, NULL, NULL);
}
