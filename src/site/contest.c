#include "site/contest.h"

#include "base/digest.h"
#include "contest/contest_file.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "site/contest_home.h"
#include "site/notice.h"
#include "site/site_ledger.h"
#include "site/trail.h"

void contest_done(Contest *contest)
{
    buf_done(&contest->name);
    buf_done(&contest->file);
    buf_done(&contest->digest);
    *contest = (Contest){0};
}

/* ---- found ---- */

static const char columns[] = "SELECT id, name, file, digest, state, paused, changed FROM contest";

static int take_row(const DbQuery *row, Contest *contest, Err *err)
{
    contest->id = db_int(row, 0);
    buf_add(&contest->name, db_text(row, 1));
    buf_add(&contest->file, db_text(row, 2));
    buf_add(&contest->digest, db_text(row, 3));
    contest->paused = db_int(row, 5) != 0;
    contest->changed_ms = db_int(row, 6);
    if (!life_state_of(db_text(row, 4), &contest->state))
        return err_set(err, ERR_SYNTAX, "contest '%s': the store has no state that is known",
                       buf_cstr(&contest->name));
    if (buf_failed(&contest->name) || buf_failed(&contest->file) || buf_failed(&contest->digest))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    return 0;
}

static int find_row(DbQuery *query, Contest *ret_contest, Err *err)
{
    CLEANUP(contest_done) Contest contest = {0};
    int rc = db_step(query, err);

    if (rc == 1) {
        rc = take_row(query, &contest, err);
        db_reset(query);
    }
    if (rc)
        return rc;
    *ret_contest = contest;
    contest = (Contest){0};
    return 0;
}

int contest_find(Db *db, Str name, Contest *ret_contest, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf sql = {0};

    buf_printf(&sql, "%s WHERE name = ?1", columns);
    int rc = db_query(db, buf_cstr(&sql), &query, err);
    if (rc)
        return rc;
    db_bind_text(query, 1, name);
    return find_row(query, ret_contest, err);
}

int contest_get(Db *db, int64_t id, Contest *ret_contest, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf sql = {0};

    buf_printf(&sql, "%s WHERE id = ?1", columns);
    int rc = db_query(db, buf_cstr(&sql), &query, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    return find_row(query, ret_contest, err);
}

/* Numbers first: `hear` may change what is listed. */
static int list_ids(Db *db, int64_t **ret_ids, size_t *ret_count, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(mem_freep) int64_t *ids = NULL;
    size_t count = 0, room = 0;
    int rc = db_query(db, "SELECT id FROM contest ORDER BY name", &query, err);

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        if (count == room) {
            room = room ? room * 2 : 16;
            int64_t *more = mem_resize(ids, room, sizeof(*ids));
            if (!more)
                return err_set(err, ERR_MEMORY, "contests: out of memory");
            ids = more;
        }
        ids[count++] = db_int(query, 0);
        rc = 0;
    }
    if (rc)
        return rc;
    *ret_ids = TAKE(ids);
    *ret_count = count;
    return 0;
}

int contest_each(Db *db, int (*hear)(void *user, const Contest *contest, Err *err), void *user,
                 Err *err)
{
    CLEANUP(mem_freep) int64_t *ids = NULL;
    size_t count = 0;
    int rc = list_ids(db, &ids, &count, err);

    for (size_t i = 0; i < count && rc == 0; i++) {
        CLEANUP(contest_done) Contest contest = {0};
        rc = contest_get(db, ids[i], &contest, err);
        if (rc == 0 && contest.id)
            rc = hear(user, &contest, err);
    }
    return rc;
}

/* ---- small statements ---- */

static int run_text(Db *db, const char *sql, int64_t id, Str a, Str b, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, sql, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    if (strstr(sql, "?2"))
        db_bind_text(query, 2, a);
    if (strstr(sql, "?3"))
        db_bind_text(query, 3, b);
    rc = db_step(query, err);
    return rc < 0 ? rc : 0;
}

static int get_number(Db *db, const char *sql, int64_t id, Str text, int64_t none, int64_t *ret,
                      Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, sql, &query, err);

    *ret = none;
    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    if (strstr(sql, "?2"))
        db_bind_text(query, 2, text);
    rc = db_step(query, err);
    if (rc == 1)
        *ret = db_int(query, 0);
    return rc < 0 ? rc : 0;
}

