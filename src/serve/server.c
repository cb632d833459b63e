#include "serve/server_state.h"
#include "serve/visitor.h"
#include "serve/wall_clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CHORES_US ((TimeUs)1000 * 1000)
/* The answer to NAME; anybody can make the server keep so much of it. */
#define NAME_MESSAGE_BYTES 4096
/* So long close frames have to get out. */
#define CLOSING_US ((TimeUs)1500 * 1000)

/* ---- time and words ---- */

int64_t server_unix_ms(const Server *server)
{
    return server->zero_ms + server->now / 1000;
}

TimeUs server_time(Server *server, TimeUs at)
{
    if (at > server->now)
        server->now = at;
    return server->now;
}

void server_note(const Server *server, const char *format, ...)
{
    char line[ERR_TEXT_MAX + 128];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    if (server->setup.note)
        server->setup.note(server->setup.user, str_of(line));
}

void server_moved(const Server *server, HallMove move)
{
    move.at = server->now;
    hall_moves_add(server->setup.moves, &move);
}

/* Somebody, or a time server, sets the clock while contests run for days. */
static void follow_clock(Server *server, TimeUs now)
{
    int64_t zero_ms = wall_clock_anchor(server->zero_ms, server->setup.date(now), now);

    if (zero_ms == server->zero_ms)
        return;
    server_note(server, "the clock was set by %lld ms; times of logs follow it",
                (long long)(zero_ms - server->zero_ms));
    server->zero_ms = zero_ms;
    server_moved(server, (HallMove){.kind = HALL_CLOCK, .unix_ms = zero_ms});
    nlp_hall_set_clock(server->hall, zero_ms);
}

/* ---- what the hall says ---- */

static void hall_notes(void *user, Str line)
{
    const Server *server = user;

    if (server->setup.note)
        server->setup.note(server->setup.user, line);
}

static void hall_notices(void *user, ConfigNotice what, Str text)
{
    const Server *server = user;

    extras_notice(server->extras, what, text, server->now);
}

static bool hall_speaks(void *user, Str game_id, const ConfigProfile *speaker, Str text)
{
    const Server *server = user;

    server_moved(server, (HallMove){.kind = HALL_OTHER});
    return extras_utterance(server->extras, game_id, speaker, text, server->now);
}

static bool hall_wants_characters(void *user, uint32_t number, SeatNo count)
{
    const Server *server = user;
    const bool come = extras_characters(server->extras, number, count);

    if (come)
        server_moved(server, (HallMove){.kind = HALL_OTHER});
    return come;
}

static void hall_calls_guests(void *user, Str team, SeatNo count)
{
    const Server *server = user;

    server->setup.guests(server->setup.user, team, count, server->now);
}

static void hall_asks_of_seat(void *user, const NlpGame *game, SeatNo seat, SeatRecord *own)
{
    const Server *server = user;

    server->setup.seat(server->setup.user, game, seat, own);
}

static void hall_records(void *user, const GameRecord *record)
{
    const Server *server = user;

    team_metrics_add(server->teams, record);
}

static void remember_packet(Server *server, Told told, Str id, Str packet, Str masked)
{
    if (server->told_count == server->told_room) {
        size_t room = server->told_room ? 2 * server->told_room : 64;
        Told *grown = mem_resize(server->told, room, sizeof(*grown));
        if (!grown) {
            buf_fail(&server->told_text);
            return;
        }
        server->told = grown;
        server->told_room = room;
    }
    told.id = id.len;
    told.packet = packet.len;
    told.masked = masked.len;
    server->told[server->told_count++] = told;
    buf_add(&server->told_text, id);
    buf_add(&server->told_text, packet);
    buf_add(&server->told_text, masked);
}

static void hall_broadcasts(void *user, Str game_id, Str packet, Str masked)
{
    remember_packet(user, (Told){.over = false}, game_id, packet, masked);
}

/* That a game begins is told to viewers by its first packet. */
static void hall_games(void *user, Str game_id, bool over)
{
    const Server *server = user;

    extras_game(server->extras, game_id, over, server->now);
    if (!over)
        server_moved(server, (HallMove){.kind = HALL_GAME, .text = game_id});
    if (over)
        remember_packet(user, (Told){.over = true}, game_id, STR(""), STR(""));
}

/* ---- games ---- */

static ServedGame **find_game(Server *server, Str id)
{
    ServedGame **at = &server->games[str_hash(id) % GAME_BUCKETS];

    while (*at && !str_eq(str_of((*at)->id), id))
        at = &(*at)->next;
    return at;
}

