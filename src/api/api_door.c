#include "api/api_door.h"

#include "api/api_relations.h"
#include "api/api_routes.h"
#include "api/api_upload.h"
#include "base/date_text.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "site/account.h"
#include "site/trail.h"

#define COOKIE        "__Host-warg"
#define JSON_TYPE     "application/json; charset=utf-8"
#define BODY_BYTES    65536
#define HEADERS_MAX   8
#define ETAG_HEX      32
#define ADDRESS_LOCAL "admin.sock"

/* ---- answering ---- */

/* Of an answer that is read again and again: a digest of what it says. */
static void make_etag(const ApiVisit *visit, Buf *etag)
{
    char hex[SHA256_HEX_BYTES];

    if (visit->changes || visit->status > 200 || sha256_hex(buf_str(&visit->out), hex, NULL))
        return;
    buf_printf(etag, "\"%.*s\"", ETAG_HEX, hex);
}

static WebHeader header_of(const char *name, Str value)
{
    return (WebHeader){str_of(name), value};
}

static void send_answer(ApiVisit *visit)
{
    CLEANUP(buf_done) Buf etag = {0};
    char retry[16], now[DATE_TEXT_ROOM];
    WebHeader headers[HEADERS_MAX];
    uint32_t count = 0;

    headers[count++] = header_of("Cache-Control", STR("private, no-cache"));
    headers[count++] =
        header_of("Content-Security-Policy", STR("default-src 'none'; frame-ancestors 'none'"));
    /* From which pages count: a rehearsal's clock is simulated. */
    headers[count++] = header_of("X-Warg-Now", date_text_write(visit->now_ms, now));
    if (visit->set_cookie.len)
        headers[count++] = header_of("Set-Cookie", buf_str(&visit->set_cookie));
    if (visit->disposition.len)
        headers[count++] = header_of("Content-Disposition", buf_str(&visit->disposition));
    if (visit->refusal == REFUSE_METHOD)
        headers[count++] = header_of("Allow", buf_str(&visit->refused_text));
    if (visit->retry_s) {
        snprintf(retry, sizeof(retry), "%u", visit->retry_s);
        headers[count++] = header_of("Retry-After", str_of(retry));
    }
    /* What everybody may read pages of anywhere may read, too; no cookie goes with it. */
    if (!visit->changes && visit->account == ACCOUNT_NONE && !visit->local && visit->contest &&
        (visit->state == LIFE_PUBLISHED || visit->state == LIFE_ARCHIVED))
        headers[count++] = header_of("Access-Control-Allow-Origin", STR("*"));
    make_etag(visit, &etag);
    const WebAnswer answer = {.status = visit->status ? visit->status : 200,
                              .type = visit->type ? visit->type : JSON_TYPE,
                              .body = buf_str(&visit->out),
                              .headers = headers,
                              .header_count = count,
                              .etag = buf_str(&etag)};
    web_reply_with(visit->conn, &answer);
}

static void send_refusal(ApiVisit *visit, const Err *err)
{
    Str text = buf_str(&visit->refused_text), field = buf_str(&visit->refused_field);

    if (!visit->refusal) { /* an error of the domain */
        visit->refusal = api_refusal_of(err);
        if (visit->refusal != REFUSE_UNAVAILABLE) {
            text = str_of(err->msg);
            field = api_refusal_field(text);
        }
    }
    buf_clear(&visit->out);
    buf_clear(&visit->set_cookie);
    buf_clear(&visit->disposition);
    api_refusal_write(visit->refusal, visit->japanese, text, field, &visit->out);
    visit->status = api_refusal_status(visit->refusal);
    visit->type = NULL;
    send_answer(visit);
}

static void answer_visit(ApiVisit *visit, int rc, const Err *err)
{
    if (visit->answered)
        return;
    const Err lost = {.code = ERR_MEMORY};
    if (rc == 0 && buf_failed(&visit->out)) {
        rc = ERR_MEMORY;
        err = &lost;
    }
    if (rc == 0 && !visit->out.len && !visit->type)
        buf_add(&visit->out, STR("{}"));
    visit->answered = true;
    if (rc)
        send_refusal(visit, err);
    else
        send_answer(visit);
}

