#include "maw/suspicion.h"

#include "llm/wording.h"

#define TOGETHER_MAX 4  /* of more wolves, every four are looked at */
#define COUNT_MAX    8  /* more accusations say no more */
#define KNOWN_WEIGHT 64 /* of who is known to be a wolf: no vote of others outweighs it */
#define LONE_CLAIM   3  /* so much less likely is it that a wolf is the first to claim */
#define NEXT_CLAIM   5  /* ... and that one claims when somebody has already */
#define CLAIMS_MAX   64 /* ... in all */
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

/* 4^(8 - inside) and 7^outside * 6^(8 - outside). */
static const uint32_t inside_weights[COUNT_MAX + 1] = {65536, 16384, 4096, 1024, 256, 64, 16, 4, 1};
static const uint32_t outside_weights[COUNT_MAX + 1] = {1679616, 1959552, 2286144, 2667168, 3111696,
                                                        3630312, 4235364, 4941258, 5764801};

/* The sets are small: faster than counting in one go where the processor has no instruction for it,
 * and this is where talkers spend their time. */
static uint32_t count_bits(uint64_t set)
{
    uint32_t count = 0;

    for (; set; set &= set - 1)
        count++;
    return count;
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

/* By how much it is less likely that the claimants in the set claim. */
static uint32_t rarity_of_claims(const Search *search, uint64_t members)
{
    const Suspicion *suspicion = search->suspicion;
    uint32_t rarity = 1;

    for (uint64_t rest = suspicion->seers & members; rest && rarity < CLAIMS_MAX; rest &= rest - 1)
        rarity *=
            (uint32_t)__builtin_ctzll(rest) + 1 == suspicion->first_seer ? LONE_CLAIM : NEXT_CLAIM;
    return rarity < CLAIMS_MAX ? rarity : CLAIMS_MAX;
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
    uint64_t weight = (uint64_t)inside_weights[inside] * outside_weights[outside];
    return search->claims ? weight * CLAIMS_MAX / rarity_of_claims(search, members) : weight;
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
