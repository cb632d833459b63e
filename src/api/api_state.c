/* Whether a server is there and fit: /health, /ready. docs/contest-api.md */
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
