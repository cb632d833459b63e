/* child_program.h - programs of agents as processes of this machine, each with a TCP port of its
 * own.
 *
 * For:    who starts agents (seat/program.h): the hall's owner, tables of MAW.
 * Memory: a ChildDoor is its owner's, and outlives its programs; what it points to is borrowed.
 * Thread: the loop's.
 * Source: docs/spec/protocol-division.md 1.1; docs/spec/contest-operations.md 6.1, 6.4.
 *
 * Who connects to a port is known without trusting a name: the system is asked which process holds
 * the other end (net/peer.h). In a strict cell with a network of its own nobody else can come, and
 * its port is the same for all; the socket comes from the cell when it has been made.
 */
#ifndef WARG_SEAT_CHILD_PROGRAM_H
#define WARG_SEAT_CHILD_PROGRAM_H

#include "cell/cell.h"
#include "net/tcp.h"
#include "seat/program.h"

typedef struct ChildProgram ChildProgram;

typedef struct ChildDoor {
    Loop *loop;
    const char *host;
    const Cell *cell; /* what they run in; those of ours in cell_for_own of it. NULL = in none */
    ConnLimits limits;
    ChildProgram *programs; /* {NULL} at first */
} ChildDoor;

ProgramDoor child_door(ChildDoor *door);

/* Of a program of this door: the process that was started, which stands in front of the agent's own
 * where that is in a cell, and the port that it was told. */
int child_program_pid(const ChildProgram *program);
uint16_t child_program_port(const ChildProgram *program);

#endif
