/* Readers of the feed: sockets and streams, what they watch, and what they are told of it. */
#include "web/feed_own.h"

/* ---- addresses ---- */

static Address *find_address(const Feed *feed, Str text)
{
    Address *address = feed->addresses[str_hash(text) % ADDRESS_BUCKETS];

    while (address && !str_eq(buf_str(&address->text), text))
        address = address->next;
    return address;
}

static Address *count_address(Feed *feed, Str text)
{
    Address **bucket = &feed->addresses[str_hash(text) % ADDRESS_BUCKETS];
    Address *address = find_address(feed, text);

    if (!address) {
        address = mem_new(sizeof(*address));
        if (!address)
            return NULL;
        buf_add(&address->text, text);
        address->next = *bucket;
        *bucket = address;
    }
    address->readers++;
    return address;
}

static void uncount_address(Feed *feed, Address *address)
{
    Address **at = &feed->addresses[str_hash(buf_str(&address->text)) % ADDRESS_BUCKETS];

    if (--address->readers)
        return;
    while (*at != address)
        at = &(*at)->next;
    *at = address->next;
    buf_done(&address->text);
    mem_free(address);
}

bool feed_has_room(const Feed *feed, Str address)
{
    const Address *known = find_address(feed, address);
    const uint32_t most = feed->setup.readers ? feed->setup.readers : FEED_READERS_MAX;

    return feed->count < most && (!known || known->readers < FEED_ADDRESS_MAX);
}

/* ---- sending ---- */

void feed_send_text(FeedReader *reader, Str text)
{
    if (text.len)
        reader->out->send(reader->conn, text);
}

/* An event of a stream. */
static void send_lines(FeedReader *reader, const char *kind, Str id, Str data)
{
    Buf *text = &reader->feed->text;

    buf_clear(text);
    if (id.len) {
        buf_add(text, STR("id: "));
        buf_add(text, id);
        buf_add_char(text, '\n');
    }
    buf_add(text, STR("event: "));
    buf_add(text, str_of(kind));
    buf_add(text, STR("\ndata: "));
    buf_add(text, data);
    buf_add(text, STR("\n\n"));
    if (!buf_failed(text))
        feed_send_text(reader, buf_str(text));
    text->failed = false;
}

void feed_send_kind(FeedReader *reader, const char *kind, Str id, Str json, TimeUs now)
{
    reader->sent_at = now;
    if (reader->is_stream)
        send_lines(reader, kind, id, json);
    else
        feed_send_text(reader, json);
}

/* A stream has told all; from here its connection can't be ended. */
void feed_end_soon(FeedReader *reader)
{
    reader->ends = true;
    reader->feed->has_ended = true;
    feed_is_due(reader->feed);
}

/* Something waits in its connection: it is tried again. */
bool feed_is_busy(FeedReader *reader, TimeUs now)
{
    Feed *feed = reader->feed;

    if (!reader->out->queued(reader->conn))
        return false;
    reader->is_behind = true;
    if (!feed->has_behind) {
        feed->has_behind = true;
        feed->retry_at = now + RETRY_US;
        feed_is_due(feed);
    }
    return true;
}

void feed_put_head(Json *json, const char *type, Str game)
{
    json_open(json, '{');
    json_add_str(json, "type", str_of(type));
    if (game.len)
        json_add_str(json, "game", game);
}

void feed_send_plain(FeedReader *reader, const char *type, Str game, const char *key, Str value,
                     TimeUs now)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    feed_put_head(&json, type, game);
    if (key)
        json_add_str(&json, key, value);
    json_close(&json);
    if (!buf_failed(&text))
        feed_send_kind(reader, type, STR(""), buf_str(&text), now);
}

void feed_send_error(FeedReader *reader, const char *code, Str game, const char *why)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    feed_put_head(&json, "error", game);
    json_add_str(&json, "code", str_of(code));
    json_add_str(&json, "error", str_of(why));
    json_close(&json);
    if (!buf_failed(&text))
        feed_send_text(reader, buf_str(&text));
}

/* ---- watches ---- */

void feed_drop_due(Audience *audience)
{
    Feed *feed = audience->feed;
    Audience **at = &feed->due, *last = NULL;

    if (!audience->is_due)
        return;
    while (*at != audience) {
        last = *at;
        at = &(*at)->next_due;
    }
    *at = audience->next_due;
    if (feed->last_due == audience)
        feed->last_due = last;
    audience->is_due = false;
}

static void free_audience(Audience *audience)
{
    feed_drop_due(audience);
    *live_list_readers(audience->list) = NULL;
    mem_free(audience);
}

