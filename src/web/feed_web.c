#include "web/feed_web.h"

#include "base/mem.h"
#include "net/web_room.h"

#define JSON_TYPE "application/json"

struct FeedWeb {
    FeedWebSetup setup;
    Feed *feed;
    Timer *timer;
    Buf body;
};

/* ---- connections ---- */

static void send_socket(void *conn, Str text)
{
    web_send(conn, text);
}

static void close_socket(void *conn, uint16_t code, const char *reason)
{
    web_close(conn, code, reason);
}

static void send_stream(void *conn, Str text)
{
    web_stream_send(conn, text);
}

static void close_stream(void *conn, uint16_t code, const char *reason)
{
    (void)code, (void)reason;
    web_stream_end(conn);
}

static size_t conn_waits(const void *conn)
{
    return web_queued(conn);
}

static TimeUs conn_stuck(const void *conn)
{
    return web_stuck_since(conn);
}

static const FeedOut socket_out = {
    .send = send_socket, .close = close_socket, .queued = conn_waits, .stuck_since = conn_stuck};
static const FeedOut stream_out = {
    .send = send_stream, .close = close_stream, .queued = conn_waits, .stuck_since = conn_stuck};

static void on_message(void *socket, Str text, TimeUs at)
{
    feed_message(socket, text, at);
}

static void on_closed(void *socket, WebEnd how, uint16_t code, TimeUs now)
{
    (void)how, (void)code, (void)now;
    feed_left(socket);
}

static const WebEvents reader_events = {.message = on_message, .closed = on_closed};

/* ---- answers ---- */

static void reply_error(FeedWeb *web, WebConn *conn, unsigned status, const char *code,
                        const char *why)
{
    static const WebHeader headers[] = {{{"Cache-Control", 13}, {"no-store", 8}}};
    Json json = json_over(&web->body);

    buf_clear(&web->body);
    json_open(&json, '{');
    json_key(&json, STR("error"));
    json_open(&json, '{');
    json_add_str(&json, "code", str_of(code));
    json_add_str(&json, "text", str_of(why));
    json_close(&json);
    json_close(&json);
    web_reply_with(conn, &(WebAnswer){.status = status,
                                      .type = JSON_TYPE,
                                      .body = buf_str(&web->body),
                                      .headers = headers,
                                      .header_count = 1,
                                      .same_origin = true});
}

/* Behind "http://" or "https://". */
static Str origin_host(Str origin)
{
    const Str schemes[] = {STR("http://"), STR("https://")};

    for (size_t i = 0; i < 2; i++)
        if (str_starts(origin, schemes[i]))
            return str_part(origin, schemes[i].len, origin.len);
    return STR("");
}

static bool same_host(Str a, Str b)
{
    if (a.len != b.len || a.len == 0)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (str_lower_char(a.bytes[i]) != str_lower_char(b.bytes[i]))
            return false;
    return true;
}

bool feed_web_is_own_page(const WebRequest *request)
{
    return same_host(origin_host(web_header(request, "Origin")), web_header(request, "Host"));
}

void feed_web_socket(FeedWeb *web, WebConn *conn, const WebRequest *request, bool is_operator)
{
    const Str address = web_room_address(request->peer);

    if (request->wants_websocket && !feed_web_is_own_page(request)) {
        reply_error(web, conn, 403, "origin", "this socket is for pages of this server");
        return;
    }
    if (!feed_has_room(web->feed, address)) {
        reply_error(web, conn, 503, "busy", "too many watch already; try again later");
        return;
    }
    FeedReader *reader =
        feed_open_socket(web->feed, &socket_out, conn, address, is_operator, request->now);
    if (!reader) {
        reply_error(web, conn, 503, "memory", "the server has no memory left");
        return;
    }
    if (!web_upgrade(conn, reader)) { /* it has answered */
        feed_left(reader);
        return;
    }
    web_heard_by(conn, &reader_events);
    web_limit_messages(conn, FEED_MESSAGE_BYTES);
    if (web->setup.opened)
        web->setup.opened(web->setup.user, reader, request);
}

/* The view of a request; false, and it is answered, for one that is none. */
static bool read_view(FeedWeb *web, WebConn *conn, const WebRequest *request, DocViewKind *ret_kind,
                      SeatNo *ret_seat)
{
    CLEANUP(buf_done) Buf value = {0};
    const Str view = web_query(request, "view", &value);

    if (live_view_of(view.len ? view : STR("public"), ret_kind, ret_seat))
        return true;
    reply_error(web, conn, 400, "view", "view is public, all or seat:N");
    return false;
}

static bool has_seat(const FeedWeb *web, const WebRequest *request, Str id, DocViewKind kind,
                     SeatNo seat)
{
    return kind == DOC_VIEW_SEAT && web->setup.sits &&
           web->setup.sits(web->setup.user, request, id, seat);
}

static void refuse_view(FeedWeb *web, WebConn *conn, DocViewKind kind)
{
    reply_error(web, conn, 403, "forbidden",
                kind == DOC_VIEW_SEAT
                    ? "this view is for who sits there, until the game is over"
                    : "this view is for operators, until the game is over: send their secret as "
                      "'Authorization: Bearer SECRET'");
}

