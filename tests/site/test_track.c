#include "site_places.h"

#include "faulty_db.h"

#include "disk/log_file.h"
#include "journal/journal.h"
#include "nlp/track_key.h"
#include "site/account.h"
#include "site/job.h"
#include "site/team.h"
#include "site/track.h"
#include "site/track_door.h"
#include "site/track_entrant.h"
#include "site/track_import.h"
#include "site/track_qualify.h"
#include "site/track_view.h"
#include "wire/jwt.h"

#include <stdlib.h>
#include <unistd.h>

#define HOUR INT64_C(3600000)
#define NOW  (INT64_C(1800000000000) / HOUR * HOUR)

static const char rules_text[] =
    "contest: cup\ndivision: nlp\n"
    "dates: {zone: UTC, opens: 2027-01-01 00:00, submission_closes: 2027-01-10 00:00}\n"
    "tracks: [{name: t5, config: nlp/t5.yml, self_matches: 2, matches_per_team: [5, 10]}]\n"
    "windows: [{track: t5, from: 2027-01-15 09:00, to: 2027-01-15 11:00},"
    " {track: t5, from: 2027-01-15 13:00, to: 2027-01-15 14:00}]\n";

typedef struct Scene {
    Db *db;
    SiteRules rules;
    TrackTurn turn;
    Spool *spool;
    int64_t teams[3];
    char data[48];
} Scene;

static const char *const names[] = {"ann", "bo", "cy"};

static void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void shell(const char *format, ...)
{
    char command[512];
    va_list args;

    va_start(args, format);
    vsnprintf(command, sizeof(command), format, args);
    va_end(args);
    assert_int_equal(system(command), 0);
}

static void scene_begin(void **state, Scene *scene)
{
    Err err = {0};

    *scene = (Scene){.db = site_place_open(state)};
    snprintf(scene->data, sizeof(scene->data), "/tmp/warg-track-XXXXXX");
    assert_non_null(mkdtemp(scene->data));
    if (contest_rules_read(str_of(rules_text), "", &scene->rules, &err))
        fail_msg("%s", err.msg);
    int64_t contest =
        site_number(scene->db, "INSERT INTO contest(name, state, file, digest, changed)"
                               " VALUES('cup', 'OPEN', '', '', 1) RETURNING id");
    assert_int_equal(spool_open(scene->data, &scene->spool, NULL), 0);
    scene->turn = (TrackTurn){.db = scene->db,
                              .home = {contest, STR("cup"), scene->data},
                              .rules = &scene->rules,
                              .state = LIFE_OPEN,
                              .spool = scene->spool,
                              .port = 8088,
                              .now_ms = INT64_C(1798800000000)}; /* in OPEN's days */
    for (int i = 0; i < 3; i++) {
        AccountSetup account = {.login = str_of(names[i]), .language = STR("en")};
        TeamSetup setup = {.contest = contest, .natural_language = true, .name = str_of(names[i])};
        assert_int_equal(account_make(scene->db, &account, NOW, &setup.captain, NULL), 0);
        assert_int_equal(team_found(scene->db, &setup, NOW, &scene->teams[i], NULL), 0);
        assert_int_equal(
            track_enter(scene->db, &scene->rules, scene->teams[i], STR("t5"), true, NOW, &err), 0);
    }
}

static void scene_end(Scene *scene)
{
    spool_close(scene->spool);
    contest_rules_done(&scene->rules);
    db_close(scene->db);
    shell("rm -rf '%s'", scene->data);
}

static void follow(Scene *scene)
{
    Err err = {0};

    if (track_follow(&scene->turn, &err) || jobs_flush(scene->db, scene->spool, &err))
        fail_msg("%s", err.msg);
}

static int64_t open_jobs(Scene *scene, bool main)
{
    return site_number(
        scene->db, main ? "SELECT count(*) FROM job WHERE kind = 'nlp' AND state IN ('NEW', 'PUT')"
                          " AND spec LIKE '%\"main\":true%'"
                        : "SELECT count(*) FROM job WHERE kind = 'nlp' AND state IN ('NEW', 'PUT')"
                          " AND spec LIKE '%\"main\":false%'");
}

