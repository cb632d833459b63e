#include "serve/event_stream.h"

#include "base/mem.h"

/* A comment keeps proxies from closing a stream on which nothing happens. */
#define QUIET_US ((TimeUs)25 * 1000 * 1000)

/* The packets that wait are a ring. */
struct EventStream {
    EventStreams *all;
    EventStream *next; /* of the game's readers */
    WebConn *conn;
    void *socket;
    Buf *scratch;
    TimeUs sent_at;
    bool masked;
    uint32_t first;
    uint32_t count;
    Buf waiting[EVENT_STREAM_PACKETS];
};

static void send_packet(EventStream *stream, Str packet, TimeUs now)
{
    Buf *event = stream->scratch;

    buf_clear(event);
    buf_add(event, STR("event: broadcast\ndata: "));
    buf_add(event, packet);
    buf_add(event, STR("\n\n"));
    if (!buf_failed(event))
        web_stream_send(stream->conn, buf_str(event));
    stream->sent_at = now;
}

/* Sends what waits; all of it when `all`, else while the peer takes it. */
static void send_waiting(EventStream *stream, bool all, TimeUs now)
{
    while (stream->count && (all || !web_queued(stream->conn))) {
        send_packet(stream, buf_str(&stream->waiting[stream->first]), now);
        stream->first = (stream->first + 1) % EVENT_STREAM_PACKETS;
        stream->count--;
    }
}

static void keep_packet(EventStream *stream, Str packet)
{
    if (stream->count == EVENT_STREAM_PACKETS) {
        stream->first = (stream->first + 1) % EVENT_STREAM_PACKETS;
        stream->count--;
    }
    Buf *place = &stream->waiting[(stream->first + stream->count) % EVENT_STREAM_PACKETS];
    buf_clear(place);
    place->failed = false;
    buf_add(place, packet);
    if (!buf_failed(place))
        stream->count++;
}

EventStream *event_stream_new(EventStreams *streams, WebConn *conn, bool masked, void *socket,
                              Buf *scratch)
{
    EventStream *stream = mem_new(sizeof(*stream));

    if (!stream)
        return NULL;
    stream->all = streams;
    stream->conn = conn;
    stream->socket = socket;
    stream->scratch = scratch;
    stream->masked = masked;
    stream->next = streams->first;
    streams->first = stream;
    web_stream_begin(conn, "text/event-stream", socket ? socket : stream);
    return stream;
}

EventStream *event_stream_free(EventStream *stream)
{
    if (!stream)
        return NULL;
    EventStream **at = &stream->all->first;
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    for (uint32_t i = 0; i < EVENT_STREAM_PACKETS; i++)
        buf_done(&stream->waiting[i]);
    return mem_free(stream);
}

void event_stream_hand(EventStream *stream, Str packet, TimeUs now)
{
    if (packet.len == 0)
        return;
    send_waiting(stream, false, now);
    if (stream->count || web_queued(stream->conn))
        keep_packet(stream, packet);
    else
        send_packet(stream, packet, now);
}

void event_streams_hand(const EventStreams *streams, Str packet, Str masked, TimeUs now)
{
    for (EventStream *stream = streams->first; stream; stream = stream->next)
        event_stream_hand(stream, stream->masked ? masked : packet, now);
}

void event_stream_end(EventStream *stream, TimeUs now)
{
    send_waiting(stream, true, now);
    web_stream_end(stream->conn);
}

void event_stream_chore(EventStream *stream, TimeUs now)
{
    send_waiting(stream, false, now);
    if (now - stream->sent_at >= QUIET_US && !web_queued(stream->conn)) {
        web_stream_send(stream->conn, STR(": nothing new\n\n"));
        stream->sent_at = now;
    }
}

void event_streams_chore(const EventStreams *streams, TimeUs now)
{
    for (EventStream *stream = streams->first; stream; stream = stream->next)
        event_stream_chore(stream, now);
}

void event_streams_drop_stuck(EventStreams *streams, TimeUs before)
{
    for (EventStream *stream = streams->first, *next; stream; stream = next) {
        TimeUs since = web_stuck_since(stream->conn);
        next = stream->next;
        if (since == TIME_US_NEVER || since >= before)
            continue;
        web_stream_end(stream->conn);
        event_stream_free(stream);
    }
}

void *event_stream_socket(const EventStream *stream)
{
    return stream->socket;
}
