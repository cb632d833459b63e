/* Looking through the folders again, and who waits for that. */
#include "base/mem.h"
#include "web/site_own.h"

#define SCAN_SHARE  10 /* a look takes at most this part of the time */
#define LOOKUPS_MAX 200

/* Who asked for a game that is not known, or for a list, while it is looked again. */
struct Lookup {
    Lookup *next;
    WebVisit visit; /* its request is gone */
    SiteThen *then; /* of a list; NULL: a game */
    SiteDrop *drop;
    void *data;
    Buf id;
    DocView view;
    bool saved;
};

/* ---- looking again ---- */

typedef struct ScanJob {
    WorkJob job;
    WebSite *site;
    SharedCatalogue *before;
    int64_t now_ms;
    Catalogue *found;
    Err err;
} ScanJob;

static void run_scan(WorkJob *job)
{
    ScanJob *scan = (ScanJob *)job;

    (void)catalogue_scan(&scan->site->setup.paths, scan->before->catalogue, scan->now_ms,
                         &scan->found, &scan->err);
}

static void scan_free(ScanJob *scan)
{
    shared_catalogue_leave(scan->before);
    catalogue_free(scan->found);
    mem_free(scan);
}

static void answer_lookups(WebSite *site, TimeUs now);

static void on_scan_done(WorkJob *job, TimeUs now)
{
    ScanJob *scan = (ScanJob *)job;
    WebSite *site = scan->site;
    TimeUs took = now - site->scan_began;

    site->scanning = false;
    site->looked_at = site->scanned;
    site->scan_due = now + (took * SCAN_SHARE > SITE_LOOK_US ? took * SCAN_SHARE : SITE_LOOK_US);
    if (scan->found) {
        SharedCatalogue *shared = shared_catalogue_new(TAKE(scan->found));
        if (shared) {
            shared_catalogue_leave(site->shared);
            site->shared = shared;
        }
    }
    scan_free(scan);
    answer_lookups(site, now);
}

static void on_scan_drop(WorkJob *job)
{
    scan_free((ScanJob *)job);
}

bool site_look_again(WebSite *site, TimeUs now)
{
    if (site->scanning)
        return true;
    if (now < site->scan_due || site->setup.paths.count == 0)
        return false;
    ScanJob *scan = mem_new(sizeof(*scan));
    if (!scan)
        return false;
    scan->job = (WorkJob){.run = run_scan, .done = on_scan_done, .drop = on_scan_drop};
    scan->site = site;
    scan->before = shared_catalogue_use(site->shared);
    scan->now_ms = site->setup.date_of(now);
    site->scanning = true;
    site->scanned = site->changes;
    site->scan_began = now;
    work_add_chore(site->work, &scan->job);
    return true;
}

static Lookup *lookup_free(Lookup *lookup)
{
    if (lookup->drop)
        lookup->drop(lookup->data);
    buf_done(&lookup->id);
    return mem_free(lookup);
}

static void answer_lookup(WebSite *site, Lookup *lookup, TimeUs now)
{
    if (lookup->then) {
        lookup->drop = NULL;
        lookup->then(site, &lookup->visit, lookup->data, now);
        return;
    }
    const CatalogueGame *game = catalogue_find(site->shared->catalogue, buf_str(&lookup->id));
    if (game && !site_withholds(site, lookup->visit.sees_all, game, now))
        doc_shelf_answer(site->shelf, &lookup->visit, site->shared, game, &lookup->view,
                         lookup->saved);
    else
        visit_error(&lookup->visit, 404, "no-game", SITE_NO_GAME);
}

static void answer_lookups(WebSite *site, TimeUs now)
{
    Lookup *lookup = site->lookups;

    site->lookups = NULL;
    while (lookup) {
        Lookup *next = lookup->next;
        answer_lookup(site, lookup, now);
        lookup_free(lookup);
        lookup = next;
    }
}

/* One more who waits; NULL when there are too many. */
static Lookup *lookup_new(WebSite *site, const WebVisit *visit)
{
    unsigned waiting = 0;

    for (const Lookup *lookup = site->lookups; lookup; lookup = lookup->next)
        waiting++;
    Lookup *lookup = waiting < LOOKUPS_MAX ? mem_new(sizeof(*lookup)) : NULL;
    if (!lookup)
        return NULL;
    lookup->visit = *visit;
    lookup->visit.request = NULL;
    lookup->next = site->lookups;
    site->lookups = lookup;
    return lookup;
}

bool site_wait_for_look(WebSite *site, const WebVisit *visit, Str id, const DocView *view,
                        bool saved)
{
    Lookup *lookup = lookup_new(site, visit);

    if (!lookup)
        return false;
    lookup->view = *view;
    lookup->saved = saved;
    buf_add(&lookup->id, id);
    return true;
}

bool site_wait_for_list(WebSite *site, const WebVisit *visit, SiteThen *then, SiteDrop *drop,
                        void *take_data)
{
    Lookup *lookup = lookup_new(site, visit);

    if (!lookup)
        return false;
    lookup->then = then;
    lookup->drop = drop;
    lookup->data = take_data;
    return true;
}

void web_site_game_over(WebSite *site)
{
    site->changes++;
}

void site_forget_lookups(WebSite *site)
{
    while (site->lookups) {
        Lookup *lookup = site->lookups;
        site->lookups = lookup->next;
        lookup_free(lookup);
    }
}
