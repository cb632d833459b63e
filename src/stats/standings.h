/* standings.h - who won how often: results of games added up, per name and per role.
 *
 * For:    `warg run`, `warg log stats`, contest tables. Printing is cmd/standings_output.
 * Memory: a Standings owns its agents; names are copied.
 * Thread: one at a time. Workers keep one each and merge them at the end.
 * Source: docs/spec/protocol-division.md 8.4 (winning rate = games won / games played; POSSESSED
 *         wins with the wolves); a game without a winner counts as played and not won. The interval
 *         is E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
 *         Journal of the American Statistical Association 22 (1927), 209-212.
 *
 * Everything that is added up is a whole number, so merging in any order gives the same figures.
 */
#ifndef WARG_STATS_STANDINGS_H
#define WARG_STATS_STANDINGS_H

#include "base/err.h"
#include "game/role.h"
#include "record/game_record.h"
#include "stats/decision_sheet.h"

#define STANDINGS_AGENTS_MAX 4096

typedef struct Tally {
    uint64_t games;
    uint64_t wins;
} Tally;

/* How far what was played was an agent's own play. Added up over its seats. */
typedef struct Conduct {
    uint64_t substituted; /* games in which a substitute had its seat, from the start or later on */
    uint64_t ruled_void;  /* games that it has played to their end itself, and that count no more
                           * because somebody ruled so */
    uint64_t violations;  /* sentences outside the protocol language */
    uint64_t faults;      /* of all other kinds */
    uint64_t decisions;   /* of a model player; 0 for all others */
    uint64_t own;         /* of these: the model's own */
    bool eliminated;      /* by a ruling: docs/spec/contest-operations.md 8.5 */
} Conduct;

/* Open, for reading. */
typedef struct Standing {
    char name[AGENT_NAME_MAX + 1];
    uint32_t rank; /* from 1, as standings_rank gave it; 0 = not ranked */
    Tally all;
    Tally roles[ROLE_COUNT];
    int64_t points;
    Conduct conduct;
    DecisionModel model; /* of a model player, the one that was told of last */
} Standing;

typedef struct Standings {
    Standing *agents; /* in the order of standings_rank, or as they came */
    uint32_t count;
    uint32_t room;
    uint32_t *places; /* hash table: 1 + index into agents; 0 = free */
    uint32_t place_count;
    uint64_t games;
    uint64_t wins[SIDE_OTHERS + 1]; /* by Side; SIDE_NONE: no winner */
    uint64_t days;
    uint64_t revote_days;
    uint64_t execution_days;
    uint64_t attacks;
    uint64_t attack_kills;
    uint64_t min_games; /* as given to standings_rank */
    uint32_t own_share; /* of decisions_reach; set by who knows the contest's, kept by all here */
} Standings;

void standings_init(Standings *standings); /* Standings s = {0} does the same */
void standings_done(Standings *standings); /* also for CLEANUP */

/* Adds one game. An agent that sits on several seats counts once for each.
 * Errors: ERR_LIMIT for a name that is too long or one agent too many, ERR_RULE for a seat
 * without a role, ERR_MEMORY. Nothing is added then. */
int standings_add_game(Standings *standings, const GameResult *game, Err *err);

/* Adds all of `other`. Errors as above; what was added by then stays. */
int standings_merge(Standings *standings, const Standings *other, Err *err);

/* Takes out the games of `games`, all of which were added before: results, and what became of the
 * seats but for models' decisions. The agents stay. */
void standings_take_out(Standings *standings, const Standings *games);

/* Adds what became of one seat of an agent, or of many. Errors as above. */
int standings_add_conduct(Standings *standings, Str name, const Conduct *conduct, Err *err);

/* Adds the game's result and what became of each seat to the standings. Errors: those of
 * standings_add_game. */
int standings_add_record(Standings *standings, const GameRecord *record, Err *err);
/* Adds what min_games asks for of a void game: who played it, if somebody ruled it void. Errors as
 * above. */
int standings_add_void(Standings *standings, const GameRecord *record, Err *err);
/* Forgets agents of whom nothing is known but void games: nothing counts, and they have no place.
 */
void standings_forget_void(Standings *standings);
/* Keeps which model plays under this name. Errors as above. */
int standings_set_model(Standings *standings, Str name, const DecisionModel *model, Err *err);

/* Whether who played so many games that count is ranked: the rule of standings_rank. */
bool conduct_ranks(const Conduct *conduct, uint64_t games, uint64_t min_games);

/* Games that an agent played to their end itself. */
uint64_t standing_own_games(const Standing *standing);

/* Gives ranks and puts the agents in their order: best winning rate first, compared exactly. Equal
 * rates have one rank: 1, 2, 2, 4; among them those with more games stand first, then it goes by
 * the bytes of names, which decides nothing.
 *
 * Not ranked, behind all others, is who was eliminated, who played no game of its own, and who was
 * substituted and played fewer than `min_games` of its own, and a model player without a decision
 * of its own. (Who never failed is not to blame for games that were not played: others forfeited
 * the set, or the stage goes on.) Nobody loses a rank by what somebody ruled void: such games were
 * played, and are among those of `min_games`, though of no rate. */
void standings_rank(Standings *standings, uint64_t min_games);

/* How many agents are ranked; they stand in front. */
uint32_t standings_ranked(const Standings *standings);

/* The agent of this name, or NULL; borrowed until the next change. */
const Standing *standings_find(const Standings *standings, Str name);

/* A proportion with the bounds of its interval. */
typedef struct Interval {
    double rate;
    double low;
    double high;
} Interval;

#define Z_95 1.959963984540054 /* 97.5 % point of the normal distribution */

/* Wilson's score interval of wins / games; with no games the rate is 0 and the bounds 0 and 1.
 *   centre = (p + z^2/2n) / (1 + z^2/n)
 *   half   = z / (1 + z^2/n) * sqrt(p(1-p)/n + z^2/4n^2) */
Interval wilson_interval(uint64_t wins, uint64_t games, double z);

#endif
