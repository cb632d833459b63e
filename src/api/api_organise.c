/* An organiser's verbs over the API. docs/contest-api.md */
#include "api/api_handlers.h"
#include "api/api_rules.h"
#include "api/api_shared.h"
#include "api/api_team_json.h"
#include "base/mem.h"
#include "site/account.h"
#include "site/appeal.h"
#include "site/finding.h"
#include "site/job.h"
#include "site/role.h"
#include "site/ruling.h"
#include "site/stage.h"
#include "site/team.h"
#include "site/trail.h"
#include "site/version.h"
#include "store/db_row.h"

#define TRAIL_PAGE 100
#define JOBS_PAGE  200
#define DATES_MAX  16

/* ---- the contest's life ---- */

int api_state_ask(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf sentence = {0};
    Json json = json_over(&visit->out);
    LifeStep step;
    LifeState to;
    Str word, reason;
    int rc = api_body_need(visit, "to", &word, err);

    if (rc == 0)
        rc = api_body_text(visit, "reason", &reason, err);
    if (rc)
        return rc;
    if (!life_state_of(word, &to))
        return api_refuse(visit, REFUSE_FIELD, "to", "to: a state, as FROZEN");
    const ContestActor actor = api_actor(visit, reason);
    rc = site_clock_ask(visit->site->clock, visit->contest, to, &actor, &step, err);
    if (rc)
        return rc;
    life_sentence(&step, visit->now_ms, visit->japanese, &sentence);
    json_open(&json, '{');
    json_add_str(&json, "to", str_of(life_state_name(to)));
    json_add_str(&json, "sentence", buf_str(&sentence));
    json_close(&json);
    return 0;
}

int api_pause(ApiVisit *visit, Err *err)
{
    const json_t *value = visit->body ? json_get(visit->body, "paused") : NULL;
    bool paused = true;
    Str reason;
    int rc = api_body_text(visit, "reason", &reason, err);

    if (rc == 0 && (!value || !json_as_bool(value, &paused)))
        rc = api_refuse(visit, REFUSE_MISSING, "paused", NULL);
    const ContestActor actor = api_actor(visit, reason);
    return rc == 0 ? contest_set_paused(visit->site->db, visit->contest, paused, &actor, err) : rc;
}

/* What an organiser's file names the server would open as its own user: secrets of stages, files of
 * other contests. Before the text is read in earnest, for that opens them. */
static int check_places(ApiVisit *visit, Str text, Err *err)
{
    CLEANUP(contest_done) Contest contest = {0};
    int rc = 0;

    if (visit->relations & IS_ADMIN)
        return 0;
    rc = contest_get(visit->site->db, visit->contest, &contest, err);
    return rc ? rc : contest_rules_keep_places(buf_str(&contest.file), text, err);
}

int api_amend(ApiVisit *visit, Err *err)
{
    Str text, reason;
    Err why = {0};
    int rc = api_body_need(visit, "text", &text, err);

    if (rc == 0)
        rc = api_body_text(visit, "reason", &reason, err);
    if (rc)
        return rc;
    const ContestActor actor = api_actor(visit, reason);
    if (check_places(visit, text, &why) ||
        contest_amend(visit->site->db, visit->contest, text, visit->site->settings->folder, &actor,
                      &why)) {
        if (err)
            *err = why;
        return api_refuse_text(visit, &why);
    }
    return 0;
}

int api_dates(ApiVisit *visit, Err *err)
{
    ContestDate dates[DATES_MAX];
    size_t count = 0;
    Str reason;
    int rc = api_body_text(visit, "reason", &reason, err);

    if (rc)
        return rc;
    for (void *member = visit->body ? json_member(visit->body, NULL) : NULL;
         member && count < DATES_MAX; member = json_member(visit->body, member)) {
        Str key = str_of(json_member_key(member));
        if (str_eq(key, STR("reason")))
            continue;
        dates[count].key = key;
        if (!json_as_str(json_member_value(member), &dates[count].value))
            return api_refuse(visit, REFUSE_FIELD, json_member_key(member), NULL);
        count++;
    }
    const ContestActor actor = api_actor(visit, reason);
    return contest_amend_dates(visit->site->db, visit->contest, dates, count,
                               visit->site->settings->folder, &actor, err);
}

int api_announce(ApiVisit *visit, Err *err)
{
    const json_t *text = visit->body ? json_get(visit->body, "text") : NULL;

    if (!text || !json_is_map(text) || !json_text(text, "en").len)
        return api_refuse(visit, REFUSE_MISSING, "text", NULL);
    const ContestActor actor = api_actor(visit, (Str){"", 0});
    return contest_announce(visit->site->db, visit->contest, json_text(text, "en"),
                            json_text(text, "ja"), &actor, err);
}

