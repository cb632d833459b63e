#include "api/api_pages.h"

#include "base/mem.h"
#include "store/db_row.h"
#include "web/site.h"

#include <unistd.h>

#define LOOK_US      ((TimeUs)5 * 1000000)
#define CONTESTS_MAX 256

struct ApiPages {
    ApiPagesSetup setup;
    WebSite *site; /* NULL: nothing is published */
    Buf shown;     /* the folders that it shows, each with a NUL */
    const char *paths[CONTESTS_MAX];
    size_t count;
    Str host; /* of public_url */
    TimeUs looked;
};

static Str host_of(Str url)
{
    size_t at;

    if (str_find(url, STR("://"), &at))
        url = str_part(url, at + 3, SIZE_MAX);
    Str host = str_cut(&url, '/');
    return host.len && host.bytes[0] == '[' ? host : str_cut(&host, ':');
}

ApiPages *api_pages_new(const ApiPagesSetup *setup)
{
    ApiPages *pages = mem_new(sizeof(*pages));

    if (pages) {
        pages->setup = *setup;
        pages->host = host_of(setup->settings->public_url);
        pages->looked = TIME_US_PAST;
    }
    return pages;
}

ApiPages *api_pages_free(ApiPages *pages)
{
    if (!pages)
        return NULL;
    web_site_free(pages->site);
    buf_done(&pages->shown);
    return mem_free(pages);
}

/* Folders with games of contests that are published. */
static int list_folders(const ApiPages *pages, Db *db, Buf *out, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query_with(db, &query, err,
                      "SELECT name FROM contest WHERE state IN ('PUBLISHED', 'ARCHIVED') ORDER BY "
                      "name LIMIT ?1",
                      "i", (int64_t)CONTESTS_MAX);

    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        CLEANUP(buf_done) Buf path = {0};
        Str name = db_text(query, 0);
        rc = 0;
        buf_printf(&path, "%s/contests/%.*s/play", pages->setup.settings->data, STR_ARG(name));
        if (access(buf_cstr(&path), R_OK))
            continue;
        buf_add(out, buf_str(&path));
        buf_add_char(out, '\0');
    }
    return rc;
}

static int open_site(ApiPages *pages, TimeUs now, Err *err)
{
    const char *text = buf_cstr(&pages->shown);

    pages->site = web_site_free(pages->site);
    pages->count = 0;
    for (size_t at = 0; at < pages->shown.len; at += strlen(text + at) + 1)
        pages->paths[pages->count++] = text + at;
    if (!pages->count)
        return 0;
    const WebSiteSetup setup = {.loop = pages->setup.loop,
                                .paths = {.paths = pages->paths, .count = pages->count},
                                .assets = pages->setup.assets,
                                .host = pages->setup.host,
                                .public_hosts = &pages->host,
                                .public_host_count = pages->host.len ? 1 : 0,
                                .date_of = pages->setup.date_of,
                                .now = now};
    return web_site_open(&setup, &pages->site, err);
}

int api_pages_look(ApiPages *pages, Db *db, TimeUs now, Err *err)
{
    CLEANUP(buf_done) Buf folders = {0};

    if (pages->looked != TIME_US_PAST && now - pages->looked < LOOK_US)
        return 0;
    pages->looked = now;
    int rc = list_folders(pages, db, &folders, err);
    if (rc || str_eq(buf_str(&folders), buf_str(&pages->shown)))
        return rc;
    buf_clear(&pages->shown);
    buf_add(&pages->shown, buf_str(&folders));
    if (buf_failed(&pages->shown))
        return err_set(err, ERR_MEMORY, "pages: out of memory");
    return open_site(pages, now, err);
}

bool api_pages_request(ApiPages *pages, WebConn *conn, const WebRequest *request)
{
    return pages->site && str_starts(request->path, STR("/web")) &&
           web_site_request(pages->site, conn, request);
}