ServedGame *server_game(Server *server, Str id)
{
    ServedGame **at = find_game(server, id);
    ServedGame *known = *at;
    NlpGame game;
    Err err = {0};

    if (known)
        return known;
    if (id.len >= sizeof(known->id) || !nlp_hall_game_find(server->hall, id, &game))
        return NULL;
    ServedGame *played = mem_new(sizeof(*played));
    if (!played)
        return NULL;
    memcpy(played->id, id.bytes, id.len);
    if (server->realtime &&
        realtime_begin(server->realtime, id, game.stem, &played->realtime, &err) != 0)
        server_note(server, "game %s has no realtime file: %s", played->id, err.msg);
    *at = played;
    return played;
}

static void forget_game(Server *server, Str id)
{
    ServedGame **at = find_game(server, id);
    ServedGame *played = *at;

    if (!played)
        return;
    events_end(server, played);
    if (played->realtime)
        realtime_end(server->realtime, played->realtime, server->now);
    *at = played->next;
    mem_free(played);
}

static void take_packet(Server *server, Str id, Str packet, Str masked)
{
    ServedGame *played = server_game(server, id);

    if (!played)
        return;
    if (played->realtime)
        realtime_add(server->realtime, played->realtime, packet, masked, server->now,
                     server_unix_ms(server));
    events_packet(server, played, packet, masked);
}

static void take_told(Server *server)
{
    Str rest = buf_str(&server->told_text);

    if (buf_failed(&server->told_text))
        server_note(server, "out of memory: packets for viewers are lost");
    for (size_t i = 0; i < server->told_count && !buf_failed(&server->told_text); i++) {
        Told told = server->told[i];
        Str id = str_part(rest, 0, told.id);
        Str packet = str_part(rest, told.id, told.packet);
        Str masked = str_part(rest, told.id + told.packet, told.masked);
        rest = str_part(rest, told.id + told.packet + told.masked, rest.len);
        if (told.over)
            forget_game(server, id);
        else
            take_packet(server, id, packet, masked);
    }
    server->told_count = 0;
    if (server->told_text.room > 1 << 20 || buf_failed(&server->told_text))
        buf_done(&server->told_text);
    buf_clear(&server->told_text);
}

static void tell_trouble(Server *server)
{
    Err err = {0};

    if (server->realtime && realtime_trouble(server->realtime, &err))
        server_note(server, "%s", err.msg);
}

/* ---- the end ---- */

static void lose_agent(Server *server, uint32_t number, NlpAgent *agent)
{
    server_moved(server, (HallMove){.kind = HALL_GONE, .of = number});
    nlp_hall_closed(server->hall, agent, server->now);
}

static void close_guest(Server *server, ServedGuest *guest)
{
    bool complete = nlp_hall_complete(server->hall) && !server->aborted;
    NlpAgent *agent = guest->agent;

    if (guest->reader)
        web_stream_end(guest->conn);
    else if (complete)
        web_close(guest->conn, CLOSE_NORMAL, "the tournament is complete");
    else
        web_close(guest->conn, CLOSE_GOING_AWAY, "server is shutting down");
    const uint32_t number = guest->number;

    guest_free(guest);
    if (agent)
        lose_agent(server, number, agent);
}

static void close_when_done(Server *server)
{
    if (server->state != SERVER_OPEN || !nlp_hall_done(server->hall))
        return;
    server->state = SERVER_CLOSING;
    server->closing_at = server->now;
    nlp_hall_drain(server->hall, server->now); /* complete: no game begins for who still waits */
    while (server->guests.first)
        close_guest(server, server->guests.first);
    take_told(server);
    server_loops_say(server->loops);
    extras_end(server->extras,
               nlp_hall_complete(server->hall) ? STR("the server has ended: all games are played")
                                               : STR("the server has ended"),
               server->now);
    timer_at(server->chores, server->now + CHORES_US / 20, false);
}

/* Who looks on sees the last games to their ends, too, and finds them for a while. */
static void watch_on(Server *server)
{
    TimeUs due = server->realtime ? realtime_deadline(server->realtime) : TIME_US_NEVER;

    if (due != TIME_US_NEVER)
        timer_at(server->timer, due, true);
}

static void finish_server(Server *server)
{
    server->state = SERVER_OVER;
    timer_stop(server->timer);
    timer_stop(server->chores);
    watch_on(server);
    server->setup.over(server->setup.user);
}

