#include "judging/judge_score.h"

#include "base/mem.h"
#include "stats/agreement.h"

#include <math.h>

#define NONE ((double)NAN)

/* One side's view of one criterion: people together, or a model. */
typedef struct ScoreSide {
    const ScoreInput *input;
    Criterion criterion;
    uint32_t rater;   /* of a model; UINT32_MAX: all people */
    double *seats;    /* [game * (SEAT_MAX + 1) + seat], normalised; NAN */
    double *teams;    /* scores, by team */
    uint32_t *counts; /* seats, by team */
    uint32_t team;    /* whose figure the bootstrap wants */
} ScoreSide;

static bool is_of_side(const ScoreSide *side, const ScoreSheet *sheet)
{
    return sheet->criterion == side->criterion &&
           (side->rater == UINT32_MAX ? !side->input->raters[sheet->rater].model
                                      : sheet->rater == side->rater);
}

/* The ranks of a sheet, equal scores with the mean of their ranks; NAN where it has none. */
static void sheet_ranks(const ScoreSheet *sheet, SeatNo seats,
                        double ret_ranks[static SEAT_MAX + 1])
{
    double values[SEAT_MAX + 1];

    ret_ranks[0] = NONE;
    for (SeatNo seat = 1; seat <= seats; seat++)
        values[seat - 1] = sheet->rank[seat]    ? (double)sheet->rank[seat]
                           : sheet->score[seat] ? -(double)sheet->score[seat]
                                                : NONE;
    mean_ranks(values, seats, ret_ranks + 1);
}

static double normal_rank(double rank, SeatNo seats)
{
    return seats > 1 ? (rank - 1) / (double)(seats - 1) : 0;
}

/* ---- seats and teams ---- */

static size_t cell_of(uint32_t game, SeatNo seat)
{
    return (size_t)game * (SEAT_MAX + 1) + seat;
}

/* Means over the sheets of the side. */
static int find_seats(ScoreSide *side, Err *err)
{
    const size_t cells = cell_of(side->input->game_count, 0) + 1;
    CLEANUP(mem_freep) double *counts = mem_new(cells * sizeof(*counts));

    if (!counts)
        return err_set(err, ERR_MEMORY, "scores: out of memory");
    for (size_t i = 0; i < cells; i++)
        side->seats[i] = 0;
    for (uint32_t i = 0; i < side->input->sheet_count; i++) {
        const ScoreSheet *sheet = &side->input->sheets[i];
        const SeatNo seats = side->input->games[sheet->game].seat_count;
        double ranks[SEAT_MAX + 1];
        if (!is_of_side(side, sheet))
            continue;
        sheet_ranks(sheet, seats, ranks);
        for (SeatNo seat = 1; seat <= seats; seat++)
            if (!isnan(ranks[seat])) {
                side->seats[cell_of(sheet->game, seat)] += normal_rank(ranks[seat], seats);
                counts[cell_of(sheet->game, seat)] += 1;
            }
    }
    for (size_t i = 0; i < cells; i++)
        side->seats[i] = counts[i] > 0 ? side->seats[i] / counts[i] : NONE;
    return 0;
}

/* The mean over a team's seats in these games. */
static double team_mean(const ScoreSide *side, uint32_t team, const uint32_t *picks, size_t count,
                        uint32_t *ret_seats)
{
    double sum = 0;
    uint32_t seats = 0;

    for (size_t i = 0; i < count; i++) {
        const ScoreGame *game = &side->input->games[picks[i]];
        for (SeatNo seat = 1; seat <= game->seat_count && !game->calibration; seat++) {
            const double value = side->seats[cell_of(picks[i], seat)];
            if (game->team[seat] == team && !isnan(value)) {
                sum += value;
                seats++;
            }
        }
    }
    if (ret_seats)
        *ret_seats = seats;
    return seats ? sum / seats : NONE;
}

static double team_figure(const void *user, const uint32_t *picks, size_t count)
{
    const ScoreSide *side = user;

    return team_mean(side, side->team, picks, count, NULL);
}

static int write_teams(ScoreSide *side, Json *json, Err *err)
{
    const uint32_t teams = side->input->team_count, games = side->input->game_count;
    CLEANUP(mem_freep) double *places = mem_new(((size_t)teams + 1) * sizeof(*places));
    CLEANUP(mem_freep) uint32_t *all = mem_new(((size_t)games + 1) * sizeof(*all));
    int rc = places && all ? 0 : err_set(err, ERR_MEMORY, "scores: out of memory");

    for (uint32_t i = 0; i < games && rc == 0; i++)
        all[i] = i;
    for (uint32_t i = 0; i < teams && rc == 0; i++)
        side->teams[i] = team_mean(side, i, all, games, &side->counts[i]);
    if (rc == 0)
        mean_ranks(side->teams, teams, places);
    json_open(json, '[');
    for (uint32_t i = 0; i < teams && rc == 0; i++) {
        Interval interval;
        if (side->counts[i] == 0)
            continue;
        side->team = i;
        rc = bootstrap_interval(games, SCORE_DRAWS, i + 1, team_figure, side, &interval, err);
        if (rc)
            break;
        json_open(json, '{');
        json_add_str(json, "team", side->input->teams[i]);
        json_add_real(json, "score", side->teams[i], 6);
        json_add_real(json, "low", interval.low, 6);
        json_add_real(json, "high", interval.high, 6);
        json_add_uint(json, "seats", side->counts[i]);
        json_add_real(json, "place", places[i], 1);
        json_close(json);
    }
    json_close(json);
    return rc;
}

