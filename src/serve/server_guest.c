/* Connections that stay, of one loop or another (server_state.h, ServedGuest). */
#include "base/mem.h"
#include "serve/server_state.h"

/* Pings keep address translation alive; nobody is dropped for a pong that does not come (1.5). */
#define PING_US ((TimeUs)150 * 1000 * 1000)

void guest_link(ServedGuest *guest, GuestList *list)
{
    guest->list = list;
    guest->before = NULL;
    guest->after = list->first;
    if (list->first)
        list->first->before = guest;
    list->first = guest;
}

void guest_unlink(ServedGuest *guest)
{
    *(guest->before ? &guest->before->after : &guest->list->first) = guest->after;
    if (guest->after)
        guest->after->before = guest->before;
    guest->before = guest->after = NULL;
}

ServedGuest *guest_new(Server *server, WebConn *conn)
{
    ServedGuest *guest = mem_new(sizeof(*guest));

    if (!guest)
        return NULL;
    *guest = (ServedGuest){.server = server, .conn = conn, .pinged_at = server->now};
    guest_link(guest, &server->guests);
    return guest;
}

/* Of an event stream. */
static void drop_reader(ServedGuest *guest)
{
    if (!guest->reader)
        return;
    guest->reader = event_stream_free(guest->reader);
    guest->server->reader_count--;
}

void guest_free(ServedGuest *guest)
{
    if (!guest)
        return;
    guest_unlink(guest);
    drop_reader(guest);
    mem_free(guest);
}

void guest_send(void *peer, Str text)
{
    const ServedGuest *guest = peer;

    if (!guest->gone)
        web_send(guest->conn, text);
}

void guest_close(void *peer, NlpClose code, const char *reason)
{
    ServedGuest *guest = peer;
    GuestList *list = guest->list;

    web_close(guest->conn, (uint16_t)code, reason);
    guest->agent = NULL;
    guest->refused = code == CLOSE_BAD_TOKEN;
    guest->gone = true;
    guest_unlink(guest);
    guest->after = list->gone;
    list->gone = guest;
}

void guests_free_gone(GuestList *list)
{
    while (list->gone) {
        ServedGuest *guest = list->gone;
        list->gone = guest->after;
        mem_free(guest);
    }
}

/* It does not read what it is sent: its queue would only grow (10.5, target). */
static bool is_stuck(const ServedGuest *guest, TimeUs now)
{
    TimeUs since = web_stuck_since(guest->conn);

    return since != TIME_US_NEVER &&
           now - since > (TimeUs)guest->server->setup.config->action_ms * 1000;
}

/* Its agent, which is the caller's now, or NULL. */
static NlpAgent *drop_stuck(ServedGuest *guest)
{
    NlpAgent *agent = guest->agent;

    if (guest->reader)
        web_stream_end(guest->conn);
    else
        web_close(guest->conn, CLOSE_NO_ANSWER, "you do not read what you are sent");
    guest_free(guest);
    return agent;
}

static void ping_guest(ServedGuest *guest, TimeUs now)
{
    if (now - guest->pinged_at < PING_US)
        return;
    guest->pinged_at = now;
    web_ping(guest->conn);
}

void guests_look_after(const GuestList *list, TimeUs now,
                       void (*lost)(void *user, uint32_t number, NlpAgent *agent), void *user)
{
    ServedGuest *after;

    /* A guest that the hall closes meanwhile leaves the list, but is not freed before the end. */
    for (ServedGuest *guest = list->first; guest; guest = after) {
        after = guest->after;
        if (is_stuck(guest, now)) {
            const uint32_t number = guest->number;
            NlpAgent *agent = drop_stuck(guest);
            if (agent)
                lost(user, number, agent);
        } else if (guest->reader) {
            event_stream_chore(guest->reader, now);
        } else {
            ping_guest(guest, now);
        }
        if (after && after->gone)
            break; /* the list has changed; the rest has its turn in a second */
    }
}