/* A job that is open ends so. */
static void end_job(Scene *scene, const char *job_state, const char *result)
{
    char sql[256];

    snprintf(sql, sizeof(sql),
             "UPDATE job SET state = '%s', ended = %lld, result = '%s'"
             " WHERE state IN ('NEW', 'PUT') RETURNING 1",
             job_state, (long long)scene->turn.now_ms, result);
    site_number(scene->db, sql);
}

/* ---- games ---- */

typedef struct Played {
    const char *teams[5];
    Side winner;
    EndReason reason;
    bool failed; /* the first seat */
} Played;

static void play(Scene *scene, const char *part, uint64_t first, const Played *played, size_t count)
{
    char dir[128];
    Journal *journal = NULL;
    Err err = {0};

    snprintf(dir, sizeof(dir), "%s/contests/cup/tracks/t5/%s/logs", scene->data, part);
    shell("mkdir -p '%s'", dir);
    int rc = journal_exists(dir)
                 ? journal_continue(dir, &journal, &err)
                 : journal_begin(dir, STR("{\"division\":\"nlp\"}"), &journal, &err);
    if (rc)
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < count; i++) {
        static const Role roles[] = {ROLE_SEER, ROLE_VILLAGER, ROLE_VILLAGER, ROLE_POSSESSED,
                                     ROLE_WEREWOLF};
        GameRecord *record = mem_new(sizeof(*record));
        record->division = DIVISION_NLP;
        record->game = first + i;
        record->reason = played[i].reason;
        record->is_void = played[i].reason == END_ABORTED;
        record->result.seat_count = 5;
        record->result.winner = played[i].winner;
        snprintf(record->log, sizeof(record->log), "%d.log", (int)(first + i));
        for (SeatNo seat = 1; seat <= 5; seat++) {
            record->result.names[seat] = str_of(played[i].teams[seat - 1]);
            record->result.roles[seat] = roles[seat - 1];
            record->seats[seat] = (SeatRecord){.outside = true,
                                               .kind = SEAT_AGENT,
                                               .team = str_of(played[i].teams[seat - 1]),
                                               .failed = played[i].failed && seat == 1};
        }
        if (journal_add_game(journal, record, (Str){NULL, 0}, &err))
            fail_msg("%s", err.msg);
        mem_free(record);
    }
    assert_int_equal(journal_close(journal, &err), 0);
}

#define SELF(name, ...)                                                                            \
    {                                                                                              \
        {name, name, name, name, name}, __VA_ARGS__                                                \
    }

static void who_has_played_itself_twice_is_qualified(void **state)
{
    static const Played played[] = {
        SELF("ann", SIDE_VILLAGER, END_WIN, false),
        SELF("ann", SIDE_WEREWOLF, END_WIN, false),
        SELF("bo", SIDE_VILLAGER, END_WIN, false),
        SELF("bo", SIDE_VILLAGER, END_WIN, true),
        SELF("bo", SIDE_NONE, END_ABORTED, false),
        {{"bo", "bo", "bo", "bo", "cy"}, SIDE_WEREWOLF, END_WIN, false},
    };
    Scene scene;
    CLEANUP(buf_done) Buf out = {0};
    Json json = json_over(&out);
    uint32_t ready = 9;

    scene_begin(state, &scene);
    play(&scene, "check", 0, played, 6);
    follow(&scene);
    follow(&scene); /* twice changes nothing */
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM game"), 6);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM seat"), 30);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM game WHERE winner = 'ABORTED'"),
                     1);
    assert_int_equal(site_number(scene.db, "SELECT sum(counted) FROM game"), 0);
    assert_int_equal(track_ready(&scene.turn, &ready, NULL), 0);
    assert_int_equal(ready, 1);
    json_open(&json, '{');
    assert_int_equal(
        track_team_write(&scene.turn, scene.teams[1], STR("h.example"), false, &json, NULL), 0);
    json_close(&json);
    assert_non_null(strstr(buf_cstr(&out),
                           "\"track\":\"t5\",\"state\":\"IN\",\"qualified\":1,\"needed\":2,"
                           "\"url\":\"ws://h.example:8089/ws\",\"open\":false,\"connected\":[]"));
    scene.turn.state = LIFE_FROZEN;
    assert_int_equal(track_qualify(&scene.turn, NULL), 0);
    assert_int_equal(
        site_number(scene.db, "SELECT count(*) FROM entrant WHERE state = 'QUALIFIED'"), 1);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM entrant WHERE state = 'OUT'"), 2);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM notice WHERE kind = 'out'"), 2);
    assert_int_equal(track_ready(&scene.turn, &ready, NULL), 0);
    assert_int_equal(ready, 1);
    scene_end(&scene);
}

