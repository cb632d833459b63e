/* The state of a schedule. A match that is being played stays among the scheduled ones, and so in
 * the file: after a crash it is played again. */
#include "nlp/history_state.h"

#include "nlp/schedule.h"

#include <assert.h>
#include <math.h>

/* ---- life ---- */

int history_empty(const HistoryPlan *plan, History **ret_history, Err *err)
{
    int rc = schedule_check(plan, err);

    if (rc)
        return rc;
    CLEANUP(history_freep) History *history = mem_new(sizeof(*history));
    if (history)
        history->teams = mem_new(plan->team_count * sizeof(*history->teams));
    if (!history || !history->teams)
        return err_set(err, ERR_MEMORY, "history: out of memory");
    history->plan = *plan;
    *ret_history = TAKE(history);
    return 0;
}

History *history_free(History *history)
{
    if (!history)
        return NULL;
    for (uint32_t team = 0; history->teams && team < history->plan.team_count; team++)
        mem_free(history->teams[team].bytes);
    for (uint32_t i = 0; i < history->game_count; i++)
        mem_free(history->games[i].stem);
    mem_free(history->games);
    mem_free(history->void_games);
    mem_free(history->teams);
    mem_free(history->scheduled);
    mem_free(history->ended);
    return mem_free(history);
}

void history_freep(History **history)
{
    *history = history_free(*history);
}

int history_reserve(History *history, size_t matches, Err *err)
{
    size_t have = (size_t)history->scheduled_count + history->ended_count;

    if (matches > HISTORY_MATCHES_MAX - have)
        return err_set(err, ERR_LIMIT, "history: more than %d matches", HISTORY_MATCHES_MAX);
    size_t need = have + matches;
    if (need > history->ended_room) {
        HistoryMatch *ended = mem_resize(history->ended, need, sizeof(*ended));
        if (!ended)
            return err_set(err, ERR_MEMORY, "history: out of memory");
        history->ended = ended;
        history->ended_room = (uint32_t)need;
    }
    if (history->scheduled_count + matches > history->scheduled_room) {
        size_t room = history->scheduled_count + matches;
        HistoryEntry *scheduled = mem_resize(history->scheduled, room, sizeof(*scheduled));
        if (!scheduled)
            return err_set(err, ERR_MEMORY, "history: out of memory");
        history->scheduled = scheduled;
        history->scheduled_room = (uint32_t)room;
    }
    return 0;
}

void history_add_scheduled(History *history, const HistoryMatch *match)
{
    assert(history->scheduled_count < history->scheduled_room);
    history->scheduled[history->scheduled_count++] = (HistoryEntry){.match = *match};
}

void history_add_ended(History *history, const HistoryMatch *match)
{
    assert(history->ended_count < history->ended_room);
    history->ended[history->ended_count++] = *match;
}

static int add_schedule(History *history, Rng *rng, Err *err)
{
    uint32_t games = history->plan.game_count;

    if (games == 0)
        return 0;
    int rc = history_reserve(history, games, err);
    if (rc)
        return rc;
    CLEANUP(mem_freep) HistoryMatch *matches = mem_new(games * sizeof(*matches));
    if (!matches)
        return err_set(err, ERR_MEMORY, "history: out of memory");
    rc = schedule_draw(&history->plan, rng, matches, err);
    for (uint32_t i = 0; rc == 0 && i < games; i++)
        history_add_scheduled(history, &matches[i]);
    return rc;
}

int history_new(const HistoryPlan *plan, Rng *rng, History **ret_history, Err *err)
{
    CLEANUP(history_freep) History *history = NULL;
    int rc = history_empty(plan, &history, err);

    if (rc == 0)
        rc = add_schedule(history, rng, err);
    if (rc == 0)
        *ret_history = TAKE(history);
    return rc;
}

/* ---- looking ---- */

const HistoryPlan *history_plan(const History *history)
{
    return &history->plan;
}

uint32_t history_team_known(const History *history)
{
    return history->team_known;
}

Str history_team_name(const History *history, uint32_t team)
{
    assert(team < history->plan.team_count);
    return (Str){history->teams[team].bytes, history->teams[team].len};
}

uint32_t history_scheduled_count(const History *history)
{
    return history->scheduled_count;
}

const HistoryMatch *history_scheduled(const History *history, uint32_t index)
{
    assert(index < history->scheduled_count);
    return &history->scheduled[index].match;
}

uint32_t history_ended_count(const History *history)
{
    return history->ended_count;
}

const HistoryMatch *history_ended(const History *history, uint32_t index)
{
    assert(index < history->ended_count);
    return &history->ended[index];
}

/* ---- teams ---- */

int32_t history_find(const History *history, Str name)
{
    for (uint32_t team = 0; team < history->plan.team_count; team++)
        if (history->teams[team].bytes && str_eq(history_team_name(history, team), name))
            return (int32_t)team;
    return -1;
}

