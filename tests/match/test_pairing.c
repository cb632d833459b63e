#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/draw_chance.h"
#include "prop.h"
#include "sanitized.h"

static Ruleset rules_of(const char *preset)
{
    Ruleset rules;

    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    return rules;
}

/* ---- the same games as ever ---- */

/* As version 0.1 of `warg run` drew the seats of `players` agents. */
static void seats_of_old(uint64_t seed, uint64_t set, uint32_t players,
                         uint32_t ret_agents[static SEAT_MAX + 1])
{
    Rng rng = rng_new(rng_derive(rng_derive(seed, 0), set));

    for (uint32_t i = 0; i < players; i++)
        ret_agents[i + 1] = i;
    for (uint32_t i = players; i > 1; i--) {
        uint32_t j = 1 + rng_below(&rng, i);
        uint32_t agent = ret_agents[i];
        ret_agents[i] = ret_agents[j];
        ret_agents[j] = agent;
    }
}

static bool with_one_agent_a_seat_nothing_changed(Rng *rng, unsigned size)
{
    Ruleset rules = rules_of("aiwolf-2021");
    PlanStage stage = {.players = rng_below(rng, 2) ? 5 : 15,
                       .games_per_set = 1 + (int32_t)rng_below(rng, size),
                       .sets = 1};
    bool in_order = rng_below(rng, 4) == 0;
    uint64_t seed = rng_next(rng);
    Draw draw = draw_of_seed(&stage, &rules, (uint32_t)stage.players, stage_seed_old(seed, 0));

    rules.contest.agent_index = in_order ? AGENT_INDEX_CONNECTION : AGENT_INDEX_SET;
    for (uint64_t game = 0; game < 4 * size; game++) {
        uint32_t before[SEAT_MAX + 1], now[SEAT_MAX + 1];
        seats_of_old(seed, game / (uint64_t)stage.games_per_set, draw.agent_count, before);
        draw_seats(&draw, draw_set_of(&draw, game), now);
        for (uint32_t seat = 1; seat <= draw.agent_count; seat++)
            if (now[seat] != (in_order ? seat - 1 : before[seat]))
                return false;
        const GameKey key = draw_game_key(&draw, game);
        if (!key.old || game_key_seed(&key) != rng_derive(seed, game + 1))
            return false;
    }
    return true;
}

static void one_agent_a_seat_gives_the_seats_and_seeds_of_a_plain_run(void **state)
{
    (void)state;
    prop_check(with_one_agent_a_seat_nothing_changed, 200, 100);
}

static void every_stage_of_old_has_its_own_seed(void **state)
{
    (void)state;
    assert_true(stage_seed_old(7, 0) == 7);
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = 0; b < a; b++)
            assert_true(stage_seed_old(7, a) != stage_seed_old(7, b));
}

/* ---- keys ---- */

/* docs/spec/contest-operations.md B.2. */
static void draws_and_games_of_a_key_are_those_of_the_specification(void **state)
{
    const PlanStage stage = {.players = 5, .games_per_set = 100, .sets = 1};
    Ruleset rules = rules_of("aiwolf-2021");
    Key key;

    (void)state;
    assert_true(key_from_hex(
        STR("31e388b46c9562a80954d4a155c4db7348e6f4bc8e8ebd2776b5f8bd41c1c3ab"), &key));
    const Draw draw = draw_of_key(&stage, &rules, 5, &key, 0);
    const Draw part = draw_of_key(&stage, &rules, 5, &key, 1);
    const GameKey game = draw_game_key(&draw, 0), other = draw_game_key(&part, 0);
    assert_true(draw.seed == UINT64_C(16475516833981132671));
    assert_false(game.old);
    assert_true(game_key_seed(&game) == UINT64_C(5301947842732992141));
    assert_true(game_key_seed(&other) != game_key_seed(&game) && part.seed != draw.seed);
}

static Plan plan_of_stages(PlanChance chance)
{
    Plan plan = {.seed = 42, .stage_count = 2};
    const Key key = key_of_seed(1);

    memcpy(plan.stages[0].name, "preliminary", 12);
    memcpy(plan.stages[1].name, "final", 6);
    plan_use_key(&plan, &key);
    plan.chance = chance;
    return plan;
}

