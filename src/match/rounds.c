#include "match/rounds.h"

#include "base/mem.h"

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The least number of sets in which all sit equally often. */
static uint64_t sets_of_round(const PlanStage *size, uint64_t agents)
{
    if (size->pairing == PAIRING_ALL_PAIRS)
        return agents * (agents - 1);
    return size->blocks ? agents : agents / common_divisor(agents, (uint64_t)size->players);
}

/* Games of everybody in it. */
static uint64_t games_of_each(const PlanStage *size, uint64_t agents)
{
    const uint64_t per_set = (uint64_t)size->games_per_set;

    if (size->pairing == PAIRING_ALL_PAIRS)
        return 2 * (agents - 1) * per_set;
    return sets_of_round(size, agents) * (uint64_t)size->players / agents * per_set;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

Rounds rounds_of_stage(const PlanStage *stage, uint32_t agents)
{
    Rounds rounds = {.parts = plan_stage_parts(stage), .least = 1};

    for (uint32_t part = 0; part < rounds.parts; part++) {
        PlanStage *size = &rounds.sizes[part];
        *size = plan_stage_part(stage, part);
        const uint64_t per_set = (uint64_t)size->games_per_set;
        const uint64_t each = games_of_each(size, agents);
        const uint64_t needed = each ? divide_up(size->min_games, each) : 0;
        rounds.each[part] = each;
        rounds.min_games[part] = size->min_games;
        size->min_games = 0;
        size->games = STAGE_GAMES_MAX;
        size->sets = divide_up(STAGE_GAMES_MAX, per_set);
        rounds.sets[part] = sets_of_round(size, agents);
        rounds.games[part] = rounds.sets[part] * per_set;
        rounds.round_sets += rounds.sets[part];
        rounds.round_games += rounds.games[part];
        rounds.least = needed > rounds.least ? needed : rounds.least;
    }
    return rounds;
}

/* Void games of a set. */
static uint64_t void_games(const JournalVoids *voids, uint32_t number, uint64_t set,
                           uint64_t first_game, uint64_t games)
{
    uint64_t count = 0;

    if (journal_voids_has(voids, ACT_OF_SET, number, set))
        return games;
    for (uint64_t game = first_game; game < first_game + games; game++)
        count += journal_voids_has(voids, ACT_OF_GAME, number, game);
    return count;
}

/* What one size of tables of a round takes from everybody's games that count. */
static void take_void_games(const Draw *draw, const JournalVoids *voids, const StageRun *place,
                            uint64_t *lost)
{
    const uint64_t per_set = (uint64_t)draw->stage->games_per_set;
    uint32_t seats[SEAT_MAX + 1];

    for (uint64_t set = place->first_set; set < place->end_set; set++) {
        const uint64_t games = void_games(voids, place->stage, place->set_base + set,
                                          place->game_base + set * per_set, per_set);
        if (!games)
            continue;
        draw_seats(draw, set, seats);
        for (int32_t seat = 1; seat <= draw->stage->players; seat++)
            lost[seats[seat]] += games;
    }
}

static bool has_everybody(const Rounds *rounds, uint32_t part, uint64_t count, const uint64_t *lost,
                          uint32_t agents)
{
    for (uint32_t agent = 0; rounds->each[part] && agent < agents; agent++)
        if (count * rounds->each[part] < rounds->min_games[part] + lost[agent])
            return false;
    return true;
}

static void make_up_part(Rounds *rounds, uint32_t part, const Draw *draw, const JournalVoids *voids,
                         uint32_t number, uint64_t *lost)
{
    const uint64_t most = STAGE_GAMES_MAX / rounds->round_games;
    StageRun place = {.stage = number};
    uint64_t count = 0;

    while (count < most && (count < rounds->least ||
                            !has_everybody(rounds, part, count, lost, draw->agent_count))) {
        rounds_place(rounds, count++, part, &place);
        take_void_games(draw, voids, &place, lost);
    }
    if (count > rounds->least)
        rounds->least = count;
}

int rounds_make_up(Rounds *rounds, const Draw *draws, const JournalVoids *voids, uint32_t number,
                   Err *err)
{
    for (uint32_t part = 0; part < rounds->parts && voids->count; part++) {
        CLEANUP(mem_freep)
        uint64_t *lost = mem_new(((size_t)draws[part].agent_count + 1) * sizeof(*lost));
        if (!lost)
            return err_set(err, ERR_MEMORY, "rounds: out of memory");
        make_up_part(rounds, part, &draws[part], voids, number, lost);
    }
    return 0;
}

uint64_t rounds_of_set(const Rounds *rounds, uint64_t set)
{
    return set / rounds->round_sets;
}

uint64_t rounds_of_game(const Rounds *rounds, uint64_t game)
{
    return game / rounds->round_games;
}

void rounds_place(const Rounds *rounds, uint64_t round, uint32_t part, StageRun *stage)
{
    uint64_t set = round * rounds->round_sets, game = round * rounds->round_games;

    for (uint32_t before = 0; before < part; before++) {
        set += rounds->sets[before];
        game += rounds->games[before];
    }
    stage->first_set = round * rounds->sets[part];
    stage->end_set = stage->first_set + rounds->sets[part];
    stage->set_base = set - stage->first_set;
    stage->game_base = game - round * rounds->games[part];
}

uint32_t rounds_part(const Rounds *rounds, uint64_t game, uint64_t *ret_game)
{
    const uint64_t round = rounds_of_game(rounds, game);
    uint64_t in_round = game % rounds->round_games;
    uint32_t part = 0;

    while (part + 1 < rounds->parts && in_round >= rounds->games[part])
        in_round -= rounds->games[part++];
    *ret_game = round * rounds->games[part] + in_round;
    return part;
}

bool rounds_go_on(const Rounds *rounds, uint64_t round, int64_t stop_at_ms, int64_t now_ms)
{
    return round < rounds->least || (stop_at_ms && now_ms < stop_at_ms);
}

bool rounds_in_time(const Rounds *rounds, uint64_t round, int64_t stop_at_ms, int64_t ended_ms)
{
    return round < rounds->least || (stop_at_ms && ended_ms <= stop_at_ms + ROUND_LATE_MS);
}
