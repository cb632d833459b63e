/* api_site.h - what all of a site's API works with: its store, its clock, its limits.
 *
 * For:    this room. A handler gets it by its visit (api_visit.h).
 * Memory: borrowed from api_server.c, which owns it.
 * Thread: the loop's, which is the store's.
 * Source: docs/spec/contest-operations.md 13; docs/contest-api.md.
 */
#ifndef WARG_API_API_SITE_H
#define WARG_API_API_SITE_H

#include "api/api_rates.h"
#include "base/json.h"
#include "net/loop.h"
#include "site/clock.h"
#include "site/output_sweep.h"
#include "store/db.h"
#include "web/work.h"

typedef enum ApiSignup {
    API_SIGNUP_OPEN,
    API_SIGNUP_INVITE, /* with a link */
    API_SIGNUP_CLOSED, /* the first admin alone */
} ApiSignup;

/* How a site is run; out of server.yml. Borrowed for the server's life. */
typedef struct ApiSettings {
    const char *folder; /* of server.yml: names of files in contest files are seen from here */
    const char *data;
    Str public_url;     /* "https://contest.example.org", without a '/' at its end */
    const Str *proxies; /* addresses whose X-Forwarded-For is believed */
    size_t proxy_count;
    ApiSignup signup;
    uint32_t calls_a_minute;       /* of an address and of an account; 0 = 120 */
    Str listen_host;               /* of tracks' servers, too; empty: loopback */
    uint16_t listen_port;          /* ... which have the ports behind this one; 0 = any */
    CellLevel cell_require;        /* of server.yml */
    uint64_t disk_reserve_permil;  /* of the disk's size: uploads are refused below it */
    uint64_t disk_reserve_bytes;   /* the larger one counts */
    int64_t (*now_ms)(void *user); /* the date, which a rehearsal simulates */
    void *now_user;
} ApiSettings;

#define API_LOG_STREAMS      16 /* logs.zip that are on their way at once */
#define API_LOG_STREAMS_EACH 1  /* ... of a team */

struct ApiVisit;
typedef struct ApiRules ApiRules;       /* api_rules.h */
typedef struct ApiEvents ApiEvents;     /* api_events.h */
typedef struct ApiRuntimes ApiRuntimes; /* api_environment.h */

/* When what leaves the disk by itself was looked through (api_sweep.h), and where that is. */
typedef struct ApiSweeps {
    int64_t trees_ms, outputs_ms, blobs_ms;
    OutputSweep outputs;
    unsigned blob_folder;
} ApiSweeps;

typedef struct ApiSite {
    const ApiSettings *settings;
    const char *store; /* place for site_store_open */
    Db *db;
    Loop *loop;
    Work *work; /* hashes passwords */
    ApiRates *rates;
    ApiRules *rules;
    ApiEvents *events;
    ApiRuntimes *runtimes;
    SiteClock *clock;
    SiteLedger *ledger;
    DiskRoom disk;  /* of the last turn */
    bool disk_told; /* that it is low */
    Spool *spool;
    unsigned passwords;     /* that wait or are hashed now */
    struct Upload *uploads; /* that are under way: api_upload.c */
    unsigned backups;       /* that are under way */
    ApiSweeps sweeps;
    struct LogStream *log_streams; /* likewise: api_logs.c */
    uint64_t calls;                /* for /metrics */
    /* One that was kept goes on with its `then`, and is answered. */
    void (*go_on)(struct ApiVisit *take_visit);
    /* Something was changed and committed: ledgers, jobs and files follow. May be NULL. */
    void (*changed)(void *user);
    /* Adds why the server is not fit for its work, a word each; and figures of /metrics. */
    void (*unfit)(void *user, Json *reasons);
    void (*measure)(void *user, Buf *lines);
    void *changed_user;
} ApiSite;

int64_t api_site_now_ms(const ApiSite *site);

#endif
