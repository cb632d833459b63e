#include "referee/referee.h"

#include "referee/sentences.h"

/* In a timed room the bots are asked again after this long, on simulated time. */
#define ROOM_STEP_MS 1000

struct Referee {
    Game *game;
    SeatNo seat_count;
    const BotKind *kinds[SEAT_MAX + 1]; /* NULL where a player sits */
    Bot *bots[SEAT_MAX + 1];
    Player players[SEAT_MAX + 1];
    uint32_t asked[SEAT_MAX + 1]; /* 1 + number of the ask that the player has heard last */
    Recorder recorder;
    bool told_game; /* players know that the game has begun */
    bool told_end;
    Sentences sentences;
    uint64_t asks;
};

/* Any bot may take any seat later. */
static size_t largest_bot(void)
{
    size_t bytes = 1;

    for (size_t i = 0; bot_kind_at(i); i++)
        if (bot_kind_at(i)->bytes > bytes)
            bytes = bot_kind_at(i)->bytes;
    return bytes;
}

int referee_new(const Ruleset *rules, int32_t players, const BotKind *const kinds[],
                Referee **ret_referee, Err *err)
{
    CLEANUP(referee_freep) Referee *referee = mem_new(sizeof(*referee));

    if (!referee)
        return err_set(err, ERR_MEMORY, "new referee: out of memory");
    int rc = game_new(rules, players, &referee->game, err);
    if (rc)
        return rc;
    referee->seat_count = (SeatNo)players;
    rc = sentences_init(&referee->sentences, err);
    if (rc)
        return rc;
    bool complete = true;
    for (SeatNo seat = 1; seat <= referee->seat_count; seat++) {
        referee->kinds[seat] = kinds[seat];
        referee->bots[seat] = mem_new(largest_bot());
        complete = complete && referee->bots[seat];
    }
    if (!complete)
        return err_set(err, ERR_MEMORY, "new referee: out of memory");
    *ret_referee = TAKE(referee);
    return 0;
}

void referee_seat(Referee *referee, SeatNo seat, const BotKind *kind)
{
    referee->kinds[seat] = kind;
}

void referee_seat_player(Referee *referee, SeatNo seat, const Player *player)
{
    referee->kinds[seat] = NULL;
    referee->players[seat] = *player;
}

Referee *referee_free(Referee *referee)
{
    if (!referee)
        return NULL;
    game_free(referee->game);
    sentences_done(&referee->sentences);
    for (SeatNo seat = 1; seat <= referee->seat_count; seat++)
        mem_free(referee->bots[seat]);
    return mem_free(referee);
}

void referee_freep(Referee **referee)
{
    *referee = referee_free(*referee);
}

/* True when `ret_answer` is filled; false when it comes later. */
static bool put_ask(Referee *referee, const Ask *ask, Answer *ret_answer)
{
    const View *view = game_view(referee->game, ask->seat);
    const BotKind *kind = referee->kinds[ask->seat];

    *ret_answer = (Answer){.kind = ask->kind};
    if (kind) {
        kind->answer(referee->bots[ask->seat], ask, view, ret_answer);
    } else {
        const Player *player = &referee->players[ask->seat];
        if (referee->asked[ask->seat] == ask->number + 1)
            return false;
        referee->asked[ask->seat] = ask->number + 1;
        if (!player->ask(player->user, ask, view, ret_answer))
            return false;
    }
    referee->asks++;
    ret_answer->kind = ask->kind;
    sentences_parse(&referee->sentences, ret_answer);
    return true;
}

static void tell_seats(Referee *referee, Tell what)
{
    for (SeatNo seat = 1; seat <= referee->seat_count; seat++) {
        const Player *player = &referee->players[seat];
        if (!referee->kinds[seat])
            player->tell(player->user, what, game_view(referee->game, seat));
    }
}

/* What players have to hear of an event. Between a day's or night's beginning and the first ask
 * behind it nothing changes in a view, so it does not matter that the game has run on to there. */
static void tell_event(Referee *referee, EventKind kind)
{
    if (kind == EVENT_DAY && !referee->told_game) {
        referee->told_game = true;
        tell_seats(referee, TELL_GAME);
    }
    if (kind == EVENT_DAY)
        tell_seats(referee, TELL_DAY);
    else if (kind == EVENT_NIGHT)
        tell_seats(referee, TELL_NIGHT);
}

