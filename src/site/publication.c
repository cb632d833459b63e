#include "site/publication.h"

#include "audit/audit_file.h"
#include "audit/audit_kept.h"
#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "site/blob.h"
#include "site/site_ledger.h"
#include "site/table.h"
#include "store/db_row.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>

#define AGAIN_US        (10 * RETRY_MINUTE)
#define CHECKPOINTS_MAX 256 /* of those signed on the way, evenly */

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "publish: out of memory");
}

/* ---- files ---- */

/* The folder that is filled. */
typedef struct Publishing {
    Db *db;
    const ContestHome *home;
    const SiteRules *rules;
    const char *dir;
} Publishing;

static int write_text(const Publishing *publishing, const char *name, Str text, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/%s", publishing->dir, name);
    if (buf_failed(&path))
        return no_memory(err);
    int rc = folder_make_for(buf_cstr(&path), err);
    return rc ? rc : file_replace(buf_cstr(&path), text, true, err);
}

static int write_file_and_rules(const Publishing *publishing, Err *err)
{
    CLEANUP(buf_done) Buf file = {0};
    CLEANUP(buf_done) Buf rules = {0};
    int rc = db_ask_text(publishing->db, &file, NULL, err, "SELECT file FROM contest WHERE id = ?1",
                         "i", publishing->home->id);

    if (rc == 0)
        rc = write_text(publishing, "contest.yml", buf_str(&file), err);
    if (rc || publishing->rules->natural_language)
        return rc;
    ruleset_print(&publishing->rules->plan.rules, &rules);
    return buf_failed(&rules) ? no_memory(err)
                              : write_text(publishing, "rules/rules.yml", buf_str(&rules), err);
}

/* What held before: sheets and dates follow from the file of their time. */
static int write_amended(const Publishing *publishing, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(publishing->db, &query, err,
                           "SELECT digest, file FROM amended WHERE contest = ?1 ORDER BY digest",
                           "i", publishing->home->id);

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        CLEANUP(buf_done) Buf name = {0};
        buf_printf(&name, BUNDLE_AMENDED "/%.*s.yml", STR_ARG(db_text(query, 0)));
        rc = buf_failed(&name) ? no_memory(err)
                               : write_text(publishing, buf_cstr(&name), db_text(query, 1), err);
    }
    return rc;
}

/* Of versions that play. */
static int write_reports(const Publishing *publishing, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(publishing->db, &query, err,
                           "SELECT team.name, version.number, version.report FROM version"
                           " JOIN team ON team.id = version.team WHERE team.contest = ?1"
                           " AND version.state = 'ACTIVE' AND version.report IS NOT NULL",
                           "i", publishing->home->id);

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        CLEANUP(buf_done) Buf name = {0};
        buf_printf(&name, "reports/%.*s-%" PRId64 ".json", STR_ARG(db_text(query, 0)),
                   db_int(query, 1));
        rc = buf_failed(&name) ? no_memory(err)
                               : write_text(publishing, buf_cstr(&name), db_text(query, 2), err);
    }
    return rc;
}

/* A team says {"source":true,"description":true}; what it does not say stays its own. */
static bool is_consented(Str consent, Str kind)
{
    json_t *given = json_loadb(consent.bytes, consent.len, 0, NULL);
    char name[32];

    snprintf(name, sizeof(name), "%.*s", STR_ARG(kind));
    const bool yes = json_is_true(json_object_get(given, name));
    json_decref(given);
    return yes;
}

static const char *suffix_of(Str media)
{
    static const struct {
        const char *media, *suffix;
    } suffixes[] = {{"application/pdf", ".pdf"},
                    {"text/markdown", ".md"},
                    {"text/plain", ".txt"},
                    {"application/zip", ".zip"},
                    {"application/java-archive", ".jar"},
                    {"application/gzip", ".tar.gz"}};
    const Str type = str_trim(str_cut(&media, ';'));

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
        if (str_eq(type, str_of(suffixes[i].media)))
            return suffixes[i].suffix;
    return ".bin";
}

