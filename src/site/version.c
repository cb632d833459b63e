#include "site/version.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "site/blob.h"

#define DAY_MS INT64_C(86400000)

static const char *const state_names[VERSION_STATES] = {
    [VERSION_RECEIVED] = "RECEIVED",   [VERSION_UNPACKED] = "UNPACKED",
    [VERSION_BUILT] = "BUILT",         [VERSION_CHECKING] = "CHECKING",
    [VERSION_PASSED] = "PASSED",       [VERSION_ACTIVE] = "ACTIVE",
    [VERSION_SUSPENDED] = "SUSPENDED", [VERSION_RETIRED] = "RETIRED",
    [VERSION_REFUSED] = "REFUSED",
};

/* The first four go forward one by one or are refused. */
static const uint32_t follows[VERSION_STATES] = {
    [VERSION_RECEIVED] = 1U << VERSION_UNPACKED | 1U << VERSION_REFUSED,
    [VERSION_UNPACKED] = 1U << VERSION_BUILT | 1U << VERSION_REFUSED,
    [VERSION_BUILT] = 1U << VERSION_CHECKING | 1U << VERSION_REFUSED,
    [VERSION_CHECKING] = 1U << VERSION_PASSED | 1U << VERSION_REFUSED,
    [VERSION_PASSED] = 1U << VERSION_ACTIVE | 1U << VERSION_RETIRED,
    [VERSION_ACTIVE] = 1U << VERSION_SUSPENDED | 1U << VERSION_RETIRED,
    [VERSION_SUSPENDED] = 1U << VERSION_ACTIVE,
    [VERSION_RETIRED] = 1U << VERSION_ACTIVE,
    [VERSION_REFUSED] = 0,
};

const char *version_state_name(VersionState state)
{
    return state < VERSION_STATES ? state_names[state] : "";
}

bool version_state_of(Str name, VersionState *ret_state)
{
    for (VersionState state = 0; state < VERSION_STATES; state++)
        if (str_eq(name, str_of(state_names[state]))) {
            *ret_state = state;
            return true;
        }
    return false;
}

bool version_may_go(VersionState from, VersionState to)
{
    return from < VERSION_STATES && to < VERSION_STATES && follows[from] >> to & 1;
}

void version_done(Version *version)
{
    Buf *const texts[] = {&version->team_name, &version->language, &version->entry,
                          &version->note,      &version->blob,     &version->tree,
                          &version->why,       &version->report};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        buf_done(texts[i]);
    *version = (Version){0};
}

/* ---- statements ---- */

/* Runs a statement with up to two numbers; `ret_value` (may be NULL) gets the first column of its
 * first row, or stays. */
static int run_numbers(Db *db, const char *sql, int64_t a, int64_t b, int64_t *ret_value, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, sql, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, a);
    if (strstr(sql, "?2"))
        db_bind_int(query, 2, b);
    rc = db_step(query, err);
    if (rc == 1 && ret_value)
        *ret_value = db_int(query, 0);
    return rc < 0 ? rc : 0;
}

/* ---- taking ---- */

/* Where the contest of a team stands. */
typedef struct Standing {
    int64_t contest;
    Buf state, team_state;
} Standing;

static void standing_done(Standing *standing)
{
    buf_done(&standing->state);
    buf_done(&standing->team_state);
}

static int find_standing(Db *db, int64_t team, Standing *ret, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT contest.id, contest.state, team.state FROM team"
                      " JOIN contest ON contest.id = team.contest WHERE team.id = ?1",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, team);
    rc = db_step(query, err);
    if (rc == 0)
        return err_set(err, ERR_RULE, "there is no such team");
    if (rc < 0)
        return rc;
    ret->contest = db_int(query, 0);
    buf_add(&ret->state, db_text(query, 1));
    buf_add(&ret->team_state, db_text(query, 2));
    return buf_failed(&ret->state) || buf_failed(&ret->team_state)
               ? err_set(err, ERR_MEMORY, "version: out of memory")
               : 0;
}

