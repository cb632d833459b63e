/* process_use.h - what a program and all that it has started use now: memory, threads, files,
 *                 connections.
 *
 * For:    who tries an agent before a contest. Knows no agent.
 * Memory: none kept; texts are borrowed for the call that hands them out.
 * Thread: any; waits for nothing but the kernel: some milliseconds where many processes run.
 * Source: proc(5): /proc/PID/status, /proc/PID/fd, /proc/PID/fdinfo, /proc/PID/net/tcp and its
 *         like.
 *
 * It is a look at one moment: what was opened and closed between two looks is not seen. The two
 * processes in front of a program in a cell (net/child.h) and the shell that starts it are not
 * the program's own.
 */
#ifndef WARG_NET_PROCESS_USE_H
#define WARG_NET_PROCESS_USE_H

#include "base/str.h"

typedef enum ProcessSight {
    SIGHT_PROCESS, /* another process than its first: "python3 (4711)" */
    SIGHT_THREAD,  /* another thread than its first, the name it has */
    SIGHT_WRITES,  /* a file that is open for writing: its path */
    SIGHT_NETWORK, /* a connection, or a port that is listened on: "tcp 10.0.0.1:53" */
} ProcessSight;

typedef struct ProcessUse {
    int pid; /* of its first process; 0 = none is seen */
    uint32_t processes;
    uint32_t threads;  /* of all of them */
    uint32_t files;    /* descriptors of the one that has most */
    uint64_t peak_kib; /* the most memory that each had at any time, in all */
} ProcessUse;

/* Hears of each sight. */
typedef struct ProcessWitness {
    void (*seen)(void *user, ProcessSight what, Str text);
    void *user;
} ProcessWitness;

/* Of the process that was started, `root`; connections to `own_port` are what it is there for.
 * False when there is nothing to see, yet or any more. `witness` may be NULL. */
bool process_use_read(int root, uint16_t own_port, const ProcessWitness *witness,
                      ProcessUse *ret_use);

/* One line of /proc/PID/net/tcp or its like: whether it is one, which socket it is of, and its
 * other end (or its own port, when it has none) as text into `ret_text`. For tests. */
typedef struct SocketLine {
    uint64_t inode;
    uint16_t port; /* of the other end; 0 = it has none */
    char text[80];
} SocketLine;
bool process_use_socket_line(const char *protocol, Str line, SocketLine *ret_line);

#endif
