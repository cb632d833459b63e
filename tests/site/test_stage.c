/* Stages and testing rounds from the store to the spool and back, played by the runner's own job in
 * this process: who plays, who goes on at every kind of tie, pauses, failures, restarts. O24, O25.
 */
#include "site_places.h"

#include "disk/folder.h"
#include "disk/log_file.h"
#include "match/plan.h"
#include "net/loop.h"
#include "runner/runner.h"
#include "site/appeal.h"
#include "site/finding.h"
#include "site/import.h"
#include "site/ruling.h"
#include "site/site_ledger.h"
#include "site/stage.h"
#include "site/stage_job.h"
#include "site/table.h"
#include "wire/json_read.h"

#define NOW INT64_C(1900000000000)

typedef struct Site {
    Db *db;
    Spool *spool;
    char data[48];
    Contest contest;
    SiteRules rules;
    int64_t now_ms;
} Site;

static void exec(Db *db, const char *sql)
{
    Err err = {0};

    if (db_exec(db, sql, &err))
        fail_msg("%s: %s", sql, err.msg);
}

static void write_secret(const Site *site, const char *stage)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/secrets/cup/%s", site->data, stage);
    assert_int_equal(folder_make_for(path, NULL), 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 32; i++)
        fputc(i + stage[0], file);
    fclose(file);
}

/* A contest with so many teams, whose versions have no tree: bots play for them. */
static Site open_site(void **state, int teams, const char *stages)
{
    Site site = {.db = site_place_open(state), .now_ms = NOW};
    const ContestActor actor = {.address = STR("test"), .now_ms = NOW};
    CLEANUP(buf_done) Buf text = {0};
    int64_t id = 0;
    Err err = {0};

    snprintf(site.data, sizeof(site.data), "/tmp/warg-stage-XXXXXX");
    assert_non_null(mkdtemp(site.data));
    buf_printf(&text,
               "contest: cup\ntitle: {en: Cup, ja: Cup}\ndivision: protocol\n"
               "testing: {at: [\"03:00\"], parts: [{players: 5, sets_each: 3},"
               " {players: 15, sets_each: 1}], fill: sample, on_error: suspend}\n%s",
               stages);
    if (spool_open(site.data, &site.spool, &err) ||
        contest_make(site.db, buf_str(&text), ".", &actor, &id, &err) ||
        contest_get(site.db, id, &site.contest, &err) ||
        contest_write_file(site.data, &site.contest, &err) ||
        contest_rules_read(buf_str(&text), ".", &site.rules, &err))
        fail_msg("%s", err.msg);
    exec(site.db, "INSERT INTO account(login, created) VALUES('ann', 1)");
    for (int i = 0; i < teams; i++) {
        char sql[400];
        snprintf(sql, sizeof(sql),
                 "INSERT INTO team(contest, name, state, created) VALUES(%lld, 't%02d', 'IN', 1)",
                 (long long)id, i);
        exec(site.db, sql);
        snprintf(sql, sizeof(sql),
                 "INSERT INTO version(team, number, language, entry, tree, state, at)"
                 " SELECT id, 1, 'python', 'x.py', '', 'ACTIVE', 1 FROM team WHERE name = 't%02d'",
                 i);
        exec(site.db, sql);
    }
    for (uint32_t i = 0; i < site.rules.plan.stage_count; i++) {
        char sql[300];
        write_secret(&site, site.rules.plan.stages[i].name);
        snprintf(sql, sizeof(sql),
                 "INSERT INTO lottery(contest, stage, closed, ends, settled)"
                 " VALUES(%lld, '%s', 1, 2, 3)",
                 (long long)id, site.rules.plan.stages[i].name);
        exec(site.db, sql);
    }
    write_secret(&site, "testing");
    return site;
}

static void close_site(Site *site)
{
    spool_close(site->spool);
    folder_remove(site->data, NULL);
    contest_done(&site->contest);
    contest_rules_done(&site->rules);
    db_close(site->db);
}

static TimeUs test_time;

static TimeUs time_of_test(void)
{
    return test_time;
}

static RetryWaits waits = {.now = time_of_test};

static StageTurn turn_of(Site *site)
{
    return (StageTurn){.db = site->db,
                       .data = site->data,
                       .folder = ".",
                       .contest = &site->contest,
                       .rules = &site->rules,
                       .spool = site->spool,
                       .require = CELL_STRICT,
                       .waits = &waits,
                       .now_ms = site->now_ms};
}

