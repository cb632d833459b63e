#include "site/stage.h"

#include "archive/remark.h"
#include "base/mem.h"
#include "site/import.h"
#include "site/lot.h"
#include "site/notice.h"
#include "site/ruling.h"
#include "site/stage_job.h"
#include "site/team.h"
#include "site/version.h"
#include "wire/json_read.h"

#define FAILED_MAX 5 /* then an organiser decides, by trying it again */

/* States of a row of `play`. */
#define PLAY_BEGUN   "BEGUN"
#define PLAY_WAITING "WAITING" /* for a ruling: another job would end as the last one */
#define PLAY_OVER    "OVER"

/* A row of `play`. */
typedef struct Play {
    bool there;
    Buf job, state, detail;
    int64_t began_ms, ended_ms;
} Play;

static void play_done(Play *play)
{
    buf_done(&play->job);
    buf_done(&play->state);
    buf_done(&play->detail);
}

static Str stage_name(const StageTurn *turn, uint32_t stage)
{
    return stage < turn->rules->plan.stage_count ? str_of(turn->rules->plan.stages[stage].name)
                                                 : (Str){0};
}

/* Games that came since the last look, if there are any. */
static int import_news(Db *db, const ImportFolder *folder, Err *err)
{
    bool whole = false, more;
    int rc = import_is_whole(db, folder, &whole, err);

    return rc || whole ? rc : import_folder(db, folder, IMPORT_GAMES, &more, err);
}

static ContestHome home_of(const StageTurn *turn)
{
    return (ContestHome){turn->contest->id, buf_str(&turn->contest->name), turn->data};
}

/* ---- rows ---- */

static int read_play(Db *db, int64_t contest, Str stage, uint32_t round, Play *ret_play, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT COALESCE(job, ''), state, COALESCE(detail, ''), began,"
                      " COALESCE(ended, 0) FROM play"
                      " WHERE contest = ?1 AND stage = ?2 AND round = ?3",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    db_bind_text(query, 2, stage);
    db_bind_int(query, 3, round);
    rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    buf_add(&ret_play->job, db_text(query, 0));
    buf_add(&ret_play->state, db_text(query, 1));
    buf_add(&ret_play->detail, db_text(query, 2));
    ret_play->began_ms = db_int(query, 3);
    ret_play->ended_ms = db_int(query, 4);
    ret_play->there = true;
    db_reset(query);
    return buf_failed(&ret_play->job) || buf_failed(&ret_play->state) ||
                   buf_failed(&ret_play->detail)
               ? err_set(err, ERR_MEMORY, "stage: out of memory")
               : 0;
}

static int add_play(const StageTurn *turn, Str stage, uint32_t round, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->db,
                      "INSERT INTO play(contest, stage, round, state, began)"
                      " VALUES(?1, ?2, ?3, '" PLAY_BEGUN "', ?4)"
                      " ON CONFLICT(contest, stage, round) DO NOTHING",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    db_bind_text(query, 2, stage);
    db_bind_int(query, 3, round);
    db_bind_int(query, 4, turn->now_ms);
    return db_step(query, err);
}

/* ---- beginning ---- */

/* Those who play: the agents of the whole contest, as the first stage begins. */
static int add_teams(const StageTurn *turn, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->db,
                      "INSERT INTO player(contest, team) SELECT ?1, id FROM team"
                      " WHERE contest = ?1 AND state = 'IN' AND EXISTS(SELECT 1 FROM version v"
                      " WHERE v.team = team.id AND v.state = 'ACTIVE')"
                      " ON CONFLICT(contest, team) DO NOTHING",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    return db_step(query, err);
}

int stage_begin(const StageTurn *turn, uint32_t stage, Err *err)
{
    CLEANUP(play_done) Play play = {0};
    int rc = read_play(turn->db, turn->contest->id, stage_name(turn, stage), 0, &play, err);

    if (rc || play.there)
        return rc;
    rc = stage == 0 ? add_teams(turn, err) : 0;
    return rc ? rc : add_play(turn, stage_name(turn, stage), 0, err);
}

