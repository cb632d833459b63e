/* Requests below /web/: who may ask, and what answers. */
#include "web/site_own.h"

#include "base/digest.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <unistd.h>

#define TRIES_US   ((TimeUs)60000000)
#define OPEN_BYTES ((size_t)16 * 1024 * 1024)
#define HOSTS_KEY  "--public-host"
#define WHY_MAX    400

/* Tables of contests have a second address, beside other servers' (docs/spec/contest-operations.md
 * 13). */
#define CONTESTS_API "/api/v1/contests/"

/* ---- documents ---- */

static const char no_game[] = SITE_NO_GAME;
static const char for_members[] =
    "Games of this server are for who has a token: open the operator's link, or send it as "
    "'Authorization: Bearer TOKEN'.";

/* A game has several names, of which the live tables know one. */
static bool is_answered_live(const WebSite *site, const WebVisit *visit, Str id,
                             const CatalogueGame *game)
{
    const WebLive *live = &site->live;

    return live->doc && (live->doc(live->user, visit, id) ||
                         (game && !str_eq(game->id, id) && live->doc(live->user, visit, game->id)));
}

static void answer_doc(WebSite *site, const WebVisit *visit, bool saved)
{
    CLEANUP(buf_done) Buf value = {0};
    Str id = visit->parts[0];
    DocView view;

    Str given = web_query(visit->request, "view", &value);
    if (!game_doc_view_of(given.len ? given : STR("public"), &view)) {
        visit_error(visit, 400, "view", "view is public, all or seat:N.");
        return;
    }
    view.names = !site_hides_seats(site) || visit->is_operator;
    view.sealed = visit_query_is(visit, "sealed", "1");
    const CatalogueGame *game = catalogue_find(site->shared->catalogue, id);
    if (is_answered_live(site, visit, id, game))
        return;
    if (site->setup.closed && !visit->sees_all) {
        visit_error(visit, 401, "secret", for_members);
        return;
    }
    bool shown = game && !site_withholds(site, visit->sees_all, game, visit->request->now);
    if (shown)
        doc_shelf_answer(site->shelf, visit, site->shared, game, &view, saved);
    else if (game || !site_look_again(site, visit->request->now) ||
             !site_wait_for_look(site, visit, id, &view, saved))
        visit_error(visit, 404, "no-game", no_game);
}

static void on_doc(void *user, const WebVisit *visit)
{
    answer_doc(user, visit, false);
}

static void on_doc_saved(void *user, const WebVisit *visit)
{
    answer_doc(user, visit, true);
}

/* ---- logs ---- */

/* The log of a game that may still be played holds every role; of one whose players' names are
 * hidden it holds those. */
static const char *why_no_log(const WebSite *site, const WebVisit *visit, const CatalogueGame *game)
{
    if (visit->is_operator)
        return NULL;
    if (site_withholds(site, false, game, visit->request->now))
        return "This game is being played, or was just now: its log comes later.";
    if (site_hides_seats(site))
        return "The log names who played, which is hidden here: its document can be downloaded.";
    return NULL;
}

static const char not_over[] =
    "This log has no end: the game may still be played, and the log holds every role. The "
    "operator's link, which the server printed, opens it.";

static void send_log(const WebSite *site, const WebVisit *visit, const CatalogueGame *game,
                     Str path, bool json)
{
    CLEANUP(buf_done) Buf name = {0};
    size_t slash = 0;
    int file = -1;

    if (catalogue_open(site->shared->catalogue, game->root, path, &file, NULL)) {
        visit_error(visit, 404, "gone", "The log of this game is not there (any more).");
        return;
    }
    /* A journal tells of games that are over; of a session another round may be played. */
    if ((!game->told || game->session != CATALOGUE_NONE) && !visit->is_operator &&
        !log_peek_is_over(file, game)) {
        close(file);
        visit_error(visit, 403, "not-over", not_over);
        return;
    }
    buf_add(&name, path.len ? path : game->name);
    Str saved = buf_str(&name);
    if (str_find_last(saved, '/', &slash))
        saved = str_part(saved, slash + 1, saved.len);
    bool gzip = saved.len > 3 && str_eq(str_part(saved, saved.len - 3, 3), STR(".gz"));
    const VisitAnswer answer = {.status = 200,
                                .type = gzip   ? "application/gzip"
                                        : json ? "application/json"
                                               : "text/plain; charset=utf-8",
                                .file_name = saved,
                                .caching = VISIT_NEVER};
    visit_answer_file(visit, file, &answer);
    close(file);
}

