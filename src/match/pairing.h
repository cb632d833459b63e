/* pairing.h - who sits where in which set, and who gets which role: pure functions of the plan.
 *
 * For:    whoever plays sets. Set number k depends on the stage, the number of agents, the key
 *         and k alone, so sets can be played in any order, at once, and again after a crash.
 * Memory: fills the caller's arrays.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 8.1 (agents and indices are drawn for each set), 8.3;
 *         regulation of 2021, 2.1.
 */
#ifndef WARG_MATCH_PAIRING_H
#define WARG_MATCH_PAIRING_H

#include "base/key.h"
#include "match/plan.h"

/* A stage with all that its draws depend on. Plain value. Made by match/draw_chance.h. */
typedef struct Draw {
    const PlanStage *stage;
    const Ruleset *rules;
    uint32_t agent_count; /* of the stage */
    uint64_t seed;        /* of who sits where, and of roles that rotate */
    bool keyed;           /* games have keys; else earlier builds' seeds, children of `seed` */
    uint32_t part;        /* of the stage: games and draws of each part are others */
    KeyRoot root;         /* the stage's key */
} Draw;

/* One without a key: for counting sets, with any seed, and for what earlier builds played. */
Draw draw_of_seed(const PlanStage *stage, const Ruleset *rules, uint32_t agents, uint64_t seed);

/* Sets and games of the stage: given, or what min_games needs. */
uint64_t draw_sets(const Draw *draw);
uint64_t draw_games(const Draw *draw);

/* The set of a game. Game numbers count through the stage from 0. */
uint64_t draw_set_of(const Draw *draw, uint64_t game);

/* ---- blocks (PlanStage.blocks) ----
 *
 * A *deal* is a game's key with a role for each seat. The games of a set are as many deals; a block
 * is as many sets as there are agents, all with the same deals: each agent sits once on each seat,
 * so that it plays each deal from each seat, and whoever else did so had the same role and the same
 * chance. Who sits beside whom is drawn for each block. Of n deals one behind another, from the
 * first or a multiple of n on, each seat has each role of the table once. */

/* Number of the game's deal, from 0 through the stage (its part); only with blocks. */
uint64_t draw_deal_of(const Draw *draw, uint64_t game);

/* Sets of a block; the fewest sets after which every agent has had every seat in every role of the
 * table equally often. 0 without blocks. */
uint64_t draw_block_sets(const Draw *draw);
uint64_t draw_square_sets(const Draw *draw);

/* ---- who and what ---- */

/* ret_agents[1..players]: index of the agent on each seat in this set. In ALL_PAIRS an agent
 * sits on several seats. */
void draw_seats(const Draw *draw, uint64_t set, uint32_t ret_agents[static SEAT_MAX + 1]);

/* ret_roles[1..players]: the roles that this game fixes; ROLE_NONE = drawn by the game. An agent
 * with a role of its own (PlanAgent.fixed) keeps it, and the rotation goes on among the others.
 *
 * ROTATE: over as many games as there are free agents, counted from the set's first, each of them
 * has each role of the table once; over 64 sets its count of each role stays within 2 of its share,
 * mostly within 1, and exactly there when the games of a set are a multiple of the players. To draw
 * one of the games that do not fill a square takes about a millisecond with 15 players, all others
 * microseconds. */
void draw_roles(const Draw *draw, const PlanAgent *agents, uint64_t game,
                uint8_t ret_roles[static SEAT_MAX + 1]);

#endif
