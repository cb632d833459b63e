/* Sockets that listen, and what happens when no more connections can be taken.
 *
 * libuv's own accept isn't used: without a descriptor left it turns in circles in one case (its
 * reserve was taken by another thread), and it makes a connection before the limit is looked at.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* accept4 */
#endif
#include "net/uv_tcp.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG         4096
#define ACCEPTS_A_TURN  64  /* so that a flood of connections doesn't keep the others waiting */
#define ACCEPT_PAUSE_MS 100 /* when no descriptors are left */
#define ADDRESSES_MAX   8   /* of one name */
#define PORT_TRIES      16  /* to find a port that is free for all addresses */
#define PEER_TEXT_BYTES (INET6_ADDRSTRLEN + 16)

/* One socket of a listener. */
typedef struct Door {
    uv_poll_t watch;
    int fd;
    Listener *listener;
} Door;

/* Lives until it is closed and the last of its connections is. */
struct Listener {
    Door doors[ADDRESSES_MAX];
    size_t door_count;
    uv_timer_t pause; /* runs while no descriptors are left */
    Owned owned;
    Loop *loop;
    void (*accepted)(void *user, Conn *conn, const char *peer, TimeUs now);
    void *user;
    uint32_t limit;
    uint32_t open_count;
    uint32_t lingering; /* closed by us, with a descriptor still: they count for the limit */
    size_t handles;     /* of libuv that are not closed yet */
    uint16_t port;
    bool made_elsewhere; /* who came before we had it lacks the options that others inherit */
    bool closed;
};

/* "127.0.0.1:40312", "[::1]:40312" */
static void address_print(const struct sockaddr_storage *address, char text[static PEER_TEXT_BYTES])
{
    char name[INET6_ADDRSTRLEN] = "?";

    if (address->ss_family == AF_INET6) {
        struct sockaddr_in6 six;
        memcpy(&six, address, sizeof(six));
        uv_ip6_name(&six, name, sizeof(name));
        snprintf(text, PEER_TEXT_BYTES, "[%s]:%u", name, ntohs(six.sin6_port));
    } else if (address->ss_family == AF_UNIX) {
        snprintf(text, PEER_TEXT_BYTES, "unix");
    } else {
        struct sockaddr_in four;
        memcpy(&four, address, sizeof(four));
        uv_ip4_name(&four, name, sizeof(name));
        snprintf(text, PEER_TEXT_BYTES, "%s:%u", name, ntohs(four.sin_port));
    }
}

static void listener_freed(Listener *listener)
{
    if (listener->closed && !listener->handles && !listener->open_count && !listener->lingering)
        mem_free(listener);
}

static void on_listener_handle_closed(uv_handle_t *handle)
{
    Listener *listener = handle->data;

    listener->handles--;
    listener_freed(listener);
}

static void on_waiting(uv_poll_t *watch, int status, int events);

static void open_doors(uv_timer_t *timer)
{
    Listener *listener = timer->data;

    uv_timer_stop(timer);
    for (size_t i = 0; i < listener->door_count; i++)
        uv_poll_start(&listener->doors[i].watch, UV_READABLE, on_waiting);
}

/* No descriptors are left: the kernel keeps who comes waiting until one of ours is closed, or looks
 * again a little later. Trying on at once would turn the loop in circles. */
static void pause_doors(Listener *listener)
{
    for (size_t i = 0; i < listener->door_count; i++)
        uv_poll_stop(&listener->doors[i].watch);
    uv_timer_start(&listener->pause, open_doors, ACCEPT_PAUSE_MS, 0);
}

void listener_enter(Listener *listener)
{
    listener->open_count++;
}

void listener_linger(Listener *listener)
{
    listener->open_count--;
    listener->lingering++;
}

void listener_leave(Listener *listener, bool lingered)
{
    if (lingered)
        listener->lingering--;
    else
        listener->open_count--;
    if (listener->closed)
        listener_freed(listener);
    else if (uv_is_active((uv_handle_t *)&listener->pause)) /* its descriptor is free soon */
        uv_timer_start(&listener->pause, open_doors, 1, 0);
}

/* Gives the owner a connection that was accepted. */
static void welcome_conn(Listener *listener, int fd, const struct sockaddr_storage *address)
{
    Conn *conn = conn_accepted(listener->loop, fd, listener);
    char peer[PEER_TEXT_BYTES];

    if (!conn)
        return;
    if (listener->made_elsewhere)
        conn_options(fd);
    listener->open_count++;
    address_print(address, peer);
    listener->accepted(listener->user, conn, peer, loop_now());
}

