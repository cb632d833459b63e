/* serve_maw.h - a line `maw OPTION...` of `warg serve`.
 *
 * For:    cmd_serve.c alone.
 * Memory: a ServeMaw owns its options; free it behind the doors.
 * Thread: main thread.
 * Source: docs/maw.md.
 */
#ifndef WARG_CMD_SERVE_MAW_H
#define WARG_CMD_SERVE_MAW_H

#include "cli/session_line.h"
#include "serve/doors.h"

typedef struct ServeMaw ServeMaw;

/* Reads it. Returns 1 = go on, 0 = help was printed, or an error of the line. */
int serve_maw_read(int argc, char **argv, ServeMaw **ret_line, Err *err);
ServeMaw *serve_maw_free(ServeMaw *line); /* takes NULL */

bool serve_maw_opens_results(const ServeMaw *line);
/* ERR_USAGE when both would write the same folder, or be the same component. */
int serve_maw_check_beside(const ServeMaw *line, const ServeMaw *other, Err *err);

/* `umask`: that agents get. Errors: those of doors_add_maw. */
int serve_maw_add(ServeMaw *line, unsigned umask, const DoorWords *words, Doors *doors, Err *err);

#endif
