/* live_world.h - a simulated server of live tables, a network that is slow, stalls and breaks, and
 *                pages and scripts that watch.
 *
 * For:    tests/web/test_feed.c. Whatever is drawn comes from one seed; time is simulated.
 * Memory: world_open, world_close; a World is large: on the heap.
 * Thread: the test's.
 */
#ifndef WARG_TESTS_LIVE_WORLD_H
#define WARG_TESTS_LIVE_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/mem.h"
#include "game/drive.h"
#include "prop.h"
#include "record/live_letter.h"
#include "web/feed.h"

#define WORLD_GAMES   3
#define WORLD_CLIENTS 8
#define WORLD_EVENTS  4096
#define WORLD_THINGS  400            /* of a game, at most; it is given up then */
#define WORLD_KERNEL  ((size_t)4096) /* bytes that a connection takes without being read */
#define WORLD_STEP_US ((TimeUs)20 * 1000)

/* ---- games ---- */

/* A game that was played before: what is told of it, and what its document must be. */
typedef struct WorldGame {
    char id[16];
    DocDivision division;
    LiveLetter letter;
    size_t told;    /* bytes */
    TimeUs next_at; /* when the next thing is told */
    TimeUs shift;   /* of all times */
    bool over;
    bool aborted;
    GameDoc *truth; /* of all that was told so far */
    TimeUs began;
    TimeUs ended_at;
} WorldGame;

typedef struct World World;

/* ---- who watches ---- */

/* What is under way to a client. */
typedef struct Parcel {
    struct Parcel *next;
    size_t bytes;
    char text[];
} Parcel;

typedef struct Client {
    World *world;
    FeedReader *reader; /* NULL: no connection */
    WorldGame *game;
    DocViewKind kind;
    SeatNo seat;
    bool is_operator;
    bool is_stream;
    bool is_slow;
    bool is_deaf; /* reads nothing until then */
    TimeUs deaf_until;
    TimeUs connect_at;
    Parcel *first, *last;
    size_t waiting;
    TimeUs stuck_since;
    uint16_t closed_with; /* the server's code */

    char after[64]; /* BOOT.N; empty = nothing */
    json_t *events;
    json_t *phases;
    json_t *seats;
    bool has_doc;
    bool done;
    bool has_end; /* it was told of it */
    bool whole;   /* it ended with the document */
    bool lacks;   /* a stream behind the oldest frames that are kept */
    unsigned agains, cuts, stucks;
} Client;

struct World {
    Rng rng;
    TimeUs now;
    TimeUs delay;
    size_t list_bytes;
    uint32_t boots;
    LiveTables *tables;
    Feed *feed;
    WorldGame games[WORLD_GAMES];
    size_t game_count;
    Client clients[WORLD_CLIENTS];
    size_t client_count;
    /* When event n of a view was told: [game][0 = public, 1 = all, 2.. = seat + 1]. */
    TimeUs told_at[WORLD_GAMES][SEAT_MAX + 2][WORLD_EVENTS];
    uint64_t told_count[WORLD_GAMES][SEAT_MAX + 2];
    unsigned restarts;
};

static inline uint32_t world_draw(World *world, uint32_t count)
{
    return rng_below(&world->rng, count);
}

/* ---- playing ---- */

static inline void world_head(WorldGame *game, const Ruleset *rules, SeatNo count,
                              const LiveSink *sink)
{
    static char names[SEAT_MAX + 1][16], agents[SEAT_MAX + 1][16];
    DocSeat seats[SEAT_MAX + 1] = {{{0}, {0}, {0}, {0}, {0}}};

    for (SeatNo seat = 1; seat <= count; seat++) {
        snprintf(names[seat], sizeof(names[seat]), "Agent[%02u]", seat);
        snprintf(agents[seat], sizeof(agents[seat]), "zzagent%02u", seat);
        seats[seat] = (DocSeat){.name = str_of(names[seat]),
                                .agent = str_of(agents[seat]),
                                .team = STR("zzteam"),
                                .kind = STR("agent")};
    }
    sink->begins(sink->user,
                 &(DocHead){.id = str_of(game->id),
                            .division = game->division,
                            .language = game->division == DOC_PROTOCOL ? "aiwolf" : "en",
                            .rules = rules,
                            .seat_count = count,
                            .seats = seats,
                            .began_unix_ms = 1790000000000,
                            .form = "live",
                            .source_name = str_of(game->id)},
                 0);
}