static StageState follow(Site *site, uint32_t stage)
{
    const StageTurn turn = turn_of(site);
    StageState how;
    Err err = {0};

    if (stage_follow(&turn, stage, &how, &err))
        fail_msg("%s", err.msg);
    return how;
}

static void begin(Site *site, uint32_t stage)
{
    const StageTurn turn = turn_of(site);
    Err err = {0};

    if (stage_begin(&turn, stage, &err) || stage_begin(&turn, stage, &err))
        fail_msg("%s", err.msg);
}

static const JobHandler handlers[] = {{"play", stage_handle}, {0}};

static void collect(Site *site)
{
    Err err = {0};

    if (jobs_collect(site->db, site->spool, handlers, NULL, site->now_ms, NULL, &err))
        fail_msg("%s", err.msg);
}

/* The runner, in this process; false when nothing waits. `result` in place of doing it. */
static bool asked_to_stop; /* from its beginning: what is under way ends */

static bool work(Site *site, const char *result)
{
    CLEANUP(buf_done) Buf stop = {0};
    SpoolJob job;
    bool there;
    Err err = {0};

    if (spool_take(site->spool, SPOOL_ANY, &job, &there, &err))
        fail_msg("%s", err.msg);
    if (!there)
        return false;
    const JobPlace place = {.data = site->data,
                            .id = job.head.job,
                            .folder = buf_cstr(&job.folder),
                            .tables = 1,
                            .date = loop_date_ms,
                            .now = loop_now};
    buf_printf(&stop, "%s/stop", buf_cstr(&job.folder));
    if (asked_to_stop && log_file_write(buf_cstr(&stop), STR(""), &err))
        fail_msg("%s", err.msg);
    if (!result && runner_do_job(&place, buf_str(&job.text), &err))
        fail_msg("%s", err.msg);
    if (spool_finish(site->spool, &job, result ? str_of(result) : (Str){0}, &err))
        fail_msg("%s", err.msg);
    collect(site);
    return true;
}

/* Until it is over. */
static StageState play_out(Site *site, uint32_t stage)
{
    StageState how = follow(site, stage);

    for (int i = 0; i < 200 && !how.over; i++) {
        work(site, NULL);
        how = follow(site, stage);
    }
    if (!how.over) {
        CLEANUP(db_query_freep) DbQuery *query = NULL;
        if (db_query(site->db, "SELECT result FROM job ORDER BY created DESC", &query, NULL) == 0 &&
            db_step(query, NULL) > 0)
            fail_msg("%.*s", STR_ARG(db_text(query, 0)));
    }
    assert_true(how.over);
    return how;
}

static const char two_stages[] =
    "stages:\n"
    "  - {name: preliminary, parts: [{players: 5}, {players: 15}], games_per_set: 2, min_games: 8,"
    " advance: 15, tie: %s}\n"
    "  - {name: final, parts: [{players: 5}, {players: 15}], games_per_set: 2, min_games: 4}\n";

static const char told_finalists[] =
    "SELECT COUNT(*) FROM notice WHERE kind = 'finalist' AND channel = 'site'";

/* 40 teams: everybody plays equally often, 15 go on, or more where all who are tied do. */
static void forty_teams(void **state, const char *tie)
{
    char stages[400];

    snprintf(stages, sizeof(stages), two_stages, tie);
    Site site = open_site(state, 40, stages);
    assert_int_equal(follow(&site, 0).begun, false);
    begin(&site, 0);
    StageState how = play_out(&site, 0);
    assert_int_equal(how.rounds, 4); /* 8 and 24 sets in a round: 2 and 6 games */
    assert_int_equal(
        site_number(site.db, "SELECT COUNT(*) FROM (SELECT team, SUM(games) AS g FROM score WHERE"
                             " stage = 'preliminary' GROUP BY team HAVING SUM(games) = 8 + 24) x"),
        40);
    const int64_t on =
        site_number(site.db, "SELECT COUNT(*) FROM advance WHERE stage = 'preliminary'");
    if (strcmp(tie, "all") == 0)
        assert_in_range(on, 15, 40);
    else
        assert_int_equal(on, 15);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM team WHERE finalist = 1"), on);
    assert_int_equal(site_number(site.db, told_finalists), on);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM run WHERE stage = 'preliminary'"
                                          " AND round > 0") > 0,
                     strcmp(tie, "extra") == 0);
    begin(&site, 1);
    how = play_out(&site, 1);
    assert_true(how.rounds >= 1);
    assert_int_equal(site_number(site.db, "SELECT COUNT(DISTINCT team) FROM score WHERE"
                                          " stage = 'final'"),
                     on);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job WHERE state <> 'DONE'"), 0);
    assert_false(work(&site, NULL));
    close_site(&site);
}

