#include "runner/track_schedule.h"

#include "nlp/history.h"

#include <unistd.h>

/* Whether so many matches give all teams, and in each role, the same. */
static bool is_even(const TrackSchedule *schedule, const uint8_t counts[static ROLE_COUNT],
                    uint64_t matches, bool roles)
{
    const uint64_t teams = schedule->team_count;

    if (matches * (uint64_t)schedule->config->agent_count % teams)
        return false;
    for (unsigned role = 0; role < ROLE_COUNT && roles; role++)
        if (matches * counts[role] % teams)
            return false;
    return true;
}

int track_match_count(const TrackSchedule *schedule, uint32_t *ret_count, Err *err)
{
    const uint64_t seats = (uint64_t)schedule->config->agent_count, teams = schedule->team_count;
    uint8_t counts[ROLE_COUNT];
    int rc = ruleset_roles(&schedule->config->rules, schedule->config->agent_count, counts, err);

    if (rc)
        return rc;
    if (teams < seats || teams > HISTORY_TEAMS_MAX)
        return err_set(err, ERR_RULE, "%u teams for matches of %u", schedule->team_count,
                       (unsigned)seats);
    const uint64_t least = (schedule->matches_min * teams + seats - 1) / seats;
    const uint64_t most = schedule->matches_max * teams / seats;
    if (least == 0 || least > most || least > HISTORY_MATCHES_MAX)
        return err_set(
            err, ERR_RULE, "no number of matches gives each of %u teams %u to %u matches of %u",
            schedule->team_count, schedule->matches_min, schedule->matches_max, (unsigned)seats);
    for (int roles = 1; roles >= 0; roles--)
        for (uint64_t matches = least; matches <= most && matches <= HISTORY_MATCHES_MAX; matches++)
            if (is_even(schedule, counts, matches, roles)) {
                *ret_count = (uint32_t)matches;
                return 0;
            }
    *ret_count = (uint32_t)least;
    return 0;
}

int track_schedule_make(const TrackSchedule *schedule, const char *path, Err *err)
{
    CLEANUP(history_freep) History *history = NULL;
    HistoryPlan plan = {.team_count = schedule->team_count};
    Rng rng = rng_new(schedule->seed);

    if (access(path, F_OK) == 0)
        return 0;
    int rc = track_match_count(schedule, &plan.game_count, err);
    if (rc == 0)
        rc = ruleset_roles(&schedule->config->rules, schedule->config->agent_count,
                           plan.role_counts, err);
    if (rc == 0)
        rc = history_new(&plan, &rng, &history, err);
    for (uint32_t i = 0; i < schedule->team_count && rc == 0; i++) {
        bool is_new = false;
        if (history_team(history, schedule->teams[i], &is_new) < 0 || !is_new)
            rc = err_set(err, ERR_RULE, "team '%.*s' is there twice", STR_ARG(schedule->teams[i]));
    }
    return rc ? rc : history_save(history, path, err);
}
