#include "game/state.h"

#include <assert.h>

/* Sessions of one kind that a day can have at most. */
static uint32_t sessions_of(const Ruleset *rules, Action session, Action room)
{
    uint32_t count = 0;

    for (int half = 0; half < 2; half++) {
        const Section *section = half ? &rules->night : &rules->day;
        for (uint32_t p = 0; p < section->count; p++)
            for (uint32_t a = 0; a < section->phases[p].action_count; a++) {
                Action action = (Action)section->phases[p].actions[a];
                if (action == session || action == room)
                    count++;
                if (session == ACTION_WHISPER && action == ACTION_ATTACK &&
                    rules->attack.whisper_before_revote)
                    count += (uint32_t)rules->attack.rounds;
                if (session == ACTION_WHISPER && action == ACTION_TALK &&
                    rules->talk.whisper_after_turn)
                    count += (uint32_t)rules->talk.max_turns;
            }
    }
    return count;
}

/* Lays a speech out in the game's block; `at` is NULL while only the size is wanted. */
static char *lay_out(DayTalk *speech, char *at, size_t items, size_t bytes)
{
    if (at) {
        speech->items = (Talk *)(void *)at;
        speech->items_room = (uint32_t)items;
        speech->log.items = speech->items;
        speech->pool = at + items * sizeof(Talk);
        speech->pool_room = bytes;
    }
    return at ? at + items * sizeof(Talk) + bytes : NULL;
}

int game_new(const Ruleset *rules, int32_t players, Game **ret_game, Err *err)
{
    uint8_t counts[ROLE_COUNT];
    size_t talk_items, talk_bytes, whisper_items, whisper_bytes;
    int rc = ruleset_check(rules, err);

    if (rc == 0)
        rc = ruleset_roles(rules, players, counts, err);
    if (rc)
        return rc;
    SeatNo seats = (SeatNo)players;
    if (speech_size(&rules->talk, sessions_of(rules, ACTION_TALK, ACTION_VILLAGE), seats,
                    &talk_items, &talk_bytes) ||
        speech_size(&rules->whisper, sessions_of(rules, ACTION_WHISPER, ACTION_HIDEOUT), seats,
                    &whisper_items, &whisper_bytes))
        return err_set(err, ERR_LIMIT,
                       "ruleset '%s': a day's talk would need too much memory; "
                       "lower max_turns, max_per_agent, max_lines or max_bytes",
                       rules->name);

    size_t head = (sizeof(Game) + 63) & ~(size_t)63;
    Game *game = mem_new_sparse(head + (talk_items + whisper_items) * sizeof(Talk) + talk_bytes +
                                whisper_bytes);
    if (!game)
        return err_set(err, ERR_MEMORY, "new game for %d players: out of memory", (int)players);
    game->rules = *rules;
    memcpy(game->role_counts, counts, sizeof(counts));
    game->seat_count = seats;
    game->seats = seat_all(seats);
    for (SeatNo seat = 1; seat <= seats; seat++)
        snprintf(game->default_names[seat], sizeof(game->default_names[seat]), "Agent[%02u]",
                 seat % 100u);
    char *at = lay_out(&game->talk, (char *)game + head, talk_items, talk_bytes);
    /* talk_bytes is a multiple of 64, so that the whispers are aligned */
    lay_out(&game->whisper, at, whisper_items, whisper_bytes);
    game->talk.rules = &game->rules.talk;
    game->whisper.rules = &game->rules.whisper;
    game->whisper.whisper = true;
    *ret_game = game;
    return 0;
}

Game *game_free(Game *game)
{
    return mem_free_sparse(game);
}

void game_freep(Game **game)
{
    *game = game_free(*game);
}

int game_start(Game *game, const GameSetup *setup, Chance chance, Err *err)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        game->fixed[seat] = (uint8_t)(setup ? setup->fixed[seat] : ROLE_NONE);
        game->names[seat] = setup && setup->names[seat].len ? setup->names[seat]
                                                            : str_of(game->default_names[seat]);
    }
    int rc = deal_fits(game, err);
    if (rc)
        return rc;

    game->chance = chance;
    game->now = 0;
    game->day = (uint16_t)game->rules.first_day;
    game->alive = game->seats;
    game->away = 0;
    memset(game->roles, ROLE_NONE, sizeof(game->roles));
    memset(game->with_role, 0, sizeof(game->with_role));
    game_close_all(game);
    memset(game->wish, ROLE_NONE, sizeof(game->wish));
    memset(game->standing_votes, 0, sizeof(game->standing_votes));
    memset(game->guarded_today, 0, sizeof(game->guarded_today));
    game->standing = false;
    game->ask_number = 0;
    game->idle_phases = 0;
    game->deaths = game->deaths_seen = 0;
    game->idle_days = game->deaths_by_dawn = 0;
    game->room_until = TIME_NEVER;
    game->latest_votes.count = game->votes.count = 0;
    game->latest_attack_votes.count = game->attack_votes.count = 0;
    game->executed_today = game->attacked_today = game->killed_today = SEAT_NONE;
    game->execution_open = false;
    game->cursed = game->departed = 0;
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        game->divined[seat].target = SEAT_NONE;
    game->winner = SIDE_NONE;
    game->reason = END_WIN;
    game->queue_head = game->queue_tail = 0;
    game->stalled = true; /* the first read of events sets it going */
    game->running = NULL;
    game->action_begun = game->whisper_between = false;
    game->end_wanted = false;
    game->state = STATE_ROLES;
    speech_new_day(game, &game->talk);
    speech_new_day(game, &game->whisper);
    view_start(game);
    return 0;
}