static void answer_log(const WebSite *site, const WebVisit *visit, bool json)
{
    const CatalogueGame *game = catalogue_find(site->shared->catalogue, visit->parts[0]);
    const char *why = game ? why_no_log(site, visit, game) : NULL;
    /* That it is over already would be told, too. */
    bool later = game && site->live.delay > 0 &&
                 site_withholds(site, visit->is_operator, game, visit->request->now);

    if (!game || !game->has_log || later)
        visit_error(visit, 404, "no-game", no_game);
    else if (why)
        visit_error(visit, 403, "not-over", why);
    else if (json && !game->json.len)
        visit_error(visit, 404, "no-json", "This game has no JSON log.");
    else
        send_log(site, visit, game, json ? game->json : game->path, json);
}

static void on_log(void *user, const WebVisit *visit)
{
    answer_log(user, visit, false);
}

static void on_json_log(void *user, const WebVisit *visit)
{
    answer_log(user, visit, true);
}

/* ---- pages ---- */

static void send_page(WebSite *site, const WebVisit *visit, unsigned status)
{
    if (assets_may_change(site->assets))
        (void)assets_look(site->assets, NULL);
    buf_clear(&site->body);
    assets_write_page(site->assets, visit_is_japanese(visit) ? "ja" : "en", &site->body);
    const VisitAnswer answer = {.status = status,
                                .type = "text/html; charset=utf-8",
                                .body = buf_str(&site->body),
                                .is_page = true,
                                .caching = VISIT_ASKS};
    visit_answer(visit, &answer);
}

static void on_page(void *user, const WebVisit *visit)
{
    send_page(user, visit, 200);
}

static void on_game_page(void *user, const WebVisit *visit)
{
    WebSite *site = user;
    Str id = visit->parts[0];
    bool known = (site->live.knows && site->live.knows(site->live.user, id)) ||
                 catalogue_find(site->shared->catalogue, id);

    if (!known)
        (void)site_look_again(site, visit->request->now);
    /* With a delay nobody is told by the status which games have begun; of closed pages none. */
    send_page(site, visit, known || site->live.delay > 0 || site->setup.closed ? 200 : 404);
}

static void on_asset(void *user, const WebVisit *visit)
{
    WebSite *site = user;
    Asset asset;

    if (contest_desk_style(visit))
        return;
    if (!assets_find(site->assets, visit->parts[0], &asset)) {
        visit_error(visit, 404, "no-asset", "No such file is here: load the page again.");
        return;
    }
    char etag[SHA256_HEX_BYTES + 2];
    int n = snprintf(etag, sizeof(etag), "\"%.16s\"", asset.digest.bytes);
    const VisitAnswer answer = {.status = 200,
                                .type = asset.type,
                                .body = asset.plain,
                                .packed = asset.packed,
                                .etag = {etag, n > 0 ? (size_t)n : 0},
                                .caching = VISIT_KEEPS};
    visit_answer(visit, &answer);
}

/* ---- operators ---- */

bool web_site_is_operator(const WebSite *site, Str secret)
{
    return site->setup.operator_token.len > 0 && digest_equal(secret, site->setup.operator_token);
}

static Str shown_secret(const WebRequest *request)
{
    Str text = web_header(request, "Authorization");

    return str_starts(text, STR("Bearer ")) ? str_trim(str_part(text, strlen("Bearer "), text.len))
                                            : STR("");
}