static void forty_teams_extra(void **state)
{
    forty_teams(state, "extra");
}

static void forty_teams_all(void **state)
{
    forty_teams(state, "all");
}

static void forty_teams_lot(void **state)
{
    forty_teams(state, "lot");
}

static const char one_stage[] =
    "stages:\n  - {name: final, parts: [{players: 5}], games_per_set: 2, min_games: 40}\n";

static void a_pause(void **state)
{
    Site site = open_site(state, 7, one_stage);

    begin(&site, 0);
    site.contest.paused = true;
    assert_false(follow(&site, 0).playing);
    assert_false(work(&site, NULL));
    site.contest.paused = false;
    assert_true(follow(&site, 0).playing);
    site.contest.paused = true; /* it waits in the spool: taken back */
    follow(&site, 0);
    collect(&site);
    assert_false(follow(&site, 0).playing);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job WHERE state = 'STOPPED'"), 1);
    site.contest.paused = false;
    assert_true(follow(&site, 0).playing);
    const StageTurn turn = turn_of(&site);
    assert_int_equal(stage_hold(&turn, 0, NULL), 0); /* the contest has gone back */
    collect(&site);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job WHERE state = 'STOPPED'"), 2);
    assert_int_equal(stage_hold(&turn, 0, NULL), 0);
    assert_false(work(&site, NULL));
    play_out(&site, 0);
    close_site(&site);
}

/* An appeal that is granted when the stage is over: standings are without the game (O27). */
static void a_game_that_is_void_behind_the_stage(void **state)
{
    Site site = open_site(state, 7, one_stage);
    const ContestHome home = {.id = site.contest.id, .name = STR("cup"), .data = site.data};
    int64_t appeal = 0;
    Err err = {0};

    begin(&site, 0);
    if (site_ledger_begin(site.db, &home, STR("example.org/warg/cup"), &err))
        fail_msg("%s", err.msg);
    play_out(&site, 0);
    const int64_t game = site_number(site.db, "SELECT MIN(id) FROM game");
    const int64_t team =
        site_number(site.db, "SELECT MIN(team) FROM seat WHERE game = (SELECT MIN(id) "
                             "FROM game) AND team IS NOT NULL");
    const int64_t before = site_number(site.db, "SELECT COUNT(*) FROM game WHERE counted = 1");
    if (appeal_make(site.db, team, APPEAL_GAME, game, STR("it was late"), NOW, &appeal, &err) ||
        appeal_close(site.db, appeal, true, false, STR("so it was"), 1, NOW, &err) ||
        rulings_apply(site.db, &home, NOW, &err))
        fail_msg("%s", err.msg);
    const StageTurn turn = turn_of(&site);
    if (stage_catch_up(&turn, &err) || stage_catch_up(&turn, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM game WHERE counted = 1"),
                     before - 1);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM game WHERE void_by IS NOT NULL"),
                     1);
    assert_true(follow(&site, 0).over);
    close_site(&site);
}

/* A set that is ruled void while the stage goes on is made up for: everybody gets his games (8.2).
 */
