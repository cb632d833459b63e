/* timed_wait.h - waits for a condition of threads, but not for long, and says what time it is then.
 *
 * For:    match/threads.c.
 * Memory: none; condition and mutex are the caller's.
 * Thread: any that holds the mutex.
 * Source: POSIX.1-2017, pthread_cond_timedwait.
 */
#ifndef WARG_NET_TIMED_WAIT_H
#define WARG_NET_TIMED_WAIT_H

#include "base/time_us.h"

#include <pthread.h>

/* As pthread_cond_wait, for `longest_us` at most, less than a second. It may return earlier, too,
 * so the caller looks again whether what it waits for is so. Returns the time, as loop_now. */
TimeUs timed_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, TimeUs longest_us);

#endif
