#include "show/run_forecast.h"

#include "match/pairing.h"
#include "show/text_table.h"

#include <inttypes.h>
#include <math.h>

#define TAKES 4 /* requests, tokens of prompts, cached, of answers */

static const ModelFigure taken[TAKES] = {FIGURE_REQUESTS, FIGURE_PROMPT, FIGURE_CACHED,
                                         FIGURE_ANSWER};

/* What a seat took in so many games: mean and standard deviation. */
typedef struct Taken {
    double games;
    double mean[TAKES];
    double deviation[TAKES];
} Taken;

/* Of 450 games of five players among stand-ins (tests/e2e/tournament.sh). A game of more players
 * has more speakers to read and more days: requests grow about as the players, prompts as their
 * square. */
#define USUAL_PLAYERS 5
static const Taken usual_taken = {
    .games = 450, .mean = {7.3, 8250, 0, 125}, .deviation = {5, 7000, 0, 100}};

static const char models_sql[] =
    "WITH told AS (SELECT stage, set_number, agent, max(model) AS model FROM decision"
    "  GROUP BY stage, set_number, agent)"
    " SELECT count(*), avg(requests), avg(prompt_tokens), avg(cached_tokens), avg(answer_tokens),"
    "  avg(requests * requests), avg(prompt_tokens * prompt_tokens * 1.0),"
    "  avg(cached_tokens * cached_tokens * 1.0), avg(answer_tokens * answer_tokens * 1.0),"
    "  avg(players)"
    " FROM game JOIN seat ON game_id = id LEFT JOIN told ON told.stage = game.stage"
    "  AND told.set_number = game.set_number AND told.agent = seat.agent"
    " WHERE requests > 0 AND prompt_tokens > 0"
    "  AND (?1 = '' OR iif(seat.model = '', told.model, seat.model) = ?1)";

/* False when no game of it is there. */
static int read_taken(Db *like, Str model, Taken *ret_taken, double *ret_players, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(like, models_sql, &query, err);

    *ret_taken = (Taken){0};
    if (rc)
        return rc;
    db_bind_text(query, 1, model);
    rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    ret_taken->games = db_real(query, 0);
    for (int i = 0; i < TAKES && ret_taken->games > 0; i++) {
        double mean = db_real(query, 1 + i), square = db_real(query, 1 + TAKES + i);
        ret_taken->mean[i] = mean;
        ret_taken->deviation[i] = square > mean * mean ? sqrt(square - mean * mean) : 0;
    }
    *ret_players = db_real(query, 1 + 2 * TAKES);
    return 0;
}

/* Seats that all agents of this name have in all games together. */
static double seat_games(const Plan *plan, const char *name, double *ret_mean_players)
{
    double seats = 0, weighted = 0;

    for (uint32_t stage = 0; stage < plan->stage_count; stage++) {
        const double agents = plan_stage_agents(plan, stage);
        double copies = 0;
        for (uint32_t i = 0; i < plan->agent_count; i++)
            copies += strcmp(plan->agents[i].name, name) == 0;
        for (uint32_t part = 0; part < plan_stage_parts(&plan->stages[stage]); part++) {
            const PlanStage size = plan_stage_part(&plan->stages[stage], part);
            const Draw draw = draw_of_seed(&size, &plan->rules, (uint32_t)agents, 0);
            /* Of a later stage nobody knows who plays there: as many of each as at its beginning.
             */
            const double of_stage =
                (double)draw_games(&draw) * size.players * copies / (double)plan->agent_count;
            seats += of_stage;
            weighted += of_stage * size.players;
        }
    }
    *ret_mean_players = seats > 0 ? weighted / seats : 0;
    return seats;
}

/* What is foreseen for one model, or all. */
typedef struct Foreseen {
    double seats;
    double mean[TAKES];
    double variance[TAKES];
    double cost, cost_low, cost_high;
    bool priced;
    bool usual; /* from games of stand-ins */
} Foreseen;