/* docs/spec/contest-operations.md 11.1, 11.2, B.1. */
static void every_stage_has_a_key_of_its_own(void **state)
{
    const Plan of_seed = plan_of_stages(PLAN_CHANCE_SEED);
    Plan of_key = plan_of_stages(PLAN_CHANCE_KEY);
    Key keys[] = {plan_stage_key(&of_seed, 0), plan_stage_key(&of_seed, 1),
                  plan_stage_key(&of_key, 0), plan_stage_key(&of_key, 1)};
    char hex[KEY_HEX_BYTES];

    (void)state;
    key_to_hex(&keys[0], hex);
    assert_string_equal(hex, "1adc7b40232a7bd7911d3522303b5754f5a23f032ffd1919de7c05ad79e1839b");
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            assert_memory_not_equal(&keys[a], &keys[b], sizeof(Key));
    const Key expected = key_of_stage(&of_key.stages[1].secret, STR("run"), STR("final"));
    assert_memory_equal(&keys[3], &expected, sizeof(Key));
    memcpy(of_key.name, "cup2027", 8);
    const Key named = plan_stage_key(&of_key, 1);
    const Key of_cup = key_of_stage(&of_key.stages[1].secret, STR("cup2027"), STR("final"));
    assert_memory_equal(&named, &of_cup, sizeof(Key));
}

/* ---- who sits ---- */

/* A random stage with more agents than seats. */
static Draw crowd(Rng *rng, unsigned size, Ruleset *rules, PlanStage *stage)
{
    static const int32_t players[] = {3, 4, 5, 9, 15, 18};

    *rules = rules_of("aiwolf-server");
    *stage = (PlanStage){.players = players[rng_below(rng, 6)],
                         .games_per_set = 1 + (int32_t)rng_below(rng, 100)};
    if (rng_below(rng, 4) == 0)
        rules->contest.agent_index = AGENT_INDEX_CONNECTION;
    uint32_t agents = (uint32_t)stage->players + rng_below(rng, size);
    return draw_of_seed(stage, rules, agents, rng_next(rng));
}

static bool all_sit_equally_often(Rng *rng, unsigned size)
{
    Ruleset rules;
    PlanStage stage;
    Draw draw = crowd(rng, size, &rules, &stage);
    uint32_t sat[256] = {0};

    for (uint64_t set = 0; set < 100; set++) {
        uint32_t seated[SEAT_MAX + 1];
        bool here[256] = {0};
        uint32_t least = UINT32_MAX, most = 0;
        draw_seats(&draw, set, seated);
        for (int seat = 1; seat <= stage.players; seat++) {
            if (seated[seat] >= draw.agent_count || here[seated[seat]])
                return false; /* nobody, or somebody twice */
            here[seated[seat]] = true;
            sat[seated[seat]]++;
            if (rules.contest.agent_index == AGENT_INDEX_CONNECTION && seat > 1 &&
                seated[seat] < seated[seat - 1])
                return false;
        }
        for (uint32_t i = 0; i < draw.agent_count; i++) {
            least = sat[i] < least ? sat[i] : least;
            most = sat[i] > most ? sat[i] : most;
        }
        if (most - least > 1)
            return false;
    }
    return true;
}

static void after_any_number_of_sets_all_have_sat_equally_often_but_for_one(void **state)
{
    (void)state;
    prop_check(all_sit_equally_often, 300, 60);
}

static bool everybody_gets_min_games(Rng *rng, unsigned size)
{
    Ruleset rules;
    PlanStage stage;
    Draw draw = crowd(rng, size, &rules, &stage);
    uint64_t sat[256] = {0};

    stage.min_games = 1 + rng_below(rng, 500);
    if (rng_below(rng, 2)) {
        stage.pairing = PAIRING_ALL_PAIRS;
        draw.agent_count = 2 + rng_below(rng, 5);
    }
    uint64_t sets = draw_sets(&draw);
    for (uint64_t set = 0; set < sets; set++) {
        uint32_t seated[SEAT_MAX + 1];
        bool here[256] = {0};
        draw_seats(&draw, set, seated);
        for (int seat = 1; seat <= stage.players; seat++) {
            if (!here[seated[seat]])
                sat[seated[seat]] += (uint64_t)stage.games_per_set;
            here[seated[seat]] = true;
        }
    }
    for (uint32_t i = 0; i < draw.agent_count; i++)
        if (sat[i] < stage.min_games)
            return false;
    return draw_games(&draw) == sets * (uint64_t)stage.games_per_set;
}

static void there_are_sets_enough_for_everybody_to_reach_min_games(void **state)
{
    (void)state;
    prop_check(everybody_gets_min_games, 300, 60);
}

