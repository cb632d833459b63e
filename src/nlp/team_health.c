/* Each team has a ring of its last games, allocated with its first one. */
#include "nlp/team_health.h"

#include <assert.h>

/* Anybody may come with any name; the teams of a contest are a hundred at most. Those beyond are
 * simply not known. */
#define TEAM_HEALTH_TEAMS_MAX  10000
#define TEAM_HEALTH_WINDOW_MAX 10000

typedef struct Team {
    char *name;
    size_t name_len;
    TeamGame *window;  /* window_size of them; the newest is at (games - 1) % window_size */
    TeamStatus totals; /* what is counted over the whole run; the rest is filled in for readers */
} Team;

struct TeamHealth {
    ConfigHealth config;
    uint32_t window_size;
    Team **teams; /* sorted by name */
    uint32_t count;
    uint32_t room;
};

int team_health_new(const ConfigHealth *config, TeamHealth **ret_health, Err *err)
{
    TeamHealth *health = mem_new(sizeof(*health));

    if (!health)
        return err_set(err, ERR_MEMORY, "team health: out of memory");
    health->config = *config;
    health->window_size = config->window < 1                        ? 1
                          : config->window > TEAM_HEALTH_WINDOW_MAX ? TEAM_HEALTH_WINDOW_MAX
                                                                    : (uint32_t)config->window;
    *ret_health = health;
    return 0;
}

static Team *team_free(Team *team)
{
    if (team) {
        mem_free(team->name);
        mem_free(team->window);
    }
    return mem_free(team);
}

TeamHealth *team_health_free(TeamHealth *health)
{
    if (!health)
        return NULL;
    for (uint32_t i = 0; i < health->count; i++)
        team_free(health->teams[i]);
    mem_free(health->teams);
    return mem_free(health);
}

/* ---- finding ---- */

static Str name_of(const Team *team)
{
    return (Str){team->name, team->name_len};
}

static int compare_names(Str a, Str b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len ? memcmp(a.bytes, b.bytes, len) : 0;

    return order ? order : a.len < b.len ? -1 : a.len > b.len;
}

