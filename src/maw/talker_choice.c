/* talker_choice.c - whom a talker speaks and votes against. */
#include "maw/talker.h"

/* What a wolf does that wants to be taken for a villager, in times of a hundred. */
#define MATE_CHANCE 10 /* accuses a mate, when it looks for somebody to accuse */
#define DISTANCE    20 /* does not spare its mates in a day's vote */
#define GIVES_UP    50 /* votes for a mate that nothing can help any more */
#define TOGETHER    35 /* votes rather for whom others have voted, which villagers always do */

#define SUPPORT   1  /* what a vote of another one adds to a suspicion, in quarters of it */
#define SACRIFICE 24 /* likewise of a mate that is given up */
#define LOYAL     4  /* by this it suspects less whom it has spoken for */
#define LIAR      2  /* ... as a wolf, who has to remember more */

/* One by chance of those whose value is not below `least`; NO_PLACE: there is none. */
uint32_t choice_worth(MawTalker *talker, const uint64_t *values, uint64_t least)
{
    uint32_t count = 0, seats = talker->scene->seat_count;

    for (uint32_t i = 0; i < seats; i++)
        count += values[i] >= least;
    if (count == 0)
        return NO_PLACE;
    uint32_t chosen = rng_below(talker->rng, count);
    for (uint32_t i = 0; i < seats; i++)
        if (values[i] >= least && chosen-- == 0)
            return i;
    return NO_PLACE;
}

uint32_t choice_most(MawTalker *talker, const uint64_t *values)
{
    uint64_t most = 1;

    for (uint32_t i = 0; i < talker->scene->seat_count; i++)
        most = values[i] > most ? values[i] : most;
    return choice_worth(talker, values, most);
}

/* A wolf sees it as a villager would who knows nothing of himself, and has a story to tell. */
void choice_weigh(const MawTalker *talker, uint64_t values[LLM_SEATS_MAX])
{
    const LlmScene *scene = talker->scene;
    bool wolf = scene_of_wolf(scene);

    mind_weigh(&talker->mind, scene, scene_me(scene), !wolf, talker->seed, values);
    for (uint32_t i = 0; i < scene->seat_count && scene_me(scene) < LLM_SEATS_MAX; i++)
        if (has_place(talker->mind.vouched[scene_me(scene)], i))
            values[i] /= wolf ? LIAR : LOYAL;
    if (wolf && talker->story)
        values[talker->story - 1] *= 2;
    for (uint32_t i = 0; i < scene->seat_count && talker->out; i++)
        if (i != scene_me(scene) && scene->seats[i].alive &&
            has_place(talker->mind.suspicion.seers, i))
            values[i] *= 16; /* there is one Seer, and I say that it is me */
}

/* Whom it speaks against. Now and then a wolf speaks against a mate: else nobody would have to
 * think long. */
uint32_t choice_suspect(MawTalker *talker, const uint64_t *values)
{
    const LlmScene *scene = talker->scene;
    uint64_t left[LLM_SEATS_MAX], most = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        bool spared = scene->seats[i].mate && !talker_draws(talker, MATE_CHANCE);
        left[i] = spared || has_place(talker->spoken, i) ? 0 : values[i];
        most = left[i] > most ? left[i] : most;
    }
    return choice_worth(talker, left, most > 20 ? most / 20 : 1);
}

/* A mate that nothing can help any more is voted for, by some of the wolves. */
static bool gives_up_mates(const MawTalker *talker)
{
    const LlmScene *scene = talker->scene;
    uint32_t mates = 0, others = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        uint32_t *most = seat->mate ? &mates : &others;
        *most = seat->votes > *most ? seat->votes : *most;
    }
    return mates >= others + 2 && talker_draws_for_phase(talker, "gives up", GIVES_UP);
}

static bool distances_itself(const MawTalker *talker)
{
    return talker_draws_for_phase(talker, "distance", DISTANCE);
}

/* What votes of others count. Wolves rather keep to their own choice: those who vote together are
 * soon seen. */
static uint32_t weight_of_support(const MawTalker *talker)
{
    bool follows =
        !scene_of_wolf(talker->scene) || talker_draws_for_round(talker, "together", TOGETHER);

    return follows ? SUPPORT : 0;
}

/* Whom it wants executed: who is suspected, and rather who will be executed anyway. It keeps to its
 * vote while another one is not clearly worse. */
uint32_t choice_condemned(MawTalker *talker, const uint64_t *suspected, bool spoken_only)
{
    const LlmScene *scene = talker->scene;
    bool gives_up = gives_up_mates(talker), spares = !gives_up && !distances_itself(talker);
    uint64_t values[LLM_SEATS_MAX];
    uint32_t weight = weight_of_support(talker);

    for (uint32_t i = 0; i < scene->seat_count && i < LLM_SEATS_MAX; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        bool voted = str_eq(seat->name, scene->my_vote);
        bool mine = voted || talker->chosen == i + 1;
        bool spoken = has_place(talker->spoken, i);
        uint32_t support = seat->votes - (voted && seat->votes > 0);
        bool spared =
            (seat->mate && spares) || !scene_can_take(scene, i) || (spoken_only && !spoken);
        uint32_t each = seat->mate && gives_up ? SACRIFICE : weight;
        values[i] = spared ? 0 : suspected[i] / 4 * (4 + each * support);
        values[i] += mine ? values[i] / 2 : spoken ? values[i] / 4 : 0;
    }
    return choice_most(talker, values);
}