static void chance_does_not_prefer_pairs_of_agents(void **state)
{
    Ruleset rules = rules_of("aiwolf-2021");
    PlanStage stage = {.players = 5, .games_per_set = 100};
    Draw draw = draw_of_seed(&stage, &rules, 7, 1);
    unsigned met[7][7] = {{0}};
    (void)state;

    for (uint64_t set = 0; set < 7000; set++) {
        uint32_t seated[SEAT_MAX + 1];
        draw_seats(&draw, set, seated);
        for (int a = 1; a <= 5; a++)
            for (int b = 1; b <= 5; b++)
                met[seated[a]][seated[b]]++;
    }
    for (int a = 0; a < 7; a++)
        for (int b = 0; b < 7; b++) /* 7000 * 20/42 = 3333 */
            assert_in_range(met[a][b], a == b ? 5000 : 3150, a == b ? 5000 : 3520);
}

/* ---- rotating roles ---- */

/* A crowd in which some have a role of their own. */
static Draw rotation(Rng *rng, unsigned size, Ruleset *rules, PlanStage *stage, PlanAgent *agents,
                     bool fixed)
{
    Draw draw = crowd(rng, size, rules, stage);

    stage->pairing = PAIRING_ROTATE;
    if (rng_below(rng, 2))
        draw.agent_count = (uint32_t)stage->players;
    memset(agents, 0, 256 * sizeof(*agents));
    if (fixed) {
        agents[rng_below(rng, draw.agent_count)].fixed = ROLE_SEER;
        agents[rng_below(rng, draw.agent_count)].fixed = ROLE_WEREWOLF;
    }
    return draw;
}

static bool a_square_is_latin(Rng *rng, unsigned size)
{
    Ruleset rules;
    PlanStage stage;
    PlanAgent agents[256];
    Draw draw = rotation(rng, size, &rules, &stage, agents, rng_below(rng, 2));
    uint8_t table[ROLE_COUNT];
    uint64_t set = rng_below(rng, 1000);
    uint32_t seated[SEAT_MAX + 1];

    stage.games_per_set = 100;
    ruleset_roles(&rules, stage.players, table, NULL);
    draw_seats(&draw, set, seated);
    uint32_t free = 0;
    for (int seat = 1; seat <= stage.players; seat++) {
        free += agents[seated[seat]].fixed == ROLE_NONE;
        if (agents[seated[seat]].fixed != ROLE_NONE)
            table[agents[seated[seat]].fixed]--;
    }
    for (uint64_t square = 0; square < 100 / free; square++) {
        uint8_t had[SEAT_MAX + 1][ROLE_COUNT] = {{0}};
        for (uint64_t row = 0; row < free; row++) {
            uint8_t roles[SEAT_MAX + 1];
            draw_roles(&draw, agents, set * 100 + square * free + row, roles);
            for (int seat = 1; seat <= stage.players; seat++)
                had[seat][roles[seat]]++;
        }
        for (int seat = 1; seat <= stage.players; seat++) {
            Role fixed = agents[seated[seat]].fixed;
            for (int role = 1; role < ROLE_COUNT; role++)
                if (had[seat][role] != (fixed == ROLE_NONE   ? table[role]
                                        : role == (int)fixed ? free
                                                             : 0))
                    return false;
        }
    }
    return true;
}

static void over_as_many_games_as_players_everybody_has_each_role_of_the_table(void **state)
{
    (void)state;
    prop_check(a_square_is_latin, 300, 60);
}

/* The roles of every game are those of the table, and an agent's count of each role is never far
 * from its share. */
static bool shares_are_kept(Rng *rng, unsigned size)
{
    Ruleset rules;
    PlanStage stage;
    PlanAgent agents[256];
    Draw draw = rotation(rng, size, &rules, &stage, agents, false);
    uint8_t table[ROLE_COUNT];
    uint32_t had[256][ROLE_COUNT] = {{0}};
    uint32_t played[256] = {0};
    double worst = 0;

    ruleset_roles(&rules, stage.players, table, NULL);
    for (uint64_t set = 0; set < 64; set++) {
        uint32_t seated[SEAT_MAX + 1];
        draw_seats(&draw, set, seated);
        for (uint64_t i = 0; i < (uint64_t)stage.games_per_set; i++) {
            uint8_t roles[SEAT_MAX + 1];
            uint8_t here[ROLE_COUNT] = {0};
            draw_roles(&draw, agents, set * (uint64_t)stage.games_per_set + i, roles);
            for (int seat = 1; seat <= stage.players; seat++) {
                had[seated[seat]][roles[seat]]++;
                here[roles[seat]]++;
            }
            if (memcmp(here, table, sizeof(here)) != 0)
                return false;
        }
        for (int seat = 1; seat <= stage.players; seat++) {
            uint32_t a = seated[seat];
            played[a] += (uint32_t)stage.games_per_set;
            for (int role = 1; role < ROLE_COUNT; role++) {
                double share = played[a] * (double)table[role] / stage.players;
                double off = had[a][role] - share;
                off = off < 0 ? -off : off;
                worst = off > worst ? off : worst;
            }
        }
    }
    return worst < 2;
}

