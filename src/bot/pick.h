/* pick.h - one seat out of a set, by chance; shared by the built-in bots.
 *
 * For:    targets of votes and night actions.
 * Memory: values.
 * Thread: any; the Rng is the bot's own.
 * Source: base/rng.h.
 */
#ifndef WARG_BOT_PICK_H
#define WARG_BOT_PICK_H

#include "base/rng.h"
#include "game/view.h"

/* Each seat of the set is equally likely; SEAT_NONE when the set is empty. */
static inline SeatNo pick_seat(Rng *rng, SeatSet from)
{
    return from ? seat_nth(from, rng_below(rng, seat_count_of(from))) : SEAT_NONE;
}

/* Everybody who is alive as far as this seat knows, without itself. */
static inline SeatSet pick_others(const View *view)
{
    return view->alive & ~seat_bit(view->seat);
}

#endif
