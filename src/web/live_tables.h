/* live_tables.h - all games of a server that run: as they are for operators and seats, and later
 *                 for everybody else.
 *
 * For:    web/feed.h and web/site.h, which ask; who plays, which tells through the sink.
 * Memory: LiveTables owns both sets of views and what waits. Texts are copied.
 * Thread: the loop's. Time is an argument; live_tables_tick has to be called when it is due.
 * Source: docs/spec/web.md 4.2 (rules 5 and 7), 5.1 ("Delay").
 *
 *   sink ----------------------------------------> prompt: operators, seats
 *      \--a letter that waits for the delay------> later:  public
 *
 * Nothing of what waits can be seen by those who have to wait: lists, clocks and ends are made when
 * it is told. Without a delay there is one set of views.
 */
#ifndef WARG_WEB_LIVE_TABLES_H
#define WARG_WEB_LIVE_TABLES_H

#include "web/live_view.h"

typedef struct LiveTables LiveTables;

typedef struct LiveTablesSetup {
    LiveNames names;
    TimeUs delay;                 /* for who is no operator; 0 = none */
    size_t list_bytes;            /* as of LiveViewsSetup */
    uint32_t (*draw)(void *user); /* so too; with `draw_user` */
    void *draw_user;
    void (*over)(
        void *over_user); /* a game has ended, also where that is told later; may be NULL */
    void *over_user;
} LiveTablesSetup;

/* What reads the tables: of both sets of views, as in LiveViewsSetup. */
typedef struct LiveReaders {
    void (*changed)(void *user, LiveList *list, TimeUs now);
    void (*gone)(void *user, LiveList *list, bool again);
    /* `prompt`: of the games as operators see them. Without a delay both are one. */
    void (*listed)(void *user, bool prompt, TimeUs now);
    /* live_tables_deadline may be an earlier one. */
    void (*due)(void *user);
    void *user;
} LiveReaders;

/* Errors: ERR_MEMORY. */
int live_tables_new(const LiveTablesSetup *setup, LiveTables **ret_tables, Err *err);
/* Calls nobody; takes NULL. */
LiveTables *live_tables_free(LiveTables *tables);
/* Who reads them; until then nobody is told. */
void live_tables_read_by(LiveTables *tables, const LiveReaders *readers);

LiveSink live_tables_sink(LiveTables *tables);
void live_tables_tick(LiveTables *tables, TimeUs now);
TimeUs live_tables_deadline(const LiveTables *tables);

/* The games as operators and seats see them, or as everybody does. */
LiveViews *live_tables_views(const LiveTables *tables, bool prompt);
/* Whether everybody may see all of this game only later: it runs, or its end waits. `id` is its ID,
 * or that of its log (of DocHead.source_name, which nobody is told). */
bool live_tables_withholds(const LiveTables *tables, Str id);
/* An array of what runs there, or has ended a short time ago (live_table_put). */
void live_tables_put(const LiveTables *tables, bool prompt, Json *json);

#endif
