#include "contest/contest_run.h"

#include "base/mem.h"
#include "contest/contest_cut.h"
#include "contest/contest_rounds.h"
#include "contest/contest_stage.h"
#include "contest/ledger_follow.h"
#include "contest/stage_chance.h"

#include <inttypes.h>
#include <unistd.h>

void contest_result_done(ContestResult *result)
{
    standings_done(&result->standings);
}

/* ---- a stage ---- */

/* Carries out at once what needs nobody's word, and says what does. */
static int rule_finding(ContestPlay *contest, const ConductFinding *finding, uint32_t number,
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
static int judge_conduct(ContestPlay *contest, uint32_t stage, ContestResult *result, Err *err)
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

static int run_stage(ContestPlay *contest, uint32_t number, const PlanAgent *agents,
                     uint32_t agent_count, ContestResult *result, Err *err)
{
    const ContestRun *run = contest->run;
    const Plan *plan = run->plan;
    StageRun stage = {.stage = number, .agents = agents};
    const uint32_t parts = plan_stage_parts(&plan->stages[number]);
    PlanStage sizes[PLAN_SIZES_MAX];
    Draw draws[PLAN_SIZES_MAX];

    const bool in_rounds = plan->stages[number].rounds;
    Rounds rounds = in_rounds ? rounds_of_stage(&plan->stages[number], agent_count) : (Rounds){0};

    for (uint32_t part = 0; part < parts; part++) {
        sizes[part] = in_rounds ? rounds.sizes[part] : plan_stage_part(&plan->stages[number], part);
        draws[part] = contest_stage_draw(plan, number, part, &sizes[part], agent_count);
    }
    standings_done(&result->standings);
    int rc = in_rounds ? rounds_make_up(&rounds, draws, &contest->folder.made_up, number, err) : 0;
    if (rc == 0)
        rc = in_rounds ? contest_rounds_play(contest, &stage, &rounds, draws, &result->standings,
                                             result, err)
                       : contest_stage_play(contest, &stage, draws, parts, &result->standings,
                                            result, err);
    if (rc == 0 && !contest->stopped)
        rc = judge_conduct(contest, number, result, err);
    standings_forget_void(&result->standings);
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

/* ---- stage after stage ---- */

/* Whether the next stage can be played; says so when it can't. */
static bool are_enough(const ContestPlay *contest, const PlanStage *stage, uint32_t agents)
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
static int await_chance(ContestPlay *contest, uint32_t stage, const PlanAgent *agents,
                        uint32_t count, ContestResult *result, Err *err)
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
static int keep_ledger(const ContestPlay *contest, Err *err)
{
    const ContestRun *run = contest->run;

    if (!run->ledger || !contest->folder.journal)
        return 0;
    int rc = journal_wait(contest->folder.journal, err);
    return rc ? rc : ledger_follow(run->out, run->ledger, run->date(), err);
}

static int run_stages(ContestPlay *contest, PlanAgent *agents, ContestResult *result, Err *err)
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
        rc = contest_cut_advance(contest, stage, agents, &count, result, err);
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
static int make_cell(ContestPlay *contest, Err *err)
{
    const ContestRun *run = contest->run;
    CLEANUP(buf_done) Buf notes = {0};

    if (!run->cell)
        return 0;
    int rc = agent_cell_new(run->cell, run->out, run->plan, &contest->cell, &notes, err);
    for (Str rest = buf_str(&notes); rest.len && rc == 0;)
        contest_stage_note(contest, str_cut(&rest, '\n'));
    return rc;
}

int contest_run(const ContestRun *run, ContestResult *ret_result, Err *err)
{
    ContestPlay contest = {.run = run, .folder = {.trial = run->trial}};
    PlanAgent *agents = mem_new(run->plan->agent_count * sizeof(*agents));
    int rc = agents ? 0 : err_set(err, ERR_MEMORY, "contest: out of memory");

    if (rc == 0 && run->check)
        rc = out_folder_read(&contest.folder, run->out, run->plan, err);
    else if (rc == 0 && run->out)
        rc = out_folder_open(&contest.folder, run->out, run->resume, run->plan, err);
    if (rc == 0 && run->out && !run->check)
        rc = stage_chance_check(&contest.folder, run->plan, err);
    if (rc == 0)
        rc = contest_stage_tell_trial(&contest, err);
    if (rc == 0)
        rc = make_cell(&contest, err);
    if (rc == 0) {
        memcpy(agents, run->plan->agents, run->plan->agent_count * sizeof(*agents));
        if (contest_draws_by_name(run->plan))
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
