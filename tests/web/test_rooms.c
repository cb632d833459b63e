/* test_rooms.c - rooms in simulated time: guests who come, go and cheat, an operator, games that
 *                are not played. 1,000 seeds, and single things.
 *
 * Source: docs/spec/web.md 6.4, 14. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "sanitized.h"
#include "web/rooms.h"

#define SECOND  ((TimeUs)1000000)
#define PEOPLE  12
#define SOCKETS 3 /* of each */

/* ---- a stage without a game ---- */

typedef struct Hotel Hotel;

struct RoomGame {
    Hotel *hotel;
    RoomGameEvents events;
    uint32_t people;
    uint32_t number;
    char id[32];
    Alarm end;
    Alarm ask;
    bool away[ROOM_PLAYERS_MAX];
    uint32_t asked;
    bool stopped, begun;
};

typedef struct Person {
    Hotel *hotel;
    unsigned index;
    char cookie[ROOM_COOKIE_BYTES]; /* empty = none */
    struct Connection {
        struct Person *person;
        RoomSocket *socket;
        char cookie[ROOM_COOKIE_BYTES]; /* that it was opened with */
        char last[4096];                /* the last frame "room" */
        bool watches;
    } sockets[SOCKETS];
    bool kicked;
    uint32_t asks; /* messages of a game that came */
} Person;

struct Hotel {
    Alarms alarms;
    TimeUs now;
    Rng rng;
    Rooms *rooms;
    char code[ROOM_CODE_BYTES];
    Person people[PEOPLE];
    RoomGame *game;
    SeatNo left; /* the seat that was told of last */
    unsigned begun, over, stopped, kicks, refused_kicked, changed, misdelivered, silent;
    TimeUs longest; /* of a game */
    bool fail_begin;
};

static void on_end(void *user, TimeUs now)
{
    RoomGame *game = user;
    Hotel *hotel = game->hotel;

    hotel->over++;
    game->events.over(game->events.user, game->stopped ? STR("stopped") : STR(""), now);
}

static void on_ask(void *user, TimeUs now)
{
    RoomGame *game = user;
    Hotel *hotel = game->hotel;
    uint32_t chair = rng_below(&hotel->rng, game->people);
    char text[100];

    if (!game->begun) {
        game->begun = true;
        snprintf(game->id, sizeof(game->id), "g%u", game->number);
        game->events.begun(game->events.user, str_of(game->id), now);
        for (uint32_t i = 0; i < game->people; i++)
            game->events.seated(game->events.user, i, (SeatNo)(game->people - i));
    }
    snprintf(text, sizeof(text), "{\"type\":\"ask\",\"ask\":%u,\"chair\":%u}", ++game->asked,
             chair);
    game->events.tell(game->events.user, chair, str_of(text));
    if (rng_below(&hotel->rng, 10) == 0) {
        hotel->silent++;
        game->events.silent(game->events.user, chair, now);
    }
    alarm_at(&game->ask, now + SECOND + (TimeUs)rng_below(&hotel->rng, 5) * SECOND, false);
}

static int stage_check(void *user, const RoomOptions *options, Err *err)
{
    (void)user;
    return options->players > 20 ? err_set(err, ERR_RULE, "too many") : 0;
}

static int stage_begin(void *user, const RoomGamePlan *plan, TimeUs now, RoomGame **ret_game,
                       Err *err)
{
    Hotel *hotel = user;
    RoomGame *game;

    if (hotel->fail_begin)
        return err_set(err, ERR_IO, "no game today");
    assert_true(plan->people <= (uint32_t)plan->options->people);
    for (uint32_t i = 0; i < plan->people; i++)
        assert_true(plan->names[i].len > 0);
    game = mem_new(sizeof(*game));
    *game = (RoomGame){
        .hotel = hotel, .events = plan->events, .people = plan->people, .number = plan->number};
    alarm_init(&game->end, &hotel->alarms, on_end, game);
    alarm_init(&game->ask, &hotel->alarms, on_ask, game);
    alarm_at(&game->end, now + 10 * SECOND + (TimeUs)rng_below(&hotel->rng, 300) * SECOND, false);
    if (plan->people)
        alarm_at(&game->ask, now + SECOND, false);
    hotel->game = game;
    hotel->begun++;
    *ret_game = game;
    return 0;
}

static void stage_hear(RoomGame *game, uint32_t chair, const json_t *message, TimeUs now,
                       Buf *reply)
{
    (void)message;
    (void)now;
    assert_true(chair < game->people);
    assert_false(game->away[chair]);
    buf_add(reply, STR("{\"type\":\"taken\"}"));
}

static void stage_greet(RoomGame *game, uint32_t chair, TimeUs now,
                        void (*say)(void *user, Str json), void *user)
{
    char text[100];

    (void)now;
    snprintf(text, sizeof(text), "{\"type\":\"ask\",\"ask\":%u,\"chair\":%u}", game->asked, chair);
    say(user, str_of(text));
}

