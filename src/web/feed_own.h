/* feed_own.h - what the files of the feed know of each other.
 *
 * For:    feed_reader.c (readers, their watches, what they are told), feed.c (streams, rights,
 *         time), feed_message.c (what sockets say), in this order from below. Nobody else.
 * Memory: feed.h.
 * Thread: feed.h.
 * Source: house rule: what several files of a folder share is in a header of its own.
 */
#ifndef WARG_WEB_FEED_OWN_H
#define WARG_WEB_FEED_OWN_H

#include "base/mem.h"
#include "web/feed.h"

#define ADDRESS_BUCKETS 256
#define SECOND_US       ((TimeUs)1000 * 1000)
#define CHORES_US       SECOND_US
#define RETRY_US        ((TimeUs)100 * 1000)
#define QUIET_US        ((TimeUs)25 * 1000 * 1000)

#define CLOSE_POLICY    1008
#define CLOSE_TRY_LATER 1013

typedef struct Watch Watch;
typedef struct Audience Audience;

/* Those who read one list. */
struct Audience {
    Feed *feed;
    LiveList *list;
    Watch *first;
    Audience *next_due; /* of those to whom something is to be told */
    TimeUs due_at;
    bool is_due;
};

/* A reader of a list, and how far it has got. */
struct Watch {
    FeedReader *reader;
    Watch *of_reader; /* the next one */
    Audience *audience;
    Watch *next; /* of the audience */
    Watch *before;
    uint64_t count;
    uint32_t seats;
    uint32_t clock;
    uint32_t typing;
};

typedef struct Address {
    struct Address *next;
    Buf text;
    uint32_t readers;
} Address;

struct FeedReader {
    Feed *feed;
    FeedReader *next;
    FeedReader *before;
    const FeedOut *out;
    void *conn;
    Address *address;
    Watch *watches;
    uint32_t watch_count;
    uint32_t home; /* the list of games that it has; 0 = wants none */
    bool wants_home;
    bool is_operator;
    bool is_stream;
    bool is_behind;    /* something waits in its connection */
    bool is_new;       /* a stream that has no lines yet */
    bool lost;         /* so new, and where it was is not known */
    bool ends;         /* as soon as that can be done */
    uint32_t messages; /* in this second */
    TimeUs second;
    TimeUs sent_at;
    void *user;
};

struct Feed {
    FeedSetup setup;
    FeedReader *first;
    uint32_t count;
    Audience *due;
    Audience *last_due;
    bool has_behind;
    bool has_ended; /* a reader */
    TimeUs retry_at;
    TimeUs chores_at;
    uint32_t home[2]; /* grows with each change of the list of games: [prompt] */
    TimeUs home_at;   /* when it is told; TIME_US_NEVER = nothing to tell */
    TimeUs home_told;
    Address *addresses[ADDRESS_BUCKETS];
    Buf text;
};

static inline void feed_is_due(const Feed *feed)
{
    if (feed->setup.due)
        feed->setup.due(feed->setup.user);
}

/* ---- feed_reader.c ---- */

/* As it is. */
void feed_send_text(FeedReader *reader, Str text);
/* A message of this type, with a game and one more text; both may be missing. */
void feed_send_plain(FeedReader *reader, const char *type, Str game, const char *key, Str value,
                     TimeUs now);
/* What a socket did wrong; it stays open. */
void feed_send_error(FeedReader *reader, const char *code, Str game, const char *why);
/* A message; of a stream an event of this kind. */
void feed_send_kind(FeedReader *reader, const char *kind, Str id, Str json, TimeUs now);
/* Opens a message. */
void feed_put_head(Json *json, const char *type, Str game);
/* Something waits in its connection: it is tried again. */
bool feed_is_busy(FeedReader *reader, TimeUs now);
/* A stream has told all; it ends with the next tick. */
void feed_end_soon(FeedReader *reader);
/* Nobody waits for it any more. */
void feed_drop_due(Audience *audience);
/* The last one takes its audience along. */
void feed_free_watch(Watch *watch);
/* NULL without memory. */
Watch *feed_add_watch(FeedReader *reader, LiveList *list, uint64_t count);
/* Of this game; NULL: none. */
Watch *feed_find_watch(const FeedReader *reader, Str game);
/* The document has to be fetched anew. */
void feed_send_again(FeedReader *reader, const LiveList *list, TimeUs now);
/* All that is new to it; the watch is gone when that was all. */
void feed_tell_watch(Watch *watch, TimeUs now);
/* The list of games, when it is wanted and another one. */
void feed_tell_home(FeedReader *reader, TimeUs now);
/* All that is new to its watches. */
void feed_tell_reader(FeedReader *reader, TimeUs now);
/* Its connection is not touched. */
FeedReader *feed_free_reader(FeedReader *reader);
/* Both go. */
void feed_close_reader(FeedReader *reader, uint16_t code, const char *reason);
/* NULL without room or memory. */
FeedReader *feed_open_reader(Feed *feed, const FeedOut *out, void *conn, Str address, TimeUs now);

#endif
