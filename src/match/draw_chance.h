/* draw_chance.h - what the draws and games of a stage come from: the stage's key, or the seed of an
 *                 earlier build.
 *
 * For:    whoever makes a Draw (match/pairing.h) and plays its games.
 * Memory: plain values. As secret as the stage.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 11.1, 11.2.
 *
 * The key of a stage of a plan:
 *
 *     drawn secrets   HMAC(the stage's secret, "warg-stage-v1" 00 contest 00 stage 00 lots of
 * nobody)
 *     --seed N        SHA-256("warg-seed-v1" 00 N) for the first stage; for later ones that in
 *                     place of the drawn secret
 *
 * The contest is called "run" when its plan has no name. Keys of stages tell nothing of each other.
 * Plans of earlier builds have one secret for all stages.
 */
#ifndef WARG_MATCH_DRAW_CHANCE_H
#define WARG_MATCH_DRAW_CHANCE_H

#include "game/game_key.h"
#include "match/pairing.h"

/* The name under which a plan's key is committed to. */
Str plan_contest_name(const Plan *plan);

/* A stage's chance comes from `secret`, which is committed to by the names of the contest and of
 * the stage: these have to be there. */
void plan_use_secret(Plan *plan, uint32_t stage, const Key *secret);
/* ... that of all stages. */
void plan_use_key(Plan *plan, const Key *key);

/* What a secret of a stage is committed to by. */
Key plan_commitment(const Plan *plan, uint32_t stage, const Key *secret);

/* The key of a stage; not for a plan of an earlier build. */
Key plan_stage_key(const Plan *plan, uint32_t stage);

/* What part `part` of a stage draws with `agents` agents. */
Draw draw_of_plan(const Plan *plan, uint32_t stage, uint32_t part, uint32_t agents);

/* The same with a key of its own in place of the stage's. */
Draw draw_of_key(const PlanStage *stage, const Ruleset *rules, uint32_t agents, const Key *key,
                 uint32_t part);

/* The key of a game, in blocks that of its deal; game_key_seed has what is printed of it. */
GameKey draw_game_key(const Draw *draw, uint64_t game);

/* The key of a stage, or of an extra round, by stage_number (record/stage_number.h); not for a plan
 * of an earlier build. */
Key plan_round_key(const Plan *plan, uint32_t number);

/* The key of game `game` of a part of a stage or extra round, counted in that part. */
GameKey plan_game_key(const Plan *plan, uint32_t number, uint32_t part, uint64_t game);

/* The key of each game of deal `deal` (draw_deal_of); not for a plan of an earlier build. */
GameKey plan_deal_key(const Plan *plan, uint32_t number, uint32_t part, uint64_t deal);

/* What agents of a game, by its number in the stage, are told in place of its seed. Those that take
 * their chance from it must not play two games alike; and nothing leads from it to the real one. */
int64_t draw_told_seed(uint64_t game);

/* Earlier builds: the first stage has the plan's seed itself, each later one follows from it. */
uint64_t stage_seed_old(uint64_t plan_seed, uint32_t stage);

#endif
