/* contest_call.h - one call of a verb of `warg contest` on a site: its options, where the site is,
 * how it gets at it.
 *
 * For:    contest_admin.c, contest_organise.c, contest_findings.c, contest_status.c.
 * Memory: a SiteCall owns what was opened; site_call_done frees it.
 * Thread: main thread.
 * Source: docs/spec/contest-operations.md 14.
 *
 * What changes something goes through the server that runs over the site, by data/admin.sock: one
 * writer, one trail. What only looks reads the store, with a server or without. Without a server,
 * verbs of an admin work on the store themselves.
 */
#ifndef WARG_CLI_CONTEST_CALL_H
#define WARG_CLI_CONTEST_CALL_H

#include "api/api_client.h"
#include "base/time_us.h"
#include "cli/options.h"
#include "site/server_file.h"
#include "store/db.h"

/* Where the site is when --site does not say it; else the current folder. */
#define SITE_FOLDER_ENV "WARG_SITE"
/* The file of `serve --clock`, for rehearsals: what is the date is what stands there. */
#define SITE_CLOCK_ENV "WARG_SITE_CLOCK"

/* Options of these verbs, in the order of SiteOption; the longer tables begin with the shorter. */
typedef enum SiteOption {
    SITE_FOLDER,
    SITE_REASON, /* of site_reason_options */
    SITE_JSON = 1,
    SITE_LANGUAGE, /* of site_look_options */
} SiteOption;
extern const Option site_options[1];
extern const Option site_reason_options[2];
extern const Option site_look_options[3];
extern const Option site_check_options[2];
extern const Option site_announce_options[2];
extern const Option site_bundle_options[2];
extern const Option site_sheets_options[3]; /* contest_judging.c */
extern const Option site_scores_options[4];

/* One call of a verb. */
typedef struct SiteCall {
    const Options *given;
    const char *own_verb; /* of the running program, for cells */
    int64_t now_ms;
    const char *folder; /* of server.yml */
    ServerFile file;
    ApiClient *client; /* NULL: no server runs */
    Db *db;            /* NULL until it is opened */
} SiteCall;

void site_call_done(SiteCall *call); /* also for CLEANUP */

/* The argument number `number`; its name stands in the error. Errors: ERR_USAGE. */
int site_call_argument(const SiteCall *call, int number, const char *name, Str *ret_text, Err *err);

/* Reads server.yml of --site, or of `folder` when that is not NULL. */
int site_call_find(SiteCall *call, const char *folder, Err *err);
/* Finds the server. Errors: ERR_RULE when none runs and `must`. */
int site_call_client(SiteCall *call, bool must, Err *err);
/* Opens the store: brought up to date where no server runs, else as it is. */
int site_call_store(SiteCall *call, Err *err);

/* Asks the server. */
int site_call_ask(SiteCall *call, const char *method, const char *path, Str body, ApiReply *reply,
                  Err *err);

typedef int SiteVerbDo(SiteCall *call, Err *err);

#endif
