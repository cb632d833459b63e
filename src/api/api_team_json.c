#include "api/api_team_json.h"

#include "api/api_track_json.h"
#include "archive/remark.h"
#include "base/mem.h"
#include "site/appeal.h"
#include "site/document.h"
#include "site/finding.h"
#include "site/notice.h"
#include "store/db_row.h"

#define NOTICES 50

void api_version_put(const Version *version, Json *json)
{
    json_open(json, '{');
    api_add_id(json, "id", version->id);
    json_add_int(json, "number", version->number);
    json_add_str(json, "language", buf_str(&version->language));
    json_add_str(json, "entry", buf_str(&version->entry));
    json_add_str(json, "note", buf_str(&version->note));
    json_add_int(json, "bytes", version->bytes);
    api_add_some(json, "sha256", buf_str(&version->blob));
    api_add_some(json, "tree", buf_str(&version->tree));
    json_add_str(json, "state", str_of(version_state_name(version->state)));
    if (version->why.len)
        remark_add(json, "why", buf_str(&version->why));
    api_add_date(json, "at", version->at);
    json_close(json);
}

/* ---- the parts of a team ---- */

static int write_members(ApiVisit *visit, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(visit->site->db, &query, err,
                           "SELECT account.id, account.name, account.login, member.captain FROM "
                           "member JOIN account ON account.id = member.account WHERE member.team = "
                           "?1 ORDER BY account.id",
                           "i", visit->team);

    json_key(json, STR("members"));
    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        json_open(json, '{');
        api_add_id(json, "id", db_int(query, 0));
        json_add_str(json, "name", db_text(query, 1).len ? db_text(query, 1) : db_text(query, 2));
        json_add_bool(json, "captain", db_int(query, 3) != 0);
        json_close(json);
    }
    json_close(json);
    return rc;
}

static int write_version(void *user, const Version *version, Err *err)
{
    (void)err;
    api_version_put(version, user);
    return 0;
}

static void write_hex(Json *json, const char *key, Str bytes)
{
    CLEANUP(buf_done) Buf hex = {0};

    for (size_t i = 0; i < bytes.len; i++)
        buf_printf(&hex, "%02x", (unsigned)(unsigned char)bytes.bytes[i]);
    json_add_str(json, key, buf_str(&hex));
}

static int write_lots(ApiVisit *visit, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(visit->site->db, &query, err,
                           "SELECT stage, value, opened FROM lot WHERE team = ?1 ORDER BY stage",
                           "i", visit->team);

    json_key(json, STR("lots"));
    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        json_open(json, '{');
        json_add_str(json, "stage", db_text(query, 0));
        write_hex(json, "entry", db_blob(query, 1));
        json_add_bool(json, "opened", !db_is_null(query, 2));
        json_close(json);
    }
    json_close(json);
    return rc;
}

/* What an organiser is not told: where the team's webhook is. */
static int write_row(ApiVisit *visit, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(
        visit->site->db, &query, err,
        "SELECT name, state, affiliation, consent, webhook, quiet, finalist FROM team "
        "WHERE id = ?1",
        "i", visit->team);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    json_add_str(json, "name", db_text(query, 0));
    json_add_str(json, "state", db_text(query, 1));
    json_add_str(json, "affiliation", db_text(query, 2));
    json_key(json, STR("consent"));
    json_put_raw(json, db_text(query, 3).len ? db_text(query, 3) : STR("{}"));
    if (visit->relations & IS_MEMBER)
        api_add_some(json, "webhook", db_text(query, 4));
    json_add_str(json, "quiet", db_text(query, 5));
    json_add_bool(json, "finalist", db_int(query, 6) == 1);
    return 0;
}

int api_team_write(ApiVisit *visit, const SiteRules *rules, Err *err)
{
    Json json = json_over(&visit->out);
    Db *db = visit->site->db;

    json_open(&json, '{');
    int rc = write_row(visit, &json, err);
    if (rc == 0)
        rc = write_members(visit, &json, err);
    json_key(&json, STR("versions"));
    json_open(&json, '[');
    if (rc == 0)
        rc = version_each(db, visit->team, write_version, &json, err);
    json_close(&json);
    json_key(&json, STR("documents"));
    if (rc == 0)
        rc = documents_write(db, visit->team, &json, err);
    if (rc == 0)
        rc = write_lots(visit, &json, err);
    if (rc == 0)
        rc = api_track_put_team(visit, rules, &json, err);
    json_key(&json, STR("findings"));
    if (rc == 0)
        rc = findings_write(db, visit->contest, visit->team, &json, err);
    json_key(&json, STR("appeals"));
    if (rc == 0)
        rc = appeals_write(db, visit->contest, visit->team, &json, err);
    json_key(&json, STR("notices"));
    if (rc == 0)
        rc = notice_write(db, visit->team, 0, NOTICES, visit->japanese, &json, err);
    json_close(&json);
    return rc;
}
