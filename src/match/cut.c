#include "match/cut.h"

#include <assert.h>
#include <stdlib.h>

Cut cut_of_ranks(const uint32_t *ranks, uint32_t count, uint32_t places)
{
    if (places == 0 || places >= count || ranks[places - 1] != ranks[places])
        return (Cut){.sure = places < count ? places : count};
    uint32_t first = places - 1, end = places + 1;
    while (first > 0 && ranks[first - 1] == ranks[places])
        first--;
    while (end < count && ranks[end] == ranks[places])
        end++;
    return (Cut){.sure = first, .tied = end - first, .places = places - first};
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

bool cut_extra_stage(const PlanStage *stage, const Ruleset *rules, uint32_t tied,
                     PlanStage *ret_stage)
{
    uint32_t players = (uint32_t)stage->players;
    PlanStage extra = *stage;
    uint8_t counts[ROLE_COUNT];

    if (ruleset_roles(rules, stage->players, counts, NULL))
        return false;
    extra.games = extra.min_games = 0;
    extra.advance = 0;
    extra.blocks = false; /* few games among few */
    if (tied < players || stage->pairing == PAIRING_ALL_PAIRS) {
        if (counts[ROLE_FOX])
            return false;
        extra.pairing = PAIRING_ALL_PAIRS;
        extra.sets = (uint64_t)tied * (tied - 1);
    } else {
        extra.sets = tied / common_divisor(tied, players);
    }
    *ret_stage = extra;
    return true;
}

static int by_lot(const void *left, const void *right)
{
    const CutLot *a = left, *b = right;

    return memcmp(a->lot.bytes, b->lot.bytes, KEY_BYTES);
}

void cut_draw_lots(const Key *key, CutLot *lots, uint32_t count)
{
    const KeyRoot root = key_root(key);
    char label[4 + AGENT_NAME_MAX] = "tie"; /* its NUL stands between */

    for (uint32_t i = 0; i < count; i++) {
        assert(lots[i].name.len <= AGENT_NAME_MAX);
        memcpy(label + 4, lots[i].name.bytes, lots[i].name.len);
        lots[i].lot = key_derive(&root, (Str){label, 4 + lots[i].name.len});
    }
    qsort(lots, count, sizeof(*lots), by_lot);
}
