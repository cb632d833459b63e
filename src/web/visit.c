#include "web/visit.h"

#include "base/digest.h"
#include "base/json.h"
#include "disk/gzip.h"

#include <stdio.h>
#include <strings.h>

#define PACK_FROM   ((size_t)1024)
#define HEADERS_MAX 20

/* What the pages themselves may do; `frame-ancestors` follows. */
#define PAGE_POLICY                                                                                \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "  \
    "'self'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; "            \
    "trusted-types 'none'; frame-ancestors "
/* Data that somebody opens as a page. */
#define DATA_POLICY "default-src 'none'; sandbox; frame-ancestors 'none'"

/* Headers that are being put together. */
typedef struct Headers {
    WebHeader items[HEADERS_MAX];
    uint32_t count;
    Buf policy;
    Buf disposition;
    Buf packed;
    Str etag;
    char tag[24];
} Headers;

static void headers_done(Headers *headers)
{
    buf_done(&headers->policy);
    buf_done(&headers->disposition);
    buf_done(&headers->packed);
}

static void put_header(Headers *headers, const char *name, Str value)
{
    if (headers->count < HEADERS_MAX)
        headers->items[headers->count++] = (WebHeader){str_of(name), value};
}

static void put_policy(const WebVisit *visit, const VisitAnswer *answer, Headers *headers)
{
    if (answer->is_page) {
        buf_printf(&headers->policy, PAGE_POLICY "%.*s",
                   STR_ARG(visit->embed.len ? visit->embed : STR("'none'")));
        put_header(headers, "Content-Security-Policy", buf_str(&headers->policy));
        put_header(headers, "Cross-Origin-Opener-Policy", STR("same-origin"));
        put_header(headers, "Permissions-Policy",
                   STR("camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), "
                       "usb=()"));
    } else {
        put_header(headers, "Content-Security-Policy", STR(DATA_POLICY));
    }
    put_header(headers, "X-Content-Type-Options", STR("nosniff"));
    put_header(headers, "Cross-Origin-Resource-Policy", STR("same-origin"));
    put_header(headers, "Referrer-Policy", STR("no-referrer"));
}

static void put_caching(const VisitAnswer *answer, Headers *headers)
{
    switch (answer->caching) {
    case VISIT_KEEPS:
        put_header(headers, "Cache-Control", STR("public, max-age=31536000, immutable"));
        break;
    case VISIT_ASKS:
        put_header(headers, "Cache-Control", STR("no-cache"));
        break;
    case VISIT_NEVER:
    default:
        put_header(headers, "Cache-Control", STR("no-store"));
        break;
    }
}

