#include "show/ratings_output.h"

#include "base/json.h"
#include "base/utf8.h"
#include "results/report_data.h"
#include "show/standings_words.h"
#include "show/text_table.h"

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
    Standings standings; /* of the same games: who is ranked */
    const ResultsStage *stage;
    bool japanese; /* the table */
} Ratings;

#define PAIRS_MAX 40 /* agents that are compared with each other in a table: 780 lines */

static void ratings_done(Ratings *ratings)
{
    if (ratings->strength)
        strength_done(ratings->strength);
    mem_free(ratings->strength);
    mem_free(ratings->scores);
    mem_free(ratings->pairs);
    standings_done(&ratings->standings);
    report_data_done(&ratings->data);
}

/* ---- reading ---- */

/* NULL for an agent without one, and for one that is not ranked: substitutes played for it. */
static const StrengthRating *rating_of(const Ratings *ratings, const ReportScore *score)
{
    const Strength *strength = ratings->strength;
    const uint32_t agent = score->agent;

    if (!score->rank || !strength || agent >= strength->agent_count ||
        strength->ratings[agent].seats == 0)
        return NULL;
    return &strength->ratings[agent];
}

/* Insertion, so that equally strong agents stay in the order of their winning rates. */
static void sort_scores(Ratings *ratings)
{
    for (uint32_t i = 1; i < ratings->count; i++) {
        ReportScore score = ratings->scores[i];
        const StrengthRating *rating = rating_of(ratings, &score);
        uint32_t place = i;
        for (; place > 0 && rating; place--) {
            const StrengthRating *before = rating_of(ratings, &ratings->scores[place - 1]);
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

static int ratings_read(Db *db, Ratings *ratings, Err *err)
{
    int rc = report_data_read(db, ratings->stage->number, &ratings->data, err);

    if (rc == 0)
        rc = results_standings(db, ratings->stage->number, &ratings->standings, err);
    if (rc == 0)
        rc = report_scores(&ratings->data, false, &ratings->scores, &ratings->count, err);
    if (rc)
        return rc;
    standings_rank(&ratings->standings, ratings->stage->min_games);
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

static void table_name(TextTable *table, const Ratings *ratings, uint32_t place)
{
    CLEANUP(buf_done) Buf name = {0};

    utf8_add_printable(str_of(name_of(ratings, place)), AGENT_NAME_MAX, &name);
    text_table_text(table, buf_str(&name));
}

/* What stands over the columns. */
static void add_headings(const Ratings *ratings, const StandingsWord *words, size_t count,
                         const char **ret_columns)
{
    for (size_t i = 0; i < count; i++)
        ret_columns[i] = standings_word(ratings->japanese, words[i]);
    ret_columns[count] = NULL;
}

static void write_agents(const Ratings *ratings, TableForm form, Buf *out)
{
    static const StandingsWord words[] = {
        COLUMN_AGENT, COLUMN_GAMES,    COLUMN_WINS,         RATING_WIN_RATE,     RATING_LOW,
        RATING_HIGH,  RATING_STRENGTH, RATING_STRENGTH_LOW, RATING_STRENGTH_HIGH};
    const char *columns[10];
    CLEANUP(text_table_done) TextTable table = {.columns = columns};

    add_headings(ratings, words, 9, columns);
    int decimals = form == TABLE_ALIGNED ? 3 : 6;

    for (uint32_t i = 0; i < ratings->count; i++) {
        CLEANUP(buf_done) Buf name = {0};
        const ReportScore *score = &ratings->scores[i];
        const StrengthRating *rating = rating_of(ratings, score);
        Interval rate = wilson_interval(score->all.wins, score->all.games, Z_95);
        utf8_add_printable(str_of(ratings->data.agents[score->agent].name), AGENT_NAME_MAX, &name);
        text_table_text(&table, buf_str(&name));
        text_table_uint(&table, score->all.games);
        text_table_uint(&table, score->all.wins);
        text_table_real(&table, rate.rate, decimals);
        text_table_real(&table, rate.low, decimals);
        text_table_real(&table, rate.high, decimals);
        for (int c = 0; c < 3; c++)
            if (rating)
                text_table_int(&table, lround(c == 0   ? rating->points
                                              : c == 1 ? rating->low
                                                       : rating->high));
            else
                text_table_none(&table);
    }
    text_table_write(&table, form, out);
}

/* "8 VILLAGER, 1 SEER, ..." */
static void add_roles(Composition composition, bool japanese, Buf *out)
{
    bool first = true;

    for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
        unsigned seats = composition_seats(composition, role);
        if (!seats)
            continue;
        buf_printf(out, "%s%u %s", first ? "" : ", ", seats,
                   japanese ? role_word(role, true) : role_name(role));
        first = false;
    }
}

static void write_villages(const Ratings *ratings, Buf *out)
{
    static const StandingsWord words[] = {RATING_ROLES, COLUMN_GAMES, RATING_VILLAGE_RATE,
                                          RATING_WOLVES_RATE};
    const Strength *strength = ratings->strength;
    const char *columns[5];
    CLEANUP(text_table_done) TextTable table = {.columns = columns};

    add_headings(ratings, words, 4, columns);
    for (uint32_t i = 0; i < strength->village_count; i++) {
        CLEANUP(buf_done) Buf roles = {0};
        const StrengthVillage *village = &strength->villages[i];
        add_roles(village->composition, ratings->japanese, &roles);
        text_table_text(&table, buf_str(&roles));
        text_table_uint(&table, village->games);
        text_table_real(&table, village->village_rate, 3);
        text_table_real(&table, 1 - village->village_rate, 3);
    }
    text_table_write(&table, TABLE_ALIGNED, out);
}

/* A paragraph of one line. */
static void say_sentence(const Ratings *ratings, StandingsWord word, uint64_t first,
                         uint64_t second, Buf *out)
{
    buf_add_char(out, '\n');
    standings_say(ratings->japanese, word, (const uint64_t[]){first, second}, out);
    buf_add_char(out, '\n');
}

/* Below the line on what the strength is. */
static void say_interval(const Ratings *ratings, Buf *out)
{
    const Strength *strength = ratings->strength;

    standings_say(ratings->japanese,
                  !ratings->rounds           ? SAY_INDEPENDENT
                  : strength->units_are_sets ? SAY_RESAMPLED_SETS
                                             : SAY_RESAMPLED_GAMES,
                  (const uint64_t[]){ratings->rounds, 0}, out);
    buf_add_char(out, '\n');
    if (strength->left_out) {
        standings_say(ratings->japanese, SAY_LEFT_OUT, (const uint64_t[]){strength->left_out, 0},
                      out);
        buf_add_char(out, '\n');
    }
}

/* Who won how often when two sat on opposite sides. */
static void write_pairs(const Ratings *ratings, Buf *out)
{
    static const StandingsWord words[] = {COLUMN_AGENT, RATING_AGAINST,  RATING_MEETINGS,
                                          COLUMN_WINS,  RATING_WIN_RATE, RATING_LOW,
                                          RATING_HIGH};
    const char *columns[8];
    CLEANUP(text_table_done) TextTable table = {.columns = columns};
    const uint32_t count = ratings->count < PAIRS_MAX ? ratings->count : PAIRS_MAX;

    add_headings(ratings, words, 7, columns);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            const Tally tally = ratings->pairs[(size_t)i * ratings->count + j];
            const Interval rate = wilson_interval(tally.wins, tally.games, Z_95);
            if (tally.games == 0)
                continue;
            table_name(&table, ratings, i);
            table_name(&table, ratings, j);
            text_table_uint(&table, tally.games);
            text_table_uint(&table, tally.wins);
            text_table_real(&table, rate.rate, 3);
            text_table_real(&table, rate.low, 3);
            text_table_real(&table, rate.high, 3);
        }
    if (table.cell_count == 0)
        return;
    say_sentence(ratings, SAY_PAIRS, 0, 0, out);
    buf_add_char(out, '\n');
    text_table_write(&table, TABLE_ALIGNED, out);
    if (count < ratings->count)
        say_sentence(ratings, SAY_PAIRS_FIRST, count, ratings->count, out);
}

static void write_notes(const Ratings *ratings, Buf *out)
{
    const Strength *strength = ratings->strength;

    standings_write_not_ranked(&ratings->standings, ratings->japanese, out);
    if (standings_ranked(&ratings->standings) < ratings->standings.count)
        say_sentence(ratings, SAY_NOT_RATED, 0, 0, out);
    if (!strength) {
        say_sentence(ratings, SAY_NO_STRENGTH, STRENGTH_AGENTS_MAX, 0, out);
        return;
    }
    say_sentence(ratings, SAY_AMONG_AVERAGE, 0, 0, out);
    buf_add_char(out, '\n');
    write_villages(ratings, out);
    say_sentence(ratings, SAY_STRENGTH_UNIT, 0, 0, out);
    say_interval(ratings, out);
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
    const StrengthRating *rating = rating_of(ratings, score);
    Interval rate = wilson_interval(score->all.wins, score->all.games, Z_95);

    json_open(json, '{');
    json_add_str(json, "name", str_of(ratings->data.agents[score->agent].name));
    json_key(json, STR("rank"));
    if (score->rank)
        json_put_uint(json, score->rank);
    else
        json_put_null(json);
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
    if (ratings->stage->name[0])
        json_add_str(&json, "stage", str_of(ratings->stage->name));
    json_add_str(&json, "status", str_of(exit_status_word(standings_status(&ratings->standings))));
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

int ratings_write(Db *db, const ResultsStage *stage, const StandingsView *how, Buf *out, Err *err)
{
    CLEANUP(ratings_done)
    Ratings ratings = {.stage = stage, .japanese = how->japanese && how->form == STANDINGS_TABLE};
    int rc = ratings_read(db, &ratings, err);

    if (rc)
        return rc;
    if (how->form == STANDINGS_JSON) {
        write_json(&ratings, out);
    } else {
        write_agents(&ratings, how->form == STANDINGS_CSV ? TABLE_CSV : TABLE_ALIGNED, out);
        if (how->form == STANDINGS_TABLE) {
            write_notes(&ratings, out);
            write_pairs(&ratings, out);
        }
    }
    return (int)standings_status(&ratings.standings);
}
