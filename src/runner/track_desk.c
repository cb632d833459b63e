#include "runner/track_desk.h"

#include "base/json.h"
#include "net/http_client.h"
#include "wire/json_read.h"

#define ANSWER_MS    5000
#define ANSWER_BYTES ((size_t)8 * 1024 * 1024)

struct TrackDesk {
    Loop *loop;
    HttpClient *client;
    Buf base;  /* "http://127.0.0.1:8089" */
    Buf token; /* "Authorization: Bearer ..." */
    unsigned status;
    Buf body; /* of the last answer */
    Buf why;
};

int track_desk_new(uint16_t port, Str token, TrackDesk **ret_desk, Err *err)
{
    TrackDesk *desk = mem_new(sizeof(*desk));

    if (!desk)
        return err_set(err, ERR_MEMORY, "ask a track's server: out of memory");
    buf_printf(&desk->base, "http://127.0.0.1:%u", port);
    buf_printf(&desk->token, "Authorization: Bearer %.*s", STR_ARG(token));
    int rc = loop_new(&desk->loop, err);
    if (rc == 0)
        rc = http_client_new(desk->loop, &desk->client, err);
    if (rc) {
        track_desk_free(desk);
        return rc;
    }
    *ret_desk = desk;
    return 0;
}

TrackDesk *track_desk_free(TrackDesk *desk)
{
    if (!desk)
        return NULL;
    loop_free(desk->loop);
    buf_done(&desk->base);
    buf_done(&desk->token);
    buf_done(&desk->body);
    buf_done(&desk->why);
    return mem_free(desk);
}

static void on_answer(void *user, const HttpAnswer *answer)
{
    TrackDesk *desk = user;

    desk->status = answer->status;
    buf_clear(&desk->body);
    buf_add(&desk->body, answer->body);
    buf_clear(&desk->why);
    buf_add(&desk->why, answer->why);
    loop_stop(desk->loop);
}

static int ask_server(TrackDesk *desk, const char *method, const char *path, Str body, Err *err)
{
    CLEANUP(buf_done) Buf url = {0};
    const char *const headers[] = {buf_cstr(&desk->token), "Content-Type: application/json", NULL};
    HttpCall *call;

    buf_printf(&url, "%s%s", buf_cstr(&desk->base), path);
    const HttpAsk ask = {.method = method,
                         .url = buf_cstr(&url),
                         .headers = headers,
                         .body = body,
                         .timeout_ms = ANSWER_MS,
                         .connect_ms = ANSWER_MS,
                         .direct = true,
                         .answer_bytes = ANSWER_BYTES};
    int rc = http_call(desk->client, &ask, on_answer, desk, &call, err);
    if (rc)
        return rc;
    loop_run(desk->loop);
    return desk->status ? 0
                        : err_set(err, ERR_IO, "the track's server does not answer: %s",
                                  buf_cstr(&desk->why));
}

int track_desk_get(TrackDesk *desk, const char *path, Buf *out, Err *err)
{
    int rc = ask_server(desk, "GET", path, STR(""), err);

    buf_clear(out);
    if (rc == 0 && desk->status != 200)
        rc = err_set(err, ERR_IO, "the track's server answers %u to %s", desk->status, path);
    if (rc == 0)
        buf_add(out, buf_str(&desk->body));
    return rc;
}

/* One of the two requests; `confirm` is empty in the first. */
static int post_act(TrackDesk *desk, Str team, bool out, const char *why, Str confirm, Err *err)
{
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);

    json_open(&json, '{');
    json_add_str(&json, "act", out ? STR("leave-out") : STR("let-in"));
    json_add_str(&json, "team", team);
    json_add_str(&json, "by", STR("contest"));
    json_add_str(&json, "why", str_of(why));
    if (confirm.len)
        json_add_str(&json, "confirm", confirm);
    json_close(&json);
    return ask_server(desk, "POST", "/api/v1/operator/acts", buf_str(&body), err);
}

int track_desk_leave_out(TrackDesk *desk, Str team, bool out, const char *why, Err *err)
{
    CLEANUP(buf_done) Buf confirm = {0};
    json_t *json = NULL;
    int rc = post_act(desk, team, out, why, STR(""), err);

    if (rc == 0)
        rc = json_read(buf_str(&desk->body), ANSWER_BYTES, &json, err);
    if (rc == 0)
        buf_add(&confirm, json_text(json, "confirm"));
    json_done(json);
    if (rc == 0 && confirm.len == 0)
        rc = err_set(err, ERR_IO, "the track's server answers %u: %.200s", desk->status,
                     buf_cstr(&desk->body));
    if (rc == 0)
        rc = post_act(desk, team, out, why, buf_str(&confirm), err);
    if (rc == 0 && desk->status != 200)
        rc = err_set(err, ERR_IO, "the track's server answers %u: %.200s", desk->status,
                     buf_cstr(&desk->body));
    return rc;
}
