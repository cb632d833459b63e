/* MAW's rooms: talk and a ballot that stays open, at the same time. docs/spec/maw.md 1: G6 to G19,
 * A5 to A14. */
#include "game/state.h"

/* What the room is about: who talks in it, who votes, and whom one may vote for. */
typedef struct Room {
    DayTalk *speech;
    Action action;
    AskKind ask;
    SeatSet voters;
    SeatSet targets;
} Room;

static Room village(Game *game)
{
    SeatSet targets = game->round > 0 ? game->tied : game->seats;

    return (Room){&game->talk, ACTION_VILLAGE, ASK_VOTE, game->alive, game->alive & targets};
}

static Room hideout(Game *game)
{
    SeatSet wolves = game->with_role[ROLE_WEREWOLF];

    return (Room){&game->whisper, ACTION_HIDEOUT, ASK_ATTACK, game->alive & wolves,
                  game->alive & ~wolves};
}

static void open_room(Game *game, const Room *room)
{
    game->action_begun = true;
    game->round = 0;
    memset(game->standing_votes, 0, sizeof(game->standing_votes));
    speech_open_room(game, room->speech, room->voters);
    game_open(game, room->ask, room->voters);
    if (room->ask == ASK_VOTE && !game->rules.vote.visible)
        return; /* a silent ballot: not even in the views */
    for (SeatSet left = room->voters; left; left &= left - 1)
        game->views[seat_first(left)].standing_votes = game->standing_votes;
}

static void close_room(Game *game, const Room *room, VoteLog *votes, EventKind kind,
                       SeatSet known_to)
{
    game_close_all(game);
    game->standing = false;
    game->room_until = TIME_NEVER;
    speech_close(game, room->speech);
    votes->day = game->day;
    votes->count = 0;
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        game->views[seat].standing_votes = NULL;
        if (game->standing_votes[seat] == SEAT_NONE)
            continue;
        votes->items[votes->count++] = (Vote){seat, game->standing_votes[seat]};
        Event *event = game_emit(game, kind, known_to);
        event->seat = seat;
        event->target = game->standing_votes[seat];
        event->round = (uint8_t)game->round;
        game->standing_votes[seat] = SEAT_NONE;
    }
}

/* The seats with the most standing votes, and how many votes that is. */
static uint32_t standing_top(const Game *game, SeatSet targets, SeatSet *ret_top)
{
    VoteLog votes = {0};
    uint32_t most;

    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        if (game->standing_votes[seat] != SEAT_NONE)
            votes.items[votes.count++] = (Vote){seat, game->standing_votes[seat]};
    ballot_top(&votes, targets, ret_top, &most);
    return most;
}

/* A7, `revote`: with rounds left a tie is voted on once more, among the tied; the room stays open,
 * and as ever votes do not survive (A13). */
static bool reopen_for_tied(Game *game, SeatSet top)
{
    if (seat_count_of(top) < 2 || (int32_t)game->round + 1 >= game->rules.vote.rounds)
        return false;
    game->round++;
    game->tied = top;
    memset(game->standing_votes, 0, sizeof(game->standing_votes));
    game->room_until = game->now + game->rules.vote.revote_ms;
    Event *event = game_emit(game, EVENT_PHASE, game->seats);
    event->action = ACTION_VILLAGE;
    event->until = game->room_until;
    event->round = (uint8_t)game->round;
    return true;
}

bool village_step(Game *game)
{
    Room room = village(game);
    SeatSet top;

    if (!game->action_begun) {
        open_room(game, &room);
        return false;
    }
    /* More than half of the living ends the day at once (G9, A5). */
    uint32_t most = standing_top(game, room.targets, &top);
    bool majority = most > seat_count_of(game->alive) / 2;
    if (!majority && game->now < game->room_until && room.voters)
        return false;
    bool enough = most >= (uint32_t)game->rules.vote.min_votes;
    if (!majority && enough && reopen_for_tied(game, top))
        return false;
    close_room(game, &room, &game->latest_votes, EVENT_VOTE,
               game->rules.vote.visible ? game->seats : 0);
    SeatNo seat = SEAT_NONE;
    if (top && enough) {
        if (seat_count_of(top) == 1)
            seat = seat_first(top);
        else if (game->rules.vote.tie == TIE_RANDOM)
            seat = game_choose(game, CHANCE_EXECUTE, SEAT_NONE, top);
    }
    execution_carry_out(game, seat);
    end_check_death(game);
    return true;
}

