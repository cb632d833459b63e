/* Versions and documents over the API: handed in, seen, chosen. docs/contest-api.md */
#include "api/api_handlers.h"
#include "api/api_team_json.h"
#include "api/api_upload.h"
#include "base/mem.h"
#include "site/document.h"
#include "site/version_jobs.h"
#include "store/db_row.h"

/* ---- handing in ---- */

static int write_version(ApiVisit *visit, int64_t id, Err *err)
{
    CLEANUP(version_done) Version version = {0};
    Json json = json_over(&visit->out);
    int rc = version_find(visit->site->db, id, &version, err);

    if (rc == 0)
        api_version_put(&version, &json);
    return rc;
}

int api_version_make(ApiVisit *visit, Err *err)
{
    char languages[VERSION_LANGUAGES_BYTES];
    VersionRules rules;
    const SiteRules *file = NULL;
    VersionSetup setup = {.team = visit->team, .account = visit->account};
    int64_t id, number, finalist = 0;
    int rc = 0;

    if (visit->account == ACCOUNT_NONE) /* the socket's admin is no member who could have sent it */
        return api_refuse(visit, REFUSE_LOGIN, NULL, NULL);
    rc = api_rules_of(visit, &file, err);
    if (rc == 0)
        rc = api_body_need(visit, "language", &setup.language, err);
    if (rc == 0)
        rc = api_body_text(visit, "entry", &setup.entry, err);
    if (rc == 0)
        rc = api_body_text(visit, "note", &setup.note, err);
    if (rc == 0)
        rc = db_ask(visit->site->db, 0, &finalist, err, "SELECT finalist FROM team WHERE id = ?1",
                    "i", visit->team);
    if (rc)
        return rc;
    version_rules_submit(file, languages, &rules);
    setup.finalist = finalist != 0;
    rc = version_receive(visit->site->db, &setup, &rules, visit->now_ms, &id, &number, err);
    visit->status = 201;
    return rc == 0 ? write_version(visit, id, err) : rc;
}

static int take_version_file(ApiVisit *visit, Err *err)
{
    VersionFile file = {.id = visit->object,
                        .sha256 = str_of(visit->upload.sha256),
                        .bytes = visit->upload.bytes,
                        .require = visit->site->settings->cell_require};
    int rc = api_rules_of(visit, &file.rules, err);

    if (rc == 0)
        rc = version_take_file(visit->site->db, &file, visit->now_ms, &visit->drops, err);
    return rc == 0 ? write_version(visit, visit->object, err) : rc;
}

int api_version_file(ApiVisit *visit, Err *err)
{
    CLEANUP(version_done) Version version = {0};
    const SiteRules *file;
    int rc = api_rules_of(visit, &file, err);

    if (rc == 0)
        rc = version_find(visit->site->db, visit->object, &version, err);
    if (rc == 0 && (version.blob.len || version.state != VERSION_RECEIVED))
        rc = api_refuse(visit, REFUSE_RULE, "file", "this version has its file already");
    return rc == 0
               ? api_upload_take(visit, (uint64_t)file->submit.file_bytes, take_version_file, err)
               : rc;
}

/* ---- seeing and choosing ---- */

int api_version_see(ApiVisit *visit, Err *err)
{
    return write_version(visit, visit->object, err);
}

int api_version_report(ApiVisit *visit, Err *err)
{
    CLEANUP(version_done) Version version = {0};
    int rc = version_find(visit->site->db, visit->object, &version, err);

    if (rc == 0 && !version.report.len)
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    if (rc == 0)
        buf_add(&visit->out, buf_str(&version.report));
    return rc;
}

int api_version_activate(ApiVisit *visit, Err *err)
{
    int rc = version_activate(visit->site->db, visit->object, false, err);

    return rc == 0 ? write_version(visit, visit->object, err) : rc;
}

/* ---- documents ---- */

static int take_document(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf media = {0};
    CLEANUP(buf_done) Buf licence = {0};
    Json json = json_over(&visit->out);
    int64_t number;
    const DocumentSetup setup = {.team = visit->team,
                                 .kind = document_kind_of(visit->words[2]),
                                 .blob = str_of(visit->upload.sha256),
                                 .media = api_query(visit, "media", &media),
                                 .licence = api_query(visit, "licence", &licence),
                                 .bytes = (int64_t)visit->upload.bytes};
    int rc = document_put(visit->site->db, &setup, visit->now_ms, &number, &visit->drops, err);

    if (rc)
        return rc;
    json_open(&json, '{');
    json_add_str(&json, "kind", visit->words[2]);
    json_add_int(&json, "number", number);
    json_add_str(&json, "sha256", str_of(visit->upload.sha256));
    json_add_uint(&json, "bytes", visit->upload.bytes);
    json_close(&json);
    return 0;
}

int api_document_file(ApiVisit *visit, Err *err)
{
    const SiteRules *file;
    DocumentKind kind = document_kind_of(visit->words[2]);
    int rc = api_rules_of(visit, &file, err);

    if (rc)
        return rc;
    if (kind == DOCUMENT_KINDS)
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    int64_t limit =
        kind == DOCUMENT_DESCRIPTION ? DOCUMENT_DESCRIPTION_BYTES : file->submit.file_bytes;
    return api_upload_take(visit, (uint64_t)limit, take_document, err);
}
