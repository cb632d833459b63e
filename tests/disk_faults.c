/* disk_faults.c - makes of the program one whose disk fails: linked in front of the room `disk`
 * into warg-faults, which tests alone are given. Not a part of warg, nor installed.
 *
 *     WARG_DISK_FAULT='KINDS AT once|ever ERRNO'   "any 7 once 5": the seventh call fails, with
 *                                                  EIO; ERRNO 0: the process is killed there
 *     WARG_DISK_TOLD=FILE                          at the end: CALLS FAILED, the first that failed
 *     WARG_SEASON_PAGE=FILE                        calls fail as season_page.h says, of the store
 *                                                  too, for as long as somebody wants
 *
 * KINDS: any, full (what needs room), open, write, cut, sync, close, rename, remove, folder. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "disk_faults.h"
#include "season_page.h"

#include <stdlib.h>

static int kinds_of(const char *word)
{
    if (strcmp(word, "any") == 0)
        return DISK_ANY;
    if (strcmp(word, "full") == 0)
        return DISK_FULL;
    for (int kind = 1; kind < DISK_ANY; kind *= 2)
        if (strcmp(word, faulty_name(kind)) == 0)
            return kind;
    return 0;
}

void store_faults_begin(void); /* tests/store_faults.c */

static bool season_fails(void)
{
    return season_page_fails(false);
}

static void die(const char *why)
{
    fprintf(stderr, "warg-faults: %s\n", why);
    _exit(99);
}

__attribute__((constructor)) static void begin_faults(void)
{
    const char *text = getenv("WARG_DISK_FAULT");
    char kinds[16] = "any";
    char times[8] = "once";
    unsigned at = 0;
    int why = EIO;

    if (text && sscanf(text, "%15s %u %7s %d", kinds, &at, times, &why) != 4)
        die("WARG_DISK_FAULT: expected 'KINDS AT once|ever ERRNO'");
    if (!kinds_of(kinds))
        die("WARG_DISK_FAULT: no such kind of calls");
    disk_fault_set((DiskFault){kinds_of(kinds), at, strcmp(times, "ever") == 0, why});
    if (season_page())
        faulty_disk.also = season_fails;
    store_faults_begin();
}

__attribute__((destructor)) static void end_faults(void)
{
    const char *path = getenv("WARG_DISK_TOLD");
    FILE *file = path ? fopen(path, "we") : NULL;

    if (!file)
        return;
    fprintf(file, "%u %u %s\n", faulty_disk.calls, faulty_disk.failed, faulty_disk.first);
    fclose(file);
}
