/* live_view_own.h - what the files of the live views know of each other.
 *
 * For:    live_view.c (tables, and what they hear), live_list.c (frames of one view), live_doc.c.
 * Memory: live_view.h.
 * Thread: live_view.h.
 * Source: house rule: what several files of a folder share is in a header of its own.
 */
#ifndef WARG_WEB_LIVE_VIEW_OWN_H
#define WARG_WEB_LIVE_VIEW_OWN_H

#include "base/mem.h"
#include "record/live_letter.h"
#include "web/live_view.h"

#define TABLE_BUCKETS 512

/* Ends of a frame in the list's texts, counted from the first byte that the list ever had. */
typedef struct Frame {
    uint64_t events;
    uint64_t phases;
} Frame;

/* `{...},` one behind the other. */
typedef struct Strip {
    Buf bytes;
    uint64_t cut; /* bytes that are not kept any more */
} Strip;

struct LiveList {
    LiveTable *table;
    LiveList *next;
    DocWriter writer;
    size_t entry; /* of the document, that is looked at next */
    Strip events;
    Strip phases;
    Frame *frames; /* of frame `base` and those behind it */
    size_t frame_count;
    size_t frame_room;
    uint64_t base;
    char view[16]; /* its name */
    Buf seats;
    uint32_t seats_told; /* grows with each change of them */
    Buf message;         /* for who has `from` frames */
    uint64_t from;
    uint64_t to;
    bool message_is_whole;
    bool message_has_seats;
    Buf doc; /* empty: not made yet */
    void *readers;
    bool failed;
};

/* A time that runs, as a view may know it. */
typedef struct Clock {
    Action action; /* ACTION_COUNT: not told */
    TimeUs until;  /* TIME_US_NEVER: not told, or none */
    bool paused;
    TimeUs at;     /* when it was told so */
    uint32_t told; /* grows with each change */
} Clock;

struct LiveTable {
    LiveViews *views;
    LiveTable *next; /* the one that began before */
    LiveTable *before;
    LiveTable *chained; /* of its bucket */
    Buf id;
    Buf language;
    Buf rules;
    DocDivision division;
    SeatNo seat_count;
    int64_t began_unix_ms;
    TimeUs began;
    uint32_t boot;
    GameDoc *doc;
    LiveLetter waiting; /* what the document lacks: a game that nobody looks at costs little */
    LiveList *lists;    /* as long as there are some the document lacks nothing */
    Clock clock;        /* for who sees all */
    Clock told_clock;   /* for all others */
    SeatNo asked;
    uint32_t typing; /* grows with each ask */
    bool talks;      /* by day, and anybody may know who is asked */
    uint16_t day;
    bool night;
    bool over;
    bool aborted;
    bool seats_stay;
    TimeUs over_at;
};

struct LiveViews {
    LiveViewsSetup setup;
    LiveTable *first;
    LiveTable *last;
    uint32_t over_count;
    LiveTable *buckets[TABLE_BUCKETS];
};

/* As live_table_secret. */
static inline bool table_is_secret(const LiveTable *table)
{
    return table->aborted && table->division == DOC_PROTOCOL;
}

/* ---- live_doc.c ---- */

TimeMs live_table_time(const LiveTable *table, TimeUs now); /* of the document: since it began */
/* What goes into the document: that, or as long as nobody asks for it a letter. Its ids count for
 * nothing. */
LiveSink live_table_sink(LiveTable *table);
/* The document gets what it lacks. False without memory. */
bool live_table_catch_up(LiveTable *table);

/* ---- live_list.c ---- */

void live_list_free(LiveList *list);
/* Something of the document is new: `seats` when that may be theirs. */
void live_lists_extend(LiveTable *table, bool seats, TimeUs now);
/* Clock or asks have changed: every view may have another one. */
void live_lists_tell(const LiveTable *table, TimeUs now);
/* All lists go, and who reads them is told so. */
void live_lists_drop(LiveTable *table, bool again);
/* That of a seat; who reads it has to fetch the document anew. */
void live_lists_drop_seat(LiveTable *table, SeatNo seat);
/* Whether anybody reads one. */
bool live_lists_read(const LiveTable *table);
size_t live_lists_bytes(const LiveTable *table);

#endif
