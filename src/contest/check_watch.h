/* check_watch.h - what an agent does beside its answers: its program's start and end, what it uses,
 *                 what it prints, which files it leaves.
 *
 * For:    contest/check_run.h.
 * Memory: each says so.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 7.
 */
#ifndef WARG_CONTEST_CHECK_WATCH_H
#define WARG_CONTEST_CHECK_WATCH_H

#include "contest/agent_check.h"
#include "net/process_watch.h"
#include "seat/child_program.h"

/* A door to programs that is looked at. The caller's. */
typedef struct CheckWatch {
    ProgramDoor inner; /* of child_door */
    ProcessWatch *eyes;
    /* Its cell has seen something. */
    void (*found)(void *user, const Finding *finding);
    /* ... and says, at the end, what it has used. */
    void (*used)(void *user, const CellUse *use);
    /* A program has ended; how, and its last lines, borrowed. */
    void (*ended)(void *user, ChildEnd how, Str last_lines);
    void *user;
} CheckWatch;

ProgramDoor check_watch_door(CheckWatch *watch);
/* What is seen from now on is of this game and day. */
void check_watch_place(const CheckWatch *watch, uint64_t game, uint16_t day);
/* A finding of its cell, at this game and day. */
void check_watch_find(const Finding *finding, AgentCheck *check, CheckPlay play, uint64_t game,
                      uint16_t day);
/* Hands over what was seen in `play`; what a program must not do is a finding. */
void check_watch_tell(const CheckWatch *watch, AgentCheck *check, CheckPlay play);

#define CHECK_FOLDER "warg-check-" /* how the folders of checks begin */

/* The files of a folder, with their sizes and times, but those in __pycache__, in .git and of
 * checks.
 * Zero it first. */
typedef struct FolderFiles {
    struct FolderFile *files;
    size_t count;
    size_t room;
    bool whole; /* false: there are too many, or memory is out; then nothing is compared */
} FolderFiles;

void folder_files_done(FolderFiles *files); /* also for CLEANUP */
void folder_files_read(const char *folder, FolderFiles *ret_files);
/* Hears of each file of `after` that is not in `before`, or was another one. What we write
 * ourselves by redirection is not told. */
void folder_files_compare(const FolderFiles *before, const FolderFiles *after,
                          void (*left)(void *user, Str path), void *user);

/* Reads what programs printed into files under `folder`/agents, for `play`. */
void check_watch_output(const char *folder, AgentCheck *check, CheckPlay play);

#endif
