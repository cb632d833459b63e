/* server_routes.h - the paths of a server of the natural-language division, and who may read each.
 *
 * For:    serve/server_web.c, which answers; serve/live.c, which answers some.
 * Memory: constant tables; what a path holds is borrowed from it.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 1.1; who reads: docs/spec/web.md 4.2 (rules 5 and 7), 11.2.
 */
#ifndef WARG_SERVE_SERVER_ROUTES_H
#define WARG_SERVE_SERVER_ROUTES_H

#include "serve/visitor.h"

/* Whom a page is for. A row that forgets to say so is for nobody, and a test fails. */
typedef enum RouteReader {
    READER_UNSTATED,
    READER_AGENT,    /* participants; their token is asked for behind their name */
    READER_ANYONE,   /* it has nothing that the village does not know, or is masked for all */
    READER_WATCHER,  /* who may watch; a running game is masked but for operators */
    READER_OPERATOR, /* it names teams, addresses, or who is playing now */
} RouteReader;

typedef enum RoutePage {
    PAGE_AGENT,
    PAGE_REALTIME,
    PAGE_REALTIME_MASKED,
    PAGE_SPEECH,
    PAGE_HEALTH,
    PAGE_READY,
    PAGE_RULESET,
    PAGE_PROGRESS,
    PAGE_METRICS,
    PAGE_WAITING,
    PAGE_TEAMS,
    PAGE_TEAM,
    PAGE_GAMES,
    PAGE_GAME,
    PAGE_GAME_EVENTS,
    PAGE_GAME_LOG,
    PAGE_GAME_JSON,
    PAGE_COUNT
} RoutePage;

#define ROUTE_PARTS 2

typedef struct ServerRoute {
    const char *path; /* a part "*" is any one, the last one all that is left; never empty */
    RoutePage page;
    RouteReader reader;
} ServerRoute;

/* By its place in the table; NULL beyond the last. */
const ServerRoute *server_route(size_t index);
/* That of a request's path, with what its stars stand for; NULL when there is none. */
const ServerRoute *server_route_find(Str path, Str ret_parts[static ROUTE_PARTS]);

/* What a visitor gets of a page. */
typedef enum RouteView {
    ROUTE_NOTHING, /* 403 */
    ROUTE_TOKEN,   /* 401: a token would help */
    ROUTE_MASKED,  /* a running game without its secrets */
    ROUTE_FULL,
} RouteView;
RouteView server_route_view(RouteReader reader, Visitor visitor);

/* Whether what the pages tell later (`delayed`), or never (`names_hidden`), would be told here:
 * then it is for operators alone. */
bool server_route_kept_back(RoutePage page, bool delayed, bool names_hidden);

#endif
