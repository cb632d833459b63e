/* sample_mind.c - what the sample bot has found out itself, for the files that hear, lie and judge.
 */
#include "bot/sample_mind.h"

void sample_find(Sample *self, SeatNo target, uint16_t day, bool wolf)
{
    const SeatSet *same = self->stance == ROLE_MEDIUM ? self->divined_wolf : self->identified_wolf;
    const SeatSet *other =
        self->stance == ROLE_MEDIUM ? self->divined_human : self->identified_human;

    if (self->finding_count == SAMPLE_FINDINGS_MAX)
        return;
    self->findings[self->finding_count++] = (OwnResult){.target = target, .day = day, .wolf = wolf};
    self->found_wolf &= ~seat_bit(target);
    self->found_human &= ~seat_bit(target);
    if (wolf)
        self->found_wolf |= seat_bit(target);
    else
        self->found_human |= seat_bit(target);
    self->contradicting |= wolf ? other[target] : same[target];
}

OwnResult sample_finding_on(const Sample *self, SeatNo target)
{
    for (unsigned i = self->finding_count; i > 0; i--)
        if (self->findings[i - 1].target == target)
            return self->findings[i - 1];
    return (OwnResult){0};
}

SeatSet sample_prefer(SeatSet from, SeatSet spared)
{
    return (from & ~spared) != 0 ? from & ~spared : from;
}
