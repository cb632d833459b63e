#include "web/room_web.h"

#include "base/mem.h"
#include "game/ruleset.h"
#include "net/web_room.h"

#define POLICY_CLOSE 1008

struct RoomWeb {
    RoomWebSetup setup;
    WebSite *site;
    Rooms *rooms; /* NULL: not begun */
    Buf body;
};

/* ---- cookies ---- */

/* "warg_seat_8090=0123...": its value; empty when there is none. */
static Str seat_cookie(const RoomWeb *web, const WebRequest *request)
{
    char name[32];
    Str rest = web_header(request, "Cookie");

    snprintf(name, sizeof(name), "warg_seat_%u=", web->setup.port);
    while (rest.len) {
        Str part = str_trim(str_cut(&rest, ';'));
        if (str_starts(part, str_of(name)))
            return str_part(part, strlen(name), part.len);
    }
    return STR("");
}

static RoomCaller caller_of(const RoomWeb *web, const WebVisit *visit)
{
    return (RoomCaller){.cookie = seat_cookie(web, visit->request),
                        .address = web_room_address(visit->request->peer),
                        .is_operator = visit->is_operator,
                        .now = visit->request->now};
}

/* ---- answers ---- */

static void answer_json(const RoomWeb *web, const WebVisit *visit, const Buf *body,
                        const char *cookie)
{
    char value[160];
    WebHeader header = {.name = STR("Set-Cookie")};

    if (buf_failed(body)) {
        visit_error(visit, 503, "memory", "The server has no memory left.");
        return;
    }
    snprintf(value, sizeof(value),
             "warg_seat_%u=%s; Path=/web/; HttpOnly; SameSite=Strict; Max-Age=86400%s",
             web->setup.port, cookie, web->setup.tls ? "; Secure" : "");
    header.value = str_of(value);
    const VisitAnswer answer = {.status = 200,
                                .type = "application/json",
                                .body = buf_str(body),
                                .no_pack = true,
                                .headers = &header,
                                .header_count = cookie[0] ? 1 : 0,
                                .caching = VISIT_NEVER};
    visit_answer(visit, &answer);
}

void room_web_write_link(const RoomWeb *web, const char *code, const char *address, Buf *out)
{
    buf_printf(out, "%s/web/r/%s", address ? address : web->setup.address, code);
}

/* The room, with what only an answer tells: its link for other machines, the server's delay. */
static void answer_reply(RoomWeb *web, const WebVisit *visit, RoomReply *reply)
{
    CLEANUP(buf_done) Buf url = {0};

    if (reply->code) {
        visit_error(visit, reply->status, reply->code, reply->text);
        return;
    }
    Str body = buf_str(&reply->body);
    buf_clear(&web->body);
    buf_add(&web->body, str_part(body, 0, body.len - 1));
    if (web->setup.address && str_starts(body, STR("{\"code\":\""))) {
        char code[ROOM_CODE_BYTES];
        snprintf(code, sizeof(code), "%.*s", ROOM_CODE_BYTES - 1, body.bytes + 9);
        room_web_write_link(web, code, NULL, &url);
        buf_add(&web->body, STR(",\"url\":"));
        json_quote(&web->body, buf_str(&url), false);
    }
    if (web->setup.delay_ms)
        buf_printf(&web->body, ",\"delay_ms\":%lld", (long long)web->setup.delay_ms);
    buf_add_char(&web->body, '}');
    answer_json(web, visit, &web->body, reply->cookie);
}

/* ---- what can be chosen ---- */

static void write_rules(const RoomWeb *web, Json *json)
{
    static const struct {
        const char *division;
        const char *prefix;
    } divisions[] = {{"nlp", "nlp-"}, {"protocol", "aiwolf-"}, {"maw", "maw"}};

    json_key(json, STR("rules"));
    json_open(json, '{');
    for (size_t i = 0; i < sizeof(divisions) / sizeof(divisions[0]); i++) {
        json_key(json, str_of(divisions[i].division));
        json_open(json, '[');
        if (i == 0 && web->setup.nlp)
            json_put_str(json, STR("")); /* the server's own configuration */
        for (size_t k = 0; ruleset_preset_name(k); k++)
            if (str_starts(str_of(ruleset_preset_name(k)), str_of(divisions[i].prefix)))
                json_put_str(json, str_of(ruleset_preset_name(k)));
        json_close(json);
    }
    json_close(json);
}