void server_heard(Server *server)
{
    take_told(server);
    guests_free_gone(&server->guests);
    tell_trouble(server);
    close_when_done(server);
    server_loops_send(server->loops);
    if (server->state == SERVER_OVER)
        return;
    TimeUs due = nlp_hall_deadline(server->hall);
    if (server->realtime && realtime_deadline(server->realtime) < due)
        due = realtime_deadline(server->realtime);
    if (due != TIME_US_NEVER)
        timer_at(server->timer, due, true);
}

/* ---- agents ---- */

/* An agent has come, and is somebody's. */
static void note_arrival(Server *server, ServedGuest *guest, const WebRequest *request, Str token,
                         bool takes_bids)
{
    const ServerSetup *setup = &server->setup;
    CLEANUP(buf_done) Buf words = {0};

    guest->number = ++server->came;
    if (setup->moves && setup->guest_of)
        guest->own = setup->guest_of(setup->user, web_query(request, "guest", &words));
    server_moved(server, (HallMove){.kind = HALL_CAME,
                                    .of = guest->number,
                                    .guest = guest->own,
                                    .bids = takes_bids,
                                    .address = str_of(request->peer),
                                    .token = token});
}

/* Who has not said its name yet is a stranger. */
static size_t name_message_bytes(const Config *config)
{
    size_t most = (size_t)config->message_bytes;

    return most < NAME_MESSAGE_BYTES ? most : NAME_MESSAGE_BYTES;
}

void server_take_agent(Server *server, WebConn *conn, const WebRequest *request)
{
    CLEANUP(buf_done) Buf value = {0};
    CLEANUP(buf_done) Buf bids = {0};
    Str token = visitor_token(request, &value);
    bool takes_bids = str_eq(web_query(request, "bids", &bids), STR("1"));
    Err err = {0};

    bool draining = nlp_hall_draining(server->hall) && !nlp_hall_has_away(server->hall);

    if (server->state != SERVER_OPEN || draining || nlp_hall_ending(server->hall)) {
        web_reply(conn, 503, "text/plain", STR("server is shutting down\n"));
        return;
    }
    ServedGuest *guest = guest_new(server, conn);
    if (!guest) {
        web_reply(conn, 503, NULL, STR(""));
        return;
    }
    if (!web_upgrade(conn, guest)) { /* it has answered */
        guest_free(guest);
        return;
    }
    web_limit_messages(conn, name_message_bytes(server->setup.config));
    note_arrival(server, guest, request, token, takes_bids);
    if (nlp_hall_opened(server->hall, guest, token, request->peer, server->now, &guest->agent,
                        &err) != 0) {
        server_note(server, "refused address=%s: %s", request->peer, err.msg);
        web_close(conn, 1013, "try again later"); /* RFC 6455 registry: Try Again Later */
        guest_free(guest);
    } else if (takes_bids) {
        nlp_hall_takes_bids(guest->agent);
    }
    server_heard(server);
}

static void on_message(void *socket, Str text, TimeUs at)
{
    ServedGuest *guest = socket;
    Server *server = guest->server;

    if (!guest->agent)
        return;
    if (!guest->known)
        web_limit_messages(guest->conn, (size_t)server->setup.config->message_bytes);
    guest->known = true;
    follow_clock(server, at);
    nlp_hall_message(server->hall, guest->agent, text, server_time(server, at));
    server_moved(server, (HallMove){.kind = HALL_SAID,
                                    .of = guest->number,
                                    .guest = guest->own,
                                    .refused = guest->refused,
                                    .text = text});
    server_heard(server);
}

static void on_closed(void *socket, WebEnd how, uint16_t code, TimeUs now)
{
    ServedGuest *guest = socket;
    Server *server = guest->server;
    NlpAgent *agent = guest->agent;
    const uint32_t number = guest->number;

    (void)how, (void)code;
    guest_free(guest);
    if (!agent)
        return;
    server_time(server, now);
    lose_agent(server, number, agent);
    server_heard(server);
}

/* A page can ask as often as it likes: not every refusal is a line. */
static void on_refused(void *user, const char *peer, Str why, TimeUs now)
{
    Server *server = user;
    CLEANUP(buf_done) Buf line = {0};

    if (refusals_tell(&server->refusals, peer, why, now, &line))
        server_note(server, "%s", buf_cstr(&line));
}

static size_t on_body_bytes(void *user, const WebRequest *head)
{
    const Server *server = user;
    WebSite *site = live_pages_site(server->setup.pages);

    return site ? web_site_body_bytes(site, head) : 0;
}

/* ---- timers ---- */

