#include "game/role.h"

static const char *const role_names[ROLE_COUNT] = {
    [ROLE_NONE] = "NONE",         [ROLE_BODYGUARD] = "BODYGUARD", [ROLE_FREEMASON] = "FREEMASON",
    [ROLE_MEDIUM] = "MEDIUM",     [ROLE_POSSESSED] = "POSSESSED", [ROLE_SEER] = "SEER",
    [ROLE_VILLAGER] = "VILLAGER", [ROLE_WEREWOLF] = "WEREWOLF",   [ROLE_FOX] = "FOX",
};
static const char *const species_names[] = {"NONE", "HUMAN", "WEREWOLF"};
static const char *const side_names[] = {"NONE", "VILLAGER", "WEREWOLF", "OTHERS"};

Species role_species(Role role)
{
    if (role == ROLE_NONE)
        return SPECIES_NONE;
    return role == ROLE_WEREWOLF ? SPECIES_WEREWOLF : SPECIES_HUMAN;
}

Side role_side(Role role)
{
    switch (role) {
    case ROLE_BODYGUARD:
    case ROLE_FREEMASON:
    case ROLE_MEDIUM:
    case ROLE_SEER:
    case ROLE_VILLAGER:
        return SIDE_VILLAGER;
    case ROLE_POSSESSED:
    case ROLE_WEREWOLF:
        return SIDE_WEREWOLF;
    case ROLE_FOX:
        return SIDE_OTHERS;
    case ROLE_NONE:
    case ROLE_COUNT:
        break;
    }
    return SIDE_NONE;
}

/* The index of `name` in names[1..count-1], or 0. */
static unsigned find_name(Str name, const char *const *names, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        if (str_eq(name, str_of(names[i])))
            return i;
    return 0;
}

const char *role_name(Role role)
{
    return role_names[role < ROLE_COUNT ? role : ROLE_NONE];
}

const char *role_word(Role role, bool japanese)
{
    static const char *const words[ROLE_COUNT][2] = {
        [ROLE_NONE] = {"?", "?"},
        [ROLE_BODYGUARD] = {"Bodyguard", "狩人"},
        [ROLE_FREEMASON] = {"Freemason", "共有者"},
        [ROLE_MEDIUM] = {"Medium", "霊媒師"},
        [ROLE_POSSESSED] = {"Possessed", "狂人"},
        [ROLE_SEER] = {"Seer", "占い師"},
        [ROLE_VILLAGER] = {"Villager", "村人"},
        [ROLE_WEREWOLF] = {"Werewolf", "人狼"},
        [ROLE_FOX] = {"Fox", "妖狐"},
    };

    return words[role < ROLE_COUNT ? role : ROLE_NONE][japanese];
}

const char *species_name(Species species)
{
    return species_names[species <= SPECIES_WEREWOLF ? species : SPECIES_NONE];
}

const char *side_name(Side side)
{
    return side_names[side <= SIDE_OTHERS ? side : SIDE_NONE];
}

Role role_of(Str name)
{
    return (Role)find_name(name, role_names, ROLE_COUNT);
}

Species species_of(Str name)
{
    return (Species)find_name(name, species_names, 3);
}

Side side_of(Str name)
{
    return (Side)find_name(name, side_names, 4);
}