static void drain_events(Referee *referee)
{
    const Recorder *recorder = &referee->recorder;
    Event event;

    while (game_next_event(referee->game, &event)) {
        if (recorder->event)
            recorder->event(recorder->user, &event);
        if (event.kind == EVENT_DAY || event.kind == EVENT_NIGHT)
            tell_event(referee, event.kind);
    }
    /* Yesterday's talk is gone, and so may be its sentences. */
    sentences_turn(&referee->sentences, game_day(referee->game));
}

/* One round through an open room; false when nobody wanted anything. */
static bool ask_room(Referee *referee)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(referee->game, asks);
    bool anything = false;
    Answer answer;

    for (size_t i = 0; i < count; i++) {
        if (!game_is_asked(referee->game, asks[i].seat, asks[i].kind))
            continue;
        if (!put_ask(referee, &asks[i], &answer) || answer.lapse)
            continue;
        /* A refusal (no utterances left, no valid target) is the bot's own affair. */
        if (game_answer(referee->game, asks[i].seat, &answer, NULL) == 0)
            anything = true;
        drain_events(referee);
    }
    return anything;
}

static void play_room(Referee *referee, TimeMs *now)
{
    TimeMs deadline = game_deadline(referee->game);
    bool anything = ask_room(referee);

    if (deadline == TIME_NEVER || game_deadline(referee->game) == TIME_NEVER)
        return; /* the room closed */
    *now = anything && *now + ROOM_STEP_MS < deadline ? *now + ROOM_STEP_MS : deadline;
    game_tick(referee->game, *now);
}

/* Asks that are open together are independent: answering them one after the other is as good as
 * side by side. 1 = something was answered, 0 = all wait for players. */
static int ask_all(Referee *referee, Err *err)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(referee->game, asks);
    bool answered = false;
    int rc = 0;
    Answer answer;

    if (!count)
        return err_set(err, ERR_RULE, "the game waits for nobody");
    for (size_t i = 0; i < count && rc == 0; i++) {
        if (!put_ask(referee, &asks[i], &answer))
            continue;
        rc = game_answer(referee->game, asks[i].seat, &answer, err);
        answered = true;
    }
    return rc ? rc : answered;
}

int referee_begin(Referee *referee, const GameSetup *setup, const GameKey *key,
                  const Recorder *recorder, Err *err)
{
    Game *game = referee->game;
    int rc = game_start(game, setup, game_key_chance(key), err);

    if (rc)
        return rc;
    referee->recorder = recorder ? *recorder : (Recorder){0};
    referee->told_game = referee->told_end = false;
    memset(referee->asked, 0, sizeof(referee->asked));
    bool listened = false;
    for (SeatNo seat = 1; seat <= referee->seat_count; seat++)
        listened |= referee->kinds[seat] != NULL;
    sentences_begin(&referee->sentences, listened, game_day(game));
    for (SeatNo seat = 1; seat <= referee->seat_count; seat++)
        if (referee->kinds[seat])
            referee->kinds[seat]->start(referee->bots[seat], game_view(game, seat),
                                        game_key_bot_seed(key, seat));
    return 0;
}

int referee_go(Referee *referee, Err *err)
{
    while (true) {
        drain_events(referee);
        if (game_over(referee->game)) {
            if (!referee->told_end)
                tell_seats(referee, TELL_END);
            referee->told_end = true;
            return 1;
        }
        if (game_deadline(referee->game) != TIME_NEVER)
            return err_set(err, ERR_RULE,
                           "these rules have timed rooms, which outside agents of "
                           "this kind can't play");
        int rc = ask_all(referee, err);
        if (rc <= 0)
            return rc;
    }
}

int referee_answer(Referee *referee, SeatNo seat, const Answer *answer, bool *ret_in_language,
                   Err *err)
{
    Answer parsed = *answer;

    referee->asks++;
    sentences_parse(&referee->sentences, &parsed);
    if (ret_in_language)
        *ret_in_language = sentences_allow(&parsed);
    return game_answer(referee->game, seat, &parsed, err);
}

void referee_abort(Referee *referee)
{
    game_abort(referee->game);
}

int referee_play(Referee *referee, const GameSetup *setup, const GameKey *key,
                 const Recorder *recorder, Err *err)
{
    TimeMs now = 0;
    int rc = referee_begin(referee, setup, key, recorder, err);

    while (rc >= 0) {
        drain_events(referee);
        if (game_over(referee->game))
            return 0;
        if (game_deadline(referee->game) != TIME_NEVER)
            play_room(referee, &now);
        else
            rc = ask_all(referee, err);
    }
    return rc;
}

uint64_t referee_asks(const Referee *referee)
{
    return referee->asks;
}

const Game *referee_game(const Referee *referee)
{
    return referee->game;
}
