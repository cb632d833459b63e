/* strength.h - how strong each agent is, whatever roles it drew and whoever sat beside it.
 *
 * For:    contest tables. The winning rate of standings.h is the contest's measure; it rewards
 *         whoever drew the better side or the better companions. This one takes both out.
 * Memory: a Strength owns its games and ratings; strength_done frees them.
 * Thread: one at a time.
 * Source: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs: I. The method
 *         of paired comparisons", Biometrika 39 (1952), 324-345; sides of several members as in
 *         T.-K. Huang, R. C. Weng and C.-J. Lin, "Generalized Bradley-Terry models and multi-class
 *         probability estimates", Journal of Machine Learning Research 7 (2006), 85-115; standard
 *         errors by B. Efron, "Bootstrap methods: another look at the jackknife", The Annals of
 *         Statistics 7 (1979), 1-26, with sets as units (A. C. Davison and D. V. Hinkley,
 *         "Bootstrap methods and their application", 1997, 3.8). docs/statistics.md has examples.
 *
 *     P(village wins) = 1 / (1 + exp(-t)),
 *     t = b[composition] + sum of s[agent] over the village's seats
 *                        - sum of s[agent] over the wolves' side's seats
 *
 * One s for each agent, one b for each composition of roles (what the side is worth among average
 * agents). A sum, not a mean: s is then what one seat is worth, in any village, and the same thing
 * that sprt.h tests. Ratings are s * 400 / ln 10: with an agent of +100 in the place of an average
 * one the odds of its side are 10^(100/400) = 1.78 times as good.
 *
 * Adding a constant to every s changes no probability (each b takes it up), so the strengths add
 * up to 0: they are relative to the mean of the agents here. A weak prior makes every fit finite:
 * s is normal with a standard deviation of STRENGTH_PRIOR, and each composition has one game more
 * that average agents won by half.
 *
 * Digits: games are added in order, chance comes from the seed; what differs between machines is
 * the rounding of exp and log. Print whole points of rating.
 */
#ifndef WARG_STATS_STRENGTH_H
#define WARG_STATS_STRENGTH_H

#include "base/mem.h"
#include "stats/outcome.h"

#define STRENGTH_AGENTS_MAX       256
#define STRENGTH_COMPOSITIONS_MAX 32
#define STRENGTH_GAMES_MAX        100000000
#define STRENGTH_ROUNDS           200 /* enough for a standard error (Efron, Tibshirani 1993, 6.4) */
#define STRENGTH_ROUNDS_MAX       100000
#define STRENGTH_SETS_MIN         10 /* with fewer sets, games are resampled instead */
#define STRENGTH_PRIOR            1.0
#define STRENGTH_ELO              173.71779276130073 /* 400 / ln 10 */

/* Open, for reading after strength_fit. Points on Elo's scale. */
typedef struct StrengthRating {
    double points;
    double low; /* of the 95 % interval */
    double high;
    uint64_t seats; /* taken in the games that count, on either side */
} StrengthRating;

/* What a side is worth in one composition. */
typedef struct StrengthVillage {
    Composition composition;
    uint64_t games;
    double village_rate; /* P(village wins) among average agents */
} StrengthVillage;

/* An agent in a line-up. */
typedef struct StrengthEntry {
    uint16_t agent;
    int16_t seats; /* on the village's side less on the wolves'; never 0 */
} StrengthEntry;

/* Games with the same composition and the same agents on each side are one line-up: they have the
 * same t, so that only their number and the village's wins matter. */
typedef struct StrengthLineup {
    uint32_t first; /* into entries */
    uint16_t count;
    uint16_t village;
} StrengthLineup;

/* Open for reading; the last group is the module's own. */
typedef struct Strength {
    uint64_t games;    /* that count */
    uint64_t left_out; /* won by neither village nor wolves */
    uint32_t agent_count;
    uint32_t village_count;
    StrengthRating ratings[STRENGTH_AGENTS_MAX]; /* by agent */
    StrengthVillage villages[STRENGTH_COMPOSITIONS_MAX];
    bool converged;      /* the fit of all games did */
    bool units_are_sets; /* what was resampled: sets, or games */
    uint32_t unit_count; /* how many there are */
    uint32_t lineup_count;

    uint64_t last_set;    /* of any game */
    uint64_t counted_set; /* of a game that counts */
    uint32_t *results;    /* by game: 2 * line-up + 1 if the village won */
    uint32_t result_room;
    uint32_t *sets; /* the first game of each */
    uint32_t set_count;
    uint32_t set_room;
    StrengthLineup *lineups;
    uint32_t lineup_room;
    StrengthEntry *entries;
    uint32_t entry_count;
    uint32_t entry_room;
    uint32_t *places; /* hash table of 2 * lineup_room: 1 + index into lineups; 0 = free */
} Strength;

void strength_init(Strength *strength); /* zeroed does the same */
void strength_done(Strength *strength); /* also for CLEANUP */

/* Adds a game. The numbers of sets never go down from one game to the next; add games in the order
 * of their numbers and the figures are the same every time.
 * Errors: those of outcome_check, ERR_RULE for a set that came before, ERR_LIMIT for too many
 * agents, compositions or games, ERR_MEMORY. Nothing is added then. */
int strength_add_game(Strength *strength, const Outcome *outcome, Err *err);

/* Fills ratings and villages from the games so far. The interval is points -+ 1.96 standard
 * errors, from `rounds` (2..STRENGTH_ROUNDS_MAX) resamplings of the sets; it is never narrower than
 * the one that independent games and the prior give, which matters when an agent has few games.
 * With 0 rounds it is that one. More games may be added and fitted again.
 * Errors: ERR_LIMIT for the number of rounds, ERR_MEMORY. */
int strength_fit(Strength *strength, uint32_t rounds, uint64_t seed, Err *err);

#endif
