/* sample_lie.c - what wolves and possessed pretend, and what wolves do among themselves.
 *
 * A wolf plans to claim seer, medium or nothing; the wolves tell each other on the first night,
 * and who has the same plan as a mate thinks again. It comes out on its day, or at once when a
 * human claims that role. A possessed claims seer against the first seer, whom it calls a wolf.
 * Neither says what it is outside the whisper.
 */
#include "bot/sample_mind.h"

/* ---- plans ---- */

static Role plan_at_random(Sample *self, const View *view)
{
    static const Role roles[] = {ROLE_VILLAGER, ROLE_SEER, ROLE_MEDIUM};
    Role open[3] = {ROLE_VILLAGER};
    uint32_t count = 0;

    for (unsigned i = 0; i < 3; i++)
        if (view->role_counts[roles[i]] > 0)
            open[count++] = roles[i];
    return open[rng_below(&self->rng, count)];
}

static void take_plan(Sample *self, Role role)
{
    self->stance = role;
    self->liar = role != ROLE_VILLAGER;
    sample_queue(&self->whisper, (Remark){.kind = REMARK_PLAN, .role = role});
}

void sample_plan_claim(Sample *self, const View *view)
{
    take_plan(self, plan_at_random(self, view));
}

static bool mate_plans(const Sample *self, Role role)
{
    for (SeatSet left = self->mates; left; left &= left - 1)
        if (self->plan[seat_first(left)] == role)
            return true;
    return false;
}

static void agree_on_plans(Sample *self, const View *view)
{
    Role role;

    if (self->stance == ROLE_VILLAGER || self->finding_count > 0 || !mate_plans(self, self->stance))
        return;
    role = plan_at_random(self, view);
    if (role != self->stance)
        take_plan(self, role);
}

/* ---- invented results ---- */

/* A wolf calls humans wolves, as many as there are wolves; half the time it spares those who
 * claim nothing. */
static bool calls_wolf(Sample *self, SeatNo target)
{
    if (seat_in(self->mates, target) || seat_count_of(self->found_wolf) >= self->wolf_count)
        return false;
    if (seat_in(self->friends, target) || self->claim[target] == ROLE_NONE)
        return rng_below(&self->rng, 2) == 0;
    return true;
}

static void wolf_invents(Sample *self, const View *view)
{
    SeatSet others = pick_others(view);
    SeatSet fresh = others & ~(self->found_wolf | self->found_human | self->claimants[ROLE_SEER]);
    SeatNo target = view->executed;

    if (self->stance == ROLE_SEER)
        target = pick_seat(&self->rng, fresh ? fresh : others);
    if (target != SEAT_NONE)
        sample_find(self, target, view->day, calls_wolf(self, target));
}

void sample_invent(Sample *self, const View *view)
{
    SeatSet gray = pick_others(view) & ~(self->found_wolf | self->found_human);

    if (view->day <= self->first_day) /* no night to have learnt anything in */
        return;
    if (self->role == ROLE_WEREWOLF)
        wolf_invents(self, view);
    else if (self->out && gray)
        sample_find(self, pick_seat(&self->rng, gray), view->day, false);
}

void sample_counter_claim(Sample *self, const View *view, SeatNo seer)
{
    SeatSet past = seat_all(self->seat_count) & ~seat_bit(self->me) & ~seat_bit(seer);

    for (uint16_t day = (uint16_t)(self->first_day + 1); day < view->day && past; day++) {
        SeatNo target = pick_seat(&self->rng, past);

        past &= ~seat_bit(target);
        sample_find(self, target, day, false);
    }
    sample_find(self, seer, view->day, true);
}

/* ---- among wolves ---- */

void sample_note_liar(Sample *self, Report report)
{
    SeatSet wolves = self->mates | seat_bit(self->me);
    bool truth = seat_in(wolves, report.target);

    if (report.wolf == truth || seat_in(wolves | self->friends, report.judge))
        return;
    self->friends |= seat_bit(report.judge);
    sample_queue(&self->whisper, (Remark){.kind = REMARK_LIAR, .cause = {.report = report}});
}

/* Those who claim something first; the possessed only when nobody else is left. */
static SeatSet attackable(const Sample *self, SeatSet others)
{
    SeatSet humans = sample_prefer(others & ~self->mates, self->friends);
    SeatSet claimants = 0;

    for (SeatSet left = humans & ~self->friends; left; left &= left - 1)
        if (self->claim[seat_first(left)] != ROLE_NONE)
            claimants |= left & -left;
    return claimants ? claimants : humans;
}

/* In a room with an open ballot the attack must be unanimous: follow the first mate that voted. */
static SeatNo mate_attacks(const Sample *self, const View *view, SeatSet humans)
{
    for (SeatSet left = view->standing_votes ? self->mates & view->alive : 0; left;
         left &= left - 1) {
        SeatNo mate = seat_first(left);

        if (mate < self->me && seat_in(humans, view->standing_votes[mate]))
            return view->standing_votes[mate];
    }
    return SEAT_NONE;
}

SeatNo sample_attack(Sample *self, const View *view, bool standing)
{
    SeatSet others = pick_others(view);
    SeatSet choice = attackable(self, others);
    SeatNo mates_prey = standing ? mate_attacks(self, view, others & ~self->mates) : SEAT_NONE;

    if (mates_prey != SEAT_NONE)
        return mates_prey;
    if (standing && seat_in(choice, self->standing[ASK_ATTACK]))
        return self->standing[ASK_ATTACK];
    return seat_in(choice, self->prey) ? self->prey : pick_seat(&self->rng, choice);
}

void sample_conspire(Sample *self, const View *view)
{
    SeatNo prey;

    if (view->day == self->first_day)
        agree_on_plans(self, view);
    if (view->day == 0) /* nobody is attacked on day 0 */
        return;
    prey = sample_attack(self, view, false);
    if (prey == SEAT_NONE || prey == self->prey)
        return;
    self->prey = prey;
    sample_queue(&self->whisper,
                 (Remark){.kind = REMARK_ATTACK, .seat = prey, .role = self->claim[prey]});
}
