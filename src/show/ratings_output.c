#include "show/ratings_output.h"

#include "base/json.h"
#include "base/utf8.h"
#include "results/report_data.h"

#include <inttypes.h>
#include <math.h>

/* All that is shown. */
typedef struct Ratings {
    ReportData data;
    ReportScore *scores; /* strongest first */
    uint32_t count;
    Strength *strength; /* NULL when nothing can be compared */
    uint32_t rounds;
    Tally *pairs; /* count x count, in the order of `scores`: won by the row against the column */
} Ratings;

#define PAIRS_MAX 40 /* agents that are compared with each other in a table: 780 lines */

static void ratings_done(Ratings *ratings)
{
    if (ratings->strength)
        strength_done(ratings->strength);
    mem_free(ratings->strength);
    mem_free(ratings->scores);
    mem_free(ratings->pairs);
    report_data_done(&ratings->data);
}

/* ---- reading ---- */

/* NULL for an agent without one. */
static const StrengthRating *rating_of(const Ratings *ratings, uint32_t agent)
{
    const Strength *strength = ratings->strength;

    if (!strength || agent >= strength->agent_count || strength->ratings[agent].seats == 0)
        return NULL;
    return &strength->ratings[agent];
}

/* Insertion, so that equally strong agents stay in the order of their winning rates. */
static void sort_scores(Ratings *ratings)
{
    for (uint32_t i = 1; i < ratings->count; i++) {
        ReportScore score = ratings->scores[i];
        const StrengthRating *rating = rating_of(ratings, score.agent);
        uint32_t place = i;
        for (; place > 0 && rating; place--) {
            const StrengthRating *before = rating_of(ratings, ratings->scores[place - 1].agent);
            if (before && before->points >= rating->points)
                break;
            ratings->scores[place] = ratings->scores[place - 1];
        }
        ratings->scores[place] = score;
    }
}

static int read_pairs(Ratings *ratings, Err *err)
{
    CLEANUP(mem_freep) uint32_t *agents = mem_new((ratings->count + 1) * sizeof(*agents));

    if (!agents)
        return err_set(err, ERR_MEMORY, "ratings: out of memory");
    for (uint32_t i = 0; i < ratings->count; i++)
        agents[i] = ratings->scores[i].agent;
    return report_versus(&ratings->data, agents, ratings->count, &ratings->pairs, err);
}

static int ratings_read(Db *db, int64_t stage, Ratings *ratings, Err *err)
{
    int rc = report_data_read(db, stage, &ratings->data, err);

    if (rc == 0)
        rc = report_scores(&ratings->data, false, &ratings->scores, &ratings->count, err);
    if (rc)
        return rc;
    ratings->strength = mem_new(sizeof(*ratings->strength));
    if (!ratings->strength)
        return err_set(err, ERR_MEMORY, "ratings: out of memory");
    rc = report_strength(&ratings->data, ratings->strength, &ratings->rounds, err);
    if (rc < 0)
        return rc;
    if (rc == 0) {
        strength_done(ratings->strength);
        ratings->strength = mem_free(ratings->strength);
    }
    sort_scores(ratings);
    return read_pairs(ratings, err);
}

/* ---- table and CSV ---- */

static const char *name_of(const Ratings *ratings, uint32_t place)
{
    return ratings->data.agents[ratings->scores[place].agent].name;
}

static void table_name(Table *table, const Ratings *ratings, uint32_t place)
{
    CLEANUP(buf_done) Buf name = {0};

    utf8_add_printable(str_of(name_of(ratings, place)), AGENT_NAME_MAX, &name);
    table_text(table, buf_str(&name));
}