static void write_offers(const RoomWeb *web, Json *json)
{
    static const char *const bots[] = {"bot:talker", "bot:sample", "bot:random"};

    json_key(json, STR("offers"));
    json_open(json, '{');
    json_key(json, STR("divisions"));
    json_open(json, '[');
    json_put_str(json, STR("nlp"));
    json_put_str(json, STR("protocol"));
    json_put_str(json, STR("maw"));
    json_close(json);
    write_rules(web, json);
    json_key(json, STR("fill"));
    json_open(json, '[');
    json_put_str(json, STR("")); /* the division's usual bot */
    for (size_t i = 0; i < sizeof(bots) / sizeof(bots[0]); i++)
        json_put_str(json, str_of(bots[i]));
    if (web->setup.model)
        json_put_str(json, str_of(web->setup.model));
    json_close(json);
    json_close(json);
}

/* ---- requests ---- */

/* False, and it is answered: the server ends. */
static bool has_rooms(const RoomWeb *web, const WebVisit *visit)
{
    if (!web->rooms)
        visit_error(visit, 503, "ending", "The server ends.");
    return web->rooms != NULL;
}

static void on_list(void *user, const WebVisit *visit)
{
    RoomWeb *web = user;

    if (!has_rooms(web, visit))
        return;
    buf_clear(&web->body);
    Json json = json_over(&web->body);
    json_open(&json, '{');
    json_key(&json, STR("rooms"));
    rooms_write_list(web->rooms, visit->is_operator, &json);
    if (visit->is_operator)
        write_offers(web, &json);
    json_close(&json);
    answer_json(web, visit, &web->body, "");
}

/* The object of a body, which may be empty; false, and it is answered, when it is none. */
static bool read_body(const WebVisit *visit, json_t **ret_body)
{
    Err err = {0};

    *ret_body = NULL;
    if (!visit->request->body.len)
        return true;
    if (json_read(visit->request->body, visit->request->body.len, ret_body, &err) == 0) {
        if (json_is_map(*ret_body))
            return true;
        json_done(*ret_body);
        *ret_body = NULL;
    }
    visit_error(visit, 400, "body", "The body has to be a JSON object.");
    return false;
}

static void on_make(void *user, const WebVisit *visit)
{
    RoomWeb *web = user;
    CLEANUP(room_reply_done) RoomReply reply = {0};
    const RoomCaller caller = caller_of(web, visit);
    char code[ROOM_CODE_BYTES];
    RoomOptions options;
    Err err = {0};
    json_t *body;

    if (!has_rooms(web, visit) || !read_body(visit, &body))
        return;
    room_options_default(&options);
    int rc = body ? room_options_read(body, &options, &err) : 0;
    json_done(body);
    if (rc == 0)
        rc = rooms_make(web->rooms, &options, caller.now, code, &err);
    if (rc) {
        visit_error(visit, rc == ERR_RULE || rc == ERR_SYNTAX ? 400 : 503, "options", err.msg);
        return;
    }
    rooms_look(web->rooms, str_of(code), &caller, &reply);
    answer_reply(web, visit, &reply);
}

static void on_look(void *user, const WebVisit *visit)
{
    RoomWeb *web = user;
    CLEANUP(room_reply_done) RoomReply reply = {0};
    const RoomCaller caller = caller_of(web, visit);

    if (!has_rooms(web, visit))
        return;
    rooms_look(web->rooms, visit->parts[0], &caller, &reply);
    answer_reply(web, visit, &reply);
}

static void on_act(void *user, const WebVisit *visit)
{
    RoomWeb *web = user;
    CLEANUP(room_reply_done) RoomReply reply = {0};
    const RoomCaller caller = caller_of(web, visit);
    json_t *body;

    if (!has_rooms(web, visit) || !read_body(visit, &body))
        return;
    rooms_act(web->rooms, visit->parts[0], visit->parts[1], body, &caller, &reply);
    json_done(body);
    answer_reply(web, visit, &reply);
}

static void on_seat(void *user, const WebVisit *visit)
{
    RoomWeb *web = user;
    CLEANUP(room_reply_done) RoomReply reply = {0};
    const RoomCaller caller = caller_of(web, visit);

    if (!has_rooms(web, visit))
        return;
    rooms_look_own(web->rooms, &caller, &reply);
    answer_reply(web, visit, &reply);
}

