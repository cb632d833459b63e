/* log_file.h - log files on disk: read whole, written whole, listed.
 *
 * For:    commands and recorders.
 * Memory: file contents go into the caller's Buf; a LogList owns its paths.
 * Thread: any, each with its own buffers.
 * Source: docs/spec/protocol-division.md 5.1 (a name that ends in .gz is gzip); RFC 1952.
 */
#ifndef WARG_DISK_LOG_FILE_H
#define WARG_DISK_LOG_FILE_H

#include "base/buf.h"
#include "base/err.h"

/* Files in one LogList, and directories inside each other. */
#define LOG_FILES_MAX ((size_t)1000 * 1000)
#define LOG_DEPTH_MAX 32

/* Appends the contents of a file, decompressed when it is gzip, whatever its name.
 * Errors: ERR_IO; ERR_SYNTAX for damaged gzip; ERR_LIMIT when it holds more than `bytes_max`
 * bytes, counted after decompression. `out` is then cut back to what it was. */
int log_file_read(const char *path, size_t bytes_max, Buf *out, Err *err);

/* The same from an open descriptor, from where it stands; `path` is named in errors. */
int log_file_read_from(int fd, const char *path, size_t bytes_max, Buf *out, Err *err);

/* Writes a file whole or not at all: into PATH.tmp, which is then renamed; what a killed process
 * left under either name is replaced. A path that ends in .gz is compressed, unless the text is
 * packed already; the same text always gives the same bytes (no time, no name).
 * Errors: ERR_IO, ERR_MEMORY. */
int log_file_write(const char *path, Str text, Err *err);

/* The same, compressed in an eighth of the time into a quarter more bytes: for what is kept of
 * every game, and seldom read. */
int log_file_write_quick(const char *path, Str text, Err *err);

/* Appends a text as the bytes that log_file_write would put into a .gz file, and takes as they are:
 * for who has more threads than the one that writes. Errors: ERR_LIMIT, ERR_MEMORY. */
int log_file_pack(Str text, Buf *out, Err *err);

/* Paths in the order in which they were found. Open for reading; zero it before. */
typedef struct LogList {
    char **paths;
    size_t count;
    size_t room;
    bool json;  /* *.json and *.json.gz of directories, too */
    bool lines; /* *.jsonl of directories, and nothing else */
} LogList;

/* Adds a file as it is, or every *.log, *.log.gz and session.jsonl (of MAW) in a directory and
 * those inside it, sorted by the bytes of their names. Symbolic links are followed, but not those
 * to directories inside. Errors: ERR_IO, ERR_LIMIT, ERR_MEMORY; ERR_IO also for a directory without
 * any log. */
int log_list_add(LogList *list, const char *path, Err *err);
void log_list_done(LogList *list); /* also for CLEANUP */

#endif
