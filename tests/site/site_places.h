/* site_places.h - a store for each test of the site's room: on SQLite and on PostgreSQL.
 *
 * For:    tests/site. Include it before our own headers.
 * Memory: a folder under /tmp for each test, one PostgreSQL server for the program.
 * Thread: the test's.
 * Source: docs/spec/contest-operations.md, O41: the same tests on both.
 */
#ifndef WARG_TESTS_SITE_PLACES_H
#define WARG_TESTS_SITE_PLACES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pg_server.h"

#include "base/mem.h"
#include "site/site_store.h"

typedef struct SitePlace {
    bool server;
    char folder[48];
    char path[160];
} SitePlace;

static PgServer site_server;
static bool has_site_server;
static SitePlace site_places[] = {{.server = false}, {.server = true}};

static inline Db *site_place_open(void **state)
{
    SitePlace *place = *state;
    Db *db = NULL;
    Err err = {0};

    if (place->server && !has_site_server)
        skip(); /* PostgreSQL isn't installed */
    if (site_store_open(place->path, &db, &err))
        fail_msg("%s", err.msg);
    return db;
}

/* What the first row of a query begins with: there has to be one. Other statements are run. */
static inline int64_t site_number(Db *db, const char *sql)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    const bool has_rows = strncmp(sql, "SELECT", 6) == 0 || strstr(sql, "RETURNING");
    Err err = {0};
    int rc = db_query(db, sql, &query, &err);

    if (rc == 0)
        rc = db_step(query, &err);
    if (rc < 0 || (rc == 0 && has_rows))
        fail_msg("%s: %s", sql, rc ? err.msg : "no row");
    return rc == 1 ? db_int(query, 0) : 0;
}

static inline int site_place_set_up(void **state)
{
    SitePlace *place = *state;

    if (place->server) {
        snprintf(place->path, sizeof(place->path), "%s", site_server.connection);
        return 0;
    }
    snprintf(place->folder, sizeof(place->folder), "/tmp/warg-site-store-XXXXXX");
    if (!mkdtemp(place->folder))
        return -1;
    snprintf(place->path, sizeof(place->path), "%s/site.db", place->folder);
    return 0;
}

static inline int site_place_tear_down(void **state)
{
    SitePlace *place = *state;
    char command[96];
    Db *db = NULL;

    if (place->server) {
        if (has_site_server && db_open_server(site_server.connection, &db, NULL) == 0)
            db_exec(db, "DROP SCHEMA public CASCADE; CREATE SCHEMA public", NULL);
        db_close(db);
        return 0;
    }
    snprintf(command, sizeof(command), "rm -rf '%s'", place->folder);
    return system(command);
}

static inline int site_server_set_up(void **state)
{
    (void)state;
    has_site_server = pg_server_start(&site_server);
    return 0;
}

static inline int site_server_tear_down(void **state)
{
    (void)state;
    pg_server_done(&site_server);
    return 0;
}

#define ON_SQLITE(name)                                                                            \
    {                                                                                              \
#        name, name, site_place_set_up, site_place_tear_down, &site_places[0]                      \
    }
#define ON_BOTH(name)                                                                              \
    {#name ", SQLite", name, site_place_set_up, site_place_tear_down, &site_places[0]},            \
    {                                                                                              \
#        name ", PostgreSQL", name, site_place_set_up, site_place_tear_down, &site_places[1]       \
    }

#endif
