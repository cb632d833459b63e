#include "cell/cell_tally.h"

#include <stdatomic.h>

static atomic_uint_least64_t started, ended[CELL_FATES];
static void (*hears)(void *user);
static void *hearer;

CellFate cell_fate_of(bool begun, bool used, const ChildEnd *how)
{
    if (how->asked)
        return CELL_ENDED;
    if (!begun)
        return CELL_NOT_MADE;
    if (!used)
        return CELL_KILLED;
    return how->status || how->signal_number ? CELL_PROGRAM_FAILED : CELL_ENDED;
}

static void tell_change(void)
{
    if (hears)
        hears(hearer);
}

void cell_tally_start(void)
{
    atomic_fetch_add(&started, 1);
    tell_change();
}

void cell_tally_end(CellFate fate)
{
    atomic_fetch_add(&ended[fate], 1);
    tell_change();
}

CellTally cell_tally(void)
{
    CellTally tally = {0};

    for (CellFate fate = 0; fate < CELL_FATES; fate++) /* first: each was started before it ended */
        tally.ended[fate] = atomic_load(&ended[fate]);
    tally.started = atomic_load(&started);
    return tally;
}

void cell_tally_hear(void (*changed)(void *user), void *user)
{
    hears = changed;
    hearer = user;
}
