/* visit.h - one request below /web/, and how it is answered.
 *
 * For:    site.c, and all who give it a route.
 * Memory: a WebVisit is borrowed for the call; who answers later keeps `conn` and what it needs.
 * Thread: the loop's.
 * Source: docs/spec/web.md 5, 11.3.
 */
#ifndef WARG_WEB_VISIT_H
#define WARG_WEB_VISIT_H

#include "net/web.h"

typedef struct WebSite WebSite;

#define VISIT_PARTS 3

/* A request below /web/ that is being answered. */
typedef struct WebVisit {
    WebSite *site;
    WebConn *conn;
    const WebRequest *request;
    Str parts[VISIT_PARTS]; /* of the path: what its stars stand for */
    bool is_operator;       /* who asks has shown the operator's secret */
    bool sees_all;          /* of games that run: operators, and who only watches for them */
    bool loopback;          /* asks from this machine, by no proxy */
    bool takes_gzip;
    Str embed; /* the origin whose pages may hold ours in a frame; empty = none */
} WebVisit;

/* Who may ask. */
typedef enum VisitReader {
    VISIT_ALL,
    VISIT_MEMBER, /* all; where pages are closed (WebSiteSetup) who may see all */
    VISIT_OPERATOR,
    VISIT_LOCAL, /* from this machine, when no other name of the server is given; or an operator */
} VisitReader;

/* A page or a call of the API: a row of a table. */
typedef struct WebRoute {
    const char *path;   /* below /web/; a '*' is one segment, of at most VISIT_PARTS */
    const char *method; /* "GET" (HEAD, too), "POST" */
    VisitReader reader;
    void (*answer)(void *user, const WebVisit *visit); /* now or later */
} WebRoute;

/* Who may keep an answer. */
typedef enum VisitCaching {
    VISIT_NEVER, /* no-store: what needs a right */
    VISIT_ASKS,  /* no-cache and an ETag */
    VISIT_KEEPS, /* immutable: its name is another when it is */
} VisitCaching;

/* An answer of ours. Borrowed. */
typedef struct VisitAnswer {
    unsigned status;
    const char *type;
    Str body;      /* as it is, or */
    Str packed;    /* as gzip, when both are known; else long texts are packed here */
    Str etag;      /* with its quotes; empty = made of the body */
    bool is_page;  /* HTML with the pages' policy */
    bool no_pack;  /* is packed already, or secret: it goes out as it is */
    Str file_name; /* saved under it, and not shown; empty = shown */
    const WebHeader *headers;
    uint32_t header_count;
    VisitCaching caching;
} VisitAnswer;

/* Answers with the headers that all below /web/ have. */
void visit_answer(const WebVisit *visit, const VisitAnswer *answer);
/* The same with a file's bytes; `answer.body` counts for nothing. */
void visit_answer_file(const WebVisit *visit, int file, const VisitAnswer *answer);

/* JSON, 200. */
void visit_json(const WebVisit *visit, const Buf *body, VisitCaching caching);
/* HTML made by C, 200. */
void visit_page(const WebVisit *visit, const Buf *html);
/* {"error":{"code","text"}}; 429 and 503 carry Retry-After. */
void visit_error(const WebVisit *visit, unsigned status, const char *code, const char *text);
/* 302 or 301 to a path of this server. */
void visit_redirect(const WebVisit *visit, const char *path);

/* The number of a query's value within 0..max; `otherwise` when it is missing or none. */
uint64_t visit_number(const WebVisit *visit, const char *name, uint64_t max, uint64_t otherwise);
/* Whether a query's value is this one. */
bool visit_query_is(const WebVisit *visit, const char *name, const char *value);
/* The language of pages: ?lang=, else Accept-Language, else English. */
bool visit_is_japanese(const WebVisit *visit);

/* Whether a request comes from this machine and by no proxy. */
bool visit_comes_from_here(const WebRequest *request);

#endif
