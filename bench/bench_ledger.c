/* bench_ledger.c - what the ledger of a large contest costs: a million entries checked, with their
 * root; one more entry with its checkpoint.
 *
 * Usage: bench_ledger DIR       DIR is on the disk to be measured; a folder is made in it, and
 * removed Method: processor time of the whole process for the first; for the second wall time,
 * median of CHECKPOINTS, for it is the disk that is waited for. docs/spec/contest-operations.md 17.
 */
#include "proof/ledger.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define ENTRIES     1000000
#define CHECKPOINTS 31

static double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int add_game(Ledger *ledger, Err *err)
{
    ledger_begin(ledger, "game");
    ledger_text(ledger, "winner", STR("VILLAGER"));
    ledger_number(ledger, "game", (int64_t)ledger_size(ledger));
    ledger_text(ledger, "log",
                STR("e93e2ca2bdba43297f9d3d7fb537877d597228e4953e4aedb3dd737fb46f42d7"));
    return ledger_end(ledger, 1801526400000, err);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int measure(const char *dir, Err *err)
{
    CLEANUP(ledger_look_done) LedgerLook look = {0};
    double times[CHECKPOINTS];
    Ledger *ledger = NULL;
    int rc = ledger_create(dir, STR("localhost/warg/bench"), &ledger, err);

    for (int i = 0; i < ENTRIES && rc == 0; i++)
        rc = add_game(ledger, err);
    for (int i = 0; i < CHECKPOINTS && rc == 0; i++) {
        double start = seconds(CLOCK_MONOTONIC);
        rc = add_game(ledger, err);
        rc = rc ? rc : ledger_checkpoint(ledger, err);
        times[i] = seconds(CLOCK_MONOTONIC) - start;
    }
    int closed = ledger_close(ledger, err);
    double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (rc || closed || (rc = ledger_look(dir, &look, err)))
        return rc ? rc : closed;
    printf("ledger of %d entries: checked with its root in %.2f s of processor time\n", ENTRIES,
           seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
    qsort(times, CHECKPOINTS, sizeof(times[0]), compare);
    printf("ledger: an entry with its checkpoint %.1f ms (%.1f to %.1f)\n",
           times[CHECKPOINTS / 2] * 1e3, times[0] * 1e3, times[CHECKPOINTS - 1] * 1e3);
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"/" LEDGER_FILE, "/" LEDGER_CHECKPOINT_FILE,
                                        "/secret/" LEDGER_KEY_NAME, "/secret", ""};
    char dir[256], path[300];
    Err err = {0};

    snprintf(dir, sizeof(dir), "%s/bench-ledger-XXXXXX", argc > 1 ? argv[1] : ".");
    if (!mkdtemp(dir)) {
        fprintf(stderr, "bench_ledger: '%s' can't be written\n", dir);
        return 1;
    }
    int rc = measure(dir, &err);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(path, sizeof(path), "%s%s", dir, names[i]);
        remove(path);
    }
    if (rc)
        fprintf(stderr, "bench_ledger: %s\n", err.msg);
    return rc ? 1 : 0;
}
