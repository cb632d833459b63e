#include "contest/contest_stage.h"

#include "base/mem.h"
#include "match/draw_chance.h"
#include "match/hall_door.h"
#include "match/table_room.h"

/* Built-in bots play so many games, or a little more, between two looks at a trial: enough to keep
 * threads busy, and the same for any number of them. */
#define CHUNK_GAMES 400u

/* ---- while a stage is played ---- */

static void note_end(ContestPlay *contest, int64_t ended_ms)
{
    int64_t before = atomic_load(&contest->ended);

    while (ended_ms > before && !atomic_compare_exchange_weak(&contest->ended, &before, ended_ms))
        continue;
}

static int keep_game(void *user, const GameRecord *record, Str log, Err *err)
{
    ContestPlay *contest = user;
    const ContestRun *run = contest->run;
    int rc = 0;

    note_end(contest, record->ended_at_ms);
    if (contest->folder.journal)
        rc = journal_add_game(contest->folder.journal, record, log, err);
    else if (run->finished)
        rc = run->finished(run->user, record, log, err);
    return rc == 0 && run->trial ? trial_add_game(run->trial, record, err) : rc;
}

/* The hall is one thread: it can add up here. */
static int keep_hall_game(void *user, const GameRecord *record, Str log, Err *err)
{
    ContestPlay *contest = user;
    int rc = keep_game(user, record, log, err);

    if (rc == 0)
        rc = conducts_add_game(&contest->folder.conducts, record, err);
    if (rc == 0 && contest->run->plan->own_sets)
        rc = own_sets_add_record(&contest->folder.own_sets, record, err);
    if (rc == 0 && contest->run->counted)
        contest->run->counted(contest->run->user, record);
    return rc ? rc : standings_add_record(contest->standings, record, err);
}

static bool on_progress(void *user, uint64_t done, TimeUs now)
{
    ContestPlay *contest = user;
    const ContestRun *run = contest->run;

    if (contest->folder.journal)
        done = journal_games_written(contest->folder.journal) - contest->handed;
    else
        done += contest->chunk_before;
    if (run->progress && !run->progress(run->user, contest->stage, contest->stage_before + done,
                                        contest->stage_games, now))
        contest->stopped = true;
    contest->late |= contest->late_at && run->date() > contest->late_at;
    return !contest->stopped && !contest->late;
}

static int on_set_begins(void *user, uint64_t set, SeatNo count, const Str *names, Err *err)
{
    ContestPlay *contest = user;

    return contest->folder.journal
               ? journal_add_set(contest->folder.journal, contest->stage, set, count, names, err)
               : 0;
}

static void on_fault(void *user, uint64_t set, uint64_t game, Str agent, const Fault *fault)
{
    ContestPlay *contest = user;
    const ContestRun *run = contest->run;

    /* A journal that can't be written says so at the next game. */
    if (contest->folder.journal)
        journal_add_fault(contest->folder.journal, run->date(), contest->stage, set, game, agent,
                          fault, NULL);
    if (run->fault)
        run->fault(run->user, contest->stage, set, game, agent, fault);
}

static void on_finding(void *user, const FindingNote *note, TimeUs now)
{
    ContestPlay *contest = user;
    const ContestRun *run = contest->run;
    CLEANUP(buf_done) Buf line = {0};

    (void)now;
    finding_watch_add(&contest->watch, contest->folder.journal, run->date(), note, &line);
    if (line.len && run->note)
        run->note(run->user, buf_str(&line));
}

static void on_findings_over(void *user, uint64_t set, const FindingTotal *totals, size_t count)
{
    const ContestPlay *contest = user;

    if (contest->folder.journal)
        journal_end_findings(contest->folder.journal, contest->run->date(), contest->stage, set,
                             totals, count, NULL);
}

void contest_stage_note(void *user, Str text)
{
    ContestPlay *contest = user;

    if (contest->folder.journal)
        journal_add_note(contest->folder.journal, text, NULL);
    if (contest->run->note)
        contest->run->note(contest->run->user, text);
}

