/* rounds.h - a stage that is played in rounds: in each, everybody plays equally often at tables of
 * each size, and the stage may end behind any of them.
 *
 * For:    contest_run, audits.
 * Memory: plain values.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 8.2.
 *
 * A round of one size of tables is the least number of sets in which all sit equally often. Round
 * r of the stage is round r of each size, one size behind the other; sets and games are numbered
 * in that order through the whole stage, so that their numbers do not depend on how many rounds
 * there will be. What is drawn for a set or a game counts in its size, as in any stage.
 *
 * The stage stops behind the rounds that give everybody min_games, or, when it has a date, behind
 * the last round that began before it and ended within an hour behind it. No result has a say.
 * What is ruled void while it goes on is made up for by further rounds, until everybody has
 * min_games that count; what is ruled void behind its end is not: results are known by then.
 */
#ifndef WARG_MATCH_ROUNDS_H
#define WARG_MATCH_ROUNDS_H

#include "journal/journal_voids.h"
#include "match/stage_run.h"

#define ROUND_LATE_MS INT64_C(3600000) /* behind the date, in which a round may end */

typedef struct Rounds {
    uint32_t parts;
    PlanStage sizes[PLAN_SIZES_MAX]; /* each as a stage of its own, without an end */
    uint64_t sets[PLAN_SIZES_MAX];   /* of a round */
    uint64_t games[PLAN_SIZES_MAX];
    uint64_t each[PLAN_SIZES_MAX];      /* games of everybody in a round */
    uint64_t min_games[PLAN_SIZES_MAX]; /* that everybody has to have */
    uint64_t round_sets, round_games;   /* of all sizes */
    uint64_t least;                     /* rounds that min_games needs, at least one */
} Rounds;

/* Of a stage with `agents` agents. */
Rounds rounds_of_stage(const PlanStage *stage, uint32_t agents);

/* Makes rounds->least so many that everybody has min_games that count although `voids` (sorted) of
 * stage `number` do not. `draws`: of each size. Errors: ERR_MEMORY. */
int rounds_make_up(Rounds *rounds, const Draw *draws, const JournalVoids *voids, uint32_t number,
                   Err *err);

/* The round that a set, or a game, is of, by its number in the stage. */
uint64_t rounds_of_set(const Rounds *rounds, uint64_t set);
uint64_t rounds_of_game(const Rounds *rounds, uint64_t game);

/* Where a size of tables of a round is: sets first_set..end_set - 1 of its draw, and the bases of
 * its numbers. The draw is the caller's. */
void rounds_place(const Rounds *rounds, uint64_t round, uint32_t part, StageRun *stage);

/* The size of tables that a game is of, and its number in that. */
uint32_t rounds_part(const Rounds *rounds, uint64_t game, uint64_t *ret_game);

/* Whether a further round behind `round` rounds begins at `now_ms`; a stage without a date has no
 * more than it needs. `stop_at_ms` 0: no date. */
bool rounds_go_on(const Rounds *rounds, uint64_t round, int64_t stop_at_ms, int64_t now_ms);
/* Whether round number `round`, which ended then, came in time. */
bool rounds_in_time(const Rounds *rounds, uint64_t round, int64_t stop_at_ms, int64_t ended_ms);

#endif