/* Things that no engine tells. */
static inline void world_tell_more(WorldGame *game, Rng *rng, SeatNo count, const LiveSink *sink,
                                   TimeUs at, uint16_t day)
{
    const Str id = str_of(game->id);
    const SeatNo seat = (SeatNo)(1 + rng_below(rng, count));

    switch (rng_below(rng, 30)) {
    case 0:
        sink->fault(sink->user, id,
                    &(Fault){.kind = FAULT_TIMEOUT,
                             .seat = seat,
                             .day = day,
                             .request = rng_below(rng, 2) ? "TALK" : "DIVINE",
                             .elapsed_us = 203400},
                    at);
        break;
    case 1:
        sink->clock(sink->user, id, ACTION_TALK, at + 5000000, rng_below(rng, 2) != 0, at);
        break;
    case 2:
        sink->notice(sink->user, id, STR("the table \"waits\""), at);
        break;
    default:
        sink->asked(sink->user, id, seat, at);
        break;
    }
}

/* Whispers have words that are found again: who whispers, in which order. */
static inline void world_tell_event(const LiveSink *sink, Str id, const Event *event, TimeUs at)
{
    Event told = *event;
    Talk talk;
    char words[32];

    if (event->kind == EVENT_WHISPER) {
        snprintf(words, sizeof(words), "zzwhisper%u.", event->seat);
        talk = *event->talk;
        talk.text = str_of(words);
        told.talk = &talk;
    }
    sink->heard(sink->user, id, &told, at);
}

/* Plays a game of random answers into its letter. */
static inline void world_play(WorldGame *game, Rng *rng, uint64_t number)
{
    const size_t preset = rng_below(rng, 6);
    LiveSink sink = live_letter_sink(&game->letter);
    CLEANUP(mem_freep) Drive *drive = mem_new(sizeof(*drive));
    Ruleset rules;
    Game *engine = NULL;
    Err err = {0};
    TimeUs at = 0;
    size_t things = 0;

    assert_non_null(drive);
    assert_int_equal(ruleset_preset(str_of(ruleset_preset_name(preset)), &rules, &err), 0);
    snprintf(game->id, sizeof(game->id), "%03llu", (unsigned long long)number);
    game->division = strncmp(rules.name, "aiwolf", 6) == 0 ? DOC_PROTOCOL
                     : strncmp(rules.name, "maw", 3) == 0  ? DOC_MAW
                                                           : DOC_NLP;
    assert_int_equal(game_new(&rules, rules.players, &engine, &err), 0);
    assert_int_equal(game_start(engine, NULL, chance_from_seed(rng_next(rng)), &err), 0);
    *drive = (Drive){.game = engine,
                     .rng = rng_new(rng_next(rng)),
                     .talkative = 60,
                     .rare = rng_below(rng, 3) ? 0 : 400};
    world_head(game, &rules, game_seat_count(engine), &sink);
    while (things < WORLD_THINGS) {
        Event event;
        while (things < WORLD_THINGS && game_next_event(engine, &event)) {
            event.time = at / 1000;
            world_tell_event(&sink, str_of(game->id), &event, at);
            things++;
        }
        if (game_over(engine) || things >= WORLD_THINGS)
            break;
        drive_step(drive);
        at += (TimeUs)rng_below(rng, 60) * 1000;
        if (rng_below(rng, 8) == 0) {
            world_tell_more(game, rng, game_seat_count(engine), &sink, at, game_day(engine));
            things++;
        }
    }
    sink.ends(sink.user, str_of(game->id), !game_over(engine), at);
    assert_false(buf_failed(&game->letter.bytes));
    game_free(engine);
}

/* ---- the truth ---- */

static inline void truth_begins(void *user, const DocHead *head, TimeUs now)
{
    WorldGame *game = user;

    game->truth = game_doc_free(game->truth);
    assert_int_equal(game_doc_new(head, &game->truth, NULL), 0);
    game->began = now;
}

static inline TimeMs truth_time(const WorldGame *game, TimeUs now)
{
    return (now - game->began) / 1000;
}

