#include "site/stage_job.h"

#include "base/key.h"
#include "site/lot.h"
#include "site/version_rules.h"

#include <stdlib.h>

/* ---- members ---- */

/* As the runner sees it, wherever that was started. */
static void put_base(const StageTurn *turn, Json *json)
{
    char *whole = turn->folder ? realpath(turn->folder, NULL) : NULL;

    json_add_str(json, "base", str_of(whole ? whole : turn->folder));
    free(whole); /* libc's */
}

static int put_terms(const StageTurn *turn, Json *json, Err *err)
{
    CLEANUP(version_terms_done) VersionTerms terms = {0};
    const CellLevel require = cell_level_is_strict(turn->require) ? turn->require : CELL_STRICT;
    int rc = version_rules_terms(turn->rules, require, &terms, err);

    if (rc)
        return rc;
    json_key(json, STR("terms"));
    version_terms_write(&terms, json);
    return 0;
}

static void put_agent(Json *json, const DbQuery *row, bool plays)
{
    const Str gone = db_text(row, 4);

    json_open(json, '{');
    json_add_str(json, "team", db_text(row, 0));
    if (plays) {
        json_add_str(json, "language", db_text(row, 1));
        json_add_str(json, "entry", db_text(row, 2));
        json_add_str(json, "tree", db_text(row, 3));
    }
    if (gone.len)
        json_add_str(json, "gone", gone);
    json_close(json);
}

/* Names, the version that is active, why somebody is gone, whether it was eliminated, whether it is
 * in the stage. */
static const char stage_agents[] =
    "SELECT t.name, COALESCE(v.language, ''), COALESCE(v.entry, ''), COALESCE(v.tree, ''),"
    " CASE t.state WHEN 'WITHDRAWN' THEN 'it has withdrawn' WHEN 'OUT' THEN 'it is out' ELSE '' "
    "END,"
    " CASE WHEN EXISTS(SELECT 1 FROM ruling r WHERE r.team = t.id AND r.contest = t.contest"
    " AND r.decision = 'eliminate' AND r.applied IS NOT NULL AND r.failed IS NULL"
    " AND (r.finding IS NULL OR r.id = (SELECT MAX(x.id) FROM ruling x"
    " WHERE x.finding = r.finding AND x.failed IS NULL))) THEN 1 ELSE 0 END,"
    " CASE WHEN ?2 = '' OR EXISTS(SELECT 1 FROM advance a WHERE a.contest = t.contest"
    " AND a.stage = ?2 AND a.team = t.id) THEN 1 ELSE 0 END"
    " FROM player p JOIN team t ON t.id = p.team LEFT JOIN version v ON v.team = t.id"
    " AND v.state = 'ACTIVE' WHERE p.contest = ?1 ORDER BY t.id";

/* `before`: the stage before it, whose best play; empty = none. */
static int put_agents(const StageTurn *turn, Str before, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->db, stage_agents, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    db_bind_text(query, 2, before);
    json_key(json, STR("agents"));
    json_open(json, '[');
    while ((rc = db_step(query, err)) > 0)
        put_agent(json, query,
                  !db_text(query, 4).len && !db_int(query, 5) && db_int(query, 6) &&
                      db_text(query, 3).len);
    json_close(json);
    return rc;
}

static void put_lot(Json *json, Str team, const DbQuery *row)
{
    const Str entry = db_blob(row, 1), opened = db_blob(row, 2);
    char hex[KEY_HEX_BYTES];
    Key key;

    if (entry.len != sizeof(key))
        return;
    json_open(json, '{');
    json_add_str(json, "team", team);
    memcpy(&key, entry.bytes, sizeof(key));
    key_to_hex(&key, hex);
    json_add_str(json, "entry", str_of(hex));
    if (opened.len == sizeof(key)) {
        memcpy(&key, opened.bytes, sizeof(key));
        key_to_hex(&key, hex);
        json_add_str(json, "lot", str_of(hex));
    }
    json_close(json);
}