/* ---- the loop ---- */

/* Room for one more step's events. */
static bool queue_has_room(const Game *game)
{
    return EVENT_QUEUE - game->queue_tail >= STEP_EVENTS_MAX;
}

static void step_phase(Game *game)
{
    switch (game->state) {
    case STATE_ROLES:
        if (deal_step(game))
            game->state = STATE_DAY;
        break;
    case STATE_DAY:
        day_begin(game);
        break;
    case STATE_ACTION:
        day_step(game);
        break;
    case STATE_LAST_DAWN:
    case STATE_END:
    case STATE_REVEAL:
    case STATE_SCORE:
        day_end_step(game);
        break;
    case STATE_NEW:
    case STATE_OVER:
        break;
    }
}

/* What must hold is looked at behind every transition; not in what is built to be used. */
static void check_step(const Game *game)
{
#ifdef WARG_CHECK_STEPS
    game_check(game);
#else
    (void)game;
#endif
}

/* A room is open and nothing in it is decided yet: only an answer or time moves it. */
static bool in_open_room(const Game *game)
{
    return game->state == STATE_ACTION && game->room_until != TIME_NEVER;
}

/* One step after the other, until there is something to be read: whoever reads an event finds views
 * that are not ahead of it. */
static void run_phases(Game *game)
{
    while (!game->asked_kinds && game->state != STATE_OVER && !in_open_room(game)) {
        game->stalled = game->queue_tail > 0;
        if (game->stalled)
            return;
        step_phase(game);
        check_step(game);
    }
}

/* After something happened in an open room: its step decides whether that ends it. */
static void run_room(Game *game)
{
    if (in_open_room(game))
        day_step(game);
    run_phases(game);
}

bool game_next_event(Game *game, Event *ret_event)
{
    if (game->queue_head == game->queue_tail) {
        game->queue_head = game->queue_tail = 0;
        if (!game->stalled)
            return false;
        run_phases(game);
        if (game->queue_tail == 0)
            return false;
    }
    *ret_event = game->queue[game->queue_head++];
    return true;
}

void game_tick(Game *game, TimeMs now)
{
    if (now > game->now)
        game->now = now;
    if (queue_has_room(game))
        run_room(game);
}

TimeMs game_deadline(const Game *game)
{
    if (!in_open_room(game))
        return TIME_NEVER;
    Action action = (Action)game->running->actions[game->action];
    const DayTalk *speech = action == ACTION_WHISPER ? &game->whisper : &game->talk;
    bool session = action == ACTION_WHISPER || action == ACTION_TALK; /* votes wait in silence */
    if (session && speech->rules->silence_ms > 0 &&
        speech->last_word + speech->rules->silence_ms < game->room_until)
        return speech->last_word + speech->rules->silence_ms;
    return game->room_until;
}

/* ---- asks and answers ---- */

static Ask ask_for(const Game *game, SeatNo seat, AskKind kind)
{
    return (Ask){
        .seat = seat,
        .kind = kind,
        .standing = game->standing,
        .revote = (kind == ASK_VOTE || kind == ASK_ATTACK) && game->round > 0,
        .number = game->ask_number,
    };
}

size_t game_asks(const Game *game, Ask ret_asks[static 2 * SEAT_MAX])
{
    size_t count = 0;

    for (uint32_t kinds = game->asked_kinds; kinds; kinds &= kinds - 1) {
        AskKind kind = (AskKind)__builtin_ctz(kinds);
        for (SeatSet left = game->asked[kind]; left; left &= left - 1)
            ret_asks[count++] = ask_for(game, seat_first(left), kind);
    }
    return count;
}

bool game_first_ask(const Game *game, Ask *ret_ask)
{
    if (!game->asked_kinds)
        return false;
    AskKind kind = (AskKind)__builtin_ctz(game->asked_kinds);
    *ret_ask = ask_for(game, seat_first(game->asked[kind]), kind);
    return true;
}

bool game_is_asked(const Game *game, SeatNo seat, AskKind kind)
{
    return kind < ASK_COUNT && seat_in(game->asked[kind], seat);
}

static const char *const ask_names[ASK_COUNT] = {"role",   "talk",  "whisper", "vote",
                                                 "divine", "guard", "attack",  "bid"};

