/* program.h - the program of an agent that we start, with the port that it is told: what can be
 * done with it, and what is heard of it.
 *
 * For:    seat/started_agent.h, which knows no socket and no process. seat/child_program.h has
 *         both, tests have neither.
 * Memory: a program is made by `start` and ended by `free`.
 * Thread: that of the door.
 * Source: docs/spec/protocol-division.md 1.1, 6.3.
 */
#ifndef WARG_SEAT_PROGRAM_H
#define WARG_SEAT_PROGRAM_H

#include "cell/cell_news.h"
#include "net/child.h"
#include "net/run_queue.h"
#include "seat/aiwolf_agent.h"

/* What is started. Texts are borrowed for the program's life. */
typedef struct ProgramPlan {
    const char *name;    /* of its agent */
    const char *command; /* with {host}, {port}, {name} */
    const char *folder;  /* NULL = here */
    const char *env;     /* seat/agent_environment.h */
    const char *output;  /* a file for what it prints; NULL = dropped */
    uint64_t output_limit;
    /* A file that is the program's descriptor 0, as in net/child.h; NULL = none. */
    const char *input;
    bool input_written;
    const char *words;   /* of ours, behind the command; NULL = none */
    const char *profile; /* cell/profile.h; NULL = by its command */
    bool own;            /* it is ours, and not a program of strangers */
} ProgramPlan;

/* Somebody has connected to the port. */
typedef struct ProgramCall ProgramCall;
struct ProgramCall {
    bool ours; /* a process of the program, or nobody can tell */
    /* Appends a sentence about who was sent away. */
    void (*describe)(const ProgramCall *call, Buf *out);
};

/* Who hears of it. */
typedef struct ProgramEars {
    /* The agent that is to have this connection, and the port is closed; NULL: it is sent away. */
    AiwolfAgent *(*called)(void *user, const ProgramCall *call, TimeUs now);
    /* It has tried what its rules forbid; may be NULL. */
    void (*found)(void *user, const Finding *finding, TimeUs now);
    /* The place for it could not be made, which is not its fault; `ended` follows. May be NULL. */
    void (*broken)(void *user, Str why, TimeUs now);
    /* What it has used in its strict cell, before `ended`; may be NULL. */
    void (*used)(void *user, const CellUse *use);
    /* It has ended, once, and all it printed was read. The program may be freed here. */
    void (*ended)(void *user, ChildEnd how, TimeUs now);
} ProgramEars;

typedef struct ProgramKind {
    int (*start)(void *door, const ProgramPlan *plan, const ProgramEars *ears, void *user,
                 void **ret_program, Err *err);
    void (*shut)(void *program); /* its port; nothing when that is shut */
    void (*stop)(void *program); /* it is to end, and is killed when it doesn't */
    /* From now on one looks what its threads do; what they did since; false = can't be seen. */
    void (*watch)(void *program);
    bool (*look)(void *program, RunQueueLook *ret_look);
    Str (*last_lines)(const void *program); /* that it has printed by now; borrowed for a moment */
    void (*free)(void *program);            /* kills it; nothing is heard any more */
} ProgramKind;

/* Where programs are started. */
typedef struct ProgramDoor {
    const ProgramKind *kind;
    void *door;
} ProgramDoor;

#endif