static void after_every_set_everybody_has_its_share_of_every_role(void **state)
{
    (void)state;
    prop_check(shares_are_kept, SANITIZED ? 20 : 60, 60);
}

static bool the_owner_of_a_role_keeps_it(Rng *rng, unsigned size)
{
    Ruleset rules;
    PlanStage stage;
    PlanAgent agents[256];
    Draw draw = rotation(rng, size, &rules, &stage, agents, true);
    uint8_t table[ROLE_COUNT];

    if (rng_below(rng, 2))
        stage.pairing = PAIRING_RANDOM;
    ruleset_roles(&rules, stage.players, table, NULL);
    for (uint64_t game = 0; game < 300; game++) {
        uint32_t seated[SEAT_MAX + 1];
        uint8_t roles[SEAT_MAX + 1];
        uint8_t here[ROLE_COUNT] = {0};
        draw_seats(&draw, draw_set_of(&draw, game), seated);
        draw_roles(&draw, agents, game, roles);
        for (int seat = 1; seat <= stage.players; seat++) {
            Role fixed = agents[seated[seat]].fixed;
            if ((fixed != ROLE_NONE || stage.pairing == PAIRING_RANDOM) && roles[seat] != fixed)
                return false;
            here[roles[seat]]++;
        }
        if (stage.pairing == PAIRING_ROTATE && memcmp(here, table, sizeof(here)) != 0)
            return false;
    }
    return true;
}

static void an_agent_with_a_role_of_its_own_keeps_it(void **state)
{
    (void)state;
    prop_check(the_owner_of_a_role_keeps_it, 200, 60);
}

/* ---- blocks ---- */

#define BLOCK_AGENTS_MAX 24

/* A stage in blocks of 5, 9 or 15 seats, and as many agents or more. */
static Draw blocks(Rng *rng, Ruleset *rules, PlanStage *stage)
{
    static const int32_t players[] = {5, 9, 15};

    *rules = rules_of("aiwolf-server");
    *stage = (PlanStage){.players = players[rng_below(rng, 3)],
                         .games_per_set = 1 + (int32_t)rng_below(rng, 20),
                         .pairing = PAIRING_ROTATE,
                         .blocks = true};
    const uint32_t agents = (uint32_t)stage->players + rng_below(rng, 3) * rng_below(rng, 5);
    const Key key = key_of_seed(rng_next(rng));
    return draw_of_key(stage, rules, agents, &key, rng_below(rng, 2));
}

/* What an agent has had: each seat in each role. */
typedef struct Held {
    uint32_t of[BLOCK_AGENTS_MAX][SEAT_MAX + 1][ROLE_COUNT];
} Held;

static void hold_game(const Draw *draw, uint64_t game, Held *held)
{
    uint32_t seated[SEAT_MAX + 1] = {0};
    uint8_t roles[SEAT_MAX + 1] = {0};

    draw_seats(draw, draw_set_of(draw, game), seated);
    draw_roles(draw, NULL, game, roles);
    for (int seat = 1; seat <= draw->stage->players; seat++)
        held->of[seated[seat]][seat][roles[seat]]++;
}

/* All agents as often on each seat in each role as the table has it; `times` of each role's seats.
 */
static bool held_alike(const Draw *draw, const Held *held, uint32_t times)
{
    uint8_t table[ROLE_COUNT];

    ruleset_roles(draw->rules, draw->stage->players, table, NULL);
    for (uint32_t i = 0; i < draw->agent_count; i++)
        for (int seat = 1; seat <= draw->stage->players; seat++)
            for (int role = 1; role < ROLE_COUNT; role++)
                if (held->of[i][seat][role] != table[role] * times)
                    return false;
    return true;
}

