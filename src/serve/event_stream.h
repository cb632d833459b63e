/* event_stream.h - readers of a running game: server-sent events named `broadcast`, and what waits
 * for who does not keep up. A game never waits for a reader.
 *
 * For:    servers of both divisions: server_events.c, live.c.
 * Memory: an EventStream owns the packets that wait; the connection is the web server's, `scratch`
 *         the caller's. Free it when `closed` was called for its connection, or behind
 *         web_stream_end.
 * Thread: the loop's; the time is an argument.
 * Source: docs/spec/nlp-division.md 1.1; HTML standard, "Server-sent events".
 */
#ifndef WARG_SERVE_EVENT_STREAM_H
#define WARG_SERVE_EVENT_STREAM_H

#include "base/buf.h"
#include "net/web.h"

/* Packets kept for a reader that does not keep up; the oldest goes first. */
#define EVENT_STREAM_PACKETS 64

typedef struct EventStream EventStream;

/* Those who read one game. Zeroed before use. */
typedef struct EventStreams {
    EventStream *first;
} EventStreams;

/* Answers a request with a stream and puts it on the list; NULL without memory, when nothing was
 * answered. `socket` is what the web server's `closed` gets; NULL = the
 * stream. `scratch` may hold no packet. */
EventStream *event_stream_new(EventStreams *streams, WebConn *conn, bool masked, void *socket,
                              Buf *scratch);
/* Leaves the list. Takes NULL, returns NULL. */
EventStream *event_stream_free(EventStream *stream);

/* A packet, or the same masked, whichever is for it; an empty one is for nobody. */
void event_stream_hand(EventStream *stream, Str packet, TimeUs now);
void event_streams_hand(const EventStreams *streams, Str packet, Str masked, TimeUs now);

/* The game is over: all that waits is sent, and the stream ends. The caller frees it. */
void event_stream_end(EventStream *stream, TimeUs now);

/* Sends what the reader takes by now, or a comment that keeps proxies from closing. */
void event_stream_chore(EventStream *stream, TimeUs now);

void event_streams_chore(const EventStreams *streams, TimeUs now);

/* Ends the streams of readers who have not read since `before`; to be called before chores. */
void event_streams_drop_stuck(EventStreams *streams, TimeUs before);

void *event_stream_socket(const EventStream *stream);

#endif
