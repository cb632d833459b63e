#include "person/person_text.h"

PersonLanguage person_language(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};

    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        const char *value = getenv(variables[i]);
        if (value && value[0])
            return str_starts(str_of(value), STR("ja")) ? PERSON_JAPANESE : PERSON_ENGLISH;
    }
    return PERSON_ENGLISH;
}

void person_fill(const char *text, const Str *arguments, size_t count, Buf *out)
{
    for (const char *at = text; *at; at++) {
        bool place = at[0] == '{' && at[1] >= '0' && at[1] <= '9' && at[2] == '}';
        if (!place) {
            buf_add_char(out, *at);
            continue;
        }
        size_t number = (size_t)(at[1] - '0');
        if (number < count)
            buf_add(out, arguments[number]);
        at += 2;
    }
}

const char *person_role(Role role, PersonLanguage language)
{
    if (role == ROLE_NONE)
        return language == PERSON_JAPANESE ? "不明" : "unknown";
    return role_word(role, language == PERSON_JAPANESE);
}

const char *person_species(Species species, PersonLanguage language)
{
    if (species == SPECIES_WEREWOLF)
        return language == PERSON_JAPANESE ? "人狼" : "a werewolf";
    return language == PERSON_JAPANESE ? "人間" : "human";
}

const char *person_side(Side side, PersonLanguage language)
{
    static const char *const names[][PERSON_LANGUAGES] = {
        [SIDE_NONE] = {"Nobody", "どの陣営でもない"},
        [SIDE_VILLAGER] = {"The villagers", "村人陣営"},
        [SIDE_WEREWOLF] = {"The werewolves", "人狼陣営"},
        [SIDE_OTHERS] = {"The fox", "妖狐"},
    };

    return names[side][language];
}

Str person_first_word(Str line, Str *ret_rest)
{
    Str word = str_cut(&line, ' ');

    *ret_rest = str_trim(line);
    return word;
}

static bool name_begins(Str name, Str typed)
{
    if (typed.len > name.len)
        return false;
    for (size_t i = 0; i < typed.len; i++)
        if (str_lower_char(name.bytes[i]) != str_lower_char(typed.bytes[i]))
            return false;
    return true;
}

bool person_find_name(Str typed, const Str *names, size_t count, size_t *ret_index)
{
    size_t found = 0;

    if (typed.len == 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!name_begins(names[i], typed))
            continue;
        found++;
        *ret_index = i;
        if (names[i].len == typed.len)
            return true;
    }
    return found == 1;
}
