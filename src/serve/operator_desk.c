#include "serve/operator_desk.h"

#include "base/digest.h"
#include "base/mem.h"
#include "journal/journal_line.h"
#include "net/web_room.h"
#include "serve/act_request.h"
#include "serve/log_parcel.h"

#include <stdio.h>
#include <strings.h>
#include <sys/random.h>

#define ACTS_PATH "/api/v1/operator/acts"
#define LOGS_PATH "/api/v1/operator/logs"
#define BELOW     "/api/v1/operator/"

#define JSON_TYPE     "application/json"
#define CONFIRM_BYTES 16

/* Wrong tokens of one address: so many within a minute, then none is looked at for a minute. */
#define TRIES_MAX       10
#define TRIES_US        ((TimeUs)60 * 1000 * 1000)
#define TRIES_ADDRESSES 64
#define ADDRESS_ROOM    64

/* One that waits to be confirmed. */
typedef struct Pending {
    char token[2 * CONFIRM_BYTES + 1]; /* empty: nothing */
    char digest[SHA256_HEX_BYTES];     /* of the act */
    TimeUs until;
} Pending;

typedef struct Tries {
    char address[ADDRESS_ROOM];
    uint32_t count;
    TimeUs since;
} Tries;

struct OperatorDesk {
    DeskSetup setup;
    Pending pending[ACTS_PENDING_MAX];
    size_t next_pending;
    Tries tries[TRIES_ADDRESSES];
    size_t next_tries;
    LogParcel *parcel;   /* that is being made */
    WebConn *parcel_for; /* NULL: nobody waits */
    Buf body;
};

/* ---- answers ---- */

static void reply(OperatorDesk *desk, WebConn *conn, unsigned status)
{
    const WebHeader headers[] = {{STR("Cache-Control"), STR("no-store")}};
    const WebAnswer answer = {.status = buf_failed(&desk->body) ? 503 : status,
                              .type = JSON_TYPE,
                              .body = buf_failed(&desk->body) ? STR("{}") : buf_str(&desk->body),
                              .headers = headers,
                              .header_count = 1,
                              .same_origin = true};

    web_reply_with(conn, &answer);
}

static void put_error(Json *json, const char *code, const char *text)
{
    json_key(json, STR("error"));
    json_open(json, '{');
    json_add_str(json, "code", str_of(code));
    json_add_str(json, "text", str_of(text));
    json_close(json);
}

static void refuse(OperatorDesk *desk, WebConn *conn, unsigned status, const char *code,
                   const char *text)
{
    buf_clear(&desk->body);
    Json json = json_over(&desk->body);
    json_open(&json, '{');
    put_error(&json, code, text);
    json_close(&json);
    reply(desk, conn, status);
}

static void refuse_for(OperatorDesk *desk, WebConn *conn, const Err *err)
{
    switch (err->code) {
    case ERR_USAGE:
        refuse(desk, conn, 404, "unknown", err->msg);
        break;
    case ERR_RULE:
        refuse(desk, conn, 409, "conflict", err->msg);
        break;
    case ERR_SYNTAX:
        refuse(desk, conn, 400, "syntax", err->msg);
        break;
    case ERR_LIMIT:
        refuse(desk, conn, 413, "too-much", err->msg);
        break;
    case ERR_OK:
    case ERR_MEMORY:
    case ERR_IO:
    case ERR_INTERRUPTED:
        refuse(desk, conn, 503, "failed", err->msg);
        break;
    }
}

/* ---- who ---- */

static Str bearer_of(const WebRequest *request)
{
    Str token = web_header(request, "Authorization");

    return str_starts(token, STR("Bearer ")) ? str_part(token, strlen("Bearer "), token.len)
                                             : STR("");
}

bool operator_desk_opens(Str operator_token, const WebRequest *request)
{
    Str token = bearer_of(request);

    return token.len && operator_token.len && digest_equal(token, operator_token);
}

