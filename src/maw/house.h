/* house.h - one process of MAW: the post between a session, the players in this process and a
 *           link to those outside.
 *
 * For:    `warg maw` with and without an XMPP server, tests.
 * Memory: a MawHouse borrows session, players and link; it owns stanzas on their way.
 * Thread: one at a time. Time is an argument.
 * Source: docs/spec/maw.md 8.1 ("a third implementation `loop`"), 3.6.
 *
 * A stanza that is sent lies in a queue until house_deliver; so nobody is called from inside
 * himself, and the order is that of sending: same seed, same session.
 */
#ifndef WARG_MAW_HOUSE_H
#define WARG_MAW_HOUSE_H

#include "maw/player.h"
#include "maw/session.h"

typedef struct MawHouse MawHouse;

int maw_house_new(MawHouse **ret_house, Err *err);
MawHouse *maw_house_free(MawHouse *house);

/* Who lives here: stanzas to `jid` (bare) come to `receive`. */
int maw_house_add(MawHouse *house, Str jid,
                  void (*receive)(void *user, const MawStanza *stanza, TimeUs now), void *user,
                  Err *err);
/* Whether somebody lives here under this address; a resource is no part of it. */
bool maw_house_has(const MawHouse *house, Str jid);
void maw_house_remove(MawHouse *house, Str jid);
/* All that is to nobody here goes out by this; NULL = it comes back to a house's sender as an error
 * stanza (item-not-found). */
void maw_house_link(MawHouse *house, void (*send)(void *user, const MawStanza *stanza), void *user);

/* Copies a stanza into the queue: the `send` of sessions and players; also what came from outside.
 */
void maw_house_post(MawHouse *house, const MawStanza *stanza);
/* Delivers all that is queued, and what comes of it. Returns how many stanzas. */
uint64_t maw_house_deliver(MawHouse *house, TimeUs now);

#endif