static void on_timer(void *user, TimeUs now)
{
    Server *server = user;
    now = server_time(server, now);
    if (server->state != SERVER_OVER) {
        follow_clock(server, now);
        server_moved(server, (HallMove){.kind = HALL_TICK});
        nlp_hall_tick(server->hall, now);
    }
    if (server->realtime)
        realtime_tick(server->realtime, now, server_unix_ms(server));
    if (server->state == SERVER_OVER)
        watch_on(server);
    else
        server_heard(server);
}

static void agent_is_lost(void *user, uint32_t number, NlpAgent *agent)
{
    Server *server = user;

    server_note(server, "closed: an agent has not read for %d ms",
                (int)server->setup.config->action_ms);
    lose_agent(server, number, agent);
}

static void on_chores(void *user, TimeUs now)
{
    Server *server = user;

    server_time(server, now);
    follow_clock(server, now);
    if (server->state == SERVER_CLOSING) {
        bool closed =
            web_open_count(server->web) == 0 || server->now - server->closing_at > CLOSING_US;
        if (closed && extras_ended(server->extras))
            finish_server(server);
        else
            timer_at(server->chores, server->now + CHORES_US / 20, false);
        return;
    }
    guests_look_after(&server->guests, server->now, agent_is_lost, server);
    extras_progress(server->extras, server->now);
    timer_at(server->chores, server->now + CHORES_US, false);
    server_heard(server);
}

/* ---- life ---- */

static void make_headers(Server *server)
{
    struct utsname system = {0};

    uname(&system);
    buf_printf(&server->platform, "warg/%s (%s %s)", WARG_VERSION, system.sysname, system.machine);
    server->headers[0] = (WebHeader){STR("Server"), buf_str(&server->platform)};
}

static void make_gate(Server *server)
{
    const Config *config = server->setup.config;

    if (gethostname(server->own_name, sizeof(server->own_name) - 1))
        server->own_name[0] = '\0';
    server->gate = (WebGate){
        .hosts = config->hosts,
        .host_count = config->host_count,
        .origins = config->origins,
        .origin_count = config->origin_count,
        .names = {str_of(server->own_name), str_of(config->host)},
        .hosts_key = "warg.hosts",
        .origins_key = "warg.origins",
        /* The published clients: their WebSockets have the address as Origin. */
        .program = "aiwolf-nlp-common/",
    };
}

static void set_clock(Server *server)
{
    server->now = server->setup.now;
    server->began_ms = server->setup.date(server->now);
    server->zero_ms = server->began_ms - server->now / 1000;
}

/* ---- other loops ---- */

static void hear_loop(void *user, const News *news)
{
    Server *server = user;

    nlp_hall_hear(server->hall, news, server_time(server, news->at));
}

static void move_to_loops(void *user)
{
    const Server *server = user;

    nlp_hall_move(server->hall, server->now);
}

static void loops_heard(void *user)
{
    server_heard(user);
}

static int open_loops(Server *server, const WebLimits *limits, Err *err)
{
    const ServerLoopsSetup loops = {
        .server = server,
        .count = server->setup.loops,
        .limits = limits,
        .hear = hear_loop,
        .move = move_to_loops,
        .heard = loops_heard,
        .note = hall_notes,
    };

    return server_loops_open(&loops, &server->loops, err);
}

