#include "site/status.h"

#include "base/date_text.h"
#include "base/size_text.h"
#include "judging/judging_store.h"
#include "site/clock.h"
#include "site/finding.h"
#include "site/notice.h"
#include "site/ruling.h"

void site_status_done(SiteStatus *status)
{
    buf_done(&status->name);
    buf_done(&status->rounds);
    spool_runner_done(&status->runner);
}

/* ---- reading ---- */

/* The first two columns of the one row, 0 where there is none. */
static int read_pair(const StatusPlace *place, const char *sql, int64_t contest, int64_t *ret_a,
                     int64_t *ret_b, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(place->db, sql, &query, err);

    *ret_a = 0;
    if (ret_b)
        *ret_b = 0;
    if (rc)
        return rc;
    if (strstr(sql, "?1"))
        db_bind_int(query, 1, contest);
    rc = db_step(query, err);
    if (rc == 1) {
        *ret_a = db_int(query, 0);
        if (ret_b)
            *ret_b = db_int(query, 1);
    }
    return rc < 0 ? rc : 0;
}

static int read_people(const StatusPlace *place, int64_t contest, SiteStatus *status, Err *err)
{
    int64_t in, waiting, ready, appeals;
    int rc = read_pair(place,
                       "SELECT sum(CASE WHEN state = 'IN' THEN 1 ELSE 0 END),"
                       " sum(CASE WHEN state = 'WAITING' THEN 1 ELSE 0 END) FROM team"
                       " WHERE contest = ?1",
                       contest, &in, &waiting, err);

    if (rc == 0)
        rc = read_pair(place,
                       "SELECT count(DISTINCT team.id) FROM team JOIN version ON version.team ="
                       " team.id WHERE team.contest = ?1 AND team.state = 'IN' AND version.state IN"
                       " ('PASSED', 'ACTIVE')",
                       contest, &ready, NULL, err);
    if (rc == 0)
        rc = read_pair(place,
                       "SELECT count(*) FROM appeal JOIN team ON team.id = appeal.team WHERE"
                       " team.contest = ?1 AND appeal.closed IS NULL",
                       contest, &appeals, NULL, err);
    if (rc == 0)
        rc = findings_waiting(place->db, contest, &status->findings, &status->finding_oldest_ms,
                              err);
    if (rc == 0)
        rc = rulings_failed(place->db, contest, &status->failed, err);
    if (rc == 0)
        rc = sheets_missing(place->db, contest, &status->sheets_missing, err);
    if (rc)
        return rc;
    status->teams = (uint32_t)in;
    status->teams_waiting = (uint32_t)waiting;
    status->ready = (uint32_t)ready;
    status->appeals = (uint32_t)appeals;
    return 0;
}

