#include "contest/contest_run.h"

#include "base/mem.h"
#include "contest/finding_watch.h"
#include "contest/ledger_follow.h"
#include "contest/stage_chance.h"
#include "match/cut.h"
#include "match/draw_chance.h"
#include "match/hall_door.h"
#include "match/rounds.h"
#include "match/table_room.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <unistd.h>

/* Built-in bots play so many games, or a little more, between two looks at a trial: enough to keep
 * threads busy, and the same for any number of them. */
#define CHUNK_GAMES 400u

/* The contest under way. */
typedef struct Contest {
    const ContestRun *run;
    OutFolder folder;
    Cell *cell; /* of agents; NULL = none */
    FindingWatch watch;
    bool cell_told; /* in the journal */
    Loop *loop;     /* while a hall plays */
    uint32_t stage;
    uint64_t stage_games;
    uint64_t stage_before;     /* games of this stage that were played before */
    uint64_t standings_before; /* of these: those that count */
    uint64_t chunk_before;     /* games of this stage played in this call, before this chunk */
    uint64_t look_sets;        /* played between two looks at a trial */
    uint64_t handed;           /* games that the journal has got in this call, before this stage */
    Standings *standings;      /* of this stage; filled here while the hall plays */
    bool stopped;
    int64_t late_at;       /* of a round: behind this date it comes too late; 0 = never */
    bool late;             /* it did */
    _Atomic int64_t ended; /* the last game of this stage, as Unix time in ms */
} Contest;

void contest_result_done(ContestResult *result)
{
    standings_done(&result->standings);
}

/* ---- while a stage is played ---- */

static void note_end(Contest *contest, int64_t ended_ms)
{
    int64_t before = atomic_load(&contest->ended);

    while (ended_ms > before && !atomic_compare_exchange_weak(&contest->ended, &before, ended_ms))
        continue;
}

static int keep_game(void *user, const GameRecord *record, Str log, Err *err)
{
    Contest *contest = user;
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
    Contest *contest = user;
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
    Contest *contest = user;
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
    Contest *contest = user;

    return contest->folder.journal
               ? journal_add_set(contest->folder.journal, contest->stage, set, count, names, err)
               : 0;
}

static void on_fault(void *user, uint64_t set, uint64_t game, Str agent, const Fault *fault)
{
    Contest *contest = user;
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
    Contest *contest = user;
    const ContestRun *run = contest->run;
    CLEANUP(buf_done) Buf line = {0};

    (void)now;
    finding_watch_add(&contest->watch, contest->folder.journal, run->date(), note, &line);
    if (line.len && run->note)
        run->note(run->user, buf_str(&line));
}

static void on_findings_over(void *user, uint64_t set, const FindingTotal *totals, size_t count)
{
    const Contest *contest = user;

    if (contest->folder.journal)
        journal_end_findings(contest->folder.journal, contest->run->date(), contest->stage, set,
                             totals, count, NULL);
}

static void on_note(void *user, Str text)
{
    Contest *contest = user;

    if (contest->folder.journal)
        journal_add_note(contest->folder.journal, text, NULL);
    if (contest->run->note)
        contest->run->note(contest->run->user, text);
}

/* Of the stage that is played; the hall is one thread. */
static void on_decided(void *user, uint64_t set, Str agent, const DecisionSheet *whole,
                       const DecisionSheet *rest)
{
    Contest *contest = user;
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
    const Contest *contest = user;

    (void)now;
    loop_stop(contest->loop);
}

/* Once, before the first program starts. */
static int tell_cell(Contest *contest, Err *err)
{
    if (contest->cell_told || !contest->folder.journal ||
        !agent_cell_wanted(contest->run->plan, PROGRAMS_ALL))
        return 0;
    contest->cell_told = true;
    return finding_watch_cell(contest->folder.journal, contest->cell, err);
}

/* A loop of its own for each stage: nothing of one is left when the next begins. */
static int play_hall(Contest *contest, StageRun *stage, Err *err)
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
                           .note = on_note,
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

static int play_stage(Contest *contest, StageRun *stage, bool outside, Err *err)
{
    stage->finished = outside ? keep_hall_game : keep_game;
    return outside ? play_hall(contest, stage, err)
                   : threads_play(stage, contest->run->jobs, contest->standings, err);
}

/* Chunk after chunk until the trial is decided. Those that were played before are looked at again:
 * a resumed contest ends behind the same chunk. */