/* Of the stage that is played; the hall is one thread. */
static void on_decided(void *user, uint64_t set, Str agent, const DecisionSheet *whole,
                       const DecisionSheet *rest)
{
    ContestPlay *contest = user;
    CLEANUP(buf_done) Buf text = {0};
    DecisionNote note = {.stage = contest->stage, .set = set, .agent = agent, .sheet = *rest};
    const Conduct conduct = {.decisions = rest->decisions, .own = rest->own};

    standings_add_conduct(contest->standings, agent, &conduct, NULL);
    if (contest->run->plan->own_sets)
        own_sets_add_note(&contest->folder.own_sets, &note, NULL);
    standings_set_model(contest->standings, agent, &whole->model, NULL);
    decision_note_write(&note, &text);
    if (contest->folder.journal)
        journal_add_note(contest->folder.journal, buf_str(&text), NULL);
    if (decisions_reach(whole->own, whole->decisions, contest->run->plan->own_share) ||
        !contest->run->note)
        return;
    buf_clear(&text);
    note.sheet = *whole;
    decision_note_write(&note, &text);
    contest->run->note(contest->run->user, buf_str(&text));
}

static void on_hall_over(void *user, TimeUs now)
{
    const ContestPlay *contest = user;

    (void)now;
    loop_stop(contest->loop);
}

/* Once, before the first program starts. */
static int tell_cell(ContestPlay *contest, Err *err)
{
    if (contest->cell_told || !contest->folder.journal ||
        !agent_cell_wanted(contest->run->plan, PROGRAMS_ALL))
        return 0;
    contest->cell_told = true;
    return finding_watch_cell(contest->folder.journal, contest->cell, err);
}

/* A loop of its own for each stage: nothing of one is left when the next begins. */
static int play_hall(ContestPlay *contest, StageRun *stage, Err *err)
{
    const ContestRun *run = contest->run;
    const HallPlan plan = {.run = stage,
                           .tables = run->plan->tables,
                           .out = run->out,
                           .answers = run->answers,
                           .prompts = run->prompts,
                           .set_begins = on_set_begins,
                           .fault = on_fault,
                           .finding = on_finding,
                           .findings_over = on_findings_over,
                           .note = contest_stage_note,
                           .decided = on_decided,
                           .live = run->live,
                           .over = on_hall_over,
                           .user = contest};
    const HallDoorPlan door_plan = {
        .hall = &plan, .host = run->host ? run->host : "127.0.0.1", .cell = contest->cell};
    HallDoor *door = NULL;
    int rc = tell_cell(contest, err);

    if (rc == 0)
        rc = loop_new(&contest->loop, err);
    if (rc == 0)
        rc = hall_door_new(contest->loop, &door_plan, &door, err);
    if (rc == 0)
        rc = hall_door_open(door, run->now(), err);
    if (rc == 0) {
        loop_run(contest->loop);
        rc = hall_result(hall_door_hall(door), NULL, err);
    }
    hall_door_free(door);
    contest->loop = loop_free(contest->loop);
    return rc;
}

static int play_stage(ContestPlay *contest, StageRun *stage, bool outside, Err *err)
{
    stage->finished = outside ? keep_hall_game : keep_game;
    return outside ? play_hall(contest, stage, err)
                   : threads_play(stage, contest->run->jobs, contest->standings, err);
}

/* Chunk after chunk until the trial is decided. Those that were played before are looked at again:
 * a resumed contest ends behind the same chunk. */
static int play_trial(ContestPlay *contest, StageRun *stage, bool outside, Err *err)
{
    Trial *trial = contest->run->trial;
    const uint64_t chunk = contest->look_sets;
    uint64_t sets = draw_set_of(&stage->draw, contest->stage_games - 1) + 1;
    int rc = 0;

    for (uint64_t set = 0; rc == 0 && set < sets && trial->sprt.state == SPRT_CONTINUE;
         set += chunk) {
        stage->first_set = set;
        stage->end_set = set + chunk;
        contest->chunk_before = contest->standings->games - contest->standings_before;
        if (stage_run_games_left(stage) > 0)
            rc = play_stage(contest, stage, outside, err);
        if (contest->stopped)
            break;
        if (rc == 0)
            rc = trial_judge(trial, stage->end_set, err);
    }
    return rc;
}

/* ---- stages ---- */

static bool has_outside(const PlanAgent *agents, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!agents[i].bot)
            return true;
    return false;
}

/* How many sets are played between two looks at a trial. */
static uint64_t chunk_sets(const Plan *plan)
{
    uint64_t per_set = (uint64_t)plan->stages[0].games_per_set;

    if (has_outside(plan->agents, plan->agent_count))
        return table_room_most(plan->tables);
    return (CHUNK_GAMES + per_set - 1) / per_set;
}

