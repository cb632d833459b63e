#include "record/play_meter.h"

#include "record/claim_words.h"
#include "record/game_claims.h"

static void count_play(PlayMeter *meter, SeatNo seat, PlayCount count)
{
    uint16_t *of = &meter->play[seat].of[count];

    *of = *of < PLAY_COUNT_MAX ? (uint16_t)(*of + 1) : *of;
}

static bool is_wolf(const PlayMeter *meter, SeatNo seat)
{
    return meter->roles[seat] == ROLE_WEREWOLF;
}

static SeatSet living_wolves(const PlayMeter *meter)
{
    SeatSet wolves = 0;

    for (SeatSet left = meter->seats & ~meter->dead; left; left &= left - 1)
        if (is_wolf(meter, seat_first(left)))
            wolves |= seat_bit(seat_first(left));
    return wolves;
}

void play_meter_role(PlayMeter *meter, SeatNo seat, Role role)
{
    meter->roles[seat] = role;
    meter->seats |= seat_bit(seat);
}

void play_meter_vote(PlayMeter *meter, SeatNo voter, SeatNo target)
{
    meter->ballots[voter] = target;
    meter->with_mate &= ~seat_bit(voter);
    if (is_wolf(meter, voter) && living_wolves(meter) & ~seat_bit(voter))
        meter->with_mate |= seat_bit(voter);
}

/* Today's ballots, now that it is known who was executed. */
static void count_ballots(PlayMeter *meter, SeatNo executed)
{
    const bool wolf_day = executed != SEAT_NONE && is_wolf(meter, executed);

    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++) {
        const SeatNo target = meter->ballots[seat];
        if (target == SEAT_NONE)
            continue;
        count_play(meter, seat, PLAY_VOTES);
        if (is_wolf(meter, target) && target != seat)
            count_play(meter, seat, PLAY_WOLF_VOTES);
        if (seat_in(meter->with_mate, seat))
            count_play(meter, seat, PLAY_MATE_VOTES);
        if (wolf_day)
            count_play(meter, seat, PLAY_WOLF_DAYS);
        if (wolf_day && target == executed)
            count_play(meter, seat, PLAY_HITS);
        meter->ballots[seat] = SEAT_NONE;
    }
    meter->with_mate = 0;
}

void play_meter_execute(PlayMeter *meter, SeatNo seat)
{
    count_ballots(meter, seat);
    if (seat == SEAT_NONE)
        return;
    for (SeatSet left = meter->seats & ~meter->dead; left; left &= left - 1) {
        const SeatNo witness = seat_first(left);
        count_play(meter, witness, PLAY_EXECUTIONS);
        if (is_wolf(meter, seat))
            count_play(meter, witness, PLAY_WOLF_EXECUTIONS);
        if (!meter->executed)
            count_play(meter, witness, PLAY_FIRSTS);
        if (!meter->executed && is_wolf(meter, seat))
            count_play(meter, witness, PLAY_WOLF_FIRSTS);
    }
    meter->executed = true;
    meter->dead |= seat_bit(seat);
}

void play_meter_turn(PlayMeter *meter)
{
    count_ballots(meter, SEAT_NONE);
}

void play_meter_death(PlayMeter *meter, SeatNo seat)
{
    meter->dead |= seat_bit(seat);
}

void play_meter_say(PlayMeter *meter, SeatNo seat, Str text)
{
    const SeatNo count = (SeatNo)seat_count_of(meter->seats);
    RoleSet said = claims_own_roles(text, seat, count) | claim_words_roles(text);

    if (said == 0)
        return;
    const RoleSet own = (RoleSet)1 << meter->roles[seat];
    if (said & own)
        meter->play[seat].of[PLAY_TRUE_CLAIMS] = 1;
    if (said & ~own)
        meter->play[seat].of[PLAY_FALSE_CLAIMS] = 1;
}

void play_meter_end(PlayMeter *meter, GameResult *result)
{
    result->has_play = result->winner != SIDE_NONE;
    if (!result->has_play)
        return;
    for (SeatSet left = meter->seats & ~meter->dead; left; left &= left - 1)
        meter->play[seat_first(left)].of[PLAY_SURVIVED] = 1;
    memcpy(result->play, meter->play, sizeof(result->play));
}
