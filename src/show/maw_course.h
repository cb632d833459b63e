/* maw_course.h - the course of a MAW session as text, from the events of its record.
 *
 * For:    `warg maw` without a person at the table: it shows roles and the hideout.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/maw.md 9; the events of maw/session.h.
 *
 * To show another event: a function, and a row in `events` of maw_course.c.
 */
#ifndef WARG_SHOW_MAW_COURSE_H
#define WARG_SHOW_MAW_COURSE_H

#include "base/buf.h"

/* Appends what is to be shown of one event, whole lines; nothing for most kinds of event. What a
 * player has written is safe for a terminal. `comings`: who joins, and who leaves the lobby, too.
 * `japanese`: the language of all but what players say. */
void maw_course(Str event, bool comings, bool japanese, Buf *out);

#endif