static int play_trial(Contest *contest, StageRun *stage, bool outside, Err *err)
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
static int tell_trial(Contest *contest, Err *err)
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
static Draw draw_of_size(const Plan *plan, uint32_t number, uint32_t part, const PlanStage *size,
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

static int play_only(Contest *contest, StageRun *stage, Err *err)
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
static int play_part(Contest *contest, StageRun *stage, Err *err)
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
static int only_here(Contest *contest, const StageRun *stage, bool *ret_here, Err *err)
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
    const Contest *contest = user;
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
static void drop_sets(Contest *contest, bool here, Standings *standings)
{
    const ContestGame *only = contest->run->only;

    if (!contest->run->plan->own_sets || (only && here))
        return;
    own_sets_drop(only ? &only->before->own_sets : &contest->folder.own_sets, contest->stage,
                  standings, only ? NULL : tell_not_counted, contest);
}

/* Whether agents count in the order of their names, or in that in which they are listed. */
static bool draws_by_name(const Plan *plan)
{
    return plan->chance != PLAN_CHANCE_OLD_SEED &&
           plan->rules.contest.agent_index != AGENT_INDEX_CONNECTION;
}

/* Before something of a stage, or of an extra round, is played: `stage` has its number and agents.
 * `standings` gets the games that were played before. `here`: as only_here. */
static int begin_stage(Contest *contest, StageRun *stage, uint64_t games, Standings *standings,
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
static void end_stage(Contest *contest, bool here, uint64_t now, Standings *standings,
                      ContestResult *result)
{
    contest->handed += now;
    result->games_now += now;
    result->games += standings->games;
    drop_sets(contest, here, standings);
}

/* Plays what is left of a stage, or of an extra round: each size of tables has a draw. `standings`
 * gets all games that count. */
static int play_to_end(Contest *contest, StageRun *stage, const Draw *draws, uint32_t parts,
                       Standings *standings, ContestResult *result, Err *err)
{
    const ContestRun *run = contest->run;
    uint64_t games = 0;
    bool here = true;

    for (uint32_t part = 0; part < parts; part++)
        games += draw_games(&draws[part]);
    int rc = begin_stage(contest, stage, games, standings, &here, err);
    for (uint32_t part = 0; part < parts && rc == 0 && here && !contest->stopped; part++) {
        stage->draw = draws[part];
        rc = (run->only ? play_only : play_part)(contest, stage, err);
        stage->set_base += draw_sets(&draws[part]);
        stage->game_base += draw_games(&draws[part]);
    }
    if (run->check && contest->stage_before < contest->stage_games &&
        !contest->folder.ended_before) /* else the rest of a set may be forfeited */
        contest->stopped = true;       /* it is still played */
    if (rc == 0)
        end_stage(contest, here, standings->games - contest->standings_before, standings, result);
    return rc;
}

/* ---- stages of rounds ---- */

/* A stage that goes on in rounds, while it is played. */
typedef struct RoundsPlay {
    Contest *contest;
    StageRun *stage;
    const Rounds *rounds;
    const Draw *draws; /* of each size */
    const PlanStage *plan;
} RoundsPlay;

/* Whether anything of it is in the journal, as it was read. */
static bool is_round_begun(const RoundsPlay *play, uint64_t round)
{
    const Played *played = &play->contest->folder.played[play->stage->stage];
    const uint64_t first = round * play->rounds->round_sets;

    for (uint64_t set = first; set < first + play->rounds->round_sets; set++) {
        const PlayedSet *there = played_set(played, set);
        if (there && (there->seated || there->games))
            return true;
    }
    return false;
}

static bool is_round_whole(const RoundsPlay *play, uint64_t round)
{
    const Played *played = &play->contest->folder.played[play->stage->stage];
    const uint64_t first = round * play->rounds->round_games;
    uint64_t games = 0;

    while (games < play->rounds->round_games && played_has_game(played, first + games))
        games++;
    return games == play->rounds->round_games;
}

static int play_sizes(const RoundsPlay *play, uint64_t round, Err *err)
{
    Contest *contest = play->contest;
    int rc = 0;

    contest->stage_games = (round + 1) * play->rounds->round_games;
    for (uint32_t part = 0; part < play->rounds->parts && rc == 0; part++) {
        if (contest->stopped || contest->late)
            break;
        play->stage->draw = play->draws[part];
        rounds_place(play->rounds, round, part, play->stage);
        rc = (contest->run->only ? play_only : play_part)(contest, play->stage, err);
    }
    return rc;
}

/* What was begun of a round that does not count. */
static int void_round(const RoundsPlay *play, uint64_t round, int64_t at_ms, Err *err)
{
    const OutFolder *folder = &play->contest->folder;
    const uint64_t first = round * play->rounds->round_sets;
    int rc = 0;

    for (uint64_t set = first; set < first + play->rounds->round_sets && rc == 0; set++) {
        const PlayedSet *there = played_set(&folder->played[play->stage->stage], set);
        const OperatorAct act = {.kind = ACT_VOID,
                                 .target = ACT_OF_SET,
                                 .number = set,
                                 .stage = play->stage->stage,
                                 .by = STR("warg"),
                                 .why =
                                     STR("its round was not over an hour behind the stage's date"),
                                 .at_ms = at_ms};
        if (there && (there->seated || there->games) && !there->is_void)
            rc = journal_add_act(folder->journal, &act, err);
    }
    return rc;
}

/* The stage is over behind `round` rounds. What counts is read again from what is on disk. */
static int stop_rounds(const RoundsPlay *play, uint64_t round, Err *err)
{
    Contest *contest = play->contest;
    OutFolder *folder = &contest->folder;
    const JournalStop stop = {.stage = play->stage->stage,
                              .rounds = round,
                              .date_ms = play->plan->stop_at_ms,
                              .at_ms = contest->run->date()};

    if (!folder->journal) /* then it has no date, and nothing came too late */
        return 0;
    int rc = journal_wait(folder->journal, err);
    if (rc == 0)
        rc = out_folder_reread(folder, contest->run->plan, err);
    if (rc == 0)
        rc = void_round(play, round, stop.at_ms, err);
    if (rc == 0)
        rc = journal_add_stop(folder->journal, &stop, err);
    if (rc == 0)
        rc = journal_wait(folder->journal, err);
    if (rc == 0)
        rc = out_folder_reread(folder, contest->run->plan, err);
    if (rc)
        return rc;
    standings_done(contest->standings);
    *contest->standings = (Standings){0};
    return standings_merge(contest->standings, &folder->standings[play->stage->stage], err);
}

static int play_round_of(const RoundsPlay *play, uint64_t round, bool begun, bool *ret_over,
                         Err *err)
{
    Contest *contest = play->contest;
    const int64_t stop_at = play->plan->stop_at_ms;
    int rc = 0;

    *ret_over = false;
    contest->late_at = round >= play->rounds->least && stop_at ? stop_at + ROUND_LATE_MS : 0;
    contest->late = begun && contest->late_at && !is_round_whole(play, round) &&
                    contest->run->date() > contest->late_at;
    if (!contest->late && !(begun && is_round_whole(play, round)))
        rc = play_sizes(play, round, err);
    contest->late_at = 0;
    if (rc || contest->stopped)
        return rc;
    *ret_over = contest->late ||
                (!is_round_begun(play, round + 1) &&
                 !rounds_in_time(play->rounds, round, stop_at, atomic_load(&contest->ended)));
    return *ret_over ? stop_rounds(play, round, err) : 0;
}

static int play_all_rounds(const RoundsPlay *play, Err *err)
{
    Contest *contest = play->contest;
    bool over = false;
    int rc = 0;

    for (uint64_t round = 0; rc == 0 && !over && !contest->stopped; round++) {
        const bool begun = is_round_begun(play, round);
        if (!begun &&
            !rounds_go_on(play->rounds, round, play->plan->stop_at_ms, contest->run->date()))
            return stop_rounds(play, round, err);
        rc = play_round_of(play, round, begun, &over, err);
    }
    return rc;
}

/* What is wrong with where a stage has stopped. */
static void write_contradiction(const RoundsPlay *play, const JournalStop *stop, Buf *out)
{
    const OutFolder *folder = &play->contest->folder;
    const int64_t ended = folder->last_ended[play->stage->stage];

    if (stop->rounds < play->rounds->least)
        buf_printf(out, "it stops behind %" PRIu64 " rounds, but min_games needs %" PRIu64,
                   stop->rounds, play->rounds->least);
    else if (stop->rounds > play->rounds->least && !stop->date_ms)
        buf_printf(out, "it has no date and needs %" PRIu64 " rounds, but %" PRIu64 " count",
                   play->rounds->least, stop->rounds);
    else if (stop->rounds > play->rounds->least && ended > stop->date_ms + ROUND_LATE_MS)
        buf_add(out, STR("its last round counts, but ended over an hour behind its date"));
    else if (stop->date_ms && stop->at_ms < stop->date_ms)
        buf_add(out, STR("it stops before its date"));
}

/* All rounds of which there is something. */
static int check_rounds(const RoundsPlay *play, Err *err)
{
    Contest *contest = play->contest;
    const ContestCheck *check = contest->run->check;
    const uint32_t stage = play->stage->stage;
    const OutFolder *folder = &contest->folder;
    const uint64_t end = folder->stopped[stage] ? folder->stops[stage].rounds : UINT64_MAX;
    CLEANUP(buf_done) Buf wrong = {0};
    int rc = 0;

    for (uint64_t round = 0;
         rc == 0 && (is_round_begun(play, round) || (folder->stopped[stage] && round < end));
         round++) {
        play->stage->uncounted = round >= end;
        rc = play_sizes(play, round, err);
    }
    play->stage->uncounted = false;
    if (!folder->stopped[stage]) {
        contest->stopped = true; /* it is still played */
        return rc;
    }
    write_contradiction(play, &folder->stops[stage], &wrong);
    if (buf_failed(&wrong))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    return rc || !check->stop ? rc : check->stop(check->user, stage, buf_str(&wrong), err);
}

/* The round of the game that is wanted alone. */
static int play_one_of_rounds(const RoundsPlay *play, Err *err)
{
    return play_sizes(play, rounds_of_game(play->rounds, play->contest->run->only->game), err);
}

/* Games that came to the journal in this stage. */
static uint64_t count_new(const Contest *contest)
{
    return contest->folder.journal
               ? journal_games_written(contest->folder.journal) - contest->handed
               : contest->standings->games - contest->standings_before;
}

static int play_in_rounds(Contest *contest, StageRun *stage, const Rounds *rounds,
                          const Draw *draws, Standings *standings, ContestResult *result, Err *err)
{
    const ContestRun *run = contest->run;
    const RoundsPlay play = {contest, stage, rounds, draws, &run->plan->stages[stage->stage]};
    bool here = true;

    if (play.plan->stop_at_ms && !run->out && !run->only)
        return err_set(err, ERR_USAGE, "stage %s goes on until a date: give --out",
                       play.plan->name);
    int rc = begin_stage(contest, stage,
                         run->only ? STAGE_GAMES_MAX : rounds->least * rounds->round_games,
                         standings, &here, err);
    if (rc == 0 && here && run->only)
        rc = play_one_of_rounds(&play, err);
    else if (rc == 0 && here && run->check)
        rc = check_rounds(&play, err);
    else if (rc == 0 && here && !contest->folder.stopped[stage->stage])
        rc = play_all_rounds(&play, err);
    contest->late = false;
    if (rc == 0 && contest->folder.journal)
        rc = journal_wait(contest->folder.journal, err);
    if (rc == 0)
        end_stage(contest, here, count_new(contest), standings, result);
    return rc;
}

/* Carries out at once what needs nobody's word, and says what does. */
static int rule_finding(Contest *contest, const ConductFinding *finding, uint32_t number,
                        uint32_t *open, Err *err)
{
    const ContestRun *run = contest->run;
    CLEANUP(buf_done) Buf note = {0};
    const JournalRuling ruling = {.stage = finding->conduct->stage,
                                  .agent = str_of(finding->conduct->agent),
                                  .rule = str_of(conduct_rule_name(finding->rule)),
                                  .decision = RULING_ELIMINATE,
                                  .reason =
                                      STR("by the rules of the contest, without confirmation"),
                                  .at_ms = run->date()};

    if (finding->action != CONDUCT_ELIMINATE || finding->ruled != RULING_COUNT || run->check)
        return 0;
    if (!run->plan->conduct.confirm) {
        int rc = journal_add_ruling(contest->folder.journal, &ruling, err);
        return rc ? rc : conducts_add_ruling(&contest->folder.conducts, &ruling, err);
    }
    if (conducts_eliminated(&contest->folder.conducts, finding->conduct->stage,
                            str_of(finding->conduct->agent)))
        return 0; /* for something else: nothing more can follow */
    ++*open;
    buf_printf(&note,
               "agent %s: %s %llu times in %llu games of stage %s: elimination is proposed; warg "
               "contest rule %s %u dismiss|warn|eliminate --reason R decides",
               finding->conduct->agent, conduct_rule_name(finding->rule),
               (unsigned long long)finding->count, (unsigned long long)finding->conduct->games,
               run->plan->stages[finding->conduct->stage].name, run->out, (unsigned)number);
    if (run->note && !buf_failed(&note))
        run->note(run->user, buf_str(&note));
    return 0;
}

/* Who is eliminated is not ranked. A stage behind this one waits until all proposals are ruled. */
static int judge_conduct(Contest *contest, uint32_t stage, ContestResult *result, Err *err)
{
    const Plan *plan = contest->run->plan;
    Conducts *conducts = &contest->folder.conducts;
    ConductFinding finding;
    uint32_t open = 0;
    int rc = 0;

    if (!(contest->folder.journal || contest->run->check))
        return 0;
    for (uint32_t number = 0; plan->conduct.given && rc == 0 &&
                              conducts_finding(conducts, &plan->conduct, number, &finding);
         number++)
        rc = rule_finding(contest, &finding, number, &open, err);
    for (uint32_t i = 0; i < result->standings.count && rc == 0; i++) {
        Conduct *conduct = &result->standings.agents[i].conduct;
        conduct->eliminated |=
            conducts_eliminated(conducts, stage, str_of(result->standings.agents[i].name));
    }
    if (open && stage + 1 < plan->stage_count)
        result->waiting = contest->stopped = true;
    return rc;
}

static int run_stage(Contest *contest, uint32_t number, const PlanAgent *agents,
                     uint32_t agent_count, ContestResult *result, Err *err)
{
    const ContestRun *run = contest->run;
    const Plan *plan = run->plan;
    StageRun stage = {.stage = number, .agents = agents};
    const uint32_t parts = plan_stage_parts(&plan->stages[number]);
    PlanStage sizes[PLAN_SIZES_MAX];
    Draw draws[PLAN_SIZES_MAX];

    const bool in_rounds = plan->stages[number].rounds;
    const Rounds rounds =
        in_rounds ? rounds_of_stage(&plan->stages[number], agent_count) : (Rounds){0};

    for (uint32_t part = 0; part < parts; part++) {
        sizes[part] = in_rounds ? rounds.sizes[part] : plan_stage_part(&plan->stages[number], part);
        draws[part] = draw_of_size(plan, number, part, &sizes[part], agent_count);
    }
    standings_done(&result->standings);
    int rc = in_rounds
                 ? play_in_rounds(contest, &stage, &rounds, draws, &result->standings, result, err)
                 : play_to_end(contest, &stage, draws, parts, &result->standings, result, err);
    if (rc == 0 && !contest->stopped)
        rc = judge_conduct(contest, number, result, err);
    standings_rank(&result->standings, plan_stage_min_games(&plan->stages[number]));
    result->standings.own_share = plan->own_share;
    result->not_ranked |=
        !run->only && standings_ranked(&result->standings) < result->standings.count;
    for (uint32_t i = 0; i < result->standings.count; i++) {
        const Conduct *conduct = &result->standings.agents[i].conduct;
        result->not_own |= !decisions_reach(conduct->own, conduct->decisions, plan->own_share);
    }
    if (rc == 0 && !contest->stopped && run->stage_over)
        run->stage_over(run->user, number, &result->standings);
    return rc;
}

/* ---- who goes on ---- */

/* Those who are ranked in a stage, in the order in which they go on. */
typedef struct Succession {
    uint32_t stage;
    const Standings *standings;
    uint32_t *agents; /* indices into standings->agents */
    Cut cut;          /* of these; what is still tied */
    Buf how;          /* for the note */
} Succession;

static void succession_done(Succession *order)
{
    mem_free(order->agents);
    buf_done(&order->how);
}

static const char *name_in(const Succession *order, uint32_t place)
{
    return order->standings->agents[order->agents[place]].name;
}

/* The first of the agents with the name of each who is tied. */
static bool find_tied(const Succession *order, const PlanAgent *agents, uint32_t count,
                      PlanAgent *ret_tied)
{
    for (uint32_t i = 0; i < order->cut.tied; i++) {
        uint32_t at = 0;
        while (at < count && strcmp(agents[at].name, name_in(order, order->cut.sure + i)) != 0)
            at++;
        if (at == count || agents[at].fixed != ROLE_NONE) /* pairs play both sides */
            return false;
        ret_tied[i] = agents[at];
    }
    return true;
}

static Draw draw_of_extra(const Plan *plan, const PlanStage *extra, uint32_t number,
                          uint32_t agents)
{
    if (plan->chance == PLAN_CHANCE_OLD_SEED)
        return draw_of_seed(extra, &plan->rules, agents, stage_seed_old(plan->seed, number));
    const Key key = plan_round_key(plan, number);
    return draw_of_key(extra, &plan->rules, agents, &key, 0);
}

/* Puts the tied into the order of the round that they have played; those who share the last place
 * in it as well stay tied. */
static int take_round(Succession *order, const Standings *round, Err *err)
{
    uint32_t tied = order->cut.tied, *from = order->agents + order->cut.sure, placed = 0;
    CLEANUP(mem_freep) uint32_t *agents = mem_new(tied * sizeof(*agents));
    CLEANUP(mem_freep) uint32_t *ranks = mem_new(tied * sizeof(*ranks));

    if (!agents || !ranks)
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    for (uint32_t i = 0; i < round->count && placed < tied; i++)
        for (uint32_t j = 0; j < tied; j++)
            if (strcmp(round->agents[i].name, name_in(order, order->cut.sure + j)) == 0) {
                ranks[placed] = round->agents[i].rank ? round->agents[i].rank : UINT32_MAX;
                agents[placed++] = from[j];
            }
    if (placed < tied) /* nobody of a round that was not played */
        return 0;
    memcpy(from, agents, tied * sizeof(*agents));
    Cut cut = cut_of_ranks(ranks, tied, order->cut.places);
    cut.sure += order->cut.sure;
    order->cut = cut;
    return 0;
}

static int play_round(Contest *contest, uint32_t round, const PlanAgent *tied,
                      const PlanStage *extra, Succession *order, ContestResult *result, Err *err)
{
    CLEANUP(standings_done) Standings standings = {0};
    const uint32_t number = stage_number(order->stage, round);
    StageRun stage = {.stage = number, .agents = tied};
    const Draw draw = draw_of_extra(contest->run->plan, extra, number, order->cut.tied);
    int rc = play_to_end(contest, &stage, &draw, 1, &standings, result, err);

    if (rc || contest->stopped)
        return rc;
    standings_rank(&standings, 0);
    return take_round(order, &standings, err);
}

/* Extra rounds until nobody is tied. */
static int play_rounds(Contest *contest, const PlanAgent *agents, uint32_t count, Succession *order,
                       ContestResult *result, Err *err)
{
    const Plan *plan = contest->run->plan;
    CLEANUP(mem_freep) PlanAgent *tied = mem_new(order->cut.tied * sizeof(*tied));
    uint32_t round = 0;
    int rc = tied ? 0 : err_set(err, ERR_MEMORY, "contest: out of memory");

    while (rc == 0 && order->cut.tied && round < STAGE_ROUNDS_MAX && !contest->stopped) {
        PlanStage extra;
        if (!find_tied(order, agents, count, tied) ||
            !cut_extra_stage(&plan->stages[order->stage], &plan->rules, order->cut.tied, &extra))
            break;
        if (draws_by_name(plan))
            plan_order_agents(tied, order->cut.tied);
        rc = play_round(contest, ++round, tied, &extra, order, result, err);
    }
    if (round)
        buf_printf(&order->how, "; %u extra round%s among them", (unsigned)round,
                   round == 1 ? "" : "s");
    return rc;
}

static int draw_lots(const Plan *plan, Succession *order, Err *err)
{
    const uint32_t tied = order->cut.tied;
    CLEANUP(mem_freep) CutLot *lots = mem_new(tied * sizeof(*lots));
    const Key key = plan->chance == PLAN_CHANCE_OLD_SEED ? key_of_seed(plan->seed)
                                                         : plan_stage_key(plan, order->stage);

    if (!lots)
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    for (uint32_t i = 0; i < tied; i++)
        lots[i] = (CutLot){.agent = order->agents[order->cut.sure + i],
                           .name = str_of(name_in(order, order->cut.sure + i))};
    cut_draw_lots(&key, lots, tied);
    buf_printf(&order->how, "; lots, HMAC-SHA256(key of the stage, \"tie\" 00 name):");
    for (uint32_t i = 0; i < tied; i++) {
        char hex[KEY_HEX_BYTES];
        key_to_hex(&lots[i].lot, hex);
        order->agents[order->cut.sure + i] = lots[i].agent;
        buf_printf(&order->how, "%s %.*s %.16s", i ? "," : "", STR_ARG(lots[i].name), hex);
    }
    order->cut = (Cut){.sure = order->cut.sure + order->cut.places};
    return 0;
}

/* Earlier builds ranked everybody, and between equals the name decided. What they have begun goes
 * on with whom they chose. */
static bool order_as_before(const Contest *contest, uint32_t stage, Standings *standings)
{
    const ContestGame *only = contest->run->only;
    const OutFolder *folder = only ? only->before : &contest->folder;

    if (folder->cut_noted[stage] || folder->played[stage + 1].set_count == 0)
        return false;
    for (uint32_t i = 0; i < standings->count; i++)
        standings->agents[i].conduct = (Conduct){0};
    standings_rank(standings, 0);
    return true;
}

static int settle_tie(Contest *contest, const PlanAgent *agents, uint32_t count, Succession *order,
                      ContestResult *result, Err *err)
{
    const PlanStage *stage = &contest->run->plan->stages[order->stage];
    const uint32_t sure = order->cut.sure, tied = order->cut.tied;
    int rc = 0;

    if (tied == 0)
        return 0;
    buf_printf(&order->how, "; tied for the last place%s:", order->cut.places > 1 ? "s" : "");
    for (uint32_t i = 0; i < tied; i++)
        buf_printf(&order->how, "%s %s", i ? "," : "", name_in(order, sure + i));
    if (stage->tie == CUT_ALL) {
        order->cut = (Cut){.sure = sure + tied};
        buf_add(&order->how, STR("; all of them go on"));
    }
    if (stage->tie == CUT_EXTRA)
        rc = play_rounds(contest, agents, count, order, result, err);
    if (rc == 0 && order->cut.tied && !contest->stopped)
        rc = draw_lots(contest->run->plan, order, err);
    return rc;
}

static int note_cut(Contest *contest, const Succession *order, Err *err)
{
    const ContestCheck *check = contest->run->check;
    CLEANUP(buf_done) Buf note = {0};

    if (contest->folder.cut_noted[order->stage] && !check)
        return 0;
    out_folder_cut_begin(&contest->run->plan->stages[order->stage], &note);
    for (uint32_t i = 0; i < order->cut.sure; i++)
        buf_printf(&note, "%s%s", i ? ", " : "", name_in(order, i));
    buf_printf(&note, " go on%s", buf_cstr(&order->how));
    if (buf_failed(&note))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    if (check)
        return check->cut(check->user, order->stage, buf_str(&note), err);
    if (order->how.len)
        on_note(contest, buf_str(&note));
    else if (contest->folder.journal) /* nobody asks how it came */
        journal_add_note(contest->folder.journal, buf_str(&note), NULL);
    return 0;
}

/* Keeps of `agents` those who go on; several of one name go on together. */
static uint32_t keep_those(PlanAgent *agents, uint32_t count, const Succession *order)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t place = 0; place < order->cut.sure; place++)
            if (strcmp(name_in(order, place), agents[i].name) == 0) {
                agents[kept++] = agents[i];
                break;
            }
    return kept;
}