static bool is_same_test(const JournalTrial *told, const Trial *trial)
{
    const SprtTest *a = &told->test, *b = &trial->sprt.test;

    return strcmp(told->challenger, trial->challenger) == 0 && a->elo0 == b->elo0 &&
           a->elo1 == b->elo1 && a->alpha == b->alpha && a->beta == b->beta;
}

/* The journal says that this is a trial: nobody else could tell why it ends where it does. One that
 * is gone on with is looked at behind the same sets as before. */
int contest_stage_tell_trial(ContestPlay *contest, Err *err)
{
    const ContestRun *run = contest->run;
    const JournalTrial *told = &contest->folder.told_trial;
    JournalTrial now = {0};

    if (run->check)
        return 0;
    if (!run->trial)
        return told->sets ? err_set(err, ERR_USAGE,
                                    "'%s' holds a trial of %s: give --sprt and --challenger too",
                                    run->out, told->challenger)
                          : 0;
    const bool same = told->sets && is_same_test(told, run->trial);
    contest->look_sets = same ? told->sets : chunk_sets(run->plan);
    if (same || !contest->folder.journal)
        return 0;
    memcpy(now.challenger, run->trial->challenger, sizeof(now.challenger));
    now.test = run->trial->sprt.test;
    now.sets = contest->look_sets;
    return journal_add_trial(contest->folder.journal, &now, err);
}

/* The draw of one size of tables of a stage. `size` is that part of the plan's stage. */
Draw contest_stage_draw(const Plan *plan, uint32_t number, uint32_t part, const PlanStage *size,
                        uint32_t agents)
{
    if (plan->chance == PLAN_CHANCE_OLD_SEED) {
        uint64_t seed = stage_seed_old(plan->seed, number);
        return draw_of_seed(size, &plan->rules, agents, part ? rng_derive(seed, part) : seed);
    }
    const Key key = plan_stage_key(plan, number);
    return draw_of_key(size, &plan->rules, agents, &key, part);
}

/* All other games of its set count as played: what is left is the one that is wanted, if it is one
 * of this size. */
static int leave_one_game(const ContestGame *only, StageRun *stage, Played *played, Err *err)
{
    CLEANUP(mem_freep) GameRecord *record = mem_new(sizeof(*record));
    uint64_t game = only->game - stage->game_base;
    uint64_t per_set = (uint64_t)stage->draw.stage->games_per_set;
    int rc = record ? 0 : err_set(err, ERR_MEMORY, "contest: out of memory");

    stage->first_set = draw_set_of(&stage->draw, game);
    stage->end_set = stage->first_set + 1;
    for (uint64_t other = stage->first_set * per_set; rc == 0 && other < stage->end_set * per_set;
         other++) {
        record->game = other;
        record->set = stage->first_set;
        if (other != game)
            rc = played_add_game(played, record, err);
    }
    return rc;
}

int contest_stage_play_only(ContestPlay *contest, StageRun *stage, Err *err)
{
    const ContestGame *only = contest->run->only;
    CLEANUP(played_done) Played played = {0};

    const uint64_t first = stage->first_set * (uint64_t)stage->draw.stage->games_per_set;
    if (only->game < stage->game_base + first ||
        only->game - stage->game_base >= stage_run_games_end(stage))
        return 0;
    int rc = leave_one_game(only, stage, &played, err);
    stage->played = &played;
    if (rc == 0)
        rc = play_stage(contest, stage, has_outside(stage->agents, stage->draw.agent_count), err);
    stage->played = NULL;
    return rc;
}

/* Plays one size of tables, behind those that come before it. */
int contest_stage_play_part(ContestPlay *contest, StageRun *stage, Err *err)
{
    const ContestRun *run = contest->run;
    CLEANUP(played_done) Played played = {0};
    if (run->check)
        return run->check->part(run->check->user, stage, &contest->folder.played[stage->stage],
                                err);
    int rc = played_part(&contest->folder.played[stage->stage], stage->set_base,
                         stage_run_end_set(stage), stage->game_base, stage_run_games_end(stage),
                         &played, err);

    stage->played = &played;
    contest->chunk_before = contest->standings->games - contest->standings_before;
    if (rc == 0)
        rc = (run->trial ? play_trial : play_stage)(
            contest, stage, has_outside(stage->agents, stage->draw.agent_count), err);
    stage->played = NULL;
    return rc;
}

/* With --game: whether the stage is the one, and has it. Of those before it the games are taken
 * from where they were played. */