/* A testing round now, whatever the times of the file. */
int api_rounds(ApiVisit *visit, Err *err)
{
    CLEANUP(contest_done) Contest contest = {0};
    Json json = json_over(&visit->out);
    const SiteRules *rules;
    uint32_t round = 0;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = contest_get(visit->site->db, visit->contest, &contest, err);
    if (rc)
        return rc;
    if (visit->state != LIFE_OPEN && visit->state != LIFE_REVISION)
        return api_refuse(visit, REFUSE_RULE, NULL,
                          "testing rounds are played while versions are taken");
    const StageTurn turn = {.db = visit->site->db,
                            .data = visit->site->settings->data,
                            .folder = visit->site->settings->folder,
                            .contest = &contest,
                            .rules = rules,
                            .spool = visit->site->spool,
                            .require = visit->site->settings->cell_require,
                            .now_ms = visit->now_ms};
    rc = testing_begin(&turn, &round, err);
    if (rc == 0 && round == 0)
        rc = api_refuse(visit, REFUSE_RULE, NULL,
                        "a round is under way already, or no team has an active version");
    if (rc)
        return rc;
    visit->status = 201;
    json_open(&json, '{');
    json_add_uint(&json, "round", round);
    json_close(&json);
    return 0;
}

/* ---- rulings ---- */

static int close_appeal(ApiVisit *visit, int64_t appeal, Str decision, Str reason, Err *err)
{
    bool grant = str_eq(decision, STR("grant")), set = str_eq(decision, STR("grant-set"));
    int64_t contest = 0, team = 0;
    int rc = appeal_owner(visit->site->db, appeal, &contest, &team, err);

    if (rc == 0 && contest != visit->contest)
        rc = api_refuse(visit, REFUSE_NOT_FOUND, "appeal", NULL);
    if (rc == 0 && !grant && !set && !str_eq(decision, STR("dismiss")))
        rc = api_refuse(visit, REFUSE_FIELD, "decision", "decision: grant, grant-set or dismiss");
    return rc == 0 ? appeal_close(visit->site->db, appeal, grant || set, set, reason,
                                  visit->account, visit->now_ms, err)
                   : rc;
}

static int rule_finding(ApiVisit *visit, int64_t finding, Str decision, Str reason, Err *err)
{
    RulingDecision what = ruling_of(decision);
    int64_t contest = 0, team = 0;
    int rc = finding_owner(visit->site->db, finding, &contest, &team, err);

    if (rc == 0 && contest != visit->contest)
        rc = api_refuse(visit, REFUSE_NOT_FOUND, "finding", NULL);
    if (rc == 0 && what == RULING_COUNT)
        rc = api_refuse(visit, REFUSE_FIELD, "decision", "decision: dismiss, warn or eliminate");
    return rc == 0 ? finding_rule(visit->site->db, finding, 0, what, reason, visit->account,
                                  visit->now_ms, err)
                   : rc;
}

static int rule_version(ApiVisit *visit, int64_t id, Str decision, Str reason, Err *err)
{
    CLEANUP(version_done) Version version = {0};
    int rc = version_find(visit->site->db, id, &version, err);

    if (rc == 0 && version.contest != visit->contest)
        rc = api_refuse(visit, REFUSE_NOT_FOUND, "version", NULL);
    if (rc)
        return rc;
    if (str_eq(decision, STR("suspend")))
        return version_suspend(visit->site->db, id, reason, err);
    if (str_eq(decision, STR("restore")))
        return version_activate(visit->site->db, id, true, err);
    return api_refuse(visit, REFUSE_FIELD, "decision", "decision: suspend or restore");
}

/* An id of the body: a text of digits, as all ids are. 0 when it is missing. */
static int64_t body_id(const ApiVisit *visit, const char *key)
{
    const json_t *value = visit->body ? json_get(visit->body, key) : NULL;
    Str text;
    int64_t id = 0;

    return value && json_as_str(value, &text) && str_to_int(text, 1, INT64_MAX, &id) ? id : 0;
}

/* One that its journal can't have. */
static int close_ruling(ApiVisit *visit, int64_t ruling, Str decision, Str reason, Err *err)
{
    if (!str_eq(decision, STR("close")))
        return api_refuse(visit, REFUSE_FIELD, "decision", "decision: close");
    buf_printf(&visit->detail, "close: %.*s", STR_ARG(reason));
    return ruling_close(visit->site->db, visit->contest, ruling, reason, visit->now_ms, err);
}