static int note_trail(Db *db, int64_t contest, const ContestActor *actor, Str verb, Str detail,
                      Err *err)
{
    const TrailEntry entry = {.contest = contest,
                              .account = actor->account,
                              .address = actor->address,
                              .verb = verb,
                              .detail = detail,
                              .at_ms = actor->now_ms};

    return trail_note(db, &entry, err);
}

static int must_exist(Db *db, int64_t id, Contest *ret_contest, Err *err)
{
    int rc = contest_get(db, id, ret_contest, err);

    return rc || ret_contest->id ? rc : err_set(err, ERR_RULE, "there is no such contest");
}

/* ---- made ---- */

typedef struct ContestMaking {
    Str name, text;
    const ContestActor *actor;
    int64_t id;
} ContestMaking;

static int insert_contest(Db *db, ContestMaking *making, Str digest, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "INSERT INTO contest(name, state, file, digest, changed)"
                      " VALUES(?1, 'DRAFT', ?2, ?3, ?4) RETURNING id",
                      &query, err);

    if (rc)
        return rc;
    db_bind_text(query, 1, making->name);
    db_bind_text(query, 2, making->text);
    db_bind_text(query, 3, digest);
    db_bind_int(query, 4, making->actor->now_ms);
    rc = db_step(query, err);
    if (rc == 1)
        making->id = db_int(query, 0);
    return rc < 0 ? rc : 0;
}

static int make_in_transaction(Db *db, void *user, Err *err)
{
    ContestMaking *making = user;
    char digest[SHA256_HEX_BYTES];
    int64_t other;
    int rc = get_number(db, "SELECT id FROM contest WHERE name = ?2 AND ?1 = 0", 0, making->name, 0,
                        &other, err);

    if (rc == 0 && other)
        rc = err_set(err, ERR_RULE, "contest: '%.*s' is taken", STR_ARG(making->name));
    if (rc == 0)
        rc = sha256_hex(making->text, digest, err);
    if (rc == 0)
        rc = insert_contest(db, making, str_of(digest), err);
    return rc ? rc
              : note_trail(db, making->id, making->actor, STR("create-contest"), making->name, err);
}

int contest_make(Db *db, Str text, const char *folder, const ContestActor *actor, int64_t *ret_id,
                 Err *err)
{
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    int rc = contest_rules_read(text, folder, &rules, err);
    ContestMaking making = {.name = str_of(rules.name), .text = text, .actor = actor};

    if (rc == 0)
        rc = db_transaction(db, make_in_transaction, &making, err);
    if (rc == 0)
        *ret_id = making.id;
    return rc;
}

/* ---- amended ---- */

typedef struct ContestChange {
    int64_t id;
    Str text;
    const char *folder;
    const ContestActor *actor;
} ContestChange;

static bool same_tracks(const SiteRules *a, const SiteRules *b)
{
    if (a->track_count != b->track_count)
        return false;
    for (uint32_t i = 0; i < a->track_count; i++)
        if (strcmp(a->tracks[i].name, b->tracks[i].name) != 0)
            return false;
    return true;
}

static bool same_stages(const Plan *a, const Plan *b)
{
    if (a->stage_count != b->stage_count)
        return false;
    for (uint32_t i = 0; i < a->stage_count; i++)
        if (strcmp(a->stages[i].name, b->stages[i].name) != 0)
            return false;
    return true;
}

/* What never changes once a contest is open: secrets and names of others hang on it. */
static int check_identity(const SiteRules *before, const SiteRules *now, Err *err)
{
    if (strcmp(before->name, now->name) != 0)
        return err_set(err, ERR_RULE, "contest: a contest keeps its name, '%s'", before->name);
    if (before->natural_language != now->natural_language)
        return err_set(err, ERR_RULE, "division: an open contest keeps it");
    if (!same_stages(&before->plan, &now->plan))
        return err_set(err, ERR_RULE, "stages: an open contest keeps their names and their number");
    if (!same_tracks(before, now))
        return err_set(err, ERR_RULE, "tracks: an open contest keeps their names and their number");
    return 0;
}

/* What is over stays, but for a date that leads on from where the contest stands (again, behind
 * `back`, or in a pause): that may become a later one, for a reason. */
static int check_over(const Contest *contest, const char *key, Str reason, Err *err)
{
    if (!life_date_is_ahead(contest->state, str_of(key)))
        return err_set(err, ERR_RULE, "dates: %s is over", key);
    return reason.len ? 0
                      : err_set(err, ERR_RULE,
                                "reason: say why %s changes, which is over; all "
                                "teams are told",
                                key);
}

