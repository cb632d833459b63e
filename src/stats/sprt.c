#include "stats/sprt.h"

#include "base/suggest.h"
#include "stats/standings.h"
#include "stats/strength.h"

#include <math.h>

/* ---- the option's text ---- */

enum { MILLION = 1000000, DIGITS_MAX = 6, ELO_MAX_MILLIONTHS = SPRT_ELO_MAX * MILLION };

SprtTest sprt_test_usual(void)
{
    return (SprtTest){.elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.05};
}

/* "-12.5" or ".05" in millionths. No exponent, no locale. */
static bool read_millionths(Str text, int64_t *ret_value)
{
    bool negative = text.len > 0 && text.bytes[0] == '-';
    Str rest = negative ? str_part(text, 1, text.len) : text;
    bool has_point = rest.len > 0 && memchr(rest.bytes, '.', rest.len);
    Str whole_text = str_cut(&rest, '.');
    uint64_t whole = 0, part = 0;

    if (whole_text.len > DIGITS_MAX || rest.len > DIGITS_MAX)
        return false;
    if (!str_to_uint(whole_text, MILLION, &whole) && !(has_point && whole_text.len == 0))
        return false;
    if (has_point && !str_to_uint(rest, MILLION, &part))
        return false;
    for (size_t digits = rest.len; digits < DIGITS_MAX; digits++)
        part *= 10;
    int64_t value = (int64_t)(whole * MILLION + part);
    *ret_value = negative ? -value : value;
    return true;
}

enum { KEY_ELO0, KEY_ELO1, KEY_ALPHA, KEY_BETA, KEY_COUNT };

static const struct {
    const char *name;
    const char *range;
    int64_t min; /* millionths */
    int64_t max;
} keys[KEY_COUNT] = {
    [KEY_ELO0] = {"elo0", "-1000 to 1000", -ELO_MAX_MILLIONTHS, ELO_MAX_MILLIONTHS},
    [KEY_ELO1] = {"elo1", "-1000 to 1000", -ELO_MAX_MILLIONTHS, ELO_MAX_MILLIONTHS},
    [KEY_ALPHA] = {"alpha", "a number over 0 and under 0.5", 1, MILLION / 2 - 1},
    [KEY_BETA] = {"beta", "a number over 0 and under 0.5", 1, MILLION / 2 - 1},
};

static int unknown_key(Str name, Err *err)
{
    Suggest near = {.word = name};

    for (size_t i = 0; i < KEY_COUNT; i++)
        suggest_offer(&near, str_of(keys[i].name));
    Str best = suggest_best(&near);
    if (best.len)
        return err_set(err, ERR_USAGE, "sprt: no key '%.*s'; did you mean '%.*s'?",
                       STR_ARG(str_part(name, 0, 32)), STR_ARG(best));
    return err_set(err, ERR_USAGE, "sprt: no key '%.*s'; there are elo0, elo1, alpha and beta",
                   STR_ARG(str_part(name, 0, 32)));
}

static int read_setting(Str setting, int64_t values[KEY_COUNT], bool given[KEY_COUNT], Err *err)
{
    Str value = setting;
    Str name = str_cut(&value, '=');
    size_t key = 0;

    while (key < KEY_COUNT && !str_eq(name, str_of(keys[key].name)))
        key++;
    if (key == KEY_COUNT)
        return unknown_key(name, err);
    if (given[key])
        return err_set(err, ERR_USAGE, "sprt: %s is given twice", keys[key].name);
    if (!read_millionths(value, &values[key]) || values[key] < keys[key].min ||
        values[key] > keys[key].max)
        return err_set(err, ERR_USAGE, "sprt: %s is %s, not '%.*s'", keys[key].name,
                       keys[key].range, STR_ARG(str_part(value, 0, 32)));
    given[key] = true;
    return 0;
}

int sprt_parse(Str text, SprtTest *ret_test, Err *err)
{
    int64_t values[KEY_COUNT] = {0, INT64_C(20) * MILLION, 50000, 50000}; /* sprt_test_usual */
    bool given[KEY_COUNT] = {0};
    Str rest = text;

    if (text.len == 0)
        return err_set(err, ERR_USAGE, "sprt: expected such as elo0=0,elo1=20");
    while (rest.len) {
        int rc = read_setting(str_cut(&rest, ','), values, given, err);
        if (rc)
            return rc;
    }
    if (values[KEY_ELO0] >= values[KEY_ELO1])
        return err_set(err, ERR_USAGE, "sprt: elo0 is less than elo1, not %g and %g",
                       (double)values[KEY_ELO0] / MILLION, (double)values[KEY_ELO1] / MILLION);
    *ret_test = (SprtTest){
        .elo0 = (double)values[KEY_ELO0] / MILLION,
        .elo1 = (double)values[KEY_ELO1] / MILLION,
        .alpha = (double)values[KEY_ALPHA] / MILLION,
        .beta = (double)values[KEY_BETA] / MILLION,
    };
    return 0;
}

