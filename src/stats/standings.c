#include "stats/standings.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>

void standings_init(Standings *standings)
{
    *standings = (Standings){0};
}

void standings_done(Standings *standings)
{
    mem_free(standings->agents);
    mem_free(standings->places);
    standings_init(standings);
}

/* ---- finding a name ---- */

static bool name_is(const Standing *agent, Str name)
{
    return name.len <= AGENT_NAME_MAX && memcmp(agent->name, name.bytes, name.len) == 0 &&
           agent->name[name.len] == '\0';
}

/* The place where the name is, or the free one where it would be. */
static uint32_t place_of(const Standings *standings, Str name)
{
    uint32_t mask = standings->place_count - 1;
    uint32_t place = str_hash(name) & mask;

    while (standings->places[place] != 0 &&
           !name_is(&standings->agents[standings->places[place] - 1], name))
        place = (place + 1) & mask;
    return place;
}

const Standing *standings_find(const Standings *standings, Str name)
{
    if (standings->count == 0)
        return NULL;
    uint32_t index = standings->places[place_of(standings, name)];
    return index ? &standings->agents[index - 1] : NULL;
}

static void fill_places(Standings *standings)
{
    memset(standings->places, 0, standings->place_count * sizeof(*standings->places));
    for (uint32_t i = 0; i < standings->count; i++)
        standings->places[place_of(standings, str_of(standings->agents[i].name))] = i + 1;
}

/* Room for `more` agents; the hash table stays at most half full. */
static int make_room(Standings *standings, uint32_t more, Err *err)
{
    uint32_t needed = standings->count + more, room = standings->room ? standings->room : 32;

    if (needed <= standings->room)
        return 0;
    while (room < needed)
        room *= 2;
    Standing *agents = mem_resize(standings->agents, room, sizeof(*agents));
    if (agents)
        standings->agents = agents;
    uint32_t *places =
        agents ? mem_resize(standings->places, 2 * (size_t)room, sizeof(*places)) : NULL;
    if (!places)
        return err_set(err, ERR_MEMORY, "standings of %u agents: out of memory", needed);
    standings->places = places;
    standings->place_count = 2 * room;
    standings->room = room;
    fill_places(standings);
    return 0;
}

static Standing *agent_of(Standings *standings, Str name)
{
    uint32_t place = place_of(standings, name);

    assert(standings->agents); /* make_room came before */
    if (standings->places[place] == 0) {
        Standing *agent = &standings->agents[standings->count++];
        *agent = (Standing){0};
        memcpy(agent->name, name.bytes, name.len);
        standings->places[place] = standings->count;
    }
    return &standings->agents[standings->places[place] - 1];
}

/* ---- adding ---- */

/* Names of a game that are not in the standings, each once. */
static uint32_t count_unknown(const Standings *standings, const GameResult *game)
{
    uint32_t unknown = 0;

    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        bool known = standings_find(standings, game->names[seat]) != NULL;
        for (SeatNo before = 1; before < seat; before++)
            known = known || str_eq(game->names[before], game->names[seat]);
        unknown += !known;
    }
    return unknown;
}

static int check_game(const Standings *standings, const GameResult *game, Err *err)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        Str name = game->names[seat];
        if (name.len == 0 || name.len > AGENT_NAME_MAX || memchr(name.bytes, '\0', name.len))
            return err_set(err, ERR_LIMIT,
                           "seat %u: the name '%.*s' has %zu bytes; 1 to %d are counted", seat,
                           STR_ARG(str_part(name, 0, 80)), name.len, AGENT_NAME_MAX);
        if (game->roles[seat] <= ROLE_NONE || game->roles[seat] >= ROLE_COUNT)
            return err_set(err, ERR_RULE, "seat %u has no role", seat);
    }
    if (standings->count + game->seat_count > STANDINGS_AGENTS_MAX &&
        standings->count + count_unknown(standings, game) > STANDINGS_AGENTS_MAX)
        return err_set(err, ERR_LIMIT, "more than %d different agents", STANDINGS_AGENTS_MAX);
    return 0;
}

static void count_tally(Tally *tally, bool won)
{
    tally->games++;
    tally->wins += won;
}