static int check_dates(const SiteRules *before, const SiteRules *now, const Contest *contest,
                       const ContestActor *actor, Err *err)
{
    const int64_t now_ms = actor->now_ms;

    for (size_t i = 0; contest_date_keys[i]; i++) {
        const int64_t old = *contest_rules_date(before, str_of(contest_date_keys[i]));
        const int64_t new = *contest_rules_date(now, str_of(contest_date_keys[i]));
        int rc = 0;
        if (old == new)
            continue;
        if (old != LIFE_NO_DATE && old <= now_ms)
            rc = check_over(contest, contest_date_keys[i], actor->reason, err);
        if (rc)
            return rc;
        if (new != LIFE_NO_DATE &&new < now_ms)
            return err_set(err, ERR_RULE, "dates: %s would be over already", contest_date_keys[i]);
    }
    return 0;
}

static bool list_has(Str list, Str word)
{
    while (list.len)
        if (str_eq(str_cut(&list, ' '), word))
            return true;
    return false;
}

/* From a stage's first counted game on it stops as it was said before: O1, "the stop never depends
 * on results". */
static int check_played(Db *db, int64_t id, const SiteRules *before, const SiteRules *now, Str keys,
                        Err *err)
{
    static const char *const fixed[] = {"rules", "stages", "on_fault", "own_share", "agents"};
    int64_t played = 0;
    int rc = get_number(db,
                        "SELECT count(*) FROM run WHERE contest = ?1 AND counted > 0"
                        " AND stage <> 'testing'",
                        id, STR(""), 0, &played, err);

    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]) && rc == 0 && played; i++)
        if (list_has(keys, str_of(fixed[i])))
            rc = err_set(err, ERR_RULE, "%s: games that count have been played by them", fixed[i]);
    for (uint32_t i = 0; i < before->plan.stage_count && rc == 0; i++) {
        if (contest_rules_stop(before, i) == contest_rules_stop(now, i))
            continue;
        rc = get_number(
            db, "SELECT count(*) FROM run WHERE contest = ?1 AND stage = ?2 AND counted > 0", id,
            str_of(before->plan.stages[i].name), 0, &played, err);
        if (rc == 0 && played)
            rc = err_set(err, ERR_RULE,
                         "dates: stage '%s' has counted games, and stops as it was said before",
                         before->plan.stages[i].name);
    }
    return rc;
}

/* What changes needs a reason, unless it is a text or a date. */
static int check_change(Db *db, const Contest *contest, const ContestChange *change, Err *err)
{
    CLEANUP(contest_rules_done) SiteRules before = {0};
    CLEANUP(contest_rules_done) SiteRules now = {0};
    CLEANUP(buf_done) Buf keys = {0};
    int rc = contest_rules_read(change->text, change->folder, &now, err);

    if (rc == 0 && strcmp(now.name, buf_cstr(&contest->name)) != 0)
        rc = err_set(err, ERR_RULE, "contest: a contest keeps its name, '%s'",
                     buf_cstr(&contest->name));
    if (rc || contest->state == LIFE_DRAFT)
        return rc;
    if (contest->state >= LIFE_PUBLISHED)
        return err_set(err, ERR_RULE, "the contest is over");
    rc = contest_rules_check(&now, err);
    if (rc == 0)
        rc = contest_rules_read(buf_str(&contest->file), change->folder, &before, err);
    if (rc == 0)
        rc = contest_rules_differ(buf_str(&contest->file), change->text, &keys, err);
    if (rc == 0)
        rc = check_identity(&before, &now, err);
    if (rc == 0)
        rc = check_dates(&before, &now, contest, change->actor, err);
    if (rc == 0)
        rc = check_played(db, change->id, &before, &now, buf_str(&keys), err);
    if (rc == 0 && keys.len && !change->actor->reason.len)
        rc = err_set(err, ERR_RULE, "reason: say why '%s' changes; all teams are told",
                     buf_cstr(&keys));
    return rc;
}

/* What held until now: whoever looks later whether something followed from it needs the text. */
static int keep_before(Db *db, const Contest *contest, Err *err)
{
    return run_text(db,
                    "INSERT INTO amended(contest, digest, file) VALUES(?1, ?2, ?3)"
                    " ON CONFLICT(contest, digest) DO NOTHING",
                    contest->id, buf_str(&contest->digest), buf_str(&contest->file), err);
}

