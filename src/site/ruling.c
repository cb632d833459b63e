#include "site/ruling.h"

#include "base/date_text.h"
#include "base/utf8.h"
#include "contest/conducts.h"
#include "match/plan_read.h"
#include "site/import_place.h"
#include "site/kept_lines.h"
#include "site/notice.h"
#include "site/site_game.h"
#include "site/site_ledger.h"
#include "store/db_row.h"

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "ruling: out of memory");
}

int ruling_reason_check(Str reason, Err *err)
{
    bool good = str_trim(reason).len && reason.len <= RULING_REASON_MAX && utf8_valid(reason);

    for (Str rest = reason; good && rest.len;) {
        const uint32_t code = utf8_next(&rest);
        good = (code >= 0x20 || code == '\t' || code == '\n' || code == '\r') &&
               (code < 0x7F || code >= 0xA0);
    }
    return good ? 0
                : err_set(err, ERR_RULE, "reason: 1 to %d bytes of text without control characters",
                          RULING_REASON_MAX);
}

int rulings_waiting(Db *db, int64_t contest, uint32_t *ret_count, Err *err)
{
    int64_t count = 0;
    int rc =
        db_ask(db, 0, &count, err,
               "SELECT COUNT(*) FROM ruling WHERE contest = ?1 AND applied IS NULL", "i", contest);

    *ret_count = (uint32_t)count;
    return rc;
}

/* A ruling that is to be written. */
typedef struct WaitingRuling {
    int64_t id, at_ms, game;
    int64_t alike; /* written before, in the same words and at the same time */
    uint32_t stage;
    Buf team, rule, decision, reason, stage_name;
    Buf folder; /* of the game that it is about; empty: that of the stages */
} WaitingRuling;

static void waiting_done(WaitingRuling *waiting)
{
    buf_done(&waiting->team);
    buf_done(&waiting->rule);
    buf_done(&waiting->decision);
    buf_done(&waiting->reason);
    buf_done(&waiting->stage_name);
    buf_done(&waiting->folder);
}

/* The oldest; `id` 0 = none. */
static int find_waiting(Db *db, int64_t contest, WaitingRuling *ret, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(
        db, &query, err,
        "SELECT ruling.id, ruling.at, ruling.game, ruling.stage, team.name,"
        " ruling.rule, ruling.decision, ruling.reason, ruling.stage_name,"
        " (SELECT folder FROM run WHERE run.contest = ruling.contest"
        " AND run.stage = ruling.stage_name ORDER BY part DESC LIMIT 1),"
        " (SELECT COUNT(*) FROM ruling o WHERE o.contest = ruling.contest"
        " AND o.applied IS NOT NULL AND o.failed IS NULL AND o.stage_name = ruling.stage_name"
        " AND o.rule = ruling.rule AND o.decision = ruling.decision"
        " AND o.reason = ruling.reason AND o.at = ruling.at"
        " AND COALESCE(o.game, -1) = COALESCE(ruling.game, -1)"
        " AND (o.game IS NOT NULL OR o.team = ruling.team))"
        " FROM ruling"
        " LEFT JOIN team ON team.id = ruling.team"
        " WHERE ruling.contest = ?1 AND ruling.applied IS NULL"
        " ORDER BY ruling.id LIMIT 1",
        "i", contest);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc != 1)
        return rc;
    ret->id = db_int(query, 0);
    ret->at_ms = db_int(query, 1);
    ret->game = db_int(query, 2);
    ret->stage = (uint32_t)db_int(query, 3);
    buf_add(&ret->team, db_text(query, 4));
    buf_add(&ret->rule, db_text(query, 5));
    buf_add(&ret->decision, db_text(query, 6));
    buf_add(&ret->reason, db_text(query, 7));
    buf_add(&ret->stage_name, db_text(query, 8));
    buf_add(&ret->folder, db_text(query, 9));
    ret->alike = db_int(query, 10);
    return buf_failed(&ret->team) || buf_failed(&ret->rule) || buf_failed(&ret->decision) ||
                   buf_failed(&ret->reason) || buf_failed(&ret->stage_name) ||
                   buf_failed(&ret->folder)
               ? no_memory(err)
               : 0;
}