/* ---- following ---- */

static bool is_state(const Play *play, const char *state)
{
    return str_eq(buf_str(&play->state), str_of(state));
}

/* The job of a row, and whether it is under way. */
static int find_job(const StageTurn *turn, const Play *play, JobRow *ret_row, bool *ret_open,
                    Err *err)
{
    *ret_open = false;
    if (!play->job.len)
        return 0;
    int rc = job_find(turn->db, buf_str(&play->job), ret_row, err);
    *ret_open = rc == 0 && ret_row->id.len && ret_row->state <= JOB_PUT;
    return rc;
}

static int count_games(const StageTurn *turn, Str stage, uint64_t *ret_games, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->db,
                      "SELECT CAST(COALESCE(SUM(counted), 0) AS BIGINT) FROM run"
                      " WHERE contest = ?1 AND stage = ?2 AND round = 0",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    db_bind_text(query, 2, stage);
    rc = db_step(query, err);
    *ret_games = rc > 0 ? (uint64_t)db_int(query, 0) : 0;
    return rc < 0 ? rc : 0;
}

/* What the row's detail says: {"rounds":N} of one that is over, else {"why":"..."}. */
static void take_detail(const Play *play, StageState *state)
{
    json_t *json = NULL;

    if (json_read(buf_str(&play->detail), SPOOL_JOB_MAX, &json, NULL) != 0)
        return;
    const Str why = json_text(json, "why");
    state->rounds = (uint64_t)json_number(json, "rounds");
    snprintf(state->why, sizeof(state->why), "%.*s", STR_ARG(why));
    json_done(json);
}

static int look_at(const StageTurn *turn, uint32_t stage, Play *play, JobRow *job,
                   StageState *ret_state, Err *err)
{
    *ret_state = (StageState){0};
    int rc = read_play(turn->db, turn->contest->id, stage_name(turn, stage), 0, play, err);
    if (rc || !play->there)
        return rc;
    ret_state->begun = true;
    ret_state->over = is_state(play, PLAY_OVER);
    ret_state->cut_is_tied = is_state(play, PLAY_WAITING);
    take_detail(play, ret_state);
    rc = find_job(turn, play, job, &ret_state->playing, err);
    ret_state->failing = job->state == JOB_FAILED && job->id.len;
    if (rc == 0 && ret_state->over) { /* all of it is in the store first */
        const ImportFolder folder = {.home = home_of(turn), .folder = STAGE_FOLDER};
        rc = import_is_whole(turn->db, &folder, &ret_state->over, err);
    }
    return rc ? rc : count_games(turn, stage_name(turn, stage), &ret_state->games, err);
}

int stage_look(const StageTurn *turn, uint32_t stage, StageState *ret_state, Err *err)
{
    CLEANUP(play_done) Play play = {0};
    CLEANUP(job_row_done) JobRow job = {0};

    return look_at(turn, stage, &play, &job, ret_state, err);
}

static int set_job(Db *db, int64_t contest, Str stage, uint32_t round, Str job, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "UPDATE play SET job = ?4, state = '" PLAY_BEGUN "'"
                      " WHERE contest = ?1 AND stage = ?2 AND round = ?3",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    db_bind_text(query, 2, stage);
    db_bind_int(query, 3, round);
    db_bind_text(query, 4, job);
    return db_step(query, err);
}

/* A job that is to be put with its row. */
typedef struct Putting {
    const StageTurn *turn;
    Str stage;
    uint32_t round;
    Str spec;
    bool waiting; /* for the next try: only the organiser's is taken */
} Putting;

/* Jobs of the same text: how many have failed, and the one that an organiser has tried again (empty
 * = none). */
