/* measures.h - measures of play: shares of votes, executions, survivals and claims, by role.
 *
 * For:    `warg standings --measures`, the report, `warg log show --measures`.
 * Memory: plain values.
 * Thread: pure.
 * Source: docs/statistics.md, "Measures of play", which says where each is from; how a seat's
 *         counts are made: record/play_meter.h.
 */
#ifndef WARG_STATS_MEASURES_H
#define WARG_STATS_MEASURES_H

#include "base/json.h"
#include "game/role.h"
#include "record/seat_play.h"

/* In the order of tables. */
typedef enum Measure {
    MEASURE_VILLAGE_VOTES,    /* of the village's ballots: for a werewolf */
    MEASURE_HITS,             /* of these on days on which one was executed: for that one */
    MEASURE_EXECUTIONS,       /* of executions that the village's seats lived to see: of one */
    MEASURE_FIRST_EXECUTIONS, /* the same of a game's first */
    MEASURE_WOLVES_VOTES,     /* of werewolves' ballots with a mate alive: for a mate */
    MEASURE_SURVIVAL,         /* of seats: alive at the end */
    MEASURE_KEY_SURVIVAL,     /* the same of seer, medium and bodyguard */
    MEASURE_TRUE_CLAIMS,      /* of seats: said to all that they have the role that they have */
    MEASURE_FALSE_CLAIMS,     /* ... another role */
    MEASURE_COUNT,
} Measure;

/* Seats that were counted, and the sums of their counts, by role. */
typedef struct PlaySums {
    uint64_t seats[ROLE_COUNT];
    uint64_t of[ROLE_COUNT][PLAY_COUNTS];
} PlaySums;

void play_sums_add(PlaySums *sums, Role role, const SeatPlay *play);

/* A share: `count` of `of`; of nothing when the measure is not one of this role, or nothing was
 * counted. */
typedef struct MeasureShare {
    uint64_t count;
    uint64_t of;
} MeasureShare;

/* In one role; ROLE_NONE: in all roles together. */
MeasureShare measure_share(const PlaySums *sums, Measure measure, Role role);

/* Adds a member "measures" to an open object: of each measure of which there is something, in all
 * roles, `count`, `of`, `rate`, `low`, `high`. Nothing where nothing was counted. */
void measures_put_json(const PlaySums *sums, Json *json);

/* "village_votes", "hits", ...: for programs. "" for MEASURE_COUNT. */
const char *measure_name(Measure measure);

#endif