static Str address_of(const WebRequest *request)
{
    Str peer = str_of(request->peer);
    size_t colon;

    return str_find_last(peer, ':', &colon) ? str_part(peer, 0, colon) : peer;
}

/* The place of an address, or the one that is oldest. */
static Trier *trier_of(WebSite *site, Str address, TimeUs now)
{
    Trier *found = &site->triers[0];

    for (size_t i = 0; i < SITE_TRIERS_MAX; i++) {
        Trier *trier = &site->triers[i];
        if (str_eq(str_of(trier->address), address)) {
            found = trier;
            break;
        }
        if (trier->since < found->since)
            found = trier;
    }
    if (!str_eq(str_of(found->address), address) || now - found->since > TRIES_US) {
        *found = (Trier){.since = now};
        snprintf(found->address, sizeof(found->address), "%.*s",
                 STR_ARG(str_part(address, 0, sizeof(found->address) - 1)));
    }
    return found;
}

bool web_site_may_try(WebSite *site, Str address, Str secret, TimeUs now)
{
    Trier *trier = trier_of(site, address, now);
    const uint32_t hash = str_hash(secret);

    for (uint32_t i = 0; i < trier->tries; i++)
        if (trier->tried[i] == hash)
            return true;
    if (trier->tries == SITE_TRIES_MAX)
        return false;
    trier->tried[trier->tries++] = hash;
    return true;
}

/* Whether the request's secret, if it has one, may be looked at. The right one always is. */
static bool secret_passes(WebSite *site, WebVisit *visit)
{
    Str secret = shown_secret(visit->request);

    if (!secret.len)
        return true;
    const WebLive *live = &site->live;
    visit->is_operator = visit->sees_all = web_site_is_operator(site, secret);
    if (!visit->is_operator && live->sees_all)
        visit->sees_all = live->sees_all(live->user, secret, visit->request->now);
    if (visit->sees_all)
        return true;
    return web_site_may_try(site, address_of(visit->request), secret, visit->request->now);
}

static void on_login(void *user, const WebVisit *visit)
{
    (void)user;
    if (visit->is_operator) {
        const VisitAnswer answer = {
            .status = 200, .type = "application/json", .body = STR("{\"operator\":true}")};
        visit_answer(visit, &answer);
    } else {
        visit_error(visit, 401, "secret", "This is not the operator's secret of this server.");
    }
}

static void on_logout(void *user, const WebVisit *visit)
{
    const VisitAnswer answer = {
        .status = 200, .type = "application/json", .body = STR("{\"operator\":false}")};

    (void)user;
    visit_answer(visit, &answer);
}

/* ---- routes ---- */

static const WebRoute own_routes[] = {
    {"", "GET", VISIT_ALL, on_page},
    {"g/*", "GET", VISIT_ALL, on_game_page},
    {"s/*", "GET", VISIT_ALL, on_page},
    {"r/*", "GET", VISIT_ALL, on_page},
    {"mind/*", "GET", VISIT_ALL, on_page},
    {"seat", "GET", VISIT_ALL, on_page},
    {"wall", "GET", VISIT_ALL, on_page},
    {"open", "GET", VISIT_ALL, on_page},
    {"search", "GET", VISIT_ALL, on_page},
    {"operator", "GET", VISIT_ALL, on_page},
    {"login", "GET", VISIT_ALL, on_page},
    {"assets/*", "GET", VISIT_ALL, on_asset},
    {"g/*/log", "GET", VISIT_MEMBER, on_log},
    {"g/*/log.json", "GET", VISIT_MEMBER, on_json_log},
    {"g/*/doc", "GET", VISIT_ALL, on_doc_saved},
    {"c/*", "GET", VISIT_MEMBER, site_contest},
    {"c/*/*", "GET", VISIT_MEMBER, site_contest},
    {"c/*/team/*", "GET", VISIT_MEMBER, site_contest_team},
    {"api/contests/*", "GET", VISIT_MEMBER, site_contest_json},
    {"api/contests/*/*", "GET", VISIT_MEMBER, site_contest_json},
    {"api/contests/*/team/*", "GET", VISIT_MEMBER, site_contest_team_json},
    {"api/search", "GET", VISIT_MEMBER, site_search},
    {"api/home", "GET", VISIT_MEMBER, site_home},
    {"api/games", "GET", VISIT_MEMBER, site_games},
    {"api/games/*/doc", "GET", VISIT_ALL, on_doc},
    {"api/games/*/mind", "GET", VISIT_MEMBER, site_mind},
    {"api/sessions/*", "GET", VISIT_MEMBER, site_session},
    {"api/open", "POST", VISIT_LOCAL, site_open_log},
    {"api/lang", "POST", VISIT_ALL, site_lang},
    {"api/login", "POST", VISIT_ALL, on_login},
    {"api/logout", "POST", VISIT_ALL, on_logout},
};

