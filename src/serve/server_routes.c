#include "serve/server_routes.h"

/* To add a route: a row here with its reader, a RoutePage, a function in server_web.c, a line in
 * docs/nlp.md and docs/nlp.ja.md, and its answer in tests/nlp/test_secrecy.c. The first row that
 * fits a path is taken. */
/* clang-format off */
static const ServerRoute routes[] = {
    {"/ws", PAGE_AGENT, READER_AGENT},
    {"/realtime/masked/*", PAGE_REALTIME_MASKED, READER_ANYONE},
    /* A viewer puts /realtime/ behind the address that it is given: here that is .../masked. */
    {"/masked/realtime/*", PAGE_REALTIME_MASKED, READER_ANYONE},
    {"/realtime/*", PAGE_REALTIME, READER_WATCHER},
    {"/tts/*/*", PAGE_SPEECH, READER_ANYONE},
    {"/api/v1/healthz", PAGE_HEALTH, READER_ANYONE},
    {"/api/v1/readyz", PAGE_READY, READER_ANYONE},
    {"/api/v1/ruleset", PAGE_RULESET, READER_ANYONE},
    {"/api/v1/progress", PAGE_PROGRESS, READER_ANYONE},
    {"/metrics", PAGE_METRICS, READER_ANYONE},
    {"/api/v1/waiting", PAGE_WAITING, READER_OPERATOR},
    {"/api/v1/teams", PAGE_TEAMS, READER_OPERATOR},
    {"/api/v1/teams/*", PAGE_TEAM, READER_OPERATOR},
    {"/api/v1/games", PAGE_GAMES, READER_WATCHER},
    /* A stranger gets the masked stream if that is what is asked for. */
    {"/api/v1/games/*/events", PAGE_GAME_EVENTS, READER_ANYONE},
    {"/api/v1/games/*/log", PAGE_GAME_LOG, READER_WATCHER},
    {"/api/v1/games/*/json", PAGE_GAME_JSON, READER_WATCHER},
    {"/api/v1/games/*", PAGE_GAME, READER_WATCHER},
};
/* clang-format on */

#define ROUTE_COUNT (sizeof(routes) / sizeof(routes[0]))

const ServerRoute *server_route(size_t index)
{
    return index < ROUTE_COUNT ? &routes[index] : NULL;
}

static bool route_fits(Str pattern, Str path, Str parts[static ROUTE_PARTS])
{
    size_t stars = 0;

    while (pattern.len) {
        bool last = !memchr(pattern.bytes, '/', pattern.len);
        Str wanted = str_cut(&pattern, '/');
        bool star = str_eq(wanted, STR("*"));
        if (last) {
            if (star && path.len)
                parts[stars] = path;
            return star ? path.len > 0 : str_eq(wanted, path);
        }
        if (!memchr(path.bytes, '/', path.len))
            return false;
        Str got = str_cut(&path, '/');
        if (star ? got.len == 0 : !str_eq(wanted, got))
            return false;
        if (star)
            parts[stars++] = got;
    }
    return false;
}

const ServerRoute *server_route_find(Str path, Str ret_parts[static ROUTE_PARTS])
{
    for (size_t i = 0; i < ROUTE_COUNT && path.len; i++)
        if (route_fits(str_of(routes[i].path), path, ret_parts))
            return &routes[i];
    return NULL;
}

RouteView server_route_view(RouteReader reader, Visitor visitor)
{
    if (reader == READER_UNSTATED)
        return ROUTE_NOTHING;
    if (visitor == VISITOR_OPERATOR || reader == READER_AGENT)
        return ROUTE_FULL;
    if (reader == READER_ANYONE)
        return ROUTE_MASKED;
    if (visitor == VISITOR_STRANGER)
        return ROUTE_TOKEN;
    return reader == READER_WATCHER ? ROUTE_MASKED : ROUTE_NOTHING;
}

bool server_route_kept_back(RoutePage page, bool delayed, bool names_hidden)
{
    switch (page) {
    case PAGE_GAMES:
    case PAGE_GAME:
    case PAGE_GAME_LOG:
    case PAGE_GAME_JSON:
        return delayed || names_hidden;
    case PAGE_REALTIME:
    case PAGE_REALTIME_MASKED:
    case PAGE_GAME_EVENTS:
    case PAGE_SPEECH:
    case PAGE_PROGRESS: /* counts of games grow with their ends */
    case PAGE_METRICS:
        return delayed;
    case PAGE_AGENT:
    case PAGE_HEALTH:
    case PAGE_READY:
    case PAGE_RULESET:
    case PAGE_WAITING:
    case PAGE_TEAMS:
    case PAGE_TEAM:
    case PAGE_COUNT:
    default:
        return false;
    }
}
