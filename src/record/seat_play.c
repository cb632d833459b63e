#include "record/seat_play.h"

static const char *const names[PLAY_COUNTS] = {
    [PLAY_VOTES] = "votes",
    [PLAY_WOLF_VOTES] = "wolf_votes",
    [PLAY_MATE_VOTES] = "mate_votes",
    [PLAY_WOLF_DAYS] = "wolf_day_votes",
    [PLAY_HITS] = "hits",
    [PLAY_EXECUTIONS] = "executions",
    [PLAY_WOLF_EXECUTIONS] = "wolf_executions",
    [PLAY_FIRSTS] = "first_executions",
    [PLAY_WOLF_FIRSTS] = "wolf_first_executions",
    [PLAY_SURVIVED] = "survived",
    [PLAY_TRUE_CLAIMS] = "true_claims",
    [PLAY_FALSE_CLAIMS] = "false_claims",
};

/* What is a part of what. */
static const struct {
    PlayCount part;
    PlayCount whole;
} parts[] = {
    {PLAY_WOLF_VOTES, PLAY_VOTES},
    {PLAY_MATE_VOTES, PLAY_VOTES},
    {PLAY_WOLF_DAYS, PLAY_VOTES},
    {PLAY_HITS, PLAY_WOLF_DAYS},
    {PLAY_WOLF_EXECUTIONS, PLAY_EXECUTIONS},
    {PLAY_FIRSTS, PLAY_EXECUTIONS},
    {PLAY_WOLF_FIRSTS, PLAY_FIRSTS},
};

const char *play_count_name(PlayCount count)
{
    return count < PLAY_COUNTS ? names[count] : "";
}

bool seat_play_possible(const SeatPlay *play)
{
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (play->of[parts[i].part] > play->of[parts[i].whole])
            return false;
    for (PlayCount count = PLAY_FIRSTS; count < PLAY_COUNTS; count++)
        if (play->of[count] > 1)
            return false;
    return play->of[PLAY_VOTES] <= PLAY_COUNT_MAX && play->of[PLAY_EXECUTIONS] <= PLAY_COUNT_MAX;
}