/* One line, as journals have it. */
static void one_line(Buf *text)
{
    for (size_t i = 0; i < text->len; i++)
        if ((unsigned char)text->bytes[i] < ' ' || text->bytes[i] == 0x7F)
            text->bytes[i] = ' ';
}

/* ---- its line ---- */

/* The line that is to be written, and how many there are that say the same. */
typedef struct RulingLine {
    const WaitingRuling *waiting;
    bool of_track; /* natural language: its journals know no stages */
    Plan plan;
    bool is_act; /* a game becomes void */
    OperatorAct act;
    JournalRuling ruling;
    int64_t alike;
    JournalPlace read; /* of the journal, behind what is kept of it in the store */
} RulingLine;

static void ruling_line_done(RulingLine *line)
{
    plan_done(&line->plan);
}

/* Rulings on games know their stage by its name. */
static int find_stage(const Plan *plan, Str name, uint32_t *ret_stage, Err *err)
{
    for (*ret_stage = 0; *ret_stage < plan->stage_count; (*ret_stage)++)
        if (str_eq(str_of(plan->stages[*ret_stage].name), name))
            return 0;
    return err_set(err, ERR_RULE, "a ruling on a game of stage '%.*s', which was not played",
                   STR_ARG(name));
}

static int note_plan(void *user, Str plan, Err *err)
{
    RulingLine *line = user;
    int rc = line->of_track ? 0 : plan_read(plan, &line->plan, err);

    if (rc || line->of_track || !line->is_act)
        return rc;
    return find_stage(&line->plan, buf_str(&line->waiting->stage_name), &line->act.stage, err);
}

static int note_act(void *user, const OperatorAct *act, Err *err)
{
    RulingLine *line = user;
    const OperatorAct *own = &line->act;

    (void)err;
    line->alike += line->is_act && act->kind == own->kind && act->target == own->target &&
                   act->stage == own->stage && act->number == own->number &&
                   act->at_ms == own->at_ms && str_eq(act->by, own->by) &&
                   str_eq(act->why, own->why);
    return 0;
}

static int note_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    RulingLine *line = user;
    const JournalRuling *own = &line->ruling;

    (void)err;
    line->alike += !line->is_act && ruling->stage == own->stage &&
                   ruling->decision == own->decision && ruling->at_ms == own->at_ms &&
                   str_eq(ruling->agent, own->agent) && str_eq(ruling->rule, own->rule) &&
                   str_eq(ruling->reason, own->reason);
    return 0;
}

static void make_line(const WaitingRuling *waiting, RulingLine *ret)
{
    ret->waiting = waiting;
    ret->is_act = str_eq(buf_str(&waiting->decision), STR("void"));
    ret->of_track = ret->is_act && site_game_is_of_track(buf_str(&waiting->folder));
    ret->act = (OperatorAct){.kind = ACT_VOID,
                             .target = str_eq(buf_str(&waiting->rule), STR("set")) ? ACT_OF_SET
                                                                                   : ACT_OF_GAME,
                             .number = (uint64_t)waiting->game,
                             .by = STR("organiser"),
                             .why = buf_str(&waiting->reason),
                             .at_ms = waiting->at_ms};
    ret->ruling = (JournalRuling){.stage = waiting->stage,
                                  .agent = buf_str(&waiting->team),
                                  .rule = buf_str(&waiting->rule),
                                  .decision = ruling_of(buf_str(&waiting->decision)),
                                  .reason = buf_str(&waiting->reason),
                                  .at_ms = waiting->at_ms};
}

static int write_line(const char *dir, const RulingLine *line, Err *err)
{
    Journal *journal = NULL;
    int rc = journal_continue_from(dir, &line->read, &journal, err);

    if (rc)
        return rc;
    rc = line->is_act ? journal_add_act(journal, &line->act, err)
                      : journal_add_ruling(journal, &line->ruling, err);
    int closed = journal_close(journal, rc ? NULL : err);
    return rc ? rc : closed;
}

/* Its plan, rulings and acts. Those of stages stand in the store, as all of the journal has been
 * taken over; the journal of a track is short. */