static void stage_set_away(RoomGame *game, uint32_t chair, bool away, TimeUs now)
{
    (void)now;
    assert_true(chair < game->people);
    assert_true(game->away[chair] != away);
    game->away[chair] = away;
}

static void stage_stop(RoomGame *game, TimeUs now)
{
    game->stopped = true;
    game->hotel->stopped++;
    alarm_at(&game->end, now, false);
}

static RoomGame *stage_free(RoomGame *game)
{
    if (!game)
        return NULL;
    alarm_stop(&game->end);
    alarm_stop(&game->ask);
    game->hotel->game = NULL;
    return mem_free(game);
}

/* ---- people ---- */

static json_t *parse(Str text)
{
    json_t *json = NULL;
    Err err = {0};

    if (json_read(text, 1 << 20, &json, &err))
        fail_msg("%s: %.*s", err.msg, STR_ARG(text));
    return json;
}

static void on_send(void *user, void *reader, Str text)
{
    Hotel *hotel = user;
    struct Connection *connection = reader;
    json_t *json = parse(text);
    Str type = json_text(json, "type");

    assert_ptr_equal(connection->person->hotel, hotel);
    assert_non_null(connection->socket);
    if (str_eq(type, STR("room")))
        snprintf(connection->last, sizeof(connection->last), "%.*s", STR_ARG(text));
    if (str_eq(type, STR("ask"))) {
        /* Only to who sits on that chair. */
        bool own = rooms_socket_may_see(
            hotel->rooms, connection->socket, str_of(hotel->game->id),
            (SeatNo)(hotel->game->people - (uint32_t)json_number(json, "chair")));
        hotel->misdelivered += hotel->game->begun && !own;
        connection->person->asks++;
    }
    json_done(json);
}

static void on_changed(void *user)
{
    ((Hotel *)user)->changed++;
}

static RoomCaller caller_of(const Person *person, bool operates)
{
    return (RoomCaller){.cookie = str_of(person->cookie),
                        .address = STR("192.0.2.7"),
                        .is_operator = operates,
                        .now = person->hotel->now};
}

static void person_join(Person *person, const char *name)
{
    Hotel *hotel = person->hotel;
    const RoomCaller caller = caller_of(person, false);
    CLEANUP(room_reply_done) RoomReply reply = {0};
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "{\"name\":\"%s\"}", name);
    json_t *body = parse(buf_str(&text));
    rooms_act(hotel->rooms, str_of(hotel->code), STR("join"), body, &caller, &reply);
    json_done(body);
    if (reply.code && strcmp(reply.code, "kicked") == 0) {
        assert_true(person->kicked);
        hotel->refused_kicked++;
    } else if (person->kicked) {
        assert_true(reply.code != NULL); /* gone, or too often */
    }
    if (reply.cookie[0])
        memcpy(person->cookie, reply.cookie, sizeof(reply.cookie));
}

static void person_open(Person *person)
{
    Hotel *hotel = person->hotel;

    for (int i = 0; i < SOCKETS; i++) {
        struct Connection *connection = &person->sockets[i];
        if (connection->socket)
            continue;
        memcpy(connection->cookie, person->cookie, sizeof(person->cookie));
        connection->last[0] = '\0';
        connection->watches = false;
        assert_int_equal(rooms_socket_opened(hotel->rooms, connection, str_of(person->cookie),
                                             STR("192.0.2.7"), hotel->now, &connection->socket,
                                             NULL),
                         0);
        rooms_socket_greet(hotel->rooms, connection->socket, hotel->now);
        return;
    }
}

static void connection_close(struct Connection *connection)
{
    RoomSocket *socket = connection->socket;

    connection->socket = NULL;
    rooms_socket_closed(connection->person->hotel->rooms, socket);
}

static void connection_say(struct Connection *connection, const char *text)
{
    json_t *json = parse(str_of(text));

    assert_true(rooms_socket_heard(connection->person->hotel->rooms, connection->socket, json,
                                   connection->person->hotel->now));
    json_done(json);
}

static void on_drop(void *user, void *reader, const char *why)
{
    (void)user;
    (void)why;
    connection_close(reader);
}

static void on_seat_left(void *user, Str game, SeatNo seat)
{
    Hotel *hotel = user;

    assert_true(game.len > 0);
    hotel->left = seat;
}

/* ---- the whole ---- */

