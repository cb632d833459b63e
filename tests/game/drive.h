/* drive.h - drives a game with random calls: legal, illegal and missing answers, time, absence.
 *
 * For:    properties, determinism and fuzzing of the engine. Whatever is drawn comes from one seed.
 * Memory: the caller's game; texts are constant or in the Drive.
 * Thread: the test's.
 */
#ifndef WARG_TESTS_DRIVE_H
#define WARG_TESTS_DRIVE_H

#include "base/mem.h"
#include "base/rng.h"
#include "game/game.h"

typedef struct Drive {
    Game *game;
    Rng rng;
    TimeMs now;
    uint32_t talkative; /* of 100 utterances so many are words */
    uint32_t rare;      /* one call of so many is an absence, departure or abort; 0 = never */
    char text[20000];
} Drive;

static inline uint32_t drive_draw(Drive *drive, uint32_t count)
{
    return rng_below(&drive->rng, count);
}

static inline SeatNo drive_target(Drive *drive)
{
    SeatNo seat = (SeatNo)(1 + drive_draw(drive, game_seat_count(drive->game)));

    if (drive_draw(drive, 10) == 0)
        return (SeatNo)drive_draw(drive, 256);
    for (int i = 0; i < 8 && !seat_in(game_alive(drive->game), seat); i++)
        seat = (SeatNo)(1 + drive_draw(drive, game_seat_count(drive->game)));
    return seat;
}

static inline Str drive_text(Drive *drive)
{
    static const char *const words[] = {"Skip",
                                        "Skip",
                                        "ForceSkip",
                                        "",
                                        " ",
                                        " Over",
                                        "Skip ",
                                        "over",
                                        "VOTE Agent[01]",
                                        "@Agent[02] 人狼ですか",
                                        "hello",
                                        "\n",
                                        "a\xFF\xFE",
                                        "Over.",
                                        "I am a seer",
                                        "人狼は三番だ"};
    uint32_t word = drive_draw(drive, sizeof(words) / sizeof(words[0]) + 1);

    if (drive_draw(drive, 100) >= drive->talkative)
        return STR("Over");
    if (word < sizeof(words) / sizeof(words[0]))
        return str_of(words[word]);
    size_t n = drive_draw(drive, 50) ? drive_draw(drive, 300) : sizeof(drive->text);
    for (size_t i = 0; i < n; i += 2)
        drive->text[i] = (char)drive_draw(drive, 256);
    return (Str){drive->text, n};
}

/* An answer of this kind: mostly one that the rules accept. */
static inline Answer drive_answer(Drive *drive, AskKind kind)
{
    Answer answer = {.kind = kind};

    /* One after the other: in an initializer the order of calls is the compiler's. */
    answer.lapse = drive_draw(drive, 20) == 0;
    answer.target = drive_target(drive);
    answer.wish = (Role)drive_draw(drive, ROLE_COUNT + 2);
    answer.in_language = drive_draw(drive, 5) != 0;
    answer.bid = (uint8_t)(answer.target % (BID_MAX + 2)); /* no draw of its own */
    if (kind == ASK_TALK || kind == ASK_WHISPER)
        answer.text = drive_text(drive);
    return answer;
}

/* Time goes on: a little, or to the next deadline. */
static inline void drive_time(Drive *drive)
{
    TimeMs deadline = game_deadline(drive->game);

    if (deadline != TIME_NEVER && drive_draw(drive, 3) == 0)
        drive->now = deadline > drive->now ? deadline : drive->now;
    else
        drive->now += (TimeMs)drive_draw(drive, 3000);
    game_tick(drive->game, drive_draw(drive, 20) ? drive->now : drive->now - 5000);
}

static inline void drive_rare(Drive *drive)
{
    SeatNo seat = (SeatNo)drive_draw(drive, 33);
    uint32_t what = drive_draw(drive, 40);

    if (what == 0)
        game_abort(drive->game);
    else if (what < 4)
        game_remove(drive->game, seat, NULL);
    else
        game_set_away(drive->game, seat, what % 2 != 0, NULL);
}

/* One random call; 0, or the error of the answer that was given. */
static inline int drive_step(Drive *drive)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(drive->game, asks);
    bool room = game_deadline(drive->game) != TIME_NEVER;

    if (drive->rare && drive_draw(drive, drive->rare) == 0) {
        drive_rare(drive);
        return 0;
    }
    if (count == 0 || drive_draw(drive, room ? 12 : 200) == 0) {
        drive_time(drive);
        return 0;
    }
    Ask ask = asks[drive_draw(drive, (uint32_t)count)];
    if (drive_draw(drive, 12) == 0) { /* somebody, something: mostly not asked */
        ask.seat = (SeatNo)drive_draw(drive, 256);
        ask.kind = (AskKind)drive_draw(drive, ASK_BID + 1); /* as test_determinism.c has it */
    }
    Answer answer = drive_answer(drive, ask.kind);
    return game_answer(drive->game, ask.seat, &answer, NULL);
}

#endif
