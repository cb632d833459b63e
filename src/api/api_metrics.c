/* What an operator watches, for Prometheus. docs/contest-api.md, docs/operations.md */
#include "api/api_metrics.h"

#include "api/api_handlers.h"
#include "api/api_upload.h"
#include "site/job.h"
#include "site/notice.h"
#include "site/site_store.h"
#include "store/db_row.h"

#define PREFIX "warg_"

void api_metric(Buf *out, const char *name, MetricKind kind, const char *help, uint64_t value)
{
    metric_put(out, &(Metric){PREFIX, name, kind, help}, value);
}

/* A moment in whole seconds; 0 stays 0. */
static uint64_t whole_seconds(int64_t ms)
{
    return ms > 0 ? (uint64_t)ms / 1000 : 0;
}

/* How long ago that was; 0 = there was none. */
static uint64_t seconds_since(int64_t then_ms, int64_t now_ms)
{
    return then_ms ? whole_seconds(now_ms - then_ms) : 0;
}

static void put_server(ApiVisit *visit)
{
    static const Metric info = {PREFIX, "info", METRIC_GAUGE, "The server; always 1."};
    const ApiSite *site = visit->site;
    Buf *out = &visit->out;

    metric_head(out, &info);
    metric_value(out, &info, "version", WARG_VERSION, 1);
    api_metric(out, "calls_total", METRIC_COUNTER, "Requests to the API since the server started.",
               site->calls);
    api_metric(out, "passwords_hashed_total", METRIC_COUNTER,
               "Passwords hashed or compared since the server started.", password_hash_count());
    api_metric(out, "passwords_waiting", METRIC_GAUGE, "Passwords that wait or are being hashed.",
               site->passwords);
}

static void put_disk(ApiVisit *visit)
{
    const ApiSite *site = visit->site;
    DiskRoom room = {.data = site->settings->data,
                     .reserve_bytes = site->settings->disk_reserve_bytes,
                     .reserve_permil = (uint32_t)site->settings->disk_reserve_permil};
    Buf *out = &visit->out;

    (void)disk_room_look(&room, NULL, NULL); /* then nothing is free */
    api_metric(out, "disk_size_bytes", METRIC_GAUGE, "The file system of the data folder.",
               room.whole);
    api_metric(out, "disk_free_bytes", METRIC_GAUGE, "What is free of it for this server.",
               room.free);
    api_metric(out, "disk_reserve_bytes", METRIC_GAUGE, "Below this contests stand still.",
               room.reserve);
    api_metric(out, "uploads_held", METRIC_GAUGE, "1 while uploads are refused for lack of room.",
               !api_upload_has_room(site));
}

/* ---- what is counted in the store ---- */

static int put_counts(ApiVisit *visit, Err *err)
{
    static const struct {
        const char *name, *help, *sql;
    } counts[] = {
        {"accounts", "Accounts.", "SELECT count(*) FROM account WHERE erased IS NULL"},
        {"contests", "Contests.", "SELECT count(*) FROM contest"},
        {"teams", "Teams of all contests.", "SELECT count(*) FROM team"},
        {"games", "Games of all contests that were imported.",
         "SELECT coalesce(sum(games), 0) FROM run"},
        {"answers_excused", "Answers in counted games that a busy machine was late for.",
         "SELECT coalesce(sum(excused), 0) FROM score"},
    };
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < sizeof(counts) / sizeof(counts[0]); i++) {
        int64_t value = 0;
        rc = db_ask(visit->site->db, 0, &value, err, counts[i].sql, "");
        api_metric(&visit->out, counts[i].name, METRIC_GAUGE, counts[i].help, (uint64_t)value);
    }
    return rc;
}

static int put_jobs(ApiVisit *visit, int64_t now_ms, Err *err)
{
    static const Metric open = {PREFIX, "jobs", METRIC_GAUGE, "Jobs of the runner now, by state."};
    static const Metric ended = {PREFIX, "jobs_ended_total", METRIC_COUNTER,
                                 "Jobs that are over, by outcome; failed: for us."};
    const ApiSite *site = visit->site;
    Buf *out = &visit->out;
    uint64_t counts[JOB_STATES] = {0};
    JobsOpen jobs;
    int rc =
        jobs_open_count(site->db, CONTEST_OF_SERVER, site_clock_runner(site->clock), &jobs, err);

    if (rc == 0)
        rc = jobs_ended_count(site->db, counts, err);
    metric_head(out, &open);
    metric_value(out, &open, "state", "waiting", jobs.waiting);
    metric_value(out, &open, "state", "running", jobs.doing);
    api_metric(out, "jobs_oldest_waiting_seconds", METRIC_GAUGE,
               "How long the oldest of those that wait has done so.",
               seconds_since(jobs.oldest_ms, now_ms));
    metric_head(out, &ended);
    metric_value(out, &ended, "outcome", "done", counts[JOB_DONE]);
    metric_value(out, &ended, "outcome", "failed", counts[JOB_FAILED]);
    metric_value(out, &ended, "outcome", "stopped", counts[JOB_STOPPED]);
    return rc;
}

