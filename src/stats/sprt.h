/* sprt.h - plays until it is clear whether a challenger is better than the others, or not.
 *
 * For:    `--sprt elo0=0,elo1=20 --challenger NAME`: a sequential probability ratio test, which
 *         needs about half the games of a test whose number of games is fixed before.
 * Memory: plain values, nothing to free.
 * Thread: one at a time.
 * Source: A. Wald, "Sequential tests of statistical hypotheses", The Annals of Mathematical
 *         Statistics 16 (1945), 117-186: the bounds. D. R. Cox, "Large sample sequential tests for
 *         composite hypotheses", Sankhya A 25 (1963), 5-12: unknown quantities replaced by their
 *         most likely values under each hypothesis. J. N. K. Rao and A. J. Scott, "A simple method
 *         for the analysis of clustered binary data", Biometrics 48 (1992), 577-585: the spread.
 *         docs/statistics.md has the formulas and an example.
 *
 * What is tested is the strength of strength.h: under "the challenger is e points better", each
 * seat it has multiplies the odds of that seat's side by 10^(e/400), beside an average one of the
 * others there:
 *
 *     P(village wins) = 1 / (1 + exp(-t)),  t = b[composition] + x * e * ln 10 / 400
 *     x = its seats in the village less its seats on the wolves' side: 1 or -1 when it has one
 *
 * How often a village wins without it, b, is not known; it is fitted under each hypothesis anew, so
 * that an estimate is never taken for the truth. It follows that only the difference between the
 * games in which the challenger is in the village, those in which it is with the wolves, and those
 * without it, says anything: with a fixed role in every game the test never ends.
 *
 * Games of one set need not be independent. The log likelihood ratio is divided by the spread: how
 * many times more the sets differ from each other than sets of independent games would; 1 at least.
 *
 *   CONTINUE -> ACCEPT_H0   [sprt_end_set]   llr <= lower = ln(beta / (1 - alpha))
 *   CONTINUE -> ACCEPT_H1   [sprt_end_set]   llr >= upper = ln((1 - beta) / alpha)
 *
 * The spread of few sets is uncertain: below SPRT_SETS_SURE sets with the challenger it is taken
 * for as large as it may be, by the upper end of its 95 % interval (E. B. Wilson and M. M.
 * Hilferty, "The distribution of chi-square", Proceedings of the National Academy of Sciences 17
 * (1931), 684-688), so that only strong evidence decides; never before SPRT_SETS_MIN such sets.
 * Sets without it say how often the village wins, and nothing of how its own sets differ: they
 * count only where it is on one side alone, and games without it are what it is compared with. What
 * is decided stays so and further games change nothing.
 */
#ifndef WARG_STATS_SPRT_H
#define WARG_STATS_SPRT_H

#include "base/buf.h"
#include "stats/outcome.h"

#define SPRT_ELO_MAX  1000
#define SPRT_SETS_MIN 4 /* of fewer nobody can say how sets differ */
#define SPRT_SETS_SURE                                                                             \
    30 /* with the challenger: from here on the spread is taken as it is found                     \
        */
#define SPRT_CELLS_MAX 16
#define SPRT_GAMES_MAX 1000000000

/* Open. */
typedef struct SprtTest {
    double elo0;  /* H0: the challenger is this much better */
    double elo1;  /* H1: it is this much better; more than elo0 */
    double alpha; /* how often H1 may be accepted when H0 is true */
    double beta;  /* how often H0 may be accepted when H1 is true */
} SprtTest;

/* elo0=0, elo1=20, alpha=0.05, beta=0.05. */
SprtTest sprt_test_usual(void);

/* Reads "elo0=0,elo1=20,alpha=0.05,beta=0.05": any of the four in any order, the usual values for
 * the others. Numbers are decimal, with at most six digits behind the point.
 * Errors: ERR_USAGE; the message says which key or number is wrong. */
int sprt_parse(Str text, SprtTest *ret_test, Err *err);

/* Appends the test as sprt_parse reads it: "elo0=0,elo1=20,alpha=0.05,beta=0.05". */
void sprt_write(const SprtTest *test, Buf *out);

typedef enum SprtState {
    SPRT_CONTINUE,
    SPRT_ACCEPT_H0,
    SPRT_ACCEPT_H1,
} SprtState;

/* "continue", "H0", "H1". Constant text. */
const char *sprt_state_name(SprtState state);

/* Games of the same composition with the same x: all that matters is how many the village won. */
typedef struct SprtCell {
    Composition composition;
    int x;
    uint64_t games;     /* of the sets that have ended */
    uint64_t wins;      /* of the village */
    uint64_t set_games; /* of the set that is played */
    uint64_t set_wins;
} SprtCell;

/* Sums over the sets that have ended, of products of two cells' numbers in one set. */
typedef struct SprtProducts {
    uint64_t wins_wins;
    uint64_t wins_games;
    uint64_t games_games;
} SprtProducts;

/* Open for reading; the cells are the module's own. */
typedef struct Sprt {
    SprtTest test;
    uint16_t challenger;
    SprtState state;
    double llr;        /* log likelihood ratio of H1 to H0 after the last set that has ended */
    double lower;      /* H0 is accepted at or below */
    double upper;      /* H1 at or above */
    double spread;     /* the llr was divided by it: the largest it may be with few sets */
    uint64_t sets;     /* that have ended, with at least one game that counts */
    uint64_t games;    /* of these sets, won by village or wolves */
    uint64_t left_out; /* of any set, won by neither */

    uint64_t sets_for;     /* of the sets: with a game in which it was more in the village */
    uint64_t sets_against; /* with one in which it was more on the wolves' side */
    uint64_t sets_with;    /* with one of either */

    bool begun;   /* a game came */
    uint64_t set; /* that of the last game */
    uint64_t set_games;
    uint32_t cell_count;
    SprtCell cells[SPRT_CELLS_MAX];
    SprtProducts products[SPRT_CELLS_MAX][SPRT_CELLS_MAX]; /* wins of the first with the second */
} Sprt;

/* A test that has seen no game. `challenger` is an index as in Outcome.agents. */
void sprt_init(Sprt *sprt, const SprtTest *test, uint16_t challenger);

/* Adds a game; add them in the order of their numbers. The first game of another set ends the set
 * before it. After a decision nothing is added.
 * Errors: those of outcome_check, ERR_RULE for a set that came before, ERR_LIMIT for more than
 * SPRT_CELLS_MAX combinations of composition and x or SPRT_GAMES_MAX games. Nothing is added then,
 * but the set before it has ended. */
int sprt_add_game(Sprt *sprt, const Outcome *outcome, Err *err);

/* What the sets that have ended say of the challenger's strength. */
typedef struct SprtEstimate {
    double elo; /* the likeliest */
    double low; /* of its 95 % interval */
    double high;
    double superiority; /* likelihood that it is better than the others at all: above 0 points */
} SprtEstimate;

/* False when the games say nothing of it (also when sets are too few to say how they differ), or
 * when it is beyond twice SPRT_ELO_MAX. Stopping when a
 * bound is reached makes the estimate of a test that ended early somewhat too large. */
bool sprt_estimate(const Sprt *sprt, SprtEstimate *ret_estimate);

/* The set is over: looks at the figures and decides if it can. Call it behind the last game of a
 * set to know at once; harmless when nothing was played since. Returns the state. */
SprtState sprt_end_set(Sprt *sprt);

#endif