/* The same bytes under another name: they are not copied. */
static int link_blob(const Publishing *publishing, Str blob, const char *name, Err *err)
{
    CLEANUP(buf_done) Buf from = {0};
    CLEANUP(buf_done) Buf to = {0};

    blob_path(publishing->home->data, blob, &from);
    buf_printf(&to, "%s/%s", publishing->dir, name);
    if (buf_failed(&from) || buf_failed(&to))
        return no_memory(err);
    int rc = folder_make_for(buf_cstr(&to), err);
    if (rc == 0 && disk_link(buf_cstr(&from), buf_cstr(&to)))
        rc = disk_error(err, "link", buf_cstr(&from));
    return rc;
}

static int add_source(const Publishing *publishing, const DbQuery *query, json_t *list, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    const Str team = db_text(query, 0), kind = db_text(query, 1), media = db_text(query, 3),
              licence = db_text(query, 4);

    if (!is_consented(db_text(query, 5), kind))
        return 0;
    buf_printf(&name, "sources/%.*s/%.*s%s", STR_ARG(team), STR_ARG(kind), suffix_of(media));
    if (buf_failed(&name))
        return no_memory(err);
    json_array_append_new(list,
                          json_pack("{s:s%, s:s%, s:s, s:s%, s:s%}", "team", team.bytes, team.len,
                                    "kind", kind.bytes, kind.len, "file", buf_cstr(&name), "media",
                                    media.bytes, media.len, "licence", licence.bytes, licence.len));
    return link_blob(publishing, db_text(query, 2), buf_cstr(&name), err);
}

static int write_list(const Publishing *publishing, const char *name, const json_t *list, Err *err)
{
    char *text = json_dumps(list, JSON_INDENT(1) | JSON_SORT_KEYS);

    if (!text)
        return no_memory(err);
    int rc = write_text(publishing, name, str_of(text), err);
    free(text); /* jansson's */
    return rc;
}

/* The newest of each kind, of who is named a finalist, or of all. */
static int write_sources(const Publishing *publishing, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    json_t *list = json_array();
    const bool all = publishing->rules->publish.sources == SOURCES_ALL;
    int rc = publishing->rules->publish.sources == SOURCES_NONE
                 ? 0
                 : db_query_with(publishing->db, &query, err,
                                 "SELECT team.name, document.kind, document.blob, document.media,"
                                 " document.licence, team.consent FROM document JOIN team"
                                 " ON team.id = document.team WHERE team.contest = ?1"
                                 " AND (?2 = 1 OR team.finalist = 1) AND document.number ="
                                 " (SELECT MAX(number) FROM document newer WHERE newer.team ="
                                 " document.team AND newer.kind = document.kind)"
                                 " ORDER BY document.id",
                                 "ii", publishing->home->id, (int64_t)all);

    while (rc == 0 && query && (rc = db_step(query, err)) == 1)
        rc = add_source(publishing, query, list, err);
    if (rc == 0 && json_array_size(list))
        rc = write_list(publishing, "sources.json", list, err);
    json_decref(list);
    return rc;
}

static int write_checkpoints(const Publishing *publishing, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int64_t count = 0, number = 0;
    int rc =
        db_ask(publishing->db, 0, &count, err, "SELECT COUNT(*) FROM checkpoint WHERE contest = ?1",
               "i", publishing->home->id);
    const int64_t each = 1 + count / CHECKPOINTS_MAX;

    if (rc == 0)
        rc = db_query_with(publishing->db, &query, err,
                           "SELECT size, note FROM checkpoint WHERE contest = ?1 AND size > 0"
                           " ORDER BY size",
                           "i", publishing->home->id);
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        char name[64];
        snprintf(name, sizeof(name), CHECKPOINTS_FOLDER "/%" PRId64, db_int(query, 0));
        rc = number++ % each ? 0 : write_text(publishing, name, db_text(query, 1), err);
    }
    return rc;
}

static int put_rulings(const Publishing *publishing, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(publishing->db, &query, err,
                           "SELECT team.name, ruling.stage_name, ruling.rule, ruling.game,"
                           " ruling.decision, ruling.reason, ruling.failed, ruling.closed"
                           " FROM ruling LEFT JOIN team"
                           " ON team.id = ruling.team WHERE ruling.contest = ?1 ORDER BY ruling.id",
                           "i", publishing->home->id);

    json_key(json, STR("rulings"));
    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        json_open(json, '{');
        json_add_str(json, "team", db_text(query, 0));
        json_add_str(json, "stage", db_text(query, 1));
        json_add_str(json, "rule", db_text(query, 2));
        if (!db_is_null(query, 3))
            json_add_int(json, "number", db_int(query, 3));
        json_add_str(json, "decision", db_text(query, 4));
        json_add_str(json, "reason", db_text(query, 5));
        if (!db_is_null(query, 6))
            json_add_str(json, "failed", db_text(query, 6));
        if (!db_is_null(query, 7))
            json_add_str(json, "closed", db_text(query, 7));
        json_close(json);
        rc = 0;
    }
    json_close(json);
    return rc;
}

