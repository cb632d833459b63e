#include "web/feed_web.h"

#include "base/mem.h"
#include "net/web_room.h"

struct FeedWeb {
    FeedWebSetup setup;
    Feed *feed;
    Timer *timer;
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

static const char no_memory[] = "The server has no memory left.";

void feed_web_socket(FeedWeb *web, const WebVisit *visit)
{
    const WebRequest *request = visit->request;
    const Str address = web_room_address(request->peer);

    if (!feed_has_room(web->feed, address)) {
        visit_error(visit, 503, "busy", "Too many watch already: try again later.");
        return;
    }
    FeedReader *reader = feed_open_socket(web->feed, &socket_out, visit->conn, address,
                                          visit->sees_all, request->now);
    if (!reader) {
        visit_error(visit, 503, "memory", no_memory);
        return;
    }
    if (!web_upgrade(visit->conn, reader)) { /* it has answered */
        feed_left(reader);
        return;
    }
    web_heard_by(visit->conn, &reader_events);
    web_limit_messages(visit->conn, FEED_MESSAGE_BYTES);
    if (web->setup.opened)
        web->setup.opened(web->setup.user, reader, request);
}

/* The view of a request; false, and it is answered, for one that is none. */
static bool read_view(const WebVisit *visit, DocViewKind *ret_kind, SeatNo *ret_seat)
{
    CLEANUP(buf_done) Buf value = {0};
    const Str view = web_query(visit->request, "view", &value);

    if (live_view_of(view.len ? view : STR("public"), ret_kind, ret_seat))
        return true;
    visit_error(visit, 400, "view", "view is public, all or seat:N.");
    return false;
}

static bool has_seat(const FeedWeb *web, const WebVisit *visit, Str id, DocViewKind kind,
                     SeatNo seat)
{
    return kind == DOC_VIEW_SEAT && web->setup.sits &&
           web->setup.sits(web->setup.user, visit->request, id, seat);
}

static void refuse_view(const WebVisit *visit, DocViewKind kind)
{
    visit_error(visit, 403, "not-over",
                kind == DOC_VIEW_PUBLIC
                    ? "Games of this server are for who has a token: send it as "
                      "'Authorization: Bearer TOKEN'."
                : kind == DOC_VIEW_SEAT
                    ? "This view is for who sits there, until the game is over."
                    : "This view is for operators, until the game is over: send their secret as "
                      "'Authorization: Bearer SECRET'.");
}

static void begin_stream(FeedWeb *web, const WebVisit *visit, const FeedStream *stream)
{
    const Str address = web_room_address(visit->request->peer);

    if (!feed_has_room(web->feed, address)) {
        visit_error(visit, 503, "busy", "Too many watch already: try again later.");
        return;
    }
    FeedReader *reader = feed_open_stream(web->feed, &stream_out, visit->conn, address, stream,
                                          visit->sees_all, visit->request->now);
    if (!reader) {
        visit_error(visit, 503, "memory", no_memory);
        return;
    }
    web_stream_begin(visit->conn, "text/event-stream", reader);
    web_heard_by(visit->conn, &reader_events);
}

void feed_web_stream(FeedWeb *web, const WebVisit *visit, Str id)
{
    CLEANUP(buf_done) Buf value = {0};
    FeedStream stream = {.game = id, .after = web_header(visit->request, "Last-Event-ID")};

    if (!read_view(visit, &stream.kind, &stream.seat))
        return;
    if (stream.after.len == 0)
        stream.after = web_query(visit->request, "after", &value);
    const bool sits = has_seat(web, visit, id, stream.kind, stream.seat);
    switch (feed_can_stream(web->feed, &stream, visit->sees_all, sits, visit->request->now)) {
    case FEED_GOES:
        begin_stream(web, visit, &stream);
        break;
    case FEED_FINISHED: /* tells an EventSource not to come again */
        visit_answer(visit, &(VisitAnswer){.status = 204, .no_pack = true});
        break;
    case FEED_FORBIDDEN:
        refuse_view(visit, stream.kind);
        break;
    case FEED_NOTHING:
        visit_error(visit, 404, "no-game", "No such game is running here.");
        break;
    }
}

static void reply_doc(const WebVisit *visit, LiveList *list)
{
    CLEANUP(buf_done) Buf feed = {0};
    const Str doc = live_list_doc(list);

    live_list_write_id(list, live_list_count(list), &feed);
    const WebHeader headers[] = {{STR("X-Warg-Feed"), buf_str(&feed)}};
    if (doc.len == 0 || buf_failed(&feed))
        visit_error(visit, 503, "memory", no_memory);
    else
        visit_answer(visit, &(VisitAnswer){.status = 200,
                                           .type = "application/json",
                                           .body = doc,
                                           .headers = headers,
                                           .header_count = 1,
                                           .caching = VISIT_NEVER});
}

bool feed_web_doc(FeedWeb *web, const WebVisit *visit, Str id)
{
    DocViewKind kind;
    SeatNo seat;

    if (!feed_knows(web->feed, id))
        return false;
    if (!read_view(visit, &kind, &seat))
        return true;
    const bool sits = has_seat(web, visit, id, kind, seat);
    LiveTable *table = feed_find(web->feed, id, kind, visit->sees_all);
    LiveList *list = NULL;
    if (!table)
        visit_error(visit, 404, "no-game", "No such game is here.");
    else if (!feed_may_see(web->feed, table, kind, visit->sees_all, sits))
        refuse_view(visit, kind);
    else if (kind == DOC_VIEW_SEAT && seat > live_table_seat_count(table))
        visit_error(visit, 404, "seat", "The table has no such seat.");
    else if (!(list = live_table_list(table, kind, seat)))
        visit_error(visit, 503, "memory", no_memory);
    else
        reply_doc(visit, list);
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
                            .closed = setup->closed,
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