int history_set_name(History *history, uint32_t team, Str name, Err *err)
{
    HistoryName *place = &history->teams[team];

    assert(!place->bytes);
    char *copy = mem_new(name.len + 1);
    if (!copy)
        return err_set(err, ERR_MEMORY, "history: out of memory");
    if (name.len)
        memcpy(copy, name.bytes, name.len);
    *place = (HistoryName){.bytes = copy, .len = name.len};
    history->team_known++;
    return 0;
}

int32_t history_team(History *history, Str name, bool *ret_new)
{
    int32_t team = history_find(history, name);

    *ret_new = false;
    if (team >= 0 || history->team_known == history->plan.team_count)
        return team;
    team = 0;
    while (history->teams[team].bytes)
        team++;
    if (history_set_name(history, (uint32_t)team, name, NULL))
        return -1;
    *ret_new = true;
    return team;
}

/* ---- teams that are left out ---- */

void history_leave_out(History *history, uint32_t team, bool left_out)
{
    assert(team < history->plan.team_count);
    history->teams[team].left_out = left_out;
}

bool history_is_skipped(const History *history, const HistoryMatch *match)
{
    for (unsigned i = 0; i < match->count; i++)
        if (history->teams[match->teams[i]].left_out)
            return true;
    return false;
}

uint32_t history_skipped_count(const History *history)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < history->scheduled_count; i++)
        count += !history->scheduled[i].playing &&
                 history_is_skipped(history, &history->scheduled[i].match);
    return count;
}

/* ---- choosing ---- */

bool history_is_used_up(const History *history)
{
    if (!history->plan.infinite_loop || history->plan.game_count == 0)
        return false;
    for (uint32_t i = 0; i < history->scheduled_count; i++)
        if (!history->scheduled[i].playing && history->scheduled[i].match.weight > 0 &&
            !history_is_skipped(history, &history->scheduled[i].match))
            return false;
    return true;
}

bool history_extend(History *history, Rng *rng)
{
    return history_is_used_up(history) && add_schedule(history, rng, NULL) == 0;
}

static bool any_seat(const HistoryMatch *match, const bool *flags, bool wanted)
{
    for (unsigned i = 0; i < match->count; i++)
        if (flags[match->teams[i]] == wanted)
            return true;
    return false;
}

static double effective_weight(const HistoryMatch *match, const double *weight)
{
    double product = match->weight;

    for (unsigned i = 0; weight && i < match->count; i++)
        product *= weight[match->teams[i]];
    return product;
}

/* "The first whose teams are all present, in descending order of weight, stable" is the first
 * heaviest one among those whose teams are present; no order has to be made. A quarantined team is
 * let in only where no other match could be played now (the specification says: none at all): the
 * connections that wait are better used than not. */
int64_t history_choose(const History *history, const bool *present, const double *weight,
                       const bool *quarantined)
{
    int64_t best[2] = {-1, -1}; /* without and with a quarantined team */
    double heaviest[2] = {0, 0};

    for (uint32_t i = 0; i < history->scheduled_count; i++) {
        const HistoryEntry *entry = &history->scheduled[i];
        if (entry->playing || any_seat(&entry->match, present, false) ||
            history_is_skipped(history, &entry->match))
            continue;
        unsigned kind = quarantined && any_seat(&entry->match, quarantined, true);
        double own = effective_weight(&entry->match, weight);
        if (best[kind] < 0 || own > heaviest[kind]) {
            best[kind] = i;
            heaviest[kind] = own;
        }
    }
    return best[0] >= 0 ? best[0] : best[1];
}

void history_begin(History *history, uint32_t index)
{
    assert(index < history->scheduled_count && !history->scheduled[index].playing);
    history->scheduled[index].playing = true;
}

/* The first equal match that is being played; -1 = none. */
static int64_t find_playing(const History *history, const HistoryMatch *match)
{
    for (uint32_t i = 0; i < history->scheduled_count; i++)
        if (history->scheduled[i].playing &&
            history_match_compare(&history->scheduled[i].match, match) == 0)
            return i;
    return -1;
}

void history_end(History *history, const HistoryMatch *match)
{
    int64_t index = find_playing(history, match);

    assert(index >= 0);
    HistoryMatch ended = history->scheduled[index].match;
    memmove(&history->scheduled[index], &history->scheduled[index + 1],
            (history->scheduled_count - (size_t)index - 1) * sizeof(*history->scheduled));
    history->scheduled_count--;
    history_add_ended(history, &ended);
}

void history_abort(History *history, const HistoryMatch *match, double factor)
{
    int64_t index = find_playing(history, match);

    assert(index >= 0);
    HistoryEntry *entry = &history->scheduled[index];
    double weight = entry->match.weight * factor;
    entry->match.weight = isfinite(weight) && weight != 0 ? weight : 0; /* no -0 in the file */
    entry->playing = false;
}

