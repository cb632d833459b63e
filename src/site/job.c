#include "site/job.h"

#include "base/json.h"
#include "wire/json_read.h"

static const char *const states[JOB_STATES] = {"NEW", "PUT", "DONE", "FAILED", "STOPPED"};

const char *job_state_name(JobState state)
{
    return state < JOB_STATES ? states[state] : "";
}

bool job_state_of(Str name, JobState *ret_state)
{
    for (JobState state = 0; state < JOB_STATES; state++)
        if (str_eq(name, str_of(states[state]))) {
            *ret_state = state;
            return true;
        }
    return false;
}

void job_row_done(JobRow *row)
{
    buf_done(&row->id);
    buf_done(&row->kind);
    buf_done(&row->contest_name);
    buf_done(&row->spec);
    buf_done(&row->result);
}

/* ---- rows ---- */

#define JOB_COLUMNS                                                                                \
    "SELECT j.id, j.kind, COALESCE(j.contest, 0), COALESCE(c.name, ''), j.spec, j.state,"          \
    " j.created, COALESCE(j.ended, 0), COALESCE(j.result, '')"                                     \
    " FROM job j LEFT JOIN contest c ON c.id = j.contest "

/* Fills a row that is empty or was filled before. */
static int read_row(const DbQuery *query, JobRow *row, Err *err)
{
    Buf *const texts[] = {&row->id, &row->kind, &row->contest_name, &row->spec, &row->result};
    static const int columns[] = {0, 1, 3, 4, 8};
    bool failed = false;

    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        buf_clear(texts[i]);
        buf_add(texts[i], db_text(query, columns[i]));
        failed |= buf_failed(texts[i]);
    }
    row->contest = db_int(query, 2);
    row->created_ms = db_int(query, 6);
    row->ended_ms = db_int(query, 7);
    if (failed)
        return err_set(err, ERR_MEMORY, "job: out of memory");
    return job_state_of(db_text(query, 5), &row->state)
               ? 0
               : err_set(err, ERR_SYNTAX, "job: the store has a state that there is not");
}

int job_find(Db *db, Str id, JobRow *ret_row, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, JOB_COLUMNS "WHERE j.id = ?1", &query, err);

    buf_clear(&ret_row->id);
    if (rc)
        return rc;
    db_bind_text(query, 1, id);
    rc = db_step(query, err);
    return rc > 0 ? read_row(query, ret_row, err) : rc;
}

int job_each(Db *db, int64_t contest, uint32_t limit,
             int (*hear)(void *user, const JobRow *row, Err *err), void *user, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(job_row_done) JobRow row = {0};
    int rc = db_query(db,
                      JOB_COLUMNS "WHERE j.contest = ?1 OR (?1 = 0 AND j.contest IS NULL)"
                                  " ORDER BY j.created DESC, j.id DESC LIMIT ?2",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    db_bind_int(query, 2, limit);
    while ((rc = db_step(query, err)) > 0) {
        rc = read_row(query, &row, err);
        rc = rc ? rc : hear(user, &row, err);
        if (rc)
            return rc;
    }
    return rc;
}

static bool is_being_done(const json_t *doing, Str id)
{
    for (size_t i = 0; i < json_count(doing); i++)
        if (str_eq(json_text(json_at(doing, i), "job"), id))
            return true;
    return false;
}

static int count_open(Db *db, int64_t contest, const json_t *doing, JobsOpen *ret_open, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT id, created FROM job WHERE state IN ('NEW', 'PUT')"
                      " AND (?1 = 0 OR contest = ?1) ORDER BY created, id",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    while ((rc = db_step(query, err)) > 0)
        if (is_being_done(doing, db_text(query, 0)))
            ret_open->doing++;
        else if (ret_open->waiting++ == 0)
            ret_open->oldest_ms = db_int(query, 1);
    return rc;
}

int jobs_open_count(Db *db, int64_t contest, const SpoolRunner *runner, JobsOpen *ret_open,
                    Err *err)
{
    const Str list = runner && runner->alive ? buf_str(&runner->jobs) : (Str){0};
    json_t *doing = NULL;
    int rc = list.len ? json_read(list, list.len, &doing, err) : 0;

    *ret_open = (JobsOpen){0};
    if (rc == 0)
        rc = count_open(db, contest, doing, ret_open, err);
    json_done(doing);
    return rc;
}

int jobs_ended_count(Db *db, uint64_t ret_counts[static JOB_STATES], Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "SELECT state, count(*) FROM job WHERE ended IS NOT NULL GROUP BY state",
                      &query, err);
    JobState state;

    memset(ret_counts, 0, JOB_STATES * sizeof(*ret_counts));
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        if (job_state_of(db_text(query, 0), &state))
            ret_counts[state] = (uint64_t)db_int(query, 1);
        rc = 0;
    }
    return rc;
}