static Audience *audience_of(Feed *feed, LiveList *list)
{
    void **place = live_list_readers(list);

    if (!*place) {
        Audience *audience = mem_new(sizeof(*audience));
        if (!audience)
            return NULL;
        audience->feed = feed;
        audience->list = list;
        *place = audience;
    }
    return *place;
}

/* Leaves its audience; one that is empty goes. */
static void leave_audience(Watch *watch)
{
    Audience *audience = watch->audience;

    if (watch->next)
        watch->next->before = watch->before;
    *(watch->before ? &watch->before->next : &audience->first) = watch->next;
    watch->audience = NULL;
    if (!audience->first)
        free_audience(audience);
}

void feed_free_watch(Watch *watch)
{
    FeedReader *reader = watch->reader;
    Watch **at = &reader->watches;

    while (*at != watch)
        at = &(*at)->of_reader;
    *at = watch->of_reader;
    reader->watch_count--;
    if (watch->audience)
        leave_audience(watch);
    mem_free(watch);
}

Watch *feed_add_watch(FeedReader *reader, LiveList *list, uint64_t count)
{
    Watch *watch = mem_new(sizeof(*watch));
    Audience *audience = watch ? audience_of(reader->feed, list) : NULL;

    if (!audience) {
        mem_free(watch);
        return NULL;
    }
    *watch = (Watch){.reader = reader,
                     .of_reader = reader->watches,
                     .audience = audience,
                     .next = audience->first,
                     .count = count};
    if (audience->first)
        audience->first->before = watch;
    audience->first = watch;
    reader->watches = watch;
    reader->watch_count++;
    return watch;
}

Watch *feed_find_watch(const FeedReader *reader, Str game)
{
    Watch *watch = reader->watches;

    while (watch && !str_eq(live_table_id(live_list_table(watch->audience->list)), game))
        watch = watch->of_reader;
    return watch;
}

/* ---- telling ---- */

void feed_send_again(FeedReader *reader, const LiveList *list, TimeUs now)
{
    feed_send_plain(reader, "again", live_table_id(live_list_table(list)), "view",
                    live_list_view(list), now);
}

/* Frames and seats, as far as the connection takes them; false when it has to wait. */
static bool tell_frames(Watch *watch, TimeUs now)
{
    FeedReader *reader = watch->reader;
    LiveList *list = watch->audience->list;

    while (watch->count < live_list_count(list) || watch->seats != live_list_seats(list)) {
        CLEANUP(buf_done) Buf id = {0};
        if (feed_is_busy(reader, now))
            return false;
        const Str text = live_list_message(list, watch->count, watch->seats, &watch->count);
        if (text.len == 0) /* without memory it is tried again */
            return false;
        if (watch->count == live_list_count(list))
            watch->seats = live_list_seats(list);
        if (reader->is_stream)
            live_list_write_id(list, watch->count, &id);
        feed_send_kind(reader, "events", buf_str(&id), text, now);
    }
    return true;
}

static bool tell_clock(Watch *watch, TimeUs now)
{
    const LiveList *list = watch->audience->list;
    CLEANUP(buf_done) Buf text = {0};

    if (watch->clock == live_list_clock(list))
        return true;
    if (feed_is_busy(watch->reader, now))
        return false;
    live_list_write_clock(list, now, &text);
    if (buf_failed(&text))
        return false;
    feed_send_kind(watch->reader, "clock", STR(""), buf_str(&text), now);
    watch->clock = live_list_clock(list);
    return true;
}

static bool tell_typing(Watch *watch, TimeUs now)
{
    const LiveList *list = watch->audience->list;
    CLEANUP(buf_done) Buf text = {0};

    if (watch->typing == live_list_typing(list))
        return true;
    if (feed_is_busy(watch->reader, now))
        return false;
    live_list_write_typing(list, &text);
    if (buf_failed(&text))
        return false;
    if (text.len && !watch->reader->is_stream)
        feed_send_kind(watch->reader, "typing", STR(""), buf_str(&text), now);
    watch->typing = live_list_typing(list);
    return true;
}

/* The oldest frames are gone, and it lacks some of them. */
static bool tell_cut(Watch *watch, TimeUs now)
{
    const LiveList *list = watch->audience->list;

    if (watch->count >= live_list_base(list))
        return true;
    if (feed_is_busy(watch->reader, now))
        return false;
    feed_send_again(watch->reader, list, now);
    watch->count = live_list_base(list);
    if (watch->reader->is_stream)
        return true;
    feed_free_watch(watch);
    return false;
}