static void put_range(TextTable *rows, double mean, double half)
{
    char text[64];
    int n = snprintf(text, sizeof(text), "%.0f (%.0f - %.0f)", mean, mean > half ? mean - half : 0,
                     mean + half);

    text_table_text(rows, (Str){text, n > 0 ? (size_t)n : 0});
}

static void put_costs(TextTable *rows, const Foreseen *seen)
{
    char text[64];
    int n = snprintf(text, sizeof(text), "%.4f (%.4f - %.4f)", seen->cost, seen->cost_low,
                     seen->cost_high);

    if (seen->priced)
        text_table_text(rows, (Str){text, n > 0 ? (size_t)n : 0});
    else
        text_table_none(rows);
}

static void put_row(TextTable *rows, const char *name, const Foreseen *seen, bool prices)
{
    text_table_text(rows, str_of(name));
    text_table_real(rows, seen->seats, 1);
    for (int i = 0; i < TAKES; i++)
        put_range(rows, seen->mean[i], 1.96 * sqrt(seen->variance[i]));
    if (prices)
        put_costs(rows, seen);
}

/* `seats` games more, after `taken->games` that were seen: both vary. */
static void foresee(const Taken *one, double seats, double scale, Foreseen *seen)
{
    seen->seats = seats;
    for (int i = 0; i < TAKES; i++) {
        const double grow =
            taken[i] == FIGURE_PROMPT || taken[i] == FIGURE_CACHED ? scale * scale : scale;
        const double spread = one->deviation[i] * grow;
        seen->mean[i] = seats * one->mean[i] * grow;
        seen->variance[i] = spread * spread * (seats + seats * seats / one->games);
    }
}

static double cost_at(const LlmPrice *price, const Foreseen *seen, double widths)
{
    double amounts[TAKES];

    for (int i = 0; i < TAKES; i++) {
        amounts[i] = seen->mean[i] + widths * 1.96 * sqrt(seen->variance[i]);
        amounts[i] = amounts[i] > 0 ? amounts[i] : 0;
    }
    if (amounts[2] > amounts[1])
        amounts[2] = amounts[1];
    return (double)llm_price_exact(price, (uint64_t)amounts[1], (uint64_t)amounts[2],
                                   (uint64_t)amounts[3]) /
           1e12;
}

static void add_foreseen(Foreseen *all, const Foreseen *one)
{
    all->seats += one->seats;
    for (int i = 0; i < TAKES; i++) {
        all->mean[i] += one->mean[i];
        all->variance[i] += one->variance[i];
    }
    all->cost += one->cost;
    all->cost_low += one->cost_low;
    all->cost_high += one->cost_high;
    all->priced |= one->priced;
    all->usual |= one->usual;
}

static int foresee_model(const Plan *plan, const PlanAgent *agent, Db *like,
                         const LlmPrices *prices, Foreseen *ret_seen, Err *err)
{
    Taken one = {0};
    LlmPrice price;
    double players = USUAL_PLAYERS, here = 0;
    const double seats = seat_games(plan, agent->name, &here);
    int rc = like ? read_taken(like, str_of(agent->model_name), &one, &players, err) : 0;

    if (rc == 0 && like && one.games <= 0)
        rc = read_taken(like, STR(""), &one, &players, err);
    if (rc)
        return rc;
    if (one.games <= 0) {
        one = usual_taken;
        ret_seen->usual = true;
        players = USUAL_PLAYERS;
    }
    foresee(&one, seats, players > 0 ? here / players : 1, ret_seen);
    ret_seen->priced = prices && llm_price_find(prices, str_of(agent->model_name), &price);
    if (ret_seen->priced) {
        ret_seen->cost = cost_at(&price, ret_seen, 0);
        ret_seen->cost_low = cost_at(&price, ret_seen, -1);
        ret_seen->cost_high = cost_at(&price, ret_seen, 1);
    }
    return 0;
}