/* Whether the path is one of the pattern; `parts` gets what its stars stand for. */
static bool path_is(const char *pattern, Str path, Str parts[static VISIT_PARTS])
{
    Str rest = str_of(pattern);
    size_t count = 0;

    while (rest.len || path.len) {
        bool last = !memchr(rest.bytes, '/', rest.len), ends = !memchr(path.bytes, '/', path.len);
        Str want = str_cut(&rest, '/'), have = str_cut(&path, '/');
        if (last != ends)
            return false;
        if (str_eq(want, STR("*")) && count < VISIT_PARTS && have.len)
            parts[count++] = have;
        else if (!str_eq(want, have))
            return false;
    }
    return true;
}

typedef struct Found {
    const WebRoute *route;
    void *user;
    bool other_method; /* the path is one, with another method */
} Found;

static void find_route(const RouteTable *table, const WebRequest *request, Str path,
                       Str parts[static VISIT_PARTS], Found *found)
{
    Str method = str_eq(request->method, STR("HEAD")) ? STR("GET") : request->method;

    for (size_t i = 0; !found->route && i < table->count; i++) {
        const WebRoute *row = &table->rows[i];
        if (!path_is(row->path, path, parts))
            continue;
        if (str_eq(method, str_of(row->method))) {
            found->route = row;
            found->user = table->user;
        } else {
            found->other_method = true;
        }
    }
}

static Found find_any(WebSite *site, const WebRequest *request, Str path,
                      Str parts[static VISIT_PARTS])
{
    const RouteTable own = {own_routes, sizeof(own_routes) / sizeof(own_routes[0]), site};
    Found found = {0};

    for (size_t i = 0; i < site->table_count; i++)
        find_route(&site->tables[i], request, path, parts, &found);
    find_route(&own, request, path, parts, &found);
    return found;
}

/* ---- who may ask ---- */

static bool type_is_right(const WebVisit *visit, const WebRoute *route)
{
    Str type = web_header(visit->request, "Content-Type");
    Str plain = str_trim(str_cut(&type, ';'));

    return str_eq(plain, STR("application/json")) ||
           (route->reader == VISIT_LOCAL && str_eq(plain, STR("application/octet-stream")));
}

static void refuse_gate(WebSite *site, const WebVisit *visit, WebGateSays says)
{
    CLEANUP(buf_done) Buf why = {0};

    if (says == WEB_GATE_HOST) {
        web_gate_explain(&site->gate, says, visit->request, &why);
    } else {
        buf_printf(&why,
                   "a page of '%.*s' may not do this here: it has to be a page of this server, "
                   "whose Origin is scheme and host of its address",
                   STR_ARG(str_part(web_header(visit->request, "Origin"), 0, 100)));
    }
    if (site->setup.note) {
        CLEANUP(buf_done) Buf line = {0};
        buf_printf(&line, "refused %.*s: ", STR_ARG(address_of(visit->request)));
        utf8_add_printable(buf_str(&why), WHY_MAX, &line); /* for a terminal, of a stranger */
        site->setup.note(site->setup.user, buf_str(&line));
    }
    visit_error(visit, says == WEB_GATE_HOST ? 421 : 403, says == WEB_GATE_HOST ? "host" : "origin",
                buf_cstr(&why));
}