static void a_set_that_is_void_while_the_stage_goes_on(void **state)
{
    Site site = open_site(state, 7, one_stage);
    const ContestHome home = {.id = site.contest.id, .name = STR("cup"), .data = site.data};
    int64_t appeal = 0;
    Err err = {0};

    begin(&site, 0);
    if (site_ledger_begin(site.db, &home, STR("example.org/warg/cup"), &err))
        fail_msg("%s", err.msg);
    follow(&site, 0);
    asked_to_stop = true;
    assert_true(work(&site, NULL));
    asked_to_stop = false;
    const StageTurn turn = turn_of(&site);
    if (stage_catch_up(&turn, &err))
        fail_msg("%s", err.msg);
    assert_in_range(site_number(site.db, "SELECT COUNT(*) FROM game"), 1, 4 * 14 - 1);
    const int64_t game = site_number(site.db, "SELECT MIN(id) FROM game");
    const int64_t team =
        site_number(site.db, "SELECT MIN(team) FROM seat WHERE game = (SELECT MIN(id) "
                             "FROM game) AND team IS NOT NULL");
    if (appeal_make(site.db, team, APPEAL_GAME, game, STR("it was late"), NOW, &appeal, &err) ||
        appeal_close(site.db, appeal, true, true, STR("so it was"), 1, NOW, &err) ||
        rulings_apply(site.db, &home, NOW, &err))
        fail_msg("%s", err.msg);
    /* 7 sets of 2 games in a round, 10 games of everybody: a fifth one for what was lost. */
    assert_int_equal(play_out(&site, 0).rounds, 5);
    if (stage_catch_up(&turn, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM game WHERE counted = 1"),
                     5 * 14 - 2);
    assert_int_equal(site_number(site.db, "SELECT MIN(g) FROM (SELECT SUM(games) AS g FROM score"
                                          " WHERE stage = 'final' GROUP BY team) x"),
                     48);
    close_site(&site);
}

/* Whoever goes on is told so once, though the end of the stage is heard of again. */
static void finalists_are_told_once(void **state)
{
    char stages[400];

    snprintf(stages, sizeof(stages), two_stages, "lot");
    Site site = open_site(state, 16, stages);
    JobRow job = {.contest = site.contest.id};
    JobOutcome outcome = {.state = JOB_DONE};
    Err err = {0};

    buf_add(&job.spec, STR("{\"stage\":\"preliminary\"}"));
    for (int i = 0; i < 2; i++) {
        json_t *result = NULL;
        assert_int_equal(json_read(STR("{\"over\":true,\"advanced\":[\"t03\",\"t05\"]}"), 1 << 10,
                                   &result, &err),
                         0);
        outcome.result = result;
        if (stage_handle(site.db, &job, &outcome, NOW, NULL, &err))
            fail_msg("%s", err.msg);
        json_done(result);
        assert_int_equal(site_number(site.db, told_finalists), 2);
    }
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM team WHERE finalist = 1"), 2);
    job_row_done(&job);
    close_site(&site);
}

/* A job that fails by our fault blames nobody: another one comes, a minute later. */
static void a_job_that_fails(void **state)
{
    Site site = open_site(state, 7, one_stage);

    begin(&site, 0);
    follow(&site, 0);
    assert_true(work(&site, "{\"ok\":false,\"ours\":true,\"why\":\"no cell\"}"));
    StageState how = follow(&site, 0);
    assert_true(how.failing);
    assert_string_equal(how.why, "no cell");
    assert_false(how.playing);
    site.now_ms += 61000; /* the date says nothing: in a rehearsal it jumps, or stands still */
    assert_false(follow(&site, 0).playing);
    test_time += RETRY_MINUTE - 1;
    assert_false(follow(&site, 0).playing);
    test_time++;
    assert_true(follow(&site, 0).playing);
    play_out(&site, 0);
    close_site(&site);
}

/* An organiser need not wait for it, and what the job comes to counts. */
static void a_job_that_an_organiser_tries_again(void **state)
{
    Site site = open_site(state, 7, one_stage);
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    char id[ID_ULID_BYTES], again[ID_ULID_BYTES];

    begin(&site, 0);
    follow(&site, 0);
    work(&site, "{\"ok\":false,\"ours\":true,\"why\":\"no cell\"}");
    assert_false(follow(&site, 0).playing);
    assert_int_equal(db_query(site.db, "SELECT id FROM job", &query, NULL), 0);
    assert_int_equal(db_step(query, NULL), 1);
    snprintf(id, sizeof(id), "%.*s", STR_ARG(db_text(query, 0)));
    query = db_query_free(query);
    assert_int_equal(job_retry(site.db, str_of(id), site.now_ms, again, NULL), 0);
    assert_true(follow(&site, 0).playing);
    play_out(&site, 0);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job"), 2);
    close_site(&site);
}

/* What fails again and again is left to an organiser. */
static void a_job_that_fails_for_ever(void **state)
{
    Site site = open_site(state, 7, one_stage);
    char id[ID_ULID_BYTES], again[ID_ULID_BYTES];

    begin(&site, 0);
    for (int i = 0; i < 20; i++) {
        follow(&site, 0);
        work(&site, "{\"ok\":false,\"ours\":true,\"why\":\"no cell\"}");
        test_time += RETRY_MINUTE;
    }
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job"), 5);
    assert_true(follow(&site, 0).failing);
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    assert_int_equal(db_query(site.db, "SELECT MAX(id) FROM job", &query, NULL), 0);
    assert_int_equal(db_step(query, NULL), 1);
    snprintf(id, sizeof(id), "%.*s", STR_ARG(db_text(query, 0)));
    db_reset(query);
    assert_int_equal(job_retry(site.db, str_of(id), site.now_ms, again, NULL), 0);
    assert_true(follow(&site, 0).playing); /* the organiser's */
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job"), 6);
    play_out(&site, 0);
    query = db_query_free(query);
    close_site(&site);
}

/* Proposals wait for a ruling: no job in between. */
static void it_waits_for_a_ruling(void **state)
{
    Site site = open_site(state, 7, one_stage);

    begin(&site, 0);
    follow(&site, 0);
    assert_true(work(&site, "{\"ok\":true,\"stopped\":false,\"over\":false,\"waiting\":true,"
                            "\"note\":\"elimination is proposed\"}"));
    StageState how = follow(&site, 0);
    assert_true(how.cut_is_tied);
    assert_string_equal(how.why, "elimination is proposed");
    assert_false(follow(&site, 0).playing);
    exec(site.db, "INSERT INTO ruling(contest, stage, team, decision, reason, at, applied, failed)"
                  " SELECT contest, 0, id, 'dismiss', 'x', 1900000000001, 1, 'why' FROM team"
                  " WHERE name = 't01'");
    assert_false(follow(&site, 0).playing); /* its journal can't have that one */
    exec(site.db, "UPDATE ruling SET failed = NULL");
    assert_true(follow(&site, 0).playing);
    play_out(&site, 0);
    close_site(&site);
}

static void write_job(Site *site, Buf *out)
{
    const StageTurn turn = turn_of(site);

    buf_clear(out);
    assert_int_equal(stage_job_write(&turn, 0, out, NULL), 0);
}

/* The rules eliminate, or an organiser does: no program of that team is started any more. */
static void who_is_eliminated_by_the_rules(void **state)
{
    Site site = open_site(state, 7, one_stage);
    CLEANUP(buf_done) Buf before = {0};
    CLEANUP(buf_done) Buf after = {0};
    CLEANUP(buf_done) Buf confirmed = {0};
    const JournalRuling ruling = {.agent = STR("t03"),
                                  .rule = STR("crash"),
                                  .decision = RULING_ELIMINATE,
                                  .reason = STR("by the rules"),
                                  .at_ms = NOW};

    exec(site.db, "UPDATE version SET tree = 'abc'");
    begin(&site, 0);
    exec(site.db, "INSERT INTO finding(contest, team, rule, at, text, state, stage, stage_name,"
                  " count, games) SELECT contest, id, 'crash', 1, '', 'PROPOSED', 0, 'final', 1, 1"
                  " FROM team WHERE name = 't03'");
    write_job(&site, &before);
    assert_int_equal(finding_ruled(site.db, site.contest.id, &ruling, NOW, NULL), 0);
    write_job(&site, &after);
    assert_non_null(strstr(buf_cstr(&before), "\"team\":\"t03\",\"language\""));
    assert_null(strstr(buf_cstr(&after), "\"team\":\"t03\",\"language\""));
    /* Twice changes nothing; an organiser's is the same. */
    assert_int_equal(finding_ruled(site.db, site.contest.id, &ruling, NOW + 1, NULL), 0);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM ruling"), 1);
    exec(site.db, "DELETE FROM ruling");
    exec(site.db, "INSERT INTO ruling(finding, contest, stage, team, decision, reason, at, applied)"
                  " SELECT id, contest, stage, team, 'eliminate', 'x', 1, 1 FROM finding");
    write_job(&site, &confirmed);
    assert_string_equal(buf_cstr(&after), buf_cstr(&confirmed));
    /* Nothing follows from one that its journal can't have. */
    exec(site.db, "UPDATE ruling SET failed = 'x'");
    write_job(&site, &after);
    assert_string_equal(buf_cstr(&after), buf_cstr(&before));
    close_site(&site);
}

/* Who withdraws while the stage is under way: the job ends, a bot sits in its place, and it is not
 * ranked. */
static void who_withdraws(void **state)
{
    Site site = open_site(state, 7, one_stage);
    CLEANUP(standings_done) Standings standings = {0};

    begin(&site, 0);
    follow(&site, 0);
    exec(site.db, "UPDATE team SET state = 'WITHDRAWN' WHERE name = 't03'");
    follow(&site, 0); /* asks it to end */
    collect(&site);
    play_out(&site, 0);
    assert_int_equal(
        site_standings_read(site.db, site.contest.id, STR("final"), 0, &standings, NULL), 0);
    assert_int_equal(standings_find(&standings, STR("t03"))->rank, 0);
    assert_true(standings_find(&standings, STR("t02"))->rank > 0);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job WHERE state = 'STOPPED'"), 1);
    CLEANUP(buf_done) Buf journal = {0};
    char path[128];
    snprintf(path, sizeof(path), "%s/contests/cup/play/journal.jsonl", site.data);
    assert_int_equal(log_file_read(path, 100000000, &journal, NULL), 0);
    assert_non_null(strstr(buf_cstr(&journal), "\"rule\":\"withdraw\",\"decision\":\"eliminate\""));
    close_site(&site);
}

/* The server dies between any two steps: rows and spool alone say how it goes on. */
static void a_server_that_dies(void **state)
{
    Site site = open_site(state, 7, one_stage);
    StageState how = {0};

    begin(&site, 0);
    for (int i = 0; i < 20 && !how.over; i++) {
        how = follow(&site, 0);
        spool_close(site.spool);
        assert_int_equal(spool_open(site.data, &site.spool, NULL), 0);
        exec(site.db, "UPDATE job SET state = 'NEW' WHERE state = 'PUT'"); /* before it was noted */
        assert_int_equal(jobs_flush(site.db, site.spool, NULL), 0);
        work(&site, NULL);
    }
    assert_true(how.over);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job"), 1);
    close_site(&site);
}

/* ---- testing ---- */

static void follow_testing(Site *site)
{
    const StageTurn turn = turn_of(site);
    Err err = {0};

    if (testing_follow(&turn, &err))
        fail_msg("%s", err.msg);
}

static int64_t games_of_size(Site *site, int players)
{
    char sql[300];

    snprintf(sql, sizeof(sql),
             "SELECT COUNT(*) FROM (SELECT game FROM seat GROUP BY game HAVING COUNT(*) = %d) x",
             players);
    return site_number(site->db, sql);
}

/* A round each day at three, of both sizes, once for each moment. */
static void rounds_of_testing(void **state, int teams)
{
    Site site = open_site(state, teams, one_stage);
    const int64_t day = 86400000;
    char sql[200];

    site.contest.state = LIFE_OPEN;
    site.contest.changed_ms = NOW;
    site.now_ms = NOW;
    follow_testing(&site);
    assert_false(work(&site, NULL)); /* the last three o'clock was before it opened */
    for (int round = 1; round <= 3; round++) {
        site.now_ms = NOW + round * day;
        follow_testing(&site);
        follow_testing(&site);
        assert_true(work(&site, NULL));
        assert_false(work(&site, NULL));
        follow_testing(&site);
        follow_testing(&site);
        snprintf(
            sql, sizeof(sql),
            "SELECT COUNT(*) FROM play WHERE stage = 'testing' AND state = 'OVER' AND round = %d",
            round);
        assert_int_equal(site_number(site.db, sql), 1);
    }
    assert_true(games_of_size(&site, 5) > 0);
    assert_true(games_of_size(&site, 15) > 0);
    /* In every round three times, or once more, at tables of five, and once at those of fifteen. */
    assert_int_equal(site_number(site.db,
                                 "SELECT COUNT(*) FROM (SELECT team, players FROM score WHERE"
                                 " stage = 'testing' GROUP BY team, players HAVING"
                                 " players = 5 AND SUM(games) BETWEEN 9 * 2 AND 12 * 2"
                                 " OR players = 15 AND SUM(games) BETWEEN 3 * 2 AND 6 * 2) x"),
                     2 * teams);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM seat WHERE team IS NULL") > 0,
                     teams < 15);
    close_site(&site);
}

