/* Contests over the API: listed, seen, made; their teams, standings and games. docs/contest-api.md
 */
#include "api/api_handlers.h"
#include "api/api_rules.h"
#include "api/api_shared.h"
#include "base/mem.h"
#include "site/contest.h"
#include "site/table.h"
#include "site/team.h"
#include "store/db_row.h"

static const char *const language_names[SUBMIT_LANGUAGES] = {
    [SUBMIT_JAVA] = "java",
    [SUBMIT_DOTNET] = "dotnet",
    [SUBMIT_PYTHON] = "python",
    [SUBMIT_NATIVE] = "native",
};

/* ---- what all see ---- */

static void write_dates(const SiteRules *rules, Json *json)
{
    json_add_str(json, "zone", str_of(rules->zone_name));
    json_key(json, STR("dates"));
    json_open(json, '{');
    for (size_t i = 0; contest_date_keys[i]; i++) {
        const int64_t *date = contest_rules_date(rules, str_of(contest_date_keys[i]));
        if (date && *date != LIFE_NO_DATE)
            api_add_date(json, contest_date_keys[i], *date);
    }
    json_close(json);
}

static void write_head(const SiteRules *rules, Str name, LifeState state, bool paused, Json *json)
{
    json_add_str(json, "name", name);
    json_key(json, STR("title"));
    json_open(json, '{');
    json_add_str(json, "en", str_of(rules->title[0]));
    json_add_str(json, "ja", str_of(rules->title[1]));
    json_close(json);
    json_add_str(json, "division", str_of(api_rules_division(rules)));
    json_add_str(json, "state", str_of(life_state_name(state)));
    json_add_bool(json, "paused", paused);
    write_dates(rules, json);
}

static int write_team_count(Db *db, int64_t contest, Json *json, Err *err)
{
    int64_t teams = 0;
    int rc = db_ask(db, 0, &teams, err,
                    "SELECT count(*) FROM team WHERE contest = ?1 AND state <> 'WITHDRAWN'", "i",
                    contest);

    json_add_int(json, "teams", teams);
    return rc;
}

typedef struct ContestListing {
    ApiVisit *visit;
    Json *json;
} ContestListing;

static int write_listed(void *user, const Contest *contest, Err *err)
{
    ContestListing *listing = user;
    ApiVisit *visit = listing->visit;
    const SiteRules *rules;
    int64_t organises = 0;
    int rc = 0;

    if (contest->state == LIFE_DRAFT && !(visit->relations & IS_ADMIN))
        rc = db_ask(visit->site->db, 0, &organises, err,
                    "SELECT 1 FROM role WHERE account = ?1 AND contest = ?2 AND role = 'organiser'",
                    "ii", visit->account, contest->id);
    if (rc || (contest->state == LIFE_DRAFT && !(visit->relations & IS_ADMIN) && !organises))
        return rc;
    if (api_rules_get(visit->site, contest->id, &rules, NULL))
        return 0; /* one that can't be read any more is its organisers' business */
    json_open(listing->json, '{');
    write_head(rules, buf_str(&contest->name), contest->state, contest->paused, listing->json);
    rc = write_team_count(visit->site->db, contest->id, listing->json, err);
    json_close(listing->json);
    return rc;
}

int api_contests_list(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);
    ContestListing listing = {visit, &json};

    json_open(&json, '{');
    json_key(&json, STR("items"));
    json_open(&json, '[');
    int rc = contest_each(visit->site->db, write_listed, &listing, err);
    json_close(&json);
    json_close(&json);
    return rc;
}

/* ---- one contest ---- */

static void write_register(const SiteRules *rules, Json *json)
{
    json_key(json, STR("register"));
    json_open(json, '{');
    json_add_bool(json, "approve", rules->registration.approve);
    json_add_uint(json, "members", rules->registration.members);
    json_key(json, STR("fields"));
    json_open(json, '[');
    for (uint32_t i = 0; i < rules->registration.field_count; i++)
        json_put_str(json, str_of(rules->registration.fields[i]));
    json_close(json);
    json_key(json, STR("public"));
    json_open(json, '[');
    for (uint32_t i = 0; i < rules->registration.field_count; i++)
        if (rules->registration.field_public[i])
            json_put_str(json, str_of(rules->registration.fields[i]));
    json_close(json);
    json_close(json);
}

