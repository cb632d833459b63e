#include "contest/contest_cut.h"

#include "base/mem.h"
#include "contest/contest_stage.h"
#include "match/cut.h"
#include "match/draw_chance.h"

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

static int play_round(ContestPlay *contest, uint32_t round, const PlanAgent *tied,
                      const PlanStage *extra, Succession *order, ContestResult *result, Err *err)
{
    CLEANUP(standings_done) Standings standings = {0};
    const uint32_t number = stage_number(order->stage, round);
    StageRun stage = {.stage = number, .agents = tied};
    const Draw draw = draw_of_extra(contest->run->plan, extra, number, order->cut.tied);
    int rc = contest_stage_play(contest, &stage, &draw, 1, &standings, result, err);

    if (rc || contest->stopped)
        return rc;
    standings_rank(&standings, 0);
    return take_round(order, &standings, err);
}

/* Extra rounds until nobody is tied. */
static int play_rounds(ContestPlay *contest, const PlanAgent *agents, uint32_t count,
                       Succession *order, ContestResult *result, Err *err)
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
        if (contest_draws_by_name(plan))
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
static bool order_as_before(const ContestPlay *contest, uint32_t stage, Standings *standings)
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

static int settle_tie(ContestPlay *contest, const PlanAgent *agents, uint32_t count,
                      Succession *order, ContestResult *result, Err *err)
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

static int note_cut(ContestPlay *contest, const Succession *order, Err *err)
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
        contest_stage_note(contest, buf_str(&note));
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
int contest_cut_advance(ContestPlay *contest, uint32_t stage, PlanAgent *agents, uint32_t *count,
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
