/* play_meter.h - counts how each seat plays a game: from its events, from the lines of its log, or
 *                from the record of a session, with one and the same result.
 *
 * For:    record/game_recorder.c, record/log_result.c, record/maw_rounds.c.
 * Memory: a plain value.
 * Thread: pure; one at a time per meter.
 * Source: docs/statistics.md, "Measures of play".
 *
 * Nothing is told before the end: what is counted by then would say who is a werewolf.
 */
#ifndef WARG_RECORD_PLAY_METER_H
#define WARG_RECORD_PLAY_METER_H

#include "record/game_record.h"

/* Zero it; then tell it who is what, and what happens in its order. */
void play_meter_role(PlayMeter *meter, SeatNo seat, Role role);
/* A ballot of the day's vote; a later one of the same day takes its place. SEAT_NONE: none. */
void play_meter_vote(PlayMeter *meter, SeatNo voter, SeatNo target);
/* The day's execution; SEAT_NONE: of nobody. */
void play_meter_execute(PlayMeter *meter, SeatNo seat);
/* A day begins, or the game ends: its vote is over, executed or not. */
void play_meter_turn(PlayMeter *meter);
/* Any other death. */
void play_meter_death(PlayMeter *meter, SeatNo seat);
/* What a seat says to all: a claim of its own role in the protocol language, or in the few words of
 * record/claim_words.h. `parsed`: it is known to be of the language, or the beginning of a text
 * that was. */
void play_meter_say(PlayMeter *meter, SeatNo seat, Str text, bool parsed);
/* The game is over: tells `result` of all its seats, if somebody won. */
void play_meter_end(PlayMeter *meter, GameResult *result);

#endif