static void hotel_begin(Hotel *hotel, uint64_t seed, const char *options)
{
    const RoomsSetup setup = {.alarms = &hotel->alarms,
                              .stage = {stage_check, stage_begin, stage_hear, stage_greet,
                                        stage_set_away, stage_stop, stage_free, hotel},
                              .ids = id_source_of_test(seed),
                              .send = on_send,
                              .drop = on_drop,
                              .left = on_seat_left,
                              .changed = on_changed,
                              .user = hotel};
    RoomOptions made;
    Err err = {0};

    *hotel = (Hotel){.rng = rng_new(seed), .now = 100 * SECOND};
    for (unsigned i = 0; i < PEOPLE; i++) {
        hotel->people[i] = (Person){.hotel = hotel, .index = i};
        for (int k = 0; k < SOCKETS; k++)
            hotel->people[i].sockets[k].person = &hotel->people[i];
    }
    assert_int_equal(rooms_new(&setup, &hotel->rooms, NULL), 0);
    room_options_default(&made);
    if (room_options_read_words(str_of(options), &made, &err) ||
        rooms_make(hotel->rooms, &made, hotel->now, hotel->code, &err))
        fail_msg("%s", err.msg);
}

static void hotel_end(Hotel *hotel)
{
    hotel->rooms = rooms_free(hotel->rooms);
    assert_int_equal(alarms_next(&hotel->alarms), TIME_US_NEVER);
}

static void go_to(Hotel *hotel, TimeUs time)
{
    while (alarms_next(&hotel->alarms) <= time) {
        TimeUs next = alarms_next(&hotel->alarms);
        hotel->now = next > hotel->now ? next : hotel->now;
        alarms_ring(&hotel->alarms, hotel->now);
    }
    hotel->now = time;
}

/* The room as an operator sees it; NULL when it is gone. Freed by json_done. */
static json_t *look(Hotel *hotel)
{
    CLEANUP(room_reply_done) RoomReply reply = {0};
    const RoomCaller caller = {.is_operator = true, .now = hotel->now};

    rooms_look(hotel->rooms, str_of(hotel->code), &caller, &reply);
    return reply.code ? NULL : parse(buf_str(&reply.body));
}

static const char *state_of(Hotel *hotel)
{
    static char state[16];
    json_t *room = look(hotel);

    snprintf(state, sizeof(state), "%.*s", room ? (int)json_text(room, "state").len : 4,
             room ? json_text(room, "state").bytes : "gone");
    json_done(room);
    return state;
}

static int operate(Hotel *hotel, const char *act, const char *body)
{
    CLEANUP(room_reply_done) RoomReply reply = {0};
    const RoomCaller caller = {.is_operator = true, .now = hotel->now};
    json_t *json = body ? parse(str_of(body)) : NULL;

    rooms_act(hotel->rooms, str_of(hotel->code), str_of(act), json, &caller, &reply);
    json_done(json);
    return (int)reply.status;
}

static void kick_somebody(Hotel *hotel)
{
    json_t *room = look(hotel);
    const json_t *seats = room ? json_get(room, "seats") : NULL;
    char text[64];

    if (json_count(seats)) {
        int64_t id = json_number(json_at(seats, 0), "id");
        CLEANUP(buf_done) Buf name = {0};
        buf_add(&name, json_text(json_at(seats, 0), "name"));
        snprintf(text, sizeof(text), "{\"id\":%lld}", (long long)id);
        operate(hotel, "kick", text);
        for (unsigned i = 0; i < PEOPLE; i++) {
            char own[16];
            snprintf(own, sizeof(own), "p%u", i);
            hotel->people[i].kicked |= str_eq(buf_str(&name), str_of(own));
        }
        hotel->kicks++;
    }
    json_done(room);
}

static void check_room(Hotel *hotel)
{
    json_t *room = look(hotel);

    if (!room)
        return;
    const json_t *seats = json_get(room, "seats");
    assert_true(json_count(seats) <= (size_t)json_number(room, "people"));
    Str state = json_text(room, "state");
    if (str_eq(state, STR("open")) || str_eq(state, STR("ready"))) {
        /* Nobody waits beside a free seat. */
        assert_true(json_count(json_get(room, "queue")) == 0 ||
                    json_count(seats) == (size_t)json_number(room, "people"));
        assert_null(hotel->game);
    }
    if (str_eq(state, STR("playing")))
        assert_non_null(hotel->game);
    json_done(room);
}

static bool is_same_room(const json_t *seen, const json_t *room)
{
    return str_eq(json_text(seen, "state"), json_text(room, "state")) &&
           json_count(json_get(seen, "seats")) == json_count(json_get(room, "seats")) &&
           json_count(json_get(seen, "queue")) == json_count(json_get(room, "queue")) &&
           json_number(seen, "watching") == json_number(room, "watching");
}

static bool watchers_know(Hotel *hotel)
{
    json_t *room = look(hotel);
    bool know = true;

    for (unsigned i = 0; room && i < PEOPLE; i++)
        for (int k = 0; k < SOCKETS; k++) {
            const struct Connection *connection = &hotel->people[i].sockets[k];
            if (!connection->socket || !connection->watches || !connection->last[0])
                continue;
            json_t *seen = parse(str_of(connection->last));
            know &= is_same_room(seen, room);
            json_done(seen);
        }
    json_done(room);
    return know;
}