int api_rule(ApiVisit *visit, Err *err)
{
    Str decision, reason;
    int rc = api_body_need(visit, "decision", &decision, err);

    if (rc == 0)
        rc = api_body_need(visit, "reason", &reason, err);
    if (rc)
        return rc;
    if (body_id(visit, "finding"))
        return rule_finding(visit, body_id(visit, "finding"), decision, reason, err);
    if (body_id(visit, "appeal"))
        return close_appeal(visit, body_id(visit, "appeal"), decision, reason, err);
    if (body_id(visit, "ruling"))
        return close_ruling(visit, body_id(visit, "ruling"), decision, reason, err);
    if (body_id(visit, "version"))
        return rule_version(visit, body_id(visit, "version"), decision, reason, err);
    return api_refuse(visit, REFUSE_MISSING, "finding", NULL);
}

int api_findings_list(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);

    json_open(&json, '{');
    json_key(&json, STR("items"));
    int rc = findings_write(visit->site->db, visit->contest, visit->team, &json, err);
    if (rc == 0 && !visit->team) {
        json_key(&json, STR("failed"));
        rc = rulings_write_failed(visit->site->db, visit->contest, &json, err);
    }
    json_close(&json);
    return rc;
}

int api_appeals_list(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);

    json_open(&json, '{');
    json_key(&json, STR("items"));
    int rc = appeals_write(visit->site->db, visit->contest, visit->team, &json, err);
    json_close(&json);
    return rc;
}

/* ---- what teams say to it ---- */

int api_finding_answer(ApiVisit *visit, Err *err)
{
    Str text;
    int rc = api_body_need(visit, "text", &text, err);

    return rc == 0 ? finding_answer(visit->site->db, visit->object, text, visit->now_ms, err) : rc;
}

int api_appeal_make(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);
    int64_t id = 0;
    Str about, text;
    int rc = api_body_need(visit, "about", &about, err);

    if (rc == 0)
        rc = api_body_need(visit, "text", &text, err);
    if (rc == 0 && appeal_about_of(about) == APPEAL_ABOUTS)
        rc = api_refuse(visit, REFUSE_FIELD, "about", "about: finding, game or rank");
    if (rc == 0)
        rc = appeal_make(visit->site->db, visit->team, appeal_about_of(about),
                         body_id(visit, "object"), text, visit->now_ms, &id, err);
    if (rc)
        return rc;
    visit->status = 201;
    json_open(&json, '{');
    api_add_id(&json, "id", id);
    json_close(&json);
    return 0;
}

/* ---- teams ---- */

static int decide_team(ApiVisit *visit, TeamState to, Err *err)
{
    bool changed = false;
    int rc = team_move(visit->site->db, visit->team, TEAM_WAITING, to, &changed, err);

    if (rc == 0 && !changed)
        rc = api_refuse(visit, REFUSE_RULE, NULL, "the team does not wait to be approved");
    return rc == 0 && to == TEAM_IN ? api_team_enter(visit, "team", visit->team, err) : rc;
}

int api_team_approve(ApiVisit *visit, Err *err)
{
    return decide_team(visit, TEAM_IN, err);
}

int api_team_refuse(ApiVisit *visit, Err *err)
{
    return decide_team(visit, TEAM_OUT, err);
}

/* ---- roles ---- */

int api_roles_list(ApiVisit *visit, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Json json = json_over(&visit->out);
    int rc =
        db_query_with(visit->site->db, &query, err,
                      "SELECT account.login, account.name, role.role FROM role JOIN account ON "
                      "account.id = role.account WHERE role.contest = ?1 ORDER BY role.role, "
                      "account.login",
                      "i", visit->contest);

    json_open(&json, '{');
    json_key(&json, STR("items"));
    json_open(&json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        json_open(&json, '{');
        json_add_str(&json, "login", db_text(query, 0));
        json_add_str(&json, "name", db_text(query, 1));
        json_add_str(&json, "role", db_text(query, 2));
        json_close(&json);
    }
    json_close(&json);
    json_close(&json);
    return rc;
}

static int read_role(ApiVisit *visit, SiteRole *ret_role, Err *err)
{
    Str word;
    int rc = api_body_need(visit, "role", &word, err);

    if (rc)
        return rc;
    *ret_role = site_role_of(word);
    if (*ret_role != ROLE_ORGANISER && *ret_role != ROLE_JUDGE)
        return api_refuse(visit, REFUSE_FIELD, "role", "role: organiser or judge");
    return 0;
}

static int find_login(ApiVisit *visit, Str login, int64_t *ret_id, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    int rc = account_find(visit->site->db, login, &account, err);

    if (rc == 0 && !account.id)
        rc = api_refuse(visit, REFUSE_FIELD, "login", "login: there is no such account");
    *ret_id = account.id;
    return rc;
}

