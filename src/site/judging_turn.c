#include "site/judging_turn.h"

#include "base/digest.h"
#include "disk/log_file.h"
#include "judging/judge_items.h"
#include "judging/judging_files.h"
#include "judging/sheets_make.h"
#include "site/judge_speech.h"
#include "site/lot.h"
#include "site/notice.h"
#include "site/secret.h"
#include "site/site_ledger.h"
#include "site/track_import.h"
#include "wire/json_read.h"

#include <math.h>
#include <stdio.h>

#define RATINGS_BYTES ((size_t)64 * 1024 * 1024)
#define DAY_MS        INT64_C(86400000)

/* ---- the key ---- */

/* Of the stage `evaluation`; *ret_known is false while its lots are not settled. */
static int evaluation_key(const JudgingTurn *turn, Key *ret_key, bool *ret_known, Err *err)
{
    CLEANUP(buf_done) Buf names = {0};
    CLEANUP(buf_done) Buf lots = {0};
    CLEANUP(buf_done) Buf beacon = {0};
    LotsState state = {0};
    Key secret;
    int rc = lots_state(turn->db, turn->home.id, STR(SECRET_EVALUATION), &state, err);

    *ret_known = rc == 0 && state.settled;
    if (!*ret_known)
        return rc;
    rc = lots_read(turn->db, turn->home.id, STR(SECRET_EVALUATION), &names, &lots, &beacon, err);
    if (rc == 0)
        rc = site_secret_read(turn->home.data, turn->home.name, STR(SECRET_EVALUATION), &secret,
                              err);
    if (rc)
        return rc;
    const Key all =
        key_of_lots((const NamedKey *)(const void *)lots.bytes, lots.len / sizeof(NamedKey));
    *ret_key =
        key_of_stage_with(&secret, turn->home.name, STR(SECRET_EVALUATION), &all, buf_str(&beacon));
    return 0;
}

/* ---- sheets ---- */

static int make_track(const JudgingTurn *turn, uint32_t number, const Key *key, uint32_t *ret_made,
                      Err *err)
{
    const SiteRules *rules = turn->rules;
    Str models[RULES_MODELS_MAX];
    SheetsWish wish = {.contest = turn->home.id,
                       .plan = {.track = str_of(rules->tracks[number].name),
                                .sheets = rules->evaluation.sheets,
                                .calibration = number == 0 ? SHEETS_CALIBRATION : 0,
                                .raters = rules->evaluation.raters,
                                .models = models,
                                .model_count = rules->evaluation.model_count,
                                .repeats = rules->evaluation.repeats,
                                .evaluation = key}};

    for (uint32_t i = 0; i < rules->evaluation.model_count; i++)
        models[i] = str_of(rules->evaluation.models[i]);
    for (unsigned i = 0; i < RULES_CRITERIA; i++)
        wish.plan.criteria |= rules->evaluation.criteria[i] ? 1u << i : 0;
    return sheets_make(turn->db, &wish, turn->now_ms, ret_made, err);
}

/* Behind `sheets` of the contest's name in `meta`: they were made, if only of no game. */
static int note_made(const JudgingTurn *turn, bool *ret_made, bool note, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf key = {0};
    int rc = db_query(turn->db,
                      note ? "INSERT INTO meta(key, value) VALUES(?1, 'made')"
                             " ON CONFLICT(key) DO NOTHING"
                           : "SELECT 1 FROM meta WHERE key = ?1",
                      &query, err);

    buf_printf(&key, "sheets:%lld", (long long)turn->home.id);
    if (rc)
        return rc;
    db_bind_text(query, 1, buf_str(&key));
    rc = db_step(query, err);
    if (ret_made)
        *ret_made = rc == 1;
    return rc < 0 ? rc : 0;
}

static int tell_ledger(const JudgingTurn *turn, Str track, uint32_t made, Err *err)
{
    CLEANUP(buf_done) Buf count = {0};
    CLEANUP(buf_done) Buf judges = {0};

    int rc = site_ledger_begun(turn->db, turn->home.id, err);
    if (rc <= 0)
        return rc;
    buf_add_uint(&count, made);
    rc = sheets_judges(turn->db, turn->home.id, &judges, err);
    return rc ? rc
              : site_ledger_add_texts(turn->db, turn->home.id, turn->now_ms, "sheets", err, "track",
                                      track, "sheets", buf_str(&count), "judges", buf_str(&judges),
                                      NULL);
}

/* All that was played is in the store: what comes now counts it. */
static int take_last_games(const JudgingTurn *turn, Err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < turn->rules->track_count && rc == 0; i++)
        for (bool more = true; rc == 0 && more;)
            rc = track_import(turn->db, &turn->home, str_of(turn->rules->tracks[i].name),
                              TRACK_MAIN, turn->now_ms, &more, err);
    return rc;
}

