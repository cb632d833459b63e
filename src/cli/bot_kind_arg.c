#include "cli/bot_kind_arg.h"

#include "base/suggest.h"

int bot_kind_arg(Str name, const BotKind **ret_kind, Err *err)
{
    Suggest near = {.word = name};
    const BotKind *kind = bot_kind(name);

    if (kind) {
        *ret_kind = kind;
        return 0;
    }
    for (size_t i = 0; bot_kind_at(i); i++)
        suggest_offer(&near, str_of(bot_kind_at(i)->name));
    Str best = suggest_best(&near);
    return err_set(err, ERR_USAGE, "no bot is called '%.*s'%s%.*s%s",
                   STR_ARG(str_part(name, 0, 64)), best.len ? "; did you mean '" : "",
                   STR_ARG(best), best.len ? "'?" : "");
}