void sprt_write(const SprtTest *test, Buf *out)
{
    const double values[] = {test->elo0, test->elo1, test->alpha, test->beta};

    for (unsigned i = 0; i < KEY_COUNT; i++) {
        char number[32];
        int n = snprintf(number, sizeof(number), "%.6f", values[i]);
        while (n > 1 && number[n - 1] == '0')
            n--;
        n -= n > 0 && number[n - 1] == '.';
        buf_printf(out, "%s%s=%.*s", i ? "," : "", keys[i].name, n, number);
    }
}

const char *sprt_state_name(SprtState state)
{
    static const char *const names[] = {"continue", "H0", "H1"};

    return names[state];
}

void sprt_init(Sprt *sprt, const SprtTest *test, uint16_t challenger)
{
    *sprt = (Sprt){
        .test = *test,
        .challenger = challenger,
        .lower = log(test->beta / (1 - test->alpha)),
        .upper = log((1 - test->beta) / test->alpha),
        .spread = 1,
    };
}

/* ---- the log likelihood ratio ---- */

/* Those cells of one composition, which share a b. */
typedef struct Group {
    const SprtCell *cells[SPRT_CELLS_MAX];
    uint32_t count;
} Group;

/* Takes the cells of the composition of cell `first`; false when an earlier cell has the same. */
static bool group_of(const Sprt *sprt, uint32_t first, Group *ret_group)
{
    Composition composition = sprt->cells[first].composition;

    ret_group->count = 0;
    for (uint32_t i = 0; i < sprt->cell_count; i++) {
        if (sprt->cells[i].composition != composition)
            continue;
        if (i < first)
            return false;
        ret_group->cells[ret_group->count++] = &sprt->cells[i];
    }
    return true;
}

static double logistic_of(double t)
{
    double small = exp(-fabs(t));

    return (t > 0 ? 1 : small) / (1 + small);
}

/* The b with which the village is expected to win as often as it did: the likelihood is highest
 * there. Newton's steps, by halves where one leaves the bounds. `each` is what x is multiplied by;
 * 0 < wins < games. */
static double likeliest_base(const Group *group, double each, double wins, double games)
{
    double pooled = log(wins / (games - wins)), reach = 0;

    for (uint32_t i = 0; i < group->count; i++)
        reach = fmax(reach, fabs(group->cells[i]->x * each));
    double low = pooled - reach, high = pooled + reach, b = pooled;
    for (int step = 0; step < 100; step++) {
        double missing = wins, slope = 0;
        for (uint32_t i = 0; i < group->count; i++) {
            double rate = logistic_of(b + group->cells[i]->x * each);
            missing -= (double)group->cells[i]->games * rate;
            slope += (double)group->cells[i]->games * rate * (1 - rate);
        }
        if (missing > 0)
            low = b;
        else
            high = b;
        double next = b + missing / slope;
        if (!(next >= low && next <= high))
            next = (low + high) / 2;
        if (fabs(next - b) < 1e-12)
            return next;
        b = next;
    }
    return b;
}

/* The highest log likelihood of a composition's games, whatever its b. */
static double log_likelihood(const Group *group, double each)
{
    double wins = 0, games = 0, sum = 0;

    for (uint32_t i = 0; i < group->count; i++) {
        wins += (double)group->cells[i]->wins;
        games += (double)group->cells[i]->games;
    }
    if (wins <= 0 || wins >= games)
        return 0; /* b without end explains it with certainty */
    double b = likeliest_base(group, each, wins, games);
    for (uint32_t i = 0; i < group->count; i++) {
        const SprtCell *cell = group->cells[i];
        double t = b + cell->x * each, small = log1p(exp(-fabs(t)));
        sum += (double)cell->wins * ((t < 0 ? t : 0) - small) +
               (double)(cell->games - cell->wins) * ((t > 0 ? -t : 0) - small);
    }
    return sum;
}

/* ---- the spread ---- */

