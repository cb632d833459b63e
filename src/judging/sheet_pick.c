#include "judging/sheet_pick.h"

#include "base/mem.h"

/* What is chosen so far. */
typedef struct Pick {
    const PickWish *wish;
    uint32_t *seen; /* by team, and by team and role: [team * ROLE_COUNT + role], ROLE_NONE all */
    uint64_t *lots; /* of each game: who of equals comes first */
    bool *chosen;   /* of each game */
    uint32_t *list; /* those chosen, as they came */
    uint32_t listed;
} Pick;

Key sheet_pick_key(const Key *evaluation, Str track)
{
    KeyRoot root = key_root(evaluation);
    Key pick = key_derive(&root, STR("pick"));

    root = key_root(&pick);
    return key_derive(&root, track);
}

static uint32_t *seen_of(const Pick *pick, uint16_t team, Role role)
{
    return &pick->seen[(size_t)team * ROLE_COUNT + role];
}

/* What the game adds to the sum of squares; it is added, too. */
static int64_t put_game(Pick *pick, uint32_t game)
{
    const PickGame *own = &pick->wish->games[game];
    int64_t more = 0;

    for (SeatNo seat = 1; seat <= own->seat_count; seat++) {
        uint32_t *team = seen_of(pick, own->teams[seat], ROLE_NONE);
        uint32_t *role = seen_of(pick, own->teams[seat], own->roles[seat]);
        more += 2 * (int64_t)(*team)++ + 1;
        more += 2 * (int64_t)(*role)++ + 1;
    }
    return more;
}

static int64_t take_game(Pick *pick, uint32_t game)
{
    const PickGame *own = &pick->wish->games[game];
    int64_t less = 0;

    for (SeatNo seat = 1; seat <= own->seat_count; seat++) {
        uint32_t *team = seen_of(pick, own->teams[seat], ROLE_NONE);
        uint32_t *role = seen_of(pick, own->teams[seat], own->roles[seat]);
        less -= 2 * (int64_t)--(*team) + 1;
        less -= 2 * (int64_t)--(*role) + 1;
    }
    return less;
}

static bool is_better(const Pick *pick, int64_t sum, uint32_t game, int64_t best_sum, uint32_t best)
{
    if (best == UINT32_MAX || sum != best_sum)
        return best == UINT32_MAX || sum < best_sum;
    return pick->lots[game] != pick->lots[best] ? pick->lots[game] < pick->lots[best] : game < best;
}

/* The game that adds least, or UINT32_MAX when all are chosen. */
static uint32_t best_game(Pick *pick)
{
    uint32_t best = UINT32_MAX;
    int64_t best_sum = 0;

    for (uint32_t game = 0; game < pick->wish->count; game++) {
        if (pick->chosen[game])
            continue;
        int64_t sum = put_game(pick, game);
        take_game(pick, game);
        if (is_better(pick, sum, game, best_sum, best)) {
            best = game;
            best_sum = sum;
        }
    }
    return best;
}

static bool choose_next(Pick *pick)
{
    uint32_t game = best_game(pick);

    if (game == UINT32_MAX)
        return false;
    put_game(pick, game);
    pick->chosen[game] = true;
    pick->list[pick->listed++] = game;
    return true;
}

/* The best exchange for the game at `place`; true when the sum has fallen. */
static bool exchange_game(Pick *pick, uint32_t place)
{
    const uint32_t old = pick->list[place];
    const int64_t less = take_game(pick, old);

    pick->chosen[old] = false;
    uint32_t best = best_game(pick);
    const int64_t more = put_game(pick, best);
    if (more + less < 0) {
        pick->chosen[best] = true;
        pick->list[place] = best;
        return true;
    }
    take_game(pick, best);
    put_game(pick, old);
    pick->chosen[old] = true;
    return false;
}

static void exchange_all(Pick *pick)
{
    bool fell = true;

    while (fell) { /* a whole number that falls each time ends */
        fell = false;
        for (uint32_t place = 0; place < pick->listed; place++)
            fell = exchange_game(pick, place) || fell;
    }
}

static void sort_list(uint32_t *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && list[k - 1] > list[k]; k--) {
            uint32_t higher = list[k - 1];
            list[k - 1] = list[k];
            list[k] = higher;
        }
}

static int check_games(const PickWish *wish, Err *err)
{
    if (wish->count > PICK_GAMES_MAX || wish->team_count > PICK_TEAMS_MAX)
        return err_set(err, ERR_LIMIT, "pick games: too many games or teams");
    for (uint32_t i = 0; i < wish->count; i++)
        for (SeatNo seat = 1; seat <= wish->games[i].seat_count; seat++)
            if (wish->games[i].teams[seat] >= wish->team_count ||
                wish->games[i].roles[seat] >= ROLE_COUNT)
                return err_set(err, ERR_RULE, "pick games: game %u has a team or role that is none",
                               i);
    return 0;
}

static void draw_lots(Pick *pick)
{
    KeyRoot root = key_root(pick->wish->key);

    for (uint32_t i = 0; i < pick->wish->count; i++) {
        Key lot = key_derive_number(&root, STR("game"), i);
        pick->lots[i] = key_seed(&lot);
    }
}

int sheet_pick(const PickWish *wish, uint32_t *ret_chosen, uint32_t *ret_count, uint32_t *ret_spare,
               Err *err)
{
    CLEANUP(mem_freep)
    uint32_t *seen = mem_new(((size_t)wish->team_count + 1) * ROLE_COUNT * sizeof(*seen));
    CLEANUP(mem_freep) uint64_t *lots = mem_new(((size_t)wish->count + 1) * sizeof(*lots));
    CLEANUP(mem_freep) bool *chosen = mem_new((size_t)wish->count + 1);
    Pick pick = {.wish = wish, .seen = seen, .lots = lots, .chosen = chosen, .list = ret_chosen};
    int rc = check_games(wish, err);

    if (rc)
        return rc;
    if (!seen || !lots || !chosen)
        return err_set(err, ERR_MEMORY, "pick games: out of memory");
    draw_lots(&pick);
    while (pick.listed < wish->wanted && choose_next(&pick))
        ;
    exchange_all(&pick);
    sort_list(ret_chosen, pick.listed);
    *ret_count = pick.listed;
    while (pick.listed < *ret_count + wish->spares && choose_next(&pick))
        ;
    *ret_spare = pick.listed - *ret_count;
    return 0;
}