static inline void truth_heard(void *user, Str id, const Event *event, TimeUs now)
{
    WorldGame *game = user;
    Event timed = *event;

    (void)id;
    if (game->division != DOC_NLP)
        timed.time = truth_time(game, now);
    game_doc_heard(game->truth, &timed);
}

static inline void truth_fault(void *user, Str id, const Fault *fault, TimeUs now)
{
    WorldGame *game = user;

    (void)id;
    game_doc_fault(game->truth, fault, truth_time(game, now));
}

static inline void truth_notice(void *user, Str id, Str text, TimeUs now)
{
    WorldGame *game = user;

    (void)id;
    game_doc_notice(game->truth, text, truth_time(game, now));
}

static inline void truth_ends(void *user, Str id, bool aborted, TimeUs now)
{
    WorldGame *game = user;

    (void)id;
    game_doc_close(game->truth, aborted ? DOC_ABORTED : DOC_FINISHED, truth_time(game, now));
    game->aborted = aborted;
    game->over = true;
    game->ended_at = now;
}

static inline LiveSink truth_sink(WorldGame *game)
{
    return (LiveSink){.begins = truth_begins,
                      .heard = truth_heard,
                      .fault = truth_fault,
                      .notice = truth_notice,
                      .ends = truth_ends,
                      .user = game};
}

static inline json_t *truth_doc(const WorldGame *game, DocViewKind kind, SeatNo seat)
{
    /* one that was given up goes on with the same agents in the same seats */
    const bool names = !(game->aborted && game->division == DOC_PROTOCOL);
    const DocView view = {.kind = kind, .seat = seat, .names = names};
    CLEANUP(buf_done) Buf text = {0};

    game_doc_write(game->truth, &view, &text);
    json_t *doc = json_loadb(text.bytes, text.len, JSON_ALLOW_NUL, NULL);
    assert_non_null(doc);
    return doc;
}

/* ---- connections ---- */

static inline void wire_send(void *conn, Str text)
{
    Client *client = conn;
    Parcel *parcel = malloc(sizeof(*parcel) + text.len + 1);

    assert_non_null(parcel);
    parcel->next = NULL;
    parcel->bytes = text.len;
    memcpy(parcel->text, text.bytes, text.len);
    parcel->text[text.len] = '\0';
    *(client->first ? &client->last->next : &client->first) = parcel;
    client->last = parcel;
    client->waiting += text.len;
    if (client->stuck_since == TIME_US_NEVER && client->waiting > WORLD_KERNEL)
        client->stuck_since = client->world->now;
}

static inline void wire_forget(Client *client)
{
    while (client->first) {
        Parcel *parcel = client->first;
        client->first = parcel->next;
        free(parcel);
    }
    client->waiting = 0;
    client->stuck_since = TIME_US_NEVER;
}

/* What was sent before it comes in still. */
static inline void wire_close(void *conn, uint16_t code, const char *reason)
{
    Client *client = conn;

    (void)reason;
    client->reader = NULL;
    client->closed_with = code;
    client->stucks += code == 1013;
    client->connect_at = client->world->now + 500000;
}

static inline size_t wire_queued(const void *conn)
{
    const Client *client = conn;

    return client->waiting > WORLD_KERNEL ? client->waiting - WORLD_KERNEL : 0;
}

static inline TimeUs wire_stuck(const void *conn)
{
    const Client *client = conn;

    return wire_queued(conn) ? client->stuck_since : TIME_US_NEVER;
}

static const FeedOut world_wire = {
    .send = wire_send, .close = wire_close, .queued = wire_queued, .stuck_since = wire_stuck};

/* ---- clients ---- */

static inline void client_forget(Client *client)
{
    json_decref(client->events);
    json_decref(client->phases);
    json_decref(client->seats);
    client->events = json_array();
    client->phases = json_array();
    client->seats = json_array();
    client->after[0] = '\0';
    client->has_doc = false;
    client->has_end = false;
    client->lacks = false;
}

static inline size_t view_index(const Client *client)
{
    return client->kind == DOC_VIEW_PUBLIC ? 0
           : client->kind == DOC_VIEW_ALL  ? 1
                                           : (size_t)client->seat + 1;
}