/* For somebody without an account yet. */
static int invite_to_role(ApiVisit *visit, SiteRole role, Err *err)
{
    CLEANUP(buf_done) Buf data = {0};
    CLEANUP(buf_done) Buf link = {0};
    Json json = json_over(&visit->out);
    char secret[SECRET_TEXT_BYTES];

    buf_printf(&data, "%s %lld by %lld", site_role_name(role), (long long)visit->contest,
               (long long)visit->account);
    int rc = once_make(visit->site->db, ONCE_INVITE, ACCOUNT_NONE, buf_str(&data), visit->now_ms,
                       secret, err);
    if (rc)
        return rc;
    buf_printf(&link, "%.*s/invite/%s", STR_ARG(visit->site->settings->public_url), secret);
    visit->status = 201;
    json_open(&json, '{');
    json_add_str(&json, "link", buf_str(&link));
    json_close(&json);
    return 0;
}

int api_roles_give(ApiVisit *visit, Err *err)
{
    SiteRole role;
    Str login;
    int64_t account = ACCOUNT_NONE;
    int rc = read_role(visit, &role, err);

    if (rc == 0)
        rc = api_body_text(visit, "login", &login, err);
    if (rc == 0 && !login.len)
        return invite_to_role(visit, role, err);
    if (rc == 0)
        rc = find_login(visit, login, &account, err);
    if (rc)
        return rc;
    buf_printf(&visit->detail, "%s to account %lld", site_role_name(role), (long long)account);
    return site_role_give(visit->site->db, account, visit->contest, role, err);
}

int api_roles_take(ApiVisit *visit, Err *err)
{
    SiteRole role;
    Str login;
    int64_t account = ACCOUNT_NONE;
    int rc = read_role(visit, &role, err);

    if (rc == 0)
        rc = api_body_need(visit, "login", &login, err);
    if (rc == 0)
        rc = find_login(visit, login, &account, err);
    if (rc)
        return rc;
    buf_printf(&visit->detail, "%s from account %lld", site_role_name(role), (long long)account);
    return site_role_take(visit->site->db, account, visit->contest, role, err);
}

/* ---- jobs and trail ---- */

static int write_job(void *user, const JobRow *row, Err *err)
{
    Json *json = user;
    json_t *result = NULL, *spec = NULL;

    (void)err;
    if (row->result.len)
        json_read(buf_str(&row->result), SPOOL_RESULT_MAX, &result, NULL);
    json_read(buf_str(&row->spec), SPOOL_RESULT_MAX, &spec, NULL);
    json_open(json, '{');
    json_add_str(json, "id", buf_str(&row->id));
    json_add_str(json, "kind", buf_str(&row->kind));
    json_add_str(json, "state", str_of(job_state_name(row->state)));
    if (spec)
        api_add_some(json, "stage", json_text(spec, "stage"));
    api_add_date(json, "created", row->created_ms);
    api_add_date(json, "ended", row->ended_ms);
    if (result)
        api_add_some(json, "why", json_text(result, "why"));
    json_close(json);
    json_done(result);
    json_done(spec);
    return 0;
}

int api_jobs_list(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);

    json_open(&json, '{');
    json_key(&json, STR("items"));
    json_open(&json, '[');
    int rc = job_each(visit->site->db, visit->contest, JOBS_PAGE, write_job, &json, err);
    json_close(&json);
    json_close(&json);
    return rc;
}

static int check_job(ApiVisit *visit, Err *err)
{
    CLEANUP(job_row_done) JobRow row = {0};
    int rc = job_find(visit->site->db, visit->words[1], &row, err);

    if (rc == 0 && (!row.id.len || row.contest != visit->contest))
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    return rc;
}

int api_job_stop(ApiVisit *visit, Err *err)
{
    int rc = check_job(visit, err);

    return rc == 0 ? job_stop(visit->site->db, visit->site->spool, visit->words[1], err) : rc;
}

int api_job_retry(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);
    char id[ID_ULID_BYTES];
    int rc = check_job(visit, err);

    if (rc == 0)
        rc = job_retry(visit->site->db, visit->words[1], visit->now_ms, id, err);
    if (rc)
        return rc;
    visit->status = 201;
    json_open(&json, '{');
    json_add_str(&json, "id", str_of(id));
    json_close(&json);
    return 0;
}

int api_trail(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);
    int64_t last = 0;

    json_open(&json, '{');
    json_key(&json, STR("items"));
    int rc = trail_write(visit->site->db, visit->contest, api_query_number(visit, "cursor", 0),
                         TRAIL_PAGE, api_may(visit, VERB_SEE_TRAIL), &json, &last, err);
    if (last > 0)
        api_add_id(&json, "next", last);
    json_close(&json);
    return rc;
}
