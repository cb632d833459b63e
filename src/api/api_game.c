/* Games over the API: lists, one game, its log and its record. docs/contest-api.md */
#include "api/api_game.h"
#include "api/api_file.h"
#include "api/api_handlers.h"
#include "api/api_rules.h"
#include "base/mem.h"
#include "record/exchange.h"
#include "seat/agent_command.h"
#include "site/output_sweep.h"
#include "site/team.h"
#include "store/db_row.h"

#include <dirent.h>

#define GAMES_PAGE 100

/* ---- lists ---- */

static void write_game(const DbQuery *row, Json *json)
{
    api_add_id(json, "id", db_int(row, 0));
    json_add_str(json, "stage", db_text(row, 1));
    json_add_int(json, "part", db_int(row, 2));
    json_add_int(json, "round", db_int(row, 3));
    json_add_int(json, "set", db_int(row, 4));
    json_add_int(json, "game", db_int(row, 5));
    api_add_date(json, "ended", db_int(row, 6));
    json_key(json, STR("winner"));
    if (db_text(row, 7).len)
        json_put_str(json, db_text(row, 7));
    else
        json_put_null(json);
    json_add_bool(json, "counted", db_int(row, 8) != 0);
    json_add_bool(json, "void", !db_is_null(row, 9));
}

#define GAME_COLUMNS                                                                               \
    "SELECT game.id, run.stage, run.part, run.round, game.set_number, game.game, game.ended, "     \
    "game.winner, game.counted, game.void_by, run.folder, game.log FROM game JOIN run ON run.id "  \
    "= game.run "

/* The team whose games alone may be seen; TEAM_NONE for all, refused for nobody's. */
static int find_filter(ApiVisit *visit, const SiteRules *rules, int64_t *ret_team, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    Str wanted = api_query(visit, "team", &name);
    int64_t own = TEAM_NONE;
    int rc = 0;

    *ret_team = TEAM_NONE;
    if (wanted.len)
        rc = db_ask(visit->site->db, -1, ret_team, err,
                    "SELECT id FROM team WHERE contest = ?1 AND name = ?2", "it", visit->contest,
                    wanted);
    if (rc || api_shows_games(visit, rules))
        return rc;
    if (visit->account != ACCOUNT_NONE)
        rc = team_of_account(visit->site->db, visit->contest, visit->account, &own, err);
    if (rc == 0 && (own == TEAM_NONE || (*ret_team != TEAM_NONE && *ret_team != own)))
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    *ret_team = own;
    return rc;
}

/* The newest game that is shown while they go on: `delay_games` are kept back. */
static int find_newest(ApiVisit *visit, const SiteRules *rules, int64_t *ret_before, Err *err)
{
    *ret_before = INT64_MAX;
    if (api_is_organiser(visit) || api_is_published(visit) || !rules->publish.delay_games)
        return 0;
    return db_ask(visit->site->db, 0, ret_before, err,
                  "SELECT game.id FROM game JOIN run ON run.id = game.run WHERE run.contest = ?1"
                  " ORDER BY game.id DESC LIMIT 1 OFFSET ?2",
                  "ii", visit->contest, (int64_t)rules->publish.delay_games - 1);
}

/* A page of either is as fast with a million games: newest first, as their index has them. A team
 * may have several seats of a game. */
static const char all_games[] =
    GAME_COLUMNS "WHERE run.contest = ?1 AND game.id < ?2 AND (?3 = '' OR run.stage = ?3)"
                 " ORDER BY game.id DESC LIMIT 101";
static const char games_of_team[] =
    GAME_COLUMNS "JOIN seat ON seat.game = game.id WHERE run.contest = ?1 AND seat.game < ?2"
                 " AND (?3 = '' OR run.stage = ?3) AND seat.team = ?4 AND NOT EXISTS(SELECT 1"
                 " FROM seat lower WHERE lower.game = seat.game AND lower.team = ?4"
                 " AND lower.seat < seat.seat)"
                 " ORDER BY seat.game DESC LIMIT 101";

/* Who played in a game: what lists say of it. */
static int write_teams(ApiVisit *visit, int64_t game, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(visit->site->db, &query, err,
                           "SELECT DISTINCT team.name FROM seat JOIN team ON team.id = seat.team "
                           "WHERE seat.game = ?1 ORDER BY team.name",
                           "i", game);

    json_key(json, STR("teams"));
    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        json_put_str(json, db_text(query, 0));
    }
    json_close(json);
    return rc;
}

