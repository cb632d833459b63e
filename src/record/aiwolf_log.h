/* aiwolf_log.h - the game log of the AIWolf servers: written from events, read line by line.
 *
 * For:    every protocol-division game that is recorded, and everything that reads such logs. The
 *         writer tracks roles and deaths only; whether a game is legal is log_check's job.
 * Memory: a writer is a plain value that borrows the names. A line that was read borrows its text
 *         from the input.
 * Thread: pure; one at a time per writer.
 * Source: docs/spec/protocol-division.md 5 (form and order); tests/data/aiwolf-logs/README.md (what
 *         old logs look like).
 */
#ifndef WARG_RECORD_AIWOLF_LOG_H
#define WARG_RECORD_AIWOLF_LOG_H

#include "game/game.h"

/* Limits of what is read. The longest line that a server can write holds one utterance. */
/* A message of 64 KiB, every byte of it escaped, and more. */
#define LOG_LINE_BYTES_MAX ((size_t)512 * 1024)
#define LOG_TEXT_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define LOG_LINES_MAX      ((size_t)500 * 1000)
#define LOG_DAY_MAX        1001 /* the result of a game that the engine ended by its DAY_LIMIT */

/* ---- writing ---- */

/* Open, so that it can live inside a recorder. Touch it through functions; `turn_column` may be
 * set to false behind aiwolf_log_begin for the form of 2016, whose talk lines have no turn. */
typedef struct AiwolfLogWriter {
    SeatNo seat_count;
    SeatSet alive;
    bool turn_column;
    uint8_t roles[SEAT_MAX + 1]; /* Role */
    Str names[SEAT_MAX + 1];
} AiwolfLogWriter;

/* A writer for a new game. names[1..seat_count] are borrowed until its last event; NULL, or an
 * empty name, writes Agent[01]. */
void aiwolf_log_begin(AiwolfLogWriter *writer, SeatNo seat_count, const Str *names);

/* Appends the lines of one event, most often one or none. Events must come in the order in which
 * the game gave them. */
void aiwolf_log_event(AiwolfLogWriter *writer, const Event *event, Buf *out);

/* ---- reading ---- */

/* The two divisions' logs; nlp_read.h tells them apart. */
typedef enum LogForm {
    LOG_FORM_PROTOCOL,
    LOG_FORM_NLP, /* docs/spec/nlp-division.md 8.2 */
} LogForm;

typedef enum LogLineKind {
    LOG_STATUS,      /* seat, role, alive, text = name; NLP: in_game, errored */
    LOG_TALK,        /* idx, turn, seat, text; NLP: unix_s */
    LOG_WHISPER,     /* idx, turn, seat, text; NLP: unix_s */
    LOG_VOTE,        /* seat, target */
    LOG_EXECUTE,     /* seat, role */
    LOG_DIVINE,      /* seat, target, species */
    LOG_GUARD,       /* seat, target, role of the target */
    LOG_ATTACK_VOTE, /* seat, target */
    LOG_ATTACK,      /* target (SEAT_NONE: nobody), killed */
    LOG_RESULT,      /* humans, wolves, winner */
    LOG_KIND_COUNT,
} LogLineKind;

/* One line. Fields that its kind does not have are 0. */
typedef struct LogLine {
    Str text;
    Str in_game;     /* STATUS: the name in the game; empty in logs of 2024 */
    int64_t unix_s;  /* TALK, WHISPER: when; 0 = the log does not say */
    unsigned number; /* of the line in its file, from 1; set by who reads whole logs */
    uint32_t idx;
    uint32_t turn;
    uint16_t day;
    uint8_t kind; /* LogLineKind */
    SeatNo seat;
    SeatNo target;
    uint8_t role;    /* Role */
    uint8_t species; /* Species */
    uint8_t winner;  /* Side; SIDE_NONE for a game that ended without a winner */
    uint8_t humans;
    uint8_t wolves;
    bool alive;
    bool errored; /* STATUS: neither alive nor dead is written */
    bool killed;
    bool turnless; /* TALK, WHISPER: the form of 2016, without a turn column */
} LogLine;

/* Reads one line; `line` may end in LF, CR LF or nothing. The text of an utterance and a name are
 * the rest of the line, commas included.
 * Errors: ERR_SYNTAX with the column of the first field that can't be read, ERR_LIMIT for a line
 * that is too long. The line number stays 0: the caller knows it. */
int aiwolf_log_read_line(Str line, LogLine *ret, Err *err);

/* The same for either division. A time at the end of an NLP utterance is still a part of its text:
 * one line alone can't tell. */
int aiwolf_log_read_line_of(LogForm form, Str line, LogLine *ret, Err *err);

/* Cuts the next line off `*rest`, without its line end. False when nothing is left. A line end
 * at the end of the text does not begin another line. */
bool aiwolf_log_cut_line(Str *rest, Str *ret_line);

/* Whether a record begins here: "3,vote,". The lines of an utterance with line ends do not. */
bool aiwolf_log_begins_record(Str line);

/* The word of the second column: "status", "attackVote". */
const char *aiwolf_log_kind_name(LogLineKind kind);

#endif