static bool a_square_closes(Rng *rng, unsigned size)
{
    Ruleset rules;
    PlanStage stage;
    const Draw draw = blocks(rng, &rules, &stage);
    const uint64_t sets = draw_square_sets(&draw), per_set = (uint64_t)stage.games_per_set;
    const uint64_t first = rng_below(rng, size) * sets;
    Held held = {0};

    /* n blocks at most; one when the games of a set are a multiple of the seats. */
    if (sets % draw.agent_count || sets > draw.agent_count * (uint64_t)stage.players ||
        (per_set % (uint64_t)stage.players == 0) != (sets == draw.agent_count))
        return false;
    for (uint64_t game = first * per_set; game < (first + sets) * per_set; game++)
        hold_game(&draw, game, &held);
    return held_alike(&draw, &held,
                      (uint32_t)(sets / draw.agent_count * per_set) / (uint32_t)stage.players);
}

static void after_a_square_every_agent_has_had_every_seat_in_every_role_equally_often(void **state)
{
    (void)state;
    prop_check(a_square_closes, SANITIZED ? 60 : 300, 5);
}

/* Each agent plays each deal of a block on each seat once, at the same roles and by the same key;
 * nobody sits twice in a game; two deals have two keys. */
static bool deals_are_alike(Rng *rng, unsigned size)
{
    Ruleset rules;
    PlanStage stage;
    const Draw draw = blocks(rng, &rules, &stage);
    const uint64_t per_set = (uint64_t)stage.games_per_set, block = rng_below(rng, size);
    const uint64_t first = block * draw_block_sets(&draw) * per_set;
    const uint64_t behind = first + draw_block_sets(&draw) * per_set;
    uint32_t sat[BLOCK_AGENTS_MAX][SEAT_MAX + 1] = {{0}};

    for (uint64_t game = first; game < behind; game++) {
        const uint64_t like = first + game % per_set;
        uint8_t roles[SEAT_MAX + 1] = {0}, before[SEAT_MAX + 1] = {0}, here[ROLE_COUNT] = {0};
        uint8_t table[ROLE_COUNT];
        uint32_t seated[SEAT_MAX + 1];
        bool in_game[BLOCK_AGENTS_MAX] = {0};
        const GameKey key = draw_game_key(&draw, game), of_like = draw_game_key(&draw, like);
        draw_roles(&draw, NULL, game, roles);
        draw_roles(&draw, NULL, like, before);
        draw_seats(&draw, draw_set_of(&draw, game), seated);
        ruleset_roles(&rules, stage.players, table, NULL);
        for (int seat = 1; seat <= stage.players; seat++) {
            if (in_game[seated[seat]])
                return false;
            in_game[seated[seat]] = true;
            sat[seated[seat]][seat] += game % per_set == 0;
            here[roles[seat]]++;
        }
        const GameKey next = draw_game_key(&draw, game + 1);
        if (draw_deal_of(&draw, game) != draw_deal_of(&draw, like) || key.old ||
            memcmp(&key.key, &of_like.key, sizeof(Key)) != 0 ||
            memcmp(roles, before, sizeof(roles)) != 0 || memcmp(here, table, sizeof(here)) != 0 ||
            (per_set > 1 && memcmp(&key.key, &next.key, sizeof(Key)) == 0))
            return false;
    }
    const GameKey last = draw_game_key(&draw, behind - 1), other = draw_game_key(&draw, behind);
    for (uint32_t i = 0; i < draw.agent_count; i++)
        for (int seat = 1; seat <= stage.players; seat++)
            if (sat[i][seat] != 1)
                return false;
    return memcmp(&last.key, &other.key, sizeof(Key)) != 0;
}

static void in_a_block_every_agent_plays_every_deal_from_every_seat(void **state)
{
    (void)state;
    prop_check(deals_are_alike, SANITIZED ? 60 : 300, 5);
}

static void blocks_give_everybody_min_games_and_one_block_when_nothing_is_said(void **state)
{
    Ruleset rules = rules_of("aiwolf-2021");
    PlanStage stage = {.players = 5, .games_per_set = 2, .pairing = PAIRING_ROTATE, .blocks = true};
    const Draw draw = draw_of_seed(&stage, &rules, 7, 1);

    (void)state;
    assert_int_equal(draw_sets(&draw), 7);
    assert_int_equal(draw_square_sets(&draw), 35);
    stage.min_games = 10; /* five sets of two games in each block */
    assert_int_equal(draw_sets(&draw), 7);
    stage.min_games = 11;
    assert_int_equal(draw_sets(&draw), 14);
    stage.games_per_set = 10;
    assert_int_equal(draw_square_sets(&draw), 7);
}