/* Whether versions change what plays. */
static bool takes_versions(Str contest_state)
{
    return str_eq(contest_state, STR("OPEN")) || str_eq(contest_state, STR("REVISION"));
}

static int judge_standing(Db *db, const VersionSetup *setup, Err *err)
{
    CLEANUP(standing_done) Standing standing = {0};
    int rc = find_standing(db, setup->team, &standing, err);
    const Str state = buf_str(&standing.state);

    if (rc)
        return rc;
    if (!str_eq(buf_str(&standing.team_state), STR("IN")))
        return err_set(err, ERR_RULE, "%s",
                       str_eq(buf_str(&standing.team_state), STR("WAITING"))
                           ? "the team waits for an organiser to approve it"
                           : "the team does not play any more");
    if (!takes_versions(state))
        return err_set(err, ERR_RULE, "the contest takes no versions now (%s)", state.bytes);
    if (str_eq(state, STR("REVISION")) && !setup->finalist)
        return err_set(err, ERR_RULE, "only finalists may send a revision");
    return 0;
}

static bool has_word(Str words, Str word)
{
    while (words.len)
        if (str_eq(str_cut(&words, ' '), word))
            return true;
    return false;
}

static bool is_plain(Str text)
{
    CLEANUP(buf_done) Buf shown = {0};

    utf8_add_printable(text, text.len, &shown);
    return utf8_valid(text) && str_eq(buf_str(&shown), text);
}

/* A name that stands in the archive's root or in the team's folder, or a class: no path. */
static int judge_entry(const VersionSetup *setup, Err *err)
{
    const Str entry = setup->entry;
    const bool dotnet = str_eq(setup->language, STR("dotnet"));
    const bool is_bare = !memchr(entry.len ? entry.bytes : "", '/', entry.len) &&
                         !str_eq(entry, STR("..")) && !str_eq(entry, STR("."));

    if (!entry.len && !dotnet)
        return err_set(err, ERR_RULE, "entry: %s is expected",
                       str_eq(setup->language, STR("java"))     ? "the player's class"
                       : str_eq(setup->language, STR("python")) ? "the script's name"
                                                                : "the program's name");
    if (entry.len > VERSION_ENTRY_BYTES || !is_plain(entry) || !is_bare ||
        (entry.len && entry.bytes[0] == '-'))
        return err_set(err, ERR_RULE,
                       "entry: a name without a folder, of at most %d bytes, is expected",
                       VERSION_ENTRY_BYTES);
    return 0;
}

static int judge_setup(const VersionSetup *setup, const VersionRules *rules, Err *err)
{
    static const Str all = {"java dotnet python native", 25};
    const Str languages = rules->languages.len ? rules->languages : all;

    if (!setup->language.len || !has_word(all, setup->language) ||
        !has_word(languages, setup->language))
        return err_set(err, ERR_RULE, "language: '%.*s' is none of this contest's: %.*s",
                       STR_ARG(str_part(setup->language, 0, 32)), STR_ARG(languages));
    if (setup->note.len > VERSION_NOTE_BYTES || !utf8_valid(setup->note))
        return err_set(err, ERR_RULE, "note: at most %d bytes of text", VERSION_NOTE_BYTES);
    return judge_entry(setup, err);
}

static int judge_day(Db *db, const VersionSetup *setup, const VersionRules *rules, int64_t now_ms,
                     Err *err)
{
    int64_t count = 0;
    int rc = run_numbers(db, "SELECT count(*) FROM version WHERE team = ?1 AND at > ?2",
                         setup->team, now_ms - DAY_MS, &count, err);

    if (rc == 0 && rules->versions_per_day && count >= (int64_t)rules->versions_per_day)
        return err_set(err, ERR_RULE,
                       "the team has sent %u versions in the last 24 hours, which is all it may",
                       (unsigned)rules->versions_per_day);
    return rc;
}

