#include "referee/referee.h"

#include "referee/sentences.h"

/* In a timed room the bots are asked again after this long, on simulated time. */
#define ROOM_STEP_MS 1000

struct Referee {
    Game *game;
    SeatNo seat_count;
    const BotKind *kinds[SEAT_MAX + 1];
    Bot *bots[SEAT_MAX + 1];
    Recorder recorder;
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

static void put_ask(Referee *referee, const Ask *ask, Answer *ret_answer)
{
    *ret_answer = (Answer){.kind = ask->kind};
    referee->kinds[ask->seat]->answer(referee->bots[ask->seat], ask,
                                      game_view(referee->game, ask->seat), ret_answer);
    ret_answer->kind = ask->kind;
    referee->asks++;
    sentences_parse(&referee->sentences, ret_answer);
}

static void drain_events(Referee *referee)
{
    const Recorder *recorder = &referee->recorder;
    Event event;

    while (game_next_event(referee->game, &event))
        if (recorder->event)
            recorder->event(recorder->user, &event);
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
        put_ask(referee, &asks[i], &answer);
        if (answer.lapse)
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
 * side by side. */
static int ask_all(Referee *referee, Err *err)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(referee->game, asks);
    int rc = 0;
    Answer answer;

    if (!count)
        return err_set(err, ERR_RULE, "the game waits for nobody");
    for (size_t i = 0; i < count && rc == 0; i++) {
        put_ask(referee, &asks[i], &answer);
        rc = game_answer(referee->game, asks[i].seat, &answer, err);
    }
    return rc;
}

static int begin_game(Referee *referee, const GameSetup *setup, const GameKey *key,
                      const Recorder *recorder, Err *err)
{
    Game *game = referee->game;
    int rc = game_start(game, setup, game_key_chance(key), err);

    if (rc)
        return rc;
    referee->recorder = recorder ? *recorder : (Recorder){0};
    sentences_begin(&referee->sentences, true, game_day(game));
    for (SeatNo seat = 1; seat <= referee->seat_count; seat++)
        referee->kinds[seat]->start(referee->bots[seat], game_view(game, seat),
                                    game_key_bot_seed(key, seat));
    return 0;
}

int referee_play(Referee *referee, const GameSetup *setup, const GameKey *key,
                 const Recorder *recorder, Err *err)
{
    TimeMs now = 0;
    int rc = begin_game(referee, setup, key, recorder, err);

    while (rc == 0) {
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