/* The port first: a server whose port is in use leaves nothing behind. */
static int open_parts(Server *server, Err *err)
{
    static const WebEvents events = {
        .request = server_request,
        .message = on_message,
        .closed = on_closed,
        .refused = on_refused,
        .body_bytes = on_body_bytes,
    };
    const ServerSetup *setup = &server->setup;
    const Config *config = setup->config;
    NlpHallSetup hall = {
        .config = config,
        .out = {.send = guest_send,
                .close = guest_close,
                .note = hall_notes,
                .broadcast = hall_broadcasts,
                .game = hall_games,
                .record = hall_records,
                .notice = hall_notices,
                .utterance = config->speech.enable ? hall_speaks : NULL,
                .characters = hall_wants_characters,
                .guests = setup->guests ? hall_calls_guests : NULL,
                .seat = setup->seat ? hall_asks_of_seat : NULL,
                .moves = server_loops_moves,
                .task = server_loops_task,
                .user = server},
        .unix_ms_at_zero = server->zero_ms,
        .key = setup->key,
        .fill = setup->fill,
        .fill_after = setup->fill_after,
        .self_per_hour = setup->self_per_hour,
        .games = setup->games,
        .results = setup->results,
        .live = live_pages_sink(setup->pages),
        .benches = setup->loops > 1 ? setup->loops : 0,
    };
    WebLimits limits = web_default_limits;
    const WebSetup web = {
        .host = config->host,
        .port = config->port,
        .tls = setup->tls,
        .limits = &limits,
        .headers = server->headers,
        .header_count = sizeof(server->headers) / sizeof(server->headers[0]),
        .events = &events,
        .user = server,
    };

    server->teams = team_metrics_new();
    if (!server->teams)
        return err_set(err, ERR_MEMORY, "server: out of memory");
    if (setup->connections)
        limits.connections = setup->connections;
    int rc = web_listen(server->loop, &web, &server->web, err);
    if (rc == 0)
        web_set_gate(server->web, &server->gate);
    if (rc == 0 && setup->listening)
        rc = setup->listening(setup->user, &hall.results, err);
    if (rc == 0)
        rc = extras_new(server, server->loop, config, &setup->key, server->now, &server->extras,
                        err);
    if (rc == 0)
        rc = nlp_hall_new(&hall, &server->hall, err);
    if (rc == 0)
        rc = server_open_desk(server, err);
    if (rc == 0 && setup->loops > 1)
        rc = open_loops(server, &limits, err);
    if (rc == 0)
        rc = timer_new(server->loop, on_timer, server, &server->timer, err);
    if (rc == 0)
        rc = timer_new(server->loop, on_chores, server, &server->chores, err);
    if (rc == 0 && config->realtime.enable)
        rc = realtime_new(config, &server->realtime, err);
    return rc;
}

int server_open(Loop *loop, const ServerSetup *setup, Server **ret_server, Err *err)
{
    Server *server = mem_new(sizeof(*server));

    if (!server)
        return err_set(err, ERR_MEMORY, "server: out of memory");
    server->setup = *setup;
    server->loop = loop;
    set_clock(server);
    make_headers(server);
    make_gate(server);
    int rc = open_parts(server, err);
    if (rc) {
        server_free(server);
        return rc;
    }
    server_moved(server, (HallMove){.kind = HALL_CLOCK, .unix_ms = server->zero_ms});
    timer_at(server->chores, server->now + CHORES_US, false);
    server_heard(server); /* the schedule may be complete already */
    *ret_server = server;
    return 0;
}

Server *server_free(Server *server)
{
    if (!server)
        return NULL;
    server_loops_free(server->loops);
    live_pages_set_desk(server->setup.pages, NULL);
    operator_desk_free(server->desk);
    web_free(server->web); /* calls nobody */
    timer_free(server->timer);
    timer_free(server->chores);
    guests_free_gone(&server->guests);
    while (server->guests.first)
        guest_free(server->guests.first);
    for (size_t i = 0; i < GAME_BUCKETS; i++)
        while (server->games[i]) {
            ServedGame *played = server->games[i];
            server->games[i] = played->next;
            mem_free(played);
        }
    realtime_free(server->realtime);
    nlp_hall_free(server->hall);
    extras_free(server->extras); /* its characters sit at the hall's tables */
    mem_free(server->told);
    refusals_done(&server->refusals);
    team_metrics_free(server->teams);
    buf_done(&server->told_text);
    buf_done(&server->body);
    buf_done(&server->value);
    buf_done(&server->platform);
    return mem_free(server);
}

void server_drain(Server *server, TimeUs now)
{
    server_time(server, now);
    server_moved(server, (HallMove){.kind = HALL_DRAIN});
    nlp_hall_drain(server->hall, server->now);
    server_heard(server);
}

void server_abort(Server *server, TimeUs now)
{
    if (server->state == SERVER_OPEN)
        server->aborted = nlp_hall_counts(server->hall).games > 0;
    server_time(server, now);
    server_moved(server, (HallMove){.kind = HALL_ABORT});
    nlp_hall_abort(server->hall, server->now);
    server_heard(server);
}

void server_written(Server *server, TimeUs now)
{
    if (server->state == SERVER_OVER)
        return;
    nlp_hall_written(server->hall, server_time(server, now));
    server_heard(server);
}

bool server_over(const Server *server)
{
    return server->state == SERVER_OVER;
}

bool server_complete(const Server *server)
{
    return nlp_hall_complete(server->hall);
}

NlpCounts server_counts(const Server *server)
{
    return nlp_hall_counts(server->hall);
}

uint16_t server_port(const Server *server)
{
    return web_port(server->web);
}

void server_say(const Server *server, Str line)
{
    if (server->setup.note)
        server->setup.note(server->setup.user, line);
}

NlpHall *server_hall(Server *server)
{
    return server->hall;
}
