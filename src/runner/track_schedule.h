/* track_schedule.h - the main matches of a natural-language track: how many, who plays which role
 *                    in which.
 *
 * For:    runner/job_nlp.c.
 * Memory: none is kept.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 9: "everybody between the two numbers, each role floor or
 *         one more"; the file is that of docs/spec/nlp-division.md 2.5.
 */
#ifndef WARG_RUNNER_TRACK_SCHEDULE_H
#define WARG_RUNNER_TRACK_SCHEDULE_H

#include "base/err.h"
#include "nlp/config.h"

typedef struct TrackSchedule {
    const Config *config; /* the seats and roles of a match */
    const Str *teams;
    uint32_t team_count;
    uint32_t matches_min, matches_max; /* of each team */
    uint64_t seed;
} TrackSchedule;

/* How many matches: the fewest that give every team `matches_min`, or as few more (not beyond
 * `matches_max`) as make all teams play equally often, and each role too where that can be. Errors:
 * ERR_RULE for fewer teams than seats, or numbers between which nothing fits. */
int track_match_count(const TrackSchedule *schedule, uint32_t *ret_count, Err *err);

/* Writes the schedule to `path` unless there is one, which is gone on with. Errors: those of
 * history_new and history_save, of above. */
int track_schedule_make(const TrackSchedule *schedule, const char *path, Err *err);

#endif
