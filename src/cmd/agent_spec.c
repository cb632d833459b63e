#include "cmd/agent_spec.h"

#include "base/suggest.h"
#include "base/utf8.h"

static int unknown_bot(Str kind, Err *err)
{
    Suggest near = {.word = kind};
    char list[256] = "";
    size_t used = 0;

    for (size_t i = 0; bot_kind_at(i) && used < sizeof(list); i++) {
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%sbot:%s", i ? ", " : "",
                                 bot_kind_at(i)->name);
        suggest_offer(&near, str_of(bot_kind_at(i)->name));
    }
    Str best = suggest_best(&near);
    if (best.len)
        return err_set(err, ERR_USAGE, "no bot is called '%.*s'; did you mean 'bot:%.*s'?",
                       STR_ARG(str_part(kind, 0, 64)), STR_ARG(best));
    return err_set(err, ERR_USAGE, "no bot is called '%.*s'; there are %s",
                   STR_ARG(str_part(kind, 0, 64)), list);
}

/* A name stands in the last column of logs and in tables: one line of printable text. */
static int check_name(Str name, Err *err)
{
    if (name.len == 0 || name.len > STANDINGS_NAME_MAX || !utf8_valid(name))
        return err_set(err, ERR_USAGE, "a name has 1 to %d bytes of UTF-8", STANDINGS_NAME_MAX);
    CLEANUP(buf_done) Buf printable = {0};
    utf8_add_printable(name, STANDINGS_NAME_MAX, &printable);
    if (!str_eq(name, buf_str(&printable)) || memchr(name.bytes, ',', name.len))
        return err_set(err, ERR_USAGE, "a name can't hold commas or control characters");
    return 0;
}

/* Takes "*14" off the end of `*text`; 1 without it. */
static int take_copies(Str *text, uint64_t *ret_copies, Err *err)
{
    size_t star = text->len;

    while (star > 0 && text->bytes[star - 1] != '*')
        star--;
    *ret_copies = 1;
    if (star == 0)
        return 0;
    Str number = str_part(*text, star, text->len);
    if (!str_to_uint(number, SEAT_MAX, ret_copies) || *ret_copies == 0)
        return err_set(err, ERR_USAGE, "expected 1 to %d copies behind '*', found '%.*s'", SEAT_MAX,
                       STR_ARG(str_part(number, 0, 32)));
    *text = str_part(*text, 0, star - 1);
    return 0;
}

static int add_spec(SetPlan *plan, uint32_t *count, Str spec, Err *err)
{
    SetAgent agent = {0};
    uint64_t copies = 1, more = 1;
    Str settings = spec;
    Str kind = str_cut(&settings, ',');
    Str name = {0};

    if (!str_starts(kind, STR("bot:")))
        return err_set(err, ERR_USAGE,
                       "expected an agent such as bot:sample or bot:random*3, found '%.*s'",
                       STR_ARG(str_part(spec, 0, 64)));
    kind = str_part(kind, 4, kind.len);
    int rc = take_copies(&kind, &copies, err);
    if (rc == 0 && settings.len)
        rc = take_copies(&settings, &more, err);
    if (rc)
        return rc;
    agent.kind = bot_kind(kind);
    if (!agent.kind)
        return unknown_bot(kind, err);
    while (settings.len) {
        Str setting = str_cut(&settings, ',');
        if (!str_starts(setting, STR("name=")))
            return err_set(err, ERR_USAGE, "expected name=NAME behind '%.*s,', found '%.*s'",
                           STR_ARG(kind), STR_ARG(str_part(setting, 0, 64)));
        name = str_part(setting, 5, setting.len);
        rc = check_name(name, err);
        if (rc)
            return rc;
    }
    if (!name.len)
        name = kind;
    memcpy(agent.name, name.bytes, name.len);
    for (uint64_t i = 0; i < copies * more; i++) {
        if (*count == SEAT_MAX)
            return err_set(err, ERR_USAGE, "more than %d agents", SEAT_MAX);
        plan->agents[(*count)++] = agent;
    }
    return 0;
}

int agent_spec_add(SetPlan *plan, uint32_t *count, Str specs, Err *err)
{
    Str rest = str_trim(specs);
    int rc = 0;

    if (!rest.len)
        return err_set(err, ERR_USAGE, "--agent is empty; expected one such as bot:sample");
    while (rest.len && rc == 0) {
        rc = add_spec(plan, count, str_cut(&rest, ' '), err);
        rest = str_trim(rest);
    }
    return rc;
}

/* Tables print roles in small letters, so they are taken too. */
static Role any_case_role(Str name)
{
    char capitals[16];

    if (name.len >= sizeof(capitals))
        return ROLE_NONE;
    for (size_t i = 0; i < name.len; i++)
        capitals[i] = name.bytes[i] >= 'a' && name.bytes[i] <= 'z'
                          ? (char)(name.bytes[i] - 'a' + 'A')
                          : name.bytes[i];
    return role_of((Str){capitals, name.len});
}

int agent_spec_fix_role(SetPlan *plan, uint32_t count, Str text, Err *err)
{
    Str role_text = text;
    Str name = str_cut(&role_text, '=');
    Role role = any_case_role(role_text);
    Suggest near = {.word = name};
    bool found = false;

    if (role == ROLE_NONE)
        return err_set(err, ERR_USAGE,
                       "expected NAME=ROLE with VILLAGER, SEER, MEDIUM, BODYGUARD, WEREWOLF, "
                       "POSSESSED, FREEMASON or FOX, found '%.*s'",
                       STR_ARG(str_part(text, 0, 64)));
    for (uint32_t i = 0; i < count; i++) {
        if (str_eq(name, str_of(plan->agents[i].name))) {
            plan->agents[i].fixed = role;
            found = true;
        }
        suggest_offer(&near, str_of(plan->agents[i].name));
    }
    Str best = suggest_best(&near);
    if (!found)
        return err_set(err, ERR_USAGE, "no agent is called '%.*s'%s%.*s%s",
                       STR_ARG(str_part(name, 0, 64)), best.len ? "; did you mean '" : "",
                       STR_ARG(best), best.len ? "'?" : "");
    return 0;
}
