#include "site/finding.h"

#include "base/date_text.h"
#include "base/utf8.h"
#include "site/notice.h"
#include "site/ruling.h"
#include "site/site_ledger.h"
#include "site/team.h"
#include "store/db_row.h"

#include <jansson.h>
#include <stdlib.h>

static const char *const state_names[FINDING_STATES] = {
    [FINDING_NOTED] = "NOTED",       [FINDING_STRIKE] = "STRIKE", [FINDING_PROPOSED] = "PROPOSED",
    [FINDING_ANSWERED] = "ANSWERED", [FINDING_RULED] = "RULED",
};

const char *finding_state_name(FindingState state)
{
    return state < FINDING_STATES ? state_names[state] : "";
}

static FindingState state_of(Str name)
{
    FindingState state = FINDING_NOTED;

    while (state < FINDING_STATES && !str_eq(name, str_of(state_names[state])))
        state++;
    return state;
}

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "finding: out of memory");
}

static int check_answer(Str text, Err *err)
{
    if (!str_trim(text).len || text.len > FINDING_ANSWER_MAX || !utf8_valid(text) ||
        memchr(text.bytes, '\0', text.len))
        return err_set(err, ERR_RULE, "text: 1 to %d bytes of text", FINDING_ANSWER_MAX);
    return 0;
}

/* ---- one finding ---- */

typedef struct FindingRow {
    int64_t id, contest, team;
    Buf team_name, stage_name, rule, evidence;
    uint32_t stage;
    FindingState state;
    int64_t count, games;
} FindingRow;

static void row_done(FindingRow *row)
{
    buf_done(&row->team_name);
    buf_done(&row->stage_name);
    buf_done(&row->rule);
    buf_done(&row->evidence);
}

/* `id` 0: there is none. */
static int take_row(DbQuery *query, FindingRow *ret, Err *err)
{
    int rc = db_step(query, err);

    if (rc != 1)
        return rc;
    ret->id = db_int(query, 0);
    ret->contest = db_int(query, 1);
    ret->team = db_int(query, 2);
    buf_add(&ret->team_name, db_text(query, 3));
    ret->stage = (uint32_t)db_int(query, 4);
    buf_add(&ret->rule, db_text(query, 5));
    ret->state = state_of(db_text(query, 6));
    ret->count = db_int(query, 7);
    ret->games = db_int(query, 8);
    buf_add(&ret->evidence, db_text(query, 9));
    buf_add(&ret->stage_name, db_text(query, 10));
    return buf_failed(&ret->team_name) || buf_failed(&ret->rule) || buf_failed(&ret->evidence) ||
                   buf_failed(&ret->stage_name)
               ? no_memory(err)
               : 0;
}

#define ROW_COLUMNS                                                                                \
    "SELECT finding.id, finding.contest, finding.team, team.name, finding.stage, finding.rule,"    \
    " finding.state, finding.count, finding.games, finding.evidence, finding.stage_name"           \
    " FROM finding JOIN team ON team.id = finding.team"

static int find_row(Db *db, int64_t id, FindingRow *ret, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err, ROW_COLUMNS " WHERE finding.id = ?1", "i", id);

    if (rc == 0)
        rc = take_row(query, ret, err);
    if (rc == 0 && !ret->id)
        rc = err_set(err, ERR_RULE, "finding: there is none of this number");
    return rc;
}

int finding_owner(Db *db, int64_t finding, int64_t *ret_contest, int64_t *ret_team, Err *err)
{
    int rc =
        db_ask(db, 0, ret_contest, err, "SELECT contest FROM finding WHERE id = ?1", "i", finding);

    return rc ? rc
              : db_ask(db, 0, ret_team, err, "SELECT team FROM finding WHERE id = ?1", "i",
                       finding);
}

/* ---- counted ---- */

static FindingState state_of_action(ConductAction action)
{
    switch (action) {
    case CONDUCT_NOTE:
        return FINDING_NOTED;
    case CONDUCT_STRIKE:
        return FINDING_STRIKE;
    case CONDUCT_ELIMINATE:
        break;
    }
    return FINDING_PROPOSED;
}