static int only_here(ContestPlay *contest, const StageRun *stage, bool *ret_here, Err *err)
{
    const ContestGame *only = contest->run->only;

    *ret_here = !only || stage->stage == only->stage;
    if (!*ret_here)
        return standings_merge(contest->standings, &only->before->standings[stage->stage], err);
    if (only && only->game >= contest->stage_games)
        return err_set(err, ERR_USAGE, "--game: stage '%s' has games 0 to %llu",
                       contest->run->plan->stages[stage->stage].name,
                       (unsigned long long)contest->stage_games - 1);
    return 0;
}

static void tell_not_counted(void *user, uint64_t set, Str agent, Str error)
{
    const ContestPlay *contest = user;
    const ContestRun *run = contest->run;
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line,
               "set %llu of stage %s is not counted: no decision of %.*s was its model's own%s%.*s",
               (unsigned long long)set, run->plan->stages[stage_of_number(contest->stage)].name,
               STR_ARG(agent), error.len ? "; its server's error: " : "", STR_ARG(error));
    if (run->note && !run->check && !buf_failed(&line))
        run->note(run->user, buf_str(&line));
}

/* A model that decided nothing in a set makes it count for nobody. A single game is told as it is.
 */
static void drop_sets(ContestPlay *contest, bool here, Standings *standings)
{
    const ContestGame *only = contest->run->only;

    if (!contest->run->plan->own_sets || (only && here))
        return;
    own_sets_drop(only ? &only->before->own_sets : &contest->folder.own_sets, contest->stage,
                  standings, only ? NULL : tell_not_counted, contest);
}

/* Whether agents count in the order of their names, or in that in which they are listed. */
bool contest_draws_by_name(const Plan *plan)
{
    return plan->chance != PLAN_CHANCE_OLD_SEED &&
           plan->rules.contest.agent_index != AGENT_INDEX_CONNECTION;
}

/* Before something of a stage, or of an extra round, is played: `stage` has its number and agents.
 * `standings` gets the games that were played before. `here`: as only_here. */
int contest_stage_begin(ContestPlay *contest, StageRun *stage, uint64_t games, Standings *standings,
                        bool *ret_here, Err *err)
{
    const ContestRun *run = contest->run;

    stage->plan = run->plan;
    stage->date = run->date;
    stage->logs = run->logs;
    stage->gzip = run->gzip;
    stage->exchange = run->exchange && run->out && run->logs;
    stage->progress = on_progress;
    stage->user = contest;
    contest->stage = stage->stage;
    contest->standings = standings;
    contest->stage_games = games;
    contest->stage_before = contest->folder.played[stage->stage].game_count;
    atomic_store(&contest->ended, contest->folder.last_ended[stage->stage]);
    int rc = standings_merge(standings, &contest->folder.standings[stage->stage], err);
    contest->standings_before = standings->games;
    return rc ? rc : only_here(contest, stage, ret_here, err);
}

/* Behind it: how much it was. */
void contest_stage_end(ContestPlay *contest, bool here, uint64_t now, Standings *standings,
                       ContestResult *result)
{
    contest->handed += now;
    result->games_now += now;
    result->games += standings->games;
    drop_sets(contest, here, standings);
}

/* Plays what is left of a stage, or of an extra round: each size of tables has a draw. `standings`
 * gets all games that count. */
int contest_stage_play(ContestPlay *contest, StageRun *stage, const Draw *draws, uint32_t parts,
                       Standings *standings, ContestResult *result, Err *err)
{
    const ContestRun *run = contest->run;
    uint64_t games = 0;
    bool here = true;

    for (uint32_t part = 0; part < parts; part++)
        games += draw_games(&draws[part]);
    int rc = contest_stage_begin(contest, stage, games, standings, &here, err);
    for (uint32_t part = 0; part < parts && rc == 0 && here && !contest->stopped; part++) {
        stage->draw = draws[part];
        rc = (run->only ? contest_stage_play_only : contest_stage_play_part)(contest, stage, err);
        stage->set_base += draw_sets(&draws[part]);
        stage->game_base += draw_games(&draws[part]);
    }
    if (run->check && contest->stage_before < contest->stage_games &&
        !contest->folder.ended_before) /* else the rest of a set may be forfeited */
        contest->stopped = true;       /* it is still played */
    if (rc == 0)
        contest_stage_end(contest, here, standings->games - contest->standings_before, standings,
                          result);
    return rc;
}
