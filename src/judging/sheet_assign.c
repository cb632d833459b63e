#include "judging/sheet_assign.h"

#include "base/mem.h"

/* The assignment as it stands. */
typedef struct Assign {
    const AssignWish *wish;
    bool *rates;     /* [judge * games + game] */
    uint32_t *loads; /* of each judge */
    uint32_t *meets; /* [judge * judges + judge]: games that both judge */
    uint64_t *lots;  /* [judge * games + game]: who of equals comes first */
    uint32_t *from;  /* of the search: how a judge was reached */
    uint32_t *by;    /* over which game */
    uint32_t *queue;
} Assign;

Key sheet_assign_key(const Key *evaluation, Str track)
{
    KeyRoot root = key_root(evaluation);
    Key assign = key_derive(&root, STR("assign"));

    root = key_root(&assign);
    return key_derive(&root, track);
}

static size_t cell_of(const Assign *assign, uint32_t judge, uint32_t game)
{
    return (size_t)judge * assign->wish->games + game;
}

static bool is_free(const Assign *assign, uint32_t judge, uint32_t game)
{
    size_t cell = cell_of(assign, judge, game);

    return !assign->rates[cell] && !(assign->wish->barred && assign->wish->barred[cell]);
}

static void set_rates(Assign *assign, uint32_t judge, uint32_t game, bool rates)
{
    const uint32_t judges = assign->wish->judges;
    const uint32_t more = rates ? 1 : UINT32_MAX; /* -1 */

    assign->rates[cell_of(assign, judge, game)] = false;
    for (uint32_t other = 0; other < judges; other++)
        if (assign->rates[cell_of(assign, other, game)]) {
            assign->meets[(size_t)judge * judges + other] += more;
            assign->meets[(size_t)other * judges + judge] += more;
        }
    assign->rates[cell_of(assign, judge, game)] = rates;
    assign->loads[judge] += more;
}

/* How often the judge meets the others of the game already. */
static uint64_t meetings(const Assign *assign, uint32_t judge, uint32_t game)
{
    uint64_t count = 0;

    for (uint32_t other = 0; other < assign->wish->judges; other++)
        if (other != judge && assign->rates[cell_of(assign, other, game)])
            count += assign->meets[(size_t)judge * assign->wish->judges + other];
    return count;
}

/* The judge with the least to do, of these who meets the others least. */
static uint32_t next_judge(const Assign *assign, uint32_t game)
{
    uint32_t best = UINT32_MAX;
    uint64_t best_meets = 0;

    for (uint32_t judge = 0; judge < assign->wish->judges; judge++) {
        if (!is_free(assign, judge, game))
            continue;
        const uint64_t meets = meetings(assign, judge, game);
        bool better = best == UINT32_MAX || assign->loads[judge] < assign->loads[best];
        if (!better && assign->loads[judge] == assign->loads[best])
            better = meets < best_meets ||
                     (meets == best_meets && assign->lots[cell_of(assign, judge, game)] <
                                                 assign->lots[cell_of(assign, best, game)]);
        if (better) {
            best = judge;
            best_meets = meets;
        }
    }
    return best;
}

static void fill_games(Assign *assign)
{
    for (uint32_t game = 0; game < assign->wish->games; game++)
        for (uint32_t i = 0; i < assign->wish->raters; i++) {
            uint32_t judge = next_judge(assign, game);
            if (judge == UINT32_MAX)
                break;
            set_rates(assign, judge, game, true);
        }
}

/* ---- loads ---- */

/* A game that `from` judges and `to` could. */
static uint32_t game_between(const Assign *assign, uint32_t from, uint32_t to)
{
    for (uint32_t game = 0; game < assign->wish->games; game++)
        if (assign->rates[cell_of(assign, from, game)] && is_free(assign, to, game))
            return game;
    return UINT32_MAX;
}

/* The nearest judge that `from` can hand work to, over others if need be, who has two less. */
static uint32_t find_lighter(Assign *assign, uint32_t from)
{
    const uint32_t judges = assign->wish->judges;
    uint32_t first = 0, last = 0;

    for (uint32_t judge = 0; judge < judges; judge++)
        assign->from[judge] = UINT32_MAX;
    assign->from[from] = from;
    assign->queue[last++] = from;
    while (first < last) {
        const uint32_t here = assign->queue[first++];
        for (uint32_t to = 0; to < judges; to++) {
            if (assign->from[to] != UINT32_MAX)
                continue;
            const uint32_t game = game_between(assign, here, to);
            if (game == UINT32_MAX)
                continue;
            assign->from[to] = here;
            assign->by[to] = game;
            if (assign->loads[to] + 2 <= assign->loads[from])
                return to;
            assign->queue[last++] = to;
        }
    }
    return UINT32_MAX;
}