int standings_add_game(Standings *standings, const GameResult *game, Err *err)
{
    int rc = game->seat_count > SEAT_MAX
                 ? err_set(err, ERR_RULE, "a game of %u players", game->seat_count)
                 : check_game(standings, game, err);

    if (rc == 0)
        rc = make_room(standings, game->seat_count, err);
    if (rc)
        return rc;
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        Role role = game->roles[seat];
        bool won = game->winner != SIDE_NONE && role_side(role) == game->winner;
        Standing *agent = agent_of(standings, game->names[seat]);
        count_tally(&agent->all, won);
        count_tally(&agent->roles[role], won);
        agent->points += game->points[seat];
    }
    standings->games++;
    standings->wins[game->winner]++;
    standings->days += game->last_day;
    standings->revote_days += game->revote_days;
    standings->execution_days += game->execution_days;
    standings->attacks += game->attacks;
    standings->attack_kills += game->attack_kills;
    return 0;
}

static void add_conduct(Conduct *conduct, const Conduct *other)
{
    conduct->substituted += other->substituted;
    conduct->ruled_void += other->ruled_void;
    conduct->violations += other->violations;
    conduct->faults += other->faults;
    conduct->decisions += other->decisions;
    conduct->own += other->own;
    conduct->eliminated |= other->eliminated;
}

int standings_add_conduct(Standings *standings, Str name, const Conduct *conduct, Err *err)
{
    int rc = make_room(standings, 1, err);

    if (rc == 0)
        add_conduct(&agent_of(standings, name)->conduct, conduct);
    return rc;
}

int standings_set_model(Standings *standings, Str name, const DecisionModel *model, Err *err)
{
    int rc = model->name[0] ? make_room(standings, 1, err) : 0;

    if (rc == 0 && model->name[0])
        agent_of(standings, name)->model = *model;
    return rc;
}

static void add_tally(Tally *tally, Tally other)
{
    tally->games += other.games;
    tally->wins += other.wins;
}

int standings_merge(Standings *standings, const Standings *other, Err *err)
{
    for (uint32_t i = 0; i < other->count; i++) {
        const Standing *from = &other->agents[i];
        Str name = str_of(from->name);
        if (!standings_find(standings, name) && standings->count >= STANDINGS_AGENTS_MAX)
            return err_set(err, ERR_LIMIT, "more than %d different agents", STANDINGS_AGENTS_MAX);
        int rc = make_room(standings, 1, err);
        if (rc)
            return rc;
        Standing *agent = agent_of(standings, name);
        add_tally(&agent->all, from->all);
        for (size_t role = 0; role < ROLE_COUNT; role++)
            add_tally(&agent->roles[role], from->roles[role]);
        agent->points += from->points;
        add_conduct(&agent->conduct, &from->conduct);
        if (from->model.name[0])
            agent->model = from->model;
    }
    standings->games += other->games;
    for (size_t side = 0; side <= SIDE_OTHERS; side++)
        standings->wins[side] += other->wins[side];
    standings->days += other->days;
    standings->revote_days += other->revote_days;
    standings->execution_days += other->execution_days;
    standings->attacks += other->attacks;
    standings->attack_kills += other->attack_kills;
    return 0;
}

static void take_tally(Tally *tally, Tally games)
{
    tally->games -= games.games;
    tally->wins -= games.wins;
}

void standings_take_out(Standings *standings, const Standings *games)
{
    for (uint32_t i = 0; i < games->count; i++) {
        const Standing *from = &games->agents[i];
        if (!standings_find(standings, str_of(from->name)))
            continue;
        Standing *agent = agent_of(standings, str_of(from->name));
        take_tally(&agent->all, from->all);
        for (size_t role = 0; role < ROLE_COUNT; role++)
            take_tally(&agent->roles[role], from->roles[role]);
        agent->points -= from->points;
        agent->conduct.substituted -= from->conduct.substituted;
        agent->conduct.violations -= from->conduct.violations;
        agent->conduct.faults -= from->conduct.faults;
    }
    standings->games -= games->games;
    for (size_t side = 0; side <= SIDE_OTHERS; side++)
        standings->wins[side] -= games->wins[side];
    standings->days -= games->days;
    standings->revote_days -= games->revote_days;
    standings->execution_days -= games->execution_days;
    standings->attacks -= games->attacks;
    standings->attack_kills -= games->attack_kills;
}

/* ---- order ---- */

/* a.wins/a.games against b.wins/b.games without rounding. */
static int compare_rates(Tally a, Tally b)
{
    __extension__ typedef unsigned __int128 Wide;
    Wide left = (Wide)a.wins * b.games, right = (Wide)b.wins * a.games;

    return (left < right) - (left > right);
}