bool hideout_step(Game *game)
{
    Room room = hideout(game);
    SeatSet top;

    if (!room.voters)
        return true;
    if (!game->action_begun) {
        open_room(game, &room);
        return false;
    }
    /* All living wolves want the same villager (G18); else nobody dies (G19). */
    uint32_t most = standing_top(game, room.targets, &top);
    bool unanimous = most > 0 && most == seat_count_of(room.voters);
    if (!unanimous && game->now < game->room_until)
        return false;
    close_room(game, &room, &game->latest_attack_votes, EVENT_ATTACK_VOTE, view_of_wolves(game));
    attack_carry_out(game, unanimous ? seat_first(top) : SEAT_NONE);
    end_check_death(game);
    return true;
}

/* "Refused with the list of valid targets": docs/spec/maw.md A9 to A11. */
static int refuse_target(SeatNo seat, SeatNo target, SeatSet targets, Err *err)
{
    char list[SEAT_MAX * 4 + 1] = "";
    size_t used = 0;

    for (SeatSet left = targets; left && used + 4 < sizeof(list); left &= left - 1)
        used += (size_t)snprintf(list + used, sizeof(list) - used, " %u", seat_first(left));
    return err_set(err, ERR_RULE, "seat %u can't vote for %u; it may vote for:%s", seat, target,
                   list);
}

/* Tells who may know it whom a seat now votes for: A12; "silent or announced": G8. */
static void tell_standing(Game *game, const Room *room, SeatNo seat)
{
    SeatSet known_to = view_of_wolves(game);

    if (room->ask == ASK_VOTE)
        known_to = game->rules.vote.visible ? game->seats : seat_bit(seat);
    Event *event = game_emit(game, EVENT_STANDING, known_to);
    event->seat = seat;
    event->target = game->standing_votes[seat];
    event->action = room->action;
}

/* The room that is open, or false. */
static bool current_room(Game *game, Room *ret_room)
{
    if (!game->standing || !game->running || !game->action_begun)
        return false;
    Action action = (Action)game->running->actions[game->action];
    if (action != ACTION_VILLAGE && action != ACTION_HIDEOUT)
        return false;
    *ret_room = action == ACTION_VILLAGE ? village(game) : hideout(game);
    return true;
}

void room_leave(Game *game, SeatNo gone)
{
    Room room;

    if (!current_room(game, &room))
        return;
    game->standing_votes[gone] = SEAT_NONE;
    for (SeatNo voter = 1; voter <= game->seat_count; voter++)
        if (game->standing_votes[voter] == gone) {
            game->standing_votes[voter] = SEAT_NONE;
            tell_standing(game, &room, voter);
        }
}

void room_come_back(Game *game, SeatNo seat)
{
    Room room;

    if (!current_room(game, &room) || !seat_in(room.voters, seat))
        return;
    game->asked[room.ask] |= seat_bit(seat);
    game->asked_kinds |= 1u << room.ask;
}

int room_vote(Game *game, SeatNo seat, const Answer *answer, Err *err)
{
    Room room = answer->kind == ASK_VOTE ? village(game) : hideout(game);

    if (answer->lapse || game->standing_votes[seat] == answer->target)
        return 0;
    SeatSet targets = room.targets;
    if (!game->rules.vote.self_vote)
        targets &= ~seat_bit(seat);
    if (answer->target != SEAT_NONE && !seat_in(targets, answer->target))
        return refuse_target(seat, answer->target, targets, err);
    game->standing_votes[seat] = answer->target;
    tell_standing(game, &room, seat);
    return 0;
}