static int read_journal(Db *db, const ContestHome *home, const char *dir, RulingLine *line,
                        Err *err)
{
    CLEANUP(buf_done) Buf lines = {0};
    const JournalListener listener = {
        .plan = note_plan, .act = note_act, .ruling = note_ruling, .user = line};
    const ImportFolder folder = {.home = *home, .folder = STAGE_FOLDER};

    if (line->of_track)
        return journal_read(dir, &listener, NULL, err);
    int rc = import_place(db, &folder, &line->read, err);
    if (rc == 0)
        rc = kept_lines_read(db, home->id, STR(STAGE_FOLDER), NULL, line->read.bytes, &lines, err);
    return rc ? rc : journal_read_text(buf_str(&lines), &listener, NULL, err);
}

/* Each ruling has a line of its own, whether or not the games still show what it is about, and
 * whether or not it changes anything: the ledger says that there is one. Nobody could read a
 * journal that rules on what is no rule. */
static int apply_line(Db *db, const ContestHome *home, const char *dir, RulingLine *line, Err *err)
{
    if (!line->is_act && conduct_rule_of(line->ruling.rule) == CONDUCT_RULES)
        return err_set(err, ERR_RULE, "a ruling on '%.*s', which is no rule of conduct",
                       STR_ARG(line->ruling.rule));
    int rc = plan_init(&line->plan, err);
    if (rc == 0)
        rc = read_journal(db, home, dir, line, err);
    return rc || line->alike > line->waiting->alike ? rc : write_line(dir, line, err);
}

/* The games of a track are journalled beside it, all others in one folder. */
static int apply_waiting(Db *db, const ContestHome *home, const WaitingRuling *waiting, Err *err)
{
    CLEANUP(buf_done) Buf dir = {0};
    CLEANUP(ruling_line_done) RulingLine line = {.waiting = NULL};

    make_line(waiting, &line);
    int rc = contest_home_path(home, line.of_track ? buf_cstr(&waiting->folder) : STAGE_FOLDER,
                               &dir, err);
    return rc ? rc : apply_line(db, home, buf_cstr(&dir), &line, err);
}

/* What no journal can have stops nobody: organisers hear of it, and close it. */
static int note_failed(Db *db, int64_t contest, const WaitingRuling *waiting, const char *why,
                       int64_t now_ms, Err *err)
{
    const FailedJob failed = {.contest = contest,
                              .job = STR("ruling"),
                              .what = buf_str(&waiting->rule),
                              .why = str_of(why)};
    int rc = db_run(db, err, "UPDATE ruling SET failed = ?2 WHERE id = ?1", "it", waiting->id,
                    str_of(why));

    return rc ? rc : notice_job_failed(db, &failed, now_ms, err);
}

static int apply_or_note(Db *db, const ContestHome *home, const WaitingRuling *waiting,
                         int64_t now_ms, Err *err)
{
    Err own = {0};
    int rc = apply_waiting(db, home, waiting, &own);

    if (rc == ERR_RULE)
        return note_failed(db, home->id, waiting, own.msg, now_ms, err);
    if (rc && err)
        *err = own;
    return rc;
}

int rulings_apply(Db *db, const ContestHome *home, int64_t now_ms, Err *err)
{
    const ImportFolder folder = {.home = *home, .folder = STAGE_FOLDER};
    bool whole = false;
    int rc = import_is_whole(db, &folder, &whole, err);

    while (rc == 0 && whole) {
        CLEANUP(waiting_done) WaitingRuling waiting = {.id = 0};
        rc = find_waiting(db, home->id, &waiting, err);
        if (rc || !waiting.id)
            break;
        one_line(&waiting.reason);
        rc = apply_or_note(db, home, &waiting, now_ms, err);
        if (rc == 0)
            rc = db_run(db, err, "UPDATE ruling SET applied = ?2 WHERE id = ?1", "ii", waiting.id,
                        now_ms);
    }
    return rc;
}

/* ---- what has failed ---- */

int rulings_failed(Db *db, int64_t contest, uint32_t *ret_count, Err *err)
{
    int64_t count = 0;
    int rc = db_ask(db, 0, &count, err,
                    "SELECT COUNT(*) FROM ruling WHERE contest = ?1 AND failed IS NOT NULL"
                    " AND closed IS NULL",
                    "i", contest);

    *ret_count = (uint32_t)count;
    return rc;
}

