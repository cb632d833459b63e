#include "api/api_sweep.h"

#include "api/api_upload.h"
#include "site/blob_unused.h"
#include "site/tree_sweep.h"

#define HOUR_MS ((int64_t)3600 * 1000)
#define DAY_MS  (24 * HOUR_MS)

/* A date that was set back waits for nothing. */
static bool is_due(int64_t swept_ms, int64_t pause_ms, int64_t now_ms)
{
    return now_ms - swept_ms >= pause_ms || now_ms < swept_ms;
}

/* One in a turn, as it may have many files. */
static int sweep_trees(ApiSite *site, int64_t now_ms, Err *err)
{
    bool more = false;

    if (!is_due(site->sweeps.trees_ms, HOUR_MS, now_ms))
        return 0;
    int rc = tree_sweep(site->db, site->settings->data, &more, err);
    if (!more)
        site->sweeps.trees_ms = now_ms;
    return rc;
}

static int sweep_outputs(ApiSite *site, int64_t now_ms, Err *err)
{
    bool more = false;

    if (!is_due(site->sweeps.outputs_ms, HOUR_MS, now_ms))
        return 0;
    int rc =
        output_sweep(site->db, site->settings->data, now_ms, &site->sweeps.outputs, &more, err);
    if (!more)
        site->sweeps.outputs_ms = now_ms;
    return rc;
}

/* A file of which an upload is just being made may have no row yet. */
static int sweep_blobs(ApiSite *site, int64_t now_ms, Err *err)
{
    ApiSweeps *sweeps = &site->sweeps;

    if (!is_due(sweeps->blobs_ms, DAY_MS, now_ms) || api_upload_is_ending(site))
        return 0;
    int rc = blob_unused_sweep(site->db, site->settings->data, sweeps->blob_folder, now_ms, err);
    if (++sweeps->blob_folder < BLOB_FOLDERS)
        return rc;
    sweeps->blob_folder = 0;
    sweeps->blobs_ms = now_ms;
    return rc;
}

int api_sweep(ApiSite *site, int64_t now_ms, Err *err)
{
    static int (*const sweeps[])(ApiSite * site, int64_t now_ms,
                                 Err * err) = {sweep_trees, sweep_outputs, sweep_blobs};
    int first = 0;

    for (size_t i = 0; i < sizeof(sweeps) / sizeof(sweeps[0]) && !site->backups; i++) {
        Err own = {0};
        int rc = sweeps[i](site, now_ms, &own);
        if (rc && !first)
            first = err_set(err, own.code, "%s", own.msg);
    }
    return first;
}
