/* site_own.h - what the files of the site know of each other.
 *
 * For:    site.c (requests) and the files site_*.c (what it answers with). Nobody else includes it.
 * Memory: a WebSite owns all but what its setup points to.
 * Thread: the loop's.
 * Source: house rule: what several files of a folder share is in a header of its own.
 */
#ifndef WARG_WEB_SITE_OWN_H
#define WARG_WEB_SITE_OWN_H

#include "net/web_gate.h"
#include "web/assets.h"
#include "web/contest_desk.h"
#include "web/log_peek.h"
#include "web/search.h"
#include "web/site.h"

#define SITE_TABLES_MAX 16
#define SITE_TRIERS_MAX 64

/* Routes of one piece. */
typedef struct RouteTable {
    const WebRoute *rows;
    size_t count;
    void *user;
} RouteTable;

#define SITE_TRIES_MAX 20

/* Who has shown secrets that are none: each counts once, since a page may send one that is of
 * something else with all it asks. */
typedef struct Trier {
    char address[64];
    uint32_t tries;
    uint32_t tried[SITE_TRIES_MAX]; /* str_hash */
    TimeUs since;
} Trier;

typedef struct Lookup Lookup;

struct WebSite {
    WebSiteSetup setup;
    WebLive live;
    Assets *assets;
    Work *work;
    DocShelf *shelf;
    DocMaker minds; /* what models thought, of the shelf */
    LogPeeks *peeks;
    ContestDesk *desk;
    Search *search;
    SharedCatalogue *shared;
    WebGate gate;
    char own_name[256];
    RouteTable tables[SITE_TABLES_MAX];
    size_t table_count;
    Trier triers[SITE_TRIERS_MAX];
    bool scanning;
    uint64_t changes;   /* games that were told to be over */
    uint64_t scanned;   /* so many of them when the look that is under way began */
    uint64_t looked_at; /* so many before the last look */
    TimeUs scan_began;
    TimeUs scan_due;  /* no sooner is it looked again */
    Lookup *lookups;  /* who waits for the look that is under way */
    uint32_t opening; /* logs that are being read for who brought them */
    Buf body;         /* of answers */
};

/* site_later.c */
/* Whether all of this game, by whichever name it was asked for, is told only later. `sees_all`:
 * not to who asks. */
bool site_withholds(const WebSite *site, bool sees_all, const CatalogueGame *game, TimeUs now);
/* Games that ended later than this are told later; INT64_MAX = none. Unix time. */
int64_t site_told_until(const WebSite *site, TimeUs now);

/* site_missing.c */
void site_nothing_here(WebSite *site, const WebVisit *visit); /* 404: a page with the way home */

/* site_scan.c */
#define SITE_LOOK_US ((TimeUs)2000000) /* at the most so often */
#define SITE_NO_GAME "No such game is here."
typedef void SiteThen(WebSite *site, const WebVisit *visit, void *data, TimeUs now);
typedef void SiteDrop(void *data);
/* Has the folders looked through again, if that is due. True when it is under way. */
bool site_look_again(WebSite *site, TimeUs now);
/* Whether the catalogue lacks what is over since the last look. */
static inline bool site_is_stale(const WebSite *site)
{
    return site->changes != site->looked_at;
}
/* Answers with the game's document, if it is there, when the look that is under way is over. False
 * when it can't. */
bool site_wait_for_look(WebSite *site, const WebVisit *visit, Str id, const DocView *view,
                        bool saved);
/* Has `then` called when the look that is under way is over, with `take_data`, which it frees;
 * where none ends any more `drop` is called. False, and nothing was taken, when it can't. */
bool site_wait_for_list(WebSite *site, const WebVisit *visit, SiteThen *then, SiteDrop *drop,
                        void *take_data);
void site_forget_lookups(WebSite *site);

/* site_lists.c */
void site_home(void *user, const WebVisit *visit);
void site_games(void *user, const WebVisit *visit);
void site_session(void *user, const WebVisit *visit);

/* site_contests.c */
void site_contest(void *user, const WebVisit *visit);
void site_contest_json(void *user, const WebVisit *visit);
void site_contest_team(void *user, const WebVisit *visit);
void site_contest_team_json(void *user, const WebVisit *visit);
void site_search(void *user, const WebVisit *visit);

/* site_mind.c */
void site_mind(void *user, const WebVisit *visit);
void site_mind_begin(WebSite *site);

/* site_open.c */
void site_open_log(void *user, const WebVisit *visit);
void site_lang(void *user, const WebVisit *visit);

/* Whether only operators may know who sat where. */
static inline bool site_hides_seats(const WebSite *site)
{
    return site->setup.names_hidden || site->setup.seats_hidden;
}

#endif