static uint64_t plan_games(const Plan *plan)
{
    uint64_t games = 0;

    for (uint32_t stage = 0; stage < plan->stage_count; stage++)
        for (uint32_t part = 0; part < plan_stage_parts(&plan->stages[stage]); part++) {
            const PlanStage size = plan_stage_part(&plan->stages[stage], part);
            const Draw draw = draw_of_seed(&size, &plan->rules, plan_stage_agents(plan, stage), 0);
            games += draw_games(&draw);
        }
    return games;
}

/* Of a stage in blocks: how often they close. */
static void write_blocks(const Draw *draw, Buf *out)
{
    const PlanStage *stage = draw->stage;
    const uint64_t games = draw_games(draw), per_set = (uint64_t)stage->games_per_set;
    const uint64_t block = draw_block_sets(draw), square = draw_square_sets(draw);
    const uint64_t sets = games / per_set;
    const uint64_t times = sets / block * per_set / (uint64_t)stage->players;

    buf_printf(out,
               "Stage %s, %d players: %" PRIu64 " set%s, in blocks of %" PRIu64
               "; in a block every agent plays the same %" PRIu64 " deal%s, from every seat.\n",
               stage->name, (int)stage->players, draw_sets(draw), draw_sets(draw) == 1 ? "" : "s",
               block, per_set, per_set == 1 ? "" : "s");
    if (games % per_set == 0 && sets % square == 0) {
        buf_printf(
            out, "So every agent has every seat in every role of the table %" PRIu64 " time%s.\n\n",
            times, times == 1 ? "" : "s");
        return;
    }
    buf_printf(
        out,
        "%s: every agent has had every seat in every role equally often after %" PRIu64
        " sets and its multiples; the next is %" PRIu64 ".\n\n",
        games % per_set == 0 && sets % block == 0
            ? "The blocks close (seats and roles, each for itself), the square does not"
            : "The last block does not close, so that some play more, and not the same deals",
        square, (draw_sets(draw) / square + 1) * square);
}

static void write_all_blocks(const Plan *plan, Buf *out)
{
    for (uint32_t stage = 0; stage < plan->stage_count; stage++)
        for (uint32_t part = 0;
             plan->stages[stage].blocks && part < plan_stage_parts(&plan->stages[stage]); part++) {
            const PlanStage size = plan_stage_part(&plan->stages[stage], part);
            const Draw draw = draw_of_seed(&size, &plan->rules, plan_stage_agents(plan, stage), 0);
            write_blocks(&draw, out);
        }
}

/* Whether an agent of this name stands before it. */
static bool was_seen(const Plan *plan, uint32_t agent)
{
    for (uint32_t i = 0; i < agent; i++)
        if (strcmp(plan->agents[i].name, plan->agents[agent].name) == 0)
            return true;
    return false;
}

static void write_sources(const LlmPrices *prices, const Foreseen *all, Buf *out)
{
    buf_add(out, !all->usual
                     ? STR("\nReckoned from the games of that folder; ")
                     : STR("\nReckoned from games of stand-in models, which answer briefly and do "
                           "not think: models that\nthink or talk more take several times as much. "
                           "Play a few games and give their folder\nby --like; "));
    buf_add(out, STR("in brackets: where 95 % of such contests end.\n"));
    if (prices && all->priced)
        buf_printf(out, "Costs are in %.*s; a model without a price counts as nothing.\n",
                   STR_ARG(llm_prices_currency(prices)));
    else if (!prices)
        buf_add(out, STR("Without --prices FILE no costs.\n"));
}