static uint64_t own_games(const Conduct *conduct, uint64_t games)
{
    return games > conduct->substituted ? games - conduct->substituted : 0;
}

uint64_t standing_own_games(const Standing *standing)
{
    return own_games(&standing->conduct, standing->all.games);
}

static Conduct conduct_of(const SeatRecord *seat)
{
    Conduct conduct = {.substituted = seat->failed,
                       .violations = seat->faults[FAULT_VIOLATION],
                       .decisions = seat->decisions,
                       .own = seat->own};

    for (size_t kind = 0; kind < FAULT_COUNT; kind++)
        if (kind != FAULT_VIOLATION)
            conduct.faults += seat->faults[kind];
    return conduct;
}

int standings_add_record(Standings *standings, const GameRecord *record, Err *err)
{
    int rc = standings_add_game(standings, &record->result, err);

    for (SeatNo seat = 1; rc == 0 && seat <= record->result.seat_count; seat++) {
        const Conduct conduct = conduct_of(&record->seats[seat]);
        rc = standings_add_conduct(standings, record->result.names[seat], &conduct, err);
    }
    return rc;
}

/* Who failed in it did not play it. */
int standings_add_void(Standings *standings, const GameRecord *record, Err *err)
{
    int rc = 0;

    for (SeatNo seat = 1; rc == 0 && record->is_ruled_void && seat <= record->result.seat_count;
         seat++) {
        const Conduct conduct = {.ruled_void = !record->seats[seat].failed};
        rc = standings_add_conduct(standings, record->result.names[seat], &conduct, err);
    }
    return rc;
}

static bool is_only_void(const Standing *agent)
{
    const Conduct *conduct = &agent->conduct;

    return agent->all.games == 0 && conduct->ruled_void > 0 && conduct->decisions == 0 &&
           !conduct->eliminated;
}

void standings_forget_void(Standings *standings)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < standings->count; i++)
        if (!is_only_void(&standings->agents[i]))
            standings->agents[kept++] = standings->agents[i];
    if (kept == standings->count)
        return;
    standings->count = kept;
    fill_places(standings);
}

bool conduct_ranks(const Conduct *conduct, uint64_t games, uint64_t min_games)
{
    uint64_t own = own_games(conduct, games);

    if (conduct->eliminated || (conduct->decisions > 0 && conduct->own == 0))
        return false;
    return own > 0 && (conduct->substituted == 0 || own + conduct->ruled_void >= min_games);
}

/* Ranks are 1 for those who are ranked, 0 for the others. */
static int better_agent(const void *left, const void *right)
{
    const Standing *a = left, *b = right;
    int order = (int)b->rank - (int)a->rank;

    if (order == 0)
        order = compare_rates(a->all, b->all);
    if (order == 0)
        order = (a->all.games < b->all.games) - (a->all.games > b->all.games);
    return order ? order : strcmp(a->name, b->name);
}

void standings_rank(Standings *standings, uint64_t min_games)
{
    Standing *agents = standings->agents;

    standings->min_games = min_games;
    if (standings->count == 0)
        return;
    for (uint32_t i = 0; i < standings->count; i++)
        agents[i].rank = conduct_ranks(&agents[i].conduct, agents[i].all.games, min_games);
    qsort(agents, standings->count, sizeof(*agents), better_agent);
    for (uint32_t i = 1; i < standings->count && agents[i].rank; i++)
        agents[i].rank =
            compare_rates(agents[i - 1].all, agents[i].all) == 0 ? agents[i - 1].rank : i + 1;
    fill_places(standings);
}

uint32_t standings_ranked(const Standings *standings)
{
    uint32_t count = 0;

    while (count < standings->count && standings->agents[count].rank)
        count++;
    return count;
}

/* ---- intervals ---- */

Interval wilson_interval(uint64_t wins, uint64_t games, double z)
{
    if (games == 0)
        return (Interval){0, 0, 1};
    double n = (double)games, p = (double)wins / n;
    double scale = 1 + z * z / n;
    double centre = (p + z * z / (2 * n)) / scale;
    double half = z / scale * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    double low = wins == 0 ? 0 : fmax(0, centre - half);
    double high = wins == games ? 1 : fmin(1, centre + half);

    return (Interval){p, low, high};
}