/* The best of a stage that was played go on. Leaves *count alone when the contest was stopped. */
static int advance_stage(Contest *contest, uint32_t stage, PlanAgent *agents, uint32_t *count,
                         ContestResult *result, Err *err)
{
    CLEANUP(succession_done) Succession order = {.stage = stage};
    CLEANUP(standings_done) Standings standings = {0};
    int rc = standings_merge(&standings, &result->standings, err);

    if (rc)
        return rc;
    standings_rank(&standings, result->standings.min_games);
    bool before = order_as_before(contest, stage, &standings);
    uint32_t ranked = standings_ranked(&standings),
             places = contest->run->plan->stages[stage].advance;
    CLEANUP(mem_freep) uint32_t *ranks = mem_new((ranked + 1) * sizeof(*ranks));
    order.agents = mem_new((ranked + 1) * sizeof(*order.agents));
    if (!ranks || !order.agents)
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    for (uint32_t i = 0; i < ranked; i++) {
        order.agents[i] = i;
        ranks[i] = before ? i + 1 : standings.agents[i].rank;
    }
    order.standings = &standings;
    order.cut = cut_of_ranks(ranks, ranked, places ? places : ranked);
    rc = settle_tie(contest, agents, *count, &order, result, err);
    if (rc || contest->stopped)
        return rc;
    if (!before)
        rc = note_cut(contest, &order, err);
    *count = keep_those(agents, *count, &order);
    return rc;
}