/* ---- doing ---- */

static int note_trail(ApiVisit *visit, Err *err)
{
    const ApiRoute *route = visit->route;
    const TrailEntry entry = {.contest = visit->contest,
                              .account = visit->account,
                              .address = str_of(visit->address),
                              .verb = str_of(site_verb_name(route->verb)),
                              .object = buf_str(&visit->path),
                              .detail = buf_str(&visit->detail),
                              .at_ms = visit->now_ms};

    return route->flags & ROUTE_UNTOLD ? 0 : trail_note(visit->site->db, &entry, err);
}

/* What changes something does so in a transaction, with its line of the trail. True: it goes on
 * later, and `visit` is empty. */
static bool run_handler(ApiVisit *visit, ApiHandler *handle)
{
    Db *db = visit->site->db;
    bool changes = visit->changes && !(visit->route->flags & ROUTE_OWN) &&
                   !(visit->route->flags & ROUTE_FILE && !visit->then);
    Err err = {0};
    int rc = changes ? db_begin(db, &err) : 0;
    bool begun = changes && rc == 0;

    if (rc == 0)
        rc = handle(visit, &err);
    bool changed = visit->changes, later = rc == API_LATER;
    if (rc == 0 && begun)
        rc = note_trail(visit, &err);
    if (rc == 0 && begun)
        rc = db_commit(db, &err);
    if (rc && begun) /* one that goes on later has changed nothing yet */
        db_rollback(db);
    if (later)
        return true;
    ApiSite *site = visit->site;
    if (rc == 0) /* what is rolled back still needs them */
        api_upload_drop(visit, buf_str(&visit->drops));
    answer_visit(visit, rc, &err);
    if (rc == 0 && changed && site->changed)
        site->changed(site->changed_user);
    return false;
}

/* ---- who asks ---- */

/* The peer without its port: "192.0.2.7", "2001:db8::1". */
static Str peer_address(const char *peer)
{
    Str address = str_of(peer);
    size_t colon;

    if (str_find_last(address, ':', &colon))
        address = str_part(address, 0, colon);
    if (address.len > 1 && address.bytes[0] == '[')
        address = str_part(address, 1, address.len - 2);
    return address;
}

/* Behind a proxy of ours: what that says, which is the last it has added. */
static void find_address(ApiVisit *visit)
{
    const ApiSettings *settings = visit->site->settings;
    Str address = visit->local ? STR(ADDRESS_LOCAL) : peer_address(visit->request->peer);
    Str said = web_header_last(visit->request, "X-Forwarded-For");
    size_t comma;

    for (size_t i = 0; said.len && !visit->local && i < settings->proxy_count; i++)
        if (str_eq(address, settings->proxies[i])) {
            if (str_find_last(said, ',', &comma))
                said = str_part(said, comma + 1, SIZE_MAX);
            said = str_trim(said);
            address = said.len ? said : address;
            break;
        }
    rate_address(address, visit->address);
}

/* Until it is known whose account it is: the first language that the browser names. */
static bool wants_japanese(const WebRequest *request)
{
    Str languages = web_header(request, "Accept-Language");

    while (languages.len) {
        Str one = str_trim(str_cut(&languages, ','));
        if (str_starts(one, STR("ja")))
            return true;
        if (str_starts(one, STR("en")))
            return false;
    }
    return false;
}

static int find_token(ApiVisit *visit, Err *err)
{
    int rc = api_token_find(visit->site->db, buf_str(&visit->token), visit->now_ms, &visit->account,
                            &visit->scopes, err);

    if (rc == 0 && visit->account == ACCOUNT_NONE)
        rc = api_refuse(visit, REFUSE_LOGIN, NULL, NULL);
    return rc;
}

static int find_login(ApiVisit *visit, Err *err)
{
    Str cookie = buf_str(&visit->cookie);
    int rc =
        cookie.len ? login_find(visit->site->db, cookie, visit->now_ms, &visit->account, err) : 0;

    visit->scopes = SCOPE_ALL;
    if (rc == 0 && visit->account == ACCOUNT_NONE)
        buf_clear(&visit->cookie);
    return rc;
}

