/* Sheets of judges over the API. docs/contest-api.md */
#include "api/api_handlers.h"
#include "api/api_rules.h"
#include "base/mem.h"
#include "disk/log_file.h"
#include "judging/judging_store.h"
#include "judging/scores_public.h"
#include "judging/sheet_csv.h"
#include "wire/json_read.h"

#define SCORES_BYTES ((size_t)16 * 1024 * 1024)

static SheetScale scale_of(const SiteRules *rules)
{
    return rules->evaluation.scale == SCALE_SCORE ? SHEET_SCORES : SHEET_RANKS;
}

static int home_path(const ApiVisit *visit, Buf *path, Err *err)
{
    const ContestHome home = api_home(visit);

    return contest_home_path(&home, "", path, err);
}

int api_sheets_list(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);

    json_open(&json, '{');
    json_key(&json, STR("items"));
    json_open(&json, '[');
    int rc = sheet_list_write(visit->site->db, visit->contest, visit->account, &json, err);
    json_close(&json);
    json_close(&json);
    return rc;
}

/* What was filled in on paper or in a form: {"csv":"..."}. */
int api_sheets_read(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf home = {0};
    Json json = json_over(&visit->out);
    const SiteRules *rules;
    uint32_t taken = 0;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = home_path(visit, &home, err);
    if (rc == 0)
        rc = sheet_csv_read(visit->site->db, visit->contest, buf_cstr(&home), scale_of(rules),
                            visit->body ? json_text(visit->body, "csv") : (Str){"", 0},
                            visit->now_ms, &taken, err);
    if (rc)
        return rc;
    json_open(&json, '{');
    json_add_uint(&json, "taken", taken);
    json_close(&json);
    return 0;
}

int api_sheet_see(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf home = {0};
    Json json = json_over(&visit->out);
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = home_path(visit, &home, err);
    if (rc)
        return rc;
    json_open(&json, '{');
    rc = sheet_write(visit->site->db, visit->object, buf_cstr(&home), scale_of(rules),
                     visit->japanese, &json, err);
    json_close(&json);
    return rc;
}

int api_sheet_rate(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf home = {0};
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = home_path(visit, &home, err);
    if (rc)
        return rc;
    return sheet_rate(visit->site->db, visit->object, buf_cstr(&home), scale_of(rules),
                      visit->request ? visit->request->body : (Str){"", 0}, visit->now_ms, err);
}

int api_sheet_submit(ApiVisit *visit, Err *err)
{
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    return rc == 0
               ? sheet_submit(visit->site->db, visit->object, scale_of(rules), visit->now_ms, err)
               : rc;
}

/* When judging is over, as the ranking that it is part of. The file whose digest the ledger has
 * comes with the bundle, and says where models run. */
int api_scores(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf scores = {0};
    const ContestHome home = api_home(visit);
    int rc = contest_home_path(&home, "judging/scores.json", &path, err);

    if (rc)
        return rc;
    if (visit->state != LIFE_APPEALS && !api_is_published(visit))
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    if (log_file_read(buf_cstr(&path), SCORES_BYTES, &scores, NULL))
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    scores_public(buf_str(&scores), &visit->out);
    return buf_failed(&visit->out) ? err_set(err, ERR_MEMORY, "scores: out of memory") : 0;
}
