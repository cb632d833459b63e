/* journal_files.h - a journal's files: opened, locked and cut to what counts, then only appended
 * to.
 *
 * For:    journal.c, whose thread brings one batch after the other to disk. Knows no queue.
 * Memory: JournalFiles owns the open files; a batch belongs to its caller.
 * Thread: one at a time: who opens the journal, then the journal's thread.
 * Source: journal/journal.h, "What is on disk when the process or the machine dies at any moment".
 */
#ifndef WARG_JOURNAL_JOURNAL_FILES_H
#define WARG_JOURNAL_JOURNAL_FILES_H

#include "journal/journal.h"

/* A game's log that waits to be written. */
typedef struct JournalLog {
    char path[sizeof(((GameRecord *)0)->log)];
    size_t start; /* in the batch's texts */
    size_t bytes;
    bool quick; /* log_file_write_quick */
} JournalLog;

/* What goes to disk together. */
typedef struct JournalBatch {
    Buf lines;
    Buf faults;
    Buf findings;
    Buf texts; /* of the logs, one behind the other */
    JournalLog *logs;
    size_t log_count;
    size_t log_room;
    uint64_t games;
} JournalBatch;

/* A file that only grows, and how much of it is known to be on disk. */
typedef struct JournalFile {
    int fd;
    uint64_t bytes;
} JournalFile;

typedef struct JournalFiles {
    char *dir;
    JournalFile lines;
    JournalFile faults;
    JournalFile findings;                      /* fd -1: not made yet */
    char made[sizeof(((GameRecord *)0)->log)]; /* the folder of logs that was made last */
} JournalFiles;

/* None is open yet. Errors: ERR_MEMORY; journal_files_done() may be called then, too. */
int journal_files_init(JournalFiles *files, const char *dir, Err *err);
/* Closes them, and gives the lock back. */
void journal_files_done(JournalFiles *files);

/* As journal_begin() says; `plan_line` is the first line, sealed. It is on disk afterwards. */
int journal_files_begin(JournalFiles *files, Str plan_line, Err *err);

/* As journal_continue_from() says. */
int journal_files_continue(JournalFiles *files, const JournalPlace *place,
                           JournalLengths *ret_lengths, Err *err);

/* Adds to a digest what findings.jsonl holds from byte `from` to its end. Errors: ERR_IO,
 * ERR_MEMORY. */
int journal_files_hash_findings(const JournalFiles *files, uint64_t from, Sha256 *hash, Err *err);

/* Brings a batch to disk, in the order that journal.h draws: logs, faults, findings, lines. */
int journal_files_write(JournalFiles *files, const JournalBatch *batch, Err *err);

#endif
