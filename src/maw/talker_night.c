/* talker_night.c - wolves among themselves. */
#include "maw/talker.h"

#define STORY_CHANCE 65 /* of a hundred */
#define STUBBORN     5  /* ... a wolf insists on its own victim */

/* Whom the wolves had better be rid of: a Seer who is believed, who speaks against wolves; not whom
 * the village will execute for them. */
static uint32_t pick_prey(MawTalker *talker)
{
    const TalkerMind *mind = &talker->mind;
    const LlmScene *scene = talker->scene;
    uint64_t wolves = scene_wolves(scene), worth[LLM_SEATS_MAX] = {0}, sum = 0;
    bool countered = (mind->suspicion.seers & wolves) != 0;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        if (!scene_can_take(scene, i) || has_place(wolves, i))
            continue;
        worth[i] = 4 + (uint64_t)__builtin_popcountll(mind->suspicion.against[i] & wolves);
        if (has_place(mind->suspicion.seers, i))
            worth[i] = countered ? 1 : 60;
        sum += worth[i];
    }
    if (!sum)
        return NO_PLACE;
    uint32_t drawn = rng_below(talker->rng, (uint32_t)sum);
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        if (drawn < worth[i])
            return i;
        drawn -= (uint32_t)worth[i];
    }
    return NO_PLACE;
}

/* Somebody to blame tomorrow: who is suspected anyway. */
static bool plan_story(MawTalker *talker, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    uint64_t values[LLM_SEATS_MAX], wolves = scene_wolves(scene);

    if (talker->planned || talker->story)
        return false;
    talker->planned = true;
    if (!talker_draws(talker, STORY_CHANCE))
        return false;
    choice_weigh(talker, values);
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (has_place(wolves, i) || i + 1 == talker->prey)
            values[i] = 0;
    uint32_t whom = choice_most(talker, values);
    if (whom == NO_PLACE || !voice_say(talker, PHRASE_STORY, whom, NO_PLACE, decision))
        return false;
    talker->story = whom + 1;
    return true;
}

/* A wolf that insists on whom it wants: then nobody may die in that night. */
static bool is_stubborn(const MawTalker *talker)
{
    return talker_draws_for_phase(talker, "stubborn", STUBBORN);
}

void night_decide(MawTalker *talker, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    bool mates = (scene_wolves(scene) & ~place_bit(scene_me(scene))) != 0;

    bool company = false;
    for (uint32_t i = 0; i < scene->seat_count; i++)
        company = company || (mates && scene->seats[i].mate && scene->seats[i].alive);
    bool stubborn = company && is_stubborn(talker);
    if ((!stubborn && scene_follow_mates(scene, decision)) || scene->my_vote.len)
        return;
    bool proposed = !stubborn && talker->prey && scene_can_take(scene, talker->prey - 1);
    if (company && !talker->opened) {
        talker->opened = true;
        if (scene->day <= 1 && talker->mind.told[PHRASE_WOLF_HELLO] == 0 &&
            voice_say(talker, PHRASE_WOLF_HELLO, NO_PLACE, NO_PLACE, decision))
            return;
    }
    if (company && proposed && !talker->declared) {
        talker->declared = true;
        if (voice_say(talker, PHRASE_ATTACK_TOO, talker->prey - 1, NO_PLACE, decision))
            return;
    }
    if (!proposed) {
        uint32_t prey = talker->declared ? talker->prey - 1 : pick_prey(talker);
        if (prey == NO_PLACE)
            return;
        talker->prey = prey + 1;
        if (talker->declared) {
            scene_vote(scene, prey, decision);
            return;
        }
        talker->declared = true;
        if (company && voice_say(talker, PHRASE_ATTACK, prey, NO_PLACE, decision))
            return;
    }
    if (company && plan_story(talker, decision))
        return;
    scene_vote(scene, talker->prey - 1, decision);
}

void night_vote_at_last(MawTalker *talker, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    uint32_t prey = talker->prey ? talker->prey - 1 : NO_PLACE;

    if (!is_stubborn(talker) && scene_follow_mates(scene, decision))
        return;
    scene_vote(scene, scene_can_take(scene, prey) ? prey : pick_prey(talker), decision);
}

void night_hear(MawTalker *talker, const PhraseRead *reading)
{
    Phrase phrase = reading->wording.phrase;

    if (talker->mind.told[phrase] < UINT8_MAX)
        talker->mind.told[phrase]++;
    if ((phrase == PHRASE_ATTACK || phrase == PHRASE_ATTACK_TOO) && talker->prey == 0)
        talker->prey = reading->a;
    if (phrase == PHRASE_STORY)
        talker->story = reading->a;
}
