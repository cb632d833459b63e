/* tree_writer.h - a stranger's archive as a folder of files; what an unpacker has left is looked at
 *                 once more.
 *
 * For:    what teams hand in. tree_unpack runs in a cell, tree_settle outside of it.
 * Memory: none that is kept.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 5.2. Each file is opened by openat2 with RESOLVE_BENEATH
 *         and RESOLVE_NO_SYMLINKS, and made anew: nothing that an archive says leads out of the
 *         folder, also not by what it has written before.
 */
#ifndef WARG_ARCHIVE_TREE_WRITER_H
#define WARG_ARCHIVE_TREE_WRITER_H

#include "archive/archive_reader.h"

/* Writes all that is in the archive into the folder, which is there and empty: files 0444, programs
 * 0555. After an error some of it may be there. Errors: those of archive_reader_run; ERR_IO. */
int tree_unpack(const char *archive, const char *folder, const ArchiveLimits *limits,
                ArchiveReport *ret_report, Err *err);

/* The same of an open file, from its beginning; it stays open. */
int tree_unpack_fd(int archive, const char *folder, const ArchiveLimits *limits,
                   ArchiveReport *ret_report, Err *err);

/* Looks at a folder that somebody may have filled who was told what to write: nothing is in it but
 * files and folders of names that an archive may have, within the limits. Files get 0444 or 0555,
 * folders 0755, all the time 1980-01-01 and our user. Errors: ERR_RULE, ERR_LIMIT (`limits->tar`
 * counts for nothing); ERR_IO, ERR_MEMORY. */
int tree_settle(const char *folder, const ArchiveLimits *limits, ArchiveReport *ret_report,
                Err *err);

#endif
