/* agent_command.h - the command that starts an outside agent, and what is told of its end.
 *
 * For:    seat/started_agent.h and seat/child_program.h, and who reads commands of users.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: man/warg-run.1.scd: {host}, {port} and {name} are filled in.
 */
#ifndef WARG_SEAT_AGENT_COMMAND_H
#define WARG_SEAT_AGENT_COMMAND_H

#include "net/child.h"

/* Appends the command with {host}, {port} and {name} as words of the shell; all else of it stays.
 */
void agent_command_fill(const char *command, const char *name, const char *host, uint16_t port,
                        Buf *out);

/* Finds a word in braces that is nearly one of these, such as {hosts}: it, and which one is near.
 * `${name}` is the shell's. Both are borrowed. */
bool agent_command_find_slip(Str command, Str *ret_word, Str *ret_near);
/* Whether the program is told its port: without that it can't know where to connect to. */
bool agent_command_has_port(Str command);

/* Appends the name as part of a path, so that no two names share one: letters and digits of any
 * script, '-', '_' and a '.' that is not the first stay, all else becomes %XX, byte by byte. */
void agent_command_add_file_name(const char *name, Buf *out);

/* Appends "agent NAME: its process ended, exit status 1; its last lines:" and these lines, made
 * printable, each four blanks in. */
void agent_command_add_end(const char *name, Str last_lines, ChildEnd how, Buf *out);

#endif
