/* report_models.c - the sections that only some results have: language models, MAW sessions. */
#include "results/report_sections.h"

#include "stats/opinion_score.h"

/* ---- models ---- */

static void cell_ms(const Page *page, const Durations *times, uint64_t us)
{
    buf_add(page->out, STR("<td class=\"n\">"));
    if (durations_count(times))
        buf_printf(page->out, "%.1f</td>", (double)us / 1000.0);
    else
        buf_add(page->out, STR(PAGE_DASH "</td>"));
}

static void cell_points(const Page *page, int64_t points)
{
    buf_printf(page->out, "<td class=\"n\">%lld</td>", (long long)points);
}

/* How far off its opinions were, and how many there were. */
static void cell_brier(const Page *page, const ResultsGroup *model)
{
    const OpinionScore score = opinion_score_of(&model->figures);

    buf_add(page->out, STR("<td class=\"n\">"));
    if (score.count)
        buf_printf(page->out, "%.3f (%llu)</td>", opinion_score_brier(&score),
                   (unsigned long long)score.count);
    else
        buf_add(page->out, STR(PAGE_DASH "</td>"));
}

/* What all its tokens cost, by so many; a dash without a price. */
static void cell_cost(const Page *page, const ResultsGroup *model, uint64_t parts)
{
    uint64_t cost = 0;

    buf_add(page->out, STR("<td class=\"n\">"));
    if (parts &&
        llm_prices_cost(page->options->prices, str_of(model->name), &model->figures, &cost))
        llm_money_write(cost / parts, page->out);
    else
        buf_add(page->out, STR(PAGE_DASH));
    buf_add(page->out, STR("</td>"));
}

static void write_model(const Page *page, const ResultsGroup *model, bool opinions)
{
    buf_add(page->out, STR("<tr>"));
    page_cell_name(page, str_of(model->name));
    page_cell_count(page, model->all.games);
    page_cell_count(page, model->all.wins);
    page_cell_rate(page, model->all);
    buf_add(page->out, STR("<td class=\"n\">"));
    page_interval(page->out, model->all);
    buf_add(page->out, STR("</td>"));
    cell_points(page, model->points);
    page_cell_count(page, model->decisions);
    page_cell_rate(page, (Tally){.games = model->decisions, .wins = model->own});
    page_cell_count(page, model->figures.of[FIGURE_PROMPT]);
    page_cell_count(page, model->figures.of[FIGURE_ANSWER]);
    cell_ms(page, &model->times, durations_quantile(&model->times, 500));
    cell_ms(page, &model->times, durations_quantile(&model->times, 990));
    page_cell_count(page, model->faults);
    if (opinions)
        cell_brier(page, model);
    if (page->options->prices) {
        cell_cost(page, model, 1);
        cell_cost(page, model, model->all.wins);
    }
    buf_add(page->out, STR("</tr>\n"));
}

static bool has_opinions(const GroupTable *models)
{
    for (size_t i = 0; i < models->count; i++)
        if (opinion_score_of(&models->groups[i].figures).count)
            return true;
    return false;
}

void report_models_table(const Page *page)
{
    static const ReportWord heads[] = {
        WORD_GAMES,          WORD_WINS,      WORD_RATE,          WORD_INTERVAL,
        WORD_POINTS,         WORD_DECISIONS, WORD_OWN_DECISIONS, WORD_TOKENS_READ,
        WORD_TOKENS_WRITTEN, WORD_MEDIAN,    WORD_P99,           WORD_OTHER_FAULTS,
    };
    const GroupTable *models = &page->data->models;
    const bool opinions = has_opinions(models);

    if (models->count == 0)
        return;
    page_table_open(page, WORD_MODELS, "models");
    page_head(page, WORD_MODEL, false);
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        page_head(page, heads[i], true);
    if (opinions)
        page_head(page, WORD_BRIER, true);
    if (page->options->prices) {
        page_head(page, WORD_COST, true);
        page_head(page, WORD_COST_PER_WIN, true);
    }
    page_body(page);
    for (size_t i = 0; i < models->count; i++)
        write_model(page, &models->groups[i], opinions);
    page_table_close(page);
}

void report_models(const Page *page)
{
    if (page->data->models.count == 0)
        return;
    page_section_open(page, "models", WORD_MODELS);
    page_paragraph(page, WORD_MODELS_TEXT);
    report_models_table(page);
    if (page->options->prices) {
        buf_add(page->out, STR("<p class=\"note\">"));
        page_say(page, WORD_COSTS_IN, (Str[]){llm_prices_currency(page->options->prices)}, 1);
        buf_add(page->out, STR("</p>\n"));
    }
    page_section_close(page);
}

/* ---- sessions ---- */

static void write_player(const Page *page, const SessionPlayer *player)
{
    buf_add(page->out, STR("<tr>"));
    page_cell_name(page, str_of(player->name));
    buf_printf(page->out, "<td>%s", seat_kind_name(player->kind));
    if (player->model[0])
        buf_add_char(page->out, ' ');
    page_text(page, str_of(player->model));
    buf_add(page->out, STR("</td>"));
    page_cell_count(page, player->rounds);
    page_cell_count(page, player->wins);
    cell_points(page, player->points);
    page_cell_rate(page, (Tally){.games = player->decisions, .wins = player->own});
    buf_add(page->out, STR("</tr>\n"));
}

static void write_winners(const Page *page, const ResultsSession *session)
{
    buf_add(page->out, STR("<p class=\"note\">"));
    page_word(page, WORD_ROUND_WINNERS);
    for (size_t i = 0; i < session->round_count; i++) {
        const SessionRound *round = &session->rounds[i];
        buf_printf(page->out, "%s%u %s", i ? ", " : "", round->number,
                   report_side(page->options->language, round->winner));
    }
    buf_add(page->out, STR("</p>\n"));
}

static void write_session(const Page *page, const ResultsSession *session)
{
    CLEANUP(buf_done) Buf began = {0};

    page_time(&began, session->began_ms);
    buf_add(page->out, STR("<h3>"));
    page_say(page, WORD_SESSION,
             (Str[]){session->id[0] ? str_of(session->id) : STR(PAGE_DASH), buf_str(&began)}, 2);
    buf_add(page->out, STR("</h3>\n"));
    write_winners(page, session);
    page_table_open(page, WORD_SESSIONS, "sessions");
    page_head(page, WORD_PLAYER, false);
    page_head(page, WORD_DECIDED_BY, false);
    page_head(page, WORD_ROUNDS, true);
    page_head(page, WORD_WINS, true);
    page_head(page, WORD_POINTS, true);
    page_head(page, WORD_OWN_DECISIONS, true);
    page_body(page);
    for (size_t i = 0; i < session->player_count; i++)
        write_player(page, &session->players[i]);
    page_table_close(page);
}

void report_sessions_tables(const Page *page)
{
    for (size_t i = 0; i < page->data->sessions.count; i++)
        write_session(page, &page->data->sessions.sessions[i]);
}

void report_sessions(const Page *page)
{
    if (page->data->sessions.count == 0)
        return;
    page_section_open(page, "sessions", WORD_SESSIONS);
    page_paragraph(page, WORD_SESSIONS_TEXT);
    report_sessions_tables(page);
    page_section_close(page);
}