/* The first few stay. */
static int merge_evidence(Str before, const json_t *more, Buf *ret_text, Err *err)
{
    json_t *list = before.len ? json_loadb(before.bytes, before.len, 0, NULL) : json_array();
    char *text;

    if (!json_is_array(list)) {
        json_decref(list);
        list = json_array();
    }
    for (size_t i = 0; i < json_array_size(more) && json_array_size(list) < FINDING_EVIDENCE_MAX;
         i++)
        json_array_append_new(list, json_deep_copy(json_array_get(more, i)));
    text = json_dumps(list, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(list);
    if (!text)
        return no_memory(err);
    buf_add(ret_text, str_of(text));
    free(text); /* jansson's */
    return buf_failed(ret_text) ? no_memory(err) : 0;
}

/* What an entry about a finding has. */
typedef struct FindingEntry {
    Str team, stage, rule;
    const char *action;
    uint64_t count, games;
    Str evidence; /* JSON */
} FindingEntry;

static void write_digests(Str evidence, Canonical *entry)
{
    json_t *list = json_loadb(evidence.bytes, evidence.len, 0, NULL);

    canonical_key(entry, STR("evidence"));
    canonical_open(entry, '[');
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *digest = json_string_value(json_object_get(json_array_get(list, i), "sha256"));
        if (digest)
            canonical_put_text(entry, str_of(digest));
    }
    canonical_close(entry);
    json_decref(list);
}

static void write_finding(void *user, Canonical *entry)
{
    const FindingEntry *of = user;

    canonical_key(entry, STR("team"));
    canonical_put_text(entry, of->team);
    canonical_key(entry, STR("stage"));
    canonical_put_text(entry, of->stage);
    canonical_key(entry, STR("rule"));
    canonical_put_text(entry, of->rule);
    canonical_key(entry, STR("action"));
    canonical_put_text(entry, str_of(of->action));
    canonical_key(entry, STR("count"));
    canonical_put_number(entry, (int64_t)of->count);
    canonical_key(entry, STR("games"));
    canonical_put_number(entry, (int64_t)of->games);
    write_digests(of->evidence, entry);
}

static int note_step(Db *db, const FindingCount *count, Str evidence, int64_t now_ms, Err *err)
{
    FindingEntry entry = {.team = count->team,
                          .stage = count->stage_name,
                          .rule = count->rule,
                          .action = conduct_action_name(count->action),
                          .count = count->count,
                          .games = count->games,
                          .evidence = evidence};

    return site_ledger_add(db, count->contest, now_ms, "finding", write_finding, &entry, err);
}

/* The team is told each step, organisers what they have to rule on. */
static int tell_step(Db *db, const FindingCount *count, int64_t team, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf number = {0};

    buf_add_uint(&number, count->count);
    const NoticeWord words[] = {{"team", count->team},
                                {"rule", count->rule},
                                {"text", count->text},
                                {"count", buf_str(&number)}};
    const Notice to_team = {.kind =
                                count->action == CONDUCT_STRIKE ? NOTICE_STRIKE : NOTICE_FINDING,
                            .to = TO_TEAM,
                            .id = team,
                            .contest = count->contest,
                            .words = words,
                            .word_count = sizeof(words) / sizeof(words[0])};
    Notice to_organisers = to_team;

    int rc = notice_put(db, &to_team, now_ms, err);
    to_organisers.kind = NOTICE_PROPOSED;
    to_organisers.to = TO_ORGANISERS;
    to_organisers.id = 0;
    return rc || count->action != CONDUCT_ELIMINATE ? rc
                                                    : notice_put(db, &to_organisers, now_ms, err);
}

static int make_finding(Db *db, const FindingCount *count, int64_t team, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf evidence = {0};
    int rc = merge_evidence(STR(""), count->evidence, &evidence, err);

    if (rc == 0)
        rc = db_run(db, err,
                    "INSERT INTO finding(contest, team, rule, at, text, evidence, state, stage,"
                    " stage_name, count, games)"
                    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                    "iititttitii", count->contest, team, count->rule, now_ms, count->text,
                    buf_str(&evidence), str_of(finding_state_name(state_of_action(count->action))),
                    (int64_t)count->stage, count->stage_name, (int64_t)count->count,
                    (int64_t)count->games);
    if (rc == 0)
        rc = note_step(db, count, buf_str(&evidence), now_ms, err);
    return rc ? rc : tell_step(db, count, team, now_ms, err);
}

