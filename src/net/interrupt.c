#include "net/interrupt.h"

#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
#define SIGNAL_COUNT (sizeof(signals) / sizeof(signals[0]))

/* Set by the handler alone. */
static volatile sig_atomic_t interrupted;

static void on_signal(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

void interrupt_watch(Interrupt *interrupt)
{
    const struct sigaction action = {.sa_handler = on_signal};

    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        sigaction(signals[i], NULL, &interrupt->before[i]);
        bool ignored = interrupt->before[i].sa_handler == SIG_IGN && signals[i] != SIGHUP;
        if (ignored || interrupt->before[i].sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

void interrupt_done(const Interrupt *interrupt)
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        sigaction(signals[i], &interrupt->before[i], NULL);
}

bool interrupt_came(void)
{
    return interrupted != 0;
}
