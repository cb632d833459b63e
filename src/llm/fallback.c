/* The rules that decide where no model did: a session has to finish without one. */
#include "base/rng.h"
#include "llm/seat.h"
#include "llm/wording.h"

#define LAST_SECONDS 30 /* a vote is given this long before the end of a phase */

/* A preference among the targets: those it gives most points to stay. */
typedef uint32_t (*Points)(const LlmScene *scene, Str target);

static uint32_t by_votes(const LlmScene *scene, Str target)
{
    const LlmSeatSeen *seat = wording_seat(scene, target);

    if (!seat)
        return 0;
    bool mine = str_eq(scene->my_vote, target);
    return seat->votes - (mine && seat->votes > 0); /* those of others */
}

static uint32_t by_knowledge(const LlmScene *scene, Str target)
{
    const LlmSeatSeen *seat = wording_seat(scene, target);

    if (!seat || !seat->role.len)
        return 1;
    return wording_means_wolf(seat->role) ? 2 : 0;
}

static uint32_t by_ignorance(const LlmScene *scene, Str target)
{
    const LlmSeatSeen *seat = wording_seat(scene, target);

    return !seat || !seat->role.len;
}

static uint32_t by_not_mate(const LlmScene *scene, Str target)
{
    const LlmSeatSeen *seat = wording_seat(scene, target);

    return !seat || !seat->mate;
}

static uint32_t by_mates(const LlmScene *scene, Str target)
{
    uint32_t mates = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++)
        mates += scene->seats[i].mate && scene->seats[i].alive &&
                 !str_eq(scene->seats[i].name, scene->me) &&
                 str_eq(scene->seats[i].votes_for, target);
    return mates;
}

/* Keeps those of `targets` that have the most points. */
static uint32_t keep_best(const LlmScene *scene, Points points, Str *targets, uint32_t count)
{
    uint32_t most = 0, kept = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = points(scene, targets[i]);
        if (value > most) {
            most = value;
            kept = 0;
        }
        if (value == most)
            targets[kept++] = targets[i];
    }
    return kept;
}

/* The same for all wolves, who must agree: nothing but the names and the day counts. */
static Str common_choice(const LlmScene *scene, const Str *targets, uint32_t count)
{
    uint64_t lowest = UINT64_MAX;
    Str choice = targets[0];

    for (uint32_t i = 0; i < count; i++) {
        uint64_t value = rng_derive_text(scene->day, targets[i]);
        if (value < lowest) {
            lowest = value;
            choice = targets[i];
        }
    }
    return choice;
}

static Str choose_target(const LlmScene *scene)
{
    Str targets[LLM_SEATS_MAX];
    uint32_t count = scene->target_count;
    bool wolf = wording_is_wolf(scene);
    bool attack = scene->task == TASK_ATTACK || (scene->maw && scene->night);
    Rng rng = rng_new(rng_derive(scene->seed, SALT_FALLBACK));

    if (scene->task == TASK_BID)
        return scene->targets[count / 2];
    memcpy(targets, scene->targets, count * sizeof(targets[0]));
    if (wolf) {
        count = keep_best(scene, by_not_mate, targets, count);
        count = keep_best(scene, by_mates, targets, count);
        if (!attack)
            count = keep_best(scene, by_votes, targets, count);
        return common_choice(scene, targets, count);
    }
    if (scene->task == TASK_DIVINE)
        count = keep_best(scene, by_ignorance, targets, count);
    if (scene->task == TASK_VOTE || scene->task == TASK_ROOM || scene->task == TASK_OPINION) {
        count = keep_best(scene, by_knowledge, targets, count);
        count = keep_best(scene, by_votes, targets, count);
    }
    return targets[rng_below(&rng, count)];
}

/* In a room there is time to hear a model later: the vote waits for the end of the day. By night
 * a vote is due at once, and may follow a mate's: only all of them together murder. */
static bool vote_is_due(const LlmScene *scene)
{
    if (wording_only_target(scene->task))
        return true;
    if (scene->task != TASK_ROOM)
        return false;
    return scene->night || (!scene->my_vote.len && scene->seconds_left <= LAST_SECONDS);
}

void llm_fallback(const LlmScene *scene, LlmDecision *ret)
{
    ret->action = LLM_LISTEN;
    ret->message[0] = ret->target[0] = ret->reason[0] = ret->thought[0] = '\0';
    if (!scene->target_count || !vote_is_due(scene))
        return;
    Str target = choose_target(scene);
    if (target.len >= sizeof(ret->target) ||
        (scene->task == TASK_ROOM && str_eq(target, scene->my_vote)))
        return;
    memcpy(ret->target, target.bytes, target.len);
    ret->target[target.len] = '\0';
    ret->action = LLM_VOTE;
}