/* A finding that was answered or ruled stays so; its count goes on. */
static int grow_finding(Db *db, const FindingCount *count, const FindingRow *row, int64_t now_ms,
                        Err *err)
{
    CLEANUP(buf_done) Buf evidence = {0};
    const FindingState now = state_of_action(count->action);
    const bool step = row->state < FINDING_ANSWERED && now > row->state;
    int rc = merge_evidence(buf_str(&row->evidence), count->evidence, &evidence, err);

    if (rc == 0)
        rc = db_run(db, err,
                    "UPDATE finding SET count = ?2, games = ?3, evidence = ?4, state = ?5"
                    " WHERE id = ?1",
                    "iiitt", row->id, (int64_t)count->count, (int64_t)count->games,
                    buf_str(&evidence), str_of(finding_state_name(step ? now : row->state)));
    if (rc || !step)
        return rc;
    rc = note_step(db, count, buf_str(&evidence), now_ms, err);
    return rc ? rc : tell_step(db, count, row->team, now_ms, err);
}

int finding_count(Db *db, const FindingCount *count, int64_t now_ms, Err *err)
{
    CLEANUP(row_done) FindingRow row = {.id = 0};
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int64_t team = 0;
    int rc = team_find(db, count->contest, count->team, &team, err);

    if (rc || !team)
        return rc;
    rc = db_query_with(db, &query, err,
                       ROW_COLUMNS " WHERE finding.contest = ?1 AND finding.stage = ?2"
                                   " AND finding.team = ?3 AND finding.rule = ?4",
                       "iiit", count->contest, (int64_t)count->stage, team, count->rule);
    if (rc == 0)
        rc = take_row(query, &row, err);
    if (rc)
        return rc;
    query = db_query_free(query);
    return row.id ? grow_finding(db, count, &row, now_ms, err)
                  : make_finding(db, count, team, now_ms, err);
}

int finding_recount(Db *db, const FindingCount *count, Err *err)
{
    return db_run(db, err,
                  "UPDATE finding SET count = ?5, games = ?6,"
                  " state = CASE WHEN state IN ('NOTED', 'STRIKE', 'PROPOSED') THEN ?7"
                  " ELSE state END WHERE contest = ?1 AND stage = ?2 AND rule = ?3"
                  " AND team = (SELECT id FROM team WHERE contest = ?1 AND name = ?4)",
                  "iittiit", count->contest, (int64_t)count->stage, count->rule, count->team,
                  (int64_t)count->count, (int64_t)count->games,
                  str_of(finding_state_name(state_of_action(count->action))));
}

/* ---- answered, ruled ---- */

int finding_answer(Db *db, int64_t finding, Str text, int64_t now_ms, Err *err)
{
    CLEANUP(row_done) FindingRow row = {.id = 0};
    char hex[SHA256_HEX_BYTES];
    int rc = check_answer(text, err);

    if (rc == 0)
        rc = find_row(db, finding, &row, err);
    if (rc)
        return rc;
    if (row.state == FINDING_RULED)
        return err_set(err, ERR_RULE, "finding: it is ruled; appeal against the ruling");
    rc = sha256_hex(text, hex, err);
    if (rc == 0)
        rc = db_run(db, err,
                    "UPDATE finding SET answer = ?2, answered = ?3, state = ?4 WHERE id = ?1",
                    "itit", finding, text, now_ms,
                    str_of(finding_state_name(row.state == FINDING_PROPOSED ? FINDING_ANSWERED
                                                                            : row.state)));
    /* The text is the team's: the public list has its digest alone. */
    return rc ? rc
              : site_ledger_add_texts(db, row.contest, now_ms, "finding", err, "team",
                                      buf_str(&row.team_name), "stage", buf_str(&row.stage_name),
                                      "rule", buf_str(&row.rule), "action", STR("answer"), "answer",
                                      str_of(hex), NULL);
}

