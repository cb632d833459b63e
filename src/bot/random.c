/* random.c - the agent that knows nothing: says Over, and names anybody else who is alive.
 *
 * For:    a floor to measure other agents against, filling tables, and timing the engine: it
 *         costs almost nothing per answer.
 * Memory: the caller's; see bot.h.
 * Thread: the game's.
 * Source: the random players of the AIWolf contests: wolves may name wolves too.
 */
#include "bot/kinds.h"
#include "bot/pick.h"

typedef struct RandomBot {
    Rng rng;
    uint32_t answered[ASK_COUNT]; /* by kind: number of the standing ask it has answered, plus 1 */
} RandomBot;

static void random_start(Bot *bot, const View *view, uint64_t seed)
{
    RandomBot *self = (RandomBot *)bot;

    (void)view;
    *self = (RandomBot){.rng = rng_new(seed)};
}

/* A standing ask is put again and again; to answer each time would change a vote for ever. */
static bool random_has_answered(RandomBot *self, const Ask *ask)
{
    if (!ask->standing)
        return false;
    if (self->answered[ask->kind] == ask->number + 1)
        return true;
    self->answered[ask->kind] = ask->number + 1;
    return false;
}

/* Where Over is a word like any other, nothing is said. */
static void say_over(const TalkRules *rules, Answer *ret_answer)
{
    ret_answer->lapse = !rules->keywords;
    ret_answer->text = STR("Over");
}

static void random_answer(Bot *bot, const Ask *ask, const View *view, Answer *ret_answer)
{
    RandomBot *self = (RandomBot *)bot;

    if (random_has_answered(self, ask)) {
        ret_answer->lapse = true;
        return;
    }
    switch (ask->kind) {
    case ASK_TALK:
        say_over(&view->rules->talk, ret_answer);
        break;
    case ASK_WHISPER:
        say_over(&view->rules->whisper, ret_answer);
        break;
    case ASK_VOTE:
    case ASK_DIVINE:
    case ASK_GUARD:
    case ASK_ATTACK:
        ret_answer->target = pick_seat(&self->rng, pick_others(view));
        break;
    case ASK_BID:  /* 0: it never says anything */
    case ASK_ROLE: /* no wish */
    case ASK_COUNT:
        break;
    }
}

const BotKind bot_random = {
    .name = "random",
    .about = "says nothing and names any other living agent",
    .bytes = sizeof(RandomBot),
    .start = random_start,
    .answer = random_answer,
};
