/* cell_start.h - the small program that is executed first where an agent is started, and puts it
 *                into a cell.
 *
 * For:    warg-cell, and warg itself where that is not found. Needs nothing but libc, so that it
 *         starts in a millisecond.
 * Memory: none.
 * Thread: a process of its own with one thread.
 * Source: docs/spec/contest-operations.md 6.3, of which this is the light part; namespaces(7),
 *         user_namespaces(7), pid_namespaces(7), proc(5).
 *
 *     warg-cell [--umask=OCTAL] [--hide=DEVICE:INODE:FOLDER]... [--plain] -- PROGRAM [ARGUMENT]...
 *     warg-cell --probe [--hide=DEVICE:INODE:FOLDER]...
 *
 * A cell has a mount and a pid namespace of its own, and a user namespace where we are not root:
 * the same files, network and user as before, but each FOLDER is empty, and no process of others is
 * seen. A folder of this name with other numbers is not the one that is meant: then PROGRAM is not
 * started. Nobody in it can take that back: root keeps only the capabilities of ordinary programs,
 * and what sets up the machine (/proc/sys, /sys) can only be read. Without --plain a PROGRAM is
 * never started uncovered: where there is no namespace for it, it isn't started. Of open
 * descriptors it gets the first three. It is a program of its own because one that can't be dumped
 * (PR_SET_DUMPABLE 0) gets EACCES when it writes the uid_map of a child that it has forked.
 *
 *     warg-cell ---> first process of the cell (reaps, hands signals on) ---> PROGRAM, in a session
 *                                                                             of its own
 *
 * The first ends as PROGRAM ended, at once. The second ends when all others of the cell have, and
 * when descriptor 3, the lifeline, is closed at its other end: then the kernel kills all in the
 * cell. SIGTERM and its like go on to PROGRAM's group.
 */
#ifndef WARG_CELL_CELL_START_H
#define WARG_CELL_CELL_START_H

#include "cell/cell_why.h"

/* Does what the arguments behind argv[0] say. Returns an exit status: with --probe 0, or
 * CELL_FAILED with the reason on stdout. */
int cell_start(int argc, char **argv);

#endif
