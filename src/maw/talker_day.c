/* talker_day.c - by day: a talker greets, asks and answers, says whom it suspects and why, and
 * votes as it said.
 *
 * A vote goes only to somebody it has spoken against today, with a reason that is true
 * (talker_mind.h); another one only when that other one looks clearly worse, and after a new
 * reason. No wording is used twice in a session, by whomever it was said. */
#include "maw/talker.h"

#define GREETING     60 /* of a hundred: greets in a later round */
#define REPLY_CHANCE 25 /* ... says more although it has voted */
#define DECLARE      45 /* ... says that it votes, before it does */
#define ASK_CHANCE   30
#define DEFENCE      15 /* a wolf of a mate, each time it could */
#define VOUCHING     15
#define ACCUSED_EACH 2 /* it speaks against so many before it votes */

static bool say_reason(MawTalker *talker, uint32_t whom, const uint64_t *values,
                       LlmDecision *decision)
{
    uint32_t me = scene_me(talker->scene);
    TalkerReason reason;

    if (!mind_find_reason(&talker->mind, talker->scene, me, whom, values, talker->rng, &reason) ||
        !voice_say(talker, reason.why, whom, reason.b, decision))
        return false;
    mind_note_given(&talker->mind, reason.why, whom, reason.b);
    return true;
}

/* The first words of a day: a greeting, or a word about the night; not by everybody. */
static bool open_day(MawTalker *talker, LlmDecision *decision)
{
    const TalkerMind *mind = &talker->mind;
    bool first = mind->round <= 1;

    if (talker->opened)
        return false;
    talker->opened = true;
    if (!talker->greeted && mind->day <= 1) {
        talker->greeted = true;
        return (first || talker_draws(talker, GREETING)) &&
               voice_say(talker, first ? PHRASE_HELLO : PHRASE_AGAIN, NO_PLACE, NO_PLACE, decision);
    }
    talker->greeted = true;
    if (mind->victim && mind->told[PHRASE_VICTIM] < 2)
        return voice_say(talker, PHRASE_VICTIM, mind->victim - 1, NO_PLACE, decision);
    if (!mind->victim && mind->day > 1 && mind->told[PHRASE_QUIET_NIGHT] < 1)
        return voice_say(talker, PHRASE_QUIET_NIGHT, NO_PLACE, NO_PLACE, decision);
    return mind->executed && mind->told[PHRASE_EXECUTED] < 1 && talker_draws(talker, 50) &&
           voice_say(talker, PHRASE_EXECUTED, mind->executed - 1, NO_PLACE, decision);
}

static bool answer_question(MawTalker *talker, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    uint32_t whom = NO_PLACE;

    if (!talker->mind.asked)
        return false;
    uint32_t by = (uint32_t)__builtin_ctzll(talker->mind.asked);
    for (uint64_t rest = talker->spoken; rest; rest &= rest - 1)
        whom = (uint32_t)__builtin_ctzll(rest);
    uint32_t vote = scene_place(scene, scene->my_vote);
    whom = vote != NO_PLACE && has_place(talker->spoken, vote) ? vote : whom;
    talker->mind.asked &= ~place_bit(by);
    if (!scene_lives(scene, by) || whom == by || talker->answered++ >= 2)
        return false;
    return whom == NO_PLACE ? voice_say(talker, PHRASE_ANSWER_NONE, NO_PLACE, by, decision)
                            : voice_say(talker, PHRASE_ANSWER, whom, by, decision);
}

static bool deny_accusation(MawTalker *talker, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    uint32_t me = scene_me(scene), by = NO_PLACE;

    if (talker->denied)
        return false;
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (i != me && scene_lives(scene, i) && has_place(talker->mind.today[i], me))
            by = i;
    if (by == NO_PLACE)
        return false;
    talker->denied = true;
    return talker_draws(talker, 65) && voice_say(talker, PHRASE_DENY, NO_PLACE, by, decision);
}

/* Whether it finds an accusation of `place` wrong: a wolf of a mate, others of who is suspected far
 * less than the others. */
static bool finds_harmless(MawTalker *talker, const uint64_t *values, uint32_t place)
{
    const LlmScene *scene = talker->scene;
    uint64_t sum = 0, count = 0;

    if (scene->seats[place].mate)
        return talker_draws(talker, DEFENCE);
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        sum += values[i];
        count += values[i] > 0;
    }
    return count && values[place] < sum / count / 2 && talker_draws(talker, VOUCHING);
}

/* Speaks for somebody who is accused today, and whom it has not accused itself. */
static bool vouch_for_accused(MawTalker *talker, const uint64_t *values, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    const TalkerMind *mind = &talker->mind;
    uint32_t me = scene_me(scene);
    uint64_t accused = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++)
        accused |= mind->today[i];
    if (talker->vouched || me == NO_PLACE || mind->told[PHRASE_VOUCH] >= 2)
        return false;
    accused &= ~(mind->accused[me] | mind->voted[me] | mind->vouched[me] | place_bit(me));
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (has_place(accused, i) && scene_lives(scene, i) && finds_harmless(talker, values, i)) {
            talker->vouched = true;
            return voice_say(talker, PHRASE_VOUCH, i, NO_PLACE, decision);
        }
    return false;
}