static int find_alike(const Putting *putting, int64_t *ret_failed, Buf *ret_open, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(putting->turn->db,
                      "SELECT COALESCE(SUM(CASE WHEN state = 'FAILED' THEN 1 ELSE 0 END), 0),"
                      " COALESCE(MAX(CASE WHEN state IN ('NEW', 'PUT') THEN id END), '')"
                      " FROM job WHERE contest = ?1 AND kind = 'play' AND spec = ?2",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, putting->turn->contest->id);
    db_bind_text(query, 2, putting->spec);
    rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    *ret_failed = db_int(query, 0);
    buf_add(ret_open, db_text(query, 1));
    db_reset(query);
    return buf_failed(ret_open) ? err_set(err, ERR_MEMORY, "stage: out of memory") : 0;
}

static int put_in_transaction(Db *db, void *user, Err *err)
{
    const Putting *putting = user;
    const StageTurn *turn = putting->turn;
    CLEANUP(buf_done) Buf open = {0};
    char id[ID_ULID_BYTES];
    int64_t failed = 0;
    int rc = find_alike(putting, &failed, &open, err);

    if (rc || (!open.len && (putting->waiting || failed >= FAILED_MAX)))
        return rc;
    if (!open.len) {
        rc = job_put(db, turn->contest->id, "play", putting->spec, turn->now_ms, id, err);
        buf_add(&open, str_of(id));
    }
    return rc ? rc
              : set_job(db, turn->contest->id, putting->stage, putting->round, buf_str(&open), err);
}

static int flush_jobs(const StageTurn *turn, Err *err)
{
    return turn->spool ? jobs_flush(turn->db, turn->spool, err) : 0;
}

/* Whether all that the stage's chance needs is known. */
static int is_settled(const StageTurn *turn, uint32_t stage, bool *ret_settled, Err *err)
{
    LotsState lots = {0};
    int rc = lots_state(turn->db, turn->contest->id, stage_name(turn, stage), &lots, err);

    *ret_settled = lots.settled;
    return rc;
}

/* Nothing stands in the way of a job, nor of the one under way: a pause, a ruling that is to be
 * written. */
static int may_play(const StageTurn *turn, uint32_t stage, bool *ret_may, Err *err)
{
    uint32_t waiting = 0;
    bool settled = false;
    int rc = rulings_waiting(turn->db, turn->contest->id, &waiting, err);

    if (rc == 0)
        rc = is_settled(turn, stage, &settled, err);
    *ret_may = rc == 0 && !turn->contest->paused && !waiting && settled;
    return rc;
}

/* Another ruling than when it began to wait: then it is tried again. */
static int is_ruled_since(const StageTurn *turn, const Play *play, bool *ret_ruled, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->db,
                      "SELECT COUNT(*) FROM ruling WHERE contest = ?1 AND applied IS NOT NULL"
                      " AND failed IS NULL AND at >= ?2",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    db_bind_int(query, 2, play->ended_ms);
    rc = db_step(query, err);
    *ret_ruled = rc > 0 && db_int(query, 0) > 0;
    return rc < 0 ? rc : 0;
}

/* A job that failed is left alone for a minute. */
static bool has_to_wait(const StageTurn *turn, const JobRow *job)
{
    return retry_waits(turn->waits, buf_str(&job->id), RETRY_MINUTE);
}

/* The same agents, with the same programs, until the same date. */
static bool is_same_spec(const JobRow *job, const Buf *spec)
{
    return str_eq(buf_str(&job->spec), buf_str(spec));
}

