/* What seer, bodyguard and wolves do at night. docs/spec/protocol-division.md 3.6;
 * docs/spec/nlp-division.md 4.3. */
#include "game/state.h"

/* Opens the ask once; true when there is nobody to ask. */
static bool begin_action(Game *game, Action action, AskKind kind, SeatSet seats)
{
    game->action_begun = true;
    game->round = 0;
    memset(game->choice, SEAT_NONE, sizeof(game->choice));
    seats &= ~game->away;
    if (!seats)
        return true;
    game_emit(game, EVENT_PHASE, seats)->action = action;
    game_open(game, kind, seats);
    return false;
}

/* ---- divination ---- */

static void divine_target(Game *game, SeatNo seer)
{
    SeatNo target = game->choice[seer];

    if (!seat_in(game->alive, target) || (target == seer && !game->rules.ability.divine_self))
        return;
    Species species = role_species((Role)game->roles[target]);
    game->divined[seer] = (Judge){
        .day = (uint16_t)(game->day + 1), .agent = seer, .target = target, .result = species};
    if (game->roles[target] == ROLE_FOX)
        game->cursed |= seat_bit(target);
    Event *event = game_emit(game, EVENT_DIVINE, seat_bit(seer));
    event->seat = seer;
    event->target = target;
    event->species = species;
}

bool divine_step(Game *game)
{
    SeatSet seers = game->alive & game->with_role[ROLE_SEER];

    if (!game->action_begun)
        return begin_action(game, ACTION_DIVINE, ASK_DIVINE, seers);
    for (SeatSet left = seers; left; left &= left - 1)
        divine_target(game, seat_first(left));
    return true;
}

/* ---- guard ---- */

bool guard_step(Game *game)
{
    SeatSet guards =
        game->alive & game->with_role[ROLE_BODYGUARD] & ~seat_bit(game->executed_today);

    if (!game->action_begun)
        return begin_action(game, ACTION_GUARD, ASK_GUARD, guards);
    for (SeatSet left = guards; left; left &= left - 1) {
        SeatNo guard = seat_first(left);
        SeatNo target = game->choice[guard];
        SeatSet valid = game->rules.ability.guard_dead ? game->seats : game->alive;
        if (!seat_in(valid, target) || target == guard)
            continue;
        game->guarded_today[guard] = target;
        Event *event = game_emit(game, EVENT_GUARD, seat_bit(guard));
        event->seat = guard;
        event->target = target;
    }
    return true;
}

/* ---- attack ---- */

static bool attack_vote_is_recorded(const Game *game, SeatNo wolf, SeatNo target)
{
    const AttackRules *rules = &game->rules.attack;

    if (!seat_in(game->alive, target))
        return false;
    if (!seat_in(game->with_role[ROLE_WEREWOLF], target))
        return true;
    return rules->vote_for_wolf && (target != wolf || rules->self_vote);
}

static void close_ballot(Game *game)
{
    VoteLog *votes = &game->latest_attack_votes;
    SeatSet wolves = game->alive & game->with_role[ROLE_WEREWOLF];

    votes->day = game->day;
    votes->count = 0;
    for (SeatSet left = wolves; left; left &= left - 1) {
        SeatNo wolf = seat_first(left);
        SeatNo target = game->choice[wolf];
        if (!attack_vote_is_recorded(game, wolf, target))
            continue;
        votes->items[votes->count++] = (Vote){wolf, target};
        Event *event = game_emit(game, EVENT_ATTACK_VOTE, view_of_wolves(game));
        event->seat = wolf;
        event->target = target;
        event->round = (uint8_t)game->round;
    }
}

static bool is_guarded(const Game *game, SeatNo target)
{
    SeatSet guards = game->alive & game->with_role[ROLE_BODYGUARD];

    for (SeatSet left = guards; left; left &= left - 1)
        if (game->guarded_today[seat_first(left)] == target)
            return true;
    return false;
}

void attack_carry_out(Game *game, SeatNo target)
{
    bool killed =
        target != SEAT_NONE && !is_guarded(game, target) && game->roles[target] != ROLE_FOX;
    SeatSet known_to = view_of_wolves(game); /* the victim is no ghost yet */

    game->attacked_today = target;
    if (killed) {
        game->killed_today = target;
        end_kill(game, target);
    }
    Event *event = game_emit(game, EVENT_ATTACK, known_to);
    event->target = target;
    event->killed = killed;
}

/* The candidates of the ballot just closed, out of those who lived when it was opened.
 * NO_VOTE_HUMANS is the old server's extra point for every living human, which decides only when
 * no wolf named one. The vote of a wolf that was executed today does not count. */
static SeatSet candidates(const Game *game, SeatSet living)
{
    SeatSet humans = living & ~game->with_role[ROLE_WEREWOLF];
    VoteLog counted = {0};
    SeatSet top;
    uint32_t most;

    for (uint8_t i = 0; i < game->latest_attack_votes.count; i++)
        if (game->latest_attack_votes.items[i].voter != game->executed_today)
            counted.items[counted.count++] = game->latest_attack_votes.items[i];
    ballot_top(&counted, humans, &top, &most);
    if (!top && game->rules.attack.no_vote == NO_VOTE_HUMANS)
        return humans;
    return top;
}

/* EFFECT_ATTACK: the execution is decided here. Returns whether a wolf is left to attack. */
static bool execution_first(Game *game)
{
    if (game->execution_open)
        execution_decide(game);
    return (game->alive & game->with_role[ROLE_WEREWOLF]) != 0;
}

/* Before another ballot the wolves may whisper first. */
static bool open_next_ballot(Game *game, SeatSet wolves)
{
    if (game->whisper_between && !speech_step(game, &game->whisper))
        return false;
    game->whisper_between = false;
    game_open(game, ASK_ATTACK, wolves);
    return false;
}

bool attack_step(Game *game)
{
    SeatSet wolves = game->alive & game->with_role[ROLE_WEREWOLF];
    const AttackRules *rules = &game->rules.attack;

    if (game->whisper_between)
        return open_next_ballot(game, wolves);
    if (!(wolves & ~seat_bit(game->executed_today)) ||
        rules->rounds == 0) { /* also when the last one left during the vote */
        execution_first(game);
        return true;
    }
    if (!game->action_begun) {
        if (!begin_action(game, ACTION_ATTACK, ASK_ATTACK, wolves))
            return false;
    }
    close_ballot(game);
    SeatSet living = game->alive;
    if (!execution_first(game))
        return true;
    SeatSet top = candidates(game, living);
    if (seat_count_of(top) != 1 && game->round + 1 < (uint32_t)rules->rounds) {
        game->round++;
        game->whisper_between = rules->whisper_before_revote;
        return open_next_ballot(game, wolves);
    }
    SeatNo target = SEAT_NONE;
    if (seat_count_of(top) == 1)
        target = seat_first(top);
    else if (top && rules->tie == TIE_RANDOM)
        target = game_choose(game, CHANCE_ATTACK, SEAT_NONE, top);
    if (target != SEAT_NONE && !seat_in(game->alive, target)) /* EFFECT_ATTACK */
        target = SEAT_NONE;
    attack_carry_out(game, target);
    end_check_death(game);
    return true;
}
