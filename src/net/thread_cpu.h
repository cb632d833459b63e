/* thread_cpu.h - how long a thread has computed.
 *
 * For:    serve/server_loops.c, which says so at the end.
 * Memory: none.
 * Thread: any; the one that is asked about was started and not joined yet.
 * Source: POSIX.1-2017, pthread_getcpuclockid.
 */
#ifndef WARG_NET_THREAD_CPU_H
#define WARG_NET_THREAD_CPU_H

#include "base/time_us.h"

#include <pthread.h>

/* In user and kernel mode; 0 where the system doesn't tell. */
TimeUs thread_cpu(pthread_t thread);

#endif