/* Rounds of the stage that was played last, by size of tables. */
static int read_rounds(const StatusPlace *place, int64_t contest, SiteStatus *status, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(place->db,
                      "SELECT run.part, max(run.round), sum(run.counted) FROM run WHERE"
                      " run.contest = ?1 AND run.stage = (SELECT stage FROM run WHERE contest = ?1"
                      " AND stage <> 'testing' ORDER BY id DESC LIMIT 1)"
                      " GROUP BY run.part ORDER BY run.part",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    while ((rc = db_step(query, err)) == 1)
        buf_printf(&status->rounds, "%spart %lld %lld games", status->rounds.len ? ", " : "",
                   (long long)db_int(query, 0) + 1, (long long)db_int(query, 2));
    return rc;
}

static int read_games(const StatusPlace *place, int64_t contest, SiteStatus *status, Err *err)
{
    int64_t games, seats, excused;
    int rc =
        read_pair(place, "SELECT sum(counted) FROM run WHERE contest = ?1 AND stage <> 'testing'",
                  contest, &games, NULL, err);

    if (rc == 0)
        rc = read_pair(place,
                       "SELECT sum(games), sum(excused) FROM score WHERE contest = ?1 AND"
                       " stage <> 'testing'",
                       contest, &seats, &excused, err);
    if (rc)
        return rc;
    status->games = (uint64_t)games;
    status->seats = (uint64_t)seats;
    status->excused = (uint64_t)excused;
    return read_rounds(place, contest, status, err);
}

static int read_proof(const StatusPlace *place, int64_t contest, SiteStatus *status, Err *err)
{
    NoticesUnsent unsent = {0};
    int64_t entries, backup = 0;
    int rc = read_pair(place, "SELECT count(*) FROM ledger WHERE contest = ?1", contest, &entries,
                       NULL, err);

    if (rc == 0)
        rc = read_pair(place, "SELECT max(at) FROM checkpoint WHERE contest = ?1", contest,
                       &status->checkpoint_ms, NULL, err);
    if (rc == 0)
        rc = read_pair(place, "SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'backup'", 0,
                       &backup, NULL, err);
    if (rc == 0)
        rc = notices_unsent_count(place->db, contest, &unsent, err);
    if (rc)
        return rc;
    status->ledger = (uint64_t)entries;
    status->backup_ms = backup;
    status->notices_waiting = unsent.waiting;
    status->notices_failed = unsent.failed;
    status->disk = place->disk;
    status->disk.data = place->data;
    (void)disk_state_look(place->db, &status->disk, NULL); /* else it is low */
    return 0;
}

/* Whether an organiser was there before the date. */
static bool date_is_behind(const char *key, LifeState state)
{
    static const struct {
        const char *key;
        LifeState ends;
    } ways[] = {{"opens", LIFE_DRAFT},
                {"submission_closes", LIFE_OPEN},
                {"preliminary", LIFE_FROZEN},
                {"preliminary_stops", LIFE_PRELIMINARY},
                {"revision_closes", LIFE_REVISION},
                {"final_stops", LIFE_FINAL}};

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        if (strcmp(ways[i].key, key) == 0)
            return state > ways[i].ends;
    return false;
}

/* The dates that are told as what comes next. */
static void find_next_date(const SiteRules *rules, LifeState state, int64_t now_ms,
                           SiteStatus *status)
{
    for (size_t i = 0; contest_date_keys[i]; i++) {
        const int64_t date = *contest_rules_date(rules, str_of(contest_date_keys[i]));
        if (date != LIFE_NO_DATE && date > now_ms && !date_is_behind(contest_date_keys[i], state) &&
            (status->next_ms == LIFE_NO_DATE || date < status->next_ms)) {
            status->next_ms = date;
            status->next = contest_date_keys[i];
        }
    }
}

static int read_life(const StatusPlace *place, const Contest *contest, int64_t now_ms,
                     SiteStatus *status, Err *err)
{
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    CLEANUP(site_clock_freep) SiteClock *clock = NULL;
    const ClockSetup setup = {.db = place->db,
                              .data = place->data,
                              .folder = place->folder,
                              .cell_require = place->cell_require};
    SpoolWatch watch = {0};

    status->next_ms = LIFE_NO_DATE;
    status->bad_file =
        contest_rules_read(buf_str(&contest->file), place->folder, &rules, NULL) != 0;
    if (!status->bad_file)
        find_next_date(&rules, contest->state, now_ms, status);
    int rc = site_clock_new(&setup, &clock, err);
    if (rc == 0)
        rc = site_clock_look(clock, contest, now_ms, &status->step, NULL, err);
    if (rc == 0)
        rc = spool_runner_look(&watch, place->data, now_ms, &status->runner, err);
    return rc;
}

int site_status_read(const StatusPlace *place, const Contest *contest, int64_t now_ms,
                     SiteStatus *ret_status, Err *err)
{
    SiteStatus status = {
        .state = contest->state, .paused = contest->paused, .since_ms = contest->changed_ms};

    buf_add(&status.name, buf_str(&contest->name));
    int rc = read_life(place, contest, now_ms, &status, err);
    if (rc == 0)
        rc = read_games(place, contest->id, &status, err);
    if (rc == 0)
        rc = read_people(place, contest->id, &status, err);
    if (rc == 0)
        rc = read_proof(place, contest->id, &status, err);
    if (rc == 0)
        rc = jobs_open_count(place->db, contest->id, &status.runner, &status.jobs, err);
    if (rc)
        site_status_done(&status);
    else
        *ret_status = status;
    return rc;
}

/* ---- printing ---- */

/* 48,200 */
static void add_count(uint64_t count, Buf *out)
{
    char digits[24];
    const int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);

    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            buf_add_char(out, ',');
        buf_add_char(out, digits[i]);
    }
}