static void tell_end(Watch *watch, TimeUs now)
{
    FeedReader *reader = watch->reader;
    const LiveTable *table = live_list_table(watch->audience->list);

    if (!live_table_over(table))
        return;
    if (live_table_secret(table))
        feed_send_plain(reader, "gone", live_table_id(table), "why", STR("the game was given up"),
                        now);
    else
        feed_send_plain(reader, "reveal", live_table_id(table), NULL, STR(""), now);
    feed_free_watch(watch);
    if (reader->is_stream)
        feed_end_soon(reader);
}

/* All that is new to it; the watch is gone when that was all. */
void feed_tell_watch(Watch *watch, TimeUs now)
{
    if (watch->reader->is_new)
        return;
    if (tell_cut(watch, now) && tell_frames(watch, now) && tell_clock(watch, now) &&
        tell_typing(watch, now))
        tell_end(watch, now);
}

void feed_tell_home(FeedReader *reader, TimeUs now)
{
    Feed *feed = reader->feed;
    const FeedHooks *hooks = &feed->setup.hooks;
    const uint32_t home = feed->home[reader->is_operator];
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    if (!reader->wants_home || reader->home == home || feed_is_busy(reader, now))
        return;
    feed_put_head(&json, "home", STR(""));
    json_key(&json, STR("live"));
    if (feed->setup.closed && !reader->is_operator)
        json_open(&json, '['), json_close(&json);
    else
        live_tables_put(feed->setup.tables, reader->is_operator, &json);
    if (hooks->home)
        hooks->home(hooks->user, reader->is_operator, &json);
    json_close(&json);
    if (buf_failed(&text))
        return;
    feed_send_kind(reader, "home", STR(""), buf_str(&text), now);
    reader->home = home;
}

static void begin_stream(FeedReader *reader, TimeUs now)
{
    feed_send_text(reader, STR("retry: 2000\n\n"));
    if (reader->lost && reader->watches)
        feed_send_again(reader, reader->watches->audience->list, now);
    reader->is_new = false;
}

void feed_tell_reader(FeedReader *reader, TimeUs now)
{
    reader->is_behind = false;
    if (reader->is_new)
        begin_stream(reader, now);
    for (Watch *watch = reader->watches, *next; watch; watch = next) {
        next = watch->of_reader;
        feed_tell_watch(watch, now);
    }
    feed_tell_home(reader, now);
}

/* ---- readers ---- */

FeedReader *feed_free_reader(FeedReader *reader)
{
    Feed *feed = reader->feed;

    while (reader->watches)
        feed_free_watch(reader->watches);
    if (feed->setup.hooks.left)
        feed->setup.hooks.left(feed->setup.hooks.user, reader);
    if (reader->next)
        reader->next->before = reader->before;
    *(reader->before ? &reader->before->next : &feed->first) = reader->next;
    uncount_address(feed, reader->address);
    feed->count--;
    return mem_free(reader);
}

void feed_close_reader(FeedReader *reader, uint16_t code, const char *reason)
{
    reader->out->close(reader->conn, code, reason);
    feed_free_reader(reader);
}

FeedReader *feed_open_reader(Feed *feed, const FeedOut *out, void *conn, Str address, TimeUs now)
{
    if (!feed_has_room(feed, address))
        return NULL;
    FeedReader *reader = mem_new(sizeof(*reader));
    Address *counted = reader ? count_address(feed, address) : NULL;
    if (!counted)
        return mem_free(reader);
    *reader = (FeedReader){.feed = feed,
                           .next = feed->first,
                           .out = out,
                           .conn = conn,
                           .address = counted,
                           .second = now,
                           .sent_at = now};
    if (feed->first)
        feed->first->before = reader;
    feed->first = reader;
    if (feed->count++ == 0) {
        feed->chores_at = now + CHORES_US;
        feed_is_due(feed);
    }
    return reader;
}

FeedReader *feed_open_socket(Feed *feed, const FeedOut *out, void *conn, Str address,
                             bool is_operator, TimeUs now)
{
    FeedReader *reader = feed_open_reader(feed, out, conn, address, now);

    if (reader)
        reader->is_operator = is_operator;
    return reader;
}

void feed_left(FeedReader *reader)
{
    feed_free_reader(reader);
}

void feed_send(FeedReader *reader, Str text)
{
    feed_send_text(reader, text);
}

void *feed_connection(const FeedReader *reader)
{
    return reader->conn;
}

bool feed_is_operator(const FeedReader *reader)
{
    return reader->is_operator;
}

void **feed_user(FeedReader *reader)
{
    return &reader->user;
}

void *feed_user_of(const FeedReader *reader)
{
    return reader->user;
}

uint32_t feed_reader_count(const Feed *feed)
{
    return feed->count;
}