/* Where the team is, or would be. */
static uint32_t place_of(const TeamHealth *health, Str name)
{
    uint32_t low = 0;
    uint32_t high = health->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_names(name_of(health->teams[middle]), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static Team *find_team(const TeamHealth *health, Str name)
{
    uint32_t place = place_of(health, name);

    return place < health->count && str_eq(name_of(health->teams[place]), name)
               ? health->teams[place]
               : NULL;
}

static Team *team_new(Str name)
{
    Team *team = mem_new(sizeof(*team));

    if (!team)
        return NULL;
    team->name = mem_new(name.len + 1);
    if (!team->name)
        return team_free(team);
    if (name.len)
        memcpy(team->name, name.bytes, name.len);
    team->name_len = name.len;
    return team;
}

/* The team, made when it is new; NULL when there are too many, or there is no memory. */
static Team *find_or_add(TeamHealth *health, Str name)
{
    Team *team = find_team(health, name);

    if (team || health->count >= TEAM_HEALTH_TEAMS_MAX)
        return team;
    if (health->count == health->room) {
        uint32_t room = health->room ? 2 * health->room : 16;
        Team **teams = mem_resize(health->teams, room, sizeof(Team *));
        if (!teams)
            return NULL;
        health->teams = teams;
        health->room = room;
    }
    team = team_new(name);
    if (!team)
        return NULL;
    uint32_t place = place_of(health, name);
    memmove(&health->teams[place + 1], &health->teams[place],
            (health->count - place) * sizeof(Team *));
    health->teams[place] = team;
    health->count++;
    return team;
}

/* ---- the rates of 2.6 ---- */

static uint32_t in_window(const TeamHealth *health, const Team *team)
{
    return team->totals.games < health->window_size ? team->totals.games : health->window_size;
}

static double failure_rate(const TeamHealth *health, const Team *team)
{
    const ConfigHealth *config = &health->config;
    uint32_t games = in_window(health, team);
    uint64_t requests = 0;
    uint64_t errors = 0;
    uint32_t fatal = 0;
    uint32_t aborted = 0;

    for (uint32_t i = 0; i < games; i++) {
        requests += team->window[i].requests;
        errors += team->window[i].request_errors;
        fatal += team->window[i].fatal;
        aborted += team->window[i].aborted;
    }
    if (games == 0)
        return 0;
    double weights = config->score_fatal + config->score_abort;
    double sum = (config->score_fatal * fatal + config->score_abort * aborted) / games;
    if (requests) {
        weights += config->score_request_error;
        sum += config->score_request_error * (double)errors / (double)requests;
    }
    return weights > 0 ? sum / weights : 0;
}

static bool known_well(const TeamHealth *health, const Team *team)
{
    return health->config.min_games <= 0 ||
           team->totals.games >= (uint32_t)health->config.min_games;
}

static double weight_of(const TeamHealth *health, const Team *team)
{
    if (!health->config.enable || !known_well(health, team))
        return 1;
    double weight = 1 - failure_rate(health, team);
    return weight > health->config.weight_floor ? weight : health->config.weight_floor;
}

static bool is_quarantined(const TeamHealth *health, const Team *team, int64_t now_ms)
{
    return health->config.enable && team->totals.quarantined_until_ms > now_ms;
}

/* ---- what happens ---- */

void team_health_seen(TeamHealth *health, Str team, int64_t now_ms)
{
    Team *found = find_or_add(health, team);

    if (found)
        found->totals.last_seen_ms = now_ms;
}

void team_health_begin(TeamHealth *health, Str team)
{
    Team *found = find_or_add(health, team);

    if (found)
        found->totals.active_games++;
}

static void count_game(TeamStatus *totals, const TeamGame *game)
{
    totals->games++;
    totals->requests += game->requests;
    totals->request_errors += game->request_errors;
    totals->fatal_games += game->fatal;
    totals->aborted_games += game->aborted;
    if (totals->active_games)
        totals->active_games--;
}

bool team_health_end(TeamHealth *health, Str team, const TeamGame *game, int64_t now_ms)
{
    Team *found = find_or_add(health, team);

    if (!found)
        return false;
    if (!found->window)
        found->window = mem_new(health->window_size * sizeof(*found->window));
    if (!found->window) { /* no memory: not counted, but over */
        found->totals.active_games -= found->totals.active_games > 0;
        return false;
    }
    found->window[found->totals.games % health->window_size] = *game;
    count_game(&found->totals, game);
    if (!health->config.enable || !known_well(health, found) ||
        is_quarantined(health, found, now_ms) ||
        !(failure_rate(health, found) > health->config.quarantine_rate))
        return false;
    found->totals.quarantined_until_ms = now_ms + health->config.quarantine_ms;
    found->totals.quarantine_count++;
    return true;
}

/* ---- looking ---- */

double team_health_weight(const TeamHealth *health, Str team)
{
    const Team *found = find_team(health, team);

    return found ? weight_of(health, found) : 1;
}

bool team_health_quarantined(const TeamHealth *health, Str team, int64_t now_ms)
{
    const Team *found = find_team(health, team);

    return found && is_quarantined(health, found, now_ms);
}

static void tell_team(const TeamHealth *health, const Team *team, int64_t now_ms, TeamStatus *ret)
{
    *ret = team->totals;
    ret->name = name_of(team);
    ret->failure_rate = failure_rate(health, team);
    ret->weight = weight_of(health, team);
    ret->quarantined = is_quarantined(health, team, now_ms);
    if (!ret->quarantined)
        ret->quarantined_until_ms = 0;
}

bool team_health_at(const TeamHealth *health, uint32_t index, int64_t now_ms, TeamStatus *ret)
{
    if (index >= health->count)
        return false;
    tell_team(health, health->teams[index], now_ms, ret);
    return true;
}

bool team_health_find(const TeamHealth *health, Str team, int64_t now_ms, TeamStatus *ret)
{
    const Team *found = find_team(health, team);

    if (!found)
        return false;
    tell_team(health, found, now_ms, ret);
    return true;
}