/* What a client has must not be known earlier than it may be. */
static inline void client_check_times(const Client *client, size_t first, size_t count)
{
    const World *world = client->world;
    const bool prompt = client->is_operator || client->kind == DOC_VIEW_SEAT;
    const size_t game = (size_t)(client->game - world->games);

    for (size_t n = first; n < count && n < WORLD_EVENTS; n++)
        assert_true(world->told_at[game][view_index(client)][n] + (prompt ? 0 : world->delay) <=
                    world->now);
}

static inline void client_view(const Client *client, char name[static 16])
{
    if (client->kind == DOC_VIEW_SEAT)
        snprintf(name, 16, "seat:%u", client->seat);
    else
        snprintf(name, 16, "%s", client->kind == DOC_VIEW_ALL ? "all" : "public");
}

/* All that it has is the document, once the game is over for it. */
static inline void client_check_end(Client *client)
{
    json_t *doc = truth_doc(client->game, client->kind, client->seat);

    if (!json_equal(client->events, json_object_get(doc, "events")) ||
        !json_equal(client->phases, json_object_get(doc, "phases")) ||
        !json_equal(client->seats, json_object_get(doc, "seats"))) {
        char *has = json_dumps(client->phases, 0);
        char *wants = json_dumps(json_object_get(doc, "phases"), 0);
        fail_msg("game %s: a %s ends with %zu events of %zu (view %d, after %s, %u again, %u cuts, "
                 "%u restarts)\n%s\n%s",
                 client->game->id, client->is_stream ? "stream" : "socket",
                 json_array_size(client->events), json_array_size(json_object_get(doc, "events")),
                 (int)client->kind, client->after, client->agains, client->cuts,
                 client->world->restarts, has, wants);
    }
    json_decref(doc);
    client->done = client->whole = true;
}

static inline void client_take_doc(Client *client, LiveList *list)
{
    const Str text = live_list_doc(list);
    CLEANUP(buf_done) Buf id = {0};
    json_t *doc = json_loadb(text.bytes, text.len, JSON_ALLOW_NUL, NULL);

    assert_non_null(doc);
    client_forget(client);
    json_array_extend(client->events, json_object_get(doc, "events"));
    json_array_extend(client->phases, json_object_get(doc, "phases"));
    json_array_extend(client->seats, json_object_get(doc, "seats"));
    json_decref(doc);
    live_list_write_id(list, live_list_count(list), &id);
    snprintf(client->after, sizeof(client->after), "%s", buf_cstr(&id));
    assert_int_equal(json_array_size(client->events), live_list_count(list));
    client->has_doc = true;
    client_check_times(client, 0, json_array_size(client->events));
}

/* As a page does: false when there is no such game now. */
static inline bool client_fetch(Client *client)
{
    const World *world = client->world;
    LiveTable *table =
        feed_find(world->feed, str_of(client->game->id), client->kind, client->is_operator);

    if (!table)
        return false;
    if (!feed_may_see(world->feed, table, client->kind, client->is_operator,
                      client->kind == DOC_VIEW_SEAT)) {
        assert_int_equal(client->kind, DOC_VIEW_ALL);
        return false;
    }
    LiveList *list = live_table_list(table, client->kind, client->seat);
    assert_non_null(list);
    client_take_doc(client, list);
    return true;
}

static inline void client_watch(Client *client)
{
    char view[16], text[256];

    client_view(client, view);
    snprintf(text, sizeof(text),
             "{\"type\":\"watch\",\"game\":\"%s\",\"view\":\"%s\",\"after\":\"%s\"}",
             client->game->id, view, client->after);
    feed_message(client->reader, str_of(text), client->world->now);
}

static inline void client_connect_socket(Client *client)
{
    World *world = client->world;

    client->connect_at = world->now + 300000;
    if (!client->has_doc && !client_fetch(client))
        return;
    client->reader = feed_open_socket(world->feed, &world_wire, client, STR("192.0.2.1"),
                                      client->is_operator, world->now);
    assert_non_null(client->reader);
    client_watch(client);
}

