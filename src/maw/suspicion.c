#include "maw/suspicion.h"

#include "llm/wording.h"

#define TOGETHER_MAX 3  /* of more wolves, every three are looked at */
#define COUNT_MAX    8  /* more accusations say no more; all weights together stay below 2^57 */
#define KNOWN_WEIGHT 64 /* of who is known to be a wolf: no vote of others outweighs it */

typedef struct Search {
    const Suspicion *suspicion;
    bool possible[LLM_SEATS_MAX];
    bool alive[LLM_SEATS_MAX];
    bool whole; /* a set has all wolves: one of them lives, for the round goes on */
    uint32_t seats;
    uint32_t size;
    uint32_t chosen[TOGETHER_MAX];
    uint64_t *weights;
} Search;

static uint64_t power_of(uint64_t base, uint32_t exponent)
{
    uint64_t result = 1;

    for (; exponent; exponent--)
        result *= base;
    return result;
}

static uint32_t count_bits(uint64_t set)
{
    uint32_t count = 0;

    for (; set; set &= set - 1)
        count++;
    return count;
}

/* A villager accuses anybody alike; a wolf a mate a quarter as often as that, and so all others a
 * little more often. Who accuses nobody is not suspected more for that. */
static uint64_t weight_of(const Search *search)
{
    uint32_t inside = 0, outside = 0, alive = 0;
    uint64_t members = 0;

    for (uint32_t a = 0; a < search->size; a++) {
        members |= (uint64_t)1 << search->chosen[a];
        alive += search->alive[search->chosen[a]];
    }
    if (search->whole && !alive)
        return 0;
    for (uint32_t a = 0; a < search->size; a++) {
        uint64_t against = search->suspicion->against[search->chosen[a]];
        inside += count_bits(against & members);
        outside += count_bits(against & ~members);
    }
    inside = inside < COUNT_MAX ? inside : COUNT_MAX;
    outside = outside < COUNT_MAX ? outside : COUNT_MAX;
    return power_of(4, COUNT_MAX - inside) * power_of(7, outside) *
           power_of(6, COUNT_MAX - outside);
}

/* All sets that begin with the `count` members chosen so far; at most three deep. */
static void search_on(Search *search, uint32_t count, uint32_t from)
{
    if (count == search->size || count == TOGETHER_MAX) {
        uint64_t weight = weight_of(search);
        for (uint32_t a = 0; a < count && a < TOGETHER_MAX; a++)
            search->weights[search->chosen[a]] += weight;
        return;
    }
    for (uint32_t seat = from; seat < search->seats; seat++) {
        if (!search->possible[seat])
            continue;
        search->chosen[count] = seat;
        search_on(search, count + 1, seat + 1);
    }
}

void suspicion_weigh(const Suspicion *suspicion, const LlmScene *scene, bool inside,
                     uint64_t ret[LLM_SEATS_MAX])
{
    uint32_t wolves = scene->wolves ? scene->wolves : scene->seat_count / 3, left = 0;
    Search search = {.suspicion = suspicion, .seats = scene->seat_count, .weights = ret};

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        bool wolf = seat->role.len && wording_means_wolf(seat->role);
        ret[i] = 0;
        search.alive[i] = seat->alive;
        search.possible[i] = !str_eq(seat->cause, STR("murdered")) &&
                             !(inside && str_eq(seat->name, scene->me)) &&
                             !(inside && seat->role.len && !wolf);
        left += search.possible[i];
    }
    search.whole = scene->wolves && wolves <= TOGETHER_MAX;
    if (wolves > TOGETHER_MAX)
        wolves = TOGETHER_MAX;
    search.size = wolves < 1 ? 1 : wolves < left ? wolves : left;
    if (left)
        search_on(&search, 0, 0);
    for (uint32_t i = 0; i < scene->seat_count && inside; i++)
        if (scene->seats[i].role.len && wording_means_wolf(scene->seats[i].role))
            ret[i] *= KNOWN_WEIGHT;
}
