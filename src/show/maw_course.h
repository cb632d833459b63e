/* maw_course.h - the course of a MAW session as text, from the events of its record.
 *
 * For:    `warg maw` without a person at the table: it shows roles and the hideout.
 * Memory: appends to the caller's Buf. A MawCourse is a plain value; zero is a fresh one.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 9; the events of maw/session.h.
 *
 * To show another event: a function, and a row in `events` of maw_course.c.
 */
#ifndef WARG_SHOW_MAW_COURSE_H
#define WARG_SHOW_MAW_COURSE_H

#include "base/buf.h"

/* What was told so far, of this phase and round. */
typedef struct MawCourse {
    uint32_t alive;
    struct {
        uint64_t voter; /* numbers of their names */
        uint64_t target;
    } votes[64];
    uint32_t vote_count;
} MawCourse;

/* A role's or a room's name ("Seer") in that language; as it stands where there is none. */
Str maw_course_name(Str name, bool japanese);

/* Appends what is to be shown of one event, whole lines; nothing for most kinds of event. What a
 * player has written is safe for a terminal. `comings`: who joins, and who leaves the lobby, too.
 * `japanese`: the language of all but what players say. A vote that says the same as before is not
 * told again. `course` NULL: nothing was told before. */
void maw_course(MawCourse *course, Str event, bool comings, bool japanese, Buf *out);

#endif