static void testing_of_sixteen(void **state)
{
    rounds_of_testing(state, 16);
}

static void testing_of_nine(void **state)
{
    rounds_of_testing(state, 9);
}

/* Who crashes in a round is out of the next, with what it did; another version is in again. */
static void who_crashes_is_suspended(void **state)
{
    Site site = open_site(state, 5, one_stage);
    const StageTurn turn = turn_of(&site);
    uint32_t round = 0;

    site.contest.state = LIFE_OPEN;
    exec(site.db, "UPDATE contest SET state = 'OPEN'");
    exec(site.db, "UPDATE version SET tree = 'aa' WHERE team = (SELECT id FROM team"
                  " WHERE name = 't02')");
    assert_int_equal(testing_begin(&turn, &round, NULL), 0);
    assert_int_equal(round, 1);
    assert_int_equal(testing_begin(&turn, &round, NULL), 0); /* one is under way */
    assert_int_equal(round, 0);
    assert_int_equal(jobs_flush(site.db, site.spool, NULL), 0);
    assert_true(work(&site, "{\"ok\":true,\"over\":true,\"trouble\":[{\"team\":\"t02\",\"rule\":"
                            "\"disconnect\",\"text\":\"disconnect in game 3 of 5\",\"game\":3,"
                            "\"log\":\"logs/003.log.gz\"}]}"));
    assert_int_equal(site_number(site.db,
                                 "SELECT COUNT(*) FROM version WHERE state = 'SUSPENDED' AND"
                                 " why = 'testing round 1: disconnect in game 3 of 5"
                                 " (logs/003.log.gz)'"),
                     1);
    assert_int_equal(site_number(site.db,
                                 "SELECT COUNT(*) FROM notice WHERE kind = 'version-suspended'"
                                 " AND body LIKE '%\"version\":\"1\"%'"
                                 " AND body LIKE '%\"why_ja\":\"テストラウンド 1: %'"),
                     1);
    assert_int_equal(testing_begin(&turn, &round, NULL), 0);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job WHERE spec LIKE '%t02%'"), 1);
    exec(site.db, "UPDATE play SET state = 'OVER'");
    exec(site.db, "INSERT INTO version(team, number, language, entry, tree, state, at)"
                  " SELECT id, 2, 'python', 'x.py', '', 'ACTIVE', 1 FROM team WHERE name = 't02'");
    assert_int_equal(testing_begin(&turn, &round, NULL), 0);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM job WHERE spec LIKE '%t02%'"), 2);
    close_site(&site);
}

