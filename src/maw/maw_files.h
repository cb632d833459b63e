/* maw_files.h - a MAW session on disk: its record, the archives of its rooms, the leaderboard.
 *
 * For:    `warg maw --out DIR`, `--resume DIR`.
 * Memory: a MawFiles owns its descriptors.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 9; seed 002 table 27 (a room's log is archived).
 *
 *     DIR/command.json                         by which options it was begun: --resume takes them
 *     DIR/session.jsonl                        the record: one event a line
 *     DIR/rooms/r<round>-<phase_no>-<room>.txt what was said, "Name: text"; the system: "* text"
 *     DIR/journal.jsonl, faults.jsonl          each round as a game: journal/journal.h
 *     DIR/leaderboard.json                     written at the end, and after each round
 *
 * All but the leaderboard is appended, in whole lines, each with one write: what the game master
 * has told is on its way to the disk before anybody hears it. A line that could not be written
 * whole is taken back; the first such failure stays in maw_files_failed, and no line comes after
 * it.
 */
#ifndef WARG_MAW_MAW_FILES_H
#define WARG_MAW_MAW_FILES_H

#include "base/err.h"
#include "base/str.h"
#include "record/game_record.h"

typedef struct MawFiles MawFiles;

/* Makes the folders. `command`: the text of command.json; empty: none is written. Errors: ERR_USAGE
 * when DIR holds a session already; ERR_IO; ERR_MEMORY. */
int maw_files_open(const char *dir, Str command, MawFiles **ret_files, Err *err);

/* Goes on with the session of DIR, which nobody else has open. Its record, in whole lines, is
 * appended to *record: empty when nothing of it was on disk. A damaged last line is cut off, and
 * *ret_cut says so: nobody was told anything of it. What the record does not say is made anew: the
 * archives of the rooms are removed, to be written again, and a round that the journal has already
 * is not added to it. Errors, with nothing changed: ERR_USAGE (no session, or one that is being
 * played), ERR_SYNTAX (a record that does not replay), ERR_LIMIT; ERR_IO; ERR_MEMORY. */
int maw_files_resume(const char *dir, Buf *record, bool *ret_cut, MawFiles **ret_files, Err *err);
/* Waits until the disk has the record; a failure is in maw_files_failed. Takes NULL. */
void maw_files_sync(MawFiles *files);
/* Closes; takes NULL. */
MawFiles *maw_files_free(MawFiles *files);

/* MawOut.record: a JSON object without line end. */
void maw_files_record(MawFiles *files, Str json);
/* MawOut.room_line. */
void maw_files_room_line(MawFiles *files, const char *room, unsigned round, unsigned phase_no,
                         Str name, Str text);
/* MawOut.result: the round is in the journal, and both files on disk, when it returns. One that was
 * there before is not added again. */
void maw_files_game(MawFiles *files, GameRecord *record);
/* Replaces the leaderboard. */
void maw_files_leaderboard(MawFiles *files, Str json);

/* 0, or the first failure. */
int maw_files_failed(const MawFiles *files, Err *err);

#endif
