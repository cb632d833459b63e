/* profile.h - what is known of a runtime: how an agent is started by it, what it does by itself.
 *
 * For:    cells, which tell a runtime's own doings from an agent's; who starts agents. Data.
 * Memory: constant.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 5.4, 6.6 (noise and threads: seen with Debian 12's).
 */
#ifndef WARG_CELL_PROFILE_H
#define WARG_CELL_PROFILE_H

#include "base/buf.h"

#define PROFILE_LISTED_MAX 40

typedef struct CellProfile {
    const char *name;
    const char *const *programs; /* by whose name as the first word it is known; NULL-terminated, as
                                  * are the others */
    const char
        *command; /* {entry}, {classpath}, {heap} (MiB), and {host}, {port}, {name}, which stay */
    const char *const *environment;
    const char *const *noise; /* findings that it makes by itself (cell/strict_order.h), with the
                               * reason beside each in the source */
    const char *const *usual; /* names of its own threads */
    bool one_thread;          /* it has one, and any other is the agent's */
    bool asks_routes;         /* it connects only where it is told of the network's addresses */
} CellProfile;

/* "java", "python", "native", "mono", "dotnet"; NULL = there is none of that name. */
const CellProfile *cell_profile(Str name);
/* That of a command, by its first word behind "exec", "env" and settings of variables: the name of
 * a program, or of a file of Python; "native" for what is none of the others. */
const CellProfile *cell_profile_of_command(Str command);
/* Whether a script of the shell is started, which can start anything. */
bool cell_profile_is_hidden(Str command);
/* The names of all, with a comma between, for messages. */
void cell_profile_names(Buf *out);

/* Appends the command that starts `entry`, which is a class for java, else a file in the agent's
 * folder. */
void cell_profile_command(const CellProfile *profile, const char *entry, Buf *out);
/* The same with another class path of java's than all jars of its folder and the folder itself. */
void cell_profile_command_with(const CellProfile *profile, const char *entry,
                               const char *class_path, Buf *out);
/* Appends a text as one word of /bin/sh. */
void cell_profile_word(const char *text, Buf *out);

/* Its environment, "NAME=VALUE", NULL-terminated: one block on the heap. `memory_bytes`: what its
 * cell gives, of which a heap may have three quarters; a runtime would else take a part of the
 * machine's. NULL without memory. */
const char **cell_profile_environment(const CellProfile *profile, uint64_t memory_bytes);

#endif