static int put_notices(ApiVisit *visit, Err *err)
{
    NoticesUnsent unsent;
    int rc = notices_unsent_count(visit->site->db, 0, &unsent, err);

    api_metric(&visit->out, "notices_waiting", METRIC_GAUGE, "Mails and webhooks to be sent.",
               unsent.waiting);
    api_metric(&visit->out, "notices_given_up", METRIC_GAUGE,
               "Mails and webhooks that could not be sent, and are not tried again.",
               unsent.failed);
    return rc;
}

static int put_ledgers(ApiVisit *visit, int64_t now_ms, Err *err)
{
    Buf *out = &visit->out;
    LedgersLook look;
    int rc = site_ledgers_look(visit->site->db, &look, err);

    api_metric(out, "ledger_entries", METRIC_GAUGE, "Entries of all ledgers.", look.entries);
    api_metric(out, "ledger_unsigned_entries", METRIC_GAUGE,
               "Entries that no checkpoint signs yet.", look.not_signed);
    api_metric(out, "ledger_oldest_unsigned_seconds", METRIC_GAUGE,
               "How old the oldest of them is.", seconds_since(look.since_ms, now_ms));
    api_metric(out, "ledger_checkpoint_timestamp_seconds", METRIC_GAUGE,
               "When the last checkpoint was made, in unix seconds.",
               whole_seconds(look.checkpoint_ms));
    return rc;
}

static int put_store(ApiVisit *visit, Err *err)
{
    uint64_t bytes = 0;
    int rc = site_store_bytes(visit->site->db, visit->site->store, &bytes, err);

    api_metric(&visit->out, "store_size_bytes", METRIC_GAUGE, "The database.", bytes);
    return rc;
}

/* ---- the runner ---- */

/* Those of a runner that is dead died with it. */
static void put_cells(const SpoolCells *cells, bool alive, Buf *out)
{
    static const Metric died = {
        PREFIX, "cells_died_total", METRIC_COUNTER,
        "Cells that ended and were not asked to, since the runner started."};

    api_metric(out, "cells_running", METRIC_GAUGE, "Programs of strangers that run now.",
               alive ? cells->started - cells->ended : 0);
    api_metric(out, "cells_started_total", METRIC_COUNTER,
               "Cells for programs of strangers, since the runner started.", cells->started);
    metric_head(out, &died);
    metric_value(out, &died, "cause", "not_made", cells->not_made);
    metric_value(out, &died, "cause", "killed", cells->killed);
    metric_value(out, &died, "cause", "program", cells->failed);
}

static void put_runner(ApiVisit *visit)
{
    const SpoolRunner *runner = site_clock_runner(visit->site->clock);
    Buf *out = &visit->out;

    api_metric(out, "runner_up", METRIC_GAUGE, "1 while the runner lives and gets on.",
               runner->alive);
    api_metric(out, "runner_last_seen_timestamp_seconds", METRIC_GAUGE,
               "When the runner last said that it does, in unix seconds.",
               whole_seconds(runner->told_ms));
    api_metric(out, "runner_tables", METRIC_GAUGE, "Games that the runner plays at once, at most.",
               runner->tables);
    put_cells(&runner->cells, runner->alive, out);
}

int api_state_metrics(ApiVisit *visit, Err *err)
{
    const ApiSite *site = visit->site;
    const int64_t now_ms = api_site_now_ms(site);

    visit->type = "text/plain; version=0.0.4; charset=utf-8";
    put_server(visit);
    put_disk(visit);
    put_runner(visit);
    int rc = put_counts(visit, err);
    if (rc == 0)
        rc = put_jobs(visit, now_ms, err);
    if (rc == 0)
        rc = put_notices(visit, err);
    if (rc == 0)
        rc = put_ledgers(visit, now_ms, err);
    if (rc == 0)
        rc = put_store(visit, err);
    if (rc == 0 && site->measure)
        site->measure(site->changed_user, &visit->out);
    return rc;
}
