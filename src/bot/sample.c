/* sample.c - a fair sparring partner that plays every role and speaks the protocol language.
 *
 * For:    trying agents against, filling tables. About as strong and as talkative as the sample
 *         players published with the AIWolf platform; the same seed gives the same answers.
 * Memory: one Sample (sample_mind.h) in the caller's block; no allocation.
 * Thread: the game's.
 * Source: the behaviour of those players as documented and logged; this design is our own.
 *
 * In the morning and before every answer it takes in what is new (sample_hear.c). Asked to talk,
 * it comes out when its time has come, tells results, makes up its mind (sample_judge.c) and says
 * one remark of its queue; when nothing else is left to say from its third turn on, it declares
 * its vote and asks the others to vote alike.
 */
#include "bot/kinds.h"
#include "bot/sample_mind.h"

#define DECLARE_TURN  2  /* votes are declared from this turn of the day on, counted from 0 */
#define SILENCE_MAX   2  /* turns of Skip before an Over, as the contests' server has it */
#define COME_OUT_DAYS 3  /* claims are made on one of the first three days */
#define STANDING_SAID 10 /* utterances a day where asks stand open and nothing else limits them */

static void sample_start(Bot *bot, const View *view, uint64_t seed)
{
    Sample *self = (Sample *)bot;

    memset(self, 0, sizeof(*self));
    self->rng = rng_new(seed);
    self->me = view->seat;
}

/* The first ask of a game; only now is the role sure to be dealt. */
static void begin_game(Sample *self, const View *view)
{
    self->seat_count = view->seat_count;
    self->role = view->role;
    self->first_day = (uint16_t)view->rules->first_day;
    self->wolf_count = view->role_counts[ROLE_WEREWOLF];
    self->out_day = (uint16_t)(1 + rng_below(&self->rng, COME_OUT_DAYS));
    self->stance = ROLE_VILLAGER;
    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (seat != view->seat && view->roles[seat] == (uint8_t)view->role)
            self->mates |= seat_bit(seat);

    if (view->role == ROLE_SEER || view->role == ROLE_POSSESSED)
        self->stance = ROLE_SEER;
    else if (view->role == ROLE_MEDIUM)
        self->stance = ROLE_MEDIUM;
    else if (view->role == ROLE_WEREWOLF)
        sample_plan_claim(self, view);
    self->liar |= view->role == ROLE_POSSESSED;
}

/* ---- talk ---- */

static bool has_untold_wolf(const Sample *self)
{
    return self->finding_count > self->told_count && self->findings[self->finding_count - 1].wolf;
}

/* Whether now is the time to claim the role it argues as. */
static bool comes_out(Sample *self, const View *view)
{
    SeatSet rivals = self->claimants[self->stance];

    if (self->role == ROLE_POSSESSED) {
        SeatNo seer = pick_seat(&self->rng, rivals & pick_others(view));

        if (seer != SEAT_NONE)
            sample_counter_claim(self, view, seer);
        return seer != SEAT_NONE;
    }
    if (self->role == ROLE_WEREWOLF)
        return view->day >= self->out_day || (rivals & ~self->mates) != 0;
    return view->day >= self->out_day || rivals != 0 || has_untold_wolf(self);
}

static void tell_findings(Sample *self)
{
    while (self->told_count < self->finding_count) {
        unsigned count = self->finding_count - self->told_count;

        if (count > SAMPLE_TELL_MAX)
            count = SAMPLE_TELL_MAX;
        sample_queue(
            &self->talk,
            (Remark){.kind = REMARK_FINDINGS, .first = self->told_count, .count = (uint8_t)count});
        self->told_count = (uint8_t)(self->told_count + count);
    }
}

static void declare_vote(Sample *self)
{
    self->declared = self->candidate;
    sample_queue(&self->talk, (Remark){.kind = REMARK_VOTE,
                                       .seat = self->candidate,
                                       .grounds = self->grounds,
                                       .white = sample_finding_on(self, self->candidate)});
}

/* Where a silent turn ends one's talk, or turns are not counted, there is no time to wait. */
static uint32_t declare_turn(const Ask *ask, const TalkRules *rules)
{
    bool hurry =
        ask->standing || (rules->skip_rule == SKIP_BUDGET && rules->max_skip < DECLARE_TURN);

    return hurry ? 0 : DECLARE_TURN;
}