/* Who is told is told the truth, a second late; meanwhile something else may have changed. */
static void check_watchers(Hotel *hotel)
{
    for (int tries = 0; tries < 5; tries++) {
        go_to(hotel, hotel->now + SECOND + 1000);
        if (watchers_know(hotel))
            return;
    }
    fail_msg("those who watch are not told");
}

static void act(Hotel *hotel)
{
    Person *person = &hotel->people[rng_below(&hotel->rng, PEOPLE)];
    struct Connection *connection = &person->sockets[rng_below(&hotel->rng, SOCKETS)];
    CLEANUP(room_reply_done) RoomReply reply = {0};
    const RoomCaller caller = caller_of(person, false);
    char name[16], text[64];

    snprintf(name, sizeof(name), "p%u", person->index);
    switch (rng_below(&hotel->rng, 14)) {
    case 0:
    case 1:
    case 2:
        person_join(person, name);
        return;
    case 3:
        rooms_act(hotel->rooms, str_of(hotel->code), STR("leave"), NULL, &caller, &reply);
        return;
    case 4:
    case 5:
    case 6:
        person_open(person);
        return;
    case 7:
        if (connection->socket)
            connection_close(connection);
        return;
    case 8:
        if (connection->socket && str_eq(str_of(state_of(hotel)), STR("gone")) == false) {
            snprintf(text, sizeof(text), "{\"type\":\"watch\",\"room\":\"%s\"}", hotel->code);
            connection_say(connection, text);
            connection->watches = true;
        }
        return;
    case 9:
        if (connection->socket)
            connection_say(connection, rng_below(&hotel->rng, 2)
                                           ? "{\"type\":\"answer\",\"ask\":1,\"kind\":\"talk\"}"
                                           : "{\"type\":\"here\"}");
        return;
    case 10:
        if (rng_below(&hotel->rng, 6) == 0)
            kick_somebody(hotel);
        return;
    case 11:
        if (rng_below(&hotel->rng, 6) == 0)
            operate(hotel, "next", NULL);
        return;
    case 12:
        operate(hotel, "hold", rng_below(&hotel->rng, 3) ? "{\"on\":false}" : "{\"on\":true}");
        return;
    default:
        if (rng_below(&hotel->rng, 4) == 0)
            operate(hotel, "start", NULL);
        return;
    }
}

static void guests_come_and_go_and_the_games_go_on(void **state)
{
    static const char *const options[] = {"people=3 players=5", "people=4 players=5 start=30s",
                                          "people=2 players=6 division=maw",
                                          "people=5 players=15 division=protocol start=hand kept"};
    const unsigned all = sanitized_share(1000);
    unsigned begun = 0, kicks = 0, refused = 0, silent = 0, asks = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= all; seed++) {
        Hotel *hotel = mem_new(sizeof(*hotel));
        hotel_begin(hotel, seed, options[seed % 4]);
        for (int i = 0; i < 250; i++) {
            act(hotel);
            if (i % 4 == 0)
                check_room(hotel);
            go_to(hotel, hotel->now + (TimeUs)rng_below(&hotel->rng, 12000) * 1000);
            if (i % 20 == 0)
                check_watchers(hotel);
        }
        /* All go: seats are given up, games end, a room that is not kept is gone. */
        operate(hotel, "hold", NULL);
        for (unsigned i = 0; i < PEOPLE; i++)
            for (int k = 0; k < SOCKETS; k++)
                if (hotel->people[i].sockets[k].socket)
                    connection_close(&hotel->people[i].sockets[k]);
        go_to(hotel, hotel->now + 1100 * SECOND);
        assert_null(hotel->game);
        if (rooms_count(hotel->rooms) != (seed % 4 == 3)) {
            CLEANUP(room_reply_done) RoomReply reply = {0};
            const RoomCaller caller = {.is_operator = true, .now = hotel->now};
            rooms_look(hotel->rooms, str_of(hotel->code), &caller, &reply);
            fail_msg("seed %lu: %s", (unsigned long)seed, buf_cstr(&reply.body));
        }
        assert_int_equal(hotel->misdelivered, 0);
        assert_int_equal(hotel->begun, hotel->over);
        begun += hotel->begun;
        kicks += hotel->kicks;
        refused += hotel->refused_kicked;
        silent += hotel->silent;
        for (unsigned i = 0; i < PEOPLE; i++)
            asks += hotel->people[i].asks;
        hotel_end(hotel);
        mem_free(hotel);
    }
    assert_true(begun > 2 * all);
    assert_true(kicks > all / 2);
    assert_true(refused > all / 2);
    assert_true(silent > all);
    assert_true(asks > 5 * all);
}

/* ---- single things ---- */

static Hotel *small_hotel(const char *options)
{
    Hotel *hotel = mem_new(sizeof(*hotel));

    hotel_begin(hotel, 7, options);
    return hotel;
}

static void hotel_free(Hotel *hotel)
{
    hotel_end(hotel);
    mem_free(hotel);
}

