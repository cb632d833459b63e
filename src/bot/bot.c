#include "bot/bot.h"

#include "bot/kinds.h"

/* To add a bot: write src/bot/NAME.c with a `const BotKind bot_NAME`, declare it in kinds.h, and
 * add it here and to man/warg-run.1.scd. */
static const BotKind *const kinds[] = {&bot_sample, &bot_random, &bot_talker, &bot_talker_en,
                                       &bot_talker_ja};

const BotKind *bot_kind_at(size_t index)
{
    return index < sizeof(kinds) / sizeof(kinds[0]) ? kinds[index] : NULL;
}

const BotKind *bot_kind(Str name)
{
    for (size_t i = 0; bot_kind_at(i); i++)
        if (str_eq(name, str_of(kinds[i]->name)))
            return kinds[i];
    return NULL;
}
