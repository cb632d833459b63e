/* room_options.h - what a room plays, with how many, and when it begins: read from an operator's
 *                  request, or from the words of `--room`.
 *
 * For:    web/rooms.h, who plays in it (web/room_stage.h), commands.
 * Memory: a plain value.
 * Thread: any.
 * Source: docs/spec/web.md 6.4.
 */
#ifndef WARG_WEB_ROOM_OPTIONS_H
#define WARG_WEB_ROOM_OPTIONS_H

#include "record/game_doc.h"
#include "wire/json_read.h"

#define ROOM_PLAYERS_MAX 30
#define ROOM_TEXT_BYTES  128

typedef enum RoomStart {
    ROOM_START_FULL,  /* when all seats for people are taken */
    ROOM_START_AFTER, /* or so long after the first was */
    ROOM_START_HAND,  /* when an operator says so */
} RoomStart;

typedef struct RoomOptions {
    DocDivision division;
    char rules[ROOM_TEXT_BYTES]; /* name of a ruleset; empty: the division's usual one */
    bool rules_given;            /* else the server's own configuration comes first */
    char title[ROOM_TEXT_BYTES];
    char fill[ROOM_TEXT_BYTES]; /* who takes the other seats: "bot:talker"; empty: the usual bot */
    int32_t players;            /* 0: the ruleset's */
    int32_t people;             /* seats for people; 0: all but one, at most five */
    int32_t rounds;             /* of MAW */
    RoomStart start;
    int64_t start_after_ms;
    int64_t answer_ms;                  /* for an answer */
    int64_t talk_ms;                    /* of an open session; 0: the ruleset's */
    int64_t pause_min_ms, pause_max_ms; /* before bots answer */
    int64_t delay_ms;                   /* of what spectators see */
    bool japanese;
    bool names_hidden; /* who played what stays hidden also when the game is over */
    bool listed;       /* in the home page's list */
    bool kept;         /* also when it is empty */
    bool publish;      /* its games are in lists and in the search */
} RoomOptions;

void room_options_default(RoomOptions *ret_options);
/* Reads a JSON object over what *options holds. Errors: ERR_SYNTAX, ERR_RULE. */
int room_options_read(const json_t *object, RoomOptions *options, Err *err);
/* The same from "division=nlp players=5 start=60s", separated by blanks or commas; a title's blanks
 * are underscores. Errors: ERR_USAGE. */
int room_options_read_words(Str words, RoomOptions *options, Err *err);
/* Fills in what was left to be chosen; the numbers fit each other then. Errors: ERR_RULE. */
int room_options_check(RoomOptions *options, Err *err);

/* The rules that it plays by; `options` are checked. Errors: those of ruleset_preset. */
int room_options_rules(const RoomOptions *options, Ruleset *ret_rules, Err *err);

const char *room_division_name(DocDivision division); /* "nlp" */

#endif
