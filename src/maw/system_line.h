/* system_line.h - what the system says in MAW's rooms, in the languages a table may have.
 *
 * For:    the session, which writes them; players and people, who read what they say.
 * Memory: texts go into the caller's Buf; what is read is borrowed from the line, or constant.
 * Thread: pure.
 * Source: docs/spec/maw.md 1.2 (G13, G17, G20), A12, A30, A32.
 *
 * To add a line: a value here, a row in system_line.c. Names have no blanks, so a blank on both
 * sides of a name lets the line be read again.
 */
#ifndef WARG_MAW_SYSTEM_LINE_H
#define WARG_MAW_SYSTEM_LINE_H

#include "base/buf.h"
#include "llm/scene.h"

typedef enum SystemLine {
    SYSTEM_JOINED,           /* name, seats taken, seats */
    SYSTEM_LEFT_LOBBY,       /* likewise */
    SYSTEM_WAITING,          /* free seats, seats */
    SYSTEM_WAITING_BOTS,     /* likewise, seconds until bots take them */
    SYSTEM_WAITING_END,      /* likewise, seconds until the session is given up */
    SYSTEM_NOBODY_EXECUTED,  /* */
    SYSTEM_EXECUTED_AS,      /* name, role */
    SYSTEM_EXECUTED,         /* name */
    SYSTEM_WAS,              /* name of who was executed, role: on the next morning */
    SYSTEM_MURDERED,         /* name */
    SYSTEM_LEFT,             /* name */
    SYSTEM_TIE,              /* names */
    SYSTEM_VOTES_FOR_NOBODY, /* name */
    SYSTEM_VOTES_FOR,        /* name, name */
    SYSTEM_WHISPERS,         /* name, name */
    SYSTEM_SECONDS,          /* how many are left */
    SYSTEM_OUT_OF_REACH,     /* the game waits */
    SYSTEM_STOPPED,          /* likewise, for the operator */
    SYSTEM_RESUMED,          /* the game master was gone; likewise, for who played */
    SYSTEM_GOES_ON,          /* */
    SYSTEM_EXTENDED,         /* how many seconds are left */
    SYSTEM_NOBODY_WON,       /* round, rounds */
    SYSTEM_WON,              /* round, rounds, team */
    SYSTEM_POINTS,           /* "1. Anna 4, 2. Bob 0" */
    SYSTEM_LINES,
} SystemLine;

#define SYSTEM_ARGUMENTS 3

/* Roles and teams are given and read in the wire's words: "Werewolf", "Villagers". */
void system_line_write(SystemLine line, LlmLanguage language, const Str arguments[SYSTEM_ARGUMENTS],
                       Buf *out);
/* In any of the languages, the last full stop may lack. False: it is none of these lines. */
bool system_line_read(Str text, SystemLine *ret_line, Str ret_arguments[SYSTEM_ARGUMENTS]);

#endif