static int tell_ledger(Db *db, const ContestChange *change, const Contest *contest, Str digest,
                       Str reason, Err *err)
{
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    CLEANUP(buf_done) Buf stops = {0};
    int rc = contest_rules_read(change->text, change->folder, &rules, err);

    contest_rules_stops(&rules, &stops);
    if (rc == 0 && buf_failed(&stops))
        rc = err_set(err, ERR_MEMORY, "contest: out of memory");
    return rc ? rc
              : site_ledger_add_texts(db, contest->id, change->actor->now_ms, "amend", err,
                                      "before", buf_str(&contest->digest), "file", digest, "stops",
                                      buf_str(&stops), "reason", reason, NULL);
}

static int tell_amended(Db *db, const ContestChange *change, const Contest *contest, Str digest,
                        Err *err)
{
    const Str reason = change->actor->reason.len ? change->actor->reason : STR("texts and dates");
    const NoticeWord words[] = {{"reason", reason}, {"digest", digest}};
    const Notice notice = {.kind = NOTICE_AMENDED,
                           .to = TO_TEAMS,
                           .contest = contest->id,
                           .words = words,
                           .word_count = 2};
    int rc = notice_put(db, &notice, change->actor->now_ms, err);

    if (rc == 0)
        rc = site_ledger_begun(db, contest->id, err);
    return rc > 0 ? tell_ledger(db, change, contest, digest, reason, err) : rc;
}

static int amend_in_transaction(Db *db, void *user, Err *err)
{
    const ContestChange *change = user;
    CLEANUP(contest_done) Contest contest = {0};
    char digest[SHA256_HEX_BYTES];
    int rc = must_exist(db, change->id, &contest, err);

    if (rc == 0)
        rc = check_change(db, &contest, change, err);
    if (rc == 0)
        rc = sha256_hex(change->text, digest, err);
    if (rc || str_eq(str_of(digest), buf_str(&contest.digest)))
        return rc;
    rc = run_text(db, "UPDATE contest SET file = ?2, digest = ?3 WHERE id = ?1", change->id,
                  change->text, str_of(digest), err);
    if (rc == 0)
        rc = note_trail(db, change->id, change->actor, STR("amend"), change->actor->reason, err);
    if (rc == 0 && contest.state != LIFE_DRAFT)
        rc = keep_before(db, &contest, err);
    if (rc == 0 && contest.state != LIFE_DRAFT)
        rc = tell_amended(db, change, &contest, str_of(digest), err);
    return rc;
}

int contest_amend(Db *db, int64_t id, Str text, const char *folder, const ContestActor *actor,
                  Err *err)
{
    ContestChange change = {id, text, folder, actor};

    return db_transaction(db, amend_in_transaction, &change, err);
}

int contest_amend_dates(Db *db, int64_t id, const ContestDate *dates, size_t count,
                        const char *folder, const ContestActor *actor, Err *err)
{
    CLEANUP(contest_done) Contest contest = {0};
    int rc = must_exist(db, id, &contest, err);

    for (size_t i = 0; i < count && rc == 0; i++) {
        CLEANUP(buf_done) Buf next = {0};
        rc = contest_rules_set_date(buf_str(&contest.file), dates[i].key, dates[i].value, &next,
                                    err);
        if (rc == 0) {
            buf_done(&contest.file);
            contest.file = next;
            next = (Buf){0};
        }
    }
    return rc ? rc : contest_amend(db, id, buf_str(&contest.file), folder, actor, err);
}

/* ---- paused ---- */

typedef struct ContestPause {
    int64_t id;
    bool paused;
    const ContestActor *actor;
} ContestPause;

static void pause_key(int64_t id, char ret_key[static 40])
{
    snprintf(ret_key, 40, "paused/%lld", (long long)id);
}

static int remember(Db *db, Str key, Str value, Err *err)
{
    return run_text(db,
                    "INSERT INTO meta(key, value) SELECT ?2, ?3 WHERE ?1 = 0"
                    " ON CONFLICT(key) DO UPDATE SET value = excluded.value",
                    0, key, value, err);
}

static int forget(Db *db, Str key, Err *err)
{
    return run_text(db, "DELETE FROM meta WHERE key = ?2 AND ?1 = 0", 0, key, STR(""), err);
}

static int recall(Db *db, Str key, Buf *value, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "SELECT value FROM meta WHERE key = ?1", &query, err);

    if (rc)
        return rc;
    db_bind_text(query, 1, key);
    rc = db_step(query, err);
    if (rc == 1)
        buf_add(value, db_text(query, 0));
    return rc < 0 ? rc : 0;
}