static void come(Hotel *hotel, unsigned index)
{
    char name[16];

    snprintf(name, sizeof(name), "p%u", index);
    person_join(&hotel->people[index], name);
    person_open(&hotel->people[index]);
}

static void a_full_room_plays_and_is_open_again_by_the_same_link(void **state)
{
    Hotel *hotel = small_hotel("people=2 players=5");

    (void)state;
    assert_string_equal(state_of(hotel), "open");
    come(hotel, 0);
    assert_string_equal(state_of(hotel), "open");
    come(hotel, 1);
    assert_string_equal(state_of(hotel), "ready");
    come(hotel, 2); /* waits */
    go_to(hotel, hotel->now + 4 * SECOND);
    assert_string_equal(state_of(hotel), "playing");
    go_to(hotel, hotel->now + 2 * SECOND);
    assert_string_equal(hotel->game->id, "g1");
    operate(hotel, "next", NULL);
    go_to(hotel, hotel->now + SECOND);
    assert_string_equal(state_of(hotel), "over");
    person_join(&hotel->people[0], ""); /* again */
    go_to(hotel, hotel->now + 19 * SECOND);
    /* Who has waited comes first; the others have to say that they want to. */
    assert_string_equal(state_of(hotel), "ready");
    json_t *room = look(hotel);
    assert_true(str_eq(json_text(json_at(json_get(room, "seats"), 0), "name"), STR("p2")));
    assert_true(str_eq(json_text(json_at(json_get(room, "seats"), 1), "name"), STR("p0")));
    json_done(room);
    go_to(hotel, hotel->now + 10 * SECOND);
    assert_string_equal(state_of(hotel), "playing");
    assert_int_equal(hotel->begun, 2);
    hotel_free(hotel);
}

static void who_is_gone_gives_up_the_seat_or_is_played_by_a_bot(void **state)
{
    Hotel *hotel = small_hotel("people=2 players=5");

    (void)state;
    come(hotel, 0);
    connection_close(&hotel->people[0].sockets[0]);
    go_to(hotel, hotel->now + 59 * SECOND);
    json_t *room = look(hotel);
    assert_int_equal(json_count(json_get(room, "seats")), 1);
    json_done(room);
    go_to(hotel, hotel->now + 2 * SECOND);
    room = look(hotel);
    assert_int_equal(json_count(json_get(room, "seats")), 0);
    json_done(room);
    come(hotel, 0);
    come(hotel, 1);
    go_to(hotel, hotel->now + 5 * SECOND);
    assert_non_null(hotel->game);
    alarm_stop(&hotel->game->end);
    alarm_stop(&hotel->game->ask);
    for (int i = 0; i < SOCKETS; i++)
        if (hotel->people[0].sockets[i].socket)
            connection_close(&hotel->people[0].sockets[i]);
    go_to(hotel, hotel->now + 59 * SECOND);
    assert_false(hotel->game->away[0]);
    go_to(hotel, hotel->now + 2 * SECOND);
    assert_true(hotel->game->away[0]);
    assert_false(hotel->game->away[1]);
    person_open(&hotel->people[0]);
    assert_false(hotel->game->away[0]);
    hotel_free(hotel);
}

static void who_says_nothing_is_asked_and_then_played_by_a_bot(void **state)
{
    Hotel *hotel = small_hotel("people=1 players=5");

    (void)state;
    come(hotel, 0);
    go_to(hotel, hotel->now + 5 * SECOND);
    alarm_stop(&hotel->game->end);
    alarm_stop(&hotel->game->ask);
    RoomGameEvents events = hotel->game->events;
    events.silent(events.user, 0, hotel->now);
    go_to(hotel, hotel->now + 29 * SECOND);
    assert_false(hotel->game->away[0]);
    connection_say(&hotel->people[0].sockets[0], "{\"type\":\"here\"}");
    go_to(hotel, hotel->now + 10 * SECOND);
    assert_false(hotel->game->away[0]);
    events.silent(events.user, 0, hotel->now);
    go_to(hotel, hotel->now + 31 * SECOND);
    assert_true(hotel->game->away[0]);
    connection_say(&hotel->people[0].sockets[0],
                   "{\"type\":\"answer\",\"ask\":1,\"kind\":\"talk\"}");
    assert_false(hotel->game->away[0]);
    hotel_free(hotel);
}

/* ---- attacks ---- */

static unsigned act_as(Hotel *hotel, const char *act, const char *cookie, const char *address,
                       RoomReply *reply)
{
    const RoomCaller caller = {
        .cookie = str_of(cookie), .address = str_of(address), .now = hotel->now};

    room_reply_done(reply);
    *reply = (RoomReply){0};
    rooms_act(hotel->rooms, str_of(hotel->code), str_of(act), NULL, &caller, reply);
    return reply->status;
}