/* Lots of all that were entered, also of teams that are gone: they were in the ledger before. */
static int put_lots(const StageTurn *turn, Str stage, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(db_query_freep) DbQuery *beacon = NULL;
    int rc = db_query(turn->db,
                      "SELECT t.name, l.value, l.opened FROM lot l JOIN team t ON t.id = l.team"
                      " WHERE t.contest = ?1 AND l.stage = ?2 ORDER BY t.name",
                      &query, err);

    if (rc == 0)
        rc = db_query(turn->db,
                      "SELECT COALESCE(beacon, '') FROM lottery WHERE contest = ?1 AND stage = ?2",
                      &beacon, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    db_bind_text(query, 2, stage);
    db_bind_int(beacon, 1, turn->contest->id);
    db_bind_text(beacon, 2, stage);
    json_key(json, STR("lots"));
    json_open(json, '[');
    while ((rc = db_step(query, err)) > 0)
        put_lot(json, db_text(query, 0), query);
    json_close(json);
    if (rc == 0)
        rc = db_step(beacon, err);
    if (rc > 0 && db_text(beacon, 0).len)
        json_add_str(json, "beacon", db_text(beacon, 0));
    return rc < 0 ? rc : 0;
}

/* ---- jobs ---- */

static int64_t stop_of(const StageTurn *turn, uint32_t stage)
{
    const int64_t date = contest_rules_stop(turn->rules, stage);

    return date == LIFE_NO_DATE ? 0 : date;
}

int stage_job_write(const StageTurn *turn, uint32_t stage, Buf *spec, Err *err)
{
    const Plan *plan = &turn->rules->plan;
    Json json = json_over(spec);

    json_open(&json, '{');
    json_add_str(&json, "stage", str_of(plan->stages[stage].name));
    json_add_uint(&json, "number", stage);
    json_add_str(&json, "folder", STR(STAGE_FOLDER));
    put_base(turn, &json);
    json_add_int(&json, "stop_at", stop_of(turn, stage));
    int rc = put_terms(turn, &json, err);
    if (rc == 0)
        rc = put_lots(turn, str_of(plan->stages[stage].name), &json, err);
    if (rc == 0)
        rc = put_agents(turn, stage ? str_of(plan->stages[stage - 1].name) : (Str){0}, &json, err);
    json_close(&json);
    if (rc == 0 && buf_failed(spec))
        rc = err_set(err, ERR_MEMORY, "stage: out of memory");
    return rc;
}

void stage_job_folder(uint32_t round, Buf *out)
{
    buf_printf(out, "testing/%06u", (unsigned)round);
}

static void put_parts(const SiteRules *rules, Json *json)
{
    json_key(json, STR("parts"));
    json_open(json, '[');
    for (uint32_t i = 0; i < rules->testing.part_count; i++)
        json_put_int(json, rules->testing.parts[i].players);
    json_close(json);
    json_key(json, STR("sets_each"));
    json_open(json, '[');
    for (uint32_t i = 0; i < rules->testing.part_count; i++)
        json_put_uint(json, rules->testing.parts[i].sets_each);
    json_close(json);
    json_add_str(json, "on_error", rules->testing.on_error ? STR("note") : STR("suspend"));
}

/* All who have an active version now; in REVISION the finalists. */
static int put_testers(const StageTurn *turn, Json *json, bool *ret_some, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->db,
                      "SELECT t.name, v.language, COALESCE(v.entry, ''), v.tree, '' FROM team t"
                      " JOIN version v ON v.team = t.id AND v.state = 'ACTIVE'"
                      " WHERE t.contest = ?1 AND t.state = 'IN' AND v.tree IS NOT NULL"
                      " AND (?2 = 0 OR t.finalist = 1) ORDER BY t.id",
                      &query, err);

    *ret_some = false;
    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    db_bind_int(query, 2, turn->contest->state == LIFE_REVISION);
    json_key(json, STR("agents"));
    json_open(json, '[');
    while ((rc = db_step(query, err)) > 0) {
        put_agent(json, query, true);
        *ret_some = true;
    }
    json_close(json);
    return rc;
}

int stage_job_write_testing(const StageTurn *turn, uint32_t round, Buf *spec, bool *ret_some,
                            Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    Json json = json_over(spec);

    stage_job_folder(round, &folder);
    json_open(&json, '{');
    json_add_str(&json, "stage", STR(SPOOL_STAGE_TRY));
    json_add_uint(&json, "round", round);
    json_add_str(&json, "folder", buf_str(&folder));
    put_base(turn, &json);
    put_parts(turn->rules, &json);
    int rc = put_terms(turn, &json, err);
    if (rc == 0)
        rc = put_testers(turn, &json, ret_some, err);
    json_close(&json);
    if (rc == 0 && (buf_failed(spec) || buf_failed(&folder)))
        rc = err_set(err, ERR_MEMORY, "testing: out of memory");
    return rc;
}