static int go_on(const StageTurn *turn, uint32_t stage, const Play *play, const JobRow *job,
                 const StageState *state, Err *err)
{
    CLEANUP(buf_done) Buf spec = {0};
    bool may = false, ruled = false;
    int rc = may_play(turn, stage, &may, err);

    if (rc == 0)
        rc = stage_job_write(turn, stage, &spec, err);
    if (rc)
        return rc;
    if (state->playing) {
        if ((may && is_same_spec(job, &spec)) || !turn->spool)
            return 0;
        return job_stop(turn->db, turn->spool, buf_str(&play->job), err);
    }
    if (!may)
        return 0;
    if (state->cut_is_tied)
        rc = is_ruled_since(turn, play, &ruled, err);
    if (rc || (state->cut_is_tied && !ruled))
        return rc;
    Putting putting = {.turn = turn,
                       .stage = stage_name(turn, stage),
                       .spec = buf_str(&spec),
                       .waiting = state->failing && has_to_wait(turn, job)};
    rc = db_transaction(turn->db, put_in_transaction, &putting, err);
    return rc ? rc : flush_jobs(turn, err);
}

int stage_catch_up(const StageTurn *turn, Err *err)
{
    const ImportFolder folder = {.home = home_of(turn), .folder = STAGE_FOLDER};

    return import_news(turn->db, &folder, err);
}

int stage_follow(const StageTurn *turn, uint32_t stage, StageState *ret_state, Err *err)
{
    CLEANUP(play_done) Play play = {0};
    CLEANUP(job_row_done) JobRow job = {0};
    int rc = look_at(turn, stage, &play, &job, ret_state, err);

    if (rc || !ret_state->begun)
        return rc;
    const ImportFolder folder = {
        .home = home_of(turn), .folder = STAGE_FOLDER, .job = buf_str(&play.job)};
    rc = import_news(turn->db, &folder, err);
    if (rc == 0 && !is_state(&play, PLAY_OVER))
        rc = go_on(turn, stage, &play, &job, ret_state, err);
    if (rc)
        return rc;
    play_done(&play);
    job_row_done(&job);
    play = (Play){0};
    job = (JobRow){0};
    return look_at(turn, stage, &play, &job, ret_state, err);
}

int stage_hold(const StageTurn *turn, uint32_t stage, Err *err)
{
    CLEANUP(play_done) Play play = {0};
    CLEANUP(job_row_done) JobRow job = {0};
    StageState state;
    int rc = look_at(turn, stage, &play, &job, &state, err);

    return rc == 0 && state.begun && state.playing && turn->spool
               ? job_stop(turn->db, turn->spool, buf_str(&play.job), err)
               : rc;
}

int stage_each_advanced(Db *db, int64_t contest, Str stage,
                        int (*hear)(void *user, int64_t team, Str name, Err *err), void *user,
                        Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT t.id, t.name FROM advance a JOIN team t ON t.id = a.team"
                      " WHERE a.contest = ?1 AND a.stage = ?2 ORDER BY a.place",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    db_bind_text(query, 2, stage);
    while ((rc = db_step(query, err)) > 0) {
        rc = hear(user, db_int(query, 0), db_text(query, 1), err);
        if (rc)
            return rc;
    }
    return rc;
}

/* ---- testing ---- */

static bool takes_versions(const StageTurn *turn)
{
    return turn->contest->state == LIFE_OPEN || turn->contest->state == LIFE_REVISION;
}

/* The last round: its number, when it began, whether it is under way. */
static int last_round(const StageTurn *turn, uint32_t *ret_round, int64_t *ret_began,
                      bool *ret_open, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->db,
                      "SELECT round, began, state FROM play WHERE contest = ?1"
                      " AND stage = '" SPOOL_STAGE_TRY "' ORDER BY round DESC LIMIT 1",
                      &query, err);

    *ret_round = 0;
    *ret_began = 0;
    *ret_open = false;
    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    *ret_round = (uint32_t)db_int(query, 0);
    *ret_began = db_int(query, 1);
    *ret_open = str_eq(db_text(query, 2), STR(PLAY_BEGUN));
    return 0;
}

