#include "site/ruling.h"

#include "contest/rulings.h"
#include "journal/journal_voids.h"
#include "match/plan_read.h"
#include "site/site_game.h"
#include "store/db_row.h"

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "ruling: out of memory");
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
    int rc = db_query_with(db, &query, err,
                           "SELECT ruling.id, ruling.at, ruling.game, ruling.stage, team.name,"
                           " ruling.rule, ruling.decision, ruling.reason, ruling.stage_name,"
                           " (SELECT folder FROM run WHERE run.contest = ruling.contest"
                           " AND run.stage = ruling.stage_name ORDER BY part DESC LIMIT 1)"
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

/* ---- rulings on findings ---- */

static int apply_ruling(const char *dir, const WaitingRuling *waiting, Err *err)
{
    CLEANUP(ruling_folder_done) RulingFolder folder = {.dir = dir};
    const RulingDecision decision = ruling_of(buf_str(&waiting->decision));
    ConductFinding finding;
    int rc = ruling_folder_open(&folder, dir, err);

    for (uint32_t number = 0;
         rc == 0 && conducts_finding(&folder.conducts, &folder.plan.conduct, number, &finding);
         number++) {
        if (finding.conduct->stage != waiting->stage ||
            !str_eq(str_of(finding.conduct->agent), buf_str(&waiting->team)) ||
            !str_eq(str_of(conduct_rule_name(finding.rule)), buf_str(&waiting->rule)))
            continue;
        return finding.ruled == decision
                   ? 0
                   : ruling_folder_rule(&folder, number, decision, buf_str(&waiting->reason),
                                        waiting->at_ms, err);
    }
    if (rc == 0)
        rc = err_set(err, ERR_RULE,
                     "a ruling on %s, '%s', of which the journal in '%s' shows nothing",
                     buf_cstr(&waiting->team), buf_cstr(&waiting->rule), dir);
    return rc;
}

/* ---- void games ---- */

/* What the journal says of stages and of games that are void already. */
typedef struct VoidLook {
    bool of_track; /* natural language: its journals know no stages */
    Plan plan;
    JournalVoids voids;
} VoidLook;

static void look_done(VoidLook *look)
{
    plan_done(&look->plan);
    journal_voids_done(&look->voids);
}

static int note_plan(void *user, Str plan, Err *err)
{
    VoidLook *look = user;

    return look->of_track ? 0 : plan_read(plan, &look->plan, err);
}

static int note_void(void *user, const OperatorAct *act, Err *err)
{
    VoidLook *look = user;

    return journal_voids_add(&look->voids, act, err);
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

static int write_act(const char *dir, const OperatorAct *act, Err *err)
{
    Journal *journal = NULL;
    int rc = journal_continue(dir, &journal, err);

    if (rc)
        return rc;
    rc = journal_add_act(journal, act, err);
    int closed = journal_close(journal, rc ? NULL : err);
    return rc ? rc : closed;
}

static int apply_void(const char *dir, const WaitingRuling *waiting, Err *err)
{
    CLEANUP(look_done)
    VoidLook look = {.of_track = site_game_is_of_track(buf_str(&waiting->folder))};
    const JournalListener listener = {.plan = note_plan, .act = note_void, .user = &look};
    OperatorAct act = {.kind = ACT_VOID,
                       .target =
                           str_eq(buf_str(&waiting->rule), STR("set")) ? ACT_OF_SET : ACT_OF_GAME,
                       .number = (uint64_t)waiting->game,
                       .by = STR("organiser"),
                       .why = buf_str(&waiting->reason),
                       .at_ms = waiting->at_ms};
    int rc = plan_init(&look.plan, err);

    if (rc == 0)
        rc = journal_read(dir, &listener, NULL, err);
    if (rc == 0 && !look.of_track)
        rc = find_stage(&look.plan, buf_str(&waiting->stage_name), &act.stage, err);
    journal_voids_sort(&look.voids);
    if (rc || journal_voids_has(&look.voids, act.target, act.stage, act.number))
        return rc;
    return write_act(dir, &act, err);
}

/* The games of a track are journalled beside it, all others in one folder. */
static int apply_waiting(const ContestHome *home, const WaitingRuling *waiting, Err *err)
{
    CLEANUP(buf_done) Buf dir = {0};
    const bool is_void = str_eq(buf_str(&waiting->decision), STR("void"));
    const bool of_track = is_void && site_game_is_of_track(buf_str(&waiting->folder));
    int rc = contest_home_path(home, of_track ? buf_cstr(&waiting->folder) : "play", &dir, err);

    if (rc)
        return rc;
    return is_void ? apply_void(buf_cstr(&dir), waiting, err)
                   : apply_ruling(buf_cstr(&dir), waiting, err);
}

int rulings_apply(Db *db, const ContestHome *home, int64_t now_ms, Err *err)
{
    int rc = 0;

    while (rc == 0) {
        CLEANUP(waiting_done) WaitingRuling waiting = {.id = 0};
        rc = find_waiting(db, home->id, &waiting, err);
        if (rc || !waiting.id)
            break;
        one_line(&waiting.reason);
        rc = apply_waiting(home, &waiting, err);
        if (rc == 0)
            rc = db_run(db, err, "UPDATE ruling SET applied = ?2 WHERE id = ?1", "ii", waiting.id,
                        now_ms);
    }
    return rc;
}
