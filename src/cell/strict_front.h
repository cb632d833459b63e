/* strict_front.h - the process in front of a strict cell: makes it, answers for it, ends it.
 *
 * For:    warg-cell. Needs nothing but libc.
 * Memory: none.
 * Thread: a process of its own with one thread.
 * Source: docs/spec/contest-operations.md 6.2, 6.3, 6.6.
 *
 *   warg-cell (front, outside) ---> first process (reaps) ---> program        namespaces
 *   warg-cell (front, outside) ---> program                                   filter
 *
 * Descriptor 3 is the lifeline, a socket: what is told of the cell goes out by it
 * (cell/cell_news.h), and when its other end is closed the cell is killed. Descriptor 4 is the file
 * of the filter (cell/cell_filter.h). SIGTERM and its like go on to the program. The front ends as
 * the program ended, when nothing of the cell is left: also when somebody kills the front, the
 * kernel kills the cell.
 */
#ifndef WARG_CELL_STRICT_FRONT_H
#define WARG_CELL_STRICT_FRONT_H

/* `words` are those of the whole command line, those of the order from `first` on. Returns an exit
 * status: CELL_FAILED for a cell that could not be made. */
int strict_front(char **words, int first);

#endif
