#include "site/version_jobs.h"

#include "base/digest.h"
#include "base/mem.h"
#include "proof/canonical.h"
#include "show/version_report.h"
#include "site/notice.h"
#include "site/site_ledger.h"
#include "site/version.h"
#include "wire/json_read.h"

#define SPEC_BYTES ((size_t)1 << 20)
#define TEXT_BYTES 24

/* ---- asking ---- */

/* What a job of a version is given. */
typedef struct Asking {
    const Version *version;
    const VersionTerms *terms;
    Str steps, warnings; /* of the report so far */
    int64_t again;       /* asked for so often before, by our fault */
} Asking;

static int put_job(Db *db, const char *kind, const Asking *asking, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf spec = {0};
    const Version *version = asking->version;
    char id[ID_ULID_BYTES];
    Json json = json_over(&spec);

    json_open(&json, '{');
    json_add_int(&json, "version", version->id);
    json_add_int(&json, "number", version->number);
    json_add_str(&json, "team", buf_str(&version->team_name));
    json_add_str(&json, "language", buf_str(&version->language));
    json_add_str(&json, "entry", buf_str(&version->entry));
    json_add_str(&json, "blob", buf_str(&version->blob));
    if (version->tree.len)
        json_add_str(&json, "tree", buf_str(&version->tree));
    if (asking->steps.len)
        json_add_str(&json, "steps", asking->steps);
    if (asking->warnings.len)
        json_add_str(&json, "warnings", asking->warnings);
    if (asking->again)
        json_add_int(&json, "again", asking->again);
    json_key(&json, STR("terms"));
    version_terms_write(asking->terms, &json);
    json_close(&json);
    if (buf_failed(&spec))
        return err_set(err, ERR_MEMORY, "version: out of memory");
    return job_put(db, version->contest, kind, buf_str(&spec), now_ms, id, err);
}

int version_jobs_begin(Db *db, int64_t id, const SiteRules *rules, CellLevel require,
                       int64_t now_ms, Err *err)
{
    CLEANUP(version_done) Version version = {0};
    CLEANUP(version_terms_done) VersionTerms terms = {0};
    const Asking asking = {.version = &version, .terms = &terms};
    int rc = version_rules_terms(rules, require, &terms, err);

    if (rc == 0)
        rc = version_find(db, id, &version, err);
    return rc ? rc : put_job(db, "unpack", &asking, now_ms, err);
}

/* ---- what is told ---- */

static int tell_team(Db *db, const Version *version, NoticeKind kind, Str why, int64_t now_ms,
                     Err *err)
{
    CLEANUP(buf_done) Buf why_ja = {0};
    char number[TEXT_BYTES];

    version_report_say_why(why, true, &why_ja);
    snprintf(number, sizeof(number), "%lld", (long long)version->number);
    const NoticeWord words[] = {{"team", buf_str(&version->team_name)},
                                {"version", str_of(number)},
                                {"why", why},
                                {"why_ja", buf_str(&why_ja)}};
    const Notice notice = {.kind = kind,
                           .to = TO_TEAM,
                           .id = version->team,
                           .contest = version->contest,
                           .words = words,
                           .word_count = why.len ? 4 : 2};

    return buf_failed(&why_ja) ? err_set(err, ERR_MEMORY, "version: out of memory")
                               : notice_put(db, &notice, now_ms, err);
}

/* Names with ", " between them. */
static void join_names(Str lines, Buf *out)
{
    while (lines.len) {
        if (out->len)
            buf_add(out, STR(", "));
        buf_add(out, str_cut(&lines, '\n'));
    }
}

/* Equal trees of two teams: whether that is allowed is for people. */
static int tell_twins(Db *db, const Version *version, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf twins = {0};
    CLEANUP(buf_done) Buf others = {0};
    int rc = version_twins(db, version->id, &twins, err);

    join_names(buf_str(&twins), &others);
    if (rc || !others.len)
        return rc;
    if (buf_failed(&others))
        return err_set(err, ERR_MEMORY, "version: out of memory");
    const NoticeWord words[] = {{"team", buf_str(&version->team_name)},
                                {"others", buf_str(&others)}};
    const Notice notice = {.kind = NOTICE_SAME_TREE,
                           .to = TO_ORGANISERS,
                           .contest = version->contest,
                           .words = words,
                           .word_count = 2};
    return notice_put(db, &notice, now_ms, err);
}