static int insert_version(Db *db, const VersionSetup *setup, int64_t number, int64_t now_ms,
                          int64_t *ret_id, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "INSERT INTO version(team, number, language, entry, note, state, account, at)"
                      " VALUES(?1, ?2, ?3, ?4, ?5, 'RECEIVED', ?6, ?7) RETURNING id",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, setup->team);
    db_bind_int(query, 2, number);
    db_bind_text(query, 3, setup->language);
    db_bind_text(query, 4, setup->entry);
    db_bind_text(query, 5, setup->note);
    if (setup->account)
        db_bind_int(query, 6, setup->account);
    else
        db_bind_null(query, 6);
    db_bind_int(query, 7, now_ms);
    rc = db_step(query, err);
    if (rc == 1)
        *ret_id = db_int(query, 0);
    return rc < 0 ? rc : 0;
}

typedef struct Receiving {
    const VersionSetup *setup;
    const VersionRules *rules;
    int64_t now_ms, id, number;
} Receiving;

static int receive_in_transaction(Db *db, void *user, Err *err)
{
    Receiving *receiving = user;
    int64_t last = 0;
    int rc = judge_standing(db, receiving->setup, err);

    if (rc == 0)
        rc = judge_day(db, receiving->setup, receiving->rules, receiving->now_ms, err);
    if (rc == 0)
        rc = run_numbers(db, "SELECT coalesce(max(number), 0) FROM version WHERE team = ?1",
                         receiving->setup->team, 0, &last, err);
    receiving->number = last + 1;
    return rc ? rc
              : insert_version(db, receiving->setup, receiving->number, receiving->now_ms,
                               &receiving->id, err);
}

int version_receive(Db *db, const VersionSetup *setup, const VersionRules *rules, int64_t now_ms,
                    int64_t *ret_id, int64_t *ret_number, Err *err)
{
    Receiving receiving = {.setup = setup, .rules = rules, .now_ms = now_ms};
    int rc = judge_setup(setup, rules, err);

    if (rc == 0)
        rc = db_transaction(db, receive_in_transaction, &receiving, err);
    if (rc)
        return rc;
    *ret_id = receiving.id;
    *ret_number = receiving.number;
    return 0;
}

/* ---- its file ---- */

static int set_file(Db *db, int64_t id, Str sha256, uint64_t bytes, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "UPDATE version SET blob = ?2, bytes = ?3"
                      " WHERE id = ?1 AND blob IS NULL AND state = 'RECEIVED'",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    db_bind_text(query, 2, sha256);
    db_bind_int(query, 3, (int64_t)bytes);
    rc = db_step(query, err);
    if (rc == 0 && db_changes(db) != 1)
        rc = err_set(err, ERR_RULE, "this version has its file already, or there is none such");
    return rc;
}

/* What `keep` lets go: older versions of the team that will not play. */
#define BEYOND_KEEP                                                                                \
    " state IN ('REFUSED', 'RETIRED') AND blob IS NOT NULL"                                        \
    " AND team = (SELECT team FROM version WHERE id = ?1)"                                         \
    " AND number <= (SELECT max(number) FROM version WHERE team ="                                 \
    "  (SELECT team FROM version WHERE id = ?1)) - ?2"

/* Their rows forget the files. */
static int drop_files(Db *db, int64_t id, uint32_t keep, Buf *drops, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "SELECT blob FROM version WHERE" BEYOND_KEEP, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    db_bind_int(query, 2, keep);
    while ((rc = db_step(query, err)) == 1) {
        buf_add(drops, db_text(query, 0));
        buf_add_char(drops, '\n');
    }
    return rc ? rc
              : run_numbers(db, "UPDATE version SET blob = NULL WHERE" BEYOND_KEEP, id, keep, NULL,
                            err);
}

int version_has_file(Db *db, int64_t id, Str sha256, uint64_t bytes, const VersionRules *rules,
                     Buf *ret_drops, Err *err)
{
    CLEANUP(buf_done) Buf drops = {0};
    int rc = set_file(db, id, sha256, bytes, err);

    if (rc == 0 && rules->keep)
        rc = drop_files(db, id, rules->keep, &drops, err);
    return rc || !ret_drops ? rc : blob_list_unused(db, buf_str(&drops), ret_drops, err);
}