static int write_results(const Publishing *publishing, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);
    const Plan *plan = &publishing->rules->plan;
    int rc = 0;

    json_open(&json, '{');
    json_add_str(&json, "contest", publishing->home->name);
    json_key(&json, STR("stages"));
    json_open(&json, '[');
    for (uint32_t stage = 0;
         stage < plan->stage_count && !publishing->rules->natural_language && rc == 0; stage++)
        rc = site_standings(publishing->db, publishing->home->id, plan,
                            str_of(plan->stages[stage].name), &json, err);
    json_close(&json);
    if (rc == 0)
        rc = put_rulings(publishing, &json, err);
    json_close(&json);
    buf_add_char(&text, '\n');
    if (rc == 0 && buf_failed(&text))
        rc = no_memory(err);
    return rc ? rc : write_text(publishing, "results.json", buf_str(&text), err);
}

/* Anew each time: what was prepared before says nothing any more. */
int publication_prepare(Db *db, const ContestHome *home, const SiteRules *rules, Err *err)
{
    CLEANUP(buf_done) Buf dir = {0};
    Publishing publishing = {.db = db, .home = home, .rules = rules};
    int rc = contest_home_path(home, "publish", &dir, err);

    publishing.dir = buf_cstr(&dir);
    if (rc == 0)
        rc = folder_remove(publishing.dir, err);
    if (rc == 0)
        rc = folder_make(buf_str(&dir), err);
    if (rc == 0)
        rc = write_file_and_rules(&publishing, err);
    if (rc == 0)
        rc = write_amended(&publishing, err);
    if (rc == 0)
        rc = write_reports(&publishing, err);
    if (rc == 0)
        rc = write_sources(&publishing, err);
    if (rc == 0)
        rc = write_checkpoints(&publishing, err);
    return rc ? rc : write_results(&publishing, err);
}

/* ---- the job ---- */

/* The ledger's size when the last job was put, -1 = never; whether that is over. */
static int find_last(Db *db, int64_t contest, RetryWaits *waits, int64_t *ret_size, bool *ret_open,
                     Err *err)
{
    CLEANUP(buf_done) Buf failed = {0};
    int64_t open = 0;
    int rc = db_ask(db, -1, ret_size, err, "SELECT size FROM publication WHERE contest = ?1", "i",
                    contest);

    /* What failed for whatever reason is tried again later. */
    if (rc == 0)
        rc = db_ask_text(db, &failed, NULL, err,
                         "SELECT job FROM publication WHERE contest = ?1 AND state = 'FAILED'", "i",
                         contest);
    if (rc == 0 && failed.len && !retry_waits(waits, buf_str(&failed), AGAIN_US))
        *ret_size = -1;

    if (rc == 0)
        rc = db_ask(db, 0, &open, err,
                    "SELECT 1 FROM publication WHERE contest = ?1 AND state = 'ASKED'", "i",
                    contest);
    *ret_open = open != 0;
    return rc;
}

int publication_ask(Db *db, const ContestHome *home, const SiteRules *rules, RetryWaits *waits,
                    int64_t now_ms, Err *err)
{
    char id[ID_ULID_BYTES];
    int64_t before = -1;
    uint64_t size = 0;
    bool open = false;
    int rc = find_last(db, home->id, waits, &before, &open, err);

    if (rc == 0)
        rc = site_ledger_size(db, home->id, &size, err);
    if (rc || open || before == (int64_t)size)
        return rc;
    rc = publication_prepare(db, home, rules, err);
    if (rc == 0)
        rc = job_put(db, home->id, "bundle", STR("{}"), now_ms, id, err);
    return rc ? rc
              : db_run(db, err,
                       "INSERT INTO publication(contest, job, size, state, at)"
                       " VALUES(?1, ?2, ?3, 'ASKED', ?4) ON CONFLICT(contest) DO UPDATE SET"
                       " job = ?2, size = ?3, state = 'ASKED', at = ?4, why = NULL,"
                       " manifest = NULL",
                       "itii", home->id, str_of(id), (int64_t)size, now_ms);
}

