/* The inside of a game, which all its phases change: what has happened, who is asked, what is
 * drawn. Calls none of them. */
#include "game/state.h"

#include <assert.h>

SeatSet game_with_species(const Game *game, Species species)
{
    SeatSet wolves = game->with_role[ROLE_WEREWOLF];

    return species == SPECIES_WEREWOLF ? wolves : game->seats & ~wolves;
}

Event *game_emit(Game *game, EventKind kind, SeatSet known_to)
{
    assert(game->queue_tail < EVENT_QUEUE);
    Event *event = &game->queue[game->queue_tail++];

    *event = (Event){.kind = kind,
                     .known_to = known_to,
                     .time = game->now,
                     .day = game->day,
                     .until = TIME_NEVER};
    return event;
}

void game_open(Game *game, AskKind kind, SeatSet seats)
{
    seats &= ~game->away;
    game->asked[kind] = seats;
    if (seats)
        game->asked_kinds |= 1u << kind;
    game->ask_number++;
    if (kind >= ASK_VOTE)
        memset(game->choice, SEAT_NONE, sizeof(game->choice));
}

void game_close(Game *game, AskKind kind, SeatSet seats)
{
    game->asked[kind] &= ~seats;
    if (!game->asked[kind])
        game->asked_kinds &= ~(1u << kind);
}

void game_close_all(Game *game)
{
    memset(game->asked, 0, sizeof(game->asked));
    game->asked_kinds = 0;
}

SeatNo game_choose(Game *game, ChanceKind kind, SeatNo seat, SeatSet candidates)
{
    uint8_t list[SEAT_MAX];
    uint32_t count = 0;

    assert(candidates);
    if (!game->chance.script) /* the same choice as below, without the list */
        return seat_nth(candidates,
                        rng_below(chance_rng(&game->chance, kind), seat_count_of(candidates)));
    for (SeatSet left = candidates; left; left &= left - 1)
        list[count++] = seat_first(left);
    return chance_choose(
        &game->chance,
        &(ChanceQuestion){
            .kind = kind, .day = game->day, .seat = seat, .candidates = list, .count = count});
}

/* ---- what always holds ---- */

static void check_speech(const Game *game, const DayTalk *speech)
{
    assert(speech->log.count <= speech->items_room);
    assert(speech->pool_used <= speech->pool_room);
    assert((speech->participants & ~game->seats) == 0);
    assert((speech->waiting & ~speech->participants) == 0);
    if (speech->whisper)
        assert((speech->participants & ~game->with_role[ROLE_WEREWOLF]) == 0);
}

void game_check(const Game *game)
{
    SeatSet wolves = game->with_role[ROLE_WEREWOLF];

    assert((game->alive & ~game->seats) == 0);
    assert(game->queue_head <= game->queue_tail && game->queue_tail <= EVENT_QUEUE);
    for (int kind = ASK_TALK; kind < ASK_COUNT; kind++)
        assert((game->asked[kind] & ~(game->alive & ~game->away)) == 0);
    assert((game->asked[ASK_WHISPER] & ~wolves) == 0);
    assert((game->asked[ASK_ATTACK] & ~wolves) == 0);
    assert((game->asked[ASK_DIVINE] & ~game->with_role[ROLE_SEER]) == 0);
    assert((game->asked[ASK_GUARD] & ~game->with_role[ROLE_BODYGUARD]) == 0);
    if (game->state == STATE_OVER)
        assert(!game->asked_kinds);
    if (game->state == STATE_ACTION)
        assert(game->phase <= PHASE_MAX && game->action <= PHASE_ACTIONS_MAX);
    if (!game->standing && game->rules.talk.exchange == EXCHANGE_SEQUENTIAL)
        assert(seat_count_of(game->asked[ASK_TALK]) <= 1);
    check_speech(game, &game->talk);
    check_speech(game, &game->whisper);
}
