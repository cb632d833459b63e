#include "lang/words.h"

#define KIND(first, length, name) [LANG_##name] = {#name, length},
#define ROLE(first, length, name) [ROLE_##name] = {#name, length},

const Word words_kind[LANG_KIND_COUNT] = {
    WORDS_VERBS(KIND)[LANG_SKIP] = {"Skip", 4},
    [LANG_OVER] = {"Over", 4},
};
const Word words_role[ROLE_COUNT] = {WORDS_ROLES(ROLE)[LANG_ROLE_ANY] = {"ANY", 3}};
const Word words_species[SPECIES_WEREWOLF + 1] = {
    [LANG_SPECIES_ANY] = {"ANY", 3},
    [SPECIES_HUMAN] = {"HUMAN", 5},
    [SPECIES_WEREWOLF] = {"WEREWOLF", 8},
};
const Word words_talk[LANG_WHISPER + 1] = {
    [LANG_TALK_NONE] = {"NONE", 4},
    [LANG_TALK] = {"TALK", 4},
    [LANG_WHISPER] = {"WHISPER", 7},
};

const char *lang_kind_name(LangKind kind)
{
    return kind < LANG_KIND_COUNT ? words_kind[kind].text : "NONE";
}

const char *lang_talk_name(LangTalk talk)
{
    return words_talk[talk <= LANG_WHISPER ? talk : LANG_TALK_NONE].text;
}