/* ---- moving ---- */

static int move_version(Db *db, int64_t id, const VersionStep *step, bool *ret_moved, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "UPDATE version SET state = ?3, tree = coalesce(?4, tree), why = ?5,"
                      " report = coalesce(?6, report) WHERE id = ?1 AND state = ?2",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    db_bind_text(query, 2, str_of(state_names[step->from]));
    db_bind_text(query, 3, str_of(state_names[step->to]));
    db_bind_null(query, 4);
    db_bind_null(query, 5);
    db_bind_null(query, 6);
    if (step->tree.len)
        db_bind_text(query, 4, step->tree);
    if (step->why.len)
        db_bind_text(query, 5, step->why);
    if (step->report.len)
        db_bind_text(query, 6, step->report);
    rc = db_step(query, err);
    if (rc == 0)
        *ret_moved = db_changes(db) == 1;
    return rc;
}

/* It becomes the one of its team that plays. */
static int make_active(Db *db, int64_t id, VersionState from, Err *err)
{
    const VersionStep step = {.from = from, .to = VERSION_ACTIVE};
    bool moved = false;
    int rc = run_numbers(db,
                         "UPDATE version SET state = 'RETIRED' WHERE state = 'ACTIVE' AND id <> ?1"
                         " AND team = (SELECT team FROM version WHERE id = ?1)",
                         id, 0, NULL, err);

    return rc ? rc : move_version(db, id, &step, &moved, err);
}

/* A version that was suspended or is older than the active one does not take its place by itself.
 */
static int has_newer_active(Db *db, int64_t id, bool *ret_has, Err *err)
{
    int64_t count = 0;
    int rc = run_numbers(db,
                         "SELECT count(*) FROM version AS other JOIN version AS own"
                         " ON own.team = other.team WHERE own.id = ?1"
                         " AND other.state = 'ACTIVE' AND other.number > own.number",
                         id, 0, &count, err);

    *ret_has = count > 0;
    return rc;
}

static int find_state_of_contest(Db *db, int64_t id, bool *ret_takes, Err *err)
{
    CLEANUP(standing_done) Standing standing = {0};
    int64_t team = 0;
    int rc = run_numbers(db, "SELECT team FROM version WHERE id = ?1", id, 0, &team, err);

    if (rc == 0)
        rc = find_standing(db, team, &standing, err);
    if (rc == 0)
        *ret_takes = takes_versions(buf_str(&standing.state));
    return rc;
}

int version_advance(Db *db, int64_t id, const VersionStep *step, bool *ret_moved, Err *err)
{
    bool takes = false, newer = false;

    *ret_moved = false;
    if (step->from > VERSION_CHECKING || !version_may_go(step->from, step->to))
        return err_set(err, ERR_RULE, "a version does not go from %s to %s",
                       version_state_name(step->from), version_state_name(step->to));
    int rc = move_version(db, id, step, ret_moved, err);
    if (rc || !*ret_moved || step->to != VERSION_PASSED)
        return rc;
    rc = find_state_of_contest(db, id, &takes, err);
    if (rc == 0 && takes)
        rc = has_newer_active(db, id, &newer, err);
    return rc || !takes || newer ? rc : make_active(db, id, VERSION_PASSED, err);
}

int version_twins(Db *db, int64_t id, Buf *out, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT DISTINCT other.name FROM version AS own"
                      " JOIN team AS mine ON mine.id = own.team"
                      " JOIN team AS other ON other.contest = mine.contest AND other.id <> mine.id"
                      " JOIN version AS theirs ON theirs.team = other.id AND theirs.tree = own.tree"
                      " WHERE own.id = ?1 ORDER BY other.name",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    while ((rc = db_step(query, err)) == 1) {
        buf_add(out, db_text(query, 0));
        buf_add_char(out, '\n');
    }
    if (rc == 0 && buf_failed(out))
        rc = err_set(err, ERR_MEMORY, "version: out of memory");
    return rc;
}