static int tell_failed(Db *db, const JobRow *job, Str why, int64_t now_ms, Err *err)
{
    const FailedJob failed = {
        .contest = job->contest, .job = buf_str(&job->id), .what = buf_str(&job->kind), .why = why};

    return notice_job_failed(db, &failed, now_ms, err);
}

/* ---- in the ledger ---- */

typedef struct Entry {
    const Version *version;
    char report[SHA256_HEX_BYTES];
    bool passed;
} Entry;

static void write_entry(void *user, Canonical *canonical)
{
    const Entry *entry = user;

    canonical_key(canonical, STR("team"));
    canonical_put_text(canonical, buf_str(&entry->version->team_name));
    canonical_key(canonical, STR("number"));
    canonical_put_number(canonical, entry->version->number);
    canonical_key(canonical, STR("tree"));
    canonical_put_text(canonical, buf_str(&entry->version->tree));
    canonical_key(canonical, STR("report"));
    canonical_put_text(canonical, str_of(entry->report));
    canonical_key(canonical, STR("verdict"));
    canonical_put_text(canonical, entry->passed ? STR("passed") : STR("refused"));
}

/* Behind its last step. Without a ledger nothing is committed to yet. */
static int add_entry(Db *db, const Version *version, bool passed, int64_t now_ms, Err *err)
{
    Entry entry = {.version = version, .passed = passed};

    int rc = site_ledger_begun(db, version->contest, err);
    if (rc <= 0)
        return rc;
    rc = sha256_hex(buf_str(&version->report), entry.report, err);
    return rc ? rc
              : site_ledger_add(db, version->contest, now_ms, "version", write_entry, &entry, err);
}

/* ---- taking over ---- */

/* A job that is taken over. */
typedef struct Taking {
    Db *db;
    const JobRow *job;
    const JobOutcome *outcome;
    json_t *spec;
    Version version;
    VersionTerms terms;
    int64_t now_ms;
} Taking;

static void taking_done(Taking *taking)
{
    json_done(taking->spec);
    version_done(&taking->version);
    version_terms_done(&taking->terms);
}

static int begin_taking(Taking *taking, Err *err)
{
    int rc = json_read(buf_str(&taking->job->spec), SPEC_BYTES, &taking->spec, err);

    if (rc == 0)
        rc = version_terms_read(json_get(taking->spec, "terms"), &taking->terms, err);
    return rc ? rc
              : version_find(taking->db, json_number(taking->spec, "version"), &taking->version,
                             err);
}

static int ask_again(Taking *taking, Err *err)
{
    const int64_t again = json_number(taking->spec, "again") + 1;
    const Asking asking = {.version = &taking->version,
                           .terms = &taking->terms,
                           .steps = json_text(taking->spec, "steps"),
                           .warnings = json_text(taking->spec, "warnings"),
                           .again = again};

    if (again >= VERSION_JOB_TRIES)
        return tell_failed(taking->db, taking->job, taking->outcome->why, taking->now_ms, err);
    return put_job(taking->db, buf_cstr(&taking->job->kind), &asking, taking->now_ms, err);
}

/* From the state that the job was for; the version is read again. */
static int move(Taking *taking, VersionState from, VersionState to, bool *ret_moved, Err *err)
{
    const json_t *result = taking->outcome->result;
    const VersionStep step = {.from = from,
                              .to = to,
                              .tree = json_text(result, "tree"),
                              .why =
                                  to == VERSION_REFUSED ? json_text(result, "refused") : (Str){0},
                              .report = json_text(result, "report")};
    int rc = version_advance(taking->db, taking->version.id, &step, ret_moved, err);

    return rc || !*ret_moved ? rc
                             : version_find(taking->db, taking->version.id, &taking->version, err);
}

static int refuse(Taking *taking, VersionState from, Err *err)
{
    bool moved = false;
    int rc = move(taking, from, VERSION_REFUSED, &moved, err);

    if (rc == 0 && moved)
        rc = add_entry(taking->db, &taking->version, false, taking->now_ms, err);
    return rc || !moved ? rc
                        : tell_team(taking->db, &taking->version, NOTICE_VERSION_REFUSED,
                                    buf_str(&taking->version.why), taking->now_ms, err);
}

static int ask_next(Taking *taking, const char *kind, Err *err)
{
    const json_t *result = taking->outcome->result;
    const Asking asking = {.version = &taking->version,
                           .terms = &taking->terms,
                           .steps = json_text(result, "steps"),
                           .warnings = json_text(result, "warnings")};

    return put_job(taking->db, kind, &asking, taking->now_ms, err);
}