/* ---- asking ---- */

/* An object of our own or of a caller: no more is looked at than that it is one. */
static int check_spec(Str spec, Err *err)
{
    json_t *json = NULL;
    const bool good = json_read(spec, SPOOL_JOB_MAX - 1024, &json, NULL) == 0 && json_is_map(json);

    json_done(json);
    return good ? 0 : err_set(err, ERR_RULE, "job: what it is to do is no JSON object");
}

int job_put(Db *db, int64_t contest, const char *kind, Str spec_json, int64_t now_ms,
            char ret_id[static ID_ULID_BYTES], Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    IdSource ids = {0};
    int rc = check_spec(spec_json, err);

    if (rc == 0)
        rc = id_source_ulid(&ids, now_ms > 0 ? (uint64_t)now_ms : 0, ret_id, err);
    if (rc == 0)
        rc = db_query(db,
                      "INSERT INTO job(id, contest, kind, spec, state, created)"
                      " VALUES(?1, ?2, ?3, ?4, 'NEW', ?5)",
                      &query, err);
    if (rc)
        return rc;
    db_bind_text(query, 1, str_of(ret_id));
    if (contest == CONTEST_OF_SERVER)
        db_bind_null(query, 2);
    else
        db_bind_int(query, 2, contest);
    db_bind_text(query, 3, str_of(kind));
    db_bind_text(query, 4, spec_json);
    db_bind_int(query, 5, now_ms);
    return db_step(query, err);
}

/* The job as its file: what names it, then what the spec has. */
static void write_job(const JobRow *row, Buf *out)
{
    const Str spec = str_trim(buf_str(&row->spec)), members = str_part(spec, 1, spec.len);
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "job", buf_str(&row->id));
    json_add_str(&json, "kind", buf_str(&row->kind));
    json_add_str(&json, "contest", buf_str(&row->contest_name));
    if (!str_starts(str_trim(members), STR("}")))
        buf_add_char(out, ',');
    buf_add(out, members);
}

static int set_state(Db *db, Str id, JobState state, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "UPDATE job SET state = ?2 WHERE id = ?1", &query, err);

    if (rc)
        return rc;
    db_bind_text(query, 1, id);
    db_bind_text(query, 2, str_of(states[state]));
    return db_step(query, err);
}

/* The oldest NEW job; `row->id` is empty when there is none. */
static int next_new(Db *db, JobRow *row, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, JOB_COLUMNS "WHERE j.state = 'NEW' ORDER BY j.created, j.id LIMIT 1",
                      &query, err);

    buf_clear(&row->id);
    if (rc)
        return rc;
    rc = db_step(query, err);
    return rc > 0 ? read_row(query, row, err) : rc;
}

int jobs_flush(Db *db, Spool *spool, Err *err)
{
    CLEANUP(job_row_done) JobRow row = {0};
    CLEANUP(buf_done) Buf text = {0};
    int rc;

    while ((rc = next_new(db, &row, err)) == 0 && row.id.len) {
        buf_clear(&text);
        write_job(&row, &text);
        if (buf_failed(&text))
            return err_set(err, ERR_MEMORY, "job: out of memory");
        rc = spool_put(spool, buf_str(&row.id), buf_str(&text), err);
        if (rc == 0)
            rc = set_state(db, buf_str(&row.id), JOB_PUT, err);
        if (rc)
            break;
    }
    return rc;
}

int job_stop(Db *db, Spool *spool, Str id, Err *err)
{
    CLEANUP(job_row_done) JobRow row = {0};
    int rc = job_find(db, id, &row, err);

    if (rc == 0 && !row.id.len)
        rc = err_set(err, ERR_RULE, "there is no job %.*s", STR_ARG(id));
    if (rc == 0 && row.state == JOB_NEW) /* it ends by the spool, as any other */
        rc = jobs_flush(db, spool, err);
    return rc || row.state > JOB_PUT ? rc : spool_stop(spool, id, err);
}

