/* log_folder.h - the games of a folder that holds logs and no journal.
 *
 * For:    standings and reports of contest logs of any year and of either division, and of records
 *         of MAW sessions.
 * Memory: nothing is kept; a record is borrowed for the call.
 * Thread: one at a time.
 * Source: record/log_result.h and record/maw_rounds.h say what a log tells; docs/logs.md.
 *
 * *.log, *.log.gz and session.jsonl are read, *.json and *.json.gz when they are JSON logs of the
 * natural-language division. A server writes such a game twice: of a game log and a JSON log of the
 * same name that tell of the same seats, roles and winner the second one is left aside, wherever
 * the two lie.
 */
#ifndef WARG_RESULTS_LOG_FOLDER_H
#define WARG_RESULTS_LOG_FOLDER_H

#include "record/game_record.h"

/* Natural-language games that logs told of, of all folders that are read; zero it first. */
typedef struct LogPrints {
    Buf logs; /* SHA256_HEX_BYTES each */
    Buf json;
} LogPrints;

void log_prints_done(LogPrints *prints); /* also for CLEANUP */

typedef struct LogFolderListener {
    /* `path` of the log, `set` of games that were played with the same seats: from 0. A negative
     * value ends the reading with that error. */
    int (*game)(void *user, const char *path, const GameRecord *record, Err *err);
    /* A log that is not counted: "PATH: line 3: why". */
    void (*left_out)(void *user, Str why);
    void *user;
    LogPrints *prints; /* the caller's */
} LogFolderListener;

/* `ret_games` counts what was heard, now or of another log. Errors: ERR_IO for a folder that can't
 * be listed or has no log, ERR_LIMIT, ERR_MEMORY; those of the listener. */
int log_folder_read(const char *dir, const LogFolderListener *listener, uint64_t *ret_games,
                    Err *err);

#endif