/* Names of hosts, and for what changes something the page's own origin. False: it is answered. */
static bool gate_passes(WebSite *site, const WebVisit *visit)
{
    const WebRequest *request = visit->request;
    WebGateSays says = web_gate_judge(&site->gate, request);
    bool reads = str_eq(request->method, STR("GET")) || str_eq(request->method, STR("HEAD"));
    Str origin = web_header(request, "Origin");

    if (request->wants_websocket && !origin.len)
        says = WEB_GATE_ORIGIN;
    if (!reads && (says == WEB_GATE_UNREAD || !origin.len))
        says = WEB_GATE_ORIGIN;
    if (says == WEB_GATE_PASS || says == WEB_GATE_UNREAD)
        return true;
    refuse_gate(site, visit, says);
    return false;
}

static bool reader_passes(const WebSite *site, const WebVisit *visit, VisitReader reader)
{
    if (reader == VISIT_ALL || visit->is_operator)
        return true;
    if (reader == VISIT_MEMBER)
        return !site->setup.closed || visit->sees_all;
    return reader == VISIT_LOCAL && visit->loopback && site->setup.public_host_count == 0;
}

static const char for_operators[] =
    "This is for operators: open the link that the server printed, or send the secret of "
    "--operator-file as 'Authorization: Bearer SECRET'.";

static void answer_route(WebSite *site, const WebVisit *visit, const Found *found)
{
    const WebRoute *route = found->route;

    if (!route && found->other_method)
        visit_error(visit, 405, "method", "This address is asked with another method.");
    else if (!route)
        site_nothing_here(site, visit);
    else if (!reader_passes(site, visit, route->reader) && route->reader == VISIT_MEMBER)
        visit_error(visit, 401, "secret", for_members);
    else if (!reader_passes(site, visit, route->reader))
        visit_error(visit, 403, "operator", for_operators);
    else if (str_eq(visit->request->method, STR("POST")) && !type_is_right(visit, route))
        visit_error(visit, 415, "type", "The body has to be application/json.");
    else
        route->answer(found->user, visit);
}

bool web_site_request(WebSite *site, WebConn *conn, const WebRequest *request)
{
    CLEANUP(buf_done) Buf table = {0};
    Str path = request->path;
    bool is_root = str_eq(path, STR("/")), is_bare = str_eq(path, STR("/web"));

    bool is_table = str_starts(path, STR(CONTESTS_API));

    if (!is_root && !is_bare && !is_table && !str_starts(path, STR("/web/")))
        return false;
    WebVisit visit = {.site = site,
                      .conn = conn,
                      .request = request,
                      .loopback = visit_comes_from_here(request),
                      .takes_gzip = web_takes_gzip(request),
                      .embed = site->setup.embed};
    if (!gate_passes(site, &visit))
        return true;
    if (is_root || is_bare) {
        visit_redirect(&visit, "/web/");
        return true;
    }
    if (!secret_passes(site, &visit)) {
        visit_error(&visit, 429, "tries", "Too many wrong secrets came from this address.");
        return true;
    }
    path = str_part(path, strlen(is_table ? "/api/v1/" : "/web/"), path.len);
    if (is_table)
        buf_printf(&table, "api/%.*s", STR_ARG(path));
    if (is_table)
        path = buf_str(&table);
    Found found = find_any(site, request, path, visit.parts);
    answer_route(site, &visit, &found);
    return true;
}

size_t web_site_body_bytes(WebSite *site, const WebRequest *head)
{
    WebVisit visit = {.site = site, .request = head, .loopback = visit_comes_from_here(head)};

    if (!str_eq(head->path, STR("/web/api/open")))
        return 0;
    visit.is_operator = web_site_is_operator(site, shown_secret(head));
    return reader_passes(site, &visit, VISIT_LOCAL) ? OPEN_BYTES : 0;
}

/* ---- life ---- */

