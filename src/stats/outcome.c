#include "stats/outcome.h"

enum { COUNT_BITS = 5 }; /* of a count up to SEAT_MAX */

_Static_assert(SEAT_MAX < 1 << COUNT_BITS && ROLE_COUNT * COUNT_BITS <= 64,
               "the counts of all roles fit into a Composition");

int outcome_sign(Role role)
{
    Side side = role_side(role);

    return (side == SIDE_VILLAGER) - (side == SIDE_WEREWOLF);
}

int outcome_check(const Outcome *outcome, Err *err)
{
    unsigned village = 0, wolves = 0;

    if (outcome->seat_count > SEAT_MAX)
        return err_set(err, ERR_RULE, "a game of %u players", outcome->seat_count);
    for (SeatNo seat = 1; seat <= outcome->seat_count; seat++) {
        Role role = outcome->roles[seat];
        if (role <= ROLE_NONE || role >= ROLE_COUNT)
            return err_set(err, ERR_RULE, "seat %u has no role", seat);
        village += outcome_sign(role) > 0;
        wolves += outcome_sign(role) < 0;
    }
    if (village == 0 || wolves == 0)
        return err_set(err, ERR_RULE, "a game with nobody on the side of the %s",
                       village == 0 ? "village" : "wolves");
    return 0;
}

Composition outcome_composition(const Outcome *outcome)
{
    Composition composition = 0;

    for (SeatNo seat = 1; seat <= outcome->seat_count; seat++)
        composition += (Composition)1 << (COUNT_BITS * outcome->roles[seat]);
    return composition;
}

bool outcome_decided(const Outcome *outcome)
{
    return outcome->winner == SIDE_VILLAGER || outcome->winner == SIDE_WEREWOLF;
}

unsigned composition_seats(Composition composition, Role role)
{
    return (unsigned)(composition >> (COUNT_BITS * role)) & ((1u << COUNT_BITS) - 1);
}

int composition_lead(Composition composition)
{
    int lead = 0;

    for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        lead += outcome_sign(role) * (int)composition_seats(composition, role);
    return lead;
}