/* The words of the five lines. */
typedef enum StatusWord {
    WORD_SINCE,
    WORD_NEXT,
    WORD_IN,
    WORD_PAUSED,
    WORD_GAMES,
    WORD_COUNTED,
    WORD_EXCUSED,
    WORD_RUNNER,
    WORD_ALIVE,
    WORD_DEAD,
    WORD_LEVEL,
    WORD_TABLES,
    WORD_DOING,
    WORD_JOBS,
    WORD_PEOPLE,
    WORD_TEAMS,
    WORD_READY,
    WORD_WAITING,
    WORD_FINDINGS,
    WORD_FAILED,
    WORD_OLDEST,
    WORD_APPEALS,
    WORD_SHEETS,
    WORD_PROOF,
    WORD_LEDGER,
    WORD_CHECKPOINT,
    WORD_FREE,
    WORD_FULL,
    WORD_FULL_UNTIL,
    WORD_BACKUP,
    WORD_NO_BACKUP,
    WORD_AGO,
    WORD_NOTICES,
    STATUS_WORDS,
} StatusWord;

static const char *const words[STATUS_WORDS][2] = {
    [WORD_SINCE] = {" since ", " 経過 "},
    [WORD_NEXT] = {"; next: ", "; 次: "},
    [WORD_IN] = {" in ", " まで "},
    [WORD_PAUSED] = {" (paused)", " (一時停止中)"},
    [WORD_GAMES] = {"    games    ", "    対戦     "},
    [WORD_COUNTED] = {" counted", " 戦"},
    [WORD_EXCUSED] = {" answers excused", " 件の免責された応答"},
    [WORD_RUNNER] = {"    runner   ", "    runner   "},
    [WORD_ALIVE] = {"alive", "動作中"},
    [WORD_DEAD] = {"NOT ALIVE: warg contest runner", "停止中: warg contest runner"},
    [WORD_LEVEL] = {", level ", ", セル "},
    [WORD_TABLES] = {" tables", " 卓"},
    [WORD_DOING] = {" jobs under way", " 件のジョブ実行中"},
    [WORD_JOBS] = {" jobs waiting ", " 件のジョブ待ち "},
    [WORD_PEOPLE] = {"    people   ", "    参加者   "},
    [WORD_TEAMS] = {" teams, ", " チーム, "},
    [WORD_READY] = {" with a version", " 提出合格"},
    [WORD_WAITING] = {" wait to be approved", " 承認待ち"},
    [WORD_FINDINGS] = {" findings to rule", " 件の裁定待ち"},
    [WORD_FAILED] = {" rulings not carried out: warg contest findings ",
                     " 件の未実行の裁定: warg contest findings "},
    [WORD_OLDEST] = {" (oldest ", " (最古 "},
    [WORD_APPEALS] = {" appeals open", " 件の異議"},
    [WORD_SHEETS] = {" sheets missing", " 枚の審査票待ち"},
    [WORD_PROOF] = {"    proof    ", "    証明     "},
    [WORD_LEDGER] = {"ledger ", "台帳 "},
    [WORD_CHECKPOINT] = {" entries, checkpoint ", " 件, チェックポイント "},
    [WORD_FREE] = {" free", " 空き"},
    [WORD_FULL] = {": TOO LITTLE, nothing is played until ", ": 空き不足, "},
    [WORD_FULL_UNTIL] = {" are", " になるまで対戦を停止中"},
    [WORD_BACKUP] = {"; backup ", "; バックアップ "},
    [WORD_NO_BACKUP] = {"; NO BACKUP", "; バックアップなし"},
    [WORD_AGO] = {" ago", "前"},
    [WORD_NOTICES] = {" notices could not be sent", " 件の通知が送れませんでした"},
};

