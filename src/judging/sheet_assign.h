/* sheet_assign.h - who judges which game.
 *
 * For:    a contest's sheets; its audit, which assigns again.
 * Memory: the caller's.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 10.2, 11.2 (key (evaluation, "assign")), O32.
 *
 * Loads differ by at most one, as far as the bars let them: nobody judges its own team. Pairs of
 * judges meet as evenly as can be: as few squares as exchanges find. Ties go by the key.
 */
#ifndef WARG_JUDGING_SHEET_ASSIGN_H
#define WARG_JUDGING_SHEET_ASSIGN_H

#include "base/err.h"
#include "base/key.h"
#include "game/role.h"

#define ASSIGN_JUDGES_MAX 256
#define ASSIGN_GAMES_MAX  4096

typedef struct AssignWish {
    uint32_t games;
    uint32_t judges;    /* in an order that all know */
    uint32_t raters;    /* of each game; fewer where bars leave no more */
    const bool *barred; /* [judge * games + game]; NULL: nobody is */
    const Key *key;
} AssignWish;

/* The key of a track's assignment: of ("assign"), by the track's name. */
Key sheet_assign_key(const Key *evaluation, Str track);

/* Sets ret_rates[judge * games + game]. Errors: ERR_LIMIT, ERR_MEMORY. */
int sheet_assign(const AssignWish *wish, bool *ret_rates, Err *err);

/* The order in which sheet `sheet` of a judge shows the seats: a shuffle by the track's key. */
void sheet_order(const Key *assign, uint32_t judge, uint64_t sheet, SeatNo seat_count,
                 SeatNo ret_order[static SEAT_MAX]);

#endif