static void games_are_told_apart_and_taken_over_once(void **state)
{
    static const Played first[] = {
        {{"ann", "bo", "cy", "x", "y"}, SIDE_VILLAGER, END_WIN, false},
        {{"ann", "bo", "cy", "x", "y"}, SIDE_NONE, END_ABORTED, false},
        {{"ann", "bo", "cy", "x", "y"}, SIDE_NONE, END_MAX_DAY, false},
    };
    static const Played later[] = {{{"cy", "bo", "ann", "x", "y"}, SIDE_WEREWOLF, END_WIN, true}};
    Scene scene;
    char dir[128];
    Journal *journal = NULL;

    scene_begin(state, &scene);
    scene.turn.state = LIFE_FINAL;
    play(&scene, "main", 0, first, 3);
    follow(&scene);
    assert_int_equal(site_number(scene.db, "SELECT sum(counted) FROM game"), 1);
    play(&scene, "main", 3, later, 1);
    follow(&scene);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM game"), 4);
    assert_int_equal(site_number(scene.db, "SELECT sum(counted) FROM game"), 2);
    assert_int_equal(site_number(scene.db, "SELECT counted FROM run"), 2);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM game WHERE winner = 'NONE'"), 1);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM game WHERE winner = 'ABORTED'"),
                     1);
    assert_int_equal(site_number(scene.db, "SELECT sum(won) FROM seat"), 3 + 2);
    assert_int_equal(site_number(scene.db, "SELECT sum(failed) FROM seat"), 1);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM seat WHERE team IS NULL"), 8);

    snprintf(dir, sizeof(dir), "%s/contests/cup/tracks/t5/main/logs", scene.data);
    assert_int_equal(journal_continue(dir, &journal, NULL), 0);
    const OperatorAct act = {.kind = ACT_VOID, .target = ACT_OF_GAME, .number = 0, .by = STR("op")};
    assert_int_equal(journal_add_act(journal, &act, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    follow(&scene);
    assert_int_equal(site_number(scene.db, "SELECT sum(counted) FROM game"), 1);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM game WHERE void_by = -1"), 1);
    scene_end(&scene);
}

static int import_main(Db *db, void *user, Err *err)
{
    const Scene *scene = user;
    bool more;

    return track_import(db, &scene->turn.home, STR("t5"), TRACK_MAIN, NOW, &more, err);
}

/* Neither whether there is a ledger nor whether a game is known may be guessed. */
static void what_can_not_be_asked_is_not_taken_over(void **state)
{
    static const Played games[] = {
        {{"ann", "bo", "cy", "x", "y"}, SIDE_VILLAGER, END_WIN, false},
        {{"ann", "bo", "cy", "x", "y"}, SIDE_VILLAGER, END_WIN, false},
    };
    static const char *const asked[] = {"public_key IS NOT NULL", "SELECT 1 FROM game"};
    Scene scene;

    scene_begin(state, &scene);
    play(&scene, "main", 0, games, 2);
    for (size_t i = 0; i < 2; i++) {
        faulty_db_begin(scene.db, asked[i]);
        assert_true(db_transaction(scene.db, import_main, &scene, NULL) < 0);
        assert_int_equal(faulty_db_failed, 1); /* nothing goes on behind it */
        faulty_db_end(scene.db);
        assert_int_equal(site_number(scene.db, "SELECT count(*) FROM game"), 0);
    }
    assert_int_equal(db_transaction(scene.db, import_main, &scene, NULL), 0);
    assert_int_equal(site_number(scene.db, "SELECT games FROM run"), 2);
    scene_end(&scene);
}

/* ---- servers ---- */

static void a_server_runs_while_it_should(void **state)
{
    Scene scene;
    bool over = true;
    const int64_t first = INT64_C(1800003600000); /* 2027-01-15 09:00 UTC */

    scene_begin(state, &scene);
    follow(&scene);
    follow(&scene);
    assert_int_equal(open_jobs(&scene, false), 1);
    scene.turn.paused = true;
    follow(&scene);
    end_job(&scene, "STOPPED", "{}");
    follow(&scene);
    assert_int_equal(open_jobs(&scene, false), 0);
    scene.turn.paused = false;
    follow(&scene);
    assert_int_equal(open_jobs(&scene, false), 1);

    site_number(scene.db, "UPDATE entrant SET state = 'QUALIFIED' RETURNING 1");
    scene.turn.state = LIFE_FINAL;
    scene.turn.now_ms = first - 1;
    follow(&scene);
    assert_int_equal(open_jobs(&scene, false), 1); /* it ends, but has not yet */
    end_job(&scene, "STOPPED", "{}");
    follow(&scene);
    assert_int_equal(open_jobs(&scene, false) + open_jobs(&scene, true), 0);
    assert_int_equal(track_over(&scene.turn, &over, NULL), 0);
    assert_false(over);

    scene.turn.now_ms = first;
    follow(&scene);
    follow(&scene);
    assert_int_equal(open_jobs(&scene, true), 1);
    assert_int_equal(site_number(scene.db,
                                 "SELECT count(*) FROM job WHERE spec LIKE"
                                 " '%\"port\":8089,\"matches\":[5,10],\"teams\":[\"ann\",\"bo\","
                                 "\"cy\"]%'"),
                     1);
    assert_int_equal(
        site_number(scene.db, "SELECT count(DISTINCT mark) FROM notice"
                              " WHERE mark LIKE 'window:%:1%'"),
        site_number(scene.db, "SELECT count(*) FROM notice WHERE mark LIKE 'window:%:1%'"));
    scene.turn.now_ms = first + 2 * HOUR; /* over: the server is asked to end */
    follow(&scene);
    end_job(&scene, "STOPPED", "{\"complete\":false}");
    follow(&scene);
    assert_int_equal(open_jobs(&scene, true), 0);
    assert_int_equal(track_over(&scene.turn, &over, NULL), 0);
    assert_false(over); /* the make-up window is to come */
    scene.turn.now_ms = first + 4 * HOUR;
    follow(&scene);
    assert_int_equal(open_jobs(&scene, true), 1);
    end_job(&scene, "DONE", "{\"complete\":true}");
    follow(&scene);
    assert_int_equal(open_jobs(&scene, true), 0);
    assert_int_equal(track_over(&scene.turn, &over, NULL), 0);
    assert_true(over);
    scene_end(&scene);
}

static void who_is_away_is_planned_around(void **state)
{
    Scene scene;
    char path[128];
    const int64_t first = INT64_C(1800003600000);

    scene_begin(state, &scene);
    snprintf(path, sizeof(path), "%s/contests/cup/tracks/t5/away.json", scene.data);
    site_number(scene.db, "UPDATE entrant SET state = 'QUALIFIED' RETURNING 1");
    assert_int_equal(track_set_away(scene.db, scene.teams[1], STR("t5"), first, first + HOUR, NULL),
                     0);
    assert_int_equal(track_set_away(scene.db, scene.teams[1], STR("t5"), first, first, NULL),
                     ERR_RULE);
    assert_int_equal(track_set_away(scene.db, scene.teams[1], STR("t7"), first, first + 1, NULL),
                     ERR_RULE);
    scene.turn.state = LIFE_FINAL;
    for (int i = 0; i < 2; i++) {
        CLEANUP(buf_done) Buf text = {0};
        scene.turn.now_ms = first + i * HOUR;
        follow(&scene);
        assert_int_equal(log_file_read(path, 4096, &text, NULL), 0);
        assert_string_equal(buf_cstr(&text), i ? "[]" : "[\"bo\"]");
        if (i == 0) { /* it ends when nobody else can play; and begins again behind the hour */
            end_job(&scene, "DONE", "{\"complete\":false}");
            follow(&scene);
            assert_int_equal(open_jobs(&scene, true), 0);
        }
    }
    assert_int_equal(open_jobs(&scene, true), 1);
    scene_end(&scene);
}

/* With fewer teams than seats nothing can be played: no job comes and fails each minute, and an
 * organiser is told once. It begins as soon as there are enough; what is planned already goes on.
 */
static void too_few_teams_are_waited_for(void **state)
{
    static const char few[] = "SELECT count(*) FROM notice WHERE channel = 'site'"
                              " AND kind = 'awaited' AND body LIKE '%2 teams%5 seats%'";
    Scene scene;
    char config[96];

    scene_begin(state, &scene);
    snprintf(config, sizeof(config), "%s/t5.yml", scene.data);
    scene.rules.tracks[0].config = config;
    shell("cp \"$WARG_SOURCE/config/nlp/freeform_en_5.yml\" '%s'", config);
    site_number(scene.db, "INSERT INTO role(account, contest, role) SELECT account.id, contest.id,"
                          " 'organiser' FROM account, contest WHERE login = 'ann' RETURNING 1");
    site_number(scene.db, "UPDATE entrant SET state = 'QUALIFIED' RETURNING 1");
    site_number(scene.db, "UPDATE team SET state = 'OUT' WHERE name = 'cy' RETURNING 1");
    scene.turn.state = LIFE_FINAL;
    scene.turn.now_ms = INT64_C(1800003600000);
    for (int i = 0; i < 3; i++) {
        follow(&scene);
        assert_int_equal(site_number(scene.db, "SELECT count(*) FROM job"), 0);
        assert_int_equal(site_number(scene.db, few), 1);
        scene.turn.now_ms += 60000;
    }
    /* what has been planned is played, whoever has left since */
    shell("mkdir -p '%s/contests/cup/tracks/t5/main' && "
          "touch '%s/contests/cup/tracks/t5/main/schedule.json'",
          scene.data, scene.data);
    follow(&scene);
    assert_int_equal(open_jobs(&scene, true), 1);
    site_number(scene.db, "DELETE FROM job RETURNING 1");
    shell("rm '%s/contests/cup/tracks/t5/main/schedule.json'", scene.data);
    follow(&scene);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM job"), 0);
    site_number(scene.db,
                "INSERT INTO team(contest, name, state, created) SELECT id, 'dee', 'IN', 1"
                " FROM contest UNION ALL SELECT id, 'eve', 'IN', 1 FROM contest RETURNING 1");
    site_number(scene.db, "UPDATE team SET state = 'IN' WHERE name = 'cy' RETURNING 1");
    site_number(scene.db,
                "INSERT INTO entrant(team, track, state, at) SELECT id, 't5', 'QUALIFIED', 1"
                " FROM team WHERE name IN ('dee', 'eve') RETURNING 1");
    follow(&scene);
    assert_int_equal(open_jobs(&scene, true), 1);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM notice WHERE kind = 'awaited'"),
                     1);
    scene_end(&scene);
}