/* RFC 6266, 8187: for old readers the bytes that are plain, for others all. */
static void put_file_name(const VisitAnswer *answer, Headers *headers)
{
    Buf *out = &headers->disposition;
    Str name = answer->file_name;

    if (name.len == 0)
        return;
    buf_add(out, STR("attachment; filename=\""));
    for (size_t i = 0; i < name.len; i++) {
        char c = name.bytes[i];
        buf_add_char(out, c < ' ' || c > '~' || strchr("\"\\/%", c) ? '_' : c);
    }
    buf_add(out, STR("\"; filename*=UTF-8''"));
    for (size_t i = 0; i < name.len; i++) {
        char c = name.bytes[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '.' || c == '_' || c == '-';
        if (plain)
            buf_add_char(out, c);
        else
            buf_printf(out, "%%%02X", (unsigned char)c);
    }
    put_header(headers, "Content-Disposition", buf_str(out));
}

static void make_tag(const VisitAnswer *answer, Headers *headers)
{
    char hex[SHA256_HEX_BYTES];

    headers->etag = answer->etag;
    if (answer->etag.len || answer->caching != VISIT_ASKS || answer->status != 200 ||
        sha256_hex(answer->body, hex, NULL))
        return;
    int n = snprintf(headers->tag, sizeof(headers->tag), "\"%.16s\"", hex);
    headers->etag = (Str){headers->tag, n > 0 ? (size_t)n : 0};
}

/* What goes out, packed for who takes it. */
static Str pack_body(const WebVisit *visit, const VisitAnswer *answer, Headers *headers)
{
    Str packed = answer->packed;

    if (answer->no_pack)
        return answer->body;
    put_header(headers, "Vary", STR("Accept-Encoding"));
    if (!visit->takes_gzip || (answer->body.len && answer->body.len < PACK_FROM))
        return answer->body;
    if (!packed.len && gzip_pack(answer->body, GZIP_USUAL, &headers->packed, NULL) == 0)
        packed = buf_str(&headers->packed);
    if (!packed.len)
        return answer->body;
    put_header(headers, "Content-Encoding", STR("gzip"));
    return packed;
}

static void put_all(const WebVisit *visit, const VisitAnswer *answer, Headers *headers)
{
    put_policy(visit, answer, headers);
    put_caching(answer, headers);
    put_file_name(answer, headers);
    for (uint32_t i = 0; i < answer->header_count; i++)
        put_header(headers, "", STR("")), headers->items[headers->count - 1] = answer->headers[i];
}

void visit_answer(const WebVisit *visit, const VisitAnswer *answer)
{
    CLEANUP(headers_done) Headers headers = {0};

    make_tag(answer, &headers);
    Str body = pack_body(visit, answer, &headers);
    put_all(visit, answer, &headers);
    const WebAnswer out = {.status = answer->status,
                           .type = answer->type,
                           .body = body,
                           .headers = headers.items,
                           .header_count = headers.count,
                           .etag = headers.etag,
                           .same_origin = true};
    web_reply_with(visit->conn, &out);
}

void visit_answer_file(const WebVisit *visit, int file, const VisitAnswer *answer)
{
    CLEANUP(headers_done) Headers headers = {0};

    put_all(visit, answer, &headers);
    const WebAnswer out = {.type = answer->type,
                           .headers = headers.items,
                           .header_count = headers.count,
                           .etag = answer->etag,
                           .same_origin = true};
    web_reply_file_with(visit->conn, file, &out);
}

void visit_json(const WebVisit *visit, const Buf *body, VisitCaching caching)
{
    if (buf_failed(body)) {
        visit_error(visit, 503, "memory", "The server has no memory for this answer.");
        return;
    }
    const VisitAnswer answer = {
        .status = 200, .type = "application/json", .body = buf_str(body), .caching = caching};
    visit_answer(visit, &answer);
}

void visit_page(const WebVisit *visit, const Buf *html)
{
    if (buf_failed(html)) {
        visit_error(visit, 503, "memory", "The server has no memory for this page.");
        return;
    }
    const VisitAnswer answer = {.status = 200,
                                .type = "text/html; charset=utf-8",
                                .body = buf_str(html),
                                .is_page = true,
                                .caching = VISIT_ASKS};
    visit_answer(visit, &answer);
}

void visit_error(const WebVisit *visit, unsigned status, const char *code, const char *text)
{
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    const WebHeader retry = {STR("Retry-After"), STR("2")};

    json_open(&json, '{');
    json_key(&json, STR("error"));
    json_open(&json, '{');
    json_add_str(&json, "code", str_of(code));
    json_add_str(&json, "text", str_of(text));
    json_close(&json);
    json_close(&json);
    const VisitAnswer answer = {.status = status,
                                .type = "application/json",
                                .body = buf_failed(&body) ? STR("{}") : buf_str(&body),
                                .headers = &retry,
                                .header_count = status == 503 || status == 429};
    visit_answer(visit, &answer);
}

void visit_redirect(const WebVisit *visit, const char *path)
{
    const WebHeader where = {STR("Location"), str_of(path)};
    const VisitAnswer answer = {.status = 302,
                                .type = "text/plain; charset=utf-8",
                                .body = STR("see /web/\n"),
                                .headers = &where,
                                .header_count = 1};

    visit_answer(visit, &answer);
}

/* ---- what is asked ---- */

uint64_t visit_number(const WebVisit *visit, const char *name, uint64_t max, uint64_t otherwise)
{
    CLEANUP(buf_done) Buf value = {0};
    uint64_t number;

    return str_to_uint(web_query(visit->request, name, &value), max, &number) ? number : otherwise;
}

bool visit_query_is(const WebVisit *visit, const char *name, const char *value)
{
    CLEANUP(buf_done) Buf given = {0};

    return str_eq(web_query(visit->request, name, &given), str_of(value));
}

bool visit_is_japanese(const WebVisit *visit)
{
    CLEANUP(buf_done) Buf given = {0};
    Str lang = web_query(visit->request, "lang", &given);
    Str list = web_header(visit->request, "Accept-Language");

    if (lang.len)
        return str_eq(lang, STR("ja"));
    /* The first that we have: browsers send them in the reader's order. */
    while (list.len) {
        Str one = str_trim(str_cut(&list, ','));
        if (one.len >= 2 && strncasecmp(one.bytes, "ja", 2) == 0)
            return true;
        if (one.len >= 2 && strncasecmp(one.bytes, "en", 2) == 0)
            return false;
    }
    return false;
}

bool visit_comes_from_here(const WebRequest *request)
{
    static const char *const own[] = {"127.", "[::1]", "[::ffff:127."};
    static const char *const proxies[] = {"Forwarded",        "X-Forwarded-For",
                                          "X-Forwarded-Host", "X-Forwarded-Proto",
                                          "X-Real-IP",        "Via"};
    Str peer = str_of(request->peer);
    bool here = false;

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        here |= str_starts(peer, str_of(own[i]));
    for (size_t i = 0; i < sizeof(proxies) / sizeof(proxies[0]); i++)
        here &= web_header(request, proxies[i]).len == 0;
    return here;
}