static const WebRoute room_routes[] = {
    {"api/rooms", "GET", VISIT_ALL, on_list},   {"api/rooms", "POST", VISIT_OPERATOR, on_make},
    {"api/rooms/*", "GET", VISIT_ALL, on_look}, {"api/rooms/*/*", "POST", VISIT_ALL, on_act},
    {"api/seat", "GET", VISIT_ALL, on_seat},
};

/* ---- the feed ---- */

static RoomSocket *socket_of(const FeedReader *reader)
{
    return feed_user_of(reader);
}

void room_web_opened(void *user, FeedReader *reader, const WebRequest *request)
{
    RoomWeb *web = user;
    RoomSocket *socket = NULL;

    if (!web->rooms ||
        rooms_socket_opened(web->rooms, reader, seat_cookie(web, request),
                            web_room_address(request->peer), request->now, &socket, NULL))
        return;
    *feed_user(reader) = socket;
    rooms_socket_greet(web->rooms, socket, request->now);
}

bool room_web_sits(void *user, const WebRequest *request, Str game, SeatNo seat)
{
    const RoomWeb *web = user;

    return web->rooms && rooms_cookie_may_see(web->rooms, seat_cookie(web, request), game, seat);
}

static bool on_operator(void *user, Str secret, TimeUs now)
{
    const RoomWeb *web = user;

    (void)now;
    return web->site && web_site_is_operator(web->site, secret);
}

static bool on_sits(void *user, const FeedReader *reader, Str game, SeatNo seat)
{
    const RoomWeb *web = user;

    return web->rooms && rooms_socket_may_see(web->rooms, socket_of(reader), game, seat);
}

static bool on_heard(void *user, FeedReader *reader, Str type, const json_t *message, TimeUs now)
{
    RoomWeb *web = user;
    RoomSocket *socket = socket_of(reader);

    (void)type;
    return web->rooms && socket && rooms_socket_heard(web->rooms, socket, message, now);
}

static void on_left(void *user, const FeedReader *reader)
{
    const RoomWeb *web = user;

    if (web->rooms)
        rooms_socket_closed(web->rooms, socket_of(reader));
}

static void put_rooms(void *user, bool is_operator, Json *json)
{
    const RoomWeb *web = user;

    if (!web->rooms)
        return;
    json_key(json, STR("rooms"));
    rooms_write_list(web->rooms, is_operator, json);
}

FeedHooks room_web_hooks(RoomWeb *web)
{
    return (FeedHooks){.is_operator = on_operator,
                       .sits = on_sits,
                       .heard = on_heard,
                       .left = on_left,
                       .home = put_rooms,
                       .user = web};
}

static void send_frame(void *user, void *reader, Str json)
{
    (void)user;
    feed_send(reader, json);
}

static void drop_socket(void *user, void *reader, const char *why)
{
    (void)user;
    web_close(feed_connection(reader), POLICY_CLOSE, why);
    feed_left(reader);
}

/* ---- life ---- */

int room_web_new(RoomWeb **ret_web, Err *err)
{
    RoomWeb *web = mem_new(sizeof(*web));

    if (!web)
        return err_set(err, ERR_MEMORY, "rooms: out of memory");
    *ret_web = web;
    return 0;
}

int room_web_begin(RoomWeb *web, const RoomWebSetup *setup, WebSite *site, Err *err)
{
    const RoomsSetup rooms = {.alarms = setup->alarms,
                              .stage = setup->stage,
                              .send = send_frame,
                              .drop = drop_socket,
                              .note = setup->note,
                              .user = setup->user};

    web->setup = *setup;
    web->site = site;
    int rc = rooms_new(&rooms, &web->rooms, err);
    if (rc == 0)
        web_site_add_routes(site, room_routes, sizeof(room_routes) / sizeof(room_routes[0]), web);
    return rc;
}

void room_web_end(RoomWeb *web)
{
    web->rooms = rooms_free(web->rooms);
}

RoomWeb *room_web_free(RoomWeb *web)
{
    if (!web)
        return NULL;
    rooms_free(web->rooms);
    buf_done(&web->body);
    return mem_free(web);
}

Rooms *room_web_rooms(const RoomWeb *web)
{
    return web->rooms;
}