static double win_rate(const SprtCell *cell)
{
    return cell->games ? (double)cell->wins / (double)cell->games : 0;
}

/* What a win in each cell says of the challenger once b is taken out: x less the mean of x in its
 * composition, weighted by the games' variances. */
static void find_weights(const Sprt *sprt, double ret_weights[SPRT_CELLS_MAX])
{
    for (uint32_t i = 0; i < sprt->cell_count; i++) {
        double sum = 0, all = 0;
        for (uint32_t j = 0; j < sprt->cell_count; j++) {
            const SprtCell *cell = &sprt->cells[j];
            double rate = win_rate(cell), weight = (double)cell->games * rate * (1 - rate);
            if (cell->composition != sprt->cells[i].composition)
                continue;
            sum += weight * cell->x;
            all += weight;
        }
        ret_weights[i] = sprt->cells[i].x - (all > 0 ? sum / all : 0);
    }
}

/* Sum over the sets of u^2, u = sum over the cells of weight * (wins - rate * games), by the sum
 * for independent games. */
static double find_spread(const Sprt *sprt)
{
    double weights[SPRT_CELLS_MAX] = {0}, found = 0, expected = 0;

    find_weights(sprt, weights);
    for (uint32_t i = 0; i < sprt->cell_count; i++) {
        double rate = win_rate(&sprt->cells[i]);
        expected += weights[i] * weights[i] * (double)sprt->cells[i].games * rate * (1 - rate);
        for (uint32_t j = 0; j < sprt->cell_count; j++) {
            const SprtProducts *both = &sprt->products[i][j], *back = &sprt->products[j][i];
            double other = win_rate(&sprt->cells[j]);
            found += weights[i] * weights[j] *
                     ((double)both->wins_wins - other * (double)both->wins_games -
                      rate * (double)back->wins_games + rate * other * (double)both->games_games);
        }
    }
    return expected > 0 ? fmax(1, found / expected) : 1;
}

/* How much larger than found the spread of so many sets may be: degrees of freedom by the 5 % point
 * of chi-square. Of one set nobody can say: as of two, so much that nothing is left. */
static double doubt_of(uint64_t sets)
{
    const double z = 1.644853626951473;

    if (sets >= SPRT_SETS_SURE)
        return 1;
    double freedom = sets > 2 ? (double)sets - 1 : 1, part = 2 / (9 * freedom);
    double root = 1 - part - z * sqrt(part);
    return 1 / (root * root * root);
}

static uint64_t fewer_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Sets that tell how sets with it differ: those on the side on which it was less often, until there
 * are enough of both together. Where it was on one side alone it is compared with the games without
 * it, and those sets have to be as many. */
static uint64_t sets_known(const Sprt *sprt)
{
    if (sprt->sets_for == 0 || sprt->sets_against == 0)
        return fewer_of(sprt->sets_with, sprt->sets - sprt->sets_with);
    if (sprt->sets_with >= SPRT_SETS_SURE)
        return sprt->sets_with;
    return fewer_of(sprt->sets_for, sprt->sets_against);
}

/* The log likelihood of all games when the challenger is so many points better. */
static double likelihood_of(const Sprt *sprt, double elo)
{
    double sum = 0;
    Group group;

    for (uint32_t i = 0; i < sprt->cell_count; i++)
        if (group_of(sprt, i, &group))
            sum += log_likelihood(&group, elo / STRENGTH_ELO);
    return sum;
}

bool sprt_estimate(const Sprt *sprt, SprtEstimate *ret_estimate)
{
    double low = -2 * SPRT_ELO_MAX, high = 2 * SPRT_ELO_MAX;

    if (sets_known(sprt) < SPRT_SETS_MIN)
        return false;
    while (high - low > 1e-3) { /* it has one peak */
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (likelihood_of(sprt, a) < likelihood_of(sprt, b))
            low = a;
        else
            high = b;
    }
    double elo = (low + high) / 2;
    double curve = (2 * likelihood_of(sprt, elo) - likelihood_of(sprt, elo - 5) -
                    likelihood_of(sprt, elo + 5)) /
                   (5 * 5 * sprt->spread);
    if (fabs(elo) > 2 * SPRT_ELO_MAX - 1 || !(curve > 1e-12))
        return false;
    double error = 1 / sqrt(curve);
    *ret_estimate = (SprtEstimate){.elo = elo,
                                   .low = elo - Z_95 * error,
                                   .high = elo + Z_95 * error,
                                   .superiority = 0.5 * erfc(-elo / error / sqrt(2))};
    return true;
}