/* A round that is over behind the freeze takes no version away: nobody could send another one, and
 * the stage would lack a player. */
static void who_crashed_before_the_freeze_plays(void **state)
{
    Site site = open_site(state, 5, one_stage);
    const StageTurn turn = turn_of(&site);
    uint32_t round = 0;

    site.contest.state = LIFE_OPEN;
    exec(site.db, "UPDATE version SET tree = 'aa' WHERE team = (SELECT id FROM team"
                  " WHERE name = 't02')");
    assert_int_equal(testing_begin(&turn, &round, NULL), 0);
    assert_int_equal(jobs_flush(site.db, site.spool, NULL), 0);
    exec(site.db, "UPDATE contest SET state = 'FROZEN'");
    assert_true(work(&site, "{\"ok\":true,\"over\":true,\"trouble\":[{\"team\":\"t02\",\"rule\":"
                            "\"disconnect\",\"text\":\"disconnect in game 3 of 5\",\"game\":3,"
                            "\"log\":\"logs/003.log.gz\"}]}"));
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM version WHERE state = 'ACTIVE'"),
                     5);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM play WHERE state = 'OVER'"), 1);
    close_site(&site);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SQLITE(forty_teams_extra),
        ON_SQLITE(forty_teams_all),
        ON_BOTH(forty_teams_lot),
        ON_BOTH(a_pause),
        ON_BOTH(a_game_that_is_void_behind_the_stage),
        ON_BOTH(a_set_that_is_void_while_the_stage_goes_on),
        ON_BOTH(finalists_are_told_once),
        ON_BOTH(a_job_that_fails),
        ON_BOTH(a_job_that_fails_for_ever),
        ON_BOTH(a_job_that_an_organiser_tries_again),
        ON_BOTH(it_waits_for_a_ruling),
        ON_BOTH(who_is_eliminated_by_the_rules),
        ON_BOTH(who_withdraws),
        ON_SQLITE(a_server_that_dies),
        ON_SQLITE(testing_of_sixteen),
        ON_BOTH(testing_of_nine),
        ON_BOTH(who_crashes_is_suspended),
        ON_BOTH(who_crashed_before_the_freeze_plays),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