/* Who writes: a language, a place. */
typedef struct StatusPen {
    bool japanese;
    int64_t now_ms;
    Buf *out;
} StatusPen;

static void pen_word(const StatusPen *pen, StatusWord word)
{
    buf_add(pen->out, str_of(words[word][pen->japanese]));
}

static void pen_count(const StatusPen *pen, uint64_t count, StatusWord word)
{
    add_count(count, pen->out);
    pen_word(pen, word);
}

static void print_life(const StatusPen *pen, const SiteStatus *status)
{
    buf_printf(pen->out, "%s  %s", buf_cstr(&status->name), life_state_name(status->state));
    if (status->paused)
        pen_word(pen, WORD_PAUSED);
    pen_word(pen, WORD_SINCE);
    life_rest(pen->now_ms - status->since_ms, pen->japanese, pen->out);
    if (status->next) {
        pen_word(pen, WORD_NEXT);
        buf_add(pen->out, str_of(status->next));
        pen_word(pen, WORD_IN);
        life_rest(status->next_ms - pen->now_ms, pen->japanese, pen->out);
    }
    if (status->step.why != LIFE_WAITS && status->step.why != LIFE_ENDED) {
        buf_add(pen->out, STR("; "));
        life_sentence(&status->step, pen->now_ms, pen->japanese, pen->out);
    }
    buf_add_char(pen->out, '\n');
}

static void print_games(const StatusPen *pen, const SiteStatus *status)
{
    pen_word(pen, WORD_GAMES);
    pen_count(pen, status->games, WORD_COUNTED);
    if (status->rounds.len)
        buf_printf(pen->out, "; %s", buf_cstr(&status->rounds));
    if (status->seats) {
        buf_add(pen->out, STR("; "));
        pen_count(pen, status->excused, WORD_EXCUSED);
    }
    buf_add_char(pen->out, '\n');
}

static void print_more(const StatusPen *pen, uint64_t count, StatusWord word)
{
    if (!count)
        return;
    buf_add(pen->out, STR("; "));
    pen_count(pen, count, word);
}

static void print_runner(const StatusPen *pen, const SiteStatus *status)
{
    pen_word(pen, WORD_RUNNER);
    pen_word(pen, status->runner.alive ? WORD_ALIVE : WORD_DEAD);
    if (status->runner.alive) {
        pen_word(pen, WORD_LEVEL);
        buf_printf(pen->out, "%s, %u", buf_cstr(&status->runner.level),
                   (unsigned)status->runner.tables);
        pen_word(pen, WORD_TABLES);
    }
    print_more(pen, status->jobs.doing, WORD_DOING);
    if (status->jobs.waiting) {
        buf_add(pen->out, STR("; "));
        pen_count(pen, status->jobs.waiting, WORD_JOBS);
        life_rest(pen->now_ms - status->jobs.oldest_ms, pen->japanese, pen->out);
    }
    buf_add_char(pen->out, '\n');
}

static void print_people(const StatusPen *pen, const SiteStatus *status)
{
    pen_word(pen, WORD_PEOPLE);
    pen_count(pen, status->teams, WORD_TEAMS);
    pen_count(pen, status->ready, WORD_READY);
    print_more(pen, status->teams_waiting, WORD_WAITING);
    print_more(pen, status->findings, WORD_FINDINGS);
    if (status->findings) {
        pen_word(pen, WORD_OLDEST);
        life_rest(pen->now_ms - status->finding_oldest_ms, pen->japanese, pen->out);
        buf_printf(pen->out, "): warg contest findings %s", buf_cstr(&status->name));
    }
    print_more(pen, status->failed, WORD_FAILED);
    if (status->failed)
        buf_add(pen->out, buf_str(&status->name));
    print_more(pen, status->appeals, WORD_APPEALS);
    print_more(pen, status->sheets_missing, WORD_SHEETS);
    print_more(pen, status->notices_failed, WORD_NOTICES);
    buf_add_char(pen->out, '\n');
}

