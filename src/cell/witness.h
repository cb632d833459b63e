/* witness.h - answers what a strict cell's filter asks, and tells what was tried.
 *
 * For:    warg-cell, outside of the cell. Needs nothing but libc.
 * Memory: a Witness is its owner's; zero it first.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 6.5, 6.6; seccomp_unotify(2).
 *
 * What is let through is refused by the cell itself, by its mounts and its network or by Landlock:
 * a program may change its memory while it is looked at, so nothing rests on what is read there.
 * The one thing that does, a connection at the level `filter`, is made by us, with the address that
 * we have read.
 */
#ifndef WARG_CELL_WITNESS_H
#define WARG_CELL_WITNESS_H

#include "cell/cell_calls.h"
#include "cell/strict_order.h"
#include "record/finding.h"

#include <sys/types.h>

typedef struct Witness {
    const StrictOrder *order;
    int asked;      /* the filter's descriptor; -1 = none yet */
    pid_t program;  /* of the program, as seen from outside; 0 = not known */
    int told;       /* the socket on which findings go out */
    bool connected; /* filter: the game's connection was made */
    bool broken;    /* we can not do what is ours: nobody is to blame but this machine */
    bool census;    /* threads were begun that are to be counted */
    uint64_t counts[FINDING_RULES]; /* in all */
    uint64_t found;                 /* of all rules */
    uint64_t silent[FINDING_RULES]; /* of these not told yet */
} Witness;

/* Answers one question, waiting for it. False when nobody can ask any more, or it is broken. */
bool witness_answer(Witness *witness);

/* Tells of one finding, or counts it where there were FINDINGS_KEPT. `text` is of any bytes. */
void witness_find(Witness *witness, FindingRule rule, const char *text);
/* Tells how many were only counted since. */
void witness_tell_counts(Witness *witness);

/* ---- pure, for tests ---- */

/* An address as text, "8.8.8.8:53", "[::1]:80", "unix /run/x", "unix @name"; what is none by its
 * family. `address` has `bytes` bytes. */
void witness_print_address(const void *address, size_t bytes, char *text, size_t room);
/* Whether it is 127.0.0.1 with this port; also as a socket of IPv6 names it, ::ffff:127.0.0.1: so
 * do a JVM's and .NET's. */
bool witness_is_game(const void *address, size_t bytes, uint16_t port);
/* Whether the text is in a list, where a * stands for anything. */
bool witness_is_listed(const char *const *list, size_t count, const char *text);

#endif