/* ---- games and sets ---- */

static void decide_test(Sprt *sprt)
{
    double ratio = likelihood_of(sprt, sprt->test.elo1) - likelihood_of(sprt, sprt->test.elo0);

    sprt->spread = find_spread(sprt) * doubt_of(sets_known(sprt));
    sprt->llr = ratio / sprt->spread;
    if (sets_known(sprt) < SPRT_SETS_MIN)
        return;
    if (sprt->llr >= sprt->upper)
        sprt->state = SPRT_ACCEPT_H1;
    else if (sprt->llr <= sprt->lower)
        sprt->state = SPRT_ACCEPT_H0;
}

static void add_products(Sprt *sprt)
{
    for (uint32_t i = 0; i < sprt->cell_count; i++) {
        const SprtCell *cell = &sprt->cells[i];
        if (cell->set_games == 0)
            continue;
        for (uint32_t j = 0; j < sprt->cell_count; j++) {
            const SprtCell *other = &sprt->cells[j];
            sprt->products[i][j].wins_wins += cell->set_wins * other->set_wins;
            sprt->products[i][j].wins_games += cell->set_wins * other->set_games;
            sprt->products[i][j].games_games += cell->set_games * other->set_games;
        }
    }
}

static void count_sides(Sprt *sprt)
{
    bool with = false, against = false;

    for (uint32_t i = 0; i < sprt->cell_count; i++) {
        with |= sprt->cells[i].set_games && sprt->cells[i].x > 0;
        against |= sprt->cells[i].set_games && sprt->cells[i].x < 0;
    }
    sprt->sets_for += with;
    sprt->sets_against += against;
    sprt->sets_with += with || against;
}

SprtState sprt_end_set(Sprt *sprt)
{
    if (sprt->state != SPRT_CONTINUE || sprt->set_games == 0)
        return sprt->state;
    add_products(sprt);
    count_sides(sprt);
    for (uint32_t i = 0; i < sprt->cell_count; i++) {
        SprtCell *cell = &sprt->cells[i];
        cell->games += cell->set_games;
        cell->wins += cell->set_wins;
        cell->set_games = cell->set_wins = 0;
    }
    sprt->games += sprt->set_games;
    sprt->set_games = 0;
    sprt->sets++;
    decide_test(sprt);
    return sprt->state;
}

static int challenger_seats(const Sprt *sprt, const Outcome *outcome)
{
    int x = 0;

    for (SeatNo seat = 1; seat <= outcome->seat_count; seat++)
        if (outcome->agents[seat] == sprt->challenger)
            x += outcome_sign(outcome->roles[seat]);
    return x;
}

static int count_game(Sprt *sprt, const Outcome *outcome, Err *err)
{
    Composition composition = outcome_composition(outcome);
    int x = challenger_seats(sprt, outcome);
    uint32_t i = 0;

    while (i < sprt->cell_count &&
           !(sprt->cells[i].composition == composition && sprt->cells[i].x == x))
        i++;
    if (i == SPRT_CELLS_MAX)
        return err_set(err, ERR_LIMIT,
                       "sprt: more than %d combinations of roles and the challenger's seats",
                       SPRT_CELLS_MAX);
    if (sprt->games + sprt->set_games == SPRT_GAMES_MAX)
        return err_set(err, ERR_LIMIT, "sprt: more than %d games", SPRT_GAMES_MAX);
    if (i == sprt->cell_count)
        sprt->cells[sprt->cell_count++] = (SprtCell){.composition = composition, .x = x};
    sprt->cells[i].set_games++;
    sprt->cells[i].set_wins += outcome->winner == SIDE_VILLAGER;
    sprt->set_games++;
    return 0;
}

int sprt_add_game(Sprt *sprt, const Outcome *outcome, Err *err)
{
    int rc = outcome_check(outcome, err);

    if (rc)
        return rc;
    if (sprt->begun && outcome->set < sprt->set)
        return err_set(err, ERR_RULE, "sprt: a game of set %llu behind one of set %llu",
                       (unsigned long long)outcome->set, (unsigned long long)sprt->set);
    if (outcome->set != sprt->set)
        sprt_end_set(sprt);
    if (sprt->state != SPRT_CONTINUE)
        return 0;
    if (outcome_decided(outcome))
        rc = count_game(sprt, outcome, err);
    else
        sprt->left_out++;
    if (rc == 0) {
        sprt->set = outcome->set;
        sprt->begun = true;
    }
    return rc;
}