static void what_is_an_operators_needs_the_right(void **state)
{
    static const char *const acts[] = {"start", "hold", "next", "kick", "close"};
    Hotel *hotel = small_hotel("people=2 players=5");
    CLEANUP(room_reply_done) RoomReply reply = {0};

    (void)state;
    come(hotel, 0);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(act_as(hotel, acts[i], hotel->people[0].cookie, "192.0.2.1", &reply), 403);
        assert_string_equal(reply.code, "no-right");
    }
    assert_string_equal(state_of(hotel), "open");
    assert_int_equal(act_as(hotel, "dance", "", "192.0.2.1", &reply), 404);
    hotel_free(hotel);
}

static void a_cookie_that_was_not_given_is_none(void **state)
{
    Hotel *hotel = small_hotel("people=2 players=5");
    CLEANUP(room_reply_done) RoomReply reply = {0};
    const char planted[] = "00112233445566778899aabbccddeeff";

    (void)state;
    assert_int_equal(act_as(hotel, "join", planted, "192.0.2.1", &reply), 200);
    assert_int_equal(strlen(reply.cookie), 32);
    assert_string_not_equal(reply.cookie, planted);
    char own[ROOM_COOKIE_BYTES];
    memcpy(own, reply.cookie, sizeof(own));
    /* The one that was given is kept. */
    assert_int_equal(act_as(hotel, "join", own, "192.0.2.1", &reply), 200);
    assert_string_equal(reply.cookie, "");
    /* Nothing in what others see is the cookie, or helps to find it. */
    json_t *room = look(hotel);
    assert_int_equal(json_count(json_get(room, "seats")), 1);
    json_done(room);
    const RoomCaller other = {.cookie = STR(""), .now = hotel->now};
    room_reply_done(&reply);
    reply = (RoomReply){0};
    rooms_look(hotel->rooms, str_of(hotel->code), &other, &reply);
    assert_null(strstr(buf_cstr(&reply.body), own));
    assert_null(strstr(buf_cstr(&reply.body), "you"));
    hotel_free(hotel);
}

static void anothers_seat_can_be_neither_seen_nor_played(void **state)
{
    Hotel *hotel = small_hotel("people=2 players=5");
    Person *first, *second;

    (void)state;
    come(hotel, 0);
    come(hotel, 1);
    person_open(&hotel->people[2]); /* without a seat */
    go_to(hotel, hotel->now + 5 * SECOND);
    first = &hotel->people[0];
    second = &hotel->people[1];
    assert_true(rooms_socket_may_see(hotel->rooms, first->sockets[0].socket, STR("g1"), 2));
    assert_false(rooms_socket_may_see(hotel->rooms, first->sockets[0].socket, STR("g1"), 1));
    assert_false(rooms_socket_may_see(hotel->rooms, first->sockets[0].socket, STR("g2"), 2));
    assert_true(rooms_socket_may_see(hotel->rooms, second->sockets[0].socket, STR("g1"), 1));
    for (SeatNo seat = 0; seat < 10; seat++)
        assert_false(rooms_socket_may_see(hotel->rooms, hotel->people[2].sockets[0].socket,
                                          STR("g1"), seat));
    /* An answer from there reaches no chair: stage_hear would have to be told one. */
    connection_say(
        &hotel->people[2].sockets[0],
        "{\"type\":\"answer\",\"game\":\"g1\",\"ask\":1,\"kind\":\"vote\",\"target\":1}");
    hotel_free(hotel);
}

static void who_was_kicked_is_not_let_in_again(void **state)
{
    Hotel *hotel = small_hotel("people=2 players=5");
    CLEANUP(room_reply_done) RoomReply reply = {0};

    (void)state;
    come(hotel, 0);
    assert_int_equal(operate(hotel, "kick", "{\"id\":1}"), 200);
    assert_null(hotel->people[0].sockets[0].socket);
    assert_int_equal(act_as(hotel, "join", hotel->people[0].cookie, "192.0.2.1", &reply), 403);
    assert_string_equal(reply.code, "kicked");
    assert_string_equal(reply.cookie, "");
    assert_int_equal(operate(hotel, "kick", "{\"id\":1}"), 404);
    assert_int_equal(operate(hotel, "kick", "{\"id\":-1}"), 404);
    assert_int_equal(operate(hotel, "kick", "{\"id\":\"x\"}"), 404);
    hotel_free(hotel);
}

static void of_a_seat_that_is_left_the_live_tables_hear(void **state)
{
    Hotel *hotel = small_hotel("people=2 players=5");

    (void)state;
    come(hotel, 0);
    come(hotel, 1);
    go_to(hotel, hotel->now + 5 * SECOND);
    assert_non_null(hotel->game);
    assert_int_equal(hotel->left, SEAT_NONE);
    assert_true(
        rooms_socket_may_see(hotel->rooms, hotel->people[0].sockets[0].socket, STR("g1"), 2));
    assert_int_equal(operate(hotel, "kick", "{\"id\":1}"), 200);
    assert_int_equal(hotel->left, 2);
    hotel_free(hotel);
}

