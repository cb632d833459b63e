/* driver_bot.c - the built-in bots: random votes, and what they share with those that talk. */
#include "maw/driver_own.h"

static bool is_target(const LlmScene *scene, Str name)
{
    for (uint32_t i = 0; i < scene->target_count; i++)
        if (str_eq(scene->targets[i], name))
            return true;
    return false;
}

static void choose_target(LlmDecision *decision, Str target)
{
    *decision = (LlmDecision){.action = LLM_LISTEN};
    if (target.len == 0 || target.len >= sizeof(decision->target))
        return;
    decision->action = LLM_VOTE;
    memcpy(decision->target, target.bytes, target.len);
}

/* What the wolves agree on: the choice of the first of them, in the order of the table, who has
 * made one. All take the same, so they need not speak. Empty: nobody has. */
static Str wolves_choice(const LlmScene *scene)
{
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        bool wolf = seat->alive && (seat->mate || str_eq(seat->name, scene->me));
        if (wolf && seat->votes_for.len && is_target(scene, seat->votes_for))
            return seat->votes_for;
    }
    return (Str){0};
}

Str driver_random_target(MawDriver *driver)
{
    const LlmScene *scene = &driver->scene;

    if (scene->target_count == 0)
        return (Str){0};
    return scene->targets[rng_below(&driver->rng, scene->target_count)];
}

bool driver_follow_mates(const LlmScene *scene, LlmDecision *decision)
{
    Str choice = scene->night ? wolves_choice(scene) : (Str){0};

    if (choice.len == 0 || str_eq(choice, scene->my_vote))
        return false;
    choose_target(decision, choice);
    return true;
}

void driver_random_decide(MawDriver *driver, TimeUs now)
{
    LlmDecision decision = {.action = LLM_LISTEN};

    if (!driver_follow_mates(&driver->scene, &decision) && driver->scene.my_vote.len == 0)
        choose_target(&decision, driver_random_target(driver));
    driver_decided(driver, &decision, now);
}

int random_driver_new(const MawPace *pace, uint64_t seed, MawDriver **ret, Err *err)
{
    static const DriverKind kind = {.decide = driver_random_decide};

    return driver_new(&kind, pace, seed, ret, err);
}
