#include "contest/out_folder.h"

#include "contest/stage_chance.h"
#include "disk/folder.h"
#include "disk/key_file.h"
#include "disk/log_file.h"
#include "match/draw_chance.h"
#include "results/report.h"
#include "results/results.h"
#include "stats/decision_sheet.h"

#include <dirent.h>
#include <inttypes.h>

/* With more games the last moments of a contest would be long; `warg report` makes it any time. */
#define REPORT_AT_ONCE_MAX 100000

void out_folder_cut_begin(const PlanStage *stage, Buf *out)
{
    buf_printf(out, "cut behind stage %s: ", stage->name);
}

/* What reading an old journal needs. */
typedef struct Reading {
    OutFolder *folder;
    Plan *plan;
    bool has_plan;
    Key keys[STAGES_MAX]; /* the last that a line tells of, or what it is committed to by */
} Reading;

static int on_plan(void *user, Str text, Err *err)
{
    Reading *reading = user;
    CLEANUP(buf_done) Buf now = {0};

    if (!plan_take_chance(reading->plan, text))
        return err_set(err, ERR_SYNTAX,
                       "the journal's plan doesn't say what its chance comes from");
    plan_take_own_sets(reading->plan, text);
    reading->has_plan = true;
    plan_json(reading->plan, &now);
    if (buf_failed(&now))
        return err_set(err, ERR_MEMORY, "plan: out of memory");
    if (!plan_same(text, buf_str(&now)))
        return err_set(err, ERR_USAGE,
                       "the folder holds another contest: rules, agents, stages or seed differ; "
                       "give the same options as before, or another folder");
    return 0;
}

static int on_set(void *user, uint32_t stage, uint64_t set, SeatNo count, const Str *names,
                  Err *err)
{
    Reading *reading = user;

    if (stage >= STAGE_NUMBERS_MAX)
        return err_set(err, ERR_SYNTAX, "no stage has number %" PRIu32, stage);
    return played_add_set(&reading->folder->played[stage], set, count, names, err);
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Reading *reading = user;
    OutFolder *folder = reading->folder;

    if (record->stage >= STAGE_NUMBERS_MAX)
        return err_set(err, ERR_SYNTAX, "no stage has number %" PRIu32, record->stage);
    int rc = played_add_game(&folder->played[record->stage], record, err);
    if (rc == 0)
        rc = conducts_add_game(&folder->conducts, record, err);
    if (rc == 0)
        rc = (record->is_void ? standings_add_void : standings_add_record)(
            &folder->standings[record->stage], record, err);
    if (!record->is_void && record->ended_at_ms > folder->last_ended[record->stage])
        folder->last_ended[record->stage] = record->ended_at_ms;
    if (rc == 0 && reading->plan->own_sets)
        rc = own_sets_add_record(&folder->own_sets, record, err);
    if (rc == 0 && folder->played_game)
        rc = folder->played_game(folder->user, record, err);
    if (rc == 0 && folder->trial && record->stage == 0)
        rc = trial_add_game(folder->trial, record, err);
    if (rc == 0)
        folder->games_before++;
    return rc;
}

static int on_note(void *user, Str text, Err *err)
{
    const Reading *reading = user;
    DecisionNote decided;

    if (decision_note_read(text, &decided) && decided.stage < STAGE_NUMBERS_MAX &&
        decided.agent.len <= AGENT_NAME_MAX) {
        const Conduct conduct = {.decisions = decided.sheet.decisions, .own = decided.sheet.own};
        Standings *standings = &reading->folder->standings[decided.stage];
        int rc = standings_add_conduct(standings, decided.agent, &conduct, err);
        if (rc == 0 && reading->plan->own_sets)
            rc = own_sets_add_note(&reading->folder->own_sets, &decided, err);
        return rc ? rc : standings_set_model(standings, decided.agent, &decided.sheet.model, err);
    }
    for (uint32_t stage = 0; stage < reading->plan->stage_count; stage++) {
        CLEANUP(buf_done) Buf begin = {0};
        out_folder_cut_begin(&reading->plan->stages[stage], &begin);
        reading->folder->cut_noted[stage] |=
            !buf_failed(&begin) && str_starts(text, buf_str(&begin));
    }
    return 0;
}

