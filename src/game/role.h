/* role.h - the words of the game that every room shares: seats, roles, species, sides.
 *
 * For:    rules, language, wires, logs. Names are those of the AIWolf protocol.
 * Memory: values and constant text.
 * Thread: any.
 * Source: docs/spec/protocol-division.md 2.2 (names), 3.2 (order of dealing), 3.7 (sides).
 */
#ifndef WARG_GAME_ROLE_H
#define WARG_GAME_ROLE_H

#include "base/str.h"

/* A seat of the table, 1..seat_count, as on the wire ("agent index"). 0 means nobody. */
typedef uint8_t SeatNo;

#define SEAT_NONE ((SeatNo)0)
#define SEAT_MAX  30 /* MAW tables take up to 30 players; the AIWolf divisions up to 18 */

/* A set of seats: bit s is seat s. */
typedef uint32_t SeatSet;

/* In the order in which the reference server deals them; ROLE_NONE is "not known". */
typedef enum __attribute__((packed)) Role {
    ROLE_NONE,
    ROLE_BODYGUARD,
    ROLE_FREEMASON,
    ROLE_MEDIUM,
    ROLE_POSSESSED,
    ROLE_SEER,
    ROLE_VILLAGER,
    ROLE_WEREWOLF,
    ROLE_FOX,
    ROLE_COUNT,
} Role;

/* What a divination and the medium see. */
typedef enum __attribute__((packed)) Species {
    SPECIES_NONE,
    SPECIES_HUMAN,
    SPECIES_WEREWOLF,
} Species;

/* Who wins together. */
typedef enum __attribute__((packed)) Side {
    SIDE_NONE, /* nobody: a draw or an aborted game */
    SIDE_VILLAGER,
    SIDE_WEREWOLF,
    SIDE_OTHERS, /* the fox */
} Side;

/* POSSESSED and FOX are of species HUMAN. */
Species role_species(Role role);
/* POSSESSED is on the werewolves' side, FOX on its own. */
Side role_side(Role role);

/* "SEER", "HUMAN", "VILLAGER"; "NONE" for the empty value. Constant text. */
const char *role_name(Role role);
/* For people: "Seer", "占い師"; "?" for NONE. The regulations' own words (seed 001). */
const char *role_word(Role role, bool japanese);
const char *species_name(Species species);
const char *side_name(Side side);

/* The value with exactly this name in capitals; the empty value for any other text. */
Role role_of(Str name);
Species species_of(Str name);
Side side_of(Str name);

static inline SeatSet seat_bit(SeatNo seat)
{
    return (SeatSet)1 << seat;
}
static inline bool seat_in(SeatSet set, SeatNo seat)
{
    return seat <= SEAT_MAX && ((set >> seat) & 1) != 0;
}
static inline unsigned seat_count_of(SeatSet set)
{
    /* Counted in parallel; without a popcount instruction the built-in is a library call. */
    set -= (set >> 1) & 0x55555555u;
    set = (set & 0x33333333u) + ((set >> 2) & 0x33333333u);
    return (((set + (set >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24;
}
/* The lowest seat of a set that is not empty. */
static inline SeatNo seat_first(SeatSet set)
{
    return (SeatNo)__builtin_ctz(set);
}
/* The seat of a set that has `n` seats below it in the set, n < its count. Without a branch, since
 * n is random where this is used and a wrong guess of the processor costs more than all of this. */
static inline SeatNo seat_nth(SeatSet set, uint32_t n)
{
    uint32_t pairs = set - ((set >> 1) & 0x55555555u); /* seats in each 2 bits, 4 bits, ... */
    uint32_t fours = (pairs & 0x33333333u) + ((pairs >> 2) & 0x33333333u);
    uint32_t eights = (fours + (fours >> 4)) & 0x0F0F0F0Fu;
    uint32_t sixteen = (eights + (eights >> 8)) & 0xFFu;
    uint32_t at, below, above;

    /* In which half is it? Then that half's halves. `above` is 1 for the upper one. */
    above = n >= sixteen;
    n -= sixteen & -above;
    at = above << 4;
    below = (eights >> at) & 0xFu;
    above = n >= below;
    n -= below & -above;
    at += above << 3;
    below = (fours >> at) & 0x7u;
    above = n >= below;
    n -= below & -above;
    at += above << 2;
    below = (pairs >> at) & 0x3u;
    above = n >= below;
    n -= below & -above;
    at += above << 1;
    below = (set >> at) & 0x1u;
    return (SeatNo)(at + (n >= below));
}
/* Every seat of 1..count. */
static inline SeatSet seat_all(SeatNo count)
{
    return (((SeatSet)1 << count) - 1) << 1;
}

/* Loops over the seats of a set in ascending order:
 * for (SeatSet left = set; left; left &= left - 1) { SeatNo seat = seat_first(left); ... } */

#endif
