/* cell_process.h - what the processes that make cells do alike.
 *
 * For:    warg-cell: light cells, and both sides of strict ones. Needs nothing but libc.
 * Memory: none.
 * Thread: processes with one thread.
 * Source: docs/spec/contest-operations.md 6.3.
 */
#ifndef WARG_CELL_CELL_PROCESS_H
#define WARG_CELL_CELL_PROCESS_H

/* Standard input, output and error become /dev/null: who waits must not hold a program's output
 * open. */
void let_go_of_output(void);

/* As a new program expects it: none is blocked. */
void take_all_signals(void);

/* Ends as the process did whose status of wait(2) this is: by the same signal, without a core. */
_Noreturn void end_as(int status);

#endif