static int take_unpacked(Taking *taking, Err *err)
{
    bool moved = false;
    int rc = move(taking, VERSION_RECEIVED, VERSION_UNPACKED, &moved, err);

    if (rc == 0 && moved)
        rc = tell_twins(taking->db, &taking->version, taking->now_ms, err);
    return rc || !moved ? rc : ask_next(taking, "build", err);
}

/* Its check is asked for at once, so it is in CHECKING. */
static int take_built(Taking *taking, Err *err)
{
    bool moved = false;
    int rc = move(taking, VERSION_UNPACKED, VERSION_BUILT, &moved, err);

    if (rc || !moved)
        return rc;
    rc = move(taking, VERSION_BUILT, VERSION_CHECKING, &moved, err);
    return rc ? rc : ask_next(taking, "check", err);
}

static int take_checked(Taking *taking, Err *err)
{
    bool moved = false;
    int rc = move(taking, VERSION_CHECKING, VERSION_PASSED, &moved, err);

    if (rc == 0 && moved)
        rc = add_entry(taking->db, &taking->version, true, taking->now_ms, err);
    return rc || !moved ? rc
                        : tell_team(taking->db, &taking->version, NOTICE_VERSION_PASSED, (Str){0},
                                    taking->now_ms, err);
}

/* What is done with each outcome of a job that was for a version in `from`. */
static int take_over(Taking *taking, VersionState from, int (*take)(Taking *taking, Err *err),
                     Err *err)
{
    int rc = begin_taking(taking, err);

    if (rc || taking->version.state != from)
        return rc; /* it was taken over before */
    switch (taking->outcome->state) {
    case JOB_DONE:
        return json_text(taking->outcome->result, "refused").len ? refuse(taking, from, err)
                                                                 : take(taking, err);
    case JOB_FAILED:
        return ask_again(taking, err);
    case JOB_STOPPED: /* an organiser retries it, or not */
    case JOB_NEW:
    case JOB_PUT:
    case JOB_STATES:
        break;
    }
    return 0;
}

int version_job_unpacked(Db *db, const JobRow *job, const JobOutcome *outcome, int64_t now_ms,
                         void *user, Err *err)
{
    CLEANUP(taking_done)
    Taking taking = {.db = db, .job = job, .outcome = outcome, .now_ms = now_ms};

    (void)user;
    return take_over(&taking, VERSION_RECEIVED, take_unpacked, err);
}

int version_job_built(Db *db, const JobRow *job, const JobOutcome *outcome, int64_t now_ms,
                      void *user, Err *err)
{
    CLEANUP(taking_done)
    Taking taking = {.db = db, .job = job, .outcome = outcome, .now_ms = now_ms};

    (void)user;
    return take_over(&taking, VERSION_UNPACKED, take_built, err);
}

int version_job_checked(Db *db, const JobRow *job, const JobOutcome *outcome, int64_t now_ms,
                        void *user, Err *err)
{
    CLEANUP(taking_done)
    Taking taking = {.db = db, .job = job, .outcome = outcome, .now_ms = now_ms};

    (void)user;
    return take_over(&taking, VERSION_CHECKING, take_checked, err);
}

/* ---- the file has come ---- */

typedef struct Filing {
    const VersionFile *file;
    int64_t now_ms;
    Buf *drops;
} Filing;

static int take_in_transaction(Db *db, void *user, Err *err)
{
    CLEANUP(version_done) Version version = {0};
    const Filing *filing = user;
    const VersionFile *file = filing->file;
    char languages[VERSION_LANGUAGES_BYTES];
    VersionRules rules;

    version_rules_submit(file->rules, languages, &rules);
    int rc = version_has_file(db, file->id, file->sha256, file->bytes, &rules, filing->drops, err);
    if (rc == 0)
        rc = version_find(db, file->id, &version, err);
    if (rc == 0)
        rc = tell_team(db, &version, NOTICE_VERSION_RECEIVED, (Str){0}, filing->now_ms, err);
    return rc ? rc
              : version_jobs_begin(db, file->id, file->rules, file->require, filing->now_ms, err);
}

int version_take_file(Db *db, const VersionFile *file, int64_t now_ms, Buf *ret_drops, Err *err)
{
    Filing filing = {file, now_ms, ret_drops};

    return db_transaction(db, take_in_transaction, &filing, err);
}
