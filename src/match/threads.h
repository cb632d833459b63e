/* set.h - a game set: the same agents, N games, roles drawn anew for each, on some threads.
 *
 * For:    `warg run`. Game number k of a set depends on the plan and k alone, so the number of
 *         threads changes nothing but the time.
 * Memory: set_play owns its threads and referees; the plan is borrowed for the call.
 * Thread: call from one thread; `finished` is called from the workers, `progress` from yours.
 * Source: spec/protocol-division.md 8.1; regulation of 2021, 2.1: agent indices are fixed during
 *         a set and drawn at random for each.
 */
#ifndef WARG_MATCH_SET_H
#define WARG_MATCH_SET_H

#include "base/buf.h"
#include "bot/bot.h"
#include "match/standings.h"

#define SET_JOBS_MAX  256
#define SET_GAMES_MAX 1000000000

/* One who plays. Agents with the same name are one line of the standings. */
typedef struct SetAgent {
    char name[STANDINGS_NAME_MAX + 1];
    const BotKind *kind;
    Role fixed; /* the role it gets in every game; ROLE_NONE = drawn */
} SetAgent;

typedef struct SetPlan {
    Ruleset rules;
    int32_t players;
    SetAgent agents[SEAT_MAX]; /* `players` of them */
    uint64_t games;
    uint64_t seed;
    uint32_t jobs; /* threads */

    /* A game is over. `log` is its aiwolf log, empty without `logs`; borrowed for the call.
     * An error ends the set. May be NULL. */
    int (*finished)(void *user, uint64_t game, Str log, Err *err);
    /* Called about ten times a second. False ends the set after the games under way. May be NULL.
     */
    bool (*progress)(void *user, uint64_t games_done);
    void *user;
    bool logs;
} SetPlan;

/* Plays the games of the plan and adds their results to `standings` (initialised by the caller).
 * Ended early by progress() it returns 0 too: standings->games says how many were played.
 * Errors: as game_new and standings_add_game, those of `finished`, and ERR_MEMORY; the games that
 * were finished are added then, too. */
int set_play(const SetPlan *plan, Standings *standings, Err *err);

/* The seats of the agents in game `game`: ret_agents[seat] is an index into plan->agents. */
void set_seats(const SetPlan *plan, uint64_t game, uint8_t ret_agents[static SEAT_MAX + 1]);

/* The seed of game `game`. */
uint64_t set_game_seed(const SetPlan *plan, uint64_t game);

#endif
