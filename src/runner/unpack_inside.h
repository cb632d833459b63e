/* unpack_inside.h - what unpacks a file that somebody has handed in, inside of the cell that is
 * made for it.
 *
 * For:    main, which is started so by runner/version_work.h.
 * Memory: none.
 * Thread: main thread of a process of its own.
 * Source: docs/spec/contest-operations.md 5.1, 5.2.
 *
 *     warg --unpack-inside LANGUAGE FOLDER ENTRIES BYTES NAME [strip] <FILE
 *
 * The file is standard input, since its owner alone may open it. NAME: the player's class for java,
 * the name of a dll that is handed in by itself for dotnet. `strip`: jars of the platform inside of
 * a jar are left out. Prints lines:
 *
 *     unpacked | refused WHY | failed WHY      the first one
 *     warning TEXT
 */
#ifndef WARG_RUNNER_UNPACK_INSIDE_H
#define WARG_RUNNER_UNPACK_INSIDE_H

#define UNPACK_VERB "--unpack-inside"

/* The arguments behind the verb. Returns an exit status. */
int unpack_inside(int argc, char **argv);

#endif
