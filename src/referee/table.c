#include "referee/table.h"

#include "base/arena.h"
#include "lang/lang.h"

/* In a timed room the bots are asked again after this long, on simulated time. */
#define ROOM_STEP_MS 1000

/* Parsed sentences of one day. When a day's talk is larger than this (only hostile or absurd
 * talk is), the later sentences stay unparsed for listeners. */
#define SENTENCE_BYTES ((size_t)8 << 20)

struct Table {
    Game *game;
    SeatNo seat_count;
    const BotKind *kinds[SEAT_MAX + 1];
    Bot *bots[SEAT_MAX + 1];
    Arena sentences;
    uint16_t sentences_day;
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

int table_new(const Ruleset *rules, int32_t players, const BotKind *const kinds[],
              Table **ret_table, Err *err)
{
    CLEANUP(table_freep) Table *table = mem_new(sizeof(*table));

    if (!table)
        return err_set(err, ERR_MEMORY, "new table: out of memory");
    int rc = game_new(rules, players, &table->game, err);
    if (rc)
        return rc;
    table->seat_count = (SeatNo)players;
    table->sentences = arena_new(SENTENCE_BYTES);
    bool complete = table->sentences.block != NULL;
    for (SeatNo seat = 1; seat <= table->seat_count; seat++) {
        table->kinds[seat] = kinds[seat];
        table->bots[seat] = mem_new(largest_bot());
        complete = complete && table->bots[seat];
    }
    if (!complete)
        return err_set(err, ERR_MEMORY, "new table: out of memory");
    *ret_table = TAKE(table);
    return 0;
}

void table_seat(Table *table, SeatNo seat, const BotKind *kind)
{
    table->kinds[seat] = kind;
}

Table *table_free(Table *table)
{
    if (!table)
        return NULL;
    game_free(table->game);
    arena_done(&table->sentences);
    for (SeatNo seat = 1; seat <= table->seat_count; seat++)
        mem_free(table->bots[seat]);
    return mem_free(table);
}

void table_freep(Table **table)
{
    *table = table_free(*table);
}

/* The sentence of an utterance, parsed once for all listeners. */
static void parse(Table *table, Answer *answer)
{
    const Sentence *sentence = NULL;

    if (str_eq(answer->text, STR("Over")))
        sentence = lang_over();
    else if (str_eq(answer->text, STR("Skip")))
        sentence = lang_skip();
    else if (answer->text.len &&
             lang_parse(answer->text, &table->sentences, &sentence, NULL) == ERR_MEMORY)
        return; /* unknown: not in the language */
    answer->in_language = sentence != NULL;
    answer->sentence = sentence;
}

static void put_ask(Table *table, const Ask *ask, Answer *ret_answer)
{
    const View *view = game_view(table->game, ask->seat);

    table->asks++;
    *ret_answer = (Answer){.kind = ask->kind};
    table->kinds[ask->seat]->answer(table->bots[ask->seat], ask, view, ret_answer);
    ret_answer->kind = ask->kind;
    if ((ask->kind == ASK_TALK || ask->kind == ASK_WHISPER) && !ret_answer->lapse)
        parse(table, ret_answer);
}

static void drain(Table *table, const Recorder *recorder)
{
    Event event;

    while (game_next_event(table->game, &event))
        if (recorder && recorder->event)
            recorder->event(recorder->user, &event);
    /* Yesterday's talk is gone, and so may be its sentences. */
    if (game_day(table->game) != table->sentences_day) {
        table->sentences_day = game_day(table->game);
        arena_clear(&table->sentences);
    }
}

/* One round through an open room; false when nobody wanted anything. */
static bool ask_room(Table *table, const Recorder *recorder)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(table->game, asks);
    bool anything = false;
    Answer answer;

    for (size_t i = 0; i < count; i++) {
        if (!game_is_asked(table->game, asks[i].seat, asks[i].kind))
            continue;
        put_ask(table, &asks[i], &answer);
        if (answer.lapse)
            continue;
        /* A refusal (no utterances left, no valid target) is the bot's own affair. */
        if (game_answer(table->game, asks[i].seat, &answer, NULL) == 0)
            anything = true;
        drain(table, recorder);
    }
    return anything;
}

static void play_room(Table *table, TimeMs *now, const Recorder *recorder)
{
    TimeMs deadline = game_deadline(table->game);
    bool anything = ask_room(table, recorder);

    if (deadline == TIME_NEVER || game_deadline(table->game) == TIME_NEVER)
        return; /* the room closed */
    *now = anything && *now + ROOM_STEP_MS < deadline ? *now + ROOM_STEP_MS : deadline;
    game_tick(table->game, *now);
}

/* Asks that are open together are independent: answering them one after the other is as good as
 * side by side. */
static int ask_all(Table *table, Err *err)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(table->game, asks);
    int rc = 0;
    Answer answer;

    for (size_t i = 0; i < count && rc == 0; i++) {
        put_ask(table, &asks[i], &answer);
        rc = game_answer(table->game, asks[i].seat, &answer, err);
    }
    return count ? rc : err_set(err, ERR_RULE, "the game waits for nobody");
}

int table_play(Table *table, const GameSetup *setup, uint64_t seed, const Recorder *recorder,
               Err *err)
{
    Game *game = table->game;
    TimeMs now = 0;
    int rc = game_start(game, setup, chance_from_seed(rng_derive(seed, 0)), err);

    if (rc)
        return rc;
    arena_clear(&table->sentences);
    table->sentences_day = game_day(game);
    for (SeatNo seat = 1; seat <= table->seat_count; seat++)
        table->kinds[seat]->start(table->bots[seat], game_view(game, seat), rng_derive(seed, seat));
    while (true) {
        drain(table, recorder);
        if (game_over(game))
            return 0;
        if (game_deadline(game) != TIME_NEVER)
            play_room(table, &now, recorder);
        else
            rc = ask_all(table, err);
        if (rc)
            return rc;
    }
}

uint64_t table_asks(const Table *table)
{
    return table->asks;
}

const Game *table_game(const Table *table)
{
    return table->game;
}