int publication_take(Db *db, const JobRow *job, const JobOutcome *outcome, int64_t now_ms,
                     void *user, Err *err)
{
    const char *manifest = json_string_value(json_object_get(outcome->result, "manifest"));
    const char *why = json_string_value(json_object_get(outcome->result, "why"));
    const bool holds = outcome->state == JOB_DONE && manifest &&
                       json_is_true(json_object_get(outcome->result, "holds"));

    (void)user;
    return db_run(db, err,
                  "UPDATE publication SET job = ?2, why = ?5, at = ?6,"
                  " manifest = CASE WHEN state IN ('CLOSING', 'PUBLISHED') THEN manifest ELSE ?4"
                  " END, state = CASE WHEN state NOT IN ('CLOSING', 'PUBLISHED') THEN ?3"
                  " WHEN ?3 = 'PROVEN' THEN 'CLOSED' ELSE 'PUBLISHED' END"
                  " WHERE contest = ?1 AND (job = ?2 OR state = 'FAILED'"
                  " OR (state = 'PUBLISHED' AND why IS NOT NULL))",
                  "ittTTi", job->contest, buf_str(&job->id), holds ? STR("PROVEN") : STR("FAILED"),
                  str_of(manifest), outcome->state == JOB_DONE ? str_of(why) : outcome->why,
                  now_ms);
}

int publication_proven(Db *db, int64_t contest, bool *ret_proven, Err *err)
{
    int64_t size = -1;
    uint64_t now = 0;
    int rc = db_ask(db, -1, &size, err,
                    "SELECT size FROM publication WHERE contest = ?1 AND state = 'PROVEN'", "i",
                    contest);

    if (rc == 0)
        rc = site_ledger_size(db, contest, &now, err);
    *ret_proven = rc == 0 && size == (int64_t)now;
    return rc;
}

int publication_why(Db *db, int64_t contest, Buf *ret_why, Err *err)
{
    return db_ask_text(db, ret_why, NULL, err, "SELECT why FROM publication WHERE contest = ?1",
                       "i", contest);
}

int publication_end(Db *db, int64_t contest, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf manifest = {0};
    int rc = db_ask_text(db, &manifest, NULL, err,
                         "SELECT manifest FROM publication WHERE contest = ?1"
                         " AND state = 'PROVEN'",
                         "i", contest);

    if (rc || !manifest.len)
        return rc;
    rc = db_run(db, err, "UPDATE publication SET state = 'PUBLISHED' WHERE contest = ?1", "i",
                contest);
    return rc ? rc
              : site_ledger_add_texts(db, contest, now_ms, "end", err, "manifest",
                                      buf_str(&manifest), NULL);
}

int publication_closing(Db *db, int64_t contest, bool *ret_closing, Err *err)
{
    int64_t closing = 0;
    int rc = db_ask(db, 0, &closing, err,
                    "SELECT 1 FROM publication WHERE contest = ?1"
                    " AND state IN ('PUBLISHED', 'CLOSING')",
                    "i", contest);

    *ret_closing = closing != 0;
    return rc;
}

int publication_close(Db *db, int64_t contest, RetryWaits *waits, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf failed = {0};
    char id[ID_ULID_BYTES];
    int64_t before = -1;
    uint64_t size = 0;
    int rc = db_ask(db, -1, &before, err,
                    "SELECT size FROM publication WHERE contest = ?1 AND state = 'PUBLISHED'", "i",
                    contest);

    if (rc == 0)
        rc = db_ask_text(db, &failed, NULL, err,
                         "SELECT job FROM publication WHERE contest = ?1 AND why IS NOT NULL", "i",
                         contest);
    if (rc == 0 && before >= 0 && failed.len && retry_waits(waits, buf_str(&failed), AGAIN_US))
        return 0;
    if (rc == 0 && before >= 0)
        rc = site_ledger_size(db, contest, &size, err);
    if (rc || before < 0 || before == (int64_t)size)
        return rc;
    rc = job_put(db, contest, "bundle", STR("{}"), now_ms, id, err);
    return rc ? rc
              : db_run(db, err,
                       "UPDATE publication SET job = ?2, state = 'CLOSING', at = ?3, why = NULL"
                       " WHERE contest = ?1",
                       "iti", contest, str_of(id), now_ms);
}