/* Whose cookie or token it is, now. */
static int find_account(ApiVisit *visit, Err *err)
{
    visit->account = ACCOUNT_NONE;
    visit->scopes = SCOPE_ALL;
    if (visit->local)
        return 0;
    return visit->token.len ? find_token(visit, err) : find_login(visit, err);
}

static int find_language(ApiVisit *visit, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    int rc = account_get(visit->site->db, visit->account, &account, err);

    /* A page asks in the language that it shows. */
    if (rc == 0 && account.id && !web_header(visit->request, "Accept-Language").len)
        visit->japanese = str_eq(buf_str(&account.language), STR("ja"));
    return rc;
}

static int find_visitor(ApiVisit *visit, Err *err)
{
    static const Str bearer = {"Bearer ", 7};
    Str authorization = web_header(visit->request, "Authorization");

    if (str_starts(authorization, bearer)) {
        buf_add(&visit->token, str_trim(str_part(authorization, bearer.len, SIZE_MAX)));
        if (!visit->token.len)
            return api_refuse(visit, REFUSE_LOGIN, NULL, NULL);
    } else {
        buf_add(&visit->cookie, web_cookie(visit->request, COOKIE));
    }
    int rc = find_account(visit, err);
    if (rc == 0 && visit->account != ACCOUNT_NONE)
        rc = find_language(visit, err);
    return rc;
}

/* ---- whether it may be ---- */

static int check_rate(ApiVisit *visit)
{
    TimeUs wait = visit->local ? 0
                               : api_rates_call(visit->site->rates, str_of(visit->address),
                                                visit->account, visit->now);

    if (!wait)
        return 0;
    visit->retry_s = (uint32_t)((wait + 999999) / 1000000);
    return api_refuse(visit, REFUSE_TOO_MANY, NULL, NULL);
}

static bool type_is(const WebRequest *request, Str want)
{
    Str type = web_header(request, "Content-Type");

    return str_eq(str_trim(str_cut(&type, ';')), want);
}

/* A form of another page can send neither these types nor our header; a script there is not let
 * send them by its browser. O8. */
static int check_change(ApiVisit *visit)
{
    const WebRequest *request = visit->request;
    bool is_file = visit->route->flags & ROUTE_FILE;
    bool has_type = web_header(request, "Content-Type").len > 0;
    bool needs_type =
        is_file || request->body.len || has_type || str_eq(request->method, STR("POST"));

    if (needs_type &&
        !type_is(request, is_file ? STR("application/octet-stream") : STR("application/json")))
        return api_refuse(visit, REFUSE_TYPE, NULL, NULL);
    bool is_token = visit->account != ACCOUNT_NONE && !visit->cookie.len;
    if (visit->local || is_token)
        return 0;
    if (!str_eq(web_header(request, "Origin"), visit->site->settings->public_url))
        return api_refuse(visit, REFUSE_CSRF, NULL, NULL);
    if (visit->cookie.len &&
        !login_csrf_is(buf_str(&visit->cookie), web_header(request, "X-Warg-Token")))
        return api_refuse(visit, REFUSE_CSRF, NULL, NULL);
    return 0;
}

static int check_right(ApiVisit *visit)
{
    if (api_may(visit, visit->route->verb))
        return 0;
    /* By its number nobody learns whether there is a thing of others. */
    if (api_relations_hide(visit))
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    if (visit->account == ACCOUNT_NONE && !visit->local)
        return visit->route->flags & ROUTE_REGISTERS && api_may(visit, VERB_REGISTER)
                   ? 0
                   : api_refuse(visit, REFUSE_LOGIN, NULL, NULL);
    return api_refuse(visit, REFUSE_FORBIDDEN, NULL, NULL);
}

/* While it waited for a worker or a body its login may have ended, a team be left, a role be lost.
 */
static int check_again(ApiVisit *visit, Err *err)
{
    int rc = find_account(visit, err);

    if (rc)
        return rc;
    visit->contest = visit->team = visit->object = 0;
    buf_clear(&visit->contest_name);
    rc = api_relations_find(visit, err);
    return rc == 0 ? check_right(visit) : rc;
}

