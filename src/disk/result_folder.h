/* result_folder.h - who may read what is kept of games while they are played.
 *
 * For:    the commands with --out or --log-dir.
 * Memory: none.
 * Thread: the main thread, before others are started: the umask is the process's.
 * Source: journals hold the seed and logs hold roles: on a machine that several people use they are
 *         for who runs the contest until it is over, and published by choice (--open-results).
 *
 * The umask decides for every file, also for those that a library makes (SQLite, zlib).
 */
#ifndef WARG_DISK_RESULT_FOLDER_H
#define WARG_DISK_RESULT_FOLDER_H

#include "base/err.h"

#include <stdbool.h>

/* From now on new folders are 0700 and new files 0600, whatever the umask was; with `open` they are
 * 0755 and 0644 as far as the umask allows, as always. Returns the umask as it was, for programs
 * that are started. */
unsigned result_folder_begin(bool open);

/* A folder that is there already and is empty or holds a journal of ours gets 0700 too; one with
 * other things in it is not ours to close. Nothing when it is NULL, not there, or not ours to
 * change. */
void result_folder_close(const char *dir);

#endif
