#include "stats/vote_swing.h"

/* Who alone spoke in lines `from` up to `to`, but for the listener; SEAT_NONE: nobody, or several
 * did. */
static SeatNo only_speaker(const SeatNo *speakers, uint32_t from, uint32_t to, SeatNo listener)
{
    SeatNo only = SEAT_NONE;

    for (uint32_t i = from; i < to; i++) {
        if (speakers[i] == listener)
            continue;
        if (only != SEAT_NONE && speakers[i] != only)
            return SEAT_NONE;
        only = speakers[i];
    }
    return only >= 1 && only <= SEAT_MAX ? only : SEAT_NONE;
}

static void add_pair(VoteSwing *swing, SeatNo speaker, SeatNo before, SeatNo after, SeatSet wolves)
{
    const bool was_wolf = seat_in(wolves, before), is_wolf = seat_in(wolves, after);

    swing->pairs++;
    if (before == after)
        return;
    swing->swung++;
    swing->to_wolf += is_wolf && !was_wolf;
    swing->from_wolf += was_wolf && !is_wolf;
    swing->to_speaker += after == speaker;
}

static bool is_seat(SeatNo seat)
{
    return seat >= 1 && seat <= SEAT_MAX;
}

void vote_swing_add(const SeatNo *speakers, uint32_t line_count, const SwingOpinion *opinions,
                    size_t opinion_count, SeatSet wolves, VoteSwing ret[static SEAT_MAX + 1])
{
    const SwingOpinion *last[SEAT_MAX + 1] = {0};

    for (size_t i = 0; i < opinion_count; i++) {
        const SwingOpinion *now = &opinions[i];
        if (!is_seat(now->seat) || !is_seat(now->target) || now->lines > line_count)
            continue;
        const SwingOpinion *before = last[now->seat];
        last[now->seat] = now;
        if (!before)
            continue;
        SeatNo speaker = only_speaker(speakers, before->lines, now->lines, now->seat);
        if (speaker != SEAT_NONE)
            add_pair(&ret[speaker], speaker, before->target, now->target, wolves);
    }
}

double vote_swing_share(const VoteSwing *swing)
{
    return swing->pairs ? (double)swing->swung / (double)swing->pairs : 0;
}