/* That of the address, made in the place of the oldest when there is none. */
static Tries *tries_of(OperatorDesk *desk, const char *peer, TimeUs now)
{
    Str address = str_part(web_room_address(peer), 0, ADDRESS_ROOM - 1);

    for (size_t i = 0; i < TRIES_ADDRESSES; i++)
        if (desk->tries[i].count && str_eq(str_of(desk->tries[i].address), address))
            return &desk->tries[i];
    Tries *own = &desk->tries[desk->next_tries];
    desk->next_tries = (desk->next_tries + 1) % TRIES_ADDRESSES;
    *own = (Tries){.since = now};
    memcpy(own->address, address.bytes, address.len);
    return own;
}

/* The right token is always taken; who guesses is told less and less. */
static void refuse_token(OperatorDesk *desk, WebConn *conn, const WebRequest *request)
{
    if (!web_header(request, "Authorization").len) {
        refuse(desk, conn, 401, "token",
               "this is for operators: give the operator's token, which the server printed when it "
               "started or which is in the file of --operator-file, as 'Authorization: Bearer "
               "TOKEN'");
        return;
    }
    Tries *tries = tries_of(desk, request->peer, request->now);
    if (request->now - tries->since >= TRIES_US)
        *tries = (Tries){.since = request->now};
    if (tries->count == 0) {
        Str address = str_part(web_room_address(request->peer), 0, ADDRESS_ROOM - 1);
        memcpy(tries->address, address.bytes, address.len);
    }
    if (tries->count < TRIES_MAX)
        tries->count++;
    else {
        refuse(desk, conn, 429, "tries",
               "too many wrong tokens came from this address: wait a "
               "minute");
        return;
    }
    refuse(desk, conn, 403, "wrong-token",
           "this is not the operator's token; a RECEIVER's token opens games, and no acts");
}

/* ---- confirming ---- */

/* What a confirmation is bound to: the act as its line in a journal has it, but for its time. */
static int act_digest(const OperatorAct *act, char ret_hex[static SHA256_HEX_BYTES], Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    OperatorAct timeless = *act;

    timeless.at_ms = 0;
    int rc = journal_line_act(&timeless, &line, err);
    if (rc == 0 && buf_failed(&line))
        rc = err_set(err, ERR_MEMORY, "out of memory");
    return rc ? rc : sha256_hex(buf_str(&line), ret_hex, err);
}

