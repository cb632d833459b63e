#include "record/belief.h"

#include <string.h>

#define STATES_MAX 512
#define STEPS_MAX  20e6 /* of one row: some twenty milliseconds */
#define RESULT     0.5  /* of a false seer or medium: as likely human as wolf */

/* How likely a role claims another one. */
static const double false_claim[ROLE_COUNT] = {
    [ROLE_BODYGUARD] = 0.02, [ROLE_FREEMASON] = 0.02, [ROLE_MEDIUM] = 0.02,  [ROLE_SEER] = 0.02,
    [ROLE_VILLAGER] = 0.02,  [ROLE_POSSESSED] = 0.3,  [ROLE_WEREWOLF] = 0.3, [ROLE_FOX] = 0.3,
};

/* Roles that are dealt to single seats one by one; villagers are the rest, wolves a set. */
static const Role dealt[] = {ROLE_BODYGUARD, ROLE_FREEMASON, ROLE_MEDIUM,
                             ROLE_POSSESSED, ROLE_SEER,      ROLE_FOX};
#define DEALT_COUNT (sizeof(dealt) / sizeof(dealt[0]))

/* One row that is being computed. A state says how many of each of `dealt` are given away. */
typedef struct Count {
    const Belief *belief;
    SeatNo claimants[SEAT_MAX];
    size_t claimant_count;
    double weight[SEAT_MAX + 1][ROLE_COUNT]; /* of what a seat said, but for true results */
    size_t stride[DEALT_COUNT];
    size_t states;
} Count;

void belief_begin(Belief *belief, SeatNo seat_count, const uint8_t counts[static ROLE_COUNT])
{
    *belief = (Belief){.seat_count = seat_count};
    memcpy(belief->counts, counts, sizeof(belief->counts));
}

static bool is_seat(const Belief *belief, SeatNo seat)
{
    return seat != SEAT_NONE && seat <= belief->seat_count;
}

/* That one is a villager says nothing: whoever hides says so. */
void belief_claim(Belief *belief, SeatNo seat, Role role)
{
    if (!is_seat(belief, seat) || role == ROLE_NONE || role == ROLE_VILLAGER || role >= ROLE_COUNT)
        return;
    belief->claims[seat] |= 1u << role;
}

void belief_judge(Belief *belief, SeatNo judge, bool medium, SeatNo target, Species species)
{
    if (!is_seat(belief, judge) || !is_seat(belief, target) || species == SPECIES_NONE)
        return;
    belief_claim(belief, judge, medium ? ROLE_MEDIUM : ROLE_SEER);
    SeatSet *set = species == SPECIES_WEREWOLF ? belief->wolf[judge] : belief->human[judge];
    set[medium] |= seat_bit(target);
}

void belief_killed(Belief *belief, SeatNo seat)
{
    if (is_seat(belief, seat))
        belief->killed |= seat_bit(seat);
}

/* ---- what a seat said, for each role ---- */

static double power_of(double base, unsigned exponent)
{
    double value = 1;

    while (exponent-- > 0)
        value *= base;
    return value;
}

static unsigned result_count(const Belief *belief, SeatNo seat, bool medium)
{
    return seat_count_of(belief->human[seat][medium]) + seat_count_of(belief->wolf[seat][medium]);
}

/* Results that it would know are left out: fits_results judges them. */
static double weight_of(const Belief *belief, SeatNo seat, Role role)
{
    const uint32_t others = belief->claims[seat] & ~(1u << role);
    double weight = power_of(false_claim[role], seat_count_of(others));

    if (role != ROLE_SEER)
        weight *= power_of(RESULT, result_count(belief, seat, false));
    if (role != ROLE_MEDIUM)
        weight *= power_of(RESULT, result_count(belief, seat, true));
    return weight;
}

static bool fits_results(const Belief *belief, SeatNo seat, Role role, SeatSet wolves)
{
    const bool medium = role == ROLE_MEDIUM;

    if (role != ROLE_SEER && role != ROLE_MEDIUM)
        return true;
    return (belief->human[seat][medium] & wolves) == 0 &&
           (belief->wolf[seat][medium] & ~wolves) == 0;
}

/* ---- what is left for who claimed nothing ---- */

static double factorial_of(unsigned n)
{
    double value = 1;

    for (unsigned i = 2; i <= n; i++)
        value *= i;
    return value;
}

/* How many of dealt[i] are given away in a state. */
static unsigned given_in(const Count *count, size_t state, size_t i)
{
    return (unsigned)(state / count->stride[i]) % (count->belief->counts[dealt[i]] + 1u);
}

