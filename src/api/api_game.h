/* api_game.h - where the log of a game is, and who may have it.
 *
 * For:    api_game.c, which answers with the file, and api_game_doc.c, which shows what is in it.
 * Memory: texts are appended to the caller's.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 16.4 (`logs`).
 */
#ifndef WARG_API_API_GAME_H
#define WARG_API_API_GAME_H

#include "api/api_visit.h"

/* Appends the folder of the run of the visit's game, below the contest's own, and the log's path in
 * it, whoever asks. Refuses what has none (not found). Errors: the store's. */
int api_game_find_log(ApiVisit *visit, Buf *folder, Buf *log, Err *err);

/* The same for who may have it: its players, others as `publish` and the contest's state allow.
 * Refuses all others. */
int api_game_find_own_log(ApiVisit *visit, Buf *folder, Buf *log, Err *err);

#endif
