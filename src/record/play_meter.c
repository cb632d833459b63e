#include "record/play_meter.h"

#include "record/claim_words.h"
#include "record/game_claims.h"

void play_meter_role(PlayMeter *meter, SeatNo seat, Role role)
{
    meter->roles[seat] = role;
    meter->seats |= seat_bit(seat);
    if (role == ROLE_WEREWOLF)
        meter->wolves |= seat_bit(seat);
}

void play_meter_vote(PlayMeter *meter, SeatNo voter, SeatNo target)
{
    const SeatSet mates = meter->wolves & ~meter->dead & ~seat_bit(voter);
    const SeatSet own = seat_bit(voter);

    meter->ballots[voter] = target;
    meter->voted = target == SEAT_NONE ? meter->voted & ~own : meter->voted | own;
    meter->with_mate = mates ? meter->with_mate | (own & meter->wolves) : meter->with_mate & ~own;
}

/* Today's ballots, now that it is known who was executed. */
static void count_ballots(PlayMeter *meter, SeatNo executed)
{
    const bool wolf_day = executed != SEAT_NONE && seat_in(meter->wolves, executed);

    for (SeatNo seat = 1; meter->voted && seat <= SEAT_MAX; seat++) {
        const SeatNo target = meter->ballots[seat];
        uint16_t *of = meter->play[seat].of;
        if (!seat_in(meter->voted, seat) || of[PLAY_VOTES] == PLAY_COUNT_MAX)
            continue;
        of[PLAY_VOTES]++;
        if (seat_in(meter->wolves, target) && target != seat)
            of[PLAY_WOLF_VOTES]++;
        if (seat_in(meter->with_mate, seat))
            of[PLAY_MATE_VOTES]++;
        if (wolf_day)
            of[PLAY_WOLF_DAYS]++;
        if (wolf_day && target == executed)
            of[PLAY_HITS]++;
    }
    meter->voted = meter->with_mate = 0;
}

/* What it lived to see. */
static void note_life(PlayMeter *meter, SeatNo seat)
{
    uint16_t *of = meter->play[seat].of;

    of[PLAY_EXECUTIONS] = meter->executions;
    of[PLAY_WOLF_EXECUTIONS] = meter->wolf_executions;
    of[PLAY_FIRSTS] = meter->executions > 0;
    of[PLAY_WOLF_FIRSTS] = meter->executions > 0 && meter->wolf_first;
}

void play_meter_death(PlayMeter *meter, SeatNo seat)
{
    if (!seat_in(meter->dead, seat))
        note_life(meter, seat);
    meter->dead |= seat_bit(seat);
}

void play_meter_execute(PlayMeter *meter, SeatNo seat)
{
    count_ballots(meter, seat);
    if (seat == SEAT_NONE || meter->executions == PLAY_COUNT_MAX)
        return;
    const bool wolf = seat_in(meter->wolves, seat);
    meter->wolf_first = meter->executions ? meter->wolf_first : wolf;
    meter->executions++;
    meter->wolf_executions = (uint16_t)(meter->wolf_executions + wolf);
    play_meter_death(meter, seat);
}

void play_meter_turn(PlayMeter *meter)
{
    count_ballots(meter, SEAT_NONE);
}

void play_meter_say(PlayMeter *meter, SeatNo seat, Str text, bool parsed)
{
    const SeatNo count = (SeatNo)seat_count_of(meter->seats);
    const RoleSet own = (RoleSet)1 << meter->roles[seat];
    RoleSet said = claims_own_roles(text, seat, count);

    if (!parsed) /* no sentence of the protocol language has such words */
        said |= claim_words_roles(text);
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
    for (SeatSet left = meter->seats & ~meter->dead; left; left &= left - 1) {
        note_life(meter, seat_first(left));
        meter->play[seat_first(left)].of[PLAY_SURVIVED] = 1;
    }
    memcpy(result->play, meter->play, sizeof(result->play));
}