static void write_submit(const SiteRules *rules, Json *json)
{
    json_key(json, STR("submit"));
    json_open(json, '{');
    json_key(json, STR("languages"));
    json_open(json, '[');
    for (unsigned i = 0; i < SUBMIT_LANGUAGES; i++)
        if (rules->submit.languages & 1U << i)
            json_put_str(json, str_of(language_names[i]));
    json_close(json);
    json_add_int(json, "file_bytes", rules->submit.file_bytes);
    json_add_int(json, "tree_bytes", rules->submit.tree_bytes);
    json_add_uint(json, "entries", rules->submit.entries);
    json_add_uint(json, "versions_per_day", rules->submit.versions_per_day);
    json_add_uint(json, "keep", rules->submit.keep);
    json_close(json);
}

static void write_part(int32_t players, Json *json)
{
    json_open(json, '{');
    json_add_int(json, "players", players);
    json_close(json);
}

static void write_stages(const SiteRules *rules, Json *json)
{
    json_key(json, STR("stages"));
    json_open(json, '[');
    for (uint32_t i = 0; i < rules->plan.stage_count; i++) {
        const PlanStage *stage = &rules->plan.stages[i];
        json_open(json, '{');
        json_add_str(json, "name", str_of(stage->name));
        json_key(json, STR("parts"));
        json_open(json, '[');
        write_part(stage->players, json);
        for (size_t part = 0; part < PLAN_SIZES_MAX - 1 && stage->more_players[part]; part++)
            write_part(stage->more_players[part], json);
        json_close(json);
        json_add_uint(json, "min_games", stage->min_games);
        json_add_uint(json, "advance", stage->advance);
        json_key(json, STR("require"));
        json_open(json, '[');
        if (rules->require[i] & REQUIRE_SOURCE)
            json_put_str(json, STR("source"));
        if (rules->require[i] & REQUIRE_DESCRIPTION)
            json_put_str(json, STR("description"));
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void write_tracks(const SiteRules *rules, Json *json)
{
    json_key(json, STR("tracks"));
    json_open(json, '[');
    for (uint32_t i = 0; i < rules->track_count; i++) {
        json_open(json, '{');
        json_add_str(json, "name", str_of(rules->tracks[i].name));
        json_add_uint(json, "self_matches", rules->tracks[i].self_matches);
        json_close(json);
    }
    json_close(json);
    json_key(json, STR("windows"));
    json_open(json, '[');
    for (uint32_t i = 0; i < rules->window_count; i++) {
        json_open(json, '{');
        json_add_str(json, "track", str_of(rules->tracks[rules->windows[i].track].name));
        api_add_date(json, "from", rules->windows[i].from_ms);
        api_add_date(json, "to", rules->windows[i].to_ms);
        json_close(json);
    }
    json_close(json);
}

static void write_publish(const SiteRules *rules, Json *json)
{
    static const char *const logs[] = {"own", "all", "none"};
    static const char *const live[] = {"none", "standings", "games"};

    json_key(json, STR("publish"));
    json_open(json, '{');
    json_add_str(json, "logs", str_of(logs[rules->publish.logs]));
    json_add_str(json, "live", str_of(live[rules->publish.live]));
    json_add_uint(json, "delay_games", rules->publish.delay_games);
    json_close(json);
}

/* Where it stands and what it waits for, in both languages. */
static int write_sentence(ApiVisit *visit, const Contest *contest, Json *json, Err *err)
{
    Buf sentences[2] = {{0}, {0}};
    LifeStep step;
    LifeFacts facts;
    int rc = site_clock_look(visit->site->clock, contest, visit->now_ms, &step, &facts, err);

    if (rc)
        return rc;
    json_key(json, STR("sentence"));
    json_open(json, '{');
    for (int i = 0; i < 2; i++) {
        life_sentence(&step, visit->now_ms, i == 1, &sentences[i]);
        json_add_str(json, i ? "ja" : "en", buf_str(&sentences[i]));
        buf_done(&sentences[i]);
    }
    json_close(json);
    json_key(json, STR("next"));
    if (step.to != step.from)
        json_put_str(json, str_of(life_state_name(step.to)));
    else
        json_put_null(json);
    return 0;
}

static int write_me(ApiVisit *visit, Json *json, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    unsigned relations = 0;
    int64_t team = TEAM_NONE;
    bool finalist = false;
    int rc = 0;

    if (visit->account != ACCOUNT_NONE)
        rc = team_of_account(visit->site->db, visit->contest, visit->account, &team, err);
    if (rc == 0 && team != TEAM_NONE)
        rc = team_relations(visit->site->db, team, visit->account, &relations, err);
    if (rc == 0 && team != TEAM_NONE)
        rc = db_ask_text(visit->site->db, &name, NULL, err, "SELECT name FROM team WHERE id = ?1",
                         "i", team);
    if (rc == 0 && team != TEAM_NONE)
        rc = team_is_finalist(visit->site->db, team, &finalist, err);
    json_key(json, STR("me"));
    json_open(json, '{');
    json_key(json, STR("team"));
    if (team != TEAM_NONE)
        json_put_str(json, buf_str(&name));
    else
        json_put_null(json);
    json_add_bool(json, "captain", relations & IS_CAPTAIN);
    json_add_bool(json, "finalist", finalist);
    json_add_bool(json, "judge", visit->relations & IS_JUDGE);
    json_add_bool(json, "organiser", visit->relations & (IS_ORGANISER | IS_ADMIN));
    json_close(json);
    return rc;
}

int api_contest_see(ApiVisit *visit, Err *err)
{
    CLEANUP(contest_done) Contest contest = {0};
    Json json = json_over(&visit->out);
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = contest_get(visit->site->db, visit->contest, &contest, err);
    if (rc)
        return rc;
    json_open(&json, '{');
    write_head(rules, buf_str(&contest.name), contest.state, contest.paused, &json);
    rc = write_team_count(visit->site->db, contest.id, &json, err);
    json_add_str(&json, "digest", buf_str(&contest.digest));
    api_add_date(&json, "since", contest.changed_ms);
    if (rc == 0)
        rc = write_sentence(visit, &contest, &json, err);
    write_register(rules, &json);
    write_submit(rules, &json);
    write_stages(rules, &json);
    write_tracks(rules, &json);
    write_publish(rules, &json);
    if (rc == 0)
        rc = write_me(visit, &json, err);
    if (api_is_organiser(visit))
        json_add_str(&json, "text", buf_str(&contest.file));
    json_close(&json);
    return rc;
}

/* ---- made ---- */

int api_contest_make(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    Json json = json_over(&visit->out);
    const ContestActor actor = api_actor(visit, STR(""));
    Err why = {0};
    Str text;
    int64_t id = 0;
    int rc = api_body_need(visit, "text", &text, err);

    if (rc)
        return rc;
    if (contest_make(visit->site->db, text, visit->site->settings->folder, &actor, &id, &why)) {
        if (err)
            *err = why;
        return api_refuse_text(visit, &why);
    }
    rc = db_ask_text(visit->site->db, &name, NULL, err, "SELECT name FROM contest WHERE id = ?1",
                     "i", id);
    visit->status = 201;
    json_open(&json, '{');
    json_add_str(&json, "name", buf_str(&name));
    json_close(&json);
    return rc;
}

/* ---- its teams and standings ---- */

static int write_team_row(ApiVisit *visit, const SiteRules *rules, const DbQuery *row, Json *json)
{
    Str consent = db_text(row, 2);
    bool shows = api_is_organiser(visit);

    for (uint32_t i = 0; !shows && i < rules->registration.field_count; i++)
        shows = rules->registration.field_public[i] &&
                str_eq(str_of(rules->registration.fields[i]), STR("affiliation")) &&
                !str_find(consent, STR("\"affiliation\":false"), &(size_t){0});
    json_open(json, '{');
    json_add_str(json, "name", db_text(row, 0));
    if (shows)
        api_add_some(json, "affiliation", db_text(row, 1));
    json_add_str(json, "state", db_text(row, 3));
    json_add_bool(json, "organiser", db_int(row, 4) > 0);
    json_key(json, STR("version"));
    if (db_is_null(row, 5))
        json_put_null(json);
    else
        json_put_int(json, db_int(row, 5));
    json_add_bool(json, "finalist", db_int(row, 6) == 1);
    json_close(json);
    return 0;
}

int api_contest_teams(ApiVisit *visit, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Json json = json_over(&visit->out);
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = db_query_with(
            visit->site->db, &query, err,
            "SELECT name, affiliation, consent, state,"
            " (SELECT count(*) FROM member JOIN role ON role.account = member.account WHERE"
            " member.team = team.id AND role.role = 'organiser' AND role.contest = team.contest),"
            " (SELECT max(number) FROM version WHERE version.team = team.id AND version.state ="
            " 'ACTIVE'), finalist FROM team WHERE contest = ?1 ORDER BY name",
            "i", visit->contest);
    json_open(&json, '{');
    json_key(&json, STR("items"));
    json_open(&json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0)
        rc = write_team_row(visit, rules, query, &json);
    json_close(&json);
    json_close(&json);
    return rc;
}

int api_contest_standings(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf stage = {0};
    Json json = json_over(&visit->out);
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    if (rc)
        return rc;
    if (!api_shows_standings(visit, rules))
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    return site_standings(visit->site->db, visit->contest, &rules->plan,
                          api_query(visit, "stage", &stage), &json, err);
}
