/* loop.h - one event loop: time, timers, signals, and a way in from other threads.
 *
 * For:    everything that waits for more than one thing. libuv is behind this folder: only the
 *         .c files of this folder know <uv.h>, through net/uv_loop.h.
 * Memory: a Loop owns what was opened on it; loop_free closes and frees all of it.
 * Thread: the one that made the loop, except loop_wake.
 * Source: guide: libraries, "event loop".
 *
 * Callbacks run inside loop_run. A callback may close or free any object of the loop, also the one
 * it was called for; it may not free the loop nor run it again.
 */
#ifndef WARG_NET_LOOP_H
#define WARG_NET_LOOP_H

#include "base/alarms.h"
#include "base/err.h"

typedef struct Loop Loop;
typedef struct Timer Timer;

/* A new loop. The process ignores SIGPIPE from then on (unless it handles it): writing to a peer
 * that is gone must be an error of that connection and not the end of the program. Children get
 * the default back. Errors: ERR_MEMORY, ERR_IO (no descriptors left). */
int loop_new(Loop **ret_loop, Err *err);

/* Closes and frees everything on it: connections without sending what is queued, children with
 * SIGKILL (it waits up to a second for them to be gone). No callback is called. Takes NULL,
 * returns NULL. */
Loop *loop_free(Loop *loop);
void loop_freep(Loop **loop);

/* Runs until loop_stop, or until nothing is open that could call back: listeners, connections
 * (those too that send their last bytes after conn_close), timers that are set, children, and
 * the handler of loop_on_wake. A handler of signals alone doesn't keep it running. */
void loop_run(Loop *loop);

/* Has loop_run return once the callbacks that are due now were called. When the loop isn't running
 * the next loop_run returns at once. */
void loop_stop(Loop *loop);

/* The time now, read from the clock at each call. For this folder and for commands: who is called
 * back from here is told what time it is. */
TimeUs loop_now(void);
/* The date, by the clock on the wall, which may be set: a DateMs for those who write dates. */
int64_t loop_date_ms(void);
/* The date of a time, a DateOf: as loop_date_ms would have been at `at`, had nobody set it since.
 */
int64_t loop_date_of(TimeUs at);

/* Alarms that ring in loop_run by the loop's clock: for what knows no loop. The loop's own. */
Alarms *loop_alarms(Loop *loop);

/* A timer, not set; `due` is called once for each timer_at. */
int timer_new(Loop *loop, void (*due)(void *user, TimeUs now), void *user, Timer **ret_timer,
              Err *err);
Timer *timer_free(Timer *timer); /* takes NULL, returns NULL */

/* Sets it to go off at `when` (rounded up to a millisecond, never earlier; as soon as the callback
 * that runs now has returned if it has passed). Timers of one millisecond go off in the order in
 * which they were set. A timer that is set already to an earlier or equal time is left as it is
 * when `only_earlier`. TIME_US_NEVER sets nothing: it is timer_stop. */
void timer_at(Timer *timer, TimeUs when, bool only_earlier);
/* The same, so long from now. */
void timer_in(Timer *timer, TimeUs wait);
void timer_stop(Timer *timer);

/* Calls `caught` in the loop when the process gets this signal. */
int loop_signal(Loop *loop, int signal_number,
                void (*caught)(void *user, int signal_number, TimeUs now), void *user, Err *err);
/* Ends what loop_signal began with this `user`; also in `caught`. */
void loop_signal_off(Loop *loop, const void *user);

/* Has `woken` called in the loop soon after loop_wake, which any thread may call; several calls may
 * give one. Call loop_on_wake before the loop is given to other threads; none of them may call
 * loop_wake any more when the loop is freed. */
void loop_on_wake(Loop *loop, void (*woken)(void *user, TimeUs now), void *user);
void loop_wake(Loop *loop);

#endif
