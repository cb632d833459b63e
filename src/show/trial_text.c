#include "show/trial_text.h"

#include "base/suggest.h"
#include "base/utf8.h"
#include "match/pairing.h"

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

/* 12345678 as "12,345,678". */
static void add_thousands(uint64_t value, Buf *out)
{
    if (value >= 1000) {
        add_thousands(value / 1000, out);
        buf_printf(out, ",%03u", (unsigned)(value % 1000));
    } else {
        buf_add_uint(out, value);
    }
}

void trial_write_progress(const Trial *trial, Buf *out)
{
    const Sprt *sprt = &trial->sprt;

    buf_printf(out, "LLR %.2f of %.2f to %.2f", sprt->llr, sprt->lower, sprt->upper);
}

/* "is more than 5 points better"; below zero, "is less than 5 points worse". */
static void add_claim(double points, bool more, Buf *out)
{
    buf_printf(out, "is %s than %g points %s than the others",
               more == (points >= 0) ? "more" : "less", fabs(points),
               points >= 0 ? "better" : "worse");
}

static void write_estimate(const Sprt *sprt, Buf *out)
{
    SprtEstimate estimate;

    if (!sprt_estimate(sprt, &estimate))
        return;
    buf_printf(out,
               "      %+.0f points (95 %%: %+.0f to %+.0f); likelihood of superiority %.1f %%\n",
               estimate.elo, estimate.low, estimate.high, 100 * estimate.superiority);
}

void trial_write_line(const Trial *trial, Buf *out)
{
    const Sprt *sprt = &trial->sprt;
    bool decided = sprt->state != SPRT_CONTINUE;
    bool better = sprt->state == SPRT_ACCEPT_H1;

    buf_printf(out, "SPRT: %s%s after ", decided ? sprt_state_name(sprt->state) : "undecided",
               decided ? " accepted" : "");
    add_thousands(sprt->games, out);
    buf_printf(out, " game%s: ", sprt->games == 1 ? "" : "s");
    if (!decided)
        buf_add(out, STR("it is not clear whether "));
    utf8_add_printable(str_of(trial->challenger), AGENT_NAME_MAX, out);
    buf_add_char(out, ' ');
    if (decided)
        add_claim(better ? sprt->test.elo0 : sprt->test.elo1, better, out);
    else
        buf_add(out, STR("is better than the others"));
    buf_printf(out, " (elo0=%g, elo1=%g, ", sprt->test.elo0, sprt->test.elo1);
    if (decided)
        buf_printf(out, "LLR %.2f of %.2f", sprt->llr, better ? sprt->upper : sprt->lower);
    else
        trial_write_progress(trial, out);
    buf_add(out, STR(")\n"));
    write_estimate(sprt, out);
}

/* ---- JSON ---- */

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
    SprtEstimate estimate;
    if (sprt_estimate(sprt, &estimate)) {
        json_add_real(json, "elo", estimate.elo, 1);
        json_add_real(json, "elo_low", estimate.low, 1);
        json_add_real(json, "elo_high", estimate.high, 1);
        json_add_real(json, "superiority", estimate.superiority, 4);
    }
    json_close(json);
}