/* ---- agreement ---- */

typedef enum Among { AMONG_PEOPLE, AMONG_MODELS, AMONG_BOTH } Among;

/* A table of raters by game x seat; ranks, of a model the mean over its repeats. */
typedef struct AgreeTable {
    double *values; /* [rater * units + unit] */
    uint32_t raters;
    size_t units;
} AgreeTable;

static bool is_among(const ScoreRater *rater, Among among)
{
    return among == AMONG_BOTH || rater->model == (among == AMONG_MODELS);
}

static int fill_table(const ScoreInput *input, Criterion criterion, Among among, AgreeTable *table,
                      Err *err)
{
    const size_t units = cell_of(input->game_count, 0);
    const size_t cells = ((size_t)input->rater_count + 1) * (units + 1);
    CLEANUP(mem_freep) double *counts = mem_new(cells * sizeof(*counts));

    *table = (AgreeTable){mem_new(cells * sizeof(double)), input->rater_count, units};
    if (!counts || !table->values)
        return err_set(err, ERR_MEMORY, "scores: out of memory");
    for (uint32_t i = 0; i < input->sheet_count; i++) {
        const ScoreSheet *sheet = &input->sheets[i];
        const SeatNo seats = input->games[sheet->game].seat_count;
        double ranks[SEAT_MAX + 1];
        if (sheet->criterion != criterion || !is_among(&input->raters[sheet->rater], among))
            continue;
        sheet_ranks(sheet, seats, ranks);
        for (SeatNo seat = 1; seat <= seats; seat++)
            if (!isnan(ranks[seat])) {
                size_t cell = sheet->rater * units + cell_of(sheet->game, seat);
                table->values[cell] += ranks[seat];
                counts[cell] += 1;
            }
    }
    for (size_t i = 0; i < cells; i++)
        table->values[i] = counts[i] > 0 ? table->values[i] / counts[i] : NONE;
    return 0;
}

static int write_alpha(const ScoreInput *input, Criterion criterion, Among among, const char *key,
                       Json *json, Err *err)
{
    AgreeTable table = {NULL, 0, 0};
    double alpha = NONE;
    int rc = fill_table(input, criterion, among, &table, err);
    const Ratings ratings = {table.values, table.raters, table.units};

    if (rc == 0)
        rc = krippendorff_alpha(&ratings, SCALE_ORDINAL, &alpha, err);
    if (rc == 0)
        json_add_real(json, key, alpha, 4);
    mem_free(table.values);
    return rc;
}

/* Which sheets of a game are compared: people's, or a model's repeats. */
static double game_w(const ScoreSide *side, uint32_t game)
{
    const SeatNo seats = side->input->games[game].seat_count;
    double values[64 * SEAT_MAX];
    Ratings ratings = {values, 0, seats};

    for (uint32_t i = 0; i < side->input->sheet_count && ratings.raters < 64; i++) {
        const ScoreSheet *sheet = &side->input->sheets[i];
        double ranks[SEAT_MAX + 1];
        if (sheet->game != game || !is_of_side(side, sheet))
            continue;
        sheet_ranks(sheet, seats, ranks);
        for (SeatNo seat = 1; seat <= seats; seat++)
            values[ratings.raters * seats + seat - 1] = ranks[seat];
        ratings.raters++;
    }
    return kendall_w(&ratings);
}

static double mean_w(const ScoreSide *side)
{
    double sum = 0;
    uint32_t count = 0;

    for (uint32_t game = 0; game < side->input->game_count; game++) {
        const double w = game_w(side, game);
        if (!isnan(w)) {
            sum += w;
            count++;
        }
    }
    return count ? sum / count : NONE;
}

/* ---- models against people ---- */

typedef struct Sides {
    const ScoreSide *people, *model;
} Sides;

/* The mean over these games of tau-b within each. */
static double tau_figure(const void *user, const uint32_t *picks, size_t count)
{
    const Sides *sides = user;
    double sum = 0;
    uint32_t games = 0;

    for (size_t i = 0; i < count; i++) {
        const size_t first = cell_of(picks[i], 1);
        const double tau = kendall_tau_b(sides->people->seats + first, sides->model->seats + first,
                                         sides->people->input->games[picks[i]].seat_count);
        if (!isnan(tau)) {
            sum += tau;
            games++;
        }
    }
    return games ? sum / games : NONE;
}

