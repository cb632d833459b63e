#include "maw/scene_table.h"

uint32_t scene_place(const LlmScene *scene, Str name)
{
    for (uint32_t i = 0; name.len && i < scene->seat_count; i++)
        if (str_eq(scene->seats[i].name, name))
            return i;
    return NO_PLACE;
}

Str scene_name(const LlmScene *scene, uint32_t place)
{
    return place < scene->seat_count ? scene->seats[place].name : (Str){0};
}

bool scene_lives(const LlmScene *scene, uint32_t place)
{
    return place < scene->seat_count && scene->seats[place].alive;
}

bool scene_can_take(const LlmScene *scene, uint32_t place)
{
    for (uint32_t i = 0; place < scene->seat_count && i < scene->target_count; i++)
        if (str_eq(scene->targets[i], scene->seats[place].name))
            return true;
    return false;
}

uint32_t scene_me(const LlmScene *scene)
{
    return scene_place(scene, scene->me);
}

bool scene_of_wolf(const LlmScene *scene)
{
    return scene->side == SIDE_WEREWOLF;
}

uint64_t scene_wolves(const LlmScene *scene)
{
    uint64_t wolves = scene_of_wolf(scene) ? place_bit(scene_me(scene)) : 0;

    for (uint32_t i = 0; i < scene->seat_count; i++)
        wolves |= scene->seats[i].mate ? place_bit(i) : 0;
    return wolves;
}

void scene_vote(const LlmScene *scene, uint32_t place, LlmDecision *decision)
{
    Str name = scene_name(scene, place);

    if (name.len == 0 || name.len >= sizeof(decision->target) || !scene_can_take(scene, place) ||
        (scene->task == TASK_ROOM && str_eq(name, scene->my_vote)))
        return;
    decision->action = LLM_VOTE;
    memcpy(decision->target, name.bytes, name.len);
    decision->target[name.len] = '\0';
}

/* What the wolves agree on: the choice of the first of them, in the order of the table, who has
 * made one. All take the same, so they need not speak. */
static uint32_t wolves_choice(const LlmScene *scene)
{
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        bool wolf = seat->alive && (seat->mate || str_eq(seat->name, scene->me));
        uint32_t choice = scene_place(scene, seat->votes_for);
        if (wolf && scene_can_take(scene, choice))
            return choice;
    }
    return NO_PLACE;
}

bool scene_follow_mates(const LlmScene *scene, LlmDecision *decision)
{
    uint32_t choice = scene->night ? wolves_choice(scene) : NO_PLACE;

    if (choice == NO_PLACE || str_eq(scene_name(scene, choice), scene->my_vote))
        return false;
    scene_vote(scene, choice, decision);
    return true;
}
