/* log_game.h - a whole game log in memory: its lines, and who plays which role.
 *
 * For:    log_check, log_replay, `warg log`. Reads and nothing more: what the lines say is not
 *         judged here.
 * Memory: borrows the text; log_game_done frees the table of lines.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 5; docs/spec/nlp-division.md 8.2, 8.3.
 */
#ifndef WARG_RECORD_LOG_GAME_H
#define WARG_RECORD_LOG_GAME_H

#include "record/aiwolf_log.h"

/* Open, for reading. Line number n of a protocol log is lines[n - 1]; an utterance of an NLP log
 * may be several lines long: LogLine's `number` says where it begins. */
typedef struct LogGame {
    LogForm form;
    LogLine *lines;
    Str *raws; /* the same lines as text, without the last line end */
    size_t count;
    size_t room;
    SeatNo seat_count;
    Role roles[SEAT_MAX + 1]; /* as the first status block tells */
    Str names[SEAT_MAX + 1];
    Str in_game[SEAT_MAX + 1]; /* names in the game; as `names` in the protocol division */
    bool turnless;             /* the first utterance has no turn column */
    bool anytime;    /* NLP: turns are counted by speaker: docs/spec/nlp-division.md 10.2 */
    Buf converted;   /* the text of what was a JSON log */
    Buf spoken;      /* NLP: utterances that stand escaped in the log, read */
    Err broken;      /* the line behind the last, when it could not be read; else code 0 */
    Str broken_line; /* its text */
} LogGame;

/* Which form the text has, by its content. */
LogForm log_form_of(Str text);

/* Reads up to the end, or to the first line that can't be read, which `broken` describes. Zero
 * `ret_game` before, and give it to log_game_done in every case.
 * A JSON log (docs/spec/nlp-division.md 8.3), and a file of broadcast packets (8.4), is read as the
 * game log that can be made of it.
 * Errors: ERR_LIMIT (bytes, lines), ERR_MEMORY; ERR_SYNTAX when the text does not begin with the
 * status lines of at least three agents. */
int log_game_read(Str text, LogGame *ret_game, Err *err);
/* The same in a form that the caller knows better; no JSON. */
int log_game_read_of(LogForm form, Str text, LogGame *ret_game, Err *err);
void log_game_done(LogGame *game); /* also for CLEANUP */

/* How many of each role the first status block deals. */
void log_game_role_counts(const LogGame *game, uint8_t ret_counts[static ROLE_COUNT]);

#endif
