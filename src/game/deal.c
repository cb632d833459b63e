/* Dealing roles: fixed ones first, then granted wishes, then a uniform shuffle of the rest, so
 * that seats say nothing about roles. docs/spec/protocol-division.md 3.2; docs/spec/nlp-division.md
 * 2.4. */
#include "game/state.h"

#include <assert.h>

int deal_fits(const Game *game, Err *err)
{
    uint8_t used[ROLE_COUNT] = {0};

    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        uint8_t role = game->fixed[seat];
        if (role >= ROLE_COUNT)
            return err_set(err, ERR_RULE, "seat %u is fixed to a role that does not exist", seat);
        if (role != ROLE_NONE && ++used[role] > game->role_counts[role])
            return err_set(err, ERR_RULE, "%u seats are fixed as %s, but this table has %u",
                           used[role], role_name((Role)role), game->role_counts[role]);
    }
    return 0;
}

/* First come, first served, in an order that chance draws. */
static void grant_wishes(Game *game, uint8_t left[static ROLE_COUNT])
{
    SeatSet wishers = 0;

    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        if (game->wish[seat] != ROLE_NONE && game->roles[seat] == ROLE_NONE)
            wishers |= seat_bit(seat);
    while (wishers) {
        SeatNo seat = game_choose(game, CHANCE_WISHER, SEAT_NONE, wishers);
        uint8_t wish = game->wish[seat];
        wishers &= ~seat_bit(seat);
        if (left[wish] > 0) {
            left[wish]--;
            game->roles[seat] = wish;
        }
    }
}

/* The roles that are left, in the order of the enum, dealt to the seats that have none. */
static void deal_rest(Game *game, const uint8_t left[static ROLE_COUNT])
{
    uint8_t pile[SEAT_MAX];
    uint32_t count = 0;

    for (uint8_t role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        for (uint8_t i = 0; i < left[role]; i++)
            pile[count++] = role;
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        if (game->roles[seat] != ROLE_NONE)
            continue;
        uint8_t role = chance_choose(&game->chance, &(ChanceQuestion){.kind = CHANCE_DEAL,
                                                                      .day = game->day,
                                                                      .seat = seat,
                                                                      .candidates = pile,
                                                                      .count = count});
        uint32_t at = 0;
        while (pile[at] != role)
            at++;
        /* Which of the equal cards was drawn does not matter; the last one fills the gap. */
        pile[at] = pile[--count];
        game->roles[seat] = role;
    }
    assert(count == 0);
}

static void tell_roles(Game *game)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        game->with_role[game->roles[seat]] |= seat_bit(seat);
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        Role role = (Role)game->roles[seat];
        bool has_mates = role == ROLE_WEREWOLF || role == ROLE_FREEMASON;
        Event *event =
            game_emit(game, EVENT_ROLE, has_mates ? game->with_role[role] : seat_bit(seat));
        event->seat = seat;
        event->role = role;
    }
    view_roles(game);
}

bool deal_step(Game *game)
{
    if (game->rules.contest.role_request && !game->action_begun) {
        game->action_begun = true;
        game_open(game, ASK_ROLE, game->seats);
        return false;
    }
    uint8_t left[ROLE_COUNT];
    memcpy(left, game->role_counts, sizeof(left));
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        if (game->fixed[seat] != ROLE_NONE) {
            game->roles[seat] = game->fixed[seat];
            left[game->fixed[seat]]--;
        }
    grant_wishes(game, left);
    deal_rest(game, left);
    tell_roles(game);
    game->action_begun = false;
    return true;
}
