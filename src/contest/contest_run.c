#include "contest/contest_run.h"

#include "base/mem.h"
#include "match/draw_chance.h"

#include <unistd.h>

/* Built-in bots play so many games, or a little more, between two looks at a trial: enough to keep
 * threads busy, and the same for any number of them. */
#define CHUNK_GAMES 400u

/* The contest under way. */
typedef struct Contest {
    const ContestRun *run;
    OutFolder folder;
    uint32_t stage;
    uint64_t stage_games;
    uint64_t stage_before; /* games of this stage that were played before */
    uint64_t chunk_before; /* games of this stage played in this call, before this chunk */
    uint64_t handed;       /* games that the journal has got in this call, before this stage */
    Standings *standings;  /* of this stage; filled here while the hall plays */
    bool stopped;
} Contest;

void contest_result_done(ContestResult *result)
{
    standings_done(&result->standings);
}

/* ---- while a stage is played ---- */

static int keep_game(void *user, const GameRecord *record, Str log, Err *err)
{
    Contest *contest = user;
    const ContestRun *run = contest->run;
    int rc = 0;

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

    return rc ? rc : game_record_add_to(record, contest->standings, err);
}

static bool on_progress(void *user, uint64_t done)
{
    Contest *contest = user;
    const ContestRun *run = contest->run;

    if (contest->folder.journal)
        done = journal_games_written(contest->folder.journal) - contest->handed;
    else
        done += contest->chunk_before;
    if (run->progress && !run->progress(run->user, contest->stage, contest->stage_before + done,
                                        contest->stage_games))
        contest->stopped = true;
    return !contest->stopped;
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
        journal_add_fault(contest->folder.journal, contest->stage, set, game, agent, fault, NULL);
    if (run->fault)
        run->fault(run->user, contest->stage, set, game, agent, fault);
}

static void on_note(void *user, Str text)
{
    Contest *contest = user;

    if (contest->folder.journal)
        journal_add_note(contest->folder.journal, text, NULL);
    if (contest->run->note)
        contest->run->note(contest->run->user, text);
}

static int play_stage(Contest *contest, StageRun *stage, bool outside, Err *err)
{
    const ContestRun *run = contest->run;
    const HallPlan hall = {.run = stage,
                           .host = run->host ? run->host : "127.0.0.1",
                           .tables = run->plan->tables ? run->plan->tables : 1,
                           .out = run->out,
                           .set_begins = on_set_begins,
                           .fault = on_fault,
                           .note = on_note,
                           .user = contest};

    stage->finished = outside ? keep_hall_game : keep_game;
    return outside ? hall_play(&hall, NULL, err)
                   : threads_play(stage, run->jobs, contest->standings, err);
}

/* How many sets are played between two looks at a trial. */
static uint64_t chunk_sets(const Contest *contest, const StageRun *stage, bool outside)
{
    uint64_t per_set = (uint64_t)stage->draw.stage->games_per_set;

    if (outside)
        return contest->run->plan->tables ? contest->run->plan->tables : 1;
    return (CHUNK_GAMES + per_set - 1) / per_set;
}

/* Chunk after chunk until the trial is decided. Those that were played before are looked at again:
 * a resumed contest ends behind the same chunk. */