/* ---- which one plays ---- */

typedef struct Choosing {
    int64_t id;
    bool organiser;
} Choosing;

static int activate_in_transaction(Db *db, void *user, Err *err)
{
    CLEANUP(version_done) Version version = {0};
    const Choosing *choosing = user;
    bool takes = false;
    int rc = version_find(db, choosing->id, &version, err);

    if (rc == 0)
        rc = find_state_of_contest(db, choosing->id, &takes, err);
    if (rc || version.state == VERSION_ACTIVE)
        return rc;
    if (!version_may_go(version.state, VERSION_ACTIVE))
        return err_set(err, ERR_RULE, "version %lld has not passed its check (%s)",
                       (long long)version.number, version_state_name(version.state));
    if (version.state == VERSION_SUSPENDED && !choosing->organiser)
        return err_set(err, ERR_RULE,
                       "version %lld is suspended: send another one, or ask the organisers",
                       (long long)version.number);
    if (version.state == VERSION_RETIRED && !version.blob.len)
        return err_set(err, ERR_RULE, "version %lld is let go: submit.keep says how many stay",
                       (long long)version.number);
    if (!takes && !choosing->organiser)
        return err_set(err, ERR_RULE, "versions are frozen: what plays does not change any more");
    return make_active(db, choosing->id, version.state, err);
}

int version_activate(Db *db, int64_t id, bool organiser, Err *err)
{
    Choosing choosing = {id, organiser};

    return db_transaction(db, activate_in_transaction, &choosing, err);
}

int version_suspend(Db *db, int64_t id, Str why, Err *err)
{
    const VersionStep step = {.from = VERSION_ACTIVE, .to = VERSION_SUSPENDED, .why = why};
    bool moved = false;
    int rc = move_version(db, id, &step, &moved, err);

    return rc || moved ? rc : err_set(err, ERR_RULE, "this version is not active");
}

void version_freeze_done(VersionFreeze *freeze)
{
    buf_done(&freeze->without);
}

/* Teams without an active one get the last that passed. */
static int activate_last_passed(Db *db, int64_t contest, Err *err)
{
    return run_numbers(db,
                       "UPDATE version SET state = 'ACTIVE' WHERE id IN ("
                       " SELECT max(version.id) FROM version JOIN team ON team.id = version.team"
                       " WHERE team.contest = ?1 AND team.state = 'IN'"
                       " AND version.state IN ('PASSED', 'RETIRED') AND NOT EXISTS ("
                       "  SELECT 1 FROM version AS active WHERE active.team = team.id"
                       "  AND active.state = 'ACTIVE')"
                       " GROUP BY team.id)",
                       contest, 0, NULL, err);
}

