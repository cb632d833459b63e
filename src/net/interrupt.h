/* interrupt.h - Ctrl-C and its kin end a long command early, with all that was done so far.
 *
 * For:    commands that play.
 * Memory: the caller's struct.
 * Thread: main thread; interrupt_came from any.
 * Source: style guide, 8: the signal flag is the one mutable global.
 */
#ifndef WARG_NET_INTERRUPT_H
#define WARG_NET_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* What was set before. Open, so that it lives on a stack. */
typedef struct Interrupt {
    struct sigaction before[3];
} Interrupt;

/* SIGINT, SIGTERM and SIGHUP are remembered from now on, instead of ending the process. A SIGHUP
 * that is ignored stays so: nohup has asked for it. A signal that is handled already stays with its
 * handler. */
void interrupt_watch(Interrupt *interrupt);
/* As it was before. */
void interrupt_done(const Interrupt *interrupt);

/* Whether one has come since the process began. */
bool interrupt_came(void);

#endif