/* Takes one connection. False when none waits, or none can be taken. */
static bool take_one(Door *door)
{
    Listener *listener = door->listener;
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof(address);
    int fd = accept4(door->fd, (struct sockaddr *)&address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            pause_doors(listener);
        /* The others are errors of that one connection (accept(2)): the next may do. */
        else if (errno != EAGAIN && errno != EWOULDBLOCK)
            return true;
        return false;
    }
    if (listener->open_count + listener->lingering >= listener->limit)
        close(fd);
    else
        welcome_conn(listener, fd, &address);
    return true;
}

static void on_waiting(uv_poll_t *watch, int status, int events)
{
    Door *door = HOLDER(watch, Door, watch);
    Listener *listener = door->listener;

    (void)events;
    if (status < 0) { /* libuv has stopped watching it */
        pause_doors(listener);
        return;
    }
    for (int i = 0; i < ACCEPTS_A_TURN && !listener->closed; i++) {
        if (!take_one(door))
            return;
    }
}

Listener *listener_close(Listener *listener)
{
    if (!listener || listener->closed)
        return NULL;
    listener->closed = true;
    link_drop(&listener->owned.link);
    listener->handles = listener->door_count + 1;
    for (size_t i = 0; i < listener->door_count; i++) {
        uv_close((uv_handle_t *)&listener->doors[i].watch, on_listener_handle_closed);
        close(listener->doors[i].fd);
    }
    uv_close((uv_handle_t *)&listener->pause, on_listener_handle_closed);
    return NULL;
}

static void listener_drop(Owned *owned)
{
    listener_close(HOLDER(owned, Listener, owned));
}

/* A socket that listens on `address`, or a negative code of libuv. Alone, [::] takes IPv4 too. */
static int listening_socket(const struct addrinfo *address, bool alone)
{
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1;
    int only_six = !alone;

    if (fd < 0)
        return uv_translate_sys_error(errno);
    /* Else a server can't start again while connections of the last one linger in the kernel. */
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    conn_options(fd);
    if (address->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only_six, sizeof(only_six));
    if (bind(fd, address->ai_addr, address->ai_addrlen) || listen(fd, BACKLOG)) {
        int code = uv_translate_sys_error(errno);
        close(fd);
        return code;
    }
    return fd;
}

static void set_port(struct addrinfo *address, uint16_t port)
{
    if (address->ai_family == AF_INET6)
        ((struct sockaddr_in6 *)(void *)address->ai_addr)->sin6_port = htons(port);
    else
        ((struct sockaddr_in *)(void *)address->ai_addr)->sin_port = htons(port);
}

static uint16_t socket_port(int fd)
{
    struct sockaddr_in6 address = {0}; /* the port is at the same place in sockaddr_in */
    socklen_t size = sizeof(address);

    getsockname(fd, (struct sockaddr *)&address, &size);
    return ntohs(address.sin6_port);
}

static void close_sockets(Listener *listener)
{
    for (size_t i = 0; i < listener->door_count; i++)
        close(listener->doors[i].fd);
    listener->door_count = 0;
}

/* Whether the address is missing here, as ::1 is where IPv6 is off: not an error if another one of
 * the name is there. */
static bool address_is_missing(int code)
{
    return code == UV_EADDRNOTAVAIL || code == UV_EAFNOSUPPORT || code == UV_EPROTONOSUPPORT;
}

/* Whether an address comes twice: 127.0.0.1 does for a localhost that is ::1 too (glibc). */
static bool came_before(const struct addrinfo *addresses, const struct addrinfo *address)
{
    for (const struct addrinfo *a = addresses; a != address; a = a->ai_next) {
        if (a->ai_family != address->ai_family)
            continue;
        const void *one = a->ai_addr;
        const void *two = address->ai_addr;
        if (a->ai_family == AF_INET
                ? memcmp(&((const struct sockaddr_in *)one)->sin_addr,
                         &((const struct sockaddr_in *)two)->sin_addr, sizeof(struct in_addr)) == 0
                : memcmp(&((const struct sockaddr_in6 *)one)->sin6_addr,
                         &((const struct sockaddr_in6 *)two)->sin6_addr,
                         sizeof(struct in6_addr)) == 0)
            return true;
    }
    return false;
}

/* Opens a socket for each address, all with one port. 0 or a negative code of libuv. */
static int open_sockets(Listener *listener, struct addrinfo *addresses, uint16_t port)
{
    for (struct addrinfo *a = addresses; a && listener->door_count < ADDRESSES_MAX;
         a = a->ai_next) {
        if (came_before(addresses, a))
            continue;
        set_port(a, listener->door_count ? listener->port : port);
        int fd = listening_socket(a, !addresses->ai_next);
        if (fd >= 0) {
            listener->port = socket_port(fd);
            listener->doors[listener->door_count++].fd = fd;
        } else if (!address_is_missing(fd)) {
            close_sockets(listener);
            return fd;
        }
    }
    return listener->door_count ? 0 : UV_EADDRNOTAVAIL;
}

