/* What sockets say to the feed. */
#include "web/feed_own.h"
#include "wire/json_read.h"

/* ---- messages of sockets ---- */

/* A message that makes no sense ends its socket. */
static void refuse_message(FeedReader *reader, const char *why)
{
    feed_send_error(reader, "protocol", STR(""), why);
    feed_close_reader(reader, CLOSE_POLICY, "protocol");
}

static bool has_seat(FeedReader *reader, Str game, DocViewKind kind, SeatNo seat)
{
    const FeedHooks *hooks = &reader->feed->setup.hooks;

    return kind == DOC_VIEW_SEAT && hooks->sits && hooks->sits(hooks->user, reader, game, seat);
}

/* Where a reader goes on that has told so; false when it has to fetch the document anew. */
static bool place_of(const LiveList *list, const json_t *message, uint64_t *ret_count)
{
    const Str after = json_text(message, "after");

    *ret_count = live_list_count(list);
    if (after.len == 0)
        return true;
    return live_list_read_id(list, after, ret_count) && *ret_count >= live_list_base(list);
}

static void begin_watch(FeedReader *reader, LiveList *list, const json_t *message, TimeUs now)
{
    uint64_t count;

    if (!place_of(list, message, &count)) {
        feed_send_again(reader, list, now);
        return;
    }
    Watch *watch = feed_add_watch(reader, list, count);
    if (watch)
        feed_tell_watch(watch, now);
    else
        feed_send_error(reader, "memory", live_table_id(live_list_table(list)),
                        "the server has no memory left; try again later");
}

static void watch_home(FeedReader *reader, TimeUs now)
{
    reader->wants_home = true;
    reader->home = 0;
    feed_tell_home(reader, now);
}

static bool is_of_home(const json_t *message)
{
    bool home = false;

    return json_as_bool(json_get(message, "home"), &home) && home;
}

/* No such game runs. Of one that is over nothing more comes; who had a part of it fetches all. */
static void refuse_watch(FeedReader *reader, Str game, Str after, TimeUs now)
{
    if (!feed_keeps(reader->feed, game, reader->is_operator, now))
        feed_send_plain(reader, "gone", game, "why", STR("no such game is running here"), now);
    else
        feed_send_plain(reader, after.len ? "again" : "reveal", game, NULL, STR(""), now);
}

static void take_watch(FeedReader *reader, const json_t *message, TimeUs now)
{
    const Str game = json_text(message, "game");
    DocViewKind kind;
    SeatNo seat;

    if (is_of_home(message)) {
        watch_home(reader, now);
        return;
    }
    if (game.len == 0 || !live_view_of(json_text(message, "view"), &kind, &seat)) {
        refuse_message(reader, "watch takes a game, and a view: public, all or seat:N");
        return;
    }
    Watch *before = feed_find_watch(reader, game);
    if (before)
        feed_free_watch(before);
    LiveTable *table = feed_find(reader->feed, game, kind, reader->is_operator);
    if (!table) {
        refuse_watch(reader, game, json_text(message, "after"), now);
        return;
    }
    if (!feed_may_see(reader->feed, table, kind, reader->is_operator,
                      has_seat(reader, game, kind, seat))) {
        feed_send_error(reader, "forbidden", game, "this view is not yours while the game runs");
        return;
    }
    if (reader->watch_count == FEED_WATCHES_MAX) {
        feed_send_error(reader, "watches", game, "one socket watches 9 games at most");
        return;
    }
    LiveList *list = live_table_list(table, kind, seat);
    if (list)
        begin_watch(reader, list, message, now);
    else
        feed_send_plain(reader, "gone", game, "why", STR("the table has no such seat"), now);
}

static void take_unwatch(FeedReader *reader, const json_t *message)
{
    Watch *watch = feed_find_watch(reader, json_text(message, "game"));

    if (is_of_home(message))
        reader->wants_home = false;
    if (watch)
        feed_free_watch(watch);
}

/* The time is the reader's own, and that of the page's clock. */
static void take_ping(FeedReader *reader, const json_t *message, TimeUs now)
{
    const json_t *own = json_get(message, "t");
    int64_t whole;
    double real;
    const Feed *feed = reader->feed;
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    feed_put_head(&json, "pong", STR(""));
    if (json_as_int(own, &whole))
        json_add_int(&json, "t", whole);
    else if (json_as_real(own, &real))
        json_add_real(&json, "t", real, 3);
    json_add_int(&json, "now_ms", feed->setup.date_of ? feed->setup.date_of(now) : now / 1000);
    json_close(&json);
    if (!buf_failed(&text))
        feed_send_kind(reader, "pong", STR(""), buf_str(&text), now);
}

/* Wrong ones are counted with those of requests. */
static void refuse_login(FeedReader *reader, Str secret, TimeUs now)
{
    const FeedHooks *hooks = &reader->feed->setup.hooks;
    const Str address = buf_str(&reader->address->text);

    if (!hooks->wrong || hooks->wrong(hooks->user, address, secret, now))
        feed_send_error(reader, "login", STR(""), "this is not the operator's secret");
    else
        feed_send_error(reader, "tries", STR(""), "too many wrong secrets came from this address");
    feed_close_reader(reader, CLOSE_POLICY, "login");
}

static void take_login(FeedReader *reader, const json_t *message, TimeUs now)
{
    const FeedHooks *hooks = &reader->feed->setup.hooks;
    const Str secret = json_text(message, "secret");

    if (!hooks->is_operator || !hooks->is_operator(hooks->user, secret, now)) {
        refuse_login(reader, secret, now);
        return;
    }
    reader->is_operator = true;
    reader->home = 0;
    feed_send_plain(reader, "login", STR(""), NULL, STR(""), now);
}

static void take_message(FeedReader *reader, const json_t *message, TimeUs now)
{
    const FeedHooks *hooks = &reader->feed->setup.hooks;
    const Str type = json_text(message, "type");
    const bool of_room = json_get(message, "room") != NULL; /* whose watchers are others' */

    if (str_eq(type, STR("watch")) && !of_room)
        take_watch(reader, message, now);
    else if (str_eq(type, STR("unwatch")) && !of_room)
        take_unwatch(reader, message);
    else if (str_eq(type, STR("ping")))
        take_ping(reader, message, now);
    else if (str_eq(type, STR("login")))
        take_login(reader, message, now);
    else if (!hooks->heard || !hooks->heard(hooks->user, reader, type, message, now))
        refuse_message(reader, "the type of a message is watch, unwatch, answer, ping or login");
}

static bool is_too_fast(FeedReader *reader, TimeUs now)
{
    if (now - reader->second >= SECOND_US) {
        reader->second = now;
        reader->messages = 0;
    }
    return ++reader->messages > FEED_MESSAGES_SECOND;
}

void feed_message(FeedReader *reader, Str text, TimeUs now)
{
    if (is_too_fast(reader, now)) {
        feed_send_error(reader, "rate", STR(""), "more than 20 messages a second");
        feed_close_reader(reader, CLOSE_POLICY, "rate");
        return;
    }
    json_t *message = NULL;
    if (json_read(text, FEED_MESSAGE_BYTES, &message, NULL) == 0 && json_is_map(message))
        take_message(reader, message, now);
    else
        refuse_message(reader, "a message is one JSON object of 4096 bytes at most");
    json_done(message);
}