static int make_sheets(const JudgingTurn *turn, Err *err)
{
    bool made = false, known = false;
    Key key;
    int rc = note_made(turn, &made, false, err);

    if (rc == 0 && !made)
        rc = evaluation_key(turn, &key, &known, err);
    if (rc || made || !known)
        return rc;
    rc = take_last_games(turn, err);
    for (uint32_t i = 0; i < turn->rules->track_count && rc == 0; i++) {
        uint32_t count = 0;
        rc = make_track(turn, i, &key, &count, err);
        if (rc == 0)
            rc = tell_ledger(turn, str_of(turn->rules->tracks[i].name), count, err);
        if (rc == 0)
            rc = judge_speech_note(turn->db, &turn->home, i, str_of(turn->rules->tracks[i].name),
                                   turn->now_ms, err);
    }
    return rc ? rc : note_made(turn, NULL, true, err);
}

int judging_missing(const JudgingTurn *turn, uint32_t *ret_missing, Err *err)
{
    bool made = false;
    int rc = note_made(turn, &made, false, err);

    if (rc == 0)
        rc = sheets_missing(turn->db, turn->home.id, ret_missing, err);
    if (rc == 0 && !made)
        *ret_missing += 1;
    return rc;
}

/* ---- models ---- */

/* The last job of kind `judge`, whichever model it asks, and whether it is open. Its id is empty
 * where there was none. */
static int last_judge(const JudgingTurn *turn, bool *ret_open, Buf *ret_id, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->db,
                      "SELECT state IN ('NEW', 'PUT'), id FROM job"
                      " WHERE contest = ?1 AND kind = 'judge' ORDER BY created DESC, id DESC",
                      &query, err);

    *ret_open = false;
    if (rc)
        return rc;
    db_bind_int(query, 1, turn->home.id);
    rc = db_step(query, err);
    if (rc == 1) {
        *ret_open = db_int(query, 0) != 0;
        buf_add(ret_id, db_text(query, 1));
    }
    return rc < 0               ? rc
           : buf_failed(ret_id) ? err_set(err, ERR_MEMORY, "judging: out of memory")
                                : 0;
}

typedef struct ItemsWriter {
    const JudgingTurn *turn;
    Json *json;
    uint32_t count;
} ItemsWriter;

/* A sheet of a model that is open, as the job needs it. */
static int write_item(void *user, const SheetRow *row, Err *err)
{
    ItemsWriter *writer = user;

    if (row->judge != JUDGE_NONE || row->state != SHEET_NEW || !row->counts)
        return 0;
    judge_item_write(row, writer->json);
    writer->count++;
    return buf_failed(writer->json->out) ? err_set(err, ERR_MEMORY, "judging: out of memory") : 0;
}

static int put_judge(const JudgingTurn *turn, Err *err)
{
    CLEANUP(buf_done) Buf spec = {0};
    Json json = json_over(&spec);
    ItemsWriter writer = {turn, &json, 0};
    char id[ID_ULID_BYTES];

    json_open(&json, '{');
    json_add_int(&json, "budget_tokens", turn->rules->evaluation.budget_tokens);
    json_key(&json, STR("items"));
    json_open(&json, '[');
    int rc = sheet_each(turn->db, turn->home.id, JUDGE_NONE, write_item, &writer, err);
    json_close(&json);
    json_close(&json);
    return rc || writer.count == 0
               ? rc
               : job_put(turn->db, turn->home.id, "judge", buf_str(&spec), turn->now_ms, id, err);
}

int judging_follow(const JudgingTurn *turn, Err *err)
{
    CLEANUP(buf_done) Buf last = {0};
    bool open = false;
    int rc = make_sheets(turn, err);

    if (rc == 0)
        rc = last_judge(turn, &open, &last, err);
    if (rc || open || (last.len && retry_waits(turn->waits, buf_str(&last), RETRY_MINUTE)))
        return rc;
    return put_judge(turn, err);
}

/* ---- scores ---- */

static JudgingScores scores_of(const JudgingTurn *turn, Str tracks[static RULES_TRACKS_MAX])
{
    const int32_t permille = turn->rules->evaluation.min_tau_permille;

    for (uint32_t i = 0; i < turn->rules->track_count; i++)
        tracks[i] = str_of(turn->rules->tracks[i].name);
    return (JudgingScores){.contest = turn->home.id,
                           .tracks = tracks,
                           .track_count = turn->rules->track_count,
                           .min_tau = permille == INT32_MIN ? (double)NAN : permille / 1000.0};
}

int judging_scores(const JudgingTurn *turn, Json *json, Err *err)
{
    Str tracks[RULES_TRACKS_MAX];
    const JudgingScores scores = scores_of(turn, tracks);

    return judging_scores_write(turn->db, &scores, json, err);
}