int testing_begin(const StageTurn *turn, uint32_t *ret_round, Err *err)
{
    CLEANUP(buf_done) Buf spec = {0};
    uint32_t round = 0;
    int64_t began;
    bool open = false, some = false;
    int rc = last_round(turn, &round, &began, &open, err);

    *ret_round = 0;
    if (rc || open || !takes_versions(turn) || !turn->rules->testing.part_count)
        return rc;
    rc = stage_job_write_testing(turn, round + 1, &spec, &some, err);
    if (rc || !some)
        return rc;
    rc = add_play(turn, STR(SPOOL_STAGE_TRY), round + 1, err);
    Putting putting = {
        .turn = turn, .stage = STR(SPOOL_STAGE_TRY), .round = round + 1, .spec = buf_str(&spec)};
    if (rc == 0)
        rc = put_in_transaction(turn->db, &putting, err);
    if (rc == 0)
        *ret_round = round + 1;
    return rc;
}

static int begin_in_transaction(Db *db, void *user, Err *err)
{
    uint32_t round;

    (void)db;
    return testing_begin(user, &round, err);
}

static int import_round(const StageTurn *turn, uint32_t round, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};

    stage_job_folder(round, &name);
    if (buf_failed(&name))
        return err_set(err, ERR_MEMORY, "testing: out of memory");
    const ImportFolder folder = {.home = home_of(turn), .folder = buf_cstr(&name), .round = round};
    return import_news(turn->db, &folder, err);
}

/* A round whose job was stopped, or failed by our fault, goes on. */
static int go_on_testing(const StageTurn *turn, uint32_t round, Err *err)
{
    CLEANUP(play_done) Play play = {0};
    CLEANUP(job_row_done) JobRow job = {0};
    bool open = false;
    int rc = read_play(turn->db, turn->contest->id, STR(SPOOL_STAGE_TRY), round, &play, err);

    if (rc == 0)
        rc = find_job(turn, &play, &job, &open, err);
    if (rc == 0 && open && turn->contest->paused && turn->spool)
        return job_stop(turn->db, turn->spool, buf_str(&play.job), err);
    if (rc || open || turn->contest->paused || !job.id.len)
        return rc;
    Putting putting = {.turn = turn,
                       .stage = STR(SPOOL_STAGE_TRY),
                       .round = round,
                       .spec = buf_str(&job.spec),
                       .waiting = job.state == JOB_FAILED && has_to_wait(turn, &job)};
    rc = db_transaction(turn->db, put_in_transaction, &putting, err);
    return rc ? rc : flush_jobs(turn, err);
}

int testing_follow(const StageTurn *turn, Err *err)
{
    const int64_t moment = contest_rules_testing_moment(turn->rules, turn->now_ms);
    uint32_t round = 0;
    int64_t began = 0;
    bool open = false;
    StageTurn copy = *turn;
    int rc = last_round(turn, &round, &began, &open, err);

    if (rc == 0 && round)
        rc = import_round(turn, round, err);
    if (rc == 0 && open)
        return go_on_testing(turn, round, err);
    if (rc || turn->contest->paused || !takes_versions(turn) || moment == LIFE_NO_DATE ||
        began >= moment || turn->contest->changed_ms > moment)
        return rc;
    rc = db_transaction(turn->db, begin_in_transaction, &copy, err);
    return rc ? rc : flush_jobs(turn, err);
}

/* ---- results ---- */

/* What a job came to, in its row. */
typedef struct Came {
    Db *db;
    const JobRow *job;
    const json_t *result, *spec;
    Str stage;
    uint32_t round;
    int64_t now_ms;
} Came;

