#include "nlp/hall_chance.h"

static Rng stream_of(const KeyRoot *root, Str label)
{
    const Key key = key_derive(root, label);

    return key_rng(&key);
}

HallChance hall_chance(const Key *key)
{
    const KeyRoot root = key_root(key);

    return (HallChance){.root = root, .matching = stream_of(&root, STR("matching"))};
}

Rng hall_chance_schedule(HallChance *chance)
{
    const Key key = key_derive_number(&chance->root, STR("schedule"), chance->schedules++);

    return key_rng(&key);
}

HallGameChance hall_chance_game(const HallChance *chance, uint64_t number)
{
    const Key key = key_derive_number(&chance->root, STR("game"), number);
    const KeyRoot root = key_root(&key);

    return (HallGameChance){.chance = chance_from_key(&key),
                            .seats = stream_of(&root, STR("seats")),
                            .characters = stream_of(&root, STR("characters")),
                            .bots = key_derive(&root, STR("bots"))};
}
