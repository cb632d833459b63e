/* api_visit.h - one request to the API: who asks, about what, what is answered.
 *
 * For:    the door (api_door.h), which fills it, and the handlers, which answer.
 * Memory: a visit owns all that it points to, but for `request`, which is there for the call of its
 *         handler alone. One that waits for a worker or a body is kept (api_visit_keep).
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 4, 13; docs/contest-api.md.
 *
 * A handler writes JSON into `out` and returns 0, or refuses (api_refuse), or returns an error of
 * the domain. What changes something runs in a transaction with its line of the trail, and is
 * answered when that is committed. One that has answered itself (a file, a stream) sets `answered`.
 */
#ifndef WARG_API_API_VISIT_H
#define WARG_API_API_VISIT_H

#include "api/api_refusal.h"
#include "api/api_site.h"
#include "base/digest.h"
#include "base/json.h"
#include "net/rate_address.h"
#include "net/web.h"
#include "site/life.h"
#include "site/login.h"
#include "site/may.h"
#include "site/password.h"
#include "wire/json_read.h"

#define API_WORDS_MAX 3
#define API_LATER     1 /* a handler has kept its visit and goes on later */

typedef struct ApiVisit ApiVisit;
typedef int ApiHandler(ApiVisit *visit, Err *err);

/* What a path names, and what somebody may be something to. */
typedef enum ApiObject {
    OBJECT_SITE,
    OBJECT_SELF,    /* the account that asks */
    OBJECT_CONTEST, /* the first word of the path */
    OBJECT_TEAM,    /* ... and the second, a name */
    OBJECT_VERSION, /* ... and the second, a number; likewise: */
    OBJECT_FINDING,
    OBJECT_APPEAL,
    OBJECT_SHEET,
    OBJECT_GAME,
    OBJECT_JOB,
} ApiObject;

enum {
    ROUTE_FILE = 1 << 0,     /* the body is a file: the handler is called behind the head */
    ROUTE_LARGE = 1 << 1,    /* JSON up to API_LARGE_BYTES */
    ROUTE_UNTOLD = 1 << 2,   /* the trail has it from elsewhere */
    ROUTE_OWN = 1 << 3,      /* its handler has transactions of its own */
    ROUTE_REGISTERS = 1 << 4 /* a stranger may come, who makes an account by it */
};

#define API_LARGE_BYTES ((size_t)1 << 20)

/* A row of the table of routes. */
typedef struct ApiRoute {
    const char *method; /* "GET": HEAD, too */
    const char *path;   /* below /api/v1/; ":" is one segment, a word of the visit */
    SiteVerb verb;
    ApiObject object;
    unsigned flags;
    ApiHandler *handle;
} ApiRoute;

struct ApiVisit {
    ApiSite *site;
    WebConn *conn;
    const WebRequest *request; /* NULL once it is kept */
    const ApiRoute *route;
    Buf path;                 /* below /api/v1/ */
    Str words[API_WORDS_MAX]; /* of `path` */
    Buf query;                /* as it came */
    char address[RATE_ADDRESS_BYTES];
    TimeUs now;
    int64_t now_ms;
    bool japanese;
    bool changes; /* not GET or HEAD */

    bool local;      /* over admin.sock */
    int64_t account; /* ACCOUNT_NONE: nobody's */
    unsigned scopes;
    Buf cookie;         /* of a login; empty for tokens */
    Buf token;          /* of a script; empty for logins */
    unsigned relations; /* to the object */

    int64_t contest; /* 0 = none */
    Buf contest_name;
    LifeState state;
    bool paused;
    int64_t team;   /* 0 = none */
    int64_t object; /* version, finding, appeal, sheet, game */

    json_t *body; /* an object, or NULL */

    /* The answer. */
    unsigned status; /* 0 = 200 */
    Buf out;
    const char *type; /* NULL = JSON */
    Buf set_cookie;
    Buf disposition; /* of an attachment: its name */
    uint32_t retry_s;
    ApiRefusal refusal;
    Buf refused_text, refused_field;
    Buf detail; /* for the trail */
    Buf drops;  /* digests of files, a line each, that nobody needs once this is committed */
    bool answered;
    bool kept;        /* on the heap */
    ApiHandler *then; /* of one that is kept: what goes on */
    struct {          /* behind api_password_check or _make */
        bool matches;
        char checked[PASSWORD_HASH_BYTES]; /* the hash that it was held against */
        char hash[PASSWORD_HASH_BYTES];
    } password;
    struct { /* behind api_upload_take */
        char sha256[SHA256_HEX_BYTES];
        uint64_t bytes;
    } upload;
};

void api_visit_done(ApiVisit *visit);

/* Moves it to the heap, for an answer that comes later; NULL without memory. `visit` is empty then,
 * and its handler returns API_LATER. */
ApiVisit *api_visit_keep(ApiVisit *visit);

/* ---- refusing ---- */

/* Says why it is not done; ERR_RULE. `field` and `text` may be NULL. */
int api_refuse(ApiVisit *visit, ApiRefusal refusal, const char *field, const char *text);

/* ---- reading ---- */

/* A text of the body, empty when it is missing; a value that is no text is refused. */
int api_body_text(ApiVisit *visit, const char *key, Str *ret_text, Err *err);
/* The same, and refused when it is empty. */
int api_body_need(ApiVisit *visit, const char *key, Str *ret_text, Err *err);
/* A parameter of the query, decoded; empty when it is missing. */
Str api_query(const ApiVisit *visit, const char *name, Buf *out);
/* The same as a number; `none` when it is missing or none. */
int64_t api_query_number(const ApiVisit *visit, const char *name, int64_t none);
/* A word of the path as a number; 0 when it is none. */
int64_t api_word_number(const ApiVisit *visit, unsigned word);

/* Whether this visit may do something else than what its route is for. */
bool api_may(const ApiVisit *visit, SiteVerb verb);

/* ---- writing ---- */

/* A moment as RFC 3339; null for 0 and for what is no date. */
void api_add_date(Json *json, const char *key, int64_t ms);
/* A number as a text: ids. */
void api_add_id(Json *json, const char *key, int64_t id);
/* A text, or nothing at all when it is empty. */
void api_add_some(Json *json, const char *key, Str text);

#endif