static int on_key(void *user, const JournalKey *key, Err *err)
{
    Reading *reading = user;
    OutFolder *folder = reading->folder;

    (void)err;
    reading->keys[key->stage] = key->value;
    folder->part = key->part;
    folder->published[key->stage] = key->published;
    return 0;
}

static int on_lots(void *user, const JournalLots *lots, Err *err)
{
    Reading *reading = user;

    return stage_chance_read(reading->folder, reading->plan, lots, err);
}

static int on_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    Reading *reading = user;

    return conducts_add_ruling(&reading->folder->conducts, ruling, err);
}

static int on_end(void *user, uint64_t games, Err *err)
{
    Reading *reading = user;

    (void)games;
    (void)err;
    reading->folder->ended_before = true;
    return 0;
}

static int on_trial(void *user, const JournalTrial *trial, Err *err)
{
    const Reading *reading = user;

    (void)err;
    reading->folder->told_trial = *trial;
    return 0;
}

static int on_stop(void *user, const JournalStop *stop, Err *err)
{
    const Reading *reading = user;

    if (stop->stage >= reading->plan->stage_count || !reading->plan->stages[stop->stage].rounds)
        return err_set(err, ERR_SYNTAX, "a stage that does not go on in rounds is said to stop");
    reading->folder->stopped[stop->stage] = true;
    reading->folder->stops[stop->stage] = *stop;
    return 0;
}

static int on_act(void *user, const OperatorAct *act, Err *err)
{
    const Reading *reading = user;
    const bool of_set =
        act->target == ACT_OF_SET && (act->kind == ACT_VOID || act->kind == ACT_END) && !act->stage;
    const bool made_up = act->stage < STAGES_MAX && !reading->folder->stopped[act->stage] &&
                         !operator_act_is_late(act);
    int rc = reading->folder->acts ? operator_acts_add(reading->folder->acts, act, err) : 0;

    if (rc == 0 && made_up)
        rc = journal_voids_add(&reading->folder->made_up, act, err);
    return rc || !of_set ? rc : played_make_void(&reading->folder->played[0], act->number, err);
}

/* The key of a stage that the journal tells of, or that of DIR/secret, when it is the one committed
 * to. */
static int take_key(const Reading *reading, uint32_t stage, Err *err)
{
    PlanStage *of = &reading->plan->stages[stage];
    const OutFolder *folder = reading->folder;
    const bool published = folder->published[stage];
    Key expected, key = reading->keys[stage];
    int rc = published ? 0 : key_file_read(folder->dir, stage, &key, err);

    if (rc) {
        err_wrap(err, "its key is not published yet, and without it the games can't be played: ");
        return rc;
    }
    const Key commitment = plan_commitment(reading->plan, stage, &key);
    if (folder->part == 0)
        key_from_hex(str_of(of->commitment), &expected);
    else /* that of the new part; a published one was compared when it was read from the file */
        expected = published ? commitment : reading->keys[stage];
    if (memcmp(&commitment, &expected, sizeof(expected)) != 0)
        return err_set(
            err, ERR_USAGE,
            "the key of stage %s in '%s' is another than the one that was committed to; put back "
            "the files of " KEY_FOLDER "/ that the contest began with",
            of->name, folder->dir);
    of->secret = key;
    return 0;
}

static int take_keys(const Reading *reading, Err *err)
{
    Plan *plan = reading->plan;
    int rc = 0;

    if (plan->chance != PLAN_CHANCE_KEY)
        return 0;
    for (uint32_t stage = 0; stage < (plan->one_key ? 1 : plan->stage_count) && rc == 0; stage++)
        rc = take_key(reading, stage, err);
    if (rc == 0 && plan->one_key) {
        const Key key = plan->stages[0].secret;
        plan_use_key(plan, &key);
    }
    return rc;
}

