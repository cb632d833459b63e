/* peer.h - who is at the other end of a chair's link in a test, and the game that it is asked of.
 *
 * For:    test_chair.c, test_aiwolf_agent.c: no socket, no clock.
 * Memory: peer_done gives back what was sent; the game is its caller's.
 * Thread: the test's.
 */
#ifndef WARG_TESTS_SEAT_PEER_H
#define WARG_TESTS_SEAT_PEER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "game/game.h"
#include "seat/link.h"

#define MS 1000 /* times of the tests are milliseconds */

typedef struct Peer {
    Buf sent; /* what it was sent last */
    bool closed;
    /* what it tells */
    uint64_t turn;
    bool more;
    bool input;
    bool seen; /* what its threads do can be seen */
    RunQueueLook look;
} Peer;

static inline void peer_send(void *user, Str bytes)
{
    Peer *peer = user;

    assert_false(peer->closed);
    buf_clear(&peer->sent);
    buf_add(&peer->sent, bytes);
}

static inline void peer_close(void *user)
{
    Peer *peer = user;

    assert_false(peer->closed);
    peer->closed = true;
}

static inline bool peer_has_more(void *user)
{
    return ((Peer *)user)->more;
}

static inline bool peer_has_input(void *user)
{
    return ((Peer *)user)->input;
}

static inline uint64_t peer_turn(void *user)
{
    return ((Peer *)user)->turn;
}

static inline bool peer_look(void *user, RunQueueLook *ret_look)
{
    const Peer *peer = user;

    if (peer->seen)
        *ret_look = peer->look;
    return peer->seen;
}

/* On this machine, and somewhere else, where only bytes go to and fro. */
static const LinkKind local_peer = {.send = peer_send,
                                    .close = peer_close,
                                    .has_more = peer_has_more,
                                    .has_input = peer_has_input,
                                    .turn = peer_turn,
                                    .look = peer_look};
static const LinkKind far_peer = {.send = peer_send, .close = peer_close};

static inline void peer_done(Peer *peer)
{
    assert_true(peer->closed);
    buf_done(&peer->sent);
}

/* A game of five that has begun; its seats have their views. */
static inline Game *begun_game(const char *preset)
{
    Game *game = NULL;
    Ruleset rules;
    Event event;

    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    assert_int_equal(game_new(&rules, 5, &game, NULL), 0);
    assert_int_equal(game_start(game, NULL, chance_from_seed(1), NULL), 0);
    while (game_next_event(game, &event))
        ;
    return game;
}

#endif