static TimeUs test_time;

static TimeUs time_of_test(void)
{
    return test_time;
}

static void a_server_that_fails_is_begun_again_later(void **state)
{
    RetryWaits waits = {.now = time_of_test};
    Scene scene;

    scene_begin(state, &scene);
    scene.turn.waits = &waits;
    follow(&scene);
    end_job(&scene, "FAILED", "{}");
    follow(&scene);
    assert_int_equal(open_jobs(&scene, false), 0);
    scene.turn.now_ms += 60000; /* the date says nothing: it may jump, or stand still */
    follow(&scene);
    assert_int_equal(open_jobs(&scene, false), 0);
    test_time += RETRY_MINUTE;
    follow(&scene);
    assert_int_equal(open_jobs(&scene, false), 1);
    scene_end(&scene);
}

static void who_is_connected_and_why_somebody_was_not_is_told(void **state)
{
    Scene scene;
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(buf_done) Buf all = {0};
    Json json = json_over(&out), list = json_over(&all);

    scene_begin(state, &scene);
    shell("mkdir -p '%s/contests/cup/tracks/t5/check'", scene.data);
    shell("echo '{\"port\":4711,\"waiting\":[{\"name\":\"bo1\",\"team\":\"bo\"},{\"name\":\"ann1\","
          "\"team\":\"ann\"},{\"name\":\"bo2\",\"team\":\"bo\"}],\"awaited\":[\"cy\"],\"closed\":[{"
          "\"team\":\"bo\",\"code\":1008,\"why\":\"token: expired\",\"at\":\"x\"}]}'"
          " > '%s/contests/cup/tracks/t5/check/status.json'",
          scene.data);
    json_open(&json, '{');
    assert_int_equal(track_team_write(&scene.turn, scene.teams[1], STR("h"), false, &json, NULL),
                     0);
    json_close(&json);
    assert_non_null(strstr(buf_cstr(&out), "\"url\":\"ws://h:4711/ws\",\"open\":true,"
                                           "\"connected\":[\"bo1\",\"bo2\"],\"closed\":{\"code\":"
                                           "1008,\"words\":\"the token is missing"));
    json_open(&list, '{');
    assert_int_equal(track_waiting_write(&scene.turn, STR("t5"), &list, NULL), 0);
    json_close(&list);
    assert_non_null(strstr(buf_cstr(&all), "\"waiting\":[\"bo\",\"ann\"],\"awaited\":[\"cy\"]"));
    assert_int_equal(track_waiting_write(&scene.turn, STR("nope"), &list, NULL), ERR_RULE);
    scene_end(&scene);
}

