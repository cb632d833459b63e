#include "game/chance.h"

Chance chance_from_seed(uint64_t seed)
{
    return (Chance){.rng = rng_new(seed)};
}

Chance chance_from_script(ChanceScript script, void *user)
{
    return (Chance){.script = script, .user = user};
}

uint8_t chance_choose(Chance *chance, const ChanceQuestion *question)
{
    uint32_t index;

    if (!chance->script)
        return question->candidates[rng_below(&chance->rng, question->count)];
    index = chance->script(chance->user, question);
    if (index >= question->count) {
        chance->script_failed = true;
        index = 0;
    }
    return question->candidates[index];
}