static int draw_token(char ret_token[static 2 * CONFIRM_BYTES + 1], Err *err)
{
    unsigned char bytes[CONFIRM_BYTES];

    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return err_set(err, ERR_IO, "no random bytes");
    for (size_t i = 0; i < sizeof(bytes); i++)
        snprintf(ret_token + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

/* True once for each token, and for its act only; a token that was tried with another act is gone.
 */
static bool take_pending(OperatorDesk *desk, Str token, const char *digest, TimeUs now)
{
    for (size_t i = 0; i < ACTS_PENDING_MAX; i++) {
        Pending *pending = &desk->pending[i];
        if (!pending->token[0] || !digest_equal(token, str_of(pending->token)))
            continue;
        const bool good = now < pending->until && strcmp(pending->digest, digest) == 0;
        *pending = (Pending){0};
        return good;
    }
    return false;
}

/* Asked for the first time. */
static void ask_again(OperatorDesk *desk, WebConn *conn, const char *digest, const Buf *would,
                      TimeUs now)
{
    Pending *pending = &desk->pending[desk->next_pending];
    Err err = {0};

    *pending = (Pending){.until = now + ACT_CONFIRM_US};
    if (draw_token(pending->token, &err)) {
        *pending = (Pending){0};
        refuse_for(desk, conn, &err);
        return;
    }
    memcpy(pending->digest, digest, sizeof(pending->digest));
    desk->next_pending = (desk->next_pending + 1) % ACTS_PENDING_MAX;
    buf_clear(&desk->body);
    Json json = json_over(&desk->body);
    json_open(&json, '{');
    put_error(&json, "confirm",
              "nothing was done yet: send the same again with this 'confirm' within a minute");
    json_add_str(&json, "confirm", str_of(pending->token));
    json_add_str(&json, "would", buf_str(would));
    json_close(&json);
    reply(desk, conn, 409);
}

/* ---- acts ---- */

/* Asked for the second time. */
static void do_act(OperatorDesk *desk, WebConn *conn, const OperatorAct *act, const Buf *would,
                   TimeUs now)
{
    Err err = {0};

    if (desk->setup.hall.act(desk->setup.hall.user, act, now, &err)) {
        refuse_for(desk, conn, &err);
        return;
    }
    buf_clear(&desk->body);
    Json json = json_over(&desk->body);
    json_open(&json, '{');
    json_add_str(&json, "done", buf_str(would));
    json_close(&json);
    reply(desk, conn, 200);
}

static void on_act(OperatorDesk *desk, WebConn *conn, const WebRequest *request)
{
    CLEANUP(act_request_done) ActRequest asked = {0};
    CLEANUP(buf_done) Buf would = {0};
    char digest[SHA256_HEX_BYTES];
    Err err = {0};
    int rc = act_request_read(request->body, &asked, &err);

    if (rc == 0)
        rc = act_digest(&asked.act, digest, &err);
    if (rc) {
        err.code = rc == ERR_RULE ? ERR_SYNTAX : err.code;
        refuse_for(desk, conn, &err);
        return;
    }
    if (asked.confirm.len && !take_pending(desk, asked.confirm, digest, request->now)) {
        refuse(desk, conn, 409, "confirm-unknown",
               "this confirms nothing: it was used, is older than a minute, or is of another act; "
               "send the act without 'confirm' again");
        return;
    }
    if (desk->setup.hall.check(desk->setup.hall.user, &asked.act, &would, &err))
        refuse_for(desk, conn, &err);
    else if (asked.confirm.len)
        do_act(desk, conn, &asked.act, &would, request->now);
    else
        ask_again(desk, conn, digest, &would, request->now);
}

static bool is_json(const WebRequest *request)
{
    Str type = web_header(request, "Content-Type");
    Str first = str_trim(str_cut(&type, ';'));

    return first.len == strlen(JSON_TYPE) && strncasecmp(first.bytes, JSON_TYPE, first.len) == 0;
}

static void on_acts_list(OperatorDesk *desk, WebConn *conn)
{
    const OperatorActs *acts = desk->setup.hall.acts(desk->setup.hall.user);
    OperatorAct act;
    Str team;

    buf_clear(&desk->body);
    Json json = json_over(&desk->body);
    json_open(&json, '{');
    json_add_bool(&json, "held", operator_acts_held(acts));
    json_key(&json, STR("left_out"));
    json_open(&json, '[');
    for (uint32_t i = 0; operator_acts_out_at(acts, i, &team); i++)
        json_put_str(&json, team);
    json_close(&json);
    if (desk->setup.hall.list)
        desk->setup.hall.list(desk->setup.hall.user, &json);
    json_key(&json, STR("acts"));
    json_open(&json, '[');
    for (uint32_t i = 0; operator_acts_at(acts, i, &act); i++)
        act_put(&json, &act);
    json_close(&json);
    json_close(&json);
    reply(desk, conn, 200);
}

/* ---- logs ---- */

static void on_parcel(void *user, LogParcel *parcel)
{
    OperatorDesk *desk = user;
    WebConn *conn = TAKE(desk->parcel_for);
    const WebHeader headers[] = {
        {STR("Cache-Control"), STR("no-store")},
        {STR("Content-Disposition"), STR("attachment; filename=\"logs.tar.gz\"")},
        {STR("X-Content-Type-Options"), STR("nosniff")}};
    const WebAnswer answer = {.status = 200,
                              .type = "application/gzip",
                              .headers = headers,
                              .header_count = 3,
                              .same_origin = true};
    Err err = {0};
    int fd = -1;

    desk->parcel = NULL;
    if (log_parcel_result(parcel, &fd, &err))
        refuse_for(desk, conn, &err);
    else
        web_reply_file_with(conn, fd, &answer);
    log_parcel_free(parcel);
}

static void on_logs(OperatorDesk *desk, WebConn *conn, const WebRequest *request)
{
    CLEANUP(buf_done) Buf day_text = {0};
    CLEANUP(buf_done) Buf team_text = {0};
    Str day = web_query(request, "day", &day_text);
    Str team = web_query(request, "team", &team_text);
    const char *journal = desk->setup.hall.journal(desk->setup.hall.user);
    Err err = {0};

    if ((!day.len && !team.len) || (day.len && !log_parcel_is_day(day))) {
        refuse(desk, conn, 400, "query",
               "give ?day=2026-11-26 (of the ends of games, UTC), "
               "?team=NAME, or both");
        return;
    }
    if (!journal) {
        refuse(desk, conn, 404, "unknown", "no journal is kept here, and so no logs are known");
        return;
    }
    if (desk->parcel) {
        refuse(desk, conn, 503, "busy", "logs are being packed for somebody else: come again soon");
        return;
    }
    const LogParcelSetup setup = {.journal = journal,
                                  .json = desk->setup.json_logs,
                                  .day = day,
                                  .team = team.len ? team : (Str){0},
                                  .ready = on_parcel,
                                  .user = desk};
    desk->parcel_for = conn;
    if (log_parcel_new(desk->setup.loop, &setup, &desk->parcel, &err)) {
        desk->parcel_for = NULL;
        refuse_for(desk, conn, &err);
    }
}

/* ---- requests ---- */

static void answer_post(OperatorDesk *desk, WebConn *conn, const WebRequest *request)
{
    if (!str_eq(request->path, STR(ACTS_PATH)))
        refuse(desk, conn, 405, "method", "only GET is known here");
    else if (!is_json(request))
        refuse(desk, conn, 415, "type", "acts are JSON: Content-Type: application/json");
    else
        on_act(desk, conn, request);
}

static void answer_get(OperatorDesk *desk, WebConn *conn, const WebRequest *request)
{
    if (str_eq(request->path, STR(ACTS_PATH)))
        on_acts_list(desk, conn);
    else if (str_eq(request->path, STR(LOGS_PATH)) && str_eq(request->method, STR("GET")))
        on_logs(desk, conn, request);
    else
        refuse(desk, conn, 404, "path", "nothing is here; " ACTS_PATH " and " LOGS_PATH " are");
}

bool operator_desk_request(OperatorDesk *desk, WebConn *conn, const WebRequest *request)
{
    const bool post = str_eq(request->method, STR("POST"));
    const bool get = str_eq(request->method, STR("GET")) || str_eq(request->method, STR("HEAD"));

    if (!str_starts(request->path, STR(BELOW)))
        return false;
    if (!web_gate_may_post(desk->setup.gate, request))
        refuse(desk, conn, 403, "origin", "pages of other servers may not act here");
    else if (!operator_desk_opens(desk->setup.operator_token, request))
        refuse_token(desk, conn, request);
    else if (post)
        answer_post(desk, conn, request);
    else if (get)
        answer_get(desk, conn, request);
    else
        refuse(desk, conn, 405, "method", "only GET and POST are known here");
    return true;
}

/* ---- life ---- */

int operator_desk_new(const DeskSetup *setup, OperatorDesk **ret_desk, Err *err)
{
    OperatorDesk *desk = mem_new(sizeof(*desk));

    if (!desk)
        return err_set(err, ERR_MEMORY, "the operator's desk: out of memory");
    desk->setup = *setup;
    *ret_desk = desk;
    return 0;
}

OperatorDesk *operator_desk_free(OperatorDesk *desk)
{
    if (!desk)
        return NULL;
    log_parcel_free(desk->parcel);
    buf_done(&desk->body);
    return mem_free(desk);
}