static int set_state(const Came *came, const char *state, Str why, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf detail = {0};
    Json json = json_over(&detail);
    int rc = db_query(came->db,
                      "UPDATE play SET state = ?4, ended = ?5, detail = ?6"
                      " WHERE contest = ?1 AND stage = ?2 AND round = ?3 AND job = ?7",
                      &query, err);

    json_open(&json, '{');
    json_add_uint(&json, "rounds", (uint64_t)json_number(came->result, "rounds"));
    json_add_uint(&json, "games", (uint64_t)json_number(came->result, "games"));
    json_add_str(&json, "why", why);
    json_close(&json);
    if (rc == 0 && buf_failed(&detail))
        rc = err_set(err, ERR_MEMORY, "stage: out of memory");
    if (rc)
        return rc;
    db_bind_int(query, 1, came->job->contest);
    db_bind_text(query, 2, came->stage);
    db_bind_int(query, 3, came->round);
    db_bind_text(query, 4, str_of(state));
    db_bind_int(query, 5, came->now_ms);
    db_bind_text(query, 6, buf_str(&detail));
    db_bind_text(query, 7, buf_str(&came->job->id));
    return db_step(query, err);
}

/* Who goes on: a finalist from now on. */
static int add_advanced(const Came *came, Str name, size_t place, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(came->db,
                      "INSERT INTO advance(contest, stage, team, place) SELECT ?1, ?2, id, ?4"
                      " FROM team WHERE contest = ?1 AND name = ?3"
                      " ON CONFLICT(contest, stage, team) DO UPDATE SET place = excluded.place"
                      " RETURNING team",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, came->job->contest);
    db_bind_text(query, 2, came->stage);
    db_bind_text(query, 3, name);
    db_bind_int(query, 4, (int64_t)place + 1);
    rc = db_step(query, err);
    const int64_t team = rc > 0 ? db_int(query, 0) : 0;
    db_reset(query);
    if (rc <= 0)
        return rc;
    const NoticeWord words[] = {{"team", name}};
    const Notice notice = {.kind = NOTICE_FINALIST,
                           .to = TO_TEAM,
                           .id = team,
                           .contest = came->job->contest,
                           .words = words,
                           .word_count = 1,
                           .mark = "finalist"};
    rc = team_set_finalist(came->db, team, true, err);
    return rc ? rc : notice_put(came->db, &notice, came->now_ms, err);
}

static int end_of_stage(const Came *came, Err *err)
{
    JsonReader reader = {.err = err};
    const json_t *names = json_get_list(&reader, came->result, "advanced");
    int rc = reader.rc;

    for (size_t i = 0; i < json_count(names) && rc == 0; i++) {
        Str name;
        if (json_as_str(json_at(names, i), &name))
            rc = add_advanced(came, name, i, err);
    }
    return rc ? rc : set_state(came, PLAY_OVER, (Str){0}, err);
}

typedef struct Played {
    int64_t team, version; /* 0 = none */
    int64_t number;        /* of the version, that its team knows it by */
} Played;

/* The version of a round that caused trouble, if it is the active one still, and the contest takes
 * another one in its place: what is frozen meanwhile plays, whatever it did before. */
static int find_version(const Came *came, Str team, Played *ret_played, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    JsonReader reader = {.err = err};
    const json_t *agents = json_get_list(&reader, came->spec, "agents");
    Str tree = {0};
    int rc = db_query(came->db,
                      "SELECT t.id, v.id, v.number FROM team t JOIN version v ON v.team = t.id"
                      " JOIN contest c ON c.id = t.contest"
                      " WHERE t.contest = ?1 AND t.name = ?2 AND v.tree = ?3"
                      " AND v.state = 'ACTIVE' AND c.state IN ('OPEN', 'REVISION')",
                      &query, err);

    *ret_played = (Played){0};
    for (size_t i = 0; i < json_count(agents); i++)
        if (str_eq(json_text(json_at(agents, i), "team"), team))
            tree = json_text(json_at(agents, i), "tree");
    if (rc || !tree.len)
        return rc;
    db_bind_int(query, 1, came->job->contest);
    db_bind_text(query, 2, team);
    db_bind_text(query, 3, tree);
    rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    *ret_played =
        (Played){.team = db_int(query, 0), .version = db_int(query, 1), .number = db_int(query, 2)};
    return 0;
}

