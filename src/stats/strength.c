#include "stats/strength.h"

void strength_init(Strength *strength)
{
    *strength = (Strength){0};
}

void strength_done(Strength *strength)
{
    mem_free(strength->results);
    mem_free(strength->sets);
    mem_free(strength->lineups);
    mem_free(strength->entries);
    mem_free(strength->places);
    strength_init(strength);
}

/* ---- line-ups ---- */

/* One game as the model sees it. */
typedef struct Sides {
    StrengthEntry entries[SEAT_MAX]; /* by agent, ascending */
    uint16_t count;
    uint16_t village;
} Sides;

/* Counts one seat; insertion keeps the agents in order. */
static void add_seat(Sides *sides, uint16_t agent, int sign)
{
    uint16_t at = sides->count;

    while (at > 0 && sides->entries[at - 1].agent > agent)
        at--;
    if (at > 0 && sides->entries[at - 1].agent == agent) {
        sides->entries[at - 1].seats = (int16_t)(sides->entries[at - 1].seats + sign);
        return;
    }
    for (uint16_t i = sides->count; i > at; i--)
        sides->entries[i] = sides->entries[i - 1];
    sides->entries[at] = (StrengthEntry){agent, (int16_t)sign};
    sides->count++;
}

static Sides sides_of(const Outcome *outcome, uint16_t village)
{
    Sides sides = {.village = village};
    uint16_t kept = 0;

    for (SeatNo seat = 1; seat <= outcome->seat_count; seat++)
        add_seat(&sides, outcome->agents[seat], outcome_sign(outcome->roles[seat]));
    for (uint16_t i = 0; i < sides.count; i++) /* an agent on both sides can cancel out */
        if (sides.entries[i].seats != 0)
            sides.entries[kept++] = sides.entries[i];
    sides.count = kept;
    return sides;
}

/* FNV-1a over agents and seats. The order of line-ups never depends on it. */
static uint32_t entry_hash(const StrengthEntry *entries, uint32_t count, uint32_t village)
{
    uint32_t value = (2166136261u ^ village) * 16777619u;

    for (uint32_t i = 0; i < count; i++) {
        value = (value ^ entries[i].agent) * 16777619u;
        value = (value ^ (uint16_t)entries[i].seats) * 16777619u;
    }
    return value ^ value >> 15;
}

static bool same_lineup(const Strength *strength, const StrengthLineup *lineup, const Sides *sides)
{
    const StrengthEntry *entries = strength->entries + lineup->first;

    if (lineup->village != sides->village || lineup->count != sides->count)
        return false;
    for (uint16_t i = 0; i < sides->count; i++)
        if (entries[i].agent != sides->entries[i].agent ||
            entries[i].seats != sides->entries[i].seats)
            return false;
    return true;
}

/* The place where the line-up is, or the free one where it would be. */
static uint32_t place_of(const Strength *strength, const Sides *sides)
{
    uint32_t mask = 2 * strength->lineup_room - 1;
    uint32_t place = entry_hash(sides->entries, sides->count, sides->village) & mask;

    while (strength->places[place] != 0 &&
           !same_lineup(strength, &strength->lineups[strength->places[place] - 1], sides))
        place = (place + 1) & mask;
    return place;
}

static void fill_places(Strength *strength)
{
    uint32_t mask = 2 * strength->lineup_room - 1;

    memset(strength->places, 0, (mask + (size_t)1) * sizeof(*strength->places));
    for (uint32_t i = 0; i < strength->lineup_count; i++) {
        const StrengthLineup *lineup = &strength->lineups[i];
        uint32_t place =
            entry_hash(strength->entries + lineup->first, lineup->count, lineup->village) & mask;
        while (strength->places[place] != 0)
            place = (place + 1) & mask;
        strength->places[place] = i + 1;
    }
}

static uint32_t doubled_to(uint32_t room, uint32_t needed)
{
    while (room < needed)
        room = room ? 2 * room : 64;
    return room;
}

static bool grow_array(uint32_t **array, uint32_t *room, uint32_t needed)
{
    uint32_t larger = doubled_to(*room, needed);

    if (larger == *room)
        return true;
    uint32_t *grown = mem_resize(*array, larger, sizeof(*grown));
    if (!grown)
        return false;
    *array = grown;
    *room = larger;
    return true;
}

static bool grow_entries(Strength *strength)
{
    uint32_t larger = doubled_to(strength->entry_room, strength->entry_count + SEAT_MAX);

    if (larger == strength->entry_room)
        return true;
    StrengthEntry *entries = mem_resize(strength->entries, larger, sizeof(*entries));
    if (!entries)
        return false;
    strength->entries = entries;
    strength->entry_room = larger;
    return true;
}