static const char *listen_advice(int code)
{
    switch (code) {
    case UV_EADDRINUSE:
        return "in use: another server? try --port";
    case UV_EACCES:
        return "not allowed: ports below 1024 are for root; try --port";
    case UV_EADDRNOTAVAIL:
        return "no such address on this machine";
    default:
        return uv_strerror(code);
    }
}

/* Has libuv watch the sockets. 0 or a negative code of libuv; then they are closed. */
static int watch_doors(Listener *listener)
{
    Loop *loop = listener->loop;
    size_t count = listener->door_count;
    int code = 0;

    uv_timer_init(&loop->uv, &listener->pause);
    listener->pause.data = listener;
    listener->owned.close = listener_drop;
    link_add(&loop->owned, &listener->owned.link);
    for (size_t i = 0; i < count && !code; i++) {
        Door *door = &listener->doors[i];

        code = uv_poll_init(&loop->uv, &door->watch, door->fd);
        door->watch.data = door->listener = listener;
        if (code) {
            for (size_t rest = i; rest < count; rest++)
                close(listener->doors[rest].fd);
            listener->door_count = i;
        }
    }
    if (code)
        listener_close(listener); /* which frees it */
    else
        open_doors(&listener->pause);
    return code;
}

int tcp_listen(Loop *loop, const char *host, uint16_t port,
               void (*accepted)(void *user, Conn *conn, const char *peer, TimeUs now), void *user,
               Listener **ret_listener, Err *err)
{
    struct addrinfo *addresses = NULL;
    bool everywhere = !host || strcmp(host, "*") == 0;
    CLEANUP(mem_freep) Listener *listener = mem_new(sizeof(*listener));

    if (!listener)
        return err_set(err, ERR_MEMORY, "listen: out of memory");
    listener->loop = loop;
    listener->accepted = accepted;
    listener->user = user;
    listener->limit = UINT32_MAX;

    int code = tcp_resolve(loop, everywhere ? NULL : host, port, AI_PASSIVE, &addresses, err);
    if (code)
        return code;
    /* With any port asked for, one that is free for the first address may be taken for another. */
    for (int tries = port ? 1 : PORT_TRIES; tries > 0; tries--) {
        code = open_sockets(listener, addresses, port);
        if (code != UV_EADDRINUSE)
            break;
    }
    uv_freeaddrinfo(addresses);
    if (code)
        return err_set(err, uv_err(code), "listen on %s, port %u: %s", everywhere ? "*" : host,
                       port, listen_advice(code));

    Listener *watched = TAKE(listener);
    code = watch_doors(watched);
    if (code)
        return err_set(err, uv_err(code), "listen on %s, port %u: %s", everywhere ? "*" : host,
                       port, uv_strerror(code));
    *ret_listener = watched;
    return 0;
}

static bool socket_listens(int fd)
{
    int listens = 0;
    socklen_t size = sizeof(listens);

    return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens;
}

int tcp_listen_on(Loop *loop, int take_socket,
                  void (*accepted)(void *user, Conn *conn, const char *peer, TimeUs now),
                  void *user, Listener **ret_listener, Err *err)
{
    Listener *listener = mem_new(sizeof(*listener));
    int code = 0;

    if (!listener) {
        close(take_socket);
        return err_set(err, ERR_MEMORY, "listen: out of memory");
    }
    if (!socket_listens(take_socket)) { /* accepting would fail without end */
        close(take_socket);
        mem_free(listener);
        return err_set(err, ERR_IO, "listen: this is no socket that listens");
    }
    *listener = (Listener){.loop = loop,
                           .accepted = accepted,
                           .user = user,
                           .limit = UINT32_MAX,
                           .doors = {{.fd = take_socket, .listener = listener}},
                           .door_count = 1,
                           .made_elsewhere = true,
                           .port = socket_port(take_socket)};
    conn_options(take_socket);
    code = watch_doors(listener);
    if (code)
        return err_set(err, uv_err(code), "listen: %s", uv_strerror(code));
    *ret_listener = listener;
    return 0;
}

uint16_t listener_port(const Listener *listener)
{
    return listener->port;
}

uint32_t listener_open_count(const Listener *listener)
{
    return listener->open_count;
}

void listener_set_limit(Listener *listener, uint32_t limit)
{
    listener->limit = limit;
}
