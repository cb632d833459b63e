#include "record/nlp_ballots.h"

#define NO_WAY UINT16_MAX

/* How many ballots at least the first `i` votes can be, none of them decided: ret_ways[i]. */
static void divide_ballots(const NlpBallots *ballots, uint16_t *ret_ways)
{
    const LogLine *lines = ballots->lines;

    for (size_t i = 1; i <= ballots->count; i++)
        ret_ways[i] = NO_WAY;
    ret_ways[0] = 0;
    for (size_t from = 0; from < ballots->count; from++) {
        uint8_t votes[SEAT_MAX + 1] = {0};
        uint8_t most = 0;
        unsigned tops = 0;
        if (ret_ways[from] == NO_WAY)
            continue;
        for (size_t i = from; i < ballots->count; i++) {
            if (i > from && lines[i].seat <= lines[i - 1].seat)
                break;
            uint8_t n = 0;
            if (seat_in(ballots->countable, lines[i].target))
                n = ++votes[lines[i].target];
            tops = n == 0 || n < most ? tops : n > most ? 1 : tops + 1;
            most = n > most ? n : most;
            if (tops != 1 && ret_ways[from] + 1 < ret_ways[i + 1])
                ret_ways[i + 1] = (uint16_t)(ret_ways[from] + 1);
        }
    }
}

/* Those with the most votes of a ballot. */
static SeatSet top_of(const NlpBallots *ballots, size_t from)
{
    uint8_t votes[SEAT_MAX + 1] = {0};
    uint8_t most = 0;
    SeatSet top = 0;

    for (size_t i = from; i < ballots->count; i++)
        if (seat_in(ballots->countable, ballots->lines[i].target)) {
            uint8_t n = ++votes[ballots->lines[i].target];
            most = n > most ? n : most;
        }
    for (SeatNo seat = 1; seat <= SEAT_MAX && most > 0; seat++)
        if (votes[seat] == most)
            top |= seat_bit(seat);
    return top;
}

/* Where the last ballot begins when it is as long as it can be. */
static size_t last_ballot(const NlpBallots *ballots)
{
    size_t from = ballots->count;

    while (from > 0 &&
           (from == ballots->count || ballots->lines[from - 1].seat < ballots->lines[from].seat))
        from--;
    return from;
}

bool nlp_ballots_explain(const NlpBallots *ballots, SeatNo outcome)
{
    uint16_t ways[NLP_VOTES_MAX + 1];

    divide_ballots(ballots, ways);
    if (outcome == SEAT_NONE)
        return ways[ballots->count] <= ballots->max; /* NO_WAY is more than any */
    for (size_t from = ballots->count; from > last_ballot(ballots); from--)
        if (ways[from - 1] < ballots->max && seat_in(top_of(ballots, from - 1), outcome))
            return true;
    return false;
}

SeatSet nlp_ballots_top(const NlpBallots *ballots)
{
    return top_of(ballots, last_ballot(ballots));
}
