/* sample_judge.c - whom to suspect, and what follows from it: the vote, the divination, the guard.
 *
 * The order in which a vote is found:
 *   1. whoever an own divination showed to be a wolf;
 *   2. suspects: rivals for the role it claims, who contradicts its results, who accused it or a
 *      victim of the wolves;
 *   3. in a revote, whoever led the last ballot;
 *   4. a seat not yet judged (who argues as a seer, and wolves);
 *   5. somebody others ask to vote for, each request an equal chance;
 *   6. anybody.
 */
#include "bot/sample_mind.h"

/* ---- suspicion ---- */

static SeatSet suspects_among(const Sample *self, SeatSet seats)
{
    SeatSet suspects = self->false_accusers | self->contradicting;

    if (self->stance != ROLE_VILLAGER)
        suspects |= self->claimants[self->stance];
    if (self->role == ROLE_FREEMASON)
        suspects &= ~self->mates;
    return suspects & seats;
}

static bool is_opposite(const OwnResult *finding, const Report *report)
{
    return finding->target == report->target && finding->wolf != report->wolf;
}

/* The case that can be argued in public; CASE_NONE while it would give away a hidden role. */
static Case case_against(const Sample *self, SeatNo seat)
{
    Case found = {.seat = seat};

    if (self->out && seat_in(self->claimants[self->stance], seat)) {
        found.kind = CASE_RIVAL;
        return found;
    }
    for (unsigned i = 0; i < self->report_count; i++) {
        const Report *report = &self->reports[i];
        OwnResult finding;

        if (report->judge != seat)
            continue;
        found.report = *report;
        if (self->out && report->identified == (self->stance == ROLE_SEER)) {
            finding = sample_finding_on(self, report->target);
            if (is_opposite(&finding, report)) {
                found.kind = CASE_CONTRADICTS;
                found.finding = finding;
                return found;
            }
        }
        if (report->identified || !report->wolf)
            continue;
        if (report->target == self->me)
            found.kind = CASE_ACCUSES_ME;
        else if (seat_in(self->victims, report->target))
            found.kind = CASE_ACCUSES_VICTIM;
        if (found.kind != CASE_NONE)
            return found;
    }
    return found;
}

/* ---- the vote ---- */

static void settle_on(Sample *self, SeatNo candidate)
{
    self->candidate = candidate;
    self->grounds = GROUNDS_NONE;
}

static void accuse_found_wolf(Sample *self, SeatSet wolves)
{
    if (seat_in(wolves, self->candidate))
        return;
    settle_on(self, pick_seat(&self->rng, wolves));
    if (!self->out)
        return;
    self->grounds = GROUNDS_FINDING;
    sample_queue(&self->talk, (Remark){.kind = REMARK_DEMAND,
                                       .seat = self->candidate,
                                       .white = sample_finding_on(self, self->candidate)});
}

static void accuse_suspect(Sample *self, SeatSet suspects)
{
    Case cause;

    if (seat_in(suspects, self->candidate))
        return;
    settle_on(self, pick_seat(&self->rng, suspects));
    cause = case_against(self, self->candidate);
    if (cause.kind == CASE_NONE)
        return;
    self->grounds = GROUNDS_SUSPECT;
    sample_queue(&self->talk,
                 (Remark){.kind = REMARK_SUSPECT, .seat = self->candidate, .cause = cause});
}

/* A suspect whom an own divination showed to be human can only be possessed. */
static void name_possessed(Sample *self, SeatSet possessed)
{
    if (possessed == 0 || seat_in(possessed, self->named_possessed))
        return;
    self->named_possessed = pick_seat(&self->rng, possessed);
    if (self->out)
        sample_queue(&self->talk, (Remark){.kind = REMARK_POSSESSED,
                                           .seat = self->named_possessed,
                                           .white = sample_finding_on(self, self->named_possessed),
                                           .cause = case_against(self, self->named_possessed)});
}

/* A request against itself has its chance like the others: who draws it gives in, and says so to
 * the table. That is how the published players behave, and a good part of why wolves win. */
