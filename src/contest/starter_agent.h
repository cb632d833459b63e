/* starter_agent.h - an agent of an old starter's file as a command that starts it.
 *
 * For:    starter_file.
 * Memory: agents and their texts go into the plan.
 * Thread: any, each with its own plan.
 * Source: docs/spec/protocol-division.md 1.6. What the documents leave open is in docs/contest.md.
 *
 * Commands are for /bin/sh -c: all that comes from the file is quoted, and {host}, {port} and
 * {name} stand where the values go.
 */
#ifndef WARG_CONTEST_STARTER_AGENT_H
#define WARG_CONTEST_STARTER_AGENT_H

#include "match/plan.h"

/* What all agents of a file have in common. */
typedef struct StarterPlace {
    Plan *plan;
    const char *folder;     /* of the file, where commands run; "" = the current one */
    const char *class_path; /* of Java programs, as seen from there */
} StarterPlace;

/* Each adds one agent; `number` is the number of the line.
 * Errors: ERR_RULE, ERR_LIMIT with that line; ERR_MEMORY. */

/* NAME,CLASS[,ROLE] or NAME,java|python|C#,WHAT[,ROLE] */
int starter_agent_java(const StarterPlace *place, Str line, unsigned number, Err *err);
/* PROGRAM[,ARGUMENTS[,FOLDER]]; commas among the arguments are theirs. */
int starter_agent_dotnet(const StarterPlace *place, Str line, unsigned number, Err *err);
/* CLASS[:ROLE]; the name is the class without its package. */
int starter_agent_class(const StarterPlace *place, Str line, unsigned number, Err *err);

/* Whether the line looks like one for starter_agent_java rather than starter_agent_dotnet. */
bool starter_agent_is_java(Str line);

#endif