/* Slope of the normalised rank by the place at which a seat was shown, both 0 to 1. */
static double position_effect(const ScoreSide *side)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;

    for (uint32_t i = 0; i < side->input->sheet_count; i++) {
        const ScoreSheet *sheet = &side->input->sheets[i];
        const SeatNo seats = side->input->games[sheet->game].seat_count;
        double ranks[SEAT_MAX + 1];
        if (!is_of_side(side, sheet) || seats < 2)
            continue;
        sheet_ranks(sheet, seats, ranks);
        for (SeatNo place = 0; place < seats; place++) {
            const double at = (double)place / (double)(seats - 1);
            const double rank = normal_rank(ranks[sheet->order[place]], seats);
            if (isnan(rank))
                continue;
            n += 1;
            x += at;
            y += rank;
            xx += at * at;
            xy += at * rank;
        }
    }
    return n * xx - x * x > 0 ? (n * xy - x * y) / (n * xx - x * x) : NONE;
}

/* ---- all of it ---- */

/* Places of teams, added up over criteria: [side * team_count + team]; sides: people, then raters.
 */
typedef struct Totals {
    double *sums;
    uint32_t *counts;
} Totals;

static int side_open(ScoreSide *side, const ScoreInput *input, Criterion criterion, uint32_t rater,
                     Err *err)
{
    const size_t teams = (size_t)input->team_count + 1;

    *side = (ScoreSide){.input = input, .criterion = criterion, .rater = rater};
    side->seats = mem_new((cell_of(input->game_count, 0) + 1) * sizeof(*side->seats));
    side->teams = mem_new(teams * sizeof(*side->teams));
    side->counts = mem_new(teams * sizeof(*side->counts));
    return side->seats && side->teams && side->counts
               ? find_seats(side, err)
               : err_set(err, ERR_MEMORY, "scores: out of memory");
}

static void side_done(ScoreSide *side)
{
    mem_free(side->seats);
    mem_free(side->teams);
    mem_free(side->counts);
}

static int add_places(const ScoreSide *side, Totals *totals, uint32_t number, Err *err)
{
    const uint32_t teams = side->input->team_count;
    CLEANUP(mem_freep) double *places = mem_new(((size_t)teams + 1) * sizeof(*places));

    if (!places)
        return err_set(err, ERR_MEMORY, "scores: out of memory");
    mean_ranks(side->teams, teams, places);
    for (uint32_t i = 0; i < teams; i++)
        if (side->counts[i]) {
            totals->sums[(size_t)number * teams + i] += places[i];
            totals->counts[(size_t)number * teams + i]++;
        }
    return 0;
}

static int write_model(const ScoreInput *input, const ScoreSide *people, uint32_t rater,
                       Totals *totals, Json *json, Err *err)
{
    ScoreSide model = {.input = input};
    const Sides sides = {people, &model};
    Interval tau = {NONE, NONE, NONE};
    int rc = side_open(&model, input, people->criterion, rater, err);

    if (rc == 0)
        rc = bootstrap_interval(input->game_count, SCORE_DRAWS, rater + 1, tau_figure, &sides, &tau,
                                err);
    const bool kept_out = !isnan(input->min_tau) && !isnan(tau.rate) && tau.rate < input->min_tau;
    json_open(json, '{');
    json_add_str(json, "model", input->raters[rater].name);
    json_add_real(json, "tau", tau.rate, 4);
    json_add_real(json, "tau_low", tau.low, 4);
    json_add_real(json, "tau_high", tau.high, 4);
    json_add_real(json, "repeat_w", rc == 0 ? mean_w(&model) : NONE, 4);
    json_add_real(json, "position", rc == 0 ? position_effect(&model) : NONE, 4);
    json_add_bool(json, "kept_out", kept_out);
    json_key(json, STR("teams"));
    if (rc == 0)
        rc = write_teams(&model, json, err);
    else
        json_put_null(json);
    json_close(json);
    if (rc == 0 && !kept_out)
        rc = add_places(&model, totals, rater + 1, err);
    side_done(&model);
    return rc;
}

static bool has_sheets(const ScoreInput *input, Criterion criterion)
{
    for (uint32_t i = 0; i < input->sheet_count; i++)
        if (input->sheets[i].criterion == criterion)
            return true;
    return false;
}

