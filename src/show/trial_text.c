#include "show/trial_text.h"

#include "base/suggest.h"
#include "base/utf8.h"
#include "match/pairing.h"
#include "show/standings_words.h"

#include <inttypes.h>
#include <math.h>

/* ---- options ---- */

static int check_challenger(Str name, const Plan *plan, Err *err)
{
    Suggest near = {.word = name};
    uint32_t found = 0;

    for (uint32_t i = 0; i < plan->agent_count; i++) {
        const PlanAgent *agent = &plan->agents[i];
        suggest_offer(&near, str_of(agent->name));
        if (!str_eq(name, str_of(agent->name)))
            continue;
        found++;
        if (agent->fixed != ROLE_NONE)
            return err_set(err, ERR_USAGE,
                           "the challenger '%s' is always %s; the test needs it on both sides, so "
                           "its role must be drawn",
                           agent->name, role_name(agent->fixed));
    }
    Str best = suggest_best(&near);
    if (found == 0)
        return err_set(err, ERR_USAGE, "no agent is called '%.*s'%s%.*s%s",
                       STR_ARG(str_part(name, 0, 64)), best.len ? "; did you mean '" : "",
                       STR_ARG(best), best.len ? "'?" : "");
    if (found == plan->agent_count)
        return err_set(err, ERR_USAGE,
                       "every agent is called '%.*s'; the test compares it with others",
                       STR_ARG(name));
    return 0;
}

int trial_of_options(const char *sprt, const char *challenger, const Plan *plan, Trial *ret_trial,
                     Err *err)
{
    SprtTest test;
    int rc = sprt_parse(str_of(sprt), &test, err);

    if (rc)
        return rc;
    if (plan->stage_count != 1)
        return err_set(err, ERR_USAGE, "--sprt tests in one stage, and the contest has %" PRIu32,
                       plan->stage_count);
    rc = check_challenger(str_of(challenger), plan, err);
    if (rc)
        return rc;
    const PlanStage *stage = &plan->stages[0];
    if (plan_stage_parts(stage) > 1)
        return err_set(err, ERR_USAGE, "--sprt tests at tables of one size, and stage '%s' has %u",
                       stage->name, (unsigned)plan_stage_parts(stage));
    const Draw draw = draw_of_seed(stage, &plan->rules, plan->agent_count, 0);
    uint64_t least = (uint64_t)SPRT_SETS_MIN * (uint64_t)stage->games_per_set;
    if (draw_games(&draw) <= least - (uint64_t)stage->games_per_set)
        return err_set(err, ERR_USAGE,
                       "--sprt decides nothing before %d sets of %d games, and there are only "
                       "%" PRIu64 " games; it needs %" PRIu64 " or more",
                       SPRT_SETS_MIN, (int)stage->games_per_set, draw_games(&draw), least);
    trial_init(ret_trial, &test, str_of(challenger));
    return 0;
}

/* ---- text ---- */

void trial_write_progress(const Trial *trial, Buf *out)
{
    const Sprt *sprt = &trial->sprt;

    buf_printf(out, "LLR %.2f of %.2f to %.2f", sprt->llr, sprt->lower, sprt->upper);
}

/* "is more than 5 points better than the others"; below zero, "is less than 5 points worse". */
static void add_claim(double points, bool more, bool japanese, Buf *out)
{
    if (japanese)
        buf_printf(out, "の強さは他と比べて %+g 点を%s", points, more ? "上回る" : "下回る");
    else
        buf_printf(out, "is %s than %g points %s than the others",
                   more == (points >= 0) ? "more" : "less", fabs(points),
                   points >= 0 ? "better" : "worse");
}

static void write_estimate(const Sprt *sprt, bool japanese, Buf *out)
{
    SprtEstimate estimate;

    if (!sprt_estimate(sprt, &estimate))
        buf_add(out, japanese ? STR("      点数はこれらのゲームでは定まらない\n")
                              : STR("      its points: these games leave them open\n"));
    else
        buf_printf(out,
                   japanese ? "      %+.0f 点 (95 %%: %+.0f 〜 %+.0f)。他より強い見込み %.1f %%\n"
                            : "      %+.0f points (95 %%: %+.0f to %+.0f); likelihood of "
                              "superiority %.1f %%\n",
                   estimate.elo, estimate.low, estimate.high, 100 * estimate.superiority);
}