static bool grow_lineups(Strength *strength)
{
    uint32_t larger = doubled_to(strength->lineup_room, strength->lineup_count + 1);

    if (larger == strength->lineup_room)
        return true;
    StrengthLineup *lineups = mem_resize(strength->lineups, larger, sizeof(*lineups));
    if (!lineups)
        return false;
    strength->lineups = lineups;
    uint32_t *places = mem_resize(strength->places, 2 * (size_t)larger, sizeof(*places));
    if (!places)
        return false;
    strength->places = places;
    strength->lineup_room = larger;
    fill_places(strength);
    return true;
}

/* The line-up's index; there is room for one more. */
static uint32_t lineup_of(Strength *strength, const Sides *sides)
{
    uint32_t place = place_of(strength, sides);

    if (strength->places[place] != 0)
        return strength->places[place] - 1;
    uint32_t index = strength->lineup_count++;
    strength->lineups[index] =
        (StrengthLineup){strength->entry_count, sides->count, sides->village};
    memcpy(strength->entries + strength->entry_count, sides->entries,
           sides->count * sizeof(*sides->entries));
    strength->entry_count += sides->count;
    strength->places[place] = index + 1;
    return index;
}

/* ---- adding ---- */

/* The index of the composition; village_count for a new one. */
static uint32_t village_of(const Strength *strength, Composition composition)
{
    uint32_t i = 0;

    while (i < strength->village_count && strength->villages[i].composition != composition)
        i++;
    return i;
}

static int check_game(const Strength *strength, const Outcome *outcome, Err *err)
{
    int rc = outcome_check(outcome, err);

    if (rc)
        return rc;
    if (strength->games + strength->left_out > 0 && outcome->set < strength->last_set)
        return err_set(err, ERR_RULE, "a game of set %llu behind one of set %llu",
                       (unsigned long long)outcome->set, (unsigned long long)strength->last_set);
    for (SeatNo seat = 1; seat <= outcome->seat_count; seat++)
        if (outcome->agents[seat] >= STRENGTH_AGENTS_MAX)
            return err_set(err, ERR_LIMIT, "more than %d agents can't be rated",
                           STRENGTH_AGENTS_MAX);
    if (village_of(strength, outcome_composition(outcome)) == STRENGTH_COMPOSITIONS_MAX)
        return err_set(err, ERR_LIMIT, "more than %d compositions of roles can't be rated",
                       STRENGTH_COMPOSITIONS_MAX);
    if (strength->games == STRENGTH_GAMES_MAX)
        return err_set(err, ERR_LIMIT, "more than %d games can't be rated", STRENGTH_GAMES_MAX);
    return 0;
}

/* Counts the game that was checked and has room. */
static void count_game(Strength *strength, const Outcome *outcome)
{
    uint32_t village = village_of(strength, outcome_composition(outcome));

    if (village == strength->village_count)
        strength->villages[strength->village_count++] =
            (StrengthVillage){.composition = outcome_composition(outcome)};
    if (strength->games == 0 || outcome->set != strength->counted_set)
        strength->sets[strength->set_count++] = (uint32_t)strength->games;
    strength->counted_set = outcome->set;
    Sides sides = sides_of(outcome, (uint16_t)village);
    strength->results[strength->games] =
        2 * lineup_of(strength, &sides) + (outcome->winner == SIDE_VILLAGER);
    strength->villages[village].games++;
    strength->games++;
    for (SeatNo seat = 1; seat <= outcome->seat_count; seat++)
        strength->ratings[outcome->agents[seat]].seats += outcome_sign(outcome->roles[seat]) != 0;
}

int strength_add_game(Strength *strength, const Outcome *outcome, Err *err)
{
    int rc = check_game(strength, outcome, err);

    if (rc)
        return rc;
    if (outcome_decided(outcome)) {
        uint32_t games = (uint32_t)strength->games;
        if (!grow_array(&strength->results, &strength->result_room, games + 1) ||
            !grow_array(&strength->sets, &strength->set_room, strength->set_count + 1) ||
            !grow_entries(strength) || !grow_lineups(strength))
            return err_set(err, ERR_MEMORY, "strengths from %u games: out of memory", games);
        count_game(strength, outcome);
    } else {
        strength->left_out++;
    }
    strength->last_set = outcome->set;
    for (SeatNo seat = 1; seat <= outcome->seat_count; seat++)
        if (outcome->agents[seat] >= strength->agent_count)
            strength->agent_count = outcome->agents[seat] + 1u;
    return 0;
}
