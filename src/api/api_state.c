/* Whether a server is there, fit, and busy: /health, /ready, /metrics. docs/contest-api.md */
#include "api/api_handlers.h"
#include "base/mem.h"
#include "store/db_row.h"

int api_state_health(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);

    (void)err;
    json_open(&json, '{');
    json_add_str(&json, "status", STR("ok"));
    json_add_str(&json, "version", STR(WARG_VERSION));
    json_close(&json);
    return 0;
}

/* ---- ready ---- */

int api_state_ready(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);
    CLEANUP(buf_done) Buf reasons = {0};
    Json list = json_over(&reasons);
    int64_t one = 0;
    bool store = db_ask(visit->site->db, 0, &one, NULL, "SELECT 1", "") == 0 && one == 1;

    (void)err;
    json_open(&list, '[');
    if (!store)
        json_put_str(&list, STR("store"));
    if (visit->site->unfit)
        visit->site->unfit(visit->site->changed_user, &list);
    json_close(&list);
    bool ready = str_eq(buf_str(&reasons), STR("[]"));
    json_open(&json, '{');
    json_add_bool(&json, "ready", ready);
    json_key(&json, STR("reasons"));
    json_put_raw(&json, buf_str(&reasons));
    json_close(&json);
    visit->status = ready ? 200 : 503;
    return 0;
}

/* ---- metrics: the text form that Prometheus reads ---- */

static void write_metric(Buf *out, const char *name, const char *kind, const char *help,
                         int64_t value)
{
    buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n%s %lld\n", name, help, name, kind, name,
               (long long)value);
}

static const struct {
    const char *name, *help, *sql;
} counts[] = {
    {"warg_accounts", "accounts", "SELECT count(*) FROM account WHERE erased IS NULL"},
    {"warg_contests", "contests", "SELECT count(*) FROM contest"},
    {"warg_teams", "teams", "SELECT count(*) FROM team"},
    {"warg_jobs_new", "jobs that wait", "SELECT count(*) FROM job WHERE ended IS NULL"},
    {"warg_jobs_oldest_ms", "when the oldest job that waits was made, Unix ms",
     "SELECT min(created) FROM job WHERE ended IS NULL"},
    {"warg_games", "games that were imported", "SELECT coalesce(sum(games), 0) FROM run"},
    {"warg_notices_waiting", "notices to be sent",
     "SELECT count(*) FROM notice WHERE sent IS NULL"},
};

int api_state_metrics(ApiVisit *visit, Err *err)
{
    int rc = 0;

    visit->type = "text/plain; version=0.0.4; charset=utf-8";
    write_metric(&visit->out, "warg_calls_total", "counter", "requests to the API",
                 (int64_t)visit->site->calls);
    write_metric(&visit->out, "warg_passwords_hashed_total", "counter",
                 "passwords hashed or compared", (int64_t)password_hash_count());
    write_metric(&visit->out, "warg_passwords_waiting", "gauge", "passwords that are being hashed",
                 visit->site->passwords);
    for (size_t i = 0; rc == 0 && i < sizeof(counts) / sizeof(counts[0]); i++) {
        int64_t value = 0;
        rc = db_ask(visit->site->db, 0, &value, err, counts[i].sql, "");
        write_metric(&visit->out, counts[i].name, "gauge", counts[i].help, value);
    }
    if (rc == 0 && visit->site->measure)
        visit->site->measure(visit->site->changed_user, &visit->out);
    return rc;
}
