/* archive_reader.h - reads archives of strangers: zip, jar, tar; refuses what nobody has by
 *                    accident.
 *
 * For:    unpacking what teams hand in; looking into jars. In a cell, where it is a stranger's.
 * Memory: pieces; an ArchiveReport's texts are freed by archive_report_done.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 5.2, O12. What libarchive reports is judged: readers
 *         differ in what they take for a name (local headers or the directory at the end, '\' or
 *         '/'), and this one's opinion is what is written.
 */
#ifndef WARG_ARCHIVE_ARCHIVE_READER_H
#define WARG_ARCHIVE_ARCHIVE_READER_H

#include "archive/archive_name.h"

#define ARCHIVE_RATIO      200U /* times the packed size */
#define ARCHIVE_RATIO_FREE (UINT64_C(16) << 20)

typedef struct ArchiveLimits {
    uint64_t entries; /* files and folders, those that are only parts of a path counted */
    uint64_t bytes;   /* unpacked */
    bool tar;         /* also tar, plain or packed by gzip; else zip only, which a jar is */
} ArchiveLimits;

/* Who gets what is in it, in the archive's order. Each may be NULL. What they return as an error
 * ends the reading. */
typedef struct ArchiveEars {
    int (*folder)(void *user, Str path, Err *err);
    /* `may_run`: it is marked so, or begins as a program (ELF or "#!"). */
    int (*file)(void *user, Str path, bool may_run, Err *err);
    int (*bytes)(void *user, Str piece, Err *err); /* of the last file */
    int (*end)(void *user, Err *err);              /* of the last file */
    void *user;
} ArchiveEars;

typedef struct ArchiveReport {
    uint64_t files;
    uint64_t bytes;
    Buf warnings; /* sentences, a line each */
} ArchiveReport;

void archive_report_done(ArchiveReport *report); /* also for CLEANUP */

/* Errors, each a sentence that names the entry: ERR_RULE and ERR_LIMIT for what is refused,
 * ERR_SYNTAX for damage or what is no archive, ERR_IO, ERR_MEMORY, those of the ears. */
int archive_reader_run(const char *path, const ArchiveLimits *limits, const ArchiveEars *ears,
                       ArchiveReport *ret_report, Err *err);
/* The same of an open file, from its beginning; it stays open. */
int archive_reader_run_fd(int fd, const ArchiveLimits *limits, const ArchiveEars *ears,
                          ArchiveReport *ret_report, Err *err);

#endif
