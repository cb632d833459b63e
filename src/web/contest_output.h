/* contest_output.h - what an agent's program printed: the files of DIR/agents/NAME/.
 *
 * For:    web/contest_pages_team.c.
 * Memory: lists and texts are the caller's.
 * Thread: any.
 * Source: contest/out_folder.h; docs/spec/web.md 7 (a program's output), 11.7 (names are looked up
 * in what is there, never joined to a path; no link is followed).
 */
#ifndef WARG_WEB_CONTEST_OUTPUT_H
#define WARG_WEB_CONTEST_OUTPUT_H

#include "base/buf.h"

#define CONTEST_OUTPUT_FILES 200   /* listed: the last ones */
#define CONTEST_OUTPUT_NAME  40    /* bytes of a file's name; others are none of ours */
#define CONTEST_OUTPUT_TAIL  32768 /* bytes that are shown of one */

typedef struct OutputFile {
    char name[CONTEST_OUTPUT_NAME + 1];
    uint64_t bytes;
} OutputFile;

/* Open for reading; zero it before. */
typedef struct OutputList {
    OutputFile *files; /* by name, the last ones first: their stages, sets and seats */
    size_t count, room;
} OutputList;

void output_list_done(OutputList *list); /* also for CLEANUP */

/* The files of an agent in a contest's folder; none when there is no folder. False without memory.
 */
bool output_list_read(const char *dir, const char *agent, OutputList *ret_list);

/* Whether there was output of agents which is no longer kept: its folder is left, and empty
 * (site/output_sweep.h). */
bool output_list_is_gone(const char *dir);

/* Appends the end of the file of this name, from a line's beginning; false when there is none. */
bool output_read_tail(const char *dir, const char *agent, const char *name, Buf *out);

#endif