static int read_folder(OutFolder *folder, Plan *plan, Err *err)
{
    Reading reading = {.folder = folder, .plan = plan};
    const JournalListener listener = {.plan = on_plan,
                                      .set = on_set,
                                      .game = on_game,
                                      .note = on_note,
                                      .end = on_end,
                                      .key = on_key,
                                      .lots = on_lots,
                                      .ruling = on_ruling,
                                      .trial = on_trial,
                                      .act = on_act,
                                      .stop = on_stop,
                                      .user = &reading};
    int rc = journal_read(folder->dir, &listener, NULL, err);

    journal_voids_sort(&folder->made_up);
    if (rc == 0 && !reading.has_plan)
        rc = err_set(err, ERR_SYNTAX, "the journal in '%s' has no plan; nothing was played",
                     folder->dir);
    return rc ? rc : take_keys(&reading, err);
}

/* Of a game that was being written down when its process was killed; it may never be played again.
 */
static void remove_begun_games(const char *dir)
{
    static const char *const names[] = {"logs", "exchange"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        CLEANUP(buf_done) Buf path = {0};
        buf_printf(&path, "%s/%s", dir, names[i]);
        if (!buf_failed(&path))
            folder_remove_begun(buf_cstr(&path));
    }
}

static int resume_folder(OutFolder *folder, Plan *plan, Err *err)
{
    /* Locked first: what another process adds behind our reading would be played again. */
    int rc = journal_continue(folder->dir, &folder->journal, err);

    if (rc == 0)
        remove_begun_games(folder->dir);
    if (rc == 0)
        rc = read_folder(folder, plan, err);
    if (rc)
        journal_close(TAKE(folder->journal), NULL);
    return rc;
}

static void forget_games(OutFolder *folder)
{
    conducts_done(&folder->conducts);
    folder->conducts = (Conducts){0};
    own_sets_done(&folder->own_sets);
    folder->own_sets = (OwnSets){0};
    journal_voids_done(&folder->made_up);
    memset(folder->stopped, 0, sizeof(folder->stopped));
    for (uint32_t stage = 0; stage < STAGE_NUMBERS_MAX; stage++) {
        played_done(&folder->played[stage]);
        folder->played[stage] = (Played){0};
        standings_done(&folder->standings[stage]);
        folder->standings[stage] = (Standings){0};
        folder->last_ended[stage] = 0;
    }
}

int out_folder_reread(OutFolder *folder, Plan *plan, Err *err)
{
    const uint64_t before = folder->games_before;

    forget_games(folder);
    int rc = read_folder(folder, plan, err);
    folder->games_before = before;
    return rc;
}

int out_folder_read(OutFolder *folder, const char *dir, Plan *plan, Err *err)
{
    folder->dir = dir;
    return read_folder(folder, plan, err);
}

/* The logs of two contests must not be taken for one. */
static int check_no_logs(const char *dir, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(log_list_done) LogList found = {0};

    buf_printf(&path, "%s/logs", dir);
    if (!buf_failed(&path))
        log_list_add(&found, buf_cstr(&path), NULL); /* an error is that there are none */
    return found.count
               ? err_set(err, ERR_USAGE, "'%s' holds logs of other games; give a new folder", dir)
               : 0;
}

/* Whether a contest that was killed at its beginning may have left this name. */
static bool is_ours(const char *name)
{
    static const char *const ours[] = {".",           "..",     JOURNAL_FILE, JOURNAL_FAULTS_FILE,
                                       FINDINGS_FILE, "agents", "minds",      "secret"};

    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
        if (strcmp(name, ours[i]) == 0)
            return true;
    return false;
}

static int check_begun(const char *dir, Err *err)
{
    DIR *folder = opendir(dir);
    const struct dirent *entry;
    bool ours = folder;

    while (ours && (entry = readdir(folder)))
        ours = is_ours(entry->d_name);
    if (folder)
        closedir(folder);
    if (ours)
        return 0;
    return err_set(err, ERR_USAGE,
                   "--resume: there is no contest in '%s'%s; look at its name, or leave --resume "
                   "out to begin one",
                   dir, folder ? "" : ", and no such folder");
}