static void floods_end_at_their_limits(void **state)
{
    Hotel *hotel = small_hotel("people=2 players=5");
    CLEANUP(room_reply_done) RoomReply reply = {0};
    unsigned taken = 0;

    (void)state;
    /* One address, no cookies. */
    for (int i = 0; i < 300; i++)
        taken += act_as(hotel, "join", "", "192.0.2.1", &reply) == 200;
    assert_int_equal(taken, 120);
    assert_int_equal(reply.status, 429);
    /* Others are not concerned. */
    assert_int_equal(act_as(hotel, "join", "", "192.0.2.2", &reply), 200);
    char own[ROOM_COOKIE_BYTES];
    memcpy(own, reply.cookie, sizeof(own));
    for (int i = 0; i < 6; i++)
        assert_int_equal(act_as(hotel, "join", own, "192.0.2.3", &reply), 200);
    assert_int_equal(act_as(hotel, "join", own, "192.0.2.3", &reply), 429);
    hotel->now += 61 * SECOND;
    assert_int_equal(act_as(hotel, "join", own, "192.0.2.3", &reply), 200);
    /* A room has places for 200. */
    for (int minute = 0; minute < 3; minute++, hotel->now += SECOND)
        for (int i = 0; i < 120; i++) {
            char address[32];
            snprintf(address, sizeof(address), "198.51.100.%d", i);
            act_as(hotel, "join", "", address, &reply);
        }
    assert_int_equal(reply.status, 409);
    hotel_free(hotel);
}

static void codes_can_not_be_tried_without_end(void **state)
{
    Hotel *hotel = small_hotel("people=2 players=5");
    CLEANUP(room_reply_done) RoomReply reply = {0};
    unsigned found = 0, limited = 0;

    (void)state;
    come(hotel, 0);
    const RoomCaller guesser = {.address = STR("192.0.2.9"), .now = hotel->now};
    for (int i = 0; i < 200; i++) {
        room_reply_done(&reply);
        reply = (RoomReply){0};
        rooms_look(hotel->rooms, STR("AAAAAA"), &guesser, &reply);
        found += reply.status == 404;
        limited += reply.status == 429;
    }
    assert_int_equal(found, 60);
    assert_int_equal(limited, 140);
    /* Now the right one is no better; who has a seat there is not concerned. */
    room_reply_done(&reply);
    reply = (RoomReply){0};
    rooms_look(hotel->rooms, str_of(hotel->code), &guesser, &reply);
    assert_int_equal(reply.status, 429);
    const RoomCaller guest = {
        .address = STR("192.0.2.9"), .cookie = str_of(hotel->people[0].cookie), .now = hotel->now};
    room_reply_done(&reply);
    reply = (RoomReply){0};
    rooms_look(hotel->rooms, str_of(hotel->code), &guest, &reply);
    assert_int_equal(reply.status, 200);
    hotel_free(hotel);
}

static void codes_have_no_letters_that_look_alike(void **state)
{
    Hotel *hotel = small_hotel("people=2 players=5 kept");
    bool seen[256] = {false};
    unsigned letters = 0;

    (void)state;
    for (unsigned i = 1; i < ROOMS_MAX; i++) {
        RoomOptions options;
        char code[ROOM_CODE_BYTES];
        room_options_default(&options);
        assert_int_equal(rooms_make(hotel->rooms, &options, hotel->now, code, NULL), 0);
        assert_int_equal(strlen(code), 6);
        assert_null(strpbrk(code, "0O1IL"));
        for (int k = 0; k < 6; k++) {
            letters += !seen[(unsigned char)code[k]];
            seen[(unsigned char)code[k]] = true;
        }
    }
    assert_true(letters >= 30);
    RoomOptions options;
    char code[ROOM_CODE_BYTES];
    Err err = {0};
    room_options_default(&options);
    assert_int_equal(rooms_make(hotel->rooms, &options, hotel->now, code, &err), ERR_LIMIT);
    hotel_free(hotel);
}

