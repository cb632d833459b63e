/* talker_claims.c - who claims to be the Seer, truly or not, and what others think of it. */
#include "maw/talker.h"

#define BOLD          5  /* of a hundred: a Seer that has found a wolf says so at once */
#define CLEARS_MATE   50 /* ... a false Seer calls a mate no wolf */
#define SEER_PATIENCE 9  /* results without a wolf before a Seer comes out */

/* Of somebody who lives. */
static uint32_t untold_result(const MawTalker *talker, const LlmScene *scene, bool wolf)
{
    for (uint32_t i = 0; i < talker->result_count; i++)
        if (!talker->results[i].told && talker->results[i].wolf == wolf &&
            scene_lives(scene, talker->results[i].about))
            return i;
    return NO_PLACE;
}

static bool tell_result(MawTalker *talker, uint32_t number, LlmDecision *decision)
{
    TalkerResult *result = &talker->results[number];

    result->told = true;
    talker->out = true;
    return voice_say(talker, result->wolf ? PHRASE_SEER_WOLF : PHRASE_SEER_HUMAN, result->about,
                     NO_PLACE, decision);
}

static uint32_t votes_against_me(const LlmScene *scene)
{
    uint32_t me = scene_me(scene);

    return me == NO_PLACE ? 0 : scene->seats[me].votes;
}

/* Comes out with a wolf at once if it is bold, else on the third day; without one when it has seen
 * a few, when it is about to be executed, or when somebody else claims the same. */
static bool speak_as_seer(MawTalker *talker, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    uint32_t wolf = untold_result(talker, scene, true), human = untold_result(talker, scene, false);
    uint32_t me = scene_me(scene);

    bool urgent = votes_against_me(scene) >= 2 ||
                  (talker->mind.suspicion.seers & ~place_bit(me)) != 0 || talker->out ||
                  talker->result_count > SEER_PATIENCE;
    if (wolf != NO_PLACE &&
        (urgent || talker->mind.day > 2 || talker_draws_for_round(talker, "bold", BOLD)))
        return tell_result(talker, wolf, decision);
    return human != NO_PLACE && urgent && tell_result(talker, human, decision);
}

/* A wolf that is called one claims to be the Seer itself: the other one is the wolf. */
static bool counter_claim(MawTalker *talker, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    const Suspicion *suspicion = &talker->mind.suspicion;
    uint32_t me = scene_me(scene);

    if (talker->out || (suspicion->seers & scene_wolves(scene)))
        return false;
    for (uint64_t rest = suspicion->seers; rest; rest &= rest - 1) {
        uint32_t seer = (uint32_t)__builtin_ctzll(rest);
        if (!has_place(suspicion->wolf_by[seer], me) || !scene_lives(scene, seer))
            continue;
        talker->out = true;
        talker->told_day = talker->mind.day;
        return voice_say(talker, PHRASE_SEER_WOLF, seer, NO_PLACE, decision);
    }
    return false;
}

/* One of whom it has told nothing yet, by what is in it for the wolves; NO_PLACE: nobody. */
static uint32_t pick_result(MawTalker *talker, const uint64_t *values, bool wolf)
{
    const LlmScene *scene = talker->scene;
    const Suspicion *suspicion = &talker->mind.suspicion;
    uint32_t me = scene_me(scene);
    uint64_t left[LLM_SEATS_MAX] = {0};

    for (uint32_t i = 0; me < LLM_SEATS_MAX && i < scene->seat_count; i++)
        if (i != me && scene_lives(scene, i) && scene->seats[i].mate != wolf &&
            !has_place(suspicion->wolf_by[me] | suspicion->human_by[me] | suspicion->seers, i))
            left[i] = values[i];
    return choice_most(talker, left);
}

/* A wolf that has claimed goes on as a Seer would, with a result a day: a mate is none, or who is
 * suspected anyway is one. */
static bool spin_story(MawTalker *talker, const uint64_t *values, LlmDecision *decision)
{
    bool wolf = !talker_draws(talker, CLEARS_MATE);

    if (!talker->out || talker->told_day == talker->mind.day)
        return false;
    talker->told_day = talker->mind.day;
    uint32_t whom = pick_result(talker, values, wolf);
    return whom != NO_PLACE &&
           voice_say(talker, wolf ? PHRASE_SEER_WOLF : PHRASE_SEER_HUMAN, whom, NO_PLACE, decision);
}

bool claims_judge(MawTalker *talker, const uint64_t *values, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    uint64_t seers = talker->mind.suspicion.seers & ~place_bit(scene_me(scene));

    for (uint64_t rest = seers & ~talker->believed; rest; rest &= rest - 1) {
        uint32_t seer = (uint32_t)__builtin_ctzll(rest);
        uint32_t wolf = NO_PLACE, me = scene_me(scene);
        if (talker->mind.suspicion.wolf_by[seer])
            wolf = (uint32_t)__builtin_ctzll(talker->mind.suspicion.wolf_by[seer]);
        bool believes = wolf != NO_PLACE && wolf < scene->seat_count && wolf != me &&
                        values[seer] < values[wolf] && !talker->out;
        talker->believed |= place_bit(seer);
        if (believes && scene_lives(scene, seer) && talker->mind.told[PHRASE_BELIEVE] < 2)
            return voice_say(talker, PHRASE_BELIEVE, seer, NO_PLACE, decision);
    }
    return false;
}

bool claims_tell(MawTalker *talker, const uint64_t *values, LlmDecision *decision)
{
    if (str_eq(talker->scene->role, STR("Seer")))
        return speak_as_seer(talker, decision);
    return scene_of_wolf(talker->scene) &&
           (counter_claim(talker, decision) || spin_story(talker, values, decision));
}

/* ---- the Seer's question ---- */

uint32_t claims_question(MawTalker *talker)
{
    const LlmScene *scene = talker->scene;
    uint64_t values[LLM_SEATS_MAX];

    if (!str_eq(scene->role, STR("Seer")) || scene->night || talker->asked_day == scene->day)
        return NO_PLACE;
    choice_weigh(talker, values);
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (scene->seats[i].role.len)
            values[i] = 0;
    talker->asked_day = (uint16_t)scene->day;
    return choice_worth(talker, values, 1);
}

void claims_answer(MawTalker *talker, uint32_t about, bool wolf)
{
    if (about != NO_PLACE && talker->result_count < LLM_SEATS_MAX)
        talker->results[talker->result_count++] = (TalkerResult){.about = about, .wolf = wolf};
}
