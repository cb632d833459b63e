/* cell_group.h - control groups: limits on memory and threads that hold exactly.
 *
 * For:    warg-cell makes one for a program; cell/cell.h finds where that can be done. Needs
 *         nothing but libc.
 * Memory: a CellGroup is its owner's.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.2; Linux, Documentation/admin-guide/cgroup-v2.rst and
 *         cgroup-v1/memory.rst.
 */
#ifndef WARG_CELL_CELL_GROUP_H
#define WARG_CELL_CELL_GROUP_H

#include "cell/cell_why.h"
#include "cell/strict_order.h"

#include <stdint.h>
#include <sys/types.h>

#define GROUP_PATH 512

/* Where groups can be made. Empty = there is no such place. */
typedef struct GroupPlaces {
    char memory[GROUP_PATH];
    char processes[GROUP_PATH];
    bool one; /* version 2: both are the same */
} GroupPlaces;

/* Looks for them, from our own group on: of version 2 one that was handed to us (Delegate=yes),
 * which we and who else is in it then leave for a group in it; else writable ones of version 1. Old
 * groups of cells whose processes are gone are removed. */
void group_places_find(GroupPlaces *ret_places);

/* Removes old groups once more: who is killed can't remove its own. */
void group_places_sweep(const GroupPlaces *places);

typedef struct CellGroup {
    char memory[GROUP_PATH]; /* empty = none */
    char processes[GROUP_PATH];
    bool one;
    int doors[2]; /* of version 1: files by which a process goes into it */
    int door_count;
} CellGroup;

/* Makes the group that the order wants, with its limits; none when it names no place. */
bool cell_group_make(const StrictOrder *order, CellGroup *ret_group, Why *why);
/* Both together put a process into it, before it does anything: of version 2 whoever has made it,
 * by `take`; of version 1 the process itself, by `enter`, which was forked before `take`. Only who
 * moves itself there does not wait until each processor has passed by, which takes 10 ms and more
 * (Linux, cgroup_procs_write_start). */
bool cell_group_take(CellGroup *group, pid_t process, Why *why);
bool cell_group_enter(const CellGroup *group, Why *why);
/* The most memory that was used, in KiB, and whether the limit ended somebody. 0 and false where
 * that can't be told. */
uint64_t cell_group_peak_kib(const CellGroup *group);
bool cell_group_overran(const CellGroup *group);
/* Removes it; nobody is in it any more. */
void cell_group_remove(CellGroup *group);

#endif