#define FAILED_COLUMNS                                                                             \
    "SELECT ruling.id, COALESCE(team.name, ''), ruling.stage_name, ruling.rule,"                   \
    " COALESCE(ruling.game, -1), ruling.decision, ruling.reason, ruling.at, ruling.failed,"        \
    " COALESCE(ruling.finding, 0) FROM ruling LEFT JOIN team ON team.id = ruling.team"             \
    " WHERE ruling.contest = ?1 AND ruling.failed IS NOT NULL AND ruling.closed IS NULL"

static void put_failed(const DbQuery *query, Json *json)
{
    const bool of_finding = db_int(query, 9) != 0;
    char id[24], at[DATE_TEXT_ROOM];

    json_open(json, '{');
    snprintf(id, sizeof(id), "%lld", (long long)db_int(query, 0));
    json_add_str(json, "id", str_of(id));
    json_add_str(json, "team", db_text(query, 1));
    json_add_str(json, "about", of_finding ? STR("finding") : db_text(query, 3));
    json_add_str(json, "stage", db_text(query, 2));
    if (of_finding)
        json_add_str(json, "rule", db_text(query, 3));
    else
        json_add_int(json, "number", db_int(query, 4));
    json_add_str(json, "decision", db_text(query, 5));
    json_add_str(json, "reason", db_text(query, 6));
    json_add_str(json, "at", date_text_write(db_int(query, 7), at));
    json_add_str(json, "why", db_text(query, 8));
    json_close(json);
}

int rulings_write_failed(Db *db, int64_t contest, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err, FAILED_COLUMNS " ORDER BY ruling.id", "i", contest);

    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        put_failed(query, json);
        rc = 0;
    }
    json_close(json);
    return rc;
}

/* The same words as the entry that it closes. */
static int note_closed(Db *db, int64_t contest, const DbQuery *row, Str reason, int64_t now_ms,
                       Err *err)
{
    const Str stage = db_text(row, 2), rule = db_text(row, 3), decision = db_text(row, 5),
              why = db_text(row, 8);
    char number[24];

    snprintf(number, sizeof(number), "%lld", (long long)db_int(row, 4));
    return db_int(row, 9)
               ? site_ledger_add_texts(db, contest, now_ms, "ruling", err, "about", STR("ruling"),
                                       "of", STR("finding"), "team", db_text(row, 1), "stage",
                                       stage, "rule", rule, "decision", decision, "why", why,
                                       "reason", reason, NULL)
               : site_ledger_add_texts(db, contest, now_ms, "ruling", err, "about", STR("ruling"),
                                       "of", rule, "stage", stage, "number", str_of(number),
                                       "decision", decision, "why", why, "reason", reason, NULL);
}

int ruling_close(Db *db, int64_t contest, int64_t ruling, Str reason, int64_t now_ms, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = ruling_reason_check(reason, err);

    if (rc == 0)
        rc = db_query_with(db, &query, err, FAILED_COLUMNS " AND ruling.id = ?2", "ii", contest,
                           ruling);
    if (rc)
        return rc;
    rc = db_step(query, err);
    if (rc == 0)
        return err_set(err, ERR_RULE,
                       "ruling: there is none of this number that was not carried out and is open");
    if (rc < 0)
        return rc;
    rc = note_closed(db, contest, query, reason, now_ms, err);
    query = db_query_free(query);
    if (rc == 0)
        rc = db_run(db, err, "UPDATE ruling SET closed = ?2 WHERE id = ?1", "it", ruling, reason);
    return rc ? rc
              : db_run(db, err,
                       "UPDATE finding SET state = CASE WHEN answer IS NULL THEN 'PROPOSED'"
                       " ELSE 'ANSWERED' END WHERE id = (SELECT finding FROM ruling WHERE id = ?1)"
                       " AND NOT EXISTS(SELECT 1 FROM ruling o WHERE o.finding = finding.id"
                       " AND o.failed IS NULL)",
                       "i", ruling);
}