static void prepare_talk(Sample *self, const Ask *ask, const View *view)
{
    if (self->stance != ROLE_VILLAGER && !self->out && comes_out(self, view)) {
        self->out = true;
        sample_queue(&self->talk, (Remark){.kind = REMARK_COME_OUT, .role = self->stance});
    }
    if (self->out)
        tell_findings(self);
    if (view->day == 0) /* nobody is executed on day 0 */
        return;
    sample_choose(self, view, false);
    if (self->talk_turn >= declare_turn(ask, &view->rules->talk) && self->talk.count == 0 &&
        self->candidate != self->declared)
        declare_vote(self);
}

/* The next remark; without one Skip, then Over, or nothing at all where those are no keywords or
 * nobody has to speak. */
static void speak_remark(Sample *self, RemarkQueue *queue, Quiet *quiet, bool may_lapse,
                         Answer *ret_answer)
{
    ret_answer->text = sample_say(self, queue);
    if (ret_answer->text.len > 0) {
        quiet->turns = 0;
        quiet->said++;
    } else if (may_lapse) {
        ret_answer->lapse = true;
    } else {
        ret_answer->text = quiet->turns < SILENCE_MAX ? STR("Skip") : STR("Over");
        quiet->turns++;
    }
}

/* Whether nothing more may be said, or should be, where asks stand open. */
static bool has_said_enough(const Quiet *quiet, const Ask *ask, const uint16_t *left)
{
    return ask->standing && (quiet->said >= STANDING_SAID || (left && left[ask->seat] == 0));
}

static void answer_talk(Sample *self, const Ask *ask, const View *view, Answer *ret_answer)
{
    bool may_lapse = ask->standing || !view->rules->talk.keywords;

    ret_answer->lapse = has_said_enough(&self->talk_quiet, ask, view->talk_left);
    if (ret_answer->lapse)
        return;
    prepare_talk(self, ask, view);
    self->talk_turn++;
    speak_remark(self, &self->talk, &self->talk_quiet, may_lapse, ret_answer);
}

static void answer_whisper(Sample *self, const Ask *ask, const View *view, Answer *ret_answer)
{
    bool may_lapse = ask->standing || !view->rules->whisper.keywords;

    ret_answer->lapse = has_said_enough(&self->whisper_quiet, ask, view->whisper_left);
    if (ret_answer->lapse)
        return;
    sample_conspire(self, view);
    speak_remark(self, &self->whisper, &self->whisper_quiet, may_lapse, ret_answer);
}

/* ---- targets ---- */

static SeatNo choose_vote(Sample *self, const Ask *ask, const View *view)
{
    SeatSet others = pick_others(view);

    sample_choose(self, view, ask->revote);
    if (seat_in(others, self->candidate))
        return self->candidate;
    if (seat_in(others, self->standing[ASK_VOTE]))
        return self->standing[ASK_VOTE];
    return pick_seat(&self->rng, others);
}

/* A ballot that stays open is answered when the answer changes. A majority ends the day, so by
 * day the first time is let pass unless something has been said. */
static void answer_standing(Sample *self, const Ask *ask, Answer *ret_answer)
{
    SeatNo *stands = &self->standing[ask->kind];
    bool early = ask->kind == ASK_VOTE && self->declared == SEAT_NONE && !self->vote_put_off;

    self->vote_put_off |= early;
    ret_answer->lapse = early || *stands == ret_answer->target;
    if (!ret_answer->lapse)
        *stands = ret_answer->target;
}

static void sample_answer(Bot *bot, const Ask *ask, const View *view, Answer *ret_answer)
{
    Sample *self = (Sample *)bot;

    if (ask->kind == ASK_ROLE) /* no wish */
        return;
    if (!self->awake)
        begin_game(self, view);
    sample_notice(self, view);
    self->open_room = ask->standing;
    switch (ask->kind) {
    case ASK_TALK:
        answer_talk(self, ask, view, ret_answer);
        return;
    case ASK_WHISPER:
        answer_whisper(self, ask, view, ret_answer);
        return;
    case ASK_VOTE:
        ret_answer->target = choose_vote(self, ask, view);
        break;
    case ASK_DIVINE:
        ret_answer->target = sample_divine(self, view);
        break;
    case ASK_GUARD:
        ret_answer->target = sample_guard(self, view);
        break;
    case ASK_ATTACK:
        ret_answer->target = sample_attack(self, view, ask->standing);
        break;
    case ASK_BID:
        ret_answer->bid = pick_bid(view);
        return;
    case ASK_ROLE:
    case ASK_COUNT:
        return;
    }
    if (ask->standing)
        answer_standing(self, ask, ret_answer);
}

const BotKind bot_sample = {
    .name = "sample",
    .about = "a fair sparring partner that speaks the protocol language",
    .bytes = sizeof(Sample),
    .start = sample_start,
    .answer = sample_answer,
};
