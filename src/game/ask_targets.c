#include "game/ask_targets.h"

SeatSet ask_targets(const View *view, AskKind kind)
{
    SeatSet all = view->alive, mine = seat_bit(view->seat);

    if (kind == ASK_VOTE)
        return view->rules->vote.self_vote ? all : all & ~mine;
    if (kind == ASK_DIVINE)
        return view->rules->ability.divine_self ? all : all & ~mine;
    if (kind == ASK_ATTACK && !view->rules->attack.vote_for_wolf)
        for (SeatNo seat = 1; seat <= view->seat_count; seat++)
            if (view->roles[seat] == ROLE_WEREWOLF)
                all &= ~seat_bit(seat);
    return all & ~mine;
}
