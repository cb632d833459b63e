#include "stats/win_rates.h"

void role_seats_add(RoleSeats *all, const Tally roles[static ROLE_COUNT])
{
    for (size_t role = 0; role < ROLE_COUNT; role++)
        all->seats[role] += roles[role].games;
}

RoleSeats role_seats_of(const Standings *standings)
{
    RoleSeats all = {0};

    for (uint32_t i = 0; i < standings->count; i++)
        role_seats_add(&all, standings->agents[i].roles);
    return all;
}

static double part(double some, double whole)
{
    return whole > 0 ? some / whole : 0;
}

WinRates win_rates(const Tally roles[static ROLE_COUNT], const RoleSeats *all)
{
    Tally own = {0};
    double rates = 0, weighted = 0, seats = 0;
    unsigned played = 0;

    for (size_t role = 0; role < ROLE_COUNT; role++) {
        if (roles[role].games == 0)
            continue;
        double rate = part((double)roles[role].wins, (double)roles[role].games);
        own.games += roles[role].games;
        own.wins += roles[role].wins;
        rates += rate;
        weighted += (double)all->seats[role] * rate;
        seats += (double)all->seats[role];
        played++;
    }
    return (WinRates){part((double)own.wins, (double)own.games), part(rates, played),
                      part(weighted, seats)};
}