static void make_gate(WebSite *site)
{
    if (gethostname(site->own_name, sizeof(site->own_name) - 1))
        site->own_name[0] = '\0';
    site->gate = (WebGate){.hosts = site->setup.public_hosts,
                           .host_count = site->setup.public_host_count,
                           .names = {str_of(site->own_name), str_of(site->setup.host)},
                           .hosts_key = HOSTS_KEY,
                           .origins_key = HOSTS_KEY};
}

/* Names that a browser could never send, or that would let every page in. */
static int check_names(const WebSiteSetup *setup, Err *err)
{
    Err own = {0};

    for (uint32_t i = 0; i < setup->public_host_count; i++)
        if (web_gate_host_check(setup->public_hosts[i], &own))
            return err_set(err, ERR_USAGE, "--public-host: %s", own.msg);
    if (setup->embed.len && web_gate_origin_check(setup->embed, &own))
        return err_set(err, ERR_USAGE, "--embed: %s", own.msg);
    if (setup->paths.count > CATALOGUE_PATHS_MAX)
        return err_set(err, ERR_USAGE, "at most %d paths", CATALOGUE_PATHS_MAX);
    return 0;
}

static int open_parts(WebSite *site, Err *err)
{
    const WebSiteSetup *setup = &site->setup;
    Catalogue *catalogue = NULL;
    int rc = check_names(setup, err);

    if (rc == 0)
        rc = catalogue_check(&setup->paths, err);

    if (rc == 0)
        rc = assets_open(setup->assets, &site->assets, err);
    if (rc == 0)
        rc = catalogue_scan(&setup->paths, NULL, setup->date_of(setup->now), &catalogue, err);
    if (rc == 0)
        rc = work_open(setup->loop, WORK_THREADS, &site->work, err);
    if (rc) {
        catalogue_free(catalogue);
        return rc;
    }
    site->shared = shared_catalogue_new(catalogue);
    site->shelf = doc_shelf_new(site->work);
    site->peeks = log_peeks_new();
    site->desk = contest_desk_new(site->work);
    site->search = search_new(site->work);
    return site->shared && site->shelf && site->peeks && site->desk && site->search
               ? 0
               : err_set(err, ERR_MEMORY, "pages: out of memory");
}

int web_site_open(const WebSiteSetup *setup, WebSite **ret_site, Err *err)
{
    WebSite *site = mem_new(sizeof(*site));

    if (!site)
        return err_set(err, ERR_MEMORY, "pages: out of memory");
    site->setup = *setup;
    make_gate(site);
    site_mind_begin(site);
    int rc = open_parts(site, err);
    if (rc) {
        web_site_free(site);
        return rc;
    }
    site->scan_due = setup->now + SITE_LOOK_US;
    *ret_site = site;
    return 0;
}

WebSite *web_site_free(WebSite *site)
{
    if (!site)
        return NULL;
    work_free(site->work);
    site_forget_lookups(site);
    doc_shelf_free(site->shelf);
    log_peeks_free(site->peeks);
    contest_desk_free(site->desk);
    search_free(site->search);
    shared_catalogue_leave(site->shared);
    assets_free(site->assets);
    buf_done(&site->body);
    return mem_free(site);
}

void web_site_add_routes(WebSite *site, const WebRoute *routes, size_t count, void *user)
{
    if (site->table_count < SITE_TABLES_MAX)
        site->tables[site->table_count++] = (RouteTable){routes, count, user};
}

void web_site_set_live(WebSite *site, const WebLive *live)
{
    site->live = *live;
}

SharedCatalogue *web_site_catalogue(const WebSite *site)
{
    return site->shared;
}

Work *web_site_work(const WebSite *site)
{
    return site->work;
}

const DocShelf *web_site_shelf(const WebSite *site)
{
    return site->shelf;
}

bool web_site_names_hidden(const WebSite *site)
{
    return site->setup.names_hidden;
}

int64_t web_site_date_ms(const WebSite *site, TimeUs at)
{
    return site->setup.date_of(at);
}