/* Who went on behind a stage followed from it as it was. */
static int check_stage_open(Db *db, int64_t contest, uint32_t stage, Str name, Err *err)
{
    int64_t later = 0;
    int rc = db_ask(db, 0, &later, err, "SELECT 1 FROM conduct WHERE contest = ?1 AND stage > ?2",
                    "ii", contest, (int64_t)stage);

    if (rc == 0 && later)
        rc = err_set(err, ERR_RULE,
                     "decision: the stage behind %.*s has begun: who plays it followed from this "
                     "one, and stays",
                     STR_ARG(name));
    return rc;
}

static int tell_ruling(Db *db, const FindingRow *row, RulingDecision decision, Str reason,
                       int64_t now_ms, Err *err)
{
    const NoticeWord words[] = {{"team", buf_str(&row->team_name)},
                                {"decision", str_of(ruling_name(decision))},
                                {"reason", reason}};
    const Notice notice = {.kind = NOTICE_RULING,
                           .to = TO_TEAM,
                           .id = row->team,
                           .contest = row->contest,
                           .words = words,
                           .word_count = sizeof(words) / sizeof(words[0])};

    return notice_put(db, &notice, now_ms, err);
}

/* Who asks twice, behind an answer that was lost, has ruled once. */
static int check_not_said(Db *db, int64_t finding, RulingDecision decision, Str reason, Err *err)
{
    int64_t said = 0;
    int rc = db_ask(db, 0, &said, err,
                    "SELECT 1 FROM ruling WHERE decision = ?2 AND reason = ?3"
                    " AND id = (SELECT MAX(id) FROM ruling WHERE finding = ?1"
                    " AND failed IS NULL)",
                    "itt", finding, str_of(ruling_name(decision)), reason);

    if (rc == 0 && said)
        rc = err_set(err, ERR_RULE, "decision: it is ruled so already, for this reason");
    return rc;
}

int finding_rule(Db *db, int64_t finding, int64_t appeal, RulingDecision decision, Str reason,
                 int64_t account, int64_t now_ms, Err *err)
{
    CLEANUP(row_done) FindingRow row = {.id = 0};
    int rc = ruling_reason_check(reason, err);

    if (rc == 0 && decision >= RULING_COUNT)
        rc = err_set(err, ERR_RULE, "decision: expected dismiss, warn or eliminate");
    if (rc == 0)
        rc = find_row(db, finding, &row, err);
    if (rc == 0 && row.state == FINDING_NOTED)
        rc = err_set(err, ERR_RULE,
                     "finding: it is noted, and nothing follows from it; there is nothing to rule");
    if (rc == 0)
        rc = check_stage_open(db, row.contest, row.stage, buf_str(&row.stage_name), err);
    if (rc == 0 && !appeal)
        rc = check_not_said(db, finding, decision, reason, err);
    if (rc == 0)
        rc = db_run(db, err,
                    "INSERT INTO ruling(finding, appeal, team, decision, reason, account, at,"
                    " contest, stage, rule, stage_name)"
                    " VALUES(?1, NULLIF(?2, 0), ?3, ?4, ?5, NULLIF(?6, 0), ?7, ?8, ?9, ?10, ?11)",
                    "iiittiiiitt", finding, appeal, row.team, str_of(ruling_name(decision)), reason,
                    account, now_ms, row.contest, (int64_t)row.stage, buf_str(&row.rule),
                    buf_str(&row.stage_name));
    if (rc == 0)
        rc = db_run(db, err, "UPDATE finding SET state = 'RULED' WHERE id = ?1", "i", finding);
    if (rc == 0)
        rc = tell_ruling(db, &row, decision, reason, now_ms, err);
    return rc ? rc
              : site_ledger_add_texts(db, row.contest, now_ms, "ruling", err, "about",
                                      STR("finding"), "team", buf_str(&row.team_name), "stage",
                                      buf_str(&row.stage_name), "rule", buf_str(&row.rule),
                                      "decision", str_of(ruling_name(decision)), "reason", reason,
                                      NULL);
}

/* The finding that a line of the journal is about; `id` 0: there is none. */
static int find_row_of(Db *db, int64_t contest, const JournalRuling *ruling, FindingRow *ret,
                       Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           ROW_COLUMNS " WHERE finding.contest = ?1 AND finding.stage = ?2"
                                       " AND team.name = ?3 AND finding.rule = ?4",
                           "iitt", contest, (int64_t)ruling->stage, ruling->agent, ruling->rule);

    return rc ? rc : take_row(query, ret, err);
}

