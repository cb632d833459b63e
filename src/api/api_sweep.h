/* api_sweep.h - what of a site leaves its disk by itself, a little in each turn.
 *
 * For:    api_turn.c.
 * Memory: where it is stands in ApiSite.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 5.1, 5.2, 16.5.
 *
 *   hourly  trees that nothing plays any more          site/tree_sweep.h
 *   hourly  what agents printed, a year behind the end  site/output_sweep.h
 *   daily   uploads that no row names                   site/blob_unused.h
 */
#ifndef WARG_API_API_SWEEP_H
#define WARG_API_API_SWEEP_H

#include "api/api_site.h"

/* Not while a backup of ours reads them (another process's can do with less: site/backup.h). What
 * can't be removed is told once, and tried again in the next sweep. Errors: those of the store,
 * ERR_IO; all are gone through. */
int api_sweep(ApiSite *site, int64_t now_ms, Err *err);

#endif