int api_games_list(ApiVisit *visit, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf stage = {0};
    Json json = json_over(&visit->out);
    const SiteRules *rules;
    int64_t team = TEAM_NONE, before = INT64_MAX, last = 0;
    unsigned count = 0;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = find_filter(visit, rules, &team, err);
    if (rc == 0)
        rc = find_newest(visit, rules, &before, err);
    if (rc)
        return rc;
    int64_t cursor = api_query_number(visit, "cursor", INT64_MAX);
    rc = db_query_with(visit->site->db, &query, err, team == TEAM_NONE ? all_games : games_of_team,
                       team == TEAM_NONE ? "iit" : "iiti", visit->contest,
                       cursor < before ? cursor : before, api_query(visit, "stage", &stage), team);
    json_open(&json, '{');
    json_key(&json, STR("items"));
    json_open(&json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        if (count++ == GAMES_PAGE)
            break;
        last = db_int(query, 0);
        json_open(&json, '{');
        write_game(query, &json);
        rc = write_teams(visit, last, &json, err);
        json_close(&json);
    }
    json_close(&json);
    if (count > GAMES_PAGE)
        api_add_id(&json, "next", last);
    json_close(&json);
    return rc;
}

/* ---- one game ---- */

/* Who may not see all games sees those in which its team sat. */
static bool is_own_game(const ApiVisit *visit)
{
    return visit->relations & IS_MEMBER && visit->team != TEAM_NONE;
}

/* Others' games that are kept back are not there, whoever guesses their numbers. */
static int check_delay(ApiVisit *visit, const SiteRules *rules, Err *err)
{
    int64_t before = INT64_MAX;
    int rc = is_own_game(visit) ? 0 : find_newest(visit, rules, &before, err);

    return rc == 0 && visit->object >= before ? api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL)
                                              : rc;
}

static int check_shown(ApiVisit *visit, const SiteRules *rules, Err *err)
{
    return is_own_game(visit) || api_shows_games(visit, rules)
               ? check_delay(visit, rules, err)
               : api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
}

static int write_seats(ApiVisit *visit, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(visit->site->db, &query, err,
                           "SELECT seat.seat, team.name, seat.role, seat.won, seat.faults, "
                           "seat.excesses, seat.waited_ms FROM seat LEFT JOIN team ON team.id = "
                           "seat.team WHERE seat.game = ?1 ORDER BY seat.seat",
                           "i", visit->object);
    bool times = api_is_organiser(visit) || api_is_published(visit);

    json_key(json, STR("seats"));
    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        json_open(json, '{');
        json_add_int(json, "seat", db_int(query, 0));
        json_add_str(json, "team", db_text(query, 1));
        json_add_str(json, "role", db_text(query, 2));
        json_add_bool(json, "won", db_int(query, 3) != 0);
        if (times) { /* of others only when it is published */
            json_add_int(json, "faults", db_int(query, 4));
            json_add_int(json, "excesses", db_int(query, 5));
            json_add_int(json, "waited_ms", db_int(query, 6));
        }
        json_close(json);
    }
    json_close(json);
    return rc;
}

int api_game_see(ApiVisit *visit, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Json json = json_over(&visit->out);
    const SiteRules *rules;
    bool kept = false;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = check_shown(visit, rules, err);
    if (rc == 0)
        rc = output_is_kept(visit->site->db, visit->contest, visit->now_ms, &kept, err);
    if (rc == 0)
        rc = db_query_with(visit->site->db, &query, err, GAME_COLUMNS "WHERE game.id = ?1", "i",
                           visit->object);
    if (rc == 0)
        rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    json_open(&json, '{');
    write_game(query, &json);
    json_add_bool(&json, "log", api_shows_log(visit, rules) && db_text(query, 11).len > 0);
    json_add_bool(&json, "output_kept", kept);
    rc = write_seats(visit, &json, err);
    json_close(&json);
    return rc;
}

/* ---- its files ---- */

int api_game_find_log(ApiVisit *visit, Buf *folder, Buf *log, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(visit->site->db, &query, err, GAME_COLUMNS "WHERE game.id = ?1", "i",
                           visit->object);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc < 0)
        return rc;
    buf_add(folder, db_text(query, 10));
    buf_add(log, db_text(query, 11));
    return log->len ? 0 : api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
}

