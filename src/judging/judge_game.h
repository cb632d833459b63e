/* judge_game.h - a game as judging reads it: its log, who sits where, the characters' profiles.
 *
 * For:    sheets, measured quantities, prompts.
 * Memory: a JudgeGame owns copies of the texts; judge_game_done frees them. Names are borrowed from
 *         it.
 * Thread: pure, but for judge_game_load.
 * Source: docs/spec/nlp-division.md 8.2 (game log), 8.3 (JSON log).
 */
#ifndef WARG_JUDGING_JUDGE_GAME_H
#define WARG_JUDGING_JUDGE_GAME_H

#include "record/log_game.h"

#define JUDGE_JSON_BYTES_MAX ((size_t)256 * 1024 * 1024)

/* Open, for reading; zero it before. */
typedef struct JudgeGame {
    Buf text;     /* the game log */
    LogGame log;  /* its lines; in_game are the characters, names the agents */
    Buf profiles; /* behind `profile` */
    SeatNo seat_count;
    Str name[SEAT_MAX + 1];    /* the character */
    Str team[SEAT_MAX + 1];    /* of the agent: nlp-division.md 2.1 */
    Str profile[SEAT_MAX + 1]; /* empty: there is none, or no JSON log */
    Role role[SEAT_MAX + 1];
    uint32_t cut[SEAT_MAX + 1]; /* lines of talk that were longer before the limits of length */
    Side winner;                /* SIDE_NONE: not decided */
} JudgeGame;

void judge_game_done(JudgeGame *game); /* also for CLEANUP */

/* `json` may be empty. Errors: those of log_game_read; ERR_RULE for a log of another division;
 * ERR_SYNTAX for a JSON log that is none. Give `ret_game` to judge_game_done in every case. */
int judge_game_read(Str log, Str json, JudgeGame *ret_game, Err *err);
/* The same from files; `json_path` NULL or not there: no profiles. Errors: those of log_file_read,
 * too. */
int judge_game_load(const char *log_path, const char *json_path, JudgeGame *ret_game, Err *err);

/* The seat of a character, SEAT_NONE. */
SeatNo judge_game_seat(const JudgeGame *game, Str name);
/* "Skip" or "Over", and nothing else. */
bool judge_line_is_pass(Str text);

#endif