/* How long it has stood still, for the ledger. */
static int pause_length(Db *db, const ContestPause *pause, int64_t *ret_ms, Err *err)
{
    CLEANUP(buf_done) Buf since = {0};
    char key[40];
    int64_t began = 0;

    pause_key(pause->id, key);
    int rc = recall(db, str_of(key), &since, err);
    if (rc == 0 && str_to_int(buf_str(&since), 0, INT64_MAX, &began))
        *ret_ms = pause->actor->now_ms > began ? pause->actor->now_ms - began : 0;
    return rc ? rc : forget(db, str_of(key), err);
}

typedef struct PauseEntry {
    bool paused;
    int64_t length_ms;
    Str reason;
} PauseEntry;

static void put_pause(void *user, Canonical *entry)
{
    const PauseEntry *pause = user;

    canonical_key(entry, STR("paused"));
    canonical_put_bool(entry, pause->paused);
    canonical_key(entry, STR("reason"));
    canonical_put_text(entry, pause->reason);
    if (pause->paused)
        return;
    canonical_key(entry, STR("ms"));
    canonical_put_number(entry, pause->length_ms);
}

static int tell_pause(Db *db, const ContestPause *pause, Err *err)
{
    const NoticeWord words[] = {{"state", pause->paused ? STR("paused") : STR("going on")},
                                {"text", pause->actor->reason}};
    const Notice notice = {.kind = NOTICE_STATE,
                           .to = TO_TEAMS,
                           .contest = pause->id,
                           .words = words,
                           .word_count = 2};

    return notice_put(db, &notice, pause->actor->now_ms, err);
}

static int pause_in_transaction(Db *db, void *user, Err *err)
{
    const ContestPause *pause = user;
    CLEANUP(contest_done) Contest contest = {0};
    PauseEntry entry = {.paused = pause->paused, .reason = pause->actor->reason};
    char key[40], since[24];
    int rc = must_exist(db, pause->id, &contest, err);

    if (rc || contest.paused == pause->paused)
        return rc;
    if (pause->paused && !life_may_pause(contest.state))
        return err_set(err, ERR_RULE, "a contest that is %s can't be paused",
                       life_state_name(contest.state));
    rc = run_text(db,
                  pause->paused ? "UPDATE contest SET paused = 1 WHERE id = ?1"
                                : "UPDATE contest SET paused = 0 WHERE id = ?1",
                  pause->id, STR(""), STR(""), err);
    pause_key(pause->id, key);
    snprintf(since, sizeof(since), "%lld", (long long)pause->actor->now_ms);
    if (rc == 0 && pause->paused)
        rc = remember(db, str_of(key), str_of(since), err);
    else if (rc == 0)
        rc = pause_length(db, pause, &entry.length_ms, err);
    if (rc == 0)
        rc = note_trail(db, pause->id, pause->actor, pause->paused ? STR("pause") : STR("resume"),
                        pause->actor->reason, err);
    if (rc == 0)
        rc = tell_pause(db, pause, err);
    if (rc == 0)
        rc = site_ledger_begun(db, pause->id, err);
    return rc > 0 ? site_ledger_add(db, pause->id, pause->actor->now_ms, "pause", put_pause, &entry,
                                    err)
                  : rc;
}

int contest_set_paused(Db *db, int64_t id, bool paused, const ContestActor *actor, Err *err)
{
    ContestPause pause = {id, paused, actor};

    if (paused && !actor->reason.len)
        return err_set(err, ERR_RULE, "reason: say why; it is published");
    return db_transaction(db, pause_in_transaction, &pause, err);
}

/* ---- announced ---- */

typedef struct ContestWord {
    int64_t id;
    Str english, japanese;
    const ContestActor *actor;
} ContestWord;

static int announce_in_transaction(Db *db, void *user, Err *err)
{
    const ContestWord *word = user;
    const NoticeWord words[] = {{"text", word->english.len ? word->english : word->japanese},
                                {"text_ja", word->japanese}};
    const Notice notice = {.kind = NOTICE_ANNOUNCEMENT,
                           .to = TO_TEAMS,
                           .contest = word->id,
                           .words = words,
                           .word_count = word->japanese.len ? 2 : 1};
    int rc = notice_put(db, &notice, word->actor->now_ms, err);

    return rc ? rc
              : note_trail(db, word->id, word->actor, STR("announce"),
                           str_part(words[0].value, 0, 200), err);
}