static void follow_requests(Sample *self, SeatSet others)
{
    SeatSet spared = self->mates | self->proven;
    SeatSet possible = (others & ~spared) | seat_bit(self->me);
    SeatSet lasting = sample_prefer(others, spared) | seat_bit(self->me);
    SeatSet heeded = 0; /* speakers who ask for such a vote */

    if (self->open_room && seat_in(others, self->declared)) /* else talk would never settle */
        return;
    if (self->request_news) {
        self->request_news = false;
        for (SeatSet left = self->requesters; left; left &= left - 1)
            if (seat_in(possible, self->request[seat_first(left)]))
                heeded |= left & -left;
    }
    if (heeded != 0)
        settle_on(self, self->request[pick_seat(&self->rng, heeded)]);
    else if (!seat_in(lasting, self->candidate))
        settle_on(self, pick_seat(&self->rng, sample_prefer(others, spared)));
}

/* Who had the most votes in a ballot, among these seats. */
static SeatSet leaders(const VoteLog *ballot, SeatSet seats)
{
    uint8_t votes[SEAT_MAX + 1] = {0};
    uint8_t most = 1;
    SeatSet top = 0;

    for (unsigned i = 0; i < ballot->count; i++)
        if (seat_in(seats, ballot->items[i].target))
            votes[ballot->items[i].target]++;
    for (SeatSet left = seats; left; left &= left - 1) {
        SeatNo seat = seat_first(left);

        if (votes[seat] > most)
            top = 0;
        if (votes[seat] >= most) {
            most = votes[seat];
            top |= seat_bit(seat);
        }
    }
    return top;
}

static void join_leader(Sample *self, const View *view, SeatSet others)
{
    SeatSet top = leaders(view->latest_votes, others);

    settle_on(self, pick_seat(&self->rng, top ? top : others));
}

/* Seats of which no own result exists; a wolf takes neither mates nor friends if it can. */
static SeatSet unjudged(const Sample *self, SeatSet others)
{
    SeatSet gray = others & ~(self->found_wolf | self->found_human);

    if (self->role != ROLE_WEREWOLF)
        return self->stance == ROLE_SEER ? gray : 0;
    gray = gray & ~self->mates;
    return sample_prefer(gray, self->friends);
}

void sample_choose(Sample *self, const View *view, bool revote)
{
    SeatSet others = pick_others(view);
    SeatSet wolves = self->stance == ROLE_SEER ? self->found_wolf & others : 0;
    SeatSet suspects;
    SeatSet gray;

    if (wolves) {
        accuse_found_wolf(self, sample_prefer(wolves, self->friends));
        return;
    }
    suspects = suspects_among(self, others);
    if (self->stance == ROLE_SEER && self->role != ROLE_WEREWOLF) {
        name_possessed(self, suspects & self->found_human);
        suspects &= ~self->found_human;
    }
    if (self->role == ROLE_WEREWOLF && (suspects & ~self->mates))
        suspects = sample_prefer(suspects & ~self->mates, self->friends);
    if (suspects) {
        accuse_suspect(self, suspects);
        return;
    }
    if (revote) {
        join_leader(self, view, others);
        return;
    }
    gray = unjudged(self, others);
    if (gray == 0)
        follow_requests(self, others);
    else if (!seat_in(gray, self->candidate))
        settle_on(self, pick_seat(&self->rng, gray));
}

/* ---- the night ---- */

/* First the suspects it has not looked at, then anybody it has not looked at. */
SeatNo sample_divine(Sample *self, const View *view)
{
    SeatSet others = pick_others(view);
    SeatSet gray = others & ~(self->found_wolf | self->found_human);
    SeatSet suspects = suspects_among(self, gray);

    return pick_seat(&self->rng, suspects ? suspects : gray ? gray : others);
}

/* Whoever it saved last night again; else a claimed seer, a claimed medium, anybody. */
SeatNo sample_guard(Sample *self, const View *view)
{
    SeatSet others = pick_others(view);
    SeatSet trusted = sample_prefer(others, suspects_among(self, others));
    SeatSet choice = trusted & self->claimants[ROLE_SEER];

    if (seat_in(others, self->guarded) && view->last_dead_count == 0)
        return self->guarded;
    if (choice == 0)
        choice = trusted & self->claimants[ROLE_MEDIUM];
    self->guarded = pick_seat(&self->rng, choice ? choice : trusted);
    return self->guarded;
}