static void print_ago(const StatusPen *pen, int64_t at_ms)
{
    life_rest(pen->now_ms - at_ms, pen->japanese, pen->out);
    pen_word(pen, WORD_AGO);
}

static void print_size(const StatusPen *pen, uint64_t bytes)
{
    const bool large = bytes >> 30 > 0;

    buf_printf(pen->out, "%llu %s", (unsigned long long)(bytes >> (large ? 30 : 20)),
               large ? "GiB" : "MiB");
}

static void print_proof(const StatusPen *pen, const SiteStatus *status)
{
    pen_word(pen, WORD_PROOF);
    pen_word(pen, WORD_LEDGER);
    pen_count(pen, status->ledger, WORD_CHECKPOINT);
    if (status->checkpoint_ms)
        print_ago(pen, status->checkpoint_ms);
    else
        buf_add_char(pen->out, '-');
    buf_add(pen->out, STR("; "));
    print_size(pen, status->disk.free);
    pen_word(pen, WORD_FREE);
    if (status->disk.low) {
        pen_word(pen, WORD_FULL);
        print_size(pen, 2 * status->disk.reserve);
        pen_word(pen, WORD_FULL_UNTIL);
    }
    pen_word(pen, status->backup_ms ? WORD_BACKUP : WORD_NO_BACKUP);
    if (status->backup_ms)
        print_ago(pen, status->backup_ms);
    buf_add_char(pen->out, '\n');
}

void site_status_print(const SiteStatus *status, int64_t now_ms, bool japanese, Buf *out)
{
    const StatusPen pen = {japanese, now_ms, out};

    print_life(&pen, status);
    print_games(&pen, status);
    print_runner(&pen, status);
    print_people(&pen, status);
    print_proof(&pen, status);
}

static void add_date(Json *json, const char *key, int64_t ms)
{
    char room[DATE_TEXT_ROOM];

    json_key(json, str_of(key));
    if (ms > 0)
        json_put_str(json, date_text_write(ms, room));
    else
        json_put_null(json);
}

void site_status_json(const SiteStatus *status, int64_t now_ms, Buf *out)
{
    CLEANUP(buf_done) Buf sentence = {0};
    Json json = json_over(out);

    life_sentence(&status->step, now_ms, false, &sentence);
    json_open(&json, '{');
    json_add_str(&json, "name", buf_str(&status->name));
    json_add_str(&json, "state", str_of(life_state_name(status->state)));
    json_add_bool(&json, "paused", status->paused);
    add_date(&json, "since", status->since_ms);
    json_add_str(&json, "sentence", buf_str(&sentence));
    json_add_bool(&json, "bad_file", status->bad_file);
    json_add_uint(&json, "games", status->games);
    json_add_uint(&json, "seats", status->seats);
    json_add_uint(&json, "excused", status->excused);
    json_add_bool(&json, "runner", status->runner.alive);
    json_add_str(&json, "level", buf_str(&status->runner.level));
    json_add_uint(&json, "tables", status->runner.tables);
    json_add_uint(&json, "jobs_doing", status->jobs.doing);
    json_add_uint(&json, "jobs_waiting", status->jobs.waiting);
    json_add_uint(&json, "teams", status->teams);
    json_add_uint(&json, "teams_ready", status->ready);
    json_add_uint(&json, "teams_waiting", status->teams_waiting);
    json_add_uint(&json, "findings", status->findings);
    json_add_uint(&json, "failed_rulings", status->failed);
    json_add_uint(&json, "appeals", status->appeals);
    json_add_uint(&json, "sheets_missing", status->sheets_missing);
    json_add_uint(&json, "notices_waiting", status->notices_waiting);
    json_add_uint(&json, "notices_failed", status->notices_failed);
    json_add_uint(&json, "ledger", status->ledger);
    add_date(&json, "checkpoint", status->checkpoint_ms);
    json_add_uint(&json, "disk_free", status->disk.free);
    json_add_bool(&json, "disk_low", status->disk.low);
    add_date(&json, "backup", status->backup_ms);
    json_close(&json);
    buf_add_char(out, '\n');
    if (buf_failed(&sentence))
        buf_fail(out);
}