static int list_without(Db *db, int64_t contest, Buf *out, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT name FROM team WHERE contest = ?1 AND state = 'IN' AND NOT EXISTS ("
                      " SELECT 1 FROM version WHERE version.team = team.id"
                      " AND version.state = 'ACTIVE') ORDER BY name",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    while ((rc = db_step(query, err)) == 1) {
        buf_add(out, db_text(query, 0));
        buf_add_char(out, '\n');
    }
    return rc;
}

static int put_out(Db *db, int64_t contest, Err *err)
{
    return run_numbers(db,
                       "UPDATE team SET state = 'OUT' WHERE contest = ?1 AND state = 'IN' AND NOT "
                       "EXISTS (SELECT 1 FROM version WHERE version.team = team.id"
                       " AND version.state = 'ACTIVE')",
                       contest, 0, NULL, err);
}

int version_freeze(Db *db, int64_t contest, bool out, VersionFreeze *ret_freeze, Err *err)
{
    int64_t ready = 0;
    int rc = activate_last_passed(db, contest, err);

    if (rc == 0)
        rc = list_without(db, contest, &ret_freeze->without, err);
    if (rc == 0 && out)
        rc = put_out(db, contest, err);
    if (rc == 0)
        rc = run_numbers(db,
                         "SELECT count(*) FROM version JOIN team ON team.id = version.team"
                         " WHERE team.contest = ?1 AND team.state = 'IN'"
                         " AND version.state = 'ACTIVE'",
                         contest, 0, &ready, err);
    ret_freeze->ready = (uint32_t)ready;
    if (rc == 0 && buf_failed(&ret_freeze->without))
        rc = err_set(err, ERR_MEMORY, "versions: out of memory");
    return rc;
}

/* ---- looking ---- */

#define VERSION_COLUMNS                                                                            \
    "SELECT version.id, version.team, team.contest, version.number, version.bytes,"                \
    " version.account, version.at, version.state, team.name, version.language, version.entry,"     \
    " version.note, version.blob, version.tree, version.why"

static int read_version(const DbQuery *query, bool report, Version *version, Err *err)
{
    Buf *const texts[] = {&version->team_name, &version->language, &version->entry,
                          &version->note,      &version->blob,     &version->tree,
                          &version->why,       &version->report};
    int64_t *const numbers[] = {&version->id,     &version->team,  &version->contest,
                                &version->number, &version->bytes, &version->account,
                                &version->at};
    const int number_count = 7, text_count = report ? 8 : 7;

    for (int i = 0; i < number_count; i++)
        *numbers[i] = db_int(query, i);
    if (!version_state_of(db_text(query, number_count), &version->state))
        return err_set(err, ERR_RULE, "version %lld has no state of ours", (long long)version->id);
    for (int i = 0; i < text_count; i++) {
        buf_clear(texts[i]);
        buf_add(texts[i], db_text(query, number_count + 1 + i));
        if (buf_failed(texts[i]))
            return err_set(err, ERR_MEMORY, "version: out of memory");
    }
    return 0;
}

static int find_one(Db *db, const char *sql, int64_t key, Version *ret, bool *ret_there, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, sql, &query, err);

    *ret_there = false;
    if (rc)
        return rc;
    db_bind_int(query, 1, key);
    rc = db_step(query, err);
    if (rc != 1)
        return rc;
    *ret_there = true;
    return read_version(query, true, ret, err);
}

int version_find(Db *db, int64_t id, Version *ret_version, Err *err)
{
    bool there = false;
    int rc = find_one(db,
                      VERSION_COLUMNS ", version.report FROM version"
                                      " JOIN team ON team.id = version.team WHERE version.id = ?1",
                      id, ret_version, &there, err);

    return rc || there ? rc : err_set(err, ERR_RULE, "there is no such version");
}

int version_of_team(Db *db, int64_t team, Version *ret_version, bool *ret_there, Err *err)
{
    return find_one(db,
                    VERSION_COLUMNS ", version.report FROM version JOIN team"
                                    " ON team.id = version.team"
                                    " WHERE version.team = ?1 AND version.state = 'ACTIVE'",
                    team, ret_version, ret_there, err);
}

int version_each(Db *db, int64_t team, int (*hear)(void *user, const Version *version, Err *err),
                 void *user, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(version_done) Version version = {0};
    int rc = db_query(db,
                      VERSION_COLUMNS " FROM version JOIN team ON team.id = version.team"
                                      " WHERE version.team = ?1 ORDER BY version.number DESC",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, team);
    while ((rc = db_step(query, err)) == 1) {
        rc = read_version(query, false, &version, err);
        if (rc == 0)
            rc = hear(user, &version, err);
        if (rc)
            return rc;
    }
    return rc;
}

int version_waiting(Db *db, int64_t contest, uint32_t *ret_count, Err *err)
{
    int64_t count = 0;
    int rc = run_numbers(db,
                         "SELECT count(*) FROM version JOIN team ON team.id = version.team"
                         " WHERE team.contest = ?1 AND version.blob IS NOT NULL"
                         " AND version.state IN ('RECEIVED', 'UNPACKED', 'BUILT', 'CHECKING')",
                         contest, 0, &count, err);

    *ret_count = (uint32_t)count;
    return rc;
}