static void write_agents(const Ratings *ratings, TableForm form, Buf *out)
{
    static const char *const columns[] = {"agent",         "games", "wins",     "win_rate",
                                          "low",           "high",  "strength", "strength_low",
                                          "strength_high", NULL};
    CLEANUP(table_done) Table table = {.columns = columns};
    int decimals = form == TABLE_ALIGNED ? 3 : 6;

    for (uint32_t i = 0; i < ratings->count; i++) {
        CLEANUP(buf_done) Buf name = {0};
        const ReportScore *score = &ratings->scores[i];
        const StrengthRating *rating = rating_of(ratings, score->agent);
        Interval rate = wilson_interval(score->all.wins, score->all.games, Z_95);
        utf8_add_printable(str_of(ratings->data.agents[score->agent].name), AGENT_NAME_MAX, &name);
        table_text(&table, buf_str(&name));
        table_uint(&table, score->all.games);
        table_uint(&table, score->all.wins);
        table_real(&table, rate.rate, decimals);
        table_real(&table, rate.low, decimals);
        table_real(&table, rate.high, decimals);
        for (int c = 0; c < 3; c++)
            if (rating)
                table_int(&table, lround(c == 0   ? rating->points
                                         : c == 1 ? rating->low
                                                  : rating->high));
            else
                table_none(&table);
    }
    table_write(&table, form, out);
}

/* "8 VILLAGER, 1 SEER, ..." */
static void add_roles(Composition composition, Buf *out)
{
    bool first = true;

    for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
        unsigned seats = composition_seats(composition, role);
        if (!seats)
            continue;
        buf_printf(out, "%s%u %s", first ? "" : ", ", seats, role_name(role));
        first = false;
    }
}

static void write_villages(const Strength *strength, Buf *out)
{
    static const char *const columns[] = {"roles", "games", "village_rate", "wolves_rate", NULL};
    CLEANUP(table_done) Table table = {.columns = columns};

    for (uint32_t i = 0; i < strength->village_count; i++) {
        CLEANUP(buf_done) Buf roles = {0};
        const StrengthVillage *village = &strength->villages[i];
        add_roles(village->composition, &roles);
        table_text(&table, buf_str(&roles));
        table_uint(&table, village->games);
        table_real(&table, village->village_rate, 3);
        table_real(&table, 1 - village->village_rate, 3);
    }
    table_write(&table, TABLE_ALIGNED, out);
}

/* Who won how often when two sat on opposite sides. */
static void write_pairs(const Ratings *ratings, Buf *out)
{
    static const char *const columns[] = {"agent",    "against", "meetings", "wins",
                                          "win_rate", "low",     "high",     NULL};
    CLEANUP(table_done) Table table = {.columns = columns};
    const uint32_t count = ratings->count < PAIRS_MAX ? ratings->count : PAIRS_MAX;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            const Tally tally = ratings->pairs[(size_t)i * ratings->count + j];
            const Interval rate = wilson_interval(tally.wins, tally.games, Z_95);
            if (tally.games == 0)
                continue;
            table_name(&table, ratings, i);
            table_name(&table, ratings, j);
            table_uint(&table, tally.games);
            table_uint(&table, tally.wins);
            table_real(&table, rate.rate, 3);
            table_real(&table, rate.low, 3);
            table_real(&table, rate.high, 3);
        }
    if (table.cell_count == 0)
        return;
    buf_add(out, STR("\nHead to head, on opposite sides of decided games, whatever roles and "
                     "companions:\n\n"));
    table_write(&table, TABLE_ALIGNED, out);
}

static void write_notes(const Ratings *ratings, Buf *out)
{
    const Strength *strength = ratings->strength;

    if (!strength) {
        buf_printf(out,
                   "\nno strengths: they need games that village or wolves won, and 2 to %d "
                   "agents\n",
                   STRENGTH_AGENTS_MAX);
        return;
    }
    buf_add(out, STR("\nAmong agents of strength 0, their mean:\n\n"));
    write_villages(strength, out);
    buf_add(out,
            STR("\nStrength is in points: +100 make the odds of the agent's side 1.78 times as "
                "good.\n"));
    if (ratings->rounds)
        buf_printf(out, "Its 95 %% interval is that of %" PRIu32 " resamplings of the %s.\n",
                   ratings->rounds, strength->units_are_sets ? "sets" : "games");
    else
        buf_add(out, STR("Its 95 % interval is that of independent games.\n"));
    if (strength->left_out)
        buf_printf(out, "Games that neither side won are left out: %" PRIu64 ".\n",
                   strength->left_out);
}

