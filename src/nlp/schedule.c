/* The teams of a match come from a shuffled deck of all teams that is dealt to its end before it is
 * shuffled again, so the numbers of games differ by at most 1. Roles are then given one by one to
 * whom they were given least, and pairs of teams change roles inside a match as long as that makes
 * the whole more even. An attempt that is as even as any can be ends the search. */
#include "nlp/schedule.h"

#include "nlp/history_state.h"

#include <inttypes.h>

/* Looks at a pair of teams, in all attempts together: about a tenth of a second. G * T * 5 attempts
 * (2.5) alone are no bound: a contest of 100 teams and 1,000 games would draw for hours. The first
 * attempt is always made, and is nearly even already. */
#define SCHEDULE_WORK_MAX UINT64_C(20000000)

typedef struct Draft {
    const HistoryPlan *plan;
    Rng *rng;
    uint8_t seats;
    uint8_t pack[SEAT_MAX]; /* role by seat, ascending */
    HistoryMatch *matches;
    uint32_t *played; /* [team * ROLE_COUNT + role] */
    uint16_t *deck;
    uint32_t dealt;
    uint32_t *last_match; /* by team: 1 + the match it was dealt into last */
    uint64_t work;
} Draft;

uint8_t schedule_seats(const HistoryPlan *plan)
{
    unsigned seats = 0;

    for (unsigned role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        seats += plan->role_counts[role];
    return (uint8_t)(seats <= SEAT_MAX ? seats : 0);
}

int schedule_check(const HistoryPlan *plan, Err *err)
{
    uint8_t seats = schedule_seats(plan);

    if (seats == 0 || plan->role_counts[ROLE_NONE])
        return err_set(err, ERR_RULE, "schedule: a match has 1 to %d seats with a role", SEAT_MAX);
    if (plan->team_count > HISTORY_TEAMS_MAX)
        return err_set(err, ERR_RULE, "schedule: %" PRIu32 " teams; at most %d can be scheduled",
                       plan->team_count, HISTORY_TEAMS_MAX);
    if (plan->team_count < seats)
        return err_set(err, ERR_RULE,
                       "schedule: a match has %u seats, each for another team, and there are only "
                       "%" PRIu32 " teams",
                       seats, plan->team_count);
    if (plan->game_count > HISTORY_MATCHES_MAX)
        return err_set(err, ERR_RULE, "schedule: %" PRIu32 " games; at most %d can be scheduled",
                       plan->game_count, HISTORY_MATCHES_MAX);
    return 0;
}

/* ---- matches ---- */

void history_match_sort(HistoryMatch *match)
{
    for (unsigned i = 1; i < match->count; i++) {
        uint8_t role = match->roles[i];
        uint16_t team = match->teams[i];
        unsigned at = i;

        for (; at > 0 && (match->roles[at - 1] > role ||
                          (match->roles[at - 1] == role && match->teams[at - 1] > team));
             at--) {
            match->roles[at] = match->roles[at - 1];
            match->teams[at] = match->teams[at - 1];
        }
        match->roles[at] = role;
        match->teams[at] = team;
    }
}

int history_match_compare(const HistoryMatch *a, const HistoryMatch *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (unsigned i = 0; i < a->count; i++) {
        if (a->roles[i] != b->roles[i])
            return a->roles[i] < b->roles[i] ? -1 : 1;
        if (a->teams[i] != b->teams[i])
            return a->teams[i] < b->teams[i] ? -1 : 1;
    }
    return 0;
}

/* ---- how even ---- */

static uint64_t squared_deviation(uint64_t teams, uint64_t played, uint64_t total)
{
    uint64_t have = teams * played;
    uint64_t off = have > total ? have - total : total - have;

    return off * off;
}

/* Fits: teams * played is at most 2^30, and no role's squares are larger in sum than if one team
 * had played all its games: 2^60. */
static uint64_t unevenness(const HistoryPlan *plan, const uint32_t *played)
{
    uint64_t sum = 0;

    for (uint32_t team = 0; team < plan->team_count; team++)
        for (unsigned role = 0; role < ROLE_COUNT; role++)
            sum += squared_deviation(plan->team_count, played[team * ROLE_COUNT + role],
                                     (uint64_t)plan->role_counts[role] * plan->game_count);
    return sum;
}

uint64_t schedule_least(const HistoryPlan *plan)
{
    uint64_t sum = 0;

    for (unsigned role = 0; role < ROLE_COUNT; role++) {
        uint64_t total = (uint64_t)plan->role_counts[role] * plan->game_count;
        uint64_t each = total / plan->team_count;
        uint64_t once_more = total % plan->team_count;
        sum += (plan->team_count - once_more) * squared_deviation(plan->team_count, each, total) +
               once_more * squared_deviation(plan->team_count, each + 1, total);
    }
    return sum;
}

static void count_played(const HistoryPlan *plan, const HistoryMatch *matches, uint32_t *played)
{
    for (uint32_t i = 0; i < plan->game_count; i++)
        for (uint8_t seat = 0; seat < matches[i].count; seat++)
            played[matches[i].teams[seat] * ROLE_COUNT + matches[i].roles[seat]]++;
}

uint64_t schedule_unevenness(const HistoryPlan *plan, const HistoryMatch *matches)
{
    size_t counts = (size_t)plan->team_count * ROLE_COUNT;
    CLEANUP(mem_freep) uint32_t *played = mem_new(counts * sizeof(*played));

    if (!played)
        return UINT64_MAX;
    count_played(plan, matches, played);
    return unevenness(plan, played);
}

/* ---- one attempt ---- */

static void shuffle_deck(Draft *draft)
{
    for (uint32_t left = draft->plan->team_count; left > 1; left--) {
        uint32_t at = rng_below(draft->rng, left);
        uint16_t team = draft->deck[at];
        draft->deck[at] = draft->deck[left - 1];
        draft->deck[left - 1] = team;
    }
    draft->dealt = 0;
}

/* A team that isn't in match `number` yet. There is one: a new deck has all teams, of which fewer
 * than a match's seats are in it. */
static uint16_t deal_team(Draft *draft, uint32_t number)
{
    if (draft->dealt == draft->plan->team_count)
        shuffle_deck(draft);
    uint32_t at = draft->dealt;
    while (draft->last_match[draft->deck[at]] == number + 1)
        at++;
    uint16_t team = draft->deck[at];
    draft->deck[at] = draft->deck[draft->dealt];
    draft->deck[draft->dealt++] = team;
    draft->last_match[team] = number + 1;
    return team;
}

static uint32_t *played_by(const Draft *draft, uint16_t team)
{
    return &draft->played[(size_t)team * ROLE_COUNT];
}

/* Gives the seats, in random order, each to the team that had its role least. */
static void give_roles(Draft *draft, HistoryMatch *match, const uint16_t *teams)
{
    uint16_t left[SEAT_MAX];
    uint8_t seats[SEAT_MAX];

    memcpy(left, teams, draft->seats * sizeof(*left));
    for (uint8_t i = 0; i < draft->seats; i++)
        seats[i] = i;
    for (uint8_t count = draft->seats; count > 0; count--) {
        uint32_t drawn = rng_below(draft->rng, count);
        uint8_t seat = seats[drawn];
        uint8_t role = match->roles[seat];
        uint8_t best = 0;

        seats[drawn] = seats[count - 1];
        for (uint8_t i = 1; i < count; i++)
            if (played_by(draft, left[i])[role] < played_by(draft, left[best])[role])
                best = i;
        match->teams[seat] = left[best];
        played_by(draft, left[best])[role]++;
        left[best] = left[count - 1];
    }
    draft->work += (uint64_t)draft->seats * draft->seats;
}

/* Lets the teams of two seats change roles when that makes the sum of squares smaller, or leaves
 * it as it is and a coin says so: ways out of a corner lead over such steps. */
static bool change_roles(Draft *draft, HistoryMatch *match, uint8_t seat, uint8_t other)
{
    uint8_t role = match->roles[seat];
    uint8_t other_role = match->roles[other];

    if (role == other_role)
        return false;
    uint32_t *a = played_by(draft, match->teams[seat]);
    uint32_t *b = played_by(draft, match->teams[other]);
    int64_t gain = (int64_t)a[role] + b[other_role] - a[other_role] - b[role];
    if (gain < 2 || (gain == 2 && rng_below(draft->rng, 2)))
        return false;

    uint16_t team = match->teams[seat];
    match->teams[seat] = match->teams[other];
    match->teams[other] = team;
    a[role]--, a[other_role]++;
    b[other_role]--, b[role]++;
    return gain > 2;
}

static bool improve_match(Draft *draft, HistoryMatch *match)
{
    bool better = false;

    for (uint8_t seat = 0; seat < match->count; seat++)
        for (uint8_t other = (uint8_t)(seat + 1); other < match->count; other++)
            better |= change_roles(draft, match, seat, other);
    draft->work += (uint64_t)match->count * match->count / 2;
    return better;
}

/* Goes on until several passes in a row have found nothing. */
static void improve_draft(Draft *draft)
{
    const unsigned enough = 8;
    unsigned idle = 0;

    while (idle < enough) {
        bool better = false;
        for (uint32_t i = 0; i < draft->plan->game_count; i++) {
            if (draft->work > SCHEDULE_WORK_MAX)
                return;
            better |= improve_match(draft, &draft->matches[i]);
        }
        idle = better ? 0 : idle + 1;
    }
}

static void attempt_draft(Draft *draft)
{
    uint32_t teams = draft->plan->team_count;

    memset(draft->played, 0, (size_t)teams * ROLE_COUNT * sizeof(*draft->played));
    memset(draft->last_match, 0, teams * sizeof(*draft->last_match));
    shuffle_deck(draft);
    for (uint32_t i = 0; i < draft->plan->game_count; i++) {
        HistoryMatch *match = &draft->matches[i];
        uint16_t chosen[SEAT_MAX] = {0};

        *match = (HistoryMatch){.count = draft->seats, .weight = 1};
        memcpy(match->roles, draft->pack, sizeof(match->roles));
        for (uint8_t k = 0; k < draft->seats; k++)
            chosen[k] = deal_team(draft, i);
        give_roles(draft, match, chosen);
    }
    improve_draft(draft);
}

/* ---- the search ---- */

static void search_draft(Draft *draft, HistoryMatch *ret_matches)
{
    const HistoryPlan *plan = draft->plan;
    uint64_t attempts = (uint64_t)plan->game_count * plan->team_count * 5;
    uint64_t least = schedule_least(plan);
    uint64_t best = UINT64_MAX;

    for (uint64_t i = 0; i < attempts && best > least; i++) {
        if (i > 0 && draft->work > SCHEDULE_WORK_MAX)
            return;
        attempt_draft(draft);
        uint64_t found = unevenness(plan, draft->played);
        if (found < best) {
            best = found;
            memcpy(ret_matches, draft->matches, plan->game_count * sizeof(*ret_matches));
        }
    }
}

static void begin_draft(Draft *draft)
{
    uint8_t seat = 0;

    for (uint8_t role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        for (uint8_t k = 0; k < draft->plan->role_counts[role] && seat < SEAT_MAX; k++)
            draft->pack[seat++] = role;
    for (uint32_t team = 0; team < draft->plan->team_count; team++)
        draft->deck[team] = (uint16_t)team;
}

int schedule_draw(const HistoryPlan *plan, Rng *rng, HistoryMatch *ret_matches, Err *err)
{
    int rc = schedule_check(plan, err);

    if (rc || plan->game_count == 0)
        return rc;
    size_t teams = plan->team_count;
    CLEANUP(mem_freep) HistoryMatch *matches = mem_new(plan->game_count * sizeof(*matches));
    CLEANUP(mem_freep) uint32_t *played = mem_new(teams * ROLE_COUNT * sizeof(*played));
    CLEANUP(mem_freep) uint32_t *last_match = mem_new(teams * sizeof(*last_match));
    CLEANUP(mem_freep) uint16_t *deck = mem_new(teams * sizeof(*deck));
    Draft draft = {.plan = plan,
                   .rng = rng,
                   .seats = schedule_seats(plan),
                   .matches = matches,
                   .played = played,
                   .deck = deck,
                   .last_match = last_match};

    if (!matches || !played || !last_match || !deck)
        return err_set(err, ERR_MEMORY, "schedule: out of memory");
    begin_draft(&draft);
    search_draft(&draft, ret_matches);
    for (uint32_t i = 0; i < plan->game_count; i++)
        history_match_sort(&ret_matches[i]);
    return 0;
}
