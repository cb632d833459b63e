/* live_pages.h - the pages of a server that plays: live tables, and what is in its folders.
 *
 * For:    --web of `warg run`, `serve aiwolf`, `serve nlp` and `maw`; the own port of `serve nlp`.
 * Memory: a LivePages owns its web server, site and tables; what the setup points to is borrowed.
 * Thread: the loop's.
 * Source: docs/spec/web.md 3, 5.
 *
 *   NEW --live_pages_begin--> OPEN
 *
 *   NEW:  it listens, so that a port in use is known before anything is written; who asks is told
 *         to come again. Games may be told already. Without a port of their own they are shown on
 *         another's: live_pages_site.
 *   OPEN: the folders are there.
 */
#ifndef WARG_SERVE_LIVE_PAGES_H
#define WARG_SERVE_LIVE_PAGES_H

#include "serve/operator_desk.h"
#include "web/live_site.h"
#include "web/room_web.h"

/* Files that it needs beside those of readers: listeners, workers, logs. */
#define LIVE_PAGES_FILES 64

typedef struct LivePages LivePages;

typedef struct LivePagesSetup {
    const char *host;  /* of their own port; NULL = they have none */
    uint16_t port;     /* 0 = any free one */
    const char *where; /* without one: the address of the port that shows them, as it was given */
    bool closed;       /* as in WebSiteSetup */
    const Str *names;  /* further names of this server, as behind a proxy */
    uint32_t name_count;
    Str operator_token;
    LiveNames who;           /* plays: told or not */
    bool seats_stay;         /* in a set of games: who sat where stays hidden unless it is shown */
    TimeUs delay;            /* for who is no operator */
    uint32_t readers;        /* at most; 0 = as many as there may be */
    const char *assets;      /* a folder; NULL = those in the program */
    const LlmPrices *prices; /* of models; borrowed; NULL = no costs */
    RoomWeb *rooms;          /* which hear what sockets say to them; borrowed; NULL = none */
    DateOf *date_of;
    /* Whether this secret, which is no operator's, opens all views; may be NULL. */
    bool (*sees_all)(void *user, Str secret, TimeUs now);
    /* A line for people. */
    void (*note)(void *user, Str line);
    void *user;
} LivePagesSetup;

/* Listens, when they have a port of their own. Errors: those of web_listen; ERR_MEMORY. */
int live_pages_open(Loop *loop, const LivePagesSetup *setup, LivePages **ret_pages, Err *err);
/* What these paths hold is shown, too; borrowed. Errors: those of web_site_open. */
int live_pages_begin(LivePages *pages, const char *const *paths, size_t count, TimeUs now,
                     Err *err);
/* All that is collected is sent now: behind it nothing may follow. Takes NULL. */
void live_pages_flush(LivePages *pages, TimeUs now);
/* Nobody reads any more, and none of its sockets is touched again; games may be told still. For
 * those with sockets on another web server, before that is freed. Takes NULL. */
void live_pages_close(LivePages *pages);
LivePages *live_pages_free(LivePages *pages); /* takes NULL */

/* Operators act there, too; borrowed until it is another one or NULL. `pages` may be NULL. */
void live_pages_set_desk(LivePages *pages, OperatorDesk *desk);

uint16_t live_pages_port(const LivePages *pages); /* 0 = none of their own */
/* Files that it may have open; 0 without pages. */
uint32_t live_pages_files(const LivePages *pages);
/* What tells of games; NULL without pages. */
const LiveSink *live_pages_sink(const LivePages *pages);
/* For the same pages on another port of this loop: NULL before it has begun. */
WebSite *live_pages_site(const LivePages *pages);
LiveSite *live_pages_live(const LivePages *pages);
/* Whether all is told later, and whether who sat where is never told; false without pages. */
bool live_pages_delayed(const LivePages *pages);
bool live_pages_names_hidden(const LivePages *pages);
/* Appends where they are, for people; with the operator's link unless the secret is kept. For those
 * with a port of their own. */
void live_pages_write_address(const LivePages *pages, bool token_is_kept, Buf *out);

#endif
