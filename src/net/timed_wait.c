#include "net/timed_wait.h"

#include "net/loop.h"

#include <time.h>

TimeUs timed_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, TimeUs longest_us)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until); /* the clock of a condition without attributes */
    until.tv_nsec += longest_us * 1000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(condition, mutex, &until);
    return loop_now();
}