/* A test of substitutes says nothing of the challenger. */
static void write_substituted(const Trial *trial, const Standings *standings, bool japanese,
                              Buf *out)
{
    const Standing *agent = standings_find(standings, str_of(trial->challenger));

    if (!agent || agent->conduct.substituted == 0)
        return;
    buf_add(out, japanese ? STR("      代役がプレイしたゲーム: ")
                          : STR("      a substitute played on for it in "));
    standings_add_thousands(agent->conduct.substituted, out);
    buf_add(out, japanese ? STR(" / ") : STR(" of "));
    standings_add_thousands(agent->all.games, out);
    buf_add(out, japanese ? STR("\n") : STR(" games\n"));
}

static void add_result(const Sprt *sprt, bool japanese, Buf *out)
{
    const bool decided = sprt->state != SPRT_CONTINUE;

    buf_add(out, STR("SPRT: "));
    if (japanese) {
        standings_add_thousands(sprt->games, out);
        if (decided)
            buf_printf(out, " ゲームで %s を採択: ", sprt_state_name(sprt->state));
        else
            buf_add(out, STR(" ゲームでは決着せず: "));
        return;
    }
    buf_printf(out, "%s%s after ", decided ? sprt_state_name(sprt->state) : "undecided",
               decided ? " accepted" : "");
    standings_add_thousands(sprt->games, out);
    buf_printf(out, " game%s: ", sprt->games == 1 ? "" : "s");
}

void trial_write_line(const Trial *trial, const Standings *standings, bool japanese, Buf *out)
{
    const Sprt *sprt = &trial->sprt;
    bool decided = sprt->state != SPRT_CONTINUE;
    bool better = sprt->state == SPRT_ACCEPT_H1;

    add_result(sprt, japanese, out);
    if (!decided && !japanese)
        buf_add(out, STR("it is not clear whether "));
    utf8_add_printable(str_of(trial->challenger), AGENT_NAME_MAX, out);
    buf_add_char(out, ' ');
    if (decided)
        add_claim(better ? sprt->test.elo0 : sprt->test.elo1, better, japanese, out);
    else
        buf_add(out, japanese ? STR("が他より強いかは不明") : STR("is better than the others"));
    buf_printf(out, " (elo0=%g, elo1=%g, ", sprt->test.elo0, sprt->test.elo1);
    if (decided)
        buf_printf(out, "LLR %.2f%s%.2f", sprt->llr, japanese ? " / " : " of ",
                   better ? sprt->upper : sprt->lower);
    else if (japanese)
        buf_printf(out, "LLR %.2f / %.2f 〜 %.2f", sprt->llr, sprt->lower, sprt->upper);
    else
        trial_write_progress(trial, out);
    buf_add(out, STR(")\n"));
    write_estimate(sprt, japanese, out);
    write_substituted(trial, standings, japanese, out);
}

/* ---- JSON ---- */

/* null where the games leave it open. */
static void put_number(Json *json, const char *key, bool known, double value, int decimals)
{
    if (known) {
        json_add_real(json, key, value, decimals);
        return;
    }
    json_key(json, str_of(key));
    json_put_null(json);
}

static void put_estimate(const Sprt *sprt, Json *json)
{
    SprtEstimate estimate = {0};
    const bool known = sprt_estimate(sprt, &estimate);

    put_number(json, "elo", known, estimate.elo, 1);
    put_number(json, "elo_low", known, estimate.low, 1);
    put_number(json, "elo_high", known, estimate.high, 1);
    put_number(json, "superiority", known, estimate.superiority, 4);
}

void trial_put_json(const Trial *trial, Json *json)
{
    const Sprt *sprt = &trial->sprt;

    json_open(json, '{');
    json_add_str(json, "challenger", str_of(trial->challenger));
    json_add_str(json, "result",
                 sprt->state == SPRT_CONTINUE ? STR("undecided")
                                              : str_of(sprt_state_name(sprt->state)));
    json_add_real(json, "elo0", sprt->test.elo0, 6);
    json_add_real(json, "elo1", sprt->test.elo1, 6);
    json_add_real(json, "alpha", sprt->test.alpha, 6);
    json_add_real(json, "beta", sprt->test.beta, 6);
    json_add_real(json, "llr", sprt->llr, 4);
    json_add_real(json, "lower", sprt->lower, 4);
    json_add_real(json, "upper", sprt->upper, 4);
    json_add_real(json, "spread", sprt->spread, 4);
    json_add_uint(json, "games", sprt->games);
    json_add_uint(json, "sets", sprt->sets);
    json_add_uint(json, "left_out", sprt->left_out);
    put_estimate(sprt, json);
    json_close(json);
}
