/* Who sits where, and as what. All chance comes from streams of numbers derived from the draw's
 * seed; which stream is for what is listed here, so that none is used twice. */
#include "match/pairing.h"

#include "base/rng.h"

#include <assert.h>

/* Children of the draw's seed. Those from 1 on were the seeds of its games before games had keys.
 */
#define STREAM_SEATS  UINT64_C(0) /* its child k: seats of set k */
#define STREAM_BLOCKS UINT64_MAX  /* its child k: permutation k of all agents */
#define STREAM_ROLES  (UINT64_MAX - 1)
/* UINT64_MAX - 2: match/draw_chance.c */
#define STREAM_BLOCK_SEATS (UINT64_MAX - 3) /* its child k: agents and seats of block k */
#define STREAM_BLOCK_ROLES (UINT64_MAX - 4) /* its child k: deals k * players and on */

/* Sets over which the rotation of roles looks back, see "the games that are left". */
#define ROTATION_SETS 64

Draw draw_of_seed(const PlanStage *stage, const Ruleset *rules, uint32_t agents, uint64_t seed)
{
    return (Draw){.stage = stage, .rules = rules, .agent_count = agents, .seed = seed};
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* ---- how many ---- */

/* Ordered pairs of different agents. */
static uint64_t pairs_of(const Draw *draw)
{
    return (uint64_t)draw->agent_count * (draw->agent_count - 1);
}

uint64_t draw_sets(const Draw *draw)
{
    const PlanStage *stage = draw->stage;
    uint64_t per_set = (uint64_t)stage->games_per_set;
    uint64_t players = (uint64_t)stage->players;

    if (stage->sets)
        return stage->sets;
    bool all_pairs = stage->pairing == PAIRING_ALL_PAIRS;
    if (stage->min_games == 0) /* as many as are asked for in all */
        return stage->games    ? divide_up(stage->games, per_set)
               : all_pairs     ? pairs_of(draw)
               : stage->blocks ? draw_block_sets(draw)
                               : 1;
    if (stage->blocks) /* everybody sits in as many sets of one as there are seats */
        return divide_up(stage->min_games, per_set * players) * draw_block_sets(draw);
    uint64_t each = divide_up(stage->min_games, per_set); /* sets that everybody sits in */
    if (all_pairs) /* with n agents each is in 2(n - 1) of n(n - 1) sets */
        return divide_up(each, 2 * ((uint64_t)draw->agent_count - 1)) * pairs_of(draw);
    return divide_up(each * draw->agent_count, players);
}

uint64_t draw_games(const Draw *draw)
{
    uint64_t all = draw_sets(draw) * (uint64_t)draw->stage->games_per_set;

    return draw->stage->games && draw->stage->games < all ? draw->stage->games : all;
}

uint64_t draw_set_of(const Draw *draw, uint64_t game)
{
    return game / (uint64_t)draw->stage->games_per_set;
}

/* ---- blocks ---- */

uint64_t draw_block_sets(const Draw *draw)
{
    return draw->stage->blocks ? draw->agent_count : 0;
}

uint64_t draw_deal_of(const Draw *draw, uint64_t game)
{
    uint64_t per_set = (uint64_t)draw->stage->games_per_set;

    return game / per_set / draw->agent_count * per_set + game % per_set;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint64_t draw_square_sets(const Draw *draw)
{
    uint32_t players = (uint32_t)draw->stage->players;

    return draw_block_sets(draw) *
           (players / common_divisor(players, (uint32_t)draw->stage->games_per_set));
}

/* ---- who plays in a set ---- */

static void shuffle_items(Rng *rng, uint32_t *items, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = rng_below(rng, i);
        uint32_t item = items[i - 1];
        items[i - 1] = items[j];
        items[j] = item;
    }
}

static bool is_among(const uint32_t *items, uint32_t count, uint32_t item)
{
    for (uint32_t i = 0; i < count; i++)
        if (items[i] == item)
            return true;
    return false;
}

/* Permutations of all agents one behind another, cut into sets: whoever has sat k times sits again
 * only when all others have sat k times. */
typedef struct Line {
    const Draw *draw;
    uint64_t block; /* the permutation in `order` */
    uint32_t used;  /* of it */
    uint32_t order[PLAN_AGENTS_MAX];
} Line;

/* The next permutation. Its first `fresh` agents sit down beside the `count` agents of `beside`,
 * and must be none of them: those who are change places with random ones from behind. As there
 * are at least as many agents as seats, there are enough. */
static void next_block(Line *line, const uint32_t *beside, uint32_t count, uint32_t fresh)
{
    uint32_t all = line->draw->agent_count;
    Rng rng = rng_new(rng_derive(rng_derive(line->draw->seed, STREAM_BLOCKS), line->block));

    for (uint32_t i = 0; i < all; i++)
        line->order[i] = i;
    shuffle_items(&rng, line->order, all);
    for (uint32_t i = 0; i < fresh; i++) {
        uint32_t agent = line->order[i];
        if (!is_among(beside, count, agent))
            continue;
        uint32_t j;
        do
            j = fresh + rng_below(&rng, all - fresh);
        while (is_among(beside, count, line->order[j]));
        line->order[i] = line->order[j];
        line->order[j] = agent;
    }
    line->block++;
    line->used = 0;
}

/* The agents of the next set, in ascending order. */
static void next_members(Line *line, uint32_t *ret_members)
{
    uint32_t players = (uint32_t)line->draw->stage->players;

    for (uint32_t i = 0; i < players; i++) {
        if (line->used == line->draw->agent_count)
            next_block(line, ret_members, i, players - i);
        ret_members[i] = line->order[line->used++];
    }
    for (uint32_t i = 1; i < players; i++) /* insertion sort */
        for (uint32_t j = i; j > 0 && ret_members[j] < ret_members[j - 1]; j--) {
            uint32_t member = ret_members[j];
            ret_members[j] = ret_members[j - 1];
            ret_members[j - 1] = member;
        }
}

/* Puts the line in front of a set. At every `period`-th set a permutation begins, so that at most
 * SEAT_MAX permutations are made, whatever the number of the set. */
static void line_begin(Line *line, const Draw *draw, uint64_t set)
{
    uint32_t players = (uint32_t)draw->stage->players;
    uint64_t period = draw->agent_count / common_divisor(draw->agent_count, players);
    uint32_t members[SEAT_MAX];

    line->draw = draw;
    line->block = (set / period) * period * players / draw->agent_count;
    line->used = draw->agent_count;
    for (uint64_t i = 0; i < set % period; i++)
        next_members(line, members);
}

/* The agents of set `set` in ascending order. */
static void draw_members(const Draw *draw, uint64_t set, uint32_t *ret_members)
{
    if (draw->agent_count == (uint32_t)draw->stage->players) {
        for (uint32_t i = 0; i < draw->agent_count; i++)
            ret_members[i] = i;
        return;
    }
    Line line;
    line_begin(&line, draw, set);
    next_members(&line, ret_members);
}

/* ---- pairs ---- */

static bool is_wolf_side(Role role)
{
    return role_side(role) == SIDE_WEREWOLF;
}

/* The roles of a game of `players`, in the order of the enum; role r stands counts[r] times. */
static void all_roles(const Draw *draw, uint8_t ret_roles[static SEAT_MAX],
                      uint8_t ret_counts[static ROLE_COUNT])
{
    uint32_t count = 0;
    int rc = ruleset_roles(draw->rules, draw->stage->players, ret_counts, NULL);

    assert(rc == 0); /* plan_check */
    (void)rc;
    for (uint8_t role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        for (uint8_t i = 0; i < ret_counts[role]; i++)
            ret_roles[count++] = role;
}

/* Who is the village and who the wolves in a set. In every n sets each of n agents is the village
 * once and the wolves once. */
static void pair_of(const Draw *draw, uint64_t set, uint32_t *ret_village, uint32_t *ret_wolves)
{
    uint32_t n = draw->agent_count;
    uint64_t pair = set % pairs_of(draw);

    *ret_village = (uint32_t)(pair % n);
    *ret_wolves = (uint32_t)((pair % n + 1 + pair / n) % n);
}

/* ---- seats ---- */

/* All agents in a drawn order stand in a ring; each set of the block they go on by one place. Of
 * the places as many as there are seats are one. */
static void block_seats(const Draw *draw, uint64_t set, uint32_t ret_agents[static SEAT_MAX + 1])
{
    uint32_t all = draw->agent_count, turn = (uint32_t)(set % all);
    uint64_t block = set / all;
    Rng rng = rng_new(rng_derive(rng_derive(draw->seed, STREAM_BLOCK_SEATS), block));
    uint32_t ring[PLAN_AGENTS_MAX], places[PLAN_AGENTS_MAX];

    for (uint32_t i = 0; i < all; i++)
        ring[i] = places[i] = i;
    shuffle_items(&rng, ring, all);
    shuffle_items(&rng, places, all);
    for (uint32_t i = 0; i < (uint32_t)draw->stage->players; i++)
        ret_agents[i + 1] = ring[(places[i] + turn) % all];
}

void draw_seats(const Draw *draw, uint64_t set, uint32_t ret_agents[static SEAT_MAX + 1])
{
    uint32_t players = (uint32_t)draw->stage->players;

    assert(players <= SEAT_MAX);
    if (draw->stage->blocks) {
        assert(draw->agent_count >= players); /* plan_check */
        block_seats(draw, set, ret_agents);
        return;
    }
    if (draw->stage->pairing == PAIRING_ALL_PAIRS) {
        uint8_t roles[SEAT_MAX], counts[ROLE_COUNT];
        uint32_t village, wolves, seat = 1;
        all_roles(draw, roles, counts);
        pair_of(draw, set, &village, &wolves);
        for (uint32_t i = 0; i < players; i++)
            if (!is_wolf_side((Role)roles[i]))
                ret_agents[seat++] = village;
        while (seat <= players)
            ret_agents[seat++] = wolves;
    } else {
        assert(draw->agent_count >= players); /* plan_check */
        draw_members(draw, set, ret_agents + 1);
    }
    if (draw->rules->contest.agent_index == AGENT_INDEX_CONNECTION)
        return;
    Rng rng = rng_new(rng_derive(rng_derive(draw->seed, STREAM_SEATS), set));
    shuffle_items(&rng, ret_agents + 1, players);
}

/* ---- roles that rotate ----
 *
 * The free agents of a set, f of them, are those without a role of their own; for them there are f
 * roles. Each f games of the set are a Latin square: each agent has each of the roles once. */

typedef struct Table {
    uint32_t free;              /* how many */
    uint8_t roles[SEAT_MAX];    /* theirs, in the order of the enum */
    uint8_t counts[ROLE_COUNT]; /* the same, counted */
} Table;

static Table free_table(const Draw *draw, const PlanAgent *agents, const uint32_t *members)
{
    Table table = {0};
    uint8_t roles[SEAT_MAX];

    all_roles(draw, roles, table.counts);
    for (int32_t i = 0; i < draw->stage->players; i++) {
        Role fixed = agents[members[i]].fixed;
        if (fixed != ROLE_NONE && table.counts[fixed] > 0)
            table.counts[fixed]--;
    }
    for (uint8_t role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        for (uint8_t i = 0; i < table.counts[role]; i++)
            table.roles[table.free++] = role;
    return table;
}

/* Row `row` of Latin square `number` of a set: ret_roles[i] for free agent i. The rows of a cyclic
 * square, with its rows, columns and symbols shuffled. */
static void square_row(uint64_t set_seed, uint64_t number, uint32_t row, const Table *table,
                       uint8_t ret_roles[static SEAT_MAX])
{
    Rng rng = rng_new(rng_derive(set_seed, number));
    uint32_t rows[SEAT_MAX], columns[SEAT_MAX], symbols[SEAT_MAX];

    for (uint32_t i = 0; i < table->free; i++)
        rows[i] = columns[i] = symbols[i] = i;
    shuffle_items(&rng, rows, table->free);
    shuffle_items(&rng, columns, table->free);
    shuffle_items(&rng, symbols, table->free);
    for (uint32_t i = 0; i < table->free; i++)
        ret_roles[i] = table->roles[symbols[(rows[row] + columns[i]) % table->free]];
}

/* The games that are left: 100 games of 15 players are six squares and ten games. In those an agent
 * gets the roles of which it has had too few in the games that were left over by earlier sets. To
 * know that, the sets since the last multiple of ROTATION_SETS are gone through again. */

/* A game is so many parts, so that a share of 1/f of it is a whole number for every f <= 30. */
#define GAME_PARTS INT64_C(2329089562800)
_Static_assert(SEAT_MAX <= 30, "GAME_PARTS is the least common multiple of 1 to 30");

/* What the agents have had too little of: their share of each role less what they had. */
typedef struct Debts {
    int64_t owed[PLAN_AGENTS_MAX][ROLE_COUNT];
} Debts;

/* Roles for agents who[0..free-1]. First the greatest debts, and chance among equals; then two
 * agents change roles as long as that serves both together. */
static void settle_debts(const Debts *debts, const uint32_t *who, const Table *table, Rng *rng,
                         uint8_t ret_roles[static SEAT_MAX])
{
    uint32_t order[SEAT_MAX];
    uint8_t left[ROLE_COUNT];
    bool better = true;

    for (uint32_t i = 0; i < table->free; i++)
        order[i] = i;
    shuffle_items(rng, order, table->free);
    memcpy(left, table->counts, sizeof(left));
    for (uint32_t done = 0; done < table->free; done++) {
        uint32_t best = done;
        uint8_t best_role = ROLE_NONE;
        for (uint32_t i = done; i < table->free; i++)
            for (uint8_t role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
                if (left[role] &&
                    (best_role == ROLE_NONE ||
                     debts->owed[who[order[i]]][role] > debts->owed[who[order[best]]][best_role])) {
                    best = i;
                    best_role = role;
                }
        ret_roles[order[best]] = best_role;
        left[best_role]--;
        uint32_t settled = order[best];
        order[best] = order[done];
        order[done] = settled;
    }
    while (better) { /* ends: the sum of what is paid grows with every change */
        better = false;
        for (uint32_t a = 0; a < table->free; a++)
            for (uint32_t b = 0; b < a; b++) {
                uint8_t of_a = ret_roles[a], of_b = ret_roles[b];
                const int64_t *to_a = debts->owed[who[a]], *to_b = debts->owed[who[b]];
                if (to_a[of_b] + to_b[of_a] <= to_a[of_a] + to_b[of_b])
                    continue;
                ret_roles[a] = of_b;
                ret_roles[b] = of_a;
                better = true;
            }
    }
}

/* Deals `games` games that are left in a set, and writes the roles of the last one. */
static void settle_games(const Table *table, uint64_t set_seed, uint32_t games, Debts *debts,
                         const uint32_t *who, uint8_t ret_roles[static SEAT_MAX])
{
    Rng rng = rng_new(rng_derive(set_seed, UINT64_MAX));

    for (uint32_t game = 0; game < games; game++) {
        for (uint32_t i = 0; i < table->free; i++)
            for (uint8_t role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
                debts->owed[who[i]][role] += table->counts[role] * (GAME_PARTS / table->free);
        settle_debts(debts, who, table, &rng, ret_roles);
        for (uint32_t i = 0; i < table->free; i++)
            debts->owed[who[i]][ret_roles[i]] -= GAME_PARTS;
    }
}

static uint64_t roles_seed(const Draw *draw, uint64_t set)
{
    return rng_derive(rng_derive(draw->seed, STREAM_ROLES), set);
}

/* The roles of game number `game` among those that are left in set `set`, for its free agents in
 * ascending order. */
static void left_over_row(const Draw *draw, const PlanAgent *agents, uint64_t set, uint32_t game,
                          uint8_t ret_roles[static SEAT_MAX])
{
    uint64_t first = set - set % ROTATION_SETS;
    Debts debts;
    Line line;

    memset(debts.owed, 0, draw->agent_count * sizeof(debts.owed[0]));
    line_begin(&line, draw, first);
    for (uint64_t s = first; s <= set; s++) {
        uint32_t members[SEAT_MAX] = {0};
        uint32_t who[SEAT_MAX] = {0}; /* the free ones */
        uint32_t count = 0;
        next_members(&line, members);
        Table table = free_table(draw, agents, members);
        for (int32_t i = 0; i < draw->stage->players; i++)
            if (agents[members[i]].fixed == ROLE_NONE)
                who[count++] = members[i];
        uint32_t games = table.free ? (uint32_t)draw->stage->games_per_set % table.free : 0;
        settle_games(&table, roles_seed(draw, s), s == set ? game + 1 : games, &debts, who,
                     ret_roles);
    }
}

/* As many squares as fit into the set, then what is left. */
static void rotate_seats(const Draw *draw, const PlanAgent *agents, uint64_t game,
                         const uint32_t seated[static SEAT_MAX + 1],
                         uint8_t ret_roles[static SEAT_MAX + 1])
{
    uint64_t set = draw_set_of(draw, game);
    uint32_t number = (uint32_t)(game % (uint64_t)draw->stage->games_per_set);
    uint32_t members[SEAT_MAX] = {0};
    uint8_t roles[SEAT_MAX] = {0};
    uint32_t next = 0;

    draw_members(draw, set, members);
    Table table = free_table(draw, agents, members);
    if (table.free == 0)
        return;
    uint32_t in_squares = (uint32_t)draw->stage->games_per_set / table.free * table.free;
    if (number < in_squares)
        square_row(roles_seed(draw, set), number / table.free, number % table.free, &table, roles);
    else
        left_over_row(draw, agents, set, number - in_squares, roles);
    for (int32_t i = 0; i < draw->stage->players; i++) {
        if (agents[members[i]].fixed != ROLE_NONE)
            continue;
        uint32_t seat = 1;
        while (seated[seat] != members[i])
            seat++;
        ret_roles[seat] = roles[next++];
    }
}

/* ---- roles ---- */

/* The roles of a deal: row by row Latin squares of seats and roles. */
static void deal_roles(const Draw *draw, uint64_t deal, uint8_t ret_roles[static SEAT_MAX + 1])
{
    uint64_t players = (uint64_t)draw->stage->players;
    Table table = {.free = (uint32_t)players};

    all_roles(draw, table.roles, table.counts);
    square_row(rng_derive(draw->seed, STREAM_BLOCK_ROLES), deal / players,
               (uint32_t)(deal % players), &table, ret_roles + 1);
}

/* The village's roles to its copies, the wolves' to theirs, drawn anew for every game. */
static void pair_roles(const Draw *draw, uint64_t game, const uint32_t seated[static SEAT_MAX + 1],
                       uint8_t ret_roles[static SEAT_MAX + 1])
{
    Rng rng = rng_new(rng_derive(rng_derive(draw->seed, STREAM_ROLES), game));
    uint8_t roles[SEAT_MAX], counts[ROLE_COUNT];
    uint32_t order[SEAT_MAX] = {0};
    uint32_t village, wolves;

    all_roles(draw, roles, counts);
    pair_of(draw, draw_set_of(draw, game), &village, &wolves);
    for (uint32_t i = 0; i < (uint32_t)draw->stage->players; i++)
        order[i] = i;
    shuffle_items(&rng, order, (uint32_t)draw->stage->players);
    for (int32_t seat = 1; seat <= draw->stage->players; seat++) {
        uint32_t i = 0;
        while (roles[order[i]] == ROLE_NONE ||
               is_wolf_side((Role)roles[order[i]]) != (seated[seat] == wolves))
            i++;
        ret_roles[seat] = roles[order[i]];
        roles[order[i]] = ROLE_NONE; /* given away */
    }
}

void draw_roles(const Draw *draw, const PlanAgent *agents, uint64_t game,
                uint8_t ret_roles[static SEAT_MAX + 1])
{
    uint32_t seated[SEAT_MAX + 1] = {0};

    if (draw->stage->blocks) {
        deal_roles(draw, draw_deal_of(draw, game), ret_roles);
        return;
    }
    draw_seats(draw, draw_set_of(draw, game), seated);
    if (draw->stage->pairing == PAIRING_ALL_PAIRS) {
        pair_roles(draw, game, seated, ret_roles);
        return;
    }
    for (int32_t seat = 1; seat <= draw->stage->players; seat++)
        ret_roles[seat] = agents ? agents[seated[seat]].fixed : ROLE_NONE;
    if (agents && draw->stage->pairing == PAIRING_ROTATE)
        rotate_seats(draw, agents, game, seated, ret_roles);
}