static void begin_stream(FeedWeb *web, WebConn *conn, const WebRequest *request,
                         const FeedStream *stream, bool is_operator)
{
    const Str address = web_room_address(request->peer);

    if (!feed_has_room(web->feed, address)) {
        reply_error(web, conn, 503, "busy", "too many watch already; try again later");
        return;
    }
    FeedReader *reader =
        feed_open_stream(web->feed, &stream_out, conn, address, stream, is_operator, request->now);
    if (!reader) {
        reply_error(web, conn, 503, "memory", "the server has no memory left");
        return;
    }
    web_stream_begin(conn, "text/event-stream", reader);
    web_heard_by(conn, &reader_events);
}

void feed_web_stream(FeedWeb *web, WebConn *conn, const WebRequest *request, Str id,
                     bool is_operator)
{
    CLEANUP(buf_done) Buf value = {0};
    FeedStream stream = {.game = id, .after = web_header(request, "Last-Event-ID")};

    if (!read_view(web, conn, request, &stream.kind, &stream.seat))
        return;
    if (stream.after.len == 0)
        stream.after = web_query(request, "after", &value);
    const bool sits = has_seat(web, request, id, stream.kind, stream.seat);
    switch (feed_can_stream(web->feed, &stream, is_operator, sits)) {
    case FEED_GOES:
        begin_stream(web, conn, request, &stream, is_operator);
        break;
    case FEED_FINISHED: /* tells an EventSource not to come again */
        web_reply(conn, 204, NULL, STR(""));
        break;
    case FEED_FORBIDDEN:
        refuse_view(web, conn, stream.kind);
        break;
    case FEED_NOTHING:
        reply_error(web, conn, 404, "game", "no such game is running here");
        break;
    }
}

static void reply_doc(FeedWeb *web, WebConn *conn, LiveList *list)
{
    CLEANUP(buf_done) Buf feed = {0};
    const Str doc = live_list_doc(list);

    live_list_write_id(list, live_list_count(list), &feed);
    const WebHeader headers[] = {{STR("Cache-Control"), STR("no-store")},
                                 {STR("X-Warg-Feed"), buf_str(&feed)}};
    if (doc.len == 0 || buf_failed(&feed))
        reply_error(web, conn, 503, "memory", "the server has no memory left");
    else
        web_reply_with(conn, &(WebAnswer){.status = 200,
                                          .type = JSON_TYPE,
                                          .body = doc,
                                          .headers = headers,
                                          .header_count = 2,
                                          .same_origin = true});
}

bool feed_web_doc(FeedWeb *web, WebConn *conn, const WebRequest *request, Str id, bool is_operator)
{
    DocViewKind kind;
    SeatNo seat;

    if (!feed_knows(web->feed, id))
        return false;
    if (!read_view(web, conn, request, &kind, &seat))
        return true;
    const bool sits = has_seat(web, request, id, kind, seat);
    LiveTable *table = feed_find(web->feed, id, kind, is_operator);
    if (!table)
        reply_error(web, conn, 404, "game", "no such game is running here");
    else if (!feed_may_see(web->feed, table, kind, is_operator, sits))
        refuse_view(web, conn, kind);
    else if (kind == DOC_VIEW_SEAT && seat > live_table_seat_count(table))
        reply_error(web, conn, 404, "seat", "the table has no such seat");
    else {
        LiveList *list = live_table_list(table, kind, seat);
        if (list)
            reply_doc(web, conn, list);
        else
            reply_error(web, conn, 503, "memory", "the server has no memory left");
    }
    return true;
}

/* ---- life ---- */

static void set_timer(void *user)
{
    const FeedWeb *web = user;
    const TimeUs due = feed_deadline(web->feed);

    if (due != TIME_US_NEVER)
        timer_at(web->timer, due, true);
}

/* While it is made there is no feed to ask. */
static void on_due(void *user)
{
    const FeedWeb *web = user;

    if (web->feed && web->timer)
        set_timer(user);
}

static void on_timer(void *user, TimeUs now)
{
    FeedWeb *web = user;

    feed_tick(web->feed, now);
    set_timer(web);
}

int feed_web_new(Loop *loop, const FeedWebSetup *setup, FeedWeb **ret_web, Err *err)
{
    FeedWeb *web = mem_new(sizeof(*web));

    if (!web)
        return err_set(err, ERR_MEMORY, "feed: out of memory");
    web->setup = *setup;
    const FeedSetup feed = {.tables = setup->tables,
                            .hooks = setup->hooks,
                            .readers = setup->readers,
                            .date_of = setup->date_of,
                            .due = on_due,
                            .user = web};
    int rc = timer_new(loop, on_timer, web, &web->timer, err);
    if (rc == 0)
        rc = feed_new(&feed, &web->feed, err);
    if (rc) {
        feed_web_free(web);
        return rc;
    }
    *ret_web = web;
    return 0;
}

FeedWeb *feed_web_free(FeedWeb *web)
{
    if (!web)
        return NULL;
    feed_free(web->feed);
    timer_free(web->timer);
    buf_done(&web->body);
    return mem_free(web);
}

LiveTables *feed_web_tables(const FeedWeb *web)
{
    return web->setup.tables;
}

Feed *feed_web_feed(const FeedWeb *web)
{
    return web->feed;
}
