/* sheet_pick.h - which games of a track are judged.
 *
 * For:    a contest's sheets; its audit, which picks again.
 * Memory: the caller's.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 10.1, 11.2: key (evaluation, "pick").
 *
 * Teams, and teams in each role, are to be seen as equally often as can be. Since every game has
 * the same seats, that is the least sum of squares of how often each is seen: the game that adds
 * least to it is taken next, then games are exchanged while the sum falls. Ties go by the key.
 */
#ifndef WARG_JUDGING_SHEET_PICK_H
#define WARG_JUDGING_SHEET_PICK_H

#include "base/err.h"
#include "base/key.h"
#include "game/role.h"

#define PICK_GAMES_MAX 1000000
#define PICK_TEAMS_MAX 4096

/* A decided game of the track. The order of games must be one that all know: of their ids. */
typedef struct PickGame {
    SeatNo seat_count;
    uint16_t teams[SEAT_MAX + 1]; /* [1..seat_count], below `team_count` */
    Role roles[SEAT_MAX + 1];
} PickGame;

/* The key of a track's pick: of ("pick"), by the track's name. */
Key sheet_pick_key(const Key *evaluation, Str track);

/* Chooses min(wanted, count) games into ret_chosen[0..]: indices, ascending; and how many into
 * *ret_count. Behind them, at ret_chosen[*ret_count..], stand `*ret_spare` <= `spares` more, as
 * well chosen: for calibration. Errors: ERR_LIMIT, ERR_MEMORY; ERR_RULE for a team beyond
 * team_count. */
typedef struct PickWish {
    const PickGame *games;
    uint32_t count;
    uint32_t team_count;
    uint32_t wanted;
    uint32_t spares;
    const Key *key;
} PickWish;

int sheet_pick(const PickWish *wish, uint32_t *ret_chosen, uint32_t *ret_count, uint32_t *ret_spare,
               Err *err);

#endif