int run_forecast_write(const Plan *plan, Db *like, const LlmPrices *prices, Buf *out, Err *err)
{
    static const char *const titles[] = {"agent",  "games",      "requests", "tokens in",
                                         "cached", "tokens out", "cost",     NULL};
    const char *shown[sizeof(titles) / sizeof(titles[0])];
    CLEANUP(text_table_done) TextTable rows = {.columns = shown};
    Foreseen all = {0};
    uint32_t models = 0;
    int rc = 0;

    memcpy(shown, titles, sizeof(titles));
    if (!prices)
        shown[6] = NULL;
    buf_printf(out, "%" PRIu64 " games, not played\n\n", plan_games(plan));
    write_all_blocks(plan, out);
    for (uint32_t i = 0; i < plan->agent_count && rc == 0; i++) {
        Foreseen seen = {0};
        if (!plan->agents[i].model || was_seen(plan, i))
            continue;
        rc = foresee_model(plan, &plan->agents[i], like, prices, &seen, err);
        put_row(&rows, plan->agents[i].name, &seen, prices != NULL);
        add_foreseen(&all, &seen);
        models++;
    }
    if (rc)
        return rc;
    if (!models) {
        buf_add(out, STR("No agent is a language model: nothing is asked of anybody.\n"));
        return 0;
    }
    put_row(&rows, "all", &all, prices != NULL);
    text_table_write(&rows, TABLE_ALIGNED, out);
    write_sources(prices, &all, out);
    return 0;
}

/* ---- while it runs ---- */

static const char *model_of(const Plan *plan, Str agent)
{
    for (uint32_t i = 0; i < plan->agent_count; i++)
        if (plan->agents[i].model && str_eq(str_of(plan->agents[i].name), agent))
            return plan->agents[i].model_name;
    return NULL;
}

static ModelFigures *place_of(Spent *spent, const char *model)
{
    uint32_t i = 0;

    while (i < spent->count && strcmp(spent->names[i], model) != 0)
        i++;
    if (i == SPENT_MODELS)
        return NULL;
    if (i == spent->count)
        spent->names[spent->count++] = model;
    return &spent->of[i];
}

void run_spent_add(Spent *spent, const Plan *plan, const GameRecord *record)
{
    spent->games++;
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        const ModelFigures *figures = &record->seats[seat].figures;
        const char *model =
            figures->of[FIGURE_PROMPT] ? model_of(plan, record->result.names[seat]) : NULL;
        ModelFigures *own = model ? place_of(spent, model) : NULL;
        model_figures_add(&spent->all, figures);
        if (own)
            model_figures_add(own, figures);
    }
}

/* In millions, three digits as long as there are not more before the point. */
static void put_millions(double tokens, Buf *out)
{
    const double millions = tokens / 1e6;

    buf_printf(out, "%.*f M", millions < 10 ? 2 : millions < 100 ? 1 : 0, millions);
}

void run_spent_write(const Spent *spent, const LlmPrices *prices, uint64_t left, Buf *out)
{
    const uint64_t tokens = spent->all.of[FIGURE_PROMPT] + spent->all.of[FIGURE_ANSWER];
    double cost = 0;

    if (!tokens || !spent->games)
        return;
    buf_add(out, STR(", "));
    put_millions((double)tokens, out);
    buf_add(out, STR(" tokens"));
    for (uint32_t i = 0; prices && i < spent->count; i++) {
        const uint64_t *of = spent->of[i].of;
        LlmPrice price;
        if (llm_price_find(prices, str_of(spent->names[i]), &price))
            cost += (double)llm_price_exact(&price, of[FIGURE_PROMPT], of[FIGURE_CACHED],
                                            of[FIGURE_ANSWER]) /
                    1e12;
    }
    const double more = (double)left / (double)spent->games;
    if (prices)
        buf_printf(out, " and %.*s %.4f", STR_ARG(llm_prices_currency(prices)), cost);
    buf_add(out, STR(" spent, about "));
    put_millions((double)tokens * more, out);
    if (prices)
        buf_printf(out, " and %.4f", cost * more);
    buf_add(out, STR(" left"));
}