/* Whether the next stage can be played; says so when it can't. */
static bool are_enough(const Contest *contest, const PlanStage *stage, uint32_t agents)
{
    CLEANUP(buf_done) Buf note = {0};
    uint32_t needed = 2;

    for (uint32_t part = 0; stage->pairing != PAIRING_ALL_PAIRS && part < plan_stage_parts(stage);
         part++) {
        const uint32_t players = (uint32_t)plan_stage_part(stage, part).players;
        needed = players > needed ? players : needed;
    }
    if (agents >= needed)
        return true;
    buf_printf(&note,
               "stage %s needs %u agents, but only %u are ranked and go on: the contest ends here. "
               "Mend the agents that did not play (faults.jsonl and agents/ in the folder of --out "
               "say why), then play it anew",
               stage->name, (unsigned)needed, (unsigned)agents);
    if (contest->run->note)
        contest->run->note(contest->run->user, buf_str(&note));
    return false;
}

/* Stops the contest when the stage has lots that are not opened, or a beacon that is not known. */
static int await_chance(Contest *contest, uint32_t stage, const PlanAgent *agents, uint32_t count,
                        ContestResult *result, Err *err)
{
    CLEANUP(buf_done) Buf wait = {0};
    if (contest->run->check) /* what the journal tells was compared when it was read */
        return 0;
    /* It is over: its programs may have been revised for the next. */
    if (contest->run->out && contest->folder.published[stage])
        return 0;
    int rc = stage_chance_settle(contest->run->out ? &contest->folder : NULL, contest->run->plan,
                                 stage, agents, count, &wait, err);

    if (rc || !wait.len)
        return rc;
    result->waiting = contest->stopped = true;
    if (contest->run->note)
        contest->run->note(contest->run->user, buf_str(&wait));
    return 0;
}