/* A main match with a seat that fell silent, and a team in quarantine: both sides are told, once.
 */
static void who_does_not_answer_is_told_and_so_are_organisers(void **state)
{
    static const Played played[] = {
        {{"bo", "ann", "cy", "ann", "cy"}, SIDE_WEREWOLF, END_WIN, true},
        {{"bo", "ann", "cy", "ann", "cy"}, SIDE_NONE, END_ABORTED, true},
    };
    Scene scene;

    scene_begin(state, &scene);
    site_number(scene.db, "UPDATE entrant SET state = 'QUALIFIED' RETURNING 1");
    site_number(scene.db, "INSERT INTO role(account, contest, role)"
                          " SELECT id, 1, 'organiser' FROM account WHERE login = 'cy' RETURNING 1");
    scene.turn.state = LIFE_FINAL;
    scene.turn.now_ms = scene.rules.windows[0].from_ms;
    play(&scene, "check", 0, played, 1); /* there it is everybody's own affair */
    follow(&scene);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM notice WHERE kind = 'failing'"),
                     0);
    play(&scene, "main", 0, played, 2);
    shell("echo '{\"port\":1,\"awaited\":[],\"quarantined\":[{\"team\":\"ann\",\"until\":"
          "1798804000}]}' > '%s/contests/cup/tracks/t5/main/status.json'",
          scene.data);
    follow(&scene);
    follow(&scene);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM notice WHERE kind = 'failing'"),
                     4);
    for (int i = 0; i < 2; i++) { /* bo is told, ann is, and cy of both */
        char sql[256];
        snprintf(sql, sizeof(sql),
                 "SELECT count(*) FROM notice WHERE kind = 'failing' AND team = %lld",
                 (long long)scene.teams[i]);
        assert_int_equal(site_number(scene.db, sql), 1);
    }
    assert_int_equal(site_number(scene.db,
                                 "SELECT count(*) FROM notice WHERE kind = 'failing' AND body"
                                 " LIKE '%an agent of bo stopped answering in match 0%'"
                                 " AND body LIKE '%対戦0でboのエージェントが応答しなく%'"),
                     2);
    assert_int_equal(site_number(scene.db,
                                 "SELECT count(*) FROM notice WHERE kind = 'failing' AND body"
                                 " LIKE '%come behind those of the others%'"),
                     2);
    scene_end(&scene);
}