static int write_criterion(const ScoreInput *input, Criterion criterion, Totals *totals, Json *json,
                           Err *err)
{
    ScoreSide people = {.input = input};
    int rc = side_open(&people, input, criterion, UINT32_MAX, err);

    json_key(json, STR("alpha"));
    json_open(json, '{');
    if (rc == 0)
        rc = write_alpha(input, criterion, AMONG_PEOPLE, "people", json, err);
    if (rc == 0)
        rc = write_alpha(input, criterion, AMONG_MODELS, "models", json, err);
    if (rc == 0)
        rc = write_alpha(input, criterion, AMONG_BOTH, "both", json, err);
    json_close(json);
    json_add_real(json, "w", rc == 0 ? mean_w(&people) : NONE, 4);
    json_key(json, STR("people"));
    if (rc == 0)
        rc = write_teams(&people, json, err);
    else
        json_put_null(json);
    if (rc == 0)
        rc = add_places(&people, totals, 0, err);
    json_key(json, STR("models"));
    json_open(json, '[');
    for (uint32_t i = 0; i < input->rater_count && rc == 0; i++)
        if (input->raters[i].model)
            rc = write_model(input, &people, i, totals, json, err);
    json_close(json);
    side_done(&people);
    return rc;
}

/* The place by win rate is one more, where the total has it. */
static int add_win_rates(const ScoreInput *input, Totals *totals, Err *err)
{
    const uint32_t teams = input->team_count;
    CLEANUP(mem_freep) double *values = mem_new(2 * ((size_t)teams + 1) * sizeof(*values));

    if (!input->win_rates)
        return 0;
    if (!values)
        return err_set(err, ERR_MEMORY, "scores: out of memory");
    double *places = values + teams;
    for (uint32_t i = 0; i < teams; i++)
        values[i] = input->win_rates[i] < 0 ? NONE : -input->win_rates[i];
    mean_ranks(values, teams, places);
    for (uint32_t side = 0; side <= input->rater_count; side++)
        for (uint32_t i = 0; i < teams; i++) {
            const size_t cell = (size_t)side * teams + i;
            if (totals->counts[cell] && !isnan(places[i])) {
                totals->sums[cell] += places[i];
                totals->counts[cell]++;
            }
        }
    return 0;
}

static int write_total(const ScoreInput *input, const Totals *totals, uint32_t side, Json *json,
                       Err *err)
{
    const uint32_t teams = input->team_count;
    CLEANUP(mem_freep) double *values = mem_new(2 * ((size_t)teams + 1) * sizeof(*values));

    if (!values)
        return err_set(err, ERR_MEMORY, "scores: out of memory");
    double *places = values + teams;
    for (uint32_t i = 0; i < teams; i++) {
        const size_t cell = (size_t)side * teams + i;
        values[i] = totals->counts[cell] ? totals->sums[cell] / totals->counts[cell] : NONE;
    }
    mean_ranks(values, teams, places);
    json_open(json, '[');
    for (uint32_t i = 0; i < teams; i++) {
        if (isnan(values[i]))
            continue;
        json_open(json, '{');
        json_add_str(json, "team", input->teams[i]);
        json_add_real(json, "total", values[i], 6);
        json_add_real(json, "place", places[i], 1);
        json_close(json);
    }
    json_close(json);
    return 0;
}

static int write_totals(const ScoreInput *input, const Totals *totals, Json *json, Err *err)
{
    json_key(json, STR("totals"));
    json_open(json, '{');
    json_key(json, STR("people"));
    int rc = write_total(input, totals, 0, json, err);
    json_key(json, STR("models"));
    json_open(json, '[');
    for (uint32_t i = 0; i < input->rater_count && rc == 0; i++) {
        if (!input->raters[i].model)
            continue;
        json_open(json, '{');
        json_add_str(json, "model", input->raters[i].name);
        json_key(json, STR("teams"));
        rc = write_total(input, totals, i + 1, json, err);
        json_close(json);
    }
    json_close(json);
    json_close(json);
    return rc;
}

int judge_score_write(const ScoreInput *input, Json *json, Err *err)
{
    const size_t cells = ((size_t)input->rater_count + 1) * ((size_t)input->team_count + 1);
    CLEANUP(mem_freep) double *sums = mem_new(cells * sizeof(*sums));
    CLEANUP(mem_freep) uint32_t *counts = mem_new(cells * sizeof(*counts));
    Totals totals = {sums, counts};
    int rc = sums && counts ? 0 : err_set(err, ERR_MEMORY, "scores: out of memory");

    json_key(json, STR("criteria"));
    json_open(json, '{');
    for (unsigned i = 0; i < CRITERION_COUNT && rc == 0; i++) {
        if (!has_sheets(input, (Criterion)i))
            continue;
        json_key(json, str_of(criterion_letter((Criterion)i)));
        json_open(json, '{');
        rc = write_criterion(input, (Criterion)i, &totals, json, err);
        json_close(json);
    }
    json_close(json);
    if (rc == 0)
        rc = add_win_rates(input, &totals, err);
    return rc ? rc : write_totals(input, &totals, json, err);
}
