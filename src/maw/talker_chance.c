/* talker_chance.c - what a talker does now and then. */
#include "maw/talker.h"

bool talker_draws(MawTalker *talker, uint32_t of_hundred)
{
    return rng_below(talker->rng, 100) < of_hundred;
}

bool talker_draws_for_round(const MawTalker *talker, const char *what, uint32_t of_hundred)
{
    return rng_derive(rng_derive_text(talker->seed, str_of(what)), talker->mind.round) % 100 <
           of_hundred;
}

bool talker_draws_for_phase(const MawTalker *talker, const char *what, uint32_t of_hundred)
{
    uint64_t round = rng_derive(rng_derive_text(talker->seed, str_of(what)), talker->round);

    return rng_derive(round, talker->phase_no) % 100 < of_hundred;
}