static void a_token_is_of_its_track_and_team(void **state)
{
    Scene scene;
    CLEANUP(buf_done) Buf token = {0};
    CLEANUP(buf_done) Buf again = {0};
    char secret[KEY_HEX_BYTES], other[KEY_HEX_BYTES];
    JwtClaims claims = {0};
    Key tokens;

    scene_begin(state, &scene);
    assert_int_equal(
        track_token(&scene.turn.home, STR("t5"), STR("bo"), NOW, NOW + HOUR, &token, NULL), 0);
    assert_int_equal(
        track_token(&scene.turn.home, STR("t5"), STR("bo"), NOW, NOW + HOUR, &again, NULL), 0);
    assert_string_equal(buf_cstr(&token), buf_cstr(&again)); /* the secret is drawn once */
    char home[96];
    snprintf(home, sizeof(home), "%s/contests/cup", scene.data);
    shell("test \"$(stat -c %%a '%s/secret/tokens')\" = 600", home);
    CLEANUP(buf_done) Buf hex = {0};
    char path[128];
    snprintf(path, sizeof(path), "%s/secret/tokens", home);
    assert_int_equal(log_file_read(path, 4096, &hex, NULL), 0);
    assert_true(key_from_hex(str_trim(buf_str(&hex)), &tokens));
    track_key(&tokens, STR("t5"), secret);
    track_key(&tokens, STR("t9"), other);
    assert_int_equal(jwt_check(buf_str(&token), str_of(secret), NOW / 1000, &claims, NULL), 0);
    assert_string_equal(claims.team, "bo");
    assert_string_equal(claims.role, "PLAYER");
    assert_int_equal(jwt_check(buf_str(&token), str_of(other), NOW / 1000, &claims, NULL),
                     ERR_RULE);
    assert_int_equal(
        jwt_check(buf_str(&token), str_of(secret), (NOW + 2 * HOUR) / 1000, &claims, NULL),
        ERR_RULE);
    scene_end(&scene);
}