static inline void client_connect_stream(Client *client)
{
    World *world = client->world;
    const FeedStream stream = {.game = str_of(client->game->id),
                               .kind = client->kind,
                               .seat = client->seat,
                               .after = str_of(client->after)};

    client->connect_at = world->now + 300000;
    switch (feed_can_stream(world->feed, &stream, client->is_operator,
                            client->kind == DOC_VIEW_SEAT, world->now)) {
    case FEED_GOES:
        client->reader = feed_open_stream(world->feed, &world_wire, client, STR("192.0.2.1"),
                                          &stream, client->is_operator, world->now);
        assert_non_null(client->reader);
        break;
    case FEED_FINISHED:
        client->done = true; /* it came too late, or had all */
        break;
    case FEED_FORBIDDEN:
        assert_int_equal(client->kind, DOC_VIEW_ALL);
        break;
    case FEED_NOTHING:
        break;
    }
}

static inline void client_cut(Client *client)
{
    if (client->reader)
        feed_left(client->reader);
    client->reader = NULL;
    wire_forget(client);
    client->cuts++;
    client->connect_at = client->world->now + (TimeUs)world_draw(client->world, 20) * 100000;
}

/* The number of a BOOT.N; false for another BOOT. */
static inline bool id_number(const char *id, const char *before, uint64_t *ret_number)
{
    const char *dot = strchr(id, '.');

    assert_non_null(dot);
    *ret_number = strtoull(dot + 1, NULL, 10);
    return before[0] == '\0' || strncmp(id, before, (size_t)(dot - id)) == 0;
}

static inline void client_hear_events(Client *client, const json_t *message)
{
    const char *id = json_string_value(json_object_get(message, "id"));
    const json_t *events = json_object_get(message, "events");
    const size_t had = json_array_size(client->events);
    uint64_t number = 0, before = 0;

    assert_non_null(id);
    assert_true(id_number(id, client->after, &number));
    if (client->after[0])
        id_number(client->after, "", &before);
    if (client->is_stream && client->agains && had == 0 && number > json_array_size(events))
        client->lacks = true; /* the oldest were not kept */
    if (client->lacks) {
        snprintf(client->after, sizeof(client->after), "%s", id);
        return;
    }
    assert_true(number >= before); /* never back */
    assert_int_equal(number - before, json_array_size(events));
    json_array_extend(client->events, (json_t *)(uintptr_t)events);
    for (size_t n = had; n < json_array_size(client->events); n++)
        assert_int_equal(
            json_integer_value(json_object_get(json_array_get(client->events, n), "n")), n);
    json_array_extend(client->phases, json_object_get(message, "phases"));
    if (json_object_get(message, "seats")) {
        json_decref(client->seats);
        client->seats = json_deep_copy(json_object_get(message, "seats"));
    }
    snprintf(client->after, sizeof(client->after), "%s", id);
    client_check_times(client, had, json_array_size(client->events));
}

/* A page fetches the document, a script forgets what it had. */
static inline void client_again(Client *client)
{
    client->agains++;
    client_forget(client);
    if (client->is_stream)
        return;
    if (client->reader && client_fetch(client))
        client_watch(client);
    else if (client->reader)
        client_cut(client);
}

/* What a view must not know stands in no byte that is sent for it: each message is looked at, up to
 * the game's end. */
static inline void client_tap(Client *client, const char *text)
{
    static const char *const hidden[] = {
        "zzwhisper",    "\"role\":",       "\"whisper\"", "\"divine\"", "\"guard\"",
        "\"identify\"", "\"attack_vote\"", "\"attack\"",  "\"to\":",    "\"role_to\":"};
    const char *end = strstr(text, "\"kind\":\"end\"");
    CLEANUP(buf_done) Buf before = {0};

    if (client->is_operator || client->has_end)
        return;
    client->has_end = end != NULL;
    buf_add(&before, str_part(str_of(text), 0, end ? (size_t)(end - text) : SIZE_MAX));
    if (!client->game->over &&
        (strstr(buf_cstr(&before), "zzagent") || strstr(buf_cstr(&before), "zzteam")))
        fail_msg("a reader is told who plays: %s", buf_cstr(&before));
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
        if (client->kind == DOC_VIEW_PUBLIC && strstr(buf_cstr(&before), hidden[i]))
            fail_msg("the public is told %s: %s", hidden[i], buf_cstr(&before));
}

