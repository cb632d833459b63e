/* Event streams of a server's games (event_stream.h): each reader is a guest. */
#include "serve/server_state.h"

void events_begin(Server *server, WebConn *conn, ServedGame *game, bool masked)
{
    ServedGuest *guest = guest_new(server, conn);

    if (guest)
        guest->reader = event_stream_new(&game->readers, conn, masked, guest, &server->body);
    if (!guest || !guest->reader) {
        guest_free(guest);
        web_reply(conn, 503, NULL, STR(""));
        return;
    }
    server->reader_count++;
    event_stream_hand(guest->reader,
                      nlp_hall_last_broadcast(server->hall, str_of(game->id), masked), server->now);
}

void events_packet(const Server *server, const ServedGame *game, Str packet, Str masked)
{
    event_streams_hand(&game->readers, packet, masked, server->now);
}

void events_end(const Server *server, const ServedGame *game)
{
    while (game->readers.first) {
        event_stream_end(game->readers.first, server->now);
        guest_free(event_stream_socket(game->readers.first));
    }
}