static int write_keys(const char *dir, const Plan *plan, Err *err)
{
    int rc = 0;

    if (plan->chance != PLAN_CHANCE_KEY)
        return 0;
    for (uint32_t stage = 0; stage < (plan->one_key ? 1 : plan->stage_count) && rc == 0; stage++)
        rc = key_file_write(dir, stage, &plan->stages[stage].secret, err);
    return rc;
}

int out_folder_open(OutFolder *folder, const char *dir, bool resume, Plan *plan, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    bool there = false;
    int rc = journal_find(dir, &there, err);

    folder->dir = dir;
    if (rc)
        return rc;
    if (there && !resume)
        return err_set(err, ERR_USAGE,
                       "'%s' holds a contest already; --resume goes on with it, or give another "
                       "folder",
                       dir);
    if (there)
        return resume_folder(folder, plan, err);
    /* Killed before its first line was on disk, a contest leaves nothing but the folder: --resume
     * begins it. A folder that is not there, or that is somebody else's, was mistyped. */
    rc = resume ? check_begun(dir, err) : check_no_logs(dir, err);
    if (rc)
        return rc;
    plan_json(plan, &text);
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "plan: out of memory");
    /* Before the journal's first line: no journal is without its key. */
    rc = write_keys(dir, plan, err);
    return rc ? rc : journal_begin(dir, buf_str(&text), &folder->journal, err);
}

int out_folder_next_key(OutFolder *folder, Plan *plan, Err *err)
{
    Key key;
    int rc = key_draw(&key, err);

    if (rc == 0)
        rc = key_file_write(folder->dir, 0, &key, err);
    if (rc)
        return rc;
    plan->stages[0].secret = key;
    folder->part++;
    folder->published[0] = false;
    return journal_add_key(
        folder->journal,
        &(JournalKey){.part = folder->part, .value = plan_commitment(plan, 0, &key)}, err);
}

int out_folder_publish(OutFolder *folder, const Plan *plan, uint32_t stage, Err *err)
{
    if (plan->chance != PLAN_CHANCE_KEY || (plan->one_key && stage + 1 < plan->stage_count))
        return 0;
    stage = plan->one_key ? 0 : stage;
    if (folder->published[stage])
        return 0;
    folder->published[stage] = true;
    return journal_add_key(folder->journal,
                           &(JournalKey){.part = folder->part,
                                         .stage = stage,
                                         .published = true,
                                         .value = plan->stages[stage].secret},
                           err);
}

static int write_report(const char *dir, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf html = {0};
    CLEANUP(buf_done) Buf path = {0};
    const ReportOptions page = {.link_logs = true};
    int rc = results_open(dir, &db, err);

    if (rc == 0)
        rc = report_data_read_all(db, &data, err);
    if (rc == 0)
        rc = report_write(&data, &page, &html, err);
    buf_printf(&path, "%s/" REPORT_FILE, dir);
    if (rc == 0 && buf_failed(&path))
        rc = err_set(err, ERR_MEMORY, "report: out of memory");
    return rc ? rc : log_file_write(buf_cstr(&path), buf_str(&html), err);
}

int out_folder_close(OutFolder *folder, bool complete, uint64_t games, Err *err)
{
    int rc = 0;

    if (complete && !folder->ended_before)
        rc = journal_add_end(folder->journal, folder->games_before + games, err);
    int closed = journal_close(TAKE(folder->journal), rc ? NULL : err);
    folder->lost = closed != 0;
    rc = rc ? rc : closed;
    if (rc || folder->games_before + games > REPORT_AT_ONCE_MAX)
        return rc;
    return games + folder->games_before ? write_report(folder->dir, err) : 0;
}

void out_folder_done(OutFolder *folder)
{
    journal_close(TAKE(folder->journal), NULL);
    forget_games(folder);
}
