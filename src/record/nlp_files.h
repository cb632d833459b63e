/* nlp_files.h - the files of a natural-language game: appended to, whole at any moment.
 *
 * For:    tables of that division.
 * Memory: objects own their descriptors.
 * Thread: one at a time.
 * Source: docs/spec/nlp-division.md 8.1, 8.3, 8.4, targets.
 *
 * The game log and the realtime file are lines; each write is one write(2) of whole lines. The JSON
 * log is one object at any moment: entries and the object's end are written over the old end in
 * one pwrite(2), so nothing is ever rewritten and a reader, or a crash, sees a valid file.
 *
 * `put` collects what `flush` then writes at once; it stays in memory until then.
 */
#ifndef WARG_RECORD_NLP_FILES_H
#define WARG_RECORD_NLP_FILES_H

#include "base/buf.h"
#include "base/err.h"
#include "record/nlp_log.h"

/* The stem of a game's files from a pattern such as "{timestamp}_{teams}" (8.1): teams are those of
 * the seats, sorted bytewise, joined by '_'; what can't stand in a file name is percent-encoded; at
 * most 200 bytes. Appends to `out`. */
void nlp_file_stem(const char *pattern, Str game_id, int64_t unix_s, const NlpSeat *seats,
                   SeatNo seat_count, Buf *out);

/* A stem that none of the files DIR/STEM.log, .json, .jsonl has in these directories (NULL = none
 * of that kind): `stem` itself, or with _2, _3 ... behind it. Errors: ERR_IO. */
int nlp_file_free_stem(const char *const dirs[3], Buf *stem, Err *err);

typedef struct LineFile LineFile;

/* Makes the directory if need be and a new file in it. Errors: ERR_IO that names the path. */
int line_file_open(const char *dir, const char *stem, const char *suffix, LineFile **ret_file,
                   Err *err);
/* Appends whole lines. Errors: ERR_IO (a full disk): the file keeps whole lines. */
int line_file_add(LineFile *file, Str lines, Err *err);
/* Adds what line_file_put was given since: whole lines in one write. Errors of put are told here,
 * too. */
void line_file_put(LineFile *file, Str lines);
int line_file_flush(LineFile *file, Err *err);
/* Takes back what was put and not written, else what the last line_file_add has written, as far as
 * the system lets it. */
void line_file_take_back(LineFile *file);
const char *line_file_path(const LineFile *file);
/* fdatasync when `sync`; takes NULL. Errors: ERR_IO. */
int line_file_close(LineFile *file, bool sync, Err *err);

typedef struct JsonLog JsonLog;

typedef struct JsonEntry {
    Str agent;   /* name in the game; empty for a phase */
    Str request; /* the packet's JSON, as json.h wrote it; it becomes a JSON string */
    int64_t request_unix_ms;
    int64_t response_unix_ms;
    Str response; /* empty = the key is left out */
    Str error;    /* likewise */
} JsonEntry;

/* DIR/STEM.json of this game; all is borrowed for the call. */
typedef struct JsonLogSetup {
    const char *dir;
    const char *stem;
    Str game_id;
    const NlpSeat *seats;
    const uint8_t *roles; /* [1..seat_count], Role values */
    SeatNo seat_count;
    bool milliseconds; /* the unit of timestamps (8.3) */
} JsonLogSetup;

int json_log_open(const JsonLogSetup *setup, JsonLog **ret_log, Err *err);
int json_log_add(JsonLog *log, const JsonEntry *entry, Err *err);
void json_log_put(JsonLog *log, const JsonEntry *entry);
int json_log_flush(JsonLog *log, Err *err);
/* Writes `win_side`, and fdatasync when `sync`. Takes NULL. */
int json_log_close(JsonLog *log, Side winner, bool sync, Err *err);

#endif