static void names_are_what_can_be_seen(void **state)
{
    static const struct {
        const char *name, *shown; /* NULL: refused */
    } cases[] = {
        {"  Ann \xE3\x80\x80 B ", "Ann B"},
        {"", "Guest 1"},
        {"\xE2\x80\xAE"
         "evil\xE2\x80\x8B",
         "evil"}, /* direction, zero width */
        {"\xE2\x80\x8B\xE2\x80\x8B", NULL},
        {"a\nb", "ab"},
        {"<b>&'\"", "<b>&'\""},
        {"太郎", "太郎"},
        {"1234567890123456789012345678901234567890", "1234567890123456789012345678901234567890"},
        {"12345678901234567890123456789012345678901", NULL}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Hotel *hotel = small_hotel("people=2 players=5");
        CLEANUP(room_reply_done) RoomReply reply = {0};
        CLEANUP(buf_done) Buf text = {0};
        Json json = json_over(&text);
        const RoomCaller caller = {.address = STR("192.0.2.1"), .now = hotel->now};
        json_open(&json, '{');
        json_add_str(&json, "name", str_of(cases[i].name));
        json_close(&json);
        json_t *body = parse(buf_str(&text));
        rooms_act(hotel->rooms, str_of(hotel->code), STR("join"), body, &caller, &reply);
        json_done(body);
        assert_int_equal(reply.status, cases[i].shown ? 200 : 400);
        json_t *room = look(hotel);
        if (cases[i].shown) {
            Str shown = json_text(json_at(json_get(room, "seats"), 0), "name");
            if (!str_eq(shown, str_of(cases[i].shown)))
                fail_msg("'%s' shows as '%.*s'", cases[i].name, STR_ARG(shown));
        } else {
            assert_string_equal(reply.cookie, "");
        }
        json_done(room);
        hotel_free(hotel);
    }
}

static void a_game_that_can_not_begin_holds_the_room(void **state)
{
    Hotel *hotel = small_hotel("people=1 players=5");

    (void)state;
    hotel->fail_begin = true;
    come(hotel, 0);
    go_to(hotel, hotel->now + 100 * SECOND);
    json_t *room = look(hotel);
    assert_true(str_eq(json_text(room, "trouble"), STR("no game today")));
    assert_true(str_eq(json_text(room, "state"), STR("open")));
    json_done(room);
    hotel->fail_begin = false;
    operate(hotel, "start", NULL);
    go_to(hotel, hotel->now + 4 * SECOND);
    assert_string_equal(state_of(hotel), "playing");
    hotel_free(hotel);
}

static void options_fit_or_say_what_does_not(void **state)
{
    static const struct {
        const char *words, *about; /* NULL: fine */
    } cases[] = {{"division=nlp players=5 people=5", NULL},
                 {"division=protocol rules=aiwolf-2021 players=15 people=3 fill=bot:random", NULL},
                 {"division=maw players=10,people=4,rounds=2", NULL},
                 {"title=Evening_table start=90s language=ja kept listed=no", NULL},
                 {"players=2", "players is 3 to 30"},
                 {"people=6 players=5", "do not fit"},
                 {"division=chess", "division"},
                 {"division=maw rules=nlp-turn", "not a ruleset of"},
                 {"fill=bot:deep", "there is no"},
                 {"start=never", "start is"},
                 {"colour=red", "no option"},
                 {"kept=maybe", "yes or no"},
                 {"pause_min_ms=5000 pause_max_ms=1", "pause"},
                 {"players=99999999999999999999", "whole number"}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        RoomOptions options;
        Err err = {0};
        room_options_default(&options);
        int rc = room_options_read_words(str_of(cases[i].words), &options, &err);
        if (rc == 0)
            rc = room_options_check(&options, &err);
        if ((rc == 0) != (cases[i].about == NULL) ||
            (cases[i].about && !strstr(err.msg, cases[i].about)))
            fail_msg("'%s': %s", cases[i].words, err.msg);
    }
    RoomOptions options;
    room_options_default(&options);
    json_t *json = parse(STR("{\"division\":\"maw\",\"players\":8,\"people\":3,\"listed\":false,"
                             "\"start\":\"after 60s\",\"title\":\"a\\\"b\"}"));
    assert_int_equal(room_options_read(json, &options, NULL), 0);
    assert_int_equal(room_options_check(&options, NULL), 0);
    assert_int_equal(options.players, 8);
    assert_int_equal(options.start_after_ms, 60000);
    assert_false(options.listed);
    json_done(json);
    json = parse(STR("{\"players\":\"8\"}"));
    assert_int_equal(room_options_read(json, &options, NULL), ERR_RULE);
    json_done(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guests_come_and_go_and_the_games_go_on),
        cmocka_unit_test(a_full_room_plays_and_is_open_again_by_the_same_link),
        cmocka_unit_test(who_is_gone_gives_up_the_seat_or_is_played_by_a_bot),
        cmocka_unit_test(who_says_nothing_is_asked_and_then_played_by_a_bot),
        cmocka_unit_test(what_is_an_operators_needs_the_right),
        cmocka_unit_test(a_cookie_that_was_not_given_is_none),
        cmocka_unit_test(anothers_seat_can_be_neither_seen_nor_played),
        cmocka_unit_test(who_was_kicked_is_not_let_in_again),
        cmocka_unit_test(of_a_seat_that_is_left_the_live_tables_hear),
        cmocka_unit_test(floods_end_at_their_limits),
        cmocka_unit_test(codes_can_not_be_tried_without_end),
        cmocka_unit_test(codes_have_no_letters_that_look_alike),
        cmocka_unit_test(names_are_what_can_be_seen),
        cmocka_unit_test(a_game_that_can_not_begin_holds_the_room),
        cmocka_unit_test(options_fit_or_say_what_does_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
