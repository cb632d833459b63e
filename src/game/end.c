/* Deaths and the end of a game: who has won, when that is looked at, what ends with it.
 * docs/spec/protocol-division.md 3.7; docs/spec/nlp-division.md 4.2; docs/spec/maw.md A25. */
#include "game/state.h"

/* ---- who has won ---- */

static Side parity_winner(const Game *game, unsigned humans, unsigned wolves)
{
    Side others = game->alive & game->with_role[ROLE_FOX] ? SIDE_OTHERS : SIDE_NONE;
    bool wolf_first = game->rules.end.goal == GOAL_PARITY_WOLF_FIRST;

    if (wolves == 0 && !(wolf_first && humans == 0))
        return others ? others : SIDE_VILLAGER;
    if (humans <= wolves)
        return others ? others : SIDE_WEREWOLF;
    return SIDE_NONE;
}

Side end_winner(const Game *game)
{
    unsigned wolves = seat_count_of(game->alive & game_with_species(game, SPECIES_WEREWOLF));
    unsigned humans = seat_count_of(game->alive & game_with_species(game, SPECIES_HUMAN));

    if (game->rules.end.goal != GOAL_ELIMINATION)
        return parity_winner(game, humans, wolves);
    if (wolves == 0 && humans == 0)
        return SIDE_NONE; /* both sides are empty: a draw, if anything asks; docs/spec/maw.md A25 */
    if (wolves == 0)
        return SIDE_VILLAGER;
    return humans == 0 ? SIDE_WEREWOLF : SIDE_NONE;
}

void end_kill(Game *game, SeatNo seat)
{
    if (seat_in(game->alive, seat))
        game->deaths++;
    game->alive &= ~seat_bit(seat);
}

/* ---- the end ---- */

void end_tell_night(Game *game)
{
    if (!game->night_told)
        game_emit(game, EVENT_NIGHT, game->seats);
    game->night_told = true;
}

void end_finish(Game *game, Side winner, EndReason reason)
{
    bool in_action = game->state == STATE_ACTION;

    game->winner = winner;
    game->reason = reason;
    speech_close(game, &game->talk);
    speech_close(game, &game->whisper);
    game->running = NULL;
    game->action_begun = false;
    game->state = STATE_END;
    if (in_action && game->rules.end.check != END_AFTER_DEATH) {
        end_tell_night(
            game); /* docs/spec/nlp-division.md 4.2, target: DAILY_FINISH is still sent */
        game->state = STATE_LAST_DAWN;
    } else if (in_action) {
        view_dawn(game);
        if (game->killed_today != SEAT_NONE)
            game_emit(game, EVENT_DEATH, game->seats)->seat = game->killed_today;
    }
}

/* After END_AFTER_DEATH's kind of death: true when the game is over. */
bool end_check_death(Game *game)
{
    const SeatSet wolves = game->with_role[ROLE_WEREWOLF];

    if (game->rules.end.check != END_AFTER_DEATH || game->state != STATE_ACTION)
        return false;
    Side winner = end_winner(game);
    bool nobody_left = (game->alive & wolves) == 0 && (game->alive & ~wolves) == 0;
    if (winner == SIDE_NONE && !nobody_left)
        return false;
    game_close_all(game);
    game->room_until = TIME_NEVER;
    end_finish(game, winner, winner == SIDE_NONE ? END_IDLE : END_WIN);
    return true;
}
