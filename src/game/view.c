/* What each seat may know is written into its view at the moment it may know it, and nothing
 * else ever is. docs/spec/protocol-division.md 2.5; docs/spec/maw.md A18, A19. */
#include "game/state.h"

static const TalkLog no_talk = {0};
static const VoteLog no_votes = {0};

/* Who may know what the wolves whisper and vote at night: they, and ghosts that see all (A18). */
SeatSet view_of_wolves(const Game *game)
{
    SeatSet ghosts = game->rules.secrecy.ghosts_see == GHOSTS_ALL ? game->seats & ~game->alive : 0;

    return game->with_role[ROLE_WEREWOLF] | ghosts;
}

void view_start(Game *game)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        View *view = &game->views[seat];
        *view = (View){
            .rules = &game->rules,
            .role_counts = game->role_counts,
            .names = game->names,
            .seat = seat,
            .seat_count = game->seat_count,
            .day = game->day,
            .alive = game->alive,
            .alive_at_dawn = game->alive,
            .talk = &game->talk.log,
            .whisper = &no_talk,
            .talk_left = game->talk.left,
            .talk_length = game->talk.length_left,
            .talk_skips = game->talk.skips,
            .latest_votes = game->rules.vote.visible ? &game->latest_votes : &no_votes,
            .votes = game->rules.vote.visible ? &game->votes : &no_votes,
            .latest_attack_votes = &no_votes,
            .attack_votes = &no_votes,
        };
    }
}

static void show_wolves_things(Game *game, View *view)
{
    view->whisper = &game->whisper.log;
    view->whisper_left = game->whisper.left;
    view->whisper_length = game->whisper.length_left;
    view->whisper_skips = game->whisper.skips;
    view->latest_attack_votes = &game->latest_attack_votes;
    view->attack_votes = &game->attack_votes;
}

void view_roles(Game *game)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        View *view = &game->views[seat];
        Role role = (Role)game->roles[seat];
        SeatSet mates = role == ROLE_WEREWOLF || role == ROLE_FREEMASON ? game->with_role[role]
                                                                        : seat_bit(seat);
        view->role = role;
        for (SeatSet left = mates; left; left &= left - 1)
            view->roles[seat_first(left)] = (uint8_t)role;
        if (role == ROLE_WEREWOLF)
            show_wolves_things(game, view);
    }
}

/* Bodyguard, seer, medium and wolves learn what they alone may know of the night. */
static void show_night(Game *game)
{
    for (SeatSet left = game->with_role[ROLE_WEREWOLF]; left; left &= left - 1)
        game->views[seat_first(left)].attacked = game->attacked_today;
    for (SeatSet left = game->with_role[ROLE_BODYGUARD]; left; left &= left - 1)
        game->views[seat_first(left)].guarded = game->guarded_today[seat_first(left)];
    for (SeatSet left = game->with_role[ROLE_SEER]; left; left &= left - 1)
        game->views[seat_first(left)].divined = game->divined[seat_first(left)];
    for (SeatSet left = game->with_role[ROLE_MEDIUM]; left; left &= left - 1)
        game->views[seat_first(left)].identified = (Judge){
            .day = game->day,
            .agent = seat_first(left),
            .target = game->executed_today,
            .result = role_species((Role)game->roles[game->executed_today]),
        };
}

void view_dawn(Game *game)
{
    SeatNo dead[2] = {0};
    uint8_t count = 0;

    if (game->cursed)
        dead[count++] = seat_first(game->cursed);
    if (game->killed_today != SEAT_NONE && !seat_in(game->cursed, game->killed_today))
        dead[count++] = game->killed_today;
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        View *view = &game->views[seat];
        view->day = game->day;
        view->alive = view->alive_at_dawn = game->alive;
        view->executed = game->executed_today;
        view->executed_today = SEAT_NONE;
        view->last_dead_count = count;
        view->last_dead[0] = dead[0];
        view->last_dead[1] = dead[1];
    }
    show_night(game);
    if (game->rules.secrecy.ghosts_see == GHOSTS_ALL)
        for (SeatSet left = game->seats & ~game->alive; left; left &= left - 1)
            view_dead(game, seat_first(left));
}

void view_executed(Game *game, SeatSet told)
{
    for (SeatSet left = told; left; left &= left - 1) {
        View *view = &game->views[seat_first(left)];
        view->alive = game->alive;
        view->executed_today = game->executed_today;
    }
    view_dead(game, game->executed_today);
}

void view_dead(Game *game, SeatNo seat)
{
    View *view = &game->views[seat];

    if (game->departed)
        view->alive &= ~game->departed;
    if (!seat_in(game->alive, seat) && game->rules.secrecy.ghosts_see == GHOSTS_ALL)
        show_wolves_things(game, view);
}

void view_end(Game *game)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        View *view = &game->views[seat];
        view->over = true;
        view->winner = game->winner;
        view->alive = game->alive;
        memcpy(view->roles, game->roles, sizeof(view->roles));
    }
}
