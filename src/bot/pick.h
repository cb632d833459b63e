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
#include "game/game.h"

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

/* How much a bot wants to speak next, by what was said today: 3 when the last line names it, 0
 * when it said Over and nobody has named it since, 1 when it said Skip, else BID_UNSAID. */
uint8_t pick_bid(const View *view);

#endif
