/* table_room.h - how many tables with programs this machine has room for: `--tables auto`.
 *
 * For:    the hall, and the options that say how many tables there are.
 * Memory: plain values.
 * Thread: any; a look reads some files of /proc.
 * Source: docs/spec/contest-operations.md 6.7: processors - 1; no further table when threads wait
 *         for a processor more than a fifth of the time; Linux, Documentation/accounting/psi.rst;
 *         proc(5).
 */
#ifndef WARG_MATCH_TABLE_ROOM_H
#define WARG_MATCH_TABLE_ROOM_H

#include "base/buf.h"
#include "match/plan.h"

/* What a machine with tables looks like. Open. */
typedef struct TableRoomLook {
    uint64_t free_bytes;  /* memory that programs could have; 0 = not known */
    uint64_t table_bytes; /* what a table's programs have of it now; 0 = not known */
    int pressure;         /* percent of the last 10 s in which a thread waited for a processor;
                           * -1 = the kernel does not tell */
} TableRoomLook;

/* "8" or "auto", which is PLAN_TABLES_AUTO. Errors: ERR_USAGE. */
int table_room_read(Str text, uint32_t *ret_tables, Err *err);

/* How many tables there are at most: with PLAN_TABLES_AUTO one less than the processors that this
 * process may use, at least one, and without a number (0) one. */
uint32_t table_room_most(uint32_t tables);

/* Adds what PLAN_TABLES_AUTO comes to on this machine: "up to 3 tables at a time (4 processors, 20
 * GB free)"; without the memory where it is not known. */
void table_room_write(Buf *out);

/* Looks, while `open` tables have all their programs, which descend from this process. */
TableRoomLook table_room_look(uint32_t open);

/* Whether there is room for a table beside others. */
bool table_room_has(const TableRoomLook *look);

/* The figure in /proc/pressure/cpu and that in /proc/meminfo, from their texts; -1 and 0 when it is
 * not in there. */
int table_room_pressure(Str text);
uint64_t table_room_free_bytes(Str text);

#endif