static inline void client_hear(Client *client, const char *text)
{
    json_error_t trouble;
    json_t *message = json_loads(text, JSON_ALLOW_NUL, &trouble);

    if (!message)
        fail_msg("%s: %s", trouble.text, text);
    client_tap(client, text);
    const char *type = json_string_value(json_object_get(message, "type"));
    if (strcmp(type, "events") == 0)
        client_hear_events(client, message);
    else if (strcmp(type, "again") == 0)
        client_again(client);
    else if (strcmp(type, "gone") == 0 && strstr(text, "given up") && client->lacks) {
        client->done = true;
    } else if (strcmp(type, "gone") == 0 && strstr(text, "given up")) {
        client_check_end(client); /* it is played again: nothing is revealed */
    } else if (strcmp(type, "gone") == 0) {
        client_forget(client);
        client_cut(client);
    } else if (strcmp(type, "reveal") == 0 && client->lacks)
        client->done = true;
    else if (strcmp(type, "reveal") == 0)
        client_check_end(client);
    else if (strcmp(type, "clock") != 0 && strcmp(type, "typing") != 0)
        fail_msg("unexpected: %s", text);
    json_decref(message);
}

/* One event of a stream, or a comment. */
static inline void client_hear_lines(Client *client, const char *text)
{
    const char *data = strstr(text, "data: ");

    if (strncmp(text, "retry: ", 7) == 0 || text[0] == ':')
        return;
    assert_non_null(data);
    CLEANUP(buf_done) Buf json = {0};
    buf_add(&json, str_part(str_of(data + 6), 0, strcspn(data + 6, "\n")));
    client_hear(client, buf_cstr(&json));
}

/* What has come in by now. */
static inline void client_read(Client *client)
{
    const World *world = client->world;
    unsigned most = client->is_slow ? world_draw(client->world, 8) == 0 : 20;

    if (world->now < client->deaf_until)
        return;
    while (client->first && most-- > 0 && !client->done) {
        Parcel *parcel = client->first;
        client->first = parcel->next;
        client->waiting -= parcel->bytes;
        if (client->waiting <= WORLD_KERNEL)
            client->stuck_since = TIME_US_NEVER;
        if (client->is_stream)
            client_hear_lines(client, parcel->text);
        else
            client_hear(client, parcel->text);
        free(parcel);
    }
}

static inline void client_step(Client *client)
{
    World *world = client->world;

    client_read(client);
    if (client->done)
        return;
    if (!client->reader && !client->first && world->now >= client->connect_at) {
        if (client->is_stream)
            client_connect_stream(client);
        else
            client_connect_socket(client);
    }
    if (client->reader && world_draw(world, 600) == 0)
        client_cut(client);
    if (world_draw(world, 500) == 0)
        client->deaf_until = world->now + (TimeUs)world_draw(world, 45) * 1000000;
}

/* ---- the server ---- */

static inline uint32_t world_boot(void *user)
{
    World *world = user;

    return 0xb0070000u + world->boots++;
}

/* Everybody may sit everywhere: the right is not what is tested here. */
static inline bool world_sits(void *user, const FeedReader *reader, Str game, SeatNo seat)
{
    (void)user, (void)reader, (void)game, (void)seat;
    return true;
}

static inline void world_feed(World *world)
{
    const LiveTablesSetup setup = {.delay = world->delay,
                                   .list_bytes = world->list_bytes,
                                   .draw = world_boot,
                                   .draw_user = world};
    const FeedSetup feed = {.hooks = {.sits = world_sits}};
    FeedSetup own = feed;

    assert_int_equal(live_tables_new(&setup, &world->tables, NULL), 0);
    own.tables = world->tables;
    assert_int_equal(feed_new(&own, &world->feed, NULL), 0);
}

/* Notes when each event of a view was told. */
static inline void world_note_times(World *world, size_t game)
{
    LiveTable *table =
        live_views_find(live_tables_views(world->tables, true), str_of(world->games[game].id));

    for (size_t i = 0; table && i < world->client_count; i++) {
        const Client *client = &world->clients[i];
        if (client->game != &world->games[game])
            continue;
        const LiveList *list = live_table_list(table, client->kind, client->seat);
        const uint64_t count = live_list_count(list);
        uint64_t *told = &world->told_count[game][view_index(client)];
        for (; *told < count && *told < WORLD_EVENTS; (*told)++)
            world->told_at[game][view_index(client)][*told] = world->now;
    }
}