static int digest_file(const Buf *home, const char *name, char ret_hex[static SHA256_HEX_BYTES],
                       Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&path, "%s/judging/%s", buf_cstr(home), name);
    int rc = log_file_read(buf_cstr(&path), RATINGS_BYTES, &text, err);
    return rc ? rc : sha256_hex(buf_str(&text), ret_hex, err);
}

/* What was rated can't be changed behind this. */
static int tell_ratings(const JudgingTurn *turn, const Buf *home, Err *err)
{
    char sheets[SHA256_HEX_BYTES], ratings[SHA256_HEX_BYTES], scores[SHA256_HEX_BYTES];
    int rc = digest_file(home, "sheets.jsonl", sheets, err);

    if (rc == 0)
        rc = digest_file(home, "ratings.jsonl", ratings, err);
    if (rc == 0)
        rc = digest_file(home, "scores.json", scores, err);
    if (rc == 0)
        rc = site_ledger_begun(turn->db, turn->home.id, err);
    return rc > 0 ? site_ledger_add_texts(turn->db, turn->home.id, turn->now_ms, "rating", err,
                                          "sheets", str_of(sheets), "ratings", str_of(ratings),
                                          "scores", str_of(scores), NULL)
                  : rc;
}

int judging_publish(const JudgingTurn *turn, Err *err)
{
    CLEANUP(buf_done) Buf home = {0};
    Str tracks[RULES_TRACKS_MAX];
    const JudgingScores scores = scores_of(turn, tracks);
    int rc = take_last_games(turn, err);

    if (rc == 0)
        rc = contest_home_path(&turn->home, "", &home, err);
    if (rc == 0)
        rc = judging_files_write(turn->db, &scores, buf_cstr(&home), err);
    return rc ? rc : tell_ratings(turn, &home, err);
}

/* ---- what they said ---- */

static int take_answer(Db *db, const json_t *answer, int64_t now_ms, Err *err)
{
    CLEANUP(sheet_row_done) SheetRow row = {0};
    const json_t *list = json_get(answer, "ranking");
    SheetRating ratings[SEAT_MAX];
    SeatNo count = 0;
    bool taken = false;
    int rc = sheet_get(db, json_number(answer, "sheet"), &row, err);

    for (size_t i = 0; i < json_count(list) && count < SEAT_MAX; i++) {
        const json_t *own = json_at(list, i);
        ratings[count++] = (SheetRating){.seat = (SeatNo)json_number(own, "seat"),
                                         .rank = (uint32_t)json_number(own, "rank"),
                                         .score = (uint32_t)json_number(own, "score"),
                                         .reason = json_text(own, "reason")};
    }
    if (rc == 0 && count && count != row.seat_count)
        rc = err_set(err, ERR_RULE, "sheet %lld: ratings of %u seats, it has %u", (long long)row.id,
                     count, row.seat_count);
    return rc ? rc : sheet_take(db, &row, ratings, count, now_ms, &taken, err);
}

/* One line an answer. */
static int take_lines(Db *db, Str text, int64_t now_ms, Err *err)
{
    int rc = 0;

    while (text.len && rc == 0) {
        json_t *json = NULL;
        Str line = str_trim(str_cut(&text, '\n'));
        if (line.len == 0)
            continue;
        rc = json_read(line, RATINGS_BYTES, &json, err);
        if (rc == 0)
            rc = take_answer(db, json, now_ms, err);
        json_done(json);
    }
    return rc;
}

/* It is put again each minute, and organisers hear of it once a day. */
static int tell_failed(Db *db, const JobRow *job, Str why, int64_t now_ms, Err *err)
{
    char mark[48];
    const FailedJob failed = {.contest = job->contest,
                              .job = buf_str(&job->id),
                              .what = buf_str(&job->kind),
                              .why = why,
                              .mark = mark};

    snprintf(mark, sizeof(mark), "judge-failed:%lld", (long long)(now_ms / DAY_MS));
    return notice_job_failed(db, &failed, now_ms, err);
}

int judging_take_over(Db *db, const JobRow *job, const JobOutcome *outcome, int64_t now_ms,
                      void *user, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};

    (void)user;
    int rc = outcome->state == JOB_FAILED ? tell_failed(db, job, outcome->why, now_ms, err) : 0;
    if (rc || !outcome->out_dir)
        return rc;
    buf_printf(&path, "%s/" JUDGE_RATINGS_FILE, outcome->out_dir);
    if (log_file_read(buf_cstr(&path), RATINGS_BYTES, &text, NULL))
        return 0; /* it had nothing to say */
    return take_lines(db, buf_str(&text), now_ms, err);
}
