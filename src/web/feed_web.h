/* feed_web.h - the feed on a web server: the socket of pages, event streams for scripts, and the
 *              documents of games that run.
 *
 * For:    web/site.c, whose routes these functions answer; several web servers of a loop may share
 *         one.
 * Memory: a FeedWeb owns its feed and timer; tables are borrowed. Free it before its web servers
 *         and its loop, and behind nothing that tells the tables.
 * Thread: the loop's.
 * Source: docs/spec/web.md 5, 11.
 */
#ifndef WARG_WEB_FEED_WEB_H
#define WARG_WEB_FEED_WEB_H

#include "web/feed.h"
#include "web/visit.h"

typedef struct FeedWeb FeedWeb;

typedef struct FeedWebSetup {
    LiveTables *tables;
    FeedHooks hooks;
    /* A socket has come: its cookies. Borrowed for the call; may be NULL. */
    void (*opened)(void *user, FeedReader *reader, const WebRequest *request);
    /* Whether who asks has this seat, as FeedHooks.sits; may be NULL. */
    bool (*sits)(void *user, const WebRequest *request, Str game, SeatNo seat);
    uint32_t readers; /* at most; 0 = FEED_READERS_MAX */
    bool closed;      /* as in FeedSetup */
    DateOf *date_of;
    void *user;
} FeedWebSetup;

/* Errors: ERR_MEMORY. */
int feed_web_new(Loop *loop, const FeedWebSetup *setup, FeedWeb **ret_web, Err *err);
FeedWeb *feed_web_free(FeedWeb *web); /* takes NULL */

/* GET feed: makes it a WebSocket, or refuses. */
void feed_web_socket(FeedWeb *web, const WebVisit *visit);
/* GET games/ID/feed: makes it a stream, or refuses. */
void feed_web_stream(FeedWeb *web, const WebVisit *visit, Str id);
/* GET games/ID/doc of a game that runs, or has ended a short time ago. False: none of this id is
 * known here, and nothing was answered. */
bool feed_web_doc(FeedWeb *web, const WebVisit *visit, Str id);

LiveTables *feed_web_tables(const FeedWeb *web);
Feed *feed_web_feed(const FeedWeb *web);

#endif