static bool ask_somebody(MawTalker *talker, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    uint64_t quiet[LLM_SEATS_MAX] = {0};
    uint32_t me = scene_me(scene);

    if (talker->asked_somebody || talker->mind.told[PHRASE_ASK] >= 2 ||
        !talker_draws(talker, ASK_CHANCE))
        return false;
    talker->asked_somebody = true;
    for (uint32_t i = 0; i < scene->seat_count; i++)
        quiet[i] = i != me && scene_lives(scene, i) && talker->mind.today[i] == 0;
    uint32_t whom = choice_worth(talker, quiet, 1);
    return whom != NO_PLACE && voice_say(talker, PHRASE_ASK, NO_PLACE, whom, decision);
}

static bool speak_of_quarrel(MawTalker *talker, LlmDecision *decision)
{
    uint32_t a, b;

    if (talker->mind.day < 2 || talker->mind.told[PHRASE_TRUST] >= 1 || !talker_draws(talker, 20) ||
        !mind_find_quarrel(&talker->mind, talker->scene, scene_me(talker->scene), &a, &b))
        return false;
    mind_note_given(&talker->mind, PHRASE_TRUST, a, b);
    return voice_say(talker, PHRASE_TRUST, a, b, decision);
}

static bool speak_of_suspect(MawTalker *talker, const uint64_t *values, LlmDecision *decision)
{
    for (unsigned tries = 0; tries < 3; tries++) {
        uint32_t whom = choice_suspect(talker, values);
        if (whom != NO_PLACE && say_reason(talker, whom, values, decision))
            return true;
    }
    return false;
}

/* What others wait for, before anything of its own. */
static bool respond_to_others(MawTalker *talker, const uint64_t *values, LlmDecision *decision)
{
    if (claims_tell(talker, values, decision))
        return true;
    return talker->said < LINES_EACH &&
           (open_day(talker, decision) || answer_question(talker, decision) ||
            deny_accusation(talker, decision) || claims_judge(talker, values, decision) ||
            vouch_for_accused(talker, values, decision));
}

/* Whether it is too soon for a vote: not all have said whom they suspect, and there is time. */
static bool waits_for_others(const MawTalker *talker)
{
    const LlmScene *scene = talker->scene;

    for (uint32_t i = 0; talker->early && i < scene->seat_count; i++)
        if (scene_lives(scene, i) && i != scene_me(scene) &&
            talker->mind.accusations[i] < ACCUSED_EACH)
            return true;
    return false;
}

/* The vote, or first the words for it: whom it was not spoken against gets no vote. */
static bool vote_as_said(MawTalker *talker, const uint64_t *values, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    uint32_t mine = scene_place(scene, scene->my_vote);
    uint32_t target = choice_condemned(talker, values, false);

    if (target == NO_PLACE || target == mine)
        return false;
    if (!has_place(talker->spoken, target) && talker->said < LINES_MOST &&
        say_reason(talker, target, values, decision))
        return true;
    if (!has_place(talker->spoken, target))
        target = choice_condemned(talker, values, true);
    if (target == NO_PLACE || target == mine)
        return false;
    if (!talker->declared && talker->said < LINES_MOST && talker_draws(talker, DECLARE)) {
        talker->declared = true;
        talker->chosen = target + 1;
        return mine == NO_PLACE ? voice_say(talker, PHRASE_VOTE, target, NO_PLACE, decision)
                                : voice_say(talker, PHRASE_CHANGE, target, mine, decision);
    }
    talker->declared = false;
    scene_vote(scene, target, decision);
    return true;
}

void day_decide(MawTalker *talker, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    bool more = talker->said < LINES_EACH;
    uint64_t values[LLM_SEATS_MAX];

    choice_weigh(talker, values);
    if (respond_to_others(talker, values, decision))
        return;
    if (!scene->my_vote.len && more &&
        (uint32_t)__builtin_popcountll(talker->spoken) < ACCUSED_EACH &&
        (ask_somebody(talker, decision) || speak_of_suspect(talker, values, decision)))
        return;
    if (!scene->my_vote.len && waits_for_others(talker))
        return;
    if (vote_as_said(talker, values, decision) || !more || !talker_draws(talker, REPLY_CHANCE))
        return;
    if (!speak_of_quarrel(talker, decision) && scene->my_vote.len)
        say_reason(talker, scene_place(scene, scene->my_vote), values, decision);
}

/* Who has no reason against anybody does not vote. */
void day_vote_at_last(MawTalker *talker, LlmDecision *decision)
{
    uint64_t values[LLM_SEATS_MAX];

    choice_weigh(talker, values);
    uint32_t target = choice_condemned(talker, values, true);
    if (target != NO_PLACE) {
        scene_vote(talker->scene, target, decision);
        return;
    }
    target = choice_condemned(talker, values, false); /* its words; it is asked once more */
    if (say_reason(talker, target, values, decision))
        return;
    talker->mind.given_count = 0; /* an old reason is better than none */
    say_reason(talker, target, values, decision);
}