/* What is compared is what everybody met: in blocks by chance, and not always the same. */
static void in_many_blocks_everybody_sits_beside_everybody(void **state)
{
    Ruleset rules = rules_of("aiwolf-2021");
    PlanStage stage = {.players = 5, .games_per_set = 1, .pairing = PAIRING_ROTATE, .blocks = true};
    const Draw draw = draw_of_seed(&stage, &rules, 7, 1);
    unsigned met[7][7] = {{0}};

    (void)state;
    for (uint64_t set = 0; set < 7000; set++) {
        uint32_t seated[SEAT_MAX + 1];
        draw_seats(&draw, set, seated);
        for (int a = 1; a <= 5; a++)
            for (int b = 1; b <= 5; b++)
                met[seated[a]][seated[b]]++;
    }
    for (int a = 0; a < 7; a++)
        for (int b = 0; b < 7; b++) /* 7000 * 20/42 = 3333 */
            assert_in_range(met[a][b], a == b ? 5000 : 3100, a == b ? 5000 : 3570);
}

/* ---- pairs ---- */

static bool everybody_is_village_and_wolves(Rng *rng, unsigned size)
{
    Ruleset rules = rules_of("aiwolf-server");
    PlanStage stage = {.players = 3 + (int32_t)rng_below(rng, 16),
                       .games_per_set = 1 + (int32_t)rng_below(rng, 10),
                       .pairing = PAIRING_ALL_PAIRS};
    uint32_t agents = 2 + rng_below(rng, size);
    Draw draw = draw_of_seed(&stage, &rules, agents, rng_next(rng));
    uint8_t table[ROLE_COUNT];
    uint32_t met[16][16] = {{0}};

    ruleset_roles(&rules, stage.players, table, NULL);
    if (draw_sets(&draw) != (uint64_t)draw.agent_count * (draw.agent_count - 1))
        return false;
    for (uint64_t game = 0; game < draw_games(&draw); game++) {
        uint32_t seated[SEAT_MAX + 1];
        uint8_t roles[SEAT_MAX + 1];
        uint8_t here[ROLE_COUNT] = {0};
        uint32_t of_side[3] = {0};
        draw_seats(&draw, draw_set_of(&draw, game), seated);
        draw_roles(&draw, NULL, game, roles);
        for (int seat = 1; seat <= stage.players; seat++) {
            here[roles[seat]]++;
            of_side[role_side((Role)roles[seat])] = seated[seat];
        }
        for (int seat = 1; seat <= stage.players; seat++)
            if (of_side[role_side((Role)roles[seat])] != seated[seat])
                return false; /* one side, two agents */
        if (memcmp(here, table, sizeof(here)) != 0)
            return false;
        met[of_side[SIDE_VILLAGER]][of_side[SIDE_WEREWOLF]]++;
    }
    for (uint32_t a = 0; a < draw.agent_count; a++)
        for (uint32_t b = 0; b < draw.agent_count; b++)
            if (met[a][b] != (a == b ? 0 : (uint32_t)stage.games_per_set))
                return false;
    return true;
}

static void in_all_pairs_everybody_is_the_village_against_everybody_as_the_wolves(void **state)
{
    (void)state;
    prop_check(everybody_is_village_and_wolves, 200, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_agent_a_seat_gives_the_seats_and_seeds_of_a_plain_run),
        cmocka_unit_test(every_stage_of_old_has_its_own_seed),
        cmocka_unit_test(draws_and_games_of_a_key_are_those_of_the_specification),
        cmocka_unit_test(every_stage_has_a_key_of_its_own),
        cmocka_unit_test(after_any_number_of_sets_all_have_sat_equally_often_but_for_one),
        cmocka_unit_test(there_are_sets_enough_for_everybody_to_reach_min_games),
        cmocka_unit_test(chance_does_not_prefer_pairs_of_agents),
        cmocka_unit_test(over_as_many_games_as_players_everybody_has_each_role_of_the_table),
        cmocka_unit_test(after_every_set_everybody_has_its_share_of_every_role),
        cmocka_unit_test(an_agent_with_a_role_of_its_own_keeps_it),
        cmocka_unit_test(after_a_square_every_agent_has_had_every_seat_in_every_role_equally_often),
        cmocka_unit_test(in_a_block_every_agent_plays_every_deal_from_every_seat),
        cmocka_unit_test(blocks_give_everybody_min_games_and_one_block_when_nothing_is_said),
        cmocka_unit_test(in_many_blocks_everybody_sits_beside_everybody),
        cmocka_unit_test(in_all_pairs_everybody_is_the_village_against_everybody_as_the_wolves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