int job_retry(Db *db, Str id, int64_t now_ms, char ret_id[static ID_ULID_BYTES], Err *err)
{
    CLEANUP(job_row_done) JobRow row = {0};
    int rc = job_find(db, id, &row, err);

    if (rc)
        return rc;
    if (!row.id.len || (row.state != JOB_FAILED && row.state != JOB_STOPPED))
        return err_set(err, ERR_RULE, "only a job that failed or was stopped can be done again");
    return job_put(db, row.contest, buf_cstr(&row.kind), buf_str(&row.spec), now_ms, ret_id, err);
}

/* ---- taking over ---- */

/* All that one transaction needs. */
typedef struct Taking {
    Db *db;
    Spool *spool;
    const JobHandler *handlers;
    void *user;
    int64_t now_ms;
    uint32_t count;
    /* this one */
    JobRow row;
    JobOutcome outcome;
    Str result_json;
} Taking;

static JobHandle *handler_of(const Taking *taking)
{
    for (const JobHandler *row = taking->handlers; row && row->kind; row++)
        if (str_eq(buf_str(&taking->row.kind), str_of(row->kind)))
            return row->take_over;
    return NULL;
}

static JobOutcome outcome_of(const json_t *result, const char *out_dir)
{
    JobOutcome outcome = {.result = result, .out_dir = out_dir, .state = JOB_FAILED};
    bool ok = false, stopped = false;

    json_as_bool(json_get(result, "ok"), &ok);
    json_as_bool(json_get(result, "stopped"), &stopped);
    outcome.why = json_text(result, "why");
    if (ok)
        outcome.state = stopped ? JOB_STOPPED : JOB_DONE;
    return outcome;
}

static int end_row(const Taking *taking, JobState state, Str result, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(taking->db, "UPDATE job SET state = ?2, result = ?3, ended = ?4 WHERE id = ?1",
                 &query, err);

    if (rc)
        return rc;
    db_bind_text(query, 1, buf_str(&taking->row.id));
    db_bind_text(query, 2, str_of(states[state]));
    db_bind_text(query, 3, result);
    db_bind_int(query, 4, taking->now_ms);
    return db_step(query, err);
}

static int take_over_row(Db *db, void *user, Err *err)
{
    const Taking *taking = user;
    JobHandle *handle = handler_of(taking);
    int rc = end_row(taking, taking->outcome.state, taking->result_json, err);

    return rc || !handle
               ? rc
               : handle(db, &taking->row, &taking->outcome, taking->now_ms, taking->user, err);
}

/* What its handler did not want: the row says why, and nothing else has changed. */
static int fail_row(const Taking *taking, const Err *why, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    json_open(&json, '{');
    json_add_bool(&json, "ok", false);
    json_add_bool(&json, "ours", true);
    json_add_str(&json, "why", str_of(why->msg));
    json_close(&json);
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "job: out of memory");
    return end_row(taking, JOB_FAILED, buf_str(&text), err);
}

static bool is_for_good(int code)
{
    return code == ERR_RULE || code == ERR_SYNTAX || code == ERR_LIMIT || code == ERR_USAGE;
}

static int take_over(Taking *taking, Err *err)
{
    Err why = {0};
    int rc = db_transaction(taking->db, take_over_row, taking, &why);

    taking->count++;
    if (rc && is_for_good(rc))
        return fail_row(taking, &why, err);
    return rc ? err_set(err, (ErrCode)rc, "%s", why.msg) : 0;
}

/* One of a row that is over was taken over before, and one without a row is of another store. */
static int hear_done(void *user, Str id, Str result_json, const char *out_dir, Err *err)
{
    Taking *taking = user;
    json_t *result = NULL;
    int rc = job_find(taking->db, id, &taking->row, err);

    if (rc == 0)
        rc = json_read(result_json, SPOOL_RESULT_MAX, &result, err);
    if (rc == 0 && taking->row.id.len && taking->row.state <= JOB_PUT) {
        taking->outcome = outcome_of(result, out_dir);
        taking->result_json = result_json;
        rc = take_over(taking, err);
    }
    json_done(result);
    return rc ? rc : spool_forget(taking->spool, id, err);
}

int jobs_collect(Db *db, Spool *spool, const JobHandler *handlers, void *user, int64_t now_ms,
                 uint32_t *ret_count, Err *err)
{
    Taking taking = {
        .db = db, .spool = spool, .handlers = handlers, .user = user, .now_ms = now_ms};
    int rc = spool_each_done(spool, hear_done, &taking, err);

    job_row_done(&taking.row);
    if (ret_count)
        *ret_count = taking.count;
    return rc;
}
