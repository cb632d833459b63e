/* child.h - child processes: started in a group of their own, stopped with all their children.
 *
 * For:    agents that we start, and tools such as ffmpeg.
 * Memory: a Child is freed by child_free, which kills it first. Its output comes through a pipe
 *         into the loop's buffer; only the last lines are kept.
 * Thread: the loop's.
 * Source: docs/spec/protocol-division.md 6.3: a crash is reported with exit status or signal and
 *         the last lines; stdout and stderr are kept with a size limit.
 */
#ifndef WARG_NET_CHILD_H
#define WARG_NET_CHILD_H

#include "base/buf.h"
#include "net/loop.h"

typedef struct Child Child;

/* A program that is executed in place of a command, with the command's words behind its own: it
 * makes a place for it, and ends as it ends. Its descriptor 3 tells it that we live, by its other
 * end. cell/cell.h has one. */
typedef struct ChildFront {
    const char *program;
    const char *const *words; /* its own, its name first; NULL-terminated */
    int file;                 /* which it gets as descriptor 4, with `talks` only */
    bool talks; /* descriptor 3 is a socket (net/fd_socket.h), and what comes by it is told */
} ChildFront;

#define CHILD_LIFELINE 3
#define CHILD_FILE     4

/* How such a program, and what it starts of its own, is called in /proc/PID/comm. */
#define CHILD_FRONT_NAME "warg-cell"

typedef struct ChildPlan {
    const char *command; /* run by /bin/sh -c, with `exec` in front where it is one program, so
                          * that a signal which ends it is seen as such */
    const char *const *arguments; /* in place of `command`: a program (looked up in PATH) and its
                                   * arguments, NULL-terminated; no shell reads them */
    const char *folder;           /* where it runs; NULL = here */
    const char *output_path;      /* its stdout and stderr, appended; NULL = dropped */
    uint64_t output_limit; /* bytes of this child kept in the file; then one line says that the
                            * rest is cut */
    /* A file that is its descriptor 0, in place of /dev/null: to be read, or with `input_written`
     * made and appended to, for its owner alone. It has no other way there. NULL = none. */
    const char *input_path;
    bool input_written;
    const char *const *environment; /* "NAME=VALUE" texts, NULL-terminated; NULL = as ours with
                                     * PYTHONUNBUFFERED=1 added */
    const ChildFront *front;        /* with a `command` only; NULL = none */
    /* A message of its front, borrowed, and the descriptor that came with it (-1 = none), which is
     * the callee's. All are told before `ended`. */
    void (*told)(void *user, Str message, int take_descriptor, TimeUs now);
    /* It has printed more than is kept; once. May be NULL. */
    void (*cut)(void *user, TimeUs now);
} ChildPlan;

/* How it ended. */
typedef struct ChildEnd {
    int status;        /* exit status; 0 when a signal ended it */
    int signal_number; /* 0 = it exited by itself */
    bool asked;        /* child_stop was called before */
} ChildEnd;

/* Starts it: own session and process group, stdin from /dev/null, signals as in a new program,
 * environment as the plan has it. `ended` is called once when the process has
 * ended and its output was read; what else is in its group is killed then. For a process that the
 * child left behind `ended` waits 200 ms while that holds the output open, or after child_stop as
 * long as its grace. Processes that left the group (setsid) are out of reach, but not of a front:
 * that ends all that is left when its descriptor 3 is closed. Errors: ERR_IO (the folder, the shell
 * or the program, the output file), ERR_MEMORY. */
int child_start(Loop *loop, const ChildPlan *plan,
                void (*ended)(void *user, ChildEnd how, TimeUs now), void *user, Child **ret_child,
                Err *err);

/* SIGTERM to the whole group, SIGKILL `grace_ms` later to what is left of it. Of two calls the
 * earlier SIGKILL holds. Nothing when it has ended. */
void child_stop(Child *child, uint32_t grace_ms);

/* SIGKILL to the whole group, now; `ended` is not called any more. Safe at any time, also after it
 * ended. The process is gone, and waited for, when the loop has run on a little or was freed. Takes
 * NULL, returns NULL. */
Child *child_free(Child *child);

bool child_running(const Child *child);
int child_pid(const Child *child); /* also the number of its group; stays after its end */

/* The last lines it printed, at most 10 and 2,000 bytes, without the last line end; as they came,
 * so they may hold anything. Borrowed until the loop runs on. */
Str child_last_lines(const Child *child);

/* Takes in what it has printed by now, before the loop comes to it. */
void child_hear(Child *child);

/* "exit status 3", "killed by signal 11 (Segmentation fault)" into `out`; for what a shell makes of
 * a signal "exit status 139 (as after signal 11, Segmentation fault)". */
void child_end_print(ChildEnd how, Buf *out);

#endif
