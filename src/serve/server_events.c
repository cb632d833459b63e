/* Event streams: server-sent events named `broadcast` (docs/spec/nlp-division.md 1.1; HTML
 * standard, "Server-sent events"). A game never waits for a reader. */
#include "serve/server_state.h"

/* A comment keeps proxies from closing a stream on which nothing happens. */
#define QUIET_US ((TimeUs)25 * 1000 * 1000)

static void send_packet(Guest *guest, Str packet)
{
    Buf *event = &guest->server->body;

    buf_clear(event);
    buf_add(event, STR("event: broadcast\ndata: "));
    buf_add(event, packet);
    buf_add(event, STR("\n\n"));
    if (!buf_failed(event))
        web_stream_send(guest->conn, buf_str(event));
    guest->pinged_at = guest->server->now;
}

/* Sends what waits; all of it when `all`, else while the peer takes it. */
static void send_waiting(Guest *guest, bool all)
{
    Reader *reader = guest->reader;

    while (reader->count && (all || !web_queued(guest->conn))) {
        send_packet(guest, buf_str(&reader->waiting[reader->first]));
        reader->first = (reader->first + 1) % READER_PACKETS;
        reader->count--;
    }
}

static void keep_packet(Reader *reader, Str packet)
{
    if (reader->count == READER_PACKETS) {
        reader->first = (reader->first + 1) % READER_PACKETS;
        reader->count--;
    }
    Buf *place = &reader->waiting[(reader->first + reader->count) % READER_PACKETS];
    buf_clear(place);
    place->failed = false;
    buf_add(place, packet);
    if (!buf_failed(place))
        reader->count++;
}

static void hand_packet(Guest *guest, Str packet)
{
    if (packet.len == 0)
        return;
    send_waiting(guest, false);
    if (guest->reader->count || web_queued(guest->conn))
        keep_packet(guest->reader, packet);
    else
        send_packet(guest, packet);
}

void events_begin(Server *server, WebConn *conn, Played *game, bool masked)
{
    Guest *guest = guest_new(server, conn);

    if (guest)
        guest->reader = mem_new(sizeof(*guest->reader));
    if (!guest || !guest->reader) {
        guest_free(guest);
        web_reply(conn, 503, NULL, STR(""));
        return;
    }
    guest->reader->game = game;
    guest->reader->masked = masked;
    guest->reader->next = game->readers;
    game->readers = guest;
    server->reader_count++;
    web_stream_begin(conn, "text/event-stream", guest);
    hand_packet(guest, nlp_hall_last_broadcast(server->hall, str_of(game->id), masked));
}

void events_packet(Server *server, Played *game, Str packet, Str masked)
{
    (void)server;
    for (Guest *guest = game->readers; guest; guest = guest->reader->next)
        hand_packet(guest, guest->reader->masked ? masked : packet);
}

void events_end(Server *server, Played *game)
{
    (void)server;
    while (game->readers) {
        Guest *guest = game->readers;
        send_waiting(guest, true);
        web_stream_end(guest->conn);
        guest_free(guest);
    }
}

void events_chore(Guest *guest)
{
    send_waiting(guest, false);
    if (guest->server->now - guest->pinged_at >= QUIET_US && !web_queued(guest->conn)) {
        web_stream_send(guest->conn, STR(": nothing new\n\n"));
        guest->pinged_at = guest->server->now;
    }
}

void events_drop(Guest *guest)
{
    Reader *reader = guest->reader;

    if (!reader)
        return;
    if (reader->game) {
        Guest **at = &reader->game->readers;
        while (*at != guest)
            at = &(*at)->reader->next;
        *at = reader->next;
        guest->server->reader_count--;
    }
    for (uint32_t i = 0; i < READER_PACKETS; i++)
        buf_done(&reader->waiting[i]);
    guest->reader = mem_free(reader);
}