static void tracks_are_chosen_while_it_is_open(void **state)
{
    Scene scene;

    scene_begin(state, &scene);
    assert_int_equal(
        track_enter(scene.db, &scene.rules, scene.teams[0], STR("t7"), true, NOW, NULL), ERR_RULE);
    assert_int_equal(track_leave(scene.db, scene.teams[0], STR("t5"), false, NULL), ERR_RULE);
    assert_int_equal(track_leave(scene.db, scene.teams[0], STR("t5"), true, NULL), 0);
    assert_int_equal(site_number(scene.db, "SELECT count(*) FROM entrant"), 2);
    assert_int_equal(
        track_enter(scene.db, &scene.rules, scene.teams[0], STR("t5"), false, NOW, NULL), ERR_RULE);
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(who_has_played_itself_twice_is_qualified),
        ON_BOTH(games_are_told_apart_and_taken_over_once),
        ON_BOTH(what_can_not_be_asked_is_not_taken_over),
        ON_BOTH(a_server_runs_while_it_should),
        ON_BOTH(who_is_away_is_planned_around),
        ON_BOTH(too_few_teams_are_waited_for),
        ON_SQLITE(a_server_that_fails_is_begun_again_later),
        ON_BOTH(who_is_connected_and_why_somebody_was_not_is_told),
        ON_BOTH(who_does_not_answer_is_told_and_so_are_organisers),
        ON_SQLITE(a_token_is_of_its_track_and_team),
        ON_BOTH(tracks_are_chosen_while_it_is_open),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
