/* season_page.h - how often calls to the disk fail, told to all processes of a site while they run.
 *
 * For:    tests/disk_faults.c and tests/store_faults.c, in warg-faults; tests/e2e/agents/season.py
 *         makes the file, sets the rates and reads the counts.
 * Memory: one mapping, shared between processes, for as long as they live.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 16.2. */
#ifndef WARG_TESTS_SEASON_PAGE_H
#define WARG_TESTS_SEASON_PAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* season.py has the same layout. One call in `disk_rate` fails, 0 = none; of the store's one in
 * `store_rate`. `left`: so many more may fail. One that fails in `kill_rate` kills its process. */
typedef struct SeasonPage {
    _Atomic uint32_t disk_rate, store_rate, kill_rate;
    _Atomic int32_t left;
    _Atomic uint64_t seed;
    _Atomic uint64_t disk_calls, store_calls;
    _Atomic uint64_t disk_failed, store_failed, killed;
} SeasonPage;

/* The page that $WARG_SEASON_PAGE names; NULL without one. */
SeasonPage *season_page(void);

/* Whether this call is to fail, by the page's seed and the number of the call; with errno. Kills
 * the process where it is to be killed. `store`: a call of SQLite. */
bool season_page_fails(bool store);

#endif