static bool hand_over(Assign *assign, uint32_t from)
{
    uint32_t to = find_lighter(assign, from);

    if (to == UINT32_MAX)
        return false;
    while (to != from) {
        const uint32_t before = assign->from[to], game = assign->by[to];
        set_rates(assign, before, game, false);
        set_rates(assign, to, game, true);
        to = before;
    }
    return true;
}

/* Each hand-over lowers the sum of squares of loads, so it ends. */
static void even_loads(Assign *assign)
{
    for (uint32_t judge = 0; judge < assign->wish->judges;)
        if (hand_over(assign, judge))
            judge = 0;
        else
            judge++;
}

/* ---- pairs ---- */

static uint64_t meet_squares(const Assign *assign)
{
    const size_t cells = (size_t)assign->wish->judges * assign->wish->judges;
    uint64_t squares = 0;

    for (size_t i = 0; i < cells; i++)
        squares += (uint64_t)assign->meets[i] * assign->meets[i];
    return squares;
}

/* Judge a of game g and judge b of game h change places. */
static void swap_places(Assign *assign, uint32_t a, uint32_t g, uint32_t b, uint32_t h)
{
    set_rates(assign, a, g, false);
    set_rates(assign, b, h, false);
    set_rates(assign, b, g, true);
    set_rates(assign, a, h, true);
}

static bool try_swap(Assign *assign, uint32_t a, uint32_t g, uint32_t b, uint32_t h)
{
    const uint64_t before = meet_squares(assign);

    swap_places(assign, a, g, b, h);
    if (meet_squares(assign) < before)
        return true;
    swap_places(assign, b, g, a, h);
    return false;
}

/* Exchanges of one judge at one game; true when one was of use. */
static bool better_place(Assign *assign, uint32_t a, uint32_t g)
{
    for (uint32_t b = 0; b < assign->wish->judges; b++) {
        if (b == a || !is_free(assign, b, g))
            continue;
        for (uint32_t h = 0; h < assign->wish->games; h++)
            if (h != g && assign->rates[cell_of(assign, b, h)] && is_free(assign, a, h) &&
                try_swap(assign, a, g, b, h))
                return true;
    }
    return false;
}

#define PAIR_ROUNDS 4 /* what they gain behind that is little */

static void even_pairs(Assign *assign)
{
    bool fell = true;

    for (int round = 0; round < PAIR_ROUNDS && fell; round++) {
        fell = false;
        for (uint32_t judge = 0; judge < assign->wish->judges; judge++)
            for (uint32_t game = 0; game < assign->wish->games; game++)
                if (assign->rates[cell_of(assign, judge, game)])
                    fell = better_place(assign, judge, game) || fell;
    }
}

/* ---- all of it ---- */

static void draw_lots(Assign *assign)
{
    KeyRoot root = key_root(assign->wish->key);

    for (uint32_t judge = 0; judge < assign->wish->judges; judge++)
        for (uint32_t game = 0; game < assign->wish->games; game++) {
            Key lot = key_derive_item(&root, STR("judge"), judge, game);
            assign->lots[cell_of(assign, judge, game)] = key_seed(&lot);
        }
}

int sheet_assign(const AssignWish *wish, bool *ret_rates, Err *err)
{
    const size_t judges = wish->judges, cells = judges * wish->games;

    if (wish->judges > ASSIGN_JUDGES_MAX || wish->games > ASSIGN_GAMES_MAX)
        return err_set(err, ERR_LIMIT, "assign sheets: too many judges or games");
    CLEANUP(mem_freep) uint32_t *numbers = mem_new((4 * judges + judges * judges + 1) * 4);
    CLEANUP(mem_freep) uint64_t *lots = mem_new((cells + 1) * sizeof(*lots));
    if (!numbers || !lots)
        return err_set(err, ERR_MEMORY, "assign sheets: out of memory");
    Assign assign = {.wish = wish,
                     .rates = ret_rates,
                     .loads = numbers,
                     .from = numbers + judges,
                     .by = numbers + 2 * judges,
                     .queue = numbers + 3 * judges,
                     .meets = numbers + 4 * judges,
                     .lots = lots};
    for (size_t i = 0; i < cells; i++)
        ret_rates[i] = false;
    draw_lots(&assign);
    fill_games(&assign);
    even_loads(&assign);
    even_pairs(&assign);
    return 0;
}

void sheet_order(const Key *assign, uint32_t judge, uint64_t sheet, SeatNo seat_count,
                 SeatNo ret_order[static SEAT_MAX])
{
    KeyRoot root = key_root(assign);
    Key key = key_derive_item(&root, STR("order"), judge, sheet);
    Rng rng = key_rng(&key);

    for (SeatNo i = 0; i < seat_count; i++) {
        SeatNo k = (SeatNo)rng_below(&rng, (uint32_t)i + 1);
        ret_order[i] = ret_order[k];
        ret_order[k] = (SeatNo)(i + 1);
    }
}