int finding_ruled(Db *db, int64_t contest, const JournalRuling *ruling, int64_t now_ms, Err *err)
{
    CLEANUP(row_done) FindingRow row = {.id = 0};
    const Str decision = str_of(ruling_name(ruling->decision));
    int64_t ours = 0;
    int rc = find_row_of(db, contest, ruling, &row, err);

    if (rc || !row.id)
        return rc;
    rc = db_ask(db, 0, &ours, err,
                "SELECT 1 FROM ruling WHERE finding = ?1 AND decision = ?2 AND at = ?3", "iti",
                row.id, decision, ruling->at_ms);
    if (rc == 0 && !ours)
        rc = db_run(db, err,
                    "INSERT INTO ruling(finding, team, decision, reason, at, contest, stage, rule,"
                    " stage_name, applied) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                    "iittiiitti", row.id, row.team, decision, ruling->reason, ruling->at_ms,
                    contest, (int64_t)row.stage, ruling->rule, buf_str(&row.stage_name), now_ms);
    if (rc == 0 && !ours)
        rc = tell_ruling(db, &row, ruling->decision, ruling->reason, now_ms, err);
    return rc ? rc
              : db_run(db, err, "UPDATE finding SET state = 'RULED' WHERE id = ?1", "i", row.id);
}

/* ---- shown ---- */

static void add_date(Json *json, const char *key, int64_t ms)
{
    char room[DATE_TEXT_ROOM];

    json_add_str(json, key, date_text_write(ms < 0 ? 0 : ms, room));
}

static void put_row(const DbQuery *query, Json *json)
{
    char id[24];

    json_open(json, '{');
    snprintf(id, sizeof(id), "%lld", (long long)db_int(query, 0));
    json_add_str(json, "id", str_of(id));
    json_add_str(json, "team", db_text(query, 1));
    json_add_str(json, "stage", db_text(query, 2));
    json_add_str(json, "rule", db_text(query, 3));
    json_add_str(json, "state", db_text(query, 4));
    json_add_int(json, "count", db_int(query, 5));
    json_add_int(json, "games", db_int(query, 6));
    add_date(json, "at", db_int(query, 7));
    json_add_str(json, "text", db_text(query, 8));
    json_key(json, STR("evidence"));
    json_put_raw(json, db_text(query, 9).len ? db_text(query, 9) : STR("[]"));
    if (!db_is_null(query, 10))
        json_add_str(json, "answer", db_text(query, 10));
    if (!db_is_null(query, 11)) {
        json_add_str(json, "decision", db_text(query, 11));
        json_add_str(json, "reason", db_text(query, 12));
    }
    json_close(json);
}

int findings_write(Db *db, int64_t contest, int64_t team, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(
        db, &query, err,
        "SELECT finding.id, team.name, finding.stage_name, finding.rule, finding.state,"
        " finding.count, finding.games, finding.at, finding.text, finding.evidence,"
        " finding.answer, ruling.decision, ruling.reason"
        " FROM finding JOIN team ON team.id = finding.team LEFT JOIN ruling ON ruling.id ="
        " (SELECT MAX(id) FROM ruling WHERE ruling.finding = finding.id AND closed IS NULL)"
        " WHERE finding.contest = ?1 AND (?2 = 0 OR finding.team = ?2) ORDER BY finding.id",
        "ii", contest, team);

    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        put_row(query, json);
        rc = 0;
    }
    json_close(json);
    return rc;
}

int findings_waiting(Db *db, int64_t contest, uint32_t *ret_count, int64_t *ret_oldest_ms, Err *err)
{
    int64_t count = 0;
    int rc = db_ask(db, 0, &count, err,
                    "SELECT COUNT(*) FROM finding WHERE contest = ?1"
                    " AND state IN ('PROPOSED', 'ANSWERED')",
                    "i", contest);

    *ret_count = (uint32_t)count;
    return rc ? rc
              : db_ask(db, 0, ret_oldest_ms, err,
                       "SELECT MIN(at) FROM finding WHERE contest = ?1"
                       " AND state IN ('PROPOSED', 'ANSWERED')",
                       "i", contest);
}
