/* driver_bot.c - a built-in bot that votes at random. */
#include "maw/driver_own.h"
#include "maw/scene_table.h"

Str driver_random_target(MawDriver *driver)
{
    const LlmScene *scene = &driver->scene;

    if (scene->target_count == 0)
        return (Str){0};
    return scene->targets[rng_below(&driver->rng, scene->target_count)];
}

void driver_random_decide(MawDriver *driver, TimeUs now)
{
    LlmDecision decision = {.action = LLM_LISTEN};

    if (!scene_follow_mates(&driver->scene, &decision) && driver->scene.my_vote.len == 0)
        scene_vote(&driver->scene, scene_place(&driver->scene, driver_random_target(driver)),
                   &decision);
    driver_decided(driver, &decision, now);
}

int random_driver_new(const MawPace *pace, uint64_t seed, MawDriver **ret, Err *err)
{
    static const DriverKind kind = {.decide = driver_random_decide};

    return driver_new(&kind, pace, seed, ret, err);
}