int contest_announce(Db *db, int64_t id, Str english, Str japanese, const ContestActor *actor,
                     Err *err)
{
    ContestWord word = {id, english, japanese, actor};

    if (!english.len && !japanese.len)
        return err_set(err, ERR_RULE, "text: say something");
    return db_transaction(db, announce_in_transaction, &word, err);
}

/* ---- moved ---- */

static void ask_key(int64_t id, char ret_key[static 40])
{
    snprintf(ret_key, 40, "asked/%lld", (long long)id);
}

int contest_ask(Db *db, int64_t id, LifeState from, Err *err)
{
    char key[40];

    ask_key(id, key);
    return remember(db, str_of(key), str_of(life_state_name(from)), err);
}

int contest_asked(Db *db, int64_t id, LifeState from, bool *ret_asked, Err *err)
{
    CLEANUP(buf_done) Buf value = {0};
    char key[40];

    ask_key(id, key);
    int rc = recall(db, str_of(key), &value, err);
    *ret_asked = rc == 0 && str_eq(buf_str(&value), str_of(life_state_name(from)));
    return rc;
}

static int tell_move(Db *db, const ContestMove *move, Err *err)
{
    const Str from = str_of(life_state_name(move->from)), to = str_of(life_state_name(move->to));
    const NoticeWord moved[] = {{"from", from}, {"to", to}};
    const NoticeWord state[] = {{"state", to}, {"text", move->actor->reason}};
    const Notice notices[] = {{.kind = NOTICE_MOVED,
                               .to = TO_ORGANISERS,
                               .contest = move->contest,
                               .words = moved,
                               .word_count = 2},
                              {.kind = NOTICE_STATE,
                               .to = TO_TEAMS,
                               .contest = move->contest,
                               .words = state,
                               .word_count = 2}};
    int rc = notice_put(db, &notices[0], move->actor->now_ms, err);

    return rc ? rc : notice_put(db, &notices[1], move->actor->now_ms, err);
}

static int write_move(Db *db, const ContestMove *move, bool *ret_moved, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(db, "UPDATE contest SET state = ?3, changed = ?4 WHERE id = ?1 AND state = ?2",
                 &query, err);

    *ret_moved = false;
    if (rc)
        return rc;
    db_bind_int(query, 1, move->contest);
    db_bind_text(query, 2, str_of(life_state_name(move->from)));
    db_bind_text(query, 3, str_of(life_state_name(move->to)));
    db_bind_int(query, 4, move->actor->now_ms);
    rc = db_step(query, err);
    *ret_moved = rc == 0 && db_changes(db) == 1;
    return rc;
}

int contest_move(Db *db, const ContestMove *move, bool *ret_moved, Err *err)
{
    CLEANUP(buf_done) Buf detail = {0};
    char key[40];
    int rc = write_move(db, move, ret_moved, err);

    if (rc || !*ret_moved)
        return rc;
    ask_key(move->contest, key);
    rc = forget(db, str_of(key), err);
    buf_printf(&detail, "%s > %s%s%.*s", life_state_name(move->from), life_state_name(move->to),
               move->actor->reason.len ? ": " : "", STR_ARG(move->actor->reason));
    if (rc == 0 && buf_failed(&detail))
        rc = err_set(err, ERR_MEMORY, "contest: out of memory");
    if (rc == 0)
        rc = note_trail(db, move->contest, move->actor, STR("move"), buf_str(&detail), err);
    if (rc == 0)
        rc = tell_move(db, move, err);
    if (rc == 0)
        rc = site_ledger_begun(db, move->contest, err);
    return rc > 0 ? site_ledger_add_texts(db, move->contest, move->actor->now_ms, "state", err,
                                          "from", str_of(life_state_name(move->from)), "to",
                                          str_of(life_state_name(move->to)), "reason",
                                          move->actor->reason, NULL)
                  : rc;
}

/* ---- its file ---- */

int contest_write_file(const char *data, const Contest *contest, Err *err)
{
    const ContestHome home = {contest->id, buf_str(&contest->name), data};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf there = {0};
    int rc = contest_home_path(&home, "contest.yml", &path, err);

    if (rc)
        return rc;
    if (log_file_read(buf_cstr(&path), CONTEST_BYTES_MAX, &there, NULL) == 0 &&
        str_eq(buf_str(&there), buf_str(&contest->file)))
        return 0;
    rc = folder_make_for(buf_cstr(&path), err);
    return rc ? rc : file_replace(buf_cstr(&path), buf_str(&contest->file), true, err);
}
