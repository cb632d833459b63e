/* Ballots, and the execution they decide. docs/spec/protocol-division.md 3.5;
 * docs/spec/nlp-division.md 4.3. */
#include "game/state.h"

/* Without branches on votes, which no processor can guess. */
void ballot_top(const VoteLog *votes, SeatSet countable, SeatSet *ret_top, uint32_t *ret_votes)
{
    uint8_t count[SEAT_MAX + 1] = {0};
    uint8_t most = 0;
    SeatSet top = 0;

    for (uint32_t i = 0; i < votes->count; i++) {
        uint8_t *of = &count[votes->items[i].target];
        *of = (uint8_t)(*of + ((countable >> votes->items[i].target) & 1));
        most = *of > most ? *of : most;
    }
    for (uint32_t i = 0; i < votes->count && most; i++)
        top |= (SeatSet)(count[votes->items[i].target] == most) << votes->items[i].target;
    *ret_top = top;
    *ret_votes = most;
}

/* The vote as it counts: the choice, a random one in its place, or none. */
static SeatNo judged_vote(Game *game, SeatNo voter)
{
    SeatNo target = game->choice[voter];
    SeatSet others = game->alive & ~seat_bit(voter);

    if (seat_in(game->alive, target) && (target != voter || game->rules.vote.self_vote))
        return target;
    if (game->rules.vote.invalid == INVALID_DROP || !others)
        return SEAT_NONE;
    return game_choose(game, CHANCE_VOTE, voter, others);
}

/* Random replacements are drawn in seat order, whatever order the answers came in. */
static void close_ballot(Game *game)
{
    VoteLog *votes = &game->latest_votes;

    votes->day = game->day;
    votes->count = 0;
    for (SeatSet left = game->alive; left; left &= left - 1) {
        SeatNo voter = seat_first(left);
        /* Who went away unasked has no vote; one given before that counts. */
        if (seat_in(game->away, voter) && game->choice[voter] == SEAT_NONE)
            continue;
        SeatNo target = judged_vote(game, voter);
        if (target == SEAT_NONE)
            continue;
        votes->items[votes->count++] = (Vote){voter, target};
        Event *event = game_emit(game, EVENT_VOTE, game->rules.vote.visible ? game->seats : 0);
        event->seat = voter;
        event->target = target;
        event->round = (uint8_t)game->round;
    }
}

/* Who learns of an execution before the morning. */
static SeatSet told_of_execution(const Game *game)
{
    SeatSet actors = game->with_role[ROLE_SEER] | game->with_role[ROLE_BODYGUARD] |
                     game->with_role[ROLE_WEREWOLF];

    return game->rules.secrecy.execution_told == TOLD_EVERYBODY ? game->seats
                                                                : actors & game->alive;
}

void execution_carry_out(Game *game, SeatNo seat)
{
    game->executed_today = seat;
    if (seat != SEAT_NONE && game->rules.vote.effect != EFFECT_MORNING)
        end_kill(game, seat);
    SeatSet told = told_of_execution(game);
    game_emit(game, EVENT_EXECUTE, told)->seat = seat;
    if (seat != SEAT_NONE)
        view_executed(game, told);
}

/* Who is executed by the ballot that was held last. */
void execution_decide(Game *game)
{
    const VoteRules *rules = &game->rules.vote;
    SeatNo seat = SEAT_NONE;
    SeatSet top;
    uint32_t most;

    game->execution_open = false;
    ballot_top(&game->latest_votes, game->alive, &top, &most);
    if (most >= (uint32_t)rules->min_votes && top) {
        if (seat_count_of(top) == 1)
            seat = seat_first(top);
        else if (rules->tie == TIE_RANDOM)
            seat = game_choose(game, CHANCE_EXECUTE, SEAT_NONE, top);
    }
    execution_carry_out(game, seat);
    end_check_death(game);
}

static void open_ballot(Game *game)
{
    game_open(game, ASK_VOTE, game->alive);
}

bool execution_step(Game *game)
{
    const VoteRules *rules = &game->rules.vote;
    SeatSet top;
    uint32_t most;

    if (!game->action_begun) {
        game->action_begun = true;
        game->round = 0;
        if (rules->rounds == 0) /* nobody is ever asked: docs/spec/nlp-division.md 4.3 */
            return true;
        game_emit(game, EVENT_PHASE, game->seats)->action = ACTION_EXECUTION;
        open_ballot(game);
        return false;
    }
    close_ballot(game);
    ballot_top(&game->latest_votes, game->alive, &top, &most);
    if (seat_count_of(top) != 1 && game->round + 1 < (uint32_t)rules->rounds) {
        game->round++;
        open_ballot(game);
        return false;
    }
    if (rules->effect == EFFECT_ATTACK)
        game->execution_open = true;
    else
        execution_decide(game);
    return true;
}