/* Before and behind each stage: a checkpoint is about all that is on disk by then. */
static int keep_ledger(const Contest *contest, Err *err)
{
    const ContestRun *run = contest->run;

    if (!run->ledger || !contest->folder.journal)
        return 0;
    int rc = journal_wait(contest->folder.journal, err);
    return rc ? rc : ledger_follow(run->out, run->ledger, run->date(), err);
}

static int run_stages(Contest *contest, PlanAgent *agents, ContestResult *result, Err *err)
{
    const Plan *plan = contest->run->plan;
    const uint32_t until = contest->run->until;
    const uint32_t end = until && until < plan->stage_count ? until : plan->stage_count;
    uint32_t count = plan->agent_count;
    int rc = 0;

    for (uint32_t stage = 0; stage < end && rc == 0 && !contest->stopped; stage++) {
        rc = await_chance(contest, stage, agents, count, result, err);
        if (rc == 0)
            rc = keep_ledger(contest, err);
        if (rc || contest->stopped)
            break;
        result->stage = stage;
        rc = run_stage(contest, stage, agents, count, result, err);
        if (rc || contest->stopped || stage + 1 == plan->stage_count ||
            (contest->run->only && contest->run->only->stage == stage))
            break;
        rc = advance_stage(contest, stage, agents, &count, result, err);
        if (rc == 0 && !contest->stopped && contest->folder.journal)
            rc = out_folder_publish(&contest->folder, plan, stage, err);
        if (rc || contest->stopped || stage + 1 == end)
            break;
        result->halted = !are_enough(contest, &plan->stages[stage + 1], count);
        contest->stopped = result->halted;
    }
    result->reached = rc == 0 && !contest->stopped;
    result->complete = result->reached && end == plan->stage_count;
    return rc;
}

