/* archive_name.h - whether a name in a stranger's archive may become a file.
 *
 * For:    archive/archive_reader.h, and who looks at a folder that an unpacker has filled.
 * Memory: an ArchivePaths owns its names; archive_paths_done frees them.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 5.2, O12.
 *
 * Errors are sentences that name the entry; what of a name a terminal would obey is shown as
 * U+FFFD.
 */
#ifndef WARG_ARCHIVE_ARCHIVE_NAME_H
#define WARG_ARCHIVE_ARCHIVE_NAME_H

#include "archive/remark.h"
#include "base/buf.h"

#define ARCHIVE_PATH_BYTES 1024 /* at most */
#define ARCHIVE_PART_BYTES 255  /* of one name between two '/' */
#define ARCHIVE_DEPTH      32   /* names in a path */

/* The name of a file, or of a folder without the '/' at its end. Errors: ERR_RULE: empty, absolute,
 * an empty part, "." or "..", a backslash, a control character, no UTF-8; ERR_LIMIT: too long or
 * too deep. */
int archive_name_judge(Str name, Err *err);

/* The sentence about an entry as an error; `more` is its second value, may be empty. */
int archive_name_refuse(Str name, ErrCode code, RemarkCode remark, Str more, Err *err);

/* Appends the name as it may be shown, at most 120 characters of it. */
void archive_name_show(Str name, Buf *out);

/* What an interpreter puts beside its files, and reads in place of them: it is not unpacked, for it
 * does not count in the tree's digest (disk/tree_digest.h). */
bool archive_name_is_cache(Str name);

/* ---- all names of an archive ---- */

typedef struct ArchivePaths {
    Buf names; /* of files and folders, also those that are only parts of a path; each with a NUL */
    struct ArchivePath *paths;
    size_t count, room;
    uint32_t *slots; /* hash table: 1 + number in `paths`; 0 = free */
    size_t slot_count;
    Buf clashes; /* sentences about pairs that differ by case only, a line each; the first 20 */
    size_t clash_count;
} ArchivePaths;

void archive_paths_done(ArchivePaths *paths); /* also for CLEANUP; a zeroed one is empty */

/* A file or folder of a name that was judged. Errors: ERR_RULE: there twice, or a file where a
 * folder is needed; ERR_MEMORY. */
int archive_paths_add(ArchivePaths *paths, Str name, bool folder, Err *err);

#endif
