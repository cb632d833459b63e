/* answer_clock.h - how long one answer may take, and whose fault it is when it takes longer.
 *
 * For:    an agent's clock (seat/aiwolf_agent.h). Time is an argument, what the agent's threads did
 *         comes in as figures.
 * Memory: a plain value.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 6.7: at a fifth of the limit and at the deadline one
 *         looks what the program's threads did. `waited = min(longest wait of one thread, elapsed -
 *         CPU of all)`: who runs threads against each other has used the time, who sleeps has not
 *         waited.
 *
 *     begin --limit / 5--> first look --limit + grace--> looks, while each adds time --> late
 *
 *   What this program itself came too late counts as well: when its timers are late, the machine
 * was busy or stood still, for the agent too. The larger of the two is taken, for they are one
 * cause.
 */
#ifndef WARG_SEAT_ANSWER_CLOCK_H
#define WARG_SEAT_ANSWER_CLOCK_H

#include "net/run_queue.h"

/* Open, for reading. Times are the loop's. */
typedef struct AnswerClock {
    TimeUs sent_at;
    TimeUs limit;     /* what the rules allow */
    TimeUs allowed;   /* with the grace: an answer behind it is a fault, unless it had to wait */
    TimeUs due;       /* when to look next */
    TimeUs looked_at; /* first; 0 = not yet */
    TimeUs own;       /* by which our timers came late */
    TimeUs waited;    /* by which `allowed` is longer */
} AnswerClock;

/* A request has gone out. */
void answer_clock_begin(AnswerClock *clock, TimeUs now, TimeUs limit, TimeUs allowed);

/* At `due`: notes how late that is. True when it is time for the first look at the program, which
 * is then taken as having been made at `now`. */
bool answer_clock_first_look(AnswerClock *clock, TimeUs now);

/* What was seen since the first look; NULL = nothing can be seen. Sets `waited`. */
void answer_clock_see(AnswerClock *clock, TimeUs now, const RunQueueLook *look);

/* At `due` behind the first look, with what is seen now: whether there is more time, until the new
 * `due`; also while a thread waits for a processor and how long is not known yet. */
bool answer_clock_has_more(AnswerClock *clock, TimeUs now, const RunQueueLook *look);

/* Whether an answer that took so long is too late, as far as was seen. */
bool answer_clock_is_over(const AnswerClock *clock, TimeUs elapsed);

#endif
