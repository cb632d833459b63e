/* driver.h - who decides for a MAW player of ours: a built-in bot, or a language model.
 *
 * For:    `warg maw`, `warg join`. A person's decisions come from a terminal (cmd).
 * Memory: a MawDriver borrows its player.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 5.1 (Algorithm 1), 5.7; seed 002 tables 15 to 20.
 *
 *     wait uniform(min, max) - ask for a decision - act - until the round is over
 */
#ifndef WARG_MAW_DRIVER_H
#define WARG_MAW_DRIVER_H

#include "llm/seat.h"
#include "maw/asked.h"
#include "maw/player.h"

typedef struct MawDriver MawDriver;

typedef struct MawPace {
    TimeUs min_us;        /* 2 s */
    TimeUs max_us;        /* 8 s */
    TimeUs last_call_us;  /* a seat without a vote is asked for one so long before the end: 20 s */
    TimeUs vote_after_us; /* by day no vote before: at a table with people, who need time to talk */
} MawPace;

/* Waits of 2 to 8 s, and less where phases are short, so that everybody gets a few turns; slower
 * at a table `with_people`, who read, think and type. */
MawPace maw_pace(const Ruleset *rules, bool with_people);

/* That of a model, which costs and must think of what it heard: twice as slow, or as it is told.
 * The demo model is as fast as bots are. */
MawPace maw_model_pace(const MawPace *pace, const LlmManner *manner, bool demo);

typedef enum MawBot {
    MAW_BOT_RANDOM, /* says nothing; as soon as it may, a vote for anybody it may vote for */
    MAW_BOT_TALKER, /* talks, has reasons, votes as it said: talker.h */
    /* For measuring: a talker on one side, random on the other. */
    MAW_BOT_TALKING_VILLAGER,
    MAW_BOT_TALKING_WOLF,
} MawBot;

/* `language`: what a talker speaks; among Japanese names it speaks Japanese in any case. */
int maw_bot_driver_new(MawBot bot, LlmLanguage language, const MawPace *pace, uint64_t seed,
                       MawDriver **ret, Err *err);
/* `seat` is borrowed. */
int maw_model_driver_new(LlmSeat *seat, LlmLanguage language, const MawPace *pace, uint64_t seed,
                         MawDriver **ret, Err *err);
/* A person elsewhere, who is asked again and again while a room is open to the player: `asked` is
 * borrowed, of a user. Nobody decides in its place. */
int maw_user_driver_new(MawAsked *asked, uint64_t seed, MawDriver **ret, Err *err);
MawDriver *maw_driver_free(MawDriver *driver);

/* The player it drives: to be called before anything else. */
void maw_driver_take(MawDriver *driver, MawPlayer *player);
/* On: its player is told once more what it was told in an earlier life; the driver notes that, and
 * decides and asks nothing. */
void maw_driver_follow(MawDriver *driver, bool on);
/* When it is asked for opinions, between lines by day; a driver without a model has none. */
void maw_driver_opinions(MawDriver *driver, LlmOpinions when);
/* MawPlayerOut.news goes here. */
void maw_driver_news(MawDriver *driver, const MawNews *news, TimeUs now);
void maw_driver_tick(MawDriver *driver, TimeUs now);
TimeUs maw_driver_deadline(const MawDriver *driver);

/* The scene for a model, from what a player knows. Borrows from `known`. */
void maw_scene(const MawPlayer *player, LlmLanguage language, TimeUs now, LlmScene *ret_scene);

#endif