static inline void world_tell(World *world, size_t number)
{
    WorldGame *game = &world->games[number];
    const LiveSink truth = truth_sink(game), tables = live_tables_sink(world->tables);

    while (!game->over) {
        Str rest = str_part(buf_str(&game->letter.bytes), game->told, SIZE_MAX), again = rest;
        const LiveFirst first = live_letter_first(rest);
        if (first.at + game->shift > world->now)
            return;
        const TimeUs later = world->now - first.at; /* all at the time that it is */
        live_letter_tell(&again, &truth, later);
        live_letter_tell(&rest, &tables, later);
        game->told += first.bytes;
        world_note_times(world, number);
    }
}

/* The server is killed, and begins its games anew; whoever watches notices. */
static inline void world_restart(World *world)
{
    for (size_t i = 0; i < world->client_count; i++) {
        Client *client = &world->clients[i];
        if (client->done)
            continue;
        client->reader = NULL;
        wire_forget(client);
        client->connect_at = world->now + (TimeUs)world_draw(world, 20) * 100000;
    }
    feed_free(world->feed);
    live_tables_free(world->tables);
    world_feed(world);
    memset(world->told_count, 0, sizeof(world->told_count));
    for (size_t i = 0; i < world->game_count; i++) {
        WorldGame *game = &world->games[i];
        for (size_t k = 0; k < world->client_count; k++)
            if (game->over && world->clients[k].game == game)
                world->clients[k].done = true; /* it ends with what it has */
        game->told = game->over ? game->told : 0;
        game->shift = world->now;
    }
    world->restarts++;
}

static inline World *world_open(uint64_t seed)
{
    World *world = mem_new(sizeof(*world));

    assert_non_null(world);
    world->rng = rng_new(seed);
    world->now = 1000000;
    world->delay = world_draw(world, 2) ? (TimeUs)world_draw(world, 40) * 1000000 : 0;
    world->list_bytes = world_draw(world, 3) ? 0 : 3000 + world_draw(world, 60000);
    world->game_count = 1 + world_draw(world, WORLD_GAMES);
    world->client_count = 1 + world_draw(world, WORLD_CLIENTS);
    world_feed(world);
    for (size_t i = 0; i < world->game_count; i++) {
        world_play(&world->games[i], &world->rng, i);
        world->games[i].shift = world->now + (TimeUs)world_draw(world, 5) * 1000000;
    }
    for (size_t i = 0; i < world->client_count; i++) {
        Client *client = &world->clients[i];
        client->world = world;
        client->game = &world->games[world_draw(world, (uint32_t)world->game_count)];
        client->kind = (DocViewKind)world_draw(world, 3);
        client->seat = client->kind == DOC_VIEW_SEAT ? (SeatNo)(1 + world_draw(world, 5)) : 0;
        client->is_operator = client->kind == DOC_VIEW_ALL || world_draw(world, 5) == 0;
        client->is_stream = world_draw(world, 3) == 0;
        client->is_slow = world_draw(world, 4) == 0;
        client->stuck_since = TIME_US_NEVER;
        client->connect_at = world->now + (TimeUs)world_draw(world, 30) * 1000000;
        client_forget(client);
    }
    return world;
}

static inline bool world_done(const World *world)
{
    for (size_t i = 0; i < world->client_count; i++)
        if (!world->clients[i].done)
            return false;
    return true;
}

static inline void world_step(World *world)
{
    world->now += WORLD_STEP_US + (TimeUs)world_draw(world, 4) * WORLD_STEP_US;
    for (size_t i = 0; i < world->game_count; i++)
        world_tell(world, i);
    if (feed_deadline(world->feed) <= world->now)
        feed_tick(world->feed, world->now);
    for (size_t i = 0; i < world->client_count; i++)
        client_step(&world->clients[i]);
}

static inline World *world_close(World *world)
{
    feed_free(world->feed);
    live_tables_free(world->tables);
    for (size_t i = 0; i < world->client_count; i++) {
        Client *client = &world->clients[i];
        wire_forget(client);
        json_decref(client->events);
        json_decref(client->phases);
        json_decref(client->seats);
    }
    for (size_t i = 0; i < world->game_count; i++) {
        game_doc_free(world->games[i].truth);
        buf_done(&world->games[i].letter.bytes);
    }
    return mem_free(world);
}

#endif