static int suspend(const Came *came, const json_t *trouble, Err *err)
{
    CLEANUP(buf_done) Buf why = {0};
    const Str team = json_text(trouble, "team"), text = json_text(trouble, "text"),
              log = json_text(trouble, "log");
    char round[REMARK_NUMBER];
    CLEANUP(buf_done) Buf japanese = {0};
    CLEANUP(buf_done) Buf number = {0};
    Played played = {0};
    int rc = find_version(came, team, &played, err);

    if (rc ||
        !played.version) /* it was suspended for something else, or another one plays by now */
        return rc;
    const Str values[REMARK_VALUES] = {remark_number(came->round, round), text, log};
    remark_write(log.len ? REMARK_ROUND_LOG : REMARK_ROUND, values, &why);
    remark_say(buf_str(&why), true, &japanese);
    buf_add_int(&number, played.number);
    const NoticeWord words[] = {{"team", team},
                                {"version", buf_str(&number)},
                                {"why", buf_str(&why)},
                                {"why_ja", buf_str(&japanese)}};
    const Notice notice = {.kind = NOTICE_VERSION_SUSPENDED,
                           .to = TO_TEAM,
                           .id = played.team,
                           .contest = came->job->contest,
                           .words = words,
                           .word_count = sizeof(words) / sizeof(words[0])};
    if (buf_failed(&why) || buf_failed(&japanese) || buf_failed(&number))
        return err_set(err, ERR_MEMORY, "testing: out of memory");
    rc = version_suspend(came->db, played.version, buf_str(&why), err);
    return rc ? rc : notice_put(came->db, &notice, came->now_ms, err);
}

static int end_of_round(const Came *came, Err *err)
{
    JsonReader reader = {.err = err};
    const json_t *list = json_get_list(&reader, came->result, "trouble");
    int rc = reader.rc;

    for (size_t i = 0; i < json_count(list) && rc == 0; i++)
        if (str_eq(json_text(came->spec, "on_error"), STR("suspend")))
            rc = suspend(came, json_at(list, i), err);
    return rc ? rc : set_state(came, PLAY_OVER, (Str){0}, err);
}

static int tell_failed(const Came *came, Str why, Err *err)
{
    const FailedJob failed = {.contest = came->job->contest,
                              .job = buf_str(&came->job->id),
                              .what = came->stage,
                              .why = why,
                              .mark = buf_cstr(&came->job->id)};
    int rc = set_state(came, PLAY_BEGUN, why, err);

    return rc ? rc : notice_job_failed(came->db, &failed, came->now_ms, err);
}

static int take_result(const Came *came, const JobOutcome *outcome, Err *err)
{
    bool over = false, waiting = false;

    if (outcome->state == JOB_FAILED)
        return tell_failed(came, outcome->why, err);
    json_as_bool(json_get(came->result, "over"), &over);
    json_as_bool(json_get(came->result, "waiting"), &waiting);
    if (waiting && !over)
        return set_state(came, PLAY_WAITING, json_text(came->result, "note"), err);
    if (!over)
        return set_state(came, PLAY_BEGUN, (Str){0}, err);
    return came->round ? end_of_round(came, err) : end_of_stage(came, err);
}

int stage_handle(Db *db, const JobRow *job, const JobOutcome *outcome, int64_t now_ms, void *user,
                 Err *err)
{
    json_t *spec = NULL;
    int rc = json_read(buf_str(&job->spec), SPOOL_JOB_MAX, &spec, err);

    (void)user;
    if (rc)
        return rc;
    const Came came = {.db = db,
                       .job = job,
                       .result = outcome->result,
                       .spec = spec,
                       .stage = json_text(spec, "stage"),
                       .round = (uint32_t)json_number(spec, "round"),
                       .now_ms = now_ms};
    rc = take_result(&came, outcome, err);
    json_done(spec);
    return rc;
}
