#include "net/thread_cpu.h"

#include <time.h>

TimeUs thread_cpu(pthread_t thread)
{
    struct timespec cpu = {0};
    clockid_t clock;

    if (pthread_getcpuclockid(thread, &clock) == 0)
        clock_gettime(clock, &cpu);
    return (TimeUs)cpu.tv_sec * 1000000 + cpu.tv_nsec / 1000;
}
