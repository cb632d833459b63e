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

Key plan_commitment(const Plan *plan, uint32_t stage, const Key *secret)
{
    return key_commitment(secret, plan_contest_name(plan), str_of(plan->stages[stage].name));
}

void plan_use_secret(Plan *plan, uint32_t stage, const Key *secret)
{
    const Key commitment = plan_commitment(plan, stage, secret);

    plan->chance = PLAN_CHANCE_KEY;
    plan->one_key = false;
    plan->stages[stage].secret = *secret;
    key_to_hex(&commitment, plan->stages[stage].commitment);
}

void plan_use_key(Plan *plan, const Key *key)
{
    for (uint32_t stage = 0; stage < plan->stage_count; stage++)
        plan_use_secret(plan, stage, key);
    plan->one_key = true;
}

Key plan_stage_key(const Plan *plan, uint32_t stage)
{
    const Key secret =
        plan->chance == PLAN_CHANCE_KEY ? plan->stages[stage].secret : key_of_seed(plan->seed);

    if (plan->chance != PLAN_CHANCE_KEY && stage == 0)
        return secret;
    const PlanStage *of = &plan->stages[stage];
    const Key lots = key_of_lots(of->lots, of->lot_count);
    return key_of_stage_with(&secret, plan_contest_name(plan), str_of(of->name), &lots,
                             str_of(of->beacon ? of->beacon : ""));
}

Key plan_round_key(const Plan *plan, uint32_t number)
{
    const Key stage = plan_stage_key(plan, stage_of_number(number));
    const KeyRoot root = key_root(&stage);
    const uint32_t round = round_of_number(number);

    return round ? key_derive_part(&root, STR("extra"), round) : stage;
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
    if (!draw->keyed) /* those builds had no blocks */
        return game_key_old(rng_derive(draw->seed, game + 1));
    if (draw->stage->blocks)
        return (GameKey){
            .key = key_derive_item(&draw->root, STR("deal"), draw->part, draw_deal_of(draw, game))};
    return (GameKey){.key = key_derive_item(&draw->root, STR("game"), draw->part, game)};
}

GameKey plan_game_key(const Plan *plan, uint32_t number, uint32_t part, uint64_t game)
{
    if (plan->chance == PLAN_CHANCE_OLD_SEED) {
        const uint64_t seed = stage_seed_old(plan->seed, number);
        return game_key_old(rng_derive(part ? rng_derive(seed, part) : seed, game + 1));
    }
    const Key key = plan_round_key(plan, number);
    const KeyRoot root = key_root(&key);
    return (GameKey){.key = key_derive_item(&root, STR("game"), part, game)};
}

GameKey plan_deal_key(const Plan *plan, uint32_t number, uint32_t part, uint64_t deal)
{
    const Key key = plan_round_key(plan, number);
    const KeyRoot root = key_root(&key);

    return (GameKey){.key = key_derive_item(&root, STR("deal"), part, deal)};
}

int64_t draw_told_seed(uint64_t game)
{
    return (int64_t)(rng_derive(0, game) >> 1);
}
