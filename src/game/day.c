/* The course of a day: sections, phases and their actions; what is told at the end of a game.
 * docs/spec/protocol-division.md 3.1; docs/spec/nlp-division.md 4.1, 4.2 and 4.4;
 * docs/spec/maw.md 1. */
#include "game/state.h"

#include <assert.h>

/* ---- from day to day ---- */

/* The deaths of the night take effect, and everybody wakes up on the next day. */
static void begin_dawn(Game *game)
{
    if (game->executed_today != SEAT_NONE)
        end_kill(game, game->executed_today); /* EFFECT_MORNING */
    game->cursed &= game->alive;              /* one may have left, or been executed, since */
    for (SeatSet left = game->cursed; left; left &= left - 1)
        end_kill(game, seat_first(left));
    for (SeatSet left = game->cursed; left; left &= left - 1)
        game_emit(game, EVENT_DEATH, game->seats)->seat = seat_first(left);
    if (game->killed_today != SEAT_NONE && !seat_in(game->cursed, game->killed_today))
        game_emit(game, EVENT_DEATH, game->seats)->seat = game->killed_today;

    game->day++;
    view_dawn(game);
    if (game->executed_today != SEAT_NONE)
        for (SeatSet left = game->with_role[ROLE_MEDIUM]; left; left &= left - 1) {
            Event *event = game_emit(game, EVENT_IDENTIFY, seat_bit(seat_first(left)));
            event->seat = seat_first(left);
            event->target = game->executed_today;
            event->species = role_species((Role)game->roles[game->executed_today]);
        }

    game->votes = game->latest_votes;
    game->attack_votes = game->latest_attack_votes;
    game->latest_votes.count = game->latest_attack_votes.count = 0;
    game->executed_today = game->attacked_today = game->killed_today = SEAT_NONE;
    game->cursed = game->departed = 0;
    memset(game->guarded_today, 0, sizeof(game->guarded_today));
    for (SeatSet left = game->with_role[ROLE_SEER]; left; left &= left - 1)
        game->divined[seat_first(left)].target = SEAT_NONE;
    speech_new_day(game, &game->talk);
    speech_new_day(game, &game->whisper);
}

void day_begin(Game *game)
{
    Side winner = game->rules.end.check == END_AFTER_NIGHT ? end_winner(game) : SIDE_NONE;

    if (winner != SIDE_NONE) {
        game->winner = winner;
        game->reason = END_WIN;
        game->state = STATE_END;
        return;
    }
    game->night = game->night_told = false;
    game->phase = game->action = 0;
    game->action_begun = false;
    game->state = STATE_ACTION;
    game_emit(game, EVENT_DAY, game->seats);
}

/* So many days in a row, with their nights, without a death. Before day 1 nobody dies by rule, so
 * day 0 is no sign of anything. */
static bool draw_by_idle_days(Game *game)
{
    int32_t max_idle = game->rules.end.max_idle_days;
    bool first = game->day == 1; /* it is dawn: day 0 is over */

    game->idle_days = first || game->deaths != game->deaths_by_dawn ? 0 : game->idle_days + 1;
    game->deaths_by_dawn = game->deaths;
    return max_idle > 0 && game->idle_days >= (uint32_t)max_idle;
}

/* The night is over. Its last deaths come with the dawn, so it may have decided the game. */
static void end_of_night(Game *game)
{
    int32_t max_day = game->rules.end.max_day;
    bool last = (max_day != LIMIT_NONE && game->day >= max_day) || game->day >= DAY_LIMIT;
    bool after_death = game->rules.end.check == END_AFTER_DEATH;

    begin_dawn(game);
    bool idle = draw_by_idle_days(game);
    Side winner = last || idle || after_death ? end_winner(game) : SIDE_NONE;
    if (!last && !idle && winner == SIDE_NONE) {
        game->state = STATE_DAY;
        return;
    }
    game->winner = winner;
    game->reason = winner != SIDE_NONE ? END_WIN : last ? END_MAX_DAY : END_IDLE; /* 4.4 */
    game->state = STATE_END;
}

static const Section *section_of(const Game *game)
{
    return game->night ? &game->rules.night : &game->rules.day;
}

static bool runs_today(const Game *game, const Phase *phase)
{
    return (phase->only_day == DAY_ANY || phase->only_day == game->day) &&
           (phase->except_day == DAY_ANY || phase->except_day != game->day);
}