int api_game_find_own_log(ApiVisit *visit, Buf *folder, Buf *log, Err *err)
{
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0 && !api_shows_log(visit, rules))
        rc = api_refuse(visit, visit->account ? REFUSE_FORBIDDEN : REFUSE_LOGIN, NULL, NULL);
    if (rc == 0)
        rc = check_delay(visit, rules, err);
    return rc == 0 ? api_game_find_log(visit, folder, log, err) : rc;
}

static int answer_inside(ApiVisit *visit, Str folder, Str file, const char *type, const char *end,
                         Err *err)
{
    CLEANUP(buf_done) Buf root = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf name = {0};
    const ContestHome home = api_home(visit);
    int rc = contest_home_path(&home, "", &root, err);

    if (rc)
        return rc;
    buf_printf(&path, "%.*s/%.*s", STR_ARG(folder), STR_ARG(file));
    buf_printf(&name, "%.*s-game-%lld%s", STR_ARG(home.name), (long long)visit->object, end);
    return api_file_answer(visit, buf_cstr(&root), buf_cstr(&path), type, buf_cstr(&name));
}

int api_game_log(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf log = {0};
    int rc = api_game_find_own_log(visit, &folder, &log, err);

    return rc == 0 ? answer_inside(visit, buf_str(&folder), buf_str(&log),
                                   "text/plain; charset=utf-8", ".log", err)
                   : rc;
}

/* What all were asked and answered, with times: others' only when it is published. */
int api_game_exchange(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf log = {0};
    char path[GAME_LOG_MAX + 1];
    int rc = 0;

    if (!api_is_published(visit) && !api_is_organiser(visit))
        return api_refuse(visit, visit->account ? REFUSE_FORBIDDEN : REFUSE_LOGIN, NULL, NULL);
    rc = api_game_find_log(visit, &folder, &log, err);
    if (rc == 0 && !exchange_path(buf_cstr(&log), path))
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    return rc == 0 ? answer_inside(visit, buf_str(&folder), str_of(path), "application/gzip",
                                   ".jsonl.gz", err)
                   : rc;
}

/* ---- what a team's own agent has printed ---- */

/* "2-0031-": of stage 2, set 31; behind it the seat, which of one team is one. */
static bool find_output(const char *folder, const char *start, Buf *name)
{
    struct dirent *entry;
    DIR *dir = opendir(folder);

    while (dir && (entry = readdir(dir)))
        if (strncmp(entry->d_name, start, strlen(start)) == 0) {
            buf_clear(name);
            buf_add(name, str_of(entry->d_name));
        }
    if (dir)
        closedir(dir);
    return name->len > 0;
}

static uint32_t stage_of(const SiteRules *rules, Str name)
{
    for (uint32_t i = 0; i < rules->plan.stage_count; i++)
        if (str_eq(str_of(rules->plan.stages[i].name), name))
            return i;
    return 0; /* of testing: the only one of its folder */
}

int api_game_output(ApiVisit *visit, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf file = {0};
    const ContestHome home = api_home(visit);
    const SiteRules *rules;
    char start[48];
    bool kept = false;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = output_is_kept(visit->site->db, visit->contest, visit->now_ms, &kept, err);
    if (rc == 0 && !kept)
        return api_refuse(visit, REFUSE_GONE, NULL, NULL);
    if (rc == 0)
        rc =
            db_query_with(visit->site->db, &query, err,
                          "SELECT run.stage, run.folder, game.set_number, team.name FROM game JOIN "
                          "run ON run.id = game.run JOIN team ON team.id = ?2 WHERE game.id = ?1",
                          "ii", visit->object, visit->team);
    if (rc == 0)
        rc = db_step(query, err);
    if (rc < 0)
        return rc;
    if (rc == 0)
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    snprintf(start, sizeof(start), "%u-%04lld-", stage_of(rules, db_text(query, 0)),
             (long long)db_int(query, 2));
    buf_printf(&file, "%.*s", STR_ARG(db_text(query, 3)));
    buf_printf(&folder, "%.*s/agents/", STR_ARG(db_text(query, 1)));
    agent_command_add_file_name(buf_cstr(&file), &folder);
    rc = contest_home_path(&home, buf_cstr(&folder), &path, err);
    buf_clear(&file);
    if (rc == 0 && !find_output(buf_cstr(&path), start, &file))
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    return rc == 0 ? answer_inside(visit, buf_str(&folder), buf_str(&file),
                                   "text/plain; charset=utf-8", "-output.txt", err)
                   : rc;
}
