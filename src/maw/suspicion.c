#include "maw/suspicion.h"

#include "llm/wording.h"

#define TOGETHER_MAX 4  /* of more wolves, every four are looked at */
#define COUNT_MAX    8  /* more accusations say no more */
#define KNOWN_WEIGHT 64 /* of who is known to be a wolf: no vote of others outweighs it */
#define TRUST        2  /* a lone claimant is a wolf in one of 2^TRUST tables */
#define SECOND_TRUST 2  /* likewise one who claims when somebody has already */
#define TRUST_MAX    6
#define TOP_BITS     34 /* of the largest weight */

typedef struct Search {
    const Suspicion *suspicion;
    bool possible[LLM_SEATS_MAX];
    bool alive[LLM_SEATS_MAX];
    bool whole;  /* a set has all wolves: one of them lives, for the round goes on */
    bool claims; /* count */
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
    return (uint32_t)__builtin_popcountll(set);
}

/* Whether somebody outside the set, who so is no wolf, says something else: a result that the set
 * contradicts. Where a set has not all wolves, one who is called a wolf may be missing in it. */
static bool contradicts_results(const Search *search, uint64_t members)
{
    const Suspicion *suspicion = search->suspicion;
    uint64_t honest = suspicion->seers & ~members;

    for (uint64_t rest = honest; rest; rest &= rest - 1) {
        uint32_t seer = (uint32_t)__builtin_ctzll(rest);
        if ((suspicion->human_by[seer] & members) ||
            (search->whole && (suspicion->wolf_by[seer] & ~members)))
            return true;
    }
    return count_bits(honest) > 1;
}

/* How unlikely it is that the claimants in the set claim, as a power of two. */
static uint32_t rarity_of_claims(const Search *search, uint64_t members)
{
    const Suspicion *suspicion = search->suspicion;
    uint32_t trust = suspicion->trust ? suspicion->trust : TRUST, rarity = 0;

    for (uint64_t rest = suspicion->seers & members; rest; rest &= rest - 1)
        rarity +=
            (uint32_t)__builtin_ctzll(rest) + 1 == suspicion->first_seer ? trust : SECOND_TRUST;
    return rarity < TRUST_MAX ? rarity : TRUST_MAX;
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
    if (search->claims && contradicts_results(search, members))
        return 0;
    for (uint32_t a = 0; a < search->size; a++) {
        uint64_t against = search->suspicion->against[search->chosen[a]];
        inside += count_bits(against & members);
        outside += count_bits(against & ~members);
    }
    inside = inside < COUNT_MAX ? inside : COUNT_MAX;
    outside = outside < COUNT_MAX ? outside : COUNT_MAX;
    uint64_t weight =
        power_of(4, COUNT_MAX - inside) * power_of(7, outside) * power_of(6, COUNT_MAX - outside);
    return weight << (search->claims ? TRUST_MAX - rarity_of_claims(search, members) : 0);
}

/* All sets that begin with the `count` members chosen so far; at most four deep. */
static void search_on(Search *search, uint32_t count, uint32_t from)
{
    if (count == search->size || count == TOGETHER_MAX) {
        uint64_t weight = weight_of(search) >> 8; /* 2^44 each, and there are less than 2^16 sets */
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

/* Keeps what is possible above 0. */
static void scale_weights(uint64_t *weights, uint32_t count)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < count; i++)
        most = weights[i] > most ? weights[i] : most;
    for (; most >> TOP_BITS; most >>= 1)
        for (uint32_t i = 0; i < count; i++)
            weights[i] = weights[i] > 1 ? weights[i] >> 1 : weights[i];
}

static bool search_all(Search *search, bool claims)
{
    uint64_t sum = 0;

    memset(search->weights, 0, search->seats * sizeof(*search->weights));
    search->claims = claims;
    search_on(search, 0, 0);
    for (uint32_t i = 0; i < search->seats; i++)
        sum |= search->weights[i];
    return sum != 0;
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
    if (left && !search_all(&search, true))
        search_all(&search, false); /* somebody has told what can't be: no claim counts */
    scale_weights(ret, scene->seat_count);
    for (uint32_t i = 0; i < scene->seat_count && inside; i++)
        if (scene->seats[i].role.len && wording_means_wolf(scene->seats[i].role))
            ret[i] *= KNOWN_WEIGHT;
}
