/* team_health.h - how reliable each team is of late: weights for matching, quarantine.
 *
 * For:    the hall, /api/v1/teams, notices.
 * Memory: a TeamHealth owns its teams.
 * Thread: one at a time; pure: time is an argument (unix milliseconds).
 * Source: docs/spec/nlp-division.md 2.6; team object of 1.1.
 */
#ifndef WARG_NLP_TEAM_HEALTH_H
#define WARG_NLP_TEAM_HEALTH_H

#include "nlp/config.h"

typedef struct TeamHealth TeamHealth;

/* What a team did in one finished game, all its seats together. */
typedef struct TeamGame {
    uint32_t requests;       /* with a reply awaited */
    uint32_t request_errors; /* of those, failed */
    bool fatal;              /* a seat of it became errored */
    bool aborted;            /* the game was, for errors */
} TeamGame;

/* For readers; `name` is borrowed. Totals are of the whole run, failure_rate of the window. */
typedef struct TeamStatus {
    Str name;
    uint32_t games;
    uint64_t requests;
    uint64_t request_errors;
    uint32_t fatal_games;
    uint32_t aborted_games;
    double failure_rate;
    double weight;
    bool quarantined;
    int64_t quarantined_until_ms; /* 0 = not */
    uint32_t quarantine_count;
    uint32_t active_games;
    int64_t last_seen_ms; /* 0 = never */
} TeamStatus;

int team_health_new(const ConfigHealth *config, TeamHealth **ret_health, Err *err);
TeamHealth *team_health_free(TeamHealth *health);

void team_health_seen(TeamHealth *health, Str team, int64_t now_ms);
void team_health_begin(TeamHealth *health, Str team);
/* True when the team is quarantined from now on: tell somebody. */
bool team_health_end(TeamHealth *health, Str team, const TeamGame *game, int64_t now_ms);
/* 1 when it is off or the team unknown. */
double team_health_weight(const TeamHealth *health, Str team);
bool team_health_quarantined(const TeamHealth *health, Str team, int64_t now_ms);
/* The teams sorted by name, bytewise; false beyond the last. */
bool team_health_at(const TeamHealth *health, uint32_t index, int64_t now_ms, TeamStatus *ret);
bool team_health_find(const TeamHealth *health, Str team, int64_t now_ms, TeamStatus *ret);

#endif