void api_door_go_on(ApiVisit *visit)
{
    ApiHandler *then = visit->then;
    Err err = {0};

    visit->refusal = REFUSE_NOTHING;
    int rc = check_again(visit, &err);
    if (rc)
        answer_visit(visit, rc, &err);
    else if (then)
        run_handler(visit, then); /* may be kept anew: then this one is empty */
    if (visit->status >= 400)
        api_upload_refused(visit);
    api_visit_done(visit);
    mem_free(visit);
}

static int read_body(ApiVisit *visit)
{
    Str body = visit->request->body;

    if (!visit->changes || visit->route->flags & ROUTE_FILE || !body.len)
        return 0;
    if (json_read(body, API_LARGE_BYTES, &visit->body, NULL) || !json_is_map(visit->body))
        return api_refuse(visit, REFUSE_JSON, NULL, NULL);
    return 0;
}

/* ---- from a request to a visit ---- */

static int find_route(ApiVisit *visit)
{
    Str method = visit->request->method;
    CLEANUP(buf_done) Buf methods = {0};

    if (str_eq(method, STR("HEAD")))
        method = STR("GET");
    visit->changes = !str_eq(method, STR("GET"));
    if (!utf8_valid(buf_str(&visit->path)))
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    visit->route = api_route_find(method, buf_str(&visit->path), visit->words, &methods);
    if (visit->route)
        return 0;
    return api_refuse(visit, methods.len ? REFUSE_METHOD : REFUSE_NOT_FOUND, NULL,
                      buf_cstr(&methods));
}

static int open_visit(ApiVisit *visit, Err *err)
{
    int rc = find_route(visit);

    if (rc == 0)
        rc = find_visitor(visit, err);
    if (rc == 0)
        rc = check_rate(visit);
    if (rc == 0 && visit->changes)
        rc = check_change(visit);
    if (rc == 0)
        rc = api_relations_find(visit, err);
    if (rc == 0)
        rc = check_right(visit);
    return rc == 0 ? read_body(visit) : rc;
}

static ApiVisit visit_of(ApiSite *site, WebConn *conn, const WebRequest *request, bool local)
{
    ApiVisit visit = {.site = site,
                      .conn = conn,
                      .request = request,
                      .now = request->now,
                      .now_ms = api_site_now_ms(site),
                      .local = local,
                      .japanese = wants_japanese(request)};

    buf_add(&visit.path, str_part(request->path, sizeof(API_PREFIX) - 1, SIZE_MAX));
    buf_add(&visit.query, request->query);
    find_address(&visit);
    site->calls++;
    return visit;
}

static void serve_visit(ApiVisit *visit)
{
    Err err = {0};
    int rc = open_visit(visit, &err);

    if (rc)
        answer_visit(visit, rc, &err);
    else
        run_handler(visit, visit->route->handle);
    api_visit_done(visit);
}

void api_door_request(ApiSite *site, WebConn *conn, const WebRequest *request, bool local)
{
    ApiVisit visit = visit_of(site, conn, request, local);

    serve_visit(&visit);
}

/* The route of a head; NULL for none. */
static const ApiRoute *route_of(const WebRequest *head)
{
    Str words[API_WORDS_MAX];

    if (!str_starts(head->path, STR(API_PREFIX)))
        return NULL;
    return api_route_find(head->method, str_part(head->path, sizeof(API_PREFIX) - 1, SIZE_MAX),
                          words, NULL);
}

bool api_door_head(ApiSite *site, WebConn *conn, const WebRequest *head, bool local)
{
    const ApiRoute *route = route_of(head);

    if (!route || !(route->flags & ROUTE_FILE))
        return false;
    ApiVisit visit = visit_of(site, conn, head, local);
    serve_visit(&visit);
    return true;
}

size_t api_door_body_bytes(const WebRequest *head)
{
    const ApiRoute *route = route_of(head);

    return route && route->flags & ROUTE_LARGE ? API_LARGE_BYTES : BODY_BYTES;
}
