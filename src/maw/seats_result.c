/* Who decided for the seats of a round, in its record. */
#include "maw/maw_table_own.h"

void seats_add_figures(LlmFigures *sum, const LlmFigures *one)
{
    sum->requests += one->requests;
    sum->sent += one->sent;
    sum->retries += one->retries;
    sum->repairs += one->repairs;
    sum->fallbacks += one->fallbacks;
    sum->suppressed += one->suppressed;
    sum->leaks += one->leaks;
    sum->refused += one->refused;
    sum->lines += one->lines;
    sum->votes += one->votes;
    sum->listens += one->listens;
    sum->by_model += one->by_model;
    sum->prompt_tokens += one->prompt_tokens;
    sum->cached_tokens += one->cached_tokens;
    sum->answer_tokens += one->answer_tokens;
    sum->reasoning_tokens += one->reasoning_tokens;
}

void seats_figures(const Seat *seat, LlmFigures *ret_figures)
{
    llm_seat_figures(seat->model, ret_figures);
    seats_add_figures(ret_figures, &seat->before);
}

static void write_costs(const MawTable *table, const Seat *seat, uint32_t wins, Json *json)
{
    CLEANUP(buf_done) Buf all = {0};
    CLEANUP(buf_done) Buf each = {0};
    LlmFigures figures;
    uint64_t cost = 0;

    seats_figures(seat, &figures);
    const ModelFigures taken = llm_figures_of(&figures);
    for (ModelFigure figure = FIGURE_REQUESTS; figure <= FIGURE_ANSWER; figure++)
        json_add_uint(json, model_figure_name(figure), taken.of[figure]);
    if (!seat->endpoint ||
        !llm_prices_cost(table->setup.prices, str_of(llm_endpoint_model(seat->endpoint)), &taken,
                         &cost))
        return;
    llm_money_write(cost, &all);
    json_add_str(json, "cost", buf_str(&all));
    if (wins) {
        llm_money_write(cost / wins, &each);
        json_add_str(json, "cost_per_win", buf_str(&each));
    }
    json_add_str(json, "currency", llm_prices_currency(table->setup.prices));
}

void seats_write_costs(const MawTable *table, Str jid, uint32_t wins, Json *json)
{
    if (!maw_session_over(table->session))
        return;
    for (size_t i = 0; i < table->seat_count; i++)
        if (table->seats[i]->model && table->seats[i]->endpoint &&
            str_eq(str_of(table->seats[i]->jid), jid))
            write_costs(table, table->seats[i], wins, json);
}

static SeatKind kind_of(const Seat *seat)
{
    if (seat && seat->model)
        return SEAT_MODEL;
    if (seat && strncmp(seat->kind, "bot:", 4) == 0)
        return SEAT_BOT;
    return seat && strcmp(seat->kind, "player") == 0 ? SEAT_PERSON : SEAT_AGENT;
}

/* What a model has done since its last round: figures are those of the session. */
static void add_decisions(Seat *seat, SeatRecord *own)
{
    LlmFigures now;

    seats_figures(seat, &now);
    own->model = seat->endpoint
                     ? str_part(str_of(llm_endpoint_model(seat->endpoint)), 0, MODEL_NAME_MAX)
                     : STR("demo");
    own->own = now.by_model - seat->told.by_model;
    own->decisions = own->own + (now.fallbacks - seat->told.fallbacks);
    ModelFigures whole = llm_figures_of(&now), before = llm_figures_of(&seat->told);
    opinion_score_put(&seat->opinions, &whole);
    opinion_score_put(&seat->told_opinions, &before);
    own->figures = model_figures_beyond(&whole, &before);
    seat->told = now;
    seat->told_opinions = seat->opinions;
}

static Seat *seat_at(const MawTable *table, Str jid)
{
    for (size_t i = 0; i < table->seat_count; i++)
        if (str_eq(str_of(table->seats[i]->jid), jid))
            return table->seats[i];
    return NULL; /* a guest */
}

void seats_result(const MawTable *table, GameRecord *record, const Str *jids)
{
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        Seat *from = seat_at(table, jids[seat]);
        SeatRecord *own = &record->seats[seat];
        own->kind = kind_of(from);
        own->outside = own->kind == SEAT_AGENT;
        if (from && from->model)
            add_decisions(from, own);
        for (unsigned kind = 0; from && kind < FAULT_COUNT; kind++) {
            own->faults[kind] += from->faults[kind];
            from->faults[kind] = 0;
        }
    }
}