/* ---- played again ---- */

bool history_is_replayed(const History *history, uint64_t game)
{
    for (uint32_t i = 0; i < history->void_count; i++)
        if (history->void_games[i] == game)
            return true;
    return false;
}

int history_reserve_void(History *history, Err *err)
{
    if (history->void_count < history->void_room)
        return 0;
    uint32_t room = history->void_room ? 2 * history->void_room : 16;
    uint64_t *games = mem_resize(history->void_games, room, sizeof(*games));
    if (!games)
        return err_set(err, ERR_MEMORY, "history: out of memory");
    history->void_games = games;
    history->void_room = room;
    return 0;
}

/* Room among the scheduled ones: history_end only ever makes place there. */
static int reserve_scheduled(History *history, Err *err)
{
    if (history->scheduled_count < history->scheduled_room)
        return 0;
    uint32_t room = history->scheduled_room + 16;
    HistoryEntry *scheduled = mem_resize(history->scheduled, room, sizeof(*scheduled));
    if (!scheduled)
        return err_set(err, ERR_MEMORY, "history: out of memory");
    history->scheduled = scheduled;
    history->scheduled_room = room;
    return 0;
}

bool history_match_of(const History *history, SeatNo count, const Str *teams, const Role *roles,
                      HistoryMatch *ret_match)
{
    HistoryMatch match = {.count = count, .weight = 1};

    for (SeatNo seat = 1; seat <= count; seat++) {
        const int32_t team = history_find(history, teams[seat]);
        if (team < 0)
            return false;
        match.teams[seat - 1] = (uint16_t)team;
        match.roles[seat - 1] = (uint8_t)roles[seat];
    }
    history_match_sort(&match);
    *ret_match = match;
    return true;
}

int history_replay(History *history, const HistoryMatch *match, uint64_t game, bool *ret_moved,
                   Err *err)
{
    int rc = history_reserve_void(history, err);
    uint32_t at = history->ended_count; /* the latest of those that are equal */

    if (rc == 0)
        rc = reserve_scheduled(history, err);
    if (rc)
        return rc;
    while (at > 0 && history_match_compare(&history->ended[at - 1], match) != 0)
        at--;
    history->void_games[history->void_count++] = game;
    *ret_moved = at > 0;
    if (at == 0)
        return 0;
    memmove(&history->ended[at - 1], &history->ended[at],
            (history->ended_count - at) * sizeof(*history->ended));
    history->ended_count--;
    history_add_scheduled(history, match);
    return 0;
}

/* ---- -r ---- */

/* An ended match of another history in this one's team indices, and how many of those that are
 * equal to it, from it on, are used up. */
typedef struct Done {
    HistoryMatch match;
    uint32_t used;
} Done;

static int by_match(const void *a, const void *b)
{
    return history_match_compare(&((const Done *)a)->match, &((const Done *)b)->match);
}

static bool translate_match(const HistoryMatch *from, const int32_t *index_of,
                            HistoryMatch *ret_match)
{
    *ret_match = *from;
    for (unsigned i = 0; i < from->count; i++) {
        if (index_of[from->teams[i]] < 0)
            return false;
        ret_match->teams[i] = (uint16_t)index_of[from->teams[i]];
    }
    history_match_sort(ret_match);
    return true;
}

/* Takes one of the done matches that are equal to `match`, if one is left. */
static bool use_up(Done *done, uint32_t count, const HistoryMatch *match)
{
    uint32_t low = 0;
    uint32_t high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (history_match_compare(&done[middle].match, match) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || low + done[low].used >= count ||
        history_match_compare(&done[low + done[low].used].match, match) != 0)
        return false;
    done[low].used++;
    return true;
}

int history_reduce(History *history, const History *done, uint32_t *ret_removed, Err *err)
{
    CLEANUP(mem_freep) int32_t *index_of = mem_new(done->plan.team_count * sizeof(*index_of));
    CLEANUP(mem_freep) Done *list = mem_new(((size_t)done->ended_count + 1) * sizeof(*list));
    uint32_t count = 0;
    uint32_t kept = 0;

    if (!index_of || !list)
        return err_set(err, ERR_MEMORY, "history: out of memory");
    for (uint32_t team = 0; team < done->plan.team_count; team++)
        index_of[team] =
            done->teams[team].bytes ? history_find(history, history_team_name(done, team)) : -1;
    for (uint32_t i = 0; i < done->ended_count; i++)
        if (translate_match(&done->ended[i], index_of, &list[count].match))
            count++;
    qsort(list, count, sizeof(*list), by_match);

    for (uint32_t i = 0; i < history->scheduled_count; i++)
        if (history->scheduled[i].playing || !use_up(list, count, &history->scheduled[i].match))
            history->scheduled[kept++] = history->scheduled[i];
    *ret_removed = history->scheduled_count - kept;
    history->scheduled_count = kept;
    return 0;
}