/* In how many ways so many seats that are alike get the roles that a state leaves. */
static double ways_of(const Count *count, size_t state, unsigned seats)
{
    double ways = factorial_of(seats);
    unsigned left = 0;

    for (size_t i = 0; i < DEALT_COUNT; i++) {
        unsigned rest = count->belief->counts[dealt[i]] - given_in(count, state, i);
        left += rest;
        ways /= factorial_of(rest);
    }
    return left > seats ? 0 : ways / factorial_of(seats - left);
}

/* ---- one set of wolves ---- */

/* Gives a claimant each role that is left; `from` and `to` are weights by state. */
static void deal_claimant(const Count *count, SeatNo seat, SeatSet wolves, const double *from,
                          double *to)
{
    const Belief *belief = count->belief;

    for (size_t state = 0; state < count->states; state++)
        to[state] = from[state] * count->weight[seat][ROLE_VILLAGER];
    for (size_t i = 0; i < DEALT_COUNT; i++) {
        if (!belief->counts[dealt[i]] || !fits_results(belief, seat, dealt[i], wolves))
            continue;
        for (size_t state = 0; state < count->states; state++)
            if (given_in(count, state, i) < belief->counts[dealt[i]])
                to[state + count->stride[i]] += from[state] * count->weight[seat][dealt[i]];
    }
}

static double weight_of_set(const Count *count, SeatSet wolves)
{
    double rows[2][STATES_MAX] = {{1}};
    double weight = 1, sum = 0;
    unsigned now = 0, seats = count->belief->seat_count - seat_count_of(wolves);

    for (size_t i = 0; i < count->claimant_count; i++) {
        SeatNo seat = count->claimants[i];
        if (seat_in(wolves, seat)) {
            weight *= count->weight[seat][ROLE_WEREWOLF];
            continue;
        }
        deal_claimant(count, seat, wolves, rows[now], rows[!now]);
        now = !now;
        seats--;
    }
    for (size_t state = 0; state < count->states; state++)
        if (rows[now][state] > 0)
            sum += rows[now][state] * ways_of(count, state, seats);
    return weight * sum;
}

/* ---- all sets of wolves ---- */

/* The next set of so many of `among` behind this one, by Gosper's way over its members; 0 = none.
 */
static SeatSet next_choice(SeatSet choice, unsigned of)
{
    SeatSet low = choice & -choice, ripple = choice + low;
    SeatSet next = ripple | (((choice ^ ripple) >> 2) / low);

    return next >> of ? 0 : next;
}

static SeatSet seats_of_choice(SeatSet choice, const SeatNo *members)
{
    SeatSet seats = 0;

    for (; choice; choice &= choice - 1)
        seats |= seat_bit(members[seat_first(choice)]);
    return seats;
}

static double choices_of(unsigned of, unsigned some)
{
    double ways = 1;

    for (unsigned i = 0; i < some; i++)
        ways = ways * (of - i) / (i + 1);
    return ways;
}

static bool prepare_count(Count *count, const Belief *belief)
{
    count->belief = belief;
    count->states = 1;
    for (size_t i = 0; i < DEALT_COUNT; i++) {
        count->stride[i] = count->states;
        count->states *= belief->counts[dealt[i]] + 1u;
        if (count->states > STATES_MAX)
            return false;
    }
    for (SeatNo seat = 1; seat <= belief->seat_count; seat++) {
        if (!belief->claims[seat])
            continue;
        count->claimants[count->claimant_count++] = seat;
        for (unsigned role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
            count->weight[seat][role] = weight_of(belief, seat, (Role)role);
    }
    return true;
}

bool belief_rate(const Belief *belief, double ret_wolf[static SEAT_MAX + 1])
{
    Count count = {0};
    SeatNo members[SEAT_MAX];
    unsigned among = 0, wolves = belief->counts[ROLE_WEREWOLF];
    double all = 0, of_seat[SEAT_MAX + 1] = {0};

    if (!prepare_count(&count, belief))
        return false;
    for (SeatNo seat = 1; seat <= belief->seat_count; seat++)
        if (!seat_in(belief->killed, seat))
            members[among++] = seat;
    const size_t each = count.states * (count.claimant_count * DEALT_COUNT + 1);
    double steps = choices_of(among, wolves) * (double)each;
    if (wolves == 0 || wolves > among || steps > STEPS_MAX)
        return false;
    for (SeatSet choice = seat_all((SeatNo)wolves) >> 1; choice;
         choice = next_choice(choice, among)) {
        SeatSet set = seats_of_choice(choice, members);
        double weight = weight_of_set(&count, set);
        all += weight;
        for (SeatSet left = set; left; left &= left - 1)
            of_seat[seat_first(left)] += weight;
    }
    for (SeatNo seat = 1; seat <= belief->seat_count && all > 0; seat++)
        ret_wolf[seat] = of_seat[seat] / all;
    return all > 0;
}
