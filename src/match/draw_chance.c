#include "match/draw_chance.h"

/* Child of the plan's seed in earlier builds: its child k was the seed of stage k. */
#define OLD_STAGES (UINT64_MAX - 2)

uint64_t stage_seed_old(uint64_t plan_seed, uint32_t stage)
{
    return stage == 0 ? plan_seed : rng_derive(rng_derive(plan_seed, OLD_STAGES), stage);
}

Str plan_contest_name(const Plan *plan)
{
    return plan->name[0] ? str_of(plan->name) : STR("run");
}

Key plan_commitment(const Plan *plan, const Key *key)
{
    return key_commitment(key, plan_contest_name(plan), str_of(plan->stages[0].name));
}

void plan_use_key(Plan *plan, const Key *key)
{
    const Key commitment = plan_commitment(plan, key);

    plan->chance = PLAN_CHANCE_KEY;
    plan->key = *key;
    key_to_hex(&commitment, plan->commitment);
}

Key plan_stage_key(const Plan *plan, uint32_t stage)
{
    const Key secret = plan->chance == PLAN_CHANCE_KEY ? plan->key : key_of_seed(plan->seed);

    if (plan->chance != PLAN_CHANCE_KEY && stage == 0)
        return secret;
    return key_of_stage(&secret, plan_contest_name(plan), str_of(plan->stages[stage].name));
}

Draw draw_of_key(const PlanStage *stage, const Ruleset *rules, uint32_t agents, const Key *key,
                 uint32_t part)
{
    const KeyRoot root = key_root(key);
    const Key draw = key_derive_part(&root, STR("draw"), part);

    return (Draw){.stage = stage,
                  .rules = rules,
                  .agent_count = agents,
                  .seed = key_seed(&draw),
                  .keyed = true,
                  .part = part,
                  .root = root};
}

Draw draw_of_plan(const Plan *plan, uint32_t stage, uint32_t part, uint32_t agents)
{
    if (plan->chance == PLAN_CHANCE_OLD_SEED)
        return draw_of_seed(&plan->stages[stage], &plan->rules, agents,
                            stage_seed_old(plan->seed, stage));
    const Key key = plan_stage_key(plan, stage);
    return draw_of_key(&plan->stages[stage], &plan->rules, agents, &key, part);
}

GameKey draw_game_key(const Draw *draw, uint64_t game)
{
    if (!draw->keyed)
        return game_key_old(rng_derive(draw->seed, game + 1));
    return (GameKey){.key = key_derive_item(&draw->root, STR("game"), draw->part, game)};
}
