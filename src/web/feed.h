/* feed.h - what browsers and scripts hear of games while they run: sockets with watches, and event
 *          streams. Knows no connection and no clock.
 *
 * For:    web/feed_web.h, which puts it on a web server; tests, which simulate one.
 * Memory: a Feed owns its readers; tables and connections are borrowed. A FeedReader is valid until
 *         feed_left was called for it, or its `close`.
 * Thread: the loop's. Time is an argument; feed_tick has to be called when it is due.
 * Source: docs/spec/web.md 5.1, 5.2, 11.2.
 *
 * A reader has no queue: each watch is the number of frames that it has (live_view.h). It is sent
 * more while nothing waits in its connection.
 *
 *   browser: login, watch, unwatch, ping; what else there is, `heard` is asked
 *   server:  events, clock, typing, reveal, again, gone, home, error, pong
 *
 * Beside what the specification has: "view" in what is told of a game, so that what was on its way
 * when another view was asked for is not taken for it; {"type":"watch","home":true} for `home`.
 */
#ifndef WARG_WEB_FEED_H
#define WARG_WEB_FEED_H

#include "web/live_tables.h"

typedef struct Feed Feed;
typedef struct FeedReader FeedReader; /* a socket or a stream */
typedef struct json_t json_t;         /* wire/json_read.h */

#define FEED_WATCHES_MAX     9
#define FEED_READERS_MAX     5000
#define FEED_ADDRESS_MAX     64   /* readers of one address: a hall */
#define FEED_MESSAGE_BYTES   4096 /* of a browser */
#define FEED_MESSAGES_SECOND 20
#define FEED_COLLECT_US      ((TimeUs)50 * 1000)
#define FEED_STUCK_US        ((TimeUs)30 * 1000 * 1000)

/* How a reader's connection is used; `conn` is what it was opened with. None may call back. */
typedef struct FeedOut {
    /* A message; of a stream its lines. */
    void (*send)(void *conn, Str text);
    /* With a close code; a stream just ends. The reader is gone then. */
    void (*close)(void *conn, uint16_t code, const char *reason);
    size_t (*queued)(const void *conn);
    TimeUs (*stuck_since)(const void *conn); /* as web_stuck_since */
} FeedOut;

/* Who asks for what else. All may be NULL. */
typedef struct FeedHooks {
    /* Whether who has shown this secret sees everything. */
    bool (*is_operator)(void *user, Str secret, TimeUs now);
    /* One came from this address that is none: whether it may try further. */
    bool (*wrong)(void *user, Str address, Str secret, TimeUs now);
    /* Whether this reader has this seat, and may see what it sees. */
    bool (*sits)(void *user, const FeedReader *reader, Str game, SeatNo seat);
    /* A message of a type that is not known here. False: it is none at all. It may send, and not
     * end readers. */
    bool (*heard)(void *user, FeedReader *reader, Str type, const json_t *message, TimeUs now);
    /* A reader is gone. */
    void (*left)(void *user, const FeedReader *reader);
    /* More keys of the message `home`. */
    void (*home)(void *user, bool is_operator, Json *json);
    /* Whether a game that is not among the tables is over, and can be read. */
    bool (*keeps)(void *user, Str game, bool is_operator, TimeUs now);
    void *user;
} FeedHooks;

typedef struct FeedSetup {
    LiveTables *tables; /* whose readers the feed is from now on */
    FeedHooks hooks;
    uint32_t readers; /* at most; 0 = FEED_READERS_MAX */
    bool closed;      /* who is no operator has the views of its seats only */
    DateOf *date_of;  /* of what pings are told; NULL: 1970 */
    /* Feed or tables have something to do sooner than they said; may be NULL. */
    void (*due)(void *user);
    void *user;
} FeedSetup;

/* Errors: ERR_MEMORY. */
int feed_new(const FeedSetup *setup, Feed **ret_feed, Err *err);
/* Before its tables and its connections; nobody is told. Takes NULL. */
Feed *feed_free(Feed *feed);

/* What is due for readers and tables. */
void feed_tick(Feed *feed, TimeUs now);
TimeUs feed_deadline(const Feed *feed);

/* Whether one more of this address may come. */
bool feed_has_room(const Feed *feed, Str address);

/* A socket; NULL without room or memory. */
FeedReader *feed_open_socket(Feed *feed, const FeedOut *out, void *conn, Str address,
                             bool is_operator, TimeUs now);
/* A message of it; it may be gone then. */
void feed_message(FeedReader *reader, Str text, TimeUs now);

/* What a stream shows. */
typedef struct FeedStream {
    Str game;
    DocViewKind kind;
    SeatNo seat;
    Str after; /* "BOOT.N"; empty = from the first event */
} FeedStream;

typedef enum FeedCan {
    FEED_GOES,
    FEED_FINISHED,  /* and nothing is left to be told */
    FEED_FORBIDDEN, /* this view, while it runs */
    FEED_NOTHING,   /* no such game */
} FeedCan;

/* Whether a stream can be opened. */
FeedCan feed_can_stream(const Feed *feed, const FeedStream *stream, bool is_operator, bool sits,
                        TimeUs now);
/* One that can be; its first lines come with the next feed_tick, which is due at once. NULL without
 * room or memory. */
FeedReader *feed_open_stream(Feed *feed, const FeedOut *out, void *conn, Str address,
                             const FeedStream *stream, bool is_operator, TimeUs now);

/* Its connection is gone. */
void feed_left(FeedReader *reader);

/* Whether this game is one of the tables', also one that must not be told of yet. */
bool feed_knows(const Feed *feed, Str game);
/* Whether one that is none of the tables' is over, and can be read. */
bool feed_keeps(const Feed *feed, Str game, bool is_operator, TimeUs now);
/* As it is for who asks; NULL: there is none that may be told of. */
LiveTable *feed_find(const Feed *feed, Str game, DocViewKind kind, bool is_operator);
bool feed_may_see(const Feed *feed, const LiveTable *table, DocViewKind kind, bool is_operator,
                  bool sits);

/* ---- for hooks ---- */

/* A message of others', at once. */
void feed_send(FeedReader *reader, Str text);
void *feed_connection(const FeedReader *reader);
bool feed_is_operator(const FeedReader *reader);
/* What belongs to the reader elsewhere. */
void **feed_user(FeedReader *reader);
void *feed_user_of(const FeedReader *reader); /* the same, to look at */

uint32_t feed_reader_count(const Feed *feed);

#endif