/* ---- JSON ---- */

static void put_points(Json *json, const char *key, const double *points)
{
    json_key(json, str_of(key));
    if (points)
        json_put_int(json, lround(*points));
    else
        json_put_null(json);
}

static void put_agent(Json *json, const Ratings *ratings, const ReportScore *score)
{
    const StrengthRating *rating = rating_of(ratings, score->agent);
    Interval rate = wilson_interval(score->all.wins, score->all.games, Z_95);

    json_open(json, '{');
    json_add_str(json, "name", str_of(ratings->data.agents[score->agent].name));
    json_add_uint(json, "games", score->all.games);
    json_add_uint(json, "wins", score->all.wins);
    json_add_real(json, "win_rate", rate.rate, 6);
    json_add_real(json, "low", rate.low, 6);
    json_add_real(json, "high", rate.high, 6);
    put_points(json, "strength", rating ? &rating->points : NULL);
    put_points(json, "strength_low", rating ? &rating->low : NULL);
    put_points(json, "strength_high", rating ? &rating->high : NULL);
    json_close(json);
}

static void put_village(Json *json, const StrengthVillage *village)
{
    json_open(json, '{');
    json_key(json, STR("roles"));
    json_open(json, '{');
    for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        if (composition_seats(village->composition, role))
            json_add_uint(json, role_name(role), composition_seats(village->composition, role));
    json_close(json);
    json_add_uint(json, "games", village->games);
    json_add_real(json, "village_rate", village->village_rate, 6);
    json_add_real(json, "wolves_rate", 1 - village->village_rate, 6);
    json_close(json);
}

static void put_pairs(Json *json, const Ratings *ratings)
{
    json_key(json, STR("pairs"));
    json_open(json, '[');
    for (uint32_t i = 0; i < ratings->count; i++)
        for (uint32_t j = i + 1; j < ratings->count; j++) {
            const Tally tally = ratings->pairs[(size_t)i * ratings->count + j];
            const Interval rate = wilson_interval(tally.wins, tally.games, Z_95);
            if (tally.games == 0)
                continue;
            json_open(json, '{');
            json_add_str(json, "agent", str_of(name_of(ratings, i)));
            json_add_str(json, "against", str_of(name_of(ratings, j)));
            json_add_uint(json, "meetings", tally.games);
            json_add_uint(json, "wins", tally.wins);
            json_add_real(json, "win_rate", rate.rate, 6);
            json_add_real(json, "low", rate.low, 6);
            json_add_real(json, "high", rate.high, 6);
            json_close(json);
        }
    json_close(json);
}

static void write_json(const Ratings *ratings, Buf *out)
{
    const Strength *strength = ratings->strength;
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_uint(&json, "games", strength ? strength->games : 0);
    json_add_uint(&json, "left_out", strength ? strength->left_out : 0);
    json_add_uint(&json, "resamplings", ratings->rounds);
    json_key(&json, STR("agents"));
    json_open(&json, '[');
    for (uint32_t i = 0; i < ratings->count; i++)
        put_agent(&json, ratings, &ratings->scores[i]);
    json_close(&json);
    json_key(&json, STR("villages"));
    json_open(&json, '[');
    for (uint32_t i = 0; strength && i < strength->village_count; i++)
        put_village(&json, &strength->villages[i]);
    json_close(&json);
    put_pairs(&json, ratings);
    json_close(&json);
    buf_add_char(out, '\n');
}

int ratings_write(Db *db, int64_t stage, TableForm form, Buf *out, Err *err)
{
    CLEANUP(ratings_done) Ratings ratings = {0};
    int rc = ratings_read(db, stage, &ratings, err);

    if (rc)
        return rc;
    if (form == TABLE_JSON) {
        write_json(&ratings, out);
        return 0;
    }
    write_agents(&ratings, form, out);
    if (form == TABLE_ALIGNED) {
        write_notes(&ratings, out);
        write_pairs(&ratings, out);
    }
    return 0;
}
