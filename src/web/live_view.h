/* live_view.h - games that run, as documents with growing lists of finished frames: one for each
 *               view that somebody asked for.
 *
 * For:    web/live_tables.h, which says when; web/feed.h, which reads.
 * Memory: LiveViews owns tables, lists and documents. A LiveTable is valid until `gone` was called
 *         for its lists, a LiveList so too: no longer than the call otherwise.
 * Thread: the loop's. Time is an argument.
 * Source: docs/spec/web.md 5.1 ("Catch-up").
 *
 * Frame N of a list is made once and never changes; a reader is the number of frames that it has,
 * and costs no more. "BOOT.N" says of which game in which process a reader has the first N frames.
 * A list comes from the document, whose entries don't change either: it may be thrown away, and
 * comes back the same.
 */
#ifndef WARG_WEB_LIVE_VIEW_H
#define WARG_WEB_LIVE_VIEW_H

#include "record/live_sink.h"

typedef struct LiveViews LiveViews;
typedef struct LiveTable LiveTable; /* a game */
typedef struct LiveList LiveList;   /* one view of it */

/* So long a game stays when it is over; its document comes from the log then. */
#define LIVE_STAYS_US ((TimeUs)5 * 60 * 1000 * 1000)
/* Over, and still here; the oldest go first, those that nobody reads before others. */
#define LIVE_OVER_MAX 64
/* All lists of a game; the oldest frames go first. */
#define LIVE_LIST_BYTES ((size_t)8 << 20)
/* A message has no more than one event over it. */
#define LIVE_MESSAGE_BYTES ((size_t)60 * 1024)

/* Who sits where (4.2 rule 5). */
typedef enum LiveNames {
    /* To operators only while the game runs; and so behind it, where seats stay for the next. */
    LIVE_NAMES_AT_END,
    LIVE_NAMES_SHOWN,
    LIVE_NAMES_HIDDEN, /* to operators only */
} LiveNames;

typedef struct LiveViewsSetup {
    LiveNames names;
    size_t list_bytes;            /* 0 = LIVE_LIST_BYTES */
    uint32_t (*draw)(void *user); /* BOOT of a game; NULL = getrandom(2) */
    /* Something of a list that has readers is new: frames, seats, clock, who is asked, the end. */
    void (*changed)(void *user, LiveList *list, TimeUs now);
    /* A list that has readers goes: `again`, its game is there all the same. */
    void (*gone)(void *user, LiveList *list, bool again);
    /* A game came, went on to another day, or is over. */
    void (*listed)(void *user, TimeUs now);
    void *user;
} LiveViewsSetup;

/* Errors: ERR_MEMORY. */
int live_views_new(const LiveViewsSetup *setup, LiveViews **ret_views, Err *err);
LiveViews *live_views_free(LiveViews *views); /* calls nobody; takes NULL */

/* What tells of games. */
LiveSink live_views_sink(LiveViews *views);
/* Games that are over for long go. */
void live_views_tick(LiveViews *views, TimeUs now);
TimeUs live_views_deadline(const LiveViews *views);

/* NULL: none of this id is here. */
LiveTable *live_views_find(const LiveViews *views, Str id);
/* The first, and the next one: the latest that began first. */
LiveTable *live_views_first(const LiveViews *views);
LiveTable *live_table_next(const LiveTable *table);
Str live_table_id(const LiveTable *table);
bool live_table_over(const LiveTable *table);
/* It was given up, and will be played again with the same roles: nobody else may know them. */
bool live_table_secret(const LiveTable *table);
SeatNo live_table_seat_count(const LiveTable *table);
/* An object of a list: what anybody may know of it. */
void live_table_put(const LiveTable *table, Json *json);

/* "public", "all", "seat:7". False for any other text. */
bool live_view_of(Str text, DocViewKind *ret_kind, SeatNo *ret_seat);

/* The list of a view, made when it is asked for first; NULL without memory, or for a seat that is
 * none. A seat's and the public one have the names that they may have, `all` has them. */
LiveList *live_table_list(LiveTable *table, DocViewKind kind, SeatNo seat);
LiveTable *live_list_table(const LiveList *list);
Str live_list_view(const LiveList *list); /* "public" and so on */
/* Its frames so far, and the lowest number of frames that a reader may have to go on. */
uint64_t live_list_count(const LiveList *list);
uint64_t live_list_base(const LiveList *list);
/* Which seats it has told last; never 0. */
uint32_t live_list_seats(const LiveList *list);

/* Appends "BOOT.N"; reads one of this list, also of a number of frames that can't be told any more:
 * false for another BOOT. */
void live_list_write_id(const LiveList *list, uint64_t count, Buf *out);
bool live_list_read_id(const LiveList *list, Str text, uint64_t *ret_count);

/* The document as far as the list is; borrowed until the next call. Empty without memory. */
Str live_list_doc(LiveList *list);
/* The message for a reader that has `from` frames and the seats `seats` (0 = none): as many frames
 * as one message takes, *ret_count is what it has then. Empty without memory. Borrowed until the
 * next call. */
Str live_list_message(LiveList *list, uint64_t from, uint32_t seats, uint64_t *ret_count);

/* Clock and who is asked, as the view may know them: numbers that grow with each change, 0 = none
 * so far. The messages are appended. */
uint32_t live_list_clock(const LiveList *list);
void live_list_write_clock(const LiveList *list, TimeUs now, Buf *out);
uint32_t live_list_typing(const LiveList *list);
void live_list_write_typing(const LiveList *list, Buf *out); /* nothing: it has spoken */

/* A place for who reads the list: a list without readers (NULL) may go at any time. */
void **live_list_readers(LiveList *list);

/* All games go: something of them could not be kept. */
void live_views_drop_all(LiveViews *views);

/* What the lists of all games hold. */
size_t live_views_bytes(const LiveViews *views);

#endif