/* What agents run in; what the organiser should know of it is a note, line by line. */
static int make_cell(Contest *contest, Err *err)
{
    const ContestRun *run = contest->run;
    CLEANUP(buf_done) Buf notes = {0};

    if (!run->cell)
        return 0;
    int rc = agent_cell_new(run->cell, run->out, run->plan, &contest->cell, &notes, err);
    for (Str rest = buf_str(&notes); rest.len && rc == 0;)
        on_note(contest, str_cut(&rest, '\n'));
    return rc;
}

int contest_run(const ContestRun *run, ContestResult *ret_result, Err *err)
{
    Contest contest = {.run = run, .folder = {.trial = run->trial}};
    PlanAgent *agents = mem_new(run->plan->agent_count * sizeof(*agents));
    int rc = agents ? 0 : err_set(err, ERR_MEMORY, "contest: out of memory");

    if (rc == 0 && run->check)
        rc = out_folder_read(&contest.folder, run->out, run->plan, err);
    else if (rc == 0 && run->out)
        rc = out_folder_open(&contest.folder, run->out, run->resume, run->plan, err);
    if (rc == 0 && run->out && !run->check)
        rc = stage_chance_check(&contest.folder, run->plan, err);
    if (rc == 0)
        rc = tell_trial(&contest, err);
    if (rc == 0)
        rc = make_cell(&contest, err);
    if (rc == 0) {
        memcpy(agents, run->plan->agents, run->plan->agent_count * sizeof(*agents));
        if (draws_by_name(run->plan))
            plan_order_agents(agents, run->plan->agent_count);
        rc = run_stages(&contest, agents, ret_result, err);
    }
    if (rc == 0 && contest.folder.journal && ret_result->complete)
        rc = out_folder_publish(&contest.folder, run->plan, run->plan->stage_count - 1, err);
    if (contest.folder.journal) {
        int closed = out_folder_close(&contest.folder, ret_result->complete, ret_result->games_now,
                                      rc ? NULL : err);
        rc = rc ? rc : closed;
        if (rc == 0 && run->ledger)
            rc = ledger_follow(run->out, run->ledger, run->date(), err);
        if (contest.folder.lost) /* what the folder does not hold is not told */
            standings_done(&ret_result->standings);
    }
    out_folder_done(&contest.folder);
    cell_free(contest.cell);
    finding_watch_done(&contest.watch);
    mem_free(agents);
    return rc;
}