static int play_trial(Contest *contest, StageRun *stage, bool outside, Err *err)
{
    Trial *trial = contest->run->trial;
    uint64_t chunk = chunk_sets(contest, stage, outside);
    uint64_t sets = draw_set_of(&stage->draw, contest->stage_games - 1) + 1;
    int rc = 0;

    for (uint64_t set = 0; rc == 0 && set < sets && trial->sprt.state == SPRT_CONTINUE;
         set += chunk) {
        stage->first_set = set;
        stage->end_set = set + chunk;
        contest->chunk_before = contest->standings->games - contest->stage_before;
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

/* The best `places` of those who are ranked go on; several agents of one name go on together. */
static uint32_t advance(PlanAgent *agents, uint32_t count, const Standings *standings,
                        uint32_t places)
{
    uint32_t kept = 0, ranked = standings_ranked(standings);

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t place = 0; place < places && place < ranked; place++)
            if (strcmp(standings->agents[place].name, agents[i].name) == 0) {
                agents[kept++] = agents[i];
                break;
            }
    return kept;
}

static int run_stage(Contest *contest, const PlanAgent *agents, uint32_t agent_count,
                     ContestResult *result, Err *err)
{
    const ContestRun *run = contest->run;
    const Plan *plan = run->plan;
    const Played *played = &contest->folder.played[contest->stage];
    StageRun stage = {.plan = plan,
                      .stage = contest->stage,
                      .agents = agents,
                      .draw = draw_of_plan(plan, contest->stage, 0, agent_count),
                      .played = played,
                      .logs = run->logs,
                      .gzip = run->gzip,
                      .progress = on_progress,
                      .user = contest};

    standings_done(&result->standings);
    contest->standings = &result->standings;
    contest->stage_games = draw_games(&stage.draw);
    contest->stage_before = played->game_count;
    contest->chunk_before = 0;
    int rc = standings_merge(contest->standings, &contest->folder.standings[contest->stage], err);
    if (rc == 0)
        rc = (run->trial ? play_trial : play_stage)(contest, &stage,
                                                    has_outside(agents, agent_count), err);
    uint64_t now = contest->standings->games - contest->stage_before;
    contest->handed += now;
    result->games_now += now;
    result->games += contest->standings->games;
    standings_rank(contest->standings, plan->stages[contest->stage].min_games);
    result->not_ranked |= standings_ranked(contest->standings) < contest->standings->count;
    if (rc == 0 && !contest->stopped && run->stage_over)
        run->stage_over(run->user, contest->stage, contest->standings);
    return rc;
}

/* Whether the next stage can be played; says so when it can't. */
static bool are_enough(const Contest *contest, const PlanStage *stage, uint32_t agents)
{
    CLEANUP(buf_done) Buf note = {0};
    uint32_t needed = stage->pairing == PAIRING_ALL_PAIRS ? 2 : (uint32_t)stage->players;

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

static int run_stages(Contest *contest, PlanAgent *agents, ContestResult *result, Err *err)
{
    const Plan *plan = contest->run->plan;
    uint32_t count = plan->agent_count;
    int rc = 0;

    for (uint32_t stage = 0; stage < plan->stage_count && rc == 0 && !contest->stopped; stage++) {
        contest->stage = result->stage = stage;
        rc = run_stage(contest, agents, count, result, err);
        if (rc || contest->stopped || stage + 1 == plan->stage_count)
            break;
        uint32_t places = plan->stages[stage].advance;
        count = advance(agents, count, &result->standings, places ? places : count);
        result->halted = !are_enough(contest, &plan->stages[stage + 1], count);
        contest->stopped = result->halted;
    }
    result->complete = rc == 0 && !contest->stopped;
    return rc;
}

int contest_run(const ContestRun *run, ContestResult *ret_result, Err *err)
{
    Contest contest = {.run = run, .folder = {.trial = run->trial}};
    PlanAgent *agents = mem_new(run->plan->agent_count * sizeof(*agents));
    int rc = agents ? 0 : err_set(err, ERR_MEMORY, "contest: out of memory");

    if (rc == 0 && run->out)
        rc = out_folder_open(&contest.folder, run->out, run->resume, run->plan, err);
    if (rc == 0) {
        memcpy(agents, run->plan->agents, run->plan->agent_count * sizeof(*agents));
        rc = run_stages(&contest, agents, ret_result, err);
    }
    if (contest.folder.journal) {
        int closed = out_folder_close(&contest.folder, ret_result->complete, ret_result->games_now,
                                      rc ? NULL : err);
        rc = rc ? rc : closed;
        if (contest.folder.lost) /* what the folder does not hold is not told */
            standings_done(&ret_result->standings);
    }
    out_folder_done(&contest.folder);
    mem_free(agents);
    return rc;
}