/* docs/spec/maw.md A25: so many phases in a row, of whatever kind, in which nobody died. */
static bool draw_by_idling(Game *game)
{
    int32_t max_idle = game->rules.end.max_idle_phases;

    game->idle_phases = game->deaths == game->deaths_seen ? game->idle_phases + 1 : 0;
    game->deaths_seen = game->deaths;
    return max_idle > 0 && game->idle_phases >= (uint32_t)max_idle;
}

static void end_of_phase(Game *game)
{
    game->phase++;
    game->action = 0;
    if (game->end_wanted) {
        end_finish(game, SIDE_NONE, END_ABORTED);
        return;
    }
    if (game->rules.end.check == END_AFTER_PHASE) {
        Side winner = end_winner(game);
        if (winner != SIDE_NONE) {
            end_finish(game, winner, END_WIN);
            return;
        }
    }
    if (draw_by_idling(game))
        end_finish(game, SIDE_NONE, END_IDLE);
}

static bool action_step(Game *game, Action action)
{
    switch (action) {
    case ACTION_TALK:
        return talk_step(game);
    case ACTION_WHISPER:
        return speech_step(game, &game->whisper);
    case ACTION_EXECUTION:
        return execution_step(game);
    case ACTION_DIVINE:
        return divine_step(game);
    case ACTION_GUARD:
        return guard_step(game);
    case ACTION_ATTACK:
        return attack_step(game);
    case ACTION_VILLAGE:
        return village_step(game);
    case ACTION_HIDEOUT:
        return hideout_step(game);
    case ACTION_COUNT:
        break;
    }
    return true;
}

/* Finds the next action of today; false when something else had to be done first. */
static bool next_action(Game *game)
{
    const Section *section = section_of(game);

    while (game->phase < section->count && !runs_today(game, &section->phases[game->phase]))
        game->phase++;
    if (game->phase < section->count) {
        const Phase *phase = &section->phases[game->phase];
        if (game->action < phase->action_count) {
            game->running = phase;
            return true;
        }
        end_of_phase(game);
    } else if (game->night) {
        end_of_night(game);
    } else {
        game->night = true;
        game->phase = game->action = 0;
        end_tell_night(game);
    }
    return false;
}

void day_step(Game *game)
{
    if (!game->running && !next_action(game))
        return;
    if (!action_step(game, (Action)game->running->actions[game->action]))
        return;
    game->running = NULL;
    game->action++;
    game->action_begun = false;
}

/* ---- the end ---- */

static void tell_end(Game *game)
{
    view_end(game);
    Event *event = game_emit(game, EVENT_END, game->seats);
    event->winner = game->winner;
    event->reason = game->reason;
    event->humans = (uint8_t)seat_count_of(game->alive & game_with_species(game, SPECIES_HUMAN));
    event->wolves = (uint8_t)seat_count_of(game->alive & game_with_species(game, SPECIES_WEREWOLF));
}

static void tell_roles(Game *game)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        Event *event = game_emit(game, EVENT_REVEAL, game->seats);
        event->seat = seat;
        event->role = (Role)game->roles[seat];
    }
}

/* docs/spec/maw.md G23, G24, A26: the whole winning side scores, the dead too. */
static void tell_scores(Game *game)
{
    SeatSet wolves = game->with_role[ROLE_WEREWOLF];
    SeatSet village = game->seats & ~wolves;

    if (game->rules.end.score != SCORE_MAW)
        return;
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        Event *event = game_emit(game, EVENT_SCORE, game->seats);
        event->seat = seat;
        if (game->winner == SIDE_WEREWOLF && seat_in(wolves, seat))
            event->points = (int32_t)seat_count_of(village);
        else if (game->winner == SIDE_VILLAGER && seat_in(village, seat))
            event->points = (int32_t)seat_count_of(village & game->alive);
    }
}

void day_end_step(Game *game)
{
    switch (game->state) {
    case STATE_LAST_DAWN: /* apart from the night's beginning, which is told of the day before */
        begin_dawn(game);
        game->state = STATE_END;
        break;
    case STATE_END:
        tell_end(game);
        game->state = STATE_REVEAL;
        break;
    case STATE_REVEAL:
        tell_roles(game);
        game->state = STATE_SCORE;
        break;
    case STATE_SCORE:
        tell_scores(game);
        game->state = STATE_OVER;
        break;
    case STATE_NEW:
    case STATE_ROLES:
    case STATE_DAY:
    case STATE_ACTION:
    case STATE_OVER:
        assert(false && "day_end_step outside the end of a game");
        break;
    }
}