int game_answer(Game *game, SeatNo seat, const Answer *answer, Err *err)
{
    if ((unsigned)answer->kind >= ASK_COUNT)
        return err_set(err, ERR_RULE, "ask kind %d does not exist", (int)answer->kind);
    if (!game_is_asked(game, seat, answer->kind))
        return err_set(err, ERR_RULE, "seat %u is not asked for a %s", seat,
                       ask_names[answer->kind]);
    if (!queue_has_room(game))
        return err_set(err, ERR_LIMIT, "read the game's events before the next answer");

    int rc = 0;
    switch (answer->kind) {
    case ASK_TALK:
        rc = speech_answer(game, &game->talk, seat, answer, err);
        break;
    case ASK_WHISPER:
        rc = speech_answer(game, &game->whisper, seat, answer, err);
        break;
    case ASK_ROLE:
        game->wish[seat] =
            (uint8_t)(answer->lapse || answer->wish >= ROLE_COUNT ? ROLE_NONE : answer->wish);
        game_close(game, ASK_ROLE, seat_bit(seat));
        break;
    case ASK_VOTE:
    case ASK_DIVINE:
    case ASK_GUARD:
    case ASK_ATTACK:
        if (game->standing) {
            rc = room_vote(game, seat, answer, err);
            break;
        }
        game->choice[seat] = answer->lapse ? SEAT_NONE : answer->target;
        game_close(game, answer->kind, seat_bit(seat));
        break;
    case ASK_BID:
        speech_bid(game, &game->talk, seat, answer);
        break;
    case ASK_COUNT:
        break;
    }
    if (rc == 0)
        run_room(game);
    return rc;
}

int game_extend(Game *game, TimeMs longer, Err *err)
{
    if (!in_open_room(game))
        return err_set(err, ERR_RULE, "there is no open room that could stay open for longer");
    game->room_until += longer;
    return 0;
}

int game_set_away(Game *game, SeatNo seat, bool away, Err *err)
{
    if (!seat_in(game->seats, seat))
        return err_set(err, ERR_RULE, "seat %u is not at this table of %u", seat, game->seat_count);
    if (!away) {
        game->away &= ~seat_bit(seat);
        speech_come_back(game, &game->talk, seat);
        speech_come_back(game, &game->whisper, seat);
        room_come_back(game, seat);
        return 0;
    }
    if (!queue_has_room(game))
        return err_set(err, ERR_LIMIT, "read the game's events before the next change");
    game->away |= seat_bit(seat);
    for (int kind = 0; kind < ASK_COUNT; kind++) {
        if (!seat_in(game->asked[kind], seat))
            continue;
        if (!game->standing && (kind == ASK_TALK || kind == ASK_WHISPER)) {
            game_answer(game, seat, &(Answer){.kind = (AskKind)kind, .lapse = true}, NULL);
            return 0;
        }
        game_close(game, (AskKind)kind, seat_bit(seat));
    }
    run_room(game);
    return 0;
}

int game_remove(Game *game, SeatNo seat, Err *err)
{
    if (!seat_in(game->alive, seat))
        return err_set(err, ERR_RULE, "seat %u is not alive at this table", seat);
    if (game->state != STATE_ACTION)
        return err_set(err, ERR_RULE, "seat %u can leave only while a day is going on", seat);
    if (!queue_has_room(game))
        return err_set(err, ERR_LIMIT, "read the game's events before the next change");

    end_kill(game, seat);
    game->departed |= seat_bit(seat);
    game_emit(game, EVENT_DEATH, game->seats)->seat = seat;
    for (int kind = 0; kind < ASK_COUNT; kind++)
        game_close(game, (AskKind)kind, seat_bit(seat));
    game->choice[seat] = SEAT_NONE;
    speech_drop(&game->talk, seat);
    speech_drop(&game->whisper, seat);
    room_leave(game, seat);
    for (SeatNo other = 1; other <= game->seat_count; other++)
        view_dead(game, other);
    if (!end_check_death(game))
        run_room(game);
    run_phases(game);
    return 0;
}

void game_abort(Game *game)
{
    if (game->state >= STATE_LAST_DAWN || game->state == STATE_NEW)
        return;
    game_close_all(game);
    game->room_until = TIME_NEVER;
    if (game->state == STATE_ROLES) { /* the end reveals roles, so everybody gets one */
        game->action_begun = true;
        deal_step(game);
        game->state = STATE_DAY;
    }
    end_finish(game, SIDE_NONE, END_ABORTED);
    game->stalled = true; /* the end is told when events are read */
}

void game_end_after_phase(Game *game)
{
    game->end_wanted = true;
}

/* ---- looking ---- */

const View *game_view(const Game *game, SeatNo seat)
{
    return seat_in(game->seats, seat) ? &game->views[seat] : NULL;
}

bool game_over(const Game *game)
{
    return game->state == STATE_OVER && game->queue_head == game->queue_tail;
}

Side game_winner(const Game *game)
{
    return game->winner;
}

uint16_t game_day(const Game *game)
{
    return game->day;
}

SeatNo game_seat_count(const Game *game)
{
    return game->seat_count;
}

const Ruleset *game_rules(const Game *game)
{
    return &game->rules;
}

Role game_role(const Game *game, SeatNo seat)
{
    return seat_in(game->seats, seat) ? (Role)game->roles[seat] : ROLE_NONE;
}

SeatSet game_alive(const Game *game)
{
    return game->alive;
}

bool game_script_failed(const Game *game)
{
    return game->chance.script_failed;
}
